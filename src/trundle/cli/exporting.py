"""`trundle export`: a recording in the formats of others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from trundle.cli import terminal
from trundle.record import export
from trundle.record.reader import Recording

FORMATS: dict[str, Callable[[Recording, Path, Callable[[int], object]], Any]] = {
    "--lammps": export.export_lammps,
    "--xyz": export.export_xyz,
    "--csv": export.export_csv,
}


def run(path: Path, wanted: dict[str, Path | None]) -> None:
    """Write every format that has a target."""
    targets = {option: target for option, target in wanted.items() if target is not None}
    terminal.stop_unless(bool(targets), f"export to what? Give one or more of {', '.join(wanted)}.")
    with Recording(path) as recording:
        for option, target in targets.items():
            with terminal.Activity(recording.frame_count) as activity:

                def told(done: int, activity: terminal.Activity = activity, target: Path = target) -> None:
                    activity.done = done
                    activity.say(f"writing {target}")

                FORMATS[option](recording, target, told)
            terminal.say(f"written: {target}")
