"""The normal and the gap of two convex bodies, compiled; never raises.

The gap along a direction is g(n) = min n.b - max n.a.  Where the bodies are apart, their distance is its largest value
over unit vectors n; where they overlap, its largest value (a negative one) is the shortest way to part them.  So one
search serves both: climb to the top of g from the best of a few directions.

A step of the climb: move b by t along the present n, so far that the bodies are apart, and take the direction of their
distance for the next n.  That maximises g(n) + t n.n_k, so g never falls, and the top is a fixed point; Gilbert, Johnson
& Keerthi's algorithm never has to deal with bodies that touch.  Last, Newton's method on g restricted to the pieces where
it is smooth (corners, edges, faces, rims, sides) gives the last digits.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.support import gjk, separation, support
from trundle.kernels.rotations import INNER
from trundle.kinds import BOX, CAPSULE, CONE, CYLINDER, DISK, ELLIPSOID, POLYHEDRON

FREE, ACROSS, FIXED = 0, 1, 2
LAST, TRIED = 2.0, 3.0  # in place of the first component of a direction
CLIMB = 40


@njit(**INNER)
def add_direction(count, directions, d, x, y, z, either):
    """Add a direction, scaled to length 1; either: its sense is that of d."""
    length = math.sqrt(x * x + y * y + z * z)
    if length < 1e-9 or count >= directions.shape[0]:
        return count
    if either and x * d[0] + y * d[1] + z * d[2] < 0.0:
        length = -length
    directions[count, 0] = x / length
    directions[count, 1] = y / length
    directions[count, 2] = z / length
    return count + 1


@njit(**INNER)
def axis_range(kind):
    """Which of a shape's own axes are worth trying."""
    if kind == BOX or kind == ELLIPSOID:
        return 0, 3
    if kind == POLYHEDRON:
        return 0, 0
    return 2, 3


@njit(**INNER)
def own_directions(kind, R, planes, sign, d, directions, count):
    """Directions that a shape suggests: its axes, what is left of d across them, the normals of its faces."""
    low, high = axis_range(kind)
    for k in range(low, high):
        x, y, z = R[0, k], R[1, k], R[2, k]
        count = add_direction(count, directions, d, x, y, z, True)
        if kind == CAPSULE or kind == CYLINDER:
            along = x * d[0] + y * d[1] + z * d[2]
            count = add_direction(count, directions, d, d[0] - along * x, d[1] - along * y, d[2] - along * z, True)
    if kind == POLYHEDRON:
        for f in range(planes.shape[0]):
            p = planes[f]
            x = sign * (R[0, 0] * p[0] + R[0, 1] * p[1] + R[0, 2] * p[2])
            y = sign * (R[1, 0] * p[0] + R[1, 1] * p[1] + R[1, 2] * p[2])
            z = sign * (R[2, 0] * p[0] + R[2, 1] * p[1] + R[2, 2] * p[2])
            if x * d[0] + y * d[1] + z * d[2] > 0.0:
                count = add_direction(count, directions, d, x, y, z, False)
    return count


@njit(**INNER)
def first_direction(kind_a, size_a, Ra, Va, Fa, kind_b, size_b, Rb, Vb, Fb, d, directions, n):
    """The best of some directions: centre to centre, axes, their cross products, normals of faces; returns its g."""
    count = add_direction(0, directions, d, d[0], d[1], d[2], False)
    count = add_direction(count, directions, d, 0.0, 0.0, 1.0, True)
    a0, a1 = axis_range(kind_a)
    b0, b1 = axis_range(kind_b)
    for i in range(a0, a1):
        for j in range(b0, b1):
            x = Ra[1, i] * Rb[2, j] - Ra[2, i] * Rb[1, j]
            y = Ra[2, i] * Rb[0, j] - Ra[0, i] * Rb[2, j]
            z = Ra[0, i] * Rb[1, j] - Ra[1, i] * Rb[0, j]
            count = add_direction(count, directions, d, x, y, z, True)
    for side in range(2):
        count = own_directions(
            kind_a if side == 0 else kind_b, Ra if side == 0 else Rb, Fa if side == 0 else Fb,
            1.0 if side == 0 else -1.0, d, directions, count,
        )  # fmt: skip
    if count < directions.shape[0]:
        directions[count, 0] = LAST
    return next_direction(kind_a, size_a, Ra, Va, kind_b, size_b, Rb, Vb, d, directions, n)


