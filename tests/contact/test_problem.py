"""The contact problem as data, and its residual as the only judge of a solution."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

import numpy as np
import pytest
import scipy.sparse as sp

from trundle import ContactProblem, LawError, ProblemError, TrundleWarning, laws

EPS = np.finfo(float).eps
ROUNDING = 20 * EPS  # some rounding errors of a sum of a few terms, relative to the largest


def random_matrix(rng: np.random.Generator, rows: int, rank: int | None = None) -> np.ndarray:
    """A positive (semi-)definite matrix, shape (rows, rows)."""
    H = rng.normal(size=(rows, rank or rows + 2))
    W = H @ H.T
    return 0.5 * (W + W.T)


# --- closed-form solutions of one contact ----------------------------------------------------------------

# W of one contact is diagonal here: u_n = W_n r_n + q_n, and every friction group g has w_g = W_g f_g + q_g.
W_N, W_T, W_S, W_R = 2.0, 3.0, 400.0, 500.0  # [1/kg], [1/kg], [1/(kg m^2)], [1/(kg m^2)]
MU, MU_R, MU_S = 0.5, 0.02, 0.01
DIAGONAL = np.array([W_N, W_T, W_T, W_S, W_R, W_R])


def loads_and_velocities(moving: bool, size: float, W_g: float, direction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Load of one friction group and the free velocity that goes with it, for a bound of the given size.

    Moving: f = -size direction at the bound, w = 2 W_g size direction against it, so q = w - W_g f.
    Sticking: f = -size direction / 2 within the bound, w = 0, so q = -W_g f.
    """
    f = -size * direction if moving else -0.5 * size * direction
    w = 2.0 * W_g * size * direction if moving else np.zeros_like(direction)
    return f, w - W_g * f


@pytest.mark.parametrize(("slides", "spins", "rolls"), list(itertools.product([False, True], repeat=3)))
def test_residual_is_zero_at_every_combination_of_sliding_spinning_and_rolling(slides: bool, spins: bool, rolls: bool):
    r_n = 0.7
    along, across = np.array([0.6, -0.8]), np.array([-0.28, 0.96])
    f_t, q_t = loads_and_velocities(slides, MU * r_n, W_T, along)
    f_s, q_s = loads_and_velocities(spins, MU_S * r_n, W_S, np.array([1.0]))
    f_r, q_r = loads_and_velocities(rolls, MU_R * r_n, W_R, across)
    q = np.concatenate([[-W_N * r_n], q_t, q_s, q_r])
    p = np.concatenate([[r_n], f_t, f_s, f_r])
    law = laws.SlideRollSpin(mu=MU, mu_r=MU_R, mu_s=MU_S)
    problem = ContactProblem(law, W=np.diag(DIAGONAL), q=q)
    assert problem.residual(p) <= ROUNDING
    names = [name for name, on in (("sliding", slides), ("spinning", spins), ("rolling", rolls)) if on]
    assert problem.modes(p).tolist() == ["+".join(names) or "sticking"]


def test_residual_is_zero_at_take_off_without_impulse_and_not_with_one():
    law = laws.SlideRollSpin(mu=MU, mu_r=MU_R, mu_s=MU_S)
    problem = ContactProblem(law, W=np.diag(DIAGONAL), q=[0.3, 1.0, -2.0, 5.0, 1.0, 0.0])
    assert problem.residual(np.zeros(6)) == 0.0
    assert problem.residual([0.1, 0.0, 0.0, 0.0, 0.0, 0.0]) > 1e-3
    assert problem.modes(np.zeros(6)).tolist() == ["take-off"]


@pytest.mark.parametrize("direction", [1.0, -1.0])
@pytest.mark.parametrize("coupling", [-0.8, 0.8])
def test_coupling_of_normal_and_sliding_rows_changes_the_load_of_a_sliding_contact(direction: float, coupling: float):
    # Sliding along +-t: f = -+mu r_n, and u_n = W_nn r_n + W_nt f + q_n = 0 gives
    # r_n = -q_n / (W_nn - direction mu W_nt).
    W = np.array([[W_N, coupling], [coupling, W_T]])
    q = np.array([-1.0, direction * 10.0])
    r_n = 1.0 / (W_N - direction * MU * coupling)
    p = np.array([r_n, -direction * MU * r_n])
    problem = ContactProblem(laws.Coulomb2D(MU), W=W, q=q)
    y = problem.velocity(p)
    assert abs(y[0]) <= ROUNDING
    assert direction * y[1] > 0.0
    assert problem.residual(p) <= ROUNDING
    assert problem.modes(p).tolist() == ["sliding"]


