"""Two runs and one file, files that vanish, names that are none, limits of memory and files."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys

import pytest
from cases import heap
from command import invoke
from disk_lab import SCENE, command

import trundle
from trundle.output import part_of, remove_stale_parts
from trundle.record import writer

OTHER = """
import sys, trundle
scene = trundle.Scene()
scene.add(trundle.Sphere(0.1), name="ball", density=1000.0)
trundle.simulate(scene, 0.01, 1e-3, record=sys.argv[1])
"""
LATE = """
import os, resource, sys
from pathlib import Path
import trundle
from trundle import memory_limit
from trundle.cli import main
resource.setrlimit(resource.RLIMIT_AS, [10_000_000_000] * 2)
memory_limit.load_algebra()  # as at the start of a process that has a limit
used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGESIZE")
resource.setrlimit(resource.RLIMIT_AS, [used + int(sys.argv.pop())] * 2)
main()
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.h5"


def test_a_file_that_a_run_writes_to_is_refused_to_others_also_after_it_was_read(path):
    with trundle.Simulation(heap(), 2e-3, record=path) as first:
        first.run(0.02, progress=False)  # reads the file, and closes it again
        trundle.open_recording(path).close()
        with pytest.raises(trundle.RecordingError, match="another run is writing to this file"):
            trundle.Simulation(heap(), 2e-3, record=path)
        with pytest.raises(trundle.RecordingError, match="another run is writing to this file"):
            trundle.resume(path, duration=1.0)
        done = subprocess.run(
            [sys.executable, "-c", OTHER, str(path)], capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode == 1
        assert "another run is writing to this file" in done.stderr
        first.run(0.02, progress=False)
    with trundle.open_recording(path) as recording:
        assert recording.finished
        assert recording.time[-1] == pytest.approx(0.04)
    trundle.resume(path, duration=0.05, progress=False)  # free again


def test_a_recording_that_is_deleted_under_its_run_is_told_at_the_next_commit(path, monkeypatch):
    monkeypatch.setattr(writer, "PATIENCE", 0.0)
    path = path.parent / "folder" / "run.h5"
    path.parent.mkdir()

    def delete(report, state):
        if state.time > 0.02:
            shutil.rmtree(path.parent, ignore_errors=True)

    with pytest.raises(trundle.DiskError, match="deleted or replaced while the run was writing") as caught:
        trundle.simulate(heap(), 0.4, 2e-3, record=path, progress=delete)
    assert caught.value.exit_code == 4
    assert not path.parent.exists()


@pytest.mark.parametrize("name", [".", "/", "..", ""])
def test_exports_to_folders_are_refused(path, name):
    trundle.simulate(heap(), 0.01, 2e-3, record=path, progress=False)
    for option in ("--xyz", "--lammps", "--html"):
        result = invoke(["export", str(path), option, name])
        assert isinstance(result.exception, SystemExit), option
        assert result.exit_code == 2, (option, result.output)
        assert "folder" in result.output or "directory" in result.output, result.output


def test_a_part_of_a_process_with_an_impossible_number_is_left_alone(path):
    part = part_of(path)
    other = part.with_name(part.name.replace(part.name.rsplit("-")[-1], f"{'9' * 30}.part.h5"))
    other.write_text("")
    remove_stale_parts(path)
    assert other.exists()


def test_a_limit_of_memory_that_kernels_do_not_fit_into_is_told_before_anything_is_loaded(path):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (600_000_000, 600_000_000))

    words = [sys.executable, "-m", "trundle.cli", "run", str(path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60, preexec_fn=limit)
    assert done.returncode == 4
    assert "out of memory: a limit of 600 MB" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("room", [1_000_000, 8_000_000, 20_000_000, 60_000_000])
def test_kernels_that_do_not_fit_into_the_rest_of_the_memory_are_an_error_not_an_abort(path, room):
    """LLVM would end the process: it is not called with less than it may take."""
    scene = path.with_name("scene.toml")
    scene.write_text(SCENE)
    words = [sys.executable, "-c", LATE, "run", str(scene), "-o", str(path), "-q", str(room)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 4, done.stderr
    assert "error: out of memory" in done.stderr
    assert "Traceback" not in done.stderr
    assert [file.name for file in path.parent.iterdir()] == ["scene.toml"]


def test_too_many_open_files_is_a_limit_not_damage(path):
    trundle.simulate(heap(), 0.01, 2e-3, record=path, progress=False)
    for words in (["info", str(path)], ["export", str(path), "--html", str(path.with_suffix(".html"))]):
        assert invoke(words).exit_code == 0  # loads what it needs
        kind, text = command(words, "open files", 0)
        assert (kind, "ulimit -n" in text) == ("exit 4", True), text
