"""Impacts of grains: groups of contacts, and the stages of `impacts` on one group after the other.  Never raise.

Bodies that contacts join, closed ones and those that may close within the step, are a group: what happens in it is no business
of the others.  The stages work in a space of their own, whose arrays of bodies are as long as the group is large.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import INNER, JIT
from trundle.kernels.space import call_stage, flag1, real1, real2, real3, whole1, whole2
from trundle.step.kernels import places as P
from trundle.step.kernels.finish import move_by, root_of
from trundle.step.kernels.impacts import QUIET
from trundle.step.kernels.paths import REST


@njit(**JIT)
def find_groups(most, body, normal, gap, bounces, pressed, start, free, inverse_mass, h, order, first):
    """Groups of at most `most` contacts in which there may be an impact; returns their number and that of the large ones.

    bounces (C,): where a contact has a restitution; pressed (C,): whether it had an impulse in the last step.
    Contacts of group k are order[first[k]:first[k + 1]]; -1 - c behind them: contact c of a group that is too large.
    """
    bodies, n = inverse_mass.shape[0], gap.shape[0]
    parent, count, lively = np.arange(bodies), np.zeros(bodies, np.int64), np.zeros(bodies, np.bool_)
    for c in range(n):
        a, b = body[c, 0], body[c, 1]
        if inverse_mass[a] > 0.0 and inverse_mass[b] > 0.0:
            a, b = root_of(parent, a), root_of(parent, b)
            parent[max(a, b)] = min(a, b)
    for c in range(n):
        a, b = body[c, 0], body[c, 1]
        top = root_of(parent, a if inverse_mass[a] > 0.0 else b)
        count[top] += 1
        if not bounces[c]:
            continue
        now, then, most_change = 0.0, 0.0, 0.0
        for k in range(3):
            now += normal[c, k] * (start[b, k] - start[a, k])
            then += normal[c, k] * (free[b, k] - free[a, k])
        for side in range(2):
            i, square = body[c, side], 0.0
            for k in range(3):
                square += (free[i, k] - start[i, k]) ** 2
            most_change = max(most_change, square)
        fastest = now if pressed[c] else min(now, then)
        quiet = QUIET * REST * math.sqrt(most_change)
        if -fastest > quiet and gap[c] + h * fastest <= 0.0:
            lively[top] = True
    groups, place = 0, np.full(bodies, -1)
    first[0] = 0
    for i in range(bodies):
        if lively[i] and parent[i] == i and count[i] <= most:
            place[i] = first[groups]
            groups += 1
            first[groups] = first[groups - 1] + count[i]
    large = first[groups]
    for c in range(n):
        a, b = body[c, 0], body[c, 1]
        top = root_of(parent, a if inverse_mass[a] > 0.0 else b)
        if place[top] >= 0:
            order[place[top]] = c
            place[top] += 1
        elif count[top] > most:
            order[large] = -1 - c
            large += 1
    return groups, large - first[groups]


@njit(**INNER)
def shorten(space, rows, count, more):
    """Make arrays of bodies as long as there are some; more: by how much each is longer."""
    for k in range(rows.shape[0]):
        space[rows[k], 1] = count + more[k]


@njit(**INNER)
def enter(at, i, b, middle, start, free, inverse_mass, turn, sphere):
    """Body b as body i of the group."""
    pushed = inverse_mass[b] > 0.0
    for k in range(3):
        real2(at, P.MIDDLE)[i, k] = middle[b, k]
        for m in range(3):
            real3(at, P.WORLD)[i, k, m] = turn[b] if k == m else 0.0
    for k in range(6):
        real2(at, P.START)[i, k], real2(at, P.FREE)[i, k] = start[b, k], free[b, k]
    real1(at, P.INVERSE_MASS)[i], whole1(at, P.KIND)[i] = inverse_mass[b], sphere[b]
    flag1(at, P.CAN_BE_PUSHED)[i] = flag1(at, P.MOVES)[i] = pushed


@njit(**JIT)
def strike_groups(
    order, first, groups, body, point, normal, gap, law, radius, factor, rows, middle, start, free, inverse_mass, turn, kind, at,
    to, lengths, longer, own_lengths, own_longer, stages, kick, kick_time, impact, bias, lost,
):  # fmt: skip
    """Find the impacts of all groups: kicks (B, 6), impulses (C, 6), targets of normal rows, and sums over groups.

    rows (C, 6): impulses of the last step; at, to: the spaces of a group and of an impact in it; lengths: places of arrays of
    bodies, longer: how much longer than the number of bodies they are; lost: results from LOST_NORMAL on.
    """
    local, back = np.full(middle.shape[0], -1), np.empty(2 * real1(at, P.GAP).shape[0] + 1, np.int64)
    for g in range(groups):
        here, count = order[first[g] : first[g + 1]], 0
        shorten(at, lengths, back.shape[0], longer)
        for m in range(here.shape[0]):
            c = here[m]
            for side in range(2):
                b = body[c, side]
                if local[b] < 0:
                    local[b], back[count] = count, b
                    enter(at, count, b, middle, start, free, inverse_mass, turn, kind)
                    count += 1
                whole2(at, P.BODY)[m, side] = local[b]
                real2(at, P.RADIUS)[m, side] = radius[c, side]
            for k in range(3):
                real2(at, P.POINT)[m, k], real2(at, P.NORMAL)[m, k] = point[c, k], normal[c, k]
            real1(at, P.GAP)[m], whole1(at, P.LAW)[m], real1(at, P.FACTORS)[m] = gap[c], law[c], factor[c]
            for k in range(6):
                real2(at, P.IMPULSE)[m, k] = rows[c, k]
        shorten(at, lengths, count, longer)
        shorten(to, own_lengths, count, own_longer)
        numbers, results = whole1(at, P.NUMBERS), real1(at, P.RESULTS)
        numbers[P.CONTACTS], numbers[P.LOOKED], numbers[P.SWEEPS] = here.shape[0], 0, 0
        for k in range(stages.shape[0]):
            call_stage(stages[k], at)
        for m in range(here.shape[0]):
            c = here[m]
            bias[c], gap[c] = real2(at, P.BIAS)[m, 0], real1(at, P.GAP)[m]
            for k in range(6):
                impact[c, k] = real2(at, P.IMPACT)[m, k]
        for i in range(count):
            for k in range(6):
                kick[back[i], k], kick_time[back[i], k] = real2(at, P.KICK)[i, k], real2(at, P.KICK_TIME)[i, k]
            local[back[i]] = -1
        for k in range(lost.shape[0]):
            value = results[P.LOST_NORMAL + k]
            lost[k] = max(lost[k], value) if P.LOST_NORMAL + k >= P.IMPACT_RESIDUAL else lost[k] + value


@njit(**JIT)
def bend_paths(kick, kick_time, theta, h, mean, position, orientation):
    """Mean velocities, places and turns at the end: a kick works from its time on, not from the middle on."""
    shift = (1.0 - theta) * h * kick - kick_time
    for i in range(mean.shape[0]):
        for k in range(6):
            mean[i, k] += shift[i, k] / h
    move_by(shift, position, orientation)
