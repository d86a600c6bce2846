"""What `kernels.grains` and `kernels.order` do to all slabs, on several threads, under the same names and to the same bits.

Sums are over slabs, whatever the number of threads; even slabs share no body that moves, nor do odd ones.  The slabs of a
thread are those of its sweeps, share (2, threads + 1): their contacts are in its cache.  Never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit, prange

from trundle.contact.kernels import grains as kernels
from trundle.contact.kernels import order as order_kernels
from trundle.laws.kernels.curves import JIT

THREADS = {**JIT, "nogil": True, "parallel": True}
build_records, natural_square, size_square = kernels.build_records, kernels.natural_square, kernels.size_square
apply_range, slab_losses, rows_range, carry_range = (
    kernels.apply_range, kernels.slab_losses, kernels.rows_range, kernels.carry_range,
)  # fmt: skip
group_slab, find_idle, LANES = order_kernels.group_slab, order_kernels.find_idle, kernels.LANES
ROUNDING = kernels.ROUNDING


@njit(**THREADS)
def find_all_idle(start, key, old_key, old, body, normal, gap, v, h, idle):
    slabs, n = start.shape[0] - 1, key.shape[0]
    for t in prange(slabs):
        find_idle(key, old_key, old, body, normal, gap, v, h, idle, t * n // slabs, (t + 1) * n // slabs)


@njit(**THREADS)
def group_all(start, order, body, inverse_mass, idle, latest, filled, place, groups):
    latest[:] = -1
    half = (groups.shape[0] + 1) // 2
    for t in prange(half):
        groups[t] = group_slab(t, start, order, body, inverse_mass, idle, latest, filled, place)
    for t in prange(half, groups.shape[0]):
        groups[t] = group_slab(t, start, order, body, inverse_mass, idle, latest, filled, place)


@njit(**THREADS)
def build_all(
    order, start, share, contact_body, normal, point, position, gap, law, disks, uses, factor, v, h, relaxed, body, record,
    bound, bound_of, metric,
):  # fmt: skip
    for w in prange(share.shape[1] - 1):
        for k in range(2):
            for t in range(share[k, w], share[k, w + 1]):
                build_records(
                    order, start, contact_body, normal, point, position, gap, law, disks, uses, factor, v, h, relaxed, t, body,
                    record, bound, bound_of, metric,
                )  # fmt: skip


@njit(**THREADS)
def size_of(start, share, order, body, record, law, uses, v):
    parts = np.empty((start.shape[0] - 1, 2))
    for w in prange(share.shape[1] - 1):
        for k in range(2):
            for t in range(share[k, w], share[k, w + 1]):
                part, speed = size_square(order, body, record, law, uses, v, start[t], start[t + 1])
                parts[t, 0] = part
                parts[t, 1] = speed
    total, speeds = 0.0, 0.0
    for t in range(parts.shape[0]):
        total += parts[t, 0]
        speeds += parts[t, 1]
    return math.sqrt(total), ROUNDING * math.sqrt(speeds)


@njit(**THREADS)
def natural_norm(start, share, body, record, bound, bound_of, relaxed, p, v):
    parts = np.empty(start.shape[0] - 1)
    for w in prange(share.shape[1] - 1):
        for k in range(2):
            for t in range(share[k, w], share[k, w + 1]):
                parts[t] = natural_square(body, record, bound, bound_of, relaxed, p, v, start[t], start[t + 1])
    total = 0.0
    for t in range(parts.shape[0]):
        total += parts[t]
    return math.sqrt(total)


@njit(**THREADS)
def apply_impulses(start, share, body, record, p, v):
    for k in range(2):
        for w in prange(share.shape[1] - 1):
            apply_range(body, record, p, v, start[share[k, w]], start[share[k, w + 1]])


@njit(**THREADS)
def losses(start, share, body, record, p, mean, parts):
    for w in prange(share.shape[1] - 1):
        for k in range(2):
            for t in range(share[k, w], share[k, w + 1]):
                slab_losses(body, record, p, mean, start[t], start[t + 1], parts[t])


@njit(**THREADS)
def in_rows(start, share, order, p, out):
    for w in prange(share.shape[1] - 1):
        for k in range(2):
            rows_range(order, p, LANES * start[share[k, w]], LANES * start[share[k, w + 1]], out)


@njit(**THREADS)
def carry_over(start, share, key, old_key, old, normal, place, p):
    threads, n = share.shape[1] - 1, key.shape[0]
    for w in prange(threads):
        for k in range(2):
            p[start[share[k, w]] : start[share[k, w + 1]]] = 0.0
    for w in prange(threads):
        carry_range(key, old_key, old, normal, place, p, w * n // threads, (w + 1) * n // threads)
