"""Contacts of spheres and clumps with convex bodies, and of two convex bodies at a known place.  Compiled; never raises."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.convex_kernels import climb, first_direction, polish
from trundle.detect.kernels import put
from trundle.detect.patch_kernels import CONTACTS, common, flatten, height, patch, thin_out
from trundle.detect.point_kernels import point_shape
from trundle.rotations import INNER, JIT

SPHERE, CAPSULE, CLUMP = 0, 6, 8
VERTEX, FACE, BALL = 0, 1, 3
APART = 0.05  # of the smaller body: how far bodies are kept apart while the normal is looked for


@njit(**INNER)
def tangents(nx, ny, nz, t1, t2):
    """Two unit vectors at right angles to n and to each other."""
    if abs(nx) <= abs(ny) and abs(nx) <= abs(nz):
        x, y, z = 1.0 - nx * nx, -nx * ny, -nx * nz
    elif abs(ny) <= abs(nz):
        x, y, z = -ny * nx, 1.0 - ny * ny, -ny * nz
    else:
        x, y, z = -nz * nx, -nz * ny, 1.0 - nz * nz
    length = math.sqrt(x * x + y * y + z * z)
    t1[0], t1[1], t1[2] = x / length, y / length, z / length
    t2[0] = ny * t1[2] - nz * t1[1]
    t2[1] = nz * t1[0] - nx * t1[2]
    t2[2] = nx * t1[1] - ny * t1[0]


@njit(**INNER)
def convex_normal(g, a, kind_a, size_a, Ra, b, kind_b, size_b, Rb, far, work):
    """The normal of two convex bodies, d apart: separation of their cores; normal in work.n, nearest points in work.near."""
    d, n = work.d, work.n
    Va, Fa, Vb, Fb = corners_of(g, a), planes_of(g, a), corners_of(g, b), planes_of(g, b)
    best = first_direction(kind_a, size_a, Ra, Va, Fa, kind_b, size_b, Rb, Vb, Fb, d, work.directions, n)
    if best > far:
        return best
    scale = min(core(g, a, kind_a, size_a), core(g, b, kind_b, size_b))
    climb(
        kind_a, size_a, Ra, Va, kind_b, size_b, Rb, Vb, d, best, APART * scale, n, work.W, work.P, work.share, work.near
    )  # fmt: skip
    return polish(kind_a, size_a, Ra, Va, Fa, kind_b, size_b, Rb, Vb, Fb, d, scale, n, work.vectors, work.newton)


@njit(**INNER)
def corners_of(g, i):
    """Corners of a polyhedron, own frame; none for other shapes."""
    return g.vertex[g.first[i, VERTEX] : g.first[i, VERTEX] + g.length[i, VERTEX]]


@njit(**INNER)
def planes_of(g, i):
    """Planes of a polyhedron's faces, own frame; none for other shapes."""
    return g.plane[g.first[i, FACE] : g.first[i, FACE] + g.length[i, FACE]]


@njit(**INNER)
def core(g, i, kind, size):
    """Size of a shape without its rounding [m]."""
    if kind == CAPSULE:
        return size[1]
    return g.radius[i]


@njit(**INNER)
def manifold(g, a, kind_a, size_a, Ra, b, kind_b, size_b, Rb, best, far, codes, work):
    """Contacts of two convex bodies with the normal work.n: places in work.spots (.., 4) = point, gap; returns their number.

    Points are relative to the centre of a; numbers in work.ids.
    """
    d, n = work.d, work.n
    round_a = size_a[0] if kind_a == CAPSULE else 0.0
    round_b = size_b[0] if kind_b == CAPSULE else 0.0
    rounding = round_a + round_b
    na = patch(g, a, kind_a, size_a, Ra, n[0], n[1], n[2], work.corners_a, work.ids_a, work.facing[0])
    nb = patch(g, b, kind_b, size_b, Rb, -n[0], -n[1], -n[2], work.corners_b, work.ids_b, work.facing[1])
    t1, t2 = work.tangents[0], work.tangents[1]
    tangents(n[0], n[1], n[2], t1, t2)
    flatten(na, work.corners_a, 0.0, 0.0, 0.0, t1, t2, n, work.facing[0], work.seen_a, work.slope[0])
    flatten(nb, work.corners_b, d[0], d[1], d[2], t1, t2, n, work.facing[1], work.seen_b, work.slope[1])
    scale = min(core(g, a, kind_a, size_a), core(g, b, kind_b, size_b))
    places, ids, gaps, spots = work.places, work.ids, work.gaps, work.spots
    m = common(na, work.seen_a, work.ids_a, nb, work.seen_b, work.ids_b, codes, 1e-6 * scale, places, ids)
    lowest = np.inf
    for i in range(m):
        x, y = places[i, 0], places[i, 1]
        gaps[i] = height(nb, work.seen_b, work.slope[1], x, y) - height(na, work.seen_a, work.slope[0], x, y) - rounding
        lowest = min(lowest, gaps[i])
    m = thin_out(m, places, ids, gaps, CONTACTS)
    count = 0
    for i in range(m):
        if gaps[i] >= far:
            continue
        x, y = places[i, 0], places[i, 1]
        z = height(na, work.seen_a, work.slope[0], x, y) + round_a + 0.5 * gaps[i]
        for k in range(3):
            spots[count, k] = x * t1[k] + y * t2[k] + z * n[k]
        spots[count, 3] = gaps[i]
        ids[count] = ids[i]
        count += 1
    if lowest > best - rounding + 1e-9 * scale:  # the nearest points are not among them
        shift = 0.5 * (round_a - round_b)
        for k in range(3):
            spots[count, k] = 0.5 * (work.near[0, k] + work.near[1, k]) + shift * n[k]
        spots[count, 3] = best - rounding
        ids[count] = 0
        count += 1
    return count


