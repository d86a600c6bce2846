"""The fault laboratory: everything that can go wrong, many times, at random; `make faults` runs it.

    python tests/faults/laboratory.py [--seed N] [--scale 0.1] [--only NAME ...]

Prints a table of what was done, and every failure with the seed that shows it again.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import api_lab
import bits_lab
import damage_lab
import disk_lab
import input_lab
import kill_lab
import resume_lab
import store_lab

# name: what is done, how often, and the function that does it
EXPERIMENTS: dict[str, tuple[str, int, Callable[[Path, int, int], dict[str, Any]]]] = {
    "kills": ("runs ended by SIGKILL, SIGTERM, SIGHUP, SIGINT, then resumed", 200, kill_lab.kill_runs),
    "campaigns": ("campaigns ended in the same way, then continued", 60, kill_lab.kill_campaigns),
    "studies": ("studies of rockfall ended in the same way, then continued", 60, kill_lab.kill_studies),
    "bits": ("runs repeated, recorded, resumed, with other numbers of threads", 60, bits_lab.compare_bits),
    "resumed": ("runs resumed from the checkpoint of every step, and followed", 3000, resume_lab.resume_cases),
    "damage": (
        "recordings with flipped bits, zeroed blocks, cuts, swaps, over thirteen commands",
        2000,
        damage_lab.damage_files,
    ),
    "stores": ("damaged problem files, batches of rockfall and results of campaigns", 300, store_lab.damage_stores),
    "disks": (
        "commands without room: full and read-only disks, limits of file sizes, open files, memory",
        210,
        disk_lab.fill_disks,
    ),
    "calls": ("Python calls with one wrong argument", 0, lambda folder, count, seed: api_lab.misuse(folder)),
    "scenes": ("mutated scene files", 10_000, input_lab.fuzz_scenes),
    "cases": ("mutated cases of rockfall: case, raster, zones, release", 10_000, input_lab.fuzz_cases),
    "sweeps": ("mutated campaign files", 10_000, input_lab.fuzz_campaigns),
    "problems": ("mutated problem files", 10_000, input_lab.fuzz_problems),
    "commands": ("command lines with random options and files", 10_000, input_lab.fuzz_commands),
}
COUNTED = ("runs done", "kills", "files", "disks", "calls", "inputs")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--scale", type=float, default=1.0, help="of the numbers of experiments")
    parser.add_argument("--only", nargs="*", choices=EXPERIMENTS, default=list(EXPERIMENTS))
    given = parser.parse_args()
    seed = int(time.time()) % 100_000 if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    warnings.simplefilter("ignore")
    rows, failures = [], []
    for name in given.only:
        what, count, work = EXPERIMENTS[name]
        begun = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            result = work(Path(folder), max(1, round(given.scale * count)), seed)
            os.chdir("/")
        failures += result["failures"]
        done = next(result[key] for key in COUNTED if key in result)
        rest = {k: v for k, v in result.items() if k not in (*COUNTED, "failures", "seconds")}
        outcomes = ", ".join(f"{v} {k}" for k, v in rest.items())
        rows.append(
            f"| {what} | {done:,} | {outcomes} | {len(result['failures'])} | {time.perf_counter() - begun:.0f} |"
        )
        print(f"{name}: {done} done, {len(result['failures'])} failures", flush=True)
    print("\n| what | number | outcomes | failures | seconds |\n|---|---:|---|---:|---:|\n" + "\n".join(rows))
    for failure in failures:
        print("FAILURE", failure.encode("ascii", "backslashreplace").decode(), file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
