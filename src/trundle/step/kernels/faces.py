"""Stages for bodies that lie on a flat face, with the law `FlatPatch`: one friction contact for the whole face.  Never raise.

A face that lies flat touches in a few points, which carry the normal load.  Friction at these points alone depends on where
they are: a disk on three points that slides and spins goes astray.  So friction of a face acts at its centre, in a contact of its
own without a normal load; its section is that of a uniformly pressed disk under the sum of the loads of the points, which have
no friction themselves.  `vary.settle` keeps that sum up to date.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import INNER
from trundle.kernels.space import GO_ON, flag1, real1, real2, whole1, whole2
from trundle.kinds import CYLINDER, DISK, HALF_SPACE
from trundle.laws.kernels.curves import UNIFORM
from trundle.step.kernels import places as P

POINT_ALONE, COVERED, CENTRE = 0, 1, 2  # what a contact is
PARALLEL = 1e-9  # 1 - cosine of the angle between normals that are the same
WHOLE = 1e-6  # of a radius: how far the mean of the points of a whole end is from its centre
THIN = 1e-6  # width over length of the points, below which they are an edge


@njit(**INNER)
def polygon_radius(x, y, n):
    """Radius of the disk whose points have the same mean distance from the centre as those of a convex polygon around 0.

    x, y (n,): its corners, turning left.  Over the triangle of the centre and an edge at the distance d, between the angles a
    and b from its foot, the integral of r is d^3 / 6 [tan / cos + asinh(tan)] from a to b.
    """
    area, moment = 0.0, 0.0
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        cross = x[i] * y[j] - x[j] * y[i]
        ex, ey = x[j] - x[i], y[j] - y[i]
        length = math.sqrt(ex * ex + ey * ey)
        if length == 0.0 or cross <= 0.0:
            continue
        d, a = cross / length, (x[i] * ex + y[i] * ey) / cross
        b = (x[j] * ex + y[j] * ey) / cross
        area += 0.5 * cross
        moment += d**3 / 6.0 * (b * math.sqrt(1.0 + b * b) + math.asinh(b) - a * math.sqrt(1.0 + a * a) - math.asinh(a))
    return 1.5 * moment / area if area > 0.0 else 0.0


@njit(**INNER)
def face_of(at, first, last, spot):
    """Centre (3,) of the face that contacts first .. last - 1 of two bodies lie on, into spot; returns its radius, 0 if none."""
    body, point, normal, gap = whole2(at, P.BODY), real2(at, P.POINT), real2(at, P.NORMAL), real1(at, P.GAP)
    closed, count, n = real1(at, P.OPTIONS)[P.ROLLING_CLOSED], 0, normal[first]
    x, y, where = np.empty(last - first), np.empty(last - first), np.zeros(3)
    for c in range(first, last):
        if n[0] * normal[c, 0] + n[1] * normal[c, 1] + n[2] * normal[c, 2] < 1.0 - PARALLEL:
            return 0.0
        if gap[c] <= closed:
            count += 1
            for k in range(3):
                where[k] += point[c, k]
    if count < 3:
        return 0.0
    for k in range(3):
        where[k] /= count
    t0, t1, t2 = point[first, 0] - where[0], point[first, 1] - where[1], point[first, 2] - where[2]
    size = math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
    if size == 0.0:
        return 0.0
    t0, t1, t2 = t0 / size, t1 / size, t2 / size
    s0, s1, s2 = n[1] * t2 - n[2] * t1, n[2] * t0 - n[0] * t2, n[0] * t1 - n[1] * t0
    m = 0
    for c in range(first, last):
        if gap[c] <= closed:
            d0, d1, d2 = point[c, 0] - where[0], point[c, 1] - where[1], point[c, 2] - where[2]
            x[m], y[m] = t0 * d0 + t1 * d1 + t2 * d2, s0 * d0 + s1 * d1 + s2 * d2
            m += 1
    for i in range(1, m):  # around the mean
        u, v, j = x[i], y[i], i
        while j > 0 and math.atan2(y[j - 1], x[j - 1]) > math.atan2(v, u):
            x[j], y[j] = x[j - 1], y[j - 1]
            j -= 1
        x[j], y[j] = u, v
    area, cx, cy, longest = 0.0, 0.0, 0.0, 0.0
    for i in range(m):
        j = i + 1 if i + 1 < m else 0
        cross = x[i] * y[j] - x[j] * y[i]
        area += 0.5 * cross
        cx += cross * (x[i] + x[j]) / 6.0
        cy += cross * (y[i] + y[j]) / 6.0
        longest = max(longest, x[i] * x[i] + y[i] * y[i])
    if area <= THIN * longest:
        return 0.0
    cx, cy = cx / area, cy / area
    radius = round_face(at, body[first, 0], body[first, 1], n, where, spot)
    if radius > 0.0:
        return radius
    for i in range(m):
        x[i], y[i] = x[i] - cx, y[i] - cy
    spot[0], spot[1], spot[2] = where[0] + cx * t0 + cy * s0, where[1] + cx * t1 + cy * s1, where[2] + cx * t2 + cy * s2
    return polygon_radius(x, y, m)


@njit(**INNER)
def round_face(at, a, b, n, where, spot):
    """Radius of a disk or a cylinder that lies with its whole end on flat ground, and its centre; 0 if it is something else."""
    kind, size, middle, turned = (
        whole1(at, P.SOLID_KIND), real2(at, P.PARAMETERS), real2(at, P.MIDDLE), real2(at, P.TURNED),
    )  # fmt: skip
    one, other = (b, a) if kind[b] == DISK or kind[b] == CYLINDER else (a, b)
    if not (kind[one] == DISK or kind[one] == CYLINDER):
        return 0.0
    w, x, y, z = turned[one, 0], turned[one, 1], turned[one, 2], turned[one, 3]
    along = 2.0 * (x * z + w * y) * n[0] + 2.0 * (y * z - w * x) * n[1] + (1.0 - 2.0 * (x * x + y * y)) * n[2]
    if abs(along) < 0.9:  # it lies on its side
        return 0.0
    depth = 0.0
    for k in range(3):
        depth += (where[k] - middle[one, k]) * n[k]
    for k in range(3):
        spot[k] = middle[one, k] + depth * n[k]
    off = math.sqrt((where[0] - spot[0]) ** 2 + (where[1] - spot[1]) ** 2 + (where[2] - spot[2]) ** 2)
    return size[one, 0] if kind[other] == HALF_SPACE or off <= WHOLE * size[one, 0] else 0.0


def add_centres(at):
    """A contact at the centre of every face that lies flat, behind the points of its two bodies."""
    numbers, body, point, normal = whole1(at, P.NUMBERS), whole2(at, P.BODY), real2(at, P.POINT), real2(at, P.NORMAL)
    gap, law, key, radius = real1(at, P.GAP), whole1(at, P.LAW), whole1(at, P.KEY), real2(at, P.RADIUS)
    flat, role, size, push = flag1(at, P.FLAT_LAW), whole1(at, P.FACE), real1(at, P.FACE_RADIUS), real1(at, P.LATE_PUSH)
    n, bodies, first, spot = numbers[P.CONTACTS], real2(at, P.MIDDLE).shape[0], 0, np.empty(3)
    for c in range(body.shape[0]):
        role[c] = POINT_ALONE
    while first < n:
        last = first
        while last < n and body[last, 0] == body[first, 0] and body[last, 1] == body[first, 1]:
            last += 1
        found = face_of(at, first, last, spot) if flat[law[first]] and last - first >= 3 else 0.0
        if found > 0.0:
            if n + 1 > body.shape[0]:
                numbers[P.COUNT] = max(n + 1, numbers[P.COUNT])
                return P.MORE_ROOM
            for c in range(n, last, -1):  # those of other bodies move up
                body[c, 0], body[c, 1], law[c], key[c] = body[c - 1, 0], body[c - 1, 1], law[c - 1], key[c - 1]
                gap[c], push[c], radius[c, 0], radius[c, 1] = (
                    gap[c - 1],
                    push[c - 1],
                    radius[c - 1, 0],
                    radius[c - 1, 1],
                )
                for k in range(3):
                    point[c, k], normal[c, k] = point[c - 1, k], normal[c - 1, k]
            least = 0.0
            for c in range(first, last):
                role[c] = COVERED
                least = max(least, gap[c])
            body[last, 0], body[last, 1], law[last] = body[first, 0], body[first, 1], law[first]
            key[last] = (body[first, 0] * bodies + body[first, 1] + 1) * numbers[P.FEATURES] - 1
            gap[last], push[last], role[last], size[last] = least, 0.0, CENTRE, found
            radius[last, 0], radius[last, 1] = np.inf, np.inf
            for k in range(3):
                point[last, k], normal[last, k] = spot[k], normal[first, k]
            n += 1
            last += 1
        first = last
    numbers[P.CONTACTS] = n
    return GO_ON


@njit(**INNER)
def load_on(at, i):
    """Sum of the normal impulses of the listed links before link i that are of the same two bodies."""
    link, p, total, j = whole2(at, P.L_LINK), real1(at, P.L_P), 0.0, i - 1
    while j >= 0 and link[j, 0] == link[i, 0] and link[j, 1] == link[i, 1]:
        total += max(p[6 * j], 0.0)
        j -= 1
    return total


def set_sections(at):
    """Sections of the contacts of faces: none for points, that of the whole face for its centre, at the load of the last step."""
    numbers, joints, role = whole1(at, P.NUMBERS), whole2(at, P.JOINT_BODY).shape[0], whole1(at, P.FACE)
    listed, table, block, coef = whole1(at, P.LISTED), whole2(at, P.L_TABLE), whole2(at, P.L_BLOCK), real2(at, P.L_COEF)
    length, size, change = real1(at, P.L_LENGTH), real1(at, P.FACE_RADIUS), real1(at, P.L_CHANGE)
    for i in range(numbers[P.LISTED_COUNT]):
        c = listed[i] - joints
        if c < 0 or role[c] == POINT_ALONE:
            continue
        for k in range(table[i, 1], table[i + 1, 1]):
            if role[c] == CENTRE:
                if block[k, 0] == UNIFORM:
                    coef[k, 1] = size[c] / length[i]
                    press(at, i, k)
                else:
                    coef[k, 0] = 0.0
            elif block[k, 0] == UNIFORM:
                coef[k, 0] = 0.0
        if role[c] == CENTRE:
            table[i, 2], table[i, 3] = 0, 0  # no normal row
            for row in range(6):
                change[6 * i + row] = 0.0
    return GO_ON


@njit(**INNER)
def press(at, i, k):
    """Put the size of a face's section [N s]: friction times the load of its points."""
    first, table = whole1(at, P.LAW_FIRST), whole2(at, P.L_TABLE)
    c = whole1(at, P.LISTED)[i] - whole2(at, P.JOINT_BODY).shape[0]
    b = first[whole1(at, P.LAW)[c]] + k - table[i, 1]
    real2(at, P.L_COEF)[k, 0] = real2(at, P.LAW_COEF)[b, 0] * load_on(at, i)
