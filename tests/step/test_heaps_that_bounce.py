"""Heaps of bodies of all shapes that bounce: every step is solved, and energy comes from nowhere."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import trundle
from trundle import Scene, laws

COUNT = 36


def some_body(kind: int, size: float, random: np.random.Generator):
    """One of nine shapes of about this size [m]."""
    shapes = (
        trundle.Box(size=(1.6 * size, 1.4 * size, 1.8 * size)),
        trundle.Cylinder(radius=size, height=1.5 * size),
        trundle.Capsule(radius=0.6 * size, height=1.2 * size),
        trundle.Ellipsoid((size, 0.8 * size, 0.6 * size)),
        trundle.Polyhedron(0.7 * size * random.normal(size=(12, 3))),
        trundle.Cone(radius=size, height=1.6 * size),
        trundle.Sphere(size),
        trundle.Compound(
            [
                trundle.Box(size=(2.4 * size, 0.6 * size, 0.6 * size)),
                (trundle.Box(size=(0.6 * size, 2.4 * size, 0.6 * size)), (0.0, 0.0, 0.6 * size)),
            ]
        ),
        trundle.Disk(radius=size, thickness=0.3 * size),
    )
    return shapes[kind % len(shapes)]


def bowl_of_bodies(restitution: float) -> Scene:
    """Bodies of nine shapes above a bowl."""
    random = np.random.default_rng(3)
    scene = Scene()
    scene.surface("bowl", "body", law=laws.Rolling(mu=0.5, mu_r=0.002), restitution=restitution)
    scene.surface("body", "body", law=laws.Rolling(mu=0.4, mu_r=0.001), restitution=restitution)
    scene.add(trundle.SphereInside(radius=1.0), name="bowl", fixed=True, surface="bowl")
    for i in range(COUNT):
        size, turn = random.uniform(0.04, 0.07), random.normal(size=4)
        place = (0.17 * (i % 3 - 1), 0.17 * (i // 3 % 3 - 1), 0.16 * (i // 9) - 0.6)
        shape = some_body(i, size, random)
        turn /= np.linalg.norm(turn)
        scene.add(shape, name=f"b{i}", density=2000.0, position=place, orientation=turn, surface="body")
    return scene


@pytest.mark.parametrize("restitution", [0.2, 0.5])
def test_every_step_of_a_heap_that_bounces_is_solved(restitution):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = trundle.simulate(bowl_of_bodies(restitution), 0.45, 1e-3, progress=False)
    assert run.steps["converged"].all()
    assert not any("overlap" in str(warning) for warning in run.warnings)
    kinetic = run.energy["kinetic"].max()
    assert abs(run.energy["numerical"].sum()) < 1e-3 * kinetic  # what a run would say so of
    assert np.abs(run.energy["numerical"]).max() < 1e-3 * kinetic


def box_of_cones(seed: int) -> Scene:
    """54 cones over a box: their sides touch along lines, so that contacts run from one end to the other within a step."""
    random = np.random.default_rng(seed)
    scene = Scene()
    for i, (normal, offset) in enumerate(
        [((0, 0, 1), 0), ((1, 0, 0), -0.2), ((-1, 0, 0), -0.2), ((0, 1, 0), -0.2), ((0, -1, 0), -0.2)]
    ):
        scene.add(trundle.HalfSpace(normal=normal, offset=offset), name=f"wall {i}", fixed=True, surface="wall")
    for i in range(54):
        turn = random.normal(size=4)
        place = (0.12 * (i // 3 % 3 - 1) + random.uniform(-0.005, 0.005), 0.12 * (i % 3 - 1), 0.06 + 0.12 * (i // 9))
        turn /= np.linalg.norm(turn)
        scene.add(
            trundle.Cone(radius=0.03, height=0.06),
            name=f"b{i}",
            density=2000.0,
            position=place,
            orientation=turn,
            surface="body",
        )
    for one in ("body", "wall"):
        scene.surface("body", one, law=laws.SlideRollSpin(mu=0.4, mu_r=2e-4, mu_s=3e-4), restitution=0.35)
    return scene


@pytest.mark.parametrize("seed", [1, 2])
def test_cones_that_bounce_end_no_step_in_each_other(seed):
    """A contact that strikes again and again leaves others their turn, and what the impacts close is found at the end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = trundle.simulate(box_of_cones(seed), 0.4, 2e-3, progress=False)
    assert run.steps["converged"].all()
    assert not any("overlap" in str(warning) for warning in run.warnings)


def test_a_step_that_needs_more_room_gives_the_bits_of_one_that_has_it():
    """Room for contacts grows while a step looks for them again: nothing of the first look stays."""
    scene = bowl_of_bodies(0.2)
    fresh = trundle.Simulation(scene, time_step=1e-3)
    fresh.step(310)
    grown = trundle.Simulation(scene, time_step=1e-3)
    grown._loop.stepper._make_room(2000)
    grown.step(310)
    for i in range(COUNT):
        assert np.array_equal(fresh.state.position(f"b{i}"), grown.state.position(f"b{i}"))
        assert np.array_equal(fresh.state.angular_velocity(f"b{i}"), grown.state.angular_velocity(f"b{i}"))
