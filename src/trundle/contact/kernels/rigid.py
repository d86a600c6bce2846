"""Matrix-free contact problem of rigid bodies, compiled, on flat arrays.

Contact c couples bodies body[c]; v (B, 6) holds velocity and angular velocity; rows of a contact are always six, n, t1,
t2, s, r1, r2, of which a law uses some.  frame (C, 6, 3): directions of the forces, and axes of the moments, which are
n, t1, t2 again unless rolling is measured in another way.  Moments are measured in units of length[c].  Never raises.
"""

from __future__ import annotations

import math

from numba import njit

from trundle.laws.kernels.curves import JIT
from trundle.laws.kernels.sections import BLOCK, FIRST, SIZE

ROWS = 6
ROUNDING = 32.0 * 2.0**-52  # of relative velocities, which are sums of a dozen products


@njit(**JIT)
def cross(ax, ay, az, bx, by, bz):
    """a x b."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@njit(**JIT)
def turn(J, i, x, y, z):
    """J[i] (x, y, z): angular velocity that an angular impulse gives to body i."""
    return (
        J[i, 0, 0] * x + J[i, 0, 1] * y + J[i, 0, 2] * z,
        J[i, 1, 0] * x + J[i, 1, 1] * y + J[i, 1, 2] * z,
        J[i, 2, 0] * x + J[i, 2, 1] * y + J[i, 2, 2] * z,
    )


@njit(**JIT)
def force_row(frame, arm, inverse_mass, J, body, c, i, j):
    """Entry of W_cc between the force rows i and j."""
    total = inverse_mass[body[c, 0]] + inverse_mass[body[c, 1]] if i == j else 0.0
    for side in range(2):
        b = body[c, side]
        x, y, z = cross(
            arm[c, side, 0], arm[c, side, 1], arm[c, side, 2], frame[c, i, 0], frame[c, i, 1], frame[c, i, 2]
        )
        x, y, z = turn(J, b, x, y, z)
        x, y, z = cross(x, y, z, arm[c, side, 0], arm[c, side, 1], arm[c, side, 2])
        total += x * frame[c, j, 0] + y * frame[c, j, 1] + z * frame[c, j, 2]
    return total


@njit(**JIT)
def moment_row(frame, J, body, c, i, j):
    """Entry of W_cc between the moment rows i and j."""
    total = 0.0
    for side in range(2):
        x, y, z = turn(J, body[c, side], frame[c, i, 0], frame[c, i, 1], frame[c, i, 2])
        total += x * frame[c, j, 0] + y * frame[c, j, 1] + z * frame[c, j, 2]
    return total


@njit(**JIT)
def mixed_row(frame, arm, J, body, c, i, j):
    """Entry of W_cc between the force row i and the moment row j."""
    total = 0.0
    for side in range(2):
        x, y, z = cross(
            arm[c, side, 0], arm[c, side, 1], arm[c, side, 2], frame[c, i, 0], frame[c, i, 1], frame[c, i, 2]
        )
        x, y, z = turn(J, body[c, side], x, y, z)
        total += x * frame[c, j, 0] + y * frame[c, j, 1] + z * frame[c, j, 2]
    return total


@njit(**JIT)
def diagonal_entry(frame, arm, inverse_mass, J, body, c, i, j):
    """Entry (i, j) of the 6 x 6 matrix W_cc, rows n, t1, t2, s, r1, r2."""
    if i < 3 and j < 3:
        return force_row(frame, arm, inverse_mass, J, body, c, i, j)
    if i >= 3 and j >= 3:
        return moment_row(frame, J, body, c, i, j)
    if i < 3:
        return mixed_row(frame, arm, J, body, c, i, j)
    return mixed_row(frame, arm, J, body, c, j, i)


@njit(nogil=True, **JIT)
def local_metric(
    contact, block, uses, frame, arm, inverse_mass, J, body, compliance, weight, length, rho, W_nn, step
):  # fmt: skip
    """Length and steps of every contact: as `ScaledProblem` for the residual, largest eigenvalue bounds for the blocks.

    uses (C, 6): which rows the law of the contact has; compliance (C, 6): added to the diagonal of W, SI units.
    """
    for c in range(body.shape[0]):
        forces, moments, nf, nm = 0.0, 0.0, 0, 0
        for i in range(ROWS):
            if uses[c, i]:
                entry = diagonal_entry(frame, arm, inverse_mass, J, body, c, i, i) + compliance[c, i]
                if i < 3:
                    forces += entry
                    nf += 1
                else:
                    moments += entry
                    nm += 1
        length[c] = 1.0
        if nm > 0 and moments > 0.0 and forces > 0.0:
            length[c] = math.sqrt((forces / nf) / (moments / nm))
        W_nn[c] = diagonal_entry(frame, arm, inverse_mass, J, body, c, 0, 0) + compliance[c, 0]
        largest = 0.0
        for i in range(ROWS):
            if uses[c, i]:
                scale = length[c] if i >= 3 else 1.0
                entry = diagonal_entry(frame, arm, inverse_mass, J, body, c, i, i) + compliance[c, i]
                entry *= scale * scale
                largest = max(largest, entry)
        rho[c] = 1.0 / largest if largest > 0.0 else 1.0
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            first = block[b, FIRST] - ROWS * c
            bound = 0.0
            for i in range(first, first + block[b, SIZE]):
                row = 0.0
                for j in range(first, first + block[b, SIZE]):
                    scale = (length[c] if i >= 3 else 1.0) * (length[c] if j >= 3 else 1.0)
                    entry = diagonal_entry(frame, arm, inverse_mass, J, body, c, i, j)
                    if i == j:
                        entry += compliance[c, i]
                    row += abs(entry) * scale * weight[ROWS * c + i]
                bound = max(bound, row)
            step[b] = 1.0 / bound if bound > 0.0 else rho[c]


@njit(nogil=True, **JIT)
def relative_velocity(body, frame, arm, length, bias, v, y):
    """y = H v + bias of every contact, six rows each, moments' velocities times the length; bias (C, 6) in scaled units."""
    for c in range(body.shape[0]):
        a, b = body[c, 0], body[c, 1]
        ax, ay, az = cross(v[a, 3], v[a, 4], v[a, 5], arm[c, 0, 0], arm[c, 0, 1], arm[c, 0, 2])
        bx, by, bz = cross(v[b, 3], v[b, 4], v[b, 5], arm[c, 1, 0], arm[c, 1, 1], arm[c, 1, 2])
        ux = v[b, 0] + bx - v[a, 0] - ax
        uy = v[b, 1] + by - v[a, 1] - ay
        uz = v[b, 2] + bz - v[a, 2] - az
        ox, oy, oz = v[b, 3] - v[a, 3], v[b, 4] - v[a, 4], v[b, 5] - v[a, 5]
        for i in range(3):
            y[ROWS * c + i] = ux * frame[c, i, 0] + uy * frame[c, i, 1] + uz * frame[c, i, 2] + bias[c, i]
            turning = ox * frame[c, 3 + i, 0] + oy * frame[c, 3 + i, 1] + oz * frame[c, 3 + i, 2]
            y[ROWS * c + 3 + i] = turning * length[c] + bias[c, 3 + i]


