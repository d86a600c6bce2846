"""Contacts of two convex bodies, and of a convex body with an edge of a mesh, compiled; never raises."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.contacts import put
from trundle.detect.kernels.convex import CLIMB, climb, first_direction, next_direction, polish
from trundle.detect.kernels.mesh import corner_of, put_new
from trundle.detect.kernels.near import SURE
from trundle.detect.kernels.patch import add_nearest, curvature, patch, spots_of
from trundle.detect.kernels.support import separation
from trundle.kernels.rotations import INNER
from trundle.kinds import BOX, CAPSULE, CLUMP, CONE, CYLINDER, DISK, POLYHEDRON, SPHERE

VERTEX, FACE, TRIANGLE = 0, 1, 4
DEEP = 1e-3  # of the smaller body: overlap from which on other normals are tried,
RESTARTS = 4  # so many
APART = 0.05  # of the smaller body: how far bodies are kept apart while the normal is looked for


@njit(**INNER)
def corners_of(s, i):
    """Corners of a polyhedron, own frame; none for other shapes."""
    return s.vertex[s.first[i, VERTEX] : s.first[i, VERTEX] + s.length[i, VERTEX]]


@njit(**INNER)
def planes_of(s, i):
    """Planes of a polyhedron's faces, own frame; none for other shapes."""
    return s.plane[s.first[i, FACE] : s.first[i, FACE] + s.length[i, FACE]]


@njit(**INNER)
def core(s, i, kind, size):
    """Size of a shape without its rounding [m]."""
    if kind == CAPSULE:
        return size[1]
    return s.radius[i]


@njit(**INNER)
def convex_normal(s, a, kind_a, size_a, Ra, b, kind_b, size_b, Rb, enough, scale, steps, search):
    """The normal of two convex bodies, d apart: separation of their cores; normal in search.n, nearest points in search.near.

    Stops early where the separation exceeds `enough`.  steps: of the climb.
    """
    d, n = search.d, search.n
    Va, Fa, Vb, Fb = corners_of(s, a), planes_of(s, a), corners_of(s, b), planes_of(s, b)
    best = first_direction(kind_a, size_a, Ra, Va, Fa, kind_b, size_b, Rb, Vb, Fb, d, search.directions, n)
    if best > enough:
        return best
    climb(
        kind_a, size_a, Ra, Va, kind_b, size_b, Rb, Vb, d, best, APART * scale, steps, n, search.W, search.P, search.share,
        search.near,
    )  # fmt: skip
    best = polish(kind_a, size_a, Ra, Va, Fa, kind_b, size_b, Rb, Vb, Fb, d, scale, n, search.vectors, search.newton)
    if best >= -DEEP * scale:
        return best
    # bodies that overlap may have several tops: climb from the next best directions, too
    top, near = np.empty(3), np.empty((2, 3))
    for m in range(3):
        top[m], near[0, m], near[1, m] = n[m], search.near[0, m], search.near[1, m]
    for _ in range(RESTARTS):
        first = next_direction(kind_a, size_a, Ra, Va, kind_b, size_b, Rb, Vb, d, search.directions, n)
        if first == -np.inf:
            break
        climb(
            kind_a, size_a, Ra, Va, kind_b, size_b, Rb, Vb, d, first, APART * scale, CLIMB, n, search.W, search.P, search.share,
            search.near,
        )  # fmt: skip
        value = polish(
            kind_a, size_a, Ra, Va, Fa, kind_b, size_b, Rb, Vb, Fb, d, scale, n, search.vectors, search.newton
        )
        if value > best + 1e-9 * scale:
            best = value
            for m in range(3):
                top[m], near[0, m], near[1, m] = n[m], search.near[0, m], search.near[1, m]
    for m in range(3):
        n[m], search.near[0, m], search.near[1, m] = top[m], near[0, m], near[1, m]
    return best


