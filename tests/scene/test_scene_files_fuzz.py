"""Scene files that were spoiled at random: an error of trundle's own that names the file, or a run as the file says."""

from __future__ import annotations

import copy
import string
import tomllib
import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from trundle import simulate
from trundle.errors import SceneError, TrundleError, TrundleWarning
from trundle.scene.files import parse_scene
from trundle.scene.tables import toml_table
from trundle.scene.writing import dump_scene

GOOD = """\
gravity = [0, 0, -9.81]

[simulation]
duration = 0.002
time_step = 1e-3
theta = 0.5
formulation = "exact"
tolerance = 1e-8
max_iterations = 2000

[[bodies]]
name = "ball"
shape = "Sphere"
radius = 0.1
density = 2500
position = [0, 0, 0.1]
orientation = [1, 0, 0, 0]
velocity = [0.1, 0, 0]
angular_velocity = [0, 1, 0]
surface = "rock"

[[bodies]]
name = "block"
shape = "Box"
size = [0.2, 0.2, 0.1]
mass = 1.5
inertia = [0.1, 0.1, 0.1]
position = [1, 0, 0.05]
surface = "rock"

[[bodies]]
name = "stones"
shape = "Clump"
centres = [[0, 0, 0], [0.1, 0, 0]]
radii = [0.1, 0.1]
density = 1000
position = [3, 0, 0.1]
surface = "rock"

[[bodies]]
name = "ground"
shape = "HalfSpace"
normal = [0, 0, 1]
offset = 0
fixed = true
surface = "soil"

[[bodies]]
name = "table"
shape = "Box"
size = [0.2, 0.2, 0.1]
position = [5, 5, 5]
motion = {kind = "oscillation", frequency = 2, amplitude = [0.01, 0, 0]}
surface = "soil"

[[bodies]]
name = "crank"
shape = "Sphere"
radius = 0.1
position = [8, 5, 5]
motion = {kind = "table", time = [0, 1], velocity = [[0, 0, 0], [1, 0, 0]]}
surface = "soil"

[[grids]]
name = "grain"
shape = "Sphere"
radius = 0.02
density = 2500
count = [2, 1, 2]
spacing = 0.05
first = [2, 2, 0.1]
shift = [0.02, 0, 0]
jitter = 0.001
seed = 3
surface = "rock"

[[surfaces]]
between = ["rock", "soil"]
law = {name = "Rolling", mu = 0.3, mu_r = 0.001}
restitution = 0.2

[[surfaces]]
between = ["rock", "rock"]
law = [{name = "Superellipse", mu_x = 0.3, mu_y = 0.2, q = 3, k = 1}, {name = "Roll", mu_r = {ratio = 0.01}}]
axis = [1, 0, 0]
axis_of = "block"
stiffness = [1e8, 1e8]

[[emitters]]
name = "pour"
shape = "Sphere"
radius = 0.02
density = 2500
rate = 10
count = 2
region = {kind = "cylinder", base = [0, 3, 1], radius = 0.3, height = 0.1}
sizes = {kind = "uniform", low = 0.8, high = 1.2}
velocity = [0, 0, -1]
surface = "rock"

[[joints]]
name = "pin"
kind = "hinge"
one = "block"
position = [1, 0, 0.5]
axis = [0, 0, 1]
friction = 0.1

[[loads]]
body = "ball"
force = [1, 0, 0]
torque = [0, 0, 0.1]
point = [0, 0, 0]
frame = "body"
start = 0
end = 1
"""

