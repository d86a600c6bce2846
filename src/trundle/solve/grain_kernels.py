"""Gauss-Seidel sweeps for grains: spheres, planes and laws made of disks, without frames, compiled; never raises.

Where contact arms are along the normal and inertia is isotropic, friction can be kept as vectors: a contact is n, two
arms, five scalars of the law and metric, and eight numbers of impulse (r_n, F, m_s, M).  About 150 operations.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.contact.grain_kernels import (
    ARM_A,
    ARM_B,
    BIAS,
    IMPULSE,
    MU,
    MU_R,
    MU_S,
    NX,
    NY,
    NZ,
    STEP_N,
    STEP_R,
    STEP_T,
)
from trundle.laws.curves import JIT


@njit(nogil=True, **JIT)
def sweep(body, record, inverse_mass, inverse_inertia, p, v):
    """One decoupled sweep, in place; v (B, 6), p (C, 8).  Returns the norm of the change in units of velocity."""
    total = 0.0
    for c in range(body.shape[0]):
        a, b = body[c, 0], body[c, 1]
        nx, ny, nz = record[c, NX], record[c, NY], record[c, NZ]
        dx, dy, dz = v[b, 0] - v[a, 0], v[b, 1] - v[a, 1], v[b, 2] - v[a, 2]
        un = nx * dx + ny * dy + nz * dz
        old = p[c, 0]
        r = max(0.0, old - record[c, STEP_N] * (un + record[c, BIAS]))
        if r == 0.0 and old == 0.0:
            continue
        la, lb = record[c, ARM_A], record[c, ARM_B]
        sx = lb * v[b, 3] + la * v[a, 3]
        sy = lb * v[b, 4] + la * v[a, 4]
        sz = lb * v[b, 5] + la * v[a, 5]
        step = record[c, STEP_T]
        fx = p[c, 1] - step * (dx - un * nx - (sy * nz - sz * ny))
        fy = p[c, 2] - step * (dy - un * ny - (sz * nx - sx * nz))
        fz = p[c, 3] - step * (dz - un * nz - (sx * ny - sy * nx))
        norm = fx * fx + fy * fy + fz * fz
        radius = record[c, MU] * r
        if norm > radius * radius:
            factor = radius / math.sqrt(norm)
            fx *= factor
            fy *= factor
            fz *= factor
        dn = r - old
        fx -= p[c, 1]
        fy -= p[c, 2]
        fz -= p[c, 3]
        # n x dF turns both spheres
        tx, ty, tz = ny * fz - nz * fy, nz * fx - nx * fz, nx * fy - ny * fx
        ja, jb = inverse_inertia[a], inverse_inertia[b]
        turn = la * ja - lb * jb
        ox = v[b, 3] - v[a, 3] + turn * tx
        oy = v[b, 4] - v[a, 4] + turn * ty
        oz = v[b, 5] - v[a, 5] + turn * tz
        on = nx * ox + ny * oy + nz * oz
        step = record[c, STEP_R]
        bound = record[c, MU_S] * r
        ms = min(max(p[c, 4] - step * on, -bound), bound)
        mx = p[c, 5] - step * (ox - on * nx)
        my = p[c, 6] - step * (oy - on * ny)
        mz = p[c, 7] - step * (oz - on * nz)
        norm = mx * mx + my * my + mz * mz
        radius = record[c, MU_R] * r
        if norm > radius * radius:
            factor = radius / math.sqrt(norm)
            mx *= factor
            my *= factor
            mz *= factor
        ds = ms - p[c, 4]
        mx -= p[c, 5]
        my -= p[c, 6]
        mz -= p[c, 7]
        part = dn / record[c, STEP_N]
        total += part * part + (fx * fx + fy * fy + fz * fz) / (record[c, STEP_T] * record[c, STEP_T])
        total += (ds * ds + mx * mx + my * my + mz * mz) / (record[c, STEP_R] * record[c, STEP_T])
        p[c, 0] = r
        p[c, 1] += fx
        p[c, 2] += fy
        p[c, 3] += fz
        p[c, 4] = ms
        p[c, 5] += mx
        p[c, 6] += my
        p[c, 7] += mz
        fx += dn * nx
        fy += dn * ny
        fz += dn * nz
        mx += ds * nx
        my += ds * ny
        mz += ds * nz
        k = inverse_mass[b]
        v[b, 0] += k * fx
        v[b, 1] += k * fy
        v[b, 2] += k * fz
        v[b, 3] += jb * (mx - lb * tx)
        v[b, 4] += jb * (my - lb * ty)
        v[b, 5] += jb * (mz - lb * tz)
        k = inverse_mass[a]
        v[a, 0] -= k * fx
        v[a, 1] -= k * fy
        v[a, 2] -= k * fz
        v[a, 3] -= ja * (mx + la * tx)
        v[a, 4] -= ja * (my + la * ty)
        v[a, 5] -= ja * (mz + la * tz)
    return math.sqrt(total)


@njit(nogil=True, **JIT)
def nesterov(body, record, inverse_mass, inverse_inertia, p, v, z, vz, before, state, sweeps):
    """Accelerated sweeps, momentum on impulses and velocities; state: theta, best change, growth that restarts."""
    change = 0.0
    n = p.shape[0]
    for _ in range(sweeps):
        for c in range(n):
            for i in range(IMPULSE):
                before[c, i] = z[c, i]
        change = sweep(body, record, inverse_mass, inverse_inertia, z, vz)
        against = 0.0
        for c in range(n):
            part = 0.0
            for i in range(4):
                part += (before[c, i] - z[c, i]) * (z[c, i] - p[c, i])
            against += part
            part = 0.0
            for i in range(4, IMPULSE):
                part += (before[c, i] - z[c, i]) * (z[c, i] - p[c, i])
            against += part * record[c, STEP_T] / record[c, STEP_R]
        grown = change > state[2] * state[1]
        restart = against > 0.0 or grown
        theta = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * state[0] * state[0]))
        beta = 0.0 if restart else (state[0] - 1.0) / theta
        state[0] = 1.0 if restart else theta
        state[1] = np.inf if grown else change if restart else min(state[1], change)
        for c in range(n):
            for i in range(IMPULSE):
                moved = z[c, i]
                z[c, i] = moved + beta * (moved - p[c, i])
                p[c, i] = moved
        for i in range(v.shape[0]):
            for k in range(6):
                moved = vz[i, k]
                vz[i, k] = moved + beta * (moved - v[i, k])
                v[i, k] = moved
    return change
