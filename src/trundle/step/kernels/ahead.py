"""Stages that look for contacts where the solution of a step takes the bodies, and add those that it has missed.  Never raise.

Contacts are found in the middle of a step.  Bodies that others hit get further than they could, and bodies that turn meet with
corners that were not in touch.  So after the solution they are placed where they will be when contacts are looked for next,
and `detect.kernels.stages` run again.  A pair that is deep there, with gap g along n, becomes a contact with the gap
g - h n.u, u the relative velocity of the solution: it says that the pair may close, but not overlap, to first order.  Then the
step is solved once more, from the impulses that it has.  What is still deep after some rounds is left to position correction.
Where surfaces have a restitution, bodies are placed at the end of the step, after its impacts, to which such a contact may add.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.contacts import PUSH, SEARCHES
from trundle.detect.kernels.plane import rotations, world_planes
from trundle.detect.kernels.stages import never_meet, place_origins, put_in_order
from trundle.kernels.rotations import INNER, rotate_by
from trundle.kernels.search import place_of
from trundle.kernels.space import GO_ON, copy2, flag1, real1, real2, real3, whole1, whole2
from trundle.kinds import SPHERE
from trundle.step.kernels import places as P

TURN = 0.02  # of a body's size: way of its outermost point by turning, from which on it may meet with other corners
FASTER = 0.005  # of a body: by how much it must get further within the step than it could
DEEP = 0.008  # of the smaller body: overlap ahead for which a contact is added
DEEPER = 0.1  # of that: what pairs that are as deep already may get deeper by


@njit(**INNER)
def is_busy(at, v, h, i):
    """Whether body i may have met with what was no contact."""
    radius, size = real1(at, P.SOLID_RADIUS)[i], real1(at, P.SIZE_OF)[i]
    turn, w = 0.0, v[i]
    if whole1(at, P.SOLID_KIND)[i] != SPHERE and radius < np.inf:
        turn = h * radius * math.sqrt(w[3] * w[3] + w[4] * w[4] + w[5] * w[5])
    way = h * math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) + turn
    return turn > TURN * size or way > real1(at, P.ROOM_REACH)[i] + FASTER * radius


def look_ahead(at):
    """Place bodies where the solution takes them, and let contacts be looked for there, if it may have missed some."""
    numbers, h, v = whole1(at, P.NUMBERS), real1(at, P.OPTIONS)[P.H], real2(at, P.V)
    pushed, moves, margin = flag1(at, P.CAN_BE_PUSHED), flag1(at, P.MOVES), real1(at, P.OPTIONS)[P.MARGIN]
    busy = False
    for i in range(pushed.shape[0]):
        busy = busy or (pushed[i] and is_busy(at, v, h, i))
    if not busy or numbers[P.AHEAD] >= SEARCHES - 1:
        return GO_ON
    go_on(at, real2(at, P.SHIFT))
    middle, ahead, reach, outer = (
        real2(at, P.MIDDLE),
        real2(at, P.TURN_BEFORE),
        real1(at, P.ROOM_REACH),
        real1(at, P.ROOM_OUTER),
    )
    radius, present, bodies = real1(at, P.SOLID_RADIUS), flag1(at, P.PRESENT), middle.shape[0]
    copy2(middle, real2(at, P.PLACE_BEFORE), bodies)
    copy2(real2(at, P.TURNED), ahead, bodies)
    least = real1(at, P.OPTIONS)[P.LEAST_SIZE]
    for i in range(bodies):
        w, went, way = v[i], real2(at, P.SHIFT)[i], 0.0
        if moves[i]:
            for k in range(3):
                middle[i, k] += went[k]
            rotate_by(ahead, i, went[3], went[4], went[5])
            way = h * math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
            if radius[i] < np.inf:
                way += h * radius[i] * math.sqrt(w[3] * w[3] + w[4] * w[4] + w[5] * w[5])
        outer[i] = radius[i] + way + 0.5 * margin  # as the next step will need it
        reach[i] = -0.5 * (margin + DEEP * least) if present[i] else -np.inf
    if real2(at, P.CENTRE).shape[0] > 0:
        place_origins(at, ahead)
    rotations(whole1(at, P.LIST_TURNED), ahead, real3(at, P.ROOM_R))
    world_planes(whole1(at, P.LIST_PLANES), real2(at, P.SOLID_SIZE), middle, ahead, real2(at, P.ROOM_PLANE))
    n, joints, key, solved = (
        numbers[P.CONTACTS],
        whole2(at, P.JOINT_BODY).shape[0],
        whole1(at, P.KEY),
        whole1(at, P.SOLVED_KEY),
    )
    for c in range(n):
        solved[c] = key[c]
    copy2(real2(at, P.IMPULSE), real2(at, P.SOLVED_IMPULSE), joints + n)
    numbers[P.SOLVED], numbers[P.LATE_FROM] = n, numbers[P.COUNT]
    numbers[P.LOOKED] += 1
    numbers[P.AHEAD] += 1
    return -numbers[P.TO_SEARCH] - 1


@njit(**INNER)
def time_ahead(at):
    """From the middle until bodies are looked at, and whether impacts may have moved them.

    Impacts take place within the step: what has closed at its end was missed.  Other contacts may close until they are looked
    for next.
    """
    options, bounces = real1(at, P.OPTIONS), flag1(at, P.BOUNCES)
    some = False
    for k in range(bounces.shape[0]):
        some = some or bounces[k]
    return options[P.H] * (options[P.THETA] if some else 1.0), some and whole1(at, P.NUMBERS)[P.IMPACTS] > 0


@njit(**INNER)
def go_on(at, went):
    """Displacements and turns (B, 6) from the middle to where bodies are looked at."""
    v, options = real2(at, P.V), real1(at, P.OPTIONS)
    t, kicked = time_ahead(at)
    for i in range(went.shape[0]):
        for k in range(6):
            went[i, k] = t * v[i, k]
            if kicked:
                kick = real2(at, P.KICK)[i, k]
                went[i, k] += (1.0 - options[P.THETA]) * options[P.H] * kick - real2(at, P.KICK_TIME)[i, k]


@njit(**INNER)
def approach(real, v, position, a, b):
    """Velocity with which a contact that was found opens, at body velocities v."""
    total = 0.0
    for side in range(2):
        i, sign = (a, -1.0) if side == 0 else (b, 1.0)
        x, y, z = real[0] - position[i, 0], real[1] - position[i, 1], real[2] - position[i, 2]
        w = v[i]
        total += sign * real[3] * (w[0] + w[4] * z - w[5] * y)
        total += sign * real[4] * (w[1] + w[5] * x - w[3] * z)
        total += sign * real[5] * (w[2] + w[3] * y - w[4] * x)
    return total


@njit(**INNER)
def common(went, pushed, a, b, k):
    """Component k of the way that the contact of two bodies goes."""
    return went[b, k] if not pushed[a] else (went[a, k] if not pushed[b] else 0.5 * (went[a, k] + went[b, k]))


@njit(**INNER)
def bring_back(real, start, went, middle, pushed, t, a, b, allowed, last):
    """Make a contact found ahead one of the middle: its point moves back with the bodies; returns its gap and its push.

    A push < 0 [m/s] asks for a velocity that separates the bodies: at most that with which they approached each other, so that
    the impulse gains no energy.  In the last round the gap is such that the solution stays what it is, and the push > 0 [m] is
    what position correction has to do.
    """
    for k in range(3):
        real[k] -= common(went, pushed, a, b, k)
    opens = approach(real, went, middle, a, b)
    if last:
        return max(0.0, -opens), allowed - real[6]
    gap = real[6] - allowed - opens
    return max(0.0, gap), max(min(0.0, gap) / t, min(0.0, approach(real, start, middle, a, b)))


@njit(**INNER)
def row_of(key, count, mine):
    """Where an identity stands in a sorted list, or -1."""
    k = place_of(key, count, mine)
    return k if k < count and key[k] == mine else -1


@njit(**INNER)
def rolls_there(at, which, real, a, b):
    """Whether a contact found ahead is one that moves over the bodies, and that was pressed on before and is now.

    Its target at the middle leads to no overlap at the end.  The way to where bodies are ahead is straight, so it has one of
    second order there, which is none, unless the contact has leapt to another side of the body.
    """
    numbers, pushed, joints = whole1(at, P.NUMBERS), flag1(at, P.CAN_BE_PUSHED), whole2(at, P.JOINT_BODY).shape[0]
    mine = (a * pushed.shape[0] + b) * numbers[P.FEATURES] + which
    if row_of(whole1(at, P.BEGIN_KEY), numbers[P.BEGIN_COUNT], mine) < 0:
        return False
    k = row_of(whole1(at, P.SOLVED_KEY), numbers[P.SOLVED], mine)
    if k < 0 or real2(at, P.SOLVED_IMPULSE)[joints + k, 0] <= 0.0:
        return False
    before = row_of(whole1(at, P.OLD_KEY)[joints:], numbers[P.KNOWN] - joints, mine)
    if before < 0 or real2(at, P.OLD_IMPULSE)[joints + before, 0] <= 0.0:
        return False
    side = 1 if pushed[b] else 0
    i, arm, leap, size = b if side else a, real3(at, P.ARM)[joints + k, side], 0.0, 0.0
    for m in range(3):
        now = real[m] - real2(at, P.MIDDLE)[i, m] - real2(at, P.SHIFT)[i, m]
        leap, size = leap + (now - arm[m]) ** 2, size + arm[m] ** 2
    return leap < size


def sift(at):
    """Of the contacts found ahead keep those of pairs that the solution leaves deep; if there are none, the step is done."""
    numbers, found, real, size = (
        whole1(at, P.NUMBERS),
        whole2(at, P.FOUND),
        real2(at, P.FOUND_REAL),
        real1(at, P.SIZE_OF),
    )
    count, first, late = numbers[P.COUNT], numbers[P.LATE_FROM], numbers[P.FEATURES] // SEARCHES
    if numbers[P.AHEAD] == 0 or count > found.shape[0]:
        return GO_ON
    for c in range(first, count):
        found[c, 2] += late * numbers[P.AHEAD]
    order = whole1(at, P.ORDER)
    put_in_order(at, count, order)
    middle, went, pushed = real2(at, P.MIDDLE), real2(at, P.SHIFT), flag1(at, P.CAN_BE_PUSHED)
    t, kicked = time_ahead(at)
    copy2(real2(at, P.PLACE_BEFORE), middle, middle.shape[0])
    one, other, least, start, last = -1, -1, 0.0, real2(at, P.START), numbers[P.AHEAD] == SEARCHES - 1
    for m in range(count):
        c = order[m]
        a, b = found[c, 0], found[c, 1]
        if a != one or b != other:
            one, other, least = a, b, 0.0
        if found[c, 2] < late:  # these come first
            # what overlaps in the middle alone, because impacts came before, does not overlap
            least = min(least, real[c, 6] + (max(0.0, approach(real[c], went, middle, a, b)) if kicked else 0.0))
        elif c >= first:
            deep = DEEP * min(size[a], size[b])
            missed = real[c, 6] < min(-deep, least - DEEPER * deep) and not never_meet(at, a, b)
            if missed and not rolls_there(at, found[c, 2] - late * numbers[P.AHEAD], real[c], a, b):
                real[c, 6], real[c, PUSH] = bring_back(real[c], start, went, middle, pushed, t, a, b, least, last)
            else:
                found[c, 0] = -1
    kept = first
    for c in range(first, count):
        if found[c, 0] >= 0:
            for k in range(found.shape[1]):
                found[kept, k] = found[c, k]
            for k in range(real.shape[1]):
                real[kept, k] = real[c, k]
            kept += 1
    numbers[P.COUNT] = kept
    return GO_ON if kept > first else -numbers[P.TO_END] - 1


def start_from_solution(at):
    """After contacts were added: impulses are those that the step had found without them; bias of those that push."""
    numbers, joints = whole1(at, P.NUMBERS), whole2(at, P.JOINT_BODY).shape[0]
    if numbers[P.AHEAD] == 0:
        return GO_ON
    key, solved, rows, known = (
        whole1(at, P.KEY),
        whole1(at, P.SOLVED_KEY),
        real2(at, P.IMPULSE),
        real2(at, P.SOLVED_IMPULSE),
    )
    bias, push, arm, body = real2(at, P.BIAS), real1(at, P.LATE_PUSH), real3(at, P.ARM), whole2(at, P.BODY)
    went, pushed = real2(at, P.SHIFT), flag1(at, P.CAN_BE_PUSHED)
    copy2(known, rows, joints)
    k, n = 0, numbers[P.SOLVED]
    for c in range(numbers[P.CONTACTS]):  # both are sorted
        while k < n and solved[k] < key[c]:
            k += 1
        for i in range(6):
            rows[joints + c, i] = known[joints + k, i] if k < n and solved[k] == key[c] else 0.0
        if push[c] < 0.0:
            bias[joints + c, 0] = min(bias[joints + c, 0], push[c])
        if push[c] > 0.0:  # positions are corrected where the bodies are then
            a, b = body[c, 0], body[c, 1]
            for i in range(3):
                way = common(went, pushed, a, b, i)
                arm[joints + c, 0, i] += way - went[a, i]
                arm[joints + c, 1, i] += way - went[b, i]
    return -numbers[P.TO_END] - 1 if numbers[P.AHEAD] == SEARCHES - 1 else GO_ON
