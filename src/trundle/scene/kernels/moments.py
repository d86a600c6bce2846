"""Moments of a union of balls, compiled; never raises."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import JIT

TURN = 2.0 * math.pi


@njit(**JIT)
def arc_moments(x, y, r, a, b, out):
    """Add an arc of a circle, from angle a to b counterclockwise, to the moments 1, x, y, xx, xy, yy of its region.

    Green's theorem: integrals of x dy, x^2/2 dy, -y^2/2 dx, x^3/3 dy, x^2 y/2 dy, -y^3/3 dx along the boundary.
    """
    sa, ca, sb, cb = math.sin(a), math.cos(a), math.sin(b), math.cos(b)
    t = b - a
    s1, c1 = sb - sa, cb - ca  # integrals of cos, and of -sin
    cc = 0.5 * (t + sb * cb - sa * ca)  # cos^2
    ss = t - cc
    cs = 0.5 * (sb * sb - sa * sa)  # cos sin
    ccc = s1 - (sb * sb * sb - sa * sa * sa) / 3.0
    sss = -c1 + (cb * cb * cb - ca * ca * ca) / 3.0
    ccs = -(cb * cb * cb - ca * ca * ca) / 3.0
    cccc = (3.0 * t + 4.0 * (sb * cb - sa * ca) + (math.sin(4 * b) - math.sin(4 * a)) / 4.0) / 8.0
    ssss = (3.0 * t - 4.0 * (sb * cb - sa * ca) + (math.sin(4 * b) - math.sin(4 * a)) / 4.0) / 8.0
    cccs = -(cb**4 - ca**4) / 4.0
    out[0] += r * (x * s1 + r * cc)
    out[1] += 0.5 * r * (x * x * s1 + 2.0 * x * r * cc + r * r * ccc)
    out[2] += 0.5 * r * (-y * y * c1 + 2.0 * y * r * ss + r * r * sss)
    out[3] += r / 3.0 * (x**3 * s1 + 3.0 * x * x * r * cc + 3.0 * x * r * r * ccc + r**3 * cccc)
    out[5] += r / 3.0 * (-(y**3) * c1 + 3.0 * y * y * r * ss + 3.0 * y * r * r * sss + r**3 * ssss)
    # x^2 y / 2 dy with x = x0 + r c, y = y0 + r s, dy = r c dt
    out[4] += (
        0.5
        * r
        * (y * (x * x * s1 + 2.0 * x * r * cc + r * r * ccc) + r * (x * x * cs + 2.0 * x * r * ccs + r * r * cccs))
    )


@njit(**JIT)
def slice_moments(z, centre, radius, cut, start, end, out):
    """Moments 1, x, y, xx, xy, yy of the union of balls cut at height z, written to out (6,)."""
    for k in range(6):
        out[k] = 0.0
    n = radius.shape[0]
    for i in range(n):
        s = radius[i] * radius[i] - (z - centre[i, 2]) ** 2
        cut[i] = math.sqrt(s) if s > 0.0 else 0.0
    for i in range(n):
        r = cut[i]
        if r == 0.0:
            continue
        count = 0
        hidden = False
        for j in range(n):
            if j == i or cut[j] == 0.0:
                continue
            dx, dy = centre[j, 0] - centre[i, 0], centre[j, 1] - centre[i, 1]
            d = math.sqrt(dx * dx + dy * dy)
            if d >= r + cut[j] or r - cut[j] >= d > 0.0 or (d == 0.0 and cut[j] < r):
                continue
            if d <= cut[j] - r:
                # the same circle twice counts once
                if d > 0.0 or cut[j] > r or j < i:
                    hidden = True
                    break
                continue
            half = math.acos(min(1.0, max(-1.0, (d * d + r * r - cut[j] * cut[j]) / (2.0 * d * r))))
            middle = math.atan2(dy, dx)
            a = (middle - half) % TURN
            b = a + 2.0 * half
            if b > TURN:
                start[count], end[count] = a, TURN
                start[count + 1], end[count + 1] = 0.0, b - TURN
                count += 2
            else:
                start[count], end[count] = a, b
                count += 1
        if hidden:
            continue
        # what the covered intervals leave of the circle, from one to the next
        at = 0.0
        while True:
            nearest, reach = TURN, at
            for k in range(count):
                if start[k] <= at and end[k] > reach:
                    reach = end[k]
                elif start[k] > at and start[k] < nearest:
                    nearest = start[k]
            if reach > at:
                at = reach
                if at >= TURN:
                    break
                continue
            arc_moments(centre[i, 0], centre[i, 1], r, at, nearest, out)
            if nearest >= TURN:
                break
            at = nearest


@njit(**JIT)
def union_moments(breaks, node, weight, centre, radius):
    """Moments 1, x, y, z, xx, xy, xz, yy, yz, zz of a union of balls by Gauss' rule between heights of kinks.

    node, weight: Gauss-Legendre on (0, 1).  Heights go as a cosine within an interval, which takes the square roots at
    its ends away: the rule converges as for analytic functions.
    """
    n = radius.shape[0]
    cut, start, end, area = np.empty(n), np.empty(2 * n + 2), np.empty(2 * n + 2), np.empty(6)
    total = np.zeros(10)
    for k in range(breaks.shape[0] - 1):
        low, high = breaks[k], breaks[k + 1]
        for m in range(node.shape[0]):
            z = 0.5 * (low + high) - 0.5 * (high - low) * math.cos(math.pi * node[m])
            w = weight[m] * 0.5 * (high - low) * math.pi * math.sin(math.pi * node[m])
            slice_moments(z, centre, radius, cut, start, end, area)
            total[0] += w * area[0]
            total[1] += w * area[1]
            total[2] += w * area[2]
            total[3] += w * area[0] * z
            total[4] += w * area[3]
            total[5] += w * area[4]
            total[6] += w * area[1] * z
            total[7] += w * area[5]
            total[8] += w * area[2] * z
            total[9] += w * area[0] * z * z
    return total
