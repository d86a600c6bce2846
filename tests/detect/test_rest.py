"""Bodies of all shapes come to rest where they should: contact detection within the engine."""

from __future__ import annotations

import numpy as np
import pytest
from bodies import SHAPES

from trundle import HalfSpace, HeightField, Scene, laws, simulate
from trundle.detect import Detector
from trundle.scene import Box, Capsule, Cylinder, Disk, Sphere

LAW = laws.SlideRollSpin(mu=0.5, mu_r=0.01, mu_s=0.01)
ROCKING = laws.SlideRollSpin(mu=0.5, mu_r=0.04, mu_s=0.04)  # an ellipsoid rocks for long
GROUND = {
    "plane": (HalfSpace(), (0, 0, 0)),
    "field": (HeightField(np.zeros((9, 9)), 0.5, (-2, -2, 0)), (0, 0, 0)),
    "slab": (Box((4, 4, 1)), (0, 0, -0.5)),
}


def dropped(shape, ground):
    scene = Scene()
    thing, place = GROUND[ground]
    scene.add(thing, name="ground", fixed=True, position=place, surface="a")
    scene.add(
        shape, name="body", mass=2.0, position=(0.05, 0.02, shape.bounding_radius + 0.02), surface="a",
        orientation=np.array([0.9, 0.2, -0.3, 0.1]) / np.linalg.norm([0.9, 0.2, -0.3, 0.1]),
    )  # fmt: skip
    scene.surface("a", "a", law=ROCKING if shape is SHAPES["ellipsoid"] else LAW)
    return scene


@pytest.mark.parametrize("ground", GROUND)
@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_dropped_on_ground_comes_to_rest(name, ground):
    run = simulate(dropped(SHAPES[name], ground), 6.0 if name == "ellipsoid" else 3.0, 5e-3, theta=1.0, tolerance=1e-8)
    speed = np.linalg.norm(run.velocity("body"), axis=1)
    assert speed[-50:].max() < 1e-6
    assert np.abs(run.angular_velocity("body")[-50:]).max() < 1e-5
    assert -0.01 < run.position("body")[-1, 2] < SHAPES[name].bounding_radius + 0.01


@pytest.mark.parametrize("name", ["box", "polyhedron", "cylinder", "disk"])
def test_flat_faces_lie_flat_in_the_end(name):
    run = simulate(dropped(SHAPES[name], "plane"), 3.0, 5e-3, theta=1.0, tolerance=1e-8)
    contacts = Detector(run.model).detect(run.final, 0.0)
    assert len(contacts) >= (2 if name == "cylinder" else 3)


def test_ten_stacked_boxes_stand_still():
    scene = Scene()
    scene.add(HalfSpace(), name="ground", fixed=True, surface="a")
    for k in range(10):
        scene.add(Box((0.4, 0.3, 0.2)), name=f"b{k}", density=1000.0, position=(0, 0, 0.1 + 0.2 * k), surface="a")
    scene.surface("a", "a", law=laws.Coulomb(mu=0.5))
    run = simulate(scene, 0.5, 5e-3, theta=1.0, tolerance=1e-12)
    assert run.steps["contacts"].max() == 40
    for k in range(10):
        assert np.abs(run.velocity(f"b{k}")[-20:]).max() < 1e-12
        np.testing.assert_allclose(run.position(f"b{k}")[-1], (0, 0, 0.1 + 0.2 * k), atol=1e-12)


def test_a_sphere_rolls_across_a_triangulated_plane_as_across_a_plane():
    # flat edges inside the surface are not felt: same velocity to the solver's tolerance
    ends = []
    for thing in (HalfSpace(), HeightField(np.zeros((41, 9)), 0.1, (-1, -0.4, 0))):
        scene = Scene()
        scene.add(thing, name="ground", fixed=True, surface="a")
        scene.add(
            Sphere(0.1), name="ball", density=1000.0, position=(-0.5, 0.013, 0.1), velocity=(1, 0, 0), surface="a"
        )
        scene.surface("a", "a", law=laws.Rolling(mu=0.3, mu_r=0.001))
        run = simulate(scene, 1.0, 2e-3, tolerance=1e-12)
        ends.append(np.concatenate([run.position("ball")[-1], run.velocity("ball")[-1]]))
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-9)


@pytest.mark.parametrize("shape", [Capsule(0.1, 0.3), Cylinder(0.1, 0.3)])
def test_a_lying_roller_rolls_down_an_incline_without_slipping(shape):
    # a = g sin(a) / (1 + I / (m r^2)) about its own axis
    slope = 0.2
    scene = Scene(gravity=(9.81 * np.sin(slope), 0, -9.81 * np.cos(slope)))
    scene.add(HalfSpace(), fixed=True, surface="a")
    scene.add(
        shape, name="roller", density=1000.0, position=(0, 0, 0.1), orientation=(np.sqrt(0.5), np.sqrt(0.5), 0, 0),
        surface="a",
    )  # fmt: skip
    scene.surface("a", "a", law=laws.Coulomb(mu=0.6))
    run = simulate(scene, 0.5, 1e-3, tolerance=1e-11)
    share = shape.unit_inertia[2, 2] / 0.1**2
    assert run.velocity("roller")[-1, 0] == pytest.approx(9.81 * np.sin(slope) * 0.5 / (1 + share), rel=1e-9)
    assert abs(run.position("roller")[-1, 1]) < 1e-12


@pytest.mark.parametrize("shape", [Cylinder(0.1, 0.3), Disk(0.1)], ids=["cylinder", "disk"])
@pytest.mark.parametrize("ground", GROUND)
def test_a_rim_that_rolls_without_slipping_keeps_its_speed_on_any_ground(shape, ground):
    # nothing takes energy: Coulomb friction does no work in rolling
    thing, place = GROUND[ground]
    scene = Scene()
    scene.add(thing, name="ground", fixed=True, position=place, surface="a")
    start = {"velocity": (3.0, 0, 0), "angular_velocity": (0, 30.0, 0), "orientation": (0.5**0.5, 0.5**0.5, 0, 0)}
    scene.add(shape, name="wheel", mass=2.0, position=(-1.5, 0.1, 0.1), surface="a", **start)
    scene.surface("a", "a", law=laws.Coulomb(mu=0.6))
    run = simulate(scene, 0.9, 5e-3, tolerance=1e-10)
    np.testing.assert_allclose(run.velocity("wheel")[-1], (3.0, 0, 0), atol=1e-9)
    np.testing.assert_allclose(run.position("wheel")[:, 2], 0.1, atol=1e-9)