@njit(**INNER)
def next_direction(kind_a, size_a, Ra, Va, kind_b, size_b, Rb, Vb, d, directions, n):
    """The best direction that was not tried yet, written to n; returns its g, -inf if there is none."""
    best, at = -np.inf, -1
    for k in range(directions.shape[0]):
        u = directions[k]
        if u[0] == LAST:
            break
        if u[0] == TRIED:
            continue
        value = separation(kind_a, size_a, Ra, Va, kind_b, size_b, Rb, Vb, d[0], d[1], d[2], u[0], u[1], u[2])
        if value > best:
            best, at = value, k
    if at >= 0:
        n[0], n[1], n[2] = directions[at, 0], directions[at, 1], directions[at, 2]
        directions[at, 0] = TRIED
    return best


@njit(**INNER)
def climb(kind_a, size_a, Ra, Va, kind_b, size_b, Rb, Vb, d, best, apart, steps, n, W, P, share, near):
    """Climb from n, where the separation is `best`, to its top; apart [m]: how far the bodies are kept apart meanwhile.

    near (2, 3): nearest points of a and of b, relative to the centre of a.
    """
    for _ in range(steps):
        t = max(0.0, apart - best)
        length, x, y, z = gjk(
            kind_a, size_a, Ra, Va, kind_b, size_b, Rb, Vb, d[0] + t * n[0], d[1] + t * n[1], d[2] + t * n[2], n[0],
            n[1], n[2], W, P, share, near,
        )  # fmt: skip
        if length == 0.0:
            break
        for i in range(3):
            near[1, i] += near[0, i] - t * n[i]
        value = separation(kind_a, size_a, Ra, Va, kind_b, size_b, Rb, Vb, d[0], d[1], d[2], x, y, z)
        change = abs(x - n[0]) + abs(y - n[1]) + abs(z - n[2])
        if value < best - 1e-12 * apart:
            break
        n[0], n[1], n[2] = x, y, z
        best = value
        if t == 0.0 or change < 1e-9:
            break


@njit(**INNER)
def piece(kind, size, R, corners, planes, sign, n, tolerance, along, point):
    """The smooth piece of a support function at sign n: what it asks of n, and its fixed part.

    FREE: nothing; ACROSS: n is at right angles to `along`; FIXED: n is `along`.  point (3,): the corner, for shapes
    whose support point does not move within the piece.
    """
    dx, dy, dz = sign * n[0], sign * n[1], sign * n[2]
    x = R[0, 0] * dx + R[1, 0] * dy + R[2, 0] * dz
    y = R[0, 1] * dx + R[1, 1] * dy + R[2, 1] * dz
    z = R[0, 2] * dx + R[1, 2] * dy + R[2, 2] * dz
    point[0], point[1], point[2] = support(kind, size, R, corners, dx, dy, dz)
    if kind == ELLIPSOID:
        return FREE
    if kind == CONE:
        across = math.sqrt(x * x + y * y)
        slant = math.sqrt(size[0] * size[0] + (size[3] - size[2]) * (size[3] - size[2]))
        s, c = size[0] / slant, (size[3] - size[2]) / slant
        if across < tolerance and z < 0.0:
            for k in range(3):
                along[k] = -sign * R[k, 2]
            return FIXED
        if across > 0.0 and abs(s * across - c * z) < tolerance:
            x, y = s * x / across, s * y / across  # down the side
            for k in range(3):
                along[k] = R[k, 0] * x + R[k, 1] * y - R[k, 2] * c
            return ACROSS
        return FREE
    if kind == CAPSULE or kind == CYLINDER or kind == DISK:
        for k in range(3):
            along[k] = R[k, 2]
        if kind != DISK and abs(z) < tolerance:
            return ACROSS
        if kind != CAPSULE and x * x + y * y < tolerance * tolerance:
            for k in range(3):
                along[k] *= sign if z > 0.0 else -sign
            return FIXED
        return FREE
    top = dx * point[0] + dy * point[1] + dz * point[2]
    level = top - tolerance * math.sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2])
    count = 0
    far = 0.0
    for k in range(corners.shape[0]):
        v = corners[k]
        if x * v[0] + y * v[1] + z * v[2] >= level:
            count += 1
            ex = R[0, 0] * v[0] + R[0, 1] * v[1] + R[0, 2] * v[2] - point[0]
            ey = R[1, 0] * v[0] + R[1, 1] * v[1] + R[1, 2] * v[2] - point[1]
            ez = R[2, 0] * v[0] + R[2, 1] * v[1] + R[2, 2] * v[2] - point[2]
            square = ex * ex + ey * ey + ez * ez
            if square > far:
                far = square
                along[0], along[1], along[2] = ex, ey, ez
    if count == 1:
        return FREE
    if count == 2:
        for k in range(3):
            along[k] /= math.sqrt(far)
        return ACROSS
    best = -np.inf
    for f in range(planes.shape[0]):
        p = planes[f]
        value = x * p[0] + y * p[1] + z * p[2]
        if value > best:
            best = value
            for k in range(3):
                along[k] = sign * (R[k, 0] * p[0] + R[k, 1] * p[1] + R[k, 2] * p[2])
    return FIXED


