"""trundle run, info and export: what they print, what they write, and how they end."""

from __future__ import annotations

import csv
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import h5py
import numpy as np
import pytest
from typer.testing import CliRunner

import trundle
from test_run import assert_same_file
from trundle.cli import app
from trundle.errors import SimulationError, TrundleWarning
from trundle.step.moreau_jean import MoreauJean

SCENE = """
gravity = [0, 0, -9.81]

[simulation]
duration = 0.5
time_step = 0.01
tolerance = 1e-8

[[bodies]]
name = "ball"
shape = "Sphere"
radius = 0.5
density = 2500.0
position = [0, 0, 0.5]
velocity = [2.5, 0, 0]
angular_velocity = [0, 5, 0]
surface = "rock"

[[bodies]]
name = "brick"
shape = "Box"
size = [0.4, 0.3, 0.2]
density = 1000.0
position = [-3, 0, 0.1]
surface = "rock"

[[bodies]]
name = "ground"
shape = "HalfSpace"
fixed = true
surface = "soil"

[[surfaces]]
between = ["rock", "soil"]
law = {name = "Rolling", mu = 0.2, mu_r = 0.04}

[[surfaces]]
between = ["rock", "rock"]
law = {name = "Rolling", mu = 0.2, mu_r = 0.04}
"""


def run(*arguments: object) -> object:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def scene(tmp_path) -> Path:
    path = tmp_path / "ball.toml"
    path.write_text(SCENE)
    return path


@pytest.fixture
def recorded(scene, tmp_path) -> Path:
    assert run("run", scene, "-o", tmp_path / "run.h5", "--quiet").exit_code == 0
    return tmp_path / "run.h5"


def test_run_writes_a_recording_and_a_summary(scene, tmp_path):
    result = run("run", scene, "-o", tmp_path / "run.h5")
    assert result.exit_code == 0, result.output
    for word in (
        "51 frames, finished",
        "50 of 0.01 s",
        "1 Box, 1 HalfSpace, 1 Sphere",
        "lost by rolling",
        "at the end",
    ):
        assert word in result.stdout
    assert result.stderr == ""  # no terminal, no noise
    with trundle.open_recording(tmp_path / "run.h5") as recording:
        direct = trundle.simulate(*trundle.load_scene(scene)[:1], 0.5, 0.01, tolerance=1e-8)
        np.testing.assert_array_equal(recording.position("ball"), direct.position("ball"))


def test_quiet_is_quiet_and_json_is_json(scene, tmp_path):
    result = run("run", scene, "-o", tmp_path / "run.h5", "--quiet")
    assert (result.exit_code, result.output) == (0, "")
    numbers = json.loads(run("run", scene, "-o", tmp_path / "run.h5", "--json", "--force").stdout)
    assert numbers["steps"] == 50
    assert numbers["finished"]
    assert numbers["warnings"] == []
    energy = numbers["energy"]
    assert abs(energy["unexplained"]) < 1e-12 * energy["start"]
    assert energy["rolling"] > 0.0


def test_options_of_the_command_win_over_those_of_the_file(scene, tmp_path):
    arguments = ("--duration", 0.2, "--time-step", 0.02, "--theta", 1, "--formulation", "relaxed", "--every", 5)
    assert run("run", scene, "-o", tmp_path / "run.h5", *arguments).exit_code == 0
    with trundle.open_recording(tmp_path / "run.h5") as recording:
        assert recording.options["formulation"] == "relaxed"
        assert recording.options["theta"] == 1.0
        np.testing.assert_allclose(recording.time, [0.0, 0.1, 0.2])


