"""Bodies that are no spheres are as large as they are, not as the ball around them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import trundle
from trundle.measure import extents, pile_height
from trundle.measure.catalogue import measure_all

SHAPES = [
    trundle.Sphere(0.1), trundle.Ellipsoid((0.3, 0.2, 0.1)), trundle.Box((0.3, 0.2, 0.1)), trundle.Capsule(0.1, 0.3),
    trundle.Cylinder(0.1, 0.3), trundle.Clump([(0, 0, 0), (0.2, 0, 0)], [0.1, 0.15]),
    trundle.Polyhedron([(0.1, 0, 0), (-0.1, 0.1, 0), (-0.1, -0.1, 0), (0, 0, 0.1), (0, 0, -0.1)]),
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: type(s).__name__)
def test_extent_is_that_of_the_surface(shape):
    vertices, _ = shape.surface_mesh(200)
    turns = Rotation.random(20, rng=1)
    found = extents.vertical([shape] * 20, turns.as_quat(scalar_first=True), np.array([0.0, 0.0, 1.0]))
    for turn, (low, high) in zip(turns, found, strict=True):
        z = turn.apply(vertices)[:, 2]
        # a mesh of 200 segments lies inside the surface by at most r (1 - cos(pi / 200)) = 1.2e-4 r
        assert 0.0 <= z.min() - low + 1e-12 < 3e-4 * shape.bounding_radius
        assert 0.0 <= high - z.max() + 1e-12 < 3e-4 * shape.bounding_radius


def test_radius_is_that_of_the_sphere_of_the_same_volume():
    assert extents.mean_radius(trundle.Sphere(0.1)) == 0.1
    assert extents.mean_radius(trundle.Ellipsoid((0.2, 0.1, 0.05))) == pytest.approx(0.1, rel=1e-14)
    assert extents.mean_radius(trundle.Box((1.0, 1.0, 1.0))) == pytest.approx((3 / (4 * np.pi)) ** (1 / 3), rel=1e-14)


def test_a_lying_ellipsoid_is_two_short_axes_high(tmp_path):
    scene = trundle.Scene()
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="s")
    scene.add(trundle.Ellipsoid((0.2, 0.1, 0.05)), name="pebble", density=2500.0, position=(0, 0, 0.05), surface="s")
    scene.surface("s", "s", law=trundle.laws.Coulomb(mu=0.5))
    run = trundle.simulate(scene, 0.02, 0.01, record=tmp_path / "run.h5")
    with trundle.open_recording(tmp_path / "run.h5") as recording:
        for one in (run, recording):
            found = measure_all(one, ["height", "run-out"])
            assert found["height"] == pytest.approx(0.1, abs=1e-6)  # the ball around it would give 0.25
            assert found["run_out"] == pytest.approx(0.1, rel=1e-12)


def test_a_pile_of_given_extents_is_as_high_as_they_say():
    position = np.array([[0.0, 0.0, 0.1], [0.0, 0.0, 0.3]])
    assert pile_height(position, 0.1) == pytest.approx(0.4)
    assert pile_height(position, 0.1, extent=[[0.05, 0.15], [0.25, 0.32]]) == pytest.approx(0.27)
