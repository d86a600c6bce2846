"""Which form the linear equations (A + B (W + D)) x = b of Newton's method take."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trundle.contact.scaled import ScaledProblem
from trundle.solve.base import Array
from trundle.solve.body_matrix import BodyFactor, BodyMatrix
from trundle.solve.contact_matrix import ContactFactor, ContactMatrix
from trundle.solve.factor import DenseFactor, SparseFactor
from trundle.solve.kernels import linearise
from trundle.solve.preparation import pattern, prepare

Factor = BodyFactor | ContactFactor | DenseFactor | SparseFactor


class EntryMatrix:
    """A + B (W + D) entry by entry, with pivots: for W that are given, of whatever rank and symmetry."""

    def __init__(self, problem: ScaledProblem, local: NDArray[np.int64]) -> None:
        self.problem, self.local = problem, local
        self._diagonal, self._pattern = prepare(problem).diagonal, pattern(problem)
        self._values = np.zeros_like(problem.blocks.data)

    def factorise(self, A: Array, B: Array, shift: Array) -> DenseFactor | SparseFactor | None:
        """As `ContactMatrix.factorise`."""
        contact, blocks = self.problem.table.contact, self.problem.blocks
        linearise.assemble(contact, *blocks, self._diagonal, self.local, A, B, shift, self._values)
        return self._pattern.factorise(self._values)


def matrix_of(
    problem: ScaledProblem, local: NDArray[np.int64], accurate: bool
) -> BodyMatrix | ContactMatrix | EntryMatrix:
    """In blocks where the bodies are known; that of the bodies is the smallest, but not accurate where S is stiff."""
    if problem.bodies is None:
        return EntryMatrix(problem, local)
    return ContactMatrix(problem, local) if accurate else BodyMatrix(problem, local)
