"""Small scenes with everything in them that a run can remember: what killed runs, resumed runs and repeated runs are tried on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import trundle
from trundle import laws

H = 2e-3
DURATION = 0.4


def ground(law: Any = None, floor: Any = None, **surface: Any) -> trundle.Scene:
    scene = trundle.Scene()
    scene.add(floor or trundle.HalfSpace(), name="ground", fixed=True, surface="rock")
    scene.surface("rock", "rock", law=law or laws.SlideRollSpin(mu=0.5, mu_r=1e-3, mu_s=1e-3), **surface)
    return scene


def heap(law: Any = None, shape: Any = None, floor: Any = None, **surface: Any) -> trundle.Scene:
    """A few bodies in the air, over a floor."""
    scene = ground(law, floor, **surface)
    for i in range(6):
        where = (0.12 * (i % 2), 0.12 * (i // 2 % 2), 0.1 + 0.13 * (i // 4))
        scene.add(shape or trundle.Sphere(0.05), name=f"b{i}", density=2500.0, position=where, surface="rock")
    return scene


def poured() -> trundle.Scene:
    scene = heap()
    region = trundle.BoxRegion(low=(-0.5, -0.5, 0.6), high=(0.5, 0.5, 0.9))
    scene.emit(
        trundle.Sphere(0.05), rate=100.0, count=20, region=region, density=2500.0, surface="rock", name="drops", seed=3
    )
    return scene


def jointed() -> trundle.Scene:
    scene = heap()
    scene.joint("ball", "b0", "b1", position=(0.06, 0.0, 0.1), name="pin")
    return scene


def elastic() -> trundle.Scene:
    return heap(material=trundle.Hooke(stiffness=1e5, damping=10.0))


def compound() -> trundle.Scene:
    dumb_bell = trundle.Compound(
        [(trundle.Sphere(0.03), (0.03, 0, 0)), (trundle.Box((0.04, 0.03, 0.03)), (-0.02, 0, 0))]
    )
    return heap(shape=dumb_bell)


def machine() -> trundle.Scene:
    """A hinge with a limit and a servo, a slider and a spring, driven by a motor."""
    scene = heap()
    scene.ignore("b0", "b1")
    scene.joint(
        "hinge",
        "b0",
        "b1",
        position=(0.06, 0, 0.1),
        axis=(0, 1, 0),
        limits=(-0.1, 0.1),
        restitution=0.5,
        stiffness=2.0,
        name="hinge",
    )
    scene.joint(
        "spring",
        "b2",
        "b3",
        position=(0, 0.12, 0.1),
        other_position=(0.12, 0.12, 0.1),
        stiffness=50.0,
        damping=0.1,
        target=0.08,
        name="spring",
    )
    scene.joint("slider", "b4", position=(0, 0, 0.23), axis=(0, 0, 1), limits=(-0.05, 0.02), name="slider")
    scene.joint("hinge", "b5", position=(0.12, 0, 0.23), axis=(0, 1, 0), motor=3.0, max_force=0.5, name="wheel")
    return scene  # fmt: skip


def flat() -> trundle.Scene:
    """Cylinders that stand, slide and turn on flat faces."""
    scene = ground(laws.FlatPatch(mu=0.3))
    for i in range(3):
        scene.add(
            trundle.Cylinder(0.05, 0.04), name=f"c{i}", density=2500.0, position=(0.3 * i, 0, 0.02), surface="rock",
            velocity=(0.5, 0.1 * i, 0), angular_velocity=(0, 0, 5.0 * i),
        )  # fmt: skip
    return scene


def terrain() -> trundle.Scene:
    """Polyhedra on a rough height field with two soils."""
    x = np.arange(6)
    field = trundle.HeightField(
        heights=0.02 * ((x[:, None] + 2 * x[None, :]) % 3), spacing=0.2, origin=(-0.4, -0.4, 0.0),
        zones=np.arange(25) % 2, soils=["rock", "mud"], roughness={"tilt": 0.1, "size": 0.1},
    )  # fmt: skip
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * (0.05, 0.04, 0.03)
    scene = heap(floor=field, shape=trundle.Polyhedron(corners), restitution=0.3)
    scene.surface("rock", "mud", law=laws.Coulomb(mu=0.9))
    return scene


def many() -> trundle.Scene:
    """Grains enough for their own storage and for threads."""
    scene = ground()
    for i, where in enumerate(trundle.grid((6, 6, 4), 0.11, first=(0, 0, 0.06), jitter=0.004, seed=2)):
        scene.add(trundle.Sphere(0.05), name=f"g{i}", density=2500.0, position=where, surface="rock")
    return scene


def cradle() -> trundle.Scene:
    """Several impacts within a step."""
    return heap(restitution=0.8)


Case = tuple[Callable[[], trundle.Scene], dict[str, Any]]
CASES: dict[str, Case] = {
    "exact": (heap, {}),
    "relaxed": (heap, {"formulation": "relaxed"}),
    "compliant": (lambda: heap(stiffness=1e5), {"formulation": "compliant"}),
    "history": (elastic, {"formulation": "history", "every": 2}),
    "emitter": (poured, {"every": 3}),
    "joints": (jointed, {"every": 2}),
    "midpoint": (heap, {"scheme": "moreau-midpoint"}),
    "compounds": (compound, {}),
    "springs and limits": (machine, {"every": 2}),
    "flat patches": (flat, {}),
    "terrain": (terrain, {"every": 2}),
    "impacts": (cradle, {"impact": "sequential"}),
    "auto": (heap, {"time_step": "auto", "accuracy": 1e-3, "frames_per_second": 100.0}),
    "grains": (many, {"theta": 1.0}),
    "threads": (many, {"theta": 1.0, "threads": 2}),
}  # fmt: skip


def run(name: str, record: Any = None, **changes: Any) -> trundle.Run:
    """Simulate a case."""
    build, options = CASES[name]
    given = {"time_step": H, "duration": DURATION, "progress": False, **options, **changes}
    return trundle.simulate(build(), given.pop("duration"), given.pop("time_step"), record=record, **given)
