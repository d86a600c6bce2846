"""Stages of impacts within a step, for scenes with restitution.  Never raise.  See docs/time-stepping.md.

Bodies move along parabolas between impacts: at time t of the step, from the middle, (1 - theta) h,

    way = (t - (1 - theta) h) start + theta t^2 acceleration + t kick - kick_time,      v = start + t acceleration + kick

with kick (B, 6) the jumps so far and kick_time (B, 6) each of them times its time.  The earliest contact that closes is an
impact: a contact problem of its own, which the stages of the step solve in a space of its own (place IMPACT_SPACE).
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numba import njit

from trundle.contact.kernels.rigid import apply_impulses, diagonal_entry, relative_velocity, work_on
from trundle.detect.kernels.contacts import SPHERE, frame_along
from trundle.kernels.rotations import INNER, rotate_by, rotation_matrix
from trundle.kernels.space import GO_ON, call_stage, clear1, clear2, copy2, flag1, real1, real2, real3, whole1, whole2
from trundle.step.kernels import places as P
from trundle.step.kernels.finish import move_by
from trundle.step.kernels.joints import joint_velocity
from trundle.step.kernels.solution import every_kind, refresh, residual_at, sweep_once

NEWTON, POISSON, SEQUENTIAL = range(3)
REST = 0.5  # of the speed that acceleration gives within a step: approaches that are not faster do not bounce
QUIET = 2e-3  # of the speed up to which nothing bounces: approaches that are not faster are no impacts at all
SMALL = 1e-9  # of the fastest approach in the step: approaches that are not faster are rounding
TOGETHER = 1e-6  # relative difference of speeds below which contacts that close at once are one impact, in sequence
IMPACT_TOLERANCE = 1e-13  # impacts are small problems, and keep their energy to round-off
PLAIN_ROUNDS, PLAIN_SWEEPS = 30, 50  # of two sweeps without momentum, where it does not help
SWEEPS = 600  # for an impact, which has no other solver; and more for many contacts
LOOKS = 4  # at a gap, for the time at which it closes
EVENTS, PER_CONTACT = 200, 20  # impacts in a step at most
EXPANSIONS, EXPANDED = 200, 1e-12  # rounds for Poisson's expansion, and its relative tolerance

Flight = namedtuple("Flight", "start acceleration kick kick_time h theta")
Touch = namedtuple("Touch", "body normal arm gap radius kind joints middle moves")


@njit(**INNER)
def flight(at):
    """How bodies move in this step."""
    options = real1(at, P.OPTIONS)
    return Flight(
        real2(at, P.START), real2(at, P.ACCELERATION), real2(at, P.KICK), real2(at, P.KICK_TIME), options[P.H], options[P.THETA]
    )


@njit(**INNER)
def touch(at):
    """The contacts in the middle of the step."""
    return Touch(
        whole2(at, P.BODY), real2(at, P.NORMAL), real3(at, P.ARM), real1(at, P.GAP), real2(at, P.RADIUS), whole1(at, P.KIND),
        whole2(at, P.JOINT_BODY).shape[0], real2(at, P.MIDDLE), flag1(at, P.MOVES),
    )  # fmt: skip


@njit(**INNER)
def way_of(f, i, t, out):
    """Displacement and turn (6,) of body i from the middle until t."""
    for k in range(6):
        out[k] = f.start[i, k] * (t - (1.0 - f.theta) * f.h) + f.theta * f.acceleration[i, k] * t * t
        out[k] += f.kick[i, k] * t - f.kick_time[i, k]


@njit(**INNER)
def gap_at(f, c, n, t, z, y):
    """Gap at time t, its rate along the path, half of the second rate, and the velocity with which it opens.

    Spheres pass each other on a curve; the normal of all others stays as it is in the middle.  n (3,): the normal at t.
    z, y (2, 6): work.
    """
    i, a, b, x = c.joints + n, c.body[n, 0], c.body[n, 1], c.normal[n]
    rate, speed, half, gap = 0.0, 0.0, 0.0, c.gap[n]
    both = c.kind[a] == SPHERE and c.kind[b] == SPHERE
    way_of(f, a, t, z[0])
    way_of(f, b, t, z[1])
    nx, ny, nz = x[0], x[1], x[2]
    if both:
        size = c.radius[n, 0] + c.radius[n, 1]
        reach = size + c.gap[n]
        dx, dy, dz = reach * nx + z[1, 0] - z[0, 0], reach * ny + z[1, 1] - z[0, 1], reach * nz + z[1, 2] - z[0, 2]
        distance = math.sqrt(dx * dx + dy * dy + dz * dz)
        nx, ny, nz, gap = dx / distance, dy / distance, dz / distance, distance - size
        square = 0.0
        for k in range(3):
            m = nx if k == 0 else ny if k == 1 else nz
            w = f.start[b, k] - f.start[a, k] + f.kick[b, k] - f.kick[a, k]
            l = f.acceleration[b, k] - f.acceleration[a, k]
            rate += m * (w + 2.0 * f.theta * t * l)
            speed += m * (w + t * l)
            half += m * f.theta * l
            square += (w + 2.0 * f.theta * t * l) ** 2
        half += 0.5 * (square - rate * rate) / distance
    else:
        for side in range(2):
            gap += (-1.0 if side == 0 else 1.0) * along(x, c.arm[i, side], z[side])
        arms_at(c, n, z, y)
        for side in range(2):
            j, sign, r, d = c.body[n, side], -1.0 if side == 0 else 1.0, y[side, :3], c.arm[i, side]
            l, s, k = f.acceleration[j], f.start[j], f.kick[j]
            across = along(x, r, l)
            part = along(x, r, s) + along(x, r, k)
            rate += sign * (part + 2.0 * f.theta * t * across)
            speed += sign * (part + t * across)
            half += sign * f.theta * across
            if c.radius[n, side] == np.inf:  # corners go round the centre
                gap += sign * 0.5 * centripetal(x, d, z[side, 3], z[side, 4], z[side, 5])
                half += sign * 0.5 * centripetal(x, d, s[3] + k[3], s[4] + k[4], s[5] + k[5])
    return gap, rate, half, speed, nx, ny, nz


@njit(**INNER)
def arms_at(c, n, z, y):
    """Arms y (2, :3) of contact n of bodies that are no pair of spheres, displaced and turned by z (2, 6) from the middle.

    Both lead to one point, which keeps angular momentum: that of the round body, or of the one that moves.
    """
    i, a, b = c.joints + n, c.body[n, 0], c.body[n, 1]
    share = 0.5
    if not c.moves[a] or (c.radius[n, 0] == np.inf and c.radius[n, 1] < np.inf):
        share = 1.0
    elif not c.moves[b] or (c.radius[n, 1] == np.inf and c.radius[n, 0] < np.inf):
        share = 0.0
    for side in range(2):  # the point of each surface, half of the gap away, seen from the body: a corner turns with it
        r, half = c.arm[i, side], -0.5 * c.gap[n] if side == 0 else 0.5 * c.gap[n]
        for k in range(3):
            y[side, k] = r[k] + half * c.normal[n, k]
        if c.radius[n, side] == np.inf:
            y[side, 0] += z[side, 4] * r[2] - z[side, 5] * r[1]
            y[side, 1] += z[side, 5] * r[0] - z[side, 3] * r[2]
            y[side, 2] += z[side, 3] * r[1] - z[side, 4] * r[0]
    for k in range(3):
        apart = y[1, k] + c.middle[b, k] - c.middle[a, k] + z[1, k] - z[0, k] - y[0, k]
        y[0, k] += share * apart
        y[1, k] -= (1.0 - share) * apart


@njit(**INNER)
def centripetal(n, r, x, y, z):
    """n . w x (w x r) with w = (x, y, z)."""
    dot, square = x * r[0] + y * r[1] + z * r[2], x * x + y * y + z * z
    return n[0] * (x * dot - r[0] * square) + n[1] * (y * dot - r[1] * square) + n[2] * (z * dot - r[2] * square)


@njit(**INNER)
def along(n, r, v):
    """n . (v + w x r) of a twist (v, w) (6,)."""
    return (
        n[0] * (v[0] + v[4] * r[2] - v[5] * r[1])
        + n[1] * (v[1] + v[5] * r[0] - v[3] * r[2])
        + n[2] * (v[2] + v[3] * r[1] - v[4] * r[0])
    )


@njit(**INNER)
def time_to_close(gap, rate, half):
    """Time until  gap + rate t + half t^2  falls to zero or below, inf if it never does."""
    if gap <= 0.0 and (rate < 0.0 or (rate == 0.0 and half < 0.0)):
        return 0.0
    square = rate * rate - 4.0 * half * gap
    if gap > 0.0 and rate < 0.0 and square >= 0.0:
        return 2.0 * gap / (math.sqrt(square) - rate)
    if half >= 0.0:
        return np.inf
    # it opens first, and comes back; from below zero it may never get out
    return (rate + math.sqrt(square)) / (-2.0 * half) if square >= 0.0 else rate / (-2.0 * half)


@njit(**INNER)
def restitution_at(law, table, s):
    """Coefficient of restitution at an approach speed s [m/s]; see `scene.restitution`."""
    e, speed, exponent, threshold = law[0], law[1], law[2], law[3]
    if s < threshold:
        return 0.0
    if e >= 0.0:
        return e if exponent == 0.0 else min(1.0, e * (s / speed) ** -exponent)
    last = table.shape[0] - 1
    while last > 0 and table[last, 0] == np.inf:
        last -= 1
    if s <= table[0, 0]:
        return table[0, 1]
    if s >= table[last, 0]:
        return table[last, 1]
    k = np.searchsorted(table[: last + 1, 0], s)
    share = (s - table[k - 1, 0]) / (table[k, 0] - table[k - 1, 0])
    return table[k - 1, 1] + share * (table[k, 1] - table[k - 1, 1])


# --- the events of a step ---------------------------------------------------------------------------------


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
        if gap > margin or speed > rest_speed(at, f, c, m):
            for k in range(6):
                old[c.joints + m, k] = 0.0
    force = old.reshape(old.shape[0] * 6)
    for i in range(6 * links):
        force[i] /= f.h
    apply_impulses(
        whole2(at, P.LINK)[:links], real3(at, P.FRAME), real3(at, P.ARM), real1(at, P.UNITS), real1(at, P.INVERSE_MASS),
        real3(at, P.WORLD), force, f.acceleration,
    )  # fmt: skip


@njit(**INNER)
def rest_speed(at, f, c, n):
    """Approach speed [m/s] up to which contact n does not bounce: half of what loads and weight give within a step."""
    free, most = real2(at, P.FREE_BEFORE), 0.0
    for side in range(2):
        i, square = c.body[n, side], 0.0
        for k in range(3):
            square += (free[i, k] - f.start[i, k]) ** 2
        most = max(most, square)
    return REST * math.sqrt(most)


@njit(**INNER)
def next_closing(at, f, c, n, t, quiet, z, y):
    """When contact n closes next, at t or later and faster than `quiet`; inf if not within the step.

    A contact that a slow impact stopped has to be fast to close again.
    Parabolas from t on, and from where they lead; the gap at the end of the step has the last word.
    """
    speed, rest = 0.0, rest_speed(at, f, c, n)
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
    return t if -speed > max(quiet, rest if flag1(at, P.STOPPED)[n] else QUIET * rest) else np.inf


@njit(**INNER)
def choose(at, f, c, n, t, first, fastest, z, y):
    """Mark the contacts of the impact at t, whose earliest contact is `first`; returns whether they bounce.

    Newton and Poisson: all that are closed then and do not open, as far as they hang together with the first one by bodies
    and joints.  In sequence: the fastest approach alone.  Slow impacts, which do not bounce, stop all that is closed in all modes.
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
            fast = fast or closing[m] > rest_speed(at, f, c, m)
    if fast:
        least = (1.0 - TOGETHER) * top if options[P.IMPACT_MODE] == SEQUENTIAL else -SMALL * fastest
        for m in range(n):
            chosen[m] = chosen[m] and closing[m] >= least
    return fast


