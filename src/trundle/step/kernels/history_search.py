"""Stages that look for the contacts of a step with history friction, each with its memory.  Never raise.

Spheres on fixed planes have a list of pairs that may come to touch, which is made again when a sphere has left its skin; all
other bodies take their contacts from `detect.kernels.stages`.  Either way a contact has a row of `record`, its slot, and
`touch` finds its loads.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.near import SKIN as NEAR_SKIN
from trundle.detect.kernels.near import find_near
from trundle.detect.kernels.plane import rotations, world_planes
from trundle.detect.kernels.stages import near_pairs, never_meet, reach_all, solids
from trundle.kernels.rotations import INNER, JIT
from trundle.kernels.search import place_of
from trundle.kernels.space import GO_ON, flag1, real1, real2, real3, whole1, whole2
from trundle.kinds import SPHERE
from trundle.step.kernels import history as H
from trundle.step.kernels import history_places as Q
from trundle.step.kernels import places as P
from trundle.step.kernels.history import (
    dot,
    plus,
    put_vector,
    vector_of,
)
from trundle.step.kernels.history_friction import springs

SAME_PLACE = 0.02  # of a body: how far from where another contact was one takes over its memory


def look_around(at):
    """Instead of `stages.reach_out`: where bodies are, and no further."""
    options = real1(at, P.OPTIONS)
    whole1(at, P.NUMBERS)[P.AHEAD] = 0
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
        for i in range(H.RECORD):
            record[c, i] = old[k, i] if same else 0.0


@njit(**INNER)
def distance_moved(at, old, k, c):
    """How far contact c of this step is from where the contact of old record k was, as seen from a body that is no sphere."""
    body, point, position = whole2(at, P.BODY), real2(at, P.POINT), real2(at, P.POSITION)
    radius, kind, least = real1(at, P.SOLID_RADIUS), whole1(at, P.SOLID_KIND), np.inf
    for side in range(2):
        i, column = body[c, side], H.ARM_A if side == 0 else H.ARM_B
        if kind[i] == SPHERE or radius[i] == np.inf:
            continue
        square = 0.0
        for m in range(3):
            square += (point[c, m] - position[i, m] - old[k, column + m]) ** 2
        least = min(least, math.sqrt(square) / radius[i])
    return least


@njit(**INNER)
def carry_moved(at, key, n, old_key, known, old, record):
    """Records of contacts with a new identity from those of the same bodies that are gone, if they are in the same place.

    A corner that slides from one triangle to the next has another identity there, and so has the lowest point of a rim.
    """
    features = whole1(at, P.NUMBERS)[P.FEATURES]
    for c in range(n):
        if record[c, H.TOUCHES] != 0.0:
            continue
        nearest, least = -1, SAME_PLACE
        k = place_of(old_key, known, key[c] // features * features)
        while k < known and old_key[k] // features == key[c] // features:
            now = place_of(key, n, old_key[k])
            gone = now >= n or key[now] != old_key[k]
            if gone and old[k, H.TOUCHES] != 0.0:
                moved = distance_moved(at, old, k, c)
                if moved < least:
                    nearest, least = k, moved
            k += 1
        if nearest >= 0:
            for i in range(H.RECORD):
                record[c, i] = old[nearest, i]
            old[nearest, H.TOUCHES] = 0.0  # it has gone on


def remember(at):
    """Contacts of the search that are closed, each with its memory."""
    numbers, counts, par = whole1(at, P.NUMBERS), whole1(at, Q.COUNTS), real2(at, Q.SPRING_PARAMETERS)
    body, point, normal, gap = whole2(at, P.BODY), real2(at, P.POINT), real2(at, P.NORMAL), real1(at, P.GAP)
    law, key, radius = whole1(at, P.LAW), whole1(at, P.KEY), real2(at, P.RADIUS)
    slot, which, keys, records, n = (
        whole1(at, Q.SLOT),
        whole1(at, Q.WHICH),
        whole2(at, Q.SLOT_KEY),
        real3(at, Q.RECORDS),
        0,
    )
    now = 1 - counts[Q.NOW]
    for c in range(numbers[P.CONTACTS]):
        if gap[c] >= par[law[c], H.MARGIN]:
            continue
        for k in range(2):
            body[n, k], radius[n, k] = body[c, k], radius[c, k]
        for k in range(3):
            point[n, k], normal[n, k] = point[c, k], normal[c, k]
        gap[n], law[n], key[n], keys[now, n] = gap[c], law[c], key[c], key[c]
        slot[n], which[n] = n, -1
        n += 1
    carry_over(keys[now], n, keys[1 - now], counts[Q.SLOTS], records[1 - now], records[now])
    carry_moved(at, keys[now], n, keys[1 - now], counts[Q.SLOTS], records[1 - now], records[now])
    counts[Q.NOW], counts[Q.SLOTS], numbers[P.CONTACTS] = now, n, n
    return GO_ON


@njit(**JIT)
def put_constants(at, t, a, b, l):
    """Row t of the constants: springs of a pair of spheres, or of plane and sphere, as they are without a patch."""
    table, par, radius = real2(at, Q.CONSTANTS), real2(at, Q.SPRING_PARAMETERS), real1(at, P.SOLID_RADIUS)
    mass, inertia = real1(at, P.MASS), real3(at, P.INERTIA)
    one, other = (b, b) if math.isinf(mass[a]) else ((a, a) if math.isinf(mass[b]) else (a, b))
    size = min(radius[a], radius[b])
    kappa, m_mean = 1.0 / radius[a] + 1.0 / radius[b], 0.5 * (mass[one] + mass[other])
    m_eff = m_mean if one == other else mass[one] * mass[other] / (mass[one] + mass[other])
    i_mean = 0.5 * (inertia[one, 0, 0] + inertia[other, 0, 0])
    table[t, Q.R_EFF], table[t, Q.SIZE], table[t, Q.M_EFF] = 1.0 / kappa, size, m_eff
    table[t, Q.M_MEAN], table[t, Q.I_MEAN] = m_mean, i_mean
    K, mu_r, mu_s, dashpots = springs(par, l, 0.0, kappa, size, m_eff, m_mean, i_mean, i_mean)
    put_vector(table, t, Q.STIFF, K)
    table[t, Q.COEFFICIENTS], table[t, Q.COEFFICIENTS + 1] = mu_r, mu_s
    for k in range(4):
        table[t, Q.DASHPOTS + k] = dashpots[k]


def tabulate_springs(at):
    """Constants of all pairs of kinds of bodies."""
    example, surface, pair = whole1(at, Q.EXAMPLE), whole1(at, P.LIST_SURFACE), whole2(at, P.LIST_PAIR)
    mass, n = real1(at, P.MASS), whole1(at, Q.EXAMPLE).shape[0]
    for t in range(n * n):
        a, b = example[t // n], example[t % n]
        l = pair[surface[a], surface[b]]
        if l >= 0 and not (math.isinf(mass[a]) and math.isinf(mass[b])):
            put_constants(at, t, a, b, l)
    return GO_ON


@njit(**JIT)
def list_pair(at, n, now, a, b, rank):
    """Slot n of the list, if there is room: bodies, law, identity, and the row of their constants."""
    body, keys, surface = whole2(at, Q.PAIR_BODY), whole2(at, Q.SLOT_KEY), whole1(at, P.LIST_SURFACE)
    kind, kinds = whole1(at, Q.BODY_KIND), whole1(at, Q.EXAMPLE).shape[0]
    if n >= body.shape[0]:
        return
    law = whole2(at, P.LIST_PAIR)[surface[a], surface[b]]
    body[n, 0], body[n, 1], keys[now, n] = a, b, rank * surface.shape[0] + b
    whole1(at, Q.PAIR_LAW)[n] = law
    whole1(at, Q.PAIR_WHICH)[n] = kind[a] * kinds + kind[b] if kinds else n
    if kinds == 0 and law >= 0:
        put_constants(at, n, a, b, law)


@njit(**INNER)
def near_planes(at, reach, now):
    """List the pairs (plane, sphere) that come within `reach`; returns how many there are."""
    planes, plane, spheres = whole1(at, P.LIST_PLANES), real2(at, P.ROOM_PLANE), whole1(at, P.LIST_SPHERES)
    position, radius, present, n = real2(at, P.POSITION), real1(at, P.SOLID_RADIUS), flag1(at, P.PRESENT), 0
    for k in range(planes.shape[0]):
        for m in range(spheres.shape[0]):
            i = spheres[m]
            height = dot(vector_of(plane, k, 0), vector_of(position, i, 0)) - plane[k, 3] - radius[i]
            if present[i] and height < reach and not never_meet(at, planes[k], i):
                list_pair(at, n, now, planes[k], i, k)
                n += 1
    return n


def find_neighbours(at):
    """Where a sphere has left its skin: pairs of spheres that are near each other, of more than a few."""
    numbers, near, reach = whole1(at, P.NUMBERS), near_pairs(at), real1(at, Q.LIST_REACH)[Q.REACH]
    outer, radius, bounded = real1(at, P.ROOM_OUTER), real1(at, P.SOLID_RADIUS), whole1(at, P.LIST_BOUNDED)
    if whole1(at, Q.COUNTS)[Q.STALE] == 0:
        return GO_ON
    for m in range(bounded.shape[0]):
        outer[bounded[m]] = (radius[bounded[m]] + 0.5 * reach) / (1.0 + NEAR_SKIN)
    near.counts[0] = -1  # not those that it has
    numbers[P.NEAR] = find_near(real2(at, P.POSITION), bounded, flag1(at, P.PRESENT), outer, near)
    return P.MORE_PAIRS if numbers[P.NEAR] > near.pairs.shape[0] else GO_ON


@njit(**INNER)
def pair_of(k, every, bounded, pairs):
    """Bodies of the k-th pair: of those that are near each other, or of all."""
    if not every:
        return pairs[k, 0], pairs[k, 1]
    first = 0
    while k >= bounded.shape[0] - 1 - first:
        k -= bounded.shape[0] - 1 - first
        first += 1
    return bounded[first], bounded[first + 1 + k]


def list_pairs(at):
    """Where a sphere has left its skin, a new list of pairs that may come to touch; memories move to it."""
    counts, numbers, reach = whole1(at, Q.COUNTS), whole1(at, P.NUMBERS), real1(at, Q.LIST_REACH)[Q.REACH]
    if counts[Q.STALE] == 0:
        return GO_ON
    held, bounded, pairs = flag1(at, P.LIST_HELD), whole1(at, P.LIST_BOUNDED), whole2(at, P.NEAR_PAIRS)
    present, keys, records = flag1(at, P.PRESENT), whole2(at, Q.SLOT_KEY), real3(at, Q.RECORDS)
    now, every, planes = 1 - counts[Q.NOW], counts[Q.EVERY] == 1, whole1(at, P.LIST_PLANES).shape[0]
    world_planes(
        whole1(at, P.LIST_PLANES), real2(at, P.SOLID_SIZE), real2(at, P.MIDDLE), real2(at, P.TURNED), real2(at, P.ROOM_PLANE)
    )  # fmt: skip
    found = bounded.shape[0] * (bounded.shape[0] - 1) // 2 if every else numbers[P.NEAR]
    n = near_planes(at, reach, now)
    numbers[P.COUNT] = n + found
    if numbers[P.COUNT] > whole1(at, Q.SLOT).shape[0]:
        return P.MORE_ROOM
    counts[Q.ON_PLANES] = n
    for k in range(found):
        a, b = pair_of(k, every, bounded, pairs)
        if present[a] and present[b] and not (held[a] and held[b]) and not never_meet(at, a, b):
            list_pair(at, n, now, a, b, planes + a)
            n += 1
    carry_over(keys[now], n, keys[1 - now], counts[Q.SLOTS], records[1 - now], records[now])
    counts[Q.NOW], counts[Q.SLOTS], counts[Q.STALE] = now, n, 0
    return GO_ON


def touch_pairs(at):
    """Contacts of the list that are closed."""
    counts, numbers, par = whole1(at, Q.COUNTS), whole1(at, P.NUMBERS), real2(at, Q.SPRING_PARAMETERS)
    pairs, pair_law, pair_which, record = (
        whole2(at, Q.PAIR_BODY), whole1(at, Q.PAIR_LAW), whole1(at, Q.PAIR_WHICH), real3(at, Q.RECORDS)[counts[Q.NOW]]
    )  # fmt: skip
    body, normal, gap, law = whole2(at, P.BODY), real2(at, P.NORMAL), real1(at, P.GAP), whole1(at, P.LAW)
    slot, which, plane, plane_of = (
        whole1(at, Q.SLOT),
        whole1(at, Q.WHICH),
        real2(at, P.ROOM_PLANE),
        whole1(at, Q.PLANE_OF),
    )
    position, radius, n, on_planes = real2(at, P.POSITION), real1(at, P.SOLID_RADIUS), 0, counts[Q.ON_PLANES]
    for s in range(counts[Q.SLOTS]):
        a, b, l = pairs[s, 0], pairs[s, 1], pair_law[s]
        margin = par[l, H.MARGIN] if l >= 0 else 0.0
        if s < on_planes:
            k = plane_of[a]
            e, x = vector_of(plane, k, 0), vector_of(position, b, 0)
            g = dot(e, x) - plane[k, 3] - radius[b]
            if not g < margin:
                record[s, H.TOUCHES] = 0.0
                continue
        else:
            e = plus(vector_of(position, b, 0), -1.0, vector_of(position, a, 0))
            square, both = dot(e, e), radius[a] + radius[b]
            if not square < (both + margin) ** 2:  # most pairs that do not touch need no root
                record[s, H.TOUCHES] = 0.0
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
