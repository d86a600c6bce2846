"""Stages for ground that is rougher than its triangles: a height on top of it, random and piecewise linear.  Never raise.

On a lattice of the facets' size every node has a random height d; between nodes it is linear over two triangles per square.  A
body's point at the signed distance s from a triangle with the normal n is above the rough surface by

    phi = s - n_z d(x, y),      grad phi = n - n_z (d_x, d_y, 0),

so that the gap is phi / |grad phi| and the normal grad phi / |grad phi|: exact for points over a facet.  The heights are a hash
of the seed, the body's key and the node, so that the same body finds the same ground wherever it passes again.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.contacts import ON, surface_at
from trundle.kernels.rotations import INNER
from trundle.kernels.space import GO_ON, real1, real2, whole1, whole2
from trundle.step.kernels import places as P

WIDEST = math.sqrt(1.5)  # slopes of standard deviation s along x and y need heights uniform within +- s size WIDEST


@njit(**INNER)
def mixed(x):
    """A number whose bits depend on all bits of x (the finaliser of splitmix64)."""
    x = np.uint64(x)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@njit(**INNER)
def height_of_node(seed, key, i, j):
    """A number in [-1, 1), the same for the same seed, key and node."""
    x = mixed(np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15))
    x = mixed(x ^ np.uint64(key))
    x = mixed(x + np.uint64(i))
    x = mixed(x ^ (np.uint64(j) * np.uint64(0xD1B54A32D192ED03)))
    return (x >> np.uint64(11)) * (2.0 / 9007199254740992.0) - 1.0


@njit(**INNER)
def rough_height(slope, size, seed, key, x, y):
    """Height on top of the ground at a place, and its derivatives by x and y."""
    u, v = x / size, y / size
    i, j = math.floor(u), math.floor(v)
    s, t, scale = u - i, v - j, slope * size * WIDEST
    i, j = np.int64(i), np.int64(j)
    low, high = height_of_node(seed, key, i, j), height_of_node(seed, key, i + 1, j + 1)
    if s >= t:
        side = height_of_node(seed, key, i + 1, j)
        dx, dy = side - low, high - side
    else:
        side = height_of_node(seed, key, i, j + 1)
        dx, dy = high - side, side - low
    return scale * (low + s * dx + t * dy), scale / size * dx, scale / size * dy


@njit(**INNER)
def widen(at, sign):
    """Let grounds reach out by the largest height on top of them, or take it back."""
    rough, meshes, reach = real2(at, P.ROUGH), whole1(at, P.LIST_MESHES), real1(at, P.ROOM_REACH)
    most = 0.0
    for k in range(rough.shape[0]):
        most = max(most, rough[k, 0] * rough[k, 1] * WIDEST)
    for k in range(meshes.shape[0]):
        reach[meshes[k]] += sign * most


def reach_over_roughness(at):
    """Before bodies on meshes are looked for."""
    widen(at, 1.0)
    return GO_ON


def roughen(at):
    """Gap, normal and point of the contacts with grounds that are rough."""
    numbers, found, real = whole1(at, P.NUMBERS), whole2(at, P.FOUND), real2(at, P.FOUND_REAL)
    rough, keys = real2(at, P.ROUGH), whole1(at, P.ROUGH_KEY)
    surface, zone_of, zone = whole1(at, P.LIST_SURFACE), whole1(at, P.LIST_ZONE_OF), whole1(at, P.LIST_ZONE)
    meshes = whole1(at, P.LIST_MESHES)
    widen(at, -1.0)
    if numbers[P.COUNT] > found.shape[0]:
        return GO_ON
    first = numbers[P.LATE_FROM] if numbers[P.AHEAD] else 0
    for c in range(first, numbers[P.COUNT]):
        a, is_mesh = found[c, 0], False
        for k in range(meshes.shape[0]):
            is_mesh = is_mesh or meshes[k] == a
        row = real[c]
        n_z = row[5]
        if not is_mesh or n_z <= 0.0:
            continue
        r = rough[surface_at(surface, zone_of, zone, a, found[c, ON])]
        if r[0] == 0.0:
            continue
        ball = row[8] if row[8] < np.inf else 0.0  # round bodies touch with a ball, others with a point
        above = 0.5 * row[6] + ball
        x, y, z = row[0] + above * row[3], row[1] + above * row[4], row[2] + above * n_z
        d, dx, dy = rough_height(r[0], r[1], np.int64(r[2]), keys[found[c, 1]], x, y)
        nx, ny = row[3] - n_z * dx, row[4] - n_z * dy
        size = 1.0 / math.sqrt(nx * nx + ny * ny + n_z * n_z)
        row[6] = (row[6] + ball - n_z * d) * size - ball
        row[3], row[4], row[5] = nx * size, ny * size, n_z * size
        above = 0.5 * row[6] + ball
        row[0], row[1], row[2] = x - above * row[3], y - above * row[4], z - above * row[5]
    return GO_ON
