"""No room: commands that meet a full disk, one that can only be read, a limit of file sizes, of open files or of memory."""

from __future__ import annotations

import contextlib
import hashlib
import os
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from bits_lab import digest
from cases import run as run_case
from command import invoke
from damage_lab import sample, watched
from kill_lab import write_case

import trundle

DISK = 4  # the exit code
ROOM = 100_000_000  # bytes of a disk on which there is room for everything
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
CAMPAIGN = """
scene = "scene.toml"
measures = ["energy"]
[vary]
"surfaces.0.law.mu" = [0.1, 0.2, 0.3]
[simulate]
duration = 0.05
"""
LARGE = SCENE.replace("[3, 3, 2]", "[20, 20, 10]").replace("duration = 0.6", "duration = 0.04")  # of memory
WAYS = ("disk", "disk", "size of files", "read-only", "memory", "open files")


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


def remount(folder: Path, options: str) -> None:
    """Change a small disk: make room on it, or let it be read only."""
    subprocess.run(["mount", "-o", f"remount,{options}", str(folder)], check=True)


def starve(way: str, room: int) -> None:
    """Take something from this process: `room` in bytes of a file or of memory, or as a number of files."""
    if way == "size of files":
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    elif way == "memory":
        used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGESIZE")
        resource.setrlimit(resource.RLIMIT_AS, (used + room, used + room))
    elif way == "open files":
        free = os.dup(0)  # the lowest number that is free
        os.close(free)
        resource.setrlimit(resource.RLIMIT_NOFILE, (free + room, free + room))


def command(arguments: list[str], way: str = "", room: int = 0) -> tuple[str, str]:
    """Run a command in a watched process that lacks something; ("exit 4", output) or what went wrong."""

    def work() -> str:
        import trundle.record.writer as writer

        writer.PATIENCE, writer.SHARE = 0.0, 1.0  # many commits
        starve(way, room)
        result = invoke(arguments)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return f"{result.exit_code} {result.output}"

    kind, text = watched(work, 120)
    code, _, output = text.partition(" ")
    return (f"exit {code}", output) if kind == "done" else (kind, text)


def told(path: Path) -> str:
    """A digest of all steps and frames of a recording."""
    with trundle.open_recording(path) as run:
        return digest(run)


