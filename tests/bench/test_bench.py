"""The benchmarks: what they print, and that it is what happened."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from trundle.bench import RIVALS, PileScene, SphereScene, run_pile, run_sphere
from trundle.bench.problems import problem_files
from trundle.cli.app import app
from trundle.errors import ProblemError, SceneError

KEYS = {
    "cpu_per_simulated_second", "cpu_at_rest", "contacts", "residual_max", "residual_median", "penetration_mean", "rss_mb",
    "kinetic_energy",
}  # fmt: skip


def run(*arguments):
    return CliRunner().invoke(app, [str(a) for a in arguments])


def test_pile_prints_one_json_object_with_the_promised_keys():
    result = run("bench", "pile", "--n", 40, "--duration", 0.3, "--tolerance", "1e-4", "--threads", 1, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert set(told) >= KEYS
    assert told["residual_max"] <= 1e-4
    assert told["missed"] == 0
    assert told["contacts"] > 40
    assert told["cpu_per_simulated_second"] > 0.0
    assert 0.0 <= told["penetration_mean"] < 1e-3


def test_spheres_of_the_pile_do_not_overlap_at_the_start_and_are_in_the_box():
    scene = PileScene(n=500)
    x = scene.positions()
    apart = np.linalg.norm(x[:, None] - x[None], axis=2) + np.eye(len(x))
    assert apart.min() > scene.diameter
    assert np.abs(x[:, :2]).max() < scene.half_width - scene.diameter / 2
    assert x[:, 2].min() > scene.diameter / 2


def test_the_sphere_stops_where_the_closed_form_says():
    told = run_sphere(SphereScene(), 6.0, 1e-2)
    # 5.57467 m for U = 2.5 m/s, mu_r = 0.04 m, R = 0.5 m, g = 9.81 m/s^2; theta = 1/2 is exact within a phase
    assert told["exact"] == pytest.approx(5.57467, abs=1e-5)
    assert abs(told["error"]) < 1e-3
    assert told["final_speed"] < 1e-9


def test_engines_that_are_not_installed_are_named_with_how_to_get_them():
    result = run("bench", "sphere", "--time-step", 0.02, "--against", "rapier,siconos")
    assert result.exit_code == 0, result.output
    for name in ("rapier", "siconos"):
        if not RIVALS[name].installed:
            assert f"{name}: not installed" in result.stdout


def test_unknown_engines_are_an_error_with_a_suggestion():
    result = run("bench", "pile", "--n", 10, "--against", "mujocco")
    assert result.exit_code == 2
    assert "mujoco" in result.output


@pytest.mark.parametrize("options", [{"threads": 0}, {"threads": 10_000}, {"duration": 0.0}, {"tolerance": -1.0}])
def test_options_that_make_no_sense_are_errors(options):
    with pytest.raises(SceneError):
        run_pile(PileScene(n=10), **options)


def test_a_folder_without_problems_is_an_error(tmp_path):
    with pytest.raises(ProblemError, match="no .dat or .hdf5"):
        problem_files([tmp_path])
