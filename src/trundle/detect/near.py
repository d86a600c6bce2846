"""Pairs of bodies that are near each other: grids of cells, one for each class of sizes."""

from __future__ import annotations

import numpy as np

from trundle.detect import kernels
from trundle.scene.shapes_base import Ints
from trundle.scene.values import Array

CLASS = 3.0  # ratio of sizes within which bodies share a grid
LEAST_CELLS = 32_768
SKIN = 0.03  # of the size of a body: what it may move before near pairs are looked for again


class Near:
    """Finds near pairs; keeps them, and its buffers, as long as no body has left its skin."""

    def __init__(self, bodies: int) -> None:
        self.pairs = np.zeros((8 * bodies + 64, 2), np.int64)
        self._cell = np.zeros(bodies, np.int64)
        self._order = np.zeros(bodies, np.int64)
        self._where = np.zeros((bodies, 4))
        self._first = np.zeros(0, np.int64)
        self._count, self._index = 0, np.zeros(0, np.int64)
        self._place, self._outer = np.zeros((0, 3)), np.zeros(0)

    def find(self, position: Array, index: Ints, outer: Array) -> int:
        """Number of pairs, written to `pairs`: all of the bodies `index` whose balls with radii `outer` (B,) meet.

        And some that nearly meet: these depend on earlier calls.  Sorted.
        """
        if len(index) < 2:
            return 0
        if (
            self._count <= len(self.pairs)
            and np.array_equal(index, self._index)
            and kernels.within(position, self._place, index, outer, self._outer)
        ):
            return self._count
        self._index, self._place, self._outer = index.copy(), position.copy(), (1.0 + SKIN) * outer
        while True:
            self._count = self._fill(position, index, self._outer)
            if self._count <= len(self.pairs):
                kernels.sort_pairs(
                    self.pairs, self._count, np.empty(len(position) + 1, np.int64), np.empty((self._count, 2), np.int64)
                )
                return self._count
            self.pairs = np.zeros((2 * self._count, 2), np.int64)

    def _fill(self, position: Array, index: Ints, outer: Array) -> int:
        mine = outer[index]
        smallest, largest = float(mine.min()), float(mine.max())
        if largest <= CLASS * smallest:
            return self._level(position, index, index[:0], outer, largest, 0)
        # bodies of one class of sizes share a grid; each class is also searched by all smaller bodies
        scale = max(smallest, 1e-6 * largest)
        level = np.floor(np.log(np.maximum(mine, scale) / scale) / np.log(CLASS)).astype(np.int64)
        count = 0
        for k in np.unique(level):
            chosen = index[level == k]
            count = self._level(position, chosen, index[level < k], outer, float(mine[level == k].max()), count)
        return count

    def _level(self, position: Array, index: Ints, finer: Ints, outer: Array, largest: float, count: int) -> int:
        low, high = np.empty(3), np.empty(3)
        kernels.extent(position, index, low, high)
        size = 2.0 * largest
        if not size > 0.0:
            return count
        limit = max(8 * len(index), LEAST_CELLS)
        if np.prod(np.floor((high - low) / size) + 1.0) > limit:
            # bodies that strayed off belong to the border of a grid around most of them
            low, high = np.quantile(position[index], [0.02, 0.98], axis=0)
            room = 0.25 * (high - low) + size
            low, high = low - room, high + room
            size = max(size, float(np.prod(high - low + size) / limit) ** (1.0 / 3.0))
        shape = np.floor((high - low) / size).astype(np.int64) + 1
        cells = int(np.prod(shape)) + 1
        if cells > len(self._first):
            self._first = np.zeros(cells + cells // 4, np.int64)
        n, first = len(index), self._first[:cells]
        order, where = self._order[:n], self._where[:n]
        kernels.cell_lists(position, index, outer, low, size, shape, self._cell, order, first, where)
        count += int(kernels.near_pairs(order, first, shape, where, self.pairs[count:]))
        if len(finer):
            count = int(
                kernels.pairs_across(finer, position, outer, low, size, shape, order, first, where, self.pairs, count)
            )
        return count
