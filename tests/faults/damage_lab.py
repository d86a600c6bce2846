"""Damaged recordings: flipped bits, zeroed blocks, cuts; read through every command in processes that are watched."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import command
import numpy as np

import trundle

SECONDS = 60  # until a reader counts as hung
GOOD_EXITS = (0, 1, 2, 3, 4)


def sample(path: Path, duration: float = 0.3, formulation: str = "exact") -> None:
    """A recording with all that one can have: poured bodies, contacts, joints, several commits, two stages."""
    scene = trundle.Scene()
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="soil")
    scene.add(
        trundle.Sphere(0.5), name="ball", density=2500.0, position=(0, 0, 0.5), velocity=(2.5, 0, 0), surface="rock"
    )
    scene.add(trundle.Sphere(0.2), name="bob", density=2500.0, position=(0, 4, 1.5), velocity=(1, 0, 0), surface="rock")
    scene.add(trundle.Sphere(0.2), name="post", fixed=True, position=(0, 4, 3.0), surface="rock")
    scene.joint("ball", "post", "bob", position=(0, 4, 2.0), name="string")
    region = trundle.BoxRegion(low=(-2, -2, 1.5), high=(2, 2, 3))
    shape = trundle.Sphere(0.1)
    scene.emit(shape, rate=100.0, count=12, region=region, density=2500.0, surface="rock", name="drops", seed=3)
    scene.surface("rock", "soil", law=trundle.laws.Rolling(mu=0.2, mu_r=0.04))
    scene.surface("rock", "rock", law=trundle.laws.Coulomb(mu=0.3))
    trundle.simulate(scene, duration, 0.01, record=path, formulation=formulation)


# --- damage -------------------------------------------------------------------------------------------


def damaged(data: bytes, rng: np.random.Generator) -> tuple[str, bytes]:
    """What was done, and the bytes after it."""
    kind = ("bit", "bit", "bit", "byte", "bytes", "zeros", "noise", "cut", "swap")[rng.integers(9)]
    changed = bytearray(data)
    where = int(rng.integers(len(data)))
    if kind == "bit":
        changed[where] ^= 1 << int(rng.integers(8))
    elif kind == "byte":
        changed[where] = int(rng.integers(256))
    elif kind == "bytes":
        for place in rng.integers(0, len(data), 20):
            changed[place] = int(rng.integers(256))
    elif kind in ("zeros", "noise"):
        length = int(rng.choice([16, 512, 4096]))
        block = bytes(length) if kind == "zeros" else rng.bytes(length)
        changed[where : where + length] = block[: len(data) - where]
    elif kind == "cut":
        del changed[where:]
    else:
        other, length = int(rng.integers(len(data))), 512
        a, b = bytes(changed[where : where + length]), bytes(changed[other : other + length])
        if len(a) == len(b) and abs(where - other) >= length:
            changed[where : where + length], changed[other : other + length] = b, a
    return f"{kind} at {where}", bytes(changed)


# --- readers ------------------------------------------------------------------------------------------


def read_all(path: Path) -> str:
    """A digest of everything that a recording tells."""
    digest = hashlib.sha256()
    with trundle.open_recording(path) as run:
        for table in (run.steps, run.energy, run.time):
            digest.update(np.ascontiguousarray(table).tobytes())
        for value in (
            run.bodies.tolist(),
            run.options,
            run.scene,
            run.modes,
            run.joints.tolist(),
            run.finished,
            run.seed,
        ):
            digest.update(repr(value).encode())
        for name in run.names:
            digest.update(run.position(name).tobytes() + run.angular_velocity(name).tobytes())
        for name in run.joint_names:
            digest.update(run.joint_force(name).tobytes())
        for k in range(run.frame_count):
            for part in (run.frame(k), run.contacts(k)):
                for value in vars(part).values():
                    digest.update(np.ascontiguousarray(value).tobytes() if isinstance(value, np.ndarray) else b"")
        for name, value in run.checkpoint().items():
            digest.update(name.encode() + value.tobytes())
    return digest.hexdigest()


def _command(*arguments: str, makes: str = "") -> Callable[[Path], str]:
    """What a command on a file tells; raises what is no clean end."""

    def work(path: Path) -> str:
        target = path.with_name("made")
        shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)
        words = [word.replace("{run}", str(path)).replace("{made}", str(target)) for word in arguments]
        result = command.invoke(words)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        if result.exit_code not in GOOD_EXITS:
            raise AssertionError(f"exit code {result.exit_code}: {result.output[-300:]}")
        if result.exit_code != 0:
            raise trundle.TrundleError(result.output[-300:])
        if not makes:
            return result.output.replace(str(path), "")
        made = sorted(target.glob("*")) if target.is_dir() else [target]
        if makes == "run":
            return read_all(path)
        return hashlib.sha256(b"".join(file.read_bytes() for file in made)).hexdigest()

    return work


def repaired(path: Path) -> str:
    """What a repaired recording tells, if nothing of it was lost; else an error."""
    said = _command("repair", "{run}", "-o", "{made}.h5")(path)
    target = path.with_name("made.h5")
    try:
        if "lost" in said or "damaged" in said:
            raise trundle.TrundleError(said)
        return read_all(target)
    finally:
        target.unlink(missing_ok=True)


READERS: dict[str, Callable[[Path], str]] = {
    "read": read_all,
    "repair": repaired,
    "info": _command("info", "{run}"),
    "verify": _command("verify", "{run}"),
    "measure": _command("measure", "{run}", "energy", "coordination", "run-out", "--json"),
    "csv": _command("export", "{run}", "--csv", "{made}", makes="files"),
    "xyz": _command("export", "{run}", "--xyz", "{made}", makes="files"),
    "lammps": _command("export", "{run}", "--lammps", "{made}", makes="files"),
    "provenance": _command("info", "{run}", "--provenance"),
    "scene": _command("info", "{run}", "--scene"),
    "rerun": _command("rerun", "{run}"),
    "html": _command("export", "{run}", "--html", "{made}", makes="files"),
    "resume": _command("run", "--resume", "{run}", "--duration", "0.35", "-q", makes="run"),
}


def watched(work: Callable[[], str], seconds: int = SECONDS) -> tuple[str, str]:
    """Do something in a process of its own: "done", "error" or "traceback" with a text, "hung", "crashed" with a signal."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(seconds)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        try:
            answer = "done " + work()
        except trundle.TrundleError as error:
            answer = f"error {error}"
        except BaseException:
            answer = "traceback " + traceback.format_exc()[-3000:]
        os.write(writing, answer.encode("utf-8", "replace")[:60_000])
        os._exit(0)
    os.close(writing)
    data = b""
    while piece := os.read(reading, 65536):
        data += piece
    os.close(reading)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return ("hung", "") if number == signal.SIGALRM else ("crashed", signal.Signals(number).name)
    kind, _, text = data.decode("utf-8", "replace").partition(" ")
    return kind, text


