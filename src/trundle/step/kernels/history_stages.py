"""Stages of a step with history friction: loads of the contacts, energy.  Never raise.

The contacts come from `history_search`, whatever the bodies are; each has a row of the memory, its slot.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.contacts import SEARCHES
from trundle.kernels.rotations import JIT, rotation_matrix
from trundle.kernels.space import GO_ON, clear1, clear2, flag1, flag2, real1, real2, real3, whole1, whole2
from trundle.kinds import CYLINDER, DISK, HALF_SPACE, SPHERE
from trundle.laws.kernels.varying import HERTZ_PATCH
from trundle.step.kernels import history as H
from trundle.step.kernels import history_places as Q
from trundle.step.kernels import places as P
from trundle.step.kernels.assemble import along_axis
from trundle.step.kernels.finish import FAST, look_for_overlaps
from trundle.step.kernels.history import (
    INLINE,
    begin,
    combined,
    cross,
    dot,
    follow,
    frame_tangent,
    plus,
    put_vector,
    vector_of,
)
from trundle.step.kernels.history_friction import (
    normal_load,
    normal_spring,
    respond,
    respond_section,
    restiffened,
    springs,
)
from trundle.step.kernels.history_motion import through_body
from trundle.step.kernels.history_paths import curvatures, path, rolling_metric
from trundle.step.kernels.motion import kinetic_energy, potential_energy
from trundle.step.kernels.passed import may_have_passed
from trundle.step.kernels.patches import patch_radius
from trundle.step.kernels.rolling import rim_axes

STILL = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


# --- loads ----------------------------------------------------------------------------------------------------------------


@njit(**INLINE)
def inverse_mass_along(n, inverse_mass, locked, i):
    """Of body i, which may not move along some axes of the world."""
    free = 1.0
    if locked.shape[0]:
        for k in range(3):
            if locked[i, k]:
                free -= n[k] * n[k]
    return inverse_mass[i] * max(free, 0.0)


@njit(**JIT)
def mean_inertia(inertia, orientation, inverse_mass, a, b, n, R):
    """I_ij of the heuristics, across n (rolling) and about n (spinning): means of the bodies that can move."""
    across, along, count = 0.0, 0.0, 0
    for i in (a, b):
        if inverse_mass[i] == 0.0:
            continue
        rotation_matrix(orientation, i, R)
        about = dot(n, through_body(R, inertia, i, n))
        along += about
        across += 0.5 * (inertia[i, 0, 0] + inertia[i, 1, 1] + inertia[i, 2, 2] - about)
        count += 1
    return across / count, along / count


@njit(**INLINE)
def springs_of(par, l, table, t, gap):
    """Springs of a pair of the list (see `springs`), its patch and its effective radius [m]."""
    R_eff = table[t, Q.R_EFF]
    if par[l, H.STEADY] == 1.0:
        dashpots = (table[t, Q.DASHPOTS], table[t, Q.DASHPOTS + 1], table[t, Q.DASHPOTS + 2], table[t, Q.DASHPOTS + 3])
        return (
            vector_of(table, t, Q.STIFF),
            table[t, Q.COEFFICIENTS],
            table[t, Q.COEFFICIENTS + 1],
            dashpots,
            0.0,
            R_eff,
        )
    patch, i_mean = math.sqrt(R_eff * max(-gap, 0.0)), table[t, Q.I_MEAN]
    K, mu_r, mu_s, dashpots = springs(
        par, l, patch, 1.0 / R_eff, table[t, Q.SIZE], table[t, Q.M_EFF], table[t, Q.M_MEAN], i_mean, i_mean
    )
    return K, mu_r, mu_s, dashpots, patch, R_eff


@njit(**JIT)
def springs_at(at, c, a, b, l, n, gap, R):
    """The same for contact c of bodies of any shape."""
    par, curved, size = real2(at, Q.SPRING_PARAMETERS), real2(at, P.RADIUS), real1(at, P.SOLID_RADIUS)
    inverse_mass = real1(at, P.INVERSE_MASS)
    kappa = 1.0 / curved[c, 0] + 1.0 / curved[c, 1]
    R_eff = 1.0 / kappa if kappa > 0.0 else np.inf
    locked = flag2(at, Q.LOCKED)
    give = inverse_mass_along(n, inverse_mass, locked, a) + inverse_mass_along(n, inverse_mass, locked, b)
    m_eff = 1.0 / give if give > 0.0 else 1.0 / (inverse_mass[a] + inverse_mass[b])  # the latter cannot move along n
    both = inverse_mass[a] > 0.0 and inverse_mass[b] > 0.0
    m_mean = 0.5 * (1.0 / inverse_mass[a] + 1.0 / inverse_mass[b]) if both else m_eff
    i_r, i_s = mean_inertia(real3(at, P.INERTIA), real2(at, P.ORIENTATION), inverse_mass, a, b, n, R)
    patch = math.sqrt(R_eff * max(-gap, 0.0)) if par[l, H.NORMAL] != H.GIVEN else 0.0
    K, mu_r, mu_s, dashpots = springs(par, l, patch, kappa, min(size[a], size[b]), m_eff, m_mean, i_r, i_s)
    return K, mu_r, mu_s, dashpots, patch, R_eff


@njit(**JIT)
def metric_at(at, c, a, b, n, u, w, R):
    """`rolling_metric` of contact c."""
    kind, size, orientation = whole1(at, P.KIND), real2(at, P.PARAMETERS), real2(at, P.ORIENTATION)
    curved, outer = real2(at, P.RADIUS), real1(at, P.SOLID_RADIUS)
    one = curvatures(kind, size, orientation, a, curved[c, 0], n, u, w, R)
    other = curvatures(kind, size, orientation, b, curved[c, 1], n, u, w, R)
    return rolling_metric(one, other, min(outer[a], outer[b]))


@njit(**INLINE)
def turn_of(turns, i):
    """The rotation of body i in this step, 9 numbers."""
    return (
        turns[i, 0], turns[i, 1], turns[i, 2], turns[i, 3], turns[i, 4], turns[i, 5], turns[i, 6], turns[i, 7], turns[i, 8]
    )  # fmt: skip


@njit(**INLINE)
def on_tangents(G, x, y):
    """G (x, y), G symmetric: uu, uw, ww."""
    return G[0] * x + G[1] * y, G[1] * x + G[2] * y


@njit(**INLINE)
def roll_through(G, moved, rate):
    """Rolling angles and their rate, multiplied by G."""
    au, aw = on_tangents(G, moved[2], moved[3])
    bu, bw = on_tangents(G, moved[4], moved[5])
    return (moved[0], moved[1], au, aw, bu, bw, moved[6]), on_tangents(G, rate[0], rate[1])


@njit(**INLINE)
def is_rim(kind, i):
    """Whether body i has a rim."""
    return kind[i] == DISK or kind[i] == CYLINDER


@njit(**JIT)
def rim_metric(x, u, w, slide, mu_r, mu, radius):
    """What makes ways along a rim of rolling angles, and torques of forces along it; and the spring along the rim [N/m].

    x: the way along the rim per angle, a vector (see `rim_axes`), |x| e e^T on the tangents.  The spring yields after the same
    way as that of sliding; where a rim lies nearly flat, and |x| is many times its radius, it is softer, against tilting.
    """
    size = math.sqrt(dot(x, x))
    if size == 0.0:
        return (0.0, 0.0, 0.0), slide
    p, q = dot(x, w) / size, -dot(x, u) / size
    roll = slide * min(mu_r / mu if mu > 0.0 and mu_r > 0.0 else 1.0, (radius / size) ** 2)
    return (size * p * p, size * p * q, size * q * q), roll


def roll_on_rims(at):
    """Axes of the rolling moments of contacts with contour friction."""
    numbers, key, feature = whole1(at, P.NUMBERS), whole1(at, P.KEY), whole1(at, P.FEATURE)
    n = numbers[P.CONTACTS]
    for c in range(n):
        feature[c] = key[c] % numbers[P.FEATURES] % (numbers[P.FEATURES] // SEARCHES)
    numbers[P.CULPRIT] = rim_axes(
        whole1(at, P.KIND), real2(at, P.PARAMETERS), real2(at, P.ORIENTATION), whole1(at, P.LAW)[:n], flag1(at, P.CONTOUR),
        whole2(at, P.BODY), real2(at, P.NORMAL), real1(at, P.GAP), real2(at, P.RADIUS), feature, 0.0, real3(at, Q.RIM_FRAMES),
    )  # fmt: skip
    return P.NO_RIM if numbers[P.CULPRIT] >= 0 else GO_ON


@njit(**INLINE)
def add_load(pull, i, is_round, far, arm, sign, force, lever, torque):
    """Add sign x force at an arm, and a pure torque, to body i; lever: torque of the force per length of a sphere's arm."""
    if is_round:
        x, y, z = far * lever[0], far * lever[1], far * lever[2]
    else:
        x, y, z = cross(arm, force)
        x, y, z = sign * x, sign * y, sign * z
    pull[i, 0] += sign * force[0]
    pull[i, 1] += sign * force[1]
    pull[i, 2] += sign * force[2]
    pull[i, 3] += x + torque[0]
    pull[i, 4] += y + torque[1]
    pull[i, 5] += z + torque[2]


