"""`simulate`: from a scene to a run."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import astuple, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.detect.contacts import Detector
from trundle.errors import SceneError, TrundleWarning, unknown
from trundle.scene.checks import check_start, step_count
from trundle.scene.model import Model, State, build_model
from trundle.scene.scene import Scene
from trundle.step.moreau_jean import MoreauJean
from trundle.step.report import Ledger, StepReport

Array = NDArray[np.float64]
FORMULATIONS = ("exact", "relaxed", "compliant")

LEDGER_TYPE = np.dtype([("time", float), *((field.name, float) for field in fields(Ledger))])
STEP_TYPE = np.dtype(
    [("time", float), ("contacts", int), ("residual", float), ("iterations", int), ("converged", bool)]
)


@dataclass(frozen=True, eq=False)
class Run:
    """States over time and what happened in between.

    time (T,) [s], with the start; energy: the ledger, a table with one row per step (see `Ledger`) [J];
    steps: contacts, residual, iterations and converged of every step.
    """

    model: Model
    time: Array
    states: dict[str, Array]
    energy: NDArray[np.void]
    steps: NDArray[np.void]
    final: State

    def _of(self, quantity: str, name: str) -> Array:
        if name not in self.model.names:
            raise SceneError(unknown("body", name, self.model.names))
        return self.states[quantity][:, self.model.names.index(name)]

    def position(self, name: str) -> Array:
        """Centre of mass of a body [m], shape (T, 3)."""
        return self._of("position", name)

    def orientation(self, name: str) -> Array:
        """Quaternion (w, x, y, z) of a body, shape (T, 4)."""
        return self._of("orientation", name)

    def velocity(self, name: str) -> Array:
        """Velocity of a body's centre of mass [m/s], shape (T, 3)."""
        return self._of("velocity", name)

    def angular_velocity(self, name: str) -> Array:
        """Angular velocity of a body [rad/s], world frame, shape (T, 3)."""
        return self._of("angular_velocity", name)


def simulate(
    scene: Scene,
    duration: float,
    time_step: float,
    *,
    theta: float = 0.5,
    formulation: str = "exact",
    tolerance: float = 1e-8,
    max_iterations: int = 20_000,
    every: int = 1,
    progress: Callable[[StepReport, State], None] | None = None,
) -> Run:
    """Simulate a scene for `duration` [s] with steps of `time_step` [s].

    Parameters
    ----------
    theta : 1/2 (default, second order between contacts' events) to 1 (damps; for piles)
    formulation : "exact" or "relaxed"
    tolerance : residual of every step's contact problem, relative to the free velocity [-]
    every : keep every n-th state
    progress : called after every step

    Returns
    -------
    Run
        A step that missed the tolerance is marked in `run.steps` and reported as a warning, never silent.
    """
    count = _check(duration, time_step, theta, formulation, tolerance, every)
    model, state = build_model(scene)
    check_start(scene, model, state, time_step, Detector(model).detect)
    stepper = MoreauJean(model, theta=theta, tolerance=tolerance, max_sweeps=max_iterations, formulation=formulation)
    kept = [state.copy()]
    energy, steps = np.zeros(count, LEDGER_TYPE), np.zeros(count, STEP_TYPE)
    for k in range(count):
        report = stepper.step(state, time_step)
        state.time = (k + 1) * time_step
        solution = report.solution
        energy[k] = (state.time, *astuple(report.ledger))
        steps[k] = (state.time, len(report.contacts), solution.residual, solution.iterations, solution.converged)
        if (k + 1) % every == 0:
            kept.append(state.copy())
        if progress is not None:
            progress(report, state)
    _warn_missed(steps, tolerance)
    states = {name: np.array([getattr(s, name) for s in kept]) for name in _QUANTITIES}
    return Run(model, np.array([s.time for s in kept]), states, energy, steps, state)


_QUANTITIES = ("position", "orientation", "velocity", "angular_velocity")


def _check(duration: Any, time_step: Any, theta: Any, formulation: str, tolerance: Any, every: Any) -> int:
    """Number of steps, or an error that says what is wrong."""
    for name, value, unit in (
        ("duration", duration, "s"),
        ("time_step", time_step, "s"),
        ("tolerance", tolerance, "-"),
    ):
        if not isinstance(value, (int, float, np.number)) or not np.isfinite(value) or value <= 0.0:
            raise SceneError(f"simulate: {name} = {value!r} must be a positive number [{unit}].")
    if time_step > duration:
        raise SceneError(f"simulate: time_step = {time_step:g} s is longer than duration = {duration:g} s.")
    if not 0.5 <= float(theta) <= 1.0:
        raise SceneError(f"simulate: theta = {theta!r} must lie between 0.5 and 1: below, the scheme is unstable.")
    if formulation not in FORMULATIONS:
        raise SceneError("simulate: " + unknown("formulation", formulation, FORMULATIONS))
    if not isinstance(every, (int, np.integer)) or every < 1:
        raise SceneError(f"simulate: every = {every!r} must be a whole number >= 1.")
    return step_count(duration, time_step)


def _warn_missed(steps: NDArray[np.void], tolerance: float) -> None:
    missed = ~steps["converged"]
    if np.any(missed):
        worst = int(np.argmax(np.where(missed, steps["residual"], 0.0)))
        warnings.warn(
            f"{int(missed.sum())} of {len(steps)} steps missed the tolerance {tolerance:.1e}; the worst, at "
            f"t = {steps['time'][worst]:g} s, has a residual of {steps['residual'][worst]:.1e}.",
            TrundleWarning,
            stacklevel=3,
        )
