"""The central path by power series, and the limit that bounds all work."""

from __future__ import annotations

import numpy as np
import pytest
import scipy
from small_problems import of_one_law

from trundle import HalfSpace, Scene, Sphere, solve
from trundle.bench import PileScene
from trundle.contact.rigid import RigidProblem
from trundle.contact.scaled import ScaledProblem
from trundle.laws import Rolling
from trundle.scene.model import build_model
from trundle.solve.auto import Auto
from trundle.solve.body_matrix import BodyMatrix
from trundle.solve.central_path import CENTRED, ORDER, _Path
from trundle.solve.contact_matrix import ContactMatrix
from trundle.solve.interior_state import InteriorState
from trundle.solve.kernels import interior as kernels
from trundle.solve.kernels import series
from trundle.solve.matrices import EntryMatrix
from trundle.solve.monitor import Monitor
from trundle.solve.proximal import ProximalPoint
from trundle.step.grains import Grains
from trundle.step.moreau_jean import MoreauJean

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


@pytest.fixture(scope="module")
def step() -> RigidProblem:
    """Contacts of 120 spheres that fell into a box."""
    model, state = build_model(PileScene(n=120).build())
    stepper = Grains(model, theta=1.0, tolerance=1e-3)
    for _ in range(60):
        stepper.step(state, 5e-3)
    contacts = stepper.detector.detect(state, 5e-3)
    free = np.concatenate([state.velocity, state.angular_velocity], axis=1) + 5e-3 * np.array(
        [0.0, 0.0, -9.81, 0.0, 0.0, 0.0]
    )
    return stepper._rigid(contacts, state, free, 5e-3, None)


@pytest.fixture(scope="module")
def heap(step: RigidProblem) -> ScaledProblem:
    return step.scaled[0]


@pytest.mark.parametrize("form", [BodyMatrix, ContactMatrix, EntryMatrix])
def test_all_forms_of_newtons_equations_have_the_solution_of_the_dense_matrix(heap: ScaledProblem, form: type):
    interior = InteriorState(heap)
    for _ in range(3):
        interior.advance(0.9)
    interior.linearise(0.0, interior.zero)
    model = interior.model
    shift = np.random.default_rng(1).uniform(0.0, 0.1, len(heap.q)) * model.unit
    A, B = (scipy.linalg.block_diag(*blocks_of(heap, values)) for values in (model.A, model.B))
    b = np.random.default_rng(0).normal(size=len(heap.q)) * interior.p.max()
    expected = np.linalg.solve(A + B @ (heap.matrix.toarray() + np.diag(shift)), b)
    x = form(heap, model.local).factorise(model.A, model.B, shift)(b)
    assert np.abs(x - expected).max() < 1e-9 * np.abs(expected).max()


def blocks_of(problem: ScaledProblem, values: np.ndarray) -> list[np.ndarray]:
    """Blocks of a block-diagonal matrix."""
    sizes = np.diff(problem.table.contact[:, 0])
    ends = np.cumsum(sizes**2)
    return [values[end - d * d : end].reshape(d, d) for d, end in zip(sizes, ends, strict=True)]


def test_a_solution_is_refined_where_its_factors_are_those_of_another_matrix(heap: ScaledProblem):
    """Where plain refinement leaves three quarters of the error in every round along directions that W does not move."""
    form, rows = BodyMatrix(heap, InteriorState(heap).model.local), np.diff(heap.table.contact[:, 0])
    B = np.concatenate([np.eye(d).ravel() for d in rows])
    A, b = B / np.repeat(heap.rho, rows**2), np.random.default_rng(3).normal(size=len(heap.q))
    factor = form.factorise(A, B, 3.0 / heap.rho_of_rows)

    def missing(x):
        return b - x / heap.rho_of_rows - heap.times(x)

    plain = factor(b)
    for _ in range(20):
        plain += factor(missing(plain))
    x, error = factor.refined(b)
    assert np.linalg.norm(missing(plain)) > 1e-4 * np.linalg.norm(b)
    assert np.linalg.norm(missing(x)) < 1e-6 * np.linalg.norm(b)
    assert error == pytest.approx(np.linalg.norm(missing(x)) / np.linalg.norm(b), rel=1e-6)


def test_a_softened_problem_yields_by_its_share(heap: ScaledProblem):
    soft, p = heap.softened(1e-3), np.random.default_rng(4).normal(size=len(heap.q))
    expected = heap.times(p) + 1e-3 * p / heap.rho_of_rows
    assert np.abs(soft.times(p) - expected).max() < 1e-13 * np.abs(expected).max()
    assert np.abs(soft.matrix @ p - expected).max() < 1e-13 * np.abs(expected).max()


def test_velocities_by_way_of_the_bodies_are_those_of_the_matrix(step: RigidProblem):
    heap, rows = step.scaled
    W = step.delassus(rows)
    p = np.random.default_rng(2).normal(size=len(heap.q))
    expected = W @ p
    assert np.abs(heap.times(p) - expected).max() < 1e-13 * np.abs(expected).max()
    assert abs(heap.matrix - W).max() < 1e-13 * abs(W).max()


def test_spheres_locked_on_a_plane_open_a_contact_that_their_gap_contradicts():
    # Two spheres stick to a plane in all rows.  The contact between them may close a gap of 1e-9 m in a step of 1 ms, but nothing
    # can move them, and its impulse is not determined: the solution has none.  Found in a few steps from a wrong impulse
    scene = Scene()
    scene.add(HalfSpace(), name="plane", fixed=True, surface="s")
    for i, x in enumerate((0.0, 0.02 + 1e-9)):
        scene.add(Sphere(radius=0.01), name=f"ball{i}", density=1300.0, position=(x, 0.0, 0.01), surface="s")
    scene.surface("s", "s", law=Rolling(mu=1.0, mu_r=0.01))
    model, state = build_model(scene)
    stepper = MoreauJean(model, theta=1.0, tolerance=1e-12)
    stepper.advance(state, 1e-3, 1)
    problem = RigidProblem(*stepper._inputs()).scaled[0]
    p, normal = np.zeros_like(problem.q), problem.table.contact[:-1, 0]
    weight = 9.81e-3 * float(model.mass[1])
    pair = normal[np.all(problem.bodies.body >= 0, axis=1)]
    p[normal], p[pair] = weight, 0.3 * weight
    monitor = Monitor(problem, 1e-10, 40)
    monitor.report(p, 0)
    assert monitor.residual > 1e-8
    ProximalPoint(problem, 1e-5).descend(p, monitor)
    assert monitor.converged
    assert np.all(monitor.best[pair] == 0.0)
