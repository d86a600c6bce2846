"""Every public call with a value of a wrong type, shape, sign or size gives a TrundleError, or takes it."""

from __future__ import annotations

import numpy as np
import pytest
from api_lab import misuse
from cases import heap
from command import invoke
from input_lab import FALL, MACHINE, fuzz_campaigns, fuzz_cases, fuzz_commands, fuzz_problems, fuzz_scenes
from kill_lab import write_case

import trundle


def test_misused_calls_raise_errors_that_are_ours(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = misuse(tmp_path, 2000, seed=1)
    assert result["failures"] == []
    assert result["refused"] > 1500


def test_mutated_scenes_problems_and_options_end_in_a_message(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for lab, count in (
        (fuzz_scenes, 60),
        (fuzz_cases, 30),
        (fuzz_campaigns, 30),
        (fuzz_problems, 30),
        (fuzz_commands, 60),
    ):
        result = lab(tmp_path, count, seed=1)
        assert result["failures"] == []


def test_a_number_of_workers_that_no_machine_has_is_refused(tmp_path):
    write_case(tmp_path)
    for words in (["--calibrate", "--data", "x"], []):
        result = invoke(
            ["rockfall", str(tmp_path / "case.toml"), *words, "-o", str(tmp_path / "out"), "--workers", "9" * 30]
        )
        assert result.exit_code == 2, result.exception
        assert "workers" in result.output


@pytest.mark.parametrize("mu", ["1", True, np.datetime64("2020-01-01"), np.ma.masked], ids=repr)
def test_a_coefficient_is_a_number_and_nothing_that_numpy_takes_for_one(mu):
    with pytest.raises(trundle.LawError, match="is not a number"):
        trundle.laws.Coulomb(mu=mu)


@pytest.mark.parametrize("name", ["a\0b", "\ud800"], ids=ascii)
def test_a_name_that_no_file_can_hold_is_refused_before_the_run(name):
    with pytest.raises(trundle.SceneError, match="no file can hold"):
        trundle.Scene().add(trundle.Sphere(0.1), name=name, mass=1.0)


def test_a_wrong_progress_does_not_replace_a_recording(tmp_path):
    path = tmp_path / "run.h5"
    trundle.simulate(heap(), 0.01, 2e-3, record=path)
    before = path.read_bytes()
    with pytest.raises(trundle.SceneError, match="progress"):
        trundle.simulate(heap(), 0.02, 2e-3, record=path, progress="x")
    assert path.read_bytes() == before


def test_checking_a_scene_shows_coefficients_that_depend_on_speed(tmp_path):
    path = tmp_path / "scene.toml"
    path.write_text(MACHINE)
    result = invoke(["check", str(path)])
    assert result.exit_code == 0, result.output
    assert "mu = (static 0.5, kinetic 0.3, speed 0.1)" in result.output


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "fence"', "", "name"),
        ("roughness = { tilt = 0.1, size = 1.0 }", "roughness = [1, 2]", "roughness"),
        ("time_step = 0.005", "time_step = -1", "time_step"),
    ],
    ids=["barrier without a name", "roughness that is a list", "time step"],
)
def test_a_case_of_rockfall_that_lacks_something_says_what(tmp_path, old, new, said):
    write_case(tmp_path)
    (tmp_path / "case.toml").write_text(
        FALL.replace("terrain.asc", "plane.asc").replace('zones = "zones.geojson"', "").replace(old, new)
    )
    result = invoke(
        ["rockfall", str(tmp_path / "case.toml"), "-o", str(tmp_path / "out"), "--workers", "0", "--no-report"]
    )
    assert result.exit_code == 2
    assert said in result.output
