"""Watches a solver: asks the problem for the residual, keeps the best iterate, decides when to stop."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from trundle.contact.scaled import ScaledProblem

Array = NDArray[np.float64]
WORK_PER_BATCH = 2_000_000  # multiplications between two looks at the residual: some milliseconds
# Measured work in multiplications of a sweep: of what each contact needs besides its blocks of W, of a factorisation whatever its
# size, and of one per entry of the factors, with some solutions; a sweep over a few contacts takes longer than it should
SWEEP_PER_CONTACT, FACTORISATION, FACTORISATION_PER_ENTRY, SMALLEST_SWEEP = 40, 80_000, 25, 4_000


class Monitor:
    """Progress of one solve, in scaled units.

    A solver calls `report` after every batch of iterations and leaves its loop when `done`.

    goal : change of a sweep in units of velocity at which a look at the residual pays: the two are never far apart.
    in_sweeps : iterations are sweeps, and a factorisation counts for as many of them as take as long: a fixed number for a
    given matrix, so that a limit of iterations bounds all work, and always at the same place.
    sweep_work : of one sweep, about a nanosecond each, where sweeps are not those over a matrix; iterations are then sweeps.
    """

    def __init__(
        self,
        problem: ScaledProblem,
        tolerance: float,
        max_iterations: int,
        keep_history: bool = False,
        callback: Callable[[int, float], None] | None = None,
        sweep_work: int | None = None,
    ) -> None:
        self.problem = problem
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.iterations = self.entries = 0
        self.best = np.zeros_like(problem.q)
        self.best_residual = np.inf
        self.residual = np.inf
        self.note = ""
        self.goal = 0.9 * problem.allowed(tolerance)
        self.history: list[tuple[int, float]] | None = [] if keep_history else None
        self.in_sweeps = sweep_work is not None
        self._sweep_work = sweep_work
        self._turn = max_iterations  # iterations left to the present solver
        self._asked = 0
        self._callback = callback

    @property
    def converged(self) -> bool:
        """Whether the best iterate meets the tolerance."""
        return self.best_residual <= self.tolerance

    @property
    def done(self) -> bool:
        """Whether the solver must stop now."""
        return self.converged or self.remaining == 0 or not math.isfinite(self.residual)

    @property
    def spent(self) -> bool:
        """Whether all iterations are used up."""
        return self.iterations >= self.max_iterations

    @property
    def remaining(self) -> int:
        """Iterations that are left to the present solver."""
        return max(0, min(self._turn, (self.max_iterations - self.iterations) // self._price(self.entries)))

    def apart(self, problem: ScaledProblem, tolerance: float, share: float) -> Monitor:
        """Another one, of a problem like this, for a share of the iterations that are left, which knows of no iterate yet."""
        left = int(share * (self.max_iterations - self.iterations))
        return Monitor(problem, tolerance, left, sweep_work=self._sweep_work)

    def allow(self, iterations: int) -> None:
        """Let the next solver run this many iterations at most."""
        self._turn, self.entries = iterations, 0

    def _price(self, entries: int) -> int:
        """Iterations that one with a factor of this many entries counts for: sweeps that take as long, if these are counted."""
        if not self.in_sweeps or not entries:
            return 1
        sweep = self._sweep_work
        if sweep is None:
            sweep = max(SWEEP_PER_CONTACT * len(self.problem.rho) + len(self.problem.blocks.data), SMALLEST_SWEEP)
        return 1 + int(FACTORISATION + FACTORISATION_PER_ENTRY * entries) // sweep

    def batch(self, wanted: int = 50) -> int:
        """Iterations to do before the next report: fewer for large problems, always the same for the same problem.

        One for a history, which has all of them.
        """
        work = max(len(self.problem.blocks.data), 1)
        left = min(self._turn, self.max_iterations - self.iterations)
        wanted = 1 if self.history is not None else wanted
        self._asked = int(max(1, min(wanted, WORK_PER_BATCH // work + 1, left)))
        return self._asked

    def spend(self, iterations: int, entries: int = 0) -> None:
        """Count iterations.  entries: of the factor, where they are factorisations."""
        self.entries = entries or self.entries
        self._turn -= iterations
        self.iterations += iterations * self._price(entries)

    def report(self, p: Array, iterations: int, entries: int = 0) -> float:
        """Take note of an iterate; returns its residual.  iterations, entries: see `spend`."""
        self.spend(iterations, entries)
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
