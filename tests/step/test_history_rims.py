"""Contour friction in formulation history, against closed forms and the exact formulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

import trundle
from trundle import laws
from trundle.errors import SceneError

R, MASS, G = 0.1, 0.5, 9.81


def wheel(formulation, h, time, mu_R=0.0, c=0.0, tilt=0.0, speed=1.0, turn=0.0, **material):
    """A disk of given tilt [rad] from the vertical that rolls along x on a plane, and turns about the vertical [rad/s]."""
    half = 0.5 * (math.pi / 2 - tilt)
    springs = {"stiffness": 2e5, "restitution": 0.0} | material
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(
        trundle.Disk(radius=R), name="wheel", mass=MASS, position=(0, 0, R * math.cos(tilt) - MASS * G / 2e5), surface="w",
        orientation=(math.cos(half), math.sin(half), 0, 0), velocity=(speed, 0, 0), angular_velocity=(0, speed / R, turn),
    )  # fmt: skip
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="g")
    law = laws.Coulomb(mu=0.6) * laws.Roll(mu_r=mu_R) if mu_R else laws.Coulomb(mu=0.6)
    scene.surface("w", "g", law=law, rolling="contour", rolling_viscosity=c, material=trundle.Hooke(**springs))
    return trundle.simulate(scene, time, h, formulation=formulation)


def test_contour_friction_slows_an_upright_wheel():
    # m v' = f, I w' = -f r - mu_R m g r, v = w r, I = m r^2 / 2
    mu_R, time = 0.03, 0.4
    run = wheel("history", 2e-5, time, mu_R)
    lost = mu_R * G / 1.5 * time
    sunk = MASS * G / 2e5 / R  # by which lever arms and moments differ, a few times
    assert run.final.velocity[0, 0] == pytest.approx(1.0 - lost, abs=4 * sunk * lost)
    lost = 0.5 * 1.5 * MASS * (1.0 - run.final.velocity[0, 0] ** 2)
    assert run.energy["rolling"].sum() == pytest.approx(lost, rel=2e-3)


def test_viscous_contour_slows_an_upright_wheel_exponentially():
    # (I + m r^2) w' = -c r^2 w
    c, time = 0.4, 0.5
    run = wheel("history", 2e-5, time, c=c)
    assert run.final.velocity[0, 0] == pytest.approx(math.exp(-c / (1.5 * MASS) * time), rel=1e-4)


def test_tilted_wheel_loses_as_much_as_with_the_exact_law():
    losses = []
    for formulation, h in (("exact", 2e-4), ("history", 1e-5)):
        run = wheel(formulation, h, 0.2, 0.02, tilt=0.4, turn=3.0)
        losses.append(run.energy["rolling"].sum())
    assert losses[1] == pytest.approx(losses[0], rel=1e-2)
    assert losses[0] > 1e-3


def test_wheel_at_rest_on_a_slope_within_its_contour_friction_stays():
    run = wheel("history", 2e-5, 0.3, 0.05, speed=0.0)
    assert np.abs(run.final.velocity).max() < 1e-6


@pytest.mark.parametrize("material", [{"rolling": "per-body"}, {"rolling_resistance": 0.1}])
def test_materials_that_say_rolling_otherwise_are_refused(material):
    with pytest.raises(SceneError, match="contour"):
        wheel("history", 2e-5, 0.1, 0.02, **material)
