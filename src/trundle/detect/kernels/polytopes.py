"""The normal of two convex polyhedra (boxes among them) by separating axes, compiled; never raises.

The gap along n (`kernels.convex`) has its tops at normals of faces of a or b and at cross products of two edges whose arcs
on the sphere of normals cross (Gottschalk et al. 1996; Gregorius 2013).  Where bodies overlap, the best of them is the
shortest way to separate them.  Where they are apart, it is their distance unless a corner is nearest to a corner or an
edge; then Gilbert, Johnson & Keerthi's algorithm finds it.

Most axes need no look at corners: a body holds a ball of radius `inner` around its centre, so the gap along an axis is at
most the height of the other centre over the face or edge, less `inner`.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.contacts import put
from trundle.detect.kernels.near import SURE
from trundle.detect.kernels.patch import EDGE, FACE, FACING, LEANING, MOST, POLYHEDRON, VERTEX, add_nearest, spots_of
from trundle.detect.kernels.support import gjk
from trundle.kernels.rotations import INNER

TIE = 1e-11  # of the smaller body: what a later axis must be better by
CORNER = 1e-9  # of the smaller body: what a distance must be larger by than the best axis


@njit(**INNER)
def turn(R, i, source, k, out, m):
    """Row k of `source` in world axes of body i, written to row m of `out`."""
    x, y, z = source[k, 0], source[k, 1], source[k, 2]
    for j in range(3):
        out[m, j] = R[i, j, 0] * x + R[i, j, 1] * y + R[i, j, 2] * z


@njit(**INNER)
def world_polytopes(s, poly, R):
    """Corners and planes of all polyhedra in world axes, relative to their centres, written to poly.corner, poly.face."""
    for m in range(poly.members.shape[0]):
        i = poly.members[m]
        for k in range(s.length[i, VERTEX]):
            turn(R, i, s.vertex, s.first[i, VERTEX] + k, poly.corner, poly.first[i, VERTEX] + k)
        for k in range(s.length[i, FACE]):
            turn(R, i, s.plane, s.first[i, FACE] + k, poly.face, poly.first[i, FACE] + k)
            poly.face[poly.first[i, FACE] + k, 3] = s.plane[s.first[i, FACE] + k, 3]


@njit(**INNER)
def lowest(corner, first, count, nx, ny, nz):
    """The lowest of some corners along n: its height and number."""
    best, at = np.inf, 0
    for k in range(count):
        value = corner[first + k, 0] * nx + corner[first + k, 1] * ny + corner[first + k, 2] * nz
        if value < best:
            best, at = value, k
    return best, at


@njit(**INNER)
def best_face(face, first, count, corner, base, corners, sx, sy, sz, inner, best, tie, side, height):
    """The best axis among the faces of one body, whose partner has these corners and its centre s away.

    Returns its gap and number, -1 if none is better than `best`; height (2, F): of that centre over the faces, row `side`.
    """
    top, at = -np.inf, 0
    for f in range(count):
        h = face[first + f, 0] * sx + face[first + f, 1] * sy + face[first + f, 2] * sz - face[first + f, 3]
        height[side, f] = h
        if h > top:
            top, at = h, f
    chosen = -1
    for k in range(-1, count):  # the highest first, then those that can be better
        f = at if k < 0 else k
        h = height[side, f]
        if h - inner > best and k != at:
            m = first + f
            low, i = lowest(corner, base, corners, face[m, 0], face[m, 1], face[m, 2])
            if h + low > best + tie:
                best, chosen = h + low, f
    return best, chosen


@njit(**INNER)
def edges_within(edge, bend, first, count, side, height, limit, chosen):
    """Edges along whose axes the gap may exceed limit - inner; their number, written to chosen (2, E), row `side`.

    edge (E, 4): corners, faces left and right; bend (E,): cosine of the angle between these.  The highest that the other
    centre can be over an edge, along a normal between those of its faces, follows from its heights over these.
    """
    found = 0
    square = limit * limit if limit > 0.0 else -1.0
    for e in range(first, first + count):
        p, q, c = height[side, edge[e, 2]], height[side, edge[e, 3]], bend[e]
        between = (p > c * q) & (q > c * p) & (p * p + q * q - 2.0 * c * p * q > square * (1.0 - c * c))
        chosen[side, found] = e
        found += 1 if between | (p > limit) | (q > limit) else 0
    return found


@njit(**INNER)
def best_edges(edge, corner, face, chosen, na, va, fa, nb, vb, fb, dx, dy, dz, best, tie, n):
    """The best axis among pairs of the edges chosen[0, :na] of a and chosen[1, :nb] of b: its gap, and their numbers.

    va, fa, vb, fb: where the corners and faces of a and b begin.  `best` and -1 if none is better; n (3,): the axis.
    """
    ia, ib = -1, -1
    for i in range(na):
        e = chosen[0, i]
        p, l, r = va + edge[e, 0], fa + edge[e, 2], fa + edge[e, 3]
        px, py, pz = corner[p, 0], corner[p, 1], corner[p, 2]
        p = va + edge[e, 1]
        ex, ey, ez = corner[p, 0] - px, corner[p, 1] - py, corner[p, 2] - pz
        for j in range(nb):
            f = chosen[1, j]
            L, Q = fb + edge[f, 2], fb + edge[f, 3]
            one = face[L, 0] * ex + face[L, 1] * ey + face[L, 2] * ez
            other = face[Q, 0] * ex + face[Q, 1] * ey + face[Q, 2] * ez
            q, t = vb + edge[f, 0], vb + edge[f, 1]
            fx, fy, fz = corner[t, 0] - corner[q, 0], corner[t, 1] - corner[q, 1], corner[t, 2] - corner[q, 2]
            left = face[l, 0] * fx + face[l, 1] * fy + face[l, 2] * fz
            right = face[r, 0] * fx + face[r, 1] * fy + face[r, 2] * fz
            if (one * other >= 0.0) | (left * right >= 0.0) | (one * right >= 0.0):
                continue  # their arcs on the sphere of normals do not cross
            x, y, z = ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx
            square = x * x + y * y + z * z
            if square <= 1e-16 * (ex * ex + ey * ey + ez * ez) * (fx * fx + fy * fy + fz * fz):
                continue
            length = math.sqrt(square)
            if x * (face[l, 0] + face[r, 0]) + y * (face[l, 1] + face[r, 1]) + z * (face[l, 2] + face[r, 2]) < 0.0:
                length = -length
            value = (
                x * (dx + corner[q, 0] - px) + y * (dy + corner[q, 1] - py) + z * (dz + corner[q, 2] - pz)
            ) / length  # fmt: skip
            if value > best + tie:
                best, ia, ib = value, e, f
                n[0], n[1], n[2] = x / length, y / length, z / length
    return best, ia, ib


@njit(**INNER)
def facing_patch(s, i, corner, V, F, first, side, nx, ny, nz, corners, numbers, facing):
    """As `kernels.patch.patch`, for a polyhedron in world axes: corners from row V, planes F (.., 4) from row `first`."""
    shape, length, edges = s.first, s.length, s.edge
    base = shape[i, FACE]
    best, face = -np.inf, 0
    for f in range(length[i, FACE]):
        value = F[first + f, 0] * nx + F[first + f, 1] * ny + F[first + f, 2] * nz
        if value > best:
            best, face = value, f
    if best > FACING:
        for j in range(3):
            facing[side, j] = F[first + face, j]
        loop = s.loop
        start, end = s.loop_first[base + face], s.loop_first[base + face + 1]
        skip = 1 + (end - start - 1) // MOST  # of a face with very many corners every second, third ... one
        count = 0
        for k in range(start, end, skip):
            count = put_world(side, count, corner, V, loop[k], corners, numbers)
        return count
    low, top = lowest(corner, V, length[i, VERTEX], -nx, -ny, -nz)
    lean, edge = LEANING * LEANING, -1
    for e in range(shape[i, EDGE], shape[i, EDGE] + length[i, EDGE]):
        p, q = edges[e, 0], edges[e, 1]
        if p == top or q == top:
            p, q = V + p, V + q
            ex, ey, ez = corner[q, 0] - corner[p, 0], corner[q, 1] - corner[p, 1], corner[q, 2] - corner[p, 2]
            along = nx * ex + ny * ey + nz * ez
            slope = along * along / (ex * ex + ey * ey + ez * ez)
            if slope < lean:
                lean, edge = slope, e
    count = 0
    for k in range(1 if edge < 0 else 2):
        count = put_world(side, count, corner, V, top if edge < 0 else edges[edge, k], corners, numbers)
    return count


@njit(**INNER)
def put_world(side, count, corner, first, k, corners, numbers):
    """Make corner k one of the patch `side`."""
    for j in range(3):
        corners[side, count, j] = corner[first + k, j]
    numbers[side, count] = k
    return count + 1


@njit(**INNER)
def edge_points(edge, corner, va, ia, vb, ib, dx, dy, dz, near):
    """Nearest points of the lines of edges ia of a and ib of b, d away, relative to the centre of a, written to near (2, 3)."""
    p, q = va + edge[ia, 0], vb + edge[ib, 0]
    ux, uy, uz = corner[p, 0], corner[p, 1], corner[p, 2]
    vx, vy, vz = corner[q, 0], corner[q, 1], corner[q, 2]
    wx, wy, wz = dx + vx - ux, dy + vy - uy, dz + vz - uz
    p, q = va + edge[ia, 1], vb + edge[ib, 1]
    ux, uy, uz = corner[p, 0] - ux, corner[p, 1] - uy, corner[p, 2] - uz
    vx, vy, vz = corner[q, 0] - vx, corner[q, 1] - vy, corner[q, 2] - vz
    uu, vv, uv = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, ux * vx + uy * vy + uz * vz
    uw, vw = ux * wx + uy * wy + uz * wz, vx * wx + vy * wy + vz * wz
    det = uu * vv - uv * uv
    s, t = (uw * vv - uv * vw) / det, (uv * uw - uu * vw) / det
    # from the far ends
    near[0, 0], near[0, 1], near[0, 2] = (s - 1.0) * ux, (s - 1.0) * uy, (s - 1.0) * uz
    near[1, 0], near[1, 1], near[1, 2] = dx + (t - 1.0) * vx, dy + (t - 1.0) * vy, dz + (t - 1.0) * vz
    for k in range(3):
        near[0, k] += corner[p, k]
        near[1, k] += corner[q, k]


@njit(**INNER)
def face_points(side, corner, va, count_a, vb, count_b, dx, dy, dz, n, gap, near):
    """As `edge_points`, where the axis n (3,) is the normal of a face of a (side 0) or b: the other's corner, and below it."""
    if side == 0:
        low, k = lowest(corner, vb, count_b, n[0], n[1], n[2])
        near[1, 0], near[1, 1], near[1, 2] = dx + corner[vb + k, 0], dy + corner[vb + k, 1], dz + corner[vb + k, 2]
    else:
        low, k = lowest(corner, va, count_a, -n[0], -n[1], -n[2])
        for j in range(3):
            near[1, j] = corner[va + k, j] + gap * n[j]
    for j in range(3):
        near[0, j] = near[1, j] - gap * n[j]


