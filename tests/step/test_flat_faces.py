"""Bodies that lie on a flat face: patch theory with uniform pressure."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.special import ellipe, ellipk

import trundle
from trundle import laws
from trundle.errors import LawError, SceneError

G, R, MU = 9.81, 0.1, 0.3


def force_and_torque(s):
    """Of a uniformly pressed disk per mu N and mu N R at s = u / (R w), by elliptic integrals."""
    m = min(s * s, 1.0 / (s * s)) if s > 0 else 0.0
    E, K = ellipe(m), ellipk(m)
    if s <= 1.0:
        force = 4 / (3 * math.pi * s) * ((1 + m) * E - (1 - m) * K)
        return force, 4 / (9 * math.pi) * ((4 - 2 * m) * E - (1 - m) * K)
    force = 4 / (3 * math.pi * m) * ((1 + m) * E - (1 - m) * K)
    return force, 4 * s / (9 * math.pi) * ((4 - 2 / m) * E + (2 / m - 5 + 3 * m) * K)


def slide(shape, height, azimuth=0.0, h=1e-3, duration=0.8, ground="half-space", law=None, spin=20.0):
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(
        shape, name="body", mass=1.0, position=(0, 0, height), velocity=(1.0, 0, 0), angular_velocity=(0, 0, spin),
        orientation=(math.cos(azimuth / 2), 0, 0, math.sin(azimuth / 2)), surface="a",
    )  # fmt: skip
    if ground == "half-space":
        scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="b")
    else:
        scene.add(trundle.Box((4, 4, 1)), name="ground", fixed=True, position=(0, 0, -0.5), surface="b")
    scene.surface("a", "b", law=law or laws.FlatPatch(MU))
    run = trundle.simulate(scene, duration, h, tolerance=1e-10)
    assert not run.warnings
    return run


@pytest.mark.parametrize("ground", ["half-space", "box"])
@pytest.mark.parametrize("body", ["disk", "cylinder", "box"])
def test_a_body_that_slides_and_spins_goes_straight_and_stops_whatever_its_azimuth(body, ground):
    shape, height = {
        "disk": (trundle.Disk(R), 0.0),
        "cylinder": (trundle.Cylinder(R, 0.02), 0.01),
        "box": (trundle.Box((0.2, 0.15, 0.02)), 0.01),
    }[body]
    stops = []
    for azimuth in (0.0, 0.7, 2.0):
        run = slide(shape, height, azimuth, h=2e-3, ground=ground)
        assert np.abs(run.position("body")[:, 1]).max() < 1e-9
        assert np.abs(run.velocity("body")[-1]).max() < 1e-12
        stops.append(run.position("body")[-1, 0])
    assert np.ptp(stops) < 1e-9


def test_a_disk_slows_down_as_patch_theory_says_at_second_order():
    inertia = 0.5 * R * R

    def rates(t, y):
        force, torque = force_and_torque(y[1] / (R * y[2]))
        return [y[1], -MU * G * force, -MU * G * R * torque / inertia]

    truth = solve_ivp(rates, (0, 0.3), [0.0, 1.0, 20.0], rtol=1e-11, atol=1e-12).y[:, -1]
    errors = []
    for h in (1e-2, 5e-3):
        run = slide(trundle.Cylinder(R, 0.02), 0.01, h=h, duration=0.3)
        errors.append(
            abs(run.velocity("body")[-1, 0] - truth[1]) + R * abs(run.angular_velocity("body")[-1, 2] - truth[2])
        )
    assert errors[1] < 1e-5
    assert errors[0] / errors[1] > 3.0


def test_the_ball_is_the_integral_over_the_disk():
    law = laws.FlatPatch(mu=0.4, radius=0.05)
    angles = (np.arange(4000) + 0.5) * 2 * math.pi / 4000
    for slide_speed, spin in ((0.0, 3.0), (0.02, 1.0), (0.3, 2.0), (1.0, 0.0)):

        def at(r, u=slide_speed, w=spin):
            return np.mean(np.hypot(u - w * 0.05 * r * np.sin(angles), w * 0.05 * r * np.cos(angles))) * 2 * r

        wanted = 0.4 * quad(at, 0, 1, epsabs=1e-12)[0]
        assert law.support([slide_speed, 0.0, spin]) == pytest.approx(wanted, rel=1e-7)
    assert laws.check(law)


def test_a_box_that_spins_on_the_spot_feels_the_torque_of_its_face():
    """The mean distance of a square's points from its centre is a (sqrt 2 + asinh 1) / 6."""
    scene_spin, a = 10.0, 0.2
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(
        trundle.Box((a, a, 0.1)),
        name="body",
        mass=1.0,
        position=(0, 0, 0.05),
        angular_velocity=(0, 0, scene_spin),
        surface="a",
    )
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="b")
    scene.surface("a", "b", law=laws.FlatPatch(MU))
    run = trundle.simulate(scene, 0.1, 1e-3, tolerance=1e-10)
    lever = a * (math.sqrt(2) + math.asinh(1.0)) / 6
    rate = MU * G * lever / (a * a / 6)
    assert run.angular_velocity("body")[-1, 2] == pytest.approx(scene_spin - 0.1 * rate, rel=1e-9)


def test_a_face_on_a_slope_below_its_angle_of_friction_stays():
    scene = trundle.Scene(gravity=(G * math.sin(0.28), 0, -G * math.cos(0.28)))
    scene.add(trundle.Box((0.2, 0.2, 0.1)), name="body", mass=1.0, position=(0, 0, 0.05), surface="a")
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="b")
    scene.surface("a", "b", law=laws.FlatPatch(MU))
    run = trundle.simulate(scene, 0.5, 5e-3, tolerance=1e-11)
    assert np.abs(run.position("body")[-1] - [0, 0, 0.05]).max() < 1e-10


def test_what_faces_cannot_do_is_said():
    with pytest.raises(LawError, match="radius"):
        laws.FlatPatch(mu=laws.Stribeck(static=0.4, kinetic=0.3))
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(trundle.Box((0.2, 0.2, 0.1)), name="body", mass=1.0, position=(0, 0, 0.05), surface="a")
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="b")
    scene.surface("a", "b", law=laws.FlatPatch(MU), material=trundle.Hooke(stiffness=1e5))
    with pytest.raises(SceneError, match="whole faces"):
        trundle.simulate(scene, 0.01, 1e-4, formulation="history")


@pytest.mark.parametrize("options", [{"solver": "newton"}, {"keep_problems": True}, {"formulation": "history"}])
def test_what_whole_faces_cannot_do_is_refused_before_the_first_step(options):
    scene = trundle.Scene()
    scene.add(trundle.Disk(radius=0.1), name="disk", mass=1.0, velocity=(1, 0, 0))
    scene.add(trundle.HalfSpace(), name="floor", fixed=True)
    scene.surface("default", "default", law=laws.FlatPatch(mu=0.3), material=trundle.Hooke(stiffness=1e5))
    with pytest.raises(SceneError, match="whole faces"):
        trundle.simulate(scene, 0.01, 1e-3, **options)
