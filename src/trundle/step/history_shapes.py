"""One step of bodies of any shape with history friction, compiled; the contacts come from the detector.

Everything takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.rotations import JIT, rotate_by, rotation_matrix
from trundle.step.history_kernels import (
    ARM_A,
    ARM_B,
    ELASTIC,
    GAP,
    GEODESIC,
    GIVEN,
    GIVEN_WORK,
    LOST_IMPACT,
    MARGIN,
    N0,
    NORMAL,
    PLAIN,
    TOUCHES,
    U0,
    begin,
    normal_load,
    put_loads,
    respond,
    respond_section,
    set_rotation,
    spun,
    stiffnesses,
    turned,
    turned_normal,
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
        set_rotation(D, i, x, y, z)
        rotation_matrix(orientation, i, R)
        into_world(R, inverse_inertia, i, momentum, spin)
        omega[i] = spin
    for m in range(prescribed.shape[0]):
        i = prescribed[m]
        for k in range(3):
            position[i, k] += h * velocity[i, k]
        x, y, z = h * omega[i, 0], h * omega[i, 1], h * omega[i, 2]
        rotate_by(orientation, i, x, y, z)
        set_rotation(D, i, x, y, z)


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
def path(
    record, c, column, sign, D, i, kind, parameters, orientation, geodesic, ax, ay, az, nx, ny, nz, gap, cosine, f
):
    """Path of the contact point on body i in this step as a tangent vector (section 2.1).

    (ax, ay, az): arm of the contact point now; sign: +1 for the first body, whose outward normal is n, -1 for the second.
    Its direction is that of the projected chord; its length that of the geodesic, which is the chord times
    (phi / 2) / sin(phi / 2) on a sphere and to third order elsewhere, and exact on ellipsoids; or that of the chord.
    """
    x, y, z = turned(D, i, record[c, column], record[c, column + 1], record[c, column + 2])
    dx, dy, dz = ax - x, ay - y, az - z
    along = dx * nx + dy * ny + dz * nz
    dx, dy, dz = dx - along * nx, dy - along * ny, dz - along * nz
    # points on the surface itself: the contact point is half the depth inside of it
    mx, my, mz = turned(D, i, record[c, N0], record[c, N0 + 1], record[c, N0 + 2])
    old, new = -0.5 * sign * record[c, GAP], -0.5 * sign * gap
    x, y, z = x + old * mx, y + old * my, z + old * mz
    bx, by, bz = ax + new * nx, ay + new * ny, az + new * nz
    cx, cy, cz = bx - x, by - y, bz - z
    along = cx * nx + cy * ny + cz * nz
    chord = cx * cx + cy * cy + cz * cz
    flat = chord - along * along
    if flat <= 1e-28 * (bx * bx + by * by + bz * bz):
        return dx, dy, dz
    stretch = math.sqrt(chord / flat)
    if geodesic == 1.0:
        if kind[i] == ELLIPSOID:
            R, x0, x1 = np.empty((3, 3)), np.empty(3), np.empty(3)
            rotation_matrix(orientation, i, R)
            for k in range(3):
                x0[k] = R[0, k] * x + R[1, k] * y + R[2, k] * z
                x1[k] = R[0, k] * bx + R[1, k] * by + R[2, k] * bz
            stretch *= geodesic_length(parameters[i], x0, x1) / math.sqrt(chord)
        else:
            stretch *= f * math.sqrt(0.5 * (1.0 + cosine))
    return stretch * dx, stretch * dy, stretch * dz


@njit(**JIT)
def mean_inertia(inertia, orientation, inverse_mass, a, b, n, R, out):
    """I_ij of the heuristics: out[0] across n (rolling), out[1] about n (spinning); means of the bodies that can move."""
    out[0] = out[1] = 0.0
    count = 0
    vector = np.empty(3)
    for i in (a, b):
        if inverse_mass[i] == 0.0:
            continue
        rotation_matrix(orientation, i, R)
        into_world(R, inertia, i, n, vector)
        about = n[0] * vector[0] + n[1] * vector[1] + n[2] * vector[2]
        out[1] += about
        out[0] += 0.5 * (inertia[i, 0, 0] + inertia[i, 1, 1] + inertia[i, 2, 2] - about)
        count += 1
    if count == 2:
        out[0] *= 0.5
        out[1] *= 0.5


@njit(**JIT)
def touch_bodies(
    body, point, normal, gaps, law, frame, curved, record, par, start, count, block, coef, own, lengths, weight, uses,
    kind, parameters, size, mass, inverse_mass, inertia, position, orientation, velocity, omega, D, h, load, sums, loads,
):  # fmt: skip
    """Loads of all contacts at the end of a step, added to `load`; memories are brought up to date.

    curved (C, 2): radii of curvature [m]; size (B,): a length of every body [m].
    """
    K, x, scaled, out = np.zeros(6), np.zeros(6), np.zeros(6), np.zeros(6)
    coef_out, R, moments = np.zeros_like(coef), np.empty((3, 3)), np.empty(2)
    arms, relative = np.empty((2, 3)), np.empty(3)
    for c in range(body.shape[0]):
        a, b, l, gap = body[c, 0], body[c, 1], law[c], gaps[c]
        if gap >= par[l, MARGIN]:
            record[c, TOUCHES] = 0.0
            continue
        nx, ny, nz = normal[c, 0], normal[c, 1], normal[c, 2]
        for k in range(3):
            relative[k] = 0.0
        for side in range(2):
            i = body[c, side]
            sign = -1.0 if side == 0 else 1.0
            for k in range(3):
                arms[side, k] = point[c, k] - position[i, k]
            rx, ry, rz = arms[side, 0], arms[side, 1], arms[side, 2]
            relative[0] += sign * (velocity[i, 0] + omega[i, 1] * rz - omega[i, 2] * ry)
            relative[1] += sign * (velocity[i, 1] + omega[i, 2] * rx - omega[i, 0] * rz)
            relative[2] += sign * (velocity[i, 2] + omega[i, 0] * ry - omega[i, 1] * rx)
        u_n = nx * relative[0] + ny * relative[1] + nz * relative[2]
        kappa = 1.0 / curved[c, 0] + 1.0 / curved[c, 1]
        length = min(size[a], size[b])
        radius = 1.0 / kappa if kappa > 0.0 else np.inf
        m_eff = 1.0 / (inverse_mass[a] + inverse_mass[b])
        if inverse_mass[a] > 0.0 and inverse_mass[b] > 0.0:
            m_mean = 0.5 * (mass[a] + mass[b])
        else:
            m_mean = m_eff
        N, lost, energy, patch = normal_load(par, l, gap, u_n, m_eff, radius)
        sums[LOST_IMPACT] += h * lost
        sums[ELASTIC] += energy
        if par[l, NORMAL] == GIVEN:
            sums[GIVEN_WORK] += h * N * u_n
        dx = dy = dz = psi = 0.0
        ax = ay = az = bx = by = bz = 0.0
        if record[c, TOUCHES] == 0.0:
            begin(record, c, nx, ny, nz)
            ux, uy, uz = record[c, U0], record[c, U0 + 1], record[c, U0 + 2]
        else:
            fx, fy, fz, ca, ax, ay, az = turned_normal(record, c, D, a, nx, ny, nz)
            gx, gy, gz, cb, bx, by, bz = turned_normal(record, c, D, b, nx, ny, nz)
            ux, uy, uz, psi = spun(record, c, D, a, b, nx, ny, nz, fx, fy, fz, ca, gx, gy, gz, cb)
            fa = arc_factor(ax, ay, az, ca)
            fb = arc_factor(bx, by, bz, cb)
            px, py, pz = path(
                record, c, ARM_A, 1.0, D, a, kind, parameters, orientation, par[l, GEODESIC],
                arms[0, 0], arms[0, 1], arms[0, 2], nx, ny, nz, gap, ca, fa,
            )  # fmt: skip
            qx, qy, qz = path(
                record, c, ARM_B, -1.0, D, b, kind, parameters, orientation, par[l, GEODESIC],
                arms[1, 0], arms[1, 1], arms[1, 2], nx, ny, nz, gap, cb, fb,
            )  # fmt: skip
            dx, dy, dz = px - qx, py - qy, pz - qz
            ax, ay, az = -ax, -ay, -az
        wx, wy, wz = ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux
        record[c, N0], record[c, N0 + 1], record[c, N0 + 2] = nx, ny, nz
        record[c, U0], record[c, U0 + 1], record[c, U0 + 2] = ux, uy, uz
        record[c, GAP] = gap
        for k in range(3):
            record[c, ARM_A + k] = arms[0, k]
            record[c, ARM_B + k] = arms[1, k]
        slide, roll, spin, mu_r, mu_s = stiffnesses(par, l, patch, kappa, radius, length)
        mean_inertia(inertia, orientation, inverse_mass, a, b, normal[c], R, moments)
        load_n = max(N, 0.0)
        ox, oy, oz = omega[b, 0] - omega[a, 0], omega[b, 1] - omega[a, 1], omega[b, 2] - omega[a, 2]
        du, dw = dx * ux + dy * uy + dz * uz, dx * wx + dy * wy + dz * wz
        au, aw = ax * ux + ay * uy + az * uz, ax * wx + ay * wy + az * wz
        bu, bw = bx * ux + by * uy + bz * uz, bx * wx + by * wy + bz * wz
        if par[l, PLAIN] == 1.0:
            fu, fw, torque, rbu, rbw, rau, raw = respond(
                par, l, record, c, load_n, slide, roll, spin, mu_r, mu_s, m_mean, moments[0], moments[1], radius,
                du, dw, au, aw, bu, bw, psi, ox * ux + oy * uy + oz * uz, ox * wx + oy * wy + oz * wz, h, sums,
            )  # fmt: skip
        else:
            tx, ty, tz = frame[c, 1, 0], frame[c, 1, 1], frame[c, 1, 2]
            fu, fw, torque, rbu, rbw, rau, raw = respond_section(
                par, l, start, count, block, coef, own, lengths, weight, uses, record, c, load_n, slide, roll, spin,
                mu_r, mu_s, m_mean, moments[0], moments[1], radius, du, dw, au, aw, bu, bw, psi,
                tx * ux + ty * uy + tz * uz, tx * wx + ty * wy + tz * wz, h, K, x, scaled, out, coef_out, sums,
            )  # fmt: skip
        fx, fy, fz = fu * ux + fw * wx + N * nx, fu * uy + fw * wy + N * ny, fu * uz + fw * wz + N * nz
        put_loads(loads, c, gap, fx, fy, fz, torque, rbu, rbw, rau, raw, nx, ny, nz, ux, uy, uz, wx, wy, wz)
        for side in range(2):
            i = body[c, side]
            sign = -1.0 if side == 0 else 1.0
            rx, ry, rz = arms[side, 0], arms[side, 1], arms[side, 2]
            pure = 7 if side == 0 else 4
            load[i, 0] += sign * fx
            load[i, 1] += sign * fy
            load[i, 2] += sign * fz
            load[i, 3] += sign * (ry * fz - rz * fy) + loads[c, pure]
            load[i, 4] += sign * (rz * fx - rx * fz) + loads[c, pure + 1]
            load[i, 5] += sign * (rx * fy - ry * fx) + loads[c, pure + 2]


@njit(**JIT)
def arc_factor(tx, ty, tz, cosine):
    """phi / sin(phi) from the rotation vector of a normal (of length phi) and the cosine of phi."""
    square = tx * tx + ty * ty + tz * tz
    if square < 1e-10:
        return 1.0 + square / 6.0
    phi = math.sqrt(square)
    return phi / math.sin(phi)
