"""Contact detection for spheres, pairs that are near each other, and what is common to all contacts, compiled.

A contact is a row of two buffers: whole (N, 3) = bodies a, b and the number of the feature, which with the bodies
identifies the contact from step to step; real (N, 9) = point, unit normal from a to b, gap, radii of curvature of a and b
there (inf where flat).  A full buffer is reported by the count that was needed.  Never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.rotations import JIT

REALS = 9
SPHERE = 0
RADIUS, REACH, FREE, PACKED = 3, 4, 5, 8  # columns of `pack_spheres`, and how many there are


@njit(**JIT)
def put(count, whole, real, a, b, feature, px, py, pz, nx, ny, nz, gap, radius_a, radius_b):
    """Write a contact if there is room; returns the count either way."""
    if count < whole.shape[0]:
        whole[count, 0] = a
        whole[count, 1] = b
        whole[count, 2] = feature
        row = real[count]
        row[0] = px
        row[1] = py
        row[2] = pz
        row[3] = nx
        row[4] = ny
        row[5] = nz
        row[6] = gap
        row[7] = radius_a
        row[8] = radius_b
    return count + 1


@njit(**JIT)
def reaches(h, kind, radius, velocity, angular_velocity, reach):
    """How far a point of each body can get within h: h (|v| + |omega| r), written to reach (B,)."""
    for i in range(reach.shape[0]):
        v = velocity[i]
        speed = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
        if kind[i] != SPHERE and radius[i] < np.inf:
            w = angular_velocity[i]
            speed += radius[i] * math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
        reach[i] = h * speed


# --- cells ---------------------------------------------------------------------------------------------------------------


@njit(**JIT)
def extent(position, index, low, high):
    """Smallest box around the positions of some bodies."""
    for k in range(3):
        low[k], high[k] = np.inf, -np.inf
    for m in range(index.shape[0]):
        for k in range(3):
            x = position[index[m], k]
            low[k] = min(low[k], x)
            high[k] = max(high[k], x)


@njit(**JIT)
def within(position, place, index, outer, skin):
    """Whether the balls with radii `outer` (B,) around the positions are inside of those with radii `skin` around `place`."""
    for m in range(index.shape[0]):
        i = index[m]
        room = skin[i] - outer[i]
        dx, dy, dz = position[i, 0] - place[i, 0], position[i, 1] - place[i, 1], position[i, 2] - place[i, 2]
        if room < 0.0 or dx * dx + dy * dy + dz * dz > room * room:
            return False
    return True


@njit(**JIT)
def cell_lists(position, index, outer, origin, size, shape, cell, order, first, where):
    """Sort bodies into cells of edge `size`: order holds them cell by cell, first (cells + 1) where each begins.

    where (n, 4): their positions and outer radii in the same order.  Bodies outside of the grid count to its border.
    """
    inverse = 1.0 / size
    for k in range(first.shape[0]):
        first[k] = 0
    for m in range(index.shape[0]):
        k = 0
        for axis in range(3):
            x = (position[index[m], axis] - origin[axis]) * inverse
            j = 0 if x < 0.0 else (shape[axis] - 1 if x >= shape[axis] else int(x))
            k = k * shape[axis] + j
        cell[m] = k
        first[k + 1] += 1
    for k in range(1, first.shape[0]):
        first[k] += first[k - 1]
    for m in range(index.shape[0]):
        i = index[m]
        to = first[cell[m]]
        first[cell[m]] = to + 1
        order[to] = i
        where[to, 0] = position[i, 0]
        where[to, 1] = position[i, 1]
        where[to, 2] = position[i, 2]
        where[to, 3] = outer[i]
    for k in range(first.shape[0] - 1, 0, -1):
        first[k] = first[k - 1]
    first[0] = 0


@njit(**JIT)
def near_pairs(order, first, shape, where, pairs):
    """Pairs of bodies, smaller number first, whose outer balls meet; returns their number."""
    count = 0
    ny, nz = shape[1], shape[2]
    for cx in range(shape[0]):
        for cy in range(ny):
            for cz in range(nz):
                home = (cx * ny + cy) * nz + cz
                if first[home] == first[home + 1]:
                    continue
                up = min(cz + 1, nz - 1) - cz
                down = cz - max(cz - 1, 0)
                for row in range(5):
                    dx = 0 if row < 2 else 1
                    dy = row if row < 2 else row - 3
                    x, y = cx + dx, cy + dy
                    if x >= shape[0] or y < 0 or y >= ny:
                        continue
                    other = (x * ny + y) * nz + cz
                    begin, end = first[other - down], first[other + up + 1]
                    for m in range(first[home], first[home + 1]):
                        px, py, pz, pr = where[m, 0], where[m, 1], where[m, 2], where[m, 3]
                        for n in range(m + 1 if row == 0 else begin, end):
                            ex, ey, ez = where[n, 0] - px, where[n, 1] - py, where[n, 2] - pz
                            far = pr + where[n, 3]
                            if ex * ex + ey * ey + ez * ez < far * far:
                                if count < pairs.shape[0]:
                                    pairs[count, 0] = min(order[m], order[n])
                                    pairs[count, 1] = max(order[m], order[n])
                                count += 1
    return count


@njit(**JIT)
def pairs_across(finer, position, outer, origin, size, shape, order, first, where, pairs, count):
    """Near pairs of smaller bodies with those in a grid of larger cells; returns the number of pairs."""
    ny, nz = shape[1], shape[2]
    for m in range(finer.shape[0]):
        i = finer[m]
        px, py, pz = position[i, 0], position[i, 1], position[i, 2]
        cx = min(max(int(math.floor((px - origin[0]) / size)), 0), shape[0] - 1)
        cy = min(max(int(math.floor((py - origin[1]) / size)), 0), ny - 1)
        cz = min(max(int(math.floor((pz - origin[2]) / size)), 0), nz - 1)
        for x in range(max(cx - 1, 0), min(cx + 2, shape[0])):
            for y in range(max(cy - 1, 0), min(cy + 2, ny)):
                row = (x * ny + y) * nz
                for n in range(first[row + max(cz - 1, 0)], first[row + min(cz + 1, nz - 1) + 1]):
                    ex, ey, ez = where[n, 0] - px, where[n, 1] - py, where[n, 2] - pz
                    far = outer[i] + where[n, 3]
                    if ex * ex + ey * ey + ez * ez < far * far:
                        if count < pairs.shape[0]:
                            pairs[count, 0] = min(i, order[n])
                            pairs[count, 1] = max(i, order[n])
                        count += 1
    return count


# --- spheres -------------------------------------------------------------------------------------------------------------


@njit(**JIT)
def pack_spheres(kind, mass, size, position, reach, margin, packed):
    """What pairs need to know of a body in one line of cache, packed (B, 8): position, radius, reach, 1 if it can be pushed.

    The radius is NaN if it is not a sphere.  Reaches contain half of the margin.
    """
    for i in range(kind.shape[0]):
        for k in range(3):
            packed[i, k] = position[i, k]
        packed[i, RADIUS] = size[i, 0] if kind[i] == SPHERE else np.nan
        packed[i, REACH] = reach[i] + 0.5 * margin
        packed[i, FREE] = 0.0 if np.isinf(mass[i]) else 1.0


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
        else:  # concentric: any direction parts them
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


@njit(**JIT)
def sort_pairs(pairs, count, start, work):
    """Sort the pairs by their first and second numbers, so that neighbours in the list are neighbours in memory.

    start (B + 1,), work (count, 2): not needed afterwards.
    """
    for column in range(1, -1, -1):
        start[:] = 0
        for k in range(count):
            start[pairs[k, column] + 1] += 1
        for k in range(1, start.shape[0]):
            start[k] += start[k - 1]
        for k in range(count):
            to = start[pairs[k, column]]
            start[pairs[k, column]] = to + 1
            work[to, 0], work[to, 1] = pairs[k, 0], pairs[k, 1]
        pairs[:count] = work


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


@njit(**JIT)
def gather_range(
    order, first, last, whole, real, features, surface, pair, body, point, normal, gap, radius, law, key
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
        law[m] = pair[surface[a], surface[b]]
        key[m] = (a * bodies + b) * features + whole[c, 2]
        if law[m] < 0 and missing < 0:
            missing = m
    return missing


@njit(**JIT)
def gather(order, whole, real, features, surface, pair, body, point, normal, gap, radius, law, key):
    """All contacts in order; returns the first one whose surfaces have no law, or -1."""
    return gather_range(
        order, 0, order.shape[0], whole, real, features, surface, pair, body, point, normal, gap, radius, law, key
    )  # fmt: skip


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


@njit(**JIT)
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
        k = np.searchsorted(old_key, key[c])
        if k < n and old_key[k] == key[c]:
            for i in range(value.shape[1]):
                value[c, i] = old_value[k, i]
        else:
            for i in range(value.shape[1]):
                value[c, i] = 0.0