@njit(**INLINE)
def deflections_of(record, s):
    """The deflections of a contact, 7 numbers."""
    return (
        record[s, H.SLIDE], record[s, H.SLIDE + 1], record[s, H.ROLL_A], record[s, H.ROLL_A + 1], record[s, H.ROLL_B],
        record[s, H.ROLL_B + 1], record[s, H.SPIN],
    )  # fmt: skip


@njit(**INLINE)
def put_deflections(record, s, new, mode):
    """Write the deflections and the mode of a contact."""
    record[s, H.SLIDE], record[s, H.SLIDE + 1] = new[0], new[1]
    record[s, H.ROLL_A], record[s, H.ROLL_A + 1] = new[2], new[3]
    record[s, H.ROLL_B], record[s, H.ROLL_B + 1] = new[4], new[5]
    record[s, H.SPIN], record[s, H.MODE] = new[6], mode


@njit(**JIT)
def any_law(at, c, l, n, u, w, K, C, N, mu_r, mu_s, R_eff, old, mode, moved, R):
    """`respond_section` for contact c, and whether its law's axis has a direction in the tangent plane."""
    par, axis_of = real2(at, Q.SPRING_PARAMETERS), whole1(at, P.AXIS_OF)
    first, seen = frame_tangent(n), True
    if axis_of[l] >= 0:
        x, y, z = along_axis(axis_of[l], real2(at, P.AXIS), l, real2(at, P.ORIENTATION), n[0], n[1], n[2], R)
        size = math.sqrt(x * x + y * y + z * z)
        seen = size > 0.0
        first = (x / size, y / size, z / size) if seen else first
    laws = (
        whole1(at, P.LAW_FIRST), whole1(at, P.LAW_COUNT), whole2(at, P.LAW_BLOCK), real2(at, P.LAW_COEF), whole1(at, P.OWN),
        flag2(at, P.LAW_LENGTHS), real2(at, P.LAW_WEIGHT), flag2(at, P.LAW_USES), whole2(at, P.LAW_CURVE),
        real2(at, P.CURVES), whole1(at, P.CURVE_CALL), real2(at, P.CURVE_POINTS),
    )  # fmt: skip
    ball, kind, body = R_eff, whole1(at, P.KIND), whole2(at, P.BODY)
    plain = kind[body[c, 1]] == SPHERE and (kind[body[c, 0]] == SPHERE or kind[body[c, 0]] == HALF_SPACE)
    for k in range(real2(at, P.CURVES).shape[0]):
        if real2(at, P.CURVES)[k, 0] == HERTZ_PATCH and not plain:
            ball = patch_radius(at, c, n, u, w, real2(at, P.ORIENTATION))
    f, new, mode, energies = respond_section(
        laws, real2(at, Q.WORK), real2(at, Q.COEF_ROOM), l, R_eff if par[l, H.LENGTHS] == 1.0 else 1.0, K, C, N, mu_r, mu_s,
        par[l, H.STATIC], par[l, H.CAP_TOTAL] == 1.0, old, mode, moved, (dot(first, u), dot(first, w)), ball,
        real1(at, P.OPTIONS)[P.H],
    )  # fmt: skip
    return f, new, mode, energies, seen


