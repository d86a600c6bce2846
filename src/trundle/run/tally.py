"""What all steps of a run have to say together, counted as they come: a run of a day needs no more room than one of a second."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from trundle.step.report import GAINS, LOSSES, STORED

LASTING = 100  # steps, or a tenth of a run, that a gain must last: springs and corrections of positions give and take
BLOCK = 10 * LASTING  # rows that are looked at together

Array = NDArray[np.float64]


class Tally:
    """Sums and extremes over rows that hold the columns of the tables `steps` and `energy`.

    steps: how many; missed: how many of them missed the tolerance; worst_residual, worst_time [s]: of the worst of these;
    kinetic: the largest [J]; external: work that went in or out [J]; dissipated, numerical [J]: lost in all;
    impact_gain [J]: what friction and impacts gained in all, most of it, impact_most [J], at impact_time [s].
    """

    def __init__(self) -> None:
        self.steps = self.missed = 0
        self.worst_residual, self.worst_time = -np.inf, 0.0
        self.kinetic = self.external = self.dissipated = self.numerical = 0.0
        self.impact_gain, self.impact_most, self.impact_time = 0.0, 0.0, 0.0
        self._waiting: list[NDArray[np.void]] = []
        self._count = 0  # rows that wait
        self._brought = 0.0  # energy that came from outside so far
        self._left, self._times = np.zeros(0), np.zeros(0)  # stored less brought, of the latest steps
        self._lowest = np.inf  # of `left` before those
        self._rise: tuple[float, float] = (-np.inf, 0.0)  # the largest lasting one, and when it began

    def add(self, rows: NDArray[np.void]) -> None:
        """Count some rows; they must not change afterwards."""
        self._waiting.append(rows)
        self._count += len(rows)
        if self._count >= BLOCK:
            self._look()

    def _look(self) -> None:
        if not self._count:
            return
        rows = np.concatenate(self._waiting) if len(self._waiting) > 1 else self._waiting[0]
        self._waiting, self._count = [], 0
        self._look_at_tolerance(rows)
        self._look_at_energy(rows)
        self._look_at_rises(rows)
        self.steps += len(rows)

    def _look_at_tolerance(self, rows: NDArray[np.void]) -> None:
        missed = rows[~rows["converged"]]
        self.missed += len(missed)
        if len(missed):
            worst = int(np.argmax(missed["residual"]))
            if missed["residual"][worst] > self.worst_residual:
                self.worst_residual, self.worst_time = float(missed["residual"][worst]), float(missed["time"][worst])

    def _look_at_energy(self, rows: NDArray[np.void]) -> None:
        self.kinetic = max(self.kinetic, float(rows["kinetic"].max()))
        self.external += float(np.abs(rows["external"]).sum())
        self.numerical += float(rows["numerical"].sum())
        physical = _sum(rows, [name for name in LOSSES if name != "numerical"])
        self.dissipated += float(physical[physical > 0.0].sum())
        loss = rows["sliding"] + rows["rolling"] + rows["spinning"] + rows["impact"]
        self.impact_gain -= float(loss[loss < 0.0].sum())
        worst = int(np.argmin(loss))
        if loss[worst] < self.impact_most:
            self.impact_most, self.impact_time = float(loss[worst]), float(rows["time"][worst])

    def _look_at_rises(self, rows: NDArray[np.void]) -> None:
        brought = np.cumsum(np.concatenate([[self._brought], _sum(rows, GAINS)]))[1:]
        left, times = _sum(rows, STORED) - brought, rows["time"]
        self._brought = float(brought[-1])
        if not self.steps:  # from the start on
            left = np.concatenate([[left[0] + _sum(rows[:1], LOSSES)[0]], left])
            times = np.concatenate([times[:1], times])
        self._left, self._times = np.concatenate([self._left, left]), np.concatenate([self._times, times])
        if len(self._left) >= BLOCK:
            self._rise = self._largest_rise(LASTING)
            done = len(self._left) - LASTING + 1  # those behind may rise by what is still to come
            self._lowest = min(self._lowest, float(self._left[:done].min()))
            self._left, self._times = self._left[done:].copy(), self._times[done:].copy()

    def _largest_rise(self, window: int) -> tuple[float, float]:
        """The largest rise of `left` from its lowest value so far that lasts a window of steps, and when it began."""
        count = len(self._left) - window + 1
        if count < 1:
            return self._rise
        lasting = _least_ahead(self._left, window)
        lowest = np.minimum.accumulate(np.concatenate([[self._lowest], self._left[:count]]))[1:]
        worst = int(np.argmax(lasting - lowest))
        return max(self._rise, (float(lasting[worst] - lowest[worst]), float(self._times[worst])), key=lambda r: r[0])

    def close(self) -> None:
        """Count what has come so far; more may come, of another type of rows, too."""
        self._look()

    @property
    def turned_over(self) -> float:
        """The largest kinetic energy, the work of loads and motors, and what was dissipated [J]."""
        return self.kinetic + self.external + self.dissipated

    def rise(self) -> tuple[float, float]:
        """Energy that nothing brought [J]: what is stored, less what was brought, can only fall; and since when it rises [s]."""
        window = LASTING if self.steps + 1 >= BLOCK else max(1, (self.steps + 1) // 10)
        return self._largest_rise(window)


def _sum(rows: NDArray[np.void], names: Iterable[str]) -> Array:
    total: Array = np.sum([rows[name] for name in names], axis=0)
    return total


def _least_ahead(values: Array, window: int) -> Array:
    """The least of every `window` consecutive values, shape (n - window + 1,); van Herk's two running minima per block."""
    blocks = np.pad(values, (0, -len(values) % window), constant_values=np.inf).reshape(-1, window)
    to_here = np.minimum.accumulate(blocks, axis=1).ravel()
    from_here = np.minimum.accumulate(blocks[:, ::-1], axis=1)[:, ::-1].ravel()
    last = len(values) - window + 1
    return np.minimum(from_here[:last], to_here[window - 1 :][:last])
