"""Gauss-Seidel sweeps for grains: spheres, fixed ground and laws made of disks, without frames, compiled; never raises.

Where contact arms are along the normal and inertia is isotropic, friction can be kept as vectors: a contact is n, two
arms, five scalars of the law and metric, and eight numbers of impulse (r_n, F, m_s, M).  About 200 operations.

Nesterov's momentum needs no pass of its own: a contact is extrapolated when it is visited, from its impulses p after the
last sweep and `before` after the one before it, and the velocities of all bodies are extrapolated by the same factor.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit, prange

from trundle.contact.grain_kernels import (
    ARM_A,
    ARM_B,
    BIAS,
    IMPULSE,
    LENGTH,
    MU,
    MU_R,
    MU_S,
    NX,
    NY,
    NZ,
    PER_INERTIA,
    PER_LENGTH2,
    PER_MASS,
    PER_RHO2,
    RHO,
    STEP_N,
    STEP_R,
    STEP_T,
    cone_height,
    motion,
    natural_point,
    push,
)
from trundle.laws.curves import JIT

THETA, BEST, GROWTH, BETA = range(4)
CALM_STEP = 0.7  # of the natural map's own


@njit(nogil=True, **JIT)
def sweep_range(body, record, beta, p, before, v, first, last):
    """Visit contacts first to last - 1, in place; v (B, 8): velocities that belong to the extrapolated impulses.

    Returns the square of the change in units of velocity, and the restart test, (extrapolated - new) . (new - p).
    """
    total, against = 0.0, 0.0
    for c in range(first, last):
        a, b = body[c, 0], body[c, 1]
        nx, ny, nz = record[c, NX], record[c, NY], record[c, NZ]
        dx, dy, dz = v[b, 0] - v[a, 0], v[b, 1] - v[a, 1], v[b, 2] - v[a, 2]
        un = nx * dx + ny * dy + nz * dz
        pn = p[c, 0]
        old = pn + beta * (pn - before[c, 0])
        r = max(0.0, old - record[c, STEP_N] * (un + record[c, BIAS]))
        if r == 0.0 and pn == 0.0 and before[c, 0] == 0.0:
            continue
        la, lb = record[c, ARM_A], record[c, ARM_B]
        sx = lb * v[b, 3] + la * v[a, 3]
        sy = lb * v[b, 4] + la * v[a, 4]
        sz = lb * v[b, 5] + la * v[a, 5]
        px, py, pz = p[c, 1], p[c, 2], p[c, 3]
        ex = px + beta * (px - before[c, 1])
        ey = py + beta * (py - before[c, 2])
        ez = pz + beta * (pz - before[c, 3])
        step = record[c, STEP_T]
        fx = ex - step * (dx - un * nx - (sy * nz - sz * ny))
        fy = ey - step * (dy - un * ny - (sz * nx - sx * nz))
        fz = ez - step * (dz - un * nz - (sx * ny - sy * nx))
        norm = fx * fx + fy * fy + fz * fz
        radius = record[c, MU] * r
        if norm > radius * radius:
            factor = radius / math.sqrt(norm)
            fx *= factor
            fy *= factor
            fz *= factor
        before[c, 0], before[c, 1], before[c, 2], before[c, 3] = pn, px, py, pz
        p[c, 0], p[c, 1], p[c, 2], p[c, 3] = r, fx, fy, fz
        dn = r - old
        test = dn * (r - pn)
        ex, px = fx - ex, fx - px
        ey, py = fy - ey, fy - py
        ez, pz = fz - ez, fz - pz
        test += ex * px + ey * py + ez * pz
        # n x dF turns both spheres
        tx, ty, tz = ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex
        ja, jb = v[a, PER_INERTIA], v[b, PER_INERTIA]
        turn = la * ja - lb * jb
        ox = v[b, 3] - v[a, 3] + turn * tx
        oy = v[b, 4] - v[a, 4] + turn * ty
        oz = v[b, 5] - v[a, 5] + turn * tz
        on = nx * ox + ny * oy + nz * oz
        step = record[c, STEP_R]
        bound = record[c, MU_S] * r
        ps = p[c, 4]
        es = ps + beta * (ps - before[c, 4])
        ms = min(max(es - step * on, -bound), bound)
        qx, qy, qz = p[c, 5], p[c, 6], p[c, 7]
        gx = qx + beta * (qx - before[c, 5])
        gy = qy + beta * (qy - before[c, 6])
        gz = qz + beta * (qz - before[c, 7])
        mx = gx - step * (ox - on * nx)
        my = gy - step * (oy - on * ny)
        mz = gz - step * (oz - on * nz)
        square = mx * mx + my * my + mz * mz
        radius = record[c, MU_R] * r
        if square > radius * radius:
            factor = radius / math.sqrt(square)
            mx *= factor
            my *= factor
            mz *= factor
        before[c, 4], before[c, 5], before[c, 6], before[c, 7] = ps, qx, qy, qz
        p[c, 4], p[c, 5], p[c, 6], p[c, 7] = ms, mx, my, mz
        ds = ms - es
        turned = ds * (ms - ps)
        gx, qx = mx - gx, mx - qx
        gy, qy = my - gy, my - qy
        gz, qz = mz - gz, mz - qz
        turned += gx * qx + gy * qy + gz * qz
        against -= test + turned * record[c, PER_LENGTH2]
        total += record[c, PER_RHO2] * (
            dn * dn + ex * ex + ey * ey + ez * ez
            + record[c, PER_LENGTH2] * (ds * ds + gx * gx + gy * gy + gz * gz)
        )  # fmt: skip
        ex += dn * nx
        ey += dn * ny
        ez += dn * nz
        gx += ds * nx
        gy += ds * ny
        gz += ds * nz
        k = v[b, PER_MASS]
        if k > 0.0:
            v[b, 0] += k * ex
            v[b, 1] += k * ey
            v[b, 2] += k * ez
            v[b, 3] += jb * (gx - lb * tx)
            v[b, 4] += jb * (gy - lb * ty)
            v[b, 5] += jb * (gz - lb * tz)
        k = v[a, PER_MASS]
        if k > 0.0:
            v[a, 0] -= k * ex
            v[a, 1] -= k * ey
            v[a, 2] -= k * ez
            v[a, 3] -= ja * (gx + la * tx)
            v[a, 4] -= ja * (gy + la * ty)
            v[a, 5] -= ja * (gz + la * tz)
    return total, against


@njit(nogil=True, **JIT)
def sweep_relaxed(body, record, beta, p, before, v, first, last):
    """The same for the relaxed problem: all parts of a contact at once, projected onto its cone in the metric of W."""
    total, against = 0.0, 0.0
    for c in range(first, last):
        un, ux, uy, uz, on, ox, oy, oz = motion(body, record, v, c)
        step_n, step_t, step_r = record[c, STEP_N], record[c, STEP_T], record[c, STEP_R]
        en = p[c, 0] + beta * (p[c, 0] - before[c, 0])
        ex = p[c, 1] + beta * (p[c, 1] - before[c, 1])
        ey = p[c, 2] + beta * (p[c, 2] - before[c, 2])
        ez = p[c, 3] + beta * (p[c, 3] - before[c, 3])
        es = p[c, 4] + beta * (p[c, 4] - before[c, 4])
        gx = p[c, 5] + beta * (p[c, 5] - before[c, 5])
        gy = p[c, 6] + beta * (p[c, 6] - before[c, 6])
        gz = p[c, 7] + beta * (p[c, 7] - before[c, 7])
        fx, fy, fz = ex - step_t * ux, ey - step_t * uy, ez - step_t * uz
        ms = es - step_r * on
        mx, my, mz = gx - step_r * ox, gy - step_r * oy, gz - step_r * oz
        t, s, m = math.sqrt(fx * fx + fy * fy + fz * fz), abs(ms), math.sqrt(mx * mx + my * my + mz * mz)
        mu, mu_s, mu_r = record[c, MU], record[c, MU_S], record[c, MU_R]
        turning = step_n / step_r
        r = cone_height(
            en - step_n * (un + record[c, BIAS]), t, s, m, mu, mu_s, mu_r, step_n / step_t, turning, turning
        )
        if t > mu * r:
            cut = mu * r / t
            fx, fy, fz = cut * fx, cut * fy, cut * fz
        ms = min(max(ms, -mu_s * r), mu_s * r)
        if m > mu_r * r:
            cut = mu_r * r / m
            mx, my, mz = cut * mx, cut * my, cut * mz
        dn, dx, dy, dz = r - en, fx - ex, fy - ey, fz - ez
        ds, hx, hy, hz = ms - es, mx - gx, my - gy, mz - gz
        straight = dn * (r - p[c, 0]) + dx * (fx - p[c, 1]) + dy * (fy - p[c, 2]) + dz * (fz - p[c, 3])
        turned = ds * (ms - p[c, 4]) + hx * (mx - p[c, 5]) + hy * (my - p[c, 6]) + hz * (mz - p[c, 7])
        against -= straight + turned * record[c, PER_LENGTH2]
        total += record[c, PER_RHO2] * (
            dn * dn + dx * dx + dy * dy + dz * dz
            + record[c, PER_LENGTH2] * (ds * ds + hx * hx + hy * hy + hz * hz)
        )  # fmt: skip
        for i in range(IMPULSE):
            before[c, i] = p[c, i]
        p[c, 0], p[c, 1], p[c, 2], p[c, 3], p[c, 4], p[c, 5], p[c, 6], p[c, 7] = r, fx, fy, fz, ms, mx, my, mz
        push(body, record, c, dn, dx, dy, dz, ds, hx, hy, hz, v)
    return total, against


@njit(nogil=True, **JIT)
def calm(body, record, relaxed, p, v, sweeps):
    """Sweeps of the natural map: every contact a step rho of its own and the projection onto its cone, without momentum.

    Slower than `nesterov`, but where that goes round in circles these usually find the end.  Returns the norm of the last
    change, in units of velocity.
    """
    total = 0.0
    for _ in range(sweeps):
        total = 0.0
        for c in range(body.shape[0]):
            length, rho = record[c, LENGTH], CALM_STEP * record[c, RHO]
            r, fx, fy, fz, ms, mx, my, mz = natural_point(record, relaxed, rho, p, c, *motion(body, record, v, c))
            dn, dx, dy, dz = r - p[c, 0], fx - p[c, 1], fy - p[c, 2], fz - p[c, 3]
            ds, ex, ey, ez = length * ms - p[c, 4], length * mx - p[c, 5], length * my - p[c, 6], length * mz - p[c, 7]
            total += record[c, PER_RHO2] * (
                dn * dn + dx * dx + dy * dy + dz * dz
                + record[c, PER_LENGTH2] * (ds * ds + ex * ex + ey * ey + ez * ez)
            )  # fmt: skip
            p[c, 0], p[c, 1], p[c, 2], p[c, 3] = r, fx, fy, fz
            p[c, 4], p[c, 5], p[c, 6], p[c, 7] = length * ms, length * mx, length * my, length * mz
            push(body, record, c, dn, dx, dy, dz, ds, ex, ey, ez, v)
    return math.sqrt(total)


@njit(nogil=True, **JIT)
def visit(body, record, relaxed, beta, p, before, v, first, last):
    """Visit contacts first to last - 1 by the law of the formulation."""
    if relaxed:
        return sweep_relaxed(body, record, beta, p, before, v, first, last)
    return sweep_range(body, record, beta, p, before, v, first, last)


@njit(nogil=True, **JIT)
def next_momentum(sums, state):
    """Add up what the ranges of a sweep report, in their order; choose the momentum; returns the norm of the change."""
    change, against = 0.0, 0.0
    for t in range(sums.shape[0]):
        change += sums[t, 0]
        against += sums[t, 1]
    change = math.sqrt(change)
    grown = change > state[GROWTH] * state[BEST]
    restart = against > 0.0 or grown
    theta = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * state[THETA] * state[THETA]))
    state[BETA] = 0.0 if restart else (state[THETA] - 1.0) / theta
    state[THETA] = 1.0 if restart else theta
    state[BEST] = np.inf if grown else change if restart else min(state[BEST], change)
    return change


@njit(nogil=True, **JIT)
def extrapolate(beta, v, vz, first, last):
    """v takes over the velocities vz after a sweep, vz goes on by momentum; bodies first to last - 1."""
    for i in range(first, last):
        for k in range(6):
            moved = vz[i, k]
            vz[i, k] = moved + beta * (moved - v[i, k])
            v[i, k] = moved


@njit(nogil=True, **JIT)
def nesterov(start, share, body, record, relaxed, p, before, v, vz, sums, state, sweeps):
    """Accelerated sweeps; state: theta, best change, growth that restarts, beta.  Returns the norm of the last change."""
    change = 0.0
    for _ in range(sweeps):
        for t in range(sums.shape[0]):
            sums[t, 0], sums[t, 1] = visit(body, record, relaxed, state[BETA], p, before, vz, start[t], start[t + 1])
        change = next_momentum(sums, state)
        extrapolate(state[BETA], v, vz, 0, v.shape[0])
    return change


@njit(nogil=True, parallel=True, **JIT)
def nesterov_parallel(start, share, body, record, relaxed, p, before, v, vz, sums, state, sweeps):
    """The same to the same bits, on several threads: slabs of one parity share no body that moves."""
    change, threads = 0.0, share.shape[1] - 1
    for _ in range(sweeps):
        beta = state[BETA]
        for k in range(2):
            for w in prange(threads):
                for t in range(share[k, w], share[k, w + 1]):
                    total, against = visit(body, record, relaxed, beta, p, before, vz, start[t], start[t + 1])
                    sums[t, 0] = total
                    sums[t, 1] = against
        change = next_momentum(sums, state)
        for w in prange(threads):
            extrapolate(state[BETA], v, vz, w * v.shape[0] // threads, (w + 1) * v.shape[0] // threads)
    return change
