"""Block-sparse products, the natural map and the energy of a contact problem, compiled, on flat arrays.

W is kept as blocks, one per pair of contacts that share a body: the blocks of contact c are numbers ptr[c] to
ptr[c+1], block k couples it to contact col[k] and starts at data[start[k]], row by row.

Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

from numba import njit

from trundle.laws.curves import JIT
from trundle.laws.kernels import (
    BLOCK,
    FIRST,
    HEAD,
    PLAIN,
    ROW,
    SIZE,
    block_norm,
    contact_support,
    disks_root,
    place_disks,
    project_contact,
)


@njit(nogil=True, **JIT)
def contact_velocity(contact, ptr, col, start, data, q, p, c, y):
    """Rows of contact c of  y = W p + q."""
    row = contact[c, ROW]
    end = contact[c + 1, ROW]
    for i in range(row, end):
        y[i] = q[i]
    for k in range(ptr[c], ptr[c + 1]):
        other = contact[col[k], ROW]
        width = contact[col[k] + 1, ROW] - other
        at = start[k]
        for i in range(row, end):
            total = 0.0
            for j in range(width):
                total += data[at + j] * p[other + j]
            y[i] += total
            at += width


@njit(nogil=True, **JIT)
def velocity(contact, ptr, col, start, data, q, p, y):
    """y = W p + q."""
    for c in range(contact.shape[0] - 1):
        contact_velocity(contact, ptr, col, start, data, q, p, c, y)


@njit(nogil=True, **JIT)
def correct(contact, block, coef, own, weight, relaxed, c, y, out):
    """Rows of contact c of y-hat: weighted friction velocities and De Saxce's term on the normal row."""
    row = contact[c, ROW]
    head = contact[c, HEAD]
    end = contact[c + 1, ROW]
    for i in range(row + head, end):
        out[i] = -weight[i] * y[i]
    sigma = 0.0
    if head == 1 and not relaxed:
        if contact[c, PLAIN] == 1:  # disks alone: no need for the general and much slower way
            for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
                sigma += coef[b, 0] * block_norm(out, block[b, FIRST], block[b, SIZE])
        else:
            sigma = contact_support(contact, block, coef, own, c, 0, out)
    for i in range(row + head, end):
        out[i] = -out[i]
    if head == 1:
        out[row] = y[row] + sigma


@njit(nogil=True, **JIT)
def natural_map(contact, block, coef, own, weight, rho, relaxed, p, y, change, corrected):
    """p - proj_K(p - rho y-hat), contact by contact; returns the norm of change / rho.  Acary & Bourrier (61)."""
    total = 0.0
    for c in range(contact.shape[0] - 1):
        correct(contact, block, coef, own, weight, relaxed, c, y, corrected)
        row = contact[c, ROW]
        end = contact[c + 1, ROW]
        for i in range(row, end):
            corrected[i] = p[i] - rho[c] * corrected[i]
        if contact[c, PLAIN] == 1:
            r, _ = disks_root(contact, block, coef, c, 0, corrected, corrected[row], 1.0)
            place_disks(contact, block, coef, c, 0, corrected, r, change)
        else:
            project_contact(contact, block, coef, own, c, 0, corrected, change)
        part = 0.0
        for i in range(row, end):
            change[i] = p[i] - change[i]
            part += change[i] * change[i]
        total += part / (rho[c] * rho[c])
    return math.sqrt(total)


@njit(nogil=True, **JIT)
def project_all(contact, block, coef, own, x, out):
    """Projection of every contact onto its cone."""
    for c in range(contact.shape[0] - 1):
        project_contact(contact, block, coef, own, c, 0, x, out)


@njit(nogil=True, **JIT)
def saxce(contact, block, coef, own, w, out):
    """De Saxce's term sigma(w) of every contact, on its normal row."""
    for c in range(contact.shape[0] - 1):
        if contact[c, HEAD] == 1:
            out[contact[c, ROW]] = contact_support(contact, block, coef, own, c, 0, w)


@njit(nogil=True, **JIT)
def correct_all(contact, block, coef, own, weight, relaxed, y, out):
    """y-hat of every contact."""
    for c in range(contact.shape[0] - 1):
        correct(contact, block, coef, own, weight, relaxed, c, y, out)
