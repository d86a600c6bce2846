"""Force fields in the theta-method, against closed forms and own differential equations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import trundle
from trundle import laws
from trundle.errors import SceneError
from trundle.scene.files import parse_scene
from trundle.scene.writing import dump_scene


def ball(mass=2.0, gravity=(0, 0, 0), **values):
    scene = trundle.Scene(gravity=gravity)
    scene.add(trundle.Sphere(radius=0.1), name="ball", mass=mass, **values)
    return scene


def orders(errors):
    return np.log2(np.abs(errors[:-1]) / np.abs(errors[1:]))


@pytest.mark.parametrize("implicit", [True, False])
def test_oscillator_is_of_second_order_at_theta_one_half(implicit):
    errors = []
    for h in (0.04, 0.02, 0.01):
        scene = ball(position=(1, 0, 0))
        scene.field(lambda t, state: -4.5 * state.position("ball"), "ball", implicit=implicit)
        run = trundle.simulate(scene, 2.0, h, theta=0.5)
        errors.append(run.final.position[0, 0] - math.cos(1.5 * 2.0))
    assert np.all(np.abs(orders(np.array(errors)) - 2.0) < 0.05)


def test_implicit_oscillator_is_that_of_the_theta_method_to_rounding():
    # x' = x + h (v + v') / 2, m (v' - v) = -h (k x_m + c v_m) with the means: a linear map, in closed form
    k, c, m, h = 300.0, 4.0, 2.0, 0.05
    scene = ball(m, position=(0.3, 0, 0), velocity=(1.0, 0, 0))
    scene.field(lambda t, state: -k * state.position("ball") - c * state.velocity("ball"), "ball", implicit=True)
    run = trundle.simulate(scene, 1.0, h, theta=0.5)
    A = np.array([[0.0, 1.0], [-k / m, -c / m]])
    step = np.linalg.solve(np.eye(2) - 0.5 * h * A, np.eye(2) + 0.5 * h * A)
    expected = np.linalg.matrix_power(step, 20) @ [0.3, 1.0]
    found = [run.final.position[0, 0], run.final.velocity[0, 0]]
    assert np.allclose(found, expected, rtol=0.0, atol=1e-9)  # derivatives are differences, 1e-10


@pytest.mark.parametrize("theta", [0.5, 1.0])
def test_stiff_spring_does_not_explode_at_steps_far_above_its_period(theta):
    # omega h = 1.4e4: at theta = 1 the amplitude falls by 1 / |1 + i omega h| a step, at 1/2 it stays
    scene = ball(position=(1, 0, 0))
    scene.field(trundle.CentralSpring((0, 0, 0), 4e12), "ball", implicit=True)
    run = trundle.simulate(scene, 0.2, 0.01, theta=theta)
    assert abs(run.final.position[0, 0]) < (1.0 + 1e-9 if theta == 0.5 else 1e-60)
    assert not run.warnings


def test_explicit_stiff_spring_does_explode():
    scene = ball(position=(1, 0, 0))
    scene.field(trundle.CentralSpring((0, 0, 0), 4e6), "ball")
    run = trundle.simulate(scene, 0.1, 0.01)
    assert abs(run.final.position[0, 0]) > 1e10


def test_quadratic_drag_reaches_its_terminal_speed():
    # m v' = m g - c v^2: v = v_e tanh(g t / v_e)
    m, c, g = 2.0, 0.3, 9.81
    terminal = math.sqrt(m * g / c)
    errors = []
    for h in (0.04, 0.02, 0.01):
        scene = ball(m, (0, 0, -g))
        scene.field(trundle.Drag(quadratic=c), implicit=True)
        run = trundle.simulate(scene, 2.0, h, theta=0.5)
        errors.append(run.final.velocity[0, 2] + terminal * math.tanh(g * 2.0 / terminal))
    assert abs(errors[-1]) < (g * 0.01 / terminal) ** 2 * terminal / 12  # of the trapezoidal rule
    assert np.all(np.abs(orders(np.array(errors)) - 2.0) < 0.2)


def test_magnetic_force_turns_a_velocity_and_gives_no_energy():
    # F = q v x B: derivatives are not symmetric; the theta-method turns by 2 atan(omega h / 2) a step, whatever h
    scene = ball(2.0, velocity=(1.0, 0, 0))
    scene.field(lambda t, state: np.cross(state.velocity("ball"), (0, 0, 2e3)), "ball", implicit=True)
    run = trundle.simulate(scene, 0.1, 0.01, theta=0.5)
    angle = -10 * 2.0 * math.atan(1e3 * 0.01 / 2.0)
    assert np.allclose(run.final.velocity[0, :2], [math.cos(angle), math.sin(angle)], rtol=0.0, atol=1e-8)
    assert abs(run.energy["external"].sum()) < 1e-8


def test_field_couples_bodies_and_keeps_their_momentum():
    # two masses and a spring: relative motion with the reduced mass
    k, m, M = 50.0, 1.0, 3.0
    scene = trundle.Scene(gravity=(0, 0, 0))
    scene.add(trundle.Sphere(radius=0.05), name="a", mass=m, position=(0, 0, 0), velocity=(0.4, 0, 0))
    scene.add(trundle.Sphere(radius=0.05), name="b", mass=M, position=(1, 0, 0))

    scene.ignore("a", "b")

    def pull(time, state):
        force = k * (state.position("b") - state.position("a") - (0.9, 0, 0))
        return force, -force

    scene.field(pull, ["a", "b"], implicit=True)
    run = trundle.simulate(scene, 1.0, 1e-3)
    w = math.sqrt(k * (1 / m + 1 / M))
    late = w * (1.0 - (w * 1e-3) ** 2 / 12)  # phase of the trapezoidal rule
    stretch = 0.1 * math.cos(late) - 0.4 / w * math.sin(late)
    span = run.final.position[1, 0] - run.final.position[0, 0]
    assert abs(span - 0.9 - stretch) < 0.4 / w * (w * 1e-3) ** 2 / 4
    assert abs(m * run.final.velocity[0, 0] + M * run.final.velocity[1, 0] - 0.4 * m) < 1e-12


def test_torque_field_stands_in_for_a_torsion_spring_of_a_box():
    k = 0.8
    scene = trundle.Scene(gravity=(0, 0, 0))
    scene.add(trundle.Box((0.2, 0.1, 0.3)), name="box", mass=1.0, orientation=(math.cos(0.2), 0, 0, math.sin(0.2)))

    def twist(time, state):
        w, _, _, z = state.orientation("box")
        return (0, 0, 0, 0, 0, -k * 2.0 * math.atan2(z, w))

    scene.field(twist, "box", implicit=True)
    run = trundle.simulate(scene, 1.0, 1e-3)
    w, _, _, z = run.final.orientation[0]
    rate = math.sqrt(k / ((0.2**2 + 0.1**2) / 12))
    late = rate * (rate * 1e-3) ** 2 / 12  # [rad] of the trapezoidal rule
    assert abs(2.0 * math.atan2(z, w) - 0.4 * math.cos(rate - late)) < 1e-7


def test_contact_carries_what_a_stiff_field_presses_with():
    # pressed against the ground by a spring with omega h = 100: its force is k times the distance that the ground leaves
    scene = ball(1.0, (0, 0, -9.81), position=(0, 0, 0.1))
    scene.add(trundle.HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True)
    scene.surface("default", "default", law=laws.Coulomb(mu=0.5))
    scene.field(trundle.CentralSpring((0, 0, 0.05), 1e8), "ball", implicit=True)
    run = trundle.simulate(scene, 0.1, 0.01)
    assert not run.warnings
    assert abs(run.contacts(-1).normal_force.sum() / (9.81 + 1e8 * 0.05) - 1.0) < 1e-6


def test_field_may_stand_beside_joints():
    # a pendulum in a stiff viscous fluid: overdamped, m l^2 phi'' = -m g l sin phi - c l^2 phi'
    m, l, c, g = 1.0, 0.5, 40.0, 9.81
    scene = trundle.Scene(gravity=(0, 0, -g))
    scene.add(trundle.Sphere(radius=0.01), name="bob", mass=m, position=(l, 0, 0), inertia=(1e-9, 1e-9, 1e-9))
    scene.joint("ball", "bob", position=(0, 0, 0))
    scene.field(trundle.Drag(linear=c), "bob", implicit=True)
    run = trundle.simulate(scene, 1.0, 5e-3)
    found = solve_ivp(
        lambda t, y: (y[1], -g / l * math.sin(y[0]) - c / m * y[1]), (0, 1), (math.pi / 2, 0), rtol=1e-11, atol=1e-12
    )
    angle = math.atan2(run.final.position[0, 0], -run.final.position[0, 2])
    assert abs(angle - found.y[0, -1]) < 2e-5


def test_ledger_books_the_work_of_a_field_as_external():
    scene = ball(2.0, position=(1, 0, 0))
    scene.field(trundle.CentralSpring((0, 0, 0), 4.5), "ball", implicit=True)
    run = trundle.simulate(scene, 0.7, 1e-2)
    gained = run.energy["kinetic"][-1]
    assert abs(run.energy["external"].sum() - gained) < 1e-12
    assert abs(run.energy["numerical"].sum()) < 1e-12


def test_history_takes_explicit_fields():
    scene = ball(2.0, position=(1, 0, 0))
    scene.field(trundle.CentralSpring((0, 0, 0), 4.5), "ball")
    run = trundle.simulate(scene, 2.0, 1e-4, formulation="history")
    assert abs(run.final.position[0, 0] - math.cos(3.0)) < 3e-4  # first order


def test_many_grains_take_explicit_fields_as_few_do():
    found = []
    for count in (1, 64):
        scene = trundle.Scene(gravity=(0, 0, 0))
        for i in range(count):
            scene.add(trundle.Sphere(radius=0.1), mass=1.0, position=(i, 0, 0), velocity=(0, 1.0, 0))
        scene.surface("default", "default", law=laws.Coulomb(mu=0.5))
        scene.field(trundle.Drag(linear=2.0))
        found.append(trundle.simulate(scene, 0.5, 1e-2).final.velocity[0])
    assert np.allclose(*found, rtol=1e-15, atol=0.0)


def test_scene_file_holds_fields_and_reads_them_back():
    text = """