@njit(**JIT)
def note_springs(loads, c, n, u, w, spring, K, new, G):
    """For the report: loads of the springs of contact c, that of the normal is `spring` [N], and their deflections.

    Loads are -K times deflections, the second body's relative to the first; rolling is a rotation vector here.
    """
    put_vector(loads, c, H.SPRING_FORCE, plus(combined(-K[0] * new[0], u, -K[0] * new[1], w), spring, n))
    x, y = on_tangents(G, K[1] * new[4], K[1] * new[5])
    put_vector(loads, c, H.SPRING_TORQUE, plus(combined(y, u, -x, w), -K[2] * new[6], n))
    put_vector(loads, c, H.SLID, combined(new[0], u, new[1], w))
    det = G[0] * G[2] - G[1] * G[1]  # G is the identity where bodies roll alike in all directions
    inverse = (G[2] / det, -G[1] / det, G[0] / det)
    x, y = on_tangents(inverse, new[4], new[5])
    put_vector(loads, c, H.TURNED, plus(combined(-y, u, x, w), new[6], n))
    x, y = on_tangents(inverse, new[2], new[3])
    put_vector(loads, c, H.TURNED_A, combined(-y, u, x, w))


@njit(**INLINE)
def slip(at, record, s, plane, a, b, geodesic, n, gap, v, arm_a, arm_b):
    """The continued tangents u and w, and what is new in the deflections (section 2); the new frame is remembered.

    plane: whether the first body is a fixed one; v: relative velocity of the centres; arms: not of spheres, on which
    geodesics are angles times the distance of the contact point from the centre.
    """
    turns, radius, kind, h = (
        real2(at, Q.TURNS),
        real1(at, P.SOLID_RADIUS),
        whole1(at, P.KIND),
        real1(at, P.OPTIONS)[P.H],
    )
    round_a, round_b = kind[a] == SPHERE, kind[b] == SPHERE
    if record[s, H.TOUCHES] == 0.0:
        u = begin(record, s, n)
        w, moved = cross(n, u), STILL
    else:
        A, B, deep = turn_of(turns, a), turn_of(turns, b), 0.5 * record[s, H.GAP]
        u, psi, alpha, beta, ca, cb = follow(A, B, vector_of(record, s, H.N0), vector_of(record, s, H.U0), n)
        w = cross(n, u)
        au, aw, bu, bw = -dot(alpha, u), -dot(alpha, w), dot(beta, u), dot(beta, w)
        size, orientation = real2(at, P.PARAMETERS), real2(at, P.ORIENTATION)
        if round_a:
            pu, pw = (radius[a] + deep) * au, (radius[a] + deep) * aw
        elif plane:  # more precise than the difference of two points
            pu, pw = h * dot(v, u), h * dot(v, w)
        else:
            p = path(record, s, 0, A, a, kind, size, orientation, geodesic, arm_a, n, gap, alpha, ca)
            pu, pw = dot(p, u), dot(p, w)
        if round_b:
            qu, qw = (radius[b] + deep) * bu, (radius[b] + deep) * bw
        else:
            p = path(record, s, 1, B, b, kind, size, orientation, geodesic, arm_b, n, gap, beta, cb)
            qu, qw = dot(p, u), dot(p, w)
        moved = (pu - qu, pw - qw, au, aw, bu, bw, psi)
    put_vector(record, s, H.N0, n)
    put_vector(record, s, H.U0, u)
    record[s, H.GAP] = gap
    if not round_a and not plane:
        put_vector(record, s, H.ARM_A, arm_a)
    if not round_b:
        put_vector(record, s, H.ARM_B, arm_b)
    return u, w, moved


