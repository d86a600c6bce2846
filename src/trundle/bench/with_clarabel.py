"""Clarabel, a conic interior point solver, on the relaxed problems of disks: an independent check, and a rival.

The relaxed problem is the convex programme  min 1/2 p.W p + q.p,  p in K;  where sections are disks and intervals,
K is made of second-order cones:  r_n >= 0,  (mu r_n, f_t) in Q,  (mu_s r_n, m_s) in Q,  (mu_r r_n, m_r) in Q.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy

from trundle.contact.scaled import ScaledProblem
from trundle.errors import SolverError
from trundle.laws.kernels.sections import DISK, FREE
from trundle.solve.base import Array, Solver
from trundle.solve.monitor import Monitor

LEAST = 1e-13  # tolerance beyond which it does not get in double precision


def installed() -> bool:
    """Whether Clarabel can be imported."""
    return importlib.util.find_spec("clarabel") is not None


@dataclass(frozen=True)
class Clarabel(Solver):
    """Clarabel (Goulart & Chen, 2024) on the relaxed problem of disks; it makes no use of a guess.

    Its own tolerances are tightened until our residual of its answer is the one that is wanted.
    """

    name: ClassVar[str] = "clarabel"
    default_iterations: ClassVar[int] = 500
    formulations: ClassVar[tuple[str, ...]] = ("relaxed",)

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        if not installed():
            raise SolverError("clarabel is not installed: pip install clarabel.")
        if not np.all(np.isin(problem.table.block[:, 0], (DISK, FREE))):
            raise SolverError(
                "clarabel: only for laws made of disks, intervals and joints (Coulomb, rolling, spinning)."
            )
        import clarabel

        rows, cones = _cones(problem, clarabel)
        matrix = problem.matrix
        largest, size = float(matrix.diagonal().max()), float(np.max(np.abs(problem.q), initial=0.0)) or 1.0
        upper = scipy.sparse.csc_matrix(scipy.sparse.triu(matrix) / largest)  # in units in which W and q are near 1
        tolerance = monitor.tolerance
        while True:
            settings = clarabel.DefaultSettings()
            settings.verbose = False
            settings.max_iter = monitor.remaining
            settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = max(tolerance, LEAST)
            solver = clarabel.DefaultSolver(upper, problem.q / size, rows, np.zeros(rows.shape[0]), cones, settings)
            found = solver.solve()
            p[:] = size / largest * np.asarray(found.x)
            monitor.report(p, max(1, int(found.iterations)))
            if monitor.done or tolerance <= LEAST:
                monitor.note = f"clarabel ended with {found.status}"
                return
            tolerance *= 1e-2


def _cones(problem: ScaledProblem, clarabel: Any) -> tuple[Any, list[Any]]:
    """Rows A with -A p in the cones: r_n >= 0 for all, then the disks."""
    contact, block, coef = problem.laws[:3]
    m = len(problem.q)
    owner = np.repeat(np.arange(len(contact) - 1), np.diff(contact[:, 1]))
    normal = contact[:-1, 0][contact[:-1, 2] == 1]
    row, column, value = [np.arange(len(normal))], [normal], [np.full(len(normal), -1.0)]
    cones, at = [clarabel.NonnegativeConeT(len(normal))], len(normal)
    for j in np.flatnonzero(block[:, 0] == DISK):
        first, width = block[j, 1], block[j, 2]
        if contact[owner[j], 2] != 1:
            raise SolverError("clarabel: no place for joints with a bounded row.")
        row.append(at + np.arange(width + 1))
        column.append(np.concatenate([[contact[owner[j], 0]], first + np.arange(width)]))
        value.append(np.concatenate([[-coef[j, 0]], np.full(width, -1.0)]))
        cones.append(clarabel.SecondOrderConeT(int(width) + 1))
        at += int(width) + 1
    places = np.concatenate(row), np.concatenate(column)
    return scipy.sparse.csc_matrix((np.concatenate(value), places), shape=(at, m)), cones
