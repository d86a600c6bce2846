"""Steps whose length follows from an accuracy.  docs/time-stepping.md has the reasons."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SimulationError
from trundle.record.questions import QUANTITIES
from trundle.run.switches import Switches
from trundle.scene.model import Model, State
from trundle.step.moreau_jean import MoreauJean
from trundle.step.report import ROW_TYPE, StepReport, StepRows
from trundle.step.stepper import FAST, Stepper

if TYPE_CHECKING:
    from trundle.detect.contacts import Contacts

Array = NDArray[np.float64]
Memories = dict[str, NDArray[Any]]

COUNTS = 4, 8, 16  # steps of a block, which is done once with each of these numbers; the last ones are kept
FINE = COUNTS[-1]
RICHARDSON = 3.0  # difference of 8 and 16 steps over the error of the latter, at order 2
NEXT = 7.0  # difference of the two extrapolations over the error of the finer one, at order 3
LEAST_FALL, SAFETY = 0.25, 2.0  # of the error from one extrapolation to the next: at least, and times what was seen
SMOOTH = 0.1  # of the difference of 4 and 8 steps, by which it may miss 4 times that of 8 and 16 where nothing happens
LEVELS = 20  # times that a block can be halved, from the frame interval on
DROP = 4  # levels within which no smooth motion shortens its blocks at once: further down there was an event
RESERVE = 0.1  # part of what is left of the reserve that one event may take
SPEED = 0.1  # of the accuracy: differences of velocities in a block with an event
WITHIN = 10.0  # of the accuracy: differences of the root of the kinetic energy inside of a block
GROWTH = 10.0  # blocks twice as long have errors 8 times as large at order 3, in the same time
NOISE = 10.0  # of the solver's tolerance: differences that no step size makes smaller


class Adaptive(Stepper):
    """Advances a state by frame intervals, in steps of another stepper that are as long as the accuracy allows.

    An interval is divided into blocks of interval / 2^level [s].  Every block is done from the same state and memory in 4, 8
    and 16 steps.  Where their differences fall by 4 the motion is smooth: the end of the block is extrapolated from all three.
    Its error may be accuracy * block / horizon, so that all blocks together make no more than `accuracy`.
    Elsewhere something happened, such as a change from sliding to rolling: the 16 steps are kept as they are,
    a third of the difference to 8 is their error, and what is too large of it comes from an accuracy of its own, the reserve.
    """

    def __init__(self, inner: Stepper, model: Model, accuracy: float, horizon: float, tolerance: float) -> None:
        super().__init__(model)
        self.inner, self._accuracy, self._horizon = inner, accuracy, horizon
        inner.mean_loads = True
        self._noise = NOISE * tolerance
        self._free = np.isfinite(model.mass)
        self._length = np.where(np.isfinite(model.radius), model.radius, 1.0)
        self._least_speed = np.sqrt(math.hypot(*model.gravity) * self._length)
        self._moves = self._free.copy()
        self._moves[[body for body, _ in model.motions]] = True
        self._switches = Switches(model, self._length)
        # energy in springs belongs to the end that the steps have found
        springs = bool(np.any(model.joints.stiffness > 0.0)) or bool(getattr(inner, "compliant", False))
        self._extrapolates = not springs
        if isinstance(inner, MoreauJean):
            inner.stilled = 1.0  # errors that swing from step to step are no powers of h
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

        return replace(report, rows=rows, constraint_impulse=scale * report.constraint_impulse)

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
            rows, errors = self._do_block(state, begin, memory, block)
            if not self._accept(begin.time, block, errors):
                _set(state, begin)
                self._level, place = self._level + 1, 2 * place
                continue
            kept.append(rows)
            place, self._step = place + 1, block / FINE
            begin, memory = state.copy(), self.inner.memory()
            if self._easy and self._level and place % 2 == 0:
                self._level, place = self._level - 1, place // 2
        return np.concatenate(kept)

    def _accept(self, time: float, block: float, errors: Errors) -> bool:
        """Whether the errors of a block are small enough; at the last level it is taken whatever they are, and said."""
        part, least = self._accuracy * block / self._horizon, self._noise
        place, speed = max(part, least), max(part if errors.smooth else SPEED * self._accuracy, least)
        fast = max(errors.speed / speed, errors.within / max(WITHIN * self._accuracy, least))
        share = max(errors.place / place, fast)
        self._easy = share <= 1.0 / GROWTH
        last = self._level == LEVELS
        if share > 1.0:
            reserve = RESERVE * (self._accuracy - self._spent)
            event = self._level >= self._plain + DROP and errors.place <= place + reserve
            # at the last level an impact has its place in time, and velocities differ by the whole jump or not at all
            if event and (last or fast <= 1.0):
                self._spent += max(errors.place - place, 0.0)
            elif last:
                self._first = self._first if self._forced else time
                self._forced, self._worst = self._forced + 1, max(self._worst, errors.place, errors.speed)
            else:
                return False
        self._plain = self._level
        return True

    def _do_block(self, state: State, begin: State, memory: Memories, block: float) -> tuple[StepRows, Errors]:
        """Rows of a block's fine steps, and the errors of its end; infinite if a step fails or is too long to see everything."""
        few, some = begin.copy(), begin.copy()
        try:
            self._steps(few, memory, block, COUNTS[0])
            compared = self._steps(some, memory, block, COUNTS[1])
            rows = self._steps(state, memory, block, COUNTS[2])
        except SimulationError:
            if self._level == LEVELS:
                raise
            return np.zeros(0, ROW_TYPE), UNKNOWN
        if rows["way"].max() > FAST and self._level < LEVELS:
            return rows, UNKNOWN
        self.before = self.inner.before
        speed = self._speeds(state, begin)
        i = self._free & state.present
        largest = math.sqrt(0.5 * float(np.sum(self.model.mass[i] * speed[i] ** 2)))
        within = float(np.abs(np.sqrt(rows["kinetic"][1::2]) - np.sqrt(compared["kinetic"])).max())
        errors = self._compare(few, some, state, speed)
        if errors.smooth and self._extrapolates:
            self._extrapolate(few, some, state, rows)
        way, change = self._switches.errors(block / FINE, speed)
        return rows, replace(
            errors, place=max(errors.place, way), speed=max(errors.speed, change),
            within=within / largest / RICHARDSON if within > 0.0 else 0.0,
        )  # fmt: skip

    def _steps(self, state: State, memory: Memories, block: float, count: int) -> StepRows:
        """Do a block; impulses of the last step are a start for others of the same force, and springs remember forces by them."""
        h = block / count
        scale = h / self._step if self._step else 1.0
        self.inner.recall({**memory, "impulse": memory["impulse"] * scale})
        if count < FINE or not self._switches.some:
            return self.inner.advance_all(state, h, count)
        self._switches.begin(state)
        rows = []
        for _ in range(count):
            rows.append(self.inner.advance(state, h, 1))
            self._switches.note(state)
        return np.concatenate(rows)

    # --- errors -------------------------------------------------------------------------------------------

    def _speeds(self, state: State, begin: State) -> Array:
        """What differences of velocities are relative to (B,) [m/s]: the body's own, or that of a fall by its size."""
        largest = self._least_speed
        for one in (state, begin):
            turning = self._length * np.linalg.norm(one.angular_velocity, axis=1)
            largest = np.maximum(largest, np.linalg.norm(one.velocity, axis=1) + turning)
        return np.maximum(largest, np.finfo(float).tiny)

    def _compare(self, few: State, some: State, fine: State, speed: Array) -> Errors:
        """Errors of the end of a block: of the extrapolation if the motion is smooth, else of the fine steps."""
        d1, d2 = _difference(some, few), _difference(fine, some)
        second = [(4.0 * b - a) / 3.0 for a, b in zip(d1, d2, strict=True)]
        place1, speed1 = self._sizes(d1, fine, speed)
        place, change = self._sizes(second, fine, speed)
        allowed = [max(SMOOTH * place1, self._noise), max(SMOOTH * speed1, self._noise)]
        if self._extrapolates and place <= allowed[0] and change <= allowed[1]:
            # the next column of the table, whose end is kept, is smaller by what this one is than the last
            fall = max(place / place1 if place1 > 0.0 else 0.0, change / speed1 if speed1 > 0.0 else 0.0)
            fall = min(max(SAFETY * fall, LEAST_FALL), 1.0)
            return Errors(fall * place / NEXT, fall * change / NEXT, smooth=True)
        place, change = self._sizes(d2, fine, speed)
        return Errors(place / RICHARDSON, change / RICHARDSON)

    def _sizes(self, difference: list[Array], state: State, speed: Array) -> tuple[float, float]:
        """Largest difference of places and turns, relative to the body, and of velocities, relative to its speed."""
        way, turn, velocity, spin = (np.linalg.norm(one, axis=1) for one in difference)
        place, change = way / self._length + 2.0 * turn, (velocity + self._length * spin) / speed
        i = self._moves & state.present
        return float(place[i].max(initial=0.0)), float(change[i].max(initial=0.0))

    def _extrapolate(self, few: State, some: State, state: State, rows: StepRows) -> None:
        """Take terms of order 2 and 3 out of the error of the end; what that changes of the energy is numerical."""
        i = self._moves & state.present
        for name, one, two in zip(QUANTITIES, _difference(some, few), _difference(state, some), strict=True):
            getattr(state, name)[i] += (two / 3.0 + (4.0 * two - one) / 21.0)[i]
        state.orientation[i] /= np.linalg.norm(state.orientation[i], axis=1)[:, None]
        last = rows[-1:]
        before = float(last["kinetic"][0] + last["potential"][0])
        last["kinetic"], last["potential"] = self.energy(state)
        gained = float(last["kinetic"][0] + last["potential"][0]) - before
        last["numerical"] -= gained
        self.inner.give_energy(gained)


@dataclass(frozen=True)
class Errors:
    """Of a block, relative: places and turns, velocities, velocities inside of it; smooth: whether nothing happened in it."""

    place: float
    speed: float
    within: float = 0.0
    smooth: bool = False


UNKNOWN = Errors(np.inf, np.inf)


def _difference(one: State, other: State) -> list[Array]:
    """Of positions, quaternions, velocities and angular velocities, a row per body."""
    found = [getattr(one, name) - getattr(other, name) for name in QUANTITIES]
    turned = np.sum(one.orientation * other.orientation, axis=1) < 0.0
    found[1][turned] = (one.orientation + other.orientation)[turned]
    return found


def _set(state: State, values: State) -> None:
    """Give a state the values of another, in its own arrays."""
    for name in (*QUANTITIES, "present"):
        getattr(state, name)[:] = getattr(values, name)
    state.time = values.time
