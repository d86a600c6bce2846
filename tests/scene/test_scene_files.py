"""Scene files say the same as Python, to the last bit, and both ways."""

from __future__ import annotations

import inspect
import math
import textwrap

import numpy as np
import pytest

import trundle
from trundle import laws
from trundle.errors import LawError, SceneError
from trundle.scene.files import OPTIONS, contact_laws, parse_scene
from trundle.scene.materials import Hertz, Hooke
from trundle.scene.scene import Scene
from trundle.scene.shapes import SHAPES
from trundle.scene.tables import arguments, toml_value
from trundle.scene.writing import dump_scene

TETRAHEDRON = ((0.1, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.3), (0.0, 0.0, 0.0))
EVERY_SHAPE = [
    trundle.Sphere(0.1),
    trundle.Box((0.1, 0.2, 0.3)),
    trundle.Ellipsoid((0.1, 0.2, 1.0 / 3.0)),
    trundle.Disk(0.1),
    trundle.Cylinder(0.1, 0.7),
    trundle.Capsule(0.1, 0.7),
    trundle.Polyhedron(TETRAHEDRON),
    trundle.Clump(((0.0, 0.0, 0.0), (0.1, 0.05, 0.0)), (0.1, 0.07)),
    trundle.SphereInside(0.5, 1.2, 0.002),
    trundle.CylinderInside(0.5, 0.3),
    trundle.ConeInside(0.5, 0.3),
    trundle.TorusInside(0.5, 0.1, (-1.0, 1.5)),
    trundle.HalfSpace((0.1, 0.2, 1.0), 0.3),
    trundle.Mesh(vertices=[(0, 0, 0), (1, 0, 0), (0, 1, 0)], faces=[(0, 1, 2)], scale=0.3),
    trundle.HeightField([[0.0, 0.1, 0.2], [0.3, 0.1, 0.0]], 0.7),
]


BALLS = """
[[bodies]]
shape = "Sphere"
radius = 1
mass = 1
surface = "a"

[[bodies]]
shape = "Sphere"
radius = 1
mass = 1
surface = "b"
"""


def text(body: str) -> str:
    return textwrap.dedent(body)


def same(one: object, other: object) -> bool:
    """Equal to the last bit, through lists, tuples, arrays and dataclasses."""
    if hasattr(one, "__dataclass_fields__"):
        names = [name for name in one.__dataclass_fields__ if not name.startswith("_")]
        return type(one) is type(other) and all(same(getattr(one, n), getattr(other, n)) for n in names)
    if isinstance(one, (list, tuple)) and len(one) and not isinstance(one[0], (int, float)):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[k], other[k]) for k in one)
    return np.array_equal(one, other) if isinstance(one, (list, tuple, np.ndarray)) else one == other