OTHERS = """\
gravity = [0, 0, -9.81]

[simulation]
duration = 0.002
time_step = 1e-3
formulation = "exact"
scheme = "moreau-jean"
every = 1
seed = 3

[[bodies]]
name = "egg"
shape = "Ellipsoid"
semi_axes = [0.1, 0.1, 0.2]
density = 2500
position = [0, 0, 0.25]
surface = "rock"

[[bodies]]
name = "coin"
shape = "Disk"
radius = 0.1
thickness = 0.01
density = 100
position = [1, 0, 0.2]
surface = "rock"

[[bodies]]
name = "can"
shape = "Cylinder"
radius = 0.1
height = 0.3
mass = 1
inertia = [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]
position = [2, 0, 0.3]
surface = "rock"

[[bodies]]
name = "pill"
shape = "Capsule"
radius = 0.1
height = 0.3
mass = 1
position = [3, 0, 0.3]
surface = "rock"

[[bodies]]
name = "stone"
shape = "Polyhedron"
vertices = [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1], [-0.1, -0.1, -0.1]]
density = 1000
position = [4, 0, 0.3]
surface = "rock"

[[bodies]]
name = "hill"
shape = "HeightField"
heights = [[0, 0.01, 0], [0, 0, 0], [0, 0, 0]]
spacing = [3, 3]
origin = [-1, -3, 0]
fixed = true
surface = "soil"

[[bodies]]
name = "ramp"
shape = "Mesh"
vertices = [[10, 0, 0], [12, 0, 0], [10, 2, 0]]
faces = [[0, 1, 2]]
scale = 1.0
fixed = true
surface = "soil"

[[bodies]]
name = "drum"
shape = "Cylinder"
radius = 0.5
height = 1
position = [20, 0, 0]
motion = {kind = "steady", angular_velocity = [0, 0, 1], velocity = [0, 0, 0], start = 0, end = 1}
surface = "soil"

[[surfaces]]
between = ["rock", "soil"]
law = {name = "Contensou", mu = 0.3, patch_radius = 0.001}
material = {kind = "hertz", young = 1e7, poisson = 0.3, static = 1.1}
rolling_viscosity = 0.1

[[surfaces]]
between = ["rock", "rock"]
law = {name = "SlideRollSpin", mu = 0.3, mu_r = 0.001, mu_s = 0.001}
material = {kind = "hooke", stiffness = 1e5, restitution = 0.5}
restitution = 0.1
stiffness = 1e7

[[emitters]]
shape = "Capsule"
radius = 0.02
height = 0.05
mass = 1
rate = 10
count = 2
start = 0
region = {kind = "box", low = [0, 0, 2], high = [1, 1, 3]}
sizes = {kind = "grading", sizes = [0.8, 1, 1.2], passing = [0, 0.5, 1]}
orientation = [1, 0, 0, 0]
angular_velocity = [0, 0, 1]
surface = "rock"

[[joints]]
kind = "slider"
one = "can"
other = "pill"
position = [2.5, 0, 0.3]
axis = [1, 0, 0]
motor = 0.1
max_force = 10
collide = true

[[joints]]
kind = "distance"
one = "egg"
position = [0, 0, 0.25]
other_position = [0, 0, 1]
"""

NUMBERS = (0, 1, -1, 3, 0.5, 1e-3, 1e-300, 1e300, -1e308, 10**30, float("nan"), float("inf"), float("-inf"), 5e-324)
WORDS = (
    "",
    "rock",
    "ball",
    "Sphere",
    "Polyhedron",
    "exact",
    "history",
    "random",
    "0.1",
    "ß",
    "a:b",
    "os.py:path",
    "\x00",
    "x" * 300,
)
values = st.recursive(
    st.sampled_from(NUMBERS) | st.sampled_from(WORDS) | st.booleans(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(("kind", "name", "ratio", "a")), inner, max_size=2)
    ),
    max_leaves=6,
)


class Enough(Exception):
    """The run has shown that it runs."""


