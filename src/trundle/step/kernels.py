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
def angular_momentum(inertia, orientation, angular_velocity, out):
    """R diag(I) R^T omega of every movable body, shape (B, 3), world frame."""
    R = np.empty((3, 3))
    for i in range(out.shape[0]):
        for k in range(3):
            out[i, k] = 0.0
        if np.isinf(inertia[i, 0]):
            continue
        rotation_matrix(orientation, i, R)
        for k in range(3):
            w = R[0, k] * angular_velocity[i, 0] + R[1, k] * angular_velocity[i, 1] + R[2, k] * angular_velocity[i, 2]
            for j in range(3):
                out[i, j] += R[j, k] * inertia[i, k] * w


@njit(**JIT)
def angular_velocity(inverse_mass, world, momentum, v):
    """Angular velocities of v (B, 6) from the angular momenta (B, 3); those of fixed bodies stay."""
    for i in range(v.shape[0]):
        if inverse_mass[i] > 0.0:
            for k in range(3):
                v[i, 3 + k] = (
                    world[i, k, 0] * momentum[i, 0] + world[i, k, 1] * momentum[i, 1] + world[i, k, 2] * momentum[i, 2]
                )


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
def rotate(inverse_mass, turning, h, orientation):
    """Turn all movable bodies for h at angular velocities (B, 3)."""
    for i in range(orientation.shape[0]):
        if inverse_mass[i] > 0.0:
            rotate_by(orientation, i, h * turning[i, 0], h * turning[i, 1], h * turning[i, 2])


@njit(**JIT)
def move(inverse_mass, v, h, position, orientation):
    """Positions and orientations of all movable bodies after h at the velocities v (B, 6)."""
    for i in range(position.shape[0]):
        if inverse_mass[i] == 0.0:
            continue
        for k in range(3):
            position[i, k] += h * v[i, k]
        rotate_by(orientation, i, h * v[i, 3], h * v[i, 4], h * v[i, 5])
