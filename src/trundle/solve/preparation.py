"""What the solvers compute once per problem: steps and inverses of the diagonal blocks."""

from __future__ import annotations

from collections import namedtuple
from weakref import WeakKeyDictionary

import numpy as np

from trundle.contact.scaled import ScaledProblem

Steps = namedtuple("Steps", "diagonal rho step inverse inverse_at")
Steps.__doc__ = """Local metric: diagonal (C,) number of the diagonal block; rho (C,) 1 / largest eigenvalue of W_cc;
step (B,) 1 / largest eigenvalue of each friction block; inverse, inverse_at: inverses of the friction blocks, flat."""

_known: WeakKeyDictionary[ScaledProblem, Steps] = WeakKeyDictionary()


def prepare(problem: ScaledProblem) -> Steps:
    """Steps of every contact and friction block, computed once per problem."""
    if problem not in _known:
        _known[problem] = _prepare(problem)
    return _known[problem]


def _prepare(problem: ScaledProblem) -> Steps:
    contact, block, matrix = problem.table.contact, problem.table.block, problem.blocks
    row, contacts = contact[:, 0], len(contact) - 1
    owner = np.repeat(np.arange(contacts), np.diff(matrix.ptr))
    diagonal = np.flatnonzero(owner == matrix.col).astype(np.int64)  # every contact has one, in order
    size = np.diff(row)
    of_contact = _Parts(problem, diagonal, np.arange(contacts), np.zeros(contacts, np.int64), size)
    rho = problem.rho.copy()
    largest = of_contact.largest()
    rho[largest > 0.0] = 1.0 / largest[largest > 0.0]
    of_block = np.repeat(np.arange(contacts), np.diff(contact[:, 1]))
    parts = _Parts(problem, diagonal, of_block, block[:, 1] - row[of_block], block[:, 2])
    largest = parts.largest()
    step = np.where(largest > 0.0, 1.0 / np.where(largest > 0.0, largest, 1.0), rho[of_block])
    areas = block[:, 2] ** 2
    inverse_at = np.concatenate([[0], np.cumsum(areas)])[:-1].astype(np.int64)
    return Steps(diagonal, rho, step, parts.inverses(inverse_at, int(areas.sum())), inverse_at)


class _Parts:
    """Square parts of the diagonal blocks W_cc, treated together where they have the same size."""

    def __init__(
        self, problem: ScaledProblem, diagonal: np.ndarray, owner: np.ndarray, first: np.ndarray, size: np.ndarray
    ) -> None:
        row, data = problem.table.contact[:, 0], problem.blocks.data
        width = np.diff(row)
        start = problem.blocks.start[diagonal]
        self.count = len(owner)
        self.groups = []
        for n in np.unique(size):
            chosen = np.flatnonzero(size == n)
            c, i = owner[chosen], np.arange(n)
            corner = start[c] + first[chosen] * (width[c] + 1)
            index = corner[:, None, None] + i[:, None] * width[c][:, None, None] + i
            root = np.sqrt(problem.table.weight[(row[c] + first[chosen])[:, None] + i])
            self.groups.append((chosen, data[index], root))

    def largest(self) -> np.ndarray:
        """Largest eigenvalues of the symmetric parts, with the velocity weights of a non-associated law."""
        out = np.zeros(self.count)
        for chosen, parts, root in self.groups:
            symmetric = 0.5 * (parts + parts.transpose(0, 2, 1)) * root[:, :, None] * root[:, None, :]
            out[chosen] = np.linalg.eigvalsh(symmetric)[:, -1]
        return out

    def inverses(self, at: np.ndarray, total: int) -> np.ndarray:
        """Pseudo-inverses, flat, those of part k from at[k]."""
        out = np.zeros(total)
        for chosen, parts, _ in self.groups:
            n = parts.shape[1]
            inverse = np.linalg.pinv(parts, rcond=1e-13)
            out[at[chosen][:, None] + np.arange(n * n)] = inverse.reshape(len(chosen), -1)
        return out
