"""Piles of bodies of one shape, dropped into a box of walls, timed, beside other engines on the same scene."""

from __future__ import annotations

import importlib
import importlib.util
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from trundle.detect.contacts import Detector
from trundle.errors import SolverError, unknown
from trundle.laws import SlideRollSpin
from trundle.run.loop import make_stepper
from trundle.run.options import check_options
from trundle.scene import Box, Capsule, Clump, Ellipsoid, HalfSpace, Polyhedron, Scene, Sphere
from trundle.scene.model import Model, build_model
from trundle.step.stepper import Stepper

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Placed = tuple[Array, Array, Array]
SPACING, DENSITY = 0.07, 2500.0  # [m], [kg/m^3]
RADIUS, BOX, VERTEX_RADIUS, CAPSULE, AXES = 0.02, (0.05, 0.04, 0.03), 0.024, (0.012, 0.03), (0.025, 0.02, 0.015)
CENTRES, BALL = ((-0.01, 0.0, 0.0), (0.01, 0.0, 0.0), (0.0, 0.01, 0.0)), 0.014
MU, LENGTH = 0.5, 1e-4  # sliding [-], rolling and spinning [m]
ITERATIONS = 50  # of PyBullet
SETTLE, REST = (
    1.0,
    0.25,
)  # of the duration of the fall: how long piles settle after it, and how long they are timed at rest then

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

    @cached_property
    def bodies(self) -> list[Placed]:
        """Positions [m], quaternions (w, x, y, z), and the corners of polyhedra [m].  No two bodies overlap."""
        found, rng = self._drawn(), np.random.default_rng([self.seed, 1])
        while len(pairs := self._overlapping(found)):
            for i in np.unique(pairs[:, 1]):
                q = rng.normal(size=4)
                found[i] = found[i][0], q / np.linalg.norm(q), found[i][2]
        return found

    def _drawn(self) -> list[Placed]:
        """Bodies turned at random: long ones may overlap."""
        rng, m, found = np.random.default_rng(self.seed), self.columns, []
        for i in range(self.n):
            layer, rest = divmod(i, m * m)
            q = rng.normal(size=4)
            x, y = ((k - (m - 1) / 2) * SPACING + 0.003 * rng.uniform(-1, 1) for k in (rest % m, rest // m))
            corners = rng.normal(size=(12, 3))
            corners *= VERTEX_RADIUS / np.linalg.norm(corners, axis=1)[:, None]
            found.append((np.array([x, y, 0.05 + SPACING * layer]), q / np.linalg.norm(q), corners))
        return found

    def _overlapping(self, bodies: list[Placed]) -> Ints:
        """Pairs of bodies (n, 2) that overlap."""
        model, state = build_model(self._with(bodies))
        contacts = Detector(model).detect(state, 0.0)
        return contacts.body[contacts.gap < 0.0] - len(self.walls)

    def build(self) -> Scene:
        """The scene for trundle."""
        return self._with(self.bodies)

    def _with(self, bodies: list[Placed]) -> Scene:
        scene, law = Scene(), SlideRollSpin(mu=MU, mu_r=LENGTH, mu_s=LENGTH)
        for i, (normal, offset) in enumerate(self.walls):
            scene.add(HalfSpace(normal=normal, offset=offset), name=f"wall {i}", fixed=True, surface="wall")
        for i, (x, q, corners) in enumerate(bodies):
            shape = SHAPES[self.kind](corners)
            scene.add(shape, name=f"body {i}", density=DENSITY, position=x, orientation=tuple(q), surface="grain")
        scene.surface("grain", "grain", law=law)
        scene.surface("grain", "wall", law=law)
        return scene


def run_shapes(
    scene: ShapesScene, duration: float, time_step: float, tolerance: float, progress: Callable[[float], object] = lambda t: None
) -> dict[str, Any]:  # fmt: skip
    """Time a pile of trundle: CPU seconds per simulated second over the fall and at rest, and how well it was solved.

    The fall is the first `duration` seconds; then bodies settle as long again, untimed, and are timed at rest.
    A first run is not counted: it compiles what the second one needs.  All on one thread.
    """
    fall, settle, rest = _phases(duration, time_step)
    numba.set_num_threads(1)  # as the other engines have
    model, state = build_model(scene.build())
    _stepper(scene, model, time_step, 1e-2).advance_all(state, time_step, fall // 2)
    model, state = build_model(scene.build())
    stepper, rows, cpu = _stepper(scene, model, time_step, tolerance), [], []
    for steps in (fall, settle, rest):
        begun, done = time.process_time(), 0
        while done < steps:
            rows.append(stepper.advance_all(state, time_step, min(20, steps - done)))
            done += len(rows[-1])
            progress(state.time)
        cpu.append((time.process_time() - begun) / (steps * time_step))
    table = np.concatenate(rows)
    return {
        "kind": scene.kind, "engine": "trundle", "cpu_per_simulated_second": cpu[0], "cpu_at_rest": cpu[2],
        "contacts": int(table["contacts"][-1]), "residual_max": float(table["residual"].max()),
        "missed": int((~table["converged"]).sum()), "overlap_max": float(table["overlap"].max()),
    }  # fmt: skip


def _phases(duration: float, time_step: float) -> tuple[int, int, int]:
    """Steps of the fall, of settling, and at rest."""
    fall = round(duration / time_step)
    return fall, round(SETTLE * fall), max(1, round(REST * fall))


def _stepper(scene: ShapesScene, model: Model, time_step: float, tolerance: float) -> Stepper:
    return make_stepper(model, check_options(scene.build(), 1.0, time_step, theta=1.0, tolerance=tolerance))


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
    if p.isConnected():  # calls go to the first world, which would hold the bodies of the last kind, too
        p.disconnect()
    p.connect(p.DIRECT)
    p.setGravity(0, 0, -9.81)
    p.setPhysicsEngineParameter(fixedTimeStep=time_step, numSolverIterations=ITERATIONS, numSubSteps=1)
    for normal, offset in scene.walls:
        plane = p.createCollisionShape(p.GEOM_PLANE, planeNormal=normal)
        body = p.createMultiBody(0, plane, basePosition=[offset * x for x in normal])
        p.changeDynamics(body, -1, lateralFriction=1.0, rollingFriction=LENGTH, spinningFriction=LENGTH)
    for x, q, corners in scene.bodies:
        place = {"basePosition": x, "baseOrientation": [*q[1:], q[0]], "useMaximalCoordinates": 1}
        body = p.createMultiBody(0.1, shapes[scene.kind](corners), **place)
        p.changeDynamics(body, -1, lateralFriction=MU, rollingFriction=LENGTH, spinningFriction=LENGTH)
    return p.stepSimulation, lambda: len(p.getContactPoints() or ())


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
    for i, (x, q, corners) in enumerate(scene.bodies):
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
    keys = "cpu_per_simulated_second", "cpu_at_rest", "contacts", "residual_max", "missed", "overlap_max"
    row: dict[str, Any] = {"kind": scene.kind, "engine": engine, **dict.fromkeys(keys)}
    if importlib.util.find_spec(engine) is None:
        return {**row, "skipped": f"not installed: pip install {engine}"}
    prepared = RIVALS[engine](importlib.import_module(engine), scene, time_step)
    if prepared is None:
        return {**row, "skipped": "it has no such shape"}
    step, contacts = prepared
    begun, cpu = time.process_time(), []
    for count in _phases(duration, time_step):
        from_here, done = time.process_time(), 0
        while done < count and time.process_time() - begun < budget:
            step()
            done += 1
        if done:
            cpu.append((time.process_time() - from_here) / (done * time_step))
    return {
        **row, "cpu_per_simulated_second": cpu[0], "cpu_at_rest": cpu[2] if len(cpu) == 3 else None,
        "contacts": contacts(),
    }  # fmt: skip
