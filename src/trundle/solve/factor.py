"""Linear solves for the methods that factorise: dense for small systems, sparse for large ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sp
import scipy.sparse.linalg as spla
from numpy.typing import NDArray

Array = NDArray[np.float64]
DENSE_ROWS = 160  # below this a dense factorisation is faster than a sparse one


def factorise(matrix: Any) -> Callable[[Array], Array] | None:
    """Solver of matrix x = b, or None if the matrix is singular to working precision."""
    if matrix.shape[0] <= DENSE_ROWS:
        dense = matrix.toarray() if sp.issparse(matrix) else np.asarray(matrix)
        lu, pivots, info = scipy.linalg.lapack.dgetrf(dense)
        if info != 0 or not np.all(np.isfinite(lu)):
            return None
        return lambda b: scipy.linalg.lapack.dgetrs(lu, pivots, b)[0]
    try:
        factor = spla.splu(sp.csc_array(matrix))
    except RuntimeError:  # exactly singular
        return None
    return lambda b: np.asarray(factor.solve(b))
