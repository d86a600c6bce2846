"""What finishes a time step that its first sweeps did not solve: proximal steps, sweeps and the central path in turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from trundle.contact.rigid import RigidProblem
from trundle.solve.auto import Auto
from trundle.solve.monitor import Monitor
from trundle.solve.policy import POLICY
from trundle.solve.proximal import ProximalPoint

Array = NDArray[np.float64]
Sweep = Callable[[Array, int], tuple[Array, int]]  # impulses p' (6 C,) and how often -> the best impulses, sweeps done


def take_turns(
    problem: RigidProblem, p: Array, tolerance: float, budget: int, sweep: Sweep | None, sweep_work: int
) -> tuple[Array, int]:
    """Best impulses p' (6 C,) that are found from p, and the work in sweeps, at most `budget`.

    Proximal steps as long as they make progress, then as many sweeps as they took time, and so on.  Sweeps repair a few contacts
    on which Newton's method fails, Newton brings about what takes many sweeps.  Small problems that this does not solve in some
    turns go on as files do: from no impulses, with the interior point method, along the central path.

    sweep_work: of one sweep, see `Monitor`.
    """
    scaled, rows = problem.scaled
    goal = POLICY.share_of_tolerance * tolerance
    monitor = Monitor(scaled, goal, budget, sweep_work=sweep_work)
    x = np.ascontiguousarray(p[rows])
    monitor.report(x, 0)
    point = ProximalPoint(scaled, POLICY.first_proximal)
    small = len(problem) <= POLICY.contacts_for_path
    turns = POLICY.turns_before_path if small or sweep is None else budget
    for _ in range(turns):
        if monitor.converged or monitor.spent:
            break
        before = monitor.iterations
        monitor.allow(budget)
        point.delta = POLICY.first_proximal
        point.descend(x, monitor)
        if sweep is not None and not (monitor.converged or monitor.spent):
            count = max(monitor.iterations - before, POLICY.sweeps_between_turns)
            x, used = _swept(x, rows, min(count, budget - monitor.iterations), sweep, len(p))
            monitor.report(x, 0)
            monitor.iterations += used
    used, best = monitor.iterations, monitor.best
    if not monitor.converged and used < budget:  # the last step's impulses may lead nowhere: from none, as files
        anew = Monitor(replace(scaled, bodies=None), goal, budget - used)
        Auto().run(anew.problem, np.zeros_like(x), anew)
        used += anew.iterations
        best = anew.best if anew.best_residual < monitor.best_residual else best
    full = np.zeros_like(p)
    full[rows] = best
    return full, used


def _swept(x: Array, rows: NDArray[np.int64], count: int, sweep: Sweep, size: int) -> tuple[Array, int]:
    full = np.zeros(size)
    full[rows] = x
    found, used = sweep(full, count)
    return np.ascontiguousarray(found[rows]), used
