"""Links that are visited eight at a time: the verbs of `solution` for contacts with laws made of disks.  Never raise."""

from __future__ import annotations

from trundle.contact.kernels import bodies
from trundle.kernels.space import GO_ON, number3, real1, real2, real3, whole1, whole2
from trundle.solve.kernels.bodies import sweep_calm, sweep_exact, sweep_relaxed
from trundle.step.kernels import places as P


def apply(at):
    """Velocities from impulses."""
    bodies.apply_impulses(
        whole1(at, P.NUMBERS)[P.GROUPS],
        number3(at, P.LANE_BODY),
        real3(at, P.RECORDS),
        real2(at, P.J_ROWS),
        real3(at, P.LANE_P),
        real2(at, P.V),
    )
    return GO_ON


def begin(at):
    """No momentum."""
    p, before = real3(at, P.LANE_P), real3(at, P.LANE_BEFORE)
    for g in range(whole1(at, P.NUMBERS)[P.GROUPS]):
        for k in range(6):
            for l in range(8):
                before[g, k, l] = p[g, k, l]
    return GO_ON


def sweep(at):
    """Exact contacts."""
    numbers, results = whole1(at, P.NUMBERS), real1(at, P.RESULTS)
    swapped = numbers[P.SWAPPED]
    total, against = sweep_exact(
        numbers[P.GROUPS], number3(at, P.LANE_BODY), real3(at, P.RECORDS), real2(at, P.J_ROWS), results[P.BETA],
        numbers[P.EVERYONE] != 0,
        real3(at, P.LANE_BEFORE if swapped else P.LANE_P), real3(at, P.LANE_P if swapped else P.LANE_BEFORE),
        real2(at, P.V if swapped else P.V_BEFORE),
    )  # fmt: skip
    results[P.SUM] += total
    results[P.AGAINST] += against
    return GO_ON


def sweep_calmly(at):
    """Exact contacts, steps of the natural map."""
    numbers, results = whole1(at, P.NUMBERS), real1(at, P.RESULTS)
    swapped = numbers[P.SWAPPED]
    total, against = sweep_calm(
        numbers[P.GROUPS], number3(at, P.LANE_BODY), real3(at, P.RECORDS), real2(at, P.J_ROWS), results[P.BETA],
        numbers[P.EVERYONE] != 0,
        real3(at, P.LANE_BEFORE if swapped else P.LANE_P), real3(at, P.LANE_P if swapped else P.LANE_BEFORE),
        real2(at, P.V if swapped else P.V_BEFORE),
    )  # fmt: skip
    results[P.SUM] += total
    results[P.AGAINST] += against
    return GO_ON


def sweep_all_at_once(at):
    """Relaxed contacts."""
    numbers, results = whole1(at, P.NUMBERS), real1(at, P.RESULTS)
    swapped = numbers[P.SWAPPED]
    total, against = sweep_relaxed(
        numbers[P.GROUPS], number3(at, P.LANE_BODY), real3(at, P.RECORDS), real2(at, P.J_ROWS), results[P.BETA],
        real3(at, P.LANE_BEFORE if swapped else P.LANE_P), real3(at, P.LANE_P if swapped else P.LANE_BEFORE),
        real2(at, P.V if swapped else P.V_BEFORE),
    )  # fmt: skip
    results[P.SUM] += total
    results[P.AGAINST] += against
    return GO_ON


def judge(at):
    """Natural map."""
    numbers, results = whole1(at, P.NUMBERS), real1(at, P.RESULTS)
    results[P.SUM] += bodies.natural_square(
        numbers[P.GROUPS], number3(at, P.LANE_BODY), real3(at, P.RECORDS), real1(at, P.OPTIONS)[P.RELAXED] != 0.0,
        real3(at, P.LANE_P),
        real2(at, P.V),
    )  # fmt: skip
    return GO_ON


def measure(at):
    """Free velocities."""
    results = real1(at, P.RESULTS)
    total, speeds = bodies.size_square(
        whole1(at, P.NUMBERS)[P.GROUPS], number3(at, P.LANE_BODY), real3(at, P.RECORDS), real2(at, P.V)
    )
    results[P.SUM] += total
    results[P.SPEEDS] += speeds
    return GO_ON


def write(at):
    """Impulses to rows."""
    bodies.unpack(
        whole1(at, P.NUMBERS)[P.CONTACTS],
        whole2(at, P.JOINT_BODY).shape[0],
        whole1(at, P.PLACE),
        real3(at, P.LANE_P),
        real2(at, P.IMPULSE),
    )
    return GO_ON


def read(at):
    """Impulses from rows."""
    numbers = whole1(at, P.NUMBERS)
    bodies.pack(
        numbers[P.CONTACTS],
        whole2(at, P.JOINT_BODY).shape[0],
        numbers[P.GROUPS],
        whole1(at, P.PLACE),
        real2(at, P.IMPULSE),
        real3(at, P.LANE_P),
    )
    return GO_ON
