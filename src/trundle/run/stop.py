"""Conditions that end a run before its time: `trundle.simulate(..., stop=trundle.stop.at_rest(0.2))`.

They are looked at after every step, on the whole state, so that the end does not depend on frames or recordings.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SceneError, unknown
from trundle.scene.emitters import Region
from trundle.scene.model import Model
from trundle.scene.shapes import HalfSpace
from trundle.scene.state_view import StateView, wants_state
from trundle.scene.values import number

ROOM = 1e-9  # relative rounding of times


class Condition:
    """Something that can happen; called after every step with time [s] and state.

    words: what has happened, for `run.stopped`.
    """

    words = ""

    def bind(self, model: Model, coming: Callable[[], bool]) -> None:
        """Get to know the scene; coming: tells whether emitters will still pour bodies."""

    def __call__(self, time: float, state: StateView) -> bool:
        """Whether it has happened."""
        raise NotImplementedError

    def memory(self) -> NDArray[np.float64]:
        """What it must know after a run is resumed."""
        return np.zeros(0)

    def recall(self, memory: NDArray[np.float64]) -> None:
        """Go on from a memory."""


class _OfBodies(Condition):
    """About one body, or about all that can move."""

    def __init__(self, body: str | None) -> None:
        if body is not None and not isinstance(body, str):
            raise SceneError(f"stop: body = {body!r} is not the name of a body.")
        self._name = body

    def bind(self, model: Model, coming: Callable[[], bool]) -> None:
        if self._name is None:
            self._bodies = np.flatnonzero(np.isfinite(model.mass))
        elif self._name in model.number_of:
            self._bodies = np.array([model.number_of[self._name]])
        else:
            raise SceneError("stop: " + unknown("body", self._name, model.names))
        self._model, self._coming = model, coming

    def _present(self, state: StateView) -> NDArray[np.int64]:
        return self._bodies[state.arrays.present[self._bodies]]


class at_rest(_OfBodies):
    """All bodies that can move have been slower than `speed` for `duration` [s], and no emitter has more of them.

    duration : how long [s]
    speed : of centres, and of the surface as bodies turn, |angular velocity| x bounding radius [m/s]
    body : the name of one body, if not all are meant
    """

    def __init__(self, duration: float = 0.2, speed: float = 1e-3, body: str | None = None) -> None:
        super().__init__(body)
        self.duration = number("stop.at_rest", "duration", duration, "s", least=0.0)
        self.speed = number("stop.at_rest", "speed", speed, "m/s", positive=True)
        self.words = f"at rest for {self.duration:g} s"
        self._since: float | None = None

    def __call__(self, time: float, state: StateView) -> bool:
        now, some = state.arrays, self._present(state)
        speed = np.linalg.norm(now.velocity[some], axis=1).max(initial=0.0)
        turning = np.linalg.norm(now.angular_velocity[some], axis=1) * self._model.radius[some]
        if self._coming() or max(speed, turning.max(initial=0.0)) > self.speed:
            self._since = None
            return False
        self._since = time if self._since is None else self._since
        return time - self._since >= self.duration * (1.0 - ROOM)

    def memory(self) -> NDArray[np.float64]:
        return np.array([np.nan if self._since is None else self._since])

    def recall(self, memory: NDArray[np.float64]) -> None:
        self._since = None if np.isnan(memory[0]) else float(memory[0])


class left(_OfBodies):
    """The centre of a body that can move is outside a region, `trundle.BoxRegion` or `CylinderRegion`.

    body : the name of one body, if not any of them is meant
    """

    def __init__(self, region: Region, body: str | None = None) -> None:
        super().__init__(body)
        if not isinstance(region, Region):
            raise SceneError(
                f"stop.left: {region!r} is not a region; give trundle.BoxRegion(...) or CylinderRegion(...)."
            )
        self.region = region

    def __call__(self, time: float, state: StateView) -> bool:
        some = self._present(state)
        outside = some[~self.region.contains(state.arrays.position[some])]
        if len(outside):
            self.words = f"'{self._model.names[outside[0]]}' left the region"
        return bool(len(outside))


class crossed(_OfBodies):
    """The centre of a body that can move has come from one side of a plane, a `trundle.HalfSpace`, to the other.

    body : the name of one body, if not any of them is meant
    """

    def __init__(self, plane: HalfSpace, body: str | None = None) -> None:
        super().__init__(body)
        if not isinstance(plane, HalfSpace):
            raise SceneError(f"stop.crossed: {plane!r} is not a plane; give trundle.HalfSpace(normal=..., offset=...).")
        self.plane = plane

    def bind(self, model: Model, coming: Callable[[], bool]) -> None:
        super().bind(model, coming)
        self._side = np.zeros(len(model.mass))  # 0: not seen yet

    def __call__(self, time: float, state: StateView) -> bool:
        some = self._present(state)
        side = np.where(state.arrays.position[some] @ self.plane.normal >= self.plane.offset, 1.0, -1.0)
        over = some[side * self._side[some] < 0.0]
        self._side[some] = side
        if len(over):
            self.words = f"'{self._model.names[over[0]]}' crossed the plane"
        return bool(len(over))

    def memory(self) -> NDArray[np.float64]:
        return self._side.copy()

    def recall(self, memory: NDArray[np.float64]) -> None:
        self._side[:] = memory


class _Own(Condition):
    """A user's function (time, state) -> bool."""

    def __init__(self, function: Callable[[float, StateView], bool]) -> None:
        if not wants_state("stop", function):
            raise SceneError("stop: the function takes one argument; give one of time [s] and state.")
        self._function = function
        self.words = f"condition {getattr(function, '__name__', type(function).__name__)}"

    def __call__(self, time: float, state: StateView) -> bool:
        return bool(self._function(time, state))


def as_conditions(given: Any) -> list[Condition]:
    """Conditions from what a user gave: one, a function, words such as "at rest 0.2", or a list of these."""
    if given is None:
        return []
    if isinstance(given, Condition):
        return [given]
    if isinstance(given, str):
        return [_parsed(given)]
    if isinstance(given, (list, tuple)):
        return [condition for one in given for condition in as_conditions(one)]
    if callable(given) and not isinstance(given, type):
        return [_Own(given)]
    raise SceneError(
        f"simulate: stop = {given!r}: give trundle.stop.at_rest(0.2), left(region), crossed(plane), a function of time and "
        "state, or a list of these."
    )


def _parsed(text: str) -> Condition:
    """A condition in words: "at rest SECONDS", or "at rest SECONDS SPEED"."""
    words = text.split()
    try:
        numbers = [float(word) for word in words[2:]]
    except ValueError:
        numbers = []
    if words[:2] != ["at", "rest"] or not 1 <= len(numbers) <= 2:
        raise SceneError(f"simulate: stop = {text!r}: say 'at rest SECONDS', or 'at rest SECONDS SPEED' with m/s.")
    return at_rest(numbers[0]) if len(numbers) == 1 else at_rest(numbers[0], numbers[1])


__all__ = ["at_rest", "crossed", "left"]
