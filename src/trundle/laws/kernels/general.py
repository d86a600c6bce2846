"""Projections of laws that are more than disks: curves, rhombi, joints, and laws that users wrote.

These functions are long, and a compiled function carries a copy of all that it calls.  So they are compiled once, on
their own, and the kernels of `trundle.laws.kernels` call them by address.

Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from numba import cfunc, njit

from trundle.laws.kernels.curves import (
    CONTENSOU,
    JIT,
    SUPERELLIPSE,
    TINY,
    UNIFORM,
    advance,
    arc,
    ball,
    below_tangent,
    curve_section,
    diamond_section,
    far_parameter,
    first_guess,
    half_axes,
    nearest,
    settled,
    surely_inside,
)
from trundle.laws.kernels.oblique import OBLIQUE, oblique_section
from trundle.laws.kernels.own import GENERAL_PROJECT, GENERAL_SECTION, GENERAL_SUPPORT
from trundle.laws.kernels.sections import (
    BLOCK,
    CONTENSOU_SERIES,
    DIAMOND,
    DISK,
    FIRST,
    FREE,
    HEAD,
    KIND,
    ROW,
    SIZE,
    block_norm,
    block_support,
    disks_root,
    place_disks,
    section,
)
from trundle.laws.kernels.series import series_section, series_support

_kept: set[int] = set()  # an address is good as long as its function lives


def general_support(block, coef, own, b, base, w):
    """Support function of a block that is no disk."""
    kind = block[b, KIND]
    first = block[b, FIRST] + base
    if kind == FREE:
        return 0.0
    if kind == SUPERELLIPSE or kind == OBLIQUE:
        s = coef[b, 2] / (coef[b, 2] - 1.0)
        x1 = coef[b, 0] * abs(w[first])
        x2 = coef[b, 1] * abs(w[first + 1])
        large = max(x1, x2)
        if large == 0.0:
            return 0.0
        return large * (1.0 + (min(x1, x2) / large) ** s) ** (1.0 / s)
    if kind == DIAMOND:
        return max(coef[b, 0] * abs(w[first]), coef[b, 1] * abs(w[first + 1]))
    slide = block_norm(w, first, 2)
    spin = coef[b, 1] * abs(w[first + 2])
    if kind == CONTENSOU_SERIES:
        return coef[b, 0] * series_support(slide, spin)
    if spin <= 1e-150 * slide:
        return coef[b, 0] * slide
    return coef[b, 0] * spin * ball(kind, slide / spin)[0]


@njit(**JIT)
def block_section(block, coef, own, b, base, x, r, out, t):
    """As `section`, for a block that is no disk."""
    kind = block[b, KIND]
    first = block[b, FIRST] + base
    size = block[b, SIZE]
    if kind == FREE:
        for i in range(first, first + size):
            out[i] = x[i]
        return 0.0, 0.0, t
    if kind == CONTENSOU or kind == UNIFORM or kind == CONTENSOU_SERIES:
        slide = block_norm(x, first, 2)
        spin = abs(x[first + 2])
        if kind != CONTENSOU_SERIES:
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
    if kind == OBLIQUE:
        f1, f2 = oblique_section(coef[b, 0], coef[b, 1], coef[b, 2], coef[b, 3], coef[b, 4], coef[b, 5], x1, x2, r)
        g, dg = np.nan, np.nan
    elif kind == DIAMOND:
        f1, f2, g, dg = diamond_section(coef[b, 0], coef[b, 1], x1, x2, r)
    else:
        f1, f2, g, dg, t = curve_section(kind, coef[b, 0], coef[b, 1], coef[b, 2], x1, x2, r, t)
    out[first] = math.copysign(f1, x[first])
    out[first + 1] = math.copysign(f2, x[first + 1])
    return g, dg, t


def general_section(block, coef, own, b, base, x, r, out, t, result):
    """As `block_section`, with g, dg/dr and t written to `result`."""
    result[0], result[1], result[2] = block_section(block, coef, own, b, base, x, r, out, t)


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
        stop = settled(newton, smooth, moved, t, r * max(d1, -d2), rise, scale, lower, upper)
        t = moved
        if stop:
            break
    c1, c2, d1, d2, share1, share2, rise = arc(kind, a, b, q, t)
    r, slope = disks_root(contact, block, coef, c, base, x, x_n + c1 * x1 + c2 * x2, 1.0 + c1 * c1 + c2 * c2)
    if r > 0.0 and below_tangent(c1, c2, share1, share2, x1, x2, r):
        return np.nan, x1, x2
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
            near, within = nearest(kind, a, b, q, x1, x2, alone, first_guess(kind, a, b, q, x1, x2, alone))
            c1, c2, d1, d2, share1, share2, rise = arc(kind, a, b, q, near)
            if within or below_tangent(c1, c2, share1, share2, x1, x2, alone):
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
    if kind != SUPERELLIPSE:
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
def square(x, first, size):
    """Squared Euclidean norm of a block of any size."""
    total = 0.0
    for i in range(first, first + size):
        total += x[i] * x[i]
    return total


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
            g, dg, t = section(block, coef, own, b, base, x, r, out, t if end == begin + 1 else np.nan)
            value -= g
            if math.isnan(dg):
                guessed = True
                dg = -square(out, block[b, FIRST] + base, block[b, SIZE]) / (r * r) if g > 0.0 else 0.0
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


def general_project(contact, block, coef, own, c, base, x, out):
    """As `project_contact`, for a contact that is no cone of disks."""
    begin = contact[c, BLOCK]
    end = contact[c + 1, BLOCK]
    if contact[c, HEAD] == 0:
        for b in range(begin, end):
            section(block, coef, own, b, base, x, 1.0, out, np.nan)
        return
    curved, curves = begin, 0
    for b in range(begin, end):
        kind = block[b, KIND]
        curve = kind == SUPERELLIPSE or kind == CONTENSOU or kind == UNIFORM
        if curve:
            curved = b
            curves += 1
        if curves > 1 or not (curve or kind == DISK):
            project_general(contact, block, coef, own, c, base, x, out)
            return
    project_curved(contact, block, coef, c, curved, base, x, out)


@functools.cache
def compiled():
    """The three functions behind the addresses, compiled when first asked for."""
    pairs = ((GENERAL_SECTION, general_section), (GENERAL_SUPPORT, general_support), (GENERAL_PROJECT, general_project))
    return tuple(cfunc(signature, **JIT)(function) for signature, function in pairs)


def addresses(pairs):
    """The array `own` of a problem whose users' laws are the (project, support) pairs of compiled functions."""
    functions = [*compiled(), *(function for pair in pairs for function in pair)]
    _kept.update(functions)
    return np.array([function.address for function in functions], np.int64)
