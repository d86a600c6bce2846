"""The report of `trundle compare`: how it was done, who solved what, as Markdown or one HTML file with the picture inside."""

from __future__ import annotations

import base64
import html
import os
import platform
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import trundle
from trundle import output
from trundle.errors import SolverError
from trundle.solve.profile import Run, accuracy_profile, performance_profile

SIZES = ((0, 100), (100, 1_000), (1_000, 10**9))
SUFFIXES = (".md", ".html")


def check_path(path: Path) -> None:
    """Raise if a report cannot have this name."""
    if path.suffix not in SUFFIXES:
        raise SolverError(f"--report {path}: the name must end in {' or '.join(SUFFIXES)}.")


def write_report(
    runs: Sequence[Run], path: Path, picture: Path, tolerance: float, time_limit: float, formulation: str
) -> None:
    """Write tables of shares solved by residual, by size and by family, with the picture."""
    text = _markdown(runs, picture, tolerance, time_limit, formulation, path.parent)
    with output.writing(path) as stream:
        stream.write(text if path.suffix == ".md" else _as_html(text, picture))


def _markdown(
    runs: Sequence[Run], picture: Path, tolerance: float, limit: float, formulation: str, folder: Path
) -> str:
    files = {run.file: run.contacts for run in runs}
    solvers = accuracy_profile(runs).ranking(tolerance)
    levels = [10.0**-k for k in range(2, 17, 2) if 10.0**-k >= tolerance * (1.0 - 1e-9)]
    if not any(abs(level / tolerance - 1.0) < 1e-9 for level in levels):
        levels.append(tolerance)
    parts = [
        "# Solvers side by side",
        f"{len(files)} problems of {min(files.values())} to {max(files.values()):,} contacts, formulation {formulation}, "
        f"tolerance {tolerance:.0e}, at most {limit:g} s of CPU time for each solve. Residuals are computed by the "
        f"problem, not by the solver. trundle {trundle.__version__}, Python {platform.python_version()}, {platform.machine()}.",
    ]
    if picture.suffix in (".png", ".svg"):
        parts.append(f"![profiles]({os.path.relpath(picture, folder)})")
    parts += ["## Share solved, by residual", _shares(runs, solvers, levels)]
    for title, chosen in _groups(files):
        some = [run for run in runs if chosen(run)]
        count = len({run.file for run in some})
        parts += [f"## {title}: {count} problem{'s' * (count != 1)}", _shares(some, solvers, levels)]
    unsolved = _unsolved(runs, tolerance)
    parts += ["## Solved by nobody", unsolved or "Every problem was solved by some solver."]
    return "\n\n".join(parts) + "\n"


def _groups(files: dict[str, int]) -> list[tuple[str, Callable[[Run], bool]]]:
    """Titles and members: by size, and by family where names of files tell it (0137-chute.hdf5)."""
    groups: list[tuple[str, Callable[[Run], bool]]] = []
    for low, high in SIZES:
        words = f"{low + 1:,} to {high:,} contacts" if high < 10**9 else f"more than {low:,} contacts"
        groups.append((words.capitalize(), lambda run, low=low, high=high: low < run.contacts <= high))  # type: ignore[misc]
    families = dict.fromkeys(name for file in files if (name := _family(file)))
    groups += [(f"Family {name}", lambda run, name=name: _family(run.file) == name) for name in families]  # type: ignore[misc]
    return [(title, chosen) for title, chosen in groups if any(chosen(_stand_in(f, c)) for f, c in files.items())]


def _stand_in(file: str, contacts: int) -> Run:
    return Run(file, contacts, "", None, None, None, "n/a", "")


def _family(file: str) -> str:
    match = re.fullmatch(r"\d{4,}-([a-z]+)\.hdf5", Path(file).name)
    return match.group(1) if match else ""


def _shares(runs: Sequence[Run], solvers: Sequence[str], levels: Sequence[float]) -> str:
    """A table: solver, share at every residual, median and longest time of the solved."""
    accuracy, profile = accuracy_profile(runs), performance_profile(runs)
    head = ["solver", *(f"{level:.0e}" for level in levels), "fastest", "median CPU [s]", "longest [s]", "n/a"]
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    for solver in solvers:
        own = [run for run in runs if run.solver == solver]
        times = sorted(run.solve_time for run in own if run.converged and run.solve_time is not None)
        absent = sum(run.state == "n/a" for run in own)
        if absent == len(own):
            continue
        cells = [solver, *(f"{100.0 * accuracy.share(solver, level):.1f} %" for level in levels)]
        cells.append(f"{100.0 * profile.share(solver, 1.0):.0f} %")
        cells += [f"{times[len(times) // 2]:.2g}", f"{times[-1]:.3g}"] if times else ["", ""]
        lines.append("| " + " | ".join([*cells, str(absent or "")]) + " |")
    return "\n".join(lines)


def _unsolved(runs: Sequence[Run], tolerance: float) -> str:
    solved = {run.file for run in runs if run.converged}
    lines = []
    for file in dict.fromkeys(run.file for run in runs if run.file not in solved):
        tried = [run for run in runs if run.file == file and run.residual is not None]
        best = min(tried, key=lambda run: run.residual or 0.0, default=None)
        if best is not None:
            lines.append(f"- {Path(file).name}, {best.contacts:,} contacts: {best.residual:.1e} by {best.solver}")
    return "\n".join(lines)


def _as_html(text: str, picture: Path) -> str:
    """The same as one HTML file."""
    body: list[str] = []
    for part in text.strip().split("\n\n"):
        if part.startswith("#"):
            level = len(part) - len(part.lstrip("#"))
            body.append(f"<h{level}>{html.escape(part.lstrip('# '))}</h{level}>")
        elif part.startswith("!["):
            kind = "svg+xml" if picture.suffix == ".svg" else "png"
            data = base64.b64encode(picture.read_bytes()).decode()
            body.append(f'<img alt="profiles" style="max-width:100%" src="data:image/{kind};base64,{data}">')
        elif part.startswith("|"):
            rows = [[html.escape(cell.strip()) for cell in line.strip("|").split("|")] for line in part.splitlines()]
            head = "".join(f"<th>{cell}</th>" for cell in rows[0])
            lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows[2:])
            body.append(f"<table><tr>{head}</tr>{lines}</table>")
        elif part.startswith("- "):
            body.append("<ul>" + "".join(f"<li>{html.escape(line[2:])}</li>" for line in part.splitlines()) + "</ul>")
        else:
            body.append(f"<p>{html.escape(part)}</p>")
    style = "body{font-family:sans-serif;margin:2em auto;max-width:70em}td,th{padding:.2em .8em;text-align:right}"
    first = "td:first-child,th:first-child{text-align:left}"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Solvers side by side</title><style>{style}{first}</style>'
        + "\n".join(body)
        + "</html>\n"
    )
