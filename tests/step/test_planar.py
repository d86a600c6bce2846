"""Planar scenes and locked degrees of freedom."""

from __future__ import annotations

import math

import numpy as np
import pytest

import trundle
from trundle import laws
from trundle.errors import SceneError
from trundle.scene.files import parse_scene
from trundle.scene.writing import dump_scene

G = 9.81


def rolling(law, planar="xz", **body):
    """A cylinder, its axis along y, that is launched along x on a plane."""
    scene = trundle.Scene(planar=planar)
    scene.add(trundle.HalfSpace(), name="ground", fixed=True)
    q = (math.sqrt(0.5), math.sqrt(0.5), 0, 0)
    scene.add(
        trundle.Cylinder(radius=0.1, height=0.02), name="wheel", mass=1, position=(0, 0, 0.1), orientation=q, velocity=(2, 0, 0),
        **body,
    )  # fmt: skip
    scene.surface("default", "default", law=law)
    return scene


@pytest.mark.parametrize("locked", [False, True])
def test_a_wheel_in_the_plane_rolls_at_two_thirds_of_its_launch_speed(locked):
    # a cylinder of 2 cm would fall over sooner or later; v = v0 / (1 + I / m r^2)
    law = laws.Coulomb(mu=0.3) if locked else laws.Coulomb2D(mu=0.3)
    scene = rolling(law, None, locked="y, rx rz") if locked else rolling(law)
    run = trundle.simulate(scene, 1.0, 2e-3)
    assert run.velocity("wheel")[-1, 0] == pytest.approx(4.0 / 3.0, rel=1e-4)
    assert np.abs(run.position("wheel")[:, 1]).max() < 1e-12
    axis = run.orientation("wheel")
    assert 2 * (axis[:, 2] * axis[:, 3] - axis[:, 0] * axis[:, 1]) == pytest.approx(-1.0, abs=1e-12)  # along y for ever


def test_rolling_friction_of_the_plane_stops_a_wheel():
    # a = mu_r g / (r (1 + I / m r^2)) once it rolls
    scene = rolling(laws.Rolling2D(mu=1.0, mu_r=2e-3), angular_velocity=(0, 20.0, 0))
    run = trundle.simulate(scene, 2.0, 2e-3)
    assert run.velocity("wheel")[-1, 0] == pytest.approx(2.0 - 2e-3 * G / 0.1 / 1.5 * 2.0, rel=1e-3)


def test_a_body_may_have_one_degree_of_freedom():
    scene = trundle.Scene(gravity=(1.0, 2.0, -3.0))
    scene.add(trundle.Box((0.1, 0.2, 0.3)), name="box", mass=1.0, locked=("x", "y", "rx", "ry", "rz"))
    run = trundle.simulate(scene, 1.0, 1e-2)
    assert run.position("box")[-1] == pytest.approx((0, 0, -1.5), abs=1e-12)
    assert run.orientation("box")[-1] == pytest.approx((1, 0, 0, 0), abs=1e-12)


def test_a_planar_double_pendulum_on_ball_joints_keeps_its_energy():
    scene = trundle.Scene(planar="zx")
    for i in range(2):
        scene.add(trundle.Box((0.4, 0.05, 0.05)), name=f"l{i}", mass=1.0, position=(0.2 + 0.4 * i, 0, 0))
    scene.joint("ball", "l0", position=(0, 0, 0))
    scene.joint("ball", "l0", "l1", name="elbow", position=(0.4, 0, 0))
    run = trundle.simulate(scene, 1.0, 1e-3)
    total = run.energy["kinetic"] + run.energy["potential"]
    assert total == pytest.approx(0.0, abs=1e-3)
    assert np.abs(run.position("l1")[:, 1]).max() < 1e-12
    assert run.joint_names == ("joint0", "elbow")
    assert run.joint_force("elbow").shape == (1001, 3)


def test_planar_scenes_are_written_and_bad_ones_are_told():
    scene = rolling(laws.Coulomb2D(mu=0.3), locked=["rx", "rz"])
    text = dump_scene(scene)
    again, _ = parse_scene(text)
    assert again.planar == "xz"
    assert dump_scene(again) == text
    with pytest.raises(SceneError, match="law of the plane; use Coulomb, or say"):
        trundle.simulate(rolling(laws.Coulomb2D(mu=0.3), None), 0.01, 1e-3)
    with pytest.raises(SceneError, match="unknown planar 'xx'"):
        trundle.Scene(planar="xx")
    with pytest.raises(SceneError, match="locks one rotation"):
        rolling(laws.Coulomb(mu=0.3), None, locked="rx")
    with pytest.raises(SceneError, match="unknown degree of freedom 'w'"):
        rolling(laws.Coulomb(mu=0.3), None, locked="w")
    with pytest.raises(SceneError, match="'wheel': it starts with a velocity along or about x, which is locked"):
        trundle.simulate(rolling(laws.Coulomb(mu=0.3), "yz"), 0.01, 1e-3)


