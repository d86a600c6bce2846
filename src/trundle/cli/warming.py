"""`trundle warm`: compile kernels before they are needed, several at a time."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

import trundle
from trundle.cli import terminal
from trundle.errors import SceneError, TrundleWarning, unknown
from trundle.kernel_cache import user_folder

SHAPES: dict[str, Callable[[], Any]] = {
    "sphere": lambda: trundle.Sphere(radius=0.1),
    "box": lambda: trundle.Box(size=(0.2, 0.15, 0.1)),
    "polyhedron": lambda: trundle.Polyhedron(vertices=[(0.1, 0, 0), (-0.1, 0.1, 0), (-0.1, -0.1, 0), (0, 0, 0.1), (0, 0, -0.1)]),
    "capsule": lambda: trundle.Capsule(radius=0.05, height=0.1),
    "ellipsoid": lambda: trundle.Ellipsoid(semi_axes=(0.12, 0.1, 0.08)),
    "cylinder": lambda: trundle.Cylinder(radius=0.1, height=0.1),
    "disk": lambda: trundle.Disk(radius=0.1),
    "cone": lambda: trundle.Cone(radius=0.1, height=0.1),
    "compound": lambda: trundle.Compound([trundle.Box((0.2, 0.05, 0.05)), (trundle.Cylinder(0.02, 0.1), (0, 0, 0.07))]),
    "clump": lambda: trundle.Clump(centres=[(-0.04, 0, 0), (0.04, 0, 0)], radii=[0.06, 0.06]),
}  # fmt: skip


def _heap(shape: str, count: int = 3, ground: Any = None, law: Any = None, **surface: Any) -> trundle.Scene:
    """Bodies that soon lie on the ground, the last of three on the first one."""
    scene = trundle.Scene()
    scene.add(ground or trundle.HalfSpace(), name="ground", fixed=True, surface="ground")
    for i in range(count):
        place = (0.26 * (i % 10) + 0.3, 0.26 * (i // 10) + 0.3, 0.13) if i != 2 or count > 3 else (0.32, 0.3, 0.4)
        scene.add(SHAPES[shape](), name=f"b{i}", mass=1.0, position=place, velocity=(0, 0, -2.0), surface="body")
    # two laws, so that what is compiled for each of them is
    scene.surface("body", "ground", law=law or trundle.laws.Rolling(mu=0.5, mu_r=1e-3), **surface)
    scene.surface("body", "body", law=law or trundle.laws.SlideRollSpin(mu=0.5, mu_r=1e-3, mu_s=1e-3), **surface)
    return scene


def _terrain(shape: str) -> trundle.Scene:
    return _heap(shape, ground=trundle.HeightField(heights=[[0.0] * 5] * 5, spacing=1.0))


def _mesh(shape: str) -> trundle.Scene:
    corners = [(0, 0, 0), (4, 0, 0), (4, 4, 0), (0, 4, 0)]
    return _heap(shape, ground=trundle.Mesh(vertices=corners, faces=[(0, 1, 2), (0, 2, 3)]))


def _bowl() -> trundle.Scene:
    scene = trundle.Scene()
    scene.add(trundle.SphereInside(radius=0.5), name="bowl", fixed=True)
    scene.add(trundle.Sphere(radius=0.1), name="ball", mass=1.0, position=(0.0, 0.1, -0.35))
    scene.add(trundle.Ellipsoid(semi_axes=(0.06, 0.05, 0.04)), name="egg", mass=1.0, position=(0.1, -0.1, -0.35))
    scene.surface("default", "default", law=trundle.laws.Rolling(mu=0.5, mu_r=1e-3))
    return scene


def _emitter() -> trundle.Scene:
    scene = _heap("sphere")
    region = trundle.BoxRegion((0.7, 0.7, 0.8), (1.3, 1.3, 1.2))
    scene.emit(trundle.Sphere(radius=0.05), rate=200.0, count=20, region=region, density=1000.0, surface="body")
    return scene


def _machine() -> trundle.Scene:
    scene = _heap("box")
    scene.joint("hinge", "b0", "b1", position=(0.43, 0.3, 0.13), axis=(0, 1, 0), motor=1.0, max_force=5.0)
    return scene


def _wall() -> trundle.Scene:
    """A pile in a corner, which sweeps alone do not solve to the last digits."""
    scene = _heap("sphere", 80)
    scene.add(trundle.HalfSpace(normal=(1, 0, 0)), name="wall", fixed=True, surface="ground")
    for k in range(20):
        scene.add(
            trundle.Sphere(radius=0.1), name=f"upper{k}", mass=1.0, surface="body",
            position=(0.25 * (k % 5) + 0.43, 0.25 * (k // 5) + 0.43, 0.34), velocity=(0, 0, -2.0),
        )  # fmt: skip
    return scene


# what is compiled: a scene, and options of simulate
SCENES: dict[str, tuple[Callable[[], trundle.Scene], dict[str, Any]]] = {
    **{shape: (lambda shape=shape: _heap(shape), {}) for shape in SHAPES},  # type: ignore[misc]
    "terrain": (lambda: _terrain("polyhedron"), {}),
    "mesh": (lambda: _mesh("polyhedron"), {}),
    "bowl": (_bowl, {}),
    "machine": (_machine, {}),
    "emitter": (_emitter, {}),
    "pile": (lambda: _heap("sphere", 100), {"theta": 1.0}),
    "tight-pile": (_wall, {"theta": 1.0, "tolerance": 1e-12}),
    "tight-boxes": (lambda: _heap("box", 30), {"theta": 1.0, "tolerance": 1e-14}),
    "relaxed": (lambda: _heap("box"), {"formulation": "relaxed"}),
    "laws": (lambda: _heap("sphere", law=trundle.laws.Contensou(mu=0.3, patch_radius=0.01)), {}),
    "bounce": (lambda: _heap("sphere", restitution=0.5), {}),
    "history": (lambda: _heap("sphere", material=trundle.Hooke(stiffness=1e4)), {"formulation": "history"}),
}


def _compile(name: str) -> tuple[str, float]:
    """Compile what a scene needs, by steps until its bodies lie on each other; CPU seconds that it took."""
    build, options = SCENES[name]
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrundleWarning)  # of runs that nobody looks at
        trundle.simulate(build(), 0.2, 5e-3, **options).contacts(-1)
    return name, time.process_time() - begun


def warm(names: list[str], workers: int) -> None:
    """Compile what some kinds of scenes need."""
    for name in names:
        if name not in SCENES:
            raise SceneError(unknown("kind of scene", name, list(SCENES)))
    chosen = names or list(SCENES)
    begun = time.perf_counter()
    count = min(workers or os.cpu_count() or 1, len(chosen))
    with terminal.Activity(len(chosen)) as activity:
        activity.say(f"compiling for {len(chosen)} kinds of scenes, {count} at a time")
        with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
            for done, future in enumerate(as_completed([pool.submit(_compile, name) for name in chosen]), start=1):
                name, cpu = future.result()
                activity.say(f"{done} of {len(chosen)}: {name}, {cpu:.0f} CPU s")
    folder = user_folder()
    terminal.say(f"compiled for {', '.join(chosen)} in {time.perf_counter() - begun:.0f} s; kept in {folder}")
