"""`trundle sweep`: a campaign from its file to its table and pictures."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from trundle import interrupts
from trundle.cli import terminal
from trundle.display import hidden
from trundle.run.progress import PER_LINE

if TYPE_CHECKING:
    from trundle.sweep import CampaignResult
    from trundle.sweep.engine import Progress as Standing


def run(
    file: Path, folder: Path | None, workers: int | None, scheduler: str | None, retry: bool, plots: bool, dry: bool
) -> None:
    """Compute what is missing of a campaign and say what came out."""
    from trundle import sweep

    campaign = sweep.load_campaign(file)
    where = folder or Path("out") / file.stem
    if dry:
        _print_plan(campaign, where)
        return
    terminal.make_folder(where, "-o")
    silence_dask()
    with hidden(), Display(campaign.name) as display:
        try:
            result = sweep.run_campaign(
                campaign, where, workers=workers, scheduler=scheduler, retry=retry, progress=display.show
            )
        except KeyboardInterrupt:
            terminal.say(
                f"{interrupts.in_words(interrupts.received)}: finished runs are kept in {where}; the same command continues",
                err=True,
            )
            raise typer.Exit(interrupts.exit_code()) from None
    files = []
    if plots:
        from trundle.sweep.plots import draw_campaign

        files = draw_campaign(campaign, result.table, where / "plots")
    _print_result(result, len(files))
    raise typer.Exit(terminal.NOT_CONVERGED if result.failed else terminal.CONVERGED)


def silence_dask() -> None:
    """What a death means for the user is said at the end, in one sentence; workers are told by their environment."""
    os.environ.setdefault("DASK_LOGGING__DISTRIBUTED", "critical")
    with contextlib.suppress(ImportError):
        import distributed  # noqa: F401  sets its levels as it is imported
    for name in ("distributed", "distributed.nanny", "distributed.scheduler", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _print_plan(campaign: object, where: Path) -> None:
    from trundle.sweep import Campaign
    from trundle.sweep.engine import make_jobs
    from trundle.sweep.store import Store, identity

    assert isinstance(campaign, Campaign)
    jobs = make_jobs(campaign)
    missing = Store(where).missing([identity(job) for job in jobs], retry=False) if where.exists() else jobs
    for name in [*campaign.names, *(["seed"] if campaign.seeds else [])]:
        values = list(dict.fromkeys(str(job["parameters"][name]) for job in jobs))
        shown = ", ".join(values[:8]) + (f", ... ({len(values)} values)" if len(values) > 8 else "")
        terminal.say(f"{name}: {shown}")
    terminal.say(f"{len(jobs)} runs, {len(missing)} of them not in {where} yet")


def _print_result(result: CampaignResult, pictures: int) -> None:
    from trundle.sweep.engine import duration

    if result.damaged:
        names = ", ".join(result.damaged[:5]) + (", ..." if len(result.damaged) > 5 else "")
        terminal.say(f"{len(result.damaged)} results were damaged, and were computed again: {names}", err=True)
    failed = result.table[result.table["error"] != ""]
    for error, rows in failed.groupby("error", sort=False):
        numbers = ", ".join(map(str, rows.index[:5])) + (", ..." if len(rows) > 5 else "")
        terminal.print_error(f"{len(rows)} failed (rows {numbers}): {error}")
    warned = int((result.table["warnings"] != "").sum())
    if warned:
        terminal.say(f"warnings in {warned} runs: see the column `warnings`", err=True)
    terminal.say(
        f"{len(result.table)} runs: {result.computed} computed, {result.stored} from before, {result.failed} failed; "
        f"{duration(result.seconds)}, runs alone {duration(result.run_seconds)}\n"
        f"written: {result.results}" + (f", {pictures} pictures in {result.folder / 'plots'}" if pictures else "")
    )
    if result.failed:
        terminal.say("failed runs are kept with their error in runs/; --retry computes them again", err=True)


class Display:
    """Progress: a bar on a terminal, a line now and then in a log."""

    def __init__(self, name: str) -> None:
        columns = (TextColumn("{task.description}", markup=False), BarColumn(bar_width=24), MofNCompleteColumn())
        self._bar = Progress(
            *columns, TimeElapsedColumn(), TextColumn("{task.fields[left]}"), console=terminal.messages(), transient=True
        )  # fmt: skip
        self._tty = sys.stderr.isatty()
        self._task = self._bar.add_task(name, total=None, left="checking")
        self._said = time.perf_counter()

    def __enter__(self) -> Display:
        if self._tty:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._tty:
            self._bar.stop()

    def show(self, standing: Standing) -> None:
        if self._tty:
            left = standing.in_words().partition(", ")[2]  # the bar counts
            self._bar.update(self._task, completed=standing.done, total=standing.total, left=left)
        elif standing.done == 0 or time.perf_counter() - self._said > PER_LINE:
            self._said = time.perf_counter()
            terminal.say(standing.in_words(), err=True)
