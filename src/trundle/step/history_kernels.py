"""History friction at one contact, compiled: how the contact point moved on both bodies, and the loads that follow.

Fang & Negrut (2020), sections 2 and 3 and appendices B, C.  A contact's memory is one row of `record` (see the column
numbers below); vectors in it are of the world frame at the end of the last step, deflections are components on the
tangents u and w = n x u, which are continued from step to step with the first body (appendix B).

Everything takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.laws.curves import SUPERELLIPSE
from trundle.laws.kernels import DIAMOND, section
from trundle.rotations import JIT

# columns of a contact's memory
TOUCHES = 0  # 1 while the contact is closed
N0, U0 = 1, 4  # normal, tangent u (3 each)
GAP = 7
SLIDE, ROLL_A, ROLL_B, SPIN = 8, 10, 12, 14  # deflections [m], [rad], [rad], [rad]: 2, 2, 2, 1 numbers
MODE = 15  # bits: 1 sliding, 2 rolling of the first body, 4 rolling of the second (or of the pair), 8 spinning
K_SLIDE, K_ROLL, K_SPIN = 16, 17, 18  # stiffnesses of the last step
ARM_A, ARM_B = 19, 22  # from the centres of mass to the contact point (3 each), general shapes only
RECORD = 25

# columns of a pair's parameters; NaN: by the heuristic
NORMAL, STIFFNESS, DAMPING, RATIO, PULL = 0, 1, 2, 3, 4
K_E, G_EFF, K_D, STATIC = 5, 6, 7, 8
ROLLING, MU, ETA_R, MU_R, K_R, D_R = 9, 10, 11, 12, 13, 14
SPINNING, ETA_S, MU_S, CURVATURE, K_S, D_S = 15, 16, 17, 18, 19, 20
PLAIN, LENGTHS, CAP_TOTAL, SPEED, MARGIN, GEODESIC = 21, 22, 23, 24, 25, 26
PARAMETERS = 27

HOOKE, HERTZ, GIVEN = 0, 1, 2
NONE, PAIR, PER_BODY, CONSTANT, VISCOUS, SPRING = 0, 1, 2, 3, 4, 5
HEURISTIC, HERTZIAN = 1, 2

# columns of the sums of a step [J]: losses, elastic energy, work of given normal forces
LOST_SLIDING, LOST_ROLLING, LOST_SPINNING, LOST_IMPACT, ELASTIC, GIVEN_WORK = 0, 1, 2, 3, 4, 5
SUMS = 6
LOADS = 10  # numbers of a contact for the report, see `put_loads`

ROOT5 = math.sqrt(5.0)


@njit(**JIT)
def set_rotation(D, i, x, y, z):
    """D[i]: the rotation by the vector (x, y, z) [rad], row by row."""
    square = x * x + y * y + z * z
    if square < 1e-4:
        s = 1.0 - square / 6.0 * (1.0 - square / 20.0)
        v = 0.5 - square / 24.0 * (1.0 - square / 30.0)
    else:
        angle = math.sqrt(square)
        s = math.sin(angle) / angle
        v = (1.0 - math.cos(angle)) / square
    D[i, 0] = 1.0 - v * (y * y + z * z)
    D[i, 1] = v * x * y - s * z
    D[i, 2] = v * x * z + s * y
    D[i, 3] = v * x * y + s * z
    D[i, 4] = 1.0 - v * (x * x + z * z)
    D[i, 5] = v * y * z - s * x
    D[i, 6] = v * x * z - s * y
    D[i, 7] = v * y * z + s * x
    D[i, 8] = 1.0 - v * (x * x + y * y)


@njit(**JIT)
def arc_over_sine(square):
    """phi / sin(phi) for sin(phi)^2 = square < 1."""
    if square < 1e-4:
        return 1.0 + square * (1.0 / 6.0 + square * (3.0 / 40.0 + square * (15.0 / 336.0)))
    sine = math.sqrt(min(square, 1.0))
    return math.asin(sine) / sine


@njit(**JIT)
def turned(D, i, x, y, z):
    """The vector (x, y, z), fixed to body i, after the rotation D[i] (9 numbers, row by row) of this step."""
    return (
        D[i, 0] * x + D[i, 1] * y + D[i, 2] * z,
        D[i, 3] * x + D[i, 4] * y + D[i, 5] * z,
        D[i, 6] * x + D[i, 7] * y + D[i, 8] * z,
    )  # fmt: skip


@njit(**JIT)
def carried(ux, uy, uz, mx, my, mz, nx, ny, nz, cosine):
    """A tangent at the normal m after the smallest rotation that takes m to n.

    This is the frame of appendix B: of all frames at n it maximises u0 . u + w0 . w.
    """
    along = (ux * nx + uy * ny + uz * nz) / (1.0 + cosine)
    return ux - along * (mx + nx), uy - along * (my + ny), uz - along * (mz + nz)


@njit(**JIT)
def spun(record, c, D, a, b, nx, ny, nz, ax, ay, az, ca, bx, by, bz, cb):
    """The continued tangent u, and the angle by which the second body spun relative to the first (section 2.2).

    (ax, ay, az), (bx, by, bz): the old normal, turned with either body; ca, cb: their cosines with the new one.
    """
    x, y, z = turned(D, a, record[c, U0], record[c, U0 + 1], record[c, U0 + 2])
    ux, uy, uz = carried(x, y, z, ax, ay, az, nx, ny, nz, ca)
    x, y, z = turned(D, b, record[c, U0], record[c, U0 + 1], record[c, U0 + 2])
    vx, vy, vz = carried(x, y, z, bx, by, bz, nx, ny, nz, cb)
    sine = nx * (uy * vz - uz * vy) + ny * (uz * vx - ux * vz) + nz * (ux * vy - uy * vx)
    cosine = ux * vx + uy * vy + uz * vz
    if cosine > 0.0 and sine * sine < 1e-4:
        psi = sine * arc_over_sine(sine * sine)
    else:
        psi = math.atan2(sine, cosine)
    # round-off must not accumulate over a million steps
    along = ux * nx + uy * ny + uz * nz
    ux -= along * nx
    uy -= along * ny
    uz -= along * nz
    scale = 1.0 / math.sqrt(ux * ux + uy * uy + uz * uz)
    return ux * scale, uy * scale, uz * scale, psi


@njit(**JIT)
def frame_tangent(nx, ny, nz):
    """First tangent t1 of the engine's contact frames (`trundle.detect.kernels.frames`)."""
    ax, ay, az = abs(nx), abs(ny), abs(nz)
    if ax <= 1.0001 * ay and ax <= 1.0001 * az:
        tx, ty, tz = 1.0 - nx * nx, -nx * ny, -nx * nz
    elif ay <= 1.0001 * az:
        tx, ty, tz = -ny * nx, 1.0 - ny * ny, -ny * nz
    else:
        tx, ty, tz = -nz * nx, -nz * ny, 1.0 - nz * nz
    scale = 1.0 / math.sqrt(tx * tx + ty * ty + tz * tz)
    return tx * scale, ty * scale, tz * scale


