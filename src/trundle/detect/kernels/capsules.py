"""Contacts of two capsules in closed form, compiled; never raises.

A capsule is a segment with a radius around it.  Two that cross touch in one point; two that lie side by side touch in the
ends of what their segments have in common.  Two that nearly do touch in one point, but the least turn brings an end down: the
ends within reach are contacts, too, each with its own normal.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.contacts import put
from trundle.detect.kernels.patch import LEANING, curvature, height, overlap
from trundle.kernels.rotations import INNER
from trundle.kinds import CAPSULE

AWAY = 0.25  # of a segment's half: what an end must be away from the nearest points to be a contact of its own
ALONG = 0.05  # sine of the angle below which two segments, seen along the normal, lie side by side


@njit(**INNER)
def nearest_on_segments(dx, dy, dz, u, half_u, v, half_v):
    """Where the segments |s| <= half_u along u and |t| <= half_v along v from d are nearest to each other: s, t."""
    b = u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
    c = u[0] * dx + u[1] * dy + u[2] * dz
    f = v[0] * dx + v[1] * dy + v[2] * dz
    det = 1.0 - b * b
    s = (c - b * f) / det if det > 1e-12 else c
    s = min(half_u, max(-half_u, s))
    t = min(half_v, max(-half_v, b * s - f))
    return min(half_u, max(-half_u, b * t + c)), t


@njit(**INNER)
def across_both(u, v, x, y, z):
    """A unit vector at right angles to u, and to v if they are not parallel, whose sense is that of (x, y, z)."""
    nx, ny, nz = u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    if length < 1e-6:
        along = u[0] * x + u[1] * y + u[2] * z
        nx, ny, nz = x - along * u[0], y - along * u[1], z - along * u[2]
        length = math.sqrt(nx * nx + ny * ny + nz * nz)
        if not length > 0.0:
            k = 0 if abs(u[0]) < 0.6 else 1
            nx, ny, nz = (0.0, u[2], -u[1]) if k == 0 else (-u[2], 0.0, u[0])
            length = math.sqrt(nx * nx + ny * ny + nz * nz)
    if nx * x + ny * y + nz * z < 0.0:
        length = -length
    return nx / length, ny / length, nz / length


@njit(**INNER)
def side_by_side(u, half_u, v, half_v, dx, dy, dz, nx, ny, nz, seen):
    """Whether both segments lie along each other, seen along n; then their ends along two tangents and n, to seen (2, 2, 3)."""
    along_u = u[0] * nx + u[1] * ny + u[2] * nz
    along_v = v[0] * nx + v[1] * ny + v[2] * nz
    if abs(along_u) >= LEANING or abs(along_v) >= LEANING:
        return False
    # first tangent: u as it is seen along n
    width = math.sqrt(1.0 - along_u * along_u)
    px, py, pz = (u[0] - along_u * nx) / width, (u[1] - along_u * ny) / width, (u[2] - along_u * nz) / width
    qx, qy, qz = ny * pz - nz * py, nz * px - nx * pz, nx * py - ny * px
    vp, vq = v[0] * px + v[1] * py + v[2] * pz, v[0] * qx + v[1] * qy + v[2] * qz
    if abs(vq) > ALONG * math.sqrt(vp * vp + vq * vq):
        return False
    dp, dq, dn = dx * px + dy * py + dz * pz, dx * qx + dy * qy + dz * qz, dx * nx + dy * ny + dz * nz
    for k in range(2):
        s = half_u if k else -half_u
        seen[0, k, 0], seen[0, k, 1], seen[0, k, 2] = s * width, 0.0, s * along_u
        t = half_v if k else -half_v
        seen[1, k, 0], seen[1, k, 1], seen[1, k, 2] = dp + t * vp, dq + t * vq, dn + t * along_v
    return True


@njit(**INNER)
def end_contacts(a, b, p, u, half_a, ra, v, half_b, rb, dx, dy, dz, at_a, at_b, far, codes, count, whole, real):
    """Contacts of ends of the segments that lie beside the other one, away from the nearest points at_a, at_b."""
    for side in range(2):
        half, other, sign, nearest = (half_b, half_a, -1.0, at_b) if side else (half_a, half_b, 1.0, at_a)
        for k in range(2):
            s = half if k else -half
            if abs(s - nearest) < AWAY * half:
                continue
            one, two = (v, u) if side else (u, v)
            # from the end to the centre of the other, and along its segment
            x, y, z = sign * dx - s * one[0], sign * dy - s * one[1], sign * dz - s * one[2]
            t = -(two[0] * x + two[1] * y + two[2] * z)
            if abs(t) >= other:
                continue
            x, y, z = x + t * two[0], y + t * two[1], z + t * two[2]
            distance = math.sqrt(x * x + y * y + z * z)
            gap = distance - ra - rb
            if gap >= far or distance < 1e-8 * (half_a + half_b):
                continue
            x, y, z = sign * x / distance, sign * y / distance, sign * z / distance
            along, out = t if side else s, ra + 0.5 * gap
            count = put(
                count, whole, real, a, b, (k + 1) * (1 if side else codes), p[0] + along * u[0] + out * x,
                p[1] + along * u[1] + out * y, p[2] + along * u[2] + out * z, x, y, z, gap, ra, rb,
            )  # fmt: skip
    return count


@njit(**INNER)
def capsule_contacts(s, placed, pairs, axis, pair_count, codes, count, whole, real):
    """Contacts among near pairs of two capsules; axis (.., 3): their normals; codes: see `kernels.patch.common`."""
    position, R = placed.position, placed.R
    seen, places, gaps, slope = np.empty((2, 2, 3)), np.empty((4, 2)), np.empty(4), np.zeros((2, 2))
    ids, ends = np.empty(4, np.int64), np.empty((2, 2), np.int64)
    for i in range(2):
        ends[i, 0], ends[i, 1] = 0, 1
    for k in range(pair_count):
        a, b = pairs[k, 0], pairs[k, 1]
        if s.kind[a] != CAPSULE or s.kind[b] != CAPSULE or (placed.held[a] and placed.held[b]):
            continue
        p, u, v = position[a], R[a, :, 2], R[b, :, 2]
        dx, dy, dz = position[b, 0] - p[0], position[b, 1] - p[1], position[b, 2] - p[2]
        ra, half_a, rb, half_b = s.size[a, 0], s.size[a, 1], s.size[b, 0], s.size[b, 1]
        far = placed.margin + placed.reach[a] + placed.reach[b]
        at_a, at_b = nearest_on_segments(dx, dy, dz, u, half_a, v, half_b)
        nx = dx + at_b * v[0] - at_a * u[0]
        ny = dy + at_b * v[1] - at_a * u[1]
        nz = dz + at_b * v[2] - at_a * u[2]
        square = nx * nx + ny * ny + nz * nz
        limit = far + ra + rb
        distance = math.sqrt(square)
        if distance > 1e-8 * (half_a + half_b):
            nx /= distance
            ny /= distance
            nz /= distance
        else:  # the segments meet
            nx, ny, nz = across_both(u, v, dx, dy, dz)
        axis[k, 0], axis[k, 1], axis[k, 2] = nx, ny, nz
        if square >= limit * limit:
            continue
        curve_a, curve_b = (
            curvature(CAPSULE, s.size[a], R[a], nx, ny, nz),
            curvature(CAPSULE, s.size[b], R[b], nx, ny, nz),
        )
        gap = distance - ra - rb
        scale, lowest, places_count = min(half_a, half_b), np.inf, 0
        if side_by_side(u, half_a, v, half_b, dx, dy, dz, nx, ny, nz, seen):
            places_count = overlap(seen, ends, codes, 1e-6 * scale, places, ids)
        for i in range(places_count):
            x, y = places[i, 0], places[i, 1]
            gaps[i] = height(1, 2, seen, slope, x, y) - height(0, 2, seen, slope, x, y) - ra - rb
            lowest = min(lowest, gaps[i])
        # first tangent as in `side_by_side`
        along = u[0] * nx + u[1] * ny + u[2] * nz
        for i in range(places_count):
            if gaps[i] < far:
                width = math.sqrt(1.0 - along * along)
                x, y = places[i, 0] / width, places[i, 1] / width
                z = height(0, 2, seen, slope, places[i, 0], places[i, 1]) + ra + 0.5 * gaps[i]
                px, py, pz = u[0] - along * nx, u[1] - along * ny, u[2] - along * nz
                count = put(
                    count, whole, real, a, b, ids[i], p[0] + x * px + y * (ny * pz - nz * py) + z * nx,
                    p[1] + x * py + y * (nz * px - nx * pz) + z * ny, p[2] + x * pz + y * (nx * py - ny * px) + z * nz,
                    nx, ny, nz, gaps[i], curve_a, curve_b,
                )  # fmt: skip
        if lowest > gap + 1e-9 * scale:  # the nearest points are not among them
            out = ra + 0.5 * gap
            count = put(
                count, whole, real, a, b, 0, p[0] + at_a * u[0] + out * nx, p[1] + at_a * u[1] + out * ny,
                p[2] + at_a * u[2] + out * nz, nx, ny, nz, gap, curve_a, curve_b,
            )  # fmt: skip
            if places_count == 0:
                count = end_contacts(
                    a, b, p, u, half_a, ra, v, half_b, rb, dx, dy, dz, at_a, at_b, far, codes, count, whole, real
                )  # fmt: skip
    return count
