"""Moreau-Jean time stepping with a theta method."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from trundle.contact.rigid import WIDTH, LawSheet, RigidProblem, contacts_arms
from trundle.detect.contacts import Contacts, Detector
from trundle.detect.kernels import match
from trundle.errors import SimulationError
from trundle.scene.model import Model, State
from trundle.scene.shapes import HALF_SPACE, SPHERE
from trundle.solve.rigid import StepSolution, solve_step
from trundle.step import kernels

Array = NDArray[np.float64]


@dataclass
class Ledger:
    """Energy of one step [J]: what there is at its end, and where the change since its beginning came from and went.

    kinetic + potential at the end = the same at the beginning + external - sliding - rolling - spinning - impact - scheme.
    """

    kinetic: float = 0.0
    potential: float = 0.0
    external: float = 0.0
    sliding: float = 0.0
    rolling: float = 0.0
    spinning: float = 0.0
    impact: float = 0.0
    scheme: float = 0.0


@dataclass
class StepReport:
    """What a step did: contacts, impulses p (C, 6) [N s, N m s], velocities y (C, 6), solver figures and the ledger."""

    contacts: Contacts
    p: Array
    y: Array
    solution: StepSolution
    ledger: Ledger = field(default_factory=Ledger)


class MoreauJean:
    """v' = v + M^-1 (h F + H^T p), q' = q + h (theta v' + (1 - theta) v), the law on v' with Newton's restitution.

    Acary & Bourrier (2021), section 6; contacts are active where they are closed or can close within the step, and an
    open contact may close its gap but not more: u_n' >= -gap / h.
    """

    def __init__(
        self, model: Model, *, theta: float, tolerance: float, max_sweeps: int = 20_000, formulation: str = "exact"
    ) -> None:
        self.model = model
        self.theta = theta
        self.tolerance = tolerance
        self.max_sweeps = max_sweeps
        self.relaxed = formulation == "relaxed"
        self.detector = Detector(model)
        self.sheet = LawSheet(model.laws)
        self.inverse_mass = 1.0 / model.mass
        self.inverse_inertia = 1.0 / model.inertia
        self.grains = not self.relaxed and bool(np.all(np.isin(model.kind, (SPHERE, HALF_SPACE))))
        self._world = np.zeros((len(model.mass), 3, 3))
        self._key = np.zeros(0, np.int64)
        self._impulse = np.zeros((0, WIDTH))

    def energy(self, state: State) -> tuple[float, float]:
        """Kinetic and potential energy [J]."""
        model = self.model
        free = np.isfinite(model.mass)
        kinetic = kernels.kinetic_energy(
            np.flatnonzero(free), model.mass, model.inertia, state.orientation, state.velocity, state.angular_velocity
        )
        potential = -float(np.sum(model.mass[free, None] * state.position[free] * model.gravity))
        return float(kinetic), potential

    def step(self, state: State, h: float) -> StepReport:
        """Advance the state by h [s], in place."""
        model = self.model
        contacts = self.detector.detect(state, h)
        kernels.world_inverse_inertia(state.orientation, self.inverse_inertia, self._world)
        start = np.concatenate([state.velocity, state.angular_velocity], axis=1)
        free = start.copy()
        kernels.free_velocity(
            self.inverse_mass, model.inertia, self._world, state.orientation, model.gravity, h, free
        )
        problem = self._problem(contacts, state, start, free, h)
        guess = np.zeros((len(contacts), WIDTH))
        match(contacts.key, self._key, self._impulse, guess)
        scale = np.ones((len(contacts), WIDTH))
        scale[:, 3:] = problem.length[:, None]
        solution = solve_step(problem, (guess / scale).ravel(), self.tolerance, self.max_sweeps)
        if not np.all(np.isfinite(solution.v)):
            raise SimulationError(f"t = {state.time:g} s: velocities are no longer finite. Use a smaller time step.")
        p = solution.p.reshape(-1, WIDTH) * scale
        self._key, self._impulse = contacts.key, p
        return self._finish(state, contacts, problem, solution, start, p, scale, h)

    def _problem(self, contacts: Contacts, state: State, start: Array, free: Array, h: float) -> RigidProblem:
        table, uses = self.sheet.lay_out(contacts.law)
        arm = contacts_arms(contacts, state.position)
        before = np.einsum("ci,ci->c", contacts.frame[:, 0], kernels.contact_velocity(contacts.body, arm, start))
        bias = np.maximum(contacts.gap, 0.0) / h
        if np.any(self.model.restitution > 0.0):
            e = self.model.restitution[contacts.law]
            impact = (contacts.gap + h * before <= 0.0) & (before < 0.0) & (e > 0.0)
            bias = np.where(impact, e * before, bias)
        disks = self.sheet.disks[contacts.law] if self.grains and self.sheet.disks is not None else None
        return RigidProblem(
            contacts.body, contacts.frame, arm, self.inverse_mass, self._world, free, bias, table, uses, self.relaxed, disks
        )

    def _finish(
        self, state: State, contacts: Contacts, problem: RigidProblem, solution: StepSolution, start: Array, p: Array,
        scale: Array, h: float,
    ) -> StepReport:  # fmt: skip
        model = self.model
        kinetic, potential = self.energy(state)
        end = solution.v
        raw = problem.relative_velocity(end).reshape(-1, WIDTH) / scale
        y = raw.copy()
        y[:, 0] -= problem.bias
        before = problem.relative_velocity(start).reshape(-1, WIDTH) / scale
        before[:, 0] -= problem.bias
        mean = self.theta * end + (1.0 - self.theta) * start
        kernels.move(self.inverse_mass, mean, h, state.position, state.orientation)
        state.velocity[:], state.angular_velocity[:] = end[:, :3], end[:, 3:]
        state.time += h
        ledger = self._ledger(state, p, y, before, kinetic, potential)
        return StepReport(contacts, p, raw, solution, ledger)

    def _ledger(
        self, state: State, p: Array, after: Array, before: Array, kinetic: float, potential: float
    ) -> Ledger:
        """Where the energy went.  Friction dissipates at the velocities of the end of the step, as its law says."""
        loss = -p * after
        sliding, spinning, rolling = loss[:, 1:3].sum(), loss[:, 3].sum(), loss[:, 4:].sum()
        impact = -0.5 * float(np.sum(p[:, 0] * (after[:, 0] + before[:, 0])))
        now_kinetic, now_potential = self.energy(state)
        scheme = kinetic + potential - now_kinetic - now_potential - sliding - spinning - rolling - impact
        return Ledger(
            now_kinetic, now_potential, 0.0, float(sliding), float(rolling), float(spinning), impact, float(scheme)
        )
