"""Runs and campaigns that are killed, or asked to end, again and again at random moments, and what they give in the end."""

from __future__ import annotations

import os
import random
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from cases import CASES, H, heap
from cases import run as run_case
from damage_lab import read_all
from numba.np.ufunc import parallel

import trundle
from trundle.record import writer
from trundle.scene.rasters import Raster, write_ascii
from trundle.sweep import Campaign, run_campaign

END = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
CASE = """
[terrain]
file = "plane.asc"
[soils.meadow]
law = {name = "Rolling", mu = 0.6, mu_r = {ratio = 0.3}}
restitution = 0.2
[blocks]
kind = "equant"
volume = [0.2, 1.0]
[release]
line = [[10.0, 40.0], [40.0, 40.0]]
count = 12
height = 0.5
velocity = [0.0, -2.0, 0.0]
[[barriers]]
name = "=fence"
line = [[0.0, 15.0], [50.0, 15.0]]
[simulation]
duration = 20.0
"""
PATIENCE = 120.0  # seconds until a child counts as hung


def end_after(seconds: float, number: int, work: Callable[[], Any]) -> int:
    """Do something in a forked process that gets a signal; returns its exit status, 0 if it was faster."""
    # no signal may reach the child before it is ready: an interrupt would run on in it through the code that called this
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    child = os.fork()
    if child == 0:
        try:
            # numba's lock is shared with forked processes: one that is killed while it holds it would stop all others
            parallel._backend_init_process_lock = threading.RLock()
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            work()
            os._exit(0)
        except KeyboardInterrupt:
            os._exit(130)
        except BaseException:
            os._exit(70)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    time.sleep(seconds)
    os.kill(child, number)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise AssertionError(f"signal {number}: the process went on for {PATIENCE:g} s")


def _go_on(path: Path, name: str) -> None:
    writer.PATIENCE, writer.SHARE = 0.0, 1.0
    if path.exists():
        trundle.resume(path, progress=False, threads=CASES[name][1].get("threads"))
    else:
        run_case(name, path)


def kill_runs(folder: Path, count: int, seed: int, names: tuple[str, ...] = tuple(CASES)) -> dict[str, Any]:
    """Kill runs `count` times in all; every run is continued until it is done, and compared with one that never was killed."""
    rng, failures, counts = random.Random(seed), [], dict.fromkeys(("kills", "runs", "before the first frame"), 0)
    begun, spans = time.perf_counter(), {}
    while counts["kills"] < count:
        name = names[counts["runs"] % len(names)]
        whole, path = folder / f"whole-{name}.h5", folder / "run.h5"
        if not whole.exists():
            run_case(name, whole, threads=1)  # compiles, too; here without threads, which forked processes cannot share
            first = time.perf_counter()
            run_case(name, threads=1)
            spans[name] = max(0.1, 3.0 * (time.perf_counter() - first))
        path.unlink(missing_ok=True)
        frames = 0
        for _ in range(12):
            number = rng.choice(END)
            status = end_after(rng.uniform(0.0, 0.6) * min(spans[name], 1.0), number, partial(_go_on, path, name))
            counts["kills"] += 1
            if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 70:
                failures.append(f"seed {seed}, kill {counts['kills']}, {name}, signal {number}: an exception")
                break
            if not path.exists():
                counts["before the first frame"] += 1
                continue
            with trundle.open_recording(path) as run:
                if run.frame_count < frames:
                    failures.append(
                        f"seed {seed}, kill {counts['kills']}, {name}: {frames} frames, then {run.frame_count}"
                    )
                frames, finished = run.frame_count, run.finished
            if finished:
                break
        else:
            trundle.resume(path, threads=1) if path.exists() else run_case(name, path, threads=1)
        if path.exists() and read_all(path) != read_all(whole):
            kept = Path(tempfile.gettempdir()) / f"other-numbers-{seed}-{counts['kills']}.h5"
            shutil.copy(path, kept)
            failures.append(f"seed {seed}, after kill {counts['kills']}, {name}: other numbers, kept in {kept}")
        left = [file.name for file in folder.iterdir() if ".part" in file.name]
        if left and status == 0:
            failures.append(f"seed {seed}, {name}: {left} are left")
        counts["runs"] += 1
    return {**counts, "failures": failures, "seconds": time.perf_counter() - begun}


def measured(mu: float, seed: int) -> dict[str, float]:
    """A run of a campaign."""
    run = trundle.simulate(heap(trundle.laws.Coulomb(mu=mu)), 0.1 + 0.01 * seed, H)
    return {"height": float(run.position("b0")[-1, 2]), "lost": float(run.energy["sliding"].sum())}


