"""The options of a run, checked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from trundle.errors import SceneError, known, real, unknown, warn, whole
from trundle.kinds import FORMULATIONS, IMPACTS
from trundle.scene.checks import step_count
from trundle.scene.scene import Scene

if TYPE_CHECKING:
    from trundle.solve.base import Solver

SCHEMES = ("moreau-jean", "moreau-midpoint")
MOST_ROWS = 100_000  # states of bodies per simulated second that are kept without being asked for
FRAME_TIME = 0.02  # seconds between frames where there would be more
THETA = 0.5  # unless it is said
AUTO = "auto"  # time step that follows from an accuracy
ACCURACY, LEAST_ACCURACY, MOST_ACCURACY = 1e-4, 1e-8, 0.1
FRAMES = 200  # of a run, or of a second if its duration is not known, whose steps have no fixed length
SOLVED, LEAST_TOLERANCE = 1e-5, 1e-12  # tolerance of contact problems relative to the accuracy, and the least one
FINE, COARSE, HEAP = 1e-8, 1e-4, 24  # default tolerances, and the loose bodies beyond which a scene is a heap
OF_SOLVED_STEPS = (
    "theta",
    "scheme",
    "impact",
    "solver",
    "tolerance",
    "max_iterations",
)  # nothing to formulation "history"
CUT = 1e-6  # part of a step left over at the end that is no round-off


@dataclass(frozen=True)
class Options:
    """The arguments of `simulate`, checked; every: steps per frame, 0: no frames.

    solver: its name; with its options, or {"own": class} for a user's, if that is not all.  steered: loads, motors or
    bodies were changed between steps.  accuracy: of steps of any length, time_step is then the interval between frames, and
    horizon the time [s] in which errors may add up to it; None: all steps have the same length.
    """

    duration: float
    time_step: float
    theta: float
    formulation: str
    tolerance: float
    max_iterations: int
    every: int
    seed: int | None = None
    scheme: str = "moreau-jean"
    solver: Any = "auto"
    steered: bool = False
    impact: str = "newton"
    accuracy: float | None = None
    horizon: float = 0.0

    def as_table(self) -> dict[str, Any]:
        """For the recording."""
        return asdict(self)

    def arguments(self) -> dict[str, Any]:
        """What `simulate` has to be given for the same bits."""
        given = {name: value for name, value in asdict(self).items() if name not in ("steered", "horizon")}
        if self.accuracy is not None:
            del given["every"]
            given |= {"time_step": AUTO, "duration": self.horizon, "frames_per_second": 1.0 / self.time_step}
        return given


def check_options(
    scene: Scene,
    duration: Any,
    time_step: Any,
    *,
    theta: Any = THETA,
    formulation: Any = "exact",
    tolerance: Any = None,
    max_iterations: Any = 200_000,
    every: Any = None,
    frames_per_second: Any = None,
    seed: Any = None,
    scheme: Any = "moreau-jean",
    solver: Any = "auto",
    threads: Any = None,
    stop: Any = None,
    impact: Any = "newton",
    accuracy: Any = None,
) -> Options:
    """The options of `simulate`, checked, or an error that says what is wrong with them; `trundle check` asks too."""
    from trundle.run.stop import as_conditions

    tolerance = default_tolerance(scene) if tolerance is None else tolerance
    automatic = isinstance(time_step, str)
    if automatic or accuracy is not None:
        _check_accuracy(scene, time_step, accuracy, formulation, every)
        accuracy = ACCURACY if accuracy is None else float(accuracy)
    horizon = 0.0
    if automatic:
        if duration is not None:
            _check_positive("duration", duration)
        horizon = 1.0 if duration is None else float(duration)
        time_step = _interval(horizon, frames_per_second)
        every, frames_per_second = 1, None
    duration = time_step if duration is None else duration
    check_numbers(duration, time_step, theta, formulation, tolerance, max_iterations)
    _check_scheme(scheme, float(theta), formulation)
    _check_theta(float(theta), formulation)
    _check_impact(impact, formulation)
    chosen = the_solver(solver, formulation)
    check_threads("simulate", threads)
    as_conditions(stop)
    if seed is not None and (
        isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**63
    ):
        raise SceneError(f"simulate: seed = {seed!r} must be a whole number >= 0.")
    if automatic:
        tolerance = min(float(tolerance), max(SOLVED * accuracy, LEAST_TOLERANCE))
    return Options(
        float(duration), float(time_step), float(theta), formulation, float(tolerance), int(max_iterations),
        _every(every, frames_per_second, float(time_step), len(scene.bodies)), None if seed is None else int(seed), scheme,
        _described(chosen), impact=impact, accuracy=accuracy, horizon=horizon,
    )  # fmt: skip


def default_tolerance(scene: Scene) -> float:
    """1e-8 for single bodies, machines and small structures, 1e-4 for heaps: more than 24 bodies that are loose, not on joints.

    docs/accuracy.md has what either costs and changes.
    """
    held = {name for joint in scene.joints for name in (joint.one, joint.other)}
    loose = sum(not body.fixed and body.motion is None and body.name not in held for body in scene.bodies)
    return COARSE if loose > HEAP else FINE


def _check_accuracy(scene: Scene, time_step: Any, accuracy: Any, formulation: Any, every: Any) -> None:
    """Raise where steps of any length are wanted and cannot be done."""
    if not known(time_step, (AUTO,)):
        if isinstance(time_step, str):
            raise SceneError(f"simulate: time_step = {time_step!r} must be a positive number [s], or {AUTO!r}.")
        raise SceneError(
            f"simulate: accuracy = {accuracy!r} is for time_step = {AUTO!r}, not for fixed steps of {time_step!r} s. Leave one "
            "of them out."
        )
    if accuracy is not None and (not real(accuracy) or not LEAST_ACCURACY <= accuracy <= MOST_ACCURACY):
        raise SceneError(
            f"simulate: accuracy = {accuracy!r} must lie between {LEAST_ACCURACY:g} and {MOST_ACCURACY:g}, e.g. {ACCURACY:g}: it "
            "is relative, on positions and velocities."
        )
    reason = ""
    if known(formulation, ("history",)):
        reason = "formulation = 'history' has springs, whose stiffness says what step they need"
    elif scene.emitters:
        reason = f"emitter {scene.emitters[0].name!r} pours at the ends of steps, which would all be others"
    if reason:
        raise SceneError(f"simulate: time_step = {AUTO!r}: {reason}. Give a time_step in seconds.")
    if every is not None:
        raise SceneError(
            f"simulate: every = {every!r} counts steps, which have no fixed length with time_step = {AUTO!r}. Use "
            "frames_per_second, the rate of frames [1/s]."
        )


def _interval(duration: float, frames_per_second: Any) -> float:
    """Time between frames [s], of which the duration is a whole number."""
    rate = frames_per_second
    if rate is not None and (not real(rate) or rate <= 0.0):
        raise SceneError(f"simulate: frames_per_second = {rate!r} must be a positive number [1/s].")
    count = FRAMES if rate is None else np.ceil(duration * float(rate) * (1.0 - CUT))
    return duration / float(max(count, 1.0))


def warn_of_a_cut_step(options: Options) -> None:
    """Warn if the duration is no whole number of steps, for only whole ones are done."""
    duration, h = options.duration, options.time_step
    count = step_count(duration, h)
    if abs(duration / h - count) > CUT:
        text = (
            f"duration = {duration:g} s is no whole number of steps of time_step = {h:g} s, but {duration / h:.7g}: "
            f"{count * h:g} s are simulated instead. time_step = {duration / np.ceil(duration / h):.12g} would fit."
        )
        warn(text)


def _check_positive(name: str, value: Any, unit: str = "s") -> None:
    """Raise unless an option is a positive number."""
    if not real(value) or value <= 0.0:
        raise SceneError(f"simulate: {name} = {value!r} must be a positive number [{unit}].")


def check_numbers(
    duration: Any, time_step: Any, theta: Any, formulation: Any, tolerance: Any, max_iterations: Any
) -> int:
    """Number of steps, or an error that says what is wrong."""
    _check_positive("duration", duration)
    _check_positive("time_step", time_step)
    _check_positive("tolerance", tolerance, "-")
    _check_positive("theta", theta, "-")
    if tolerance >= 1.0:
        raise SceneError(
            f"simulate: tolerance = {tolerance!r} must be less than 1, e.g. 1e-8: it is relative to the free velocity, and a "
            "residual as large as that is no solution."
        )
    if time_step > duration:
        raise SceneError(f"simulate: time_step = {time_step:g} s is longer than duration = {duration:g} s.")
    if not 0.5 <= float(theta) <= 1.0:
        raise SceneError(f"simulate: theta = {theta!r} must lie between 0.5 and 1: below, the scheme is unstable.")
    if not known(formulation, FORMULATIONS):
        raise SceneError("simulate: " + unknown("formulation", formulation, FORMULATIONS))
    if not whole(max_iterations) or not 1 <= max_iterations < 2**31:
        raise SceneError(f"simulate: max_iterations = {max_iterations!r} must be a whole number >= 1, below 2**31.")
    return step_count(duration, time_step)


def _check_scheme(scheme: Any, theta: float, formulation: str) -> None:
    if not known(scheme, SCHEMES):
        raise SceneError("simulate: " + unknown("scheme", scheme, SCHEMES))
    if scheme == "moreau-midpoint" and (theta != 0.5 or formulation in ("compliant", "history")):
        raise SceneError(
            f"simulate: scheme = 'moreau-midpoint' is for theta = 0.5 and rigid contacts, not for theta = {theta:g} and "
            f"formulation = {formulation!r}. Leave scheme out."
        )


def _check_theta(theta: float, formulation: str) -> None:
    if formulation == "history" and theta != THETA:
        raise SceneError(
            f"simulate: theta = {theta:g}, but formulation = 'history' takes explicit steps, without theta. Leave theta out."
        )


def _check_impact(impact: Any, formulation: str) -> None:
    if not known(impact, IMPACTS):
        raise SceneError("simulate: " + unknown("impact", impact, IMPACTS))
    if impact != "newton" and formulation in ("compliant", "history"):
        raise SceneError(
            f"simulate: impact = {impact!r} is for rigid contacts; with formulation = {formulation!r} springs decide how bodies "
            'bounce together. Leave impact out, or use formulation = "exact".'
        )


# --- solvers ----------------------------------------------------------------------------------------


def the_solver(given: Any, formulation: str) -> Solver | None:
    """The solver of a name, class, instance or recorded table; None for "auto", the steps' own."""
    if isinstance(given, str) and given == "auto":
        return None
    from trundle.solve.api import SOLVERS, solver_named

    if isinstance(given, str) and given not in SOLVERS:
        raise SceneError("simulate: " + unknown("solver", given, SOLVERS))
    if isinstance(given, dict):
        given = dict(given)
        if not known(given.get("name"), SOLVERS):
            raise SceneError("simulate: " + unknown("solver", given.get("name"), SOLVERS))
        chosen = solver_named(given.pop("name"), **given)
    else:
        chosen = solver_named(given)
    if formulation == "history":
        raise SceneError(
            f"simulate: solver = {chosen.name!r}, but formulation = 'history' solves no contact problem. Leave solver out."
        )
    if formulation not in chosen.formulations:
        raise SceneError(
            f"simulate: solver = {chosen.name!r} cannot honour formulation = {formulation!r}, only "
            f"{', '.join(chosen.formulations)}."
        )
    return chosen