def test_without_a_name_the_recording_is_called_as_the_scene(scene, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("run", scene, "-q").exit_code == 0
    assert (tmp_path / "ball.h5").is_file()


def test_resume_goes_on_to_the_same_bits(scene, tmp_path):
    whole, parts = tmp_path / "whole.h5", tmp_path / "parts.h5"
    assert run("run", scene, "-o", whole, "--duration", 0.8, "-q").exit_code == 0
    assert run("run", scene, "-o", parts, "-q").exit_code == 0
    result = run("run", "--resume", parts, "--duration", 0.8)
    assert result.exit_code == 0, result.output
    assert_same_file(whole, parts)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Give a scene file, or --resume"),
        (["SCENE", "--resume", "RUN"], "one of them"),
        (["--resume", "RUN", "-o", "other.h5"], "leave out -o"),
        (["--resume", "RUN"], "is finished at t = 0.5 s"),
        (["--resume", "RUN", "--time-step", "1e-3"], "--time-step belongs to a new run"),
        (["--resume", "SCENE"], "is not an HDF5 file"),
        (["--resume", "missing.h5"], "No such file"),
        (["missing.toml"], "there is no such file"),
        (["SCENE", "-o", "SCENE"], "is not an HDF5 file"),
        (["SCENE", "-o", "no/such/folder.h5"], "there is no folder"),
        (["SCENE", "--duration", "-1"], "must be a positive number"),
        (["SCENE", "--every", "2", "--fps", "10"], "not both"),
        (["SCENE", "--threads", "0"], "error: simulate: threads = 0 must be a whole number between 1"),
        (["."], ". is a folder: give a scene file"),
    ],
)
def test_bad_input_is_said_in_one_message(recorded, scene, arguments, message):
    words = {"SCENE": scene, "RUN": recorded}
    result = run("run", *(words.get(word, word) for word in arguments))
    assert result.exit_code == 2
    assert message in result.stderr.replace("\n", " ")
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("duration = -0.5", "duration = -0.5 must be a positive number"),
        ("theta = 0", "theta = 0.0 must be a positive number"),
        ("theta = 2", "theta = 2.0 must lie between 0.5 and 1"),
        ("tolerance = 0", "tolerance = 0.0 must be a positive number"),
        ("tolerance = 1", "tolerance = 1.0 must be less than 1"),
        ("max_iterations = 0", "max_iterations = 0 must be a whole number >= 1"),
        ("threads = 0", "threads = 0 must be a whole number"),
        ("every = 0", "every = 0 must be a whole number >= 1"),
        ("every = 2\nframes_per_second = 10", "every = 2 and frames_per_second = 10.0: give one of them"),
        ("frames_per_second = 0", "frames_per_second = 0.0 must be a positive number"),
        ('scheme = "moreau-jeans"', "unknown scheme 'moreau-jeans'"),
        ('scheme = "moreau-midpoint"\ntheta = 1', "scheme = 'moreau-midpoint' is for theta = 0.5"),
    ],
)
def test_check_and_run_refuse_the_same_options_and_tell_their_line(tmp_path, options, message):
    path = tmp_path / "scene.toml"
    others = {"duration": "duration = 0.5\n", "time_step": "time_step = 0.01\n"}
    kept = "".join(line for name, line in others.items() if not options.startswith(name))
    path.write_text(f"[simulation]\n{options}\n{kept}" + SCENE[SCENE.index("[[bodies]]") :])
    for result in (run("check", path), run("run", path, "-o", tmp_path / "run.h5")):
        assert result.exit_code == 2, result.output
        assert f"error: {path}, line 2, [simulation]: {message}" in result.stderr


def test_check_refuses_what_the_formulation_cannot_do(scene, tmp_path):
    scene.write_text(SCENE.replace("tolerance = 1e-8", 'formulation = "history"'))
    for result in (run("check", scene), run("run", scene, "-o", tmp_path / "run.h5")):
        assert result.exit_code == 2, result.output
        assert f"{scene}, line 37, [[surfaces]]: surfaces 'rock' and 'rock': formulation=\"history\"" in result.stderr


def test_the_file_is_not_blamed_for_options_of_the_command(scene, tmp_path):
    scene.write_text(SCENE.replace("tolerance = 1e-8", "theta = 0"))
    assert run("run", scene, "-o", tmp_path / "run.h5", "--theta", 1, "-q").exit_code == 0
    result = run("run", scene, "-o", tmp_path / "run.h5", "--theta", 2, "--force")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: simulate: theta = 2.0 must lie between")


def test_check_says_what_a_file_without_simulation_leaves_to_run(tmp_path):
    path = tmp_path / "scene.toml"
    path.write_text(SCENE[SCENE.index("[[bodies]]") :])
    result = run("check", path)
    assert result.exit_code == 0, result.output
    assert "duration and time_step are not in the file: give them to `trundle run`" in result.stdout
    assert json.loads(run("check", path, "--json").stdout)["missing"] == ["duration", "time_step"]


def test_more_threads_than_cores_are_as_many_as_there_are(scene, tmp_path):
    many, one = tmp_path / "many.h5", tmp_path / "one.h5"
    result = run("run", scene, "-o", many, "--threads", 100_000, "-q")
    assert result.exit_code == 0, result.output
    assert run("run", scene, "-o", one, "--threads", 1, "-q").exit_code == 0
    assert_same_file(many, one)
    trundle.resume(many, duration=0.6, threads=100_000)


