"""Soil zones, roughness and sheets: what blocks feel of a ground."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numba import njit

from trundle import laws
from trundle.errors import SceneError
from trundle.run.simulate import simulate
from trundle.scene import (
    Box,
    Capsule,
    Ellipsoid,
    HalfSpace,
    HeightField,
    Mesh,
    Polyhedron,
    Scene,
    Sphere,
    parse_scene,
)
from trundle.scene.model import build_model
from trundle.scene.writing import dump_scene
from trundle.step.kernels import rough
from trundle.step.kernels.rough import WIDEST


@njit
def rough_height(slope, size, seed, key, x, y):
    return rough.rough_height(slope, size, seed, key, x, y)


@njit
def height_of_node(seed, key, i, j):
    return rough.height_of_node(seed, key, i, j)


G, STEEP = 9.81, math.radians(35.0)
NAMES = [f"soil {k}" for k in range(20)]
STRIPS = np.repeat((np.arange(60) // 3)[:, None], 30, axis=1)


def strips(**options):
    return HeightField(np.zeros((61, 31)), 1.0, zones=STRIPS, soils=NAMES, **options)


def on_slope(ground, surfaces=("ground",), **options):
    """A ball that rolls and a box that slides down a 35 degree slope, in its frame."""
    scene = Scene(gravity=(G * math.sin(STEEP), 0.0, -G * math.cos(STEEP)))
    scene.add(ground, name="ground", fixed=True, surface="ground")
    scene.add(Sphere(0.2), name="ball", density=2600.0, position=(2.0, 12.0, 0.2), surface="rock")
    scene.add(Box((0.4, 0.3, 0.2)), name="box", density=2600.0, position=(2.0, 10.0, 0.1), surface="block")
    for name in dict.fromkeys(("ground", *surfaces)):
        scene.surface(name, "rock", law=laws.Rolling(mu=0.4, mu_r=0.02), **options)
        scene.surface(name, "block", law=laws.Coulomb(mu=0.4))
    scene.surface("rock", "block", law=laws.Coulomb(mu=0.3))
    return scene


@pytest.mark.parametrize("restitution", [0.0, 0.2])
def test_strips_of_soils_with_the_same_law_are_one_half_space(restitution):
    one = simulate(on_slope(HalfSpace(), restitution=restitution), 2.0, 5e-3, tolerance=1e-12)
    many = simulate(on_slope(strips(), surfaces=NAMES, restitution=restitution), 2.0, 5e-3, tolerance=1e-12)
    assert one.position("ball")[-1, 0] > 8.0
    for body in ("ball", "box"):
        assert many.position(body) == pytest.approx(one.position(body), abs=1e-9)


def test_strips_with_rounded_heights_are_one_half_space():
    # an inclined plane: no height is the exact one, and errors grow as the speed does, not exponentially
    x = 1.7 * np.arange(61)
    field = HeightField(np.tile(-math.tan(STEEP) * x[:, None], (1, 31)), 1.7, zones=STRIPS, soils=NAMES)
    normal, down = np.array([math.sin(STEEP), 0.0, math.cos(STEEP)]), np.array([math.cos(STEEP), 0.0, -math.sin(STEEP)])
    turned, skins = (math.cos(STEEP / 2), 0.0, math.sin(STEEP / 2), 0.0), {"ball": "rock", "box": "block"}
    paths = []
    for ground, names in ((HalfSpace(normal=normal), ["ground"]), (field, ["ground", *NAMES])):
        scene = Scene()
        scene.add(ground, name="ground", fixed=True, surface="ground")
        at = {"ball": (2.0 * down + 0.9 * normal, 12.0), "box": (2.0 * down + 0.1 * normal, 9.0)}
        for name, shape in (("ball", Sphere(0.2)), ("box", Box((0.4, 0.3, 0.2)))):
            position = at[name][0] + np.array([0.0, at[name][1], 0.0])
            scene.add(shape, name=name, density=2600.0, position=position, orientation=turned, surface=skins[name])
        for name in names:
            scene.surface(name, "rock", law=laws.Rolling(mu=0.4, mu_r=0.02), restitution=0.3)
            scene.surface(name, "block", law=laws.Coulomb(mu=0.4))
        scene.ignore("ball", "box")
        paths.append(simulate(scene, 5.0, 5e-3, tolerance=1e-12))
    for body in ("ball", "box"):
        assert paths[0].position(body)[-1, 0] > 20.0
        assert paths[1].position(body) == pytest.approx(paths[0].position(body), abs=1e-9)


TUMBLERS = {
    "polyhedron": Polyhedron(np.random.default_rng(3).normal(size=(16, 3)) * 0.3),
    "ellipsoid": Ellipsoid((0.5, 0.4, 0.3)),
    "box": Box((0.8, 0.6, 0.5)),
    "capsule": Capsule(0.3, 0.5),
}


@pytest.mark.parametrize("shape", TUMBLERS)
def test_a_block_tumbles_over_strips_of_soils_as_over_a_half_space_to_the_last_bit(shape):
    # the plane is z = 0 in both, so that gaps are equal numbers: what is left are contacts that would be lost at edges of
    # triangles, and the order in which they are solved
    paths = []
    for ground, names in ((HalfSpace(), ["ground"]), (strips(), ["ground", *NAMES])):
        scene = Scene(gravity=(G * math.sin(STEEP), 0.0, -G * math.cos(STEEP)))
        scene.add(ground, name="ground", fixed=True, surface="ground")
        turned = np.array([0.5, 0.1, -0.7, 0.5])
        scene.add(
            TUMBLERS[shape], name="block", density=2600.0, position=(3.0, 15.0, 1.2), orientation=turned / np.linalg.norm(turned),
            surface="rock",
        )  # fmt: skip
        for name in names:
            scene.surface(name, "rock", law=laws.Rolling(mu=0.5, mu_r=0.02), restitution=0.3)
        paths.append(simulate(scene, 4.0, 5e-3, tolerance=1e-8).position("block"))
    assert paths[0][-1, 0] > 15.0
    assert np.array_equal(paths[0], paths[1])


def test_every_soil_has_its_own_friction():
    # a particle (a ball that cannot turn) without friction on the first soil, with mu = 1 after it
    ground = HeightField(np.zeros((61, 31)), 1.0, zones=np.minimum(STRIPS, 1), soils=["ice", "gravel"])
    scene = Scene(gravity=(G * math.sin(STEEP), 0.0, -G * math.cos(STEEP)))
    scene.add(ground, name="ground", fixed=True, surface="ground")
    scene.add(
        Sphere(0.2), name="particle", mass=1.0, inertia=(1e9, 1e9, 1e9), position=(2.0, 12.0, 0.2), surface="rock"
    )
    for name, mu in (("ground", 0.9), ("ice", 0.0), ("gravel", 1.0)):
        scene.surface(name, "rock", law=laws.Coulomb(mu))
    run = simulate(scene, 1.2, 1e-3, tolerance=1e-12)
    x, v = run.position("particle")[:, 0], run.velocity("particle")[:, 0]
    a, rate = G * math.sin(STEEP), np.diff(v) / 1e-3
    before, after = x[1:] < 3.0 - 1e-2, x[:-1] > 3.0 + 1e-2
    assert after.sum() > 100
    assert rate[before] == pytest.approx(a, rel=1e-8)
    assert rate[after] == pytest.approx(a - G * math.cos(STEEP), rel=1e-8)


def test_boxes_with_many_contacts_feel_the_soil_below_each_of_them():
    ground = HeightField(np.zeros((61, 31)), 1.0, zones=np.minimum(STRIPS, 1), soils=["ice", "gravel"])
    scene = Scene(gravity=(G * math.sin(STEEP), 0.0, -G * math.cos(STEEP)))
    scene.add(ground, name="ground", fixed=True, surface="ground")
    for k in range(4):  # on ice until x = 3 m, and on gravel
        x = (0.5, 20.3, 1.4, 40.6)[k]
        scene.add(Box((0.4, 0.3, 0.2)), name=f"b{k}", mass=1.0, position=(x, 5.0 + 3.0 * k, 0.1), surface="rock")
    scene.surface("rock", "rock", law=laws.Coulomb(0.5))
    for name, mu in (("ground", 0.9), ("ice", 0.0), ("gravel", 1.0)):
        scene.surface(name, "rock", law=laws.Coulomb(mu))
    run = simulate(scene, 0.3, 1e-3, tolerance=1e-12)
    way = [float(run.position(f"b{k}")[-1, 0] - run.position(f"b{k}")[0, 0]) for k in range(4)]
    slides = 0.5 * G * math.sin(STEEP) * 0.3**2
    assert way == pytest.approx([slides, 0.0, slides, 0.0], abs=1e-9)


def test_zones_survive_a_scene_file():
    ground = strips(roughness={"soil 3": {"tilt": 0.1, "size": 0.5}})
    scene = on_slope(ground, surfaces=NAMES)
    again, _ = parse_scene(dump_scene(scene))
    assert again.bodies[0].shape == ground
    assert np.array_equal(build_model(again)[0].zones[0], build_model(scene)[0].zones[0])


def test_a_law_is_asked_for_every_soil_that_some_triangle_has():
    with pytest.raises(
        SceneError, match="no law for their surfaces 'rock' and 'soil 9'|'soil 9' and 'rock'|'block' and 'soil 9'"
    ):
        simulate(on_slope(strips(), surfaces=[n for n in NAMES if n != "soil 9"]), 0.1, 5e-3)
    unused = HeightField(np.zeros((61, 31)), 1.0, zones=STRIPS, soils=[*NAMES, "asphalt"])
    simulate(on_slope(unused, surfaces=NAMES), 0.01, 5e-3)  # no triangle has asphalt


# --- roughness ------------------------------------------------------------------------------------------------------------


def test_slopes_of_facets_have_the_given_spread_and_heights_are_continuous():
    rng = np.random.default_rng(0)
    slope, size = 0.2, 0.5
    found = np.array([rough_height(slope, size, 7, 11, x, y) for x, y in rng.uniform(-500, 500, size=(20_000, 2))])
    assert np.abs(found[:, 0]).max() <= slope * size * WIDEST
    # the standard deviation of 20,000 samples is known to 0.5 %, their mean to 0.7 % of it
    for column in (1, 2):
        assert found[:, column].std() == pytest.approx(slope, rel=0.02)
        assert abs(found[:, column].mean()) < 0.03 * slope
    for x, y in rng.uniform(-5, 5, size=(200, 2)):
        d, *_ = rough_height(slope, size, 7, 11, x, y)
        near, *_ = rough_height(slope, size, 7, 11, x + 1e-9, y - 1e-9)
        assert near == pytest.approx(d, abs=1e-8)


def test_roughness_is_a_function_of_seed_block_and_place():
    assert height_of_node(1, 2, -3, 4) == height_of_node(1, 2, -3, 4)
    others = {height_of_node(*a) for a in ((1, 2, -3, 4), (2, 2, -3, 4), (1, 3, -3, 4), (1, 2, 4, -3), (1, 2, -3, 5))}
    assert len(others) == 5


def test_a_ball_rests_on_a_rough_ground_where_its_facets_are():
    ground = HeightField(np.zeros((21, 21)), 1.0, (-10, -10, 0), roughness={"tilt": 0.1, "size": 1.0, "seed": 3})
    scene = Scene(gravity=(0, 0, -G))
    scene.add(ground, name="ground", fixed=True, surface="soil")
    scene.add(Sphere(0.05), name="ball", density=2600.0, position=(0.3, 0.2, 0.5), surface="rock")
    scene.surface("soil", "rock", law=laws.Rolling(mu=0.9, mu_r=0.02))
    run = simulate(scene, 3.0, 2e-3)
    x, y, z = run.position("ball")[-1]
    d, dx, dy = rough_height(math.tan(0.1), 1.0, 3, 1, x, y)
    # the ball touches the plane of the facet under its centre: (z - d) / |grad| = r, to what a step lets it sink in
    assert (z - d) / math.sqrt(1.0 + dx * dx + dy * dy) == pytest.approx(0.05, abs=1e-4)
    assert np.abs(run.velocity("ball")[-1]).max() < 1e-6


# --- meshes ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_sheet_with_both_sides_holds_a_ball_from_either_side(side):
    corners = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], float)
    sheet = Mesh(corners, [(0, 1, 2), (0, 2, 3)], both_sides=True)
    scene = Scene(gravity=(0, 0, -side * G))
    scene.add(sheet, name="sheet", fixed=True, surface="soil")
    scene.add(Sphere(0.1), name="ball", density=2600.0, position=(0.2, 0.3, 0.3 * side), surface="rock")
    scene.surface("soil", "rock", law=laws.Coulomb(0.5))
    run = simulate(scene, 1.0, 5e-3)
    assert run.position("ball")[-1] == pytest.approx([0.2, 0.3, 0.1 * side], abs=1e-6)
    again, _ = parse_scene(dump_scene(scene))
    assert again.bodies[0].shape == sheet
