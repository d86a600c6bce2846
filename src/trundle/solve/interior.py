"""Interior point method for laws made of disks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from trundle.contact.scaled import ScaledProblem
from trundle.errors import SolverError
from trundle.laws.kernels import DISK, FREE
from trundle.solve import interior_kernels as kernels
from trundle.solve import linearise
from trundle.solve.base import Array, Solver
from trundle.solve.monitor import Monitor
from trundle.solve.newton import Linearisation


def can_treat(problem: ScaledProblem) -> bool:
    """Whether all blocks are disks, intervals or free rows."""
    return bool(np.all(np.isin(problem.table.block[:, 0], (DISK, FREE))))


@dataclass(frozen=True)
class InteriorPoint(Solver):
    """Primal-dual interior point method on the exact (or relaxed) law, with Mehrotra's predictor and corrector.

    The law of each disk is a complementarity of second-order cones, (mu r_n, f) o (t, w) = 0 with t >= |w|, beside
    r_n u_n = 0: not monotone, but the central path can be followed in 10 to 30 factorisations where one exists.  It
    does not use a guess.  Only for laws made of disks and intervals (Coulomb, rolling, spinning), and joints.

    boundary : share of the way to the boundary of the cones that a step may go.
    """

    name: ClassVar[str] = "interior-point"
    default_iterations: ClassVar[int] = 100
    boundary: float = 0.995

    def __post_init__(self) -> None:
        if not 0.0 < self.boundary < 1.0:
            raise SolverError(f"interior-point: boundary = {self.boundary:g} must lie between 0 and 1.")

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        if not can_treat(problem):
            raise SolverError(
                "interior-point works for laws made of disks and intervals (Coulomb, Rolling, SlideRollSpin, ...); "
                "this problem has another one. Use 'auto' or 'newton'."
            )
        state = _State(problem)
        short = 0
        while not monitor.done and short < 6:
            step = state.advance(self.boundary)
            if step is None:
                monitor.note = "the Newton matrix of the interior point method is singular"
                break
            monitor.report(state.p, 1)
            short = short + 1 if step < 0.05 else 0
        p[:] = state.p


class _State:
    """Impulses p, velocities y and slacks t, all inside their cones."""

    def __init__(self, problem: ScaledProblem) -> None:
        self.problem = problem
        self.model = Linearisation(problem)
        self.laws = problem.laws[:3]
        contact, _, coef = self.laws
        heads = contact[:-1, 2] == 1
        normal = contact[:-1, 0][heads]
        size = float(np.max(np.abs(problem.q), initial=0.0)) or 1.0
        m, blocks = len(problem.q), len(coef)
        self.p, self.y, self.t = np.zeros(m), np.zeros(m), np.full(blocks, size)
        self.p[normal] = size * problem.rho[heads]
        self.y[normal] = size
        if problem.relaxed:  # so that the opening velocity starts positive
            owner = np.repeat(np.arange(len(contact) - 1), np.diff(contact[:, 1]))
            self.y[contact[:-1, 0]] += np.bincount(owner, weights=coef[:, 0] * self.t, minlength=len(contact) - 1)
        self.corrections, self.zero = np.zeros(m + blocks), np.zeros(m + blocks)

    def advance(self, boundary: float) -> float | None:
        """One predictor-corrector step; returns its length, or None if the matrix is singular."""
        relaxed, model = self.problem.relaxed, self.model
        missing = self.problem.velocity(self.p) - self.y
        nu = kernels.gap(*self.laws, relaxed, self.p, self.y, self.t)
        self._linearise(0.0, self.zero)
        solve = model.factor(0.0)
        if solve is None:
            return None
        step = self._step(solve, missing, 0.0, self.zero)
        length = min(1.0, *kernels.longest_step(*self.laws, relaxed, self.p, self.y, self.t, *step))
        there = [a + length * b for a, b in zip((self.p, self.y, self.t), step, strict=True)]
        centring = min(1.0, max(1e-6, kernels.gap(*self.laws, relaxed, *there) / nu)) ** 3 if nu > 0.0 else 0.0
        kernels.second_order(*self.laws, relaxed, *step, self.corrections)
        step = self._step(solve, missing, centring * nu, self.corrections if length > 0.1 else self.zero)
        length = min(1.0, boundary * min(kernels.longest_step(*self.laws, relaxed, self.p, self.y, self.t, *step)))
        for value, change in zip((self.p, self.y, self.t), step, strict=True):
            value += length * change
        return length if all(np.all(np.isfinite(v)) for v in step) else None

    def _linearise(self, nu: float, corrections: Array) -> None:
        model = self.model
        kernels.linearise_interior(
            *self.laws,
            model.local,
            self.problem.relaxed,
            self.p,
            self.y,
            self.t,
            nu,
            corrections,
            model.A,
            model.B,
            model.F,
        )

    def _step(self, solve: Any, missing: Array, nu: float, corrections: Array) -> tuple[Array, Array, Array]:
        model = self.model
        self._linearise(nu, corrections)
        carried = np.empty_like(missing)
        linearise.multiply_local(self.laws[0], model.local, model.B, missing, carried)
        dp = solve(model.F - carried)
        dy = self.problem.matrix @ dp + missing
        dt = np.zeros_like(self.t)
        kernels.slack_step(*self.laws, self.p, self.y, self.t, nu, corrections, dp, dy, dt)
        return dp, dy, dt
