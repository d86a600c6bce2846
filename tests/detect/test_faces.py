"""Faces that lie on each other touch in several points, whose identity survives small motions."""

from __future__ import annotations

import numpy as np
import pytest
from bodies import bodies, random_quaternion

from trundle.kernels.rotations import rotate_by
from trundle.scene import Box, Capsule, Cylinder, Disk, Polyhedron

UPRIGHT, LYING = (1, 0, 0, 0), (np.sqrt(0.5), 0, np.sqrt(0.5), 0)
CUBE = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]


@pytest.mark.parametrize(
    "shape, turned, height, places",
    [
        (Box((0.4, 0.2, 0.6)), UPRIGHT, 0.3, [(-0.2, -0.1), (0.2, -0.1), (-0.2, 0.1), (0.2, 0.1)]),
        (Polyhedron(0.2 * np.array(CUBE)), UPRIGHT, 0.2, [(-0.2, -0.2), (0.2, -0.2), (-0.2, 0.2), (0.2, 0.2)]),
        (Capsule(0.1, 0.4), LYING, 0.1, [(-0.2, 0), (0.2, 0)]),
        (Cylinder(0.1, 0.4), LYING, 0.1, [(-0.2, 0), (0.2, 0)]),
    ],
)
def test_bodies_lie_on_a_box_with_the_points_of_their_own_faces(shape, turned, height, places):
    detector, state = bodies(Box((4, 4, 1)), shape, fixed=(0,))
    state.position[0, 2] = -0.5
    state.position[1, 2] = height
    state.orientation[1] = turned
    contacts = detector.detect(state, 0.0)
    np.testing.assert_allclose(contacts.normal, np.tile([0, 0, 1.0], (len(places), 1)), atol=1e-14)
    np.testing.assert_allclose(contacts.gap, 0.0, atol=1e-14)
    found = np.array(sorted(map(tuple, contacts.point[:, :2].round(9) + 0.0)))
    np.testing.assert_allclose(found, sorted(places), atol=1e-9)


@pytest.mark.parametrize("shape", [Cylinder(0.3, 0.5), Disk(0.3)])
def test_round_faces_rest_on_a_box_on_points_of_their_rim(shape):
    detector, state = bodies(Box((4, 4, 1)), shape, fixed=(0,))
    state.position[0, 2] = -0.5
    state.position[1, 2] = 0.5 * getattr(shape, "height", 0.0)
    if isinstance(shape, Disk):
        state.position[1, 2] = 1e-6  # a thin disk has no side of its own
    contacts = detector.detect(state, 0.0)
    assert len(contacts) >= 4
    np.testing.assert_allclose(np.linalg.norm(contacts.point[:, :2], axis=1), 0.3, rtol=1e-12)
    np.testing.assert_allclose(contacts.gap, contacts.gap[0], atol=1e-14)
    np.testing.assert_allclose(contacts.point.mean(axis=0)[:2], 0.0, atol=1e-12)


def test_boxes_that_lie_on_each_other_askew_touch_in_the_eight_corners_of_an_octagon():
    detector, state = bodies(Box((1, 1, 1)), Box((1, 1, 1)))
    state.position[1, 2] = 1.0
    rotate_by(state.orientation, 1, 0, 0, np.pi / 4)
    contacts = detector.detect(state, 0.0)
    assert len(contacts) == 8
    corner = np.hypot(0.5, np.sqrt(0.5) - 0.5)
    np.testing.assert_allclose(np.linalg.norm(contacts.point[:, :2], axis=1), corner, rtol=1e-12)
    assert len(set(contacts.key.tolist())) == 8


def test_crossed_edges_touch_in_one_point():
    detector, state = bodies(Box((1, 1, 1)), Box((1, 1, 1)))
    rotate_by(state.orientation, 0, np.pi / 4, 0, 0)
    rotate_by(state.orientation, 1, 0, np.pi / 4, 0)
    state.position[1] = (0.1, -0.05, np.sqrt(2.0) - 0.01)
    contacts = detector.detect(state, 0.0)
    assert len(contacts) == 1
    assert contacts.gap[0] == pytest.approx(-0.01, abs=1e-14)
    np.testing.assert_allclose(contacts.normal[0], (0, 0, 1), atol=1e-14)
    # edges along x through (0, 0, top) and along y through (0.1, ..): they cross above (0.1, 0)
    np.testing.assert_allclose(contacts.point[0], (0.1, 0.0, np.sqrt(0.5) - 0.005), atol=1e-13)


def test_identities_of_contacts_survive_small_motions_and_are_unique():
    rng = np.random.default_rng(0)
    detector, state = bodies(Box((1, 1, 1)), Box((0.6, 0.7, 0.8)))
    state.position[1] = (0.3, 0.25, 0.9)
    keys = detector.detect(state, 0.0).key
    assert len(set(keys.tolist())) == len(keys) == 4
    for _ in range(20):
        jittered = state.copy()
        jittered.position += 1e-9 * rng.normal(size=(2, 3))
        for i in range(2):
            rotate_by(jittered.orientation, i, *(1e-9 * rng.normal(size=3)))
        assert np.array_equal(detector.detect(jittered, 0.0).key, keys)


def test_contacts_do_not_depend_on_where_and_how_the_scene_lies():
    rng = np.random.default_rng(1)
    detector, state = bodies(Box((1, 1, 1)), Cylinder(0.3, 0.8))
    state.position[1] = (0.3, 0.25, 0.9)
    here = detector.detect(state, 0.0)
    q = random_quaternion(rng)
    there = state.copy()
    axis = 2.0 * np.arccos(q[0]) * q[1:] / np.linalg.norm(q[1:])
    R = np.column_stack([_turn(axis, e) for e in np.eye(3)])
    shift = rng.normal(size=3)
    there.position[:] = state.position @ R.T + shift
    for i in range(2):
        rotate_by(there.orientation, i, *axis)
    found = detector.detect(there, 0.0)
    assert np.array_equal(found.key, here.key)
    np.testing.assert_allclose(found.point, here.point @ R.T + shift, atol=1e-12)
    np.testing.assert_allclose(found.normal, here.normal @ R.T, atol=1e-12)
    np.testing.assert_allclose(found.gap, here.gap, atol=1e-12)


def _turn(axis, x):
    angle = np.linalg.norm(axis)
    u = axis / angle
    return x * np.cos(angle) + np.cross(u, x) * np.sin(angle) + u * (u @ x) * (1 - np.cos(angle))
