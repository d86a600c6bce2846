"""What a run should tell its user: overlaps, bodies that passed through others, missed tolerances, gains of energy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from trundle.scene.geometry import inner_radius
from trundle.scene.model import Model, State
from trundle.step.report import StepReport

if TYPE_CHECKING:
    from trundle.detect.contacts import Detector

DEEP = 0.1  # overlap, relative to the smaller body, that the user should know about
FAST = 0.25  # way within a step, relative to the smallest body, from which on it may have passed through another
GAIN = 1e-3  # energy that impacts gained, relative to the largest kinetic energy, that the user should know about
MOST_NAMED = 3


def make_detector(model: Model) -> Detector:
    """What finds the contacts of a state."""
    from trundle.detect.contacts import Detector  # here, for its kernels take a tenth of a second to import

    return Detector(model)


class Watch:
    """Collects what is not as it should be."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._detector = make_detector(model)
        inner = np.array([inner_radius(shape) if shape.kind >= 0 else 0.0 for shape in model.shapes])
        self._size = np.where(inner > 0.0, inner, np.inf)
        self._least = float(np.min(self._size, initial=np.inf))
        self.overlaps = 0
        self._worst: tuple[float, float, float, int, int] | None = None
        self.passed: dict[tuple[int, int], float] = {}  # bodies that passed through each other, and when first

    def look(self, report: StepReport, before: State, after: State) -> None:
        """Notice bodies that have got into each other, or through each other."""
        if np.abs(after.position - before.position).max() > FAST * self._least:
            missed = self._detector.missed(before, after)
            for a, b in missed[~self._model.joined(missed)]:
                self.passed.setdefault((int(a), int(b)), after.time)
        gap = report.contacts.gap
        if not len(gap) or gap.min() > -DEEP * self._least:
            return
        body = report.contacts.body
        share = -gap / np.min(self._size[body], axis=1)
        i = int(np.argmax(share))
        if share[i] > DEEP:
            self.overlaps += 1
            if self._worst is None or share[i] > self._worst[0]:
                self._worst = float(share[i]), float(-gap[i]), after.time, int(body[i, 0]), int(body[i, 1])

    def say(
        self, steps: NDArray[np.void], energy: NDArray[np.void], tolerance: float, waiting: dict[str, int]
    ) -> list[str]:
        """All of it, in words."""
        said = self._gains(energy)
        missed = ~steps["converged"]
        if np.any(missed):
            worst = int(np.argmax(np.where(missed, steps["residual"], 0.0)))
            said.append(
                f"{int(missed.sum())} of {len(steps)} steps missed the tolerance {tolerance:.1e}; the worst, at "
                f"t = {steps['time'][worst]:g} s, has a residual of {steps['residual'][worst]:.1e}."
            )
        names = self._model.names
        for (a, b), when in sorted(self.passed.items(), key=lambda item: item[1])[:MOST_NAMED]:
            said.append(
                f"'{names[a]}' and '{names[b]}' passed through each other at t = {when:g} s. Use a smaller time step."
            )
        if len(self.passed) > MOST_NAMED:
            said.append(f"{len(self.passed) - MOST_NAMED} more pairs of bodies passed through each other.")
        if self._worst is not None:
            share, depth, when, a, b = self._worst
            said.append(
                f"bodies overlap in {self.overlaps} steps; the worst, '{names[a]}' and '{names[b]}' at t = {when:g} s, by "
                f"{depth:.2g} m, {100.0 * share:.0f} % of the smaller one. Use a smaller time step."
            )
        for name, count in waiting.items():
            said.append(
                f"emitter '{name}': {count} bodies that were due at the end found no room. Pour more slowly, or from a "
                "larger region."
            )
        return said

    def _gains(self, energy: NDArray[np.void]) -> list[str]:
        """Impacts that gained energy: where slip turns around in an impact, Newton's restitution may do that."""
        if not np.any(self._model.restitution > 0.0) or not len(energy):
            return []
        loss = energy["sliding"] + energy["rolling"] + energy["spinning"] + energy["impact"]
        gain, worst = -float(loss[loss < 0.0].sum()), int(np.argmin(loss))
        if gain <= GAIN * float(energy["kinetic"].max()):
            return []
        return [
            f"impacts gained {gain:.2g} J in all, most at t = {energy['time'][worst]:g} s ({-loss[worst]:.2g} J): Newton's "
            "restitution may do that together with friction, where slip turns around. Use a smaller restitution."
        ]
