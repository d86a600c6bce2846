"""Stages of a step with history friction: motion, contacts that remember, their loads, energy.  Never raise.

Spheres on fixed planes have a list of pairs that may come to touch, which is made again when a sphere has left its skin; all
other bodies take their contacts from the stages of `search`.  Either way a contact has a row of `record`, its slot, and
`touch` finds its loads.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.find import reach_all
from trundle.detect.kernels.near import SKIN as NEAR_SKIN
from trundle.detect.kernels.near import find_near
from trundle.detect.kernels.plane import rotations, world_planes
from trundle.kernels.rotations import INNER, JIT, rotate_by, rotation_matrix
from trundle.kernels.space import GO_ON, clear1, clear2, copy2, flag1, flag2, real1, real2, real3, whole1, whole2
from trundle.step.kernels import places as P
from trundle.step.kernels.assemble import along_axis
from trundle.step.kernels.finish import FAST, look_for_overlaps
from trundle.step.kernels.history import (
    ARM_A,
    ARM_B,
    CAP_TOTAL,
    ELASTIC,
    ETA_R,
    GAP,
    GEODESIC,
    GIVEN,
    GIVEN_WORK,
    HERTZ,
    HERTZIAN,
    INLINE,
    K_SLIDE,
    LENGTHS,

    LOST_IMPACT,
    LOST_ROLLING,
    LOST_SLIDING,
    LOST_SPINNING,
    MARGIN,
    MODE,
    MU,
    N0,
    NONE,
    NORMAL,
    PLAIN,
    PULL,
    RECORD,
    ROLL_A,
    ROLL_B,
    ROLLING,
    SLIDE,
    SPEED,
    SPIN,
    SPINNING,
    STATIC,
    STEADY,
    STIFFNESS,
    TOUCHES,
    U0,
    VISCOUS_ROLLING,
    begin,
    combined,
    cross,
    dot,
    follow,
    frame_tangent,
    plus,
    put_vector,
    rotation_by,
    vector_of,
)
from trundle.step.kernels.history_friction import normal_load, respond, respond_section, restiffened, springs
from trundle.step.kernels.history_paths import SPHERE, curvatures, in_body, path, rolling_metric
from trundle.step.kernels.motion import kinetic_energy, potential_energy
from trundle.step.kernels.search import near_pairs, solids

# places of the arrays of history friction, behind those of all steps; N slots, C contacts
NAMES = (
    "pull", "turns", "spring_parameters", "record", "slot_key", "pair_body", "pair_law", "pair_which", "slot", "which", "constants",
    "body_kind", "example", "plane_of", "contact_loads", "work", "coef_room", "sums", "counts", "list_reach",
)  # fmt: skip
(
    PULLS, TURNS, SPRING_PARAMETERS, RECORDS, SLOT_KEY, PAIR_BODY, PAIR_LAW, PAIR_WHICH, SLOT, WHICH, CONSTANTS, BODY_KIND,
    EXAMPLE, PLANE_OF, CONTACT_LOADS, WORK, COEF_ROOM, SUMS, COUNTS, LIST_REACH,
) = range(len(P.NAMES), len(P.NAMES) + len(NAMES))  # fmt: skip
# counts: used slots; which of the two records is the present one; pairs with planes come first; whether the list is stale;
# whether loads are noted for a report; whether all pairs are listed
SLOTS, NOW, ON_PLANES, STALE, NOTED, EVERY = range(6)
COUNT_COUNT = 6
NO_PATCH = 32  # code: Hertz' theory has no patch at this contact
# columns of what pairs of spheres, or of plane and sphere, keep from step to step
R_EFF, SIZE, M_EFF, M_MEAN, I_MEAN = 0, 1, 2, 3, 4  # effective and smaller radius, masses, moment of inertia
STIFF, COEFFICIENTS, DASHPOTS = 5, 8, 10  # K_E, K_R, K_psi; mu_r, mu_s; normal, sliding, rolling, spinning
CONSTANT_COUNT = 14
REACH, ROOM = 0, 1  # of the list: gap up to which pairs are on it, square of the way that spheres may go [m, m^2]
STILL = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


# --- motion ---------------------------------------------------------------------------------------------------------------


@njit(**INLINE)
def through_body(R, tensor, i, x):
    """R tensor[i] R^T x."""
    y = in_body(R, x)
    z = (
        tensor[i, 0, 0] * y[0] + tensor[i, 0, 1] * y[1] + tensor[i, 0, 2] * y[2],
        tensor[i, 1, 0] * y[0] + tensor[i, 1, 1] * y[1] + tensor[i, 1, 2] * y[2],
        tensor[i, 2, 0] * y[0] + tensor[i, 2, 1] * y[1] + tensor[i, 2, 2] * y[2],
    )
    return (
        R[0, 0] * z[0] + R[0, 1] * z[1] + R[0, 2] * z[2],
        R[1, 0] * z[0] + R[1, 1] * z[1] + R[1, 2] * z[2],
        R[2, 0] * z[0] + R[2, 1] * z[1] + R[2, 2] * z[2],
    )


@njit(**INLINE)
def turn_body(orientation, i, x, turns):
    """Turn body i by the rotation vector x [rad]; turns[i]: the rotation, 9 numbers."""
    T, square = rotation_by(x[0], x[1], x[2]), dot(x, x)
    for k in range(3):
        turns[i, 3 * k], turns[i, 3 * k + 1], turns[i, 3 * k + 2] = T[3 * k], T[3 * k + 1], T[3 * k + 2]
    if square < 1e-4:  # the angles of nearly all steps: series instead of roots, sines and cosines
        half = 0.5 - square / 48.0 * (1.0 - square / 80.0)
        c = 1.0 - square / 8.0 * (1.0 - square / 48.0 * (1.0 - square / 120.0))
        q0, q = orientation[i, 0], vector_of(orientation, i, 1)
        x = half * x[0], half * x[1], half * x[2]
        w, y = c * q0 - dot(x, q), plus(plus(cross(x, q), c, q), q0, x)
        norm = 1.0 / math.sqrt(w * w + dot(y, y))
        orientation[i, 0] = norm * w
        put_vector(orientation, i, 1, (norm * y[0], norm * y[1], norm * y[2]))
    else:
        rotate_by(orientation, i, x[0], x[1], x[2])


@njit(**JIT)
def swing(i, h, torque, inertia, inverse, orientation, omega, R, turning):
    """Angular velocity of body i in the middle of a step, which turns it; its angular momentum advances by h torque."""
    rotation_matrix(orientation, i, R)
    momentum = plus(through_body(R, inertia, i, vector_of(omega, i, 0)), h, torque)
    spin = through_body(R, inverse, i, momentum)
    for k in range(4):
        turning[0, k] = orientation[i, k]
    rotate_by(turning, 0, 0.5 * h * spin[0], 0.5 * h * spin[1], 0.5 * h * spin[2])
    rotation_matrix(turning, 0, R)
    return momentum, through_body(R, inverse, i, momentum)


def move(at):
    """v += h a, x += h v (half-implicit Euler); the angular momentum is advanced, and bodies turn at the velocity of the middle.

    A free body keeps its angular momentum to round-off.
    """
    options, results, counts = real1(at, P.OPTIONS), real1(at, P.RESULTS), whole1(at, COUNTS)
    h, free, g, pull = options[P.H], whole1(at, P.MOVABLE), real1(at, P.GRAVITY), real2(at, PULLS)
    position, orientation = real2(at, P.POSITION), real2(at, P.ORIENTATION)
    velocity, omega, turns = real2(at, P.VELOCITY), real2(at, P.ANGULAR_VELOCITY), real2(at, TURNS)
    inverse_mass, inertia, inverse = real1(at, P.INVERSE_MASS), real3(at, P.INERTIA), real3(at, P.INVERSE_INERTIA)
    round_one, given, place = flag1(at, P.ROUND), real2(at, P.LOAD_IMPULSE), real2(at, P.NEAR_PLACE)
    loaded, R, turning = whole1(at, P.LOAD_BODY).shape[0] > 0, np.empty((3, 3)), np.empty((1, 4))
    copy2(position, real2(at, P.BEFORE), position.shape[0])
    farthest, fastest, work = 0.0, 0.0, 0.0
    for m in range(free.shape[0]):
        i = free[m]
        push, torque = vector_of(pull, i, 0), vector_of(pull, i, 3)
        v0, w0 = vector_of(velocity, i, 0), vector_of(omega, i, 0)
        if loaded:
            push, torque = plus(push, 1.0 / h, vector_of(given, i, 0)), plus(torque, 1.0 / h, vector_of(given, i, 3))
        distance = 0.0
        for k in range(3):
            velocity[i, k] += h * (push[k] * inverse_mass[i] + g[k])
            position[i, k] += h * velocity[i, k]
            fastest = max(fastest, abs(velocity[i, k]))
            distance += (position[i, k] - place[i, k]) ** 2
        farthest = max(farthest, distance)
        if round_one[i]:
            w = plus(w0, h * inverse[i, 0, 0], torque)
            turn_body(orientation, i, (h * w[0], h * w[1], h * w[2]), turns)
        else:
            momentum, w = swing(i, h, torque, inertia, inverse, orientation, omega, R, turning)
            turn_body(orientation, i, (h * w[0], h * w[1], h * w[2]), turns)
            rotation_matrix(orientation, i, R)
            w = through_body(R, inverse, i, momentum)
        put_vector(omega, i, 0, w)
        if loaded:
            work += 0.5 * dot(vector_of(given, i, 0), plus(v0, 1.0, vector_of(velocity, i, 0)))
            work += 0.5 * dot(vector_of(given, i, 3), plus(w0, 1.0, w))
    body, wanted, step = whole1(at, P.MOTION_BODY), real3(at, P.MOTION_VELOCITY), whole1(at, P.NUMBERS)[P.STEP_DONE]
    for m in range(body.shape[0]):
        i = body[m]
        for k in range(3):
            work -= 0.5 * h * pull[i, k] * (velocity[i, k] + wanted[step, m, k])
            work -= 0.5 * h * pull[i, 3 + k] * (omega[i, k] + wanted[step, m, 3 + k])
            velocity[i, k], omega[i, k] = wanted[step, m, k], wanted[step, m, 3 + k]
            position[i, k] += h * velocity[i, k]
        turn_body(orientation, i, (h * omega[i, 0], h * omega[i, 1], h * omega[i, 2]), turns)
    results[P.GIVEN] = work
    last = step + 1 == real2(at, P.STEPS).shape[0]
    counts[NOTED] = 1 if last or h * fastest > 0.999 * FAST * options[P.LEAST_SIZE] else 0
    if not farthest <= real1(at, LIST_REACH)[ROOM]:  # also where it is not a number
        counts[STALE] = 1
    return GO_ON


# --- contacts and their memories --------------------------------------------------------------------------------------------


def look_around(at):
    """Instead of `search.reach_out`: where bodies are, and no further."""
    options = real1(at, P.OPTIONS)
    whole1(at, P.NUMBERS)[P.LOOKED] = 0
    if not reach_all(
        0.0, 0.0, solids(at), real2(at, P.MIDDLE), real2(at, P.VELOCITY), real2(at, P.ANGULAR_VELOCITY), flag1(at, P.PRESENT),
        options[P.MARGIN], real1(at, P.ROOM_REACH), real1(at, P.ROOM_OUTER),
    ):  # fmt: skip
        return P.NOT_FINITE
    rotations(whole1(at, P.LIST_TURNED), real2(at, P.TURNED), real3(at, P.ROOM_R))
    world_planes(
        whole1(at, P.LIST_PLANES), real2(at, P.SOLID_SIZE), real2(at, P.MIDDLE), real2(at, P.TURNED), real2(at, P.ROOM_PLANE)
    )  # fmt: skip
    return GO_ON


@njit(**INNER)
def carry_over(key, n, old_key, known, old, record):
    """Records of n new slots from the known old ones; both lists of keys are sorted."""
    k = 0
    for c in range(n):
        while k < known and old_key[k] < key[c]:
            k += 1
        same = k < known and old_key[k] == key[c]
        for i in range(RECORD):
            record[c, i] = old[k, i] if same else 0.0


def remember(at):
    """Contacts of the search that are closed, each with its memory."""
    numbers, counts, par = whole1(at, P.NUMBERS), whole1(at, COUNTS), real2(at, SPRING_PARAMETERS)
    body, point, normal, gap = whole2(at, P.BODY), real2(at, P.POINT), real2(at, P.NORMAL), real1(at, P.GAP)
    law, key, radius = whole1(at, P.LAW), whole1(at, P.KEY), real2(at, P.RADIUS)
    slot, which, keys, records, n = whole1(at, SLOT), whole1(at, WHICH), whole2(at, SLOT_KEY), real3(at, RECORDS), 0
    now = 1 - counts[NOW]
    for c in range(numbers[P.CONTACTS]):
        if gap[c] >= par[law[c], MARGIN]:
            continue
        for k in range(2):
            body[n, k], radius[n, k] = body[c, k], radius[c, k]
        for k in range(3):
            point[n, k], normal[n, k] = point[c, k], normal[c, k]
        gap[n], law[n], key[n], keys[now, n] = gap[c], law[c], key[c], key[c]
        slot[n], which[n] = n, -1
        n += 1
    carry_over(keys[now], n, keys[1 - now], counts[SLOTS], records[1 - now], records[now])
    counts[NOW], counts[SLOTS], numbers[P.CONTACTS] = now, n, n
    return GO_ON


@njit(**INNER)
def put_constants(at, t, a, b, l):
    """Row t of the constants: springs of a pair of spheres, or of plane and sphere, as they are without a patch."""
    table, par, radius = real2(at, CONSTANTS), real2(at, SPRING_PARAMETERS), real1(at, P.SOLID_RADIUS)
    mass, inertia = real1(at, P.MASS), real3(at, P.INERTIA)
    one, other = (b, b) if math.isinf(mass[a]) else ((a, a) if math.isinf(mass[b]) else (a, b))
    size = min(radius[a], radius[b])
    kappa, m_mean = 1.0 / radius[a] + 1.0 / radius[b], 0.5 * (mass[one] + mass[other])
    m_eff = m_mean if one == other else mass[one] * mass[other] / (mass[one] + mass[other])
    i_mean = 0.5 * (inertia[one, 0, 0] + inertia[other, 0, 0])
    table[t, R_EFF], table[t, SIZE], table[t, M_EFF] = 1.0 / kappa, size, m_eff
    table[t, M_MEAN], table[t, I_MEAN] = m_mean, i_mean
    K, mu_r, mu_s, dashpots = springs(par, l, 0.0, kappa, size, m_eff, m_mean, i_mean, i_mean)
    put_vector(table, t, STIFF, K)
    table[t, COEFFICIENTS], table[t, COEFFICIENTS + 1] = mu_r, mu_s
    for k in range(4):
        table[t, DASHPOTS + k] = dashpots[k]


def tabulate_springs(at):
    """Constants of all pairs of kinds of bodies."""
    example, surface, pair = whole1(at, EXAMPLE), whole1(at, P.LIST_SURFACE), whole2(at, P.LIST_PAIR)
    mass, n = real1(at, P.MASS), whole1(at, EXAMPLE).shape[0]
    for t in range(n * n):
        a, b = example[t // n], example[t % n]
        l = pair[surface[a], surface[b]]
        if l >= 0 and not (math.isinf(mass[a]) and math.isinf(mass[b])):
            put_constants(at, t, a, b, l)
    return GO_ON


@njit(**INNER)
def list_pair(at, counts, n, now, a, b, rank):
    """Slot n of the list: bodies, law, identity, and the row of their constants."""
    body, keys, surface = whole2(at, PAIR_BODY), whole2(at, SLOT_KEY), whole1(at, P.LIST_SURFACE)
    kind, kinds = whole1(at, BODY_KIND), whole1(at, EXAMPLE).shape[0]
    law = whole2(at, P.LIST_PAIR)[surface[a], surface[b]]
    body[n, 0], body[n, 1], keys[now, n] = a, b, rank * surface.shape[0] + b
    whole1(at, PAIR_LAW)[n] = law
    whole1(at, PAIR_WHICH)[n] = kind[a] * kinds + kind[b] if kinds else n
    if kinds == 0 and law >= 0:
        put_constants(at, n, a, b, law)


@njit(**INNER)
def near_planes(at, reach, now, write):
    """Pairs (plane, sphere) that come within `reach`, listed if `write`; returns how many there are."""
    planes, plane, spheres = whole1(at, P.LIST_PLANES), real2(at, P.ROOM_PLANE), whole1(at, P.LIST_SPHERES)
    position, radius, present = real2(at, P.POSITION), real1(at, P.SOLID_RADIUS), flag1(at, P.PRESENT)
    counts, n = whole1(at, COUNTS), 0
    for k in range(planes.shape[0]):
        for m in range(spheres.shape[0]):
            i = spheres[m]
            height = dot(vector_of(plane, k, 0), vector_of(position, i, 0)) - plane[k, 3] - radius[i]
            if present[i] and height < reach:
                if write:
                    list_pair(at, counts, n, now, planes[k], i, k)
                n += 1
    return n


def list_pairs(at):
    """Where a sphere has left its skin, a new list of pairs that may come to touch; memories move to it."""
    counts, numbers, reach = whole1(at, COUNTS), whole1(at, P.NUMBERS), real1(at, LIST_REACH)[REACH]
    if counts[STALE] == 0:
        return GO_ON
    near, held, bounded = near_pairs(at), flag1(at, P.LIST_HELD), whole1(at, P.LIST_BOUNDED)
    present, outer, radius = flag1(at, P.PRESENT), real1(at, P.ROOM_OUTER), real1(at, P.SOLID_RADIUS)
    every, keys, records = counts[EVERY] == 1, whole2(at, SLOT_KEY), real3(at, RECORDS)
    world_planes(
        whole1(at, P.LIST_PLANES), real2(at, P.SOLID_SIZE), real2(at, P.MIDDLE), real2(at, P.TURNED), real2(at, P.ROOM_PLANE)
    )  # fmt: skip
    found = 0
    if not every:
        for m in range(bounded.shape[0]):
            outer[bounded[m]] = (radius[bounded[m]] + 0.5 * reach) / (1.0 + NEAR_SKIN)
        near.counts[0] = -1
        found = find_near(real2(at, P.POSITION), bounded, present, outer, near)
        if found > near.pairs.shape[0]:
            numbers[P.NEAR] = found
            return P.MORE_PAIRS
    now, on_planes = 1 - counts[NOW], near_planes(at, reach, 0, False)
    numbers[P.COUNT] = on_planes + (bounded.shape[0] * (bounded.shape[0] - 1) // 2 if every else found)
    if numbers[P.COUNT] > whole1(at, SLOT).shape[0]:
        return P.MORE_ROOM
    n, planes = near_planes(at, reach, now, True), whole1(at, P.LIST_PLANES).shape[0]
    if every:
        for m in range(bounded.shape[0]):
            for k in range(m + 1, bounded.shape[0]):
                a, b = bounded[m], bounded[k]
                if present[a] and present[b] and not (held[a] and held[b]):
                    list_pair(at, counts, n, now, a, b, planes + a)
                    n += 1
    for k in range(found):
        a, b = near.pairs[k, 0], near.pairs[k, 1]
        if not (held[a] and held[b]):
            list_pair(at, counts, n, now, a, b, planes + a)
            n += 1
    carry_over(keys[now], n, keys[1 - now], counts[SLOTS], records[1 - now], records[now])
    counts[NOW], counts[SLOTS], counts[ON_PLANES], counts[STALE] = now, n, on_planes, 0
    return GO_ON


def touch_pairs(at):
    """Contacts of the list that are closed."""
    counts, numbers, par = whole1(at, COUNTS), whole1(at, P.NUMBERS), real2(at, SPRING_PARAMETERS)
    pairs, pair_law, pair_which, record = (
        whole2(at, PAIR_BODY), whole1(at, PAIR_LAW), whole1(at, PAIR_WHICH), real3(at, RECORDS)[counts[NOW]]
    )  # fmt: skip
    body, normal, gap, law = whole2(at, P.BODY), real2(at, P.NORMAL), real1(at, P.GAP), whole1(at, P.LAW)
    slot, which, plane, plane_of = whole1(at, SLOT), whole1(at, WHICH), real2(at, P.ROOM_PLANE), whole1(at, PLANE_OF)
    position, radius, n, on_planes = real2(at, P.POSITION), real1(at, P.SOLID_RADIUS), 0, counts[ON_PLANES]
    for s in range(counts[SLOTS]):
        a, b, l = pairs[s, 0], pairs[s, 1], pair_law[s]
        margin = par[l, MARGIN] if l >= 0 else 0.0
        if s < on_planes:
            k = plane_of[a]
            e, x = vector_of(plane, k, 0), vector_of(position, b, 0)
            g = dot(e, x) - plane[k, 3] - radius[b]
            if not g < margin:
                record[s, TOUCHES] = 0.0
                continue
        else:
            e = plus(vector_of(position, b, 0), -1.0, vector_of(position, a, 0))
            square, both = dot(e, e), radius[a] + radius[b]
            if not square < (both + margin) ** 2:  # most pairs that do not touch need no root
                record[s, TOUCHES] = 0.0
                continue
            distance = math.sqrt(square)
            g = distance - both
            each = 1.0 / distance
            e = (each * e[0], each * e[1], each * e[2]) if distance > 0.0 else (0.0, 0.0, 1.0)
        body[n, 0], body[n, 1], law[n], slot[n], which[n], gap[n] = a, b, l, s, pair_which[s], g
        put_vector(normal, n, 0, e)
        if l < 0:
            numbers[P.CULPRIT] = n
            return P.NO_LAW
        n += 1
    numbers[P.CONTACTS] = n
    return GO_ON


# --- loads ----------------------------------------------------------------------------------------------------------------


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
    R_eff = table[t, R_EFF]
    if par[l, STEADY] == 1.0:
        dashpots = (table[t, DASHPOTS], table[t, DASHPOTS + 1], table[t, DASHPOTS + 2], table[t, DASHPOTS + 3])
        return vector_of(table, t, STIFF), table[t, COEFFICIENTS], table[t, COEFFICIENTS + 1], dashpots, 0.0, R_eff
    patch, i_mean = math.sqrt(R_eff * max(-gap, 0.0)), table[t, I_MEAN]
    K, mu_r, mu_s, dashpots = springs(
        par, l, patch, 1.0 / R_eff, table[t, SIZE], table[t, M_EFF], table[t, M_MEAN], i_mean, i_mean
    )
    return K, mu_r, mu_s, dashpots, patch, R_eff


@njit(**JIT)
def springs_at(at, c, a, b, l, n, gap, R):
    """The same for contact c of bodies of any shape."""
    par, curved, size = real2(at, SPRING_PARAMETERS), real2(at, P.RADIUS), real1(at, P.SOLID_RADIUS)
    inverse_mass = real1(at, P.INVERSE_MASS)
    kappa = 1.0 / curved[c, 0] + 1.0 / curved[c, 1]
    R_eff = 1.0 / kappa if kappa > 0.0 else np.inf
    m_eff = 1.0 / (inverse_mass[a] + inverse_mass[b])
    both = inverse_mass[a] > 0.0 and inverse_mass[b] > 0.0
    m_mean = 0.5 * (1.0 / inverse_mass[a] + 1.0 / inverse_mass[b]) if both else m_eff
    i_r, i_s = mean_inertia(real3(at, P.INERTIA), real2(at, P.ORIENTATION), inverse_mass, a, b, n, R)
    patch = math.sqrt(R_eff * max(-gap, 0.0)) if par[l, NORMAL] != GIVEN else 0.0
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
        record[s, SLIDE], record[s, SLIDE + 1], record[s, ROLL_A], record[s, ROLL_A + 1], record[s, ROLL_B],
        record[s, ROLL_B + 1], record[s, SPIN],
    )  # fmt: skip


@njit(**INLINE)
def put_deflections(record, s, new, mode):
    """Write the deflections and the mode of a contact."""
    record[s, SLIDE], record[s, SLIDE + 1] = new[0], new[1]
    record[s, ROLL_A], record[s, ROLL_A + 1] = new[2], new[3]
    record[s, ROLL_B], record[s, ROLL_B + 1] = new[4], new[5]
    record[s, SPIN], record[s, MODE] = new[6], mode


@njit(**JIT)
def any_law(at, c, l, n, u, w, K, C, N, mu_r, mu_s, R_eff, old, mode, moved, R):
    """`respond_section` for contact c, and whether its law's axis has a direction in the tangent plane."""
    par, axis_of = real2(at, SPRING_PARAMETERS), whole1(at, P.AXIS_OF)
    first, seen = frame_tangent(n), True
    if axis_of[l] >= 0:
        x, y, z = along_axis(axis_of[l], real2(at, P.AXIS), l, real2(at, P.ORIENTATION), n[0], n[1], n[2], R)
        size = math.sqrt(x * x + y * y + z * z)
        seen = size > 0.0
        first = (x / size, y / size, z / size) if seen else first
    laws = (
        whole1(at, P.LAW_FIRST), whole1(at, P.LAW_COUNT), whole2(at, P.LAW_BLOCK), real2(at, P.LAW_COEF), whole1(at, P.OWN),
        flag2(at, P.LAW_LENGTHS), real2(at, P.LAW_WEIGHT), flag2(at, P.LAW_USES),
    )  # fmt: skip
    f, new, mode, energies = respond_section(
        laws, real2(at, WORK), real2(at, COEF_ROOM), l, R_eff if par[l, LENGTHS] == 1.0 else 1.0, K, C, N, mu_r, mu_s,
        par[l, STATIC], par[l, CAP_TOTAL] == 1.0, old, mode, moved, (dot(first, u), dot(first, w)),
    )  # fmt: skip
    return f, new, mode, energies, seen


