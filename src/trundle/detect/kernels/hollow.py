"""Contacts of bodies with smooth concave walls, see `walls`.  Compiled; never raises.

The regions within a sphere, a cylinder and a cone are convex: a convex body touches their walls with the points where its
distance from the wall has a local minimum.  Those are centres of balls, ends of capsules, corners, points of rims, or the one
to three points of an ellipsoid.  In a torus the same points are looked at: the wall around its axis is not felt by what is
between them.  Balls are also held by the edges of walls that end.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.contacts import put
from trundle.detect.kernels.plane import ellipsoid_radius
from trundle.detect.kernels.walls import (
    BEYOND,
    ON_WALL,
    edge_of,
    field_curvatures,
    mean_radius,
    outwards,
    turned_outward,
)
from trundle.kernels.rotations import INNER, JIT
from trundle.kinds import (
    BOX,
    CAPSULE,
    CLUMP,
    CONE,
    CONE_INSIDE,
    CYLINDER,
    CYLINDER_INSIDE,
    DISK,
    ELLIPSOID,
    POLYHEDRON,
    SPHERE,
    SPHERE_INSIDE,
)

VERTEX, BALL = 0, 3
SAMPLES = 16  # of a rim
LEVEL = 1e-8  # of a rim: change of its distance from the wall below which every point is the deepest
LYING = 1e-3  # tilt [rad] below which the side of a capsule or cylinder counts as lying on the wall
THIRD = -0.5, 0.5 * math.sqrt(3.0)  # cosine and sine of 120 degrees
PLACES = 3  # that an ellipsoid touches a wall with, at most
STEPS = 60


@njit(**INNER)
def put_on_wall(count, whole, real, a, b, feature, p, R, size, x, y, z, r, gap, nx, ny, nz, curve_a, curve_b):
    """Write the contact of a ball of radius r (0: a point) around (x, y, z) with the normal n, both in the frame of wall a."""
    along = r + 0.5 * gap
    x, y, z = x - along * nx, y - along * ny, z - along * nz - size[5]
    if math.isinf(curve_b) or curve_a == 0.0:  # corners have no radius, nor has the apex of a cone
        curve_a = np.inf
    elif 1.0 / curve_a + 1.0 / curve_b < 0.0:  # a body that is less curved than its wall rests on it like flat on flat
        curve_a = -curve_b
    return put(
        count, whole, real, a, b, feature, p[0] + R[0, 0] * x + R[0, 1] * y + R[0, 2] * z,
        p[1] + R[1, 0] * x + R[1, 1] * y + R[1, 2] * z, p[2] + R[2, 0] * x + R[2, 1] * y + R[2, 2] * z,
        R[0, 0] * nx + R[0, 1] * ny + R[0, 2] * nz, R[1, 0] * nx + R[1, 1] * ny + R[1, 2] * nz,
        R[2, 0] * nx + R[2, 1] * ny + R[2, 2] * nz, gap, curve_a, curve_b,
    )  # fmt: skip


@njit(**INNER)
def point_on_wall(kind, size, a, p, R, b, feature, x, y, z, curve, far, count, whole, real):
    """Contact of a point of body b, in the frame of wall a, with the wall itself."""
    gap, ox, oy, oz = outwards(kind, size, x, y, z)
    if gap >= far or edge_of(kind, size, x, y, z)[0] != ON_WALL:
        return count
    radius = mean_radius(kind, size, x, y, z)
    return put_on_wall(count, whole, real, a, b, feature, p, R, size, x, y, z, 0.0, gap, -ox, -oy, -oz, radius, curve)


@njit(**INNER)
def ball_in_wall(kind, size, a, p, R, b, feature, x, y, z, r, curve, far, count, whole, real):
    """Contacts of a ball of body b with wall a: feature, feature + 1 and + 2 are 120 degrees apart.

    The second and third are those that hold a ball which fills a cylinder, a cone or a tube.
    """
    depth, ox, oy, oz = outwards(kind, size, x, y, z)
    if depth - r >= far:
        return count
    beyond, rho, height, ne, nz = edge_of(kind, size, x, y, z)
    if beyond == BEYOND:
        across = math.sqrt(x * x + y * y)
        if across == 0.0:
            return count
        dx, dy, dz = x * (1.0 - rho / across), y * (1.0 - rho / across), z - height
        length = math.sqrt(dx * dx + dy * dy + dz * dz)
        # a ball outside of the edge is held by nothing
        if length - r >= far or length == 0.0 or ((across - rho) * ne + dz * nz) < 0.0:
            return count
        return put_on_wall(
            count, whole, real, a, b, feature, p, R, size, x, y, z, r, length - r, dx / length, dy / length, dz / length,
            np.inf, curve,
        )  # fmt: skip
    radius = mean_radius(kind, size, x, y, z)
    count = put_on_wall(
        count, whole, real, a, b, feature, p, R, size, x, y, z, r, depth - r, -ox, -oy, -oz, radius, curve
    )
    if kind == SPHERE_INSIDE:
        return count
    for k in range(1, 3):
        tx, ty, tz = turned_outward(kind, size, x, y, z, ox, oy, oz, THIRD[0], THIRD[1] if k == 1 else -THIRD[1])
        gap = tangent_depth(kind, size, x, y, z, tx, ty, tz) - r
        if gap < far and edge_of(kind, size, x + depth * tx, y + depth * ty, z + depth * tz)[0] == ON_WALL:
            count = put_on_wall(
                count, whole, real, a, b, feature + k, p, R, size, x, y, z, r, gap, -tx, -ty, -tz, radius, curve
            )
    return count


@njit(**INNER)
def tangent_depth(kind, size, x, y, z, ox, oy, oz):
    """Depth of a point below the tangent plane with the outward normal o: of a cylinder, a cone, or a tube at its azimuth."""
    along = x * ox + y * oy + z * oz
    if kind == CYLINDER_INSIDE:
        return size[0] - along
    if kind == CONE_INSIDE:
        return -along
    across = math.sqrt(x * x + y * y)
    ux, uy = (x / across, y / across) if across > 0.0 else (1.0, 0.0)
    return size[1] - along + size[0] * (ux * ox + uy * oy)


# --- rims -----------------------------------------------------------------------------------------------------------------


@njit(**INNER)
def on_rim(kind, size, c, M, r, u, v):
    """Depth of the point in the direction (u, v) of a rim with centre c (3,) and axes M (3, 3), and how it changes around it."""
    x = c[0] + r * (M[0, 0] * u + M[0, 1] * v)
    y = c[1] + r * (M[1, 0] * u + M[1, 1] * v)
    z = c[2] + r * (M[2, 0] * u + M[2, 1] * v)
    depth, ox, oy, oz = outwards(kind, size, x, y, z)
    slope = v * (ox * M[0, 0] + oy * M[1, 0] + oz * M[2, 0]) - u * (ox * M[0, 1] + oy * M[1, 1] + oz * M[2, 1])
    return depth, r * slope


@njit(**INNER)
def refined(kind, size, c, M, r, low, high):
    """Angle between low and high where the depth of a rim has a minimum: the root of its slope, by secants within a bracket."""
    f_low, f_high = on_rim(kind, size, c, M, r, math.cos(low), math.sin(low))[1], 0.0
    f_high = on_rim(kind, size, c, M, r, math.cos(high), math.sin(high))[1]
    if f_low >= 0.0 or f_high <= 0.0:
        return 0.5 * (low + high)
    side = 0
    for _ in range(STEPS):
        angle = low - f_low * (high - low) / (f_high - f_low)
        f = on_rim(kind, size, c, M, r, math.cos(angle), math.sin(angle))[1]
        if f == 0.0 or high - low < 1e-15:
            return angle
        if f < 0.0:
            if low == angle:
                return angle
            low, f_low = angle, f
            if side == -1:
                f_high *= 0.5
            side = -1
        else:
            if high == angle:
                return angle
            high, f_high = angle, f
            if side == 1:
                f_low *= 0.5
            side = 1
    return 0.5 * (low + high)


@njit(**INNER)
def deepest_on_rim(kind, size, c, M, r, rim):
    """Direction to the deepest point of a rim, written to rim (2,); returns the angle of a second minimum of the depth, or NaN.

    Where all points are as deep as each other, the direction that it had before stays: continuity, le Saux et al. (2005), (2.24).
    """
    if kind == SPHERE_INSIDE:
        u = M[0, 0] * c[0] + M[1, 0] * c[1] + M[2, 0] * c[2]
        v = M[0, 1] * c[0] + M[1, 1] * c[1] + M[2, 1] * c[2]
        length = math.sqrt(u * u + v * v)
        if length > LEVEL * r:
            rim[0], rim[1] = u / length, v / length
        return np.nan
    each = 2.0 * math.pi / SAMPLES
    f = np.empty(SAMPLES)
    best, second, most = 0, -1, -np.inf
    for k in range(SAMPLES):
        f[k] = on_rim(kind, size, c, M, r, math.cos(k * each), math.sin(k * each))[0]
        most = max(most, f[k])
        if f[k] < f[best]:
            best = k
    if most - f[best] < LEVEL * r:
        return np.nan
    angle = refined(kind, size, c, M, r, (best - 1) * each, (best + 1) * each)
    rim[0], rim[1] = math.cos(angle), math.sin(angle)
    for k in range(SAMPLES):
        apart = abs(k - best)
        if min(apart, SAMPLES - apart) < 2 or f[k] > f[k - 1] or f[k] > f[(k + 1) % SAMPLES]:
            continue
        if second < 0 or f[k] < f[second]:
            second = k
    return np.nan if second < 0 else refined(kind, size, c, M, r, (second - 1) * each, (second + 1) * each)


@njit(**INNER)
def rim_in_wall(kind, size, a, p, R, b, first, other, c, M, r, rim, curve, far, count, whole, real):
    """Contacts of a rim: its deepest point and those 120 degrees to both sides, first to first + 2, and another minimum."""
    second = deepest_on_rim(kind, size, c, M, r, rim)
    for k in range(4):
        u, v = rim[0], rim[1]
        if k == 3:
            if math.isnan(second):
                break
            u, v = math.cos(second), math.sin(second)
        elif k > 0:
            sine = THIRD[1] if k == 1 else -THIRD[1]
            u, v = THIRD[0] * u - sine * v, sine * u + THIRD[0] * v
        x = c[0] + r * (M[0, 0] * u + M[0, 1] * v)
        y = c[1] + r * (M[1, 0] * u + M[1, 1] * v)
        z = c[2] + r * (M[2, 0] * u + M[2, 1] * v)
        feature = other if k == 3 else first + k
        count = point_on_wall(kind, size, a, p, R, b, feature, x, y, z, curve, far, count, whole, real)
    return count


# --- ellipsoids -----------------------------------------------------------------------------------------------------------


@njit(**INNER)
def ellipsoid_point(c, M, axes, ox, oy, oz, x):
    """The point x (3,) of an ellipsoid around c where its normal is o; axes (3,) along the columns of M.  Returns h = |A o|."""
    h = 0.0
    x[0], x[1], x[2] = 0.0, 0.0, 0.0
    for k in range(3):
        along = M[0, k] * ox + M[1, k] * oy + M[2, k] * oz
        square = axes[k] * axes[k]
        h += square * along * along
        for i in range(3):
            x[i] += M[i, k] * square * along
    h = math.sqrt(h)
    for i in range(3):
        x[i] = c[i] + x[i] / h
    return h


@njit(**INNER)
def newton_turn(kind, size, c, M, axes, h, ox, oy, oz, x, dx, dy, dz):
    """The turn of the normal o after which it is the wall's own, given its deviation d now: (1 - K H) turn = d, K the curvature
    of the wall, H the radii of curvature of the ellipsoid.  Returns d where that is not solvable."""
    round_axis, along = field_curvatures(kind, size, x[0], x[1], x[2])
    across = math.sqrt(x[0] * x[0] + x[1] * x[1])
    tx, ty = (-x[1] / across, x[0] / across) if across > 0.0 else (0.0, 1.0)
    # tangents: t around the axis, s = o x t
    sx, sy, sz = -oz * ty, oz * tx, ox * ty - oy * tx
    htt, hts, hss, gt, gs = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        square = axes[k] * axes[k]
        t = M[0, k] * tx + M[1, k] * ty
        s = M[0, k] * sx + M[1, k] * sy + M[2, k] * sz
        o = M[0, k] * ox + M[1, k] * oy + M[2, k] * oz
        htt, hts, hss = htt + square * t * t, hts + square * t * s, hss + square * s * s
        gt, gs = gt + square * t * o, gs + square * s * o
    htt, hts, hss = (htt - gt * gt / (h * h)) / h, (hts - gt * gs / (h * h)) / h, (hss - gs * gs / (h * h)) / h
    dt, ds = dx * tx + dy * ty, dx * sx + dy * sy + dz * sz
    a, b, e, f = 1.0 - round_axis * htt, -round_axis * hts, -along * hts, 1.0 - along * hss
    det = a * f - b * e
    if det < 1e-6 or a < 0.0 or f < 0.0:
        return dx, dy, dz
    t, s = (f * dt - b * ds) / det, (a * ds - e * dt) / det
    if t * t + s * s > 0.04:
        return dx, dy, dz
    return t * tx + s * sx, t * ty + s * sy, s * sz


@njit(**INNER)
def deepest_of_ellipsoid(kind, size, c, M, axes, ox, oy, oz, x):
    """From the direction o to the point x (3,) of an ellipsoid where its depth has a minimum; returns the depth."""
    depth = 0.0
    for _ in range(STEPS):
        h = ellipsoid_point(c, M, axes, ox, oy, oz, x)
        depth, wx, wy, wz = outwards(kind, size, x[0], x[1], x[2])
        dx, dy, dz = wx - ox, wy - oy, wz - oz
        if dx * dx + dy * dy + dz * dz < 1e-31:
            break
        if dx * dx + dy * dy + dz * dz < 0.04:
            dx, dy, dz = newton_turn(kind, size, c, M, axes, h, ox, oy, oz, x, dx, dy, dz)
        ox, oy, oz = ox + dx, oy + dy, oz + dz
        length = 1.0 / math.sqrt(ox * ox + oy * oy + oz * oz)
        ox, oy, oz = length * ox, length * oy, length * oz
    return depth


@njit(**INNER)
def ellipsoid_in_wall(kind, size, a, p, R, b, c, M, axes, far, count, whole, real):
    """Contacts of an ellipsoid: looked for from the nearest wall, and from both ends of its longest axis; deepest first."""
    places, depths, found = np.empty((PLACES, 3)), np.empty(PLACES), 0
    x = np.empty(3)
    longest = 0 if axes[0] >= axes[1] and axes[0] >= axes[2] else (1 if axes[1] >= axes[2] else 2)
    for k in range(PLACES):
        if k == 0:
            depth, ox, oy, oz = outwards(kind, size, c[0], c[1], c[2])
        else:
            sign = 1.0 if k == 1 else -1.0
            depth, ox, oy, oz = outwards(
                kind, size, c[0] + sign * axes[longest] * M[0, longest], c[1] + sign * axes[longest] * M[1, longest],
                c[2] + sign * axes[longest] * M[2, longest],
            )  # fmt: skip
        depth = deepest_of_ellipsoid(kind, size, c, M, axes, ox, oy, oz, x)
        known = depth >= far
        for i in range(found):
            apart = abs(places[i, 0] - x[0]) + abs(places[i, 1] - x[1]) + abs(places[i, 2] - x[2])
            known = known or apart < 1e-3 * axes[longest]
        if known:
            continue
        at = found
        while at > 0 and depths[at - 1] > depth:
            depths[at] = depths[at - 1]
            for i in range(3):
                places[at, i] = places[at - 1, i]
            at -= 1
        depths[at] = depth
        for i in range(3):
            places[at, i] = x[i]
        found += 1
    for k in range(found):
        depth, ox, oy, oz = outwards(kind, size, places[k, 0], places[k, 1], places[k, 2])
        curve = ellipsoid_radius(
            axes[0], axes[1], axes[2], M[0, 0] * ox + M[1, 0] * oy + M[2, 0] * oz, M[0, 1] * ox + M[1, 1] * oy + M[2, 1] * oz,
            M[0, 2] * ox + M[1, 2] * oy + M[2, 2] * oz,
        )  # fmt: skip
        count = point_on_wall(
            kind, size, a, p, R, b, k, places[k, 0], places[k, 1], places[k, 2], curve, far, count, whole, real
        )
    return count


# --- bodies ---------------------------------------------------------------------------------------------------------------


@njit(**INNER)
def along_wall(kind, size, c, M):
    """Whether the axis of a body around c lies along the wall."""
    depth, ox, oy, oz = outwards(kind, size, c[0], c[1], c[2])
    return abs(M[0, 2] * ox + M[1, 2] * oy + M[2, 2] * oz) < LYING


@njit(**INNER)
def balls_in_wall(s, kind, size, a, p, R, b, c, M, far, count, whole, real):
    """Contacts of spheres, capsules and clumps."""
    own = s.size[b]
    if s.kind[b] == SPHERE:
        return ball_in_wall(kind, size, a, p, R, b, 0, c[0], c[1], c[2], own[0], own[0], far, count, whole, real)
    if s.kind[b] == CAPSULE:
        curve = 2.0 * own[0] if along_wall(kind, size, c, M) else own[0]
        for k in range(2):
            z = own[1] if k else -own[1]
            count = ball_in_wall(
                kind, size, a, p, R, b, 3 * k, c[0] + M[0, 2] * z, c[1] + M[1, 2] * z, c[2] + M[2, 2] * z, own[0], curve, far,
                count, whole, real,
            )  # fmt: skip
        return count
    first = s.first[b, BALL]
    for k in range(s.length[b, BALL]):
        v = s.ball[first + k]
        count = ball_in_wall(
            kind, size, a, p, R, b, 3 * k, c[0] + M[0, 0] * v[0] + M[0, 1] * v[1] + M[0, 2] * v[2],
            c[1] + M[1, 0] * v[0] + M[1, 1] * v[1] + M[1, 2] * v[2], c[2] + M[2, 0] * v[0] + M[2, 1] * v[1] + M[2, 2] * v[2],
            v[3], v[3], far, count, whole, real,
        )  # fmt: skip
    return count


@njit(**INNER)
def others_in_wall(s, kind, size, a, p, R, b, c, M, rim, far, count, whole, real):
    """Contacts of bodies with corners and rims."""
    own, shape = s.size[b], s.kind[b]
    if shape == BOX or shape == POLYHEDRON:
        first = s.first[b, VERTEX]
        for k in range(s.length[b, VERTEX]):
            v = s.vertex[first + k]
            count = point_on_wall(
                kind, size, a, p, R, b, k, c[0] + M[0, 0] * v[0] + M[0, 1] * v[1] + M[0, 2] * v[2],
                c[1] + M[1, 0] * v[0] + M[1, 1] * v[1] + M[1, 2] * v[2],
                c[2] + M[2, 0] * v[0] + M[2, 1] * v[1] + M[2, 2] * v[2], np.inf, far, count, whole, real,
            )  # fmt: skip
        return count
    middle, curve = np.empty(3), own[0]
    if shape == CYLINDER and along_wall(kind, size, c, M):
        curve = 2.0 * own[0]
    for end in range(2 if shape == CYLINDER else 1):
        z = (own[1] if end else -own[1]) if shape == CYLINDER else (own[2] if shape == CONE else 0.0)
        for i in range(3):
            middle[i] = c[i] + M[i, 2] * z
        # numbers as on flat ground: the first of 3 of a disk, of 4 of an end of a cylinder is the deepest point
        count = rim_in_wall(
            kind, size, a, p, R, b, 4 * end, 4 if shape == DISK else 4 * end + 3, middle, M, own[0], rim[2 * end : 2 * end + 2],
            curve, far, count, whole, real,
        )  # fmt: skip
    if shape == CONE:
        z = own[3]
        count = point_on_wall(
            kind, size, a, p, R, b, 5, c[0] + M[0, 2] * z, c[1] + M[1, 2] * z, c[2] + M[2, 2] * z, np.inf, far, count, whole,
            real,
        )  # fmt: skip
    return count


@njit(**JIT)
def wall_contacts(s, walls, members, rims, position, R, reach, held, margin, count, whole, real):
    """Contacts of walls with all bounded bodies (members) that can be pushed, or that the wall can be pushed against.

    rims (W, M, 4): directions to the deepest points of both rims of a body, from step to step.
    """
    c, M, radius = np.empty(3), np.empty((3, 3)), s.radius
    for k in range(walls.shape[0]):
        a = walls[k]
        kind, size, p, Ra = s.kind[a], s.size[a], position[a], R[a]
        for m in range(members.shape[0]):
            b = members[m]
            far = margin + reach[a] + reach[b]
            if (held[a] and held[b]) or not far > -radius[b]:
                continue
            for i in range(3):
                c[i] = 0.0
                for j in range(3):
                    c[i] += Ra[j, i] * (position[b, j] - p[j])
            c[2] += size[5]
            depth = outwards(kind, size, c[0], c[1], c[2])[0]
            # far from the wall, or behind it
            if depth - radius[b] >= far or depth < -max(0.5 * s.inner[b], 0.05 * radius[b]):
                continue
            if s.kind[b] != SPHERE:
                for i in range(3):
                    for j in range(3):
                        M[i, j] = Ra[0, i] * R[b, 0, j] + Ra[1, i] * R[b, 1, j] + Ra[2, i] * R[b, 2, j]
            if s.kind[b] == SPHERE or s.kind[b] == CAPSULE or s.kind[b] == CLUMP:
                count = balls_in_wall(s, kind, size, a, p, Ra, b, c, M, far, count, whole, real)
            elif s.kind[b] == ELLIPSOID:
                count = ellipsoid_in_wall(kind, size, a, p, Ra, b, c, M, s.size[b], far, count, whole, real)
            else:
                count = others_in_wall(s, kind, size, a, p, Ra, b, c, M, rims[k, m], far, count, whole, real)
    return count
