"""Questions to a recording, and files that are none."""

from __future__ import annotations

import formula
import h5py
import numpy as np
import pytest

import trundle
from trundle import open_recording
from trundle.errors import RecordingError, SceneError, TrundleError
from trundle.record.damage import repair
from trundle.record.reader import Recording
from trundle.record.writer import Writer
from trundle.step.report import LEDGER_TYPE


@pytest.fixture
def recorded(tmp_path):
    path = tmp_path / "run.h5"
    formula.create(path)
    writer = Writer(path)
    for k in range(40):
        formula.add_frame(writer, k)
    writer.finish(formula.memory(40), finished=True)
    writer.close()
    return path


def test_all_that_was_written_is_read(recorded):
    with open_recording(recorded) as run:
        assert formula.check(run) == 40
        assert run.finished
        assert run.seed == 7
        assert run.modes == formula.MODES
        assert run.scene == "gravity = [0, 0, -9.81]"
        assert run.options == {"duration": 1.0}
        assert list(run.bodies["name"]) == list(run.names) == [f"ball{i}" for i in range(4)]
        assert run.versions.keys() >= {"trundle", "numpy", "numba", "h5py", "python"}
        assert run.contacts(5).mode.tolist() == ["take-off", "sticking", "sliding", "take-off", "sticking"]


def test_a_body_has_no_place_before_it_is_poured(recorded):
    with open_recording(recorded) as run:
        late = run.position("ball3")
        assert np.all(np.isnan(late[:5]))
        np.testing.assert_array_equal(late[5:], np.outer(np.arange(5, 40) + 0.03, [1, 2, 3]))
        np.testing.assert_array_equal(run.velocity("ball1"), np.outer(np.arange(40) + 0.01, [4, 5, 6]))
        np.testing.assert_array_equal(run.orientation("ball0"), np.outer(np.arange(40), [1, 0, 0, 1]))


def test_series_are_the_same_in_small_blocks(recorded, monkeypatch):
    with open_recording(recorded) as run:
        whole = run.angular_velocity("ball2")
        monkeypatch.setattr("trundle.record.reader.BLOCK", 7)
        np.testing.assert_array_equal(run.angular_velocity("ball2"), whole)


def test_unknown_bodies_and_frames_are_said(recorded):
    with open_recording(recorded) as run:
        with pytest.raises(SceneError, match="Did you mean 'ball1'"):
            run.position("bal1")
        for i in (40, -41):
            with pytest.raises(RecordingError, match="holds 40, counted from 0"):
                run.frame(i)
        assert run.frame(-1).time == run.frame(39).time
    with pytest.raises(RecordingError, match="closed"):
        run.frame(0)


def test_a_reader_sees_the_file_as_it_was_opened_while_it_grows(tmp_path):
    path = tmp_path / "run.h5"
    formula.create(path)
    writer = Writer(path)
    seen = []
    for k in range(30):
        formula.add_frame(writer, k)
        if k % 10 == 9:
            writer.commit(formula.memory(k + 1))
            seen.append(open_recording(path))
    for i, run in enumerate(seen):
        assert formula.check(run, checkpoint=False) == 10 * (i + 1)  # that is always the newest
        assert not run.finished
        run.close()
    writer.close()


def cut(data: bytes) -> list[bytes]:
    return [data[: int(share * len(data))] for share in (0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99)]


def test_cut_off_files_are_an_error_that_says_so(recorded, tmp_path):
    for i, data in enumerate(cut(recorded.read_bytes())):
        (tmp_path / f"cut{i}.h5").write_bytes(data)
        with pytest.raises(RecordingError, match="cut off|not an HDF5 file|damaged"):
            Recording(tmp_path / f"cut{i}.h5")


def test_files_that_are_no_recording(recorded, tmp_path):
    other = tmp_path / "other.h5"
    with h5py.File(other, "w") as file:
        file["x"] = 1.0
    lacking = tmp_path / "lacking.h5"
    lacking.write_bytes(recorded.read_bytes())
    with h5py.File(lacking, "r+") as file:
        del file["contacts/impulse"]
    newer = tmp_path / "newer.h5"
    newer.write_bytes(recorded.read_bytes())
    with h5py.File(newer, "r+") as file:
        file.attrs["format"] = 99
    text = tmp_path / "text.h5"
    text.write_text("hello")
    (tmp_path / "empty.h5").touch()
    for path, message in (
        (other, "not a recording"), (lacking, "lacks /contacts/impulse"), (newer, "Install a newer trundle"),
        (text, "not an HDF5 file"), (tmp_path / "empty.h5", "not an HDF5 file"), (tmp_path / "no.h5", "No such file"),
        (tmp_path, "Is a directory"),
    ):  # fmt: skip
        with pytest.raises(RecordingError, match=message):
            Recording(path)


@pytest.mark.parametrize("seed", range(8))
def test_damaged_bytes_never_give_a_traceback_that_is_not_ours(recorded, tmp_path, seed):
    rng = np.random.default_rng(seed)
    data = bytearray(recorded.read_bytes())
    for where in rng.integers(0, len(data), 400):
        data[where] = rng.integers(0, 256)
    path = tmp_path / "damaged.h5"
    path.write_bytes(data)
    try:
        with Recording(path) as run:
            for k in range(run.frame_count):
                run.frame(k)
                run.contacts(k)
            run.energy, run.steps, run.bodies, run.options, run.scene, run.checkpoint()
    except TrundleError:
        pass


def test_the_numerical_column_of_version_0_1_is_read_and_continued_under_its_new_name(tmp_path, monkeypatch):
    """It was called "scheme".  A file keeps the names it has, and whoever reads it finds the new one."""

    def ball():
        scene = trundle.Scene()
        scene.add(trundle.Sphere(radius=0.1), name="ball", mass=1.0, position=(0, 0, 0.1), surface="a")
        scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="b")
        scene.surface("a", "b", law=trundle.laws.Coulomb(mu=0.5))
        return scene

    whole = trundle.simulate(ball(), 0.2, 0.01, theta=1.0)
    old = [("scheme" if name == "numerical" else name, "f8") for name in LEDGER_TYPE.names]
    monkeypatch.setattr("trundle.run.saving.LEDGER_TYPE", np.dtype(old))
    path = tmp_path / "old.h5"
    trundle.simulate(ball(), 0.2, 0.01, theta=1.0, record=path, stop=lambda t, _: t > 0.1)
    trundle.resume(path)
    with h5py.File(path) as file:
        assert "scheme" in file["energy"].dtype.names
    with open_recording(path) as run:
        assert run.energy.dtype.names == LEDGER_TYPE.names
        assert np.array_equal(run.energy, whole.energy)
    assert repair(path, tmp_path / "new.h5")[1] == []
    with open_recording(tmp_path / "new.h5") as run:
        assert np.array_equal(run.energy, whole.energy)
