"""Shapes of bodies with their exact mass properties."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SceneError

Array = NDArray[np.float64]

SPHERE, HALF_SPACE, BOX = 0, 1, 2


def _number(shape: str, name: str, value: Any, unit: str = "m") -> float:
    """A finite positive number, or an error with the field and its unit."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise SceneError(f"{shape}: {name} = {value!r} is not a number [{unit}].") from None
    if not math.isfinite(number) or number <= 0.0:
        raise SceneError(f"{shape}: {name} = {number:g} {unit} must be positive and finite.")
    return number


def vector(place: str, name: str, value: Any, unit: str, size: int = 3) -> Array:
    """A finite vector, or an error with the place, the field and its unit."""
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise SceneError(f"{place}: {name} = {value!r} is not {size} numbers [{unit}].") from None
    if array.shape != (size,) or not np.all(np.isfinite(array)):
        raise SceneError(f"{place}: {name} = {value!r} must be {size} finite numbers [{unit}].")
    return array


@dataclass(frozen=True)
class Shape:
    """Geometry of a body in its own frame, whose origin is the centre of mass and whose axes are principal ones."""

    kind: ClassVar[int] = -1
    bounded: ClassVar[bool] = True

    @property
    def volume(self) -> float:
        """Volume [m^3]."""
        raise SceneError(f"{type(self).__name__} has no volume: it can only be a fixed body.")

    @property
    def unit_inertia(self) -> Array:
        """Principal moments of inertia per mass [m^2], shape (3,)."""
        raise SceneError(f"{type(self).__name__} has no inertia: it can only be a fixed body.")

    @property
    def bounding_radius(self) -> float:
        """Radius [m] of the smallest ball around the centre of mass that holds the shape."""
        return math.inf

    @property
    def parameters(self) -> tuple[float, ...]:
        """Up to six numbers that the kernels need."""
        return ()

    def as_table(self) -> dict[str, Any]:
        """The shape as it stands in a scene file."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return {"shape": type(self).__name__, **values}


@dataclass(frozen=True)
class Sphere(Shape):
    """Ball of a radius [m]."""

    radius: float
    kind: ClassVar[int] = SPHERE

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", _number("Sphere", "radius", self.radius))

    @property
    def volume(self) -> float:
        return 4.0 / 3.0 * math.pi * self.radius**3

    @property
    def unit_inertia(self) -> Array:
        return np.full(3, 0.4 * self.radius**2)

    @property
    def bounding_radius(self) -> float:
        return self.radius

    @property
    def parameters(self) -> tuple[float, ...]:
        return (self.radius,)


@dataclass(frozen=True)
class HalfSpace(Shape):
    """Everything below the plane  normal . x = offset [m], in the frame of the body; a fixed body."""

    normal: tuple[float, float, float] = (0.0, 0.0, 1.0)
    offset: float = 0.0
    kind: ClassVar[int] = HALF_SPACE
    bounded: ClassVar[bool] = False

    def __post_init__(self) -> None:
        normal = vector("HalfSpace", "normal", self.normal, "-")
        length = float(np.linalg.norm(normal))
        if length < 1e-12:
            raise SceneError(f"HalfSpace: normal = {self.normal!r} has no direction; give e.g. (0, 0, 1).")
        if not math.isfinite(float(self.offset)):
            raise SceneError(f"HalfSpace: offset = {self.offset!r} m must be finite.")
        object.__setattr__(self, "normal", tuple(float(x) for x in normal / length))
        object.__setattr__(self, "offset", float(self.offset))

    @property
    def parameters(self) -> tuple[float, ...]:
        return (*self.normal, self.offset)


@dataclass(frozen=True)
class Box(Shape):
    """Box with edges of lengths `size` [m] along its own axes."""

    size: tuple[float, float, float]
    kind: ClassVar[int] = BOX

    def __post_init__(self) -> None:
        size = vector("Box", "size", self.size, "m")
        object.__setattr__(self, "size", tuple(_number("Box", "size", x) for x in size))

    @property
    def volume(self) -> float:
        return self.size[0] * self.size[1] * self.size[2]

    @property
    def unit_inertia(self) -> Array:
        a, b, c = self.size
        return np.array([b * b + c * c, a * a + c * c, a * a + b * b]) / 12.0

    @property
    def bounding_radius(self) -> float:
        return 0.5 * math.hypot(*self.size)

    @property
    def parameters(self) -> tuple[float, ...]:
        return tuple(0.5 * x for x in self.size)