@njit(nogil=True, **JIT)
def free_noise(body, arm, length, uses, bias, v):
    """Norm of the rounding of the scaled free velocities q' = H v + bias [m/s], from the velocities of the bodies."""
    total = 0.0
    for c in range(body.shape[0]):
        reach = length[c] if uses[c, 3] or uses[c, 4] or uses[c, 5] else 0.0
        speed = 0.0
        for side in range(2):
            b = body[c, side]
            x, y, z = arm[c, side, 0], arm[c, side, 1], arm[c, side, 2]
            speed += math.sqrt(v[b, 0] ** 2 + v[b, 1] ** 2 + v[b, 2] ** 2)
            turning = math.sqrt(v[b, 3] ** 2 + v[b, 4] ** 2 + v[b, 5] ** 2)
            speed += turning * (reach + math.sqrt(x * x + y * y + z * z))
        for i in range(ROWS):
            speed += abs(bias[c, i])
        total += speed * speed
    return ROUNDING * math.sqrt(total)


@njit(nogil=True, **JIT)
def apply_impulses(body, frame, arm, length, inverse_mass, J, p, v):
    """v += M^-1 H^T p."""
    for c in range(body.shape[0]):
        k = ROWS * c
        fx = p[k] * frame[c, 0, 0] + p[k + 1] * frame[c, 1, 0] + p[k + 2] * frame[c, 2, 0]
        fy = p[k] * frame[c, 0, 1] + p[k + 1] * frame[c, 1, 1] + p[k + 2] * frame[c, 2, 1]
        fz = p[k] * frame[c, 0, 2] + p[k + 1] * frame[c, 1, 2] + p[k + 2] * frame[c, 2, 2]
        s, r1, r2 = p[k + 3] * length[c], p[k + 4] * length[c], p[k + 5] * length[c]
        mx = s * frame[c, 3, 0] + r1 * frame[c, 4, 0] + r2 * frame[c, 5, 0]
        my = s * frame[c, 3, 1] + r1 * frame[c, 4, 1] + r2 * frame[c, 5, 1]
        mz = s * frame[c, 3, 2] + r1 * frame[c, 4, 2] + r2 * frame[c, 5, 2]
        for side in range(2):
            sign = -1.0 if side == 0 else 1.0
            b = body[c, side]
            if inverse_mass[b] == 0.0:
                continue
            v[b, 0] += sign * inverse_mass[b] * fx
            v[b, 1] += sign * inverse_mass[b] * fy
            v[b, 2] += sign * inverse_mass[b] * fz
            x, y, z = cross(arm[c, side, 0], arm[c, side, 1], arm[c, side, 2], fx, fy, fz)
            x, y, z = turn(J, b, x + mx, y + my, z + mz)
            v[b, 3] += sign * x
            v[b, 4] += sign * y
            v[b, 5] += sign * z