@njit(**INNER)
def gather_closed(at, c, n, first):
    """Mark all contacts with an approach speed that hang together with the first one by bodies and joints."""
    chosen, closing, marked = flag1(at, P.IN_IMPACT), real1(at, P.APPROACH), flag1(at, P.MARKED)
    joint, pushed, grown = whole2(at, P.JOINT_BODY), flag1(at, P.CAN_BE_PUSHED), True
    for i in range(marked.shape[0]):
        marked[i] = False
    for side in range(2):
        marked[c.body[first, side]] = pushed[c.body[first, side]]
    while grown:
        grown = False
        for j in range(joint.shape[0]):
            a, b = joint[j, 0], joint[j, 1]
            if marked[a] != marked[b] and pushed[a] and pushed[b]:
                marked[a] = marked[b] = grown = True
        for m in range(n):
            a, b = c.body[m, 0], c.body[m, 1]
            if not chosen[m] and (marked[a] or marked[b]) and closing[m] > -np.inf:
                chosen[m] = grown = True
                marked[a], marked[b] = marked[a] or pushed[a], marked[b] or pushed[b]


@njit(**INNER)
def aim(at, to, f, c, m, k, t, z, y):
    """Bodies, frame and arms of contact m at time t as the k-th contact of the impact."""
    link, frame, arm = whole2(to, P.LINK), real3(to, P.FRAME), real3(to, P.ARM)
    body, law, factor = whole2(to, P.BODY), whole1(to, P.LAW), real1(to, P.FACTORS)
    own, i, j = real3(at, P.FRAME), c.joints + m, c.joints + k
    gap, _, _, _, nx, ny, nz = gap_at(f, c, m, t, z, y)
    a, b = c.body[m, 0], c.body[m, 1]
    law[k], factor[k] = whole1(at, P.LAW)[m], real1(at, P.FACTORS)[m]
    link[j, 0] = body[k, 0] = a
    link[j, 1] = body[k, 1] = b
    for r in range(6):
        for x in range(3):
            frame[j, r, x] = own[i, r, x]
    if c.kind[a] == SPHERE and c.kind[b] == SPHERE:  # the normal has turned since the middle, and the tangents with it
        tx, ty, tz = own[i, 1, 0], own[i, 1, 1], own[i, 1, 2]
        dot = nx * tx + ny * ty + nz * tz
        frame_along(nx, ny, nz, tx - dot * nx, ty - dot * ny, tz - dot * nz, frame[j])
        for r in range(3):
            for x in range(3):
                frame[j, 3 + r, x] = frame[j, r, x]
        for x in range(3):
            arm[j, 0, x] = (c.radius[m, 0] + 0.5 * gap) * frame[j, 0, x]
            arm[j, 1, x] = -(c.radius[m, 1] + 0.5 * gap) * frame[j, 0, x]
        return
    arms_at(c, m, z, y)
    copy2(y, arm[j], 2)


