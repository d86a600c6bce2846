"""Force fields f(q, v, t) on bodies: kinds with closed forms, and users' functions; their derivatives for implicit steps.

Loads of a body are six numbers: a force [N] at its centre of mass and a torque [N m] about it, world frame.  Derivatives are
with respect to displacements and small rotations (world frame), and to velocities and angular velocities, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from trundle.errors import SceneError
from trundle.kernels.rotations import rotate_by
from trundle.scene.values import Array, is_list, number, vector

if TYPE_CHECKING:
    from trundle.scene.model import Model, State

SMALL = float(
    np.cbrt(np.finfo(float).eps)
)  # of central differences: their rounding and their remainder are of one size
SIX = 6
Slopes = tuple[Array, Array]


@dataclass(frozen=True)
class ForceField:
    """A field that acts on each body by itself."""

    def force(self, time: float, state: State, bodies: Sequence[int]) -> Array:
        """Loads (n, 6) of bodies at a time [s]."""
        raise NotImplementedError

    def slopes(self, time: float, state: State, bodies: Sequence[int]) -> Slopes:
        """Derivatives (n, 6, 6) of the loads of each body by its position and by its velocity."""
        raise NotImplementedError


@dataclass(frozen=True)
class Drag(ForceField):
    """F = -(linear + quadratic |u|) u with u the velocity relative to the wind, and T = -angular w.

    linear [N s/m], quadratic [N s^2/m^2], angular [N m s], wind (3,) [m/s].
    """

    linear: float = 0.0
    quadratic: float = 0.0
    angular: float = 0.0
    wind: Any = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        for name, unit in (("linear", "N s/m"), ("quadratic", "N s^2/m^2"), ("angular", "N m s")):
            object.__setattr__(self, name, number("Drag", name, getattr(self, name), unit, least=0.0))
        object.__setattr__(self, "wind", tuple(vector("Drag", "wind", self.wind, "m/s").tolist()))
        if not (self.linear or self.quadratic or self.angular):
            raise SceneError("Drag: give linear [N s/m], quadratic [N s^2/m^2] or angular [N m s].")

    def force(self, time: float, state: State, bodies: Sequence[int]) -> Array:
        u = state.velocity[bodies] - self.wind
        speed = np.linalg.norm(u, axis=1, keepdims=True)
        return np.hstack([-(self.linear + self.quadratic * speed) * u, -self.angular * state.angular_velocity[bodies]])

    def slopes(self, time: float, state: State, bodies: Sequence[int]) -> Slopes:
        u = state.velocity[bodies] - self.wind
        speed = np.linalg.norm(u, axis=1)
        along = np.einsum("ni,nj->nij", u, u) / np.where(speed > 0.0, speed, 1.0)[:, None, None]
        by_velocity = np.zeros((len(u), SIX, SIX))
        by_velocity[:, :3, :3] = (
            -(self.linear + self.quadratic * speed)[:, None, None] * np.eye(3) - self.quadratic * along
        )
        by_velocity[:, 3:, 3:] = -self.angular * np.eye(3)
        return np.zeros_like(by_velocity), by_velocity


@dataclass(frozen=True)
class CentralSpring(ForceField):
    """A spring and dashpot from a point of the world to the centre of mass: F = -(stiffness (r - length) + damping r') e.

    point (3,) [m]; stiffness [N/m]; length [m] at which it is without force; damping [N s/m]; r, e: distance and direction from
    the point.
    """

    point: Any
    stiffness: float
    length: float = 0.0
    damping: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", tuple(vector("CentralSpring", "point", self.point, "m").tolist()))
        for name, unit in (("stiffness", "N/m"), ("length", "m"), ("damping", "N s/m")):
            object.__setattr__(self, name, number("CentralSpring", name, getattr(self, name), unit, least=0.0))

    def _parts(self, state: State, bodies: Sequence[int]) -> tuple[Array, Array, Array, Array]:
        """Distance (n, 1), its direction (n, 3), velocity (n, 3) and its part along it (n, 1)."""
        x, v = state.position[bodies] - self.point, state.velocity[bodies]
        r = np.linalg.norm(x, axis=1, keepdims=True)
        e = x / np.where(r > 0.0, r, 1.0)
        return r, e, v, np.sum(e * v, axis=1, keepdims=True)

    def force(self, time: float, state: State, bodies: Sequence[int]) -> Array:
        r, e, v, rate = self._parts(state, bodies)
        if self.length == 0.0 and self.damping == 0.0:
            return np.hstack([-self.stiffness * (state.position[bodies] - self.point), np.zeros_like(v)])
        return np.hstack([-(self.stiffness * (r - self.length) + self.damping * rate) * e, np.zeros_like(v)])

    def slopes(self, time: float, state: State, bodies: Sequence[int]) -> Slopes:
        r, e, v, rate = self._parts(state, bodies)
        by_position, by_velocity = np.zeros((2, len(e), SIX, SIX))
        if self.length == 0.0 and self.damping == 0.0:
            by_position[:, :3, :3] = -self.stiffness * np.eye(3)
            return by_position, by_velocity
        away = np.where(r > 0.0, r, 1.0)[:, :, None]
        ee = np.einsum("ni,nj->nij", e, e)
        across = (np.eye(3) - ee) / away
        size = (self.stiffness * (r - self.length) + self.damping * rate)[:, :, None]
        by_position[:, :3, :3] = -self.stiffness * ee - size * across
        by_position[:, :3, :3] -= self.damping * np.einsum("ni,nj->nij", e, np.einsum("njk,nk->nj", across, v))
        by_velocity[:, :3, :3] = -self.damping * ee
        return by_position, by_velocity


@dataclass(frozen=True)
class LinearField(ForceField):
    """F = -stiffness (x - position) and -damping (v, w), matrices in the world frame.

    stiffness: [N/m] a number, (3,) or (3, 3); damping: a number [N s/m] on the velocity, (3,), (6,), (3, 3) or (6, 6), the last
    three of its rows [N m s] on the angular velocity; position (3,) [m].
    """

    stiffness: Any = 0.0
    damping: Any = 0.0
    position: Any = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", tuple(vector("LinearField", "position", self.position, "m").tolist()))
        for name, unit, sizes in (("stiffness", "N/m", (3,)), ("damping", "N s/m", (3, 6))):
            matrix = _matrix("LinearField", name, getattr(self, name), unit, sizes)
            object.__setattr__(self, name, tuple(tuple(row) for row in matrix.tolist()))
        if not (np.any(self.stiffness) or np.any(self.damping)):
            raise SceneError("LinearField: give stiffness [N/m] or damping [N s/m, N m s].")

    def _six(self, given: Any) -> Array:
        matrix, found = np.asarray(given), np.zeros((SIX, SIX))
        found[: len(matrix), : len(matrix)] = matrix
        return found

    def force(self, time: float, state: State, bodies: Sequence[int]) -> Array:
        v = np.hstack([state.velocity[bodies], state.angular_velocity[bodies]])
        loads = -v @ self._six(self.damping).T
        loads[:, :3] -= (state.position[bodies] - self.position) @ np.asarray(self.stiffness).T
        return loads

    def slopes(self, time: float, state: State, bodies: Sequence[int]) -> Slopes:
        shape = (len(bodies), SIX, SIX)
        by_position, by_velocity = (np.broadcast_to(-self._six(m), shape) for m in (self.stiffness, self.damping))
        return by_position, by_velocity


FIELDS = {"drag": Drag, "central-spring": CentralSpring, "linear": LinearField}


def _matrix(place: str, name: str, given: Any, unit: str, sizes: tuple[int, ...]) -> Array:
    """A matrix from a number, its diagonal, or itself."""
    if not is_list(given):
        return number(place, name, given, unit) * np.eye(3)
    n = len(given)
    if n not in sizes:
        raise SceneError(
            f"{place}: {name} must be a number, or {' or '.join(map(str, sizes))} numbers or rows [{unit}]."
        )
    if not is_list(given[0]):
        return np.diag(vector(place, name, given, unit, n))
    return np.array([vector(place, f"{name}[{i}]", row, unit, n) for i, row in enumerate(given)])


@dataclass(eq=False)
class Field:
    """A field on some bodies as a scene holds it; see `Scene.field`."""

    bodies: tuple[str, ...]
    field: Any
    implicit: bool
    derivative: Callable[..., Any] | None
    whole: bool = False  # whether it acts on all movable bodies

    @property
    def place(self) -> str:
        """How messages call it."""
        names = ", ".join(f"'{name}'" for name in self.bodies[:3]) + (", ..." if len(self.bodies) > 3 else "")
        return f"field on {names}"

    @property
    def is_function(self) -> bool:
        """Whether it is a user's function."""
        return not isinstance(self.field, ForceField)

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """Bodies whose loads depend on each other."""
        return [self.bodies] if self.is_function else [(name,) for name in self.bodies]

    def loads(self, model: Model, time: float, state: State) -> Array:
        """Loads (n, 6) on its bodies."""
        bodies = [model.number_of[name] for name in self.bodies]
        if not self.is_function:
            return self.field.force(time, state, bodies)
        given, n = self.field(time, model.view(state)), len(bodies)
        try:
            found = np.asarray(given, float)
        except (TypeError, ValueError):
            found = np.zeros(0)
        if n == 1 and found.shape in ((3,), (SIX,)):
            found = found[None]
        if found.shape not in ((n, 3), (n, SIX)) or not np.all(np.isfinite(found)):
            raise SceneError(
                f"{self.place} at t = {time:g} s: it returned {given!r}; a force [N] for each of its {n} bodies, finite and of "
                f"shape ({n}, 3), is needed, or of shape ({n}, 6) with a torque [N m] as well."
            )
        loads = np.zeros((n, SIX))
        loads[:, : found.shape[1]] = found
        return loads

    def slopes(self, model: Model, time: float, state: State) -> Slopes:
        """Derivatives by positions and by velocities, (groups, 6 s, 6 s) with s bodies in a group."""
        bodies = [model.number_of[name] for name in self.bodies]
        if not self.is_function:
            return self.field.slopes(time, state, bodies)
        size = SIX * len(bodies)
        if self.derivative is None:
            return tuple(
                differences(lambda at: self.loads(model, time, at).ravel(), model, state, bodies, rates).T[None]
                for rates in (False, True)
            )  # type: ignore[return-value]
        given = self.derivative(time, model.view(state))
        if not is_list(given) or len(given) != 2:
            raise SceneError(f"{self.place}: derivative must return two matrices ({size}, {size}).")
        found = tuple(np.asarray(matrix, float) for matrix in given)
        for matrix in found:
            if matrix.shape != (size, size) or not np.all(np.isfinite(matrix)):
                raise SceneError(
                    f"{self.place}: derivative returned a matrix of shape {matrix.shape}; ({size}, {size}) is needed, the loads "
                    "of all bodies (force, torque) by their positions (displacement, rotation), and by their velocities."
                )
        return found[0][None], found[1][None]


def differences(
    function: Callable[[State], Array], model: Model, state: State, bodies: Sequence[int], rates: bool
) -> Array:
    """Derivatives (6 n, m) of a function of the state by positions and rotations, or by the velocities, of n bodies."""
    rows = []
    for b in bodies:
        radius = model.radius[b] if np.isfinite(model.radius[b]) and model.radius[b] > 0.0 else 1.0
        speed = 1.0 + float(np.abs(state.velocity[b]).max())
        spin = 1.0 + float(np.abs(state.angular_velocity[b]).max())
        for k in range(SIX):
            step = SMALL * ((speed if k < 3 else spin) if rates else (radius if k < 3 else 1.0))
            values = []
            for sign in (1.0, -1.0):
                at = state.copy()
                if rates:
                    (at.velocity if k < 3 else at.angular_velocity)[b, k % 3] += sign * step
                elif k < 3:
                    at.position[b, k] += sign * step
                else:
                    rotate_by(at.orientation, b, *(sign * step * np.eye(3)[k - 3]))
                values.append(function(at))
            rows.append((values[0] - values[1]) / (2.0 * step))
    return np.array(rows)


def make_field(bodies: Sequence[str], field: Any, implicit: Any, derivative: Any, whole: bool) -> Field:
    """Check what a user said about a field."""
    made = Field(tuple(bodies), field, implicit is True or implicit is np.True_, derivative, whole)
    if not isinstance(implicit, (bool, np.bool_)):
        raise SceneError(f"{made.place}: implicit = {implicit!r} must be True or False.")
    if not isinstance(field, ForceField) and not callable(field):
        raise SceneError(
            f"{made.place}: {field!r} is not a field; give Drag(...), CentralSpring(...), LinearField(...) or a function of time "
            "and state that returns forces [N]."
        )
    if derivative is not None and (not callable(derivative) or not made.is_function or not made.implicit):
        raise SceneError(
            f"{made.place}: derivative is a function of time and state, for an implicit field that is a function itself."
        )
    return made


def field_loads(model: Model, time: float, state: State, implicit: bool | None = None) -> Array:
    """Loads (B, 6) of all fields, or of those that are implicit or not."""
    total = np.zeros((len(model.mass), SIX))
    for field in model.fields:
        if implicit is None or field.implicit == implicit:
            np.add.at(total, [model.number_of[name] for name in field.bodies], field.loads(model, time, state))
    return total