def test_coupled_contact_sticks_with_the_impulse_that_stops_it():
    rng = np.random.default_rng(1)
    W = random_matrix(rng, 5)
    p = np.array([1.0, 0.2, -0.1, 0.005, 0.01])  # inside the cone: |f_t| < 0.5, |m_r| < 0.02
    problem = ContactProblem(laws.Rolling(mu=MU, mu_r=MU_R), W=W, q=-W @ p)
    assert problem.residual(p) <= ROUNDING
    assert problem.modes(p).tolist() == ["sticking"]


def test_relaxed_contact_opens_while_it_slides():
    # Acary & Bourrier (2021), eq. (48): u_n = mu |u_t| wherever the relaxed contact is loaded and slides.
    # W = diag(a, b), sliding along +t: a r + q_n = mu (q_t - b mu r)  =>  r = (mu q_t - q_n) / (a + b mu^2).
    q = np.array([-1.0, 1.0])
    r_n = (MU * q[1] - q[0]) / (W_N + W_T * MU**2)
    p = np.array([r_n, -MU * r_n])
    given = {"W": np.diag([W_N, W_T]), "q": q}
    relaxed = ContactProblem(laws.Coulomb2D(MU), **given, formulation="relaxed")
    u_n, u_t = relaxed.velocity(p)
    assert u_n == pytest.approx(MU * u_t, rel=ROUNDING)
    assert relaxed.residual(p) <= ROUNDING
    assert relaxed.dilatancy(p) == pytest.approx([u_n], rel=ROUNDING)
    exact = ContactProblem(laws.Coulomb2D(MU), **given)
    assert exact.residual(p) > 1e-2  # the exact law has u_n = 0 there
    assert exact.dilatancy(p).tolist() == [0.0]


def test_compliant_contact_sinks_in_by_its_compliance():
    # (W + E) r_n + q_n = 0
    problem = ContactProblem(
        laws.Coulomb(MU), W=np.zeros((3, 3)), q=[-1.0, 0.0, 0.0], formulation="compliant", compliance=[0.25, 0.5, 0.5]
    )
    assert problem.residual([4.0, 0.0, 0.0]) <= ROUNDING
    assert problem.velocity([4.0, 0.0, 0.0]).tolist() == [0.0, 0.0, 0.0]


def test_compliance_may_be_a_matrix_and_adds_to_the_given_one():
    rng = np.random.default_rng(2)
    W, E = random_matrix(rng, 3), random_matrix(rng, 3)
    keywords = {"W": W, "q": rng.normal(size=3), "formulation": "compliant"}
    p = rng.normal(size=3)
    for given in (E, sp.csr_array(E)):
        problem = ContactProblem(laws.Coulomb(MU), **keywords, compliance=given)
        assert problem.velocity(p) == pytest.approx((W + E) @ p + problem.q, rel=ROUNDING)


# --- joints ----------------------------------------------------------------------------------------------


def test_joint_rows_stand_beside_a_contact_and_have_no_velocity():
    # p = -W^-1 q stops everything: a solution as long as the contact's part lies in its cone.
    rng = np.random.default_rng(3)
    W = random_matrix(rng, 6)
    p = np.array([-7.0, 4.0, 1.0, 0.1, 0.2, -3.0])  # joint, joint, contact (n, t1, t2), joint
    all_laws = [laws.Bilateral(2), laws.Coulomb(MU), laws.Bilateral()]
    problem = ContactProblem(all_laws, W=W, q=-W @ p)
    assert problem.contact_count == 1
    assert problem.counts == (1, 1, 1)
    assert problem.residual(p) <= 100 * EPS  # the sums have terms of size 7 |W|, |q| is of size 1
    assert problem.modes(p).tolist() == ["sticking"]
    moved = p.copy()
    moved[0] += 1.0
    assert problem.residual(moved) > 1e-2


