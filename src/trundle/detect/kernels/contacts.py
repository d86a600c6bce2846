"""Contact detection for spheres, and what is common to all contacts, compiled.

A contact is a row of two buffers: whole (N, 4) = bodies a, b, the number of the feature, which with the bodies identifies
the contact from step to step, and the triangle of a mesh a; real (N, 10) = point, unit normal from a to b, gap, radii of
curvature of a and b there (inf where flat), and a push that is set by `step.kernels.ahead`.  A full buffer is reported by the
count that was needed.  Never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import INNER, JIT
from trundle.kernels.search import place_of
from trundle.kinds import SPHERE

WHOLES, ON = 4, 3  # columns of `whole`, and that of the triangle
REALS, PUSH = 10, 9  # columns of `real`, and that of the push of contacts that are found ahead
SEARCHES = 5  # at most within a step: features are numbered anew in each
RADIUS, REACH, FREE, PACKED = 3, 4, 5, 8  # columns of `pack_spheres`, and how many there are


@njit(**INNER)
def put(count, whole, real, a, b, feature, px, py, pz, nx, ny, nz, gap, radius_a, radius_b):
    """Write a contact if there is room; returns the count either way."""
    if count < whole.shape[0]:
        whole[count, 0] = a
        whole[count, 1] = b
        whole[count, 2] = feature
        real[count, 0], real[count, 1], real[count, 2] = px, py, pz
        real[count, 3], real[count, 4], real[count, 5] = nx, ny, nz
        real[count, 6], real[count, 7], real[count, 8] = gap, radius_a, radius_b
    return count + 1


@njit(**JIT)
def reaches(h, kind, radius, velocity, angular_velocity, reach):
    """How far a point of each body can get within h: h (|v| + |omega| r), written to reach (B,)."""
    for i in range(velocity.shape[0]):
        v = velocity[i]
        speed = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
        if kind[i] != SPHERE and radius[i] < np.inf:
            w = angular_velocity[i]
            speed += radius[i] * math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
        reach[i] = h * speed


# --- spheres -------------------------------------------------------------------------------------------------------------


@njit(**INNER)
def pack_spheres(kind, held, size, position, reach, margin, packed):
    """What pairs need to know of a body in one line of cache, packed (B, 8): position, radius, reach, 1 if it can be pushed.

    The radius is NaN if it is not a sphere.  Reaches contain half of the margin.
    """
    for i in range(kind.shape[0]):
        for k in range(3):
            packed[i, k] = position[i, k]
        packed[i, RADIUS] = size[i, 0] if kind[i] == SPHERE else np.nan
        packed[i, REACH] = reach[i] + 0.5 * margin
        packed[i, FREE] = 0.0 if held[i] else 1.0


@njit(**JIT)
def sphere_pairs(pairs, first, last, packed, count, whole, real):
    """Contacts among the near pairs first to last - 1 of two spheres."""
    for k in range(first, last):
        a, b = pairs[k, 0], pairs[k, 1]
        dx = packed[b, 0] - packed[a, 0]
        dy = packed[b, 1] - packed[a, 1]
        dz = packed[b, 2] - packed[a, 2]
        square = dx * dx + dy * dy + dz * dz
        ra, rb = packed[a, RADIUS], packed[b, RADIUS]
        room = packed[a, REACH] + packed[b, REACH]
        # most near pairs are not contacts: they need no root; nor are those of other shapes, which are no numbers
        if not square <= (1.0 + 1e-9) * (ra + rb + room) ** 2:
            continue
        if packed[a, FREE] + packed[b, FREE] == 0.0:
            continue
        distance = math.sqrt(square)
        g = distance - ra - rb
        if g >= room:
            continue
        if distance > 0.0:
            inverse = 1.0 / distance
            dx *= inverse
            dy *= inverse
            dz *= inverse
        else:  # concentric: any direction separates them
            dx, dy, dz = 0.0, 0.0, 1.0
        along = ra + 0.5 * g
        count = put(
            count, whole, real, a, b, 0, packed[a, 0] + along * dx, packed[a, 1] + along * dy,
            packed[a, 2] + along * dz, dx, dy, dz, g, ra, rb,
        )  # fmt: skip
    return count


@njit(**JIT)
def sphere_planes(planes, plane, spheres, size, position, reach, margin, count, whole, real):
    """Contacts of half-spaces, plane (P, 4) = world normal and offset, with spheres."""
    for k in range(planes.shape[0]):
        a = planes[k]
        nx, ny, nz, offset = plane[k, 0], plane[k, 1], plane[k, 2], plane[k, 3]
        for m in range(spheres.shape[0]):
            b = spheres[m]
            x, y, z, r = position[b, 0], position[b, 1], position[b, 2], size[b, 0]
            g = nx * x + ny * y + nz * z - offset - r
            if g < margin + reach[a] + reach[b]:
                depth = r + 0.5 * g
                count = put(
                    count,
                    whole,
                    real,
                    a,
                    b,
                    0,
                    x - depth * nx,
                    y - depth * ny,
                    z - depth * nz,
                    nx,
                    ny,
                    nz,
                    g,
                    np.inf,
                    r,
                )
    return count


# --- what is common to all contacts --------------------------------------------------------------------------------------


@njit(**JIT)
def order_contacts(count, whole, start, by_second, order):
    """Order of contacts by first body, second body, feature: two counting sorts, then insertion of the few that are left.

    start (B + 1,), by_second (count,): work; order (count,): result.
    """
    for column in range(1, -1, -1):
        for k in range(start.shape[0]):
            start[k] = 0
        for c in range(count):
            start[whole[c, column] + 1] += 1
        for k in range(1, start.shape[0]):
            start[k] += start[k - 1]
        for m in range(count):
            c = m if column == 1 else by_second[m]
            to = start[whole[c, column]]
            start[whole[c, column]] = to + 1
            if column == 1:
                by_second[to] = c
            else:
                order[to] = c
    for m in range(1, count):
        c = order[m]
        n = m
        while n > 0:
            e = order[n - 1]
            if whole[e, 0] != whole[c, 0] or whole[e, 1] != whole[c, 1] or whole[e, 2] <= whole[c, 2]:
                break
            order[n] = e
            n -= 1
        order[n] = c


@njit(**INNER)
def surface_at(surface, zone_of, zone, a, triangle):
    """Surface of body a where it touches: that of the triangle on a ground with zones, see `detect.kernels.arrays.Lists`."""
    return surface[a] if zone_of[a] < 0 else zone[zone_of[a] + triangle]


@njit(**INNER)
def gather_range(
    order, first, last, whole, real, features, surface, zone_of, zone, pair, body, point, normal, gap, radius, law, key
):  # fmt: skip
    """Contacts first to last - 1 in order; returns the first one whose surfaces have no law, or -1."""
    missing = -1
    bodies = surface.shape[0]
    for m in range(first, last):
        c = order[m]
        a, b = whole[c, 0], whole[c, 1]
        body[m, 0] = a
        body[m, 1] = b
        row = real[c]
        for k in range(3):
            point[m, k] = row[k]
            normal[m, k] = row[3 + k]
        gap[m] = row[6]
        radius[m, 0] = row[7]
        radius[m, 1] = row[8]
        law[m] = pair[surface_at(surface, zone_of, zone, a, whole[c, ON]), surface[b]]
        key[m] = (a * bodies + b) * features + whole[c, 2]
        if law[m] < 0 and missing < 0:
            missing = m
    return missing


@njit(**JIT)
def frames(normal, frame):
    """Contact frames (rows n, t1, t2): t1 is the world axis least along n, projected onto the tangent plane."""
    for c in range(normal.shape[0]):
        nx, ny, nz = normal[c, 0], normal[c, 1], normal[c, 2]
        ax, ay, az = abs(nx), abs(ny), abs(nz)
        # a little preference for x keeps the choice stable where two components are equal
        if ax <= 1.0001 * ay and ax <= 1.0001 * az:
            tx, ty, tz = 1.0 - nx * nx, -nx * ny, -nx * nz
        elif ay <= 1.0001 * az:
            tx, ty, tz = -ny * nx, 1.0 - ny * ny, -ny * nz
        else:
            tx, ty, tz = -nz * nx, -nz * ny, 1.0 - nz * nz
        frame_along(nx, ny, nz, tx, ty, tz, frame[c])


@njit(**INNER)
def frame_along(nx, ny, nz, tx, ty, tz, frame):
    """Contact frame with t1 along a vector in the tangent plane."""
    length = 1.0 / math.sqrt(tx * tx + ty * ty + tz * tz)
    tx *= length
    ty *= length
    tz *= length
    frame[0, 0], frame[0, 1], frame[0, 2] = nx, ny, nz
    frame[1, 0], frame[1, 1], frame[1, 2] = tx, ty, tz
    frame[2, 0] = ny * tz - nz * ty
    frame[2, 1] = nz * tx - nx * tz
    frame[2, 2] = nx * ty - ny * tx


@njit(**JIT)
def frames_along(normal, direction, frame):
    """Contact frames with t1 along the projection of a world direction (C, 3) onto the tangent plane.

    Frames where the direction is (0, 0, 0) or parallel to n stay as they are: call `frames` first.
    """
    for c in range(normal.shape[0]):
        nx, ny, nz = normal[c, 0], normal[c, 1], normal[c, 2]
        dx, dy, dz = direction[c, 0], direction[c, 1], direction[c, 2]
        along = nx * dx + ny * dy + nz * dz
        tx, ty, tz = dx - along * nx, dy - along * ny, dz - along * nz
        size = dx * dx + dy * dy + dz * dz
        # below a millionth of a right angle the projection would be noise
        if tx * tx + ty * ty + tz * tz > 1e-12 * size:
            frame_along(nx, ny, nz, tx, ty, tz, frame[c])


@njit(**JIT)
def match(key, old_key, old_value, value):
    """Carry values over from sorted old keys to new contacts: value[c] = old_value[same key], 0 where there is none."""
    n = old_key.shape[0]
    for c in range(key.shape[0]):
        k = place_of(old_key, n, key[c])
        if k < n and old_key[k] == key[c]:
            for i in range(value.shape[1]):
                value[c, i] = old_value[k, i]
        else:
            for i in range(value.shape[1]):
                value[c, i] = 0.0
