"""Whether a step may have taken a body through another, so that Python has to look.  Cautious, compiled; never raises."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.missed import SLACK, way_of_fast
from trundle.detect.kernels.stages import never_meet
from trundle.kernels.rotations import JIT
from trundle.kernels.space import flag1, real1, real2, whole1
from trundle.kinds import HALF_SPACE
from trundle.step.kernels import places as P

MOST = 100  # bodies: among more of them it is quicker to look


@njit(**JIT)
def way(before, after, i):
    """How far body i moved."""
    x, y, z = after[i, 0] - before[i, 0], after[i, 1] - before[i, 1], after[i, 2] - before[i, 2]
    return math.sqrt(x * x + y * y + z * z)


@njit(**JIT)
def went_under(at, after, i):
    """Whether body i may be under a half-space; one that moves may have come over it."""
    planes, plane, radius = whole1(at, P.LIST_PLANES), real2(at, P.ROOM_PLANE), real1(at, P.SOLID_RADIUS)[i]
    for k in range(planes.shape[0]):
        n = plane[k]
        height = n[0] * after[i, 0] + n[1] * after[i, 1] + n[2] * after[i, 2] - n[3]
        if flag1(at, P.MOVES)[planes[k]] or height < -0.5 * SLACK * radius:
            return True
    return False


@njit(**JIT)
def may_have_passed(at):
    """Whether balls around bodies and their ways meet, of which one moved by more than half of what it holds."""
    before, after, present = real2(at, P.BEFORE), real2(at, P.POSITION), flag1(at, P.PRESENT)
    radius, inner, centre, kind = (
        real1(at, P.SOLID_RADIUS),
        real1(at, P.SOLID_INNER),
        real2(at, P.CENTRE),
        whole1(at, P.KIND),
    )
    if after.shape[0] > MOST or centre.shape[0] > 0:
        return True
    for i in range(after.shape[0]):
        if not present[i] or kind[i] < 0 or radius[i] == np.inf:
            continue
        if went_under(at, after, i):
            return True
        gone = way(before, after, i)
        if gone <= way_of_fast(radius, inner, i):
            continue
        for j in range(after.shape[0]):
            if j == i or not present[j] or kind[j] < 0 or kind[j] == HALF_SPACE or never_meet(at, i, j):
                continue
            square, reach = 0.0, radius[i] + radius[j] + 0.5 * (gone + way(before, after, j))
            for k in range(3):
                square += (0.5 * (before[i, k] + after[i, k] - before[j, k] - after[j, k])) ** 2
            if square <= reach * reach:
                return True
    return False
