"""What every shape can do, and the checks of the numbers they are given."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SceneError
from trundle.scene.values import Array, number, vector

Ints = NDArray[np.int64]
SMALLEST, LARGEST = 1e-12, 1e9  # [m], so that squares and cubes of lengths stay finite


def length(shape: str, name: str, value: Any) -> float:
    """A positive length [m], or an error with the shape and the field."""
    return number(shape, name, value, "m", positive=True, least=SMALLEST, most=LARGEST)


def lengths(shape: str, name: str, value: Any) -> tuple[float, ...]:
    """Three positive lengths [m]."""
    return tuple(length(shape, f"{name}[{i}]", x) for i, x in enumerate(vector(shape, name, value, "m").tolist()))


def points(shape: str, name: str, value: Any) -> Array:
    """Finite points (n, 3) [m], or an error."""
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "iuf":
            raise TypeError
        array = np.ascontiguousarray(array, dtype=float)
    except (TypeError, ValueError):
        raise SceneError(f"{shape}: {name} must be a list of points (x, y, z) [m].") from None
    if array.ndim != 2 or array.shape[1] != 3 or len(array) == 0:
        raise SceneError(f"{shape}: {name} has the shape {array.shape}; it must be (n, 3), points (x, y, z) [m].")
    wrong = ~np.all(np.isfinite(array) & (np.abs(array) <= LARGEST), axis=1)
    if wrong.any():
        i = int(np.argmax(wrong))
        raise SceneError(f"{shape}: {name}[{i}] = {array[i].tolist()} m must be finite, at most {LARGEST:g} m.")
    return array


@dataclass(frozen=True, eq=False)
class Shape:
    """Geometry of a body in its own frame: the axes in which it was described, the origin at the centre of mass."""

    kind: ClassVar[int] = -1
    bounded: ClassVar[bool] = True  # whether a body that moves can have it

    @property
    def volume(self) -> float:
        """Volume [m^3]."""
        raise SceneError(f"{type(self).__name__} has no volume: it can only be a fixed body.")

    @property
    def unit_inertia(self) -> Array:
        """Tensor of inertia per mass about the centre of mass [m^2], shape (3, 3), frame of the body."""
        raise SceneError(f"{type(self).__name__} has no inertia: it can only be a fixed body.")

    @property
    def centroid(self) -> Array:
        """Centre of mass in the coordinates in which the shape was described [m], shape (3,)."""
        return np.zeros(3)

    @property
    def bounding_radius(self) -> float:
        """Radius [m] of the ball around the origin of the body's frame that holds the shape."""
        return math.inf

    @property
    def parameters(self) -> tuple[float, ...]:
        """Up to six numbers that the kernels need."""
        return ()

    def surface_mesh(self, resolution: int = 24) -> tuple[Array, Ints]:
        """Vertices (V, 3) [m] and triangles (T, 3), counterclockwise from outside, in the body's frame, to be drawn.

        resolution: number of segments of a full circle; flat shapes do not depend on it.
        """
        raise SceneError(f"{type(self).__name__} has no bounded surface to draw.")

    def as_table(self) -> dict[str, Any]:
        """The shape as plain data, as it stands in a scene file; `shape_from_table` reads it back."""
        return {"shape": type(self).__name__, **{f.name: _plain(getattr(self, f.name)) for f in fields(self)}}

    def scaled(self, factor: float) -> Shape:
        """The same shape with all lengths times a factor."""
        raise SceneError(f"a {type(self).__name__} cannot be scaled.")


@dataclass(frozen=True, eq=False)
class Weighed(Shape):
    """A shape that has computed its volume, centroid and second moments per volume [m^2] and keeps them as `_volume`,
    `_centroid` and `_second` (3, 3)."""

    @property
    def volume(self) -> float:
        return self._volume  # type: ignore[attr-defined]

    @property
    def centroid(self) -> Array:
        return self._centroid.copy()  # type: ignore[attr-defined]

    @property
    def unit_inertia(self) -> Array:
        second = self._second  # type: ignore[attr-defined]
        return np.trace(second) * np.eye(3) - second


def _plain(value: Any) -> Any:
    """Tuples and arrays as lists, for TOML and JSON."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (tuple, list)):
        return [_plain(x) for x in value]
    return value


def check_resolution(resolution: Any) -> int:
    """The number of segments of a circle."""
    if isinstance(resolution, bool) or not isinstance(resolution, (int, np.integer)) or not 3 <= resolution <= 4096:
        raise SceneError(f"surface_mesh: resolution = {resolution!r} must be a whole number from 3 to 4096.")
    return int(resolution)


def ball_mesh(resolution: int) -> tuple[Array, Ints]:
    """Unit sphere in rings of latitude: vertices, triangles."""
    n = check_resolution(resolution)
    rings = max(2, n // 2)
    theta = np.pi * np.arange(1, rings) / rings
    return turned_mesh(np.sin(theta), np.cos(theta), 1.0, -1.0, n)


def turned_mesh(radius: Array, height: Array, top: float, bottom: float, n: int) -> tuple[Array, Ints]:
    """Surface of revolution about z through rings (radius, height) from the top to the bottom, closed by two poles."""
    phi = 2.0 * np.pi * np.arange(n) / n
    ring = np.stack([np.outer(radius, np.cos(phi)), np.outer(radius, np.sin(phi)), np.outer(height, np.ones(n))], -1)
    vertices = np.concatenate([[[0.0, 0.0, top]], ring.reshape(-1, 3), [[0.0, 0.0, bottom]]])
    k, k1 = np.arange(n), (np.arange(n) + 1) % n
    triangles = [np.stack([np.zeros(n, np.int64), 1 + k, 1 + k1], 1)]
    for j in range(len(radius) - 1):
        a, b = 1 + j * n, 1 + (j + 1) * n
        triangles += [np.stack([a + k, b + k, b + k1], 1), np.stack([a + k, b + k1, a + k1], 1)]
    last = 1 + (len(radius) - 1) * n
    triangles.append(np.stack([last + k, np.full(n, len(vertices) - 1), last + k1], 1))
    return vertices, np.concatenate(triangles).astype(np.int64)
