"""Two runs and one file, files that vanish, names that are none, limits of memory and files."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys

import pytest
from cases import heap
from command import invoke
from disk_lab import command

import trundle
from trundle.output import part_of, remove_stale_parts
from trundle.record import writer

OTHER = """
import sys, trundle
scene = trundle.Scene()
scene.add(trundle.Sphere(0.1), name="ball", density=1000.0)
trundle.simulate(scene, 0.01, 1e-3, record=sys.argv[1])
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


def test_too_many_open_files_is_a_limit_not_damage(path):
    trundle.simulate(heap(), 0.01, 2e-3, record=path, progress=False)
    for words in (["info", str(path)], ["export", str(path), "--html", str(path.with_suffix(".html"))]):
        assert invoke(words).exit_code == 0  # loads what it needs
        kind, text = command(words, "open files", 0)
        assert (kind, "ulimit -n" in text) == ("exit 4", True), text
