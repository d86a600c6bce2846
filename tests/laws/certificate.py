"""Rigorous bounds on the error of a projection, in extended precision, for a hundred thousand points at once.

If z is in the set and d in its normal cone at z, then z is exactly the projection of z + d.  A projection never
lengthens a difference, so the projection P(x) of any x obeys

    |P(x) - z|  <=  |x - (z + d)|.

For every point we look for such a pair (z, d) on the boundary curve, by bisection and then secants in 80-bit
arithmetic, until z + d agrees with x; then  |out - z| + |x - z - d|  bounds the error of `out`, wherever the pair came
from.  Nothing of trundle is used here.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest
from mpmath import beta, binomial, mp, mpf, nstr

L = np.longdouble
PI = "3.14159265358979323846264338327950288"

needs_extended_precision = pytest.mark.skipif(
    np.finfo(L).eps > 1e-18, reason="this platform has no 80-bit floating point numbers"
)


def superellipse(a, b, q):
    """Point and normal (c . n = 1) of the quarter (u/a)**q + (v/b)**q = 1 at t = log of (u/a) / (v/b)."""

    def at(t):
        mu_x, mu_y, power = (t.dtype.type(value) for value in (a, b, q))
        size = np.abs(t)
        logarithm = -np.log1p(np.exp(-power * size)) / power
        large, ratio = np.exp(logarithm), np.exp(-size)
        steep = np.exp((power - 1) * logarithm)
        flat = steep * np.exp((1 - power) * size)
        right = t >= 0
        u, v = np.where(right, large, large * ratio), np.where(right, large * ratio, large)
        return mu_x * u, mu_y * v, np.where(right, steep, flat) / mu_x, np.where(right, flat, steep) / mu_y

    return at, 700 + 60 / min(q - 1, 1)


def contensou(mu, patch):
    """Force and torque of a Hertzian patch, and the velocity normal to their curve, at t = log of slide / spin."""

    def at(t):
        m, e = t.dtype.type(mu), t.dtype.type(patch)
        s = np.exp(t)
        xi, eta = _ball(s)
        phi = s * xi + eta
        return m * xi, m * e * eta, s / (m * phi), 1 / (m * e * phi)

    return at, 690


def _ball(s):
    number = s.dtype.type
    pi = number(PI)
    low, high, far = np.minimum(s, number(1)), np.maximum(s, number(1)), np.maximum(s, number(8))
    square = low * low
    xi_low = 3 * pi / 16 * low * (2 - square / 2)
    eta_low = 3 * pi / 16 * (1 - square + number(3) / 8 * square * square)
    square = np.minimum(high, number(9)) ** 2
    arc, root = np.arcsin(1 / high), np.sqrt(square - 1)
    xi_high = number(3) / 8 * high * (2 - square / 2) * arc + number(3) / 16 * root * (high + 2 / high)
    eta_high = number(3) / 8 * (1 - square + number(3) / 8 * square * square) * arc
    eta_high = eta_high + number(9) / 64 * (2 - square) * root
    xi_far, eta_far = _far_ball(far)  # beyond 8 the closed form cancels
    xi = np.where(s <= 1, xi_low, np.where(s < 8, xi_high, xi_far))
    eta = np.where(s <= 1, eta_low, np.where(s < 8, eta_high, eta_far))
    return xi, eta


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
    terms = [s.dtype.type(term) for term in _far_terms()]
    for k in reversed(range(len(terms))):
        xi = xi * z + (1 - 2 * k) * terms[k]
        eta = eta * z + 2 * k * terms[k]
    return xi, eta * s


CURVES = {"superellipse": superellipse, "contensou": contensou}


def error_bound(x, out, disks=(), curve=None):
    """Bound on |out - projection of x onto K|, shape (n,), for a cone whose section is a product.

    x, out : (n, d), normal row first.
    disks : (columns, radius) of each disk or interval.
    curve : None or (kind, columns of its first coordinate, columns of its second, coefficients); a coordinate with
    two columns is their Euclidean norm.
    """
    step = 8192  # what fits into the cache
    with np.errstate(all="ignore"):
        parts = [_bound(x[i : i + step], out[i : i + step], disks, curve) for i in range(0, len(x), step)]
    return np.concatenate(parts)


def _bound(x, out, disks, curve):
    x, out = np.asarray(x, dtype=L), np.asarray(out, dtype=L)
    norms = [np.sqrt(np.sum(x[:, columns] ** 2, axis=1)) for columns, _ in disks]
    radii = [radius for _, radius in disks]
    zero = np.zeros(len(x), L)
    z, d = np.zeros_like(x), np.zeros_like(x)
    if curve is None:
        r = _root_of_disks(x[:, 0], norms, radii, zero, zero)
    else:
        kind, first, second, coefficients = curve
        x1, x2 = (np.sqrt(np.sum(x[:, columns] ** 2, axis=1)) for columns in (first, second))
        r, f, rest, down = _search(CURVES[kind](*coefficients), x[:, 0], norms, radii, x1, x2)
        _place(x, z, d, first, x1, f[0], rest[0])
        _place(x, z, d, second, x2, f[1], rest[1])
        d[:, 0] -= down
    z[:, 0] = r
    for (columns, mu), norm in zip(disks, norms, strict=True):
        over = np.maximum(norm - L(mu) * r, L(0))
        _place(x, z, d, columns, norm, np.minimum(norm, L(mu) * r), over)
        d[:, 0] -= over * L(mu)
    d[:, 0] = np.where(r > 0, d[:, 0], x[:, 0])  # at the apex the normal cone is the polar cone
    return np.sqrt(np.sum((out - z) ** 2, axis=1)) + np.sqrt(np.sum((x - z - d) ** 2, axis=1))


def _place(x, z, d, columns, norm, length, rest):
    """Write a point of the set and a normal, both along the rows `columns` of x."""
    safe = np.where(norm > 0, norm, L(1))
    for column in columns:
        z[:, column] = x[:, column] * (length / safe)
        d[:, column] = x[:, column] * (rest / safe)


def _root_of_disks(x_n, norms, radii, height, steep):
    """Root r >= 0 of  r - x_n - sum_b mu_b max(0, |x_b| - mu_b r) - max(0, height - steep r)."""
    number = x_n.dtype.type
    parts = [(number(mu) * norm, number(mu) ** 2) for mu, norm in zip(radii, norms, strict=True)]
    parts.append((height, steep))
    r = np.maximum(x_n, number(0))
    for _ in range(len(parts) + 1):  # increasing and concave: Newton from the left, a bound is lost at each step
        top, slope = x_n, number(1)
        for term, factor in parts:
            active = term > factor * r
            top = top + np.where(active, term, number(0))
            slope = slope + np.where(active, factor, number(0))
        r = np.maximum(r, top / slope)
    return r


def _look(at, t, x_n, norms, radii, x1, x2):
    """The projection onto the cone over the tangent at t, and how far along the tangent it misses the curve."""
    c1, c2, n1, n2 = at(t)
    square = n1 * n1 + n2 * n2
    height = x1 * n1 + x2 * n2
    r = _root_of_disks(x_n, norms, radii, height / square, 1 / square)
    # where x is below the tangent, the side of the ray through c on which it is shows the way
    miss = np.where(height > r, (x1 - r * c1) * n2 - (x2 - r * c2) * n1, x1 * c2 - x2 * c1)
    return miss / np.sqrt(square), r, c1, c2, n1, n2, height, square


def _search(curve, x_n, norms, radii, x1, x2):
    """r, friction part, normal part and multiplier of the pair (z, d)."""
    at, limit = curve
    t = _bisect(at, limit, *(np.asarray(v, float) for v in (x_n, x1, x2)), [n.astype(float) for n in norms], radii)
    lower, upper = t.astype(L) - L(1e-7), t.astype(L) + L(1e-7)
    at_lower, at_upper = (_look(at, t, x_n, norms, radii, x1, x2)[0] for t in (lower, upper))
    lost = ~((at_lower > 0) & (at_upper <= 0))
    t = _secants(at, lower, upper, at_lower, at_upper, x_n, norms, radii, x1, x2)
    miss = np.abs(_look(at, t, x_n, norms, radii, x1, x2)[0])
    lost |= miss > 1e-17 * np.maximum(x1, x2)  # a kink has slowed the secants down
    if np.any(lost):
        few = x_n[lost], x1[lost], x2[lost], [norm[lost] for norm in norms]
        t[lost] = _bisect(at, limit, *few, radii, steps=84)
    _, r, c1, c2, n1, n2, height, square = _look(at, t, x_n, norms, radii, x1, x2)
    zero = np.zeros_like(x_n)
    alone = _root_of_disks(x_n, norms, radii, zero, zero)  # without the curve
    inside = height <= alone  # then c is along x, and `height` is the gauge of x
    rest = np.where(inside, zero, np.maximum(height - r, L(0)) / square)
    r = np.where(inside, alone, r)
    f = np.where(inside, x1, r * c1), np.where(inside, x2, r * c2)
    return r, f, (rest * n1, rest * n2), rest


def _bisect(at, limit, x_n, x1, x2, norms, radii, steps=46):
    lower, upper = np.full_like(x_n, -limit), np.full_like(x_n, limit)
    for _ in range(steps):
        t = (lower + upper) / 2
        right = _look(at, t, x_n, norms, radii, x1, x2)[0] > 0
        lower, upper = np.where(right, t, lower), np.where(right, upper, t)
    return (lower + upper) / 2


def _secants(at, lower, upper, at_lower, at_upper, x_n, norms, radii, x1, x2):
    for step in range(9):
        t = (lower + upper) / 2
        if step % 3 < 2:
            secant = lower - at_lower * (upper - lower) / np.where(at_upper != at_lower, at_upper - at_lower, L(1))
            t = np.where((secant > lower) & (secant < upper), secant, t)
        miss = _look(at, t, x_n, norms, radii, x1, x2)[0]
        right = miss > 0
        lower, at_lower = np.where(right, t, lower), np.where(right, miss, at_lower)
        upper, at_upper = np.where(right, upper, t), np.where(right, at_upper, miss)
    return np.where(np.abs(at_lower) < np.abs(at_upper), lower, upper)


def rhombic_projection(x, a, b):
    """Projection onto  |f_1|/a + |f_2|/b <= r_n : x itself, or its foot on a face, or on the better of two edges."""
    x = np.asarray(x, L)
    a, b = L(a), L(b)
    point = np.column_stack([x[:, 0], np.abs(x[:, 1:])])
    normal = np.array([-1, 1 / a, 1 / b], L)
    over = point @ normal
    face = point - np.outer(over / (normal @ normal), normal)
    edges = np.array([[1, a, 0], [1, 0, b]], L)
    along = np.maximum(point @ (edges / np.sum(edges**2, axis=1, keepdims=True)).T, 0)
    better = np.argmax(along * np.sqrt(np.sum(edges**2, axis=1)), axis=1)
    z = along[np.arange(len(x)), better][:, None] * edges[better]
    z = np.where((face >= 0).all(axis=1)[:, None], face, z)
    z = np.where((over <= 0)[:, None], point, z)
    z[:, 1:] *= np.where(x[:, 1:] < 0, -1, 1)
    return z
