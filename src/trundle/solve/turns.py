"""What finishes a time step that its first sweeps did not solve: proximal steps, sweeps and the central path in turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from trundle.contact.rigid import RigidProblem
from trundle.contact.scaled import ScaledProblem
from trundle.solve.auto import Auto
from trundle.solve.monitor import Monitor
from trundle.solve.newton import Sweeper
from trundle.solve.policy import POLICY
from trundle.solve.proximal import ProximalPoint

Array = NDArray[np.float64]
Sweep = Callable[[Array, int], tuple[Array, int]]  # impulses p' (6 C,) and how often -> the best impulses, sweeps done


def take_turns(
    problem: RigidProblem, p: Array, tolerance: float, budget: int, sweep: Sweep, sweep_work: int
) -> tuple[Array, int]:
    """Best impulses p' (6 C,) that are found from p, and the work in sweeps, at most `budget`.

    Where sweeps stall, impulses have far to go along directions that hardly change any velocity, at a residual that hardly
    changes: proximal steps go there, the further the smaller their delta.  They fail where contacts change their modes in such
    a way that no solution is near.  Sweeps pass such places, with a residual that grows for a while, so that it is no reason to
    turn back.  Small problems that this does not solve in some turns go on as files do: from no impulses, with the interior
    point method, along the central path.

    sweep_work: of one sweep, see `Monitor`.
    """
    scaled, rows = problem.scaled
    goal = POLICY.share_of_tolerance * tolerance
    monitor = Monitor(scaled, goal, budget, sweep_work=sweep_work)
    x, full = np.ascontiguousarray(p[rows]), np.zeros_like(p)
    monitor.report(x, 0)
    point = ProximalPoint(scaled, POLICY.first_proximal)
    small = len(problem) <= POLICY.contacts_for_path
    for _ in range(POLICY.turns_before_path if small else budget):
        if monitor.converged or monitor.spent:
            break
        before = monitor.iterations
        point.advance(x, monitor)
        if not (monitor.converged or monitor.spent):
            count = max(monitor.iterations - before, POLICY.sweeps_between_turns)
            full[rows] = x
            found, used = sweep(full, min(count, POLICY.most_sweeps_between_turns, budget - monitor.iterations))
            x = np.ascontiguousarray(found[rows])
            monitor.iterations += used
            monitor.report(x, 0)
    used, best = monitor.iterations, monitor.best
    if not monitor.converged and used < budget:  # the last step's impulses may lead nowhere: from none, as files
        anew = Monitor(replace(scaled, bodies=None), goal, budget - used)
        Auto().run(anew.problem, np.zeros_like(x), anew)
        used += anew.iterations
        best = anew.best if anew.best_residual < monitor.best_residual else best
    full[rows] = best
    return full, used


def solve_part(problem: ScaledProblem, p: Array, goal: float) -> tuple[Array, int, int]:
    """Best impulses that proximal steps and sweeps over the matrix find from p, to a residual of `goal` if they can.

    Returns them, the number of factorisations and the entries of a factor.
    """
    watch = Monitor(problem, goal, POLICY.cluster_factorisations)
    watch.report(p, 0)
    point = ProximalPoint(problem, POLICY.first_proximal)
    sweeper: Sweeper | None = None
    while not watch.done:
        point.descend(p, watch)
        if not watch.done:
            sweeper = sweeper or Sweeper(problem)
            sweeper.sweep(p, POLICY.cluster_sweeps)
            watch.report(p, 0)
            point.delta = POLICY.first_proximal
    return watch.best, watch.iterations, point.entries
