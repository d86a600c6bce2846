"""Stages of a step after its contact problem is solved: the rest of the way, position correction, account.  Never raise."""

from __future__ import annotations

import numpy as np
from numba import njit

from trundle.contact.kernels.rigid import part_bodies, relative_velocity, work_on
from trundle.kernels.rotations import INNER, rotate_by, rotation_matrix
from trundle.kernels.space import GO_ON, clear1, clear2, copy2, flag1, flag2, real1, real2, real3, whole1, whole2
from trundle.solve.kernels.held import substitute
from trundle.step.kernels import places as P
from trundle.step.kernels.assemble import is_stuck
from trundle.step.kernels.held import push_held
from trundle.step.kernels.joints import joint_errors, place_joints
from trundle.step.kernels.motion import (
    angular_momentum,
    angular_velocity,
    finish,
    kinetic_energy,
    mean_of,
    midpoint_end,
    potential_energy,
    rotate_between,
    world_inverse_inertia,
)
from trundle.step.kernels.passed import may_have_passed
from trundle.step.kernels.rolling import damping_loss
from trundle.step.kernels.springs import SPRING

DRIFT_SHARE = 0.2  # of the penetration beyond the margin that is taken back in one step
DRIFT_SWEEPS, EXACT_SWEEPS = 5, 20  # the latter where joints must stay closed, or bodies got deep within the step
CLOSINGS, JOINT_CLOSED = 4, 1e-12  # rounds at most in which joints are closed; errors [m, rad] that are left alone
PARTS = (P.S_SLIDING, P.S_SPINNING, P.S_ROLLING)  # columns of the ledger, in the order of a disk's radii
FAST = 0.25  # way within a step, relative to the smallest body, from which on it may have passed through another


def take_means(at):
    """Mean velocities of the step (B, 6), and what viscous rolling took."""
    if not mean_of(real2(at, P.START), real2(at, P.V), real2(at, P.MEAN)):
        return P.NOT_FINITE
    return GO_ON


def take_viscous_loss(at):
    """Energy that viscous rolling took."""
    n, joints = whole1(at, P.NUMBERS)[P.CONTACTS], whole2(at, P.JOINT_BODY).shape[0]
    real1(at, P.RESULTS)[P.VISCOUS] = damping_loss(
        real1(at, P.VISCOSITY), real1(at, P.OPTIONS)[P.H], whole1(at, P.LAW)[:n], whole2(at, P.BODY), real3(at, P.FRAME)[joints:],
        flag1(at, P.TOUCHING), real1(at, P.INVERSE_MASS), real2(at, P.DAMPED), real2(at, P.MEAN), real2(at, P.V),
    )  # fmt: skip
    return GO_ON


def arrive(at):
    """Positions and velocities at the end; rotations go the whole way at their mean."""
    options, end, start = real1(at, P.OPTIONS), real2(at, P.V), real2(at, P.START)
    turning = real2(at, P.ANGULAR_VELOCITY)
    finish(
        flag1(at, P.MOVES),
        real2(at, P.MIDDLE),
        options[P.THETA] * options[P.H],
        end,
        real2(at, P.POSITION),
        real2(at, P.VELOCITY),
        turning,
    )
    rotate_between(flag1(at, P.MOVES), options[P.THETA], start, end, options[P.H], real2(at, P.ORIENTATION))
    return GO_ON


def keep_momentum_again(at):
    """Angular momentum is kept from the middle to the end."""
    inverse_mass, momentum, end = real1(at, P.INVERSE_MASS), real2(at, P.MOMENTUM), np.empty_like(real2(at, P.START))
    turning = real2(at, P.ANGULAR_VELOCITY)
    angular_momentum(inverse_mass, real3(at, P.INERTIA), real2(at, P.TURNED), turning, momentum)
    # the inverse inertia of the middle is still needed
    world = np.empty_like(real3(at, P.WORLD))
    world_inverse_inertia(real2(at, P.ORIENTATION), real3(at, P.INVERSE_INERTIA), flag1(at, P.ROUND), world)
    angular_velocity(inverse_mass, world, momentum, end)
    for i in range(turning.shape[0]):
        if inverse_mass[i] > 0.0:
            for k in range(3):
                turning[i, k] = end[i, 3 + k]
    return GO_ON