@njit(**JIT)
def turned_normal(record, c, D, i, nx, ny, nz):
    """The old normal turned with body i: vector, cosine with the new normal, and its tangential part as an angle."""
    x, y, z = turned(D, i, record[c, N0], record[c, N0 + 1], record[c, N0 + 2])
    cosine = x * nx + y * ny + z * nz
    tx, ty, tz = x - cosine * nx, y - cosine * ny, z - cosine * nz
    f = arc_over_sine(tx * tx + ty * ty + tz * tz)
    return x, y, z, cosine, f * tx, f * ty, f * tz


@njit(**JIT)
def begin(record, c, nx, ny, nz):
    """A contact that has just closed: an arbitrary tangent, no deflections, all modes static."""
    for k in range(record.shape[1]):
        record[c, k] = 0.0
    record[c, TOUCHES] = 1.0
    record[c, U0], record[c, U0 + 1], record[c, U0 + 2] = frame_tangent(nx, ny, nz)
    record[c, K_SLIDE] = np.inf
    record[c, K_ROLL] = np.inf
    record[c, K_SPIN] = np.inf


@njit(**JIT)
def normal_load(par, l, gap, u_n, mass, radius):
    """Normal force [N], its dissipated power [W], elastic energy [J] and the radius of the patch [m], 0 if unknown.

    mass: reduced mass; radius: effective radius; u_n: normal velocity, negative while approaching.
    """
    kind = par[l, NORMAL]
    if kind == GIVEN:
        return par[l, STIFFNESS], 0.0, 0.0, 0.0
    delta = -gap
    k = par[l, STIFFNESS]
    if kind == HOOKE:
        spring = k * delta
        energy = 0.5 * spring * delta
        damping = par[l, DAMPING]
        if math.isnan(damping):
            damping = 2.0 * par[l, RATIO] * math.sqrt(mass * k)
        patch = math.sqrt(radius * delta)
    else:
        # Tsuji et al. (1992): the substitution x ~ delta^(5/4) turns it into a linear oscillator of this ratio
        patch = math.sqrt(radius * delta)
        k *= 4.0 / 3.0
        spring = k * patch * delta
        energy = 0.4 * spring * delta
        damping = par[l, DAMPING]
        if math.isnan(damping):
            damping = ROOT5 * par[l, RATIO] * math.sqrt(mass * k * patch)
    force = spring - damping * u_n
    if force < 0.0 and par[l, PULL] == 0.0:  # the spring expands against its dashpot, and cannot pull
        return 0.0, spring * u_n, energy, patch
    return force, damping * u_n * u_n, energy, patch


