"""Motion of free rigid bodies, compiled, on flat arrays; never raises."""

from __future__ import annotations

import numpy as np
from numba import njit

from trundle.rotations import JIT, rotate_by, rotation_matrix


@njit(**JIT)
def into_body(R, w, i):
    """R^T w[i]."""
    return (
        R[0, 0] * w[i, 0] + R[1, 0] * w[i, 1] + R[2, 0] * w[i, 2],
        R[0, 1] * w[i, 0] + R[1, 1] * w[i, 1] + R[2, 1] * w[i, 2],
        R[0, 2] * w[i, 0] + R[1, 2] * w[i, 1] + R[2, 2] * w[i, 2],
    )


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
        x, y, z = into_body(R, angular_velocity, i)
        total += 0.5 * (inertia[i, 0, 0] * x * x + inertia[i, 1, 1] * y * y + inertia[i, 2, 2] * z * z)
        total += inertia[i, 0, 1] * x * y + inertia[i, 0, 2] * x * z + inertia[i, 1, 2] * y * z
    return total


@njit(**JIT)
def world_inverse_inertia(orientation, inverse, isotropic, out):
    """R I^-1 R^T of every body, shape (B, 3, 3); a multiple of the unit tensor stays what it is, to the bit."""
    R = np.empty((3, 3))
    for i in range(out.shape[0]):
        if isotropic[i]:
            for j in range(3):
                for k in range(3):
                    out[i, j, k] = inverse[i, j, k]
            continue
        rotation_matrix(orientation, i, R)
        for j in range(3):
            for k in range(j, 3):
                total = 0.0
                for m in range(3):
                    total += R[j, m] * (
                        inverse[i, m, 0] * R[k, 0] + inverse[i, m, 1] * R[k, 1] + inverse[i, m, 2] * R[k, 2]
                    )
                out[i, j, k] = total
                out[i, k, j] = total


@njit(**JIT)
def angular_momentum(inverse_mass, inertia, orientation, angular_velocity, out):
    """R I R^T omega of every movable body, shape (B, 3), world frame."""
    R = np.empty((3, 3))
    for i in range(out.shape[0]):
        for k in range(3):
            out[i, k] = 0.0
        if inverse_mass[i] == 0.0:
            continue
        rotation_matrix(orientation, i, R)
        x, y, z = into_body(R, angular_velocity, i)
        for m in range(3):
            L = inertia[i, m, 0] * x + inertia[i, m, 1] * y + inertia[i, m, 2] * z
            for j in range(3):
                out[i, j] += R[j, m] * L


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
def rotate(moves, turning, h, orientation):
    """Turn all bodies that move for h at angular velocities (B, 3)."""
    for i in range(orientation.shape[0]):
        if moves[i]:
            rotate_by(orientation, i, h * turning[i, 0], h * turning[i, 1], h * turning[i, 2])


@njit(**JIT)
def move(moves, v, h, position, orientation):
    """Positions and orientations of all bodies that move after h at the velocities v (B, 6)."""
    for i in range(position.shape[0]):
        if not moves[i]:
            continue
        for k in range(3):
            position[i, k] += h * v[i, k]
        rotate_by(orientation, i, h * v[i, 3], h * v[i, 4], h * v[i, 5])
