"""Many steps of spheres and fixed planes with history friction, compiled: no Python within.

Everything takes floats, tuples and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import JIT
from trundle.step.kernels.history import (
    CAP_TOTAL,
    ELASTIC,
    GAP,
    GIVEN,
    GIVEN_WORK,
    INLINE,
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
    STEADY,
    STIFFNESS,
    TOUCHES,
    U0,
    begin,
    cross,
    dot,
    follow,
    frame_tangent,
    put_loads,
    put_rotation,
    put_vector,
    rotation_by,
    rotation_of,
    vector_of,
)
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

# columns of what a pair of spheres, or of plane and sphere, keeps from step to step
R_EFF, SIZE, M_EFF, M_MEAN, I_MEAN = 0, 1, 2, 3, 4  # effective and smaller radius, masses, moment of inertia
STIFF, COEFFICIENTS, DASHPOTS = 5, 8, 10  # K_E, K_R, K_psi; mu_r, mu_s; normal, sliding, rolling, spinning
CONSTANTS = 14
STILL = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
# columns of the table of steps
KINETIC, POTENTIAL, SLIDING, ROLLED, SPUN, IMPACT, SCHEME, STORED, EXTERNAL, CONTACTS = range(10)
OVERLAP, ONE, OTHER, WAY = range(10, 14)
TABLE = 14
# what goes on from one call of `run_spheres` to the next: energy before the step [J], way of the step [m], power of the
# loads before it [W], whether a way was too long
ENERGY_BEFORE, WAY_NOW, POWER_BEFORE, TOO_FAST = range(4)


@njit(**JIT)
def pair_constants(body, law, par, radius, mass, inertia, table):
    """Fill a row of `table` (P, CONSTANTS) for every pair of bodies (P, 2); stiffnesses as they are without a patch."""
    for t in range(body.shape[0]):
        a, b, l = body[t, 0], body[t, 1], law[t]
        if l < 0:
            continue
        kappa, size = 1.0 / radius[a] + 1.0 / radius[b], min(radius[a], radius[b])
        if math.isinf(mass[a]):
            m_eff = m_mean = mass[b]
            i_mean = inertia[b]
        elif math.isinf(mass[b]):
            m_eff = m_mean = mass[a]
            i_mean = inertia[a]
        else:
            m_eff = mass[a] * mass[b] / (mass[a] + mass[b])
            m_mean, i_mean = 0.5 * (mass[a] + mass[b]), 0.5 * (inertia[a] + inertia[b])
        table[t, R_EFF], table[t, SIZE], table[t, M_EFF] = 1.0 / kappa, size, m_eff
        table[t, M_MEAN], table[t, I_MEAN] = m_mean, i_mean
        slide, roll, spin, mu_r, mu_s = stiffnesses(par, l, 0.0, kappa, 1.0 / kappa, size)
        put_vector(table, t, STIFF, (slide, roll, spin))
        table[t, COEFFICIENTS], table[t, COEFFICIENTS + 1] = mu_r, mu_s
        for k, c in enumerate(dashpots(par, l, 0.0, slide, roll, spin, m_eff, m_mean, i_mean, i_mean)):
            table[t, DASHPOTS + k] = c


@njit(**JIT)
def patch_constants(par, l, table, t, patch):
    """Stiffnesses, mu_r and mu_s, dashpots of a pair whose springs depend on the radius of the patch [m]."""
    R_eff, m_eff, m_mean, i_mean = table[t, R_EFF], table[t, M_EFF], table[t, M_MEAN], table[t, I_MEAN]
    slide, roll, spin, mu_r, mu_s = stiffnesses(par, l, patch, 1.0 / R_eff, R_eff, table[t, SIZE])
    return (slide, roll, spin), mu_r, mu_s, dashpots(par, l, patch, slide, roll, spin, m_eff, m_mean, i_mean, i_mean)


@njit(**INLINE)
def springs_of(table, t):
    """Row t of the constants: stiffnesses, mu_r, mu_s, dashpots, effective radius."""
    dampers = (table[t, DASHPOTS], table[t, DASHPOTS + 1], table[t, DASHPOTS + 2], table[t, DASHPOTS + 3])
    return vector_of(table, t, STIFF), table[t, COEFFICIENTS], table[t, COEFFICIENTS + 1], dampers, table[t, R_EFF]


@njit(**INLINE)
def difference(array, b, a):
    """Row b minus row a of an array of vectors."""
    return array[b, 0] - array[a, 0], array[b, 1] - array[a, 1], array[b, 2] - array[a, 2]


@njit(**INLINE)
def direction(d):
    """A vector's unit vector and length; the length of 0 is infinite: it has no direction."""
    square = dot(d, d)
    if square == 0.0:
        return d, np.inf
    length = math.sqrt(square)
    each = 1.0 / length
    return (each * d[0], each * d[1], each * d[2]), length


