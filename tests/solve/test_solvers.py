"""Every solver by name, on every law, joint and edge case: the problem's residual is the judge."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

import numpy as np
import pytest
from small_problems import INERTIA, LAWS, MASS, RADIUS, of_one_law, spheres

from trundle import ContactProblem, SolverError, TrundleWarning, laws, solve
from trundle.laws.kernels.curves import SUPERELLIPSE
from trundle.laws.kernels.sections import DISK, FREE
from trundle.solve import SOLVERS, solver_named
from trundle.solve.gauss_seidel import GaussSeidel

TOLERANCE = 1e-8
EPS = np.finfo(float).eps
# Those that also get through redundant contacts, where W is singular, in a bounded number of iterations.
STRONG = ("auto", "nesterov", "newton", "interior-point")
PLAIN_SWEEPS = ("gauss-seidel", "apgd", "admm")
SLOW = tuple(name for name in SOLVERS if name not in (*STRONG, *PLAIN_SWEEPS))


def pairs(solvers: Iterable[str], known: dict[str, laws.Law]) -> list[tuple[str, str]]:
    """Solvers and laws, but for the interior point method only laws made of disks, intervals, ellipses and free rows."""
    simple = [
        name for name, law in known.items()
        if all(b.kind in (DISK, FREE) or (b.kind == SUPERELLIPSE and b.coef[2] == 2.0) for b in law.blocks())
    ]  # fmt: skip
    return [(solver, law) for solver in solvers for law in (simple if solver == "interior-point" else known)]


@pytest.mark.parametrize(("solver", "law"), pairs(SOLVERS, LAWS))
def test_every_solver_solves_every_law(solver: str, law: str):
    problem = of_one_law(law, contacts=4, bodies=4)
    solution = solve(problem, solver, tolerance=TOLERANCE)
    assert solution.converged, solution.message
    assert solution.residual == problem.residual(solution.p) <= TOLERANCE
    assert solution.solver == solver
    assert solution.y == pytest.approx(problem.W @ solution.p + problem.q, abs=100 * EPS * np.abs(problem.q).max())


@pytest.mark.parametrize(("solver", "law"), pairs(STRONG, LAWS))
@pytest.mark.parametrize("seed", range(3))
def test_strong_solvers_solve_redundant_contacts(solver: str, law: str, seed: int):
    # 8 contacts hold 3 spheres: 16 to 48 rows, but W = H M^-1 H^T has rank 18 at most, and is singular for most laws
    problem = of_one_law(law, contacts=8, seed=seed)
    solution = solve(problem, solver, tolerance=TOLERANCE)
    assert solution.converged, solution.message


@pytest.mark.parametrize("solver", [*PLAIN_SWEEPS, *SLOW])
def test_other_solvers_come_closer_to_redundant_contacts_with_every_iteration(solver: str):
    # Their rate depends on the smallest eigenvalue of W, which is 0 here: sublinear, so 100 times more iterations are
    # asked for 10 times less residual, no more.
    problem = of_one_law("Rolling", contacts=8, seed=0)
    few = solve(problem, solver, tolerance=TOLERANCE, max_iterations=100)
    many = solve(problem, solver, tolerance=TOLERANCE, max_iterations=10_000)
    assert many.residual <= max(TOLERANCE, 0.1 * few.residual)
    assert many.residual < 1e-3


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name != "interior-point"])
def test_every_solver_takes_all_laws_in_one_problem(solver: str):
    problem = spheres(list(LAWS.values()), bodies=len(LAWS), joint_rows=3)
    assert problem.contact_count == len(LAWS)
    solution = solve(problem, solver, tolerance=TOLERANCE)
    assert solution.converged, solution.message
    assert problem.split(solution.y)[-1] == pytest.approx(np.zeros((1, 3)), abs=1e-6)  # the joint holds


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_takes_joints_and_bounded_rows_beside_contacts(solver: str):
    contacts = spheres([LAWS["Coulomb"]] * 3 + [LAWS["Rolling"]], bodies=4, joint_rows=4)
    m = contacts.row_count
    # one more row, alone: dry friction of a hinge, limit 0.1, W = 5, driven at 4: slides at 4 - 0.5
    W = np.zeros((m + 1, m + 1))
    W[:m, :m], W[m, m] = contacts.W, 5.0
    problem = ContactProblem([*contacts.laws, laws.Bounded(0.1)], W=W, q=np.append(contacts.q, 4.0))
    solution = solve(problem, solver, tolerance=TOLERANCE)
    assert solution.converged, solution.message
    joint = problem.split(solution.y)[-2]
    # residual is relative to |q|, and joint velocities are part of it
    assert np.linalg.norm(joint) <= TOLERANCE * np.linalg.norm(problem.scaled.q)
    assert solution.p[-1] == pytest.approx(-0.1, rel=1e-6)
    assert solution.y[-1] == pytest.approx(3.5, rel=1e-6)


WITH_ZEROS: dict[str, laws.Law] = {
    "Coulomb(0)": laws.Coulomb(0.0),
    "Rolling(mu, 0)": laws.Rolling(0.4, 0.0),
    "Rolling2D(0, mu_r)": laws.Rolling2D(0.0, 0.004),
    "SlideRollSpin(0, 0, 0)": laws.SlideRollSpin(0.0, 0.0, 0.0),
    "Superellipse(mu_x, 0)": laws.Superellipse(0.5, 0.0, q=3.0),
    "Superellipse(0, mu_y), rhombus": laws.Superellipse(0.0, 0.3, q=1.0),
    "Superellipse(0, 0), rectangle": laws.Superellipse(0.0, 0.0, q=np.inf),
    "Contensou(mu, 0)": laws.Contensou(0.4, 0.0),
    "Contensou(0, radius)": laws.Contensou(0.0, 0.01),
    "Superellipse(0, 0) x Roll x Spin(0)": laws.Superellipse(0.0, 0.0, q=4.0) * laws.Roll(0.004) * laws.Spin(0.0),
}


@pytest.mark.parametrize(("solver", "law"), pairs(SOLVERS, WITH_ZEROS))
def test_every_solver_takes_zero_coefficients(solver: str, law: str):
    problem = spheres([WITH_ZEROS[law]] * 4, bodies=4)
    solution = solve(problem, solver, tolerance=TOLERANCE)
    assert solution.converged, solution.message
    assert np.all(np.isfinite(solution.p))


def test_without_friction_the_solution_is_that_of_nonnegative_least_squares():
    # mu = 0: minimise |A r + b|^2 with A = M^-1/2 H_n^T, b = M^1/2 v over r >= 0; independent of the package
    import scipy.optimize

    problem = spheres([laws.Coulomb(0.0)] * 8, bodies=3, seed=2, form="global")
    H, root = problem.H[::3], np.sqrt(np.diag(problem.M))
    r, _ = scipy.optimize.nnls(H.T / root[:, None], -problem.f / root)
    expected = H @ (problem.f / root**2 + H.T @ r / root**2)
    solution = solve(problem, tolerance=1e-13)
    # velocities are unique; nnls is good to about 1e-12
    assert solution.y[::3] == pytest.approx(expected, abs=1e-10 * np.abs(problem.free_velocity).max())
    assert not solution.p.reshape(-1, 3)[:, 1:].any()


@pytest.mark.parametrize("solver", SOLVERS)
def test_one_contact_is_enough(solver: str):
    # a sphere meets the ground at u_n = -1, u_t = 3: it slides, r_n = m u_n and f_t = -mu r_n
    W = np.diag([1.0 / MASS, 3.5 / MASS, 3.5 / MASS])  # 1/m + R^2 / (2/5 m R^2)
    problem = ContactProblem(laws.Coulomb(0.4), W=W, q=[-1.0, 3.0, 0.0])
    solution = solve(problem, solver, tolerance=1e-10)
    assert solution.p == pytest.approx([MASS, -0.4 * MASS, 0.0], abs=1e-8)
    assert solution.y == pytest.approx([0.0, 3.0 - 3.5 * 0.4, 0.0], abs=1e-8)
    assert solution.modes.tolist() == ["sliding"]


@pytest.mark.parametrize(("solver", "formulation"), [(s, f) for s in SOLVERS for f in SOLVERS[s].formulations])
def test_resting_bodies_need_no_impulse_and_no_iteration(solver: str, formulation: str):
    problem = of_one_law("Rolling", contacts=4, formulation=formulation, compliance=_some(20, formulation))
    at_rest = ContactProblem(
        problem.laws, W=problem.W, q=np.zeros(20), formulation=formulation, compliance=_some(20, formulation)
    )
    solution = solve(at_rest, solver)
    assert (solution.converged, solution.iterations, solution.residual) == (True, 0, 0.0)
    assert not solution.p.any()


def _some(rows: int, formulation: str) -> np.ndarray | None:
    return np.ones(rows) if formulation == "compliant" else None


@pytest.mark.parametrize("solver", SOLVERS)
def test_rest_is_found_again_after_a_wrong_guess(solver: str):
    # q = 0: the residual is absolute; without loads nothing may press
    problem = ContactProblem(laws.Coulomb(0.4), W=np.eye(3), q=np.zeros(3))
    solution = solve(problem, solver, guess=[1.0, 0.2, 0.1])
    assert solution.converged
    assert solution.p == pytest.approx(np.zeros(3), abs=1e-7)


@pytest.mark.parametrize("solver", SOLVERS)
def test_no_contacts_are_solved_at_once(solver: str):
    for problem in (
        ContactProblem((), W=np.zeros((0, 0)), q=np.zeros(0)),
        ContactProblem(laws.Coulomb(0.4), W=np.zeros((0, 0)), q=np.zeros(0)),
    ):
        solution = solve(problem, solver)
        assert (solution.converged, solution.iterations, solution.p.shape) == (True, 0, (0,))


@pytest.mark.parametrize("solver", STRONG)
def test_table_of_four_legs_carries_its_weight_whatever_the_share_of_each_leg(solver: str):
    # Statically indeterminate: the four r_n are not unique, their sum is m g h and the table stays where it is.
    legs = np.array([[x, y, -0.4] for x in (-0.5, 0.5) for y in (-0.3, 0.3)])
    H = []
    for arm in legs:
        for axis in (np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])):
            H.append([*axis, *np.cross(arm, axis)])
    H = np.array(H)
    M = np.diag([12.0, 12.0, 12.0, 1.0, 1.5, 2.0])
    impulse = 12.0 * 9.81 * 1e-3  # m g h
    f = np.array([0.3 * impulse, 0.0, -impulse, 0.0, 0.0, 0.0])  # and a push, less than mu m g h
    problem = ContactProblem(laws.Coulomb(0.4), M=M, H=H, f=f, b=np.zeros(12))
    solution = solve(problem, solver, tolerance=1e-10)
    assert solution.converged
    assert set(solution.modes) == {"sticking"}
    total = solution.p.reshape(4, 3).sum(axis=0)
    # the residual bounds the velocity error relative to |q|, and M its impulse
    assert total == pytest.approx([impulse, -0.3 * impulse, 0.0], abs=1e-8 * impulse)
    assert solution.y == pytest.approx(np.zeros(12), abs=1e-8 * np.abs(problem.free_velocity).max())


@pytest.mark.parametrize("solver", ["auto", "nesterov", "newton", "gauss-seidel"])
def test_sphere_that_rolls_without_resistance_needs_no_friction(solver: str):
    # u_t = v - w R = 0 at the start: only the weight is to be carried
    H = np.array([[0, 0, 1.0, 0, 0, 0], [1.0, 0, 0, 0, -RADIUS, 0], [0, 1.0, 0, RADIUS, 0, 0]])
    mass = np.array([MASS] * 3 + [INERTIA] * 3)
    v = np.array([2.0, 0.0, -9.81e-3, 0.0, 2.0 / RADIUS, 0.0])
    problem = ContactProblem(laws.Coulomb(0.3), M=np.diag(mass), H=H, f=mass * v, b=np.zeros(3))
    solution = solve(problem, solver, tolerance=1e-12)
    assert solution.p == pytest.approx([MASS * 9.81e-3, 0.0, 0.0], abs=1e-13)
    assert solution.modes.tolist() == ["sticking"]


# --- variants of Gauss-Seidel ----------------------------------------------------------------------------


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("local", ["exact", "fixed-point"])
def test_exact_and_fixed_point_local_solves_find_the_same_velocities(law: str, local: str):
    problem = of_one_law(law, contacts=4, bodies=4, seed=2)
    expected = solve(problem, "newton", tolerance=1e-12)
    solution = solve(problem, "gauss-seidel", local=local, tolerance=1e-10)
    assert solution.converged, solution.message
    assert solution.y == pytest.approx(expected.y, abs=1e-7 * np.abs(problem.q).max())


def test_exact_local_solve_needs_fewer_sweeps_than_one_projected_step():
    problem = of_one_law("Rolling", contacts=4, bodies=4, seed=0, formulation="relaxed")
    residuals = [
        solve(problem, "gauss-seidel", local=local, tolerance=1e-12, max_iterations=300).residual
        for local in ("exact", "fixed-point")
    ]
    assert residuals[0] < residuals[1]


def test_one_contact_is_solved_to_round_off_by_one_exact_local_solve():
    problem = of_one_law("Rolling", contacts=1)
    solution = solve(problem, "gauss-seidel", local="exact", tolerance=1e-15, max_iterations=1)
    assert solution.residual <= 20.0 * problem.roundoff(solution.p)


@pytest.mark.parametrize("relaxation", [0.5, 1.0, 1.4])
def test_over_relaxation_changes_the_way_but_not_the_solution(relaxation: float):
    problem = of_one_law("SlideRollSpin", contacts=4, bodies=4, seed=1)
    expected = solve(problem, "newton", tolerance=1e-12)
    solution = solve(problem, "gauss-seidel", relaxation=relaxation, tolerance=1e-10)
    assert solution.y == pytest.approx(expected.y, abs=1e-7 * np.abs(problem.q).max())


@pytest.mark.parametrize(("omega", "sharpness"), [(0.3, 0.9), (1.0, 1.0), (0.1, 0.5)])
def test_tasora_anitescu_solves_with_any_sensible_step_and_sharpness(omega: float, sharpness: float):
    problem = of_one_law("SlideRollSpin", contacts=4, bodies=4, seed=1, formulation="relaxed")
    assert solve(problem, "tasora-anitescu", omega=omega, sharpness=sharpness, tolerance=1e-6).converged


# --- laws of one's own -----------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name not in ("interior-point", "auto")])
def test_own_law_goes_the_way_of_the_same_law_built_in(solver: str):
    # Coulomb's disk written by hand: same set, same steps.  Gauss-Seidel steps by the inverse of a disk's block where it
    # sticks, which it cannot know of a user's law, so only the solutions must agree.
    built_in = of_one_law("Coulomb", contacts=4, bodies=4, seed=1)
    by_hand = of_one_law("own Disk", contacts=4, bodies=4, seed=1)
    expected, solution = (solve(problem, solver, tolerance=1e-10) for problem in (built_in, by_hand))
    assert solution.converged, solution.message
    assert solution.y == pytest.approx(expected.y, abs=1e-7 * np.abs(built_in.q).max())
    assert built_in.residual(solution.p) == pytest.approx(by_hand.residual(solution.p), rel=1e-3, abs=1e-15)


# --- asymmetric data -------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", STRONG)
def test_asymmetric_matrix_is_solved_as_it_is(solver: str):
    problem = of_one_law("Coulomb", contacts=8, seed=1)
    A = np.random.default_rng(0).uniform(-1.0, 1.0, problem.W.shape)
    W = problem.W + 1e-4 * np.abs(problem.W).max() * (A - A.T)
    with pytest.warns(TrundleWarning, match="not symmetric"):
        crooked = ContactProblem(problem.laws, W=W, q=problem.q)
    solution = solve(crooked, solver, tolerance=TOLERANCE)
    assert solution.converged, solution.message
    assert solution.y == pytest.approx(crooked.W @ solution.p + problem.q, abs=1e-12)


# --- what a solver cannot do, it says --------------------------------------------------------------------


def test_interior_point_refuses_laws_that_are_not_made_of_disks():
    with pytest.raises(SolverError, match=r"interior-point works for laws made of disks.*Use 'auto' or 'newton'"):
        solve(of_one_law("own CutDisk"), "interior-point")


@pytest.mark.parametrize("law", ["Coulomb", "Rolling", "SlideRollSpin", "Coulomb2D"])
@pytest.mark.parametrize("formulation", ["exact", "relaxed"])
def test_central_path_leads_to_the_solution(law: str, formulation: str):
    problem = of_one_law(law, contacts=4, bodies=4, seed=1, formulation=formulation)
    solution = solve(problem, "interior-point", turns=True, tolerance=1e-10, max_iterations=1000)
    assert solution.converged, solution.message
    assert solution.y == pytest.approx(solve(problem, "auto", tolerance=1e-10).y, abs=1e-7 * np.abs(problem.q).max())


def test_central_path_keeps_the_limit_of_iterations():
    problem = of_one_law("Rolling", contacts=8, seed=2)
    for limit in (1, 5, 17, 40):
        assert solve(problem, "interior-point", turns=True, tolerance=1e-30, max_iterations=limit).iterations <= limit


def test_le_saux_refuses_the_relaxed_formulation():
    message = r"le-saux cannot honour the formulation 'relaxed', only exact, compliant. Use 'auto'"
    with pytest.raises(SolverError, match=message):
        solve(of_one_law("Coulomb", formulation="relaxed"), "le-saux")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("gauss-seidel", {"local": "exakt"}, r"unknown local step 'exakt'. Known: .* Did you mean 'exact'\?"),
        ("gauss-seidel", {"relaxation": 2.0}, r"relaxation = 2 must lie between 0 and 2"),
        ("nesterov", {"growth": 0.5}, r"growth = 0.5 must be at least 1"),
        ("newton", {"proximal": 0.0}, r"proximal must be positive"),
        ("interior-point", {"boundary": 1.0}, r"boundary = 1 must lie between 0 and 1"),
        ("admm", {"relaxation": 2.0}, r"penalty must be positive and relaxation in \[1, 2\)"),
        ("fixed-point", {"step": 3.0}, r"step = 3 must lie between 0 and 2"),
        ("extragradient", {"low": 0.95}, r"needs 0 < low < ratio < 1 and 0 < shrink < 1"),
        ("tasora-anitescu", {"sharpness": 0.0}, r"sharpness = 0 in \(0, 1\]"),
        ("le-saux", {"step": -1.0}, r"step = -1 must lie between 0 and 2"),
    ],
)
def test_option_out_of_range_is_refused_with_its_value_and_range(name: str, options: dict, message: str):
    with pytest.raises(SolverError, match=f"^{name}: .*{message}|^{name}: {message}"):
        solver_named(name, **options)


def test_solver_may_be_given_by_name_class_or_instance():
    problem = of_one_law("Coulomb", contacts=3)
    results = [solve(problem, given).p for given in ("gauss-seidel", GaussSeidel, GaussSeidel())]
    assert np.array_equal(results[0], results[1])
    assert np.array_equal(results[0], results[2])


def test_solvers_raise_no_warnings_of_numpy():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for solver in SOLVERS:
            solve(of_one_law("SlideRollSpin", contacts=4, bodies=4), solver)
