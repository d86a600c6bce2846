"""The experiment Tschamut 2014, where its data are there."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np
import pytest

from trundle.rockfall.study import run_study

ROOT = Path(__file__).resolve().parents[2]
CASE = ROOT / "examples" / "tschamut" / "case.toml"
DATA = Path(os.environ.get("TRUNDLE_TSCHAMUT", ROOT.parent / "shared" / "data" / "tschamut-2014"))


@pytest.mark.skipif(not DATA.is_dir(), reason="NO DATA: doi 10.16904/envidat.34, see examples/tschamut/README.md")
def test_a_release_table_without_stops_is_answered_by_run_outs_near_the_observed_ones(tmp_path):
    with (DATA / "runs.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))[::4]
    names = [name for name in rows[0] if not name.startswith("stop") and name != "runout"]
    with (tmp_path / "release.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    results = run_study(
        CASE, tmp_path / "out", data=DATA, release=tmp_path / "release.csv", seeds=2, workers=0, report=False
    )
    with (tmp_path / "out" / "deposits.csv").open(newline="") as stream:
        written = list(csv.DictReader(stream))
    assert list(written[0])[:7] == ["run", "seed", "x", "y", "z", "runout", "stop_reason"]
    assert [(row["run"], row["seed"]) for row in written] == [(row["run"], str(k)) for row in rows for k in range(2)]
    error = results.column("runout").reshape(-1, 2).mean(axis=1) - [float(row["runout"]) for row in rows]
    # the target of the fit: a mean error below 10 m, on these eleven runs
    assert abs(np.mean(error)) < 10.0
