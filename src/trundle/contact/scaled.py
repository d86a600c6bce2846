"""A contact problem in the units of its contacts: what solvers and the residual work in.

Moments are measured in units of a length of their contact, p' = S^-1 p, y' = S y, W' = S W S, and the laws follow by
dividing their lengths by it: the same problem, in which one step size per contact is meaningful.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from trundle.contact import kernels
from trundle.contact.blocks import BlockMatrix, to_blocks
from trundle.laws.table import LawTable, scale_table

Array = NDArray[np.float64]
EPS = float(np.finfo(float).eps)


@dataclass(frozen=True, eq=False)
class ScaledProblem:
    """The arrays behind a contact problem.

    matrix : csr (m, m), W' ; blocks : the same by contacts ; q : (m,) ; table : laws in scaled units
    scale : (m,) diagonal of S, p = S p' ; rho : (C,) step of the natural map of each contact
    size : |q'|, to which the residual is relative ; relaxed : no De Saxce term
    """

    table: LawTable
    matrix: Any
    blocks: BlockMatrix
    q: Array
    scale: Array
    rho: Array
    size: float
    relaxed: bool

    @classmethod
    def plain(cls, table: LawTable, formulation: str) -> ScaledProblem:
        """No scaling, rho = 1 and no matrix: for the natural map in the user's own units."""
        m, contacts = int(table.contact[-1, 0]), len(table.contact) - 1
        empty = BlockMatrix(*(np.zeros(0, np.int64),) * 3, np.zeros(0))
        return cls(table, None, empty, np.zeros(m), np.ones(m), np.ones(contacts), 1.0, formulation == "relaxed")

    @property
    def laws(self) -> tuple[Any, ...]:
        """contact, block, coef, own: the arguments of the law kernels."""
        return tuple(self.table[:4])

    def velocity(self, p: Array) -> Array:
        """y' = W' p' + q'."""
        y = np.empty_like(p)
        kernels.velocity(self.table.contact, *self.blocks, self.q, p, y)
        return y

    def natural_norm(self, p: Array, y: Array) -> float:
        """|(p' - proj_K(p' - rho y-hat')) / rho|."""
        change, work = np.empty_like(p), np.empty_like(p)
        return float(kernels.natural_map(*self.laws, self.table.weight, self.rho, self.relaxed, p, y, change, work))

    def residual(self, p: Array) -> float:
        """Residual of the problem at p', relative to |q'|."""
        return self.natural_norm(p, self.velocity(p)) / self.size

    def roundoff(self, p: Array) -> float:
        """Residual that the rounding of y' = W' p' + q' (a dot product per row) and of p' - rho y' can cause."""
        terms = abs(self.matrix) @ np.abs(p) + np.abs(self.q)
        terms += np.abs(p) / np.repeat(self.rho, np.diff(self.table.contact[:, 0]))
        return float(np.linalg.norm(terms)) * EPS / self.size

    def project(self, x: Array) -> Array:
        """Projection of every contact onto its cone, in scaled units."""
        out = np.empty_like(x)
        kernels.project_all(*self.laws, x, out)
        return out

    def corrected(self, y: Array) -> Array:
        """y-hat'."""
        out = np.empty_like(y)
        kernels.correct_all(*self.laws, self.table.weight, self.relaxed, y, out)
        return out


def scale_problem(W: Any, q: Array, table: LawTable, formulation: str) -> ScaledProblem:
    """Measure the moments of every contact in units of sqrt(mean diag W of its forces / of its moments) [m]."""
    row = table.contact[:, 0]
    contacts = len(row) - 1
    diagonal = np.maximum(np.asarray(W.diagonal()), 0.0)
    owner = np.repeat(np.arange(contacts), np.diff(row))
    moment = table.moment

    def mean(rows: np.ndarray) -> Array:
        count = np.bincount(owner[rows], minlength=contacts)
        total = np.bincount(owner[rows], weights=diagonal[rows], minlength=contacts)
        return total / np.maximum(count, 1)

    force_mean, moment_mean = mean(~moment), mean(moment)
    both = (force_mean > 0.0) & (moment_mean > 0.0)
    length = np.where(both, np.sqrt(np.where(both, force_mean, 1.0) / np.where(both, moment_mean, 1.0)), 1.0)
    scale = np.where(moment, length[owner], 1.0)
    matrix = sp.csr_array(W, copy=True)
    matrix.sum_duplicates()
    matrix.data *= scale[matrix.indices] * np.repeat(scale, np.diff(matrix.indptr))
    largest = np.zeros(contacts)
    np.maximum.at(largest, owner, diagonal * scale**2)
    whole = float(np.max(largest, initial=0.0)) or 1.0
    rho = 1.0 / np.where(largest > 0.0, largest, whole)
    scaled_q = np.ascontiguousarray(scale * q)
    return ScaledProblem(
        table=scale_table(table, length), matrix=matrix, blocks=to_blocks(matrix, row), q=scaled_q,
        scale=scale, rho=rho, size=float(np.linalg.norm(scaled_q)) or 1.0, relaxed=formulation == "relaxed",
    )  # fmt: skip
