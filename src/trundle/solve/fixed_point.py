"""Projected fixed point on the whole problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trundle.contact.scaled import ScaledProblem
from trundle.errors import SolverError
from trundle.solve.base import Array, Solver
from trundle.solve.monitor import Monitor
from trundle.solve.steps import AdaptiveStep, largest_eigenvalue


@dataclass(frozen=True)
class FixedPoint(Solver):
    """p <- proj_K(p - rho (W p + q + g(W p + q))), Acary & Bourrier (2021), eq. (64).

    step : rho as a multiple of 1 / (largest eigenvalue of W), in (0, 2); the map contracts for small enough values.
    adaptive : change rho as the map's slope along the way says, starting with `step`; `ratio`, `low` and `shrink` are those of
        "extragradient".
    """

    name: ClassVar[str] = "fixed-point"
    by_cones: ClassVar[bool] = True
    step: float = 1.0
    adaptive: bool = True
    ratio: float = 0.9
    low: float = 0.3
    shrink: float = 2.0 / 3.0

    def __post_init__(self) -> None:
        if not 0.0 < self.step < 2.0:
            raise SolverError(f"fixed-point: step = {self.step:g} must lie between 0 and 2.")
        if not 0.0 < self.low < self.ratio < 1.0 or not 0.0 < self.shrink < 1.0:
            raise SolverError("fixed-point: needs 0 < low < ratio < 1 and 0 < shrink < 1.")

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        if self.adaptive:
            self._adapt(problem, p, monitor)
            return
        rho = self.step / largest_eigenvalue(problem)
        while not monitor.done:
            count = monitor.batch()
            for _ in range(count):
                p[:] = problem.project(p - rho * problem.corrected(problem.velocity(p)))
            monitor.report(p, count)

    def _adapt(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        step = AdaptiveStep(problem, self.ratio, self.low, self.shrink, self.step)
        slope = problem.corrected(problem.velocity(p))
        while not monitor.done:
            count = monitor.batch()
            for _ in range(count):
                p[:], slope = step.trial(p, slope)
            monitor.report(p, count)
