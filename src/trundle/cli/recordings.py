"""`trundle verify`, `repair` and `rerun`: whether a recording is what was written, and whether it can be had again."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import typer

from trundle.cli import terminal
from trundle.errors import DAMAGED, RecordingError
from trundle.record import damage
from trundle.record.reader import Recording


def verify(path: Path, as_json: bool) -> None:
    """Say what is damaged."""
    verdict = damage.verify(path)
    frames, whole = len(verdict.whole), int(verdict.whole.sum())
    first = frames if whole == frames else int(np.argmin(verdict.whole))
    if as_json:
        found = [{"dataset": d.dataset, d.what + "s": list(d.numbers)} for d in verdict.damage]
        facts = {
            "file": str(path),
            "checksums": verdict.checked,
            "damage": found,
            "frames": frames,
            "frames_whole": whole,
        }
        typer.echo(json.dumps(facts, indent=2))
    else:
        for one in verdict.damage:
            terminal.print_error(f"damaged: {one}")
        if verdict and verdict.checked:
            terminal.say(f"{path}: {frames:,} frames, all as they were written")
        elif verdict:
            terminal.say(f"{path}: can be read; a file of format 1 has no checksums, so that numbers may have changed")
        else:
            terminal.say(
                f"{path}: {whole:,} of {frames:,} frames are whole, the first {first:,} among them; save them with: "
                f"trundle repair {path} -o saved.h5"
            )
    raise typer.Exit(terminal.CONVERGED if verdict else DAMAGED)


def repair(path: Path, target: Path) -> None:
    """Save what is whole."""
    verdict, left_out = damage.repair(path, target)
    for found in verdict.damage:
        terminal.say(f"damaged: {found}", err=True)
    for text in left_out:
        terminal.say(f"lost: {text}", err=True)
    with Recording(target) as saved:
        terminal.say(f"written: {target}, {saved.frame_count:,} frames")
    raise typer.Exit(terminal.NOT_CONVERGED if left_out else terminal.CONVERGED)


# --- once more --------------------------------------------------------------------------------------


def rerun(path: Path, output: Path | None, trust: bool) -> None:
    """Repeat a run, and compare."""
    if output is not None and output.exists():
        raise RecordingError(f"{output}: there is such a file already, which is not replaced. Give another name.")
    with tempfile.TemporaryDirectory() as folder:
        again = output or Path(folder) / "again.h5"
        _repeat(path, again, trust)
        differing = compare(path, again)
        changed = _circumstances(path, again)
    for name, what in differing.items():
        terminal.say(f"differs: /{name}, {what}")
    for text in changed:
        terminal.say(f"now other than then: {text}")
    terminal.say("the bits do not agree" if differing else f"the bits agree: every number of {path} came out the same")
    if output is not None:
        terminal.say(f"written: {output}")
    raise typer.Exit(terminal.NOT_CONVERGED if differing else terminal.CONVERGED)


def _repeat(path: Path, again: Path, trust: bool) -> None:
    from trundle.run.options import Options
    from trundle.run.simulate import recorded_scene, resume, simulate

    with Recording(path) as run:
        options = Options(**run.options)
        if options.steered:
            raise RecordingError(
                f"{path}: loads, motors or bodies were changed between its steps, which the file does not know. It cannot be "
                "repeated."
            )
        if isinstance(options.solver, dict) and "own" in options.solver:
            raise RecordingError(
                f"{path}: was made with a solver of your own, which is not in the file. Repeat it in Python."
            )
        if any("repaired" in stage for stage in run.stages):
            raise RecordingError(f"{path}: was repaired, and lacks what was damaged. It cannot be compared.")
        scene = recorded_scene(run, trust)
        table = options.arguments()
        # a run that was ended early, or is not finished, is repeated as far as it went
        done = len(run.steps)
        if options.accuracy is not None:
            done = round(float(run.time[-1]) / options.time_step)
    h, asked = options.time_step, float(table.pop("duration"))
    end = asked if round(asked / h) == done else done * h
    if done == 0:
        raise RecordingError(f"{path}: has no steps: there is nothing to repeat.")
    with terminal.warnings_told():
        if options.accuracy is None:
            simulate(scene, end, record=again, progress=True, **table)
            return
        # lengths of steps depend on the duration that was asked for
        simulate(scene, asked, record=again, progress=True, stop=lambda time, _: time > end - 0.5 * h, **table)
        if end > asked:
            resume(again, duration=end, progress=True, trust=trust)


def compare(one: Path, other: Path) -> dict[str, str]:
    """Datasets of two recordings that differ, and where; texts and times of day are not compared."""
    differing: dict[str, str] = {}
    with Recording(one) as a, Recording(other) as b:
        for name in ("names", "modes"):
            if getattr(a, name) != getattr(b, name):
                differing[name] = "the names"
        for name in ("steps", "energy"):
            x, y = getattr(a, name), getattr(b, name)
            rows = min(len(x), len(y))
            columns = [c for c in x.dtype.names if not _same(x[c][:rows], y[c][:rows])]
            if columns:
                first = min(int(np.argmax(_bits(x[c][:rows]) != _bits(y[c][:rows]))) for c in columns)
                differing[name] = f"from step {first} on in {', '.join(columns)}"
            elif len(x) != len(y):
                differing[name] = f"{len(x)} and {len(y)} steps"
        if a.frame_count != b.frame_count:
            differing["frames"] = f"{a.frame_count} and {b.frame_count} of them"
        for k in range(min(a.frame_count, b.frame_count)):
            _compare_parts(differing, k, a.frame(k), b.frame(k))
            _compare_parts(differing, k, a.contacts(k), b.contacts(k), "contacts/")
    return differing


def _compare_parts(differing: dict[str, str], k: int, a: Any, b: Any, group: str = "") -> None:
    for name, value in vars(a).items():
        if isinstance(value, np.ndarray) and group + name not in differing and not _same(value, getattr(b, name)):
            differing[group + name] = f"from frame {k} on"


def _bits(values: np.ndarray) -> np.ndarray:
    return values.view("u8") if values.dtype == np.float64 else values


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and a.tobytes() == b.tobytes()


def _circumstances(one: Path, other: Path) -> list[str]:
    """What of versions, sources and machine is not as it was."""
    with Recording(one) as a, Recording(other) as b:
        if not a.stages:
            return [f"versions: {a.versions} then, {b.versions} now"] if a.versions != b.versions else []
        then, now = a.stages[-1], b.stages[-1]
    said = [
        f"{n} {then['versions'].get(n)} then, {v} now"
        for n, v in now["versions"].items()
        if then["versions"].get(n) != v
    ]
    if then["package"] != now["package"]:
        said.append("the source of trundle itself")
    said += [
        f"{n}: {then['machine'].get(n)} then, {v} now" for n, v in now["machine"].items() if then["machine"].get(n) != v
    ]
    return said
