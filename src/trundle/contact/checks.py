"""What a matrix or vector must be before a contact problem accepts it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy  # its submodules load at their first use: a third of a second that `import trundle` need not take

from trundle.errors import ProblemError, TrundleWarning

SYMMETRIC = 1e-12  # relative asymmetry that is round-off
TOLERATED = 1e-2  # relative asymmetry of real files that is accepted with a warning
ROUNDING = 1e-10  # negative eigenvalue, relative to the largest diagonal entry, that is round-off
SLIGHTLY_NEGATIVE = 1e-5  # of real files in single precision, accepted with a warning
DENSE_ROWS = 1500  # above this, definiteness is judged by a sparse factorisation


def check_vector(place: str, name: str, values: Any) -> np.ndarray:
    """A finite vector of floats, shape (n,)."""
    try:
        vector = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ProblemError(f"{place}{name} is not a vector of numbers: {error}.") from error
    if vector.ndim != 1:
        raise ProblemError(f"{place}{name} has shape {vector.shape}; it is a vector (n,).")
    bad = ~np.isfinite(vector)
    if bad.any():
        at = int(np.argmax(bad))
        raise ProblemError(f"{place}{name}[{at}] = {vector[at]}; all entries must be finite.")
    return vector


def check_matrix(place: str, name: str, values: Any, shape: tuple[int, int], definite: bool) -> Any:
    """A finite matrix of the right shape; `definite`: also symmetric and positive semi-definite."""
    if scipy.sparse.issparse(values):
        matrix: Any = scipy.sparse.csr_array(values, dtype=np.float64)
        matrix.sum_duplicates()
        data = matrix.data
    else:
        try:
            matrix = np.ascontiguousarray(values, dtype=np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise ProblemError(f"{place}{name} is not a matrix of numbers: {error}.") from error
        data = matrix
    if matrix.shape != shape:
        raise ProblemError(f"{place}{name} has shape {matrix.shape}; the vectors say {shape}.")
    if not np.all(np.isfinite(data)):
        count = int(np.sum(~np.isfinite(data)))
        raise ProblemError(f"{place}{name} has {count} entries that are not finite; look for NaN or inf in its source.")
    if definite:
        _check_symmetric(place, name, matrix)
        _check_definite(place, name, matrix)
    return matrix


def _norm(matrix: Any) -> float:
    return float(np.linalg.norm(matrix.data if scipy.sparse.issparse(matrix) else matrix))


def _check_symmetric(place: str, name: str, matrix: Any) -> None:
    size = _norm(matrix)
    asymmetry = _norm(matrix - matrix.T) / size if size else 0.0
    if asymmetry > TOLERATED:
        raise ProblemError(
            f"{place}{name} is not symmetric: |{name} - {name}^T| / |{name}| = {asymmetry:.1e} > {TOLERATED:g}. "
            "Rows and columns may be in different orders, or tangents of different contact frames mixed."
        )
    if asymmetry > SYMMETRIC:
        warnings.warn(
            f"{place}{name} is not symmetric: |{name} - {name}^T| / |{name}| = {asymmetry:.1e}. "
            "It is used as it is, and the residual is that of the given matrix.",
            TrundleWarning,
            stacklevel=6,
        )


def _check_definite(place: str, name: str, matrix: Any) -> None:
    """Raise if the symmetric part has an eigenvalue below round-off of the largest."""
    n = matrix.shape[0]
    if n == 0:
        return
    symmetric = 0.5 * (matrix + matrix.T)
    largest = float(np.max(np.abs(symmetric.diagonal()), initial=0.0))
    asymmetry = _norm(matrix - matrix.T) / (_norm(matrix) or 1.0)
    if _is_positive(symmetric, largest * ROUNDING):
        return
    shift = largest * max(SLIGHTLY_NEGATIVE, asymmetry)
    if _is_positive(symmetric, shift):
        warnings.warn(
            f"{place}{name} has a negative eigenvalue, above {-shift / largest:.0e} of its largest diagonal entry "
            f"{largest:.3e}: rounded data. It is used as it is.",
            TrundleWarning,
            stacklevel=6,
        )
        return
    if n <= DENSE_ROWS:
        smallest = float(np.linalg.eigvalsh(symmetric.toarray() if scipy.sparse.issparse(symmetric) else symmetric)[0])
        shown = f"its smallest eigenvalue is {smallest:.3e}"
    else:
        shown = f"it has an eigenvalue below {-shift:.3e}"
    raise ProblemError(
        f"{place}{name} is not positive semi-definite: {shown}, its largest diagonal entry {largest:.3e}. "
        f"A {'mass' if name == 'M' else 'Delassus'} matrix has no negative eigenvalue: check signs and contact frames."
    )


def _is_positive(symmetric: Any, shift: float) -> bool:
    """Whether symmetric + shift * 1 is positive definite."""
    n = symmetric.shape[0]
    if n <= DENSE_ROWS:
        dense = symmetric.toarray() if scipy.sparse.issparse(symmetric) else symmetric
        try:
            scipy.linalg.cholesky(dense + max(shift, 1e-300) * np.eye(n), check_finite=False)
        except np.linalg.LinAlgError:
            return False
        return True
    from scipy.sparse.linalg import splu

    diagonal = scipy.sparse.diags_array(np.full(n, max(shift, 1e-300)))
    shifted = scipy.sparse.csc_array(symmetric) + scipy.sparse.csc_array(diagonal)
    try:
        factor = splu(shifted, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    except RuntimeError:  # exactly singular
        return False
    # without pivoting the factorisation is a congruence: its diagonal has the signs of the eigenvalues
    return bool(np.all(factor.U.diagonal() > 0.0))
