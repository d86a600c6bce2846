"""Interior point method for laws made of disks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from trundle.contact.scaled import ScaledProblem
from trundle.errors import SolverError
from trundle.laws.kernels.sections import DISK, FREE
from trundle.solve.base import Array, Solver
from trundle.solve.central_path import follow
from trundle.solve.interior_state import InteriorState
from trundle.solve.monitor import Monitor


def can_treat(problem: ScaledProblem) -> bool:
    """Whether all blocks are disks, intervals or free rows."""
    return bool(np.all(np.isin(problem.table.block[:, 0], (DISK, FREE))))


@dataclass(frozen=True)
class InteriorPoint(Solver):
    """Primal-dual interior point method on the exact (or relaxed) law, with Mehrotra's predictor and corrector.

    The law of each disk is a complementarity of second-order cones, (mu r_n, f) o (t, w) = 0 with t >= |w|, beside
    r_n u_n = 0: not monotone, but the central path can be followed in 10 to 30 factorisations where one exists.  It
    does not use a guess.  Only for laws made of disks and intervals (Coulomb, rolling, spinning), and joints.

    boundary : share of the way to the boundary of the cones that a step may go.
    turns : follow the path also where it turns back (`trundle.solve.central_path`), with ten times the work.
    """

    name: ClassVar[str] = "interior-point"
    default_iterations: ClassVar[int] = 100
    boundary: float = 0.995
    turns: bool = False

    def __post_init__(self) -> None:
        if not 0.0 < self.boundary < 1.0:
            raise SolverError(f"interior-point: boundary = {self.boundary:g} must lie between 0 and 1.")

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        if not can_treat(problem):
            raise SolverError(
                "interior-point works for laws made of disks and intervals (Coulomb, Rolling, SlideRollSpin, ...); "
                "this problem has another one. Use 'auto' or 'newton'."
            )
        if self.turns:
            follow(problem, p, monitor, self.boundary)
            return
        state = InteriorState(problem)
        short = 0
        while not monitor.done and short < 6:
            step = state.advance(self.boundary)
            if step is None:
                monitor.note = "the Newton matrix of the interior point method is singular"
                break
            monitor.report(state.p, 1, state.model.entries)
            short = short + 1 if step < 0.05 else 0
        p[:] = state.p
