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

SUPERELLIPSE = 2
CONTENSOU = 4

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


@njit(**JIT)
def superellipse_point(q, t):
    """Point (u, v) of  u**q + v**q = 1  with  log(u / v) = t, and the powers u**q, v**q."""
    if t >= 0.0:
        e = math.exp(-q * t)
        log_u = -math.log1p(e) / q
        u = math.exp(log_u)
        v = math.exp(log_u - t)
        return u, v, 1.0 / (1.0 + e), e / (1.0 + e)
    e = math.exp(q * t)
    log_v = -math.log1p(e) / q
    v = math.exp(log_v)
    u = math.exp(log_v + t)
    return u, v, e / (1.0 + e), 1.0 / (1.0 + e)


@njit(**JIT)
def curve(kind, a, b, q, t):
    """Boundary point c, normal n (c . n = 1) and their derivatives in t, and l = log(n_1 / n_2) with its slope.

    Superellipse: a = mu_x, b = mu_y.  Contensou: a = mu, b = patch radius, c = (force, torque) per normal load.
    """
    if kind == SUPERELLIPSE:
        u, v, uq, vq = superellipse_point(q, t)
        n1 = uq / (a * u) if u > 1e-300 else 0.0
        n2 = vq / (b * v) if v > 1e-300 else 0.0
        return (
            a * u, b * v, a * u * vq, -b * v * uq,
            n1, n2, (q - 1.0) * n1 * vq, -(q - 1.0) * n2 * uq,
            (q - 1.0) * t + math.log(b / a), q - 1.0,
        )  # fmt: skip
    s = math.exp(min(t, 300.0))
    phi, xi, eta, curvature = contensou_ball(s)
    n1 = s / (a * phi)
    n2 = 1.0 / (a * b * phi)
    fall = s * xi / phi
    return (
        a * xi, a * b * eta, a * curvature * s, -a * b * curvature * s * s,
        n1, n2, n1 * (1.0 - fall), -n2 * fall,
        t + math.log(b), 1.0,
    )  # fmt: skip


@njit(**JIT)
def first_guess(kind, a, b, q, x1, x2, r):
    """Parameter t near that of the projection of (x1, x2) onto r C: between the ray through x and its far limit."""
    if kind == SUPERELLIPSE:
        along = math.log((x1 / a) / (x2 / b))
        far = math.log((x1 * a) / (x2 * b)) / (q - 1.0)
        gauge = max(x1 / a, x2 / b) / r
    else:
        far = math.log(x1 / (x2 * b))
        along = far + 2.0 * math.log(0.589 * b)
        gauge = max(x1, x2 / (0.589 * b)) / (a * r)
    share = min(1.0, 1.0 / gauge) if gauge > 0.0 else 1.0
    guess = share * along + (1.0 - share) * far
    return min(max(guess, -600.0), 600.0)


@njit(**JIT)
def nearest(kind, a, b, q, x1, x2, r, t, on_cone):
    """Parameter of the projection of (x1, x2) > 0, and whether the point lies inside (then t is moot).

    Onto the section r C; or, `on_cone`, of (r, x1, x2) onto the cone, outside of which and of whose polar it must lie:
    there the normal part belongs to the point of the curve, r(t) = (r + c . x) / (1 + |c|**2).
    The normal condition (x - r c) || n has one root, and the signs of x - r c tell on which side of t it is: Newton
    on its logarithmic form where both are positive, on the plain form elsewhere, always inside a bracket.
    """
    lower = -np.inf
    upper = np.inf
    scale = max(x1, x2)
    given = r
    growth = 0.0
    for iteration in range(200):
        c1, c2, d1, d2, n1, n2, e1, e2, slope, rise = curve(kind, a, b, q, t)
        if on_cone:
            length = 1.0 / (1.0 + c1 * c1 + c2 * c2)
            r = (given + c1 * x1 + c2 * x2) * length
            growth = (d1 * x1 + d2 * x2 - 2.0 * r * (c1 * d1 + c2 * d2)) * length
        g1 = x1 - r * c1
        g2 = x2 - r * c2
        h1 = r * d1 + growth * c1
        h2 = r * d2 + growth * c2
        if g1 <= 0.0 and g2 <= 0.0:
            return t, True
        if g1 > 0.0 and g2 > 0.0:
            value = math.log(g1 / g2) - slope
            step = value / (h1 / g1 - h2 / g2 + rise)
            to_right = value > 0.0
        else:
            to_right = g1 > 0.0
            ratio = math.exp(min(max(slope, -700.0), 700.0))
            step = (g1 - g2 * ratio) / (r * d1 - r * d2 * ratio)
        if to_right:
            lower = t
        else:
            upper = t
        newton = True
        moved = t + step
        if not (lower < moved < upper) or abs(step) > 1.0 + abs(t) or (iteration > 20 and iteration % 3 == 0):
            newton = False
            if lower == -np.inf:
                moved = upper - 1.0 - 0.5 * abs(t)
            elif upper == np.inf:
                moved = lower + 1.0 + 0.5 * abs(t)
            else:
                moved = 0.5 * (lower + upper)
        change = abs(moved - t)
        effect = change * r * max(d1, -d2)
        t = moved
        # Newton squares the error of its last step; a halved bracket does not
        if (newton and change < 0.5 and effect <= 1e-15 * scale) or upper - lower <= 1e-15 * max(1.0, abs(t)):
            break
    return t, False
