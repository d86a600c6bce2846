"""Newton's equations (A + B (W + D)) x = b contact by contact, as blocks of 6 x 6, compiled; never raises.

Arrays: W as in `contact.kernels.natural`, A and B as in `kernels.linearise`, factors as in `kernels.block_factor`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from trundle.laws.kernels.curves import JIT
from trundle.laws.kernels.sections import ROW
from trundle.solve.kernels.block_factor import PADDED, SIZE, edge_between, factorise, substitute


@njit(nogil=True, **JIT)
def clear_blocks(blocks):
    for e in range(blocks.shape[0]):
        for r in range(SIZE):
            for k in range(PADDED):
                blocks[e, r, k] = 0.0


@njit(nogil=True, **JIT)
def factorise_contacts(contact, ptr, col, start, data, local, A, B, shift, place, first, later, diagonal, lower, upper):
    """Factors of A + B (W + D); shift (m,): the diagonal of D.  False if it is singular."""
    clear_blocks(diagonal)
    clear_blocks(lower)
    clear_blocks(upper)
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        d, at, i = contact[c + 1, ROW] - row, local[c], place[c]
        for k in range(ptr[c], ptr[c + 1]):
            j = place[col[k]]
            width, base = contact[col[k] + 1, ROW] - contact[col[k], ROW], start[k]
            if i == j:
                block = diagonal[i]
            elif i < j:
                block = upper[edge_between(first, later, i, j)]
            else:
                block = lower[edge_between(first, later, j, i)]
            for r in range(d):
                for s in range(width):
                    total = 0.0
                    for l in range(d):
                        total += B[at + r * d + l] * data[base + l * width + s]
                    block[r, s] = total
        for r in range(d):
            for s in range(d):
                diagonal[i, r, s] += A[at + r * d + s] + B[at + r * d + s] * shift[row + s]
        for r in range(d, SIZE):
            diagonal[i, r, r] = 1.0
    return factorise(first, later, diagonal, lower, upper)


@njit(nogil=True, **JIT)
def solve_contacts(contact, place, first, later, diagonal, lower, upper, b, x):
    """x of the equations above."""
    n = diagonal.shape[0]
    moved = np.zeros((n, SIZE))
    for c in range(n):
        row = contact[c, ROW]
        for i in range(contact[c + 1, ROW] - row):
            moved[place[c], i] = b[row + i]
    substitute(first, later, diagonal, lower, upper, moved)
    for c in range(n):
        row = contact[c, ROW]
        for i in range(contact[c + 1, ROW] - row):
            x[row + i] = moved[place[c], i]
