"""`simulate` and `resume`: from a scene to a run."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from trundle.errors import RecordingError, SceneError, TrundleError, TrundleWarning, unknown
from trundle.loop import Loop, Progress
from trundle.record import layout, sampling
from trundle.record.questions import Array, Questions
from trundle.record.reader import Frame, Recording
from trundle.record.store import in_use
from trundle.scene.checks import check_start, step_count
from trundle.scene.files import parse_scene
from trundle.scene.model import Model, State, build_model
from trundle.scene.scene import Scene
from trundle.scene.writing import dump_scene
from trundle.sinks import LEDGER_TYPE, File, Memory, Options
from trundle.watch import make_detector

SCHEMES = ("moreau-jean", "moreau-midpoint")
FORMULATIONS = ("exact", "relaxed", "compliant", "history")
MOST_ROWS = 100_000  # states of bodies per simulated second that are kept without being asked for
FRAME_TIME = 0.02  # seconds between frames where there would be more
CUT = 1e-6  # part of a step left over at the end that is no round-off
UNREADABLE = "# This scene cannot be written as a scene file:"


class Run(Questions):
    """A run: states over time and what happened in between.

    model, final (the state at the end); interrupted: ended by Ctrl-C; warnings: what the user should know; wall_time,
    cpu_time [s]; recording: the file, if it was recorded.
    """

    def __init__(self, loop: Loop, source: Memory | Recording, times: tuple[float, float]) -> None:
        self.model: Model = loop.model
        self.final: State = loop.state
        self.interrupted: bool = loop.interrupted
        self.recording: Path | None = source.path if isinstance(source, Recording) else None
        self.wall_time, self.cpu_time = times
        self._source = source
        self.warnings: list[str] = loop.warnings(self.steps, self.energy)

    def __repr__(self) -> str:
        return f"<Run: {len(self.names)} bodies, {self.frame_count} frames until t = {self.final.time:g} s>"

    @cached_property
    def names(self) -> Sequence[str]:
        """Names of the bodies; their places are the bodies' numbers."""
        return self._source.names

    @cached_property
    def time(self) -> Array:
        """Times of the frames [s], with the start, shape (T,)."""
        return self._source.time

    @cached_property
    def energy(self) -> NDArray[np.void]:
        """The ledger: one row per step [J]; see `Ledger`."""
        return self._source.energy

    @cached_property
    def steps(self) -> NDArray[np.void]:
        """Contacts, residual, iterations and converged of every step."""
        return self._source.steps

    @cached_property
    def joint_names(self) -> Sequence[str]:
        """Names of the joints."""
        return self._source.joint_names

    @property
    def _time_step(self) -> float:
        return self._source._time_step

    def _joint_series(self, quantity: str, joint: int) -> Array:
        return self._source._joint_series(quantity, joint)

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return self._source.frame_count

    def frame(self, i: int) -> Frame:
        """The bodies present in the i-th frame; -1 is the last."""
        return self._source.frame(i)

    def _series(self, quantity: str, body: int) -> Array:
        return self._source._series(quantity, body)


