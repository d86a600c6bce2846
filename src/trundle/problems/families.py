"""Scenes that contact problems are taken from: six families and their collapses, of any size and law.

A family is a function of a random generator, the number of contacts to aim at, and the kind of law; it gives a `Setting`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trundle import laws
from trundle.scene import Box, Capsule, Cylinder, Ellipsoid, HalfSpace, HeightField, Polyhedron, Scene, Sphere
from trundle.scene.shapes import Shape

Array = NDArray[np.float64]
Random = np.random.Generator
LAWS = ("sliding", "rolling", "spinning")
GRAVITY, DENSITY = 9.81, 2500.0  # [m/s^2], [kg/m^3]
GRAIN = 0.02  # [m] radius of grains


@dataclass(frozen=True)
class Setting:
    """A scene, the time step of its run [s], and the times [s] at which its contact problems are taken."""

    scene: Scene
    time_step: float
    times: tuple[float, ...]


def make_law(random: Random, kind: str, radius: float) -> laws.Law:
    """A law of a kind; mu from 0.1 to 1, mu_r up to the radius [m], mu_s up to half of it, a quarter of them the largest."""
    largest = random.random() < 0.25
    mu = 1.0 if largest else float(np.exp(random.uniform(np.log(0.1), 0.0)))
    mu_r = radius * (1.0 if largest else float(np.exp(random.uniform(np.log(1e-3), 0.0))))
    mu_s = 0.5 * radius * float(np.exp(random.uniform(np.log(1e-2), 0.0)))
    if kind == "sliding":
        return laws.Coulomb(mu=mu)
    return laws.Rolling(mu=mu, mu_r=mu_r) if kind == "rolling" else laws.SlideRollSpin(mu=mu, mu_r=mu_r, mu_s=mu_s)


def _scene(law: laws.Law, gravity: tuple[float, float, float] = (0.0, 0.0, -GRAVITY)) -> Scene:
    scene = Scene(gravity=gravity)
    scene.surface("stone", "stone", law=law)
    return scene


def _wall(scene: Scene, normal: tuple[float, float, float], offset: float = 0.0) -> None:
    scene.add(HalfSpace(normal=normal, offset=offset), fixed=True, surface="stone")


def _turned(random: Random) -> tuple[float, ...]:
    q = random.normal(size=4)
    return tuple((q / np.linalg.norm(q)).tolist())


def _stone(random: Random, radius: float) -> Polyhedron:
    """A random polyhedron with twelve vertices on a sphere."""
    corners = random.normal(size=(12, 3))
    return Polyhedron(vertices=corners * (radius / np.linalg.norm(corners, axis=1))[:, None])


def _loose(random: Random, n: int, spacing: float, columns: tuple[int, int]) -> Iterator[Array]:
    """Places of n bodies in a loose grid above (0, 0, 0), every second layer shifted [m]."""
    across = columns[0] * columns[1]
    for i in range(n):
        layer, rest = divmod(i, across)
        x, y = rest % columns[0] - (columns[0] - 1) / 2, rest // columns[0] - (columns[1] - 1) / 2
        shift = 0.15 * (layer % 2)
        place = np.array([x + shift, y + shift, 0.6 + layer])
        yield spacing * (place + random.uniform(-0.04, 0.04, 3))


def _box_of(random: Random, n: int, spacing: float, law: laws.Law, shape: Callable[[], Shape]) -> Scene:
    """n bodies dropped into a box of walls."""
    columns = max(2, round((n / 1.5) ** (1 / 3)))
    scene = _scene(law)
    for place in _loose(random, n, spacing, (columns, columns)):
        scene.add(shape(), density=DENSITY, position=place, orientation=_turned(random), surface="stone")
    _wall(scene, (0.0, 0.0, 1.0))
    for normal in ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0)):
        _wall(scene, normal, -spacing * (columns / 2 + 0.2))
    return scene


def _fall(layers: float, spacing: float) -> float:
    """Time [s] in which a number of loose layers has come down, about."""
    return 0.1 + math.sqrt(2.0 * (0.6 + 0.45 * layers) * spacing / GRAVITY)


def _four(first: float, last: float) -> tuple[float, ...]:
    """Four times [s]."""
    return tuple(np.linspace(first, last, 4).tolist())


# --- families ----------------------------------------------------------------------------------------------------


def pile(random: Random, contacts: int, kind: str) -> Setting:
    """Spheres of several sizes, dropped into a box."""
    n = max(8, round(contacts / 2.4))
    spread = random.uniform(0.0, 0.4)

    def shape() -> Shape:
        return Sphere(radius=GRAIN * (1.0 - spread * random.random()))

    scene = _box_of(random, n, 2.6 * GRAIN, make_law(random, kind, GRAIN), shape)
    fallen = _fall((n / 1.5) ** (1 / 3), 2.6 * GRAIN)
    return Setting(scene, 4e-3, _four(0.6 * fallen, 2.0 * fallen))


def soup(random: Random, contacts: int, kind: str) -> Setting:
    """Spheres, boxes, capsules, cylinders and ellipsoids, dropped into a box."""
    n, r = max(8, round(contacts / 3.2)), GRAIN

    def shape() -> Shape:
        size = r * random.uniform(0.8, 1.1)
        made: tuple[Callable[[], Shape], ...] = (
            lambda: Sphere(radius=size),
            lambda: Box(size=(2.2 * size, 1.8 * size, 1.2 * size)),
            lambda: Capsule(radius=0.6 * size, height=1.4 * size),
            lambda: Cylinder(radius=0.9 * size, height=1.4 * size),
            lambda: Ellipsoid(semi_axes=(1.2 * size, size, 0.7 * size)),
        )
        return made[random.integers(len(made))]()

    scene = _box_of(random, n, 3.3 * r, make_law(random, kind, r), shape)
    fallen = _fall((n / 1.5) ** (1 / 3), 3.3 * r)
    return Setting(scene, 4e-3, _four(0.6 * fallen, 2.0 * fallen))


def chute(random: Random, contacts: int, kind: str) -> Setting:
    """Polyhedra that run down a chute between two walls and heap up at its gate."""
    n, radius = max(4, round(contacts / 6.0)), 1.2 * GRAIN
    tilt = math.radians(random.uniform(25.0, 40.0))
    scene = _scene(make_law(random, kind, radius), (GRAVITY * math.sin(tilt), 0.0, -GRAVITY * math.cos(tilt)))
    across = max(2, round((n / 4) ** (1 / 3)))
    along = 3 * across
    spacing = 2.4 * radius
    for place in _loose(random, n, spacing, (along, across)):
        scene.add(
            _stone(random, radius * random.uniform(0.7, 1.0)), density=DENSITY, position=place, orientation=_turned(random),
            velocity=(0.3, 0.0, 0.0), surface="stone",
        )  # fmt: skip
    _wall(scene, (0.0, 0.0, 1.0))
    _wall(scene, (-1.0, 0.0, 0.0), -spacing * (0.5 * along + 2.0))
    for y in (1.0, -1.0):
        _wall(scene, (0.0, y, 0.0), -spacing * (0.5 * across + 0.3))
    fallen = _fall(n / (along * across), spacing)
    return Setting(scene, 4e-3, _four(0.7 * fallen, 0.7 * fallen + 0.5))


def masonry(random: Random, contacts: int, kind: str) -> Setting:
    """A dry arch or a wall of bricks, under its weight on tilted ground."""
    tilt, turn = math.radians(random.uniform(0.0, 20.0)), random.uniform(0.0, 2.0 * math.pi)
    down = (math.sin(tilt) * math.cos(turn), math.sin(tilt) * math.sin(turn), -math.cos(tilt))
    size = 0.25
    scene = _scene(make_law(random, kind, 0.05), tuple(GRAVITY * x for x in down))  # type: ignore[arg-type]
    if random.random() < 0.5 and contacts < 1_500:
        _arches(random, scene, contacts, size)
    else:
        _bricks(scene, contacts, size)
    _wall(scene, (0.0, 0.0, 1.0))
    return Setting(scene, 4e-3, (0.004, 0.04, 0.12, 0.24))


def _bricks(scene: Scene, contacts: int, size: float) -> None:
    """A wall with running bond, twice as long as it is high; about nine contacts per brick."""
    courses = max(2, round(math.sqrt(contacts / 9.5)))
    brick = Box(size=(size, 0.5 * size, 0.4 * size))
    for level in range(courses):
        for i in range(courses):
            x = size * 1.002 * (i + 0.5 * (level % 2))
            scene.add(brick, density=DENSITY, position=(x, 0.0, 0.4 * size * (level + 0.5)), surface="stone")


def _arches(random: Random, scene: Scene, contacts: int, size: float) -> None:
    """Half circles of voussoirs behind each other, each with four contacts per joint."""
    stones = int(random.integers(5, 26))
    count = max(1, round(contacts / (4.0 * (stones + 1))))
    inner = size * max(1.0, stones / 6.0)
    for k in range(count):
        for i in range(stones):
            corners = [
                (-r * math.cos(a), y, r * math.sin(a))
                for r in (inner, inner + 0.5 * size)
                for a in (math.pi * i / stones, math.pi * (i + 1) / stones)
                for y in (k * 1.5 * size, (k * 1.5 + 0.8) * size)
            ]
            middle = np.mean(corners, axis=0)
            shape = Polyhedron(vertices=np.array(corners) - middle)
            scene.add(shape, density=DENSITY, position=middle + shape.centroid, surface="stone")


def rockfall(random: Random, contacts: int, kind: str) -> Setting:
    """Blocks of up to a metre that roll down rough slopes into a valley."""
    n, radius = max(7, round(contacts / 4.2)), 0.6
    half = 4.0 + 1.1 * math.sqrt(n)
    spacing = half / 12.0
    axis = np.linspace(-half, half, 25)
    x, y = np.meshgrid(axis, axis, indexing="ij")
    heights = (
        0.5 * np.abs(x) ** 1.5 / math.sqrt(half) + 0.2 * y**2 / half + random.uniform(-0.1, 0.1, x.shape) * spacing
    )
    scene = _scene(make_law(random, kind, radius))
    ground = HeightField(heights=heights, spacing=spacing, origin=(-half, -half, 0.0))
    scene.add(ground, fixed=True, surface="stone")
    columns = max(2, round((n / 2) ** 0.5))
    for place in _loose(random, n, 2.3 * radius, (columns, columns)):
        slope = 0.5 * abs(place[0]) ** 1.5 / math.sqrt(half) + 0.2 * place[1] ** 2 / half
        place[2] += slope + 0.3 * spacing
        scene.add(
            _stone(random, radius * random.uniform(0.6, 1.0)), density=DENSITY, position=place, orientation=_turned(random),
            velocity=(-1.5 * np.sign(place[0]), 0.0, -1.0), surface="stone",
        )  # fmt: skip
    return Setting(scene, 8e-3, _four(0.4, 1.6))


def bearing(random: Random, contacts: int, kind: str) -> Setting:
    """Thrust bearings: storeys of balls between plates that turn; large ones are several stacks under one plate."""
    balls = int(np.clip(round(math.sqrt(contacts / 4.0)), 5, 50))
    storeys = int(np.clip(round(contacts / (2.0 * balls)), 1, 8))
    stacks = max(1, round(contacts / (2.0 * balls * storeys)))
    r = 0.5 * GRAIN
    scene = _scene(make_law(random, kind, r))
    _wall(scene, (0.0, 0.0, 1.0))
    rings = 2.3 * r * np.sqrt(np.arange(balls) + 3.0)  # a sunflower: equal room for each
    angles = math.pi * (3.0 - math.sqrt(5.0)) * np.arange(balls)
    reach, spin = float(rings[-1]) + 2.0 * r, random.uniform(0.5, 5.0)
    side = math.ceil(math.sqrt(stacks))
    middles = [(2.2 * reach * (i % side), 2.2 * reach * (i // side)) for i in range(stacks)]
    for storey in range(storeys):
        z = 4.0 * r * storey
        for x, y in middles:
            for ring, angle in zip(rings, angles + storey, strict=True):
                place = x + ring * math.cos(angle), y + ring * math.sin(angle), z + r
                scene.add(Sphere(radius=r), density=7800.0, position=place, surface="stone")
        common = storey == storeys - 1
        turning = (0.0, 0.0, spin / stacks if common else spin * (storey + 1) / storeys)
        for x, y in [tuple(np.mean(middles, axis=0))] if common else middles:
            half = 1.1 * reach * side if common else reach
            plate = Box(size=(2.0 * half, 2.0 * half, 2.0 * r))
            scene.add(plate, density=7800.0, position=(x, y, z + 3.0 * r), angular_velocity=turning, surface="stone")
    weight = scene.bodies[-1].mass * GRAVITY
    push = random.uniform(-0.2, 0.2) * weight
    scene.load(scene.bodies[-1].name, force=(push, 0.0, -abs(push)), point=(0.3 * reach, 0.0, 0.0))
    return Setting(scene, 2e-3, (0.002, 0.04, 0.1, 0.2))


def collapse(random: Random, contacts: int, kind: str) -> Setting:
    """The middle of a collapse: a column of spheres that spreads, or a wall that a ball breaks through."""
    if random.random() < 0.5:
        return _column(random, contacts, kind)
    scene = _scene(make_law(random, kind, 0.05))
    size = 0.25
    _bricks(scene, contacts, size)
    _wall(scene, (0.0, 0.0, 1.0))
    height = 0.4 * size * max(2, round(math.sqrt(contacts / 9.5)))
    middle = np.array([b.position for b in scene.bodies if not b.fixed]).mean(axis=0)
    radius = max(0.2 * height, 0.3 * size)
    ball = (middle[0], -radius - 0.3 * size, max(0.6 * height, 1.05 * radius))
    scene.add(Sphere(radius=radius), density=7800.0, position=ball, velocity=(0.0, 6.0, 0.0), surface="stone")
    begin, fall = 0.05 * size, math.sqrt(2.0 * height / GRAVITY)
    return Setting(scene, 4e-3, _four(begin + 0.3 * fall, begin + 0.9 * fall))


def _column(random: Random, contacts: int, kind: str) -> Setting:
    """A column twice as high as wide, whose walls are gone at the start."""
    n = max(12, round(contacts / 2.2))
    columns = max(2, round((n / 2) ** (1 / 3)))
    scene, step = _scene(make_law(random, kind, GRAIN)), 2.02 * GRAIN
    for i in range(n):
        layer, rest = divmod(i, columns * columns)
        shift = 0.5 * (layer % 2)
        place = np.array([rest % columns + shift, rest // columns + shift, 0.7071 * layer + 0.5]) * step
        place += random.uniform(-0.004, 0.004, 3) * GRAIN
        scene.add(Sphere(radius=GRAIN), density=DENSITY, position=place, surface="stone")
    _wall(scene, (0.0, 0.0, 1.0))
    fall = math.sqrt(2.0 * 0.7071 * step * n / columns**2 / GRAVITY)
    return Setting(scene, 4e-3, _four(0.5 * fall, 1.4 * fall))


FAMILIES: dict[str, Callable[[Random, int, str], Setting]] = {
    "pile": pile, "soup": soup, "chute": chute, "masonry": masonry, "rockfall": rockfall, "bearing": bearing,
    "collapse": collapse,
}  # fmt: skip
