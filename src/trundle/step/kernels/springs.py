"""Stages for springs, servos and limits of joints: links after those that hold, each with one row.  Never raise.

A spring and its dashpot act with the theta-method, p = -h k (x + theta h u - rest) - h c u with u = theta y + (1 - theta) y0,
y and y0 the velocities of the row at the end and at the beginning: a row  y + E p + bias = 0  with a compliance E, stable
for any stiffness.  At theta = 1/2 its work is the change of k (x - rest)^2 / 2 and h c u^2, to rounding.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from trundle.kernels.rotations import INNER
from trundle.kernels.space import GO_ON, clear1, real1, real2, real3, whole1, whole2
from trundle.solve.kernels.held import coupling
from trundle.step.kernels import places as P
from trundle.step.kernels.joints import coordinate, joint_velocity, place_joint

SPRING, SERVO, LIMIT = 1, 2, 3  # as in `scene.joints`
CLOSED = 1e-6  # [m, rad] gap up to which a limit is closed
DRIFT_SHARE = 0.2  # of what a limit was passed by that is taken back in a step
LOOSE = 1e12  # compliance in an impact, relative to that of the bodies: springs carry nothing in an instant


@njit(**INNER)
def coordinate_at(at, position, orientation, j, last):
    """Where the row of link j is at positions and orientations of the bodies."""
    frame, point = np.empty((2, 3, 3)), np.empty((2, 3))
    place_joint(
        whole2(at, P.JOINT_BODY), real2(at, P.JOINT_ANCHOR), real3(at, P.JOINT_AXES), real1(at, P.JOINT_DISTANCE), position,
        orientation, j, frame, point, 0,
    )  # fmt: skip
    return coordinate(frame, point, 0, whole1(at, P.JOINT_DRIVEN)[j], last)


def loosen_springs(at):
    """Before impacts: springs and servos carry nothing in an instant."""
    role, driven, compliance = whole1(at, P.JOINT_ROLE), whole1(at, P.JOINT_DRIVEN), real2(at, P.COMPLIANCE)
    link, frame, arm = whole2(at, P.LINK), real3(at, P.FRAME), real3(at, P.ARM)
    inverse_mass, J = real1(at, P.INVERSE_MASS), real3(at, P.WORLD)
    for j in range(role.shape[0]):
        if role[j] == SPRING or role[j] == SERVO:
            row = driven[j]
            compliance[j, row] = LOOSE * coupling(link, frame, arm, inverse_mass, J, j, row, j, row)
    return GO_ON


@njit(**INNER)
def limit_bias(at, j, row, now):
    """Bias of a limit whose row moves at `now` in the middle; infinite where it is too far away to be reached in this step.

    An open limit may close, but not more.  A closed one moves on with the joint, as rows that joints hold: see `link_joints`.
    """
    h, theta = real1(at, P.OPTIONS)[P.H], real1(at, P.OPTIONS)[P.THETA]
    rest, known, e = real1(at, P.JOINT_REST)[j], real1(at, P.JOINT_X)[j], real1(at, P.JOINT_BOUNCE)[j]
    body, axes, point = whole2(at, P.JOINT_BODY), real3(at, P.JOINT_FRAME), real2(at, P.JOINT_POINT)
    gap, free = coordinate(axes, point, 2 * j, row, known) - rest, np.zeros(6)
    joint_velocity(body, axes, point, real2(at, P.MIDDLE), real2(at, P.FREE), j, free)
    if gap > h * (2.0 * (abs(now) + abs(free[row])) + abs(free[row] - now)):
        return np.inf
    if e > 0.0 and now < 0.0 and gap + h * now <= 0.0:
        return e * now
    drift = min(gap, 0.0) * DRIFT_SHARE / h
    if theta < 1.0:
        position, velocity, turning = real2(at, P.POSITION), real2(at, P.VELOCITY), real2(at, P.ANGULAR_VELOCITY)
        frame, places, before, v = np.empty((2, 3, 3)), np.empty((2, 3)), np.zeros(6), np.empty((velocity.shape[0], 6))
        for side in range(2):
            b = body[j, side]
            for k in range(3):
                v[b, k], v[b, 3 + k] = velocity[b, k], turning[b, k]
        place_joint(
            body, real2(at, P.JOINT_ANCHOR), real3(at, P.JOINT_AXES), real1(at, P.JOINT_DISTANCE), position,
            real2(at, P.ORIENTATION), j, frame, places, 0,
        )  # fmt: skip
        if coordinate(frame, places, 0, row, known) - rest <= CLOSED:
            joint_velocity(body[j : j + 1], frame, places, position, v, 0, before)
            return drift + theta / (1.0 - theta) * (now - before[row])
    return max(gap, 0.0) / h + drift


def spring_joints(at):
    """Compliance and bias of springs and servos; bias of limits, of which only those that can be reached are listed."""
    h, theta = real1(at, P.OPTIONS)[P.H], real1(at, P.OPTIONS)[P.THETA]
    role, driven, rest = whole1(at, P.JOINT_ROLE), whole1(at, P.JOINT_DRIVEN), real1(at, P.JOINT_REST)
    stiffness, damping, limit = real1(at, P.JOINT_STIFFNESS), real1(at, P.JOINT_DAMPING), real1(at, P.JOINT_LIMIT)
    bias, compliance, known, rows = (
        real2(at, P.BIAS),
        real2(at, P.COMPLIANCE),
        real1(at, P.JOINT_X),
        real2(at, P.IMPULSE),
    )
    body, axes, point, middle = (
        whole2(at, P.JOINT_BODY), real3(at, P.JOINT_FRAME), real2(at, P.JOINT_POINT), real2(at, P.MIDDLE)
    )  # fmt: skip
    y = np.empty(6)
    for j in range(role.shape[0]):
        if role[j] == 0:
            continue
        row = driven[j]
        clear1(y)
        joint_velocity(body, axes, point, middle, real2(at, P.START), j, y)
        if role[j] == LIMIT:
            bias[j, row] = limit_bias(at, j, row, y[row])
            limit[j] = bias[j, row]  # infinite: not listed
            if bias[j, row] == np.inf:
                bias[j, row], rows[j, row] = 0.0, 0.0
            else:
                limit[j] = 0.0
            continue
        x = coordinate_at(at, real2(at, P.POSITION), real2(at, P.ORIENTATION), j, known[j])
        give = 1.0 / (h * h * stiffness[j] * theta + h * damping[j])
        compliance[j, row] = give / theta
        bias[j, row] = ((1.0 - theta) * y[row] + give * h * stiffness[j] * (x - rest[j])) / theta
    return GO_ON


def note_springs(at):
    """Where springs and limits are at the end of the step, and the energy [J] that springs store."""
    role, rest, stiffness, known = (
        whole1(at, P.JOINT_ROLE), real1(at, P.JOINT_REST), real1(at, P.JOINT_STIFFNESS), real1(at, P.JOINT_X)
    )  # fmt: skip
    stored = 0.0
    for j in range(role.shape[0]):
        if role[j] == 0:
            continue
        known[j] = coordinate_at(at, real2(at, P.POSITION), real2(at, P.ORIENTATION), j, known[j])
        if role[j] == SPRING:
            stored += 0.5 * stiffness[j] * (known[j] - rest[j]) ** 2
    real1(at, P.RESULTS)[P.SPRUNG] = stored
    return GO_ON