def judge(text: str, steps: int = 3) -> None:
    """The text is refused in trundle's own words, or it is a scene that survives a round trip and runs for some steps."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", TrundleWarning)
        try:
            scene, options = parse_scene(text, name="fuzz.toml")
        except SceneError as error:
            refusal = str(error)
        else:
            refusal = ""
        if refusal:
            assert refusal.startswith("fuzz.toml")
            event("refused when read")
            return
        written = dump_scene(scene, options)
        assert dump_scene(*parse_scene(written)) == written
        if steps == 0:
            return
        done = 0

        def watch(report: object, state: object) -> None:
            nonlocal done
            done += 1
            assert np.all(np.isfinite(state.position[state.present]))
            assert np.all(np.isfinite(state.velocity[state.present]))
            if done == steps:
                raise Enough

        try:
            simulate(scene, **({"duration": 0.002, "time_step": 1e-3} | options), progress=watch)
        except Enough:
            event("runs")
        except TrundleError:
            event("refused by simulate")
        else:
            event("runs")


def text_of(tables: dict[str, object]) -> str:
    return toml_table("", tables)  # lists of tables as inline ones


def paths(item: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """Ways to all values of nested tables and lists."""
    inner = item.items() if isinstance(item, dict) else enumerate(item) if isinstance(item, list) else ()
    return [p for key, part in inner for p in ((*path, key), *paths(part, (*path, key)))]


def spoil(data: st.DataObject, tables: dict[str, object]) -> None:
    """Change one thing: leave out, rename, replace, double."""
    path = data.draw(st.sampled_from(paths(tables)))
    holder = tables
    for key in path[:-1]:
        holder = holder[key]
    key = path[-1]
    kind = data.draw(st.sampled_from(("replace", "replace", "leave out", "rename", "double", "swap")))
    if kind == "replace":
        holder[key] = data.draw(values)
    elif kind == "leave out":
        del holder[key]
    elif kind == "rename" and isinstance(holder, dict):
        word = data.draw(st.sampled_from((f"{key}s", key[:-1], key.upper(), "radius", "mass", "name", "fixed", "")))
        holder[word] = holder.pop(key)
    elif kind == "double" and isinstance(holder, list):
        holder.append(copy.deepcopy(holder[key]))
    elif kind == "swap":
        other = data.draw(st.sampled_from(sorted(holder) if isinstance(holder, dict) else range(len(holder))))
        holder[key], holder[other] = holder[other], holder[key]


BUDGET = settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def test_the_good_scene_is_good():
    scene, options = parse_scene(GOOD)
    assert simulate(scene, **options).time[-1] == pytest.approx(0.002)
    assert tomllib.loads(text_of(tomllib.loads(GOOD))) == tomllib.loads(GOOD)


@BUDGET
@given(data=st.data())
def test_spoiled_values_give_errors_of_trundle_or_runs(data):
    tables = tomllib.loads(GOOD)
    for _ in range(data.draw(st.integers(1, 2))):
        spoil(data, tables)
    try:
        text = text_of(tables)
    except SceneError:
        assume(False)
    judge(text)


@BUDGET
@given(data=st.data())
def test_other_shapes_and_tables_are_as_robust(data):
    tables = tomllib.loads(OTHERS)
    for _ in range(data.draw(st.integers(1, 2))):
        spoil(data, tables)
    try:
        text = text_of(tables)
    except SceneError:
        assume(False)
    judge(text, steps=0)  # running all of these shapes would take minutes to compile


@BUDGET
@given(data=st.data())
def test_spoiled_text_gives_errors_of_trundle_or_runs(data):
    start = data.draw(st.integers(0, len(GOOD) - 1))
    length = data.draw(st.integers(0, 60))
    kind = data.draw(st.sampled_from(("truncate", "cut", "insert", "double line")))
    if kind == "truncate":
        text = GOOD[:start]
    elif kind == "cut":
        text = GOOD[:start] + GOOD[start + length :]
    elif kind == "insert":
        text = GOOD[:start] + data.draw(st.text(string.printable, min_size=1, max_size=5)) + GOOD[start:]
    else:
        lines = GOOD.splitlines()
        i = data.draw(st.integers(0, len(lines) - 1))
        text = "\n".join([*lines[:i], lines[i], *lines[i:]])
    judge(text)
