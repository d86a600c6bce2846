"""Lists of neighbours of spheres and fixed planes, compiled; and memories that move from list to list.

Everything takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from trundle.kernels.rotations import JIT


@njit(**JIT)
def cells_of(position, spheres, size, origin, shape, first, order):
    """Counting sort of the spheres into cells: order (n,), first (cells + 1,)."""
    cell = np.empty(spheres.shape[0], np.int64)
    first[:] = 0
    for m in range(spheres.shape[0]):
        i = spheres[m]
        k = 0
        for axis in range(3):
            j = int((position[i, axis] - origin[axis]) / size)
            k = k * shape[axis] + min(max(j, 0), shape[axis] - 1)
        cell[m] = k
        first[k + 1] += 1
    for k in range(1, first.shape[0]):
        first[k] += first[k - 1]
    fill = first.copy()
    for m in range(spheres.shape[0]):
        order[fill[cell[m]]] = m
        fill[cell[m]] += 1
    return cell


@njit(**JIT)
def grid_of(position, radius, spheres, reach, origin, shape):
    """Cells in which spheres that come within `reach` are neighbours: writes origin and shape (3,), returns their size."""
    largest = 0.0
    top = np.empty(3)
    for axis in range(3):
        origin[axis], top[axis] = np.inf, -np.inf
    for m in range(spheres.shape[0]):
        i = spheres[m]
        largest = max(largest, radius[i])
        for axis in range(3):
            origin[axis] = min(origin[axis], position[i, axis])
            top[axis] = max(top[axis], position[i, axis])
    size = 2.0 * largest + reach
    while True:
        cells = 1.0
        for axis in range(3):
            shape[axis] = max(1, int(min((top[axis] - origin[axis]) / size, 1e6)) + 1)
            cells *= shape[axis]
        if cells <= 8.0 * spheres.shape[0] + 1000.0:
            return size
        size *= 1.26


@njit(**JIT)
def put_pair(pairs, count, a, b):
    """Write a pair if there is room; returns the new number of pairs."""
    if count < pairs.shape[0]:
        pairs[count, 0], pairs[count, 1] = a, b
    return count + 1


@njit(**JIT)
def plane_pairs(position, radius, spheres, planes, normal, offset, reach, pairs):
    """Pairs (plane, sphere) that come within `reach`; returns how many there are."""
    count = 0
    for p in range(planes.shape[0]):
        for m in range(spheres.shape[0]):
            i = spheres[m]
            height = normal[p, 0] * position[i, 0] + normal[p, 1] * position[i, 1] + normal[p, 2] * position[i, 2]
            if height - offset[p] - radius[i] < reach:
                count = put_pair(pairs, count, planes[p], i)
    return count


@njit(**JIT)
def sphere_pairs(position, radius, spheres, reach, pairs, count):
    """Pairs of spheres that come within `reach`, sorted; returns how many pairs there are then."""
    n = spheres.shape[0]
    origin, shape = np.empty(3), np.empty(3, np.int64)
    size = grid_of(position, radius, spheres, reach, origin, shape)
    first = np.empty(shape[0] * shape[1] * shape[2] + 1, np.int64)
    order, near = np.empty(n, np.int64), np.empty(n, np.int64)
    cell = cells_of(position, spheres, size, origin, shape, first, order)
    for m in range(n):
        i = spheres[m]
        cx, rest = cell[m] // (shape[1] * shape[2]), cell[m] % (shape[1] * shape[2])
        cy, cz = rest // shape[2], rest % shape[2]
        found = 0
        for x in range(max(cx - 1, 0), min(cx + 2, shape[0])):
            for y in range(max(cy - 1, 0), min(cy + 2, shape[1])):
                row = (x * shape[1] + y) * shape[2]
                for s in range(first[row + max(cz - 1, 0)], first[row + min(cz + 1, shape[2] - 1) + 1]):
                    k = order[s]
                    if k <= m:
                        continue
                    j = spheres[k]
                    dx = position[j, 0] - position[i, 0]
                    dy = position[j, 1] - position[i, 1]
                    dz = position[j, 2] - position[i, 2]
                    far = radius[i] + radius[j] + reach
                    if dx * dx + dy * dy + dz * dz < far * far:
                        place = found
                        while place > 0 and near[place - 1] > k:
                            near[place] = near[place - 1]
                            place -= 1
                        near[place] = k
                        found += 1
        for f in range(found):
            count = put_pair(pairs, count, i, spheres[near[f]])
    return count


@njit(**JIT)
def neighbours(position, radius, spheres, planes, normal, offset, reach, all_pairs, pairs):
    """Pairs (plane, sphere), then (sphere, sphere), sorted, that come within `reach`; returns how many there are."""
    count = plane_pairs(position, radius, spheres, planes, normal, offset, np.inf if all_pairs else reach, pairs)
    n = spheres.shape[0]
    if n < 2:
        return count
    if not all_pairs:
        return sphere_pairs(position, radius, spheres, reach, pairs, count)
    for m in range(n):
        for k in range(m + 1, n):
            count = put_pair(pairs, count, spheres[m], spheres[k])
    return count


@njit(**JIT)
def carry_over(key, old_key, old, record):
    """Records of the new list from the old one; both lists of keys are sorted."""
    k = 0
    n = old_key.shape[0]
    for c in range(key.shape[0]):
        while k < n and old_key[k] < key[c]:
            k += 1
        if k < n and old_key[k] == key[c]:
            for i in range(record.shape[1]):
                record[c, i] = old[k, i]
        else:
            for i in range(record.shape[1]):
                record[c, i] = 0.0
