"""Gauss-Seidel sweeps for grains: spheres, fixed ground and laws made of disks, without frames, compiled; never raises.

Where contact arms are along the normal and inertia is isotropic, friction can be kept as vectors: a contact is n, two
arms, five scalars of the law and metric, and eight numbers of impulse (r_n, F, m_s, M).  About 200 operations, on eight
contacts at once: the contacts of a group share no movable body, see `kernels.grains` for arrays and `lanes`.

Nesterov's momentum needs no pass of its own: a contact is extrapolated when it is visited, from its impulses p after the
last sweep and `before` after the one before it.  So is a body before the first of its slabs: its velocity v after the last
sweep, vz after the one before it.  New impulses are written to `before` and new velocities to vz, which nobody needs any
more: after every sweep they change their roles with p and v.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit, prange

from trundle.contact.kernels.grains import (
    ARM_A,
    ARM_B,
    BIAS,
    BODY,
    LANE,
    LENGTH,
    MU,
    MU_R,
    MU_S,
    NX,
    PER_LENGTH2,
    PER_RHO2,
    RHO,
    STEP_N,
    STEP_R,
    STEP_T,
    cone_height,
    cross,
    cut,
    dot,
    motion,
    push,
)
from trundle.kernels.lanes import (
    add_rows,
    every,
    fetch,
    fetch_rows,
    gather,
    larger,
    load,
    load3,
    root,
    size,
    smaller,
    some,
    store,
    sum_of,
)
from trundle.laws.kernels.curves import JIT

THETA, BEST, GROWTH, BETA = range(4)
EXACT, RELAXED, CALM = range(3)  # kinds of sweeps
AHEAD, NEAR = 4, 2
CALM_STEP = 0.7  # of the natural map's own


@njit(**LANE)
def extrapolated3(p, before, beta, g, k):
    """Three fields of p from k on, and where momentum takes them."""
    x, y, z = load3(p, g, k)
    a, b, c = load3(before, g, k)
    return x, y, z, x + beta * (x - a), y + beta * (y - b), z + beta * (z - c)


@njit(**LANE)
def store3(array, g, k, x, y, z):
    store(array, g, k, x)
    store(array, g, k + 1, y)
    store(array, g, k + 2, z)


@njit(**LANE)
def fetch_group(body, record, metric, p, before, v, g, last):
    """Ask for what a later group needs: in large piles it is not in the cache."""
    ahead = g + AHEAD
    for k in range(LENGTH):
        fetch(record, ahead, k)
    for k in range(0, 5, 2):
        fetch(metric, ahead, k)
    for k in range(8):
        fetch(p, ahead, k)
        fetch(before, ahead, k)
    near = min(g + NEAR, last - 1)
    fetch_rows(v, body, near, 0)
    fetch_rows(v, body, near, 1)


@njit(nogil=True, **JIT)
def sweep_range(body, record, bound, bound_of, metric, beta, p, before, v, first, last):
    """Visit groups first to last - 1; v: velocities that belong to the extrapolated impulses, changed in place.

    Returns the square of the change in units of velocity, and the restart test, (extrapolated - new) . (new - p).
    """
    nought = every(0.0)
    total, against = nought, nought
    for g in range(first, last):
        fetch_group(body, record, metric, p, before, v, g, last)
        ax, ay, az, apx = gather(v, body, g, 0, 0)
        bx, by, bz, bpx = gather(v, body, g, 1, 0)
        nx, ny, nz = load3(record, g, NX)
        dx, dy, dz = bx - ax, by - ay, bz - az
        un = dot(nx, ny, nz, dx, dy, dz)
        pn, bn = load(p, g, 0), load(before, g, 0)
        old = pn + beta * (pn - bn)
        r = larger(nought, old - load(metric, g, STEP_N) * (un + load(record, g, BIAS)))
        if not some(r + pn + bn > nought):
            continue
        apy, apz, ka, ja = gather(v, body, g, 0, 4)
        bpy, bpz, kb, jb = gather(v, body, g, 1, 4)
        la, lb = load(record, g, ARM_A), load(record, g, ARM_B)
        sx, sy, sz = cross(lb * bpx + la * apx, lb * bpy + la * apy, lb * bpz + la * apz, nx, ny, nz)
        px, py, pz, ex, ey, ez = extrapolated3(p, before, beta, g, 1)
        step, b = load(metric, g, STEP_T), bound_of[g]
        fx, fy, fz = ex - step * (dx - un * nx - sx), ey - step * (dy - un * ny - sy), ez - step * (dz - un * nz - sz)
        factor = cut(root(dot(fx, fy, fz, fx, fy, fz)), load(bound, b, MU) * r)
        fx, fy, fz = factor * fx, factor * fy, factor * fz
        store(before, g, 0, r)
        store3(before, g, 1, fx, fy, fz)
        dn = r - old
        ex, ey, ez = fx - ex, fy - ey, fz - ez
        straight = dn * (r - pn) + dot(ex, ey, ez, fx - px, fy - py, fz - pz)
        moved = dn * dn + dot(ex, ey, ez, ex, ey, ez)
        # n x dF turns both spheres
        tx, ty, tz = cross(nx, ny, nz, ex, ey, ez)
        turn = la * ja - lb * jb
        ox, oy, oz = bpx - apx + turn * tx, bpy - apy + turn * ty, bpz - apz + turn * tz
        on = dot(nx, ny, nz, ox, oy, oz)
        step = load(metric, g, STEP_R)
        most = load(bound, b, MU_S) * r
        ps = load(p, g, 4)
        es = ps + beta * (ps - load(before, g, 4))
        ms = smaller(larger(es - step * on, -most), most)
        qx, qy, qz, gx, gy, gz = extrapolated3(p, before, beta, g, 5)
        mx, my, mz = gx - step * (ox - on * nx), gy - step * (oy - on * ny), gz - step * (oz - on * nz)
        factor = cut(root(dot(mx, my, mz, mx, my, mz)), load(bound, b, MU_R) * r)
        mx, my, mz = factor * mx, factor * my, factor * mz
        store(before, g, 4, ms)
        store3(before, g, 5, mx, my, mz)
        ds = ms - es
        gx, gy, gz = mx - gx, my - gy, mz - gz
        turned = ds * (ms - ps) + dot(gx, gy, gz, mx - qx, my - qy, mz - qz)
        per = load(metric, g, PER_LENGTH2)
        against -= straight + per * turned
        total += load(metric, g, PER_RHO2) * (moved + per * (ds * ds + dot(gx, gy, gz, gx, gy, gz)))
        ex, ey, ez = ex + dn * nx, ey + dn * ny, ez + dn * nz
        gx, gy, gz = gx + ds * nx, gy + ds * ny, gz + ds * nz
        add_rows(
            v, body, g, 1, kb * ex, kb * ey, kb * ez, jb * (gx - lb * tx), jb * (gy - lb * ty), jb * (gz - lb * tz)
        )
        ka, ja = -ka, -ja
        add_rows(
            v, body, g, 0, ka * ex, ka * ey, ka * ez, ja * (gx + la * tx), ja * (gy + la * ty), ja * (gz + la * tz)
        )
    return sum_of(total), sum_of(against)


@njit(nogil=True, **JIT)
def sweep_relaxed(body, record, bound, bound_of, metric, beta, p, before, v, first, last):
    """The same for the relaxed problem: all parts of a contact at once, projected onto its cone in the metric of W."""
    total, against = every(0.0), every(0.0)
    for g in range(first, last):
        un, ux, uy, uz, on, ox, oy, oz = motion(body, record, v, g)
        step_n, step_t, step_r = load(metric, g, STEP_N), load(metric, g, STEP_T), load(metric, g, STEP_R)
        pn, ps = load(p, g, 0), load(p, g, 4)
        en, es = pn + beta * (pn - load(before, g, 0)), ps + beta * (ps - load(before, g, 4))
        px, py, pz, ex, ey, ez = extrapolated3(p, before, beta, g, 1)
        qx, qy, qz, gx, gy, gz = extrapolated3(p, before, beta, g, 5)
        fx, fy, fz = ex - step_t * ux, ey - step_t * uy, ez - step_t * uz
        ms = es - step_r * on
        mx, my, mz = gx - step_r * ox, gy - step_r * oy, gz - step_r * oz
        t, m = root(dot(fx, fy, fz, fx, fy, fz)), root(dot(mx, my, mz, mx, my, mz))
        b = bound_of[g]
        mu, mu_s, mu_r = load(bound, b, MU), load(bound, b, MU_S), load(bound, b, MU_R)
        turning = step_n / step_r
        r = cone_height(
            en - step_n * (un + load(record, g, BIAS)),
            t,
            size(ms),
            m,
            mu,
            mu_s,
            mu_r,
            step_n / step_t,
            turning,
            turning,
        )
        factor = cut(t, mu * r)
        fx, fy, fz = factor * fx, factor * fy, factor * fz
        ms = smaller(larger(ms, -mu_s * r), mu_s * r)
        factor = cut(m, mu_r * r)
        mx, my, mz = factor * mx, factor * my, factor * mz
        store(before, g, 0, r)
        store3(before, g, 1, fx, fy, fz)
        store(before, g, 4, ms)
        store3(before, g, 5, mx, my, mz)
        dn, ds = r - en, ms - es
        ex, ey, ez = fx - ex, fy - ey, fz - ez
        gx, gy, gz = mx - gx, my - gy, mz - gz
        per = load(metric, g, PER_LENGTH2)
        straight = dn * (r - pn) + dot(ex, ey, ez, fx - px, fy - py, fz - pz)
        turned = ds * (ms - ps) + dot(gx, gy, gz, mx - qx, my - qy, mz - qz)
        against -= straight + per * turned
        moved = dn * dn + dot(ex, ey, ez, ex, ey, ez)
        total += load(metric, g, PER_RHO2) * (moved + per * (ds * ds + dot(gx, gy, gz, gx, gy, gz)))
        push(body, record, g, dn, ex, ey, ez, ds, gx, gy, gz, v)
    return sum_of(total), sum_of(against)


@njit(nogil=True, **JIT)
def sweep_calm(body, record, bound, bound_of, metric, beta, p, before, v, first, last):
    """As `sweep_range` with steps of the natural map: all parts of a contact at once, each with the step rho of the contact.

    Somewhat slower, but where those sweeps go round in circles these usually find the end.
    """
    total, against, nought = every(0.0), every(0.0), every(0.0)
    for g in range(first, last):
        un, ux, uy, uz, on, ox, oy, oz = motion(body, record, v, g)
        length, rho, b = load(record, g, LENGTH), CALM_STEP * load(record, g, RHO), bound_of[g]
        pn, bn = load(p, g, 0), load(before, g, 0)
        en = pn + beta * (pn - bn)
        r = larger(nought, en - rho * (un + load(record, g, BIAS)))
        if not some(r + pn + bn > nought):
            continue
        step = rho * length * length
        px, py, pz, ex, ey, ez = extrapolated3(p, before, beta, g, 1)
        qx, qy, qz, gx, gy, gz = extrapolated3(p, before, beta, g, 5)
        ps = load(p, g, 4)
        es = ps + beta * (ps - load(before, g, 4))
        fx, fy, fz = ex - rho * ux, ey - rho * uy, ez - rho * uz
        factor = cut(root(dot(fx, fy, fz, fx, fy, fz)), load(bound, b, MU) * r)
        fx, fy, fz = factor * fx, factor * fy, factor * fz
        most = load(bound, b, MU_S) * r
        ms = smaller(larger(es - step * on, -most), most)
        mx, my, mz = gx - step * ox, gy - step * oy, gz - step * oz
        factor = cut(root(dot(mx, my, mz, mx, my, mz)), load(bound, b, MU_R) * r)
        mx, my, mz = factor * mx, factor * my, factor * mz
        store(before, g, 0, r)
        store3(before, g, 1, fx, fy, fz)
        store(before, g, 4, ms)
        store3(before, g, 5, mx, my, mz)
        dn, ds = r - en, ms - es
        ex, ey, ez = fx - ex, fy - ey, fz - ez
        gx, gy, gz = mx - gx, my - gy, mz - gz
        per = load(metric, g, PER_LENGTH2)
        straight = dn * (r - pn) + dot(ex, ey, ez, fx - px, fy - py, fz - pz)
        turned = ds * (ms - ps) + dot(gx, gy, gz, mx - qx, my - qy, mz - qz)
        against -= straight + per * turned
        moved = dn * dn + dot(ex, ey, ez, ex, ey, ez)
        total += load(metric, g, PER_RHO2) * (moved + per * (ds * ds + dot(gx, gy, gz, gx, gy, gz)))
        push(body, record, g, dn, ex, ey, ez, ds, gx, gy, gz, v)
    return sum_of(total), sum_of(against)


@njit(nogil=True, **JIT)
def next_momentum(sums, state):
    """Add up what the slabs of a sweep report, in their order; choose the momentum; returns the norm of the change."""
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
def extrapolate(beta, visited, v, vz, first, last):
    """Where momentum takes the velocities v after a sweep from the earlier ones vz, into vz; visited[first] to
    visited[last - 1].

    Bodies without contacts stay where they are.
    """
    row, row_z = v.reshape((v.shape[0], 1, BODY)), vz.reshape((vz.shape[0], 1, BODY))
    for m in range(first, last):
        i = visited[m]
        x = load(row, i, 0)
        store(row_z, i, 0, x + beta * (x - load(row_z, i, 0)))  # 1 / m and 1 / I are the same in both


@njit(nogil=True, **JIT)
def sweep_slab(
    start, visited, first_visited, body, record, bound, bound_of, metric, kind, beta, p, before, v, vz, sums, t
):
    """Visit slab t, after the bodies that nobody has visited before in this sweep have been taken along by momentum."""
    extrapolate(beta, visited, v, vz, first_visited[t], first_visited[t + 1])
    if kind == RELAXED:
        total, against = sweep_relaxed(
            body, record, bound, bound_of, metric, beta, p, before, vz, start[t], start[t + 1]
        )
    elif kind == CALM:
        total, against = sweep_calm(body, record, bound, bound_of, metric, beta, p, before, vz, start[t], start[t + 1])
    else:
        total, against = sweep_range(body, record, bound, bound_of, metric, beta, p, before, vz, start[t], start[t + 1])
    sums[t, 0] = total
    sums[t, 1] = against


@njit(**JIT)
def slab_in_turn(m, slabs):
    """The slab to be visited after m others: an odd one as soon as both of its neighbours are done, its bodies in the cache."""
    even = (slabs + 1) // 2
    following = (m + 1) // 2
    return following if (m % 2 == 1 or m == 0) and following < even else even + (m - 1) // 2


@njit(nogil=True, **JIT)
def nesterov(
    start, share, visited, first_visited, body, record, bound, bound_of, metric, kind, p, before, v, vz, sums, state,
    sweeps,
):  # fmt: skip
    """Accelerated sweeps; state: theta, best change, growth that restarts, beta.  Returns the norm of the last change.

    After an odd number of sweeps p and before have changed their roles, and so have v and vz.
    """
    change = 0.0
    for _ in range(sweeps):
        for m in range(sums.shape[0]):
            sweep_slab(
                start, visited, first_visited, body, record, bound, bound_of, metric, kind, state[BETA], p, before, v,
                vz, sums, slab_in_turn(m, sums.shape[0]),
            )  # fmt: skip
        p, before, v, vz = before, p, vz, v
        change = next_momentum(sums, state)
    return change


@njit(nogil=True, parallel=True, **JIT)
def nesterov_parallel(
    start, share, visited, first_visited, body, record, bound, bound_of, metric, kind, p, before, v, vz, sums, state,
    sweeps,
):  # fmt: skip
    """The same to the same bits, on several threads: slabs of one parity share no body that moves."""
    change = 0.0
    for _ in range(sweeps):
        beta = state[BETA]
        for k in range(2):
            for w in prange(share.shape[1] - 1):
                for t in range(share[k, w], share[k, w + 1]):
                    sweep_slab(
                        start, visited, first_visited, body, record, bound, bound_of, metric, kind, beta, p, before, v,
                        vz, sums, t,
                    )  # fmt: skip
        p, before, v, vz = before, p, vz, v
        change = next_momentum(sums, state)
    return change
