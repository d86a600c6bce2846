"""Steps whose length follows from an accuracy.  docs/time-stepping.md has the reasons."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SimulationError
from trundle.record.questions import QUANTITIES
from trundle.scene.model import Model, State
from trundle.step.report import ROW_TYPE, StepReport, StepRows
from trundle.step.stepper import FAST, Stepper

if TYPE_CHECKING:
    from trundle.detect.contacts import Contacts

Memories = dict[str, NDArray[Any]]

FINE, COARSE = 16, 8  # steps of a block: those that are kept, and those that they are compared with
RICHARDSON = 3.0  # their difference over the error of the fine ones, at order 2
LEVELS = 20  # times that a block can be halved, from the frame interval on
DROP = 4  # levels within which no smooth motion shortens its blocks at once: further down there was an event
RESERVE = 0.1  # part of what is left of the reserve that one event may take
SPEED = 0.1  # of the accuracy: differences of velocities in a block
GROWTH = 8.0  # steps twice as long have errors 4 times as large at order 2, in the same time
NOISE = 10.0  # of the solver's tolerance: differences that no step size makes smaller


class Adaptive(Stepper):
    """Advances a state by frame intervals, in steps of another stepper that are as long as the accuracy allows.

    An interval is divided into blocks of interval / 2^level [s].  Every block is done from the same state and memory in COARSE
    and in FINE steps, and their difference / 3 is the error of the block; the fine steps are kept.  That of positions may be
    accuracy * block / horizon, so that all blocks together make no more than `accuracy`, and velocities by SPEED * accuracy.
    Events, such as a change from sliding to rolling, have an accuracy of their own, the reserve, since their errors fall
    more slowly with the step.
    """

    def __init__(self, inner: Stepper, model: Model, accuracy: float, horizon: float, tolerance: float) -> None:
        super().__init__(model)
        self.inner, self._accuracy, self._horizon = inner, accuracy, horizon
        self._noise = NOISE * tolerance
        self._free = np.isfinite(model.mass)
        self._length = np.where(np.isfinite(model.radius), model.radius, 1.0)
        self._least_speed = np.sqrt(math.hypot(*model.gravity) * self._length)
        self._level, self._plain = 0, 0  # of the next block, and of the last one that needed no reserve
        self._spent = 0.0  # of the reserve
        self._easy = False  # whether the last block could have been twice as long
        self._step = self._interval = 0.0  # length of the last step, and of the last interval [s]
        self._forced, self._first, self._worst = 0, 0.0, 0.0  # blocks at the last level that were not accurate

    # --- memory -------------------------------------------------------------------------------------------

    def memory(self) -> Memories:
        """That of the steps, and the controller's."""
        own = [self._level, self._plain, self._spent, self._step, self._forced, self._first, self._worst]
        return {**self.inner.memory(), "adaptive": np.array(own)}

    def recall(self, memory: Memories) -> None:
        level, plain, self._spent, self._step, forced, self._first, self._worst = memory["adaptive"].tolist()
        self._level, self._plain, self._forced = int(level), int(plain), int(forced)
        self.inner.recall({name: value for name, value in memory.items() if name != "adaptive"})

    def contacts_at(self, state: State, h: float) -> Contacts:
        return self.inner.contacts_at(state, h)

    def report(self) -> StepReport:
        """Of the last step, with impulses as if it were as long as the interval, for forces are impulses / interval."""
        report, scale = self.inner.report(), self._interval / self._step

        def rows() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
            impulse, velocity = report.rows()
            return impulse * scale, velocity

        return replace(report, rows=rows)

    def remarks(self) -> list[str]:
        if not self._forced:
            return []
        return [
            f"time_step = 'auto': the step reached its minimum, {self._interval / 2**LEVELS / FINE:.2g} s, and was still not "
            f"accurate, {self._forced} times, first at t = {self._first:g} s; the largest estimate is {self._worst:.1e}, where "
            f"accuracy = {self._accuracy:g}. Compare with a run of another accuracy, or with fixed steps."
        ]

    # --- steps --------------------------------------------------------------------------------------------

    def advance(self, state: State, h: float, steps: int) -> StepRows:
        """Advance by one interval of h [s]; a row for each step of it.  The state is that of before if a step fails."""
        start, memory = state.copy(), self.memory()
        self._interval = h
        try:
            return self._do_interval(state, h)
        except BaseException:
            _set(state, start)
            self.recall(memory)
            raise

    def _do_interval(self, state: State, interval: float) -> StepRows:
        kept: list[StepRows] = []
        place = 0  # blocks of the present level done
        begin, memory = state.copy(), self.inner.memory()
        while place < 2**self._level:
            block = interval / 2**self._level
            rows, place_error, speed_error = self._do_block(state, begin, memory, block)
            if not self._accept(begin.time, block, place_error, speed_error):
                _set(state, begin)
                self._level, place = self._level + 1, 2 * place
                continue
            kept.append(rows)
            place, self._step = place + 1, block / FINE
            begin, memory = state.copy(), self.inner.memory()
            if self._easy and self._level and place % 2 == 0:
                self._level, place = self._level - 1, place // 2
        return np.concatenate(kept)

    def _accept(self, time: float, block: float, place_error: float, speed_error: float) -> bool:
        """Whether the errors of a block are small enough; at the last level it is taken whatever they are, and said."""
        place, speed = (
            max(self._accuracy * block / self._horizon, self._noise),
            max(SPEED * self._accuracy, self._noise),
        )
        share = max(place_error / place, speed_error / speed)
        self._easy = share <= 1.0 / GROWTH
        last = self._level == LEVELS
        if share > 1.0:
            reserve = RESERVE * (self._accuracy - self._spent)
            event = self._level >= self._plain + DROP and place_error <= place + reserve
            # at the last level an impact has its place in time, and velocities differ by the whole jump or not at all
            if event and (last or speed_error <= speed):
                self._spent += max(place_error - place, 0.0)
            elif last:
                self._first = self._first if self._forced else time
                self._forced, self._worst = self._forced + 1, max(self._worst, place_error, speed_error)
            else:
                return False
        self._plain = self._level
        return True

    def _do_block(self, state: State, begin: State, memory: Memories, block: float) -> tuple[StepRows, float, float]:
        """Rows of a block's fine steps, and the errors of its end; infinite if a step fails or is too long to see everything."""
        rough = begin.copy()
        try:
            compared = self._steps(rough, memory, block, COARSE)
            rows = self._steps(state, memory, block, FINE)
        except SimulationError:
            if self._level == LEVELS:
                raise
            return np.zeros(0, ROW_TYPE), np.inf, np.inf
        if rows["way"].max() > FAST and self._level < LEVELS:
            return rows, np.inf, np.inf
        self.before = self.inner.before
        place, speed, scale = self._differences(state, rough, begin)
        within = np.abs(np.sqrt(rows["kinetic"][1::2]) - np.sqrt(compared["kinetic"])).max()
        speed = max(speed, float(within) / scale if within > 0.0 else 0.0)
        return rows, place / RICHARDSON, speed / RICHARDSON

    def _steps(self, state: State, memory: Memories, block: float, count: int) -> StepRows:
        """Do a block; impulses of the last step are a start for others of the same force, and springs remember forces by them."""
        scale = block / count / self._step if self._step else 1.0
        self.inner.recall({**memory, "impulse": memory["impulse"] * scale})
        return self.inner.advance_all(state, block / count, count)

    def _differences(self, fine: State, rough: State, begin: State) -> tuple[float, float, float]:
        """Differences of places and turns, relative to the body, and of velocities, relative to the body's own or to that which
        gravity gives it within its size; and the root of the kinetic energy of all these."""
        i = self._free & fine.present
        length = self._length[i]

        def speed(velocity: NDArray[np.float64], spin: NDArray[np.float64]) -> NDArray[np.float64]:
            return np.linalg.norm(velocity[i], axis=1) + length * np.linalg.norm(spin[i], axis=1)

        way = np.linalg.norm((fine.position - rough.position)[i], axis=1) / length
        one, other = fine.orientation[i], rough.orientation[i]
        turn = 2.0 * np.minimum(np.linalg.norm(one - other, axis=1), np.linalg.norm(one + other, axis=1))
        scale = np.maximum(speed(fine.velocity, fine.angular_velocity), speed(begin.velocity, begin.angular_velocity))
        scale = np.maximum(scale, self._least_speed[i])
        change = speed(fine.velocity - rough.velocity, fine.angular_velocity - rough.angular_velocity)
        relative = np.divide(change, scale, out=np.zeros_like(change), where=change > 0.0)
        largest = math.sqrt(0.5 * float(np.sum(self.model.mass[i] * scale**2)))
        return float((way + turn).max(initial=0.0)), float(relative.max(initial=0.0)), largest


def _set(state: State, values: State) -> None:
    """Give a state the values of another, in its own arrays."""
    for name in (*QUANTITIES, "present"):
        getattr(state, name)[:] = getattr(values, name)
    state.time = values.time
