"""Extragradient with a self-adaptive step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from trundle.contact.scaled import ScaledProblem
from trundle.errors import SolverError
from trundle.solve.base import Array, Solver
from trundle.solve.monitor import Monitor
from trundle.solve.steps import largest_eigenvalue

LONGEST = 1e6  # times the first step: without a bound the impulses of a problem without a solution overflow


@dataclass(frozen=True)
class Extragradient(Solver):
    """Two projections per iteration, Acary & Bourrier (2021), eq. (65), with the step of Khobotov and Marcotte.

    The step shrinks by `shrink` until rho |F(p) - F(p~)| <= `ratio` |p - p~|, and grows by 1 / shrink where the ratio
    is below `low`.
    """

    name: ClassVar[str] = "extragradient"
    ratio: float = 0.9
    low: float = 0.3
    shrink: float = 2.0 / 3.0

    def __post_init__(self) -> None:
        if not 0.0 < self.low < self.ratio < 1.0 or not 0.0 < self.shrink < 1.0:
            raise SolverError("extragradient: needs 0 < low < ratio < 1 and 0 < shrink < 1.")

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        first = rho = 1.0 / largest_eigenvalue(problem)
        while not monitor.done:
            count = monitor.batch()
            for _ in range(count):
                rho = min(self._iterate(problem, p, rho), LONGEST * first)
            monitor.report(p, count)

    def _iterate(self, problem: ScaledProblem, p: Array, rho: float) -> float:
        slope = problem.corrected(problem.velocity(p))
        while True:
            trial = problem.project(p - rho * slope)
            moved = float(np.linalg.norm(trial - p))
            if moved == 0.0:
                return rho
            there = problem.corrected(problem.velocity(trial))
            ratio = rho * float(np.linalg.norm(there - slope)) / moved
            if ratio <= self.ratio or rho < 1e-300:
                break
            rho *= self.shrink * min(1.0, 1.0 / ratio)
        p[:] = problem.project(p - rho * there)
        return rho / self.shrink if ratio < self.low else rho
