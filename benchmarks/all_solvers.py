"""Every solver on every file: iterations and CPU time to a residual of 1e-8.

    python benchmarks/all_solvers.py -o solvers.csv [FILE ...]

Prints Markdown tables with "iterations / CPU time in ms".  A solver that did not get there within the time limit shows its
best residual instead.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

from problem_files import (
    add_file_arguments,
    all_files,
    fresh,
    load,
    markdown,
    milliseconds,
    on_one_thread,
    stop_after,
    versions,
)

from trundle import ContactProblem, SolverError, solve
from trundle.solve import SOLVERS

HEAD = ("file", "contacts", "rows", "solver", "residual", "iterations", "cpu", "converged")
COLUMNS = 6  # solvers in a table


def measure(file: Path, problem: ContactProblem, solver: str, goal: float, limit: float, repeats: int) -> dict:
    """The fastest of some solves."""
    best: dict = {}
    for _ in range(repeats):
        again = fresh(problem)
        cpu = time.process_time()
        try:
            solution = solve(again, solver, tolerance=goal, progress=stop_after(limit), max_iterations=100_000_000)
        except SolverError:  # a law that this solver does not treat
            return {}
        cpu = time.process_time() - cpu
        if not best or cpu < best["cpu"]:
            found = (file.name, problem.contact_count, problem.row_count, solver, solution.residual)
            best = dict(zip(HEAD, (*found, solution.iterations, cpu, solution.converged), strict=True))
        if cpu > 1.0 or not solution.converged:
            break
    return best


def shown(found: dict) -> str:
    """Iterations and time, or the residual where the goal was missed, or nothing for laws that a solver does not treat."""
    if not found:
        return ""
    if not found["converged"]:
        return f"({found['residual']:.0e})"
    return f"{found['iterations']} / {milliseconds(found['cpu'])}"


def main() -> None:
    """Measure, print the tables, write a CSV file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_file_arguments(parser)
    parser.add_argument("--solvers", nargs="*", default=list(SOLVERS), help="names (default: all)")
    parser.add_argument("--tolerance", type=float, default=1e-8)
    given = parser.parse_args()
    on_one_thread()
    files = all_files(given.files)
    for solver in given.solvers:  # compile and load the kernels
        measure(files[0], load(files[0]), solver, given.tolerance, given.limit, 1)
    everything, rows = [], []
    for file in files:
        problem = load(file)
        found = [measure(file, problem, s, given.tolerance, given.limit, given.repeats) for s in given.solvers]
        everything += [m for m in found if m]
        rows.append([file.name, str(problem.contact_count), *map(shown, found)])
        print(" | ".join(rows[-1]), flush=True)
    for first in range(0, len(given.solvers), COLUMNS):
        last = first + COLUMNS
        head = ("file", "contacts", *(f"`{name}`" for name in given.solvers[first:last]))
        print("\n" + markdown(head, [row[:2] + row[2 + first : 2 + last] for row in rows]))
    print(f"\n{versions()}")
    if given.output:
        with given.output.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, HEAD)
            writer.writeheader()
            writer.writerows(everything)


if __name__ == "__main__":
    main()
