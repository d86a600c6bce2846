"""Pairs of bodies that are near each other."""

from __future__ import annotations

import numpy as np

from trundle.detect.kernels.near import LEAST_CELLS, SKIN, NearPairs, find_near
from trundle.scene.meetings import Meetings
from trundle.scene.shapes_base import Ints
from trundle.scene.values import Array

__all__ = ["SKIN", "Near"]


class Near:
    """Finds near pairs; keeps them, and its buffers, as long as no body has left its skin.

    bodies : how many there are in all ; bounded : how many of them can be near each other
    axes : whether a direction is kept for every pair ; meetings : which bodies can touch each other, all if left out
    owner : the body of every row, where some bodies have parts
    """

    def __init__(
        self, bodies: int, bounded: int | None = None, axes: bool = False, meetings: Meetings | None = None,
        owner: Ints | None = None,
    ) -> None:  # fmt: skip
        n = bodies if bounded is None else bounded
        self._group, self._meets = np.zeros(bodies, np.int64), np.ones((1, 1), bool)
        if meetings is not None:
            self._group, self._meets = meetings.group if owner is None else meetings.group[owner], meetings.meets
        self._axes = axes
        self._counts, self._index = np.array([-1, 0]), np.zeros(n, np.int64)
        self._place, self._skin = np.zeros((bodies, 3)), np.zeros(bodies)
        self._work = (
            np.zeros(max(8 * n, LEAST_CELLS) + 2, np.int64), np.zeros((4, n), np.int64), np.zeros((n, 4)),
            np.zeros(bodies + 1, np.int64),
        )  # fmt: skip
        self.grow(8 * n + 64)

    def grow(self, count: int) -> None:
        """Room for a number of pairs."""
        self.pairs = np.zeros((count, 2), np.int64)
        self._old_pairs, self._spare = (
            np.zeros((count if self._axes else 0, 2), np.int64),
            np.zeros((count, 2), np.int64),
        )
        self._axis, self._old_axis = (np.zeros((count if self._axes else 0, 3)) for _ in range(2))

    @property
    def count(self) -> int:
        """Number of pairs found last."""
        return max(0, int(self._counts[0]))

    def buffers(self) -> NearPairs:
        """What the kernels need."""
        return NearPairs(
            self.pairs, self._axis, self._counts, self._index, self._place, self._skin, *self._work, self._old_pairs,
            self._old_axis, self._spare, self._group, self._meets,
        )  # fmt: skip

    def find(self, position: Array, index: Ints, outer: Array) -> int:
        """Number of pairs, written to `pairs`: all of the bodies `index` whose balls with radii `outer` (B,) meet.

        And some that nearly meet: these depend on earlier calls.  Sorted.
        """
        present = np.ones(len(position), bool)
        while True:
            count = int(find_near(position, index, present, outer, self.buffers()))
            if count <= len(self.pairs):
                return count
            self.grow(2 * count)
