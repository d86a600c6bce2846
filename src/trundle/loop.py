"""The loop of a run: emitters, steps, what is kept of them, and how it ends."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SceneError, TrundleError
from trundle.record import sampling
from trundle.record.layout import STEP_TYPE
from trundle.record.questions import QUANTITIES, Array, Questions
from trundle.record.reader import Frame
from trundle.record.writer import Writer
from trundle.scene.geometry import inner_radius
from trundle.scene.model import Model, State
from trundle.scene.pouring import Pouring
from trundle.scene.scene import Scene
from trundle.step.report import Ledger, StepReport

if TYPE_CHECKING:
    from trundle.detect.contacts import Detector

LEDGER_TYPE = np.dtype([("time", float), *((field.name, float) for field in fields(Ledger))])
DEEP = 0.1  # overlap, relative to the smaller body, that the user should know about
FAST = 0.25  # way within a step, relative to the smallest body, from which on it may have passed through another
GAIN = 1e-3  # energy that impacts gained, relative to the largest kinetic energy, that the user should know about
MOST_NAMED = 3
BLOCK = 4096
ledger_values = attrgetter(*(field.name for field in fields(Ledger)))
LEAP = 20_000  # steps without a look at Ctrl-C
Progress = Callable[[StepReport, State], object]


@dataclass(frozen=True)
class Options:
    """The arguments of `simulate`, checked; every: steps per frame."""

    duration: float
    time_step: float
    theta: float
    formulation: str
    tolerance: float
    max_iterations: int
    every: int
    seed: int | None = None
    scheme: str = "moreau-jean"

    def as_table(self) -> dict[str, Any]:
        """For the recording."""
        return asdict(self)


class Stepper(Protocol):
    """What advances a state; see docs/architecture.md."""

    def step(self, state: State, h: float) -> StepReport:
        """Advance the state by h [s], in place."""

    def memory(self) -> dict[str, NDArray[Any]]:
        """What the next step needs to know of this one."""

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """Go on from a memory, to the same bits."""


def make_detector(model: Model) -> Detector:
    """What finds the contacts of a state."""
    from trundle.detect.contacts import Detector  # here, for its kernels take a tenth of a second to import

    return Detector(model)


def make_stepper(model: Model, options: Options) -> Stepper:
    """The stepper of a formulation."""
    # imported when a run begins: their kernels are a quarter of the time that `import trundle` would take
    from trundle.step.compiled import Compiled
    from trundle.step.history import History
    from trundle.step.moreau_jean import MoreauJean

    if options.formulation == "history":
        if model.contour.any() or np.any(model.viscosity > 0.0):
            raise SceneError(
                'formulation="history" has neither rolling = "contour" nor rolling_viscosity: use "exact".'
            )
        return History(model)
    stepper = MoreauJean(
        model, theta=options.theta, tolerance=options.tolerance, max_sweeps=options.max_iterations,
        formulation=options.formulation, scheme=options.scheme,
    )  # fmt: skip
    return Compiled(stepper) if Compiled.qualifies(stepper) else stepper


class Interruption:
    """Within it Ctrl-C is a wish, heeded after the step that is going on; a second one is heeded at once."""

    def __init__(self) -> None:
        self.wished = False
        self._former: Any = None

    def _handle(self, *_: object) -> None:
        if self.wished:
            raise KeyboardInterrupt
        self.wished = True

    def __enter__(self) -> Interruption:
        if threading.current_thread() is threading.main_thread():
            self._former = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        if self._former is not None:
            signal.signal(signal.SIGINT, self._former)


# --- where a run goes -------------------------------------------------------------------------------


class Rows:
    """A table that grows by rows."""

    def __init__(self, dtype: np.dtype[np.void]) -> None:
        self._dtype = dtype
        self._blocks: list[NDArray[np.void]] = []
        self._new: list[tuple[Any, ...]] = []

    def append(self, row: tuple[Any, ...]) -> None:
        """Add a row."""
        self._new.append(row)
        if len(self._new) == BLOCK:
            self._blocks.append(np.array(self._new, self._dtype))
            self._new = []

    def extend(self, rows: NDArray[np.void]) -> None:
        """Add many rows."""
        self._blocks.append(np.concatenate([np.array(self._new, self._dtype), rows]))
        self._new = []

    def __len__(self) -> int:
        return sum(len(block) for block in self._blocks) + len(self._new)

    def array(self) -> NDArray[np.void]:
        """All rows."""
        return np.concatenate([*self._blocks, np.array(self._new, self._dtype)])


def leap_rows(times: Array, report: Array, energy: Array) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """Rows of both tables for steps that were done at once; see `Compiled.advance`."""
    steps, ledger = np.zeros(len(times), STEP_TYPE), np.zeros(len(times), LEDGER_TYPE)
    steps["time"], ledger["time"] = times, times
    steps["contacts"], steps["residual"], steps["iterations"] = report[:, 0], report[:, 1], report[:, 2]
    steps["converged"] = True
    names = ("kinetic", "potential", "sliding", "rolling", "spinning", "impact", "scheme", "elastic", "external")
    for i, name in enumerate(names[: energy.shape[1]]):
        ledger[name] = energy[:, i]
    return steps, ledger


class Memory(Questions):
    """A run in memory."""

    counts: dict[str, int] = {}  # noqa: RUF012 - there is nothing to count
    due = False

    def __init__(self, model: Model, time_step: float, joint_names: Sequence[str]) -> None:
        self._model, self._h, self._joint_names = model, time_step, tuple(joint_names)
        self._states: list[State] = []
        self._joints: list[dict[str, Array]] = []
        self._steps, self._energy = Rows(STEP_TYPE), Rows(LEDGER_TYPE)

    def frame_of(self, state: State, report: StepReport | None) -> None:
        """Keep a state."""
        self._states.append(state.copy())
        if self._joint_names:
            self._joints.append(sampling.joints_of(len(self._joint_names), report))

    def step(self, steps: tuple[Any, ...], energy: tuple[Any, ...]) -> None:
        """Keep the rows of a step."""
        self._steps.append(steps)
        self._energy.append(energy)

    def leap(self, times: Array, report: Array, energy: Array) -> None:
        """Keep the rows of many steps."""
        steps, ledger = leap_rows(times, report, energy)
        self._steps.extend(steps)
        self._energy.extend(ledger)

    def commit(self, memory: dict[str, Any] | None) -> None:
        """Nothing to be done."""

    def finish(self, memory: dict[str, Any] | None, finished: bool) -> None:
        """Nothing to be done."""

    @property
    def names(self) -> Sequence[str]:
        return self._model.names

    @property
    def time(self) -> Array:
        return np.array([state.time for state in self._states])

    @property
    def energy(self) -> NDArray[np.void]:
        return self._energy.array()

    @property
    def steps(self) -> NDArray[np.void]:
        return self._steps.array()

    @property
    def frame_count(self) -> int:
        return len(self._states)

    def _series(self, quantity: str, body: int) -> Array:
        series = np.array([getattr(state, quantity)[body] for state in self._states])
        series[[not state.present[body] for state in self._states]] = np.nan
        return series

    @property
    def joint_names(self) -> Sequence[str]:
        return self._joint_names

    @property
    def _time_step(self) -> float:
        return self._h

    def _joint_series(self, quantity: str, joint: int) -> Array:
        return np.array([joints[quantity][joint] for joints in self._joints])

    def frame(self, i: int) -> Frame:
        state = self._states[i]
        columns = sampling.points_of(self._model.radius, state)
        return Frame(time=state.time, **columns)


class File:
    """A run on its way into a recording."""

    def __init__(self, model: Model, options: Options, path: Path, counts: dict[str, int] | None = None) -> None:
        self._sampler, self.path = sampling.Sampler(model, options.time_step, options.tolerance), path
        self._writer = Writer(path, counts)
        self._steps, self._energy = Rows(STEP_TYPE), Rows(LEDGER_TYPE)
        self._clocks = time.perf_counter(), time.process_time()
        self.before = {"wall_time": 0.0, "cpu_time": 0.0}  # of the run's earlier parts

    @property
    def counts(self) -> dict[str, int]:
        """Rows so far, those of steps included that are still to be written."""
        counts = self._writer.counts
        return {**counts, "steps": counts["steps"] + len(self._steps)}

    @property
    def due(self) -> bool:
        """Whether it is time for a commit."""
        return self._writer.due

    def close(self) -> None:
        """Let go of the file, as it is."""
        self._writer.close()

    def publish(self, path: Path) -> None:
        """Give the file its name."""
        self._writer.rename(path)
        self.path = path

    def set_options(self, options: Options) -> None:
        """Change the recorded options."""
        self._writer.set_options(options.as_table())

    def frame_of(self, state: State, report: StepReport | None) -> None:
        """Add a frame and the contacts of the step that led to it."""
        contacts = self._sampler.contacts(report) if report is not None and len(report.contacts) else {}
        self._writer.frame(state.time, self._sampler.points(state), contacts, self._sampler.joints(report))

    def step(self, steps: tuple[Any, ...], energy: tuple[Any, ...]) -> None:
        """Add the rows of a step."""
        self._steps.append(steps)
        self._energy.append(energy)

    def leap(self, times: Array, report: Array, energy: Array) -> None:
        """Keep the rows of many steps."""
        steps, ledger = leap_rows(times, report, energy)
        self._steps.extend(steps)
        self._energy.extend(ledger)

    def _hand_over(self) -> None:
        self._writer.steps(self._steps.array(), self._energy.array())
        self._steps, self._energy = Rows(STEP_TYPE), Rows(LEDGER_TYPE)

    def times(self) -> dict[str, float]:
        """Seconds that the run has taken."""
        wall, cpu = time.perf_counter() - self._clocks[0], time.process_time() - self._clocks[1]
        return {"wall_time": self.before["wall_time"] + wall, "cpu_time": self.before["cpu_time"] + cpu}

    def commit(self, memory: dict[str, Any] | None) -> None:
        """Write what has come in; a memory is what the run can go on from."""
        self._hand_over()
        self._writer.commit(memory, self.times())

    def finish(self, memory: dict[str, Any] | None, finished: bool) -> None:
        """Write what is left, and close the file."""
        self._hand_over()
        try:
            self._writer.finish(memory, finished, self.times())
        finally:
            self._writer.close()


# --- what the user should know ----------------------------------------------------------------------


class Watch:
    """Collects what is not as it should be."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._detector = make_detector(model)
        inner = np.array([inner_radius(shape) if shape.kind >= 0 else 0.0 for shape in model.shapes])
        self._size = np.where(inner > 0.0, inner, np.inf)
        self._least = float(np.min(self._size, initial=np.inf))
        self.overlaps = 0
        self._worst: tuple[float, float, float, int, int] | None = None
        self.passed: dict[tuple[int, int], float] = {}  # bodies that passed through each other, and when first

    def look(self, report: StepReport, before: State, after: State) -> None:
        """Notice bodies that have got into each other, or through each other."""
        if np.abs(after.position - before.position).max() > FAST * self._least:
            for a, b in self._detector.missed(before, after):
                self.passed.setdefault((int(a), int(b)), after.time)
        gap = report.contacts.gap
        if not len(gap) or gap.min() > -DEEP * self._least:
            return
        body = report.contacts.body
        share = -gap / np.min(self._size[body], axis=1)
        i = int(np.argmax(share))
        if share[i] > DEEP:
            self.overlaps += 1
            if self._worst is None or share[i] > self._worst[0]:
                self._worst = float(share[i]), float(-gap[i]), after.time, int(body[i, 0]), int(body[i, 1])

    def say(
        self, steps: NDArray[np.void], energy: NDArray[np.void], tolerance: float, waiting: dict[str, int]
    ) -> list[str]:
        """All of it, in words."""
        said = self._gains(energy)
        missed = ~steps["converged"]
        if np.any(missed):
            worst = int(np.argmax(np.where(missed, steps["residual"], 0.0)))
            said.append(
                f"{int(missed.sum())} of {len(steps)} steps missed the tolerance {tolerance:.1e}; the worst, at "
                f"t = {steps['time'][worst]:g} s, has a residual of {steps['residual'][worst]:.1e}."
            )
        names = self._model.names
        for (a, b), when in sorted(self.passed.items(), key=lambda item: item[1])[:MOST_NAMED]:
            said.append(
                f"'{names[a]}' and '{names[b]}' passed through each other at t = {when:g} s. Use a smaller time step."
            )
        if len(self.passed) > MOST_NAMED:
            said.append(f"{len(self.passed) - MOST_NAMED} more pairs of bodies passed through each other.")
        if self._worst is not None:
            share, depth, when, a, b = self._worst
            said.append(
                f"bodies overlap in {self.overlaps} steps; the worst, '{names[a]}' and '{names[b]}' at t = {when:g} s, by "
                f"{depth:.2g} m, {100.0 * share:.0f} % of the smaller one. Use a smaller time step."
            )
        for name, count in waiting.items():
            said.append(
                f"emitter '{name}': {count} bodies that were due at the end found no room. Pour more slowly, or from a "
                "larger region."
            )
        return said

    def _gains(self, energy: NDArray[np.void]) -> list[str]:
        """Impacts that gained energy: where slip turns around in an impact, Newton's restitution may do that."""
        if not np.any(self._model.restitution > 0.0) or not len(energy):
            return []
        loss = energy["sliding"] + energy["rolling"] + energy["spinning"] + energy["impact"]
        gain, worst = -float(loss[loss < 0.0].sum()), int(np.argmin(loss))
        if gain <= GAIN * float(energy["kinetic"].max()):
            return []
        return [
            f"impacts gained {gain:.2g} J in all, most at t = {energy['time'][worst]:g} s ({-loss[worst]:.2g} J): Newton's "
            "restitution may do that together with friction, where slip turns around. Use a smaller restitution."
        ]


