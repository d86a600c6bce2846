"""History friction at one contact, compiled: what it remembers, and how its frame follows both bodies.

Fang & Negrut (2020), section 2 and appendix B.  A contact's memory is one row of `record` (see the column numbers
below); vectors in it are of the world frame at the end of the last step, deflections are components on the tangents u
and w = n x u, which are continued from step to step with the first body (appendix B).

Small vectors are tuples: a function that takes an array counts its references at every call, with atomic operations
that cost more than the arithmetic.  Everything takes floats, tuples and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import JIT

INLINE = {**JIT, "forceinline": True}

# columns of a contact's memory
TOUCHES = 0  # 1 while the contact is closed
N0, U0 = 1, 4  # normal, tangent u (3 each)
GAP = 7
SLIDE, ROLL_A, ROLL_B, SPIN = 8, 10, 12, 14  # deflections [m], [rad], [rad], [rad]: 2, 2, 2, 1 numbers
MODE = 15  # bits: 1 sliding, 2 rolling of the first body, 4 rolling of the second (or of the pair), 8 spinning
K_SLIDE, K_ROLL, K_SPIN = 16, 17, 18  # stiffnesses of the last step
ARM_A, ARM_B = 19, 22  # from the centres of mass to the contact point (3 each), not of spheres
RECORD = 25

# columns of a pair's parameters; NaN: by the heuristic
NORMAL, STIFFNESS, DAMPING, RATIO, PULL = 0, 1, 2, 3, 4
K_E, G_EFF, K_D, STATIC = 5, 6, 7, 8
ROLLING, MU, ETA_R, MU_R, K_R, D_R = 9, 10, 11, 12, 13, 14
SPINNING, ETA_S, MU_S, CURVATURE, K_S, D_S = 15, 16, 17, 18, 19, 20
PLAIN, LENGTHS, CAP_TOTAL, SPEED, MARGIN, GEODESIC = 21, 22, 23, 24, 25, 26
STEADY = 27  # 1 where no stiffness depends on the depth
VISCOUS_ROLLING = 28  # torque per rolling velocity [N m s]
PARAMETERS = 29

HOOKE, HERTZ, GIVEN = 0, 1, 2
NONE, PAIR, PER_BODY, CONSTANT, VISCOUS, SPRING = 0, 1, 2, 3, 4, 5
HEURISTIC, HERTZIAN = 1, 2

# columns of the sums of a step [J]: losses, elastic energy, work of given normal forces
LOST_SLIDING, LOST_ROLLING, LOST_SPINNING, LOST_IMPACT, ELASTIC, GIVEN_WORK = 0, 1, 2, 3, 4, 5
SUMS = 6
# numbers of a contact for the report, world frame: gap, force and pure torque on the second body, torque on the first,
# and of these what springs alone give; deflections S [m], Theta + Psi n [rad], and Theta of the first body alone [rad]
FORCE, TORQUE, TORQUE_A, SPRING_FORCE, SPRING_TORQUE, SLID, TURNED, TURNED_A = 1, 4, 7, 10, 13, 16, 19, 22
LOADS = 25


@njit(**INLINE)
def rotation_by(x, y, z):
    """The rotation by the vector (x, y, z) [rad], 9 numbers row by row."""
    square = x * x + y * y + z * z
    if square < 1e-4:
        s = 1.0 - square / 6.0 * (1.0 - square / 20.0)
        v = 0.5 - square / 24.0 * (1.0 - square / 30.0)
    else:
        angle = math.sqrt(square)
        s = math.sin(angle) / angle
        v = (1.0 - math.cos(angle)) / square
    return (
        1.0 - v * (y * y + z * z), v * x * y - s * z, v * x * z + s * y,
        v * x * y + s * z, 1.0 - v * (x * x + z * z), v * y * z - s * x,
        v * x * z - s * y, v * y * z + s * x, 1.0 - v * (x * x + y * y),
    )  # fmt: skip


@njit(**INLINE)
def vector_of(array, i, k):
    """Three numbers of row i from column k on."""
    return array[i, k], array[i, k + 1], array[i, k + 2]


@njit(**INLINE)
def put_vector(array, i, k, x):
    """Three numbers into row i from column k on."""
    array[i, k], array[i, k + 1], array[i, k + 2] = x[0], x[1], x[2]


@njit(**INLINE)
def dot(x, y):
    """x . y of two 3-vectors."""
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]


@njit(**INLINE)
def cross(x, y):
    """x cross y of two 3-vectors."""
    return x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]


@njit(**INLINE)
def plus(x, size, y):
    """x + size y."""
    return x[0] + size * y[0], x[1] + size * y[1], x[2] + size * y[2]


@njit(**INLINE)
def combined(x, u, y, w):
    """x u + y w."""
    return x * u[0] + y * w[0], x * u[1] + y * w[1], x * u[2] + y * w[2]


@njit(**INLINE)
def turned(T, x):
    """The vector x after the rotation T."""
    return (
        T[0] * x[0] + T[1] * x[1] + T[2] * x[2],
        T[3] * x[0] + T[4] * x[1] + T[5] * x[2],
        T[6] * x[0] + T[7] * x[1] + T[8] * x[2],
    )  # fmt: skip


@njit(**INLINE)
def arc_over_sine(square):
    """phi / sin(phi) for sin(phi)^2 = square < 1."""
    if square < 1e-4:
        return 1.0 + square * (1.0 / 6.0 + square * (3.0 / 40.0 + square * (15.0 / 336.0)))
    sine = math.sqrt(min(square, 1.0))
    return math.asin(sine) / sine


@njit(**INLINE)
def carried(u, m, n, cosine):
    """A tangent at the normal m after the smallest rotation that takes m to n.

    This is the frame of appendix B: of all frames at n it maximises u0 . u + w0 . w.
    """
    along = dot(u, n) / (1.0 + cosine)
    return u[0] - along * (m[0] + n[0]), u[1] - along * (m[1] + n[1]), u[2] - along * (m[2] + n[2])


@njit(**INLINE)
def as_angle(m, n, cosine):
    """The tangential part of m at the normal n, as a vector whose length is the angle between them [rad]."""
    x, y, z = m[0] - cosine * n[0], m[1] - cosine * n[1], m[2] - cosine * n[2]
    f = arc_over_sine(x * x + y * y + z * z)
    return f * x, f * y, f * z


@njit(**INLINE)
def follow(A, B, old, u0, n):
    """How a contact's frame follows both bodies through a step (section 2.2, appendix B).

    A, B: rotations of the bodies; old, u0: normal and tangent at the start of the step; n: normal at its end.
    Returns the continued tangent u, the angle psi [rad] by which the second body spun relative to the first, the old
    normal turned with either body as an angle [rad] from the new one, and the cosines of these angles.
    """
    m = turned(A, old)
    ca = dot(m, n)
    alpha = as_angle(m, n, ca)
    x, y, z = carried(turned(A, u0), m, n, ca)
    m = turned(B, old)
    cb = dot(m, n)
    beta = as_angle(m, n, cb)
    v = carried(turned(B, u0), m, n, cb)
    sine, cosine = dot(n, cross((x, y, z), v)), dot((x, y, z), v)
    if cosine > 0.0 and sine * sine < 1e-4:
        psi = sine * arc_over_sine(sine * sine)
    else:
        psi = math.atan2(sine, cosine)
    # round-off must not accumulate over a million steps
    along = dot((x, y, z), n)
    x, y, z = x - along * n[0], y - along * n[1], z - along * n[2]
    square = x * x + y * y + z * z
    scale = 1.5 - 0.5 * square if abs(square - 1.0) < 1e-8 else 1.0 / math.sqrt(square)
    return (scale * x, scale * y, scale * z), psi, alpha, beta, ca, cb


@njit(**INLINE)
def frame_tangent(n):
    """First tangent t1 of the engine's contact frames (`trundle.detect.kernels.frames`)."""
    nx, ny, nz = n
    ax, ay, az = abs(nx), abs(ny), abs(nz)
    if ax <= 1.0001 * ay and ax <= 1.0001 * az:
        tx, ty, tz = 1.0 - nx * nx, -nx * ny, -nx * nz
    elif ay <= 1.0001 * az:
        tx, ty, tz = -ny * nx, 1.0 - ny * ny, -ny * nz
    else:
        tx, ty, tz = -nz * nx, -nz * ny, 1.0 - nz * nz
    scale = 1.0 / math.sqrt(tx * tx + ty * ty + tz * tz)
    return tx * scale, ty * scale, tz * scale


@njit(**JIT)
def begin(record, c, n):
    """A contact that has just closed: an arbitrary tangent, no deflections, all modes static; returns the tangent."""
    for k in range(record.shape[1]):
        record[c, k] = 0.0
    record[c, TOUCHES] = 1.0
    u = frame_tangent(n)
    put_vector(record, c, U0, u)
    record[c, K_SLIDE] = np.inf
    record[c, K_ROLL] = np.inf
    record[c, K_SPIN] = np.inf
    return u