@pytest.mark.parametrize(("q", "p", "u"), [(-1.0, 0.2, -0.4), (1.0, -0.2, 0.4), (0.3, -0.1, 0.0)])
def test_bounded_row_holds_up_to_its_limit_whatever_the_load(q: float, p: float, u: float):
    # one row, W = 3, limit 0.2: |f| <= 0.2, sliding against f beyond it
    problem = ContactProblem([laws.Bounded(0.2)], W=[[3.0]], q=[q])
    assert problem.velocity([p]) == pytest.approx([u], abs=EPS)
    assert problem.residual([p]) <= ROUNDING
    assert problem.contact_count == 0
    assert problem.modes([p]).tolist() == []


def test_bounded_row_beside_a_contact_does_not_feel_its_load():
    W = np.diag([2.0, 3.0, 3.0, 5.0])
    problem = ContactProblem([laws.Coulomb(MU), laws.Bounded(0.1)], W=W, q=[-2.0, 0.0, 0.0, 4.0])
    assert problem.residual([1.0, 0.0, 0.0, -0.1]) <= ROUNDING
    assert problem.residual([1.0, 0.0, 0.0, -0.2]) > 1e-2


# --- forms -----------------------------------------------------------------------------------------------


def global_problem(rng: np.random.Generator, formulation: str = "exact", sparse: bool = False) -> ContactProblem:
    """Two contacts of 5 rows and two joint rows on 9 degrees of freedom."""
    M, H = random_matrix(rng, 9), rng.normal(size=(12, 9))
    all_laws = [laws.Rolling(mu=np.array([0.3, 0.5]), mu_r=np.array([0.1, 0.2])), laws.Bilateral(2)]
    compliance = np.full(12, 0.1) if formulation == "compliant" else None
    given = {"M": sp.csc_array(M), "H": sp.coo_array(H)} if sparse else {"M": M, "H": H}
    f, b = rng.normal(size=9), rng.normal(size=12)
    return ContactProblem(all_laws, **given, f=f, b=b, formulation=formulation, compliance=compliance)


@pytest.mark.parametrize("formulation", ["exact", "relaxed", "compliant"])
@pytest.mark.parametrize("sparse", [False, True])
def test_global_and_reduced_form_have_the_same_velocities_and_residual(formulation: str, sparse: bool):
    rng = np.random.default_rng(4)
    problem = global_problem(rng, formulation, sparse)
    reduced = problem.to_reduced()
    assert (problem.form, reduced.form, reduced.formulation) == ("global", "reduced", formulation)
    assert problem.to_global() is problem
    assert reduced.to_reduced() is reduced
    E = 0.1 if formulation == "compliant" else 0.0
    dense = [a.toarray() if sp.issparse(a) else a for a in (problem.M, problem.H)]
    condition = np.linalg.cond(dense[0])
    for _ in range(5):
        p = rng.normal(size=12)
        # independent of the package: v from M v = f + H^T p, then y = H v + b + E p
        v = np.linalg.solve(dense[0], problem.f + dense[1].T @ p)
        y = dense[1] @ v + problem.b + E * p
        # linear solves lose the condition of M
        assert problem.velocity(p) == pytest.approx(y, abs=condition * ROUNDING * np.abs(y).max())
        assert reduced.velocity(p) == pytest.approx(problem.velocity(p), abs=condition * ROUNDING * np.abs(y).max())
        assert reduced.residual(p) == pytest.approx(problem.residual(p), rel=condition * ROUNDING)


@pytest.mark.parametrize("rank", [None, 4])
@pytest.mark.parametrize("sparse", [False, True])
def test_reduced_form_survives_the_way_to_global_and_back(rank: int | None, sparse: bool):
    rng = np.random.default_rng(5)
    W = random_matrix(rng, 9, rank)
    problem = ContactProblem(laws.Coulomb(MU), W=sp.csr_array(W) if sparse else W, q=rng.normal(size=9))
    whole = problem.to_global()
    back = whole.to_reduced()
    assert whole.H.shape == (9, rank or 9)
    matrix = back.W.toarray() if sp.issparse(back.W) else back.W
    # eigenvectors are exact to round-off of the largest eigenvalue
    assert matrix == pytest.approx(W, abs=9 * ROUNDING * np.abs(W).max())
    assert back.q == pytest.approx(problem.q, rel=ROUNDING)
    p = rng.normal(size=9)
    assert whole.residual(p) == pytest.approx(problem.residual(p), rel=1e-12)


