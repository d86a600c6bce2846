"""Linear equations of Newton's method in the velocities of the bodies instead of the impulses of the contacts.

A pile has two to three times as many contacts as bodies, and a body couples all of its contacts: in velocities the matrix is
smaller and much sparser, and it is made of blocks of 6 x 6 (`kernels.block_factor`).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from trundle.contact.scaled import Bodies, ScaledProblem
from trundle.solve.base import Array, norm
from trundle.solve.kernels import body_matrix as kernels
from trundle.solve.kernels.block_factor import count_products
from trundle.solve.kernels.linearise import multiply_local
from trundle.solve.preparation import graph_of_bodies

ACCURATE = 1e-7  # relative error of a solution that needs no refinement
MOST_ROUNDS = 20  # of its refinement
PER_PRODUCT, PER_CONTACT = 0.5, 16  # time of a product of two blocks and of a contact, that of a sparse entry being 1


class BodyMatrix:
    """A + B (W + D) for changing A, B, as a matrix M + H^T S H."""

    def __init__(self, problem: ScaledProblem, local: NDArray[np.int64]) -> None:
        assert problem.bodies is not None
        self.problem, self.local = problem, local
        self.bodies: Bodies = problem.bodies
        self.graph = graph_of_bodies(problem)
        count, edges, contacts = len(self.bodies.M), len(self.graph[2]), len(self.bodies.body)
        self.entries = int(PER_PRODUCT * count_products(self.graph[1])) + PER_CONTACT * contacts
        self.factors = tuple(np.zeros((n, 6, 8)) for n in (count, edges, edges))
        self.inverse, self.S = np.zeros((2, contacts, 6, 8))

    def factorise(self, A: Array, B: Array, shift: Array) -> BodyFactor | None:
        """Solver of (A + B (W + D)) x = b until the next factorisation, or None if it is singular.

        shift (m,): the diagonal of D without the compliance that W has.
        """
        contact, (body, H, M, *_) = self.problem.table.contact, self.bodies
        diagonal = self.bodies.compliance + shift
        if not kernels.condense(contact, self.local, A, B, diagonal, self.inverse, self.S):
            return None
        if not kernels.factorise_bodies(*self.graph, body, self.S, H, M, *self.factors):
            return None
        return BodyFactor(self, A, B)


class BodyFactor:
    """Calling it solves (A + B (W + D)) x = b.  entries: see `factor.SparseFactor`, as many as take as long."""

    def __init__(self, matrix: BodyMatrix, A: Array, B: Array) -> None:
        self.matrix, self.A, self.B = matrix, A, B
        self.entries = matrix.entries
        self._accurate = False

    def __call__(self, b: Array) -> Array:
        x = np.empty_like(b)
        matrix = self.matrix
        kernels.solve_condensed(
            matrix.problem.table.contact, *matrix.bodies[:2], matrix.inverse, matrix.S, *matrix.graph, *matrix.factors,
            b, x,
        )  # fmt: skip
        return x

    def refined(self, b: Array) -> tuple[Array, float]:
        """x with A + B W instead, without the shift, and the error of A x + B W x relative to b.

        Near the end of the central path S is stiff, and the error large: along some directions so large that plain refinement
        diverges.  Generalised minimal residuals, with the factors as preconditioner, leave these to a few rounds.  Where the
        first solution with these factors is accurate as it is, so are those that follow.
        """
        x, size = self(b), norm(b)
        if self._accurate or not size > 0.0:
            return x, 0.0
        missing = b - self._multiply(x)
        first = norm(missing)
        self._accurate = first <= ACCURATE * size
        if self._accurate or not math.isfinite(first):
            return x, first / size
        basis, steps, H = [missing / first], [], np.zeros((MOST_ROUNDS + 1, MOST_ROUNDS))
        goal = np.zeros(MOST_ROUNDS + 1)
        goal[0] = first
        for k in range(MOST_ROUNDS):
            steps.append(self(basis[k]))
            w = self._multiply(steps[k])
            for i, v in enumerate(basis):
                H[i, k] = np.sum(v * w)
                w -= H[i, k] * v
            H[k + 1, k] = norm(w)
            parts = np.linalg.lstsq(H[: k + 2, : k + 1], goal[: k + 2])[0]
            left = norm(goal[: k + 2] - np.sum(H[: k + 2, : k + 1] * parts, axis=1))
            if not left > ACCURATE * size or not H[k + 1, k] > 0.0:
                break
            basis.append(w / H[k + 1, k])
        for part, step in zip(parts, steps, strict=True):
            x += part * step
        return x, norm(b - self._multiply(x)) / size

    def _multiply(self, x: Array) -> Array:
        """A x + B W x."""
        problem, local = self.matrix.problem, self.matrix.local
        first, second = np.empty_like(x), np.empty_like(x)
        multiply_local(problem.table.contact, local, self.A, x, first)
        multiply_local(problem.table.contact, local, self.B, problem.times(x), second)
        return first + second
