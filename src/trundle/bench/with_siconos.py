"""Siconos on the same contact problems.

It runs in an interpreter of its own: Debian's package python3-siconos works under Debian's python3 only.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import scipy

from trundle import laws
from trundle.contact.blocks import to_blocks
from trundle.contact.problem import ContactProblem
from trundle.errors import ProblemError

SOLVERS: dict[type[laws.Law], tuple[str, ...]] = {  # by law; the first one is its Gauss-Seidel
    laws.Coulomb: ("fc3d NSGS", "fc3d ADMM", "fc3d NSN", "gfc3d IPM"),
    laws.Coulomb2D: ("fc2d NSGS", "fc2d Lemke"),
    laws.Rolling: ("rolling NSGS", "rolling ADMM"),
}

FAILED = "failed"
MOST_ROWS = 3_000  # of a reduced problem whose H is made of the eigenvectors of W


@dataclass(frozen=True)
class Answer:
    """What Siconos did; tolerance: what it was asked for; residual: ours of its answer, nan without one; cpu, wall [s]."""

    tolerance: float
    residual: float
    iterations: int
    cpu: float
    wall: float
    note: str


def solvers_for(problem: ContactProblem) -> tuple[str, ...]:
    """Solvers of Siconos that know the law of a problem, and its form: the interior point method needs M and H.

    Where a file has W alone, M = 1 and H are the eigenvectors of W, if there are not too many rows: a dense H, which makes the
    method slower than with the H of bodies.
    """
    names = SOLVERS.get(type(problem.laws[0]), ()) if len(problem.laws) == 1 else ()
    if problem.form == "reduced" and problem.row_count > MOST_ROWS:
        names = tuple(name for name in names if not name.startswith("gfc3d"))
    return names


def _pythons_outside() -> Iterator[str]:
    """All interpreters called python3 on the path that are not this one's environment."""
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        candidate = Path(folder) / "python3"
        if candidate.exists() and not candidate.is_relative_to(sys.prefix):
            yield str(candidate)


@cache
def python_with_siconos(given: str | None = None) -> tuple[str, str] | None:
    """An interpreter that can import Siconos, and its version; None if there is none."""
    question = "import siconos.numerics, sys; print(sys.version.split()[0])"
    for python in [given] if given else _pythons_outside():
        answer = subprocess.run([python, "-c", question], capture_output=True, text=True, check=False)
        if answer.returncode == 0:
            return python, answer.stdout.strip()
    return None


def solve_with_siconos(
    problem: ContactProblem, solver: str, python: str, goal: float, limit: float, repeats: int
) -> Answer:
    """The least times of some solves, with the loosest tolerance at which our residual of the answer is at most `goal`.

    Siconos measures the error in its own way.  limit: seconds of wall time per solve.
    """
    tolerances = [repr(goal * factor) for factor in (1.0, 1e-2, 1e-4)]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as complaints:
        path = Path(folder) / "problem.dat"
        try:
            (_write_global if solver.startswith("gfc3d") else _write)(problem, path)
        except ProblemError as error:
            return Answer(goal, float("nan"), 0, float("nan"), float("nan"), f"{FAILED}: {error}")
        worker = Path(__file__).with_name("siconos_worker.py")
        process = subprocess.Popen(
            [python, str(worker), str(path), solver, str(limit), str(repeats)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints, text=True, cwd=folder,
        )  # fmt: skip
        with process:
            answer = _ask(problem, process, tolerances, goal, limit)
        if answer.note != FAILED:
            return answer
        complaints.seek(0)
        said = complaints.read().strip().splitlines() or ["without a word"]
        return replace(answer, note=f"{FAILED}: {said[-1].strip()}")


def _ask(
    problem: ContactProblem, process: subprocess.Popen[str], tolerances: Sequence[str], goal: float, limit: float
) -> Answer:
    assert process.stdin is not None
    assert process.stdout is not None
    nothing = float("nan")
    result = Answer(nothing, nothing, 0, nothing, nothing, "did not answer")
    for tolerance in tolerances:
        try:
            process.stdin.write(tolerance + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            note = f"more than {limit:g} s" if process.wait() == -signal.SIGALRM else FAILED
            return Answer(float(tolerance), nothing, 0, nothing, limit, note)
        answer = json.loads(line)
        note = "" if answer["info"] == 0 else f"info = {answer['info']}"
        residual = problem.residual(answer["p"])
        result = Answer(float(tolerance), residual, answer["iterations"], answer["cpu"], answer["wall"], note)
        if residual <= goal:
            break
    return result


def _write(problem: ContactProblem, path: Path) -> None:
    """The reduced problem in Siconos' text format, in the storage that its solvers want.

    Sparse blocks where they are understood; its rolling solvers need a dense matrix.
    """
    (law,), problem = problem.laws, problem.to_reduced()
    d, n = law.d, problem.contact_count
    row = d * np.arange(n + 1)
    lines: list[object] = [d, n]
    if isinstance(law, laws.Rolling):
        W = problem.W.toarray() if hasattr(problem.W, "toarray") else problem.W
        lines += [0, f"{n * d} {n * d}", f"{n * d} {n * d}", _numbers(W.T)]
    else:
        ptr, col, start, data = to_blocks(problem.W, row)
        ends = " ".join(map(str, row[1:]))
        lines += [1, f"{n * d} {n * d}", f"{len(col)} {n} {n}", ends, ends, f"{n + 1} {len(col)}"]
        lines += [" ".join(map(str, ptr)), " ".join(map(str, col))]
        for k, at in enumerate(start):
            lines += [k, _numbers(data[at : at + d * d].reshape(d, d).T)]
    lines.append(_numbers(problem.q))
    for name in ("mu", "mu_r"):
        if hasattr(law, name):
            lines.append(_numbers(np.broadcast_to(getattr(law, name), n)))
    path.write_text("\n".join(map(str, lines)) + "\n")


def _write_global(problem: ContactProblem, path: Path) -> None:
    """The global problem in Siconos' text format, its matrices as triplets."""
    whole, (law,) = problem.to_global(), problem.laws
    n = whole.contact_count
    lines: list[object] = [law.d, n]
    for matrix in (whole.M, whole.H.T):
        entries = scipy.sparse.coo_array(matrix)
        size = f"{entries.shape[0]}-by-{entries.shape[1]}, nzmax: {entries.nnz} nnz: {entries.nnz}"
        lines += [2, f"{entries.shape[0]} {entries.shape[1]}", 1, "CSparse Version 3.2.0.", f"triplet: {size}"]
        places = zip(*(index.tolist() for index in entries.coords), entries.data.tolist(), strict=True)
        lines += [f"{i} {j} : {value!r}" for i, j, value in places]
    lines += [_numbers(whole.f), _numbers(whole.b), _numbers(np.broadcast_to(law.mu, n))]
    path.write_text("\n".join(map(str, lines)) + "\n")


def _numbers(values: np.ndarray) -> str:
    """All digits of an array's entries, in the order of its rows."""
    return " ".join(repr(float(x)) for x in np.ravel(values))
