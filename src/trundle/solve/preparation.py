"""What the solvers compute once per problem: steps and inverses of the diagonal blocks."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from trundle.contact.blocks import diagonal_blocks
from trundle.contact.scaled import ScaledProblem

Steps = namedtuple("Steps", "diagonal rho step inverse inverse_at")
Steps.__doc__ = """Local metric: diagonal (C,) number of the diagonal block; rho (C,) 1 / largest eigenvalue of W_cc;
step (B,) 1 / largest eigenvalue of each friction block; inverse, inverse_at: inverses of the friction blocks, flat."""


def prepare(problem: ScaledProblem) -> Steps:
    """Steps of every contact and friction block."""
    contact, block, weight = problem.table.contact, problem.table.block, problem.table.weight
    row = contact[:, 0]
    contacts = len(row) - 1
    matrix = problem.blocks
    diagonal = np.array(
        [matrix.ptr[c] + np.searchsorted(matrix.col[matrix.ptr[c] : matrix.ptr[c + 1]], c) for c in range(contacts)],
        dtype=np.int64,
    )
    rho = problem.rho.copy()
    step = np.ones(len(block))
    sizes = block[:, 2] ** 2
    inverse_at = np.concatenate([[0], np.cumsum(sizes)])[:-1].astype(np.int64)
    inverse = np.zeros(int(sizes.sum()))
    for c, W_cc in enumerate(diagonal_blocks(matrix, row)):
        largest = _largest(W_cc, weight[row[c] : row[c + 1]])
        if largest > 0.0:
            rho[c] = 1.0 / largest
        for b in range(contact[c, 1], contact[c + 1, 1]):
            first, size = block[b, 1] - row[c], block[b, 2]
            part = W_cc[first : first + size, first : first + size]
            largest = _largest(part, weight[block[b, 1] : block[b, 1] + size])
            step[b] = 1.0 / largest if largest > 0.0 else rho[c]
            inverse[inverse_at[b] : inverse_at[b] + size * size] = np.linalg.pinv(part, rcond=1e-13).ravel()
    return Steps(diagonal, rho, step, inverse, inverse_at)


def _largest(part: np.ndarray, weight: np.ndarray) -> float:
    """Largest eigenvalue of the symmetric part, with the velocity weights of a non-associated law."""
    root = np.sqrt(weight)
    return float(np.linalg.eigvalsh(0.5 * (part + part.T) * root[:, None] * root)[-1])
