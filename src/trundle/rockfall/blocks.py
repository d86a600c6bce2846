"""Blocks: convex polyhedra of a given volume and given ratios of their axes, each a function of seed and number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from trundle import checked
from trundle.errors import SceneError, known, unknown
from trundle.rockfall.chance import Chance
from trundle.scene.shapes import Array, Ellipsoid, Polyhedron, Shape, Sphere
from trundle.scene.values import is_list, number

# ratios b/a and c/a of the middle and the shortest to the longest axis, least and largest: Sneed & Folk (1958), the classes of
# Zingg (1935) divided at 2/3
RATIOS = {
    "equant": ((0.80, 1.00), (0.75, 0.95)),
    "platy": ((0.75, 1.00), (0.30, 0.50)),
    "columnar": ((0.40, 0.60), (0.35, 0.55)),
    "random": ((0.45, 1.00), (0.35, 0.95)),
}
KINDS = (*RATIOS, "rounded", "box", "ellipsoid", "sphere", "points")
CORNERS = 16
LEAST_SIZE, LARGEST_SIZE = 1e-9, 1e6  # [m^3]


@dataclass(frozen=True)
class Blocks:
    """How blocks are made.

    kind : "equant", "platy", "columnar", "random": convex hulls of points on an ellipsoid, whose axis ratios are drawn evenly
        from the ranges in `RATIOS`; "rounded": a rhombicuboctahedron and "box": a box, both with the given axes; "ellipsoid";
        "sphere"; "points": the hull of given points
    volume [m^3] : a number, or the least and the largest, between which its logarithm is drawn evenly
    axes : lengths or ratios of the three axes, instead of drawn ones ; size [m] : the lengths themselves, instead of volume
    corners : points on the ellipsoid of a hull, at least 6 ; points (n, 3) : of kind "points"
    density [kg/m^3], or mass [kg]
    """

    kind: str = "equant"
    volume: Any = None
    axes: Any = None
    size: Any = None
    corners: int = CORNERS
    points: Any = None
    density: float = 2700.0
    mass: float | None = None

    def __post_init__(self) -> None:
        place = "blocks"
        if not known(self.kind, KINDS):
            raise SceneError(f"{place}: " + unknown("kind", self.kind, KINDS))
        if (self.kind == "points") != (self.points is not None):
            raise SceneError(
                f"{place}: points (n, 3) [m] belong to kind = 'points', and it needs them; kind = {self.kind!r}."
            )
        if self.points is not None:
            object.__setattr__(
                self, "points", checked.numbers(SceneError, f"{place}: points", self.points, (None, 3), "m")
            )
        if (self.volume is None) == (self.size is None) and self.kind != "points":
            raise SceneError(f"{place}: give volume [m^3] or size (three lengths [m]), one of them.")
        if self.volume is not None:
            given = self.volume if is_list(self.volume) else [self.volume]
            if len(given) not in (1, 2):
                raise SceneError(
                    f"{place}: volume = {self.volume!r} must be a number, or the least and the largest [m^3]."
                )
            values = [number(place, "volume", v, "m^3", least=LEAST_SIZE, most=LARGEST_SIZE) for v in given]
            if values[-1] < values[0]:
                raise SceneError(f"{place}: volume = {self.volume!r}: the least comes first.")
            object.__setattr__(self, "volume", (values[0], values[-1]))
        for name in ("axes", "size"):
            given = getattr(self, name)
            if given is not None:
                if not is_list(given) or len(given) != 3:
                    raise SceneError(f"{place}: {name} = {given!r} must be three numbers.")
                object.__setattr__(
                    self, name, tuple(number(place, f"{name}[{k}]", v, "m", positive=True) for k, v in enumerate(given))
                )
        if isinstance(self.corners, bool) or not isinstance(self.corners, int) or not 6 <= self.corners <= 200:
            raise SceneError(f"{place}: corners = {self.corners!r} must be a whole number from 6 to 200.")
        number(place, "density", self.density, "kg/m^3", positive=True)
        if self.mass is not None:
            number(place, "mass", self.mass, "kg", positive=True)

    @property
    def varies(self) -> bool:
        """Whether blocks differ from each other."""
        drawn = self.kind in RATIOS
        return drawn or (self.volume is not None and self.volume[0] != self.volume[1])

    def make(self, seed: int, block: int) -> tuple[Shape, float]:
        """Shape and mass [kg] of a block."""
        checked.whole(SceneError, "seed", seed)
        checked.whole(SceneError, "block", block)
        chance = Chance(seed, block, "shape")
        axes = self._axes(chance)
        if self.kind == "sphere":
            shape: Shape = Sphere(radius=0.5)
        elif self.kind == "ellipsoid":
            shape = Ellipsoid(semi_axes=tuple(0.5 * axes))
        else:
            shape = Polyhedron(self._corners(chance, axes))
        if self.volume is not None:
            low, high = self.volume
            volume = low if low == high else low * (high / low) ** chance.uniform()
            shape = shape.scaled((volume / shape.volume) ** (1.0 / 3.0))
        elif self.kind == "sphere":
            shape = shape.scaled(float(np.mean(self.size)))
        return shape, self.mass if self.mass is not None else self.density * shape.volume

    def _axes(self, chance: Chance) -> Array:
        """Lengths of the axes, up to a factor unless `size` gives them."""
        if self.size is not None or self.axes is not None:
            return np.array(self.size if self.size is not None else self.axes, float)
        if self.kind not in RATIOS:
            return np.ones(3)
        (b0, b1), (c0, c1) = RATIOS[self.kind]
        b = b0 + (b1 - b0) * chance.uniform()
        return np.array([1.0, b, min(b, c0 + (c1 - c0) * chance.uniform())])

    def _corners(self, chance: Chance, axes: Array) -> Array:
        if self.kind == "points":
            points = np.asarray(self.points, float)
            if self.size is None and self.axes is None:
                return points
        elif self.kind == "box":
            points = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
        elif self.kind == "rounded":
            k = 1.0 + math.sqrt(2.0)
            points = np.array(
                [(x, y, z) for a in range(3) for x in _pm(k if a == 0 else 1.0) for y in _pm(k if a == 1 else 1.0)
                 for z in _pm(k if a == 2 else 1.0)]
            )  # fmt: skip
        else:
            points = _spread(chance, self.corners)
        low, high = points.min(axis=0), points.max(axis=0)
        return (points - 0.5 * (low + high)) / (high - low) * axes


def _pm(x: float) -> tuple[float, float]:
    return -x, x


def _spread(chance: Chance, count: int) -> Array:
    """Points on the unit sphere, spread more evenly than by chance: of ten candidates each time the farthest from all others."""
    points = [chance.direction()]
    while len(points) < count:
        candidates = np.array([chance.direction() for _ in range(10)])
        nearest = np.max(candidates @ np.array(points).T, axis=1)
        points.append(candidates[int(np.argmin(nearest))])
    return np.array(points)


__all__ = ["KINDS", "RATIOS", "Blocks"]
