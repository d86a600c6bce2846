"""Volumes, centres and moments of inertia of all shapes against independent references."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

from trundle.scene import Box, Capsule, Clump, Cylinder, Disk, Ellipsoid, Polyhedron, Sphere

CUBE = np.array(list(itertools.product((0, 2), (0, 3), (0, 5))), float)


@pytest.mark.parametrize(
    "shape",
    [
        Sphere(0.3), Ellipsoid((0.1, 0.2, 0.3)), Disk(0.4, 0.1), Cylinder(0.3, 0.9), Capsule(0.3, 0.9),
        Capsule(0.5, 0.1), Box((1, 2, 3)), Polyhedron(np.random.default_rng(0).normal(size=(20, 3))),
    ],
    ids=lambda shape: type(shape).__name__,
)  # fmt: skip
def test_volume_and_inertia_are_those_of_a_fine_mesh(shape):
    # an inscribed mesh of n segments per circle is off by O(1 / n^2) = 1e-4; flat shapes are exact
    vertices, triangles = shape.surface_mesh(360)
    mesh = trimesh.Trimesh(vertices, triangles, process=False)
    exact = isinstance(shape, (Box, Polyhedron))
    assert mesh.is_watertight
    assert mesh.volume == pytest.approx(shape.volume, rel=1e-12 if exact else 3e-4)
    inertia = mesh.moment_inertia / mesh.volume
    np.testing.assert_allclose(inertia, shape.unit_inertia, atol=(1e-12 if exact else 3e-4) * inertia.max())
    np.testing.assert_allclose(mesh.center_mass, 0.0, atol=1e-9 * shape.bounding_radius)
    if not isinstance(shape, Disk):  # it touches as if it were thin
        assert np.linalg.norm(vertices, axis=1).max() == pytest.approx(shape.bounding_radius, rel=1e-3)


def test_a_thin_disk_has_the_moments_of_le_saux():
    np.testing.assert_allclose(np.diag(Disk(0.05).unit_inertia), np.array([1, 1, 2]) * 0.05**2 / 4)
    assert Disk(0.05).volume == 0.0


def test_a_polyhedron_that_is_a_box_is_a_box():
    poly, box = Polyhedron(CUBE), Box((2, 3, 5))
    assert poly.volume == pytest.approx(30.0, rel=1e-15)
    np.testing.assert_allclose(poly.centroid, (1, 1.5, 2.5), rtol=1e-15)
    np.testing.assert_allclose(poly.unit_inertia, box.unit_inertia, atol=1e-14)
    assert len(poly.polytope.faces) == 6  # flat facets are joined
    assert all(len(face) == 4 for face in poly.polytope.faces)
    assert len(poly.polytope.edges) == 12
    assert poly.bounding_radius == pytest.approx(box.bounding_radius)


def test_a_tetrahedron_has_its_textbook_moments():
    # second moments of the tetrahedron 0, e1, e2, e3: integral x^2 = V / 10, x y = V / 20, centroid 1/4
    poly = Polyhedron([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    second = np.full((3, 3), 1 / 20) + np.eye(3) / 20 - 1 / 16
    np.testing.assert_allclose(poly.unit_inertia, np.trace(second) * np.eye(3) - second, atol=1e-16)
    np.testing.assert_allclose(poly.centroid, 0.25)


def test_points_inside_the_hull_do_not_count():
    cloud = np.vstack([CUBE, [[1, 1, 1], [0.5, 2, 4]]])
    assert Polyhedron(cloud).volume == pytest.approx(30.0)
    assert len(Polyhedron(cloud).polytope.vertices) == 8


def test_two_spheres_that_do_not_overlap_add_up():
    clump = Clump([(0, 0, 0), (3, 0, 0)], [1.0, 0.5])
    one, other = 4 / 3 * np.pi, 4 / 3 * np.pi / 8
    assert clump.volume == pytest.approx(one + other, rel=1e-12)
    x = 3 * other / (one + other)
    np.testing.assert_allclose(clump.centroid, (x, 0, 0), atol=1e-12)
    across = (one * (0.4 + x**2) + other * (0.4 * 0.25 + (3 - x) ** 2)) / (one + other)
    along = (one * 0.4 + other * 0.1) / (one + other)
    np.testing.assert_allclose(clump.unit_inertia, np.diag([along, across, across]), atol=1e-11)


def test_material_in_the_lens_of_two_spheres_counts_once():
    # union of two balls r = 1/2 at a distance of 1/2: 2 V - lens, lens = 2 caps of height h = 1/4
    clump = Clump([(0, 0, 0), (0, 0, 0.5)], 0.5)
    h = 0.25
    assert clump.volume == pytest.approx(2 * np.pi / 6 - 2 * np.pi * h**2 * (1.5 - h) / 3, rel=1e-13)
    np.testing.assert_allclose(clump.centroid, (0, 0, 0.25), atol=1e-13)


@pytest.mark.parametrize("seed", range(3))
def test_moments_of_a_clump_turn_with_it(seed):
    # the quadrature cuts along z: a turned clump is cut in other ways and must give the same
    rng = np.random.default_rng(seed)
    centres, radii = rng.uniform(-0.5, 0.5, (6, 3)), rng.uniform(0.2, 0.5, 6)
    Q = Rotation.random(rng=rng).as_matrix()
    here, there = Clump(centres, radii), Clump(centres @ Q.T, radii)
    assert there.volume == pytest.approx(here.volume, rel=1e-10)
    np.testing.assert_allclose(there.centroid, Q @ here.centroid, atol=1e-10)
    np.testing.assert_allclose(there.unit_inertia, Q @ here.unit_inertia @ Q.T, atol=1e-10)


def test_a_clump_against_random_points():
    rng = np.random.default_rng(0)
    centres, radii = rng.uniform(-0.4, 0.4, (5, 3)), rng.uniform(0.3, 0.5, 5)
    clump = Clump(centres, radii)
    points = rng.uniform(-1, 1, (400_000, 3))
    inside = np.any(np.linalg.norm(points[:, None] - centres, axis=2) < radii, axis=1)
    p = inside.mean()
    # four standard deviations of the sampling
    assert clump.volume == pytest.approx(8 * p, abs=4 * 8 * np.sqrt(p * (1 - p) / len(points)))
    np.testing.assert_allclose(clump.centroid, points[inside].mean(axis=0), atol=4 * 0.5 / np.sqrt(inside.sum()))


def test_a_sphere_hidden_in_another_or_given_twice_changes_nothing():
    one = Clump([(0, 0, 0), (0.1, 0, 0), (0, 0, 0)], [1.0, 0.5, 1.0])
    assert one.volume == pytest.approx(4 / 3 * np.pi, rel=1e-12)
    np.testing.assert_allclose(one.unit_inertia, 0.4 * np.eye(3), atol=1e-12)


@pytest.mark.parametrize(
    "shape",
    [Sphere(0.3), Ellipsoid((0.1, 0.2, 0.3)), Disk(0.4, 0.1), Cylinder(0.3, 0.9), Capsule(0.3, 0.9), Box((1, 2, 3)),
     Polyhedron(CUBE), Clump([(0, 0, 0), (0.2, 0, 0)], 0.2)],
    ids=lambda shape: type(shape).__name__,
)  # fmt: skip
def test_scaling_a_shape_scales_its_moments(shape):
    double = shape.scaled(2.0)
    assert double.volume == pytest.approx(8 * shape.volume)
    np.testing.assert_allclose(double.unit_inertia, 4 * shape.unit_inertia, atol=1e-12)
    assert double.bounding_radius == pytest.approx(2 * shape.bounding_radius)
