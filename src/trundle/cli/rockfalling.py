"""What `trundle rockfall` does and says."""

from __future__ import annotations

from pathlib import Path

import typer

from trundle import interrupts
from trundle.cli import terminal
from trundle.cli.sweeping import Display, silence_dask


def run(
    file: Path, folder: Path | None, release: Path | None, data: Path | None, seeds: int | None, workers: int | None,
    scheduler: str | None, calibrate: bool, report: bool,
) -> None:  # fmt: skip
    """Compute what is missing of a study, or fit its parameters, and say what came out."""
    where = folder or Path("out") / file.stem
    terminal.make_folder(where, "-o")
    silence_dask()
    try:
        if calibrate:
            terminal.stop_unless(
                all(given is None for given in (release, seeds, scheduler)),
                "--calibrate takes none of --release, --seeds, --scheduler: [calibration] says what is done.",
            )
            _calibrate(file, where, data, workers)
            return
        from trundle.rockfall.study import run_study
        from trundle.sweep.engine import duration

        with Display(file.stem) as display:
            results = run_study(
                file, where, release=release, data=data, workers=workers, scheduler=scheduler, seeds=seeds, report=report,
                progress=display.show,
            )  # fmt: skip
    except KeyboardInterrupt:
        terminal.say(
            f"{interrupts.in_words(interrupts.received)}: finished blocks are kept in {where}; the same command continues",
            err=True,
        )
        raise typer.Exit(interrupts.exit_code()) from None
    if results.damaged:
        names = ", ".join(results.damaged[:5]) + (", ..." if len(results.damaged) > 5 else "")
        terminal.say(f"{len(results.damaged)} files were damaged, and were computed again: {names}", err=True)
    reasons = results.column("stop_reason").tolist()
    counts = ", ".join(f"{reasons.count(name):,} {name}" for name in dict.fromkeys(sorted(reasons)))
    lost = [row for row in results.deposits if row["stop_reason"] == "lost"]
    if lost:
        terminal.say(
            f"{len(lost):,} blocks fell through the ground, the first in run '{lost[0]['run']}', seed {lost[0]['seed']}: use a "
            "smaller time_step",
            err=True,
        )
    missed = int(results.column("missed_steps").sum())
    if missed:
        terminal.say(f"{missed:,} steps missed the tolerance: see missed_steps in deposits.csv", err=True)
    terminal.say(
        f"{len(reasons):,} blocks in {duration(results.seconds)}: {counts}\nwritten: {where / 'deposits.csv'}, maps/"
        + (", report.html" if report else "")
    )


def _calibrate(file: Path, where: Path, data: Path | None, workers: int | None) -> None:
    from trundle.rockfall.calibration import calibrate_case

    fit = calibrate_case(file, where, data=data, workers=workers, progress=lambda text: terminal.say(text, err=True))
    terminal.say(fit.in_words() + f"\nwritten: {where / 'fitted.toml'}, calibration.json, calibration.md")
