"""A recording that is not what was written says so, names the place, and gives what is whole."""

from __future__ import annotations

import lzma
import shutil
from pathlib import Path

import h5py
import numpy as np
import pytest
from damage_lab import damage_files, read_all, sample
from disk_lab import fill_disks
from typer.testing import CliRunner

import trundle
from trundle.cli import app
from trundle.record.damage import repair, verify

pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
FORMAT_1 = Path(__file__).parents[1] / "record" / "format1.h5.xz"


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    path = tmp_path_factory.mktemp("original") / "run.h5"
    sample(path)
    return path


@pytest.fixture
def copy(original, tmp_path):
    return Path(shutil.copy(original, tmp_path / "run.h5"))


def flip(path: Path, dataset: str, row: int, bit: int = 3) -> None:
    """Change one bit of a row, behind HDF5's back."""
    with h5py.File(path) as file:
        data = file[dataset]
        width = data.dtype.itemsize * int(np.prod(data.shape[1:]))
        chunk, inside = divmod(row, data.chunks[0])
        info = data.id.get_chunk_info_by_coord((chunk * data.chunks[0], *[0] * (data.ndim - 1)))
        where = info.byte_offset + inside * width
    with open(path, "r+b") as stream:
        stream.seek(where)
        byte = stream.read(1)[0]
        stream.seek(where)
        stream.write(bytes([byte ^ 1 << bit]))


def test_a_flipped_bit_is_found_and_named(copy):
    with trundle.open_recording(copy) as run:
        before = [run.frame(k).position for k in range(17)]
        row = sum(len(run.frame(k)) for k in range(17)) + 2
    flip(copy, "VTKHDF/Points", row)
    with trundle.open_recording(copy) as run:
        assert all(np.array_equal(run.frame(k).position, before[k]) for k in range(17))
        with pytest.raises(trundle.DamageError, match=r"/VTKHDF/Points, frame 17: its checksum is wrong"):
            run.frame(17)
        with pytest.raises(trundle.DamageError, match="frame 17"):
            run.position("ball")
        assert len(run.frame(18)) > 0
        assert len(run.contacts(17)) > 0
    result = CliRunner().invoke(app, ["verify", str(copy)])
    assert result.exit_code == 3
    assert "damaged: /VTKHDF/Points: frame 17" in result.output
    assert "30 of 31 frames are whole, the first 17 among them" in result.output


@pytest.mark.parametrize("dataset", ["joints/point", "joints/frame", "joints/motion"])
def test_a_picture_shows_no_joint_whose_place_is_damaged(copy, dataset):
    flip(copy, dataset, 5)
    with trundle.open_recording(copy) as run:
        run.joint_places(4)
        with pytest.raises(trundle.DamageError, match=f"/{dataset}, frame 5: its checksum is wrong"):
            run.joint_places(5)


@pytest.mark.parametrize(
    "dataset, row, said",
    [("energy", 12, "/energy: step 12"), ("steps", 0, "/steps: step 0"), ("contacts/gap", 0, "/contacts/gap: frame 1"),
     ("joints/impulse", 5, "/joints/impulse: frame 5"), ("VTKHDF/NumberOfPoints", 9, "/VTKHDF/NumberOfPoints: frame 9"),
     ("checksums/frames", 4, "frame 4")],
)  # fmt: skip
def test_every_dataset_is_watched(copy, dataset, row, said):
    flip(copy, dataset, row)
    assert said in " ".join(str(damage) for damage in verify(copy).damage)


def test_whole_files_are_whole_and_a_repaired_copy_of_one_is_the_same(original, tmp_path):
    verdict, left_out = repair(original, tmp_path / "saved.h5")
    assert verdict
    assert left_out == []
    assert read_all(original) == read_all(tmp_path / "saved.h5")


def test_repair_saves_everything_but_what_is_damaged_and_the_run_goes_on(original, copy, tmp_path):
    with trundle.open_recording(copy) as run:
        row = sum(len(run.frame(k)) for k in range(17)) + 2
        contact = sum(len(run.contacts(k)) for k in range(20))
    flip(copy, "VTKHDF/PointData/velocity", row)
    flip(copy, "contacts/impulse", contact)
    flip(copy, "energy", 3)
    result = CliRunner().invoke(app, ["repair", str(copy), "-o", str(tmp_path / "saved.h5")])
    assert result.exit_code == 1
    assert "lost: 1 of 31 frames are left out, the first is 17" in result.output
    assert "lost: 1 of 31 frames have lost their contacts, the first is 20" in result.output
    assert verify(tmp_path / "saved.h5")
    kept = [k for k in range(31) if k != 17]
    with trundle.open_recording(tmp_path / "saved.h5") as saved, trundle.open_recording(original) as run:
        np.testing.assert_array_equal(saved.time, run.time[kept])
        for i, k in enumerate(kept):
            np.testing.assert_array_equal(saved.frame(i).velocity, run.frame(k).velocity)
            np.testing.assert_array_equal(saved.contacts(i).impulse, run.contacts(k).impulse[: 0 if k == 20 else None])
        np.testing.assert_array_equal(saved.energy, np.delete(run.energy, 3))
        assert any("repaired" in stage for stage in saved.stages)
    longer = trundle.resume(tmp_path / "saved.h5", duration=0.35)
    whole = trundle.resume(copy_of(original, tmp_path), duration=0.35)
    np.testing.assert_array_equal(longer.position("ball")[-5:], whole.position("ball")[-5:])


def copy_of(path: Path, folder: Path) -> Path:
    return Path(shutil.copy(path, folder / "copy.h5"))


def test_a_damaged_checkpoint_falls_back_to_the_other_one(original, copy):
    flip(copy, "checkpoint/a", 100)
    assert read_all(copy) == read_all(original)
    flip(copy, "checkpoint/b", 100)
    with pytest.raises(trundle.DamageError, match="checkpoint cannot be read"):
        trundle.resume(copy, duration=0.35)


def test_files_of_format_1_are_read_and_continued(tmp_path):
    path = tmp_path / "old.h5"
    path.write_bytes(lzma.decompress(FORMAT_1.read_bytes()))
    with trundle.open_recording(path) as run:
        assert run.frame_count == 31
        assert run.names[:3] == ("ground", "ball", "bob")
        assert run.stages == []
        reached = run.position("ball")[-1, 0]
    result = CliRunner().invoke(app, ["verify", str(path)])
    assert result.exit_code == 0
    assert "format 1 has no checksums" in result.output
    assert trundle.resume(path, duration=0.4).position("ball")[-1, 0] > reached
    assert repair(path, tmp_path / "new.h5")[1] == []
    assert verify(tmp_path / "new.h5").checked


def test_random_damage_gives_an_error_or_the_same_numbers(tmp_path):
    result = damage_files(tmp_path, 32, seed=2)
    assert result["failures"] == []


def test_full_disks_are_said_and_nothing_is_half_written(tmp_path):
    result = fill_disks(tmp_path, 7, seed=3)
    assert result["failures"] == []
    assert result["disks"] > result.get("enough room", 0)
