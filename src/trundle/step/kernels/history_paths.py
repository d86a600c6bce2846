"""How a contact point moves on bodies of any shape, and how they are curved there, compiled.

Fang & Negrut (2020), section 2.  Small vectors are tuples, see `history`.  Never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.walls import principal
from trundle.kernels.rotations import JIT, rotation_matrix
from trundle.kinds import CAPSULE, CYLINDER, ELLIPSOID, HALF_SPACE, HOLLOWS
from trundle.step.kernels.history import ARM_A, ARM_B, GAP, INLINE, N0, cross, dot, plus, turned, vector_of

ARC_STEPS = 8
FLAT = 1e-9  # of the larger curvature, below which a direction counts as flat


@njit(**INLINE)
def bent(A, x, v):
    """Acceleration along a geodesic of the ellipsoid x . A x = 1, A diagonal: -(v . A v / |A x|^2) A x."""
    g = A[0] * x[0], A[1] * x[1], A[2] * x[2]
    f = -(A[0] * v[0] * v[0] + A[1] * v[1] * v[1] + A[2] * v[2] * v[2]) / dot(g, g)
    return f * g[0], f * g[1], f * g[2]


@njit(**JIT)
def geodesic_end(A, x, v, length):
    """End and direction of the geodesic from x along the unit tangent v, by the classical Runge-Kutta method."""
    s = length / ARC_STEPS
    for _ in range(ARC_STEPS):
        a = bent(A, x, v)
        v2 = plus(v, 0.5 * s, a)
        b = bent(A, plus(x, 0.5 * s, v), v2)
        v3 = plus(v, 0.5 * s, b)
        c = bent(A, plus(x, 0.5 * s, v2), v3)
        v4 = plus(v, s, c)
        d = bent(A, plus(x, s, v3), v4)
        x = plus(plus(plus(plus(x, s / 6.0, v), s / 3.0, v2), s / 3.0, v3), s / 6.0, v4)
        v = plus(plus(plus(plus(v, s / 6.0, a), s / 3.0, b), s / 3.0, c), s / 6.0, d)
    return x, v


@njit(**JIT)
def geodesic_length(axes, x0, x1):
    """Length [m] of the short geodesic between two points of an ellipsoid with these half-axes, by shooting."""
    A = 1.0 / axes[0] ** 2, 1.0 / axes[1] ** 2, 1.0 / axes[2] ** 2
    x0, x1 = (x0[0], x0[1], x0[2]), (x1[0], x1[1], x1[2])
    way = plus(x1, -1.0, x0)
    chord = math.sqrt(dot(way, way))
    if chord == 0.0:
        return 0.0
    n = A[0] * x0[0], A[1] * x0[1], A[2] * x0[2]
    size = 1.0 / math.sqrt(dot(n, n))
    n = size * n[0], size * n[1], size * n[2]
    t = plus(way, -dot(way, n), n)
    size = 1.0 / math.sqrt(dot(t, t))
    t = size * t[0], size * t[1], size * t[2]
    length = chord
    for _ in range(6):
        x, v = geodesic_end(A, x0, t, length)
        # the miss along the arriving direction and across it corrects length and direction
        across, miss = cross(n, t), plus(x1, -1.0, x)
        forward, aside = dot(miss, v), dot(miss, across)
        length += forward / math.sqrt(dot(v, v))
        angle = aside / length
        t = plus((math.cos(angle) * t[0], math.cos(angle) * t[1], math.cos(angle) * t[2]), math.sin(angle), across)
        if abs(forward) + abs(aside) < 1e-15 * chord:
            break
    return length


@njit(**JIT)
def arc_factor(square):
    """phi / sin(phi) for phi^2 = square."""
    if square < 1e-10:
        return 1.0 + square / 6.0
    phi = math.sqrt(square)
    return phi / math.sin(phi)


@njit(**JIT)
def path(record, s, side, T, i, kind, parameters, orientation, geodesic, arm, n, gap, angle, cosine):
    """Path of the contact point on body i, no sphere, in this step as a tangent vector (section 2.1).

    side: 0 for the first body, whose outward normal is n, 1 for the second; arm: of the contact point now; T: rotation of
    the body in this step; angle, cosine: by which its old normal is away from n.
    Its direction is that of the projected chord; its length that of the geodesic, which is the chord times
    (phi / 2) / sin(phi / 2) on a sphere and to third order elsewhere, and exact on ellipsoids; or that of the chord.
    """
    sign = 1.0 if side == 0 else -1.0
    old = turned(T, vector_of(record, s, ARM_A if side == 0 else ARM_B))
    d = plus(arm, -1.0, old)
    d = plus(d, -dot(d, n), n)
    if kind[i] == HALF_SPACE:
        return d
    # points on the surface itself: the contact point is half the depth inside of it
    x0 = plus(old, -0.5 * sign * record[s, GAP], turned(T, vector_of(record, s, N0)))
    x1 = plus(arm, -0.5 * sign * gap, n)
    way = plus(x1, -1.0, x0)
    chord = dot(way, way)
    flat = chord - dot(way, n) ** 2
    if flat <= 1e-28 * dot(x1, x1):
        return d
    stretch = math.sqrt(chord / flat)
    if geodesic == 1.0:
        if kind[i] == ELLIPSOID:
            R = np.empty((3, 3))
            rotation_matrix(orientation, i, R)
            stretch *= geodesic_length(parameters[i], in_body(R, x0), in_body(R, x1)) / math.sqrt(chord)
        else:
            stretch *= arc_factor(dot(angle, angle)) * math.sqrt(0.5 * (1.0 + cosine))
    return stretch * d[0], stretch * d[1], stretch * d[2]


@njit(**INLINE)
def in_body(R, x):
    """R^T x."""
    return (
        R[0, 0] * x[0] + R[1, 0] * x[1] + R[2, 0] * x[2],
        R[0, 1] * x[0] + R[1, 1] * x[1] + R[2, 1] * x[2],
        R[0, 2] * x[0] + R[1, 2] * x[1] + R[2, 2] * x[2],
    )  # fmt: skip


@njit(**JIT)
def curvatures(kind, size, orientation, i, radius, n, u, w, R):
    """Curvature tensor [1/m] of body i where its normal is +-n, on the tangents: uu, uw, ww.

    radius: of mean curvature, as the contact has it.  An ellipsoid's radii of curvature are the second derivative of its
    support function h = |A n|, A its half-axes; capsules and cylinders that lie on their side are curved across their
    axis only; walls are curved around their axis and along their meridians, and hollow: negative.  Everything else has the same
    curvature in all directions.
    """
    if kind[i] == ELLIPSOID:
        rotation_matrix(orientation, i, R)
        n, u, w = in_body(R, n), in_body(R, u), in_body(R, w)
        A = size[i, 0] ** 2, size[i, 1] ** 2, size[i, 2] ** 2
        g = A[0] * n[0], A[1] * n[1], A[2] * n[2]
        square = dot(g, n)
        h, gu, gw = math.sqrt(square), dot(g, u), dot(g, w)
        uu = (A[0] * u[0] * u[0] + A[1] * u[1] * u[1] + A[2] * u[2] * u[2] - gu * gu / square) / h
        uw = (A[0] * u[0] * w[0] + A[1] * u[1] * w[1] + A[2] * u[2] * w[2] - gu * gw / square) / h
        ww = (A[0] * w[0] * w[0] + A[1] * w[1] * w[1] + A[2] * w[2] * w[2] - gw * gw / square) / h
        area = uu * ww - uw * uw
        return ww / area, -uw / area, uu / area
    if (kind[i] == CAPSULE or kind[i] == CYLINDER) and radius > 1.5 * size[i, 0] and radius < np.inf:
        rotation_matrix(orientation, i, R)
        axis = R[0, 2], R[1, 2], R[2, 2]
        x, y = dot(axis, u), dot(axis, w)
        each = 1.0 / (size[i, 0] * (x * x + y * y))
        return each * y * y, -each * x * y, each * x * x
    if HOLLOWS[0] <= kind[i] <= HOLLOWS[3] and radius < np.inf:
        rotation_matrix(orientation, i, R)
        n = in_body(R, n)
        round_axis, meridian, tx, ty = principal(kind[i], size[i], radius, n[0], n[1], n[2])
        around = R[0, 0] * tx + R[0, 1] * ty, R[1, 0] * tx + R[1, 1] * ty, R[2, 0] * tx + R[2, 1] * ty
        x, y, more = dot(around, u), dot(around, w), meridian - round_axis
        return more * x * x - meridian, more * x * y, more * y * y - meridian
    return 1.0 / radius, 0.0, 1.0 / radius


@njit(**JIT)
def rolling_metric(one, other, size):
    """kappa S^-1, S the sum of two curvature tensors (uu, uw, ww) and kappa its mean: what makes rolling angles alike in all
    directions.

    The heuristics (2b), (2c) are a disk for S^-1 Theta, the way that was rolled; see docs/formulations.md.  In a direction
    in which both bodies are flat, a length of the bodies, size [m], takes the place of the radius.
    """
    uu, uw, ww = one[0] + other[0], one[1] + other[1], one[2] + other[2]
    kappa, half = 0.5 * (uu + ww), 0.5 * (uu - ww)
    spread = math.sqrt(half * half + uw * uw)
    if spread <= 1e-12 * kappa:
        return 1.0, 0.0, 1.0
    least = kappa - spread
    if least <= FLAT * (kappa + spread):
        least = 1.0 / size
    large, small = kappa / least, kappa / (kappa + spread)
    mean, slope = 0.5 * (large + small), 0.5 * (small - large) / spread
    return mean + slope * half, slope * uw, mean - slope * half
