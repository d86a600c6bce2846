"""Proximal point method, each step solved by Newton's method in the velocities of the contacts."""

from __future__ import annotations

import numpy as np

from trundle.contact.scaled import ScaledProblem
from trundle.solve.base import Array, norm
from trundle.solve.kernels import linearise
from trundle.solve.kernels import proximal as kernels
from trundle.solve.matrices import matrix_of
from trundle.solve.monitor import Monitor
from trundle.solve.preparation import steps_of

MOST_NEWTON, EASY = 8, 4  # steps of Newton's method; up to here delta falls
PRECISION = 0.1  # of the solution of a proximal step, as a share of the residual before it
SHORTENINGS, SHORTER, ENOUGH = 8, 0.5, 0.2  # of a Newton step; share of the fall that it promises
SMALLEST, LARGEST, FACTOR, SMALL_FACTOR = 1e-13, 1.0, 10.0, 3.0  # delta in units of 1 / rho
WORSE = 2.0  # largest residual after a step, as a multiple of the best
PATIENCE, PROGRESS = 4, 0.5  # steps within which the residual must fall by a factor


class ProximalPoint:
    """Steps p -> solution of the problem with y + delta (p' - p) for y, which has one solution near p, redundant contacts or not.

    In it impulses are explicit functions of the velocities (`kernels.proximal`), so that Newton's method looks as far as
    y / delta ahead to see which contacts open, stick or slip: many modes change in one step.
    """

    def __init__(self, problem: ScaledProblem, delta: float) -> None:
        self.problem, self.delta = problem, delta
        contact = problem.table.contact
        size = np.diff(contact[:, 0])
        self.local = np.concatenate([[0], np.cumsum(size**2)])[:-1].astype(np.int64)
        m, widest = len(problem.q), int(np.max(problem.table.block[:, 2], initial=1))
        self._per_rho = np.repeat(problem.rho, size)
        self.A, self.B = np.zeros(int(np.sum(size**2))), np.zeros(int(np.sum(size**2)))
        row = np.arange(m) - np.repeat(contact[:-1, 0], size)
        self.A[np.repeat(self.local, size) + row * (np.repeat(size, size) + 1)] = 1.0
        self._x = np.zeros(m)
        self._scratch = np.zeros((3, m)), np.zeros((widest, widest)), np.zeros(widest)
        self._unused, self._F, self._step = np.zeros_like(self.A), np.zeros(m), steps_of(problem)[1]
        self.matrix = matrix_of(problem, self.local, accurate=False)
        self.entries = 0  # of the last factor

    def _impulses(self, stiffness: Array, centre: Array, y: Array) -> Array:
        problem, p = self.problem, np.empty_like(y)
        if problem.relaxed:
            return problem.project(centre - stiffness * problem.table.weight * y)
        kernels.impulses(*problem.laws, problem.table.weight, stiffness, centre, y, self._x, p)
        return p

    def _slopes(self, stiffness: Array, centre: Array, y: Array) -> None:
        problem, weight = self.problem, self.problem.table.weight
        if not problem.relaxed:
            kernels.slopes(*problem.laws, weight, stiffness, self.local, centre, y, self._x, self.B, *self._scratch)
            return
        linearise.linearise_relaxed(
            *problem.laws, weight, problem.rho / self.delta, self._step, self.local, centre, y, self._unused, self.B, self._F,
            self._x, *self._scratch,
        )  # fmt: skip
        linearise.scale_local(problem.table.contact, self.local, problem.rho / self.delta, self.B)

    def step(self, centre: Array, goal: float, most: int) -> tuple[Array | None, int]:
        """Impulses of the proximal problem around `centre`, None if Newton fails, and the number of factorisations.

        goal: largest difference of the velocities that belong to the impulses from those that caused them [m/s].
        """
        problem, stiffness = self.problem, self._per_rho / self.delta
        x, y = centre, problem.velocity(centre)
        p = self._impulses(stiffness, centre, y)
        missing = problem.velocity(p) - y
        size = norm(missing)
        for used in range(most):
            if size <= goal:
                return p, used
            self._slopes(stiffness, centre, y)
            solve = self.matrix.factorise(self.A, self.B, np.zeros_like(y))
            if solve is None:
                return None, used + 1
            self.entries = solve.entries
            change = solve(p - x)
            change_of_y = problem.times(change)
            share = 1.0
            for _ in range(SHORTENINGS):
                trial = y + share * change_of_y
                q = self._impulses(stiffness, centre, trial)
                trial_missing = problem.velocity(q) - trial
                trial_size = norm(trial_missing)
                if trial_size <= (1.0 - ENOUGH * share) * size:
                    break
                share *= SHORTER
            else:
                return None, used + 1
            x, y, p, size = x + share * change, trial, q, trial_size
        return (p if size <= goal else None), most

    def descend(self, p: Array, monitor: Monitor) -> None:
        """Proximal steps from p, which is changed, as long as they make progress; an iteration is a factorisation."""
        problem = self.problem
        residual = least = before = problem.residual(p)
        x = p.copy()
        steps = 0
        while not monitor.done and least > 0.0:
            found, used = self.step(x, PRECISION * residual * problem.size, min(MOST_NEWTON, monitor.remaining))
            if found is None:
                monitor.spend(used, self.entries)
                self.delta = min(FACTOR * self.delta, LARGEST)
            else:
                reached = monitor.report(found, max(used, 1), self.entries)
                if reached <= WORSE * least:
                    x, residual = found, reached
                    if used <= EASY:
                        self.delta = max(self.delta / FACTOR, SMALLEST)
                else:
                    self.delta = min(FACTOR * self.delta, LARGEST)
                    x, residual = p.copy(), least
                if reached < least:
                    least = reached
                    p[:] = found
            steps += 1
            if steps % PATIENCE == 0:
                if least > PROGRESS * before:
                    return
                before = least

    def advance(self, p: Array, monitor: Monitor) -> None:
        """Proximal steps from p, which is changed, until one fails, whatever the residual does on the way."""
        residual = self.problem.residual(p)
        while not monitor.done and residual > 0.0:
            goal = PRECISION * residual * self.problem.size
            found, used = self.step(p, goal, min(MOST_NEWTON, monitor.remaining))
            if found is None:
                monitor.spend(used, self.entries)
                self.delta = min(SMALL_FACTOR * self.delta, LARGEST)
                return
            p[:] = found
            residual = monitor.report(found, max(used, 1), self.entries)
            if used <= EASY:
                self.delta = max(self.delta / SMALL_FACTOR, SMALLEST)
