"""Long runs: memory, speed and size of the file over a simulated day of a small scene, and 10,000 steps of 10,000 grains.

python tests/faults/endurance_lab.py [day | grains] [--share 0.1]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import trundle
from trundle.bench.pile import PileScene

PARTS = 20  # of a run, after each of which it is measured
PIECES = (
    5  # of a part, between which a short run of the small scene is timed: what it takes tells how busy the machine is
)
YARDSTICK = 10_000  # steps of that run
FIRST = 4  # parts until everything has its size: kernels, queues, caches of the file
MEMORY, SPEED = 0.02, 0.05  # shares by which memory and speed may change
Build = Callable[[float], tuple[trundle.Scene, int, dict[str, Any]]]


def day(share: float) -> tuple[trundle.Scene, int, dict[str, Any]]:
    """A ball that rolls in a bowl without loss, 2,000,000 steps of 43.2 ms, and a pendulum beside it."""
    scene = trundle.Scene()
    scene.add(trundle.SphereInside(50.0), name="bowl", fixed=True, position=(0, 0, 50.0))
    scene.add(trundle.Sphere(1.0), name="ball", density=2500.0, position=(5.0, 0, 50.0 - np.sqrt(49.0**2 - 25.0)))
    scene.add(trundle.Sphere(1.0), name="bob", density=2500.0, position=(30.0, 100.0, 60.0))
    scene.joint("ball", "bob", position=(0.0, 100.0, 60.0), name="pin")
    scene.surface("default", "default", law=trundle.laws.Rolling(mu=1.0, mu_r=0.0))
    return scene, round(share * 2_000_000), {"time_step": 0.0432, "every": 200}


def grains(share: float) -> tuple[trundle.Scene, int, dict[str, Any]]:
    """10,000 balls that fall into a box and lie there, 10,000 steps of 5 ms."""
    return PileScene(10_000).build(), round(share * 10_000), {"time_step": 5e-3, "every": 250, "theta": 1.0}


def resident() -> float:
    """Memory of this process [MB]."""
    return float(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


def yardstick() -> float:
    """CPU time [s] of a short run, always the same."""
    scene, _, options = day(0.0)
    with trundle.Simulation(scene, **options) as simulation:
        begun = time.process_time()
        simulation.run(YARDSTICK * options["time_step"], progress=False)
        return time.process_time() - begun


def endure(build: Build, folder: Path, share: float = 1.0) -> dict[str, Any]:
    """Run a scene in parts; memory [MB], CPU time per step [us] and size of the file [MB] after each, and what is not level.

    Speed is CPU time per step over that of the yardstick: both grow alike where others use the machine.
    """
    scene, steps, options = build(share)
    path, rows = folder / "long.h5", []
    piece = steps // (PARTS * PIECES)
    part = piece * PIECES
    with trundle.Simulation(scene, record=path, **options) as simulation:
        for _ in range(PARTS):
            spent = beside = 0.0
            for _ in range(PIECES):
                begun = time.process_time()
                simulation.run(piece * options["time_step"], progress=False)
                spent += time.process_time() - begun
                beside += yardstick()
            rows.append((resident(), 1e6 * spent / part, path.stat().st_size / 1e6, spent / beside))
    memory, cost, size, relative = np.array(rows).T
    late, grown = slice(FIRST, None), np.diff(size[FIRST - 1 :: FIRST])  # in fifths: a file grows by pieces
    tail = relative[late]
    slope = abs(
        np.polyfit(np.arange(len(tail)), tail, 1)[0]
    )  # of the cost from part to part, whose single values are noisy
    found: dict[str, Any] = {
        "steps": part * PARTS, "memory": memory.round(1).tolist(), "microseconds": cost.round(2).tolist(),
        "yardsticks": (relative / relative[-1]).round(3).tolist(),
        "file": size.round(2).tolist(), "memory change": float(memory[late].max() / memory[late].min() - 1.0),
        "speed change": float(slope * len(tail) / np.median(tail)),
        "file change": float(grown.max() / grown.min() - 1.0),
    }  # fmt: skip
    found["failures"] = [
        f"{build.__name__}: {name} changes by {100 * found[f'{name} change']:.1f} %, more than {100 * most:g} %"
        for name, most in (("memory", MEMORY), ("speed", SPEED), ("file", SPEED)) if found[f"{name} change"] > most
    ]  # fmt: skip
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("which", nargs="*", default=["day", "grains"])
    parser.add_argument("--share", type=float, default=1.0, help="of the number of steps")
    given = parser.parse_args()
    failures = []
    for name in given.which:
        with tempfile.TemporaryDirectory() as folder:
            found = endure({"day": day, "grains": grains}[name], Path(folder), given.share)
        failures += found.pop("failures")
        for key, value in found.items():
            print(f"{name}, {key}: {value}", flush=True)
    for failure in failures:
        print("FAILURE", failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
