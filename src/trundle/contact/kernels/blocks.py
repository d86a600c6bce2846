"""Cutting a matrix into the blocks of its contacts, and bringing it into their units, compiled.

Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.laws.kernels.curves import JIT
from trundle.laws.kernels.sections import ROW


@njit(**JIT)
def owners(row):
    """Contact of every row, shape (m,)."""
    owner = np.empty(row[-1], np.int64)
    for c in range(row.shape[0] - 1):
        for i in range(row[c], row[c + 1]):
            owner[i] = c
    return owner


@njit(**JIT)
def place(row, ptr, col):
    """Where each block starts, and how many entries all of them have."""
    start = np.empty(col.shape[0], np.int64)
    total = 0
    for c in range(row.shape[0] - 1):
        for k in range(ptr[c], ptr[c + 1]):
            start[k] = total
            total += (row[c + 1] - row[c]) * (row[col[k] + 1] - row[col[k]])
    return start, total


@njit(nogil=True, **JIT)
def cut_dense(W, row):
    """Blocks of a dense matrix that are not zero, and those on the diagonal: ptr, col, start, data."""
    contacts = row.shape[0] - 1
    owner = owners(row)
    ptr = np.zeros(contacts + 1, np.int64)
    seen = np.full(contacts, -1, np.int64)
    for c in range(contacts):
        seen[c] = c
        count = 1
        for i in range(row[c], row[c + 1]):
            for j in range(W.shape[1]):
                if W[i, j] != 0.0 and seen[owner[j]] != c:
                    seen[owner[j]] = c
                    count += 1
        ptr[c + 1] = ptr[c] + count
    col = np.empty(ptr[contacts], np.int64)
    seen[:] = -1
    for c in range(contacts):
        seen[c] = c
        for i in range(row[c], row[c + 1]):
            for j in range(W.shape[1]):
                if W[i, j] != 0.0:
                    seen[owner[j]] = c
        k = ptr[c]
        for other in range(contacts):
            if seen[other] == c:
                col[k] = other
                k += 1
    start, total = place(row, ptr, col)
    data = np.empty(total)
    for c in range(contacts):
        for k in range(ptr[c], ptr[c + 1]):
            at = start[k]
            for i in range(row[c], row[c + 1]):
                for j in range(row[col[k]], row[col[k] + 1]):
                    data[at] = W[i, j]
                    at += 1
    return ptr, col, start, data


@njit(nogil=True, **JIT)
def cut_sparse(indptr, indices, values, row):
    """As `cut_dense` for compressed rows with sorted columns."""
    contacts = row.shape[0] - 1
    owner = owners(row)
    ptr = np.zeros(contacts + 1, np.int64)
    seen = np.full(contacts, -1, np.int64)
    for c in range(contacts):
        seen[c] = c
        count = 1
        for e in range(indptr[row[c]], indptr[row[c + 1]]):
            if values[e] != 0.0 and seen[owner[indices[e]]] != c:
                seen[owner[indices[e]]] = c
                count += 1
        ptr[c + 1] = ptr[c] + count
    col = np.empty(ptr[contacts], np.int64)
    seen[:] = -1
    for c in range(contacts):
        seen[c] = c
        col[ptr[c]] = c
        end = ptr[c] + 1
        for e in range(indptr[row[c]], indptr[row[c + 1]]):
            other = owner[indices[e]]
            if values[e] != 0.0 and seen[other] != c:
                seen[other] = c
                k = end
                while k > ptr[c] and col[k - 1] > other:  # nearly sorted already: columns of a row are
                    col[k] = col[k - 1]
                    k -= 1
                col[k] = other
                end += 1
    start, total = place(row, ptr, col)
    data = np.zeros(total)
    where = np.empty(contacts, np.int64)
    for c in range(contacts):
        for k in range(ptr[c], ptr[c + 1]):
            where[col[k]] = k
        for i in range(row[c], row[c + 1]):
            for e in range(indptr[i], indptr[i + 1]):
                if values[e] != 0.0:
                    other = owner[indices[e]]
                    width = row[other + 1] - row[other]
                    data[start[where[other]] + (i - row[c]) * width + indices[e] - row[other]] += values[e]
    return ptr, col, start, data


@njit(nogil=True, **JIT)
def diagonal_numbers(ptr, col):
    """Number of the diagonal block of every contact."""
    number = np.empty(ptr.shape[0] - 1, np.int64)
    for c in range(number.shape[0]):
        for k in range(ptr[c], ptr[c + 1]):
            if col[k] == c:
                number[c] = k
    return number


@njit(nogil=True, **JIT)
def to_units_of_contacts(contact, moment, ptr, col, start, data, q, length, scale, rho, scaled_q):
    """Measure moments in units of sqrt(mean diag W of the forces / of the moments) of their contact; changes data.

    Fills length (C,) [m], scale (m,) the diagonal of S, rho (C,) 1 / largest diagonal entry, scaled_q.  Returns |q'|.
    """
    contacts = contact.shape[0] - 1
    diagonal = diagonal_numbers(ptr, col)
    whole = 0.0
    for c in range(contacts):
        row = contact[c, ROW]
        d = contact[c + 1, ROW] - row
        at = start[diagonal[c]]
        force = twist = 0.0
        forces = twists = 0
        for i in range(d):
            entry = max(data[at + i * (d + 1)], 0.0)
            if moment[row + i]:
                twist += entry
                twists += 1
            else:
                force += entry
                forces += 1
        length[c] = 1.0
        if force > 0.0 and twist > 0.0:
            length[c] = math.sqrt(force / forces / (twist / twists))
        largest = 0.0
        for i in range(d):
            scale[row + i] = length[c] if moment[row + i] else 1.0
            largest = max(largest, data[at + i * (d + 1)] * scale[row + i] ** 2)
        rho[c] = largest
        whole = max(whole, largest)
    size = 0.0
    for c in range(contacts):
        rho[c] = 1.0 / (rho[c] if rho[c] > 0.0 else whole if whole > 0.0 else 1.0)
        for k in range(ptr[c], ptr[c + 1]):
            at = start[k]
            for i in range(contact[c, ROW], contact[c + 1, ROW]):
                for j in range(contact[col[k], ROW], contact[col[k] + 1, ROW]):
                    data[at] *= scale[j] * scale[i]
                    at += 1
        for i in range(contact[c, ROW], contact[c + 1, ROW]):
            scaled_q[i] = scale[i] * q[i]
            size += scaled_q[i] ** 2
    return math.sqrt(size)
