"""Motion of bodies under history friction: a half-implicit Euler step of all of them.  Never raise."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import JIT, rotate_by, rotation_matrix
from trundle.kernels.space import GO_ON, copy2, flag1, flag2, real1, real2, real3, whole1
from trundle.step.kernels import history_places as Q
from trundle.step.kernels import places as P
from trundle.step.kernels.finish import FAST
from trundle.step.kernels.history import INLINE, cross, dot, plus, put_vector, rotation_by, vector_of
from trundle.step.kernels.history_paths import in_body


@njit(**INLINE)
def through_body(R, tensor, i, x):
    """R tensor[i] R^T x."""
    y = in_body(R, x)
    z = (
        tensor[i, 0, 0] * y[0] + tensor[i, 0, 1] * y[1] + tensor[i, 0, 2] * y[2],
        tensor[i, 1, 0] * y[0] + tensor[i, 1, 1] * y[1] + tensor[i, 1, 2] * y[2],
        tensor[i, 2, 0] * y[0] + tensor[i, 2, 1] * y[1] + tensor[i, 2, 2] * y[2],
    )
    return (
        R[0, 0] * z[0] + R[0, 1] * z[1] + R[0, 2] * z[2],
        R[1, 0] * z[0] + R[1, 1] * z[1] + R[1, 2] * z[2],
        R[2, 0] * z[0] + R[2, 1] * z[1] + R[2, 2] * z[2],
    )


@njit(**INLINE)
def turn_body(orientation, i, x, turns):
    """Turn body i by the rotation vector x [rad]; turns[i]: the rotation, 9 numbers."""
    T, square = rotation_by(x[0], x[1], x[2]), dot(x, x)
    for k in range(3):
        turns[i, 3 * k], turns[i, 3 * k + 1], turns[i, 3 * k + 2] = T[3 * k], T[3 * k + 1], T[3 * k + 2]
    if square < 1e-4:  # the angles of nearly all steps: series instead of roots, sines and cosines
        half = 0.5 - square / 48.0 * (1.0 - square / 80.0)
        c = 1.0 - square / 8.0 * (1.0 - square / 48.0 * (1.0 - square / 120.0))
        q0, q = orientation[i, 0], vector_of(orientation, i, 1)
        x = half * x[0], half * x[1], half * x[2]
        w, y = c * q0 - dot(x, q), plus(plus(cross(x, q), c, q), q0, x)
        norm = 1.0 / math.sqrt(w * w + dot(y, y))
        orientation[i, 0] = norm * w
        put_vector(orientation, i, 1, (norm * y[0], norm * y[1], norm * y[2]))
    else:
        rotate_by(orientation, i, x[0], x[1], x[2])


@njit(**JIT)
def swing(i, h, torque, inertia, inverse, orientation, omega, R, turning):
    """Angular velocity of body i in the middle of a step, which turns it; its angular momentum advances by h torque."""
    rotation_matrix(orientation, i, R)
    momentum = plus(through_body(R, inertia, i, vector_of(omega, i, 0)), h, torque)
    spin = through_body(R, inverse, i, momentum)
    for k in range(4):
        turning[0, k] = orientation[i, k]
    rotate_by(turning, 0, 0.5 * h * spin[0], 0.5 * h * spin[1], 0.5 * h * spin[2])
    rotation_matrix(turning, 0, R)
    return momentum, through_body(R, inverse, i, momentum)


@njit(**JIT)
def swing_about(axis, h, torque, inertia, orientation, omega, R, i):
    """Angular velocity of body i, which turns about one axis of the world; its moment of inertia about it does not change."""
    e = (1.0 if axis == 0 else 0.0, 1.0 if axis == 1 else 0.0, 1.0 if axis == 2 else 0.0)
    rotation_matrix(orientation, i, R)
    w = omega[i, axis] + h * torque[axis] / dot(e, through_body(R, inertia, i, e))
    return e[0] * w, e[1] * w, e[2] * w


def move(at):
    """v += h a, x += h v (half-implicit Euler); the angular momentum is advanced, and bodies turn at the velocity of the middle.

    A free body keeps its angular momentum to round-off.
    """
    options, results, counts = real1(at, P.OPTIONS), real1(at, P.RESULTS), whole1(at, Q.COUNTS)
    h, free, g, pull = options[P.H], whole1(at, P.MOVABLE), real1(at, P.GRAVITY), real2(at, Q.PULLS)
    position, orientation = real2(at, P.POSITION), real2(at, P.ORIENTATION)
    velocity, omega, turns = real2(at, P.VELOCITY), real2(at, P.ANGULAR_VELOCITY), real2(at, Q.TURNS)
    inverse_mass, inertia, inverse = real1(at, P.INVERSE_MASS), real3(at, P.INERTIA), real3(at, P.INVERSE_INERTIA)
    round_one, given, place = flag1(at, P.ROUND), real2(at, P.LOAD_IMPULSE), real2(at, P.NEAR_PLACE)
    loaded = whole1(at, P.LOAD_BODY).shape[0] > 0 or real2(at, P.FIELD_FORCE).shape[0] > 0
    locked = flag2(at, Q.LOCKED)
    some = locked.shape[0] > 0
    R, turning = np.empty((3, 3)), np.empty((1, 4))
    copy2(position, real2(at, P.BEFORE), position.shape[0])
    farthest, fastest, work = 0.0, 0.0, 0.0
    for m in range(free.shape[0]):
        i = free[m]
        push, torque = vector_of(pull, i, 0), vector_of(pull, i, 3)
        v0, w0 = vector_of(velocity, i, 0), vector_of(omega, i, 0)
        if loaded:
            push, torque = plus(push, 1.0 / h, vector_of(given, i, 0)), plus(torque, 1.0 / h, vector_of(given, i, 3))
        distance = 0.0
        for k in range(3):
            if not (some and locked[i, k]):
                velocity[i, k] += h * (push[k] * inverse_mass[i] + g[k])
            position[i, k] += h * velocity[i, k]
            fastest = max(fastest, abs(velocity[i, k]))
            distance += (position[i, k] - place[i, k]) ** 2
        farthest = max(farthest, distance)
        if some and (locked[i, 3] or locked[i, 4] or locked[i, 5]):
            w = 0.0, 0.0, 0.0
            for k in range(3):
                if not locked[i, 3 + k]:
                    w = swing_about(k, h, torque, inertia, orientation, omega, R, i)
            turn_body(orientation, i, (h * w[0], h * w[1], h * w[2]), turns)
        elif round_one[i]:
            w = plus(w0, h * inverse[i, 0, 0], torque)
            turn_body(orientation, i, (h * w[0], h * w[1], h * w[2]), turns)
        else:
            momentum, w = swing(i, h, torque, inertia, inverse, orientation, omega, R, turning)
            turn_body(orientation, i, (h * w[0], h * w[1], h * w[2]), turns)
            rotation_matrix(orientation, i, R)
            w = through_body(R, inverse, i, momentum)
        put_vector(omega, i, 0, w)
        if loaded:
            work += 0.5 * dot(vector_of(given, i, 0), plus(v0, 1.0, vector_of(velocity, i, 0)))
            work += 0.5 * dot(vector_of(given, i, 3), plus(w0, 1.0, w))
    body, wanted, step = whole1(at, P.MOTION_BODY), real3(at, P.MOTION_VELOCITY), whole1(at, P.NUMBERS)[P.STEP_DONE]
    for m in range(body.shape[0]):
        i = body[m]
        for k in range(3):
            work -= 0.5 * h * pull[i, k] * (velocity[i, k] + wanted[step, m, k])
            work -= 0.5 * h * pull[i, 3 + k] * (omega[i, k] + wanted[step, m, 3 + k])
            velocity[i, k], omega[i, k] = wanted[step, m, k], wanted[step, m, 3 + k]
            position[i, k] += h * velocity[i, k]
        turn_body(orientation, i, (h * omega[i, 0], h * omega[i, 1], h * omega[i, 2]), turns)
    results[P.GIVEN] = work
    last = step + 1 == real2(at, P.STEPS).shape[0]
    counts[Q.NOTED] = 1 if last or h * fastest > 0.999 * FAST * options[P.LEAST_SIZE] else 0
    if not farthest <= real1(at, Q.LIST_REACH)[Q.ROOM]:  # also where it is not a number
        counts[Q.STALE] = 1
    return GO_ON