@njit(**JIT)
def capped(norm, static_cap, kinetic_cap, kinetic):
    """Factor that returns a deflection of this norm to its disk, and the new mode (sections 3.1-3.3)."""
    if kinetic:
        if norm > kinetic_cap:
            return kinetic_cap / norm, True
        return 1.0, False
    if norm > static_cap:
        return static_cap / norm, True
    return 1.0, False


@njit(**JIT)
def kept(old, new):
    """Factor on a deflection whose stiffness changes: the load stays where it grows, the deflection where it falls.

    So a change of stiffness never creates energy.
    """
    return old / new if new > old else 1.0


@njit(**JIT)
def stiffnesses(par, l, patch, kappa, radius, size):
    """K_E, K_R, K_psi and the coefficients mu_r, mu_s [m] of a contact, (2b), (2c), (3c), (13) and appendix C.

    kappa: sum of the curvatures of both bodies; radius: effective radius, 1 / kappa; size: a length of the bodies.
    """
    slide = par[l, K_E]
    if math.isnan(slide):
        slide = 8.0 * par[l, G_EFF] * patch
    mu = par[l, MU]
    length = radius if par[l, LENGTHS] == 1.0 else 1.0
    mean = 0.5 * kappa
    if not (mean > 0.0 and mean < 1e300):
        mean = 1.0 / size  # flat on flat, or a corner: the heuristics have no length of their own
    eta = par[l, ETA_R]
    mu_r = par[l, MU_R] * length
    if par[l, ROLLING] == NONE:
        roll, mu_r = 0.0, 0.0
    elif math.isnan(eta):
        roll = slide * (mu_r / mu if mu > 0.0 else 1.0 / mean) / mean
    else:
        roll = eta * slide / (mean * mean)
        mu_r = eta * mu / mean
    if par[l, ROLLING] == SPRING:  # K_t R_eff^2, appendix A.2
        roll = slide / (4.0 * mean * mean)
    if not math.isnan(par[l, K_R]):
        roll = par[l, K_R]
    kind = par[l, SPINNING]
    mu_s = par[l, MU_S] * length
    curvature = par[l, CURVATURE]
    if math.isnan(curvature):
        curvature = 2.0 * mean
    eta = par[l, ETA_S]
    if kind == NONE:
        spin, mu_s = 0.0, 0.0
    elif kind == HERTZIAN:
        spin = 0.5 * patch * patch * slide
        mu_s = 0.5 * patch * mu
    elif math.isnan(eta):
        spin = slide * (mu_s / mu if mu > 0.0 else 1.0 / curvature) / curvature
    else:
        spin = eta * slide / (curvature * curvature)
        mu_s = eta * mu / curvature
    if not math.isnan(par[l, K_S]):
        spin = par[l, K_S]
    return slide, roll, spin, mu_r, mu_s