# --- one impact -------------------------------------------------------------------------------------------


@njit(**INNER)
def velocities(to, links, v, y):
    """Relative velocities y (6 links,) of the impact's joints and contacts at the velocities v of the bodies."""
    none = real2(to, P.PUSH)
    clear2(none, links)
    relative_velocity(
        whole2(to, P.LINK)[:links], real3(to, P.FRAME), real3(to, P.ARM), real1(to, P.UNITS), none, v, y
    )  # fmt: skip


@njit(**INNER)
def sweep_plainly(to):
    """Sweeps without momentum, which may go round in circles: the residual is that of the better impulses."""
    numbers, results, v, vz, state = whole1(to, P.NUMBERS), real1(to, P.RESULTS), real2(to, P.V), real2(to, P.V_BEFORE), np.empty(2)
    residual = results[P.RESIDUAL]
    copy2(v, vz, v.shape[0])
    every_kind(to, P.BEGIN)
    for _ in range(PLAIN_ROUNDS):
        for k in range(PLAIN_SWEEPS):
            results[P.BETA], state[0], state[1] = 0.0, 1.0, np.inf
            sweep_once(to, results, state, v, vz)
            numbers[P.SWAPPED] = 1
            results[P.BETA] = 0.0
            sweep_once(to, results, state, vz, v)
            numbers[P.SWAPPED] = 0
        refresh(to)
        reached = residual_at(to, results)
        if reached < residual:
            residual = reached
            every_kind(to, P.WRITE)
        if residual <= IMPACT_TOLERANCE:
            break
    results[P.RESIDUAL] = residual
    every_kind(to, P.READ)
    refresh(to)


