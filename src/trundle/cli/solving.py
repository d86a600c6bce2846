"""`trundle solve`: problems from files, their solutions as a table, as JSON or as files."""

from __future__ import annotations

import csv
import json
import math
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import typer
from rich.markup import escape

from trundle import interrupts, output
from trundle.cli import terminal
from trundle.contact import load_problem
from trundle.errors import ProblemError, SolverError, TrundleError
from trundle.solve import SOLVERS, ContactSolution, Solver, solve, solver_named
from trundle.solve.profile import warm_up

ORDER = ("sticking", "sliding", "rolling", "spinning")
STATE_COLOURS = {"converged": "green", "interrupted": "yellow"}


@dataclass
class Outcome:
    """What became of one file: a solution, or an error."""

    file: str
    solution: ContactSolution | None = None
    warnings: list[str] = field(default_factory=list)
    error: str = ""
    code: int = terminal.BAD_INPUT  # exit code of the error

    @property
    def state(self) -> str:
        """The beginning of the solver's message: "converged", "not converged", "no solution exists", ..."""
        return re.split(r":| after ", self.solution.message)[0] if self.solution is not None else "error"

    def as_object(self) -> dict[str, Any]:
        """What `--json` prints."""
        if self.solution is None:
            return {"file": self.file, "error": self.error, "warnings": self.warnings}
        s = self.solution
        return {
            "file": self.file,
            "contacts": s.problem.contact_count,
            "solver": s.solver,
            "residual": s.residual if math.isfinite(s.residual) else None,
            "iterations": s.iterations,
            "converged": bool(s.converged),
            "solve_time": s.solve_time,
            "message": s.message,
            "modes": count_modes(s),
            "warnings": self.warnings,
            **({"error": self.error} if self.error else {}),
        }


@dataclass(frozen=True)
class Request:
    """How to solve, the same for all files."""

    solver: Solver
    tolerance: float
    max_iterations: int | None
    formulation: str
    folder: Path | None
    history: Path | None = None  # table of residuals per iteration


def make_solver(name: str, options: Sequence[str]) -> Solver:
    """A solver from its name and `key=value` options, each of the type of its default."""
    solver_named(name)  # an unknown name is an error of its own
    defaults = {f.name: f.default for f in fields(SOLVERS[name])}
    values: dict[str, Any] = {}
    for option in options:
        key, equals, text = option.partition("=")
        if not equals or not key:
            raise SolverError(f"--option {option}: write key=value, such as --option relaxation=1.2.")
        if not defaults:
            raise SolverError(f"--option {option}: the solver {name!r} has no options; see `trundle solvers`.")
        values[key] = _converted(name, key, text, defaults[key]) if key in defaults else text
    return solver_named(name, **values)


def _converted(solver: str, key: str, text: str, default: Any) -> Any:
    if isinstance(default, bool):
        if text.lower() not in ("true", "false"):
            raise SolverError(f"{solver}: {key} = {text!r} must be true or false.")
        return text.lower() == "true"
    try:
        return type(default)(text)
    except ValueError:
        kind = {int: "a whole number", float: "a number"}.get(type(default), "text")
        raise SolverError(f"{solver}: {key} = {text!r} must be {kind}; the default is {default!r}.") from None


def solve_files(paths: Sequence[str], request: Request) -> tuple[list[Outcome], bool]:
    """Solve each file; returns what became of those begun, and whether Ctrl-C ended it."""
    outcomes: list[Outcome] = []
    targets = _targets(paths, request.folder)
    with terminal.Interruption() as interruption, terminal.Activity(len(paths)) as activity:
        activity.say("preparing the solver (compiled on first use)")
        warm_up([request.solver], request.formulation)
        for path in paths:
            outcome = Outcome(path)
            outcomes.append(outcome)
            _solve_file(outcome, request, targets.get(path), activity)
            activity.finish_one()
            if interruption.requested:
                break
    if interruption.requested and outcomes and outcomes[-1].solution is None and not outcomes[-1].error:
        outcomes[-1].error = "interrupted before there was an iterate"
    return outcomes, interruption.requested


def _solve_file(outcome: Outcome, request: Request, target: Path | None, activity: terminal.Activity) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            activity.say(f"{outcome.file}: reading")
            problem = load_problem(outcome.file)
            if request.formulation != problem.formulation:
                problem = replace(problem, formulation=request.formulation, check=False)
            outcome.solution = solve(
                problem,
                request.solver,
                tolerance=request.tolerance,
                max_iterations=request.max_iterations,
                history=request.history is not None,
                progress=activity.watch(outcome.file),
            )
            if target is not None:
                save(outcome.solution, target)
        except TrundleError as error:
            outcome.error, outcome.code = str(error), error.exit_code
    texts = (str(warning.message).removeprefix(f"{outcome.file}: ") for warning in caught)
    outcome.warnings = list(dict.fromkeys(texts))


