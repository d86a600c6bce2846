"""Where two convex bodies touch, given the normal: one point, or the corners of the patch they share.  Compiled.

The patch of a body in a direction is the face, edge or corner that looks there.  Two patches, seen along the normal, are
polygons, segments or points of a plane; the contacts are the corners of what they have in common, each with the gap between
the two patches there.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.plane_kernels import ellipsoid_radius
from trundle.detect.support_kernels import support
from trundle.rotations import INNER

BOX, ELLIPSOID, DISK, CYLINDER, CAPSULE, POLYHEDRON = 2, 3, 4, 5, 6, 7
VERTEX, FACE, EDGE = 0, 1, 2
MOST = 32  # corners of a patch
CONTACTS = 8  # contacts of a pair
FACING = math.cos(0.35)  # a face that looks this far aside still counts
LEANING = math.sin(0.35)
LEVEL = 1e-8
RIM = 8  # corners of the patch of a round face


@njit(**INNER)
def put_corner(count, corners, ids, R, x, y, z, number):
    if count < MOST:
        for k in range(3):
            corners[count, k] = R[k, 0] * x + R[k, 1] * y + R[k, 2] * z
        ids[count] = number
        count += 1
    return count


@njit(**INNER)
def round_patch(kind, size, R, x, y, z, corners, ids, facing):
    """Patch of a disk, cylinder or capsule (its axis) in the direction (x, y, z) of its own frame."""
    across = math.sqrt(x * x + y * y)
    u, v = (x / across, y / across) if across > LEVEL else (1.0, 0.0)
    half, r = size[1], size[0]
    if kind == CAPSULE:
        if abs(z) < LEANING:
            put_corner(0, corners, ids, R, 0.0, 0.0, -half, 0)
            return put_corner(1, corners, ids, R, 0.0, 0.0, half, 1)
        return put_corner(0, corners, ids, R, 0.0, 0.0, half if z > 0.0 else -half, 1 if z > 0.0 else 0)
    end = half if z >= 0.0 else -half
    if abs(z) > FACING:
        base = RIM if z >= 0.0 else 0
        for k in range(3):
            facing[k] = R[k, 2] if z >= 0.0 else -R[k, 2]
        count = 0
        c, s = r * u, r * v
        turn = math.sqrt(0.5)
        for k in range(RIM):
            count = put_corner(count, corners, ids, R, c, s, end, base + k)
            c, s = turn * (c - s), turn * (s + c)
        return count
    if kind == CYLINDER and abs(z) < LEANING:
        put_corner(0, corners, ids, R, r * u, r * v, -half, 0)
        return put_corner(1, corners, ids, R, r * u, r * v, half, RIM)
    return put_corner(0, corners, ids, R, r * u, r * v, end, RIM if z >= 0.0 else 0)


@njit(**INNER)
def patch(g, i, kind, size, R, dx, dy, dz, corners, ids, facing):
    """Corners (.., 3), relative to the centre, of the face, edge or point that looks in a direction; returns their number.

    ids: their numbers in the body; facing (3,): the normal of a face, counterclockwise about which the corners go.
    """
    x = R[0, 0] * dx + R[1, 0] * dy + R[2, 0] * dz
    y = R[0, 1] * dx + R[1, 1] * dy + R[2, 1] * dz
    z = R[0, 2] * dx + R[1, 2] * dy + R[2, 2] * dz
    if kind == ELLIPSOID:
        corners[0, 0], corners[0, 1], corners[0, 2] = support(kind, size, R, g.vertex, dx, dy, dz)
        ids[0] = 0
        return 1
    if kind == CAPSULE or kind == CYLINDER or kind == DISK:
        return round_patch(kind, size, R, x, y, z, corners, ids, facing)
    best, face = -np.inf, -1
    for f in range(g.first[i, FACE], g.first[i, FACE] + g.length[i, FACE]):
        value = x * g.plane[f, 0] + y * g.plane[f, 1] + z * g.plane[f, 2]
        if value > best:
            best, face = value, f
    first = g.first[i, VERTEX]
    count = 0
    if best > FACING:
        p = g.plane[face]
        for k in range(3):
            facing[k] = R[k, 0] * p[0] + R[k, 1] * p[1] + R[k, 2] * p[2]
        start, end = g.loop_first[face], g.loop_first[face + 1]
        # of a face with very many corners every second, third ... one
        skip = (end - start + MOST - 1) // MOST
        for k in range(start, end, skip):
            v = g.vertex[first + g.loop[k]]
            count = put_corner(count, corners, ids, R, v[0], v[1], v[2], g.loop[k])
        return count
    top, corner = -np.inf, 0
    for k in range(g.length[i, VERTEX]):
        v = g.vertex[first + k]
        value = x * v[0] + y * v[1] + z * v[2]
        if value > top:
            top, corner = value, k
    lean, edge = LEANING, -1
    for e in range(g.first[i, EDGE], g.first[i, EDGE] + g.length[i, EDGE]):
        if g.edge[e, 0] == corner or g.edge[e, 1] == corner:
            p, q = g.vertex[first + g.edge[e, 0]], g.vertex[first + g.edge[e, 1]]
            ex, ey, ez = q[0] - p[0], q[1] - p[1], q[2] - p[2]
            slope = abs(x * ex + y * ey + z * ez) / math.sqrt(ex * ex + ey * ey + ez * ez)
            if slope < lean:
                lean, edge = slope, e
    if edge >= 0:
        for k in range(2):
            v = g.vertex[first + g.edge[edge, k]]
            count = put_corner(count, corners, ids, R, v[0], v[1], v[2], g.edge[edge, k])
        return count
    v = g.vertex[first + corner]
    return put_corner(count, corners, ids, R, v[0], v[1], v[2], corner)


@njit(**INNER)
def curvature(kind, size, R, nx, ny, nz):
    """Radius of curvature of a shape's surface where its normal is +-n: inf for flat faces and sharp edges."""
    if kind == BOX or kind == POLYHEDRON:
        return np.inf
    z = abs(R[0, 2] * nx + R[1, 2] * ny + R[2, 2] * nz)
    if kind == ELLIPSOID:
        x = R[0, 0] * nx + R[1, 0] * ny + R[2, 0] * nz
        y = R[0, 1] * nx + R[1, 1] * ny + R[2, 1] * nz
        return ellipsoid_radius(size[0], size[1], size[2], x, y, z)
    if kind == CAPSULE:
        return 2.0 * size[0] if z < 1e-3 else size[0]
    if 1.0 - z < 5e-7:
        return np.inf
    return 2.0 * size[0] if kind == CYLINDER and z < 1e-3 else size[0]


