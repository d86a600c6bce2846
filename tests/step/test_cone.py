"""Cones: their mass, standing, lying and sliding."""

from __future__ import annotations

import math

import numpy as np
import pytest

import trundle
from trundle import laws

g, r, h = 9.81, 0.1, 0.24
CONE = trundle.Cone(r, h)


def test_a_cone_weighs_as_the_integral_over_its_disks_says():
    node, weight = np.polynomial.legendre.leggauss(8)
    z, w = 0.5 * h * (node + 1.0), 0.5 * h * weight
    rho = r * (1.0 - z / h)
    area = math.pi * rho**2 * w
    middle = float(area @ z / area.sum())
    assert CONE.volume == pytest.approx(area.sum(), rel=1e-13)
    assert middle == pytest.approx(0.25 * h, rel=1e-13)
    across = area @ (rho**2 / 4 + (z - middle) ** 2) / area.sum()
    about = area @ (rho**2 / 2) / area.sum()
    assert np.diag(CONE.unit_inertia) == pytest.approx([across, across, about], rel=1e-12)


def scene_of(law, **given):
    scene = trundle.Scene(gravity=(0, 0, -g))
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="g")
    scene.add(CONE, name="b", surface="b", **{"mass": 1.0, **given})
    scene.surface("b", "g", law=law)
    return scene


def test_a_standing_cone_slides_to_rest_as_coulomb_says():
    run = trundle.simulate(
        scene_of(laws.Coulomb(mu=0.3), position=(0, 0, h / 4), velocity=(0.5, 0, 0)), 0.5, 1e-3, every=10**9
    )
    assert run.position("b")[-1, 0] == pytest.approx(0.5**2 / (2 * 0.3 * g), rel=5e-3)


def test_a_cone_that_lies_on_its_side_stays():
    """Its axis is tilted by half of its angle: the apex and the lowest point of the rim touch."""
    half = math.atan(r / h)
    turn = 0.5 * math.pi + half  # about y: z goes down to the ground by half
    height = 0.75 * h * math.sin(half)
    scene = scene_of(
        laws.Coulomb(mu=0.5), position=(0, 0, height), orientation=(math.cos(turn / 2), 0, math.sin(turn / 2), 0)
    )
    run = trundle.simulate(scene, 1.0, 1e-3, every=100)
    assert np.abs(run.position("b")[-1] - (0, 0, height)).max() < 1e-9
