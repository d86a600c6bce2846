"""`trundle problems`: make a library of contact problems, show what is in it, check its certificates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import typer

from trundle import interrupts, problems
from trundle.cli import terminal
from trundle.problems import Facts, Library

DAMAGED = 3
SIZES = (0, 100, 1_000, 10_000)


def make(folder: Path, count: int, seed: int, workers: int, certificates: bool, again: bool) -> None:
    """Make what is missing of a library."""
    with terminal.Activity(2 * count) as activity:

        def told(what: str, done: int, total: int) -> None:
            activity.total, activity.done = total, done
            activity.say(what)

        activity.say("preparing")
        try:
            library = problems.make(
                folder, count, seed, certificates=certificates, again=again, workers=workers, progress=told
            )
        except KeyboardInterrupt:
            words = f"{interrupts.in_words(interrupts.received)}: finished problems are in {folder}; the same command goes on"
            terminal.say(words, err=True)
            raise typer.Exit(interrupts.exit_code()) from None
    _print(library)
    terminal.say(f"written: {len(library.facts)} problems and their catalogue in {folder}")
    for error in library.errors:
        terminal.print_error(error)
    raise typer.Exit(terminal.NOT_CONVERGED if library.errors else terminal.CONVERGED)


def show(folder: Path) -> None:
    """Write tables of what a library holds."""
    _print(problems.load(folder))


def check(folder: Path) -> None:
    """Check all certificates of a library."""
    wrong = files = 0
    with terminal.Activity(1) as activity:
        for file, said in problems.check(folder):
            files += 1
            activity.say(f"{file.name}: checked")
            wrong += bool(said)
            for text in said:
                terminal.print_error(f"{file}: {text}.")
    terminal.say(f"{files} problems checked, {wrong} of them wrong")
    raise typer.Exit(DAMAGED if wrong else terminal.CONVERGED)


def _print(library: Library) -> None:
    """Families by size, laws and hardness."""
    columns = (
        "family",
        "problems",
        "contacts",
        "up to 100",
        "up to 1,000",
        "more",
        "easy",
        "medium",
        "hard",
        "certified",
    )
    table = terminal.plain_table(*columns, right=columns[1:])
    families = list(dict.fromkeys(one.family for one in library.facts))
    for family in families:
        table.add_row(family, *_cells([one for one in library.facts if one.family == family]))
    if len(families) > 1:
        table.add_row("all", *_cells(library.facts))
    terminal.output().print(table)
    laws = Counter(one.law for one in library.facts)
    terminal.say("laws: " + ", ".join(f"{number} {law}" for law, number in laws.most_common()))


def _cells(facts: Sequence[Facts]) -> list[str]:
    contacts = [one.contacts for one in facts]
    sizes = [sum(low < c <= high for c in contacts) for low, high in pairwise(SIZES)]
    hardness = Counter(one.hardness for one in facts)
    certified = sum(one.solution == "certified" for one in facts)
    return [
        str(len(facts)), f"{min(contacts)} to {max(contacts):,}", *map(str, sizes),
        *(str(hardness[name]) for name in ("easy", "medium", "hard")), f"{certified} of {len(facts)}",
    ]  # fmt: skip
