"""Scenes that are stepped, steered and ended on a condition."""

from __future__ import annotations

import numpy as np
import pytest

import trundle
from trundle import laws
from trundle.errors import RecordingError, SceneError, TrundleWarning
from trundle.run.tally import Tally
from trundle.step.report import GAINS, LEDGER, LOSSES, ROW_TYPE, STEP_TYPE

G = 9.81


def thrown(radius=0.1, velocity=(1.0, 0, 0), height=0.1, **surface):
    """A ball on rough ground."""
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(trundle.Sphere(radius), name="ball", mass=2.0, position=(0, 0, height), velocity=velocity)
    scene.add(trundle.HalfSpace(), name="ground", fixed=True)
    scene.surface("default", "default", **{"law": laws.Rolling(mu=0.5, mu_r=0.002), **surface})
    return scene


def block():
    """A box that slides on rough ground, off its centre, so that all of its contacts differ."""
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(trundle.Box((0.3, 0.2, 0.1)), name="box", mass=3.0, position=(0, 0, 0.05), velocity=(0.8, 0.3, 0))
    scene.add(trundle.Sphere(0.05), name="ball", mass=1.0, position=(0, 0, 0.151))
    scene.add(trundle.HalfSpace(), name="ground", fixed=True)
    scene.surface("default", "default", law=laws.Coulomb(0.3))
    return scene


def free_mass(**more):
    """A cart without gravity."""
    scene = trundle.Scene(gravity=(0, 0, 0))
    scene.add(trundle.Sphere(0.1), name="cart", mass=2.0, position=(1.0, 0, 0), **more)
    return scene


# --- the same bits ------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [thrown, block])
def test_steps_one_by_one_and_in_batches_have_the_bits_of_simulate(make):
    whole = trundle.simulate(make(), 0.3, 2e-3, every=7)
    sim = trundle.Simulation(make(), 2e-3, every=7)
    sim.step()
    sim.step(12)
    sim.run(0.1)
    run = sim.run(0.3 - sim.time)
    for quantity in ("position", "orientation", "velocity", "angular_velocity"):
        assert np.array_equal(getattr(run.final, quantity), getattr(whole.final, quantity))
    assert run.energy.tobytes() == whole.energy.tobytes()
    assert run.steps.tobytes() == whole.steps.tobytes()
    assert np.array_equal(run.time, whole.time)  # frames of the ends in between are gone


def test_a_recorded_simulation_gives_the_file_of_simulate(tmp_path):
    from test_run import assert_same_file

    trundle.simulate(block(), 0.1, 2e-3, every=7, record=tmp_path / "whole.h5")
    with trundle.Simulation(block(), 2e-3, every=7, record=tmp_path / "parts.h5") as sim:
        sim.step(8)
        assert len(sim.run(0.02).steps) == 18
        sim.run(0.1 - sim.time)
    assert_same_file(tmp_path / "whole.h5", tmp_path / "parts.h5")
    with pytest.raises(RecordingError, match="is closed"):
        sim.step()


# --- what a simulation tells -----------------------------------------------------------------------------


def test_contact_forces_carry_the_weight_and_brake_the_sliding_box():
    # m dv/dt = sum of forces: normal forces balance the weights, sliding friction is mu N against the motion
    sim = trundle.Simulation(block(), 1e-3, 1e-10)
    sim.step(20)
    contacts = sim.contacts()
    ground = contacts.bodies[:, 0] == "ground"
    assert set(contacts.bodies[ground, 1]) == {"box"}
    total = np.where(contacts.bodies[:, 0] == "box", -1.0, 1.0)[:, None] * contacts.force
    on_box = total[ground].sum(axis=0) + total[~ground].sum(axis=0)
    before = sim.state.velocity("box")
    sim.step()
    contacts = sim.contacts()
    sign = np.where(contacts.bodies[:, 1] == "box", 1.0, -1.0)[:, None]
    assert (sign * contacts.force).sum(axis=0) + [0, 0, -3.0 * G] == pytest.approx(
        3.0 * (sim.state.velocity("box") - before) / 1e-3, abs=1e-6
    )
    assert contacts.normal_force + contacts.sliding_force == pytest.approx(contacts.force)
    assert on_box.shape == (3,)
    sliding = contacts.mode == "sliding"
    size = np.linalg.norm(contacts.sliding_force, axis=1), np.linalg.norm(contacts.normal_force, axis=1)
    assert size[0][sliding] == pytest.approx(0.3 * size[1][sliding], rel=1e-6)


