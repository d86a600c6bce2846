"""Constraints of the user's own: equations Psi(q, t) = 0 between bodies, or a(q, t) . v + b(q, t) = 0, as rows of a step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from trundle.errors import SceneError, known, unknown
from trundle.scene.fields import SIX, differences
from trundle.scene.state_view import wants_state
from trundle.scene.values import Array

if TYPE_CHECKING:
    from trundle.scene.model import Model, State

LEVELS = ("position", "velocity")
OFF = 1e-6  # displacement, relative to the size of a body, by which a constraint may be off at the start


@dataclass(eq=False)
class Constraint:
    """Equations between bodies as a scene holds them; see `Scene.constraint`."""

    name: str
    bodies: tuple[str, ...]
    function: Callable[..., Any]
    gradient: Callable[..., Any] | None
    level: str

    @property
    def place(self) -> str:
        """How messages call it."""
        return f"constraint '{self.name}'"

    @property
    def of_positions(self) -> bool:
        """Whether it is an equation of positions, not of velocities."""
        return self.level == "position"

    def values(self, model: Model, time: float, state: State) -> Array:
        """What should be zero, (k,)."""
        given = self.function(time, model.view(state))
        try:
            found = np.atleast_1d(np.asarray(given, float))
        except (TypeError, ValueError):
            found = np.zeros((0, 0))
        if found.ndim != 1 or not len(found) or not np.all(np.isfinite(found)):
            raise SceneError(
                f"{self.place} at t = {time:g} s: it returned {given!r}; a finite number, or a list of them, is needed."
            )
        return found

    def gradients(self, model: Model, time: float, state: State) -> Array:
        """Derivatives (k, n, 6) by positions and rotations of the n bodies, or by their velocities."""
        bodies, n = [model.number_of[name] for name in self.bodies], len(self.bodies)
        if self.gradient is None:
            by = differences(lambda at: self.values(model, time, at), model, state, bodies, not self.of_positions)
            return np.ascontiguousarray(by.T).reshape(-1, n, SIX)
        given = self.gradient(time, model.view(state))
        found = np.asarray(given, float)
        if found.size % (n * SIX) or found.shape[-1:] != (SIX,) or not np.all(np.isfinite(found)):
            raise SceneError(
                f"{self.place}: gradient returned an array of shape {found.shape}; for k equations it is (k, {n}, {SIX}): by the "
                "displacement and the rotation of each body, world frame."
            )
        return found.reshape(-1, n, SIX)

    def check(self, model: Model, state: State) -> int:
        """Number of equations; an error if they do not hold at the start or do not depend on the bodies."""
        values, by = self.values(model, 0.0, state), self.gradients(model, 0.0, state)
        if len(by) != len(values):
            raise SceneError(f"{self.place}: it has {len(values)} equations, but gradient has {len(by)} rows.")
        numbers = [model.number_of[name] for name in self.bodies]
        movable = np.isfinite(model.mass[numbers])
        radius = model.radius[numbers][movable]
        size = float(np.max(radius[np.isfinite(radius)], initial=0.0)) or 1.0
        scale = by[:, movable] * np.array([1.0, 1.0, 1.0, 1 / size, 1 / size, 1 / size])
        slope = np.sqrt(np.sum(scale**2, axis=(1, 2)))
        for i, (value, steep) in enumerate(zip(values, slope, strict=True)):
            which = f"equation {i + 1} " if len(values) > 1 else "it "
            if steep == 0.0:
                raise SceneError(f"{self.place}: {which}does not depend on the {self.level} of its movable bodies.")
            if self.of_positions and abs(value) > OFF * size * steep:
                raise SceneError(
                    f"{self.place}: {which}is {value:g} at the start, not 0: a body would have to move by "
                    f"{abs(value) / steep:.3g} m. Give positions that satisfy it."
                )
        return len(values)


def make_constraint(name: str, bodies: Sequence[str], function: Any, gradient: Any, level: Any) -> Constraint:
    """Check what a user said about a constraint."""
    place = f"constraint '{name}'"
    if not known(level, LEVELS):
        raise SceneError(f"{place}: " + unknown("level", level, LEVELS))
    for key, given in (("function", function), ("gradient", gradient)):
        if given is None and key == "gradient":
            continue
        if not callable(given) or not wants_state(f"{place}: {key}", given):
            raise SceneError(f"{place}: {key} = {given!r} must be a function of time and state.")
    return Constraint(name, tuple(bodies), function, gradient, str(level))
