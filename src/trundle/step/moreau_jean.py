"""Moreau-Jean time stepping with a theta method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trundle.contact.grains import GrainProblem
from trundle.contact.rigid import WIDTH, LawSheet, RigidProblem, contacts_arms
from trundle.detect.contacts import Contacts, Detector
from trundle.errors import SimulationError
from trundle.scene.model import Model, State
from trundle.scene.shapes import HALF_SPACE, SPHERE
from trundle.solve.rigid import StepSolution, solve_step
from trundle.step import kernels

Array = NDArray[np.float64]
DRIFT_SHARE = 0.1  # of the penetration beyond the margin that is taken back in one step
DRIFT_SWEEPS = 5


@dataclass
class Ledger:
    """Energy of one step [J]: what there is at its end, and where the change since its beginning came from and went.

    kinetic + potential at the end = the same at the beginning
    + external - sliding - rolling - spinning - impact - scheme.
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
    """What a step did: its contacts, problem and solution, and the ledger."""

    contacts: Contacts
    problem: RigidProblem | GrainProblem
    solution: StepSolution
    ledger: Ledger

    def rows(self) -> tuple[Array, Array]:
        """Impulses [N s, N m s] and velocities at the end [m/s, rad/s] in the contact frames, both (C, 6)."""
        return self.problem.rows(self.solution.p, self.solution.v)


