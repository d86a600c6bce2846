"""Walls that are touched from inside, in their own frames: the insides of a sphere, a cylinder, a cone and a torus.  Compiled.

All are surfaces of revolution about z; size[5] is the height of the body's origin in the coordinates used here: centre of the
sphere, of the cylinder and of the torus, apex of the cone.  A wall has two curvatures [1/m], positive where it is hollow: around
the axis and along the meridian.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.rotations import INNER
from trundle.kinds import CONE_INSIDE, CYLINDER_INSIDE, SPHERE_INSIDE

ON_WALL, BEYOND = 0, 1
EDGE_SLACK = 1e-12


@njit(**INNER)
def outwards(kind, size, x, y, z):
    """Depth [m] of a point inside of a wall that has no end, and the outward normal of the wall at its foot point."""
    across = math.sqrt(x * x + y * y)
    ux, uy = (x / across, y / across) if across > 0.0 else (1.0, 0.0)
    if kind == SPHERE_INSIDE:
        length = math.sqrt(x * x + y * y + z * z)
        if length == 0.0:
            return size[0], 0.0, 0.0, -1.0
        return size[0] - length, x / length, y / length, z / length
    if kind == CYLINDER_INSIDE:
        return size[0] - across, ux, uy, 0.0
    if kind == CONE_INSIDE:
        return size[0] * z - size[1] * across, size[1] * ux, size[1] * uy, -size[0]
    beyond = across - size[0]
    length = math.sqrt(beyond * beyond + z * z)
    if length == 0.0:
        return size[1], ux, uy, 0.0
    return size[1] - length, ux * beyond / length, uy * beyond / length, z / length


@njit(**INNER)
def field_curvatures(kind, size, x, y, z):
    """How fast the outward normal turns at a point, around the axis and along the meridian [1/m]."""
    across = max(math.sqrt(x * x + y * y), 1e-300)
    if kind == SPHERE_INSIDE:
        each = 1.0 / max(math.sqrt(x * x + y * y + z * z), 1e-300)
        return each, each
    if kind == CYLINDER_INSIDE:
        return 1.0 / across, 0.0
    if kind == CONE_INSIDE:
        return size[1] / across, 0.0
    beyond = across - size[0]
    length = max(math.sqrt(beyond * beyond + z * z), 1e-300)
    return beyond / (length * across), 1.0 / length


@njit(**INNER)
def mean_radius(kind, size, x, y, z):
    """Radius of mean curvature of a wall at the foot of a point, negative where it is hollow."""
    if kind == SPHERE_INSIDE:
        return -size[0]
    if kind == CYLINDER_INSIDE:
        return -2.0 * size[0]
    across = math.sqrt(x * x + y * y)
    if kind == CONE_INSIDE:
        foot = size[0] * (size[0] * across + size[1] * z)
        return -2.0 * foot / size[1]
    beyond = across - size[0]
    length = math.sqrt(beyond * beyond + z * z)
    cosine = beyond / length if length > 0.0 else 1.0
    total = 1.0 / size[1] + cosine / (size[0] + size[1] * cosine)
    return -2.0 / total if total != 0.0 else np.inf


@njit(**INNER)
def principal(kind, size, radius, nx, ny, nz):
    """Curvatures of a wall around the axis and along the meridian where its normal is n, own frame, and the direction around.

    radius: of mean curvature, as a contact has it.
    """
    across = math.sqrt(nx * nx + ny * ny)
    tx, ty = (-ny / across, nx / across) if across > 0.0 else (1.0, 0.0)
    if kind == SPHERE_INSIDE:
        return 1.0 / size[0], 1.0 / size[0], tx, ty
    if kind == CYLINDER_INSIDE:
        return 1.0 / size[0], 0.0, tx, ty
    if kind == CONE_INSIDE:
        return -2.0 / radius, 0.0, tx, ty
    return -2.0 / radius - 1.0 / size[1], 1.0 / size[1], tx, ty


@njit(**INNER)
def to_arc(start, width, angle):
    """How far an angle is beyond an arc: 0 within it, > 0 behind its end, < 0 before its start, whichever is nearer."""
    beyond = (angle - start) % (2.0 * math.pi)
    if beyond <= width:
        return 0.0
    after, before = beyond - width, 2.0 * math.pi - beyond
    if min(after, before) < EDGE_SLACK:
        return 0.0
    return after if after <= before else -before


@njit(**INNER)
def edge_of(kind, size, x, y, z):
    """Whether the foot of a point is ON_WALL or BEYOND its edge; then distance from the axis and height of that edge, and the
    inward normal of the wall there, in the plane of the meridian."""
    across = math.sqrt(x * x + y * y)
    if kind == SPHERE_INSIDE:
        if -z >= (size[1] - EDGE_SLACK) * math.sqrt(across * across + z * z):
            return ON_WALL, 0.0, 0.0, 0.0, 0.0
        return BEYOND, size[0] * size[2], -size[0] * size[1], -size[2], size[1]
    if kind == CYLINDER_INSIDE:
        if abs(z) <= size[1] * (1.0 + EDGE_SLACK):
            return ON_WALL, 0.0, 0.0, 0.0, 0.0
        return BEYOND, size[0], math.copysign(size[1], z), -1.0, 0.0
    if kind == CONE_INSIDE:
        if size[0] * across + size[1] * z <= size[2] * (1.0 + EDGE_SLACK):
            return ON_WALL, 0.0, 0.0, 0.0, 0.0
        return BEYOND, size[0] * size[2], size[1] * size[2], -size[1], size[0]
    if size[3] >= 7.0:
        return ON_WALL, 0.0, 0.0, 0.0, 0.0
    away = to_arc(size[2], size[3], math.atan2(z, across - size[0]))
    if away == 0.0:
        return ON_WALL, 0.0, 0.0, 0.0, 0.0
    end = size[2] + (size[3] if away > 0.0 else 0.0)
    c, s = math.cos(end), math.sin(end)
    return BEYOND, size[0] + size[1] * c, size[1] * s, -c, -s


@njit(**INNER)
def turned_outward(kind, size, x, y, z, ox, oy, oz, c, s):
    """The outward normal o at the foot of a point, turned about the axis, or in a torus about the middle of the tube, by an
    angle with cosine c and sine s."""
    if kind == CYLINDER_INSIDE or kind == CONE_INSIDE:
        return c * ox - s * oy, s * ox + c * oy, oz
    across = math.sqrt(x * x + y * y)
    ux, uy = (x / across, y / across) if across > 0.0 else (1.0, 0.0)
    radial = ux * ox + uy * oy
    turned = c * radial - s * oz
    return ux * turned, uy * turned, s * radial + c * oz
