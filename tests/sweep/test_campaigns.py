"""Campaigns: points, resumption, failures, and independence of the number of workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from trundle.errors import CampaignError
from trundle.sweep import load_campaign, make_campaign, run_campaign

HERE = Path(__file__).parent


def campaign(function="noisy", **table):
    return make_campaign({"function": f"campaign_functions.py:{function}", **table}, folder=HERE)


# --- points ---------------------------------------------------------------------------------------------------------


def test_a_grid_has_every_combination_and_meets_the_ends_of_a_range():
    made = campaign(vary={"a": [1, 2], "b": {"from": 0.1, "to": 10.0, "count": 3, "scale": "log"}}, replicates=2)
    points = made.points()
    assert len(points) == 12
    assert points[0] == {"a": 1, "b": 0.1, "seed": 0}
    assert points[-1] == {"a": 2, "b": 10.0, "seed": 1}
    assert points[2]["b"] == pytest.approx(1.0, rel=1e-15)


def test_a_latin_hypercube_uses_every_slice_of_every_axis_once():
    sampling = {"method": "latin-hypercube", "samples": 50, "seed": 3}
    made = campaign(vary={"a": {"from": 0, "to": 1}, "b": {"from": 0, "to": 1}}, sampling=sampling)
    drawn = np.array([[p["a"], p["b"]] for p in made.points()])
    for column in drawn.T:
        assert sorted((column * 50).astype(int)) == list(range(50))
    assert np.corrcoef(drawn.T)[0, 1] < 0.5
    assert made.points() == made.points()


def test_random_samples_follow_their_seed_and_stay_in_range():
    table = {"vary": {"a": {"from": 1e-3, "to": 1.0, "scale": "log"}, "b": ["x", "y"]}}
    one, same, other = (
        campaign(**table, sampling={"method": "random", "samples": 400, "seed": s}).points() for s in (1, 1, 2)
    )
    assert one == same != other
    a = np.array([p["a"] for p in one])
    assert a.min() >= 1e-3
    assert a.max() <= 1.0
    assert np.median(a) == pytest.approx(10**-1.5, rel=0.5)  # the middle on a logarithmic scale
    assert {p["b"] for p in one} == {"x", "y"}


def test_names_with_a_comma_vary_together():
    made = campaign(vary={"a,b": [1, 2]})
    assert made.points() == [{"a": 1, "b": 1}, {"a": 2, "b": 2}]
    assert campaign(vary={"a,b": [[1, 10], [2, 20]]}).points()[1] == {"a": 2, "b": 20}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"vary": {"a": []}}, "at least one value"),
        ({"vary": {"a": {"from": 1, "to": 0, "count": 3}}}, "smaller than"),
        ({"vary": {"a": {"from": 0, "to": 1, "count": 3, "scale": "log"}}}, "must be positive"),
        ({"varies": {}}, "Did you mean 'vary'"),
        ({"vary": {"a": [1]}, "sampling": {"method": "sobol"}}, "unknown sampling method"),
        ({"vary": {"a": [1]}, "sampling": {"method": "random"}}, "needs samples"),
        ({"vary": {"a": [1]}, "fixed": {"a": 2}}, "given twice"),
        ({"vary": {"a": [1]}, "replicates": 2, "seeds": [1]}, "not both"),
        ({"vary": {"a": [1]}, "scene": "x.toml"}, "function .* or scene"),
    ],
)
def test_a_campaign_that_cannot_be_run_says_why(table, message):
    with pytest.raises(CampaignError, match=message):
        campaign(**table).points()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"vary": {"c": [1]}, "fixed": {"a": 1}}, "unknown parameter 'c'"),
        ({"vary": {"b": [1]}}, "needs a"),
        ({"function": "missing.py:f"}, "there is no file"),
        ({"function": "campaign_functions.py:nosy"}, "Did you mean 'noisy'"),
        ({"function": "no_such_module:f"}, "there is no module"),
    ],
)
def test_parameters_are_checked_before_the_first_run(table, message, tmp_path):
    made = make_campaign({"function": "campaign_functions.py:noisy", **table}, folder=HERE)
    with pytest.raises(CampaignError, match=message):
        run_campaign(made, tmp_path, workers=0)
    assert not list(tmp_path.iterdir())


# --- runs -----------------------------------------------------------------------------------------------------------


def test_failed_runs_are_kept_with_their_error_and_only_retried_on_demand(tmp_path):
    made = campaign(vary={"a": [1, 3, 4]}, seeds=[5, 6])
    first = run_campaign(made, tmp_path, workers=0)
    assert (first.computed, first.stored, first.failed) == (6, 0, 2)
    assert list(first.table["error"]) == ["", "", "ValueError: three is bad", "ValueError: three is bad", "", ""]
    assert list(first.table["warnings"]) == ["", "", "", "", "four is doubtful", "four is doubtful"]
    assert first.table["sum"].isna().sum() == 2
    kept = [json.loads(file.read_text()) for file in (tmp_path / "runs").glob("*.json")]
    assert sum("three is bad" in item.get("traceback", "") for item in kept) == 2
    again = run_campaign(made, tmp_path, workers=0)
    assert (again.computed, again.stored, again.failed) == (0, 6, 2)
    assert run_campaign(made, tmp_path, workers=0, retry=True).computed == 2


def test_a_campaign_without_a_good_run_says_so(tmp_path):
    result = run_campaign(campaign(vary={"a": [3]}), tmp_path, workers=0)
    with pytest.raises(CampaignError, match="all 1 runs .* three is bad"):
        _ = result.good


def test_a_larger_campaign_computes_only_what_is_new(tmp_path):
    run_campaign(campaign(vary={"a": [1, 2]}), tmp_path, workers=0)
    result = run_campaign(campaign(vary={"a": [0, 1, 2, 5]}), tmp_path, workers=0)
    assert (result.computed, result.stored) == (2, 2)
    assert list(result.table["a"]) == [0, 1, 2, 5]


def test_a_run_file_that_was_cut_off_is_computed_again(tmp_path):
    made = campaign(vary={"a": [1, 2]})
    run_campaign(made, tmp_path, workers=0)
    file = next((tmp_path / "runs").glob("*.json"))
    file.write_text(file.read_text()[:20])
    assert run_campaign(made, tmp_path, workers=0).computed == 1


def test_values_that_have_no_place_in_a_table_are_an_error_of_the_run(tmp_path):
    result = run_campaign(campaign("shapeless", vary={"a": [1]}), tmp_path, workers=0)
    assert "no place in a table" in result.table["error"][0]


def test_the_fields_of_a_dataclass_are_columns(tmp_path):
    table = run_campaign(campaign("answer", vary={"a": [1.0, 2.0]}), tmp_path, workers=0).table
    assert list(table["force"]) == [2.0, 4.0]
    assert list(table["right"]) == [False, True]


def test_the_time_left_is_known_after_the_first_run(tmp_path):
    said = []
    run_campaign(campaign(vary={"a": [1, 2, 5]}), tmp_path, workers=0, progress=said.append)
    assert [(p.done, p.total, p.stored) for p in said] == [(0, 3, 0), (1, 3, 0), (2, 3, 0), (3, 3, 0)]
    assert said[0].seconds_left is None
    assert said[1].seconds_left > 0.0
    assert said[3].seconds_left == 0.0


def test_two_workers_give_the_bits_of_none_and_the_death_of_one_costs_nothing(tmp_path):
    # One cluster for both: it takes longer to start than all the runs.
    made = campaign("deadly", vary={"a": [0, 1, 2, 3]}, fixed={"folder": str(tmp_path)})
    parallel = run_campaign(made, tmp_path / "two", workers=2)
    assert len(list(tmp_path.glob("started-1-*"))) == 2  # it died, and was done again
    serial = run_campaign(made, tmp_path / "none", workers=0)
    assert parallel.failed == 0
    assert list(parallel.table["threads"]) == [1, 1, 1, 1]  # two workers use two cores
    assert parallel.results.read_bytes() == serial.results.read_bytes()


def test_a_run_that_kills_every_worker_fails_alone(tmp_path):
    made = campaign("deadly", vary={"a": [0, 1, 2]}, fixed={"folder": str(tmp_path), "always": True})
    result = run_campaign(made, tmp_path / "out", workers=1)
    assert list(result.table["value"].isna()) == [False, True, False]
    assert "killed its worker" in result.table["error"][1]


def test_a_scheduler_that_does_not_answer_is_said_so(tmp_path):
    with pytest.raises(CampaignError, match=r"tcp://127.0.0.1:9: no answer"):
        run_campaign(campaign(vary={"a": [1]}), tmp_path, scheduler="tcp://127.0.0.1:9")


# --- command --------------------------------------------------------------------------------------------------------


def write_campaign(folder, text):
    file = folder / "campaign.toml"
    file.write_text(text)
    return file


def test_the_command_writes_table_and_pictures_and_says_what_failed(tmp_path):
    import pandas

    from trundle.cli.app import app

    functions = (HERE / "campaign_functions.py").as_posix()
    file = write_campaign(
        tmp_path, f'function = "{functions}:noisy"\nreplicates = 2\n[vary]\na = [1, 2, 3]\nb = [1, 2]\n'
    )
    arguments = ["sweep", str(file), "-o", str(tmp_path / "out"), "--workers", "0"]
    planned = CliRunner().invoke(app, [*arguments, "--dry-run"])
    assert "12 runs, 12 of them not in" in planned.output
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 1, done.output
    assert "4 failed" in done.output
    assert len(pandas.read_parquet(tmp_path / "out" / "results.parquet")) == 12
    assert (tmp_path / "out" / "plots" / "sum.png").read_bytes().startswith(b"\x89PNG")
    bad = CliRunner().invoke(app, ["sweep", str(tmp_path / "none.toml")])
    assert bad.exit_code == 2


@pytest.mark.parametrize("sampling", [{}, {"method": "random", "samples": 40}])
def test_pictures_keep_words_apart_instead_of_averaging_them(tmp_path, monkeypatch, sampling):
    from matplotlib import pyplot

    from trundle.sweep.plots import draw_campaign

    made = campaign("worded", vary={"a": [1.0, 2.0], "kind": ["plus", "minus"]}, sampling=sampling)
    kept = []
    monkeypatch.setattr(pyplot, "close", kept.append)  # to look at what was drawn
    (file,) = draw_campaign(made, run_campaign(made, tmp_path, workers=0).table, tmp_path)
    monkeypatch.undo()
    assert file.name == "value.png"
    axes = kept[0].axes[0]
    assert len(axes.get_legend().get_texts()) == 2
    drawn = {float(y) for line in axes.lines for y in line.get_ydata() if len(line.get_ydata()) > 1}
    assert drawn == {1.0, 2.0, -1.0, -2.0}
    pyplot.close(kept[0])
    only = campaign("worded", vary={"kind": ["plus", "minus"]}, fixed={"a": 1.0})
    assert len(draw_campaign(only, run_campaign(only, tmp_path / "two", workers=0).table, tmp_path / "two")) == 1


def test_a_campaign_that_is_killed_goes_on_where_it_was(tmp_path):
    functions = (HERE / "campaign_functions.py").as_posix()
    text = f'function = "{functions}:slow"\n[fixed]\nfolder = "{tmp_path.as_posix()}"\n[vary]\n'
    file = write_campaign(tmp_path, text + f"a = {list(range(12))}\n")
    command = [sys.executable, "-m", "trundle.cli", "sweep", str(file), "-o", str(tmp_path / "out"), "--workers", "0"]
    process = subprocess.Popen(command, env={**os.environ, "MPLBACKEND": "Agg"})
    stored = tmp_path / "out" / "runs"
    limit = time.monotonic() + 60
    while len(list(stored.glob("[!.]*.json"))) < 3 and time.monotonic() < limit:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = len(list(stored.glob("[!.]*.json")))
    assert 3 <= before < 12
    result = run_campaign(load_campaign(file), tmp_path / "out", workers=0)
    assert (result.stored, result.computed) == (before, 12 - before)
    assert sorted(result.table["value"]) == list(range(12))
