"""Contacts of two convex bodies, and of a convex body with an edge of a mesh, compiled; never raises."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.mesh_kernels import REGIONS, corner_of, put_new
from trundle.detect.pair_kernels import convex_normal, corners_of, manifold
from trundle.detect.patch_kernels import curvature
from trundle.detect.support_kernels import separation
from trundle.rotations import INNER, JIT

DISK, CAPSULE = 4, 6
TRIANGLE = 4


@njit(**INNER)
def within_wedge(g, a, p, R, t, k, start, end, half, n):
    """Whether n lies between the normals of the two triangles at side k of t: a direction the edge can push in."""
    base = g.first[a, TRIANGLE]
    other = g.across[base + t, k]
    for s in range(2):
        if s == 1 and other < 0:
            break
        m = g.tilt[base + (t if s == 0 else other)]
        mx = R[0, 0] * m[0] + R[0, 1] * m[1] + R[0, 2] * m[2]
        my = R[1, 0] * m[0] + R[1, 1] * m[1] + R[1, 2] * m[2]
        mz = R[2, 0] * m[0] + R[2, 1] * m[1] + R[2, 2] * m[2]
        sign = 1.0 if s == 0 else -1.0
        ex, ey, ez = end[0] - start[0], end[1] - start[1], end[2] - start[2]
        # away from this triangle, in its plane; the other one sees the edge run the other way
        ox, oy, oz = ey * mz - ez * my, ez * mx - ex * mz, ex * my - ey * mx
        if sign * (n[0] * ox + n[1] * oy + n[2] * oz) < -1e-6 * half:
            return False
        if n[0] * mx + n[1] * my + n[2] * mz < -1e-6:
            return False
    return True


@njit(**INNER)
def turned_to_wedge(g, a, p, R, t, k, b, kind, size, Rb, best, work):
    """The separation of an edge of a mesh and body b along work.n, inf if the edge cannot push in this direction.

    A thin disk that the edge has come through a little looks the other way: its normal is turned round.
    """
    n = work.n
    for attempt in range(2):
        if within_wedge(g, a, p, R, t, k, work.triangle[0], work.triangle[1], work.edge_size[1], n):
            return best
        if attempt == 1 or kind != DISK:
            return np.inf
        for i in range(3):
            n[i] = -n[i]
        V = corners_of(g, b)
        best = separation(
            CAPSULE, work.edge_size, work.edge, V, kind, size, Rb, V, work.d[0], work.d[1], work.d[2], n[0], n[1], n[2]
        )
        if best < -0.05 * g.radius[b]:
            return np.inf
    return np.inf


@njit(**INNER)
def as_segment(g, a, p, R, t, k, q, reach, work):
    """Side k of triangle t as a capsule without radius: frame, size and middle in `work`; False if it is out of reach."""
    start, end = work.triangle[0], work.triangle[1]
    corner_of(g, a, t, k, p, R, start)
    corner_of(g, a, t, k + 1 if k < 2 else 0, p, R, end)
    E, size, middle = work.edge, work.edge_size, work.middle
    half = 0.0
    for i in range(3):
        middle[i] = 0.5 * (start[i] + end[i])
        E[i, 2] = 0.5 * (end[i] - start[i])
        half += E[i, 2] * E[i, 2]
    half = math.sqrt(half)
    size[0], size[1] = 0.0, half
    along, square = 0.0, 0.0
    for i in range(3):
        E[i, 2] /= half
        d = q[i] - middle[i]
        along += d * E[i, 2]
        square += d * d
    complete(E)
    beyond = max(0.0, abs(along) - half)
    return square - along * along + beyond * beyond < reach * reach


@njit(**INNER)
def complete(E):
    """The first two columns of a rotation whose third is given."""
    x, y, z = E[0, 2], E[1, 2], E[2, 2]
    if abs(x) <= abs(y) and abs(x) <= abs(z):
        ux, uy, uz = 1.0 - x * x, -x * y, -x * z
    elif abs(y) <= abs(z):
        ux, uy, uz = -y * x, 1.0 - y * y, -y * z
    else:
        ux, uy, uz = -z * x, -z * y, 1.0 - z * z
    length = math.sqrt(ux * ux + uy * uy + uz * uz)
    ux /= length
    uy /= length
    uz /= length
    E[0, 0], E[1, 0], E[2, 0] = ux, uy, uz
    E[0, 1], E[1, 1], E[2, 1] = y * uz - z * uy, z * ux - x * uz, x * uy - y * ux


@njit(**JIT)
def convex_contacts(g, candidates, wanted, position, R, reach, margin, codes, work, count, whole, real):
    """Contacts of candidates a, b, t, side: two convex bodies (t < 0), or a side of triangle t of mesh a and body b."""
    n = work.n
    begin = count
    for c in range(wanted):
        a, b, t, k = candidates[c, 0], candidates[c, 1], candidates[c, 2], candidates[c, 3]
        if c > 0 and (candidates[c - 1, 0] != a or candidates[c - 1, 1] != b):
            begin = count
        p, q, kind_b, size_b, Rb = position[a], position[b], g.kind[b], g.size[b], R[b]
        far = margin + reach[a] + reach[b]
        edge = t >= 0
        if edge and not as_segment(g, a, p, R[a], t, k, q, g.radius[b] + far, work):
            continue
        kind_a = CAPSULE if edge else g.kind[a]
        size_a, Ra = (work.edge_size, work.edge) if edge else (g.size[a], R[a])
        middle = work.middle if edge else p
        for i in range(3):
            work.d[i] = q[i] - middle[i]
        rounding = (size_a[0] if kind_a == CAPSULE else 0.0) + (size_b[0] if kind_b == CAPSULE else 0.0)
        body = b if edge else a
        best = convex_normal(g, body, kind_a, size_a, Ra, b, kind_b, size_b, Rb, far + rounding, work)
        if best - rounding >= far:
            continue
        if edge:
            best = turned_to_wedge(g, a, p, R[a], t, k, b, kind_b, size_b, Rb, best, work)
            if best == np.inf:
                continue
        curve_a = np.inf if edge else curvature(kind_a, size_a, Ra, n[0], n[1], n[2])
        curve_b = curvature(kind_b, size_b, Rb, n[0], n[1], n[2])
        mask = g.side[g.first[a, TRIANGLE] + t, k] if edge else 0
        for i in range(manifold(g, body, kind_a, size_a, Ra, b, kind_b, size_b, Rb, best, far, codes, work)):
            spot = work.spots[i]
            feature = work.ids[i]
            if edge:
                along = spot[0] * Ra[0, 2] + spot[1] * Ra[1, 2] + spot[2] * Ra[2, 2]
                if size_a[1] - abs(along) < 1e-6 * size_a[1] and not mask & (4 if along > 0.0 else 2):
                    continue  # a corner that another edge answers for
                feature = (t * REGIONS + 4 + k) * codes + i
            count = put_new(
                begin, count, whole, real, a, b, feature, middle[0] + spot[0], middle[1] + spot[1], middle[2] + spot[2],
                n[0], n[1], n[2], spot[3], curve_a, curve_b, 1e-6 * g.radius[b] if edge else 0.0,
            )  # fmt: skip
    return count
