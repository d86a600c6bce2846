"""Momentum of bodies that nothing holds: kept to round-off, also where drift is corrected."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import trundle
from trundle import laws


def momenta(scene, run):
    """Linear (T, 3) [kg m/s] and angular momentum (T, 3) [kg m^2/s] of all bodies about the origin."""
    linear, angular = 0.0, 0.0
    for body in scene.bodies:
        R = Rotation.from_quat(np.roll(run.orientation(body.name), -1, axis=1)).as_matrix()
        spin = np.einsum("tij,jk,tlk,tl->ti", R, body.inertia, R, run.angular_velocity(body.name))
        push = body.mass * run.velocity(body.name)
        linear, angular = linear + push, angular + spin + np.cross(run.position(body.name), push)
    return linear, angular


def kept(scene, **options):
    """The run, and by how much momenta change, relative to their size."""
    run = trundle.simulate(scene, tolerance=1e-12, **options)
    changes = [np.abs(p - p[0]).max() / np.abs(p).max() for p in momenta(scene, run)]
    return run, max(changes)


@pytest.mark.parametrize("theta", [0.5, 0.8])
@pytest.mark.parametrize("kind", ["fixed", "ball", "hinge", "slider", "distance"])
def test_a_free_chain_keeps_its_momentum(kind, theta):
    scene = trundle.Scene(gravity=(0, 0, 0))
    scene.add(trundle.Box((0.3, 0.1, 0.1)), name="a", mass=1.0, angular_velocity=(0.3, 1, 2))
    scene.add(
        trundle.Box((0.3, 0.1, 0.12)), name="b", mass=2.0, position=(0.4, 0, 0), velocity=(0, 0.8, -0.4),
        angular_velocity=(0.3, 1, 2),
    )  # fmt: skip
    more = {} if kind == "distance" else {"position": (0.2, 0, 0)}
    scene.joint(kind, "a", "b", **more, **({"axis": (0, 0, 1)} if kind in ("hinge", "slider") else {}))
    run, change = kept(scene, duration=0.4, time_step=4e-3, theta=theta)
    assert change < 1e-13
    assert np.ptp(run.energy["kinetic"]) < (1e-3 if theta == 0.5 else 0.1) * run.energy["kinetic"][0]


@pytest.mark.parametrize("formulation", ["exact", "relaxed"])
def test_bodies_that_grind_along_each_other_keep_their_momentum(formulation):
    # they turn while they touch, get into each other by more than the margin, and are separated
    scene = trundle.Scene(gravity=(0, 0, 0))
    dumbbell = trundle.Clump(centres=[(0, 0, 0), (0.1, 0, 0)], radii=[0.06, 0.05])
    for i, (shape, spin) in enumerate(
        [(dumbbell, 9.0), (trundle.Capsule(0.05, 0.2), -8.0), (trundle.Sphere(0.08), 5.0)]
    ):
        scene.add(
            shape, name=f"b{i}", mass=1.0 + 0.3 * i, position=(0.28 * i, 0.03 * i, 0.02), velocity=(1.0 - i, 0.1, 0),
            angular_velocity=(1, 2, spin),
        )  # fmt: skip
    scene.surface("default", "default", law=laws.Rolling(mu=0.4, mu_r=1e-3))
    run, change = kept(scene, duration=0.3, time_step=2e-3, formulation=formulation)
    assert np.count_nonzero(run.steps["contacts"]) > 20
    assert change < 1e-12
