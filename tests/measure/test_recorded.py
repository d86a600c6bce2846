"""Measures of a recorded run, and the command that prints them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from trundle import HalfSpace, Scene, Sphere, laws, simulate
from trundle.cli.app import app
from trundle.errors import MeasureError
from trundle.measure import Snapshot, measure_all
from trundle.record.reader import Recording

R, MASS = 0.05, 2.0


UPRIGHT = np.eye(3)


def column(gravity=(0.0, 0.0, -9.81), turn=UPRIGHT):
    """Four spheres on top of each other on a floor whose normal is against gravity."""
    scene = Scene(gravity=gravity)
    up = turn @ np.array([0.0, 0.0, 1.0])
    for i in range(4):
        scene.add(Sphere(radius=R), name=f"ball{i}", mass=MASS, position=(2 * i + 1) * R * up, surface="ball")
    scene.add(HalfSpace(normal=tuple(up)), name="floor", fixed=True, surface="floor")
    for other in ("ball", "floor"):
        scene.surface("ball", other, law=laws.SlideRollSpin(mu=0.5, mu_r=0.01, mu_s=0.01))
    return scene


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "column.h5"
    simulate(column(), 0.05, 5e-3, theta=1.0, tolerance=1e-11, record=path)
    return path


def test_forces_of_a_column_are_the_weights_above(recording):
    with Recording(recording) as run:
        net = Snapshot(run).network
    weight = MASS * 9.81
    np.testing.assert_allclose(np.sort(net.normal_force), weight * np.arange(1, 5), rtol=1e-8)
    # on the second body: up where the second is above, down where it is below
    above = net.normal[:, 2]
    np.testing.assert_allclose(net.force[:, 2], above * net.normal_force, rtol=1e-8)


def test_measures_of_a_column(recording):
    with Recording(recording) as run:
        values = measure_all(run, ["height", "coordination", "modes", "fabric", "forces", "energy", "stopping"])
    assert values["height"] == pytest.approx(8 * R, abs=1e-9)
    assert values["coordination"] == pytest.approx(7 / 4)
    assert values["mode_sticking"] == 1.0
    assert values["fabric_anisotropy"] == pytest.approx(1.0)
    assert values["force_mean"] == pytest.approx(2.5 * MASS * 9.81, rel=1e-8)
    assert values["energy_kinetic"] == pytest.approx(0.0, abs=1e-15)
    assert values["stopped"] is True


def test_up_is_against_gravity():
    c, s = np.cos(0.7), np.sin(0.7)
    turn = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    run = simulate(column(tuple(turn @ [0.0, 0.0, -9.81]), turn), 0.02, 5e-3, theta=1.0)
    assert measure_all(run, ["height"])["height"] == pytest.approx(8 * R, abs=1e-7)


def test_contacts_need_a_recording():
    run = simulate(column(), 0.01, 5e-3, theta=1.0)
    with pytest.raises(MeasureError, match="record="):
        measure_all(run, ["coordination"])


def test_the_command_prints_json_draws_and_reports_what_has_no_answer(recording, tmp_path):
    runner = CliRunner()
    done = runner.invoke(app, ["measure", str(recording), "height", "forces", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["height_in_diameters"] == pytest.approx(4.0)
    drawn = runner.invoke(app, ["measure", str(recording), "energy", "forces", "modes", "--plots", str(tmp_path)])
    assert drawn.exit_code == 0, drawn.output
    assert {file.name for file in tmp_path.glob("*.png")} == {"energy.png", "forces.png", "modes.png"}
    flat = runner.invoke(app, ["measure", str(recording), "angle-of-repose"])
    assert flat.exit_code == 1
    assert "too few" in flat.output
    unknown = runner.invoke(app, ["measure", str(recording), "hight"])
    assert unknown.exit_code == 2
    assert "Did you mean 'height'" in unknown.output
    everything = runner.invoke(app, ["measure", str(recording)])
    assert everything.exit_code == 0, everything.output
    assert "angle-of-repose" in runner.invoke(app, ["measure", "--list"]).output