def _described(solver: Solver | None) -> Any:
    """What a recording keeps of a solver."""
    if solver is None:
        return "auto"
    from trundle.solve.api import SOLVERS

    if type(solver) is not SOLVERS.get(solver.name):
        return {"own": type(solver).__name__}
    changed = {field.name: getattr(solver, field.name) for field in fields(solver)}
    return solver.name if solver == type(solver)() and solver.name != "auto" else {"name": solver.name, **changed}


# --- threads and frames -----------------------------------------------------------------------------


def check_threads(place: str, threads: Any) -> None:
    """Raise if threads is neither None nor a number of threads."""
    whole = isinstance(threads, (int, np.integer)) and not isinstance(threads, bool)
    if threads is not None and not (whole and threads >= 1):
        most = int(numba.config.NUMBA_NUM_THREADS)
        raise SceneError(
            f"{place}: threads = {threads!r} must be a whole number between 1 and {most}, the number of cores; larger ones "
            f"count as {most}. Leave it out for all of them."
        )


@contextmanager
def at_most_threads(count: int | None) -> Iterator[None]:
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
        if not real(rate) or rate <= 0.0:
            raise SceneError(f"simulate: frames_per_second = {rate!r} must be a positive number [1/s].")
        return max(1, round(1.0 / (float(rate) * time_step)))
    if every is None:
        return 1 if bodies <= MOST_ROWS * time_step else max(1, round(FRAME_TIME / time_step))
    if not whole(every) or every < 1:
        raise SceneError(f"simulate: every = {every!r} must be a whole number >= 1.")
    return int(every)
