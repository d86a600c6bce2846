"""Contact detection, compiled, on flat arrays.

A contact: bodies a, b; point; unit normal n from a to b; gap; number of the feature, which with the bodies identifies
the contact from step to step.  Never raises; a full buffer is reported by the count that was needed.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.rotations import JIT, rotation_matrix

SPHERE, HALF_SPACE, BOX = 0, 1, 2


@njit(**JIT)
def put(count, body, point, normal, gap, feature, a, b, px, py, pz, nx, ny, nz, g, f):
    """Write a contact if there is room; returns the count either way."""
    if count < gap.shape[0]:
        body[count, 0] = a
        body[count, 1] = b
        point[count, 0] = px
        point[count, 1] = py
        point[count, 2] = pz
        normal[count, 0] = nx
        normal[count, 1] = ny
        normal[count, 2] = nz
        gap[count] = g
        feature[count] = f
    return count + 1


@njit(**JIT)
def cell_lists(position, movable, origin, size, shape, cell, order, first):
    """Sort bodies into cells of edge `size`: order holds them cell by cell, first (cells + 1) where each begins."""
    for k in range(first.shape[0]):
        first[k] = 0
    for m in range(movable.shape[0]):
        i = movable[m]
        k = 0
        for axis in range(3):
            j = int((position[i, axis] - origin[axis]) / size)
            j = min(max(j, 0), shape[axis] - 1)
            k = k * shape[axis] + j
        cell[m] = k
        first[k + 1] += 1
    for k in range(1, first.shape[0]):
        first[k] += first[k - 1]
    for m in range(movable.shape[0]):
        k = cell[m]
        order[first[k]] = movable[m]
        first[k] += 1
    for k in range(first.shape[0] - 1, 0, -1):
        first[k] = first[k - 1]
    first[0] = 0


@njit(**JIT)
def near_pairs(position, radius, reach, order, first, shape, pairs):
    """Pairs of bodies, smaller number first, whose bounding balls come within reach; returns their number."""
    count = 0
    ny, nz = shape[1], shape[2]
    for cx in range(shape[0]):
        for cy in range(ny):
            for cz in range(nz):
                home = (cx * ny + cy) * nz + cz
                if first[home] == first[home + 1]:
                    continue
                for dx in range(-1, 2):
                    for dy in range(-1, 2):
                        for dz in range(-1, 2):
                            step = (dx * 3 + dy) * 3 + dz
                            x, y, z = cx + dx, cy + dy, cz + dz
                            if step < 0 or x < 0 or y < 0 or z < 0 or x >= shape[0] or y >= ny or z >= nz:
                                continue
                            other = (x * ny + y) * nz + z
                            for m in range(first[home], first[home + 1]):
                                i = order[m]
                                start = m + 1 if step == 0 else first[other]
                                for n in range(start, first[other + 1]):
                                    j = order[n]
                                    ex = position[j, 0] - position[i, 0]
                                    ey = position[j, 1] - position[i, 1]
                                    ez = position[j, 2] - position[i, 2]
                                    far = radius[i] + radius[j] + reach[i] + reach[j]
                                    if ex * ex + ey * ey + ez * ez < far * far:
                                        if count < pairs.shape[0]:
                                            pairs[count, 0] = min(i, j)
                                            pairs[count, 1] = max(i, j)
                                        count += 1
    return count


@njit(**JIT)
def sphere_sphere(position, parameters, a, b, far, count, body, point, normal, gap, feature):
    """Contact of two spheres closer than `far`."""
    dx = position[b, 0] - position[a, 0]
    dy = position[b, 1] - position[a, 1]
    dz = position[b, 2] - position[a, 2]
    distance = math.sqrt(dx * dx + dy * dy + dz * dz)
    ra = parameters[a, 0]
    g = distance - ra - parameters[b, 0]
    if g >= far:
        return count
    if distance > 0.0:
        dx /= distance
        dy /= distance
        dz /= distance
    else:  # concentric: any direction parts them
        dx, dy, dz = 0.0, 0.0, 1.0
    along = ra + 0.5 * g
    return put(
        count, body, point, normal, gap, feature, a, b,
        position[a, 0] + along * dx, position[a, 1] + along * dy, position[a, 2] + along * dz, dx, dy, dz, g, 0,
    )  # fmt: skip


@njit(**JIT)
def plane_of(position, orientation, parameters, a, R):
    """World normal and offset of a half-space."""
    rotation_matrix(orientation, a, R)
    nx = R[0, 0] * parameters[a, 0] + R[0, 1] * parameters[a, 1] + R[0, 2] * parameters[a, 2]
    ny = R[1, 0] * parameters[a, 0] + R[1, 1] * parameters[a, 1] + R[1, 2] * parameters[a, 2]
    nz = R[2, 0] * parameters[a, 0] + R[2, 1] * parameters[a, 1] + R[2, 2] * parameters[a, 2]
    offset = parameters[a, 3] + nx * position[a, 0] + ny * position[a, 1] + nz * position[a, 2]
    return nx, ny, nz, offset


@njit(**JIT)
def plane_contacts(
    a, movable, position, orientation, kind, parameters, reach, margin, R, count, body, point, normal, gap, feature
):  # fmt: skip
    """Contacts of half-space a with all movable bodies: one for a sphere, up to eight corners of a box."""
    nx, ny, nz, offset = plane_of(position, orientation, parameters, a, R)
    for m in range(movable.shape[0]):
        b = movable[m]
        far = margin + reach[b] + reach[a]
        height = nx * position[b, 0] + ny * position[b, 1] + nz * position[b, 2] - offset
        if kind[b] == SPHERE:
            g = height - parameters[b, 0]
            if g < far:
                depth = parameters[b, 0] + 0.5 * g
                count = put(
                    count, body, point, normal, gap, feature, a, b,
                    position[b, 0] - depth * nx, position[b, 1] - depth * ny, position[b, 2] - depth * nz,
                    nx, ny, nz, g, 0,
                )  # fmt: skip
        elif kind[b] == BOX:
            hx, hy, hz = parameters[b, 0], parameters[b, 1], parameters[b, 2]
            if height > math.sqrt(hx * hx + hy * hy + hz * hz) + far:
                continue
            rotation_matrix(orientation, b, R)
            for corner in range(8):
                x = hx if corner & 1 else -hx
                y = hy if corner & 2 else -hy
                z = hz if corner & 4 else -hz
                px = position[b, 0] + R[0, 0] * x + R[0, 1] * y + R[0, 2] * z
                py = position[b, 1] + R[1, 0] * x + R[1, 1] * y + R[1, 2] * z
                pz = position[b, 2] + R[2, 0] * x + R[2, 1] * y + R[2, 2] * z
                g = nx * px + ny * py + nz * pz - offset
                if g < far:
                    count = put(
                        count, body, point, normal, gap, feature, a, b,
                        px - 0.5 * g * nx, py - 0.5 * g * ny, pz - 0.5 * g * nz, nx, ny, nz, g, corner,
                    )  # fmt: skip
    return count


@njit(**JIT)
def pair_contacts(
    pairs, pair_count, mass, position, kind, parameters, reach, margin, count, body, point, normal, gap, feature
):  # fmt: skip
    """Contacts of the near pairs of bounded bodies; returns their number and that of pairs it cannot treat."""
    untreated = 0
    for k in range(pair_count):
        a, b = pairs[k, 0], pairs[k, 1]
        if np.isinf(mass[a]) and np.isinf(mass[b]):
            continue
        far = margin + reach[a] + reach[b]
        if kind[a] == SPHERE and kind[b] == SPHERE:
            count = sphere_sphere(position, parameters, a, b, far, count, body, point, normal, gap, feature)
        else:
            untreated += 1
    return count, untreated


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
        length = 1.0 / math.sqrt(tx * tx + ty * ty + tz * tz)
        tx *= length
        ty *= length
        tz *= length
        frame[c, 0, 0], frame[c, 0, 1], frame[c, 0, 2] = nx, ny, nz
        frame[c, 1, 0], frame[c, 1, 1], frame[c, 1, 2] = tx, ty, tz
        frame[c, 2, 0] = ny * tz - nz * ty
        frame[c, 2, 1] = nz * tx - nx * tz
        frame[c, 2, 2] = nx * ty - ny * tx


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
