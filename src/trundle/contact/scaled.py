"""A contact problem in the units of its contacts: what solvers and the residual work in.

Moments are measured in units of a length of their contact, p' = S^-1 p, y' = S y, W' = S W S, and the laws follow by
dividing their lengths by it: the same problem, in which one step size per contact is meaningful.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.contact.blocks import BlockMatrix, from_blocks, to_blocks
from trundle.contact.kernels import blocks as block_kernels
from trundle.contact.kernels import body_rows
from trundle.contact.kernels import natural as kernels
from trundle.laws.table import LawTable, scale_table

Array = NDArray[np.float64]
EPS = float(np.finfo(float).eps)


def relative(norm: float, size: float, noise: float) -> float:
    """Residual from the norm of the natural map, |q'| and the part of it that may be rounding of q', all [m/s]."""
    excess = float(norm) - noise
    return 0.0 if excess < 0.0 else excess / size


Bodies = namedtuple("Bodies", "body H M inverse compliance step")
Bodies.__doc__ = """W' = H M^-1 H^T + E: body (C, 2), numbers of the bodies that move and touch, -1 for others; H (2 C, 6, 8),
rows of every contact for its first and second body, zeros beyond them and in the last two columns; M, inverse (B, 6, 6), masses
and moments of inertia [kg, kg m^2]; compliance (m,), the diagonal of E; step (blocks,), of friction blocks: bounds of 1 / their
largest eigenvalue of W'."""


def blocks_of(contact: NDArray[np.int64], bodies: Bodies) -> BlockMatrix:
    """W' by contacts from the bodies; contact: of the law table."""
    ptr, col = body_rows.neighbours(bodies.body, len(bodies.M))
    size = np.diff(contact[:, 0])
    start, data = np.zeros(len(col), np.int64), np.zeros(int(np.sum(np.repeat(size, np.diff(ptr)) * size[col])))
    body_rows.couple(contact, bodies.body, bodies.H, bodies.inverse, bodies.compliance, ptr, col, start, data)
    return BlockMatrix(ptr, col, start, data)


