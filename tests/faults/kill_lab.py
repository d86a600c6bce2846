"""Runs and campaigns that are killed, or asked to end, again and again at random moments, and what they give in the end."""

from __future__ import annotations

import os
import random
import shutil
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from damage_lab import read_all
from numba.np.ufunc import parallel

import trundle
from trundle.record import writer
from trundle.sweep import Campaign, run_campaign

H = 2e-3
END = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
PATIENCE = 120.0  # seconds until a child counts as hung


def heap(law: Any = None, **surface: Any) -> trundle.Scene:
    """A few balls in the air, over a floor."""
    scene = trundle.Scene()
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="rock")
    for i in range(6):
        where = (0.12 * (i % 2), 0.12 * (i // 2 % 2), 0.1 + 0.13 * (i // 4))
        scene.add(trundle.Sphere(0.05), name=f"b{i}", density=2500.0, position=where, surface="rock")
    scene.surface("rock", "rock", law=law or trundle.laws.SlideRollSpin(mu=0.5, mu_r=1e-3, mu_s=1e-3), **surface)
    return scene


def poured() -> trundle.Scene:
    scene = heap()
    region = trundle.BoxRegion(low=(-0.5, -0.5, 0.6), high=(0.5, 0.5, 0.9))
    scene.emit(
        trundle.Sphere(0.05), rate=100.0, count=20, region=region, density=2500.0, surface="rock", name="drops", seed=3
    )
    return scene


def jointed() -> trundle.Scene:
    scene = heap()
    scene.joint("ball", "b0", "b1", position=(0.06, 0.0, 0.1), name="pin")
    return scene


def springs() -> trundle.Scene:
    return heap(material=trundle.Hooke(stiffness=1e5, damping=10.0))


CASES: dict[str, tuple[Callable[[], trundle.Scene], dict[str, Any]]] = {
    "exact": (heap, {}),
    "relaxed": (heap, {"formulation": "relaxed"}),
    "compliant": (lambda: heap(stiffness=1e5), {"formulation": "compliant"}),
    "history": (springs, {"formulation": "history"}),
    "emitter": (poured, {"every": 3}),
    "joints": (jointed, {"every": 2}),
    "midpoint": (heap, {"scheme": "moreau-midpoint"}),
}
DURATION = 0.4


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


def _go_on(path: Path, scene: trundle.Scene, options: dict[str, Any]) -> None:
    writer.PATIENCE, writer.SHARE = 0.0, 1.0
    if path.exists():
        trundle.resume(path)
    else:
        trundle.simulate(scene, DURATION, H, record=path, **options)


def kill_runs(folder: Path, count: int, seed: int) -> dict[str, Any]:
    """Kill runs `count` times in all; every run is continued until it is done, and compared with one that never was killed."""
    rng, failures, counts = random.Random(seed), [], dict.fromkeys(("kills", "runs", "before the first frame"), 0)
    begun = time.perf_counter()
    while counts["kills"] < count:
        name = list(CASES)[counts["runs"] % len(CASES)]
        build, options = CASES[name]
        whole, path = folder / f"whole-{name}.h5", folder / "run.h5"
        if not whole.exists():
            first = time.perf_counter()
            trundle.simulate(build(), DURATION, H, record=whole, **options)  # compiles, too
            first = time.perf_counter()
            trundle.simulate(build(), DURATION, H, **options)
        span, path = max(0.1, 3.0 * (time.perf_counter() - first)), folder / "run.h5"
        path.unlink(missing_ok=True)
        frames = 0
        for _ in range(12):
            number = rng.choice(END)
            status = end_after(rng.uniform(0.0, 0.6) * min(span, 1.0), number, partial(_go_on, path, build(), options))
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
            trundle.resume(path) if path.exists() else trundle.simulate(build(), DURATION, H, record=path, **options)
        if path.exists() and read_all(path) != read_all(whole):
            failures.append(f"seed {seed}, after kill {counts['kills']}, {name}: other numbers")
        left = [file.name for file in folder.iterdir() if ".part" in file.name]
        if left and status == 0:
            failures.append(f"seed {seed}, {name}: {left} are left")
        counts["runs"] += 1
    return {**counts, "failures": failures, "seconds": time.perf_counter() - begun}


def measured(mu: float, seed: int) -> dict[str, float]:
    """A run of a campaign."""
    run = trundle.simulate(heap(trundle.laws.Coulomb(mu=mu)), 0.1 + 0.01 * seed, H)
    return {"height": float(run.position("b0")[-1, 2]), "lost": float(run.energy["sliding"].sum())}


def kill_campaigns(folder: Path, count: int, seed: int) -> dict[str, Any]:
    """End campaigns `count` times; each is continued until it is done, and its table compared."""
    rng, failures, counts = random.Random(seed), [], dict.fromkeys(("kills", "campaigns"), 0)
    campaign = Campaign(
        "kills", function=f"{Path(__file__).name}:measured", vary={"mu": [0.1, 0.3, 0.5]}, seeds=(0, 1, 2, 3),
        folder=Path(__file__).parent,
    )  # fmt: skip
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


def interrupted(mu: float) -> dict[str, float]:
    """A run of a campaign that gets Ctrl-C in the middle."""

    def ctrl_c(report: Any, state: Any) -> None:
        if state.time > 0.01:
            os.kill(os.getpid(), signal.SIGINT)

    trundle.simulate(heap(trundle.laws.Coulomb(mu=mu)), 0.1, H, progress=ctrl_c)
    return {"value": mu}
