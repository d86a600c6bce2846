"""Questions to a recording, and files that are none."""

from __future__ import annotations

import formula
import h5py
import numpy as np
import pytest

from trundle import open_recording
from trundle.errors import RecordingError, SceneError, TrundleError
from trundle.record.reader import Recording
from trundle.record.writer import Writer


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
