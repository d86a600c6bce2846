"""Distance of a point from convex shapes in closed form, negative inside: spheres with everything.  Compiled."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.plane import ellipsoid_radius
from trundle.kernels.rotations import INNER
from trundle.kinds import BOX, CAPSULE, CONE, CYLINDER, DISK, ELLIPSOID

VERTEX, FACE, EDGE = 0, 1, 2


@njit(**INNER)
def outward(distance, x, y, z, length, curve):
    """Pack a distance with the direction (x, y, z) / length."""
    return distance, x / length, y / length, z / length, curve


@njit(**INNER)
def point_box(size, x, y, z):
    """Distance of a point from a box, its outward direction, radius of curvature; own frame."""
    ax, ay, az = abs(x) - size[0], abs(y) - size[1], abs(z) - size[2]
    sx, sy, sz = math.copysign(1.0, x), math.copysign(1.0, y), math.copysign(1.0, z)
    if ax <= 0.0 and ay <= 0.0 and az <= 0.0:
        if ax >= ay and ax >= az:
            return ax, sx, 0.0, 0.0, np.inf
        if ay >= az:
            return ay, 0.0, sy, 0.0, np.inf
        return az, 0.0, 0.0, sz, np.inf
    ax, ay, az = max(ax, 0.0), max(ay, 0.0), max(az, 0.0)
    length = math.sqrt(ax * ax + ay * ay + az * az)
    return outward(length, sx * ax, sy * ay, sz * az, length, np.inf)


@njit(**INNER)
def point_cylinder(r, half, x, y, z):
    """As `point_box`, for a cylinder; half = 0: a disk."""
    across = math.sqrt(x * x + y * y)
    ux, uy = (x / across, y / across) if across > 0.0 else (1.0, 0.0)
    side, top = across - r, abs(z) - half
    sz = math.copysign(1.0, z)
    if side <= 0.0 and (top >= side or top >= 0.0):
        return top, 0.0, 0.0, sz, np.inf
    if top <= 0.0 and half > 0.0:
        return side, ux, uy, 0.0, 2.0 * r
    length = math.sqrt(side * side + top * top)
    if length == 0.0:
        return 0.0, ux, uy, 0.0, r
    return outward(length, ux * side, uy * side, sz * top, length, r)


@njit(**INNER)
def point_cone(size, x, y, z):
    """As `point_box`, for a cone: the nearest of its base, its side, its rim and its apex."""
    r, low, top = size[0], size[2], size[3]
    across = math.sqrt(x * x + y * y)
    ux, uy = (x / across, y / across) if across > 0.0 else (1.0, 0.0)
    slant = math.sqrt(r * r + (top - low) * (top - low))
    s, c = r / slant, (top - low) / slant  # of half the angle at the apex; outward normal of the side: (c, s)
    side, base = c * across + s * (z - top), low - z
    if side <= 0.0 and base <= 0.0:
        return (side, c * ux, c * uy, s, 2.0 * across / c) if side >= base else (base, 0.0, 0.0, -1.0, np.inf)
    along = s * across - c * (z - top)  # from the apex down the side
    if along < 0.0:
        length = math.sqrt(across * across + (z - top) * (z - top))
        return outward(length, x, y, z - top, length, np.inf)
    if side > 0.0 and along <= slant:
        return side, c * ux, c * uy, s, max(2.0 * s * along / c, 1e-12 * r)
    if across <= r:
        return base, 0.0, 0.0, -1.0, np.inf
    length = math.sqrt((across - r) * (across - r) + base * base)
    if length == 0.0:
        return 0.0, c * ux, c * uy, s, r
    return outward(length, ux * (across - r), uy * (across - r), -base, length, r)


@njit(**INNER)
def point_capsule(r, half, x, y, z):
    """As `point_box`, for a capsule."""
    beyond = z - min(half, max(-half, z))
    length = math.sqrt(x * x + y * y + beyond * beyond)
    if length == 0.0:
        return -r, 1.0, 0.0, 0.0, 2.0 * r
    return outward(length - r, x, y, beyond, length, 2.0 * r if beyond == 0.0 else r)


@njit(**INNER)
def point_ellipsoid(a, b, c, x, y, z):
    """As `point_box`, for an ellipsoid: the foot point is (a^2 x / (t + a^2), ...), t the largest root of sum = 1.

    1 / sqrt(sum) is concave and nearly straight in t, so Newton's method on it from the left of the root goes there
    without overshooting.
    """
    aa, bb, cc = a * a, b * b, c * c
    least = min(aa, bb, cc)
    # left of the root: there the terms of the shortest axis alone make 1
    short = 0.0
    if aa == least:
        short += aa * x * x
    if bb == least:
        short += bb * y * y
    if cc == least:
        short += cc * z * z
    t = -least + math.sqrt(short)
    if short <= 1e-30 * least * least:  # in the plane across the shortest axis, where t may not leave -least
        t = -least * (1.0 - 1e-15)
        total = 0.0
        for k in range(3):
            ee = aa if k == 0 else (bb if k == 1 else cc)
            p = x if k == 0 else (y if k == 1 else z)
            if ee > least:
                total += ee * p * p / ((t + ee) * (t + ee))
        if total < 1.0:  # the nearest point is not unique: it lies to either side
            fx = aa * x / (t + aa) if aa > least else 0.0
            fy = bb * y / (t + bb) if bb > least else 0.0
            fz = cc * z / (t + cc) if cc > least else 0.0
            rest = math.sqrt(least * (1.0 - total))
            if cc == least:
                fz = math.copysign(rest, z)
            elif bb == least:
                fy = math.copysign(rest, y)
            else:
                fx = math.copysign(rest, x)
            return ellipsoid_outward(aa, bb, cc, fx, fy, fz, x, y, z)
    for _ in range(100):
        ux, uy, uz = x / (t + aa), y / (t + bb), z / (t + cc)
        f = aa * ux * ux + bb * uy * uy + cc * uz * uz
        fall = aa * ux * ux / (t + aa) + bb * uy * uy / (t + bb) + cc * uz * uz / (t + cc)
        if fall == 0.0:
            break
        step = f * (math.sqrt(f) - 1.0) / fall
        t += step
        if abs(step) <= 1e-16 * (abs(t) + least):
            break
    return ellipsoid_outward(aa, bb, cc, aa * x / (t + aa), bb * y / (t + bb), cc * z / (t + cc), x, y, z)


@njit(**INNER)
def ellipsoid_outward(aa, bb, cc, fx, fy, fz, x, y, z):
    """Distance from the foot point f on an ellipsoid and the normal there."""
    nx, ny, nz = fx / aa, fy / bb, fz / cc
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    nx /= length
    ny /= length
    nz /= length
    curve = ellipsoid_radius(math.sqrt(aa), math.sqrt(bb), math.sqrt(cc), nx, ny, nz)
    return nx * (x - fx) + ny * (y - fy) + nz * (z - fz), nx, ny, nz, curve


@njit(**INNER)
def point_segment(px, py, pz, a, b):
    """Nearest point of the segment from a to b."""
    ex, ey, ez = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    s = ((px - a[0]) * ex + (py - a[1]) * ey + (pz - a[2]) * ez) / (ex * ex + ey * ey + ez * ez)
    s = min(1.0, max(0.0, s))
    return a[0] + s * ex, a[1] + s * ey, a[2] + s * ez


@njit(**INNER)
def point_polyhedron(g, i, x, y, z):
    """As `point_box`, for a convex polyhedron."""
    first = g.first[i, VERTEX]
    best, face = -np.inf, -1
    for f in range(g.first[i, FACE], g.first[i, FACE] + g.length[i, FACE]):
        p = g.plane[f]
        distance = p[0] * x + p[1] * y + p[2] * z - p[3]
        if distance > best:
            best, face = distance, f
        if distance > 0.0:  # above the face, and within the prism over it?
            within = True
            start, end = g.loop_first[f], g.loop_first[f + 1]
            for k in range(start, end):
                a = g.vertex[first + g.loop[k]]
                b = g.vertex[first + g.loop[k + 1 if k + 1 < end else start]]
                ex, ey, ez = b[0] - a[0], b[1] - a[1], b[2] - a[2]
                qx, qy, qz = x - a[0], y - a[1], z - a[2]
                if (
                    p[0] * (ey * qz - ez * qy) + p[1] * (ez * qx - ex * qz) + p[2] * (ex * qy - ey * qx)
                ) < 0.0:  # fmt: skip
                    within = False
                    break
            if within:
                return distance, p[0], p[1], p[2], np.inf
    if best <= 0.0:
        p = g.plane[face]
        return best, p[0], p[1], p[2], np.inf
    least, nx, ny, nz = np.inf, 0.0, 0.0, 1.0
    for e in range(g.first[i, EDGE], g.first[i, EDGE] + g.length[i, EDGE]):
        qx, qy, qz = point_segment(x, y, z, g.vertex[first + g.edge[e, 0]], g.vertex[first + g.edge[e, 1]])
        qx, qy, qz = x - qx, y - qy, z - qz
        square = qx * qx + qy * qy + qz * qz
        if square < least:
            least, nx, ny, nz = square, qx, qy, qz
    length = math.sqrt(least)
    if length < 1e-14 * g.radius[i]:  # on an edge: its direction is lost, that of a face serves
        p = g.plane[face]
        return best, p[0], p[1], p[2], np.inf
    return outward(length, nx, ny, nz, length, np.inf)


@njit(**INNER)
def point_shape(g, i, p, R, cx, cy, cz):
    """Distance of a point from the convex body i, negative inside; its outward unit normal there; radius of curvature."""
    dx, dy, dz = cx - p[0], cy - p[1], cz - p[2]
    x = R[0, 0] * dx + R[1, 0] * dy + R[2, 0] * dz
    y = R[0, 1] * dx + R[1, 1] * dy + R[2, 1] * dz
    z = R[0, 2] * dx + R[1, 2] * dy + R[2, 2] * dz
    kind, size = g.kind[i], g.size[i]
    if kind == BOX:
        distance, nx, ny, nz, curve = point_box(size, x, y, z)
    elif kind == CYLINDER or kind == DISK:
        distance, nx, ny, nz, curve = point_cylinder(size[0], size[1], x, y, z)
    elif kind == CONE:
        distance, nx, ny, nz, curve = point_cone(size, x, y, z)
    elif kind == CAPSULE:
        distance, nx, ny, nz, curve = point_capsule(size[0], size[1], x, y, z)
    elif kind == ELLIPSOID:
        distance, nx, ny, nz, curve = point_ellipsoid(size[0], size[1], size[2], x, y, z)
    else:
        distance, nx, ny, nz, curve = point_polyhedron(g, i, x, y, z)
    return (
        distance,
        R[0, 0] * nx + R[0, 1] * ny + R[0, 2] * nz,
        R[1, 0] * nx + R[1, 1] * ny + R[1, 2] * nz,
        R[2, 0] * nx + R[2, 1] * ny + R[2, 2] * nz,
        curve,
    )
