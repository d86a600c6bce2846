"""The benchmarks: what they print, and that it is what happened."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from trundle import ContactProblem, laws, save_problem
from trundle.bench import RIVALS, PileScene, SphereScene, run_pile, run_sphere
from trundle.bench.problems import problem_files
from trundle.bench.rivals import pile_of, sphere_of
from trundle.bench.shapes import ShapesScene
from trundle.bench.with_siconos import python_with_siconos
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


def test_a_sphere_that_still_rolls_has_no_error_of_its_stop_distance():
    arguments = ("bench", "sphere", "--duration", 0.5, "--time-step", 0.01)
    assert json.loads(run(*arguments, "--json").stdout)["error"] is None
    shown = run(*arguments)
    assert shown.exit_code == 0, shown.output
    assert "has not stopped yet after 0.5 s" in shown.stdout
    assert "relative error" not in shown.stdout
    # v0 / a = 2.5 / (5 x 0.04 x 9.81 / (7 x 0.5)) s
    assert SphereScene().stop_time == pytest.approx(4.459735, abs=1e-6)


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


@pytest.fixture
def folder_of_problems(tmp_path):
    """One that slides and one whose law Siconos does not have."""
    q = np.array([-1.0, 0.4, 0.1])
    save_problem(ContactProblem((laws.Coulomb(mu=0.3),), W=np.eye(3), q=q), tmp_path / "sliding.hdf5")
    rolling = ContactProblem((laws.Rolling(mu=0.3, mu_r=0.2),), W=np.eye(5), q=np.array([-1.0, 0.4, 0.1, 0.3, 0.0]))
    save_problem(rolling, tmp_path / "rolling.hdf5")
    return tmp_path


def test_siconos_solves_the_same_files_right_after_or_is_named_as_absent(folder_of_problems):
    result = run("bench", "problems", folder_of_problems, "--against", "siconos", "--budget", 5, "--json")
    assert result.exit_code == 0, result.output
    for row in json.loads(result.stdout):
        beside = row["siconos"]
        if python_with_siconos() is None:
            assert beside == {"note": "not installed"}
        else:
            assert beside["residual"] <= 1e-8, row
            assert beside["ratio"] == pytest.approx(beside["cpu"] / row["cpu"])
    table = run("bench", "problems", folder_of_problems, "--against", "siconos", "--budget", 5)
    assert "times ours" in table.stdout


def test_engines_that_read_no_problems_are_refused(folder_of_problems):
    result = run("bench", "problems", folder_of_problems, "--against", "mujoco")
    assert result.exit_code == 2
    assert "siconos does" in result.output


@pytest.mark.parametrize("name", RIVALS)
def test_other_engines_let_the_same_spheres_fall(name):
    rival = RIVALS[name]
    if not rival.installed:
        pytest.skip(f"{name} is not installed")
    scene = PileScene(n=27)
    run_of_it = rival.pile(rival.load(), scene, 5e-3)
    start = run_of_it.positions()
    np.testing.assert_allclose(start, scene.positions(), atol=1e-6)
    for _ in range(4):
        run_of_it.step()
    # nothing touches yet: all fall freely, by h^2 g (1 + 2 + 3 + 4) with an implicit Euler step
    fallen = (run_of_it.positions() - start)[:, 2]
    assert np.allclose(fallen, -scene.gravity * 0.02**2 / 2, rtol=0.3)
    np.testing.assert_allclose(run_of_it.velocities()[:, 2], -scene.gravity * 0.02, rtol=1e-3)
    run_of_it.close()


@pytest.mark.skipif(python_with_siconos() is None, reason="Siconos is not installed")
class TestSiconos:
    def test_its_sphere_stops_where_it_should(self):
        result = sphere_of(RIVALS["siconos"], SphereScene(), 6.0, 1e-2)
        assert abs(result["error"]) < 2e-2
        assert result["final_speed"] < 1e-3

    def test_a_step_that_takes_too_long_is_ended(self):
        result = pile_of(RIVALS["siconos"], PileScene(n=100), 2.0, 5e-3, budget=3.0)
        assert not result["finished"]
        assert 0.0 < result["simulated"] < 2.0

    def test_more_spheres_than_it_can_take_are_not_tried(self):
        assert "at most 1,000" in pile_of(RIVALS["siconos"], PileScene(n=2000), 1.0, 5e-3, 10.0)["skipped"]


def test_boxes_of_a_pile_do_not_overlap_at_the_start():
    # their diagonals are longer than the grid: as drawn, two of them share a tenth of their size
    pile = ShapesScene("box", seed=4)
    drawn = pile._drawn()
    assert len(pile._overlapping(drawn)) > 0
    assert len(pile._overlapping(pile.bodies)) == 0
    turned = [i for i, (old, new) in enumerate(zip(drawn, pile.bodies, strict=True)) if np.any(old[1] != new[1])]
    assert len(turned) <= 4
