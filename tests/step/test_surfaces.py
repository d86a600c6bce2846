"""Ratios, axes of orthotropic laws, and compliant contacts."""

from __future__ import annotations

import numpy as np
import pytest

from trundle import laws
from trundle.errors import SceneError
from trundle.run.simulate import simulate
from trundle.scene import Box, Capsule, Cylinder, Ellipsoid, HalfSpace, HeightField, Polyhedron, Scene, Sphere

G = 9.81


def rolling_ball(law, radius=0.5, **options):
    scene = Scene(gravity=(0, 0, -G))
    scene.add(
        Sphere(radius=radius), name="ball", density=2500.0, position=(0, 0, radius), velocity=(2.5, 0, 0),
        angular_velocity=(0, 2.5 / radius, 0), surface="rock",
    )  # fmt: skip
    scene.add(HalfSpace(), name="ground", fixed=True, surface="soil")
    scene.surface("rock", "soil", law=law, **options)
    return scene


def test_a_ratio_is_multiplied_by_the_effective_radius():
    length = simulate(rolling_ball(laws.Rolling(mu=0.2, mu_r=0.04)), 6.0, 1e-2, tolerance=1e-12)
    ratio = simulate(rolling_ball(laws.Rolling(mu=0.2, mu_r=0.08), ratio=True), 6.0, 1e-2, tolerance=1e-12)
    assert ratio.position("ball")[-1] == pytest.approx(length.position("ball")[-1], abs=1e-9)


def test_a_ratio_between_two_spheres_uses_both_radii():
    def last_speed(mu_r, **options):
        scene = Scene(gravity=(0, 0, -G))
        # a small ball spins on top of a large fixed one: R = 0.1 * 0.3 / 0.4
        scene.add(Sphere(radius=0.1), name="small", mass=1.0, position=(0, 0, 0.4), angular_velocity=(0, 0, 5.0))
        scene.add(Sphere(radius=0.3), name="large", fixed=True)
        scene.surface("default", "default", law=laws.SlideRollSpin(mu=0.5, mu_r=mu_r, mu_s=mu_r), **options)
        return simulate(scene, 0.5, 1e-2, tolerance=1e-12).angular_velocity("small")[-1, 2]

    assert last_speed(0.02, ratio=True) == pytest.approx(last_speed(0.02 * 0.075), rel=1e-9)
    assert 0.0 < last_speed(0.02 * 0.075) < 4.9


@pytest.mark.parametrize(
    "shape",
    [
        Box((0.3, 0.2, 0.25)), Capsule(0.1, 0.3), Cylinder(0.15, 0.2), Ellipsoid((0.2, 0.15, 0.1)),
        Polyhedron([(0.2, 0, 0), (-0.2, 0, 0), (0, 0.2, 0), (0, -0.2, 0), (0, 0, 0.2), (0, 0, -0.2)]),
    ],
    ids=lambda shape: type(shape).__name__,
)  # fmt: skip
def test_a_ratio_is_one_to_the_radius_of_the_ball_of_the_same_volume(shape):
    def last(mu_r, **options):
        scene = Scene(gravity=(0, 0, -G))
        scene.add(shape, name="block", density=2500.0, position=(0, 0, 0.4), velocity=(2, 0.5, 0), surface="rock")
        scene.add(HeightField(np.zeros((3, 3)), 5.0, (-5, -5, 0)), name="ground", fixed=True, surface="soil")
        scene.surface("rock", "soil", law=laws.Rolling(mu=0.5, mu_r=mu_r), **options)
        return simulate(scene, 0.6, 5e-3).position("block")[-1]

    radius = (0.75 * shape.volume / np.pi) ** (1 / 3)
    assert last(0.1, ratio=True) == pytest.approx(last(0.1 * radius), abs=1e-12)


def sliding_particle(law, direction, turned=0.0, **options):
    """A ball that cannot roll (huge inertia): a particle with friction."""
    scene = Scene(gravity=(0, 0, -G))
    scene.add(
        Sphere(radius=0.1), name="block", mass=1.0, inertia=(1e9, 1e9, 1e9), position=(0, 0, 0.1),
        velocity=(2 * np.cos(direction), 2 * np.sin(direction), 0), surface="block",
    )  # fmt: skip
    half = 0.5 * turned
    scene.add(HalfSpace(), name="floor", fixed=True, surface="floor", orientation=(np.cos(half), 0, 0, np.sin(half)))
    scene.surface("block", "floor", law=law, **options)
    return scene


def test_friction_along_the_axes_of_an_orthotropic_law():
    law = laws.Superellipse(mu_x=0.2, mu_y=0.6, q=2, k=1)
    for direction, mu in ((0.0, 0.2), (0.5 * np.pi, 0.6)):
        scene = sliding_particle(law, direction, axis=(1, 0, 0), axis_of="floor")
        run = simulate(scene, 0.3, 1e-2, tolerance=1e-12)
        assert np.linalg.norm(run.velocity("block")[-1]) == pytest.approx(2 - mu * G * 0.3, rel=1e-8)


