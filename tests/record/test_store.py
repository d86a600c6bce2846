"""A recording can be opened whatever happens to the process that writes it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import formula
import h5py
import pytest

from trundle.errors import RecordingError
from trundle.record import layout, store, writer
from trundle.record.reader import Recording
from trundle.record.writer import Writer


def test_checksum_is_that_of_hdf5(tmp_path):
    file = tmp_path / "a.h5"
    with h5py.File(file, "w", libver="latest") as h5:
        h5["x"] = 1.0
    start = file.read_bytes()[: store.SUPERBLOCK]
    assert store.is_superblock(start)
    assert store.unmarked(start) == start  # a closed file has no mark, and its own checksum
    # published values of lookup3: hashlittle of no bytes, and of this sentence, both with a seed of 0
    assert store.checksum(b"") == 0xDEADBEEF
    assert store.checksum(b"Four score and seven years ago") == 0x17770551


class Logged(store.StoreFile):
    """Remembers every write."""

    log: list[tuple[int, bytes, int]]

    def write(self, data):
        where = self.tell()
        done = super().write(data)
        self.log.append((where, os.pread(self.fileno(), done, where), os.fstat(self.fileno()).st_size))
        return done

    def truncate(self, size=None):
        result = super().truncate(size)
        self.log.append((0, b"", os.fstat(self.fileno()).st_size))
        return result


def write_in_commits(path: Path, frames: list[int]) -> None:
    recording = Writer(path)
    for k in range(recording.counts["frames"], frames[-1]):
        formula.add_frame(recording, k)
        if k + 1 in frames:
            recording.commit(formula.memory(k + 1))
    recording.finish(formula.memory(frames[-1]), finished=True)
    recording.close()


def test_file_is_readable_after_every_single_write(tmp_path, monkeypatch):
    """Also where a run is continued after a kill, and overwrites rows that were never declared."""
    path, image = tmp_path / "run.h5", tmp_path / "image.h5"
    formula.create(path, bodies=4)
    image.write_bytes(path.read_bytes())
    Logged.log = []
    monkeypatch.setattr(writer, "StoreFile", Logged)
    write_in_commits(path, [1, 9, 150, 151])
    write_in_commits(path, [160, 300])
    assert len(Logged.log) > 300
    seen = []
    with open(image, "r+b", buffering=0) as stream:
        for i, (where, data, size) in enumerate(Logged.log):
            stream.seek(where)
            stream.write(data)
            stream.truncate(size)
            with h5py.File(image, "r") as plain:
                frames = layout.committed(plain).counts["frames"]
            if i % 100 == 0 or not seen or frames != seen[-1]:
                with Recording(image) as run:
                    assert formula.check(run) == frames
            seen.append(frames)
    assert sorted(set(seen)) == [0, 1, 9, 150, 151, 160, 300]
    assert seen == sorted(seen)  # nothing that was declared is ever lost
    assert image.read_bytes() == path.read_bytes()


def test_a_file_never_says_that_it_is_finished_before_its_last_frame_counts(tmp_path, monkeypatch):
    path, image = tmp_path / "run.h5", tmp_path / "image.h5"
    formula.create(path, bodies=4)
    image.write_bytes(path.read_bytes())
    Logged.log, said = [], 0
    monkeypatch.setattr(writer, "StoreFile", Logged)
    recording = Writer(path)
    for k in range(30):
        formula.add_frame(recording, k)
        if k == 9:
            recording.commit(formula.memory(10))
    recording.finish(formula.memory(30), finished=True)
    recording.close()
    with open(image, "r+b", buffering=0) as stream:
        for where, data, size in Logged.log:
            stream.seek(where)
            stream.write(data)
            stream.truncate(size)
            with h5py.File(image, "r") as plain:
                if plain.attrs["finished"]:
                    said += 1
                    assert layout.committed(plain).counts["frames"] == 30
    assert said > 0


def write_until_killed(path: Path, begun: int) -> None:
    """What a child process does; it writes to the pipe `begun` when it has the file open."""
    recording = Writer(path)
    os.write(begun, b"!")
    k = recording.counts["frames"]
    while True:
        formula.add_frame(recording, k)
        k += 1
        if k % 3 == 0:
            recording.commit(formula.memory(k))


def killed_writer(path: Path, seconds: float) -> None:
    """Fork a writer and kill it some seconds after it has begun."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            write_until_killed(path, writing)
        finally:
            os._exit(1)
    os.close(writing)
    assert os.read(reading, 1) == b"!"
    os.close(reading)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_killed_writers_leave_a_file_that_plain_h5py_opens(tmp_path):
    """Twenty kills at random moments, each run continuing the file of the one before."""
    path, seed, frames = tmp_path / "run.h5", random.Random(1), 0
    formula.create(path)
    for _ in range(int(os.environ.get("TRUNDLE_KILLS", "20"))):
        killed_writer(path, seed.random() * 0.1)
        with h5py.File(path) as plain:
            assert plain["VTKHDF/Steps"].attrs["NSteps"] >= frames
        with Recording(path) as run:
            assert run.frame_count >= frames
            frames = run.frame_count
    with Recording(path) as run:
        assert formula.check(run) == frames >= 3
        assert not run.finished


def test_a_full_disk_is_said_and_what_was_committed_stays(tmp_path, monkeypatch):
    path = tmp_path / "run.h5"
    formula.create(path)
    recording = Writer(path)
    for k in range(600):
        formula.add_frame(recording, k)
        if k == 9:
            recording.commit(formula.memory(10))
    full = store.StoreFile.write
    writes = []

    def refuse(self, data):
        writes.append(len(data))
        if len(writes) > 12:
            raise OSError(28, "No space left on device")
        return full(self, data)

    monkeypatch.setattr(store.StoreFile, "write", refuse)
    with pytest.raises(RecordingError, match="holds 10 frames"):
        recording.commit(formula.memory(600))
    recording.close()
    monkeypatch.undo()
    with Recording(path) as run:
        assert formula.check(run) == 10


def test_two_runs_cannot_write_to_one_file(tmp_path):
    path = tmp_path / "run.h5"
    formula.create(path)
    code = f"from trundle.record.writer import Writer\nWriter({str(path)!r})"
    first = Writer(path)
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "another run is writing to this file" in other.stderr
    first.close()


def test_the_file_does_not_depend_on_when_it_was_committed(tmp_path):
    files = []
    for name, commits in (("a.h5", [100]), ("b.h5", [1, 2, 3, 55, 99, 100])):
        formula.create(tmp_path / name)
        write_in_commits(tmp_path / name, commits)
        files.append(contents(tmp_path / name))
    assert files[0].keys() == files[1].keys()
    assert all(files[0][name] == files[1][name] for name in files[0])


def contents(path: Path) -> dict[str, bytes]:
    """Bytes of all datasets."""
    found: dict[str, bytes] = {}

    def visit(name: str, item: object) -> None:
        if isinstance(item, h5py.Dataset):
            found[name] = repr((item.shape, item.dtype)).encode() + (
                repr(item[()]).encode() if item.dtype.hasobject else item[()].tobytes()
            )

    with h5py.File(path) as file:
        file.visititems_links(lambda name, _: visit(name, file[name]))
    return found
