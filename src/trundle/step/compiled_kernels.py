"""Many steps of a scene with one movable body on fixed half-spaces in one compiled call; never raises.

The same kernels in the same order as `MoreauJean.step`, without Python in between.  What it cannot do (a step that the
sweeps do not solve, a missing law) and what is to be looked at (deep overlaps, bodies so fast that they might pass through
each other) it leaves to the general stepper: `advance` returns how many steps it did.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.contact.kernels import natural_map
from trundle.contact.rigid_kernels import ROWS, apply_impulses, local_metric, part_bodies, relative_velocity
from trundle.detect.kernels import frames, gather, match, order_contacts, reaches, sphere_planes
from trundle.detect.plane_kernels import plane_contacts, rotations, world_planes
from trundle.laws.curves import INLINE, JIT
from trundle.rotations import rotate_by
from trundle.solve.rigid_kernels import nesterov
from trundle.step.kernels import (
    CLOSED,
    angular_momentum,
    angular_velocity,
    contact_velocity,
    kinetic_energy,
    midpoint_end,
    midpoint_start,
    move,
    rotate,
    shift_apart,
    world_inverse_inertia,
)
from trundle.step.rolling_kernels import damp, damping_loss, rim_axes

FIRST_SWEEPS, MORE_SWEEPS, MOST_SWEEPS = 5, 10, 300  # as in solve.rigid.solve_step
DRIFT_SHARE, DRIFT_SWEEPS, CORRECTION_SWEEPS = 0.1, 5, 20  # as in step.moreau_jean
KINETIC, POTENTIAL, SLIDING, ROLLING, SPINNING, IMPACT, SCHEME = range(7)  # columns of the energies


@njit(nogil=True, **JIT)
def find_contacts(find, h, gravity, position, orientation, velocity, turning, out):
    """Contacts as `Detector.detect` gives them, into the buffers of `out`; returns their number, or -1: not possible here."""
    g = find.geometry
    reaches(h, g.kind, g.radius, velocity, turning, find.reach)
    size = math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
    for i in range(find.reach.shape[0]):
        find.reach[i] += 0.5 * h**2 * size
    rotations(find.turned, orientation, find.R)
    world_planes(find.planes, g.size, position, orientation, find.plane)
    count = sphere_planes(
        find.planes, find.plane, find.spheres, g.size, position, find.reach, find.margin, 0, find.whole, find.real
    )
    if find.others.shape[0]:
        count = plane_contacts(
            g, find.planes, find.plane, find.others, find.R, position, find.reach, find.margin, find.rims, find.points,
            find.ids, find.curved, count, find.whole, find.real,
        )  # fmt: skip
    if count > find.whole.shape[0]:
        return -1
    order = find.order[:count]
    order_contacts(count, find.whole, find.start, find.work, order)
    missing = gather(
        order, find.whole, find.real, find.features, find.surface, find.pair, out.body, out.point, out.normal, out.gap,
        out.radius, out.law, out.key,
    )  # fmt: skip
    return -1 if missing >= 0 else count


@njit(nogil=True, **JIT)
def lay_out(laws, law, contact, block, coef, weight, uses):
    """The table of contacts with these laws, six rows each, as `LawSheet.lay_out`; returns the number of blocks."""
    total = 0
    for c in range(law.shape[0]):
        l = law[c]
        contact[c, 0] = ROWS * c
        contact[c, 1] = total
        contact[c, 2] = 1
        contact[c, 3] = laws.plain[l]
        for i in range(ROWS):
            weight[ROWS * c + i] = laws.weight[l, i]
            uses[c, i] = laws.uses[l, i]
        for k in range(laws.first[l], laws.first[l] + laws.blocks[l]):
            for i in range(4):
                block[total, i] = laws.block[k, i]
            block[total, 1] += ROWS * c
            for i in range(coef.shape[1]):
                coef[total, i] = laws.coef[k, i]
            total += 1
    n = law.shape[0]
    contact[n, 0] = ROWS * n
    contact[n, 1] = total
    contact[n, 2] = 0
    contact[n, 3] = 0
    return total


@njit(nogil=True, **JIT)
def scale_coefficients(laws, law, contact, length, coef):
    """Lengths among the coefficients in units of the contacts' lengths, as `scale_table`."""
    for c in range(law.shape[0]):
        first = laws.first[law[c]]
        for k in range(contact[c, 1], contact[c + 1, 1]):
            for i in range(coef.shape[1]):
                if laws.lengths[first + k - contact[c, 1], i]:
                    coef[k, i] *= 1.0 / length[c]


