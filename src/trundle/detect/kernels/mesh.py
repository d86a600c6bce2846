"""Contacts of bodies with triangle meshes and height fields, compiled; never raises.

A mesh is one-sided: bodies touch it from the side its triangles look to.  A ball touches the surface where its distance
has a local minimum: in the inside of a triangle, on an edge or in a corner only if no neighbour is nearer, so that flat and
hollow edges inside the surface are never felt.  Other bodies touch triangles with their own lowest points, and touch edges
and corners of the mesh that stick out.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.contacts import ON, put
from trundle.detect.kernels.plane import low_points, put_point, rim_direction
from trundle.kernels.rotations import INNER, JIT
from trundle.kinds import CLUMP, CYLINDER, DISK

VERTEX, BALL, TRIANGLE, NODE = 0, 3, 4, 5
LEAF = 4
ROOT = math.sqrt(0.5)
FLAT = 0.05  # tilt [rad] below which a rim lies on a triangle rather than rolling over it
TOUCHABLE, ANSWERS_FOR_EDGE, ANSWERS_FOR_CORNER = 1, 8, 16  # bits of `side`
EDGE_SLACK = 1e-9  # of its length that a point may be beyond a side: seams in large coordinates have gaps of rounding
REGIONS = 8  # inside, 3 corners, 3 edges of a triangle
PLANE = 3  # column of `triangle` with the first triangle of the same plane


@njit(**INNER)
def corner_of(g, a, t, k, p, R, out):
    """World position of corner k of triangle t of mesh a."""
    v = g.vertex[g.first[a, VERTEX] + g.triangle[g.first[a, TRIANGLE] + t, k]]
    for i in range(3):
        out[i] = p[i] + R[i, 0] * v[0] + R[i, 1] * v[1] + R[i, 2] * v[2]


@njit(**INNER)
def nearest_in_triangle(px, py, pz, a, b, c):
    """Nearest point of a triangle, and where it lies: 0 inside, 1-3 at a corner, 4-6 on an edge ab, bc, ca."""
    abx, aby, abz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    acx, acy, acz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    apx, apy, apz = px - a[0], py - a[1], pz - a[2]
    d1 = abx * apx + aby * apy + abz * apz
    d2 = acx * apx + acy * apy + acz * apz
    if d1 <= 0.0 and d2 <= 0.0:
        return a[0], a[1], a[2], 1
    bpx, bpy, bpz = px - b[0], py - b[1], pz - b[2]
    d3 = abx * bpx + aby * bpy + abz * bpz
    d4 = acx * bpx + acy * bpy + acz * bpz
    if d3 >= 0.0 and d4 <= d3:
        return b[0], b[1], b[2], 2
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        s = d1 / (d1 - d3)
        return a[0] + s * abx, a[1] + s * aby, a[2] + s * abz, 4
    cpx, cpy, cpz = px - c[0], py - c[1], pz - c[2]
    d5 = abx * cpx + aby * cpy + abz * cpz
    d6 = acx * cpx + acy * cpy + acz * cpz
    if d6 >= 0.0 and d5 <= d6:
        return c[0], c[1], c[2], 3
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        s = d2 / (d2 - d6)
        return a[0] + s * acx, a[1] + s * acy, a[2] + s * acz, 6
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        s = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return b[0] + s * (c[0] - b[0]), b[1] + s * (c[1] - b[1]), b[2] + s * (c[2] - b[2]), 5
    scale = 1.0 / (va + vb + vc)
    v, w = vb * scale, vc * scale
    return a[0] + abx * v + acx * w, a[1] + aby * v + acy * w, a[2] + abz * v + acz * w, 0


@njit(**INNER)
def square_to_triangle(g, a, t, x, y, z):
    """Squared distance of a point from triangle t, mesh frame."""
    first, tri = g.first[a, VERTEX], g.triangle[g.first[a, TRIANGLE] + t]
    qx, qy, qz, region = nearest_in_triangle(
        x, y, z, g.vertex[first + tri[0]], g.vertex[first + tri[1]], g.vertex[first + tri[2]]
    )
    return (x - qx) ** 2 + (y - qy) ** 2 + (z - qz) ** 2


@njit(**INNER)
def is_nearest(g, a, t, region, x, y, z, square):
    """Whether no neighbour of triangle t is nearer to the point than its edge or corner, and t answers for it."""
    base = g.first[a, TRIANGLE]
    least = square * (1.0 - 1e-9)
    if region >= 4:
        if not g.side[base + t, region - 4] & ANSWERS_FOR_EDGE:
            return False
        other = g.across[base + t, region - 4]
        return other < 0 or square_to_triangle(g, a, other, x, y, z) >= least
    if not g.side[base + t, region - 1] & ANSWERS_FOR_CORNER:
        return False
    corner = g.first[a, VERTEX] + g.triangle[base + t, region - 1]
    for k in range(g.fan_first[corner], g.fan_first[corner + 1]):
        other = g.fan[k]
        if other != t and square_to_triangle(g, a, other, x, y, z) < least:
            return False
    return True


@njit(**INNER)
def ball_triangle(g, a, t, x, y, z, r, far):
    """Contact of a ball at (x, y, z), mesh frame, with triangle t: gap, normal, nearest point, region; -1 if there is none."""
    base, first = g.first[a, TRIANGLE], g.first[a, VERTEX]
    tri, n = g.triangle[base + t], g.tilt[base + t]
    corner = g.vertex[first + tri[0]]
    qx, qy, qz, region = nearest_in_triangle(x, y, z, corner, g.vertex[first + tri[1]], g.vertex[first + tri[2]])
    above = n[0] * (x - corner[0]) + n[1] * (y - corner[1]) + n[2] * (z - corner[2])
    if region == 0:
        if above - r >= far or above < -0.5 * r:
            return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1
        return above - r, n[0], n[1], n[2], qx, qy, qz, 0
    dx, dy, dz = x - qx, y - qy, z - qz
    square = dx * dx + dy * dy + dz * dz
    if square >= (r + far) * (r + far) or not is_nearest(g, a, t, region, x, y, z, square):
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1
    length = math.sqrt(square)
    if above < 0.0 and region >= 4 and g.across[base + t, region - 4] >= 0:
        # below this triangle: outside only if it is above the other
        m = g.tilt[base + g.across[base + t, region - 4]]
        if m[0] * dx + m[1] * dy + m[2] * dz < 0.0:
            return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1
    if length < 1e-12 * r:
        return -r, n[0], n[1], n[2], qx, qy, qz, region
    return length - r, dx / length, dy / length, dz / length, qx, qy, qz, region


@njit(**INNER)
def feature_of(g, a, t, region, code):
    """Number of the feature where point `code` of a body touches triangle t of mesh a.

    Points come before triangles, as on a half-space; inside of a triangle, all triangles of its plane are one: a contact that
    slides over the edge between two of them stays the same one.
    """
    own = g.triangle[g.first[a, TRIANGLE] + t, PLANE] if region == 0 else t
    return (code * g.length[a, TRIANGLE] + own) * REGIONS + region


@njit(**INNER)
def put_new(
    begin, count, whole, real, g, a, b, t, region, code, x, y, z, nx, ny, nz, gap, radius_b, slack
):  # fmt: skip
    """Write a contact with triangle t unless one since `begin` has the same place and nearly the same normal."""
    for c in range(begin, min(count, whole.shape[0])):
        row = real[c]
        if abs(row[0] - x) < slack and abs(row[1] - y) < slack and abs(row[2] - z) < slack:
            if row[3] * nx + row[4] * ny + row[5] * nz > 0.999:
                return count
    if count < whole.shape[0]:
        whole[count, ON] = t
    return put(count, whole, real, a, b, feature_of(g, a, t, region, code), x, y, z, nx, ny, nz, gap, np.inf, radius_b)


@njit(**INNER)
def next_leaf(g, a, top, stack, x, y, z, reach):
    """Go on through the tree of mesh a to the next leaf whose box comes within reach of a point; its number or -1, and top."""
    first, leaves = g.first[a, NODE], g.length[a, NODE] // 2
    while top > 0:
        top -= 1
        k = stack[top]
        box = g.node[first + k]
        if (
            box[0] > x + reach or box[3] < x - reach or box[1] > y + reach or box[4] < y - reach
            or box[2] > z + reach or box[5] < z - reach
        ):  # fmt: skip
            continue
        if k >= leaves:
            return k - leaves, top
        stack[top] = 2 * k + 1
        stack[top + 1] = 2 * k
        top += 2
    return -1, top


@njit(**INNER)
def to_mesh(p, R, x, y, z):
    """A world point in the frame of a mesh."""
    dx, dy, dz = x - p[0], y - p[1], z - p[2]
    return (
        R[0, 0] * dx + R[1, 0] * dy + R[2, 0] * dz,
        R[0, 1] * dx + R[1, 1] * dy + R[2, 1] * dz,
        R[0, 2] * dx + R[1, 2] * dy + R[2, 2] * dz,
    )


@njit(**INNER)
def ball_mesh(g, a, p, R, b, sub, cx, cy, cz, r, far, stack, begin, count, whole, real):
    """Contacts of mesh a with a ball of body b, unless they are among those since `begin`."""
    x, y, z = to_mesh(p, R, cx, cy, cz)
    stack[0] = 1
    top = 1
    while True:
        leaf, top = next_leaf(g, a, top, stack, x, y, z, r + far)
        if leaf < 0:
            return count
        for k in range(LEAF * leaf, min(LEAF * leaf + LEAF, g.length[a, TRIANGLE])):
            t = g.leaf[g.first[a, TRIANGLE] + k]
            gap, mx, my, mz, qx, qy, qz, region = ball_triangle(g, a, t, x, y, z, r, far)
            if region < 0:
                continue
            nx = R[0, 0] * mx + R[0, 1] * my + R[0, 2] * mz
            ny = R[1, 0] * mx + R[1, 1] * my + R[1, 2] * mz
            nz = R[2, 0] * mx + R[2, 1] * my + R[2, 2] * mz
            along = r + 0.5 * gap
            count = put_new(
                begin, count, whole, real, g, a, b, t, region, sub, cx - along * nx, cy - along * ny, cz - along * nz, nx, ny,
                nz, gap, r, 1e-6 * r,
            )  # fmt: skip


@njit(**INNER)
def touching_points(g, b, q, Rb, nx, ny, nz, work):
    """Points of body b that can touch a triangle with the normal n, written to `work`; returns their number.

    As `low_points`; of a rim the lowest one, and where it lies flat eight points fixed to the body: on uneven ground, points
    that move along the rim would meet bumps that nothing has watched until then.  Where it rolls, fixed ones would be in the
    way: each comes down faster than its gap over h allows, although it will just touch.
    """
    kind, size = g.kind[b], g.size[b]
    points, ids, curved, rim = work.points, work.point_ids, work.curved, work.rim
    if kind != DISK and kind != CYLINDER:
        return low_points(g, b, q, Rb, nx, ny, nz, rim, points, ids, curved)
    rim[0], rim[1] = 1.0, 0.0
    tilt = rim_direction(Rb, nx, ny, nz, rim)
    r, count = size[0], 0
    for end in range(1 if kind == DISK else 2):
        z = size[1] if end else -size[1]
        x, y = r, 0.0
        for k in range(8 if tilt < FLAT else 0):
            count = put_point(count, points, ids, curved, q, Rb, x, y, z, 0.0, 0.0, 0.0, 9 * end + k, r)
            x, y = ROOT * (x - y), ROOT * (x + y)
        x, y = r * rim[0], r * rim[1]
        count = put_point(count, points, ids, curved, q, Rb, x, y, z, 0.0, 0.0, 0.0, 9 * end + 8, r)
    return count


@njit(**INNER)
def beyond_side(u, v, nx, ny, nz, x, y, z):
    """Area by which a point is on the inner side of the line from u to v, seen along n, and the square of its length."""
    ex, ey, ez = v[0] - u[0], v[1] - u[1], v[2] - u[2]
    wx, wy, wz = x - u[0], y - u[1], z - u[2]
    area = nx * (ey * wz - ez * wy) + ny * (ez * wx - ex * wz) + nz * (ex * wy - ey * wx)
    return area, ex * ex + ey * ey + ez * ez


@njit(**INNER)
def face_points(g, a, p, R, t, b, q, Rb, corners, far, work, begin, count, whole, real):
    """Lowest points of body b over triangle t; corners (3, 3): room for those of the triangle."""
    m = g.tilt[g.first[a, TRIANGLE] + t]
    nx = R[0, 0] * m[0] + R[0, 1] * m[1] + R[0, 2] * m[2]
    ny = R[1, 0] * m[0] + R[1, 1] * m[1] + R[1, 2] * m[2]
    nz = R[2, 0] * m[0] + R[2, 1] * m[1] + R[2, 2] * m[2]
    c0, radius = corners[0], g.radius[b]
    corner_of(g, a, t, 0, p, R, c0)
    above = nx * (q[0] - c0[0]) + ny * (q[1] - c0[1]) + nz * (q[2] - c0[2])
    # a triangle that looks away from the body is the far side of something thin; how far its centre may have sunk in:
    depth = 0.5 * g.inner[b] if g.inner[b] > 0.0 else 0.05 * radius
    if above < -depth or above > radius + far:
        return count
    for k in range(1, 3):
        corner_of(g, a, t, k, p, R, corners[k])
    for k in range(3):
        area, square = beyond_side(corners[k], corners[k + 1 if k < 2 else 0], nx, ny, nz, q[0], q[1], q[2])
        if area < 0.0 and area * area > 1.001 * radius * radius * square:  # no point of it is over the triangle
            return count
    for i in range(touching_points(g, b, q, Rb, nx, ny, nz, work)):
        x, y, z = work.points[i, 0], work.points[i, 1], work.points[i, 2]
        gap = nx * (x - c0[0]) + ny * (y - c0[1]) + nz * (z - c0[2])
        if gap >= far or gap < -radius:
            continue
        within = True
        for k in range(3):
            area, square = beyond_side(corners[k], corners[k + 1 if k < 2 else 0], nx, ny, nz, x, y, z)
            if area < -EDGE_SLACK * square:
                within = False
                break
        if within:
            half = 0.5 * gap
            count = put_new(
                begin, count, whole, real, g, a, b, t, 0, work.point_ids[i], x - half * nx, y - half * ny, z - half * nz, nx,
                ny, nz, gap, work.curved[i], 1e-6 * radius,
            )  # fmt: skip
    return count


@njit(**INNER)
def body_mesh(g, a, p, R, b, q, Rb, far, work, begin, count, whole, real, wanted, candidates):
    """Contacts of the lowest points of the convex body b with mesh a; edges that stick out near it become candidates."""
    x, y, z = to_mesh(p, R, q[0], q[1], q[2])
    corners = work.triangle
    stack = work.stack
    stack[0] = 1
    top = 1
    while True:
        leaf, top = next_leaf(g, a, top, stack, x, y, z, g.radius[b] + far)
        if leaf < 0:
            return count, wanted
        for k in range(LEAF * leaf, min(LEAF * leaf + LEAF, g.length[a, TRIANGLE])):
            t = g.leaf[g.first[a, TRIANGLE] + k]
            count = face_points(g, a, p, R, t, b, q, Rb, corners, far, work, begin, count, whole, real)
            for i in range(3):
                if g.side[g.first[a, TRIANGLE] + t, i] & TOUCHABLE:
                    if wanted < candidates.shape[0]:
                        candidates[wanted, 0] = a
                        candidates[wanted, 1] = b
                        candidates[wanted, 2] = t
                        candidates[wanted, 3] = i
                    wanted += 1


@njit(**JIT)
def mesh_contacts(
    g, meshes, spheres, others, position, R, reach, margin, work, count, whole, real, wanted, candidates
):  # fmt: skip
    """Contacts of all meshes with all bodies that move, apart from edges, which become candidates (.., 4) = a, b, t, side.

    Mesh after mesh for every body: on a seam, two meshes may find the same contact.
    """
    for m in range(spheres.shape[0]):
        b = spheres[m]
        q, begin = position[b], count
        for k in range(meshes.shape[0]):
            a = meshes[k]
            far = margin + reach[a] + reach[b]
            count = ball_mesh(
                g, a, position[a], R[a], b, 0, q[0], q[1], q[2], g.size[b, 0], far, work.stack, begin, count, whole, real,
            )  # fmt: skip
    for m in range(others.shape[0]):
        b = others[m]
        q, Rb = position[b], R[b]
        begin = count
        for k in range(meshes.shape[0] if g.kind[b] != CLUMP else 0):
            a = meshes[k]
            far = margin + reach[a] + reach[b]
            count, wanted = body_mesh(
                g, a, position[a], R[a], b, q, Rb, far, work, begin, count, whole, real, wanted, candidates
            )  # fmt: skip
        for i in range(g.length[b, BALL]):
            v = g.ball[g.first[b, BALL] + i]
            x = q[0] + Rb[0, 0] * v[0] + Rb[0, 1] * v[1] + Rb[0, 2] * v[2]
            y = q[1] + Rb[1, 0] * v[0] + Rb[1, 1] * v[1] + Rb[1, 2] * v[2]
            z = q[2] + Rb[2, 0] * v[0] + Rb[2, 1] * v[1] + Rb[2, 2] * v[2]
            begin = count
            for k in range(meshes.shape[0]):
                a = meshes[k]
                far = margin + reach[a] + reach[b]
                count = ball_mesh(
                    g, a, position[a], R[a], b, i, x, y, z, v[3], far, work.stack, begin, count, whole, real
                )  # fmt: skip
    return count, wanted


@njit(**INNER)
def on_border(g, a, t, region):
    """Whether an edge or a corner of triangle t lies on the border of the surface."""
    base = g.first[a, TRIANGLE]
    if region == 0:
        return False
    if region >= 4:
        return g.across[base + t, region - 4] < 0
    vertex = g.triangle[base + t, region - 1]
    corner = g.first[a, VERTEX] + vertex
    for k in range(g.fan_first[corner], g.fan_first[corner + 1]):
        for side in range(3):
            if g.across[base + g.fan[k], side] < 0 and (
                g.triangle[base + g.fan[k], side] == vertex or g.triangle[base + g.fan[k], (side + 1) % 3] == vertex
            ):
                return True
    return False


@njit(**INNER)
def distance_and_height(g, a, t, x, y, z):
    """Squared distance of a point from triangle t, mesh frame; its height above the plane; region of the nearest point."""
    tri, first, n = g.triangle[g.first[a, TRIANGLE] + t], g.first[a, VERTEX], g.tilt[g.first[a, TRIANGLE] + t]
    corner = g.vertex[first + tri[0]]
    qx, qy, qz, region = nearest_in_triangle(x, y, z, corner, g.vertex[first + tri[1]], g.vertex[first + tri[2]])
    above = n[0] * (x - corner[0]) + n[1] * (y - corner[1]) + n[2] * (z - corner[2])
    return (x - qx) ** 2 + (y - qy) ** 2 + (z - qz) ** 2, above, region


@njit(**INNER)
def height_at_seam(g, a, t, x, y, z, best, height):
    """Height above the surface of a point that is nearest to triangle t, with the grounds beyond a seam; NaN if one of them
    is nearer."""
    for k in range(3):
        corner = g.first[a, VERTEX] + g.triangle[g.first[a, TRIANGLE] + t, k]
        for m in range(g.fan_first[corner], g.fan_first[corner + 1]):
            if g.fan[m] >= g.length[a, TRIANGLE]:
                square, above, region = distance_and_height(g, a, g.fan[m], x, y, z)
                if square < best * (1.0 - 1e-9):
                    return np.nan
                if square <= best * (1.0 + 1e-9) and abs(above) > abs(height):
                    height = above
    return height


@njit(nogil=True, **JIT)
def signed_distances(g, a, p, R, points, stack, out):
    """Distances of world points (N, 3) from the surface of mesh a, negative behind it, to `out` (N,) [m].

    NaN where the nearest point is on the border of the surface: beside it there is no behind.  At edges and corners that
    triangle tells the side that looks at the point most directly.
    """
    base = g.first[a, TRIANGLE]
    for i in range(points.shape[0]):
        x, y, z = to_mesh(p, R, points[i, 0], points[i, 1], points[i, 2])
        best, height, nearest, place = np.inf, 0.0, 0, 0
        stack[0] = 1
        top = 1
        while True:
            leaf, top = next_leaf(g, a, top, stack, x, y, z, math.sqrt(best) * (1.0 + 1e-9))
            if leaf < 0:
                break
            for k in range(LEAF * leaf, min(LEAF * leaf + LEAF, g.length[a, TRIANGLE])):
                t = g.leaf[base + k]
                square, above, region = distance_and_height(g, a, t, x, y, z)
                if square < best * (1.0 - 1e-9) or (square <= best * (1.0 + 1e-9) and abs(above) > abs(height)):
                    best, height, nearest, place = min(best, square), above, t, region
        if place != 0:
            height = np.nan if on_border(g, a, nearest, place) else height_at_seam(g, a, nearest, x, y, z, best, height)
        out[i] = np.nan if math.isnan(height) else math.sqrt(best) if height >= 0.0 else -math.sqrt(best)
