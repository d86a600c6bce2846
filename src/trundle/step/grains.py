"""Moreau-Jean time stepping for many spheres on fixed ground: contacts in their own storage, large piles on several threads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trundle.contact.grains import GrainProblem, rows_carried_over
from trundle.contact.layout import Layout, restored
from trundle.contact.problem import ContactProblem
from trundle.contact.rigid import WIDTH, LawSheet, RigidProblem, contacts_arms
from trundle.detect.contacts import Contacts, Detector
from trundle.errors import SimulationError
from trundle.kinds import SPHERE
from trundle.scene.loads import loads_at
from trundle.scene.model import Model, State
from trundle.scene.restitution import Restitution
from trundle.solve.base import Solver
from trundle.solve.rigid import StepSolution, solve_step
from trundle.step.grain_impacts import GrainImpacts, Struck
from trundle.step.kernels import motion as kernels
from trundle.step.kernels.again import FASTER, missed_one
from trundle.step.kernels.finish import DRIFT_SHARE, DRIFT_SWEEPS
from trundle.step.kernels.grain_impacts import bend_paths
from trundle.step.momentum import keep_angular_momentum
from trundle.step.report import Ledger, StepReport
from trundle.step.stepper import Stepper

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
FROM = 64  # spheres from which on their own storage pays
DRIFT_OF_FALL = 0.002
GRAIN_SLOP = 20.0
LOOKS, LOOKS_WITH_IMPACTS = 4, 8  # for contacts, in a step whose solution closes some that were not found
LARGE_PILE = 1500  # contacts from which on only what should never happen is taken back


Target = tuple[NDArray[np.bool_], Array]  # contacts (C,) with another target than their gap, and this [m/s]
_NOTHING = np.zeros(0, np.int64), np.zeros((0, WIDTH))


class _Flight(NamedTuple):
    """A step before its contacts: the middle, velocities (B, 6) at the start and at the end without contacts, h [s]."""

    middle: State
    start: Array
    free: Array
    h: float


class _Solved(NamedTuple):
    """A step with its contacts."""

    contacts: Contacts
    problem: GrainProblem
    solution: StepSolution
    struck: Struck | None
    as_rigid: Callable[[], RigidProblem]


class Grains(Stepper):
    """As `MoreauJean`, for scenes that qualify."""

    def __init__(
        self, model: Model, *, theta: float, tolerance: float, max_sweeps: int = 200_000, formulation: str = "exact",
        scheme: str = "moreau-jean", solver: Solver | None = None, impact: str = "newton",
    ) -> None:  # fmt: skip
        assert impact == "newton"
        assert scheme == "moreau-jean"
        assert solver is None
        super().__init__(model)
        self.theta, self.tolerance, self.max_sweeps = theta, tolerance, max_sweeps
        self.relaxed = formulation == "relaxed"
        self.detector = Detector(model)
        self.sheet = LawSheet(model.laws)
        self._key = np.zeros(0, np.int64)
        self._impulse = np.zeros((0, WIDTH))
        self._layout: Layout | None = None
        self._impacts = None
        if np.any(model.restitution > 0.0):
            self._impacts = GrainImpacts(model, self.sheet, theta, self.relaxed, self.detector.margin, max_sweeps)
        self._set_present(np.ones(len(model.mass), bool))

    @staticmethod
    def qualifies(model: Model, formulation: str, scheme: str, impact: str = "newton") -> bool:
        """Many spheres that turn about any axis alike, with laws made of disks, and nothing but fixed ground beside them."""
        movable = np.isfinite(model.mass)
        spheres = bool(np.all(model.kind[movable] == SPHERE)) and int(movable.sum()) >= FROM
        plain = (
            model.isotropic
            and not len(model.joints)
            and not model.has_rows
            and not model.motions
            and not np.any(model.centre_of_mass)
            and not np.any(model.axis_of >= 0)
        )
        rolls = bool(model.contour.any()) or bool(np.any(model.viscosity > 0.0))
        springs = formulation == "relaxed" and bool(np.any(np.isfinite(model.stiffness)))
        rigid = formulation in ("exact", "relaxed") and scheme == "moreau-jean" and not springs
        bounces = impact == "newton" and not any(isinstance(e, Restitution) for e in model.bounce)
        return spheres and plain and not rolls and rigid and bounces and LawSheet(model.laws).disks is not None

    def contacts_at(self, state: State, h: float) -> Contacts:
        return self.detector.detect(state, h)

    def memory(self) -> dict[str, NDArray[np.generic]]:
        energy = np.array([np.nan if self._total is None else self._total, 0.0])
        nothing = np.zeros(0, np.int64)
        place, slabs = (nothing, nothing) if self._layout is None else (self._layout.place, self._layout.start)
        layout = {"place": place, "slabs": slabs}
        return {"key": self._key, "impulse": self._impulse, "energy": energy, **layout, **self.detector.memory()}

    def recall(self, memory: dict[str, NDArray[np.generic]]) -> None:
        self._key, self._impulse = memory["key"].astype(np.int64), memory["impulse"].astype(np.float64)
        total = float(memory["energy"][0])
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
        self._turn = np.where(self.free, 1.0 / self.model.inertia[:, 0, 0], 0.0)  # of all spheres, about any axis
        self._movable = np.flatnonzero(self.free)

    def step(self, state: State, h: float) -> StepReport:
        if not np.array_equal(state.present, self._present):
            self._set_present(state.present)
        before = sum(self.energy(state))
        poured = 0.0 if self._total is None else before - self._total
        start = np.concatenate([state.velocity, state.angular_velocity], axis=1)
        middle = replace(state, position=state.position.copy(), orientation=state.orientation.copy())
        if self.theta < 1.0:
            kernels.move(self.free, start, (1.0 - self.theta) * h, middle.position, middle.orientation)
        free, loads = self._free_velocity(middle, start, state.time, h)
        flight = _Flight(middle, start, free, h)
        known = [(self._key, self._impulse)]
        last = _NOTHING if self._impacts is None else known[0]
        self._impulse = np.zeros((0, WIDTH))  # nobody else needs them, and they are many
        solved, sweeps, looks = self._solve(flight, known, last), 0, 1
        while looks < (LOOKS if self._impacts is None else LOOKS_WITH_IMPACTS) and self._misses(solved, middle, h):
            known = [(solved.contacts.key, solved.problem.keep(solved.solution.p))]
            sweeps, looks = sweeps + solved.solution.iterations, looks + 1
            del solved  # its memory is needed again
            solved = self._solve(flight, known, last)
        contacts, problem, solution, struck, as_rigid = solved
        sweeps += solution.iterations
        residual = solution.residual if struck is None else max(solution.residual, struck.missed(problem.size))
        solution = replace(solution, iterations=sweeps, residual=residual, converged=residual <= self.tolerance)
        mean = np.empty_like(start)
        if not kernels.mean_of(start, solution.v, mean):
            raise SimulationError(f"t = {state.time:g} s: velocities are no longer finite. Use a smaller time step.")
        self._key, self._impulse = contacts.key, problem.keep(solution.p)
        kernels.finish(
            self.free,
            middle.position,
            self.theta * h,
            solution.v,
            state.position,
            state.velocity,
            state.angular_velocity,
        )
        kernels.rotate_between(self.free, self.theta, start, solution.v, h, state.orientation)
        if struck is not None:
            bend_paths(struck.kick, struck.kick_time, self.theta, h, mean, state.position, state.orientation)
        state.time += h
        self._separate(state, contacts, problem, h)
        ledger = self._ledger(state, problem, solution.p, mean, loads, before, poured, struck)
        return StepReport(
            contacts, solution, ledger, lambda: _with_impacts(problem.rows(solution.p, solution.v), struck),
            make_problem=lambda form: _to_problem(as_rigid, problem, solution.p, form),
        )  # fmt: skip

    def _solve(self, flight: _Flight, known: list[tuple[Ints, Array]], last: tuple[Ints, Array]) -> _Solved:
        """Contacts in the middle of the step, its impacts, and its solution.

        known: keys and impulses to start from, in a list that is empty afterwards, for they are many; last: those of the last
        step, where there are impacts.
        """
        middle, start, free, h = flight
        contacts, struck, target = self._strike(self.detector.detect(middle, h), middle, start, free, h, last)
        kicked = free if struck is None else free + struck.kick
        problem = self._problem(contacts, middle, kicked, h, known[0], target)
        guess = problem.guess(contacts, *known.pop())
        as_rigid = partial(self._rigid, contacts, middle, kicked, h, target)
        solution = solve_step(problem, guess, self.tolerance, self.max_sweeps, as_rigid)
        return _Solved(contacts, problem, solution, struck, as_rigid)

    def _free_velocity(self, middle: State, start: Array, time: float, h: float) -> tuple[Array, Array]:
        """Velocities (B, 6) at the end of the step without contacts, and the impulses (B, 6) of the loads alone."""
        free = start.copy()
        kernels.fall(self._movable, h * self.model.gravity, free)
        impulse = np.zeros(free.shape)  # memory that nobody touches where there are no loads
        if self.model.loads or self.model.fields:
            impulse = h * loads_at(self.model, time + 0.5 * h, middle, h if self.mean_loads else 0.0)
            impulse[~self.free] = 0.0
            free[:, :3] += self.inverse_mass[:, None] * impulse[:, :3]
            free[:, 3:] += self._turn[:, None] * impulse[:, 3:]
        return free, impulse

    def _misses(self, solved: _Solved, middle: State, h: float) -> bool:
        """Whether the solution closes contacts that were not found, since it takes bodies further than they could get.

        Then these have the velocities of the solution in `middle`, from where contacts are looked for once more.
        """
        v = solved.solution.v
        reach, fall = self.detector.work.reach, 0.5 * h * h * float(np.linalg.norm(self.model.gravity))
        if not kernels.gets_further(self.free, v, h, fall, reach, FASTER, self.model.radius):
            return False
        further = h * np.linalg.norm(v[:, :3], axis=1) + fall
        fast = self.free & (further > reach + FASTER * self.model.radius)
        velocity = np.where(fast[:, None], v[:, :3], middle.velocity)
        found, real = self.detector.search(replace(middle, velocity=velocity), h, fast)
        if self.model.meetings.filters:
            kept = ~self.model.meetings.never(found[:, :2])
            found, real = found[kept], real[kept]
        features, size = self.detector.features, self.model.size
        if not missed_one(found, real, solved.contacts.key, features, size, v, middle.position, h):
            return False
        middle.velocity = velocity
        return True

    def _strike(
        self, contacts: Contacts, middle: State, start: Array, free: Array, h: float, last: tuple[Ints, Array]
    ) -> tuple[Contacts, Struck | None, Target | None]:
        """Impacts of the step, contacts with the gaps that these leave, and targets [m/s] of some of them.

        In groups of contacts that are too large for one impact after the other, all of them are at the end of the step.
        """
        if self._impacts is None or not len(contacts):
            return contacts, None, None
        e = self.model.restitution[contacts.law]
        rows = rows_carried_over(contacts, *last)
        struck = self._impacts.strike(
            contacts, self._factor(contacts), e > 0.0, rows, middle.position, start, free, self.inverse_mass, self._turn,
            self.model.kind, h,
        )  # fmt: skip
        speed = np.einsum("ci,ci->c", contacts.normal, start[contacts.body[:, 1], :3] - start[contacts.body[:, 0], :3])
        late = struck.large & (e > 0.0) & (speed < 0.0) & (contacts.gap + h * speed <= 0.0)
        return replace(contacts, gap=struck.gap), struck, (struck.rows | late, np.where(late, e * speed, struck.bias))

    def _problem(
        self, contacts: Contacts, middle: State, free: Array, h: float, last: tuple[Ints, Array], target: Target | None
    ) -> GrainProblem:
        assert self.sheet.disks is not None
        problem = GrainProblem(
            contacts, middle.position, self.sheet.disks, self.sheet.motions, self.inverse_mass, self._turn, free, h,
            self._factor(contacts), relaxed=self.relaxed, layout=self._layout, last=last,
        )  # fmt: skip
        self._layout = problem.layout
        if target is not None:
            problem.bounce(*target)
        return problem

    def _factor(self, contacts: Contacts) -> Array | None:
        """Effective radii of contacts (C,) [m] whose laws have lengths in ratios to them, 1 elsewhere."""
        if not self.model.ratio.any():
            return None
        return np.where(self.model.ratio[contacts.law], self.model.effective_radius(contacts.body), 1.0)

    def _rigid(
        self, contacts: Contacts, middle: State, free: Array, h: float, target: Target | None
    ) -> RigidProblem:  # fmt: skip
        """The same contacts in the form that the matrix methods need."""
        factor = self._factor(contacts)
        table, uses = self.sheet.lay_out(contacts.law, self.model.ratio, factor)
        arm, bias = contacts_arms(contacts, middle.position), np.zeros((len(contacts), WIDTH))
        closed = 0.0 if self.relaxed else kernels.CLOSED * self.detector.margin
        bias[:, 0] = np.maximum(contacts.gap - closed, 0.0) / h
        if target is not None:
            bias[:, 0] = np.where(*target, bias[:, 0])
        return RigidProblem(
            contacts.body, contacts.frame, arm, self.inverse_mass, self._turn[:, None, None] * np.eye(3), free, bias,
            np.zeros_like(bias), table, uses, 0, self.relaxed, self.sheet, contacts.law,
            np.ones(len(contacts)) if factor is None else factor,
        )  # fmt: skip

    def _separate(self, state: State, contacts: Contacts, problem: GrainProblem, h: float) -> None:
        """Take back penetration by moving bodies.  Velocities gain nothing, but bodies that fly together keep their angular
        momentum.

        Contacts that were separated lose their loads, and a pile takes many sweeps for a hundred steps to find new ones: so
        little against g h^2, the way of a free fall, and in large piles only what should never happen.
        """
        flying = not np.any(self.model.gravity)  # otherwise they are held by the ground sooner or later
        before = state.copy() if flying else None
        slop = (1.0 if len(contacts) <= LARGE_PILE else 10.0) * GRAIN_SLOP * self.detector.margin
        most = DRIFT_OF_FALL * h * h * float(np.linalg.norm(self.model.gravity)) or np.inf
        shift = problem.part(slop, DRIFT_SHARE, most, DRIFT_SWEEPS)
        if shift is not None:
            state.position += shift
            if before is not None:
                pairs = contacts.body[contacts.gap <= self.detector.margin]
                keep_angular_momentum(self.model.mass, self.model.inertia, self.free, pairs, before, state)

    def _ledger(
        self, state: State, problem: GrainProblem, p: Array, mean: Array, loads: Array, before: float, poured: float,
        struck: Struck | None,
    ) -> Ledger:  # fmt: skip
        """Where the energy went; see `kernels.finish.account`."""
        sliding, spinning, rolling, impact = problem.losses(p, mean)
        if struck is not None:
            normal, *parts = struck.lost[:4].tolist()
            impact, sliding, spinning, rolling = (
                impact + normal,
                sliding + parts[0],
                spinning + parts[1],
                rolling + parts[2],
            )
        external = float(np.sum(loads * mean)) if self.model.loads or self.model.fields else 0.0
        kinetic, potential = self.energy(state)
        self._total = kinetic + potential
        numerical = before + external - self._total - sliding - spinning - rolling - impact
        return Ledger(
            kinetic, potential, external=external, poured=poured, sliding=sliding, rolling=rolling, spinning=spinning,
            impact=impact, numerical=numerical,
        )  # fmt: skip


def _with_impacts(rows: tuple[Array, Array], struck: Struck | None) -> tuple[Array, Array]:
    """Impulses and velocities of contacts, with those of impacts."""
    return rows if struck is None else (rows[0] + struck.impulse, rows[1])


def _to_problem(
    as_rigid: Callable[[], RigidProblem], problem: GrainProblem, p: Array, form: str
) -> tuple[ContactProblem, Array]:
    """The contact problem of a step, and its solution in the order of its rows."""
    rigid = as_rigid()
    return rigid.to_problem(form), rigid.to_problem_rows(rigid.guess_from(problem, p))
