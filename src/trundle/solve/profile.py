"""Solvers side by side: timed runs over a set of problems, their performance profile and their accuracy profile.

runs = [run for name, problem in problems.items() for run in time_solvers(problem, name=name)]
profile = performance_profile(runs)
profile.share("newton", 2.0)  # of the problems it solved this share within twice the shortest time
accuracy_profile(runs).share("newton", 1e-8)  # and this share to 1e-8, within the time limit
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from trundle.contact.problem import ContactProblem
from trundle.errors import SolverError
from trundle.laws import Rolling
from trundle.solve.api import SOLVERS, solve, solver_named
from trundle.solve.auto import Auto
from trundle.solve.base import Solver
from trundle.solve.gauss_seidel import NesterovGaussSeidel
from trundle.solve.interior import InteriorPoint
from trundle.solve.newton import Newton
from trundle.solve.solution import ContactSolution

Array = NDArray[np.float64]
Progress = Callable[[int, float], None]

REPEATED = 0.1  # [s] shorter solves are timed again, because they are as long as what disturbs them
REPETITIONS = 3
MOST_DIGITS = 17


@dataclass(frozen=True)
class Run:
    """One solver on one problem.

    file : name of the problem ; contacts : their number ; solver : its name
    residual, iterations : as in `ContactSolution`; None if the solver does not apply ; solve_time : CPU time [s]
    state : "converged", "failed", "time limit" or "n/a" ; message : the same in words
    reached : CPU time [s] at which the residual was first at most 10^-k, by k
    """

    file: str
    contacts: int
    solver: str
    residual: float | None
    iterations: int | None
    solve_time: float | None
    state: str
    message: str
    reached: dict[int, float] = field(default_factory=dict)

    @property
    def converged(self) -> bool:
        """Whether the residual met the tolerance."""
        return self.state == "converged"


def time_solver(
    problem: ContactProblem,
    solver: str | Solver,
    *,
    name: str = "",
    tolerance: float = 1e-8,
    time_limit: float = 10.0,
    progress: Progress | None = None,
) -> Run:
    """Solve a problem once, within a time limit, and take the time.

    Times are CPU times.  The limit is looked at whenever the solver reports progress, so a run may last a little longer.  What
    is done once for all solvers (W from M and H, scaling) is not timed.  A converged run of less than 0.1 s is repeated twice,
    and the shortest counts.  A solver that cannot honour the law or the formulation gives the state "n/a".

    Parameters
    ----------
    name : what to call the problem in the result
    time_limit : CPU time [s]
    progress : as of `solve`
    """
    for what, value in (("time_limit [s]", time_limit), ("tolerance", tolerance)):
        if not value > 0.0:
            raise SolverError(f"{what} = {value!r} must be a positive number.")
    method = solver_named(solver)
    _ = problem.scaled
    clock = _Clock(time_limit, progress)
    label = name or problem.source or problem.title
    try:
        solution = clock.solve(problem, method, tolerance)
    except SolverError as error:
        return Run(label, problem.contact_count, method.name, None, None, None, "n/a", str(error))
    state, message, shortest = "converged", solution.message, clock.spent
    if solution.converged and shortest > time_limit:
        state, message = "time limit", f"converged after {shortest:.1f} s, beyond the time limit of {time_limit:g} s"
    elif not solution.converged:
        state = "time limit" if clock.expired else "failed"
        if clock.expired:
            message = (
                f"time limit of {time_limit:g} s reached after {solution.iterations} iterations; "
                f"the best residual is {solution.residual:.1e}, the tolerance {tolerance:.1e}"
            )
    elif shortest < REPEATED:
        again = [_Clock(time_limit) for _ in range(REPETITIONS - 1)]
        for other in again:
            other.solve(problem, method, tolerance)
        shortest = min(shortest, *(other.spent for other in again))
    return Run(
        label, problem.contact_count, method.name, solution.residual, solution.iterations, shortest, state, message,
        {k: at for k, at in clock.reached.items() if at <= time_limit},
    )  # fmt: skip


class _Clock:
    """Ends a solve when its CPU time is over, by the interruption that `solve` survives with its best iterate.

    spent : CPU time of the solve [s] ; reached : when the residual was first at most 10^-k [s], by k
    """

    def __init__(self, limit: float, progress: Progress | None = None) -> None:
        self.expired = False
        self.spent = 0.0
        self.reached: dict[int, float] = {}
        self._limit = limit
        self._progress = progress
        self._began = 0.0

    def solve(self, problem: ContactProblem, method: Solver, tolerance: float) -> ContactSolution:
        self._began = time.process_time()
        solution = solve(problem, method, tolerance=tolerance, progress=self._look)
        self.spent = time.process_time() - self._began
        self._note(solution.residual, self.spent)
        return solution

    def _note(self, residual: float, spent: float) -> None:
        k = len(self.reached)
        while k < MOST_DIGITS and residual <= 10.0**-k:
            self.reached[k] = spent
            k += 1

    def _look(self, iterations: int, residual: float) -> None:
        if self._progress is not None:
            self._progress(iterations, residual)
        spent = time.process_time() - self._began
        self._note(residual, spent)
        if spent > self._limit:
            self.expired = True
            raise KeyboardInterrupt


def time_solvers(
    problem: ContactProblem,
    solvers: Sequence[str | Solver] = (),
    *,
    name: str = "",
    tolerance: float = 1e-8,
    time_limit: float = 10.0,
) -> Iterator[Run]:
    """Run several solvers, by default all, on one problem; see `time_solver`.  Call `warm_up` once before."""
    for solver in solvers or SOLVERS:
        yield time_solver(problem, solver, name=name, tolerance=tolerance, time_limit=time_limit)


def warm_up(solvers: Iterable[str | Solver] = (), formulation: str = "exact") -> None:
    """Let every solver, by default all, do a little work once, so that none is timed while it is compiled or loaded."""
    random = np.random.default_rng(1)
    H = random.standard_normal((20, 6))  # one body at four contacts, which no solver finishes at once
    law = Rolling(mu=0.3, mu_r=0.1)
    q = H @ random.standard_normal(6)
    problem = ContactProblem(law, W=H @ H.T, q=q, formulation=formulation, check=False)
    methods = [solver_named(solver) for solver in solvers or SOLVERS]
    if any(isinstance(method, Auto) for method in methods):
        methods = [NesterovGaussSeidel(), Newton(), InteriorPoint(), *methods]
    for method in methods:
        if problem.formulation in method.formulations:
            solve(problem, method, tolerance=1e-300, max_iterations=12, progress=False)


@dataclass(frozen=True, eq=False)
class Profile:
    """Performance profile: the share of problems that a solver solved within a factor of the fastest.

    ratios : by solver, time / (shortest time of any solver) of the problems it applies to, sorted; inf if not solved
    """

    ratios: dict[str, Array]

    @property
    def largest(self) -> float:
        """Largest finite ratio; 1 if there is none."""
        finite = [float(ratio) for ratios in self.ratios.values() for ratio in ratios if np.isfinite(ratio)]
        return max(finite, default=1.0)

    def share(self, solver: str, tau: float) -> float:
        """Share of the problems, in [0, 1], that a solver solved within tau times the shortest time."""
        ratios = self.ratios[solver]
        return float(np.mean(ratios <= tau)) if len(ratios) else 0.0

    def ranking(self) -> list[str]:
        """Solvers, those that solve the most first, among equals the faster ones."""
        grid = np.geomspace(1.0, max(self.largest, 1.0 + 1e-9), 50)

        def key(solver: str) -> tuple[float, float]:
            return self.share(solver, np.finfo(float).max), float(np.mean([self.share(solver, t) for t in grid]))

        return sorted(self.ratios, key=key, reverse=True)


def performance_profile(runs: Iterable[Run]) -> Profile:
    """Performance profile of timed runs.

    rho_s(tau) = share of the problems with t_s <= tau min over s of t_s, where t_s = inf for a solver that failed; a
    problem that no solver solved counts against all of them.  Runs with the state "n/a" do not count.

    References
    ----------
    Dolan & More (2002), Benchmarking optimization software with performance profiles, Math. Program. 91, 201-213.
    """
    all_runs = list(runs)
    best: dict[str, float] = {}
    for run in all_runs:
        if run.converged and run.solve_time is not None:
            best[run.file] = min(best.get(run.file, np.inf), run.solve_time)
    ratios: dict[str, list[float]] = {run.solver: [] for run in all_runs}
    for run in all_runs:
        if run.state == "n/a":
            continue
        solved = run.converged and run.solve_time is not None
        ratios[run.solver].append((run.solve_time or 0.0) / best[run.file] if solved else np.inf)
    return Profile({solver: np.sort(np.array(values)) for solver, values in ratios.items()})


@dataclass(frozen=True, eq=False)
class AccuracyProfile:
    """The share of problems that a solver brought to a residual within the time limit.

    residuals : by solver, best residual of the problems it applies to, sorted, to the power of ten that was reached in time
    """

    residuals: dict[str, Array]

    def share(self, solver: str, residual: float) -> float:
        """Share of the problems, in [0, 1], that a solver brought to a residual or below."""
        reached = self.residuals[solver]
        return float(np.mean(reached <= residual * (1.0 + 1e-9))) if len(reached) else 0.0

    def ranking(self, finest: float) -> list[str]:
        """Solvers, those first that bring the most problems to the finest residual, and to those before it."""
        levels = 10.0 ** np.arange(np.floor(np.log10(finest)), 1.0)
        return sorted(self.residuals, key=lambda solver: tuple(self.share(solver, e) for e in levels), reverse=True)


def accuracy_profile(runs: Iterable[Run]) -> AccuracyProfile:
    """Accuracy profile of timed runs: what each solver reached within the time limit.

    A run that was asked for a tolerance goes no further: the profile ends there.  Runs with the state "n/a" do not count.
    """
    residuals: dict[str, list[float]] = {}
    for run in runs:
        values = residuals.setdefault(run.solver, [])
        if run.state != "n/a":
            values.append(10.0 ** -max(run.reached) if run.reached else np.inf)
    return AccuracyProfile({solver: np.sort(np.array(values)) for solver, values in residuals.items()})