def touch(at):
    """Loads of all contacts at the end of a step, and the memories of these; sums: energies of this step.

    Sections 2 and 3: how the contact point moved on both bodies since the last step is added to the deflections S, Theta,
    Psi; springs and dashpots act; what leaves the law's section returns to it.
    """
    numbers, counts, sums, h = whole1(at, P.NUMBERS), whole1(at, COUNTS), real1(at, SUMS), real1(at, P.OPTIONS)[P.H]
    body, point, normal, gaps, law = (
        whole2(at, P.BODY), real2(at, P.POINT), real2(at, P.NORMAL), real1(at, P.GAP), whole1(at, P.LAW)
    )  # fmt: skip
    slot, which, par, table = whole1(at, SLOT), whole1(at, WHICH), real2(at, SPRING_PARAMETERS), real2(at, CONSTANTS)
    record, turns, pull, loads = real3(at, RECORDS)[counts[NOW]], real2(at, TURNS), real2(at, PULLS), real2(at, CONTACT_LOADS)
    kind, parameters, radius = whole1(at, P.KIND), real2(at, P.PARAMETERS), real1(at, P.SOLID_RADIUS)
    position, orientation = real2(at, P.POSITION), real2(at, P.ORIENTATION)
    velocity, omega, R = real2(at, P.VELOCITY), real2(at, P.ANGULAR_VELOCITY), np.empty((3, 3))
    slid, rolled, spun, hit, stored, given = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    clear2(pull, pull.shape[0])
    noted = counts[NOTED] != 0
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
                if par[l, LENGTHS] == 1.0:
                    return P.FLAT
                if gap < 0.0 and (par[l, NORMAL] == HERTZ or par[l, SPINNING] == HERTZIAN):
                    return NO_PATCH
        N, lost, energy = normal_load(par[l, NORMAL], par[l, STIFFNESS], dashpots[0], par[l, PULL], gap, u_n, patch)
        hit += h * lost
        stored += energy
        if par[l, NORMAL] == GIVEN:
            given += h * N * u_n
        # how the contact point moved; geodesics on spheres are angles times the distance of the point from the centre
        if record[s, TOUCHES] == 0.0:
            u = begin(record, s, n)
            w, moved = cross(n, u), STILL
        else:
            A, B, deep = turn_of(turns, a), turn_of(turns, b), 0.5 * record[s, GAP]
            u, psi, alpha, beta, ca, cb = follow(A, B, vector_of(record, s, N0), vector_of(record, s, U0), n)
            w = cross(n, u)
            au, aw, bu, bw = -dot(alpha, u), -dot(alpha, w), dot(beta, u), dot(beta, w)
            if round_a:
                pu, pw = (radius[a] + deep) * au, (radius[a] + deep) * aw
            elif plane:  # more precise than the difference of two points
                pu, pw = h * dot(v, u), h * dot(v, w)
            else:
                p = path(record, s, 0, A, a, kind, parameters, orientation, par[l, GEODESIC], arm_a, n, gap, alpha, ca)
                pu, pw = dot(p, u), dot(p, w)
            if round_b:
                qu, qw = (radius[b] + deep) * bu, (radius[b] + deep) * bw
            else:
                p = path(record, s, 1, B, b, kind, parameters, orientation, par[l, GEODESIC], arm_b, n, gap, beta, cb)
                qu, qw = dot(p, u), dot(p, w)
            moved = (pu - qu, pw - qw, au, aw, bu, bw, psi)
        put_vector(record, s, N0, n)
        put_vector(record, s, U0, u)
        record[s, GAP] = gap
        if not round_a and not plane:
            put_vector(record, s, ARM_A, arm_a)
        if not round_b:
            put_vector(record, s, ARM_B, arm_b)
        rate = (dot(o, w), -dot(o, u))
        # rolling is the same in all directions where angles are multiplied by this
        uneven = which[c] < 0 and par[l, ROLLING] != NONE and not math.isnan(par[l, ETA_R])
        G = (1.0, 0.0, 1.0)
        if uneven:
            G = metric_at(at, c, a, b, n, u, w, R)
            au, aw = on_tangents(G, moved[2], moved[3])
            bu, bw = on_tangents(G, moved[4], moved[5])
            moved, rate = (moved[0], moved[1], au, aw, bu, bw, moved[6]), on_tangents(G, rate[0], rate[1])
        C = (dashpots[1] / h, dashpots[2] / h, dashpots[3] / h)
        old = restiffened(vector_of(record, s, K_SLIDE), K, deflections_of(record, s))
        mode, limited, load_n = int(record[s, MODE]), par[l, CAP_TOTAL] == 1.0, max(N, 0.0)
        if par[l, PLAIN] == 1.0:
            f, new, mode, energies = respond(
                (par[l, ROLLING], par[l, SPINNING], par[l, SPEED]), K, C,
                (par[l, MU] * load_n, mu_r * load_n, mu_s * load_n), par[l, STATIC], limited, old, mode, moved, rate, R_eff, h,
            )  # fmt: skip
        else:
            f, new, mode, energies, seen = any_law(
                at, c, l, n, u, w, K, C, load_n, mu_r, mu_s, R_eff, old, mode, moved, R
            )
            if not seen:
                numbers[P.CULPRIT] = c
                return P.NO_AXIS
        put_deflections(record, s, new, mode)
        put_vector(record, s, K_SLIDE, K)
        stored, slid = stored + energies[0], slid + energies[1]
        rolled, spun = rolled + energies[2], spun + energies[3]
        bu, bw, au, aw = f[3], f[4], f[5], f[6]
        if uneven:
            bu, bw = on_tangents(G, bu, bw)
            au, aw = on_tangents(G, au, aw)
        if par[l, VISCOUS_ROLLING] > 0.0:
            thick, ru, rw = par[l, VISCOUS_ROLLING], dot(o, w), -dot(o, u)
            bu, bw, au, aw = bu + thick * ru, bw + thick * rw, au + thick * ru, aw + thick * rw
            rolled += h * thick * (ru * ru + rw * rw)
        force = combined(f[0], u, f[1], w)
        on_a, on_b = plus(combined(-aw, u, au, w), -f[2], n), plus(combined(bw, u, -bu, w), f[2], n)
        lever, force = cross(force, n), plus(force, N, n)
        add_load(pull, b, round_b, radius[b] + 0.5 * gap, arm_b, 1.0, force, lever, on_b)
        if not plane:
            add_load(pull, a, round_a, radius[a] + 0.5 * gap, arm_a, -1.0, force, lever, on_a)
        if noted:
            loads[c, 0] = gap
            put_vector(loads, c, 1, force)
            put_vector(loads, c, 4, on_b)
            put_vector(loads, c, 7, on_a)
    sums[LOST_SLIDING], sums[LOST_ROLLING], sums[LOST_SPINNING] = slid, rolled, spun
    sums[LOST_IMPACT], sums[ELASTIC], sums[GIVEN_WORK] = hit, stored, given
    return GO_ON


