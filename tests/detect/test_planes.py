"""Every shape on a half-space, and the disk of le Saux, Leine & Glocker (2005)."""

from __future__ import annotations

import numpy as np
import pytest
from bodies import SHAPES, bodies, moved, nearest, random_quaternion, rotation

from trundle.kernels.rotations import rotate_by
from trundle.scene import Disk, HalfSpace

FLYING = 10.0  # everything within reach


def on_plane(shape, normal=(0, 0, 1), offset=0.0):
    return bodies(HalfSpace(normal=normal, offset=offset), shape)


@pytest.mark.parametrize("name", SHAPES)
def test_the_gap_to_a_plane_is_that_of_the_lowest_surface_point(name):
    # the corners of a fine surface mesh lie on the surface (smooth shapes: O(1 / resolution^2) above the lowest point)
    rng = np.random.default_rng(1)
    shape = SHAPES[name]
    normal = np.array([0.2, -0.3, 0.9])
    detector, state = on_plane(shape, normal, 0.4)
    normal /= np.linalg.norm(normal)
    vertices, _ = shape.surface_mesh(400)
    for _ in range(5):
        state.orientation[1] = random_quaternion(rng)
        state.position[1] = rng.normal(size=3)
        gap, n, point = nearest(detector, state)
        lowest = (state.position[1] + vertices @ rotation(state, 1).T) @ normal - 0.4
        assert lowest.min() - 1e-4 <= gap <= lowest.min() + 1e-12
        np.testing.assert_allclose(n, normal, atol=1e-15)
        assert point @ normal - 0.4 == pytest.approx(0.5 * gap, abs=1e-13)


@pytest.mark.parametrize("name", SHAPES)
def test_the_gap_to_a_moving_plane_changes_at_the_normal_velocity_of_the_contact_point(name):
    rng = np.random.default_rng(2)
    detector, state = on_plane(SHAPES[name], (0.2, -0.3, 0.9), 0.4)
    for _ in range(5):
        state.orientation[:] = random_quaternion(rng), random_quaternion(rng)
        state.position[:] = rng.normal(size=(2, 3))
        _, n, point = nearest(detector, state)
        v, w = rng.normal(size=(2, 2, 3))
        arm = point - state.position
        rate = n @ (v[1] + np.cross(w[1], arm[1]) - v[0] - np.cross(w[0], arm[0]))
        h = 1e-6
        after, before = (nearest(detector, moved(state, v, w, s * h))[0] for s in (1, -1))
        assert (after - before) / (2 * h) == pytest.approx(rate, abs=1e-6 * (1 + abs(rate)))


def test_gaps_of_a_tilted_disk_are_those_of_equation_2_15():
    r, z, beta = 0.05, 0.03, 0.4
    detector, state = on_plane(Disk(r))
    rotate_by(state.orientation, 1, beta, 0, 0)
    rotate_by(state.orientation, 1, 0, 0, 0.7)
    state.position[1] = (0.1, 0.2, z)
    contacts = detector.detect(state, 0.0)
    state.velocity[1, 0] = 1.0
    contacts = detector.detect(state, FLYING)
    R33 = rotation(state, 1)[2, 2]
    first, others = z - r * np.sqrt(1 - R33**2), z + 0.5 * r * np.sqrt(1 - R33**2)
    np.testing.assert_allclose(contacts.gap, [first, others, others], atol=1e-15)
    # (2.14): the three arms from the centre add up to zero
    arms = contacts.point + 0.5 * contacts.gap[:, None] * contacts.normal - state.position[1]
    np.testing.assert_allclose(arms.sum(axis=0), 0.0, atol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(arms, axis=1), r, rtol=1e-14)


def test_contact_points_of_a_disk_are_continuous_through_the_horizontal():
    # (2.24): where every point of the rim is the lowest, the points are those that were the lowest last, fixed to the disk
    r = 0.05
    detector, state = on_plane(Disk(r))
    turned = state.orientation[1].copy()
    rotate_by(state.orientation, 1, 0.0, 1e-4, 0.0)  # lowest point: towards +x
    before = detector.detect(state, 0.0).point
    state.orientation[1] = turned
    flat = detector.detect(state, 0.0).point
    np.testing.assert_allclose(flat, before, atol=1e-4 * r)
    np.testing.assert_allclose(flat[0], (r, 0, 0), atol=1e-12)
    rotate_by(state.orientation, 1, 0, 0, 0.5)  # sliding in the plane of the table, it takes them along
    spun = detector.detect(state, 0.0).point
    np.testing.assert_allclose(spun[0], (r * np.cos(0.5), r * np.sin(0.5), 0), atol=1e-12)
    rotate_by(state.orientation, 1, -1e-4, 0.0, 0.0)
    np.testing.assert_allclose(detector.detect(state, 0.0).point[0], (0, r, 0), atol=1e-5)


def test_the_memory_of_flat_disks_can_be_carried_over():
    detector, state = on_plane(Disk(0.05))
    flat = state.copy()
    rotate_by(state.orientation, 1, 1e-4, 1e-4, 0.0)
    detector.detect(state, 0.0)
    other = on_plane(Disk(0.05))[0]
    other.recall(detector.memory())
    assert np.array_equal(other.detect(flat, 0.0).point, detector.detect(flat, 0.0).point)


@pytest.mark.parametrize(
    "name, count", [("sphere", 1), ("box", 4), ("ellipsoid", 1), ("disk", 3), ("cylinder", 4), ("capsule", 1)]
)
def test_bodies_stand_on_a_plane_with_as_many_points_as_they_need(name, count):
    detector, state = on_plane(SHAPES[name])
    state.position[1, 2] = 1.0
    state.position[1, 2] -= nearest(detector, state)[0]
    contacts = detector.detect(state, 0.0)
    assert len(contacts) == count
    np.testing.assert_allclose(contacts.gap, 0.0, atol=1e-15)
