"""The contact problem of rigid bodies in one time step, kept as bodies and frames: no matrix is formed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from trundle.contact.export import export
from trundle.contact.grains import GrainProblem
from trundle.contact.kernels import body_rows
from trundle.contact.kernels import natural as kernels
from trundle.contact.kernels import rigid as rigid_kernels
from trundle.contact.problem import ContactProblem
from trundle.contact.scaled import Bodies, ScaledProblem, blocks_of, relative
from trundle.detect.contacts import Contacts
from trundle.detect.kernels.contacts import match
from trundle.errors import ProblemError
from trundle.laws.base import ROWS, Law
from trundle.laws.coefficients import Coefficient
from trundle.laws.kernels.general import addresses
from trundle.laws.kernels.sections import DISK
from trundle.laws.table import LawTable, build_table, scale_table

Array = NDArray[np.float64]
WIDTH = len(ROWS)


class LawSheet:
    """The laws of a scene, ready to be laid out for any list of contacts with six rows each."""

    def __init__(self, laws: tuple[Law, ...]) -> None:
        self.laws = laws
        self.template = build_table(laws, [1] * len(laws))
        self.count = np.diff(self.template.contact[:, 1])
        self.start = self.template.contact[:-1, 1]
        block = self.template.block.copy()
        self.uses = np.zeros((len(laws), WIDTH), bool)
        self.weight = np.ones((len(laws), WIDTH))
        for i, law in enumerate(laws):
            if "t1" in law.rows and "t2" not in law.rows:
                raise ProblemError(f"{type(law).__name__} is a law of the plane; bodies in space need rows t1 and t2.")
            columns = [ROWS.index(row) for row in law.rows]
            self.uses[i, columns] = True
            first = self.template.contact[i, 0]
            self.weight[i, columns] = self.template.weight[first : first + law.d]
            for b in range(self.start[i], self.start[i] + self.count[i]):
                block[b, 1] = columns[block[b, 1] - first]
        self.block = block
        self.disks = self._disks()
        self.motions = np.ascontiguousarray(self.uses[:, [1, 3, 4]])  # has sliding, spinning, rolling

    def _disks(self) -> Array | None:
        """mu [-], mu_s, mu_r [m] of every law (L, 3) if all are made of round disks and intervals, otherwise None."""
        columns = {("t1", "t2"): 0, ("s",): 1, ("r1", "r2"): 2}
        disks = np.zeros((len(self.laws), 3))
        for i, law in enumerate(self.laws):
            for block in law.blocks():
                if block.kind != DISK or block.rows not in columns or law.varies:
                    return None
                disks[i, columns[block.rows]] = block.coef[0]
        return disks

    @cached_property
    def curves(self) -> tuple[NDArray[np.int64], list[Coefficient]]:
        """Which varying coefficient each one of all blocks is (blocks, 6), -1 for a number; and these coefficients."""
        found: list[Coefficient] = []
        number = np.full(self.template.coef.shape, -1, np.int64)
        for i, law in enumerate(self.laws):
            for b, block in enumerate(law.blocks()):
                for k, value in enumerate(block.coef):
                    if isinstance(value, Coefficient):
                        number[self.start[i] + b, k] = len(found)
                        found.append(value)
        return number, found

    def lay_out(
        self, law: NDArray[np.int64], ratio: NDArray[np.bool_] | None = None, radius: Array | None = None
    ) -> tuple[LawTable, NDArray[np.bool_]]:
        """Table for contacts with these laws, rows 6 c to 6 c + 5, and which rows each uses (C, 6).

        Where ratio (L,) says so, lengths of the law are multiplied by the contact's effective radius (C,) [m].
        """
        n = len(law)
        count = self.count[law] if n else np.zeros(0, np.int64)
        ends = np.cumsum(count)
        total = int(ends[-1]) if n else 0
        owner = np.repeat(np.arange(n), count)
        chosen = np.repeat(self.start[law] - (ends - count), count) + np.arange(total)
        contact = np.zeros((n + 1, 4), np.int64)
        contact[:, 0] = WIDTH * np.arange(n + 1)
        contact[1:, 1] = ends
        contact[:-1, 2] = 1
        contact[:-1, 3] = self.template.contact[:-1, 3][law]
        block = self.block[chosen]
        block[:, 1] += WIDTH * owner
        coef = np.ascontiguousarray(self.template.coef[chosen])
        if ratio is not None and radius is not None and ratio.any():
            factor = np.where(ratio[law], radius, 1.0)[owner]
            coef = np.where(self.template.lengths[chosen], coef * factor[:, None], coef)
        table = LawTable(
            contact=contact, block=np.ascontiguousarray(block), coef=coef, own=self.template.own,
            weight=np.ascontiguousarray(self.weight[law]).ravel(), moment=np.tile(np.arange(WIDTH) >= 3, n),
            lengths=self.template.lengths[chosen],
        )  # fmt: skip
        return table, self.uses[law]


def stack_tables(first: LawTable, second: LawTable) -> LawTable:
    """One table for the contacts of two, in this order, with the user's laws of the second."""
    rows, blocks = first.contact[-1, :2]
    contact, block = second.contact.copy(), second.block.copy()
    contact[:, 0] += rows
    contact[:, 1] += blocks
    block[:, 1] += rows
    return LawTable(
        contact=np.concatenate([first.contact[:-1], contact]), block=np.concatenate([first.block, block]),
        coef=np.concatenate([first.coef, second.coef]), own=second.own if second.own.any() else addresses([]),
        weight=np.concatenate([first.weight, second.weight]), moment=np.concatenate([first.moment, second.moment]),
        lengths=np.concatenate([first.lengths, second.lengths]),
    )  # fmt: skip


