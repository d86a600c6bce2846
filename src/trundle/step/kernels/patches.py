"""Hertz' contact patch of bodies with two curvatures, as a round one with the same torque of spinning.  Never raises.

Half-axes a >= b of the patch under a load N, with the principal curvatures k1 >= k2 > 0 of both bodies together, t = b / a and
m = 1 - t^2, K and E the complete elliptic integrals of the parameter m (Johnson, Contact Mechanics (1985), chapter 4):

    k1 / k2 = (E / t^2 - K) / (K - E),    a^3 = 3 N / (4 E_eff sqrt(k1 k2)) 4 / (pi m) sqrt((E / t^2 - K) (K - E)).

The torque of a patch that spins is mu N 3 pi / 16 times the mean of its radii over all directions, 2 / pi E a: that is the radius
of the round patch with the same torque.  It goes with N^(1/3), as that of a ball does, and is said as the radius of a ball.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import INNER
from trundle.kernels.space import real2, real3, whole1, whole2
from trundle.laws.kernels.curves import JIT
from trundle.step.kernels import places as P
from trundle.step.kernels.history_paths import curvatures

ALIKE = 1e-5  # relative difference of two curvatures below which a patch is round
FLAT = 1e-6  # smaller curvature, relative to the larger, below which the patch has no ends
LOOKS = 40  # at the ratio of half-axes at most


@njit(**JIT)
def elliptic_integrals(m):
    """K(m), E(m) and K - E, by the arithmetic-geometric mean."""
    a, b, square, weight, total = 1.0, math.sqrt(1.0 - m), m, 0.5, 0.5 * m
    while square > 1e-17 * total:
        half = 0.5 * (a - b)
        a, b = 0.5 * (a + b), math.sqrt(a * b)
        square, weight = half * half, 2.0 * weight
        total += weight * square
    K = 0.5 * math.pi / a
    return K, K * (1.0 - total), K * total


@njit(**JIT)
def curvature_ratio(t):
    """k1 / k2 of a patch with the half-axes b = t a."""
    K, E, less = elliptic_integrals(1.0 - t * t)
    return (E / (t * t) - K) / less


@njit(**JIT)
def half_axes_ratio(ratio):
    """b / a of the patch of two curvatures with a ratio k1 / k2 > 1: by secants, in logarithms."""
    goal = math.log(ratio)
    x0 = -2.0 / 3.0 * goal
    x1 = x0 * 1.01
    f0, f1 = math.log(curvature_ratio(math.exp(x0))) - goal, math.log(curvature_ratio(math.exp(x1))) - goal
    for _ in range(LOOKS):
        if f1 == f0 or abs(f1) <= 1e-14 * goal:
            break
        x0, x1, f0 = x1, min(x1 - f1 * (x1 - x0) / (f1 - f0), 0.5 * x1), f1
        f1 = math.log(curvature_ratio(math.exp(x1))) - goal
    return math.exp(x1)


@njit(**JIT)
def ball_of_patch(k1, k2):
    """Radius [m] of the ball whose round patch has, under any load, the torque of spinning of the curvatures k1 >= k2 > 0."""
    if k1 - k2 <= ALIKE * k1:
        return 2.0 / (k1 + k2)
    t = half_axes_ratio(k1 / k2)
    m = 1.0 - t * t
    K, E, less = elliptic_integrals(m)
    cube = 4.0 / (math.pi * m) * math.sqrt((E / (t * t) - K) * less) / math.sqrt(k1 * k2)
    return cube * (2.0 / math.pi * E) ** 3


@njit(**INNER)
def patch_radius(at, c, n, u, w, orientation):
    """`ball_of_patch` for contact c with the normal n and tangents u, w; the effective radius where the patch has no ends."""
    kind, size, body, curved = whole1(at, P.KIND), real2(at, P.PARAMETERS), whole2(at, P.BODY), real2(at, P.RADIUS)
    R = np.empty((3, 3))
    one = curvatures(kind, size, orientation, body[c, 0], curved[c, 0], n, u, w, R)
    other = curvatures(kind, size, orientation, body[c, 1], curved[c, 1], n, u, w, R)
    uu, uw, ww = one[0] + other[0], one[1] + other[1], one[2] + other[2]
    mean, half = 0.5 * (uu + ww), 0.5 * (uu - ww)
    spread = math.sqrt(half * half + uw * uw)
    if mean - spread > FLAT * (mean + spread):
        return ball_of_patch(mean + spread, mean - spread)
    bend = 1.0 / curved[c, 0] + 1.0 / curved[c, 1]
    return 1.0 / bend if bend > 0.0 else np.inf


@njit(**INNER)
def patch_radius_of_link(at, c):
    """The same in the middle of a step, for contact c of the links."""
    frame = real3(at, P.FRAME)[whole2(at, P.JOINT_BODY).shape[0] + c]
    n, u, w = (
        (frame[0, 0], frame[0, 1], frame[0, 2]),
        (frame[1, 0], frame[1, 1], frame[1, 2]),
        (frame[2, 0], frame[2, 1], frame[2, 2]),
    )
    return patch_radius(at, c, n, u, w, real2(at, P.TURNED))