def everything() -> Scene:
    """A scene with all that the Python interface can say, with numbers that have no short decimal form."""
    scene = Scene(gravity=(0.1, 1 / 3, -9.81))
    tilted = np.array([math.cos(0.4), math.sin(0.4) / math.sqrt(3), *[math.sin(0.4) / math.sqrt(3)] * 2])
    scene.add(trundle.Sphere(1 / 3), name="ball", density=2500 / 7, position=(0, 0, math.pi), velocity=(1 / 3, 0, 0),
              angular_velocity=(0, 0.1, 0), orientation=tilted, surface="rock")  # fmt: skip
    scene.add(trundle.Box((0.1, 0.2, 0.3)), name="box", mass=1 / 7, inertia=(0.1, 0.11, 0.12), position=(5, 0, 2))
    scene.add(
        trundle.Box((1, 1, 1)), name="arm", mass=2, inertia=[[2, 0.1, 0], [0.1, 2, 0], [0, 0, 3]], position=(9, 0, 2)
    )
    scene.add(trundle.HalfSpace((0.1, 0.2, 1)), name="ground", fixed=True, surface="soil")
    scene.add(
        trundle.Box((1, 1, 0.1)), name="belt", motion=trundle.Steady(velocity=(1 / 3, 0, 0), end=2), position=(0, 9, 0)
    )
    scene.add(trundle.Box((1, 1, 0.1)), name="shaker", position=(0, 20, 0),
              motion=trundle.Oscillation(frequency=1 / 3, amplitude=(0, 0, 0.1), rotation=(0.1, 0, 0), phase=0.3))  # fmt: skip
    scene.add(
        trundle.Sphere(0.1), name="crank", position=(0, 30, 0), motion=trundle.Table([0, 0.1, 0.7], [[0, 0, 1 / 3]] * 3)
    )
    scene.surface("rock", "soil", law=laws.Rolling(mu=0.2, mu_r=1 / 30), restitution=1 / 3)
    scene.surface("rock", "rock", law=laws.SlideRollSpin(mu=0.2, mu_r=0.1, mu_s=0.05), ratio=True)
    orthotropic = laws.Superellipse(mu_x=0.1, mu_y=0.3, q=math.inf) * laws.Roll(mu_r=0.01) * laws.Spin(mu_s=0.02)
    scene.surface("default", "soil", law=orthotropic, axis=(1, 0.3, 0), axis_of="ground", stiffness=(1e6, 1e5))
    scene.surface(
        "default", "rock", law=laws.Contensou(mu=0.3, patch_radius=1e-3), material=Hertz(young=(2e9, 1e9), poisson=0.2)
    )
    scene.surface(
        "default", "default", law=laws.Coulomb(mu=0.3), material=Hooke(stiffness=1e5, static=1.2, cap_damping=True)
    )
    contour = laws.Coulomb(mu=0.3) * laws.Roll(mu_r=0.01)
    scene.surface("rim", "soil", law=contour, rolling="contour", rolling_viscosity=1 / 3)
    scene.add(trundle.Disk(0.1), name="coin", mass=0.1, position=(40, 0, 1), surface="rim")
    scene.emit(trundle.Capsule(0.01, 0.02), rate=100 / 3, count=4, seed=7, density=1000, surface="rock", name="pour",
               region=trundle.BoxRegion((3, 3, 3), (4, 4, 3)), sizes=trundle.Normal(1, 0.1),
               velocity=(0, 0, -1 / 3), start=0.1)  # fmt: skip
    scene.emit(trundle.Sphere(0.01), rate=math.inf, count=3, mass=0.1, orientation=(1, 0, 0, 0), sizes=trundle.Choice((1, 2)),
               region=trundle.CylinderRegion((3, 3, 5), 0.3, axis=(0.1, 0, 1)))  # fmt: skip
    scene.joint("hinge", "arm", "box", position=(7, 0, 2), axis=(0.1, 1, 0), motor=1 / 3, max_force=7)
    scene.joint("slider", "ball", position=(0, 0, math.pi), axis=(0, 0, 1), friction=1 / 3)
    scene.joint("distance", "box", "ball", position=(5, 0.1, 2), collide=True, name="rod")
    scene.joint("ball", "arm", position=(9, 1, 2))
    scene.load("ball", force=(1 / 3, 0, 0), torque=(0, 0.1, 0), point=(0, 0, 0.1), frame="body", start=0.1, end=2)
    scene.load("arm", force=(0, 0, 1))
    return scene


def test_everything_survives_a_round_trip_to_the_last_bit():
    scene = everything()
    options = {"duration": 1 / 3, "time_step": 1e-3, "theta": 0.5, "formulation": "exact", "every": 10, "seed": 3}
    written = dump_scene(scene, options)
    again, options_again = parse_scene(written)
    assert options_again == options
    assert dump_scene(again, options_again) == written
    order = sorted(scene.bodies, key=lambda body: body.emitter is not None)
    for one, other in zip(order, again.bodies, strict=True):
        assert same(one, other), (one, other)
    assert same(dict(sorted(scene.pairs.items())), dict(sorted(again.pairs.items())))
    for name in ("emitters", "joints", "loads"):
        for one, other in zip(getattr(scene, name), getattr(again, name), strict=True):
            assert same(one, other), (one, other)
    assert np.array_equal(scene.gravity, again.gravity)


@pytest.mark.parametrize("shape", EVERY_SHAPE, ids=lambda shape: type(shape).__name__)
def test_every_shape_survives_a_round_trip(shape):
    scene = Scene()
    scene.add(shape, name="it", **({"mass": 1 / 3} if shape.bounded else {"fixed": True}))
    again, _ = parse_scene(dump_scene(scene))
    assert same(again.bodies[0], scene.bodies[0])
    assert same(again.bodies[0].shape, shape)


