"""Accelerated projected gradient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from trundle.contact.scaled import ScaledProblem
from trundle.solve.base import Array, Solver
from trundle.solve.kernels import sweeps as kernels
from trundle.solve.monitor import Monitor
from trundle.solve.preparation import Steps, prepare
from trundle.solve.steps import safe_share


@dataclass(frozen=True)
class AcceleratedGradient(Solver):
    """Nesterov's accelerated projected gradient with adaptive restart, all contacts at once.

    For the exact law the projections are decoupled (normal, then friction onto r_n C); for the relaxed one, which is a
    convex programme, the projection is onto the cone, and the method has Nesterov's rate.
    """

    name: ClassVar[str] = "apgd"

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        steps = prepare(problem)
        share = safe_share(problem, steps)
        z, theta = p.copy(), 1.0
        while not monitor.done:
            count = monitor.batch()
            for _ in range(count):
                theta = self._iterate(problem, steps, share, p, z, theta)
            monitor.report(p, count)

    def _iterate(self, problem: ScaledProblem, steps: Steps, share: float, p: Array, z: Array, theta: float) -> float:
        moved = z.copy()
        if problem.relaxed:
            rho = np.repeat(share * steps.rho, np.diff(problem.table.contact[:, 0]))
            moved = problem.project(z - rho * problem.corrected(problem.velocity(z)))
        else:
            y, out = np.empty_like(z), np.empty_like(z)
            kernels.separate_projections(
                *problem.laws, problem.table.weight, *problem.blocks, problem.q,
                share * steps.rho, share * steps.step, moved, y, out, 1,
            )  # fmt: skip
        restart = float((z - moved) @ (moved - p)) > 0.0
        following = 1.0 if restart else 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * theta * theta))
        beta = 0.0 if restart else (theta - 1.0) / following
        z[:] = moved + beta * (moved - p)
        p[:] = moved
        return float(following)
