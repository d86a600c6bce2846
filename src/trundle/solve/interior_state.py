"""Impulses, velocities and slacks inside their cones, and Newton steps between such points."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from trundle.contact.scaled import ScaledProblem
from trundle.laws.kernels.curves import CONTENSOU, SUPERELLIPSE, UNIFORM
from trundle.solve.base import Array
from trundle.solve.body_matrix import BodyFactor, BodyMatrix
from trundle.solve.kernels import interior as kernels
from trundle.solve.kernels import linearise
from trundle.solve.matrices import Factor, matrix_of
from trundle.solve.newton import Linearisation

CURVES = (SUPERELLIPSE, CONTENSOU, UNIFORM)
SHORT, RECENTRE = 0.2, 0.9  # steps after which the next one aims at this share of the complementarity
FEW_CONTACTS = 150  # above this the matrix of the bodies pays, as long as it is accurate
MOST_CONTACTS = 300  # above this that of the contacts takes too long
ACCURATE = 1e-6  # largest relative error of a solution with it


class InteriorState:
    """Impulses p, velocities y and slacks t, all inside their cones."""

    def __init__(self, problem: ScaledProblem) -> None:
        self.problem = problem
        self._accurate: Factor | None = None
        self.model = Linearisation(problem, accurate=len(problem.rho) <= FEW_CONTACTS)
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
            mu = np.where(np.isin(self.laws[1][:, 0], CURVES), 1.0, coef[:, 0])
            self.y[contact[:-1, 0]] += np.bincount(owner, weights=mu * self.t, minlength=len(contact) - 1)
        self.curved, self.last = bool(np.isin(problem.table.block[:, 0], CURVES).any()), 1.0  # length of the last step
        self.corrections, self.zero = np.zeros(m + blocks), np.zeros(m + blocks)

    def advance(self, boundary: float) -> float | None:
        """One predictor-corrector step; returns its length, or None if the matrix is singular."""
        relaxed = self.problem.relaxed
        missing = self.problem.velocity(self.p) - self.y
        nu = kernels.gap(*self.laws, relaxed, self.p, self.y, self.t)
        self.linearise(0.0, self.zero)
        solve = self.factor()
        if solve is None:
            return None
        step = self.step(solve, missing, 0.0, self.zero)
        length = min(1.0, *kernels.longest_step(*self.laws, relaxed, self.p, self.y, self.t, *step))
        there = [a + length * b for a, b in zip((self.p, self.y, self.t), step, strict=True)]
        centring = min(1.0, max(1e-6, kernels.gap(*self.laws, relaxed, *there) / nu)) ** 3 if nu > 0.0 else 0.0
        if self.curved and self.last < SHORT:  # back to the centre first: curves bend more than a step foresees
            centring = max(centring, RECENTRE)
            length = 0.0
        kernels.second_order(*self.laws, relaxed, self.p, *step, self.corrections)
        step = self.step(solve, missing, centring * nu, self.corrections if length > 0.1 else self.zero)
        length = min(1.0, boundary * min(kernels.longest_step(*self.laws, relaxed, self.p, self.y, self.t, *step)))
        for value, change in zip((self.p, self.y, self.t), step, strict=True):
            value += length * change
        self.last = length
        return length if all(np.all(np.isfinite(v)) for v in step) else None

    def factor(self) -> Any:
        """Solver of Newton's equations at the point of the last linearisation, or None if they are singular."""
        solve = self.model.factor(0.0)
        if solve is None and isinstance(self.model.matrix, BodyMatrix):
            return self._factor_contacts()
        if isinstance(solve, BodyFactor):
            return partial(self._solve_with_bodies, solve)
        return solve

    def _factor_contacts(self) -> Factor | None:
        """From now on contact by contact, or not at all if that takes too long."""
        if len(self.problem.rho) > MOST_CONTACTS:
            self._accurate = None
            return None
        self.model.matrix = matrix_of(self.problem, self.model.local, accurate=True)
        self._accurate = self.model.factor(0.0)
        return self._accurate

    def _solve_with_bodies(self, solve: BodyFactor, b: Array) -> Array:
        """Solution in the velocities of the bodies; from where it is not accurate on, contact by contact."""
        if isinstance(self.model.matrix, BodyMatrix):
            x, error = solve.refined(b)
            if error <= ACCURATE:
                return x
            self._factor_contacts()
        return self._accurate(b) if self._accurate is not None else np.full_like(b, np.nan)

    def linearise(self, nu: float, corrections: Array) -> None:
        """Newton's matrix here, in the model, and the right-hand side towards centrality nu."""
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

    def step(self, solve: Any, missing: Array, nu: float, corrections: Array) -> tuple[Array, Array, Array]:
        """dp, dy, dt towards centrality nu.  missing: W p + q - y; corrections: second-order terms of a predictor."""
        model = self.model
        self.linearise(nu, corrections)
        carried = np.empty_like(missing)
        linearise.multiply_local(self.laws[0], model.local, model.B, missing, carried)
        dp = solve(model.F - carried)
        dy = self.problem.times(dp) + missing
        dt = np.zeros_like(self.t)
        kernels.slack_step(*self.laws, self.p, self.y, self.t, nu, corrections, dp, dy, dt)
        return dp, dy, dt
