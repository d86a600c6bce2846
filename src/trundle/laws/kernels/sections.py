"""Projections and support functions of every law, compiled, on flat arrays.

A contact's section C is a product of *blocks* on different rows (see `trundle.laws.table`); each block has a kind
and up to six coefficients.  Functions take the table's arrays one by one (a tuple of them costs five times the time
of the projection itself), a block or contact number, and `base`, the shift from the table's row numbers to those of
the vectors, so that one description of a law serves a million points.

Disks and intervals are inlined here; everything else is compiled once (`trundle.laws.general`) and called by address.

Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import carray, njit

from trundle.laws.kernels.curves import INLINE, JIT
from trundle.laws.kernels.own import (
    AT_PROJECT,
    AT_SECTION,
    AT_SUPPORT,
    call_general_project,
    call_general_section,
    call_general_support,
    own_section,
    own_support,
    space_on_stack,
)

FREE = 0
DISK = 1
SIDE = 20  # one row >= 0, whatever r: the limit of a joint; off where its coefficient is 0
DIAMOND = 3
CONTENSOU_SERIES = 5
OWN = 6

ROW, BLOCK, HEAD, PLAIN = 0, 1, 2, 3  # columns of `contact`
KIND, FIRST, SIZE, LAW = 0, 1, 2, 3  # columns of `block`


@njit(**INLINE)
def block_norm(x, first, size):
    """Euclidean norm of a block of one or two rows."""
    if size == 1:
        return abs(x[first])
    return math.sqrt(x[first] * x[first] + x[first + 1] * x[first + 1])


@njit(**INLINE)
def scale_disk(x, first, size, factor, out):
    """Write factor * x to the one or two rows of a disk (a loop would be vectorised, which costs 20 ns here)."""
    out[first] = x[first] * factor
    if size == 2:
        out[first + 1] = x[first + 1] * factor


@njit(**INLINE)
def block_support(block, coef, own, b, base, w):
    """Support function sigma(w) of one block."""
    if block[b, KIND] == DISK:
        return coef[b, 0] * block_norm(w, block[b, FIRST] + base, block[b, SIZE])
    if block[b, KIND] == OWN:
        return own_support(own, block[b, LAW], coef, b, w, block[b, FIRST] + base, block[b, SIZE])
    return call_general_support(own[AT_SUPPORT], block, coef, own, b, base, w)


@njit(**INLINE)
def section(block, coef, own, b, base, x, r, out, t):
    """Project one block of x onto r C.  Returns g(r) = sigma(x - f), dg/dr (NaN if unknown), and a curve's t.

    g is minus the slope in r of half the squared distance to r C; the projection onto the cone is its root.
    x and out may be the same array.
    """
    kind = block[b, KIND]
    first = block[b, FIRST] + base
    size = block[b, SIZE]
    if kind == DISK:
        mu = coef[b, 0]
        norm = block_norm(x, first, size)
        radius = mu * r
        if norm <= radius:
            scale_disk(x, first, size, 1.0, out)
            return 0.0, 0.0, t
        scale_disk(x, first, size, radius / norm, out)
        return mu * (norm - radius), -mu * mu, t
    if kind == OWN:
        return own_section(own, block[b, LAW], coef, b, x, first, size, r, out), np.nan, t
    if kind == SIDE:
        out[first] = max(x[first], 0.0) if coef[b, 0] > 0.0 else 0.0
        return 0.0, 0.0, t
    result = carray(space_on_stack(), (3,))
    call_general_section(own[AT_SECTION], block, coef, own, b, base, x, r, out, t, result)
    return result[0], result[1], result[2]


@njit(**INLINE)
def disks_root(contact, block, coef, c, base, x, top, slope):
    """Root r >= 0 of  slope r - top - sum_b mu_b max(0, |x_b| - mu_b r)  over the disks and intervals of a contact.

    Returns r and the slope there.  The function is increasing, concave and piecewise linear: Newton from the left
    ends after at most one step per block.
    """
    r = max(top / slope, 0.0)
    while True:
        some_top = top
        there = slope
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            if block[b, KIND] == DISK:
                mu = coef[b, 0]
                norm = block_norm(x, block[b, FIRST] + base, block[b, SIZE])
                if norm > mu * r:
                    some_top += mu * norm
                    there += mu * mu
        moved = some_top / there
        if not moved > r:  # also where x is not a number
            return r, there
        r = moved


@njit(**INLINE)
def place_disks(contact, block, coef, c, base, x, r, out):
    """Write r and the projections of the disks and intervals of x onto those of size r."""
    first_row = contact[c, ROW] + base
    if r <= 0.0:
        for i in range(first_row, contact[c + 1, ROW] + base):
            out[i] = 0.0
        return
    out[first_row] = r
    for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
        if block[b, KIND] == DISK:
            first = block[b, FIRST] + base
            size = block[b, SIZE]
            norm = block_norm(x, first, size)
            radius = coef[b, 0] * r
            scale_disk(x, first, size, 1.0 if norm <= radius else radius / norm, out)


@njit(**INLINE)
def project_disks(contact, block, coef, c, base, x, out):
    """Project one contact onto a cone whose blocks are disks and intervals, in closed form.

    These are the cases (68)-(70) of Acary & Bourrier (2021), Proposition 5.2, and of Tasora & Anitescu (2013),
    appendix C, tested in the order that makes them exclusive.
    """
    r, _ = disks_root(contact, block, coef, c, base, x, x[contact[c, ROW] + base], 1.0)
    place_disks(contact, block, coef, c, base, x, r, out)


@njit(**INLINE)
def project_contact(contact, block, coef, own, c, base, x, out):
    """Project the rows of one contact onto its cone K, written to `out`."""
    if contact[c, PLAIN] == 1:
        project_disks(contact, block, coef, c, base, x, out)
    else:
        call_general_project(own[AT_PROJECT], contact, block, coef, own, c, base, x, out)


@njit(nogil=True, **JIT)
def project_many(contact, block, coef, own, x, out, stride, begin, end):
    """Project the points begin to end, `stride` rows each, onto the cone of their contact (or of the only one)."""
    single = contact.shape[0] == 2
    for i in range(begin, end):
        c = 0 if single else i
        project_contact(contact, block, coef, own, c, i * stride - contact[c, ROW], x, out)


@njit(nogil=True, **JIT)
def section_many(contact, block, coef, own, x, r_n, out, stride, begin, end):
    """Project the friction rows of the points begin to end onto r_n C."""
    single = contact.shape[0] == 2
    for i in range(begin, end):
        c = 0 if single else i
        base = i * stride - contact[c, ROW] - contact[c, HEAD]
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            section(block, coef, own, b, base, x, max(r_n[i], 0.0), out, np.nan)


@njit(**INLINE)
def contact_support(contact, block, coef, own, c, base, w):
    """sigma(w) of one contact; the rows of w are numbered as those of p."""
    total = 0.0
    for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
        total += block_support(block, coef, own, b, base, w)
    return total


@njit(**JIT)
def support_many(contact, block, coef, own, w, out, stride):
    """Support function at n points of `stride` friction rows each."""
    single = contact.shape[0] == 2
    for i in range(out.shape[0]):
        c = 0 if single else i
        out[i] = contact_support(contact, block, coef, own, c, i * stride - contact[c, ROW] - contact[c, HEAD], w)
