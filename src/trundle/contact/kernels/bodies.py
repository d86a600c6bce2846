"""Contacts of bodies of any shape with laws made of disks, eight at a time, compiled; see `trundle.kernels.lanes`.

A contact has a place 8 g + l, in group g and lane l; contacts of a group share no movable body, and places without a contact
have a record that does nothing.  Records are (G, RECORD, 8); impulses p (G, 6, 8) are in SI units along and about n, t1, t2.
A body has two rows of eight numbers: v: velocity (3), angular velocity (3), 1 / m; and J_rows: its inverse inertia in the world
frame, xx, xy, xz, yy, yz, zz.  Fixed bodies are the last row, of zeros.  Never raises.
"""

from __future__ import annotations

from numba import njit

from trundle.contact.kernels.grains import LANE, body_speed, cone_height, cross, cut, dot
from trundle.kernels.lanes import LANES, add_rows, every, gather, larger, load, load3, root, size, store, sum_of, where
from trundle.laws.kernels.curves import JIT

(
    NX, NY, NZ, TX, TY, TZ, AX, AY, AZ, BX, BY, BZ, BIAS_N, BIAS_1, BIAS_2, BIAS_S, BIAS_R1, BIAS_R2, MU, MU_S, MU_R, STEP_N,
    STEP_T, STEP_S, STEP_R, N_1, N_2, S_1, S_2, LENGTH, RHO, USE_T, USE_S, USE_R,
) = range(34)  # fmt: skip
RECORD = 34
PER_MASS = 6
WINDOW = 62  # groups that are filled at a time


@njit(nogil=True, **JIT)
def fill_rows(v, inverse_mass, J, rows, J_rows):
    """Rows of bodies with velocities v (B, 6), and the last one of zeros."""
    B = inverse_mass.shape[0]
    for k in range(8):
        rows[B, k] = 0.0
        J_rows[B, k] = 0.0
    for i in range(B):
        for k in range(6):
            rows[i, k] = v[i, k]
        rows[i, PER_MASS] = inverse_mass[i]
        rows[i, 7] = 0.0
        J_rows[i, 0], J_rows[i, 1], J_rows[i, 2] = J[i, 0, 0], J[i, 0, 1], J[i, 0, 2]
        J_rows[i, 3], J_rows[i, 4], J_rows[i, 5] = J[i, 1, 1], J[i, 1, 2], J[i, 2, 2]


@njit(nogil=True, **JIT)
def group(n, joints, body, inverse_mass, in_lanes, law, rows, taken, filled, place, listed):
    """Give contacts places in groups of eight that share no movable body; those that are not for lanes are listed.

    in_lanes (L,): laws that are; place (C,): -1 if listed; listed: numbers joints + c.  Groups are filled in windows of 62:
    taken (B,) has a bit for every group of the window that a body is in.  Contacts that carry nothing in rows (N, 6) come last,
    in groups of their own, which sweeps leave out most of the time.  Returns groups and listed ones.
    """
    groups, others = 0, 0
    for c in range(n):
        place[c] = 0
        if not in_lanes[law[c]]:
            place[c] = -1
            listed[others] = joints + c
            others += 1
    for turn in range(2):
        for i in range(taken.shape[0]):
            taken[i] = 0
        first, full = groups, 0
        for c in range(n):
            if place[c] < 0 or (rows[joints + c, 0] > 0.0) != (turn == 0):
                continue
            a, b = body[c, 0], body[c, 1]
            used = full
            if inverse_mass[a] > 0.0:
                used |= taken[a]
            if inverse_mass[b] > 0.0:
                used |= taken[b]
            k = 0
            while (used >> k) & 1:
                k += 1
            if k >= WINDOW:
                for i in range(taken.shape[0]):
                    taken[i] = 0
                first, full, k = groups, 0, 0
            g = first + k
            if g == groups:
                filled[g] = 0
                groups += 1
            place[c] = LANES * g + filled[g]
            filled[g] += 1
            taken[a] |= 1 << k
            taken[b] |= 1 << k
            if filled[g] == LANES:
                full |= 1 << k
    return groups, others


