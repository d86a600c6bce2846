"""Stages that build the contact problem of a step: joints and contacts, the rows of their laws, lanes.  Never raise.

A link is a joint or a contact: joints come first.  Its six rows are n, t1, t2, s, r1, r2.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.contact.kernels.bodies import build_metric, fill_records, fill_rows, group, pack
from trundle.contact.kernels.rigid import local_metric
from trundle.detect.kernels.contacts import SEARCHES, frame_along, frames, match
from trundle.kernels.rotations import INNER, rotation_matrix
from trundle.kernels.search import place_of
from trundle.kernels.space import GO_ON, clear1, clear2, flag1, flag2, number3, real1, real2, real3, whole1, whole2
from trundle.kinds import HOLLOWS
from trundle.laws.kernels.sections import DISK, SIDE
from trundle.solve.kernels.held import coupling, factorise
from trundle.step.kernels import places as P
from trundle.step.kernels.joints import joint_velocity, place_joints
from trundle.step.kernels.rolling import damp, rim_axes
from trundle.step.kernels.springs import LIMIT

INSIDE = 1.0 - 1e-6  # of its disk: friction that is no larger holds
AXIS_ANGLE = 1e-6  # [rad] to the normal below which the projection of an axis is noise
DRIFT = 0.01  # of the way that bodies fall in a step: gaps of rolling contacts that are left alone, for closing them is a jerk
FOLLOWS = 0.5  # of that way, and of that of the contact until the middle: gaps up to which one that was pressed on is followed
FEW = (
    4  # pressed contacts of a body that rolls on: with more of them it is held, and their errors contradict each other
)
SWINGS = 0.2  # of the change of its velocity until the middle: errors of a contact that rolls on
ROLLS = 1e-6  # of what bodies fall with in a step: changes of the normal velocity within it, below which a contact does not roll
TURNS = 1e-12  # of the angular velocity: changes within a step that are rounding


def link_joints(at):
    """Bodies, frames, arms and targets of the joints, the first links.

    Bodies on a joint move on curves.  A velocity that the joint allows at the beginning has a part across it in the middle,
    and what the joint allows at the end has the opposite one: with it the joint does no work at theta = 1/2 and the motion is
    of second order.  Velocities that the joint does not allow at the beginning are stopped.
    """
    options = real1(at, P.OPTIONS)
    body, link, frame, arm, bias = (
        whole2(at, P.JOINT_BODY),
        whole2(at, P.LINK),
        real3(at, P.FRAME),
        real3(at, P.ARM),
        real2(at, P.BIAS),
    )
    compliance = real2(at, P.COMPLIANCE)
    axes, point, middle = real3(at, P.JOINT_FRAME), real2(at, P.JOINT_POINT), real2(at, P.MIDDLE)
    held, driven, speed = flag2(at, P.JOINT_HELD), whole1(at, P.JOINT_DRIVEN), real1(at, P.JOINT_SPEED)
    anchor, own_axes, distance = real2(at, P.JOINT_ANCHOR), real3(at, P.JOINT_AXES), real1(at, P.JOINT_DISTANCE)
    turns = options[P.THETA] < 1.0
    factor = options[P.THETA] / (1.0 - options[P.THETA]) if turns else 0.0
    clear2(bias, body.shape[0])
    if turns:
        position, velocity, turning = real2(at, P.POSITION), real2(at, P.VELOCITY), real2(at, P.ANGULAR_VELOCITY)
        begin = np.empty((velocity.shape[0], 6))
        begin[:, :3] = velocity
        begin[:, 3:] = turning
        place_joints(body, anchor, own_axes, distance, position, real2(at, P.ORIENTATION), axes, point)
        for j in range(body.shape[0]):
            joint_velocity(body, axes, point, position, begin, j, bias[j])
            for k in range(6):
                bias[j, k] = -bias[j, k]
    place_joints(body, anchor, own_axes, distance, middle, real2(at, P.TURNED), axes, point)
    for j in range(body.shape[0]):
        if turns:
            joint_velocity(body, axes, point, middle, real2(at, P.START), j, bias[j])
        for k in range(6):
            bias[j, k] = factor * bias[j, k] if held[j, k] else 0.0
            compliance[j, k] = 0.0
        if driven[j] >= 0:
            bias[j, driven[j]] = -speed[j]
        for side in range(2):
            link[j, side] = body[j, side]
            for k in range(3):
                arm[j, side, k] = point[2 * j + 1, k] - middle[body[j, side], k]
        for i in range(3):
            for k in range(3):
                frame[j, i, k] = axes[2 * j, i, k]
                frame[j, 3 + i, k] = axes[2 * j, i, k]
    return GO_ON


@njit(**INNER)
def along_axis(owner, axis, l, orientation, nx, ny, nz, Q):
    """Projection onto the tangent plane of the axis that law l follows, fixed to the body `owner`; 0 where it is noise."""
    rotation_matrix(orientation, owner, Q)
    x, y, z = axis[l, 0], axis[l, 1], axis[l, 2]
    dx = Q[0, 0] * x + Q[0, 1] * y + Q[0, 2] * z
    dy = Q[1, 0] * x + Q[1, 1] * y + Q[1, 2] * z
    dz = Q[2, 0] * x + Q[2, 1] * y + Q[2, 2] * z
    along = nx * dx + ny * dy + nz * dz
    tx, ty, tz = dx - along * nx, dy - along * ny, dz - along * nz
    if tx * tx + ty * ty + tz * tz <= AXIS_ANGLE * AXIS_ANGLE:
        return 0.0, 0.0, 0.0
    return tx, ty, tz


def link_contacts(at):
    """Frames and arms of the contacts, the links after the joints; bias of their normal rows."""
    numbers, options = whole1(at, P.NUMBERS), real1(at, P.OPTIONS)
    n, joints = numbers[P.CONTACTS], whole2(at, P.JOINT_BODY).shape[0]
    body, point, normal, gap, law = (
        whole2(at, P.BODY),
        real2(at, P.POINT),
        real2(at, P.NORMAL),
        real1(at, P.GAP),
        whole1(at, P.LAW),
    )
    link, frame, arm, bias, found = (
        whole2(at, P.LINK),
        real3(at, P.FRAME),
        real3(at, P.ARM),
        real2(at, P.BIAS),
        real3(at, P.FRAMES),
    )
    compliance, middle = real2(at, P.COMPLIANCE), real2(at, P.MIDDLE)
    axis_of, axis, turned = whole1(at, P.AXIS_OF), real2(at, P.AXIS), real2(at, P.TURNED)
    h, closed = options[P.H], options[P.CLOSED_GAP]
    frames(normal[:n], found)
    Q = np.empty((3, 3))
    for c in range(n):
        i = joints + c
        if axis_of[law[c]] >= 0:
            nx, ny, nz = normal[c, 0], normal[c, 1], normal[c, 2]
            tx, ty, tz = along_axis(axis_of[law[c]], axis, law[c], turned, nx, ny, nz, Q)
            if tx == 0.0 and ty == 0.0 and tz == 0.0:
                numbers[P.CULPRIT] = c
                return P.NO_AXIS
            frame_along(nx, ny, nz, tx, ty, tz, found[c])
        for k in range(3):
            for m in range(3):
                frame[i, k, m] = found[c, k, m]
                frame[i, 3 + k, m] = found[c, k, m]
        for side in range(2):
            b = body[c, side]
            link[i, side] = b
            for k in range(3):
                arm[i, side, k] = point[c, k] - middle[b, k]
        for k in range(6):
            bias[i, k] = 0.0
            compliance[i, k] = 0.0
        bias[i, 0] = max(gap[c] - closed, 0.0) / h  # an open contact may close, but not more
    return GO_ON


def take_over(at):
    """Impulses that links had in the last step, for those that are still there."""
    numbers, joints = whole1(at, P.NUMBERS), whole2(at, P.JOINT_BODY).shape[0]
    n, known, rows = numbers[P.CONTACTS], numbers[P.KNOWN], real2(at, P.IMPULSE)
    old = real2(at, P.OLD_IMPULSE)
    for j in range(joints):
        for k in range(6):
            rows[j, k] = old[j, k] if known >= joints else 0.0
    match(whole1(at, P.KEY)[:n], whole1(at, P.OLD_KEY)[joints:known], old[joints:known], rows[joints : joints + n])
    return GO_ON


def take_over_moved(at):
    """Impulses of contacts with a new identity, where one contact of two bodies is gone and one has come: springs remember.

    A corner that slides from one triangle to the next has another identity there, and so has the lowest point of a rim.
    """
    numbers, joints = whole1(at, P.NUMBERS), whole2(at, P.JOINT_BODY).shape[0]
    n, known, features, rows = numbers[P.CONTACTS], numbers[P.KNOWN], numbers[P.FEATURES], real2(at, P.IMPULSE)
    key, old_key, old = whole1(at, P.KEY)[:n], whole1(at, P.OLD_KEY)[joints:known], real2(at, P.OLD_IMPULSE)
    c, k = 0, 0
    while c < n:
        pair, come, gone, new, last = key[c] // features, 0, 0, -1, -1
        while k < old_key.shape[0] and old_key[k] // features < pair:
            k += 1
        while c < n and key[c] // features == pair:
            m = place_of(old_key, old_key.shape[0], key[c])
            if m >= old_key.shape[0] or old_key[m] != key[c]:
                come, new = come + 1, c
            c += 1
        while k < old_key.shape[0] and old_key[k] // features == pair:
            m = place_of(key, key.shape[0], old_key[k])
            if old[joints + k, 0] > 0.0 and (m >= n or key[m] != old_key[k]):
                gone, last = gone + 1, k
            k += 1
        if come == 1 and gone == 1:
            for i in range(6):
                rows[joints + new, i] = old[joints + last, i]
    return GO_ON


def spring_contacts(at):
    """Compliance E = 1 / (k h^2) of the contacts, and the bias of their rows.

    The normal spring is as long as the gap.  Those of friction remember their deflection as the impulse that they carried:
    u = -E (p' - p), so that what sticks does not creep.

    Where stiffness follows from elastic data, that of forces goes with the patch radius, R^(1/3), and that of spinning with its
    cube.  A spring with the slope of Hertz' law at the load N0 goes through N0 if it begins at the depth N0 / (2 k_n).
    """
    h, n, joints = real1(at, P.OPTIONS)[P.H], whole1(at, P.NUMBERS)[P.CONTACTS], whole2(at, P.JOINT_BODY).shape[0]
    gap, law, stiffness = real1(at, P.GAP), whole1(at, P.LAW), real2(at, P.STIFFNESS)
    bias, compliance, rows = real2(at, P.BIAS), real2(at, P.COMPLIANCE), real2(at, P.IMPULSE)
    load, radius = real1(at, P.ELASTIC_LOAD), real2(at, P.RADIUS)
    for c in range(n):
        i, patch, begin = joints + c, 1.0, 0.0
        if load[law[c]] > 0.0:
            bend = 1.0 / radius[c, 0] + 1.0 / radius[c, 1]
            if not 0.0 < bend < np.inf:
                whole1(at, P.NUMBERS)[P.CULPRIT] = c
                return P.FLAT
            patch = bend ** (-1.0 / 3.0)
            begin = 0.5 * load[law[c]] / (patch * stiffness[law[c], 0])
        for k in range(6):
            part = 0 if k == 0 else (1 if k < 3 else (2 if k == 3 else 3))
            scale = patch if part < 2 else patch**3
            compliance[i, k] = 1.0 / (scale * stiffness[law[c], part] * h * h)
            if k > 0:
                bias[i, k] = -compliance[i, k] * rows[i, k]
        if stiffness[law[c], 0] < np.inf:
            bias[i, 0] = (gap[c] + begin) / h
    return GO_ON


def measure_lengths(at):
    """Lengths among the coefficients of laws that are ratios to the size of the bodies, see `Model.equivalent_radius`."""
    law, ratio, radius, factor = whole1(at, P.LAW), flag1(at, P.RATIO), real1(at, P.EQUIVALENT), real1(at, P.FACTORS)
    body = whole2(at, P.BODY)
    for c in range(whole1(at, P.NUMBERS)[P.CONTACTS]):
        factor[c] = 1.0
        if ratio[law[c]]:
            factor[c] = 1.0 / (1.0 / radius[body[c, 0]] + 1.0 / radius[body[c, 1]])
    return GO_ON


def roll_on_rims(at):
    """Axes of the rolling moments of contacts with contour friction."""
    numbers, options = whole1(at, P.NUMBERS), real1(at, P.OPTIONS)
    n, joints, key, feature = (
        numbers[P.CONTACTS],
        whole2(at, P.JOINT_BODY).shape[0],
        whole1(at, P.KEY),
        whole1(at, P.FEATURE),
    )
    for c in range(n):
        feature[c] = key[c] % numbers[P.FEATURES] % (numbers[P.FEATURES] // SEARCHES)
    bad = rim_axes(
        whole1(at, P.KIND), real2(at, P.PARAMETERS), real2(at, P.TURNED), whole1(at, P.LAW)[:n], flag1(at, P.CONTOUR),
        whole2(at, P.BODY),
        real2(at, P.NORMAL), real1(at, P.GAP), real2(at, P.RADIUS), feature, options[P.ROLLING_CLOSED],
        real3(at, P.FRAME)[joints:],
    )  # fmt: skip
    numbers[P.CULPRIT] = bad
    return P.NO_RIM if bad >= 0 else GO_ON


def damp_rolling(at):
    """Viscous rolling of all contacts that touch, in the inverse inertia and the free velocities."""
    numbers, options = whole1(at, P.NUMBERS), real1(at, P.OPTIONS)
    n, joints = numbers[P.CONTACTS], whole2(at, P.JOINT_BODY).shape[0]
    gap, rows, touching = real1(at, P.GAP), real2(at, P.IMPULSE), flag1(at, P.TOUCHING)
    for c in range(n):
        touching[c] = gap[c] <= options[P.ROLLING_CLOSED] or rows[joints + c, 0] > 0.0
    damp(
        real1(at, P.VISCOSITY), options[P.H], whole1(at, P.LAW)[:n], whole2(at, P.BODY), real3(at, P.FRAME)[joints:],
        touching,
        real1(at, P.INVERSE_MASS), real3(at, P.WORLD), real2(at, P.FREE), real2(at, P.DAMPED),
    )  # fmt: skip
    return GO_ON


@njit(**INNER)
def is_stuck(rows, mu, part):
    """Whether a contact with impulses rows (6,) neither slides (part 0), spins (1) nor rolls (2): it is inside of its disk."""
    size = abs(rows[3])
    if part != 1:
        first = 1 if part == 0 else 4
        size = math.sqrt(rows[first] * rows[first] + rows[first + 1] * rows[first + 1])
    return size < INSIDE * mu * rows[0]


@njit(**INNER)
def norm3(x):
    return math.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])


def note_stuck(at):
    """Which contacts have stuck in the last step, before its impulses are lost: see `losses`."""
    n, joints, law = whole1(at, P.NUMBERS)[P.CONTACTS], whole2(at, P.JOINT_BODY).shape[0], whole1(at, P.LAW)
    rows, disks, factor, stuck = real2(at, P.IMPULSE), real2(at, P.DISKS), real1(at, P.FACTORS), flag2(at, P.STUCK)
    for c in range(n):
        for part in range(3):
            mu = disks[law[c], part] * (factor[c] if part else 1.0)
            stuck[c, part] = flag1(at, P.IN_LANES)[law[c]] and is_stuck(rows[joints + c], mu, part)
    return GO_ON


@njit(**INNER)
def kicked(at, i):
    """Whether impacts have changed the velocity of body i within this step."""
    kick = real2(at, P.KICK)[i]
    return kick[0] != 0.0 or kick[1] != 0.0 or kick[2] != 0.0 or kick[3] != 0.0 or kick[4] != 0.0 or kick[5] != 0.0


@njit(**INNER)
def way_of_drift(at, moved):
    """Gap [m] at the beginning of a step up to which a contact that was pressed on in the last one is followed.

    moved [m]: what its gap changes by until the middle.
    """
    g, h = real1(at, P.GRAVITY), real1(at, P.OPTIONS)[P.H]
    return FOLLOWS * max(h * h * math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]), abs(moved))


@njit(**INNER)
def change_of_velocity(at, body, arm, begin_arm, u, d):
    """Velocity u (3,) of a contact at the beginning, and its change d (3,) until the middle as its point moves on."""
    start, velocity, turning = real2(at, P.START), real2(at, P.VELOCITY), real2(at, P.ANGULAR_VELOCITY)
    clear1(d)
    clear1(u)
    for side in range(2):
        b, sign, now, begin = body[side], -1.0 if side == 0 else 1.0, arm[side], begin_arm[side]
        v, w = start[b], turning[b]
        x = velocity[b, 0] + w[1] * begin[2] - w[2] * begin[1]
        y = velocity[b, 1] + w[2] * begin[0] - w[0] * begin[2]
        z = velocity[b, 2] + w[0] * begin[1] - w[1] * begin[0]
        u[0], u[1], u[2] = u[0] + sign * x, u[1] + sign * y, u[2] + sign * z
        d[0] += sign * (v[0] + v[4] * now[2] - v[5] * now[1] - x)
        d[1] += sign * (v[1] + v[5] * now[0] - v[3] * now[2] - y)
        d[2] += sign * (v[2] + v[3] * now[1] - v[4] * now[0] - z)


@njit(**INNER)
def count_pressed(at, pressed):
    """How many contacts of each body that can be pushed were pressed on in the last step."""
    body, rows, joints = whole2(at, P.BODY), real2(at, P.IMPULSE), whole2(at, P.JOINT_BODY).shape[0]
    inverse_mass = real1(at, P.INVERSE_MASS)
    for c in range(whole1(at, P.NUMBERS)[P.CONTACTS]):
        for side in range(2):
            if rows[joints + c, 0] > 0.0 and inverse_mass[body[c, side]] > 0.0:
                pressed[body[c, side]] += 1


@njit(**INNER)
def swing_on(frame, d, u, sticks, stilled, least):
    """Add to the change d (3,) of a contact's velocity until the middle what is left of a step's error u at its beginning.

    A contact that rolls on keeps its condition up to second order only.  To stop that velocity would take its work from the
    motion, in every step; turned around, it does none.  A share of it is `stilled` all the same, or it would swing for ever.
    Faster ones are no error of this kind, and are stopped; so are all where the change is less than `least`, as at rest, where
    noise would set targets to redundant contacts that contradict each other.
    """
    size = norm3(d)
    if size < least:
        return
    for m in range(3 if sticks else 1):
        along = frame[m, 0] * u[0] + frame[m, 1] * u[1] + frame[m, 2] * u[2]
        if abs(along) <= SWINGS * size:
            for k in range(3):
                d[k] += (1.0 - stilled) * along * frame[m, k]


def follow_contacts(at):
    """Targets of closed contacts whose points move over the bodies; see docs/time-stepping.md.

    As for joints: what a contact allows at the beginning has a part across it in the middle, and the target is the opposite.
    The gap in the middle belongs to that motion; the gap at the beginning may close.

    On a hollow wall the normal turns, too.  There a contact that is pressed on keeps a gap and a velocity of second order,
    h^2 v^2 / 8 R and h^2 a v / 4 R, which are left alone.
    """
    numbers, options, joints = whole1(at, P.NUMBERS), real1(at, P.OPTIONS), whole2(at, P.JOINT_BODY).shape[0]
    body, arm, frame, bias = whole2(at, P.BODY), real3(at, P.ARM), real3(at, P.FRAME), real2(at, P.BIAS)
    key, begin_key = whole1(at, P.KEY), whole1(at, P.BEGIN_KEY)[: numbers[P.BEGIN_COUNT]]
    begin_arm, begin_gap, followed = real3(at, P.BEGIN_ARM), real1(at, P.BEGIN_GAP), flag1(at, P.FOLLOWED)
    begin_velocity, gap = real2(at, P.BEGIN_VELOCITY), real1(at, P.GAP)
    law, disks = whole1(at, P.LAW), real2(at, P.DISKS)
    kind, rows, inverse_mass, begin_normal = (
        whole1(at, P.KIND),
        real2(at, P.IMPULSE),
        real1(at, P.INVERSE_MASS),
        real2(at, P.BEGIN_NORMAL),
    )
    start, turning, g = real2(at, P.START), real2(at, P.ANGULAR_VELOCITY), real1(at, P.GRAVITY)
    h, factor = options[P.H], options[P.THETA] / (1.0 - options[P.THETA])
    slow = h * math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])  # what bodies at rest fall with
    d, u, turn_by, w, calm = np.empty(3), np.empty(3), np.empty(3), np.empty(3), numbers[P.IMPACTS] == 0
    pressed = np.zeros(inverse_mass.shape[0], np.int64)
    count_pressed(at, pressed)
    for c in range(numbers[P.CONTACTS]):
        i, k = joints + c, place_of(begin_key, begin_key.shape[0], key[c])
        wall, within = HOLLOWS[0] <= kind[body[c, 0]] <= HOLLOWS[3], options[P.CLOSED_GAP]
        gain = slow + rows[i, 0] * (inverse_mass[body[c, 0]] + inverse_mass[body[c, 1]])
        if wall and rows[i, 0] > 0.0:
            within = max(within, h * gain)
        drift = DRIFT * h * slow if rows[i, 0] > 0.0 and not wall else 0.0
        closed = drift + max(within, options[P.ROLLING_CLOSED])
        followed[c] = k < begin_key.shape[0] and begin_key[k] == key[c]
        rolls = calm and rows[i, 0] > 0.0 and max(pressed[body[c, 0]], pressed[body[c, 1]]) <= FEW
        if followed[c] and rolls:
            closed = max(closed, way_of_drift(at, begin_gap[k] - gap[c]))
        followed[c] = followed[c] and begin_gap[k] <= closed
        if followed[c] and not calm:  # they bend the motion that a target follows
            followed[c] = not (kicked(at, body[c, 0]) or kicked(at, body[c, 1]))
        if not followed[c]:
            continue
        clear1(turn_by)
        clear1(w)
        closing, turned = 0.0, 0.0
        change_of_velocity(at, body[c], arm[i], begin_arm[k], u, d)
        for m in range(3):
            closing -= frame[i, 0, m] * u[m]
            turned += begin_normal[k, m] * u[m]
            for side in range(2):
                b, sign = body[c, side], -1.0 if side == 0 else 1.0
                turn_by[m] += sign * (start[b, 3 + m] - turning[b, m])
                w[m] += sign * turning[b, m]
        for m in range(6):
            moves = u if m < 3 else w
            begin_velocity[c, m] = frame[i, m, 0] * moves[0] + frame[i, m, 1] * moves[1] + frame[i, m, 2] * moves[2]
        if wall and rows[i, 0] > 0.0:
            turn = 0.0
            for m in range(3):
                turn += (frame[i, 0, m] - begin_normal[k, m]) ** 2
            tiny = 2.0 * gain * math.sqrt(turn)
            if abs(turned) <= tiny:
                turned = 0.0
            if math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) <= tiny:
                closing, d[0], d[1], d[2] = 0.0, d[0] + u[0], d[1] + u[1], d[2] + u[2]
        if rolls and not wall:
            swing_on(frame[i], d, u, is_stuck(rows[i], disks[law[c], 0], 0), options[P.STILLED], ROLLS * slow)
        for m in range(3):
            target = factor * (frame[i, m, 0] * d[0] + frame[i, m, 1] * d[1] + frame[i, m, 2] * d[2])
            if m > 0:
                bias[i, m] += target
            elif bias[i, 0] == 0.0 or (bias[i, 0] > 0.0 and calm):  # impacts have set targets of their own
                if wall:  # (H_middle - H_begin) v with the normals of both
                    target -= factor * (closing + turned)
                if abs(target) > ROLLS * slow:
                    within = max(within, drift)
                bias[i, 0] = target + max(begin_gap[k] - within, 0.0) / h
        # a body that turns about a principal axis goes on as it does, up to rounding
        if norm3(turn_by) > TURNS * norm3(w):
            for m in range(3, 6):
                bias[i, m] += factor * (
                    frame[i, m, 0] * turn_by[0] + frame[i, m, 1] * turn_by[1] + frame[i, m, 2] * turn_by[2]
                )
        followed[c] = abs(turned if wall else closing) <= slow  # it neither hits nor leaves
    return GO_ON


def hold_joints(at):
    """Factor of the rows that joints hold, and the length that scales the moments of each joint."""
    held, link, frame, arm = whole2(at, P.HELD), whole2(at, P.LINK), real3(at, P.FRAME), real3(at, P.ARM)
    inverse_mass, J, length = real1(at, P.INVERSE_MASS), real3(at, P.WORLD), real1(at, P.JOINT_LENGTH)
    diagonal, uses = real1(at, P.HELD_DIAGONAL), flag2(at, P.JOINT_USES)
    factorise(
        held, whole1(at, P.HELD_FIRST), link, frame, arm, inverse_mass, J, real2(at, P.COMPLIANCE), real1(at, P.FACTOR), diagonal
    )  # fmt: skip
    for j in range(length.shape[0]):
        forces, moments, nf, nm = 0.0, 0.0, 0, 0
        for k in range(6):
            if uses[j, k]:
                entry = coupling(link, frame, arm, inverse_mass, J, j, k, j, k)
                if k < 3:
                    forces += entry
                    nf += 1
                else:
                    moments += entry
                    nm += 1
        length[j] = 1.0
        if nm > 0 and nf > 0 and moments > 0.0 and forces > 0.0:
            length[j] = math.sqrt((forces / nf) / (moments / nm))
    return GO_ON


def list_joints(at):
    """Rows of joints that have a bound: motors and servos with a largest force, dry friction, limits; listed first."""
    numbers = whole1(at, P.NUMBERS)
    driven, limit, listed = whole1(at, P.JOINT_DRIVEN), real1(at, P.JOINT_LIMIT), whole1(at, P.LISTED)
    count = 0
    for j in range(driven.shape[0]):
        if driven[j] >= 0 and limit[j] < np.inf:
            listed[count] = j
            count += 1
    numbers[P.LISTED_COUNT] = count
    return GO_ON


def fill_lanes(at):
    """Groups of eight contacts whose laws are made of disks; the others are listed, after the joints."""
    numbers, options = whole1(at, P.NUMBERS), real1(at, P.OPTIONS)
    n, joints = numbers[P.CONTACTS], whole2(at, P.JOINT_BODY).shape[0]
    body, law, place, inverse_mass = (
        whole2(at, P.BODY),
        whole1(at, P.LAW),
        whole1(at, P.PLACE),
        real1(at, P.INVERSE_MASS),
    )
    lane_body, record, v, J_rows = number3(at, P.LANE_BODY), real3(at, P.RECORDS), real2(at, P.V), real2(at, P.J_ROWS)
    fill_rows(real2(at, P.FREE), inverse_mass, real3(at, P.WORLD), v, J_rows)
    groups, others = group(
        n, joints, body, inverse_mass, flag1(at, P.IN_LANES), law, real2(at, P.IMPULSE), whole1(at, P.TAKEN),
        whole1(at, P.FILLED), place,
        whole1(at, P.LISTED)[numbers[P.LISTED_COUNT] :],
    )  # fmt: skip
    numbers[P.GROUPS] = groups
    numbers[P.LISTED_COUNT] += others
    fill_records(
        n, joints, groups, place, body, flag1(at, P.MOVES), real3(at, P.FRAME), real3(at, P.ARM), real2(at, P.BIAS), law,
        real2(at, P.DISKS), flag2(at, P.PARTS), real1(at, P.FACTORS), lane_body, record,
    )  # fmt: skip
    build_metric(groups, lane_body, record, v, J_rows, options[P.RELAXED] != 0.0)
    pack(n, joints, groups, place, real2(at, P.IMPULSE), real3(at, P.LANE_P))
    return GO_ON


def fill_list(at):
    """The table of the listed links, in scaled units: blocks of laws, metric, impulses."""
    numbers = whole1(at, P.NUMBERS)
    joints, listed, count = whole2(at, P.JOINT_BODY).shape[0], whole1(at, P.LISTED), numbers[P.LISTED_COUNT]
    link, frame, arm, law, factor = (
        whole2(at, P.LINK),
        real3(at, P.FRAME),
        real3(at, P.ARM),
        whole1(at, P.LAW),
        real1(at, P.FACTORS),
    )
    bias, compliance, rows = real2(at, P.BIAS), real2(at, P.COMPLIANCE), real2(at, P.IMPULSE)
    l_link, l_frame, l_arm, l_bias = whole2(at, P.L_LINK), real3(at, P.L_FRAME), real3(at, P.L_ARM), real2(at, P.L_BIAS)
    l_compliance, uses, table, block = (
        real2(at, P.L_COMPLIANCE),
        flag2(at, P.L_USES),
        whole2(at, P.L_TABLE),
        whole2(at, P.L_BLOCK),
    )
    coef, lengths, weight, p = real2(at, P.L_COEF), flag2(at, P.L_LENGTHS), real1(at, P.L_WEIGHT), real1(at, P.L_P)
    law_first, law_count, law_block, law_coef = (
        whole1(at, P.LAW_FIRST),
        whole1(at, P.LAW_COUNT),
        whole2(at, P.LAW_BLOCK),
        real2(at, P.LAW_COEF),
    )
    law_lengths, law_weight, law_uses, plain = (
        flag2(at, P.LAW_LENGTHS),
        real2(at, P.LAW_WEIGHT),
        flag2(at, P.LAW_USES),
        whole1(at, P.LAW_PLAIN),
    )
    role = whole1(at, P.JOINT_ROLE)
    joint_uses, driven, limit, h = (
        flag2(at, P.JOINT_USES),
        whole1(at, P.JOINT_DRIVEN),
        real1(at, P.JOINT_LIMIT),
        real1(at, P.OPTIONS)[P.H],
    )
    total = 0
    for i in range(count):
        c = listed[i]
        for k in range(2):
            l_link[i, k] = link[c, k]
            for m in range(3):
                l_arm[i, k, m] = arm[c, k, m]
        for k in range(6):
            l_bias[i, k] = bias[c, k]
            l_compliance[i, k] = compliance[c, k]
            for m in range(3):
                l_frame[i, k, m] = frame[c, k, m]
        table[i, 0], table[i, 1] = 6 * i, total
        if c < joints:
            table[i, 2], table[i, 3] = 0, 0
            for k in range(6):
                uses[i, k] = joint_uses[c, k]
                weight[6 * i + k] = 1.0
            side = role[c] == LIMIT
            block[total, 0], block[total, 1] = SIDE if side else DISK, 6 * i + driven[c]
            block[total, 2], block[total, 3] = 1, 0
            for k in range(coef.shape[1]):
                coef[total, k] = 0.0
                lengths[total, k] = False
            # bounded forces, and limits, carry nothing in an impact, where h = 0
            coef[total, 0] = (1.0 if h > 0.0 else 0.0) if side else h * limit[c]
            lengths[total, 0] = driven[c] >= 3 and not side
            total += 1
            continue
        l = law[c - joints]
        table[i, 2], table[i, 3] = 1, plain[l]
        for k in range(6):
            uses[i, k] = law_uses[l, k]
            weight[6 * i + k] = law_weight[l, k]
        for b in range(law_first[l], law_first[l] + law_count[l]):
            for k in range(4):
                block[total, k] = law_block[b, k]
            block[total, 1] += 6 * i
            for k in range(coef.shape[1]):
                lengths[total, k] = law_lengths[b, k]
                coef[total, k] = law_coef[b, k] * (factor[c - joints] if law_lengths[b, k] else 1.0)
            total += 1
    table[count, 0], table[count, 1], table[count, 2], table[count, 3] = 6 * count, total, 0, 0
    length = real1(at, P.L_LENGTH)
    local_metric(
        table[: count + 1], block, uses, l_frame, l_arm, real1(at, P.INVERSE_MASS), real3(at, P.WORLD), l_link[:count],
        l_compliance, weight, length, real1(at, P.L_RHO), real1(at, P.L_W_NN), real1(at, P.L_STEP),
    )  # fmt: skip
    for i in range(count):
        c = listed[i]
        for k in range(6):
            unit = length[i] if k >= 3 else 1.0
            l_bias[i, k] *= unit
            l_compliance[i, k] *= unit * unit
            p[6 * i + k] = rows[c, k] / unit if c >= joints or k == driven[c] else 0.0
        for b in range(table[i, 1], table[i + 1, 1]):
            for k in range(coef.shape[1]):
                if lengths[b, k]:
                    coef[b, k] /= length[i]
    return GO_ON
