"""Friction whose sliding potential is another superellipse than its friction condition: the return to the condition.

A load x outside of  |f1 / (r a)|**q + |f2 / (r b)|**q <= 1  returns to the point f of that curve for which x - f is along the
gradient of the potential  |f1 / p1|**s + |f2 / p2|**s  at f.  A contact that obeys f = return(f - rho w) slides along that
gradient: hjiaj (12)-(17) with a roundness s of its own.  For s = q, p = (a, b) it is the nearest point.

Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

from numba import njit

from trundle.laws.kernels.curves import JIT, TINY

OBLIQUE = 8
MOST = 200  # iterations
FAR = 700.0  # of t, beyond which a point is on an axis


@njit(**JIT)
def oblique_section(a, b, q, p1, p2, s, x1, x2, r):
    """f1, f2 >= 0 to which the load x1, x2 >= 0 returns; the load itself where it is inside of the curve.

    The curve is f1 = r a u**(1/q), f2 = r b (1 - u)**(1/q), u = 1 / (1 + exp(-t)).  Between the points where f1 = x1 or
    f2 = x2 the logarithm of  (x1 - f1) f2**(s-1) / p2**s  over  (x2 - f2) f1**(s-1) / p1**s  falls with t: it has one root.
    """
    half1, half2 = r * a, r * b
    if half1 <= TINY or half2 <= TINY or x1 <= TINY or x2 <= TINY:  # flat, or on an axis
        flat1, flat2 = half1 <= TINY, half2 <= TINY
        return (0.0 if flat1 else min(x1, half1)), (0.0 if flat2 else min(x2, half2))
    g1, g2 = x1 / half1, x2 / half2
    large, small = max(g1, g2), min(g1, g2)
    if large <= 1.0 and large * (1.0 + (small / large) ** q) ** (1.0 / q) <= 1.0:
        return x1, x2
    # f1 = x1: u = g1**q; f2 = x2: 1 - u = g2**q
    upper = FAR if g1 >= 1.0 else _logit(g1**q)
    lower = -FAR if g2 >= 1.0 else -_logit(g2**q)
    t = min(max(q * math.log(g1 / g2), lower), upper)  # on the ray through x
    shift = s * (math.log(p1) - math.log(p2)) + (s - 1.0) * (math.log(half2) - math.log(half1))
    for _ in range(MOST):
        u, rest = 1.0 / (1.0 + math.exp(-t)), 1.0 / (1.0 + math.exp(t))
        f1, f2 = half1 * u ** (1.0 / q), half2 * rest ** (1.0 / q)
        left1, left2 = x1 - f1, x2 - f2
        if left1 <= 0.0 and left2 <= 0.0:
            break
        if left1 <= 0.0:
            upper = min(upper, t)
            moved = 0.5 * (lower + upper)
        elif left2 <= 0.0:
            lower = max(lower, t)
            moved = 0.5 * (lower + upper)
        else:
            # log(f2 / half2) - log(f1 / half1) = -t / q
            value = math.log(left1) - math.log(left2) - (s - 1.0) * t / q + shift
            if value > 0.0:
                lower = t
            else:
                upper = t
            slope = (f1 * rest / left1 + f2 * u / left2 + (s - 1.0)) / q
            moved = t + value / slope
            if not lower < moved < upper:
                moved = 0.5 * (lower + upper)
        if abs(moved - t) <= 1e-15 * (1.0 + abs(t)) or moved == lower == upper:
            t = moved
            break
        t = moved
    return half1 * (1.0 / (1.0 + math.exp(-t))) ** (1.0 / q), half2 * (1.0 / (1.0 + math.exp(t))) ** (1.0 / q)


@njit(**JIT)
def _logit(u):
    """t with u = 1 / (1 + exp(-t)), within the bounds of t."""
    if u <= TINY:
        return -FAR
    rest = 1.0 - u
    return FAR if rest <= TINY else math.log(u / rest)
