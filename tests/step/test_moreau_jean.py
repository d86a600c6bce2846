"""Closed-form motions of single bodies, and what every run must keep."""

from __future__ import annotations

import numpy as np
import pytest

from trundle import laws
from trundle.errors import SceneError
from trundle.run.simulate import simulate
from trundle.scene import Box, HalfSpace, Scene, Sphere

R, DENSITY, G = 0.5, 2500.0, 9.81


def launched_sphere(U, Omega, mu, mu_r, law=None):
    scene = Scene(gravity=(0, 0, -G))
    scene.add(
        Sphere(radius=R), name="ball", density=DENSITY, position=(0, 0, R), velocity=(U, 0, 0),
        angular_velocity=(0, Omega, 0), surface="rock",
    )  # fmt: skip
    scene.add(HalfSpace(normal=(0, 0, 1), offset=0.0), name="ground", fixed=True, surface="soil")
    scene.surface("rock", "soil", law=law or laws.Rolling(mu=mu, mu_r=mu_r), restitution=0.0)
    return scene


def box_on_incline(angle, mu):
    scene = Scene(gravity=(G * np.sin(angle), 0, -G * np.cos(angle)))
    scene.add(Box(size=(0.4, 0.3, 0.2)), name="box", density=1000.0, position=(0, 0, 0.1), surface="wood")
    scene.add(HalfSpace(), name="ground", fixed=True, surface="steel")
    scene.surface("wood", "steel", law=laws.Coulomb(mu=mu))
    return scene


@pytest.mark.parametrize("h", [1e-2, 1e-3])
def test_rolling_sphere_stops_where_the_closed_form_says(h):
    # X = U^2 / (2 g min(mu, 5 mu_r / (7 R))), exact for theta = 1/2 up to the stop's own step
    run = simulate(launched_sphere(2.5, 5.0, 0.2, 0.04), 6.0, h, tolerance=1e-12)
    exact = 2.5**2 / (2 * G * min(0.2, 5 * 0.04 / (7 * R)))
    assert run.position("ball")[-1, 0] == pytest.approx(exact, abs=0.5 * G * 0.2 * h**2)
    assert np.abs(run.velocity("ball")[-1]).max() < 1e-12


def test_sliding_sphere_rolls_at_five_sevenths_of_its_launch_speed():
    run = simulate(launched_sphere(2.0, 0.0, 0.3, 0.0), 1.0, 1e-3, tolerance=1e-12)
    # the friction's moment about the contact is zero: U = 5/7 U_0, whatever mu
    assert run.velocity("ball")[-1, 0] == pytest.approx(2.0 * 5 / 7, rel=1e-12)
    assert run.angular_velocity("ball")[-1, 1] * R == pytest.approx(2.0 * 5 / 7, rel=1e-12)


def test_with_theta_one_the_distance_is_shorter_by_half_a_step_of_the_launch_speed():
    h = 1e-3
    half = simulate(launched_sphere(2.5, 5.0, 0.2, 0.04), 6.0, h, tolerance=1e-12)
    full = simulate(launched_sphere(2.5, 5.0, 0.2, 0.04), 6.0, h, theta=1.0, tolerance=1e-12)
    difference = half.position("ball")[-1, 0] - full.position("ball")[-1, 0]
    assert difference == pytest.approx(0.5 * 2.5 * h, rel=1e-2)


def test_the_ledger_closes_and_the_scheme_loses_nothing_at_theta_one_half():
    run = simulate(launched_sphere(2.5, 2.5, 0.2, 0.04), 6.0, 1e-2, tolerance=1e-12)
    energy = run.energy
    mass = DENSITY * 4 / 3 * np.pi * R**3
    kinetic = 0.5 * mass * 2.5**2 + 0.5 * 0.4 * mass * R**2 * 2.5**2
    lost = sum(energy[name].sum() for name in ("sliding", "rolling", "spinning", "impact"))
    assert lost == pytest.approx(kinetic, rel=1e-12)
    assert np.abs(energy["numerical"]).max() < 1e-12 * kinetic
    assert energy["sliding"].sum() > 0.05 * kinetic
    assert energy["rolling"].sum() > 0.1 * kinetic


def test_box_below_the_friction_angle_does_not_creep():
    run = simulate(box_on_incline(0.2, 0.3), 10.0, 1e-2, tolerance=1e-13)
    assert np.abs(run.velocity("box")).max() < 1e-12
    assert np.linalg.norm(run.position("box")[-1] - run.position("box")[0]) < 1e-12


def test_sliding_box_accelerates_as_coulomb_says():
    angle, mu = 0.35, 0.3
    run = simulate(box_on_incline(angle, mu), 1.0, 1e-2, tolerance=1e-13)
    assert run.velocity("box")[-1, 0] == pytest.approx(G * (np.sin(angle) - mu * np.cos(angle)), rel=1e-10)