@njit(**INNER)
def on_rim(size, asks, x, y, z):
    """Whether a cone is farthest in the direction (x, y, z), own frame, at its rim, not at its apex; or on its side."""
    across = math.sqrt(x * x + y * y)
    return across > 0.0 and (asks != 0 or size[0] * across + z * size[2] >= z * size[3])


@njit(**INNER)
def add_curvature(kind, size, R, asks, sign, n, point, s, H):
    """Support point s (3,) of a piece at sign n, and its second derivative added to H (3, 3)."""
    dx, dy, dz = sign * n[0], sign * n[1], sign * n[2]
    x = R[0, 0] * dx + R[1, 0] * dy + R[2, 0] * dz
    y = R[0, 1] * dx + R[1, 1] * dy + R[2, 1] * dz
    z = R[0, 2] * dx + R[1, 2] * dy + R[2, 2] * dz
    if kind == ELLIPSOID:
        aa, bb, cc = size[0] * size[0], size[1] * size[1], size[2] * size[2]
        h = math.sqrt(aa * x * x + bb * y * y + cc * z * z)
        x, y, z = aa * x / h, bb * y / h, cc * z / h
        for k in range(3):
            s[k] = R[k, 0] * x + R[k, 1] * y + R[k, 2] * z
        for k in range(3):
            for j in range(3):
                M = R[k, 0] * aa * R[j, 0] + R[k, 1] * bb * R[j, 1] + R[k, 2] * cc * R[j, 2]
                H[k, j] += (M - s[k] * s[j]) / h
    elif kind == CYLINDER or kind == DISK or (kind == CONE and on_rim(size, asks, x, y, z)):
        across = math.sqrt(x * x + y * y)
        x /= across
        y /= across
        z = size[2] if kind == CONE else 0.0 if asks == ACROSS else (size[1] if z >= 0.0 else -size[1])
        for k in range(3):
            s[k] = size[0] * (R[k, 0] * x + R[k, 1] * y) + R[k, 2] * z
        for k in range(3):
            for j in range(3):
                H[k, j] += (
                    size[0] / across * (R[k, 1] * x - R[k, 0] * y) * (R[j, 1] * x - R[j, 0] * y)
                )  # fmt: skip
    elif kind == CAPSULE and asks == ACROSS:
        for k in range(3):
            s[k] = 0.0
    else:
        for k in range(3):
            s[k] = point[k]