@njit(**INLINE)
def slip(A, B, old, u0, n, far_a, far_b, way):
    """The continued tangents u and w, and what is new in the deflections of a contact (section 2, see `follow`).

    far_a, far_b: distances [m] of the contact point from the centres ; way: of the bodies along each other, for a plane.
    """
    u, psi, alpha, beta, _, _ = follow(A, B, old, u0, n)
    w = cross(n, u)
    au, aw, bu, bw = -dot(alpha, u), -dot(alpha, w), dot(beta, u), dot(beta, w)
    return u, w, (dot(way, u) + far_a * au - far_b * bu, dot(way, w) + far_a * aw - far_b * bw, au, aw, bu, bw, psi)


@njit(**INLINE)
def add_load(load, i, sign, force, arm, lever, torque):
    """Add to body i: sign x force, arm x lever (its torque per length of the arm) and a pure torque."""
    load[i, 0] += sign * force[0]
    load[i, 1] += sign * force[1]
    load[i, 2] += sign * force[2]
    load[i, 3] += arm * lever[0] + torque[0]
    load[i, 4] += arm * lever[1] + torque[1]
    load[i, 5] += arm * lever[2] + torque[2]


@njit(**INLINE)
def half_angle(x, y, z):
    """sin(a / 2) / a and cos(a / 2) of the angle a = |(x, y, z)| [rad]."""
    square = x * x + y * y + z * z
    if square < 1e-4:
        return (
            0.5 - square / 48.0 * (1.0 - square / 80.0), 1.0 - square / 8.0 * (1.0 - square / 48.0 * (1.0 - square / 120.0))
        )  # fmt: skip
    angle = math.sqrt(square)
    return math.sin(0.5 * angle) / angle, math.cos(0.5 * angle)


@njit(**INLINE)
def turn(orientation, i, x, y, z):
    """Turn the quaternion in row i by the rotation vector (x, y, z) [rad] of the world frame, in place."""
    half, c = half_angle(x, y, z)
    x, y, z = half * x, half * y, half * z
    w0, x0, y0, z0 = orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3]
    w1 = c * w0 - x * x0 - y * y0 - z * z0
    x1 = c * x0 + x * w0 + y * z0 - z * y0
    y1 = c * y0 - x * z0 + y * w0 + z * x0
    z1 = c * z0 + x * y0 - y * x0 + z * w0
    norm = 1.0 / math.sqrt(w1 * w1 + x1 * x1 + y1 * y1 + z1 * z1)
    orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3] = (
        w1 * norm,
        x1 * norm,
        y1 * norm,
        z1 * norm,
    )


@njit(**JIT)
def move_spheres(
    free, h, gravity, inverse_mass, inverse_inertia, load, position, orientation, velocity, omega, D, start
):
    """v += h a, x += h v (half-implicit Euler) of all free spheres.

    load (B, 6): forces and torques; D (B, 9): the rotation of this step.  Returns the largest squared distance from
    `start` and the largest way along a coordinate within the step [m].
    """
    farthest, fastest = 0.0, 0.0
    for m in range(free.shape[0]):
        i = free[m]
        distance = 0.0
        for k in range(3):
            velocity[i, k] += h * (load[i, k] * inverse_mass[i] + gravity[k])
            omega[i, k] += h * load[i, 3 + k] * inverse_inertia[i]
            position[i, k] += h * velocity[i, k]
            fastest = max(fastest, abs(velocity[i, k]))
            distance += (position[i, k] - start[i, k]) ** 2
        farthest = max(farthest, distance)
        x, y, z = h * omega[i, 0], h * omega[i, 1], h * omega[i, 2]
        turn(orientation, i, x, y, z)
        put_rotation(D, i, rotation_by(x, y, z))
    return farthest, h * fastest


