"""What a detector remembers makes it faster, and changes nothing."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from bodies import SHAPES, bodies, moved, random_quaternion

from trundle import Scene, laws
from trundle.detect import Detector
from trundle.kernels.rotations import rotate_by
from trundle.scene import Box, HalfSpace
from trundle.scene.model import build_model

ARRAYS = ("body", "point", "normal", "gap", "law", "key", "radius")
ROUNDED = [name for name in SHAPES if name != "disk"]


def same(one, other):
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ARRAYS)


@pytest.mark.parametrize("pair", list(itertools.combinations_with_replacement(SHAPES, 2)), ids="-".join)
def test_contacts_along_a_flight_are_those_of_a_detector_without_memory(pair):
    # past each other, from far to overlap and on: the same bits
    rng = np.random.default_rng(11)
    detector, state = bodies(SHAPES[pair[0]], SHAPES[pair[1]])
    for flight in range(3):
        state.orientation[:] = random_quaternion(rng), random_quaternion(rng)
        state.position[0], state.position[1] = 0.0, (1.4, 0.15 * flight, 0.1)
        v, w = np.zeros((2, 3)), rng.normal(size=(2, 3))
        v[1, 0] = -1.0
        state.velocity[:], state.angular_velocity[:] = v, w
        touched = 0
        for k in range(60):
            now = moved(state, v, w, 0.03 * k)
            now.velocity[:], now.angular_velocity[:] = v, w
            found = detector.detect(now, 0.01)
            assert same(found, Detector(detector.model).detect(now, 0.01))
            touched += len(found) > 0
        assert 0 < touched < 60 or flight


@pytest.mark.parametrize("name", ROUNDED)
def test_contacts_of_a_heap_do_not_depend_on_what_was_remembered(name):
    rng = np.random.default_rng(1)
    scene = Scene()
    scene.add(HalfSpace(), fixed=True, surface="a")
    for i, x in enumerate(rng.uniform(0.3, 2.0, (40, 3))):
        scene.add(SHAPES[name], name=f"b{i}", mass=1.0, position=x, orientation=random_quaternion(rng), surface="a")
    scene.surface("a", "a", law=laws.Coulomb(mu=0.3))
    model, state = build_model(scene)
    detector = Detector(model)
    v, w = rng.normal(size=(41, 3)), rng.normal(size=(41, 3))
    v[0], w[0] = 0.0, 0.0
    for k in range(15):
        now = moved(state, v, w, 0.01 * k)
        found = detector.detect(now, 0.0)
        assert same(found, Detector(model).detect(now, 0.0))
        assert len(found) > 40


@pytest.mark.parametrize(
    "shift, turn, count", [((0, 0), 0, 4), ((0.3, 0.2), 0, 4), ((0.3, 0.0), 0, 4), ((0, 0), 0.8, 8)]
)
def test_faces_touch_in_the_corners_of_what_they_share_and_keep_their_identities_at_rest(shift, turn, count):
    rng = np.random.default_rng(2)
    detector, state = bodies(Box((1, 1, 1)), Box((1, 1, 1)))
    state.position[1] = (*shift, 1.0)
    rotate_by(state.orientation, 1, 0, 0, turn)
    keys = detector.detect(state, 0.0).key
    assert len(keys) == count
    for _ in range(20):  # a body at rest moves by the solver's tolerance
        state.position[1] += 1e-9 * rng.normal(size=3)
        rotate_by(state.orientation, 1, *(1e-9 * rng.normal(size=3)))
        assert np.array_equal(detector.detect(state, 0.0).key, keys)