def test_asymmetric_matrix_has_no_global_form():
    W = np.eye(3)
    W[0, 1] = 1e-4
    with pytest.warns(TrundleWarning):
        problem = ContactProblem(laws.Coulomb(MU), W=W, q=np.ones(3), source="rover.dat")
    with pytest.raises(ProblemError, match=r"rover\.dat: W is not symmetric .*no global form.*Symmetrise"):
        problem.to_global()


@pytest.mark.parametrize("convert", [sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix, np.asfortranarray, list])
def test_matrix_may_be_dense_sparse_or_a_list(convert: Callable):
    rng = np.random.default_rng(6)
    W, q, p = random_matrix(rng, 6), rng.normal(size=6), rng.normal(size=6)
    expected = ContactProblem(laws.Coulomb(MU), W=W, q=q).residual(p)
    given = convert(W) if convert is not list else W.tolist()
    assert ContactProblem(laws.Coulomb(MU), W=given, q=q.tolist()).residual(p) == pytest.approx(expected, rel=ROUNDING)


def test_impulses_may_be_flat_or_one_row_per_contact():
    rng = np.random.default_rng(7)
    problem = ContactProblem(laws.Coulomb(MU), W=random_matrix(rng, 6), q=rng.normal(size=6))
    p = rng.normal(size=(2, 3))
    assert problem.residual(p) == problem.residual(p.ravel())
    assert problem.velocity(p).shape == (6,)
    (part,) = problem.split(p.ravel())
    assert part.tolist() == p.tolist()


def test_one_law_stands_for_as_many_contacts_as_it_has_coefficients():
    rng = np.random.default_rng(8)
    W, q, p = random_matrix(rng, 9), rng.normal(size=9), rng.normal(size=9)
    apart = ContactProblem([laws.Coulomb(0.1), laws.Coulomb(0.2), laws.Coulomb(0.3)], W=W, q=q)
    together = ContactProblem(laws.Coulomb(np.array([0.1, 0.2, 0.3])), W=W, q=q)
    assert together.counts == (3,)
    assert together.residual(p) == apart.residual(p)
    same = ContactProblem(laws.Coulomb(0.2), W=W, q=q)
    assert same.counts == (3,)
    assert same.contact_count == 3


# --- the residual ----------------------------------------------------------------------------------------


def spinning_problem(rng: np.random.Generator, contacts: int = 4) -> tuple[laws.Law, np.ndarray, np.ndarray]:
    law = laws.SlideRollSpin(
        mu=rng.uniform(0.1, 1.0, contacts), mu_r=rng.uniform(0.0, 0.1, contacts), mu_s=rng.uniform(0.0, 0.1, contacts)
    )
    return law, random_matrix(rng, 6 * contacts), rng.normal(size=6 * contacts)


@pytest.mark.parametrize("formulation", ["exact", "relaxed"])
@pytest.mark.parametrize(("length", "mass", "time"), [(1e3, 1.0, 1.0), (1.0, 1e-3, 60.0), (39.37, 2.2046, 1e3)])
def test_residual_does_not_depend_on_the_units(formulation: str, length: float, mass: float, time: float):
    rng = np.random.default_rng(9)
    law, W, q = spinning_problem(rng)
    p = rng.normal(size=len(q))
    # numbers in the new units are the old ones times: velocities and impulses by row
    force, moment = [length / time] * 3, [1.0 / time] * 3
    D_y = np.tile(force + moment, 4)
    D_p = np.tile([mass * length / time] * 3 + [mass * length**2 / time] * 3, 4)
    other = laws.SlideRollSpin(mu=law.mu, mu_r=law.mu_r * length, mu_s=law.mu_s * length)
    here = ContactProblem(law, W=W, q=q, formulation=formulation)
    there = ContactProblem(other, W=D_y[:, None] * W / D_p, q=D_y * q, formulation=formulation)
    # a few rounded operations per entry
    assert there.residual(D_p * p) == pytest.approx(here.residual(p), rel=1e-13)
    assert there.roundoff(D_p * p) == pytest.approx(here.roundoff(p), rel=1e-13)


