"""One step of bodies of any shape with history friction, compiled; the contacts come from the detector.

Everything takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import JIT, rotate_by, rotation_matrix
from trundle.step.kernels.history import (
    ARM_A,
    ARM_B,
    CAP_TOTAL,
    ELASTIC,
    GAP,
    GEODESIC,
    GIVEN,
    GIVEN_WORK,
    K_SLIDE,
    LENGTHS,
    LOST_IMPACT,
    LOST_ROLLING,
    LOST_SLIDING,
    LOST_SPINNING,
    MARGIN,
    MODE,
    MU,
    N0,
    NORMAL,
    PLAIN,
    PULL,
    ROLLING,
    SPEED,
    SPINNING,
    STATIC,
    STIFFNESS,
    TOUCHES,
    U0,
    begin,
    cross,
    dot,
    follow,
    put_loads,
    put_rotation,
    put_vector,
    rotation_by,
    rotation_of,
    turned,
    vector_of,
)
from trundle.step.kernels.history_grains import STILL
from trundle.step.kernels.history_loads import dashpots, normal_load, respond, stiffnesses
from trundle.step.kernels.history_sections import (
    deflections_of,
    in_world,
    plus,
    put_deflections,
    respond_section,
    restiffened,
    workspace,
)

ELLIPSOID = 3
ARC_STEPS = 8


@njit(**JIT)
def into_world(R, tensor, i, vector, out):
    """out = R tensor[i] R^T vector."""
    local = np.empty(3)
    for k in range(3):
        local[k] = R[0, k] * vector[0] + R[1, k] * vector[1] + R[2, k] * vector[2]
    other = np.empty(3)
    for k in range(3):
        other[k] = tensor[i, k, 0] * local[0] + tensor[i, k, 1] * local[1] + tensor[i, k, 2] * local[2]
    for k in range(3):
        out[k] = R[k, 0] * other[0] + R[k, 1] * other[1] + R[k, 2] * other[2]


@njit(**JIT)
def move_bodies(
    free,
    prescribed,
    h,
    gravity,
    inverse_mass,
    inertia,
    inverse_inertia,
    load,
    position,
    orientation,
    velocity,
    omega,
    D,
):
    """v += h a, x += h v; the angular momentum is advanced, and the body turns at the middle of the step's velocity.

    That is the half-implicit Euler method for translation; a free body keeps its angular momentum to round-off.
    """
    R, turning = np.empty((3, 3)), np.empty((1, 4))
    momentum, spin = np.empty(3), np.empty(3)
    for i in range(D.shape[0]):
        for k in range(9):
            D[i, k] = 1.0 if k % 4 == 0 else 0.0
    for m in range(free.shape[0]):
        i = free[m]
        for k in range(3):
            velocity[i, k] += h * (load[i, k] * inverse_mass[i] + gravity[k])
            position[i, k] += h * velocity[i, k]
        rotation_matrix(orientation, i, R)
        into_world(R, inertia, i, omega[i], momentum)
        for k in range(3):
            momentum[k] += h * load[i, 3 + k]
        into_world(R, inverse_inertia, i, momentum, spin)
        turning[0] = orientation[i]
        rotate_by(turning, 0, 0.5 * h * spin[0], 0.5 * h * spin[1], 0.5 * h * spin[2])
        rotation_matrix(turning, 0, R)
        into_world(R, inverse_inertia, i, momentum, spin)
        x, y, z = h * spin[0], h * spin[1], h * spin[2]
        rotate_by(orientation, i, x, y, z)
        put_rotation(D, i, rotation_by(x, y, z))
        rotation_matrix(orientation, i, R)
        into_world(R, inverse_inertia, i, momentum, spin)
        omega[i] = spin
    for m in range(prescribed.shape[0]):
        i = prescribed[m]
        for k in range(3):
            position[i, k] += h * velocity[i, k]
        x, y, z = h * omega[i, 0], h * omega[i, 1], h * omega[i, 2]
        rotate_by(orientation, i, x, y, z)
        put_rotation(D, i, rotation_by(x, y, z))


@njit(**JIT)
def geodesic_end(axes, x0, tangent, length, x, v, y, f):
    """Follow the geodesic of an ellipsoid from x0 along a unit tangent for a length; the end is written to x.

    x'' = -(x' . A x' / |A x|^2) A x with A = diag(1 / axes^2), by the classical Runge-Kutta method.
    """
    for k in range(3):
        x[k] = x0[k]
        v[k] = tangent[k]
    step = length / ARC_STEPS
    dx, dv = np.zeros((4, 3)), np.zeros((4, 3))
    for _ in range(ARC_STEPS):
        for stage in range(4):
            c = 0.0 if stage == 0 else (1.0 if stage == 3 else 0.5)
            for k in range(3):
                y[k] = x[k] + (c * step * dx[stage - 1, k] if stage else 0.0)
                f[k] = v[k] + (c * step * dv[stage - 1, k] if stage else 0.0)
            curve, square = 0.0, 0.0
            for k in range(3):
                curve += f[k] * f[k] / axes[k] ** 2
                square += (y[k] / axes[k] ** 2) ** 2
            for k in range(3):
                dx[stage, k] = f[k]
                dv[stage, k] = -curve / square * y[k] / axes[k] ** 2
        for k in range(3):
            x[k] += step / 6.0 * (dx[0, k] + 2.0 * dx[1, k] + 2.0 * dx[2, k] + dx[3, k])
            v[k] += step / 6.0 * (dv[0, k] + 2.0 * dv[1, k] + 2.0 * dv[2, k] + dv[3, k])


@njit(**JIT)
def geodesic_length(axes, x0, x1):
    """Length [m] of the short geodesic between two points of an ellipsoid with these half-axes, by shooting."""
    normal, tangent, across = np.empty(3), np.empty(3), np.empty(3)
    x, v, y, f = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    chord, size = 0.0, 0.0
    for k in range(3):
        normal[k] = x0[k] / axes[k] ** 2
        chord += (x1[k] - x0[k]) ** 2
        size += normal[k] ** 2
    chord = math.sqrt(chord)
    if chord == 0.0:
        return 0.0
    along = 0.0
    for k in range(3):
        normal[k] /= math.sqrt(size)
        along += normal[k] * (x1[k] - x0[k])
    size = 0.0
    for k in range(3):
        tangent[k] = x1[k] - x0[k] - along * normal[k]
        size += tangent[k] ** 2
    for k in range(3):
        tangent[k] /= math.sqrt(size)
    length = chord
    for _ in range(6):
        geodesic_end(axes, x0, tangent, length, x, v, y, f)
        # across = normal x tangent at the start; the miss on the arriving direction and across it corrects both
        across[0] = normal[1] * tangent[2] - normal[2] * tangent[1]
        across[1] = normal[2] * tangent[0] - normal[0] * tangent[2]
        across[2] = normal[0] * tangent[1] - normal[1] * tangent[0]
        forward, aside, speed = 0.0, 0.0, 0.0
        for k in range(3):
            forward += (x1[k] - x[k]) * v[k]
            aside += (x1[k] - x[k]) * across[k]
            speed += v[k] * v[k]
        length += forward / math.sqrt(speed)
        angle = aside / length
        for k in range(3):
            tangent[k] = math.cos(angle) * tangent[k] + math.sin(angle) * across[k]
        if abs(forward) + abs(aside) < 1e-15 * chord:
            break
    return length


@njit(**JIT)
def path(record, c, column, sign, T, i, kind, parameters, orientation, geodesic, arm, n, gap, angle, cosine):
    """Path of the contact point on body i in this step as a tangent vector (section 2.1).

    arm: of the contact point now; sign: +1 for the first body, whose outward normal is n, -1 for the second; T: rotation
    of the body in this step; angle, cosine: by which its old normal is away from n.
    Its direction is that of the projected chord; its length that of the geodesic, which is the chord times
    (phi / 2) / sin(phi / 2) on a sphere and to third order elsewhere, and exact on ellipsoids; or that of the chord.
    """
    old = turned(T, vector_of(record, c, column))
    d = plus(arm, -1.0, old)
    d = plus(d, -dot(d, n), n)
    # points on the surface itself: the contact point is half the depth inside of it
    x0 = plus(old, -0.5 * sign * record[c, GAP], turned(T, vector_of(record, c, N0)))
    x1 = plus(arm, -0.5 * sign * gap, n)
    way = plus(x1, -1.0, x0)
    chord = dot(way, way)
    flat = chord - dot(way, n) ** 2
    if flat <= 1e-28 * dot(x1, x1):
        return d
    stretch = math.sqrt(chord / flat)
    if geodesic == 1.0:
        if kind[i] == ELLIPSOID:
            R, y0, y1 = np.empty((3, 3)), np.empty(3), np.empty(3)
            rotation_matrix(orientation, i, R)
            for k in range(3):
                y0[k] = R[0, k] * x0[0] + R[1, k] * x0[1] + R[2, k] * x0[2]
                y1[k] = R[0, k] * x1[0] + R[1, k] * x1[1] + R[2, k] * x1[2]
            stretch *= geodesic_length(parameters[i], y0, y1) / math.sqrt(chord)
        else:
            stretch *= arc_factor(dot(angle, angle)) * math.sqrt(0.5 * (1.0 + cosine))
    return stretch * d[0], stretch * d[1], stretch * d[2]


@njit(**JIT)
def arc_factor(square):
    """phi / sin(phi) for phi^2 = square."""
    if square < 1e-10:
        return 1.0 + square / 6.0
    phi = math.sqrt(square)
    return phi / math.sin(phi)


@njit(**JIT)
def mean_inertia(inertia, orientation, inverse_mass, a, b, n, R):
    """I_ij of the heuristics, across n (rolling) and about n (spinning): means of the bodies that can move."""
    across, along, count = 0.0, 0.0, 0
    vector = np.empty(3)
    for i in (a, b):
        if inverse_mass[i] == 0.0:
            continue
        rotation_matrix(orientation, i, R)
        into_world(R, inertia, i, n, vector)
        about = n[0] * vector[0] + n[1] * vector[1] + n[2] * vector[2]
        along += about
        across += 0.5 * (inertia[i, 0, 0] + inertia[i, 1, 1] + inertia[i, 2, 2] - about)
        count += 1
    if count == 2:
        return 0.5 * across, 0.5 * along
    return across, along


@njit(**JIT)
def speed_at(velocity, omega, i, arm):
    """Velocity of the point of body i at this arm."""
    v, w = vector_of(velocity, i, 0), cross(vector_of(omega, i, 0), arm)
    return v[0] + w[0], v[1] + w[1], v[2] + w[2]


@njit(**JIT)
def add_at(load, i, sign, force, arm, torque):
    """Add sign x force at an arm to body i, and a pure torque."""
    lever = cross(arm, force)
    for k in range(3):
        load[i, k] += sign * force[k]
        load[i, 3 + k] += sign * lever[k] + torque[k]


@njit(**JIT)
def frame_and_slip(record, c, par, l, A, B, a, b, kind, parameters, orientation, arm_a, arm_b, n, gap):
    """The continued tangents u and w, and what is new in the deflections (section 2); the new frame is remembered."""
    if record[c, TOUCHES] == 0.0:
        u = begin(record, c, n)
        w, moved = cross(n, u), STILL
    else:
        geodesic = par[l, GEODESIC]
        u, psi, alpha, beta, ca, cb = follow(A, B, vector_of(record, c, N0), vector_of(record, c, U0), n)
        w = cross(n, u)
        p = path(
            record, c, ARM_A, 1.0, A, a, kind, parameters, orientation, geodesic, arm_a, n, gap, alpha, ca
        )  # fmt: skip
        q = path(
            record, c, ARM_B, -1.0, B, b, kind, parameters, orientation, geodesic, arm_b, n, gap, beta, cb
        )  # fmt: skip
        slip = plus(p, -1.0, q)
        moved = (dot(slip, u), dot(slip, w), -dot(alpha, u), -dot(alpha, w), dot(beta, u), dot(beta, w), psi)
    put_vector(record, c, N0, n)
    put_vector(record, c, U0, u)
    put_vector(record, c, ARM_A, arm_a)
    put_vector(record, c, ARM_B, arm_b)
    record[c, GAP] = gap
    return u, w, moved


@njit(**JIT)
def friction(par, l, laws, work, record, c, K, C, N, mu_r, mu_s, moved, omega, n, u, w, first, radius, h):
    """Friction of contact c under the normal load N >= 0, by the law of pair l; its memory is brought up to date.

    K, C, moved: see `history_loads.respond`; omega: relative angular velocity; first: first tangent of the law's frame.
    Returns the force on the second body, the pure torques on both (all world frame), and the energy stored, lost by
    sliding, rolling, spinning [J].
    """
    old = restiffened(vector_of(record, c, K_SLIDE), K, deflections_of(record, c))
    mode, static, limited = int(record[c, MODE]), par[l, STATIC], par[l, CAP_TOTAL] == 1.0
    if par[l, PLAIN] == 1.0:
        f, new, mode, energies = respond(
            (par[l, ROLLING], par[l, SPINNING], par[l, SPEED]), K, C, (par[l, MU] * N, mu_r * N, mu_s * N), static,
            limited, old, mode, moved, (dot(omega, u), dot(omega, w)), radius, h,
        )  # fmt: skip
    else:
        f, new, mode, energies = respond_section(
            laws, work, l, radius if par[l, LENGTHS] == 1.0 else 1.0, K, C, N, mu_r, mu_s, static, limited, old, mode,
            moved, (dot(first, u), dot(first, w)),
        )  # fmt: skip
    put_deflections(record, c, new, mode)
    put_vector(record, c, K_SLIDE, K)
    force, on_a, on_b = in_world(f, u, w, n)
    return force, on_a, on_b, energies


@njit(**JIT)
def touch_bodies(
    body, point, normal, gaps, law, frame, curved, record, par, laws, kind, parameters, size, mass, inverse_mass,
    inertia, position, orientation, velocity, omega, D, h, load, sums, loads,
):  # fmt: skip
    """Loads of all contacts at the end of a step, added to `load`; memories are brought up to date.

    curved (C, 2): radii of curvature [m]; size (B,): a length of every body [m].
    """
    work, R = workspace(laws[3]), np.empty((3, 3))
    for c in range(body.shape[0]):
        a, b, l, gap = body[c, 0], body[c, 1], law[c], gaps[c]
        if gap >= par[l, MARGIN]:
            record[c, TOUCHES] = 0.0
            continue
        n, x = vector_of(normal, c, 0), vector_of(point, c, 0)
        arm_a, arm_b = plus(x, -1.0, vector_of(position, a, 0)), plus(x, -1.0, vector_of(position, b, 0))
        u_n = dot(n, plus(speed_at(velocity, omega, b, arm_b), -1.0, speed_at(velocity, omega, a, arm_a)))
        # what its springs are: curvatures, masses, patch
        kappa = 1.0 / curved[c, 0] + 1.0 / curved[c, 1]
        R_eff = 1.0 / kappa if kappa > 0.0 else np.inf
        m_eff = 1.0 / (inverse_mass[a] + inverse_mass[b])
        both = inverse_mass[a] > 0.0 and inverse_mass[b] > 0.0
        i_r, i_s = mean_inertia(inertia, orientation, inverse_mass, a, b, normal[c], R)
        patch = math.sqrt(R_eff * max(-gap, 0.0)) if par[l, NORMAL] != GIVEN else 0.0
        slide, roll, spin, mu_r, mu_s = stiffnesses(par, l, patch, kappa, R_eff, min(size[a], size[b]))
        c_n, c_t, c_r, c_s = dashpots(
            par, l, patch, slide, roll, spin, m_eff, 0.5 * (mass[a] + mass[b]) if both else m_eff, i_r, i_s
        )
        N, lost, energy = normal_load(par[l, NORMAL], par[l, STIFFNESS], c_n, par[l, PULL], gap, u_n, patch)
        sums[LOST_IMPACT] += h * lost
        sums[ELASTIC] += energy
        if par[l, NORMAL] == GIVEN:
            sums[GIVEN_WORK] += h * N * u_n
        A, B = rotation_of(D, a), rotation_of(D, b)
        u, w, moved = frame_and_slip(
            record, c, par, l, A, B, a, b, kind, parameters, orientation, arm_a, arm_b, n, gap
        )  # fmt: skip
        o = plus(vector_of(omega, b, 0), -1.0, vector_of(omega, a, 0))
        first = (frame[c, 1, 0], frame[c, 1, 1], frame[c, 1, 2])
        force, on_a, on_b, energies = friction(
            par, l, laws, work, record, c, (slide, roll, spin), (c_t / h, c_r / h, c_s / h), max(N, 0.0), mu_r, mu_s,
            moved, o, n, u, w, first, R_eff, h,
        )  # fmt: skip
        sums[ELASTIC] += energies[0]
        sums[LOST_SLIDING] += energies[1]
        sums[LOST_ROLLING] += energies[2]
        sums[LOST_SPINNING] += energies[3]
        force = plus(force, N, n)
        put_loads(loads, c, gap, force, on_a, on_b)
        add_at(load, a, -1.0, force, arm_a, on_a)
        add_at(load, b, 1.0, force, arm_b, on_b)