def simulate(
    scene: Scene,
    duration: float,
    time_step: float,
    *,
    theta: float = 0.5,
    formulation: str = "exact",
    tolerance: float = 1e-8,
    max_iterations: int = 20_000,
    record: str | os.PathLike[str] | None = None,
    every: int | None = None,
    frames_per_second: float | None = None,
    seed: int | None = None,
    scheme: str = "moreau-jean",
    threads: int | None = None,
    progress: Progress | None = None,
) -> Run:
    """Simulate a scene for `duration` [s] with steps of `time_step` [s], in whole steps.

    Parameters
    ----------
    theta : 1/2 (default, second order between contacts' events) to 1 (damps; for piles)
    formulation : "exact", "relaxed", "compliant" or "history"
    tolerance : residual of every step's contact problem, relative to the free velocity [-], < 1
    record : file to write as the run goes; it can be read at any moment, and continued with `resume`
    every : steps per frame, or frames_per_second [1/s of simulated time].  By default every step is a frame, but for
        scenes of more than 100,000 states per second one every 0.02 s.  The last step is one in any case.
    seed : instead of the seeds of the emitters
    scheme : "moreau-jean" (default: angular momentum is kept in free flight), or "moreau-midpoint", the scheme of le Saux,
        Leine & Glocker (2005) with its correction of positions, for theta = 1/2
    threads : at most so many, all that numba has if None (NUMBA_NUM_THREADS, by default the cores of the machine); large
        piles use them, and any number gives the same bits
    progress : called after every step with its report and the state

    Returns
    -------
    Run
        A step that missed the tolerance is marked in `run.steps` and reported as a warning, never silent.  Ctrl-C ends
        the run after the step that is going on (`run.interrupted`).
    """
    if not isinstance(scene, Scene):
        raise SceneError(
            f"simulate: {scene!r} is not a scene; give trundle.Scene(...), or use trundle.load_scene(file)."
        )
    options = check_options(
        scene, duration, time_step, theta=theta, formulation=formulation, tolerance=tolerance,
        max_iterations=max_iterations, every=every, frames_per_second=frames_per_second, seed=seed, scheme=scheme,
        threads=threads,
    )  # fmt: skip
    warn_of_a_cut_step(options)
    scene = reseeded(scene, options.seed)
    model, state = build_model(scene)
    from trundle.detect.behind import bodies_behind  # here, for its kernels are slow to import

    check_start(scene, model, state, time_step, make_detector(model).detect, bodies_behind)
    if record is None:
        loop = Loop(scene, model, state, options, Memory(model, options.time_step, [j.name for j in scene.joints]))
        loop.begin()
    else:
        loop = _recorded_loop(scene, model, state, options, _free_path(record))
    return _finish(loop, step_count(options.duration, options.time_step), progress, threads)


def _recorded_loop(scene: Scene, model: Model, state: State, options: Options, path: Path) -> Loop:
    """A loop whose recording is there, with its first frame; until then it has another name."""
    unfinished = layout.unfinished_name(path)
    try:
        layout.create(unfinished, _header(scene, model, options, path.parent))
        sink = File(model, options, unfinished)
        try:
            loop = Loop(scene, model, state, options, sink)
            loop.begin()
            sink.publish(path)
        except BaseException:
            sink.close()
            raise
    finally:
        unfinished.unlink(missing_ok=True)
    return loop