def test_rolling_torque_is_mu_r_times_the_normal_force():
    sim = trundle.Simulation(thrown(velocity=(1.0, 0, 0)), 1e-3, 1e-10)
    sim.run(1.0)  # it rolls by then: v = 5/7 of the launch speed at t = 2 v / (7 mu g) = 0.06 s
    contacts = sim.contacts()
    assert contacts.mode.tolist() == ["rolling"]
    assert np.linalg.norm(contacts.torque) == pytest.approx(0.002 * 2.0 * G, rel=1e-6)
    assert np.linalg.norm(contacts.rolling_torque) == pytest.approx(np.linalg.norm(contacts.torque))
    assert not contacts.spinning_torque.any()


def test_contacts_in_memory_are_those_of_the_recording(tmp_path):
    options = {"every": 5, "tolerance": 1e-8}
    plain = trundle.simulate(block(), 0.1, 2e-3, **options)
    trundle.simulate(block(), 0.1, 2e-3, **options, record=tmp_path / "run.h5")
    with trundle.open_recording(tmp_path / "run.h5") as recorded:
        for k in range(recorded.frame_count):
            one, other = plain.contacts(k), recorded.contacts(k)
            for name in ("body", "point", "frame", "gap", "impulse", "velocity", "mode", "force", "torque", "bodies"):
                assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert len(plain.contacts(-1)) >= 4
    with pytest.raises(RecordingError, match="there is no frame 99"):
        plain.contacts(99)


def test_contacts_beyond_the_memory_of_a_run_are_an_error_not_nothing(monkeypatch):
    monkeypatch.setattr("trundle.run.sinks.MOST_CONTACTS", 6)
    run = trundle.simulate(block(), 0.02, 2e-3)
    assert len(run.contacts(1)) == 5
    with pytest.raises(RecordingError, match=r"were not kept.*Record the run"):
        run.contacts(5)
    assert len(run.contacts(0)) == 0


def test_the_balance_of_a_simulation_closes():
    sim = trundle.Simulation(thrown(), 1e-3)
    sim.step()
    start = sim.energy.total + sum(getattr(sim.energy, name) for name in LOSSES)
    sim.run(0.3)
    balance = sim.energy_balance
    came = sum(getattr(balance, name) for name in GAINS) - sum(getattr(balance, name) for name in LOSSES)
    assert balance.total - start == pytest.approx(came, abs=1e-12)
    assert balance.sliding > 0.1
    assert balance.total == sim.energy.total


# --- loads and motors of time and state --------------------------------------------------------------------


@pytest.mark.parametrize("formulation", ["exact", "history"])
def test_a_spring_as_a_load_of_the_state_swings_with_its_frequency_and_keeps_its_energy(formulation):
    # x'' = -(k / m) x, x(0) = 1: cos(sqrt(20) t)
    scene = free_mass()
    scene.load("cart", force=lambda time, state: (-40.0 * state.position("cart")[0], 0, 0))
    h = 1e-3 if formulation == "exact" else 1e-4
    run = trundle.simulate(scene, 3.0, h, formulation=formulation, every=10)
    assert run.position("cart")[:, 0] == pytest.approx(np.cos(np.sqrt(20.0) * run.time), abs=2e-3)
    assert np.abs(run.position("cart")[:, 0]).max() < 1.0 + 3e-4
    stored = run.energy["kinetic"] - np.cumsum(run.energy["external"])
    assert np.abs(stored).max() < 5e-3 * 20.0  # work of the spring: first order in h at the first step, then exact


def test_a_load_may_depend_on_another_body_and_on_time():
    scene = free_mass()
    scene.add(trundle.Sphere(0.1), name="sun", mass=1.0, position=(-3, 0, 0), velocity=(0, 1, 0))
    scene.surface("default", "default", law=laws.Coulomb(0.0))
    seen = []

    def pull(time, state, gain=2.0):  # parameters with defaults do not count
        seen.append((time, state.time, state.velocity("sun")[1]))
        return gain * (state.position("sun") - state.position("cart"))

    scene.load("cart", force=pull)
    run = trundle.simulate(scene, 0.01, 1e-3)
    assert [round(time, 12) for time, _, _ in seen[-10:]] == [round(1e-3 * (k + 0.5), 12) for k in range(10)]
    assert seen[-1][2] == 1.0
    assert run.final.velocity[0, 0] == pytest.approx(-4.0 * 0.01, rel=1e-3)  # a = 2 (-4) / 2


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda a, b, c: (0, 0, 0), "a function of 3 arguments; give one of time"),
        (lambda: (0, 0, 0), "a function of 0 arguments"),
        (lambda time: (0, 0), "must be 3 finite numbers"),
    ],
)
def test_loads_that_are_no_functions_of_time_and_state_are_refused(function, message):
    scene = free_mass()
    with pytest.raises(SceneError, match=message):
        scene.load("cart", force=function)


