"""The same bits: every case repeated, recorded, resumed anywhere, with one to four threads, with other kernels.

python tests/faults/bits_lab.py [CASE ...]      # a digest of each; to compare, with NUMBA_CPU_NAME=x86-64-v3 NUMBA_CPU_FEATURES=
"""

from __future__ import annotations

import hashlib
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np
from cases import CASES
from cases import run as run_case

import trundle

SHORT = 0.12  # [s]: every case has contacts by then


def digest(run: Any) -> str:
    """Of all states, steps and energies of a run."""
    found = hashlib.sha256()
    for table in (run.time, run.steps, run.energy):
        found.update(np.ascontiguousarray(table).tobytes())
    for k in range(run.frame_count):
        frame = run.frame(k)
        for name in ("position", "orientation", "velocity", "angular_velocity"):
            found.update(getattr(frame, name).tobytes())
    return found.hexdigest()


def compare_bits(folder: Path, count: int, seed: int, names: tuple[str, ...] = tuple(CASES)) -> dict[str, Any]:
    """Run every case in several ways, `count` of them resumed somewhere; all must give the same bits."""
    rng, failures, done, begun = random.Random(seed), [], 0, time.perf_counter()
    for name in names:
        truth = digest(run_case(name, duration=SHORT, threads=1))
        ways = {"repeated": digest(run_case(name, duration=SHORT, threads=1))}
        path = folder / "run.h5"
        run_case(name, path, duration=SHORT, threads=1)
        with trundle.open_recording(path) as recording:
            ways["recorded"], last = digest(recording), float(recording.time[-1])
        for threads in range(2, min(4, int(numba.config.NUMBA_NUM_THREADS)) + 1):
            ways[f"{threads} threads"] = digest(run_case(name, duration=SHORT, threads=threads))
        for _ in range(max(1, count // len(names))):
            cut = round(rng.uniform(0.1, 0.9) * last / 0.01) * 0.01  # a step and a frame of every case
            run_case(name, path, duration=max(cut, 0.01), threads=1)
            trundle.resume(path, duration=SHORT, threads=1, progress=False)
            with trundle.open_recording(path) as recording:
                ways[f"resumed at {cut:g} s"] = digest(recording)
        done += len(ways)
        failures += [f"seed {seed}, {name}, {way}: other bits" for way, found in ways.items() if found != truth]
    return {"runs done": done, "failures": failures, "seconds": time.perf_counter() - begun}


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in sys.argv[1:] or CASES:
            print(f"{name}: {digest(run_case(name, duration=SHORT, threads=1))[:20]}", flush=True)
        os.chdir("/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
