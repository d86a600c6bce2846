"""Where two convex bodies touch, given the normal: one point, or the corners of the patch they share.  Compiled.

The patch of a body in a direction is the face, edge or corner that looks there.  Two patches, seen along the normal, are
polygons, segments or points of a plane; the contacts are the corners of what they have in common, each with the gap between
the two patches there.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.plane import ellipsoid_radius
from trundle.detect.kernels.support import support
from trundle.kernels.rotations import INNER
from trundle.kinds import BOX, CAPSULE, CONE, CYLINDER, DISK, ELLIPSOID, POLYHEDRON

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
    if kind == CONE:
        if z > -FACING:
            slant = math.sqrt(r * r + (size[3] - size[2]) * (size[3] - size[2]))
            lean = (r * across - (size[3] - size[2]) * z) / slant  # along the side, from the apex
            if abs(lean) < LEANING:
                put_corner(0, corners, ids, R, r * u, r * v, size[2], 0)
                return put_corner(1, corners, ids, R, 0.0, 0.0, size[3], RIM)
            if lean < 0.0:
                return put_corner(0, corners, ids, R, 0.0, 0.0, size[3], RIM)
            return put_corner(0, corners, ids, R, r * u, r * v, size[2], 0)
        end = size[2]
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
    if kind == CAPSULE or kind == CYLINDER or kind == DISK or kind == CONE:
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
def flatten(side, count, corners, dx, dy, dz, nx, ny, nz, t, facing, seen, slope):
    """The corners of patch `side`, moved by d, along the tangents t (2, 3) and n, written to `seen`; slope: of a face."""
    for i in range(count):
        x, y, z = corners[side, i, 0] + dx, corners[side, i, 1] + dy, corners[side, i, 2] + dz
        seen[side, i, 0] = t[0, 0] * x + t[0, 1] * y + t[0, 2] * z
        seen[side, i, 1] = t[1, 0] * x + t[1, 1] * y + t[1, 2] * z
        seen[side, i, 2] = nx * x + ny * y + nz * z
    slope[side, 0], slope[side, 1] = 0.0, 0.0
    if count > 2:
        fx, fy, fz = facing[side, 0], facing[side, 1], facing[side, 2]
        scale = -1.0 / (fx * nx + fy * ny + fz * nz)
        slope[side, 0] = (fx * t[0, 0] + fy * t[0, 1] + fz * t[0, 2]) * scale
        slope[side, 1] = (fx * t[1, 0] + fy * t[1, 1] + fz * t[1, 2]) * scale


@njit(**INNER)
def height(side, count, seen, slope, x, y):
    """Height of patch `side` along n above the place (x, y)."""
    x -= seen[side, 0, 0]
    y -= seen[side, 0, 1]
    if count == 2:
        ex, ey = seen[side, 1, 0] - seen[side, 0, 0], seen[side, 1, 1] - seen[side, 0, 1]
        square = ex * ex + ey * ey
        s = (x * ex + y * ey) / square if square > 0.0 else 0.0
        s = min(1.0, max(0.0, s))
        return seen[side, 0, 2] + s * (seen[side, 1, 2] - seen[side, 0, 2])
    return seen[side, 0, 2] + slope[side, 0] * x + slope[side, 1] * y


@njit(**INNER)
def lines_of(side, count, seen, lines):
    """Lines along the sides of a polygon, or the one of a segment: x, y, c of the distance x X + y Y + c from each.

    Positive inside, whichever way the polygon goes round.  Returns the number of sides.
    """
    area = 0.0
    for i in range(count if count > 2 else 0):
        j = i + 1 if i + 1 < count else 0
        area += seen[side, i, 0] * seen[side, j, 1] - seen[side, j, 0] * seen[side, i, 1]
    sides = count if count > 2 else count - 1
    for i in range(sides):
        j = i + 1 if i + 1 < count else 0
        ex, ey = seen[side, j, 0] - seen[side, i, 0], seen[side, j, 1] - seen[side, i, 1]
        length = math.sqrt(ex * ex + ey * ey)
        scale = (1.0 / length if area >= 0.0 else -1.0 / length) if length > 0.0 else 0.0
        lines[side, i, 0], lines[side, i, 1] = -ey * scale, ex * scale
        lines[side, i, 2] = (ey * seen[side, i, 0] - ex * seen[side, i, 1]) * scale
    return sides


@njit(**INNER)
def put_inside(side, count, seen, sides, lines, table, numbers, factor, slack, found, places, ids):
    """Distances of the corners of patch `side` from the other's lines to `table`; those within it become places.

    Their numbers are multiplied by `factor`.  Returns the number of places.
    """
    other = 1 - side
    for i in range(count):
        x, y = seen[side, i, 0], seen[side, i, 1]
        least = np.inf
        for k in range(sides):
            distance = lines[other, k, 0] * x + lines[other, k, 1] * y + lines[other, k, 2]
            table[side, i, k] = distance
            least = min(least, distance)
        if sides > 1 and least >= -slack:
            found = put_place(found, places, ids, x, y, (numbers[side, i] + 1) * factor, slack)
    return found


@njit(**INNER)
def put_place(count, places, ids, x, y, number, slack):
    """Add a place unless there is one already; places (.., 2)."""
    known = False
    for i in range(count):
        known = known or (abs(places[i, 0] - x) < slack and abs(places[i, 1] - y) < slack)
    if not known and count < places.shape[0]:
        places[count, 0] = x
        places[count, 1] = y
        ids[count] = number
        count += 1
    return count


@njit(**INNER)
def common(na, nb, A, numbers, codes, slack, lines, table, places, ids):
    """Corners of what two patches A (2, .., 3) have in common, seen along n, written to `places`; returns their number.

    Numbers: of a corner of a, of one of b, or of two crossing edges; codes: one more than the largest corner.
    """
    # both patches in loops: numba compiles a function anew for every number that it is called with
    sides_a, sides_b, count = 0, 0, 0
    for side in range(2):
        sides_a, sides_b = sides_b, lines_of(side, nb if side else na, A, lines)
    for side in range(2):
        n, sides, factor = (nb, sides_a, 1) if side else (na, sides_b, codes)
        count = put_inside(side, n, A, sides, lines, table, numbers, factor, slack, count, places, ids)
        if n == 1 and sides < 2 and count == 0:  # a corner over a corner or an edge
            count = put_place(count, places, ids, A[side, 0, 0], A[side, 0, 1], (numbers[side, 0] + 1) * factor, slack)
    both = na == 2 and nb == 2
    parallel = 0.05 if both else 1e-9
    beside = False
    for i in range(sides_a):
        j = i + 1 if i + 1 < na else 0
        ax, ay = A[0, j, 0] - A[0, i, 0], A[0, j, 1] - A[0, i, 1]
        length = parallel * math.sqrt(ax * ax + ay * ay)
        for k in range(sides_b):
            m = k + 1 if k + 1 < nb else 0
            slope = table[0, i, k] - table[0, j, k]
            # edges that lie along each other, as far as can be told, do not cross
            along = max(abs(table[0, i, k]), abs(table[0, j, k])) <= slack or (
                max(abs(table[1, k, i]), abs(table[1, m, i])) <= slack
            )
            if abs(slope) <= length or (along and not both):
                beside = both
            elif table[0, i, k] * table[0, j, k] <= 0.0 and table[1, k, i] * table[1, m, i] <= 0.0:
                s = table[0, i, k] / slope
                number = codes * codes + (numbers[0, i] + 1) * codes + numbers[1, k] + 1
                count = put_place(count, places, ids, A[0, i, 0] + s * ax, A[0, i, 1] + s * ay, number, slack)
    return overlap(A, numbers, codes, slack, places, ids) if beside else count


@njit(**INNER)
def overlap(seen, numbers, codes, slack, places, ids):
    """Ends of the part that two nearly parallel segments, seen (2, .., 3), have in common."""
    count = 0
    for p in range(2):
        q = 1 - p
        ex, ey = seen[q, 1, 0] - seen[q, 0, 0], seen[q, 1, 1] - seen[q, 0, 1]
        square = ex * ex + ey * ey
        for i in range(2):
            s = ((seen[p, i, 0] - seen[q, 0, 0]) * ex + (seen[p, i, 1] - seen[q, 0, 1]) * ey) / square
            if -1e-9 <= s <= 1.0 + 1e-9:
                # halfway to the other segment, so that both ends lie alike
                x = 0.5 * (seen[p, i, 0] + seen[q, 0, 0] + s * ex)
                y = 0.5 * (seen[p, i, 1] + seen[q, 0, 1] + s * ey)
                number = (numbers[p, i] + 1) * (codes if p == 0 else 1)
                count = put_place(count, places, ids, x, y, number, slack)
    return count


@njit(**INNER)
def thin_out(count, places, ids, gaps, most):
    """Keep at most `most` places: the deepest, then always the one farthest from those that are kept; returns the number.

    gaps (.., 2): height of a, and gap.
    """
    for k in range(most if count > most else 0):
        best, at = -np.inf, k
        for i in range(k, count):
            if k == 0:
                value = -gaps[i, 1]
            else:
                value = np.inf
                for j in range(k):
                    value = min(value, (places[i, 0] - places[j, 0]) ** 2 + (places[i, 1] - places[j, 1]) ** 2)
            if value > best:
                best, at = value, i
        for c in range(2):
            places[k, c], places[at, c] = places[at, c], places[k, c]
            gaps[k, c], gaps[at, c] = gaps[at, c], gaps[k, c]
        ids[k], ids[at] = ids[at], ids[k]
    return min(count, most)


@njit(**INNER)
def tangents(nx, ny, nz, t):
    """Two unit vectors at right angles to n and to each other, written to t (2, 3)."""
    if abs(nx) <= abs(ny) and abs(nx) <= abs(nz):
        x, y, z = 1.0 - nx * nx, -nx * ny, -nx * nz
    elif abs(ny) <= abs(nz):
        x, y, z = -ny * nx, 1.0 - ny * ny, -ny * nz
    else:
        x, y, z = -nz * nx, -nz * ny, 1.0 - nz * nz
    scale = 1.0 / math.sqrt(x * x + y * y + z * z)
    x, y, z = x * scale, y * scale, z * scale
    t[0, 0], t[0, 1], t[0, 2] = x, y, z
    t[1, 0], t[1, 1], t[1, 2] = ny * z - nz * y, nz * x - nx * z, nx * y - ny * x


@njit(**INNER)
def spots_of(na, nb, dx, dy, dz, nx, ny, nz, round_a, round_b, scale, far, codes, work):
    """Contacts of two patches (`work.corners`) with the normal n: their number and smallest gap.

    Places in work.spots (.., 4) = point relative to the centre of a, gap; numbers in work.ids.  round_a, round_b [m]: radii
    around the patches.
    """
    # taken out of the tuple here: every access counts a reference
    corners, numbers, facing, seen, slope, lines, tables, t, places, ids, gaps, spots = work
    tangents(nx, ny, nz, t)
    for side in range(2):
        n, share = (nb, 1.0) if side else (na, 0.0)
        flatten(side, n, corners, share * dx, share * dy, share * dz, nx, ny, nz, t, facing, seen, slope)
    m = common(na, nb, seen, numbers, codes, 1e-6 * scale, lines, tables, places, ids)
    lowest = np.inf
    for i in range(m):
        x, y = places[i, 0], places[i, 1]
        for side in range(2):
            gaps[i, side] = height(side, nb if side else na, seen, slope, x, y)
        gaps[i, 1] -= gaps[i, 0] + round_a + round_b
        lowest = min(lowest, gaps[i, 1])
    m = thin_out(m, places, ids, gaps, CONTACTS)
    count = 0
    for i in range(m):
        x, y, gap = places[i, 0], places[i, 1], gaps[i, 1]
        if gap >= far:
            continue
        z = gaps[i, 0] + round_a + 0.5 * gap
        spots[count, 0] = x * t[0, 0] + y * t[1, 0] + z * nx
        spots[count, 1] = x * t[0, 1] + y * t[1, 1] + z * ny
        spots[count, 2] = x * t[0, 2] + y * t[1, 2] + z * nz
        spots[count, 3] = gap
        ids[count] = ids[i]
        count += 1
    return count, lowest


@njit(**INNER)
def add_nearest(count, near, nx, ny, nz, gap, round_a, round_b, work):
    """Add the nearest points (2, 3), of a and of b, to the contacts in work.spots; returns the number of contacts."""
    shift = 0.5 * (round_a - round_b)
    work.spots[count, 0] = 0.5 * (near[0, 0] + near[1, 0]) + shift * nx
    work.spots[count, 1] = 0.5 * (near[0, 1] + near[1, 1]) + shift * ny
    work.spots[count, 2] = 0.5 * (near[0, 2] + near[1, 2]) + shift * nz
    work.spots[count, 3] = gap
    work.ids[count] = 0
    return count + 1
