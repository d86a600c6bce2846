"""Springs, dashpots, servos and limits of joints against closed forms."""

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


def mass(gravity=0.0, **more):
    """A mass on rails along x, held by the world; more: of its slider."""
    scene = trundle.Scene(gravity=(gravity, 0, 0))
    scene.add(trundle.Box((0.1, 0.1, 0.1)), name="mass", mass=2.0, velocity=(more.pop("speed", 0.0), 0, 0))
    scene.joint("slider", "mass", name="rail", position=(0, 0, 0), axis=(1, 0, 0), **more)
    return scene


def oscillator(t, k, c, m, x0, v0):
    """x'' = -(k x + c x') / m, underdamped."""
    d, w = 0.5 * c / m, math.sqrt(k / m - (0.5 * c / m) ** 2)
    return np.exp(-d * t) * (x0 * np.cos(w * t) + (v0 + d * x0) / w * np.sin(w * t))


@pytest.mark.parametrize("damping", [0.0, 6.0])
def test_a_damped_oscillator_follows_its_closed_form_to_second_order(damping):
    error = {}
    for h in (1e-2, 5e-3):
        run = trundle.simulate(mass(speed=1.0, stiffness=200.0, damping=damping), 2.0, h)
        error[h] = np.abs(run.position("mass")[:, 0] - oscillator(run.time, 200.0, damping, 2.0, 0.0, 1.0)).max()
        total = run.energy["kinetic"] + run.energy["elastic"]
        # the ledger closes: what the dashpot took is in joints; time steps lose nothing
        assert total + np.cumsum(run.energy["joints"]) == pytest.approx(1.0, abs=1e-9)
        assert np.abs(run.energy["numerical"]).max() < 1e-10
    assert error[1e-2] < 0.01
    assert error[1e-2] / error[5e-3] == pytest.approx(4.0, rel=0.15)


@pytest.mark.parametrize("theta", [0.5, 1.0])
def test_a_spring_of_any_stiffness_is_stable(theta):
    # h omega = 7e3: explicit steps would blow up at 2; theta = 1 comes to rest, theta = 1/2 keeps the energy
    run = trundle.simulate(mass(speed=1.0, stiffness=1e14), 0.1, 1e-3, theta=theta)
    assert np.abs(run.position("mass")[:, 0]).max() < 1e-3
    assert run.energy["kinetic"][-1] + run.energy["elastic"][-1] <= 1.0 + 1e-6
    still = trundle.simulate(mass(gravity=G, stiffness=1e14, damping=1e3), 0.1, 1e-3, theta=1.0)
    assert still.position("mass")[-1, 0] == pytest.approx(2.0 * G / 1e14, rel=1e-4)


def test_a_spring_between_two_bodies_keeps_momentum_and_energy():
    scene = trundle.Scene(gravity=(0, 0, 0))
    scene.add(trundle.Sphere(0.1), name="a", mass=1.0, position=(0, 0, 0), velocity=(0, 1, 0))
    scene.add(trundle.Sphere(0.1), name="b", mass=3.0, position=(1, 0, 0))
    scene.joint("spring", "a", "b", name="spring", stiffness=50.0, target=0.8)
    scene.ignore("a", "b")
    run = trundle.simulate(scene, 5.0, 5e-3)
    momentum = run.velocity("a") + 3.0 * run.velocity("b")
    assert momentum == pytest.approx(np.tile([0, 1.0, 0], (len(momentum), 1)), abs=1e-10)
    total = run.energy["kinetic"] + run.energy["elastic"]
    assert total == pytest.approx(0.5 + 0.5 * 50 * 0.2**2, rel=1e-4)  # the line turns: second order
    # force of the spring on b: k (rest - length) along the line from a to b, means of the step
    length = np.linalg.norm(run.position("b") - run.position("a"), axis=1)
    force = np.linalg.norm(run.joint_force("spring")[1:], axis=1)
    mean = 50.0 * np.abs(0.5 * (length[1:] + length[:-1]) - 0.8)
    assert force == pytest.approx(mean, abs=2e-3)


def test_a_torsion_spring_turns_through_several_turns():
    scene = trundle.Scene(gravity=(0, 0, 0))
    inertia = 0.02
    scene.add(trundle.Sphere(0.1), name="rotor", mass=1.0, inertia=(inertia,) * 3, angular_velocity=(0, 0, 40.0))
    scene.joint("hinge", "rotor", name="axle", position=(0, 0, 0), axis=(0, 0, 1), stiffness=0.05)
    run = trundle.simulate(scene, 4.0, 1e-3)
    w = math.sqrt(0.05 / inertia)  # largest angle 40 / w = 25 rad: four turns
    assert run.angular_velocity("rotor")[:, 2] == pytest.approx(40.0 * np.cos(w * run.time), abs=1e-3)