@njit(**INNER)
def patch_spots(s, corner, face, a, va, fa, b, vb, fb, dx, dy, dz, n, scale, far, codes, work):
    """Contacts of two polyhedra with the normal n (3,), see `spots_of`."""
    nx, ny, nz = n[0], n[1], n[2]
    corners, numbers, facing = work.corners, work.numbers, work.facing
    na, nb = 0, 0
    for side in range(2):
        i, v, f, sign = (b, vb, fb, -1.0) if side else (a, va, fa, 1.0)
        m = facing_patch(s, i, corner, v, face, f, side, sign * nx, sign * ny, sign * nz, corners, numbers, facing)
        na, nb = nb, m
    return spots_of(na, nb, dx, dy, dz, nx, ny, nz, 0.0, 0.0, scale, far, codes, work)


@njit(**INNER)
def polytope_contacts(s, placed, poly, work, pairs, axis, pair_count, codes, count, whole, real):
    """Contacts among near pairs of two polyhedra; axis (.., 3): a direction for each pair, kept from step to step."""
    # taken out of the tuples here: every access counts a reference
    position, reach, held, margin = placed.position, placed.reach, placed.held, placed.margin
    corner, face, edge, bend, begin = poly.corner, poly.face, poly.edge, poly.bend, poly.first
    inner, radius, first, length, ids, spots = s.inner, s.radius, s.first, s.length, work.ids, work.spots
    world_polytopes(s, poly, placed.R)
    near, n = np.empty((2, 3)), np.empty(3)
    heights, edges = np.empty((2, poly.most[0])), np.empty((2, poly.most[1] + 1), np.int64)
    simplex, share, eye = np.empty((8, 3)), np.empty(4), np.zeros((3, 3))
    for i in range(3):
        eye[i, i] = 1.0
    for k in range(pair_count):
        a, b = pairs[k, 0], pairs[k, 1]
        va, vb, fa, fb = begin[a, VERTEX], begin[b, VERTEX], begin[a, FACE], begin[b, FACE]
        if va < 0 or vb < 0 or (held[a] and held[b]):
            continue
        dx, dy, dz = position[b, 0] - position[a, 0], position[b, 1] - position[a, 1], position[b, 2] - position[a, 2]
        count_a, count_b = length[a, VERTEX], length[b, VERTEX]
        far = margin + reach[a] + reach[b]
        scale = min(radius[a], radius[b])
        enough = far + SURE * scale
        x, y, z = axis[k, 0], axis[k, 1], axis[k, 2]
        value = x * dx + y * dy + z * dz
        for side in range(2):
            sign, v, c = (1.0, vb, count_b) if side else (-1.0, va, count_a)
            low, i = lowest(corner, v, c, sign * x, sign * y, sign * z)
            value += low
        if value > enough:
            continue
        # both bodies in loops: numba compiles a function anew for every number that it is called with
        tie, best, of, na, nb, ia, ib = TIE * scale, -np.inf, 0, 0, 0, -1, -1
        for side in range(2):
            sign, f, v, c, me, ball = (
                (-1.0, fb, va, count_a, b, inner[a]) if side else (1.0, fa, vb, count_b, a, inner[b])
            )
            if best <= enough:
                best, at = best_face(
                    face, f, length[me, FACE], corner, v, c, sign * dx, sign * dy, sign * dz, ball, best, tie, side, heights
                )  # fmt: skip
                if at >= 0:
                    of = side
                    for j in range(3):
                        n[j] = sign * face[f + at, j]
        for side in range(2):
            me, ball = (b, inner[a]) if side else (a, inner[b])
            if best <= enough:
                m = edges_within(edge, bend, first[me, EDGE], length[me, EDGE], side, heights, best + ball, edges)
                na, nb = (na, m) if side else (m, nb)
        if best <= enough:
            best, ia, ib = best_edges(edge, corner, face, edges, na, va, fa, nb, vb, fb, dx, dy, dz, best, tie, n)
        axis[k, 0], axis[k, 1], axis[k, 2] = n[0], n[1], n[2]
        if best >= far:
            continue
        found, nearest = 0, False
        for again in range(2):
            found, low = patch_spots(
                s, corner, face, a, va, fa, b, vb, fb, dx, dy, dz, n, scale, far, codes, work
            )  # fmt: skip
            nearest = low > best + CORNER * scale  # the nearest points are not among them
            if not nearest or again:
                break
            apart, x, y, z = best, n[0], n[1], n[2]
            if best > CORNER * scale:
                apart, x, y, z = gjk(
                    POLYHEDRON, s.size[a], eye, corner[va : va + count_a], POLYHEDRON, s.size[b], eye,
                    corner[vb : vb + count_b], dx, dy, dz, x, y, z, simplex[:4], simplex[4:], share, near,
                )  # fmt: skip
            if apart > best + CORNER * scale:
                best = apart
                n[0], n[1], n[2] = x, y, z
                axis[k, 0], axis[k, 1], axis[k, 2] = x, y, z
                for j in range(3):
                    near[1, j] += near[0, j]
                continue
            if ia >= 0:
                edge_points(edge, corner, va, ia, vb, ib, dx, dy, dz, near)
            else:
                face_points(of, corner, va, count_a, vb, count_b, dx, dy, dz, n, best, near)
            break
        if best >= far:
            continue
        if nearest:
            found = add_nearest(found, near, n[0], n[1], n[2], best, 0.0, 0.0, work)
        for i in range(found):
            count = put(
                count, whole, real, a, b, ids[i], position[a, 0] + spots[i, 0], position[a, 1] + spots[i, 1],
                position[a, 2] + spots[i, 2], n[0], n[1], n[2], spots[i, 3], np.inf, np.inf,
            )  # fmt: skip
    return count