@njit(**INNER)
def solve_impact(at, to, joints):
    """Let the stages of a step solve the impact from its free velocities; joints let nothing through."""
    body, axes, point, middle = whole2(at, P.JOINT_BODY), real3(at, P.JOINT_FRAME), real2(at, P.JOINT_POINT), real2(at, P.MIDDLE)
    bias, free, stages, results = real2(to, P.BIAS), real2(to, P.FREE), whole1(at, P.IMPACT_STAGES), real1(at, P.RESULTS)
    clear2(bias, joints)
    for j in range(joints):
        joint_velocity(body, axes, point, middle, free, j, bias[j])
        for k in range(6):
            bias[j, k] = -bias[j, k]
    for k in range(stages.shape[0]):
        call_stage(stages[k], to)
    if real1(to, P.RESULTS)[P.RESIDUAL] > IMPACT_TOLERANCE:
        sweep_plainly(to)
    size = real1(to, P.RESULTS)[P.Q_SIZE]
    results[P.IMPACT_SIZE] = max(results[P.IMPACT_SIZE], size)
    results[P.IMPACT_RESIDUAL] = max(results[P.IMPACT_RESIDUAL], real1(to, P.RESULTS)[P.RESIDUAL] * size)


@njit(**INNER)
def expand(at, to, joints, count, total):
    """Poisson's expansion after the compression: every contact gives back e of its normal impulse, or more to stay closed.

    wanted (N, 6) of the impact: e, and the least normal impulse.  Targets of normal velocities are found for which the impulses
    are those; without friction the first guess is exact.  total (N, 6): impulses, added to.
    """
    wanted, bias, rows = real2(to, P.WANTED), real2(to, P.BIAS), real2(to, P.IMPULSE)
    v, free, units, links = real2(to, P.V), real2(to, P.FREE), real1(to, P.UNITS), joints + count
    link, frame, arm = whole2(to, P.LINK), real3(to, P.FRAME), real3(to, P.ARM)
    inverse_mass, J, y = real1(at, P.INVERSE_MASS), real3(to, P.WORLD), np.empty(6 * links)
    for i in range(free.shape[0]):
        for k in range(6):
            free[i, k] = v[i, k]
    most = 0.0
    for i in range(links):
        for k in range(6):
            rows[i, k] = 0.0
        if i >= joints:
            wanted[i, 1] = wanted[i, 0] * total[i, 0]
            rows[i, 0] = wanted[i, 1]
            most = max(most, total[i, 0])
    apply_impulses(link[:links], frame, arm, units, inverse_mass, J, rows.reshape(rows.shape[0] * 6), v)
    velocities(to, links, v, y)
    for i in range(joints, links):
        bias[i, 0] = -max(y[6 * i], 0.0)
    for _ in range(EXPANSIONS):
        solve_impact(at, to, joints)
        worst = 0.0
        for i in range(joints, links):
            missing = wanted[i, 1] - rows[i, 0]
            new = min(0.0, bias[i, 0] - missing * diagonal_entry(frame, arm, inverse_mass, J, link, i, 0, 0))
            if new != bias[i, 0]:
                worst = max(worst, abs(missing))
            bias[i, 0] = new
        if worst <= EXPANDED * most:
            break
    for i in range(links):
        for k in range(6):
            total[i, k] += rows[i, k]


