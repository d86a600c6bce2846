"""Newton's equations in the velocities of the bodies, compiled; never raises.

(A + B (W + D)) x = b with W = H M^-1 H^T, block-diagonal A, B and a diagonal D: with v = M^-1 H^T x and S = (A + B D)^-1 B,
(M + H^T S H) v = H^T (A + B D)^-1 b,  x = (A + B D)^-1 b - S H v.  Arrays: see `contact.scaled.Bodies`, `kernels.linearise` and
`kernels.block_factor`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from trundle.contact.kernels.body_rows import add_to_contacts, to_bodies
from trundle.laws.kernels.curves import JIT
from trundle.laws.kernels.sections import ROW
from trundle.solve.kernels.block_factor import PADDED, SIZE, add_contacts, factorise, invert, substitute


@njit(nogil=True, **JIT)
def condense(contact, local, A, B, shift, inverse, S):
    """inverse = (A + B D)^-1 and S (C, 6, 8); shift (m,): the diagonal of D.  False if a block is singular."""
    work = np.empty((SIZE, PADDED))
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        d, at, block = contact[c + 1, ROW] - row, local[c], inverse[c]
        for i in range(SIZE):
            for j in range(SIZE):
                block[i, j] = 1.0 if i == j else 0.0
        for i in range(d):
            for j in range(d):
                block[i, j] = A[at + i * d + j] + B[at + i * d + j] * shift[row + j]
        if not invert(block, work):
            return False
        for i in range(d):
            for j in range(d):
                total = 0.0
                for k in range(d):
                    total += block[i, k] * B[at + k * d + j]
                S[c, i, j] = total
    return True


@njit(nogil=True, **JIT)
def factorise_bodies(place, first, later, body, S, H, M, diagonal, lower, upper):
    """Factors of M + H^T S H; False if it is singular."""
    for i in range(M.shape[0]):
        for r in range(SIZE):
            for k in range(SIZE):
                diagonal[place[i], r, k] = M[i, r, k]
    for e in range(later.shape[0]):
        for r in range(SIZE):
            for k in range(PADDED):
                lower[e, r, k] = 0.0
                upper[e, r, k] = 0.0
    add_contacts(place, first, later, body, S, H, diagonal, lower, upper)
    return factorise(first, later, diagonal, lower, upper)


@njit(nogil=True, **JIT)
def solve_condensed(contact, body, H, inverse, S, place, first, later, diagonal, lower, upper, b, x):
    """x of the equations above."""
    n = diagonal.shape[0]
    v, moved = np.empty((n, SIZE)), np.empty((n, SIZE))
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        d = contact[c + 1, ROW] - row
        for i in range(d):
            total = 0.0
            for j in range(d):
                total += inverse[c, i, j] * b[row + j]
            x[row + i] = total
    to_bodies(contact, body, H, x, v)
    for i in range(n):
        for k in range(SIZE):
            moved[place[i], k] = v[i, k]
    substitute(first, later, diagonal, lower, upper, moved)
    for i in range(n):
        for k in range(SIZE):
            v[i, k] = moved[place[i], k]
    carried = np.zeros(x.shape[0])
    add_to_contacts(contact, body, H, v, carried)
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        d = contact[c + 1, ROW] - row
        for i in range(d):
            for j in range(d):
                x[row + i] -= S[c, i, j] * carried[row + j]
