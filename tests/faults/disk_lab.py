"""Full disks: commands that write to a small file system, or under a limit of the size of files."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from command import invoke
from damage_lab import read_all, sample, watched

import trundle
from trundle.record.export import export_csv

DISK = 4  # the exit code
SCENE = """
[simulation]
duration = 0.6
time_step = 0.01
[[bodies]]
shape = "Sphere"
name = "ball"
radius = 0.1
density = 2500
position = [0, 0, 0.1]
velocity = [1, 0, 0]
[[grids]]
shape = "Sphere"
name = "g"
radius = 0.05
density = 2500
first = [1, 0, 0.05]
count = [3, 3, 2]
spacing = 0.11
[[bodies]]
shape = "HalfSpace"
name = "floor"
fixed = true
[[surfaces]]
between = ["default", "default"]
law = { name = "Rolling", mu = 0.3, mu_r = 0.001 }
"""


def may_mount() -> bool:
    """Whether this user can make small file systems."""
    return os.name == "posix" and os.geteuid() == 0 and shutil.which("mount") is not None


@contextlib.contextmanager
def small_disk(folder: Path, size: int) -> Iterator[bool]:
    """A file system of some bytes in a folder; False where there can be none."""
    folder.mkdir(exist_ok=True)
    made = may_mount() and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True, check=False
    ).returncode == 0  # fmt: skip
    try:
        yield made
    finally:
        if made:
            subprocess.run(["umount", str(folder)], check=True)


def enlarge(folder: Path) -> None:
    """Make room on a small disk."""
    subprocess.run(["mount", "-o", "remount,size=100m", str(folder)], check=True)


def command(arguments: list[str], limit: int | None = None) -> tuple[str, str]:
    """Run a command in a watched process, with a limit of the size of files [bytes]; ("exit 4", output) or what went wrong."""

    def work() -> str:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        import trundle.record.writer as writer

        writer.PATIENCE, writer.SHARE = 0.0, 1.0  # many commits
        result = invoke(arguments)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return f"{result.exit_code} {result.output}"

    kind, text = watched(work)
    code, _, output = text.partition(" ")
    return (f"exit {code}", output) if kind == "done" else (kind, text)


def _exports(run: Path, target: Path) -> dict[str, list[str]]:
    made = {
        "csv": ["export", "--csv", "tables"], "xyz": ["export", "--xyz", "run.xyz"], "lammps": ["export", "--lammps", "run.dump"],
        "html": ["export", "--html", "run.html"], "png": ["export", "--size", "320x200", "--png", "run.png"],
        "repair": ["repair", "-o", "saved.h5"],
    }  # fmt: skip
    return {name: [*words[:-1], str(target / words[-1]), str(run)] for name, words in made.items()}


def fill_disks(folder: Path, count: int, seed: int) -> dict[str, Any]:
    """Let `count` commands meet a full disk; returns counts and failures."""
    rng = np.random.default_rng(seed)
    scene, whole = folder / "scene.toml", folder / "whole.h5"
    scene.write_text(SCENE)
    assert command(["run", str(scene), "-o", str(whole), "-q"])[0] == "exit 0"
    truth, begun = read_all(whole), time.perf_counter()
    other = folder / "other.h5"
    sample(other)
    counts: dict[str, int] = {}
    failures: list[str] = []
    for i in range(count):
        target = folder / f"disk{i}"
        what = ["run", *_exports(other, target)][i % 7]
        room = int(np.exp(rng.uniform(np.log(4_000), np.log(2 * whole.stat().st_size if what == "run" else 600_000))))
        with small_disk(target, room if i % 3 < 2 else 100_000_000) as made:
            limit = None if made and i % 3 < 2 else room
            try:
                outcome = _run(scene, target, limit, truth) if what == "run" else _export(other, target, what, limit)
            except AssertionError as error:
                outcome = "failed"
                failures.append(
                    f"seed {seed}, disk {i} of {room} bytes ({'disk' if limit is None else 'limit'}), {what}: {error}"
                )
        shutil.rmtree(target)
        counts[outcome] = counts.get(outcome, 0) + 1
    return {"disks": count, **counts, "failures": failures, "seconds": time.perf_counter() - begun}


def _run(scene: Path, target: Path, limit: int | None, truth: str) -> str:
    path = target / "run.h5"
    kind, text = command(["run", str(scene), "-o", str(path), "-q"], limit)
    assert kind in ("exit 0", f"exit {DISK}"), (kind, text[-2000:])
    assert kind == "exit 0" or "cannot be written" in text, text
    names = [file.name for file in target.iterdir()]
    assert names in ([], ["run.h5"]), names
    if kind == "exit 0":
        assert read_all(path) == truth
        return "enough room"
    assert ("from which the run can be resumed" in text) == path.exists(), text
    if limit is None:
        enlarge(target)
    if not path.exists():
        assert command(["run", str(scene), "-o", str(path), "-q"])[0] == "exit 0"
    else:
        assert command(["verify", str(path)])[0] == "exit 0"
        assert command(["run", "--resume", str(path), "-q"])[0] == "exit 0"
    assert read_all(path) == truth
    return "said, then resumed to the same bits"


def _export(run: Path, target: Path, what: str, limit: int | None) -> str:
    arguments = _exports(run, target)[what]
    kind, text = command(arguments, limit)
    assert kind in ("exit 0", f"exit {DISK}"), (kind, text[-2000:])
    left = sorted(file.name for file in target.rglob("*") if file.is_file())
    assert not any(file.startswith(".") for file in left), left
    if kind == "exit 0":
        return "enough room"
    assert "cannot be written" in text, text
    assert what == "csv" or left == [], left
    whole = target.parent / f"whole-{what}"
    if what == "csv":  # each table is whole or absent
        export_csv(trundle.open_recording(run), whole)
        for file in target.rglob("*.csv"):
            assert file.read_bytes() == (whole / file.name).read_bytes(), file.name
    return "said, nothing half written"