@njit(nogil=True, **JIT)
def fill_records(n, joints, groups, place, body, moves, frame, arm, bias, law, disks, parts, factor, lane_body, record):
    """What contacts bring: frames, arms, bias, coefficients.

    moves (B,): bodies that have a row of their own; disks, parts (L, 3): coefficients of sliding, spinning and rolling, and
    which of them a law has; factor (C,): of lengths.
    """
    at_rest = moves.shape[0]
    for g in range(groups):
        for l in range(LANES):
            lane_body[g, 0, l] = at_rest
            lane_body[g, 1, l] = at_rest
            for k in range(RECORD):
                record[g, k, l] = 0.0
    for c in range(n):
        if place[c] < 0:
            continue
        g, l = place[c] // LANES, place[c] % LANES
        i = joints + c
        for side in range(2):
            b = body[c, side]
            lane_body[g, side, l] = b if moves[b] else at_rest
            for k in range(3):
                record[g, AX + 3 * side + k, l] = arm[i, side, k]
        for k in range(3):
            record[g, NX + k, l] = frame[i, 0, k]
            record[g, TX + k, l] = frame[i, 1, k]
            record[g, BIAS_N + k, l] = bias[i, k]
            record[g, BIAS_S + k, l] = bias[i, 3 + k]
        record[g, MU, l] = disks[law[c], 0]
        record[g, MU_S, l] = disks[law[c], 1] * factor[c]
        record[g, MU_R, l] = disks[law[c], 2] * factor[c]
        for k in range(3):
            record[g, USE_T + k, l] = 1.0 if parts[law[c], k] else 0.0


@njit(**LANE)
def times(j0, j1, j2, j3, j4, j5, x, y, z):
    """A symmetric tensor, xx, xy, xz, yy, yz, zz, times a vector."""
    return j0 * x + j1 * y + j2 * z, j1 * x + j3 * y + j4 * z, j2 * x + j4 * y + j5 * z


@njit(**LANE)
def tensor(J_rows, body, g, side):
    j0, j1, j2, j3 = gather(J_rows, body, g, side, 0)
    j4, j5, _, _ = gather(J_rows, body, g, side, 4)
    return j0, j1, j2, j3, j4, j5


@njit(**LANE)
def largest_of(a, b, c):
    """Largest eigenvalue of the symmetric matrix a, b; b, c."""
    half = 0.5 * (a - c)
    return 0.5 * (a + c) + root(half * half + b * b)


@njit(nogil=True, **JIT)
def build_metric(groups, body, record, v, J_rows, relaxed):
    """Steps of the parts of every contact, how its parts couple, its length and rho, from its own block of W."""
    one, nought = every(1.0), every(0.0)
    for g in range(groups):
        nx, ny, nz = load3(record, g, NX)
        tx, ty, tz = load3(record, g, TX)
        sx, sy, sz = cross(nx, ny, nz, tx, ty, tz)
        nn, n1, n2, w11, w12, w22 = nought, nought, nought, nought, nought, nought
        ss, s1, s2, r11, r12, r22 = nought, nought, nought, nought, nought, nought
        mixed = nought
        for side in range(2):
            _, _, k, _ = gather(v, body, g, side, 4)
            j0, j1, j2, j3, j4, j5 = tensor(J_rows, body, g, side)
            ax, ay, az = load3(record, g, AX + 3 * side)
            cx, cy, cz = cross(ax, ay, az, nx, ny, nz)
            dx, dy, dz = cross(ax, ay, az, tx, ty, tz)
            ex, ey, ez = cross(ax, ay, az, sx, sy, sz)
            px, py, pz = times(j0, j1, j2, j3, j4, j5, cx, cy, cz)
            qx, qy, qz = times(j0, j1, j2, j3, j4, j5, dx, dy, dz)
            ox, oy, oz = times(j0, j1, j2, j3, j4, j5, ex, ey, ez)
            nn += k + dot(cx, cy, cz, px, py, pz)
            n1 += dot(dx, dy, dz, px, py, pz)
            n2 += dot(ex, ey, ez, px, py, pz)
            w11 += k + dot(dx, dy, dz, qx, qy, qz)
            w12 += dot(ex, ey, ez, qx, qy, qz)
            w22 += k + dot(ex, ey, ez, ox, oy, oz)
            if relaxed:
                mixed += size(dot(nx, ny, nz, px, py, pz)) + size(dot(tx, ty, tz, px, py, pz))
                mixed += size(dot(sx, sy, sz, px, py, pz)) + size(dot(nx, ny, nz, qx, qy, qz))
                mixed += size(dot(tx, ty, tz, qx, qy, qz)) + size(dot(sx, sy, sz, qx, qy, qz))
                mixed += size(dot(nx, ny, nz, ox, oy, oz)) + size(dot(tx, ty, tz, ox, oy, oz))
                mixed += size(dot(sx, sy, sz, ox, oy, oz))
            px, py, pz = times(j0, j1, j2, j3, j4, j5, nx, ny, nz)
            qx, qy, qz = times(j0, j1, j2, j3, j4, j5, tx, ty, tz)
            ox, oy, oz = times(j0, j1, j2, j3, j4, j5, sx, sy, sz)
            ss += dot(nx, ny, nz, px, py, pz)
            s1 += dot(tx, ty, tz, px, py, pz)
            s2 += dot(sx, sy, sz, px, py, pz)
            r11 += dot(tx, ty, tz, qx, qy, qz)
            r12 += dot(sx, sy, sz, qx, qy, qz)
            r22 += dot(sx, sy, sz, ox, oy, oz)
        there = nn > nought  # places without a contact get ones
        slides = load(record, g, USE_T) > nought
        spins, rolls = load(record, g, USE_S) > nought, load(record, g, USE_R) > nought
        nn, w11, w22 = where(there, nn, one), where(there, w11, one), where(there, w22, one)
        ss, r11, r22 = where(there, ss, one), where(there, r11, one), where(there, r22, one)
        forces = where(slides, (nn + w11 + w22) / 3.0, nn)
        moments = where(spins, where(rolls, (ss + r11 + r22) / 3.0, ss), 0.5 * (r11 + r22))
        length = where(spins, root(forces / moments), where(rolls, root(forces / moments), one))
        largest = larger(nn, where(slides, larger(w11, w22), nought))
        square = length * length
        largest = larger(largest, where(spins, square * ss, nought))
        largest = larger(largest, where(rolls, square * larger(r11, r22), nought))
        step_t, step_r = one / largest_of(w11, w12, w22), one / largest_of(r11, r12, r22)
        step_n, step_s = one / nn, one / ss
        if relaxed:  # all parts are projected at once: a bound of what couples them goes into all steps
            parts = size(n1) + size(n2)
            bound = one + parts * root(step_n * step_t) + (size(s1) + size(s2)) * root(step_s * step_r)
            bound += where(spins, mixed * root(larger(step_n, step_t) * larger(step_s, step_r)),
                           where(rolls, mixed * root(larger(step_n, step_t) * step_r), nought))  # fmt: skip
            step_n, step_t, step_s, step_r = step_n / bound, step_t / bound, step_s / bound, step_r / bound
        store(record, g, STEP_N, step_n)
        store(record, g, STEP_T, step_t)
        store(record, g, STEP_S, step_s)
        store(record, g, STEP_R, step_r)
        store(record, g, N_1, n1)
        store(record, g, N_2, n2)
        store(record, g, S_1, s1)
        store(record, g, S_2, s2)
        store(record, g, LENGTH, length)
        store(record, g, RHO, one / largest)


