"""Stages for laws whose coefficients depend on speed or load: the section that belongs to the solution.  Never raise.

A contact problem is solved for fixed coefficients.  `settle` then looks at which speed and load every contact has got, takes the
coefficients that belong to them, and lets the step be solved once more from where it is, until the residual with the right
coefficients is below the tolerance.  New speeds are not those found but those that the contact alone would have with the new
coefficient, v + W (S(v) - S) r_n = v_found, S the support of the section: steep curves converge, and where several speeds are
possible the one is taken that continues the motion.  What sticks is at speed 0, whatever noise the solver leaves.

The coefficient is that of the mean speed theta v' + (1 - theta) v, so that friction is of the order of the scheme.  Where a
coefficient drops as soon as motion begins, the step in which that happens has a mean of both, see `mean_of_onset`.

Laws in which sliding and spinning share a budget are smooth where both happen: friction turns with the velocity, and at the
velocity of the end it would be of first order.  So while such a contact moves all through the step its law is that of the mean
velocity; the difference is a target of its rows, `centre`.

Rows of the speeds: sliding, spinning, rolling; then, at the beginning of a step, the six impulses of the last one and the six
velocities of the bodies.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.contact.kernels.rigid import relative_velocity
from trundle.kernels.rotations import INNER
from trundle.kernels.search import place_of
from trundle.kernels.space import GO_ON, clear2, flag1, flag2, real1, real2, real3, whole1, whole2
from trundle.laws.kernels.curves import CONTENSOU, UNIFORM
from trundle.laws.kernels.sections import DISK, block_support, section
from trundle.laws.kernels.varying import HERTZ_PATCH, STRIBECK, value_at
from trundle.step.kernels import places as P
from trundle.step.kernels.faces import press
from trundle.step.kernels.patches import patch_radius_of_link
from trundle.step.kernels.solution import measure_free, refresh, residual_at

AT_REST = 1e-6  # of the velocity that gravity gives within a step: speeds of new contacts that count as none
ROUNDS = 60  # solutions of a step at most
CALM_FROM = 20  # rounds from which on speeds change by half as much
SECANTS = 40
ROUNDING = 1e-6  # of the static friction, by which a contact that sticks may have more
SUDDEN = 1.5  # of the static friction: loads that jump further within a step have no onset within it


def take_slip(at):
    """Speeds of the contacts at the beginning of the step: those they ended with, or, for new ones, of the bodies."""
    numbers, options, joints = whole1(at, P.NUMBERS), real1(at, P.OPTIONS), whole2(at, P.JOINT_BODY).shape[0]
    n, known, key = numbers[P.CONTACTS], numbers[P.KNOWN], whole1(at, P.KEY)
    old_key, old, slip, end = (
        whole1(at, P.OLD_KEY)[joints:known],
        real2(at, P.OLD_SLIP),
        real2(at, P.SLIP),
        real2(at, P.SLIP_END),
    )
    found, g, y = end.copy(), real1(at, P.GRAVITY), np.empty(6 * (joints + n))
    still = AT_REST * options[P.H] * math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    none, rows = np.zeros((joints + n, 6)), real2(at, P.IMPULSE)
    relative_velocity(
        whole2(at, P.LINK)[: joints + n], real3(at, P.FRAME), real3(at, P.ARM), real1(at, P.UNITS), none, real2(at, P.START), y
    )  # fmt: skip
    clear2(end, end.shape[0])
    clear2(real2(at, P.CENTRED), end.shape[0])
    solved = whole1(at, P.SOLVED_KEY)[: numbers[P.SOLVED]] if numbers[P.AHEAD] > 0 else whole1(at, P.SOLVED_KEY)[:0]
    for c in range(n):
        i, k = joints + c, place_of(old_key, old_key.shape[0], key[c])
        if k < old_key.shape[0] and old_key[k] == key[c] and old[joints + k, 0] >= 0.0:
            for m in range(3):
                slip[i, m] = old[joints + k, m]
        else:
            slip[i, 0] = math.sqrt(y[6 * i + 1] ** 2 + y[6 * i + 2] ** 2)
            slip[i, 1] = abs(y[6 * i + 3])
            slip[i, 2] = math.sqrt(y[6 * i + 4] ** 2 + y[6 * i + 5] ** 2)
            for m in range(3):
                if slip[i, m] <= still:
                    slip[i, m] = 0.0
        k = place_of(solved, solved.shape[0], key[c])
        if k < solved.shape[0] and solved[k] == key[c]:  # contacts were added to a step that was solved
            for m in range(3):
                end[i, m] = found[joints + k, m]
        for m in range(6):
            slip[i, 3 + m], slip[i, 9 + m] = rows[i, m], y[6 * i + m]
    return GO_ON


@njit(**INNER)
def motion_of(row):
    """Sliding 0, spinning 1 or rolling 2: what the block that begins with a row of a contact is about."""
    return 0 if row < 3 else (1 if row == 3 else 2)


@njit(**INNER)
def put_coefficients(at, c, l, b, k, v, load, scale):
    """Coefficients of the k-th listed block, block b of law l at contact c, at a speed and a load; scale: of lengths."""
    curve, coef, lengths = whole2(at, P.LAW_CURVE), real2(at, P.L_COEF), flag2(at, P.LAW_LENGTHS)
    curves, call, points = real2(at, P.CURVES), whole1(at, P.CURVE_CALL), real2(at, P.CURVE_POINTS)
    for m in range(coef.shape[1]):
        if curve[b, m] >= 0:
            patch = curves[curve[b, m], 0] == HERTZ_PATCH
            value = value_at(
                curves, call, points, curve[b, m], v, load, patch_radius_of_link(at, c) if patch else np.inf
            )
            if patch:
                value /= real1(at, P.FACTORS)[c]  # a length also where others are ratios
            coef[k, m] = value * scale if lengths[b, m] else value


@njit(**INNER)
def norm_of(p, first, size):
    """Norm of some rows."""
    square = 0.0
    for j in range(first, first + size):
        square += p[j] * p[j]
    return math.sqrt(square)


@njit(**INNER)
def varies(at, b):
    """Whether block b of the laws has a coefficient that varies."""
    curve = whole2(at, P.LAW_CURVE)
    for m in range(curve.shape[1]):
        if curve[b, m] >= 0:
            return True
    return False


@njit(**INNER)
def is_flat(at, b, c):
    """Whether a coefficient of block b needs the effective radius of contact c, which has none."""
    curve, curves, radius = whole2(at, P.LAW_CURVE), real2(at, P.CURVES), real2(at, P.RADIUS)
    for m in range(curve.shape[1]):
        if (
            curve[b, m] >= 0
            and curves[curve[b, m], 0] == HERTZ_PATCH
            and radius[c, 0] == np.inf
            and radius[c, 1] == np.inf
        ):
            return True
    return False


def set_coefficients(at):
    """First guess: the speeds at the beginning of the step, and the loads of the last one."""
    numbers, joints, h = whole1(at, P.NUMBERS), whole2(at, P.JOINT_BODY).shape[0], real1(at, P.OPTIONS)[P.H]
    listed, table, law, first = whole1(at, P.LISTED), whole2(at, P.L_TABLE), whole1(at, P.LAW), whole1(at, P.LAW_FIRST)
    block, rows, slip, length = whole2(at, P.L_BLOCK), real2(at, P.IMPULSE), real2(at, P.SLIP), real1(at, P.L_LENGTH)
    factor = real1(at, P.FACTORS)
    numbers[P.ROUNDS] = 0
    for i in range(numbers[P.LISTED_COUNT]):
        c = listed[i] - joints
        if c < 0:
            continue
        for k in range(table[i, 1], table[i + 1, 1]):
            b = first[law[c]] + k - table[i, 1]
            if varies(at, b):
                if is_flat(at, b, c):
                    numbers[P.CULPRIT] = c
                    return P.FLAT
                v = slip[joints + c, motion_of(block[k, 1] - 6 * i)]
                load = rows[joints + c, 0] / h if h > 0.0 else 0.0
                put_coefficients(at, c, law[c], b, k, v, load, factor[c] / length[i])
    return GO_ON


@njit(**INNER)
def slip_of(at, i, k, r, threshold, x, w):
    """Speed of block k of the i-th listed link in the units of the link, 0 if it sticks; w: direction of its friction."""
    block, coef, own, y, p = (
        whole2(at, P.L_BLOCK),
        real2(at, P.L_COEF),
        whole1(at, P.OWN),
        real1(at, P.L_Y),
        real1(at, P.L_P),
    )
    weight, step = real1(at, P.L_WEIGHT), real1(at, P.L_STEP)
    first, size, moved, speed = block[k, 1], block[k, 2], 0.0, 0.0
    for j in range(first, first + size):
        x[j - 6 * i] = p[j] - step[k] * weight[j] * y[j]
        w[j - 6 * i] = -weight[j] * y[j]
        speed += y[j] * y[j]
    section(block, coef, own, k, -6 * i, x, r, x, np.nan)
    for j in range(first, first + size):
        moved = max(moved, abs(p[j] - step[k] * weight[j] * y[j] - x[j - 6 * i]))
    if moved <= threshold * step[k]:
        return 0.0
    if (block[k, 0] == CONTENSOU or block[k, 0] == UNIFORM) and coef[k, 0] > 0.0:  # the mean over the patch
        return block_support(block, coef, own, k, -6 * i, w) / coef[k, 0]
    if first - 6 * i <= 2 and first - 6 * i + size > 3:  # sliding and more in one block: sliding counts
        speed = 0.0
        for j in range(first, 6 * i + 3):
            speed += y[j] * y[j]
    return math.sqrt(speed)


@njit(**INNER)
def speed_alone(at, i, c, l, b, k, r, load, found, begin, unit, scale, w):
    """Speed at which the contact alone would be with the coefficients that belong to it; they are left in the list.

    found: speed with the present coefficients, begin: at the beginning of the step, both in the units of the link.
    """
    block, coef, own, step, theta = (
        whole2(at, P.L_BLOCK), real2(at, P.L_COEF), whole1(at, P.OWN), real1(at, P.L_STEP), real1(at, P.OPTIONS)[P.THETA],
    )  # fmt: skip
    size = 0.0
    for j in range(6):
        size += w[j] * w[j]
    if found == 0.0 or size == 0.0:
        put_coefficients(at, c, l, b, k, (1.0 - theta) * begin / unit, load, scale)
        return 0.0
    gain = r / (step[k] * math.sqrt(size))
    base = block_support(block, coef, own, k, -6 * i, w)
    v, last, last_value, slope = found, 0.0, 0.0, 1.0
    for n in range(SECANTS):
        put_coefficients(at, c, l, b, k, (theta * v + (1.0 - theta) * begin) / unit, load, scale)
        value = v - found + gain * (block_support(block, coef, own, k, -6 * i, w) - base)
        if n > 0 and v != last:
            slope = min(max((value - last_value) / (v - last), 0.2), 5.0)
        last, last_value = v, value
        v = max(v - value / slope, 0.0)
        if abs(v - last) <= 1e-15 * found or (v == 0.0 and last == 0.0):
            break
    put_coefficients(at, c, l, b, k, (theta * v + (1.0 - theta) * begin) / unit, load, scale)
    return v


@njit(**INNER)
def mean_of_onset(static, kinetic, before, now):
    """Mean coefficient of a step in which a contact begins to move, whose coefficient drops from static to kinetic.

    before, now: friction per normal load that holds the contact in the last step and would hold it in this one, at the middle
    of either.  In between it grows linearly, reaches `static` at the time t = share h, from -h/2 to h/2, and motion begins.
    A negative share makes up for what the last step held too long.
    """
    if not before <= (1.0 + ROUNDING) * static < now or now > SUDDEN * static:
        return kinetic
    share = max(static - before, 0.0) / (now - before) - 0.5
    return share * 0.5 * (0.5 * (before + now) + static) + (1.0 - share) * kinetic


@njit(**INNER)
def soften_onset(at, i, b, k, motion, unit, scale):
    """Put the mean coefficient of the onset of motion, for disks that drop at once.

    Two bodies may touch in many points, which share friction as chance has it: what counts is the sum over all of them, and
    the mass that resists to sliding, since bodies do not turn then.
    """
    block, coef, table, listed = whole2(at, P.L_BLOCK), real2(at, P.L_COEF), whole2(at, P.L_TABLE), whole1(at, P.LISTED)
    curves, link, p, y, step = (
        real2(at, P.CURVES),
        whole2(at, P.L_LINK),
        real1(at, P.L_P),
        real1(at, P.L_Y),
        real1(at, P.L_STEP),
    )
    slip, law, joints, place = real2(at, P.SLIP), whole1(at, P.LAW), whole2(at, P.JOINT_BODY).shape[0], k - table[i, 1]
    n, size, row, total = whole2(at, P.LAW_CURVE)[b, 0], block[k, 2], block[k, 1] - 6 * i, np.zeros(4)
    if block[k, 0] != DISK or curves[n, 0] != STRIBECK or curves[n, 3] > 0.0:
        return
    count, load, old_load, speed, j = 0, 0.0, 0.0, 0.0, i
    while j > 0 and link[j - 1, 0] == link[i, 0] and link[j - 1, 1] == link[i, 1] and listed[j - 1] >= joints:
        j -= 1
    while j < whole1(at, P.NUMBERS)[P.LISTED_COUNT] and link[j, 0] == link[i, 0] and link[j, 1] == link[i, 1]:
        c, m = listed[j], table[j, 1] + place
        if p[6 * j] > 0.0 and law[c - joints] == law[listed[i] - joints]:
            if slip[c, motion] > 0.0:
                return
            count += 1
            load += p[6 * j]
            old_load += slip[c, 3]
            speed += norm_of(y, block[m, 1], size)
            for x in range(size):
                total[x] += p[block[m, 1] + x]
                total[2 + x] += slip[c, 3 + row + x] / unit
        j += 1
    factor = scale if flag2(at, P.LAW_LENGTHS)[b, 0] else 1.0
    mass = step[k]
    if count > 1:
        mass = 1.0 / (real1(at, P.INVERSE_MASS)[link[i, 0]] + real1(at, P.INVERSE_MASS)[link[i, 1]])
    if old_load > 0.0 and (count == 1 or motion == 0):
        now = (norm_of(total, 0, size) + mass * speed / count) / load
        coef[k, 0] = mean_of_onset(factor * curves[n, 1], coef[k, 0], norm_of(total, 2, size) / old_load, now)


@njit(**INNER)
def centre(at, i, c, k, found, begin):
    """Let the law of block k of listed link i, contact c, hold at the mean velocity of the step, if it moves all the time.

    Returns whether it does.  Once it does not, it stays with the velocity at the end for this step.
    """
    block, y, length, theta = (
        whole2(at, P.L_BLOCK),
        real1(at, P.L_Y),
        real1(at, P.L_LENGTH),
        real1(at, P.OPTIONS)[P.THETA],
    )
    link, listed_bias, bias = whole2(at, P.JOINT_BODY).shape[0] + c, real2(at, P.L_BIAS), real2(at, P.BIAS)
    centred, slip, same, held = real2(at, P.CENTRED), real2(at, P.SLIP), 0.0, False
    first = block[k, 1] - 6 * i
    for row in range(first, first + block[k, 2]):
        unit = length[i] if row >= 3 else 1.0
        now = y[6 * i + row] - centred[link, row] * unit
        # contacts that move over the bodies have a target already: what their velocity at the beginning has across the middle
        before = unit * (slip[link, 9 + row] - (bias[link, row] - centred[link, row]) * (1.0 - theta) / theta)
        same += now * before
        held = held or centred[link, row] != 0.0
    moves = found > 0.0 and (begin > 0.0 or slip[link, 12] != 0.0) and same > 0.0 and centred[link, 6] == 0.0
    if held and not moves:
        centred[link, 6] = 1.0
    for row in range(first, first + block[k, 2]):
        unit, old = length[i] if row >= 3 else 1.0, centred[link, row]
        now = y[6 * i + row] / unit - old
        before = slip[link, 9 + row] - (bias[link, row] - old) * (1.0 - theta) / theta
        wanted = (1.0 - theta) * (before - now) if moves else 0.0
        listed_bias[i, row] += (wanted - old) * unit
        bias[link, row] += wanted - old
        centred[link, row] = wanted
    return moves


def settle(at):
    """Coefficients that belong to the solution; if it is none with them, the step is solved once more."""
    numbers, options, results = whole1(at, P.NUMBERS), real1(at, P.OPTIONS), real1(at, P.RESULTS)
    joints, h, theta = whole2(at, P.JOINT_BODY).shape[0], options[P.H], options[P.THETA]
    listed, table, law, first = whole1(at, P.LISTED), whole2(at, P.L_TABLE), whole1(at, P.LAW), whole1(at, P.LAW_FIRST)
    block, p, length, factor = whole2(at, P.L_BLOCK), real1(at, P.L_P), real1(at, P.L_LENGTH), real1(at, P.FACTORS)
    slip, end, x, w = real2(at, P.SLIP), real2(at, P.SLIP_END), np.zeros(6), np.zeros(6)
    residual_at(at, results)  # which leaves the velocities of all rows behind
    threshold, centred = 2.0 * (options[P.TOLERANCE] * results[P.Q_SIZE] + results[P.NOISE]), False
    for i in range(numbers[P.LISTED_COUNT]):
        c = listed[i] - joints
        if c < 0:
            continue
        r = max(p[6 * i], 0.0) if table[i, 2] == 1 else 1.0
        for k in range(table[i, 1], table[i + 1, 1]):
            b = first[law[c]] + k - table[i, 1]
            smooth = flag1(at, P.SMOOTH)[law[c]] and (block[k, 0] == CONTENSOU or block[k, 0] == UNIFORM)
            if table[i, 2] == 0 and block[k, 0] == UNIFORM:
                press(at, i, k)
            if r == 0.0 or not (smooth or varies(at, b)):
                continue
            centred = centred or smooth
            for j in range(6):
                x[j], w[j] = 0.0, 0.0
            motion = motion_of(block[k, 1] - 6 * i)
            unit = length[i] if motion > 0 else 1.0
            found = slip_of(at, i, k, r, threshold, x, w)
            begin, scale = slip[joints + c, motion] * unit, factor[c] / length[i]
            end[joints + c, motion] = found / unit
            if smooth and centre(at, i, c, k, found, begin):
                put_coefficients(at, c, law[c], b, k, found / unit, r / h, scale)
                continue
            v = speed_alone(at, i, c, law[c], b, k, r, r / h, found, begin, unit, scale, w)
            if numbers[P.ROUNDS] >= CALM_FROM:
                mean = theta * 0.5 * (v + found) + (1.0 - theta) * begin
                put_coefficients(at, c, law[c], b, k, mean / unit, r / h, scale)
            if v > 0.0 and begin == 0.0:
                soften_onset(at, i, b, k, motion, unit, scale)
    if centred:  # targets are part of the free velocities, to which the residual is relative
        measure_free(at, results)
        refresh(at)
    results[P.RESIDUAL] = residual_at(at, results)
    numbers[P.ROUNDS] += 1
    if results[P.RESIDUAL] <= options[P.TOLERANCE] or numbers[P.ROUNDS] >= ROUNDS:
        return GO_ON
    return -numbers[P.TO_SOLVE] - 1


def keep_slip(at):
    """Speeds at the end, for the next step."""
    numbers, joints, old, end = (
        whole1(at, P.NUMBERS),
        whole2(at, P.JOINT_BODY).shape[0],
        real2(at, P.OLD_SLIP),
        real2(at, P.SLIP_END),
    )
    rows = real2(at, P.IMPULSE)
    for i in range(joints, joints + numbers[P.CONTACTS]):
        for m in range(3):
            old[i, m] = end[i, m] if rows[i, 0] > 0.0 else -1.0  # open: its bodies will tell
    return GO_ON
