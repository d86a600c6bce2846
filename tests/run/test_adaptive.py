"""time_step="auto" against closed forms and equations of motion: what accuracy = 1e-6 promises is kept to 1e-5."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import trundle
from trundle import HalfSpace, Scene, SceneError, Sphere, laws
from trundle.papers.acary_bourrier_2021 import sphere as acary
from trundle.run import adaptive

G, PROMISED = 9.81, 1e-5
LOSSES = ("sliding", "rolling", "spinning", "impact", "joints", "numerical")


def bouncing(e=0.7, height=1.0, radius=0.1):
    scene = Scene(gravity=(0, 0, -G))
    scene.add(Sphere(radius=radius), name="ball", mass=1.0, position=(0, 0, height + radius), surface="a")
    scene.add(HalfSpace(), name="ground", fixed=True, surface="b")
    scene.surface("a", "b", law=laws.Coulomb(mu=0.0), restitution=e)
    return scene


def rocking(a=0.2, c=0.1, tilt=0.3):
    scene = Scene(gravity=(0, 0, -G))
    height = math.hypot(a * math.sin(tilt), c * math.cos(tilt))
    scene.add(
        trundle.Ellipsoid(semi_axes=(a, c, c)), name="b", mass=1.0, position=(0, 0, height),
        orientation=(math.cos(tilt / 2), 0, math.sin(tilt / 2), 0), surface="b",
    )  # fmt: skip
    scene.add(HalfSpace(), name="ground", fixed=True, surface="g")
    scene.surface("b", "g", law=laws.Coulomb(mu=2.0))
    return scene


def step_lengths(run):
    return np.diff(np.concatenate([[0.0], run.steps["time"]]))


def assert_ledger_closes(run, start):
    """As if rejected steps had never been done."""
    stored = run.energy["kinetic"] + run.energy["potential"] + run.energy["elastic"]
    lost = sum(run.energy[name] for name in LOSSES)
    change = np.diff(np.concatenate([[start], stored])) + lost - run.energy["external"]
    assert np.abs(change).max() < 1e-12 * max(abs(start), np.abs(stored).max())


@pytest.mark.parametrize("case", list(acary.CASES))
def test_sphere_slips_rolls_and_stops_as_its_closed_form(case):
    launch = acary.CASES[case]
    motion = acary.closed_form(*launch)
    run = trundle.simulate(acary.scene(*launch), 1.1 * motion.stop_time, "auto", accuracy=1e-6)
    for ours, exact in (
        (run.position("ball")[:, :2], motion.position(run.time)),
        (run.velocity("ball")[:, :2], motion.velocity(run.time)),
        (run.angular_velocity("ball"), motion.angular_velocity(run.time)),
    ):
        assert np.abs(ours - exact).max() < PROMISED * np.abs(exact).max()
    assert not run.warnings
    assert len(run.time) == 201
    assert np.allclose(np.diff(run.time), 1.1 * motion.stop_time / 200)
    # steps are shorter where a phase ends, and nowhere else
    near = np.min(np.abs(run.steps["time"][:, None] - np.array(motion.transitions)), axis=1)
    assert near[np.argmin(step_lengths(run))] < run.time[1]
    assert_ledger_closes(
        run, run.energy[0]["kinetic"] + run.energy[0]["potential"] + sum(run.energy[0][n] for n in LOSSES)
    )


def test_ball_bounces_on_its_parabolas_and_stops_in_time():
    """t1 = sqrt(2 h / g) until the first impact; all bounces end at t1 (1 + e) / (1 - e) = 2.559 s."""
    e, first = 0.7, math.sqrt(2.0 / G)
    stop = first * (1 + e) / (1 - e)
    run = trundle.simulate(bouncing(e), 2.6, "auto", accuracy=1e-6)
    assert stop == pytest.approx(2.559, abs=5e-4)
    t = run.time[run.time <= 0.5]
    after, v = np.maximum(t - first, 0.0), G * first * e
    z = np.where(t < first, 1.0 - 0.5 * G * t**2, v * after - 0.5 * G * after**2)
    speed = np.where(t < first, -G * t, v - G * after)
    assert np.abs(run.position("ball")[: len(t), 2] - 0.1 - z).max() < PROMISED
    assert np.abs(run.velocity("ball")[: len(t), 2] - speed).max() < PROMISED * G * first
    # with less than 1e-12 of its energy it would bounce for another 3e-6 s
    last = run.steps["time"][np.flatnonzero(run.energy["kinetic"] > 1e-12 * G)[-1]]
    assert last == pytest.approx(stop, abs=PROMISED * stop)
    assert run.velocity("ball")[-1] == pytest.approx(0.0, abs=1e-12)
    assert not run.warnings
    assert_ledger_closes(run, 1.1 * G)


def rocking_reference(times, a=0.2, c=0.1, tilt=0.3):
    """Centre x, z and spin of an ellipse that rolls without slip: y = sqrt(a^2 sin^2 + c^2 cos^2) is the height of its centre,
    M = I + y^2 + y'^2 its inertia about the contact, and M f'' = -g y' - y' (y + y'') f'^2 for m = 1."""

    def height(f):
        s = 0.5 * (a * a - c * c)
        y = math.hypot(a * math.sin(f), c * math.cos(f))
        first = s * math.sin(2 * f) / y
        return y, first, (2 * s * math.cos(2 * f) - first**2) / y

    def rate(_, state):
        y, dy, ddy = height(state[0])
        inertia = (a * a + c * c) / 5 + y * y + dy * dy
        return [state[1], -dy * (G + (y + ddy) * state[1] ** 2) / inertia, state[1] * y]

    f, w, x = solve_ivp(rate, (0, times[-1]), [tilt, 0, 0], t_eval=times, method="DOP853", rtol=1e-12, atol=1e-13).y
    return x, np.array([height(one)[0] for one in f]), w


def test_ellipsoid_rocks_as_rolling_without_slip_says():
    fine, rough = (trundle.simulate(rocking(), 2.0, "auto", accuracy=a) for a in (1e-6, 1e-4))
    x, z, w = rocking_reference(fine.time)
    for run, allowed in ((fine, PROMISED), (rough, 100 * PROMISED)):
        assert np.abs(run.position("b")[:, 0] - x).max() < allowed * 0.2
        assert np.abs(run.position("b")[:, 2] - z).max() < allowed * 0.2
        assert np.abs(run.angular_velocity("b")[:, 1] - w).max() < allowed * np.abs(w).max()
        assert not run.warnings


def test_a_thousandth_of_the_error_costs_ten_times_the_steps():
    """Steps are of second order; their ends are extrapolated to the third, and powers of two make 20 of the 10 at most."""
    rough, fine = (trundle.simulate(rocking(), 1.0, "auto", accuracy=a, frames_per_second=5) for a in (1e-4, 1e-7))
    assert 5 < len(fine.steps) / len(rough.steps) <= 20
    _, _, w = rocking_reference(fine.time)
    for run, allowed in ((rough, 1e-3), (fine, 1e-6)):
        assert np.abs(run.angular_velocity("b")[:, 1] - w).max() < allowed * np.abs(w).max()


def test_steps_grow_to_their_maximum_at_rest():
    run = trundle.simulate(bouncing(0.0, height=0.0), 1.0, "auto")
    assert len(run.steps) == 200 * adaptive.FINE
    # whatever the length of the step that led to the frame
    assert np.abs(run.contacts(-1).force[0]) == pytest.approx((0, 0, G), rel=1e-9)


def test_same_bits_on_repeat_and_on_resume(tmp_path):
    """The run is ended where steps are at their shortest, after the first impact."""
    whole = trundle.simulate(bouncing(), 1.0, "auto", accuracy=1e-5, record=tmp_path / "whole.h5")
    again = trundle.simulate(bouncing(), 1.0, "auto", accuracy=1e-5)
    for name, end in (("early.h5", 0.455), ("late.h5", 0.9)):
        path = tmp_path / name
        trundle.simulate(bouncing(), 1.0, "auto", accuracy=1e-5, record=path, stop=lambda t, _, end=end: t >= end)
        resumed = trundle.resume(path)
        for other in (again, resumed):
            assert np.array_equal(whole.position("ball"), other.position("ball"))
            assert np.array_equal(whole.steps, other.steps)
            assert np.array_equal(whole.energy, other.energy)


def test_steps_of_a_sphere_that_is_steered_are_those_of_simulate():
    scene = acary.scene(*acary.CASES["b"])
    run = trundle.simulate(scene, 1.0, "auto", accuracy=1e-5)
    simulation = trundle.Simulation(scene, "auto", accuracy=1e-5)  # 200 intervals per second
    simulation.step(40)
    simulation.run(0.8)
    assert np.array_equal(simulation.result().steps, run.steps)


def test_springs_keep_their_forces_when_the_step_changes():
    """A ball that does not roll swings on the springs of a slope, w = sqrt(k / m): x = X (1 - cos(w t)) on that of friction,
    which is remembered as an impulse, force times step, and z = -Z (1 - cos(w t) / 2) from half of its equilibrium on."""
    slope, k, accuracy = 0.2, 1e4, 1e-5
    X, Z, w = G * math.sin(slope) / k, G * math.cos(slope) / k, math.sqrt(k)
    scene = Scene(gravity=(G * math.sin(slope), 0, -G * math.cos(slope)))
    scene.add(Sphere(radius=0.1), name="ball", mass=1.0, position=(0, 0, 0.1 - 0.5 * Z), surface="a")
    scene.add(HalfSpace(), name="ground", fixed=True, surface="b")
    scene.surface("a", "b", law=laws.Rolling(mu=0.5, mu_r=0.05), stiffness=(k, k, math.inf, math.inf))
    run = trundle.simulate(scene, 0.1, "auto", accuracy=accuracy, formulation="compliant")
    x, z = X * (1 - np.cos(w * run.time)), 0.1 - Z * (1 - 0.5 * np.cos(w * run.time))
    assert np.abs(run.position("ball")[:, 0] - x).max() < 10 * accuracy * 0.1
    assert np.abs(run.position("ball")[:, 2] - z).max() < 10 * accuracy * 0.1
    # that springs are loaded at the start is said, as with fixed steps
    assert not [said for said in run.warnings if "minimum" in said]


def test_a_step_that_comes_down_to_its_minimum_is_reported(monkeypatch):
    monkeypatch.setattr(adaptive, "LEVELS", 2)
    launch = acary.CASES["b"]
    run = trundle.simulate(acary.scene(*launch), 1.0, "auto", accuracy=1e-8)
    (said,) = run.warnings
    assert "minimum" in said
    assert "accuracy = 1e-08" in said


def test_loads_that_are_functions_of_time_are_followed():
    """m x'' = sin(w t), from rest: x = (t - sin(w t) / w) / w, v = (1 - cos(w t)) / w for m = 1."""
    w, scene = 40.0, Scene(gravity=(0, 0, 0))
    scene.add(Sphere(radius=0.1), name="ball", mass=1.0, surface="a")
    scene.load("ball", force=lambda t: (math.sin(w * t), 0, 0))
    run = trundle.simulate(scene, 0.7, "auto", accuracy=1e-6)
    x, v = (run.time - np.sin(w * run.time) / w) / w, (1.0 - np.cos(w * run.time)) / w
    assert np.abs(run.position("ball")[:, 0] - x).max() < PROMISED * 0.1
    assert np.abs(run.velocity("ball")[:, 0] - v).max() < PROMISED * v.max()


@pytest.mark.parametrize("jump", [0.1234567, 0.30001, 0.25, 0.6999])
@pytest.mark.parametrize("given", ["function", "start"])
def test_a_load_that_jumps_is_followed_wherever_it_does(jump, given):
    """m x'' = F from t = jump on: v = F (t - jump), x = F (t - jump)^2 / 2 for m = 1."""
    scene, F = Scene(gravity=(0, 0, 0)), 5.0
    scene.add(Sphere(radius=0.1), name="ball", mass=1.0, surface="a")
    if given == "function":
        scene.load("ball", force=lambda t: (F if t >= jump else 0.0, 0, 0))
    else:
        scene.load("ball", force=(F, 0, 0), start=jump)
    run = trundle.simulate(scene, 1.0, "auto", accuracy=1e-6, frames_per_second=10)
    after = np.maximum(run.time - jump, 0.0)
    assert np.abs(run.velocity("ball")[:, 0] - F * after).max() < PROMISED * F * (1.0 - jump)
    assert np.abs(run.position("ball")[:, 0] - 0.5 * F * after**2).max() < PROMISED * 0.1
    assert not run.warnings


def test_a_thrust_that_ends_where_the_body_is_far_enough_ends_there():
    """Of the state: F = 1 until x = 1/2, which is at t = 1 with v = 1 for m = 1, and nothing after it."""
    scene = Scene(gravity=(0, 0, 0))
    scene.add(Sphere(radius=0.1), name="ball", mass=1.0, surface="a")
    scene.load("ball", force=lambda _, state: (float(state.position("ball")[0] < 0.5), 0, 0))
    run = trundle.simulate(scene, 1.37, "auto", accuracy=1e-6, frames_per_second=11)
    t = run.time
    x, v = np.where(t < 1.0, 0.5 * t**2, t - 0.5), np.minimum(t, 1.0)
    assert np.abs(run.velocity("ball")[:, 0] - v).max() < PROMISED
    assert np.abs(run.position("ball")[:, 0] - x).max() < PROMISED
    assert not run.warnings


def test_a_motor_that_switches_is_followed():
    """Angle of a wheel on a hinge whose motor runs at 2 rad/s from t = 0.4321 on, and at 3 rad/s from 0.8 on."""
    scene = Scene(gravity=(0, 0, 0))
    scene.add(trundle.Box(size=(0.2, 0.2, 0.1)), name="wheel", mass=1.0, surface="a")
    speed = lambda t: 0.0 if t < 0.4321 else 2.0 if t < 0.8 else 3.0  # noqa: E731
    scene.joint("hinge", "wheel", position=(0, 0, 0), axis=(0, 0, 1), motor=speed, name="axle")
    run = trundle.simulate(scene, 1.0, "auto", accuracy=1e-6, frames_per_second=10)
    q, t = run.orientation("wheel"), run.time
    angle = 2.0 * np.arctan2(q[:, 3], q[:, 0])
    right = 2.0 * np.maximum(t - 0.4321, 0.0) + np.maximum(t - 0.8, 0.0)
    assert np.abs(np.abs(angle) - right).max() < PROMISED


def test_several_bodies_on_joints_that_collide_follow_their_closed_forms():
    """A pendulum on a hinge, its ODE integrated to 1e-12, beside two balls that collide with e = 1/2 in mid-air."""
    scene, angle = Scene(gravity=(0, 0, -G)), 1.0
    scene.add(
        Sphere(radius=0.05),
        name="bob",
        mass=1.0,
        position=(0.5 * math.sin(angle), 0, -0.5 * math.cos(angle)),
        surface="a",
    )
    scene.joint("hinge", "bob", position=(0, 0, 0), axis=(0, 1, 0))
    for name, x, v in (("left", 1.0, 1.0), ("right", 2.0, -2.0)):
        scene.add(Sphere(radius=0.1), name=name, mass=1.0, position=(x, 0, 0), velocity=(v, 0, 0), surface="b")
    scene.surface("b", "b", law=laws.Coulomb(mu=0.3), restitution=0.5)
    scene.surface("a", "b", law=laws.Coulomb(mu=0.3))
    run = trundle.simulate(scene, 0.6, "auto", accuracy=1e-6)
    inertia = 0.5**2 + 0.4 * 0.05**2
    rate = lambda _, y: [y[1], -G * 0.5 * math.sin(y[0]) / inertia]  # noqa: E731
    swing = solve_ivp(rate, (0, 0.6), [angle, 0], t_eval=run.time, rtol=1e-12, atol=1e-13, method="DOP853").y[0]
    assert np.abs(run.position("bob")[:, 0] - 0.5 * np.sin(swing)).max() < PROMISED * 0.05
    hit = 0.8 / 3.0  # then the velocities -1/2 +- 3/4
    after = np.maximum(run.time - hit, 0.0)
    for name, x, v, then in (("left", 1.0, 1.0, -1.25), ("right", 2.0, -2.0, 0.25)):
        right = x + v * run.time + (then - v) * after
        assert np.abs(run.position(name)[:, 0] - right).max() < PROMISED * 0.1
    assert not run.warnings


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"formulation": "history"}, "stiffness says what step"),
        ({"every": 5}, "frames_per_second"),
        ({"accuracy": 0.0}, "between 1e-08 and 0.1"),
        ({"accuracy": "high"}, "between 1e-08 and 0.1"),
        ({"time_step": 1e-3, "accuracy": 1e-4}, "is for time_step = 'auto'"),
        ({"time_step": "short"}, "or 'auto'"),
        ({"keep_problems": True}, "fixed length"),
        ({"frames_per_second": -1.0}, "must be a positive number"),
    ],
)
def test_what_cannot_be_done_is_refused(options, words):
    with pytest.raises(SceneError, match=words):
        trundle.simulate(bouncing(), 0.1, **{"time_step": "auto", **options})


def test_emitters_are_refused():
    scene = bouncing()
    region = trundle.BoxRegion((0, 0, 2), (1, 1, 3))
    scene.emit(Sphere(radius=0.01), name="hopper", count=2, region=region, rate=10.0, mass=1.0, surface="a")
    with pytest.raises(SceneError, match="'hopper' pours at the ends of steps"):
        trundle.simulate(scene, 0.1, "auto")


def test_scene_files_and_commands_ask_for_an_accuracy(tmp_path):
    """`trundle rerun` finds the same bits, also of a run that was ended early: its steps depend on the duration asked for."""
    from typer.testing import CliRunner

    from trundle.cli.app import app
    from trundle.scene.writing import dump_scene

    file, recording = tmp_path / "ball.toml", tmp_path / "ball.h5"
    options = 'duration = 0.6\ntime_step = "auto"\naccuracy = 1e-3\nstop = "at rest 0.1"\n'
    file.write_text(f"{dump_scene(bouncing())}\n[simulation]\n{options}")
    given = ["run", str(file), "-o", str(recording), "-q", "--accuracy", "1e-5", "--fps", "50"]
    assert CliRunner().invoke(app, given).exit_code == 0
    again = trundle.simulate(bouncing(), 0.6, "auto", accuracy=1e-5, frames_per_second=50)
    with trundle.Recording(recording) as recorded:
        assert np.array_equal(recorded.steps, again.steps)
        assert len(recorded.time) == 31
    early = tmp_path / "early.h5"
    trundle.simulate(bouncing(), 0.6, "auto", record=early, stop=lambda t, _: t > 0.5)
    found = CliRunner().invoke(app, ["rerun", str(early)])
    assert found.exit_code == 0, found.output
