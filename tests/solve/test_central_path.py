"""The central path by power series, and the limit that bounds all work."""

from __future__ import annotations

import numpy as np
import pytest
from small_problems import of_one_law

from trundle import solve
from trundle.bench import PileScene
from trundle.scene.model import build_model
from trundle.solve.auto import Auto
from trundle.solve.body_matrix import has_body_matrix
from trundle.solve.central_path import CENTRED, ORDER, _Path
from trundle.solve.interior_state import InteriorState
from trundle.solve.kernels import interior as kernels
from trundle.solve.kernels import series
from trundle.solve.monitor import Monitor
from trundle.step.grains import Grains

DISKS = ("Coulomb", "Coulomb2D", "Rolling", "SlideRollSpin")


@pytest.mark.parametrize("formulation", ["exact", "relaxed"])
@pytest.mark.parametrize("law", DISKS)
def test_series_stays_on_the_central_path_to_its_order(law: str, formulation: str):
    # the error of a series cut off after 16 terms falls by 2^17 when the step is halved, until rounding is reached
    problem = of_one_law(law, formulation=formulation).scaled
    path = _Path(problem, 1e-5)
    assert path.begin(60)
    solve_linear = path._factor()
    units = tuple(np.empty_like(part) for part in path._point)
    kernels.relative_units(*path._arguments, *units)
    nus = path._expand(solve_linear, units)
    length = 1.5 * path._sizes(nus, units)
    errors = []
    for share in (1.0, 0.5):
        for X, value in zip(path._terms, path._point, strict=True):
            series.sum_series(X, share * length, value, np.empty_like(value))
        np.testing.assert_allclose(problem.velocity(path.state.p), path.state.y, atol=1e-12 * np.abs(problem.q).max())
        nu = float(np.polynomial.Polynomial(nus)(share * length))
        errors.append(abs(nu) / path.nu * path._off_centre(nu))
    assert 1e-7 < errors[0] < 0.1
    assert errors[1] < max(errors[0] / 2.0 ** (ORDER - 3), CENTRED)


@pytest.mark.parametrize("formulation", ["exact", "relaxed", "compliant"])
@pytest.mark.parametrize("law", DISKS)
def test_path_ends_at_a_solution(law: str, formulation: str):
    rows = of_one_law(law).row_count
    compliance = np.full(rows, 1e-3) if formulation == "compliant" else None
    for seed in range(5):
        problem = of_one_law(law, seed=seed, formulation=formulation, compliance=compliance)
        solution = solve(problem, "interior-point", turns=True, tolerance=1e-10, max_iterations=1000)
        assert solution.residual <= 1e-10


@pytest.mark.parametrize("most", [1, 50, 300, 2000])
def test_limit_of_iterations_bounds_sweeps_and_factorisations(most: int):
    # a tolerance below round-off is never met: only the limit ends it, and one factorisation may pass it
    problem = of_one_law("Rolling", contacts=8).scaled
    monitor = Monitor(problem, 1e-30, most)
    p = np.zeros_like(problem.q)
    monitor.report(p, 0)
    Auto().run(problem, p, monitor)
    assert monitor.iterations <= most + 8 * monitor._price(2 * len(problem.q) ** 2)


def test_solving_again_gives_the_same_bits():
    problem = of_one_law("SlideRollSpin", contacts=40, bodies=30)
    first, second = (solve(problem, tolerance=1e-11).p for _ in range(2))
    assert np.array_equal(first, second)


def test_equations_in_velocities_of_bodies_have_the_solution_of_those_in_impulses():
    # 330 spheres in a heap: more than 1000 rows.  Both factors solve (A + B W) x = b, to the rounding of stiff equations
    model, state = build_model(PileScene(n=330).build())
    stepper = Grains(model, theta=1.0, tolerance=1e-3)
    for _ in range(60):
        stepper.step(state, 5e-3)
    contacts = stepper.detector.detect(state, 5e-3)
    start = np.concatenate([state.velocity, state.angular_velocity], axis=1)
    problem = stepper._rigid(contacts, state, start, start, 5e-3).scaled[0]
    assert has_body_matrix(problem)
    interior = InteriorState(problem)
    for _ in range(3):
        interior.advance(0.9)
    interior.linearise(0.0, interior.zero)
    b = np.random.default_rng(0).normal(size=len(problem.q)) * interior.p.max()
    x, expected = interior.factor()(b), interior.model.factor(0.0)(b)
    assert np.abs(x - expected).max() < 1e-9 * np.abs(expected).max()
