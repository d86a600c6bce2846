"""Separate projections with one step size per direction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from trundle.contact.scaled import ScaledProblem
from trundle.errors import SolverError
from trundle.solve.base import Array, Solver
from trundle.solve.kernels import sweeps as kernels
from trundle.solve.monitor import Monitor
from trundle.solve.preparation import prepare
from trundle.solve.steps import safe_share


@dataclass(frozen=True)
class LeSaux(Solver):
    """The modified Newton iteration of Le Saux, Leine & Glocker (2005), eq. (3.7).

    All normal impulses, then all sliding-spinning and all rolling impulses are projected onto their own sets with the
    velocities of the last iterate, each direction with its own step: rho_N, rho_F, rho_R are `step` times a share of
    1 / (largest eigenvalue of that direction's block of W_cc) that makes the simultaneous iteration stable.
    """

    name: ClassVar[str] = "le-saux"
    formulations: ClassVar[tuple[str, ...]] = ("exact", "compliant")
    step: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 < self.step < 2.0:
            raise SolverError(f"le-saux: step = {self.step:g} must lie between 0 and 2.")

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        steps = prepare(problem)
        share = self.step * safe_share(problem, steps)
        y, out = np.zeros_like(p), np.zeros_like(p)
        while not monitor.done:
            count = monitor.batch()
            kernels.separate_projections(
                *problem.laws, problem.table.weight, *problem.blocks, problem.q,
                share * steps.rho, share * steps.step, p, y, out, count,
            )  # fmt: skip
            monitor.report(p, count)
