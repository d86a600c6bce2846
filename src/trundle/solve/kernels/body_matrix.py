"""Newton's equations of the interior point method in the velocities of the bodies, compiled; never raises.

(A + B W) x = b with W = H M^-1 H^T and block-diagonal A, B: with v = M^-1 H^T x and S = A^-1 B,
(M + H^T S H) v = H^T A^-1 b,  x = A^-1 b - S H v.  Arrays: see `contact.scaled.Bodies` and `kernels.linearise`.
"""

from __future__ import annotations

from numba import njit

from trundle.laws.kernels.curves import JIT
from trundle.laws.kernels.sections import ROW


@njit(nogil=True, **JIT)
def invert_blocks(contact, local, A, work, out):
    """Inverse of a block-diagonal matrix by elimination with row pivots; False if a block is singular.  work: as A."""
    for c in range(contact.shape[0] - 1):
        d = contact[c + 1, ROW] - contact[c, ROW]
        at = local[c]
        for i in range(d * d):
            work[at + i] = A[at + i]
            out[at + i] = 0.0
        for i in range(d):
            out[at + i * d + i] = 1.0
        for k in range(d):
            pivot = k
            for i in range(k + 1, d):
                if abs(work[at + i * d + k]) > abs(work[at + pivot * d + k]):
                    pivot = i
            value = work[at + pivot * d + k]
            if not abs(value) > 0.0:
                return False
            for j in range(d):
                work[at + k * d + j], work[at + pivot * d + j] = work[at + pivot * d + j], work[at + k * d + j]
                out[at + k * d + j], out[at + pivot * d + j] = out[at + pivot * d + j], out[at + k * d + j]
            for j in range(d):
                work[at + k * d + j] /= value
                out[at + k * d + j] /= value
            for i in range(d):
                factor = work[at + i * d + k]
                if i != k and factor != 0.0:
                    for j in range(d):
                        work[at + i * d + j] -= factor * work[at + k * d + j]
                        out[at + i * d + j] -= factor * out[at + k * d + j]
    return True


@njit(nogil=True, **JIT)
def multiply_blocks(contact, local, A, B, out):
    """out = A B of block-diagonal matrices."""
    for c in range(contact.shape[0] - 1):
        d = contact[c + 1, ROW] - contact[c, ROW]
        at = local[c]
        for i in range(d):
            for j in range(d):
                total = 0.0
                for k in range(d):
                    total += A[at + i * d + k] * B[at + k * d + j]
                out[at + i * d + j] = total


@njit(nogil=True, **JIT)
def assemble_bodies(contact, local, S, body, H, slot, work, out):
    """out (blocks, 6, 6) += H^T S H; slot (C, 2, 2): the block of every pair of bodies of a contact; work (6, 6)."""
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        d = contact[c + 1, ROW] - row
        at = local[c]
        for j in range(2):
            if body[c, j] < 0:
                continue
            for r in range(d):
                for n in range(6):
                    total = 0.0
                    for k in range(d):
                        total += S[at + r * d + k] * H[row + k, j, n]
                    work[r, n] = total
            for i in range(2):
                if body[c, i] < 0:
                    continue
                block = out[slot[c, i, j]]
                for m in range(6):
                    for r in range(d):
                        factor = H[row + r, i, m]
                        if factor != 0.0:
                            for n in range(6):
                                block[m, n] += factor * work[r, n]


@njit(nogil=True, **JIT)
def to_bodies(contact, body, H, x, out):
    """out (B, 6) = H^T x."""
    out[:] = 0.0
    for c in range(contact.shape[0] - 1):
        for i in range(2):
            if body[c, i] >= 0:
                for r in range(contact[c, ROW], contact[c + 1, ROW]):
                    for n in range(6):
                        out[body[c, i], n] += H[r, i, n] * x[r]


@njit(nogil=True, **JIT)
def to_contacts(contact, body, H, v, out):
    """out (m,) = H v."""
    for c in range(contact.shape[0] - 1):
        for r in range(contact[c, ROW], contact[c + 1, ROW]):
            total = 0.0
            for i in range(2):
                if body[c, i] >= 0:
                    for n in range(6):
                        total += H[r, i, n] * v[body[c, i], n]
            out[r] = total
