"""Prescribed motions of bodies that no contact can push."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from trundle.errors import SceneError
from trundle.scene.values import Array, is_list, number, vector

# velocity [m/s] and angular velocity [rad/s] of the world frame at a time [s], (6,)
Prescribed = Callable[[float], Array]


def _field(owner: Any, name: str, unit: str) -> None:
    object.__setattr__(owner, name, tuple(vector(type(owner).__name__, name, getattr(owner, name), unit).tolist()))


@dataclass(frozen=True)
class Motion:
    """Velocity and angular velocity of a body as functions of time; its position follows by integration."""

    def __call__(self, time: float) -> Array:
        """Velocity [m/s] and angular velocity [rad/s], world frame, shape (6,)."""
        raise NotImplementedError

    def fastest(self) -> float:
        """The largest speed [m/s] that it reaches."""
        raise NotImplementedError


@dataclass(frozen=True)
class Steady(Motion):
    """Constant velocity [m/s] and angular velocity [rad/s] between `start` and `end` [s], rest outside."""

    velocity: Any = (0.0, 0.0, 0.0)
    angular_velocity: Any = (0.0, 0.0, 0.0)
    start: float = 0.0
    end: float = math.inf

    def __post_init__(self) -> None:
        _field(self, "velocity", "m/s")
        _field(self, "angular_velocity", "rad/s")
        for name in ("start", "end"):
            object.__setattr__(self, name, number("Steady", name, getattr(self, name), "s", infinite=True))
        if not self.start < self.end:
            raise SceneError(f"Steady: it ends at {self.end:g} s, before it starts at {self.start:g} s.")
        if not any((*self.velocity, *self.angular_velocity)):
            raise SceneError(
                "Steady: neither velocity nor angular_velocity is given. A body that stands still is fixed."
            )

    def fastest(self) -> float:
        return math.hypot(*self.velocity)

    def __call__(self, time: float) -> Array:
        return np.array((*self.velocity, *self.angular_velocity)) * float(self.start <= time < self.end)


@dataclass(frozen=True)
class Oscillation(Motion):
    """x(t) = x_0 + amplitude (sin(2 pi f t + phase) - sin phase), and the same for a rotation vector.

    amplitude (3,) [m]; rotation (3,) [rad]; frequency [Hz]; phase [rad].
    """

    frequency: float
    amplitude: Any = (0.0, 0.0, 0.0)
    rotation: Any = (0.0, 0.0, 0.0)
    phase: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "frequency", number("Oscillation", "frequency", self.frequency, "Hz", positive=True))
        object.__setattr__(self, "phase", number("Oscillation", "phase", self.phase, "rad"))
        _field(self, "amplitude", "m")
        _field(self, "rotation", "rad")
        if not any((*self.amplitude, *self.rotation)):
            raise SceneError("Oscillation: neither amplitude [m] nor rotation [rad] is given: it would not move.")

    def fastest(self) -> float:
        return 2.0 * math.pi * self.frequency * math.hypot(*self.amplitude)

    def __call__(self, time: float) -> Array:
        rate = 2.0 * math.pi * self.frequency
        return np.array((*self.amplitude, *self.rotation)) * rate * math.cos(rate * time + self.phase)


@dataclass(frozen=True)
class Table(Motion):
    """Velocities at given times, linear in between and constant before the first and after the last.

    time (n,) [s], increasing; velocity, angular_velocity (n, 3), zero if left out.
    """

    time: Any
    velocity: Any = None
    angular_velocity: Any = None

    def __post_init__(self) -> None:
        if not is_list(self.time):
            raise SceneError(f"Table: time = {self.time!r} must be a list of increasing times [s].")
        n = len(self.time)
        time = vector("Table", "time", self.time, "s", n)
        if n < 1 or np.any(np.diff(time) <= 0.0):
            raise SceneError(f"Table: time = {self.time!r} must be increasing times [s].")
        object.__setattr__(self, "time", tuple(time.tolist()))
        for name, unit in (("velocity", "m/s"), ("angular_velocity", "rad/s")):
            given = getattr(self, name)
            if given is not None and not is_list(given):
                raise SceneError(f"Table: {name} = {given!r} must be a vector [{unit}] for every time.")
            rows = [(0.0, 0.0, 0.0)] * n if given is None else list(given)
            if len(rows) != n:
                raise SceneError(f"Table: {name} has {len(rows)} rows, but there are {n} times.")
            checked = tuple(tuple(vector("Table", f"{name}[{i}]", row, unit).tolist()) for i, row in enumerate(rows))
            object.__setattr__(self, name, checked)

    def fastest(self) -> float:
        return max(math.hypot(*row) for row in self.velocity)

    def __call__(self, time: float) -> Array:
        rows = np.concatenate([self.velocity, self.angular_velocity], axis=1)
        return np.array([np.interp(time, self.time, rows[:, k]) for k in range(6)])


def as_motion(place: str, given: Any) -> Prescribed:
    """A motion, or a user's function t -> (velocity, angular_velocity) as one; checked at t = 0."""
    if isinstance(given, Motion):
        return given
    if not callable(given):
        raise SceneError(
            f"{place}: motion = {given!r} is not a motion; give Steady(...), Oscillation(...), Table(...) or a function "
            "t -> (velocity, angular_velocity)."
        )

    def prescribed(time: float) -> Array:
        try:
            velocity, angular_velocity = given(time)
        except (TypeError, ValueError) as error:
            raise SceneError(
                f"{place}: motion({time:g}) must return (velocity, angular_velocity), two vectors: {error}."
            ) from None
        return np.concatenate(
            [
                vector(place, f"velocity of motion({time:g})", velocity, "m/s"),
                vector(place, f"angular_velocity of motion({time:g})", angular_velocity, "rad/s"),
            ]
        )

    prescribed(0.0)
    return prescribed
