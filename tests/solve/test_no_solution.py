"""A problem without a solution is reported as such, with the reason; one that is merely hard is not."""

from __future__ import annotations

import numpy as np
import pytest
from small_problems import of_one_law

from trundle import ContactProblem, laws, solve
from trundle.solve import SOLVERS

# Two contacts on one body with opposite normals: d = (1, 1) on their normals gives W d = 0.
BETWEEN_TWO_WALLS = np.array([[1.0, 0, -1, 0], [0, 1, 0, 1], [-1, 0, 1, 0], [0, 1, 0, 1]])

IMPOSSIBLE = {
    "a fixed body is driven into another": (
        ContactProblem(laws.Coulomb(0.5), W=np.zeros((3, 3)), q=[-1.0, 0.0, 0.0]), "contacts 0 are",
    ),
    "two walls squeeze a body": (
        ContactProblem(laws.Coulomb2D(0.5), W=BETWEEN_TWO_WALLS, q=[-1.0, 0.0, -0.5, 0.0]), "contacts 0, 1 are",
    ),
    "two joints contradict each other": (
        ContactProblem([laws.Bilateral(), laws.Bilateral()], W=np.ones((2, 2)), q=[1.0, -1.0]), "the joints are",
    ),
    "one joint contradicts itself": (
        ContactProblem([laws.Bilateral(2)], W=np.ones((2, 2)), q=[1.0, -1.0]), "the joints are",
    ),
    "a joint drives a body into a wall": (  # d = (1 on the normal, 1 on the joint): W d = 0
        ContactProblem([laws.Coulomb2D(0.5), laws.Bilateral()], W=[[1.0, 0, -1], [0, 1, 0], [-1, 0, 1]],
                       q=[0.0, 0.0, -1.0]), "contacts 0 are",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_impossible_problem_is_reported_with_its_contacts(name: str):
    problem, which = IMPOSSIBLE[name]
    solution = solve(problem)
    assert not solution.converged
    assert solution.message.startswith(f"no solution exists: {which} driven together")
    assert solution.iterations < 1000  # found out, not waited for
    assert np.all(np.isfinite(solution.p))
    assert solution.residual > 1e-3


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_no_solver_claims_to_have_solved_an_impossible_problem(name: str, solver: str):
    solution = solve(IMPOSSIBLE[name][0], solver, max_iterations=3000)
    assert not solution.converged
    assert not solution
    assert solution.message.startswith("no solution exists")


def test_impulses_beyond_rounding_are_no_solution():
    # p = 1e20 hides the velocity -1: p - rho y == p in double precision, and the natural map is exactly 0
    problem, _ = IMPOSSIBLE["a fixed body is driven into another"]
    huge = np.array([1e20, 0.0, 0.0])
    assert problem.residual(huge) == 0.0
    assert problem.roundoff(huge) > 1.0
    assert not solve(problem, guess=huge).converged


@pytest.mark.parametrize(
    ("q", "name"),
    [
        ([-1.0, 0.0, 1.0, 0.0], "the walls move alike"),
        ([1.0, 0.0, 1.0, 0.0], "the walls part"),
        ([-1.0, 3.0, 1.0, -2.0], "the walls move alike and drag"),
    ],
)
def test_walls_that_do_not_approach_have_a_solution(q: list[float], name: str):
    problem = ContactProblem(laws.Coulomb2D(0.5), W=BETWEEN_TWO_WALLS, q=q)
    assert solve(problem).converged, name


def test_redundant_joints_that_agree_have_a_solution():
    problem = ContactProblem([laws.Bilateral(2)], W=np.ones((2, 2)), q=[1.0, 1.0])
    solution = solve(problem)
    assert solution.converged
    assert solution.p.sum() == pytest.approx(-1.0, abs=1e-8)


def test_problem_that_is_merely_hard_is_not_called_impossible():
    problem = of_one_law("Rolling", contacts=8, seed=2)
    solution = solve(problem, "fixed-point", max_iterations=20)
    assert solution.message.startswith("not converged after 20 iterations")


@pytest.mark.parametrize("ratio", [1e6, 1e12])
def test_heavy_body_beside_a_light_one_is_not_called_impossible(ratio: float):
    # W d = 0 up to 1 / ratio of the largest entry, but r_n = ratio parts the heavy bodies
    W = np.diag([1.0, 1.0, 1.0 / ratio, 1.0 / ratio])
    problem = ContactProblem(laws.Coulomb2D(0.5), W=W, q=[-1.0, 0.0, -1.0, 0.0])
    unsolved = solve(problem, "fixed-point", max_iterations=10)
    assert "no solution exists" not in unsolved.message
    solution = solve(problem)
    assert solution.converged
    assert solution.p == pytest.approx([1.0, 0.0, ratio, 0.0], rel=1e-7, abs=1e-7)


def test_sliding_that_friction_feeds_back_into_the_load_is_solved():
    # W_nn - mu W_nt < 0 for sliding along +t, as in Painleve's examples: only sticking is left, p = -W^-1 q
    W = np.array([[1.0, 0.9], [0.9, 1.0]])
    problem = ContactProblem(laws.Coulomb2D(2.0), W=W, q=[-1.0, 10.0])
    solution = solve(problem, tolerance=1e-12)
    assert solution.converged
    assert solution.p == pytest.approx(-np.linalg.solve(W, problem.q), rel=1e-10)


def wedged(mu: float, formulation: str) -> ContactProblem:
    """A point mass in a wedge of half angle 0.3 rad whose walls close at 1 m/s: normals (+-cos, sin), v = (v_x, v_z)."""
    c, s = np.cos(0.3), np.sin(0.3)
    H = np.array([[c, s], [-s, c], [-c, s], [s, c]])  # rows n, t of the left and of the right wall
    walls = np.array([[1.0, 0], [1.0, 0], [-1.0, 0], [-1.0, 0]])
    q = -np.sum(H * walls, axis=1)
    return ContactProblem(laws.Coulomb2D(mu), W=H @ H.T, q=q, formulation=formulation)


def test_a_closing_wedge_with_more_friction_than_its_angle_has_no_relaxed_solution():
    """Impulses +x and -x lie in both friction cones from mu = tan 0.3 = 0.309 on: the cone is no longer pointed."""
    caught = solve(wedged(0.35, "relaxed"))
    assert not caught.converged
    assert caught.message.startswith("no solution exists: contacts 0, 1 can hold each other by friction")
    assert "not pointed (Tasora & Anitescu 2013, eq. (45)" in caught.message
    free = solve(wedged(0.25, "relaxed"))
    assert free.converged, free.message


def test_a_closing_wedge_with_much_friction_is_named_where_the_exact_problem_is_not_solved():
    """No mode is consistent: sliding up pushes down, and neither wall lets go; a proof needs all modes, so it is a doubt."""
    caught = solve(wedged(0.35, "exact"), max_iterations=2000)
    assert not caught.converged
    assert "a solution need not exist: contacts 0, 1 can hold each other by friction" in caught.message
    assert solve(wedged(0.25, "exact")).converged


def test_a_wedge_that_opens_has_a_solution_whatever_its_friction():
    for formulation in ("exact", "relaxed"):
        opening = wedged(0.9, formulation)
        problem = ContactProblem(opening.laws[0], W=opening.W, q=-opening.q, formulation=formulation)
        assert solve(problem).converged
