"""Watches a solver: asks the problem for the residual, keeps the best iterate, decides when to stop."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from trundle.contact.scaled import ScaledProblem

Array = NDArray[np.float64]
WORK_PER_BATCH = 2_000_000  # multiplications between two looks at the residual: some milliseconds


class Monitor:
    """Progress of one solve, in scaled units.

    A solver calls `report` after every batch of iterations and leaves its loop when `done`.

    goal : change of a sweep in units of velocity at which a look at the residual pays: the two are never far apart.
    """

    def __init__(
        self,
        problem: ScaledProblem,
        tolerance: float,
        max_iterations: int,
        keep_history: bool = False,
        callback: Callable[[int, float], None] | None = None,
    ) -> None:
        self.problem = problem
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.iterations = 0
        self.best = np.zeros_like(problem.q)
        self.best_residual = np.inf
        self.residual = np.inf
        self.note = ""
        self.goal = 0.9 * tolerance * problem.size
        self.history: list[tuple[int, float]] | None = [] if keep_history else None
        self._limit = max_iterations
        self._asked = 0
        self._callback = callback

    @property
    def converged(self) -> bool:
        """Whether the best iterate meets the tolerance."""
        return self.best_residual <= self.tolerance

    @property
    def done(self) -> bool:
        """Whether the solver must stop now."""
        return self.converged or self.iterations >= self._limit or not math.isfinite(self.residual)

    @property
    def spent(self) -> bool:
        """Whether all iterations are used up."""
        return self.iterations >= self.max_iterations

    @property
    def remaining(self) -> int:
        """Iterations that are left to the present solver."""
        return max(0, self._limit - self.iterations)

    def allow(self, iterations: int) -> None:
        """Let the next solver run this many iterations at most."""
        self._limit = min(self.iterations + iterations, self.max_iterations)

    def batch(self, wanted: int = 50) -> int:
        """Iterations to do before the next report: fewer for large problems, always the same for the same problem."""
        work = max(len(self.problem.blocks.data), 1)
        self._asked = int(max(1, min(wanted, WORK_PER_BATCH // work + 1, self._limit - self.iterations)))
        return self._asked

    def report(self, p: Array, iterations: int) -> float:
        """Take note of an iterate; returns its residual."""
        self.iterations += iterations
        residual = self.problem.residual(p)
        self.residual = residual if math.isfinite(residual) else math.inf
        if iterations < self._asked and residual > self.tolerance:  # the look came too early
            self.goal *= 0.5
        self._asked = 0
        if residual < self.best_residual:
            self.best_residual = residual
            self.best[:] = p
        if self.history is not None:
            self.history.append((self.iterations, residual))
        if self._callback is not None:
            self._callback(self.iterations, residual)
        return residual
