"""Contact problems from files: time to a residual."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from trundle.bench.with_siconos import python_with_siconos, solve_with_siconos, solvers_for
from trundle.contact.files import load_problem
from trundle.contact.problem import ContactProblem
from trundle.errors import ProblemError
from trundle.solve import solve
from trundle.solve.profile import warm_up


def problem_files(paths: Sequence[Path]) -> list[Path]:
    """The files (.hdf5, .dat) that are given, and those in folders that are given, or one level below them."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = [*path.glob("*"), *path.glob("*/*")]
            found += sorted(file for file in inside if file.suffix in (".dat", ".hdf5"))
        elif path.exists():
            found.append(path)
        else:
            raise ProblemError(f"{path}: there is no such file or folder.")
    if not found:
        raise ProblemError("bench problems: no .dat or .hdf5 files found. Give files, or a folder that holds some.")
    return found


def run_problems(
    files: Sequence[Path], solver: str = "auto", tolerance: float = 1e-8, repeats: int = 3,
    progress: Callable[[float], object] | None = None, siconos: bool = False, budget: float = 60.0,
) -> list[dict[str, Any]]:  # fmt: skip
    """Solve every file; CPU seconds of the solve call, the least of some repeats, kernels loaded.

    siconos: its Gauss-Seidel on the same file right after, to the same residual, for at most `budget` seconds per solve; the
    ratio is above 1 where it takes longer.
    """
    warm_up([solver])
    rows = []
    for k, file in enumerate(files):
        problem = load_problem(file)
        best, solution = float("inf"), None
        for _ in range(repeats):
            begun = time.process_time()
            solution = solve(problem, solver, tolerance=tolerance)
            spent = time.process_time() - begun
            best = min(best, spent)
            if spent > 2.0:  # long enough to be no accident of timing
                break
        assert solution is not None
        row = {
            "file": file.name, "contacts": problem.contact_count, "solver": solver, "cpu": best,
            "residual": solution.residual, "iterations": solution.iterations, "converged": solution.converged,
        }  # fmt: skip
        if siconos:
            row["siconos"] = _siconos(problem, tolerance, budget, repeats, best if solution.converged else None)
        rows.append(row)
        if progress is not None:
            progress(k + 1.0)
    return rows


def _siconos(
    problem: ContactProblem, tolerance: float, budget: float, repeats: int, ours: float | None
) -> dict[str, Any]:
    """CPU seconds of Siconos' Gauss-Seidel and their ratio to ours, or why there are none."""
    python, names = python_with_siconos(), solvers_for(problem)
    if python is None:
        return {"note": "not installed"}
    if not names:
        return {"note": "does not know this law"}
    answer = solve_with_siconos(problem, names[0], python[0], tolerance, budget, repeats)
    told: dict[str, Any] = {"solver": names[0], "iterations": answer.iterations, "note": answer.note}
    if answer.residual <= tolerance:
        told |= {"cpu": answer.cpu, "residual": answer.residual}
        if ours:
            told["ratio"] = answer.cpu / ours
    elif not answer.note:
        told["note"] = f"residual {answer.residual:.0e}"
    return told
