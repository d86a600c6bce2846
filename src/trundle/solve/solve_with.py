"""Any solver in a time step."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from trundle.contact.rigid import RigidProblem
from trundle.solve.api import solve
from trundle.solve.base import Solver
from trundle.solve.rigid import StepSolution

Array = NDArray[np.float64]


def solve_with(
    solver: str | Solver | type[Solver], problem: RigidProblem, guess: Array, tolerance: float, max_iterations: int
) -> StepSolution:
    """Solve the problem of a step with a solver of `trundle.solve`, or a user's own, from the guess p' (6 C,).

    The step's problem becomes a `ContactProblem` and its solution is put back; the residual is that of the step's problem.
    A solver that cannot honour the formulation raises `SolverError`.
    """
    if not len(problem) or problem.still:
        return StepSolution(np.zeros_like(guess), problem.v_free.copy(), 0.0, 0, True)
    begun = time.process_time()
    given = problem.to_problem_rows(guess)
    found = solve(
        problem.to_problem(), solver, tolerance=tolerance, max_iterations=max_iterations, guess=given, progress=False
    )
    p = problem.from_problem_rows(found.p)
    v = problem.body_velocity(p)
    residual = problem.residual(p, v)
    return StepSolution(p, v, residual, found.iterations, residual <= tolerance, time.process_time() - begun)
