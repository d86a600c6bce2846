"""L U factors of sparse matrices made of blocks of 6 x 6, compiled; never raises.

Nodes are bodies or contacts.  They are eliminated in an order of smallest degree, without pivots between them.  Blocks have
rows of eight, the last two zero, so that a row is one vector.  Edges are numbered: those of the i-th node in the order are
first[i] to first[i + 1], and lead to nodes later in it, in rising order.  diagonal (n, 6, 8); lower, upper (edges, 6, 8): blocks
(later, i) and (i, later).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from trundle.contact.kernels.grains import LANE
from trundle.kernels.lanes import load, store
from trundle.laws.kernels.curves import JIT

SIZE, PADDED = 6, 8
BITS = 63  # of a word that are used


@njit(**JIT)
def count_bits(words):
    total = 0
    for k in range(words.shape[0]):
        word = words[k]
        while word:
            word &= word - 1
            total += 1
    return total


@njit(nogil=True, **JIT)
def order_nodes(n, pairs):
    """Places of the nodes in an order of elimination of smallest degree; first (n + 1,), later: edges, with those that arise.

    pairs (c, 2): numbers of nodes that are coupled, -1 for none.
    """
    words = (n + BITS - 1) // BITS
    near = np.zeros((n, words), np.int64)
    for c in range(pairs.shape[0]):
        a, b = pairs[c, 0], pairs[c, 1]
        if a >= 0 and b >= 0 and a != b:
            near[a, b // BITS] |= 1 << (b % BITS)
            near[b, a // BITS] |= 1 << (a % BITS)
    degree, place, first = np.empty(n, np.int64), np.full(n, -1, np.int64), np.zeros(n + 1, np.int64)
    later = np.empty(max(8 * n, 16), np.int64)
    for i in range(n):
        degree[i] = count_bits(near[i])
    for step in range(n):
        chosen = -1
        for i in range(n):
            if place[i] < 0 and (chosen < 0 or degree[i] < degree[chosen]):
                chosen = i
        place[chosen] = step
        begin = end = first[step]
        if begin + degree[chosen] > later.shape[0]:
            more = np.empty(2 * later.shape[0] + degree[chosen], np.int64)
            more[:begin] = later[:begin]
            later = more
        for k in range(words):
            word = near[chosen, k]
            at = k * BITS
            while word:
                if word & 1:
                    later[end] = at
                    end += 1
                word >>= 1
                at += 1
        first[step + 1] = end
        for e in range(begin, end):
            j = later[e]
            for k in range(words):
                near[j, k] |= near[chosen, k]
            near[j, j // BITS] &= ~(1 << (j % BITS))
            near[j, chosen // BITS] &= ~(1 << (chosen % BITS))
            degree[j] = count_bits(near[j])
    later = later[: first[n]].copy()
    for step in range(n):
        for e in range(first[step], first[step + 1]):
            later[e] = place[later[e]]
        later[first[step] : first[step + 1]].sort()
    return place, first, later


@njit(nogil=True, **JIT)
def count_products(first):
    """Products of two blocks that a factorisation takes."""
    total = 0
    for i in range(first.shape[0] - 1):
        d = first[i + 1] - first[i]
        total += d * (d + 1) + 1
    return total


@njit(**LANE)
def subtract_product(out, o, a, i, b, j):
    """out[o] -= a[i] b[j] of blocks."""
    b0, b1, b2 = load(b, j, 0), load(b, j, 1), load(b, j, 2)
    b3, b4, b5 = load(b, j, 3), load(b, j, 4), load(b, j, 5)
    for r in range(SIZE):
        row = load(out, o, r)
        row -= a[i, r, 0] * b0 + a[i, r, 1] * b1
        row -= a[i, r, 2] * b2 + a[i, r, 3] * b3
        row -= a[i, r, 4] * b4 + a[i, r, 5] * b5
        store(out, o, r, row)


@njit(**LANE)
def multiply_into(out, o, a, i, b, j):
    """out[o] = a[i] b[j] of blocks; out may be a."""
    b0, b1, b2 = load(b, j, 0), load(b, j, 1), load(b, j, 2)
    b3, b4, b5 = load(b, j, 3), load(b, j, 4), load(b, j, 5)
    for r in range(SIZE):
        row = a[i, r, 0] * b0 + a[i, r, 1] * b1
        row += a[i, r, 2] * b2 + a[i, r, 3] * b3
        row += a[i, r, 4] * b4 + a[i, r, 5] * b5
        store(out, o, r, row)


@njit(**LANE)
def add_transposed_product(out, o, a, i, b, j):
    """out[o] += a[i]^T b[j] of blocks."""
    b0, b1, b2 = load(b, j, 0), load(b, j, 1), load(b, j, 2)
    b3, b4, b5 = load(b, j, 3), load(b, j, 4), load(b, j, 5)
    for r in range(SIZE):
        row = load(out, o, r)
        row += a[i, 0, r] * b0 + a[i, 1, r] * b1
        row += a[i, 2, r] * b2 + a[i, 3, r] * b3
        row += a[i, 4, r] * b4 + a[i, 5, r] * b5
        store(out, o, r, row)


@njit(nogil=True, **JIT)
def invert(block, work):
    """A block's inverse in its place, by elimination with row pivots; False if it is singular.  work (6, 8)."""
    for i in range(SIZE):
        for k in range(SIZE):
            work[i, k] = block[i, k]
            block[i, k] = 1.0 if i == k else 0.0
    for k in range(SIZE):
        pivot = k
        for i in range(k + 1, SIZE):
            if abs(work[i, k]) > abs(work[pivot, k]):
                pivot = i
        value = work[pivot, k]
        if not abs(value) > 0.0:
            return False
        for j in range(SIZE):
            work[k, j], work[pivot, j] = work[pivot, j], work[k, j]
            block[k, j], block[pivot, j] = block[pivot, j], block[k, j]
        value = 1.0 / value
        for j in range(SIZE):
            work[k, j] *= value
            block[k, j] *= value
        for i in range(SIZE):
            share = work[i, k]
            if i != k and share != 0.0:
                for j in range(SIZE):
                    work[i, j] -= share * work[k, j]
                    block[i, j] -= share * block[k, j]
    return True


