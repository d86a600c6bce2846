# ruff: noqa: E501  (a bad scene is one line of a table)
"""Bad scenes: each is refused with the place, the value that is wrong and the remedy; none gives a traceback."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import trundle
from trundle import Box, HalfSpace, Scene, Sphere, laws, simulate
from trundle.errors import LawError, SceneError, TrundleError, TrundleWarning
from trundle.scene.files import parse_scene

GOOD = """\
gravity = [0, 0, -9.81]

[simulation]
duration = 0.002
time_step = 1e-3
theta = 0.5
formulation = "exact"
tolerance = 1e-8

[[bodies]]
name = "ball"
shape = "Sphere"
radius = 0.1
density = 2500
position = [0, 0, 0.1]
orientation = [1, 0, 0, 0]
velocity = [0.1, 0, 0]
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
name = "ground"
shape = "HalfSpace"
normal = [0, 0, 1]
fixed = true
surface = "soil"

[[bodies]]
name = "table"
shape = "Box"
size = [0.2, 0.2, 0.1]
position = [5, 5, 5]
motion = {kind = "oscillation", frequency = 2, amplitude = [0.01, 0, 0]}
surface = "soil"

[[grids]]
name = "grain"
shape = "Sphere"
radius = 0.02
density = 2500
count = [2, 2, 2]
spacing = 0.05
first = [2, 2, 0.1]
shift = [0.02, 0, 0]
surface = "rock"

[[surfaces]]
between = ["rock", "soil"]
law = {name = "Rolling", mu = 0.3, mu_r = 0.001}
restitution = 0.2

[[surfaces]]
between = ["rock", "rock"]
law = {name = "SlideRollSpin", mu = 0.3, mu_r = {ratio = 0.01}, mu_s = {ratio = 0.02}}

