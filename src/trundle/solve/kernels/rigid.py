"""Gauss-Seidel sweeps over the contacts of rigid bodies without a matrix, compiled; never raises."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.contact.kernels.rigid import ROWS, turn
from trundle.laws.kernels.curves import JIT
from trundle.laws.kernels.sections import BLOCK, DISK, FIRST, FREE, HEAD, KIND, SIZE, section


@njit(**JIT)
def push(inverse_mass, J, arm, c, side, b, sign, fx, fy, fz, mx, my, mz, v):
    """Give body b the impulse sign * F at its arm and the angular impulse sign * M."""
    if inverse_mass[b] == 0.0:
        return
    k = sign * inverse_mass[b]
    v[b, 0] += k * fx
    v[b, 1] += k * fy
    v[b, 2] += k * fz
    ax, ay, az = arm[c, side, 0], arm[c, side, 1], arm[c, side, 2]
    x, y, z = turn(J, b, ay * fz - az * fy + mx, az * fx - ax * fz + my, ax * fy - ay * fx + mz)
    v[b, 3] += sign * x
    v[b, 4] += sign * y
    v[b, 5] += sign * z


@njit(**JIT)
def point_velocity(arm, c, a, b, v):
    """Velocity of the second body's contact point relative to the first's."""
    ax, ay, az = arm[c, 0, 0], arm[c, 0, 1], arm[c, 0, 2]
    bx, by, bz = arm[c, 1, 0], arm[c, 1, 1], arm[c, 1, 2]
    ux = v[b, 0] + v[b, 4] * bz - v[b, 5] * by - v[a, 0] - v[a, 4] * az + v[a, 5] * ay
    uy = v[b, 1] + v[b, 5] * bx - v[b, 3] * bz - v[a, 1] - v[a, 5] * ax + v[a, 3] * az
    uz = v[b, 2] + v[b, 3] * by - v[b, 4] * bx - v[a, 2] - v[a, 3] * ay + v[a, 4] * ax
    return ux, uy, uz


@njit(**JIT)
def read_block(frame, arm, length, bias, compliance, c, a, b, first, size, p, v, y):
    """Velocities of `size` rows of contact c from row `first` of its six, into y[0:size]."""
    ux, uy, uz = 0.0, 0.0, 0.0
    if first < 3:
        ux, uy, uz = point_velocity(arm, c, a, b, v)
    for k in range(size):
        row = first + k
        y[k] = bias[c, row] + compliance[c, row] * p[ROWS * c + row]
        if row < 3:
            y[k] += ux * frame[c, row, 0] + uy * frame[c, row, 1] + uz * frame[c, row, 2]
        else:
            y[k] += length[c] * (
                (v[b, 3] - v[a, 3]) * frame[c, row, 0]
                + (v[b, 4] - v[a, 4]) * frame[c, row, 1]
                + (v[b, 5] - v[a, 5]) * frame[c, row, 2]
            )


@njit(**JIT)
def write_block(frame, arm, length, inverse_mass, J, c, a, b, first, size, delta, v):
    """Apply the change delta[0:size] of `size` rows from row `first` to both bodies."""
    fx, fy, fz = 0.0, 0.0, 0.0
    mx, my, mz = 0.0, 0.0, 0.0
    for k in range(size):
        row = first + k
        d = delta[k]
        if row < 3:
            fx += d * frame[c, row, 0]
            fy += d * frame[c, row, 1]
            fz += d * frame[c, row, 2]
        else:
            d *= length[c]
            mx += d * frame[c, row, 0]
            my += d * frame[c, row, 1]
            mz += d * frame[c, row, 2]
    push(inverse_mass, J, arm, c, 1, b, 1.0, fx, fy, fz, mx, my, mz, v)
    push(inverse_mass, J, arm, c, 0, a, -1.0, fx, fy, fz, mx, my, mz, v)


@njit(nogil=True, **JIT)
def sweep(
    contact, block, coef, own, weight, body, frame, arm, length, inverse_mass, J, bias, compliance, rho, W_nn, step,
    p, v, work, y,
):  # fmt: skip
    """One decoupled Gauss-Seidel sweep, in place; returns the norm of the change in units of velocity."""
    total = 0.0
    for c in range(body.shape[0]):
        a, b = body[c, 0], body[c, 1]
        row = ROWS * c
        r = 1.0
        if contact[c, HEAD] == 1:
            read_block(frame, arm, length, bias, compliance, c, a, b, 0, 1, p, v, y)
            r = max(0.0, p[row] - y[0] / W_nn[c])
            y[0] = r - p[row]
            if y[0] != 0.0:
                total += (y[0] / rho[c]) ** 2
                write_block(frame, arm, length, inverse_mass, J, c, a, b, 0, 1, y, v)
                p[row] = r
            elif r == 0.0:
                continue
        for k in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            first = block[k, FIRST]
            size = block[k, SIZE]
            local = first - row
            read_block(frame, arm, length, bias, compliance, c, a, b, local, size, p, v, y)
            if block[k, KIND] == DISK:
                norm = 0.0
                for i in range(size):
                    x = p[first + i] - step[k] * weight[first + i] * y[i]
                    work[first + i] = x
                    norm += x * x
                norm = math.sqrt(norm)
                radius = coef[k, 0] * r
                factor = 1.0 if norm <= radius else radius / norm
                for i in range(size):
                    work[first + i] *= factor
            else:
                for i in range(size):
                    work[first + i] = p[first + i] - step[k] * weight[first + i] * y[i]
                if block[k, KIND] != FREE:
                    section(block, coef, own, k, 0, work, r, work, np.nan)
            part = 0.0
            for i in range(size):
                y[i] = work[first + i] - p[first + i]
                part += y[i] * y[i]
                p[first + i] = work[first + i]
            if part > 0.0:
                total += part / (step[k] * step[k])
                write_block(frame, arm, length, inverse_mass, J, c, a, b, local, size, y, v)
    return math.sqrt(total)
