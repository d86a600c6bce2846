"""What a few scenes cost, one row per version: benchmarks/history.csv.

    python benchmarks/history.py            measures the installed version and prints its row
    python benchmarks/history.py --keep     puts it into history.csv, too, in the place of an earlier row of this version

Another version is measured with its own sources: PYTHONPATH=/path/to/old/src python benchmarks/history.py --keep.
CPU time of one thread with compiled kernels, whole calls of `simulate` with 20 frames in memory, median of five runs.  Compare
rows of one processor only; `reference` is the CPU time of a fixed piece of numpy, by which a loaded machine can be judged.
"""

from __future__ import annotations

import argparse
import csv
import platform
import time
import warnings
from collections.abc import Callable
from datetime import date
from pathlib import Path
from statistics import median

import numpy as np

import trundle
from trundle import laws

FILE = Path(__file__).with_name("history.csv")
RUNS = 5


def ground(scene: trundle.Scene, mu: float, **law: float) -> trundle.Scene:
    """Put ground below a scene, with friction."""
    scene.add(trundle.HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True)
    scene.surface("default", "default", law=laws.SlideRollSpin(mu, **law) if law else laws.Coulomb(mu))
    return scene


def sphere() -> tuple[trundle.Scene, float, float, dict[str, float]]:
    """A sphere that slides and rolls: 2,000 steps."""
    scene = trundle.Scene()
    scene.add(trundle.Sphere(radius=0.1), name="ball", mass=1.0, position=(0, 0, 0.1), velocity=(2.0, 0, 0))
    return ground(scene, 0.3), 2.0, 1e-3, {}


def pendulum() -> tuple[trundle.Scene, float, float, dict[str, float]]:
    """A double pendulum: 2,000 steps."""
    scene = trundle.Scene()
    for k in (0, 1):
        scene.add(trundle.Sphere(radius=0.05), name=f"bob{k}", mass=1.0, position=(0.5 * (k + 1), 0, 0))
    scene.joint("hinge", "bob0", position=(0, 0, 0), axis=(0, 1, 0))
    scene.joint("hinge", "bob0", "bob1", position=(0.5, 0, 0), axis=(0, 1, 0))
    return scene, 2.0, 1e-3, {}


def stack() -> tuple[trundle.Scene, float, float, dict[str, float]]:
    """A stack of ten boxes: 200 steps."""
    scene = trundle.Scene()
    for k in range(10):
        scene.add(trundle.Box((0.2, 0.2, 0.1)), name=f"box{k}", mass=1.0, position=(0, 0, 0.05 + 0.1 * k))
    return ground(scene, 0.5), 0.2, 1e-3, {"tolerance": 1e-6}


def spheres() -> tuple[trundle.Scene, float, float, dict[str, float]]:
    """250 spheres that fall and rest: 100 steps."""
    scene = trundle.Scene()
    for k in range(250):
        layer, row, column = k // 25, (k // 5) % 5, k % 5
        place = (0.045 * column + 0.004 * (layer % 2), 0.045 * row + 0.003 * (layer % 3), 0.021 + 0.045 * layer)
        scene.add(trundle.Sphere(radius=0.02), name=f"grain{k}", density=2500.0, position=place)
    return ground(scene, 0.5, mu_r=1e-4, mu_s=1e-4), 0.5, 5e-3, {"tolerance": 1e-4, "theta": 1.0}


CASES: dict[str, Callable[[], tuple[trundle.Scene, float, float, dict[str, float]]]] = {
    "sphere_us_per_step": sphere,
    "double_pendulum_us_per_step": pendulum,
    "stack_of_10_boxes_us_per_step": stack,
    "250_spheres_us_per_step": spheres,
}


def reference() -> float:
    """CPU milliseconds of a fixed piece of work."""
    a = np.random.default_rng(0).normal(size=(300, 300))
    begun = time.process_time()
    for _ in range(20):
        np.linalg.svd(a)
    return 1e3 * (time.process_time() - begun) / 20


def measure() -> dict[str, str]:
    """The row of the installed version."""
    row = {
        "version": trundle.__version__, "measured": date.today().isoformat(), "python": platform.python_version(),
        "reference_ms": f"{median(reference() for _ in range(RUNS)):.3g}",
    }  # fmt: skip
    for name, case in CASES.items():
        costs = []
        for run in range(RUNS + 1):
            scene, duration, time_step, options = case()
            begun = time.process_time()
            steps = round(duration / time_step)
            trundle.simulate(scene, duration=duration, time_step=time_step, every=steps // 20, **options)
            if run:  # the first one compiles
                costs.append(1e6 * (time.process_time() - begun) / steps)
        row[name] = f"{median(costs):.3g}"
        print(f"{name:34s} {row[name]}", flush=True)
    return row


def keep(row: dict[str, str]) -> None:
    """Put a row into the table, in the place of an earlier one of its version."""
    rows = list(csv.DictReader(FILE.open(encoding="utf-8"))) if FILE.exists() else []
    rows = sorted(
        [other for other in rows if other["version"] != row["version"]] + [row],
        key=lambda one: [int(part) for part in one["version"].split(".")],
    )
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(row), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    """Measure, print, and keep what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", action="store_true", help="put the row into history.csv")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    row = measure()
    print(",".join(row.values()))
    if arguments.keep:
        keep(row)


if __name__ == "__main__":
    main()
