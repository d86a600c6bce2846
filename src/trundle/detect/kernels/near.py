"""Pairs of bodies that are near each other: grids of cells, one for each class of sizes.  Compiled; never raises."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from trundle.kernels.rotations import INNER, JIT

CLASS = 3.0  # ratio of sizes within which bodies share a grid
LEAST_CELLS = 32_768
SKIN = 0.03  # of the size of a body: what it may move before near pairs are looked for again
SURE = 1e-9  # of the smaller body: what a known direction must separate a pair by, beyond its reach
SAMPLE = 256  # bodies by which it is judged where most of them are


class NearPairs(NamedTuple):
    """What `find_near` keeps from step to step, and its work: room for N pairs of n of B bodies.

    pairs (N, 2), sorted; axis (N, 3): a direction for every pair that came to separate it, 0 if none is known; (0, 3): not
    kept.  counts (2,): pairs, bodies; members (n,), place (B, 3), skin (B,): the bodies, where they were, what they may fill.
    group (B,), meets (G, G): groups of the bodies, and whether those of two groups can touch each other.
    cell (cells + 1,), bodies (4, n), where (n, 4), start (B + 1,), old_pairs (N, 2), old_axis (N, 3), spare (N, 2): work.
    """

    pairs: NDArray[np.int64]
    axis: NDArray[np.float64]
    counts: NDArray[np.int64]
    members: NDArray[np.int64]
    place: NDArray[np.float64]
    skin: NDArray[np.float64]
    cell: NDArray[np.int64]
    bodies: NDArray[np.int64]
    where: NDArray[np.float64]
    start: NDArray[np.int64]
    old_pairs: NDArray[np.int64]
    old_axis: NDArray[np.float64]
    spare: NDArray[np.int64]
    group: NDArray[np.int64]
    meets: NDArray[np.bool_]


@njit(**INNER)
def extent(position, index, low, high):
    """Smallest box around the positions of some bodies."""
    for k in range(3):
        low[k], high[k] = np.inf, -np.inf
    for m in range(index.shape[0]):
        for k in range(3):
            x = position[index[m], k]
            low[k] = min(low[k], x)
            high[k] = max(high[k], x)


@njit(**INNER)
def within(position, place, index, outer, skin):
    """Whether the balls with radii `outer` (B,) around the positions are inside of those with radii `skin` around `place`."""
    for m in range(index.shape[0]):
        i = index[m]
        room = skin[i] - outer[i]
        dx, dy, dz = position[i, 0] - place[i, 0], position[i, 1] - place[i, 1], position[i, 2] - place[i, 2]
        if room < 0.0 or dx * dx + dy * dy + dz * dz > room * room:
            return False
    return True


@njit(**INNER)
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


@njit(**INNER)
def near_pairs(order, first, shape, where, group, meets, pairs, count):
    """Pairs of bodies, smaller number first, whose outer balls meet, after the first `count`; returns their number."""
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
                            if ex * ex + ey * ey + ez * ez < far * far and meets[group[order[m]], group[order[n]]]:
                                if count < pairs.shape[0]:
                                    pairs[count, 0] = min(order[m], order[n])
                                    pairs[count, 1] = max(order[m], order[n])
                                count += 1
    return count


@njit(**INNER)
def pairs_across(finer, position, outer, origin, size, shape, order, first, where, group, meets, pairs, count):
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
                    if ex * ex + ey * ey + ez * ez < far * far and meets[group[i], group[order[n]]]:
                        if count < pairs.shape[0]:
                            pairs[count, 0] = min(i, order[n])
                            pairs[count, 1] = max(i, order[n])
                        count += 1
    return count


@njit(**INNER)
def sort_pairs(pairs, count, start, work):
    """Sort the pairs by their first and second numbers, so that neighbours in the list are neighbours in memory.

    start (B + 1,), work (N, 2): not needed afterwards.
    """
    for column in range(1, -1, -1):
        for k in range(start.shape[0]):
            start[k] = 0
        for k in range(count):
            start[pairs[k, column] + 1] += 1
        for k in range(1, start.shape[0]):
            start[k] += start[k - 1]
        for k in range(count):
            to = start[pairs[k, column]]
            start[pairs[k, column]] = to + 1
            work[to, 0], work[to, 1] = pairs[k, 0], pairs[k, 1]
        for k in range(count):
            pairs[k, 0], pairs[k, 1] = work[k, 0], work[k, 1]


@njit(**INNER)
def most_of(position, index, axis, sample):
    """Between which coordinates most of the bodies are: those of 96 % of a sample."""
    step = 1 + index.shape[0] // SAMPLE
    n = 0
    for m in range(0, index.shape[0], step):
        x = position[index[m], axis]
        k = n
        while k > 0 and sample[k - 1] > x:
            sample[k] = sample[k - 1]
            k -= 1
        sample[k] = x
        n += 1
    return sample[n // 50], sample[n - 1 - n // 50]


@njit(**INNER)
def grid_of(position, index, size, low, high, shape):
    """A grid over bodies, from `low` (3,), of at least this size of cells, shape (3,): cells; returns their size."""
    extent(position, index, low, high)
    limit = max(8 * index.shape[0], LEAST_CELLS)
    cells = 1.0
    for k in range(3):
        cells *= math.floor((high[k] - low[k]) / size) + 1.0
    if cells > limit:
        # bodies that strayed off belong to the border of a grid around most of them
        sample = np.empty(SAMPLE + 1)
        for k in range(3):
            low[k], high[k] = most_of(position, index, k, sample)
            room = 0.25 * (high[k] - low[k]) + size
            low[k] -= room
            high[k] += room
    while True:
        cells = 1.0
        for k in range(3):
            cells *= math.floor((high[k] - low[k]) / size) + 1.0
        if cells <= limit:
            break
        size *= 1.1
    for k in range(3):
        shape[k] = int(math.floor((high[k] - low[k]) / size)) + 1
    return size


@njit(**INNER)
def all_pairs(position, index, outer, near):
    """Pairs of the bodies `index` whose balls with radii `outer` meet, unsorted; returns their number.

    Bodies of one class of sizes share a grid; each class is also searched by all smaller bodies.
    """
    smallest, largest = np.inf, 0.0
    for m in range(index.shape[0]):
        smallest, largest = min(smallest, outer[index[m]]), max(largest, outer[index[m]])
    scale = max(smallest, 1e-6 * largest)
    top = int(math.log(largest / scale) / math.log(CLASS)) if scale > 0.0 else -1
    low, high, shape, cell = np.empty(3), np.empty(3), np.empty(3, np.int64), near.bodies[0]
    count, below = 0, 0
    for k in range(top + 1):
        least, most, size = scale * CLASS**k if k else -np.inf, scale * CLASS ** (k + 1) if k < top else np.inf, 0.0
        n = 0
        for m in range(index.shape[0]):
            i = index[m]
            if least <= outer[i] < most:
                near.bodies[2, n] = i
                n += 1
                size = max(size, 2.0 * outer[i])
        if n == 0:
            continue
        chosen, order, where = near.bodies[2, :n], near.bodies[1, :n], near.where[:n]
        size = grid_of(position, chosen, size, low, high, shape)
        first = near.cell[: shape[0] * shape[1] * shape[2] + 1]
        cell_lists(position, chosen, outer, low, size, shape, cell, order, first, where)
        count = near_pairs(order, first, shape, where, near.group, near.meets, near.pairs, count)
        if below:
            finer = near.bodies[3, :below]
            count = pairs_across(
                finer, position, outer, low, size, shape, order, first, where, near.group, near.meets, near.pairs, count
            )
        for m in range(n):
            near.bodies[3, below + m] = chosen[m]
        below += n
    return count


@njit(**INNER)
def carry_axes(count, pairs, axis, old_count, old_pairs, old_axis):
    """Directions of the pairs that were known before; both lists are sorted."""
    m = 0
    for k in range(count):
        a, b = pairs[k, 0], pairs[k, 1]
        while m < old_count and (old_pairs[m, 0] < a or (old_pairs[m, 0] == a and old_pairs[m, 1] < b)):
            m += 1
        known = m < old_count and old_pairs[m, 0] == a and old_pairs[m, 1] == b
        for i in range(3):
            axis[k, i] = old_axis[m, i] if known else 0.0


@njit(**JIT)
def find_near(position, bounded, present, outer, near):
    """Number of pairs, written to near.pairs: all of the bodies `bounded` that are present whose balls, radii outer (B,), meet.

    And some that nearly meet: these depend on earlier calls, for pairs are kept as long as no body has left its skin.
    Sorted.  More than there is room for: give more, and call again.
    """
    old, n = near.counts[0], 0
    same = 0 <= old <= near.pairs.shape[0]
    for m in range(bounded.shape[0]):
        i = bounded[m]
        if present[i]:
            same = same and n < near.counts[1] and near.members[n] == i
            near.members[n] = i
            n += 1
    same = same and n == near.counts[1]
    near.counts[1] = n
    index = near.members[:n]
    if n < 2:
        near.counts[0] = 0
        return 0
    if same and within(position, near.place, index, outer, near.skin):
        return old
    kept = near.axis.shape[0] > 0
    if kept:
        old = max(0, min(old, near.pairs.shape[0]))
        for k in range(old):
            near.old_pairs[k, 0], near.old_pairs[k, 1] = near.pairs[k, 0], near.pairs[k, 1]
            for i in range(3):
                near.old_axis[k, i] = near.axis[k, i]
    for m in range(n):
        i = index[m]
        near.skin[i] = (1.0 + SKIN) * outer[i]
        for k in range(3):
            near.place[i, k] = position[i, k]
    count = all_pairs(position, index, near.skin, near)
    near.counts[0] = -1
    if count <= near.pairs.shape[0]:
        near.counts[0] = count
        sort_pairs(near.pairs, count, near.start, near.spare)
        if kept:
            carry_axes(count, near.pairs, near.axis, old, near.old_pairs, near.old_axis)
    return count
