"""Steps and inverses of the diagonal blocks of W, compiled.

Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.contact.kernels.blocks import diagonal_numbers
from trundle.laws.kernels.curves import JIT
from trundle.laws.kernels.sections import BLOCK, FIRST, FREE, KIND, ROW, SIZE

WELL_CONDITIONED = 1e-8  # share of its product of norms that the determinant of a 2 x 2 block must have
MOST_ROUNDS = 30


@njit(**JIT)
def largest_eigenvalue(S, n):
    """Of the symmetric matrix in the first n rows and columns of S, which is destroyed; by Jacobi's rotations."""
    if n == 2:
        return 0.5 * (S[0, 0] + S[1, 1]) + math.hypot(0.5 * (S[0, 0] - S[1, 1]), S[0, 1])
    for _ in range(MOST_ROUNDS):
        off = on = 0.0
        for i in range(n):
            on += S[i, i] * S[i, i]
            for j in range(i):
                off += S[i, j] * S[i, j]
        if off <= 1e-32 * on:
            break
        for i in range(n):
            for j in range(i + 1, n):
                if S[i, j] == 0.0:
                    continue
                slope = 0.5 * (S[j, j] - S[i, i]) / S[i, j]
                t = math.copysign(1.0, slope) / (abs(slope) + math.sqrt(slope * slope + 1.0))
                c = 1.0 / math.sqrt(t * t + 1.0)
                s = t * c
                for k in range(n):
                    a, b = S[i, k], S[j, k]
                    S[i, k], S[j, k] = c * a - s * b, s * a + c * b
                for k in range(n):
                    a, b = S[k, i], S[k, j]
                    S[k, i], S[k, j] = c * a - s * b, s * a + c * b
    largest = S[0, 0] if n else 0.0
    for i in range(1, n):
        largest = max(largest, S[i, i])
    return largest


@njit(**JIT)
def symmetric_part(data, corner, width, weight, row, n, S):
    """Symmetric part of an n x n piece of a block, with the velocity weights of a non-associated law."""
    for i in range(n):
        for j in range(n):
            both = 0.5 * (data[corner + i * width + j] + data[corner + j * width + i])
            S[i, j] = both * math.sqrt(weight[row + i] * weight[row + j])


@njit(nogil=True, **JIT)
def local_steps(contact, block, ptr, col, start, data, weight, rho, diagonal, step, inverse_at):
    """Number of the diagonal block and step of each contact, step of each friction block, and inverses of the blocks.

    rho holds the steps of contacts without a matrix on entry.  Returns the inverses, flat, and which of the blocks
    (B,) still want a pseudo-inverse: those of more than two rows, and those that are nearly singular.
    """
    diagonal[:] = diagonal_numbers(ptr, col)
    blocks = block.shape[0]
    total = 0
    widest = 2
    for b in range(blocks):
        inverse_at[b] = total
        total += block[b, SIZE] ** 2
    for c in range(contact.shape[0] - 1):
        widest = max(widest, contact[c + 1, ROW] - contact[c, ROW])
    inverse = np.zeros(total)
    left = np.zeros(blocks, np.bool_)
    S = np.empty((widest, widest))
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        d = contact[c + 1, ROW] - row
        at = start[diagonal[c]]
        symmetric_part(data, at, d, weight, row, d, S)
        largest = largest_eigenvalue(S, d)
        if largest > 0.0:
            rho[c] = 1.0 / largest
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            first = block[b, FIRST]
            n = block[b, SIZE]
            corner = at + (first - row) * (d + 1)
            symmetric_part(data, corner, d, weight, first, n, S)
            largest = largest_eigenvalue(S, n)
            step[b] = 1.0 / largest if largest > 0.0 else rho[c]
            to = inverse_at[b]
            if n == 1:
                inverse[to] = 1.0 / data[corner] if data[corner] != 0.0 else 0.0
            elif n == 2:
                a, e, f, g = data[corner], data[corner + 1], data[corner + d], data[corner + d + 1]
                determinant = a * g - e * f
                size = max(abs(a), abs(e)) * max(abs(f), abs(g))
                left[b] = not abs(determinant) > WELL_CONDITIONED * size or size == 0.0
                if not left[b]:
                    inverse[to] = g / determinant
                    inverse[to + 1] = -e / determinant
                    inverse[to + 2] = -f / determinant
                    inverse[to + 3] = a / determinant
            else:  # other laws of more than two rows take steps only
                left[b] = block[b, KIND] == FREE
    return inverse, left