def touch(at):
    """Loads of all contacts at the end of a step, and the memories of these; sums: energies of this step.

    Sections 2 and 3: how the contact point moved on both bodies since the last step is added to the deflections S, Theta,
    Psi; springs and dashpots act; what leaves the law's section returns to it.
    """
    numbers, counts, sums, h = whole1(at, P.NUMBERS), whole1(at, Q.COUNTS), real1(at, Q.SUMS), real1(at, P.OPTIONS)[P.H]
    body, point, normal, gaps, law = (
        whole2(at, P.BODY), real2(at, P.POINT), real2(at, P.NORMAL), real1(at, P.GAP), whole1(at, P.LAW)
    )  # fmt: skip
    slot, which, par, table = (
        whole1(at, Q.SLOT),
        whole1(at, Q.WHICH),
        real2(at, Q.SPRING_PARAMETERS),
        real2(at, Q.CONSTANTS),
    )
    record, pull, loads = real3(at, Q.RECORDS)[counts[Q.NOW]], real2(at, Q.PULLS), real2(at, Q.CONTACT_LOADS)
    kind, radius, position = whole1(at, P.KIND), real1(at, P.SOLID_RADIUS), real2(at, P.POSITION)
    velocity, omega, R = real2(at, P.VELOCITY), real2(at, P.ANGULAR_VELOCITY), np.empty((3, 3))
    contour, rims, size = flag1(at, P.CONTOUR), real3(at, Q.RIM_FRAMES), real2(at, P.PARAMETERS)
    slid, rolled, spun, hit, stored, given = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    clear2(pull, pull.shape[0])
    noted = counts[Q.NOTED] != 0
    for c in range(numbers[P.CONTACTS]):
        a, b, l, gap, s = body[c, 0], body[c, 1], law[c], gaps[c], slot[c]
        n, round_a, round_b = vector_of(normal, c, 0), kind[a] == SPHERE, kind[b] == SPHERE
        plane = which[c] >= 0 and not round_a  # it is fixed
        o = plus(vector_of(omega, b, 0), -1.0, vector_of(omega, a, 0))
        v = plus(vector_of(velocity, b, 0), -1.0, vector_of(velocity, a, 0))
        u_n = dot(n, v)
        arm_a, arm_b = n, n  # only of bodies that are no spheres, whose arms are along n
        if not round_a and not plane:
            arm_a = plus(vector_of(point, c, 0), -1.0, vector_of(position, a, 0))
            u_n -= dot(n, cross(vector_of(omega, a, 0), arm_a))
        if not round_b:
            arm_b = plus(vector_of(point, c, 0), -1.0, vector_of(position, b, 0))
            u_n += dot(n, cross(vector_of(omega, b, 0), arm_b))
        if which[c] >= 0:
            K, mu_r, mu_s, dashpots, patch, R_eff = springs_of(par, l, table, which[c], gap)
        else:
            K, mu_r, mu_s, dashpots, patch, R_eff = springs_at(at, c, a, b, l, n, gap, R)
            if not R_eff < np.inf:
                numbers[P.CULPRIT] = c
                if par[l, H.LENGTHS] == 1.0:
                    return P.FLAT
                if gap < 0.0 and (par[l, H.NORMAL] == H.HERTZ or par[l, H.SPINNING] == H.HERTZIAN):
                    return Q.NO_PATCH
        N, lost, energy = normal_load(
            par[l, H.NORMAL], par[l, H.STIFFNESS], dashpots[0], par[l, H.PULL], gap, u_n, patch
        )
        hit += h * lost
        stored += energy
        if par[l, H.NORMAL] == H.GIVEN:
            given += h * N * u_n
        u, w, moved = slip(at, record, s, plane, a, b, par[l, H.GEODESIC], n, gap, v, arm_a, arm_b)
        rate = (dot(o, w), -dot(o, u))
        # rolling is the same in all directions where angles are multiplied by this
        uneven = which[c] < 0 and par[l, H.ROLLING] != H.NONE and not math.isnan(par[l, H.ETA_R])
        G = (1.0, 0.0, 1.0)
        if uneven:
            G = metric_at(at, c, a, b, n, u, w, R)
            moved, rate = roll_through(G, moved, rate)
        c_r = dashpots[2]
        if contour[l]:
            uneven, x = True, vector_of(rims[c], 5, 0)
            G, roll = rim_metric(x, u, w, K[0], mu_r, par[l, H.MU], size[b if is_rim(kind, b) else a, 0])
            moved, rate = roll_through(G, moved, rate)
            if not math.isnan(par[l, H.K_R]):
                roll = par[l, H.K_R]
            K, c_r = (
                (K[0], roll, K[2]),
                dashpots[1] * math.sqrt(roll / K[0]) if math.isnan(par[l, H.D_R]) else par[l, H.D_R],
            )
        C = (dashpots[1] / h, c_r / h, dashpots[3] / h)
        old = restiffened(vector_of(record, s, H.K_SLIDE), K, deflections_of(record, s))
        mode, limited, load_n = int(record[s, H.MODE]), par[l, H.CAP_TOTAL] == 1.0, max(N, 0.0)
        if par[l, H.PLAIN] == 1.0:
            f, new, mode, energies = respond(
                (par[l, H.ROLLING], par[l, H.SPINNING], par[l, H.SPEED]), K, C,
                (par[l, H.MU] * load_n, mu_r * load_n, mu_s * load_n), par[l, H.STATIC], limited, old, mode, moved, rate, R_eff,
                h,
            )  # fmt: skip
        else:
            f, new, mode, energies, seen = any_law(
                at, c, l, n, u, w, K, C, load_n, mu_r, mu_s, R_eff, old, mode, moved, R
            )
            if not seen:
                numbers[P.CULPRIT] = c
                return P.NO_AXIS
        put_deflections(record, s, new, mode)
        put_vector(record, s, H.K_SLIDE, K)
        stored, slid = stored + energies[0], slid + energies[1]
        rolled, spun = rolled + energies[2], spun + energies[3]
        bu, bw, au, aw = f[3], f[4], f[5], f[6]
        if uneven:
            bu, bw = on_tangents(G, bu, bw)
            au, aw = on_tangents(G, au, aw)
        if par[l, H.VISCOUS_ROLLING] > 0.0:
            thick, ru, rw = par[l, H.VISCOUS_ROLLING], dot(o, w), -dot(o, u)
            tu, tw = ru, rw
            if contour[l]:
                tu, tw = on_tangents(G, ru, rw)
                tu, tw = on_tangents(G, tu, tw)
            bu, bw, au, aw = bu + thick * tu, bw + thick * tw, au + thick * tu, aw + thick * tw
            rolled += h * thick * (ru * tu + rw * tw)
        force = combined(f[0], u, f[1], w)
        on_a, on_b = plus(combined(-aw, u, au, w), -f[2], n), plus(combined(bw, u, -bu, w), f[2], n)
        lever, force = cross(force, n), plus(force, N, n)
        add_load(pull, b, round_b, radius[b] + 0.5 * gap, arm_b, 1.0, force, lever, on_b)
        if not plane:
            add_load(pull, a, round_a, radius[a] + 0.5 * gap, arm_a, -1.0, force, lever, on_a)
        if noted:
            loads[c, 0] = gap
            put_vector(loads, c, H.FORCE, force)
            put_vector(loads, c, H.TORQUE, on_b)
            put_vector(loads, c, H.TORQUE_A, on_a)
            spring = normal_spring(par[l, H.NORMAL], par[l, H.STIFFNESS], gap, patch)
            note_springs(loads, c, n, u, w, spring, K, new, G)
    sums[H.LOST_SLIDING], sums[H.LOST_ROLLING], sums[H.LOST_SPINNING] = slid, rolled, spun
    sums[H.LOST_IMPACT], sums[H.ELASTIC], sums[H.GIVEN_WORK] = hit, stored, given
    return GO_ON