@njit(**INNER)
def ball_shape(g, a, p, Ra, cx, cy, cz, r, b, first_is_shape, far, feature, count, whole, real):
    """Contact of the convex body a with a ball of radius r at c that belongs to body b."""
    distance, nx, ny, nz, curve = point_shape(g, a, p, Ra, cx, cy, cz)
    gap = distance - r
    if gap >= far:
        return count
    along = r + 0.5 * gap
    x, y, z = cx - along * nx, cy - along * ny, cz - along * nz
    if first_is_shape:
        return put(count, whole, real, a, b, feature, x, y, z, nx, ny, nz, gap, curve, r)
    return put(count, whole, real, b, a, feature, x, y, z, -nx, -ny, -nz, gap, r, curve)


@njit(**INNER)
def ball_of(g, i, k, position, R):
    """Centre and radius of ball k of a sphere or clump, world frame."""
    p = position[i]
    if g.kind[i] == SPHERE:
        return p[0], p[1], p[2], g.size[i, 0]
    q, v = R[i], g.ball[g.first[i, BALL] + k]
    return (
        p[0] + q[0, 0] * v[0] + q[0, 1] * v[1] + q[0, 2] * v[2],
        p[1] + q[1, 0] * v[0] + q[1, 1] * v[1] + q[1, 2] * v[2],
        p[2] + q[2, 0] * v[0] + q[2, 1] * v[1] + q[2, 2] * v[2],
        v[3],
    )


@njit(**INNER)
def ball_pairs(g, a, b, position, R, far, count, whole, real):
    """Contacts of two bodies of which at least one is a clump and both are made of balls."""
    nb = 1 if g.kind[b] == SPHERE else g.length[b, BALL]
    for i in range(1 if g.kind[a] == SPHERE else g.length[a, BALL]):
        ax, ay, az, ra = ball_of(g, a, i, position, R)
        for j in range(nb):
            bx, by, bz, rb = ball_of(g, b, j, position, R)
            dx, dy, dz = bx - ax, by - ay, bz - az
            distance = math.sqrt(dx * dx + dy * dy + dz * dz)
            gap = distance - ra - rb
            if gap >= far:
                continue
            if distance > 0.0:
                dx /= distance
                dy /= distance
                dz /= distance
            else:
                dx, dy, dz = 0.0, 0.0, 1.0
            along = ra + 0.5 * gap
            count = put(
                count, whole, real, a, b, i * nb + j, ax + along * dx, ay + along * dy, az + along * dz, dx, dy, dz, gap,
                ra, rb,
            )  # fmt: skip
    return count


@njit(**JIT)
def ball_contacts(
    g, pairs, pair_count, mass, position, R, reach, margin, count, whole, real, wanted, candidates
):  # fmt: skip
    """Contacts of all near pairs with a ball in them but those of two spheres; the others are candidates (.., 4).

    Returns the numbers of contacts and of candidates = a, b, -1, -1; see `convex_kernels`.
    """
    for k in range(pair_count):
        a, b = pairs[k, 0], pairs[k, 1]
        if np.isinf(mass[a]) and np.isinf(mass[b]):
            continue
        kind_a, kind_b = g.kind[a], g.kind[b]
        round_a, round_b = kind_a == SPHERE or kind_a == CLUMP, kind_b == SPHERE or kind_b == CLUMP
        far = margin + reach[a] + reach[b]
        if kind_a == SPHERE and kind_b == SPHERE:
            continue
        if round_a and round_b:
            count = ball_pairs(g, a, b, position, R, far, count, whole, real)
        elif round_a or round_b:
            body, ball = (b, a) if round_a else (a, b)
            for i in range(1 if g.kind[ball] == SPHERE else g.length[ball, BALL]):
                x, y, z, r = ball_of(g, ball, i, position, R)
                count = ball_shape(
                    g, body, position[body], R[body], x, y, z, r, ball, body == a, far, i, count, whole, real
                )  # fmt: skip
        else:
            if wanted < candidates.shape[0]:
                candidates[wanted, 0] = a
                candidates[wanted, 1] = b
                candidates[wanted, 2] = -1
            wanted += 1
    return count, wanted
