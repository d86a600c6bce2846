"""Users' constraints and force fields as rows of a step: what Python has to do about them, see `kernels.rows`."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from trundle.contact.rigid import RigidProblem
from trundle.contact.rows import RowProblem
from trundle.scene.constraints import Constraint
from trundle.scene.fields import SIX, Field, field_loads
from trundle.scene.model import Model, State
from trundle.space import Space
from trundle.step.kernels import motion
from trundle.step.kernels.rows import CONSTRAINT, FIELD, JOINT

Array = NDArray[np.float64]
CLOSINGS, CLOSED = 6, 1e-13  # rounds at most in which constraints are closed; displacements [m] that are left alone
TIME_STEP = 1e-3  # of a time step, for differences in time


class Rows:
    """The rows of a model that has constraints or implicit fields; they include those that joints hold."""

    def __init__(self, model: Model, space: Space) -> None:
        self.model, self.space = model, space
        self.constraints = tuple(model.constraints)
        self.fields = tuple(field for field in model.fields if field.implicit)
        # bodies of every row, its kind, and what it belongs to: held row, (constraint, equation), (field, group, degree)
        rows: list[tuple[tuple[int, ...], int, tuple[int, ...]]] = []
        for i, field in enumerate(self.fields):
            for g, names in enumerate(field.groups):
                bodies = tuple(model.number_of[name] for name in names)
                rows += [(bodies, FIELD, (i, g, k)) for k in range(SIX * len(bodies))]
        rows += [(tuple(model.joints.body[j].tolist()), JOINT, (i,)) for i, (j, _) in enumerate(space["held"].tolist())]
        for i, constraint in enumerate(self.constraints):
            bodies = tuple(model.number_of[name] for name in constraint.bodies)
            rows += [(bodies, CONSTRAINT, (i, k)) for k in range(model.equations[i])]
        block = _blocks(rows, np.isfinite(model.mass))
        order = np.argsort(block, kind="stable")
        self._rows = [rows[r] for r in order]
        self._lay_out(block[order])

    def _lay_out(self, block: NDArray[np.int64]) -> None:
        space, m = self.space, len(self._rows)
        lengths = [len(bodies) for bodies, _, _ in self._rows]
        bounds = np.flatnonzero(np.diff(block, prepend=-1, append=block.max(initial=0) + 1))
        first = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        space.put(
            row_kind=np.array([kind for _, kind, _ in self._rows], np.int64), row_first=first,
            row_held=np.array([of[0] if kind == JOINT else 0 for _, kind, of in self._rows], np.int64),
            row_body=np.array([b for bodies, _, _ in self._rows for b in bodies], np.int64),
            row_block=bounds.astype(np.int64),
        )  # fmt: skip
        widest = int(np.diff(bounds).max(initial=0))
        space.make(
            row_left=(int(first[-1]), SIX), row_right=(int(first[-1]), SIX), row_push=(int(first[-1]), SIX), row_soft=(m,),
            row_bias=(m,), row_known=(m, 2), row_inverse=(m, widest), row_work=(3, m), row_weight=(m,), row_impulse=(m,),
            row_old=(m,), row_impact=(m,),
        )  # fmt: skip
        self._equations = [r for r, (_, kind, _) in enumerate(self._rows) if kind == CONSTRAINT]
        # rows of constraints and fields by what they belong to
        self._at = {(kind, *of): r for r, (_, kind, of) in enumerate(self._rows)}
        for r, (bodies, kind, of) in enumerate(self._rows):
            if kind == FIELD:
                space["row_soft"][r] = 1.0
                space["row_right"].reshape(-1)[first[r] * SIX + of[2] : first[r] * SIX + of[2] + 1] = 1.0
                assert of[2] < SIX * len(bodies)

    # --- before a step --------------------------------------------------------------------------------

    def prepare(self, begin: State, middle: State, ahead: State, h: float, theta: float) -> None:
        """Gradients of a step from the states at its beginning and middle, and that at which fields are taken."""
        for i, field in enumerate(self.fields):
            self._put_field(i, field, ahead, h, theta)
        for i, constraint in enumerate(self.constraints):
            self._put_constraint(i, constraint, begin, middle, h)

    def _put_field(self, i: int, field: Field, ahead: State, h: float, theta: float) -> None:
        by_position, by_velocity = field.slopes(self.model, ahead.time, ahead)
        A = -h * theta * by_velocity - (h * theta) ** 2 * by_position
        first, left = self.space["row_first"], self.space["row_left"]
        for g in range(len(A)):
            for k in range(A.shape[1]):
                r = self._at[FIELD, i, g, k]
                left[first[r] : first[r + 1]] = A[g, k].reshape(-1, SIX)

    def _put_constraint(self, i: int, constraint: Constraint, begin: State, middle: State, h: float) -> None:
        model, space = self.model, self.space
        numbers = [model.number_of[name] for name in constraint.bodies]
        by = constraint.gradients(model, middle.time, middle)
        given = self._given(constraint, middle, numbers, h)
        if constraint.of_positions:
            v = np.concatenate([begin.velocity[numbers], begin.angular_velocity[numbers]], axis=1)
            rate = np.einsum("kni,ni->k", constraint.gradients(model, begin.time, begin), v)
            rate += self._given(constraint, begin, numbers, h)
        else:
            rate = constraint.values(model, begin.time, begin)
        first = space["row_first"]
        for k in range(len(by)):
            r = self._at[CONSTRAINT, i, k]
            space["row_left"][first[r] : first[r + 1]] = space["row_right"][first[r] : first[r + 1]] = by[k]
            space["row_known"][r] = given[k] - rate[k], given[k]

    def _given(self, constraint: Constraint, state: State, numbers: list[int], h: float) -> Array:
        """The rate (k,) of a constraint that is left when its bodies stand still."""
        if not constraint.of_positions:
            still = state.copy()
            still.velocity[numbers] = still.angular_velocity[numbers] = 0.0
            return constraint.values(self.model, state.time, still)
        step = TIME_STEP * h
        ends = [constraint.values(self.model, state.time + sign * step, state) for sign in (1.0, -1.0)]
        return (ends[0] - ends[1]) / (2.0 * step)

    # --- for solvers that need a matrix ---------------------------------------------------------------

    def present(self) -> dict[str, Array]:
        """What the rows of the present step are made of, to be kept for `problem`."""
        return {name: self.space[name].copy() for name in ("row_left", "row_bias", "row_weight", "start")}

    def problem(self, rigid: RigidProblem, present: dict[str, Array]) -> RowProblem:
        """The problem of a step with these rows; rigid: its contacts and joints."""
        width, first, body = SIX * len(self.model.mass), self.space["row_first"], self.space["row_body"]
        left = present["row_left"]
        entries: dict[int, list[Array]] = {CONSTRAINT: [], FIELD: []}  # row, column and value, in columns
        for r, (bodies, kind, of) in enumerate(self._rows):
            if kind == JOINT:
                continue
            columns = (SIX * body[first[r] : first[r + 1], None] + np.arange(SIX)).ravel()
            place = self._equations.index(r) if kind == CONSTRAINT else SIX * bodies[of[2] // SIX] + of[2] % SIX
            row = np.full(len(columns), place)
            entries[kind].append(np.array([row, columns, left[first[r] : first[r + 1]].ravel()]))
        G, A = (
            coo_array((data[2], (data[0].astype(int), data[1].astype(int))), shape=(height, width)).tocsr()
            for data, height in (
                (np.hstack([np.zeros((3, 0)), *entries[CONSTRAINT]]), len(self._equations)),
                (np.hstack([np.zeros((3, 0)), *entries[FIELD]]), width),
            )
        )
        weight = present["row_weight"][self._equations]
        unit = np.where(weight > 0.0, weight, 1.0)
        return RowProblem(rigid, G, present["row_bias"][self._equations], unit, A, present["start"])

    def impulses(self) -> Array:
        """Present impulses (k,) of all equations of constraints."""
        return self.space["row_impulse"][self._equations]

    def put_impulses(self, equations: Array, v: Array) -> None:
        """Impulses (k,) of the equations, and those of fields at the velocities v (B, 6) of the end."""
        space = self.space
        first, body, kept = space["row_first"], space["row_body"], space["row_impulse"]
        kept[self._equations] = equations
        for r in np.flatnonzero(space["row_kind"] == FIELD):
            entries = slice(first[r], first[r + 1])
            kept[r] = -np.sum(space["row_left"][entries] * v[body[entries]]) - space["row_bias"][r]

    def loads(self) -> Array:
        """Impulses [N s, N m s] of the step on every body of every constraint, world frame, shape (N, 6)."""
        space, found = self.space, []
        p = space["row_impulse"] + space["row_impact"]
        for i, constraint in enumerate(self.constraints):
            total = np.zeros((len(constraint.bodies), SIX))
            for k in range(self.model.equations[i]):
                r = self._at[CONSTRAINT, i, k]
                total += p[r] * space["row_right"][space["row_first"][r] : space["row_first"][r + 1]]
            found.append(total)
        return np.concatenate([np.zeros((0, SIX)), *found])

    # --- after a step ---------------------------------------------------------------------------------

    def close(self, state: State, time: float, joint_errors: Array) -> float:
        """Move bodies by what constraints and joints have drifted; returns how far [m].

        joint_errors (J, 6): of the joints, at the state.
        """
        space, model = self.space, self.model
        errors, block = np.zeros(len(self._rows)), space["row_block"]
        for i, constraint in enumerate(self.constraints):
            if constraint.of_positions:
                for k, value in enumerate(constraint.values(model, time, state)):
                    errors[self._at[CONSTRAINT, i, k]] = value
        held = space["held"]
        for r, (_, kind, of) in enumerate(self._rows):
            if kind == JOINT:
                errors[r] = joint_errors[tuple(held[of[0]])]
        shift = np.zeros((len(model.mass), SIX))
        for begin, end in pairwise(block):
            push = -space["row_inverse"][begin:end, : end - begin] @ errors[begin:end]
            for r in range(begin, end):
                entries = slice(*space["row_first"][r : r + 2])
                np.add.at(shift, space["row_body"][entries], push[r - begin] * space["row_push"][entries])
        motion.move(np.any(shift != 0.0, axis=1), shift, 1.0, state.position, state.orientation)
        return float(np.abs(shift).max(initial=0.0))


def states_of(state: State, moves: NDArray[np.bool_], h: float, theta: float) -> tuple[State, State]:
    """The states in the middle of a step, where contacts are looked for, and at q + theta h v, where fields are taken."""
    velocities = np.concatenate([state.velocity, state.angular_velocity], axis=1)
    found = []
    for share in (1.0 - theta, theta):
        at = state.copy()
        if share > 0.0:
            motion.move(moves, velocities, share * h, at.position, at.orientation)
        at.time = state.time + theta * h
        found.append(at)
    return found[0], found[1]


def turn_to_midpoint(model: Model, begin: State, middle: State, h: float) -> None:
    """The orientations that scheme "moreau-midpoint" has in the middle of a step."""
    free = begin.present & np.isfinite(model.mass)
    inertia = np.where(np.isfinite(model.inertia), model.inertia, 0.0)
    motion.midpoint_start(
        free, inertia, model.inverse_inertia, h, begin.orientation, begin.angular_velocity, middle.orientation,
        np.zeros((len(free), SIX)), np.zeros((len(free), 3)),
    )  # fmt: skip


def _blocks(rows: list[tuple[tuple[int, ...], int, tuple[int, ...]]], movable: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Numbers of the blocks of rows (m,): those that share a movable body."""
    m = len(rows)
    pairs = [(r, b) for r, (bodies, _, _) in enumerate(rows) for b in bodies if movable[b]]
    owner, body = (
        (np.array(column, np.int64) for column in zip(*pairs, strict=True)) if pairs else (np.zeros(0), np.zeros(0))
    )
    graph = coo_array((np.ones(len(pairs)), (owner, m + body)), shape=(m + len(movable),) * 2)
    return connected_components(graph, directed=False)[1][:m].astype(np.int64)


def all_field_loads(model: Model, halfway: State, middle_time: float, ahead: State) -> Array:
    """Loads (B, 6) of all fields: explicit ones as loads are taken, implicit ones at the state ahead."""
    return field_loads(model, middle_time, halfway, False) + field_loads(model, ahead.time, ahead, True)