def arrive_from_midpoint(at):
    """Instead of `arrive`: straight steps of the quaternion, le Saux et al. (2005), (3.4)."""
    options, end, start = real1(at, P.OPTIONS), real2(at, P.V), real2(at, P.START)
    turning, orientation = real2(at, P.ANGULAR_VELOCITY), real2(at, P.ORIENTATION)
    finish(
        flag1(at, P.MOVES),
        real2(at, P.MIDDLE),
        options[P.THETA] * options[P.H],
        end,
        real2(at, P.POSITION),
        real2(at, P.VELOCITY),
        turning,
    )
    rotate_between(flag1(at, P.PRESCRIBED), options[P.THETA], start, end, options[P.H], orientation)
    midpoint_end(flag1(at, P.CAN_BE_PUSHED), options[P.H], real2(at, P.TURNED), end, orientation, turning)
    return GO_ON


def remember(at):
    """Keys and impulses of the links, for the next step."""
    numbers, joints = whole1(at, P.NUMBERS), whole2(at, P.JOINT_BODY).shape[0]
    key, old_key, links = whole1(at, P.KEY), whole1(at, P.OLD_KEY), joints + numbers[P.CONTACTS]
    for i in range(links):
        old_key[i] = i - joints if i < joints else key[i - joints]
    copy2(real2(at, P.IMPULSE), real2(at, P.OLD_IMPULSE), links)
    numbers[P.KNOWN] = links
    return GO_ON


@njit(**INNER)
def move_by(shift, position, orientation):
    """Move and turn bodies by shift (B, 6) [m, rad]."""
    for i in range(position.shape[0]):
        for k in range(3):
            position[i, k] += shift[i, k]
        if shift[i, 3] != 0.0 or shift[i, 4] != 0.0 or shift[i, 5] != 0.0:
            rotate_by(orientation, i, shift[i, 3], shift[i, 4], shift[i, 5])