[[bodies]]
name = "ball"
shape = "Sphere"
radius = 0.1
mass = 1
[[fields]]
field = {kind = "linear", damping = [1, 2, 3], stiffness = 5}
implicit = true
[[fields]]
field = {kind = "drag", quadratic = 0.1}
bodies = ["ball"]
"""
    scene, _ = parse_scene(text)
    again, _ = parse_scene(dump_scene(scene))
    assert dump_scene(again) == dump_scene(scene)
    one, other = (trundle.simulate(s, 0.1, 1e-2).final.position for s in (scene, again))
    assert np.array_equal(one, other)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda s: s.field(trundle.Drag(linear=1.0), "bal"), "Did you mean 'ball'"),
        (lambda s: s.field(3.0, "ball"), "is not a field"),
        (lambda s: trundle.Drag(), "give linear"),
        (lambda s: trundle.LinearField(damping=[1, 2]), "3 or 6"),
        (lambda s: s.field(trundle.Drag(linear=1.0), "ground"), "does not feel forces"),
        (lambda s: dump_scene(_with_function(s)), "Python function"),
    ],
)
def test_bad_field_is_refused_when_it_is_said(make, message):
    scene = ball()
    scene.add(trundle.HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True)
    with pytest.raises(SceneError, match=message):
        make(scene)


def _with_function(scene):
    scene.field(lambda t, state: (0, 0, 0), "ball")
    return scene


def test_implicit_field_is_refused_before_the_first_step_of_explicit_springs():
    scene = ball(1.0, position=(0, 0, 0.1))
    scene.add(trundle.HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True)
    scene.surface("default", "default", law=laws.Coulomb(mu=0.5), material=trundle.Hooke(stiffness=1e5))
    scene.field(trundle.Drag(linear=1.0), implicit=True)
    with pytest.raises(SceneError, match="history"):
        trundle.simulate(scene, 0.1, 1e-3, formulation="history")


def test_function_of_the_wrong_shape_is_refused_before_the_first_step():
    scene = ball()
    scene.field(lambda t, state: (1, 2), "ball")
    with pytest.raises(SceneError, match=r"shape \(1, 3\)"):
        trundle.simulate(scene, 0.1, 1e-3)


def test_resumed_run_with_an_implicit_field_has_the_same_bits(tmp_path):
    def make():
        scene = ball(1.0, (0, 0, -9.81), position=(0, 0, 0.1), velocity=(1, 0, 0))
        scene.add(trundle.HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True)
        scene.surface("default", "default", law=laws.Coulomb(mu=0.5))
        scene.field(trundle.CentralSpring((0, 0, 0), 1e4), "ball", implicit=True)
        return scene

    whole = trundle.simulate(make(), 0.2, 1e-3).final.position
    file = tmp_path / "run.h5"
    trundle.simulate(make(), 0.1, 1e-3, record=file)
    assert np.array_equal(trundle.resume(file, duration=0.2).final.position, whole)
