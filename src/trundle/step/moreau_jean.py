"""Moreau-Jean time stepping for bodies of any shape: a list of compiled stages, and what they ask of Python."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.contact.kernels.rigid import relative_velocity
from trundle.contact.problem import ContactProblem
from trundle.contact.rigid import WIDTH, RigidProblem, stack_tables
from trundle.detect.contacts import MORE
from trundle.detect.kernels import parts
from trundle.detect.kernels import stages as search
from trundle.kinds import IMPACTS, POISSON
from trundle.laws.kernels.general import addresses as own_addresses
from trundle.laws.table import LawTable
from trundle.scene.model import Model, State
from trundle.solve.api import solve
from trundle.solve.base import Solver
from trundle.solve.policy import POLICY
from trundle.solve.rigid import StepSolution
from trundle.solve.solve_with import solve_with
from trundle.solve.turns import take_turns
from trundle.space import Space, addresses
from trundle.step.finisher import finish_impact, sweep_in, sweep_on
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
    rows,
    slide,
    solution,
    springs,
    track,
    vary,
)
from trundle.step.kernels.places import CONTACTS, KNOWN, LIMIT, RESIDUAL, SWEEPS
from trundle.step.report import Ledger, StepReport
from trundle.step.rows import CLOSED, CLOSINGS, Rows, states_of, turn_to_midpoint
from trundle.step.staged import Stage, Staged
from trundle.step.stepper import step_times
from trundle.step.workspace import make_impact_room, make_impact_space, make_room

Array = NDArray[np.float64]
FINE_TOLERANCE = 1e-9  # below which bodies that should stand still are looked at closely
CORRECTION_SWEEPS = 20
STILLED = 0.1  # share of the error of a rolling contact that is stopped in a step: the rest is turned around


class MoreauJean(Staged):
    """v' = v + M^-1 (h F + H^T p), q' = q + h (theta v' + (1 - theta) v), the law on v' with Newton's restitution.

    Acary & Bourrier (2021), section 6.  Contacts are looked for after (1 - theta) h, which keeps the angular momentum
    of colliding bodies to round-off and is Moreau's midpoint for theta = 1/2.  They are active where they are closed or
    can close until they are looked for again, and an open one may close its gap but not more: u_n' >= -gap / h.

    scheme "moreau-midpoint" is that of le Saux et al. (2005), section 3: the angular velocity in the body frame is the
    unknown, with an explicit gyroscopic term, the quaternion moves along straight lines, and at the end of every step
    penetration is taken back by position correction, (3.8)-(3.14).
    """

    def __init__(
        self, model: Model, *, theta: float, tolerance: float, max_sweeps: int = 200_000, formulation: str = "exact",
        scheme: str = "moreau-jean", solver: Solver | None = None, impact: str = "newton",
        tracks: bool = False,
    ) -> None:  # fmt: skip
        self.tracks, self.stilled = tracks, STILLED
        self.solver = solver
        self.theta, self.tolerance, self.max_sweeps = theta, tolerance, max_sweeps
        self.relaxed = formulation == "relaxed"
        # relaxed contacts give way where their surfaces have a stiffness: N + C of Tasora & Anitescu (2013), section 3
        self.compliant = formulation == "compliant" or (self.relaxed and bool(np.any(np.isfinite(model.stiffness))))
        self.midpoint, self.impact = scheme == "moreau-midpoint", IMPACTS.index(impact)
        self.bounces = bool(np.any(model.restitution > 0.0))
        # how contacts that the solution closes are found; springs may overlap
        self._looks = [] if self.compliant else [again.look_again] * self.bounces + [ahead.look_ahead]
        self._follows = theta < 1.0 and not self.midpoint and not self.compliant
        self._means = self._follows and not self.relaxed
        self.joints = JointRows(model.joints)
        self.rows: Rows | None = None  # constraints and implicit fields, with the joints
        self._own: Space | None = None  # of impacts
        super().__init__(model)

    def _make_space(self) -> Space:
        space = super()._make_space()
        self._varies = any(law.varies for law in self.model.laws) or bool(
            space["smooth"].any() or space["flat_law"].any()
        )
        if self.compliant:
            space["in_lanes"][:] = False
        if self.model.has_rows:
            self.rows = Rows(self.model, space)
        return space

    def _choose_stages(self) -> None:
        """Compile or load what a step needs."""
        model = self.model
        driven = (model.joints.driven >= 0) & np.isfinite(model.joints.limit)
        self._lists = bool(np.any(driven)) or not bool(self.space["in_lanes"].all())
        if self._lists and not self.space["own"].any():
            self.space["own"] = own_addresses([])
        linear = [rows] if self.rows is not None else [held] * bool(len(self.joints))
        verbs = [lanes] + [listed] * self._lists + linear
        self.space["verbs"] = addresses([stage for kind in verbs for stage in self._verbs(kind)]).reshape(
            -1, places.VERB_COUNT
        )
        if self.bounces:
            self._own = make_impact_space(self.space, addresses(self._impact_stages()))
            make_impact_room(self.space, self._own, len(model.joints), self._room)
        stages = self._stages()
        begins = parts.place_parts if self.detector.parts.some else search.touch_planes
        searches = [k for k, stage in enumerate(stages) if stage is begins]
        self._first_search, self._search = searches[0], searches[-1]
        self._reach = len(stages) - 1 - stages[::-1].index(search.reach_out)
        after = vary.settle if self._varies else (self._looks or [finish.take_means])[0]
        self._after_solve = stages.index(slide.end_reversals if self._means else after)
        solves = solution.solve_links if self.solver is None else solution.ask_solver
        self.space["numbers"][places.TO_SOLVE] = stages.index(solves)
        self.space["numbers"][places.TO_SEARCH] = self._search
        self.space["numbers"][places.TO_FLIGHT] = stages.index(flight.set_out)
        if self._looks:
            self.space["numbers"][places.TO_AHEAD] = stages.index(ahead.look_ahead)
        self.space["numbers"][places.TO_END] = stages.index(finish.take_means)
        self._addresses = addresses(stages)

    def _stages(self) -> list[Stage]:
        """What a step of this model consists of."""
        model, joints, any_rows = self.model, bool(len(self.joints)), self.rows is not None
        rolling = model.contour.any(), bool(np.any(model.viscosity > 0.0))
        means = self._means
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
            (rows.push_fields, model.fields),
            *((stage, True) for stage in self._find),
            (assemble.link_joints, joints),
            (rows.place_rows, any_rows),
            (assemble.link_contacts, True),
            (assemble.take_over, True),
            (vary.take_slip, self._varies),
            (assemble.take_over_moved, self.compliant),
            (assemble.spring_contacts, self.compliant),
            (assemble.measure_lengths, model.ratio.any()),
            (assemble.note_stuck, self._follows),
            (assemble.roll_on_rims, rolling[0]),
            (springs.loosen_springs, self._springs and self.bounces),
            (assemble.hold_joints, joints and self.bounces),
            (impacts.bounce, self.bounces),
            (rows.let_kicks_act, self.bounces and any(field.implicit for field in model.fields)),
            (assemble.damp_rolling, rolling[1]),
            (assemble.follow_contacts, self._follows),
            (slide.hold_at_mean, means),
            (ahead.start_from_solution, self._looks),
            (springs.spring_joints, self._springs),
            (assemble.hold_joints, joints),
            (rows.hold_rows, any_rows),
            (assemble.list_joints, True),
            (assemble.fill_lanes, True),
            (assemble.fill_list, self._lists),
            (faces.set_sections, self.space["flat_law"].any()),
            (vary.set_coefficients, self._varies),
            (solution.measure_velocity, True),
            (solution.solve_links, self.solver is None),
            (solution.ask_solver, self.solver is not None),
            (slide.end_reversals, means),
            (vary.settle, self._varies),
            *((stage, True) for stage in self._looks),
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
            (finish.close_joints, joints and not any_rows),
            (rows.ask_to_close, any_rows and (joints or any(c.of_positions for c in model.constraints))),
            (finish.turn_back, joints and not any_rows),
            (finish.find_deep, not self.midpoint and not self.compliant),
            (finish.take_given_work, model.motions),
            (rows.take_work, any_rows),
            (springs.note_springs, self._springs),
            (track.note_track, self.tracks),
            (finish.account, True),
        ]
        return [stage for stage, wanted in chosen if wanted]

    def _sieves(self) -> list[Stage]:
        sieve = {again.look_again: again.end_unless_missed, ahead.look_ahead: ahead.sift}
        return [sieve[stage] for stage in self._looks]

    def _impact_stages(self) -> list[Stage]:
        """What an impact consists of, once its contacts are chosen."""
        held = [rows.hold_in_impact] * (self.rows is not None)
        return [
            *held, assemble.list_joints, assemble.fill_lanes, *[assemble.fill_list] * self._lists,
            *[vary.set_coefficients] * self._varies, solution.measure_velocity, solution.solve_links,
        ]  # fmt: skip

    def _verbs(self, kind: Any) -> list[Stage]:
        """What a kind of links can do, see `solution`."""
        sweep = kind.sweep_all_at_once if self.relaxed and kind in (lanes, listed) else kind.sweep
        many = int(np.isfinite(self.model.mass).sum()) > 1  # one body alone does not go round in circles
        calm = kind.sweep_calmly if kind is lanes and many and not self.relaxed else sweep
        return [kind.apply, kind.begin, sweep, kind.judge, kind.measure, kind.write, kind.read, calm]

    # --- memory ---------------------------------------------------------------------------------------

    def memory(self) -> dict[str, NDArray[Any]]:
        known = int(self.space["numbers"][KNOWN])
        names = ("key", "impulse", "slip") if self._varies else ("key", "impulse")
        kept = {name: self.space[f"old_{name}"][:known].copy() for name in names}
        if self.rows is not None and self.bounces:
            kept["rows"] = self.space["row_old"].copy()
        return {**kept, **super().memory()}

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        known = len(memory["key"])
        self._make_room(known)
        self.space["numbers"][KNOWN] = known
        self.space["old_key"][:known] = memory["key"]
        self.space["old_impulse"][:known] = memory["impulse"]
        if self._varies:
            self.space["old_slip"][:known] = memory["slip"]
        if "rows" in memory:
            self.space["row_old"][:] = memory["rows"]
        super().recall(memory)

    def _make_room(self, contacts: int) -> None:
        if contacts > self._room or not self._room:
            self._room = max(16, contacts + contacts // 4)
            make_room(self.space, len(self.model.joints), self._room)
            if self._own is not None:
                make_impact_room(self.space, self._own, len(self.model.joints), self._room)

    def _bind(self, state: State, h: float) -> None:
        super()._bind(state, h)
        options, margin = self.space["options"], self.detector.margin
        options[places.TOLERANCE] = self.tolerance
        options[places.CLOSED_GAP] = 0.0 if self.relaxed else motion.CLOSED * margin
        options[places.ROLLING_CLOSED] = motion.ROLLING_CLOSED * margin
        options[places.RELAXED], options[places.COMPLIANT] = float(self.relaxed), float(self.compliant)
        options[places.FINE], options[places.IMPACT_MODE] = FINE_TOLERANCE, self.impact
        options[places.KEEPS_MOMENTUM], options[places.STILLED] = float(not self.midpoint), self.stilled
        numbers = self.space["numbers"]
        numbers[LIMIT], numbers[places.MOST] = POLICY.sweeps_before_newton, self.max_sweeps
        numbers[places.SMALL_ENOUGH] = POLICY.most_for_few_first_sweeps(self.tolerance)
        numbers[places.LARGE_LIMIT] = POLICY.sweeps_before_newton_of_large_problem
        alone = self.rows is None and not len(self.joints) and not self._varies
        numbers[places.IMPACT_HELP] = int(self.bounces and alone and self.impact != POISSON)

    def _help(self, stage: int, code: int, state: State, h: float) -> int:
        if code in MORE and stage >= self._search:
            self._give(code)
            if code != places.MORE_ROOM or not self.space["numbers"][places.LOOKED]:
                return self._search
            if self.space["numbers"][places.AHEAD]:  # contacts are lost
                self.space["middle"][:] = self.space["place_before"]
            if self.bounces:
                self.space["free"][:] = self.space["free_before"]  # which contain the impacts of the first look
            return self._reach
        if code == places.UNSOLVED:
            self._ask_others()
            return self._after_solve
        if code == places.UNSOLVED_IMPACT:
            self._ask_for_impact()
            return stage
        if code == places.DRIFTED:
            self._close_rows(state, h)
            return stage + 1
        if code == places.DEEP:
            if self.rows is not None:
                self._run([finish.note_places, finish.separate])
                self._close_rows(state, h)
                return stage + 1
            closing = [finish.close_joints] if len(self.joints) else []
            self._run([finish.note_places, finish.separate, *closing, finish.turn_back])
            return stage + 1
        if code == places.OVERLAP:
            self._correct(state)
            return stage + 1
        return super()._help(stage, code, state, h)

    def _evaluate(self, state: State, h: float, times: Array) -> None:
        super()._evaluate(state, h, times)
        if self.rows is not None:
            middle, ahead = states_of(state, self.space["moves"], h, self.theta)
            if self.midpoint:
                turn_to_midpoint(self.model, state, middle, h)
            self.rows.prepare(state, middle, ahead, h, self.theta)

    def _close_rows(self, state: State, h: float) -> None:
        """Take back the drift of constraints and joints."""
        assert self.rows is not None
        end = float(step_times(state.time, h, 1)[0])
        for _ in range(CLOSINGS):
            if len(self.joints):
                self._run([finish.measure_joints])
            if self.rows.close(state, end, self.space["joint_error"]) <= CLOSED:
                break

    def _correct(self, state: State) -> None:
        """Position correction until none overlaps, le Saux et al. (2005), (3.8)-(3.14): velocities gain nothing.

        The metric is that of the masses on displacements; the paper's turns bodies, too, but by less than 1 % of the gap.
        """
        contacts = self.detector.detect(state, 0.0)
        if len(contacts) and contacts.gap.min() < 0.0:
            shift = np.zeros((len(self.model.mass), WIDTH))
            motion.shift_apart(
                contacts.body, contacts.normal, contacts.gap, self.space["inverse_mass"], np.zeros(len(contacts)), shift,
                CORRECTION_SWEEPS,
            )  # fmt: skip
            state.position += shift[:, :3]

    # --- the problem of a step ------------------------------------------------------------------------

    def _inputs(self, space: Space | None = None) -> tuple[Any, ...]:
        """What the contact problem of the present step is made of, or that of an impact, from the space that it is solved in."""
        space, joints = space or self.space, len(self.joints)
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
            *parts, self.space["inverse_mass"].copy(), space["world"].copy(), space["free"].copy(), *rows, table, uses,
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
        if self.rows is not None:
            self._ask_others_with_rows(self.rows)
            return
        problem = RigidProblem(*self._inputs())
        links = len(problem)
        start = problem.from_rows(space["impulse"][:links])
        if self.solver is not None:
            found = solve_with(self.solver, problem, start, self.tolerance, self.max_sweeps)
            p, used = found.p, found.iterations
        else:
            done = int(numbers[SWEEPS])
            work = max(POLICY.work_per_contact * links, POLICY.work_of_sweep)
            budget = max(self.max_sweeps - done, 1)
            sweep = partial(sweep_in, space, problem)
            p, used = take_turns(problem, start, self.tolerance, budget, sweep, work)
            numbers[SWEEPS] = done
        self._keep_better(problem.keep(p), always=self.solver is not None)
        numbers[SWEEPS] += used

    def _ask_for_impact(self) -> None:
        """Solve the impact that its sweeps did not, as a step; all impacts of the step are then found again."""
        assert self._own is not None
        space, own, numbers = self.space, self._own, self.space["numbers"]
        problem = RigidProblem(*self._inputs(own))
        budget = max(self.max_sweeps - int(numbers[SWEEPS]), 1)
        rows, used = finish_impact(own, problem, self.tolerance, budget)
        numbers[SWEEPS] += used
        count = int(numbers[places.GIVEN_COUNT])
        which, known = space["given_impact"][:count], space["given_rows"][:count]
        room = np.zeros((count + 1, len(own["impulse"]), WIDTH))
        room[:count, : known.shape[1]], room[count, : len(rows)] = known, rows
        space.put(given_impact=np.append(which, numbers[places.IMPACT_SOLUTIONS]), given_rows=room)
        numbers[places.GIVEN_COUNT] = count + 1

    def _ask_others_with_rows(self, rows: Rows) -> None:
        """The same where there are constraints or implicit fields, whose rows are not those of two bodies."""
        space, numbers = self.space, self.space["numbers"]
        small = self.solver is not None or numbers[CONTACTS] <= numbers[places.SMALL_ENOUGH]
        if small and not numbers[places.STILL]:
            problem = rows.problem(RigidProblem(*self._inputs()), rows.present())
            links = len(problem.rigid)
            guess = problem.to_problem_rows(space["impulse"][:links], rows.impulses())
            budget = max(self.max_sweeps - int(numbers[SWEEPS]), 1)
            found = solve(
                problem.problem, self.solver or "auto", tolerance=self.tolerance * POLICY.share_of_tolerance, guess=guess,
                max_iterations=budget, progress=False,
            )  # fmt: skip
            impulses, equations, v = problem.from_problem_rows(found.p)
            kept = space["row_impulse"].copy()
            rows.put_impulses(equations, v)
            if not self._keep_better(impulses, always=self.solver is not None):
                space["row_impulse"][:] = kept
                self._run([solution.judge])
            numbers[SWEEPS] += found.iterations
        elif numbers[places.STILL]:
            self._run([solution.solve_links])  # which clears all impulses
        if self.solver is None and not space["results"][RESIDUAL] <= self.tolerance:
            sweep_on(space, self.max_sweeps - int(numbers[SWEEPS]))

    def _keep_better(self, rows: Array, always: bool) -> bool:
        """Take over impulses (N, 6) in SI units if their residual is not larger; whether they were."""
        space, links = self.space, len(rows)
        kept, residual = space["impulse"][:links].copy(), float(space["results"][RESIDUAL])
        space["impulse"][:links] = rows
        self._run([solution.judge])
        if always or space["results"][RESIDUAL] <= residual:
            return True
        space["impulse"][:links] = kept
        self._run([solution.judge])
        return False

    # --- reports --------------------------------------------------------------------------------------

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

        rows_of = self.rows
        kept = None if rows_of is None else (rows_of.present(), rows_of.impulses())

        def make_problem(form: str) -> tuple[ContactProblem, Array]:
            problem = RigidProblem(*inputs)
            if rows_of is not None and kept is not None:
                whole = rows_of.problem(problem, kept[0])
                return whole.to_problem(form), whole.to_problem_rows(impulse, kept[1])
            return problem.to_problem(form), problem.to_problem_rows(problem.from_rows(impulse))

        ledger = Ledger(*row[places.S_KINETIC : places.S_NUMERICAL + 1].tolist())
        return StepReport(
            contacts,
            found,
            ledger,
            lambda: rows,
            users,
            frame[:users],
            point[:users],
            make_problem,
            constraint_impulse=np.zeros((0, WIDTH)) if rows_of is None else rows_of.loads(),
        )