@njit(**INNER)
def root_of(parent, i):
    """The representative of the group of body i."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@njit(**INNER)
def solve_three(A, b, x):
    """x (3,) with A x = b, A (3, 3) symmetric: by cofactors, which compile ten times as fast as np.linalg.solve."""
    p, q, r = (
        A[1, 1] * A[2, 2] - A[1, 2] * A[1, 2],
        A[0, 2] * A[1, 2] - A[0, 1] * A[2, 2],
        A[0, 1] * A[1, 2] - A[0, 2] * A[1, 1],
    )
    s, t, u = (
        A[0, 0] * A[2, 2] - A[0, 2] * A[0, 2],
        A[0, 1] * A[0, 2] - A[0, 0] * A[1, 2],
        A[0, 0] * A[1, 1] - A[0, 1] * A[0, 1],
    )
    det = A[0, 0] * p + A[0, 1] * q + A[0, 2] * r
    x[0] = (p * b[0] + q * b[1] + r * b[2]) / det
    x[1] = (q * b[0] + s * b[1] + t * b[2]) / det
    x[2] = (r * b[0] + t * b[1] + u * b[2]) / det


def turn_back(at):
    """Give groups of bodies that hold on to each other only the angular momentum back that their displacement took.

    x x m v changes with x and I w with the orientation.  Each group turns a little faster or slower as if it were rigid, which
    leaves the relative velocities at its links alone.  Groups that hold on to other bodies keep no momentum anyway.
    """
    link, free, mass, inertia = whole2(at, P.LINK), flag1(at, P.CAN_BE_PUSHED), real1(at, P.MASS), real3(at, P.INERTIA)
    position, orientation = real2(at, P.POSITION), real2(at, P.ORIENTATION)
    velocity, turning, gap = real2(at, P.VELOCITY), real2(at, P.ANGULAR_VELOCITY), real1(at, P.GAP)
    joints, margin = whole2(at, P.JOINT_BODY).shape[0], real1(at, P.OPTIONS)[P.MARGIN]
    links, old_position, old_orientation = (
        joints + whole1(at, P.NUMBERS)[P.CONTACTS],
        real2(at, P.PLACE_BEFORE),
        real2(at, P.TURN_BEFORE),
    )
    count = mass.shape[0]
    parent, held, moved = np.arange(count), np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    for c in range(links):
        if c >= joints and gap[c - joints] > margin:
            continue
        a, b = root_of(parent, link[c, 0]), root_of(parent, link[c, 1])
        if free[link[c, 0]] and free[link[c, 1]]:
            parent[max(a, b)] = min(a, b)
        elif free[link[c, 0]]:
            held[a] = True
        elif free[link[c, 1]]:
            held[b] = True
    for i in range(count):
        top = root_of(parent, i)
        held[top] = held[top] or held[i]
        for k in range(3):
            moved[top] = moved[top] or position[i, k] != old_position[i, k]
        for k in range(4):
            moved[top] = moved[top] or orientation[i, k] != old_orientation[i, k]
    Q, S, A = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    gained, centre, r, s, w = np.empty(3), np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    for g in range(count):
        if parent[g] != g or held[g] or not moved[g] or not free[g]:
            continue
        members, total = 0, 0.0
        clear1(centre)
        clear1(gained)
        clear2(A, 3)
        for i in range(count):
            if free[i] and root_of(parent, i) == g:
                members += 1
                total += mass[i]
                for k in range(3):
                    centre[k] += mass[i] * position[i, k]
        if members < 2:
            continue
        for k in range(3):
            centre[k] /= total
        for i in range(count):
            if not free[i] or root_of(parent, i) != g:
                continue
            rotation_matrix(orientation, i, Q)
            rotation_matrix(old_orientation, i, S)
            for k in range(3):
                r[k] = position[i, k] - centre[k]
                s[k] = position[i, k] - old_position[i, k]
            for k in range(3):
                for m in range(3):
                    new, old = 0.0, 0.0
                    for x in range(3):
                        for y in range(3):
                            new += Q[k, x] * inertia[i, x, y] * Q[m, y]
                            old += S[k, x] * inertia[i, x, y] * S[m, y]
                    gained[k] += (new - old) * turning[i, m]
                    A[k, m] += new - mass[i] * r[k] * r[m]
                A[k, k] += mass[i] * (r[0] * r[0] + r[1] * r[1] + r[2] * r[2])
            v = velocity[i]
            gained[0] += mass[i] * (s[1] * v[2] - s[2] * v[1])
            gained[1] += mass[i] * (s[2] * v[0] - s[0] * v[2])
            gained[2] += mass[i] * (s[0] * v[1] - s[1] * v[0])
        solve_three(A, gained, w)
        for i in range(count):
            if not free[i] or root_of(parent, i) != g:
                continue
            x, y, z = position[i, 0] - centre[0], position[i, 1] - centre[1], position[i, 2] - centre[2]
            velocity[i, 0] -= w[1] * z - w[2] * y
            velocity[i, 1] -= w[2] * x - w[0] * z
            velocity[i, 2] -= w[0] * y - w[1] * x
            for k in range(3):
                turning[i, k] -= w[k]
    return GO_ON


def find_deep(at):
    """Whether bodies overlap by more than the margin: that is rare, and what takes it back is compiled when it is needed."""
    gap, push, margin = real1(at, P.GAP), real1(at, P.LATE_PUSH), real1(at, P.OPTIONS)[P.MARGIN]
    for c in range(whole1(at, P.NUMBERS)[P.CONTACTS]):
        if gap[c] < -margin or push[c] > 0.0:
            return P.DEEP
    return GO_ON


def find_overlaps(at):
    """The paper's scheme takes back all overlaps at the end of every step."""
    return P.OVERLAP if whole1(at, P.NUMBERS)[P.CONTACTS] > 0 else GO_ON


def note_places(at):
    """Where bodies are before a position correction."""
    position = real2(at, P.POSITION)
    copy2(position, real2(at, P.PLACE_BEFORE), position.shape[0])
    copy2(real2(at, P.ORIENTATION), real2(at, P.TURN_BEFORE), position.shape[0])
    return GO_ON


@njit(**INNER)
def opening(frame, arm, v, a, b):
    """Velocity with which a link opens along its normal, at body velocities v."""
    total = 0.0
    for side in range(2):
        w, sign, x, y, z = v[b if side else a], 1.0 if side else -1.0, arm[side, 0], arm[side, 1], arm[side, 2]
        total += sign * frame[0, 0] * (w[0] + w[4] * z - w[5] * y)
        total += sign * frame[0, 1] * (w[1] + w[5] * x - w[3] * z)
        total += sign * frame[0, 2] * (w[2] + w[3] * y - w[4] * x)
    return total


