"""`simulate` and `resume`: from a scene to a run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trundle import interrupts
from trundle.errors import RecordingError, SceneError, TrundleError
from trundle.output import file_path
from trundle.record import layout, provenance
from trundle.record.reader import Recording
from trundle.run.loop import Loop
from trundle.run.options import Options, check_numbers, check_threads, the_solver, warn_of_a_cut_step
from trundle.run.progress import Progress, check_progress
from trundle.run.result import Run
from trundle.run.saving import UNREADABLE
from trundle.run.simulation import Simulation, reseeded
from trundle.run.sinks import File
from trundle.run.stop import as_conditions
from trundle.run.tally import Tally
from trundle.scene.checks import step_count
from trundle.scene.files import parse_scene
from trundle.scene.model import build_model
from trundle.scene.scene import Scene
from trundle.scene.values import number
from trundle.scene.writing import dump_scene


def simulate(
    scene: Scene,
    duration: float,
    time_step: float | str,
    *,
    accuracy: float | None = None,
    theta: float = 0.5,
    formulation: str = "exact",
    tolerance: float | None = None,
    max_iterations: int = 200_000,
    solver: Any = "auto",
    record: str | os.PathLike[str] | None = None,
    every: int | None = None,
    frames_per_second: float | None = None,
    seed: int | None = None,
    scheme: str = "moreau-jean",
    impact: str = "newton",
    stop: Any = None,
    keep_problems: Any = False,
    save_problems: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Progress | bool | None = True,
) -> Run:
    """Simulate a scene for `duration` [s] with steps of `time_step` [s], in whole steps.

    Parameters
    ----------
    accuracy : of time_step="auto", relative, on positions and velocities of the whole run (default 1e-4): steps are as long as it
        allows, shorter around impacts and longer in flight and at rest.  Frames are `frames_per_second`, or 200 in all
    theta : 1/2 (default, second order between contacts' events) to 1 (damps; for piles)
    formulation : "exact", "relaxed", "compliant" or "history"
    tolerance : residual of every step's contact problem, relative to the free velocity [-], < 1.  By default 1e-8, and 1e-4 for
        heaps: more than 24 bodies that are not on joints (docs/accuracy.md)
    max_iterations : of the solver, in every step
    solver : "auto", the steps' own, or the name of a solver of `trundle.solve`, or a `Solver`: it gets every step's problem
        as a `ContactProblem`
    record : file to write as the run goes; it can be read at any moment, and continued with `resume`
    every : steps per frame, or frames_per_second [1/s of simulated time].  By default every step is a frame, but for
        scenes of more than 100,000 states per second one every 0.02 s.  The last step is one in any case.
    seed : instead of the seeds of the emitters
    scheme : "moreau-jean" (default: angular momentum is kept in free flight), or "moreau-midpoint", the scheme of le Saux,
        Leine & Glocker (2005) with its correction of positions, for theta = 1/2
    impact : how contacts that close at once bounce where surfaces have a restitution: "newton" (default: each with its own,
        all at once), "poisson" (compression, then expansion), "sequential" (one after the other, as in a cradle)
    stop : end the run before its time (`run.stopped` tells why): ``trundle.stop.at_rest(0.2)``, ``left(region)``,
        ``crossed(plane)``, a function of time and state, "at rest 0.2", or a list of these
    keep_problems : contact problems of steps that `run.problem` gives: True for all, a condition on the columns of the
        table `steps` such as "iterations > 1000", or a function of a row of it; that of the last step is always kept
    save_problems : folder to write them into as FCLIB files instead, which `trundle solve` reads
    threads : maximum number of threads, all that numba has if None (NUMBA_NUM_THREADS, by default the cores of the machine);
        large piles use them, and any number gives the same bits
    progress : True (default) for a line in a terminal or notebook, if the run takes longer than two seconds; False for none; or
        a function that is called after every step with its report and the state

    Returns
    -------
    Run
        A step that missed the tolerance is marked in `run.steps` and reported as a warning, never silent.  Ctrl-C ends
        the run after the current step (`run.interrupted`).
    """
    check_progress(progress)
    if duration is None:  # a Simulation needs none, a run does
        raise SceneError("simulate: duration = None must be a positive number [s].")
    simulation = Simulation(
        scene, time_step, tolerance, solver, duration=duration, theta=theta, formulation=formulation,
        max_iterations=max_iterations, record=record, every=every, frames_per_second=frames_per_second, seed=seed,
        scheme=scheme, impact=impact, accuracy=accuracy, stop=stop, keep_problems=keep_problems, save_problems=save_problems,
        threads=threads,
    )  # fmt: skip
    return _finished(simulation, step_count(float(duration), simulation.time_step), progress)


def resume(
    recording: str | os.PathLike[str],
    *,
    duration: float | None = None,
    scene: Scene | None = None,
    solver: Any = None,
    stop: Any = None,
    threads: int | None = None,
    progress: Progress | bool | None = True,
    trust: bool = False,
) -> Run:
    """Continue a recorded run, to the same bits as if it had never stopped.

    duration : of the whole run [s], if it is to be another one than before; scene : needed only where it has motions,
    loads or laws that a scene file cannot say; solver : needed only where it was a user's own; stop, threads, progress : as
    for `simulate`; trust : run Python code that the recorded scene names, such as a law in a file beside the recording.
    """
    check_threads("resume", threads)
    check_progress(progress)
    if scene is not None and not isinstance(scene, Scene):
        raise SceneError(
            f"resume: scene = {scene!r} is not a scene; give the trundle.Scene that the run was made with."
        )
    path = file_path("resume", recording)
    with interrupts.held_back(), Recording(path) as file:  # HDF5 turns an interrupt into errors of its own
        options = Options(**file.options)
        memory, names, finished = file.checkpoint(), file.names, file.finished
        before = {name: float(file.attributes[name]) for name in ("wall_time", "cpu_time")}
        text, first = file.scene, (file.stages or [{}])[0]
        scene = recorded_scene(file, trust) if scene is None else _same_scene(file, reseeded(scene, options.seed))
        tally = Tally()
        for rows in file.step_rows(int(memory["count.steps"])):
            tally.add(rows)
        tally.close()
    if options.steered:
        raise RecordingError(
            f"{path}: loads, motors or bodies were changed between its steps, which the file does not know. It cannot be "
            "continued."
        )
    chosen = _recorded_solver(path, options, solver)
    if duration is not None:
        options = replace(options, duration=number("resume", "duration", duration, "s", positive=True))
    count = check_numbers(
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
    stage = provenance.stage(done, text, model, options.as_table())
    if text.startswith(UNREADABLE):
        _same_model(path, first, stage)
    sink = File(model, options, path, counts, stage)
    sink.before = before
    sink.set_options(options)
    loop = Loop(scene, model, state, options, sink, solver=chosen, stop=as_conditions(stop))
    loop.recall(memory)
    loop.watch.tally = tally
    return _finished(Simulation._of(scene, loop, threads), count, progress)


def _finished(simulation: Simulation, count: int, progress: Progress | bool | None) -> Run:
    simulation._advance(count, progress, last=True)
    return simulation.result()


# --- what a recording knows -------------------------------------------------------------------------


def recorded_scene(file: Recording, trust: bool = False) -> Scene:
    """The scene of a recording; Python code that it names runs only if it is trusted."""
    advice = "Give the scene that it was made with: trundle.resume(file, scene=scene)."
    if file.scene.startswith(UNREADABLE):
        raise RecordingError(f"{file.path}: its scene is not in the file. {advice}")
    try:
        return parse_scene(file.scene, name=f"{file.path}, /scene", folder=file.path.parent, trust=trust)[0]
    except TrundleError as error:
        raise RecordingError(f"{file.path}: its scene cannot be read. {advice}\n  {error}") from error


def _same_scene(file: Recording, scene: Scene) -> Scene:
    """The given scene, if it is the recorded one: a run does not change its scene in the middle."""
    if file.scene.startswith(UNREADABLE):
        return scene
    try:
        given = dump_scene(scene, name_functions=True, folder=file.path.parent)
    except TrundleError:
        given = ""
    old, new = file.scene.splitlines(), given.splitlines()
    other = [line for line in new if line not in old] + [line for line in old if line not in new]
    if other:
        raise RecordingError(
            f"{file.path}: was made with another scene; they differ in {other[0].strip()!r}. Simulate the new scene from its "
            "start instead."
        )
    return scene


def _same_model(path: Path, first: dict[str, Any], now: dict[str, Any]) -> None:
    """Raise if masses, shapes, laws or joints are others than at the run's start, where no scene in the file tells.

    Another version of trundle may describe the same scene by other arrays.
    """
    if first and first["package"] == now["package"] and first["model"] != now["model"]:
        raise RecordingError(
            f"{path}: was made with another scene: masses, shapes, laws, joints or gravity differ. Simulate the new scene from "
            "its start instead."
        )


def _recorded_solver(path: Path, options: Options, given: Any) -> Any:
    own = isinstance(options.solver, dict) and "own" in options.solver
    if own and given is None:
        raise RecordingError(
            f"{path}: was made with a solver of your own, {options.solver['own']}, which is not in the file. Give it: "
            "trundle.resume(file, solver=...)."
        )
    if given is not None and not own:
        raise RecordingError(f"{path}: was made with the solver {options.solver!r}, and keeps it: leave solver out.")
    return the_solver(given if own else options.solver, options.formulation)


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
