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

from trundle.laws.curves import (
    CONTENSOU,
    INLINE,
    JIT,
    SUPERELLIPSE,
    TINY,
    advance,
    arc,
    contensou_ball,
    curve_section,
    diamond_section,
    far_parameter,
    first_guess,
    half_axes,
    nearest,
    settled,
    surely_inside,
)
from trundle.laws.own import own_project, own_support
from trundle.laws.series import series_section, series_support

FREE = 0
DISK = 1
DIAMOND = 3
CONTENSOU_SERIES = 5
OWN = 6

ROW, BLOCK, HEAD, PLAIN = 0, 1, 2, 3  # columns of `contact`
KIND, FIRST, SIZE, SLOT = 0, 1, 2, 3  # columns of `block`


@njit(**INLINE)
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
def other_support(block, coef, own, b, base, w):
    """Support function of a block that is no disk."""
    kind = block[b, KIND]
    first = block[b, FIRST] + base
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


@njit(**INLINE)
def block_support(block, coef, own, b, base, w):
    """Support function sigma(w) of one block."""
    if block[b, KIND] == DISK:
        return coef[b, 0] * block_norm(w, block[b, FIRST] + base, block[b, SIZE])
    return other_support(block, coef, own, b, base, w)


@njit(**JIT)
def other_section(block, coef, own, b, base, x, r, out, t):
    """As `section`, for a block that is no disk."""
    kind = block[b, KIND]
    first = block[b, FIRST] + base
    size = block[b, SIZE]
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
    if kind == DIAMOND:
        f1, f2, g, dg = diamond_section(coef[b, 0], coef[b, 1], x1, x2, r)
    else:
        f1, f2, g, dg, t = curve_section(kind, coef[b, 0], coef[b, 1], coef[b, 2], x1, x2, r, t)
    out[first] = math.copysign(f1, x[first])
    out[first + 1] = math.copysign(f2, x[first + 1])
    return g, dg, t


@njit(**INLINE)
def section(block, coef, own, b, base, x, r, out, t):
    """Project one block of x onto r C.  Returns g(r) = sigma(x - f), dg/dr (NaN if unknown), and a curve's t.

    g is minus the slope in r of half the squared distance to r C; the projection onto the cone is its root.
    x and out may be the same array; g is then moot for a law of the user's.
    """
    if block[b, KIND] != DISK:
        return other_section(block, coef, own, b, base, x, r, out, t)
    first = block[b, FIRST] + base
    size = block[b, SIZE]
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


@njit(**INLINE)
def disks_root(contact, block, coef, c, base, x, top, slope):
    """Root r >= 0 of  slope r - top - sum_b mu_b max(0, |x_b| - mu_b r)  over the disks and intervals of a contact.

    Returns r and the slope there.  The function is increasing, concave and piecewise linear: Newton from the left
    ends in at most one step per block.
    """
    begin = contact[c, BLOCK]
    end = contact[c + 1, BLOCK]
    all_top = top
    all_slope = slope
    for b in range(begin, end):
        if block[b, KIND] == DISK:
            mu = coef[b, 0]
            all_top += mu * block_norm(x, block[b, FIRST] + base, block[b, SIZE])
            all_slope += mu * mu
    if all_top <= 0.0:
        return 0.0, all_slope
    r = max(all_top / all_slope, top / slope)
    there = all_slope
    for _ in range(end - begin):
        some_top = top
        there = slope
        for b in range(begin, end):
            if block[b, KIND] == DISK:
                mu = coef[b, 0]
                norm = block_norm(x, block[b, FIRST] + base, block[b, SIZE])
                if norm > mu * r:
                    some_top += mu * norm
                    there += mu * mu
        moved = some_top / there
        if moved <= r:
            break
        r = moved
    return r, there


@njit(**INLINE)
def place_disks(contact, block, coef, c, base, x, r, out):
    """Write r and the projections of the disks and intervals of x onto those of size r."""
    out[contact[c, ROW] + base] = r
    for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
        if block[b, KIND] == DISK:
            first = block[b, FIRST] + base
            size = block[b, SIZE]
            norm = block_norm(x, first, size)
            radius = coef[b, 0] * r
            factor = 1.0 if norm <= radius else radius / norm
            for i in range(first, first + size):
                out[i] = x[i] * factor