def test_every_shape_is_tested():
    assert {type(shape).__name__ for shape in EVERY_SHAPE} == set(SHAPES)


def test_keys_of_shapes_do_not_collide_with_those_of_bodies_and_emitters():
    for shape in SHAPES.values():
        assert not set(arguments(shape)[0]) & set(arguments(Scene.add, "shape")[0]), shape
        if shape.bounded:
            assert not set(arguments(shape)[0]) & set(arguments(Scene.emit, "shape")[0]), shape


def test_every_option_of_simulate_is_one_of_the_file():
    of_the_call = {
        "scene",
        "progress",
        "record",
        "keep_problems",
        "save_problems",
    }  # what belongs to the call, not to the scene
    assert set(inspect.signature(trundle.simulate).parameters) - of_the_call == set(OPTIONS)


@pytest.mark.parametrize("law", sorted(contact_laws()))
def test_every_law_can_be_named_in_a_file(law):
    made = laws.sample(contact_laws()[law])
    scene = Scene()
    scene.add(trundle.Sphere(1.0), mass=1.0, surface="one", name="it")
    scene.surface("one", "one", law=made, axis=(1, 0, 0), axis_of="it")
    again, _ = parse_scene(dump_scene(scene))
    assert again.pairs["one", "one"].law == made


def test_file_and_python_give_the_same_model(tmp_path):
    file = tmp_path / "ball.toml"
    file.write_text(
        text("""
        [simulation]
        duration = 6
        time_step = 1e-3

        [[bodies]]
        name = "ball"
        shape = "sphere"
        radius = 0.5
        density = 2500
        position = [0, 0, 0.5]
        velocity = [2.5, 0, 0]
        angular_velocity = [0, 5, 0]
        surface = "rock"

        [[bodies]]
        name = "ground"
        shape = "half-space"
        normal = [0, 0, 1]
        fixed = true
        surface = "soil"

        [[surfaces]]
        between = ["soil", "rock"]
        law = {name = "rolling", mu = 0.2, mu_r = 0.04}
        """)
    )
    scene = Scene(gravity=(0, 0, -9.81))
    scene.add(trundle.Sphere(radius=0.5), name="ball", density=2500.0, position=(0, 0, 0.5), velocity=(2.5, 0, 0),
              angular_velocity=(0, 5, 0), surface="rock")  # fmt: skip
    scene.add(trundle.HalfSpace(normal=(0, 0, 1), offset=0.0), name="ground", fixed=True, surface="soil")
    scene.surface("rock", "soil", law=laws.Rolling(mu=0.2, mu_r=0.04))
    loaded, options = trundle.load_scene(file)
    assert dump_scene(loaded) == dump_scene(scene)
    assert options == {"duration": 6.0, "time_step": 1e-3}


def test_names_may_be_spelt_as_in_python_or_as_in_prose():
    for name in ("SlideRollSpin", "slide-roll-spin", "sliderollspin", "slide_roll_spin"):
        scene, _ = parse_scene(
            f'[[surfaces]]\nbetween = ["a", "b"]\nlaw = {{name = "{name}", mu = 1, mu_r = 2, mu_s = 3}}{BALLS}'
        )
        assert scene.pairs["a", "b"].law == laws.SlideRollSpin(mu=1, mu_r=2, mu_s=3)


def test_a_ratio_is_given_as_such():
    law = '[[surfaces]]\nbetween = ["a", "b"]\nlaw = {name = "Rolling", mu = 0.5, mu_r = %s}' + BALLS
    assert parse_scene(law % "{ratio = 0.05}")[0].pairs["a", "b"].ratio
    assert not parse_scene(law % "0.05")[0].pairs["a", "b"].ratio


def test_lengths_and_ratios_in_one_law_are_an_error():
    law = (
        '[[surfaces]]\nbetween = ["a", "b"]\nlaw = {name = "SlideRollSpin", mu = 0.5, mu_s = 0.1, mu_r = {ratio = 0.1}}'
    )
    with pytest.raises(SceneError, match=r"line 3.*mu_r given as a ratio, but mu_s as a length"):
        parse_scene(law)


