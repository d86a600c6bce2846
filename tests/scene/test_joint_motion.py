"""Angles, ways and lengths of joints, and their rates, against positions of bodies and closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import trundle
from trundle.errors import SceneError


def pendulum(**joint: object) -> trundle.Scene:
    scene = trundle.Scene()
    scene.add(trundle.Sphere(0.05), name="bob", mass=1.0, inertia=(1e-6, 1e-6, 1e-6), position=(0.6, 0.0, -0.8))
    scene.joint("hinge", "bob", name="pivot", position=(0, 0, 0), axis=(0, 1, 0), **joint)
    return scene


def test_angle_of_a_pendulum_is_that_of_its_bob(tmp_path):
    run = trundle.simulate(pendulum(), 1.0, 1e-3, record=tmp_path / "run.h5")
    x, z = run.position("bob")[:, 0], run.position("bob")[:, 2]
    vx, vz = run.velocity("bob")[:, 0], run.velocity("bob")[:, 2]
    # a positive turn about y takes +x to -z: the way round of atan2(-z, x)
    angle = np.unwrap(np.arctan2(-z, x)) - np.arctan2(0.8, 0.6)
    assert run.joint_position("pivot")[0] == 0.0
    assert run.joint_position("pivot") == pytest.approx(angle, abs=1e-9)
    # r x v / r^2 with r = 1 m; joints hold velocities in the middle of steps: (w h)^2 w / 8 at their ends, w up to 4 rad/s
    assert run.joint_speed("pivot") == pytest.approx(z * vx - x * vz, abs=1e-5)
    in_memory = trundle.simulate(pendulum(), 1.0, 1e-3)
    assert np.array_equal(in_memory.joint_position("pivot"), run.joint_position("pivot"))


def test_angles_of_hinges_between_bodies_go_on_beyond_half_a_turn():
    scene = trundle.Scene(gravity=(0, 0, 0))
    scene.add(trundle.Box((0.2, 0.2, 0.2)), name="stator", mass=1.0, position=(0, 0, 0), angular_velocity=(0, 0, 1.0))
    scene.add(trundle.Box((0.1, 0.1, 0.1)), name="rotor", mass=1.0, position=(0, 0, 0), angular_velocity=(0, 0, 6.0))
    scene.joint("hinge", "stator", "rotor", name="axle", position=(0, 0, 0), axis=(0, 0, 1))
    run = trundle.simulate(scene, 2.0, 1e-3)
    assert run.joint_position("axle") == pytest.approx(5.0 * run.time, abs=1e-9)
    assert run.joint_speed("axle") == pytest.approx(np.full(len(run.time), 5.0), abs=1e-9)


def test_way_of_a_slider_on_a_turning_body_and_its_speed():
    """A bead on a rod that turns at w: r = r0 cosh(w t), if the rod is heavy."""
    scene = trundle.Scene(gravity=(0, 0, 0))
    scene.add(trundle.Box((4, 0.1, 0.1)), name="rod", mass=1e9, position=(0, 0, 0), angular_velocity=(0, 0, 2.0))
    scene.add(
        trundle.Sphere(0.05),
        name="bead",
        mass=1.0,
        position=(0.1, 0, 0),
        velocity=(0, 0.2, 0),
        angular_velocity=(0, 0, 2.0),
    )
    scene.joint("slider", "rod", "bead", name="rail", position=(0.1, 0, 0), axis=(1, 0, 0))
    run = trundle.simulate(scene, 1.0, 1e-3, tolerance=1e-12)
    t = run.time
    assert run.joint_position("rail") == pytest.approx(0.1 * np.cosh(2.0 * t) - 0.1, abs=1e-5)  # (w h)^2 / 12 of 0.4 m
    assert run.joint_speed("rail") == pytest.approx(0.2 * np.sinh(2.0 * t), abs=2e-5)


def test_length_of_a_spring_is_the_distance_of_its_points():
    scene = trundle.Scene()
    scene.add(trundle.Sphere(0.05), name="bob", mass=1.0, position=(0, 0, -1.0), velocity=(0.5, 0, 0))
    scene.joint("spring", "bob", name="spring", other_position=(0, 0, 0), stiffness=50.0)
    run = trundle.simulate(scene, 1.0, 1e-3)
    place, speed = run.position("bob"), run.velocity("bob")
    length = np.linalg.norm(place, axis=1)
    assert run.joint_position("spring") == pytest.approx(length, abs=1e-12)
    assert run.joint_speed("spring") == pytest.approx(np.sum(place * speed, axis=1) / length, abs=1e-12)


def test_a_controller_sees_joints_in_the_state():
    """A torque -k angle - c speed about a hinge, from a load, is a spring with a dashpot."""
    k, c = 20.0, 0.4

    def torque(time: float, state: trundle.StateView) -> tuple[float, float, float]:
        return 0.0, -k * state.joint_position("pivot") - c * state.joint_speed("pivot"), 0.0

    driven = pendulum()
    driven.load("bob", torque=torque)
    one = trundle.simulate(driven, 0.5, 1e-4)
    other = trundle.simulate(pendulum(stiffness=k, damping=c), 0.5, 1e-4)
    # the load is that of the state at the beginning of a step, the spring is implicit: first order in h
    assert one.joint_position("pivot") == pytest.approx(other.joint_position("pivot"), abs=2e-3)


def test_a_servo_is_given_another_target_between_steps():
    scene = trundle.Scene(gravity=(0, 0, 0))
    scene.add(trundle.Box((0.2, 0.1, 0.1)), name="cart", mass=1.0, position=(0, 0, 0))
    scene.joint(
        "slider", "cart", name="rail", position=(0, 0, 0), axis=(1, 0, 0), stiffness=100.0, damping=20.0, max_force=50.0
    )
    sim = trundle.Simulation(scene, time_step=1e-3)
    sim.target("rail", 0.3)
    sim.run(2.0, progress=False)
    # critically damped: 0.3 (1 - (1 + w t) exp(-w t)), w = 10
    assert sim.state.joint_position("rail") == pytest.approx(0.3, abs=1e-6)
    sim.target("rail", lambda time: 0.3 - 0.1 * (time - 2.0))
    sim.run(2.0, progress=False)
    # behind a ramp by its rate times damping / stiffness
    assert sim.state.joint_position("rail") == pytest.approx(0.1 + 0.1 * 20.0 / 100.0, abs=1e-6)
    assert sim.state.joint_speed("rail") == pytest.approx(-0.1, abs=1e-6)


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        ({"kind": "hinge", "axis": (0, 1, 0)}, "joint 'j': has no position servo"),
        ({"kind": "hinge", "axis": (0, 1, 0), "stiffness": 1.0}, "joint 'j': has no position servo"),
        ({"kind": "ball"}, "has no position servo"),
    ],
)
def test_targets_of_joints_without_a_servo_are_refused(joint, message):
    scene = trundle.Scene()
    scene.add(trundle.Sphere(0.05), name="bob", mass=1.0, position=(1, 0, 0))
    scene.joint(joint.pop("kind"), "bob", name="j", position=(0, 0, 0), **joint)
    sim = trundle.Simulation(scene)
    with pytest.raises(SceneError, match=message):
        sim.target("j", 0.1)


def test_a_ball_joint_has_no_angle():
    scene = trundle.Scene()
    scene.add(trundle.Sphere(0.05), name="bob", mass=1.0, position=(1, 0, 0))
    scene.joint("ball", "bob", name="socket", position=(0, 0, 0))
    run = trundle.simulate(scene, 0.01, 1e-3)
    with pytest.raises(SceneError, match="a ball joint has no angle"):
        run.joint_position("socket")
    with pytest.raises(SceneError, match="unknown joint 'elbow'"):
        run.joint_speed("elbow")
