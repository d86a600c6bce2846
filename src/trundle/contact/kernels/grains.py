"""The contact problem of grains, spheres and planes with laws made of disks, in vectors and without frames, compiled.

Contacts come in groups of eight that share no movable body and are visited at once, see `trundle.lanes`: a contact has a
place 8 g + l, in group g and lane l.  Places without a contact have a record that does nothing.
A contact has a record (see the fields below) and eight numbers of impulse: r_n, the friction force F (3), the spinning
moment m_s, the rolling moment M (3), in SI units and world axes.  Records are (G, 8, 8), metrics (G, 5, 8), impulses
(G, 8, 8).  Coefficients of group g are bound[bound_of[g]], bound (L + G, 3, 8): row k for groups of law k, row L + g for
a group of several laws or of lengths that are ratios.
A body has a row of eight numbers, one line of cache: velocity (3), angular velocity (3), 1 / m and 1 / I.  All fixed bodies
are one row of zeros, of which every slab has its own, after the rows of the bodies: threads do not write to the same line.
`share` matters on several threads only, see
`grain_threads`.  Never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.contact.kernels.rigid import ROUNDING
from trundle.kernels.lanes import LANES, add_rows, every, gather, larger, load, load3, root, size, store, sum_of, where
from trundle.kernels.rotations import INNER
from trundle.kernels.search import place_of
from trundle.laws.kernels.curves import JIT

LANE = {**INNER, "forceinline": True}  # functions of lanes: no way in from Python, and a call would be dear

# normal; arms of both bodies; bias; length, rho
NX, NY, NZ, ARM_A, ARM_B, BIAS, LENGTH, RHO = range(8)
RECORD = 8
# coefficients of the laws: most groups have one law, and what all of them share is not read from memory again and again
MU, MU_S, MU_R = range(3)
BOUNDS = 3
# in single precision, since they do not change what sweeps converge to: 1 / W_nn, 1 / W_tt, 1 / W_rr; 1 / length^2, 1 / rho^2
STEP_N, STEP_T, STEP_R, PER_LENGTH2, PER_RHO2 = range(5)
METRIC = 5
IMPULSE = 8
PER_MASS, PER_INERTIA, BODY = 6, 7, 8


@njit(nogil=True, **JIT)
def fill_rows(v, inverse_mass, turn, rows):
    """Rows (B + S, 8) of bodies with velocities v (B, 6), and of zeros."""
    for i in range(rows.shape[0]):
        if i >= v.shape[0]:
            for k in range(BODY):
                rows[i, k] = 0.0
            continue
        for k in range(PER_MASS):
            rows[i, k] = v[i, k]
        rows[i, PER_MASS] = inverse_mass[i]
        rows[i, PER_INERTIA] = turn[i]


@njit(**LANE)
def build_metric(body, record, metric, counts, relaxed, v, g):
    """Length, rho and the metric of group g; counts (1, 3, 8): 1 where a contact has sliding, spinning, rolling, else 0."""
    one, nought = every(1.0), every(0.0)
    _, _, ka, ja = gather(v, body, g, 0, 4)
    _, _, kb, jb = gather(v, body, g, 1, 4)
    la, lb = load(record, g, ARM_A), load(record, g, ARM_B)
    W_nn, W_rr = ka + kb, ja + jb
    there = W_nn > nought  # places without a contact get ones
    W_nn, W_rr = where(there, W_nn, one), where(there, W_rr, one)
    W_tt = W_nn + la * la * ja + lb * lb * jb
    slides, spins, rolls = load(counts, 0, 0) > nought, load(counts, 0, 1) > nought, load(counts, 0, 2) > nought
    forces, largest = where(slides, (W_nn + 2.0 * W_tt) / 3.0, W_nn), where(slides, W_tt, W_nn)
    length = root(forces / W_rr)  # W_rr length^2 is the mean of the others
    length = where(spins, length, where(rolls, length, one))
    store(record, g, LENGTH, length)
    store(record, g, RHO, one / largest)
    store(metric, g, PER_LENGTH2, one / (length * length))
    store(metric, g, PER_RHO2, largest * largest)
    if relaxed:
        # all parts are projected at once: the coupling of friction and rolling goes into both steps
        coupling = load(counts, 0, 0) * load(counts, 0, 2) * size(la * ja - lb * jb) / root(W_tt * W_rr)
        W_tt *= one + coupling
        W_rr *= one + coupling
    store(metric, g, STEP_N, one / W_nn)
    store(metric, g, STEP_T, one / W_tt)
    store(metric, g, STEP_R, one / W_rr)


@njit(nogil=True, **JIT)
def build_records(
    order, start, contact_body, normal, point, position, gap, law, disks, uses, factor, v, h, relaxed, t, body, record,
    bound, bound_of, metric,
):  # fmt: skip
    """Fill body, records, coefficients and metrics of slab t, groups start[t] to start[t + 1] - 1.

    order (8 G,): the contact at every place, -1 if none; uses, disks (L, 3): which of sliding, spinning, rolling a law has,
    and the coefficients; factor (C,): of lengths; body (G, 2, 8): rows of v.
    """
    at_rest = position.shape[0] + t
    counts = np.ones((1, 3, LANES))
    mixed = not np.all(uses)
    laws = disks.shape[0]
    for g in range(start[t], start[t + 1]):
        one = law[order[LANES * g]]  # the first place of a group is never empty
        for l in range(LANES):
            c = order[LANES * g + l]
            if c >= 0 and (law[c] != one or factor[c] != 1.0):
                one = -1
        bound_of[g] = one if one >= 0 else laws + g
        for l in range(LANES):
            c = order[LANES * g + l]
            if c < 0:
                body[g, 0, l] = body[g, 1, l] = at_rest
                for k in range(RECORD):
                    record[g, k, l] = 0.0
                if one < 0:
                    for k in range(BOUNDS):
                        bound[laws + g, k, l] = 0.0
                continue
            a, b = contact_body[c, 0], contact_body[c, 1]
            la, lb = 0.0, 0.0
            for k in range(3):
                record[g, k, l] = normal[c, k]
                la += (point[c, k] - position[a, k]) * normal[c, k]
                lb -= (point[c, k] - position[b, k]) * normal[c, k]
            if v[a, PER_MASS] == 0.0:
                a, la = at_rest, 0.0
            if v[b, PER_MASS] == 0.0:
                b, lb = at_rest, 0.0
            body[g, 0, l], body[g, 1, l] = a, b
            k = law[c]
            record[g, ARM_A, l] = la
            record[g, ARM_B, l] = lb
            record[g, BIAS, l] = max(gap[c], 0.0) / h
            if one < 0:
                bound[laws + g, MU, l] = disks[k, 0]
                bound[laws + g, MU_S, l] = disks[k, 1] * factor[c]
                bound[laws + g, MU_R, l] = disks[k, 2] * factor[c]
            if mixed:
                for i in range(3):
                    counts[0, i, l] = 1.0 if uses[k, i] else 0.0
        build_metric(body, record, metric, counts, relaxed, v, g)


@njit(nogil=True, **JIT)
def build_all(
    order, start, share, contact_body, normal, point, position, gap, law, disks, uses, factor, v, h, relaxed, body, record,
    bound, bound_of, metric,
):  # fmt: skip
    """Body, records and coefficients of all slabs."""
    for t in range(start.shape[0] - 1):
        build_records(
            order, start, contact_body, normal, point, position, gap, law, disks, uses, factor, v, h, relaxed, t, body, record,
            bound, bound_of, metric,
        )  # fmt: skip


@njit(**LANE)
def dot(ax, ay, az, bx, by, bz):
    return ax * bx + ay * by + az * bz


@njit(**LANE)
def cross(ax, ay, az, bx, by, bz):
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@njit(**LANE)
def motion(body, record, v, g):
    """u_n, u_t (3), w_n, w_t (3) of group g: relative velocity and angular velocity, normal and tangential."""
    ax, ay, az, apx = gather(v, body, g, 0, 0)
    apy, apz, _, _ = gather(v, body, g, 0, 4)
    bx, by, bz, bpx = gather(v, body, g, 1, 0)
    bpy, bpz, _, _ = gather(v, body, g, 1, 4)
    nx, ny, nz = load3(record, g, NX)
    la, lb = load(record, g, ARM_A), load(record, g, ARM_B)
    dx, dy, dz = bx - ax, by - ay, bz - az
    un = dot(nx, ny, nz, dx, dy, dz)
    sx, sy, sz = cross(lb * bpx + la * apx, lb * bpy + la * apy, lb * bpz + la * apz, nx, ny, nz)
    ox, oy, oz = bpx - apx, bpy - apy, bpz - apz
    on = dot(nx, ny, nz, ox, oy, oz)
    return (
        un, dx - un * nx - sx, dy - un * ny - sy, dz - un * nz - sz, on, ox - on * nx, oy - on * ny, oz - on * nz,
    )  # fmt: skip


@njit(nogil=True, **JIT)
def motions(body, record, v, out):
    """Relative velocities of all contacts (G, 8, 8): u_n, u_t, w_n, w_t."""
    for g in range(body.shape[0]):
        un, ux, uy, uz, on, ox, oy, oz = motion(body, record, v, g)
        store(out, g, 0, un)
        store(out, g, 1, ux)
        store(out, g, 2, uy)
        store(out, g, 3, uz)
        store(out, g, 4, on)
        store(out, g, 5, ox)
        store(out, g, 6, oy)
        store(out, g, 7, oz)


@njit(**LANE)
def body_speed(body, v, g, side, reach):
    """|v| + reach |omega| of the bodies of group g on one side."""
    x, y, z, a = gather(v, body, g, side, 0)
    b, c, _, _ = gather(v, body, g, side, 4)
    return root(dot(x, y, z, x, y, z)) + reach * root(dot(a, b, c, a, b, c))


@njit(nogil=True, **JIT)
def size_square(order, body, record, law, uses, v, first, last):
    """Sums over groups of the squares of the scaled relative velocities at v, and of the speeds that they are differences of."""
    total, speeds = every(0.0), every(0.0)
    counts = np.ones((1, 3, LANES))
    mixed = not np.all(uses)
    for g in range(first, last):
        if mixed:
            for l in range(LANES):
                c = order[LANES * g + l]
                for i in range(3):
                    counts[0, i, l] = 1.0 if c >= 0 and uses[law[c], i] else 0.0
        un, ux, uy, uz, on, ox, oy, oz = motion(body, record, v, g)
        un += load(record, g, BIAS)
        length = load(record, g, LENGTH)
        turned = load(counts, 0, 1) * on * on + load(counts, 0, 2) * dot(ox, oy, oz, ox, oy, oz)
        total += un * un + load(counts, 0, 0) * dot(ux, uy, uz, ux, uy, uz) + length * length * turned
        turns = length * larger(load(counts, 0, 1), load(counts, 0, 2))
        speed = size(load(record, g, BIAS)) + body_speed(body, v, g, 0, size(load(record, g, ARM_A)) + turns)
        speed += body_speed(body, v, g, 1, size(load(record, g, ARM_B)) + turns)
        speeds += speed * speed
    return sum_of(total), sum_of(speeds)


@njit(nogil=True, **JIT)
def size_of(start, share, order, body, record, law, uses, v):
    """Norm of the scaled relative velocities at v, to which the residual is relative, and of their rounding; slab by slab."""
    total, speeds = 0.0, 0.0
    for t in range(start.shape[0] - 1):
        part, speed = size_square(order, body, record, law, uses, v, start[t], start[t + 1])
        total += part
        speeds += speed
    return math.sqrt(total), ROUNDING * math.sqrt(speeds)


@njit(**LANE)
def cone_height(xn, t, s, m, mu, mu_s, mu_r, slide, spin, roll):
    """r_n of the projection onto the cone of a point with normal part xn and friction parts of sizes t, s, m.

    In the metric diag(1, slide, spin, roll).  The root of an increasing, concave, piecewise linear function: Newton's
    steps from the left, where all parts are cut, do not pass it.
    """
    nought, one = every(0.0), every(1.0)
    slide_mu, spin_mu, roll_mu = slide * mu, spin * mu_s, roll * mu_r
    top = xn + slide_mu * t + spin_mu * s + roll_mu * m
    outside = top <= nought
    r = larger(top / (one + slide_mu * mu + spin_mu * mu_s + roll_mu * mu_r), xn)
    for _ in range(3):
        slides, spins, rolls = t > mu * r, s > mu_s * r, m > mu_r * r
        top = xn + where(slides, slide_mu * t, nought) + where(spins, spin_mu * s, nought)
        top += where(rolls, roll_mu * m, nought)
        slope = one + where(slides, slide_mu * mu, nought) + where(spins, spin_mu * mu_s, nought)
        slope += where(rolls, roll_mu * mu_r, nought)
        r = larger(r, top / slope)
    return where(outside, nought, r)


@njit(**LANE)
def cut(length, most):
    """The factor that makes vectors of these lengths no longer than `most`."""
    return where(length > most, most / length, every(1.0))


@njit(**LANE)
def natural_point(record, bound, bound_of, relaxed, p, g, un, ux, uy, uz, on, ox, oy, oz):
    """proj_K(p - rho y) of group g, of the motion un ... oz, in the units of the contacts: r_n, F (3), m_s, M (3).

    Of the exact law as `natural.split_point`.
    """
    length, rho = load(record, g, LENGTH), load(record, g, RHO)
    per = every(1.0) / length
    b = bound_of[g]
    mu, mu_s, mu_r = load(bound, b, MU), load(bound, b, MU_S) * per, load(bound, b, MU_R) * per
    wn = length * on
    up = un + load(record, g, BIAS)
    px, py, pz = load3(p, g, 1)
    qx, qy, qz = load3(p, g, 5)
    xn = load(p, g, 0) - rho * up
    tx, ty, tz = px - rho * ux, py - rho * uy, pz - rho * uz
    xs = load(p, g, 4) * per - rho * wn
    k = rho * length
    rx, ry, rz = qx * per - k * ox, qy * per - k * oy, qz * per - k * oz
    t, s, m = root(dot(tx, ty, tz, tx, ty, tz)), size(xs), root(dot(rx, ry, rz, rx, ry, rz))
    if relaxed:
        one = every(1.0)
        r = cone_height(xn, t, s, m, mu, mu_s, mu_r, one, one, one)
    else:
        r = larger(xn, every(0.0))
    # a law without spinning or rolling has zero coefficients and zero impulses: these vanish
    ft, fs, fr = cut(t, mu * r), cut(s, mu_s * r), cut(m, mu_r * r)
    return r, ft * tx, ft * ty, ft * tz, fs * xs, fr * rx, fr * ry, fr * rz


@njit(**LANE)
def natural_part(body, record, bound, bound_of, relaxed, p, v, g):
    """|e / rho|^2 of group g, e as in `natural.natural_map`, units of the contacts."""
    r, fx, fy, fz, ms, mx, my, mz = natural_point(record, bound, bound_of, relaxed, p, g, *motion(body, record, v, g))
    per = every(1.0) / load(record, g, LENGTH)
    px, py, pz = load3(p, g, 1)
    qx, qy, qz = load3(p, g, 5)
    dn, ds = load(p, g, 0) - r, load(p, g, 4) * per - ms
    px, py, pz = px - fx, py - fy, pz - fz
    qx, qy, qz = qx * per - mx, qy * per - my, qz * per - mz
    square = dn * dn + dot(px, py, pz, px, py, pz) + ds * ds + dot(qx, qy, qz, qx, qy, qz)
    rho = load(record, g, RHO)
    return square / (rho * rho)


@njit(nogil=True, **JIT)
def natural_square(body, record, bound, bound_of, relaxed, p, v, first, last):
    """Sum of |e / rho|^2 over groups, as `natural.natural_map`."""
    total = every(0.0)
    for g in range(first, last):
        total += natural_part(body, record, bound, bound_of, relaxed, p, v, g)
    return sum_of(total)


@njit(nogil=True, **JIT)
def natural_norm(start, share, body, record, bound, bound_of, relaxed, p, v):
    """Norm of the natural map of all contacts, summed slab by slab."""
    total = 0.0
    for t in range(start.shape[0] - 1):
        total += natural_square(body, record, bound, bound_of, relaxed, p, v, start[t], start[t + 1])
    return math.sqrt(total)


@njit(**LANE)
def push(body, record, g, dn, fx, fy, fz, ds, mx, my, mz, v):
    """v += M^-1 H^T (dn, F, ds, M) of group g."""
    nx, ny, nz = load3(record, g, NX)
    la, lb = load(record, g, ARM_A), load(record, g, ARM_B)
    tx, ty, tz = cross(nx, ny, nz, fx, fy, fz)  # turns both spheres
    fx, fy, fz = fx + dn * nx, fy + dn * ny, fz + dn * nz
    mx, my, mz = mx + ds * nx, my + ds * ny, mz + ds * nz
    _, _, k, j = gather(v, body, g, 1, 4)
    add_rows(v, body, g, 1, k * fx, k * fy, k * fz, j * (mx - lb * tx), j * (my - lb * ty), j * (mz - lb * tz))
    _, _, k, j = gather(v, body, g, 0, 4)
    k, j = -k, -j
    add_rows(v, body, g, 0, k * fx, k * fy, k * fz, j * (mx + la * tx), j * (my + la * ty), j * (mz + la * tz))


@njit(nogil=True, **JIT)
def apply_range(body, record, p, v, first, last):
    """v += M^-1 H^T p of groups first to last - 1."""
    for g in range(first, last):
        fx, fy, fz = load3(p, g, 1)
        mx, my, mz = load3(p, g, 5)
        push(body, record, g, load(p, g, 0), fx, fy, fz, load(p, g, 4), mx, my, mz, v)


@njit(nogil=True, **JIT)
def apply_impulses(start, share, body, record, p, v):
    """v += M^-1 H^T p."""
    apply_range(body, record, p, v, 0, body.shape[0])


@njit(nogil=True, **JIT)
def slab_losses(body, record, p, mean, first, last, out):
    """Energy [J] lost to sliding, spinning, rolling and impacts by groups first to last - 1, into out (4,); see `losses`."""
    nought = every(0.0)
    sliding, spinning, rolling, impact = nought, nought, nought, nought
    for g in range(first, last):
        un, ux, uy, uz, on, ox, oy, oz = motion(body, record, mean, g)
        fx, fy, fz = load3(p, g, 1)
        mx, my, mz = load3(p, g, 5)
        slid, spun, rolled = -dot(fx, fy, fz, ux, uy, uz), -(load(p, g, 4) * on), -dot(mx, my, mz, ox, oy, oz)
        lost = larger(slid, nought), larger(spun, nought), larger(rolled, nought)
        sliding, spinning, rolling = sliding + lost[0], spinning + lost[1], rolling + lost[2]
        impact += (slid - lost[0]) + (spun - lost[1]) + (rolled - lost[2]) - load(p, g, 0) * un
    out[0], out[1], out[2], out[3] = sum_of(sliding), sum_of(spinning), sum_of(rolling), sum_of(impact)


@njit(nogil=True, **JIT)
def losses(start, share, body, record, p, mean, parts):
    """Energy [J] lost to sliding, spinning, rolling and impacts in every slab, parts (S, 4).

    Impulses times mean velocities, rows of 8.  What friction gives where it turns a contact around counts with the impacts, as
    in `step.kernels.finish.losses`.
    """
    for t in range(start.shape[0] - 1):
        slab_losses(body, record, p, mean, start[t], start[t + 1], parts[t])


@njit(nogil=True, **JIT)
def rows_range(order, p, first, last, out):
    """Rows (C, 8) of the contacts at places first to last - 1."""
    for s in range(first, last):
        if order[s] >= 0:
            for i in range(IMPULSE):
                out[order[s], i] = p[s // LANES, i, s % LANES]


@njit(nogil=True, **JIT)
def in_rows(start, share, order, p, out):
    """Impulses of the contacts, (C, 8), from those at their places."""
    rows_range(order, p, 0, order.shape[0], out)


@njit(nogil=True, **JIT)
def carry_range(key, old_key, old, normal, place, p, first, last):
    """See `carry_over`: contacts first to last - 1."""
    n = old_key.shape[0]
    j = place_of(old_key, n, key[first]) if first < last else n
    for c in range(first, last):
        while j < n and old_key[j] < key[c]:
            j += 1
        if j == n or old_key[j] != key[c]:
            continue
        g, l = place[c] // LANES, place[c] % LANES
        p[g, 0, l] = old[j, 0]
        p[g, 4, l] = old[j, 4]
        for k in (1, 5):
            x, y, z = old[j, k], old[j, k + 1], old[j, k + 2]
            along = x * normal[c, 0] + y * normal[c, 1] + z * normal[c, 2]
            p[g, k, l] = x - along * normal[c, 0]
            p[g, k + 1, l] = y - along * normal[c, 1]
            p[g, k + 2, l] = z - along * normal[c, 2]


@njit(nogil=True, **JIT)
def carry_over(start, share, key, old_key, old, normal, place, p):
    """Impulses of the contacts that existed before, with friction turned into the new tangent planes.

    Keys are sorted; p is written at place (C,), and zero elsewhere.
    """
    p[:] = 0.0
    carry_range(key, old_key, old, normal, place, p, 0, key.shape[0])


@njit(nogil=True, **JIT)
def part_spheres(order, body, record, metric, v, wanted, push, shift, sweeps):
    """Shifts (B, 3) [m] that part overlapping bodies by `wanted` (C,) [m], not positive where there is room.

    Normal impulses without velocities: Gauss-Seidel on  n . (x_b - x_a) >= wanted, push >= 0.
    """
    for _ in range(sweeps):
        for s in range(order.shape[0]):
            c, g, l = order[s], s // LANES, s % LANES
            if c < 0:
                continue
            a, b = body[g, 0, l], body[g, 1, l]
            nx, ny, nz = record[g, NX, l], record[g, NY, l], record[g, NZ, l]
            opened = (
                nx * (shift[b, 0] - shift[a, 0]) + ny * (shift[b, 1] - shift[a, 1]) + nz * (shift[b, 2] - shift[a, 2])
            )
            r = max(0.0, push[c] + (wanted[c] - opened) * metric[g, STEP_N, l])
            delta = r - push[c]
            if delta == 0.0:
                continue
            push[c] = r
            for k in range(3):
                shift[b, k] += delta * v[b, PER_MASS] * record[g, k, l]
                shift[a, k] -= delta * v[a, PER_MASS] * record[g, k, l]
