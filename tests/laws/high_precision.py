"""Projections onto friction cones with 40 digits, for comparison.

All subsets of the bounds are tried (Tasora & Anitescu (2013), appendix C: "comprehensive enumeration"): those in the
subset hold with equality, the others are left out.  With a curved bound, a bracketed root finds the point of the curve.
A candidate counts only if it satisfies every condition of the projection to 28 digits, which then is unique:
p in K, x - p in the polar cone, p . (x - p) = 0.  Nothing of trundle is used here.
"""

from __future__ import annotations

from itertools import product

from mpmath import asin, exp, findroot, inf, mp, mpf, pi, sqrt

DIGITS = 40
SMALL = mpf(10) ** -28
KNOTS = (1, 3, 9, 27, 81, 243, 2187, 19683)


def superellipse(a, b, q):
    """Point c and normal n, c . n = 1, of the quarter superellipse; parameter: logit of (c_1/a)**q."""

    def at(s):
        share, rest = 1 / (1 + exp(-s)), 1 / (1 + exp(s))
        c1, c2 = a * share ** (1 / q), b * rest ** (1 / q)
        return c1, c2, share / c1, rest / c2

    return at


def contensou(mu, patch):
    """Force and torque per unit load of a Hertzian patch; parameter: logarithm of slide / spin."""

    def at(t):
        with mp.workdps(DIGITS + int(2 * max(min(t, 100), 0)) + 5):  # the closed form cancels for large s
            return point(exp(min(t, 100)))

    def point(s):
        if s <= 1:
            xi, eta = 3 * pi / 16 * (2 * s - s**3 / 2), 3 * pi / 16 * (1 - s**2 + 3 * s**4 / 8)
        else:
            arc, root = asin(1 / s), sqrt(s**2 - 1)
            xi = (2 * s - s**3 / 2) * arc * 3 / 8 + 3 * root * (s + 2 / s) / 16
            eta = 3 * (1 - s**2 + 3 * s**4 / 8) * arc / 8 + (mpf(9) / 32 - 9 * s**2 / 64) * root
        phi = s * xi + eta
        return mu * xi, mu * patch * eta, s / (mu * phi), 1 / (mu * patch * phi)

    return at


def project(x, disks=(), curve=None):
    """Projection of x (normal row first) as a list of mpf.

    disks : (columns, radius) of each disk or interval.
    curve : None or (function of the parameter, columns of its first coordinate, columns of its second).
    """
    with mp.workdps(DIGITS):
        size = max(abs(float(value)) for value in x) or 1.0
        x = [mpf(float(value)) / size for value in x]  # K is a cone
        norms = [_norm(x, columns) for columns, _ in disks]
        radii = [mpf(radius) for _, radius in disks]
        point = (mpf(0), mpf(0)) if curve is None else (_norm(x, curve[1]), _norm(x, curve[2]))
        for active in product((False, True), repeat=len(disks)):
            for bent in (False, True) if curve is not None else (False,):
                found = _candidate(x[0], norms, radii, active, point, curve[0] if bent else None)
                if found is not None and _is_projection(x[0], norms, radii, point, curve, *found):
                    return [value * size for value in _assemble(x, disks, norms, curve, point, found)]
        sigma = sum(radius * norm for radius, norm in zip(radii, norms, strict=True))
        sigma += 0 if curve is None else support(curve[0], *point)
        assert x[0] + sigma <= SMALL * max(abs(value) for value in x), "no candidate is the projection"
    return [mpf(0)] * len(x)


def _norm(x, columns):
    return sqrt(sum(x[i] ** 2 for i in columns))


def _candidate(x_n, norms, radii, active, point, at):
    """r, lengths of the friction parts, multipliers, for one choice of active bounds; None if there is none."""
    top = x_n + sum(m * n for m, n, on in zip(radii, norms, active, strict=True) if on)
    slope = 1 + sum(m * m for m, on in zip(radii, active, strict=True) if on)
    if at is None:
        r, f = top / slope, point
        n1 = n2 = lam = mpf(0)
    else:
        s = _root(lambda s: _miss(at(s), top, slope, point)[0])
        if s is None:
            return None
        _, r, lam, c1, c2, n1, n2 = _miss(at(s), top, slope, point)
        f = (r * c1, r * c2)
    lengths = [m * r if on else n for m, n, on in zip(radii, norms, active, strict=True)]
    return r, lengths, f, (lam * n1, lam * n2), lam


def _miss(curve_point, top, slope, point):
    """How far the foot of x on the tangent is from the point where the tangent touches."""
    c1, c2, n1, n2 = curve_point
    square = n1**2 + n2**2
    height = point[0] * n1 + point[1] * n2
    r = (top + height / square) / (slope + 1 / square)
    return (point[0] - r * c1) * n2 - (point[1] - r * c2) * n1, r, (height - r) / square, c1, c2, n1, n2


def _root(function):
    """The one zero of a function that falls, looked for outwards from 0; None if there is none."""
    before, value = mpf(0), function(mpf(0))
    for knot in KNOTS:
        if value == 0:
            return before
        after = mpf(knot if value > 0 else -knot)
        other = function(after)
        if value * other < 0:
            tolerance = SMALL * mpf("1e-6")
            return findroot(function, (before, after), solver="ridder", tol=tolerance, maxsteps=300, verify=False)
        before, value = after, other
    return None


def _is_projection(x_n, norms, radii, point, curve, r, lengths, f, normal, lam):
    """Whether the conditions hold to 28 digits, relative to the largest number in play."""
    scale = max([abs(x_n), *norms, *point])
    slack = SMALL * scale
    if r <= 0 or lam < -slack:
        return False
    rise = lam
    for norm, radius, length in zip(norms, radii, lengths, strict=True):
        if length > radius * r + slack or norm - length < -slack:
            return False
        rise += radius * (norm - length)
    if curve is not None:
        if max(abs(point[i] - f[i] - normal[i]) for i in range(2)) > slack:
            return False
        if lam == 0 and gauge(curve[0], *f) > r * (1 + SMALL):
            return False
    return abs(r - x_n - rise) <= slack


def support(at, w1, w2):
    """Largest c . w over the quarter curve: where the normal is along w."""
    if w1 == 0 or w2 == 0:
        c = at(mpf(-KNOTS[-1]) if w1 == 0 else mpf(KNOTS[-1]))
        return c[0] * w1 + c[1] * w2
    s = _root(lambda s: w1 * at(s)[3] - w2 * at(s)[2])
    c = at(s)
    return c[0] * w1 + c[1] * w2


def gauge(at, f1, f2):
    """Smallest r with (f1, f2) in r C."""
    if f1 == 0 and f2 == 0:
        return mpf(0)
    if f1 == 0 or f2 == 0:
        c = at(mpf(-KNOTS[-1]) if f1 == 0 else mpf(KNOTS[-1]))
        return f2 / c[1] if f1 == 0 else f1 / c[0]
    s = _root(lambda s: f1 * at(s)[1] - f2 * at(s)[0])
    return inf if s is None else f1 / at(s)[0]


def _assemble(x, disks, norms, curve, point, found):
    r, lengths, f = found[:3]
    out = [mpf(0)] * len(x)
    out[0] = r
    groups = [(columns, norm, length) for (columns, _), norm, length in zip(disks, norms, lengths, strict=True)]
    if curve is not None:
        groups += [(curve[1 + i], point[i], f[i]) for i in range(2)]
    for columns, norm, length in groups:
        for i in columns:
            out[i] = x[i] * length / norm if norm else mpf(0)
    return out