[[emitters]]
name = "pour"
shape = "Sphere"
radius = 0.02
density = 2500
rate = 10
count = 3
region = {kind = "cylinder", base = [0, 3, 1], radius = 0.3, height = 0.1}
sizes = {kind = "uniform", low = 0.8, high = 1.2}
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
start = 0
end = 1
"""


def run(text: str, folder: object = ".") -> object:
    scene, options = parse_scene(text, name="bad.toml", folder=folder)
    return simulate(scene, **options)


def test_the_good_scene_runs():
    assert run(GOOD).time[-1] == pytest.approx(0.002)


# name: (what is replaced, by what, the line that must be named, what else the message must say); lines: that of the change,
# of the head of its table, or of a key
BAD_FILES = {
    # the text itself
    "truncated in a string": ('surface = "soil"\n\n[[bodies]]\nname = "table"', "surface = \"so", "here", "not TOML|line"),
    "truncated in a list": ("position = [1, 0, 0.05]", "position = [1, 0", "here", "not TOML|every bracket closed"),
    "key twice": ("radius = 0.1\n", "radius = 0.1\nradius = 0.2\n", "here", "not TOML"),
    "text without quotes": ('surface = "rock"', "surface = rock", "here", "not TOML|every string in quotes"),
    "inline table over two lines": ("mu = 0.3, mu_r = 0.001", "mu = 0.3,\n mu_r = 0.001", "here", "on one line"),
    "comma for a point": ("density = 2500", "density = 2500,5", "here", "not TOML"),
    # keys and tables
    "unknown table": ("[[grids]]", "[[grid]]", None, "unknown key 'grid'|Did you mean 'grids'"),
    "one table for a list": ("[[joints]]", "[joints]", "here", "head each of them with [[joints]]"),
    "unknown key of a body": ("radius = 0.1\n", "radus = 0.1\n", "here", "body 'ball'|unknown key 'radus'|radius [m]|Did you mean 'radius'"),
    "unknown key of a surface": ("restitution = 0.2", "restitutoin = 0.2", "here", "Did you mean 'restitution'"),
    "unknown key of a law": ("mu_r = 0.001", "mur = 0.001", "here", "unknown key 'mur'|mu_r [m]|Did you mean 'mu_r'"),
    "unknown key of a region": ("height = 0.1}", "hight = 0.1}", "here", "region: unknown key 'hight'|Did you mean 'height'"),
    "unknown key of a motion": ("frequency = 2", "frequenzy = 2", "here", "motion: unknown key 'frequenzy'|frequency [Hz]"),
    "unknown option": ("tolerance = 1e-8", "tolerence = 1e-8", "here", "Did you mean 'tolerance'"),
    "option at the top": ("gravity = [0, 0, -9.81]", "duration = 3", "here", "key 'duration' belongs to [simulation]"),
    "gravity in the options": ("theta = 0.5", "gravity = [0, 0, -1]", "here", "key 'gravity' belongs to the top of the file"),
    "shape missing": ('shape = "Sphere"\nradius = 0.1\n', "", "table", "shape is missing|Sphere"),
    "radius missing": ("radius = 0.1\n", "", "table", "body 'ball'|radius [m] is missing"),
    "law missing": ('law = {name = "Rolling", mu = 0.3, mu_r = 0.001}\n', "", "table", "law is missing"),
    "coefficient missing": (", mu_r = 0.001}", "}", None, "surfaces 'rock' and 'soil'|mu_r [m] is missing"),
    "rate missing": ("rate = 10\n", "", "table", "rate [1/s] is missing"),
    # values
    "gravity of two numbers": ("gravity = [0, 0, -9.81]", "gravity = [0, -9.81]", "here", "gravity = [0, -9.81]|3 finite numbers [m/s^2]"),
    "absurd gravity": ("gravity = [0, 0, -9.81]", "gravity = [0, 0, -9.81e6]", None, "times that of the Earth|m/s^2"),
    "radius negative": ("radius = 0.1\n", "radius = -0.1\n", "here", "Sphere: radius = -0.1 m must be positive"),
    "radius zero": ("radius = 0.1\n", "radius = 0\n", "here", "radius = 0 m must be positive"),
    "radius not a number": ("radius = 0.1\n", "radius = nan\n", "here", "radius = nan m must be finite"),
    "radius infinite": ("radius = 0.1\n", "radius = inf\n", "here", "radius = inf m must be finite"),
    "radius in quotes": ("radius = 0.1\n", 'radius = "0.1"\n', "here", "radius = '0.1' is not a number [m]"),
    "radius true": ("radius = 0.1\n", "radius = true\n", "here", "radius = True is not a number [m]"),
    "radius a date": ("radius = 0.1\n", "radius = 2024-01-01\n", "here", "is not a number [m]"),
    "radius huge": ("radius = 0.1\n", "radius = 1" + "0" * 400 + "\n", "here", "radius|[m]"),
    "box of two lengths": ("size = [0.2, 0.2, 0.1]\nmass", "size = [0.2, 0.1]\nmass", "here", "size = [0.2, 0.1] must be 3 finite numbers [m]"),
    "box without thickness": ("size = [0.2, 0.2, 0.1]\nmass", "size = [0.2, 0.2, 0]\nmass", "here", "size[2] = 0 m must be positive"),
    "normal without direction": ("normal = [0, 0, 1]", "normal = [0, 0, 0]", "here", "has no direction|(0, 0, 1)"),
    "unknown shape": ('shape = "Sphere"\nradius = 0.1\n', 'shape = "Spere"\nradius = 0.1\n', "here", "unknown shape 'Spere'|Did you mean 'Sphere'"),
    "shape is a number": ('shape = "Sphere"\nradius = 0.1\n', "shape = 7\nradius = 0.1\n", "here", "shape = 7 must be a name in quotes"),
    "density zero": ("density = 2500\nposition", "density = 0\nposition", "here", "density = 0 kg/m^3 must be positive"),
    "density and mass": ("density = 2500\nposition", "density = 2500\nmass = 1\nposition", "table", "give density [kg/m^3] or mass [kg], one"),
    "neither density nor mass": ("density = 2500\nposition", "position", "table", "give density [kg/m^3] or mass [kg]"),
    "mass zero": ("mass = 1.5", "mass = 0", "here", "mass = 0 kg must be positive"),
    "inertia of no body": ("inertia = [0.1, 0.1, 0.1]", "inertia = [0.1, 0.1, 0.3]", "table", "largest at most the sum of the others"),
    "inertia negative": ("inertia = [0.1, 0.1, 0.1]", "inertia = [0.1, 0.1, -0.1]", "table", "must be positive"),
    "inertia of a needle": ("inertia = [0.1, 0.1, 0.1]", "inertia = [0.1, 0.1, 1e-30]", "here", "does not fit its mass of 1.5 kg|Leave it out"),
    "inertia of four numbers": ("inertia = [0.1, 0.1, 0.1]", "inertia = [0.1, 0.1, 0.1, 0.1]", "here", "inertia|[kg m^2]"),
    "position of strings": ("position = [0, 0, 0.1]", 'position = ["0", "0", "0"]', "here", "is not 3 numbers [m]"),
    "position with nan": ("position = [0, 0, 0.1]", "position = [0, 0, nan]", "here", "must be 3 finite numbers [m]"),
    "position ragged": ("position = [0, 0, 0.1]", "position = [0, [0], 0.1]", "here", "is not 3 numbers [m]"),
    "quaternion not of length one": ("orientation = [1, 0, 0, 0]", "orientation = [1, 1, 0, 0]", "here", "has length 1.41421|length 1"),
    "orientation of three angles": ("orientation = [1, 0, 0, 0]", "orientation = [0, 0, 0]", "here", "must be 4 finite numbers"),
    "speed of light": ("velocity = [0.1, 0, 0]", "velocity = [3e8, 0, 0]", "time_step", "time_step|is huge|'ball' would move by"),
    "fixed in quotes": ("fixed = true", 'fixed = "yes"', "here", "fixed = 'yes' must be true or false"),
    "ground that is not fixed": ("fixed = true\n", "mass = 3\n", "table", "body 'ground'|fixed=True"),
    "fixed and with a velocity": ("fixed = true", "fixed = true\nvelocity = [1, 0, 0]", "table", "a fixed body has no velocity|motion"),
    "fixed and with a motion": ("position = [5, 5, 5]", "position = [5, 5, 5]\nfixed = true", "table", "give fixed or motion, not both"),
    "unknown motion": ('kind = "oscillation"', 'kind = "ocsillation"', "here", "unknown kind of motion|Did you mean 'oscillation'"),
    "motion without frequency": ("frequency = 2, ", "", "here", "frequency [Hz] is missing"),
    "motion of frequency zero": ("frequency = 2", "frequency = 0", "here", "frequency = 0 Hz must be positive"),
    "two bodies of one name": ('name = "block"', 'name = "ball"', "table", "body 'ball'|already|names are unique"),
    "name empty": ('name = "block"', 'name = " "', "here", "is not a name"),
    "name a number": ('name = "block"', "name = 5", "here", "name = 5 is not a name"),
    "grid without spacing": ("spacing = 0.05", "spacing = 0", "here", "spacing = 0 m must be positive"),
    "grid of fractions": ("count = [2, 2, 2]", "count = [2, 2, 2.5]", "here", "three whole numbers >= 1"),
    "grid of too many": ("count = [2, 2, 2]", "count = [2000, 2000, 2000]", "here", "8000000000 bodies"),
    "grid that overlaps": ("spacing = 0.05", "spacing = 0.03", None, "'grain.0' and 'grain.1' overlap by 0.01 m|other pairs"),
    # surfaces
    "surface of no body": ('between = ["rock", "soil"]', 'between = ["rock", "soli"]', "here", "no body uses surface 'soli'|Did you mean 'soil'"),
    "one surface alone": ('between = ["rock", "soil"]', 'between = ["rock"]', "here", "names of two surfaces"),
    "pair twice": ('between = ["rock", "rock"]', 'between = ["soil", "rock"]', "table", "there is a table for them already"),
    "unknown law": ('name = "Rolling"', 'name = "Roling"', "here", "unknown law 'Roling'|Did you mean 'Rolling'|Rolling"),
    "law without a name": ('{name = "Rolling", mu', "{mu", "here", 'name = "Coulomb", mu = 0.3'),
    "law as a word": ('law = {name = "Rolling", mu = 0.3, mu_r = 0.001}', 'law = "Rolling"', "here", "must be a table with a name"),
    "friction negative": ("mu = 0.3, mu_r = 0.001", "mu = -0.3, mu_r = 0.001", "here", "Rolling: mu = -0.3|>= 0 [-]"),
    "friction infinite": ("mu = 0.3, mu_r = 0.001", "mu = inf, mu_r = 0.001", "here", "Rolling: mu = inf|finite"),
    "mu_r larger than the body": ("mu_r = 0.001", "mu_r = 0.3", "here", "mu_r = 0.3 m is larger than the radius of 'pour|length [m], not a ratio. Did you mean 0.3 x radius"),
    "ratio of a ratio": ("mu = 0.3, mu_r = {ratio = 0.01}", "mu = {ratio = 0.3}, mu_r = {ratio = 0.01}", "here", "only lengths"),
    "length and ratio": ("mu_s = {ratio = 0.02}", "mu_s = 0.02", "here", "mu_r given as a ratio, but mu_s as a length"),
    "restitution above one": ("restitution = 0.2", "restitution = 1.2", "here", "restitution = 1.2 - must be between 0 and 1"),
    "pair without a law": ('between = ["rock", "rock"]', 'between = ["soil", "soil"]', None, "no law for their surfaces 'rock' and 'rock'|Add scene.surface|between = [\"rock\", \"rock\"]"),
    "axis without a body": ("restitution = 0.2", "axis = [1, 0, 0]", "table", "axis and axis_of belong together"),
    "axis of no body": ("restitution = 0.2", 'axis = [1, 0, 0]\naxis_of = "grund"', "axis_of", "unknown body 'grund'|Did you mean 'ground'"),
    "product of laws on the same rows": ('law = {name = "Rolling", mu = 0.3, mu_r = 0.001}', 'law = [{name = "Coulomb", mu = 1}, {name = "Rolling", mu = 1, mu_r = 0.01}]', None, "rows t1, t2 belong to two factors"),
    "law of ones own without a file": ('name = "Rolling"', 'name = "nowhere.py:Mine"', "here", "there is no file|nowhere.py"),
    "stiffness negative": ("restitution = 0.2", "stiffness = -1", "here", "stiffness[0] = -1 N/m must be positive"),
    # emitters
    "rate zero": ("rate = 10", "rate = 0", "here", "rate = 0 1/s must be positive"),
    "count of a fraction": ("count = 3", "count = 2.5", "here", "count = 2.5 must be a whole number"),
    "count zero": ("count = 3", "count = 0", "here", "count = 0 must be the number of bodies"),
    "count beyond all measure": ("count = 3", "count = 3000000000", "here", "from 1 to 2000000"),
    "seed negative": ("count = 3", "count = 3\nseed = -1", "here", "seed = -1 must be a whole number >= 0"),
    "region unknown": ('kind = "cylinder"', 'kind = "cylindre"', "here", "unknown kind of region|Did you mean 'cylinder'"),
    "region of no size": ("radius = 0.3, height = 0.1}", "radius = 0, height = 0.1}", "here", "radius = 0 m must be positive"),
    "region too small for its bodies": ("radius = 0.3, height = 0.1}", "radius = 0.3, height = 0.03}", None, "emitter 'pour'|height is 0.03 m|0.048 m across|Make it at least"),
    "region inside the ground": ("base = [0, 3, 1]", "base = [0, 3, -1]", "table", "emitter 'pour'|inside body 'ground'|Move the region"),
    "sizes upside down": ("low = 0.8, high = 1.2", "low = 1.2, high = 0.8", "here", "high = 0.8 is below low = 1.2; swap"),
    "sizes below zero": ("low = 0.8", "low = -0.8", "here", "low = -0.8 - must be positive"),
    "emitter without mass": ("density = 2500\nrate", "rate", "table", "give density [kg/m^3] or mass [kg]"),
    "ground poured": ('shape = "Sphere"\nradius = 0.02\ndensity = 2500\nrate', 'shape = "HalfSpace"\ndensity = 2500\nrate', "table", "unbounded and cannot be poured"),
    # joints and loads
    "joint of nobody": ('one = "block"', 'one = "blok"', "here", "unknown body 'blok'|Did you mean 'block'"),
    "joint of unknown kind": ('kind = "hinge"', 'kind = "hing"', "here", "joint 'pin'|unknown kind of joint|Did you mean 'hinge'"),
    "hinge without an axis": ("axis = [0, 0, 1]\nfriction", "friction", "table", "give axis"),
    "joint of the ground": ('one = "block"', 'one = "ground"', "table", "none of its bodies can move"),
    "joint of a body with itself": ('one = "block"', 'one = "block"\nother = "block"', "table", "with itself"),
    "joint of a body to be poured": ('one = "block"', 'one = "pour.1"', "table", "joint 'pin'|poured by the emitter 'pour'"),
    "friction of a joint negative": ("friction = 0.1", "friction = -0.1", "here", "friction = -0.1 N m must be at least 0"),
    "collide in quotes": ("friction = 0.1", 'friction = 0.1\ncollide = "no"', "here", "collide = 'no' must be true or false"),
    "load on nobody": ('body = "ball"', 'body = "bell"', "here", "unknown body 'bell'|Did you mean 'ball'"),
    "load on the ground": ('body = "ball"', 'body = "ground"', "table", "does not feel forces"),
    "load that ends before it starts": ("end = 1", "end = -1", "here", "end = -1 s must be after start = 0 s"),
    "force of a word": ("force = [1, 0, 0]", 'force = "north"', "here", "force = 'north' is not 3 numbers [N]"),
    # options
    "duration zero": ("duration = 0.002", "duration = 0", None, "duration = 0|positive number [s]"),
    "duration of a word": ("duration = 0.002", 'duration = "long"', "here", "duration = 'long' is not a number [s]"),
    "time step longer than the run": ("time_step = 1e-3", "time_step = 1", None, "time_step = 1 s is longer than duration"),
    "huge time step": ("duration = 0.002\ntime_step = 1e-3", "duration = 2\ntime_step = 0.5", "time_step", "time_step = 0.5 s is huge|fall by 2.5 m|Use a smaller one, e.g."),
    "steps without end": ("time_step = 1e-3", "time_step = 1e-12", None, "steps, more than|in seconds"),
    "time step of nothing": ("time_step = 1e-3", "time_step = 1e-30", None, "time_step = 1e-30 s is shorter than"),
    "ball beyond the moon": ("position = [0, 0, 0.1]", "position = [0, 0, 1e12]", "here", "position|is beyond 1e+09 m"),
    "number out of range": ("position = [0, 0, 0.1]", "position = [0, 0, 1e300]", "here", "position|numbers go up to 1e+30"),
    "ball heavier than the sun": ("density = 2500\nposition", "mass = 1e31\nposition", "here", "mass = 1e+31 kg is out of range"),
    "ball lighter than an electron": ("density = 2500\nposition", "mass = 1e-31\nposition", "here", "mass = 1e-31 kg|Change mass"),
    "friction beyond all measure": ("mu = 0.3, mu_r = 0.001", "mu = 1e9, mu_r = 0.001", "here", "mu = 1e+09 is no coefficient"),
    "force of a rocket": ("force = [1, 0, 0]", "force = [1e12, 0, 0]", "table", "load on 'ball'|force of 1e+12 N is huge|check the units"),
    "theta below one half": ("theta = 0.5", "theta = 0.3", None, "theta = 0.3 must lie between 0.5 and 1"),
    "unknown formulation": ('"exact"', '"exakt"', None, "unknown formulation 'exakt'|Did you mean 'exact'"),
    "tolerance negative": ("tolerance = 1e-8", "tolerance = -1", None, "tolerance = -1"),
    # the start
    "ball inside the ground": ("position = [0, 0, 0.1]", "position = [0, 0, 0.05]", None, "'ground' and 'ball' overlap by 0.05 m|Move them apart"),
    "ball inside the block": ("position = [0, 0, 0.1]", "position = [1, 0, 0.12]", None, "'ball' and 'block' overlap|Move them apart"),
}  # fmt: skip


def changed_line(bad: str, kind: str) -> int:
    """Number of the first line that differs from the good scene, of the head of its table, or of a key."""
    lines, good = bad.splitlines(), GOOD.splitlines()
    if kind not in ("here", "table"):
        return next(i for i, line in enumerate(lines) if line.startswith(kind)) + 1
    first = next((i for i, line in enumerate(lines) if i >= len(good) or line != good[i]), len(lines) - 1)
    if kind == "here":
        return first + 1
    return max(i for i in range(first + 1) if lines[i].startswith("[")) + 1


@pytest.mark.parametrize("case", BAD_FILES, ids=lambda case: case.replace(" ", "-"))
def test_bad_file(case):
    old, new, where, says = BAD_FILES[case]
    assert old in GOOD, "the case is about nothing"
    bad = GOOD.replace(old, new, 1)
    if case.startswith("truncated"):
        bad = bad[: bad.index(new) + len(new)]
    with pytest.raises(SceneError) as caught:
        run(bad)
    message = str(caught.value)
    for part in says.split("|"):
        assert part in message, message
    if where is not None:
        assert re.search(rf"^bad\.toml.*line {changed_line(bad, where)}\b", message), message


def test_emitter_inside_a_fixed_box():
    box = 'name = "house"\nshape = "Box"\nsize = [2, 2, 2]\nfixed = true\nposition = [0, 3, 1]\nsurface = "soil"\n'
    with pytest.raises(SceneError, match=r"bad.toml, line 64, .*emitter 'pour': its region is inside body 'house'"):
        run(GOOD + "\n[[bodies]]\n" + box)


def ball(**changes: object) -> Scene:
    """A ball on the ground; changes: of the ball's arguments, or time_step and gravity of nothing else."""
    scene = Scene()
    arguments = {"name": "ball", "density": 2500.0, "position": (0, 0, 0.1), "surface": "rock"} | changes
    scene.add(arguments.pop("shape", Sphere(0.1)), **{k: v for k, v in arguments.items() if v is not None})
    scene.add(HalfSpace(), name="ground", fixed=True, surface="soil")
    scene.surface("rock", "soil", law=laws.Coulomb(mu=0.3))
    return scene