@njit(**JIT)
def dashpot(fu, fw, gu, gw, cap, limited):
    """The damping part g of a load whose elastic part is f; where limited, f + g stays within the cap."""
    if limited == 0.0:
        return gu, gw
    size = math.sqrt((fu + gu) ** 2 + (fw + gw) ** 2)
    if size <= cap:
        return gu, gw
    return (fu + gu) * (cap / size) - fu, (fw + gw) * (cap / size) - fw


@njit(**JIT)
def roll_disk(record, c, column, bit, mode, du, dw, K, D, cap, static, h, limited, sums):
    """Update one rolling deflection; returns the load K Theta + D theta / h on u and w, and the mode."""
    x = record[c, column] + du
    y = record[c, column + 1] + dw
    norm = math.sqrt(x * x + y * y)
    f, kinetic = capped(K * norm, static * cap, cap, mode & bit != 0)
    mode = mode | bit if kinetic else mode & ~bit
    record[c, column] = f * x
    record[c, column + 1] = f * y
    sums[ELASTIC] += 0.5 * K * (f * norm) ** 2
    sums[LOST_ROLLING] += K * f * (1.0 - f) * norm * norm  # the load times what the deflection gave way
    if kinetic:
        return K * f * x, K * f * y, mode
    gu, gw = dashpot(K * f * x, K * f * y, D / h * du, D / h * dw, static * cap, limited)
    sums[LOST_ROLLING] += gu * du + gw * dw
    return K * f * x + gu, K * f * y + gw, mode


@njit(**JIT)
def free_roll(par, l, mu_r, N, inertia, radius, wu, ww, h, sums):
    """Rolling torques on the second body that need no memory: constant (eq. (8)) and viscous."""
    speed = math.sqrt(wu * wu + ww * ww)
    if speed == 0.0:
        return 0.0, 0.0
    size = mu_r * N / speed
    if par[l, ROLLING] == VISCOUS:
        size *= speed * radius / par[l, SPEED]
    sums[LOST_ROLLING] += h * size * speed * speed
    return -size * wu, -size * ww


