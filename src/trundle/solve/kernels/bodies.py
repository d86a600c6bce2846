"""Gauss-Seidel sweeps over the contacts of bodies, eight at a time, compiled; see `contact.kernels.bodies`.  Never raises.

A contact is extrapolated when it is visited, from its impulses p after the last sweep and `before` after the one before it; new
impulses are written to `before`: after every sweep the two change their roles.
"""

from __future__ import annotations

from numba import njit

from trundle.contact.kernels.bodies import (
    AX,
    BIAS_1,
    BIAS_2,
    BIAS_N,
    BIAS_R1,
    BIAS_R2,
    BIAS_S,
    BX,
    LENGTH,
    MU,
    MU_R,
    MU_S,
    N_1,
    N_2,
    NX,
    RHO,
    S_1,
    S_2,
    STEP_N,
    STEP_R,
    STEP_S,
    STEP_T,
    TX,
    in_frame,
    motion,
    push,
    scaled_motion,
    tensor,
    times,
)
from trundle.contact.kernels.grains import LANE, cone_height, cross, cut, dot
from trundle.kernels.lanes import add_rows, every, gather, larger, load, load3, root, size, smaller, some, store, sum_of
from trundle.laws.kernels.curves import JIT

CALM_STEP = 0.85  # of rho


@njit(**LANE)
def extrapolated(p, before, beta, g, k):
    x = load(p, g, k)
    return x, x + beta * (x - load(before, g, k))


@njit(**LANE)
def put_and_push(body, record, J_rows, g, p, v, r, f1, f2, s, m1, m2, dn, d1, d2, ds, g1, g2):
    """Write the impulses of group g, and apply their changes."""
    store(p, g, 0, r)
    store(p, g, 1, f1)
    store(p, g, 2, f2)
    store(p, g, 3, s)
    store(p, g, 4, m1)
    store(p, g, 5, m2)
    nx, ny, nz = load3(record, g, NX)
    tx, ty, tz = load3(record, g, TX)
    sx, sy, sz = cross(nx, ny, nz, tx, ty, tz)
    push(
        body, record, v, J_rows, g, dn * nx + d1 * tx + d2 * sx, dn * ny + d1 * ty + d2 * sy,
        dn * nz + d1 * tz + d2 * sz, ds * nx + g1 * tx + g2 * sx, ds * ny + g1 * ty + g2 * sy,
        ds * nz + g1 * tz + g2 * sz,
    )  # fmt: skip


