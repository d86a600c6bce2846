"""How rolling is measured at a contact: about the tangent plane, or along a rim; viscous rolling.  Compiled; never raises.

Le Saux, Leine & Glocker (2005), (2.18), (2.23): a rim of radius r with the unit axis a, touching with its lowest point,
n the contact normal.  The contact point moves along the rim at  gamma_R = G . w,  w the relative angular velocity,
G = r (a - (a . n) n) / (1 - (a . n)^2): a moment about G / |G| per r / sin(tilt).

On a body with the curvature k along the rim, negative where it is hollow, the normal turns as the contact point moves:
t . n = 0 along the rim's tangent t = a x n / sin(tilt) gives G / (1 + k r / sin(tilt)).
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.contact.kernels.rigid import turn
from trundle.kinds import CYLINDER, DISK, HALF_SPACE, HOLLOWS
from trundle.laws.kernels.curves import JIT
from trundle.step.kernels.history_paths import curvatures

LEVEL = 1e-8  # tilt [rad] below which every point of the rim is the lowest


@njit(**JIT)
def lowest(kind, ground, feature):
    """Whether a feature of a rim on flat ground is the lowest point of its end: the first of 3 (disk) or 4 (cylinder)."""
    return not ground or feature % (3 if kind == DISK else 4) == 0


@njit(**JIT)
def rim_axes(kind, size, orientation, law, contour, body, normal, gap, radius, feature, closed, frame):
    """Axes of the moments r1, r2 of contacts with contour friction, in frame (C, 6, 3): 0 and G.

    Off where the face lies on the ground: (2.25), only contact 1 active.  Returns the first contact without a rim, or -1.
    """
    R = np.empty((3, 3))
    for c in range(law.shape[0]):
        if not contour[law[c]]:
            continue
        side = 1 if kind[body[c, 1]] == DISK or kind[body[c, 1]] == CYLINDER else 0
        b, other = body[c, side], body[c, 1 - side]
        if kind[b] != DISK and kind[b] != CYLINDER:
            return c
        for k in range(3):
            frame[c, 4, k] = 0.0
            frame[c, 5, k] = 0.0
        wall = HOLLOWS[0] <= kind[other] <= HOLLOWS[3]
        ground = kind[other] == HALF_SPACE or wall
        off = not lowest(kind[b], ground, feature[c])
        for d in range(law.shape[0]):
            same = body[d, 0] == body[c, 0] and body[d, 1] == body[c, 1]
            if same and not lowest(kind[b], ground, feature[d]) and gap[d] <= closed:
                off = True
        w, x, y, z = orientation[b, 0], orientation[b, 1], orientation[b, 2], orientation[b, 3]
        ax, ay, az = 2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)
        nx, ny, nz = normal[c, 0], normal[c, 1], normal[c, 2]
        along = ax * nx + ay * ny + az * nz
        gx, gy, gz = ax - along * nx, ay - along * ny, az - along * nz
        square = gx * gx + gy * gy + gz * gz
        if off or square < LEVEL * LEVEL:
            continue
        scale = size[b, 0] / square
        if radius[c, 1 - side] < np.inf:
            tilt = math.sqrt(square)
            n, t, g = (
                (nx, ny, nz),
                ((ay * nz - az * ny) / tilt, (az * nx - ax * nz) / tilt, (ax * ny - ay * nx) / tilt),
                (gx / tilt, gy / tilt, gz / tilt),
            )
            k, _, _ = curvatures(kind, size, orientation, other, radius[c, 1 - side], n, t, g, R)
            scale /= max(1.0 + k * size[b, 0] / tilt, LEVEL)
        if side == 0:
            scale = -scale
        frame[c, 5, 0] = scale * gx
        frame[c, 5, 1] = scale * gy
        frame[c, 5, 2] = scale * gz
    return -1


@njit(**JIT)
def damp(viscosity, h, law, body, frame, touching, inverse_mass, J, v, damped):
    """Viscous rolling, implicit: (I + h c G G^T) w' = ..., for the one body of a contact that can be pushed.

    Changes J (B, 3, 3), the inverse inertia in the world frame, and v (B, 6), the free velocity.

    Between two bodies that can be pushed the impulse is the implicit one of these two at their free velocities, opposite on
    both: an inertia that couples them has no place in J.  damped (C, 2): these impulses.
    """
    for c in range(law.shape[0]):
        constant = h * viscosity[law[c]]
        if constant == 0.0 or not touching[c]:
            continue
        a, b = body[c, 0], body[c, 1]
        if inverse_mass[a] > 0.0 and inverse_mass[b] > 0.0:
            for row in range(4, 6):
                gx, gy, gz = frame[c, row, 0], frame[c, row, 1], frame[c, row, 2]
                ax, ay, az = turn(J, a, gx, gy, gz)
                bx, by, bz = turn(J, b, gx, gy, gz)
                speed = gx * (v[b, 3] - v[a, 3]) + gy * (v[b, 4] - v[a, 4]) + gz * (v[b, 5] - v[a, 5])
                p = constant * speed / (1.0 + constant * (gx * (ax + bx) + gy * (ay + by) + gz * (az + bz)))
                damped[c, row - 4] = p
                v[a, 3], v[a, 4], v[a, 5] = v[a, 3] + p * ax, v[a, 4] + p * ay, v[a, 5] + p * az
                v[b, 3], v[b, 4], v[b, 5] = v[b, 3] - p * bx, v[b, 4] - p * by, v[b, 5] - p * bz
            continue
        one, other = (b, a) if inverse_mass[b] > 0.0 else (a, b)
        for row in range(4, 6):
            gx, gy, gz = frame[c, row, 0], frame[c, row, 1], frame[c, row, 2]
            x, y, z = turn(J, one, gx, gy, gz)
            factor = constant / (1.0 + constant * (gx * x + gy * y + gz * z))
            speed = gx * (v[one, 3] - v[other, 3]) + gy * (v[one, 4] - v[other, 4]) + gz * (v[one, 5] - v[other, 5])
            v[one, 3] -= factor * speed * x
            v[one, 4] -= factor * speed * y
            v[one, 5] -= factor * speed * z
            jx, jy, jz = math.sqrt(factor) * x, math.sqrt(factor) * y, math.sqrt(factor) * z
            J[one, 0, 0] -= jx * jx
            J[one, 1, 1] -= jy * jy
            J[one, 2, 2] -= jz * jz
            J[one, 0, 1] -= jx * jy
            J[one, 1, 0] -= jx * jy
            J[one, 0, 2] -= jx * jz
            J[one, 2, 0] -= jx * jz
            J[one, 1, 2] -= jy * jz
            J[one, 2, 1] -= jy * jz


@njit(**JIT)
def damping_loss(viscosity, h, law, body, frame, touching, inverse_mass, damped, mean, end):
    """Energy [J] that viscous rolling took: impulses, which of one pushed body are those at the velocities `end` (B, 6), times
    the mean velocities."""
    total = 0.0
    for c in range(law.shape[0]):
        constant = h * viscosity[law[c]]
        if constant == 0.0 or not touching[c]:
            continue
        a, b = body[c, 0], body[c, 1]
        for row in range(4, 6):
            at_end, at_mean = 0.0, 0.0
            for k in range(3):
                at_end += frame[c, row, k] * (end[b, 3 + k] - end[a, 3 + k])
                at_mean += frame[c, row, k] * (mean[b, 3 + k] - mean[a, 3 + k])
            both = inverse_mass[a] > 0.0 and inverse_mass[b] > 0.0
            total += (damped[c, row - 4] if both else constant * at_end) * at_mean
    return total
