# ruff: noqa: E501 - tables of options
"""Mutated scene files, problem files, campaign files and command lines: each ends in a message and a known exit code."""

from __future__ import annotations

import json
import random
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from command import invoke as run_command
from disk_lab import SCENE

import trundle
from trundle import laws

SECONDS = 60
WORDS = [
    "-1", "0", "nan", "inf", "1e400", '"x"', "''", "[]", "[1, 2]", "[[1], [2, 3]]", "{}", "true", "1e-320", "99999999999999999999",
    "'\\u0000'", '"../../etc/passwd"', "-0.0", "[nan, 0, 0]", '"[/b]"', "1979-05-27", "'''", "[", "=", "{ratio = 1}", '"Sphere"',
]  # fmt: skip
CAMPAIGN = """
scene = "scene.toml"
measures = ["energy", "run-out"]
replicates = 1
[vary]
"surfaces.0.law.mu" = { from = 0.1, to = 0.5, count = 2 }
[simulate]
duration = 0.02
"""


MACHINE = """
gravity = [0, 0, -9.81]
[simulation]
duration = 0.02
time_step = "auto"
accuracy = 1e-3
frames_per_second = 1000
[[bodies]]
name = "ground"
shape = "HeightField"
heights = [[0.0, 0.0, 0.1], [0.0, 0.0, 0.1], [0.0, 0.1, 0.2]]
spacing = 1.0
origin = [-1.0, -1.0, 0.0]
zones = [0, 0, 1, 1]
soils = ["rock", "mud"]
roughness = { tilt = 0.05, size = 0.2 }
surface = "rock"
fixed = true
[[bodies]]
name = "hammer"
shape = "Compound"
parts = [{ shape = "Sphere", radius = 0.1, position = [0.1, 0, 0] }, { shape = "Box", size = [0.1, 0.1, 0.2] }]
density = 2500
position = [0, 0, 0.5]
surface = "rock"
group = "tools"
[[bodies]]
name = "anvil"
shape = "Cylinder"
radius = 0.1
height = 0.1
mass = 2.0
position = [0.5, 0, 0.5]
surface = "rock"
group = "tools"
locked = ["y"]
[[joints]]
kind = "hinge"
name = "pin"
one = "hammer"
other = "anvil"
position = [0.25, 0, 0.5]
axis = [0, 1, 0]
stiffness = 2.0
damping = 0.1
target = 0.1
limits = [-0.5, 0.5]
restitution = 0.3
[[joints]]
kind = "spring"
name = "rope"
one = "anvil"
position = [0.5, 0, 0.5]
other_position = [0.5, 0, 2.0]
stiffness = 50.0
limits = [0.1, 2.0]
[[ignore]]
one = "hammer"
other = "anvil"
[[loads]]
body = "anvil"
force = [0.1, 0, 0]
[[surfaces]]
between = ["rock", "rock"]
law = { name = "FlatPatch", mu = 0.3 }
restitution = { kind = "threshold", restitution = 0.5, speed = 0.1 }
[[surfaces]]
between = ["rock", "mud"]
law = { name = "Rolling", mu = { static = 0.5, kinetic = 0.3, speed = 0.1 }, mu_r = 0.01 }
"""
FALL = """
seed = 1
[terrain]
file = "terrain.asc"
zones = "zones.geojson"
surface = "meadow"
[soils.scree]
law = { name = "Rolling", mu = 0.6, mu_r = { ratio = 0.15 } }
restitution = { kind = "power", restitution = 0.3, speed = 5.0 }
roughness = { tilt = 0.1, size = 1.0 }
[soils.meadow]
law = { name = "Coulomb", mu = 0.5 }
restitution = 0.15
[blocks]
kind = "equant"
volume = [0.2, 2.0]
corners = 8
[release]
line = [[8.0, 8.0], [16.0, 12.0]]
count = 2
height = 0.3
spread = 0.2
[[barriers]]
name = "fence"
line = [[2.0, 2.0], [20.0, 2.0]]
height = 5.0
capacity = 300e3
[output]
cell = 2.0
trajectories = 1
[simulation]
time_step = 0.005
duration = 0.015
"""
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "rockfall"