@njit(nogil=True, **JIT)
def sweep_exact(groups, body, record, J_rows, beta, everyone, p, before, v):
    """Visit all groups, or those alone that carry something; v: velocities of the extrapolated impulses, changed in place.

    Normal part, sliding, spinning, rolling, one after the other, each with the step of its own block and projected onto its
    part of r_n C.  Returns the square of the change in units of velocity, and the restart test, (extrapolated - new) . (new - p).
    """
    nought = every(0.0)
    total, against = nought, nought
    for g in range(groups):
        pn, bn = load(p, g, 0), load(before, g, 0)
        if not (everyone or some(pn + bn > nought)):
            continue
        ax, ay, az, apx = gather(v, body, g, 0, 0)
        apy, apz, ka, _ = gather(v, body, g, 0, 4)
        bx, by, bz, bpx = gather(v, body, g, 1, 0)
        bpy, bpz, kb, _ = gather(v, body, g, 1, 4)
        lx, ly, lz = load3(record, g, AX)
        mx, my, mz = load3(record, g, BX)
        cx, cy, cz = cross(apx, apy, apz, lx, ly, lz)
        dx, dy, dz = cross(bpx, bpy, bpz, mx, my, mz)
        ux, uy, uz = bx + dx - ax - cx, by + dy - ay - cy, bz + dz - az - cz
        nx, ny, nz = load3(record, g, NX)
        en = pn + beta * (pn - bn)
        r = larger(nought, en - load(record, g, STEP_N) * (dot(nx, ny, nz, ux, uy, uz) + load(record, g, BIAS_N)))
        if not some(r + pn + bn > nought):
            continue
        tx, ty, tz = load3(record, g, TX)
        sx, sy, sz = cross(nx, ny, nz, tx, ty, tz)
        dn = r - en
        p1, e1 = extrapolated(p, before, beta, g, 1)
        p2, e2 = extrapolated(p, before, beta, g, 2)
        step = load(record, g, STEP_T)
        f1 = e1 - step * (dot(tx, ty, tz, ux, uy, uz) + load(record, g, BIAS_1) + load(record, g, N_1) * dn)
        f2 = e2 - step * (dot(sx, sy, sz, ux, uy, uz) + load(record, g, BIAS_2) + load(record, g, N_2) * dn)
        factor = cut(root(f1 * f1 + f2 * f2), load(record, g, MU) * r)
        f1, f2 = factor * f1, factor * f2
        store(before, g, 0, r)
        store(before, g, 1, f1)
        store(before, g, 2, f2)
        d1, d2 = f1 - e1, f2 - e2
        straight = dn * (r - pn) + d1 * (f1 - p1) + d2 * (f2 - p2)
        moved = dn * dn + d1 * d1 + d2 * d2
        fx, fy, fz = dn * nx + d1 * tx + d2 * sx, dn * ny + d1 * ty + d2 * sy, dn * nz + d1 * tz + d2 * sz
        a0, a1, a2, a3, a4, a5 = tensor(J_rows, body, g, 0)
        b0, b1, b2, b3, b4, b5 = tensor(J_rows, body, g, 1)
        cx, cy, cz = cross(lx, ly, lz, fx, fy, fz)
        dx, dy, dz = cross(mx, my, mz, fx, fy, fz)
        cx, cy, cz = times(a0, a1, a2, a3, a4, a5, cx, cy, cz)
        dx, dy, dz = times(b0, b1, b2, b3, b4, b5, dx, dy, dz)
        mu_s, mu_r = load(record, g, MU_S), load(record, g, MU_R)
        square = load(record, g, RHO)
        square = every(1.0) / (square * square)
        if some(mu_s + mu_r > nought):
            wx, wy, wz = bpx - apx + dx + cx, bpy - apy + dy + cy, bpz - apz + dz + cz
            ps, es = extrapolated(p, before, beta, g, 3)
            most = mu_s * r
            s = es - load(record, g, STEP_S) * (dot(nx, ny, nz, wx, wy, wz) + load(record, g, BIAS_S))
            s = smaller(larger(s, -most), most)
            ds = s - es
            q1, g1 = extrapolated(p, before, beta, g, 4)
            q2, g2 = extrapolated(p, before, beta, g, 5)
            step = load(record, g, STEP_R)
            m1 = g1 - step * (dot(tx, ty, tz, wx, wy, wz) + load(record, g, BIAS_R1) + load(record, g, S_1) * ds)
            m2 = g2 - step * (dot(sx, sy, sz, wx, wy, wz) + load(record, g, BIAS_R2) + load(record, g, S_2) * ds)
            factor = cut(root(m1 * m1 + m2 * m2), mu_r * r)
            m1, m2 = factor * m1, factor * m2
            store(before, g, 3, s)
            store(before, g, 4, m1)
            store(before, g, 5, m2)
            g1, g2 = m1 - g1, m2 - g2
            per = load(record, g, LENGTH)
            per = every(1.0) / (per * per)
            straight += per * (ds * (s - ps) + g1 * (m1 - q1) + g2 * (m2 - q2))
            moved += per * (ds * ds + g1 * g1 + g2 * g2)
            ox, oy, oz = ds * nx + g1 * tx + g2 * sx, ds * ny + g1 * ty + g2 * sy, ds * nz + g1 * tz + g2 * sz
            ex, ey, ez = times(a0, a1, a2, a3, a4, a5, ox, oy, oz)
            cx, cy, cz = cx + ex, cy + ey, cz + ez
            ex, ey, ez = times(b0, b1, b2, b3, b4, b5, ox, oy, oz)
            dx, dy, dz = dx + ex, dy + ey, dz + ez
        against -= straight
        total += square * moved
        add_rows(v, body, g, 1, kb * fx, kb * fy, kb * fz, dx, dy, dz)
        add_rows(v, body, g, 0, -ka * fx, -ka * fy, -ka * fz, -cx, -cy, -cz)
    return sum_of(total), sum_of(against)


