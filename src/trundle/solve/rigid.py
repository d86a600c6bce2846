"""Solves the contact problem of a time step of grains: sweeps without a matrix first, matrix methods where they stall."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trundle.contact.grains import GrainProblem
from trundle.contact.rigid import RigidProblem
from trundle.detect.work import room_for
from trundle.solve.kernels import grains as grain_kernels
from trundle.solve.policy import POLICY
from trundle.solve.turns import take_turns

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StepSolution:
    """Impulses p in the problem's own form, velocities v (B, 6), the residual, and the sweeps and CPU seconds it took."""

    p: Array
    v: Array
    residual: float
    iterations: int
    converged: bool
    seconds: float = 0.0


class _GrainSweeps:
    """Accelerated sweeps over grains, with friction as vectors, on several threads if the problem says so.

    Accelerated sweeps may go round in circles.  Where a round of them gets nowhere, momentum starts again, with sweeps of the
    natural map, and after some rounds of these the other way round.
    """

    def __init__(self, problem: GrainProblem, p: Array, tolerance: float) -> None:
        self.problem, self.p = problem, p
        self._round, self._progress = POLICY.round, POLICY.round_progress
        if tolerance < POLICY.coarse_tolerance:
            self._round, self._progress = POLICY.round_to_fine_tolerance, POLICY.round_progress_to_fine_tolerance
        self._sums = np.zeros((len(problem.start) - 1, 2))
        self._kernel = grain_kernels.nesterov if problem.threads == 1 else grain_kernels.nesterov_parallel
        self._before = self._vz = np.zeros(0)
        self._kind = grain_kernels.RELAXED if problem.relaxed else grain_kernels.EXACT
        self._stalls, self._last = 0, np.inf
        self.restart()

    def restart(self) -> None:
        """Start again from p without momentum, and with velocities free of gathered rounding."""
        self.v = self.problem.body_velocity(self.p)
        if len(self._before) != len(self.p):
            self._before, self._vz = room_for(*self.p.shape), room_for(*self.v.shape)
        growth = POLICY.calm_growth if self._kind == grain_kernels.CALM else POLICY.growth
        self._before[:], self._vz[:], self._state = self.p, self.v, np.array([1.0, np.inf, growth, 0.0])
        self._least, self._swept = np.inf, 0  # smallest change of this round, and the sweeps in it

    def sweep(self, count: int) -> float:
        """Do `count` sweeps; returns the size of the last change, in units of velocity."""
        problem = self.problem
        change = self._kernel(
            problem.start, problem.share, problem.visited, problem.first_visited, *problem.tables, problem.metric,
            self._kind, self.p, self._before, self.v, self._vz, self._sums, self._state, count,
        )  # fmt: skip
        if count % 2:
            self.p, self._before, self.v, self._vz = self._before, self.p, self._vz, self.v
        self._least, self._swept = min(self._least, change), self._swept + count
        if self._swept >= self._round:
            self._end_round()
        return float(change)

    def _end_round(self) -> None:
        """Go on, or start again."""
        least = self._least
        if least > self._progress * self._last:
            self._stalls += 1
            calm = self._kind == grain_kernels.CALM
            if not self.problem.relaxed and self._stalls >= (POLICY.calm_rounds if calm else POLICY.rounds):
                self._kind, self._stalls, least = grain_kernels.EXACT if calm else grain_kernels.CALM, 0, np.inf
            self.restart()
        self._last, self._least, self._swept = least, np.inf, 0


def solve_step(
    problem: GrainProblem,
    p: Array,
    tolerance: float,
    max_sweeps: int,
    as_rigid: Callable[[], RigidProblem],
) -> StepSolution:
    """Solve from the guess p, which is changed, to a relative residual of `tolerance`.

    `as_rigid` gives the problem in the form that the matrix methods need, should it come to that.
    """
    if not len(problem):
        return StepSolution(p, problem.velocities_of(problem.v_free).copy(), 0.0, 0, True)
    if problem.still:
        return StepSolution(np.zeros_like(p), problem.velocities_of(problem.v_free).copy(), 0.0, 0, True)
    begun = time.process_time()
    small = POLICY.is_small(len(problem))
    sweeps = _GrainSweeps(problem, p, tolerance)
    most = max_sweeps
    if small:
        share = min(int(POLICY.share_of_first_sweeps * max_sweeps), POLICY.most_first_sweeps)
        most = min(max(share, 2 * POLICY.first_check(len(problem), tolerance)), max_sweeps)
    done, found = _sweep_until(sweeps, tolerance, most, small)
    if found is None and small and tolerance >= POLICY.coarse_tolerance and done < max_sweeps:
        # which contacts go round in circles depends on the start
        other = _GrainSweeps(problem, problem.no_impulses(), tolerance)
        more, found = _sweep_until(other, tolerance, min(done, max_sweeps - done), small)
        done += more
        if found is not None or _residual(other) < _residual(sweeps):
            sweeps = other
    if found is not None and small and tolerance <= POLICY.fine_tolerance:
        more, found = _polish(sweeps, found, tolerance)
        done += more
    p = sweeps.p
    if found is None and small and done < max_sweeps:
        p, more = _take_turns(problem, p, tolerance, max_sweeps - done, as_rigid())
        done += more
    if found is None:
        v = problem.body_velocity(p)
        found = v, problem.residual(p, v)
    v, residual = problem.velocities_of(found[0]), found[1]
    return StepSolution(p, v, residual, done, residual <= tolerance, time.process_time() - begun)


