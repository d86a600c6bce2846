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
from trundle.solve.proximal import ProximalPoint

MOST_TURNS, PAYS = 10, 0.5  # of two hundred sweeps; by which factor they must reduce the residual
FIRST_NEWTON, PATH = 20, 10_000  # factorisations
ALTERNATING_TURNS = 4
SMALL_PROXIMAL = 1e-4  # where impulses are nearly right
STARTS = (0.9, 0.5, 0.0)  # shares of the best impulses: where Newton fails from one start, it may not from another
NEWTON_ROWS, FIRST_NEWTON_ROWS = 60_000, 5_000  # above this factorisations do not pay, or those of the path are cheaper


@dataclass(frozen=True)
class Auto(Solver):
    """Accelerated Gauss-Seidel, then Newton and the interior point method, each from the best iterate so far.

    Then the central path is followed around its turns if the laws are made of disks, or Newton starts again from other
    impulses if not; then Newton and Gauss-Seidel take turns of growing length until the tolerance, the limit or round-off
    is reached.  A factorisation counts for as many iterations as sweeps take as long: the limit bounds all work.

    turns : how many Newton and Gauss-Seidel take at most, if not as many as it needs.
    """

    name: ClassVar[str] = "auto"
    default_iterations: ClassVar[int] = 1_000_000
    turns: int | None = None

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        monitor.in_sweeps = True
        sweeps, factorisations = 240, 10
        small = len(p) <= NEWTON_ROWS
        if problem.bodies is not None:  # a step: its sweeps, without a matrix, have found most modes already
            ProximalPoint(problem, SMALL_PROXIMAL).descend(p, monitor)
        else:
            self._sweep_while_it_pays(problem, p, monitor)
            if not monitor.converged and len(p) <= FIRST_NEWTON_ROWS:
                self._turn(Newton(), problem, p, monitor, FIRST_NEWTON)
            if not monitor.converged and why_no_solution(problem, monitor.best_residual):
                return
        disks = can_treat(problem)
        if small and disks:
            self._turn(InteriorPoint(turns=True), problem, p, monitor, PATH)
        for share in STARTS if small and not disks else ():
            self._turn(Newton(), problem, p, monitor, factorisations, share)
        turns = 0
        while not (monitor.converged or monitor.spent or turns == self.turns):
            before = monitor.best_residual
            turns += 1
            sweeps, factorisations = min(4 * sweeps, 20_000), min(2 * factorisations, 400)
            self._turn(NesterovGaussSeidel(), problem, p, monitor, sweeps)
            if small:
                last = turns > ALTERNATING_TURNS
                self._turn(Newton(), problem, p, monitor, monitor.max_iterations if last else factorisations)
            if not monitor.best_residual < 0.999 * before and self._at_roundoff(problem, monitor):
                monitor.note = "no further progress is possible: the residual has reached the rounding of W p + q"
                return

    def _sweep_while_it_pays(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        """Sweeps, as long as two hundred of them, about the cost of some factorisations, gain enough."""
        for sweeps in (60, *[200] * MOST_TURNS):
            before = monitor.best_residual
            self._turn(NesterovGaussSeidel(), problem, p, monitor, sweeps)
            if monitor.best_residual > PAYS * before:
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
