"""A proof of every distance: two points that far apart, one of each body, and a slab of that width between the bodies."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from bodies import SHAPES, at_gap, bodies, nearest, random_quaternion, rotation

CONVEX = [name for name in SHAPES if name not in ("sphere", "clump")]
FINE = {name: SHAPES[name].surface_mesh(200)[0] for name in CONVEX}


def outside(name, x):
    """How far a point sticks out of a shape [m], not less than 0 (a bound, by the shape's defining inequalities)."""
    shape = SHAPES[name]
    across = np.hypot(x[0], x[1])
    if name == "box":
        return max(0.0, np.max(np.abs(x) - 0.5 * np.array(shape.size)))
    if name == "ellipsoid":
        return max(0.0, np.linalg.norm(x / np.array(shape.semi_axes)) - 1.0)
    if name == "disk":
        return max(0.0, across - shape.radius, abs(x[2]))
    if name == "cylinder":
        return max(0.0, across - shape.radius, abs(x[2]) - 0.5 * shape.height)
    if name == "capsule":
        beyond = max(0.0, abs(x[2]) - 0.5 * shape.height)
        return max(0.0, np.hypot(across, beyond) - shape.radius)
    if name == "cone":
        slant = np.hypot(shape.radius, shape.height)
        side = (shape.height * across + shape.radius * (x[2] - 0.75 * shape.height)) / slant
        return max(0.0, side, -0.25 * shape.height - x[2])
    planes = shape.polytope.planes
    return max(0.0, np.max(planes[:, :3] @ x - planes[:, 3]))


@pytest.mark.parametrize("pair", list(itertools.combinations_with_replacement(CONVEX, 2)), ids="-".join)
def test_gaps_are_proven_by_their_points_and_their_normal(pair):
    # weak duality: no pair of points is nearer than a slab between the bodies is wide.  Where no closed form gives the
    # place along an edge or face it is the search's, which is good to 1e-9 of the distance kept between the bodies, 5 %
    rng = np.random.default_rng(8)
    detector, state = bodies(SHAPES[pair[0]], SHAPES[pair[1]])
    for wanted in (0.4, 0.1, 1e-3, 1e-7, 0.0):
        state.orientation[:] = random_quaternion(rng), random_quaternion(rng)
        direction = rng.normal(size=3)
        at_gap(detector, state, direction / np.linalg.norm(direction), wanted)
        gap, n, point = nearest(detector, state)
        for i, sign in ((0, 1.0), (1, -1.0)):
            R = rotation(state, i)
            foot = point - sign * 0.5 * gap * n
            assert outside(pair[i], R.T @ (foot - state.position[i])) < 1e-8
            surface = state.position[i] + FINE[pair[i]] @ R.T
            assert np.max(sign * (surface - foot) @ n) < 1e-9
