"""Piles of bodies of one shape, dropped into a box of walls, timed, beside other engines on the same scene."""

from __future__ import annotations

import importlib
import importlib.util
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SolverError, unknown
from trundle.laws import SlideRollSpin
from trundle.run.loop import make_stepper
from trundle.run.options import check_options
from trundle.scene import Box, Capsule, Clump, Ellipsoid, HalfSpace, Polyhedron, Scene, Sphere
from trundle.scene.model import build_model
from trundle.step.report import StepRows

Array = NDArray[np.float64]
SPACING, DENSITY = 0.07, 2500.0  # [m], [kg/m^3]
RADIUS, BOX, VERTEX_RADIUS, CAPSULE, AXES = 0.02, (0.05, 0.04, 0.03), 0.024, (0.012, 0.03), (0.025, 0.02, 0.015)
CENTRES, BALL = ((-0.01, 0.0, 0.0), (0.01, 0.0, 0.0), (0.0, 0.01, 0.0)), 0.014
MU, LENGTH = 0.5, 1e-4  # sliding [-], rolling and spinning [m]
ITERATIONS = 50  # of PyBullet
REST = 0.25  # share of the run, at its end, that counts as rest

SHAPES: dict[str, Callable[[Array], Any]] = {
    "sphere": lambda corners: Sphere(radius=RADIUS),
    "box": lambda corners: Box(size=BOX),
    "polyhedron": lambda corners: Polyhedron(vertices=corners),
    "capsule": lambda corners: Capsule(radius=CAPSULE[0], height=CAPSULE[1]),
    "ellipsoid": lambda corners: Ellipsoid(semi_axes=AXES),
    "clump": lambda corners: Clump(centres=CENTRES, radii=[BALL] * 3),
}


