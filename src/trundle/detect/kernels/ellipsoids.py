"""Contacts of two ellipsoids, compiled; never raises.

The support function of an ellipsoid is h(n) = sqrt(n.M n), M = R diag(a^2, b^2, c^2) R^T.  The gap of two along n is
g(n) = d.n - h_a(n) - h_b(n); its largest value over unit vectors is their distance, or minus the shortest way to separate
them (`kernels.convex`).  g is smooth: Newton's method on the sphere needs a few steps from n ~ (M_a + M_b)^-1 d, which is
right for two ellipsoids that differ in size alone.  Nothing is carried over from the last step but directions that still
separate pairs, so the result does not depend on it.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.contacts import put
from trundle.detect.kernels.near import SURE
from trundle.detect.kernels.plane import ellipsoid_radius
from trundle.kernels.rotations import INNER
from trundle.kinds import ELLIPSOID

DEEP = 0.2  # of the smaller ball inside: overlap from which on g may have several tops


@njit(**INNER)
def shape_matrix(size, R, M):
    """The upper triangle xx, xy, xz, yy, yz, zz of R diag(size^2) R^T, written to M (6,)."""
    a, b, c = size[0] * size[0], size[1] * size[1], size[2] * size[2]
    k = 0
    for i in range(3):
        for j in range(i, 3):
            M[k] = a * R[i, 0] * R[j, 0] + b * R[i, 1] * R[j, 1] + c * R[i, 2] * R[j, 2]
            k += 1


@njit(**INNER)
def form(M, x, y, z):
    """The quadratic form x.M x."""
    return x * (M[0] * x + 2.0 * (M[1] * y + M[2] * z)) + y * (M[3] * y + 2.0 * M[4] * z) + z * M[5] * z


@njit(**INNER)
def gap_along(A, B, dx, dy, dz, nx, ny, nz):
    """Gap g of two ellipsoids along n."""
    return dx * nx + dy * ny + dz * nz - math.sqrt(form(A, nx, ny, nz)) - math.sqrt(form(B, nx, ny, nz))


@njit(**INNER)
def first_normal(A, B, dx, dy, dz):
    """The unit vector along (A + B)^-1 d."""
    a, b, c, e, f, i = A[0] + B[0], A[1] + B[1], A[2] + B[2], A[3] + B[3], A[4] + B[4], A[5] + B[5]
    p, q, r = e * i - f * f, c * f - b * i, b * f - c * e
    x = p * dx + q * dy + r * dz
    y = q * dx + (a * i - c * c) * dy + (b * c - a * f) * dz
    z = r * dx + (b * c - a * f) * dy + (a * e - b * b) * dz
    square = x * x + y * y + z * z
    if not square > 0.0:
        return 0.0, 0.0, 1.0
    scale = 1.0 / math.sqrt(square)
    return x * scale, y * scale, z * scale


@njit(**INNER)
def climb(A, B, dx, dy, dz, nx, ny, nz, enough):
    """Climb from n to a top of g by Newton's method; returns g and n.  Stops early where g exceeds `enough`."""
    g, x, y, z, length = -np.inf, 0.0, 0.0, 0.0, 1.0
    tx, ty, tz = nx, ny, nz
    for _ in range(60):
        ux = A[0] * tx + A[1] * ty + A[2] * tz
        uy = A[1] * tx + A[3] * ty + A[4] * tz
        uz = A[2] * tx + A[4] * ty + A[5] * tz
        vx = B[0] * tx + B[1] * ty + B[2] * tz
        vy = B[1] * tx + B[3] * ty + B[4] * tz
        vz = B[2] * tx + B[4] * ty + B[5] * tz
        ha, hb = math.sqrt(tx * ux + ty * uy + tz * uz), math.sqrt(tx * vx + ty * vy + tz * vz)
        new = dx * tx + dy * ty + dz * tz - ha - hb
        if new < g and length > 1e-6:  # below, g is flat to round-off: full steps
            x *= 0.5
            y *= 0.5
            z *= 0.5
            length *= 0.5
        else:
            g, nx, ny, nz = new, tx, ty, tz
            if length < 1e-9 or g > enough:
                break
            ia, ib = 1.0 / ha, 1.0 / hb
            ux, uy, uz, vx, vy, vz = ux * ia, uy * ia, uz * ia, vx * ib, vy * ib, vz * ib
            # tangents (Duff et al. 2017)
            sign = math.copysign(1.0, nz)
            q = -1.0 / (sign + nz)
            w = nx * ny * q
            px, py, pz = 1.0 + sign * nx * nx * q, sign * w, -sign * nx
            sx, sy, sz = w, sign + ny * ny * q, -ny
            ex, ey, ez = dx - ux - vx, dy - uy - vy, dz - uz - vz
            g1, g2 = px * ex + py * ey + pz * ez, sx * ex + sy * ey + sz * ez
            # the second derivative of h is (M - s s^T) / h, s = M n / h; on the sphere that of g is minus their sum minus g
            c0, c1, c2 = A[0] * ia + B[0] * ib, A[1] * ia + B[1] * ib, A[2] * ia + B[2] * ib
            c3, c4, c5 = A[3] * ia + B[3] * ib, A[4] * ia + B[4] * ib, A[5] * ia + B[5] * ib
            a1, a2 = px * ux + py * uy + pz * uz, sx * ux + sy * uy + sz * uz
            b1, b2 = px * vx + py * vy + pz * vz, sx * vx + sy * vy + sz * vz
            kx, ky, kz = c0 * px + c1 * py + c2 * pz, c1 * px + c3 * py + c4 * pz, c2 * px + c4 * py + c5 * pz
            h11 = px * kx + py * ky + pz * kz - a1 * a1 * ia - b1 * b1 * ib
            h12 = sx * kx + sy * ky + sz * kz - a1 * a2 * ia - b1 * b2 * ib
            h22 = (
                sx * (c0 * sx + 2.0 * (c1 * sy + c2 * sz)) + sy * (c3 * sy + 2.0 * c4 * sz) + sz * c5 * sz
                - a2 * a2 * ia - b2 * b2 * ib
            )  # fmt: skip
            shift = g
            low = 0.5 * (h11 + h22) - math.sqrt(0.25 * (h11 - h22) * (h11 - h22) + h12 * h12)
            size = h11 + h22 + abs(g)
            if low + g < 1e-3 * size:  # no top here: a step of gradient ascent
                shift = size - low
            h11 += shift
            h22 += shift
            det = 1.0 / (h11 * h22 - h12 * h12)
            x1, x2 = (h22 * g1 - h12 * g2) * det, (h11 * g2 - h12 * g1) * det
            length = math.sqrt(x1 * x1 + x2 * x2)
            if length > 0.5:
                x1 *= 0.5 / length
                x2 *= 0.5 / length
                length = 0.5
            x, y, z = px * x1 + sx * x2, py * x1 + sy * x2, pz * x1 + sz * x2
        tx, ty, tz = nx + x, ny + y, nz + z
        scale = 1.0 / math.sqrt(tx * tx + ty * ty + tz * tz)
        tx *= scale
        ty *= scale
        tz *= scale
    return g, nx, ny, nz


