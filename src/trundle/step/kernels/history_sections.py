"""Friction of one contact with any law, compiled: elastic loads return to the law's section C.

Fang & Negrut (2020), section 3, with the law's convex set in place of disks.  Everything takes floats, tuples and arrays
only, and never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import JIT
from trundle.laws.kernels.curves import SUPERELLIPSE
from trundle.laws.kernels.sections import DIAMOND, section
from trundle.step.kernels.history import INLINE, MODE, ROLL_A, ROLL_B, SLIDE, SPIN
from trundle.step.kernels.history_loads import kept


@njit(**JIT)
def workspace(coef):
    """Arrays that `respond_section` writes to: stiffness, load, scaled load, result (6 rows each), coefficients."""
    return np.zeros(6), np.zeros(6), np.zeros(6), np.zeros(6), np.zeros_like(coef)


@njit(**JIT)
def bits_of(first, last):
    """Modes (bits of a contact's memory) that a block of rows first .. last belongs to."""
    bits = 0
    if first <= 2:
        bits |= 1
    if first <= 3 and last >= 3:
        bits |= 8
    if last >= 4:
        bits |= 4
    return bits


@njit(**JIT)
def set_coefficients(laws, l, b, bits, scale, mu_r, mu_s, coef_out):
    """Coefficients of block b at this contact: lengths times `scale`, moments by the materials, rows by their weights."""
    block, coef, lengths, weight = laws[2], laws[3], laws[5], laws[6]
    first, size = block[b, 1], block[b, 2]
    for k in range(coef.shape[1]):
        coef_out[b, k] = coef[b, k] * scale if lengths[b, k] else coef[b, k]
    if bits == 8:
        coef_out[b, 0] = mu_s
    elif bits == 4 and size == 2 and block[b, 0] == 1:
        coef_out[b, 0] = mu_r
    if block[b, 0] == SUPERELLIPSE or block[b, 0] == DIAMOND:
        coef_out[b, 0] *= math.sqrt(weight[l, first])
        coef_out[b, 1] *= math.sqrt(weight[l, first + 1])


@njit(**JIT)
def return_blocks(laws, work, l, size_of, bound, N, mode, mu_r, mu_s):
    """Return the elastic loads (6 rows, on the second body) to the law's section, block by block.

    size_of: factor on the law's lengths; bound: static over kinetic friction, for what sticks so far.
    The closest point is taken in the metric of the springs, that of plastic flow: rows are scaled by the square root
    of the factors on the velocity (non-associated laws), and moments in a block with forces by a length.
    Returns the mode, and what sliding, rolling and spinning lost [J].
    """
    start, count, block, own, weight = laws[0], laws[1], laws[2], laws[4], laws[6]
    K, x, scaled, out, coef_out = work
    slid, rolled, spun = 0.0, 0.0, 0.0
    for b in range(start[l], start[l] + count[l]):
        first = block[b, 1]
        last = first + block[b, 2] - 1
        bits = bits_of(first, last)
        mixed = first <= 2 and last >= 3
        length = math.sqrt((K[3] if bits & 8 else K[4]) / K[1]) if mixed else 1.0
        set_coefficients(laws, l, b, bits, size_of / length, mu_r, mu_s, coef_out)
        largest = 0.0
        for i in range(first, last + 1):
            scaled[i] = x[i] * math.sqrt(weight[l, i]) / (length if mixed and i >= 3 else 1.0)
            largest = max(largest, abs(scaled[i]))
        section(block, coef_out, own, b, 0, scaled, N if mode & bits != 0 else bound * N, out, np.nan)
        moved = 0.0
        for i in range(first, last + 1):
            moved = max(moved, abs(out[i] - scaled[i]))
        mode = mode | bits if moved > 1e-13 * largest else mode & ~bits
        for i in range(first, last + 1):
            value = out[i] / math.sqrt(weight[l, i]) * (length if mixed and i >= 3 else 1.0)
            lost = value * (x[i] - value) / K[i] if K[i] > 0.0 else 0.0
            x[i] = value
            if i <= 2:
                slid += lost
            elif i == 3:
                spun += lost
            else:
                rolled += lost
    return mode, slid, rolled, spun


@njit(**INLINE)
def put_rows(x, uses, l, t, fu, fw, torque, mu, mw):
    """Loads on the tangents u, w as rows t1, t2, s, r1, r2 of the law's frame, whose first tangent is t[0] u + t[1] w."""
    x[1], x[2] = t[0] * fu + t[1] * fw, t[0] * fw - t[1] * fu
    x[3] = torque
    x[4], x[5] = t[0] * mu + t[1] * mw, t[0] * mw - t[1] * mu
    for i in range(1, 6):
        if not uses[l, i]:
            x[i] = 0.0


@njit(**INLINE)
def from_rows(x, t):
    """The inverse of `put_rows`."""
    return (
        t[0] * x[1] - t[1] * x[2], t[1] * x[1] + t[0] * x[2], x[3], t[0] * x[4] - t[1] * x[5], t[1] * x[4] + t[0] * x[5]
    )  # fmt: skip


@njit(**JIT)
def respond_section(laws, work, l, size_of, K, C, N, mu_r, mu_s, static, limited, old, mode, moved, t):
    """As `history_loads.respond`, for any law; t: first tangent of the law's frame on u and w."""
    uses = laws[7]
    stiff, x = work[0], work[1]
    slide, roll, spin = K
    du, dw, au, aw, bu, bw, psi = moved
    bu, bw = bu + au, bw + aw
    stiff[1] = stiff[2] = slide
    stiff[3] = spin
    stiff[4] = stiff[5] = roll
    x[0] = N
    # torque on the second body -K n x Theta
    ru, rw = old[4] + bu, old[5] + bw
    put_rows(
        x, uses, l, t, -slide * (old[0] + du), -slide * (old[1] + dw), -spin * (old[6] + psi), roll * rw, -roll * ru
    )
    mode, slid, rolled, spun = return_blocks(laws, work, l, size_of, static, N, mode, mu_r, mu_s)
    stored = 0.0
    for i in range(1, 6):
        if stiff[i] > 0.0:
            stored += 0.5 * x[i] * x[i] / stiff[i]
    fu, fw, torque, mu, mw = from_rows(x, t)
    ru, rw = (-mw / roll, mu / roll) if roll > 0.0 else (old[4], old[5])
    twist = -torque / spin if spin > 0.0 else old[6]
    new = (-fu / slide, -fw / slide, old[2], old[3], ru, rw, twist)
    # dashpots of what sticks
    c_t = C[0] if mode & 1 == 0 else 0.0
    c_r = C[1] if mode & 4 == 0 else 0.0
    c_s = C[2] if mode & 8 == 0 else 0.0
    put_rows(x, uses, l, t, fu - c_t * du, fw - c_t * dw, torque - c_s * psi, mu + c_r * bw, mw - c_r * bu)
    if limited:
        return_blocks(laws, work, l, size_of, static, N, 0, mu_r, mu_s)
    gu, gw, all_torque, gmu, gmw = from_rows(x, t)
    slid -= (gu - fu) * du + (gw - fw) * dw
    spun -= (all_torque - torque) * psi
    rolled -= (gmw - mw) * bu - (gmu - mu) * bw
    loads = (gu, gw, all_torque, gmu, gmw, -gmu, -gmw)
    return loads, new, mode, (stored, slid, rolled, spun)


@njit(**INLINE)
def deflections_of(record, c):
    """The deflections of a contact, 7 numbers."""
    return (
        record[c, SLIDE], record[c, SLIDE + 1], record[c, ROLL_A], record[c, ROLL_A + 1], record[c, ROLL_B],
        record[c, ROLL_B + 1], record[c, SPIN],
    )  # fmt: skip


@njit(**INLINE)
def put_deflections(record, c, new, mode):
    """Write the deflections and the mode of a contact."""
    record[c, SLIDE], record[c, SLIDE + 1] = new[0], new[1]
    record[c, ROLL_A], record[c, ROLL_A + 1] = new[2], new[3]
    record[c, ROLL_B], record[c, ROLL_B + 1] = new[4], new[5]
    record[c, SPIN], record[c, MODE] = new[6], mode


@njit(**INLINE)
def restiffened(before, K, old):
    """Deflections `old` where the stiffnesses were `before` and are K now."""
    f_t, f_r, f_s = kept(before[0], K[0]), kept(before[1], K[1]), kept(before[2], K[2])
    return f_t * old[0], f_t * old[1], f_r * old[2], f_r * old[3], f_r * old[4], f_r * old[5], f_s * old[6]


@njit(**INLINE)
def combined(x, u, y, w):
    """x u + y w."""
    return x * u[0] + y * w[0], x * u[1] + y * w[1], x * u[2] + y * w[2]


@njit(**INLINE)
def plus(x, size, n):
    """x + size n."""
    return x[0] + size * n[0], x[1] + size * n[1], x[2] + size * n[2]


@njit(**INLINE)
def in_world(f, u, w, n):
    """Loads of `respond` as vectors of the world frame: force on the second body, pure torques on the first and second."""
    on_a, on_b = plus(combined(f[5], u, f[6], w), -f[2], n), plus(combined(f[3], u, f[4], w), f[2], n)
    return combined(f[0], u, f[1], w), on_a, on_b
