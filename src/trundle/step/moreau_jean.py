"""Moreau-Jean time stepping with a theta method."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trundle.contact.grains import GrainProblem
from trundle.contact.layout import Layout, restored
from trundle.contact.rigid import WIDTH, LawSheet, RigidProblem, contacts_arms, stack_tables
from trundle.detect.contacts import Contacts, Detector
from trundle.detect.kernels import match
from trundle.errors import SimulationError
from trundle.rotations import rotation_matrix
from trundle.scene.model import Model, State
from trundle.scene.shapes import CYLINDER, DISK, HALF_SPACE, SPHERE
from trundle.solve.rigid import MATRIX_CONTACTS, solve_step
from trundle.step import kernels
from trundle.step.joints import JointRows
from trundle.step.momentum import keep_angular_momentum
from trundle.step.report import Ledger, StepReport
from trundle.step.rolling import RollingMeasures

Array = NDArray[np.float64]
DRIFT_SHARE = 0.1  # of the penetration beyond the margin that is taken back in one step
DRIFT_SWEEPS = 5
DRIFT_OF_FALL = 0.002
GRAIN_SLOP = 20.0
JOINT_SWEEPS = 20
AXIS = 1e-6  # angle [rad] to the normal below which a projected axis is noise, as in `detect.kernels.frames_along`
CORRECTION_SWEEPS = 20


class MoreauJean:
    """v' = v + M^-1 (h F + H^T p), q' = q + h (theta v' + (1 - theta) v), the law on v' with Newton's restitution.

    Acary & Bourrier (2021), section 6.  Contacts are looked for after (1 - theta) h, which keeps the angular momentum
    of colliding bodies to round-off and is Moreau's midpoint for theta = 1/2.  They are active where they are closed or
    can close until they are looked for again, and an open one may close its gap but not more: u_n' >= -gap / h.

    scheme "moreau-midpoint" is that of le Saux et al. (2005), section 3: the angular velocity in the body frame is the
    unknown, with an explicit gyroscopic term, the quaternion moves along straight lines, and at the end of every step
    penetration is taken back by moving bodies apart, (3.8)-(3.14).
    """

    def __init__(
        self, model: Model, *, theta: float, tolerance: float, max_sweeps: int = 20_000, formulation: str = "exact",
        scheme: str = "moreau-jean",
    ) -> None:  # fmt: skip
        self.model = model
        self.theta = theta
        self.tolerance = tolerance
        self.max_sweeps = max_sweeps
        self.relaxed = formulation == "relaxed"
        self.compliant = formulation == "compliant"
        self.midpoint = scheme == "moreau-midpoint"
        # a rim that turns sinks in by O(h^2) in every step: without correction an Euler disk stops in half of its time
        rims = bool(np.any(np.isin(model.kind, (DISK, CYLINDER)))) and not len(model.joints) and not self.compliant
        self.corrects = self.midpoint or rims
        self.detector = Detector(model)
        self.rolling = RollingMeasures(model, self.detector)
        self.sheet = LawSheet(model.laws)
        self.joints = JointRows(model.joints)
        spheres = bool(np.all(model.kind[np.isfinite(model.mass)] == SPHERE))
        alone = not len(self.joints) and not model.motions and not self.rolling
        rigid = not self.compliant and not self.midpoint
        self.grains = rigid and spheres and alone and self.sheet.disks is not None
        self.isotropic = model.isotropic
        bodies = len(model.mass)
        round_ones = model.inverse_inertia == model.inverse_inertia[:, :1, :1] * np.eye(3)
        self._round = np.all(round_ones, axis=(1, 2))
        self._world = np.zeros((bodies, 3, 3))
        self._momentum = np.zeros((bodies, 3))
        self._prescribed = np.zeros(bodies, bool)
        self._prescribed[[b for b, _ in model.motions]] = True
        self._key = np.zeros(0, np.int64)
        self._impulse = np.zeros((0, WIDTH))
        self._layout: Layout | None = None
        self._total: float | None = None  # energy at the end of the last step, and the elastic part of it
        self._elastic = 0.0
        self._set_present(np.ones(bodies, bool))

    def memory(self) -> dict[str, NDArray[np.generic]]:
        """What the next step needs to know of this one."""
        total = np.nan if self._total is None else self._total
        energy = np.array([total, self._elastic])
        nothing = np.zeros(0, np.int64)
        place, slabs = (nothing, nothing) if self._layout is None else (self._layout.place, self._layout.start)
        layout = {"place": place, "slabs": slabs}
        return {"key": self._key, "impulse": self._impulse, "energy": energy, **layout, **self.detector.memory()}

    def recall(self, memory: dict[str, NDArray[np.generic]]) -> None:
        """Go on from a memory, to the same bits."""
        self._key, self._impulse = memory["key"].astype(np.int64), memory["impulse"].astype(np.float64)
        total, self._elastic = (float(x) for x in memory["energy"])
        self._total = None if np.isnan(total) else total
        # recordings of earlier versions have none
        place, slabs = (memory.get(name, self._key[:0]).astype(np.int64) for name in ("place", "slabs"))
        self._layout = restored(self._key, place, slabs) if len(slabs) else None
        self.detector.recall(memory)  # type: ignore[arg-type]

    def _set_present(self, present: NDArray[np.bool_]) -> None:
        """Bodies that are not there yet can neither be pushed nor move."""
        self._present = present.copy()
        self.free = present & np.isfinite(self.model.mass)
        self.inverse_mass = np.where(self.free, self.model.inverse_mass, 0.0)
        self.inverse_inertia = np.where(self.free[:, None, None], self.model.inverse_inertia, 0.0)
        self.moves = self.free | self._prescribed
        self._turn = np.ascontiguousarray(self.inverse_inertia[:, 0, 0])
        self._free_numbers = np.flatnonzero(self.free)

    def energy(self, state: State) -> tuple[float, float]:
        """Kinetic and potential energy [J]."""
        model = self.model
        kinetic = kernels.kinetic_energy(
            self._free_numbers, model.mass, model.inertia, state.orientation, state.velocity, state.angular_velocity
        )
        potential = kernels.potential_energy(self._free_numbers, model.mass, state.position, model.gravity)
        return float(kinetic), float(potential)

    def step(self, state: State, h: float) -> StepReport:
        """Advance the state by h [s], in place."""
        if not np.array_equal(state.present, self._present):
            self._set_present(state.present)
        before = sum(self.energy(state))
        before += self._elastic
        poured = 0.0 if self._total is None else before - self._total
        start, middle = self._to_middle(state, h)
        if len(self.joints):
            self._joint_bias = self.joints.bias(state, middle, start, self.theta)
        contacts = self._contacts(middle, h)
        free, loads = self._free_velocity(middle, start, state.time, h)
        problem = self._problem(contacts, middle, start, free, h)
        guess = problem.guess(contacts, self._key, self._impulse)
        if isinstance(problem, GrainProblem):
            self._impulse = np.zeros((0, WIDTH))  # nobody needs them any more, and they are many

        def as_rigid(some: NDArray[np.int64] | None = None, v: Array | None = None) -> RigidProblem:
            chosen = contacts if some is None else contacts.chosen(some)
            return self._rigid(chosen, middle, start, free if v is None else v, h)

        solution = solve_step(problem, guess, self.tolerance, self.max_sweeps, as_rigid)
        mean = np.empty_like(start)
        if not kernels.mean_of(start, solution.v, mean):
            raise SimulationError(f"t = {state.time:g} s: velocities are no longer finite. Use a smaller time step.")
        self._key, self._impulse = self._keys(contacts), problem.keep(solution.p)
        self._to_end(state, middle, start, solution.v, h)
        if self.corrects:
            self._correct(state)
        if not self.midpoint:
            self._part(state, contacts, problem, h)
        viscous = self.rolling.loss(contacts, h, mean, solution.v) if self.rolling.viscous else 0.0
        ledger = self._ledger(state, problem, solution.p, mean, loads, before, poured, viscous)
        return StepReport(
            contacts, solution, ledger, lambda: problem.rows(solution.p, solution.v), len(self.joints),
            *self.joints.places(middle),
        )  # fmt: skip

    def _keys(self, contacts: Contacts) -> NDArray[np.int64]:
        return np.concatenate([np.arange(-len(self.joints), 0), contacts.key])

    def _to_middle(self, state: State, h: float) -> tuple[Array, State]:
        """The state after (1 - theta) h of free flight, where the contacts are looked for, and its velocities (B, 6).

        Angular momentum is kept, not angular velocity: that is the gyroscopic term.
        """
        middle = state.copy()
        start = np.concatenate([state.velocity, state.angular_velocity], axis=1)
        if self.theta < 1.0:
            kernels.move(self.moves, start, (1.0 - self.theta) * h, middle.position, middle.orientation)
        if self.midpoint:
            kernels.midpoint_start(
                self.free, self.model.inertia, self.inverse_inertia, h, state.orientation, state.angular_velocity,
                middle.orientation, start, self._momentum,
            )  # fmt: skip
            middle.angular_velocity[:] = start[:, 3:]
        elif not self.isotropic:
            kernels.angular_momentum(
                self.inverse_mass, self.model.inertia, state.orientation, state.angular_velocity, self._momentum
            )
            kernels.world_inverse_inertia(middle.orientation, self.inverse_inertia, self._round, self._world)
            kernels.angular_velocity(self.inverse_mass, self._world, self._momentum, start)
            middle.angular_velocity[:] = start[:, 3:]
        return start, middle

    def _contacts(self, middle: State, h: float) -> Contacts:
        """Contacts at the middle, without those of bodies that a joint keeps together, in the frames of their laws."""
        contacts = self.detector.detect(middle, h)
        if len(self.joints):
            joined = self.model.joined(contacts.body)
            if joined.any():
                contacts = contacts.chosen(~joined)
        follows = self.model.axis_of[contacts.law] >= 0 if len(contacts) else np.zeros(0, bool)
        if follows.any():
            along = self._directions(middle)[contacts.law[follows]]
            self._check_axes(contacts, np.flatnonzero(follows), along)
            contacts.follow(follows, along)
        return contacts

    def _check_axes(self, contacts: Contacts, rows: NDArray[np.int64], along: Array) -> None:
        """Raise where the x-axis of an orthotropic law (n, 3) has no direction in the tangent plane of its contact."""
        lost = np.linalg.norm(np.cross(contacts.normal[rows], along), axis=1) <= AXIS
        if lost.any():
            model, c = self.model, rows[int(np.argmax(lost))]
            a, b = contacts.body[c]
            axis, owner = model.axis[contacts.law[c]].tolist(), model.names[model.axis_of[contacts.law[c]]]
            raise SimulationError(
                f"bodies '{model.names[a]}' and '{model.names[b]}' touch along the axis {axis} of '{owner}', which the x-axis of "
                "their law follows: it has no direction in the tangent plane. Give an axis that lies in it."
            )

    def _directions(self, middle: State) -> Array:
        """The x-axes of orthotropic laws, world frame, shape (L, 3)."""
        out, R = np.zeros_like(self.model.axis), np.empty((3, 3))
        for i in np.flatnonzero(self.model.axis_of >= 0):
            rotation_matrix(middle.orientation, self.model.axis_of[i], R)
            out[i] = R @ self.model.axis[i]
        return out

    def _free_velocity(self, middle: State, start: Array, time: float, h: float) -> tuple[Array, Array]:
        """Velocities (B, 6) at the end of the step without contacts, and the impulses (B, 6) of the loads alone."""
        free = start.copy()
        kernels.fall(self._free_numbers, h * self.model.gravity, free)
        if self.midpoint:
            free[:, 3:] += self._momentum  # what the gyroscopic torque does to the angular velocity
        for b, motion in self.model.motions:
            free[b] = motion(time + h)
        impulse = np.zeros(free.shape)  # memory that nobody touches where there are no loads
        R = np.empty((3, 3))
        for load in self.model.loads:
            b = self.model.number_of[load.body]
            force, torque = load.at(time + 0.5 * h)
            rotation_matrix(middle.orientation, b, R)
            if load.frame == "body":
                force, torque = R @ force, R @ torque
            impulse[b, :3] += h * force
            impulse[b, 3:] += h * (torque + np.cross(R @ load.point, force))
        if self.model.loads:
            impulse[~self.free] = 0.0
            if self.isotropic or self.midpoint:
                kernels.world_inverse_inertia(middle.orientation, self.inverse_inertia, self._round, self._world)
            free[:, :3] += self.inverse_mass[:, None] * impulse[:, :3]
            free[:, 3:] += np.einsum("bij,bj->bi", self._world, impulse[:, 3:])
        return free, impulse

    def _to_end(self, state: State, middle: State, start: Array, end: Array, h: float) -> None:
        """Finish the step from the middle with the new velocities (B, 6); rotations go the whole way at their mean."""
        kernels.finish(
            self.moves, middle.position, self.theta * h, end, state.position, state.velocity, state.angular_velocity
        )
        if self.midpoint:
            kernels.rotate_between(self._prescribed, self.theta, start, end, h, state.orientation)
            kernels.midpoint_end(self.free, h, middle.orientation, end, state.orientation, state.angular_velocity)
            state.time += h
            return
        kernels.rotate_between(self.moves, self.theta, start, end, h, state.orientation)
        if not self.isotropic:
            kernels.angular_momentum(
                self.inverse_mass, self.model.inertia, middle.orientation, state.angular_velocity, self._momentum
            )
            kernels.world_inverse_inertia(state.orientation, self.inverse_inertia, self._round, self._world)
            velocities = end.copy()
            kernels.angular_velocity(self.inverse_mass, self._world, self._momentum, velocities)
            state.angular_velocity[:] = velocities[:, 3:]
        state.time += h

    def _part(self, state: State, contacts: Contacts, problem: RigidProblem | GrainProblem, h: float) -> None:
        """Take back penetration and drift of joints by moving bodies.

        Velocities gain nothing, but where bodies hold on to each other only: these keep their angular momentum.
        """
        if isinstance(problem, GrainProblem) and np.any(self.model.gravity):
            # many grains, and they are held by the ground sooner or later
            self._move_apart(state, contacts, problem, h)
            return
        before = state.copy()
        self._move_apart(state, contacts, problem, h)
        pairs = np.concatenate([self.model.joints.body, contacts.body[contacts.gap <= self.detector.margin]])
        keep_angular_momentum(self.model.mass, self.model.inertia, self.free, pairs, before, state)

    def _move_apart(self, state: State, contacts: Contacts, problem: RigidProblem | GrainProblem, h: float) -> None:
        if isinstance(problem, GrainProblem):
            # Parted contacts lose their loads, and a pile takes many sweeps for a hundred steps to find new ones: so little
            # against g h^2, the way of a free fall, and in large piles only what should never happen.
            slop = (1.0 if len(contacts) <= MATRIX_CONTACTS else 10.0) * GRAIN_SLOP * self.detector.margin
            most = DRIFT_OF_FALL * h * h * float(np.linalg.norm(self.model.gravity)) or np.inf
            shift = problem.part(slop, DRIFT_SHARE, most, DRIFT_SWEEPS)
            if shift is not None:
                state.position += shift
            return
        joints, slop, gap = len(self.joints), self.detector.margin, contacts.gap
        deep = gap < -slop
        if self.corrects:
            deep &= ~self._on_planes(contacts)
        if not joints and (self.compliant or not deep.any()):
            return
        wanted = np.zeros((joints + len(contacts), WIDTH))
        if joints:
            wanted[:joints] = -self.joints.errors(state)
        wanted[joints:, 0] = np.where(deep, -DRIFT_SHARE * (gap + slop), -np.maximum(gap, 0.0))
        if self.compliant:
            wanted[joints:, 0] = -np.inf
        problem.part(wanted, JOINT_SWEEPS if joints else DRIFT_SWEEPS, state.position, state.orientation)

    def _correct(self, state: State) -> None:
        """Move bodies apart until none overlaps, le Saux et al. (2005), (3.8)-(3.14): velocities gain nothing.

        The metric is that of the masses on displacements; the paper's turns bodies, too, but by less than 1 % of the gap.
        """
        contacts = self.detector.detect(state, 0.0)
        if not self.midpoint:  # on uneven ground lifting a rim out of one slope costs nothing and gains energy
            contacts = contacts.chosen(self._on_planes(contacts))
        if len(contacts) and contacts.gap.min() < 0.0:
            shift = np.zeros((len(self.inverse_mass), 6))
            kernels.shift_apart(
                contacts.body, contacts.normal, contacts.gap, self.inverse_mass, np.zeros(len(contacts)), shift,
                CORRECTION_SWEEPS,
            )  # fmt: skip
            state.position += shift[:, :3]

    def _on_planes(self, contacts: Contacts) -> NDArray[np.bool_]:
        """Which contacts are with half-spaces."""
        return np.any(self.model.kind[contacts.body] == HALF_SPACE, axis=1)

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
        radius = self._radius(contacts)
        factor = None if radius is None else np.where(self.model.ratio[contacts.law], radius, 1.0)
        problem = GrainProblem(
            contacts,
            state.position,
            self.sheet.disks,
            self.sheet.motions,
            self.inverse_mass,
            self._turn,
            free,
            h,
            factor,
            relaxed=self.relaxed,
            layout=self._layout,
            last=(self._key, self._impulse),
        )
        self._layout = problem.layout
        if np.any(self.model.restitution > 0.0):
            problem.bounce(*self._bias(contacts, contacts_arms(contacts, state.position), start, h))
        return problem

    def _rigid(self, contacts: Contacts, state: State, start: Array, free: Array, h: float) -> RigidProblem:
        joints, n = len(self.joints), len(contacts)
        table, uses = self.sheet.lay_out(contacts.law, self.model.ratio, self._radius(contacts))
        arm, body = contacts_arms(contacts, state.position), contacts.body
        frame = self.rolling.axes(contacts, state) if self.rolling else contacts.frame
        bias, compliance = np.zeros((joints + n, WIDTH)), np.zeros((joints + n, WIDTH))
        closed = 0.0 if self.relaxed else kernels.CLOSED * self.detector.margin
        normal = np.maximum(contacts.gap - closed, 0.0) / h
        if self.compliant:
            normal = self._springs(contacts, compliance[joints:], bias[joints:], h)
        if np.any(self.model.restitution > 0.0):
            normal = np.where(*self._bias(contacts, arm, start, h), normal)
        bias[joints:, 0] = normal
        if joints:
            joint_frame, joint_arm = self.joints.geometry(state)
            table = stack_tables(self.joints.table(h), table)
            uses = np.concatenate([self.joints.uses, uses])
            joint_frame = np.tile(joint_frame, (1, frame.shape[1] // 3, 1))
            frame, arm = np.concatenate([joint_frame, frame]), np.concatenate([joint_arm, arm])
            body = np.concatenate([self.model.joints.body, body])
            bias[:joints] = self._joint_bias
        if self.isotropic or self.midpoint:
            kernels.world_inverse_inertia(state.orientation, self.inverse_inertia, self._round, self._world)
        world = self._world
        if self.rolling.viscous:
            world, free = self.rolling.damp(contacts, self._key, self._impulse, h, self.inverse_mass, world, free)
        return RigidProblem(
            body, frame, arm, self.inverse_mass, world, free, bias, compliance, table, uses, joints, self.relaxed
        )

    def _radius(self, contacts: Contacts) -> Array | None:
        """Effective radii (C,) [m] of the contacts if some law needs them."""
        if not self.model.ratio.any():
            return None
        radius = contacts.effective_radius
        flat = np.isinf(radius) & self.model.ratio[contacts.law]
        if flat.any():
            a, b = contacts.body[np.argmax(flat)]
            raise SimulationError(
                f"bodies '{self.model.names[a]}' and '{self.model.names[b]}' touch with flat surfaces, which have no "
                "effective radius, but the lengths of their law are ratios to it. Give lengths [m] and leave out ratio."
            )
        return radius

    def _springs(self, contacts: Contacts, compliance: Array, bias: Array, h: float) -> Array:
        """Compliance E = 1 / (k h^2) of the contacts; returns the bias of their normal rows [m/s].

        The normal spring is as long as the gap.  Those of friction remember their deflection as the impulse that they
        carried: u = -E (p' - p), so that what sticks does not creep.
        """
        k = self.model.stiffness[contacts.law][:, [0, 1, 1, 2, 3, 3]]
        compliance[:] = 1.0 / (k * h * h)
        old = np.zeros_like(bias)
        match(contacts.key, self._key, self._impulse, old)
        bias[:] = -compliance * old
        return np.where(np.isfinite(k[:, 0]), contacts.gap, np.maximum(contacts.gap, 0.0)) / h

    def _ledger(
        self, state: State, problem: RigidProblem | GrainProblem, p: Array, mean: Array, loads: Array, before: float,
        poured: float, viscous: float,
    ) -> Ledger:  # fmt: skip
        """Where the energy went.

        Impulses times the mean velocities of the step are exactly the energy that contacts take; what is left is the
        scheme's: theta other than 1/2, the rotation of the inertia within the step, and the correction of drift.
        """
        sliding, spinning, rolling, impact = problem.losses(p, mean)
        rolling += viscous
        external = float(np.sum(loads * mean)) if self.model.loads else 0.0
        joints = elastic = 0.0
        if isinstance(problem, RigidProblem):
            if self.model.motions:
                external -= problem.work_on(self._prescribed, p, mean)
            if len(self.joints):
                taken = problem.joint_losses(p, mean)
                rows = np.flatnonzero(self.model.joints.motor)
                motors = float(taken[rows, self.model.joints.driven[rows]].sum())
                external -= motors
                joints = float(taken.sum()) - motors
            if self.compliant:
                elastic = problem.elastic(p)
                impact -= elastic - self._elastic
        kinetic, potential = self.energy(state)
        self._elastic = elastic
        self._total = kinetic + potential + elastic
        scheme = before + external - self._total - sliding - spinning - rolling - impact - joints
        return Ledger(
            kinetic, potential, elastic, external, poured, sliding, rolling, spinning, impact, joints, scheme
        )  # fmt: skip
