"""The papers' own iterations: local fixed points, self-adaptive steps, omega and lambda, histories, ellipses as cones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from small_problems import LAWS, of_one_law
from typer.testing import CliRunner

from trundle import ContactProblem, SolverError, laws, solve
from trundle.cli.app import app
from trundle.contact.fclib_writing import write_fclib
from trundle.solve.interior import without_ellipses
from trundle.solve.preparation import prepare
from trundle.solve.tasora_anitescu import mean_diagonal_steps

ASSOCIATED = [name for name in LAWS if "non-associated" not in name]


def test_one_contact_is_solved_in_one_sweep_where_its_fixed_point_is_iterated_to_round_off():
    """Acary & Bourrier, eq. (67): with one contact the one-contact problem is the problem."""
    for law in ("Coulomb", "Rolling", "SlideRollSpin", "Contensou", "Superellipse"):
        problem = of_one_law(law, contacts=1, bodies=1, seed=4)
        options = {"local": "fixed-point", "local_tolerance": 0.0, "local_iterations": 100_000}
        solution = solve(problem, "gauss-seidel", tolerance=1e-10, max_iterations=1, **options)
        assert solution.converged, (law, solution.message)
        one_step = solve(
            problem, "gauss-seidel", tolerance=1e-10, max_iterations=1, local="fixed-point", local_iterations=1
        )
        assert one_step.residual > 1e3 * solution.residual


@pytest.mark.parametrize("law", ASSOCIATED)
@pytest.mark.parametrize("formulation", ["exact", "relaxed"])
def test_sweeps_of_local_fixed_points_find_the_velocities_of_newton(law, formulation):
    problem = replace(of_one_law(law, contacts=4, bodies=4), formulation=formulation, check=False)
    ours, truth = solve(problem, "gauss-seidel", local="fixed-point"), solve(problem, tolerance=1e-10)
    assert ours.converged, ours.message
    if formulation == "relaxed":  # its velocities are unique (Tasora & Anitescu, theorem 2)
        scale = np.abs(problem.q).max()
        assert ours.y == pytest.approx(truth.y, abs=1e-5 * scale)


def test_a_self_adaptive_fixed_point_survives_a_step_that_is_too_long():
    """De Saxce's term makes the map steeper than W, by up to 1 + mu: a fixed step of 1.9 / lambda_max goes in circles."""
    W = np.array([[1.0, 0.3, 0.0], [0.3, 1.0, 0.0], [0.0, 0.0, 1.0]])
    problem = ContactProblem(laws.Coulomb(4.0), W=W, q=[-1.0, 3.0, 1.0])
    assert not solve(problem, "fixed-point", step=1.9, adaptive=False, max_iterations=2000).converged
    assert solve(problem, "fixed-point", step=1.9, max_iterations=2000).converged


@pytest.mark.parametrize("law", ["Coulomb", "Rolling", "SlideRollSpin"])
def test_the_default_of_tasora_and_anitescu_is_as_fast_as_full_steps(law):
    """The defaults are omega = lambda = 1; with 0.3 and 0.9, those of before, it takes 2 to 4 times as many sweeps."""
    problem = replace(of_one_law(law, contacts=4, bodies=4, seed=1), formulation="relaxed", check=False)
    default, full = solve(problem, "tasora-anitescu"), solve(problem, "tasora-anitescu", omega=1.0, sharpness=1.0)
    slow = solve(problem, "tasora-anitescu", omega=0.3, sharpness=0.9)
    assert default.converged
    assert default.iterations == full.iterations < slow.iterations


def test_full_steps_of_tasora_and_anitescu_converge_where_the_mean_diagonal_is_no_bound():
    """W_cc = diag(1, 0, 0) nearly: d / trace = 3 is more than 2 / lambda_max, so that B must be bounded."""
    W = np.diag([1e-3, 1.0, 1e-3])
    problem = ContactProblem(laws.Coulomb(0.4), W=W, q=[-1.0, 2.0, 0.1], formulation="relaxed")
    scaled = problem.scaled
    assert np.all(mean_diagonal_steps(scaled) > 2.0 * prepare(scaled).rho)
    assert solve(problem, "tasora-anitescu").converged


@pytest.mark.parametrize(
    "solver", ["gauss-seidel", "nesterov", "fixed-point", "extragradient", "tasora-anitescu", "apgd"]
)
def test_a_history_has_the_residual_of_every_iteration(solver):
    problem = of_one_law("Rolling", contacts=4, bodies=4)
    solution = solve(problem, solver, history=True)
    iterations, residuals = solution.history.T
    assert np.array_equal(iterations, np.arange(len(iterations)))
    assert iterations[-1] == solution.iterations
    assert residuals[0] == problem.residual(np.zeros(problem.row_count))
    assert residuals.min() == pytest.approx(solution.residual, rel=1e-6)


def test_the_command_writes_residuals_per_iteration(tmp_path):
    problem = of_one_law("Coulomb", contacts=3, bodies=3)
    write_fclib(problem, tmp_path / "a.hdf5")
    given = ["solve", str(tmp_path / "a.hdf5"), "--solver", "gauss-seidel", "--history", str(tmp_path / "r.csv")]
    assert CliRunner().invoke(app, given).exit_code == 0
    head, *rows = (tmp_path / "r.csv").read_text().splitlines()
    assert head == "file,solver,iteration,residual"
    assert [int(row.split(",")[2]) for row in rows] == list(range(len(rows)))
    assert float(rows[-1].split(",")[3]) <= 1e-8


@pytest.mark.parametrize("k", [1.0, 0.5])
def test_an_ellipse_is_a_disk_in_stretched_rows(k):
    """The same problem: the residual of a solution in one form vanishes in the other."""
    problem = of_one_law("Coulomb", contacts=4, bodies=4, seed=3)
    problem = ContactProblem([laws.Superellipse(0.5, 0.3, q=2.0, k=k)] * 4, W=problem.W, q=problem.q)
    solution = solve(problem, tolerance=1e-12)
    disks, stretch = without_ellipses(problem.scaled)
    assert disks.residual(solution.p / problem.scaled.scale / stretch) < 1e-10
    found = solve(problem, "interior-point", tolerance=1e-10)
    assert found.converged
    assert found.y == pytest.approx(solution.y, abs=1e-7 * np.abs(problem.q).max())


def test_superellipses_that_are_neither_ellipses_nor_associated_are_refused_by_the_interior_point_method():
    law = laws.Superellipse(0.5, 0.3, q=3.0, k=0.5)
    with pytest.raises(SolverError, match="q = 2"):
        solve(ContactProblem(law, W=np.eye(3), q=-np.ones(3)), "interior-point")
