"""Pairs that close within a step because of another impact in it."""

from __future__ import annotations

import numpy as np
import pytest
from bodies import SHAPES, at_gap, bodies, random_quaternion

from trundle.scene import HalfSpace, HeightField, Sphere

H = 5e-3


@pytest.mark.parametrize("ground", [HalfSpace(), HeightField(np.zeros((5, 5)), 0.5, (-1, -1, 0))])
def test_a_ball_that_is_hit_towards_the_ground_is_looked_at_again(ground):
    # 4 mm above the floor, at rest until another one hits it at 4 m/s: 20 mm in 5 ms
    detector, state = bodies(ground, Sphere(0.1), fixed=(0,))
    state.position[1, 2] = 0.104
    contacts = detector.detect(state, H)
    assert len(contacts) == 0
    velocity, still = np.zeros((2, 3)), np.zeros((2, 3))
    assert len(detector.to_look_at(state, contacts, velocity, still, H)) == 0
    velocity[1, 2] = -4.0
    assert detector.to_look_at(state, contacts, velocity, still, H).tolist() == [[0, 1]]
    state.velocity[:] = velocity
    contacts = detector.detect(state, H)
    assert len(contacts) == 1
    assert len(detector.to_look_at(state, contacts, velocity, still, H)) == 0


@pytest.mark.parametrize("name", SHAPES)
def test_pairs_that_close_are_found_and_pairs_that_part_are_not(name):
    rng = np.random.default_rng(6)
    detector, state = bodies(SHAPES[name], SHAPES[name])
    for _ in range(5):
        state.orientation[:] = random_quaternion(rng), random_quaternion(rng)
        direction = rng.normal(size=3)
        at_gap(detector, state, direction / np.linalg.norm(direction), 0.01)
        normal = detector.detect(_approaching(state, direction), 1.0).normal
        contacts = detector.detect(state, 0.0)  # near, but slow: no contact
        assert len(contacts) == 0
        velocity, still = np.zeros((2, 3)), np.zeros((2, 3))
        deep = 0.01 + 0.03 * SHAPES[name].bounding_radius
        for closing, expected in ((0.005, []), (-0.01, []), (deep, [[0, 1]])):
            velocity[1] = -closing / H * normal[0]
            assert detector.to_look_at(state, contacts, velocity, still, H).tolist() == expected


def _approaching(state, direction):
    state = state.copy()
    state.velocity[1] = -0.02 * direction / np.linalg.norm(direction)
    return state