def test_residual_does_not_depend_on_the_order_of_the_contacts():
    rng = np.random.default_rng(10)
    ellipse = laws.Superellipse(0.3, 0.5, q=4)
    all_laws = [laws.Coulomb(0.3), laws.Rolling(0.4, 0.1), laws.Bilateral(2), laws.Contensou(0.5, 0.2), ellipse]
    sizes = [law.d for law in all_laws]
    first = np.cumsum([0, *sizes])
    W, q, p = random_matrix(rng, first[-1]), rng.normal(size=first[-1]), rng.normal(size=first[-1])
    expected = ContactProblem(all_laws, W=W, q=q).residual(p)
    for _ in range(5):
        order = rng.permutation(len(all_laws))
        rows = np.concatenate([np.arange(first[c], first[c + 1]) for c in order])
        problem = ContactProblem([all_laws[c] for c in order], W=W[np.ix_(rows, rows)], q=q[rows])
        assert problem.residual(p[rows]) == pytest.approx(expected, rel=1e-13)


def test_residual_is_relative_to_the_free_velocity():
    rng = np.random.default_rng(11)
    law, W, q = spinning_problem(rng)
    p = rng.normal(size=len(q))
    expected = ContactProblem(law, W=W, q=q).residual(p)
    assert ContactProblem(law, W=W, q=1e6 * q).residual(1e6 * p) == pytest.approx(expected, rel=1e-13)


def test_residual_without_impulse_is_at_most_one_and_is_one_if_all_is_to_be_stopped():
    # p = 0: the natural map is proj_K(-rho y-hat) / rho, a projection of q-hat, and q-hat = q if nothing slides
    problem = ContactProblem(laws.Coulomb(MU), W=np.eye(3), q=[-2.0, 0.0, 0.0])
    assert problem.residual(np.zeros(3)) == pytest.approx(1.0, rel=ROUNDING)
    assert ContactProblem(laws.Coulomb(MU), W=np.eye(3), q=[2.0, 1.0, 0.0]).residual(np.zeros(3)) == 0.0


def test_residual_is_absolute_where_nothing_moves_by_itself():
    problem = ContactProblem(laws.Coulomb(MU), W=np.eye(3), q=np.zeros(3))
    assert problem.residual(np.zeros(3)) == 0.0
    assert problem.residual([2.0, 0.0, 0.0]) == pytest.approx(2.0, rel=ROUNDING)  # u_n = 2 at a loaded contact


def test_residual_of_sliding_friction_is_that_of_the_notation():
    # independent of the package, with rho = 1 / max diag(W): exact, normal and friction part apart; relaxed, eq. (61) of the
    # paper, with Proposition 5.2 for one disk; Siconos, eq. (61) with De Saxce's term and rho = 1
    def project(x: np.ndarray, mu: float) -> np.ndarray:
        r, norm = x[0], np.hypot(x[1], x[2])
        if norm <= mu * r:
            return x
        if mu * norm <= -r:
            return np.zeros(3)
        r = (r + mu * norm) / (1.0 + mu * mu)
        return np.array([r, *(mu * r * x[1:] / norm)])

    rng = np.random.default_rng(12)
    for _ in range(20):
        W, q, p = random_matrix(rng, 3), rng.normal(size=3), rng.normal(size=3)
        rho = 1.0 / np.diag(W).max()
        y = W @ p + q
        corrected = y + np.array([MU * np.hypot(y[1], y[2]), 0.0, 0.0])
        r, f = max(0.0, p[0] - rho * y[0]), p[1:] - rho * y[1:]
        there = np.array([r, *(f * min(1.0, MU * r / np.hypot(*f)))])
        expected = np.linalg.norm(p - there) / rho / np.linalg.norm(q)
        siconos = np.linalg.norm(p - project(p - corrected, MU)) / np.linalg.norm(q)
        problem = ContactProblem(laws.Coulomb(MU), W=W, q=q)
        assert problem.residual(p) == pytest.approx(expected, rel=1e-13)
        relaxed = ContactProblem(laws.Coulomb(MU), W=W, q=q, formulation="relaxed")
        expected = np.linalg.norm(p - project(p - rho * y, MU)) / rho / np.linalg.norm(q)
        assert relaxed.residual(p) == pytest.approx(expected, rel=1e-13)
        assert problem.siconos_error(p) == pytest.approx(siconos, rel=1e-13)


