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


def spring_joints(at):
    """Compliance and bias of springs and servos; bias of limits."""
    h, theta = real1(at, P.OPTIONS)[P.H], real1(at, P.OPTIONS)[P.THETA]
    role, driven, rest = whole1(at, P.JOINT_ROLE), whole1(at, P.JOINT_DRIVEN), real1(at, P.JOINT_REST)
    stiffness, damping, bounce = real1(at, P.JOINT_STIFFNESS), real1(at, P.JOINT_DAMPING), real1(at, P.JOINT_BOUNCE)
    bias, compliance, known = real2(at, P.BIAS), real2(at, P.COMPLIANCE), real1(at, P.JOINT_X)
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
            gap = coordinate(axes, point, 2 * j, row, known[j]) - rest[j]
            bias[j, row] = max(gap, 0.0) / h
            if bounce[j] > 0.0 and y[row] < 0.0 and gap + h * y[row] <= 0.0:
                bias[j, row] = bounce[j] * y[row]
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
