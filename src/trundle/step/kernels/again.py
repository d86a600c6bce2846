"""Stages that look for contacts once more in the middle of a step, where impacts with a rebound set off others.  Never raise.

An impact is an event of its own with its own time (`impacts`), so a contact that another impact closes has to be found where it
is; `ahead`, which knows only how deep it would get, is for surfaces without restitution.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import INNER
from trundle.kernels.space import GO_ON, real1, real2, whole1, whole2
from trundle.step.kernels import places as P
from trundle.step.kernels.ahead import approach
from trundle.step.kernels.paths import along, flight, way_of
from trundle.step.kernels.search import extend_reach

FASTER = 0.005  # of a body: by how much it must get further within the step for contacts to be looked for again
LOOKS = 8  # at most, in a step with impacts
MISSED = 1e-3  # of the smaller body: overlap at the end for which a contact that was not found is solved for


@njit(**INNER)
def gap_ahead(at, f, real, a, b, arm, way):
    """Least gap of a contact that was found in the middle, at the end of the step and half a step later; arm, way: work.

    Impacts bend the paths: bodies may be pushed into each other within a step at whose end they separate.
    """
    v, middle, gap = real2(at, P.V), real2(at, P.MIDDLE), real[6]
    for side in range(2):
        i, sign = (a, -1.0) if side == 0 else (b, 1.0)
        way_of(f, i, f.h, way)
        for k in range(6):
            way[k] += f.theta * f.h * (v[i, k] - f.start[i, k] - f.h * f.acceleration[i, k] - f.kick[i, k])
        for k in range(3):
            arm[k] = real[k] - middle[i, k]
        gap += sign * along(real[3:6], arm, way)
    return min(gap, gap + (1.0 - f.theta) * f.h * approach(real, v, middle, a, b))


@njit(**INNER)
def missed_one(at, numbers):
    """Whether a contact that was found only now closes because of the solution of this step."""
    found, real, key, size = whole2(at, P.FOUND), real2(at, P.FOUND_REAL), whole1(at, P.KEY), real1(at, P.SIZE_OF)
    n, bodies, f, arm, way = numbers[P.CONTACTS], size.shape[0], flight(at), np.empty(3), np.empty(6)
    for c in range(numbers[P.COUNT]):
        a, b = found[c, 0], found[c, 1]
        if gap_ahead(at, f, real[c], a, b, arm, way) > -MISSED * min(size[a], size[b]):
            continue
        mine = (a * bodies + b) * numbers[P.FEATURES] + found[c, 2]
        k = np.searchsorted(key[:n], mine)
        if k >= n or key[k] != mine:
            return True
    return False


def end_unless_missed(at):
    """Before contacts of another look are gathered: the step is done unless one of them was missed."""
    numbers = whole1(at, P.NUMBERS)
    if numbers[P.LOOKED] == 0 or numbers[P.COUNT] > whole2(at, P.FOUND).shape[0] or missed_one(at, numbers):
        return GO_ON
    return -numbers[P.TO_END] - 1


def look_again(at):
    """Where bodies get further than they could, contacts are looked for once more."""
    numbers, g, h = whole1(at, P.NUMBERS), real1(at, P.GRAVITY), real1(at, P.OPTIONS)[P.H]
    if numbers[P.LOOKED] > (LOOKS if numbers[P.IMPACTS] > 0 else 0):
        return GO_ON
    fall = 0.5 * h**2 * math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    if not extend_reach(at, real2(at, P.V), fall, FASTER):
        return GO_ON
    numbers[P.LOOKED] += 1
    return -numbers[P.TO_SEARCH] - 1
