"""Alternating direction method of multipliers with one factorisation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy

from trundle.contact.kernels import natural as contact_kernels
from trundle.contact.scaled import ScaledProblem
from trundle.errors import SolverError
from trundle.solve.base import Array, Solver, norm
from trundle.solve.factor import factorise
from trundle.solve.monitor import Monitor
from trundle.solve.preparation import prepare


@dataclass(frozen=True)
class ADMM(Solver):
    """ADMM on  min 1/2 p.W p + (q + s).p,  p in K, with De Saxce's term s taken from the dual variable.

    The penalty is `penalty` times the largest eigenvalue of each W_cc, adapted while primal and dual residuals differ
    by more than a factor of 10; each change costs a factorisation of W + R.

    penalty : start value [-] ; relaxation : over-relaxation in [1, 2).
    """

    name: ClassVar[str] = "admm"
    by_cones: ClassVar[bool] = True
    default_iterations: ClassVar[int] = 20_000
    penalty: float = 0.1
    relaxation: float = 1.6

    def __post_init__(self) -> None:
        if not self.penalty > 0.0 or not 1.0 <= self.relaxation < 2.0:
            raise SolverError("admm: penalty must be positive and relaxation in [1, 2).")

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        metric = 1.0 / np.repeat(prepare(problem).rho, np.diff(problem.table.contact[:, 0]))
        weighted = scipy.sparse.csr_array(scipy.sparse.diags_array(problem.table.weight)) @ problem.matrix
        penalty = self.penalty
        solve = self._factorise(weighted, penalty * metric)
        z, dual = p.copy(), -problem.corrected(problem.velocity(p)) / (penalty * metric)
        slope = problem.table.weight * problem.q
        changes = 0
        while not monitor.done:
            count = monitor.batch(20)
            for _ in range(count):
                R = penalty * metric
                s = self._saxce(problem, -R * dual)
                x = solve(R * (z - dual) - slope - s)
                mixed = self.relaxation * x + (1.0 - self.relaxation) * z
                before = z
                z = problem.project(mixed + dual)
                dual += mixed - z
            monitor.report(z, count)
            primal = norm((x - z) * metric)
            drift = norm(R * (z - before))
            factor = 10.0 if primal > 10.0 * drift else 0.1 if drift > 10.0 * primal else 1.0
            if factor != 1.0 and changes < 12 and 1e-6 <= penalty * factor <= 1e4:
                changes += 1
                penalty *= factor
                dual /= factor
                solve = self._factorise(weighted, penalty * metric)
        p[:] = z

    @staticmethod
    def _factorise(weighted: scipy.sparse.csr_array, R: Array) -> Callable[[Array], Array]:
        solve = factorise(weighted + scipy.sparse.csr_array(scipy.sparse.diags_array(R)))
        if solve is None:
            raise SolverError("admm: W + R is singular; W has a negative eigenvalue as large as the penalty.")
        return solve

    @staticmethod
    def _saxce(problem: ScaledProblem, corrected: Array) -> Array:
        """sigma(-w) on the normal rows, for the friction rows of a (weighted) velocity."""
        s = np.zeros_like(corrected)
        if not problem.relaxed:
            contact_kernels.saxce(*problem.laws, -corrected, s)
        return s
