"""Laws as flat arrays: what the kernels see.

A contact is a head and blocks.  The head says whether its first row is a normal impulse r_n >= 0 that scales the
section (1), or whether the section has a fixed size (0: joints, bounded rows).  Each block is a closed convex set on
consecutive rows; the section C is the product of the blocks.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from trundle.laws.kernels.general import addresses
from trundle.laws.kernels.own import FIRST_OWN
from trundle.laws.kernels.sections import DISK, OWN

if TYPE_CHECKING:
    from trundle.laws.base import Law

COEFFICIENTS = 6
MOMENT_ROWS = frozenset({"s", "r1", "r2"})

LawTable = namedtuple("LawTable", "contact block coef own weight moment lengths")
LawTable.__doc__ = """Laws of C contacts with m rows and B blocks in all; kernels take the first four one by one.

contact (C+1, 4): first row; first block; head, 1 with a normal row, 0 without; 1 if a cone of disks alone.
block (B, 4): kind; first row; number of rows; place of a user's law in `own`.
coef (B, 6): coefficients [- or m].  own: addresses of compiled functions.
weight (m,): factors on the velocity that make the law associated (hjiaj (43)), 1 elsewhere.
moment (m,): which rows are moments [N m s].  lengths (B, 6): which coefficients are lengths [m]."""


@dataclass(frozen=True)
class Block:
    """One factor of a section: its kind, the names of its rows, and its coefficients.

    coef : values [- or m], each a float or an array of shape (n,); lengths : which of them are lengths [m].
    weight : factors on the velocity rows, each a float or an array of shape (n,).
    """

    kind: int
    rows: tuple[str, ...]
    coef: tuple[Any, ...] = ()
    lengths: tuple[bool, ...] = ()
    weight: tuple[Any, ...] = ()
    functions: tuple[Any, Any] | None = field(default=None, compare=False)


def disk(rows: tuple[str, ...], radius: Any) -> Block:
    """Disk (two rows) or interval (one row) of a radius [-], or [m] on moment rows."""
    return Block(DISK, rows, (radius,), (rows[0] in MOMENT_ROWS,))


def build_table(laws: Sequence[Law], counts: Sequence[int]) -> LawTable:
    """Put laws, the i-th standing for counts[i] contacts, into flat arrays."""
    contact, block, coef, lengths, weight, moment = [], [], [], [], [], []
    own: list[tuple[Any, Any]] = []
    rows_so_far = blocks_so_far = 0
    for law, n in zip(laws, counts, strict=True):
        parts = law.blocks()
        d, k = len(law.rows), len(parts)
        head = int("n" in law.rows)
        index = np.arange(n, dtype=np.int64)
        contacts = np.empty((n, 4), np.int64)
        contacts[:, 0] = rows_so_far + d * index
        contacts[:, 1] = blocks_so_far + k * index
        contacts[:, 2] = head
        contacts[:, 3] = head and all(part.kind == DISK for part in parts)
        blocks = np.zeros((n, k, 4), np.int64)
        values = np.zeros((n, k, COEFFICIENTS))
        mask = np.zeros((n, k, COEFFICIENTS), bool)
        factors = np.ones((n, d))
        for j, part in enumerate(parts):
            offset = law.rows.index(part.rows[0])
            blocks[:, j, 0] = part.kind
            blocks[:, j, 1] = contacts[:, 0] + offset
            blocks[:, j, 2] = len(part.rows)
            blocks[:, j, 3] = _place_of(part, own) if part.kind == OWN else 0
            for i, value in enumerate(part.coef):
                values[:, j, i] = value
                mask[:, j, i] = part.lengths[i]
            for i, value in enumerate(part.weight):
                factors[:, offset + i] = value
        contact.append(contacts)
        block.append(blocks.reshape(-1, 4))
        coef.append(values.reshape(-1, COEFFICIENTS))
        lengths.append(mask.reshape(-1, COEFFICIENTS))
        weight.append(factors.ravel())
        moment.append(np.tile([row in MOMENT_ROWS for row in law.rows], n))
        rows_so_far += d * n
        blocks_so_far += k * n
    needed = any(not np.all(part[:, 3]) for part in contact)  # cones of disks alone call nothing by address
    contact.append(np.array([[rows_so_far, blocks_so_far, 0, 0]], np.int64))
    return LawTable(
        contact=np.concatenate(contact),
        block=np.concatenate([np.zeros((0, 4), np.int64), *block]),
        coef=np.concatenate([np.zeros((0, COEFFICIENTS)), *coef]),
        own=addresses(own) if needed else np.zeros(FIRST_OWN, np.int64),
        weight=np.concatenate([np.zeros(0), *weight]),
        moment=np.concatenate([np.zeros(0, bool), *moment]),
        lengths=np.concatenate([np.zeros((0, COEFFICIENTS), bool), *lengths]),
    )


def _place_of(block: Block, own: list[tuple[Any, Any]]) -> int:
    """Place of a user's law in the addresses, taking a new one if needed."""
    assert block.functions is not None
    if not any(pair[0] is block.functions[0] for pair in own):
        own.append(block.functions)
    number = next(i for i, pair in enumerate(own) if pair[0] is block.functions[0])
    return FIRST_OWN + 2 * number


def scale_table(table: LawTable, length: np.ndarray) -> LawTable:
    """The same laws for moments measured in units of a length per contact, shape (C,) [m].

    p' = (r_n, f_t, m / length): lengths among the coefficients are divided by it.
    """
    if not table.moment.any():
        return table
    per_block = np.repeat(length, np.diff(table.contact[:, 1]))
    factor = np.where(table.lengths, 1.0 / per_block[:, None], 1.0)
    return table._replace(coef=np.ascontiguousarray(table.coef * factor))