def test_siconos_error_depends_on_the_units_and_vanishes_at_a_solution():
    law, W, q = laws.Rolling(MU, MU_R), np.diag([W_N, W_T, W_T, W_R, W_R]), np.array([-1.4, 0.0, 0.0, 20.0, 0.0])
    problem = ContactProblem(law, W=W, q=q)
    p = np.array([0.7, 0.0, 0.0, -MU_R * 0.7, 0.0])
    assert problem.siconos_error(p) <= ROUNDING
    wrong = p + np.array([0.0, 0.0, 0.0, 0.0, 1e-3])
    D = np.array([1e3, 1e3, 1e3, 1.0, 1.0])  # millimetres
    millimetres = ContactProblem(laws.Rolling(MU, 1e3 * MU_R), W=W * D[:, None] * D / 1e6, q=q * D)
    there = wrong * 1e6 / D
    assert millimetres.residual(there) == pytest.approx(problem.residual(wrong), rel=1e-12)
    assert abs(millimetres.siconos_error(there) / problem.siconos_error(wrong) - 1.0) > 0.1


def test_roundoff_bounds_what_rounding_of_the_velocity_does_to_the_residual():
    rng = np.random.default_rng(13)
    law, W, q = spinning_problem(rng)
    problem = ContactProblem(law, W=W, q=q)
    p = np.abs(rng.normal(size=len(q)))
    # relative to |q|, rounding of W p + q is at least eps and at most eps (|W| |p| + |q|) / |q|
    assert problem.roundoff(np.zeros(len(q))) == pytest.approx(EPS, rel=1e-12)
    assert problem.roundoff(1e3 * p) > EPS
    assert problem.roundoff(1e6 * p) == pytest.approx(1e3 * problem.roundoff(1e3 * p), rel=1e-2)


def test_solution_with_huge_cancelling_impulses_has_a_residual_of_roundoff():
    # A wedge: two contacts press a body from both sides with r_n = 1e8 each while |q| = 1.
    W = np.array([[1.0, -1.0], [-1.0, 1.0]])
    law = laws.Spin(0.0)
    both = np.kron(W, np.diag([1.0, 0.0]))
    problem = ContactProblem(law, W=both, q=[-1.0, 0.0, 1.0, 0.0])
    p = np.array([1e8 + 1.0, 0.0, 1e8, 0.0])
    assert problem.residual(p) <= 2.0 * problem.roundoff(p)
    assert 1e-9 < problem.roundoff(p) < 1e-7


# --- edges -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [laws.Coulomb(MU), ()])
def test_problem_without_contacts_has_no_rows_and_no_residual(given: laws.Law | tuple):
    problem = ContactProblem(given, W=np.zeros((0, 0)), q=np.zeros(0))
    assert (problem.row_count, problem.contact_count) == (0, 0)
    assert problem.residual(np.zeros(0)) == 0.0
    assert problem.velocity(np.zeros(0)).shape == (0,)
    assert problem.modes(np.zeros(0)).tolist() == []
    assert problem.dilatancy(np.zeros(0)).tolist() == []


def test_global_problem_without_contacts_is_as_good():
    problem = ContactProblem((), M=np.eye(3), H=np.zeros((0, 3)), f=np.ones(3), b=np.zeros(0))
    assert problem.residual(np.zeros(0)) == 0.0
    assert problem.to_reduced().row_count == 0


