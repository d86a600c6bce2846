"""Modes of contacts, compiled; never raises."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import JIT


@njit(**JIT)
def parts(row, out):
    """Sizes of the sliding, spinning and rolling parts of six rows n, t1, t2, s, r1, r2."""
    out[0] = math.sqrt(row[1] * row[1] + row[2] * row[2])
    out[1] = abs(row[3])
    out[2] = math.sqrt(row[4] * row[4] + row[5] * row[5])


@njit(**JIT)
def disk_modes(law, p, y, cap, tolerance, reference, code):
    """Codes (C,) as `Law.mode_codes` gives them, for laws that are products of disks.

    law (C,); p, y (C, 6); cap (L, 3): coefficients of sliding, spinning, rolling, negative where a law has no such part or
    is not made of disks, in which case its contacts are left alone; reference (3,): velocities that count as motion
    """
    laws = cap.shape[0]
    fastest, largest, size = np.zeros((laws, 3)), np.zeros(laws), np.zeros(3)
    for l in range(laws):
        for j in range(3):  # an assignment of the row would compile the text of its error, too: two seconds
            fastest[l, j] = reference[j]
    for c in range(law.shape[0]):
        l = law[c]
        largest[l] = max(largest[l], p[c, 0])
        parts(y[c], size)
        for j in range(3):
            fastest[l, j] = max(fastest[l, j], size[j])
    load, speed = np.zeros(3), np.zeros(3)
    for c in range(law.shape[0]):
        l = law[c]
        if cap[l, 0] < 0.0 and cap[l, 1] < 0.0 and cap[l, 2] < 0.0:
            continue
        if p[c, 0] <= tolerance * largest[l]:
            code[c] = 0
            continue
        parts(p[c], load)
        parts(y[c], speed)
        taken = (
            -p[c, 1] * y[c, 1] - p[c, 2] * y[c, 2],
            -p[c, 3] * y[c, 3],
            -p[c, 4] * y[c, 4] - p[c, 5] * y[c, 5],
        )
        bits = 0
        for j in range(3):
            if cap[l, j] < 0.0 or speed[j] <= tolerance * fastest[l, j]:
                continue
            bound = cap[l, j] * p[c, 0]
            if load[j] * (1.0 + tolerance) > bound or taken[j] >= (1.0 - tolerance) * bound * speed[j]:
                bits |= 1 << j
        code[c] = 1 + bits
