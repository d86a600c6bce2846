"""How much faster two workers finish a campaign than one.

    python benchmarks/campaign.py [--runs 200] [--workers 1 2] [--json]

The campaign: piles of 120 grains poured as in Tasora & Anitescu (2013), section 6.3, over ten rolling friction coefficients,
each with as many seeds as it takes; about 1.2 s of computing per run.  It is computed once with each number of workers, by
`trundle.sweep.run_campaign` into an empty folder, as `trundle sweep --no-plots` does it.

wall      the whole call: start of the cluster and its workers, all runs, the table
start-up  the part of it until the first run began; contained in `wall`, and in the speed-up
cpu       processor time of the runs, summed
busy      cpu / (wall x workers): what of the workers' time was computing
speed-up  wall of the first number of workers over that of this one

Compiled functions are cached on disk before the clock starts, as after any first use.  Results must have the same bits.
On a busy machine the runs take longer than their processor time, and the comparison means little: that is said.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from trundle.papers.tasora_anitescu_2013.pile import FUNCTION, RHO
from trundle.sweep import Campaign, Progress, run_campaign

GRAINS = 120
BUSY = 1.1  # wall time of the runs over their processor time, from which on the machine was not quiet


def make(runs: int) -> Campaign:
    """`runs` piles: ten coefficients, and seeds."""
    return Campaign(
        name="piles", function=FUNCTION, vary={"rho": list(RHO)}, fixed={"grains": GRAINS},
        seeds=tuple(range(max(1, round(runs / len(RHO))))),
    )  # fmt: skip


def measure(campaign: Campaign, workers: int) -> dict[str, Any]:
    """Compute the campaign in an empty folder; times [s] and the bytes of the table."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        first: list[float] = []

        def show(progress: Progress) -> None:
            if progress.done and not first:
                first.append(time.perf_counter() - began)
            if progress.done % 10 == 0:
                left = "" if progress.seconds_left is None else f", {progress.seconds_left:.0f} s left"
                print(f"{workers} workers: {progress.done} of {progress.total} runs{left}", file=sys.stderr)

        result = run_campaign(campaign, folder, workers=workers, progress=show)
        wall = time.perf_counter() - began
        kept = [json.loads(file.read_text()) for file in (Path(folder) / "runs").glob("*.json")]
        cpu, alone = (sum(run[name] for run in kept) for name in ("cpu_seconds", "seconds"))
        error = next((run["error"] for run in kept if "error" in run), "")
        return {
            "workers": workers, "runs": len(kept), "failed": result.failed, "error": error, "wall": wall,
            "startup": first[0] - min(run["seconds"] for run in kept), "cpu": cpu, "runs_wall": alone,
            "busy": cpu / (wall * workers), "bytes": result.results.read_bytes(),
        }  # fmt: skip


def main() -> None:
    """Measure, compare and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200, help="runs of the campaign, a multiple of ten (200)")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="numbers of workers to compare (1 2)")
    parser.add_argument("--json", action="store_true", help="print a JSON list instead of a table")
    options = parser.parse_args()
    cores, load = os.cpu_count() or 1, os.getloadavg()[0]
    if load > 0.5:
        print(f"note: the load of this machine is {load:.1f} before the start; let it rest first", file=sys.stderr)
    if max(options.workers) > cores:
        print(f"note: {max(options.workers)} workers on {cores} cores", file=sys.stderr)
    campaign = make(options.runs)
    with tempfile.TemporaryDirectory() as folder:  # fills the cache of compiled functions, as any first use does
        warm = Campaign(name="warm", function=FUNCTION, vary={"rho": [RHO[-1]]}, fixed={"grains": 60})
        run_campaign(warm, folder, workers=1)
    rows = [measure(campaign, number) for number in options.workers]
    tables = {row.pop("bytes") for row in rows}
    for row in rows:
        row["speed_up"] = rows[0]["wall"] / row["wall"]
    if options.json:
        print(json.dumps(rows, indent=1))
    else:
        print("workers   runs   wall [s]   start-up [s]   cpu [s]   per run [s]   busy   speed-up")
        for row in rows:
            print(
                f"{row['workers']:7d} {row['runs']:6d} {row['wall']:10.1f} {row['startup']:14.1f} {row['cpu']:9.1f} "
                f"{row['cpu'] / row['runs']:13.2f} {row['busy']:6.2f} {row['speed_up']:10.2f}"
            )
        print(f"tables {'have the same bytes' if len(tables) == 1 else 'DIFFER'}; {cores} cores")
        for row in rows:
            if row["runs_wall"] > BUSY * row["cpu"]:
                print(
                    f"not quiet: with {row['workers']} workers the runs took {row['runs_wall'] / row['cpu']:.2f} of their cpu"
                )
            if row["failed"]:
                print(f"{row['failed']} of {row['runs']} runs failed with {row['workers']} workers: {row['error']}")
    sys.exit(0 if len(tables) == 1 and not any(row["failed"] for row in rows) else 1)


if __name__ == "__main__":
    main()