def test_contact_that_nothing_can_move_is_judged_by_the_step_of_the_others():
    # W of the second contact is zero: its own diagonal gives no step size.
    W = np.zeros((4, 4))
    W[:2, :2] = np.diag([2.0, 3.0])
    problem = ContactProblem(laws.Coulomb2D(MU), W=W, q=[-2.0, 0.0, 1.0, 0.0])
    assert problem.residual([1.0, 0.0, 0.0, 0.0]) <= ROUNDING
    assert np.isfinite(problem.residual([1.0, 0.0, 5.0, 1.0]))


# --- bad input: the place, the value, the remedy ---------------------------------------------------------


def refuse(match: str, **changes: object) -> None:
    """The problem with these changes is refused with a message that begins with its source."""
    given: dict = {"laws": laws.Coulomb(MU), "W": np.eye(3), "q": np.ones(3), "source": "pile.dat"} | changes
    given = {name: value for name, value in given.items() if value is not None}
    law = given.pop("laws")
    with pytest.raises(ProblemError, match=match) as caught:
        ContactProblem(law, **given)
    assert str(caught.value).startswith("pile.dat: ")


def test_matrix_that_is_not_symmetric_is_refused_with_its_asymmetry_and_the_likely_reason():
    W = np.eye(3)
    W[0, 2] = 0.5
    asymmetry = np.sqrt(2 * 0.25) / np.sqrt(3.25)  # |W - W^T| / |W| = 0.39
    refuse(rf"W is not symmetric: .* = {asymmetry:.1e} > 0\.01\. Rows and columns may be in different orders", W=W)
    refuse(r"M is not symmetric", W=None, q=None, M=W, H=np.eye(3), f=np.ones(3), b=np.ones(3))


def test_matrix_with_a_negative_eigenvalue_is_refused_with_its_value_and_the_remedy():
    expected = r"W is not positive semi-definite: its smallest eigenvalue is -5\.000e-01, its largest .* 1\.000e\+00"
    refuse(expected + r".*check signs and contact frames", W=np.diag([1.0, -0.5, 1.0]))
    refuse(expected, W=sp.csr_array(np.diag([1.0, -0.5, 1.0])))
    message = r"M is not positive semi-definite.*A mass matrix has no negative eigenvalue"
    refuse(message, W=None, q=None, M=-np.eye(3), H=np.eye(3), f=np.ones(3), b=np.ones(3))
    refuse(r"compliance is not positive semi-definite", formulation="compliant", compliance=np.diag([1.0, 1.0, -1.0]))


def test_negative_eigenvalue_of_a_large_sparse_matrix_is_found_without_eigenvalues():
    diagonal = np.ones(3000)
    diagonal[1234] = -0.1
    refuse(
        r"W is not positive semi-definite: it has an eigenvalue below",
        W=sp.diags_array(diagonal).tocsr(),
        q=np.ones(3000),
    )


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused_with_their_place(value: float):
    q = np.ones(3)
    q[1] = value
    refuse(rf"q\[1\] = {re.escape(str(value))}; all entries must be finite", q=q)
    W = np.eye(3)
    W[2, 2] = value
    refuse(r"W has 1 entries that are not finite; look for NaN or inf in its source", W=W)
    refuse(r"W has 1 entries that are not finite", W=sp.csr_array(W))
    refuse(r"compliance\[1\]", formulation="compliant", compliance=q)


def test_wrong_shapes_are_refused_with_both_shapes():
    refuse(r"W has shape \(3, 2\); the vectors say \(3, 3\)", W=np.ones((3, 2)))
    refuse(r"W has shape \(3,\); the vectors say \(3, 3\)", W=np.ones(3))
    refuse(r"q has shape \(3, 1\); it is a vector \(n,\)", q=np.ones((3, 1)))
    refuse(r"H has shape \(2, 3\); the vectors say \(3, 3\)", W=None, q=None, M=np.eye(3), H=np.ones((2, 3)),
           f=np.ones(3), b=np.ones(3))  # fmt: skip
    refuse(r"compliance: give 3 values >= 0, one per row", formulation="compliant", compliance=[1.0, 1.0])
    refuse(r"compliance: give 3 values >= 0, one per row", formulation="compliant", compliance=[1.0, 1.0, -1.0])