@njit(**JIT)
def respond(
    par, l, record, c, N, slide, roll, spin, mu_r, mu_s, mass, inertia_r, inertia_s, radius,
    du, dw, au, aw, bu, bw, psi, wu, ww, h, sums,
):  # fmt: skip
    """Update the deflections of a contact whose law is made of disks; returns its friction loads.

    du, dw: slip (1a); au .. bw: rolling angles of the first and the second body; psi: spin angle; wu, ww: relative
    angular velocity; mass, inertia_r, inertia_s: m_ij and I_ij of the heuristics for damping.
    Returns the force on the second body (u, w), the torque about n on it, its rolling torque and the first body's.
    """
    static = par[l, STATIC]
    mode = int(record[c, MODE])
    f = kept(record[c, K_SLIDE], slide)
    record[c, K_SLIDE] = slide
    x = f * record[c, SLIDE] + du
    y = f * record[c, SLIDE + 1] + dw
    norm = math.sqrt(x * x + y * y)
    cap = par[l, MU] * N
    f, kinetic = capped(slide * norm, static * cap, cap, mode & 1 != 0)
    mode = mode | 1 if kinetic else mode & ~1
    record[c, SLIDE] = f * x
    record[c, SLIDE + 1] = f * y
    sums[ELASTIC] += 0.5 * slide * (f * norm) ** 2
    sums[LOST_SLIDING] += slide * f * (1.0 - f) * norm * norm
    fu = -slide * f * x
    fw = -slide * f * y
    if not kinetic:
        damping = par[l, K_D]
        if math.isnan(damping):
            damping = 2.0 * math.sqrt(mass * slide)
        gu, gw = dashpot(fu, fw, -damping / h * du, -damping / h * dw, static * cap, par[l, CAP_TOTAL])
        fu += gu
        fw += gw
        sums[LOST_SLIDING] -= gu * du + gw * dw

    rbu, rbw, rau, raw = 0.0, 0.0, 0.0, 0.0
    kind = par[l, ROLLING]
    if kind == CONSTANT or kind == VISCOUS:
        rbu, rbw = free_roll(par, l, mu_r, N, inertia_r, radius, wu, ww, h, sums)
        rau, raw = -rbu, -rbw
    elif kind != NONE:
        f = kept(record[c, K_ROLL], roll)
        record[c, K_ROLL] = roll
        damping = par[l, D_R]
        if math.isnan(damping):
            damping = 2.0 * math.sqrt(inertia_r * roll)
        if kind == SPRING:  # integrates the angular velocity, n x (h omega) turned back to a path
            bu, bw, au, aw = h * ww, -h * wu, 0.0, 0.0
        if kind != PER_BODY:
            bu += au
            bw += aw
        else:
            record[c, ROLL_A] *= f
            record[c, ROLL_A + 1] *= f
            tu, tw, mode = roll_disk(
                record, c, ROLL_A, 2, mode, au, aw, roll, damping, mu_r * N, static, h, par[l, CAP_TOTAL], sums
            )
            rau, raw = -tw, tu
        record[c, ROLL_B] *= f
        record[c, ROLL_B + 1] *= f
        tu, tw, mode = roll_disk(
            record, c, ROLL_B, 4, mode, bu, bw, roll, damping, mu_r * N, static, h, par[l, CAP_TOTAL], sums
        )
        rbu, rbw = tw, -tu
        if kind != PER_BODY:
            rau, raw = -rbu, -rbw

    torque = 0.0
    if par[l, SPINNING] != NONE:
        x = kept(record[c, K_SPIN], spin) * record[c, SPIN] + psi
        record[c, K_SPIN] = spin
        cap = mu_s * N
        f, kinetic = capped(spin * abs(x), static * cap, cap, mode & 8 != 0)
        mode = mode | 8 if kinetic else mode & ~8
        record[c, SPIN] = f * x
        sums[ELASTIC] += 0.5 * spin * (f * x) ** 2
        sums[LOST_SPINNING] += spin * f * (1.0 - f) * x * x
        torque = -spin * f * x
        if not kinetic:
            damping = par[l, D_S]
            if math.isnan(damping):
                damping = 2.0 * math.sqrt(inertia_s * spin)
            more, _ = dashpot(torque, 0.0, -damping / h * psi, 0.0, static * cap, par[l, CAP_TOTAL])
            torque += more
            sums[LOST_SPINNING] -= more * psi
    record[c, MODE] = mode
    return fu, fw, torque, rbu, rbw, rau, raw


