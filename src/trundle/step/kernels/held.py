"""Rows that joints hold, all at once: the verbs of `solution`.  Never raise.

held_right: work (m,), then present impulses (m,) and those before them (m,), SI units.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import INNER
from trundle.kernels.space import GO_ON, copy1, flag2, real1, real2, real3, whole1, whole2
from trundle.solve.kernels.held import substitute
from trundle.step.kernels import places as P
from trundle.step.kernels.joints import joint_velocity


@njit(**INNER)
def push_row(frame, arm, inverse_mass, J, c, a, b, row, d, v):
    """Apply an impulse d on one row of link c to both bodies."""
    fx, fy, fz = d * frame[c, row, 0], d * frame[c, row, 1], d * frame[c, row, 2]
    for side in range(2):
        i, sign = (a, -1.0) if side == 0 else (b, 1.0)
        if inverse_mass[i] == 0.0:
            continue
        x, y, z = sign * fx, sign * fy, sign * fz
        if row < 3:
            k = inverse_mass[i]
            v[i, 0] += k * x
            v[i, 1] += k * y
            v[i, 2] += k * z
            r = arm[c, side]
            x, y, z = r[1] * z - r[2] * y, r[2] * x - r[0] * z, r[0] * y - r[1] * x
        v[i, 3] += J[i, 0, 0] * x + J[i, 0, 1] * y + J[i, 0, 2] * z
        v[i, 4] += J[i, 1, 0] * x + J[i, 1, 1] * y + J[i, 1, 2] * z
        v[i, 5] += J[i, 2, 0] * x + J[i, 2, 1] * y + J[i, 2, 2] * z


@njit(**INNER)
def push_held(at, p, v):
    """v += M^-1 H^T p for impulses p (m,) of the rows that joints hold, SI units."""
    held, link, frame, arm = whole2(at, P.HELD), whole2(at, P.LINK), real3(at, P.FRAME), real3(at, P.ARM)
    inverse_mass, J = real1(at, P.INVERSE_MASS), real3(at, P.WORLD)
    for i in range(held.shape[0]):
        j, row = held[i, 0], held[i, 1]
        push_row(frame, arm, inverse_mass, J, j, link[j, 0], link[j, 1], row, p[i], v)


@njit(**INNER)
def held_velocities(at, v, out):
    """Velocities of the rows that joints hold, with their bias, SI units, to out (m,)."""
    held, bias, body = whole2(at, P.HELD), real2(at, P.BIAS), whole2(at, P.JOINT_BODY)
    axes, point, middle = real3(at, P.JOINT_FRAME), real2(at, P.JOINT_POINT), real2(at, P.MIDDLE)
    row, last = np.empty(6), -1
    for i in range(held.shape[0]):
        j = held[i, 0]
        if j != last:
            copy1(bias[j], row)
            joint_velocity(body, axes, point, middle, v, j, row)
            last = j
        out[i] = row[held[i, 1]]


def apply(at):
    """Velocities from impulses."""
    m = whole2(at, P.HELD).shape[0]
    push_held(at, real1(at, P.HELD_RIGHT)[m : 2 * m], real2(at, P.V))
    return GO_ON


def begin(at):
    """No momentum."""
    m, right = whole2(at, P.HELD).shape[0], real1(at, P.HELD_RIGHT)
    for i in range(m):
        right[2 * m + i] = right[m + i]
    return GO_ON


def sweep(at):
    """Impulses with which no held row moves."""
    results, right, m = real1(at, P.RESULTS), real1(at, P.HELD_RIGHT), whole2(at, P.HELD).shape[0]
    v = real2(at, P.V if whole1(at, P.NUMBERS)[P.SWAPPED] else P.V_BEFORE)
    held_velocities(at, v, right)
    held, compliance = whole2(at, P.HELD), real2(at, P.COMPLIANCE)
    for i in range(m):
        present = right[m + i]
        extrapolated = present + results[P.BETA] * (present - right[2 * m + i])
        right[i] = -right[i] - compliance[held[i, 0], held[i, 1]] * extrapolated
    substitute(whole1(at, P.HELD_FIRST), real1(at, P.FACTOR), right[:m])
    push_held(at, right, v)
    for i in range(m):
        present = right[m + i]
        right[m + i] = present + results[P.BETA] * (present - right[2 * m + i]) + right[i]
        right[2 * m + i] = present
    return GO_ON


@njit(**INNER)
def add_squares(at, share):
    """Squares of the velocities of the held rows, scaled: they should not move; share: of their impulses that gives way."""
    results, right, held, length = (
        real1(at, P.RESULTS),
        real1(at, P.HELD_RIGHT),
        whole2(at, P.HELD),
        real1(at, P.JOINT_LENGTH),
    )
    held_velocities(at, real2(at, P.V), right)
    compliance, m, diagonal = real2(at, P.COMPLIANCE), held.shape[0], real1(at, P.HELD_DIAGONAL)
    for i in range(m):
        give = compliance[held[i, 0], held[i, 1]]
        right[i] += share * give * right[m + i]
        if give > 0.0:  # what is wrong with the force of a soft spring matters as far as it moves the bodies
            right[i] *= 1.0 - give / diagonal[i]
        results[P.SUM] += (right[i] * (length[held[i, 0]] if held[i, 1] >= 3 else 1.0)) ** 2


def judge(at):
    """Natural map."""
    add_squares(at, 1.0)
    return GO_ON


def measure(at):
    """Free velocities."""
    add_squares(at, 0.0)
    results, link, arm, bias = real1(at, P.RESULTS), whole2(at, P.LINK), real3(at, P.ARM), real2(at, P.BIAS)
    compliance = real2(at, P.COMPLIANCE)
    uses, length, v = flag2(at, P.JOINT_USES), real1(at, P.JOINT_LENGTH), real2(at, P.V)
    for j in range(length.shape[0]):
        reach = length[j] if uses[j, 3] or uses[j, 4] or uses[j, 5] else 0.0
        speed = 0.0
        for side in range(2):
            b, r = v[link[j, side]], arm[j, side]
            turning = math.sqrt(b[3] * b[3] + b[4] * b[4] + b[5] * b[5])
            speed += math.sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2])
            speed += turning * (reach + math.sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]))
        for k in range(6):
            if compliance[j, k] == 0.0:
                speed += abs(bias[j, k]) * (length[j] if k >= 3 else 1.0)
        results[P.SPEEDS] += speed * speed
    return GO_ON


def write(at):
    """Impulses to rows."""
    held, right, rows = whole2(at, P.HELD), real1(at, P.HELD_RIGHT), real2(at, P.IMPULSE)
    for i in range(held.shape[0]):
        rows[held[i, 0], held[i, 1]] = right[held.shape[0] + i]
    return GO_ON


def read(at):
    """Impulses from rows."""
    held, right, rows = whole2(at, P.HELD), real1(at, P.HELD_RIGHT), real2(at, P.IMPULSE)
    for i in range(held.shape[0]):
        right[held.shape[0] + i] = rows[held[i, 0], held[i, 1]]
    return GO_ON
