"""Contacts of spheres and clumps with each other and with convex bodies, compiled; never raises."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.contacts import put
from trundle.detect.kernels.point import point_shape
from trundle.kernels.rotations import INNER
from trundle.kinds import CLUMP, SPHERE

BALL = 3


@njit(**INNER)
def world_balls(s, position, R, first, ball):
    """Centres and radii of the balls that spheres and clumps are made of, world frame, written to ball (.., 4).

    first (B + 1,): where those of a body begin; returns how many there are, written or not.
    """
    count = 0
    for i in range(s.kind.shape[0]):
        first[i] = count
        p = position[i]
        if s.kind[i] == SPHERE:
            if count < ball.shape[0]:
                ball[count, 0], ball[count, 1], ball[count, 2], ball[count, 3] = p[0], p[1], p[2], s.size[i, 0]
            count += 1
        elif s.kind[i] == CLUMP:
            Q = R[i]
            for k in range(s.first[i, BALL], s.first[i, BALL] + s.length[i, BALL]):
                v = s.ball[k]
                if count < ball.shape[0]:
                    for j in range(3):
                        ball[count, j] = p[j] + Q[j, 0] * v[0] + Q[j, 1] * v[1] + Q[j, 2] * v[2]
                    ball[count, 3] = v[3]
                count += 1
    first[s.kind.shape[0]] = count
    return count


@njit(**INNER)
def ball_contacts(s, placed, pairs, pair_count, count, whole, real):
    """Contacts among near pairs of clumps with clumps and spheres."""
    first = np.empty(s.kind.shape[0] + 1, np.int64)
    ball = np.empty((world_balls(s, placed.position, placed.R, first, np.empty((0, 4))), 4))
    world_balls(s, placed.position, placed.R, first, ball)
    for k in range(pair_count):
        a, b = pairs[k, 0], pairs[k, 1]
        balls_a, balls_b = first[a + 1] - first[a], first[b + 1] - first[b]
        if balls_a == 0 or balls_b == 0 or (placed.held[a] and placed.held[b]):
            continue
        if s.kind[a] == SPHERE and s.kind[b] == SPHERE:
            continue
        far = placed.margin + placed.reach[a] + placed.reach[b]
        q = placed.position[b]
        for i in range(first[a], first[a + 1]):
            ax, ay, az, ra = ball[i, 0], ball[i, 1], ball[i, 2], ball[i, 3]
            dx, dy, dz = q[0] - ax, q[1] - ay, q[2] - az
            limit = ra + s.radius[b] + far
            if dx * dx + dy * dy + dz * dz >= limit * limit:
                continue
            for j in range(first[b], first[b + 1]):
                dx, dy, dz = ball[j, 0] - ax, ball[j, 1] - ay, ball[j, 2] - az
                rb = ball[j, 3]
                square, limit = dx * dx + dy * dy + dz * dz, ra + rb + far
                if square >= limit * limit:
                    continue
                distance = math.sqrt(square)
                gap = distance - ra - rb
                if distance > 0.0:
                    dx /= distance
                    dy /= distance
                    dz /= distance
                else:
                    dx, dy, dz = 0.0, 0.0, 1.0
                along = ra + 0.5 * gap
                count = put(
                    count, whole, real, a, b, (i - first[a]) * balls_b + j - first[b], ax + along * dx, ay + along * dy,
                    az + along * dz, dx, dy, dz, gap, ra, rb,
                )  # fmt: skip
    return count


@njit(**INNER)
def ball_shape_contacts(s, placed, pairs, axis, pair_count, count, whole, real):
    """Contacts among near pairs of spheres or clumps with convex bodies; axis (.., 3): normals of the nearest balls."""
    position, R = placed.position, placed.R
    first = np.empty(s.kind.shape[0] + 1, np.int64)
    ball = np.empty((world_balls(s, position, R, first, np.empty((0, 4))), 4))
    world_balls(s, position, R, first, ball)
    for k in range(pair_count):
        a, b = pairs[k, 0], pairs[k, 1]
        if (first[a] < first[a + 1]) == (first[b] < first[b + 1]) or (placed.held[a] and placed.held[b]):
            continue
        far = placed.margin + placed.reach[a] + placed.reach[b]
        body, other = (a, b) if first[b] < first[b + 1] else (b, a)
        least, sign = np.inf, 1.0 if body == a else -1.0
        for i in range(first[other], first[other + 1]):
            x, y, z, r = ball[i, 0], ball[i, 1], ball[i, 2], ball[i, 3]
            distance, nx, ny, nz, curve = point_shape(s, body, position[body], R[body], x, y, z)
            gap = distance - r
            if gap < least:
                least = gap
                axis[k, 0], axis[k, 1], axis[k, 2] = sign * nx, sign * ny, sign * nz
            if gap < far:
                along = r + 0.5 * gap
                curve_a, curve_b = (curve, r) if body == a else (r, curve)
                count = put(
                    count, whole, real, a, b, i - first[other], x - along * nx, y - along * ny, z - along * nz, sign * nx,
                    sign * ny, sign * nz, gap, curve_a, curve_b,
                )  # fmt: skip
    return count