def account(at):
    """Where the energy went, and what else the table of steps says."""
    numbers, results, sums = whole1(at, P.NUMBERS), real1(at, P.RESULTS), real1(at, Q.SUMS)
    row, free, mass = real2(at, P.STEPS)[numbers[P.STEP_DONE]], whole1(at, P.MOVABLE), real1(at, P.MASS)
    clear1(row)
    kinetic = kinetic_energy(
        free, mass, real3(at, P.INERTIA), real2(at, P.ORIENTATION), real2(at, P.VELOCITY), real2(at, P.ANGULAR_VELOCITY)
    )
    potential = potential_energy(free, mass, real2(at, P.POSITION), real1(at, P.GRAVITY))
    elastic, external = sums[H.ELASTIC], sums[H.GIVEN_WORK] + results[P.GIVEN]
    total = kinetic + potential + elastic
    if not (kinetic < np.inf and abs(potential) < np.inf):
        return P.NOT_FINITE
    row[P.S_SLIDING], row[P.S_ROLLING], row[P.S_SPINNING] = (
        sums[H.LOST_SLIDING],
        sums[H.LOST_ROLLING],
        sums[H.LOST_SPINNING],
    )
    row[P.S_IMPACT] = sums[H.LOST_IMPACT]
    lost = sums[H.LOST_SLIDING] + sums[H.LOST_ROLLING] + sums[H.LOST_SPINNING] + sums[H.LOST_IMPACT]
    row[P.S_NUMERICAL] = results[P.TOTAL] + external - total - lost
    row[P.S_KINETIC], row[P.S_POTENTIAL], row[P.S_ELASTIC], row[P.S_EXTERNAL] = kinetic, potential, elastic, external
    results[P.TOTAL], results[P.ELASTIC] = total, elastic
    row[P.S_CONTACTS], row[P.S_SWEEPS], row[P.S_CONVERGED] = numbers[P.CONTACTS], 1.0, 1.0
    look_for_overlaps(at, numbers, row)
    return P.FAR if row[P.S_WAY] > FAST and may_have_passed(at) else GO_ON
