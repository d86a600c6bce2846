"""Motors, motions and loads of the state that switch within a step: how wrong steps of their length may be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trundle.scene.joints import SERVO
from trundle.scene.loads import Load
from trundle.scene.model import Model, State

Array = NDArray[np.float64]


class Switches:
    """Looks at the ends of steps at all that users give as functions, but for loads of time, whose mean is exact.

    A step knows the value of a function at one time only.  Where it jumps by J within a step of h, it acts for up to h / 2
    too long or too short.  J shows as a second difference of the values at the ends of steps; where the function is smooth that
    is of the order h^2, as the error of the middle is.

    length (B,): sizes of bodies [m], to which ways are relative; mass : of the bodies [kg].
    """

    def __init__(self, model: Model, length: Array) -> None:
        self._model = model
        self._loads: list[Load] = [load for load in model.loads if load.of_state]
        joints, weights = model.joints, []
        for joint in model.motors:  # speeds: a way is missed
            weights.append(1.0 / _size(model, joint, length))
        for joint in model.targets:  # places: a spring pulls with J k for so long, and gives a speed of J k h / 2 m
            spring = np.flatnonzero((joints.owner == joint) & (joints.role == SERVO))
            weights.append(
                _frequency(model, joint, float(joints.stiffness[spring].max())) / _size(model, joint, length)
            )
        for body, _ in model.motions:
            weights += [1.0 / float(length[body])] * 3 + [1.0] * 3
        self._ways = np.array(weights)
        self._numbers = np.array([model.number_of[load.body] for load in self._loads], np.int64)
        self._rows: list[Array] = []
        self.some = bool(len(weights) or self._loads)

    def begin(self, state: State) -> None:
        """A block begins."""
        self._rows.clear()
        self.note(state)

    def note(self, state: State) -> None:
        """A step has ended."""
        model, time = self._model, state.time
        view = model.view(state)
        values = [speed.at(time, view) for speed in model.motors.values()]
        values += [target.at(time, view) for target in model.targets.values()]
        for _, motion in model.motions:
            values += np.asarray(motion(time)).tolist()
        for load in self._loads:
            values += np.concatenate(load.at(time, view)).tolist()
        self._rows.append(np.array(values))

    def errors(self, h: float, speed: Array) -> tuple[float, float]:
        """What may be wrong after the block: ways relative to the bodies, and velocities relative to their speeds (B,) [m/s]."""
        if len(self._rows) < 3:
            return 0.0, 0.0
        jump = 0.5 * h * np.abs(np.diff(np.array(self._rows), 2, axis=0)).max(axis=0)
        ways, loads = jump[: len(self._ways)] * self._ways, jump[len(self._ways) :].reshape(-1, 6)
        kick = np.linalg.norm(loads[:, :3], axis=1) * self._model.inverse_mass[self._numbers]
        radius = self._model.radius[self._numbers]
        turn = np.linalg.norm(loads[:, 3:], axis=1) * np.trace(
            self._model.inverse_inertia[self._numbers], axis1=1, axis2=2
        )
        change = (kick + turn * np.where(np.isfinite(radius), radius, 1.0)) / speed[self._numbers]
        return float(ways.max(initial=0.0)), float(change.max(initial=0.0))


def _size(model: Model, joint: int, length: Array) -> float:
    """What ways [m] along a joint are relative to; angles are relative to 1 rad."""
    turns = int(model.joints.driven[model.joints.owner == joint].max()) >= 3
    return 1.0 if turns else float(length[model.joints.body[joint]].min())


def _frequency(model: Model, joint: int, stiffness: float) -> float:
    """Of a servo's spring [rad/s], with the lighter of its bodies."""
    bodies = model.joints.body[joint]
    turns = int(model.joints.driven[model.joints.owner == joint].max()) >= 3
    light = np.trace(model.inverse_inertia[bodies], axis1=1, axis2=2) if turns else model.inverse_mass[bodies]
    return float(np.sqrt(stiffness * light.max()))