@dataclass(eq=False)
class RigidProblem:
    """y = H v + bias + E p, v = v_free + M^-1 H^T p, with the law of every contact, in the units of the contacts.

    body, frame, arm: of joints and contacts; frame (C, 6, 3): directions of forces and axes of moments, given as (C, 3, 3)
    where both are n, t1, t2; arm (C, 2, 3) from the centres of mass to the contact point [m];
    inverse_mass (B,) [1/kg]; inverse_inertia (B, 3, 3) [1/(kg m^2)], world frame; v_free (B, 6); bias, compliance
    (C, 6), SI units; table, uses: laws; joints: how many come first; relaxed: formulation;
    sheet, law (C,), factor (C,): the laws themselves, their numbers, and the factor on their lengths, for `to_problem`;
    length (C,), rho (C,), W_nn (C,), step (blocks,): local metric.
    """

    body: NDArray[np.int64]
    frame: Array
    arm: Array
    inverse_mass: Array
    inverse_inertia: Array
    v_free: Array
    bias: Array
    compliance: Array
    table: LawTable
    uses: NDArray[np.bool_]
    joints: int = 0
    relaxed: bool = False
    sheet: LawSheet | None = None
    law: NDArray[np.int64] | None = None
    factor: Array | None = None

    def __post_init__(self) -> None:
        n = len(self.body)
        if self.frame.shape[1] == 3:
            self.frame = np.concatenate([self.frame, self.frame], axis=1)
        self.length, self.rho, self.W_nn = np.ones(n), np.ones(n), np.ones(n)
        self.step = np.ones(len(self.table.block))
        rigid_kernels.local_metric(
            self.table.contact, self.table.block, self.uses, self.frame, self.arm, self.inverse_mass,
            self.inverse_inertia, self.body, self.compliance, self.table.weight, self.length, self.rho, self.W_nn,
            self.step,
        )  # fmt: skip
        self.table = scale_table(self.table, self.length)
        self.bias = self.bias * self.units
        self.compliance = self.compliance * self.units**2
        q = self.relative_velocity(self.v_free)
        self._q_size = float(np.linalg.norm(q[self.uses.ravel()]))
        self.size = self._q_size or 1.0
        self.noise = float(
            rigid_kernels.free_noise(self.body, self.arm, self.length, self.uses, self.bias, self.v_free)
        )
        self._work = np.zeros((2, WIDTH * len(self.body)))

    @property
    def still(self) -> bool:
        """Whether the free velocities of all joints and contacts are rounding: no impulses are needed."""
        return self._q_size <= self.noise

    def allowed(self, tolerance: float) -> float:
        """Norm of the natural map [m/s] that a residual of `tolerance` allows."""
        return tolerance * self.size + self.noise

    @property
    def geometry(self) -> tuple[Any, ...]:
        """body, frame, arm, length: the arguments of the kinematic kernels."""
        return self.body, self.frame, self.arm, self.length

    def relative_velocity(self, v: Array) -> Array:
        """y' (6 C,) in scaled units, without E p."""
        y = np.empty(WIDTH * len(self.body))
        rigid_kernels.relative_velocity(*self.geometry, self.bias, v, y)
        return y

    def body_velocity(self, p: Array) -> Array:
        """v = v_free + M^-1 H^T p (B, 6) for scaled impulses p' (6 C,)."""
        v = self.v_free.copy()
        rigid_kernels.apply_impulses(*self.geometry, self.inverse_mass, self.inverse_inertia, p, v)
        return v

    def __len__(self) -> int:
        """Number of joints and contacts."""
        return len(self.body)

    def velocities_of(self, v: Array) -> Array:
        """Velocities alone, shape (B, 6): as `GrainProblem` has it."""
        return v

    def guess(self, contacts: Contacts, old_key: NDArray[np.int64], old: Array) -> Array:
        """p' (6 C,) from the impulses (C', 6) in SI units that joints and contacts of the last step had."""
        rows = np.zeros((len(self.body), WIDTH))
        match(np.concatenate([np.arange(-self.joints, 0), contacts.key]), old_key, old, rows)
        return self.from_rows(rows)

    def from_rows(self, rows: Array) -> Array:
        """p' (6 C,) from impulses (C, 6) in SI units: the inverse of `keep`."""
        return (rows / self.units).ravel()

    def guess_from(self, other: RigidProblem | GrainProblem, p: Array) -> Array:
        """p' (6 C,) of this form from the impulses p of the same contacts in another."""
        if isinstance(other, RigidProblem):
            return p.copy()
        return self.from_rows(other.rows(p, other.v_free)[0])

    def keep(self, p: Array) -> Array:
        """Impulses (C, 6) in SI units, for the next step's guess."""
        return p.reshape(-1, WIDTH) * self.units

    @property
    def units(self) -> Array:
        """S (C, 6): p = S p', 1 for forces and the contact's length [m] for moments."""
        units = np.ones((len(self.body), WIDTH))
        units[:, 3:] = self.length[:, None]
        return units

    def rows(self, p: Array, v: Array) -> tuple[Array, Array]:
        """Impulses and relative velocities (without bias) in the contact frames, SI units, both (C, 6)."""
        y = (self.relative_velocity(v).reshape(-1, WIDTH) - self.bias) / self.units
        return self.keep(p), y

    def residual(self, p: Array, v: Array) -> float:
        """Natural map at p' with the velocities v that belong to it, relative to |q'|: as `ContactProblem.residual`."""
        y = self.relative_velocity(v) + self.compliance.ravel() * p
        change, work = self._work
        norm = kernels.natural_map(*self.table[:4], self.table.weight, self.rho, self.relaxed, p, y, change, work)
        return relative(norm, self.size, self.noise)

    @cached_property
    def _exported(self) -> tuple[ContactProblem, NDArray[np.int64], Array]:
        return export(self)

    def to_problem(self, form: str = "reduced") -> ContactProblem:
        """The same problem as every solver and file format takes it: contacts first, then joints (`Bilateral`, `Driven`).

        form : "reduced" or "global".
        """
        return self._exported[0] if form == "reduced" else export(self, form)[0]

    def to_problem_rows(self, p: Array) -> Array:
        """Impulses of `to_problem` from p' (6 C,)."""
        _, rows, scale = self._exported
        return p[rows] * scale

    def from_problem_rows(self, p: Array) -> Array:
        """p' (6 C,) from impulses of `to_problem`."""
        _, rows, scale = self._exported
        out = np.zeros(self.uses.size)
        out[rows] = p / scale
        return out

    def delassus(self, rows: NDArray[np.int64]) -> Any:
        """H M^-1 H^T in scaled units for some rows of p', sparse, without compliance."""
        touching, number = np.unique(self.body, return_inverse=True)
        bodies = len(touching)
        H = self.jacobian(number.reshape(-1, 2), bodies)[rows]
        blocks = np.zeros((bodies, 6, 6))
        blocks[:, range(3), range(3)] = self.inverse_mass[touching, None]
        blocks[:, 3:, 3:] = self.inverse_inertia[touching]
        inverse = scipy.sparse.bsr_array(
            (blocks, np.arange(bodies), np.arange(bodies + 1)), shape=(6 * bodies, 6 * bodies)
        )
        return scipy.sparse.csr_array(H @ scipy.sparse.csr_array(inverse) @ H.T)

    @cached_property
    def scaled(self) -> tuple[ScaledProblem, NDArray[np.int64]]:
        """The same problem for the solvers of files, and the rows of p' that it has."""
        rows = np.flatnonzero(self.uses.ravel())
        renumber = np.full(self.uses.size, -1, np.int64)
        renumber[rows] = np.arange(len(rows))
        contact, block = self.table.contact.copy(), self.table.block.copy()
        contact[1:, 0] = np.cumsum(self.uses.sum(axis=1))
        block[:, 1] = renumber[block[:, 1]]
        bodies = self._bodies(self.compliance.ravel()[rows])

        table = self.table._replace(
            contact=contact, block=block, weight=self.table.weight[rows], moment=self.table.moment[rows]
        )
        q = self.relative_velocity(self.v_free)[rows]
        problem = ScaledProblem(
            table, lambda: blocks_of(contact, bodies), q, np.ones(len(rows)), self.rho, self.size, self.relaxed, self.noise,
            bodies,
        )  # fmt: skip
        return problem, rows

    def _bodies(self, compliance: Array) -> Bodies:
        """What the matrix is made of."""
        n, count = len(self.body), len(self.inverse_mass)
        free = self.inverse_mass > 0.0
        touched = np.zeros(count, bool)
        touched[self.body.ravel()] = True
        moving = np.flatnonzero(touched & free)
        number = np.full(count, -1, np.int64)
        number[moving] = np.arange(len(moving))
        M, inverse = np.zeros((2, len(moving), 6, 6))
        inverse[:, range(3), range(3)] = self.inverse_mass[moving, None]
        inverse[:, 3:, 3:] = self.inverse_inertia[moving]
        M[:, range(3), range(3)] = 1.0 / self.inverse_mass[moving, None]
        M[:, 3:, 3:] = np.linalg.inv(self.inverse_inertia[moving])
        H = np.zeros((2 * n, WIDTH, 8))
        body_rows.rows_of_bodies(self.frame, self.arm, self.length, self.uses, H)
        return Bodies(number[self.body], H, M, inverse, compliance, self.step)

    def jacobian(self, body: NDArray[np.int64], bodies: int) -> Any:
        """H in scaled units, (6 C, 6 bodies); body (C, 2): numbers among those that touch."""
        n, entries = len(body), self._rows_of_bodies()
        row = np.broadcast_to(np.arange(WIDTH * n).reshape(n, WIDTH, 1, 1), entries.shape)
        column = np.broadcast_to(6 * body[:, None, :, None] + np.arange(6), entries.shape)
        shape = (WIDTH * n, 6 * bodies)
        return scipy.sparse.csr_array((entries.ravel(), (row.ravel(), column.ravel())), shape=shape)

    def _rows_of_bodies(self) -> Array:
        """Rows of H of the two bodies of every contact, in scaled units, (C, 6, 2, 6)."""
        n = len(self.body)
        entries = np.zeros((n, WIDTH, 2, 6))
        for side, sign in ((0, -1.0), (1, 1.0)):
            entries[:, :3, side, :3] = sign * self.frame[:, :3]
            entries[:, :3, side, 3:] = sign * np.cross(self.arm[:, side, None, :], self.frame[:, :3])
            entries[:, 3:, side, 3:] = sign * self.frame[:, 3:] * self.length[:, None, None]
        return entries


def contacts_arms(contacts: Contacts, position: Array) -> Array:
    """Vectors from the two centres of mass to the contact point, shape (C, 2, 3) [m]."""
    return contacts.point[:, None, :] - position[contacts.body]