@njit(nogil=True, **JIT)
def solve_contacts(table, metric, own, geometry, inverse_mass, J, bias, free, tolerance, relaxed, size, p, v, work):
    """As `solve_step`: accelerated sweeps to a tolerance; returns residual and sweeps, or -1 sweeps if it did not get there."""
    contact, block, coef, weight = table
    rho, W_nn, step = metric
    body, frame, arm, length = geometry
    z, before, space, change_space, y, compliance, vz, small, state = work
    done, count, close = 0, FIRST_SWEEPS, 5.0 * tolerance * size
    fresh = True
    while done < MOST_SWEEPS:
        if fresh:
            v[:] = free
            apply_impulses(body, frame, arm, length, inverse_mass, J, p, v)
            z[:] = p
            vz[:] = v
            state[0], state[1], state[2] = 1.0, np.inf, 1.3
            fresh = False
        change = nesterov(
            contact, block, coef, own, weight, body, frame, arm, length, inverse_mass, J, bias, compliance, rho, W_nn, step,
            p, v, z, vz, before, space, small, state, count,
        )  # fmt: skip
        done += count
        count = MORE_SWEEPS
        if not change <= close:
            continue
        relative_velocity(body, frame, arm, length, bias, v, y)
        residual = natural_map(contact, block, coef, own, weight, rho, relaxed, p, y, change_space, space) / size
        if residual <= tolerance:
            v[:] = free
            apply_impulses(body, frame, arm, length, inverse_mass, J, p, v)
            relative_velocity(body, frame, arm, length, bias, v, y)
            residual = natural_map(contact, block, coef, own, weight, rho, relaxed, p, y, change_space, space) / size
            fresh = True
            if residual <= tolerance:
                return residual, done
    return np.inf, -1


@njit(nogil=True, **JIT)
def potential_energy(b, mass, gravity, position):
    """-m g . x [J] of one body."""
    return -mass[b] * (position[b, 0] * gravity[0] + position[b, 1] * gravity[1] + position[b, 2] * gravity[2])


@njit(nogil=True, **JIT)
def normal_bias(n, restitution, h, closed, law, body, arm, normal, gap, start, bias):
    """Bias of the normal rows: an open contact may close its gap; Newton's restitution where one closes that bounces."""
    bounces = False
    for c in range(n):
        bias[c, 0] = max(gap[c] - closed, 0.0) / h
        bounces = bounces or restitution[law[c]] > 0.0
    if not bounces:
        return
    u = contact_velocity(body, arm, start)
    for c in range(n):
        speed = u[c, 0] * normal[c, 0] + u[c, 1] * normal[c, 1] + u[c, 2] * normal[c, 2]
        e = restitution[law[c]]
        if gap[c] + h * speed <= 0.0 and speed < 0.0 and e > 0.0:
            bias[c, 0] = e * speed


@njit(nogil=True, **JIT)
def losses(n, body, frame, arm, length, none, mean, p, y, out):
    """Energy [J] that sliding, spinning, rolling and impact took, added to out (7,)."""
    relative_velocity(body, frame, arm, length, none, mean, y)
    for c in range(n):
        k = ROWS * c
        out[IMPACT] -= p[k] * y[k]
        out[SLIDING] -= p[k + 1] * y[k + 1] + p[k + 2] * y[k + 2]
        out[SPINNING] -= p[k + 3] * y[k + 3]
        out[ROLLING] -= p[k + 4] * y[k + 4] + p[k + 5] * y[k + 5]


@njit(nogil=True, **JIT)
def take_back(find, out, bodies, n, all_of_it, frame, arm, uses, J, position, orientation, velocity, turning, work):
    """Take back penetration: all that there is at the end of the step, or a share of what is deeper than the margin."""
    wanted, push, shift = work
    shift[:] = 0.0
    if all_of_it:
        n = find_contacts(find, 0.0, bodies.gravity, position, orientation, velocity, turning, out)
        deep = False
        for c in range(n):
            deep = deep or out.gap[c] < 0.0
        if deep:
            push[:n, 0] = 0.0
            shift_apart(
                out.body[:n], out.normal, out.gap[:n], bodies.inverse_mass, push[:n, 0], shift, CORRECTION_SWEEPS
            )
            position += shift[:, :3]
        return n >= 0
    deep = False
    for c in range(n):
        gap = out.gap[c]
        below = gap < -find.margin
        deep = deep or below
        wanted[c, 0] = -DRIFT_SHARE * (gap + find.margin) if below else -max(gap, 0.0)
    if deep:
        push[:n] = 0.0
        part_bodies(
            out.body[:n], frame[:n], arm[:n], uses[:n], 0, bodies.inverse_mass, J, wanted[:n], push[:n], shift, DRIFT_SWEEPS
        )  # fmt: skip
        position += shift[:, :3]
        for i in range(shift.shape[0]):
            if shift[i, 3] != 0.0 or shift[i, 4] != 0.0 or shift[i, 5] != 0.0:
                rotate_by(orientation, i, shift[i, 3], shift[i, 4], shift[i, 5])
    return True