def test_sphere_below_its_rolling_threshold_rests():
    # rolls down only if tan(angle) > mu_r / R
    angle = np.arctan(0.9 * 0.04 / R)
    scene = launched_sphere(0.0, 0.0, 0.5, 0.04)
    scene.gravity = np.array([G * np.sin(angle), 0, -G * np.cos(angle)])
    run = simulate(scene, 10.0, 1e-2, tolerance=1e-13)
    assert np.abs(run.velocity("ball")).max() < 1e-12


def test_ball_rebounds_to_the_square_of_its_restitution():
    scene = Scene()
    scene.add(Sphere(radius=0.1), name="ball", density=1000.0, position=(0, 0, 1.1), surface="a")
    scene.add(HalfSpace(), name="ground", fixed=True, surface="b")
    scene.surface("a", "b", law=laws.Coulomb(mu=0.3), restitution=0.8)
    run = simulate(scene, 1.5, 1e-4, tolerance=1e-12)
    height = run.position("ball")[:, 2] - 0.1
    first = np.argmax(run.velocity("ball")[:, 2] > 0.0)
    rebound = height[first:].max()
    assert rebound == pytest.approx(0.64, abs=5e-4)  # first order: contact is found up to v h late


def test_two_spheres_collide_with_momentum_to_round_off():
    scene = Scene(gravity=(0, 0, 0))
    law = laws.SlideRollSpin(mu=0.4, mu_r=0.01, mu_s=0.01)
    scene.add(
        Sphere(radius=0.1), name="a", density=900.0, position=(-0.3, 0.03, 0), velocity=(1, 0, 0),
        angular_velocity=(3, 2, 1), surface="s",
    )  # fmt: skip
    scene.add(
        Sphere(radius=0.15), name="b", density=700.0, position=(0.2, 0, 0.02), velocity=(-0.5, 0.1, 0), surface="s"
    )
    scene.surface("s", "s", law=law)
    run = simulate(scene, 0.5, 1e-3, tolerance=1e-13)
    m, inertia = run.model.mass, run.model.inertia[:, 0, 0]

    def momenta(k):
        v = np.array([run.velocity(n)[k] for n in "ab"])
        x = np.array([run.position(n)[k] for n in "ab"])
        w = np.array([run.angular_velocity(n)[k] for n in "ab"])
        return (m[:, None] * v).sum(0), (np.cross(x, m[:, None] * v) + inertia[:, None] * w).sum(0)

    (P0, L0), (P1, L1) = momenta(0), momenta(-1)
    assert run.steps["contacts"].max() == 1
    np.testing.assert_allclose(P1, P0, atol=1e-13 * np.abs(P0).max())
    np.testing.assert_allclose(L1, L0, atol=1e-12 * np.abs(L0).max())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"duration": -1.0}, "duration"),
        ({"time_step": 0.0}, "time_step"),
        ({"theta": 0.2}, "theta"),
        ({"formulation": "exakt"}, "Did you mean 'exact'"),
        ({"tolerance": float("nan")}, "tolerance"),
    ],
)
def test_bad_arguments_say_what_is_wrong(change, words):
    arguments = {"duration": 1.0, "time_step": 0.1} | change
    with pytest.raises(SceneError, match=words):
        simulate(launched_sphere(0, 0, 0.2, 0.04), **arguments)


def test_a_ratio_given_as_mu_r_is_recognised():
    with pytest.raises(SceneError, match="is a length"):
        simulate(launched_sphere(0, 0, 0.2, 0.8), 1.0, 0.1)


def test_a_pair_without_a_law_is_an_error_that_names_it():
    scene = launched_sphere(0, 0, 0.2, 0.04)
    scene.pairs.clear()
    with pytest.raises(SceneError, match="no law for their surfaces"):
        simulate(scene, 1.0, 0.1)


def test_overlapping_bodies_at_the_start_are_an_error():
    scene = launched_sphere(0, 0, 0.2, 0.04)
    scene.add(Sphere(radius=0.5), name="second", density=1000.0, position=(0.6, 0, 0.5), surface="rock")
    scene.surface("rock", "rock", law=laws.Coulomb(mu=0.3))
    with pytest.raises(SceneError, match="overlap by"):
        simulate(scene, 1.0, 0.1)


def test_a_stack_of_ten_boxes_does_not_creep():
    scene = Scene(gravity=(0, 0, -G))
    for i in range(10):
        scene.add(
            Box(size=(0.2, 0.2, 0.1)), name=f"box{i}", density=1000.0, position=(0.01 * (i % 2), 0, 0.05 + 0.1 * i)
        )
    scene.add(HalfSpace(), name="ground", fixed=True)
    scene.surface("default", "default", law=laws.Coulomb(mu=0.5))
    run = simulate(scene, 1.0, 1e-2, tolerance=2e-13)
    assert run.steps["contacts"][-1] == 40
    for i in range(10):
        assert np.abs(run.velocity(f"box{i}")[-20:]).max() < 1e-12
        assert np.linalg.norm(run.position(f"box{i}")[-1] - run.position(f"box{i}")[0]) < 1e-11