def go(scene: Scene, **options: object) -> object:
    return simulate(scene, **({"duration": 2e-3, "time_step": 1e-3} | options))


def shaken(frequency: float) -> Scene:
    """A ball beside a table that oscillates."""
    scene = ball()
    motion = trundle.Oscillation(frequency=frequency, amplitude=(0.01, 0, 0))
    scene.add(trundle.Box((1, 1, 0.1)), name="table", motion=motion, position=(5, 5, 1), surface="soil")
    return scene


def spoiled(name: str, value: object) -> Scene:
    """A scene in which somebody changed what had been checked."""
    scene = ball()
    setattr(scene.bodies[0], name, value)
    return scene


def two_balls(**changes: object) -> Scene:
    scene = ball()
    scene.add(Sphere(0.1), **({"name": "other", "mass": 1.0, "position": (1, 0, 0.1), "surface": "rock"} | changes))
    return scene


def poured(**changes: object) -> Scene:
    scene = ball()
    scene.surface("rock", "rock", law=laws.Coulomb(mu=0.3))
    region = trundle.BoxRegion((-1, -1, 1), (1, 1, 2))
    scene.emit(
        Sphere(0.1), **({"rate": 10, "count": 2, "density": 1000, "surface": "rock", "region": region} | changes)
    )
    return scene


