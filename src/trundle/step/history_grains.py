"""Many steps of spheres and fixed planes with history friction, compiled: neighbour lists with a skin, no Python within.

Everything takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.rotations import JIT, rotate_by
from trundle.step.history_kernels import (
    ELASTIC,
    GAP,
    GIVEN,
    GIVEN_WORK,
    LOST_IMPACT,
    MARGIN,
    N0,
    NORMAL,
    PLAIN,
    RECORD,
    TOUCHES,
    U0,
    begin,
    frame_tangent,
    normal_load,
    put_loads,
    respond,
    respond_section,
    set_rotation,
    spun,
    stiffnesses,
    turned_normal,
)


@njit(**JIT)
def cells_of(position, spheres, size, origin, shape, first, order):
    """Counting sort of the spheres into cells: order (n,), first (cells + 1,)."""
    cell = np.empty(spheres.shape[0], np.int64)
    first[:] = 0
    for m in range(spheres.shape[0]):
        i = spheres[m]
        k = 0
        for axis in range(3):
            j = int((position[i, axis] - origin[axis]) / size)
            k = k * shape[axis] + min(max(j, 0), shape[axis] - 1)
        cell[m] = k
        first[k + 1] += 1
    for k in range(1, first.shape[0]):
        first[k] += first[k - 1]
    fill = first.copy()
    for m in range(spheres.shape[0]):
        order[fill[cell[m]]] = m
        fill[cell[m]] += 1
    return cell


@njit(**JIT)
def neighbours(position, radius, spheres, planes, normal, offset, reach, all_pairs, pairs):
    """Pairs (plane, sphere), then (sphere, sphere), sorted, that come within `reach`; returns how many there are."""
    count = 0
    for p in range(planes.shape[0]):
        for m in range(spheres.shape[0]):
            i = spheres[m]
            height = normal[p, 0] * position[i, 0] + normal[p, 1] * position[i, 1] + normal[p, 2] * position[i, 2]
            if all_pairs or height - offset[p] - radius[i] < reach:
                if count < pairs.shape[0]:
                    pairs[count, 0], pairs[count, 1] = planes[p], i
                count += 1
    n = spheres.shape[0]
    if n < 2:
        return count
    if all_pairs:
        for m in range(n):
            for k in range(m + 1, n):
                if count < pairs.shape[0]:
                    pairs[count, 0], pairs[count, 1] = spheres[m], spheres[k]
                count += 1
        return count
    origin, top = np.empty(3), np.empty(3)
    largest = 0.0
    for axis in range(3):
        origin[axis], top[axis] = np.inf, -np.inf
    for m in range(n):
        i = spheres[m]
        largest = max(largest, radius[i])
        for axis in range(3):
            origin[axis] = min(origin[axis], position[i, axis])
            top[axis] = max(top[axis], position[i, axis])
    size = 2.0 * largest + reach
    shape = np.empty(3, np.int64)
    while True:
        cells = 1.0
        for axis in range(3):
            shape[axis] = max(1, int(min((top[axis] - origin[axis]) / size, 1e6)) + 1)
            cells *= shape[axis]
        if cells <= 8.0 * n + 1000.0:
            break
        size *= 1.26
    first = np.empty(int(cells) + 1, np.int64)
    order = np.empty(n, np.int64)
    cell = cells_of(position, spheres, size, origin, shape, first, order)
    near = np.empty(n, np.int64)
    for m in range(n):
        i = spheres[m]
        cx, rest = cell[m] // (shape[1] * shape[2]), cell[m] % (shape[1] * shape[2])
        cy, cz = rest // shape[2], rest % shape[2]
        found = 0
        for x in range(max(cx - 1, 0), min(cx + 2, shape[0])):
            for y in range(max(cy - 1, 0), min(cy + 2, shape[1])):
                row = (x * shape[1] + y) * shape[2]
                for s in range(first[row + max(cz - 1, 0)], first[row + min(cz + 1, shape[2] - 1) + 1]):
                    k = order[s]
                    if k <= m:
                        continue
                    j = spheres[k]
                    dx = position[j, 0] - position[i, 0]
                    dy = position[j, 1] - position[i, 1]
                    dz = position[j, 2] - position[i, 2]
                    far = radius[i] + radius[j] + reach
                    if dx * dx + dy * dy + dz * dz < far * far:
                        place = found
                        while place > 0 and near[place - 1] > k:
                            near[place] = near[place - 1]
                            place -= 1
                        near[place] = k
                        found += 1
        for f in range(found):
            if count < pairs.shape[0]:
                pairs[count, 0], pairs[count, 1] = i, spheres[near[f]]
            count += 1
    return count


@njit(**JIT)
def carry_over(key, old_key, old, record):
    """Records of the new list from the old one; both lists of keys are sorted."""
    k = 0
    n = old_key.shape[0]
    for c in range(key.shape[0]):
        while k < n and old_key[k] < key[c]:
            k += 1
        if k < n and old_key[k] == key[c]:
            for i in range(RECORD):
                record[c, i] = old[k, i]
        else:
            for i in range(RECORD):
                record[c, i] = 0.0


@njit(**JIT)
def move_spheres(
    free, h, gravity, inverse_mass, inverse_inertia, load, position, orientation, velocity, omega, D, start
):
    """v += h a, x += h v (half-implicit Euler) of all free spheres; returns the largest squared distance from `start`.

    load (B, 6): forces and torques; D (B, 9): the rotation of this step.
    """
    farthest = 0.0
    for m in range(free.shape[0]):
        i = free[m]
        distance = 0.0
        for k in range(3):
            velocity[i, k] += h * (load[i, k] * inverse_mass[i] + gravity[k])
            omega[i, k] += h * load[i, 3 + k] * inverse_inertia[i]
            position[i, k] += h * velocity[i, k]
            distance += (position[i, k] - start[i, k]) ** 2
        farthest = max(farthest, distance)
        x, y, z = h * omega[i, 0], h * omega[i, 1], h * omega[i, 2]
        rotate_by(orientation, i, x, y, z)
        set_rotation(D, i, x, y, z)
    return farthest


@njit(**JIT)
def touch_spheres(
    body, law, record, par, start, count, block, coef, own, lengths, weight, uses, plane_number, normal, offset, radius,
    mass, inertia, position, velocity, omega, D, h, load, sums, report, loads,
):  # fmt: skip
    """Loads of all contacts of the list at the end of a step, added to `load`; memories are brought up to date.

    Returns the number of closed contacts.
    """
    touching = 0
    K, x, scaled, out = np.zeros(6), np.zeros(6), np.zeros(6), np.zeros(6)
    coef_out = np.zeros_like(coef)
    for c in range(body.shape[0]):
        a, b = body[c, 0], body[c, 1]
        p = plane_number[a]
        if p >= 0:
            nx, ny, nz = normal[p, 0], normal[p, 1], normal[p, 2]
            gap = nx * position[b, 0] + ny * position[b, 1] + nz * position[b, 2] - offset[p] - radius[b]
        else:
            nx = position[b, 0] - position[a, 0]
            ny = position[b, 1] - position[a, 1]
            nz = position[b, 2] - position[a, 2]
            square = nx * nx + ny * ny + nz * nz
            reach = radius[a] + radius[b] + par[law[c], MARGIN]
            if square >= reach * reach or square == 0.0:
                record[c, TOUCHES] = 0.0
                continue
            distance = math.sqrt(square)
            nx /= distance
            ny /= distance
            nz /= distance
            gap = distance - radius[a] - radius[b]
        l = law[c]
        if gap >= par[l, MARGIN]:
            record[c, TOUCHES] = 0.0
            continue
        # bodies: relative velocity, masses, curvatures
        vx, vy, vz = velocity[b, 0], velocity[b, 1], velocity[b, 2]
        ox, oy, oz = omega[b, 0], omega[b, 1], omega[b, 2]
        m_eff, m_mean, i_mean, kappa, size = mass[b], mass[b], inertia[b], 1.0 / radius[b], radius[b]
        if p < 0:
            vx -= velocity[a, 0]
            vy -= velocity[a, 1]
            vz -= velocity[a, 2]
            ox -= omega[a, 0]
            oy -= omega[a, 1]
            oz -= omega[a, 2]
            kappa += 1.0 / radius[a]
            size = min(size, radius[a])
            if math.isinf(mass[b]):
                m_eff, m_mean, i_mean = mass[a], mass[a], inertia[a]
            elif not math.isinf(mass[a]):
                m_eff = mass[a] * mass[b] / (mass[a] + mass[b])
                m_mean, i_mean = 0.5 * (mass[a] + mass[b]), 0.5 * (inertia[a] + inertia[b])
        u_n = nx * vx + ny * vy + nz * vz
        N, lost, energy, patch = normal_load(par, l, gap, u_n, m_eff, 1.0 / kappa)
        sums[LOST_IMPACT] += h * lost
        sums[ELASTIC] += energy
        if par[l, NORMAL] == GIVEN:
            sums[GIVEN_WORK] += h * N * u_n
        if record[c, TOUCHES] == 0.0:
            begin(record, c, nx, ny, nz)
            ux, uy, uz, psi = record[c, U0], record[c, U0 + 1], record[c, U0 + 2], 0.0
            ax = ay = az = bx = by = bz = dx = dy = dz = 0.0
        else:
            # geodesics on both surfaces: angles times the distance of the contact point from the centre
            fx, fy, fz, ca, ax, ay, az = turned_normal(record, c, D, a, nx, ny, nz)
            gx, gy, gz, cb, bx, by, bz = turned_normal(record, c, D, b, nx, ny, nz)
            ux, uy, uz, psi = spun(record, c, D, a, b, nx, ny, nz, fx, fy, fz, ca, gx, gy, gz, cb)
            ax, ay, az = -ax, -ay, -az
            far_b = radius[b] + 0.5 * record[c, GAP]
            if p >= 0:
                dx, dy, dz = h * (vx - u_n * nx), h * (vy - u_n * ny), h * (vz - u_n * nz)
            else:
                far_a = radius[a] + 0.5 * record[c, GAP]
                dx, dy, dz = far_a * ax, far_a * ay, far_a * az
            dx -= far_b * bx
            dy -= far_b * by
            dz -= far_b * bz
        wx, wy, wz = ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux
        record[c, N0], record[c, N0 + 1], record[c, N0 + 2] = nx, ny, nz
        record[c, U0], record[c, U0 + 1], record[c, U0 + 2] = ux, uy, uz
        record[c, GAP] = gap
        slide, roll, spin, mu_r, mu_s = stiffnesses(par, l, patch, kappa, 1.0 / kappa, size)
        load_n = max(N, 0.0)
        du, dw = dx * ux + dy * uy + dz * uz, dx * wx + dy * wy + dz * wz
        au, aw = ax * ux + ay * uy + az * uz, ax * wx + ay * wy + az * wz
        bu, bw = bx * ux + by * uy + bz * uz, bx * wx + by * wy + bz * wz
        if par[l, PLAIN] == 1.0:
            fu, fw, torque, rbu, rbw, rau, raw = respond(
                par, l, record, c, load_n, slide, roll, spin, mu_r, mu_s, m_mean, i_mean, i_mean, 1.0 / kappa,
                du, dw, au, aw, bu, bw, psi, ox * ux + oy * uy + oz * uz, ox * wx + oy * wy + oz * wz, h, sums,
            )  # fmt: skip
        else:
            tx, ty, tz = frame_tangent(nx, ny, nz)
            fu, fw, torque, rbu, rbw, rau, raw = respond_section(
                par, l, start, count, block, coef, own, lengths, weight, uses, record, c, load_n, slide, roll, spin,
                mu_r, mu_s, m_mean, i_mean, i_mean, 1.0 / kappa, du, dw, au, aw, bu, bw, psi,
                tx * ux + ty * uy + tz * uz, tx * wx + ty * wy + tz * wz, h, K, x, scaled, out, coef_out, sums,
            )  # fmt: skip
        fx, fy, fz = fu * ux + fw * wx, fu * uy + fw * wy, fu * uz + fw * wz
        arm = radius[b] + 0.5 * gap
        # torque of the friction force about the centre of b, whose arm is -arm n, and the pure torques
        tx = arm * (fy * nz - fz * ny) + torque * nx + rbu * ux + rbw * wx
        ty = arm * (fz * nx - fx * nz) + torque * ny + rbu * uy + rbw * wy
        tz = arm * (fx * ny - fy * nx) + torque * nz + rbu * uz + rbw * wz
        fx += N * nx
        fy += N * ny
        fz += N * nz
        load[b, 0] += fx
        load[b, 1] += fy
        load[b, 2] += fz
        load[b, 3] += tx
        load[b, 4] += ty
        load[b, 5] += tz
        if p < 0:
            arm = radius[a] + 0.5 * gap
            load[a, 0] -= fx
            load[a, 1] -= fy
            load[a, 2] -= fz
            load[a, 3] += arm * (fy * nz - fz * ny) - torque * nx + rau * ux + raw * wx
            load[a, 4] += arm * (fz * nx - fx * nz) - torque * ny + rau * uy + raw * wy
            load[a, 5] += arm * (fx * ny - fy * nx) - torque * nz + rau * uz + raw * wz
        if report:
            put_loads(loads, c, gap, fx, fy, fz, torque, rbu, rbw, rau, raw, nx, ny, nz, ux, uy, uz, wx, wy, wz)
        touching += 1
    return touching


@njit(**JIT)
def energies(free, mass, inertia, gravity, position, velocity, omega):
    """Kinetic energy and that of gravity [J] of the free spheres."""
    kinetic, potential = 0.0, 0.0
    for m in range(free.shape[0]):
        i = free[m]
        for k in range(3):
            kinetic += 0.5 * (mass[i] * velocity[i, k] * velocity[i, k] + inertia[i] * omega[i, k] * omega[i, k])
            potential -= mass[i] * gravity[k] * position[i, k]
    return kinetic, potential


@njit(nogil=True, **JIT)
def run_spheres(
    steps, middle, h, limit, gravity, extra, free, inverse_mass, inverse_inertia, body, law, record, par, first, count,
    block, coef, own, lengths, weight, uses, plane_number, normal, offset, radius, mass, inertia, position, orientation,
    velocity, omega, D, begun, load, sums, report, loads, total, table,
):  # fmt: skip
    """Do up to `steps` steps; stop after the motion of a step whose contacts need a new list of neighbours.

    middle: the motion of the first step has been done already.  limit: squared distance that bodies may move from
    `begun`.  sums: losses since the start and elastic energy at the end.  table (steps or 0, 10): a row of the ledger for
    every step, with the number of contacts; total (1,): energy before the step.  Returns the number of finished steps.
    """
    for k in range(steps):
        if not middle:
            farthest = move_spheres(
                free, h, gravity, inverse_mass, inverse_inertia, load, position, orientation, velocity, omega, D, begun
            )
            if not farthest <= limit:  # also where it is not a number
                return k
        middle = False
        for i in range(load.shape[0]):
            for j in range(6):
                load[i, j] = extra[i, j]
        sliding, rolling, spinning, impact, work = sums[0], sums[1], sums[2], sums[3], sums[GIVEN_WORK]
        sums[:] = 0.0  # what one step loses has the same bits whatever was lost before
        touching = touch_spheres(
            body, law, record, par, first, count, block, coef, own, lengths, weight, uses, plane_number, normal, offset,
            radius, mass, inertia, position, velocity, omega, D, h, load, sums, report and k == steps - 1, loads,
        )  # fmt: skip
        if k < table.shape[0]:
            kinetic, potential = energies(free, mass, inertia, gravity, position, velocity, omega)
            now = kinetic + potential + sums[ELASTIC]
            table[k, 0], table[k, 1] = kinetic, potential
            table[k, 2], table[k, 3], table[k, 4], table[k, 5] = sums[0], sums[1], sums[2], sums[3]
            table[k, 7], table[k, 8] = sums[ELASTIC], sums[GIVEN_WORK]
            table[k, 6] = total[0] + sums[GIVEN_WORK] - now - sums[0] - sums[1] - sums[2] - sums[3]
            table[k, 9] = touching
            total[0] = now
        sums[0], sums[1], sums[2], sums[3] = sums[0] + sliding, sums[1] + rolling, sums[2] + spinning, sums[3] + impact
        sums[GIVEN_WORK] += work
    return steps