# --- the loop ---------------------------------------------------------------------------------------


class Loop:
    """Steps a state until the end of a run, or until something stops it."""

    def __init__(self, scene: Scene, model: Model, state: State, options: Options, sink: Memory | File) -> None:
        self.model, self.state, self.options, self.sink = model, state, options, sink
        self.stepper = make_stepper(model, options)
        self.pouring = Pouring(scene, model, make_detector(model).detect) if scene.emitters else None
        self.watch = Watch(model)
        self.number = 0  # steps done
        self.interrupted = False
        self._report: StepReport | None = None
        self._framed = False  # whether the last step led to a frame
        self._whole = True  # no step is half done

    def begin(self) -> None:
        """The first frame."""
        if self.pouring is not None:
            self.pouring.pour(self.state, 0.0)
        self.sink.frame_of(self.state, None)
        self._framed = True
        self.sink.commit(self.memory())

    # --- checkpoints ----------------------------------------------------------------------------------

    def memory(self) -> dict[str, Any]:
        """Everything that the run needs to go on to the same bits."""
        state = {f"state.{name}": getattr(self.state, name) for name in (*QUANTITIES, "present")}
        stepper = {f"stepper.{name}": value for name, value in self.stepper.memory().items()}
        counts = {f"count.{name}": np.array(value) for name, value in self.sink.counts.items()}
        return {"number": np.array(self.number), "framed": np.array(self._framed), **counts, **state, **stepper}

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """Go on from a memory."""
        self.number, self._framed = int(memory["number"]), bool(memory["framed"])
        for name in (*QUANTITIES, "present"):
            getattr(self.state, name)[:] = memory[f"state.{name}"]
        self.state.time = self.number * self.options.time_step
        prefix = "stepper."
        self.stepper.recall({k.removeprefix(prefix): v for k, v in memory.items() if k.startswith(prefix)})

    # --- steps ----------------------------------------------------------------------------------------

    def run(self, count: int, progress: Progress | None) -> None:
        """Do the steps until there are `count`; the sink is finished whatever happens."""
        with Interruption() as ctrl_c:
            try:
                while self.number < count and not ctrl_c.wished:
                    if progress is not None or not self._leap(count):
                        report = self._step()
                        if progress is not None:
                            progress(report, self.state)
                    if self.sink.due:
                        self.sink.commit(self.memory())
            except KeyboardInterrupt:  # from a progress callback, or the second one
                if not self._whole:
                    self.sink.finish(None, finished=False)
                    raise
                ctrl_c.wished = True
            except BaseException as error:
                self._fail(error)
                raise
            self.interrupted = self.number < count
            memory = self.memory()
            if not self._framed:
                self.sink.frame_of(self.state, self._report)
            self.sink.finish(memory, finished=not self.interrupted)

    def _leap(self, count: int) -> bool:
        """Many steps at once where the stepper can, up to the next frame; says whether it did any."""
        from trundle.step.compiled import Compiled
        from trundle.step.history import History

        stepper = self.stepper
        if self.pouring is not None or not (
            isinstance(stepper, Compiled) or (isinstance(stepper, History) and stepper.leaps)
        ):
            return False
        options, state = self.options, self.state
        steps = min(options.every - self.number % options.every, count - self.number, LEAP)
        if not isinstance(self.sink, Memory):
            steps -= 1  # a frame in a file has the contacts of its step
        if steps < 1:
            return False
        leap = stepper.leap if isinstance(stepper, History) else stepper.advance
        report, energy = leap(state, options.time_step, steps)
        done = len(report)
        if not done:
            return False
        times = np.array([(self.number + 1 + k) * options.time_step for k in range(done)])
        self.number += done
        state.time = self.number * options.time_step
        self.sink.leap(times, report, energy)
        self._framed = self.number % options.every == 0
        if self._framed:
            self.sink.frame_of(state, None)
        self._report = None
        return True

    def _step(self) -> StepReport:
        """One step; the state is that of before if it fails."""
        options, state = self.options, self.state
        if self.pouring is not None:
            self.pouring.pour(state, state.time)
        before = state.copy()
        self._whole = False
        try:
            report = self.stepper.step(state, options.time_step)
        except BaseException:
            for name in (*QUANTITIES, "present", "time"):
                setattr(state, name, getattr(before, name))
            raise
        self.number += 1
        state.time = self.number * options.time_step
        solution = report.solution
        self.sink.step(
            (state.time, len(report.contacts), solution.residual, solution.iterations, solution.converged),
            (state.time, *ledger_values(report.ledger)),
        )
        self._framed = self.number % options.every == 0
        if self._framed:
            self.sink.frame_of(state, report)
        self._report, self._whole = report, True
        self.watch.look(report, before, state)
        return report

    def _fail(self, error: BaseException) -> None:
        """Keep what there is when a step has failed; the checkpoint stays that of the last commit."""
        try:
            if not self._framed:
                self.sink.frame_of(self.state, self._report)
            self.sink.finish(None, finished=False)
        except TrundleError as second:
            error.add_note(f"The recording could not be completed: {second}")
        if isinstance(error, TrundleError) and error.args:
            place = f"step {self.number + 1}, t = {self.state.time:g} s"
            error.args = (f"{place}: {error.args[0]}", *error.args[1:])

    def warnings(self, steps: NDArray[np.void], energy: NDArray[np.void]) -> list[str]:
        """What the user should know about the run."""
        waiting = self.pouring.waiting(self.state, self.state.time) if self.pouring is not None else {}
        late = self.pouring.late(self.options.time_step) if self.pouring is not None else []
        return [*self.watch.say(steps, energy, self.options.tolerance, waiting), *late]
