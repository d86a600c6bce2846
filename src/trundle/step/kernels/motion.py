"""Motion of free rigid bodies, compiled, on flat arrays; never raises."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import JIT, rotate_by, rotation_matrix

# Of the margin: gaps up to this count as closed.  Where faces meet, those of their corners differ by the rounding of positions;
# over h that would be velocities which no impulses can bring about.  Relaxed contacts stay open as they slide: their gaps count.
CLOSED = 1e-11
ROLLING_CLOSED = 1e-3  # of the margin: gap up to which a contact counts as closed


@njit(**JIT)
def into_body(R, w, i):
    """R^T w[i]."""
    return (
        R[0, 0] * w[i, 0] + R[1, 0] * w[i, 1] + R[2, 0] * w[i, 2],
        R[0, 1] * w[i, 0] + R[1, 1] * w[i, 1] + R[2, 1] * w[i, 2],
        R[0, 2] * w[i, 0] + R[1, 2] * w[i, 1] + R[2, 2] * w[i, 2],
    )


@njit(**JIT)
def is_round(inertia, i):
    """Whether the inertia of body i is the same about all axes."""
    I = inertia[i, 0, 0]
    off = inertia[i, 0, 1] != 0.0 or inertia[i, 0, 2] != 0.0 or inertia[i, 1, 2] != 0.0
    return not off and inertia[i, 1, 1] == I and inertia[i, 2, 2] == I


@njit(**JIT)
def kinetic_energy(movable, mass, inertia, orientation, velocity, angular_velocity):
    """Sum of 1/2 m v^2 + 1/2 omega . I omega [J]."""
    R = np.empty((3, 3))
    total = 0.0
    for m in range(movable.shape[0]):
        i = movable[m]
        for k in range(3):
            total += 0.5 * mass[i] * velocity[i, k] * velocity[i, k]
        x, y, z = angular_velocity[i, 0], angular_velocity[i, 1], angular_velocity[i, 2]
        if not is_round(inertia, i):
            rotation_matrix(orientation, i, R)
            x, y, z = into_body(R, angular_velocity, i)
        total += 0.5 * (inertia[i, 0, 0] * x * x + inertia[i, 1, 1] * y * y + inertia[i, 2, 2] * z * z)
        total += inertia[i, 0, 1] * x * y + inertia[i, 0, 2] * x * z + inertia[i, 1, 2] * y * z
    return total


@njit(**JIT)
def potential_energy(movable, mass, position, gravity):
    """Sum of -m g . x [J]."""
    total = 0.0
    for m in range(movable.shape[0]):
        i = movable[m]
        total -= mass[i] * (position[i, 0] * gravity[0] + position[i, 1] * gravity[1] + position[i, 2] * gravity[2])
    return total


@njit(**JIT)
def fall(movable, way, v):
    """v[i, :3] += way for the movable bodies."""
    for m in range(movable.shape[0]):
        i = movable[m]
        for k in range(3):
            v[i, k] += way[k]


@njit(**JIT)
def finish(moves, middle, h, end, position, velocity, angular_velocity):
    """Positions after h from the middle at the velocities `end` (B, 6), which become those of the state."""
    for i in range(position.shape[0]):
        for k in range(3):
            if moves[i]:
                position[i, k] = middle[i, k] + h * end[i, k]
            velocity[i, k] = end[i, k]
            angular_velocity[i, k] = end[i, 3 + k]


@njit(**JIT)
def mean_of(start, end, mean):
    """Mean of two arrays (B, 6); returns whether all of it is finite."""
    worst = 0.0
    for i in range(mean.shape[0]):
        for k in range(mean.shape[1]):
            mean[i, k] = 0.5 * (start[i, k] + end[i, k])
            worst += 0.0 * mean[i, k]
    return worst == 0.0


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
def rotate_between(moves, theta, start, end, h, orientation):
    """Turn all bodies that move for h at the angular velocity between those of start and end (B, 6)."""
    for i in range(orientation.shape[0]):
        if moves[i]:
            x = theta * end[i, 3] + (1.0 - theta) * start[i, 3]
            y = theta * end[i, 4] + (1.0 - theta) * start[i, 4]
            z = theta * end[i, 5] + (1.0 - theta) * start[i, 5]
            rotate_by(orientation, i, h * x, h * y, h * z)


@njit(**JIT)
def move(moves, v, h, position, orientation):
    """Positions and orientations of all bodies that move after h at the velocities v (B, 6)."""
    for i in range(position.shape[0]):
        if not moves[i]:
            continue
        for k in range(3):
            position[i, k] += h * v[i, k]
        rotate_by(orientation, i, h * v[i, 3], h * v[i, 4], h * v[i, 5])


@njit(**JIT)
def move_quaternion(q, i, h, x, y, z, out):
    """out[i] = q[i] moved along a straight line for h at the angular velocity (x, y, z) of the body frame, (2.9), (3.4)."""
    w0, x0, y0, z0 = q[i, 0], q[i, 1], q[i, 2], q[i, 3]
    k = 0.5 * h
    w1 = w0 + k * (-x0 * x - y0 * y - z0 * z)
    x1 = x0 + k * (w0 * x - z0 * y + y0 * z)
    y1 = y0 + k * (z0 * x + w0 * y - x0 * z)
    z1 = z0 + k * (-y0 * x + x0 * y + w0 * z)
    norm = 1.0 / math.sqrt(w1 * w1 + x1 * x1 + y1 * y1 + z1 * z1)
    out[i, 0] = w1 * norm
    out[i, 1] = x1 * norm
    out[i, 2] = y1 * norm
    out[i, 3] = z1 * norm


@njit(**JIT)
def midpoint_start(free, inertia, inverse, h, orientation, angular_velocity, middle, v, gyration):
    """Moreau's midpoint after le Saux et al. (2005), (3.1): turn half a step, angular velocity kept in the body frame.

    Writes the middle orientations, the angular velocities there to v (B, 6), and their change within the step by the
    gyroscopic torque -omega x I omega, world frame, to gyration (B, 3).
    """
    R = np.empty((3, 3))
    w, L = np.empty(3), np.empty(3)
    for i in range(free.shape[0]):
        for k in range(3):
            gyration[i, k] = 0.0
        if not free[i]:
            continue
        rotation_matrix(orientation, i, R)
        for k in range(3):
            w[k] = (
                R[0, k] * angular_velocity[i, 0] + R[1, k] * angular_velocity[i, 1] + R[2, k] * angular_velocity[i, 2]
            )
        for k in range(3):
            L[k] = inertia[i, k, 0] * w[0] + inertia[i, k, 1] * w[1] + inertia[i, k, 2] * w[2]
        tx, ty, tz = L[1] * w[2] - L[2] * w[1], L[2] * w[0] - L[0] * w[2], L[0] * w[1] - L[1] * w[0]
        move_quaternion(orientation, i, 0.5 * h, w[0], w[1], w[2], middle)
        rotation_matrix(middle, i, R)
        for k in range(3):
            L[k] = h * (inverse[i, k, 0] * tx + inverse[i, k, 1] * ty + inverse[i, k, 2] * tz)
        for k in range(3):
            v[i, 3 + k] = R[k, 0] * w[0] + R[k, 1] * w[1] + R[k, 2] * w[2]
            gyration[i, k] = R[k, 0] * L[0] + R[k, 1] * L[1] + R[k, 2] * L[2]


@njit(**JIT)
def midpoint_end(free, h, middle, v, orientation, angular_velocity):
    """Second half of the step, (3.4): orientations and angular velocities (world frame) at its end."""
    R = np.empty((3, 3))
    w = np.empty(3)
    for i in range(free.shape[0]):
        if not free[i]:
            continue
        rotation_matrix(middle, i, R)
        for k in range(3):
            w[k] = R[0, k] * v[i, 3] + R[1, k] * v[i, 4] + R[2, k] * v[i, 5]
        move_quaternion(middle, i, 0.5 * h, w[0], w[1], w[2], orientation)
        rotation_matrix(orientation, i, R)
        for k in range(3):
            angular_velocity[i, k] = R[k, 0] * w[0] + R[k, 1] * w[1] + R[k, 2] * w[2]


@njit(**JIT)
def shift_apart(body, normal, gap, inverse_mass, push, shift, sweeps):
    """Displacements shift (B, 6), of which the first three, that leave no gap below zero: least in the masses' metric."""
    for _ in range(sweeps):
        most = 0.0
        for c in range(gap.shape[0]):
            a, b = body[c, 0], body[c, 1]
            W = inverse_mass[a] + inverse_mass[b]
            if W == 0.0:
                continue
            opened = gap[c]
            for k in range(3):
                opened += normal[c, k] * (shift[b, k] - shift[a, k])
            r = max(0.0, push[c] - opened / W)
            delta = r - push[c]
            if delta == 0.0:
                continue
            most = max(most, abs(delta) * W)
            push[c] = r
            for k in range(3):
                shift[b, k] += delta * inverse_mass[b] * normal[c, k]
                shift[a, k] -= delta * inverse_mass[a] * normal[c, k]
        if most < 1e-15:
            break


@njit(**JIT)
def gets_further(free, v, h, fall, reach, slack, radius):
    """Whether a body gets further in a step than it reaches, by more than a share of its radius."""
    for i in range(free.shape[0]):
        if free[i]:
            way = h * math.sqrt(v[i, 0] * v[i, 0] + v[i, 1] * v[i, 1] + v[i, 2] * v[i, 2]) + fall
            if way > reach[i] + slack * radius[i]:
                return True
    return False
