"""Gauss-Seidel sweeps whose one-contact problems are solved by the projected fixed point, compiled.

Acary & Bourrier (2021), eqs. (64), (66), (67): at every contact p <- proj_K(p - rho (y + g(y))), y = W_cc p + q_c, until it
stays, with a self-adaptive rho.  Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

from numba import njit

from trundle.contact.kernels.natural import contact_velocity, correct
from trundle.laws.kernels.curves import JIT
from trundle.laws.kernels.sections import BLOCK, HEAD, ROW, project_contact
from trundle.solve.kernels.sweeps import friction_step

# steps shrink by SHRINK until rho |F(p~) - F(p)| <= RATIO |p~ - p|, and grow where they are below LOW of it
RATIO, LOW, SHRINK = 0.9, 0.3, 2.0 / 3.0
SMALLEST = 1e-300


@njit(**JIT)
def add_own(data, at, row, end, x, out):
    """out += W_cc x on the rows of one contact."""
    d = end - row
    for i in range(d):
        total = 0.0
        for j in range(d):
            total += data[at + i * d + j] * x[row + j]
        out[row + i] += total


@njit(**JIT)
def fixed_point_contact(
    contact, block, coef, own, weight, data, at, relaxed, c, rho, most, share, floor, p, y, room
):  # fmt: skip
    """Solve the problem of contact c, y: its velocity at p.  Returns the square of the change in units of velocity.

    rho (C,) is adapted; most: iterations; share, floor: of the first change, and absolute, at which to stop.
    room (5, m): velocity at no impulse, corrected velocity, trial, its corrected velocity, p at the start.
    """
    row, end = contact[c, ROW], contact[c + 1, ROW]
    rest, slope, trial, there, start = room[0], room[1], room[2], room[3], room[4]
    for i in range(row, end):
        start[i] = p[i]
        rest[i] = 0.0
    add_own(data, at, row, end, p, rest)
    for i in range(row, end):
        rest[i] = y[i] - rest[i]
    correct(contact, block, coef, own, weight, relaxed, c, y, slope)
    goal = floor
    for k in range(most):
        for i in range(row, end):
            there[i] = p[i] - rho[c] * slope[i]
        project_contact(contact, block, coef, own, c, 0, there, trial)
        moved = 0.0
        for i in range(row, end):
            moved += (trial[i] - p[i]) ** 2
            y[i] = rest[i]
        moved = math.sqrt(moved)
        if moved <= SMALLEST:
            break
        add_own(data, at, row, end, trial, y)
        correct(contact, block, coef, own, weight, relaxed, c, y, there)
        turned = 0.0
        for i in range(row, end):
            turned += (there[i] - slope[i]) ** 2
        ratio = rho[c] * math.sqrt(turned) / moved
        if ratio > RATIO and rho[c] > SMALLEST:
            rho[c] *= SHRINK * min(1.0, 1.0 / ratio)
            continue
        change = moved / rho[c]
        for i in range(row, end):
            p[i] = trial[i]
            slope[i] = there[i]
        if ratio < LOW:
            rho[c] /= SHRINK
        if k == 0:
            goal = max(floor, share * change)
        if change <= goal:
            break
    total = 0.0
    for i in range(row, end):
        total += (p[i] - start[i]) ** 2
    return total


@njit(nogil=True, **JIT)
def fixed_point_sweeps(
    contact, block, coef, own, weight, ptr, col, start, data, diagonal, q, unit, step, inverse, inverse_at, relaxed,
    most, share, rho, p, y, room, sweeps, goal,
):  # fmt: skip
    """Sweeps over all contacts, until one changes less than the goal; returns how many.

    unit (C,): steps in which changes are measured; rho (C,): those of the fixed points, kept from sweep to sweep.
    """
    contacts = contact.shape[0] - 1
    floor = 0.1 * goal / math.sqrt(max(contacts, 1))
    for done in range(1, sweeps + 1):
        total = 0.0
        for c in range(contacts):
            contact_velocity(contact, ptr, col, start, data, q, p, c, y)
            at = start[diagonal[c]]
            if contact[c, HEAD] == 1:
                total += (
                    fixed_point_contact(
                        contact, block, coef, own, weight, data, at, relaxed, c, rho, most, share, floor, p, y, room
                    )
                    / unit[c] ** 2
                )
                continue
            for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
                total += friction_step(
                    contact, block, coef, own, weight, step, inverse, inverse_at, data, at, c, b, 1.0, 1.0, p, y, room[0]
                )  # fmt: skip
        if math.sqrt(total) <= goal:
            return done
    return sweeps
