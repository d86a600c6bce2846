"""What finishes a time step that its first sweeps did not solve: proximal steps, sweeps and the central path in turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from trundle.contact.rigid import WIDTH, RigidProblem
from trundle.solve.auto import Auto
from trundle.solve.base import norm
from trundle.solve.central_path import follow
from trundle.solve.interior import InteriorPoint, can_treat
from trundle.solve.monitor import Monitor
from trundle.solve.policy import POLICY
from trundle.solve.proximal import ProximalPoint

Array = NDArray[np.float64]
Sweep = Callable[[Array, int], tuple[Array, int]]  # impulses p' (6 C,) and how often -> the best impulses, sweeps done


def take_turns(
    problem: RigidProblem, p: Array, tolerance: float, budget: int, sweep: Sweep, sweep_work: int
) -> tuple[Array, int]:
    """Best impulses p' (6 C,) that are found from p, and the work in sweeps, at most `budget`.

    Proximal steps and sweeps in turn, see `_Turns`: first from p, then, where that makes no progress, from where the
    central path leads to from no impulses at all, in the velocities of the bodies.  Contacts that stick are well inside
    their cones there, and tend to stay so.  Small problems that some turns do not solve go on as files do.

    sweep_work: of one sweep, see `Monitor`.
    """
    scaled, rows = problem.scaled
    goal = POLICY.share_of_tolerance * tolerance
    monitor = Monitor(scaled, goal, budget, sweep_work=sweep_work)
    turns = _Turns(problem, np.ascontiguousarray(p[rows]), monitor, sweep)
    if len(problem) <= POLICY.contacts_for_path:
        turns.take(POLICY.turns_before_path)
    else:
        while turns.progress(POLICY.turns_before_path):
            pass
        if not turns.is_over() and can_treat(scaled) and monitor.remaining >= POLICY.factorisations_before_path:
            turns.follow_path()
        turns.take(budget)
    used, best = monitor.iterations, monitor.best
    if not turns.is_over():
        anew = Monitor(replace(scaled, bodies=None), goal, budget - used)
        Auto().run(anew.problem, np.zeros_like(best), anew)
        used += anew.iterations
        best = anew.best if anew.best_residual < monitor.best_residual else best
    full = np.zeros_like(p)
    full[rows] = best
    return full, used


class _Turns:
    """Proximal steps until one fails, then sweeps, and so on; x: the present impulses in scaled units.

    Where sweeps stall, impulses have far to go along directions that hardly change any velocity, at a residual that hardly
    changes: proximal steps go there, the further the smaller their delta.  They fail where contacts change their modes in such
    a way that no solution is near.  Sweeps pass such places, with a residual that grows for a while, so that it is no reason to
    turn back.
    """

    def __init__(self, problem: RigidProblem, x: Array, monitor: Monitor, sweep: Sweep) -> None:
        self.x, self.monitor, self._sweep = x, monitor, sweep
        scaled, self._rows = problem.scaled
        self._full, self._point = np.zeros(WIDTH * len(problem)), ProximalPoint(scaled, POLICY.first_proximal)
        monitor.report(x, 0)

    def is_over(self) -> bool:
        """Whether the problem is solved, or all work done."""
        return self.monitor.converged or self.monitor.spent

    def progress(self, most: int) -> bool:
        """Take so many turns at most; whether these reduced the residual by much, and are to go on."""
        before = self.monitor.best_residual
        self.take(most)
        return not self.is_over() and self.monitor.best_residual < POLICY.progress * before

    def follow_path(self) -> None:
        """Along the central path from no impulses at all, as far as it can be followed.

        Contacts yield by what hardly counts against the tolerance.  Without it impulses that W does not determine grow beyond
        bounds near some points of the path, and its equations lose their accuracy.
        """
        monitor = self.monitor
        problem = monitor.problem
        loads, softness = max(norm(monitor.best / problem.rho_of_rows), problem.size), POLICY.softness_of_path
        soft = problem.softened(softness * monitor.tolerance * problem.size / loads)
        goal = (1.0 - softness) * monitor.tolerance
        apart = monitor.apart(soft, goal, POLICY.share_of_path)  # its end counts, not what was best before
        follow(apart.problem, self.x, apart, InteriorPoint.boundary)
        self.x = apart.best.copy()
        monitor.iterations += apart.iterations
        monitor.report(self.x, 0)

    def take(self, most: int) -> None:
        """So many turns at most."""
        monitor = self.monitor
        for _ in range(most):
            if self.is_over():
                return
            before = monitor.iterations
            self._point.advance(self.x, monitor)
            if self.is_over():
                return
            count = max(monitor.iterations - before, POLICY.sweeps_between_turns)
            count = min(count, POLICY.most_sweeps_between_turns, monitor.max_iterations - monitor.iterations)
            self._full[self._rows] = self.x
            found, used = self._sweep(self._full, count)
            self.x = np.ascontiguousarray(found[self._rows])
            monitor.iterations += used
            monitor.report(self.x, 0)
