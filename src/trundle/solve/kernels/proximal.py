"""The exact law of contacts whose impulses are drawn to a centre, as a function of their velocities; compiled, never raises.

With a proximal term delta (p - centre) the law is p = (r, proj_{r C}(x_f)) with r = max(0, x_n), x = centre - y / delta: no
equation is left to be solved but y = W p + q.  Works on flat arrays in scaled units.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from trundle.laws.kernels.curves import JIT
from trundle.laws.kernels.derivatives import section_jacobian
from trundle.laws.kernels.sections import BLOCK, FIRST, FREE, HEAD, KIND, ROW, SIZE, section


@njit(nogil=True, **JIT)
def impulses(contact, block, coef, own, weight, stiffness, centre, y, x, p):
    """p of all contacts at the velocities y; stiffness (m,): 1 / delta; x: scratch."""
    for c in range(contact.shape[0] - 1):
        row, head, r = contact[c, ROW], contact[c, HEAD], 1.0
        if head == 1:
            r = max(0.0, centre[row] - stiffness[row] * y[row])
            p[row] = r
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            first, size = block[b, FIRST], block[b, SIZE]
            free = block[b, KIND] == FREE
            for i in range(first, first + size):
                x[i] = centre[i] - stiffness[i] * weight[i] * y[i]
                p[i] = x[i] if free else 0.0
            if not free and r > 0.0:
                section(block, coef, own, b, 0, x, r, p, np.nan)


@njit(nogil=True, **JIT)
def slopes(contact, block, coef, own, weight, stiffness, local, centre, y, x, B, work, Jx, Jr):
    """B = -dp / dy, block-diagonal: the d x d block of contact c starts at local[c]."""
    for c in range(contact.shape[0] - 1):
        row, head, at, r = contact[c, ROW], contact[c, HEAD], local[c], 1.0
        d = contact[c + 1, ROW] - row
        for i in range(d * d):
            B[at + i] = 0.0
        if head == 1:
            r = centre[row] - stiffness[row] * y[row]
            if r <= 0.0:
                continue
            B[at] = stiffness[row]
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            first, size = block[b, FIRST], block[b, SIZE]
            offset = first - row
            if block[b, KIND] == FREE:
                for i in range(size):
                    B[at + (offset + i) * d + offset + i] = stiffness[first + i]
                continue
            for i in range(first, first + size):
                x[i] = centre[i] - stiffness[i] * weight[i] * y[i]
            section_jacobian(block, coef, own, b, x, r, Jx, Jr, work)
            for i in range(size):
                line = at + (offset + i) * d
                for j in range(size):
                    B[line + offset + j] = Jx[i, j] * weight[first + j] * stiffness[first + j]
                if head == 1:
                    B[line] = Jr[i] * stiffness[row]
