"""Terrain as a height over every place: what blocks are compared with, and where maps are drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from trundle import checked
from trundle.errors import SceneError
from trundle.scene.rasters import Raster
from trundle.scene.shapes import Array, HeightField, Mesh
from trundle.scene.values import label, number


@dataclass(frozen=True)
class Terrain:
    """A ground, the surface that it has where no zone says otherwise, and its heights over a grid.

    Coordinates are those of the ground's frame; add `ground.offset` for map coordinates.
    """

    ground: HeightField | Mesh
    surface: str = "ground"
    cell: float | None = None  # [m] of the grid of a mesh
    heights: Array = field(init=False, repr=False)
    origin: tuple[float, float] = field(init=False)
    spacing: tuple[float, float] = field(init=False)

    def __post_init__(self) -> None:
        label("terrain", "surface", self.surface)
        if self.cell is not None:
            number("terrain", "cell", self.cell, "m", positive=True)
        if isinstance(self.ground, HeightField):
            found = self.ground.heights + self.ground.origin[2], self.ground.origin[:2], self.ground.spacing
        elif isinstance(self.ground, Mesh):
            found = _grid_of_mesh(self.ground, self.cell)
        else:
            raise SceneError(f"terrain: a HeightField or a Mesh is needed, not {type(self.ground).__name__}.")
        for name, value in zip(("heights", "origin", "spacing"), found, strict=True):
            object.__setattr__(self, name, value)

    @property
    def listed(self) -> tuple[str, ...]:
        """All surfaces that the ground knows, used or not."""
        return (self.surface, *(name for name in self.ground.soils if name != self.surface))

    @cached_property
    def surfaces(self) -> tuple[str, ...]:
        """The surfaces that some triangle has."""
        if self.ground.zones is None:
            return (self.surface,)
        used = np.unique(self.ground.zones)
        return tuple(dict.fromkeys(self.surface if k < 0 else self.ground.soils[k] for k in used))

    def outside(self, x: float, y: float) -> bool:
        """Whether a place is beyond the borders of the grid, rather than in a hole."""
        x, y = (checked.finite(SceneError, name, value, "m") for name, value in (("x", x), ("y", y)))
        u, v = (x - self.origin[0]) / self.spacing[0], (y - self.origin[1]) / self.spacing[1]
        return not (0.0 <= u <= self.heights.shape[0] - 1 and 0.0 <= v <= self.heights.shape[1] - 1)

    def height(self, x: Any, y: Any) -> Array:
        """Height of the ground [m] at places; NaN where there is none."""
        return self.height_and_slope(x, y)[0]

    def height_and_slope(self, x: Any, y: Any) -> tuple[Array, Array, Array]:
        """Height [m] and its derivatives by x and y, of the triangle at each place; NaN where there is none."""
        x, y = (checked.numbers(SceneError, name, values, None, "m") for name, values in (("x", x), ("y", y)))
        if x.shape != y.shape and x.size > 1 and y.size > 1:
            raise SceneError(f"x has the shape {x.shape}, y {y.shape}; they must be the same.")
        u, v = (x - self.origin[0]) / self.spacing[0], (y - self.origin[1]) / self.spacing[1]
        nx, ny = self.heights.shape
        with np.errstate(invalid="ignore"):
            inside = (u >= 0.0) & (v >= 0.0) & (u <= nx - 1) & (v <= ny - 1)
            i = np.clip(np.where(inside, u, 0.0).astype(np.int64), 0, nx - 2)
            j = np.clip(np.where(inside, v, 0.0).astype(np.int64), 0, ny - 2)
        s, t = u - i, v - j
        low, high = self.heights[i, j], self.heights[i + 1, j + 1]
        lower = s >= t  # the triangle (i, j), (i + 1, j), (i + 1, j + 1)
        side = np.where(lower, self.heights[i + 1, j], self.heights[i, j + 1])
        du, dv = np.where(lower, side - low, high - side), np.where(lower, high - side, side - low)
        z = np.where(inside, low + s * du + t * dv, np.nan)
        return z, np.where(inside, du / self.spacing[0], np.nan), np.where(inside, dv / self.spacing[1], np.nan)

    def raster(self, values: Array) -> Raster:
        """Values at the places of the grid, in map coordinates."""
        offset = self.ground.offset
        corner = (self.origin[0] + offset[0], self.origin[1] + offset[1])
        return Raster(values, corner, self.spacing, getattr(self.ground, "crs", ""))


def _grid_of_mesh(mesh: Mesh, cell: float | None) -> tuple[Array, tuple[float, float], tuple[float, float]]:
    """Heights of the uppermost triangles that look up, at the places of a grid."""
    corners = mesh.vertices[mesh.faces]
    up = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2] > 0.0
    corners = corners[up]
    if not len(corners):
        raise SceneError(
            "terrain: no triangle of the mesh looks up. Its corners may be listed clockwise: give flip = true."
        )
    low, high = corners.min(axis=(0, 1))[:2], corners.max(axis=(0, 1))[:2]
    step = cell or float(np.sqrt(np.prod(high - low) / max(1, len(corners))))
    nx, ny = (int(np.floor((high[k] - low[k]) / step + 1e-9)) + 1 for k in range(2))
    if min(nx, ny) < 2:
        raise SceneError(
            f"terrain: cell = {step:g} m is too large for a mesh of {high[0] - low[0]:g} m x {high[1] - low[1]:g} m."
        )
    heights = np.full((nx, ny), -np.inf)
    for a, b, c in corners:
        box = np.array([np.minimum(np.minimum(a, b), c)[:2], np.maximum(np.maximum(a, b), c)[:2]])
        i0, j0 = np.ceil((box[0] - low) / step - 1e-9).astype(int)
        i1, j1 = np.floor((box[1] - low) / step + 1e-9).astype(int)
        if i1 < i0 or j1 < j0:
            continue
        x, y = (low[k] + step * np.arange(p, q + 1) for k, p, q in ((0, i0, i1), (1, j0, j1)))
        X, Y = np.meshgrid(x, y, indexing="ij")
        det = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
        s = ((X - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (Y - a[1])) / det
        t = ((b[0] - a[0]) * (Y - a[1]) - (X - a[0]) * (b[1] - a[1])) / det
        within = (s >= -1e-9) & (t >= -1e-9) & (s + t <= 1.0 + 1e-9)
        z = np.where(within, a[2] + s * (b[2] - a[2]) + t * (c[2] - a[2]), -np.inf)
        part = heights[i0 : i1 + 1, j0 : j1 + 1]
        np.maximum(part, z[: part.shape[0], : part.shape[1]], out=part)
    return np.where(np.isneginf(heights), np.nan, heights), (float(low[0]), float(low[1])), (step, step)
