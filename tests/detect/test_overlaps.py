"""Overlapping bodies are parted along the shortest way, found here among thousands of directions."""

from __future__ import annotations

import numpy as np
import pytest
from bodies import bodies, nearest, random_quaternion

from trundle.scene import Box, Cone, Cylinder, Disk
from trundle.scene.surfaces import rotation

DIRECTIONS = np.random.default_rng(0).normal(size=(20_000, 3))
DIRECTIONS /= np.linalg.norm(DIRECTIONS, axis=1)[:, None]
BETWEEN = 0.03  # [rad], the angle between neighbouring directions


def support(shape, n):
    """Largest n.x over a shape, for directions n (N, 3) in its frame."""
    across, along = np.linalg.norm(n[:, :2], axis=1), n[:, 2]
    if isinstance(shape, Box):
        return np.abs(n) @ (0.5 * np.asarray(shape.size))
    if isinstance(shape, Cone):  # its centre of mass is a quarter of the height above the base
        return np.maximum(0.75 * shape.height * along, shape.radius * across - 0.25 * shape.height * along)
    half = 0.0 if isinstance(shape, Disk) else 0.5 * shape.height  # disks are thin
    return shape.radius * across + half * np.abs(along)


def separation(shapes, state):
    """Largest separation [m] over many directions; negative: the least overlap."""
    one = support(shapes[0], DIRECTIONS @ rotation(state.orientation[0]))
    other = support(shapes[1], -DIRECTIONS @ rotation(state.orientation[1]))
    return float(np.max(DIRECTIONS @ (state.position[1] - state.position[0]) - one - other))


PAIRS = {
    "disk, box": lambda r: (Disk(0.3), Box(0.1 + 0.8 * r.random(3))),
    "cone, box": lambda r: (Cone(0.3, 0.2 + 0.4 * r.random()), Box(0.1 + 0.8 * r.random(3))),
    "cylinder, cone": lambda r: (Cylinder(0.2, 0.2 + 0.6 * r.random()), Cone(0.3, 0.2 + 0.4 * r.random())),
    "disk, cylinder": lambda r: (Disk(0.3), Cylinder(0.2, 0.2 + 0.6 * r.random())),
}


@pytest.mark.parametrize("pair", PAIRS)
def test_the_gap_of_bodies_that_overlap_is_the_shortest_way_to_part_them(pair):
    random = np.random.default_rng(5)
    for _ in range(60):
        shapes = PAIRS[pair](random)
        detector, state = bodies(*shapes)
        for i in range(2):
            state.orientation[i] = random_quaternion(random)
        u, low, high = random.normal(size=3), 0.0, 2.0
        depth = 0.06 * random.random()
        for _ in range(20):  # bring them so far together that they overlap by this
            middle = 0.5 * (low + high)
            state.position[1] = middle * u / np.linalg.norm(u)
            low, high = (low, middle) if separation(shapes, state) > -depth else (middle, high)
        wanted, (gap, _, _) = separation(shapes, state), nearest(detector, state)
        assert gap > wanted - 0.5 * BETWEEN * 0.1, (wanted, gap)
        assert gap < wanted + 0.5 * BETWEEN * 1.0  # brute force sees no more than this of the top
