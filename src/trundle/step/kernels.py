"""Motion of free rigid bodies, compiled, on flat arrays; never raises."""

from __future__ import annotations

import numpy as np
from numba import njit

from trundle.rotations import JIT, rotate_by, rotation_matrix


@njit(**JIT)
def kinetic_energy(movable, mass, inertia, orientation, velocity, angular_velocity):
    """Sum of 1/2 m v^2 + 1/2 omega . I omega [J]."""
    R = np.empty((3, 3))
    total = 0.0
    for m in range(movable.shape[0]):
        i = movable[m]
        for k in range(3):
            total += 0.5 * mass[i] * velocity[i, k] * velocity[i, k]
        rotation_matrix(orientation, i, R)
        for k in range(3):
            w = R[0, k] * angular_velocity[i, 0] + R[1, k] * angular_velocity[i, 1] + R[2, k] * angular_velocity[i, 2]
            total += 0.5 * inertia[i, k] * w * w
    return total


@njit(**JIT)
def world_inverse_inertia(orientation, inverse, out):
    """R diag(1 / I) R^T of every body, shape (B, 3, 3)."""
    R = np.empty((3, 3))
    for i in range(out.shape[0]):
        if inverse[i, 0] == inverse[i, 1] and inverse[i, 1] == inverse[i, 2]:
            for j in range(3):
                for k in range(3):
                    out[i, j, k] = inverse[i, 0] if j == k else 0.0
            continue
        rotation_matrix(orientation, i, R)
        for j in range(3):
            for k in range(3):
                out[i, j, k] = (
                    R[j, 0] * inverse[i, 0] * R[k, 0]
                    + R[j, 1] * inverse[i, 1] * R[k, 1]
                    + R[j, 2] * inverse[i, 2] * R[k, 2]
                )


@njit(**JIT)
def free_velocity(inverse_mass, inertia, world, orientation, gravity, h, v):
    """Add gravity and the gyroscopic term of one step to v (B, 6)."""
    R = np.empty((3, 3))
    for i in range(v.shape[0]):
        if inverse_mass[i] == 0.0:
            continue
        for k in range(3):
            v[i, k] += h * gravity[k]
        if inertia[i, 0] == inertia[i, 1] and inertia[i, 1] == inertia[i, 2]:
            continue
        rotation_matrix(orientation, i, R)
        wx, wy, wz = v[i, 3], v[i, 4], v[i, 5]
        Lx, Ly, Lz = 0.0, 0.0, 0.0
        for k in range(3):
            w = (R[0, k] * wx + R[1, k] * wy + R[2, k] * wz) * inertia[i, k]
            Lx += R[0, k] * w
            Ly += R[1, k] * w
            Lz += R[2, k] * w
        tx, ty, tz = wy * Lz - wz * Ly, wz * Lx - wx * Lz, wx * Ly - wy * Lx
        for k in range(3):
            v[i, 3 + k] -= h * (world[i, k, 0] * tx + world[i, k, 1] * ty + world[i, k, 2] * tz)


@njit(**JIT)
def contact_velocity(body, arm, v):
    """Velocity of the second body's contact point relative to the first's, shape (C, 3)."""
    out = np.empty((body.shape[0], 3))
    for c in range(body.shape[0]):
        for k in range(3):
            out[c, k] = 0.0
        for side in range(2):
            sign = -1.0 if side == 0 else 1.0
            b = body[c, side]
            ax, ay, az = arm[c, side, 0], arm[c, side, 1], arm[c, side, 2]
            out[c, 0] += sign * (v[b, 0] + v[b, 4] * az - v[b, 5] * ay)
            out[c, 1] += sign * (v[b, 1] + v[b, 5] * ax - v[b, 3] * az)
            out[c, 2] += sign * (v[b, 2] + v[b, 3] * ay - v[b, 4] * ax)
    return out


@njit(**JIT)
def move(inverse_mass, mean, h, position, orientation):
    """Positions and orientations after h at the mean velocities (B, 6)."""
    for i in range(position.shape[0]):
        if inverse_mass[i] == 0.0:
            continue
        for k in range(3):
            position[i, k] += h * mean[i, k]
        rotate_by(orientation, i, h * mean[i, 3], h * mean[i, 4], h * mean[i, 5])
