"""External forces and torques on bodies, and speeds of motors, as functions of time and state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from trundle.errors import SceneError, known, unknown
from trundle.kernels.rotations import rotation_matrix
from trundle.scene.fields import field_loads
from trundle.scene.joints import SERVO
from trundle.scene.state_view import StateView, wants_state
from trundle.scene.values import Array, number, vector

if TYPE_CHECKING:
    from trundle.scene.model import Model, State

FRAMES = ("world", "body")
UNITS = {"force": "N", "torque": "N m"}
HALVINGS, CLOSE = 40, 1e-10  # of a step in which a load jumps, at most; errors of its mean relative to its size


@dataclass(eq=False)
class Load:
    """A force [N] at a point and a torque [N m] on a body between two times [s].

    point: in the frame of the body [m], from the origin of its shape; frame: "world", or "body" for a load that turns with it.
    force, torque: vectors, or functions of time, or of time and state, that return them.
    """

    body: str
    force: Any
    torque: Any
    point: Array
    frame: str
    start: float
    end: float

    def __post_init__(self) -> None:
        self.change(self.force, self.torque)

    def change(self, force: Any, torque: Any) -> None:
        """Give it another force and torque."""
        values = {"force": force, "torque": torque}
        place = f"load on '{self.body}'"
        for name, given in values.items():
            if callable(given):
                if not wants_state(f"{place}: {name}", given):
                    vector(f"{place} at t = {self._first:g} s", name, given(self._first), UNITS[name])
            else:
                values[name] = vector(place, name, given, UNITS[name])
        self.force, self.torque = values["force"], values["torque"]
        self.functions = tuple(name for name in values if callable(values[name]))
        self.of_state = tuple(name for name in self.functions if wants_state(place, values[name]))

    @property
    def _first(self) -> float:
        """The first time at which it acts [s]."""
        return max(self.start, 0.0)

    def at(self, time: float, state: StateView | None = None) -> tuple[Array, Array]:
        """Force [N] and torque [N m] at a time, in the load's frame; functions of the state need it."""
        if not self.start <= time < self.end:
            return np.zeros(3), np.zeros(3)
        return (self.force, self.torque) if not self.functions else self._called(time, state)

    def mean(self, begin: float, end: float, state: StateView | None = None) -> tuple[Array, Array]:
        """The same, as mean over a time [s]: exact also where the load begins, ends or jumps in it.  Functions of the state
        count with their value in the middle."""
        first, last = max(begin, self.start), min(end, self.end)
        middle = 0.5 * (begin + end)
        if last <= first:
            return np.zeros(3), np.zeros(3)
        if self.of_state:
            return self.at(middle, state)
        share = (last - first) / (end - begin)
        if not self.functions:
            return share * self.force, share * self.torque
        value = share * _mean_of(lambda time: np.concatenate(self._called(time, None)), first, last)
        return value[:3], value[3:]

    def _called(self, time: float, state: StateView | None) -> tuple[Array, Array]:
        found = []
        for name, unit in UNITS.items():
            value = getattr(self, name)
            if name in self.functions:
                given = value(time, state) if name in self.of_state else value(time)
                value = vector(f"load on '{self.body}' at t = {time:g} s", name, given, unit)
            found.append(value)
        return found[0], found[1]


def _mean_of(f: Callable[[float], Array], begin: float, end: float) -> Array:
    """Mean of a function over a time [s], by Simpson's rule in parts that are halved where it jumps or bends."""
    ends = f(begin), f(0.5 * (begin + end)), f(end)
    allowed = CLOSE * float(np.max(np.abs(ends)))

    def part(a: float, b: float, fa: Array, fm: Array, fb: Array, depth: int) -> Array:
        m = 0.5 * (a + b)
        left, right = f(0.5 * (a + m)), f(0.5 * (m + b))
        whole, halves = (fa + 4.0 * fm + fb) / 6.0, (fa + 4.0 * left + 2.0 * fm + 4.0 * right + fb) / 12.0
        if depth == 0 or float(np.max(np.abs(whole - halves))) * (b - a) <= allowed * (end - begin):
            return halves
        return 0.5 * (part(a, m, fa, left, fm, depth - 1) + part(m, b, fm, right, fb, depth - 1))

    return part(begin, end, *ends, HALVINGS)


def make_load(body: str, force: Any, torque: Any, point: Any, frame: Any, start: Any, end: Any) -> Load:
    """Check what a user said about a load."""
    place = f"load on '{body}'"
    if not known(frame, FRAMES):
        raise SceneError(f"{place}: " + unknown("frame", frame, FRAMES))
    begin = number(place, "start", start, "s", infinite=True)
    finish = number(place, "end", end, "s", infinite=True)
    if finish <= begin:
        raise SceneError(f"{place}: end = {finish:g} s must be after start = {begin:g} s.")
    return Load(body, force, torque, vector(place, "point", point, "m"), str(frame), begin, finish)


@dataclass(frozen=True, eq=False)
class MotorSpeed:
    """The speed [rad/s, m/s] of a joint's motor, or the target [rad, m] of its servo, as a function of time, or of time and
    state."""

    joint: str
    function: Callable[..., Any]
    unit: str
    key: str = "motor"

    @cached_property
    def of_state(self) -> bool:
        """Whether it is a function of time and state."""
        return wants_state(f"joint '{self.joint}': {self.key}", self.function)

    def at(self, time: float, state: StateView) -> float:
        """Its value at a time [s]."""
        given = self.function(time, state) if self.of_state else self.function(time)
        return number(f"joint '{self.joint}' at t = {time:g} s", self.key, given, self.unit)


# --- what steppers ask -----------------------------------------------------------------------------------------


def has_functions(model: Model) -> bool:
    """Whether some load, field, constraint or motor is a function, which has to be called in every step."""
    return (
        bool(model.fields)
        or bool(model.constraints)
        or bool(model.motors)
        or bool(model.targets)
        or any(load.functions for load in model.loads)
    )


def loads_at(model: Model, time: float, state: State, span: float = 0.0) -> Array:
    """Forces [N] and torques [N m] of all loads and explicit fields on the bodies (B, 6), world frame; fixed bodies are not left
    out.

    span: of time [s] around `time` whose mean is wanted, of loads.
    """
    total = field_loads(model, time, state, False)
    view, R = model.view(state), np.empty((3, 3))
    for load in model.loads:
        b = model.number_of[load.body]
        force, torque = load.mean(time - 0.5 * span, time + 0.5 * span, view) if span else load.at(time, view)
        rotation_matrix(state.orientation, b, R)
        if load.frame == "body":
            force, torque = R @ force, R @ torque
        total[b, :3] += force
        total[b, 3:] += torque + np.cross(R @ (load.point - model.centre_of_mass[b]), force)
    return total


def set_motors(model: Model, time: float, state: State, middle: float) -> None:
    """Set the speeds of the motors that are functions, at the end of a step [s], and the targets of servos, in its middle [s]."""
    if model.motors or model.targets:
        view, joints = model.view(state), model.joints
        for joint, speed in model.motors.items():
            joints.speed[joint] = speed.at(time, view)
        for joint, target in model.targets.items():
            joints.rest[(joints.owner == joint) & (joints.role == SERVO)] = target.at(middle, view)
