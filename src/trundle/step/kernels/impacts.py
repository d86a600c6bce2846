"""Stages of impacts within a step, for scenes with restitution: one after the other, as gaps close.  Never raise.

See docs/time-stepping.md.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from trundle.contact.kernels.rigid import apply_impulses
from trundle.kernels.rotations import INNER
from trundle.kernels.search import place_of
from trundle.kernels.space import GO_ON, clear1, clear2, copy2, flag1, real1, real2, real3, whole1, whole2
from trundle.kinds import HOLLOWS, SEQUENTIAL, SPHERE
from trundle.step.kernels import places as P
from trundle.step.kernels.assemble import SWINGS, change_of_velocity, kicked, norm3, way_of_drift
from trundle.step.kernels.finish import move_by
from trundle.step.kernels.paths import along, flight, gap_at, rest_speed, time_to_close, touch, turn_to
from trundle.step.kernels.rows import carry_rows_on, gather_rows
from trundle.step.kernels.strike import FIRST_SWEEPS, SMALL, strike

QUIET = 2e-3  # of the speed up to which nothing bounces: approaches that are not faster are no impacts at all
TOGETHER = 1e-6  # relative difference of speeds below which contacts that close at once are one impact, in sequence
LOOKS = 4  # at a gap, for the time at which it closes
BOUNCES, BOUNCES_PER_CONTACT = (
    50,
    2,
)  # impacts in a step after which the others do not bounce: a heap would go on chattering
EVENTS, PER_CONTACT = 200, 5  # impacts in a step at most
BEGUN = 50  # of them by one contact, so that others have their turn


@njit(**INNER)
def wall_gap(at, f, c, n):
    """Gap [m] up to which contact n of a hollow wall that was pressed on in the last step is closed; see `follow_contacts`."""
    a, b, p = c.body[n, 0], c.body[n, 1], real2(at, P.IMPULSE)[c.joints + n, 0]
    if not HOLLOWS[0] <= c.kind[a] <= HOLLOWS[3] or p <= 0.0:
        return 0.0
    g, inverse = real1(at, P.GRAVITY), real1(at, P.INVERSE_MASS)
    fall = f.h * np.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    return f.h * (fall + p * (inverse[a] + inverse[b]))


@njit(**INNER)
def turning_speed(at, f, c, n):
    """Approach [m/s] that the motion of contact n over its bodies explains: no impact.  0 if it is open.

    On a hollow wall the normal turns; everywhere else a point that was pressed on before moves over the bodies, by which the
    velocity across the contact changes until the middle and back until the end; see `follow_contacts`.
    """
    numbers, key, i = whole1(at, P.NUMBERS), whole1(at, P.KEY)[n], c.joints + n
    a, b, known = c.body[n, 0], c.body[n, 1], whole1(at, P.BEGIN_KEY)[: numbers[P.BEGIN_COUNT]]
    k, turn, square, gap = place_of(known, known.shape[0], key), 0.0, 0.0, real1(at, P.BEGIN_GAP)
    if k == known.shape[0] or known[k] != key:
        return 0.0
    closed, pressed = real1(at, P.OPTIONS)[P.ROLLING_CLOSED], real2(at, P.IMPULSE)[i, 0] > 0.0
    wall, speed, u, d = HOLLOWS[0] <= c.kind[a] <= HOLLOWS[3], 0.0, np.empty(3), np.empty(3)
    if wall and (pressed or gap[k] <= closed):
        for m in range(3):
            turn += (c.normal[n, m] - real2(at, P.BEGIN_NORMAL)[k, m]) ** 2
            square += (f.start[b, m] - f.start[a, m]) ** 2
        speed = 2.0 * np.sqrt(turn * square)
    elif gap[k] > max(closed, way_of_drift(at, gap[k] - c.gap[n]) if pressed else 0.0):
        return 0.0
    if wall and c.kind[b] == SPHERE:
        return speed
    change_of_velocity(at, c.body[n], c.arm[i], real3(at, P.BEGIN_ARM)[k], u, d)
    change, approach, error = 0.0, 0.0, SWINGS * norm3(d)
    for m in range(3):
        change += c.normal[n, m] * d[m]
        approach -= c.normal[n, m] * u[m]
    return speed + abs(change) + error if approach <= speed + error + QUIET * rest_speed(at, f, c, n) else speed


@njit(**INNER)
def rolls_on(c, n, turning):
    """Whether contact n moves over its bodies and is closed, wherever the path puts it; turning: see `turning_speed`."""
    return turning > 0.0 and not (c.kind[c.body[n, 1]] == SPHERE and HOLLOWS[0] <= c.kind[c.body[n, 0]] <= HOLLOWS[3])


@njit(**INNER)
def carry_on(at, f, c, n, margin):
    """Accelerations (B, 6): free ones, and those by the forces that joints and closed contacts had in the last step."""
    free, rows, old = real2(at, P.FREE), real2(at, P.IMPULSE), real2(at, P.OLD_FORCE)
    links, z, y = c.joints + n, np.empty((2, 6)), np.empty((2, 6))
    for i in range(free.shape[0]):
        for k in range(6):
            f.acceleration[i, k] = (free[i, k] - f.start[i, k]) / f.h
    copy2(rows, old, links)
    for m in range(n):
        gap, _, _, speed, _, _, _ = gap_at(f, c, m, 0.0, z, y)
        held = rolls_on(c, m, turning_speed(at, f, c, m))
        if not held and (gap > max(margin, wall_gap(at, f, c, m)) or speed > rest_speed(at, f, c, m)):
            for k in range(6):
                old[c.joints + m, k] = 0.0
    force = old.reshape(old.shape[0] * 6)
    for i in range(6 * links):
        force[i] /= f.h
    apply_impulses(
        whole2(at, P.LINK)[:links], real3(at, P.FRAME), real3(at, P.ARM), real1(at, P.UNITS), real1(at, P.INVERSE_MASS),
        real3(at, P.WORLD), force, f.acceleration,
    )  # fmt: skip
    carry_rows_on(at, f.h, f.acceleration)


@njit(**INNER)
def next_closing(at, f, c, n, t, quiet, z, y):
    """When contact n closes next, at t or later and faster than `quiet`; inf if not within the step.

    A contact that a slow impact stopped has to be fast to close again.
    Parabolas from t on, and from where they lead; the gap at the end of the step has the last word.
    """
    speed, rest, turning = 0.0, rest_speed(at, f, c, n), turning_speed(at, f, c, n)
    if rolls_on(c, n, turning) and not (kicked(at, c.body[n, 0]) or kicked(at, c.body[n, 1])):
        _, _, _, speed, _, _, _ = gap_at(f, c, n, t, z, y)  # it is closed, and approaches now or not at all
        return t if -speed > max(quiet, turning, QUIET * rest) else np.inf
    for _ in range(LOOKS):
        gap, rate, half, speed, _, _, _ = gap_at(f, c, n, t, z, y)
        wait = time_to_close(gap, rate, half)
        if wait == 0.0:
            break
        if not t + wait <= f.h:
            end, rate, _, speed, _, _, _ = gap_at(f, c, n, f.h, z, y)
            if not (end < 0.0 and rate < 0.0):
                return np.inf
            t += (f.h - t) * max(gap, 0.0) / (max(gap, 0.0) - end)
            break
        t += wait
    quiet = max(quiet, turning)
    return t if -speed > max(quiet, rest if flag1(at, P.STOPPED)[n] else QUIET * rest) else np.inf


@njit(**INNER)
def choose(at, f, c, n, t, first, fastest, z, y, may_bounce):
    """Mark the contacts of the impact at t, whose earliest contact is `first`; returns whether they bounce, if they may.

    Newton and Poisson: all that are closed then and do not open, as far as they hang together with the first one by bodies
    and joints.  In sequence: the fastest approach alone.  Slow impacts, which do not bounce, stop all that is closed.
    """
    options, chosen, closing = real1(at, P.OPTIONS), flag1(at, P.IN_IMPACT), real1(at, P.APPROACH)
    for m in range(n):
        gap, _, _, speed, _, _, _ = gap_at(f, c, m, t, z, y)
        closing[m] = -speed if m == first or gap <= options[P.ROLLING_CLOSED] else -np.inf
        chosen[m] = m == first
    gather_closed(at, c, n, first)
    top, fast = 0.0, False
    for m in range(n):
        if chosen[m]:
            top = max(top, closing[m])
            fast = fast or (may_bounce and closing[m] > rest_speed(at, f, c, m))
    if fast:
        least = (1.0 - TOGETHER) * top if options[P.IMPACT_MODE] == SEQUENTIAL else -SMALL * fastest
        for m in range(n):
            chosen[m] = chosen[m] and closing[m] >= least
    return fast


@njit(**INNER)
def gather_closed(at, c, n, first):
    """Mark all contacts with an approach speed that hang together with the first one by bodies, joints and other rows."""
    chosen, closing, marked = flag1(at, P.IN_IMPACT), real1(at, P.APPROACH), flag1(at, P.MARKED)
    joint, pushed, grown = whole2(at, P.JOINT_BODY), flag1(at, P.CAN_BE_PUSHED), True
    for i in range(marked.shape[0]):
        marked[i] = False
    for side in range(2):
        marked[c.body[first, side]] = pushed[c.body[first, side]]
    while grown:
        grown = gather_rows(at, marked, pushed)
        for j in range(joint.shape[0]):
            a, b = joint[j, 0], joint[j, 1]
            if marked[a] != marked[b] and pushed[a] and pushed[b]:
                marked[a] = marked[b] = grown = True
        for m in range(n):
            a, b = c.body[m, 0], c.body[m, 1]
            if not chosen[m] and (marked[a] or marked[b]) and closing[m] > -np.inf:
                chosen[m] = grown = True
                marked[a], marked[b] = marked[a] or pushed[a], marked[b] or pushed[b]


def bounce(at):
    """Find the impacts of the step one after the other; free velocities and targets of contacts then contain them."""
    numbers, results, free, kept = (
        whole1(at, P.NUMBERS),
        real1(at, P.RESULTS),
        real2(at, P.FREE),
        real2(at, P.FREE_BEFORE),
    )
    n, bodies, f, c, to = numbers[P.CONTACTS], free.shape[0], flight(at), touch(at), whole2(at, P.IMPACT_SPACE)
    if numbers[P.LOOKED]:  # the step is solved once more
        copy2(kept, free, bodies)
    copy2(free, kept, bodies)
    clear2(f.kick, bodies)
    clear2(f.kick_time, bodies)
    copy2(real2(at, P.ORIENTATION), real2(at, P.LAST_TURN), bodies)
    clear1(real1(at, P.LAST_TIME))
    clear2(real2(at, P.IMPACT), c.joints + n)
    clear1(real1(at, P.ROW_IMPACT))
    for k in range(P.LOST_NORMAL, P.RESULT_COUNT):
        results[k] = 0.0
    numbers[P.IMPACTS] = numbers[P.IMPACT_SOLUTIONS] = numbers[P.IMPACT_ASKS] = 0
    carry_on(at, f, c, n, real1(at, P.OPTIONS)[P.ROLLING_CLOSED])
    when, law, bounces = real1(at, P.CLOSING), whole1(at, P.LAW), flag1(at, P.BOUNCES)
    z, y, some, fastest, struck = np.empty((2, 6)), np.empty((2, 6)), False, 0.0, whole1(at, P.STRUCK)
    for m in range(n):
        flag1(at, P.STOPPED)[m], struck[m] = False, 0
        when[m] = next_closing(at, f, c, m, 0.0, 0.0, z, y)
        some = some or (bounces[law[m]] and when[m] < np.inf)
    if some:
        share(at, to)
    while some and numbers[P.IMPACTS] < EVENTS + PER_CONTACT * n:
        first = 0
        for m in range(n):
            if when[m] < when[first]:
                first = m
        t = when[first]
        if t == np.inf:
            break
        numbers[P.IMPACTS] += 1
        struck[first] += 1
        _, _, _, speed, _, _, _ = gap_at(f, c, first, t, z, y)
        fastest = max(fastest, -speed)
        fast = choose(at, f, c, n, t, first, fastest, z, y, numbers[P.IMPACTS] <= BOUNCES + BOUNCES_PER_CONTACT * n)
        when[first] = np.inf
        strike(at, to, f, c, n, t, fast, fastest, z, y)
        if numbers[P.IMPACT_ASKS]:  # all impacts are found again, with its solution
            return P.UNSOLVED_IMPACT
        marked, opens = flag1(at, P.MARKED), not flag1(at, P.IN_IMPACT)[first]  # opens: as its body really turns
        for m in range(n):
            if (marked[c.body[m, 0]] or marked[c.body[m, 1]]) and struck[m] < BEGUN and not (opens and m == first):
                when[m] = next_closing(at, f, c, m, t, SMALL * fastest, z, y)
    numbers[P.SWEEPS] += whole1(to, P.NUMBERS)[P.SWEEPS] if some else 0
    numbers[P.GIVEN_COUNT] = 0
    set_targets(at, f, c, n, z, y)
    for i in range(bodies):
        for k in range(6):
            free[i, k] += f.kick[i, k]
    return GO_ON


@njit(**INNER)
def share(at, to):
    """What the space of impacts has in common with that of the step, and its scalars."""
    shared, options, own, numbers = (
        whole1(at, P.IMPACT_SHARED),
        real1(at, P.OPTIONS),
        real1(to, P.OPTIONS),
        whole1(to, P.NUMBERS),
    )
    for k in range(shared.shape[0]):
        for i in range(4):
            to[shared[k], i] = at[shared[k], i]
    own[P.RELAXED] = options[P.RELAXED]
    numbers[P.SWEEPS], numbers[P.LISTED_COUNT] = 0, 0
    numbers[P.LIMIT] = numbers[P.LARGE_LIMIT] = FIRST_SWEEPS
    numbers[P.MOST] = whole1(at, P.NUMBERS)[P.MOST]


@njit(**INNER)
def set_targets(at, f, c, n, z, y):
    """Bias of the normal rows of contacts: no gap is negative at the end of the step.

    Contacts that bounce use up the whole of their gap, so that those which do not close in this step are not slowed down.
    After impacts the gap of a contact is that at the end: in the middle bodies may overlap that were never there.
    """
    bias, law, bounces, options = real2(at, P.BIAS), whole1(at, P.LAW), flag1(at, P.BOUNCES), real1(at, P.OPTIONS)
    stiffness, compliant, some = (
        real2(at, P.STIFFNESS),
        options[P.COMPLIANT] != 0.0,
        whole1(at, P.NUMBERS)[P.IMPACTS] > 0,
    )
    for m in range(n):
        if not some and not bounces[law[m]]:
            continue
        i = c.joints + m
        end, _, _, _, _, _, _ = gap_at(f, c, m, f.h, z, y)
        gap = end  # from which the velocities at the end would lead to the end, from the middle on
        for side in range(2):
            j, sign = c.body[m, side], -1.0 if side == 0 else 1.0
            for k in range(6):
                y[0, k] = f.start[j, k] + f.h * f.acceleration[j, k] + f.kick[j, k]
            gap -= sign * f.theta * f.h * along(c.normal[m], c.arm[i, side], y[0])
        if compliant and stiffness[law[m], 0] < np.inf:
            bias[i, 0] = gap / f.h
        else:
            bias[i, 0] = max(gap - options[P.CLOSED_GAP], 0.0) / (f.theta * f.h if bounces[law[m]] else f.h)
        if some:
            c.gap[m] = max(end, min(gap, 0.0))  # what would be below is held


def bend_paths(at):
    """Mean velocities along the paths, which impacts bend; what they missed is said."""
    numbers, results, f, mean = whole1(at, P.NUMBERS), real1(at, P.RESULTS), flight(at), real2(at, P.MEAN)
    if numbers[P.IMPACTS] > 0:
        for i in range(mean.shape[0]):
            for k in range(6):
                mean[i, k] += (1.0 - f.theta) * f.kick[i, k] - f.kick_time[i, k] / f.h
        size = max(results[P.IMPACT_SIZE], results[P.Q_SIZE])
        results[P.RESIDUAL] = max(results[P.RESIDUAL], results[P.IMPACT_RESIDUAL] / size)
    return GO_ON


def shift_bodies(at):
    """Where bodies are at the end: a kick works from its time on, not from the middle on."""
    f, shift, v, last = flight(at), real2(at, P.SHIFT), real2(at, P.V), real1(at, P.LAST_TIME)
    orientation, q = real2(at, P.ORIENTATION), np.empty((1, 4))
    if whole1(at, P.NUMBERS)[P.IMPACTS] == 0:
        return GO_ON
    for i in range(shift.shape[0]):
        for k in range(6):
            shift[i, k] = (1.0 - f.theta) * f.h * f.kick[i, k] - f.kick_time[i, k]
        if last[i] > 0.0:  # it tumbles: from impact to impact, and with what smooth forces turned it
            turn_to(at, f, i, f.h, q)
            copy2(q, orientation[i : i + 1], 1)
            for k in range(3, 6):
                shift[i, k] = f.theta * f.h * (v[i, k] - f.start[i, k] - f.h * f.acceleration[i, k] - f.kick[i, k])
    move_by(shift, real2(at, P.POSITION), orientation)
    return GO_ON