def mutated(text: str, rng: random.Random) -> str:
    """A text with one to three changes of lines, values or characters."""
    for _ in range(rng.randint(1, 3)):
        lines = text.splitlines() or [""]
        i = rng.randrange(len(lines))
        kind = rng.randrange(7)
        if kind == 0:
            del lines[i]
        elif kind == 1:
            lines.insert(i, rng.choice(lines))
        elif kind == 2:
            lines.insert(i, f"{rng.choice(['radius', 'mass', 'foo', 'law', 'between', 'theta'])} = {rng.choice(WORDS)}")
        elif kind in (3, 4) and "=" in lines[i]:
            lines[i] = f"{lines[i].partition('=')[0]}= {rng.choice(WORDS)}"
        elif kind == 5 and lines[i]:
            at = rng.randrange(len(lines[i]))
            lines[i] = (
                lines[i][:at] + chr(rng.choice([0, 9, 27, 34, 39, 91, 93, 123, 8232, 0x1F600])) + lines[i][at + 1 :]
            )
        else:
            other = rng.randrange(len(lines))
            lines[i], lines[other] = lines[other], lines[i]
        text = "\n".join(lines) + "\n"
    return text


def _tick(*_: object) -> None:
    raise TimeoutError("hung")


def invoke(arguments: list[str]) -> str:
    """What is wrong with the end of a command, "" if nothing is."""
    former = signal.signal(signal.SIGALRM, _tick)
    signal.alarm(SECONDS)
    try:
        result = run_command(arguments)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, former)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return f"{type(result.exception).__name__}: {result.exception}"
    if result.exit_code not in (0, 1, 2, 3, 4):
        return f"exit code {result.exit_code}"
    if result.exit_code != 0 and not result.output.strip():
        return "no message"
    return "control characters" if "\x1b" in result.output or "\x00" in result.output else ""


def _fuzz(count: int, seed: int, command: Callable[[random.Random, int], list[str]]) -> dict[str, Any]:
    rng, failures, begun = random.Random(seed), [], time.perf_counter()
    for i in range(count):
        arguments = command(rng, i)
        wrong = invoke(arguments)
        if wrong:
            failures.append(f"seed {seed}, input {i}, {' '.join(arguments)!r}: {wrong}")
    return {"inputs": count, "failures": failures, "seconds": time.perf_counter() - begun}


def fuzz_scenes(folder: Path, count: int, seed: int) -> dict[str, Any]:
    """Check mutated scene files, and run each tenth of them for two steps."""
    path = folder / "fuzzed.toml"

    def command(rng: random.Random, i: int) -> list[str]:
        path.write_text(mutated(rng.choice([SCENE, MACHINE]), rng), encoding="utf-8", errors="replace")
        if i % 10:
            return ["check", str(path)]
        return [
            "run",
            str(path),
            "-o",
            str(folder / "fuzzed.h5"),
            "--force",
            "-q",
            "--time-step",
            "1e-3",
            "--duration",
            "2e-3",
        ]

    return _fuzz(count, seed, command)


def fuzz_cases(folder: Path, count: int, seed: int) -> dict[str, Any]:
    """Cases of rockfall in which one of their files is mutated: case, raster, zones, release; each is let fall for three steps."""
    for name in ("terrain.asc", "soils.geojson"):
        (folder / name).write_bytes((EXAMPLE / name).read_bytes())
    heights = [" ".join(f"{10 + ((3 * i + 5 * j) % 7) / 7:.3f}" for i in range(12)) for j in range(12)]
    head = "ncols 12\nnrows 12\nxllcorner 0\nyllcorner 0\ncellsize 2\nNODATA_value -9999\n"
    ring = [[0, 0], [12, 0], [12, 24], [0, 24], [0, 0]]
    feature = {
        "type": "Feature",
        "properties": {"surface": "scree"},
        "geometry": {"type": "Polygon", "coordinates": [ring]},
    }
    texts = {
        "case.toml": FALL, "terrain.asc": head + "\n".join(heights) + "\n",
        "zones.geojson": json.dumps({"type": "FeatureCollection", "features": [feature]}, indent=1),
        "release.csv": "run,release_x,release_y,release_vx\na,8,8,1\nb,10,12,2\n",
    }  # fmt: skip

    def command(rng: random.Random, i: int) -> list[str]:
        for name, text in texts.items():
            (folder / name).write_text(text)
        name = rng.choice([*texts, "case.toml"])
        path = folder / name
        if rng.random() < 0.7:
            path.write_text(mutated(texts[name], rng), encoding="utf-8", errors="replace")
        else:
            data = bytearray(texts[name].encode())
            for _ in range(rng.choice([1, 3, 30])):
                data[rng.randrange(len(data))] = rng.randrange(256)
            path.write_bytes(data[: rng.randrange(len(data))] if rng.random() < 0.3 else data)
        table = ["--release", str(folder / "release.csv")] if rng.random() < 0.5 else []
        return [
            "rockfall",
            str(folder / "case.toml"),
            "-o",
            str(folder / f"out{i % 3}"),
            "--workers",
            "0",
            "--no-report",
            *table,
        ]

    def limited(rng: random.Random, i: int) -> list[str]:
        shutil.rmtree(folder / f"out{i % 3}", ignore_errors=True)
        return command(rng, i)

    return _fuzz(count, seed, limited)


