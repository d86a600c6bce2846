"""Sweeps of the Gauss-Seidel family, compiled, on flat arrays in scaled units.

The local step is decoupled in a block metric: r_n <- max(0, r_n - u_n / W_nn), then each friction block is projected
onto r_n C after a step with its own diagonal block.  Its fixed points are exactly the solutions of the contact problem.

Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.contact.kernels.natural import contact_velocity, correct, velocity
from trundle.laws.kernels.curves import INLINE, JIT
from trundle.laws.kernels.own import borrow, own_place
from trundle.laws.kernels.sections import (
    BLOCK,
    DISK,
    FIRST,
    FREE,
    HEAD,
    KIND,
    LAW,
    OWN,
    PLAIN,
    ROW,
    SIZE,
    project_contact,
    section,
)

DECOUPLED, COUPLED = 0, 1


@njit(**INLINE)
def disk_step(contact, block, coef, weight, step, inverse, inverse_at, data, at, c, b, r, omega, p, y):
    """As `friction_step` for a disk or interval, written out: most contacts have nothing else.

    Of y_c only the rows of the blocks that follow are brought up to date; the others are not read any more.
    Returns the squared change, in units of velocity.
    """
    row = contact[c, ROW]
    end = contact[c + 1, ROW]
    d = end - row
    first = block[b, FIRST]
    base = inverse_at[b]
    radius = coef[b, 0] * r
    share = omega * step[b]
    if block[b, SIZE] == 1:
        x = p[first] - omega * inverse[base] * y[first]
        if abs(x) > radius:
            x = min(max(p[first] - share * weight[first] * y[first], -radius), radius)
        delta = x - p[first]
        p[first] = x
        for i in range(first + 1, end):
            y[i] += data[at + (i - row) * d + first - row] * delta
        return (delta / step[b]) ** 2
    y0, y1 = y[first], y[first + 1]
    x0 = p[first] - omega * (inverse[base] * y0 + inverse[base + 1] * y1)
    x1 = p[first + 1] - omega * (inverse[base + 2] * y0 + inverse[base + 3] * y1)
    square = radius * radius
    if x0 * x0 + x1 * x1 > square:
        x0 = p[first] - share * weight[first] * y0
        x1 = p[first + 1] - share * weight[first + 1] * y1
        norm = x0 * x0 + x1 * x1
        if norm > square:
            back = radius / math.sqrt(norm)
            x0 *= back
            x1 *= back
    d0 = x0 - p[first]
    d1 = x1 - p[first + 1]
    p[first] = x0
    p[first + 1] = x1
    for i in range(first + 2, end):
        line = at + (i - row) * d + first - row
        y[i] += data[line] * d0 + data[line + 1] * d1
    return (d0 * d0 + d1 * d1) / (step[b] * step[b])


@njit(**INLINE)
def friction_step(contact, block, coef, own, weight, step, inverse, inverse_at, data, at, c, b, r, omega, p, y, work):
    """One block: the impulse that stops its velocity if r C holds it, otherwise a projected step; updates y_c.

    Returns the squared change, in units of velocity.
    """
    kind = block[b, KIND]
    if kind == DISK:
        return disk_step(contact, block, coef, weight, step, inverse, inverse_at, data, at, c, b, r, omega, p, y)
    row = contact[c, ROW]
    end = contact[c + 1, ROW]
    first = block[b, FIRST]
    size = block[b, SIZE]
    if kind == FREE:
        for i in range(size):
            total = 0.0
            for j in range(size):
                total += inverse[inverse_at[b] + i * size + j] * y[first + j]
            work[first + i] = p[first + i] - omega * total
    else:
        work[first] = p[first] - step[b] * weight[first] * y[first]
        if size > 1:  # written out: a short loop would be vectorised, at a loss
            work[first + 1] = p[first + 1] - step[b] * weight[first + 1] * y[first + 1]
        if size > 2:
            for i in range(first + 2, first + size):
                work[i] = p[i] - step[b] * weight[i] * y[i]
        if kind == OWN:
            own_place(own, block[b, LAW], coef, b, work, first, size, r)
        else:
            section(block, coef, own, b, 0, work, r, work, np.nan)
    change = 0.0
    for j in range(first, first + size):
        delta = work[j] - p[j]
        p[j] = work[j]
        change += delta * delta
        for i in range(first + size, end):
            y[i] += data[at + (i - row) * (end - row) + j - row] * delta
    return change / (step[b] * step[b])


@njit(**INLINE)
def sweep_borrowed(
    contact, block, coef, own, weight, ptr, col, start, data, diagonal, q,
    rho, step, inverse, inverse_at, omega, local, relaxed, p, y, work,
):  # fmt: skip
    """See `sweep`."""
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
                for i in range(row + 1, end):
                    y[i] += data[at + (i - row) * (end - row)] * delta
            if r == 0.0:  # friction without load: nothing left to carry
                for i in range(row + 1, end):
                    total += (p[i] / rho[c]) ** 2
                    p[i] = 0.0
                continue
        if contact[c, PLAIN] == 1:
            for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
                total += disk_step(
                    contact, block, coef, weight, step, inverse, inverse_at, data, at, c, b, r, omega, p, y
                )
            continue
        for b in range(contact[c, BLOCK], contact[c + 1, BLOCK]):
            total += friction_step(
                contact, block, coef, own, weight, step, inverse, inverse_at, data, at, c, b, r, omega, p, y, work
            )
    return math.sqrt(total)


@njit(nogil=True, **JIT)
def sweep(
    contact, block, coef, own, weight, ptr, col, start, data, diagonal, q,
    rho, step, inverse, inverse_at, omega, local, relaxed, p, y, work,
):  # fmt: skip
    """One Gauss-Seidel sweep over all contacts, in place.  Returns the norm of the change in units of velocity."""
    return sweep_borrowed(
        borrow(contact), borrow(block), borrow(coef), borrow(own), borrow(weight), borrow(ptr), borrow(col),
        borrow(start), borrow(data), borrow(diagonal), borrow(q), borrow(rho), borrow(step), borrow(inverse),
        borrow(inverse_at), omega, local, relaxed, borrow(p), borrow(y), borrow(work),
    )  # fmt: skip


@njit(nogil=True, **JIT)
def gauss_seidel(
    contact, block, coef, own, weight, ptr, col, start, data, diagonal, q,
    rho, step, inverse, inverse_at, omega, local, relaxed, p, y, work, sweeps, goal,
):  # fmt: skip
    """Plain sweeps, until one changes less than the goal; returns how many."""
    for done in range(1, sweeps + 1):
        change = sweep(
            contact, block, coef, own, weight, ptr, col, start, data, diagonal, q,
            rho, step, inverse, inverse_at, omega, local, relaxed, p, y, work,
        )  # fmt: skip
        if change <= goal:
            return done
    return sweeps


@njit(nogil=True, **JIT)
def nesterov(
    contact, block, coef, own, weight, ptr, col, start, data, diagonal, q,
    rho, step, inverse, inverse_at, omega, local, relaxed, p, y, work, sweeps, goal, z, state,
):  # fmt: skip
    """Sweeps with Nesterov's momentum, until one changes less than the goal; returns how many.

    state: theta, best change since the restart, growth that restarts.  Restarts when the change turns against the
    momentum, or grows: with the first rule alone it can blow up.
    """
    m = p.shape[0]
    for done in range(1, sweeps + 1):
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
        if change <= goal:
            return done
    return sweeps


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
