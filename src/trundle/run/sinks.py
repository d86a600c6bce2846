"""Where a run goes: memory or a file."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.errors import RecordingError
from trundle.record import sampling
from trundle.record.frames import Frame, FrameContacts
from trundle.record.questions import Array, Questions
from trundle.record.writer import Writer
from trundle.run.options import Options
from trundle.scene.joint_motion import joint_motion
from trundle.scene.model import Model, State
from trundle.step.report import LEDGER_TYPE, STEP_TYPE, StepReport, StepRows

BLOCK = 4096  # rows that are put together
MOST_CONTACTS = 2_000_000  # that a run keeps in memory, in all its frames; 209 bytes each


class _Tables:
    """Rows of the steps and of the ledger, on their way."""

    def __init__(self) -> None:
        self._begin_tables()

    def _begin_tables(self) -> None:
        self._blocks: list[StepRows] = []
        self._few = 0  # blocks at the end that are shorter than BLOCK rows together
        self._count = 0

    def rows(self, rows: StepRows) -> None:
        """Keep the rows of some steps."""
        self._blocks.append(rows)
        self._few += 1
        self._count += len(rows)
        if self._few >= BLOCK:  # an array has its price
            self._blocks[-self._few :] = [np.concatenate(self._blocks[-self._few :])]
            self._few = 0

    def _table(self, dtype: np.dtype[np.void]) -> NDArray[np.void]:
        table = np.zeros(self._count, dtype)
        for name in dtype.names or ():
            np.concatenate([table[name][:0], *(block[name] for block in self._blocks)], out=table[name])
        return table


class Memory(_Tables, Questions):
    """A run in memory."""

    counts: dict[str, int] = {}  # noqa: RUF012 - there is nothing to count
    due = False

    def __init__(self, model: Model, options: Options, joint_names: Sequence[str]) -> None:
        super().__init__()
        self._model, self._h, self._joint_names = model, options.time_step, tuple(joint_names)
        self._sampler = sampling.Sampler(model, options.time_step, options.tolerance)
        self._states: list[State] = []
        self._joints: list[dict[str, Array]] = []
        self._constraints: list[Array] = []
        self._contacts: list[dict[str, NDArray[Any]] | None] = []  # None: too many
        self._contact_count = 0
        self._for_now = False  # the last frame is there because a run ended with it

    def frame_of(self, state: State, report: StepReport | None) -> None:
        """Keep a state and the contacts of the step that led to it."""
        self._drop_end()
        self._states.append(state.copy())
        if self._joint_names:
            self._joints.append(sampling.reactions_of(len(self._joint_names), report))
        if self._model.constraints:
            self._constraints.append(sampling.constraints_of(self._model, report))
        contacts = 0 if report is None else len(report.contacts)
        keep = self._contact_count + contacts <= MOST_CONTACTS
        self._contacts.append(self._sampler.contacts(report) if keep and report is not None and contacts else None)
        self._contact_count += contacts if keep else MOST_CONTACTS

    def _drop_end(self) -> None:
        if self._for_now:
            for kept in (self._states, self._joints, self._constraints, self._contacts):
                del kept[-1:]
            self._for_now = False

    def end(self, state: State, report: StepReport | None) -> None:
        """Keep a frame until another one follows."""
        self.frame_of(state, report)
        self._for_now = True

    def commit(self, memory: dict[str, Any] | None) -> None:
        """Nothing to be done."""

    def finish(self, memory: dict[str, Any] | None, finished: bool) -> None:
        """Nothing to be done."""

    def contacts(self, i: int) -> FrameContacts:
        """The contacts of the step that led to the i-th frame; the first frame has none."""
        k = self._number(i)
        kept = self._contacts[k]
        if kept is None and k and self._steps_contacts(k):
            raise RecordingError(
                f"the contacts of frame {i} were not kept: a run in memory keeps {MOST_CONTACTS:,} of them in all. "
                'Record the run, simulate(..., record="run.h5").'
            )
        columns = dict(kept) if kept is not None else self._sampler.no_contacts()
        code = columns.pop("mode")
        mode = np.array(sampling.MODES)[code]
        return FrameContacts(self._states[k].time, code=code, mode=mode, names=self.names, time_step=self._h, **columns)

    def _steps_contacts(self, k: int) -> int:
        """Number of contacts of the step that led to frame k."""
        at = int(np.searchsorted(self.steps["time"], self._states[k].time))
        return int(self.steps["contacts"][min(at, self._count - 1)])

    @property
    def names(self) -> Sequence[str]:
        return self._model.names

    @property
    def time(self) -> Array:
        return np.array([state.time for state in self._states])

    @property
    def energy(self) -> NDArray[np.void]:
        return self._table(LEDGER_TYPE)

    @property
    def steps(self) -> NDArray[np.void]:
        return self._table(STEP_TYPE)

    @property
    def frame_count(self) -> int:
        return len(self._states)

    def _series(self, quantity: str, body: int) -> Array:
        series = np.array([getattr(self._model.shapes_at(state), quantity)[body] for state in self._states])
        series[[not state.present[body] for state in self._states]] = np.nan
        return series

    @property
    def joint_names(self) -> Sequence[str]:
        return self._joint_names

    @property
    def _joint_kinds(self) -> Sequence[str]:
        return self._model.joint_kinds

    @property
    def _time_step(self) -> float:
        return self._h

    def _joint_series(self, quantity: str, joint: int) -> Array:
        if quantity == "motion":  # follows from the states
            return np.array([joint_motion(self._model.joints, state)[joint] for state in self._states])
        return np.array([joints[quantity][joint] for joints in self._joints])

    @property
    def _constrained(self) -> Sequence[tuple[str, str]]:
        return [(one.name, body) for one in self._model.constraints for body in one.bodies]

    def _constraint_series(self, row: int) -> Array:
        return np.array([impulse[row] for impulse in self._constraints])

    def frame(self, i: int) -> Frame:
        state = self._states[self._number(i)]
        columns = sampling.points_of(self._model, state)
        return Frame(time=state.time, **columns)


class File(_Tables):
    """A run on its way into a recording."""

    def __init__(
        self, model: Model, options: Options, path: Path, counts: dict[str, int] | None = None,
        stage: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._sampler, self.path = sampling.Sampler(model, options.time_step, options.tolerance), path
        self._writer = Writer(path, counts, stage)
        self._clocks = time.perf_counter(), time.process_time()
        self.before = {"wall_time": 0.0, "cpu_time": 0.0}  # of the run's earlier parts

    @property
    def counts(self) -> dict[str, int]:
        """Rows so far, those of steps included that are still to be written."""
        counts = self._writer.counts
        return {**counts, "steps": counts["steps"] + self._count}

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
        self._writer.frame(state.time, self._sampler.points(state), contacts, self._sampler.joints(state, report))

    def end(self, state: State, report: StepReport | None) -> None:
        """Add a frame that the checkpoint knows nothing of: a resumed run writes over it."""
        self.frame_of(state, report)

    def _hand_over(self) -> None:
        self._writer.steps(self._table(STEP_TYPE), self._table(LEDGER_TYPE))
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
