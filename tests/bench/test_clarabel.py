"""An independent conic solver finds the same velocities for the relaxed problem, which is convex."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from trundle import ContactProblem, laws
from trundle.bench.with_clarabel import Clarabel
from trundle.cli import app
from trundle.contact import load_problem
from trundle.errors import SolverError
from trundle.solve import solve

pytest.importorskip("clarabel", reason="NO CLARABEL: pip install trundle[test]")
FILES = sorted((Path(__file__).parents[1] / "problems" / "selection").glob("*.hdf5"))[::4]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_velocities_of_the_relaxed_problem_are_those_of_clarabel(file):
    """Bodies' velocities are unique: 1/2 |v - v_free|_M^2 is strongly convex.

    A point whose objective is above the least by g has velocities within |v - v*|_M = sqrt(2 g) of the solution.  Clarabel in
    double precision ends with objectives good to 1e-10 of |v_free|_M^2 / 2 or better, which leaves 1e-5 |v_free|_M.
    """
    problem = replace(load_problem(file), formulation="relaxed")
    ours, theirs = solve(problem, tolerance=1e-11), solve(problem, Clarabel(), tolerance=1e-9)
    assert ours.converged
    v, w = problem.body_velocity(ours.p), problem.body_velocity(theirs.p)
    free = problem.body_velocity(np.zeros(problem.row_count))

    def size(x):
        return float(np.sqrt(x @ (problem.M @ x)))

    def objective(solution):
        return 0.5 * float(solution.p @ (solution.y + problem.free_velocity))

    unit = max(size(free), size(v - free))
    assert abs(objective(ours) - objective(theirs)) <= 1e-10 * 0.5 * unit**2
    assert size(v - w) <= 1e-5 * unit


def test_clarabel_refuses_what_it_cannot_honour():
    W, q = np.eye(3), np.array([-1.0, 0.5, 0.0])
    with pytest.raises(SolverError, match="only relaxed"):
        solve(ContactProblem(laws.Coulomb(mu=0.3), W=W, q=q), Clarabel())
    own = ContactProblem(laws.Superellipse(mu_x=0.3, mu_y=0.5), W=W, q=q, formulation="relaxed")
    with pytest.raises(SolverError, match="disks"):
        solve(own, Clarabel())


def test_compare_takes_clarabel_as_a_rival_and_writes_a_report(tmp_path):
    words = [
        "compare", *map(str, FILES[:3]), "-o", str(tmp_path / "p.png"), "--solvers", "auto,clarabel", "--formulation", "relaxed",
        "--tolerance", "1e-6", "--report", str(tmp_path / "report.md"),
    ]  # fmt: skip
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    report = (tmp_path / "report.md").read_text()
    assert "| clarabel | 100.0 %" in report
    assert "1e-06" in report
