"""The one call for every solver: start, limits, progress, interruption, and what it says when misused."""

from __future__ import annotations

import numpy as np
import pytest
from small_problems import LAWS, of_one_law

from trundle import ContactProblem, ProblemError, SolverError, laws, solve
from trundle.solve import SOLVERS, Solver, solver_named
from trundle.solve.gauss_seidel import GaussSeidel

HARD = {"contacts": 8, "seed": 2}  # redundant: no solver is through after a few iterations


@pytest.mark.parametrize("solver", SOLVERS)
def test_start_at_the_solution_costs_no_iteration(solver: str):
    problem = of_one_law("Rolling", contacts=4, bodies=4)
    first = solve(problem, "auto", tolerance=1e-12)
    again = solve(problem, solver, tolerance=1e-10, guess=first.p)
    assert (again.iterations, again.converged) == (0, True)
    # p goes to the units of the contact and back: one rounding each way
    assert again.p == pytest.approx(first.p, rel=4 * np.finfo(float).eps)


def test_start_may_have_one_row_per_contact():
    problem = of_one_law("Rolling", contacts=4, bodies=4)
    first = solve(problem, tolerance=1e-12)
    assert solve(problem, guess=first.p.reshape(4, 5)).iterations == 0


@pytest.mark.parametrize("solver", ["auto", "gauss-seidel", "nesterov", "apgd", "admm", "newton"])
def test_start_near_the_solution_is_never_slower_than_from_rest(solver: str):
    problem = of_one_law("Rolling", contacts=4, bodies=4)
    cold = solve(problem, solver, tolerance=1e-10)
    nearby = ContactProblem(problem.laws, W=problem.W, q=problem.q * (1.0 + 1e-6))
    assert solve(nearby, solver, tolerance=1e-10, guess=cold.p).iterations <= max(cold.iterations, 60)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("limit", [1, 2, 7, 33])
def test_limit_of_iterations_is_kept_and_named(solver: str, limit: int):
    problem = of_one_law("Rolling", **HARD)
    solution = solve(problem, solver, tolerance=1e-30, max_iterations=limit)
    assert solution.iterations <= limit
    assert not solution.converged
    assert solution.message.endswith(f"the best residual is {solution.residual:.1e}, the tolerance 1.0e-30")
    if solution.residual <= 20.0 * problem.roundoff(solution.p):
        assert solution.message.startswith("stopped at round-off")
    else:
        assert solution.iterations == limit
        assert solution.message.startswith(f"not converged after {limit} iterations: ")


@pytest.mark.parametrize("solver", SOLVERS)
def test_answer_is_never_worse_than_the_start(solver: str):
    problem = of_one_law("Contensou" if solver != "interior-point" else "Rolling", **HARD)
    start = solve(problem, "auto", tolerance=1e-5).p
    assert solve(problem, solver, tolerance=1e-15, guess=start, max_iterations=3).residual <= problem.residual(start)


@pytest.mark.parametrize("solver", SOLVERS)
def test_same_problem_gives_the_same_bits_twice(solver: str):
    results = [solve(of_one_law("SlideRollSpin", **HARD), solver, max_iterations=200) for _ in range(2)]
    assert results[0].p.tobytes() == results[1].p.tobytes()
    assert results[0].y.tobytes() == results[1].y.tobytes()
    assert results[0].iterations == results[1].iterations


@pytest.mark.parametrize("solver", SOLVERS)
def test_history_is_what_progress_was_told(solver: str):
    told: list[tuple[int, float]] = []
    problem = of_one_law("Rolling", contacts=4, bodies=4)
    solution = solve(problem, solver, history=True, progress=lambda i, residual: told.append((i, residual)))
    assert solution.history is not None
    assert solution.history.tolist() == [list(pair) for pair in told]
    iterations, residuals = solution.history.T
    assert iterations[0] == 0.0
    assert residuals[0] == problem.residual(np.zeros(20))
    assert np.all(np.diff(iterations) >= 0.0)
    assert iterations[-1] == solution.iterations
    # the impulses go to SI units and back before they are judged: the last bits may change
    assert residuals.min() == pytest.approx(solution.residual, rel=1e-3, abs=1e-15)


def test_history_is_kept_only_on_request():
    assert solve(of_one_law("Coulomb")).history is None


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("call", [1, 2, 3])
def test_interruption_returns_the_best_impulses_so_far(solver: str, call: int):
    seen: list[float] = []

    def interrupt(iterations: int, residual: float) -> None:
        seen.append(residual)
        if len(seen) == call:
            raise KeyboardInterrupt

    problem = of_one_law("Rolling", **HARD)
    solution = solve(problem, solver, tolerance=1e-15, progress=interrupt)
    assert len(seen) == call
    assert not solution.converged
    assert solution.message.startswith(f"interrupted after {solution.iterations} iterations; the best residual is")
    assert solution.residual == pytest.approx(min(seen), rel=1e-6)


