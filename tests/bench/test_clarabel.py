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
FILES = sorted((Path(__file__).parents[1] / "problems" / "selection").glob("*.hdf5"))[::3]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_velocities_of_the_relaxed_problem_are_those_of_clarabel(file):
    """Bodies' velocities are unique: 1/2 |v - v_free|_M^2 is strongly convex.

    An error r of the natural map leaves velocities that differ by about r times the condition of M; Clarabel reaches 1e-7 and
    less in its own units on these files, and the kinetic norm |.|_M is the one in which both are near.
    """
    problem = replace(load_problem(file), formulation="relaxed")
    ours, theirs = solve(problem, tolerance=1e-11), solve(problem, Clarabel(), tolerance=1e-9)
    assert ours.converged
    v, w = problem.body_velocity(ours.p), problem.body_velocity(theirs.p)
    free = problem.body_velocity(np.zeros(problem.row_count))

    def size(x):
        return float(np.sqrt(x @ (problem.M @ x)))

    assert size(v - w) <= 1e-6 * max(size(free), size(v - free))


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
