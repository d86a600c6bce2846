"""Extragradient with a self-adaptive step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trundle.contact.scaled import ScaledProblem
from trundle.errors import SolverError
from trundle.solve.base import Array, Solver
from trundle.solve.monitor import Monitor
from trundle.solve.steps import AdaptiveStep


@dataclass(frozen=True)
class Extragradient(Solver):
    """Two projections per iteration, Acary & Bourrier (2021), eq. (65), with the step of Khobotov and Marcotte.

    The step shrinks by `shrink` until rho |F(p) - F(p~)| <= `ratio` |p - p~|, and grows by 1 / shrink where the ratio
    is below `low`.
    """

    name: ClassVar[str] = "extragradient"
    by_cones: ClassVar[bool] = True
    ratio: float = 0.9
    low: float = 0.3
    shrink: float = 2.0 / 3.0

    def __post_init__(self) -> None:
        if not 0.0 < self.low < self.ratio < 1.0 or not 0.0 < self.shrink < 1.0:
            raise SolverError("extragradient: needs 0 < low < ratio < 1 and 0 < shrink < 1.")

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        step = AdaptiveStep(problem, self.ratio, self.low, self.shrink)
        while not monitor.done:
            count = monitor.batch()
            for _ in range(count):
                _, there = step.trial(p, problem.corrected(problem.velocity(p)))
                p[:] = problem.project(p - step.used * there)
            monitor.report(p, count)