@njit(**INNER)
def deepest_normal(A, B, Ra, Rb, dx, dy, dz, start):
    """A direction from which to climb where bodies overlap deeply: the best of their axes and what is across both."""
    best, nx, ny, nz = start, 0.0, 0.0, 0.0
    for i in range(4):
        for j in range(4):
            if i == 3 and j == 3:
                break
            if i == 3:
                x, y, z = Rb[0, j], Rb[1, j], Rb[2, j]
            elif j == 3:
                x, y, z = Ra[0, i], Ra[1, i], Ra[2, i]
            else:
                x = Ra[1, i] * Rb[2, j] - Ra[2, i] * Rb[1, j]
                y = Ra[2, i] * Rb[0, j] - Ra[0, i] * Rb[2, j]
                z = Ra[0, i] * Rb[1, j] - Ra[1, i] * Rb[0, j]
            length = math.sqrt(x * x + y * y + z * z)
            if length < 1e-6:
                continue
            if x * dx + y * dy + z * dz < 0.0:
                length = -length
            x /= length
            y /= length
            z /= length
            value = gap_along(A, B, dx, dy, dz, x, y, z)
            if value > best:
                best, nx, ny, nz = value, x, y, z
    return best, nx, ny, nz


@njit(**INNER)
def normal_of(A, B, Ra, Rb, dx, dy, dz, deep, enough):
    """The largest gap of two ellipsoids, d apart, and its direction; stops early where the gap exceeds `enough`."""
    nx, ny, nz = first_normal(A, B, dx, dy, dz)
    g, nx, ny, nz = climb(A, B, dx, dy, dz, nx, ny, nz, enough)
    if g < -deep:
        best, x, y, z = deepest_normal(A, B, Ra, Rb, dx, dy, dz, g)
        if best > g:
            g, nx, ny, nz = climb(A, B, dx, dy, dz, x, y, z, enough)
    return g, nx, ny, nz


