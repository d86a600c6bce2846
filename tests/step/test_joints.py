"""Joints, motors, joint friction, loads and prescribed motion against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from trundle import laws
from trundle.errors import SceneError
from trundle.run.simulate import simulate
from trundle.scene import Box, Capsule, HalfSpace, Scene, Sphere
from trundle.scene.motions import Oscillation, Steady, Table

G = 9.81


def closes(run):
    """Largest mismatch of the ledger between steps, relative to the largest energy."""
    e = run.energy
    total = e["kinetic"] + e["potential"] + e["elastic"]
    spent = e["external"] + e["poured"]
    for name in ("sliding", "rolling", "spinning", "impact", "joints", "numerical"):
        spent = spent - e[name]
    return np.abs(np.diff(total) - spent[1:]).max() / np.abs(total).max()


def pendulum(kind, **more):
    """A small box on an arm of 1 m, released from the horizontal, turning about y."""
    scene = Scene(gravity=(0, 0, -G))
    scene.add(Box(size=(0.1, 0.1, 0.1)), name="bob", mass=2.0, position=(1.0, 0, 0))
    options = {"axis": (0, 1, 0)} if kind == "hinge" else {}
    scene.joint(kind, "bob", position=(0, 0, 0), **options, **more)
    return scene


@pytest.mark.parametrize("kind", ["hinge", "ball"])
def test_compound_pendulum_follows_its_equation(kind):
    # (m l^2 + I) phi'' = -m g l cos(phi), phi from the horizontal
    h, I = 2e-3, 2.0 * (0.01 + 0.01) / 12
    run = simulate(pendulum(kind), 1.0, h, tolerance=1e-12)
    exact = solve_ivp(
        lambda t, y: [y[1], -2.0 * G * np.cos(y[0]) / (2.0 + I)], (0, 1.0), [0.0, 0.0], rtol=1e-11, atol=1e-12
    ).y[0, -1]
    x = run.position("bob")[-1]
    assert np.arctan2(x[2], x[0]) == pytest.approx(exact, abs=20 * h**2)
    assert np.linalg.norm(x) == pytest.approx(1.0, abs=1e-9)
    assert np.abs(run.position("bob")[:, 1]).max() < 1e-12
    assert closes(run) < 1e-13


def test_pendulum_keeps_its_energy_over_many_swings():
    run = simulate(pendulum("hinge"), 10.0, 5e-3, tolerance=1e-12)
    total = run.energy["kinetic"] + run.energy["potential"]
    assert np.abs(total - total[0]).max() < 0.02 * 2.0 * G


def test_distance_joint_keeps_its_length_and_a_double_pendulum_its_energy():
    scene = Scene(gravity=(0, 0, -G))
    scene.add(Sphere(radius=0.05), name="a", mass=1.0, position=(1.0, 0, 0))
    scene.add(Sphere(radius=0.05), name="b", mass=0.5, position=(2.0, 0, 0))
    scene.surface("default", "default", law=laws.Coulomb(mu=0.0))
    scene.joint("distance", "a", other_position=(0, 0, 0))
    scene.joint("distance", "a", "b")
    run = simulate(scene, 1.0, 1e-3, tolerance=1e-12)
    assert np.linalg.norm(run.position("a"), axis=1) == pytest.approx(1.0, abs=1e-8)
    apart = run.position("b") - run.position("a")
    assert np.linalg.norm(apart, axis=1) == pytest.approx(1.0, abs=1e-8)
    total = run.energy["kinetic"] + run.energy["potential"]
    assert np.abs(total - total[0]).max() < 1e-2
    assert closes(run) < 1e-13


def test_fixed_joint_makes_one_body_of_two():
    # two cubes joined fall and turn as one bar: angular momentum and the offset stay
    scene = Scene(gravity=(0, 0, 0))
    scene.add(Box(size=(0.2, 0.2, 0.2)), name="a", mass=1.0, position=(-0.1, 0, 0), velocity=(0, -0.3, 0.05),
              angular_velocity=(0.1, 0.5, 3.0))  # fmt: skip
    # a rigid motion: v_b = v_a + w x r
    scene.add(Box(size=(0.2, 0.2, 0.2)), name="b", mass=1.0, position=(0.1, 0, 0),
              velocity=np.array([0, -0.3, 0.05]) + np.cross([0.1, 0.5, 3.0], [0.2, 0, 0]),
              angular_velocity=(0.1, 0.5, 3.0))  # fmt: skip
    scene.joint("fixed", "a", "b", position=(0, 0, 0))
    scene.surface("default", "default", law=laws.Coulomb(mu=0.5))
    run = simulate(scene, 2.0, 5e-3, tolerance=1e-12)
    assert np.linalg.norm(run.position("b") - run.position("a"), axis=1) == pytest.approx(0.2, abs=1e-7)
    momentum = run.velocity("a") + run.velocity("b")
    assert np.abs(momentum - momentum[0]).max() < 1e-12

    def angular(k):
        total = np.zeros(3)
        for name in "ab":
            total += np.cross(run.position(name)[k], run.velocity(name)[k])
            total += 0.04 / 6 * run.angular_velocity(name)[k]
        return total

    # the joint's impulses keep it; taking back the drift moves masses by about 1e-7 m, and with them their moment
    assert angular(-1) == pytest.approx(angular(0), abs=1e-6)


def test_slider_with_dry_friction_sticks_below_its_bound_and_slides_above():
    def held_back(force):
        scene = Scene(gravity=(0, 0, -G))
        scene.add(Box(size=(0.2, 0.1, 0.1)), name="carriage", mass=2.0)
        scene.joint("slider", "carriage", position=(0, 0, 0), axis=(1, 0, 0), friction=5.3)
        scene.load("carriage", force=(force, 0, 0))
        return simulate(scene, 1.0, 1e-2, tolerance=1e-12)

    assert np.abs(held_back(5.2).velocity("carriage")).max() < 1e-12
    run = held_back(7.3)
    # the joint's own axis points from the carriage to the world: only |F| - S counts
    assert run.velocity("carriage")[-1] == pytest.approx([(7.3 - 5.3) / 2.0, 0, 0], abs=1e-10)
    assert run.energy["joints"].sum() == pytest.approx(5.3 * 0.5, rel=2e-2)
    assert run.energy["external"].sum() == pytest.approx(7.3 * run.position("carriage")[-1, 0], rel=1e-10)
    assert closes(run) < 1e-13


def test_a_motor_turns_a_hinge_at_its_speed_unless_its_torque_is_too_small():
    def turned(max_force):
        scene = Scene(gravity=(0, 0, 0))
        scene.add(Box(size=(0.2, 0.1, 0.1)), name="base", fixed=True)
        scene.add(Box(size=(0.2, 0.1, 0.1)), name="rotor", mass=3.0, position=(0, 0, 0.2))
        scene.joint("hinge", "base", "rotor", position=(0, 0, 0.1), axis=(0, 0, 1), motor=4.0, max_force=max_force)
        return simulate(scene, 1.0, 1e-2, tolerance=1e-12)

    assert turned(None).angular_velocity("rotor")[-1, 2] == pytest.approx(4.0, abs=1e-10)
    inertia = 3.0 * (0.04 + 0.01) / 12
    weak = turned(0.02)
    assert weak.angular_velocity("rotor")[-1, 2] == pytest.approx(0.02 / inertia, rel=1e-9)
    assert weak.energy["external"].sum() == pytest.approx(0.5 * inertia * (0.02 / inertia) ** 2, rel=1e-9)


def test_joints_and_contacts_are_solved_together():
    # a trailer pulled by a rod over a rough floor: friction mu m g of both boxes against the pull
    scene = Scene(gravity=(0, 0, -G))
    for name, x in (("front", 0.0), ("back", -1.0)):
        scene.add(Box(size=(0.4, 0.3, 0.2)), name=name, mass=2.0, position=(x, 0, 0.1), surface="wood")
    scene.add(HalfSpace(), name="ground", fixed=True, surface="floor")
    scene.surface("wood", "floor", law=laws.Coulomb(mu=0.3))
    scene.surface("wood", "wood", law=laws.Coulomb(mu=0.3))
    scene.joint("distance", "front", "back")
    scene.load("front", force=(15.0, 0, 0))
    run = simulate(scene, 1.0, 1e-2, tolerance=1e-12)
    assert run.velocity("back")[-1, 0] == pytest.approx(15.0 / 4.0 - 0.3 * G, rel=1e-9)
    assert closes(run) < 1e-13


def test_a_box_on_a_belt_is_carried_along_and_the_belt_does_the_work():
    scene = Scene(gravity=(0, 0, -G))
    scene.add(Box(size=(0.4, 0.3, 0.2)), name="box", mass=2.0, position=(0, 0, 0.1), surface="wood")
    scene.add(HalfSpace(), name="belt", surface="rubber", motion=Steady(velocity=(0.5, 0, 0)))
    scene.surface("wood", "rubber", law=laws.Coulomb(mu=0.4))
    run = simulate(scene, 1.0, 1e-2, tolerance=1e-12)
    assert run.velocity("box")[-1] == pytest.approx([0.5, 0, 0], abs=1e-12)
    # the belt's work is twice the kinetic energy: half of it is lost to sliding
    assert run.energy["external"].sum() == pytest.approx(2.0 * 0.5**2, rel=1e-9)
    assert run.energy["sliding"].sum() == pytest.approx(0.5 * 2.0 * 0.5**2, rel=1e-9)
    assert closes(run) < 1e-13
    assert run.position("belt")[-1] == pytest.approx([0.5, 0, 0], abs=1e-12)


def test_a_table_that_shakes_gently_carries_its_box_without_slip():
    shake = Oscillation(frequency=1.0, amplitude=(0.01, 0, 0), phase=0.5 * np.pi)
    scene = Scene(gravity=(0, 0, -G))
    scene.add(Box(size=(0.4, 0.3, 0.2)), name="box", mass=2.0, position=(0, 0, 0.1), surface="wood")
    scene.add(HalfSpace(), name="table", surface="top", motion=shake)
    scene.surface("wood", "top", law=laws.Coulomb(mu=0.1))
    run = simulate(scene, 2.0, 1e-2, tolerance=1e-12)
    slip = run.position("box") - run.position("table")
    assert np.abs(slip - slip[0]).max() < 1e-11
    assert run.velocity("table")[25, 0] == pytest.approx(-0.01 * 2 * np.pi, rel=1e-9)


def test_velocities_of_a_table_are_interpolated():
    motion = Table(time=(0.0, 1.0, 2.0), velocity=((0, 0, 0), (2, 0, 0), (2, 0, 0)))
    assert motion(0.25) == pytest.approx([0.5, 0, 0, 0, 0, 0])
    assert motion(5.0) == pytest.approx([2, 0, 0, 0, 0, 0])


def test_a_load_in_the_frame_of_the_body_turns_with_it():
    scene = Scene(gravity=(0, 0, 0))
    scene.add(Sphere(radius=0.1), name="ball", mass=1.0, angular_velocity=(0, 0, np.pi))
    scene.load("ball", force=(1.0, 0, 0), frame="body")
    run = simulate(scene, 1.0, 1e-3)
    # v = integral of (cos pi t, sin pi t) over half a turn
    assert run.velocity("ball")[-1] == pytest.approx([0, 2 / np.pi, 0], abs=1e-5)
    assert run.energy["external"].sum() == pytest.approx(0.5 * (2 / np.pi) ** 2, rel=1e-4)


def test_a_force_off_centre_turns_the_body():
    scene = Scene(gravity=(0, 0, 0))
    scene.add(Sphere(radius=0.1), name="ball", mass=1.0)
    scene.load("ball", force=(0, 0, 1.0), point=(0.1, 0, 0), end=0.5)
    run = simulate(scene, 1.0, 1e-2)
    assert run.velocity("ball")[-1] == pytest.approx([0, 0, 0.5], abs=1e-12)
    assert run.angular_velocity("ball")[-1, 1] < -1.0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"kind": "hing"}, "Did you mean 'hinge'"),
        ({"kind": "hinge"}, "give axis"),
        ({"kind": "hinge", "axis": (0, 0, 0)}, "no direction"),
        ({"kind": "ball", "position": None}, "give position"),
        ({"kind": "ball", "friction": 1.0}, "hinge or slider"),
        ({"kind": "slider", "axis": (1, 0, 0), "max_force": 2.0}, "give motor as well"),
        ({"kind": "slider", "axis": (1, 0, 0), "motor": 1.0, "friction": 2.0}, "not both"),
        ({"kind": "distance", "position": (0, 0, 0)}, "other_position"),
        ({"kind": "distance", "position": None, "other": "a"}, "with itself"),
        ({"kind": "ball", "one": "c"}, "unknown body 'c'"),
    ],
)
def test_bad_joints_say_what_is_wrong(arguments, words):
    scene = Scene()
    scene.add(Sphere(radius=0.1), name="a", mass=1.0)
    with pytest.raises(SceneError, match=words):
        scene.joint(**({"kind": "ball", "one": "a", "position": (0, 0, 0)} | arguments))


def test_bodies_that_share_a_hinge_may_overlap_there():
    # they do not touch each other: a chain of two capsules with a common end
    scene = Scene(gravity=(0, 0, -G))
    for name, z in (("upper", -0.5), ("lower", -1.5)):
        scene.add(Capsule(radius=0.1, height=1.0), name=name, mass=1.0, position=(0, 0, z), surface="a")
    scene.joint("hinge", "upper", position=(0, 0, 0), axis=(0, 1, 0))
    scene.joint("hinge", "upper", "lower", position=(0, 0, -1), axis=(0, 1, 0))
    scene.surface("a", "a", law=laws.Coulomb(mu=0.3))
    run = simulate(scene, 0.1, 1e-3, tolerance=1e-12)
    assert run.steps["contacts"].max() == 0
    assert np.abs(run.velocity("lower")).max() < 1e-12
    assert not run.warnings


def test_a_motor_at_its_target_has_nothing_to_do_and_that_converges():
    scene = Scene(gravity=(0, 0, 0))
    scene.add(Box((0.1, 0.2, 0.3)), name="wheel", mass=2.0, surface="a")
    scene.joint("hinge", "wheel", position=(0, 0, 0), axis=(0, 0, 1), motor=3.0, max_force=0.5)
    scene.surface("a", "a", law=laws.Coulomb(mu=0.3))
    run = simulate(scene, 1.0, 1e-3, tolerance=1e-10)
    assert run.steps["converged"].all()
    np.testing.assert_allclose(abs(run.angular_velocity("wheel")[-1, 2]), 3.0, rtol=1e-12)
