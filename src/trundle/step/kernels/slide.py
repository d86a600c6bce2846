"""Stages for friction at the mean velocity of a step, where a contact slides or rolls all through it.  Never raise.

Friction has the direction of the velocity, and that of the end of a step is its direction to first order only.  It depends on
nothing but that direction, and theta y' + (1 - theta) y has that of y' + (1 - theta) / theta y: so the velocity y at the
beginning becomes a part of the bias.  A contact that stops or turns around within the step does not have one direction.
Its part of the bias is taken out again and the step is solved once more, with the law at the end.

Laws with coefficients that vary, and those in which sliding and spinning share a budget, have their own rule in `vary`.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.contact.kernels.bodies import BIAS_1, BIAS_R1
from trundle.kernels.lanes import LANES
from trundle.kernels.rotations import INNER
from trundle.kernels.space import GO_ON, flag1, flag2, real1, real2, real3, whole1, whole2
from trundle.step.kernels import places as P
from trundle.step.kernels.solution import measure_free

AT_REST = 1e-6  # of the velocity that gravity gives within a step: motion that is none
STOPS = 2.0  # of what the last friction takes in a step: slower contacts may stop within this one


@njit(**INNER)
def first_row(part):
    """Of the two rows of sliding (part 0) and of rolling (2)."""
    return 1 if part == 0 else 4


def hold_at_mean(at):
    """Put the velocity of the beginning into the bias of contacts that have moved before and will not stop in this step."""
    numbers, options, joints = whole1(at, P.NUMBERS), real1(at, P.OPTIONS), whole2(at, P.JOINT_BODY).shape[0]
    followed, stuck, moving, at_mean = at_flags(at)
    law, body, begin, bias, rows = (
        whole1(at, P.LAW), whole2(at, P.BODY), real2(at, P.BEGIN_VELOCITY), real2(at, P.BIAS), real2(at, P.IMPULSE),
    )  # fmt: skip
    inverse_mass, J, g = real1(at, P.INVERSE_MASS), real3(at, P.WORLD), real1(at, P.GRAVITY)
    share = (1.0 - options[P.THETA]) / options[P.THETA]
    still = AT_REST * options[P.H] * math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    for c in range(numbers[P.CONTACTS]):
        a, b, i = body[c, 0], body[c, 1], joints + c
        for part in range(0, 3, 2):
            row = first_row(part)
            moving[c, part] = False
            if not (followed[c] and at_mean[law[c], part]) or stuck[c, part] or numbers[P.IMPACTS] > 0:
                continue
            light = inverse_mass[a] + inverse_mass[b]
            if part == 2:
                light = J[a, 0, 0] + J[a, 1, 1] + J[a, 2, 2] + J[b, 0, 0] + J[b, 1, 1] + J[b, 2, 2]
            y = math.hypot(begin[c, row], begin[c, row + 1])
            stops = STOPS * light * math.hypot(rows[i, row], rows[i, row + 1])
            if y <= max(stops, still if part == 0 else still / options[P.LEAST_SIZE]):
                continue
            moving[c, part] = True
            bias[i, row] += share * begin[c, row]
            bias[i, row + 1] += share * begin[c, row + 1]
    return GO_ON


@njit(**INNER)
def at_flags(at):
    """Which contacts are followed; which parts of them stuck and move; which parts of laws hold at the mean."""
    return flag1(at, P.FOLLOWED), flag2(at, P.STUCK), flag2(at, P.MOVING), flag2(at, P.AT_MEAN)


@njit(**INNER)
def same_way(at, i, c, row, v):
    """Whether rows of contact c, link i, still move in the direction of the beginning at the end, v: velocities."""
    frame, arm, body, begin = real3(at, P.FRAME), real3(at, P.ARM), whole2(at, P.BODY), real2(at, P.BEGIN_VELOCITY)
    u, along = np.zeros(3), 0.0
    for side in range(2):
        b, sign, r = body[c, side], -1.0 if side == 0 else 1.0, arm[i, side]
        x, y, z = v[b, 3], v[b, 4], v[b, 5]
        if row < 3:
            x, y, z = v[b, 0] + y * r[2] - z * r[1], v[b, 1] + z * r[0] - x * r[2], v[b, 2] + x * r[1] - y * r[0]
        u[0], u[1], u[2] = u[0] + sign * x, u[1] + sign * y, u[2] + sign * z
    for k in range(row, row + 2):
        along += begin[c, k] * (frame[i, k, 0] * u[0] + frame[i, k, 1] * u[1] + frame[i, k, 2] * u[2])
    return along > 0.0


def end_reversals(at):
    """Let the law of contacts that have stopped or turned around hold at the end; if there are any, solve once more."""
    numbers, theta, joints = whole1(at, P.NUMBERS), real1(at, P.OPTIONS)[P.THETA], whole2(at, P.JOINT_BODY).shape[0]
    moving, begin, bias, place = (
        flag2(at, P.MOVING),
        real2(at, P.BEGIN_VELOCITY),
        real2(at, P.BIAS),
        whole1(at, P.PLACE),
    )
    record, v, share, turned = real3(at, P.RECORDS), real2(at, P.V), (1.0 - theta) / theta, False
    for c in range(numbers[P.CONTACTS]):
        for part in range(0, 3, 2):
            row = first_row(part)
            if not moving[c, part] or same_way(at, joints + c, c, row, v):
                continue
            moving[c, part], turned = False, True
            for k in range(2):
                taken = share * begin[c, row + k]
                bias[joints + c, row + k] -= taken
                if place[c] >= 0:
                    record[place[c] // LANES, (BIAS_1 if part == 0 else BIAS_R1) + k, place[c] % LANES] -= taken
    if not turned:
        return GO_ON
    listed, listed_bias, length = whole1(at, P.LISTED), real2(at, P.L_BIAS), real1(at, P.L_LENGTH)
    for i in range(numbers[P.LISTED_COUNT]):
        if listed[i] >= joints:
            for k in range(6):
                listed_bias[i, k] = bias[listed[i], k] * (length[i] if k >= 3 else 1.0)
    measure_free(at, real1(at, P.RESULTS))
    return -numbers[P.TO_SOLVE] - 1