def account(at):
    """Where the energy went, and what else the table of steps says."""
    numbers, results, sums = whole1(at, P.NUMBERS), real1(at, P.RESULTS), real1(at, SUMS)
    row, free, mass = real2(at, P.STEPS)[numbers[P.STEP_DONE]], whole1(at, P.MOVABLE), real1(at, P.MASS)
    clear1(row)
    kinetic = kinetic_energy(
        free, mass, real3(at, P.INERTIA), real2(at, P.ORIENTATION), real2(at, P.VELOCITY), real2(at, P.ANGULAR_VELOCITY)
    )
    potential = potential_energy(free, mass, real2(at, P.POSITION), real1(at, P.GRAVITY))
    elastic, external = sums[ELASTIC], sums[GIVEN_WORK] + results[P.GIVEN]
    total = kinetic + potential + elastic
    if not (kinetic < np.inf and abs(potential) < np.inf):
        return P.NOT_FINITE
    row[P.S_SLIDING], row[P.S_ROLLING], row[P.S_SPINNING] = sums[LOST_SLIDING], sums[LOST_ROLLING], sums[LOST_SPINNING]
    row[P.S_IMPACT] = sums[LOST_IMPACT]
    lost = sums[LOST_SLIDING] + sums[LOST_ROLLING] + sums[LOST_SPINNING] + sums[LOST_IMPACT]
    row[P.S_SCHEME] = results[P.TOTAL] + external - total - lost
    row[P.S_KINETIC], row[P.S_POTENTIAL], row[P.S_ELASTIC], row[P.S_EXTERNAL] = kinetic, potential, elastic, external
    results[P.TOTAL], results[P.ELASTIC] = total, elastic
    row[P.S_CONTACTS], row[P.S_SWEEPS], row[P.S_CONVERGED] = numbers[P.CONTACTS], 1.0, 1.0
    look_for_overlaps(at, numbers, row)
    return P.FAR if row[P.S_WAY] > FAST else GO_ON
