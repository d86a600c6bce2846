"""Formulation "history": explicit steps with elastic contacts that remember how their contact point moved."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trundle.detect.contacts import Contacts
from trundle.detect.kernels.contacts import REALS, WHOLES
from trundle.errors import SceneError, SimulationError
from trundle.kernels.rotations import rotation_matrix
from trundle.kinds import HALF_SPACE, SPHERE
from trundle.laws.kernels.general import addresses as own_addresses
from trundle.scene.checks import flat_ratios
from trundle.scene.locks import locked_degrees
from trundle.scene.model import Model, State
from trundle.solve.rigid import StepSolution
from trundle.space import Space, addresses, run_stages
from trundle.step.history_table import HistoryTable
from trundle.step.kernels import flight, history_motion, history_places, history_search, history_stages, places, rows
from trundle.step.kernels.history import (
    ELASTIC,
    FORCE,
    LOADS,
    MARGIN,
    PLAIN,
    RECORD,
    SLID,
    SPRING_FORCE,
    SPRING_TORQUE,
    SUMS,
    TORQUE,
    TOUCHES,
    TURNED,
    TURNED_A,
)
from trundle.step.kernels.history_places import COUNT_COUNT, EVERY, NOTED, NOW, SLOTS, STALE
from trundle.step.report import Ledger, StepReport, StepRows
from trundle.step.staged import Stage, Staged

Array = NDArray[np.float64]

ALL_PAIRS = 12  # up to so many spheres every pair stays on the list
FEW_KINDS = 64  # up to so many kinds of bodies, every pair of kinds has its springs in a table
SKIN = 0.15  # of the smallest radius, by which the list of pairs reaches further than contact


class History(Staged):
    """v' = v + h a, q' = q + h v' (half-implicit Euler), a from springs, dashpots and the law's section.

    Fang & Negrut (2020).  The loads at the end of a step drive the next one; they depend on how the contact point moved
    on both bodies.  A step is a list of stages, of which loads, prescribed motions and the search for contacts are those of
    all formulations.

    lists : whether contacts come from a list of pairs, which is faster, where that is possible: spheres on fixed planes.
    """

    def __init__(self, model: Model, *, lists: bool = True) -> None:
        if model.joints.count:
            raise SceneError('formulation="history" has no joints. Use formulation="exact" or "compliant".')
        if np.any(model.centre_of_mass):
            name = model.names[int(np.argmax(np.any(model.centre_of_mass != 0.0, axis=1)))]
            raise SceneError(
                f"body '{name}': centre_of_mass has no place in formulation=\"history\", whose contact points move on "
                'shapes about their centres. Use formulation="exact" or "compliant".'
            )
        for message in flat_ratios(model):
            raise SceneError(message)
        planes = model.kind == HALF_SPACE
        self.lists = lists and bool(
            np.all((model.kind == SPHERE) | planes) and not np.any(planes & np.isfinite(model.mass)) and not model.motions
            and model.isotropic and not len(model.joints)
        )  # fmt: skip
        self.table = HistoryTable(model)
        self.stable_time_step = self.table.stable_time_step()
        self._warned = False  # once, of a time step that is too long
        self._begun = False  # whether the loads that drive the first step are known
        super().__init__(model)

    def _make_space(self) -> Space:
        space, model, bodies = super()._make_space(), self.model, len(self.model.mass)
        space.extend(history_places.NAMES)
        plain = self.table.parameters[:, PLAIN] == 1.0
        if not plain.all() and not space["own"].any():
            space["own"] = own_addresses([])
        spheres, planes = model.kind == SPHERE, np.flatnonzero(model.kind == HALF_SPACE)
        few = int(np.count_nonzero(spheres)) <= ALL_PAIRS
        skin = SKIN * float(model.radius[spheres].min(initial=np.inf)) if spheres.any() else 0.0
        margin = float(np.max(self.table.parameters[:, MARGIN], initial=0.0))
        plane_of = np.full(bodies, -1, np.int64)
        plane_of[planes] = np.arange(len(planes))
        space.put(
            turns=np.tile(np.eye(3).ravel(), (bodies, 1)), spring_parameters=self.table.parameters, plane_of=plane_of,
            locked=locked_degrees(model.joints, bodies),
            list_reach=np.array([np.inf, np.inf] if few else [skin + margin, 0.25 * skin**2]),
            counts=np.zeros(COUNT_COUNT, np.int64),
        )  # fmt: skip
        space["counts"][EVERY], space["counts"][STALE] = few, True
        space.make(pull=(bodies, 6), work=(4, 6), coef_room=space["law_coef"].shape, sums=(SUMS,))
        self._sort_kinds(space)
        return space

    def _sort_kinds(self, space: Space) -> None:
        """Bodies of one kind have the same springs; `example` is one of each, none where there are too many kinds."""
        model = self.model
        features = np.stack([model.mass, model.inertia[:, 0, 0], model.radius, model.surface], axis=1)
        _, example, kind = np.unique(features, axis=0, return_index=True, return_inverse=True)
        example = example[:0] if len(example) > FEW_KINDS else example
        space.put(body_kind=kind.reshape(-1).astype(np.int64), example=example.astype(np.int64))
        space.make(constants=(len(example) ** 2 if self.lists else 0, history_places.CONSTANT_COUNT))

    def _choose_stages(self) -> None:
        contacts: list[Stage] = [history_search.find_neighbours] * (not self.space["counts"][EVERY])
        contacts += [history_search.list_pairs, history_search.touch_pairs]
        if not self.lists:
            contacts = [history_search.look_around, *self._find[1:], history_search.remember]
        set_out = [flight.load_bodies] * bool(self.model.loads) + [rows.push_fields] * bool(self.model.fields)
        set_out += [history_motion.move]
        rims = [history_stages.roll_on_rims] * bool(self.model.contour.any())
        self._addresses = addresses([*set_out, *contacts, *rims, history_stages.touch, history_stages.account])
        self._first_search = len(set_out)
        if self.lists and len(self.space["example"]):
            self._run([history_search.tabulate_springs])

    # --- the contract of a stepper ------------------------------------------------------------------------------

    def memory(self) -> dict[str, NDArray[np.generic]]:
        now, slots = self._now, self._slots
        record, key = self.space["record"][now, :slots], self.space["slot_key"][now, :slots]
        used = record[:, TOUCHES] > 0.0
        load = self.space["pull"].copy() if self._begun else np.zeros((0, 6))
        return {"key": key[used], "record": record[used], "load": load, **super().memory()}

    def recall(self, memory: dict[str, NDArray[np.generic]]) -> None:
        space, slots = self.space, len(memory["key"])
        self._make_room(slots)
        space["counts"][SLOTS], space["counts"][STALE] = slots, True
        space["slot_key"][self._now, :slots], space["record"][self._now, :slots] = memory["key"], memory["record"]
        self._begun = len(memory["load"]) > 0
        space["pull"][:] = memory["load"] if self._begun else 0.0
        super().recall(memory)

    def advance(self, state: State, h: float, steps: int) -> StepRows:
        self._bind(state, h)
        if not self._begun:
            self._begin(state, h)
        if not self._warned and h > self.stable_time_step:
            self._warned = True
            self.warnings.append(
                f"time_step = {h:g} s is longer than the stable one of the contact springs, about "
                f"{self.stable_time_step:.2g} s: bodies may gain energy. Use a shorter step or softer springs."
            )
        if steps == 1:
            return super().advance(state, h, 1)
        before, memory = state.copy(), self.memory()
        rows = super().advance(state, h, steps)
        if len(rows) < steps and self.before is None:  # the next step failed, and has moved bodies already
            for name in ("position", "orientation", "velocity", "angular_velocity"):
                getattr(state, name)[:] = getattr(before, name)
            state.time = before.time
            self.recall(memory)
            rows = super().advance(state, h, len(rows))
        return rows

    # --- steps ---------------------------------------------------------------------------------------------------

    @property
    def _now(self) -> int:
        return int(self.space["counts"][NOW])

    @property
    def _slots(self) -> int:
        return int(self.space["counts"][SLOTS])

    def _bind(self, state: State, h: float) -> None:
        super()._bind(state, h)
        self.space.put(middle=state.position, origin=state.position, turned=state.orientation)
        if not self.detector.parts.some:
            self.space.put(row_place=state.position)

    def _set_present(self, present: NDArray[np.bool_]) -> None:
        super()._set_present(present)
        self.space["counts"][STALE] = True

    def _make_room(self, contacts: int) -> None:
        space = self.space
        if self._room and contacts <= self._room:
            return
        n = self._room = max(16, contacts + contacts // 4)
        kept = {name: space[name] for name in ("record", "slot_key") if name in space}
        space.make(
            point=(n, 3), normal=(n, 3), gap=(n,), late_push=(n,), radius=(n, 2), found_real=(n, REALS), contact_loads=(n, LOADS),
            record=(2, n, RECORD), rim_frame=(n if self.model.contour.any() else 0, 6, 3),
        )  # fmt: skip
        names = ("law", "key", "feature", "order", "by_second", "pair_law", "pair_which", "slot", "which")
        space.make(
            np.int64, body=(n, 2), found=(n, WHOLES), pair_body=(n, 2), slot_key=(2, n), **dict.fromkeys(names, (n,))
        )
        for name, old in kept.items():
            space[name][:, : old.shape[1]] = old
        if self.lists and not len(space["example"]):
            space.make(constants=(n, history_places.CONSTANT_COUNT))

    def _begin(self, state: State, h: float) -> None:
        """The loads of the state as it is, where nothing has a past."""
        self.stable_time_step = self.table.stable_time_step(
            float(np.linalg.norm(state.velocity, axis=1).max(initial=0.0))
        )
        chosen, first, code = self._addresses[:-1], self._first_search, -1
        self.space["counts"][NOTED] = 0
        while code:
            stage, code = run_stages(self.space.at, chosen, first, np.zeros(1, np.int64), 1)
            first = self._help(int(stage), int(code), state, h) if code else first
        self.space["results"][places.ELASTIC] = self.space["sums"][ELASTIC]
        self._begun = True

    def _help(self, stage: int, code: int, state: State, h: float) -> int:
        model, space = self.model, self.space
        if code == places.NOT_FINITE:
            raise SimulationError(
                f"t = {state.time:g} s: positions or velocities are no longer finite. The stable time step is about "
                f"{self.stable_time_step:.2g} s."
            )
        if code == history_places.NO_PATCH:
            a, b = (model.names[i] for i in space["body"][space["numbers"][places.CULPRIT]])
            raise SimulationError(
                f"bodies '{a}' and '{b}' touch with a flat side or a corner, for which Hertz' theory has no radius. "
                "Give their surfaces material=trundle.Hooke(stiffness=...)."
            )
        return super()._help(stage, code, state, h)

    # --- reports -------------------------------------------------------------------------------------------------

    def _make_report(self) -> StepReport:
        space, state, row = self.space, self._bound, self._last
        assert state is not None
        n, h = int(space["numbers"][places.CONTACTS]), float(space["options"][places.H])
        contacts, loads = self._closed(n), space["contact_loads"][:n].copy()
        v, position = np.concatenate([state.velocity, state.angular_velocity], axis=1), state.position.copy()
        ledger = Ledger(*row[places.S_KINETIC : places.S_NUMERICAL + 1].tolist())
        return StepReport(
            contacts, StepSolution(loads, v, 0.0, 1, True), ledger, lambda: _rows(contacts, position, loads, v, h),
            springs=lambda: _springs(contacts, loads, h),
        )  # fmt: skip

    def _closed(self, n: int) -> Contacts:
        """The closed contacts of the last step."""
        space, model = self.space, self.model
        if self.lists:  # what only reports need
            b = space["body"][:n, 1]
            space["key"][:n] = space["slot_key"][self._now, space["slot"][:n]]
            space["radius"][:n] = np.where(model.kind == SPHERE, model.radius, np.inf)[space["body"][:n]]
            depth = model.radius[b] + 0.5 * space["gap"][:n]
            space["point"][:n] = space["position"][b] - depth[:, None] * space["normal"][:n]
        contacts = self._contacts()
        follows = model.axis_of[contacts.law] >= 0
        if follows.any():
            R, axes = np.empty((3, 3)), np.zeros_like(model.axis)
            for i in np.flatnonzero(model.axis_of >= 0):
                rotation_matrix(space["orientation"], model.axis_of[i], R)
                axes[i] = R @ model.axis[i]
            contacts.follow(follows, axes[contacts.law[follows]])
        return contacts


def _rows(contacts: Contacts, position: Array, loads: Array, v: Array, h: float) -> tuple[Array, Array]:
    """Impulses of one step at these loads, and relative velocities, in the contact frames, both (C, 6)."""
    frame, (a, b) = contacts.frame, contacts.body.T
    speed = v[b, :3] + np.cross(v[b, 3:], contacts.point - position[b])
    speed = speed - v[a, :3] - np.cross(v[a, 3:], contacts.point - position[a])
    impulse = h * _six(frame, loads, FORCE, TORQUE)
    return impulse, np.concatenate([_in(frame, speed), _in(frame, v[b, 3:] - v[a, 3:])], axis=1)


def _springs(contacts: Contacts, loads: Array, h: float) -> tuple[Array, Array]:
    """Impulses of the springs alone (C, 6), and deflections (C, 8), columns of `layout.SPRING_DATA`."""
    frame = contacts.frame
    deflection = _six(frame, loads, SLID, TURNED)
    deflection[:, 0] = np.maximum(-contacts.gap, 0.0)
    first = _in(frame, loads[:, TURNED_A : TURNED_A + 3])[:, 1:]
    return h * _six(frame, loads, SPRING_FORCE, SPRING_TORQUE), np.concatenate([deflection, first], axis=1)


def _in(frame: Array, x: Array) -> Array:
    """World vectors (C, 3) as components on n, t1, t2."""
    return np.einsum("cij,cj->ci", frame, x)


def _six(frame: Array, loads: Array, force: int, torque: int) -> Array:
    """Two vectors of each contact as rows n, t1, t2, s, r1, r2."""
    return np.concatenate([_in(frame, loads[:, k : k + 3]) for k in (force, torque)], axis=1)
