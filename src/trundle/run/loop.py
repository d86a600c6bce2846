"""The loop of a run: emitters, steps, and how it ends."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle import interrupts
from trundle.contact.problem import ContactProblem
from trundle.errors import SimulationError, TrundleError, warn
from trundle.record.questions import QUANTITIES
from trundle.run.adaptive import Adaptive
from trundle.run.honoured import check_honoured, check_rows, check_sliding
from trundle.run.options import Options
from trundle.run.problems import Problems
from trundle.run.progress import Progress, ProgressLine
from trundle.run.sinks import File, Memory
from trundle.run.stop import Condition
from trundle.run.watch import Watch, make_detector
from trundle.scene.model import Model, State
from trundle.scene.pouring import Pouring
from trundle.scene.scene import Scene
from trundle.solve.base import Solver
from trundle.step.report import LEDGER, ROW_TYPE, StepReport, StepRows, ledger_of
from trundle.step.stepper import Stepper

BATCH_TIME = 0.1  # seconds of steps between two looks at Ctrl-C
MOST_STEPS = 20_000  # in a batch
GROWTH = 4  # of a batch over the one before


def make_stepper(model: Model, options: Options, solver: Solver | None = None) -> Stepper:
    """The stepper of a run."""
    stepper = _fixed_stepper(model, options, solver)
    if options.accuracy is None:
        return stepper
    return Adaptive(stepper, model, options.accuracy, options.horizon, options.tolerance)


def _fixed_stepper(model: Model, options: Options, solver: Solver | None) -> Stepper:
    """The stepper of a formulation."""
    # imported when a run begins: their kernels are a quarter of the time that `import trundle` would take
    check_honoured(model, options.formulation)
    check_rows(model, options.formulation, solver is not None)
    check_sliding(model, options.formulation, solver)
    if options.formulation == "history":
        from trundle.step.history import History

        return History(model)
    from trundle.step.grains import Grains
    from trundle.step.moreau_jean import MoreauJean

    grains = solver is None and Grains.qualifies(model, options.formulation, options.scheme, options.impact)
    return (Grains if grains else MoreauJean)(
        model, theta=options.theta, tolerance=options.tolerance, max_sweeps=options.max_iterations,
        formulation=options.formulation, scheme=options.scheme, solver=solver,
        impact=options.impact,
    )  # fmt: skip


class Loop:
    """Steps a state until the end of a run, or until something stops it.

    stepper: of the model, if there is one already; said: warnings that were given already.
    """

    def __init__(
        self, scene: Scene, model: Model, state: State, options: Options, sink: Memory | File, *,
        solver: Solver | None = None, stop: Sequence[Condition] = (), problems: Problems | None = None,
        said: Sequence[str] = (), stepper: Stepper | None = None,
    ) -> None:  # fmt: skip
        self.model, self.state, self.options, self.sink = model, state, options, sink
        self.stepper, self._solver = stepper or make_stepper(model, options, solver), solver
        self.pouring = Pouring(scene, model, make_detector(model).detect) if scene.emitters else None
        self.watch = Watch(model, self.stepper, options.formulation, state)
        self.problems, self.stop = problems, list(stop)
        for condition in self.stop:
            condition.bind(model, self.coming)
        self.number = 0  # steps done
        self.removed = np.zeros(len(model.mass), bool)  # bodies that were taken out
        self.interrupted = False
        self.stopped = ""  # why a condition ended the run
        self.said = list(said)
        self._framed = False  # whether the last step led to a frame
        self._whole = True  # no step is half done
        self._batch = 1  # steps that are done at once
        self._stepped = False  # whether this stepper has done a step
        self.last_row, self.sums = np.zeros((), ROW_TYPE), np.zeros(len(LEDGER))  # of the last step, and of all

    def begin(self) -> None:
        """The first frame."""
        if self.pouring is not None:
            self.pouring.pour(self.state, 0.0)
        self._look_at_conditions()  # so that they know the start
        self.stopped = ""
        self.sink.frame_of(self.state, None)
        self._framed = True
        self.sink.commit(self.memory())

    def coming(self) -> bool:
        """Whether some bodies are still to be poured."""
        return self.pouring is not None and self.pouring.coming(self.state)

    # --- checkpoints ----------------------------------------------------------------------------------

    def memory(self) -> dict[str, Any]:
        """Everything that the run needs to go on to the same bits."""
        state = {f"state.{name}": getattr(self.state, name) for name in (*QUANTITIES, "present")}
        stepper = {f"stepper.{name}": value for name, value in self.stepper.memory().items()}
        counts = {f"count.{name}": np.array(value) for name, value in self.sink.counts.items()}
        stop = {f"stop.{i}": condition.memory() for i, condition in enumerate(self.stop)}
        if self.removed.any():
            stop["removed"] = self.removed.copy()
        return {"number": np.array(self.number), "framed": np.array(self._framed), **counts, **state, **stepper, **stop}

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """Go on from a memory."""
        self.number, self._framed = int(memory["number"]), bool(memory["framed"])
        for name in (*QUANTITIES, "present"):
            getattr(self.state, name)[:] = memory[f"state.{name}"]
        self.state.time = self.number * self.options.time_step
        prefix = "stepper."
        self.stepper.recall({k.removeprefix(prefix): v for k, v in memory.items() if k.startswith(prefix)})
        if "removed" in memory:
            self.remove(memory["removed"])
        for i, condition in enumerate(self.stop):
            if f"stop.{i}" in memory and len(memory[f"stop.{i}"]) == len(condition.memory()):
                condition.recall(memory[f"stop.{i}"])

    def remove(self, chosen: NDArray[np.bool_]) -> None:
        """Take bodies (B,) out of the scene, for good."""
        self.removed |= chosen
        self.state.present[chosen] = False
        if self.pouring is not None:
            self.pouring.removed[:] = self.removed

    def replace_model(self, model: Model) -> None:
        """Go on with other loads."""
        memory = self.stepper.memory()
        self.model, self.stepper = model, make_stepper(model, self.options, self._solver)
        self.stepper.recall(memory)
        self._stepped = False

    # --- steps ----------------------------------------------------------------------------------------

    def run(self, count: int, progress: Progress | bool | None = None, last: bool = True) -> None:
        """Do the steps until there are `count`; last: the sink is finished then, and it is whatever goes wrong."""
        line = ProgressLine(count * self.options.time_step) if progress is True else None
        tell = progress if callable(progress) else None
        singly = tell is not None or bool(self.stop) or self.problems is not None
        self.stopped = ""
        with interrupts.Wish() as end, line or nullcontext():
            try:
                while self.number < count and not end and not self.stopped:
                    rows = self._advance(1 if singly else self._batch_length(count))
                    if tell is not None:
                        tell(self.stepper.report(), self.state)
                    if line is not None:
                        line.update(rows, self.state)
                    self._look_at_conditions()
                    if self.sink.due:
                        self.sink.commit(self.memory())
            except KeyboardInterrupt:  # from a progress callback, or the second one
                if not self._whole:
                    self.sink.finish(None, finished=False)
                    raise
                end.make()
            except BaseException as error:
                self._fail(error)
                raise
            self.interrupted = self.number < count and not self.stopped
            if last:
                self.finish()
        if self.interrupted and interrupts.passing():
            raise KeyboardInterrupt

    def finish(self) -> None:
        """The end of the run."""
        memory = self.memory()  # before the last frame, which a continued run may not have
        if not self._framed:
            self.sink.end(self.state, self.last_report())
        self.sink.finish(memory, finished=not self.interrupted)

    def settle(self) -> None:
        """Let the sink tell the run so far; it may go on."""
        if isinstance(self.sink, File):
            self.sink.commit(self.memory())
        elif not self._framed:
            self.sink.end(self.state, self.last_report())

    def _batch_length(self, count: int) -> int:
        """Steps to do at once: up to the next frame, and the last one by itself, so that its problem is known."""
        if self.coming():
            return 1
        every = self.options.every
        frame = every - self.number % every if every else MOST_STEPS
        left = count - self.number
        return max(1, min(frame, left if left == 1 else left - 1, self._batch))

    def _advance(self, steps: int) -> StepRows:
        """Some steps; the state is that of before if the first one fails."""
        options, state, stepper = self.options, self.state, self.stepper
        if self.coming():
            assert self.pouring is not None
            self.pouring.pour(state, state.time)
        before, begun = state.copy(), time.perf_counter()
        self._whole = False
        try:
            rows = stepper.advance(state, options.time_step, steps)
        except BaseException:
            for name in (*QUANTITIES, "present", "time"):
                setattr(state, name, getattr(before, name))
            raise
        done, self._stepped = len(rows), True
        if options.accuracy is None:
            rows["time"] = options.time_step * np.arange(self.number + 1, self.number + done + 1)
        else:
            done = 1  # frame interval, of many steps
        self.number += done
        state.time = self.number * options.time_step
        self.sink.rows(rows)
        self.last_row = rows[-1]
        self.sums = np.add.accumulate(np.concatenate([self.sums[None], ledger_of(rows)]))[-1]
        self._framed = options.every > 0 and self.number % options.every == 0
        if self._framed:
            self.sink.frame_of(state, stepper.report())
        self._whole = True
        self.watch.look(rows, before if len(rows) == 1 else stepper.before, state)
        if self.problems is not None:
            self.problems.look(self.number - 1, rows[-1], stepper.report())
        self._say(stepper.warnings)
        pace = BATCH_TIME * done / max(time.perf_counter() - begun, 1e-9)
        self._batch = int(max(1, min(pace, GROWTH * self._batch, MOST_STEPS)))
        return rows

    def _say(self, texts: Sequence[str]) -> None:
        """Give warnings as soon as they are known, once."""
        for text in texts:
            if text not in self.said:
                self.said.append(text)
                warn(text)

    def _look_at_conditions(self) -> None:
        view = self.model.view(self.state)
        for condition in self.stop:  # all of them: each remembers what it saw
            if condition(self.state.time, view) and not self.stopped:
                self.stopped = f"{condition.words} at t = {self.state.time:g} s"

    def last_report(self) -> StepReport | None:
        """Of the last step, if there was one since the run began or was continued."""
        return self.stepper.report() if self._stepped else None

    def last_problem(self) -> tuple[ContactProblem, NDArray[np.float64]]:
        """The contact problem of the last step, and the impulses that it found."""
        report = self.last_report()
        if report is None:
            raise SimulationError("no step was done yet: there is no contact problem.")
        return report.problem

    def _fail(self, error: BaseException) -> None:
        """Keep what there is when a step has failed; the checkpoint stays that of the last commit."""
        try:
            if not self._framed:
                self.sink.end(self.state, self.stepper.built_report)
            self.sink.finish(None, finished=False)
        except TrundleError as second:
            error.add_note(f"The recording could not be completed: {second}")
        if isinstance(error, TrundleError) and error.args:
            place = f"step {self.number + 1}, t = {self.state.time:g} s"
            error.args = (f"{place}: {error.args[0]}", *error.args[1:])

    def warnings(self) -> list[str]:
        """What the user should know about the run."""
        waiting = self.pouring.waiting(self.state, self.state.time) if self.pouring is not None else {}
        late = self.pouring.late(self.options.time_step) if self.pouring is not None else []
        said = self.watch.say(self.options.tolerance, waiting)
        return [*said, *self.watch.lost(self.state), *late, *self.stepper.remarks()]
