"""The contact problem of grains, spheres and planes with laws made of disks, in vectors and without frames, compiled.

A contact has a record (see the columns below) and eight numbers of impulse: r_n, the friction force F (3), the spinning
moment m_s, the rolling moment M (3), in SI units and world axes.  A body has a row of eight numbers, one line of cache:
velocity (3), angular velocity (3), 1 / m and 1 / I, both 0 if it is fixed.  Never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit, prange

from trundle.laws.curves import INLINE, JIT

# normal; arms of both bodies; bias; 1 / W_nn, 1 / W_tt, 1 / W_rr; mu, mu_s, mu_r; length, rho, 1 / length^2, 1 / rho^2:
# 128 bytes, two lines of cache
(NX, NY, NZ, ARM_A, ARM_B, BIAS, STEP_N, STEP_T, STEP_R, MU, MU_S, MU_R, LENGTH, RHO, PER_LENGTH2, PER_RHO2) = range(16)
RECORD = 16
IMPULSE = 8
PER_MASS, PER_INERTIA, BODY = 6, 7, 8


@njit(nogil=True, **JIT)
def build_records(
    order, contact_body, normal, point, position, gap, law, disks, uses, factor, v, h, relaxed, first, last, body, record
):  # fmt: skip
    """Fill rows first to last - 1 of body and records, in the order of the sweeps.

    uses, disks (L, 3): which of sliding, spinning, rolling a law has, and the coefficients; factor (C,): of lengths.
    """
    for s in range(first, last):
        c = order[s]
        a, b = contact_body[c, 0], contact_body[c, 1]
        body[s, 0], body[s, 1] = a, b
        la, lb = 0.0, 0.0
        for k in range(3):
            record[s, k] = normal[c, k]
            la += (point[c, k] - position[a, k]) * normal[c, k]
            lb -= (point[c, k] - position[b, k]) * normal[c, k]
        if v[a, PER_MASS] == 0.0:
            la = 0.0
        if v[b, PER_MASS] == 0.0:
            lb = 0.0
        ja, jb = v[a, PER_INERTIA], v[b, PER_INERTIA]
        W_nn = v[a, PER_MASS] + v[b, PER_MASS]
        W_tt = W_nn + la * la * ja + lb * lb * jb
        W_rr = ja + jb
        k = law[c]
        forces = (W_nn + 2.0 * W_tt) / 3.0 if uses[k, 0] else W_nn
        largest = W_tt if uses[k, 0] else W_nn
        length = 1.0
        if uses[k, 1] or uses[k, 2]:
            length = math.sqrt(forces / W_rr)
            largest = max(largest, W_rr * length * length)
        record[s, ARM_A] = la
        record[s, ARM_B] = lb
        record[s, BIAS] = max(gap[c], 0.0) / h
        record[s, STEP_N] = 1.0 / W_nn
        if relaxed and uses[k, 0] and uses[k, 2]:
            # all parts are projected at once: the coupling of friction and rolling goes into both steps
            coupling = abs(la * ja - lb * jb) / math.sqrt(W_tt * W_rr)
            W_tt *= 1.0 + coupling
            W_rr *= 1.0 + coupling
        record[s, STEP_T] = 1.0 / W_tt
        record[s, STEP_R] = 1.0 / W_rr
        record[s, MU] = disks[k, 0]
        record[s, MU_S] = disks[k, 1] * factor[c]
        record[s, MU_R] = disks[k, 2] * factor[c]
        record[s, LENGTH] = length
        record[s, RHO] = 1.0 / largest
        record[s, PER_LENGTH2] = 1.0 / (length * length)
        record[s, PER_RHO2] = largest * largest


@njit(nogil=True, parallel=True, **JIT)
def build_records_parallel(
    threads, order, contact_body, normal, point, position, gap, law, disks, uses, factor, v, h, relaxed, body, record
):  # fmt: skip
    """All rows of body and records, on several threads."""
    n = order.shape[0]
    for w in prange(threads):
        build_records(
            order, contact_body, normal, point, position, gap, law, disks, uses, factor, v, h, relaxed,
            w * n // threads, (w + 1) * n // threads, body, record,
        )  # fmt: skip


@njit(**INLINE)
def motion(body, record, v, c):
    """u_n, u_t (3), w_n, w_t (3) of contact c: relative velocity and angular velocity, normal and tangential."""
    a, b = body[c, 0], body[c, 1]
    nx, ny, nz = record[c, NX], record[c, NY], record[c, NZ]
    dx, dy, dz = v[b, 0] - v[a, 0], v[b, 1] - v[a, 1], v[b, 2] - v[a, 2]
    un = nx * dx + ny * dy + nz * dz
    la, lb = record[c, ARM_A], record[c, ARM_B]
    sx = lb * v[b, 3] + la * v[a, 3]
    sy = lb * v[b, 4] + la * v[a, 4]
    sz = lb * v[b, 5] + la * v[a, 5]
    ox, oy, oz = v[b, 3] - v[a, 3], v[b, 4] - v[a, 4], v[b, 5] - v[a, 5]
    on = nx * ox + ny * oy + nz * oz
    return (
        un, dx - un * nx - (sy * nz - sz * ny), dy - un * ny - (sz * nx - sx * nz), dz - un * nz - (sx * ny - sy * nx),
        on, ox - on * nx, oy - on * ny, oz - on * nz,
    )  # fmt: skip


@njit(nogil=True, **JIT)
def motions(body, record, v, out):
    """Relative velocities of all contacts (C, 8): u_n, u_t, w_n, w_t."""
    for c in range(body.shape[0]):
        out[c, 0], out[c, 1], out[c, 2], out[c, 3], out[c, 4], out[c, 5], out[c, 6], out[c, 7] = motion(
            body, record, v, c
        )


@njit(nogil=True, **JIT)
def size_of(order, body, record, law, uses, v):
    """Norm of the scaled relative velocities at v: to which the residual is relative."""
    total = 0.0
    for c in range(body.shape[0]):
        un, ux, uy, uz, on, ox, oy, oz = motion(body, record, v, c)
        k = law[order[c]]
        un += record[c, BIAS]
        total += un * un
        square = record[c, LENGTH] * record[c, LENGTH]
        if uses[k, 0]:
            total += ux * ux + uy * uy + uz * uz
        if uses[k, 1]:
            total += square * on * on
        if uses[k, 2]:
            total += square * (ox * ox + oy * oy + oz * oz)
    return math.sqrt(total)


@njit(**INLINE)
def cone_height(xn, t, s, m, mu, mu_s, mu_r, slide, spin, roll):
    """r_n of the projection onto the cone of a point with normal part xn and friction parts of sizes t, s, m.

    In the metric diag(1, slide, spin, roll).  The root of an increasing, concave, piecewise linear function: Newton's
    steps from the left, where all parts are cut, do not pass it.
    """
    top = xn + slide * mu * t + spin * mu_s * s + roll * mu_r * m
    if top <= 0.0:
        return 0.0
    r = max(top / (1.0 + slide * mu * mu + spin * mu_s * mu_s + roll * mu_r * mu_r), xn)
    for _ in range(3):
        top = xn
        slope = 1.0
        if t > mu * r:
            top += slide * mu * t
            slope += slide * mu * mu
        if s > mu_s * r:
            top += spin * mu_s * s
            slope += spin * mu_s * mu_s
        if m > mu_r * r:
            top += roll * mu_r * m
            slope += roll * mu_r * mu_r
        moved = top / slope
        if moved <= r:
            break
        r = moved
    return r


@njit(**INLINE)
def natural_point(record, relaxed, rho, p, c, un, ux, uy, uz, on, ox, oy, oz):
    """proj_K(p - rho y-hat) of contact c, of the motion un ... oz, in the units of the contact: r_n, F (3), m_s, M (3)."""
    length = record[c, LENGTH]
    per = 1.0 / length
    mu, mu_s, mu_r = record[c, MU], record[c, MU_S] * per, record[c, MU_R] * per
    wn = length * on
    up = un + record[c, BIAS]
    if not relaxed:
        slide = math.sqrt(ux * ux + uy * uy + uz * uz)
        roll = length * math.sqrt(ox * ox + oy * oy + oz * oz)
        up += mu * slide + mu_s * abs(wn) + mu_r * roll
    xn = p[c, 0] - rho * up
    tx, ty, tz = p[c, 1] - rho * ux, p[c, 2] - rho * uy, p[c, 3] - rho * uz
    xs = p[c, 4] * per - rho * wn
    k = rho * length
    rx, ry, rz = p[c, 5] * per - k * ox, p[c, 6] * per - k * oy, p[c, 7] * per - k * oz
    t = math.sqrt(tx * tx + ty * ty + tz * tz)
    s = abs(xs)
    m = math.sqrt(rx * rx + ry * ry + rz * rz)
    r = cone_height(xn, t, s, m, mu, mu_s, mu_r, 1.0, 1.0, 1.0)
    # a law without spinning or rolling has zero coefficients and zero impulses: these vanish
    ft = 1.0 if t <= mu * r else mu * r / t
    fs = 1.0 if s <= mu_s * r else mu_s * r / s
    fr = 1.0 if m <= mu_r * r else mu_r * r / m
    return r, ft * tx, ft * ty, ft * tz, fs * xs, fr * rx, fr * ry, fr * rz


@njit(nogil=True, **JIT)
def natural_square(body, record, relaxed, p, v, first, last):
    """Sum of |(p - proj_K(p - rho y-hat)) / rho|^2, units of the contacts, as `contact.kernels.natural_map`."""
    total = 0.0
    for c in range(first, last):
        r, fx, fy, fz, ms, mx, my, mz = natural_point(
            record, relaxed, record[c, RHO], p, c, *motion(body, record, v, c)
        )
        per = 1.0 / record[c, LENGTH]
        part = (p[c, 0] - r) ** 2
        part += (p[c, 1] - fx) ** 2 + (p[c, 2] - fy) ** 2 + (p[c, 3] - fz) ** 2
        part += (p[c, 4] * per - ms) ** 2
        part += (p[c, 5] * per - mx) ** 2 + (p[c, 6] * per - my) ** 2 + (p[c, 7] * per - mz) ** 2
        total += part * record[c, PER_RHO2]
    return total


@njit(nogil=True, **JIT)
def natural_norm(start, body, record, relaxed, p, v):
    """Norm of the natural map of all contacts, summed range by range."""
    total = 0.0
    for t in range(start.shape[0] - 1):
        total += natural_square(body, record, relaxed, p, v, start[t], start[t + 1])
    return math.sqrt(total)


@njit(nogil=True, **JIT)
def natural_squares(body, record, relaxed, p, v, out):
    """The square of the natural map of every contact, (C,)."""
    for c in range(body.shape[0]):
        out[c] = natural_square(body, record, relaxed, p, v, c, c + 1)


@njit(nogil=True, parallel=True, **JIT)
def natural_norm_parallel(start, body, record, relaxed, p, v):
    """The same to the same bits, on several threads."""
    parts = np.empty(start.shape[0] - 1)
    for t in prange(start.shape[0] - 1):
        parts[t] = natural_square(body, record, relaxed, p, v, start[t], start[t + 1])
    total = 0.0
    for t in range(parts.shape[0]):
        total += parts[t]
    return math.sqrt(total)


@njit(**INLINE)
def push(body, record, c, dn, fx, fy, fz, ds, mx, my, mz, v):
    """v += M^-1 H^T (dn, F, ds, M) of contact c."""
    a, b = body[c, 0], body[c, 1]
    nx, ny, nz = record[c, NX], record[c, NY], record[c, NZ]
    tx, ty, tz = ny * fz - nz * fy, nz * fx - nx * fz, nx * fy - ny * fx
    fx += dn * nx
    fy += dn * ny
    fz += dn * nz
    mx += ds * nx
    my += ds * ny
    mz += ds * nz
    la, lb = record[c, ARM_A], record[c, ARM_B]
    # fixed bodies are not written to: ranges on different threads may share them
    k, j = v[b, PER_MASS], v[b, PER_INERTIA]
    if k > 0.0:
        v[b, 0] += k * fx
        v[b, 1] += k * fy
        v[b, 2] += k * fz
        v[b, 3] += j * (mx - lb * tx)
        v[b, 4] += j * (my - lb * ty)
        v[b, 5] += j * (mz - lb * tz)
    k, j = v[a, PER_MASS], v[a, PER_INERTIA]
    if k > 0.0:
        v[a, 0] -= k * fx
        v[a, 1] -= k * fy
        v[a, 2] -= k * fz
        v[a, 3] -= j * (mx + la * tx)
        v[a, 4] -= j * (my + la * ty)
        v[a, 5] -= j * (mz + la * tz)


@njit(nogil=True, **JIT)
def apply_impulses(body, record, p, v):
    """v += M^-1 H^T p."""
    for c in range(body.shape[0]):
        push(body, record, c, p[c, 0], p[c, 1], p[c, 2], p[c, 3], p[c, 4], p[c, 5], p[c, 6], p[c, 7], v)


@njit(nogil=True, **JIT)
def scatter(order, p, out):
    """out[order] = p, row by row."""
    for c in range(order.shape[0]):
        at = order[c]
        for i in range(p.shape[1]):
            out[at, i] = p[c, i]


@njit(nogil=True, **JIT)
def losses(body, record, p, mean):
    """Energy [J] lost to sliding, spinning, rolling and normal impacts: impulses times mean velocities."""
    sliding, spinning, rolling, impact = 0.0, 0.0, 0.0, 0.0
    for c in range(body.shape[0]):
        if p[c, 0] == 0.0:
            continue
        un, ux, uy, uz, on, ox, oy, oz = motion(body, record, mean, c)
        sliding -= p[c, 1] * ux + p[c, 2] * uy + p[c, 3] * uz
        spinning -= p[c, 4] * on
        rolling -= p[c, 5] * ox + p[c, 6] * oy + p[c, 7] * oz
        impact -= p[c, 0] * un
    return sliding, spinning, rolling, impact


@njit(nogil=True, **JIT)
def carry_over(key, old_key, old, normal, place, p):
    """Impulses of the contacts that existed before, with friction turned into the new tangent planes.

    Keys are sorted; p is written in the order of the sweeps, at place (C,).
    """
    j = 0
    n = old_key.shape[0]
    for c in range(key.shape[0]):
        while j < n and old_key[j] < key[c]:
            j += 1
        s = place[c]
        if j == n or old_key[j] != key[c]:
            for i in range(IMPULSE):
                p[s, i] = 0.0
            continue
        p[s, 0] = old[j, 0]
        p[s, 4] = old[j, 4]
        for first in (1, 5):
            x, y, z = old[j, first], old[j, first + 1], old[j, first + 2]
            along = x * normal[c, 0] + y * normal[c, 1] + z * normal[c, 2]
            p[s, first] = x - along * normal[c, 0]
            p[s, first + 1] = y - along * normal[c, 1]
            p[s, first + 2] = z - along * normal[c, 2]


@njit(nogil=True, **JIT)
def part_spheres(body, record, v, wanted, push, shift, sweeps):
    """Shifts (B, 3) [m] that part overlapping bodies by `wanted` (C,) [m], not positive where there is room.

    Normal impulses without velocities: Gauss-Seidel on  n . (x_b - x_a) >= wanted, push >= 0.
    """
    for _ in range(sweeps):
        for c in range(body.shape[0]):
            a, b = body[c, 0], body[c, 1]
            nx, ny, nz = record[c, NX], record[c, NY], record[c, NZ]
            opened = (
                nx * (shift[b, 0] - shift[a, 0]) + ny * (shift[b, 1] - shift[a, 1]) + nz * (shift[b, 2] - shift[a, 2])
            )
            r = max(0.0, push[c] + (wanted[c] - opened) * record[c, STEP_N])
            delta = r - push[c]
            if delta == 0.0:
                continue
            push[c] = r
            for k in range(3):
                shift[b, k] += delta * v[b, PER_MASS] * record[c, k]
                shift[a, k] -= delta * v[a, PER_MASS] * record[c, k]
