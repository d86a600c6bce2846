"""Where the contacts of grains are in the order of their sweeps."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from trundle.contact.kernels import grain_threads
from trundle.contact.kernels import order as order_kernels
from trundle.detect.contacts import Contacts
from trundle.detect.work import room_for
from trundle.kernels.lanes import LANES

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
CONTACTS_PER_CELL, CONTACTS_PER_SLAB, SLAB_BINS = 50, 1000, 4096


@dataclass(frozen=True)
class Layout:
    """Places of C contacts, groups of eight that are visited at once: slab by slab, in a slab cell by cell.

    key (C,): the contacts' identities; place (C,): 8 g + l in group g and lane l; order (8 G,): the contact at every place,
    -1 for none; start (S + 1,): where the groups of slabs begin.  See `kernels.order`.
    Which contacts there are is all that a layout depends on for sweeps to be right: it serves as long as these are the same.
    """

    key: Ints
    place: Ints
    order: Ints
    start: Ints
    _bodies: list[tuple[NDArray[np.int32], Ints]] = field(default_factory=list)

    @property
    def groups(self) -> int:
        """Number of groups."""
        return len(self.order) // LANES

    def fits(self, contacts: Contacts) -> bool:
        """Whether it has a place for every one of the contacts and no others."""
        return bool(np.array_equal(self.key, contacts.key))

    def shares(self, threads: int) -> Ints:
        """First slabs of the threads (2, threads + 1): of the even ones, then of the odd ones."""
        share = np.empty((2, threads + 1), np.int64)
        order_kernels.share_out(self.start, share)
        return share

    def bodies(self, contacts: Contacts, inverse_mass: Array) -> tuple[NDArray[np.int32], Ints]:
        """Bodies that move and have contacts, by the slabs that visit them first, and where those of slabs begin (S + 1,)."""
        if not self._bodies:
            visited, first = np.empty(len(inverse_mass), np.int32), np.empty(len(self.start), np.int64)
            seen = np.empty(len(inverse_mass), bool)
            order_kernels.bodies_of_slabs(self.order, self.start, contacts.body, inverse_mass, seen, visited, first)
            self._bodies.append((visited, first))
        return self._bodies[0]


def lay_out(
    contacts: Contacts, position: Array, inverse_mass: Array, v_free: Array, h: float, last: tuple[Ints, Array],
    threads: int,
) -> Layout:  # fmt: skip
    """The layout of contacts of bodies with 1 / m (B,) [1/kg], 0 if fixed, and velocities without contacts (B, 6).

    last: keys and impulses (C', 8) of the last step's contacts: those that carried nothing and do not close come last.
    """
    body, point, count = contacts.body, contacts.point, len(contacts)
    low, high = np.empty(3), np.empty(3)
    arm = order_kernels.measure(body, inverse_mass, point, position, low, high)
    cell, by_cells, grid = room_for(count, dtype=np.int64), room_for(count, dtype=np.int64), np.empty(4, np.int64)
    cells = order_kernels.cells_of(point, low, high, arm, CONTACTS_PER_CELL, cell, grid)
    order_kernels.order_by_cells(cell, cells, np.empty(cells + 1, np.int64), by_cells)
    slab = cell  # cells are no longer needed
    slabs = order_kernels.slabs_of(point, low, high, arm, CONTACTS_PER_SLAB, np.empty(SLAB_BINS, np.int64), slab)
    by_slabs, start = room_for(count, dtype=np.int64), np.empty(slabs + 1, np.int64)
    order_kernels.order_by_slabs(by_cells, slab, start, by_slabs)
    on = order_kernels if threads == 1 else grain_threads
    idle = np.zeros(count, bool)
    on.find_all_idle(start, contacts.key, *last, body, contacts.normal, contacts.gap, v_free, h, idle)
    place, groups = by_cells, np.empty(slabs, np.int64)
    latest, filled = np.empty(len(inverse_mass), np.int64), np.empty(count, np.int8)
    on.group_all(start, by_slabs, body, inverse_mass, idle, latest, filled, place, groups)
    order = room_for(LANES * int(groups.sum()), dtype=np.int64)
    order_kernels.number_places(groups, slab, start, place, order)
    return Layout(contacts.key, place, order, start)


def restored(key: Ints, place: Ints, start: Ints) -> Layout:
    """A layout from its parts."""
    order = np.full(LANES * int(start[-1]), -1, np.int64)
    order[place] = np.arange(len(place))
    return Layout(key, place, order, start)
