"""Linear equations of Newton's method contact by contact, with blocks of 6 x 6 (`kernels.block_factor`).

As accurate as W allows: near the end of the central path those in the velocities of the bodies (`body_matrix`) are too stiff.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trundle.contact.scaled import ScaledProblem
from trundle.solve.base import Array
from trundle.solve.kernels import contact_matrix as kernels
from trundle.solve.kernels.block_factor import count_products
from trundle.solve.preparation import graph_of_contacts

PER_PRODUCT, PER_BLOCK = 0.5, 4  # time of a product of two blocks and of a block of W, that of a sparse entry being 1


class ContactMatrix:
    """A + B (W + D) for changing A, B, D."""

    def __init__(self, problem: ScaledProblem, local: NDArray[np.int64]) -> None:
        self.problem, self.local = problem, local
        self.graph = graph_of_contacts(problem)
        self.entries = int(PER_PRODUCT * count_products(self.graph[1])) + PER_BLOCK * len(problem.blocks.col)
        count, edges = len(problem.rho), len(self.graph[2])
        self.factors = tuple(np.zeros((n, 6, 8)) for n in (count, edges, edges))

    def factorise(self, A: Array, B: Array, shift: Array) -> ContactFactor | None:
        """Solver of (A + B (W + D)) x = b until the next factorisation, or None if it is singular; shift (m,): D."""
        contact = self.problem.table.contact
        found = kernels.factorise_contacts(
            contact, *self.problem.blocks, self.local, A, B, shift, *self.graph, *self.factors
        )
        return ContactFactor(self) if found else None


class ContactFactor:
    """Calling it solves (A + B (W + D)) x = b.  entries: see `factor.SparseFactor`, as many as take as long."""

    def __init__(self, matrix: ContactMatrix) -> None:
        self.matrix, self.entries = matrix, matrix.entries

    def __call__(self, b: Array) -> Array:
        x, matrix = np.empty_like(b), self.matrix
        kernels.solve_contacts(matrix.problem.table.contact, *matrix.graph, *matrix.factors, b, x)
        return x
