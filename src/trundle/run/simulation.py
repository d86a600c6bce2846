"""`Simulation`: a scene that can be stepped."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from trundle import output
from trundle.errors import RecordingError, SceneError, TrundleWarning, known, unknown, warn
from trundle.record import layout, sampling
from trundle.record.frames import FrameContacts
from trundle.record.reader import Recording
from trundle.record.store import in_use
from trundle.run.honoured import check_rows
from trundle.run.loop import Loop, make_stepper
from trundle.run.options import Options, at_most_threads, check_options, the_solver, warn_of_a_cut_step
from trundle.run.problems import Problems
from trundle.run.progress import Progress, check_progress
from trundle.run.result import Run
from trundle.run.saving import header
from trundle.run.sinks import File, Memory
from trundle.run.stop import as_conditions
from trundle.scene.checks import advised_time_step, check_start, step_count
from trundle.scene.joints import SERVO, WORLD
from trundle.scene.loads import Load, MotorSpeed, make_load
from trundle.scene.model import Model, State, build_model
from trundle.scene.scene import Scene
from trundle.scene.shapes import HalfSpace, HeightField, Mesh
from trundle.scene.state_view import StateView
from trundle.scene.values import number
from trundle.step.report import GAINS, LEDGER, LOSSES, Ledger

PLACES = (HalfSpace, HeightField, Mesh)  # shapes that stay


class Simulation:
    """A scene that is simulated step by step.

    time_step [s], tolerance, solver and the other options are those of `simulate`, which gives the same bits; `duration`
    is left to `run`.  With `record` the run goes into a file: call `close` at the end, or use it as a context.

    >>> sim = trundle.Simulation(scene, time_step=1e-3)
    >>> while sim.state.position("ball")[2] > 0.1:
    ...     sim.step()
    >>> run = sim.run(2.0)
    """

    def __init__(
        self,
        scene: Scene,
        time_step: float | str = 1e-3,
        tolerance: float | None = None,
        solver: Any = "auto",
        *,
        record: str | os.PathLike[str] | None = None,
        stop: Any = None,
        keep_problems: Any = False,
        save_problems: str | os.PathLike[str] | None = None,
        threads: int | None = None,
        duration: float | None = None,
        **options: Any,
    ) -> None:
        if not isinstance(scene, Scene):
            raise SceneError(
                f"simulate: {scene!r} is not a scene; give trundle.Scene(...), or use trundle.load_scene(file)."
            )
        for name in options:
            if name not in (
                "theta",
                "formulation",
                "max_iterations",
                "every",
                "frames_per_second",
                "seed",
                "scheme",
                "impact",
                "accuracy",
            ):
                raise SceneError("Simulation: " + unknown("option", name, sorted(KNOWN)))
        checked = check_options(
            scene, duration, time_step, tolerance=tolerance, solver=solver, threads=threads, stop=stop, **options,
        )  # fmt: skip
        chosen = the_solver(solver, checked.formulation)
        problems = _problems(keep_problems, save_problems)
        if problems is not None and checked.accuracy is not None:
            raise SceneError(
                "simulate: keep_problems and save_problems are for steps of a fixed length: give a time_step in seconds."
            )
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", TrundleWarning)
            warn_of_a_cut_step(checked)
            scene = reseeded(scene, checked.seed)
            model, state = build_model(scene)
            from trundle.detect.behind import bodies_behind  # here, for its kernels are slow to import

            stepper = make_stepper(model, checked, chosen)
            first = checked.time_step
            if checked.accuracy is not None:  # which finds out what is too long
                first = min(first, advised_time_step(model, state))
            check_start(scene, model, state, first, stepper.contacts_at, bodies_behind)
        said = [str(one.message) for one in caught if issubclass(one.category, TrundleWarning)]
        for text in said:
            warn(text)
        if problems is not None:
            check_rows(model, checked.formulation, True)
            problems.check(model.laws, checked.formulation)
        more: dict[str, Any] = {
            "solver": chosen, "stop": as_conditions(stop), "problems": problems, "said": said, "stepper": stepper,
        }  # fmt: skip
        if record is None:
            sink = Memory(model, checked, [joint.name for joint in scene.joints])
            loop = Loop(scene, model, state, checked, sink, **more)
            loop.begin()
        else:
            loop = _recorded_loop(scene, model, state, checked, _free_path(record), more)
        self._take(scene, loop, threads)

    @classmethod
    def _of(cls, scene: Scene, loop: Loop, threads: int | None) -> Simulation:
        """A simulation that goes on with a loop."""
        simulation = cls.__new__(cls)
        simulation._take(scene, loop, threads)
        return simulation

    def _take(self, scene: Scene, loop: Loop, threads: int | None) -> None:
        self._scene, self._loop, self._threads = scene, loop, threads
        self._own_loads: dict[str, Load] = {}
        self._wall = self._cpu = 0.0
        self._closed = False

    def __repr__(self) -> str:
        return f"<Simulation: {len(self.names):,} bodies, t = {self.time:g} s>"

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- going on -------------------------------------------------------------------------------------

    def step(self, n: int = 1) -> None:
        """Do n steps, or with time_step="auto" n intervals between frames.

        Ctrl-C stops after the current one with KeyboardInterrupt.
        """
        if not isinstance(n, (int, np.integer)) or isinstance(n, bool) or n < 1:
            raise SceneError(f"Simulation.step: n = {n!r} must be a whole number >= 1.")
        self._advance(self._loop.number + int(n), None)
        if self._loop.interrupted:
            raise KeyboardInterrupt

    def run(self, duration: float, *, progress: Progress | bool | None = True) -> Run:
        """Go on for `duration` [s], in whole steps; returns the run so far, from the start on.

        progress : True (default) for a line in a terminal or notebook, if it takes longer than two seconds; False for none; or a
            function that is called after every step with report and state
        """
        seconds = number("Simulation.run", "duration", duration, "s", positive=True)
        self._advance(self._loop.number + step_count(seconds, self._loop.options.time_step), progress)
        return self.result()

    def _advance(self, count: int, progress: Progress | bool | None, last: bool = False) -> None:
        check_progress(progress)
        if self._closed:
            raise RecordingError(f"{self._loop.sink.path}: this simulation is closed. Continue it with trundle.resume.")  # type: ignore[union-attr]
        clocks = time.perf_counter(), time.process_time()
        try:
            with at_most_threads(self._threads):
                self._loop.run(count, progress, last)
        except BaseException:
            self._closed = isinstance(self._loop.sink, File)  # the loop has finished it
            raise
        self._closed = last and isinstance(self._loop.sink, File)
        self._wall += time.perf_counter() - clocks[0]
        self._cpu += time.process_time() - clocks[1]

    def result(self) -> Run:
        """The run so far, with what there is to say about it."""
        loop = self._loop
        if not self._closed:
            self._set_duration()
            loop.settle()
        source: Memory | Recording = loop.sink if isinstance(loop.sink, Memory) else Recording(loop.sink.path)
        run = Run(self._scene, loop, source, (self._wall, self._cpu))
        if run.interrupted:
            more = f" Continue it with trundle.resume({str(run.recording)!r})." if run.recording else ""
            run.warnings.append(f"interrupted at t = {run.final.time:g} s of {loop.options.duration:g} s.{more}")
        for text in run.warnings:
            if text not in loop.said:
                warn(text)
        return run

    def close(self) -> None:
        """Finish the recording; nothing to be done for a run in memory."""
        if not self._closed and isinstance(self._loop.sink, File):
            self._set_duration()
            self._loop.finish()
            self._closed = True

    # --- what there is --------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """Time [s]."""
        return self._loop.state.time

    @property
    def time_step(self) -> float:
        """Time step [s], or with "auto" the time between frames."""
        return self._loop.options.time_step

    @property
    def names(self) -> Sequence[str]:
        """Names of the bodies."""
        return tuple(name for name in self._loop.model.names if name != WORLD)

    @property
    def state(self) -> StateView:
        """Where the bodies are: ``sim.state.position("cart")``, and the arrays in ``sim.state.arrays``."""
        return self._loop.model.view(self._loop.state)

    @property
    def stopped(self) -> str:
        """Why a condition ended the last `run` or `step`, "" if none did."""
        return self._loop.stopped

    def contacts(self) -> FrameContacts:
        """The contacts of the last step, with forces and torques."""
        loop = self._loop
        report = loop.last_report()
        sampler = sampling.Sampler(loop.model, loop.options.time_step, loop.options.tolerance)
        columns = sampler.no_contacts() if report is None or not len(report.contacts) else sampler.contacts(report)
        code = columns.pop("mode")
        mode = np.array(sampling.MODES)[code]
        return FrameContacts(self.time, code=code, mode=mode, names=self.names, time_step=self.time_step, **columns)

    @property
    def energy(self) -> Ledger:
        """The ledger of the last step [J]."""
        return Ledger(*(float(self._loop.last_row[name]) for name in LEDGER))

    @property
    def energy_balance(self) -> Ledger:
        """The ledger from the start on [J]: what is stored now, and the sums of all that came and went."""
        sums = dict(zip(LEDGER, self._loop.sums.tolist(), strict=True))
        return replace(self.energy, **{name: sums[name] for name in (*GAINS, *LOSSES)})

    # --- interference ---------------------------------------------------------------------------------

    def load(self, body: str, *, force: Any = (0.0, 0.0, 0.0), torque: Any = (0.0, 0.0, 0.0)) -> None:
        """Put a force [N] and a torque [N m] at the centre of a body, world frame, from now on.

        They replace those that `load` gave the body before, not those of the scene; they may be functions of time, or of
        time and state.
        """
        loop, model = self._loop, self._loop.model
        if np.isinf(model.mass[self.state.number(body)]):
            raise SceneError(f"load on '{body}': a fixed or prescribed body does not feel forces.")
        self._set_options(steered=True)
        if body in self._own_loads:
            self._own_loads[body].change(force, torque)
            return
        self._own_loads[body] = make_load(body, force, torque, (0.0, 0.0, 0.0), "world", -np.inf, np.inf)
        loop.replace_model(replace(model, loads=(*model.loads, self._own_loads[body])))

    def motor(self, joint: str, speed: Any) -> None:
        """Give the motor of a joint another speed [rad/s, m/s]: a number, or a function of time, or of time and state."""
        model, j = self._loop.model, self._joint_number(joint)
        if not model.joints.motor[j]:
            raise SceneError(f"joint '{joint}': has no motor. Give it one in the scene, scene.joint(..., motor=0.0).")
        unit = self._scene.joints[j].speed_unit
        self._set_options(steered=True)
        if callable(speed):
            given = MotorSpeed(joint, speed, unit)
            _ = given.of_state  # a function of the wrong kind is refused here
            model.motors[j] = given
        else:
            model.motors.pop(j, None)
            model.joints.speed[j] = number(f"joint '{joint}'", "motor", speed, unit)

    def target(self, joint: str, value: Any) -> None:
        """Give a position servo another target [rad, m]: a number, or a function of time, or of time and state."""
        model, j = self._loop.model, self._joint_number(joint)
        servo = (model.joints.owner == j) & (model.joints.role == SERVO)
        if not servo.any():
            raise SceneError(
                f"joint '{joint}': has no position servo. Give it one: scene.joint(..., stiffness=..., max_force=...)."
            )
        unit = "rad" if model.joint_kinds[j] == "hinge" else "m"
        least = 0.0 if model.joint_kinds[j] == "spring" else -np.inf
        self._set_options(steered=True)
        if callable(value):
            given = MotorSpeed(joint, value, unit, "target")
            _ = given.of_state  # a function of the wrong kind is refused here
            model.targets[j] = given
        else:
            rest = number(f"joint '{joint}'", "target", value, unit, least=least)
            model.targets.pop(j, None)
            model.joints.rest[servo] = rest

    def _joint_number(self, joint: str) -> int:
        names = self._loop.model.joint_names
        if not known(joint, names):
            raise SceneError(unknown("joint", joint, names) if names else "This scene has no joints.")
        return names.index(joint)

    def remove(self, body: str) -> None:
        """Take a body out of the scene, for good; what it had of energy leaves with it (`Ledger.poured`)."""
        view, model = self.state, self._loop.model
        i = view.number(body)
        if not view.present(body):
            raise SceneError(f"body '{body}': is not there at t = {self.time:g} s; it cannot be removed.")
        if isinstance(model.shapes[i], PLACES):
            raise SceneError(f"body '{body}': a {type(model.shapes[i]).__name__} stays; other shapes can be removed.")
        held = [j.name for j in self._scene.joints if body in (j.one, j.other)]
        if held:
            raise SceneError(f"body '{body}': joint '{held[0]}' holds it; bodies on joints cannot be removed.")
        self._set_options(steered=True)
        self._loop.remove(np.arange(len(model.names)) == i)

    def _set_duration(self) -> None:
        if self._loop.state.time > self._loop.options.duration:
            self._set_options(duration=self._loop.state.time)

    def _set_options(self, **changes: Any) -> None:
        loop = self._loop
        changed = replace(loop.options, **changes)
        if changed != loop.options:
            loop.options = changed
            if isinstance(loop.sink, File):
                loop.sink.set_options(changed)


KNOWN = (
    "time_step", "tolerance", "solver", "theta", "formulation", "max_iterations", "every", "frames_per_second", "seed",
    "scheme", "impact", "accuracy", "threads", "record", "stop", "keep_problems", "save_problems",
)  # fmt: skip


def _problems(keep: Any, folder: str | os.PathLike[str] | None) -> Problems | None:
    if folder is not None:
        return Problems(True if keep is False else keep, output.file_path("save_problems", folder))
    return None if keep is False else Problems(keep)


# --- recordings -------------------------------------------------------------------------------------


def _recorded_loop(
    scene: Scene, model: Model, state: State, options: Options, path: Path, more: dict[str, Any]
) -> Loop:
    """A loop whose recording is there, with its first frame; until then it has another name."""
    unfinished = output.part_of(path)
    output.remove_stale_parts(path)
    try:
        layout.create(unfinished, header(scene, model, options, path.parent))
        sink = File(model, options, unfinished)
        try:
            loop = Loop(scene, model, state, options, sink, **more)
            loop.begin()
            sink.publish(path)
        except BaseException:
            sink.close()
            raise
    except RecordingError as error:
        raise type(error)(str(error).replace(str(unfinished), str(path))) from error
    finally:
        output.discard(unfinished)
    return loop


def _free_path(record: Any) -> Path:
    """Where to record, or an error at once if that cannot be; another recording there is replaced."""
    path = output.file_path("record", record)
    if not path.parent.is_dir():
        raise RecordingError(f"record = {str(path)!r}: there is no folder {str(path.parent)!r}. Make it first.")
    if path.is_dir():
        raise RecordingError(f"record = {str(path)!r} is a folder; give a file, such as run.h5.")
    if path.exists():
        try:
            Recording(path).close()
        except RecordingError as error:
            raise RecordingError(
                f"record = {str(path)!r}: there is a file of this name that is no recording, and is not replaced. "
                f"Give another name, or delete it.\n  {error}"
            ) from error
        if in_use(path):
            raise RecordingError(
                f"record = {str(path)!r}: another run is writing to this file. Wait for it, close it (Simulation.close), or "
                "give another name."
            )
    return path


def reseeded(scene: Scene, seed: int | None) -> Scene:
    """The scene with another seed for all its emitters; the scene itself if there is none."""
    if seed is None:
        return scene
    new = replace(scene, bodies=list(scene.bodies), emitters=[replace(e, seed=seed) for e in scene.emitters])
    new._names = dict(scene._names)
    for emitter in new.emitters:
        for k in range(emitter.count):
            one = Scene()
            one.add(**emitter.body(k))
            one.bodies[0].emitter = emitter.name
            new.bodies[scene.index(one.bodies[0].name)] = one.bodies[0]
    return new
