"""The iteration of Tasora and Anitescu for the cone complementarity problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from trundle.contact.scaled import ScaledProblem
from trundle.errors import SolverError
from trundle.solve.base import Array, Solver
from trundle.solve.gauss_seidel import sweep_arguments
from trundle.solve.kernels import sweeps as kernels
from trundle.solve.monitor import Monitor

MOST_OF_STABLE = 1.9  # of 1 / largest eigenvalue of W_cc; 2 would be the border


@dataclass(frozen=True)
class TasoraAnitescu(Solver):
    """p <- lambda proj_K(p - omega B (N p + r + K (p_new - p))) + (1 - lambda) p, Tasora & Anitescu (2013), eq. (46).

    B is block-diagonal with the inverse of the mean diagonal of each W_cc, K the strictly lower part of N: a
    projected sweep over the contacts with under-relaxation.  For symmetric N it converges where
    omega lambda B_c < 2 / (largest eigenvalue of W_cc); B_c is kept below 1.9 of that for omega = lambda = 1.

    omega : step in units of B, in (0, 2) ; sharpness : lambda in (0, 1].
    """

    name: ClassVar[str] = "tasora-anitescu"
    omega: float = 1.0
    sharpness: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 < self.omega < 2.0 or not 0.0 < self.sharpness <= 1.0:
            raise SolverError(
                f"tasora-anitescu: omega = {self.omega:g} must lie in (0, 2), sharpness = {self.sharpness:g} in (0, 1]."
            )

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        arguments: list[Any] = list(sweep_arguments(problem, self.omega, True))
        arguments[11] = np.minimum(mean_diagonal_steps(problem), MOST_OF_STABLE * arguments[11])
        y, work = np.zeros_like(p), np.zeros_like(p)
        while not monitor.done:
            count = monitor.batch()
            for _ in range(count):
                before = p.copy()
                kernels.gauss_seidel(*arguments, p, y, work, 1, 0.0)
                p *= self.sharpness
                p += (1.0 - self.sharpness) * before
            monitor.report(p, count)


def mean_diagonal_steps(problem: ScaledProblem) -> Array:
    """d / trace(W_cc) of every contact, their scalar step, shape (C,)."""
    row = problem.table.contact[:, 0]
    diagonal = problem.matrix.diagonal() * problem.table.weight
    trace = np.add.reduceat(diagonal, row[:-1]) if len(row) > 1 else np.zeros(0)
    return np.where(trace > 0.0, np.diff(row) / np.where(trace > 0.0, trace, 1.0), problem.rho)
