"""A superellipse whose sliding potential has another roundness than its friction condition: loads, directions, paths."""

from __future__ import annotations

import math
import pickle

import mpmath
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import trundle
from trundle import laws
from trundle.errors import LawError, ProblemError, SceneError, SolverError
from trundle.scene.files import parse_scene
from trundle.scene.model import build_model
from trundle.scene.writing import dump_scene

G = 9.81


def law(q=3.0, s=1.6, k=1.0, mu_x=0.4, mu_y=0.2):
    return laws.Superellipse(mu_x=mu_x, mu_y=mu_y, q=q, k=k, q_potential=s)


def by_mpmath(q, s, p, mu, x, r):
    """Where x >= 0 returns to, from the two equations of the law, 40 digits."""
    with mpmath.workdps(40):
        a, b = (mpmath.mpf(r) * mpmath.mpf(m) for m in mu)
        x1, x2 = map(mpmath.mpf, x)

        def f(u):
            return a * u ** (1 / mpmath.mpf(q)), b * (1 - u) ** (1 / mpmath.mpf(q))

        def condition(u):
            f1, f2 = f(u)
            n1, n2 = (g ** (s - 1) / mpmath.mpf(half) ** s for g, half in zip((f1, f2), p, strict=True))
            return (x1 - f1) * n2 - (x2 - f2) * n1

        low = max(mpmath.mpf(0), 1 - (x2 / b) ** q) + mpmath.mpf(10) ** -30
        high = min(mpmath.mpf(1), (x1 / a) ** q) - mpmath.mpf(10) ** -30
        u = mpmath.findroot(condition, (low, high), solver="anderson", tol=1e-60, maxsteps=500, verify=False)
        return [float(g) for g in f(u)]


@pytest.mark.parametrize(("q", "s", "k"), [(3.0, 1.6, 1.0), (2.0, 4.0, 1.0), (1.3, 2.0, 0.5), (6.0, 2.0, 0.0)])
def test_load_returns_along_the_gradient_of_the_potential(q, s, k):
    one = law(q, s, k)
    rng = np.random.default_rng(3)
    x, r = rng.normal(size=(300, 2)), rng.uniform(0.1, 2.0, 300)
    f = one.return_map(x, r)
    outside = np.any(f != x, axis=1)
    gauge = np.sum(np.abs(f / [0.4, 0.2]) ** q, axis=1) ** (1 / q) / r
    assert np.abs(gauge[outside] - 1.0).max() < 4e-15
    assert np.all(gauge[~outside] <= 1.0)
    p = np.array([0.5 ** (-0.5 * k), 0.5 ** (0.5 * k)])
    n, d = np.sign(f) * np.abs(f) ** (s - 1) / p**s, x - f
    across = (d[:, 0] * n[:, 1] - d[:, 1] * n[:, 0])[outside]
    size = (np.linalg.norm(d, axis=1) * np.linalg.norm(n, axis=1))[outside]
    # d is a difference: its rounding relative to its size
    assert np.all(
        np.abs(across) / size < 1e-14 + 4e-15 * np.linalg.norm(x[outside], axis=1) / np.linalg.norm(d[outside], axis=1)
    )
    for i in np.flatnonzero(outside)[:12]:
        expected = by_mpmath(q, s, p, (0.4, 0.2), np.abs(x[i]), r[i])
        assert np.allclose(np.abs(f[i]), expected, rtol=1e-13, atol=1e-15)


def test_same_roundness_is_the_nearest_point():
    from trundle.laws.kernels.oblique import oblique_section

    one = laws.Superellipse(mu_x=0.4, mu_y=0.2, q=3.0)
    for x1, x2, r in np.random.default_rng(1).uniform(0.01, 1.5, (200, 3)):
        found = oblique_section(0.4, 0.2, 3.0, 0.4, 0.2, 3.0, x1, x2, r)
        assert np.allclose(found, one.project_section((x1, x2), r), rtol=0, atol=4e-16)
    assert laws.Superellipse(mu_x=0.4, mu_y=0.2, q=3.0, q_potential=3.0) == one


@pytest.mark.parametrize("k", [0.0, 0.5])
def test_solution_agrees_with_the_law_of_factors_where_both_roundnesses_are_nearly_one(k):
    # q_potential -> q is hjiaj's own law, which trundle has by factors on the velocity: another algorithm
    W = np.diag([1.0, 1.3, 0.8])
    q = np.array([-1.0, 0.9, -0.7])
    one = trundle.solve(
        trundle.ContactProblem(laws.Superellipse(mu_x=0.4, mu_y=0.2, q=3.0, k=k), W=W, q=q), tolerance=1e-13
    )
    other = trundle.solve(trundle.ContactProblem(law(3.0, 3.0 + 1e-9, k), W=W, q=q), tolerance=1e-13)
    assert one.converged
    assert other.converged
    assert np.allclose(one.p, other.p, rtol=0, atol=1e-8)


@pytest.mark.parametrize("solver", ["auto", "gauss-seidel", "nesterov", "newton"])
def test_solved_contact_slides_along_the_gradient_and_loses_what_the_law_says(solver):
    one = law(2.5, 5.0, 0.7)
    W = np.array([[1.0, 0.1, 0.0], [0.1, 1.3, 0.2], [0.0, 0.2, 0.8]])
    found = trundle.solve(trundle.ContactProblem(one, W=W, q=np.array([-1.0, 0.9, -0.7])), solver, tolerance=1e-12)
    assert found.converged
    r, w = found.p[0], found.y[1:]
    assert np.allclose(found.p[1:], r * one.sliding_force(w), rtol=0, atol=1e-11)
    assert one.dissipation(found.y, found.p) == pytest.approx(-found.p[1:] @ w, rel=1e-10)
    assert one.mode(found.y, found.p) == "sliding"


