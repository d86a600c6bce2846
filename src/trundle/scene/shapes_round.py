"""Round shapes: sphere, ellipsoid, disk, cylinder, cone, capsule.  Axes of revolution are the body's z."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from trundle.kinds import CAPSULE, CONE, CYLINDER, DISK, ELLIPSOID, SPHERE
from trundle.scene.shapes_base import (
    LARGEST,
    Array,
    Ints,
    Shape,
    ball_mesh,
    check_resolution,
    length,
    lengths,
    turned_mesh,
)
from trundle.scene.values import number


@dataclass(frozen=True)
class Sphere(Shape):
    """Ball of a radius [m]."""

    radius: float
    kind: ClassVar[int] = SPHERE

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", length("Sphere", "radius", self.radius))

    @property
    def volume(self) -> float:
        return 4.0 / 3.0 * math.pi * self.radius**3

    @property
    def unit_inertia(self) -> Array:
        return np.diag(np.full(3, 0.4 * self.radius**2))

    @property
    def bounding_radius(self) -> float:
        return self.radius

    @property
    def parameters(self) -> tuple[float, ...]:
        return (self.radius,)

    def surface_mesh(self, resolution: int = 24) -> tuple[Array, Ints]:
        vertices, triangles = ball_mesh(resolution)
        return self.radius * vertices, triangles

    def scaled(self, factor: float) -> Sphere:
        return Sphere(factor * self.radius)


@dataclass(frozen=True)
class Ellipsoid(Shape):
    """Ellipsoid with semi-axes [m] along its own x, y, z."""

    semi_axes: tuple[float, float, float]
    kind: ClassVar[int] = ELLIPSOID

    def __post_init__(self) -> None:
        object.__setattr__(self, "semi_axes", lengths("Ellipsoid", "semi_axes", self.semi_axes))

    @property
    def volume(self) -> float:
        return 4.0 / 3.0 * math.pi * math.prod(self.semi_axes)

    @property
    def unit_inertia(self) -> Array:
        a, b, c = self.semi_axes
        return np.diag([b * b + c * c, a * a + c * c, a * a + b * b]) / 5.0

    @property
    def bounding_radius(self) -> float:
        return max(self.semi_axes)

    @property
    def parameters(self) -> tuple[float, ...]:
        return self.semi_axes

    def surface_mesh(self, resolution: int = 24) -> tuple[Array, Ints]:
        vertices, triangles = ball_mesh(resolution)
        return vertices * np.array(self.semi_axes), triangles

    def scaled(self, factor: float) -> Ellipsoid:
        a, b, c = self.semi_axes
        return Ellipsoid((factor * a, factor * b, factor * c))


@dataclass(frozen=True)
class Disk(Shape):
    """Infinitely thin disk of a radius [m] about its z-axis; it touches with its rim and, lying flat, with three points.

    thickness [m] enters the volume and the moments of inertia only: m r^2 / 4 (+ m thickness^2 / 12) and m r^2 / 2, as in
    le Saux, Leine & Glocker (2005), section 2.  A disk without thickness has no volume: give its mass.
    """

    radius: float
    thickness: float = 0.0
    kind: ClassVar[int] = DISK

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", length("Disk", "radius", self.radius))
        object.__setattr__(self, "thickness", number("Disk", "thickness", self.thickness, "m", least=0.0, most=LARGEST))

    @property
    def volume(self) -> float:
        return math.pi * self.radius**2 * self.thickness

    @property
    def unit_inertia(self) -> Array:
        across = self.radius**2 / 4.0 + self.thickness**2 / 12.0
        return np.diag([across, across, self.radius**2 / 2.0])

    @property
    def bounding_radius(self) -> float:
        return self.radius

    @property
    def parameters(self) -> tuple[float, ...]:
        return (self.radius, 0.0)

    def surface_mesh(self, resolution: int = 24) -> tuple[Array, Ints]:
        half = 0.5 * self.thickness
        n = check_resolution(resolution)
        return turned_mesh(np.full(2, self.radius), np.array([half, -half]), half, -half, n)

    def scaled(self, factor: float) -> Disk:
        return Disk(factor * self.radius, factor * self.thickness)


@dataclass(frozen=True)
class Cylinder(Shape):
    """Circular cylinder of a radius [m] and a height [m] along its z-axis."""

    radius: float
    height: float
    kind: ClassVar[int] = CYLINDER

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", length("Cylinder", "radius", self.radius))
        object.__setattr__(self, "height", length("Cylinder", "height", self.height))

    @property
    def volume(self) -> float:
        return math.pi * self.radius**2 * self.height

    @property
    def unit_inertia(self) -> Array:
        across = self.radius**2 / 4.0 + self.height**2 / 12.0
        return np.diag([across, across, self.radius**2 / 2.0])

    @property
    def bounding_radius(self) -> float:
        return math.hypot(self.radius, 0.5 * self.height)

    @property
    def parameters(self) -> tuple[float, ...]:
        return (self.radius, 0.5 * self.height)

    def surface_mesh(self, resolution: int = 24) -> tuple[Array, Ints]:
        half, n = 0.5 * self.height, check_resolution(resolution)
        return turned_mesh(np.full(2, self.radius), np.array([half, -half]), half, -half, n)

    def scaled(self, factor: float) -> Cylinder:
        return Cylinder(factor * self.radius, factor * self.height)


@dataclass(frozen=True)
class Capsule(Shape):
    """Cylinder of a radius [m] and a height [m] along its z-axis, closed by two half balls: height + 2 radius long."""

    radius: float
    height: float
    kind: ClassVar[int] = CAPSULE

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", length("Capsule", "radius", self.radius))
        object.__setattr__(self, "height", length("Capsule", "height", self.height))

    @property
    def volume(self) -> float:
        return math.pi * self.radius**2 * (self.height + 4.0 / 3.0 * self.radius)

    @property
    def unit_inertia(self) -> Array:
        r, h = self.radius, self.height
        # middle and two half balls (one ball); the half balls' own centres are 3/8 r beyond the ends of the middle
        middle, ball = h / (h + 4.0 / 3.0 * r), 4.0 / 3.0 * r / (h + 4.0 / 3.0 * r)
        across = middle * (r * r / 4.0 + h * h / 12.0) + ball * (0.4 * r * r + h * h / 4.0 + 3.0 / 8.0 * h * r)
        return np.diag([across, across, middle * r * r / 2.0 + ball * 0.4 * r * r])

    @property
    def bounding_radius(self) -> float:
        return self.radius + 0.5 * self.height

    @property
    def parameters(self) -> tuple[float, ...]:
        return (self.radius, 0.5 * self.height)

    def surface_mesh(self, resolution: int = 24) -> tuple[Array, Ints]:
        n = check_resolution(resolution)
        rings = max(1, n // 4)
        theta = 0.5 * np.pi * np.arange(1, rings + 1) / rings
        half, r = 0.5 * self.height, self.radius
        around = np.concatenate([r * np.sin(theta), r * np.sin(theta[::-1])])
        along = np.concatenate([half + r * np.cos(theta), -half - r * np.cos(theta[::-1])])
        return turned_mesh(around, along, half + r, -half - r, n)

    def scaled(self, factor: float) -> Capsule:
        return Capsule(factor * self.radius, factor * self.height)


@dataclass(frozen=True)
class Cone(Shape):
    """Circular cone: a base of a radius [m] below, and an apex a height [m] above it along z.

    The centre of mass, the origin of the body's frame, is a quarter of the height above the base.
    """

    radius: float
    height: float
    kind: ClassVar[int] = CONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", length("Cone", "radius", self.radius))
        object.__setattr__(self, "height", length("Cone", "height", self.height))

    @property
    def volume(self) -> float:
        return math.pi / 3.0 * self.radius**2 * self.height

    @property
    def unit_inertia(self) -> Array:
        across = 3.0 / 20.0 * self.radius**2 + 3.0 / 80.0 * self.height**2
        return np.diag([across, across, 0.3 * self.radius**2])

    @property
    def bounding_radius(self) -> float:
        return max(0.75 * self.height, math.hypot(self.radius, 0.25 * self.height))

    @property
    def parameters(self) -> tuple[float, ...]:
        return (self.radius, self.height, -0.25 * self.height, 0.75 * self.height)

    def surface_mesh(self, resolution: int = 24) -> tuple[Array, Ints]:
        n = check_resolution(resolution)
        return turned_mesh(
            np.array([self.radius]), np.array([-0.25 * self.height]), 0.75 * self.height, -0.25 * self.height, n
        )

    def scaled(self, factor: float) -> Cone:
        return Cone(factor * self.radius, factor * self.height)
