"""What joints carry, as runs and recordings tell it, against closed forms and Newton's laws."""

from __future__ import annotations

import json

import h5py
import numpy as np
import pytest
from typer.testing import CliRunner

from trundle.cli.app import app
from trundle.errors import SceneError
from trundle.record.export import export_csv
from trundle.record.reader import Recording
from trundle.run.simulate import resume, simulate
from trundle.scene import Box, HalfSpace, Scene, Sphere

G, H = 9.81, 1e-3
QUESTIONS = ("joint_impulse", "joint_force", "joint_torque", "joint_point", "joint_axes")


def chain():
    """Two bodies that fall on a hinge and a ball joint, the hinge held by the world."""
    scene = Scene(gravity=(0.3, -0.2, -G))
    scene.add(Sphere(radius=0.1), name="bob", mass=2.0, position=(1, 0, 0))
    scene.add(Box(size=(0.2, 0.3, 0.1)), name="box", mass=1.5, position=(2, 0.2, 0))
    scene.joint("hinge", "bob", position=(0, 0, 0), axis=(0, 1, 0), name="pivot")
    scene.joint("ball", "bob", "box", position=(1.5, 0, 0), name="elbow")
    return scene


def test_cantilever_carries_weight_and_bending_moment_of_its_body():
    # F = m g upwards on the body, moment m g l about the support; `other` is the body here
    scene = Scene(gravity=(0, 0, -G))
    scene.add(Box(size=(0.1, 0.1, 0.1)), name="wall", fixed=True, position=(0, 0, 0))
    scene.add(Sphere(radius=0.1), name="weight", mass=3.0, position=(0.7, 0, 0))
    scene.joint("fixed", "wall", "weight", position=(0, 0, 0), name="clamp")
    run = simulate(scene, 0.1, H, tolerance=1e-12)
    assert run.joint_force("clamp")[-1] == pytest.approx([0, 0, 3.0 * G], abs=1e-7)
    assert run.joint_torque("clamp")[-1] == pytest.approx([0, -0.7 * 3.0 * G, 0], abs=1e-7)
    assert run.joint_point("clamp")[-1] == pytest.approx([0, 0, 0], abs=1e-9)


def test_a_motor_lifts_with_the_weight_and_at_most_its_force():
    scene = Scene(gravity=(0, 0, -G))
    scene.add(Sphere(radius=0.1), name="cage", mass=4.0)
    scene.add(HalfSpace(normal=(0, 0, 1), offset=-5.0), name="floor", fixed=True)
    scene.joint("slider", "floor", "cage", position=(0, 0, 0), axis=(0, 0, 1), motor=0.5, max_force=60.0, name="lift")
    run = simulate(scene, 0.5, H, tolerance=1e-12)
    pull = run.joint_impulse("lift")[:, 0] / H
    assert pull[1] == pytest.approx(60.0, rel=1e-9)  # starting: all it can
    assert pull[-1] == pytest.approx(4.0 * G, rel=1e-7)  # then the weight


def test_joint_forces_are_masses_times_accelerations():
    run = simulate(chain(), 0.3, H, tolerance=1e-12)
    g = np.array([0.3, -0.2, -G])
    push = {name: m * (np.diff(run.velocity(name), axis=0) / H - g) for name, m in (("bob", 2.0), ("box", 1.5))}
    assert push["box"] == pytest.approx(run.joint_force("elbow")[1:], abs=1e-7)
    assert push["bob"] == pytest.approx(-(run.joint_force("elbow") + run.joint_force("pivot"))[1:], abs=1e-7)
    assert np.all(np.isnan(run.joint_force("pivot")[0]))  # no step led to the first frame
    assert np.abs(run.joint_torque("elbow")[1:]).max() == 0.0  # a ball joint has none
    assert np.abs(np.einsum("ti,ti->t", run.joint_torque("pivot")[1:], run.joint_axes("pivot")[1:, 0])).max() < 1e-12


def test_recorded_and_resumed_joint_loads_are_those_in_memory_to_the_last_bit(tmp_path):
    run = simulate(chain(), 0.2, H, every=3)
    simulate(chain(), 0.2, H, every=3, record=tmp_path / "whole.h5")
    simulate(chain(), 0.1, H, every=3, record=tmp_path / "part.h5")
    resume(tmp_path / "part.h5", duration=0.2)
    for file in ("whole.h5", "part.h5"):
        with Recording(tmp_path / file) as recorded:
            assert recorded.joint_names == run.joint_names == ("pivot", "elbow")
            for question in QUESTIONS:
                for name in run.joint_names:
                    assert np.array_equal(
                        getattr(recorded, question)(name), getattr(run, question)(name), equal_nan=True
                    ), (file, question, name)
    with h5py.File(tmp_path / "whole.h5") as file:
        assert file["joints/impulse"].shape == (len(run.time), 2, 6)


def test_joints_are_named_by_info_and_exported(tmp_path):
    run = simulate(chain(), 0.05, H, record=tmp_path / "run.h5")
    shown = CliRunner().invoke(app, ["info", str(tmp_path / "run.h5")])
    assert shown.exit_code == 0, shown.output
    assert "pivot (hinge, bob - world)" in shown.output
    facts = json.loads(CliRunner().invoke(app, ["info", str(tmp_path / "run.h5"), "--json"]).output)
    largest = np.linalg.norm(run.joint_force("elbow")[1:], axis=1).max()
    assert facts["joints"][1]["force_max"] == pytest.approx(largest, rel=1e-12)
    assert facts["bodies"] == 2  # the world is none
    with Recording(tmp_path / "run.h5") as recorded:
        export_csv(recorded, tmp_path / "tables")
    rows = np.genfromtxt(tmp_path / "tables/joints.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    elbow = rows[rows["joint"] == "elbow"]
    assert elbow["force_z"] == pytest.approx(run.joint_force("elbow")[1:, 2], rel=1e-15)


def test_a_run_without_that_joint_says_which_it_has():
    run = simulate(chain(), 0.01, H)
    with pytest.raises(SceneError, match=r"unknown joint 'pivo'.*Did you mean 'pivot'"):
        run.joint_force("pivo")
