"""What recording costs: CPU time spent in it, beside that of the run.

    python benchmarks/recording.py --side 10 --duration 1

A pile of side^3 spheres (D = 45 mm, mu = 0.6, mu_r = mu_s = 10 mm, h = 5 ms, theta = 1, residual 1e-4) in a box, 50 frames
per simulated second with all contacts.  Times are taken inside one run, since two runs differ by more on a busy machine.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import trundle
from trundle import sinks

D = 0.045


def pile(side: int) -> trundle.Scene:
    """Spheres in a loose grid with shifted layers above the bottom of a box."""
    scene, rng = trundle.Scene(), np.random.default_rng(0)
    for i in np.ndindex(side, side, side):
        shift = 0.5 * (i[2] % 2) * np.array([1, 1, 0])
        where = (np.array(i) + shift + 0.1 * rng.random(3)) * 1.15 * D + [0, 0, D]
        scene.add(trundle.Sphere(D / 2), density=2500.0, position=where, surface="rock")
    width = (side + 1) * 1.15 * D
    for normal, offset in (
        ((0, 0, 1), 0),
        ((1, 0, 0), -D),
        ((-1, 0, 0), -width - D),
        ((0, 1, 0), -D),
        ((0, -1, 0), -width - D),
    ):
        scene.add(trundle.HalfSpace(normal=normal, offset=offset), fixed=True, surface="rock")
    scene.surface("rock", "rock", law=trundle.laws.SlideRollSpin(mu=0.6, mu_r=0.01, mu_s=0.01))
    return scene


def watched(name: str, spent: dict[str, float]) -> None:
    """Add up the CPU time of a method of `sinks.File`."""
    method = getattr(sinks.File, name)

    def timed(*arguments: Any, **options: Any) -> Any:
        start = time.process_time()
        try:
            return method(*arguments, **options)
        finally:
            spent[name] = spent.get(name, 0.0) + time.process_time() - start

    setattr(sinks.File, name, timed)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--side", type=int, default=10)
    parser.add_argument("--duration", type=float, default=1.0)
    given = parser.parse_args()
    warnings.simplefilter("ignore", trundle.TrundleWarning)
    scene, spent = pile(given.side), {}
    options = {"theta": 1.0, "tolerance": 1e-4, "frames_per_second": 50.0}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.h5"
        trundle.simulate(scene, 0.02, 5e-3, **options, record=path)  # compiles
        for name in ("frame_of", "commit", "finish"):
            watched(name, spent)
        start = time.process_time()
        run = trundle.simulate(scene, given.duration, 5e-3, **options, record=path)
        total, recording = time.process_time() - start, sum(spent.values())
        size = path.stat().st_size
    print(
        f"{len(run.names):,} bodies, {run.steps['contacts'][-1]:,} contacts, {run.frame_count} frames, {size / 1e6:.1f} MB"
    )
    print(
        f"CPU {total:.2f} s, of which recording {recording:.3f} s: {100 * recording / (total - recording):.1f} % more"
    )


if __name__ == "__main__":
    main()
