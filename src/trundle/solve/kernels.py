"""Sweeps of the Gauss-Seidel family, compiled, on flat arrays in scaled units.

The local step is decoupled in a block metric: r_n <- max(0, r_n - u_n / W_nn), then each friction block is projected
onto r_n C after a step with its own diagonal block.  Its fixed points are exactly the solutions of the contact problem.

Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.contact.kernels import contact_velocity, correct, velocity
from trundle.laws.curves import JIT
from trundle.laws.kernels import BLOCK, DISK, FIRST, FREE, HEAD, KIND, ROW, SIZE, block_norm, project_contact, section

DECOUPLED, COUPLED = 0, 1


@njit(**JIT)
def add_column(contact, data, at, c, column, delta, y):
    """y_c += W_cc[:, column] delta, at: start of the diagonal block."""
    row = contact[c, ROW]
    d = contact[c + 1, ROW] - row
    for i in range(d):
        y[row + i] += data[at + i * d + column] * delta


@njit(**JIT)
def friction_step(contact, block, coef, own, weight, step, inverse, inverse_at, data, at, c, b, r, omega, p, y, work):
    """One block: the impulse that stops its velocity if r C holds it, otherwise a projected step; updates y_c.

    Returns the squared change, in units of velocity.
    """
    row = contact[c, ROW]
    first = block[b, FIRST]
    size = block[b, SIZE]
    kind = block[b, KIND]
    base = inverse_at[b]
    moving = False
    for i in range(size):
        total = 0.0
        for j in range(size):
            total += inverse[base + i * size + j] * y[first + j]
        work[first + i] = p[first + i] - omega * total
    if kind == DISK:
        moving = block_norm(work, first, size) > coef[b, 0] * r
    elif kind != FREE:
        for i in range(size):
            work[first + i] = p[first + i] - step[b] * weight[first + i] * y[first + i]
        section(block, coef, own, b, 0, work, r, work, np.nan)
    if moving:
        for i in range(size):
            work[first + i] = p[first + i] - omega * step[b] * weight[first + i] * y[first + i]
        norm = block_norm(work, first, size)
        radius = coef[b, 0] * r
        if norm > radius:
            for i in range(size):
                work[first + i] *= radius / norm
    change = 0.0
    for i in range(size):
        delta = work[first + i] - p[first + i]
        if delta != 0.0:
            p[first + i] = work[first + i]
            change += delta * delta
            add_column(contact, data, at, c, first + i - row, delta, y)
    return change / (step[b] * step[b])


@njit(nogil=True, **JIT)
def sweep(
    contact, block, coef, own, weight, ptr, col, start, data, diagonal, q,
    rho, step, inverse, inverse_at, omega, local, relaxed, p, y, work,
):  # fmt: skip
    """One Gauss-Seidel sweep over all contacts, in place.  Returns the norm of the change in units of velocity."""
    total = 0.0
    for c in range(contact.shape[0] - 1):
        contact_velocity(contact, ptr, col, start, data, q, p, c, y)
        row = contact[c, ROW]
        end = contact[c + 1, ROW]
        if local == COUPLED and contact[c, HEAD] == 1:
            correct(contact, block, coef, own, weight, relaxed, c, y, work)
            for i in range(row, end):
                y[i] = p[i] - omega * rho[c] * work[i]
            project_contact(contact, block, coef, own, c, 0, y, work)
            for i in range(row, end):
                total += ((work[i] - p[i]) / rho[c]) ** 2
                p[i] = work[i]
            continue
        at = start[diagonal[c]]
        r = 1.0
        if contact[c, HEAD] == 1:
            W_nn = data[at]
            r = max(0.0, p[row] - omega * y[row] / W_nn) if W_nn > 0.0 else max(0.0, p[row] - rho[c] * y[row])
            delta = r - p[row]
            if delta != 0.0:
                p[row] = r
                total += (delta / rho[c]) ** 2
                add_column(contact, data, at, c, 0, delta, y)
            if r == 0.0:  # friction without load: nothing left to carry
                for i in range(row + 1, end):
                    total += (p[i] / rho[c]) ** 2
                    p[i] = 0.0
                continue
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            total += friction_step(
                contact, block, coef, own, weight, step, inverse, inverse_at, data, at, c, b, r, omega, p, y, work
            )
    return math.sqrt(total)


@njit(nogil=True, **JIT)
def gauss_seidel(
    contact, block, coef, own, weight, ptr, col, start, data, diagonal, q,
    rho, step, inverse, inverse_at, omega, local, relaxed, p, y, work, sweeps,
):  # fmt: skip
    """Plain sweeps; returns the size of the last change."""
    change = 0.0
    for _ in range(sweeps):
        change = sweep(
            contact, block, coef, own, weight, ptr, col, start, data, diagonal, q,
            rho, step, inverse, inverse_at, omega, local, relaxed, p, y, work,
        )  # fmt: skip
    return change


@njit(nogil=True, **JIT)
def nesterov(
    contact, block, coef, own, weight, ptr, col, start, data, diagonal, q,
    rho, step, inverse, inverse_at, omega, local, relaxed, p, y, work, sweeps, z, state,
):  # fmt: skip
    """Sweeps with Nesterov's momentum.  state: theta, best change since the restart, growth that restarts.

    Restarts when the change turns against the momentum, or grows: with the first rule alone it can blow up.
    """
    change = 0.0
    m = p.shape[0]
    for _ in range(sweeps):
        # z is the extrapolated point; the sweep turns it into the next iterate
        for i in range(m):
            work[m + i] = z[i]
        change = sweep(
            contact, block, coef, own, weight, ptr, col, start, data, diagonal, q,
            rho, step, inverse, inverse_at, omega, local, relaxed, z, y, work,
        )  # fmt: skip
        against = 0.0
        for i in range(m):
            against += (work[m + i] - z[i]) * (z[i] - p[i])
        restart = against > 0.0 or change > state[2] * state[1]
        state[1] = min(state[1], change)
        if restart:
            state[0] = 1.0
            state[1] = np.inf if change > state[2] * state[1] else change
        theta = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * state[0] * state[0]))
        beta = 0.0 if restart else (state[0] - 1.0) / theta
        state[0] = theta if not restart else 1.0
        for i in range(m):
            moved = z[i]
            z[i] = moved + beta * (moved - p[i])
            p[i] = moved
    return change


@njit(nogil=True, **JIT)
def separate_projections(contact, block, coef, own, weight, ptr, col, start, data, q, rho, step, p, y, out, count):
    """Le Saux, Leine & Glocker (2005), eq. (3.7): all directions at once, each with its own projection and step."""
    for _ in range(count):
        velocity(contact, ptr, col, start, data, q, p, y)
        for c in range(contact.shape[0] - 1):
            r = 1.0
            if contact[c, HEAD] == 1:
                row = contact[c, ROW]
                r = max(0.0, p[row] - rho[c] * y[row])
                p[row] = r
            for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
                first = block[b, FIRST]
                for i in range(first, first + block[b, SIZE]):
                    y[i] = p[i] - step[b] * weight[i] * y[i]
                section(block, coef, own, b, 0, y, r, out, np.nan)
                for i in range(first, first + block[b, SIZE]):
                    p[i] = out[i]
