"""Projections and support functions of every law, compiled, on flat arrays.

A contact's section C is a product of *blocks* on different rows (see `trundle.laws.table`); each block has a kind
and up to six coefficients.  Functions take the table's arrays one by one (a tuple of them costs five times the time of
the projection itself), a block or contact number, and `base`, the shift from the table's row numbers to those of the
vectors, so that one description of a law serves a million points.

Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.laws.curves import CONTENSOU, JIT, SUPERELLIPSE, curve, first_guess, nearest, superellipse_point
from trundle.laws.curves import contensou_ball
from trundle.laws.own import own_project, own_support
from trundle.laws.series import series_section, series_support

FREE = 0
DISK = 1
DIAMOND = 3
CONTENSOU_SERIES = 5
OWN = 6

ROW, BLOCK, HEAD, PLAIN = 0, 1, 2, 3  # columns of `contact`
KIND, FIRST, SIZE, SLOT = 0, 1, 2, 3  # columns of `block`

TINY = 1e-300


@njit(**JIT)
def block_norm(x, first, size):
    """Euclidean norm of a block."""
    if size == 1:
        return abs(x[first])
    if size == 2:
        return math.sqrt(x[first] * x[first] + x[first + 1] * x[first + 1])
    total = 0.0
    for i in range(first, first + size):
        total += x[i] * x[i]
    return math.sqrt(total)


@njit(**JIT)
def block_support(block, coef, own, b, base, w):
    """Support function sigma(w) of one block."""
    kind = block[b, KIND]
    first = block[b, FIRST] + base
    if kind == DISK:
        return coef[b, 0] * block_norm(w, first, block[b, SIZE])
    if kind == FREE:
        return 0.0
    if kind == SUPERELLIPSE:
        s = coef[b, 2] / (coef[b, 2] - 1.0)
        x1 = coef[b, 0] * abs(w[first])
        x2 = coef[b, 1] * abs(w[first + 1])
        large = max(x1, x2)
        if large == 0.0:
            return 0.0
        return large * (1.0 + (min(x1, x2) / large) ** s) ** (1.0 / s)
    if kind == DIAMOND:
        return max(coef[b, 0] * abs(w[first]), coef[b, 1] * abs(w[first + 1]))
    if kind == OWN:
        return own_support(own, block[b, SLOT], w[first : first + block[b, SIZE]], coef[b])
    slide = block_norm(w, first, 2)
    spin = coef[b, 1] * abs(w[first + 2])
    if kind == CONTENSOU_SERIES:
        return coef[b, 0] * series_support(slide, spin)
    if spin <= 1e-150 * slide:
        return coef[b, 0] * slide
    return coef[b, 0] * spin * contensou_ball(slide / spin)[0]


@njit(**JIT)
def diamond_section(a, b, x1, x2, r):
    """Projection of (x1, x2) >= 0 onto x1/a + x2/b <= r, with g(r) and its slope (a, b > 0)."""
    over = x1 / a + x2 / b - r
    if over <= 0.0:
        return x1, x2, 0.0, 0.0
    length = 1.0 / (a * a) + 1.0 / (b * b)
    f1 = x1 - over / (a * length)
    f2 = x2 - over / (b * length)
    if f1 < 0.0:
        return 0.0, b * r, b * (x2 - b * r), -b * b
    if f2 < 0.0:
        return a * r, 0.0, a * (x1 - a * r), -a * a
    return f1, f2, over / length, -1.0 / length


@njit(**JIT)
def curve_section(kind, a, b, q, x1, x2, r, t):
    """Projection of (x1, x2) >= 0 onto r C of a curved section: f1, f2, g(r) = sigma(x - f), dg/dr, and t.

    `t` is a first guess, NaN for none.  Axes and zero coefficients have closed forms.
    """
    half1 = a
    half2 = b if kind == SUPERELLIPSE else 0.1875 * math.pi * a * b
    if half1 <= TINY or x1 == 0.0:
        over = x2 - half2 * r
        if over <= 0.0:
            return 0.0, x2, 0.0, 0.0, t
        return 0.0, half2 * r, half2 * over, -half2 * half2, t
    if half2 <= TINY or x2 == 0.0:
        over = x1 - half1 * r
        if over <= 0.0:
            return x1, 0.0, 0.0, 0.0, t
        return half1 * r, 0.0, half1 * over, -half1 * half1, t
    if r <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, t
    if x1 / half1 + x2 / half2 <= r:  # inside the inscribed diamond
        return x1, x2, 0.0, 0.0, t
    if kind == SUPERELLIPSE:
        large = max(x1 / half1, x2 / half2)
        if large * (1.0 + (min(x1 / half1, x2 / half2) / large) ** q) ** (1.0 / q) <= r:
            return x1, x2, 0.0, 0.0, t
    if math.isnan(t):
        t = first_guess(kind, a, b, q, x1, x2, r)
    t, inside = nearest(kind, a, b, q, x1, x2, r, t, False)
    if inside:
        return x1, x2, 0.0, 0.0, t
    c1, c2, d1, d2, n1, n2, e1, e2, slope, rise = curve(kind, a, b, q, t)
    g = ((x1 - r * c1) * n1 + (x2 - r * c2) * n2) / (n1 * n1 + n2 * n2)
    turn = -(c1 * d1 + c2 * d2) / (r * (d1 * d1 + d2 * d2) + g * (d1 * e1 + d2 * e2) + TINY)
    dg = -(1.0 + g * (n1 * e1 + n2 * e2) * turn) / (n1 * n1 + n2 * n2)
    return r * c1, r * c2, g, dg, t


@njit(**JIT)
def section(block, coef, own, b, base, x, r, out, t):
    """Project one block of x onto r C.  Returns g(r) = sigma(x - f), dg/dr (NaN if unknown), and a curve's t.

    g is minus the slope in r of half the squared distance to r C; the projection onto the cone is its root.
    """
    kind = block[b, KIND]
    first = block[b, FIRST] + base
    size = block[b, SIZE]
    if kind == DISK:
        mu = coef[b, 0]
        norm = block_norm(x, first, size)
        radius = mu * r
        if norm <= radius:
            for i in range(first, first + size):
                out[i] = x[i]
            return 0.0, 0.0, t
        factor = radius / norm
        for i in range(first, first + size):
            out[i] = x[i] * factor
        return mu * (norm - radius), -mu * mu, t
    if kind == FREE:
        for i in range(first, first + size):
            out[i] = x[i]
        return 0.0, 0.0, t
    if kind == OWN:
        f = out[first : first + size]
        own_project(own, block[b, SLOT], x[first : first + size], r, coef[b], f)
        g = 0.0
        if r > 0.0:
            for i in range(size):
                g += (x[first + i] - f[i]) * f[i]
            return max(g / r, 0.0), np.nan, t
        return own_support(own, block[b, SLOT], x[first : first + size], coef[b]), np.nan, t
    if kind == CONTENSOU or kind == CONTENSOU_SERIES:
        slide = block_norm(x, first, 2)
        spin = abs(x[first + 2])
        if kind == CONTENSOU:
            f1, f2, g, dg, t = curve_section(kind, coef[b, 0], coef[b, 1], 0.0, slide, spin, r, t)
        else:
            f1, f2, g = series_section(coef[b, 0], coef[b, 1], slide, spin, r)
            dg = np.nan
        factor = f1 / slide if slide > 0.0 else 0.0
        out[first] = x[first] * factor
        out[first + 1] = x[first + 1] * factor
        out[first + 2] = math.copysign(f2, x[first + 2])
        return g, dg, t
    x1 = abs(x[first])
    x2 = abs(x[first + 1])
    mu_x = coef[b, 0]
    mu_y = coef[b, 1]
    if kind == DIAMOND and mu_x > TINY and mu_y > TINY:
        f1, f2, g, dg = diamond_section(mu_x, mu_y, x1, x2, r)
    else:
        f1, f2, g, dg, t = curve_section(SUPERELLIPSE, mu_x, mu_y, coef[b, 2], x1, x2, r, t)
    out[first] = math.copysign(f1, x[first])
    out[first + 1] = math.copysign(f2, x[first + 1])
    return g, dg, t


@njit(**JIT)
def reach(block, coef, b, base, x):
    """Squared length of the point of C that is farthest along x: minus the slope of g at r = 0."""
    kind = block[b, KIND]
    first = block[b, FIRST] + base
    if kind == DISK:
        return coef[b, 0] * coef[b, 0]
    if kind == SUPERELLIPSE:
        x1 = coef[b, 0] * abs(x[first])
        x2 = coef[b, 1] * abs(x[first + 1])
        if x1 <= TINY or x2 <= TINY:
            return coef[b, 0] ** 2 if x1 >= x2 else coef[b, 1] ** 2
        u, v, uq, vq = superellipse_point(coef[b, 2], math.log(x1 / x2) / (coef[b, 2] - 1.0))
        return (coef[b, 0] * u) ** 2 + (coef[b, 1] * v) ** 2
    if kind == CONTENSOU:
        slide = block_norm(x, first, 2)
        spin = coef[b, 1] * abs(x[first + 2])
        if spin <= TINY:
            return coef[b, 0] ** 2
        phi, xi, eta, curvature = contensou_ball(slide / spin)
        return coef[b, 0] ** 2 * (xi * xi + (coef[b, 1] * eta) ** 2)
    return 0.0


@njit(**JIT)
def project_disks(contact, block, coef, c, base, x, out):
    """Project one contact onto a cone whose blocks are disks and intervals, in closed form.

    r - x_n - sum_b mu_b max(0, |x_b| - mu_b r) is increasing, concave and piecewise linear: Newton from the left ends
    in at most one step per block.  These are the cases (68)-(70) of Acary & Bourrier (2021), Proposition 5.2, and of
    Tasora & Anitescu (2013), appendix C, tested in the order that makes them exclusive.
    """
    n = contact[c, ROW] + base
    begin = contact[c, BLOCK]
    end = contact[c + 1, BLOCK]
    top = x[n]
    slope = 1.0
    for b in range(begin, end):
        mu = coef[b, 0]
        top += mu * block_norm(x, block[b, FIRST] + base, block[b, SIZE])
        slope += mu * mu
    if top <= 0.0:
        for i in range(n, contact[c + 1, ROW] + base):
            out[i] = 0.0
        return
    r = max(top / slope, x[n])
    for _ in range(end - begin):
        top = x[n]
        slope = 1.0
        for b in range(begin, end):
            mu = coef[b, 0]
            norm = block_norm(x, block[b, FIRST] + base, block[b, SIZE])
            if norm > mu * r:
                top += mu * norm
                slope += mu * mu
        moved = top / slope
        if moved <= r:
            break
        r = moved
    out[n] = r
    for b in range(begin, end):
        first = block[b, FIRST] + base
        size = block[b, SIZE]
        norm = block_norm(x, first, size)
        radius = coef[b, 0] * r
        factor = 1.0 if norm <= radius else radius / norm
        for i in range(first, first + size):
            out[i] = x[i] * factor


@njit(**JIT)
def project_curved(kind, a, b, q, x_n, x1, x2, r):
    """Project (x_n, x1, x2), x1, x2 > 0, outside of the polar of a cone over a curved section, onto that cone."""
    if x_n > 0.0:
        f1, f2, g, _, _ = curve_section(kind, a, b, q, x1, x2, x_n, np.nan)
        if max(abs(x1 - f1), abs(x2 - f2)) <= 4e-16 * max(x1, x2):  # inside, or on the boundary up to round-off
            return x_n, f1, f2
    t, _ = nearest(kind, a, b, q, x1, x2, x_n, first_guess(kind, a, b, q, x1, x2, r), True)
    c = curve(kind, a, b, q, t)
    r = (x_n + c[0] * x1 + c[1] * x2) / (1.0 + c[0] * c[0] + c[1] * c[1])
    return r, r * c[0], r * c[1]


@njit(**JIT)
def project_one_curve(block, coef, b, base, x, n, r, out):
    """Project a contact whose only block is curved, if it is in general position; False where it is not."""
    kind = block[b, KIND]
    first = block[b, FIRST] + base
    round_patch = kind == CONTENSOU
    x1 = block_norm(x, first, 2) if round_patch else abs(x[first])
    x2 = abs(x[first + 2]) if round_patch else abs(x[first + 1])
    if coef[b, 0] <= TINY or coef[b, 1] <= TINY or x1 <= TINY or x2 <= TINY:
        return False
    r, f1, f2 = project_curved(kind, coef[b, 0], coef[b, 1], coef[b, 2], x[n], x1, x2, r)
    out[n] = r
    if round_patch:
        out[first] = x[first] * (f1 / x1)
        out[first + 1] = x[first + 1] * (f1 / x1)
        out[first + 2] = math.copysign(f2, x[first + 2])
    else:
        out[first] = math.copysign(f1, x[first])
        out[first + 1] = math.copysign(f2, x[first + 1])
    return True


@njit(**JIT)
def project_contact(contact, block, coef, own, c, base, x, out):
    """Project the rows of one contact onto its cone K, written to `out`.

    The normal part is the root of the increasing function  r - x_n - sum_b g_b(r): Newton inside a bracket, or
    secant where a law of the user's gives no derivative.
    """
    if contact[c, PLAIN] == 1:
        project_disks(contact, block, coef, c, base, x, out)
        return
    begin = contact[c, BLOCK]
    end = contact[c + 1, BLOCK]
    if contact[c, HEAD] == 0:
        for b in range(begin, end):
            section(block, coef, own, b, base, x, 1.0, out, np.nan)
        return
    n = contact[c, ROW] + base
    top = x[n]
    slope = 1.0
    for b in range(begin, end):
        top += block_support(block, coef, own, b, base, x)
        slope += reach(block, coef, b, base, x)
    if top <= 0.0:
        for i in range(n, contact[c + 1, ROW] + base):
            out[i] = 0.0
        for b in range(begin, end):
            if block[b, KIND] == FREE:
                section(block, coef, own, b, base, x, 0.0, out, np.nan)
        return
    if end == begin + 1 and (block[begin, KIND] == SUPERELLIPSE or block[begin, KIND] == CONTENSOU):
        if project_one_curve(block, coef, begin, base, x, n, top / slope, out):
            return
    lower = max(0.0, x[n])
    upper = top
    lower_value = -top if lower == 0.0 else np.nan
    upper_value = np.nan
    r = min(max(top / slope, lower), upper)
    t = np.nan
    scale = abs(x[n]) + top
    for iteration in range(200):
        value = r - x[n]
        slope = 1.0
        for b in range(begin, end):
            g, dg, t = section(block, coef, own, b, base, x, r, out, t)
            value -= g
            slope -= dg
        if abs(value) <= 1e-16 * scale:
            break
        if value < 0.0:
            lower = r
            lower_value = value
        else:
            upper = r
            upper_value = value
        if math.isnan(slope):  # no derivative: secant between the ends, halved where it does not shrink
            if math.isnan(lower_value) or math.isnan(upper_value) or iteration % 3 == 2:
                moved = 0.5 * (lower + upper)
            else:
                moved = upper - upper_value * (upper - lower) / (upper_value - lower_value)
        else:
            moved = r - value / slope
            if not (lower <= moved <= upper) or iteration > 40:
                moved = 0.5 * (lower + upper)
        if moved == r or upper - lower <= 2e-16 * upper:
            break
        r = moved
    out[n] = r


@njit(nogil=True, **JIT)
def project_many(contact, block, coef, own, x, out, stride, begin, end):
    """Project the points begin to end, `stride` rows each, onto the cone of their contact (or of the only one)."""
    single = contact.shape[0] == 2
    for i in range(begin, end):
        c = 0 if single else i
        project_contact(contact, block, coef, own, c, i * stride - contact[c, ROW], x, out)


@njit(nogil=True, **JIT)
def section_many(contact, block, coef, own, x, r_n, out, stride, begin, end):
    """Project the friction rows of the points begin to end onto r_n C."""
    single = contact.shape[0] == 2
    for i in range(begin, end):
        c = 0 if single else i
        base = i * stride - contact[c, ROW] - contact[c, HEAD]
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            section(block, coef, own, b, base, x, max(r_n[i], 0.0), out, np.nan)


@njit(**JIT)
def contact_support(contact, block, coef, own, c, base, w):
    """sigma(w) of one contact; the rows of w are numbered as those of p."""
    total = 0.0
    for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
        total += block_support(block, coef, own, b, base, w)
    return total


@njit(**JIT)
def support_many(contact, block, coef, own, w, out, stride):
    """Support function at n points of `stride` friction rows each."""
    single = contact.shape[0] == 2
    for i in range(out.shape[0]):
        c = 0 if single else i
        out[i] = contact_support(contact, block, coef, own, c, i * stride - contact[c, ROW] - contact[c, HEAD], w)
