"""Where the benchmarks find contact problems, and how they print tables."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import numba
import numpy as np
import scipy

import trundle
from trundle import ContactProblem, TrundleWarning, load_problem

BESIDE_THE_CHECKOUT = Path(__file__).resolve().parents[2] / "shared" / "problems"
SUFFIXES = (".dat", ".hdf5")


def add_file_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments that all benchmarks on files share."""
    parser.add_argument("files", nargs="*", type=Path, help="problems (default: all of TRUNDLE_PROBLEMS)")
    parser.add_argument("-o", "--output", type=Path, help="write the numbers to this CSV file")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds per solve (default 60)")
    parser.add_argument("--repeats", type=int, default=9, help="solves of which the fastest counts (default 9)")


def on_one_thread() -> None:
    """Start the script again with one thread for linear algebra, if that was not asked for: it is read at start-up."""
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    if any(os.environ.get(name) != "1" for name in names):
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | dict.fromkeys(names, "1"))


def stop_after(seconds: float) -> Callable[[int, float], None]:
    """A progress function that interrupts a solve when its time is up."""
    end = time.perf_counter() + seconds

    def stop(iterations: int, residual: float) -> None:
        if time.perf_counter() > end:
            raise KeyboardInterrupt

    return stop


def all_files(given: Sequence[Path]) -> list[Path]:
    """The given files, or all of the folder of contact problems, smallest first."""
    if given:
        return list(given)
    folder = Path(os.environ.get("TRUNDLE_PROBLEMS", BESIDE_THE_CHECKOUT))
    files = sorted(file for file in folder.rglob("*") if file.suffix in SUFFIXES)
    if not files:
        raise SystemExit(f"error: no contact problems in '{folder}'. Give files, or name a folder in TRUNDLE_PROBLEMS.")
    return sorted(files, key=lambda file: (load(file).contact_count, file.name))


def load(file: Path, reduced: bool = True) -> ContactProblem:
    """A problem, in reduced form unless the file's is wanted, without a word about crooked data."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrundleWarning)
        problem = load_problem(file)
        return problem.to_reduced() if reduced else problem


def fresh(problem: ContactProblem) -> ContactProblem:
    """The same problem with nothing computed yet, so that a solve pays for its own preparation."""
    return ContactProblem(problem.laws, W=problem.W, q=problem.q, check=False)


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; the first column is text, the others are numbers."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def milliseconds(seconds: float | None) -> str:
    """A time in ms with three digits, or a dash."""
    if seconds is None:
        return "-"
    return three_digits(1e3 * seconds)


def three_digits(value: float) -> str:
    """A positive number with about three digits and no exponent."""
    digits = 0 if value >= 99.95 else 1 if value >= 9.995 else 2 if value >= 0.9995 else 3
    return f"{value:.{digits}f}"


def versions() -> str:
    """Versions of what does the arithmetic."""
    return (
        f"trundle {trundle.__version__}, Python {platform.python_version()}, numpy {np.__version__}, "
        f"scipy {scipy.__version__}, numba {numba.__version__}"
    )
