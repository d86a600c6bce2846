"""A recording needs nothing but itself: neither mesh files nor the folder in which it was made."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
import trimesh

import trundle

LAW = '''
from trundle.laws import Coulomb

class Rough(Coulomb):
    """Coulomb's law under a name of its own."""
'''


def test_mesh_is_in_the_recording_and_no_path_is(tmp_path, monkeypatch):
    secret = tmp_path / "home of somebody"
    secret.mkdir()
    trimesh.creation.box((4, 4, 1)).export(secret / "floor.stl")
    text = """
[simulation]
duration = 0.1
time_step = 1e-3
[[bodies]]
name = "ball"
shape = "Sphere"
radius = 0.1
mass = 1
position = [0, 0, 0.62]
velocity = [1, 0, 0]
[[bodies]]
name = "floor"
shape = "Mesh"
file = "floor.stl"
fixed = true
[[surfaces]]
between = ["default", "default"]
law = {name = "Coulomb", mu = 0.3}
"""
    (secret / "scene.toml").write_text(text)
    scene, options = trundle.load_scene(secret / "scene.toml")
    whole = trundle.simulate(scene, **options | {"duration": 0.2})
    trundle.simulate(scene, **options, record=tmp_path / "run.h5")
    assert b"somebody" not in (tmp_path / "run.h5").read_bytes()
    shutil.rmtree(secret)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "run.h5").rename(elsewhere / "run.h5")
    monkeypatch.chdir(tmp_path)
    run = trundle.resume(elsewhere / "run.h5", duration=0.2)
    assert np.array_equal(run.position("ball"), whole.position("ball"))
    with trundle.open_recording(elsewhere / "run.h5") as recording:
        again, _ = trundle.scene.files.parse_scene(recording.scene)
    assert np.array_equal(again.bodies[1].shape.vertices, scene.bodies[1].shape.vertices)


def test_law_file_is_named_as_seen_from_the_recording(tmp_path, monkeypatch):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "rough.py").write_text(LAW)
    text = """
[[bodies]]
shape = "Sphere"
name = "ball"
radius = 0.1
mass = 1
position = [0, 0, 0.1]
velocity = [1, 0, 0]
[[bodies]]
shape = "HalfSpace"
name = "floor"
fixed = true
[[surfaces]]
between = ["default", "default"]
law = {name = "rough.py:Rough", mu = 0.3}
"""
    (folder / "scene.toml").write_text(text)
    scene, _ = trundle.load_scene(folder / "scene.toml")
    trundle.simulate(scene, 0.1, 1e-3, record=folder / "run.h5")
    monkeypatch.chdir(tmp_path)
    with trundle.open_recording(folder / "run.h5") as recording:
        assert '"rough.py:Rough"' in recording.scene
        assert str(tmp_path) not in recording.scene
    with pytest.raises(trundle.RecordingError, match="is Python code, which was not run.*trust=True"):
        trundle.resume("project/run.h5", duration=0.2)
    run = trundle.resume("project/run.h5", duration=0.2, trust=True)
    assert np.array_equal(run.position("ball"), trundle.simulate(scene, 0.2, 1e-3).position("ball"))
