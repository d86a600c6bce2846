"""External forces and torques on bodies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from trundle.errors import SceneError, unknown
from trundle.scene.values import Array, number, vector

FRAMES = ("world", "body")


@dataclass(frozen=True, eq=False)
class Load:
    """A force [N] at a point and a torque [N m] on a body between two times [s].

    point: in the frame of the body, from its centre of mass [m]; frame: "world", or "body" for a load that turns with it.
    force, torque: vectors, or functions of time that return them.
    """

    body: str
    force: Any
    torque: Any
    point: Array
    frame: str
    start: float
    end: float

    def at(self, time: float) -> tuple[Array, Array]:
        """Force [N] and torque [N m] at a time, in the load's frame."""
        if not self.start <= time < self.end:
            return np.zeros(3), np.zeros(3)
        place = f"load on '{self.body}' at t = {time:g} s"
        return _value(place, "force", self.force, "N", time), _value(place, "torque", self.torque, "N m", time)


def _value(place: str, name: str, given: Any, unit: str, time: float) -> Array:
    return vector(place, name, given(time) if isinstance(given, Callable) else given, unit)  # type: ignore[arg-type]


def make_load(body: str, force: Any, torque: Any, point: Any, frame: Any, start: Any, end: Any) -> Load:
    """Check what a user said about a load."""
    place = f"load on '{body}'"
    if frame not in FRAMES:
        raise SceneError(f"{place}: " + unknown("frame", frame, FRAMES))
    begin = number(place, "start", start, "s", infinite=True)
    finish = number(place, "end", end, "s", infinite=True)
    if finish <= begin:
        raise SceneError(f"{place}: end = {finish:g} s must be after start = {begin:g} s.")
    load = Load(body, force, torque, vector(place, "point", point, "m"), str(frame), begin, finish)
    load.at(max(begin, 0.0))
    if not callable(force):
        object.__setattr__(load, "force", vector(place, "force", force, "N"))
    if not callable(torque):
        object.__setattr__(load, "torque", vector(place, "torque", torque, "N m"))
    return load
