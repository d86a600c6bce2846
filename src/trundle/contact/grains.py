"""The contact problem of a time step of grains: spheres among each other and on fixed bodies, laws made of disks."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from trundle.contact.kernels import grain_threads
from trundle.contact.kernels import grains as kernels
from trundle.contact.layout import Layout, lay_out
from trundle.contact.scaled import relative
from trundle.detect.contacts import Contacts
from trundle.detect.work import room_for
from trundle.kernels.lanes import LANES

Array = NDArray[np.float64]
IMPULSE = kernels.IMPULSE
NOTHING = np.zeros(0, np.int64), np.zeros((0, IMPULSE))  # no contacts before
THREADED = 5000  # contacts from which on several threads pay


class GrainProblem:
    """As `RigidProblem`, with friction as vectors: impulses p (G, 8, 8) = r_n, F, m_s, M in SI units and world axes.

    Impulses are at the places of their contacts, groups of eight in the order of the sweeps: see `Layout`, whose order, place
    and start it has, and `kernels.grains`; share (2, threads + 1): slabs of the threads; visited, first_visited: see
    `Layout.bodies`.
    disks, uses (L, 3): coefficients mu [-], mu_s, mu_r [m] of the laws, and which of them a law has;
    inverse_mass, turn (B,): 1 / m and 1 / I of the bodies, 0 if fixed; h: time step [s];
    v_free (B, 6): velocities without contacts.  Velocities v of the problem have rows of eight, with 1 / m and 1 / I in them;
    factor (C,): of the lengths mu_s, mu_r, where they are ratios;
    threads: as many as numba has if None; more change nothing but the time; relaxed: without De Saxcé's term;
    layout: used if it fits; last: keys and impulses (C', 8) of the last step's contacts, see `lay_out`.
    Bodies with mass are spheres; fixed ones, at rest, may have any shape.
    """

    def __init__(
        self, contacts: Contacts, position: Array, disks: Array, uses: NDArray[np.bool_], inverse_mass: Array,
        turn: Array, v_free: Array, h: float, factor: Array | None = None, threads: int | None = None,
        relaxed: bool = False, layout: Layout | None = None, last: tuple[NDArray[np.int64], Array] = NOTHING,
    ) -> None:  # fmt: skip
        self._contacts, self._position = contacts, position
        self.law, self.uses = contacts.law, uses
        self.relaxed = relaxed
        count = len(contacts)
        self.threads = 1 if count < THREADED else numba.get_num_threads() if threads is None else threads
        self._on = kernels if self.threads == 1 else grain_threads
        if layout is None or not layout.fits(contacts):
            known = last[0], last[1].reshape(-1, IMPULSE)
            layout = lay_out(contacts, position, inverse_mass, v_free, h, known, self.threads)
        self.layout, self.share = layout, layout.shares(self.threads)
        self.order, self.place, self.start, self.groups = layout.order, layout.place, layout.start, layout.groups
        self.visited, self.first_visited = layout.bodies(contacts, inverse_mass)
        self._inverse_mass, self._turn = inverse_mass, turn
        self.v_free = self._in_rows(v_free)
        self.body = room_for(self.groups, 2, LANES, dtype=np.int32)
        self.record = room_for(self.groups, kernels.RECORD, LANES)
        self.metric = room_for(self.groups, kernels.METRIC, LANES, dtype=np.float32)
        # rows of groups that need none are never touched
        self.bound = np.empty((len(disks) + self.groups, kernels.BOUNDS, LANES))
        self.bound[: len(disks)] = disks[:, :, None]
        self.bound_of = room_for(self.groups, dtype=np.int32)
        self._on.build_all(
            self.order, self.start, self.share, contacts.body, contacts.normal, contacts.point, position, contacts.gap,
            contacts.law, disks, uses, np.ones(count) if factor is None else factor, self.v_free, h, relaxed, self.body,
            self.record, self.bound, self.bound_of, self.metric,
        )  # fmt: skip

    def __len__(self) -> int:
        """Number of contacts."""
        return len(self._contacts)

    def _in_rows(self, v: Array) -> Array:
        """Velocities (B, 6) in rows of eight, with 1 / m and 1 / I, and a row of zeros for every slab."""
        rows = room_for(len(v) + len(self.start) - 1, kernels.BODY)
        kernels.fill_rows(v, self._inverse_mass, self._turn, rows)
        return rows

    def no_impulses(self) -> Array:
        """p = 0."""
        p = room_for(self.groups, IMPULSE, LANES)
        p[:] = 0.0
        return p

    @property
    def tables(self) -> tuple[NDArray[Any], ...]:
        """body, record, bound, bound_of: the arguments of kernels that know the laws."""
        return self.body, self.record, self.bound, self.bound_of

    @cached_property
    def _sizes(self) -> tuple[float, float]:
        size, noise = self._on.size_of(
            self.start, self.share, self.order, self.body, self.record, self.law, self.uses, self.v_free
        )
        return float(size), float(noise)

    @property
    def size(self) -> float:
        """|q'|, to which the residual is relative."""
        return self._sizes[0] or 1.0

    @property
    def noise(self) -> float:
        """What rounding of q' alone may leave of the natural map [m/s]."""
        return self._sizes[1]

    @property
    def still(self) -> bool:
        """Whether the free velocities of all contacts are rounding: no impulses are needed."""
        return self._sizes[0] <= self.noise

    def allowed(self, tolerance: float) -> float:
        """Norm of the natural map [m/s] that a residual of `tolerance` allows."""
        return tolerance * self.size + self.noise

    def bounce(self, rows: NDArray[np.bool_], bias: Array) -> None:
        """Replace the bias [m/s] of some contacts (C,), for restitution."""
        places = np.flatnonzero((self.order >= 0) & rows[self.order])
        self.record[places // LANES, kernels.BIAS, places % LANES] = bias[self.order[places]]
        self.__dict__.pop("_sizes", None)

    def body_velocity(self, p: Array) -> Array:
        """v = v_free + M^-1 H^T p."""
        v = room_for(*self.v_free.shape)
        v[:] = self.v_free
        self._on.apply_impulses(self.start, self.share, self.body, self.record, p, v)
        return v

    def velocities_of(self, v: Array) -> Array:
        """Velocities alone, shape (B, 6)."""
        return np.ascontiguousarray(v[: len(self._position), : kernels.PER_MASS])

    def residual(self, p: Array, v: Array) -> float:
        """Natural map at p and the velocities v that belong to it, relative to |q'|: as `ContactProblem.residual`."""
        norm = self._on.natural_norm(self.start, self.share, *self.tables, self.relaxed, p, v)
        return relative(norm, self.size, self.noise)

    def guess(self, contacts: Contacts, old_key: NDArray[np.int64], old: Array) -> Array:
        """p from the impulses (C', 8) that the contacts of the last step had."""
        p = room_for(self.groups, IMPULSE, LANES)
        self._on.carry_over(
            self.start, self.share, contacts.key, old_key, old.reshape(-1, IMPULSE), contacts.normal, self.place, p
        )
        return p

    def keep(self, p: Array) -> Array:
        """Impulses for the next step's guess, (C, 8), in the order of the contacts."""
        kept = room_for(len(self), IMPULSE)
        self._on.in_rows(self.start, self.share, self.order, p, kept)
        return kept

    def rows(self, p: Array, v: Array) -> tuple[Array, Array]:
        """Impulses and relative velocities in the contact frames, SI units, both (C, 6), in the order of the contacts."""
        y = np.empty_like(p)
        kernels.motions(self.body, self.record, v if v.shape[1] == kernels.BODY else self._in_rows(v), y)
        frame = self._contacts.frame
        return _in_frames(self.keep(p), frame), _in_frames(self.keep(y), frame)

    def from_frames(self, rows: Array) -> Array:
        """p from impulses (C, 6) in the contact frames."""
        p, frame = self.no_impulses(), self._contacts.chosen(self.order[self.place]).frame
        p[self.place // LANES, :, self.place % LANES] = _from_frames(rows, frame)
        return p

    def part(self, slop: float, share: float, most: float, sweeps: int) -> Array | None:
        """Shifts (B, 3) [m] that take back a share of all penetrations deeper than `slop`, or None if there are none.

        No contact opens by more than `most` [m]: a contact that opens at once loses its load, and the others' loads change.
        """
        gap = self._contacts.gap
        if not len(gap) or gap.min() >= -slop:
            return None
        deep = gap < -slop
        wanted = np.where(deep, np.minimum(-share * (gap + slop), most), -np.maximum(gap, 0.0))
        shift = np.zeros((len(self.v_free), 3))
        kernels.part_spheres(
            self.order, self.body, self.record, self.metric, self.v_free, wanted, np.zeros(len(gap)), shift, sweeps
        )  # fmt: skip
        return shift[: len(self._position)]

    def losses(self, p: Array, mean: Array) -> tuple[float, float, float, float]:
        """Energy [J] lost to sliding, spinning, rolling, impact at the mean body velocities of the step (B, 6), none negative.

        What friction gives where it turns a contact around counts with the impacts, as for all other bodies.
        """
        parts = np.empty((len(self.start) - 1, 4))
        self._on.losses(self.start, self.share, self.body, self.record, p, self._in_rows(mean), parts)
        sliding, spinning, rolling, impact = (max(0.0, float(x)) for x in parts.sum(axis=0))
        return sliding, spinning, rolling, impact


def rows_carried_over(contacts: Contacts, old_key: NDArray[np.int64], old: Array) -> Array:
    """Impulses (C, 6) in the contact frames from those (C', 8) that contacts had in the last step; 0 for new ones."""
    old = old.reshape(-1, IMPULSE)
    rows = np.zeros((len(contacts), 6))
    if len(old_key):
        j = np.minimum(np.searchsorted(old_key, contacts.key), len(old_key) - 1)
        known = np.flatnonzero(old_key[j] == contacts.key)
        rows[known] = _in_frames(old[j[known]], contacts.frame[known])
    return rows


def _in_frames(x: Array, frame: Array) -> Array:
    """Vectors (C, 8) as rows (C, 6) of contact frames (C, 3, 3)."""
    rows = np.empty((len(x), 6))
    rows[:, 0], rows[:, 3] = x[:, 0], x[:, 4]
    for i in (1, 2):
        rows[:, i] = np.einsum("ci,ci->c", x[:, 1:4], frame[:, i])
        rows[:, 3 + i] = np.einsum("ci,ci->c", x[:, 5:], frame[:, i])
    return rows


def _from_frames(rows: Array, frame: Array) -> Array:
    """The inverse of `_in_frames`."""
    x = np.empty((len(rows), IMPULSE))
    x[:, 0], x[:, 4] = rows[:, 0], rows[:, 3]
    x[:, 1:4] = rows[:, 1:2] * frame[:, 1] + rows[:, 2:3] * frame[:, 2]
    x[:, 5:] = rows[:, 4:5] * frame[:, 1] + rows[:, 5:] * frame[:, 2]
    return x