@dataclass(frozen=True, eq=False)
class ScaledProblem:
    """The arrays behind a contact problem.

    make_blocks : gives W' by contacts, when it is asked for ; q : (m,) ; table : laws in scaled units
    scale : (m,) diagonal of S, p = S p' ; rho : (C,) step of the natural map of each contact
    size : |q'|, to which the residual is relative ; relaxed : no De Saxce term
    noise : what rounding of q' alone may leave of the natural map [m/s]; 0 for a q' that is given
    bodies : what W' is made of, where it is known
    """

    table: LawTable
    make_blocks: Callable[[], BlockMatrix]
    q: Array
    scale: Array
    rho: Array
    size: float
    relaxed: bool
    noise: float = 0.0
    bodies: Bodies | None = None

    @classmethod
    def plain(cls, table: LawTable, formulation: str) -> ScaledProblem:
        """No scaling, rho = 1 and no matrix: for the natural map in the user's own units."""
        m, contacts = int(table.contact[-1, 0]), len(table.contact) - 1
        empty = BlockMatrix(*(np.zeros(0, np.int64),) * 3, np.zeros(0))
        return cls(table, lambda: empty, np.zeros(m), np.ones(m), np.ones(contacts), 1.0, formulation == "relaxed")

    @cached_property
    def blocks(self) -> BlockMatrix:
        """W' by contacts."""
        return self.make_blocks()

    @cached_property
    def matrix(self) -> Any:
        """W' as compressed rows, for the methods that factorise."""
        return from_blocks(self.blocks, self.table.contact[:, 0])

    @cached_property
    def rho_of_rows(self) -> Array:
        """rho of the contact that a row belongs to (m,)."""
        return np.repeat(self.rho, np.diff(self.table.contact[:, 0]))

    def softened(self, share: float) -> ScaledProblem:
        """The same with a compliance of share / rho more at every contact.  Only where the bodies are known."""
        assert self.bodies is not None
        contact = self.table.contact
        bodies = self.bodies._replace(compliance=self.bodies.compliance + share / self.rho_of_rows)
        return replace(self, make_blocks=lambda: blocks_of(contact, bodies), bodies=bodies)

    @cached_property
    def laws(self) -> tuple[Any, ...]:
        """contact, block, coef, own: the arguments of the law kernels."""
        return tuple(self.table[:4])

    @cached_property
    def _judged(self) -> tuple[Any, ...]:
        """Arguments of the kernels that judge, up to p."""
        return (*self.laws, self.table.weight, self.rho, self.relaxed, *self.blocks, self.q)

    def velocity(self, p: Array) -> Array:
        """y' = W' p' + q'."""
        return self._add_to(self.q, p)

    def _add_to(self, q: Array, p: Array) -> Array:
        """W' p' + q'."""
        y = np.empty_like(p)
        if self.bodies is not None:
            body_rows.velocity(self.table.contact, *self.bodies[:5], q, p, y)
        else:
            kernels.velocity(self.table.contact, *self.blocks, q, p, y)
        return y

    def times(self, p: Array) -> Array:
        """W' p'."""
        return self._add_to(np.zeros_like(self.q), p)

    def allowed(self, tolerance: float) -> float:
        """Norm of the natural map [m/s] that a residual of `tolerance` allows."""
        return tolerance * self.size + self.noise

    def residual(self, p: Array) -> float:
        """Residual of the problem at p', relative to |q'|."""
        if self.bodies is None:
            norm = kernels.residual_norm(*self._judged, p, np.empty_like(p))
        else:
            y, work = self.velocity(p), np.empty((2, len(p)))
            norm = kernels.natural_map(*self.laws, self.table.weight, self.rho, self.relaxed, p, y, *work)
        return relative(norm, self.size, self.noise)

    def roundoff(self, p: Array) -> float:
        """Residual that the rounding of y' = W' p' + q' (a dot product per row) and of p' - rho y' can cause."""
        return float(kernels.rounding(self.table.contact, *self.blocks, self.q, self.rho, p)) * EPS / self.size

    def judge(self, p: Array) -> tuple[Array, float, float]:
        """y = W p + q, residual and round-off at impulses p in the user's units."""
        y = np.empty_like(p)
        norm, rounded = kernels.judge(*self._judged, self.scale, p, y)
        return y, relative(norm, self.size, self.noise), rounded * EPS / self.size

    def project(self, x: Array) -> Array:
        """Projection of every contact onto its cone, in scaled units."""
        out = np.empty_like(x)
        kernels.project_all(*self.laws, x, out)
        return out

    def corrected(self, y: Array) -> Array:
        """y-hat'."""
        out = np.empty_like(y)
        kernels.correct_all(*self.laws, self.table.weight, self.relaxed, y, out)
        return out

    def part(self, chosen: NDArray[np.int64], p: Array) -> tuple[ScaledProblem, NDArray[np.int64]]:
        """The problem of some contacts (numbers, rising) while all others keep their impulses p, and the rows that it has.

        Its residual is relative to the size of the whole.  Only where the bodies are known.
        """
        assert self.bodies is not None
        table, contact = self.table, self.table.contact
        rows, size = _runs(contact[:, 0], chosen)
        blocks, count = _runs(contact[:, 1], chosen)
        ends = np.zeros((len(chosen) + 1, contact.shape[1]), np.int64)
        ends[:-1] = contact[chosen]
        ends[1:, 0], ends[1:, 1], ends[0, :2] = np.cumsum(size), np.cumsum(count), 0
        block = table.block[blocks]
        block[:, 1] += np.repeat(ends[:-1, 0] - contact[chosen, 0], count)
        of = self.bodies
        touched, number = np.unique(of.body[chosen], return_inverse=True)
        number = number.reshape(-1, 2)
        if len(touched) and touched[0] < 0:
            touched, number = touched[1:], number - 1
        sides = np.stack([2 * chosen, 2 * chosen + 1], axis=1).ravel()
        bodies = Bodies(
            np.ascontiguousarray(number),
            of.H[sides],
            of.M[touched],
            of.inverse[touched],
            of.compliance[rows],
            of.step[blocks],
        )
        law_table = table._replace(
            contact=ends, block=block, coef=np.ascontiguousarray(table.coef[blocks]), weight=table.weight[rows],
            moment=table.moment[rows], lengths=table.lengths[blocks],
        )  # fmt: skip
        alone = replace(
            self, table=law_table, make_blocks=lambda: blocks_of(ends, bodies), q=np.zeros(len(rows)),
            scale=self.scale[rows], rho=self.rho[chosen], noise=0.0, bodies=bodies,
        )  # fmt: skip
        return replace(alone, q=self.velocity(p)[rows] - alone.times(p[rows])), rows


def _runs(start: NDArray[np.int64], chosen: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Numbers start[c] to start[c + 1] - 1 for all chosen c, one after the other, and how many each c has."""
    size = start[chosen + 1] - start[chosen]
    first = np.repeat(start[chosen] - np.cumsum(size) + size, size)
    return first + np.arange(int(size.sum())), size


def scale_problem(W: Any, q: Array, table: LawTable, formulation: str) -> ScaledProblem:
    """Measure the moments of every contact in units of sqrt(mean diag W of its forces / of its moments) [m]."""
    contact = table.contact
    blocks = to_blocks(W, contact[:, 0])
    m, contacts = len(q), len(contact) - 1
    length, scale, rho, scaled_q = np.empty(contacts), np.empty(m), np.empty(contacts), np.empty(m)
    size = block_kernels.to_units_of_contacts(contact, table.moment, *blocks, q, length, scale, rho, scaled_q)
    return ScaledProblem(
        table=scale_table(table, length), make_blocks=lambda: blocks, q=scaled_q, scale=scale, rho=rho, size=size or 1.0,
        relaxed=formulation == "relaxed",
    )  # fmt: skip
