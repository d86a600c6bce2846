"""The default: sweeps first, Newton where they stall."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from trundle.contact.feasibility import why_no_solution
from trundle.contact.scaled import ScaledProblem
from trundle.solve.base import Array, Solver
from trundle.solve.gauss_seidel import NesterovGaussSeidel
from trundle.solve.interior import InteriorPoint, can_treat
from trundle.solve.monitor import Monitor
from trundle.solve.newton import Newton

MOST_TURNS = 10
ALTERNATING_TURNS = 4
TURNS_BEFORE_PATH, PATH_STEPS = 2, 10_000
STEP_FACTORISATIONS = 40  # inside simulations
STEP_STARTS = (0.9, 0.5, 0.0)  # shares of the best impulses: where one start fails, another may not
NEWTON_ROWS = 60_000  # above this a factorisation no longer pays


@dataclass(frozen=True)
class Auto(Solver):
    """Accelerated Gauss-Seidel, then Newton and the interior point method, each from the best iterate so far.

    Then Newton and Gauss-Seidel take turns of growing length until the tolerance, the limit or round-off is reached.

    persistent : after two turns the central path is followed around its turns, and in the end Newton has the last
    word, for as many iterations as are left.  A few problems need that; a time step of a simulation is not worth it:
    there Newton starts again from some shares of the best impulses instead.
    turns : how many Newton and Gauss-Seidel take at most, if not as many as it needs.
    """

    name: ClassVar[str] = "auto"
    default_iterations: ClassVar[int] = 200_000
    persistent: bool = True
    turns: int | None = None

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        sweeps, factorisations = 60, 30
        small = len(p) <= NEWTON_ROWS
        self._sweep_while_it_pays(problem, p, monitor)
        if monitor.converged:
            return
        if small:
            self._turn(Newton(), problem, p, monitor, 10)
        if small and can_treat(problem):
            self._turn(InteriorPoint(), problem, p, monitor, 60)
        if not monitor.converged and why_no_solution(problem, monitor.best_residual):
            return
        for share in STEP_STARTS if small and not self.persistent else ():
            self._turn(Newton(), problem, p, monitor, STEP_FACTORISATIONS, share)
        turns = 0
        while not (monitor.converged or monitor.spent or turns == self.turns):
            before = monitor.best_residual
            turns += 1
            if small:
                last = self.persistent and turns > ALTERNATING_TURNS
                self._turn(Newton(), problem, p, monitor, monitor.max_iterations if last else factorisations)
                if self.persistent and turns == TURNS_BEFORE_PATH and can_treat(problem):
                    self._turn(InteriorPoint(turns=True), problem, p, monitor, PATH_STEPS)
            sweeps, factorisations = min(4 * sweeps, 20_000), min(2 * factorisations, 400)
            self._turn(NesterovGaussSeidel(), problem, p, monitor, sweeps)
            if not monitor.best_residual < 0.999 * before and self._at_roundoff(problem, monitor):
                monitor.note = "no further progress is possible: the residual has reached the rounding of W p + q"
                return

    def _sweep_while_it_pays(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        """Sweeps, as long as two hundred of them, about the cost of a factorisation, gain half a digit."""
        for sweeps in (60, *[200] * MOST_TURNS):
            before = monitor.best_residual
            self._turn(NesterovGaussSeidel(), problem, p, monitor, sweeps)
            if monitor.best_residual > 0.3 * before:
                return

    @staticmethod
    def _turn(
        solver: Solver, problem: ScaledProblem, p: Array, monitor: Monitor, iterations: int, share: float = 1.0
    ) -> None:
        if monitor.converged or monitor.spent:
            return
        known = math.isfinite(monitor.best_residual)
        if known:
            p[:] = share * monitor.best
        monitor.residual = monitor.best_residual if known else 1.0
        monitor.allow(iterations)
        solver.run(problem, p, monitor)

    @staticmethod
    def _at_roundoff(problem: ScaledProblem, monitor: Monitor) -> bool:
        return monitor.best_residual <= 20.0 * problem.roundoff(monitor.best)