@njit(**INNER)
def manifold(s, a, kind_a, size_a, Ra, b, kind_b, size_b, Rb, best, scale, far, codes, search, work):
    """Contacts of two convex bodies with the normal search.n, see `spots_of`; best: separation of their cores.

    Returns their number, and whether the nearest points are among the common points of the patches: then n is right.
    """
    d, n = search.d, search.n
    round_a = size_a[0] if kind_a == CAPSULE else 0.0
    round_b = size_b[0] if kind_b == CAPSULE else 0.0
    na = patch(s, a, kind_a, size_a, Ra, n[0], n[1], n[2], work.corners[0], work.numbers[0], work.facing[0])
    nb = patch(s, b, kind_b, size_b, Rb, -n[0], -n[1], -n[2], work.corners[1], work.numbers[1], work.facing[1])
    count, lowest = spots_of(na, nb, d[0], d[1], d[2], n[0], n[1], n[2], round_a, round_b, scale, far, codes, work)
    gap = best - round_a - round_b
    if lowest <= gap + 1e-9 * scale:
        return count, True
    return add_nearest(count, search.near, n[0], n[1], n[2], gap, round_a, round_b, work), False


@njit(**INNER)
def within_wedge(g, a, R, t, k, start, end, half, n):
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
def turned_to_wedge(g, s, a, R, t, k, b, kind, size, Rb, best, search, on):
    """The separation of an edge of a mesh and body b along search.n, inf if the edge cannot push in this direction.

    A thin disk that the edge has come through a little looks the other way: its normal is turned round.
    """
    n, d = search.n, search.d
    for attempt in range(2):
        if within_wedge(g, a, R, t, k, on.triangle[0], on.triangle[1], on.edge_size[1], n):
            return best
        if attempt == 1 or kind != DISK:
            return np.inf
        for i in range(3):
            n[i] = -n[i]
        V = corners_of(s, b)
        best = separation(CAPSULE, on.edge_size, on.edge, V, kind, size, Rb, V, d[0], d[1], d[2], n[0], n[1], n[2])
        if best < -0.05 * g.radius[b]:
            return np.inf
    return np.inf


@njit(**INNER)
def as_segment(g, a, p, R, t, k, q, reach, on):
    """Side k of triangle t as a capsule without radius: frame, size and middle in `on`; False if it is out of reach."""
    start, end = on.triangle[0], on.triangle[1]
    corner_of(g, a, t, k, p, R, start)
    corner_of(g, a, t, k + 1 if k < 2 else 0, p, R, end)
    E, size, middle = on.edge, on.edge_size, on.middle
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
    beyond = max(0.0, abs(along) - half)
    if square - along * along + beyond * beyond >= reach * reach:
        return False
    complete(E)
    return True


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


@njit(**INNER)
def is_general(kind_a, kind_b):
    """Whether a pair of convex bodies is none that `capsules`, `ellipsoids` or `polytopes` answer for, nor has balls."""
    if kind_a == SPHERE or kind_b == SPHERE or kind_a == CLUMP or kind_b == CLUMP:
        return False
    flat_a, flat_b = kind_a == BOX or kind_a == POLYHEDRON, kind_b == BOX or kind_b == POLYHEDRON
    return not (flat_a and flat_b) and (kind_a != kind_b or kind_a == DISK or kind_a == CYLINDER or kind_a == CONE)