def read_folder(folder: Path) -> str:
    """A digest of what a command has written, apart from recordings, pictures, reports and the store, which tell times."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*.csv")):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


class Bench:
    """What is tried: commands with a place to write to, and what they give where there is room."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.scene, self.run, self.wholes = folder, folder / "scene.toml", folder / "whole.h5", {}
        self.scene.write_text(SCENE)
        self.large_scene, self.large = folder / "large.toml", folder / "large" / "run.h5"
        self.large_scene.write_text(LARGE)
        (folder / "campaign.toml").write_text(CAMPAIGN)
        self.case = write_case(folder)
        self.case.write_text(self.case.read_text().replace("count = 12", "count = 3").replace("= 20.0", "= 0.5"))
        self.other = folder / "other.h5"
        sample(self.other)
        self.files: dict[str, list[str]] = {  # the last word is the name of the file or folder
            "csv": ["export", str(self.other), "--csv", "tables"], "xyz": ["export", str(self.other), "--xyz", "run.xyz"],
            "lammps": ["export", str(self.other), "--lammps", "run.dump"],
            "html": ["export", str(self.other), "--html", "run.html"],
            "png": ["export", str(self.other), "--size", "320x200", "--png", "run.png"],
            "repair": ["repair", str(self.other), "-o", "saved.h5"],
        }  # fmt: skip
        self.stores = {
            "sweep": ["sweep", str(folder / "campaign.toml"), "--workers", "0", "-o", "out"],
            "rockfall": ["rockfall", str(self.case), "--workers", "0", "-o", "out"],
            "reproduce": ["reproduce", "hjiaj-2004", "--only", "law", "--quick", "-o", "out"],
        }
        self.subjects = ["run", *self.files, "run", *self.stores]
        self.size = {"run": 0, **dict.fromkeys(self.files, 600_000)}
        for (
            name,
            words,
        ) in self.stores.items():  # here, not in a child: what it loads and compiles is there for all of them
            whole = folder / f"whole-{name}"
            assert invoke([*words[:-1], str(whole)]).exit_code == 0, name
            self.wholes[name] = read_folder(whole)
            self.size[name] = 2 * sum(file.stat().st_size for file in whole.rglob("*") if file.is_file())
        for words in (
            ["run", str(self.scene), "-q", "-o", str(self.run)],
            ["info", str(self.run)],
            ["verify", str(self.run)],
        ):
            assert invoke(words).exit_code == 0, words
        for name, words in self.files.items():
            assert invoke([*words[:-1], str(folder / f"whole-{words[-1]}")]).exit_code == 0, name
        run_case("grains", duration=0.02, threads=1)  # its kernels: LLVM ends a process that has no memory for them
        (folder / "large").mkdir()
        made = command(self.words("run", folder / "large", large=True))
        assert made[0] == "exit 0", made
        self.truths = {path: told(path) for path in (self.run, self.large)}
        self.size["run"] = 2 * self.run.stat().st_size

    def room(self, what: str, way: str, rng: np.random.Generator) -> int:
        """How much of something there is."""
        if way == "open files":
            return int(rng.integers(0, 6))
        least, most = (10_000, 60_000_000) if way == "memory" else (4_000, self.size[what])
        return int(np.exp(rng.uniform(np.log(least), np.log(most))))

    def words(self, what: str, target: Path, large: bool = False) -> list[str]:
        """A command that writes to a folder; of a large scene, for which memory may not suffice."""
        if what == "run":
            scene = (
                [str(self.large_scene), "--threads", "1"] if large else [str(self.scene)]
            )  # forked ones share no threads
            return ["run", *scene, "-q", "-o", str(target / "run.h5")]
        words = (self.files | self.stores)[what]
        other = str(self.large if large else self.other)
        return [other if word == str(self.other) else word for word in words[:-1]] + [str(target / words[-1])]

    def attempt(self, what: str, way: str, room: int, target: Path) -> str:
        """Let a command fail, look at what it left, and let it succeed; returns what happened in words."""
        large = way == "memory"
        kind, text = command(self.words(what, target, large), way, room)
        assert kind in ("exit 0", f"exit {DISK}"), (kind, text[-2000:])
        left = sorted(file.name for file in target.rglob("*") if file.is_file())
        assert not any(name.startswith(".") for name in left), left
        assert kind == "exit 0" or any(words in text for words in ("cannot be written", "out of memory", "ulimit")), (
            text
        )
        if way == "read-only":
            assert (kind, left) == (f"exit {DISK}", [])
            remount(target, "rw")
        elif way == "disk":
            remount(target, f"size={ROOM}")
        check: Callable[[str, str, Path, bool], str]
        check = self._run if what == "run" else self._store if what in self.stores else self._file
        return check(what, text if kind != "exit 0" else "", target, large)

    def _run(self, what: str, said: str, target: Path, large: bool) -> str:
        path, truth = target / "run.h5", self.truths[self.large if large else self.run]
        assert [file.name for file in target.iterdir()] in ([], ["run.h5"]), list(target.iterdir())
        if not said:
            assert told(path) == truth
            return "had enough"
        if "cannot be written" in said:
            assert ("from which the run can be resumed" in said) == path.exists(), said
        if not path.exists():
            assert command(self.words("run", target, large))[0] == "exit 0"
        else:
            kind, text = command(["verify", str(path)])
            assert kind == "exit 0", text
            with trundle.open_recording(path) as run:
                finished = run.finished
            kind, text = command(["run", "--resume", str(path), "-q", "--threads", "1"])
            assert kind == ("exit 2" if finished else "exit 0"), text  # it may have been the summary that failed
        assert told(path) == truth
        return "said, then resumed to the same bits"

    def _file(self, what: str, said: str, target: Path, large: bool) -> str:
        left = [file for file in target.rglob("*") if file.is_file()]
        if said:
            assert what == "csv" or left == [], left
        if what == "csv" and not large:  # each table is whole or absent
            for file in left:
                assert file.read_bytes() == (self.folder / "whole-tables" / file.name).read_bytes(), file.name
        return "said, nothing half written" if said else "had enough"

    def _store(self, what: str, said: str, target: Path, large: bool) -> str:
        kind, text = command(self.words(what, target))
        assert kind == "exit 0", text
        assert "damaged" not in text, text
        assert read_folder(target / "out") == self.wholes[what], "another table"
        return "said, then continued to the same tables" if said else "had enough"


def fill_disks(folder: Path, count: int, seed: int) -> dict[str, Any]:
    """Let `count` commands lack room; returns counts and failures."""
    rng, bench, begun = np.random.default_rng(seed), Bench(folder), time.perf_counter()
    counts: dict[str, int] = {}
    failures: list[str] = []
    for i in range(count):
        target = folder / f"disk{i}"
        what = bench.subjects[i % len(bench.subjects)]
        way = WAYS[i // len(bench.subjects) % len(WAYS)]
        room = bench.room(what, way, rng)
        with small_disk(target, room if way == "disk" else ROOM) as made:
            if way in ("disk", "read-only") and not made:
                way = "size of files"
            if way == "read-only":
                remount(target, "ro")
            try:
                outcome = bench.attempt(what, way, room, target)
            except AssertionError as error:
                outcome = "failed"
                failures.append(f"seed {seed}, disk {i}, {way} {room}, {what}: {error}")
        shutil.rmtree(target)
        outcome = f"{outcome} ({way})" if outcome == "had enough" else outcome
        counts[outcome] = counts.get(outcome, 0) + 1
    return {"disks": count, **counts, "failures": failures, "seconds": time.perf_counter() - begun}
