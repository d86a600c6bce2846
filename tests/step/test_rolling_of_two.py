"""Viscous rolling and contour friction between bodies that both move."""

from __future__ import annotations

import math

import numpy as np
import pytest

import trundle
from trundle import laws


def pair(c, spins=(6.0, -6.0), masses=(1.0, 1.0), press=5.0):
    """Two balls that are pressed together and roll on each other like gears."""
    scene = trundle.Scene(gravity=(0, 0, 0))
    for side, (name, spin, mass) in enumerate(zip("ab", spins, masses, strict=True)):
        scene.add(
            trundle.Sphere(radius=0.1), name=name, mass=mass, position=(0.2 * side, 0, 0), angular_velocity=(0, 0, spin)
        )
    scene.joint("spring", "a", "b", stiffness=press / 0.1, target=0.1, collide=True)
    scene.surface("default", "default", law=laws.Coulomb(mu=0.5), rolling_viscosity=c)
    return scene


def test_two_balls_that_roll_on_each_other_slow_down_exponentially():
    # I w' = -c (2 w) on both: no sliding friction is needed; the step is the implicit Euler one
    c, h, n, inertia = 2e-3, 1e-3, 200, 0.4 * 0.1**2
    run = trundle.simulate(pair(c), n * h, h, tolerance=1e-12)
    expected = 6.0 * (1.0 + 2.0 * h * c / inertia) ** -n
    assert np.allclose(run.final.angular_velocity[:, 2], [expected, -expected], rtol=1e-10, atol=0.0)
    assert expected == pytest.approx(6.0 * math.exp(-2.0 * c * n * h / inertia), rel=n * (2 * h * c / inertia) ** 2)
    lost = 0.5 * inertia * 2 * (6.0**2 - expected**2)
    assert run.energy["rolling"].sum() == pytest.approx(lost, rel=1e-9)


def test_viscous_rolling_of_two_keeps_their_angular_momentum():
    run = trundle.simulate(pair(5e-3, (9.0, -2.0), (1.0, 3.0)), 0.1, 1e-3)
    state, mass = run.final, np.array([1.0, 3.0])
    spin = 0.4 * 0.1**2 * mass @ state.angular_velocity
    orbit = np.sum(mass[:, None] * np.cross(state.position, state.velocity), axis=0)
    before = 0.4 * 0.1**2 * (9.0 - 2.0 * 3.0)
    assert np.allclose(spin + orbit, [0, 0, before], rtol=0, atol=1e-11)


def test_very_viscous_rolling_stops_relative_rotation_and_gives_no_energy():
    run = trundle.simulate(pair(1e4, (6.0, -6.0)), 0.01, 1e-3)
    assert np.abs(run.final.angular_velocity).max() < 1e-8
    assert run.energy["rolling"].min() >= 0.0


def wheel(scene, mass, position, speed, radius=0.1):
    """An upright disk that rolls along x."""
    scene.add(
        trundle.Disk(radius=radius, thickness=0.02), name="wheel", mass=mass, position=position, surface="wheel",
        orientation=(math.sqrt(0.5), math.sqrt(0.5), 0, 0), velocity=(speed, 0, 0), angular_velocity=(0, speed / radius, 0),
    )  # fmt: skip


def test_contour_friction_between_a_wheel_and_a_plate_that_is_free_to_slide():
    # f on the wheel: m v' = f, M V' = -f, I w' = -f r - mu_R m g r, and v - V = w r stays
    m, M, r, mu_R, g = 0.5, 1.5, 0.1, 0.02, 9.81
    scene = trundle.Scene(gravity=(0, 0, -g))
    scene.add(trundle.Box((4, 1, 0.1)), name="plate", mass=M, position=(0, 0, 0.05), surface="plate")
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="ground")
    wheel(scene, m, (0, 0, 0.1 + r), 1.0)
    scene.surface("wheel", "plate", law=laws.Coulomb(mu=0.5) * laws.Roll(mu_r=mu_R), rolling="contour")
    scene.surface("plate", "ground", law=laws.Coulomb(mu=0.0))
    scene.surface("wheel", "ground", law=laws.Coulomb(mu=0.0))
    time = 0.5
    run = trundle.simulate(scene, time, 1e-3, tolerance=1e-10)
    inertia = run.model.inertia[run.model.number_of["wheel"]][2, 2] / r**2
    f = -mu_R * m * g / (1.0 + inertia * (1 / m + 1 / M))
    number = run.model.number_of
    assert run.final.velocity[number["wheel"], 0] == pytest.approx(1.0 + f / m * time, abs=1e-6)
    assert run.final.velocity[number["plate"], 0] == pytest.approx(-f / M * time, abs=1e-6)
    way = (1.0 + 0.5 * f * (1 / m + 1 / M) * time) * time  # of the contact point along the rim
    assert run.energy["rolling"].sum() == pytest.approx(mu_R * m * g * way, rel=1e-5)


def test_contour_friction_on_a_ball_is_as_large_as_the_way_along_the_rim():
    # pressed together without gravity, a wheel rolls round a heavy ball: the contact point moves on the rim at w r / (1 + r / R),
    # w the relative angular velocity; the energy lost is mu_R N times that way
    r, R, mu_R, spin, press = 0.1, 0.3, 0.02, 4.0, 5.0
    scene = trundle.Scene(gravity=(0, 0, 0))
    scene.add(trundle.Sphere(radius=R), name="ball", mass=1e7, surface="ball")
    speed = spin * r
    wheel(scene, 0.5, (0, 0, R + r), speed, r)
    scene.joint("spring", "ball", "wheel", stiffness=press / 0.1, target=R + r - 0.1, collide=True)
    scene.surface("wheel", "ball", law=laws.Coulomb(mu=0.9) * laws.Roll(mu_r=mu_R), rolling="contour")
    time, h = 0.05, 1e-4
    run = trundle.simulate(scene, time, h, tolerance=1e-10)
    normal = press - 0.5 * speed**2 / (R + r)  # what is left of the spring's pull for the ball
    way = r / (1.0 + r / R) * np.mean([spin, run.final.angular_velocity[run.model.number_of["wheel"], 1]]) * time
    assert run.energy["rolling"].sum() == pytest.approx(mu_R * normal * way, rel=2e-3)