def test_a_duration_that_is_no_whole_number_of_steps_is_a_warning(scene, tmp_path):
    loaded, _ = trundle.load_scene(scene)
    with pytest.warns(
        TrundleWarning, match=r"1.324503: 0.0151 s are simulated instead. time_step = 0.01 would"
    ) as told:
        trundle.simulate(loaded, 0.02, 0.0151)
    assert told[0].filename == __file__
    path = tmp_path / "run.h5"
    with pytest.warns(TrundleWarning, match="0.03 s are simulated instead"):
        trundle.simulate(loaded, 0.034, 0.01, record=path)
    with pytest.warns(TrundleWarning, match="0.05 s are simulated instead"):
        trundle.resume(path, duration=0.052)
    with warnings.catch_warnings():
        warnings.simplefilter("error", TrundleWarning)
        trundle.simulate(loaded, 0.07, 0.01)  # 0.07 / 0.01 = 7.000000000000001
    scene.write_text(SCENE.replace("time_step = 0.01", "time_step = 0.03"))
    assert "are simulated instead" in run("check", scene).stdout.replace("\n", " ")
    assert "are simulated instead" in run("run", scene, "-o", path, "--force").stderr.replace("\n", " ")


def test_a_scene_without_duration_says_what_to_do(tmp_path):
    path = tmp_path / "scene.toml"
    path.write_text(SCENE.replace("duration = 0.5\n", ""))
    result = run("run", path, "-o", tmp_path / "run.h5")
    assert result.exit_code == 2
    assert "--duration SECONDS" in result.stderr.replace("\n", " ")


def test_an_unfinished_run_is_not_replaced_by_accident(scene, tmp_path, monkeypatch):
    path, advance = tmp_path / "run.h5", MoreauJean.advance

    def fails(self, state, h, steps):
        if state.time > 0.2:
            raise SimulationError("velocities are no longer finite.")
        return advance(self, state, h, 1)

    monkeypatch.setattr(MoreauJean, "advance", fails)
    result = run("run", scene, "-o", path)
    assert result.exit_code == 1
    assert "step 22, t = 0.21 s: velocities are no longer finite." in result.stderr
    monkeypatch.undo()
    result = run("run", scene, "-o", path)
    assert result.exit_code == 2
    assert "--force" in result.stderr
    with trundle.open_recording(path) as recording:
        assert len(recording.steps) == 21
    assert run("run", scene, "-o", path, "--force").exit_code == 0


