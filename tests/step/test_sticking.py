"""The ledger of contacts that stick."""

from __future__ import annotations

import math

import trundle
from trundle import laws


def test_an_ellipsoid_that_rocks_without_slipping_loses_nothing_by_sliding():
    a, c, tilt = 0.2, 0.1, 0.3
    scene = trundle.Scene()
    scene.add(
        trundle.Ellipsoid((a, c, c)), name="egg", mass=1.0, surface="rock",
        position=(0, 0, math.hypot(a * math.sin(tilt), c * math.cos(tilt))),
        orientation=(math.cos(tilt / 2), 0, math.sin(tilt / 2), 0),
    )  # fmt: skip
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="soil")
    scene.surface("rock", "soil", law=laws.Coulomb(1.0))
    run = trundle.simulate(scene, 1.0, 1e-3)
    # only the first step has no step before it in which the contact stuck
    assert run.energy["sliding"][2:].sum() <= 1e-12
    assert run.energy["sliding"].min() >= 0.0
