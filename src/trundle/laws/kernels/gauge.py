"""Gauges of curved sections: how far a load f is out, gamma(f) = min {r: f in r C}, with derivatives of gamma**2 / 2.

Superellipses have rows t1, t2, patches rows t1, t2, s.  Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.laws.kernels.curves import CONTENSOU, FARTHEST, JIT, SUPERELLIPSE, UNIFORM, ball, curve

LEAST = 1e-13  # of the half-axes: loads along an axis are moved off it by this, to where all is finite
MOST = 60  # iterations


@njit(**JIT)
def is_curved(kind):
    """Whether a block is one of a boundary curve."""
    return kind == SUPERELLIPSE or kind == CONTENSOU or kind == UNIFORM


@njit(**JIT)
def on_ray(kind, a, b, q, x1, x2):
    """Parameter of the boundary point along (x1, x2) > 0."""
    if kind == SUPERELLIPSE:
        return math.log(x1 * b / (x2 * a))
    goal, t = math.log(x1 / x2), math.log(x1 / (x2 * b))
    for _ in range(MOST):  # log(c1 / c2) grows with t at a rate near 1
        c1, c2, d1, d2, _, _, _, _ = curve(kind, a, b, q, t)
        step = (goal - math.log(c1 / c2)) / (d1 / c1 - d2 / c2)
        t = min(max(t + step, -FARTHEST), FARTHEST)
        if abs(step) <= 1e-15 * (1.0 + abs(t)):
            break
    return t


@njit(**JIT)
def quarter_gauge(kind, a, b, q, x1, x2):
    """gamma, and the gradient g and second derivatives G of gamma**2 / 2, in the quarter plane x1, x2 > 0."""
    t = on_ray(kind, a, b, q, x1, x2)
    c1, c2, d1, d2, n1, n2, e1, e2 = curve(kind, a, b, q, t)
    gamma = x1 * n1 + x2 * n2
    turn = 1.0 / (c1 * d2 - c2 * d1)
    return (
        gamma, gamma * n1, gamma * n2,
        n1 * n1 - e1 * c2 * turn, n1 * n2 + 0.5 * (e1 * c1 - e2 * c2) * turn, n2 * n2 + e2 * c1 * turn,
    )  # fmt: skip


@njit(**JIT)
def gauge(kind, a, b, q, f, first, size, g, G):
    """gamma of the load f[first : first + size]; gradient g (3,) and second derivatives G (3, 3) of gamma**2 / 2."""
    half1, half2 = a, b if kind == SUPERELLIPSE else a * b
    if size == 2:
        x1, x2 = abs(f[first]), abs(f[first + 1])
    else:
        x1, x2 = math.sqrt(f[first] ** 2 + f[first + 1] ** 2), abs(f[first + 2])
    if x1 <= 1e-290 and x2 <= 1e-290:  # any direction will do
        gamma = 0.0
        _, _, _, G11, G12, G22 = quarter_gauge(kind, a, b, q, half1, half2)
        g1 = g2 = 0.0
        G12 = 0.0
        across = G11
        slide = 1.0
    else:
        size_of = x1 / half1 + x2 / half2
        slide = max(x1, LEAST * half1 * size_of)
        spin = max(x2, LEAST * half2 * size_of)
        gamma, g1, g2, G11, G12, G22 = quarter_gauge(kind, a, b, q, slide, spin)
        across = g1 / slide
    if size == 2:
        s1, s2 = math.copysign(1.0, f[first]), math.copysign(1.0, f[first + 1])
        g[0], g[1] = s1 * g1, s2 * g2
        G[0, 0], G[1, 1] = G11, G22
        G[0, 1] = G[1, 0] = s1 * s2 * G12
        return gamma
    u1 = f[first] / x1 if x1 > 1e-290 else 1.0
    u2 = f[first + 1] / x1 if x1 > 1e-290 else 0.0
    sign = math.copysign(1.0, f[first + 2])
    g[0], g[1], g[2] = g1 * u1, g1 * u2, sign * g2
    G[0, 0] = G11 * u1 * u1 + across * u2 * u2
    G[1, 1] = G11 * u2 * u2 + across * u1 * u1
    G[0, 1] = G[1, 0] = (G11 - across) * u1 * u2
    G[0, 2] = G[2, 0] = sign * G12 * u1
    G[1, 2] = G[2, 1] = sign * G12 * u2
    G[2, 2] = G22
    return gamma


@njit(**JIT)
def way_out(kind, a, b, q, f, df, first, size, r, dr, most):
    """Largest step s <= most with gamma(f + s df) <= r + s dr, inside of which f is: from beyond, by Newton's method."""
    x, g, G, s = np.empty(3), np.empty(3), np.empty((3, 3)), most
    for _ in range(MOST):
        for i in range(size):
            x[i] = f[first + i] + s * df[first + i]
        gamma = gauge(kind, a, b, q, x, 0, size, g, G)
        beyond = gamma - (r + s * dr)
        if beyond <= 1e-14 * (gamma + r):
            return s
        slope = -dr
        for i in range(size):
            slope += g[i] / gamma * df[first + i]
        if not slope > 0.0:
            return 0.0
        s = max(s - beyond / slope, 0.0)
    return s


@njit(**JIT)
def curve_support(kind, a, b, q, w, size):
    """Support function of a curved section at w[:size]."""
    if kind == SUPERELLIPSE:
        x1, x2, dual = a * abs(w[0]), b * abs(w[1]), q / (q - 1.0)
        large = max(x1, x2)
        return 0.0 if large == 0.0 else large * (1.0 + (min(x1, x2) / large) ** dual) ** (1.0 / dual)
    slide, spin = math.sqrt(w[0] * w[0] + w[1] * w[1]), b * abs(w[2])
    return a * slide if spin <= 1e-150 * slide else a * spin * ball(kind, slide / spin)[0]


@njit(**JIT)
def way_of_motion(kind, a, b, q, w, dw, first, size, t, dt, most):
    """Largest step s <= most with sigma(w + s dw) <= t + s dt, by bisection from inside."""
    x, low, high = np.empty(3), 0.0, most
    for k in range(MOST):
        s = most if k == 0 else 0.5 * (low + high)
        for i in range(size):
            x[i] = w[first + i] + s * dw[first + i]
        if curve_support(kind, a, b, q, x, size) <= t + s * dt:
            low = s
            if k == 0:
                return most
        else:
            high = s
        if high - low <= 1e-3 * high:
            break
    return low
