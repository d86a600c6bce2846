"""Many grains: they come to rest, they do not sink into each other, and the same scene gives the same bits."""

from __future__ import annotations

import numpy as np
import pytest

from trundle import HalfSpace, Scene, Sphere, laws, simulate
from trundle.detect import Detector
from trundle.scene import Box

D = 0.045


def heap(count=40):
    """Spheres dropped from a loose grid with shifted layers into a square box."""
    scene = Scene()
    side, gap = 4, 1.2 * D
    wide = 5.3 * D
    rng = np.random.default_rng(7)
    for k in range(count):
        layer, rest = divmod(k, side * side)
        i, j = divmod(rest, side)
        shift = 0.4 * gap * (layer % 2)
        position = np.array([i * gap + 0.6 * D + shift, j * gap + 0.6 * D + shift, 0.6 * D + layer * gap])
        scene.add(
            Sphere(radius=D / 2), density=2500.0, position=position + rng.uniform(-0.02, 0.02, 3) * D, surface="grain"
        )
    for normal, offset in (((0, 0, 1), 0), ((1, 0, 0), 0), ((0, 1, 0), 0), ((-1, 0, 0), -wide), ((0, -1, 0), -wide)):
        scene.add(HalfSpace(normal=normal, offset=offset), fixed=True, surface="wall")
    law = laws.SlideRollSpin(mu=0.6, mu_r=0.01, mu_s=0.01)
    scene.surface("grain", "grain", law=law)
    scene.surface("grain", "wall", law=law)
    return scene


@pytest.fixture(scope="module")
def run():
    return simulate(heap(), 1.0, 5e-3, theta=1.0, tolerance=1e-6, every=200)


def test_every_step_of_a_heap_meets_its_tolerance(run):
    assert run.steps["converged"].all()
    assert run.steps["contacts"].max() > 60


def test_a_heap_comes_to_rest(run):
    # every step is solved to 1e-6 of the free velocities, g h = 0.05 m/s at some hundred contacts
    assert np.abs(run.final.velocity).max() < 1e-6
    assert run.energy["kinetic"][-1] < 1e-12


def test_grains_do_not_sink_into_each_other(run):
    contacts = Detector(run.model).detect(run.final, 0.0)
    assert -np.minimum(contacts.gap, 0.0).mean() < 1e-3 * D
    assert contacts.gap.min() > -0.02 * D


def test_friction_and_impact_take_the_energy_and_give_none_back(run):
    for name in ("sliding", "rolling", "spinning", "impact"):
        assert run.energy[name].sum() > 0.0


def test_the_same_scene_gives_the_same_bits(run):
    again = simulate(heap(), 1.0, 5e-3, theta=1.0, tolerance=1e-6, every=200)
    assert np.array_equal(again.final.position, run.final.position)
    assert np.array_equal(again.steps, run.steps)


def test_grains_and_general_bodies_follow_the_same_equations():
    # a fixed body of another shape far away makes the whole scene take the general path
    grains = heap(20)
    general = heap(20)
    general.add(Box(size=(1, 1, 1)), name="far", fixed=True, position=(50, 50, 50), surface="wall")
    one = simulate(grains, 0.1, 2e-3, theta=1.0, tolerance=1e-11)
    other = simulate(general, 0.1, 2e-3, theta=1.0, tolerance=1e-11)
    assert one.steps["contacts"].max() > 10
    np.testing.assert_allclose(one.final.position[:20], other.final.position[:20], atol=1e-8 * D)
