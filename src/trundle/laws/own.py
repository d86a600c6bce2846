"""Slots through which compiled kernels call laws that users wrote.

A user's law is a compiled function of fixed signature, passed to the kernels as a value: the kernels are compiled
once for all of them and stay in numba's cache on disk.  Every kernel argument has ``SLOTS`` of each kind; the
slots that a problem does not use hold functions that do nothing.
"""

from __future__ import annotations

from collections import namedtuple

from numba import cfunc, float64, njit, types

from trundle.laws.curves import JIT

SLOTS = 4

_VECTOR = types.Array(float64, 1, "C")
PROJECT = types.void(_VECTOR, float64, _VECTOR, _VECTOR)  # (x, r_n, coefficients, out)
SUPPORT = float64(_VECTOR, _VECTOR)  # (w, coefficients) -> sigma(w)

Own = namedtuple("Own", "project0 project1 project2 project3 support0 support1 support2 support3")


@cfunc(PROJECT, cache=True)
def _no_project(x, r_n, coefficients, out):
    pass


@cfunc(SUPPORT, cache=True)
def _no_support(w, coefficients):
    return 0.0


NO_OWN = Own(*[_no_project] * SLOTS, *[_no_support] * SLOTS)


def fill_slots(pairs: list) -> Own:
    """Slots holding the (project, support) pairs of a problem's own laws, in order."""
    rest = SLOTS - len(pairs)
    projections = [pair[0] for pair in pairs] + [_no_project] * rest
    supports = [pair[1] for pair in pairs] + [_no_support] * rest
    return Own(*projections, *supports)


@njit(**JIT)
def own_project(own, slot, x, r_n, coefficients, out):
    """Projection of x onto r_n C by the law in a slot."""
    if slot == 0:
        own.project0(x, r_n, coefficients, out)
    elif slot == 1:
        own.project1(x, r_n, coefficients, out)
    elif slot == 2:
        own.project2(x, r_n, coefficients, out)
    else:
        own.project3(x, r_n, coefficients, out)


@njit(**JIT)
def own_support(own, slot, w, coefficients):
    """Support function of the law in a slot."""
    if slot == 0:
        return own.support0(w, coefficients)
    if slot == 1:
        return own.support1(w, coefficients)
    if slot == 2:
        return own.support2(w, coefficients)
    return own.support3(w, coefficients)