def measured_campaign() -> Campaign:
    """Twelve runs."""
    return Campaign(
        "kills", function=f"{Path(__file__).name}:measured", vary={"mu": [0.1, 0.3, 0.5]}, seeds=(0, 1, 2, 3),
        folder=Path(__file__).parent,
    )  # fmt: skip


def kill_campaigns(folder: Path, count: int, seed: int) -> dict[str, Any]:
    """End campaigns `count` times; each is continued until it is done, and its table compared."""
    rng, failures, counts = random.Random(seed), [], dict.fromkeys(("kills", "campaigns"), 0)
    campaign = measured_campaign()
    truth = run_campaign(campaign, folder / "whole", workers=0).table
    begun = time.perf_counter()
    while counts["kills"] < count:
        target = folder / "campaign"
        shutil.rmtree(target, ignore_errors=True)
        for _ in range(50):
            counts["kills"] += 1
            work = partial(run_campaign, campaign, target, workers=0)
            status = end_after(rng.uniform(0.0, 0.5), rng.choice(END), work)
            if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 70:
                failures.append(f"seed {seed}, kill {counts['kills']}: an exception")
            if status == 0:
                break
        table = run_campaign(campaign, target, workers=0).table
        if not table.equals(truth):
            failures.append(f"seed {seed}, after kill {counts['kills']}: another table")
        counts["campaigns"] += 1
    return {**counts, "failures": failures, "seconds": time.perf_counter() - begun}


# --- studies of rockfall -----------------------------------------------------------------------------


def study(folder: Path, target: Path) -> dict[str, bytes]:
    """A small study in batches of two blocks, and all that its files tell: recordings say when they were written, too."""
    from trundle.rockfall import run_study
    from trundle.rockfall import study as module

    module.BATCH = 2
    run_study(folder / "case.toml", target, workers=0, report=False)
    files = (
        f for f in target.rglob("*") if f.is_file() and f.parent.name != "runs" and f.suffix not in (".parquet", ".npz")
    )
    return {str(f.relative_to(target)): _paths_in(f) if f.suffix == ".h5" else f.read_bytes() for f in files}


def _paths_in(recording: Path) -> bytes:
    with trundle.open_recording(recording) as run:
        return b"".join(run.time.tobytes() + run.position(name).tobytes() for name in run.names)


def kill_studies(folder: Path, count: int, seed: int) -> dict[str, Any]:
    """End studies of rockfall `count` times; each is continued until it is done, and its files compared."""
    rng, failures, counts = random.Random(seed), [], dict.fromkeys(("kills", "studies"), 0)
    write_case(folder)
    truth, begun = study(folder, folder / "whole"), time.perf_counter()
    while counts["kills"] < count:
        target = folder / "study"
        shutil.rmtree(target, ignore_errors=True)
        for _ in range(30):
            counts["kills"] += 1
            status = end_after(rng.uniform(0.0, 1.2), rng.choice(END), partial(study, folder, target))
            if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 70:
                failures.append(f"seed {seed}, kill {counts['kills']}: an exception")
            if status == 0:
                break
        if (found := study(folder, target)) != truth:
            other = sorted(name for name in {*found, *truth} if found.get(name) != truth.get(name))
            failures.append(f"seed {seed}, after kill {counts['kills']}: other files {other}")
        if left := [file.name for file in target.rglob("*.part*")]:
            failures.append(f"seed {seed}, after kill {counts['kills']}: {left} are left")
        counts["studies"] += 1
    return {**counts, "failures": failures, "seconds": time.perf_counter() - begun}


def write_case(folder: Path) -> Path:
    """A case of twelve blocks on a slope."""
    heights = np.maximum(np.arange(26)[None, :] * 2.0 - 20.0, 0.0) + np.zeros((26, 1))
    write_ascii(folder / "plane.asc", Raster(heights, (0.0, 0.0), (2.0, 2.0)))
    (folder / "case.toml").write_text(CASE)
    return folder / "case.toml"


def nothing(mu: float) -> dict[str, float]:
    """A run of a campaign that costs nothing."""
    return {"value": mu}


def no_room(mu: float) -> dict[str, float]:
    """A run of a campaign that meets a full disk."""
    raise trundle.DiskError("x.h5: cannot be written (No space left on device).")


def interrupted(mu: float) -> dict[str, float]:
    """A run of a campaign that gets Ctrl-C in the middle."""

    def ctrl_c(report: Any, state: Any) -> None:
        if state.time > 0.01:
            os.kill(os.getpid(), signal.SIGINT)

    trundle.simulate(heap(trundle.laws.Coulomb(mu=mu)), 0.1, H, progress=ctrl_c)
    return {"value": mu}
