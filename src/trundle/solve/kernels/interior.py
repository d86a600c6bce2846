"""One step of the interior point method, contact by contact, compiled.

Disks as complementarity of second-order cones: r_n u = nu and (mu r_n, f) o (t, w) = nu e, with a slack t >= |w| for
every friction block; u = u_n for the exact law, u = u_n - sum mu t for the relaxed one (where the given velocity may
hold a fixed De Saxce term).  Curved sections with the gauge gamma and g = grad gamma**2 / 2: r w + t g(f) = 0 and
r t + f . w = nu, gamma(f) < r, so that t (r**2 - gamma**2) = r nu; for disks that is the same with g = f / mu**2.
Works on flat arrays in scaled units; never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.laws.kernels.curves import JIT
from trundle.laws.kernels.gauge import gauge, is_curved, way_of_motion, way_out
from trundle.laws.kernels.sections import BLOCK, FIRST, FREE, HEAD, KIND, ROW, SIZE

TINY = 1e-300
FAR = 2.0  # steps that keep a load inside of a curve are not looked at beyond


@njit(**JIT)
def size_of(block, coef, b):
    """What the normal impulse is multiplied with to bound a block: mu of a disk; the gauge of a curve has it already."""
    return 1.0 if is_curved(block[b, KIND]) else coef[b, 0]


@njit(**JIT)
def opening(contact, block, coef, relaxed, c, y, t):
    """u: the velocity that is complementary to the normal impulse of contact c."""
    u = y[contact[c, ROW]]
    if relaxed:
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            if block[b, KIND] != FREE:
                u -= size_of(block, coef, b) * t[b]
    return u


@njit(nogil=True, **JIT)
def linearise_interior(contact, block, coef, local, relaxed, p, y, t, nu, corrections, A, B, F):
    """Rows A dp + B dy = F of the Newton step to centrality nu, with the slacks eliminated.

    corrections (m + number of blocks): second-order terms of a predictor, rows first, then slacks.
    """
    m = p.shape[0]
    g, G = np.empty(3), np.empty((3, 3))
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        d = contact[c + 1, ROW] - row
        at = local[c]
        for i in range(d * d):
            A[at + i] = 0.0
            B[at + i] = 0.0
        head = contact[c, HEAD]
        r = 1.0
        if head == 1:
            r = p[row]
            u = opening(contact, block, coef, relaxed, c, y, t)
            A[at] = u
            B[at] = r
            F[row] = nu - r * u - corrections[row]
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            first = block[b, FIRST]
            size = block[b, SIZE]
            offset = first - row
            mu = size_of(block, coef, b)
            radius = mu * r
            if block[b, KIND] == FREE or coef[b, 0] <= TINY:
                free = block[b, KIND] == FREE
                for i in range(size):
                    line = at + (offset + i) * d + offset + i
                    A[line] = 0.0 if free else 1.0
                    B[line] = 1.0 if free else 0.0
                    F[first + i] = -y[first + i] if free else -p[first + i]
                continue
            dot = 0.0
            for i in range(first, first + size):
                dot += p[i] * y[i]
            h0 = nu - radius * t[b] - dot - corrections[m + b]
            if relaxed and head == 1:
                A[at] += mu * t[b]
                F[row] += h0
                for i in range(size):
                    A[at + offset + i] = y[first + i]
                    B[at + offset + i] = p[first + i]
            curved = is_curved(block[b, KIND])
            if curved:
                gauge(block[b, KIND], coef[b, 0], coef[b, 1], coef[b, 2], p, first, size, g, G)
            for i in range(size):
                f = g[i] if curved else p[first + i]
                w = y[first + i]
                line = at + (offset + i) * d
                for j in range(size):
                    same = 1.0 if i == j else 0.0
                    A[line + offset + j] = t[b] * (G[i, j] if curved else same) - f * y[first + j] / radius
                    B[line + offset + j] = radius * same - f * p[first + j] / radius
                if head == 1:
                    A[line] = mu * w - f * t[b] / r
                F[first + i] = -(radius * w + t[b] * f) - corrections[first + i] - f * h0 / radius


@njit(nogil=True, **JIT)
def slack_step(contact, block, coef, p, y, t, nu, corrections, dp, dy, dt):
    """dt of every block from dp and dy."""
    m = p.shape[0]
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        head = contact[c, HEAD]
        r = p[row] if head == 1 else 1.0
        dr = dp[row] if head == 1 else 0.0
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            dt[b] = 0.0
            if block[b, KIND] == FREE or coef[b, 0] <= TINY:
                continue
            mu = size_of(block, coef, b)
            radius = mu * r
            h = nu - radius * t[b] - corrections[m + b] - mu * t[b] * dr
            first = block[b, FIRST]
            for i in range(first, first + block[b, SIZE]):
                h -= p[i] * y[i] + p[i] * dy[i] + y[i] * dp[i]
            dt[b] = h / radius


@njit(nogil=True, **JIT)
def second_order(contact, block, coef, relaxed, p, dp, dy, dt, out):
    """Products of the predictor's steps, which the corrector takes into account; of curves without their third derivatives."""
    m = dp.shape[0]
    g, G = np.empty(3), np.empty((3, 3))
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        head = contact[c, HEAD]
        dr = dp[row] if head == 1 else 0.0
        if head == 1:
            out[row] = dr * opening(contact, block, coef, relaxed, c, dy, dt)
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            first, size = block[b, FIRST], block[b, SIZE]
            mu, curved = size_of(block, coef, b), is_curved(block[b, KIND]) and coef[b, 0] > TINY
            if curved:
                gauge(block[b, KIND], coef[b, 0], coef[b, 1], coef[b, 2], p, first, size, g, G)
            dot = mu * dr * dt[b]
            for i in range(first, first + size):
                dot += dp[i] * dy[i]
                df = dp[i]
                if curved:
                    df = 0.0
                    for j in range(size):
                        df += G[i - first, j] * dp[first + j]
                out[i] = mu * dr * dy[i] + dt[b] * df
            out[m + b] = dot


