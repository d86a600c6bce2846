"""Smooth concave ground: the insides of a sphere, a cylinder, a cone and a torus.  Their axes of revolution are the body's z."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from trundle.errors import SceneError
from trundle.kinds import CONE_INSIDE, CYLINDER_INSIDE, SPHERE_INSIDE, TORUS_INSIDE
from trundle.scene.shapes_base import LARGEST, Array, Ints, Weighed, check_resolution, length
from trundle.scene.values import is_list, number

NODES = 48  # of Gauss' rule along a meridian: moments are exact to round-off


@dataclass(frozen=True)
class Hollow(Weighed):
    """A thin wall that bodies touch from inside, a surface of revolution; from outside it is not felt.

    It can be fixed, moved as prescribed, or be a body with a mass: its wall has a thickness [m] for the mass properties alone,
    which are those of a thin shell, and no thickness has no volume: give the mass then.  As with all shapes the body's frame
    has its origin at the centre of mass; `centroid` says where that is in the coordinates of the description.
    """

    def _meridian(self, t: Array) -> tuple[Array, Array]:
        """Distance from the axis and height [m] at shares 0 <= t <= 1 of the way along a meridian."""
        raise NotImplementedError

    @property
    def _way(self) -> float:
        """Length of a meridian [m]."""
        raise NotImplementedError

    def _finish(self, name: str) -> None:
        """Check the thickness; mass properties of the thin wall."""
        thickness = number(name, "thickness", self.thickness, "m", least=0.0, most=LARGEST)  # type: ignore[attr-defined]
        object.__setattr__(self, "thickness", thickness)
        node, weight = np.polynomial.legendre.leggauss(NODES)
        rho, z = self._meridian(0.5 * (node + 1.0))
        ring = math.pi * rho * weight * self._way  # area of a ring
        area = float(ring.sum())
        if not area > 0.0:
            raise SceneError(f"{name}: its wall has no area.")
        height = float(ring @ z) / area
        # of a whole sphere, cylinder or torus the centre of mass is the centre, to the last bit
        height = 0.0 if abs(height) < 1e-12 * self._way else height
        across, along = 0.5 * float(ring @ rho**2) / area, float(ring @ (z - height) ** 2) / area
        object.__setattr__(self, "_volume", area * thickness)
        object.__setattr__(self, "_centroid", np.array([0.0, 0.0, height]))
        object.__setattr__(self, "_second", np.diag([across, across, along]))

    @property
    def _height(self) -> float:
        """Height of the centre of mass in the coordinates of the description [m]."""
        return float(self._centroid[2])  # type: ignore[attr-defined]

    @property
    def bounding_radius(self) -> float:
        rho, z = self._meridian(np.linspace(0.0, 1.0, 721))
        return float(np.max(np.hypot(rho, z - self._height)))

    def surface_mesh(self, resolution: int = 24) -> tuple[Array, Ints]:
        n = check_resolution(resolution)
        rings = max(2, self._rings(n)) + 1
        rho, z = self._meridian(np.linspace(0.0, 1.0, rings))
        phi = 2.0 * np.pi * np.arange(n) / n
        points = np.stack(
            [np.outer(rho, np.cos(phi)), np.outer(rho, np.sin(phi)), np.outer(z - self._height, np.ones(n))], -1
        )
        k, k1 = np.arange(n), (np.arange(n) + 1) % n
        parts = []
        for j in range(rings - 1):
            a, b = j * n, (j + 1) * n
            if rho[j] > 1e-12 * self._way:
                parts.append(np.stack([a + k, a + k1, b + k], 1))
            if rho[j + 1] > 1e-12 * self._way:
                parts.append(np.stack([a + k1, b + k1, b + k], 1))
        # the meridians go up on the outside: so they look to the inside
        return points.reshape(-1, 3), np.concatenate(parts).astype(np.int64)[:, ::-1].copy()

    def _rings(self, n: int) -> int:
        """Rings of the mesh along a meridian where a circle has n segments."""
        return 1


def _angle(shape: str, name: str, value: Any, most: float) -> float:
    return number(shape, name, value, "rad", positive=True, most=most * (1.0 + 1e-12))


@dataclass(frozen=True)
class SphereInside(Hollow):
    """The inside of a sphere of a radius [m]: a bowl or a concave mirror.

    angle [rad]: the wall reaches from the lowest point, at -z, so far up: pi (the whole sphere) unless given, pi / 2 is half a
    sphere that is open at the top.  Coordinates from the centre of the sphere; the centre of mass of a part of it, and so
    `position`, is halfway between its lowest point and its edge, at the height -radius (1 + cos(angle)) / 2.
    """

    radius: float
    angle: float = math.pi
    thickness: float = 0.0
    kind: ClassVar[int] = SPHERE_INSIDE

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", length("SphereInside", "radius", self.radius))
        angle = min(math.pi, _angle("SphereInside", "angle", self.angle, math.pi))
        object.__setattr__(self, "angle", angle)
        self._finish("SphereInside")

    def _meridian(self, t: Array) -> tuple[Array, Array]:
        return self.radius * np.sin(self.angle * t), -self.radius * np.cos(self.angle * t)

    @property
    def _way(self) -> float:
        return self.radius * self.angle

    @property
    def parameters(self) -> tuple[float, ...]:
        whole = self.angle == math.pi
        return (self.radius, -2.0 if whole else math.cos(self.angle), math.sin(self.angle), 0.0, 0.0, self._height)

    def _rings(self, n: int) -> int:
        return int(n * self.angle / (2.0 * math.pi)) + 1

    def scaled(self, factor: float) -> SphereInside:
        return SphereInside(factor * self.radius, self.angle, factor * self.thickness)


@dataclass(frozen=True)
class CylinderInside(Hollow):
    """The inside of a circular cylinder of a radius [m] and a height [m] along its z-axis, open at both ends: a drum, a loop,
    the outer race of a roller bearing.

    Bodies whose contact passes an end leave it; close a drum with half-spaces, disks or boxes of your own.
    """

    radius: float
    height: float
    thickness: float = 0.0
    kind: ClassVar[int] = CYLINDER_INSIDE

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", length("CylinderInside", "radius", self.radius))
        object.__setattr__(self, "height", length("CylinderInside", "height", self.height))
        self._finish("CylinderInside")

    def _meridian(self, t: Array) -> tuple[Array, Array]:
        return np.full_like(t, self.radius), self.height * (t - 0.5)

    @property
    def _way(self) -> float:
        return self.height

    @property
    def parameters(self) -> tuple[float, ...]:
        return (self.radius, 0.5 * self.height, 0.0, 0.0, 0.0, self._height)

    def scaled(self, factor: float) -> CylinderInside:
        return CylinderInside(factor * self.radius, factor * self.height, factor * self.thickness)


@dataclass(frozen=True)
class ConeInside(Hollow):
    """The inside of a cone that opens upwards, a funnel: radius [m] at the top and height [m] above its apex along z.

    Coordinates from the apex; the centre of mass, and so `position`, is at 2/3 of the height.
    """

    radius: float
    height: float
    thickness: float = 0.0
    kind: ClassVar[int] = CONE_INSIDE

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", length("ConeInside", "radius", self.radius))
        object.__setattr__(self, "height", length("ConeInside", "height", self.height))
        self._finish("ConeInside")

    def _meridian(self, t: Array) -> tuple[Array, Array]:
        return self.radius * t, self.height * t

    @property
    def _way(self) -> float:
        return math.hypot(self.radius, self.height)

    @property
    def parameters(self) -> tuple[float, ...]:
        return (self.radius / self._way, self.height / self._way, self._way, 0.0, 0.0, self._height)

    def scaled(self, factor: float) -> ConeInside:
        return ConeInside(factor * self.radius, factor * self.height, factor * self.thickness)


@dataclass(frozen=True)
class TorusInside(Hollow):
    """The inside of a tube of tube_radius [m] that is bent to a ring of a radius [m] about z: a loop, the races of a bearing.

    arc [rad]: the part of the tube's circle that has a wall, from the outermost point towards +z: (-pi, pi), the whole tube,
    unless given; (-pi/2, pi/2) is its outer half, the groove of an outer race, (pi/2, 3 pi/2) its inner half, the groove of an
    inner race; (-pi, 0) a ring-shaped trough.
    """

    radius: float
    tube_radius: float
    arc: Any = (-math.pi, math.pi)
    thickness: float = 0.0
    kind: ClassVar[int] = TORUS_INSIDE

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", length("TorusInside", "radius", self.radius))
        object.__setattr__(self, "tube_radius", length("TorusInside", "tube_radius", self.tube_radius))
        if self.tube_radius >= self.radius:
            raise SceneError(
                f"TorusInside: tube_radius = {self.tube_radius:g} m must be smaller than radius = {self.radius:g} m, that of the "
                "ring which the middle of the tube makes."
            )
        if not is_list(self.arc) or len(self.arc) != 2:
            raise SceneError(f"TorusInside: arc = {self.arc!r} must be two angles [rad], such as (-pi/2, pi/2).")
        first, last = (
            number("TorusInside", f"arc[{i}]", x, "rad", least=-7.0, most=7.0) for i, x in enumerate(self.arc)
        )
        if not 0.0 < last - first <= 2.0 * math.pi * (1.0 + 1e-12):
            raise SceneError(f"TorusInside: arc = {self.arc!r} must rise by at most 2 pi [rad].")
        object.__setattr__(self, "arc", (first, min(last, first + 2.0 * math.pi)))
        self._finish("TorusInside")

    def _meridian(self, t: Array) -> tuple[Array, Array]:
        psi = self.arc[0] + t * (self.arc[1] - self.arc[0])
        return self.radius + self.tube_radius * np.cos(psi), self.tube_radius * np.sin(psi)

    @property
    def _way(self) -> float:
        return self.tube_radius * (self.arc[1] - self.arc[0])

    @property
    def parameters(self) -> tuple[float, ...]:
        width = self.arc[1] - self.arc[0]
        whole = width > 2.0 * math.pi * (1.0 - 1e-12)
        return (self.radius, self.tube_radius, self.arc[0], 7.0 if whole else width, 0.0, self._height)

    def _rings(self, n: int) -> int:
        return int(n * (self.arc[1] - self.arc[0]) / (2.0 * math.pi)) + 1

    def scaled(self, factor: float) -> TorusInside:
        return TorusInside(factor * self.radius, factor * self.tube_radius, self.arc, factor * self.thickness)