@njit(**JIT)
def touch_spheres(
    body, law, which, constants, record, par, laws, work, plane_number, normal, offset, radius, position, velocity,
    omega, D, h, load, sums, report, loads,
):  # fmt: skip
    """Loads of all contacts of the list at the end of a step, added to `load`; memories are brought up to date.

    which (C,): row of `constants` of every pair; work: see `workspace`; sums: of this step.  Returns the number of closed
    contacts, the deepest overlap relative to the smaller body, and the number of its pair (-1: none overlaps).
    """
    touching, deepest, worst = 0, 0.0, -1
    slid, rolled, spun, hit, stored, given = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for c in range(body.shape[0]):
        a, b, l, t = body[c, 0], body[c, 1], law[c], which[c]
        plane = plane_number[a]
        if plane >= 0:
            n = vector_of(normal, plane, 0)
            gap = dot(n, vector_of(position, b, 0)) - offset[plane] - radius[b]
        else:
            n, distance = direction(difference(position, b, a))
            gap = distance - radius[a] - radius[b]
        if not gap < par[l, MARGIN]:
            record[c, TOUCHES] = 0.0
            continue
        if -gap > deepest * constants[t, SIZE]:
            deepest, worst = -gap / constants[t, SIZE], c
        v = difference(velocity, b, a)
        u_n = dot(n, v)
        K, mu_r, mu_s, dampers, R_eff = springs_of(constants, t)
        patch = 0.0
        if par[l, STEADY] == 0.0:
            patch = math.sqrt(R_eff * max(-gap, 0.0))
            K, mu_r, mu_s, dampers = patch_constants(par, l, constants, t, patch)
        N, lost, energy = normal_load(par[l, NORMAL], par[l, STIFFNESS], dampers[0], par[l, PULL], gap, u_n, patch)
        hit += h * lost
        stored += energy
        if par[l, NORMAL] == GIVEN:
            given += h * N * u_n
        if record[c, TOUCHES] == 0.0:
            u = begin(record, c, n)
            w, moved = cross(n, u), STILL
        else:
            # geodesics on spheres: angles times the distance of the contact point from the centre; on a plane: its way
            deep, way = 0.5 * record[c, GAP], h if plane >= 0 else 0.0
            u, w, moved = slip(
                rotation_of(D, a), rotation_of(D, b), vector_of(record, c, N0), vector_of(record, c, U0), n,
                0.0 if plane >= 0 else radius[a] + deep, radius[b] + deep, (way * v[0], way * v[1], way * v[2]),
            )  # fmt: skip
        put_vector(record, c, N0, n)
        put_vector(record, c, U0, u)
        record[c, GAP] = gap
        C = (dampers[1] / h, dampers[2] / h, dampers[3] / h)
        old = restiffened(vector_of(record, c, K_SLIDE), K, deflections_of(record, c))
        mode, limited, load_n = int(record[c, MODE]), par[l, CAP_TOTAL] == 1.0, max(N, 0.0)
        if par[l, PLAIN] == 1.0:
            o = difference(omega, b, a)
            f, new, mode, energies = respond(
                (par[l, ROLLING], par[l, SPINNING], par[l, SPEED]), K, C,
                (par[l, MU] * load_n, mu_r * load_n, mu_s * load_n), par[l, STATIC], limited, old, mode, moved,
                (dot(o, u), dot(o, w)), R_eff, h,
            )  # fmt: skip
        else:
            first = frame_tangent(n)
            f, new, mode, energies = respond_section(
                laws, work, l, R_eff if par[l, LENGTHS] == 1.0 else 1.0, K, C, load_n, mu_r, mu_s, par[l, STATIC],
                limited, old, mode, moved, (dot(first, u), dot(first, w)),
            )  # fmt: skip
        put_deflections(record, c, new, mode)
        put_vector(record, c, K_SLIDE, K)
        force, on_a, on_b = in_world(f, u, w, n)
        stored, slid = stored + energies[0], slid + energies[1]
        rolled, spun = rolled + energies[2], spun + energies[3]
        lever, force = cross(force, n), plus(force, N, n)
        add_load(load, b, 1.0, force, radius[b] + 0.5 * gap, lever, on_b)
        if plane < 0:
            add_load(load, a, -1.0, force, radius[a] + 0.5 * gap, lever, on_a)
        if report:
            put_loads(loads, c, gap, force, on_a, on_b)
        touching += 1
    sums[LOST_SLIDING], sums[LOST_ROLLING], sums[LOST_SPINNING] = slid, rolled, spun
    sums[LOST_IMPACT], sums[ELASTIC], sums[GIVEN_WORK] = hit, stored, given
    return touching, deepest, worst


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