@njit(**JIT)
def return_blocks(par, l, start, count, block, coef, own, lengths, weight, static, N, mode, K, radius, mu_r, mu_s,
                  x, scaled, out, coef_out, sums):  # fmt: skip
    """Return the elastic loads x (6 rows, on the second body) to the law's section, block by block; gives the mode.

    The closest point is taken in the metric of the springs, that of plastic flow: rows are scaled by the square root
    of the factors on the velocity (non-associated laws), and moments in a block with forces by a length.
    """
    for b in range(start[l], start[l] + count[l]):
        first, size = block[b, 1], block[b, 2]
        last = first + size - 1
        bits = 0
        if first <= 2:
            bits |= 1
        if first <= 3 and last >= 3:
            bits |= 8
        if last >= 4:
            bits |= 4
        mixed = first <= 2 and last >= 3
        length = math.sqrt((K[3] if bits & 8 else K[4]) / K[1]) if mixed else 1.0
        for k in range(coef.shape[1]):
            value = coef[b, k]
            if lengths[b, k]:
                value *= (radius if par[l, LENGTHS] == 1.0 else 1.0) / length
            coef_out[b, k] = value
        if bits == 8:
            coef_out[b, 0] = mu_s
        elif bits == 4 and size == 2 and block[b, 0] == 1:
            coef_out[b, 0] = mu_r
        if block[b, 0] == SUPERELLIPSE or block[b, 0] == DIAMOND:
            coef_out[b, 0] *= math.sqrt(weight[l, first])
            coef_out[b, 1] *= math.sqrt(weight[l, first + 1])
        largest = 0.0
        for i in range(first, first + size):
            scaled[i] = x[i] * math.sqrt(weight[l, i]) / (length if mixed and i >= 3 else 1.0)
            largest = max(largest, abs(scaled[i]))
        kinetic = mode & bits != 0
        section(block, coef_out, own, b, 0, scaled, N if kinetic else static * N, out, np.nan)
        moved = 0.0
        for i in range(first, first + size):
            moved = max(moved, abs(out[i] - scaled[i]))
        mode = mode | bits if moved > 1e-13 * largest else mode & ~bits
        for i in range(first, first + size):
            value = out[i] / math.sqrt(weight[l, i]) * (length if mixed and i >= 3 else 1.0)
            if K[i] > 0.0:
                lost = value * (x[i] - value) / K[i]
                sums[LOST_SLIDING if i <= 2 else (LOST_SPINNING if i == 3 else LOST_ROLLING)] += lost
            x[i] = value
    return mode