@njit(**LANE)
def motion(body, record, v, g):
    """u (3), w (3): relative velocity of the contact points, and relative angular velocity, world frame."""
    ax, ay, az, apx = gather(v, body, g, 0, 0)
    apy, apz, _, _ = gather(v, body, g, 0, 4)
    bx, by, bz, bpx = gather(v, body, g, 1, 0)
    bpy, bpz, _, _ = gather(v, body, g, 1, 4)
    lx, ly, lz = load3(record, g, AX)
    mx, my, mz = load3(record, g, BX)
    cx, cy, cz = cross(apx, apy, apz, lx, ly, lz)
    dx, dy, dz = cross(bpx, bpy, bpz, mx, my, mz)
    return bx + dx - ax - cx, by + dy - ay - cy, bz + dz - az - cz, bpx - apx, bpy - apy, bpz - apz


@njit(**LANE)
def push(body, record, v, J_rows, g, fx, fy, fz, mx, my, mz):
    """v += M^-1 H^T (F, M) of group g."""
    for side in range(2):
        _, _, k, _ = gather(v, body, g, side, 4)
        j0, j1, j2, j3, j4, j5 = tensor(J_rows, body, g, side)
        ax, ay, az = load3(record, g, AX + 3 * side)
        tx, ty, tz = cross(ax, ay, az, fx, fy, fz)
        ox, oy, oz = times(j0, j1, j2, j3, j4, j5, tx + mx, ty + my, tz + mz)
        if side == 0:
            add_rows(v, body, g, side, -k * fx, -k * fy, -k * fz, -ox, -oy, -oz)
        else:
            add_rows(v, body, g, side, k * fx, k * fy, k * fz, ox, oy, oz)


@njit(nogil=True, **JIT)
def apply_impulses(groups, body, record, J_rows, p, v):
    """v += M^-1 H^T p."""
    for g in range(groups):
        nx, ny, nz = load3(record, g, NX)
        tx, ty, tz = load3(record, g, TX)
        sx, sy, sz = cross(nx, ny, nz, tx, ty, tz)
        r, f1, f2 = load3(p, g, 0)
        s, m1, m2 = load3(p, g, 3)
        push(
            body, record, v, J_rows, g, r * nx + f1 * tx + f2 * sx, r * ny + f1 * ty + f2 * sy,
            r * nz + f1 * tz + f2 * sz, s * nx + m1 * tx + m2 * sx, s * ny + m1 * ty + m2 * sy, s * nz + m1 * tz + m2 * sz,
        )  # fmt: skip