def test_a_load_that_asks_for_a_body_that_is_not_there_names_those_that_are():
    scene = free_mass()
    scene.load("cart", force=lambda time, state: state.position("card"))
    with pytest.raises(SceneError, match="unknown body 'card'.*Did you mean 'cart'"):
        trundle.simulate(scene, 0.01, 1e-3)


def wheel(motor):
    """A wheel on a hinge about y without gravity."""
    scene = trundle.Scene(gravity=(0, 0, 0))
    scene.add(
        trundle.Cylinder(0.2, 0.1), name="wheel", mass=1.0, position=(0, 0, 1), orientation=(0.5**0.5, 0.5**0.5, 0, 0)
    )
    scene.joint("hinge", "wheel", name="axle", position=(0, 0, 1), axis=(0, 1, 0), motor=motor)
    return scene


def test_a_motor_follows_its_function_of_time_and_state():
    # the wheel turns against the world with the motor's speed at the end of every step
    run = trundle.simulate(wheel(lambda time: 3.0 * time), 0.1, 1e-2)
    assert run.angular_velocity("wheel")[1:, 1] == pytest.approx(3.0 * run.time[1:], abs=1e-9)
    slower = trundle.simulate(wheel(lambda time, state: 1.0 - 0.5 * state.angular_velocity("wheel")[1]), 0.05, 1e-2)
    spin = slower.angular_velocity("wheel")[:, 1]
    assert spin[1:] == pytest.approx(1.0 - 0.5 * spin[:-1], abs=1e-9)
    with pytest.raises(SceneError, match="motor.*is not a number"):
        wheel(lambda time: "fast")


def test_motors_and_loads_change_between_steps():
    sim = trundle.Simulation(wheel(1.0), 1e-2)
    sim.step()
    assert sim.state.angular_velocity("wheel")[1] == pytest.approx(1.0)
    sim.motor("axle", -2.0)
    sim.step()
    assert sim.state.angular_velocity("wheel")[1] == pytest.approx(-2.0)
    sim.motor("axle", lambda time: 10.0 * time)
    sim.step()
    assert sim.state.angular_velocity("wheel")[1] == pytest.approx(0.3)
    with pytest.raises(SceneError, match="unknown joint 'axel'"):
        sim.motor("axel", 1.0)
    cart = trundle.Simulation(free_mass(), 1e-2)
    for force, speed in ((4.0, 0.02), (8.0, 0.06), (0.0, 0.06), (-8.0, 0.02)):  # v += F h / m
        cart.load("cart", force=(force, 0, 0))
        cart.step()
        assert cart.state.velocity("cart")[0] == pytest.approx(speed)


def test_loads_given_between_steps_have_the_bits_of_loads_in_the_scene():
    pushed = block()
    pushed.load("box", force=(5.0, 0, 0))
    expected = trundle.simulate(pushed, 0.1, 2e-3).final
    sim = trundle.Simulation(block(), 2e-3)
    sim.load("box", force=(5.0, 0, 0))
    assert np.array_equal(sim.run(0.1).final.position, expected.position)


def test_a_steered_recording_is_not_continued(tmp_path):
    with trundle.Simulation(block(), 2e-3, record=tmp_path / "run.h5") as sim:
        sim.step(5)
        sim.load("box", force=(5.0, 0, 0))
        sim.step(5)
    with pytest.raises(RecordingError, match="changed between its steps"):
        trundle.resume(tmp_path / "run.h5", duration=1.0)


def test_a_removed_body_is_gone_and_its_energy_with_it():
    sim = trundle.Simulation(block(), 1e-3)
    sim.run(0.05)
    before = sim.energy
    ball = 0.5 * np.sum(sim.state.velocity("ball") ** 2) + G * sim.state.position("ball")[2]
    sim.remove("ball")
    sim.step()
    assert sim.energy.poured == pytest.approx(
        -ball - 0.5 * 0.4 * 0.0025 * np.sum(sim.state.angular_velocity("ball") ** 2)
    )
    assert sim.energy.total < before.total
    assert "ball" not in sim.contacts().bodies
    assert not sim.state.present("ball")
    assert len(sim.run(0.01).frame(-1)) == 2
    for name, message in (("ball", "is not there"), ("ground", "stays"), ("bal", "Did you mean 'ball'")):
        with pytest.raises(SceneError, match=message):
            sim.remove(name)


