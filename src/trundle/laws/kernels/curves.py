"""Boundary curves of sections that have no closed-form projection: superellipse and Contensou.

Both sections are symmetric about their axes, so a quarter of the boundary is enough.  A curve is given by a
parameter t in (-inf, inf) through its point c(t) >= 0 and its outward normal n(t) >= 0 scaled so that
c . n = 1; c_1 grows and c_2 falls with t, and so does the slope of the normal,  n_1 / n_2 = exp(l(t)).
Logarithmic parameters keep full accuracy next to the axes, where t tends to -inf or +inf.

Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numba import njit

JIT = {"cache": True, "error_model": "numpy", "fastmath": {"contract", "nsz"}}
INLINE = {**JIT, "forceinline": True}  # small and hot: a call with a handful of arrays costs 30 ns

SUPERELLIPSE = 2
CONTENSOU = 4
UNIFORM = 7  # the same with a uniform pressure

TINY = 1e-300
FARTHEST = 600.0  # |t| beyond which a point is on the axis

SERIES_FROM = 3.0  # slide-to-spin ratio above which phi is summed in powers of 1/s**2 (no cancellation)


def _contensou_series(terms: int) -> np.ndarray:
    """Coefficients a_k of  phi(s) = sum_k a_k s**(1 - 2 k), s > 1, exact until rounded once.

    From the closed form with the series of asin(1/s) and sqrt(s**2 - 1).
    """

    def arcsine(k: int) -> Fraction:
        return Fraction(math.comb(2 * k, k), 4**k * (2 * k + 1)) if k >= 0 else Fraction(0)

    def root(k: int) -> Fraction:  # (-1)**k binomial(1/2, k)
        return Fraction(-math.comb(2 * k, k), 4**k * (2 * k - 1)) if k >= 0 else Fraction(0)

    return np.array(
        [
            float(
                Fraction(3, 8) * (arcsine(k - 1) + arcsine(k) - arcsine(k + 1) / 8)
                + Fraction(21, 32) * root(k)
                + Fraction(3, 64) * root(k + 1)
            )
            for k in range(terms)
        ]
    )


_SERIES = _contensou_series(18)


@njit(**JIT)
def contensou_ball(s):
    """Friction ball of a Hertzian patch at slide-to-spin ratio s = |u_t| / (eps |w_s|).

    Returns phi(s) with xi = phi' and eta = phi - s phi', the force and torque per mu N and mu N eps, and phi''.
    Le Saux, Leine & Glocker (2005), eqs. (2.29)-(2.32); the exact set of which (2.31) is the expansion.
    """
    if s <= 1.0:
        s2 = s * s
        k = 3.0 * math.pi / 16.0
        xi = k * s * (2.0 - 0.5 * s2)
        eta = k * (1.0 - s2 + 0.375 * s2 * s2)
        return k * (1.0 + s2 - 0.125 * s2 * s2), xi, eta, k * (2.0 - 1.5 * s2)
    if s < SERIES_FROM:
        s2 = s * s
        arc = math.asin(1.0 / s)
        root = math.sqrt((s - 1.0) * (s + 1.0))
        xi = 0.375 * s * (2.0 - 0.5 * s2) * arc + 0.1875 * root * (s + 2.0 / s)
        eta = 0.375 * (1.0 - s2 + 0.375 * s2 * s2) * arc + (0.28125 - 0.140625 * s2) * root
        curvature = 0.375 * (2.0 - 1.5 * s2) * arc + root * (0.5625 - 0.375 / s2)
        return xi * s + eta, xi, eta, curvature
    z = 1.0 / (s * s)
    power = 1.0
    xi = 0.0
    eta = 0.0
    curvature = 0.0
    for k in range(_SERIES.shape[0]):
        a = _SERIES[k] * power
        xi += (1.0 - 2.0 * k) * a
        eta += 2.0 * k * a
        curvature += 2.0 * k * (2.0 * k - 1.0) * a
        power *= z
    return s * (xi + eta), xi, s * eta, curvature / s


def _uniform_series(terms: int) -> np.ndarray:
    """Coefficients of F(z) = 2F1(-1/2, 1/2; 2; z), the force of a uniformly pressed disk."""
    found = [Fraction(1)]
    for n in range(terms - 1):
        found.append(found[-1] * Fraction(2 * n - 1, 2) * Fraction(2 * n + 1, 2) / ((n + 2) * (n + 1)))
    return np.array([float(c) for c in found])


_UNIFORM = _uniform_series(16)
UNIFORM_SERIES = 0.25  # slide-to-spin ratio, or its inverse, below which F is summed


@njit(**JIT)
def elliptic(m):
    """Complete elliptic integrals K and E of the parameter 0 <= m < 1, by the arithmetic-geometric mean."""
    a, b, total, power = 1.0, math.sqrt(1.0 - m), 1.0 - 0.5 * m, 1.0
    for _ in range(12):
        c = 0.5 * (a - b)
        if abs(c) <= 1e-17 * a:
            break
        a, b = 0.5 * (a + b), math.sqrt(a * b)
        total -= power * c * c
        power *= 2.0
    K = 0.5 * math.pi / a
    return K, K * total


@njit(**JIT)
def uniform_ball(s):
    """As `contensou_ball`, for a disk with uniform pressure: a body that lies on its flat round face.

    The largest torque is 2/3 mu N R.  With F above, the force is s F(s^2) up to s = 1 and F(1 / s^2) from there on.
    """
    x = s if s <= 1.0 else 1.0 / s
    z = x * x
    if x < UNIFORM_SERIES:
        force, slope, torque, power = 0.0, 0.0, 0.0, 1.0
        for n in range(_UNIFORM.shape[0]):
            a = _UNIFORM[n] * power
            force += a
            if s <= 1.0:
                slope += (2.0 * n + 1.0) * a
                torque += (2.0 * n + 1.0) / (2.0 * n + 2.0) * a
            else:
                slope -= 2.0 * n * a
                torque -= 2.0 * n / (2.0 * n - 1.0) * a
            power *= z
        if s <= 1.0:
            xi, eta, curvature = s * force, 2.0 / 3.0 - z * torque, slope
        else:
            xi, eta, curvature = force, torque * s, slope * x
        return xi * s + eta, xi, eta, curvature
    K, E = elliptic(min(z, 1.0 - 1e-16))
    c = 4.0 / (3.0 * math.pi)
    top = (1.0 + z) * E - (1.0 - z) * K
    if s <= 1.0:
        xi = c * top / s
        eta = c / 3.0 * ((4.0 - 2.0 * z) * E - (1.0 - z) * K)
        curvature = c * (3.0 * E - top / z)
    else:
        xi = c * top / z
        eta = c * s / 3.0 * ((4.0 - 2.0 * s * s) * E + (2.0 * s * s - 5.0 + 3.0 * z) * K)
        curvature = -2.0 * z * x * c * (1.5 * E / z - top / (z * z))
    return xi * s + eta, xi, eta, curvature


@njit(**JIT)
def ball(kind, s):
    """Friction ball of a round patch, with the pressure that its kind says."""
    return uniform_ball(s) if kind == UNIFORM else contensou_ball(s)


@njit(**INLINE)
def arc(kind, a, b, q, t):
    """Boundary point c and its derivative d in t, the shares c_1 n_1 and c_2 n_2 (their sum is 1), and the slope of l.

    Superellipse: a = mu_x, b = mu_y.  Contensou: a = mu, b = patch radius, c = (force, torque) per normal load.
    """
    if kind == SUPERELLIPSE:
        size = abs(t)
        w = math.exp(-size)
        if q == 2.0:
            e = w * w
            large = 1.0 / math.sqrt(1.0 + e)
        else:
            e = math.exp(-q * size)
            large = math.exp(-math.log1p(e) / q)
        most = 1.0 / (1.0 + e)
        least = e * most
        small = large * w
        if t >= 0.0:
            return a * large, b * small, a * large * least, -b * small * most, most, least, q - 1.0
        return a * small, b * large, a * small * most, -b * large * least, least, most, q - 1.0
    s = math.exp(min(t, 300.0))
    phi, xi, eta, curvature = ball(kind, s)
    bend = a * curvature * s
    return a * xi, a * b * eta, bend, -b * bend * s, s * xi / phi, eta / phi, 1.0


@njit(**JIT)
def curve(kind, a, b, q, t):
    """Boundary point c, its derivative d, the normal n with c . n = 1, and its derivative e."""
    c1, c2, d1, d2, share1, share2, rise = arc(kind, a, b, q, t)
    n1 = share1 / c1 if c1 > TINY else 0.0
    n2 = share2 / c2 if c2 > TINY else 0.0
    return c1, c2, d1, d2, n1, n2, rise * n1 * share2, -rise * n2 * share1


@njit(**INLINE)
def below_tangent(c1, c2, share1, share2, x1, x2, r):
    """Whether (x1, x2) is not beyond the tangent of r C at r c."""
    n1 = share1 / c1 if c1 > TINY else 0.0
    n2 = share2 / c2 if c2 > TINY else 0.0
    return (x1 - r * c1) * n1 + (x2 - r * c2) * n2 <= 0.0


@njit(**JIT)
def far_parameter(kind, a, b, q, x1, x2):
    """Parameter where the normal is along x: the point of C that is farthest in the direction of x."""
    if kind == SUPERELLIPSE:
        t = math.log((x1 * a) / (x2 * b)) / (q - 1.0)
    else:
        t = math.log(x1 / (x2 * b))
    return min(max(t, -FARTHEST), FARTHEST)


@njit(**JIT)
def first_guess(kind, a, b, q, x1, x2, r):
    """Parameter near that of the projection of (x1, x2) onto r C: between the ray through x and its far limit."""
    far = far_parameter(kind, a, b, q, x1, x2)
    if kind == SUPERELLIPSE:
        along = math.log((x1 * b) / (x2 * a))
        gauge = max(x1 / a, x2 / b)
    else:
        along = far + 2.0 * math.log(0.589 * b)
        gauge = max(x1, x2 / (0.589 * b)) / a
    share = min(1.0, r / gauge) if gauge > 0.0 else 1.0
    return min(max(share * along + (1.0 - share) * far, -FARTHEST), FARTHEST)


@njit(**INLINE)
def advance(c1, c2, share1, share2, rise, r, x1, x2, h1, h2, t, lower, upper, iteration):
    """Next parameter in the search for the point where x - r c is along the normal n; h = d(r c)/dt.

    With m = n_2 / n_1 the condition is  x2 = r c2 + (x1 - r c1) m: both terms fall with t like exponentials, so that
    Newton on the logarithm of this equation, or of its mirror image, takes few steps near the curve and far from it.
    Its sign tells on which side of t the one root is.  Returns the new t, a bracket, and whether the step was Newton's.
    """
    g1 = x1 - r * c1
    g2 = x2 - r * c2
    if g1 > 0.0 and (share1 >= share2 or g2 <= 0.0):
        tilt = share2 * c1 / (share1 * c2)
        total = r * c2 + g1 * tilt
        value = math.log(total / x2)
        step = value * total / ((h1 + rise * g1) * tilt - h2)
    else:
        tilt = share1 * c2 / (share2 * c1)
        total = r * c1 + g2 * tilt
        value = math.log(x1 / total)
        step = value * total / (h1 + (rise * g2 - h2) * tilt)
    if value > 0.0:
        lower = t
    else:
        upper = t
    moved = min(max(t + step, -FARTHEST), FARTHEST)
    if lower <= moved <= upper and abs(step) <= 2.0 + 2.0 * abs(t) and (iteration <= 20 or iteration % 3 != 0):
        return moved, lower, upper, True
    if lower == -np.inf:
        return upper - 1.0 - 0.5 * abs(t), lower, upper, False
    if upper == np.inf:
        return lower + 1.0 + 0.5 * abs(t), lower, upper, False
    return 0.5 * (lower + upper), lower, upper, False


@njit(**INLINE)
def settled(newton, smooth, moved, t, speed, rise, scale, lower, upper):
    """Whether a search may stop after its step from t to `moved`; `speed` is how fast the point moves with t.

    The point tends to its limit like exp(-|t|): where the root is farther out, it is within `speed`.  Newton on a
    smooth function squares its error, by a factor that is far below 1e4 (1 + rise); a step over a kink does not.
    """
    if speed <= 1e-16 * scale and ((t > 1.0 and lower == t) or (t < -1.0 and upper == t)):
        return True
    change = abs(moved - t)
    if newton and change < 0.5:
        gain = min(1.0, change * 1e4 * (1.0 + rise)) if smooth else 1.0
        if change * speed * gain <= 1e-16 * scale:
            return True
    return upper - lower <= 1e-15 * max(1.0, abs(t))


@njit(**JIT)
def nearest(kind, a, b, q, x1, x2, r, t):
    """Parameter of the projection of (x1, x2) > 0 onto r C from a first guess, and whether x was found inside.

    A point just below the boundary may go unnoticed: it is below the tangent at t.
    """
    lower = -np.inf
    upper = np.inf
    scale = max(x1, x2)
    for iteration in range(200):
        c1, c2, d1, d2, share1, share2, rise = arc(kind, a, b, q, t)
        if x1 <= r * c1 and x2 <= r * c2:
            return t, True
        moved, lower, upper, newton = advance(
            c1, c2, share1, share2, rise, r, x1, x2, r * d1, r * d2, t, lower, upper, iteration
        )
        stop = settled(newton, True, moved, t, r * max(d1, -d2), rise, scale, lower, upper)
        t = moved
        if stop:
            break
    return t, False


@njit(**JIT)
def diamond_section(a, b, x1, x2, r):
    """Projection of (x1, x2) >= 0 onto x1/a + x2/b <= r, with g(r) and its slope."""
    if a <= TINY or b <= TINY:  # an interval on the other axis
        f1 = min(x1, a * r)
        f2 = min(x2, b * r)
        slope = (a * a if x1 > f1 else 0.0) + (b * b if x2 > f2 else 0.0)
        return f1, f2, a * (x1 - f1) + b * (x2 - f2), -slope
    over = x1 / a + x2 / b - r
    if over <= 0.0:
        return x1, x2, 0.0, 0.0
    square = a * a + b * b
    along = a * x1 - b * x2 + b * b * r  # r times the square times the place on the face, from vertex 2 to 1
    if along <= 0.0:
        return 0.0, b * r, b * (x2 - b * r), -b * b
    if along >= square * r:
        return a * r, 0.0, a * (x1 - a * r), -a * a
    place = along / square
    return a * place, b * (r - place), over * a * a * b * b / square, -a * a * b * b / square


@njit(**JIT)
def half_axes(kind, a, b):
    """Half-axes of a curved section."""
    if kind == UNIFORM:
        return a, 2.0 / 3.0 * a * b
    return a, b if kind == SUPERELLIPSE else 0.1875 * math.pi * a * b


@njit(**JIT)
def surely_inside(kind, q, u, v, r):
    """Whether x is in r C, from its components u, v in units of the half-axes: 1 yes, -1 no, 0 not easy to say."""
    if u + v <= r:
        return 1
    large = max(u, v)
    if large > r:
        return -1
    if kind == SUPERELLIPSE:
        gauge = large * math.exp(math.log1p((min(u, v) / large) ** q) / q)
        return 1 if gauge <= r * (1.0 + 4e-16) else -1
    return -1 if u * u + v * v > r * r * (1.0 + 1e-15) else 0


@njit(**JIT)
def curve_section(kind, a, b, q, x1, x2, r, t):
    """Projection of (x1, x2) >= 0 onto r C of a curved section: f1, f2, g(r) = sigma(x - f), dg/dr, and t.

    `t` is a first guess, NaN for none.  Axes and zero coefficients have closed forms.
    """
    half1, half2 = half_axes(kind, a, b)
    if half1 <= TINY or x1 <= TINY:
        over = x2 - half2 * r
        if over <= 0.0:
            return x1 if half1 > TINY else 0.0, x2, 0.0, 0.0, t
        return 0.0, half2 * r, half2 * over, -half2 * half2, t
    if half2 <= TINY or x2 <= TINY:
        over = x1 - half1 * r
        if over <= 0.0:
            return x1, x2 if half2 > TINY else 0.0, 0.0, 0.0, t
        return half1 * r, 0.0, half1 * over, -half1 * half1, t
    if r > 0.0:
        inside = surely_inside(kind, q, x1 / half1, x2 / half2, r)
        if inside == 1:
            return x1, x2, 0.0, 0.0, t
        if math.isnan(t):
            t = first_guess(kind, a, b, q, x1, x2, r)
        t, within = nearest(kind, a, b, q, x1, x2, r, t)
        if within:
            return x1, x2, 0.0, 0.0, t
    else:  # the apex: g is the support function, and the normal is along x
        t = far_parameter(kind, a, b, q, x1, x2)
    c1, c2, d1, d2, n1, n2, e1, e2 = curve(kind, a, b, q, t)
    g = ((x1 - r * c1) * n1 + (x2 - r * c2) * n2) / (n1 * n1 + n2 * n2)
    if g <= 0.0:  # below the tangent at the nearest point
        return x1, x2, 0.0, 0.0, t
    turn = -(c1 * d1 + c2 * d2) / (r * (d1 * d1 + d2 * d2) + g * (d1 * e1 + d2 * e2) + TINY)
    dg = -(1.0 + g * (n1 * e1 + n2 * e2) * turn) / (n1 * n1 + n2 * n2)
    return r * c1, r * c2, g, dg, t
