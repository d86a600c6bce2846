"""Scenes: bodies, surfaces, gravity."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from trundle.errors import SceneError, unknown
from trundle.laws.base import Law
from trundle.scene.shapes import Array, Shape, vector


@dataclass
class Body:
    """A body as the user described it; SI units, angular velocity in the world frame."""

    name: str
    shape: Shape
    mass: float
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array
    surface: str
    fixed: bool


@dataclass(frozen=True)
class Pair:
    """What happens where two surfaces touch."""

    law: Law
    restitution: float


@dataclass
class Scene:
    """Bodies with surfaces, laws for pairs of surfaces, and gravity [m/s^2].

    >>> scene = Scene(gravity=(0, 0, -9.81))
    >>> scene.add(Sphere(radius=0.5), name="ball", density=2500.0, position=(0, 0, 0.5), surface="rock")
    >>> scene.add(HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True, surface="soil")
    >>> scene.surface("rock", "soil", law=laws.Rolling(mu=0.2, mu_r=0.04), restitution=0.0)
    """

    gravity: Any = (0.0, 0.0, -9.81)
    bodies: list[Body] = field(default_factory=list)
    pairs: dict[tuple[str, str], Pair] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.gravity = vector("Scene", "gravity", self.gravity, "m/s^2")
        self._names: dict[str, int] = {}

    def add(
        self,
        shape: Shape,
        *,
        name: str | None = None,
        density: float | None = None,
        mass: float | None = None,
        position: Any = (0.0, 0.0, 0.0),
        orientation: Any = (1.0, 0.0, 0.0, 0.0),
        velocity: Any = (0.0, 0.0, 0.0),
        angular_velocity: Any = (0.0, 0.0, 0.0),
        surface: str = "default",
        fixed: bool = False,
    ) -> str:
        """Add a body; returns its name.

        density [kg/m^3] or mass [kg], one of the two unless `fixed`; position of the centre of mass [m];
        orientation: unit quaternion (w, x, y, z); velocity [m/s]; angular_velocity [rad/s], world frame.
        """
        if not isinstance(shape, Shape):
            raise SceneError(f"add: {shape!r} is not a shape; give e.g. Sphere(radius=0.1).")
        name = f"body{len(self.bodies)}" if name is None else str(name)
        place = f"body '{name}'"
        if name in self._names:
            raise SceneError(f"{place}: there is a body of this name already; names are unique.")
        quaternion = vector(place, "orientation", orientation, "-", 4)
        length = float(np.linalg.norm(quaternion))
        if abs(length - 1.0) > 1e-6:
            raise SceneError(
                f"{place}: orientation = {orientation!r} has length {length:g}; a quaternion (w, x, y, z) has length 1."
            )
        self.bodies.append(
            Body(
                name, shape, self._mass(place, shape, density, mass, fixed), vector(place, "position", position, "m"),
                quaternion / length, vector(place, "velocity", velocity, "m/s"),
                vector(place, "angular_velocity", angular_velocity, "rad/s"), str(surface), bool(fixed),
            )
        )  # fmt: skip
        self._names[name] = len(self.bodies) - 1
        return name

    @staticmethod
    def _mass(place: str, shape: Shape, density: float | None, mass: float | None, fixed: bool) -> float:
        if fixed:
            return np.inf
        if not shape.bounded:
            raise SceneError(f"{place}: a {type(shape).__name__} is unbounded and can only be fixed: add fixed=True.")
        if (density is None) == (mass is None):
            raise SceneError(f"{place}: give density [kg/m^3] or mass [kg], one of them.")
        name, value, unit = ("density", density, "kg/m^3") if mass is None else ("mass", mass, "kg")
        try:
            number = float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            raise SceneError(f"{place}: {name} = {value!r} is not a number [{unit}].") from None
        if not np.isfinite(number) or number <= 0.0:
            raise SceneError(f"{place}: {name} = {number:g} {unit} must be positive and finite.")
        return number * (shape.volume if mass is None else 1.0)

    def surface(self, one: str, other: str, *, law: Law, restitution: float = 0.0) -> None:
        """Say what happens where surfaces `one` and `other` touch: a friction law and Newton's restitution [-]."""
        place = f"surfaces '{one}' and '{other}'"
        if not isinstance(law, Law) or "n" not in law.rows:
            raise SceneError(f"{place}: law = {law!r} is not a contact law; see trundle.laws.")
        if law.count is not None:
            raise SceneError(f"{place}: coefficients of a surface are numbers, not arrays.")
        if not 0.0 <= float(restitution) <= 1.0:
            raise SceneError(f"{place}: restitution = {restitution!r} must lie between 0 and 1.")
        self.pairs[_key(one, other)] = Pair(law, float(restitution))

    def index(self, name: str) -> int:
        """Number of a body."""
        if name not in self._names:
            raise SceneError(unknown("body", name, self._names))
        return self._names[name]


def _key(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one <= other else (other, one)
