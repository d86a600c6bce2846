"""What every stepper offers to a run."""

from __future__ import annotations

from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from trundle.scene.model import Model, State
from trundle.step.report import LEDGER, ROW_TYPE, StepReport, StepRows

if TYPE_CHECKING:
    from trundle.detect.contacts import Contacts

Array = NDArray[np.float64]
FAST = 0.25  # way within a step, relative to the smallest body, from which on it may have passed through another
WHOLE = 1e-9  # relative rounding of a time that is a whole number of steps
_ledger_values = attrgetter(*LEDGER)


def step_times(time: float, h: float, steps: int) -> Array:
    """Times [s] at the ends of the next steps, the same bits however many are done at once."""
    number = round(time / h)
    if abs(number * h - time) > WHOLE * max(abs(time), h):  # steps of another length came before
        return np.asarray(time + h * np.arange(1, steps + 1), np.float64)
    return np.asarray(h * np.arange(number + 1, number + steps + 1), np.float64)


class Stepper:
    """Advances a state.  A subclass defines `advance` or, if it does steps one by one, `step`; and the memory.

    Between two calls bodies may appear or disappear (`state.present`), and loads (`Load.force`, `Load.torque`) and motor
    speeds (`model.joints.speed`) may get other values: a stepper reads them whenever it is called.

    warnings : what the user should know before the run is over; the run shows and keeps it.
    mean_loads : whether loads count with their mean over a step, also where they jump, instead of their value in its middle.
    before : the state before the last step, where a batch of several steps ended with one whose `way` is larger than `FAST`.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.warnings: list[str] = []
        self.before: State | None = None
        self.mean_loads = False
        self._report: StepReport | None = None
        self._total: float | None = None  # energy at the end of the last step

    def advance(self, state: State, h: float, steps: int) -> StepRows:
        """Advance the state in place by up to `steps` steps of h [s], and set its time; at least one step, fewer where
        something needs attention.

        The bits do not depend on how steps are divided into calls.  A batch ends after a step whose `way` is larger than
        `FAST`.  A step that fails raises only if it is the first; otherwise the batch ends before it.
        """
        times, before = step_times(state.time, h, 1), state.copy()
        self._report = self.step(state, h)
        state.time = float(times[0])
        return self._rows_of(self._report, before, state)

    def advance_all(self, state: State, h: float, steps: int) -> StepRows:
        """The same, until all steps are done."""
        rows = [self.advance(state, h, steps)]
        while (done := sum(map(len, rows))) < steps:
            rows.append(self.advance(state, h, steps - done))
        return np.concatenate(rows)

    def report(self) -> StepReport:
        """Of the last step that was done: contacts, impulses, velocities, joints, ledger, problem."""
        assert self._report is not None
        return self._report

    @property
    def built_report(self) -> StepReport | None:
        """The report of the last step that succeeded, if it was asked for before the next one failed."""
        return self._report

    def step(self, state: State, h: float) -> StepReport:
        """Advance the state by h [s], in place."""
        self.advance(state, h, 1)
        return self.report()

    def contacts_at(self, state: State, h: float) -> Contacts:
        """Contacts of a state that are closed or can close within h [s], found as in a step."""
        raise NotImplementedError

    def memory(self) -> dict[str, NDArray[Any]]:
        """What the next step needs to know of this one."""
        raise NotImplementedError

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """Go on from a memory, to the same bits."""
        raise NotImplementedError

    def give_energy(self, amount: float) -> None:
        """The state was changed since the last step and has so much more energy [J], which no body brought."""
        if self._total is not None:
            self._total += amount

    def remarks(self) -> list[str]:
        """What the user should know at the end of the run."""
        return []

    def energy(self, state: State) -> tuple[float, float]:
        """Kinetic and potential energy [J]."""
        from trundle.step.kernels import motion  # here, for kernels take a tenth of a second to import

        model = self.model
        movable = np.flatnonzero(state.present & np.isfinite(model.mass))
        kinetic = motion.kinetic_energy(
            movable, model.mass, model.inertia, state.orientation, state.velocity, state.angular_velocity
        )
        return float(kinetic), float(motion.potential_energy(movable, model.mass, state.position, model.gravity))

    # --- what watching needs ------------------------------------------------------------------------------------

    @cached_property
    def smallest(self) -> float:
        """The smallest of the sizes [m]."""
        return float(np.min(self.model.size, initial=np.inf))

    def _rows_of(self, report: StepReport, before: State, after: State) -> StepRows:
        """The row of a single step."""
        solution, rows = report.solution, np.zeros(1, ROW_TYPE)
        overlap, one, other = self._deepest(report)
        way = float(np.abs(after.position - before.position).max(initial=0.0)) / self.smallest
        rows[0] = (
            after.time, len(report.contacts), solution.residual, solution.iterations, solution.converged,
            *_ledger_values(report.ledger), overlap, one, other, way,
        )  # fmt: skip
        return rows

    def _deepest(self, report: StepReport) -> tuple[float, int, int]:
        gap, body = report.contacts.gap, report.contacts.body
        if not len(gap) or gap.min() >= 0.0:
            return 0.0, -1, -1
        share = -gap / np.min(self.model.size[body], axis=1)
        i = int(np.argmax(share))
        return float(share[i]), int(body[i, 0]), int(body[i, 1])
