"""Linear solves for the methods that factorise: dense for small systems, sparse for large ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

Array = NDArray[np.float64]
DENSE_ROWS = 160  # below this a dense factorisation is faster than a sparse one
DENSE_WORK = 0.4  # time per entry of a dense factor, that of a sparse one being 1
# Contacts couple both ways, so the pattern is symmetric: minimum degree on A + A^T and pivots near the diagonal have a fraction
# of the fill of the default, which takes minutes for 1,500 contacts of spheres instead of a tenth of a second.
ORDER, SYMMETRIC, PIVOTS = "MMD_AT_PLUS_A", {"SymmetricMode": True}, 0.1


class DenseFactor:
    """P A = L U of a dense matrix; calling it solves A x = b.  entries: of L and U, as many sparse ones as take as long."""

    def __init__(self, lu: Array, pivots: NDArray[np.int32]) -> None:
        self.lu, self.pivots = lu, pivots

        self.entries = int(DENSE_WORK * lu.size)

    def __call__(self, b: Array) -> Array:
        return np.asarray(scipy.linalg.lapack.dgetrs(self.lu, self.pivots, b)[0])


class SparseFactor:
    """L U of a sparse matrix with rows and columns in the same new order; calling it solves A x = b.  entries: of L and U."""

    def __init__(self, factor: Any, order: NDArray[np.int32] | None = None) -> None:
        self.factor, self.order = factor, order
        self.entries = int(factor.nnz)

    def __call__(self, b: Array) -> Array:
        if self.order is None:
            return np.asarray(self.factor.solve(b))
        moved = np.empty_like(b)
        moved[self.order] = b
        return np.asarray(self.factor.solve(moved))[self.order]


class Pattern:
    """Where the entries of a matrix of given rows and columns are, to factorise it again and again with other values.

    The order that keeps the fill small is found once.  pivots: see `factorise`.
    """

    def __init__(self, rows: NDArray[np.int64], columns: NDArray[np.int64], m: int, pivots: float = PIVOTS) -> None:
        self.rows, self.columns, self.m, self.pivots = rows, columns, m, pivots
        self.order: NDArray[np.int32] | None = None
        self._place()

    def _place(self) -> None:
        order = self.order
        rows, columns = (self.rows, self.columns) if order is None else (order[self.rows], order[self.columns])
        self._sorted = np.lexsort((rows, columns))
        self._indices = rows[self._sorted].astype(np.int32)
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=self.m))]).astype(np.int32)

    def factorise(self, values: Array) -> DenseFactor | SparseFactor | None:
        """Solver of A x = b, or None if A is singular to working precision; values in the order of rows and columns."""
        if self.m <= DENSE_ROWS:
            return factorise(self._matrix(values))
        if self.order is None:  # of the pattern alone: the same whatever the values, and whoever comes first
            found = factorise(self._matrix(values), self.pivots)
            if not isinstance(found, SparseFactor):
                return None
            self.order = found.factor.perm_c.copy()
            self._place()
        solve = factorise(self._matrix(values), self.pivots, known_order=True)
        if isinstance(solve, SparseFactor):
            solve.order = self.order
        return solve

    def _matrix(self, values: Array) -> Any:
        return scipy.sparse.csc_array((values[self._sorted], self._indices, self._starts), shape=(self.m, self.m))


def factorise(matrix: Any, pivots: float = PIVOTS, known_order: bool = False) -> DenseFactor | SparseFactor | None:
    """Solver of matrix x = b, or None if the matrix is singular to working precision.

    pivots: those of a sparse matrix are on the diagonal where it is at least this share of the largest entry;
    known_order: rows and columns of a sparse matrix are in a good order already.
    """
    if matrix.shape[0] <= DENSE_ROWS:
        dense = matrix.toarray(order="F") if scipy.sparse.issparse(matrix) else np.array(matrix, order="F")
        lu, swaps, info = scipy.linalg.lapack.dgetrf(dense, overwrite_a=True)
        if info != 0 or not np.all(np.isfinite(lu)):
            return None
        return DenseFactor(lu, swaps)
    from scipy.sparse.linalg import splu

    try:
        order = "NATURAL" if known_order else ORDER
        matrix = scipy.sparse.csc_array(matrix)
        return SparseFactor(splu(matrix, permc_spec=order, diag_pivot_thresh=pivots, options=SYMMETRIC))
    except RuntimeError:  # exactly singular
        return None