@njit(**INNER)
def flatten(count, corners, dx, dy, dz, t1, t2, n, facing, seen, slope):
    """Corners, moved by d, in the axes t1, t2, n, written to seen (.., 3); slope (2,): dz / dx, dz / dy of a face."""
    for i in range(count):
        x, y, z = corners[i, 0] + dx, corners[i, 1] + dy, corners[i, 2] + dz
        seen[i, 0] = t1[0] * x + t1[1] * y + t1[2] * z
        seen[i, 1] = t2[0] * x + t2[1] * y + t2[2] * z
        seen[i, 2] = n[0] * x + n[1] * y + n[2] * z
    slope[0], slope[1] = 0.0, 0.0
    if count > 2:
        fz = facing[0] * n[0] + facing[1] * n[1] + facing[2] * n[2]
        slope[0] = -(facing[0] * t1[0] + facing[1] * t1[1] + facing[2] * t1[2]) / fz
        slope[1] = -(facing[0] * t2[0] + facing[1] * t2[1] + facing[2] * t2[2]) / fz


@njit(**INNER)
def height(count, seen, slope, x, y):
    """Height of a patch along n above the place (x, y)."""
    if count == 2:
        ex, ey = seen[1, 0] - seen[0, 0], seen[1, 1] - seen[0, 1]
        square = ex * ex + ey * ey
        s = ((x - seen[0, 0]) * ex + (y - seen[0, 1]) * ey) / square if square > 0.0 else 0.0
        s = min(1.0, max(0.0, s))
        return seen[0, 2] + s * (seen[1, 2] - seen[0, 2])
    return seen[0, 2] + slope[0] * (x - seen[0, 0]) + slope[1] * (y - seen[0, 1])


@njit(**INNER)
def inside(count, seen, x, y, slack):
    """Whether a place lies within a polygon, whichever way it goes round, or less than slack [m] outside."""
    area = 0.0
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        area += seen[i, 0] * seen[j, 1] - seen[j, 0] * seen[i, 1]
    sign = 1.0 if area > 0.0 else -1.0
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        ex, ey = seen[j, 0] - seen[i, 0], seen[j, 1] - seen[i, 1]
        length = math.sqrt(ex * ex + ey * ey)
        if sign * (ex * (y - seen[i, 1]) - ey * (x - seen[i, 0])) < -slack * length:
            return False
    return True