def resume(
    recording: str | os.PathLike[str],
    *,
    duration: float | None = None,
    scene: Scene | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Run:
    """Continue a recorded run, to the same bits as if it had never stopped.

    duration : of the whole run [s], if it is to be another one than before; scene : needed only where it has motions,
    loads or laws that a scene file cannot say; threads, progress : as for `simulate`.
    """
    _check_threads("resume", threads)
    path = Path(recording)
    with Recording(path) as file:
        options = Options(**file.options)
        memory, names, finished = file.checkpoint(), file.names, file.finished
        before = {name: float(file.attributes[name]) for name in ("wall_time", "cpu_time")}
        scene = _recorded_scene(file, options) if scene is None else scene
    if duration is not None:
        options = replace(options, duration=float(duration))
    count = _check(
        options.duration, options.time_step, options.theta, options.formulation, options.tolerance,
        options.max_iterations,
    )  # fmt: skip
    warn_of_a_cut_step(options)
    done = int(memory["number"])
    if count < done or (finished and count == done):
        ended = "is finished" if finished else "is already"
        raise RecordingError(
            f"{path}: {ended} at t = {done * options.time_step:g} s. To go on, give a longer duration than that."
        )
    model, state = build_model(_in_order(scene, names, path))
    counts = {name: int(memory[f"count.{name}"]) for name in layout.COUNTERS}
    sink = File(model, options, path, counts)
    sink.before = before
    sink.set_options(options)
    loop = Loop(scene, model, state, options, sink)
    loop.recall(memory)
    return _finish(loop, count, progress, threads)


def _finish(loop: Loop, count: int, progress: Progress | None, threads: int | None) -> Run:
    """Run the loop, tell what it has to say, and give the run."""
    clocks = time.perf_counter(), time.process_time()
    with _threads(threads):
        loop.run(count, progress)
    times = time.perf_counter() - clocks[0], time.process_time() - clocks[1]
    source: Memory | Recording = loop.sink if isinstance(loop.sink, Memory) else Recording(loop.sink.path)
    run = Run(loop, source, times)
    if run.interrupted:
        more = f" Continue it with trundle.resume({str(run.recording)!r})." if run.recording else ""
        run.warnings.append(f"interrupted at t = {run.final.time:g} s of {loop.options.duration:g} s.{more}")
    for text in run.warnings:
        warnings.warn(text, TrundleWarning, stacklevel=3)
    return run


# --- scenes -----------------------------------------------------------------------------------------


def _header(scene: Scene, model: Model, options: Options, folder: Path) -> layout.Header:
    try:
        text = dump_scene(scene, name_functions=True, folder=folder)
    except TrundleError as error:
        text = "\n# ".join([UNREADABLE, *str(error).splitlines()]) + "\n"
    seeds = [emitter.seed for emitter in scene.emitters]
    seed = options.seed if options.seed is not None else (seeds[0] if seeds else 0)
    table = options.as_table()
    joints = sampling.joint_table(scene.joints)
    return layout.Header(sampling.body_table(model), text, table, LEDGER_TYPE, sampling.MODES, seed, joints)


def _recorded_scene(file: Recording, options: Options) -> Scene:
    advice = "Give the scene that it was made with: trundle.resume(file, scene=scene)."
    if file.scene.startswith(UNREADABLE):
        raise RecordingError(f"{file.path}: its scene is not in the file. {advice}")
    try:
        return parse_scene(file.scene, name=f"{file.path}, /scene", folder=file.path.parent)[0]
    except TrundleError as error:
        raise RecordingError(f"{file.path}: its scene cannot be read. {advice}\n  {error}") from error


def _in_order(scene: Scene, names: Sequence[str], path: Path) -> Scene:
    """The scene with its bodies in the order of the recording: a scene file puts poured ones last."""
    by_name = {body.name: body for body in scene.bodies}
    recorded = [name for name in names if name in by_name]
    if len(recorded) != len(by_name) or [n for n in names if n not in by_name and not n.startswith("(")]:
        other = sorted(set(names) ^ set(by_name))[:5]
        raise RecordingError(f"{path}: was made with another scene: only one of the two has {', '.join(other)}.")
    scene.bodies[:] = [by_name[name] for name in recorded]
    scene._names.update({name: i for i, name in enumerate(recorded)})
    return scene


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


# --- checks -----------------------------------------------------------------------------------------


def check_options(
    scene: Scene,
    duration: Any,
    time_step: Any,
    *,
    theta: Any = 0.5,
    formulation: Any = "exact",
    tolerance: Any = 1e-8,
    max_iterations: Any = 20_000,
    every: Any = None,
    frames_per_second: Any = None,
    seed: Any = None,
    scheme: Any = "moreau-jean",
    threads: Any = None,
) -> Options:
    """The options of `simulate`, checked, or an error that says what is wrong with them; `trundle check` asks too."""
    _check(duration, time_step, theta, formulation, tolerance, max_iterations)
    _check_scheme(scheme, float(theta), formulation)
    _check_threads("simulate", threads)
    if seed is not None and (
        isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**63
    ):
        raise SceneError(f"simulate: seed = {seed!r} must be a whole number >= 0.")
    return Options(
        float(duration), float(time_step), float(theta), formulation, float(tolerance), int(max_iterations),
        _every(every, frames_per_second, float(time_step), len(scene.bodies)), None if seed is None else int(seed), scheme,
    )  # fmt: skip


def warn_of_a_cut_step(options: Options) -> None:
    """Warn if the duration is no whole number of steps, for only whole ones are done."""
    duration, h = options.duration, options.time_step
    count = step_count(duration, h)
    if abs(duration / h - count) > CUT:
        text = (
            f"duration = {duration:g} s is no whole number of steps of time_step = {h:g} s, but {duration / h:.7g}: "
            f"{count * h:g} s are simulated instead. time_step = {duration / np.ceil(duration / h):.12g} would fit."
        )
        warnings.warn(text, TrundleWarning, stacklevel=3)


def _check(duration: Any, time_step: Any, theta: Any, formulation: Any, tolerance: Any, max_iterations: Any) -> int:
    """Number of steps, or an error that says what is wrong."""
    for name, value, unit in (
        ("duration", duration, "s"),
        ("time_step", time_step, "s"),
        ("tolerance", tolerance, "-"),
        ("theta", theta, "-"),
    ):
        number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
        if not number or not np.isfinite(value) or value <= 0.0:
            raise SceneError(f"simulate: {name} = {value!r} must be a positive number [{unit}].")
    if tolerance >= 1.0:
        raise SceneError(
            f"simulate: tolerance = {tolerance!r} must be less than 1, e.g. 1e-8: it is relative to the free velocity, and a "
            "residual as large as that is no solution."
        )
    if time_step > duration:
        raise SceneError(f"simulate: time_step = {time_step:g} s is longer than duration = {duration:g} s.")
    if not 0.5 <= float(theta) <= 1.0:
        raise SceneError(f"simulate: theta = {theta!r} must lie between 0.5 and 1: below, the scheme is unstable.")
    if formulation not in FORMULATIONS:
        raise SceneError("simulate: " + unknown("formulation", formulation, FORMULATIONS))
    if not isinstance(max_iterations, (int, np.integer)) or isinstance(max_iterations, bool) or max_iterations < 1:
        raise SceneError(f"simulate: max_iterations = {max_iterations!r} must be a whole number >= 1.")
    return step_count(duration, time_step)


def _check_scheme(scheme: Any, theta: float, formulation: str) -> None:
    if scheme not in SCHEMES:
        raise SceneError("simulate: " + unknown("scheme", scheme, SCHEMES))
    if scheme == "moreau-midpoint" and (theta != 0.5 or formulation in ("compliant", "history")):
        raise SceneError(
            f"simulate: scheme = 'moreau-midpoint' is for theta = 0.5 and rigid contacts, not for theta = {theta:g} and "
            f"formulation = {formulation!r}. Leave scheme out."
        )


def _check_threads(place: str, threads: Any) -> None:
    whole = isinstance(threads, (int, np.integer)) and not isinstance(threads, bool)
    if threads is not None and not (whole and threads >= 1):
        most = int(numba.config.NUMBA_NUM_THREADS)
        raise SceneError(
            f"{place}: threads = {threads!r} must be a whole number between 1 and {most}, the number of cores; larger ones "
            f"count as {most}. Leave it out for all of them."
        )


@contextmanager
def _threads(count: int | None) -> Iterator[None]:
    """At most as many threads within it; those from before afterwards."""
    before = numba.get_num_threads()
    numba.set_num_threads(before if count is None else min(int(count), int(numba.config.NUMBA_NUM_THREADS)))
    try:
        yield
    finally:
        numba.set_num_threads(before)


def _every(every: Any, frames_per_second: Any, time_step: float, bodies: int) -> int:
    """Steps per frame."""
    if every is not None and frames_per_second is not None:
        raise SceneError(
            f"simulate: every = {every!r} and frames_per_second = {frames_per_second!r}: give one of them, not both."
        )
    if frames_per_second is not None:
        rate = frames_per_second
        if not isinstance(rate, (int, float, np.number)) or isinstance(rate, bool) or not 0.0 < rate < np.inf:
            raise SceneError(f"simulate: frames_per_second = {rate!r} must be a positive number [1/s].")
        return max(1, round(1.0 / (float(rate) * time_step)))
    if every is None:
        return 1 if bodies <= MOST_ROWS * time_step else max(1, round(FRAME_TIME / time_step))
    if not isinstance(every, (int, np.integer)) or isinstance(every, bool) or every < 1:
        raise SceneError(f"simulate: every = {every!r} must be a whole number >= 1.")
    return int(every)


def _free_path(record: Any) -> Path:
    """Where to record, or an error at once if that cannot be; another recording there is replaced."""
    path = Path(record)
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
                f"record = {str(path)!r}: another run is writing to this file. Wait for it, or give another name."
            )
    return path