@njit(**INNER)
def conjugate(q, i, T, x, out):
    """out = R T R^T x with the rotation R of the quaternion q[i]."""
    R, a, b = np.empty((3, 3)), np.empty(3), np.empty(3)
    rotation_matrix(q, i, R)
    for k in range(3):
        a[k] = R[0, k] * x[0] + R[1, k] * x[1] + R[2, k] * x[2]
    for k in range(3):
        b[k] = T[k, 0] * a[0] + T[k, 1] * a[1] + T[k, 2] * a[2]
    for k in range(3):
        out[k] = R[k, 0] * b[0] + R[k, 1] * b[1] + R[k, 2] * b[2]


@njit(**INNER)
def momentum_at(at, f, i, t, out):
    """Angular momentum (3,) of body i at time t, world frame: velocities are those that it has in the middle."""
    w = np.empty(3)
    for k in range(3):
        w[k] = f.start[i, 3 + k] + t * f.acceleration[i, 3 + k] + f.kick[i, 3 + k]
    conjugate(real2(at, P.TURNED), i, real3(at, P.INERTIA)[i], w, out)


@njit(**INNER)
def turn_to(at, f, i, t, q):
    """Orientation q (1, 4) of body i at time t, from that of its last impact on, with its angular momentum kept.

    At the middle of the way there, as bodies in free flight turn.
    """
    last, inverse = real2(at, P.LAST_TURN), real3(at, P.INVERSE_INERTIA)[i]
    begin, L, w = real1(at, P.LAST_TIME)[i], np.empty(3), np.empty(3)
    way = t - begin
    momentum_at(at, f, i, 0.5 * (begin + t), L)
    copy2(last[i : i + 1], q, 1)
    conjugate(q, 0, inverse, L, w)
    rotate_by(q, 0, 0.5 * way * w[0], 0.5 * way * w[1], 0.5 * way * w[2])
    conjugate(q, 0, inverse, L, w)
    copy2(last[i : i + 1], q, 1)
    rotate_by(q, 0, way * w[0], way * w[1], way * w[2])


