"""Several grounds in one scene: each is itself, and where they touch they are one surface."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import trimesh
from bodies import SHAPES, nearest, random_quaternion

import trundle
from trundle import Box, Cylinder, HeightField, Mesh, Scene, Sphere, laws
from trundle.detect import Detector
from trundle.detect.behind import bodies_behind
from trundle.kernels.rotations import rotation_matrix
from trundle.scene.model import build_model
from trundle.scene.shapes import shape_from_table


def field(x, height=0.0):
    """A square of 2 m from x on, at a height."""
    return HeightField(np.full((3, 3), height), 1.0, (x, 0.0, 0.0))


def square(x, height=0.0):
    """The same as a mesh."""
    corners = [(x, 0, height), (x + 2, 0, height), (x + 2, 2, height), (x, 2, height)]
    return Mesh(corners, [(0, 1, 2), (0, 2, 3)])


def scene_on(*grounds, mu=0.5):
    scene = Scene()
    for i, ground in enumerate(grounds):
        scene.add(ground, name=f"ground{i}", fixed=True, surface="soil")
    for other in ("rock", "soil"):
        scene.surface("rock", other, law=laws.Rolling(mu=mu, mu_r=0.001))
    return scene


@pytest.mark.parametrize(
    "grounds",
    [(field(0), field(5, 0.3)), (square(0), square(5, 0.3)), (field(0), square(5, 0.3)), (square(0), field(5, 0.3))],
    ids=["fields", "meshes", "field and mesh", "mesh and field"],
)
def test_balls_rest_on_the_first_and_on_the_second_of_two_grounds(grounds):
    scene = scene_on(*grounds)
    for name, x, z in (("first", 1.2, 0.22), ("second", 6.2, 0.52)):
        scene.add(Sphere(0.2), name=name, mass=1.0, position=(x, 1.1, z), surface="rock")
    run = trundle.simulate(scene, 0.3, 5e-3)
    assert run.position("first")[-1] == pytest.approx((1.2, 1.1, 0.2), abs=1e-8)
    assert run.position("second")[-1] == pytest.approx((6.2, 1.1, 0.5), abs=1e-8)


def test_grounds_are_equal_if_their_triangles_are():
    assert field(0) == field(0)
    assert hash(square(1)) == hash(square(1))
    assert len({field(0), field(0), field(1), field(0, 0.5), square(0), square(0), square(1)}) == 5
    assert field(0) != square(0)


# --- seams ---------------------------------------------------------------------------------------------------------------

PROFILES = {
    "flat": lambda x, y: 0.0 * x,
    "ridge": lambda x, y: -0.3 * np.abs(x),
    "valley": lambda x, y: 0.3 * np.abs(x),
    "terrain": lambda x, y: 0.1 * np.sin(3 * x + y) + 0.1 * np.cos(2 * y - x),
}


def heights(profile, x, y):
    return PROFILES[profile](*np.meshgrid(x, y, indexing="ij"))


def whole(profile, cell=0.5):
    """Ground from x = -2 to 2 in cells of 0.5 m."""
    line = np.arange(-2, 2 + cell, cell)
    return [(HeightField(heights(profile, line, line), cell, (-2, -2, 0)), {})]


def halves(profile):
    """The same in two height fields."""
    line = np.linspace(-2, 2, 9)
    return [
        (HeightField(heights(profile, line[:5], line), 0.5, (-2, -2, 0)), {}),
        (HeightField(heights(profile, line[4:], line), 0.5, (0, -2, 0)), {}),
    ]


def tiles(profile):
    """The same in four tiles as meshes, each in a frame of its own."""
    rng, line, grounds = np.random.default_rng(5), np.linspace(-2, 2, 9), []
    for x in (line[:5], line[4:]):
        for y in (line[:5], line[4:]):
            tile = HeightField(heights(profile, x, y), 0.5, (x[0], y[0], 0))
            q = rng.normal(size=4)
            q /= np.linalg.norm(q)
            p = rng.uniform(-50, 50, 3)
            R = rotation_of(q)
            grounds.append((Mesh((tile.vertices - p) @ R, tile.faces), {"position": p, "orientation": q}))
    return grounds


def finer(profile):
    """The same with cells of 0.25 m on one side: T-junctions, on plane ground only."""
    line, fine = np.linspace(-2, 2, 9), np.linspace(-2, 2, 17)
    return [
        (HeightField(heights(profile, line[:5], line), 0.5, (-2, -2, 0)), {}),
        (HeightField(heights(profile, fine[8:], fine), 0.25, (0, -2, 0)), {}),
    ]


def rotation_of(q):
    R = np.empty((3, 3))
    rotation_matrix(np.array([q]), 0, R)
    return R


def detector_on(grounds, shape):
    scene = Scene(gravity=(0, 0, 0))
    scene.add(shape, name="body", mass=1.0, surface="a")
    for i, (ground, pose) in enumerate(grounds):
        scene.add(ground, name=f"g{i}", fixed=True, surface="a", **pose)
    scene.surface("a", "a", law=laws.Coulomb(mu=0.3))
    model, state = build_model(scene)
    return Detector(model), state


def seen(contacts):
    """Contacts as rows (gap, normal from the ground to the body, point), once each, whoever found them."""
    sign = np.where(contacts.body[:, 0] == 0, -1.0, 1.0)[:, None]
    rows = np.column_stack([contacts.gap, sign * contacts.normal, contacts.point])
    _, first = np.unique(np.round(rows, 5) + 0.0, axis=0, return_index=True)
    return rows[first]


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize(
    ("profile", "cut"),
    [*((p, c) for p in PROFILES for c in (halves, tiles)), *((p, finer) for p in ("flat", "ridge", "valley"))],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_bodies_touch_ground_in_pieces_as_they_touch_it_in_one(name, profile, cut):
    one, state = detector_on(whole(profile, 0.25 if cut is finer else 0.5), SHAPES[name])
    pieces, other = detector_on(cut(profile), SHAPES[name])
    rng = np.random.default_rng(7)
    found = 0
    for trial in range(25):
        q = rng.normal(size=4) if trial % 2 else np.array([1.0, 0, 0, 0])
        x, y = rng.uniform(-0.3, 0.3, 2) if trial > 3 else (0.1 * (trial // 2), 0.0)
        state.orientation[0] = other.orientation[0] = q / np.linalg.norm(q)
        state.position[0] = (x, y, 3.0)
        for _ in range(3):  # down to the ground, and a little into it
            state.position[0, 2] -= nearest(one, state)[0] + 1e-4
        other.position[0] = state.position[0]
        state.velocity[0, 0] = other.velocity[0, 0] = 0.03  # what comes near counts as well
        a, b = seen(one.detect(state, 1.0)), seen(pieces.detect(other, 1.0))
        assert a.shape == b.shape
        np.testing.assert_allclose(b[:, :4], a[:, :4], rtol=0, atol=1e-9)
        np.testing.assert_allclose(b[:, 4:], a[:, 4:], rtol=0, atol=1e-6)  # nearly parallel lines touch about somewhere
        found += len(a)
    assert found >= 25


@pytest.mark.parametrize(
    ("shape", "height", "acceleration"),
    [
        (Box((0.6, 0.5, 0.5)), 0.25, np.sin(0.5) - 0.2 * np.cos(0.5)),  # slides
        (Sphere(0.3), 0.3, 5 / 7 * np.sin(0.5)),  # rolls, 2/5 m r^2
        (Cylinder(0.3, 0.5), 0.3, 2 / 3 * np.sin(0.5)),  # rolls, 1/2 m r^2
    ],
    ids=["box", "sphere", "cylinder"],
)
def test_bodies_cross_the_seams_of_a_slope_in_strips_without_an_impact(shape, height, acceleration):
    mu = 0.2 if isinstance(shape, Box) else 0.5
    scene = scene_on(*(HeightField(np.zeros((3, 5)), 1.0, (2 * i, -2, 0)) for i in range(4)), mu=mu)
    scene.pairs.clear()
    scene.surface("rock", "soil", law=laws.Coulomb(mu=mu))
    scene.gravity = 9.81 * np.array([np.sin(0.5), 0, -np.cos(0.5)])
    q = (np.sqrt(0.5), np.sqrt(0.5), 0, 0) if isinstance(shape, Cylinder) else (1, 0, 0, 0)
    scene.add(shape, name="body", mass=1.0, position=(0.7, 0.03, height), orientation=q, surface="rock")
    run = trundle.simulate(scene, 1.7, 2e-3)
    assert run.position("body")[-1, 0] > 4.5  # two seams are behind it
    np.testing.assert_allclose(run.velocity("body")[-1], (1.7 * 9.81 * acceleration, 0, 0), rtol=0, atol=1e-6)
    assert run.position("body")[:, 2] == pytest.approx(height, abs=1e-8)


def block(x, diagonal):
    """A solid cube of 1 m from x on; its faces are divided along one diagonal or the other."""
    cube = trimesh.creation.box((1, 1, 1))
    mirrored = cube.vertices * ([1, 1, 1] if diagonal else [1, -1, 1])
    faces = cube.faces if diagonal else cube.faces[:, ::-1]
    return Mesh(mirrored + [x + 0.5, 0, -0.5], faces), {}


@pytest.mark.parametrize("diagonal", [True, False], ids=["the same triangles", "other triangles"])
@pytest.mark.parametrize("name", SHAPES)
def test_a_row_of_solid_blocks_is_one_block(name, diagonal):
    long = trimesh.creation.box((2, 1, 1))
    one, state = detector_on([(Mesh(long.vertices + [0, 0, -0.5], long.faces), {})], SHAPES[name])
    row, other = detector_on([block(-1, True), block(0, diagonal)], SHAPES[name])
    rng, found = np.random.default_rng(11), 0
    for _ in range(12):
        state.orientation[0] = other.orientation[0] = random_quaternion(rng)
        state.position[0] = (*rng.uniform(-0.1, 0.1, 2), 3.0)
        for _ in range(3):
            state.position[0, 2] -= nearest(one, state)[0] + 1e-4
        other.position[0] = state.position[0]
        a, b = seen(one.detect(state, 0.0)), seen(row.detect(other, 0.0))
        assert a.shape == b.shape
        np.testing.assert_allclose(b, a, rtol=0, atol=1e-6)
        found += len(a)
    assert found > 10


def test_two_hemispheres_have_one_inside():
    ball = trimesh.creation.icosphere(radius=1.0, subdivisions=2)
    west = ball.triangles_center[:, 0] < 0
    halves = [(Mesh(ball.vertices, ball.faces[part]), {}) for part in (west, ~west)]
    rng = np.random.default_rng(2)
    scene = Scene(gravity=(0, 0, 0))
    for i, (half, pose) in enumerate(halves):
        scene.add(half, name=f"half{i}", fixed=True, **pose)
    points = rng.normal(size=(60, 3))
    points *= (np.where(np.arange(60) % 2, 0.9, 1.1) / np.linalg.norm(points, axis=1))[:, None]
    for i, point in enumerate(points):
        scene.add(Sphere(1e-3), name=f"p{i}", mass=1.0, position=point)
    model, state = build_model(scene)
    found = {one.body - 2 for one in bodies_behind(model, state)}
    assert found == set(range(1, 60, 2))


# --- holes ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", [np.nan, -9999.0])
def test_a_ball_falls_through_a_hole_of_a_height_field_and_rests_beside_it(missing):
    table = np.zeros((7, 7))
    table[3, 3] = missing
    ground = HeightField(table, 1.0, nodata=None if np.isnan(missing) else missing)
    assert shape_from_table(ground.as_table()) == ground
    scene = scene_on(ground)
    for name, x in (("in", 3.0), ("beside", 1.5)):
        scene.add(Sphere(0.2), name=name, mass=1.0, position=(x, 3.2, 0.3), surface="rock")
    run = trundle.simulate(scene, 0.5, 5e-3)
    assert run.position("in")[-1, 2] == pytest.approx(0.3 - 0.5 * 9.81 * 0.5**2, abs=0.02)  # free fall, to first order
    assert run.position("beside")[-1, 2] == pytest.approx(0.2, abs=1e-8)


def test_a_height_that_stands_for_none_is_a_warning_that_names_nodata():
    table = 100.0 + np.arange(12.0).reshape(3, 4)
    table[1, 1] = table[2, 3] = -9999
    with pytest.warns(trundle.TrundleWarning, match="2 of 12 heights are -9999 m, .* nodata=-9999"):
        HeightField(table, 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        HeightField(table, 1.0, nodata=-9999)
        HeightField(np.where(table < 0, -3.4028235e38, table).astype(np.float32), 1.0, nodata=-3.4028235e38)
        HeightField(np.linspace(-11000, -9999, 6).reshape(2, 3), 1.0)  # the bottom of the sea


def test_nodata_and_flip_are_keys_of_scene_files():
    text = """
    [[bodies]]
    name = "terrain"
    shape = "HeightField"
    heights = [[0, 0, 0], [0, -9999, 0], [0, 0, nan], [0, 0, 0]]
    nodata = -9999
    spacing = 1.0
    fixed = true
    [[bodies]]
    name = "roof"
    shape = "Mesh"
    vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    faces = [[0, 1, 2]]
    flip = true
    fixed = true
    """
    scene, _ = trundle.scene.parse_scene(text)
    again, _ = trundle.scene.parse_scene(trundle.scene.dump_scene(scene))
    for one in (scene, again):
        assert np.isnan(one.bodies[0].shape.heights).sum() == 2
        assert one.bodies[1].shape.faces.tolist() == [[0, 2, 1]]
    assert [body.shape for body in again.bodies] == [body.shape for body in scene.bodies]