@njit(nogil=True, **JIT)
def sweep_calm(groups, body, record, J_rows, beta, everyone, p, before, v):
    """The same with steps of the natural map: all parts of a contact at once, each with the step rho of the contact.

    Somewhat slower than `sweep_exact`, but where that goes round in circles these sweeps usually find the end.
    """
    total, against, one, nought = every(0.0), every(0.0), every(1.0), every(0.0)
    for g in range(groups):
        pn, en = extrapolated(p, before, beta, g, 0)
        if not (everyone or some(pn + load(before, g, 0) > nought)):
            continue
        un, u1, u2, ws, w1, w2 = scaled_motion(body, record, v, g)
        rho = CALM_STEP * load(record, g, RHO)
        r = larger(en - rho * un, nought)
        if not some(r + pn + load(before, g, 0) > nought):
            continue
        length = load(record, g, LENGTH)
        per = one / length
        p1, e1 = extrapolated(p, before, beta, g, 1)
        p2, e2 = extrapolated(p, before, beta, g, 2)
        ps, es = extrapolated(p, before, beta, g, 3)
        q1, g1 = extrapolated(p, before, beta, g, 4)
        q2, g2 = extrapolated(p, before, beta, g, 5)
        step = rho * length
        f1, f2, s, m1, m2 = e1 - rho * u1, e2 - rho * u2, es - step * ws, g1 - step * w1, g2 - step * w2
        factor = cut(root(f1 * f1 + f2 * f2), load(record, g, MU) * r)
        f1, f2 = factor * f1, factor * f2
        most = load(record, g, MU_S) * r
        s = smaller(larger(s, -most), most)
        factor = cut(root(m1 * m1 + m2 * m2), load(record, g, MU_R) * r)
        m1, m2 = factor * m1, factor * m2
        dn, d1, d2, ds, g1, g2 = r - en, f1 - e1, f2 - e2, s - es, m1 - g1, m2 - g2
        per, square = per * per, load(record, g, RHO)
        against -= dn * (r - pn) + d1 * (f1 - p1) + d2 * (f2 - p2)
        against -= per * (ds * (s - ps) + g1 * (m1 - q1) + g2 * (m2 - q2))
        total += (dn * dn + d1 * d1 + d2 * d2 + per * (ds * ds + g1 * g1 + g2 * g2)) / (square * square)
        put_and_push(body, record, J_rows, g, before, v, r, f1, f2, s, m1, m2, dn, d1, d2, ds, g1, g2)
    return sum_of(total), sum_of(against)


@njit(nogil=True, **JIT)
def sweep_relaxed(groups, body, record, J_rows, beta, p, before, v):
    """The same for the relaxed problem: all parts of a contact at once, projected onto its cone in the metric of its steps."""
    total, against = every(0.0), every(0.0)
    for g in range(groups):
        ux, uy, uz, wx, wy, wz = motion(body, record, v, g)
        un, u1, u2 = in_frame(record, g, ux, uy, uz)
        ws, w1, w2 = in_frame(record, g, wx, wy, wz)
        step_n, step_t = load(record, g, STEP_N), load(record, g, STEP_T)
        step_s, step_r = load(record, g, STEP_S), load(record, g, STEP_R)
        pn, en = extrapolated(p, before, beta, g, 0)
        p1, e1 = extrapolated(p, before, beta, g, 1)
        p2, e2 = extrapolated(p, before, beta, g, 2)
        ps, es = extrapolated(p, before, beta, g, 3)
        q1, g1 = extrapolated(p, before, beta, g, 4)
        q2, g2 = extrapolated(p, before, beta, g, 5)
        f1 = e1 - step_t * (u1 + load(record, g, BIAS_1))
        f2 = e2 - step_t * (u2 + load(record, g, BIAS_2))
        s = es - step_s * (ws + load(record, g, BIAS_S))
        m1 = g1 - step_r * (w1 + load(record, g, BIAS_R1))
        m2 = g2 - step_r * (w2 + load(record, g, BIAS_R2))
        t, m = root(f1 * f1 + f2 * f2), root(m1 * m1 + m2 * m2)
        mu, mu_s, mu_r = load(record, g, MU), load(record, g, MU_S), load(record, g, MU_R)
        r = cone_height(
            en - step_n * (un + load(record, g, BIAS_N)), t, size(s), m, mu, mu_s, mu_r, step_n / step_t, step_n / step_s,
            step_n / step_r,
        )  # fmt: skip
        factor = cut(t, mu * r)
        f1, f2 = factor * f1, factor * f2
        s = smaller(larger(s, -mu_s * r), mu_s * r)
        factor = cut(m, mu_r * r)
        m1, m2 = factor * m1, factor * m2
        dn, d1, d2, ds, g1, g2 = r - en, f1 - e1, f2 - e2, s - es, m1 - g1, m2 - g2
        per, square = load(record, g, LENGTH), load(record, g, RHO)
        per = every(1.0) / (per * per)
        against -= dn * (r - pn) + d1 * (f1 - p1) + d2 * (f2 - p2)
        against -= per * (ds * (s - ps) + g1 * (m1 - q1) + g2 * (m2 - q2))
        total += (dn * dn + d1 * d1 + d2 * d2 + per * (ds * ds + g1 * g1 + g2 * g2)) / (square * square)
        put_and_push(body, record, J_rows, g, before, v, r, f1, f2, s, m1, m2, dn, d1, d2, ds, g1, g2)
    return sum_of(total), sum_of(against)
