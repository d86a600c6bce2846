"""Near pairs of bodies of all sizes, bodies that are not there, frames, and bodies that passed through each other."""

from __future__ import annotations

import numpy as np
import pytest
from bodies import bodies

from trundle import Scene, laws
from trundle.detect import Detector
from trundle.detect.kernels import contacts as kernels
from trundle.detect.near import SKIN, Near
from trundle.errors import SceneError, SimulationError
from trundle.scene import Box, HalfSpace, HeightField, Sphere
from trundle.scene.model import build_model


def brute_force(position, outer):
    apart = np.linalg.norm(position[:, None] - position[None], axis=2)
    meet = apart < outer[:, None] + outer[None]
    return {(i, j) for i, j in np.argwhere(meet) if i < j}


@pytest.mark.parametrize("spread", [1.0, 2.0, 100.0])
@pytest.mark.parametrize("stray", [False, True])
def test_cells_find_exactly_the_pairs_of_brute_force(spread, stray):
    rng = np.random.default_rng(0)
    n = 400
    position = rng.uniform(0, 10, (n, 3))
    if stray:  # some left the scene
        position[:4] = rng.normal(size=(4, 3)) * 1e5
        position[4] = position[5] = 3e4
    outer = np.exp(rng.uniform(0, np.log(spread), n)) * (0.4 if spread < 10 else 0.05) + 1e-12
    near = Near(n)
    count = near.find(position, np.arange(n), outer)
    found = [tuple(pair) for pair in near.pairs[:count].tolist()]
    assert found == sorted(brute_force(position, (1.0 + SKIN) * outer))  # each once


def test_pairs_are_kept_until_a_body_leaves_its_skin():
    rng = np.random.default_rng(3)
    position, index, outer = rng.uniform(0, 5, (300, 3)), np.arange(300), rng.uniform(0.3, 0.5, 300)
    near = Near(300)
    near.find(position, index, outer)
    first = near.pairs.copy()
    moved = position + 0.5 * SKIN * outer[:, None] * rng.uniform(-1, 1, (300, 3)) / np.sqrt(3.0)
    count = near.find(moved, index, (1.0 + 0.4 * SKIN) * outer)
    assert np.array_equal(near.pairs, first)
    assert brute_force(moved, (1.0 + 0.4 * SKIN) * outer) <= {tuple(pair) for pair in near.pairs[:count]}
    moved[7] += 2.0 * SKIN * outer[7]
    count = near.find(moved, index, outer)
    assert {tuple(pair) for pair in near.pairs[:count]} == brute_force(moved, (1.0 + SKIN) * outer)
    count = near.find(moved, index, 1.1 * outer)  # faster bodies reach further
    assert {tuple(pair) for pair in near.pairs[:count]} == brute_force(moved, (1.0 + SKIN) * 1.1 * outer)
    fewer = np.arange(200)
    count = near.find(moved, fewer, outer)
    assert {tuple(pair) for pair in near.pairs[:count]} == brute_force(moved[:200], (1.0 + SKIN) * outer[:200])


def test_a_large_floor_does_not_spoil_the_search_among_small_bodies():
    rng = np.random.default_rng(1)
    position = np.vstack([rng.uniform(0, 10, (2000, 3)), [[5, 5, -1]]])
    outer = np.append(np.full(2000, 0.1), 20.0)
    near = Near(2001)
    count = near.find(position, np.arange(2001), outer)
    assert {tuple(pair) for pair in near.pairs[:count]} == brute_force(position, (1.0 + SKIN) * outer)


def test_contacts_are_sorted_by_their_keys_and_the_same_whatever_the_buffers():
    rng = np.random.default_rng(2)
    scene = Scene()
    for x in rng.uniform(0, 1, (200, 3)):
        scene.add(Sphere(rng.uniform(0.05, 0.1)), density=1.0, position=x, surface="a")
    scene.add(HalfSpace(), fixed=True, surface="a")
    scene.surface("a", "a", law=laws.Coulomb(mu=0.3))
    model, state = build_model(scene)
    detector = Detector(model)
    contacts = detector.detect(state, 0.0)
    assert len(contacts) > 200
    assert np.all(np.diff(contacts.key) > 0)
    detector.room = 3
    detector.near.grow(2)
    detector.put_into(detector.space)
    again = detector.detect(state, 0.0)
    for name in ("body", "point", "normal", "gap", "law", "key", "radius"):
        assert np.array_equal(getattr(again, name), getattr(contacts, name))


