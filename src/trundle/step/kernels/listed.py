"""Links that are visited one by one, in scaled units: the verbs of `solution` for laws that are more than disks, compliant
contacts, and rows of joints with a bound.  Never raise."""

from __future__ import annotations

from trundle.contact.kernels import natural, rigid
from trundle.kernels.space import GO_ON, flag2, real1, real2, real3, whole1, whole2
from trundle.laws.kernels.sections import project_contact
from trundle.solve.kernels.rigid import sweep as sweep_decoupled
from trundle.solve.kernels.rigid import write_block
from trundle.step.kernels import places as P

CALM = 0.25  # share of 1 / (largest diagonal entry) that is a step for all rows at once


def apply(at):
    """Velocities from impulses."""
    count = whole1(at, P.NUMBERS)[P.LISTED_COUNT]
    rigid.apply_impulses(
        whole2(at, P.L_LINK)[:count], real3(at, P.L_FRAME), real3(at, P.L_ARM), real1(at, P.L_LENGTH),
        real1(at, P.INVERSE_MASS),
        real3(at, P.WORLD), real1(at, P.L_P), real2(at, P.V),
    )  # fmt: skip
    return GO_ON


def begin(at):
    """No momentum."""
    before, p = real1(at, P.L_BEFORE), real1(at, P.L_P)
    for i in range(6 * whole1(at, P.NUMBERS)[P.LISTED_COUNT]):
        before[i] = p[i]
    return GO_ON


def sweep(at):
    """Exact links."""
    numbers, results = whole1(at, P.NUMBERS), real1(at, P.RESULTS)
    count, p, before, z = numbers[P.LISTED_COUNT], real1(at, P.L_P), real1(at, P.L_BEFORE), real1(at, P.L_Z)
    for i in range(6 * count):
        z[i] = p[i] + results[P.BETA] * (p[i] - before[i])
        before[i] = z[i]
    results[P.SUM] += sweep_decoupled(
        whole2(at, P.L_TABLE)[: count + 1], whole2(at, P.L_BLOCK), real2(at, P.L_COEF), whole1(at, P.OWN),
        real1(at, P.L_WEIGHT),
        whole2(at, P.L_LINK)[:count], real3(at, P.L_FRAME), real3(at, P.L_ARM), real1(at, P.L_LENGTH),
        real1(at, P.INVERSE_MASS),
        real3(at, P.WORLD), real2(at, P.L_BIAS), real2(at, P.L_COMPLIANCE), real1(at, P.L_RHO), real1(at, P.L_W_NN),
        real1(at, P.L_STEP), z,
        real2(at, P.V if numbers[P.SWAPPED] else P.V_BEFORE), real1(at, P.L_WORK), real1(at, P.SMALL),
    ) ** 2  # fmt: skip
    for i in range(6 * count):
        results[P.AGAINST] += (before[i] - z[i]) * (z[i] - p[i])
        before[i] = p[i]
        p[i] = z[i]
    return GO_ON


def sweep_all_at_once(at):
    """Relaxed links: a step for all rows of a link, then the projection onto its cone."""
    numbers, results = whole1(at, P.NUMBERS), real1(at, P.RESULTS)
    table, block, coef, own = whole2(at, P.L_TABLE), whole2(at, P.L_BLOCK), real2(at, P.L_COEF), whole1(at, P.OWN)
    link, frame, arm, length = whole2(at, P.L_LINK), real3(at, P.L_FRAME), real3(at, P.L_ARM), real1(at, P.L_LENGTH)
    bias, compliance, weight, rho = (
        real2(at, P.L_BIAS),
        real2(at, P.L_COMPLIANCE),
        real1(at, P.L_WEIGHT),
        real1(at, P.L_RHO),
    )
    inverse_mass, J, y, x = real1(at, P.INVERSE_MASS), real3(at, P.WORLD), real1(at, P.L_Y), real1(at, P.L_WORK)
    p, before, z, new = real1(at, P.L_P), real1(at, P.L_BEFORE), real1(at, P.L_Z), real1(at, P.L_CHANGE)
    v, beta = real2(at, P.V if numbers[P.SWAPPED] else P.V_BEFORE), results[P.BETA]
    for i in range(numbers[P.LISTED_COUNT]):
        rigid.relative_velocity(
            link[i : i + 1],
            frame[i : i + 1],
            arm[i : i + 1],
            length[i : i + 1],
            bias[i : i + 1],
            v,
            y[6 * i : 6 * i + 6],
        )
        for k in range(6 * i, 6 * i + 6):
            z[k] = p[k] + beta * (p[k] - before[k])
            x[k] = z[k] - CALM * rho[i] * weight[k] * (y[k] + compliance[i, k - 6 * i] * z[k])
            new[k] = 0.0
        project_contact(table, block, coef, own, i, 0, x, new)
        for k in range(6 * i, 6 * i + 6):
            x[k] = new[k] - z[k]
            results[P.SUM] += (x[k] / (CALM * rho[i])) ** 2
            results[P.AGAINST] -= x[k] * (new[k] - p[k])
            before[k] = p[k]
            p[k] = new[k]
        write_block(frame, arm, length, inverse_mass, J, i, link[i, 0], link[i, 1], 0, 6, x[6 * i : 6 * i + 6], v)
    return GO_ON


