"""How much of the library of problems a solver brings to a residual: a table and a picture from the tables of `trundle compare`.

    trundle problems make -o problems
    trundle compare problems/*.hdf5 -o auto.png --solvers auto --tolerance 1e-12 --time-limit 60
    python benchmarks/library.py auto.csv -o docs/pictures/library.png

A problem counts as brought to 10^-k if its residual was there within the time limit (CPU time).
"""

from __future__ import annotations

import argparse
import csv
import re
from pathlib import Path
from typing import Any

from problem_files import markdown

SIZES = ((0, 100), (100, 1_000), (1_000, 10**9))
DIGITS = (4, 6, 8, 10, 12)
LIMIT = 1_000  # contacts below and above which shares are told


def words(low: int, high: int) -> str:
    """A class of sizes."""
    return f"{low + 1:,} to {high:,}" if high < 10**9 else f"more than {low:,}"


def shares(rows: list[dict[str, str]]) -> list[float]:
    """Share of the problems brought to each residual."""
    return [sum(row[f"time_to_1e-{k}"] != "" for row in rows) / max(len(rows), 1) for k in DIGITS]


def longest(rows: list[dict[str, str]]) -> str:
    """Median and longest CPU time to 1e-12 of those that got there [s]."""
    times = sorted(float(row["time_to_1e-12"]) for row in rows if row["time_to_1e-12"])
    return f"{times[len(times) // 2]:.2g}, {times[-1]:.2g}" if times else ""


def family(row: dict[str, str]) -> str:
    """Of a file of the library."""
    return re.sub(r"^\d+-|\.hdf5$", "", Path(row["file"]).name)


def table(rows: list[dict[str, str]]) -> str:
    """By size, and by family."""
    head = ["contacts", "problems", *(f"1e-{k}" for k in DIGITS), "CPU to 1e-12, median, longest [s]"]
    groups = [(words(*size), [row for row in rows if size[0] < int(row["contacts"]) <= size[1]]) for size in SIZES]
    groups.append((f"up to {LIMIT:,}", [row for row in rows if int(row["contacts"]) <= LIMIT]))
    groups += [(name, [row for row in rows if family(row) == name]) for name in sorted({family(row) for row in rows})]
    lines = [
        [name, str(len(some)), *(f"{100 * share:.0f} %" for share in shares(some)), longest(some)]
        for name, some in groups
        if some
    ]
    return markdown(head, lines)


def draw(rows: list[dict[str, str]], path: Path) -> None:
    """Accuracy profile by size."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.2), layout="constrained")
    axes: Any = figure.subplots()
    for size, colour in zip(SIZES, ("#009E73", "#0072B2", "#D55E00"), strict=True):
        some = [row for row in rows if size[0] < int(row["contacts"]) <= size[1]]
        if some:
            label = f"{words(*size)} contacts ({len(some)} problems)"
            axes.plot([10.0**-k for k in DIGITS], shares(some), marker="o", label=label, color=colour, lw=2)
    axes.set(xscale="log", ylim=(0.0, 1.03), xlabel="residual", ylabel="share brought there within the time limit")
    axes.invert_xaxis()
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    axes.grid(True, which="major", color="#E5E5E5", lw=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="lower left")
    figure.savefig(path, dpi=110)


def main() -> None:
    """Read, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", type=Path, help="CSV files of `trundle compare`")
    parser.add_argument("--solver", default="auto")
    parser.add_argument("-o", "--output", type=Path, help="the picture")
    given = parser.parse_args()
    rows = [row for file in given.tables for row in csv.DictReader(file.read_text().splitlines())]
    rows = [row for row in rows if row["solver"] == given.solver]
    print(table(rows))
    if given.output:
        draw(rows, given.output)


if __name__ == "__main__":
    main()