@njit(**INNER)
def tumbles(at, i):
    """Whether body i changes its angular velocity in free flight."""
    keeps, movable = real1(at, P.OPTIONS)[P.KEEPS_MOMENTUM] != 0.0, flag1(at, P.CAN_BE_PUSHED)[i]
    return keeps and movable and not flag1(at, P.ROUND)[i]


@njit(**INNER)
def set_free(at, to, f, t):
    """Velocities of the bodies at time t, just before an impact, and the inverse inertia of those that it may reach."""
    free, world, own, marked = real2(to, P.FREE), real3(at, P.WORLD), real3(to, P.WORLD), flag1(at, P.MARKED)
    q, L, unit = np.empty((1, 4)), np.empty(3), np.zeros(3)
    for i in range(free.shape[0]):
        for k in range(6):
            free[i, k] = f.start[i, k] + t * f.acceleration[i, k] + f.kick[i, k]
        copy2(world[i], own[i], 3)
        if marked[i] and tumbles(at, i):
            inverse = real3(at, P.INVERSE_INERTIA)[i]
            turn_to(at, f, i, t, q)
            for k in range(3):
                unit[k] = 1.0
                conjugate(q, 0, inverse, unit, own[i, k])
                unit[k] = 0.0
            momentum_at(at, f, i, t, L)
            conjugate(q, 0, inverse, L, free[i, 3:])


@njit(**INNER)
def add_kicks(at, to, f, before, t):
    """Jumps of the velocities by an impact at time t, as they are in the middle; marks the bodies that have one."""
    v, marked, jump, q, L = real2(to, P.V), flag1(at, P.MARKED), np.empty(6), np.empty((1, 4)), np.empty(3)
    for i in range(before.shape[0]):
        some = False
        for k in range(6):
            jump[k] = v[i, k] - before[i, k]
            some = some or jump[k] != 0.0
        if some and tumbles(at, i):
            turn_to(at, f, i, t, q)
            copy2(q, real2(at, P.LAST_TURN)[i : i + 1], 1)
            real1(at, P.LAST_TIME)[i] = t
            conjugate(q, 0, real3(at, P.INERTIA)[i], jump[3:], L)
            conjugate(real2(at, P.TURNED), i, real3(at, P.INVERSE_INERTIA)[i], L, jump[3:])
        marked[i] = some
        for k in range(6):
            f.kick[i, k] += jump[k]
            f.kick_time[i, k] += t * jump[k]