def _targets(paths: Sequence[str], folder: Path | None) -> dict[str, Path]:
    """Where to save each file: `name.hdf5` in the folder, with a number where names repeat."""
    if folder is None:
        return {}
    terminal.make_folder(folder, "--save")
    targets: dict[str, Path] = {}
    for path in dict.fromkeys(paths):
        stem, number = Path(path).stem.removesuffix(".hdf5"), 1
        target = folder / f"{stem}.hdf5"
        while target in targets.values():
            number += 1
            target = folder / f"{stem}-{number}.hdf5"
        if target.resolve() == Path(path).resolve():
            raise ProblemError(f"--save {folder}: would replace {path} itself. Choose another folder.")
        targets[path] = target
    return targets


def save(solution: ContactSolution, path: Path) -> None:
    """Write problem and solution as FCLIB; what did not converge is written as a guess, not as the solution."""
    from trundle.contact.fclib_writing import write_fclib

    problem = solution.problem
    contact_rows = sum(law.d * n for law, n in zip(problem.laws, problem.counts, strict=True) if "n" in law.rows)
    vectors = {"u": solution.y[:contact_rows], "r": solution.p[:contact_rows], "l": solution.p[contact_rows:]}
    if problem.form == "global":
        vectors["v"] = problem.body_velocity(solution.p)
    if solution.converged:
        write_fclib(problem, path, solution=vectors)
    else:
        write_fclib(problem, path, guesses=[vectors])


def write_history(outcomes: Sequence[Outcome], path: Path) -> None:
    """A CSV table of file, iteration and residual, a row per iteration."""
    with output.writing(path, newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["file", "solver", "iteration", "residual"])
        for outcome in outcomes:
            solution = outcome.solution
            if solution is not None and solution.history is not None:
                writer.writerows(
                    [output.cell(outcome.file), solution.solver, int(k), repr(float(residual))]
                    for k, residual in solution.history
                )


def count_modes(solution: ContactSolution) -> dict[str, int]:
    """Number of contacts in each mode; what is below the residual is not taken for motion."""
    tolerance = min(max(1e-8, 10.0 * solution.residual), 1e-3) if math.isfinite(solution.residual) else 1e-3
    names = solution.problem.modes(solution.p, tolerance)
    counts = Counter(str(name) for name in np.atleast_1d(names))

    def rank(mode: str) -> tuple[int, ...]:
        return (99,) if mode == "take-off" else tuple(ORDER.index(part) for part in mode.split("+"))

    return {mode: counts[mode] for mode in sorted(counts, key=lambda mode: (mode.count("+"), rank(mode)))}


def modes_in_words(counts: dict[str, int]) -> str:
    """ "12 sticking, 3 sliding, 1 take-off"."""
    return ", ".join(f"{number} {mode}" for mode, number in counts.items()) or "-"


def print_json(outcomes: Iterable[Outcome]) -> None:
    """Write the outcomes to stdout as a JSON list, and nothing else."""
    typer.echo(json.dumps([outcome.as_object() for outcome in outcomes], indent=2, ensure_ascii=False))


def print_table(outcomes: Sequence[Outcome]) -> None:
    """Write the outcomes to stdout as a table, with the warnings and what failed below it."""
    console = terminal.output()
    names = terminal.short_names([outcome.file for outcome in outcomes])
    solved = [outcome for outcome in outcomes if outcome.solution is not None]
    if solved:
        right = ("contacts", "residual", "iterations", "time")
        columns = ("file", "contacts", "modes", "residual", "iterations", "time", "solver", "state")
        table = terminal.plain_table(*columns, right=right)
        for outcome in solved:
            table.add_row(*_cells(outcome, names[outcome.file]))
        console.print(table)
    for outcome in outcomes:
        for text in outcome.warnings:
            console.print(f"[yellow]warning[/] {escape(names[outcome.file])}: {escape(text)}", soft_wrap=True)
    for outcome in solved:
        if outcome.solution is not None and not outcome.solution.converged:
            message = escape(outcome.solution.message)
            console.print(f"[red]note[/] {escape(names[outcome.file])}: {message}", soft_wrap=True)


def _cells(outcome: Outcome, name: str) -> list[str]:
    assert outcome.solution is not None
    solution, state = outcome.solution, outcome.state
    return [
        escape(name),
        str(solution.problem.contact_count),
        modes_in_words(count_modes(solution)),
        f"{solution.residual:.1e}",
        str(solution.iterations),
        time_in_words(solution.solve_time),
        solution.solver,
        f"[{STATE_COLOURS.get(state, 'red')}]{state}[/]",
    ]


def time_in_words(seconds: float) -> str:
    """ "0.4 ms", "12 ms", "3.1 s", "125 s"."""
    if seconds < 0.9995:
        return f"{1e3 * seconds:.2g} ms" if seconds < 0.00995 else f"{1e3 * seconds:.0f} ms"
    return f"{seconds:.1f} s" if seconds < 99.95 else f"{seconds:.0f} s"


def exit_code(outcomes: Sequence[Outcome], interrupted: bool) -> int:
    """130 after Ctrl-C, 2 if a file was bad, 1 if a solve did not converge, else 0."""
    if interrupted:
        return interrupts.exit_code()
    if any(outcome.error for outcome in outcomes):
        return max(outcome.code for outcome in outcomes)
    if any(not outcome.solution for outcome in outcomes):
        return terminal.NOT_CONVERGED
    return terminal.CONVERGED
