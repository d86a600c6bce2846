"""Stages for compound bodies: contacts are looked for among their parts, which are rows behind the bodies.  Never raise."""

from __future__ import annotations

from trundle.detect.kernels import places as P
from trundle.kernels.space import GO_ON, flag1, real1, real2, real3, whole1, whole2


def place_parts(at):
    """Where the parts are, and how far they reach: with their bodies."""
    owner, place, turn = whole1(at, P.PART_OWNER), real2(at, P.PART_AT), real3(at, P.PART_TURN)
    origin, rows, R = real2(at, P.ORIGIN), real2(at, P.ROW_PLACE), real3(at, P.ROOM_R)
    present, row_present = flag1(at, P.PRESENT), flag1(at, P.ROW_PRESENT)
    reach, outer, radius = real1(at, P.ROOM_REACH), real1(at, P.ROOM_OUTER), real1(at, P.SOLID_RADIUS)
    bodies = origin.shape[0]
    for i in range(rows.shape[0]):
        b = owner[i]
        row_present[i] = present[b]
        for k in range(3):
            rows[i, k] = origin[b, k]
        if i < bodies:
            continue
        for k in range(3):
            for j in range(3):
                rows[i, k] += R[b, k, j] * place[i - bodies, j]
                total = 0.0
                for m in range(3):
                    total += R[b, k, m] * turn[i - bodies, m, j]
                R[i, k, j] = total
        reach[i], outer[i] = reach[b], radius[i] + outer[b] - radius[b]
    return GO_ON


def drop_own_pairs(at):
    """Pairs of parts of one body are none."""
    numbers, pairs, axis, counts = (
        whole1(at, P.NUMBERS),
        whole2(at, P.NEAR_PAIRS),
        real2(at, P.NEAR_AXIS),
        whole1(at, P.NEAR_COUNTS),
    )
    owner, kept, known = whole1(at, P.PART_OWNER), 0, axis.shape[0] > 0
    for k in range(numbers[P.NEAR]):
        if owner[pairs[k, 0]] == owner[pairs[k, 1]]:
            continue
        if kept < k:
            for i in range(2):
                pairs[kept, i] = pairs[k, i]
            for i in range(3 if known else 0):
                axis[kept, i] = axis[k, i]
        kept += 1
    numbers[P.NEAR] = counts[0] = kept
    return GO_ON


def name_bodies(at):
    """Contacts that were found belong to the bodies of the parts; the parts become part of their identity."""
    numbers, found, most = whole1(at, P.NUMBERS), whole2(at, P.FOUND), whole1(at, P.PART_MOST)
    owner, number = whole1(at, P.PART_OWNER), whole1(at, P.PART_NUMBER)
    first = numbers[P.LATE_FROM] if numbers[P.AHEAD] else 0
    for c in range(first, min(numbers[P.COUNT], found.shape[0])):
        a, b = found[c, 0], found[c, 1]
        found[c, 2] += (number[a] * most[0] + number[b]) * most[1]
        found[c, 0], found[c, 1] = owner[a], owner[b]
    return GO_ON