def test_a_removed_body_of_an_emitter_does_not_come_back():
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.emit(
        trundle.Sphere(0.02),
        rate=100.0,
        count=5,
        region=trundle.BoxRegion((0, 0, 1), (0.3, 0.3, 2)),
        mass=1.0,
        name="rain",
    )
    scene.surface("default", "default", law=laws.Coulomb(0.0))
    sim = trundle.Simulation(scene, 5e-3)
    sim.run(0.015)
    sim.remove("rain.0")
    sim.run(0.1)
    assert [sim.state.present(f"rain.{k}") for k in range(5)] == [False, True, True, True, True]


# --- the end -----------------------------------------------------------------------------------------------


def test_a_run_stops_once_all_bodies_have_been_at_rest_for_a_while():
    # rolls out at mu_r g / R (5/7): 0.196 * 5/7 = 0.14 m/s^2 from 5/7 m/s: rest at about 5.1 s
    run = trundle.simulate(thrown(), 20.0, 5e-3, stop=trundle.stop.at_rest(0.2))
    assert run.stopped.startswith("at rest for 0.2 s at t = ")
    assert not run.interrupted
    assert 5.0 < run.final.time < 5.6
    speed = np.linalg.norm(run.velocity("ball"), axis=1)
    assert speed[run.time > run.final.time - 0.2 + 1e-9].max() < 1e-3
    assert speed[run.time < run.final.time - 0.22].min() > 1e-3


def test_bodies_that_are_still_to_come_are_not_at_rest():
    scene = thrown(velocity=(0, 0, 0))
    region = trundle.BoxRegion((1, 1, 0.2), (1.5, 1.5, 0.4))
    scene.emit(trundle.Sphere(0.02), rate=1.0, count=1, start=0.5, region=region, mass=1.0)
    run = trundle.simulate(scene, 3.0, 5e-3, stop="at rest 0.1", theta=1.0)
    assert 0.7 < run.final.time < 3.0


def test_a_run_stops_when_a_body_leaves_crosses_or_does_what_a_function_says():
    # x = t for a ball without friction
    scene = thrown(law=laws.Coulomb(0.0))
    for stop, words, end in (
        (trundle.stop.left(trundle.BoxRegion((-1, -1, -1), (0.5, 1, 1))), "'ball' left the region", 0.5),
        (trundle.stop.left(trundle.CylinderRegion((0, 0, 0), 0.3, 1.0), body="ball"), "left the region", 0.3),
        (trundle.stop.crossed(trundle.HalfSpace((1, 0, 0), 0.7)), "'ball' crossed the plane", 0.7),
        (trundle.stop.crossed(trundle.HalfSpace((-1, 0, 0), -0.7)), "'ball' crossed the plane", 0.7),
        (lambda time, state: state.position("ball")[0] > 0.4, "condition <lambda>", 0.4),
        ([lambda time, state: time > 0.6, trundle.stop.at_rest()], "condition", 0.6),
    ):  # fmt: skip
        run = trundle.simulate(scene, 1.0, 1e-3, stop=stop)
        assert words in run.stopped
        assert run.final.time == pytest.approx(end, abs=2e-3)
    assert trundle.simulate(scene, 0.1, 1e-3, stop=trundle.stop.at_rest()).stopped == ""
    for wrong, message in (
        (3, "give trundle.stop.at_rest"), ("rest", "say 'at rest SECONDS'"), (lambda t: True, "takes one argument"),
        (trundle.stop.left(trundle.BoxRegion((0, 0, 0), (1, 1, 1)), body="bal"), "Did you mean 'ball'"),
    ):  # fmt: skip
        with pytest.raises(SceneError, match=message):
            trundle.simulate(scene, 0.1, 1e-3, stop=wrong)


@pytest.mark.parametrize("every", [1, 7])
def test_resumed_after_a_stop_is_the_same_as_never_stopped(tmp_path, every):
    from test_run import assert_same_file

    trundle.simulate(block(), 0.3, 2e-3, every=every, record=tmp_path / "whole.h5")
    stop = [lambda time, state: time > 0.1, trundle.stop.at_rest(0.05)]
    stopped = trundle.simulate(block(), 0.3, 2e-3, every=every, record=tmp_path / "parts.h5", stop=stop)
    assert stopped.final.time == pytest.approx(0.102)
    assert stopped.time[-1] == stopped.final.time
    run = trundle.resume(tmp_path / "parts.h5")
    assert not run.stopped
    assert_same_file(tmp_path / "whole.h5", tmp_path / "parts.h5")


# --- watching ----------------------------------------------------------------------------------------------