@njit(nogil=True, **JIT)
def work_on(body, frame, arm, length, chosen, p, mean):
    """Work [J] that impulses p' do on the bodies in `chosen` (B,) at the velocities `mean` (B, 6)."""
    total = 0.0
    for c in range(body.shape[0]):
        if not (chosen[body[c, 0]] or chosen[body[c, 1]]):
            continue
        for side in range(2):
            b = body[c, side]
            if not chosen[b]:
                continue
            sign = -1.0 if side == 0 else 1.0
            x, y, z = cross(mean[b, 3], mean[b, 4], mean[b, 5], arm[c, side, 0], arm[c, side, 1], arm[c, side, 2])
            for i in range(3):
                along = (
                    (mean[b, 0] + x) * frame[c, i, 0]
                    + (mean[b, 1] + y) * frame[c, i, 1]
                    + (mean[b, 2] + z) * frame[c, i, 2]
                )
                about = (
                    mean[b, 3] * frame[c, 3 + i, 0] + mean[b, 4] * frame[c, 3 + i, 1] + mean[b, 5] * frame[c, 3 + i, 2]
                )
                total += sign * (p[ROWS * c + i] * along + p[ROWS * c + 3 + i] * length[c] * about)
    return total


@njit(nogil=True, **JIT)
def part_bodies(body, frame, arm, uses, joints, inverse_mass, J, wanted, push, shift, sweeps):
    """Displacements and turns (B, 6) [m, rad] that open joints and contacts by `wanted` (C, 6).

    Gauss-Seidel on  H shift = wanted  for all rows that a joint holds (wanted 0 elsewhere leaves them alone), and on
    H shift >= wanted, push >= 0  for the normal rows of contacts.
    """
    for _ in range(sweeps):
        for c in range(body.shape[0]):
            a, b = body[c, 0], body[c, 1]
            for i in range(ROWS if c < joints else 1):
                if not uses[c, i] or wanted[c, i] == -math.inf:
                    continue
                fx, fy, fz = frame[c, i, 0], frame[c, i, 1], frame[c, i, 2]
                W = diagonal_entry(frame, arm, inverse_mass, J, body, c, i, i)
                if W <= 0.0:
                    continue
                ax, ay, az = fx, fy, fz
                bx, by, bz = fx, fy, fz
                if i < 3:
                    ax, ay, az = cross(arm[c, 0, 0], arm[c, 0, 1], arm[c, 0, 2], fx, fy, fz)
                    bx, by, bz = cross(arm[c, 1, 0], arm[c, 1, 1], arm[c, 1, 2], fx, fy, fz)
                opened = shift[b, 3] * bx + shift[b, 4] * by + shift[b, 5] * bz
                opened -= shift[a, 3] * ax + shift[a, 4] * ay + shift[a, 5] * az
                if i < 3:
                    opened += (shift[b, 0] - shift[a, 0]) * fx + (shift[b, 1] - shift[a, 1]) * fy
                    opened += (shift[b, 2] - shift[a, 2]) * fz
                r = push[c, i] + (wanted[c, i] - opened) / W
                if c >= joints:
                    r = max(0.0, r)
                delta = r - push[c, i]
                if delta == 0.0:
                    continue
                push[c, i] = r
                if i < 3:
                    for k in range(3):
                        shift[b, k] += delta * inverse_mass[b] * frame[c, i, k]
                        shift[a, k] -= delta * inverse_mass[a] * frame[c, i, k]
                tx, ty, tz = turn(J, b, bx, by, bz)
                shift[b, 3] += delta * tx
                shift[b, 4] += delta * ty
                shift[b, 5] += delta * tz
                tx, ty, tz = turn(J, a, ax, ay, az)
                shift[a, 3] -= delta * tx
                shift[a, 4] -= delta * ty
                shift[a, 5] -= delta * tz
