"""`trundle reproduce`: the numbers and figures of a paper beside ours."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from rich.markup import escape

from trundle import papers
from trundle.cli import terminal
from trundle.papers import Report
from trundle.papers.report import VERDICTS
from trundle.run.progress import PER_LINE

ALL = "all"


def print_list() -> None:
    """Write the papers with their parts."""
    table = terminal.plain_table("paper", "parts (--only)", "what it is")
    for key in papers.known():
        paper = papers.load(key)
        table.add_row(key, "", escape(paper.TITLE))
        for name, what in paper.PARTS.items():
            table.add_row("", name, escape(what))
    terminal.output().print(table)


def run(key: str, only: str | None, quick: bool, folder: Path, time_step: float | None, again: bool) -> None:
    """Reproduce a paper, or all of them one after the other, and say what agrees."""
    terminal.make_folder(folder, "-o")
    if key == ALL:
        terminal.stop_unless(only is None, "--only: name the paper whose part you want instead of 'all'.")
        terminal.stop_unless(time_step is None, "--time-step: name the paper instead of 'all'.")
        _need_everything()
        reports = [_one(name, None, quick, folder / name, None, again) for name in papers.known()]
        _print_verdicts(reports)
    else:
        _one(key, only, quick, folder, time_step, again)


def _need_everything() -> None:
    """Say what is missing for any paper before the first one begins."""
    from trundle.sweep.table import need_packages

    need_packages("trundle reproduce all")


def _one(key: str, only: str | None, quick: bool, folder: Path, time_step: float | None, again: bool) -> Report:
    with terminal.Activity(100) as activity:
        said = time.perf_counter()

        def progress(text: str, share: float) -> None:
            nonlocal said
            activity.done = int(100.0 * share)
            activity.say(f"{key}: {text}")
            if not sys.stderr.isatty() and time.perf_counter() - said > PER_LINE:
                said = time.perf_counter()
                terminal.say(f"{key}: {text}, {100.0 * share:.0f} %", err=True)

        report = papers.reproduce(key, folder, only, quick, progress, again, time_step=time_step)
    _print_report(report)
    return report


def _print_verdicts(reports: list[Report]) -> None:
    """How many claims of each paper have each verdict."""
    table = terminal.plain_table("paper", *VERDICTS, right=VERDICTS)
    for report in reports:
        table.add_row(report.paper, *(str(number) for number in report.count().values()))
    terminal.output().print(table)


def _print_report(report: Report) -> None:
    from trundle.papers.report import in_words

    table = terminal.plain_table("claim", "paper", "ours", "unit", "verdict", right=("paper", "ours"))
    table.columns[0].no_wrap = False
    for item in report.claims:
        colour = {"agrees": "green", "differs": "yellow"}.get(item.verdict, "default")
        texts = (escape(text) for text in (item.claim, in_words(item.paper), in_words(item.ours), item.unit))
        table.add_row(*texts, f"[{colour}]{item.verdict}[/]")
    terminal.output().print(table)
    counts = ", ".join(f"{number} {verdict}" for verdict, number in report.count().items())
    figures = ", ".join(name for name, _ in report.figures)
    terminal.say(
        f"{report.paper}: {counts}\nwritten: {report.folder / 'report.md'}, report.json"
        + (f", {figures}" if figures else "")
    )
