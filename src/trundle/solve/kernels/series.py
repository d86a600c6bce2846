"""Power series along the central path, contact by contact, compiled.

The equations of the path are bilinear: r_n u = nu, mu r_n t + f.w = nu, mu r_n w + t f = 0 (see `kernels.interior`).  So the
terms of order k of a series p(a), y(a), t(a), nu(a) obey the linear equations of Newton's method, with products of lower terms
on the right-hand side g: rows first, then one entry per friction block.  Works on flat arrays in scaled units; never raises.
"""

from __future__ import annotations

import math

from numba import njit

from trundle.laws.kernels.curves import JIT
from trundle.laws.kernels.sections import BLOCK, FIRST, FREE, HEAD, KIND, ROW, SIZE
from trundle.solve.kernels.interior import TINY, opening


@njit(**JIT)
def no_law(block, coef, b):
    """Whether a block has no complementarity: free rows, and disks without size."""
    return block[b, KIND] == FREE or coef[b, 0] <= TINY


@njit(nogil=True, **JIT)
def direction_of_nu(contact, block, coef, g):
    """g of the derivative of the path by nu."""
    m = contact[-1, ROW]
    g[:] = 0.0
    for c in range(contact.shape[0] - 1):
        if contact[c, HEAD] == 1:
            g[contact[c, ROW]] = 1.0
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            if not no_law(block, coef, b):
                g[m + b] = 1.0


@njit(nogil=True, **JIT)
def deviation(contact, block, coef, relaxed, p, y, t, nu, g):
    """g of the Newton step back to the path at nu."""
    m = p.shape[0]
    g[:] = 0.0
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        head = contact[c, HEAD]
        r = p[row] if head == 1 else 1.0
        if head == 1:
            g[row] = nu - r * opening(contact, block, coef, relaxed, c, y, t)
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            if no_law(block, coef, b):
                continue
            radius = coef[b, 0] * r
            g[m + b] = nu - radius * t[b]
            for j in range(block[b, FIRST], block[b, FIRST] + block[b, SIZE]):
                g[m + b] -= p[j] * y[j]
                g[j] = -radius * y[j] - t[b] * p[j]


@njit(**JIT)
def product_of_order(X, x, Z, z, k):
    """Sum of X[x, i] Z[z, k - i] over i from 1 to k - 1."""
    total = 0.0
    for i in range(1, k):
        total += X[x, i] * Z[z, k - i]
    return total


@njit(nogil=True, **JIT)
def lower_products(contact, block, coef, relaxed, P, Y, T, k, g):
    """g of the terms of order k: minus the products of terms 1 to k - 1 whose orders add up to k.

    P, Y (m, orders), T (blocks, orders).
    """
    m = P.shape[0]
    g[:] = 0.0
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        head = contact[c, HEAD]
        if head == 1:
            g[row] = -product_of_order(P, row, Y, row, k)
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            if no_law(block, coef, b):
                continue
            mu = coef[b, 0]
            if head == 1:
                bound = mu * product_of_order(P, row, T, b, k)
                g[m + b] -= bound
                if relaxed:
                    g[row] += bound
            for n in range(block[b, FIRST], block[b, FIRST] + block[b, SIZE]):
                g[m + b] -= product_of_order(P, n, Y, n, k)
                g[n] = -product_of_order(T, b, P, n, k)
                if head == 1:
                    g[n] -= mu * product_of_order(P, row, Y, n, k)


@njit(nogil=True, **JIT)
def without_slacks(contact, block, coef, relaxed, p, g, F):
    """Right-hand side F of the equations in p alone, from g."""
    m = p.shape[0]
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        head = contact[c, HEAD]
        r = p[row] if head == 1 else 1.0
        if head == 1:
            F[row] = g[row]
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            none = no_law(block, coef, b)
            if relaxed and head == 1 and not none:
                F[row] += g[m + b]
            for j in range(block[b, FIRST], block[b, FIRST] + block[b, SIZE]):
                F[j] = 0.0 if none else g[j] - p[j] * g[m + b] / (coef[b, 0] * r)


@njit(nogil=True, **JIT)
def slacks(contact, block, coef, p, y, t, g, dp, dy, dt):
    """dt of every block, from dp, dy and g."""
    m = p.shape[0]
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        head = contact[c, HEAD]
        r = p[row] if head == 1 else 1.0
        dr = dp[row] if head == 1 else 0.0
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            dt[b] = 0.0
            if no_law(block, coef, b):
                continue
            h = g[m + b] - coef[b, 0] * t[b] * dr
            for j in range(block[b, FIRST], block[b, FIRST] + block[b, SIZE]):
                h -= p[j] * dy[j] + y[j] * dp[j]
            dt[b] = h / (coef[b, 0] * r)


@njit(nogil=True, **JIT)
def dot(unit_p, unit_y, unit_t, p, y, t, dp, dy, dt):
    """Scalar product of two moves in relative units, per row of p."""
    total = 0.0
    for i in range(p.shape[0]):
        total += unit_p[i] * unit_p[i] * p[i] * dp[i] + unit_y[i] * unit_y[i] * y[i] * dy[i]
    for b in range(t.shape[0]):
        total += unit_t[b] * unit_t[b] * t[b] * dt[b]
    return total / max(p.shape[0], 1)


@njit(nogil=True, **JIT)
def set_order(x, factor, z, k, X):
    """X[:, k] = x + factor z."""
    for i in range(x.shape[0]):
        X[i, k] = x[i] + factor * z[i]


@njit(nogil=True, **JIT)
def sum_series(X, a, out, slope):
    """Sum of X[:, k] a**k, and its derivative by a."""
    for j in range(X.shape[0]):
        value, rise = 0.0, 0.0
        for k in range(X.shape[1] - 1, -1, -1):
            rise = rise * a + value
            value = value * a + X[j, k]
        out[j] = value
        slope[j] = rise


@njit(nogil=True, **JIT)
def inside(contact, block, coef, relaxed, p, y, t):
    """Whether all impulses, velocities and slacks are inside their cones."""
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        head = contact[c, HEAD]
        r = p[row] if head == 1 else 1.0
        if head == 1 and not (r > 0.0 and opening(contact, block, coef, relaxed, c, y, t) > 0.0):
            return False
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            if no_law(block, coef, b):
                continue
            f, w = 0.0, 0.0
            for j in range(block[b, FIRST], block[b, FIRST] + block[b, SIZE]):
                f += p[j] * p[j]
                w += y[j] * y[j]
            if not (coef[b, 0] * r > math.sqrt(f) and t[b] > math.sqrt(w)):
                return False
    return True
