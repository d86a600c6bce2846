"""Block-sparse products, the natural map and the energy of a contact problem, compiled, on flat arrays.

W is kept as blocks, one per pair of contacts that share a body: the blocks of contact c are numbers ptr[c] to
ptr[c+1], block k couples it to contact col[k] and starts at data[start[k]], row by row.

Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.laws.kernels.curves import INLINE, JIT
from trundle.laws.kernels.own import borrow, part_of
from trundle.laws.kernels.sections import (
    BLOCK,
    DISK,
    FIRST,
    FREE,
    HEAD,
    KIND,
    PLAIN,
    ROW,
    SIZE,
    block_norm,
    contact_support,
    project_contact,
    scale_disk,
    section,
)


@njit(**INLINE)
def contact_velocity(contact, ptr, col, start, data, q, p, c, y):
    """Rows of contact c of  y = W p + q; contacts of two and three rows have their products written out."""
    row = contact[c, ROW]
    end = contact[c + 1, ROW]
    size = end - row
    if size == 2:
        y0, y1 = q[row], q[row + 1]
        for k in range(ptr[c], ptr[c + 1]):
            other = contact[col[k], ROW]
            width = contact[col[k] + 1, ROW] - other
            P = part_of(p, other, width)
            W = part_of(data, start[k], 2 * width)
            if width == 2:
                y0 += W[0] * P[0] + W[1] * P[1]
                y1 += W[2] * P[0] + W[3] * P[1]
            else:
                for j in range(width):
                    y0 += W[j] * P[j]
                    y1 += W[width + j] * P[j]
        y[row], y[row + 1] = y0, y1
        return
    if size == 3:
        y0, y1, y2 = q[row], q[row + 1], q[row + 2]
        for k in range(ptr[c], ptr[c + 1]):
            other = contact[col[k], ROW]
            width = contact[col[k] + 1, ROW] - other
            P = part_of(p, other, width)
            W = part_of(data, start[k], 3 * width)
            if width == 3:
                y0 += W[0] * P[0] + W[1] * P[1] + W[2] * P[2]
                y1 += W[3] * P[0] + W[4] * P[1] + W[5] * P[2]
                y2 += W[6] * P[0] + W[7] * P[1] + W[8] * P[2]
            else:
                for j in range(width):
                    y0 += W[j] * P[j]
                    y1 += W[width + j] * P[j]
                    y2 += W[2 * width + j] * P[j]
        y[row], y[row + 1], y[row + 2] = y0, y1, y2
        return
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
    contact, ptr, col, start, data = borrow(contact), borrow(ptr), borrow(col), borrow(start), borrow(data)
    q, p, y = borrow(q), borrow(p), borrow(y)
    for c in range(contact.shape[0] - 1):
        contact_velocity(contact, ptr, col, start, data, q, p, c, y)


@njit(**INLINE)
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


@njit(**INLINE)
def split_point(contact, block, coef, own, weight, rho, c, p, y, x, out):
    """Where contact c of the exact law should be: r = max(0, r_n - rho u_n), then the point of r C nearest to f - rho w.

    x: scratch.  NaN stays NaN.
    """
    row = contact[c, ROW]
    head = contact[c, HEAD]
    end = contact[c + 1, ROW]
    r = 1.0
    if head == 1:
        r = p[row] - rho[c] * y[row]
        if r <= 0.0:
            r = 0.0
        out[row] = r
    for i in range(row + head, end):
        x[i] = p[i] - rho[c] * weight[i] * y[i]
    for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
        first = block[b, FIRST]
        size = block[b, SIZE]
        if head == 1 and r == 0.0 and block[b, KIND] != FREE:
            for i in range(first, first + size):
                out[i] = 0.0 * x[i]
        elif block[b, KIND] == DISK:
            norm = block_norm(x, first, size)
            radius = coef[b, 0] * r
            scale_disk(x, first, size, 1.0 if norm <= radius else radius / norm, out)
        else:
            section(block, coef, own, b, 0, x, r, out, np.nan)


@njit(nogil=True, **JIT)
def natural_map(contact, block, coef, own, weight, rho, relaxed, p, y, change, work):
    """e = p - (the point where every contact should be); returns the norm of e / rho [m/s], in units of the contacts.

    Exact law: r = max(0, r_n - rho u_n) and f = proj_{r C}(f - rho w), after Alart & Curnier: normal and friction parts
    apart, so that neither hides the other.  Relaxed law: proj_K(p - rho y), Acary & Bourrier (61) without De Saxce's term.
    """
    contact, block, coef, own, weight = borrow(contact), borrow(block), borrow(coef), borrow(own), borrow(weight)
    rho, p, y, change, work = borrow(rho), borrow(p), borrow(y), borrow(change), borrow(work)
    total = 0.0
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        end = contact[c + 1, ROW]
        if relaxed:
            for i in range(row, end):
                work[i] = p[i] - rho[c] * weight[i] * y[i]
            project_contact(contact, block, coef, own, c, 0, work, change)
        else:
            split_point(contact, block, coef, own, weight, rho, c, p, y, work, change)
        part = 0.0
        for i in range(row, end):
            change[i] = p[i] - change[i]
            part += change[i] * change[i]
        total += part / (rho[c] * rho[c])
    return math.sqrt(total)


@njit(nogil=True, **JIT)
def residual_norm(contact, block, coef, own, weight, rho, relaxed, ptr, col, start, data, q, p, y):
    """Norm of the natural map at p; writes y = W p + q."""
    velocity(contact, ptr, col, start, data, q, p, y)
    return natural_map(contact, block, coef, own, weight, rho, relaxed, p, y, np.empty_like(p), np.empty_like(p))


@njit(nogil=True, **JIT)
def rounding(contact, ptr, col, start, data, q, rho, p):
    """Norm of  |W| |p| + |q| + |p| / rho: what rounding acts on in  p - proj_K(p - rho (W p + q))."""
    contact, ptr, col, start, data = borrow(contact), borrow(ptr), borrow(col), borrow(start), borrow(data)
    q, rho, p = borrow(q), borrow(rho), borrow(p)
    total = 0.0
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        for i in range(contact[c + 1, ROW] - row):
            terms = abs(q[row + i]) + abs(p[row + i]) / rho[c]
            for k in range(ptr[c], ptr[c + 1]):
                other = contact[col[k], ROW]
                width = contact[col[k] + 1, ROW] - other
                for j in range(width):
                    terms += abs(data[start[k] + i * width + j] * p[other + j])
            total += terms * terms
    return math.sqrt(total)


@njit(nogil=True, **JIT)
def judge(contact, block, coef, own, weight, rho, relaxed, ptr, col, start, data, q, scale, p, y):
    """Norms of the natural map and of what rounding acts on, at p in the user's units; writes y in the user's units."""
    x = p / scale
    norm = residual_norm(contact, block, coef, own, weight, rho, relaxed, ptr, col, start, data, q, x, y)
    for i in range(y.shape[0]):
        y[i] /= scale[i]
    return norm, rounding(contact, ptr, col, start, data, q, rho, x)


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