@njit(**JIT)
def respond_section(
    par, l, start, count, block, coef, own, lengths, weight, uses, record, c, N, slide, roll, spin, mu_r, mu_s, mass,
    inertia_r, inertia_s, radius, du, dw, au, aw, bu, bw, psi, tu, tw, h, K, x, scaled, out, coef_out, sums,
):  # fmt: skip
    """As `respond`, for any law: the section of the law stands in the frame whose first tangent is tu u + tw w."""
    mode = int(record[c, MODE])
    f_t, f_r, f_s = kept(record[c, K_SLIDE], slide), kept(record[c, K_ROLL], roll), kept(record[c, K_SPIN], spin)
    record[c, K_SLIDE], record[c, K_ROLL], record[c, K_SPIN] = slide, roll, spin
    su, sw = f_t * record[c, SLIDE] + du, f_t * record[c, SLIDE + 1] + dw
    bu += au
    bw += aw
    ru, rw = f_r * record[c, ROLL_B] + bu, f_r * record[c, ROLL_B + 1] + bw
    twist = f_s * record[c, SPIN] + psi
    K[1] = K[2] = slide
    K[3] = spin
    K[4] = K[5] = roll
    x[0] = N
    x[1], x[2] = -slide * (tu * su + tw * sw), -slide * (-tw * su + tu * sw)
    x[3] = -spin * twist
    # torque on the second body -K n x Theta
    x[4], x[5] = roll * (tu * rw - tw * ru), roll * (-tw * rw - tu * ru)
    for i in range(1, 6):
        if not uses[l, i]:
            x[i] = 0.0
    mode = return_blocks(
        par, l, start, count, block, coef, own, lengths, weight, par[l, STATIC], N, mode, K, radius, mu_r, mu_s,
        x, scaled, out, coef_out, sums,
    )  # fmt: skip
    for i in range(1, 6):
        if K[i] > 0.0:
            sums[ELASTIC] += 0.5 * x[i] * x[i] / K[i]
    fu, fw = tu * x[1] - tw * x[2], tw * x[1] + tu * x[2]
    mu_u, mu_w = tu * x[4] - tw * x[5], tw * x[4] + tu * x[5]
    torque = x[3]
    record[c, SLIDE], record[c, SLIDE + 1] = -fu / slide, -fw / slide
    if roll > 0.0:
        record[c, ROLL_B], record[c, ROLL_B + 1] = -mu_w / roll, mu_u / roll
    if spin > 0.0:
        record[c, SPIN] = -torque / spin
    record[c, MODE] = mode
    # dashpots, on the rows of the frame
    for i in range(6):
        out[i] = x[i]
    if mode & 1 == 0 and uses[l, 1]:
        D = 2.0 * math.sqrt(mass * slide) if math.isnan(par[l, K_D]) else par[l, K_D]
        x[1] -= D / h * (tu * du + tw * dw)
        x[2] -= D / h * (-tw * du + tu * dw)
    if mode & 4 == 0 and uses[l, 4]:
        D = 2.0 * math.sqrt(inertia_r * roll) if math.isnan(par[l, D_R]) else par[l, D_R]
        x[4] += D / h * (tu * bw - tw * bu)
        x[5] += D / h * (-tw * bw - tu * bu)
    if mode & 8 == 0 and uses[l, 3]:
        D = 2.0 * math.sqrt(inertia_s * spin) if math.isnan(par[l, D_S]) else par[l, D_S]
        x[3] -= D / h * psi
    elastic = (x[0], out[1], out[2], out[3], out[4], out[5])
    if par[l, CAP_TOTAL] == 1.0:
        lost = (sums[LOST_SLIDING], sums[LOST_ROLLING], sums[LOST_SPINNING])
        return_blocks(
            par, l, start, count, block, coef, own, lengths, weight, par[l, STATIC], N, 0, K, radius, mu_r, mu_s,
            x, scaled, out, coef_out, sums,
        )  # fmt: skip
        sums[LOST_SLIDING], sums[LOST_ROLLING], sums[LOST_SPINNING] = lost  # capping a dashpot loses no elastic energy
    gu, gw = tu * (x[1] - elastic[1]) - tw * (x[2] - elastic[2]), tw * (x[1] - elastic[1]) + tu * (x[2] - elastic[2])
    ru, rw = tu * (x[4] - elastic[4]) - tw * (x[5] - elastic[5]), tw * (x[4] - elastic[4]) + tu * (x[5] - elastic[5])
    sums[LOST_SLIDING] -= gu * du + gw * dw
    sums[LOST_SPINNING] -= (x[3] - elastic[3]) * psi
    sums[LOST_ROLLING] -= rw * bu - ru * bw
    fu, fw, torque = fu + gu, fw + gw, x[3]
    mu_u, mu_w = mu_u + ru, mu_w + rw
    return fu, fw, torque, mu_u, mu_w, -mu_u, -mu_w


@njit(**JIT)
def put_loads(loads, c, gap, fx, fy, fz, torque, rbu, rbw, rau, raw, nx, ny, nz, ux, uy, uz, wx, wy, wz):
    """A contact's loads for the report, world frame: gap, force and pure torque on the second body, torque on the first."""
    loads[c, 0] = gap
    loads[c, 1], loads[c, 2], loads[c, 3] = fx, fy, fz
    loads[c, 4] = torque * nx + rbu * ux + rbw * wx
    loads[c, 5] = torque * ny + rbu * uy + rbw * wy
    loads[c, 6] = torque * nz + rbu * uz + rbw * wz
    loads[c, 7] = -torque * nx + rau * ux + raw * wx
    loads[c, 8] = -torque * ny + rau * uy + raw * wy
    loads[c, 9] = -torque * nz + rau * uz + raw * wz