def damage_files(
    folder: Path, count: int, seed: int, readers: list[str] | None = None, checksums: bool = True
) -> dict[str, Any]:
    """Damage a recording `count` times, read it each time in one way; returns counts and failures.

    checksums : without them other numbers are no failure
    """
    rng = np.random.default_rng(seed)
    names = readers or list(READERS)
    original = folder / "original.h5"
    if not original.exists():
        sample(original)
    data = original.read_bytes()
    path = folder / "damaged.h5"
    truth: dict[str, str] = {}
    for name in names:
        path.write_bytes(data)
        truth[name] = READERS[name](path)  # here, not in a child: what it imports and compiles is there for all of them
    counts: dict[str, int] = {}
    failures: list[str] = []
    begun = time.perf_counter()
    for i in range(count):
        what, changed = damaged(data, rng)
        name = names[i % len(names)]
        path.write_bytes(changed)
        kind, text = watched(lambda name=name: READERS[name](path))
        if kind == "done":
            kind = "same" if text == truth[name] else "other numbers"
        counts[kind] = counts.get(kind, 0) + 1
        if kind not in ("same", "error") and (checksums or kind != "other numbers"):
            failures.append(f"seed {seed}, file {i}, {name}, {what}: {kind} {text[-600:]}")
    return {"files": count, **counts, "failures": failures, "seconds": time.perf_counter() - begun}