def test_bodies_that_are_not_present_touch_nothing():
    detector, state = bodies(HalfSpace(), Sphere(0.5), Box((1, 1, 1)), Sphere(0.5))
    assert len(detector.detect(state, 0.0)) > 3
    state.present[[1, 2]] = False
    contacts = detector.detect(state, 0.0)
    assert contacts.body.tolist() == [[0, 3]]


def test_a_missing_law_names_the_bodies_and_their_surfaces():
    scene = Scene()
    scene.add(Sphere(0.5), name="ball", mass=1.0, surface="rubber")
    scene.add(HalfSpace(), name="floor", fixed=True, surface="oak")
    model, state = build_model(scene)
    with pytest.raises(SceneError, match="'floor' and 'ball'.*'oak' and 'rubber'"):
        Detector(model).detect(state, 0.0)


@pytest.mark.parametrize("quantity", ["position", "velocity"])
def test_a_state_that_is_not_finite_names_the_body(quantity):
    detector, state = bodies(HalfSpace(), Sphere(0.5), Sphere(0.5))
    getattr(state, quantity)[2, 1] = np.nan
    with pytest.raises(SimulationError, match="'b2' is not finite"):
        detector.detect(state, 1e-3)


def test_frames_follow_a_direction_and_fall_back_where_it_says_nothing():
    rng = np.random.default_rng(0)
    normal = rng.normal(size=(50, 3))
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    direction = rng.normal(size=(50, 3))
    direction[0], direction[1] = 0.0, 3.0 * normal[1]
    default, frame = np.empty((50, 3, 3)), np.empty((50, 3, 3))
    kernels.frames(normal, default)
    kernels.frames(normal, frame)
    kernels.frames_along(normal, direction, frame)
    np.testing.assert_allclose(frame @ frame.transpose(0, 2, 1), np.tile(np.eye(3), (50, 1, 1)), atol=1e-14)
    np.testing.assert_allclose(np.linalg.det(frame), 1.0, rtol=1e-14)
    assert np.array_equal(frame[:2], default[:2])
    projected = direction[2:] - np.sum(direction[2:] * normal[2:], axis=1)[:, None] * normal[2:]
    np.testing.assert_allclose(np.sum(frame[2:, 2] * projected, axis=1), 0.0, atol=1e-13)
    assert np.all(np.sum(frame[2:, 1] * projected, axis=1) > 0.0)


@pytest.mark.parametrize(
    "thing, start, end, through",
    [
        (HalfSpace(), (0, 0, 1), (0, 0, -1), True),
        (HalfSpace(), (0, 0, 1), (0, 0, 0.05), False),
        (Box((2, 2, 0.1)), (0.5, 0.3, 1), (0.5, 0.3, -1), True),
        (Box((2, 2, 0.1)), (3.0, 0.3, 1), (3.0, 0.3, -1), False),
        (Sphere(0.3), (0, 0, 1), (0.01, 0, -1), True),
        (Sphere(0.3), (0, 0.5, 1), (0, 0.5, -1), False),
        (HeightField(np.zeros((5, 5)), 0.5, (-1, -1, 0)), (0.2, 0.1, 1), (0.2, 0.1, -1), True),
        (HeightField(np.zeros((5, 5)), 0.5, (-1, -1, 0)), (0.2, 0.1, -1), (0.2, 0.1, 1), False),
    ],
)
def test_bodies_that_pass_through_others_are_noticed(thing, start, end, through):
    detector, state = bodies(thing, Sphere(0.1), fixed=(0,))
    after = state.copy()
    state.position[1], after.position[1] = start, end
    assert detector.missed(state, after).tolist() == ([[0, 1]] if through else [])