@njit(**INNER)
def convex_contacts(s, placed, search, work, pairs, axis, pair_count, codes, count, whole, real):
    """Contacts among near pairs of all other convex bodies; axis (.., 3): a direction for each, kept from step to step."""
    position, R = placed.position, placed.R
    d, n = search.d, search.n
    for k in range(pair_count):
        a, b = pairs[k, 0], pairs[k, 1]
        kind_a, kind_b = s.kind[a], s.kind[b]
        if not is_general(kind_a, kind_b) or (placed.held[a] and placed.held[b]):
            continue
        for i in range(3):
            d[i] = position[b, i] - position[a, i]
        size_a, size_b, Ra, Rb, known = s.size[a], s.size[b], R[a], R[b], axis[k]
        rounding = (size_a[0] if kind_a == CAPSULE else 0.0) + (size_b[0] if kind_b == CAPSULE else 0.0)
        far, scale = (
            placed.margin + placed.reach[a] + placed.reach[b],
            min(core(s, a, kind_a, size_a), core(s, b, kind_b, size_b)),
        )
        enough = far + rounding + SURE * scale
        x, y, z = known[0], known[1], known[2]
        if x != 0.0 or y != 0.0 or z != 0.0:
            Va, Vb = corners_of(s, a), corners_of(s, b)
            if separation(kind_a, size_a, Ra, Va, kind_b, size_b, Rb, Vb, d[0], d[1], d[2], x, y, z) > enough:
                continue
        best, spots = 0.0, 0
        for attempt in range(2):  # most often the first step of the climb is enough, and the patches tell
            steps = CLIMB if attempt else 1
            best = convex_normal(s, a, kind_a, size_a, Ra, b, kind_b, size_b, Rb, enough, scale, steps, search)
            if best - rounding >= far:
                break
            spots, sure = manifold(
                s, a, kind_a, size_a, Ra, b, kind_b, size_b, Rb, best, scale, far, codes, search, work
            )  # fmt: skip
            if sure and best > -APART * scale:
                break
        for i in range(3):
            known[i] = n[i]
        if best - rounding >= far:
            continue
        curve_a, curve_b = (
            curvature(kind_a, size_a, Ra, n[0], n[1], n[2]),
            curvature(kind_b, size_b, Rb, n[0], n[1], n[2]),
        )
        p = position[a]
        for i in range(spots):
            spot = work.spots[i]
            count = put(
                count, whole, real, a, b, work.ids[i], p[0] + spot[0], p[1] + spot[1], p[2] + spot[2], n[0], n[1], n[2],
                spot[3], curve_a, curve_b,
            )  # fmt: skip
    return count


@njit(**INNER)
def edge_contacts(g, s, placed, search, work, on, wanted, codes, count, whole, real):
    """Contacts of on.candidates a, b, t, side: a side of triangle t of mesh a, and the convex body b."""
    position, R = placed.position, placed.R
    d, n, size, E, middle = search.d, search.n, on.edge_size, on.edge, on.middle
    begin = count
    for c in range(wanted):
        a, b, t, k = on.candidates[c, 0], on.candidates[c, 1], on.candidates[c, 2], on.candidates[c, 3]
        if c > 0 and (on.candidates[c - 1, 0] != a or on.candidates[c - 1, 1] != b):
            begin = count
        q, kind, size_b, Rb = position[b], s.kind[b], s.size[b], R[b]
        far = placed.margin + placed.reach[a] + placed.reach[b]
        if not as_segment(g, a, position[a], R[a], t, k, q, s.radius[b] + far, on):
            continue
        for i in range(3):
            d[i] = q[i] - middle[i]
        rounding = size_b[0] if kind == CAPSULE else 0.0
        scale = min(size[1], core(s, b, kind, size_b))
        best = convex_normal(s, b, CAPSULE, size, E, b, kind, size_b, Rb, far + rounding, scale, CLIMB, search)
        if best - rounding >= far:
            continue
        best = turned_to_wedge(g, s, a, R[a], t, k, b, kind, size_b, Rb, best, search, on)
        if best == np.inf:
            continue
        curve = curvature(kind, size_b, Rb, n[0], n[1], n[2])
        mask = g.side[g.first[a, TRIANGLE] + t, k]
        spots, sure = manifold(s, b, CAPSULE, size, E, b, kind, size_b, Rb, best, scale, far, codes, search, work)
        for i in range(spots):
            spot = work.spots[i]
            along = spot[0] * E[0, 2] + spot[1] * E[1, 2] + spot[2] * E[2, 2]
            if size[1] - abs(along) < 1e-6 * size[1] and not mask & (4 if along > 0.0 else 2):
                continue  # a corner that another edge answers for
            count = put_new(
                begin, count, whole, real, g, a, b, t, 4 + k, i, middle[0] + spot[0], middle[1] + spot[1], middle[2] + spot[2],
                n[0], n[1], n[2], spot[3], curve, 1e-6 * s.radius[b],
            )  # fmt: skip
    return count
