"""The loop of a run: emitters, steps, and how it ends."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SceneError, TrundleError
from trundle.record.questions import QUANTITIES
from trundle.scene.model import Model, State
from trundle.scene.pouring import Pouring
from trundle.scene.scene import Scene
from trundle.sinks import File, Memory, Options
from trundle.step.report import Ledger, StepReport
from trundle.watch import Watch, make_detector

ledger_values = attrgetter(*(field.name for field in fields(Ledger)))
LEAP = 20_000  # steps without a look at Ctrl-C
Progress = Callable[[StepReport, State], object]


class Stepper(Protocol):
    """What advances a state; see docs/architecture.md."""

    def step(self, state: State, h: float) -> StepReport:
        """Advance the state by h [s], in place."""

    def memory(self) -> dict[str, NDArray[Any]]:
        """What the next step needs to know of this one."""

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """Go on from a memory, to the same bits."""


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
