"""Users' constraints, against Lagrange's equations of their own coordinates."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import trundle
from trundle import laws
from trundle.errors import SceneError
from trundle.scene.files import parse_scene

G = 9.81


def body(name="ball", mass=1.3, radius=0.05, gravity=(0, 0, -G), **values):
    scene = trundle.Scene(gravity=gravity)
    scene.add(trundle.Sphere(radius=radius), name=name, mass=mass, **values)
    return scene


def solution(function, end, start):
    return solve_ivp(function, (0.0, end), start, rtol=1e-12, atol=1e-13).y[:, -1]


def second_order(errors, within=0.1):
    return bool(np.all(np.abs(np.log2(errors[:-1] / errors[1:]) - 2.0) < within))


@pytest.mark.parametrize("given", [False, True])
def test_bead_on_an_ellipse_follows_its_lagrange_equation(given):
    a, b, start, end = 0.5, 0.3, 0.4, 1.0

    def rate(t, y):  # (a^2 s^2 + b^2 c^2) p'' = -(a^2 - b^2) s c p'^2 - g b c
        s, c = math.sin(y[0]), math.cos(y[0])
        return y[1], (-(a * a - b * b) * s * c * y[1] ** 2 - G * b * c) / (a * a * s * s + b * b * c * c)

    angle = solution(rate, end, (start, 0.0))[0]
    errors = []
    for h in (0.004, 0.002, 0.001):
        scene = body(position=(a * math.cos(start), 0, b * math.sin(start)))

        def ellipse(t, state):
            x, y, z = state.position("ball")
            return x * x / a**2 + z * z / b**2 - 1.0, y

        def slope(t, state):
            x, _, z = state.position("ball")
            return [[(2 * x / a**2, 0, 2 * z / b**2, 0, 0, 0)], [(0, 1, 0, 0, 0, 0)]]

        scene.constraint("ball", ellipse, gradient=slope if given else None)
        run = trundle.simulate(scene, end, h)
        x, y, z = run.final.position[0]
        assert abs(x * x / a**2 + z * z / b**2 - 1.0) < 1e-12
        assert y == 0.0
        errors.append(math.hypot(x - a * math.cos(angle), z - b * math.sin(angle)))
    assert errors[-1] < 3e-5
    assert second_order(np.array(errors))


def test_pendulum_whose_length_is_prescribed_follows_its_equation_and_gets_its_work():
    # l p'' = -g sin p - 2 l' p'
    length, speed, end = lambda t: 0.5 + 0.1 * math.sin(3 * t), lambda t: 0.3 * math.cos(3 * t), 2.0
    angle, turn = solution(
        lambda t, y: (y[1], (-G * math.sin(y[0]) - 2 * speed(t) * y[1]) / length(t)), end, (0.8, 0.0)
    )
    errors = []
    for h in (0.004, 0.002, 0.001):
        x = np.array([math.sin(0.8), 0, -math.cos(0.8)])
        scene = body(position=length(0) * x, velocity=speed(0) * x)
        scene.constraint("ball", lambda t, state: np.linalg.norm(state.position("ball")) - length(t))
        run = trundle.simulate(scene, end, h)
        expected = length(end) * np.array([math.sin(angle), 0, -math.cos(angle)])
        errors.append(np.linalg.norm(run.final.position[0] - expected))
    assert errors[-1] < 4e-6
    assert second_order(np.array(errors))
    first = 1.3 * (0.5 * speed(0) ** 2 - G * length(0) * math.cos(0.8))
    last = 1.3 * (0.5 * (speed(end) ** 2 + (length(end) * turn) ** 2) - G * length(end) * math.cos(angle))
    assert abs(run.energy["external"].sum() - (last - first)) < 1e-4


def test_sphere_that_may_not_slide_rolls_at_five_sevenths():
    slope, R = 0.3, 0.05
    scene = body(gravity=(G * math.sin(slope), 0, -G * math.cos(slope)))

    def roll(t, state):
        v, w = state.velocity("ball"), state.angular_velocity("ball")
        return v[0] - R * w[1], v[1] + R * w[0], v[2]

    scene.constraint("ball", roll, level="velocity")
    run = trundle.simulate(scene, 1.0, 1e-2)
    assert np.allclose(run.final.position[0], [5 / 14 * G * math.sin(slope), 0, 0], rtol=0, atol=1e-11)


def test_rolling_on_a_turntable_goes_round_in_a_circle():
    # v = w_ball x n R + Omega x r: a ball on a turntable circles at 2/7 of its speed, whatever its start
    R, turn, v = 0.05, 7.0, 0.3
    scene = body(gravity=(0, 0, 0), velocity=(v, 0, 0), position=(0.1, 0, 0))

    def roll(t, state):
        x, u, w = state.position("ball"), state.velocity("ball"), state.angular_velocity("ball")
        return u[0] - R * w[1] + turn * x[1], u[1] + R * w[0] - turn * x[0], u[2]

    scene.bodies[0].angular_velocity[:] = (turn * 0.1 / R, v / R, 0.0)  # rolls from the start
    scene.constraint("ball", roll, level="velocity")
    run = trundle.simulate(scene, math.pi, math.pi / 3000)  # one turn of 2/7 * 7 = 2 rad/s
    assert np.allclose(run.final.position[0], [0.1, 0, 0], rtol=0, atol=1e-5)


def test_screw_in_a_cylindrical_joint_falls_with_its_inertia():
    # m z'' = -m g / (1 + I / (m pitch^2)): a wrench that no link of six rows has; beside a joint
    pitch, R = 0.02, 0.05
    scene = body()
    scene.joint("cylindrical", "ball", position=(0, 0, 0), axis=(0, 0, 1))

    def screw(t, state):
        w, _, _, z = state.orientation("ball")
        return math.sin(0.5 * state.position("ball")[2] / pitch - math.atan2(z, w))

    scene.constraint("ball", screw)
    run = trundle.simulate(scene, 0.5, 1e-2)
    assert abs(run.final.position[0, 2] + 0.125 * G / (1 + 0.4 * R**2 / pitch**2)) < 1e-9
    assert np.abs(run.final.position[0, :2]).max() < 1e-12


def test_gears_share_a_torque_by_their_ratio():
    scene = trundle.Scene(gravity=(0, 0, 0))
    for i, name in enumerate(("small", "large")):
        scene.add(trundle.Sphere(radius=0.05), name=name, mass=1.0, inertia=(1e-3 * (1 + i),) * 3, position=(i, 0, 0))
        scene.joint("hinge", name, position=(i, 0, 0), axis=(0, 0, 1))
    scene.ignore("small", "large")
    scene.constraint(
        ["small", "large"],
        lambda t, state: state.angular_velocity("small")[2] + 3.0 * state.angular_velocity("large")[2],
        level="velocity",
    )
    scene.load("small", torque=(0, 0, 0.01))
    run = trundle.simulate(scene, 1.0, 1e-2)
    spin = 0.01 / (1e-3 + 2e-3 / 9)
    assert np.allclose(run.final.angular_velocity[:2, 2], [spin, -spin / 3], rtol=1e-10)


def test_bead_on_a_rod_rests_on_the_ground_with_what_the_rod_leaves():
    # held on a plane at 45 degrees and on the ground: it slides nowhere; both carry
    scene = body(position=(0, 0, 0.05))
    scene.add(trundle.HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True)
    scene.surface("default", "default", law=laws.Coulomb(mu=0.0))
    scene.constraint("ball", lambda t, state: state.position("ball")[0] + state.position("ball")[2] - 0.05)
    scene.load("ball", force=(2.0, 0, 0))
    run = trundle.simulate(scene, 0.1, 1e-3)
    assert np.abs(run.final.velocity[0]).max() < 1e-8
    assert abs(run.contacts(-1).normal_force.sum() - (1.3 * G + 2.0)) < 1e-6


@pytest.mark.parametrize("theta", [0.5, 0.7, 1.0])
def test_constraint_holds_to_rounding_for_any_theta(theta):
    scene = body(position=(0.3, 0, 0))
    scene.constraint("ball", lambda t, state: np.linalg.norm(state.position("ball")) - 0.3)
    run = trundle.simulate(scene, 0.2, 5e-3, theta=theta)
    assert abs(np.linalg.norm(run.final.position[0]) - 0.3) < 1e-12
    assert run.steps["converged"].all()


@pytest.mark.parametrize(
    ("say", "message"),
    [
        (lambda s: s.constraint("bal", lambda t, st: 0.0), "Did you mean 'ball'"),
        (lambda s: s.constraint("ball", 3.0), "function of time and state"),
        (lambda s: s.constraint("ball", lambda t, st: 0.0, level="force"), "level"),
        (lambda s: s.constraint("ball", lambda t, st: 1.0), "does not depend"),
        (lambda s: s.constraint("ball", lambda t, st: st.position("ball")[0] - 0.1), "not 0"),
        (lambda s: s.constraint("ball", lambda t, st: "x"), "finite number"),
        (
            lambda s: s.constraint("ball", lambda t, st: st.position("ball")[0], gradient=lambda t, st: (1, 0, 0)),
            "gradient",
        ),
    ],
)
def test_bad_constraint_is_refused_before_the_first_step(say, message):
    scene = body()

    def run():
        say(scene)
        trundle.simulate(scene, 0.1, 1e-3)

    with pytest.raises(SceneError, match=message):
        run()


def test_scene_file_says_that_constraints_are_for_python():
    with pytest.raises(SceneError, match="Python"):
        parse_scene('[[constraints]]\nbodies = ["ball"]\n')


def test_resumed_run_with_a_constraint_has_the_same_bits(tmp_path):
    def make():
        scene = body(position=(0.3, 0, 0))
        scene.constraint("ball", lambda t, state: np.linalg.norm(state.position("ball")) - 0.3 - 0.05 * t)
        return scene

    whole = trundle.simulate(make(), 0.2, 1e-3).final.position
    file = tmp_path / "run.h5"
    trundle.simulate(make(), 0.1, 1e-3, record=file)
    assert np.array_equal(trundle.resume(file, duration=0.2, scene=make()).final.position, whole)
