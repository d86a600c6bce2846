"""Stages for spheres in numbers on several threads: the same contacts in the same order; never raises."""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from trundle.detect.kernels import places as P
from trundle.detect.kernels.contacts import gather_range, sphere_pairs
from trundle.detect.kernels.stages import pack_all_spheres
from trundle.kernels.rotations import JIT
from trundle.kernels.space import real1, real2, whole1, whole2

THREADS = {**JIT, "nogil": True, "parallel": True}


@njit(**THREADS)
def touch_spheres(threads, at):
    """As `stages.touch_spheres`: every thread fills a part of the buffers, then the parts are joined."""
    numbers, packed, pairs = whole1(at, P.NUMBERS), real2(at, P.ROOM_PACKED), whole2(at, P.NEAR_PAIRS)
    whole, real, pair_count, count = whole2(at, P.FOUND), real2(at, P.FOUND_REAL), numbers[P.NEAR], numbers[P.COUNT]
    pack_all_spheres(at)
    room = max(0, whole.shape[0] - count) // threads
    found = np.zeros(threads, np.int64)
    for w in prange(threads):
        begin = count + w * room
        found[w] = sphere_pairs(
            pairs, w * pair_count // threads, (w + 1) * pair_count // threads, packed, 0, whole[begin : begin + room],
            real[begin : begin + room],
        )  # fmt: skip
    most = 0
    for w in range(threads):
        most = max(most, found[w])
    if most > room:  # too small for one of them: more than there is
        numbers[P.COUNT] = count + threads * (most + 1)
        return
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
    numbers[P.COUNT] = end


@njit(**THREADS)
def gather_contacts(threads, at):
    """As `stages.gather_contacts`, without pushes: the first contact that has no law, or -1."""
    order, whole, real = whole1(at, P.ORDER), whole2(at, P.FOUND), real2(at, P.FOUND_REAL)
    surface, zone_of, zone, pair = (
        whole1(at, P.LIST_SURFACE), whole1(at, P.LIST_ZONE_OF), whole1(at, P.LIST_ZONE), whole2(at, P.LIST_PAIR)
    )  # fmt: skip
    body, point, normal, gap = whole2(at, P.BODY), real2(at, P.POINT), real2(at, P.NORMAL), real1(at, P.GAP)
    radius, law, key = real2(at, P.RADIUS), whole1(at, P.LAW), whole1(at, P.KEY)
    n, features = whole1(at, P.NUMBERS)[P.CONTACTS], whole1(at, P.NUMBERS)[P.FEATURES]
    missing = np.empty(threads, np.int64)
    for w in prange(threads):
        missing[w] = gather_range(
            order, w * n // threads, (w + 1) * n // threads, whole, real, features, surface, zone_of, zone, pair, body, point,
            normal, gap, radius, law, key,
        )  # fmt: skip
    for w in range(threads):
        if missing[w] >= 0:
            return missing[w]
    return -1