def judge(at):
    """Natural map."""
    numbers, results, v = whole1(at, P.NUMBERS), real1(at, P.RESULTS), real2(at, P.V)
    count, y, p, compliance = numbers[P.LISTED_COUNT], real1(at, P.L_Y), real1(at, P.L_P), real2(at, P.L_COMPLIANCE)
    rigid.relative_velocity(
        whole2(at, P.L_LINK)[:count],
        real3(at, P.L_FRAME),
        real3(at, P.L_ARM),
        real1(at, P.L_LENGTH),
        real2(at, P.L_BIAS),
        v,
        y,
    )
    for i in range(count):
        for k in range(6):
            y[6 * i + k] += compliance[i, k] * p[6 * i + k]
    results[P.SUM] += natural.natural_map(
        whole2(at, P.L_TABLE)[: count + 1], whole2(at, P.L_BLOCK), real2(at, P.L_COEF), whole1(at, P.OWN),
        real1(at, P.L_WEIGHT),
        real1(at, P.L_RHO), real1(at, P.OPTIONS)[P.RELAXED] != 0.0, p[: 6 * count], y[: 6 * count],
        real1(at, P.L_CHANGE)[: 6 * count],
        real1(at, P.L_WORK)[: 6 * count],
    ) ** 2  # fmt: skip
    return GO_ON


def measure(at):
    """Free velocities."""
    numbers, results, v = whole1(at, P.NUMBERS), real1(at, P.RESULTS), real2(at, P.V)
    count, joints, y = numbers[P.LISTED_COUNT], whole2(at, P.JOINT_BODY).shape[0], real1(at, P.L_Y)
    listed, uses, driven = whole1(at, P.LISTED), flag2(at, P.L_USES), whole1(at, P.JOINT_DRIVEN)
    rigid.relative_velocity(
        whole2(at, P.L_LINK)[:count],
        real3(at, P.L_FRAME),
        real3(at, P.L_ARM),
        real1(at, P.L_LENGTH),
        real2(at, P.L_BIAS),
        v,
        y,
    )
    for i in range(count):
        for k in range(6):
            if uses[i, k] and (listed[i] >= joints or k == driven[listed[i]]):
                results[P.SUM] += y[6 * i + k] ** 2
    first = 0  # contact: joints, listed before them, are measured with the rows that they hold
    while first < count and listed[first] < joints:
        first += 1
    noise = rigid.free_noise(
        whole2(at, P.L_LINK)[first:count], real3(at, P.L_ARM)[first:], real1(at, P.L_LENGTH)[first:], uses[first:],
        real2(at, P.L_BIAS)[first:], v,
    )  # fmt: skip
    results[P.SPEEDS] += (noise / rigid.ROUNDING) ** 2
    return GO_ON


def write(at):
    """Impulses to rows."""
    joints, listed, rows = whole2(at, P.JOINT_BODY).shape[0], whole1(at, P.LISTED), real2(at, P.IMPULSE)
    p, length, driven = real1(at, P.L_P), real1(at, P.L_LENGTH), whole1(at, P.JOINT_DRIVEN)
    for i in range(whole1(at, P.NUMBERS)[P.LISTED_COUNT]):
        c = listed[i]
        for k in range(6):
            if c >= joints or k == driven[c]:
                rows[c, k] = p[6 * i + k] * (length[i] if k >= 3 else 1.0)
    return GO_ON


def read(at):
    """Impulses from rows."""
    joints, listed, rows = whole2(at, P.JOINT_BODY).shape[0], whole1(at, P.LISTED), real2(at, P.IMPULSE)
    p, length, driven = real1(at, P.L_P), real1(at, P.L_LENGTH), whole1(at, P.JOINT_DRIVEN)
    for i in range(whole1(at, P.NUMBERS)[P.LISTED_COUNT]):
        c = listed[i]
        for k in range(6):
            mine = c >= joints or k == driven[c]
            p[6 * i + k] = rows[c, k] / (length[i] if k >= 3 else 1.0) if mine else 0.0
    return GO_ON