@njit(**INNER)
def piece_value(kind_a, size_a, Ra, asks_a, pa, kind_b, size_b, Rb, asks_b, pb, d, n, sa, sb, grad, H):
    """Separation g of two pieces at n, its gradient (3,), and H (3, 3): minus its second derivative."""
    for k in range(3):
        for j in range(3):
            H[k, j] = 0.0
    for side in range(2):
        add_curvature(
            kind_a if side == 0 else kind_b, size_a if side == 0 else size_b, Ra if side == 0 else Rb,
            asks_a if side == 0 else asks_b, 1.0 if side == 0 else -1.0, n, pa if side == 0 else pb,
            sa if side == 0 else sb, H,
        )  # fmt: skip
    value = 0.0
    for k in range(3):
        grad[k] = d[k] + sb[k] - sa[k]
        value += n[k] * grad[k]
    return value


@njit(**INNER)
def newton(kind_a, size_a, Ra, asks_a, pa, kind_b, size_b, Rb, asks_b, pb, d, axis, flat, n, work):
    """Climb to the top of a smooth piece of g by Newton's method, from n, in place.

    flat: n stays at right angles to `axis`.  work (10, 3).
    """
    sa, sb, grad, trial = work[0], work[1], work[2], work[3]
    H = work[4:7]
    t1, t2 = work[7], work[8]
    for k in range(3):
        trial[k] = n[k]
    value, x1, x2, length, size, last = -np.inf, 0.0, 0.0, 1.0, 0.0, np.inf
    for _ in range(100):
        new = piece_value(kind_a, size_a, Ra, asks_a, pa, kind_b, size_b, Rb, asks_b, pb, d, trial, sa, sb, grad, H)
        # near the top g is flat to round-off: full steps are taken there
        if new < value - 1e-15 * size and length > 1e-7:
            x1 *= 0.5
            x2 *= 0.5
            length *= 0.5
            step_from(n, x1, x2, t1, t2, trial)
            continue
        for k in range(3):
            n[k] = trial[k]
        value = new
        # done where steps no longer shrink: that is round-off
        if length < 1e-15 or (length < 1e-7 and length > 0.5 * last):
            break
        last = length
        if flat:
            t1[0] = axis[1] * n[2] - axis[2] * n[1]
            t1[1] = axis[2] * n[0] - axis[0] * n[2]
            t1[2] = axis[0] * n[1] - axis[1] * n[0]
            t2[0], t2[1], t2[2] = 0.0, 0.0, 0.0
        else:
            k = 0
            if abs(n[1]) < abs(n[k]):
                k = 1
            if abs(n[2]) < abs(n[k]):
                k = 2
            for j in range(3):
                t1[j] = (1.0 if j == k else 0.0) - n[k] * n[j]
            scale = 1.0 / math.sqrt(t1[0] * t1[0] + t1[1] * t1[1] + t1[2] * t1[2])
            for j in range(3):
                t1[j] *= scale
            t2[0] = n[1] * t1[2] - n[2] * t1[1]
            t2[1] = n[2] * t1[0] - n[0] * t1[2]
            t2[2] = n[0] * t1[1] - n[1] * t1[0]
        g1, g2, h11, h12, h22 = 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(3):
            g1 += t1[k] * grad[k]
            g2 += t2[k] * grad[k]
            for j in range(3):
                h11 += t1[k] * H[k, j] * t1[j]
                h12 += t1[k] * H[k, j] * t2[j]
                h22 += t2[k] * H[k, j] * t2[j]
        # on the sphere the second derivative of g is -(H + g); where that is no top, a step of gradient ascent
        shift = value
        low = h11 if flat else 0.5 * (h11 + h22) - math.sqrt(0.25 * (h11 - h22) ** 2 + h12 * h12)
        size = abs(h11) + abs(h22) + abs(value) + 1e-300
        if low + shift < 1e-3 * size:
            shift = size - low
        h11 += shift
        h22 += shift
        if flat:
            x1, x2 = g1 / h11, 0.0
        else:
            det = h11 * h22 - h12 * h12
            x1, x2 = (h22 * g1 - h12 * g2) / det, (h11 * g2 - h12 * g1) / det
        length = math.sqrt(x1 * x1 + x2 * x2)
        if length > 0.5:
            x1 *= 0.5 / length
            x2 *= 0.5 / length
        length = math.sqrt(x1 * x1 + x2 * x2)
        step_from(n, x1, x2, t1, t2, trial)


