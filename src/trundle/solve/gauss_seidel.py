"""Block Gauss-Seidel: one contact after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from trundle.contact.scaled import ScaledProblem
from trundle.errors import SolverError, unknown
from trundle.solve.base import Array, Solver
from trundle.solve.kernels import sweeps as kernels
from trundle.solve.local import exact_sweeps
from trundle.solve.monitor import Monitor
from trundle.solve.preparation import prepare

LOCAL_STEPS = ("decoupled", "exact", "fixed-point")


def sweep_arguments(problem: ScaledProblem, relaxation: float, coupled: bool) -> tuple[Any, ...]:
    """Arguments of the sweep kernels, up to p."""
    steps = prepare(problem)
    local = kernels.COUPLED if coupled or problem.relaxed else kernels.DECOUPLED
    return (
        *problem.laws, problem.table.weight, *problem.blocks, steps.diagonal, problem.q,
        steps.rho, steps.step, steps.inverse, steps.inverse_at, relaxation, local, problem.relaxed,
    )  # fmt: skip


@dataclass(frozen=True)
class GaussSeidel(Solver):
    """Block Gauss-Seidel, Acary & Bourrier (2021), eqs. (66)-(67).

    local : how the one-contact problem is treated.
        "decoupled" (default): r_n <- max(0, r_n - u_n / W_nn), then every friction block projected onto r_n C
        (the relaxed problem has no such form: there it is "fixed-point");
        "exact": solved to round-off by Newton's method; for few contacts;
        "fixed-point": by the paper's projected fixed point (64) on the cone, with a self-adaptive step.
    relaxation : over-relaxation factor in (0, 2), of "decoupled".
    local_tolerance : "fixed-point" ends at a contact when an iteration changes it by this share of the first [-].
    local_iterations : iterations of "fixed-point" at a contact, at most.
    """

    name: ClassVar[str] = "gauss-seidel"
    local: str = "decoupled"
    relaxation: float = 1.0
    local_tolerance: float = 1e-3
    local_iterations: int = 100

    def __post_init__(self) -> None:
        if self.local not in LOCAL_STEPS:
            raise SolverError("gauss-seidel: " + unknown("local step", self.local, LOCAL_STEPS))
        if not 0.0 < self.relaxation < 2.0:
            raise SolverError(f"gauss-seidel: relaxation = {self.relaxation:g} must lie between 0 and 2.")
        if self.local == "fixed-point" and self.relaxation != 1.0:
            raise SolverError('gauss-seidel: relaxation is an option of local="decoupled". Leave it out.')
        if not 0.0 <= self.local_tolerance < 1.0 or self.local_iterations < 1:
            raise SolverError(
                f"gauss-seidel: local_tolerance = {self.local_tolerance:g} must lie in [0, 1), local_iterations = "
                f"{self.local_iterations} must be at least 1."
            )

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        if self.local == "exact":
            exact_sweeps(problem, p, monitor)
            return
        if self.local == "fixed-point":
            self._solve_contacts(problem, p, monitor)
            return
        arguments = sweep_arguments(problem, self.relaxation, False)
        y, work = np.empty_like(p), np.empty_like(p)
        while not monitor.done:
            count = kernels.gauss_seidel(*arguments, p, y, work, monitor.batch(), monitor.goal)
            monitor.report(p, count)

    def _solve_contacts(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        """Sweeps that solve (67) at every contact by the fixed point (64)."""
        from trundle.solve.kernels.local_fixed_point import fixed_point_sweeps  # compiled only where it is asked for

        steps = prepare(problem)
        rho, y, room = steps.rho.copy(), np.empty_like(p), np.empty((5, len(p)))
        while not monitor.done:
            count = fixed_point_sweeps(
                *problem.laws, problem.table.weight, *problem.blocks, steps.diagonal, problem.q, steps.rho, steps.step,
                steps.inverse, steps.inverse_at, problem.relaxed, self.local_iterations, self.local_tolerance, rho, p, y, room,
                monitor.batch(), monitor.goal,
            )  # fmt: skip
            monitor.report(p, count)


@dataclass(frozen=True)
class NesterovGaussSeidel(Solver):
    """Gauss-Seidel sweeps with Nesterov's momentum and restarts: the fastest of the family.

    growth : the momentum restarts when the change of a sweep exceeds this times the best since the last restart.
    """

    name: ClassVar[str] = "nesterov"
    growth: float = 1.3

    def __post_init__(self) -> None:
        if not self.growth >= 1.0:
            raise SolverError(f"nesterov: growth = {self.growth:g} must be at least 1.")

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        arguments = sweep_arguments(problem, 1.0, False)
        y, work, z = np.empty_like(p), np.empty(2 * len(p)), p.copy()
        state = np.array([1.0, np.inf, self.growth])
        while not monitor.done:
            count = kernels.nesterov(*arguments, p, y, work, monitor.batch(20), monitor.goal, z, state)
            monitor.report(p, count)
