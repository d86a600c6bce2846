"""`solve`: one call for every solver."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trundle import checked
from trundle.contact.feasibility import caught_by_friction, why_no_solution
from trundle.contact.problem import ContactProblem
from trundle.display import SolveLine
from trundle.errors import SolverError, real, unknown, whole
from trundle.laws.base import Law
from trundle.laws.builtin import is_oblique
from trundle.solve.admm import ADMM
from trundle.solve.auto import Auto
from trundle.solve.base import Solver
from trundle.solve.extragradient import Extragradient
from trundle.solve.fixed_point import FixedPoint
from trundle.solve.gauss_seidel import GaussSeidel, NesterovGaussSeidel
from trundle.solve.gradient import AcceleratedGradient
from trundle.solve.interior import InteriorPoint
from trundle.solve.le_saux import LeSaux
from trundle.solve.monitor import Monitor
from trundle.solve.newton import Newton
from trundle.solve.solution import ContactSolution
from trundle.solve.tasora_anitescu import TasoraAnitescu

_ALL = (
    Auto, GaussSeidel, NesterovGaussSeidel, Newton, InteriorPoint, ADMM, AcceleratedGradient, FixedPoint, Extragradient,
    TasoraAnitescu, LeSaux,
)  # fmt: skip
DROWNED = 1e-6  # a residual that rounding alone may change by more is no proof of anything
SOLVERS: dict[str, type[Solver]] = {solver.name: solver for solver in _ALL}


def solver_named(solver: str | Solver | type[Solver], **options: Any) -> Solver:
    """A solver from its name, class or instance, with options by keyword."""
    if isinstance(solver, Solver):
        if options:
            raise SolverError(f"{solver.name}: give options when making the solver, not again: {', '.join(options)}.")
        return solver
    if isinstance(solver, str):
        if solver not in SOLVERS:
            raise SolverError(unknown("solver", solver, SOLVERS))
        solver = SOLVERS[solver]
        if not options:
            return solver()
    if not (isinstance(solver, type) and issubclass(solver, Solver)):
        raise SolverError(f"{solver!r} is not a solver; give one of {', '.join(sorted(SOLVERS))}, or a Solver.")
    known = [field.name for field in fields(solver)]
    for option in options:
        if option not in known:
            raise SolverError(f"{solver.name}: " + unknown("option", option, known))
    return solver(**options)


def solve(
    problem: ContactProblem,
    solver: str | Solver | type[Solver] = "auto",
    *,
    tolerance: float = 1e-8,
    max_iterations: int | None = None,
    guess: ArrayLike | None = None,
    history: bool = False,
    progress: Callable[[int, float], None] | bool | None = True,
    **options: Any,
) -> ContactSolution:
    """Solve a contact problem.

    Parameters
    ----------
    solver : name ("auto", "gauss-seidel", ...), Solver instance or class
    tolerance : residual, relative to the free velocity, at which to stop [-]
    max_iterations : iterations of the solver; each solver has its own default
    guess : impulses to start from [N s, N m s], shape (m,) or the shape of a former solution's p
    history : keep (iteration, residual) of every iteration, which costs a look at the residual each
    progress : True (default) for a line in a terminal or notebook, if it takes longer than two seconds; False for none; or a
        function that is called with (iterations, residual) now and then
    options : fields of the solver, when it is given by name or class

    Returns
    -------
    ContactSolution
        The best iterate found, also after Ctrl-C; `converged` and `message` tell whether it is good enough.
    """
    method = solver_named(solver, **options)
    _check(problem, method, tolerance, max_iterations)
    if progress is not None and not isinstance(progress, bool) and not callable(progress):
        raise SolverError(f"progress = {progress!r} must be True, False or a function of (iterations, residual).")
    checked.flag(SolverError, "history", history)
    line = SolveLine() if progress is True else None
    told = line or (progress if callable(progress) else None)
    began = time.perf_counter()
    scaled = problem.scaled
    p = np.zeros(problem.row_count) if guess is None else _start(problem, guess) / scaled.scale
    monitor = Monitor(scaled, tolerance, max_iterations or method.default_iterations, history, told)
    interrupted = False
    try:
        monitor.report(p, 0)
        monitor.residual = monitor.residual if math.isfinite(monitor.residual) else 1.0
        if not monitor.done:
            method.run(scaled, p, monitor)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        if line is not None:
            line.close()
    p = monitor.best * scaled.scale
    y, residual, roundoff = scaled.judge(p)
    # impulses that grew until rounding swallowed the velocities (no solution exists) leave no residual to see
    converged = residual <= tolerance and roundoff <= max(tolerance, DROWNED)
    return ContactSolution(
        problem=problem, p=p, y=y, residual=residual, iterations=monitor.iterations,
        converged=converged, message=_message(problem, monitor, residual, roundoff, converged, interrupted),
        solve_time=time.perf_counter() - began, solver=method.name,
        history=np.array(monitor.history) if monitor.history is not None else None,
    )  # fmt: skip


def cannot_slide(method: Solver, laws: Iterable[Law]) -> str:
    """Why a solver cannot honour laws whose sliding potential has another roundness; "" if it can."""
    by_cones = method.by_cones or (isinstance(method, GaussSeidel) and method.local != "decoupled")
    if not by_cones or not any(is_oblique(law) for law in laws):
        return ""
    return f"{method.name}: projects onto cones, and a Superellipse with q_potential has none."


def _start(problem: ContactProblem, guess: ArrayLike) -> NDArray[np.float64]:
    try:
        p = problem.impulse(guess)
    except (TypeError, ValueError):
        raise SolverError(
            f"guess = {guess!r} must be impulses, {problem.row_count} numbers. Leave it out to start from zero."
        ) from None
    bad = ~np.isfinite(p)
    if bad.any():
        at = int(np.argmax(bad))
        raise SolverError(f"guess[{at}] = {p[at]}; impulses to start from are finite. Leave it out to start from zero.")
    return p


def _check(problem: ContactProblem, method: Solver, tolerance: float, max_iterations: int | None) -> None:
    if not isinstance(problem, ContactProblem):
        raise SolverError(f"solve needs a ContactProblem, not {type(problem).__name__}; see trundle.load_problem.")
    if not real(tolerance) or tolerance <= 0.0:
        raise SolverError(f"tolerance = {tolerance!r} must be a positive number (relative residual, e.g. 1e-8).")
    if max_iterations is not None and (not whole(max_iterations) or max_iterations < 1):
        raise SolverError(f"max_iterations = {max_iterations!r} must be at least 1, a whole number.")
    if problem.formulation not in method.formulations:
        raise SolverError(
            f"{method.name} cannot honour the formulation {problem.formulation!r}, only "
            f"{', '.join(method.formulations)}. Use 'auto'."
        )
    if reason := cannot_slide(method, problem.laws):
        raise SolverError(f"{reason} Use 'auto', 'newton', 'gauss-seidel' or 'nesterov'.")


def _message(
    problem: ContactProblem, monitor: Monitor, residual: float, floor: float, converged: bool, interrupted: bool
) -> str:
    """How it ended, in words."""
    if converged:
        return f"converged: residual {residual:.1e} after {monitor.iterations} iterations"
    best = f"the best residual is {residual:.1e}, the tolerance {monitor.tolerance:.1e}"
    if interrupted:
        return f"interrupted after {monitor.iterations} iterations; {best}"
    # impulses may have grown so large that rounding hides the residual
    reason = why_no_solution(problem.scaled, max(residual, floor))
    if reason:
        return f"no solution exists: {reason}; {best}"
    if residual <= 20.0 * floor:
        return f"stopped at round-off: rounding of W p + q alone can cause {floor:.1e}; {best}"
    doubt = caught_by_friction(problem.scaled, residual)
    doubt = f"; a solution need not exist: {doubt}" if doubt else ""
    if monitor.note:
        return f"not converged: {monitor.note}; {best}{doubt}"
    return f"not converged after {monitor.iterations} iterations: {best}{doubt}"
