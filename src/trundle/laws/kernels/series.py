"""The truncated friction ball printed by Le Saux, Leine & Glocker (2005), eq. (2.31), for comparison only.

Two polynomial arcs that do not meet at xi* = 9 pi / 32 (eta is about 0.216 on one side, 0.221 on the other), so
their union is not convex: the projection is the nearest point of either arc.  Use the exact set for anything else.

Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.laws.kernels.curves import JIT

XI_STAR = 9.0 * math.pi / 32.0
ETA_STAR = 9.0 * math.pi / 128.0
STEPS = 60
TORQUE, FORCE = 0, 1  # the two arcs


@njit(**JIT)
def torque_arc(xi):
    """eta on the arc of (2.31) for xi <= xi*."""
    a = (xi / XI_STAR) ** 2
    inside = 1.0 - 1.125 * a + (243.0 / 1024.0) * a * a + (729.0 / 32768.0) * a * a * a
    return ETA_STAR * math.sqrt(max(inside, 0.0) * 64.0 / 9.0)


@njit(**JIT)
def force_arc(eta):
    """xi on the arc of (2.31) for xi > xi*."""
    a = eta * eta
    return math.sqrt(max(1.0 - 5.0 * a + (75.0 / 7.0) * a * a - (1250.0 / 147.0) * a * a * a, 0.0))


@njit(**JIT)
def arc_point(arc, z):
    """Point of one of the two arcs, TORQUE or FORCE, at its own coordinate z."""
    if arc == TORQUE:
        return z, torque_arc(z)
    return force_arc(z), z


@njit(**JIT)
def arc_end():
    """Largest eta of the force arc: where its xi has come down to xi*."""
    lower = 0.0
    upper = 0.4
    for _ in range(60):
        middle = 0.5 * (lower + upper)
        if force_arc(middle) > XI_STAR:
            lower = middle
        else:
            upper = middle
    return lower


@njit(**JIT)
def arc_value(arc, z, x1, x2, width):
    """Squared distance from (x1, x2) to a point of an arc, or, width < 0, minus its product with (x1, x2)."""
    xi, eta = arc_point(arc, z)
    if width < 0.0:
        return -(xi * x1 + eta * x2)
    return (x1 - xi) ** 2 + (width * (x2 - eta)) ** 2


@njit(**JIT)
def best_on_arc(arc, x1, x2, width):
    """Golden-section search on one arc for the smallest `arc_value`; returns the coordinate and the value."""
    lower = 0.0
    end = XI_STAR if arc == TORQUE else arc_end()
    upper = end
    ratio = 0.5 * (math.sqrt(5.0) - 1.0)
    left = upper - ratio * (upper - lower)
    right = lower + ratio * (upper - lower)
    at_left = arc_value(arc, left, x1, x2, width)
    at_right = arc_value(arc, right, x1, x2, width)
    for _ in range(STEPS):
        if at_left < at_right:
            upper = right
            right = left
            at_right = at_left
            left = upper - ratio * (upper - lower)
            at_left = arc_value(arc, left, x1, x2, width)
        else:
            lower = left
            left = right
            at_left = at_right
            right = lower + ratio * (upper - lower)
            at_right = arc_value(arc, right, x1, x2, width)
    z = 0.5 * (lower + upper)
    value = arc_value(arc, z, x1, x2, width)
    for i in range(2):
        at_end = arc_value(arc, i * end, x1, x2, width)
        if at_end <= value:
            z = i * end
            value = at_end
    return z, value


@njit(**JIT)
def best_point(x1, x2, width):
    """Point of the union of both arcs with the smallest `arc_value`, and that value."""
    best = np.inf
    xi = 0.0
    eta = 0.0
    for arc in range(2):
        z, value = best_on_arc(arc, x1, x2, width)
        if value < best:
            best = value
            xi, eta = arc_point(arc, z)
    return xi, eta, best


@njit(**JIT)
def series_support(slide, spin):
    """Support function of the union of both arcs at (slide, spin) >= 0, per mu."""
    xi, eta, value = best_point(slide, spin, -1.0)
    return -value


@njit(**JIT)
def series_section(mu, patch, x1, x2, r):
    """Nearest point of r C to (force, torque) = (x1, x2) >= 0, and g(r)."""
    size = mu * r
    if size <= 0.0:
        return 0.0, 0.0, mu * series_support(x1, patch * x2) if mu > 0.0 else 0.0
    if patch <= 0.0:
        f1 = min(x1, size)
        return f1, 0.0, mu * (x1 - f1)
    xi = x1 / size
    eta = x2 / (size * patch)
    below_torque_arc = xi <= XI_STAR and eta <= torque_arc(xi)
    below_force_arc = xi > XI_STAR and eta <= arc_end() and xi <= force_arc(eta)
    if below_torque_arc or below_force_arc:
        return x1, x2, 0.0
    xi, eta, value = best_point(xi, eta, patch)
    f1 = size * xi
    f2 = size * patch * eta
    return f1, f2, ((x1 - f1) * f1 + (x2 - f2) * f2) / r
