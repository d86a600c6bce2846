"""`trundle laws` and `trundle solvers`: what there is, and what it takes."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields
from typing import Any

from rich.markup import escape

from trundle import laws
from trundle.cli import terminal
from trundle.kinds import SOLVED_FORMULATIONS
from trundle.laws.base import units_of
from trundle.solve import SOLVERS


def first_line(thing: Any) -> str:
    """The first sentence of a docstring."""
    text = inspect.getdoc(thing) or ""
    return text.split("\n\n")[0].replace("\n", " ").strip()


def law_classes() -> list[type[laws.Law]]:
    """The laws of the package that users make by name, in alphabetical order."""
    found = (getattr(laws, name) for name in laws.__all__)
    return sorted(
        {item for item in found if isinstance(item, type) and issubclass(item, laws.Law) and item is not laws.Law},
        key=lambda item: item.__name__,
    )


def print_laws() -> None:
    """Write the laws with their rows, coefficients and units."""
    console = terminal.output()
    table = terminal.plain_table("law", "rows", "coefficients", "what it is")
    for law in law_classes():
        rows = " ".join(law.rows) or ("those of its factors" if law is laws.Product else "any, without n")
        table.add_row(law.__name__, rows, escape(coefficients(law)), escape(_sentence(law)))
    console.print(table)
    console.print(
        "Rows: n normal, t1 t2 sliding, s spinning, r1 r2 rolling.  Coefficients: a number, or one per contact.\n"
        "Products: Superellipse(mu_x=0.3, mu_y=0.1, q=6) * Roll(mu_r=1e-3) * Spin(mu_s=1e-3).  "
        "Your own: trundle check-law --help."
    )


def coefficients(law: type[laws.Law]) -> str:
    """ "mu [-], mu_r [m]", with the defaults of those that have one."""
    units = units_of(law)
    words = []
    for item in fields(law):
        unit = f" [{units[item.name]}]" if item.name in units else ""
        default = f" = {item.default:g}" if isinstance(item.default, float) else ""
        if item.default is not MISSING and not default:
            default = f" = {item.default}"
        words.append(f"{item.name}{unit}{default}")
    return ", ".join(words)


def _sentence(law: type[laws.Law]) -> str:
    """The first line of the docstring without the rows, which have a column of their own."""
    return first_line(law).split("  Rows ")[0].rstrip(".")


def print_solvers() -> None:
    """Write the solvers with their options and defaults."""
    console = terminal.output()
    table = terminal.plain_table("solver", "iterations", "options", "what it does", right=("iterations",))
    for name, solver in SOLVERS.items():
        options = ", ".join(f"{item.name}={_value(item.default)}" for item in fields(solver)) or "-"
        what = first_line(solver).rstrip(".")
        if solver.formulations != SOLVED_FORMULATIONS:
            what += f"; formulations: {', '.join(solver.formulations)}"
        table.add_row(name, str(solver.default_iterations), options, escape(what))
    console.print(table)
    console.print(
        "iterations: the limit where --max-iterations gives none.  "
        "Options:  trundle solve FILE --solver gauss-seidel --option relaxation=1.2"
    )


def _value(default: Any) -> str:
    return f"{default:.4g}" if isinstance(default, float) else str(default)