@njit(nogil=True, **JIT)
def factorise(first, later, diagonal, lower, upper):
    """Inverse of D in diagonal, L in lower and D U in upper, in their places; False if a diagonal block is singular."""
    work = np.empty((SIZE, PADDED))
    for i in range(diagonal.shape[0]):
        if not invert(diagonal[i], work):
            return False
        for e in range(first[i], first[i + 1]):
            multiply_into(lower, e, lower, e, diagonal, i)
        for e in range(first[i], first[i + 1]):
            j = later[e]
            subtract_product(diagonal, j, lower, e, upper, e)
            at = first[j]
            for f in range(e + 1, first[i + 1]):
                while later[at] != later[f]:
                    at += 1
                subtract_product(upper, at, lower, e, upper, f)
                subtract_product(lower, at, lower, f, upper, e)
    return True


@njit(**LANE)
def subtract_times(out, o, block, e, x, i):
    """out[o] -= block[e] x[i] of a block and a vector."""
    for r in range(SIZE):
        total = 0.0
        for k in range(SIZE):
            total += block[e, r, k] * x[i, k]
        out[o, r] -= total


@njit(nogil=True, **JIT)
def substitute(first, later, diagonal, lower, upper, x):
    """Solve for x (n, 6) in its place; rows in the order of elimination."""
    n, row = diagonal.shape[0], np.empty(SIZE)
    for i in range(n):
        for e in range(first[i], first[i + 1]):
            subtract_times(x, later[e], lower, e, x, i)
    for i in range(n - 1, -1, -1):
        for e in range(first[i], first[i + 1]):
            subtract_times(x, i, upper, e, x, later[e])
        for r in range(SIZE):
            row[r] = 0.0
            for k in range(SIZE):
                row[r] += diagonal[i, r, k] * x[i, k]
        for r in range(SIZE):
            x[i, r] = row[r]


@njit(nogil=True, **JIT)
def edge_between(first, later, i, j):
    """Number of the edge from the i-th node to the j-th, i < j."""
    low, high = first[i], first[i + 1] - 1
    while low < high:
        middle = (low + high) // 2
        if later[middle] < j:
            low = middle + 1
        else:
            high = middle
    return low


@njit(nogil=True, **JIT)
def add_contacts(place, first, later, pairs, S, H, diagonal, lower, upper):
    """Add H^T S H of all contacts: S (C, 6, 8), H (2 C, 6, 8), pairs (C, 2)."""
    work = np.zeros((2, SIZE, PADDED))
    for c in range(pairs.shape[0]):
        for side in range(2):
            if pairs[c, side] >= 0:
                multiply_into(work, side, S, c, H, 2 * c + side)
        for side in range(2):
            if pairs[c, side] >= 0:
                add_transposed_product(diagonal, place[pairs[c, side]], H, 2 * c + side, work, side)
        if pairs[c, 0] >= 0 and pairs[c, 1] >= 0:
            a, b = place[pairs[c, 0]], place[pairs[c, 1]]
            if a < b:
                e = edge_between(first, later, a, b)
                add_transposed_product(upper, e, H, 2 * c, work, 1)
                add_transposed_product(lower, e, H, 2 * c + 1, work, 0)
            else:
                e = edge_between(first, later, b, a)
                add_transposed_product(upper, e, H, 2 * c + 1, work, 0)
                add_transposed_product(lower, e, H, 2 * c, work, 1)
