"""Generalised Jacobians of the section projections, for Newton's method.

Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.laws.kernels.curves import CONTENSOU, JIT, SUPERELLIPSE, TINY, UNIFORM, curve, curve_section
from trundle.laws.kernels.oblique import OBLIQUE
from trundle.laws.kernels.sections import (
    CONTENSOU_SERIES,
    DIAMOND,
    DISK,
    FIRST,
    FREE,
    KIND,
    OWN,
    SIDE,
    SIZE,
    block_norm,
    section,
)


@njit(**JIT)
def disk_jacobian(x, first, size, mu, r, Jx, Jr):
    """Derivatives of the projection of a block onto the disk of radius mu r."""
    norm = block_norm(x, first, size)
    radius = mu * r
    if norm <= radius or norm <= TINY:
        for i in range(size):
            Jr[i] = 0.0
            for j in range(size):
                Jx[i, j] = 1.0 if i == j and norm <= radius else 0.0
        return
    for i in range(size):
        e = x[first + i] / norm
        Jr[i] = mu * e
        for j in range(size):
            Jx[i, j] = (radius / norm) * ((1.0 if i == j else 0.0) - e * x[first + j] / norm)


@njit(**JIT)
def quarter_jacobian(kind, a, b, q, x1, x2, r):
    """Derivatives of (f1, f2) in the quarter plane by (x1, x2) and by r: J11, J12, J22, K1, K2."""
    f1, f2, g, dg, t = curve_section(kind, a, b, q, x1, x2, r, np.nan)
    if g == 0.0:
        inside1 = 1.0 if a > TINY else 0.0
        inside2 = 1.0 if b > TINY and (kind == SUPERELLIPSE or a > TINY) else 0.0
        return inside1, 0.0, inside2, 0.0, 0.0
    if math.isnan(t):  # on an axis, or a flat set
        half = f2 / r if f1 == 0.0 else f1 / r
        if f1 == 0.0:
            return 0.0, 0.0, 0.0, 0.0, half
        return 0.0, 0.0, 0.0, half, 0.0
    c1, c2, d1, d2, n1, n2, e1, e2 = curve(kind, a, b, q, t)
    bend = r * (d1 * d1 + d2 * d2) + g * (d1 * e1 + d2 * e2) + TINY
    turn = (c1 * d1 + c2 * d2) / bend
    return (
        r * d1 * d1 / bend, r * d1 * d2 / bend, r * d2 * d2 / bend,
        c1 - r * d1 * turn, c2 - r * d2 * turn,
    )  # fmt: skip


@njit(**JIT)
def diamond_jacobian(a, b, x1, x2, r):
    """As `quarter_jacobian`, for the rhombus x1/a + x2/b <= r."""
    over = x1 / a + x2 / b - r
    if over <= 0.0:
        return 1.0, 0.0, 1.0, 0.0, 0.0
    length = 1.0 / (a * a) + 1.0 / (b * b)
    if x1 < over / (a * length):
        return 0.0, 0.0, 0.0, 0.0, b
    if x2 < over / (b * length):
        return 0.0, 0.0, 0.0, a, 0.0
    n1 = 1.0 / a
    n2 = 1.0 / b
    return n2 * n2 / length, -n1 * n2 / length, n1 * n1 / length, n1 / length, n2 / length


@njit(**JIT)
def numerical_jacobian(block, coef, own, b, x, r, Jx, Jr, work):
    """Central differences for laws that give no derivative; work (2, m) is scratch."""
    first = block[b, FIRST]
    size = block[b, SIZE]
    scale = r
    for i in range(first, first + size):
        scale = max(scale, abs(x[i]))
    step = 1e-6 * scale + TINY
    for j in range(size):
        kept = x[first + j]
        x[first + j] = kept + step
        section(block, coef, own, b, 0, x, r, work[0], np.nan)
        x[first + j] = kept - step
        section(block, coef, own, b, 0, x, r, work[1], np.nan)
        x[first + j] = kept
        for i in range(size):
            Jx[i, j] = (work[0, first + i] - work[1, first + i]) / (2.0 * step)
    low = max(r - step, 0.0)
    section(block, coef, own, b, 0, x, r + step, work[0], np.nan)
    section(block, coef, own, b, 0, x, low, work[1], np.nan)
    for i in range(size):
        Jr[i] = (work[0, first + i] - work[1, first + i]) / (r + step - low)


@njit(**JIT)
def section_jacobian(block, coef, own, b, x, r, Jx, Jr, work):
    """Derivatives of the projection f of a block of x onto r C: Jx (size, size) by x, Jr (size,) by r."""
    kind = block[b, KIND]
    first = block[b, FIRST]
    size = block[b, SIZE]
    if kind == DISK:
        disk_jacobian(x, first, size, coef[b, 0], r, Jx, Jr)
        return
    if kind == FREE:
        for i in range(size):
            Jr[i] = 0.0
            for j in range(size):
                Jx[i, j] = 1.0 if i == j else 0.0
        return
    if kind == SIDE:
        Jx[0, 0] = 1.0 if x[first] > 0.0 and coef[b, 0] > 0.0 else 0.0
        Jr[0] = 0.0
        return
    if kind == OWN or kind == OBLIQUE or kind == CONTENSOU_SERIES or r <= 0.0:
        numerical_jacobian(block, coef, own, b, x, r, Jx, Jr, work)
        return
    if kind == CONTENSOU or kind == UNIFORM:
        slide = block_norm(x, first, 2)
        J11, J12, J22, K1, K2 = quarter_jacobian(kind, coef[b, 0], coef[b, 1], 0.0, slide, abs(x[first + 2]), r)
        f1 = curve_section(kind, coef[b, 0], coef[b, 1], 0.0, slide, abs(x[first + 2]), r, np.nan)[0]
        sign = math.copysign(1.0, x[first + 2])
        e1 = x[first] / slide if slide > 0.0 else 1.0
        e2 = x[first + 1] / slide if slide > 0.0 else 0.0
        across = f1 / slide if slide > 0.0 else J11
        Jx[0, 0] = J11 * e1 * e1 + across * e2 * e2
        Jx[0, 1] = (J11 - across) * e1 * e2
        Jx[1, 0] = Jx[0, 1]
        Jx[1, 1] = J11 * e2 * e2 + across * e1 * e1
        Jx[0, 2] = J12 * e1 * sign
        Jx[1, 2] = J12 * e2 * sign
        Jx[2, 0] = Jx[0, 2]
        Jx[2, 1] = Jx[1, 2]
        Jx[2, 2] = J22
        Jr[0] = K1 * e1
        Jr[1] = K1 * e2
        Jr[2] = K2 * sign
        return
    sign1 = math.copysign(1.0, x[first])
    sign2 = math.copysign(1.0, x[first + 1])
    x1 = abs(x[first])
    x2 = abs(x[first + 1])
    if kind == DIAMOND and coef[b, 0] > TINY and coef[b, 1] > TINY:
        J11, J12, J22, K1, K2 = diamond_jacobian(coef[b, 0], coef[b, 1], x1, x2, r)
    else:
        J11, J12, J22, K1, K2 = quarter_jacobian(SUPERELLIPSE, coef[b, 0], coef[b, 1], coef[b, 2], x1, x2, r)
    Jx[0, 0] = J11
    Jx[0, 1] = J12 * sign1 * sign2
    Jx[1, 0] = Jx[0, 1]
    Jx[1, 1] = J22
    Jr[0] = K1 * sign1
    Jr[1] = K2 * sign2
