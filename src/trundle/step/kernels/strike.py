"""One impact within a step: a contact problem of its own, solved in a space of its own.  Never raises.

The stages of a step solve it; see docs/time-stepping.md.

`to` is the table of that space, place IMPACT_SPACE of the step's.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from trundle.contact.kernels.rigid import apply_impulses, diagonal_entry, relative_velocity, work_on
from trundle.detect.kernels.contacts import frame_along
from trundle.kernels.rotations import INNER
from trundle.kernels.space import call_stage, clear2, copy2, flag1, real1, real2, real3, whole1, whole2
from trundle.kinds import POISSON, SPHERE
from trundle.step.kernels import places as P
from trundle.step.kernels.joints import joint_velocity
from trundle.step.kernels.paths import along, arms_at, conjugate, gap_at, momentum_at, rest_speed, tumbles, turn_to
from trundle.step.kernels.solution import every_kind, refresh, residual_at, sweep_once

SMALL = 1e-9  # of the fastest approach in the step: approaches that are not faster are rounding
IMPACT_TOLERANCE = 1e-13  # impacts are small problems, and keep their energy to round-off
SHARE = 1e-3  # of the step's tolerance: an impact for which sweeps go on and on is solved well enough
FIRST_SWEEPS, SWEEPS = 200, 600  # before this is asked, and before sweeps without momentum; and more for many contacts
PLAIN_ROUNDS, PLAIN_SWEEPS = 30, 50  # of two sweeps without momentum, where it does not help
EXPANSIONS, EXPANDED = 200, 1e-12  # rounds for Poisson's expansion, and its relative tolerance


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


@njit(**INNER)
def aim(at, to, f, c, m, k, t, z, y):
    """Bodies, frame and arms of contact m at time t as the k-th contact of the impact."""
    link, frame, arm = whole2(to, P.LINK), real3(to, P.FRAME), real3(to, P.ARM)
    body, law, factor = whole2(to, P.BODY), whole1(to, P.LAW), real1(to, P.FACTORS)
    own, i, j = real3(at, P.FRAME), c.joints + m, c.joints + k
    gap, _, _, _, nx, ny, nz = gap_at(f, c, m, t, z, y)
    a, b = c.body[m, 0], c.body[m, 1]
    law[k], factor[k] = whole1(at, P.LAW)[m], real1(at, P.FACTORS)[m]
    if real2(at, P.SLIP).shape[0] > 0:  # where coefficients depend on the speed
        for x in range(3):
            real2(to, P.SLIP)[j, x] = real2(at, P.SLIP)[i, x]
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


@njit(**INNER)
def velocities(to, links, v, y):
    """Relative velocities y (6 links,) of the impact's joints and contacts at the velocities v of the bodies."""
    none = real2(to, P.PUSH)
    clear2(none, links)
    relative_velocity(
        whole2(to, P.LINK)[:links], real3(to, P.FRAME), real3(to, P.ARM), real1(to, P.UNITS), none, v, y
    )  # fmt: skip


@njit(**INNER)
def sweep_plainly(to, goal):
    """Sweeps without momentum, which may go round in circles: the residual is that of the better impulses."""
    numbers, results, v, vz, state = (
        whole1(to, P.NUMBERS),
        real1(to, P.RESULTS),
        real2(to, P.V),
        real2(to, P.V_BEFORE),
        np.empty(2),
    )
    residual = results[P.RESIDUAL]
    copy2(v, vz, v.shape[0])
    every_kind(to, P.BEGIN)
    for _ in range(PLAIN_ROUNDS):
        for _ in range(PLAIN_SWEEPS):
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
        if residual <= goal:
            break
    results[P.RESIDUAL] = residual
    every_kind(to, P.READ)
    refresh(to)


@njit(**INNER)
def solve_impact(at, to, joints):
    """Let the stages of a step solve the impact from its free velocities; joints let nothing through."""
    body, axes, point, middle = (
        whole2(at, P.JOINT_BODY),
        real3(at, P.JOINT_FRAME),
        real2(at, P.JOINT_POINT),
        real2(at, P.MIDDLE),
    )
    bias, free, stages, results, options = (
        real2(to, P.BIAS),
        real2(to, P.FREE),
        whole1(at, P.IMPACT_STAGES),
        real1(at, P.RESULTS),
        real1(at, P.OPTIONS),
    )
    clear2(bias, joints)
    for j in range(joints):
        joint_velocity(body, axes, point, middle, free, j, bias[j])
        for k in range(6):
            bias[j, k] = -bias[j, k]
    numbers, own, goal = (
        whole1(to, P.NUMBERS),
        real1(to, P.RESULTS),
        max(IMPACT_TOLERANCE, SHARE * options[P.TOLERANCE]),
    )
    for k in range(stages.shape[0]):
        call_stage(stages[k], to)
    if own[P.RESIDUAL] > goal:
        numbers[P.LIMIT] = numbers[P.LARGE_LIMIT] = SWEEPS
        call_stage(stages[stages.shape[0] - 1], to)  # which solves
        numbers[P.LIMIT] = numbers[P.LARGE_LIMIT] = FIRST_SWEEPS
    if own[P.RESIDUAL] > goal:
        sweep_plainly(to, goal)
    size = own[P.Q_SIZE]
    results[P.IMPACT_SIZE] = max(results[P.IMPACT_SIZE], size)
    results[P.IMPACT_RESIDUAL] = max(results[P.IMPACT_RESIDUAL], own[P.RESIDUAL] * size)


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
def book(at, results, joints, links, total, before, after):
    """Energy [J] that the impulses of an impact took: each of them times the mean of the velocities before and after.

    Friction that turns a sliding contact around gives a part of what the normal impulse takes: see `losses`.
    """
    driven, motor, taken = whole1(at, P.JOINT_DRIVEN), flag1(at, P.JOINT_MOTOR), np.empty(6)
    for i in range(links):
        for k in range(6):
            taken[k] = -0.5 * total[i, k] * (before[6 * i + k] + after[6 * i + k])
            if i < joints:
                results[P.LOST_JOINTS] += taken[k]
                if motor[i] and k == driven[i]:
                    results[P.LOST_MOTORS] += taken[k]
        if i < joints:
            continue
        slid, spun, rolled = taken[1] + taken[2], taken[3], taken[4] + taken[5]
        results[P.LOST_NORMAL] += taken[0] + min(0.0, slid) + min(0.0, spun) + min(0.0, rolled)
        results[P.LOST_SLIDING] += max(0.0, slid)
        results[P.LOST_SPINNING] += max(0.0, spun)
        results[P.LOST_ROLLING] += max(0.0, rolled)


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
            opens = along(frame[i, 0], arm[i, 1], free[c.body[m, 1]]) - along(
                frame[i, 0], arm[i, 0], free[c.body[m, 0]]
            )
            chosen[m] = (
                not fast or opens <= SMALL * fastest
            )  # with those that open and others that bounce energy could grow
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
        copy2(real2(at, P.COMPLIANCE)[j : j + 1], real2(to, P.COMPLIANCE)[j : j + 1], 1)
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
