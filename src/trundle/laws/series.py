"""The truncated friction ball printed by Le Saux, Leine & Glocker (2005), eq. (2.31), for comparison only.

Two polynomial arcs that do not meet at xi* = 9 pi / 32 (eta is about 0.216 on one side, 0.221 on the other), so their
union is not convex: the projection is the nearest point of either arc.  Use the exact set for anything else.
"""

from __future__ import annotations

import math

from numba import njit

from trundle.laws.curves import JIT

XI_STAR = 9.0 * math.pi / 32.0
ETA_STAR = 9.0 * math.pi / 128.0
STEPS = 60


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
def arc_point(torque, z):
    """Point of one of the two arcs at its own coordinate z."""
    if torque:
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
def arc_value(torque, z, x1, x2, width, support):
    """Negative support along (x1, x2), or squared distance to it, at a point of an arc (to be made small)."""
    xi, eta = arc_point(torque, z)
    if support:
        return -(xi * x1 + eta * x2)
    return (x1 - xi) ** 2 + (width * (x2 - eta)) ** 2


@njit(**JIT)
def best_on_arc(torque, x1, x2, width, support):
    """Golden-section search on one arc; returns the coordinate and the value."""
    lower = 0.0
    upper = XI_STAR if torque else arc_end()
    ratio = 0.5 * (math.sqrt(5.0) - 1.0)
    left = upper - ratio * (upper - lower)
    right = lower + ratio * (upper - lower)
    at_left = arc_value(torque, left, x1, x2, width, support)
    at_right = arc_value(torque, right, x1, x2, width, support)
    for _ in range(STEPS):
        if at_left < at_right:
            upper = right
            right = left
            at_right = at_left
            left = upper - ratio * (upper - lower)
            at_left = arc_value(torque, left, x1, x2, width, support)
        else:
            lower = left
            left = right
            at_left = at_right
            right = lower + ratio * (upper - lower)
            at_right = arc_value(torque, right, x1, x2, width, support)
    z = 0.5 * (lower + upper)
    value = arc_value(torque, z, x1, x2, width, support)
    for end in (0.0, XI_STAR if torque else arc_end()):
        at_end = arc_value(torque, end, x1, x2, width, support)
        if at_end <= value:
            z = end
            value = at_end
    return z, value


@njit(**JIT)
def series_support(slide, spin):
    """Support function of the union of both arcs at (slide, spin) >= 0, per mu."""
    z1, v1 = best_on_arc(True, slide, spin, 1.0, True)
    z2, v2 = best_on_arc(False, slide, spin, 1.0, True)
    return max(-v1, -v2)


@njit(**JIT)
def series_section(mu, patch, x1, x2, r):
    """Nearest point of r C to (force, torque) = (x1, x2) >= 0, and g(r)."""
    size = mu * r
    if size <= 0.0:
        return 0.0, 0.0, mu * series_support(x1, patch * x2) if mu > 0.0 else 0.0
    xi = x1 / size
    eta = x2 / (size * patch) if patch > 0.0 else 0.0
    if (xi <= XI_STAR and eta <= torque_arc(xi)) or (xi > XI_STAR and eta <= arc_end() and xi <= force_arc(eta)):
        return x1, x2 if patch > 0.0 else 0.0, 0.0
    if patch <= 0.0:
        f1 = min(x1, size)
        return f1, 0.0, mu * (x1 - f1)
    z1, v1 = best_on_arc(True, xi, eta, patch, False)
    z2, v2 = best_on_arc(False, xi, eta, patch, False)
    xi, eta = arc_point(v1 <= v2, z1 if v1 <= v2 else z2)
    f1 = size * xi
    f2 = size * patch * eta
    return f1, f2, ((x1 - f1) * f1 + (x2 - f2) * f2) / r
