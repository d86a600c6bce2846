"""How bodies move within a step with impacts, and how gaps close.  Never raise.  See docs/time-stepping.md.

Between impacts they move along parabolas: at time t of the step, from the middle, (1 - theta) h,

    way = (t - (1 - theta) h) start + theta t^2 acceleration + t kick - kick_time,      v = start + t acceleration + kick

with kick (B, 6) the jumps so far and kick_time (B, 6) each of them times its time.

"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numba import njit

from trundle.kernels.rotations import INNER, rotate_by, rotation_matrix
from trundle.kernels.space import copy2, flag1, real1, real2, real3, whole1, whole2
from trundle.kinds import SPHERE
from trundle.step.kernels import places as P

REST = 0.5  # of the speed that acceleration gives within a step: approaches that are not faster do not bounce

Flight = namedtuple("Flight", "start acceleration kick kick_time h theta")
Touch = namedtuple("Touch", "body normal arm gap radius kind joints middle moves")


@njit(**INNER)
def flight(at):
    """How bodies move in this step."""
    options = real1(at, P.OPTIONS)
    return Flight(
        real2(at, P.START),
        real2(at, P.ACCELERATION),
        real2(at, P.KICK),
        real2(at, P.KICK_TIME),
        options[P.H],
        options[P.THETA],
    )


@njit(**INNER)
def touch(at):
    """The contacts in the middle of the step."""
    return Touch(
        whole2(at, P.BODY), real2(at, P.NORMAL), real3(at, P.ARM), real1(at, P.GAP), real2(at, P.RADIUS), whole1(at, P.KIND),
        whole2(at, P.JOINT_BODY).shape[0], real2(at, P.MIDDLE), flag1(at, P.MOVES),
    )  # fmt: skip


@njit(**INNER)
def way_of(f, i, t, out):
    """Displacement and turn (6,) of body i from the middle until t."""
    for k in range(6):
        out[k] = f.start[i, k] * (t - (1.0 - f.theta) * f.h) + f.theta * f.acceleration[i, k] * t * t
        out[k] += f.kick[i, k] * t - f.kick_time[i, k]


@njit(**INNER)
def gap_at(f, c, n, t, z, y):
    """Gap at time t, its rate along the path, half of the second rate, and the velocity with which it opens.

    Spheres pass each other on a curve; the normal of all others stays as it is in the middle.  n (3,): the normal at t.
    z, y (2, 6): work.
    """
    i, a, b, x = c.joints + n, c.body[n, 0], c.body[n, 1], c.normal[n]
    rate, speed, half, gap = 0.0, 0.0, 0.0, c.gap[n]
    both = c.kind[a] == SPHERE and c.kind[b] == SPHERE
    way_of(f, a, t, z[0])
    way_of(f, b, t, z[1])
    nx, ny, nz = x[0], x[1], x[2]
    if both:
        size = c.radius[n, 0] + c.radius[n, 1]
        reach = size + c.gap[n]
        dx, dy, dz = reach * nx + z[1, 0] - z[0, 0], reach * ny + z[1, 1] - z[0, 1], reach * nz + z[1, 2] - z[0, 2]
        distance = math.sqrt(dx * dx + dy * dy + dz * dz)
        nx, ny, nz, gap = dx / distance, dy / distance, dz / distance, distance - size
        square = 0.0
        for k in range(3):
            m = nx if k == 0 else ny if k == 1 else nz
            w = f.start[b, k] - f.start[a, k] + f.kick[b, k] - f.kick[a, k]
            l = f.acceleration[b, k] - f.acceleration[a, k]
            rate += m * (w + 2.0 * f.theta * t * l)
            speed += m * (w + t * l)
            half += m * f.theta * l
            square += (w + 2.0 * f.theta * t * l) ** 2
        half += 0.5 * (square - rate * rate) / distance
    else:
        for side in range(2):
            gap += (-1.0 if side == 0 else 1.0) * along(x, c.arm[i, side], z[side])
        arms_at(c, n, z, y)
        for side in range(2):
            j, sign, r, d = c.body[n, side], -1.0 if side == 0 else 1.0, y[side, :3], c.arm[i, side]
            l, s, k = f.acceleration[j], f.start[j], f.kick[j]
            across = along(x, r, l)
            part = along(x, r, s) + along(x, r, k)
            rate += sign * (part + 2.0 * f.theta * t * across)
            speed += sign * (part + t * across)
            half += sign * f.theta * across
            if c.radius[n, side] == np.inf:  # corners go round the centre
                gap += sign * 0.5 * centripetal(x, d, z[side, 3], z[side, 4], z[side, 5])
                half += sign * 0.5 * centripetal(x, d, s[3] + k[3], s[4] + k[4], s[5] + k[5])
    return gap, rate, half, speed, nx, ny, nz


@njit(**INNER)
def arms_at(c, n, z, y):
    """Arms y (2, :3) of contact n of bodies that are no pair of spheres, displaced and turned by z (2, 6) from the middle.

    Both lead to one point, which keeps angular momentum: that of the round body, or of the one that moves.
    """
    i, a, b = c.joints + n, c.body[n, 0], c.body[n, 1]
    share = 0.5
    if not c.moves[a] or (c.radius[n, 0] == np.inf and c.radius[n, 1] < np.inf):
        share = 1.0
    elif not c.moves[b] or (c.radius[n, 1] == np.inf and c.radius[n, 0] < np.inf):
        share = 0.0
    for side in range(2):  # the point of each surface, half of the gap away, seen from the body: a corner turns with it
        r, half = c.arm[i, side], -0.5 * c.gap[n] if side == 0 else 0.5 * c.gap[n]
        for k in range(3):
            y[side, k] = r[k] + half * c.normal[n, k]
        if c.radius[n, side] == np.inf:
            y[side, 0] += z[side, 4] * r[2] - z[side, 5] * r[1]
            y[side, 1] += z[side, 5] * r[0] - z[side, 3] * r[2]
            y[side, 2] += z[side, 3] * r[1] - z[side, 4] * r[0]
    for k in range(3):
        apart = y[1, k] + c.middle[b, k] - c.middle[a, k] + z[1, k] - z[0, k] - y[0, k]
        y[0, k] += share * apart
        y[1, k] -= (1.0 - share) * apart


@njit(**INNER)
def centripetal(n, r, x, y, z):
    """n . w x (w x r) with w = (x, y, z)."""
    dot, square = x * r[0] + y * r[1] + z * r[2], x * x + y * y + z * z
    return n[0] * (x * dot - r[0] * square) + n[1] * (y * dot - r[1] * square) + n[2] * (z * dot - r[2] * square)


@njit(**INNER)
def along(n, r, v):
    """n . (v + w x r) of a twist (v, w) (6,)."""
    return (
        n[0] * (v[0] + v[4] * r[2] - v[5] * r[1])
        + n[1] * (v[1] + v[5] * r[0] - v[3] * r[2])
        + n[2] * (v[2] + v[3] * r[1] - v[4] * r[0])
    )


@njit(**INNER)
def time_to_close(gap, rate, half):
    """Time until  gap + rate t + half t^2  falls to zero or below, inf if it never does."""
    if gap <= 0.0 and (rate < 0.0 or (rate == 0.0 and half < 0.0)):
        return 0.0
    square = rate * rate - 4.0 * half * gap
    if gap > 0.0 and rate < 0.0 and square >= 0.0:
        return 2.0 * gap / (math.sqrt(square) - rate)
    if half >= 0.0:
        return np.inf
    # it opens first, and comes back; from below zero it may never get out
    return (rate + math.sqrt(square)) / (-2.0 * half) if square >= 0.0 else rate / (-2.0 * half)


@njit(**INNER)
def rest_speed(at, f, c, n):
    """Approach speed [m/s] up to which contact n does not bounce: half of what loads and weight give within a step."""
    free, most = real2(at, P.FREE_BEFORE), 0.0
    for side in range(2):
        i, square = c.body[n, side], 0.0
        for k in range(3):
            square += (free[i, k] - f.start[i, k]) ** 2
        most = max(most, square)
    return REST * math.sqrt(most)


@njit(**INNER)
def conjugate(q, i, T, x, out):
    """out = R T R^T x with the rotation R of the quaternion q[i]."""
    R, a, b = np.empty((3, 3)), np.empty(3), np.empty(3)
    rotation_matrix(q, i, R)
    for k in range(3):
        a[k] = R[0, k] * x[0] + R[1, k] * x[1] + R[2, k] * x[2]
    for k in range(3):
        b[k] = T[k, 0] * a[0] + T[k, 1] * a[1] + T[k, 2] * a[2]
    for k in range(3):
        out[k] = R[k, 0] * b[0] + R[k, 1] * b[1] + R[k, 2] * b[2]


@njit(**INNER)
def momentum_at(at, f, i, t, out):
    """Angular momentum (3,) of body i at time t, world frame: velocities are those that it has in the middle."""
    w = np.empty(3)
    for k in range(3):
        w[k] = f.start[i, 3 + k] + t * f.acceleration[i, 3 + k] + f.kick[i, 3 + k]
    conjugate(real2(at, P.TURNED), i, real3(at, P.INERTIA)[i], w, out)


@njit(**INNER)
def turn_to(at, f, i, t, q):
    """Orientation q (1, 4) of body i at time t, from that of its last impact on, with its angular momentum kept.

    At the middle of the way there, as bodies in free flight turn.
    """
    last, inverse = real2(at, P.LAST_TURN), real3(at, P.INVERSE_INERTIA)[i]
    begin, L, w = real1(at, P.LAST_TIME)[i], np.empty(3), np.empty(3)
    way = t - begin
    momentum_at(at, f, i, 0.5 * (begin + t), L)
    copy2(last[i : i + 1], q, 1)
    conjugate(q, 0, inverse, L, w)
    rotate_by(q, 0, 0.5 * way * w[0], 0.5 * way * w[1], 0.5 * way * w[2])
    conjugate(q, 0, inverse, L, w)
    copy2(last[i : i + 1], q, 1)
    rotate_by(q, 0, way * w[0], way * w[1], way * w[2])


@njit(**INNER)
def tumbles(at, i):
    """Whether body i changes its angular velocity in free flight."""
    keeps, movable = real1(at, P.OPTIONS)[P.KEEPS_MOMENTUM] != 0.0, flag1(at, P.CAN_BE_PUSHED)[i]
    return keeps and movable and not flag1(at, P.ROUND)[i]
