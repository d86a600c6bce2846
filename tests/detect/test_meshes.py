"""Bodies on triangle meshes and height fields: exact gaps, and no edges where the surface is smooth."""

from __future__ import annotations

import numpy as np
import pytest
from bodies import SHAPES, bodies, moved, nearest, random_quaternion

from trundle.scene import Box, Cylinder, HeightField, Mesh, Sphere
from trundle.scene.shapes_base import ball_mesh

FLAT = HeightField(np.zeros((9, 9)), 0.25, (-1, -1, 0))
ROOF = Mesh([(-1, -1, 0), (-1, 1, 0), (0, 1, 0.5), (0, -1, 0.5), (1, 1, 0), (1, -1, 0)],
            [(0, 3, 2), (0, 2, 1), (3, 5, 4), (3, 4, 2)])  # fmt: skip


def test_a_sphere_on_flat_ground_feels_one_contact_wherever_it_is():
    # also right above edges and corners of the grid: no second contact, no other normal
    detector, state = bodies(FLAT, Sphere(0.1))
    rng = np.random.default_rng(0)
    places = [*rng.uniform(-0.9, 0.9, (50, 2)), (0, 0), (0.25, 0.1), (0.1, 0.25), (0.1, 0.1), (0.25, 0.25)]
    for x, y in places:
        state.position[1] = (x, y, 0.099)
        contacts = detector.detect(state, 0.0)
        assert len(contacts) == 1
        np.testing.assert_allclose(contacts.normal[0], (0, 0, 1), atol=1e-12)
        assert contacts.gap[0] == pytest.approx(-0.001, abs=1e-15)


def test_a_sphere_over_a_ridge_feels_its_edge_and_in_a_valley_both_faces():
    detector, state = bodies(ROOF, Sphere(0.2))
    state.position[1] = (0.01, 0.1, 0.69)
    contacts = detector.detect(state, 0.0)
    assert len(contacts) == 1
    assert contacts.gap[0] == pytest.approx(np.hypot(0.01, 0.19) - 0.2, abs=1e-14)
    valley = Mesh(np.asarray(ROOF.vertices) * [1, 1, -1], ROOF.faces)  # seen from above, they go round as before
    detector, state = bodies(valley, Sphere(0.2))
    slope = np.hypot(1, 0.5)
    state.position[1] = (0, 0.1, -0.5 + 0.2 * slope)
    contacts = detector.detect(state, 0.0)
    np.testing.assert_allclose(contacts.gap, [0, 0], atol=1e-14)
    assert sorted(contacts.normal[:, 0]) == pytest.approx([-0.5 / slope, 0.5 / slope])


def test_the_distance_of_a_ball_from_a_mesh_is_the_smallest_to_any_of_its_triangles():
    vertices, triangles = ball_mesh(16)
    rng = np.random.default_rng(3)
    vertices = vertices * rng.uniform(0.8, 1.2, (len(vertices), 1))
    detector, state = bodies(Mesh(vertices, triangles), Sphere(0.3))
    for _ in range(40):
        d = rng.normal(size=3)
        state.position[1] = rng.uniform(1.25, 2.0) * d / np.linalg.norm(d)
        distance = min(distance_to_triangle(state.position[1], vertices[t]) for t in triangles)
        assert nearest(detector, state)[0] == pytest.approx(distance - 0.3, abs=1e-12)


def distance_to_triangle(x, corners):
    """Distance by solving for the foot in the plane, and by its sides if that is outside."""
    a, b, c = corners
    (u, v), *_ = np.linalg.lstsq(np.column_stack([b - a, c - a]), x - a, rcond=None)
    if u >= 0 and v >= 0 and u + v <= 1:
        return np.linalg.norm(a + u * (b - a) + v * (c - a) - x)
    sides = []
    for p, q in ((a, b), (b, c), (c, a)):
        s = np.clip((x - p) @ (q - p) / ((q - p) @ (q - p)), 0, 1)
        sides.append(np.linalg.norm(p + s * (q - p) - x))
    return min(sides)


@pytest.mark.parametrize("name", SHAPES)
def test_all_shapes_find_the_same_ground_in_a_height_field_as_in_a_plane(name):
    from trundle.scene import HalfSpace

    rng = np.random.default_rng(4)
    one, state = bodies(FLAT, SHAPES[name])
    other, _ = bodies(HalfSpace(), SHAPES[name])
    for _ in range(5):
        state.orientation[1] = random_quaternion(rng)
        state.position[1] = (*rng.uniform(-0.1, 0.1, 2), 0.0)
        state.position[1, 2] -= nearest(other, state)[0] + 1e-4
        a, b = one.detect(state, 0.0), other.detect(state, 0.0)
        assert a.gap.min() == pytest.approx(b.gap.min(), abs=1e-12)
        np.testing.assert_allclose(a.normal, np.tile([0.0, 0, 1], (len(a), 1)), atol=1e-12)
        np.testing.assert_allclose(a.point[np.argmin(a.gap)], b.point[np.argmin(b.gap)], atol=1e-10)


@pytest.mark.parametrize("shape", [Box((0.5, 0.4, 0.3)), Cylinder(0.2, 0.6), SHAPES["ellipsoid"], SHAPES["capsule"]])
def test_a_body_over_a_ridge_rests_on_its_edge(shape):
    detector, state = bodies(ROOF, shape)
    state.orientation[1] = (np.sqrt(0.5), 0, np.sqrt(0.5), 0)  # lying across the ridge
    state.position[1] = (0.02, 0.0, 1.5)
    state.position[1, 2] -= nearest(detector, state)[0]
    gap, n, point = nearest(detector, state)
    assert abs(gap) < 0.02
    assert abs(point[0]) < 0.02
    assert n[2] > 0.9
    # gap and normal belong together here, too
    rng = np.random.default_rng(0)
    v, w = np.zeros((2, 3)), np.zeros((2, 3))
    v[1], w[1] = rng.normal(size=(2, 3))
    rate = n @ (v[1] + np.cross(w[1], point - state.position[1]))
    after, before = (nearest(detector, moved(state, v, w, s * 1e-6))[0] for s in (1, -1))
    slopes = np.array([(after - before) / 2e-6, (after - gap) / 1e-6, (gap - before) / 1e-6])
    assert np.abs(slopes - rate).min() < 1e-4


def test_a_box_lying_across_a_step_of_a_mesh_does_not_catch_on_flat_edges():
    detector, state = bodies(FLAT, Box((0.6, 0.6, 0.1)))
    for x in np.linspace(-0.3, 0.3, 25):
        state.position[1] = (x, 0.03, 0.05 - 1e-6)
        contacts = detector.detect(state, 0.0)
        assert len(contacts) == 4
        np.testing.assert_allclose(contacts.normal[:, 2], 1.0, atol=1e-12)


def test_large_meshes_are_searched_by_a_tree():
    n = 230
    x = np.arange(n)[:, None] * 0.1
    heights = 0.05 * np.sin(x) * np.cos(x.T)
    field = HeightField(heights, 0.1)
    assert len(field.faces) > 100_000
    detector, state = bodies(field, Sphere(0.3))
    for i, j in ((5, 7), (100, 200), (222, 3)):
        state.position[1] = (0.1 * i, 0.1 * j, heights[i, j] + 0.31)
        assert abs(nearest(detector, state)[0] - 0.01) < 0.002
