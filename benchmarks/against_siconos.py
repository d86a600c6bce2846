"""Time to a residual of 1e-8 on real contact problems: trundle and Siconos on the same files, in one run.

    python benchmarks/against_siconos.py -o siconos.csv [FILE ...]

Siconos runs in an interpreter of its own (Debian's package python3-siconos works under Debian's python3 only).  Both
are judged by the same residual, `problem.residual(p)`.  Siconos has a different measure of error, so its tolerance is
tightened from 1e-8 over 1e-10 to 1e-12 until our residual of its answer is at most 1e-8, and only the last of these
solves counts.  Times are CPU times of the solve call alone, the least of some repeats, one thread, kernels compiled;
reading the file is counted for nobody.  Siconos has the matrix in its own blocks when the clock starts.  So trundle is
timed twice: the first call for a problem, which cuts W into blocks, brings it into the units of its contacts and inverts
the diagonal blocks, and the next call from rest, which finds all that with the problem.

Siconos' interior point method (gfc3d IPM, in version 4.4 for sliding friction only) solves the convex problem without De Saxce's
term, from M and H.  The term is put into the free velocities and the method called again until it stays; where a file has W
alone, M = 1 and H are the eigenvectors of W.
"""

from __future__ import annotations

import argparse
import csv
import time
from dataclasses import asdict, astuple, dataclass, fields
from pathlib import Path

import numpy as np
from problem_files import (
    add_file_arguments,
    all_files,
    fresh,
    load,
    markdown,
    milliseconds,
    on_one_thread,
    stop_after,
    three_digits,
    versions,
)

from trundle import ContactProblem, SolverError, solve
from trundle.bench.with_siconos import python_with_siconos, solve_with_siconos, solvers_for

GOAL = 1e-8
OURS = ("auto", "nesterov", "newton", "interior-point")


@dataclass(frozen=True)
class Measurement:
    """One solver on one file.  tolerance: what it was asked for; residual: ours; cpu, wall, first [s].

    first : CPU time of the first call for a problem; cpu, wall : of a call that finds the problem in blocks and units.
    """

    file: str
    contacts: int
    rows: int
    program: str
    solver: str
    tolerance: float
    residual: float
    iterations: int
    cpu: float
    wall: float
    note: str
    first: float = float("nan")

    @property
    def reached(self) -> bool:
        """Whether the residual is what was wanted."""
        return self.residual <= GOAL


def ours(file: Path, problem: ContactProblem, solver: str, limit: float, repeats: int) -> Measurement | None:
    """The least times of some solves with trundle from rest, on a new problem and on one that was solved before."""
    first = cpu = wall = float("inf")
    for _ in range(repeats):
        again = fresh(problem)
        began = time.process_time()
        try:
            solution = solve(again, solver, tolerance=GOAL, progress=stop_after(limit))
        except SolverError:  # a law that this solver does not treat
            return None
        first = min(first, time.process_time() - began)
        if first > 1.0:  # the preparation does not matter
            cpu, wall = first, solution.solve_time
            break
        wall_began, began = time.perf_counter(), time.process_time()
        solve(again, solver, tolerance=GOAL, progress=stop_after(limit))
        cpu, wall = min(cpu, time.process_time() - began), min(wall, time.perf_counter() - wall_began)
    return Measurement(
        file.name, problem.contact_count, problem.row_count, "trundle", solver, GOAL, solution.residual,
        solution.iterations, cpu, wall, "" if solution.converged else solution.message, first,
    )  # fmt: skip


def theirs(file: Path, problem: ContactProblem, solver: str, python: str, limit: float, repeats: int) -> Measurement:
    """Siconos with the loosest tolerance at which our residual of its answer is at most 1e-8."""
    found = solve_with_siconos(problem, solver, python, GOAL, limit, repeats)
    return Measurement(file.name, problem.contact_count, problem.row_count, "Siconos", solver, *astuple(found))


# --- tables ----------------------------------------------------------------------------------------------


def shown(measurement: Measurement | None) -> str:
    """Time in ms if the goal was reached, otherwise how far it came."""
    if measurement is None:
        return ""
    if measurement.reached:
        return milliseconds(measurement.cpu)
    if np.isfinite(measurement.residual):
        return f"({measurement.residual:.0e})"
    return "> limit" if "more than" in measurement.note else measurement.note.partition(":")[0]


def as_row(found: list[Measurement]) -> list[str]:
    """One line of the table: all measurements of one file."""
    own = {m.solver: m for m in found if m.program == "trundle"}
    other = {m.solver: m for m in found if m.program == "Siconos"}
    sweeps = next((m for name, m in other.items() if name.endswith("NSGS")), None)
    rest = [m for name, m in other.items() if not name.endswith("NSGS")]
    reached = sorted((m for m in rest if m.reached), key=lambda m: m.cpu)
    second = f"{shown(reached[0])} ({reached[0].solver.split()[1]})" if reached else ", ".join(map(shown, rest))
    auto = own["auto"]

    def ratio(m: Measurement | None) -> str:
        if m is None or not auto.reached:
            return ""
        if not m.reached:
            return f"> {m.wall / auto.cpu:.0f}" if "more than" in m.note else "only we"
        value = three_digits(m.cpu / auto.cpu)
        return f"**{value}**" if m.cpu >= auto.cpu else value

    return [
        auto.file,
        str(auto.contacts),
        milliseconds(auto.first) if auto.reached else "",
        *(shown(own.get(name)) for name in OURS),
        shown(sweeps) + (f" ({sweeps.iterations})" if sweeps and sweeps.reached else ""),
        second,
        ratio(sweeps),
        ratio(reached[0]) if reached else "",
    ]


HEAD = (
    "file", "contacts", "auto, first call [ms]", *(f"{name} [ms]" for name in OURS), "Siconos NSGS [ms] (sweeps)",
    "best other of Siconos [ms]", "NSGS / auto", "best other / auto",
)  # fmt: skip


def main() -> None:
    """Measure, print a table, write a CSV file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_file_arguments(parser)
    parser.add_argument("--siconos-python", help="interpreter that has Siconos (default: searched on the path)")
    given = parser.parse_args()
    on_one_thread()
    files = all_files(given.files)
    siconos = python_with_siconos(given.siconos_python)
    if siconos is None:
        print("no python3 outside of this environment can import siconos.numerics: measuring trundle alone")
    for solver in OURS:  # compile and load the kernels
        for file in files[:3]:
            ours(file, load(file), solver, given.limit, 1)
    everything: list[Measurement] = []
    table = []
    for file in files:
        problem = load(file)
        found = [m for solver in OURS if (m := ours(file, problem, solver, given.limit, given.repeats))]
        if siconos is not None:
            whole = load(file, reduced=False)
            for solver in solvers_for(whole):
                found.append(theirs(file, whole, solver, siconos[0], given.limit, given.repeats))
        everything += found
        table.append(as_row(found))
        print(" | ".join(table[-1]), flush=True)
    print("\n" + markdown(HEAD, table))
    print(f"\n{versions()}" + (f"; Siconos under Python {siconos[1]}" if siconos else ""))
    if given.output:
        with given.output.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, [field.name for field in fields(Measurement)])
            writer.writeheader()
            writer.writerows(asdict(m) for m in everything)


if __name__ == "__main__":
    main()
