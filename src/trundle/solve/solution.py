"""What a solver returns."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from trundle.contact.problem import ContactProblem

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ContactSolution:
    """Impulses and velocities of a contact problem, with the residual to prove them.

    p : impulses [N s, N m s], shape (m,) ; y : velocities W p + q [m/s, rad/s], shape (m,)
    residual : `problem.residual(p)`, computed by the problem, not by the solver
    iterations : sweeps, steps or factorisations of the solver ; converged : residual <= tolerance
    message : how it ended, in words ; solve_time : wall time [s] ; solver : its name
    history : (iteration, residual) pairs, shape (k, 2), if asked for
    """

    problem: ContactProblem = field(repr=False)
    p: Array
    y: Array
    residual: float
    iterations: int
    converged: bool
    message: str
    solve_time: float
    solver: str
    history: Array | None = field(default=None, repr=False)

    @property
    def modes(self) -> NDArray[np.str_]:
        """Name of the state of each contact."""
        return self.problem.modes(self.p)

    def __bool__(self) -> bool:
        return self.converged
