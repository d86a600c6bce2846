"""The interior point method for sections that are no second-order cones: patches and superellipses."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

import trundle
from trundle import ContactProblem, laws
from trundle.laws.kernels.curves import CONTENSOU, SUPERELLIPSE, UNIFORM
from trundle.laws.kernels.gauge import gauge
from trundle.solve import solve

LAWS = {
    "Contensou": laws.Contensou(mu=0.4, patch_radius=0.1),
    "FlatPatch": laws.FlatPatch(mu=0.4, radius=0.1),
    "round": laws.Superellipse(mu_x=0.4, mu_y=0.2, q=1.5),
    "angular": laws.Superellipse(mu_x=0.4, mu_y=0.2, q=3.0),
    "with rolling": laws.Contensou(mu=0.4, patch_radius=0.1) * laws.Roll(mu_r=0.05),
}


def random_problem(law, seed, formulation="exact"):
    rng = np.random.default_rng(seed)
    contacts, d = int(rng.integers(1, 8)), law.d
    A = rng.normal(size=(contacts * d, contacts * d + 4))
    q = rng.normal(size=contacts * d)
    q[::d] -= 1.0
    return ContactProblem(law, W=A @ A.T / (contacts * d), q=q, formulation=formulation)


@pytest.mark.parametrize(("kind", "law"), [(CONTENSOU, "Contensou"), (UNIFORM, "FlatPatch"), (SUPERELLIPSE, "angular")])
def test_gauge_is_one_on_the_boundary_and_its_gradient_is_normal(kind, law):
    one = LAWS[law]
    a, b, q = (0.4, 0.1, 0.0) if law != "angular" else (0.4, 0.2, 3.0)
    rng = np.random.default_rng(2)
    g, G = np.zeros(3), np.zeros((3, 3))
    for w in rng.normal(size=(200, one.d - 1)):
        f = one.project_section(100.0 * w)  # on the boundary
        size = len(f)
        assert gauge(kind, a, b, q, f, 0, size, g, G) == pytest.approx(1.0, abs=2e-14)
        # the normal is where the projection came from
        away = 100.0 * w - f
        assert np.allclose(g[:size] / np.linalg.norm(g[:size]), away / np.linalg.norm(away), rtol=0, atol=1e-9)
        assert f @ g[:size] == pytest.approx(1.0, abs=1e-13)  # homogeneous
        assert np.allclose(G[:size, :size] @ f, g[:size], rtol=0, atol=1e-11 * np.abs(g).max())
        assert gauge(kind, a, b, q, 3.0 * f, 0, size, g, G) == pytest.approx(3.0, abs=6e-14)


def test_second_derivatives_of_the_gauge_of_a_superellipse_are_those_of_its_closed_form():
    with mpmath.workdps(30):
        mu, q, at = (mpmath.mpf("0.4"), mpmath.mpf("0.2")), 3, (mpmath.mpf("0.3"), mpmath.mpf("0.7"))

        def half(x, y):
            return ((x / mu[0]) ** q + (y / mu[1]) ** q) ** (mpmath.mpf(2) / q) / 2

        exact = [[float(mpmath.diff(half, at, (2 - i - j, i + j))) for j in (0, 1)] for i in (0, 1)]
    g, G = np.zeros(3), np.zeros((3, 3))
    gauge(SUPERELLIPSE, 0.4, 0.2, 3.0, np.array([0.3, 0.7]), 0, 2, g, G)
    assert np.allclose(G[:2, :2], exact, rtol=1e-12)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("seed", range(6))
def test_interior_point_solves_random_problems_with_curves_in_some_factorisations(law, seed):
    found = solve(random_problem(LAWS[law], seed), "interior-point", tolerance=1e-10)
    assert found.converged
    assert found.iterations <= 20


@pytest.mark.parametrize("law", ["Contensou", "FlatPatch", "round", "with rolling"])
@pytest.mark.parametrize("seed", range(3))
def test_relaxed_velocities_are_those_that_newton_finds(law, seed):
    # the relaxed problem is convex: its velocities are unique
    problem = random_problem(LAWS[law], seed, "relaxed")
    one, other = (solve(problem, solver, tolerance=1e-11) for solver in ("interior-point", "newton"))
    assert one.converged
    assert other.converged
    assert np.allclose(one.y, other.y, rtol=0, atol=1e-7)


@pytest.mark.parametrize("q", [1.5, 3.0])
def test_relaxed_superellipse_agrees_with_a_conic_solver(q):
    cvxpy = pytest.importorskip("cvxpy")
    problem = random_problem(laws.Superellipse(mu_x=0.4, mu_y=0.2, q=q), 4, "relaxed")
    n = len(problem.q) // 3
    p = cvxpy.Variable(3 * n)
    root = np.linalg.cholesky(problem.W)
    norms = [cvxpy.norm(cvxpy.hstack([p[3 * i + 1] / 0.4, p[3 * i + 2] / 0.2]), q) <= p[3 * i] for i in range(n)]
    cvxpy.Problem(cvxpy.Minimize(0.5 * cvxpy.sum_squares(root.T @ p) + problem.q @ p), norms).solve(solver="CLARABEL")
    found = solve(problem, "interior-point", tolerance=1e-11)
    assert found.converged
    assert np.allclose(found.p, p.value, rtol=0, atol=2e-5)  # the conic solver's accuracy


def test_spinning_sphere_on_a_patch_moves_alike_with_interior_point_and_sweeps():
    scene = trundle.Scene()
    scene.add(trundle.HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True)
    scene.add(
        trundle.Sphere(radius=0.05), name="ball", mass=1.0, position=(0, 0, 0.05), velocity=(0.5, 0, 0),
        angular_velocity=(0, 0, 30.0),
    )  # fmt: skip
    scene.surface("default", "default", law=laws.Contensou(mu=0.3, patch_radius=0.01))
    one = trundle.simulate(scene, 0.05, 1e-3, tolerance=1e-10)
    other = trundle.simulate(scene, 0.05, 1e-3, tolerance=1e-10, solver="interior-point")
    assert other.steps["converged"].all()
    assert np.abs(one.final.velocity - other.final.velocity).max() < 1e-9


def test_patch_without_a_radius_is_refused():
    problem = ContactProblem(laws.Contensou(mu=0.4, patch_radius=0.0), W=np.eye(4), q=-np.ones(4))
    with pytest.raises(trundle.SolverError, match="radius > 0"):
        solve(problem, "interior-point")
