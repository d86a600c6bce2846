"""Stages that look for contacts once more in the middle of a step, where impacts with a rebound set off others.  Never raise.

An impact is an event of its own with its own time (`impacts`), so a contact that another impact closes has to be found where it
is.  What the impacts still bring together at other places, `ahead` finds at the end of the step.
"""

from __future__ import annotations

import math

from numba import njit

from trundle.detect.kernels.stages import extend_reach
from trundle.kernels.rotations import JIT
from trundle.kernels.search import place_of
from trundle.kernels.space import GO_ON, real1, real2, whole1, whole2
from trundle.step.kernels import places as P
from trundle.step.kernels.ahead import approach

FASTER = 0.005  # of a body: by how much it must get further within the step for contacts to be looked for again
LOOKS = 8  # at most, in a step with impacts
MISSED = 1e-3  # of the smaller body: overlap at the end for which a contact that was not found is solved for


@njit(**JIT)
def missed_one(found, real, key, features, size, v, middle, h):
    """Whether one of the contacts found only now closes because of the solution v of this step; key: those it has."""
    bodies, n = size.shape[0], key.shape[0]
    for c in range(found.shape[0]):
        a, b = found[c, 0], found[c, 1]
        if real[c, 6] + h * approach(real[c], v, middle, a, b) > -MISSED * min(size[a], size[b]):
            continue
        mine = (a * bodies + b) * features + found[c, 2]
        k = place_of(key, key.shape[0], mine)
        if k >= n or key[k] != mine:
            return True
    return False


def end_unless_missed(at):
    """Before contacts of another look are gathered: the solution stands unless one of them was missed."""
    numbers, found = whole1(at, P.NUMBERS), whole2(at, P.FOUND)
    if numbers[P.LOOKED] == 0 or numbers[P.AHEAD] > 0 or numbers[P.COUNT] > found.shape[0]:
        return GO_ON
    missed = missed_one(
        found[: numbers[P.COUNT]], real2(at, P.FOUND_REAL), whole1(at, P.KEY)[: numbers[P.CONTACTS]], numbers[P.FEATURES],
        real1(at, P.SIZE_OF), real2(at, P.V), real2(at, P.MIDDLE), real1(at, P.OPTIONS)[P.H],
    )  # fmt: skip
    return GO_ON if missed else -numbers[P.TO_AHEAD] - 1


def look_again(at):
    """Where bodies get further than they could, contacts are looked for once more."""
    numbers, g, h = whole1(at, P.NUMBERS), real1(at, P.GRAVITY), real1(at, P.OPTIONS)[P.H]
    if numbers[P.AHEAD] > 0 or numbers[P.LOOKED] > (LOOKS if numbers[P.IMPACTS] > 0 else 0):
        return GO_ON
    fall = 0.5 * h**2 * math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    if not extend_reach(at, real2(at, P.V), fall, FASTER):
        return GO_ON
    numbers[P.LOOKED] += 1
    return -numbers[P.TO_SEARCH] - 1
