"""The contract of a solver."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from trundle.contact.scaled import ScaledProblem
from trundle.kinds import SOLVED_FORMULATIONS
from trundle.solve.monitor import Monitor

Array = NDArray[np.float64]


def norm(x: Array) -> float:
    """|x| on one thread: for long vectors BLAS takes several, which costs more than it saves, and bits depend on how many."""
    return math.sqrt(float(np.sum(x * x)))


@dataclass(frozen=True)
class Solver:
    """Base of all solvers: a frozen dataclass whose fields are its options.

    A subclass gives `name`, what a user types; `default_iterations`, the limit when the user sets none; `formulations`
    that it can honour; `by_cones`, whether it projects onto cones of whole contacts, which friction with a potential of another
    roundness has not; and `run`, which starts from `p` (in the units of `problem`), reports iterates to `monitor`
    after every batch and returns when `monitor.done`.  It never grades itself: the residual is the problem's, and
    `solve` keeps the best iterate that was reported.
    """

    name: ClassVar[str] = ""
    default_iterations: ClassVar[int] = 100_000
    formulations: ClassVar[tuple[str, ...]] = SOLVED_FORMULATIONS
    by_cones: ClassVar[bool] = False

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        """Improve p in place until `monitor.done`."""
        raise TypeError(f"{type(self).__name__} has no run method.")