def separate(at):
    """Take back a share of the penetration beyond the margin: least displacements in the metric of the masses.

    Other contacts may close the gaps that the step leaves them.  Joints stay where they are.
    """
    numbers, options = whole1(at, P.NUMBERS), real1(at, P.OPTIONS)
    n, joints = numbers[P.CONTACTS], whole2(at, P.JOINT_BODY).shape[0]
    gap, margin, shift, push = real1(at, P.GAP), options[P.MARGIN], real2(at, P.SHIFT), real1(at, P.LATE_PUSH)
    wanted, total, uses, joint_uses = (
        real2(at, P.WANTED),
        real2(at, P.PUSH),
        flag2(at, P.LINK_USES),
        flag2(at, P.JOINT_HELD),
    )
    for j in range(joints):
        for k in range(6):
            uses[j, k] = joint_uses[j, k]
            wanted[j, k] = 0.0
    deep, link, frame, arm, v = False, whole2(at, P.LINK), real3(at, P.FRAME), real3(at, P.ARM), real2(at, P.V)
    for c in range(n):
        i = joints + c
        uses[i, 0] = True
        if gap[c] < -margin:
            wanted[i, 0] = -DRIFT_SHARE * (gap[c] + margin)
        else:
            left = gap[c] + options[P.H] * opening(frame[i], arm[i], v, link[i, 0], link[i, 1])
            wanted[i, 0] = -max(left, 0.0)
        if push[c] > 0.0:  # it got this deep within the step: see `ahead`
            wanted[joints + c, 0] = push[c]
            deep = True
    clear2(shift, shift.shape[0])
    clear2(total, joints + n)
    part_bodies(
        link[: joints + n], frame, arm, uses, joints, real1(at, P.INVERSE_MASS), real3(at, P.WORLD), wanted, total, shift,
        EXACT_SWEEPS if joints or deep else DRIFT_SWEEPS,
    )  # fmt: skip
    move_by(shift, real2(at, P.POSITION), real2(at, P.ORIENTATION))
    return GO_ON


def close_joints(at):
    """Take back the drift of joints, with the factor of the middle of the step: what is left of an error is a share h w of it."""
    position, orientation, shift, error = (
        real2(at, P.POSITION),
        real2(at, P.ORIENTATION),
        real2(at, P.SHIFT),
        real2(at, P.JOINT_ERROR),
    )
    axes, point, distance = real3(at, P.JOINT_FRAME), real2(at, P.JOINT_POINT), real1(at, P.JOINT_DISTANCE)
    rows, right = whole2(at, P.HELD), real1(at, P.HELD_RIGHT)
    for _ in range(CLOSINGS):
        place_joints(
            whole2(at, P.JOINT_BODY),
            real2(at, P.JOINT_ANCHOR),
            real3(at, P.JOINT_AXES),
            distance,
            position,
            orientation,
            axes,
            point,
        )
        joint_errors(flag2(at, P.JOINT_HELD), distance, axes, point, error)
        largest = 0.0
        for i in range(rows.shape[0]):
            right[i] = -error[rows[i, 0], rows[i, 1]]
            largest = max(largest, abs(right[i]))
        if largest <= JOINT_CLOSED:
            break
        substitute(whole1(at, P.HELD_FIRST), real1(at, P.FACTOR), right[: rows.shape[0]])
        clear2(shift, shift.shape[0])
        push_held(at, right, shift)
        move_by(shift, position, orientation)
    return GO_ON


def measure_joints(at):
    """How far joints have drifted."""
    axes, point, distance = real3(at, P.JOINT_FRAME), real2(at, P.JOINT_POINT), real1(at, P.JOINT_DISTANCE)
    place_joints(
        whole2(at, P.JOINT_BODY), real2(at, P.JOINT_ANCHOR), real3(at, P.JOINT_AXES), distance, real2(at, P.POSITION),
        real2(at, P.ORIENTATION), axes, point,
    )  # fmt: skip
    joint_errors(flag2(at, P.JOINT_HELD), distance, axes, point, real2(at, P.JOINT_ERROR))
    return GO_ON