def in_a_terminal(arguments: list[object], until: str) -> tuple[int, str]:
    """Run in a terminal, press Ctrl-C when a text appears; returns exit code and what was shown."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update({"COLUMNS": "120", "TERM": "xterm"})
        os.execv(sys.executable, [sys.executable, "-m", "trundle.cli", *map(str, arguments)])
    shown, pressed, deadline = b"", False, time.monotonic() + 120.0
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                break
            if not data:
                break
            shown += data
        if not pressed and until.encode() in shown:
            os.write(terminal, b"\x03")
            pressed = True
    else:
        os.kill(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(terminal)
    return code, shown.decode(errors="replace")


def test_progress_is_shown_and_ctrl_c_ends_cleanly(scene, tmp_path):
    path = tmp_path / "run.h5"
    # a residual is shown where it is more than rounding, which it is not for bodies at rest
    code, shown = in_a_terminal(["run", scene, "-o", path, "--duration", 10_000], until="contacts")
    assert code == 130, shown
    for word in ("of 10000 s", "contacts", "energy", f"trundle run --resume {path}"):
        assert word in shown.replace("\r\n", "")
    with trundle.open_recording(path) as recording:
        assert not recording.finished
        assert recording.time[-1] == recording.steps["time"][-1] > 0.0


def test_a_killed_command_leaves_a_recording_that_can_be_resumed(scene, tmp_path):
    path, whole = tmp_path / "run.h5", tmp_path / "whole.h5"
    command = [sys.executable, "-m", "trundle.cli", "run", str(scene), "-o", str(path), "--duration", "1000", "-q"]
    child = subprocess.Popen(command)
    deadline = time.monotonic() + 60.0
    while time.monotonic() < deadline:
        time.sleep(0.02)
        if path.exists():
            with h5py.File(path) as file:  # at any moment
                if file["VTKHDF/Steps"].attrs["NSteps"] > 20:
                    break
    child.kill()
    child.wait()
    with trundle.open_recording(path) as recording:
        reached = float(recording.time[-1])
    end = round(reached + 0.2, 2)
    assert run("run", "--resume", path, "--duration", end, "-q").exit_code == 0
    assert run("run", scene, "-o", whole, "--duration", end, "-q").exit_code == 0
    assert_same_file(whole, path)


def test_info_tells_what_is_inside(recorded):
    result = run("info", recorded)
    assert result.exit_code == 0
    for word in ("51 frames, finished", "3 (1 Box, 1 HalfSpace, 1 Sphere)", "lost by rolling", "numba", "theta = 0.5"):
        assert word in result.stdout
    assert json.loads(run("info", recorded, "--json").stdout)["frames"] == 51
    assert run("info", recorded.parent / "no.h5").exit_code == 2


def test_the_scene_of_a_recording_runs_again_to_the_same_bits(recorded, tmp_path):
    again = tmp_path / "again.toml"
    again.write_text(run("info", recorded, "--scene").stdout)
    assert run("run", again, "-o", tmp_path / "again.h5", "-q").exit_code == 0
    assert_same_file(recorded, tmp_path / "again.h5")


def test_export_to_lammps_dump(recorded, tmp_path):
    assert run("export", recorded, "--lammps", tmp_path / "run.dump").exit_code == 0
    lines = (tmp_path / "run.dump").read_text().splitlines()
    heads = [i for i, line in enumerate(lines) if line.startswith("ITEM: ATOMS")]
    assert len(heads) == 51
    assert lines.count("ITEM: UNITS") == 1  # once: OVITO stops at a second one
    names = lines[heads[-1]].split()[2:]
    ball = dict(zip(names, map(float, lines[heads[-1] + 1].split()), strict=True))
    with trundle.open_recording(recorded) as recording:
        assert ball["x"] == pytest.approx(recording.position("ball")[-1, 0], rel=1e-11)
        assert ball["omegay"] == pytest.approx(recording.angular_velocity("ball")[-1, 1], rel=1e-11)
        assert ball["quatw"] == pytest.approx(recording.orientation("ball")[-1, 0], rel=1e-11)
    assert ball["radius"] == 0.5
    brick = dict(zip(names, map(float, lines[heads[-1] + 2].split()), strict=True))
    assert [brick["shapex"], brick["shapey"], brick["shapez"]] == [0.4, 0.3, 0.2]  # diameters, as LAMMPS has them
    assert lines[heads[-1] - 5] == "2"  # the half-space is no particle


def test_export_to_extended_xyz(recorded, tmp_path):
    assert run("export", recorded, "--xyz", tmp_path / "run.xyz").exit_code == 0
    lines = (tmp_path / "run.xyz").read_text().splitlines()
    assert len(lines) == 51 * 4
    assert lines[-4] == "2"
    assert "Properties=species:S:1:pos:R:3" in lines[-3]
    name, *values = lines[-2].split()
    assert name == "rock"
    with trundle.open_recording(recorded) as recording:
        np.testing.assert_allclose(np.array(values[:3], float), recording.position("ball")[-1], rtol=1e-11)
        quaternion = np.array(values[10:14], float)  # x, y, z, w
        np.testing.assert_allclose(np.roll(quaternion, 1), recording.orientation("ball")[-1], rtol=1e-11)


def test_export_to_csv(recorded, tmp_path):
    assert run("export", recorded, "--csv", tmp_path / "tables").exit_code == 0
    with trundle.open_recording(recorded) as recording:
        for name, count in (("bodies", 3), ("steps", 50), ("energy", 50), ("frames", 153)):
            with open(tmp_path / "tables" / f"{name}.csv", newline="") as stream:
                assert len(list(csv.DictReader(stream))) == count
        with open(tmp_path / "tables" / "contacts.csv", newline="") as stream:
            rows = list(csv.DictReader(stream))
        assert len(rows) == sum(len(recording.contacts(k)) for k in range(51))
        last = recording.contacts(50)
        assert float(rows[-1]["impulse_n"]) == last.impulse[-1, 0]
        assert rows[-1]["mode"] == last.mode[-1]
        assert [float(rows[-1][f"t1_{x}"]) for x in "xyz"] == last.frame[-1, 1].tolist()


def test_export_says_what_it_can_do(recorded, tmp_path):
    result = run("export", recorded)
    assert result.exit_code == 2
    assert "--lammps" in result.stderr
    assert run("export", recorded, "--xyz", tmp_path / "no" / "folder.xyz").exit_code == 2


@pytest.mark.parametrize("option", ["--lammps", "--xyz", "--html", "--png"])
def test_a_recording_is_not_replaced_by_what_is_made_of_it(recorded, option):
    before = recorded.read_bytes()
    result = run("export", recorded, option, recorded)
    assert result.exit_code == 2
    assert "is the recording itself" in result.stderr
    assert recorded.read_bytes() == before


def test_a_run_that_is_going_on_is_not_replaced_even_by_force(recorded, scene):
    # another process holds the lock of a run
    hold = (
        "import sys; from trundle.record.store import StoreFile\n"
        f"file = StoreFile({str(recorded)!r}, 'r+'); print(file.lock(), flush=True); sys.stdin.read()\n"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", hold], **pipes) as other:
        assert other.stdout.readline() == "True\n"
        result = run("run", scene, "-o", recorded, "--force")
        other.stdin.close()
    assert result.exit_code == 2
    assert "another run is writing to this file" in result.stderr
    assert run("run", scene, "-o", recorded, "--force").exit_code == 0


# --- solvers, conditions, problems ------------------------------------------------------------------------------


def test_a_run_with_another_solver_says_so_and_resumes_with_it(scene, tmp_path):
    path, whole = tmp_path / "run.h5", tmp_path / "whole.h5"
    assert run("run", scene, "-o", whole, "--solver", "newton", "-q").exit_code == 0
    assert run("run", scene, "-o", path, "--solver", "newton", "--duration", 0.2, "-q").exit_code == 0
    assert run("run", "--resume", path, "--duration", 0.5, "-q").exit_code == 0
    assert_same_file(whole, path)
    assert "exact, newton" in run("info", path).output
    wrong = run("run", scene, "-o", path, "--solver", "newtn", "--force")
    assert wrong.exit_code == 2
    assert "Did you mean 'newton'?" in wrong.output


def test_a_run_stops_at_rest_and_goes_on_if_asked(scene, tmp_path):
    path = tmp_path / "run.h5"
    done = run("run", scene, "-o", path, "--duration", 60, "--stop", "at rest 0.2")
    assert done.exit_code == 0
    assert "stopped: at rest for 0.2 s at t = " in done.output
    with trundle.open_recording(path) as recording:
        assert recording.finished
        reached = recording.time[-1]
    assert 1.0 < reached < 30.0
    assert run("run", "--resume", path, "--duration", round(reached + 0.1, 2), "-q").exit_code == 0
    bad = run("run", scene, "-o", path, "--stop", "now", "--force")
    assert bad.exit_code == 2
    assert "say 'at rest SECONDS'" in bad.output


def test_saved_problems_are_those_that_the_condition_chooses(scene, tmp_path):
    folder, path = tmp_path / "hard", tmp_path / "run.h5"
    assert run("run", scene, "-o", path, "-q", "--save-problems", folder, "--when", "time > 0.45").exit_code == 0
    assert [file.name for file in sorted(folder.iterdir())] == [f"step-{k:06d}.hdf5" for k in range(45, 50)]
    solved = run("solve", folder / "step-000049.hdf5", "--json")
    assert solved.exit_code == 0
    for given, message in (
        (["--when", "time > 1"], "--save-problems DIR"),
        (["--save-problems", folder, "--when", "open('x')"], "is not understood"),
    ):
        wrong = run("run", scene, "-o", path, "--force", *given)
        assert wrong.exit_code == 2
        assert message in wrong.output


def test_info_of_history_shows_no_residual(tmp_path):
    scene = trundle.Scene(gravity=(0, 0, -9.81))
    scene.add(trundle.Sphere(0.1), name="ball", mass=1.0, position=(0, 0, 0.1))
    scene.add(trundle.HalfSpace(), name="ground", fixed=True)
    scene.surface("default", "default", law=trundle.laws.Coulomb(0.3), material=trundle.Hooke(stiffness=1e5))
    trundle.simulate(scene, 0.01, 1e-4, formulation="history", record=tmp_path / "run.h5")
    shown = run("info", tmp_path / "run.h5").output
    assert "history" in shown
    facts = json.loads(run("info", tmp_path / "run.h5", "--json").output)
    for word in ("residual", "theta", "tolerance", "iterations", "solver"):
        assert word not in shown
        assert word not in run("info", tmp_path / "run.h5", "--scene").output
        assert not [name for name in (*facts, *facts["options"]) if word in name]
