"""Friction turns with the velocity, and bodies with their inertia: steps of theta = 1/2 follow both to second order."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import trundle
from trundle import laws

g = 9.81


def on_plane(shape, law, gravity=(0, 0, -g), **body):
    scene = trundle.Scene(gravity=gravity)
    scene.add(shape, name="b", surface="b", **body)
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="g")
    scene.surface("b", "g", law=law)
    return scene


def errors(scene, reference, duration=0.3, steps=(2e-3, 1e-3)):
    """Errors of centre and velocity at the end, for several time steps."""
    runs = [trundle.simulate(scene, duration, h, tolerance=1e-12, every=10**9) for h in steps]
    return [float(np.abs(np.concatenate([r.position("b")[-1], r.velocity("b")[-1]]) - reference).max()) for r in runs]


def test_a_ball_that_slides_across_a_slope_turns_with_second_order():
    """The slip s of a ball has s' = a - 7/2 mu g s / |s|, and its velocity v' = a - mu g s / |s|, a: along the slope."""
    mu, a, R = 0.1, 3.0, 0.1
    scene = on_plane(
        trundle.Sphere(radius=R), laws.Coulomb(mu=mu), (a, 0, -g), mass=1.0, position=(0, 0, R), velocity=(0, 2, 0)
    )

    def rate(_, y):
        along = y[:2] / math.hypot(*y[:2])
        return [*(np.array([a, 0]) - 3.5 * mu * g * along), *(np.array([a, 0]) - mu * g * along), *y[2:4]]

    y = solve_ivp(rate, (0, 0.3), [0, 2, 0, 2, 0, 0], rtol=1e-12, atol=1e-13, method="DOP853").y[:, -1]
    coarse, fine = errors(scene, np.array([y[4], y[5], R, y[2], y[3], 0]))
    assert coarse < 1e-4
    assert fine < coarse / 3.8


def test_a_ball_that_rolls_across_a_slope_with_rolling_friction_turns_with_second_order():
    """7/5 v' = a - mu_r g / R v / |v|: the moment opposes the rolling, and friction holds the contact."""
    mu_r, a, R = 2e-3, 1.0, 0.1
    scene = on_plane(
        trundle.Sphere(radius=R), laws.Rolling(mu=1.0, mu_r=mu_r), (a, 0, -g), mass=1.0, position=(0, 0, R),
        velocity=(0, 2, 0), angular_velocity=(-2 / R, 0, 0),
    )  # fmt: skip

    def rate(_, y):
        pull = np.array([a, 0]) - mu_r * g / R * y[:2] / math.hypot(*y[:2])
        return [*(5 / 7 * pull), *y[:2]]

    y = solve_ivp(rate, (0, 0.3), [0, 2, 0, 0], rtol=1e-12, atol=1e-13, method="DOP853").y[:, -1]
    coarse, fine = errors(scene, np.array([y[2], y[3], R, y[0], y[1], 0]))
    assert coarse < 1e-6
    assert fine < coarse / 3.8


def tilted(law, **motion):
    """An ellipsoid whose long axis is 0.3 rad from the horizontal."""
    tilt = 0.3
    height = math.hypot(0.2 * math.sin(tilt), 0.1 * math.cos(tilt))
    turn = (math.cos(tilt / 2), 0, math.sin(tilt / 2), 0)
    return on_plane(
        trundle.Ellipsoid(semi_axes=(0.2, 0.1, 0.1)), law, mass=1.0, position=(0, 0, height), orientation=turn, **motion
    )


@pytest.mark.parametrize(
    ("law", "motion"),
    [
        (laws.Coulomb(mu=2.0) * laws.Spin(mu_s=0.1), {"angular_velocity": (3, 0, 0), "velocity": (0, -0.334, 0)}),
        (laws.Contensou(mu=2.0, patch_radius=0.15), {"angular_velocity": (3, 0, 0), "velocity": (0, -0.334, 0)}),
        (laws.Coulomb(mu=0.1), {"angular_velocity": (0, 0, 3), "velocity": (2, 1, 0)}),
    ],
    ids=["spin sticks", "spin sticks in a patch", "slides"],
)
def test_an_ellipsoid_with_friction_converges_with_second_order(law, motion):
    """Differences between a step, half of it and a quarter of it fall by 4."""
    ends = []
    for h in (2e-3, 1e-3, 5e-4):
        run = trundle.simulate(tilted(law, **motion), 0.3, h, tolerance=1e-12, every=10**9)
        ends.append(np.concatenate([run.position("b")[-1], run.velocity("b")[-1], run.angular_velocity("b")[-1]]))
        for column in ("sliding", "rolling", "spinning", "impact"):
            assert run.energy[column].min() >= -1e-14, column
    one, two = (float(np.abs(a - b).max()) for a, b in pairwise(ends))
    assert two < one / 3.5


def test_a_ball_stops_sliding_where_its_closed_form_says():
    """Friction at the mean velocity must not carry a contact through zero: 2/7 v / (mu g) of sliding, then 5/7 v."""
    mu, v, R, h = 0.3, 1.0, 0.1, 1.7e-3
    scene = on_plane(trundle.Sphere(radius=R), laws.Coulomb(mu=mu), mass=1.0, position=(0, 0, R), velocity=(v, 0, 0))
    run = trundle.simulate(scene, 170 * h, h, tolerance=1e-12)
    assert run.velocity("b")[-1, 0] == pytest.approx(5 / 7 * v, rel=1e-10)
    slip = run.velocity("b")[:, 0] - R * run.angular_velocity("b")[:, 1]
    assert slip.min() > -1e-10
    assert run.time[np.argmax(slip < 1e-10)] == pytest.approx(2 / 7 * v / (mu * g), abs=h)