@njit(**INNER)
def sticks(at, c, rows, part):
    """Whether contact c, which stays closed, neither slides (part 0), spins (1) nor rolls (2), nor did so before."""
    if not flag1(at, P.FOLLOWED)[c] or not flag2(at, P.STUCK)[c, part]:
        return False
    mu = real2(at, P.DISKS)[whole1(at, P.LAW)[c], part]
    return is_stuck(rows, mu * (real1(at, P.FACTORS)[c] if part else 1.0), part)


@njit(**INNER)
def losses(at, numbers, row):
    """Energy [J] that the links took, by their rows, added to the row of the table; returns what motors took.

    Impacts of one step belong together: one contact may give what another takes, and friction that turns a sliding contact
    around gives a part of what the normal impulse takes.  Their sum is what impacts lose.
    """
    n, joints = numbers[P.CONTACTS], whole2(at, P.JOINT_BODY).shape[0]
    links, rows, y = joints + n, real2(at, P.IMPULSE), real1(at, P.RELATIVE)
    none, units, followed = real2(at, P.PUSH), real1(at, P.UNITS), flag1(at, P.FOLLOWED)
    clear2(none, links)
    relative_velocity(
        whole2(at, P.LINK)[:links], real3(at, P.FRAME), real3(at, P.ARM), units, none, real2(at, P.MEAN), y
    )
    motors, hit, driven, motor = 0.0, 0.0, whole1(at, P.JOINT_DRIVEN), flag1(at, P.JOINT_MOTOR)
    role, damping, h = whole1(at, P.JOINT_ROLE), real1(at, P.JOINT_DAMPING), real1(at, P.OPTIONS)[P.H]
    for c in range(links):
        k = 6 * c
        if c < joints and role[c] == SPRING:  # what it stores is no loss
            row[P.S_JOINTS] += h * damping[c] * y[k + driven[c]] ** 2
            continue
        if c < joints:
            for i in range(6):
                taken = rows[c, i] * y[k + i]
                row[P.S_JOINTS] -= taken
                if motor[c] and i == driven[c]:
                    motors -= taken
            continue
        # a contact that stays closed loses nothing in its normal direction, and friction gains nothing: that is numerical,
        # as is all that a contact seems to lose which has stuck before and sticks
        m = c - joints
        slid, spun = -rows[c, 1] * y[k + 1] - rows[c, 2] * y[k + 2], -rows[c, 3] * y[k + 3]
        lost = slid, spun, -rows[c, 4] * y[k + 4] - rows[c, 5] * y[k + 5]
        if not followed[m]:
            hit -= rows[c, 0] * y[k]
        for part in range(3):
            if not sticks(at, m, rows[c], part):
                row[PARTS[part]] += max(0.0, lost[part])
            if not followed[m]:
                hit += min(0.0, lost[part])
    row[P.S_IMPACT] = max(0.0, hit) + real1(at, P.RESULTS)[P.LOST_NORMAL]
    return motors


@njit(**INNER)
def look_for_overlaps(at, numbers, row):
    """The deepest overlap, relative to the smaller body, and the largest way of a body, relative to the smallest of all."""
    gap, body, size = real1(at, P.GAP), whole2(at, P.BODY), real1(at, P.SIZE_OF)
    row[P.S_ONE], row[P.S_OTHER] = -1.0, -1.0
    for c in range(numbers[P.CONTACTS]):
        if gap[c] >= 0.0:
            continue
        a, b = body[c, 0], body[c, 1]
        least = min(size[a], size[b])
        if -gap[c] > row[P.S_OVERLAP] * least:
            row[P.S_OVERLAP], row[P.S_DEPTH], row[P.S_ONE], row[P.S_OTHER] = -gap[c] / least, -gap[c], a, b
    position, before, way = real2(at, P.POSITION), real2(at, P.BEFORE), 0.0
    for i in range(position.shape[0]):
        for k in range(3):
            way = max(way, abs(position[i, k] - before[i, k]))
    row[P.S_WAY] = way / real1(at, P.OPTIONS)[P.LEAST_SIZE]


def take_given_work(at):
    """Work that contacts and joints do on bodies with a prescribed motion."""
    links = whole2(at, P.JOINT_BODY).shape[0] + whole1(at, P.NUMBERS)[P.CONTACTS]
    rows = real2(at, P.IMPULSE)[:links].copy().reshape(6 * links)
    real1(at, P.RESULTS)[P.GIVEN] = work_on(
        whole2(at, P.LINK)[:links],
        real3(at, P.FRAME),
        real3(at, P.ARM),
        real1(at, P.UNITS),
        flag1(at, P.PRESCRIBED),
        rows,
        real2(at, P.MEAN),
    )
    return GO_ON


