"""Runs: recorded or not, ended early, killed, resumed; the same bits in all cases."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import h5py
import numba
import numpy as np
import pytest

import trundle
from trundle import laws
from trundle.contact import grains
from trundle.detect.kernels import stages
from trundle.errors import RecordingError, SceneError, SimulationError, TrundleWarning
from trundle.run.loop import Loop
from trundle.step.moreau_jean import MoreauJean

OPTIONS = {"theta": 1.0, "tolerance": 1e-6}
H = 5e-3
D = 0.045


def pile(side: int = 3, emitted: int = 0) -> trundle.Scene:
    scene = trundle.Scene()
    rng = np.random.default_rng(2)
    law = laws.SlideRollSpin(mu=0.6, mu_r=0.01, mu_s=0.01)
    if emitted:  # before the others: a scene file puts them last
        region = trundle.BoxRegion((0, 0, 0.3), (0.2, 0.2, 0.4))
        scene.emit(
            trundle.Sphere(D / 2), rate=100.0, count=emitted, region=region, density=2500.0, surface="rock", seed=3
        )
    for i in np.ndindex(side, side, side):
        where = (np.array(i) + 0.1 * rng.random(3)) * 1.2 * D + [0, 0, D]
        scene.add(trundle.Sphere(D / 2), density=2500.0, position=where, surface="rock")
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="rock")
    scene.surface("rock", "rock", law=law)
    return scene


def contents(path: Path) -> dict[str, bytes]:
    """Shape, type and bytes of all datasets."""
    found: dict[str, bytes] = {}

    def visit(name: str, _: object) -> None:
        item = file[name]
        if isinstance(item, h5py.Dataset) and name != "provenance":  # tells when, and how often it was continued
            data = item[()]
            found[name] = repr((item.shape, item.dtype)).encode()
            found[name] += repr(data).encode() if item.dtype.hasobject else data.tobytes()

    with h5py.File(path) as file:
        file.visititems_links(visit)
    return found


def assert_same_file(one: Path, other: Path) -> None:
    a, b = contents(one), contents(other)
    assert a.keys() == b.keys()
    assert [name for name in a if a[name] != b[name]] == []


def stop_after(steps: int):
    """A progress callback that does what Ctrl-C does."""
    left = [steps]

    def progress(report, state):
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    return progress


def test_a_recorded_run_answers_as_one_in_memory(tmp_path):
    plain = trundle.simulate(pile(), 0.3, H, **OPTIONS)
    recorded = trundle.simulate(pile(), 0.3, H, **OPTIONS, record=tmp_path / "run.h5")
    read = trundle.open_recording(tmp_path / "run.h5")
    for run in (recorded, read):
        np.testing.assert_array_equal(run.time, plain.time)
        np.testing.assert_array_equal(run.energy, plain.energy)
        np.testing.assert_array_equal(run.steps, plain.steps)
        assert tuple(run.names) == plain.names
        for question in ("position", "velocity", "angular_velocity", "orientation"):
            np.testing.assert_array_equal(getattr(run, question)("body7"), getattr(plain, question)("body7"))
        for name in ("body", "position", "velocity", "radius"):
            np.testing.assert_array_equal(getattr(run.frame(-1), name), getattr(plain.frame(-1), name))
    assert plain.time[0] == 0.0
    assert len(plain.time) == 61
    assert read.finished


def test_a_run_twice_gives_the_same_file(tmp_path):
    for name in ("a.h5", "b.h5"):
        trundle.simulate(pile(emitted=10), 0.2, H, **OPTIONS, record=tmp_path / name)
    assert_same_file(tmp_path / "a.h5", tmp_path / "b.h5")


@pytest.mark.parametrize("every", [1, 7])
def test_interrupted_and_resumed_is_the_same_as_never_interrupted(tmp_path, every):
    whole, parts = tmp_path / "whole.h5", tmp_path / "parts.h5"
    trundle.simulate(pile(emitted=10), 0.3, H, **OPTIONS, record=whole, every=every)
    with pytest.warns(TrundleWarning, match=r"interrupted at t = 0.085 s of 0.3 s. Continue it with trundle.resume"):
        run = trundle.simulate(pile(emitted=10), 0.3, H, **OPTIONS, record=parts, every=every, progress=stop_after(17))
    assert run.interrupted
    assert run.time[-1] == run.final.time == pytest.approx(17 * H)  # the last step is a frame
    assert len(run.steps) == 17
    with pytest.warns(TrundleWarning, match="interrupted"):
        trundle.resume(parts, progress=stop_after(20))
    run = trundle.resume(parts)
    assert not run.interrupted
    assert len(run.steps) == 60
    assert_same_file(whole, parts)


@pytest.mark.parametrize("every", [1, 7])
def test_a_finished_run_goes_on_to_a_longer_duration(tmp_path, every):
    whole, parts = tmp_path / "whole.h5", tmp_path / "parts.h5"
    one = trundle.simulate(pile(), 0.3, H, **OPTIONS, record=whole, every=every)
    trundle.simulate(pile(), 0.1, H, **OPTIONS, record=parts, every=every)
    with pytest.raises(RecordingError, match=r"is finished at t = 0.1 s.*longer duration"):
        trundle.resume(parts)
    with pytest.raises(RecordingError, match=r"longer duration"):
        trundle.resume(parts, duration=0.05)
    other = trundle.resume(parts, duration=0.3)
    np.testing.assert_array_equal(one.final.position, other.final.position)
    assert_same_file(whole, parts)


@pytest.mark.parametrize("formulation", ["relaxed", "compliant", "history"])
def test_every_formulation_resumes_to_the_same_bits(tmp_path, formulation):
    def scene():
        given = pile(side=2)
        if formulation != "relaxed":
            given.surface("rock", "rock", law=laws.SlideRollSpin(0.6, 0.01, 0.01), **springs)
        return given

    springs = {"stiffness": 1e5}
    if formulation == "history":
        from trundle.scene.materials import Hooke

        springs = {"material": Hooke(stiffness=1e5, damping=10.0)}
    step = 1e-4 if formulation == "history" else H
    options = {**OPTIONS, "formulation": formulation, "every": 5}
    if formulation == "history":  # which has no theta
        del options["theta"]
    trundle.simulate(scene(), 40 * step, step, **options, record=tmp_path / "whole.h5")
    with pytest.warns(TrundleWarning, match="interrupted"):
        trundle.simulate(scene(), 40 * step, step, **options, record=tmp_path / "parts.h5", progress=stop_after(23))
    trundle.resume(tmp_path / "parts.h5")
    assert_same_file(tmp_path / "whole.h5", tmp_path / "parts.h5")


KILLED = """
import sys; sys.path.insert(0, sys.argv[2])
import test_run, trundle.record.writer
trundle.record.writer.PATIENCE = 0.0
trundle.record.writer.SHARE = 1.0
trundle.simulate(test_run.pile(emitted=10), 60.0, test_run.H, **test_run.OPTIONS, record=sys.argv[1], every=3)
"""


def test_killed_and_resumed_is_the_same_as_never_killed(tmp_path):
    whole, parts = tmp_path / "whole.h5", tmp_path / "parts.h5"
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(parts), str(Path(__file__).parent)])
    deadline = time.monotonic() + 60.0
    while not parts.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.3)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    with trundle.open_recording(parts) as run:
        assert not run.finished
        reached = run.time[-1]
    assert reached < 60.0
    trundle.resume(parts, duration=max(0.3, reached + 0.1))
    trundle.simulate(pile(emitted=10), max(0.3, reached + 0.1), H, **OPTIONS, record=whole, every=3)
    assert_same_file(whole, parts)


def test_a_recording_appears_with_its_first_frame_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "run.h5"
    seen = []
    begin = Loop.begin
    monkeypatch.setattr(Loop, "begin", lambda self: (begin(self), seen.append(path.exists()))[0])
    trundle.simulate(pile(side=1), 0.05, H, record=path)
    assert seen == [False]
    monkeypatch.setattr(Loop, "begin", lambda self: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        trundle.simulate(pile(side=1), 0.05, H, record=tmp_path / "other.h5")
    assert [file.name for file in tmp_path.iterdir()] == ["run.h5"]


def test_a_step_that_fails_leaves_a_recording_up_to_it(tmp_path, monkeypatch):
    path, advance, count = tmp_path / "run.h5", MoreauJean.advance, [0]

    def fails(self, state, h, steps):
        count[0] += 1
        if count[0] == 24:
            state.velocity[:] = np.nan
            raise SimulationError("velocities are no longer finite.")
        return advance(self, state, h, 1)

    monkeypatch.setattr(MoreauJean, "advance", fails)
    with pytest.raises(SimulationError, match=r"step 24, t = 0.115 s: velocities are no longer finite"):
        trundle.simulate(pile(), 0.3, H, **OPTIONS, record=path, every=10)
    with trundle.open_recording(path) as run:
        assert not run.finished
        assert len(run.steps) == 23
        np.testing.assert_allclose(run.time, [0.0, 0.05, 0.1, 0.115])
        assert np.isfinite(run.frame(-1).velocity).all()
    count[0] = 23
    with pytest.raises(SimulationError, match="no longer finite"):  # at once: the checkpoint is not lost by that
        trundle.resume(path)
    monkeypatch.undo()
    trundle.resume(path)
    trundle.simulate(pile(), 0.3, H, **OPTIONS, record=tmp_path / "whole.h5", every=10)
    assert_same_file(tmp_path / "whole.h5", path)


def test_ctrl_c_ends_after_the_step_that_is_going_on(tmp_path):
    def progress(report, state):
        if state.time > 0.05:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.warns(TrundleWarning, match="interrupted"):
        run = trundle.simulate(pile(), 10.0, H, **OPTIONS, progress=progress)
    assert run.interrupted
    assert run.final.time == pytest.approx(0.055)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_second_ctrl_c_does_not_wait(tmp_path, monkeypatch):
    advance = MoreauJean.advance

    def slow(self, state, h, steps):
        if state.time > 0.05:
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5.0)
        return advance(self, state, h, 1)

    monkeypatch.setattr(MoreauJean, "advance", slow)
    with pytest.raises(KeyboardInterrupt):
        trundle.simulate(pile(), 10.0, H, **OPTIONS, record=tmp_path / "run.h5")
    with trundle.open_recording(tmp_path / "run.h5") as run:
        assert len(run.steps) == 11


def test_the_ledger_closes_to_round_off():
    run = trundle.simulate(pile(emitted=20), 0.5, H, **OPTIONS)
    energy = run.energy
    total = energy["kinetic"] + energy["potential"] + energy["elastic"]
    losses = sum(energy[name] for name in ("sliding", "rolling", "spinning", "impact", "joints", "numerical"))
    change = np.diff(total) - (energy["external"] + energy["poured"] - losses)[1:]
    scale = np.abs(total).max() + np.abs(energy["kinetic"]).max()
    assert np.abs(change).max() < 100 * np.finfo(float).eps * scale
    assert energy["poured"].sum() > 0.0
    assert energy["impact"].sum() > 0.0


def test_poured_bodies_appear_in_the_recording(tmp_path):
    run = trundle.simulate(pile(side=2, emitted=20), 0.4, H, **OPTIONS, record=tmp_path / "run.h5")
    sizes = [len(run.frame(k)) for k in range(run.frame_count)]
    assert sizes[0] == 8 + 1 + 1  # the first is due at once
    assert sizes[-1] == 8 + 1 + 20
    assert sizes == sorted(sizes)
    late = run.position("emitter0.15")
    first = int(np.argmax(np.isfinite(late[:, 0])))
    assert run.time[first] == pytest.approx(15 / 100.0, abs=2 * H)
    assert np.isnan(late[:first]).all()


def test_another_seed_pours_other_bodies(tmp_path):
    one, other, again = (
        trundle.simulate(pile(side=2, emitted=5), 0.1, H, **OPTIONS, seed=seed).final.position for seed in (1, 2, 1)
    )
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one, other)


def test_modes_of_a_ball_that_slides_then_rolls_then_rests(tmp_path):
    scene = trundle.Scene()
    scene.add(
        trundle.Sphere(0.5), name="ball", density=2500.0, position=(0, 0, 0.5), velocity=(2.5, 0, 0), surface="rock"
    )
    scene.add(trundle.HalfSpace(), fixed=True, surface="soil")
    scene.surface("rock", "soil", law=laws.Rolling(mu=0.2, mu_r=0.04))
    trundle.simulate(scene, 6.0, 1e-2, tolerance=1e-10, record=tmp_path / "run.h5")
    with trundle.open_recording(tmp_path / "run.h5") as run:
        modes = [run.contacts(k).mode for k in range(1, run.frame_count)]
    assert all(len(mode) == 1 for mode in modes)
    order = list(dict.fromkeys(str(mode[0]) for mode in modes))
    assert order == ["sliding+rolling", "rolling", "sticking"]


@pytest.mark.parametrize("formulation", ["exact", "relaxed"])
def test_contacts_in_the_file_are_those_of_the_steps(tmp_path, formulation):
    """Not those of a later step: what a stepper uses again must have been copied."""
    seen = []

    def progress(report, state):
        contacts = report.contacts
        given = (contacts.body, contacts.point, contacts.frame, contacts.gap, report.impulse, report.velocity)
        seen.append([array.copy() for array in (*given, state.position, state.velocity)])

    options = {**OPTIONS, "formulation": formulation, "record": tmp_path / "run.h5"}
    run = trundle.simulate(pile(), 0.3, H, **options, progress=progress)
    with trundle.open_recording(tmp_path / "run.h5") as read:
        for k, expected in enumerate(seen):
            contacts, frame = read.contacts(k + 1), read.frame(k + 1)
            found = (contacts.body, contacts.point, contacts.frame, contacts.gap, contacts.impulse, contacts.velocity)
            for one, other in zip((*found, frame.position, frame.velocity), expected, strict=True):
                np.testing.assert_array_equal(one, other)
    trundle.simulate(pile(), 0.3, H, **{**options, "record": tmp_path / "leaps.h5"})
    assert_same_file(tmp_path / "run.h5", tmp_path / "leaps.h5")
    assert max(run.steps["contacts"]) > 10


def test_frames_as_many_as_wanted():
    scene = pile(side=2)
    assert len(trundle.simulate(scene, 0.2, H, **OPTIONS, every=4).time) == 11
    assert len(trundle.simulate(scene, 0.2, H, **OPTIONS, every=7).time) == 7  # 0, 7, ... 35, and the last, 40
    assert len(trundle.simulate(scene, 0.2, H, **OPTIONS, frames_per_second=50).time) == 11
    for wrong, message in (
        ({"every": 0}, "every = 0"), ({"every": 1.5}, "every = 1.5"), ({"frames_per_second": -1}, "positive"),
        ({"every": 2, "frames_per_second": 10}, "not both"),
    ):  # fmt: skip
        with pytest.raises(SceneError, match=message):
            trundle.simulate(scene, 0.2, H, **wrong)


def test_large_scenes_keep_fifty_frames_a_second():
    from trundle.run.options import _every

    assert _every(None, None, 1e-3, 2) == 1
    assert _every(None, None, 5e-3, 1_000) == 4
    assert _every(None, None, 5e-3, 10_000) == 4
    assert _every(None, None, 0.1, 100_000) == 1


def test_what_went_wrong_is_collected():
    with pytest.warns(TrundleWarning) as caught:
        run = trundle.simulate(pile(), 0.2, H, theta=1.0, tolerance=1e-14, max_iterations=1)
    assert len(run.warnings) == len(caught) >= 1
    assert "steps missed the tolerance 1.0e-14; the worst, at t = " in run.warnings[0]


def test_bodies_that_got_into_each_other_are_reported(monkeypatch):
    """A stepper that forgets the contacts lets bodies fall through the ground."""
    inside = Loop._advance

    def sink(self, steps):
        rows = inside(self, steps)
        self.state.position[:-1, 2] -= 0.002
        return rows

    monkeypatch.setattr(Loop, "_advance", sink)
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        run = trundle.simulate(pile(), 0.4, H, **OPTIONS)
    assert any("overlap in" in text and "'ground'" in text for text in run.warnings)


def test_bodies_that_passed_through_each_other_are_reported(monkeypatch):
    """A stepper that finds no contacts lets a fast ball fly through a thin plate."""
    scene = trundle.Scene(gravity=(0, 0, 0))
    scene.add(trundle.Sphere(0.05), name="ball", density=1000.0, position=(0, 0, 1), velocity=(0, 0, -21))
    scene.add(trundle.Box((1, 1, 0.02)), name="plate", fixed=True)
    scene.surface("default", "default", law=laws.Coulomb(0.3))
    with pytest.warns(TrundleWarning, match="may jump over thin bodies"):
        stopped = trundle.simulate(scene, 0.2, 0.01)
    assert len(stopped.warnings) == 1  # that of the start
    assert stopped.position("ball")[-1, 2] > 0.0
    of_step = MoreauJean._stages
    monkeypatch.setattr(MoreauJean, "_stages", lambda self: [s for s in of_step(self) if s is not stages.touch_balls])
    with pytest.warns(TrundleWarning, match=r"'ball' and 'plate' passed through each other at t = 0.05"):
        trundle.simulate(scene, 0.2, 0.01)


def test_files_that_cannot_be_written_are_said_before_the_run(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    for record, message in (
        (tmp_path / "no" / "run.h5", "there is no folder"), (tmp_path, "is a folder"),
        (tmp_path / "notes.txt", "no recording, and is not replaced"),
    ):  # fmt: skip
        with pytest.raises(RecordingError, match=message):
            trundle.simulate(pile(side=1), 0.1, H, record=record)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_scene_with_functions_is_resumed_with_the_scene(tmp_path):
    def scene():
        given = trundle.Scene()
        given.add(trundle.Sphere(0.1), name="ball", density=1000.0, position=(0, 0, 1))
        given.load("ball", force=lambda t: (np.sin(t), 0.0, 0.0))
        return given

    with pytest.warns(TrundleWarning, match="interrupted"):
        trundle.simulate(scene(), 0.2, 0.01, record=tmp_path / "parts.h5", progress=stop_after(7))
    with pytest.raises(RecordingError, match="Give the scene that it was made with"):
        trundle.resume(tmp_path / "parts.h5")
    with pytest.raises(RecordingError, match="was made with another scene"):
        trundle.resume(tmp_path / "parts.h5", scene=pile(side=1))
    heavier = scene()
    heavier.bodies[0].mass *= 2.0
    with pytest.raises(RecordingError, match=r"another scene; they differ in 'mass = .*Simulate the new scene"):
        trundle.resume(tmp_path / "parts.h5", scene=heavier)
    trundle.resume(tmp_path / "parts.h5", scene=scene())
    trundle.simulate(scene(), 0.2, 0.01, record=tmp_path / "whole.h5")
    assert_same_file(tmp_path / "whole.h5", tmp_path / "parts.h5")


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads")
def test_threads_change_neither_the_result_nor_what_comes_after(tmp_path, monkeypatch):
    monkeypatch.setattr(grains, "THREADED", 0)
    before, seen = numba.get_num_threads(), []
    for threads in (1, 2):
        file = tmp_path / f"{threads}.h5"
        trundle.simulate(
            pile(), 0.1, H, **OPTIONS, threads=threads, record=file, every=4,
            progress=lambda *_: seen.append(numba.get_num_threads()),
        )  # fmt: skip
        assert seen[-1] == threads
        assert numba.get_num_threads() == before
    trundle.resume(tmp_path / "1.h5", duration=0.15, threads=2)
    trundle.resume(tmp_path / "2.h5", duration=0.15, threads=1)
    assert contents(tmp_path / "1.h5") == contents(tmp_path / "2.h5")


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "two"])
def test_threads_that_there_are_not(tmp_path, threads):
    with pytest.raises(SceneError, match=r"simulate: threads = .* must be a whole number between 1 and \d+"):
        trundle.simulate(pile(), 0.1, H, threads=threads)
    with pytest.raises(SceneError, match=r"resume: threads = "):
        trundle.resume(tmp_path / "run.h5", threads=threads)
