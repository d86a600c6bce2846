"""Linear equations of the interior point method in the velocities of the bodies instead of the impulses of the contacts.

A pile has two to three times as many contacts as bodies, and a body couples all of its contacts: in velocities the matrix is
smaller and much sparser.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trundle.contact.scaled import ScaledProblem
from trundle.laws.kernels.sections import DISK
from trundle.solve.base import Array
from trundle.solve.factor import Pattern, SparseFactor
from trundle.solve.kernels import body_matrix as kernels
from trundle.solve.kernels.interior import TINY
from trundle.solve.kernels.linearise import multiply_local

ROWS = 1000  # of W from which on it pays
REFINEMENTS = 1  # of a solution: near the end of the path the matrix is stiff


def has_body_matrix(problem: ScaledProblem) -> bool:
    """Whether it is possible and pays: bodies are known, and all rows have complementarity."""
    block, coef = problem.table.block, problem.table.coef
    disks = bool(np.all(block[:, 0] == DISK)) and bool(np.all(coef[:, 0] > TINY))
    return problem.bodies is not None and len(problem.q) >= ROWS and disks


class BodyMatrix:
    """M + H^T A^-1 B H for changing A and B."""

    def __init__(self, problem: ScaledProblem, local: NDArray[np.int64]) -> None:
        assert problem.bodies is not None
        self.problem, self.local = problem, local
        body, _, M = self.bodies = problem.bodies
        count = len(M)
        pairs = np.stack([np.repeat(body, 2, axis=1), np.tile(body, 2)], axis=2)  # (C, 4, 2): rows, columns
        known = np.all(pairs >= 0, axis=2)
        code = np.where(known, pairs[..., 0] * count + pairs[..., 1], -1)
        unique = np.unique(np.concatenate([code[known], np.arange(count) * (count + 1)]))
        self.slot = np.searchsorted(unique, code).reshape(-1, 2, 2)
        row, column = np.divmod(unique, count)
        rows = np.broadcast_to(6 * row[:, None, None] + np.arange(6)[:, None], (len(unique), 6, 6))
        columns = np.broadcast_to(6 * column[:, None, None] + np.arange(6), (len(unique), 6, 6))
        self.pattern = Pattern(rows.ravel(), columns.ravel(), 6 * count, pivots=0.0)  # as good as positive definite
        self.masses = np.zeros((len(unique), 6, 6))
        self.masses[row == column] = M

    def factorise(self, A: Array, B: Array) -> BodyFactor | None:
        """Solver of (A + B W) x = b, or None if it is singular."""
        contact = self.problem.table.contact
        inverse, work, S = np.empty_like(A), np.empty_like(A), np.empty_like(A)
        if not kernels.invert_blocks(contact, self.local, A, work, inverse):
            return None
        kernels.multiply_blocks(contact, self.local, inverse, B, S)
        values = self.masses.copy()
        kernels.assemble_bodies(contact, self.local, S, *self.bodies[:2], self.slot, np.empty((6, 6)), values)
        factor = self.pattern.factorise(values.ravel())
        return BodyFactor(self, factor, A.copy(), B.copy(), inverse, S) if isinstance(factor, SparseFactor) else None


class BodyFactor:
    """Calling it solves (A + B W) x = b.  entries: of L and U."""

    def __init__(self, matrix: BodyMatrix, factor: SparseFactor, A: Array, B: Array, inverse: Array, S: Array) -> None:
        self.matrix, self.factor, self.A, self.B, self.inverse, self.S = matrix, factor, A, B, inverse, S
        self.entries = factor.entries

    def __call__(self, b: Array) -> Array:
        x = self._solve(b)
        for _ in range(REFINEMENTS):
            x += self._solve(b - self._multiply(x))
        return x

    def _solve(self, b: Array) -> Array:
        contact, (body, H, M) = self.matrix.problem.table.contact, self.matrix.bodies
        free, carried, v = np.empty_like(b), np.empty_like(b), np.empty((len(M), 6))
        multiply_local(contact, self.matrix.local, self.inverse, b, free)
        kernels.to_bodies(contact, body, H, free, v)
        v = self.factor(v.ravel()).reshape(-1, 6)
        kernels.to_contacts(contact, body, H, v, carried)
        out = np.empty_like(b)
        multiply_local(contact, self.matrix.local, self.S, carried, out)
        return free - out

    def _multiply(self, x: Array) -> Array:
        """A x + B W x."""
        problem, local = self.matrix.problem, self.matrix.local
        first, second = np.empty_like(x), np.empty_like(x)
        multiply_local(problem.table.contact, local, self.A, x, first)
        multiply_local(problem.table.contact, local, self.B, problem.velocity(x) - problem.q, second)
        return first + second