@njit(**JIT)
def cone_step(x0, dx0, x, dx, first, size):
    """Largest step along (dx0, dx) that keeps |x| <= x0."""
    a = dx0 * dx0
    b = x0 * dx0
    c = x0 * x0
    for i in range(first, first + size):
        a -= dx[i] * dx[i]
        b -= x[i] * dx[i]
        c -= x[i] * x[i]
    limit = 1e300
    if dx0 < 0.0:
        limit = -x0 / dx0
    # smallest positive root of a s**2 + 2 b s + c
    disc = b * b - a * c
    if disc >= 0.0:
        root = math.sqrt(disc)
        if b < 0.0:
            s = c / (-b + root)
            if s > 0.0:
                limit = min(limit, s)
        elif a < 0.0:
            s = -(b + root) / a
            if s > 0.0:
                limit = min(limit, s)
    return limit


@njit(nogil=True, **JIT)
def longest_step(contact, block, coef, relaxed, p, y, t, dp, dy, dt):
    """Largest steps that keep impulses and velocities in their cones."""
    impulse = 1e300
    motion = 1e300
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        head = contact[c, HEAD]
        r = p[row] if head == 1 else 1.0
        dr = dp[row] if head == 1 else 0.0
        if head == 1:
            if dr < 0.0:
                impulse = min(impulse, -r / dr)
            du = opening(contact, block, coef, relaxed, c, dy, dt)
            if du < 0.0:
                motion = min(motion, -opening(contact, block, coef, relaxed, c, y, t) / du)
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            if block[b, KIND] == FREE or coef[b, 0] <= TINY:
                continue
            first = block[b, FIRST]
            size = block[b, SIZE]
            if is_curved(block[b, KIND]):
                kind, mu, a = block[b, KIND], coef[b, 0], coef[b, 1]
                out = way_out(kind, mu, a, coef[b, 2], p, dp, first, size, r, dr, FAR)
                impulse = min(impulse, out) if out < FAR else impulse
                out = way_of_motion(kind, mu, a, coef[b, 2], y, dy, first, size, t[b], dt[b], FAR)
                motion = min(motion, out) if out < FAR else motion
                continue
            impulse = min(impulse, cone_step(coef[b, 0] * r, coef[b, 0] * dr, p, dp, first, size))
            motion = min(motion, cone_step(t[b], dt[b], y, dy, first, size))
    return impulse, motion


@njit(nogil=True, **JIT)
def gap(contact, block, coef, relaxed, p, y, t):
    """Mean complementarity product, and its number of terms."""
    total = 0.0
    count = 0
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        head = contact[c, HEAD]
        r = p[row] if head == 1 else 1.0
        if head == 1:
            total += r * opening(contact, block, coef, relaxed, c, y, t)
            count += 1
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            if block[b, KIND] == FREE or coef[b, 0] <= TINY:
                continue
            total += size_of(block, coef, b) * r * t[b]
            first = block[b, FIRST]
            for i in range(first, first + block[b, SIZE]):
                total += p[i] * y[i]
            count += 1
    return total / max(count, 1)


@njit(nogil=True, **JIT)
def off_centre(contact, block, coef, relaxed, p, y, t, nu):
    """Largest deviation of r_n u and of (mu r_n, f) o (t, w) from nu and nu e, relative to nu."""
    worst = 0.0
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        head = contact[c, HEAD]
        r = p[row] if head == 1 else 1.0
        if head == 1:
            worst = max(worst, abs(r * opening(contact, block, coef, relaxed, c, y, t) / nu - 1.0))
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            if block[b, KIND] == FREE or coef[b, 0] <= TINY:
                continue
            radius = coef[b, 0] * r
            dot = radius * t[b]
            first = block[b, FIRST]
            for i in range(first, first + block[b, SIZE]):
                dot += p[i] * y[i]
                worst = max(worst, abs(radius * y[i] + t[b] * p[i]) / nu)
            worst = max(worst, abs(dot / nu - 1.0))
    return worst


@njit(nogil=True, **JIT)
def relative_units(contact, block, coef, relaxed, p, y, t, of_p, of_y, of_t):
    """1 / the size of every impulse, velocity and slack, by which a move along the path is measured; 0 for joints."""
    for i in range(of_p.shape[0]):
        of_p[i] = 0.0
        of_y[i] = 0.0
    for c in range(contact.shape[0] - 1):
        row = contact[c, ROW]
        head = contact[c, HEAD]
        r = p[row] if head == 1 else 1.0
        if head == 1:
            of_p[row] = 1.0 / r
            of_y[row] = 1.0 / opening(contact, block, coef, relaxed, c, y, t)
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            of_t[b] = 0.0
            if block[b, KIND] == FREE or coef[b, 0] <= TINY:
                continue
            of_t[b] = 1.0 / t[b]
            for i in range(block[b, FIRST], block[b, FIRST] + block[b, SIZE]):
                of_p[i] = 1.0 / (coef[b, 0] * r)
                of_y[i] = 1.0 / t[b]
