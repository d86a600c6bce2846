"""Points with which bodies touch flat ground: half-spaces, and the triangles of meshes.  Compiled; never raises."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.contacts import put
from trundle.kernels.rotations import INNER, JIT, rotation_matrix
from trundle.kinds import BOX, CAPSULE, CLUMP, CONE, CYLINDER, DISK, ELLIPSOID, POLYHEDRON, SPHERE

VERTEX, BALL = 0, 3
LEVEL = 1e-8  # tilt of a disk [rad] below which it counts as horizontal
LYING = 1e-3  # tilt [rad] below which the side of a capsule or cylinder counts as lying on the ground
ROOT3 = math.sqrt(3.0)


@njit(**JIT)
def rotations(index, orientation, R):
    """Rotation matrices of some bodies, written to R (B, 3, 3)."""
    for m in range(index.shape[0]):
        rotation_matrix(orientation, index[m], R[index[m]])


@njit(**JIT)
def world_planes(planes, size, position, orientation, plane):
    """World normals and offsets (P, 4) of half-spaces."""
    R = np.empty((3, 3))
    for k in range(planes.shape[0]):
        a = planes[k]
        rotation_matrix(orientation, a, R)
        offset = size[a, 3]
        for i in range(3):
            plane[k, i] = R[i, 0] * size[a, 0] + R[i, 1] * size[a, 1] + R[i, 2] * size[a, 2]
            offset += plane[k, i] * position[a, i]
        plane[k, 3] = offset


@njit(**INNER)
def rim_direction(R, nx, ny, nz, rim):
    """Direction in the body's xy-plane to the lowest point of a rim, written to rim (2,); returns the tilt, sin(beta).

    le Saux et al. (2005), (2.11)-(2.13): C1 is opposite to the projection of n onto the disk.  Where the disk is
    horizontal and any point is the lowest, the direction that it had before stays: continuity, (2.24).
    """
    x = R[0, 0] * nx + R[1, 0] * ny + R[2, 0] * nz
    y = R[0, 1] * nx + R[1, 1] * ny + R[2, 1] * nz
    tilt = math.sqrt(x * x + y * y)
    if tilt > LEVEL:
        rim[0] = -x / tilt
        rim[1] = -y / tilt
    return tilt


@njit(**INNER)
def put_point(count, points, ids, curved, p, R, x, y, z, dx, dy, dz, feature, radius):
    """Write a surface point: p + R (x, y, z) + (dx, dy, dz)."""
    points[count, 0] = p[0] + R[0, 0] * x + R[0, 1] * y + R[0, 2] * z + dx
    points[count, 1] = p[1] + R[1, 0] * x + R[1, 1] * y + R[1, 2] * z + dy
    points[count, 2] = p[2] + R[2, 0] * x + R[2, 1] * y + R[2, 2] * z + dz
    ids[count] = feature
    curved[count] = radius
    return count + 1


@njit(**INNER)
def ellipsoid_radius(a, b, c, x, y, z):
    """Radius of mean curvature of an ellipsoid where its unit outward normal, body frame, is (x, y, z).

    The radii of curvature are the eigenvalues of the second derivative of the support function h = |(a x, b y, c z)|;
    their product is (a b c)^2 / h^4, their sum the trace: 1 / mean curvature = 2 product / sum.
    """
    h2 = a * a * x * x + b * b * y * y + c * c * z * z
    h = math.sqrt(h2)
    square = (a**4 * x * x + b**4 * y * y + c**4 * z * z) / h2
    trace = (a * a + b * b + c * c - square) / h
    product = (a * b * c / h2) ** 2
    return 2.0 * product / trace


@njit(**INNER)
def round_points(kind, size, p, R, nx, ny, nz, rim, points, ids, curved):
    """As `low_points` for shapes with a rim: three points of a disk, four of each end of a cylinder, apex and rim of a cone."""
    r, half = size[0], size[1]
    tilt = rim_direction(R, nx, ny, nz, rim)
    count = 0
    if kind == DISK:
        x, y = r * rim[0], r * rim[1]
        for k in range(3):  # (2.14): turned by 0 and +-120 degrees
            s = 0.0 if k == 0 else (0.5 * ROOT3 if k == 1 else -0.5 * ROOT3)
            c = 1.0 if k == 0 else -0.5
            count = put_point(count, points, ids, curved, p, R, c * x - s * y, s * x + c * y, 0.0, 0.0, 0.0, 0.0, k, r)
        return count
    curve = np.inf if tilt < LYING else (2.0 * r if tilt * tilt > 1.0 - LYING * LYING else r)
    if kind == CONE:
        curve = np.inf if tilt < LYING else r
        count = put_point(count, points, ids, curved, p, R, 0.0, 0.0, size[3], 0.0, 0.0, 0.0, 4, np.inf)
    for end in range(1 if kind == CONE else 2):
        z = size[2] if kind == CONE else (half if end else -half)
        x, y = r * rim[0], r * rim[1]
        for k in range(4):
            count = put_point(count, points, ids, curved, p, R, x, y, z, 0.0, 0.0, 0.0, 4 * end + k, curve)
            x, y = -y, x
    return count


@njit(**INNER)
def low_points(g, i, p, R, nx, ny, nz, rim, points, ids, curved):
    """Points of body i that can touch ground with the outward normal n, lowest ones among them; returns their number.

    points (.., 3) world; ids: numbers of the features; curved: radii of curvature; rim (2,): see `rim_direction`.
    """
    kind, size = g.kind[i], g.size[i]
    count = 0
    if kind == SPHERE:
        r = size[0]
        return put_point(count, points, ids, curved, p, R, 0.0, 0.0, 0.0, -r * nx, -r * ny, -r * nz, 0, r)
    if kind == BOX or kind == POLYHEDRON:
        first = g.first[i, VERTEX]
        for k in range(g.length[i, VERTEX]):
            v = g.vertex[first + k]
            count = put_point(count, points, ids, curved, p, R, v[0], v[1], v[2], 0.0, 0.0, 0.0, k, np.inf)
        return count
    if kind == CLUMP:
        first = g.first[i, BALL]
        for k in range(g.length[i, BALL]):
            v = g.ball[first + k]
            r = v[3]
            count = put_point(
                count, points, ids, curved, p, R, v[0], v[1], v[2], -r * nx, -r * ny, -r * nz, k, r
            )  # fmt: skip
        return count
    x = R[0, 0] * nx + R[1, 0] * ny + R[2, 0] * nz
    y = R[0, 1] * nx + R[1, 1] * ny + R[2, 1] * nz
    z = R[0, 2] * nx + R[1, 2] * ny + R[2, 2] * nz
    if kind == CAPSULE:
        r = size[0]
        curve = 2.0 * r if abs(z) < LYING else r
        for k in range(2):
            end = size[1] if k else -size[1]
            count = put_point(count, points, ids, curved, p, R, 0.0, 0.0, end, -r * nx, -r * ny, -r * nz, k, curve)
        return count
    if kind == ELLIPSOID:
        a, b, c = size[0], size[1], size[2]
        h = math.sqrt(a * a * x * x + b * b * y * y + c * c * z * z)
        curve = ellipsoid_radius(a, b, c, x, y, z)
        return put_point(
            count, points, ids, curved, p, R, -a * a * x / h, -b * b * y / h, -c * c * z / h, 0.0, 0.0, 0.0, 0, curve
        )  # fmt: skip
    if kind == DISK or kind == CYLINDER or kind == CONE:
        return round_points(kind, size, p, R, nx, ny, nz, rim, points, ids, curved)
    return 0


@njit(**JIT)
def plane_contacts(
    g, planes, plane, others, R, position, reach, margin, rims, points, ids, curved, count, whole, real
):  # fmt: skip
    """Contacts of half-spaces with bodies other than spheres; rims (P, n, 2): memory of `rim_direction`."""
    radius = g.radius  # taken out of the tuple here: every access counts a reference
    for k in range(planes.shape[0]):
        a = planes[k]
        nx, ny, nz, offset = plane[k, 0], plane[k, 1], plane[k, 2], plane[k, 3]
        for m in range(others.shape[0]):
            b = others[m]
            far = margin + reach[a] + reach[b]
            if nx * position[b, 0] + ny * position[b, 1] + nz * position[b, 2] - offset > radius[b] + far:
                continue
            n = low_points(g, b, position[b], R[b], nx, ny, nz, rims[k, m], points, ids, curved)
            for i in range(n):
                x, y, z = points[i, 0], points[i, 1], points[i, 2]
                gap = nx * x + ny * y + nz * z - offset
                if gap < far:
                    half = 0.5 * gap
                    count = put(
                        count, whole, real, a, b, ids[i], x - half * nx, y - half * ny, z - half * nz, nx, ny, nz, gap,
                        np.inf, curved[i],
                    )  # fmt: skip
    return count
