"""Rows that joints hold, solved as one block: a factor L D L^T of their matrix with a fixed envelope, compiled; never raises.

The graph of joints does not change: chains and trees, numbered along them, have factors that are hardly larger than the
matrix.  Rows that others already hold (a closed loop of hinges) have no pivot and carry nothing.
held (m, 2): joint and row of its six; first (m,): first column of the envelope of every row; factor: rows one after the
other, row i from column first[i] to i, ending at place[i], the number of entries before row i + 1.
"""

from __future__ import annotations

from numba import njit

from trundle.kernels.rotations import INNER
from trundle.laws.kernels.curves import JIT

DEPENDENT = 1e-11  # share of a diagonal entry that elimination must leave for a row to count


@njit(**INNER)
def moment_arm(frame, arm, c, side, row):
    """What a unit impulse of a row turns a body by: arm x direction for forces, the axis for moments."""
    x, y, z = frame[c, row, 0], frame[c, row, 1], frame[c, row, 2]
    if row >= 3:
        return x, y, z
    ax, ay, az = arm[c, side, 0], arm[c, side, 1], arm[c, side, 2]
    return ay * z - az * y, az * x - ax * z, ax * y - ay * x


@njit(**INNER)
def coupling(link, frame, arm, inverse_mass, J, c, row, d, other):
    """Entry of W between a row of link c and another of link d: the bodies that they share."""
    total = 0.0
    for s in range(2):
        b = link[c, s]
        if inverse_mass[b] == 0.0:
            continue
        for t in range(2):
            if link[d, t] != b:
                continue
            sign = 1.0 if s == t else -1.0
            part = 0.0
            if row < 3 and other < 3:
                part = inverse_mass[b] * (
                    frame[c, row, 0] * frame[d, other, 0]
                    + frame[c, row, 1] * frame[d, other, 1]
                    + frame[c, row, 2] * frame[d, other, 2]
                )
            x, y, z = moment_arm(frame, arm, c, s, row)
            e, f, g = moment_arm(frame, arm, d, t, other)
            part += x * (J[b, 0, 0] * e + J[b, 0, 1] * f + J[b, 0, 2] * g)
            part += y * (J[b, 1, 0] * e + J[b, 1, 1] * f + J[b, 1, 2] * g)
            part += z * (J[b, 2, 0] * e + J[b, 2, 1] * f + J[b, 2, 2] * g)
            total += sign * part
    return total


@njit(nogil=True, **JIT)
def factorise(held, first, link, frame, arm, inverse_mass, J, compliance, factor, diagonals):
    """L (unit lower triangle, without its diagonal) and 1 / D (on the diagonal; 0 for dependent rows); the diagonal of W + E.

    compliance (N, 6): the diagonal matrix E.
    """
    at = 0  # place of column first[i] of row i
    starts = factor.shape[0] - held.shape[0]  # the last entries: where rows begin
    for i in range(held.shape[0]):
        factor[starts + i] = at
        c, row = held[i, 0], held[i, 1]
        for j in range(first[i], i):
            value = coupling(link, frame, arm, inverse_mass, J, c, row, held[j, 0], held[j, 1])
            low = max(first[i], first[j])
            other = int(factor[starts + j])
            for k in range(low, j):
                value -= factor[at + k - first[i]] * factor[other + k - first[j]]
            factor[at + j - first[i]] = value  # L D, divided below
        diagonal = coupling(link, frame, arm, inverse_mass, J, c, row, c, row) + compliance[c, row]
        diagonals[i] = diagonal
        left = diagonal
        for j in range(first[i], i):
            other = int(factor[starts + j]) + j - first[j]
            scaled = factor[at + j - first[i]] * factor[other]
            left -= scaled * factor[at + j - first[i]]
            factor[at + j - first[i]] = scaled
        factor[at + i - first[i]] = 1.0 / left if left > DEPENDENT * diagonal else 0.0
        at += i - first[i] + 1


@njit(nogil=True, **JIT)
def substitute(first, factor, x):
    """x = (L D L^T)^-1 x in place."""
    m = first.shape[0]
    starts = factor.shape[0] - m
    for i in range(m):
        at = int(factor[starts + i])
        for j in range(first[i], i):
            x[i] -= factor[at + j - first[i]] * x[j]
    for i in range(m - 1, -1, -1):
        at = int(factor[starts + i])
        x[i] *= factor[at + i - first[i]]
    for i in range(m - 1, -1, -1):
        at = int(factor[starts + i])
        for j in range(first[i], i):
            x[j] -= factor[at + j - first[i]] * x[i]
