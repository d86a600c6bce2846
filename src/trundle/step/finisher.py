"""Sweeps of the compiled stages as the matrix methods ask for them, and what finishes an impact."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from trundle.contact.rigid import RigidProblem
from trundle.kernels.space import run_stages
from trundle.solve.policy import POLICY
from trundle.solve.turns import take_turns
from trundle.space import Space, addresses
from trundle.step.kernels import places, solution

Array = NDArray[np.float64]
LIMITS = [places.LIMIT, places.SMALL_ENOUGH, places.LARGE_LIMIT]


def sweep_on(space: Space, count: int) -> None:
    """So many sweeps more at most, from the present impulses of a space."""
    numbers = space["numbers"]
    kept = numbers[LIMITS]
    numbers[LIMITS] = 0, 0, count
    run_stages(space.at, addresses([solution.solve_links]), 0, np.zeros(1, np.int64), 1)
    numbers[LIMITS] = kept


def sweep_in(space: Space, problem: RigidProblem, p: Array, count: int) -> tuple[Array, int]:
    """Impulses p' (6 C,) after so many sweeps from p, and how many it were."""
    numbers, links = space["numbers"], len(problem)
    before = int(numbers[places.SWEEPS])
    space["impulse"][:links] = problem.keep(p)
    sweep_on(space, count)
    return problem.from_rows(space["impulse"][:links]), int(numbers[places.SWEEPS]) - before


def finish_impact(space: Space, problem: RigidProblem, tolerance: float, budget: int) -> tuple[Array, int]:
    """Impulses (C, 6) of an impact in SI units by `take_turns`, from what its sweeps found, and the work in sweeps."""
    options, start = space["options"], problem.from_rows(space["impulse"][: len(problem)])
    kept = options[places.TOLERANCE]
    options[places.TOLERANCE] = POLICY.share_of_tolerance * tolerance
    work = max(POLICY.work_per_contact * len(problem), POLICY.work_of_sweep)
    p, used = take_turns(problem, start, tolerance, budget, partial(sweep_in, space, problem), work)
    options[places.TOLERANCE] = kept
    return problem.keep(p), used