def test_contact_forces_on_a_body_balance_its_weight():
    scene = trundle.Scene()
    scene.add(trundle.HalfSpace(), name="ground", fixed=True)
    for i in range(2):
        scene.add(trundle.Box((0.2, 0.2, 0.2)), name=f"b{i}", mass=2.0, position=(0, 0, 0.1 + 0.2 * i))
    scene.surface("default", "default", law=laws.Coulomb(mu=0.5))
    run = trundle.simulate(scene, 0.1, 2e-3)
    assert run.contact_force("b0", "ground")[-1] == pytest.approx((0, 0, 4.0 * G), rel=1e-5, abs=1e-5)
    assert run.contact_force("b0")[-1] == pytest.approx((0, 0, 2.0 * G), rel=1e-5, abs=1e-5)
    assert run.contact_force("b1")[-1] == pytest.approx((0, 0, 2.0 * G), rel=1e-5, abs=1e-5)
    assert np.isnan(run.contact_force("b1")[0]).all()
    with pytest.raises(SceneError, match="unknown body 'b3'"):
        run.contact_force("b3")


def springy(scene, **material):
    scene.surface("default", "default", law=laws.Coulomb(mu=0.0), material=trundle.Hooke(**material))
    return scene


def test_history_turns_a_skew_body_about_the_axis_across_the_plane():
    # w' = torque_y / I_yy: what the inertia couples to the other axes, the plane takes
    q, inertia = np.array([0.8, 0.36, 0.0, 0.48]), np.array([[20, 5, 3], [5, 30, -4], [3, -4, 25]]) * 1e-3
    w, x, y, z = q
    across = np.array([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)])  # the y-axis in the body
    scene = trundle.Scene(gravity=(0.3, 0.5, -9.7), planar="xz")
    scene.add(
        trundle.Box((0.1, 0.2, 0.3)), name="box", mass=2.0, inertia=inertia, position=(0, 1, 0), orientation=q,
        angular_velocity=(0, 1.3, 0),
    )  # fmt: skip
    scene.load("box", torque=(0.01, 0.05, 0.02))
    run = trundle.simulate(springy(scene, stiffness=1e5), 1.0, 1e-4, formulation="history")
    expected = 1.3 + 0.05 / (across @ inertia @ across)
    assert run.angular_velocity("box")[-1] == pytest.approx((0, expected, 0), abs=1e-10)
    assert run.position("box")[-1] == pytest.approx((0.15, 1.0, -4.85), abs=1e-3)


@pytest.mark.parametrize("law", [laws.Coulomb2D(mu=0.37), laws.Rolling2D(mu=0.37, mu_r=4e-3)])
def test_history_slides_and_rolls_in_the_plane_as_its_laws_say(law):
    # v' = -mu g, I w' = (mu r - mu_r) m g until v = w r, then v' = -mu_r g / 1.4 r
    r, g, v, time, stiffness = 0.07, 9.7, 1.2, 0.6, 2e6
    scene = trundle.Scene(gravity=(0, 0, -g), planar="xz")
    scene.add(trundle.HalfSpace(), name="ground", fixed=True)
    scene.add(trundle.Sphere(r), name="ball", mass=0.8, position=(0, 0, r - 0.8 * g / stiffness), velocity=(v, 0, 0))
    scene.surface("default", "default", law=law, material=trundle.Hooke(stiffness=stiffness, restitution=0.1))
    run = trundle.simulate(scene, time, 2e-5, formulation="history", every=1000)
    mu_r = getattr(law, "mu_r", 0.0)
    turning = (0.37 * r - mu_r) * g / (0.4 * r * r)
    begins = v / (0.37 * g + turning * r)
    expected = v - 0.37 * g * begins - mu_r * g / (1.4 * r) * (time - begins)
    assert run.velocity("ball")[-1, 0] == pytest.approx(expected, abs=1e-4)
    assert np.abs(run.position("ball")[:, 1]).max() == 0.0


def test_history_bounces_a_locked_ball_with_the_mass_that_it_has_along_the_normal():
    # a may move along x only, so that its mass along n is m / n_x^2
    scene = trundle.Scene(gravity=(0, 0, 0))
    scene.add(trundle.Sphere(0.1), name="a", mass=1.0, position=(0, 0, 0), velocity=(2, 0, 0), locked="y z rx ry rz")
    scene.add(trundle.Sphere(0.1), name="b", mass=1.7, position=(0.17, 0, 0.12))
    run = trundle.simulate(
        springy(scene, stiffness=1e8, restitution=0.6), 0.01, 2e-7, formulation="history", every=1000
    )
    n, va, vb = np.array([0.8, 0, 0.6]), run.velocity("a")[-1], run.velocity("b")[-1]
    push = (1 + 0.6) * 2 * n[0] / (n[0] ** 2 + 1 / 1.7)
    assert va == pytest.approx((2 - push * n[0], 0, 0), abs=2e-3)
    assert vb == pytest.approx(push / 1.7 * n, abs=2e-3)
