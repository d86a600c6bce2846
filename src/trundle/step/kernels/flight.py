"""Stages of a step before contacts are looked for: free flight to the middle, and velocities without contacts.  Never raise."""

from __future__ import annotations

import numpy as np

from trundle.kernels.rotations import rotation_matrix
from trundle.kernels.space import GO_ON, clear2, flag1, real1, real2, real3, whole1
from trundle.step.kernels import places as P
from trundle.step.kernels.motion import (
    angular_momentum,
    angular_velocity,
    fall,
    midpoint_start,
    move,
    world_inverse_inertia,
)


def set_out(at):
    """Velocities of the beginning (B, 6), and positions and orientations after (1 - theta) h at them."""
    options = real1(at, P.OPTIONS)
    position, orientation = real2(at, P.POSITION), real2(at, P.ORIENTATION)
    velocity, turning = real2(at, P.VELOCITY), real2(at, P.ANGULAR_VELOCITY)
    start, middle, turned, before = real2(at, P.START), real2(at, P.MIDDLE), real2(at, P.TURNED), real2(at, P.BEFORE)
    for i in range(position.shape[0]):
        for k in range(3):
            start[i, k] = velocity[i, k]
            start[i, 3 + k] = turning[i, k]
            middle[i, k] = position[i, k]
            before[i, k] = position[i, k]
        for k in range(4):
            turned[i, k] = orientation[i, k]
    if options[P.THETA] < 1.0:
        move(flag1(at, P.MOVES), start, (1.0 - options[P.THETA]) * options[P.H], middle, turned)
    return GO_ON


def keep_momentum(at):
    """Angular momentum is kept in flight, not angular velocity: that is the gyroscopic term."""
    inverse_mass, momentum, world = real1(at, P.INVERSE_MASS), real2(at, P.MOMENTUM), real3(at, P.WORLD)
    angular_momentum(
        inverse_mass, real3(at, P.INERTIA), real2(at, P.ORIENTATION), real2(at, P.ANGULAR_VELOCITY), momentum
    )
    world_inverse_inertia(real2(at, P.TURNED), real3(at, P.INVERSE_INERTIA), flag1(at, P.ROUND), world)
    angular_velocity(inverse_mass, world, momentum, real2(at, P.START))
    return GO_ON


def to_midpoint(at):
    """Instead of `keep_momentum`: le Saux et al. (2005), section 3; momentum: what the gyroscopic torque does."""
    midpoint_start(
        flag1(at, P.CAN_BE_PUSHED), real3(at, P.INERTIA), real3(at, P.INVERSE_INERTIA), real1(at, P.OPTIONS)[P.H],
        real2(at, P.ORIENTATION), real2(at, P.ANGULAR_VELOCITY), real2(at, P.TURNED), real2(at, P.START), real2(at, P.MOMENTUM),
    )  # fmt: skip
    world_inverse_inertia(real2(at, P.TURNED), real3(at, P.INVERSE_INERTIA), flag1(at, P.ROUND), real3(at, P.WORLD))
    return GO_ON


def turn_inertia(at):
    """Inverse inertia at the middle, for bodies that are all round: their velocities stay."""
    world_inverse_inertia(real2(at, P.TURNED), real3(at, P.INVERSE_INERTIA), flag1(at, P.ROUND), real3(at, P.WORLD))
    return GO_ON


def free_fall(at):
    """Velocities at the end without contacts and loads."""
    start, free = real2(at, P.START), real2(at, P.FREE)
    for i in range(start.shape[0]):
        for k in range(6):
            free[i, k] = start[i, k]
    fall(whole1(at, P.MOVABLE), real1(at, P.OPTIONS)[P.H] * real1(at, P.GRAVITY), free)
    return GO_ON


def gyrate(at):
    """Instead of angular momentum kept: the gyroscopic torque of `to_midpoint`."""
    free, momentum = real2(at, P.FREE), real2(at, P.MOMENTUM)
    for i in range(free.shape[0]):
        for k in range(3):
            free[i, 3 + k] += momentum[i, k]
    return GO_ON


def prescribe(at):
    """Velocities that bodies with a prescribed motion have at the end."""
    free, body, velocity = real2(at, P.FREE), whole1(at, P.MOTION_BODY), real3(at, P.MOTION_VELOCITY)
    step = whole1(at, P.NUMBERS)[P.STEP_DONE]
    for m in range(body.shape[0]):
        for k in range(6):
            free[body[m], k] = velocity[step, m, k]
    return GO_ON


def load_bodies(at):
    """Impulses of the loads (B, 6), and what they do to the velocities."""
    h, step = real1(at, P.OPTIONS)[P.H], whole1(at, P.NUMBERS)[P.STEP_DONE]
    body, in_body, point = whole1(at, P.LOAD_BODY), flag1(at, P.LOAD_IN_BODY), real2(at, P.LOAD_POINT)
    value, impulse, free = real3(at, P.LOAD_VALUE), real2(at, P.LOAD_IMPULSE), real2(at, P.FREE)
    turned, Q = real2(at, P.TURNED), np.empty((3, 3))
    inverse_mass, world, pushed = real1(at, P.INVERSE_MASS), real3(at, P.WORLD), flag1(at, P.CAN_BE_PUSHED)
    clear2(impulse, impulse.shape[0])
    for m in range(body.shape[0]):
        b, given = body[m], value[step, m]
        if not pushed[b]:
            continue
        rotation_matrix(turned, b, Q)
        f0, f1, f2, t0, t1, t2 = given[0], given[1], given[2], given[3], given[4], given[5]
        if in_body[m]:
            f0, f1, f2 = (
                Q[0, 0] * given[0] + Q[0, 1] * given[1] + Q[0, 2] * given[2],
                Q[1, 0] * given[0] + Q[1, 1] * given[1] + Q[1, 2] * given[2],
                Q[2, 0] * given[0] + Q[2, 1] * given[1] + Q[2, 2] * given[2],
            )
            t0, t1, t2 = (
                Q[0, 0] * given[3] + Q[0, 1] * given[4] + Q[0, 2] * given[5],
                Q[1, 0] * given[3] + Q[1, 1] * given[4] + Q[1, 2] * given[5],
                Q[2, 0] * given[3] + Q[2, 1] * given[4] + Q[2, 2] * given[5],
            )
        x = Q[0, 0] * point[m, 0] + Q[0, 1] * point[m, 1] + Q[0, 2] * point[m, 2]
        y = Q[1, 0] * point[m, 0] + Q[1, 1] * point[m, 1] + Q[1, 2] * point[m, 2]
        z = Q[2, 0] * point[m, 0] + Q[2, 1] * point[m, 1] + Q[2, 2] * point[m, 2]
        impulse[b, 0] += h * f0
        impulse[b, 1] += h * f1
        impulse[b, 2] += h * f2
        impulse[b, 3] += h * (t0 + y * f2 - z * f1)
        impulse[b, 4] += h * (t1 + z * f0 - x * f2)
        impulse[b, 5] += h * (t2 + x * f1 - y * f0)
    for i in range(free.shape[0]):
        if pushed[i]:
            for k in range(3):
                free[i, k] += inverse_mass[i] * impulse[i, k]
                free[i, 3 + k] += (
                    world[i, k, 0] * impulse[i, 3] + world[i, k, 1] * impulse[i, 4] + world[i, k, 2] * impulse[i, 5]
                )
    return GO_ON
