"""The page on writing a solver does what it says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from trundle import SolverError, solve

PAGE = Path(__file__).resolve().parents[2] / "docs" / "howto-solver.md"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> dict:
    """What the code blocks of the page define, put together as one module."""
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    file = tmp_path_factory.mktemp("page") / "howto_solver_page.py"
    file.write_text("\n".join(blocks), encoding="utf-8")
    return runpy.run_path(str(file))


def test_page_runs_from_top_to_bottom(page: dict):
    assert page["solution"].converged
    assert page["solution"].solver == "jacobi"


def test_solver_of_the_page_agrees_with_auto(page: dict):
    problem = page["problem"]
    expected = solve(problem, tolerance=1e-12).y
    # W has full rank here, so that a residual of 1e-8 is a velocity error of that size times some condition number
    assert page["solution"].y == pytest.approx(expected, abs=1e-5 * abs(problem.q).max())


def test_solver_of_the_page_refuses_a_step_out_of_range(page: dict):
    with pytest.raises(SolverError, match=r"jacobi: step = 3 must lie between 0 and 2"):
        page["Jacobi"](step=3.0)
