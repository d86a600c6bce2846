"""Pairs that may have closed within a step although they were no contacts when it began.  Compiled; never raises.

Contacts are looked for with the velocities before the solve.  A body that another one hits within the step may get faster
and reach what it could not reach before.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.mesh import next_leaf, to_mesh
from trundle.detect.kernels.plane import CAPSULE, CLUMP, SPHERE
from trundle.detect.kernels.support import support
from trundle.kernels.rotations import INNER, JIT

VERTEX, BALL = 0, 3
DEEP = 0.01  # of the smaller body: overlap at the end of the step from which on a pair is worth another look


@njit(**INNER)
def farthest(s, i, R, dx, dy, dz):
    """Point of body i, whatever its shape, that is farthest in a direction, relative to its centre, world axes."""
    kind, r = s.kind[i], 0.0
    x, y, z = 0.0, 0.0, 0.0
    if kind == SPHERE:
        r = s.size[i, 0]
    elif kind == CLUMP:
        best = -np.inf
        for k in range(s.first[i, BALL], s.first[i, BALL] + s.length[i, BALL]):
            v = s.ball[k]
            px = R[i, 0, 0] * v[0] + R[i, 0, 1] * v[1] + R[i, 0, 2] * v[2]
            py = R[i, 1, 0] * v[0] + R[i, 1, 1] * v[1] + R[i, 1, 2] * v[2]
            pz = R[i, 2, 0] * v[0] + R[i, 2, 1] * v[1] + R[i, 2, 2] * v[2]
            value = dx * px + dy * py + dz * pz + v[3]
            if value > best:
                best, x, y, z, r = value, px, py, pz, v[3]
    else:
        corners = s.vertex[s.first[i, VERTEX] : s.first[i, VERTEX] + s.length[i, VERTEX]]
        x, y, z = support(kind, s.size[i], R[i], corners, dx, dy, dz)
        if kind == CAPSULE:
            r = s.size[i, 0]
    return x + r * dx, y + r * dy, z + r * dz


@njit(**INNER)
def height_after(s, i, R, position, velocity, turning, h, nx, ny, nz):
    """How high the lowest point of body i along n is, after h at these velocities."""
    x, y, z = farthest(s, i, R, -nx, -ny, -nz)
    x, y, z = x + position[i, 0], y + position[i, 1], z + position[i, 2]
    vx, vy, vz = velocity_at(i, position, velocity, turning, x, y, z)
    return nx * (x + h * vx) + ny * (y + h * vy) + nz * (z + h * vz)


@njit(**INNER)
def balls_after(s, a, b, R, position, velocity, turning, h):
    """The smallest gap of the balls of two bodies that are spheres or clumps, after h at these velocities."""
    least = np.inf
    balls_a, balls_b = s.length[a, BALL] if s.kind[a] == CLUMP else 1, s.length[b, BALL] if s.kind[b] == CLUMP else 1
    for i in range(balls_a):
        ax, ay, az, ra = ball_centre(s, a, i, R, position)
        ux, uy, uz = velocity_at(a, position, velocity, turning, ax, ay, az)
        for j in range(balls_b):
            x, y, z, rb = ball_centre(s, b, j, R, position)
            vx, vy, vz = velocity_at(b, position, velocity, turning, x, y, z)
            x, y, z = x - ax, y - ay, z - az
            length = math.sqrt(x * x + y * y + z * z) + 1e-300
            least = min(least, length - ra - rb + h * (x * (vx - ux) + y * (vy - uy) + z * (vz - uz)) / length)
    return least


@njit(**INNER)
def velocity_at(i, position, velocity, turning, x, y, z):
    """Velocity of the point (x, y, z) of body i."""
    x, y, z = x - position[i, 0], y - position[i, 1], z - position[i, 2]
    return (
        velocity[i, 0] + turning[i, 1] * z - turning[i, 2] * y,
        velocity[i, 1] + turning[i, 2] * x - turning[i, 0] * z,
        velocity[i, 2] + turning[i, 0] * y - turning[i, 1] * x,
    )


@njit(**INNER)
def ball_centre(s, i, k, R, position):
    """Centre, world frame, and radius of ball k of a clump; of other bodies their own."""
    x, y, z, r = position[i, 0], position[i, 1], position[i, 2], s.size[i, 0]
    if s.kind[i] == CLUMP:
        m = s.first[i, BALL] + k
        bx, by, bz, r = s.ball[m, 0], s.ball[m, 1], s.ball[m, 2], s.ball[m, 3]
        x += R[i, 0, 0] * bx + R[i, 0, 1] * by + R[i, 0, 2] * bz
        y += R[i, 1, 0] * bx + R[i, 1, 1] * by + R[i, 1, 2] * bz
        z += R[i, 2, 0] * bx + R[i, 2, 1] * by + R[i, 2, 2] * bz
    return x, y, z, r


@njit(**INNER)
def is_contact(body, a, b):
    """Whether a pair is among contacts (C, 2), which are sorted."""
    low, high = 0, body.shape[0]
    while low < high:
        m = (low + high) // 2
        if body[m, 0] < a or (body[m, 0] == a and body[m, 1] < b):
            low = m + 1
        else:
            high = m
    return low < body.shape[0] and body[low, 0] == a and body[low, 1] == b


@njit(**INNER)
def note(count, found, a, b):
    """Write a pair if there is room; returns the count either way."""
    if count < found.shape[0]:
        found[count, 0] = a
        found[count, 1] = b
    return count + 1


@njit(**JIT)
def pairs_to_look_at(h, position, velocity, turning, present, s, lists, room, near, mesh, on, body, found):
    """Pairs that are no contacts, but would overlap by more than 1 % of the smaller body after h at these velocities.

    position: where the contacts `body` (C, 2) were found; s, lists, room, near: as `find_contacts` left them; velocity,
    turning (B, 3): after the solve.  The gap of two bodies is that along the direction that is known to separate them, or
    of their nearest balls, and changes at the velocity of their farthest points.  Meshes (None: there are none) are looked
    at again for every body that has become faster by 1 % of its size per step and may reach them.
    Returns how many there are, written to found (.., 2) as far as there is room.
    """
    count, R = 0, room.R
    for k in range(lists.planes.shape[0]):
        a, n = lists.planes[k], room.plane[k]
        for group in range(2):
            index = lists.others if group else lists.spheres
            for m in range(index.shape[0]):
                b = index[m]
                if not present[b] or is_contact(body, a, b):
                    continue
                top = n[3] + h * (n[0] * velocity[a, 0] + n[1] * velocity[a, 1] + n[2] * velocity[a, 2])
                low = height_after(s, b, R, position, velocity, turning, h, n[0], n[1], n[2])
                if low - top < -DEEP * s.radius[b]:
                    count = note(count, found, a, b)
    for k in range(near.counts[0]):
        a, b = near.pairs[k, 0], near.pairs[k, 1]
        if (lists.held[a] and lists.held[b]) or is_contact(body, a, b):
            continue
        if (s.kind[a] == SPHERE or s.kind[a] == CLUMP) and (s.kind[b] == SPHERE or s.kind[b] == CLUMP):
            gap = balls_after(s, a, b, R, position, velocity, turning, h)
        else:
            x, y, z = near.axis[k, 0], near.axis[k, 1], near.axis[k, 2]
            gap = height_after(s, b, R, position, velocity, turning, h, x, y, z)
            gap += height_after(s, a, R, position, velocity, turning, h, -x, -y, -z)
        if gap < -DEEP * min(s.radius[a], s.radius[b]):
            count = note(count, found, a, b)
    if mesh is not None:
        for k in range(lists.meshes.shape[0]):
            a = lists.meshes[k]
            for group in range(2):
                index = lists.others if group else lists.spheres
                for m in range(index.shape[0]):
                    b = index[m]
                    v, w, r = velocity[b], turning[b], s.radius[b]
                    reach = h * math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
                    if s.kind[b] != SPHERE:
                        reach += h * r * math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
                    if not present[b] or reach < room.reach[b] + DEEP * r or is_contact(body, a, b):
                        continue
                    x, y, z = to_mesh(position[a], R[a], position[b, 0], position[b, 1], position[b, 2])
                    on.stack[0] = 1
                    leaf, top = next_leaf(mesh, a, 1, on.stack, x, y, z, r + reach + room.reach[a])
                    if leaf >= 0:
                        count = note(count, found, a, b)
    return count
