"""Where a run goes: memory or a file."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.record import sampling
from trundle.record.layout import STEP_TYPE
from trundle.record.questions import Array, Questions
from trundle.record.reader import Frame
from trundle.record.writer import Writer
from trundle.scene.model import Model, State
from trundle.step.report import Ledger, StepReport

LEDGER_TYPE = np.dtype([("time", float), *((field.name, float) for field in fields(Ledger))])
BLOCK = 4096


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


class _Tables:
    """Rows of the steps and of the ledger, on their way."""

    def __init__(self) -> None:
        self._begin_tables()

    def _begin_tables(self) -> None:
        self._steps, self._energy = Rows(STEP_TYPE), Rows(LEDGER_TYPE)

    def step(self, steps: tuple[Any, ...], energy: tuple[Any, ...]) -> None:
        """Keep the rows of a step."""
        self._steps.append(steps)
        self._energy.append(energy)

    def leap(self, times: Array, report: Array, energy: Array) -> None:
        """Keep the rows of many steps."""
        steps, ledger = leap_rows(times, report, energy)
        self._steps.extend(steps)
        self._energy.extend(ledger)


class Memory(_Tables, Questions):
    """A run in memory."""

    counts: dict[str, int] = {}  # noqa: RUF012 - there is nothing to count
    due = False

    def __init__(self, model: Model, time_step: float, joint_names: Sequence[str]) -> None:
        super().__init__()
        self._model, self._h, self._joint_names = model, time_step, tuple(joint_names)
        self._states: list[State] = []
        self._joints: list[dict[str, Array]] = []

    def frame_of(self, state: State, report: StepReport | None) -> None:
        """Keep a state."""
        self._states.append(state.copy())
        if self._joint_names:
            self._joints.append(sampling.joints_of(len(self._joint_names), report))

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


class File(_Tables):
    """A run on its way into a recording."""

    def __init__(self, model: Model, options: Options, path: Path, counts: dict[str, int] | None = None) -> None:
        super().__init__()
        self._sampler, self.path = sampling.Sampler(model, options.time_step, options.tolerance), path
        self._writer = Writer(path, counts)
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

    def _hand_over(self) -> None:
        self._writer.steps(self._steps.array(), self._energy.array())
        self._begin_tables()

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
