"""Bodies that passed through others within a step, compiled; never raises."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.mesh import next_leaf, to_mesh
from trundle.detect.kernels.point import point_shape
from trundle.kernels.rotations import INNER, JIT
from trundle.kinds import CLUMP, COMPOUND, SPHERE

VERTEX, TRIANGLE = 0, 4
LEAF = 4
SLACK = 1e-2  # of a body's radius that its centre may be below ground without having passed through


@njit(**JIT)
def note(count, found, a, b):
    """Write a pair if there is room; returns the count either way."""
    if count < found.shape[0]:
        found[count, 0] = min(a, b)
        found[count, 1] = max(a, b)
    return count + 1


@njit(**JIT)
def through_planes(planes, plane, index, radius, before, after, found, count):
    """Bodies whose centres went below half-spaces, plane (P, 4) = normals and offsets."""
    for k in range(planes.shape[0]):
        n = plane[k]
        for m in range(index.shape[0]):
            b = index[m]
            x, y = before[b], after[b]
            limit = -SLACK * radius[b]
            if n[0] * y[0] + n[1] * y[1] + n[2] * y[2] - n[3] < limit:
                if n[0] * x[0] + n[1] * x[1] + n[2] * x[2] - n[3] >= limit:
                    count = note(count, found, planes[k], b)
    return count


@njit(**JIT)
def through_mesh(g, a, p, R, x, y, stack):
    """Whether the way from x to y crosses a triangle of mesh a from its front to its back."""
    ax, ay, az = to_mesh(p, R, x[0], x[1], x[2])
    bx, by, bz = to_mesh(p, R, y[0], y[1], y[2])
    dx, dy, dz = bx - ax, by - ay, bz - az
    reach = 0.5 * math.sqrt(dx * dx + dy * dy + dz * dz)
    base, first = g.first[a, TRIANGLE], g.first[a, VERTEX]
    stack[0] = 1
    top = 1
    while True:
        leaf, top = next_leaf(g, a, top, stack, ax + 0.5 * dx, ay + 0.5 * dy, az + 0.5 * dz, reach)
        if leaf < 0:
            return False
        for k in range(LEAF * leaf, min(LEAF * leaf + LEAF, g.length[a, TRIANGLE])):
            t = base + g.leaf[base + k]
            n, tri = g.tilt[t], g.triangle[t]
            c = g.vertex[first + tri[0]]
            above = n[0] * (ax - c[0]) + n[1] * (ay - c[1]) + n[2] * (az - c[2])
            below = n[0] * (bx - c[0]) + n[1] * (by - c[1]) + n[2] * (bz - c[2])
            if above < 0.0 or below >= 0.0:
                continue
            s = above / (above - below)
            qx, qy, qz = ax + s * dx, ay + s * dy, az + s * dz
            within = True
            for i in range(3):
                u, v = g.vertex[first + tri[i]], g.vertex[first + tri[i + 1 if i < 2 else 0]]
                ex, ey, ez = v[0] - u[0], v[1] - u[1], v[2] - u[2]
                wx, wy, wz = qx - u[0], qy - u[1], qz - u[2]
                if n[0] * (ey * wz - ez * wy) + n[1] * (ez * wx - ex * wz) + n[2] * (ex * wy - ey * wx) < 0.0:
                    within = False
                    break
            if within:
                return True


@njit(**INNER)
def depth_at(g, a, p, R, x, y, z):
    """Distance of a point from body a, negative inside, and the outward direction; clumps by the ball they hold."""
    if g.kind[a] == SPHERE or g.kind[a] == CLUMP or g.kind[a] == COMPOUND:
        dx, dy, dz = x - p[0], y - p[1], z - p[2]
        length = math.sqrt(dx * dx + dy * dy + dz * dz)
        if length == 0.0:
            return -g.inner[a], 0.0, 0.0, 1.0
        return length - g.inner[a], dx / length, dy / length, dz / length
    distance, nx, ny, nz, curve = point_shape(g, a, p, R, x, y, z)
    return distance, nx, ny, nz


@njit(**INNER)
def through_body(g, a, R, before, after, b):
    """Whether the centre of b went right through body a: outside at both ends, inside in between, out on another side."""
    p = after[a]
    # as seen from a, where it is after the step
    x0 = before[b, 0] - before[a, 0] + p[0]
    y0 = before[b, 1] - before[a, 1] + p[1]
    z0 = before[b, 2] - before[a, 2] + p[2]
    dx, dy, dz = after[b, 0] - x0, after[b, 1] - y0, after[b, 2] - z0
    d0, ax, ay, az = depth_at(g, a, p, R, x0, y0, z0)
    d1, bx, by, bz = depth_at(g, a, p, R, after[b, 0], after[b, 1], after[b, 2])
    if d0 < 0.0 or d1 < 0.0 or ax * bx + ay * by + az * bz > 0.0:
        return False
    low, high = 0.0, 1.0  # the distance from a convex body is convex along a line
    for _ in range(60):
        s, t = low + (high - low) / 3.0, high - (high - low) / 3.0
        ds, nx, ny, nz = depth_at(g, a, p, R, x0 + s * dx, y0 + s * dy, z0 + s * dz)
        dt, nx, ny, nz = depth_at(g, a, p, R, x0 + t * dx, y0 + t * dy, z0 + t * dz)
        if ds < 0.0 or dt < 0.0:
            return True
        if ds < dt:
            high = t
        else:
            low = s
    return False


@njit(**INNER)
def way_of_fast(radius, inner, b):
    """How far body b has to move to be looked at: half of the ball that it holds."""
    return 0.5 * max(inner[b], 0.1 * radius[b])


@njit(**JIT)
def fast_bodies(index, radius, inner, before, after, fast):
    """Bodies that moved by more than half of the ball they hold; returns their number, written to fast."""
    count = 0
    for m in range(index.shape[0]):
        b = index[m]
        square = 0.0
        for k in range(3):
            square += (after[b, k] - before[b, k]) ** 2
        if square > way_of_fast(radius, inner, b) ** 2:
            fast[count] = b
            count += 1
    return count


@njit(**JIT)
def through_pairs(g, pairs, pair_count, mass, quick, R, before, after, found, count):
    """Near pairs of which one passed through the other; quick (B,): bodies that moved far."""
    for k in range(pair_count):
        a, b = pairs[k, 0], pairs[k, 1]
        if not (quick[a] or quick[b]) or (np.isinf(mass[a]) and np.isinf(mass[b])):
            continue
        if through_body(g, a, R[a], before, after, b) or through_body(g, b, R[b], before, after, a):
            count = note(count, found, a, b)
    return count