def bounced_in_springs(stiffness, step):
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(trundle.Sphere(0.1), name="ball", mass=2.0, position=(0, 0, 0.3), velocity=(0.3, 0, 0))
    scene.add(trundle.HalfSpace(), name="ground", fixed=True)
    scene.surface("default", "default", law=laws.Coulomb(0.3), material=trundle.Hooke(stiffness=stiffness))
    return scene, step


@pytest.mark.filterwarnings("ignore::trundle.TrundleWarning")
def test_history_is_watched_with_and_without_a_callback(tmp_path):
    scene, step = bounced_in_springs(stiffness=2e3, step=1e-3)  # sinks in by 5 cm
    runs = [
        trundle.simulate(scene, 0.5, step, formulation="history", **more)
        for more in ({}, {"progress": lambda *_: None}, {"record": tmp_path / "run.h5"}, {"every": 50})
    ]
    assert any("bodies overlap" in text and "'ground'" in text for text in runs[0].warnings)
    for run in runs[1:]:
        assert run.warnings == runs[0].warnings
        assert run.energy.tobytes() == runs[0].energy.tobytes()


@pytest.mark.filterwarnings("ignore::trundle.TrundleWarning")
def test_history_with_too_long_a_step_says_so_and_tells_what_energy_it_gained():
    # the ball flies through the spring in a few steps and comes out with another energy; sqrt(m / k) = 1.4 ms
    scene, _ = bounced_in_springs(stiffness=1e6, step=1e-3)
    run = trundle.simulate(scene, 2.0, 2.5e-3, formulation="history", every=10)
    assert "longer than the stable one" in run.warnings[0]
    total = run.energy["kinetic"] + run.energy["potential"] + run.energy["elastic"]
    assert total.max() > 1.1 * total[0]
    assert any("gained" in text and "of the energy that was turned over" in text for text in run.warnings)


def test_a_gain_of_energy_is_told_where_it_is_largest_and_oscillations_are_not():
    run = trundle.simulate(block(), 0.5, 2e-3)
    assert run.warnings == []
    sim = trundle.Simulation(block(), 2e-3)
    watch, energy = sim._loop.watch, run.energy.copy()

    def said(table):
        rows = np.zeros(len(table), ROW_TYPE)
        for name in (*STEP_TYPE.names, *LEDGER):
            rows[name] = run.steps[name] if name in STEP_TYPE.names else table[name]
        watch.tally = Tally()
        watch.tally.add(rows)
        return watch.say(1e-8, {})

    turned_over = 0.5 * 3.0 * (0.8**2 + 0.3**2)  # the box comes to rest: all of it
    energy["kinetic"][100:210] += 0.5  # and is lost again
    energy["numerical"][100] -= 0.5
    energy["numerical"][210] += 0.5
    (text,) = said(energy)
    gained = float(text.split(" J until t = ")[0].removeprefix("the time discretisation gained "))
    assert gained == pytest.approx(0.5, rel=0.05)
    share = float(text.split(" % of")[0].split()[-1])
    assert share == pytest.approx(100 * 0.5 / (2 * turned_over), rel=0.15)  # kinetic at most, and what was dissipated
    swinging = run.energy.copy()  # a spring that is not in the ledger, faster than the look
    swinging["kinetic"] += 0.5 * (1 + np.sin(np.arange(len(energy))))
    assert said(swinging) == []


def test_warnings_of_the_start_are_in_the_run():
    scene = thrown(velocity=(60.0, 0, 0), height=2.0)
    with pytest.warns(TrundleWarning, match="within a time step") as caught:
        run = trundle.simulate(scene, 0.05, 5e-3)
    assert len([one for one in caught if "within a time step" in str(one.message)]) == 1
    assert any("within a time step" in text for text in run.warnings)


def test_options_that_there_are_not_are_named():
    with pytest.raises(SceneError, match="unknown option 'tolerence'.*Did you mean 'tolerance'"):
        trundle.Simulation(block(), tolerence=1e-3)
    with pytest.raises(SceneError, match="n = 0 must be a whole number"):
        trundle.Simulation(block()).step(0)


def test_contacts_say_how_many_they_are_and_what_they_do():
    scene = trundle.Scene()
    scene.add(trundle.HalfSpace(), name="floor", fixed=True)
    scene.add(trundle.Sphere(0.1), name="ball", mass=2.0, position=(0, 0, 0.1), velocity=(1.0, 0, 0))
    scene.surface("default", "default", law=trundle.laws.Coulomb(mu=0.75))
    sim = trundle.Simulation(scene, time_step=1e-3)
    assert repr(sim.contacts()) == "<Contacts: 0 at t = 0 s>"
    sim.step()
    assert repr(sim.contacts()) == "<Contacts: 1 at t = 0.001 s, 1 sliding, largest force 24.5 N>"  # 1.25 m g
