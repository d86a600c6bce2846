"""Rows of contacts in the velocities of their two bodies, compiled; never raises.  Arrays: see `contact.scaled.Bodies`."""

from __future__ import annotations

import numpy as np
from numba import njit

from trundle.laws.kernels.curves import JIT
from trundle.laws.kernels.sections import ROW

SIZE = 6


@njit(nogil=True, **JIT)
def rows_of_bodies(frame, arm, length, uses, H):
    """H (2 C, 6, 8) of the rows that contacts use, those of moments times their length."""
    for c in range(frame.shape[0]):
        for side in range(2):
            sign, at = -1.0 if side == 0 else 1.0, 0
            x, y, z = arm[c, side, 0], arm[c, side, 1], arm[c, side, 2]
            for i in range(SIZE):
                if not uses[c, i]:
                    continue
                row = H[2 * c + side, at]
                a, b, d = sign * frame[c, i, 0], sign * frame[c, i, 1], sign * frame[c, i, 2]
                if i < 3:
                    row[0], row[1], row[2] = a, b, d
                    row[3], row[4], row[5] = y * d - z * b, z * a - x * d, x * b - y * a
                else:
                    row[3], row[4], row[5] = length[c] * a, length[c] * b, length[c] * d
                at += 1


@njit(nogil=True, **JIT)
def to_bodies(contact, body, H, p, out):
    """out (B, 6) = H^T p."""
    for i in range(out.shape[0]):
        for k in range(SIZE):
            out[i, k] = 0.0
    for c in range(body.shape[0]):
        row = contact[c, ROW]
        for side in range(2):
            b = body[c, side]
            if b >= 0:
                for r in range(contact[c + 1, ROW] - row):
                    x = p[row + r]
                    if x != 0.0:
                        for k in range(SIZE):
                            out[b, k] += H[2 * c + side, r, k] * x


@njit(nogil=True, **JIT)
def add_to_contacts(contact, body, H, v, out):
    """out (m,) += H v."""
    for c in range(body.shape[0]):
        row = contact[c, ROW]
        for side in range(2):
            b = body[c, side]
            if b >= 0:
                for r in range(contact[c + 1, ROW] - row):
                    total = 0.0
                    for k in range(SIZE):
                        total += H[2 * c + side, r, k] * v[b, k]
                    out[row + r] += total


@njit(nogil=True, **JIT)
def velocity(contact, body, H, M, inverse, compliance, q, p, y):
    """y (m,) = H M^-1 H^T p + E p + q."""
    v, row = np.empty((inverse.shape[0], SIZE)), np.empty(SIZE)
    to_bodies(contact, body, H, p, v)
    for i in range(v.shape[0]):
        for k in range(SIZE):
            row[k] = v[i, k]
        for k in range(SIZE):
            total = 0.0
            for l in range(SIZE):
                total += inverse[i, k, l] * row[l]
            v[i, k] = total
    for i in range(y.shape[0]):
        y[i] = q[i] + compliance[i] * p[i]
    add_to_contacts(contact, body, H, v, y)


@njit(nogil=True, **JIT)
def neighbours(body, count):
    """Contacts that share a body with every contact, itself among them, in rising order: ptr (C + 1,), col."""
    contacts = body.shape[0]
    first = np.zeros(count + 2, np.int64)
    for c in range(contacts):
        for side in range(2):
            first[body[c, side] + 2] += 1  # those of -1 are counted, and not used
    first[1] = 0
    for b in range(count):
        first[b + 2] += first[b + 1]
    members, filled = np.empty(first[count + 1], np.int64), first[1:].copy()
    for c in range(contacts):
        for side in range(2):
            b = body[c, side]
            if b >= 0 and not (side == 1 and b == body[c, 0]):
                members[filled[b]] = c
                filled[b] += 1
    ptr, most = np.zeros(contacts + 1, np.int64), 0
    for c in range(contacts):
        most += 1
        for side in range(2):
            if body[c, side] >= 0:
                most += filled[body[c, side]] - first[body[c, side] + 1]
    col, end = np.empty(most, np.int64), 0
    for c in range(contacts):
        i, j = -1, -1
        last_i, last_j = -1, -1
        if body[c, 0] >= 0:
            i, last_i = first[body[c, 0] + 1], filled[body[c, 0]]
        if body[c, 1] >= 0:
            j, last_j = first[body[c, 1] + 1], filled[body[c, 1]]
        if i < 0 and j < 0:
            col[end] = c
            end += 1
        while i < last_i or j < last_j:
            a = members[i] if i < last_i else contacts
            b = members[j] if j < last_j else contacts
            col[end] = min(a, b)
            end += 1
            i += a <= b
            j += b <= a
        ptr[c + 1] = end
    return ptr, col[:end].copy()


@njit(nogil=True, **JIT)
def couple(contact, body, H, inverse, compliance, ptr, col, start, data):
    """Blocks of W = H M^-1 H^T + E, see `contact.kernels.natural`; start (blocks,), data: filled."""
    carried, at = np.empty((2, SIZE, SIZE)), 0
    for c in range(body.shape[0]):
        row = contact[c, ROW]
        d = contact[c + 1, ROW] - row
        for side in range(2):
            if body[c, side] >= 0:
                for r in range(d):
                    for k in range(SIZE):
                        total = 0.0
                        for l in range(SIZE):
                            total += H[2 * c + side, r, l] * inverse[body[c, side], l, k]
                        carried[side, r, k] = total
        for n in range(ptr[c], ptr[c + 1]):
            other, start[n] = col[n], at
            width = contact[other + 1, ROW] - contact[other, ROW]
            for i in range(d * width):
                data[at + i] = 0.0
            for side in range(2):
                for across in range(2):
                    if body[c, side] < 0 or body[c, side] != body[other, across]:
                        continue
                    for r in range(d):
                        for s in range(width):
                            total = 0.0
                            for k in range(SIZE):
                                total += carried[side, r, k] * H[2 * other + across, s, k]
                            data[at + r * width + s] += total
            if other == c:
                for r in range(d):
                    data[at + r * d + r] += compliance[row + r]
            at += d * width
