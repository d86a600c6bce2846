"""Loads of one contact with history friction, compiled: normal spring, stiffnesses, and friction returned to the law's section.

Fang & Negrut (2020), section 3 and appendix C.  Deflections and loads are components on the tangents u and w of the contact.
Those of rolling are given by the direction in which the bodies roll: the load (x, y) is a torque on the second body of
y u - x w.  Everything takes floats, tuples and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import JIT
from trundle.laws.kernels.curves import SUPERELLIPSE
from trundle.laws.kernels.sections import DIAMOND, DISK, section
from trundle.laws.kernels.varying import HERTZ_PATCH, value_at
from trundle.step.kernels import history as H
from trundle.step.kernels.history import INLINE

ROOT5 = math.sqrt(5.0)


@njit(**INLINE)
def normal_spring(kind, k, gap, patch):
    """Normal force of the spring alone [N], or the given one; see `normal_load`."""
    if kind == H.GIVEN:
        return k
    return -gap * (k if kind == H.HOOKE else 4.0 / 3.0 * k * patch)


@njit(**INLINE)
def normal_load(kind, k, damping, pull, gap, u_n, patch):
    """Normal force [N], its dissipated power [W] and its elastic energy [J].

    kind, k, pull: columns of the parameters; damping [N s/m]; u_n: normal velocity, negative while approaching.
    """
    if kind == H.GIVEN:
        return k, 0.0, 0.0
    spring = normal_spring(kind, k, gap, patch)
    energy = -(0.5 if kind == H.HOOKE else 0.4) * spring * gap
    force = spring - damping * u_n
    if force < 0.0 and pull == 0.0:  # the spring expands against its dashpot, and cannot pull
        return 0.0, spring * u_n, energy
    return force, damping * u_n * u_n, energy


@njit(**INLINE)
def kept(old, new):
    """Factor on a deflection whose stiffness changes: the load stays where it grows, the deflection where it falls.

    So a change of stiffness never creates energy.
    """
    return old / new if new > old else 1.0


@njit(**INLINE)
def restiffened(before, K, old):
    """Deflections `old` where the stiffnesses were `before` and are K now."""
    f_t, f_r, f_s = kept(before[0], K[0]), kept(before[1], K[1]), kept(before[2], K[2])
    return f_t * old[0], f_t * old[1], f_r * old[2], f_r * old[3], f_r * old[4], f_r * old[5], f_s * old[6]


@njit(**JIT)
def stiffnesses(par, l, patch, kappa, size):
    """(K_E, K_R, K_psi) and the coefficients mu_r, mu_s [m] of a contact, (2b), (2c), (3c), (13) and appendix C.

    kappa: sum of the curvatures of both bodies; size: a length of the bodies.
    """
    slide = par[l, H.K_E]
    if math.isnan(slide):
        slide = 8.0 * par[l, H.G_EFF] * patch
    mu = par[l, H.MU]
    length = 1.0 / kappa if par[l, H.LENGTHS] == 1.0 else 1.0
    mean = 0.5 * kappa
    if not (mean > 0.0 and mean < 1e300):
        mean = 1.0 / size  # flat on flat, or a corner: the heuristics have no length of their own
    eta = par[l, H.ETA_R]
    mu_r = par[l, H.MU_R] * length
    if par[l, H.ROLLING] == H.NONE:
        roll, mu_r = 0.0, 0.0
    elif math.isnan(eta):
        roll = slide * (mu_r / mu if mu > 0.0 else 1.0 / mean) / mean
    else:
        roll = eta * slide / (mean * mean)
        mu_r = eta * mu / mean
    if par[l, H.ROLLING] == H.SPRING:  # K_t R_eff^2, appendix A.2
        roll = slide / (4.0 * mean * mean)
    if not math.isnan(par[l, H.K_R]):
        roll = par[l, H.K_R]
    kind = par[l, H.SPINNING]
    mu_s = par[l, H.MU_S] * length
    curvature = par[l, H.CURVATURE]
    if math.isnan(curvature):
        curvature = 2.0 * mean
    eta = par[l, H.ETA_S]
    if kind == H.NONE:
        spin, mu_s = 0.0, 0.0
    elif kind == H.HERTZIAN:
        spin = 0.5 * patch * patch * slide
        mu_s = 0.5 * patch * mu
    elif math.isnan(eta):
        spin = slide * (mu_s / mu if mu > 0.0 else 1.0 / curvature) / curvature
    else:
        spin = eta * slide / (curvature * curvature)
        mu_s = eta * mu / curvature
    if not math.isnan(par[l, H.K_S]):
        spin = par[l, H.K_S]
    return (slide, roll, spin), mu_r, mu_s


@njit(**JIT)
def springs(par, l, patch, kappa, size, m_eff, m_mean, i_r, i_s):
    """Stiffnesses, mu_r, mu_s, and the dashpots of the normal, sliding, rolling and spinning springs; critical unless given.

    m_eff: reduced mass; m_mean, i_r, i_s: m_ij and I_ij of the heuristics (1c), (3d), for rolling and spinning.
    """
    K, mu_r, mu_s = stiffnesses(par, l, patch, kappa, size)
    c_n, c_t, c_r, c_s = par[l, H.DAMPING], par[l, H.K_D], par[l, H.D_R], par[l, H.D_S]
    if math.isnan(c_n):
        if par[l, H.NORMAL] == H.HOOKE:
            c_n = 2.0 * par[l, H.RATIO] * math.sqrt(m_eff * par[l, H.STIFFNESS])
        else:
            # Tsuji et al. (1992): the substitution x ~ delta^(5/4) turns it into a linear oscillator of this ratio
            c_n = ROOT5 * par[l, H.RATIO] * math.sqrt(m_eff * 4.0 / 3.0 * par[l, H.STIFFNESS] * patch)
    if math.isnan(c_t):
        c_t = 2.0 * math.sqrt(m_mean * K[0])
    if math.isnan(c_r):
        c_r = 2.0 * math.sqrt(i_r * K[1])
    if math.isnan(c_s):
        c_s = 2.0 * math.sqrt(i_s * K[2])
    return K, mu_r, mu_s, (c_n, c_t, c_r, c_s)


# --- laws made of disks ---------------------------------------------------------------------------------------------------


@njit(**INLINE)
def yielding(x, y, dx, dy, K, C, cap, static, kinetic, limited):
    """A spring and a dashpot, the spring bounded by a disk (sections 3.1-3.3).

    x, y: deflection after this step, of which dx, dy are this step's; C: damping over h; cap: the kinetic bound; limited:
    spring and dashpot together stay within the static bound.
    Returns load and deflection (2 each), the mode, the elastic energy [J] and what was lost [J].
    """
    square = x * x + y * y
    bound = cap if kinetic else static * cap
    if K * K * square > bound * bound:
        f = bound / (K * math.sqrt(square))
        x, y = f * x, f * y
        # lost: the load times what the deflection gave way
        return K * x, K * y, x, y, True, 0.5 * K * f * f * square, K * f * (1.0 - f) * square
    u, w = K * x + C * dx, K * y + C * dy
    if limited:
        bound = static * cap
        total = u * u + w * w
        if total > bound * bound:
            f = bound / math.sqrt(total)
            u, w = f * u, f * w
    return u, w, x, y, False, 0.5 * K * square, (u - K * x) * dx + (w - K * y) * dy


@njit(**INLINE)
def free_roll(kind, bound, radius, speed, wu, ww):
    """Rolling load that needs no memory: constant (eq. (8)) or viscous, and its power [W].

    bound: mu_r N; speed [m/s]: that at which the viscous load has this size; wu, ww: rate of rolling [rad/s].
    """
    rate = math.sqrt(wu * wu + ww * ww)
    if rate == 0.0:
        return 0.0, 0.0, 0.0
    size = bound / rate
    if kind == H.VISCOUS:
        size *= rate * radius / speed
    return size * wu, size * ww, size * rate * rate


@njit(**INLINE)
def respond(kinds, K, C, caps, static, limited, old, mode, moved, rate, radius, h):
    """Update the deflections of a contact whose law is made of disks, and give its friction loads.

    kinds: rolling model, spinning model, speed of the viscous one ; K: stiffnesses of sliding, rolling, spinning ;
    C: their damping over h ; caps: mu N, mu_r N, mu_s N ; old: deflections (sliding 2, rolling of the first body 2, of
    the second or the pair 2, spinning) ; moved: what is new in them in this step ; rate: of rolling [rad/s].
    Returns force (2) on the second body, its torque about n, the rolling loads of the second (2) and the first body (2);
    the deflections; the mode; and the energy stored, lost by sliding, rolling, spinning [J].
    """
    du, dw, au, aw, bu, bw, psi = moved
    fu, fw, su, sw, slips, stored, lost_t = yielding(
        old[0] + du, old[1] + dw, du, dw, K[0], C[0], caps[0], static, mode & 1 != 0, limited
    )
    new_mode = 1 if slips else 0

    kind = kinds[0]
    tau, taw, tbu, tbw = 0.0, 0.0, 0.0, 0.0
    pu, pw, qu, qw = old[2], old[3], old[4], old[5]
    lost_r = 0.0
    if kind == H.CONSTANT or kind == H.VISCOUS:
        tbu, tbw, power = free_roll(kind, caps[1], radius, kinds[2], rate[0], rate[1])
        lost_r = h * power
    elif kind != H.NONE:
        if kind == H.SPRING:  # integrates the angular velocity
            bu, bw = h * rate[0], h * rate[1]
        elif kind == H.PER_BODY:
            tau, taw, pu, pw, slips, more, lost_r = yielding(
                pu + au, pw + aw, au, aw, K[1], C[1], caps[1], static, mode & 2 != 0, limited
            )
            stored += more
            if slips:
                new_mode |= 2
        else:
            bu, bw = bu + au, bw + aw
        tbu, tbw, qu, qw, slips, more, lost = yielding(
            qu + bu, qw + bw, bu, bw, K[1], C[1], caps[1], static, mode & 4 != 0, limited
        )
        stored += more
        lost_r += lost
        if slips:
            new_mode |= 4
    if kind != H.PER_BODY:
        tau, taw = tbu, tbw

    torque, twist, lost_s = 0.0, old[6], 0.0
    if kinds[1] != H.NONE:
        torque, _, twist, _, slips, more, lost_s = yielding(
            twist + psi, 0.0, psi, 0.0, K[2], C[2], caps[2], static, mode & 8 != 0, limited
        )
        stored += more
        if slips:
            new_mode |= 8
    loads = (-fu, -fw, -torque, tbu, tbw, tau, taw)
    return loads, (su, sw, pu, pw, qu, qw, twist), new_mode, (stored, lost_t, lost_r, lost_s)


# --- any law --------------------------------------------------------------------------------------------------------------


@njit(**JIT)
def bits_of(first, last):
    """Modes (bits of a contact's memory) that a block of rows first .. last belongs to."""
    bits = 0
    if first <= 2:
        bits |= 1
    if first <= 3 and last >= 3:
        bits |= 8
    if last >= 4:
        bits |= 4
    return bits


@njit(**JIT)
def set_coefficients(laws, l, b, bits, scale, length, mu_r, mu_s, v, N, R_eff, coef_out):
    """Coefficients of block b at this contact: lengths times `scale` over `length`, rows by their weights.

    v, N, R_eff: speed, normal load and effective radius, for coefficients that depend on them.
    Materials may say how large the disks of rolling and spinning are; of other sections only the law knows.
    """
    block, coef, lengths, weight = laws[2], laws[3], laws[5], laws[6]
    first, size = block[b, 1], block[b, 2]
    for k in range(coef.shape[1]):
        coef_out[b, k] = coef[b, k] * scale / length if lengths[b, k] else coef[b, k]
    if block[b, 0] == DISK and bits == 8:
        coef_out[b, 0] = mu_s
    elif block[b, 0] == DISK and bits == 4 and size == 2:
        coef_out[b, 0] = mu_r
    curve, curves, call, points = laws[8], laws[9], laws[10], laws[11]
    for k in range(coef.shape[1]):
        if curve[b, k] >= 0:
            value = value_at(curves, call, points, curve[b, k], v, N, R_eff)
            own_length = curves[curve[b, k], 0] == HERTZ_PATCH
            coef_out[b, k] = value * (1.0 if own_length else scale) / length if lengths[b, k] else value
    if block[b, 0] == SUPERELLIPSE or block[b, 0] == DIAMOND:
        coef_out[b, 0] *= math.sqrt(weight[l, first])
        coef_out[b, 1] *= math.sqrt(weight[l, first + 1])


@njit(**JIT)
def return_blocks(laws, work, coef_out, l, size_of, bound, N, mode, mu_r, mu_s, speeds, R_eff):
    """Return the elastic loads work[1] (6 rows, on the second body) to the law's section, block by block.

    work (4, 6): stiffnesses, loads, and room; size_of: factor on the law's lengths; bound: static over kinetic friction,
    for what sticks so far; speeds: of sliding, spinning and rolling, for coefficients that depend on what moves so far.
    The closest point is taken in the metric of the springs, that of plastic flow: rows are scaled by the square root
    of the factors on the velocity (non-associated laws), and moments in a block with forces by a length.
    Returns the mode, and what sliding, rolling and spinning lost [J].
    """
    start, count, block, own, weight = laws[0], laws[1], laws[2], laws[4], laws[6]
    K, x, scaled, out = work[0], work[1], work[2], work[3]
    slid, rolled, spun = 0.0, 0.0, 0.0
    for b in range(start[l], start[l] + count[l]):
        first = block[b, 1]
        last = first + block[b, 2] - 1
        bits = bits_of(first, last)
        mixed = first <= 2 and last >= 3
        square = (K[3] if bits & 8 else K[4]) / K[1]
        length = math.sqrt(square) if mixed and square > 0.0 else 1.0
        v = 0.0
        if mode & bits != 0:
            v = speeds[0] if first <= 2 else (speeds[1] if first == 3 else speeds[2])
        set_coefficients(laws, l, b, bits, size_of, length, mu_r, mu_s, v, N, R_eff, coef_out)
        largest = 0.0
        for i in range(first, last + 1):
            scaled[i] = x[i] * math.sqrt(weight[l, i]) / (length if mixed and i >= 3 else 1.0)
            largest = max(largest, abs(scaled[i]))
        section(block, coef_out, own, b, 0, scaled, N if mode & bits != 0 else bound * N, out, np.nan)
        moved = 0.0
        for i in range(first, last + 1):
            moved = max(moved, abs(out[i] - scaled[i]))
        mode = mode | bits if moved > 1e-13 * largest else mode & ~bits
        for i in range(first, last + 1):
            value = out[i] / math.sqrt(weight[l, i]) * (length if mixed and i >= 3 else 1.0)
            lost = value * (x[i] - value) / K[i] if K[i] > 0.0 else 0.0
            x[i] = value
            if i <= 2:
                slid += lost
            elif i == 3:
                spun += lost
            else:
                rolled += lost
    return mode, slid, rolled, spun


@njit(**INLINE)
def put_rows(x, uses, l, t, fu, fw, torque, ru, rw):
    """Loads as rows t1, t2, s, r1, r2 of the law's frame, whose first tangent is t[0] u + t[1] w."""
    x[1], x[2] = t[0] * fu + t[1] * fw, t[0] * fw - t[1] * fu
    x[3] = torque
    x[4], x[5] = t[0] * rw - t[1] * ru, -t[0] * ru - t[1] * rw
    for i in range(1, 6):
        if not uses[l, i]:
            x[i] = 0.0


@njit(**INLINE)
def from_rows(x, t):
    """The inverse of `put_rows`."""
    return (
        t[0] * x[1] - t[1] * x[2], t[1] * x[1] + t[0] * x[2], x[3], -t[1] * x[4] - t[0] * x[5], t[0] * x[4] - t[1] * x[5]
    )  # fmt: skip


@njit(**JIT)
def respond_section(
    laws, work, coef_out, l, size_of, K, C, N, mu_r, mu_s, static, limited, old, mode, moved, t, R_eff, h
):
    """As `respond`, for any law; t: first tangent of the law's frame on u and w."""
    uses = laws[7]
    stiff, x = work[0], work[1]
    slide, roll, spin = K
    du, dw, au, aw, bu, bw, psi = moved
    bu, bw = bu + au, bw + aw
    stiff[1] = stiff[2] = slide
    stiff[3] = spin
    stiff[4] = stiff[5] = roll
    x[0] = N
    put_rows(
        x, uses, l, t, -slide * (old[0] + du), -slide * (old[1] + dw), -spin * (old[6] + psi), roll * (old[4] + bu),
        roll * (old[5] + bw),
    )  # fmt: skip
    speeds = (math.sqrt(du * du + dw * dw) / h, abs(psi) / h, math.sqrt(bu * bu + bw * bw) / h)
    mode, slid, rolled, spun = return_blocks(
        laws, work, coef_out, l, size_of, static, N, mode, mu_r, mu_s, speeds, R_eff
    )
    stored = 0.0
    for i in range(1, 6):
        if stiff[i] > 0.0:
            stored += 0.5 * x[i] * x[i] / stiff[i]
    fu, fw, torque, ru, rw = from_rows(x, t)
    qu, qw = (ru / roll, rw / roll) if roll > 0.0 else (old[4], old[5])
    twist = -torque / spin if spin > 0.0 else old[6]
    new = (-fu / slide, -fw / slide, old[2], old[3], qu, qw, twist)
    # dashpots of what sticks
    c_t = C[0] if mode & 1 == 0 else 0.0
    c_r = C[1] if mode & 4 == 0 else 0.0
    c_s = C[2] if mode & 8 == 0 else 0.0
    put_rows(x, uses, l, t, fu - c_t * du, fw - c_t * dw, torque - c_s * psi, ru + c_r * bu, rw + c_r * bw)
    if limited:
        return_blocks(laws, work, coef_out, l, size_of, static, N, 0, mu_r, mu_s, speeds, R_eff)
    gu, gw, all_torque, tu, tw = from_rows(x, t)
    slid -= (gu - fu) * du + (gw - fw) * dw
    spun -= (all_torque - torque) * psi
    rolled += (tu - ru) * bu + (tw - rw) * bw
    return (gu, gw, all_torque, tu, tw, tu, tw), new, mode, (stored, slid, rolled, spun)