@dataclass(frozen=True)
class ShapesScene:
    """n bodies of a kind in a loose grid of columns above a box of walls, turned at random."""

    kind: str
    n: int = 250
    seed: int = 1

    def __post_init__(self) -> None:
        if self.kind not in SHAPES:
            raise SolverError(unknown("kind of shape", self.kind, list(SHAPES)))

    @property
    def columns(self) -> int:
        """Bodies along an edge of a layer."""
        return max(1, round((self.n / 2) ** (1 / 3)))

    @property
    def walls(self) -> tuple[tuple[tuple[int, int, int], float], ...]:
        """Normals and offsets [m] of the floor and the four walls."""
        edge = SPACING * self.columns / 2 + 0.01
        sides = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))
        return ((0, 0, 1), 0.0), *((side, -edge) for side in sides)

    def bodies(self) -> list[tuple[Array, Array, Array]]:
        """Positions [m], quaternions (w, x, y, z), and the corners of polyhedra [m]."""
        rng, m, found = np.random.default_rng(self.seed), self.columns, []
        for i in range(self.n):
            layer, rest = divmod(i, m * m)
            q = rng.normal(size=4)
            x, y = ((k - (m - 1) / 2) * SPACING + 0.003 * rng.uniform(-1, 1) for k in (rest % m, rest // m))
            corners = rng.normal(size=(12, 3))
            corners *= VERTEX_RADIUS / np.linalg.norm(corners, axis=1)[:, None]
            found.append((np.array([x, y, 0.05 + SPACING * layer]), q / np.linalg.norm(q), corners))
        return found

    def build(self) -> Scene:
        """The scene for trundle."""
        scene, law = Scene(), SlideRollSpin(mu=MU, mu_r=LENGTH, mu_s=LENGTH)
        for i, (normal, offset) in enumerate(self.walls):
            scene.add(HalfSpace(normal=normal, offset=offset), name=f"wall {i}", fixed=True, surface="wall")
        for i, (x, q, corners) in enumerate(self.bodies()):
            shape = SHAPES[self.kind](corners)
            scene.add(shape, name=f"body {i}", density=DENSITY, position=x, orientation=tuple(q), surface="grain")
        scene.surface("grain", "grain", law=law)
        scene.surface("grain", "wall", law=law)
        return scene


def run_shapes(
    scene: ShapesScene, duration: float, time_step: float, tolerance: float, progress: Callable[[float], object] = lambda t: None
) -> dict[str, Any]:  # fmt: skip
    """Time a pile of trundle: CPU seconds per simulated second over the fall and at rest, and how well it was solved.

    A first run is not counted: it compiles what the second one needs.
    """
    steps = round(duration / time_step)
    rest = max(1, round(REST * steps))
    _fall(scene, time_step, 1e-2, steps // 2, steps, progress=lambda t: None)
    rows, cpu, at_rest = _fall(scene, time_step, tolerance, steps, steps - rest, progress)
    return {
        "kind": scene.kind, "engine": "trundle", "cpu_per_simulated_second": cpu / (steps * time_step),
        "cpu_at_rest": at_rest / (rest * time_step), "contacts": int(rows["contacts"][-1]),
        "residual_max": float(rows["residual"].max()), "missed": int((~rows["converged"]).sum()),
        "overlap_max": float(rows["overlap"].max()), "sweeps_per_step": float(rows["iterations"].mean()),
    }  # fmt: skip


def _fall(
    scene: ShapesScene, time_step: float, tolerance: float, steps: int, rest_from: int, progress: Callable[[float], object]
) -> tuple[StepRows, float, float]:  # fmt: skip
    """Rows of the steps, and CPU seconds in all and from a step on."""
    model, state = build_model(scene.build())
    options = check_options(scene.build(), steps * time_step, time_step, theta=1.0, tolerance=tolerance)
    stepper, rows = make_stepper(model, options), []
    begun, done, at_rest = time.process_time(), 0, 0.0
    while done < steps:
        if done == rest_from:
            at_rest = time.process_time()
        goal = rest_from if done < rest_from else steps
        rows.append(stepper.advance_all(state, time_step, min(20, goal - done, steps - done)))
        done += len(rows[-1])
        progress(state.time)
    ended = time.process_time()
    return np.concatenate(rows), ended - begun, ended - at_rest


# --- others ----------------------------------------------------------------------------------------------------


def _pybullet(p: Any, scene: ShapesScene, time_step: float) -> tuple[Callable[[], object], Callable[[], int]] | None:
    """50 iterations, maximal coordinates; friction is the product of both bodies', the walls' is 1."""
    shapes = {
        "sphere": lambda v: p.createCollisionShape(p.GEOM_SPHERE, radius=RADIUS),
        "box": lambda v: p.createCollisionShape(p.GEOM_BOX, halfExtents=[x / 2 for x in BOX]),
        "polyhedron": lambda v: p.createCollisionShape(p.GEOM_MESH, vertices=v.tolist()),
        "capsule": lambda v: p.createCollisionShape(p.GEOM_CAPSULE, radius=CAPSULE[0], height=CAPSULE[1]),
    }
    if scene.kind not in shapes:
        return None
    client = p.connect(p.DIRECT)
    p.setGravity(0, 0, -9.81)
    p.setPhysicsEngineParameter(fixedTimeStep=time_step, numSolverIterations=ITERATIONS, numSubSteps=1)
    for normal, offset in scene.walls:
        plane = p.createCollisionShape(p.GEOM_PLANE, planeNormal=normal)
        body = p.createMultiBody(0, plane, basePosition=[offset * x for x in normal])
        p.changeDynamics(body, -1, lateralFriction=1.0, rollingFriction=LENGTH, spinningFriction=LENGTH)
    for x, q, corners in scene.bodies():
        place = {"basePosition": x, "baseOrientation": [*q[1:], q[0]], "useMaximalCoordinates": 1}
        body = p.createMultiBody(0.1, shapes[scene.kind](corners), **place)
        p.changeDynamics(body, -1, lateralFriction=MU, rollingFriction=LENGTH, spinningFriction=LENGTH)
    return p.stepSimulation, lambda: len(p.getContactPoints(physicsClientId=client) or ())


def _mujoco(mujoco: Any, scene: ShapesScene, time_step: float) -> tuple[Callable[[], object], Callable[[], int]] | None:
    """Newton's solver, elliptic cones with rolling and spinning friction (condim 6)."""
    numbers = " ".join
    geoms = {
        "sphere": f'type="sphere" size="{RADIUS}"',
        "box": f'type="box" size="{numbers(str(x / 2) for x in BOX)}"',
        "capsule": f'type="capsule" size="{CAPSULE[0]} {CAPSULE[1] / 2}"',
        "ellipsoid": f'type="ellipsoid" size="{numbers(map(str, AXES))}"',
    }
    if scene.kind == "clump":
        return None
    common = f'density="{DENSITY}" condim="6" friction="{MU} {LENGTH} {LENGTH}"'
    assets, bodies = [], []
    for i, (x, q, corners) in enumerate(scene.bodies()):
        shape = geoms.get(scene.kind, f'type="mesh" mesh="m{i}"')
        if scene.kind == "polyhedron":
            assets.append(f'<mesh name="m{i}" vertex="{numbers(f"{c:.9f}" for c in corners.ravel())}"/>')
        place = f'pos="{numbers(map(str, x))}" quat="{numbers(map(str, q))}"'
        bodies.append(f"<body {place}><freejoint/><geom {shape} {common}/></body>")
    walls = []
    for normal, offset in scene.walls:
        at = numbers(str(offset * x) for x in normal)
        walls.append(f'<geom type="plane" size="5 5 1" pos="{at}" zaxis="{numbers(map(str, normal))}" condim="6" '
                     f'friction="{MU} {LENGTH} {LENGTH}"/>')  # fmt: skip
    text = (
        f'<mujoco><option timestep="{time_step}" solver="Newton" cone="elliptic" gravity="0 0 -9.81"/><size memory="2G"/>'
        f"<asset>{''.join(assets)}</asset><worldbody>{''.join(walls)}{''.join(bodies)}</worldbody></mujoco>"
    )
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    return lambda: mujoco.mj_step(model, data), lambda: int(data.ncon)


RIVALS = {"pybullet": _pybullet, "mujoco": _mujoco}


def shapes_of(engine: str, scene: ShapesScene, duration: float, time_step: float, budget: float) -> dict[str, Any]:
    """The same pile with another engine; one that needs more than `budget` CPU seconds is stopped."""
    if engine not in RIVALS:
        raise SolverError(unknown("engine", engine, list(RIVALS)))
    row: dict[str, Any] = {"kind": scene.kind, "engine": engine}
    if importlib.util.find_spec(engine) is None:
        return {**row, "skipped": f"not installed: pip install {engine}"}
    prepared = RIVALS[engine](importlib.import_module(engine), scene, time_step)
    if prepared is None:
        return {**row, "skipped": "it has no such shape"}
    step, contacts = prepared
    steps = round(duration / time_step)
    rest = max(1, round(REST * steps))
    begun, at_rest, done = time.process_time(), 0.0, 0
    for k in range(steps):
        if k == steps - rest:
            at_rest = time.process_time()
        step()
        done = k + 1
        if time.process_time() - begun > budget:
            break
    cpu, finished = time.process_time(), done == steps
    return {
        **row, "finished": finished, "cpu_per_simulated_second": (cpu - begun) / (done * time_step),
        "cpu_at_rest": (cpu - at_rest) / (rest * time_step) if finished else None, "contacts": contacts(),
        "residual_max": None, "missed": None, "overlap_max": None,
    }  # fmt: skip
