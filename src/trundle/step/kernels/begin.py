"""Stages before a step's flight: where bodies touch at its beginning, for contacts that move over the bodies.  Never raise."""

from __future__ import annotations

import math

from trundle.kernels.space import GO_ON, real1, real2, real3, whole1, whole2
from trundle.step.kernels import places as P

MOVED = 1e-6  # way and turn within a step, relative to the smallest body and to 1 rad, below which contacts stay where they are


def look_back(at):
    """Whether contacts can have moved over the bodies; if so, they are looked for where the bodies are now."""
    numbers, options, moved = whole1(at, P.NUMBERS), real1(at, P.OPTIONS), False
    velocity, turning, free = real2(at, P.VELOCITY), real2(at, P.ANGULAR_VELOCITY), real2(at, P.FREE)
    numbers[P.BEGIN_COUNT] = 0
    if numbers[P.STEP_DONE] > 0 and numbers[P.CONTACTS] == 0 and whole2(at, P.JOINT_BODY).shape[0] == 0:
        return -numbers[P.TO_FLIGHT] - 1  # the step before found nothing within reach until the middle of this one
    for i in range(velocity.shape[0]):
        v, w = velocity[i], turning[i]
        turn = math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
        speed = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
        moved = moved or options[P.H] * (turn + speed / options[P.LEAST_SIZE]) > MOVED
    if not moved:
        return -numbers[P.TO_FLIGHT] - 1
    position, orientation = real2(at, P.POSITION), real2(at, P.ORIENTATION)
    middle, turned = real2(at, P.MIDDLE), real2(at, P.TURNED)
    for i in range(position.shape[0]):
        for k in range(3):
            middle[i, k] = position[i, k]
            free[i, k] = velocity[i, k]
            free[i, 3 + k] = turning[i, k]
        for k in range(4):
            turned[i, k] = orientation[i, k]
    return GO_ON


def note_arms(at):
    """Keep identities, gaps, normals and arms of the contacts at the beginning."""
    numbers = whole1(at, P.NUMBERS)
    n, body, point, position = numbers[P.CONTACTS], whole2(at, P.BODY), real2(at, P.POINT), real2(at, P.POSITION)
    key, gap, begin_key, begin_gap = (
        whole1(at, P.KEY),
        real1(at, P.GAP),
        whole1(at, P.BEGIN_KEY),
        real1(at, P.BEGIN_GAP),
    )
    arm, normal, begin_normal = real3(at, P.BEGIN_ARM), real2(at, P.NORMAL), real2(at, P.BEGIN_NORMAL)
    for c in range(n):
        begin_key[c], begin_gap[c] = key[c], gap[c]
        for k in range(3):
            begin_normal[c, k] = normal[c, k]
        for side in range(2):
            for k in range(3):
                arm[c, side, k] = point[c, k] - position[body[c, side], k]
    numbers[P.BEGIN_COUNT] = n
    return GO_ON