def test_other_errors_of_the_progress_function_are_not_swallowed():
    def fail(iterations: int, residual: float) -> None:
        raise ZeroDivisionError("my own bug")

    with pytest.raises(ZeroDivisionError, match="my own bug"):
        solve(of_one_law("Coulomb"), progress=fail)


def test_tolerance_below_round_off_ends_with_that_reason():
    solution = solve(of_one_law("Rolling", contacts=4, bodies=4, seed=1), tolerance=1e-30, max_iterations=100_000)
    if not solution.converged:  # the residual may also happen to be exactly 0
        assert solution.message.startswith("stopped at round-off: rounding of W p + q alone can cause")
    assert solution.residual <= 20.0 * solution.problem.roundoff(solution.p)


@pytest.mark.parametrize("law", LAWS)
def test_every_law_is_solved_to_round_off(law: str):
    # "the solution to round-off, with the residual to prove it"; curved sets by a root to about 1e-15
    problem = of_one_law(law, contacts=4, bodies=4, seed=1)
    solution = solve(problem, tolerance=1e-14)
    assert solution.residual <= max(1e-14, 20.0 * problem.roundoff(solution.p))


def test_solution_tells_everything_about_itself():
    problem = of_one_law("Rolling", contacts=4, bodies=4)
    solution = solve(problem, "gauss-seidel", tolerance=1e-9)
    assert solution
    assert solution.problem is problem
    assert solution.solver == "gauss-seidel"
    assert solution.message == f"converged: residual {solution.residual:.1e} after {solution.iterations} iterations"
    assert solution.solve_time > 0.0
    assert len(solution.modes) == 4
    assert "ContactProblem" not in repr(solution)  # the matrix would fill the screen


# --- misuse ----------------------------------------------------------------------------------------------


def test_unknown_solver_is_refused_with_the_known_ones_and_a_guess():
    with pytest.raises(SolverError, match=r"unknown solver 'gaus-seidel'. Known: .*Did you mean 'gauss-seidel'\?"):
        solve(of_one_law("Coulomb"), "gaus-seidel")
    with pytest.raises(SolverError, match=r"<class 'int'> is not a solver; give one of admm, .* or a Solver"):
        solve(of_one_law("Coulomb"), int)  # type: ignore[arg-type]


def test_unknown_option_is_refused_with_the_known_ones_and_a_guess():
    with pytest.raises(
        SolverError,
        match=r"unknown option 'relax'. Known: local, local_iterations, local_tolerance, relaxation. Did you mean",
    ):
        solve(of_one_law("Coulomb"), "gauss-seidel", relax=1.2)
    with pytest.raises(SolverError, match=r"gauss-seidel: give options when making the solver, not again: relaxation"):
        solve(of_one_law("Coulomb"), GaussSeidel(), relaxation=1.2)
    with pytest.raises(SolverError, match=r"auto: unknown option 'tolerence'"):
        solve(of_one_law("Coulomb"), tolerence=1e-3)


@pytest.mark.parametrize("tolerance", [0.0, -1e-8, np.nan])
def test_tolerance_must_be_positive(tolerance: float):
    with pytest.raises(
        SolverError, match=r"tolerance = .* must be a positive number \(relative residual, e\.g\. 1e-8\)"
    ):
        solve(of_one_law("Coulomb"), tolerance=tolerance)


@pytest.mark.parametrize("limit", [0, -5])
def test_limit_of_iterations_must_be_positive(limit: int):
    with pytest.raises(SolverError, match=rf"max_iterations = {limit} must be at least 1"):
        solve(of_one_law("Coulomb"), max_iterations=limit)


def test_start_that_does_not_fit_is_refused():
    problem = ContactProblem(laws.Coulomb(0.5), W=np.eye(3), q=-np.ones(3), source="pile.dat")
    with pytest.raises(ProblemError, match=r"pile\.dat: p has 2 entries; the problem has 3 rows"):
        solve(problem, guess=[1.0, 2.0])
    with pytest.raises(SolverError, match=r"guess\[1\] = nan; impulses to start from are finite"):
        solve(problem, guess=[1.0, np.nan, 0.0])


def test_anything_but_a_contact_problem_is_refused():
    with pytest.raises(SolverError, match=r"solve needs a ContactProblem, not ndarray; see trundle\.load_problem"):
        solve(np.eye(3))  # type: ignore[arg-type]


def test_solver_without_a_method_says_so():
    class Empty(Solver):
        name = "empty"

    with pytest.raises(TypeError, match=r"Empty has no run method"):
        solve(of_one_law("Coulomb"), Empty())


def test_every_solver_has_a_name_a_docstring_and_defaults():
    for name, solver in SOLVERS.items():
        assert solver.name == name
        assert (solver.__doc__ or "").strip()
        assert solver_named(name) == solver()
        assert set(solver.formulations) <= {"exact", "relaxed", "compliant"}