@njit(**JIT)
def nearest_on_cone(contact, block, coef, c, base, x, kind, a, b, q, x_n, x1, x2, t):
    """r, f1, f2 of the projection onto a cone over one curve and disks, outside of which x is, from a first guess t.

    Each point of the curve has its best r, the root of  r - x_n - c . (x - r c) - (disks), see `disks_root`; where
    that leaves x - r c along the normal, all conditions hold.  r = 0: x is in the polar cone, if t started at the
    far limit.  r = NaN: x is on the cone, up to round-off.
    """
    lower = -np.inf
    upper = np.inf
    scale = max(x1, x2)
    smooth = contact[c + 1, BLOCK] == contact[c, BLOCK] + 1  # disks that start or stop to bind leave kinks
    r = 0.0
    for iteration in range(200):
        c1, c2, d1, d2, share1, share2, rise = arc(kind, a, b, q, t)
        r, slope = disks_root(contact, block, coef, c, base, x, x_n + c1 * x1 + c2 * x2, 1.0 + c1 * c1 + c2 * c2)
        if r <= 0.0 and iteration == 0:
            return 0.0, 0.0, 0.0
        growth = (d1 * x1 + d2 * x2 - 2.0 * r * (c1 * d1 + c2 * d2)) / slope if r > 0.0 else 0.0
        if x1 <= r * c1 and x2 <= r * c2:
            return np.nan, x1, x2
        moved, lower, upper, newton = advance(
            c1, c2, share1, share2, rise, r, x1, x2, r * d1 + growth * c1, r * d2 + growth * c2,
            t, lower, upper, iteration,
        )  # fmt: skip
        change = abs(moved - t)
        t = moved
        if settled(newton, smooth, change, change * r * max(d1, -d2), rise, scale, lower, upper, t):
            break
    c1, c2, d1, d2, share1, share2, rise = arc(kind, a, b, q, t)
    r, slope = disks_root(contact, block, coef, c, base, x, x_n + c1 * x1 + c2 * x2, 1.0 + c1 * c1 + c2 * c2)
    return r, r * c1, r * c2


@njit(**JIT)
def curve_on_cone(contact, block, coef, c, base, x, kind, a, b, q, x_n, x1, x2):
    """r, f1, f2 of the projection of (x_n, x1, x2, disks), x1, x2 >= 0, onto the cone over one curve and disks."""
    half1, half2 = half_axes(kind, a, b)
    alone, _ = disks_root(contact, block, coef, c, base, x, x_n, 1.0)  # r without the curve
    flat1 = half1 <= TINY or x1 <= TINY
    if flat1 or half2 <= TINY or x2 <= TINY:  # an axis or a flat set: an interval
        half = half2 if flat1 else half1
        along = x2 if flat1 else x1
        r = alone
        if along > half * r:
            r, _ = disks_root(contact, block, coef, c, base, x, x_n + half * along, 1.0 + half * half)
            along = half * r
        across = 0.0 if (half1 if flat1 else half2) <= TINY or r <= 0.0 else (x1 if flat1 else x2)
        return (r, across, along) if flat1 else (r, along, across)
    if alone > 0.0:
        inside = surely_inside(kind, q, x1 / half1, x2 / half2, alone)
        if inside == 1:
            return alone, x1, x2
        # r of the ray through x, if the boundary were the rectangle's
        gauge = max(x1 / half1, x2 / half2)
        square = (x1 * x1 + x2 * x2) / gauge
        r, _ = disks_root(contact, block, coef, c, base, x, x_n + square, 1.0 + square / gauge)
        t = first_guess(kind, a, b, q, x1, x2, r)
        if inside == 0:
            t, within = nearest(kind, a, b, q, x1, x2, alone, first_guess(kind, a, b, q, x1, x2, alone))
            if within:
                return alone, x1, x2
    else:
        t = far_parameter(kind, a, b, q, x1, x2)
    r, f1, f2 = nearest_on_cone(contact, block, coef, c, base, x, kind, a, b, q, x_n, x1, x2, t)
    return alone if math.isnan(r) else r, f1, f2