OWN_LAW = """
from trundle import laws

@laws.own(rows=("t1", "t2"))
class Square:
    mu: laws.Ratio

    def project_section(f, r_n, c, out):
        for i in range(2):
            out[i] = min(max(f[i], -c[0] * r_n), c[0] * r_n)

    def support(w, c):
        return c[0] * (abs(w[0]) + abs(w[1]))

gentle = Square(mu=0.1)
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "squares.py").write_text(OWN_LAW)
    (tmp_path / "ramp.stl").write_text(
        "solid ramp\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 2000 0 0\nvertex 0 2000 300\nendloop\nendfacet\n"
        "endsolid ramp\n"
    )
    return tmp_path


def test_law_of_ones_own_comes_from_a_file_beside_the_scene(folder):
    file = folder / "scene.toml"
    file.write_text('[[surfaces]]\nbetween = ["a", "b"]\nlaw = {name = "squares.py:Square", mu = 0.4}\n' + BALLS)
    scene, _ = trundle.load_scene(file)
    law = scene.pairs["a", "b"].law
    assert type(law).__name__ == "Square"
    assert law.mu == 0.4
    again, _ = parse_scene(dump_scene(scene))  # in another folder
    assert again.pairs["a", "b"].law.mu == 0.4


def test_law_object_of_ones_own_module_needs_no_coefficients(folder):
    file = folder / "scene.toml"
    file.write_text('[[surfaces]]\nbetween = ["a", "b"]\nlaw = {name = "squares:gentle"}\n' + BALLS)
    assert trundle.load_scene(file)[0].pairs["a", "b"].law.mu == 0.1


def test_error_in_ones_own_law_is_told_with_its_place(folder):
    (folder / "broken.py").write_text("mu = 1 / 0\n")
    file = folder / "scene.toml"
    file.write_text('[[surfaces]]\nbetween = ["a", "b"]\nlaw = {name = "broken.py:Square", mu = 0.4}\n')
    with pytest.raises(SceneError, match=r"line 3.*broken.py:Square.*ZeroDivisionError"):
        trundle.load_scene(file)


def test_law_of_the_running_script_cannot_be_written():
    @laws.own(rows=("t1", "t2"))
    class Local:
        mu: laws.Ratio

        def project_section(f, r_n, c, out):
            out[0] = 0.0
            out[1] = 0.0

        def support(w, c):
            return 0.0

    scene = Scene()
    scene.surface("a", "b", law=Local(mu=0.1))
    with pytest.raises(SceneError, match="Put it into a file"):
        dump_scene(scene)


def test_mesh_file_is_relative_to_the_scene_file(folder, monkeypatch):
    file = folder / "scene.toml"
    file.write_text('[[bodies]]\nname = "ramp"\nshape = "Mesh"\nfile = "ramp.stl"\nscale = 1e-3\nfixed = true\n')
    scene, _ = trundle.load_scene(file)
    assert scene.bodies[0].shape.vertices.max() == pytest.approx(2.0)
    monkeypatch.chdir(folder)
    written = dump_scene(trundle.load_scene("scene.toml")[0])
    monkeypatch.chdir("/")
    assert same(parse_scene(written)[0].bodies[0].shape.vertices, scene.bodies[0].shape.vertices)


def test_python_functions_cannot_be_written_but_marked():
    scene = Scene()
    scene.add(trundle.Sphere(1.0), name="driven", motion=lambda t: ((t, 0, 0), (0, 0, 0)))
    with pytest.raises(SceneError, match="body 'driven': motion is a Python function"):
        dump_scene(scene)
    with pytest.raises(SceneError, match="unknown kind of motion 'python'"):
        parse_scene(dump_scene(scene, name_functions=True))


def test_force_that_is_a_function_cannot_be_written():
    scene = Scene()
    scene.add(trundle.Sphere(1.0), name="ball", mass=1.0)
    scene.load("ball", force=lambda t: (t, 0, 0))
    with pytest.raises(SceneError, match="load on 'ball': force is a Python function"):
        dump_scene(scene)


def test_grid_is_shifted_layer_by_layer():
    scene, _ = parse_scene(
        text("""
        [[grids]]
        name = "grain"
        shape = "Sphere"
        radius = 0.1
        density = 1000
        count = [3, 2, 4]
        spacing = 0.25
        first = [1, 2, 3]
        shift = [0.125, 0.1, 0]
        """)
    )
    assert [body.name for body in scene.bodies[:2]] == ["grain.0", "grain.1"]
    x = np.array([body.position for body in scene.bodies]).reshape(4, 2, 3, 3)  # layer, y, x
    assert np.array_equal(x[0, 0, 0], (1, 2, 3))
    assert np.allclose(np.diff(x[..., 0], axis=2), 0.25)
    assert np.allclose(np.diff(x[..., 1], axis=1), 0.25)
    assert np.allclose(x[1, 0, 0], (1.125, 2.1, 3.25))
    assert np.allclose(x[2, 0, 0], (1, 2, 3.5))
    # the same with the helper of Python
    again = trundle.grid((3, 2, 4), 0.25, first=(1, 2, 3), shift=(0.125, 0.1, 0))
    assert np.array_equal(again, x.reshape(-1, 3))


def test_jitter_of_a_grid_follows_from_its_seed_and_stays_within_bounds():
    plain = trundle.grid((10, 10, 10), 0.1)
    one, same_seed, other = (trundle.grid((10, 10, 10), 0.1, jitter=0.01, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one, same_seed)
    assert not np.any(one == other)
    assert np.abs(one - plain).max() <= 0.01
    assert np.abs(one - plain).max() > 0.0099
    # uniform: the mean vanishes within four standard errors, 0.01 / sqrt(3 n)
    assert np.abs((one - plain).mean(axis=0)).max() < 4 * 0.01 / math.sqrt(3 * 1000)


@pytest.mark.parametrize("value", [0.1, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0, math.inf, -math.inf, 2**53 + 1, True,
                                   "a \"quoted\" \\ back\nline\t\x7fü\U0001f600", [1.5, [2, 3]],
                                   {"a b": {"c": [1]}}])  # fmt: skip
def test_values_are_written_so_that_they_read_back(value):
    import tomllib

    again = tomllib.loads(f"x = {toml_value(value)}")["x"]
    assert again == value
    assert type(again) is type(value)
    assert math.copysign(1, again) == math.copysign(1, value) if isinstance(value, float) else True


def test_all_errors_of_a_file_are_told_at_once_with_their_lines():
    bad = text("""\
        gravity = [0, 0]

        [simulation]
        durations = 1

        [[bodies]]
        name = "ball"
        shape = "Sphere"
        radius = -1
        mass = 1

        [[bodies]]
        name = "box"
        shape = "Bax"
        """)
    with pytest.raises(SceneError) as caught:
        parse_scene(bad, name="pile.toml")
    lines = str(caught.value).splitlines()
    assert lines[0] == "pile.toml has 4 errors:"
    assert lines[1].startswith("- pile.toml, line 1: Scene: gravity = [0, 0] must be 3 finite numbers [m/s^2]")
    assert lines[2].startswith("- pile.toml, line 4, [simulation]: unknown key 'durations'.")
    assert lines[2].endswith("Did you mean 'duration'?")
    assert lines[3].startswith("- pile.toml, line 9, [[bodies]]: ")
    assert "radius = -1 m must be positive" in lines[3]
    assert lines[4].startswith("- pile.toml, line 14, [[bodies]]: ")
    assert lines[4].endswith("Did you mean 'Box'?")


def test_a_law_error_stays_a_scene_error_with_its_place():
    with pytest.raises(SceneError, match=r"line 3.*Coulomb: mu = -0.1 is not a coefficient"):
        parse_scene('[[surfaces]]\nbetween = ["a", "b"]\nlaw = {name = "Coulomb", mu = -0.1}')
    with pytest.raises(LawError):
        laws.Coulomb(mu=-0.1)


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "notepad.toml"
    path.write_bytes(b"\xef\xbb\xbfgravity = [0, 0, -1.62]\r\n" + BALLS.encode())
    scene, _ = trundle.load_scene(path)
    assert scene.gravity.tolist() == [0.0, 0.0, -1.62]