@njit(**LANE)
def in_frame(record, g, x, y, z):
    """Components of a vector along n, t1, t2."""
    nx, ny, nz = load3(record, g, NX)
    tx, ty, tz = load3(record, g, TX)
    sx, sy, sz = cross(nx, ny, nz, tx, ty, tz)
    return dot(nx, ny, nz, x, y, z), dot(tx, ty, tz, x, y, z), dot(sx, sy, sz, x, y, z)


@njit(**LANE)
def scaled_motion(body, record, v, g):
    """Velocities of the rows of group g with their bias, those of moments times the length."""
    ux, uy, uz, wx, wy, wz = motion(body, record, v, g)
    un, u1, u2 = in_frame(record, g, ux, uy, uz)
    ws, w1, w2 = in_frame(record, g, wx, wy, wz)
    length, bn, b1, b2 = (
        load(record, g, LENGTH),
        load(record, g, BIAS_N),
        load(record, g, BIAS_1),
        load(record, g, BIAS_2),
    )
    bs, c1, c2 = load3(record, g, BIAS_S)
    return un + bn, u1 + b1, u2 + b2, length * (ws + bs), length * (w1 + c1), length * (w2 + c2)


@njit(nogil=True, **JIT)
def natural_square(groups, body, record, relaxed, p, v):
    """Sum of |e / rho|^2 over all groups, as `natural.natural_map`, units of the contacts."""
    total, one = every(0.0), every(1.0)
    for g in range(groups):
        un, u1, u2, ws, w1, w2 = scaled_motion(body, record, v, g)
        rho, per = load(record, g, RHO), one / load(record, g, LENGTH)
        mu, mu_s, mu_r = load(record, g, MU), load(record, g, MU_S) * per, load(record, g, MU_R) * per
        r, f1, f2 = load3(p, g, 0)
        s, m1, m2 = load3(p, g, 3)
        s, m1, m2 = s * per, m1 * per, m2 * per
        x1, x2, xs, y1, y2 = f1 - rho * u1, f2 - rho * u2, s - rho * ws, m1 - rho * w1, m2 - rho * w2
        t, m = root(x1 * x1 + x2 * x2), root(y1 * y1 + y2 * y2)
        if relaxed:
            height = cone_height(r - rho * un, t, size(xs), m, mu, mu_s, mu_r, one, one, one)
        else:
            height = larger(r - rho * un, every(0.0))
        ft, fs, fr = cut(t, mu * height), cut(size(xs), mu_s * height), cut(m, mu_r * height)
        dn, d1, d2 = r - height, f1 - ft * x1, f2 - ft * x2
        ds, e1, e2 = s - fs * xs, m1 - fr * y1, m2 - fr * y2
        total += (dn * dn + d1 * d1 + d2 * d2 + ds * ds + e1 * e1 + e2 * e2) / (rho * rho)
    return sum_of(total)


@njit(nogil=True, **JIT)
def size_square(groups, body, record, v):
    """Sums of the squares of the scaled relative velocities at v, and of the speeds that they are differences of."""
    total, speeds = every(0.0), every(0.0)
    for g in range(groups):
        un, u1, u2, ws, w1, w2 = scaled_motion(body, record, v, g)
        spins, rolls = load(record, g, USE_S), load(record, g, USE_R)
        total += un * un + load(record, g, USE_T) * (u1 * u1 + u2 * u2) + spins * ws * ws + rolls * (w1 * w1 + w2 * w2)
        turns = load(record, g, LENGTH) * larger(spins, rolls)
        speed = size(load(record, g, BIAS_N)) + size(load(record, g, BIAS_1)) + size(load(record, g, BIAS_2))
        for side in range(2):
            ax, ay, az = load3(record, g, AX + 3 * side)
            speed += body_speed(body, v, g, side, root(dot(ax, ay, az, ax, ay, az)) + turns)
        speeds += speed * speed
    return sum_of(total), sum_of(speeds)


@njit(nogil=True, **JIT)
def pack(n, joints, groups, place, rows, p):
    """Impulses (G, 6, 8) of the contacts in lanes from rows (N, 6)."""
    for g in range(groups):
        for k in range(6):
            for l in range(LANES):
                p[g, k, l] = 0.0
    for c in range(n):
        if place[c] >= 0:
            for k in range(6):
                p[place[c] // LANES, k, place[c] % LANES] = rows[joints + c, k]


@njit(nogil=True, **JIT)
def unpack(n, joints, place, p, rows):
    """The inverse of `pack`."""
    for c in range(n):
        if place[c] >= 0:
            for k in range(6):
                rows[joints + c, k] = p[place[c] // LANES, k, place[c] % LANES]
