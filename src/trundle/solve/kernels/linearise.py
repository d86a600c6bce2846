"""Generalised Jacobian of the contact problem, J = A + B W with A and B block-diagonal, compiled.

Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.laws.kernels.curves import JIT
from trundle.laws.kernels.derivatives import section_jacobian
from trundle.laws.kernels.sections import BLOCK, FIRST, FREE, HEAD, KIND, ROW, SIZE, project_contact, section


@njit(nogil=True, **JIT)
def linearise_exact(contact, block, coef, own, weight, rho, step, local, p, y, A, B, F, x, work, Jx, Jr):
    """Residual F and factors A, B of the decoupled map of the exact law (after Alart & Curnier), in units of velocity.

    F_n = u_n where the contact presses, F_b = (f - proj_{r_n C}(f - s w)) / s; F = p / rho where it takes off.
    A, B (flat): the d x d blocks of contact c start at local[c].
    """
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        d = contact[c + 1, ROW] - row
        at = local[c]
        for i in range(d * d):
            A[at + i] = 0.0
            B[at + i] = 0.0
        r = 1.0
        if contact[c, HEAD] == 1:
            if p[row] - rho[c] * y[row] <= 0.0:
                for i in range(d):
                    F[row + i] = p[row + i] / rho[c]
                    A[at + i * d + i] = 1.0 / rho[c]
                continue
            F[row] = y[row]
            B[at] = 1.0
            r = max(p[row], 0.0)
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            first = block[b, FIRST]
            size = block[b, SIZE]
            offset = first - row
            if block[b, KIND] == FREE:
                for i in range(size):
                    F[first + i] = y[first + i]
                    B[at + (offset + i) * d + offset + i] = 1.0
                continue
            for i in range(first, first + size):
                x[i] = p[i] - step[b] * weight[i] * y[i]
            section(block, coef, own, b, 0, x, r, work[2], np.nan)
            section_jacobian(block, coef, own, b, x, r, Jx, Jr, work)
            for i in range(size):
                F[first + i] = (p[first + i] - work[2, first + i]) / step[b]
                line = at + (offset + i) * d
                for j in range(size):
                    A[line + offset + j] = ((1.0 if i == j else 0.0) - Jx[i, j]) / step[b]
                    B[line + offset + j] = Jx[i, j] * weight[first + j]
                if contact[c, HEAD] == 1:
                    A[line] = -Jr[i] / step[b]


@njit(nogil=True, **JIT)
def linearise_relaxed(contact, block, coef, own, weight, rho, step, local, p, y, A, B, F, x, work, Jx, Jr):
    """As `linearise_exact` for the natural map F = (p - proj_K(p - rho y)) / rho of the relaxed problem."""
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        d = contact[c + 1, ROW] - row
        at = local[c]
        head = contact[c, HEAD]
        for i in range(d):
            x[row + i] = p[row + i] - rho[c] * weight[row + i] * y[row + i]
        project_contact(contact, block, coef, own, c, 0, x, work[2])
        # D = derivative of the projection, kept in B
        for i in range(d * d):
            B[at + i] = 0.0
        r = work[2, row] if head == 1 else 1.0
        bend = 1.0
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            offset = block[b, FIRST] - row
            size = block[b, SIZE]
            if head == 1 and r <= 0.0 and block[b, KIND] != FREE:
                continue
            section_jacobian(block, coef, own, b, x, r, Jx, Jr, work)
            if head == 1:
                g0, dg, _ = section(block, coef, own, b, 0, x, r, work[0], np.nan)
                if math.isnan(dg):
                    h = 1e-6 * r
                    g1, _, _ = section(block, coef, own, b, 0, x, r + h, work[0], np.nan)
                    dg = (g1 - g0) / h
                bend -= dg
            for i in range(size):
                B[at + offset + i] = Jr[i]  # first row holds dr / dx, scaled below
                for j in range(size):
                    B[at + (offset + i) * d + offset + j] = Jx[i, j]
                B[at + (offset + i) * d] = Jr[i]
        if head == 1 and r > 0.0:
            B[at] = 1.0 / bend
            for i in range(1, d):
                turn = B[at + i * d]
                B[at + i] = turn / bend
            for i in range(1, d):
                turn = B[at + i * d]
                B[at + i * d] = turn / bend
                for j in range(1, d):
                    B[at + i * d + j] += turn * B[at + j]
        for i in range(d):
            F[row + i] = (p[row + i] - work[2, row + i]) / rho[c]
            for j in range(d):
                D = B[at + i * d + j]
                A[at + i * d + j] = ((1.0 if i == j else 0.0) - D) / rho[c]
                B[at + i * d + j] = D * weight[row + j]


@njit(nogil=True, **JIT)
def assemble(contact, ptr, col, start, data, diagonal, local, A, B, shift, out):
    """Blocks of J = A + B (W + D), laid out as those of W; shift (m,): the diagonal of D."""
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        d = contact[c + 1, ROW] - row
        at = local[c]
        for k in range(ptr[c], ptr[c + 1]):
            width = contact[col[k] + 1, ROW] - contact[col[k], ROW]
            base = start[k]
            for i in range(d):
                for j in range(width):
                    total = 0.0
                    for l in range(d):
                        total += B[at + i * d + l] * data[base + l * width + j]
                    out[base + i * width + j] = total
        base = start[diagonal[c]]
        for i in range(d):
            for j in range(d):
                out[base + i * d + j] += A[at + i * d + j] + B[at + i * d + j] * shift[row + j]


@njit(nogil=True, **JIT)
def multiply_local(contact, local, B, x, out):
    """out = B x for a block-diagonal B."""
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        d = contact[c + 1, ROW] - row
        for i in range(d):
            total = 0.0
            for j in range(d):
                total += B[local[c] + i * d + j] * x[row + j]
            out[row + i] = total


@njit(nogil=True, **JIT)
def scale_local(contact, local, factor, B):
    """B of every contact times its factor, in place."""
    for c in range(contact.shape[0] - 1):
        d = contact[c + 1, ROW] - contact[c, ROW]
        for i in range(local[c], local[c] + d * d):
            B[i] *= factor[c]
