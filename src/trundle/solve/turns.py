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

    Proximal steps as long as they make progress, then as many sweeps as they took time, and so on.  Sweeps repair the few
    contacts on which Newton's method fails; Newton brings about what takes many sweeps.  In large problems most turns are
    about the contacts with the largest residuals and their neighbours alone.  Small problems that this does not solve in some
    turns go on as files do: from no impulses, with the interior point method, along the central path.

    sweep_work: of one sweep, see `Monitor`.
    """
    scaled, rows = problem.scaled
    goal = POLICY.share_of_tolerance * tolerance
    monitor = Monitor(scaled, goal, budget, sweep_work=sweep_work)
    x, full = np.ascontiguousarray(p[rows]), np.zeros_like(p)
    monitor.report(x, 0)
    point: ProximalPoint | None = None
    large, small = len(problem) > POLICY.contacts_for_whole, len(problem) <= POLICY.contacts_for_path
    for turn in range(POLICY.turns_before_path if small else budget):
        if monitor.converged or monitor.spent:
            break
        before = monitor.iterations
        if large and (turn + 1) % POLICY.whole_every:
            _solve_worst(
                scaled, x, monitor, POLICY.worst_contacts[turn // POLICY.whole_every % len(POLICY.worst_contacts)]
            )
        else:
            point = point or ProximalPoint(scaled, POLICY.first_proximal)
            point.delta = POLICY.first_proximal
            monitor.allow(budget)
            point.descend(x, monitor)
        if not (monitor.converged or monitor.spent):
            count = max(monitor.iterations - before, POLICY.sweeps_between_turns)
            full[rows] = x
            found, used = sweep(full, min(count, budget - monitor.iterations))
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


def _solve_worst(problem: ScaledProblem, p: Array, monitor: Monitor, most: int) -> None:
    """Solve a number of contacts that keep the residual up, and their neighbours, while all others keep their impulses.

    Where sweeps stall in a large pile, some dozens of its contacts have nearly all of the residual.
    """
    chosen = worst_contacts(problem, p, POLICY.worst_share, most)
    part, rows = problem.part(chosen, p)
    p[rows], used, entries = solve_part(part, p[rows], POLICY.worst_reduction * part.residual(p[rows]))
    monitor.report(p, used, entries)


def solve_part(problem: ScaledProblem, p: Array, goal: float) -> tuple[Array, int, int]:
    """Best impulses that proximal steps and sweeps over the matrix find from p, to a residual of `goal` if they can.

    Returns them, the number of factorisations and the entries of a factor.
    """
    watch = Monitor(problem, goal, POLICY.worst_factorisations)
    watch.report(p, 0)
    point = ProximalPoint(problem, POLICY.first_proximal)
    sweeper: Sweeper | None = None
    while not watch.done:
        point.descend(p, watch)
        if not watch.done:
            sweeper = sweeper or Sweeper(problem)
            sweeper.sweep(p, POLICY.worst_sweeps)
            watch.report(p, 0)
            point.delta = POLICY.first_proximal
    return watch.best, watch.iterations, point.entries


def worst_contacts(problem: ScaledProblem, p: Array, share: float, most: int) -> NDArray[np.int64]:
    """The fewest contacts that make up a share of the squared residual, `most` at most, and all that share a body with them."""
    assert problem.bodies is not None
    squares, body = problem.squares(p), problem.bodies.body
    largest = np.argsort(-squares, kind="stable")[:most]
    largest = largest[: int(np.searchsorted(np.cumsum(squares[largest]), share * squares.sum())) + 1]
    touched = np.zeros(len(problem.bodies.M) + 1, bool)  # the last one stands for bodies that do not move
    touched[body[largest]] = True
    touched[-1] = False
    return np.asarray(np.flatnonzero(touched[body].any(axis=1)))
