"""What friction and impacts take is never negative: random scenes with every law, formulation and scheme."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import trundle
from trundle import laws
from trundle.bench.pile import PileScene

COLUMNS = ("sliding", "rolling", "spinning", "impact")
SHAPES = (
    trundle.Sphere(radius=0.05),
    trundle.Box(size=(0.1, 0.08, 0.06)),
    trundle.Ellipsoid(semi_axes=(0.08, 0.05, 0.04)),
    trundle.Cylinder(radius=0.06, height=0.03),
    trundle.Capsule(radius=0.03, height=0.08),
    trundle.Disk(radius=0.06),
)
LAWS = (
    laws.Coulomb(mu=0.4),
    laws.Rolling(mu=0.5, mu_r=2e-3),
    laws.SlideRollSpin(mu=0.3, mu_r=1e-3, mu_s=2e-3),
    laws.Superellipse(0.5, 0.2, q=4.0),
    laws.Contensou(0.4, 3e-3),
)
WAYS = (
    {},
    {"theta": 1.0},
    {"scheme": "moreau-midpoint"},
    {"formulation": "relaxed"},
    {"formulation": "relaxed", "theta": 1.0},
    {"formulation": "compliant"},
    {"impact": "poisson"},
    {"impact": "sequential"},
)


def random_scene(rng, law, way, restitution):
    """Three bodies that are thrown on a floor and on each other."""
    scene = trundle.Scene(gravity=(0, 0, -9.81))
    scene.add(trundle.HalfSpace(), name="floor", fixed=True, surface="floor")
    for i in range(3):
        q = rng.normal(size=4)
        scene.add(
            SHAPES[rng.integers(len(SHAPES))], name=f"b{i}", mass=rng.uniform(0.2, 2.0), surface="b",
            position=(rng.uniform(-0.02, 0.02), rng.uniform(-0.02, 0.02), 0.12 + 0.25 * i), orientation=q / np.linalg.norm(q),
            velocity=rng.normal(size=3), angular_velocity=5.0 * rng.normal(size=3),
        )  # fmt: skip
    more = {"stiffness": 1e5} if way.get("formulation") == "compliant" else {}
    axis = {"axis": (1.0, 0.0, 0.0), "axis_of": "floor"} if isinstance(law, laws.Superellipse) else {}
    scene.surface("b", "floor", law=law, restitution=restitution, **more, **axis)
    scene.surface("b", "b", law=laws.Coulomb(mu=0.3), restitution=restitution, **more)
    return scene


@pytest.mark.parametrize("k", range(len(WAYS)))
@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_no_loss_is_negative(law, k):
    way = WAYS[k]
    rng = np.random.default_rng([k, LAWS.index(law)])
    for restitution in (0.0, 0.5):
        if restitution and way.get("formulation") == "compliant":
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run = trundle.simulate(random_scene(rng, law, way, restitution), 0.6, 2e-3, **way)
        table = run.energy
        size = float(np.max(table["kinetic"]))
        for name in COLUMNS:
            if name == "impact" and restitution and way.get("impact") != "poisson":
                continue  # Newton's restitution with friction may gain energy: Kane & Levinson (1985)
            assert np.min(table[name]) >= -1e-12 * size, (name, restitution)
        taken = sum(np.asarray(table[name]) for name in (*COLUMNS, "joints", "numerical")) - np.asarray(
            table["external"]
        )
        total = np.asarray(table["kinetic"] + table["potential"] + table["elastic"])
        assert np.abs(np.diff(total) + taken[1:]).max() < 1e-12 * size


@pytest.mark.parametrize("seed", [8, 9])
def test_a_heap_of_many_spheres_without_restitution_gains_no_energy(seed):
    ledger = trundle.simulate(PileScene(n=90, seed=seed).build(), duration=0.5, time_step=5e-3, tolerance=1e-4).energy
    turned_over = sum(float(np.sum(ledger[part])) for part in COLUMNS)
    assert turned_over > 10.0
    assert min(np.min(ledger[part]) for part in COLUMNS) >= 0.0
    # friction that turns a slip around gives 5e-5 and 1e-4 of it, which belong to what the same impacts take
    assert abs(float(np.sum(ledger["numerical"]))) < 1e-5 * turned_over
