"""A run that was simulated."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from trundle.contact.problem import ContactProblem
from trundle.errors import SimulationError, whole
from trundle.record.frames import Frame, FrameContacts
from trundle.record.questions import Array, Questions
from trundle.record.reader import Recording
from trundle.run.loop import Loop
from trundle.run.saving import save_run
from trundle.run.sinks import Memory
from trundle.scene.joints import WORLD
from trundle.scene.model import Model, State
from trundle.scene.scene import Scene

Solved = tuple[ContactProblem, Array]


class Run(Questions):
    """A run: states over time and what happened in between.

    model, final (the state at the end); interrupted: ended by Ctrl-C; stopped: why a condition ended it, "" if none did;
    warnings: what the user should know; wall_time, cpu_time [s]; recording: the file, if it was recorded.
    """

    def __init__(self, scene: Scene, loop: Loop, source: Memory | Recording, times: tuple[float, float]) -> None:
        self._scene, self._loop, self._end = scene, loop, loop.number
        self._saved: Path | None = None  # a temporary file
        self.model: Model = loop.model
        self.final: State = loop.state
        self.interrupted: bool = loop.interrupted
        self.stopped: str = loop.stopped
        self.recording: Path | None = source.path if isinstance(source, Recording) else None
        self.wall_time, self.cpu_time = times
        self._source = source
        self._kept: dict[int, Solved] = {} if loop.problems is None else loop.problems.kept
        self._last: Callable[[], Solved] = loop.last_problem
        self.warnings: list[str] = [*loop.said, *loop.warnings()]

    def __repr__(self) -> str:
        end = f", stopped: {self.stopped}" if self.stopped else ", interrupted" if self.interrupted else ""
        return f"<Run: {len(self.names):,} bodies, {self.frame_count:,} frames until t = {self.final.time:g} s{end}>"

    @cached_property
    def names(self) -> Sequence[str]:
        """Names of the bodies; their places are the bodies' numbers."""
        return tuple(name for name in self._source.names if name != WORLD)

    @cached_property
    def time(self) -> Array:
        """Times of the frames [s], with the start, shape (T,)."""
        return self._source.time

    @cached_property
    def energy(self) -> NDArray[np.void]:
        """The ledger: one row per step [J]; see `Ledger`."""
        return self._source.energy

    @cached_property
    def steps(self) -> NDArray[np.void]:
        """Contacts, residual, iterations and converged of every step."""
        return self._source.steps

    @cached_property
    def joint_names(self) -> Sequence[str]:
        """Names of the joints."""
        return self._source.joint_names

    @property
    def _time_step(self) -> float:
        return self._source._time_step

    @property
    def _joint_kinds(self) -> Sequence[str]:
        return self._source._joint_kinds

    def _has_joint_data(self, quantity: str) -> bool:
        return self._source._has_joint_data(quantity)

    def _joint_series(self, quantity: str, joint: int) -> Array:
        return self._source._joint_series(quantity, joint)

    @property
    def _constrained(self) -> Sequence[tuple[str, str]]:
        return self._source._constrained

    def _constraint_series(self, row: int) -> Array:
        return self._source._constraint_series(row)

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return self._source.frame_count

    def frame(self, i: int) -> Frame:
        """The bodies present in the i-th frame; -1 is the last."""
        return self._source.frame(i)

    def contacts(self, i: int) -> FrameContacts:
        """The contacts of the step that led to the i-th frame, with forces; -1 is the last, the first has none."""
        return self._source.contacts(i)

    def _series(self, quantity: str, body: int) -> Array:
        return self._source._series(quantity, body)

    # --- files ----------------------------------------------------------------------------------------

    def _recorded(self) -> Path:
        if self.recording is not None:
            return self.recording
        if self._saved is None:
            folder = tempfile.mkdtemp(prefix="trundle-")
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)  # goes away with the run
            self._write(Path(folder) / "run.h5")
            self._saved = Path(folder) / "run.h5"
        return self._saved

    def _write(self, target: Path) -> None:
        if self.recording is not None:
            super()._write(target)
        else:
            save_run(self, self._loop, self._scene, self._end, target)

    # --- problems -------------------------------------------------------------------------------------

    @property
    def problems(self) -> list[int]:
        """Numbers of the steps, rows of `steps`, whose contact problems were kept (`keep_problems`)."""
        return sorted(self._kept)

    def _solved(self, step: int) -> Solved:
        if not whole(step):
            raise SimulationError(f"problem of step {step!r}: give its number, a row of steps; -1 is the last.")
        count = len(self.steps)
        number = int(step) + (count if step < 0 else 0)
        if number in self._kept:
            return self._kept[number]
        if number == count - 1 and count:
            return self._last()
        kept = ", ".join(str(k) for k in self.problems[:10]) or "none"
        raise SimulationError(
            f"the contact problem of step {step} was not kept; kept are: {kept}, and the last one, -1. Give "
            "simulate(..., keep_problems=True), or a condition such as keep_problems='iterations > 1000'."
        )

    def problem(self, step: int = -1) -> ContactProblem:
        """The contact problem of a step, the row `steps[step]`: of the last one always, of others if they were kept."""
        return self._solved(step)[0]

    def impulses(self, step: int = -1) -> Array:
        """The impulses p that the step found for `problem(step)`, in the order of its rows [N s, N m s]."""
        return self._solved(step)[1]