def test_the_axis_turns_with_the_body_that_it_belongs_to():
    law = laws.Superellipse(mu_x=0.2, mu_y=0.6, q=6, k=1)
    angle = 0.7
    plain = simulate(sliding_particle(law, 0.4, axis=(1, 0, 0), axis_of="floor"), 0.5, 1e-2, tolerance=1e-12)
    turned = simulate(
        sliding_particle(law, 0.4 + angle, turned=angle, axis=(1, 0, 0), axis_of="floor"), 0.5, 1e-2, tolerance=1e-12
    )
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    assert turned.position("block")[-1] == pytest.approx(R @ plain.position("block")[-1], abs=1e-9)
    # a curved path: the velocity turns towards the axis of lower friction
    final = plain.velocity("block")[-1]
    assert abs(np.arctan2(final[1], final[0])) < 0.3


def test_an_orthotropic_law_without_axes_is_an_error():
    with pytest.raises(SceneError, match="axis_of"):
        sliding_particle(laws.Superellipse(mu_x=0.2, mu_y=0.6, q=2, k=1), 0.0)
    with pytest.raises(SceneError, match="axis_of"):
        sliding_particle(laws.Superellipse(mu_x=0.3, mu_y=0.3, q=6, k=1) * laws.Roll(mu_r=0.01), 0.0)
    sliding_particle(laws.Superellipse(mu_x=0.3, mu_y=0.3, q=2, k=1), 0.0)  # a disk after all


@pytest.mark.parametrize(
    "options", [{"axis": (1, 0, 0)}, {"axis_of": "floor"}, {"axis": (0, 0, 0), "axis_of": "floor"}]
)
def test_half_of_an_axis_is_an_error(options):
    with pytest.raises(SceneError):
        sliding_particle(laws.Superellipse(mu_x=0.2, mu_y=0.6, q=2, k=1), 0.0, **options)


def compliant_box(angle, mu, stiffness):
    scene = Scene(gravity=(G * np.sin(angle), 0, -G * np.cos(angle)))
    scene.add(Box(size=(0.4, 0.3, 0.2)), name="box", mass=2.0, position=(0, 0, 0.1), surface="wood")
    scene.add(HalfSpace(), name="ground", fixed=True, surface="steel")
    scene.surface("wood", "steel", law=laws.Coulomb(mu=mu), stiffness=stiffness)
    return scene


def test_a_compliant_contact_is_pressed_in_by_its_load_over_its_stiffness():
    run = simulate(compliant_box(0.0, 0.3, 1e4), 2.0, 1e-2, theta=1.0, formulation="compliant", tolerance=1e-12)
    # four corners carry m g
    assert run.position("box")[-1, 2] - 0.1 == pytest.approx(-2.0 * G / 4 / 1e4, rel=1e-6)
    assert np.abs(run.velocity("box")[-1]).max() < 1e-9
    assert run.energy["elastic"][-1] == pytest.approx(4 * 0.5 * (2.0 * G / 4) ** 2 / 1e4, rel=1e-6)


def test_a_compliant_box_below_the_friction_angle_is_pushed_back_and_then_does_not_creep():
    run = simulate(compliant_box(0.2, 0.3, (1e5, 1e4)), 4.0, 1e-2, theta=1.0, formulation="compliant", tolerance=1e-13)
    push = 2.0 * G * np.sin(0.2)
    # the elastic part of the sliding: all of the load along the slope on four springs, and the tilt of the corners
    assert run.position("box")[-1, 0] > push / 4e4
    half = len(run.time) // 2
    assert np.abs(run.velocity("box")[half:]).max() < 1e-9
    assert np.abs(run.position("box")[half] - run.position("box")[-1]).max() < 1e-10


def test_compliance_without_a_stiffness_changes_nothing():
    exact = simulate(compliant_box(0.35, 0.3, None), 0.5, 1e-2, tolerance=1e-13)
    same = simulate(compliant_box(0.35, 0.3, None), 0.5, 1e-2, formulation="compliant", tolerance=1e-13)
    assert same.position("box")[-1] == pytest.approx(exact.position("box")[-1], abs=1e-10)


def test_an_axis_along_the_normal_is_an_error_not_an_arbitrary_direction():
    law = laws.Superellipse(mu_x=0.5, mu_y=0.2, q=2)
    with pytest.raises(SceneError, match="no direction in the tangent plane"):
        simulate(sliding_particle(law, 0.4, axis=(0, 0, 1), axis_of="floor"), 0.1, 1e-2)
