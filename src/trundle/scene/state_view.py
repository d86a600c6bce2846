"""A state as users see it: bodies by their names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from trundle.errors import SceneError, known, unknown
from trundle.scene.values import Array

if TYPE_CHECKING:
    from trundle.scene.model import Model, State


class StateView:
    """Where bodies are and how they move, by name, or all of them in the order of `names`; copies, which may be kept.

    time [s]; arrays: the `State` behind it, with the arrays themselves: positions and velocities of centres of mass.
    centre_of_mass (B, 3) [m] in the frames of the bodies, None if it is the origin of every shape.
    """

    def __init__(
        self,
        number_of: Mapping[str, int],
        state: State,
        centre_of_mass: Array | None = None,
        model: Model | None = None,
    ) -> None:
        self._number_of, self._model = number_of, model
        self._centre = centre_of_mass
        self.arrays = state

    def __repr__(self) -> str:
        return f"<State of {len(self._number_of)} bodies at t = {self.time:g} s>"

    @property
    def time(self) -> float:
        """Time [s]."""
        return self.arrays.time

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies."""
        return tuple(self._number_of)

    def _of(self, values: Array, name: str | None) -> Array:
        return values.copy() if name is None else values[self.number(name)].copy()

    def number(self, name: str) -> int:
        """Number of a body: its row in the arrays."""
        if not known(name, self._number_of):
            raise SceneError(unknown("body", name, self._number_of))
        return self._number_of[name]

    def present(self, name: str) -> bool:
        """Whether a body is there: poured already, and not removed."""
        return bool(self.arrays.present[self.number(name)])

    def position(self, name: str | None = None) -> Array:
        """Origin of the shape [m], the centre of mass unless `Scene.add` said otherwise, shape (3,); of all bodies (B, 3)."""
        return self._of(origins(self.arrays, self._centre)[0], name)

    def centre_of_mass(self, name: str | None = None) -> Array:
        """Centre of mass [m], shape (3,); of all bodies (B, 3)."""
        return self._of(self.arrays.position, name)

    def orientation(self, name: str | None = None) -> Array:
        """Quaternion (w, x, y, z), shape (4,); of all bodies (B, 4)."""
        return self._of(self.arrays.orientation, name)

    def velocity(self, name: str | None = None) -> Array:
        """Velocity of the origin of the shape [m/s], shape (3,); of all bodies (B, 3)."""
        return self._of(origins(self.arrays, self._centre)[1], name)

    def angular_velocity(self, name: str | None = None) -> Array:
        """Angular velocity [rad/s], world frame, shape (3,); of all bodies (B, 3)."""
        return self._of(self.arrays.angular_velocity, name)

    def joint_position(self, name: str) -> float:
        """Angle of a hinge [rad], between -pi and pi, way of a slider [m], length of a spring or distance [m].

        Of `other` relative to `one`, or of `one` relative to the world; 0 at the start but for lengths.
        """
        return self._joint_motion(name, 0)

    def joint_speed(self, name: str) -> float:
        """Rate of `joint_position` [rad/s, m/s]."""
        return self._joint_motion(name, 1)

    def _joint_motion(self, name: str, column: int) -> float:
        from trundle.scene.joint_motion import check_moves, joint_motion

        if self._model is None:
            raise SceneError("This state knows no joints; ask that of a Simulation.")
        j = check_moves(name, list(self._model.joint_names), list(self._model.joint_kinds))
        return float(joint_motion(self._model.joints, self.arrays)[j, column])


def origins(state: State, centre_of_mass: Array | None) -> tuple[Array, Array]:
    """Positions [m] and velocities [m/s] (B, 3) of the origins of the shapes.

    centre_of_mass (B, 3) [m]: in the frames of the bodies; None: it is the origin of every shape.
    """
    if centre_of_mass is None:
        return state.position, state.velocity
    w, u = state.orientation[:, :1], state.orientation[:, 1:]
    across = np.cross(u, centre_of_mass)
    arm = centre_of_mass + 2.0 * (w * across + np.cross(u, across))
    return state.position - arm, state.velocity - np.cross(state.angular_velocity, arm)


def wants_state(place: str, function: Callable[..., Any]) -> bool:
    """Whether a user's function is one of (time, state); False: of time alone.  Parameters with defaults do not count."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # compiled functions may not tell
        return False
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    needed = [p for p in positional if p.default is p.empty]
    keywords = [p for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    some = bool(positional) or any(p.kind is p.VAR_POSITIONAL for p in parameters)
    if len(needed) > 2 or keywords or not some:
        raise SceneError(
            f"{place}: a function of {len(needed) + len(keywords)} arguments; give one of time [s], or of time and state."
        )
    return len(needed) == 2