@njit(**INNER)
def ellipsoid_contacts(s, placed, pairs, axis, pair_count, feature, count, whole, real):
    """Contacts among near pairs of two ellipsoids; axis (.., 3): a direction for each pair, kept from step to step."""
    position, R = placed.position, placed.R
    M = np.empty((position.shape[0], 6))
    for i in range(M.shape[0]):
        if s.kind[i] == ELLIPSOID:
            shape_matrix(s.size[i], R[i], M[i])
    for k in range(pair_count):
        a, b = pairs[k, 0], pairs[k, 1]
        if s.kind[a] != ELLIPSOID or s.kind[b] != ELLIPSOID or (placed.held[a] and placed.held[b]):
            continue
        A, B, n = M[a], M[b], axis[k]
        dx, dy, dz = position[b, 0] - position[a, 0], position[b, 1] - position[a, 1], position[b, 2] - position[a, 2]
        far = placed.margin + placed.reach[a] + placed.reach[b]
        inner = min(s.inner[a], s.inner[b])
        enough = far + SURE * inner
        if gap_along(A, B, dx, dy, dz, n[0], n[1], n[2]) > enough:
            continue
        g, nx, ny, nz = normal_of(A, B, R[a], R[b], dx, dy, dz, DEEP * inner, enough)
        n[0], n[1], n[2] = nx, ny, nz
        if g >= far:
            continue
        # foot point on a, and half the gap
        scale = 1.0 / math.sqrt(form(A, nx, ny, nz))
        half = 0.5 * g
        x = (A[0] * nx + A[1] * ny + A[2] * nz) * scale + half * nx
        y = (A[1] * nx + A[3] * ny + A[4] * nz) * scale + half * ny
        z = (A[2] * nx + A[4] * ny + A[5] * nz) * scale + half * nz
        count = put(
            count, whole, real, a, b, feature, position[a, 0] + x, position[a, 1] + y, position[a, 2] + z, nx, ny, nz, g,
            curvature(s.size[a], R[a], nx, ny, nz), curvature(s.size[b], R[b], nx, ny, nz),
        )  # fmt: skip
    return count


@njit(**INNER)
def curvature(size, R, nx, ny, nz):
    """Radius of mean curvature of an ellipsoid where its normal is +-n."""
    x = R[0, 0] * nx + R[1, 0] * ny + R[2, 0] * nz
    y = R[0, 1] * nx + R[1, 1] * ny + R[2, 1] * nz
    z = R[0, 2] * nx + R[1, 2] * ny + R[2, 2] * nz
    return ellipsoid_radius(size[0], size[1], size[2], x, y, z)
