"""Stiffness of contacts from Young's modulus and Poisson's ratio, against Hertz' and Mindlin's formulas in many digits."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

import trundle
from trundle import laws
from trundle.errors import SceneError
from trundle.scene.files import parse_scene
from trundle.scene.writing import dump_scene

STEEL = {"young": (2.1e11, 7e10), "poisson": (0.29, 0.33)}


def hertz(load, radius):
    """Depth [m], and stiffness of the normal, sliding and spinning springs, from pressures: no use of trundle's formulas.

    N = 4/3 E sqrt(R) d^(3/2) solved for d by a root, its slope by differentiation.
    """
    mpmath.mp.dps = 40
    E1, E2, n1, n2 = (mpmath.mpf(repr(x)) for x in (*STEEL["young"], *STEEL["poisson"]))
    E = 1 / ((1 - n1**2) / E1 + (1 - n2**2) / E2)
    G1, G2 = E1 / (2 * (1 + n1)), E2 / (2 * (1 + n2))
    R, N = mpmath.mpf(repr(radius)), mpmath.mpf(repr(load))

    def force(d):
        return mpmath.mpf(4) / 3 * E * mpmath.sqrt(R) * d**1.5

    depth = mpmath.findroot(lambda d: force(d) / N - 1, (1e-9, 1e-4), solver="anderson", tol=1e-30)
    a = mpmath.sqrt(R * depth)
    sliding = 8 * a / ((2 - n1) / G1 + (2 - n2) / G2)
    spinning = mpmath.mpf(16) / 3 * a**3 / (1 / G1 + 1 / G2)
    return float(depth), float(mpmath.diff(force, depth)), float(sliding), float(spinning)


def test_stiffness_is_that_of_hertz_and_mindlin_at_the_load():
    found = trundle.HertzMindlin(**STEEL, load=35.0).at_radius(0.012)
    assert np.allclose(found[:3], hertz(35.0, 0.012)[1:], rtol=1e-13, atol=0.0)
    assert math.isinf(found[3])


@pytest.mark.parametrize("formulation", ["compliant", "relaxed"])
def test_ball_sinks_as_deep_as_hertz_says_at_the_load(formulation):
    load, radius = 35.0, 0.012
    scene = trundle.Scene(gravity=(0, 0, -35.0))
    scene.add(trundle.Sphere(radius=radius), name="ball", mass=1.0, position=(0, 0, radius))
    scene.add(trundle.HalfSpace(), name="ground", fixed=True)
    scene.surface("default", "default", law=laws.Coulomb(mu=0.3), stiffness=trundle.HertzMindlin(**STEEL, load=load))
    run = trundle.simulate(scene, 0.05, 1e-3, formulation=formulation)
    depth = hertz(load, radius)[0]
    assert abs((radius - run.final.position[0, 2]) / depth - 1.0) < 1e-6


def test_change_of_depth_with_the_load_is_that_of_the_slope():
    load, radius, depth = 35.0, 0.012, []
    for more in (0.0, 0.35):
        scene = trundle.Scene(gravity=(0, 0, 0))
        scene.add(trundle.Sphere(radius=radius), name="ball", mass=1.0, position=(0, 0, radius))
        scene.add(trundle.SphereInside(radius=0.05), name="race", fixed=True, position=(0, 0, 0.05))
        scene.surface(
            "default", "default", law=laws.Coulomb(mu=0.3), stiffness=trundle.HertzMindlin(**STEEL, load=load)
        )
        scene.load("ball", force=(0, 0, -load - more))
        depth.append(radius - trundle.simulate(scene, 0.05, 1e-3, formulation="compliant").final.position[0, 2])
    effective = 1.0 / (1.0 / radius - 1.0 / 0.05)
    expected = hertz(load, effective)
    assert abs(depth[0] / expected[0] - 1.0) < 1e-5
    assert abs(0.35 / (depth[1] - depth[0]) / expected[1] - 1.0) < 1e-5


def test_sticking_ball_moves_sideways_on_mindlins_spring():
    load, radius = 35.0, 0.012
    scene = trundle.Scene(gravity=(0, 0, -35.0))
    scene.add(trundle.Sphere(radius=radius), name="ball", mass=1.0, position=(0, 0, radius), locked="rx ry rz")
    scene.add(trundle.HalfSpace(), name="ground", fixed=True)
    scene.surface("default", "default", law=laws.Coulomb(mu=0.5), stiffness=trundle.HertzMindlin(**STEEL, load=load))
    scene.load("ball", force=(2.0, 0, 0), start=0.05)
    run = trundle.simulate(scene, 0.15, 1e-3, formulation="compliant", tolerance=1e-12)
    assert abs(2.0 / run.final.position[0, 0] / hertz(load, radius)[2] - 1.0) < 1e-6


def test_scene_file_holds_elastic_data():
    text = """
[[bodies]]
name = "ball"
shape = "Sphere"
radius = 0.1
mass = 1
[[surfaces]]
between = ["default", "default"]
law = {name = "Coulomb", mu = 0.3}
stiffness = {kind = "hertz-mindlin", young = 2e9, poisson = 0.3, load = 10}
"""
    scene, _ = parse_scene(text)
    again, _ = parse_scene(dump_scene(scene))
    assert again.pairs == scene.pairs
    assert scene.pairs["default", "default"].stiffness == trundle.HertzMindlin(young=2e9, load=10)


def test_flat_bodies_with_elastic_data_are_refused_before_the_first_step():
    scene = trundle.Scene()
    scene.add(trundle.Box((0.1, 0.1, 0.1)), name="box", mass=1.0, position=(0, 0, 0.05))
    scene.add(trundle.HalfSpace(), name="ground", fixed=True)
    scene.surface("default", "default", law=laws.Coulomb(mu=0.3), stiffness=trundle.HertzMindlin(**STEEL, load=1.0))
    with pytest.raises(SceneError, match="flat surfaces"):
        trundle.simulate(scene, 0.1, 1e-3, formulation="compliant")


@pytest.mark.parametrize(
    "values", [{"young": 2e9, "load": 0.0}, {"young": -1.0, "load": 1.0}, {"young": math.inf, "load": 1.0}]
)
def test_impossible_elastic_data_are_refused(values):
    with pytest.raises(SceneError, match="HertzMindlin"):
        trundle.HertzMindlin(**values)