def test_a_target_pulls_the_way_that_its_sentence_reads():
    for other, sign in ((None, 1.0), ("base", -1.0)):
        scene = trundle.Scene(gravity=(0, 0, 0))
        scene.add(trundle.Box((0.1, 0.1, 0.1)), name="arm", mass=1.0)
        scene.add(trundle.Box((0.1, 0.1, 0.1)), name="base", fixed=True, position=(0, 0, -0.2))
        scene.joint("hinge", "arm", other, position=(0, 0, 0), axis=(0, 0, 1), stiffness=1.0, damping=0.1, target=0.5)
        scene.ignore("arm", "base")
        run = trundle.simulate(scene, 2.0, 5e-3)
        # of `arm` relative to the world; or of `other`, the base, relative to the arm
        assert 2 * math.atan2(*run.orientation("arm")[-1, [3, 0]]) == pytest.approx(sign * 0.5, abs=1e-3)


def test_a_servo_follows_its_target_and_gives_no_more_than_its_force():
    scene = mass(stiffness=2000.0, damping=200.0, target=lambda t: 0.1 if t > 0.2 else 0.0, max_force=10.0)
    run = trundle.simulate(scene, 1.5, 1e-3)
    pull = run.joint_impulse("rail")[1:, 0] / 1e-3
    assert np.abs(pull).max() == pytest.approx(10.0, rel=1e-9)
    assert run.position("mass")[-1, 0] == pytest.approx(0.1, abs=1e-4)
    # it begins with its largest force: x = F t^2 / 2 m
    k = np.searchsorted(run.time, 0.25)
    assert run.position("mass")[k, 0] == pytest.approx(0.5 * 10.0 / 2.0 * (run.time[k] - 0.2) ** 2, rel=0.05)
    work = np.cumsum(run.energy["external"])[-1]
    assert run.energy["kinetic"][-1] + run.energy["elastic"][-1] == pytest.approx(
        work - run.energy["numerical"].sum(), abs=1e-9
    )


def test_a_servo_of_time_and_state_is_called_with_both():
    seen = []

    def target(time, state):
        seen.append((time, state.position("mass")[0]))
        return 0.0

    trundle.simulate(mass(speed=1.0, stiffness=10.0, target=target), 0.01, 1e-3)
    assert seen[1] == (pytest.approx(1.5e-3), pytest.approx(1e-3, rel=1e-3))


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("speed", [1.0, -1.0])
def test_a_mass_bounces_between_its_limits(restitution, speed):
    run = trundle.simulate(mass(speed=speed, limits=(-0.2003, 0.3003), restitution=restitution), 2.0, 1e-3)
    x, v = run.position("mass")[:, 0], run.velocity("mass")[:, 0]
    assert x.min() > -0.2003 - 1e-9
    assert x.max() < 0.3003 + 1e-9
    assert not run.warnings
    if restitution == 0.0:
        assert x[-1] == pytest.approx(0.3003 if speed > 0 else -0.2003, abs=1e-3)
        assert np.abs(v[-1]) < 1e-12
    else:
        # ways between the walls at speeds 1, e, e^2 ...
        first = 0.3003 if speed > 0 else 0.2003
        times, s = [first], restitution
        while times[-1] < 2.0:
            times.append(times[-1] + 0.5006 / s)
            s *= restitution
        bounces = sum(t < 2.0 for t in times)
        assert np.abs(v[-1]) == pytest.approx(restitution**bounces, rel=1e-9)
        assert np.count_nonzero(np.diff(np.sign(v))) == bounces
    assert run.energy["joints"].sum() == pytest.approx(1.0 - v[-1] ** 2, abs=1e-9)


def test_a_pendulum_on_a_hinge_stops_at_its_limit_and_leans_on_it():
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(trundle.Sphere(0.05), name="bob", mass=2.0, inertia=(1e-3,) * 3, position=(1, 0, 0))
    # turns about y from +x down to -z: positive angles
    scene.joint("hinge", "bob", name="pivot", position=(0, 0, 0), axis=(0, 1, 0), limits=(-0.1, 0.5))
    run = trundle.simulate(scene, 2.0, 1e-3, tolerance=1e-12)
    angle = 2 * np.arctan2(run.orientation("bob")[:, 2], run.orientation("bob")[:, 0])
    assert angle.max() < 0.5 + 1e-5  # (h w)^2, second order
    assert angle[-1] == pytest.approx(0.5, abs=2e-3)
    # moment of the weight about the hinge
    moment = run.joint_impulse("pivot")[-1, 3] / 1e-3
    assert abs(moment) == pytest.approx(2.0 * G * math.cos(angle[-1]), rel=1e-6)


def test_a_rope_lets_a_stone_fall_and_then_swing():
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(trundle.Sphere(0.05), name="stone", mass=1.0, position=(0.6, 0, 0))
    scene.joint("spring", "stone", name="rope", other_position=(0, 0, 0), limits=(0, 1.0))
    run = trundle.simulate(scene, 3.0, 1e-3)
    r = np.linalg.norm(run.position("stone"), axis=1)
    assert r.max() < 1.0 + 1e-5
    # free fall until 0.6^2 + z^2 = 1: z = -0.8
    fallen = run.time < 0.99 * math.sqrt(2 * 0.8 / G)
    assert run.position("stone")[fallen, 2] == pytest.approx(-0.5 * G * run.time[fallen] ** 2, abs=1e-9)
    assert np.all(run.joint_force("rope")[1:][fallen[1:]] == 0.0)
    assert r[-1] > 0.99