@pytest.mark.parametrize(("formulation", "tolerance"), [("exact", 5e-4), ("compliant", 5e-4), ("history", 2e-3)])
def test_block_that_slides_turns_as_its_own_equation_says(formulation, tolerance):
    # v' = g sliding_force(v), whatever the mass
    one = law(3.0, 1.7, 0.5)
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(trundle.HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True)
    scene.add(
        trundle.Sphere(radius=0.05), name="block", mass=1.0, position=(0, 0, 0.05), velocity=(1.0, 0.7, 0),
        inertia=(1e6,) * 3,
    )  # fmt: skip
    more = {"material": trundle.Hooke(stiffness=1e6)} if formulation == "history" else {}
    if formulation == "compliant":
        more = {"stiffness": 1e7}
    scene.surface("default", "default", law=one, axis=(1, 0, 0), axis_of="ground", **more)
    end = 0.2

    def rate(t, v):
        return G * one.sliding_force(v)

    exact = solve_ivp(rate, (0, end), (1.0, 0.7), rtol=1e-10, atol=1e-12).y[:, -1]
    run = trundle.simulate(scene, end, 1e-4 if formulation == "history" else 1e-3, formulation=formulation)
    v = run.final.velocity[1, :2]
    assert np.abs(v - exact).max() < tolerance  # first order in h: the law holds at the end of a step
    assert math.atan2(v[1], v[0]) != pytest.approx(math.atan2(0.7, 1.0), abs=0.02)  # it has turned


def test_block_sticks_below_the_condition_whatever_the_potential():
    scene = trundle.Scene(gravity=(0.3 * G, 0.1 * G, -G))
    scene.add(trundle.HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True)
    scene.add(trundle.Box(size=(0.1,) * 3), name="block", mass=1.0, position=(0, 0, 0.05))
    scene.surface("default", "default", law=law(3.0, 1.3), axis=(1, 0, 0), axis_of="ground")
    run = trundle.simulate(scene, 0.1, 1e-3)
    assert np.abs(run.final.velocity[1]).max() < 1e-8


def test_law_is_a_factor_of_a_product_and_a_scene_file_holds_it():
    one = law() * laws.Roll(mu_r=1e-3)
    assert pickle.loads(pickle.dumps(one)) == one
    x = np.array([0.5, 1.0, -1.0, 0.01, 0.02])
    nearest = laws.Superellipse(mu_x=0.4, mu_y=0.2, q=3.0) * laws.Roll(mu_r=1e-3)
    assert np.array_equal(one.project(x), nearest.project(x))
    scene = trundle.Scene()
    scene.add(trundle.Sphere(radius=0.05), name="ball", mass=1.0, position=(0, 0, 0.05))
    scene.add(trundle.HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True)
    scene.surface("default", "default", law=one, axis=(1, 0, 0), axis_of="ground")
    text = dump_scene(scene)
    assert "q_potential" in text
    assert build_model(parse_scene(text)[0])[0].laws == build_model(scene)[0].laws


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"s": 1.0}, "q_potential"), ({"s": math.inf}, "q_potential"), ({"s": "x"}, "q_potential"),
        ({"q": 1.0}, "1 < q < inf"), ({"q": math.inf}, "1 < q < inf"),
        ({"mu_x": laws.Stribeck(static=0.5, kinetic=0.3, speed=0.1)}, "associated"),
    ],
)  # fmt: skip
def test_potential_that_leaves_the_direction_open_is_refused(values, message):
    with pytest.raises(LawError, match=message):
        law(**values)


def test_what_has_no_cone_is_refused_before_anything_is_computed():
    one = law()
    with pytest.raises(LawError, match="bipotential"):
        one.bipotential(np.zeros(3), np.zeros(3))
    with pytest.raises(LawError, match="corrected velocity"):
        (one * laws.Roll(mu_r=0.1)).correction(np.zeros(5))
    with pytest.raises(ProblemError, match="relaxed"):
        trundle.ContactProblem(one, W=np.eye(3), q=np.ones(3), formulation="relaxed")
    problem = trundle.ContactProblem(one, W=np.eye(3), q=-np.ones(3))
    for solver in ("admm", "extragradient", "fixed-point"):
        with pytest.raises(SolverError, match="q_potential"):
            trundle.solve(problem, solver)
    with pytest.raises(SolverError, match="q_potential"):
        trundle.solve(problem, "gauss-seidel", local="fixed-point")
    with pytest.raises(SolverError, match="another one"):
        trundle.solve(problem, "interior-point")
    scene = trundle.Scene()
    scene.add(trundle.Sphere(radius=0.05), name="ball", mass=1.0, position=(0, 0, 0.05))
    scene.add(trundle.HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True)
    scene.surface("default", "default", law=one, axis=(1, 0, 0), axis_of="ground")
    for options in ({"formulation": "relaxed"}, {"solver": "admm"}):
        with pytest.raises(SceneError, match="q_potential"):
            trundle.simulate(scene, 0.01, 1e-3, **options)