@njit(nogil=True, **INLINE)
def to_middle(bodies, options, s, position, orientation, velocity, turning):
    """Free flight to where contacts are looked for, as MoreauJean._to_middle; returns the largest speed [m/s]."""
    speed = 0.0
    for i in range(position.shape[0]):
        for k in range(3):
            s.start[i, k] = velocity[i, k]
            s.start[i, 3 + k] = turning[i, k]
            speed = max(speed, abs(velocity[i, k]))
    s.middle[:] = position
    s.turned[:] = orientation
    move(bodies.free, s.start, (1.0 - options.theta) * options.h, s.middle, s.turned)
    if options.midpoint:
        midpoint_start(
            bodies.free, bodies.inertia, bodies.inverse, options.h, orientation, turning, s.turned, s.start, s.momentum
        )
    elif not options.isotropic:
        angular_momentum(bodies.inverse_mass, bodies.inertia, orientation, turning, s.momentum)
        world_inverse_inertia(s.turned, bodies.inverse, bodies.round, s.world)
        angular_velocity(bodies.inverse_mass, s.world, s.momentum, s.start)
    for i in range(position.shape[0]):
        for k in range(3):
            s.spin[i, k] = s.start[i, 3 + k]
    return speed


@njit(nogil=True, **INLINE)
def set_up(find, out, n, bodies, laws, options, s, old_key, old_impulse, known):
    """The problem of n contacts, as MoreauJean._rigid; returns whether it can be solved here."""
    law, body, gap = out.law[:n], out.body[:n], out.gap[:n]
    s.free[:] = s.start
    for k in range(3):
        s.free[bodies.number, k] += options.h * bodies.gravity[k]
        if options.midpoint:
            s.free[bodies.number, 3 + k] += s.momentum[bodies.number, k]
    if options.midpoint or options.isotropic:
        world_inverse_inertia(s.turned, bodies.inverse, bodies.round, s.world)
    frames(out.normal[:n], s.frame3[:n])
    for c in range(n):
        for i in range(3):
            for k in range(3):
                s.frame[c, i, k] = s.frame3[c, i, k]
                s.frame[c, 3 + i, k] = s.frame3[c, i, k]
        for side in range(2):
            for k in range(3):
                s.arm[c, side, k] = out.point[c, k] - s.middle[body[c, side], k]
        s.feature[c] = out.key[c] % find.features
    if options.contour and rim_axes(
        find.geometry.kind, find.geometry.size, s.turned, law, laws.contour, body, out.normal, gap, s.feature,
        options.closed, s.frame,
    ) >= 0:  # fmt: skip
        return False
    lay_out(laws, law, s.contact, s.block, s.coef, s.weight, s.uses)
    match(out.key[:n], old_key[:known], old_impulse[:known], s.rows[:n])
    if options.viscous:
        for c in range(n):
            s.touching[c] = gap[c] <= options.closed or s.rows[c, 0] > 0.0
        if damp(
            laws.viscosity, options.h, law, body, s.frame, s.touching, bodies.inverse_mass, s.world, s.free
        ) >= 0:  # fmt: skip
            return False
    local_metric(
        s.contact[: n + 1], s.block, s.uses, s.frame, s.arm, bodies.inverse_mass, s.world, body, s.none, s.weight, s.length,
        s.rho, s.W_nn, s.step,
    )  # fmt: skip
    scale_coefficients(laws, law, s.contact, s.length, s.coef)
    closed = 0.0 if options.relaxed else CLOSED * find.margin
    normal_bias(n, laws.restitution, options.h, closed, law, body, s.arm, out.normal, gap, s.start, s.bias)
    return True


@njit(nogil=True, **INLINE)
def solve_problem(out, n, bodies, laws, options, s):
    """Impulses and velocities at the end; returns residual and sweeps, or -1 sweeps if it was not solved."""
    s.end[:] = s.free
    if n == 0:
        return 0.0, 0
    body, m = out.body[:n], ROWS * n
    relative_velocity(body, s.frame, s.arm, s.length, s.bias, s.free, s.y)
    square = 0.0
    for c in range(n):
        for i in range(ROWS):
            s.p[ROWS * c + i] = s.rows[c, i] / (s.length[c] if i >= 3 else 1.0)
            if s.uses[c, i]:
                square += s.y[ROWS * c + i] ** 2
    size = math.sqrt(square) if square > 0.0 else 1.0
    return solve_contacts(
        (s.contact[: n + 1], s.block, s.coef, s.weight), (s.rho, s.W_nn, s.step), laws.own,
        (body, s.frame, s.arm, s.length), bodies.inverse_mass, s.world, s.bias, s.free, options.tolerance, options.relaxed,
        size, s.p[:m], s.end, (s.z[:m], s.before[:m], s.space[:m], s.spare[:m], s.y[:m], s.none, s.vz, s.small, s.state),
    )  # fmt: skip