@njit(**JIT)
def project_curved(contact, block, coef, c, curved, base, x, out):
    """Project one contact onto a cone over one curve (block `curved`), disks and intervals."""
    kind = block[curved, KIND]
    first = block[curved, FIRST] + base
    x_n = x[contact[c, ROW] + base]
    a = coef[curved, 0]
    b = coef[curved, 1]
    if kind == CONTENSOU:
        x1 = block_norm(x, first, 2)
        x2 = abs(x[first + 2])
        r, f1, f2 = curve_on_cone(contact, block, coef, c, base, x, kind, a, b, 0.0, x_n, x1, x2)
        factor = f1 / x1 if x1 > 0.0 else 0.0
        out[first] = x[first] * factor
        out[first + 1] = x[first + 1] * factor
        out[first + 2] = math.copysign(f2, x[first + 2])
    else:
        x1 = abs(x[first])
        x2 = abs(x[first + 1])
        r, f1, f2 = curve_on_cone(contact, block, coef, c, base, x, kind, a, b, coef[curved, 2], x_n, x1, x2)
        out[first] = math.copysign(f1, x[first])
        out[first + 1] = math.copysign(f2, x[first + 1])
    place_disks(contact, block, coef, c, base, x, r, out)


@njit(**JIT)
def project_general(contact, block, coef, own, c, base, x, out):
    """Project one contact onto its cone, whatever the blocks.

    The normal part is the root of the increasing function  r - x_n - sum_b g_b(r): Newton inside a bracket.  A law of
    the user's gives no derivative: the first step treats its section as if round, the others are secants.
    """
    n = contact[c, ROW] + base
    begin = contact[c, BLOCK]
    end = contact[c + 1, BLOCK]
    top = x[n]
    for b in range(begin, end):
        top += block_support(block, coef, own, b, base, x)
    if top <= 0.0:
        for i in range(n, contact[c + 1, ROW] + base):
            out[i] = 0.0
        return
    lower = max(0.0, x[n])
    upper = top
    r = lower if lower > 0.0 else top
    t = np.nan
    last_r = np.nan
    last_value = np.nan
    scale = abs(x[n]) + top
    for iteration in range(200):
        value = r - x[n]
        slope = 1.0
        guessed = False
        for b in range(begin, end):
            g, dg, t = section(block, coef, own, b, base, x, r, out, t)
            value -= g
            if math.isnan(dg):
                guessed = True
                length = block_norm(out, block[b, FIRST] + base, block[b, SIZE]) / r if g > 0.0 else 0.0
                dg = -length * length
            slope -= dg
        if abs(value) <= 1e-16 * scale:
            break
        if value < 0.0:
            lower = r
        else:
            upper = r
        if guessed and iteration > 0 and r != last_r:
            slope = max((value - last_value) / (r - last_r), 1.0)
        moved = r - value / slope
        if not (lower <= moved <= upper) or iteration > 60:
            moved = 0.5 * (lower + upper)
        if abs(moved - r) <= 2e-16 * upper:
            break
        last_r = r
        last_value = value
        r = moved
    out[n] = r


@njit(**INLINE)
def project_disks(contact, block, coef, c, base, x, out):
    """Project one contact onto a cone whose blocks are disks and intervals, in closed form.

    These are the cases (68)-(70) of Acary & Bourrier (2021), Proposition 5.2, and of Tasora & Anitescu (2013),
    appendix C, tested in the order that makes them exclusive.
    """
    r, _ = disks_root(contact, block, coef, c, base, x, x[contact[c, ROW] + base], 1.0)
    place_disks(contact, block, coef, c, base, x, r, out)


@njit(**JIT)
def project_other(contact, block, coef, own, c, base, x, out):
    """As `project_contact`, for a contact that is no cone of disks."""
    begin = contact[c, BLOCK]
    end = contact[c + 1, BLOCK]
    if contact[c, HEAD] == 0:
        for b in range(begin, end):
            section(block, coef, own, b, base, x, 1.0, out, np.nan)
        return
    curved = begin
    for b in range(begin, end):
        kind = block[b, KIND]
        if kind == SUPERELLIPSE or kind == CONTENSOU:
            curved = b
        elif kind != DISK:
            project_general(contact, block, coef, own, c, base, x, out)
            return
    project_curved(contact, block, coef, c, curved, base, x, out)


@njit(**INLINE)
def project_contact(contact, block, coef, own, c, base, x, out):
    """Project the rows of one contact onto its cone K, written to `out`."""
    if contact[c, PLAIN] == 1:
        project_disks(contact, block, coef, c, base, x, out)
    else:
        project_other(contact, block, coef, own, c, base, x, out)


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


@njit(**INLINE)
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
