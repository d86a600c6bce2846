"""Quaternions (w, x, y, z) and rotations, compiled, on flat arrays; never raises."""

from __future__ import annotations

import math

from numba import njit

JIT = {"cache": True, "error_model": "numpy", "fastmath": {"contract", "nsz"}}
# for functions that only compiled functions call: no way in from Python, which halves their compilation
INNER = {"error_model": "numpy", "fastmath": {"contract", "nsz"}, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


@njit(**JIT)
def rotation_matrix(q, i, R):
    """Rotation matrix of the unit quaternion in row i of q, from body to world, written to R (3, 3)."""
    w, x, y, z = q[i, 0], q[i, 1], q[i, 2], q[i, 3]
    R[0, 0] = 1.0 - 2.0 * (y * y + z * z)
    R[0, 1] = 2.0 * (x * y - w * z)
    R[0, 2] = 2.0 * (x * z + w * y)
    R[1, 0] = 2.0 * (x * y + w * z)
    R[1, 1] = 1.0 - 2.0 * (x * x + z * z)
    R[1, 2] = 2.0 * (y * z - w * x)
    R[2, 0] = 2.0 * (x * z - w * y)
    R[2, 1] = 2.0 * (y * z + w * x)
    R[2, 2] = 1.0 - 2.0 * (x * x + y * y)


@njit(**JIT)
def rotate_by(q, i, rx, ry, rz):
    """Turn the quaternion in row i of q by the rotation vector (rx, ry, rz) [rad] of the world frame, in place."""
    angle = math.sqrt(rx * rx + ry * ry + rz * rz)
    # sin(a/2)/a, by its series where the quotient would lose digits
    half = 0.5 - angle * angle / 48.0 if angle < 1e-4 else math.sin(0.5 * angle) / angle
    c = math.cos(0.5 * angle)
    x = half * rx
    y = half * ry
    z = half * rz
    w0, x0, y0, z0 = q[i, 0], q[i, 1], q[i, 2], q[i, 3]
    w1 = c * w0 - x * x0 - y * y0 - z * z0
    x1 = c * x0 + x * w0 + y * z0 - z * y0
    y1 = c * y0 - x * z0 + y * w0 + z * x0
    z1 = c * z0 + x * y0 - y * x0 + z * w0
    norm = 1.0 / math.sqrt(w1 * w1 + x1 * x1 + y1 * y1 + z1 * z1)
    q[i, 0] = w1 * norm
    q[i, 1] = x1 * norm
    q[i, 2] = y1 * norm
    q[i, 3] = z1 * norm
