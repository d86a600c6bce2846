"""What a run should tell its user: overlaps, bodies that passed through others, missed tolerances, gains of energy."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from trundle.kinds import HEIGHT_FIELD, MESH
from trundle.run.tally import Tally
from trundle.scene.lost import lost_bodies
from trundle.scene.model import Model, State
from trundle.step.report import StepRows
from trundle.step.stepper import FAST, Stepper

if TYPE_CHECKING:
    from trundle.detect.contacts import Detector

DEEP = 0.1  # overlap, relative to the smaller body, that the user should know about
GAIN_IN_IMPACTS = (
    1e-3  # energy that impacts gained, relative to the largest kinetic energy, that the user should know about
)
GAIN = 0.02  # energy that appeared, relative to what was turned over, that the user should know about
NUMERICAL = 1e-3  # energy that a scheme which should keep it lost or gained, likewise
LIFT = 1e-4  # gains that would lift all bodies by so much of their sizes are nothing to talk about
MOST_NAMED = 3


def make_detector(model: Model) -> Detector:
    """What finds the contacts of a state."""
    from trundle.detect.contacts import Detector  # here, for its kernels take a tenth of a second to import

    return Detector(model)


def share_of(energy: float, turned_over: float) -> str:
    """How much an energy [J] is of that which was turned over, in words."""
    if energy > turned_over:
        return f"more than the {turned_over:.2g} J that were turned over"
    return f"{100.0 * energy / turned_over:.2g} % of the energy that was turned over"


class Watch:
    """Collects what is not as it should be, from the rows of the steps."""

    def __init__(self, model: Model, stepper: Stepper, formulation: str, start: State) -> None:
        self._model, self._size = model, model.size
        soft = formulation in ("compliant", "history")
        self._remedy = "stiffer springs, or a smaller time step" if soft else "a smaller time step"
        # theta = 1 and springs damp as the user wants it, relaxed contacts lift bodies as their theory says
        self._keeps = formulation == "exact" and getattr(stepper, "theta", 1.0) < 1.0
        self._damping = "more damping" if formulation == "history" else "theta = 1"
        self._terrain = bool(np.any(np.isin(model.kind, (MESH, HEIGHT_FIELD))))
        self._outside = self._falling(start) if self._terrain else np.zeros(0, np.int64)  # those that never were on it
        self.tally = Tally()
        self.overlaps = 0
        self._worst: tuple[float, float, int, int] | None = None
        self.passed: dict[tuple[int, int], float] = {}  # bodies that passed through each other, and when first

    @cached_property
    def _detector(self) -> Detector:
        return make_detector(self._model)

    def look(self, rows: StepRows, before: State | None, after: State) -> None:
        """Notice bodies that have got into each other, or through each other in the last of these steps, from `before`."""
        self.tally.add(rows)
        if before is not None and rows["way"][-1] > FAST:
            missed = self._detector.missed(before, after)
            for a, b in missed[~self._model.meetings.never(missed)]:
                self.passed.setdefault((int(a), int(b)), after.time)
        i = int(np.argmax(rows["overlap"]))
        worst = rows[i]
        if worst["overlap"] > DEEP:
            self.overlaps += int(np.count_nonzero(rows["overlap"] > DEEP))
            if self._worst is None or worst["overlap"] > self._worst[0]:
                self._worst = float(worst["overlap"]), float(worst["time"]), int(worst["one"]), int(worst["other"])

    def say(self, tolerance: float, waiting: dict[str, int]) -> list[str]:
        """All of it, in words."""
        tally = self.tally
        tally.close()
        said = self._gains_in_impacts() or self._gains() or self._numerical()
        if tally.missed:
            said.append(
                f"{tally.missed} of {tally.steps} steps missed the tolerance {tolerance:.1e}; the worst, at "
                f"t = {tally.worst_time:g} s, has a residual of {tally.worst_residual:.1e}."
            )
        names = self._model.names
        for (a, b), when in sorted(self.passed.items(), key=lambda item: item[1])[:MOST_NAMED]:
            said.append(
                f"'{names[a]}' and '{names[b]}' passed through each other at t = {when:g} s. Use a smaller time step."
            )
        if len(self.passed) > MOST_NAMED:
            said.append(f"{len(self.passed) - MOST_NAMED} more pairs of bodies passed through each other.")
        if self._worst is not None:
            share, when, a, b = self._worst
            depth = share * min(self._size[a], self._size[b])
            said.append(
                f"bodies overlap in {self.overlaps} steps; the worst, '{names[a]}' and '{names[b]}' at t = {when:g} s, by "
                f"{depth:.2g} m, {100.0 * share:.0f} % of the smaller one. Use {self._remedy}."
            )
        for name, count in waiting.items():
            said.append(
                f"emitter '{name}': {count} bodies that were due at the end found no room. Pour more slowly, or from a "
                "larger region."
            )
        return said

    def lost(self, state: State) -> list[str]:
        """Bodies that have left the terrain and fall for ever, in words."""
        if not self._terrain:
            return []
        lost = np.setdiff1d(lost_bodies(self._model, state), self._outside)
        names = ", ".join(f"'{self._model.names[i]}'" for i in lost[:MOST_NAMED])
        more = f" and {len(lost) - MOST_NAMED} more bodies" if len(lost) > MOST_NAMED else ""
        return [f"{names}{more} left the terrain: nothing stops the fall. Use a larger terrain."] if len(lost) else []

    def _falling(self, start: State) -> NDArray[np.int64]:
        """Bodies that are lost as soon as they begin to fall."""
        state = start.copy()
        state.velocity += 1e-9 * self._model.gravity
        return lost_bodies(self._model, state)

    def _gains_in_impacts(self) -> list[str]:
        """Impacts that gained energy: where slip turns around in an impact, Newton's restitution may do that."""
        tally = self.tally
        if not np.any(self._model.restitution > 0.0) or tally.impact_gain <= GAIN_IN_IMPACTS * tally.kinetic:
            return []
        return [
            f"impacts gained {tally.impact_gain:.2g} J in all, most at t = {tally.impact_time:g} s ({-tally.impact_most:.2g} J): "
            "Newton's restitution may do that together with friction, where slip turns around. Use a smaller restitution."
        ]

    def _gains(self) -> list[str]:
        """Energy that nothing brought, compared with the energy that was turned over."""
        (gain, when), turned_over = self.tally.rise(), self.tally.turned_over
        if gain <= GAIN * turned_over or gain <= self._lift:
            return []
        return [
            f"the time discretisation gained {gain:.2g} J until t = {when:g} s, {share_of(gain, turned_over)}. "
            f"Use a smaller time step, or {self._damping}."
        ]

    def _numerical(self) -> list[str]:
        """What the time discretisation lost or gained in all, where it should do neither."""
        lost, turned_over = self.tally.numerical, self.tally.turned_over
        if not self._keeps or abs(lost) <= max(NUMERICAL * turned_over, self._lift):
            return []
        what, share = "lost" if lost > 0.0 else "gained", share_of(abs(lost), turned_over)
        return [f"the time discretisation {what} {abs(lost):.2g} J in all, {share}. Use a smaller time step."]

    @property
    def _lift(self) -> float:
        """Energy [J] that lifts all bodies by a small share of their sizes."""
        free = np.isfinite(self._model.mass)
        size = np.where(np.isfinite(self._size), self._size, self._model.radius)[free]
        return LIFT * float(np.linalg.norm(self._model.gravity)) * float(np.sum(self._model.mass[free] * size))
