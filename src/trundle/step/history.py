"""Formulation "history": explicit steps with elastic contacts that remember how their contact point moved."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trundle.detect.contacts import Contacts, Detector
from trundle.errors import SceneError, SimulationError
from trundle.kernels.rotations import rotation_matrix
from trundle.scene.loads import loads_at
from trundle.scene.model import Model, State
from trundle.scene.shapes import HALF_SPACE, SPHERE
from trundle.solve.rigid import StepSolution
from trundle.step.history_table import HistoryTable
from trundle.step.kernels import history as history_kernels
from trundle.step.kernels import history_grains, history_lists, history_sections, history_shapes
from trundle.step.kernels import motion as kernels
from trundle.step.kernels.history import ELASTIC, LOADS, RECORD, SPHERES_RECORD, SUMS
from trundle.step.report import LEDGER, ROW_TYPE, Ledger, StepReport, StepRows
from trundle.step.stepper import FAST, Stepper, step_times

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
ALL_PAIRS = 12  # up to so many spheres every pair stays on the list
FEW_KINDS = 64  # up to so many kinds of bodies, every pair of kinds has its springs in a table
COLUMNS = {
    "contacts": history_grains.CONTACTS, "kinetic": history_grains.KINETIC, "potential": history_grains.POTENTIAL,
    "elastic": history_grains.STORED, "external": history_grains.EXTERNAL, "sliding": history_grains.SLIDING,
    "rolling": history_grains.ROLLED, "spinning": history_grains.SPUN, "impact": history_grains.IMPACT,
    "scheme": history_grains.SCHEME, "overlap": history_grains.OVERLAP, "one": history_grains.ONE,
    "other": history_grains.OTHER, "way": history_grains.WAY,
}  # fmt: skip
SKIN = 0.15  # of the smallest radius, by which the list of neighbours reaches further than contact


class History(Stepper):
    """v' = v + h a, q' = q + h v' (half-implicit Euler), a from springs, dashpots and the law's section.

    Fang & Negrut (2020).  The loads at the end of a step drive the next one; they depend on how the contact point moved
    on both bodies.  Scenes of spheres and fixed planes run in one compiled loop with lists of neighbours, many steps at
    once; other shapes take their contacts from the detector, step by step.
    """

    def __init__(self, model: Model) -> None:
        if len(model.joints):
            raise SceneError('formulation="history" has no joints. Use formulation="exact" or "compliant".')
        super().__init__(model)
        self.table = HistoryTable(model)
        self.detector = Detector(model)
        self.stable_time_step = self.table.stable_time_step()
        round_ones = np.isin(model.kind, (SPHERE, HALF_SPACE))
        movable_planes = (model.kind == HALF_SPACE) & np.isfinite(model.mass)
        self.grains = bool(
            round_ones.all() and not movable_planes.any() and not model.motions and model.isotropic
            and not np.any(model.axis_of >= 0)
        )  # fmt: skip
        count = len(model.mass)
        self._prescribed = np.array([b for b, _ in model.motions], np.int64)
        self._size = np.where(np.isfinite(model.radius), model.radius, np.inf)
        self._load: Array | None = None
        self._inertia = np.ascontiguousarray(model.inertia[:, 0, 0])
        self._radius = np.where(model.kind == SPHERE, model.parameters[:, 0], np.inf)
        # bodies of one kind have the same springs; `example` is one of each
        _, self._example, self._kind = np.unique(
            np.stack([model.mass, self._inertia, self._radius, model.surface], axis=1), axis=0, return_index=True,
            return_inverse=True,
        )  # fmt: skip
        self._constants = np.zeros((0, history_grains.CONSTANTS))
        self._D = np.tile(np.eye(3).ravel(), (count, 1))
        self._sums = np.zeros(SUMS)
        self._key, self._record = np.zeros(0, np.int64), np.zeros((0, RECORD))
        self._total: float | None = None
        self._warned = False  # once, of a time step that is too long
        self._last: tuple[np.void, State, float] | None = None  # row, state and time step of the last step
        self._body: Ints | None = None  # the list of neighbours; None: to be made
        self._set_present(np.ones(count, bool))

    # --- the contract of a stepper ------------------------------------------------------------------------------

    def memory(self) -> dict[str, NDArray[np.generic]]:
        """What the next step needs to know of this one."""
        used = self._record[:, history_kernels.TOUCHES] > 0.0
        load = np.zeros((0, 6)) if self._load is None else self._load
        total = np.nan if self._total is None else self._total
        return {
            "key": self._key[used], "record": self._record[used], "load": load.copy(),
            "energy": np.array([total, self._sums[ELASTIC]]),
        }  # fmt: skip

    def recall(self, memory: dict[str, NDArray[np.generic]]) -> None:
        """Go on from a memory, to the same bits."""
        self._key, self._record = memory["key"].astype(np.int64), memory["record"].astype(np.float64)
        load = memory["load"].astype(np.float64)
        self._load = load if len(load) else None
        total, elastic = (float(x) for x in memory["energy"])
        self._total = None if np.isnan(total) else total
        self._sums[:] = 0.0
        self._sums[ELASTIC] = elastic
        self._body = None

    def advance(self, state: State, h: float, steps: int) -> StepRows:
        if not self.grains:
            return super().advance(state, h, steps)
        changing = any(load.functions for load in self.model.loads)
        steps = 1 if changing else steps
        self._prepare(state, h)
        times, extra = step_times(state.time, h, steps), self._extra(state, h)
        before = self._sums[ELASTIC] + sum(self.energy(state))
        poured = 0.0 if self._total is None else before - self._total
        self._sums[:] = 0.0
        table, going = np.zeros((steps, history_grains.TABLE)), np.zeros(4)
        going[history_grains.ENERGY_BEFORE] = before
        done = self._run_grains(state, h, steps, extra, table, going)
        state.time = float(times[done - 1])
        self._check(state)
        self._drive(state, extra)
        self._total = float(going[history_grains.ENERGY_BEFORE])
        rows = np.zeros(done, ROW_TYPE)
        rows["time"], rows["converged"], rows["iterations"], rows["poured"][0] = times[:done], True, 1, poured
        for name, column in COLUMNS.items():
            rows[name] = table[:done, column]
        rows["way"] /= self.smallest
        self._report, self._last = None, (rows[-1], state, h)
        if rows["way"][-1] > FAST:
            self.before = state.copy()
            self.before.position[self._free] -= h * state.velocity[self._free]
        return rows

    def step(self, state: State, h: float) -> StepReport:
        """Advance the state by h [s], in place."""
        if self.grains:
            return super().step(state, h)
        self._prepare(state, h)
        before = sum(self.energy(state)) + self._sums[ELASTIC]
        poured = 0.0 if self._total is None else before - self._total
        start = np.concatenate([state.velocity, state.angular_velocity], axis=1)
        extra = self._extra(state, h)
        self._sums[:ELASTIC] = self._sums[ELASTIC + 1 :] = 0.0
        old = self._load.copy() if len(self._prescribed) and self._load is not None else None
        contacts, loads = self._step_bodies(state, h, extra)
        state.time += h
        self._check(state)
        self._drive(state, extra)
        mean = 0.5 * (start + np.concatenate([state.velocity, state.angular_velocity], axis=1))
        external = float(np.sum(extra * mean)) * h + self._sums[history_kernels.GIVEN_WORK]
        if old is not None:
            external -= h * float(np.sum((old * mean)[self._prescribed]))
        return self._made_report(state, h, contacts, loads, self._ledger(state, before, poured, external))

    def report(self) -> StepReport:
        if self._report is None and self._last is not None:
            row, state, h = self._last
            ledger = Ledger(*(float(row[name]) for name in LEDGER))
            self._report = self._made_report(state, h, *self._grain_contacts(state), ledger)
        return super().report()

    @staticmethod
    def _made_report(state: State, h: float, contacts: Contacts, loads: Array, ledger: Ledger) -> StepReport:
        v, position = np.concatenate([state.velocity, state.angular_velocity], axis=1), state.position.copy()
        solution = StepSolution(loads, v, 0.0, 1, True)
        return StepReport(contacts, solution, ledger, lambda: _rows(contacts, position, loads, v, h))

    @property
    def losses(self) -> dict[str, float]:
        """Energy [J] lost by sliding, rolling, spinning and impact in the last `advance` or `step`."""
        return dict(zip(("sliding", "rolling", "spinning", "impact"), self._sums[:4].tolist(), strict=True))

    def energy(self, state: State) -> tuple[float, float]:
        """Kinetic energy and that of gravity [J]."""
        model = self.model
        if self.grains:  # as `advance` does it: the same bits whether steps are done one by one or at once
            kinetic, potential = history_grains.energies(
                self._free, model.mass, self._inertia, model.gravity, state.position, state.velocity,
                state.angular_velocity,
            )  # fmt: skip
            return float(kinetic), float(potential)
        kinetic = kernels.kinetic_energy(
            self._free, model.mass, model.inertia, state.orientation, state.velocity, state.angular_velocity
        )
        return float(kinetic), -float(np.sum(model.mass[self._free, None] * state.position[self._free] * model.gravity))

    # --- steps ---------------------------------------------------------------------------------------------------

    def _prepare(self, state: State, h: float) -> None:
        if self._load is None:
            self.stable_time_step = self.table.stable_time_step(float(np.linalg.norm(state.velocity, axis=1).max()))
        if not self._warned and h > self.stable_time_step:
            self._warned = True
            self.warnings.append(
                f"time_step = {h:g} s is longer than the stable one of the contact springs, about "
                f"{self.stable_time_step:.2g} s: bodies may gain energy. Use a shorter step or softer springs."
            )
        if not np.array_equal(state.present, self._present):
            self._set_present(state.present)
        if self._load is None:  # loads at the very start, where nothing has a past
            self._load = np.zeros((len(self.model.mass), 6))
            if self.grains:
                self._list(state)
                self._touch(state, h, self._extra(state, h))
            else:
                self._load_bodies(state, h, self._extra(state, h))
            self._sums[:ELASTIC] = self._sums[ELASTIC + 1 :] = 0.0

    def _set_present(self, present: NDArray[np.bool_]) -> None:
        model = self.model
        self._present = present.copy()
        free = present & np.isfinite(model.mass)
        self._free = np.flatnonzero(free).astype(np.int64)
        self._inverse_mass = np.where(free, model.inverse_mass, 0.0)
        self._turn = np.where(free, model.inverse_inertia[:, 0, 0], 0.0)
        self._body = None

    def _extra(self, state: State, h: float) -> Array:
        """Forces and torques of the scene's loads (B, 6), world frame: at the end of the step where they depend on time, at
        its beginning where they depend on the state."""
        if not self.model.loads:
            return np.zeros((len(self.model.mass), 6))
        return self._on_free(loads_at(self.model, state.time if self._of_state else state.time + h, state))

    def _drive(self, state: State, extra: Array) -> None:
        """Loads that depend on the state: what drives the next step is that of now, not `extra` of the last one."""
        if self._of_state and self._load is not None:
            self._load += self._on_free(loads_at(self.model, state.time, state)) - extra

    def _on_free(self, loads: Array) -> Array:
        held = np.ones(len(loads), bool)
        held[self._free] = False
        loads[held] = 0.0
        return loads

    @property
    def _of_state(self) -> bool:
        return any(load.of_state for load in self.model.loads)

    def _check(self, state: State) -> None:
        if not (np.all(np.isfinite(state.velocity)) and np.all(np.isfinite(state.angular_velocity))):
            raise SimulationError(
                f"t = {state.time:g} s: velocities are no longer finite. The stable time step is about "
                f"{self.stable_time_step:.2g} s."
            )

    def _ledger(self, state: State, before: float, poured: float, external: float) -> Ledger:
        sliding, rolling, spinning, impact, elastic, _ = (float(x) for x in self._sums)
        kinetic, potential = self.energy(state)
        self._total = kinetic + potential + elastic
        scheme = before + external - self._total - sliding - rolling - spinning - impact
        return Ledger(
            kinetic=kinetic, potential=potential, elastic=elastic, external=external, poured=poured, sliding=sliding,
            rolling=rolling, spinning=spinning, impact=impact, scheme=scheme,
        )  # fmt: skip

    # --- spheres and planes -----------------------------------------------------------------------------------------

    def _list(self, state: State) -> None:
        """A new list of neighbours, with the memories of the old one."""
        model = self.model
        spheres = np.flatnonzero(self._present & (model.kind == SPHERE)).astype(np.int64)
        planes = np.flatnonzero(model.kind == HALF_SPACE).astype(np.int64)
        self._plane_number = np.full(len(model.mass), -1, np.int64)
        self._plane_number[planes] = np.arange(len(planes))
        self._normal, self._offset, R = np.zeros((len(planes), 3)), np.zeros(len(planes)), np.empty((3, 3))
        for p, i in enumerate(planes):
            rotation_matrix(state.orientation, i, R)
            self._normal[p] = R @ model.parameters[i, :3]
            self._offset[p] = model.parameters[i, 3] + self._normal[p] @ state.position[i]
        every = len(spheres) <= ALL_PAIRS
        skin = SKIN * float(self._radius[spheres].min()) if len(spheres) else 0.0
        margin = float(np.max(self.table.parameters[:, history_kernels.MARGIN], initial=0.0))
        pairs = np.empty((max(64, 8 * len(spheres) * (1 + len(planes))), 2), np.int64)
        arguments = (state.position, self._radius, spheres, planes, self._normal, self._offset, skin + margin, every)
        count = history_lists.neighbours(*arguments, pairs)
        if count > len(pairs):
            pairs = np.empty((count, 2), np.int64)
            history_lists.neighbours(*arguments, pairs)
        body = pairs[:count]
        still = self._inverse_mass[body] == 0.0
        body = np.ascontiguousarray(body[~still.all(axis=1)])
        self._limit = np.inf if every else (0.5 * skin) ** 2
        key = self._keys(body)
        record = np.zeros((len(key), SPHERES_RECORD))
        history_lists.carry_over(key, self._key, self._record, record)
        self._key, self._record, self._body = key, record, body
        self._law = self._laws_of(body)
        self._springs(body)
        self._begun = state.position.copy()
        self._loads = np.zeros((len(key), LOADS))

    def _springs(self, body: Ints) -> None:
        """What every pair of the list keeps from step to step, one row for each pair of kinds where these are few."""
        model, law = self.model, self._law
        count = len(self._example)
        if count > FEW_KINDS:
            self._which = np.arange(len(body))
        else:
            self._which = self._kind[body[:, 0]] * count + self._kind[body[:, 1]]
            if len(self._constants) == count**2:
                return
            body = np.stack(np.meshgrid(self._example, self._example, indexing="ij"), axis=-1).reshape(-1, 2)
            law = model.pair[model.surface[body[:, 0]], model.surface[body[:, 1]]]
        self._constants = np.zeros((len(body), history_grains.CONSTANTS))
        history_grains.pair_constants(
            body, law, self.table.parameters, self._radius, model.mass, self._inertia, self._constants
        )

    def _keys(self, body: Ints) -> Ints:
        """Identity of the pairs, increasing along the list: planes first."""
        count = len(self.model.mass)
        planes = int(np.count_nonzero(self._plane_number >= 0))
        number = self._plane_number[body[:, 0]]
        return np.where(number >= 0, number, planes + body[:, 0]) * count + body[:, 1]

    def _laws_of(self, body: Ints) -> Ints:
        model = self.model
        law = model.pair[model.surface[body[:, 0]], model.surface[body[:, 1]]]
        if np.any(law < 0):
            a, b = body[np.argmax(law < 0)]
            one, other = model.surface_names[model.surface[a]], model.surface_names[model.surface[b]]
            raise SceneError(
                f"bodies '{model.names[a]}' and '{model.names[b]}' come close, but there is no law for their surfaces "
                f"'{one}' and '{other}'. Add scene.surface('{one}', '{other}', law=..., material=...)."
            )
        return law

    def _run_grains(self, state: State, h: float, steps: int, extra: Array, table: Array, going: Array) -> int:
        if self._body is None:
            self._list(state)
        done, middle = 0, False
        while done < steps and not going[history_grains.TOO_FAST]:
            done += history_grains.run_spheres(
                steps - done, middle, h, self._limit, FAST * self.smallest, self.model.gravity, extra, bool(self.model.loads),
                self._free, self._inverse_mass, self._turn, self._body, self._law, self._which, self._constants,
                self._record, self.table.parameters, self.table.laws, self._plane_number, self._normal, self._offset,
                self._radius, self.model.mass, self._inertia, state.position, state.orientation, state.velocity,
                state.angular_velocity, self._D, self._begun, self._load, self._sums, self._loads, going, table[done:],
            )  # fmt: skip
            if done < steps and not going[history_grains.TOO_FAST]:
                self._check(state)
                self._list(state)
                middle = True
        return done

    def _touch(self, state: State, h: float, extra: Array) -> None:
        """Loads of the state as it is."""
        assert self._load is not None
        self._load[:] = extra
        self._sums[:] = 0.0
        history_grains.touch_spheres(
            self._body, self._law, self._which, self._constants, self._record, self.table.parameters, self.table.laws,
            history_sections.workspace(self.table.laws[3]), self._plane_number, self._normal, self._offset, self._radius,
            state.position, state.velocity, state.angular_velocity, self._D, h, self._load, self._sums, False, self._loads,
        )  # fmt: skip

    def _grain_contacts(self, state: State) -> tuple[Contacts, Array]:
        """The closed contacts of the list, and their loads."""
        assert self._body is not None
        used = np.flatnonzero(self._record[:, history_kernels.TOUCHES] > 0.0)
        body, loads = self._body[used], self._loads[used]
        normal = np.ascontiguousarray(self._record[used, history_kernels.N0 : history_kernels.N0 + 3])
        gap, b = loads[:, 0].copy(), body[:, 1]
        point = state.position[b] - (self._radius[b] + 0.5 * gap)[:, None] * normal
        contacts = Contacts(
            body, point, normal, gap, self._law[used], self._key[used], np.ascontiguousarray(self._radius[body])
        )
        return contacts, loads

    # --- bodies of any shape ------------------------------------------------------------------------------------------

    def _step_bodies(self, state: State, h: float, extra: Array) -> tuple[Contacts, Array]:
        model = self.model
        for b, motion in model.motions:
            velocity = motion(state.time + h)
            state.velocity[b], state.angular_velocity[b] = velocity[:3], velocity[3:]
        history_shapes.move_bodies(
            self._free, self._prescribed, h, model.gravity, self._inverse_mass, model.inertia, model.inverse_inertia,
            self._load, state.position, state.orientation, state.velocity, state.angular_velocity, self._D,
        )  # fmt: skip
        return self._load_bodies(state, h, extra)

    def _load_bodies(self, state: State, h: float, extra: Array) -> tuple[Contacts, Array]:
        """Contacts of the state and their loads."""
        model = self.model
        contacts = self.detector.detect(state, 0.0)
        follows = model.axis_of[contacts.law] >= 0 if len(contacts) else np.zeros(0, bool)
        if follows.any():
            R, axes = np.empty((3, 3)), np.zeros_like(model.axis)
            for i in np.flatnonzero(model.axis_of >= 0):
                rotation_matrix(state.orientation, model.axis_of[i], R)
                axes[i] = R @ model.axis[i]
            contacts.follow(follows, axes[contacts.law[follows]])
        self._refuse_flat(contacts)
        record = np.zeros((len(contacts), RECORD))
        history_lists.carry_over(contacts.key, self._key, self._record, record)
        loads = np.zeros((len(contacts), LOADS))
        assert self._load is not None
        self._load[:] = extra
        self._sums[:] = 0.0
        history_shapes.touch_bodies(
            contacts.body, contacts.point, contacts.normal, contacts.gap, contacts.law, contacts.frame, contacts.radius,
            record, self.table.parameters, self.table.laws, model.kind, model.parameters, self._size, model.mass,
            self._inverse_mass, model.inertia, state.position, state.orientation, state.velocity,
            state.angular_velocity, self._D, h, self._load, self._sums, loads,
        )  # fmt: skip
        self._key, self._record = contacts.key, record
        used = record[:, history_kernels.TOUCHES] > 0.0
        return (contacts, loads) if used.all() else (contacts.chosen(used), loads[used])

    def _refuse_flat(self, contacts: Contacts) -> None:
        """Hertz' patch needs a radius of curvature."""
        row = self.table.parameters[contacts.law]
        hertz = (row[:, history_kernels.NORMAL] == history_kernels.HERTZ) | (
            row[:, history_kernels.SPINNING] == history_kernels.HERTZIAN
        )
        if not hertz.any():
            return
        radius = contacts.effective_radius
        flat = hertz & (contacts.gap < 0.0) & ~((radius > 0.0) & np.isfinite(radius))
        if flat.any():
            a, b = contacts.body[np.argmax(flat)]
            raise SimulationError(
                f"bodies '{self.model.names[a]}' and '{self.model.names[b]}' touch with a flat side or a corner, for which "
                "Hertz' theory has no radius. Give their surfaces material=trundle.Hooke(stiffness=...)."
            )


def _rows(contacts: Contacts, position: Array, loads: Array, v: Array, h: float) -> tuple[Array, Array]:
    """Impulses of one step at these loads, and relative velocities, in the contact frames, both (C, 6)."""
    frame, n = contacts.frame, len(contacts)
    impulse, velocity = np.zeros((n, 6)), np.zeros((n, 6))
    order = [1, 2]
    force, torque = np.einsum("cij,cj->ci", frame, loads[:, 1:4]), np.einsum("cij,cj->ci", frame, loads[:, 4:7])
    a, b = contacts.body.T if n else (np.zeros(0, np.int64),) * 2
    speed = v[b, :3] + np.cross(v[b, 3:], contacts.point - position[b])
    speed = speed - v[a, :3] - np.cross(v[a, 3:], contacts.point - position[a])
    u, w = np.einsum("cij,cj->ci", frame, speed), np.einsum("cij,cj->ci", frame, v[b, 3:] - v[a, 3:])
    for out, first, second in ((impulse, h * force, h * torque), (velocity, u, w)):
        out[:, :3] = first
        out[:, 3] = second[:, 0]
        out[:, 4:] = second[:, order]
    return impulse, velocity