@njit(**INNER)
def strike(at, to, f, c, n, t, fast, fastest, z, y):
    """The impact of the chosen contacts at time t: kicks, impulses, and the energy that it takes."""
    options, results, chosen = real1(at, P.OPTIONS), real1(at, P.RESULTS), flag1(at, P.IN_IMPACT)
    bias, rows, free, wanted = real2(to, P.BIAS), real2(to, P.IMPULSE), real2(to, P.FREE), real2(to, P.WANTED)
    restitution, table, law = real2(at, P.RESTITUTION), real3(at, P.RESTITUTION_TABLE), whole1(at, P.LAW)
    stopped = flag1(at, P.STOPPED)
    poisson, joints, count, marked = options[P.IMPACT_MODE] == POISSON, c.joints, 0, flag1(at, P.MARKED)
    for i in range(marked.shape[0]):
        marked[i] = joints > 0  # bodies that the impact may reach
    for m in range(n):
        if chosen[m]:
            marked[c.body[m, 0]] = marked[c.body[m, 1]] = True
    set_free(at, to, f, t)
    for m in range(n):
        if chosen[m]:
            aim(at, to, f, c, m, count, t, z, y)
            frame, arm, i = real3(to, P.FRAME), real3(to, P.ARM), joints + count
            opens = along(frame[i, 0], arm[i, 1], free[c.body[m, 1]]) - along(frame[i, 0], arm[i, 0], free[c.body[m, 0]])
            chosen[m] = not fast or opens <= SMALL * fastest  # with those that open and others that bounce energy could grow
            count += chosen[m]
    if count == 0:
        for i in range(marked.shape[0]):
            marked[i] = False
        return
    links = joints + count
    for j in range(joints):
        copy2(whole2(at, P.LINK)[j : j + 1], whole2(to, P.LINK)[j : j + 1], 1)
        copy2(real3(at, P.FRAME)[j], real3(to, P.FRAME)[j], 6)
        copy2(real3(at, P.ARM)[j], real3(to, P.ARM)[j], 2)
    before = np.empty((free.shape[0], 6))
    copy2(free, before, free.shape[0])
    one, other, total = np.empty(6 * links), np.empty(6 * links), np.empty((links, 6))
    velocities(to, links, before, one)
    clear2(rows, links)
    clear2(bias, links)
    k, top = joints, 0.0
    for i in range(joints, links):
        top = max(top, -one[6 * i])
    for m in range(n):
        if chosen[m]:
            s, rest = -one[6 * k], rest_speed(at, f, c, m)
            if poisson and s <= rest:  # what is compressed through others expands with them
                s = top
            e = restitution_at(restitution[law[m]], table[law[m]], s) if fast and s > rest else 0.0
            wanted[k, 0] = e
            stopped[m] = not fast
            bias[k, 0] = 0.0 if poisson else min(0.0, -e * s)
            k += 1
    whole1(to, P.NUMBERS)[P.CONTACTS] = count
    solve_impact(at, to, joints)
    copy2(rows, total, links)
    if poisson:
        expand(at, to, joints, count, total)
    v = real2(to, P.V)
    velocities(to, links, v, other)
    book(at, results, joints, links, total, one, other)
    results[P.LOST_GIVEN] += work_on(
        whole2(to, P.LINK)[:links], real3(to, P.FRAME), real3(to, P.ARM), real1(to, P.UNITS), flag1(at, P.PRESCRIBED),
        total.reshape(6 * links), before,
    )  # fmt: skip
    impact, k = real2(at, P.IMPACT), joints
    for j in range(joints):
        for r in range(6):
            impact[j, r] += total[j, r]
    for m in range(n):
        if chosen[m]:
            for r in range(6):
                impact[joints + m, r] += total[k, r]
            k += 1
    add_kicks(at, to, f, before, t)


@njit(**INNER)
def book(at, results, joints, links, total, before, after):
    """Energy [J] that the impulses of an impact took: each of them times the mean of the velocities before and after."""
    driven, motor = whole1(at, P.JOINT_DRIVEN), flag1(at, P.JOINT_MOTOR)
    for i in range(links):
        for k in range(6):
            taken = -0.5 * total[i, k] * (before[6 * i + k] + after[6 * i + k])
            if i < joints:
                results[P.LOST_JOINTS] += taken
                if motor[i] and k == driven[i]:
                    results[P.LOST_MOTORS] += taken
            elif k == 0:
                results[P.LOST_NORMAL] += taken
            elif k < 3:
                results[P.LOST_SLIDING] += taken
            elif k == 3:
                results[P.LOST_SPINNING] += taken
            else:
                results[P.LOST_ROLLING] += taken


