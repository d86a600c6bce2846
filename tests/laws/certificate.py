"""Rigorous bounds on the error of a projection, in extended precision, for a hundred thousand points at once.

If z is in the set and d in its normal cone at z, then z is exactly the projection of z + d.  A projection never
lengthens a difference, so the projection P(x) of any x obeys

    |P(x) - z|  <=  |x - (z + d)|.

For every point we look for such a pair (z, d), in 80-bit arithmetic and by bisection on the boundary curve, until
z + d agrees with x; then  |out - z| + |x - z - d|  bounds the error of `out`, wherever the pair came from.
Nothing of trundle is used here.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest
from mpmath import beta, binomial, mp, mpf, nstr

L = np.longdouble
EPS = np.finfo(L).eps

needs_extended_precision = pytest.mark.skipif(EPS > 1e-18, reason="this platform has no 80-bit floating point numbers")


def _superellipse(a, b, q):
    """Point and normal (c . n = 1) of the quarter (u/a)**q + (v/b)**q = 1 at t = log of (u/a) / (v/b)."""
    a, b, q = L(a), L(b), L(q)

    def at(t):
        size = np.abs(t)
        logarithm = -np.log1p(np.exp(-q * size)) / q
        large, ratio = np.exp(logarithm), np.exp(-size)
        steep = np.exp((q - 1) * logarithm)
        flat = steep * np.exp((1 - q) * size)
        right = t >= 0
        u, v = np.where(right, large, large * ratio), np.where(right, large * ratio, large)
        return a * u, b * v, np.where(right, steep, flat) / a, np.where(right, flat, steep) / b

    return at, 900 + 60 / min(q - 1, L(1))


def _contensou(mu, patch):
    """Force and torque of a Hertzian patch, and the velocity normal to their curve, at t = log of slide / spin."""
    mu, patch = L(mu), L(patch)
    pi = L("3.14159265358979323846264338327950288")

    def ball(s):
        low, high, far = np.minimum(s, L(1)), np.maximum(s, L(1)), np.maximum(s, L(8))
        square = low * low
        xi_low = 3 * pi / 16 * low * (2 - square / 2)
        eta_low = 3 * pi / 16 * (1 - square + L(3) / 8 * square * square)
        square = high * high
        arc, root = np.arcsin(1 / high), np.sqrt((high - 1) * (high + 1))
        xi_high = L(3) / 8 * high * (2 - square / 2) * arc + L(3) / 16 * root * (high + 2 / high)
        eta_high = L(3) / 8 * (1 - square + L(3) / 8 * square * square) * arc + L(9) / 64 * (2 - square) * root
        xi_far, eta_far = _far_ball(far)  # beyond 8 the closed form cancels
        xi = np.where(s <= 1, xi_low, np.where(s < 8, xi_high, xi_far))
        eta = np.where(s <= 1, eta_low, np.where(s < 8, eta_high, eta_far))
        return xi, eta

    def at(t):
        s = np.exp(t)
        xi, eta = ball(s)
        phi = s * xi + eta
        return mu * xi, mu * patch * eta, s / (mu * phi), 1 / (mu * patch * phi)

    return at, L(900)


@functools.cache
def _far_terms(count=12):
    """Coefficients of phi(s) = sum a_k s**(1-2k): the mean of |s + r e^{iθ}| over a Hertzian patch, exactly.

    |s + r e^{iθ}| averaged over θ is s sum_k binomial(1/2, k)**2 (r/s)**(2k); with pressure 3/2 sqrt(1 - r**2) the
    mean of r**(2k) is 3/2 B(k + 1, 3/2).
    """
    with mp.workdps(40):
        terms = [binomial(mpf(1) / 2, k) ** 2 * mpf(3) / 2 * beta(k + 1, mpf(3) / 2) for k in range(count)]
        return [L(nstr(term, 30)) for term in terms]


def _far_ball(s):
    z = 1 / (s * s)
    xi, eta = np.zeros_like(z), np.zeros_like(z)
    terms = _far_terms()
    for k in reversed(range(len(terms))):
        xi = xi * z + (1 - 2 * k) * terms[k]
        eta = eta * z + 2 * k * terms[k]
    return xi, eta * s


CURVES = {"superellipse": _superellipse, "contensou": _contensou}


def _root_of_disks(x_n, norms, radii, extra, extra_slope):
    """Root r of  r - x_n - sum_b mu_b max(0, |x_b| - mu_b r) - max(0, extra - extra_slope r)  (increasing, concave)."""
    parts = [(L(mu) * norm, L(mu) ** 2) for mu, norm in zip(radii, norms, strict=True)]
    parts.append((extra, extra_slope))
    r = np.maximum(x_n, L(0))
    for _ in range(len(parts) + 2):
        top, slope = x_n, L(1)
        for height, steep in parts:
            active = height > steep * r
            top = top + np.where(active, height, L(0))
            slope = slope + np.where(active, steep, L(0))
        r = np.maximum(r, top / slope)
    return r


def error_bound(x, out, disks=(), curve=None):
    """Bound on |out - projection of x onto K|, shape (n,), for a cone whose section is a product.

    x, out : (n, d), normal row first.
    disks : (columns, radius) of each disk or interval.
    curve : None or (kind, columns of its first coordinate, columns of its second, coefficients); a coordinate with
    two columns is their Euclidean norm.
    """
    x, out = np.asarray(x, dtype=L), np.asarray(out, dtype=L)
    x_n = x[:, 0]
    norms = [np.sqrt(np.sum(x[:, columns] ** 2, axis=1)) for columns, _ in disks]
    radii = [radius for _, radius in disks]
    zero = np.zeros_like(x_n)
    if curve is None:
        r = _root_of_disks(x_n, norms, radii, zero, zero)
        pieces = None
    else:
        kind, first, second, coefficients = curve
        x1, x2 = (np.sqrt(np.sum(x[:, columns] ** 2, axis=1)) for columns in (first, second))
        r, pieces = _search(CURVES[kind](*coefficients), x_n, norms, radii, x1, x2)
    z, d = np.zeros_like(x), np.zeros_like(x)
    z[:, 0] = r
    for (columns, mu), norm in zip(disks, norms, strict=True):
        _place(x, z, d, columns, norm, np.minimum(norm, L(mu) * r), np.maximum(norm - L(mu) * r, L(0)))
        d[:, 0] -= np.maximum(norm - L(mu) * r, L(0)) * L(mu)
    if curve is not None:
        f1, f2, d1, d2, down = pieces
        _place(x, z, d, first, x1, f1, d1)
        _place(x, z, d, second, x2, f2, d2)
        d[:, 0] -= down
    d[:, 0] = np.where(r > 0, d[:, 0], x[:, 0])  # at the apex the normal cone is the polar cone
    return np.sqrt(np.sum((out - z) ** 2, axis=1)) + np.sqrt(np.sum((x - z - d) ** 2, axis=1))


def _place(x, z, d, columns, norm, length, rest):
    """Write a point of the set and a normal, both along the rows `columns` of x."""
    safe = np.where(norm > 0, norm, L(1))
    for column in columns:
        z[:, column] = x[:, column] * (length / safe)
        d[:, column] = x[:, column] * (rest / safe)


def _search(curve, x_n, norms, radii, x1, x2):
    """Parameter of the curve whose tangent plane holds the projection: bisection, then the secant of its ends."""
    at, limit = curve
    zero = np.zeros_like(x_n)
    alone = _root_of_disks(x_n, norms, radii, zero, zero)  # without the curve

    def look(t):
        c1, c2, n1, n2 = at(t)
        square = n1 * n1 + n2 * n2
        height = x1 * n1 + x2 * n2
        r = _root_of_disks(x_n, norms, radii, height / square, 1 / square)
        # how far, along the tangent, the point of the tangent plane is beyond the curve; inside: side of the ray
        miss = np.where(height > r, (x1 - r * c1) * n2 - (x2 - r * c2) * n1, x1 * c2 - x2 * c1)
        return miss / np.sqrt(square), r, c1, c2, n1, n2, height, square

    lower, upper = np.full_like(x_n, -limit), np.full_like(x_n, limit)
    at_lower, at_upper = look(lower)[0], look(upper)[0]
    for step in range(62):
        t = (lower + upper) / 2
        if step >= 56:
            secant = lower - at_lower * (upper - lower) / np.where(at_upper != at_lower, at_upper - at_lower, L(1))
            t = np.where((secant > lower) & (secant < upper), secant, t)
        miss = look(t)[0]
        right = miss > 0
        lower, at_lower = np.where(right, t, lower), np.where(right, miss, at_lower)
        upper, at_upper = np.where(right, upper, t), np.where(right, at_upper, miss)
    miss_lower = np.abs(at_lower) < np.abs(at_upper)
    _, r, c1, c2, n1, n2, height, square = look(np.where(miss_lower, lower, upper))
    rest = np.maximum(height - r, L(0)) / square
    inside = height <= alone  # here c is along x, so that `height` is the gauge of x
    r = np.where(inside, alone, r)
    f1, f2 = np.where(inside, x1, r * c1), np.where(inside, x2, r * c2)
    d1, d2 = np.where(inside, zero, rest * n1), np.where(inside, zero, rest * n2)
    return r, (f1, f2, d1, d2, np.where(inside, zero, rest))