@njit(nogil=True, **INLINE)
def keep(out, n, last, s, old_key, old_impulse):
    """Remember keys and impulses, and of the last step the relative velocities; returns the smallest gap [m]."""
    lowest = np.inf
    for c in range(n):
        old_key[c] = out.key[c]
        lowest = min(lowest, out.gap[c])
        for i in range(ROWS):
            old_impulse[c, i] = s.p[ROWS * c + i] * (s.length[c] if i >= 3 else 1.0)
    if last:
        relative_velocity(out.body[:n], s.frame, s.arm, s.length, s.none, s.end, s.y)
        for c in range(n):
            for i in range(ROWS):
                out.velocity[c, i] = s.y[ROWS * c + i] / (s.length[c] if i >= 3 else 1.0)
    return lowest


@njit(nogil=True, **INLINE)
def to_end(bodies, options, s, position, orientation, velocity, turning):
    """Finish the step with the new velocities, as MoreauJean._to_end."""
    theta, h, b = options.theta, options.h, bodies.number
    for k in range(3):
        position[b, k] = s.middle[b, k] + theta * h * s.end[b, k]
        velocity[b, k] = s.end[b, k]
        s.spin[b, k] = theta * s.end[b, 3 + k] + (1.0 - theta) * s.start[b, 3 + k]
        turning[b, k] = s.end[b, 3 + k]
    if options.midpoint:
        midpoint_end(bodies.free, h, s.turned, s.end, orientation, turning)
        return
    rotate(bodies.free, s.spin, h, orientation)
    if not options.isotropic:
        angular_momentum(bodies.inverse_mass, bodies.inertia, s.turned, turning, s.momentum)
        world_inverse_inertia(orientation, bodies.inverse, bodies.round, s.world)
        angular_velocity(bodies.inverse_mass, s.world, s.momentum, s.end)
        for k in range(3):
            turning[b, k] = s.end[b, 3 + k]


@njit(nogil=True, **JIT)
def advance(
    find, out, spare_out, bodies, laws, options, s, position, orientation, velocity, turning, old_key, old_impulse, known,
    total, steps, report, energy,
):  # fmt: skip
    """Do up to `steps` steps, in place; returns how many it did and how many contacts the last one had.

    find, out, spare_out, bodies, laws, options, s: see `trundle.step.compiled`; `out` has the contacts of the last step, with
    its relative velocities.  old_key (N,), old_impulse (N, 6): memory, of which the first `known` rows count.  total: energy
    at the beginning [J].  report (S, 4): contacts, residual, sweeps, smallest gap; energy (S, 7): see the columns.
    """
    for number in range(steps):
        speed = to_middle(bodies, options, s, position, orientation, velocity, turning)
        if options.h * speed > options.fast:
            return number, known
        n = find_contacts(find, options.h, bodies.gravity, s.middle, s.turned, velocity, s.spin, out)
        for c in range(n):
            if out.gap[c] < -options.deep:
                return number, known
        if n < 0 or not set_up(find, out, n, bodies, laws, options, s, old_key, old_impulse, known):
            return number, known
        residual, sweeps = solve_problem(out, n, bodies, laws, options, s)
        if sweeps < 0 or not np.isfinite(s.end[bodies.number].sum()):
            return number, known
        report[number, 3] = keep(out, n, number == steps - 1, s, old_key, old_impulse)
        known = n
        row = energy[number]
        row[:] = 0.0
        for i in range(position.shape[0]):
            for k in range(6):
                s.mean[i, k] = 0.5 * (s.start[i, k] + s.end[i, k])
        losses(n, out.body, s.frame, s.arm, s.length, s.none, s.mean, s.p, s.y, row)
        if options.viscous:
            row[ROLLING] += damping_loss(
                laws.viscosity, options.h, out.law[:n], out.body[:n], s.frame, s.touching, s.mean, s.end
            )
        to_end(bodies, options, s, position, orientation, velocity, turning)
        take_back(
            find, spare_out if options.corrects else out, bodies, n, options.corrects, s.frame, s.arm, s.uses, s.world, position,
            orientation, velocity, turning, (s.wanted, s.push, s.shift),
        )  # fmt: skip
        row[KINETIC] = kinetic_energy(bodies.movable, bodies.mass, bodies.inertia, orientation, velocity, turning)
        row[POTENTIAL] = potential_energy(bodies.number, bodies.mass, bodies.gravity, position)
        after = row[KINETIC] + row[POTENTIAL]
        row[SCHEME] = total - after - row[SLIDING] - row[ROLLING] - row[SPINNING] - row[IMPACT]
        total = after
        report[number, 0] = n
        report[number, 1] = residual
        report[number, 2] = sweeps
    return steps, known
