"""Measures of a recorded run, and the command that prints them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from trundle import Box, HalfSpace, Scene, Sphere, laws, simulate
from trundle.cli.app import app
from trundle.cli.measuring import _print_table
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


@pytest.fixture(scope="module")
def ring(tmp_path_factory):
    """Spheres on a circle of 1 m around (2, 3), one of which falls a little into the floor; another rolls away."""
    scene = Scene()
    for i, angle in enumerate(np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)):
        place, fall = (2.0 + np.cos(angle), 3.0 + np.sin(angle), R), (0.0, 0.0, -3.0 if i == 5 else 0.0)
        scene.add(Sphere(radius=R), name=f"ball{i}", mass=MASS, position=place, velocity=fall, surface="ball")
    scene.add(
        Sphere(radius=R), name="runner", mass=MASS, position=(0.0, 0.0, R), velocity=(0.5, 0.0, 0.0),
        angular_velocity=(0.0, 0.5 / R, 0.0), surface="ball",
    )  # fmt: skip
    scene.add(HalfSpace(normal=(0, 0, 1)), name="floor", fixed=True, surface="floor")
    for other in ("ball", "floor"):
        scene.surface("ball", other, law=laws.Rolling(mu=0.5, mu_r=0.01))
    path = tmp_path_factory.mktemp("ring") / "ring.h5"
    run = simulate(scene, 0.6, 1e-3, tolerance=1e-11, every=5, record=path)
    return run, path


def test_the_ground_is_the_floor_and_not_the_grain_that_sank_deepest(ring):
    run, path = ring
    everybody = np.stack([run.position(name)[-1] for name in run.names if name != "floor"])
    assert everybody[5, 2] < 0.9995 * R
    expected = np.mean(np.linalg.norm(everybody[:, :2] - everybody[:, :2].mean(axis=0), axis=1))
    with Recording(path) as recording:
        for source in (run, recording):
            assert Snapshot(source).ground == 0.0
            assert measure_all(source, ["base-radius"])["base_radius"] == pytest.approx(expected, rel=1e-12)
            raised = measure_all(source, ["height"], options={"height": {"ground": -1.0}})
            assert raised["height"] == pytest.approx(1.0 + 2 * R, abs=1e-6)


def test_the_ground_is_the_top_of_a_box_and_without_a_floor_the_lowest_grain():
    for height, name in ((0.3, "table"), (None, "")):
        scene = Scene(gravity=(0.0, 0.0, -9.81) if name else (0.0, 0.0, 0.0))
        scene.add(Sphere(radius=R), name="ball", mass=MASS, position=(0, 0, 0.3 + R), surface="ball")
        if name:
            scene.add(Box(size=(2, 2, 0.2)), name=name, fixed=True, position=(0, 0, 0.2), surface="wood")
            scene.surface("ball", "wood", law=laws.Coulomb(mu=0.5))
        run = simulate(scene, 0.01, 5e-3)
        assert Snapshot(run).ground == pytest.approx(0.3, abs=1e-15 if height else 1e-12)


def test_the_last_body_stops_where_rolling_friction_says(ring):
    # a = 5 g mu_r / (7 R): stops after v / a, v^2 / (2 a)
    a = 5 * 9.81 * 0.01 / (7 * R)
    run, path = ring
    with Recording(path) as recording:
        for source in (run, recording):
            values = measure_all(source, ["stopping"])
            assert values["stopped"] is True
            assert values["stopping_time"] == pytest.approx(0.5 / a, abs=5e-3)  # frames are 5 ms apart
            assert values["stopping_distance"] == pytest.approx(0.5**2 / (2 * a), rel=1e-5)
            assert values["stopping_path"] == pytest.approx(values["stopping_distance"], rel=1e-9)
        early = measure_all(recording, ["stopping"], 10)
        assert early["stopped"] is False
        assert early["stopping_time"] == pytest.approx(0.05)
        fast = measure_all(recording, ["stopping"], options={"stopping": {"threshold": 0.5}})
        assert fast["stopping_time"] == pytest.approx((0.5 - 0.25) / a, abs=5e-3)  # centre and rim add up to 2 v


def test_fabric_is_that_of_the_packing_without_its_floor(recording, ring):
    with Recording(ring[1]) as run, pytest.raises(MeasureError, match="no contacts"):
        measure_all(run, ["fabric"])  # these touch the floor only
    with Recording(recording) as run:
        assert Snapshot(run).between_grains.sum() == 3


def test_options_that_a_measure_does_not_have_are_refused(recording):
    for options, message in (
        ({"height": {"grund": 0.0}}, "Did you mean 'ground'"),
        ({"settled": {"limit": 1.0}}, "has no options"),
        ({"run-out": {"origin": [0.0]}}, "two numbers"),
        ({"height": {"ground": "low"}}, "must be a number"),
        ({"forces": {"bins": 3}}, "unknown measure 'forces'"),
    ):
        with Recording(recording) as run, pytest.raises(MeasureError, match=message):
            measure_all(run, ["height", "settled", "run-out"], options=options)


def test_up_is_against_gravity():
    c, s = np.cos(0.7), np.sin(0.7)
    turn = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    run = simulate(column(tuple(turn @ [0.0, 0.0, -9.81]), turn), 0.02, 5e-3, theta=1.0)
    assert measure_all(run, ["height"])["height"] == pytest.approx(8 * R, abs=1e-7)


def test_contacts_are_measured_in_memory_as_in_a_recording(tmp_path):
    runs = [simulate(column(), 0.01, 5e-3, theta=1.0, record=record) for record in (None, tmp_path / "run.h5")]
    in_memory, recorded = (measure_all(run, ["coordination", "forces"]) for run in runs)
    assert in_memory == recorded
    assert in_memory["coordination"] == pytest.approx(7 / 4)


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
    rows = [line.split() for line in everything.output.splitlines()]
    assert ["height", "m", "height"] in [[row[0], *row[2:]] for row in rows if len(row) == 4]
    assert "error" not in everything.output  # of measures that nobody asked for
    assert "no answer here: angle-of-repose" in everything.output
    listed = runner.invoke(app, ["measure", "--list"]).output
    assert "angle-of-repose" in listed
    assert "[m/s]" in listed  # units stand in brackets
    arguments = ["measure", str(recording), "run-out", "--json", "--set"]
    moved = runner.invoke(app, [*arguments, "run-out.origin=[3, 4]"])
    assert json.loads(moved.stdout)["run_out"] == pytest.approx(5.0 + R, abs=1e-6)
    for wrong in ("run-out.origin", "origin=[0, 0]", "run-out.orign=[0, 0]"):
        assert runner.invoke(app, [*arguments, wrong]).exit_code == 2


def test_the_command_shows_an_interval_beside_its_value(capsys):
    _print_table({"angle-of-repose": {"angle": 31.234, "angle_interval": 1.26, "settled": True}})
    assert "31.23 ± 1.3   deg    angle" in capsys.readouterr().out