def _residual(sweeps: _GrainSweeps) -> float:
    return sweeps.problem.residual(sweeps.p, sweeps.problem.body_velocity(sweeps.p))


def _take_turns(
    problem: GrainProblem, p: Array, tolerance: float, budget: int, rigid: RigidProblem
) -> tuple[Array, int]:
    """As `take_turns`, with sweeps over grains."""

    def sweep(x: Array, count: int) -> tuple[Array, int]:
        sweeps = _GrainSweeps(problem, problem.from_frames(rigid.keep(x)), tolerance)
        used, _ = _sweep_until(sweeps, tolerance, count, False, keep_best=False)
        return rigid.guess_from(problem, sweeps.p), used

    work = max(POLICY.work_per_grain_contact * len(problem), POLICY.work_of_grain_sweep)
    rows, used = take_turns(rigid, rigid.guess_from(problem, p), tolerance, budget, sweep, work)
    return problem.from_frames(rigid.keep(rows)), used


def _sweep_until(
    sweeps: _GrainSweeps, tolerance: float, limit: int, impatient: bool, keep_best: bool = True
) -> tuple[int, tuple[Array, float] | None]:
    """Sweep until the residual is below the tolerance; returns the sweeps, and the velocities and the residual if it is.

    If not, the best impulses that were looked at, in large piles in the second half of the sweeps, are left there, or the last
    ones (keep_best).  impatient: stop where
    twice as many sweeps do not reduce the residual by much.
    """
    problem = sweeps.problem
    small = POLICY.is_small(len(problem))
    far = close = 5.0 * problem.allowed(tolerance)
    every = POLICY.sweeps_between_looks
    best, least = np.zeros((0, *sweeps.p.shape[1:])), np.inf
    done, count, tries = 0, POLICY.first_sweeps if small else POLICY.first_sweeps_of_large_pile, 0
    check, before = POLICY.first_check(len(problem), tolerance) if impatient else limit, np.inf
    while done < limit:
        if done >= check:
            v = problem.body_velocity(sweeps.p)
            residual = problem.residual(sweeps.p, v)
            if residual < least:
                best, least = _kept(sweeps.p, best), residual
            if least > POLICY.progress * before:
                break
            check, before = 2 * done, least
        change = sweeps.sweep(count)
        done += count
        count = every
        # the change of a sweep is never far from the residual, and free
        near = not (change > far or (change > close and done % POLICY.look_at_least_every >= every))
        if not near and done % POLICY.sweeps_between_late_looks >= every:
            continue
        # velocities gather the rounding of every update: where it matters, judge with those that belong to p
        v = sweeps.v if tolerance >= POLICY.rounding_tolerance and not small else problem.body_velocity(sweeps.p)
        residual = problem.residual(sweeps.p, v)
        if residual <= tolerance:
            return done, (v, residual)
        if residual < least and (small or 2 * done >= limit):  # large piles need the memory, and hardly ever the best
            best, least = _kept(sweeps.p, best), residual
        if not near:  # a look for the best impulses only
            continue
        close = POLICY.look_factor * change * tolerance / residual
        tries += 1
        if tries % 10 == 0 and problem.residual(sweeps.p, sweeps.v) <= tolerance:
            sweeps.restart()  # only rounding keeps it from the tolerance
    if keep_best and least < _residual(sweeps):
        sweeps.p = best
    return done, None


def _kept(p: Array, room: Array) -> Array:
    """A copy of p, in the room of an earlier one: they are large."""
    if len(room) != len(p):
        return p.copy()
    room[:] = p
    return room


def _polish(sweeps: _GrainSweeps, found: tuple[Array, float], tolerance: float) -> tuple[int, tuple[Array, float]]:
    """Some more sweeps for another digit: velocities of a stack are several times as large as its residual."""
    problem, best, (v, residual), done = sweeps.problem, sweeps.p.copy(), found, 0
    every = POLICY.sweeps_between_looks
    while residual > 0.1 * tolerance and done < POLICY.polishing_rounds * every:
        sweeps.sweep(every)
        done += every
        trial = problem.body_velocity(sweeps.p)
        reached = problem.residual(sweeps.p, trial)
        if reached < residual:
            best[:], v, residual = sweeps.p, trial, reached
    sweeps.p = best
    return done, (v, residual)
