"""Rows of any gradient, solved all at once: held joints, users' constraints, implicit fields; the verbs of `solution`.

Where a scene has such rows, they take the place of `held`.  Row r has an impulse p and stands for

    left . v + soft p + bias = 0,    v += M^-1 right p

with left and right (6,) for each of its bodies.  Joints and constraints have left = right.  An implicit field is a row for
every degree of freedom of its bodies: right is a unit vector, left a row of A = -h theta dF/dv - h^2 theta^2 dF/dq, soft = 1,
so that (M + A) v' = ... holds for any A, symmetric or not.  Rows that hang together by their bodies are a block, with an inverse
of its own: row_inverse (m, widest block).  row_work (3, m): work, present impulses and those before them.  Never raise.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import INNER
from trundle.kernels.space import GO_ON, clear2, real1, real2, real3, whole1, whole2
from trundle.solve.kernels.held import moment_arm
from trundle.step.kernels import places as P

DEPENDENT = 1e-11  # share of a diagonal entry that elimination must leave for a row to count
JOINT, CONSTRAINT, FIELD = range(3)  # kinds of rows


@njit(**INNER)
def dot_row(left, body, begin, end, v):
    """Sum of left . v over the entries of a row."""
    total = 0.0
    for e in range(begin, end):
        for k in range(6):
            total += left[e, k] * v[body[e], k]
    return total


@njit(**INNER)
def add_row(push, body, begin, end, p, v):
    """v += M^-1 right p."""
    for e in range(begin, end):
        for k in range(6):
            v[body[e], k] += push[e, k] * p


def place_rows(at):
    """Biases of constraints and fields, from the velocities at the beginning of the step; see `link_joints`.

    Impulses start from nothing: a block is solved at once, and those of the last step would leave their rounding.

    row_known (m, 2): of constraints, what the rate at the beginning lacks, and the rate in the middle that time alone gives.
    """
    theta, start = real1(at, P.OPTIONS)[P.THETA], real2(at, P.START)
    kind, first, body, left = (
        whole1(at, P.ROW_KIND),
        whole1(at, P.ROW_FIRST),
        whole1(at, P.ROW_BODY),
        real2(at, P.ROW_LEFT),
    )
    bias, known, kept = real1(at, P.ROW_BIAS), real2(at, P.ROW_KNOWN), real1(at, P.ROW_IMPULSE)
    factor = theta / (1.0 - theta) if theta < 1.0 else 0.0
    for r in range(kind.shape[0]):
        if kind[r] == JOINT:
            continue
        kept[r] = 0.0
        rate = dot_row(left, body, first[r], first[r + 1], start)
        bias[r] = -rate if kind[r] == FIELD else factor * (rate + known[r, 0]) + known[r, 1]
    return GO_ON


@njit(**INNER)
def put_joint_rows(at):
    """Gradients, compliance and bias of the rows that joints hold."""
    held, link, frame, arm = whole2(at, P.HELD), whole2(at, P.LINK), real3(at, P.FRAME), real3(at, P.ARM)
    kind, which, first = whole1(at, P.ROW_KIND), whole1(at, P.ROW_HELD), whole1(at, P.ROW_FIRST)
    body, left, right = whole1(at, P.ROW_BODY), real2(at, P.ROW_LEFT), real2(at, P.ROW_RIGHT)
    soft, bias, compliance, given = (
        real1(at, P.ROW_SOFT),
        real1(at, P.ROW_BIAS),
        real2(at, P.COMPLIANCE),
        real2(at, P.BIAS),
    )
    for r in range(kind.shape[0]):
        if kind[r] != JOINT:
            continue
        j, row = held[which[r], 0], held[which[r], 1]
        soft[r], bias[r] = compliance[j, row], given[j, row]
        for side in range(2):
            e, sign = first[r] + side, -1.0 if side == 0 else 1.0
            body[e] = link[j, side]
            m = moment_arm(frame, arm, j, side, row)
            for k in range(3):
                left[e, k] = sign * frame[j, row, k] if row < 3 else 0.0
                left[e, 3 + k] = sign * m[k]
        for e in range(first[r], first[r] + 2):
            for k in range(6):
                right[e, k] = left[e, k]


@njit(**INNER)
def invert(A, n, inverse, begin):
    """Inverse of A (n, n), eliminated in its order without exchanges, to rows of `inverse`; dependent rows carry nothing."""
    for i in range(n):
        for k in range(n):
            inverse[begin + i, k] = 1.0 if i == k else 0.0
    size = np.empty(n)
    for i in range(n):
        size[i] = abs(A[i, i])
    for i in range(n):
        if abs(A[i, i]) <= DEPENDENT * size[i] or size[i] == 0.0:
            for k in range(n):
                A[i, k] = A[k, i] = inverse[begin + i, k] = inverse[begin + k, i] = 0.0
            continue
        pivot = 1.0 / A[i, i]
        for k in range(n):
            A[i, k] *= pivot
            inverse[begin + i, k] *= pivot
        for j in range(n):
            share = A[j, i]
            if j != i and share != 0.0:
                for k in range(n):
                    A[j, k] -= share * A[i, k]
                    inverse[begin + j, k] -= share * inverse[begin + i, k]


def hold_rows(at):
    """Inverses of all blocks."""
    put_joint_rows(at)
    invert_blocks(at)
    return GO_ON


@njit(**INNER)
def invert_blocks(at):
    """What impulses of the rows do to their bodies, and the inverses of all blocks."""
    first, body, block = whole1(at, P.ROW_FIRST), whole1(at, P.ROW_BODY), whole1(at, P.ROW_BLOCK)
    left, right, push, soft = (
        real2(at, P.ROW_LEFT),
        real2(at, P.ROW_RIGHT),
        real2(at, P.ROW_PUSH),
        real1(at, P.ROW_SOFT),
    )
    inverse_mass, J, weight = real1(at, P.INVERSE_MASS), real3(at, P.WORLD), real1(at, P.ROW_WEIGHT)
    for e in range(body.shape[0]):
        b = body[e]
        for k in range(3):
            push[e, k] = inverse_mass[b] * right[e, k]
            push[e, 3 + k] = J[b, k, 0] * right[e, 3] + J[b, k, 1] * right[e, 4] + J[b, k, 2] * right[e, 5]
    inverse = real2(at, P.ROW_INVERSE)
    A = np.empty((inverse.shape[1], inverse.shape[1]))
    for c in range(block.shape[0] - 1):
        begin, end = block[c], block[c + 1]
        for r in range(begin, end):
            for s in range(begin, end):
                total = soft[r] if r == s else 0.0
                for e in range(first[r], first[r + 1]):
                    for f in range(first[s], first[s + 1]):
                        if body[e] == body[f]:
                            for k in range(6):
                                total += left[e, k] * push[f, k]
                A[r - begin, s - begin] = total
        for r in range(begin, end):  # what one unit of the row's error means as a velocity
            w, lightest = 0.0, 0.0
            for e in range(first[r], first[r + 1]):
                lightest = max(lightest, inverse_mass[body[e]])
                for k in range(6):
                    w += right[e, k] * push[e, k]
            weight[r] = 0.0
            if w > 0.0:
                weight[r] = math.sqrt(lightest * w) if whole1(at, P.ROW_KIND)[r] == FIELD else math.sqrt(lightest / w)
        invert(A, end - begin, inverse, begin)


@njit(**INNER)
def row_errors(at, v, p, share):
    """left . v + soft p + bias of all rows, to row_work[0]; share: of the impulses p that counts."""
    first, body, left = whole1(at, P.ROW_FIRST), whole1(at, P.ROW_BODY), real2(at, P.ROW_LEFT)
    soft, bias, out = real1(at, P.ROW_SOFT), real1(at, P.ROW_BIAS), real2(at, P.ROW_WORK)[0]
    for r in range(soft.shape[0]):
        out[r] = dot_row(left, body, first[r], first[r + 1], v) + share * soft[r] * p[r] + bias[r]


@njit(**INNER)
def push_rows(at, p, v):
    """v += M^-1 H^T p."""
    first, body, push = whole1(at, P.ROW_FIRST), whole1(at, P.ROW_BODY), real2(at, P.ROW_PUSH)
    for r in range(p.shape[0]):
        add_row(push, body, first[r], first[r + 1], p[r], v)


def apply(at):
    """Velocities from impulses."""
    push_rows(at, real2(at, P.ROW_WORK)[1], real2(at, P.V))
    return GO_ON


def begin(at):
    """No momentum."""
    work = real2(at, P.ROW_WORK)
    for r in range(work.shape[1]):
        work[2, r] = work[1, r]
    return GO_ON


def sweep(at):
    """Impulses with which all rows hold."""
    results, work, block = real1(at, P.RESULTS), real2(at, P.ROW_WORK), whole1(at, P.ROW_BLOCK)
    v = real2(at, P.V if whole1(at, P.NUMBERS)[P.SWAPPED] else P.V_BEFORE)
    inverse, m = real2(at, P.ROW_INVERSE), work.shape[1]
    change = np.empty(m)
    for r in range(m):  # extrapolated, as velocities are
        present = work[1, r]
        work[1, r] += results[P.BETA] * (present - work[2, r])
        work[2, r] = present
    row_errors(at, v, work[1], 1.0)
    for c in range(block.shape[0] - 1):
        for r in range(block[c], block[c + 1]):
            change[r] = 0.0
            for s in range(block[c], block[c + 1]):
                change[r] -= inverse[r, s - block[c]] * work[0, s]
    push_rows(at, change, v)
    for r in range(m):
        work[1, r] += change[r]
    return GO_ON


@njit(**INNER)
def add_squares(at, share):
    """Squares of the errors of all rows, as velocities."""
    results, work, weight = real1(at, P.RESULTS), real2(at, P.ROW_WORK), real1(at, P.ROW_WEIGHT)
    row_errors(at, real2(at, P.V), work[1], share)
    for r in range(work.shape[1]):
        results[P.SUM] += (work[0, r] * weight[r]) ** 2


def judge(at):
    """Natural map."""
    add_squares(at, 1.0)
    return GO_ON


def measure(at):
    """Free velocities."""
    add_squares(at, 0.0)
    results, weight, body = real1(at, P.RESULTS), real1(at, P.ROW_WEIGHT), whole1(at, P.ROW_BODY)
    first, left, v = whole1(at, P.ROW_FIRST), real2(at, P.ROW_LEFT), real2(at, P.V)
    for r in range(weight.shape[0]):
        speed = abs(real1(at, P.ROW_BIAS)[r])
        for e in range(first[r], first[r + 1]):
            for k in range(6):
                speed += abs(left[e, k] * v[body[e], k])
        results[P.SPEEDS] += (speed * weight[r]) ** 2
    return GO_ON


def write(at):
    """Impulses to rows: those of joints to the rows of links, too."""
    held, work, rows, kept = whole2(at, P.HELD), real2(at, P.ROW_WORK), real2(at, P.IMPULSE), real1(at, P.ROW_IMPULSE)
    kind, which = whole1(at, P.ROW_KIND), whole1(at, P.ROW_HELD)
    for r in range(kind.shape[0]):
        kept[r] = work[1, r]
        if kind[r] == JOINT:
            rows[held[which[r], 0], held[which[r], 1]] = work[1, r]
    return GO_ON


def read(at):
    """Impulses from rows."""
    held, work, rows, kept = whole2(at, P.HELD), real2(at, P.ROW_WORK), real2(at, P.IMPULSE), real1(at, P.ROW_IMPULSE)
    kind, which, still = whole1(at, P.ROW_KIND), whole1(at, P.ROW_HELD), whole1(at, P.NUMBERS)[P.STILL]
    for r in range(kind.shape[0]):
        if still:
            kept[r] = 0.0
        work[1, r] = rows[held[which[r], 0], held[which[r], 1]] if kind[r] == JOINT else kept[r]
    return GO_ON


# --- impacts ----------------------------------------------------------------------------------------------------------------


def hold_in_impact(at):
    """Rows of an impact, in its own space: the rates of joints and constraints do not jump, fields give no impulse.

    Gradients are those of the middle of the step, as joints have them.
    """
    put_joint_rows(at)
    kind, first, body = whole1(at, P.ROW_KIND), whole1(at, P.ROW_FIRST), whole1(at, P.ROW_BODY)
    left, right, bias, kept = (
        real2(at, P.ROW_LEFT),
        real2(at, P.ROW_RIGHT),
        real1(at, P.ROW_BIAS),
        real1(at, P.ROW_IMPULSE),
    )
    free = real2(at, P.FREE)
    for r in range(kind.shape[0]):
        kept[r] = 0.0
        if kind[r] == JOINT:
            continue
        share = 1.0 if kind[r] == CONSTRAINT else 0.0
        for e in range(first[r], first[r + 1]):
            for k in range(6):
                left[e, k] = share * right[e, k]
        bias[r] = -dot_row(left, body, first[r], first[r + 1], free)
    invert_blocks(at)
    return GO_ON


def let_kicks_act(at):
    """Biases of fields after impacts: a kick at a time t acts for h - t, not for the share theta of the step."""
    theta, h = real1(at, P.OPTIONS)[P.THETA], real1(at, P.OPTIONS)[P.H]
    kind, first, body, left = (
        whole1(at, P.ROW_KIND),
        whole1(at, P.ROW_FIRST),
        whole1(at, P.ROW_BODY),
        real2(at, P.ROW_LEFT),
    )
    bias, kick, late = real1(at, P.ROW_BIAS), real2(at, P.KICK), real2(at, P.KICK_TIME)
    for r in range(kind.shape[0]):
        if kind[r] == FIELD:
            whole = dot_row(left, body, first[r], first[r + 1], kick)
            missed = dot_row(left, body, first[r], first[r + 1], late) / h
            bias[r] += (whole - missed) / theta - whole
    return GO_ON


@njit(**INNER)
def carry_rows_on(at, h, acceleration):
    """Accelerations (B, 6) by the forces that the rows had in the last step, added; those of joints are not among them."""
    kind, first, body = whole1(at, P.ROW_KIND), whole1(at, P.ROW_FIRST), whole1(at, P.ROW_BODY)
    right, old, inverse_mass, J = (
        real2(at, P.ROW_RIGHT),
        real1(at, P.ROW_OLD),
        real1(at, P.INVERSE_MASS),
        real3(at, P.WORLD),
    )
    for r in range(kind.shape[0]):
        if kind[r] == JOINT:
            continue
        for e in range(first[r], first[r + 1]):
            b, g, p = body[e], right[e], old[r] / h
            for k in range(3):
                acceleration[b, k] += p * inverse_mass[b] * g[k]
                acceleration[b, 3 + k] += p * (J[b, k, 0] * g[3] + J[b, k, 1] * g[4] + J[b, k, 2] * g[5])


@njit(**INNER)
def keep_impact(at, to):
    """Impulses of constraints in an impact, and what they take: times the mean of the velocities before and after."""
    kind, first, body = whole1(at, P.ROW_KIND), whole1(at, P.ROW_FIRST), whole1(at, P.ROW_BODY)
    right, known, total, p = (
        real2(at, P.ROW_RIGHT),
        real2(at, P.ROW_KNOWN),
        real1(at, P.ROW_IMPACT),
        real1(to, P.ROW_IMPULSE),
    )
    results, before, after = real1(at, P.RESULTS), real2(to, P.FREE), real2(to, P.V)
    for r in range(kind.shape[0]):
        if kind[r] != CONSTRAINT:
            continue
        mean = 0.5 * dot_row(right, body, first[r], first[r + 1], before)
        mean += 0.5 * dot_row(right, body, first[r], first[r + 1], after)
        total[r] += p[r]
        results[P.LOST_ROWS] -= p[r] * (known[r, 1] + mean)
        results[P.GIVEN_BY_ROWS] -= p[r] * known[r, 1]


@njit(**INNER)
def gather_rows(at, marked, pushed):
    """Mark the bodies that hang together with marked ones by rows; whether there were such."""
    first, body, grown = whole1(at, P.ROW_FIRST), whole1(at, P.ROW_BODY), False
    for r in range(first.shape[0] - 1):
        some = False
        for e in range(first[r], first[r + 1]):
            some = some or marked[body[e]]
        for e in range(first[r], first[r + 1]):
            if some and pushed[body[e]] and not marked[body[e]]:
                marked[body[e]] = grown = True
    return grown


# --- fields, and what rows do to the energy -------------------------------------------------------------------------------


def push_fields(at):
    """Impulses of fields (B, 6), as they are at the velocities of the beginning, and what they do to the velocities."""
    h, force, impulse, free = (
        real1(at, P.OPTIONS)[P.H],
        real2(at, P.FIELD_FORCE),
        real2(at, P.LOAD_IMPULSE),
        real2(at, P.FREE),
    )
    inverse_mass, J = real1(at, P.INVERSE_MASS), real3(at, P.WORLD)
    if whole1(at, P.LOAD_BODY).shape[0] == 0:
        clear2(impulse, impulse.shape[0])
    for i in range(free.shape[0]):
        if inverse_mass[i] == 0.0:
            continue
        f = force[i]
        for k in range(3):
            free[i, k] += h * inverse_mass[i] * f[k]
            free[i, 3 + k] += h * (J[i, k, 0] * f[3] + J[i, k, 1] * f[4] + J[i, k, 2] * f[5])
        for k in range(6):
            impulse[i, k] += h * f[k]
    return GO_ON


def take_work(at):
    """Work of fields and of constraints that time moves [J], and what the others seem to take."""
    results, mean, p = real1(at, P.RESULTS), real2(at, P.MEAN), real1(at, P.ROW_IMPULSE)
    kind, first, body = whole1(at, P.ROW_KIND), whole1(at, P.ROW_FIRST), whole1(at, P.ROW_BODY)
    right, known = real2(at, P.ROW_RIGHT), real2(at, P.ROW_KNOWN)
    old = real1(at, P.ROW_OLD)
    results[P.ROW_EXTERNAL], results[P.ROW_LOSS] = results[P.GIVEN_BY_ROWS], results[P.LOST_ROWS]
    for r in range(kind.shape[0]):
        old[r] = p[r]
        if kind[r] == JOINT:
            continue
        work = p[r] * dot_row(right, body, first[r], first[r + 1], mean)
        given = work if kind[r] == FIELD else -p[r] * known[r, 1]
        results[P.ROW_EXTERNAL] += given
        results[P.ROW_LOSS] += given - work
    return GO_ON


def ask_to_close(at):
    """Users' functions say how far their constraints have drifted."""
    return P.DRIFTED
