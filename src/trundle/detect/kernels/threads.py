"""Contact detection for spheres in numbers on several threads: the same contacts in the same order; never raises."""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from trundle.detect.kernels import contacts as kernels
from trundle.kernels.rotations import JIT

THREADS = {**JIT, "nogil": True, "parallel": True}
some_pairs, gather_range = kernels.sphere_pairs, kernels.gather_range


@njit(**THREADS)
def sphere_pairs(threads, pairs, pair_count, packed, count, whole, real):
    """As `kernels.sphere_pairs` for all pairs: every thread fills a part of the buffers, then the parts are joined."""
    room = (whole.shape[0] - count) // threads
    found = np.zeros(threads, np.int64)
    for w in prange(threads):
        begin = count + w * room
        found[w] = some_pairs(
            pairs, w * pair_count // threads, (w + 1) * pair_count // threads, packed, 0, whole[begin : begin + room],
            real[begin : begin + room],
        )  # fmt: skip
    most = 0
    for w in range(threads):
        most = max(most, found[w])
    if most > room:
        return count + threads * (most + 1)  # too small for one of them: more than there is
    end = count
    for w in range(threads):
        begin = count + w * room
        if end != begin:
            for k in range(found[w]):
                for i in range(whole.shape[1]):
                    whole[end + k, i] = whole[begin + k, i]
                for i in range(real.shape[1]):
                    real[end + k, i] = real[begin + k, i]
        end += found[w]
    return end


@njit(**THREADS)
def gather(
    threads, order, whole, real, features, surface, zone_of, zone, pair, body, point, normal, gap, radius, law, key
):  # fmt: skip
    """As `kernels.gather`."""
    n = order.shape[0]
    missing = np.empty(threads, np.int64)
    for w in prange(threads):
        missing[w] = gather_range(
            order, w * n // threads, (w + 1) * n // threads, whole, real, features, surface, zone_of, zone, pair, body,
            point, normal, gap, radius, law, key,
        )  # fmt: skip
    for w in range(threads):
        if missing[w] >= 0:
            return missing[w]
    return -1
