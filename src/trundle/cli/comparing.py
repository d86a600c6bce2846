"""`trundle compare`: all solvers over many files, as time and accuracy profiles, a table and a CSV file."""

from __future__ import annotations

import csv
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trundle import output
from trundle.bench.with_clarabel import Clarabel, installed
from trundle.cli import terminal
from trundle.cli.solving import time_in_words
from trundle.contact import load_problem
from trundle.errors import SolverError, TrundleError
from trundle.solve import SOLVERS, solver_named
from trundle.solve.base import Solver
from trundle.solve.profile import Profile, Run, performance_profile, time_solver, warm_up

DIGITS = (4, 6, 8, 10, 12)  # residuals 10^-k, the times to which are in the CSV file
COLUMNS = (
    "file", "contacts", "solver", "residual", "iterations", "converged", "solve_time", "message",
    *(f"time_to_1e-{k}" for k in DIGITS),
)  # fmt: skip


@dataclass(frozen=True)
class Comparison:
    """Runs in the order of files and solvers; files that could not be read; whether Ctrl-C ended it."""

    runs: list[Run]
    errors: list[str]
    interrupted: bool


def chosen_solvers(text: str) -> list[str | Solver]:
    """Solvers from a list of names with commas; all of trundle's if it is empty.  clarabel: for the relaxed problem."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if text and not names:
        raise SolverError("--solvers: give names with commas between them, such as gauss-seidel,newton.")
    rivals: dict[str, Solver] = {}
    if Clarabel.name in names:
        if not installed():
            raise SolverError("--solvers clarabel: not installed; pip install clarabel.")
        rivals[Clarabel.name] = Clarabel()
    for name in names:
        if name not in rivals:
            solver_named(name)
    return [rivals.get(name, name) for name in dict.fromkeys(names)] or list(SOLVERS)


def compare_files(
    paths: Sequence[str],
    solvers: Sequence[str | Solver],
    tolerance: float,
    time_limit: float,
    formulation: str = "exact",
    table: Path | None = None,
) -> Comparison:
    """Time every solver on every file; table: CSV file that is written anew after every file."""
    runs: list[Run] = []
    errors: list[str] = []
    distinct = list(dict.fromkeys(paths))
    with terminal.Interruption() as interruption, terminal.Activity(len(distinct) * len(solvers)) as activity:
        activity.say("preparing the solvers")
        warm_up(solvers, formulation)
        for path in distinct:
            activity.say(f"{path}: reading")
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # `trundle solve` shows them; here they are no news
                    problem = load_problem(path)
                    if formulation != problem.formulation:
                        problem = replace(problem, formulation=formulation)
            except TrundleError as error:
                errors.append(str(error))
                activity.done += len(solvers)
                continue
            for solver in solvers:
                progress = activity.watch(f"{Path(path).name}, {solver_named(solver).name}")
                run = time_solver(
                    problem, solver, name=path, tolerance=tolerance, time_limit=time_limit, progress=progress
                )
                if interruption.requested:  # an unfinished run says nothing about the solver
                    break
                runs.append(run)
                activity.finish_one()
            if interruption.requested:
                break
            if table is not None:
                write_csv(runs, table)
    return Comparison(runs, errors, interruption.requested)


def write_csv(runs: Sequence[Run], path: Path) -> None:
    """One row per file and solver; what a solver does not apply to has no numbers."""
    with output.writing(path, newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        for run in runs:
            message = f"n/a: {run.message}" if run.state == "n/a" else run.message
            cells = (run.file, run.contacts, run.solver, run.residual, run.iterations, run.converged, run.solve_time)
            writer.writerow(
                ["" if c is None else output.cell(c) if isinstance(c, str) else c for c in (*cells, message)]
                + [run.reached.get(k, "") for k in DIGITS]
            )


def print_summary(runs: Sequence[Run]) -> None:
    """Write one line per solver: how much it solved, and how fast."""
    profile = performance_profile(runs)
    columns = ("solver", "solved", "fastest", "within 2x", "within 10x", "total time", "failed", "time limit", "n/a")
    table = terminal.plain_table(*columns, right=columns[1:])
    for solver in profile.ranking():
        table.add_row(*_summary_cells(solver, [run for run in runs if run.solver == solver], profile))
    terminal.output().print(table)


def _summary_cells(solver: str, runs: Sequence[Run], profile: Profile) -> list[str]:
    states = [run.state for run in runs]
    total = sum(run.solve_time or 0.0 for run in runs)
    applicable = len(runs) - states.count("n/a")
    return [
        solver,
        f"{states.count('converged')} of {applicable}",
        *(f"{100.0 * profile.share(solver, tau):.0f} %" for tau in (1.0, 2.0, 10.0)),
        time_in_words(total),
        *(str(states.count(state) or "") for state in ("failed", "time limit", "n/a")),
    ]
