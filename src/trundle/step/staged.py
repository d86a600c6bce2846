"""What all steppers that consist of compiled stages have in common: the space they work in, contacts, and the way of a call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.contact.rigid import LawSheet
from trundle.detect.contacts import MORE, Contacts, Detector
from trundle.errors import SimulationError
from trundle.scene.joints import HOLD
from trundle.scene.joints import LIMIT as LIMITED
from trundle.scene.loads import has_functions, set_motors
from trundle.scene.model import Model, State
from trundle.space import Space, addresses, run_stages
from trundle.step.kernels import faces, motion, places, rough, springs, track
from trundle.step.kernels.places import CONTACTS, CULPRIT, ELASTIC, STEP_DONE, SWEEPS, TOTAL
from trundle.step.report import LEDGER, ROW_TYPE, StepReport, StepRows
from trundle.step.rows import all_field_loads, states_of
from trundle.step.stepper import Stepper, step_times
from trundle.step.workspace import make_space

Array = NDArray[np.float64]
Stage = Callable[..., Any]
# columns of the table of steps by their names in `ROW_TYPE`
COLUMNS = {
    "contacts": places.S_CONTACTS, "residual": places.S_RESIDUAL, "iterations": places.S_SWEEPS, "converged": places.S_CONVERGED,
    **{name: places.S_KINETIC + k for k, name in enumerate(LEDGER)}, "overlap": places.S_OVERLAP, "one": places.S_ONE,
    "other": places.S_OTHER, "way": places.S_WAY,
}  # fmt: skip


class Staged(Stepper):
    """A stepper whose step is a list of compiled stages over one `Space`.

    A subclass extends `_make_space`, makes room for contacts (`_make_room`), and sets `_addresses`, the stages of a step, and
    `_first_search`, the first one that looks for contacts, in `_choose_stages`.  What stages ask of Python is `_help`.
    """

    theta = 1.0  # share of the step after which nothing is looked for
    tracks = False  # whether `track` keeps the state of the only movable body after every step of an advance
    _follows = False  # whether contacts are looked for at the beginning of a step, too

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.detector = Detector(model)
        self.sheet = LawSheet(model.laws)
        self._springs = bool(np.any(model.joints.role != HOLD))
        self.space = self._make_space()
        self.detector.put_into(self.space)
        self._present = np.zeros(0, bool)
        self._room = 0
        self._make_room(16)
        self._bound: State | None = None
        self._last = np.zeros(places.COLUMNS)
        self._find = self._searches()
        self._addresses = np.zeros(0, np.int64)
        self._first_search = 0
        self._choose_stages()

    def _make_space(self) -> Space:
        return make_space(self.model, self.sheet, self._follows)

    def _choose_stages(self) -> None:
        """Compile or load what a step needs."""
        raise NotImplementedError

    def _make_room(self, contacts: int) -> None:
        """Arrays for so many contacts at least."""
        raise NotImplementedError

    def _make_report(self) -> StepReport:
        raise NotImplementedError

    def _sieves(self) -> list[Stage]:
        """Stages that look at the contacts that were found before these are gathered."""
        return []

    def _searches(self) -> list[Stage]:
        """How contacts of this model are looked for."""
        rough_ground = bool(self.model.rough.any())
        found = self.detector.searches(
            [rough.reach_over_roughness] * rough_ground, [*[rough.roughen] * rough_ground, *self._sieves()]
        )
        return [*found, *[faces.add_centres] * bool(self.space["flat_law"].any())]

    # --- memory ---------------------------------------------------------------------------------------

    def memory(self) -> dict[str, NDArray[Any]]:
        total = np.nan if self._total is None else self._total
        kept = {"joint_x": self.space["joint_x"].copy()} if self._springs else {}
        return {**kept, "energy": np.array([total, self.space["results"][ELASTIC]]), **self.detector.memory()}

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        total, self.space["results"][ELASTIC] = (float(x) for x in memory["energy"])
        self._total = None if np.isnan(total) else total
        if self._springs:
            self.space["joint_x"][:] = memory["joint_x"]
        if "rims" in memory:
            self.detector.recall(memory)

    def _set_present(self, present: NDArray[np.bool_]) -> None:
        """Bodies that are not there yet can neither be pushed nor move."""
        model, space = self.model, self.space
        self._present = present.copy()
        free = present & np.isfinite(model.mass)
        space.put(
            can_be_pushed=free, inverse_mass=np.where(free, model.inverse_mass, 0.0), moves=free | space["prescribed"],
            inverse_inertia=np.where(free[:, None, None], model.inverse_inertia, 0.0), movable=np.flatnonzero(free),
        )  # fmt: skip
        bounded = present & np.isfinite(space["size_of"])
        least = float(np.min(space["size_of"][bounded], initial=np.inf))
        space["options"][places.LEAST_SIZE] = least

    def _bind(self, state: State, h: float) -> None:
        """Work on this state, with steps of h [s]."""
        if self._bound is not state or self.space["position"] is not state.position:
            self.space.put(
                position=state.position, orientation=state.orientation, velocity=state.velocity,
                angular_velocity=state.angular_velocity,
            )  # fmt: skip
            self._bound = state
        self.space["present"] = state.present
        if not self.detector.parts.some:
            self.space.put(row_place=self.space["origin"], row_present=state.present)
        if not np.array_equal(state.present, self._present):
            self._set_present(state.present)
        options, numbers = self.space["options"], self.space["numbers"]
        options[places.H], options[places.THETA], options[places.MARGIN] = h, self.theta, self.detector.margin
        numbers[places.FEATURES], numbers[places.CODES] = self.detector.features, self.detector.codes

    # --- steps ----------------------------------------------------------------------------------------

    def advance(self, state: State, h: float, steps: int) -> StepRows:
        space, model = self.space, self.model
        if has_functions(model):  # they have to be called before every step
            steps = 1
        set_motors(model, state.time + h, state, state.time + self.theta * h)
        space["joint_speed"][:] = model.joints.sign * model.joints.speed
        self._bind(state, h)
        if self._springs:
            joints = model.joints
            space["joint_rest"][:] = np.where(joints.role == LIMITED, 1.0, joints.sign) * joints.rest
            self._run([springs.note_springs])
        times = step_times(state.time, h, steps)
        self._evaluate(state, h, times)
        space["steps"] = np.zeros((steps, places.COLUMNS))
        if self.tracks:
            space["track"] = np.zeros((steps, track.WIDTH))
        numbers, results = space["numbers"], space["results"]
        before = sum(self.energy(state)) + results[ELASTIC] + results[places.SPRUNG]
        poured = 0.0 if self._total is None else before - self._total
        results[TOTAL] = before
        numbers[STEP_DONE] = numbers[SWEEPS] = 0
        self.before, self._report = None, None
        first, code = 0, -1
        while code:
            stage, code = run_stages(space.at, self._addresses, first, numbers, steps)
            if code == places.FAR:
                numbers[STEP_DONE] += 1
                if self.tracks:  # who tracks a body sees for himself whether it went through the ground
                    first, code = 0, int(numbers[STEP_DONE] < steps)
                    continue
                self.before = State(
                    float(times[0]) - h, space["before"].copy(), state.orientation, state.velocity, state.angular_velocity,
                    state.present,
                )  # fmt: skip
                break
            if code:
                try:
                    first = self._help(int(stage), int(code), state, h)
                except SimulationError:
                    if not numbers[STEP_DONE]:
                        raise
                    break
        done = int(numbers[STEP_DONE])
        table = space["steps"][:done]
        table[0, places.S_POURED] = poured
        state.time = float(times[done - 1])
        self._total = float(results[TOTAL])
        self._last = table[-1]
        rows = np.zeros(done, ROW_TYPE)
        rows["time"] = times[:done]
        for name, column in COLUMNS.items():
            rows[name] = table[:, column]
        return rows

    def _evaluate(self, state: State, h: float, times: Array) -> None:
        """Loads in the middle and prescribed motions at the end of the steps, whose ends are given."""
        model = self.model
        if model.loads:
            view = model.view(self._halfway(state, h))
            values = np.empty((len(times), len(model.loads), 6))
            for k, end in enumerate(times):
                for i, load in enumerate(model.loads):
                    force, torque = (
                        load.mean(float(end) - h, float(end), view)
                        if self.mean_loads
                        else load.at(float(end) - 0.5 * h, view)
                    )
                    values[k, i, :3], values[k, i, 3:] = force, torque
            self.space["load_value"] = values
        if model.fields:
            halfway, ahead = states_of(state, self.space["moves"], h, self.theta)
            self.space["field_force"] = all_field_loads(model, halfway, float(times[0]) - 0.5 * h, ahead)
        if model.motions:
            values = np.empty((len(times), len(model.motions), 6))
            for k, end in enumerate(times):
                for i, (_, prescribed) in enumerate(model.motions):
                    values[k, i] = prescribed(float(end))
            self.space["motion_velocity"] = values

    def _halfway(self, state: State, h: float) -> State:
        """The state that functions of the state get: after free flight to the middle of the step."""
        if not any(load.of_state for load in self.model.loads) or self.theta == 1.0:
            return state
        middle = state.copy()
        velocities = np.concatenate([state.velocity, state.angular_velocity], axis=1)
        motion.move(self.space["moves"], velocities, (1.0 - self.theta) * h, middle.position, middle.orientation)
        return middle

    def _help(self, stage: int, code: int, state: State, h: float) -> int:
        """Do what a stage asks for; returns the stage to go on with."""
        if code in MORE:
            self._give(code)
            return self._first_search
        if code == places.NOT_FINITE:
            raise SimulationError(f"t = {state.time:g} s: velocities are no longer finite. Use a smaller time step.")
        self._raise_for(code)
        return 0

    def _run(self, stages: list[Stage]) -> None:
        """Stages that are not needed in every step."""
        run_stages(self.space.at, addresses(stages), 0, np.zeros(1, np.int64), 1)

    def contacts_at(self, state: State, h: float) -> Contacts:
        space, found = self.space, addresses(self._find)
        self._bind(state, h)
        space["middle"][:], space["turned"][:] = state.position, state.orientation
        space["free"][:, :3], space["free"][:, 3:] = state.velocity, state.angular_velocity
        while True:
            _, code = run_stages(space.at, found, 0, np.zeros(1, np.int64), 1)
            if code == 0:
                return self._contacts()
            if code not in MORE:
                self._raise_for(int(code))
            self._give(int(code))

    def _contacts(self) -> Contacts:
        """Contacts of the present step."""
        n = int(self.space["numbers"][CONTACTS])
        return Contacts(
            *(self.space[name][:n].copy() for name in ("body", "point", "normal", "gap", "law", "key", "radius"))
        )

    def _give(self, code: int) -> None:
        """More room for contacts, near pairs, or edges of meshes."""
        numbers = self.space["numbers"]
        if code == places.MORE_ROOM:
            self._make_room(int(numbers[places.COUNT]))
        else:
            self.detector.grow(code, numbers)

    def _raise_for(self, code: int) -> None:
        model, c = self.model, int(self.space["numbers"][CULPRIT])
        if code == places.NOT_FINITE:
            raise SimulationError("positions or velocities are not finite. Use a smaller time step.")
        if code == places.NO_LAW:
            self.detector.no_law(*(int(i) for i in self.space["body"][c]))
        a, b = (model.names[i] for i in self.space["body"][c])
        law = int(self.space["law"][c])
        if code == places.NO_AXIS:
            raise SimulationError(
                f"bodies '{a}' and '{b}' touch along the axis {model.axis[law].tolist()} of '{model.names[model.axis_of[law]]}', "
                "which the x-axis of their law follows: it has no direction in the tangent plane. Give an axis that lies in it."
            )
        if code == places.NO_RIM:
            raise SimulationError(
                f"bodies '{a}' and '{b}' touch with rolling = 'contour', but neither is a Disk or a "
                "Cylinder: only they have a rim. Use rolling = 'classical' for their surfaces."
            )
        raise SimulationError(
            f"bodies '{a}' and '{b}' touch with flat surfaces or corners, which have no effective radius, but their law or "
            "stiffness refers to it. Give lengths [m] and leave out ratio, and numbers as stiffness [N/m]."
        )

    def report(self) -> StepReport:
        if self._report is None:
            self._report = self._make_report()
        return self._report
