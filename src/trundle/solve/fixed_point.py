"""Projected fixed point on the whole problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trundle.contact.scaled import ScaledProblem
from trundle.errors import SolverError
from trundle.solve.base import Array, Solver
from trundle.solve.monitor import Monitor
from trundle.solve.steps import largest_eigenvalue


@dataclass(frozen=True)
class FixedPoint(Solver):
    """p <- proj_K(p - rho (W p + q + g(W p + q))), Acary & Bourrier (2021), eq. (64).

    step : rho as a multiple of 1 / (largest eigenvalue of W), in (0, 2); the map contracts for small enough values.
    """

    name: ClassVar[str] = "fixed-point"
    step: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 < self.step < 2.0:
            raise SolverError(f"fixed-point: step = {self.step:g} must lie between 0 and 2.")

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        rho = self.step / largest_eigenvalue(problem)
        while not monitor.done:
            count = monitor.batch()
            for _ in range(count):
                p[:] = problem.project(p - rho * problem.corrected(problem.velocity(p)))
            monitor.report(p, count)
