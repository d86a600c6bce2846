"""Support functions of convex shapes and the distance between two of them, compiled; never raises.

A shape is (kind, size, R, corners): corners (.., 3) of a polyhedron, own frame.  Capsules are segments here; their radius is
added by the caller.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import INNER
from trundle.kinds import BOX, CAPSULE, CONE, CYLINDER, DISK, ELLIPSOID


@njit(**INNER)
def support(kind, size, R, corners, dx, dy, dz):
    """Point of a shape that is farthest in a direction, relative to its centre, world axes."""
    x = R[0, 0] * dx + R[1, 0] * dy + R[2, 0] * dz
    y = R[0, 1] * dx + R[1, 1] * dy + R[2, 1] * dz
    z = R[0, 2] * dx + R[1, 2] * dy + R[2, 2] * dz
    if kind == BOX:
        x = size[0] if x >= 0.0 else -size[0]
        y = size[1] if y >= 0.0 else -size[1]
        z = size[2] if z >= 0.0 else -size[2]
    elif kind == ELLIPSOID:
        x *= size[0] * size[0]
        y *= size[1] * size[1]
        z *= size[2] * size[2]
        h = math.sqrt(x * x / (size[0] * size[0]) + y * y / (size[1] * size[1]) + z * z / (size[2] * size[2]))
        if h > 0.0:
            x /= h
            y /= h
            z /= h
    elif kind == CYLINDER or kind == DISK:
        across = math.sqrt(x * x + y * y)
        if across > 0.0:
            x *= size[0] / across
            y *= size[0] / across
        z = size[1] if z >= 0.0 else -size[1]
    elif kind == CONE:
        across = math.sqrt(x * x + y * y)
        if z * size[3] > size[0] * across + z * size[2]:
            x, y, z = 0.0, 0.0, size[3]
        else:
            if across > 0.0:
                x *= size[0] / across
                y *= size[0] / across
            z = size[2]
    elif kind == CAPSULE:
        x, y = 0.0, 0.0
        z = size[1] if z >= 0.0 else -size[1]
    else:
        best, at = -np.inf, 0
        for k in range(corners.shape[0]):
            value = x * corners[k, 0] + y * corners[k, 1] + z * corners[k, 2]
            if value > best:
                best, at = value, k
        x, y, z = corners[at, 0], corners[at, 1], corners[at, 2]
    return (
        R[0, 0] * x + R[0, 1] * y + R[0, 2] * z,
        R[1, 0] * x + R[1, 1] * y + R[1, 2] * z,
        R[2, 0] * x + R[2, 1] * y + R[2, 2] * z,
    )


@njit(**INNER)
def separation(kind_a, size_a, Ra, Va, kind_b, size_b, Rb, Vb, dx, dy, dz, nx, ny, nz):
    """Gap along n between the supporting planes of shapes a and b, whose centres are d apart: min n.b - max n.a."""
    value = nx * dx + ny * dy + nz * dz
    for side in range(2):  # one call in a loop: compiled code holds the support function once
        sign = 1.0 if side == 0 else -1.0
        x, y, z = support(
            kind_a if side == 0 else kind_b, size_a if side == 0 else size_b, Ra if side == 0 else Rb,
            Va if side == 0 else Vb, sign * nx, sign * ny, sign * nz,
        )  # fmt: skip
        value -= sign * (nx * x + ny * y + nz * z)
    return value


@njit(**INNER)
def closest_in_simplex(W, m, share):
    """Point nearest to the origin in the simplex of m <= 4 points W (4, 3): shares (4,), squared distance.

    All faces of the simplex are tried: the nearest projection that falls inside its face is the nearest point.
    """
    best = np.inf
    chosen = 0
    for subset in range(1, 1 << m):
        k = 0
        i0, i1, i2 = -1, -1, -1
        for i in range(m):
            if subset >> i & 1:
                if k == 0:
                    i0 = i
                elif k == 1:
                    i1 = i
                elif k == 2:
                    i2 = i
                k += 1
        if k == 4:
            continue  # the origin inside cannot happen: the shapes are kept apart
        a = W[i0]
        s0, s1, s2 = 1.0, 0.0, 0.0
        if k == 2:
            b = W[i1]
            ex, ey, ez = b[0] - a[0], b[1] - a[1], b[2] - a[2]
            square = ex * ex + ey * ey + ez * ez
            if square <= 0.0:
                continue
            s1 = -(a[0] * ex + a[1] * ey + a[2] * ez) / square
            s0 = 1.0 - s1
            if s1 <= 0.0 or s0 <= 0.0:
                continue
        elif k == 3:
            b, c = W[i1], W[i2]
            ex, ey, ez = b[0] - a[0], b[1] - a[1], b[2] - a[2]
            fx, fy, fz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
            ee = ex * ex + ey * ey + ez * ez
            ff = fx * fx + fy * fy + fz * fz
            nx, ny, nz = ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx
            square = nx * nx + ny * ny + nz * nz
            if square <= 1e-28 * ee * ff:
                continue
            # barycentric coordinates of the origin's projection, by areas
            px, py, pz = -a[0], -a[1], -a[2]
            s1 = (
                (py * fz - pz * fy) * nx + (pz * fx - px * fz) * ny + (px * fy - py * fx) * nz
            ) / square  # fmt: skip
            s2 = (
                (ey * pz - ez * py) * nx + (ez * px - ex * pz) * ny + (ex * py - ey * px) * nz
            ) / square  # fmt: skip
            s0 = 1.0 - s1 - s2
            if s0 <= 0.0 or s1 <= 0.0 or s2 <= 0.0:
                continue
        x = s0 * a[0]
        y = s0 * a[1]
        z = s0 * a[2]
        if k > 1:
            x += s1 * W[i1, 0]
            y += s1 * W[i1, 1]
            z += s1 * W[i1, 2]
        if k > 2:
            x += s2 * W[i2, 0]
            y += s2 * W[i2, 1]
            z += s2 * W[i2, 2]
        distance = x * x + y * y + z * z
        if distance < best:
            best = distance
            chosen = subset
            for i in range(4):
                share[i] = 0.0
            share[i0] = s0
            if k > 1:
                share[i1] = s1
            if k > 2:
                share[i2] = s2
    return best, chosen


@njit(**INNER)
def gjk(kind_a, size_a, Ra, Va, kind_b, size_b, Rb, Vb, sx, sy, sz, nx, ny, nz, W, P, share, near):
    """Distance of shape b, moved by s relative to a, from shape a, by Gilbert, Johnson & Keerthi's algorithm.

    n: direction to begin with; W, P (4, 3), share (4,): work; near (2, 3): nearest points of a (relative to its centre)
    and b - a.  Returns the distance and its direction; 0 if they meet.
    """
    m = 0
    best = np.inf
    vx, vy, vz = nx, ny, nz
    for _ in range(100):
        wx, wy, wz = sx, sy, sz
        ax, ay, az = 0.0, 0.0, 0.0
        for side in range(2):
            sign = 1.0 if side == 0 else -1.0
            x, y, z = support(
                kind_a if side == 0 else kind_b, size_a if side == 0 else size_b, Ra if side == 0 else Rb,
                Va if side == 0 else Vb, sign * vx, sign * vy, sign * vz,
            )  # fmt: skip
            wx -= sign * x
            wy -= sign * y
            wz -= sign * z
            if side == 0:
                ax, ay, az = x, y, z
        if m > 0:
            square = vx * vx + vy * vy + vz * vz
            if square - (vx * wx + vy * wy + vz * wz) <= 1e-15 * square:
                break
            again = False
            for i in range(m):
                if W[i, 0] == wx and W[i, 1] == wy and W[i, 2] == wz:
                    again = True
            if again:
                break
        if m == 4:
            break
        W[m, 0], W[m, 1], W[m, 2] = wx, wy, wz
        P[m, 0], P[m, 1], P[m, 2] = ax, ay, az
        distance, chosen = closest_in_simplex(W, m + 1, share)
        if distance >= best:  # no progress is left in the last digits
            break
        best = distance
        k = 0
        near[0, 0], near[0, 1], near[0, 2] = 0.0, 0.0, 0.0
        vx, vy, vz = 0.0, 0.0, 0.0
        for i in range(m + 1):
            if chosen >> i & 1:
                for j in range(3):
                    W[k, j] = W[i, j]
                    P[k, j] = P[i, j]
                    near[0, j] += share[i] * P[k, j]
                vx += share[i] * W[k, 0]
                vy += share[i] * W[k, 1]
                vz += share[i] * W[k, 2]
                k += 1
        m = k
        near[1, 0], near[1, 1], near[1, 2] = vx, vy, vz
        if best <= 1e-28 * (sx * sx + sy * sy + sz * sz):
            return 0.0, nx, ny, nz
    length = math.sqrt(vx * vx + vy * vy + vz * vz)
    if m == 0 or length == 0.0:
        return 0.0, nx, ny, nz
    return length, vx / length, vy / length, vz / length
