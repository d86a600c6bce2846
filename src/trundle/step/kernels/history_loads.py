"""Loads of one contact with history friction, compiled: normal spring, stiffnesses, and what laws made of disks return.

Fang & Negrut (2020), section 3 and appendix C.  Everything takes floats, tuples and arrays only, and never raises.
"""

from __future__ import annotations

import math

from numba import njit

from trundle.kernels.rotations import JIT
from trundle.step.kernels.history import (
    CONSTANT,
    CURVATURE,
    D_R,
    D_S,
    DAMPING,
    ETA_R,
    ETA_S,
    G_EFF,
    GIVEN,
    HERTZIAN,
    HOOKE,
    INLINE,
    K_D,
    K_E,
    K_R,
    K_S,
    LENGTHS,
    MU,
    MU_R,
    MU_S,
    NONE,
    NORMAL,
    PER_BODY,
    RATIO,
    ROLLING,
    SPINNING,
    SPRING,
    STIFFNESS,
    VISCOUS,
)

ROOT5 = math.sqrt(5.0)


@njit(**INLINE)
def normal_load(kind, k, damping, pull, gap, u_n, patch):
    """Normal force [N], its dissipated power [W] and its elastic energy [J].

    kind, k, pull: columns of the parameters; damping [N s/m]; u_n: normal velocity, negative while approaching.
    """
    if kind == GIVEN:
        return k, 0.0, 0.0
    delta = -gap
    if kind == HOOKE:
        spring = k * delta
        energy = 0.5 * spring * delta
    else:
        spring = 4.0 / 3.0 * k * patch * delta
        energy = 0.4 * spring * delta
    force = spring - damping * u_n
    if force < 0.0 and pull == 0.0:  # the spring expands against its dashpot, and cannot pull
        return 0.0, spring * u_n, energy
    return force, damping * u_n * u_n, energy


@njit(**INLINE)
def normal_damping(given, ratio, kind, k, mass, patch):
    """Dashpot of the normal spring [N s/m]; mass: reduced mass."""
    if not math.isnan(given):
        return given
    if kind == HOOKE:
        return 2.0 * ratio * math.sqrt(mass * k)
    # Tsuji et al. (1992): the substitution x ~ delta^(5/4) turns it into a linear oscillator of this ratio
    return ROOT5 * ratio * math.sqrt(mass * 4.0 / 3.0 * k * patch)


@njit(**INLINE)
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
def dashpots(par, l, patch, slide, roll, spin, m_eff, m_mean, i_r, i_s):
    """Damping coefficients of the normal, sliding, rolling and spinning springs; critical ones unless given.

    m_eff: reduced mass; m_mean, i_r, i_s: m_ij and I_ij of the heuristics (1c), (3d), for rolling and spinning.
    """
    normal = normal_damping(par[l, DAMPING], par[l, RATIO], par[l, NORMAL], par[l, STIFFNESS], m_eff, patch)
    c_t, c_r, c_s = par[l, K_D], par[l, D_R], par[l, D_S]
    if math.isnan(c_t):
        c_t = 2.0 * math.sqrt(m_mean * slide)
    if math.isnan(c_r):
        c_r = 2.0 * math.sqrt(i_r * roll)
    if math.isnan(c_s):
        c_s = 2.0 * math.sqrt(i_s * spin)
    return normal, c_t, c_r, c_s


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
    """Rolling torque on the second body that needs no memory: constant (eq. (8)) or viscous, and its power [W].

    bound: mu_r N; speed [m/s]: that at which the viscous torque has this size; wu, ww: relative angular velocity.
    """
    rate = math.sqrt(wu * wu + ww * ww)
    if rate == 0.0:
        return 0.0, 0.0, 0.0
    size = bound / rate
    if kind == VISCOUS:
        size *= rate * radius / speed
    return -size * wu, -size * ww, size * rate * rate


@njit(**INLINE)
def respond(kinds, K, C, caps, static, limited, old, mode, moved, omega, radius, h):
    """Update the deflections of a contact whose law is made of disks, and give its friction loads.

    kinds: rolling model, spinning model, speed of the viscous one ; K: stiffnesses of sliding, rolling, spinning ;
    C: their damping over h ; caps: mu N, mu_r N, mu_s N ; old: deflections (sliding 2, rolling of the first body 2, of
    the second or the pair 2, spinning) ; moved: what is new in them in this step ; omega: relative angular velocity.
    Returns force (2) on the second body, its torque about n, its rolling torque (2) and the first body's (2); the
    deflections; the mode; and the energy stored, lost by sliding, rolling, spinning [J].
    """
    du, dw, au, aw, bu, bw, psi = moved
    fu, fw, su, sw, slips, stored, lost_t = yielding(
        old[0] + du, old[1] + dw, du, dw, K[0], C[0], caps[0], static, mode & 1 != 0, limited
    )
    new_mode = 1 if slips else 0

    kind = kinds[0]
    rau, raw, rbu, rbw = 0.0, 0.0, 0.0, 0.0
    pu, pw, qu, qw = old[2], old[3], old[4], old[5]
    lost_r = 0.0
    if kind == CONSTANT or kind == VISCOUS:
        rbu, rbw, power = free_roll(kind, caps[1], radius, kinds[2], omega[0], omega[1])
        rau, raw, lost_r = -rbu, -rbw, h * power
    elif kind != NONE:
        if kind == SPRING:  # integrates the angular velocity, n x (h omega) turned back to a path
            bu, bw = h * omega[1], -h * omega[0]
        elif kind == PER_BODY:
            tu, tw, pu, pw, slips, more, lost_r = yielding(
                pu + au, pw + aw, au, aw, K[1], C[1], caps[1], static, mode & 2 != 0, limited
            )
            rau, raw = -tw, tu
            stored += more
            if slips:
                new_mode |= 2
        else:
            bu, bw = bu + au, bw + aw
        tu, tw, qu, qw, slips, more, lost = yielding(
            qu + bu, qw + bw, bu, bw, K[1], C[1], caps[1], static, mode & 4 != 0, limited
        )
        rbu, rbw = tw, -tu
        stored += more
        lost_r += lost
        if slips:
            new_mode |= 4
        if kind != PER_BODY:
            rau, raw = -rbu, -rbw

    torque, twist, lost_s = 0.0, old[6], 0.0
    if kinds[1] != NONE:
        torque, _, twist, _, slips, more, lost_s = yielding(
            twist + psi, 0.0, psi, 0.0, K[2], C[2], caps[2], static, mode & 8 != 0, limited
        )
        stored += more
        if slips:
            new_mode |= 8
    loads = (-fu, -fw, -torque, rbu, rbw, rau, raw)
    return loads, (su, sw, pu, pw, qu, qw, twist), new_mode, (stored, lost_t, lost_r, lost_s)
