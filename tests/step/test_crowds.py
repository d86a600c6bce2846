"""Whether spheres are few or many must not matter: from 64 on they have their own storage, `Grains`.

A few spheres do something, and others far away make them many.
"""

from __future__ import annotations

import numpy as np
import pytest

import trundle
from trundle import laws
from trundle.run.loop import make_stepper
from trundle.run.options import check_options
from trundle.scene.model import build_model
from trundle.step.grains import FROM, Grains

FEW, MANY = FROM - 4, FROM + 6


def add_crowd(scene, count, z):
    """Spheres far away from each other and from everything, until there are `count`."""
    for i in range(count - sum(body.mass is not None for body in scene.bodies)):
        scene.add(trundle.Sphere(0.02), name=f"far {i}", mass=0.1, position=(10.0 + i, 0, z), surface="g")


def both(build, duration, h, **options):
    """The same run with few and with many spheres."""
    runs = []
    for count in (FEW, MANY):
        scene = build(count)
        model, _ = build_model(scene)
        stepper = make_stepper(model, check_options(scene, duration, h, **options))
        assert isinstance(stepper, Grains) == (count == MANY)
        runs.append(trundle.simulate(scene, duration, h, **options))
    return runs


@pytest.mark.parametrize("theta", [0.5, 1.0])
def test_a_ball_that_another_hits_does_not_get_into_the_floor(theta):
    R = 0.0225

    def build(count):
        scene = trundle.Scene()
        scene.add(trundle.HalfSpace(), name="floor", fixed=True, surface="f")
        scene.add(trundle.Sphere(R), name="a", density=2000.0, position=(0, 0, R + 0.004), surface="g")
        scene.add(
            trundle.Sphere(R),
            name="b",
            density=2000.0,
            position=(0, 0, 3 * R + 0.0045),
            velocity=(0, 0, -4.0),
            surface="g",
        )
        for pair in (("f", "g"), ("g", "g")):
            scene.surface(*pair, law=laws.SlideRollSpin(mu=0.6, mu_r=0.001, mu_s=0.001))
        add_crowd(scene, count, 0.02)
        return scene

    few, many = both(build, 0.1, 5e-3, theta=theta)
    depth = [(run.position("a")[:, 2] - R).min() for run in (few, many)]
    assert depth[1] > depth[0] - 0.01 * R
    for run in (few, many):
        if theta == 1.0:  # otherwise they overlap in the middle of the first step already
            assert (run.position("a")[:, 2] - R).min() > -0.01 * R
            assert run.position("b")[-1] == pytest.approx(few.position("b")[-1], abs=0.01 * R)
            assert run.warnings == []
        for name in ("sliding", "rolling", "spinning", "impact"):
            assert run.energy[name].min() >= 0.0


@pytest.mark.parametrize("gap", [1e-6, 1e-5, 1e-3])
def test_a_cradle_in_a_crowd_sends_off_its_last_ball(gap):
    R = 0.02

    def build(count):
        scene = trundle.Scene(gravity=(0, 0, 0))
        for i in range(5):
            x, v = i * (2 * R + gap) - (0.0051 if i == 0 else 0), 1.0 if i == 0 else 0.0
            scene.add(trundle.Sphere(R), name=f"{i}", mass=0.1, position=(x, 0, 0), velocity=(v, 0, 0), surface="g")
        scene.surface("g", "g", law=laws.Coulomb(0.0), restitution=1.0)
        add_crowd(scene, count, 0.0)
        return scene

    for run in both(build, 0.02, 1e-4, tolerance=1e-12):
        assert [run.velocity(f"{i}")[-1, 0] for i in range(5)] == pytest.approx([0, 0, 0, 0, 1.0], abs=1e-10)
        assert run.warnings == []


@pytest.mark.parametrize("gap", [1e-3, 5e-3])
def test_a_ball_that_falls_on_another_leaves_faster_than_it_came(gap):
    def build(count):
        scene = trundle.Scene()
        scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="f")
        scene.add(trundle.Sphere(0.12), name="M", mass=1.0, position=(0, 0, 1.12), surface="g")
        scene.add(trundle.Sphere(0.03), name="m", mass=0.05, position=(0, 0, 1.27 + gap), surface="g")
        for pair in (("g", "g"), ("f", "g")):
            scene.surface(*pair, law=laws.Coulomb(0.0), restitution=1.0)
        add_crowd(scene, count, 0.02)
        return scene

    # M turns round at V, m comes at v: after they met, m has v' = -v + 2 (M V + m v) / (M + m)
    V, v = np.sqrt(2 * 9.81 * 1.0), -np.sqrt(2 * 9.81 * (1.0 + gap))
    expected = -v + 2.0 * (V + 0.05 * v) / 1.05
    few, many = both(build, 0.5, 1e-3)
    for run in (few, many):
        assert run.velocity("m")[:, 2].max() == pytest.approx(expected, rel=2e-3)  # g h of some m/s
    assert many.velocity("m")[:, 2].max() == pytest.approx(few.velocity("m")[:, 2].max(), rel=1e-9)
