"""Moreau-Jean time stepping for bodies of any shape: a list of compiled stages, and what they ask of Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.contact.kernels.rigid import relative_velocity
from trundle.contact.problem import ContactProblem
from trundle.contact.rigid import WIDTH, LawSheet, RigidProblem, stack_tables
from trundle.detect.contacts import Contacts, Detector
from trundle.errors import SimulationError
from trundle.kinds import HALF_SPACE, IMPACTS, SPHERE
from trundle.laws.kernels.general import addresses as own_addresses
from trundle.laws.table import LawTable
from trundle.scene.joints import HOLD
from trundle.scene.joints import LIMIT as LIMITED
from trundle.scene.loads import has_functions, set_motors
from trundle.scene.model import Model, State
from trundle.solve.base import Solver
from trundle.solve.policy import POLICY
from trundle.solve.rigid import StepSolution, polish_with_matrix
from trundle.solve.solve_with import solve_with
from trundle.space import Space, addresses, run_stages
from trundle.step.joints import JointRows
from trundle.step.kernels import (
    again,
    ahead,
    assemble,
    begin,
    faces,
    finish,
    flight,
    held,
    impacts,
    lanes,
    listed,
    motion,
    places,
    rough,
    search,
    solution,
    springs,
    track,
    vary,
)
from trundle.step.kernels.places import (
    CONTACTS,
    CULPRIT,
    ELASTIC,
    KNOWN,
    LIMIT,
    RESIDUAL,
    STEP_DONE,
    SWEEPS,
    TOTAL,
)
from trundle.step.report import LEDGER, ROW_TYPE, Ledger, StepReport, StepRows
from trundle.step.stepper import Stepper, step_times
from trundle.step.workspace import make_impact_room, make_impact_space, make_room, make_space, put_search

Array = NDArray[np.float64]
Stage = Callable[..., Any]
FINE_TOLERANCE = 1e-9  # below which bodies that should stand still are looked at closely
CORRECTION_SWEEPS = 20
ROLLING_CLOSED = 1e-3  # of the margin: gap up to which a contact counts as closed
# columns of the table of steps by their names in `ROW_TYPE`
COLUMNS = {
    "contacts": places.S_CONTACTS, "residual": places.S_RESIDUAL, "iterations": places.S_SWEEPS, "converged": places.S_CONVERGED,
    **{name: places.S_KINETIC + k for k, name in enumerate(LEDGER)}, "overlap": places.S_OVERLAP, "one": places.S_ONE,
    "other": places.S_OTHER, "way": places.S_WAY,
}  # fmt: skip


class MoreauJean(Stepper):
    """v' = v + M^-1 (h F + H^T p), q' = q + h (theta v' + (1 - theta) v), the law on v' with Newton's restitution.

    Acary & Bourrier (2021), section 6.  Contacts are looked for after (1 - theta) h, which keeps the angular momentum
    of colliding bodies to round-off and is Moreau's midpoint for theta = 1/2.  They are active where they are closed or
    can close until they are looked for again, and an open one may close its gap but not more: u_n' >= -gap / h.

    scheme "moreau-midpoint" is that of le Saux et al. (2005), section 3: the angular velocity in the body frame is the
    unknown, with an explicit gyroscopic term, the quaternion moves along straight lines, and at the end of every step
    penetration is taken back by moving bodies apart, (3.8)-(3.14).
    """

    def __init__(
        self, model: Model, *, theta: float, tolerance: float, max_sweeps: int = 60_000, formulation: str = "exact",
        scheme: str = "moreau-jean", solver: Solver | None = None, impact: str = "newton",
        tracks: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(model)
        self.tracks = tracks  # whether `track` keeps the state of the only movable body after every step of an advance
        self.solver = solver
        self.theta, self.tolerance, self.max_sweeps = theta, tolerance, max_sweeps
        self.relaxed, self.compliant = formulation == "relaxed", formulation == "compliant"
        self.midpoint, self.impact = scheme == "moreau-midpoint", IMPACTS.index(impact)
        self.bounces = bool(np.any(model.restitution > 0.0))
        # how contacts that the solution closes are found; springs may overlap
        self._looks: Stage | None = None if self.compliant else again.look_again if self.bounces else ahead.look_ahead
        self._follows = theta < 1.0 and not self.midpoint and not self.compliant
        self.detector = Detector(model)
        self.sheet = LawSheet(model.laws)
        self.joints = JointRows(model.joints)
        self._springs = bool(np.any(model.joints.role != HOLD))
        self.space = self._make_space()
        self._varies = any(law.varies for law in model.laws) or bool(self.space["smooth"].any())
        self._varies = self._varies or bool(self.space["flat_law"].any())
        if self.compliant:
            self.space["in_lanes"][:] = False
        self.space.put(apart=model.meetings.numbers, group=model.meetings.group, meets=model.meetings.meets)
        put_search(self.space, self.detector)
        self._present = np.zeros(0, bool)
        self._room = 0
        self._own: Space | None = None  # of impacts
        self._make_room(16)
        self._total: float | None = None
        self._bound: State | None = None
        self._last = np.zeros(places.COLUMNS)
        self._choose_stages()

    def _make_space(self) -> Space:
        return make_space(self.model, self.sheet, self._follows)

    def _choose_stages(self) -> None:
        """Compile or load what a step needs."""
        model = self.model
        driven = (model.joints.driven >= 0) & np.isfinite(model.joints.limit)
        self._lists = bool(np.any(driven)) or not bool(self.space["in_lanes"].all())
        if self._lists and not self.space["own"].any():
            self.space["own"] = own_addresses([])
        verbs = [lanes] + [listed] * self._lists + [held] * bool(len(self.joints))
        self.space["verbs"] = addresses([stage for kind in verbs for stage in self._verbs(kind)]).reshape(
            -1, places.VERB_COUNT
        )
        if self.bounces:
            self._own = make_impact_space(self.space, addresses(self._impact_stages()))
            make_impact_room(self.space, self._own, len(model.joints), self._room)
        self._find = self._searches()
        stages = self._stages()
        searches = [k for k, stage in enumerate(stages) if stage is search.touch_planes]
        self._first_search, self._search = searches[0], searches[-1]
        self._reach = len(stages) - 1 - stages[::-1].index(search.reach_out)
        self._after_solve = stages.index(vary.settle if self._varies else self._looks or finish.take_means)
        solves = solution.solve_links if self.solver is None else solution.ask_solver
        self.space["numbers"][places.TO_SOLVE] = stages.index(solves)
        self.space["numbers"][places.TO_SEARCH] = self._search
        self.space["numbers"][places.TO_FLIGHT] = stages.index(flight.set_out)
        self.space["numbers"][places.TO_END] = stages.index(finish.take_means)
        self._addresses = addresses(stages)

    def _searches(self) -> list[Stage]:
        """How contacts of this model are looked for."""
        model, detector, found = self.model, self.detector, self.detector.needed
        pairs = len(detector.meeting) > 1
        chosen: list[tuple[Stage, Any]] = [
            (search.reach_out, True),
            (search.place_shapes, len(self.space["centre"])),
            (search.touch_planes, True),
            (search.stand_on_planes, found["solid"] and len(detector.planes)),
            (rough.reach_over_roughness, bool(model.rough.any())),
            (search.touch_meshes, len(detector.meshes)),
            (search.touch_walls, found["hollow"] is not None),
            (search.find_pairs, pairs),
            (search.touch_spheres, pairs and int(np.sum(model.geometry.kind[detector.meeting] == SPHERE)) > 1),
            (search.touch_clumps, found["balls"]),
            (search.touch_balls, found["ball_shapes"]),
            (search.touch_capsules, found["capsules"]),
            (search.touch_ellipsoids, found["ellipsoids"]),
            (search.touch_polytopes, found["poly"] is not None),
            (search.touch_others, found["general"]),
            (search.touch_edges, len(detector.meshes) and found["search"] is not None),
            (rough.roughen, bool(model.rough.any())),
            (again.end_unless_missed, self._looks is again.look_again),
            (ahead.sift, self._looks is ahead.look_ahead),
            (search.gather_contacts, True),
            (faces.add_centres, self.space["flat_law"].any()),
        ]
        return [stage for stage, wanted in chosen if wanted]

    def _stages(self) -> list[Stage]:
        """What a step of this model consists of."""
        model, joints = self.model, bool(len(self.joints))
        rolling = model.contour.any(), bool(np.any(model.viscosity > 0.0))
        chosen: list[tuple[Stage, Any]] = [
            (begin.look_back, self._follows),
            *((stage, self._follows) for stage in self._find),
            (begin.note_arms, self._follows),
            (flight.set_out, True),
            (flight.to_midpoint, self.midpoint),
            (flight.keep_momentum, not self.midpoint and not model.isotropic),
            (flight.turn_inertia, not self.midpoint and model.isotropic),
            (flight.free_fall, True),
            (flight.gyrate, self.midpoint),
            (flight.prescribe, model.motions),
            (flight.load_bodies, model.loads),
            *((stage, True) for stage in self._find),
            (assemble.link_joints, joints),
            (assemble.link_contacts, True),
            (assemble.take_over, True),
            (vary.take_slip, self._varies),
            (assemble.spring_contacts, self.compliant),
            (assemble.measure_lengths, model.ratio.any()),
            (assemble.roll_on_rims, rolling[0]),
            (springs.loosen_springs, self._springs and self.bounces),
            (assemble.hold_joints, joints and self.bounces),
            (impacts.bounce, self.bounces),
            (assemble.damp_rolling, rolling[1]),
            (assemble.follow_contacts, self._follows),
            (ahead.start_from_solution, self._looks is ahead.look_ahead),
            (springs.spring_joints, self._springs),
            (assemble.hold_joints, joints),
            (assemble.list_joints, True),
            (assemble.fill_lanes, True),
            (assemble.fill_list, self._lists),
            (faces.set_sections, self.space["flat_law"].any()),
            (vary.set_coefficients, self._varies),
            (solution.measure_velocity, True),
            (solution.solve_links, self.solver is None),
            (solution.ask_solver, self.solver is not None),
            (vary.settle, self._varies),
            *(((self._looks, True),) if self._looks else ()),
            (finish.take_means, True),
            (impacts.bend_paths, self.bounces),
            (finish.take_viscous_loss, rolling[1]),
            (finish.remember, True),
            (vary.keep_slip, self._varies),
            (finish.arrive_from_midpoint, self.midpoint),
            (finish.arrive, not self.midpoint),
            (impacts.shift_bodies, self.bounces),
            (finish.keep_momentum_again, not self.midpoint and not model.isotropic),
            (finish.find_overlaps, self.midpoint),
            (finish.note_places, joints),
            (finish.close_joints, joints),
            (finish.turn_back, joints),
            (finish.find_deep, not self.midpoint and not self.compliant),
            (finish.take_given_work, model.motions),
            (track.note_track, self.tracks),
            (springs.note_springs, self._springs),
            (finish.account, True),
        ]
        return [stage for stage, wanted in chosen if wanted]

    def _impact_stages(self) -> list[Stage]:
        """What an impact consists of, once its contacts are chosen."""
        return [
            assemble.list_joints, assemble.fill_lanes, *[assemble.fill_list] * self._lists,
            *[vary.set_coefficients] * self._varies, solution.measure_velocity, solution.solve_links,
        ]  # fmt: skip

    def _verbs(self, kind: Any) -> list[Stage]:
        """What a kind of links can do, see `solution`."""
        sweep = kind.sweep_all_at_once if self.relaxed and kind is not held else kind.sweep
        return [kind.apply, kind.begin, sweep, kind.judge, kind.measure, kind.write, kind.read]

    # --- memory ---------------------------------------------------------------------------------------

    def memory(self) -> dict[str, NDArray[np.generic]]:
        """What the next step needs to know of this one."""
        known = int(self.space["numbers"][KNOWN])
        total = np.nan if self._total is None else self._total
        names = ("key", "impulse", "slip") if self._varies else ("key", "impulse")
        kept = {name: self.space[f"old_{name}"][:known].copy() for name in names}
        if self._springs:
            kept["joint_x"] = self.space["joint_x"].copy()
        return {**kept, "energy": np.array([total, self.space["results"][ELASTIC]]), **self.detector.memory()}

    def recall(self, memory: dict[str, NDArray[np.generic]]) -> None:
        """Go on from a memory, to the same bits."""
        known = len(memory["key"])
        self._make_room(known)
        self.space["numbers"][KNOWN] = known
        self.space["old_key"][:known] = memory["key"]
        self.space["old_impulse"][:known] = memory["impulse"]
        if self._varies:
            self.space["old_slip"][:known] = memory["slip"]
        total, self.space["results"][ELASTIC] = (float(x) for x in memory["energy"])
        self._total = None if np.isnan(total) else total
        if self._springs:
            self.space["joint_x"][:] = memory["joint_x"]
        self.detector.recall(memory)  # type: ignore[arg-type]

    def _make_room(self, contacts: int) -> None:
        if contacts > self._room or not self._room:
            self._room = max(16, contacts + contacts // 4)
            make_room(self.space, len(self.model.joints), self._room)
            if self._own is not None:
                make_impact_room(self.space, self._own, len(self.model.joints), self._room)

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
        if self._bound is not state or self.space["position"] is not state.position:
            self.space.put(
                position=state.position, orientation=state.orientation, velocity=state.velocity,
                angular_velocity=state.angular_velocity,
            )  # fmt: skip
            self._bound = state
        self.space["present"] = state.present
        if not np.array_equal(state.present, self._present):
            self._set_present(state.present)
        options, margin = self.space["options"], self.detector.margin
        options[places.H], options[places.THETA], options[places.TOLERANCE] = h, self.theta, self.tolerance
        options[places.MARGIN] = margin
        options[places.CLOSED_GAP] = 0.0 if self.relaxed else motion.CLOSED * margin
        options[places.ROLLING_CLOSED] = ROLLING_CLOSED * margin
        options[places.RELAXED], options[places.COMPLIANT] = float(self.relaxed), float(self.compliant)
        options[places.FINE], options[places.IMPACT_MODE] = FINE_TOLERANCE, self.impact
        options[places.KEEPS_MOMENTUM] = float(not self.midpoint)
        numbers = self.space["numbers"]
        numbers[places.FEATURES], numbers[places.CODES] = self.detector.features, self.detector.codes
        numbers[LIMIT], numbers[places.MOST] = POLICY.sweeps_before_newton, self.max_sweeps
        numbers[places.SMALL_ENOUGH] = POLICY.most_for_matrix(self.tolerance)
        numbers[places.LARGE_LIMIT] = POLICY.sweeps_before_newton_of_large_problem

    def energy(self, state: State) -> tuple[float, float]:
        """Kinetic and potential energy [J]."""
        model = self.model
        if not np.array_equal(state.present, self._present):
            self._set_present(state.present)
        kinetic = motion.kinetic_energy(
            self.space["movable"], model.mass, model.inertia, state.orientation, state.velocity, state.angular_velocity
        )
        return float(kinetic), float(
            motion.potential_energy(self.space["movable"], model.mass, state.position, model.gravity)
        )

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
                    values[k, i, :3], values[k, i, 3:] = load.at(float(end) - 0.5 * h, view)
            self.space["load_value"] = values
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
        if code in (places.MORE_ROOM, places.MORE_PAIRS, places.MORE_CANDIDATES):
            self._give(code)
            if stage < self._search:
                return self._first_search
            if code != places.MORE_ROOM or not self.space["numbers"][places.LOOKED]:
                return self._search
            if self._looks is ahead.look_ahead:
                self.space["middle"][:] = self.space["place_before"]  # it had been looked ahead: contacts are lost
            return self._reach
        if code == places.UNSOLVED:
            self._ask_others()
            return self._after_solve
        if code == places.DEEP:
            closing = [finish.close_joints] if len(self.joints) else []
            self._run([finish.note_places, finish.separate, *closing, finish.turn_back])
            return stage + 1
        if code == places.OVERLAP:
            self._correct(state)
            return stage + 1
        if code == places.NOT_FINITE:
            raise SimulationError(f"t = {state.time:g} s: velocities are no longer finite. Use a smaller time step.")
        self._raise_for(code)
        return 0

    def _run(self, stages: list[Stage]) -> None:
        """Stages that are not needed in every step."""
        run_stages(self.space.at, addresses(stages), 0, np.zeros(1, np.int64), 1)

    def contacts_at(self, state: State, h: float) -> Contacts:
        """Contacts of a state that are closed or can close within h [s]: as `Detector.detect`, with the stages of a step."""
        space, found = self.space, addresses(self._find)
        self._bind(state, h)
        space["middle"][:], space["turned"][:] = state.position, state.orientation
        space["free"][:, :3], space["free"][:, 3:] = state.velocity, state.angular_velocity
        while True:
            _, code = run_stages(space.at, found, 0, np.zeros(1, np.int64), 1)
            if code == 0:
                return self._contacts()
            if code not in (places.MORE_ROOM, places.MORE_PAIRS, places.MORE_CANDIDATES):
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
        numbers, detector = self.space["numbers"], self.detector
        if code == places.MORE_ROOM:
            self._make_room(int(numbers[places.COUNT]))
        elif code == places.MORE_PAIRS:
            detector.near.grow(2 * int(numbers[places.NEAR]))
        else:
            on = detector.needed["on"]
            detector.needed["on"] = on._replace(candidates=np.zeros((2 * int(numbers[places.CANDIDATES]), 4), np.int64))
        put_search(self.space, detector)

    def _correct(self, state: State) -> None:
        """Move bodies apart until none overlaps, le Saux et al. (2005), (3.8)-(3.14): velocities gain nothing.

        The metric is that of the masses on displacements; the paper's turns bodies, too, but by less than 1 % of the gap.
        """
        contacts = self.detector.detect(state, 0.0)
        if not self.midpoint:  # on uneven ground lifting a rim out of one slope costs nothing and gains energy
            contacts = contacts.chosen(np.any(self.model.kind[contacts.body] == HALF_SPACE, axis=1))
        if len(contacts) and contacts.gap.min() < 0.0:
            shift = np.zeros((len(self.model.mass), WIDTH))
            motion.shift_apart(
                contacts.body, contacts.normal, contacts.gap, self.space["inverse_mass"], np.zeros(len(contacts)), shift,
                CORRECTION_SWEEPS,
            )  # fmt: skip
            state.position += shift[:, :3]

    def _raise_for(self, code: int) -> None:
        model, c = self.model, int(self.space["numbers"][CULPRIT])
        if code == places.NOT_FINITE:
            raise SimulationError("positions or velocities are not finite. Use a smaller time step.")
        if code == places.NO_LAW:
            self.detector._no_law(*(int(i) for i in self.space["body"][c]))
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
        if code == places.TWO_MOVE:
            raise SimulationError(
                f"bodies '{a}' and '{b}': rolling_viscosity works between a body and fixed or prescribed "
                "ground only. Leave it out for the surfaces of these two."
            )
        raise SimulationError(
            f"bodies '{a}' and '{b}' touch with flat surfaces, which have no "
            "effective radius, but the lengths of their law are ratios to it. Give lengths [m] and leave out ratio."
        )

    # --- the problem of a step ------------------------------------------------------------------------

    def _inputs(self) -> tuple[Any, ...]:
        """What the contact problem of the present step is made of."""
        space, joints = self.space, len(self.joints)
        n = int(space["numbers"][CONTACTS])
        law, links = space["law"][:n], joints + n
        factor = space["factors"][:n].copy()
        ratio = self.model.ratio if self.model.ratio.any() else None
        table, uses = self.sheet.lay_out(law, ratio, factor)
        if self._varies:
            self._put_present(table)
        if joints:
            table = stack_tables(self.joints.table(float(space["options"][places.H]), space["joint_limit"]), table)
            uses = np.concatenate([self.joints.uses, uses])
        parts = (space[name][:links].copy() for name in ("link", "frame", "arm"))
        rows = (space[name][:links].copy() for name in ("bias", "compliance"))
        return (
            *parts, space["inverse_mass"].copy(), space["world"].copy(), space["free"].copy(), *rows, table, uses,
            joints, self.relaxed,
            self.sheet, law.copy(), factor,
        )  # fmt: skip

    def _put_present(self, table: LawTable) -> None:
        """The coefficients that listed contacts have in the present step, in SI units."""
        space, joints = self.space, len(self.joints)
        for i in range(int(space["numbers"][places.LISTED_COUNT])):
            c, (first, last) = int(space["listed"][i]) - joints, space["l_table"][i : i + 2, 1]
            if c >= 0:
                unit = np.where(space["l_lengths"][first:last], space["l_length"][i], 1.0)
                begin = table.contact[c, 1]
                table.contact[c, 2:] = space["l_table"][i, 2:]
                table.coef[begin : begin + last - first] = space["l_coef"][first:last] * unit

    def _ask_others(self) -> None:
        """Solve what the sweeps did not: with the user's solver, or with the matrix methods if the problem is not too large."""
        space, numbers = self.space, self.space["numbers"]
        problem = RigidProblem(*self._inputs())
        links = len(problem)
        start = problem.from_rows(space["impulse"][:links])
        if self.solver is not None:
            found = solve_with(self.solver, problem, start, self.tolerance, self.max_sweeps)
            p, used = found.p, found.iterations
        else:
            p, used = polish_with_matrix(problem, start, self.tolerance, max(self.max_sweeps - int(numbers[SWEEPS]), 1))
        self._keep_better(problem.keep(p), always=self.solver is not None)
        if self.solver is None and not space["results"][RESIDUAL] <= self.tolerance:
            best = space["impulse"][:links].copy()  # it may be near enough for sweeps
            residual = float(space["results"][RESIDUAL])
            self._run([solution.solve_links])
            if not space["results"][RESIDUAL] <= residual:
                self._keep_better(best, always=True)
        numbers[SWEEPS] += used

    def _keep_better(self, rows: Array, always: bool) -> None:
        """Take over impulses (N, 6) in SI units if their residual is not larger."""
        space, links = self.space, len(rows)
        kept, residual = space["impulse"][:links].copy(), float(space["results"][RESIDUAL])
        space["impulse"][:links] = rows
        self._run([solution.judge])
        if not always and not space["results"][RESIDUAL] <= residual:
            space["impulse"][:links] = kept
            self._run([solution.judge])

    # --- reports --------------------------------------------------------------------------------------

    def report(self) -> StepReport:
        if self._report is None:
            self._report = self._make_report()
        return self._report

    def _make_report(self) -> StepReport:
        space, row = self.space, self._last
        joints, n = len(self.joints), int(space["numbers"][CONTACTS])
        contacts = self._contacts()
        contacts.__dict__["frame"] = space["frame"][joints : joints + n, :3].copy()
        impulse, velocity, inputs = (
            space["impulse"][: joints + n].copy(),
            np.zeros(WIDTH * (joints + n)),
            self._inputs(),
        )
        relative_velocity(
            space["link"][: joints + n], space["frame"], space["arm"], space["units"], np.zeros_like(space["bias"]),
            space["v"],
            velocity,
        )  # fmt: skip
        end = np.ascontiguousarray(space["v"][:-1, :WIDTH])
        found = StepSolution(
            impulse.ravel(),
            end,
            float(row[places.S_RESIDUAL]),
            int(row[places.S_SWEEPS]),
            bool(row[places.S_CONVERGED]),
        )
        frame, point = (
            space["frame"][:joints, :3].copy(),
            space["arm"][:joints, 1] + space["middle"][space["link"][:joints, 1]],
        )
        users, given = self.model.joints.count, impulse + space["impact"][: joints + n] if self.bounces else impulse
        relative = velocity.reshape(-1, WIDTH)
        rows = (
            np.concatenate([self.model.joints.fold(given[:joints]), given[joints:]]),
            np.concatenate([relative[:users], relative[joints:]]),
        )

        def make_problem(form: str) -> tuple[ContactProblem, Array]:
            problem = RigidProblem(*inputs)
            return problem.to_problem(form), problem.to_problem_rows(problem.from_rows(impulse))

        ledger = Ledger(*row[places.S_KINETIC : places.S_SCHEME + 1].tolist())
        return StepReport(
            contacts,
            found,
            ledger,
            lambda: rows,
            users,
            frame[:users],
            point[:users],
            make_problem,
        )