@njit(**JIT)
def power(extra, velocity, omega):
    """Power of the loads (B, 6) [W]."""
    total = 0.0
    for i in range(extra.shape[0]):
        for k in range(3):
            total += extra[i, k] * velocity[i, k] + extra[i, 3 + k] * omega[i, k]
    return total


@njit(**JIT)
def put_row(table, k, kinetic, potential, sums, work, going, touching, deepest, one, other):
    """Row k of the table of steps.  work: of the loads [J]; going: see `run_spheres`."""
    now, external = kinetic + potential + sums[ELASTIC], sums[GIVEN_WORK] + work
    table[k, KINETIC], table[k, POTENTIAL], table[k, STORED] = kinetic, potential, sums[ELASTIC]
    table[k, SLIDING], table[k, ROLLED] = sums[LOST_SLIDING], sums[LOST_ROLLING]
    table[k, SPUN], table[k, IMPACT], table[k, EXTERNAL] = sums[LOST_SPINNING], sums[LOST_IMPACT], external
    lost = sums[LOST_SLIDING] + sums[LOST_ROLLING] + sums[LOST_SPINNING] + sums[LOST_IMPACT]
    table[k, SCHEME] = going[ENERGY_BEFORE] + external - now - lost
    table[k, CONTACTS], table[k, OVERLAP], table[k, ONE], table[k, OTHER] = touching, deepest, one, other
    table[k, WAY] = going[WAY_NOW]
    going[ENERGY_BEFORE] = now


@njit(nogil=True, **JIT)
def run_spheres(
    steps, middle, h, limit, fast, gravity, extra, loaded, free, inverse_mass, inverse_inertia, body, law, which,
    constants, record, par, laws, plane_number, normal, offset, radius, mass, inertia, position, orientation, velocity,
    omega, D, begun, load, sums, loads, going, table,
):  # fmt: skip
    """Do up to `steps` steps; stop after the motion of a step whose contacts need a new list of neighbours, and after a step
    in which a sphere moved by more than `fast` [m].

    middle: the motion of the first step has been done already.  limit: squared distance that bodies may move from
    `begun`.  loaded: whether `extra` (B, 6), forces and torques besides gravity, has entries.  sums: losses since the
    start and elastic energy at the end.  loads: of the contacts of the last step.  going: see `ENERGY_BEFORE`.
    table (steps, TABLE): a row for every step.  Returns the number of finished steps.
    """
    work = workspace(laws[3])
    for k in range(steps):
        if not middle:
            if loaded:
                going[POWER_BEFORE] = power(extra, velocity, omega)
            farthest, going[WAY_NOW] = move_spheres(
                free, h, gravity, inverse_mass, inverse_inertia, load, position, orientation, velocity, omega, D, begun
            )
            if not farthest <= limit:  # also where it is not a number
                return k
        middle = False
        too_fast = going[WAY_NOW] > fast
        for i in range(load.shape[0]):
            for j in range(6):
                load[i, j] = extra[i, j]
        sliding, rolling, spinning, impact, given = sums[0], sums[1], sums[2], sums[3], sums[GIVEN_WORK]
        # what one step loses has the same bits whatever was lost before
        touching, deepest, worst = touch_spheres(
            body, law, which, constants, record, par, laws, work, plane_number, normal, offset, radius, position, velocity,
            omega, D, h, load, sums, too_fast or k == steps - 1, loads,
        )  # fmt: skip
        kinetic, potential = energies(free, mass, inertia, gravity, position, velocity, omega)
        done = 0.0
        if loaded:
            done = 0.5 * h * (going[POWER_BEFORE] + power(extra, velocity, omega))
        one, other = -1, -1
        if worst >= 0:
            one, other = body[worst, 0], body[worst, 1]
        put_row(table, k, kinetic, potential, sums, done, going, touching, deepest, one, other)
        sums[0], sums[1], sums[2], sums[3] = sums[0] + sliding, sums[1] + rolling, sums[2] + spinning, sums[3] + impact
        sums[GIVEN_WORK] += given
        if too_fast:
            going[TOO_FAST] = 1.0
            return k + 1
    return steps