@njit(**INNER)
def take_stored(row, stored):
    """Take the energy that springs of contacts stored out of what their rows took; nothing becomes negative."""
    row[P.S_IMPACT] -= stored
    for k in (P.S_SLIDING, P.S_ROLLING, P.S_SPINNING):
        short = min(max(-row[P.S_IMPACT], 0.0), row[k])
        row[k] -= short
        row[P.S_IMPACT] += short
    row[P.S_IMPACT] = max(row[P.S_IMPACT], 0.0)  # what is left is the error of the time step


def account(at):
    """Where the energy went, and what else the table of steps says.

    Impulses times the mean velocities of the step are exactly the energy that contacts take; what is left is numerical: theta
    other than 1/2, the rotation of the inertia within the step, and position correction.
    """
    numbers, options, results = whole1(at, P.NUMBERS), real1(at, P.OPTIONS), real1(at, P.RESULTS)
    row, mean = real2(at, P.STEPS)[numbers[P.STEP_DONE]], real2(at, P.MEAN)
    clear1(row)
    motors = losses(at, numbers, row)
    row[P.S_ROLLING] += results[P.VISCOUS] + results[P.LOST_ROLLING]
    row[P.S_SLIDING] += results[P.LOST_SLIDING]
    row[P.S_SPINNING] += results[P.LOST_SPINNING]
    row[P.S_JOINTS] += results[P.LOST_JOINTS]
    motors += results[P.LOST_MOTORS]
    links = whole2(at, P.JOINT_BODY).shape[0] + numbers[P.CONTACTS]
    external = -motors
    row[P.S_JOINTS] -= motors
    if whole1(at, P.LOAD_BODY).shape[0] > 0 or real2(at, P.FIELD_FORCE).shape[0] > 0:
        impulse = real2(at, P.LOAD_IMPULSE)
        for i in range(mean.shape[0]):
            for k in range(6):
                external += impulse[i, k] * mean[i, k]
    external -= results[P.GIVEN] + results[P.LOST_GIVEN] - results[P.ROW_EXTERNAL]
    row[P.S_JOINTS] += results[P.ROW_LOSS]
    elastic = 0.0
    if options[P.COMPLIANT] != 0.0:
        compliance, rows = real2(at, P.COMPLIANCE), real2(at, P.IMPULSE)
        for c in range(whole2(at, P.JOINT_BODY).shape[0], links):
            for k in range(6):
                elastic += 0.5 * compliance[c, k] * rows[c, k] * rows[c, k]
        take_stored(row, elastic - results[P.ELASTIC])
    movable, mass, turning = whole1(at, P.MOVABLE), real1(at, P.MASS), real2(at, P.ANGULAR_VELOCITY)
    kinetic = kinetic_energy(
        movable, mass, real3(at, P.INERTIA), real2(at, P.ORIENTATION), real2(at, P.VELOCITY), turning
    )
    potential = potential_energy(movable, mass, real2(at, P.POSITION), real1(at, P.GRAVITY))
    results[P.ELASTIC] = elastic
    elastic += results[P.SPRUNG]
    total = kinetic + potential + elastic
    lost = row[P.S_SLIDING] + row[P.S_ROLLING] + row[P.S_SPINNING] + row[P.S_IMPACT] + row[P.S_JOINTS]
    row[P.S_NUMERICAL] = results[P.TOTAL] + external - total - lost
    row[P.S_KINETIC], row[P.S_POTENTIAL], row[P.S_ELASTIC], row[P.S_EXTERNAL] = kinetic, potential, elastic, external
    results[P.TOTAL] = total
    row[P.S_CONTACTS], row[P.S_SWEEPS], row[P.S_RESIDUAL] = numbers[P.CONTACTS], numbers[P.SWEEPS], results[P.RESIDUAL]
    row[P.S_CONVERGED] = 1.0 if results[P.RESIDUAL] <= options[P.TOLERANCE] else 0.0
    look_for_overlaps(at, numbers, row)
    numbers[P.SWEEPS] = 0
    return P.FAR if row[P.S_WAY] > FAST and may_have_passed(at) else GO_ON