def test_springs_do_not_take_part_in_impacts_and_energy_is_kept():
    # a ball on a spring to the world bounces on the floor with e = 1: energy is kept
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(trundle.HalfSpace(), name="floor", fixed=True)
    scene.add(trundle.Sphere(0.1), name="ball", mass=1.0, position=(0, 0, 0.5))
    scene.joint("spring", "ball", name="bungee", other_position=(0, 0, 1.5), stiffness=30.0)
    scene.surface("default", "default", law=laws.Coulomb(mu=0.0), restitution=1.0)
    run = trundle.simulate(scene, 5.0, 1e-3)
    total = run.energy["kinetic"] + run.energy["potential"] + run.energy["elastic"]
    assert run.position("ball")[:, 2].min() > 0.099
    assert total == pytest.approx(G * 0.5, rel=5e-3)


def test_springs_resume_to_the_same_bits_and_are_written(tmp_path):
    def scene():
        made = trundle.Scene(gravity=(0, 0, -G))
        made.add(trundle.Box((0.4, 0.1, 0.1)), name="arm", mass=1.0, position=(0.2, 0, 0), angular_velocity=(0, 30, 0))
        made.add(trundle.Sphere(0.1), name="bob", mass=1.0, position=(1, 0, 0))
        made.joint(
            "hinge", "arm", name="pivot", position=(0, 0, 0), axis=(0, 1, 0), stiffness=0.3, damping=0.01, target=0.2,
            limits=(-50, 60.0), restitution=0.4,
        )  # fmt: skip
        made.joint("spring", "arm", "bob", name="rope", stiffness=40.0, damping=0.2, max_force=30.0, limits=(0.1, 2.0))
        made.ignore("arm", "bob")
        return made

    text = dump_scene(scene())
    assert dump_scene(parse_scene(text)[0]) == text
    run = trundle.simulate(parse_scene(text)[0], 1.0, 2e-3)
    trundle.simulate(scene(), 0.5, 2e-3, record=tmp_path / "half.h5")
    again = trundle.resume(tmp_path / "half.h5", duration=1.0)
    assert np.array_equal(again.position("bob")[-1], run.position("bob")[-1])
    assert np.array_equal(again.joint_force("pivot")[-1], run.joint_force("pivot")[-1])
    assert again.energy["elastic"][-1] == run.energy["elastic"][-1] > 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kind": "ball", "stiffness": 1.0}, "a ball joint has none"),
        ({"kind": "slider", "axis": (1, 0, 0), "stiffness": -1.0}, "stiffness = -1"),
        ({"kind": "slider", "axis": (1, 0, 0), "target": 1.0}, "needs a stiffness"),
        ({"kind": "slider", "axis": (1, 0, 0), "limits": (0.1, 1.0)}, "with the start, 0, between"),
        ({"kind": "slider", "axis": (1, 0, 0), "limits": 3}, r"must be \(low, high\)"),
        ({"kind": "slider", "axis": (1, 0, 0), "restitution": 0.5}, "that of limits"),
        ({"kind": "slider", "axis": (1, 0, 0), "limits": (-1, 1), "restitution": 1.5}, "at most 1"),
        ({"kind": "spring", "other_position": (0, 0, 1), "position": None}, "a spring needs stiffness"),
    ],
)
def test_what_makes_no_sense_is_told(given, message):
    scene = trundle.Scene()
    scene.add(trundle.Sphere(0.1), name="a", mass=1.0)
    with pytest.raises(SceneError, match=message):
        scene.joint(given.pop("kind"), "a", **{"position": (0, 0, 0), **given})


@pytest.mark.parametrize("formulation", ["compliant", "relaxed"])
def test_a_ball_that_rolls_on_a_spring_sinks_in_by_its_weight_and_rises_where_contacts_are_relaxed(formulation):
    m, k, mu_r, h = 2.0, 1e6, 1e-3, 1e-3
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(trundle.HalfSpace(), name="ground", fixed=True)
    scene.add(trundle.Sphere(0.1), name="ball", mass=m, position=(0, 0, 0.1), velocity=(1.0, 0, 0))
    scene.surface("default", "default", law=laws.Rolling(mu=0.3, mu_r=mu_r), stiffness=(k, 0.5 * k))
    run = trundle.simulate(scene, 1.0, h, formulation=formulation, theta=1.0)
    # Tasora & Anitescu (2013): a relaxed contact opens with mu |u| + mu_r |w|, here within a step
    lift = h * mu_r * run.angular_velocity("ball")[-1, 1] if formulation == "relaxed" else 0.0
    assert 0.1 - run.position("ball")[-1, 2] == pytest.approx(m * G / k - lift, rel=1e-3)
    # the force is that of the weight in both, and stored
    assert run.energy["elastic"][-1] == pytest.approx(0.5 * (m * G) ** 2 / k, rel=1e-2)
