"""Joints at a state, compiled: axes, points, velocities of their rows, and how far they have drifted; never raises.

body (J, 2); anchor (J, 2, 3) and axes (J, 2, 3, 3): points and axes n, t1, t2 (rows) in the frames of the two bodies;
length (J,): of distance joints, whose n is along the line of their points, < 0: against it, else 0.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import INNER, rotation_matrix
from trundle.laws.kernels.curves import JIT


@njit(**INNER)
def axis_along(x, y, z, out):
    """Rows n, t1, t2 of a frame with n along (x, y, z)."""
    norm = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / norm, y / norm, z / norm
    out[0, 0], out[0, 1], out[0, 2] = x, y, z
    ax, ay, az = abs(x), abs(y), abs(z)
    # n x (the world axis that is least along n)
    if ax <= ay and ax <= az:
        tx, ty, tz = 0.0, z, -y
    elif ay <= az:
        tx, ty, tz = -z, 0.0, x
    else:
        tx, ty, tz = y, -x, 0.0
    norm = math.sqrt(tx * tx + ty * ty + tz * tz)
    tx, ty, tz = tx / norm, ty / norm, tz / norm
    out[1, 0], out[1, 1], out[1, 2] = tx, ty, tz
    out[2, 0], out[2, 1], out[2, 2] = y * tz - z * ty, z * tx - x * tz, x * ty - y * tx


@njit(**INNER)
def place_joint(body, anchor, axes, length, position, orientation, j, frame, point, at):
    """Axes of both bodies of joint j and its points, world frame, to rows at and at + 1 of frame and point."""
    Q = np.empty((3, 3))
    for side in range(2):
        b, k, to = body[j, side], 2 * j + side, at + side
        rotation_matrix(orientation, b, Q)
        for i in range(3):
            point[to, i] = position[b, i]
            for m in range(3):
                point[to, i] += Q[i, m] * anchor[k, m]
                frame[to, i, m] = axes[k, i, 0] * Q[m, 0] + axes[k, i, 1] * Q[m, 1] + axes[k, i, 2] * Q[m, 2]
    if length[j] != 0.0:
        one, other, sign = point[at], point[at + 1], math.copysign(1.0, length[j])
        x, y, z = other[0] - one[0], other[1] - one[1], other[2] - one[2]
        if x != 0.0 or y != 0.0 or z != 0.0:
            axis_along(sign * x, sign * y, sign * z, frame[at])


@njit(nogil=True, **JIT)
def place_joints(body, anchor, axes, length, position, orientation, frame, point):
    """Axes of both bodies frame (2 J, 3, 3) and their points (2 J, 3) [m], world frame; row 2 j + side."""
    for j in range(body.shape[0]):
        place_joint(body, anchor, axes, length, position, orientation, j, frame, point, 2 * j)


@njit(**INNER)
def coordinate(frame, point, at, row, last):
    """Where a joint is along (row 0) [m] or about (row 3) [rad] its axis; the angle is that nearest to the last one."""
    f, g = frame[at], frame[at + 1]
    if row == 0:
        total = 0.0
        for k in range(3):
            total += f[0, k] * (point[at + 1, k] - point[at, k])
        return total
    x = f[1, 1] * g[1, 2] - f[1, 2] * g[1, 1]
    y = f[1, 2] * g[1, 0] - f[1, 0] * g[1, 2]
    z = f[1, 0] * g[1, 1] - f[1, 1] * g[1, 0]
    sine = f[0, 0] * x + f[0, 1] * y + f[0, 2] * z
    cosine = f[1, 0] * g[1, 0] + f[1, 1] * g[1, 1] + f[1, 2] * g[1, 2]
    angle = math.atan2(sine, cosine)
    return angle + 2.0 * math.pi * round((last - angle) / (2.0 * math.pi))


@njit(**INNER)
def joint_velocity(body, frame, point, position, v, j, out):
    """Relative velocities of the six rows of joint j at body velocities v (B, 6), added to out (6,)."""
    a, b = body[j, 0], body[j, 1]
    p = point[2 * j + 1]
    u, w = np.empty(3), np.empty(3)
    for k in range(3):
        u[k] = v[b, k] - v[a, k]
        w[k] = v[b, 3 + k] - v[a, 3 + k]
    for side in range(2):
        i, sign = body[j, side], -1.0 if side == 0 else 1.0
        x, y, z = p[0] - position[i, 0], p[1] - position[i, 1], p[2] - position[i, 2]
        u[0] += sign * (v[i, 4] * z - v[i, 5] * y)
        u[1] += sign * (v[i, 5] * x - v[i, 3] * z)
        u[2] += sign * (v[i, 3] * y - v[i, 4] * x)
    for i in range(3):
        n = frame[2 * j, i]
        out[i] += n[0] * u[0] + n[1] * u[1] + n[2] * u[2]
        out[3 + i] += n[0] * w[0] + n[1] * w[1] + n[2] * w[2]


@njit(nogil=True, **JIT)
def joint_errors(held, length, frame, point, error):
    """How far the second body is off along and about the axes of the first, error (J, 6) [m, rad]; 0 on free rows."""
    for j in range(held.shape[0]):
        f, g = frame[2 * j], frame[2 * j + 1]
        row = error[j]
        for i in range(3):
            row[i] = 0.0
            for k in range(3):
                row[i] += f[i, k] * (point[2 * j + 1, k] - point[2 * j, k])
        row[0] -= length[j]
        # about t1 and t2, whatever the angle about n
        x = f[0, 1] * g[0, 2] - f[0, 2] * g[0, 1]
        y = f[0, 2] * g[0, 0] - f[0, 0] * g[0, 2]
        z = f[0, 0] * g[0, 1] - f[0, 1] * g[0, 0]
        row[4] = f[1, 0] * x + f[1, 1] * y + f[1, 2] * z
        row[5] = f[2, 0] * x + f[2, 1] * y + f[2, 2] * z
        # the angle about n, from the second axes; exact where n and the other n agree
        x = f[1, 1] * g[1, 2] - f[1, 2] * g[1, 1]
        y = f[1, 2] * g[1, 0] - f[1, 0] * g[1, 2]
        z = f[1, 0] * g[1, 1] - f[1, 1] * g[1, 0]
        row[3] = f[0, 0] * x + f[0, 1] * y + f[0, 2] * z
        for i in range(6):
            if not held[j, i]:
                row[i] = 0.0
