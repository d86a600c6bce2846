"""The relaxed problem is a convex programme; the compliant one tends to the exact one as contacts become stiff."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from small_problems import LAWS, of_one_law

from trundle import ContactProblem, laws, solve

# support functions that cvxpy can write down: norms of the rows times the coefficient, and their order
NORMS = {
    "Coulomb": [(("t1", "t2"), ("mu", "mu"), 2)],
    "Rolling": [(("t1", "t2"), ("mu", "mu"), 2), (("r1", "r2"), ("mu_r", "mu_r"), 2)],
    "SlideRollSpin": [(("t1", "t2"), ("mu", "mu"), 2), (("s",), ("mu_s",), 2), (("r1", "r2"), ("mu_r", "mu_r"), 2)],
    "Roll": [(("r1", "r2"), ("mu_r", "mu_r"), 2)],
    "Spin": [(("s",), ("mu_s",), 2)],
    "Superellipse": [(("t1", "t2"), ("mu_x", "mu_y"), "dual of q")],
}
AS_NORMS = (
    "Coulomb",
    "Rolling",
    "SlideRollSpin",
    "Superellipse",
    "Superellipse, rhombus",
    "Superellipse x Roll x Spin",
)


def velocities_with_cvxpy(problem: ContactProblem, law: laws.Law) -> np.ndarray:
    """y of  min 1/2 (v - v_free) . M (v - v_free)  with  u_n >= sigma(-w)  at every contact, y = H v + b.

    The dual of our problem, solved by an interior point method for cones (Clarabel): strongly convex in v.
    """
    cp = pytest.importorskip("cvxpy")
    root = np.sqrt(np.diag(problem.M))
    x = cp.Variable(len(root))  # M^1/2 v
    y = (problem.H / root) @ x + problem.b
    constraints = []
    for c in range(problem.contact_count):
        rows = {row: y[c * law.d + i] for i, row in enumerate(law.rows)}
        sigma = 0.0
        for factor in law.factors if isinstance(law, laws.Product) else (law,):
            for names, coefficients, order in NORMS[type(factor).__name__]:
                if order == "dual of q":
                    order = np.inf if factor.q == 1.0 else factor.q / (factor.q - 1.0)
                parts = [getattr(factor, mu) * rows[row] for row, mu in zip(names, coefficients, strict=True)]
                sigma = sigma + cp.norm(cp.hstack(parts), order)
        constraints.append(rows["n"] >= sigma)
    programme = cp.Problem(cp.Minimize(0.5 * cp.sum_squares(x - problem.f / root)), constraints)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Solution may be inaccurate")  # it asks for all that double precision gives
        programme.solve(solver="CLARABEL", tol_gap_abs=1e-13, tol_gap_rel=1e-13, tol_feas=1e-11)
    assert programme.status in ("optimal", "optimal_inaccurate")
    return np.asarray(y.value)


@pytest.mark.parametrize("law", AS_NORMS)
@pytest.mark.parametrize("seed", range(2))
def test_relaxed_velocities_are_those_of_a_convex_programme(law: str, seed: int):
    problem = of_one_law(law, contacts=6, seed=seed, formulation="relaxed", form="global", pressing=0.5)
    expected = velocities_with_cvxpy(problem, LAWS[law])
    solution = solve(problem, tolerance=1e-12)
    assert solution.converged, solution.message
    # velocities are unique; with a gap of 1e-13 in the energy, those of the other solver are good to its root, 3e-7
    assert solution.y == pytest.approx(expected, abs=1e-6 * np.abs(problem.free_velocity).max())


@pytest.mark.parametrize("solver", ["newton", "interior-point", "nesterov", "admm", "apgd"])
def test_relaxed_velocities_are_the_same_by_every_method(solver: str):
    problem = of_one_law("SlideRollSpin", contacts=6, seed=3, formulation="relaxed")
    expected = solve(problem, tolerance=1e-12)
    solution = solve(problem, solver, tolerance=1e-9)
    assert solution.converged, solution.message
    # |dy|^2 <= |W| dp . W dp, so an error of 1e-9 in the residual may be 3e-5 in velocities along soft directions
    assert solution.y == pytest.approx(expected.y, abs=1e-5 * np.abs(problem.q).max())


@pytest.mark.parametrize("law", [name for name in LAWS if "non-associated" not in name])
def test_relaxed_contacts_open_at_the_speed_of_the_law(law: str):
    # Acary & Bourrier (2021), eq. (48): u_n = mu |u_T| + mu_r |w_R| (in general sigma(-w)) at loaded contacts
    problem = of_one_law(law, contacts=4, bodies=4, seed=1, formulation="relaxed", pressing=0.5)
    solution = solve(problem, tolerance=1e-13)
    y, p = solution.y.reshape(4, -1), solution.p.reshape(4, -1)
    loaded = p[:, 0] > 1e-6 * p[:, 0].max()
    assert loaded.sum() >= 2
    opening = problem.dilatancy(solution.p)
    scale = np.abs(problem.q).max()
    assert y[loaded, 0] == pytest.approx(opening[loaded], abs=1e-9 * scale)
    assert opening[loaded] == pytest.approx(LAWS[law].support(-y[:, 1:])[loaded], rel=1e-12)
    assert opening.max() > 1e-3 * scale
    # ... and the contact does not dissipate: y . p = 0, eq. (47)
    assert np.sum(y * p, axis=1) == pytest.approx(np.zeros(4), abs=1e-9 * scale * np.abs(p).max())


def test_relaxed_and_exact_problem_agree_where_nothing_slides():
    W = np.diag([2.0, 3.0, 3.0])
    q = [-1.0, 0.3, 0.0]  # f_t = -0.1, r_n = 0.5: inside the cone of mu = 0.5
    for formulation in ("exact", "relaxed"):
        solution = solve(ContactProblem(laws.Coulomb(0.5), W=W, q=q, formulation=formulation), tolerance=1e-14)
        assert solution.p == pytest.approx([0.5, -0.1, 0.0], rel=1e-13, abs=1e-14)


@pytest.mark.parametrize("law", ["Coulomb", "Rolling", "SlideRollSpin", "Contensou"])
def test_stiff_contacts_tend_to_rigid_ones(law: str):
    # y_E = (W + E) p + q -> y as E -> 0, at first order in E
    rigid = of_one_law(law, contacts=4, bodies=4, seed=1)
    expected = solve(rigid, tolerance=1e-13).y
    errors = []
    for softness in (1e-4, 1e-6, 1e-8):
        E = softness * np.diag(rigid.W)
        problem = ContactProblem(rigid.laws, W=rigid.W, q=rigid.q, formulation="compliant", compliance=E)
        solution = solve(problem, tolerance=1e-13)
        assert solution.converged, solution.message
        motion = solution.y - E * solution.p  # without the contacts' own deflection
        errors.append(np.abs(motion - expected).max() / np.abs(rigid.q).max())
    assert errors[0] < 1e-2
    assert errors[1] < 0.02 * errors[0]  # 100 times stiffer: 100 times closer
    assert errors[2] < 0.02 * errors[1] + 1e-12


def test_compliance_shares_the_load_of_redundant_contacts_equally():
    # Two equal contacts under one body: r_n is unique only with compliance, and then half of the load each.
    W = np.kron(np.ones((2, 2)), np.diag([1.0, 1.0, 1.0]))
    E = np.full(6, 1e-3)
    problem = ContactProblem(laws.Coulomb(0.5), W=W, q=[-1.0, 0, 0] * 2, formulation="compliant", compliance=E)
    p = solve(problem, tolerance=1e-13).p.reshape(2, 3)
    # a residual of 1e-13 |q| leaves the difference of the two, which only E = 1e-3 resists, free by |q| 1e-10
    assert p[:, 0] == pytest.approx([1.0 / 2.001] * 2, abs=1e-10 * np.sqrt(2.0))


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("formulation", ["exact", "relaxed", "compliant"])
def test_global_and_reduced_form_have_the_same_solution(law: str, formulation: str):
    keywords = {"contacts": 4, "bodies": 4, "seed": 2, "formulation": formulation}
    if formulation == "compliant":
        keywords["compliance"] = np.full(4 * LAWS[law].d, 1e-3)
    whole = of_one_law(law, form="global", **keywords)
    reduced = of_one_law(law, **keywords)
    one, other = solve(whole, tolerance=1e-12), solve(reduced, tolerance=1e-12)
    assert one.converged
    assert other.converged
    assert one.y == pytest.approx(other.y, abs=1e-9 * np.abs(reduced.q).max())
    assert whole.residual(other.p) <= 1e-11
