"""Linear solves for the methods that factorise: dense for small systems, sparse for large ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from trundle.solve.interior_kernels import parity

Array = NDArray[np.float64]
DENSE_ROWS = 160  # below this a dense factorisation is faster than a sparse one


class DenseFactor:
    """P A = L U of a dense matrix; calling it solves A x = b."""

    def __init__(self, lu: Array, pivots: NDArray[np.int32]) -> None:
        self.lu, self.pivots = lu, pivots

    def __call__(self, b: Array) -> Array:
        return np.asarray(scipy.linalg.lapack.dgetrs(self.lu, self.pivots, b)[0])

    @property
    def sign(self) -> float:
        """Sign of the determinant."""
        swaps = int(np.count_nonzero(self.pivots != np.arange(len(self.pivots))))
        return _sign(np.diagonal(self.lu)) * (-1.0) ** swaps


class SparseFactor:
    """P_r A P_c = L U of a sparse matrix; calling it solves A x = b."""

    def __init__(self, factor: Any) -> None:
        self.factor = factor

    def __call__(self, b: Array) -> Array:
        return np.asarray(self.factor.solve(b))

    @property
    def sign(self) -> float:
        """Sign of the determinant; L has ones on its diagonal."""
        swaps = parity(self.factor.perm_r.astype(np.int64)) + parity(self.factor.perm_c.astype(np.int64))
        return _sign(self.factor.U.diagonal()) * (-1.0) ** swaps


def _sign(diagonal: Array) -> float:
    return (-1.0) ** int(np.count_nonzero(diagonal < 0.0))


def factorise(matrix: Any) -> DenseFactor | SparseFactor | None:
    """Solver of matrix x = b, or None if the matrix is singular to working precision."""
    if matrix.shape[0] <= DENSE_ROWS:
        dense = matrix.toarray(order="F") if scipy.sparse.issparse(matrix) else np.array(matrix, order="F")
        lu, pivots, info = scipy.linalg.lapack.dgetrf(dense, overwrite_a=True)
        if info != 0 or not np.all(np.isfinite(lu)):
            return None
        return DenseFactor(lu, pivots)
    from scipy.sparse.linalg import splu

    try:
        return SparseFactor(splu(scipy.sparse.csc_array(matrix)))
    except RuntimeError:  # exactly singular
        return None
