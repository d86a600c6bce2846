"""Semi-smooth Newton with a proximal term."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from trundle.contact.scaled import ScaledProblem
from trundle.errors import SolverError
from trundle.solve.base import Array, Solver, norm
from trundle.solve.gauss_seidel import sweep_arguments
from trundle.solve.kernels import linearise
from trundle.solve.kernels import sweeps as kernels
from trundle.solve.matrices import Factor, matrix_of
from trundle.solve.monitor import Monitor
from trundle.solve.preparation import steps_of

SHORTER = (1.0, 0.5, 0.25, 0.1)


class Linearisation:
    """Residual F and Jacobian J = A + B (W + delta) of a problem with a proximal term delta (p - centre).

    Where the bodies are known equations are solved in their velocities, and W is not made, unless they must be accurate.
    """

    def __init__(self, problem: ScaledProblem, accurate: bool = False) -> None:
        self.problem = problem
        contact = problem.table.contact
        size = np.diff(contact[:, 0])
        self.local = np.concatenate([[0], np.cumsum(size**2)])[:-1].astype(np.int64)
        m, entries = len(problem.q), int(np.sum(size**2))
        widest = int(np.max(problem.table.block[:, 2], initial=1))
        self.A, self.B, self.F = np.zeros(entries), np.zeros(entries), np.zeros(m)
        self.scratch = (np.zeros(m), np.zeros((3, m)), np.zeros((widest, widest)), np.zeros(widest))
        self.linearise = linearise.linearise_relaxed if problem.relaxed else linearise.linearise_exact
        self.entries = 0  # of the last factor
        self.rho, self.step, diagonal = steps_of(problem)
        self.unit = np.full(m, diagonal)  # of delta
        self.matrix = matrix_of(problem, self.local, accurate)

    def evaluate(self, p: Array, delta: float, centre: Array) -> float:
        """Fill F, A, B at p; returns |F| relative to |q|.  delta: in units of W."""
        y = self.problem.velocity(p) + delta * self.unit * (p - centre)
        table = self.problem.table
        self.linearise(
            *self.problem.laws,
            table.weight,
            self.rho,
            self.step,
            self.local,
            p,
            y,
            self.A,
            self.B,
            self.F,
            *self.scratch,
        )
        return norm(self.F) / self.problem.size

    def factor(self, delta: float) -> Factor | None:
        """Solver of J x = b for the present A and B, or None if J is singular."""
        solve = self.matrix.factorise(self.A, self.B, delta * self.unit)
        if solve is not None:
            self.entries = solve.entries
        return solve

    def direction(self, delta: float) -> Array | None:
        """Newton step -J^-1 F, or None if J is singular."""
        solve = self.factor(delta)
        if solve is None:
            return None
        step = solve(-self.F)
        return step if np.all(np.isfinite(step)) else None


@dataclass(frozen=True)
class Newton(Solver):
    """Semi-smooth Newton on the natural map, as a proximal point method, with Gauss-Seidel sweeps where it stalls.

    Each outer step solves the problem with W + delta and q - delta p_k by a few Newton steps with line search; delta
    falls while that is easy and rises where it is not.  Redundant contacts, for which W is singular, need nothing
    special.  An iteration is one factorisation.

    proximal : first delta in units of the mean diagonal of W ; sweeps : Gauss-Seidel sweeps after a failed step.
    """

    name: ClassVar[str] = "newton"
    default_iterations: ClassVar[int] = 2000
    proximal: float = 1e-3
    sweeps: int = 100

    def __post_init__(self) -> None:
        if not self.proximal > 0.0 or self.sweeps < 0:
            raise SolverError("newton: proximal must be positive and sweeps at least 0.")

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        model = Linearisation(problem)
        sweeper = Sweeper(problem) if self.sweeps else None
        relative = self.proximal
        if sweeper is not None and not np.any(p):  # nothing known: a few sweeps find out which contacts press
            sweeper.sweep(p, 20)
            monitor.report(p, 0)
        while not monitor.done:
            easy, solved, used = self._outer_step(model, p, relative, min(8, monitor.remaining))
            monitor.report(p, used, model.entries)
            if solved:
                relative = max(relative / 10.0, 1e-13) if easy else relative
            elif not monitor.done:
                relative = min(relative * 10.0, 10.0)
                if sweeper is not None:
                    sweeper.sweep(p, self.sweeps)
                    monitor.report(p, 0)

    @staticmethod
    def _outer_step(model: Linearisation, p: Array, delta: float, most: int) -> tuple[bool, bool, int]:
        """Solve the proximal problem around p; returns whether it was easy, whether it was solved, and the cost."""
        x = p.copy()
        first = size = model.evaluate(x, delta, p)
        goal = 1e-3 * first
        for used in range(1, most + 1):
            step = model.direction(delta)
            if step is None:
                return False, False, used
            for share in SHORTER:
                trial = x + share * step
                trial_size = model.evaluate(trial, delta, p)
                if trial_size < size * (1.0 - 0.1 * share):
                    break
            else:
                break
            x, size = trial, trial_size
            if size <= goal:
                p[:] = x
                return used <= 3, True, used
        if size < 0.5 * first:
            p[:] = x
        return False, False, used


class Sweeper:
    """Accelerated Gauss-Seidel sweeps on demand."""

    def __init__(self, problem: ScaledProblem) -> None:
        self.arguments = sweep_arguments(problem, 1.0, False)
        self.y, self.work = np.zeros_like(problem.q), np.zeros(2 * len(problem.q))

    def sweep(self, p: Array, count: int) -> None:
        """Improve p in place by `count` sweeps from rest."""
        kernels.nesterov(*self.arguments, p, self.y, self.work, count, 0.0, p.copy(), np.array([1.0, np.inf, 1.3]))