NAN = float("nan")
BAD_PYTHON = {
    "radius nan": (lambda: Sphere(NAN), "Sphere: radius = nan m must be finite"),
    "radius a word": (lambda: Sphere("big"), "Sphere: radius = 'big' is not a number [m]"),
    "radius None": (lambda: Sphere(None), "Sphere: radius = None is not a number [m]"),
    "box with a scalar": (lambda: Box(0.1), "Box: size = 0.1"),
    "flat polyhedron": (lambda: trundle.Polyhedron([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]), "a body needs a volume"),
    "polyhedron of three points": (lambda: trundle.Polyhedron([(0, 0, 0), (1, 0, 0), (0, 1, 0)]), "at least 4"),
    "clump without radii": (lambda: trundle.Clump([(0, 0, 0), (1, 0, 0)], [1.0]), "2 centres and 1 radii"),
    "mesh without a file": (lambda: trundle.Mesh(file="nowhere.stl"), "nowhere.stl|there is no such file"),
    "mesh of an unknown kind": (lambda: trundle.Mesh(file="ground.doc"), "unknown kind of file|.stl"),
    "mesh of degenerate triangles": (lambda: trundle.Mesh([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 1, 2)]), "degenerate"),
    "mesh naming no vertex": (lambda: trundle.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 3)]), "there are 0 to 2"),
    "heights of a row": (lambda: trundle.HeightField([[0.0, 1.0]], 0.1), "both at least 2"),
    "shape is a number": (lambda: Scene().add(0.1, mass=1), "add: 0.1 is not a shape; give e.g. Sphere(radius=0.1)"),
    "shape is a class": (lambda: Scene().add(Sphere, mass=1), "is not a shape"),
    "mass negative": (lambda: ball(density=None, mass=-1), "body 'ball': mass = -1 kg must be positive"),
    "density infinite": (lambda: ball(density=math.inf), "density = inf kg/m^3 must be finite"),
    "disk by density": (lambda: ball(shape=trundle.Disk(0.1)), "body 'ball'|Give mass [kg]"),
    "position of two": (lambda: ball(position=(0, 0)), "body 'ball': position = (0, 0) must be 3 finite numbers [m]"),
    "velocity nan": (lambda: ball(velocity=(NAN, 0, 0)), "velocity|must be 3 finite numbers [m/s]"),
    "angular velocity a word": (lambda: ball(angular_velocity="fast"), "angular_velocity = 'fast' is not 3 numbers [rad/s]"),
    "quaternion too long": (lambda: ball(orientation=(1, 0, 0, 1)), "has length 1.41421"),
    "quaternion zero": (lambda: ball(orientation=(0, 0, 0, 0)), "has length 0"),
    "surface a number": (lambda: ball(surface=3), "surface = 3 is not a name"),
    "gravity a number": (lambda: Scene(gravity=-9.81), "gravity = -9.81 must be 3 finite numbers [m/s^2]"),
    "gravity nan": (lambda: Scene(gravity=(0, 0, NAN)), "must be 3 finite numbers [m/s^2]"),
    "law is a number": (lambda: Scene().surface("a", "b", law=0.3), "law = 0.3 is not a contact law; see trundle.laws"),
    "mass of a fixed body": (lambda: ball(density=None, mass=3.0, fixed=True), "body 'ball': mass = 3.0 would have no effect|Leave mass out"),
    "oscillation faster than the time step": (lambda: go(shaken(300.0)), "body 'table', motion: frequency = 300 Hz has 3.3 time steps|at least 10. Use time_step <= 0.00033 s"),
    "oscillation of nothing": (lambda: trundle.Oscillation(frequency=3.0), "neither amplitude [m] nor rotation [rad] is given"),
    "steady and still": (lambda: trundle.Steady(), "neither velocity nor angular_velocity is given"),
    "steady that ends first": (lambda: trundle.Steady(velocity=(1, 0, 0), start=2, end=1), "it ends at 1 s, before it starts at 2 s"),
    "truth among numbers": (lambda: ball(position=(0, 0, True)), "position = (0, 0, True) is not 3 numbers [m]"),
    "density of a prescribed body": (lambda: ball(motion=trundle.Steady(velocity=(1, 0, 0))), "density|would have no effect: nothing pushes a prescribed body"),
    "inertia of a fixed body": (lambda: ball(density=None, inertia=(1, 1, 1), fixed=True), "inertia = (1, 1, 1) would have no effect"),
    "law is a class": (lambda: Scene().surface("a", "b", law=laws.Coulomb), "is not a contact law"),
    "law with arrays": (lambda: Scene().surface("a", "b", law=laws.Coulomb(mu=[0.1, 0.2])), "numbers, not arrays"),
    "law of a joint": (lambda: Scene().surface("a", "b", law=laws.Bounded(limit=1)), "is not a contact law"),
    "coefficient nan": (lambda: laws.Coulomb(mu=NAN), "Coulomb: mu = nan"),
    "restitution negative": (lambda: Scene().surface("a", "b", law=laws.Coulomb(mu=1), restitution=-0.1), "restitution = -0.1"),
    "motion a number": (lambda: ball(density=None, motion=3), "motion = 3 is not a motion; give Steady"),
    "motion of one vector": (lambda: ball(density=None, motion=lambda t: (t, 0, 0)), "must return (velocity, angular_velocity)"),
    "motion table backwards": (lambda: trundle.Table([1, 0]), "increasing times [s]"),
    "empty scene": (lambda: go(Scene()), "no bodies|scene.add"),
    "surface of no body": (lambda: (s := ball(), s.surface("rock", "sand", law=laws.Coulomb(mu=1)), go(s)), "no body uses surface 'sand'"),
    "missing law": (lambda: go(two_balls()), "'ball' and 'other' can meet|no law for their surfaces 'rock' and 'rock'|scene.surface('rock', 'rock', law=...)"),
    "overlap": (lambda: (s := two_balls(position=(0.15, 0, 0.1)), s.surface("rock", "rock", law=laws.Coulomb(mu=1)), go(s)), "'ball' and 'other' overlap by 0.05 m at the start"),
    "concentric": (lambda: (s := two_balls(position=(0, 0, 0.1)), s.surface("rock", "rock", law=laws.Coulomb(mu=1)), go(s)), "'ball' and 'other' overlap by 0.2 m"),
    "mu_r larger than the body": (lambda: (s := ball(), s.surface("rock", "soil", law=laws.Rolling(mu=1, mu_r=0.3)), go(s)), "surfaces 'rock' and 'soil': mu_r = 0.3 m is larger than the radius of 'ball' (0.1 m)|Did you mean 0.3 x radius = 0.03?"),
    "mu_s larger than the body": (lambda: (s := ball(), s.surface("rock", "soil", law=laws.Coulomb(mu=1) * laws.Spin(mu_s=0.3)), go(s)), "mu_s = 0.3 m is larger"),
    "position spoiled": (lambda: go(spoiled("position", np.array([0, 0, NAN]))), "body 'ball': position|must be finite"),
    "orientation spoiled": (lambda: go(spoiled("orientation", np.array([2.0, 0, 0, 0]))), "body 'ball': orientation|length 1"),
    "mass spoiled": (lambda: go(spoiled("mass", NAN)), "body 'ball': mass = nan kg must be positive"),
    "huge step by falling": (lambda: go(ball(), duration=2.0, time_step=0.2), "time_step = 0.2 s is huge|'ball' would fall by 0.39 m|radius (0.1 m)"),
    "huge step by flying": (lambda: go(ball(velocity=(2000, 0, 0))), "time_step = 0.001 s is huge|'ball' would move by 2 m"),
    "time step a word": (lambda: go(ball(), time_step="small"), "time_step = 'small' must be a positive number [s]"),
    "time step nan": (lambda: go(ball(), time_step=NAN), "time_step = nan"),
    "duration negative": (lambda: go(ball(), duration=-1), "duration = -1"),
    "steps without end": (lambda: go(ball(), duration=1e9, time_step=1e-9), "takes 1e+18 steps"),
    "every zero": (lambda: go(ball(), every=0), "every = 0 must be a whole number >= 1"),
    "formulation unknown": (lambda: go(ball(), formulation="soft"), "unknown formulation 'soft'"),
    "joint of nobody": (lambda: ball().joint("ball", "bell", position=(0, 0, 0)), "unknown body 'bell'|Did you mean 'ball'"),
    "joint of a list": (lambda: ball().joint("ball", ["ball"], position=(0, 0, 0)), "unknown body"),
    "distance of nothing": (lambda: two_balls(position=(0, 0, 0.1)).joint("distance", "ball", "other"), "its two points coincide"),
    "load with nan": (lambda: ball().load("ball", force=(0, NAN, 0)), "load on 'ball'|must be 3 finite numbers [N]"),
    "load in an unknown frame": (lambda: ball().load("ball", frame="earth"), "unknown frame 'earth'"),
    "rate negative": (lambda: poured(rate=-1), "rate = -1 1/s must be positive"),
    "region is a box shape": (lambda: poured(region=Box((1, 1, 1))), "is not a region; give BoxRegion or CylinderRegion"),
    "region upside down": (lambda: trundle.BoxRegion((0, 0, 1), (1, 1, 0)), "along z; swap them"),
    "region too narrow": (lambda: poured(region=trundle.BoxRegion((0, 0, 1), (1, 0.1, 2))), "width along y is 0.1 m, but its bodies are up to 0.2 m"),
    "region below the ground": (lambda: go(poured(region=trundle.BoxRegion((0, 0, -2), (1, 1, -1)))), "inside body 'ground'"),
    "sizes a number": (lambda: poured(sizes=2.0), "sizes = 2.0 is not one of Uniform, Normal, Choice and Grading"),
    "normal sizes below zero": (lambda: trundle.Normal(1.0, 0.6), "are not sizes"),
    "grading that does not end": (lambda: trundle.Grading((1, 2), (0, 0.9)), "must begin with 0 and end with 1"),
    "choice without weight": (lambda: trundle.Choice((1, 2), (0, 0)), "one of them positive"),
    "orientation of an emitter": (lambda: poured(orientation="any"), "must be 'random' or a quaternion"),
    "two emitters of one name": (lambda: (s := poured(name="e"), s.emit(Sphere(1), rate=1, count=1, mass=1, name="e", region=trundle.BoxRegion((0, 0, 0), (9, 9, 9)))), "emitter of this name already"),
    "grid of nothing": (lambda: trundle.grid((0, 1, 1), 0.1), "three whole numbers >= 1"),
    "file that is not there": (lambda: trundle.load_scene("nowhere/pile.toml"), "nowhere/pile.toml: there is no such file"),
    "file that is a folder": (lambda: trundle.load_scene("/"), "cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_PYTHON, ids=lambda case: case.replace(" ", "-"))
def test_bad_python(case):
    make, says = BAD_PYTHON[case]
    with pytest.raises((SceneError, LawError)) as caught:
        make()
    for part in says.split("|"):
        assert part in str(caught.value), str(caught.value)


def test_there_are_many_bad_scenes():
    assert len(BAD_FILES) + len(BAD_PYTHON) >= 150


def test_file_that_is_no_text(tmp_path):
    file = tmp_path / "pile.toml"
    file.write_bytes(b"\x89HDF\r\n\x1a\n")
    with pytest.raises(SceneError, match="pile.toml: byte 0 is not text"):
        trundle.load_scene(file)


def test_misspelt_file_name_lists_those_that_are_there(tmp_path):
    (tmp_path / "pile.toml").write_text(GOOD)
    with pytest.raises(SceneError, match=r"there is no such file. Scene files in that folder: pile.toml"):
        trundle.load_scene(tmp_path / "pike.toml")


def test_a_law_that_replaces_another_one_is_told(recwarn):
    scene = Scene()
    scene.surface("a", "b", law=laws.Coulomb(mu=0.3))
    scene.surface("b", "a", law=laws.Coulomb(mu=0.3))
    assert not recwarn.list  # the same again
    with pytest.warns(
        trundle.TrundleWarning, match=r"surfaces 'a' and 'b': Coulomb\(mu=0.5\) .* replaces .* Coulomb\(mu=0.3\)"
    ):
        scene.surface("a", "b", law=laws.Coulomb(mu=0.5))
    assert scene.pairs["a", "b"].law.mu == 0.5


def test_unreadable_mesh_is_named_with_the_line_of_the_scene(tmp_path):
    (tmp_path / "rock.stl").write_bytes(b"solid rock\nthis is no mesh\n")
    text = GOOD.replace('shape = "HalfSpace"\nnormal = [0, 0, 1]', 'shape = "Mesh"\nfile = "rock.stl"')
    with pytest.raises(SceneError, match=r"bad.toml, line 32, \[\[bodies\]\]: Mesh: file = .*rock.stl"):
        run(text, tmp_path)


def test_all_that_is_wrong_at_the_start_is_told_together():
    scene = two_balls()
    scene.surface("rock", "soil", law=laws.Rolling(mu=0.1, mu_r=5))
    with pytest.raises(SceneError) as caught:
        go(scene, duration=2.0, time_step=0.5)
    assert str(caught.value).startswith("the scene has 3 errors:\n- ")


@pytest.mark.parametrize(
    "scene, time_step, says",
    [
        (lambda: Scene(gravity=(0, 0, -5000)), 1e-4, "times that of the Earth"),
        (lambda: ball(velocity=(200, 0, 0)), 1e-3, "'ball' moves 2 times its radius within a time step"),
        (lambda: ball(shape=Box((0.2, 0.2, 0.2)), angular_velocity=(0, 0, 2e3)), 1e-3, "'ball' turns by 2 rad within"),
    ],
)
def test_the_unusual_is_remarked_but_allowed(scene, time_step, says):
    made = scene()
    if not made.bodies:
        made.add(Sphere(0.1), name="ball", mass=1.0)
    with pytest.warns(TrundleWarning, match=says):
        go(made, time_step=time_step)


def test_every_error_is_one_of_trundle():
    assert issubclass(SceneError, TrundleError)
    assert issubclass(LawError, TrundleError)


@pytest.mark.parametrize("kind", ["fixed", "hinge", "ball"])
def test_overlapping_bodies_that_a_joint_keeps_together_need_no_law(kind):
    scene = trundle.Scene()
    scene.add(trundle.Box((0.2, 0.2, 0.2)), name="handle", mass=1.0, surface="wood")
    scene.add(trundle.Box((0.3, 0.1, 0.1)), name="head", mass=2.0, position=(0.1, 0, 0), surface="steel")
    axis = {"axis": (0, 0, 1)} if kind == "hinge" else {}
    for name in ("bolt", "glue"):  # two joints between the same bodies are still one pair of bodies
        scene.joint(kind, "handle", "head", name=name, position=(0.05, 0, 0), **axis)
    run = trundle.simulate(scene, 0.02, 1e-3)
    apart = run.position("head")[-1] - run.position("handle")[-1]
    assert apart == pytest.approx((0.1, 0, 0), abs=1e-9)  # they fall together, nothing pushes them apart
    # a third body meets one of them: now a law is missing, and the two that are joined are not the example
    scene.add(trundle.Sphere(0.1), name="nail", mass=1.0, position=(3, 0, 0), surface="steel")
    with pytest.raises(trundle.SceneError) as error:
        trundle.simulate(scene, 0.02, 1e-3)
    assert "'handle' and 'nail'" in str(error.value)
    assert "'head' and 'nail'" in str(error.value)
    assert "'handle' and 'head'" not in str(error.value)
