"""Step sizes of the methods that treat all contacts at once."""

from __future__ import annotations

import numpy as np

from trundle.contact.scaled import ScaledProblem
from trundle.solve.base import Array, norm
from trundle.solve.preparation import Steps

POWER_ITERATIONS = 60
LONGEST = 1e6  # times the first step: without a bound the impulses of a problem without a solution overflow


def largest_eigenvalue(problem: ScaledProblem, metric: np.ndarray | None = None) -> float:
    """Largest eigenvalue of the scaled W, or of D W D with D = sqrt(metric), by the power method; 1 if W = 0."""
    root = np.ones(len(problem.q)) if metric is None else np.sqrt(metric)
    x = np.ones(len(root)) + 0.01 * np.cos(np.arange(len(root)))
    value = 0.0
    for _ in range(POWER_ITERATIONS):
        size = norm(x)
        if size == 0.0:
            break
        x = root * (problem.matrix @ (root * (x / size)))
        value = norm(x)
    return value or 1.0


def safe_share(problem: ScaledProblem, steps: Steps) -> float:
    """Share of every contact's own steps at which a step of all contacts at once is stable.

    1 / (largest eigenvalue of W in the metric of the steps), and less where friction feeds back into the normal part:
    the bound of a friction block moves with r_n at rate mu.
    """
    contact, block, coef = problem.laws[:3]
    row = contact[:, 0]
    metric = np.repeat(steps.rho, np.diff(row))
    for b, (_, first, size, _) in enumerate(block):
        metric[first : first + size] = steps.step[b]
    feedback = 1.0 + float(np.max(np.where(block[:, 0] == 0, 0.0, coef[:, 0]), initial=0.0))
    return 1.0 / max(1.0, 1.02 * largest_eigenvalue(problem, metric)) / feedback


class AdaptiveStep:
    """A step rho that follows the Lipschitz constant of F(p) = W p + q + g(W p + q); Khobotov's and Marcotte's rule.

    It shrinks by `shrink` until rho |F(p) - F(p~)| <= `ratio` |p - p~|, p~ = proj_K(p - rho F(p)), and grows by 1 / shrink for
    the next trial where it is below `low`.  used: the step of the last trial.
    """

    def __init__(self, problem: ScaledProblem, ratio: float, low: float, shrink: float, first: float = 1.0) -> None:
        self._problem, self._ratio, self._low, self._shrink = problem, ratio, low, shrink
        self._next = self.used = first / largest_eigenvalue(problem)
        self._longest = LONGEST * self._next

    def trial(self, p: Array, slope: Array) -> tuple[Array, Array]:
        """p~ and F(p~), where `slope` is F(p)."""
        problem, rho = self._problem, self._next
        while True:
            trial = problem.project(p - rho * slope)
            moved = norm(trial - p)
            there = problem.corrected(problem.velocity(trial))
            ratio = rho * norm(there - slope) / moved if moved > 0.0 else self._low
            if ratio <= self._ratio or rho < 1e-300:
                break
            rho *= self._shrink * min(1.0, 1.0 / ratio)
        self.used = rho
        self._next = min(rho / self._shrink if ratio < self._low else rho, self._longest)
        return trial, there