# --- stages -----------------------------------------------------------------------------------------------


def bounce(at):
    """Find the impacts of the step one after the other; free velocities and targets of contacts then contain them."""
    numbers, results, free, kept = whole1(at, P.NUMBERS), real1(at, P.RESULTS), real2(at, P.FREE), real2(at, P.FREE_BEFORE)
    n, bodies, f, c, to = numbers[P.CONTACTS], free.shape[0], flight(at), touch(at), whole2(at, P.IMPACT_SPACE)
    if numbers[P.LOOKED]:  # the step is solved once more
        copy2(kept, free, bodies)
    copy2(free, kept, bodies)
    clear2(f.kick, bodies)
    clear2(f.kick_time, bodies)
    copy2(real2(at, P.ORIENTATION), real2(at, P.LAST_TURN), bodies)
    clear1(real1(at, P.LAST_TIME))
    clear2(real2(at, P.IMPACT), c.joints + n)
    for k in range(P.LOST_NORMAL, P.RESULT_COUNT):
        results[k] = 0.0
    numbers[P.IMPACTS] = 0
    carry_on(at, f, c, n, real1(at, P.OPTIONS)[P.ROLLING_CLOSED])
    when, law, bounces = real1(at, P.CLOSING), whole1(at, P.LAW), flag1(at, P.BOUNCES)
    z, y, some, fastest = np.empty((2, 6)), np.empty((2, 6)), False, 0.0
    for m in range(n):
        flag1(at, P.STOPPED)[m] = False
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
        _, _, _, speed, _, _, _ = gap_at(f, c, first, t, z, y)
        fastest = max(fastest, -speed)
        fast = choose(at, f, c, n, t, first, fastest, z, y)
        when[first] = np.inf
        strike(at, to, f, c, n, t, fast, fastest, z, y)
        marked = flag1(at, P.MARKED)
        for m in range(n):
            if marked[c.body[m, 0]] or marked[c.body[m, 1]]:
                when[m] = next_closing(at, f, c, m, t, SMALL * fastest, z, y)
    numbers[P.SWEEPS] += whole1(to, P.NUMBERS)[P.SWEEPS] if some else 0
    set_targets(at, f, c, n, z, y)
    for i in range(bodies):
        for k in range(6):
            free[i, k] += f.kick[i, k]
    return GO_ON


@njit(**INNER)
def share(at, to):
    """What the space of impacts has in common with that of the step, and its scalars."""
    shared, options, own, numbers = whole1(at, P.IMPACT_SHARED), real1(at, P.OPTIONS), real1(to, P.OPTIONS), whole1(to, P.NUMBERS)
    for k in range(shared.shape[0]):
        for i in range(4):
            to[shared[k], i] = at[shared[k], i]
    own[P.RELAXED] = options[P.RELAXED]
    numbers[P.SWEEPS], numbers[P.LISTED_COUNT] = 0, 0
    numbers[P.LIMIT], numbers[P.MOST] = SWEEPS, whole1(at, P.NUMBERS)[P.MOST]


@njit(**INNER)
def set_targets(at, f, c, n, z, y):
    """Bias of the normal rows of contacts: no gap is negative at the end of the step.

    Contacts that bounce use up the whole of their gap, so that those which do not close in this step are not slowed down.
    After impacts the gap of a contact is that at the end: in the middle bodies may overlap that were never there.
    """
    bias, law, bounces, options = real2(at, P.BIAS), whole1(at, P.LAW), flag1(at, P.BOUNCES), real1(at, P.OPTIONS)
    stiffness, compliant, some = real2(at, P.STIFFNESS), options[P.COMPLIANT] != 0.0, whole1(at, P.NUMBERS)[P.IMPACTS] > 0
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
