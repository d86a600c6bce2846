"""What the page gets is what was recorded."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
import synthetic
from synthetic import Motion

from trundle.errors import RecordingError
from trundle.record import Recording
from trundle.record.writer import Writer
from trundle.view.packing import pack, unpack
from trundle.view.source import ROLLING, ROWS_OF_SERIES, SLIDING, SPINNING, TOUCHING, RunSource, _worst, mode_bits


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return synthetic.write(tmp_path_factory.mktemp("view") / "run.h5", side=3, frames=6, extra=True)


@pytest.fixture
def source(run):
    source = RunSource(run)
    yield source
    source.close()


def test_packed_arrays_come_back():
    arrays = {"a": np.arange(5, dtype="u1"), "b": np.arange(6.0).reshape(2, 3), "c": np.zeros((0, 3), "f4")}
    meta, back = unpack(pack({"text": "ρ"}, arrays))
    assert meta == {"text": "ρ"}
    for name, array in arrays.items():
        assert back[name].dtype == array.dtype
        np.testing.assert_array_equal(back[name], array)
    with pytest.raises(ValueError, match="complex"):
        pack({}, {"z": np.zeros(2, complex)})


def test_every_shape_has_a_look_and_a_scale(source):
    meta, arrays = unpack(source.head())
    kinds = [meta["groups"][g]["kind"] for g in arrays["group"]]
    assert kinds[:27] == ["sphere"] * 27
    assert kinds[27:] == ["plane", "box", "box", "mesh", "sphere"]
    np.testing.assert_allclose(arrays["scale"][0], synthetic.RADIUS, rtol=1e-6)
    np.testing.assert_allclose(arrays["scale"][28], [0.1, 0.05, 0.02], rtol=1e-6)
    np.testing.assert_allclose(arrays["scale"][29], 0.04, rtol=1e-6)
    group = arrays["group"][30]
    assert np.abs(arrays[f"vertices{group}"]).max(axis=0) == pytest.approx([0.05, 0.03, 0.02], rel=1e-2)
    assert arrays[f"triangles{group}"].max() < len(arrays[f"vertices{group}"])
    # what nobody knows is a ball of its bounding radius, and the page says so
    assert arrays["scale"][31] == pytest.approx(0.04)
    assert "Unheard" in meta["groups"][arrays["group"][31]]["note"]
    assert meta["finished"]
    assert meta["names"][3] == "body3"


def test_a_frame_holds_positions_and_speeds_of_the_bodies_present(source):
    motion = Motion(3, 6, extra=True)
    for k in (0, 2, 5):
        points, (_, arrays) = motion.points(k), unpack(source.frame(k))
        np.testing.assert_array_equal(arrays["body"], points["body"])
        np.testing.assert_allclose(arrays["position"], points["position"], rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(arrays["orientation"] / 32767, points["orientation"], atol=1 / 32767)
        np.testing.assert_allclose(arrays["speed"], np.linalg.norm(points["velocity"], axis=1), rtol=1e-6)
        np.testing.assert_allclose(arrays["spin"], np.linalg.norm(points["angular_velocity"], axis=1), rtol=1e-6)


def test_forces_are_impulses_over_the_time_step_in_the_world_frame(source, run):
    _, arrays = unpack(source.contacts(3))
    with Recording(run) as recording:
        contacts = recording.contacts(3)
    h = 1e-3
    expected = [
        (i[0] * f[0] + i[1] * f[1] + i[2] * f[2]) / h for i, f in zip(contacts.impulse, contacts.frame, strict=True)
    ]
    np.testing.assert_allclose(arrays["force"], expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(arrays["normal"], contacts.impulse[:, 0] / h, rtol=1e-6)
    body = unpack(source.frame(3))[1]
    for i in (0, 13, 27):
        touching = np.any(contacts.body == i, axis=1)
        assert body["force"][i] == pytest.approx(contacts.impulse[touching, 0].sum() / h, rel=1e-5)
        bits = 0
        for name in contacts.mode[touching]:
            bits |= mode_bits(name)
        assert body["mode"][i] == bits


def test_modes_are_bits():
    assert mode_bits("take-off") == 0
    assert mode_bits("sticking") == TOUCHING
    assert mode_bits("sliding+rolling") == TOUCHING | SLIDING | ROLLING
    assert mode_bits("spinning") == TOUCHING | SPINNING


def test_the_ledger_is_summed_up_and_states_are_not(source):
    _, arrays = unpack(source.series())
    np.testing.assert_allclose(arrays["energy/kinetic"], np.exp(-arrays["energy/time"]))
    np.testing.assert_allclose(arrays["energy/potential"], 3.0)
    np.testing.assert_allclose(arrays["energy/sliding"], 1e-3 * np.arange(1, 51))


def test_thinning_out_keeps_every_peak():
    values = np.full(50_000, 1e-9)
    values[31_007] = 1e-3
    kept = values[_worst(values)]
    assert len(kept) <= ROWS_OF_SERIES
    assert kept.max() == 1e-3


def test_a_body_that_comes_late_has_a_history_from_then_on(source):
    _, arrays = unpack(source.history(31))
    np.testing.assert_allclose(arrays["time"], [0.03, 0.04, 0.05])
    _, arrays = unpack(source.history(0))
    motion = Motion(3, 6, extra=True)
    expected = motion.start[0] + np.outer(arrays["time"], motion.velocity[0])
    np.testing.assert_allclose(arrays["position"], expected, atol=1e-12)


def test_ranges_leave_out_fixed_bodies(source, run):
    ranges = source.ranges()
    motion = Motion(3, 6, extra=True)
    assert 0 < ranges["speed"][1] <= (1 + 1e-6) * np.linalg.norm(motion.velocity, axis=1).max()
    with Recording(run) as recording:
        loads = [np.bincount(c.body.ravel(), np.repeat(c.impulse[:, 0], 2), 28)[:27] / 1e-3
                 for c in map(recording.contacts, range(1, 6))]  # fmt: skip
    assert ranges["force"][1] <= (1 + 1e-6) * np.max(loads)


def test_a_run_that_is_being_written_grows(tmp_path):
    from trundle.record import layout

    path, motion = tmp_path / "run.h5", Motion(2, 10)
    layout.create(path, motion.header())
    writer = Writer(path)
    source = RunSource(path)
    assert source.status() == {"frames": 0, "bodies": 9, "finished": False}
    assert source.ranges()["speed"] == (0.0, 0.0)
    assert unpack(source.series())[1]["steps/time"].size == 0
    for k in range(4):
        synthetic.append(writer, motion, k)
        writer.commit({})
        assert source.status()["frames"] == k + 1
        assert unpack(source.frame(k))[0] == {"frame": k}
        assert unpack(source.times())[1]["time"][-1] == pytest.approx(1e-2 * k)
    writer.finish({}, True)
    writer.close()
    assert source.status()["finished"]
    source.close()


def test_a_file_whose_lengths_fill_the_memory_is_damaged(source, monkeypatch):
    def fills_the_memory(self, name):
        raise MemoryError("Unable to allocate 31.5 GiB")

    source.status()
    monkeypatch.setattr(h5py.File, "__getitem__", fills_the_memory)
    with pytest.raises(RecordingError, match="damaged"):
        source.frame(3)


def test_every_shape_is_drawn_as_what_it_is():
    import json

    import trundle
    from trundle.scene.shapes import SHAPES
    from trundle.view import geometry

    shapes = {
        "Sphere": trundle.Sphere(0.1),
        "Box": trundle.Box((0.1, 0.2, 0.3)),
        "HalfSpace": trundle.HalfSpace((0, 1, 1), 0.3),
        "Ellipsoid": trundle.Ellipsoid((0.1, 0.2, 0.3)),
        "Capsule": trundle.Capsule(radius=0.1, height=0.2),
        "Cylinder": trundle.Cylinder(radius=0.1, height=0.2),
        "Cone": trundle.Cone(radius=0.1, height=0.2),
        "Disk": trundle.Disk(radius=0.1),
        "SphereInside": trundle.SphereInside(0.3, angle=1.2),
        "CylinderInside": trundle.CylinderInside(radius=0.3, height=0.2),
        "ConeInside": trundle.ConeInside(radius=0.3, height=0.2),
        "TorusInside": trundle.TorusInside(0.3, 0.1, arc=(-1.0, 2.0)),
        "Compound": trundle.Compound([trundle.Box((0.2, 0.1, 0.1)), (trundle.Cone(0.1, 0.2), (0.0, 0.0, 0.1))]),
        "Polyhedron": trundle.Polyhedron([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        "Clump": trundle.Clump(((0, 0, 0), (0.1, 0, 0)), (0.1, 0.08)),
        "HeightField": trundle.HeightField([[0.0, 0.1], [0.2, 0.0]], 0.5),
        "Mesh": trundle.Mesh(
            [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
        ),
    }
    assert set(shapes) == set(SHAPES)
    for name, shape in shapes.items():
        text = json.dumps(shape.as_table(), default=lambda array: np.asarray(array).tolist())
        look, scale = geometry.appearance(text, 1.0)
        assert look.note == "", name
        assert np.all(np.asarray(scale) > 0)
        if look.kind == "mesh":
            points = np.ptp(look.vertices * scale, axis=0)
            assert np.all(points <= 2.0001 * (shape.bounding_radius if np.isfinite(shape.bounding_radius) else 1.0)), (
                name
            )
            assert np.count_nonzero(points > 0) >= 2, name


def test_twenty_thousand_bodies_keep_their_names(tmp_path):
    # HDF5 2.0 once overwrote the table of bodies where there were more than some 15,000
    path = synthetic.write(tmp_path / "many.h5", side=28, frames=1)
    source = RunSource(path)
    meta, arrays = unpack(source.head())
    assert meta["bodies"] == 28**3 + 1
    assert meta["names"][-2] == f"body{28**3 - 1}"
    assert len(unpack(source.frame(0))[1]["body"]) == 28**3 + 1
    assert arrays["fixed"].sum() == 1
    source.close()
    path.unlink()