def fuzz_campaigns(folder: Path, count: int, seed: int) -> dict[str, Any]:
    """Plan mutated campaigns."""
    (folder / "scene.toml").write_text(SCENE)
    path = folder / "campaign.toml"

    def command(rng: random.Random, i: int) -> list[str]:
        path.write_text(mutated(CAMPAIGN, rng), encoding="utf-8", errors="replace")
        return ["sweep", str(path), "-o", str(folder / "out"), "--dry-run"]

    return _fuzz(count, seed, command)


def fuzz_problems(folder: Path, count: int, seed: int) -> dict[str, Any]:
    """Solve problem files with flipped bytes."""
    whole, path = folder / "whole.hdf5", folder / "fuzzed.hdf5"
    q = np.tile([-1.0, 0.3, 0.0], 4)
    trundle.save_problem(trundle.ContactProblem(W=np.eye(12), q=q, laws=laws.Coulomb(mu=np.full(4, 0.5))), whole)
    data = whole.read_bytes()

    def command(rng: random.Random, i: int) -> list[str]:
        changed = bytearray(data)
        for _ in range(rng.choice([1, 1, 3, 30])):
            changed[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(changed[: rng.randrange(1, len(data))] if rng.random() < 0.1 else changed)
        return ["solve", str(path), "--json", "--max-iterations", "200"]

    return _fuzz(count, seed, command)


VALUES = [
    "-1",
    "0",
    "1",
    "nan",
    "inf",
    "1e400",
    "x",
    "",
    "-",
    "[/b]",
    "\x1b[31m",
    "/",
    "/nowhere/x",
    ".",
    "1e-3",
    "9" * 30,
    "é",
    "a:b",
    "=1",
]
COMMANDS = {
    "run": ["--duration", "--time-step", "--tolerance", "--theta", "--formulation", "--scheme", "--max-iterations", "--solver", "--stop",
            "--when", "--every", "--fps", "--seed", "--threads", "--quiet", "--json", "--force", "-o"],
    "check": ["--json"],
    "info": ["--json", "--scene", "--provenance"],
    "export": ["--lammps", "--xyz", "--csv", "--html", "--png", "--frame", "--every", "--colour", "--size", "--zoom"],
    "measure": ["--frame", "--json", "--set", "--list"],
    "verify": ["--json"],
    "repair": ["-o"],
    "rerun": ["-o"],
    "solve": ["--solver", "--option", "--tolerance", "--max-iterations", "--formulation", "--json"],
    "sweep": ["-o", "--workers", "--dry-run"],
    "rockfall": ["-o", "--release", "--data", "--seeds", "--workers", "--calibrate", "--no-report"],
    "problems": ["-o", "--seed", "--workers", "--no-certificates", "--again"],
    "compare": ["-o", "--tolerance", "--max-iterations", "--solvers"], "check-law": [], "view": ["--port"],
    "laws": [], "solvers": [], "reproduce": ["--list", "--only", "--time-step"],
}  # fmt: skip


FLAGS = (
    "--json", "--quiet", "--force", "--list", "--scene", "--dry-run", "--provenance", "--calibrate", "--no-report",
    "--no-certificates", "--again",
)  # fmt: skip


def fuzz_commands(folder: Path, count: int, seed: int) -> dict[str, Any]:
    """Commands with random options, values and files."""
    from damage_lab import sample

    scene, run = folder / "scene.toml", folder / "d[" / "b].h5"
    scene.write_text(SCENE.replace("duration = 0.6", "duration = 0.02"))
    if not run.exists():
        run.parent.mkdir()
        sample(run, 0.05)
    files = [str(scene), str(run), str(folder), "nothing.h5", "", "\x1b[31m", "-"]

    def command(rng: random.Random, i: int) -> list[str]:
        name = rng.choice(list(COMMANDS))
        words = [name, rng.choice(["make", "list", "check", "x"])] if name == "problems" else [name]
        if words[-1] == "make":
            words += ["--count", "0"]  # a library takes its time
        if name == "view":
            words.append("nothing.h5")  # with a file it would wait for a browser
        if name not in ("laws", "solvers", "view") and "make" not in words:
            words.append(rng.choice([str(scene), str(run)] if rng.random() < 0.7 else files))
        for option in rng.sample(COMMANDS[name], min(len(COMMANDS[name]), rng.randint(0, 3))):
            words.append(option)
            if option not in FLAGS or rng.random() < 0.05:
                value = rng.choice(VALUES)
                words.append(
                    str(folder / f"made{i % 7}") if option in ("-o", "--csv") and rng.random() < 0.7 else value
                )
        return words

    return _fuzz(count, seed, command)
