"""Barriers: lines across a slope that see every block that passes, and may stop it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from trundle.errors import SceneError
from trundle.scene.values import Array, is_list, label, number


@dataclass(frozen=True)
class Barrier:
    """A line of places (n, 2) [m].

    height [m] above the ground and capacity [J]: a block whose centre crosses at most so high with at most so much kinetic energy
    is stopped; without them the line only sees what passes.
    """

    name: str
    line: Any
    height: float | None = None
    capacity: float | None = None

    def __post_init__(self) -> None:
        place = f"barrier '{label('barriers', 'name', self.name)}'"
        try:
            line = np.array(self.line, float)
        except (TypeError, ValueError, OverflowError):
            line = np.zeros(0)
        if (
            not is_list(self.line)
            or line.ndim != 2
            or line.shape[1] != 2
            or len(line) < 2
            or not np.isfinite(line).all()
        ):
            raise SceneError(f"{place}: line = {self.line!r} must be at least two places (x, y) [m].")
        object.__setattr__(self, "line", tuple(map(tuple, line.tolist())))
        if (self.height is None) != (self.capacity is None):
            raise SceneError(
                f"{place}: height [m] and capacity [J] belong together: a barrier that stops blocks needs both."
            )
        if self.height is not None:
            number(place, "height", self.height, "m", positive=True)
            number(place, "capacity", self.capacity, "J", positive=True, infinite=True)

    def moved(self, offset: tuple[float, float]) -> Barrier:
        """The same in coordinates that count from an offset."""
        line = [(x - offset[0], y - offset[1]) for x, y in self.line]
        return Barrier(self.name, line, self.height, self.capacity)


def crossings(line: Array, path: Array) -> list[tuple[float, int]]:
    """Where a path (n, 2) crosses a line (m, 2), in the order of the path: place along it in steps, and segment of the line."""
    p, d = path[:-1], np.diff(path, axis=0)
    found = []
    for k, (a, b) in enumerate(itertools.pairwise(line)):
        e = b - a
        det = d[:, 0] * e[1] - d[:, 1] * e[0]
        with np.errstate(divide="ignore", invalid="ignore"):
            t = ((a[0] - p[:, 0]) * e[1] - (a[1] - p[:, 1]) * e[0]) / det
            s = ((a[0] - p[:, 0]) * d[:, 1] - (a[1] - p[:, 1]) * d[:, 0]) / det
        hit = (det != 0.0) & (t >= 0.0) & (t < 1.0) & (s >= 0.0) & ((s < 1.0) if k + 2 < len(line) else (s <= 1.0))
        found += [(float(i + t[i]), k) for i in np.flatnonzero(hit)]
    return sorted(found)