def test_text_instead_of_numbers_is_refused():
    refuse(r"q is not a vector of numbers", q=["fast", "slow", "slow"])
    refuse(r"W is not a matrix of numbers", W=[["a"] * 3] * 3)


def test_laws_that_do_not_fit_the_rows_are_refused_with_both_numbers():
    refuse(
        r"3 rows cannot be shared among contacts of 5 rows \(n, t1, t2, r1, r2\), which Rolling has",
        laws=laws.Rolling(0.3, 0.1),
    )
    refuse(r"the laws have 6 rows \(2 contacts\), the problem has 3", laws=laws.Coulomb(np.array([0.1, 0.2])))
    refuse(r"the laws have 4 rows \(2 contacts\), the problem has 3", laws=[laws.Coulomb(0.1), laws.Bilateral()])
    refuse(r"laws: 0\.3 is not a law; see trundle\.laws", laws=[0.3])


def test_unknown_formulation_is_refused_with_the_known_ones_and_a_guess():
    refuse(
        r"unknown formulation 'relax'. Known: compliant, exact, relaxed. Did you mean 'relaxed'\?", formulation="relax"
    )


def test_half_a_problem_is_refused_with_what_is_missing():
    refuse(r"given: W\. Give W and q \(reduced form\), or M, H, f and b \(global form\)", q=None)
    refuse(r"given: nothing\.", W=None, q=None)
    refuse(r"given: M, W, q\.", M=np.eye(3))


def test_compliance_belongs_to_its_formulation_and_only_to_it():
    refuse(r"formulation is 'compliant' and compliance is missing", formulation="compliant")
    refuse(r"formulation is 'exact' and compliance is given", compliance=[1.0, 1.0, 1.0])


@pytest.mark.parametrize("value", [-0.3, np.nan, np.inf])
def test_coefficients_below_zero_never_reach_a_problem(value: float):
    with pytest.raises(LawError, match=rf"Rolling: mu_r = {value:g} \(contact 1\) .*finite number >= 0 \[m\]"):
        laws.Rolling(mu=0.3, mu_r=np.array([0.1, value]))


def test_impulses_of_the_wrong_length_are_refused():
    problem = ContactProblem(laws.Coulomb(MU), W=np.eye(3), q=np.ones(3), source="pile.dat")
    for method in (problem.residual, problem.velocity, problem.roundoff, problem.siconos_error, problem.modes):
        with pytest.raises(ProblemError, match=r"pile\.dat: p has 4 entries; the problem has 3 rows"):
            method(np.ones(4))


# --- accepted with a warning -----------------------------------------------------------------------------


def test_slightly_asymmetric_matrix_is_used_as_it_is_with_a_warning():
    W = 2.0 * np.eye(3)
    W[0, 1] = 1e-3
    message = r"rover\.dat: W is not symmetric: .* = \d\.\de-04\. It is used as it is"
    with pytest.warns(TrundleWarning, match=message) as caught:
        problem = ContactProblem(laws.Coulomb(MU), W=W, q=[-1.0, 0.0, 0.0], source="rover.dat")
    assert caught[0].filename == __file__
    # treated honestly: the velocity is that of the given matrix, not of its symmetric part
    assert problem.velocity([0.0, 1.0, 0.0])[0] == -1.0 + 1e-3


def test_asymmetry_of_round_off_is_not_worth_a_word(recwarn: pytest.WarningsRecorder):
    W = np.eye(3)
    W[0, 1] = 1e-14
    ContactProblem(laws.Coulomb(MU), W=W, q=np.ones(3))
    assert not recwarn.list


def test_slightly_negative_eigenvalue_of_rounded_data_is_accepted_with_a_warning():
    with pytest.warns(TrundleWarning, match=r"W has a negative eigenvalue, above -1e-05 of its largest diagonal entry"):
        ContactProblem(laws.Coulomb(MU), W=np.diag([1.0, 1.0, -1e-7]), q=np.ones(3))


def test_checks_can_be_left_out_for_data_that_is_known_to_be_good():
    W = np.eye(3)
    W[0, 1] = 0.5
    assert ContactProblem(laws.Coulomb(MU), W=W, q=np.ones(3), check=False).W[0, 1] == 0.5