class MoreauJean:
    """v' = v + M^-1 (h F + H^T p), q' = q + h (theta v' + (1 - theta) v), the law on v' with Newton's restitution.

    Acary & Bourrier (2021), section 6.  Contacts are looked for after (1 - theta) h, which keeps the angular momentum
    of colliding bodies to round-off and is Moreau's midpoint for theta = 1/2.  They are active where they are closed or
    can close until they are looked for again, and an open one may close its gap but not more: u_n' >= -gap / h.
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
        spheres = bool(np.all(np.isin(model.kind, (SPHERE, HALF_SPACE))))
        self.grains = not self.relaxed and spheres and self.sheet.disks is not None
        self._turn = np.ascontiguousarray(self.inverse_inertia[:, 0])
        self._world = np.zeros((len(model.mass), 3, 3))
        self._momentum = np.zeros((len(model.mass), 3))
        self.isotropic = bool(np.all(model.inertia == model.inertia[:, :1]))
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
        energy = sum(self.energy(state))
        start, middle = self._to_middle(state, h)
        contacts = self.detector.detect(middle, h)
        free = start.copy()
        free[np.isfinite(self.model.mass), :3] += h * self.model.gravity
        problem = self._problem(contacts, middle, start, free, h)
        guess = problem.guess(contacts, self._key, self._impulse)
        solution = solve_step(
            problem, guess, self.tolerance, self.max_sweeps, lambda: self._rigid(contacts, middle, start, free, h)
        )
        if not np.all(np.isfinite(solution.v)):
            raise SimulationError(f"t = {state.time:g} s: velocities are no longer finite. Use a smaller time step.")
        self._key, self._impulse = contacts.key, problem.keep(solution.p)
        self._to_end(state, middle, start, solution.v, h)
        self._part(state, problem)
        ledger = self._ledger(state, problem.losses(solution.p, 0.5 * (start + solution.v)), energy)
        return StepReport(contacts, problem, solution, ledger)

    def _to_middle(self, state: State, h: float) -> tuple[Array, State]:
        """The state after (1 - theta) h of free flight, where the contacts are looked for, and its velocities (B, 6).

        Angular momentum is kept, not angular velocity: that is the gyroscopic term.
        """
        middle = state.copy()
        start = np.concatenate([state.velocity, state.angular_velocity], axis=1)
        kernels.move(self.inverse_mass, start, (1.0 - self.theta) * h, middle.position, middle.orientation)
        if not self.isotropic:
            kernels.angular_momentum(self.model.inertia, state.orientation, state.angular_velocity, self._momentum)
            kernels.world_inverse_inertia(middle.orientation, self.inverse_inertia, self._world)
            kernels.angular_velocity(self.inverse_mass, self._world, self._momentum, start)
            middle.angular_velocity[:] = start[:, 3:]
        return start, middle

    def _to_end(self, state: State, middle: State, start: Array, end: Array, h: float) -> None:
        """Finish the step from the middle with the new velocities (B, 6); rotations go the whole way at their mean."""
        state.position[:] = middle.position + self.theta * h * end[:, :3]
        turning = self.theta * end[:, 3:] + (1.0 - self.theta) * start[:, 3:]
        kernels.rotate(self.inverse_mass, turning, h, state.orientation)
        state.velocity[:], state.angular_velocity[:] = end[:, :3], end[:, 3:]
        if not self.isotropic:
            kernels.angular_momentum(self.model.inertia, middle.orientation, state.angular_velocity, self._momentum)
            kernels.world_inverse_inertia(state.orientation, self.inverse_inertia, self._world)
            velocities = end.copy()
            kernels.angular_velocity(self.inverse_mass, self._world, self._momentum, velocities)
            state.angular_velocity[:] = velocities[:, 3:]
        state.time += h

    def _part(self, state: State, problem: RigidProblem | GrainProblem) -> None:
        """Take back penetration that the solver's tolerance left, by moving bodies: velocities gain nothing."""
        if isinstance(problem, GrainProblem):
            shift = problem.part(20.0 * self.detector.margin, DRIFT_SHARE, DRIFT_SWEEPS)
            if shift is not None:
                state.position += shift

    def _bias(self, contacts: Contacts, arm: Array, start: Array, h: float) -> tuple[NDArray[np.bool_], Array]:
        """Contacts that bounce in this step, and the bias e u_n of Newton's restitution [m/s]."""
        before = np.einsum("ci,ci->c", contacts.normal, kernels.contact_velocity(contacts.body, arm, start))
        e = self.model.restitution[contacts.law]
        return (contacts.gap + h * before <= 0.0) & (before < 0.0) & (e > 0.0), e * before

    def _problem(
        self, contacts: Contacts, state: State, start: Array, free: Array, h: float
    ) -> RigidProblem | GrainProblem:
        if not self.grains or self.sheet.disks is None:
            return self._rigid(contacts, state, start, free, h)
        problem = GrainProblem(
            contacts, state.position, self.sheet.disks, self.sheet.motions, self.inverse_mass, self._turn, free, h
        )
        if np.any(self.model.restitution > 0.0):
            problem.bounce(*self._bias(contacts, contacts_arms(contacts, state.position), start, h))
        return problem

    def _rigid(self, contacts: Contacts, state: State, start: Array, free: Array, h: float) -> RigidProblem:
        table, uses = self.sheet.lay_out(contacts.law)
        arm = contacts_arms(contacts, state.position)
        bias = np.maximum(contacts.gap, 0.0) / h
        if np.any(self.model.restitution > 0.0):
            bias = np.where(*self._bias(contacts, arm, start, h), bias)
        if self.isotropic:
            kernels.world_inverse_inertia(state.orientation, self.inverse_inertia, self._world)
        return RigidProblem(
            contacts.body, contacts.frame, arm, self.inverse_mass, self._world, free, bias, table, uses, self.relaxed
        )

    def _ledger(self, state: State, losses: tuple[float, float, float, float], before: float) -> Ledger:
        """Where the energy went.

        Impulses times the mean velocities of the step are exactly the energy that contacts take; what is left is the
        scheme's: theta other than 1/2, and the rotation of the inertia within the step.
        """
        sliding, spinning, rolling, impact = losses
        kinetic, potential = self.energy(state)
        scheme = before - kinetic - potential - sliding - spinning - rolling - impact
        return Ledger(kinetic, potential, 0.0, sliding, rolling, spinning, impact, scheme)