@njit(**INNER)
def put_place(count, places, ids, x, y, number, slack):
    """Add a place unless there is one already; places (.., 2)."""
    for i in range(count):
        if abs(places[i, 0] - x) < slack and abs(places[i, 1] - y) < slack:
            return count
    if count < places.shape[0]:
        places[count, 0] = x
        places[count, 1] = y
        ids[count] = number
        count += 1
    return count


@njit(**INNER)
def common(na, A, ids_a, nb, B, ids_b, codes, slack, places, ids):
    """Corners of what two patches have in common, seen along n; returns their number.

    Numbers: of a corner of a, of one of b, or of two crossing edges; codes: one more than the largest corner.
    """
    count = 0
    if na == 1 or nb == 1:
        P, Q, n = (A, B, nb) if na == 1 else (B, A, na)
        if n > 2 and not inside(n, Q, P[0, 0], P[0, 1], slack):
            return 0
        number = (ids_a[0] + 1) * codes if na == 1 else ids_b[0] + 1
        return put_place(count, places, ids, P[0, 0], P[0, 1], number, slack)
    if nb > 2:
        for i in range(na):
            if inside(nb, B, A[i, 0], A[i, 1], slack):
                count = put_place(count, places, ids, A[i, 0], A[i, 1], (ids_a[i] + 1) * codes, slack)
    if na > 2:
        for i in range(nb):
            if inside(na, A, B[i, 0], B[i, 1], slack):
                count = put_place(count, places, ids, B[i, 0], B[i, 1], ids_b[i] + 1, slack)
    parallel = 0.05 if na == 2 and nb == 2 else 1e-9
    for i in range(na if na > 2 else 1):
        j = i + 1 if i + 1 < na else 0
        ax, ay = A[j, 0] - A[i, 0], A[j, 1] - A[i, 1]
        for k in range(nb if nb > 2 else 1):
            m = k + 1 if k + 1 < nb else 0
            bx, by = B[m, 0] - B[k, 0], B[m, 1] - B[k, 1]
            cross = ax * by - ay * bx
            if abs(cross) <= parallel * math.sqrt((ax * ax + ay * ay) * (bx * bx + by * by)):
                if na == 2 and nb == 2:
                    return overlap(A, ids_a, B, ids_b, codes, slack, places, ids)
                continue
            wx, wy = B[k, 0] - A[i, 0], B[k, 1] - A[i, 1]
            s = (wx * by - wy * bx) / cross
            t = (wx * ay - wy * ax) / cross
            if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
                number = codes * codes + (ids_a[i] + 1) * codes + ids_b[k] + 1
                count = put_place(count, places, ids, A[i, 0] + s * ax, A[i, 1] + s * ay, number, slack)
    return count


@njit(**INNER)
def overlap(A, ids_a, B, ids_b, codes, slack, places, ids):
    """Ends of the part that two nearly parallel segments have in common."""
    count = 0
    for side in range(2):
        P, Q = (A, B) if side == 0 else (B, A)
        ex, ey = Q[1, 0] - Q[0, 0], Q[1, 1] - Q[0, 1]
        square = ex * ex + ey * ey
        for i in range(2):
            s = ((P[i, 0] - Q[0, 0]) * ex + (P[i, 1] - Q[0, 1]) * ey) / square
            if -1e-9 <= s <= 1.0 + 1e-9:
                # halfway to the other segment, so that both ends lie alike
                x = 0.5 * (P[i, 0] + Q[0, 0] + s * ex)
                y = 0.5 * (P[i, 1] + Q[0, 1] + s * ey)
                number = (ids_a[i] + 1) * codes if side == 0 else ids_b[i] + 1
                count = put_place(count, places, ids, x, y, number, slack)
    return count


@njit(**INNER)
def thin_out(count, places, ids, gaps, most):
    """Keep at most `most` places: the deepest, then always the one farthest from those that are kept; returns the number."""
    if count <= most:
        return count
    for k in range(most):
        best, at = -np.inf, k
        for i in range(k, count):
            if k == 0:
                value = -gaps[i]
            else:
                value = np.inf
                for j in range(k):
                    value = min(value, (places[i, 0] - places[j, 0]) ** 2 + (places[i, 1] - places[j, 1]) ** 2)
            if value > best:
                best, at = value, i
        for c in range(2):
            places[k, c], places[at, c] = places[at, c], places[k, c]
        ids[k], ids[at] = ids[at], ids[k]
        gaps[k], gaps[at] = gaps[at], gaps[k]
    return most