@njit(**INNER)
def step_from(n, x1, x2, t1, t2, trial):
    """The unit vector along n + x1 t1 + x2 t2."""
    square = 0.0
    for k in range(3):
        trial[k] = n[k] + x1 * t1[k] + x2 * t2[k]
        square += trial[k] * trial[k]
    for k in range(3):
        trial[k] /= math.sqrt(square)


@njit(**INNER)
def polish_once(kind_a, size_a, Ra, Va, Fa, kind_b, size_b, Rb, Vb, Fb, d, tolerance, last, n, out, vectors, work):
    """The top of the pieces that are smooth near n, written to out (3,); vectors (4, 3): work.

    last: which pieces were tried last.  Returns whether there is a top of other pieces than these, and which they are.
    """
    along_a, along_b, pa, pb = vectors[0], vectors[1], vectors[2], vectors[3]
    asks_a, asks_b = FREE, FREE
    for side in range(2):
        asks = piece(
            kind_a if side == 0 else kind_b, size_a if side == 0 else size_b, Ra if side == 0 else Rb,
            Va if side == 0 else Vb, Fa if side == 0 else Fb, 1.0 if side == 0 else -1.0, n, tolerance,
            along_a if side == 0 else along_b, pa if side == 0 else pb,
        )  # fmt: skip
        if side == 0:
            asks_a = asks
        else:
            asks_b = asks
    asks = 3 * asks_a + asks_b
    if asks == last:
        return False, asks
    if asks_a == FIXED or asks_b == FIXED:
        chosen = along_a if asks_a == FIXED else along_b
        for k in range(3):
            out[k] = chosen[k]
        return True, asks
    for k in range(3):
        out[k] = n[k]
    axis = along_a if asks_a == ACROSS else along_b
    flat = asks_a == ACROSS or asks_b == ACROSS
    if asks_a == ACROSS and asks_b == ACROSS:
        x = along_a[1] * along_b[2] - along_a[2] * along_b[1]
        y = along_a[2] * along_b[0] - along_a[0] * along_b[2]
        z = along_a[0] * along_b[1] - along_a[1] * along_b[0]
        length = math.sqrt(x * x + y * y + z * z)
        if length > 1e-6:
            if x * n[0] + y * n[1] + z * n[2] < 0.0:
                length = -length
            out[0], out[1], out[2] = x / length, y / length, z / length
            return True, asks
    if flat:  # begin at right angles to the axis
        along = axis[0] * out[0] + axis[1] * out[1] + axis[2] * out[2]
        square = 0.0
        for k in range(3):
            out[k] -= along * axis[k]
            square += out[k] * out[k]
        if square < 1e-12:
            return False, asks
        for k in range(3):
            out[k] /= math.sqrt(square)
    newton(kind_a, size_a, Ra, asks_a, pa, kind_b, size_b, Rb, asks_b, pb, d, axis, flat, out, work)
    return True, asks


@njit(**INNER)
def polish(kind_a, size_a, Ra, Va, Fa, kind_b, size_b, Rb, Vb, Fb, d, scale, n, vectors, work):
    """The last digits of n: the best of the tops of the pieces that meet near it; returns the separation."""
    start, out = vectors[4], vectors[5]
    for k in range(3):
        start[k] = n[k]
    best, slack, last = -np.inf, 0.0, -1
    for attempt in range(5):
        if attempt == 0:  # what the climb found
            for k in range(3):
                out[k] = n[k]
        else:
            tolerance = 1e-9 if attempt == 1 else (1e-6 if attempt == 2 else (1e-4 if attempt == 3 else 1e-2))
            new, last = polish_once(
                kind_a, size_a, Ra, Va, Fa, kind_b, size_b, Rb, Vb, Fb, d, tolerance, last, start, out, vectors, work
            )  # fmt: skip
            if not new:
                continue
        value = separation(kind_a, size_a, Ra, Va, kind_b, size_b, Rb, Vb, d[0], d[1], d[2], out[0], out[1], out[2])
        # the first that is as good as the climb's result replaces it, later ones must be better
        if value >= best - slack:
            for k in range(3):
                n[k] = out[k]
            best = value
            slack = 1e-12 * scale if attempt == 0 else -1e-15 * scale
    return best
