"""Step sizes of the methods that treat all contacts at once."""

from __future__ import annotations

import numpy as np

from trundle.contact.scaled import ScaledProblem
from trundle.solve.preparation import Steps

POWER_ITERATIONS = 60


def largest_eigenvalue(problem: ScaledProblem, metric: np.ndarray | None = None) -> float:
    """Largest eigenvalue of the scaled W, or of D W D with D = sqrt(metric), by the power method; 1 if W = 0."""
    root = np.ones(len(problem.q)) if metric is None else np.sqrt(metric)
    x = np.ones(len(root)) + 0.01 * np.cos(np.arange(len(root)))
    value = 0.0
    for _ in range(POWER_ITERATIONS):
        size = float(np.linalg.norm(x))
        if size == 0.0:
            break
        x = root * (problem.matrix @ (root * (x / size)))
        value = float(np.linalg.norm(x))
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
