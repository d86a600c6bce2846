"""Other engines on the same scenes, as far as they are installed: small adapters, each honest about what it cannot do."""

from __future__ import annotations

import importlib
import importlib.util
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from trundle.bench import siconos_scenes
from trundle.bench.pile import REST, PileScene
from trundle.bench.sphere import SphereScene
from trundle.bench.with_siconos import python_with_siconos
from trundle.errors import SolverError, unknown


@dataclass(frozen=True)
class Rival:
    """An engine: the module it is imported from, how to install it, what differs, and its runs."""

    name: str
    module: str
    install: str
    note: str
    pile: Callable[[Any, PileScene, float], _Run]
    sphere: Callable[[Any, SphereScene, float], _Run]
    most: int | None = None  # bodies that it can take

    @property
    def installed(self) -> bool:
        """Whether it can be imported, Siconos by another interpreter."""
        if self.name == "siconos":
            return python_with_siconos() is not None
        return importlib.util.find_spec(self.module) is not None

    def load(self) -> Any:
        """Its module, or None if it runs elsewhere."""
        return None if self.name == "siconos" else importlib.import_module(self.module)


@dataclass
class _Run:
    """A run that an adapter has prepared: `step` advances it by one time step, or raises EOFError if its time is up."""

    step: Callable[[], object]
    positions: Callable[[], np.ndarray]
    velocities: Callable[[], np.ndarray]
    cpu: Callable[[], float] = time.process_time
    allow: Callable[[float], object] = lambda _: None  # CPU seconds in all, for one that runs elsewhere
    close: Callable[[], object] = lambda: None


def rivals_named(text: str) -> list[Rival]:
    """From a list such as "mujoco,pybullet"; a name that is not known is an error."""
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in RIVALS:
            raise SolverError(unknown("engine", name, list(RIVALS)))
    return [RIVALS[name] for name in names]


def pile_of(rival: Rival, scene: PileScene, duration: float, time_step: float, budget: float) -> dict[str, Any]:
    """CPU per simulated second of the same pile, over the fall and at rest.

    An engine that needs more than `budget` CPU seconds is stopped, and what it needed until then is told as such.
    """
    if rival.most is not None and scene.n > rival.most:
        return {"engine": rival.name, "skipped": f"{rival.note}; at most {rival.most:,} spheres"}
    run = rival.pile(rival.load(), scene, time_step)
    run.allow(budget)
    steps = round(duration / time_step)
    rest = max(1, round(min(REST, duration / 4.0) / time_step))
    begun, at_rest, done = run.cpu(), 0.0, 0
    for k in range(steps):
        if k == steps - rest:
            at_rest = run.cpu()
        try:
            run.step()
        except EOFError:
            break
        done = k + 1
        if run.cpu() - begun > budget:
            break
    cpu, finished = run.cpu(), done == steps
    positions, velocities = run.positions(), run.velocities()
    run.close()
    if not done:
        return {"engine": rival.name, "skipped": f"{rival.note}; no step within {budget:g} s of CPU time"}
    return {
        "engine": rival.name, "note": rival.note, "finished": finished, "simulated": done * time_step,
        "cpu_per_simulated_second": (cpu - begun) / (done * time_step),
        "cpu_at_rest": (cpu - at_rest) / (rest * time_step) if finished else None,
        "penetration_mean": _penetration(scene, positions),
        "kinetic_energy": 0.5 * scene.mass * float(np.sum(velocities**2)),
    }  # fmt: skip


def sphere_of(rival: Rival, scene: SphereScene, duration: float, time_step: float) -> dict[str, Any]:
    """Stop distance of the same sphere."""
    run = rival.sphere(rival.load(), scene, time_step)
    steps, begun = round(duration / time_step), run.cpu()
    for _ in range(steps):
        run.step()
    cpu, distance = run.cpu() - begun, float(run.positions()[0, 0])
    speed = float(abs(run.velocities()[0, 0]))
    run.close()
    return {
        "engine": rival.name, "note": rival.note, "stop_distance": distance,
        "error": distance / scene.stop_distance - 1.0, "final_speed": speed, "cpu_per_simulated_second": cpu / duration,
    }  # fmt: skip


def _penetration(scene: PileScene, position: np.ndarray) -> float:
    """Mean overlap [diameters] of the pairs that touch (within 1e-3 diameters)."""
    from scipy.spatial import cKDTree

    d = scene.diameter
    pairs = cKDTree(position).query_pairs(1.001 * d, output_type="ndarray")
    if not len(pairs):
        return 0.0
    gap = np.linalg.norm(position[pairs[:, 0]] - position[pairs[:, 1]], axis=1) - d
    return float(np.mean(np.maximum(-gap, 0.0))) / d


# --- MuJoCo -----------------------------------------------------------------------------------------


def _mujoco(mujoco: Any, xml: str) -> _Run:
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    count = model.nbody - 1
    mujoco.mj_forward(model, data)  # places the bodies
    return _Run(
        lambda: mujoco.mj_step(model, data),
        lambda: np.array(data.xpos[1:]),
        lambda: np.array(data.qvel).reshape(count, 6)[:, :3],
    )


def _mujoco_xml(bodies: str, planes: str, gravity: float, time_step: float, friction: str) -> str:
    return f"""<mujoco><option timestep="{time_step}" gravity="0 0 {-gravity}" cone="elliptic" solver="CG"/>
      <size memory="2G"/><default><geom condim="6" friction="{friction}"/></default>
      <worldbody>{planes}{bodies}</worldbody></mujoco>"""


def _mujoco_pile(mujoco: Any, scene: PileScene, time_step: float) -> _Run:
    ball = f'<geom type="sphere" size="{scene.diameter / 2}" density="{scene.density}"/>'
    bodies = "".join(f'<body pos="{x:.9g} {y:.9g} {z:.9g}"><freejoint/>{ball}</body>' for x, y, z in scene.positions())
    planes = ""
    for normal, offset in scene.walls():
        at = np.array(normal) * offset
        planes += (
            f'<geom type="plane" size="0 0 1" pos="{at[0]} {at[1]} {at[2]}" '
            f'zaxis="{normal[0]} {normal[1]} {normal[2]}"/>'
        )
    friction = f"{scene.mu} {scene.mu_s} {scene.mu_r}"
    return _mujoco(mujoco, _mujoco_xml(bodies, planes, scene.gravity, time_step, friction))


def _mujoco_sphere(mujoco: Any, scene: SphereScene, time_step: float) -> _Run:
    ball = f'<geom type="sphere" size="{scene.radius}" density="{scene.density}"/>'
    body = f'<body pos="0 0 {scene.radius}"><freejoint/>{ball}</body>'
    xml = _mujoco_xml(body, '<geom type="plane" size="0 0 1"/>', scene.gravity, time_step, f"{scene.mu} 0 {scene.mu_r}")
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    data.qvel[0], data.qvel[4] = scene.speed, scene.spin
    return _Run(
        lambda: mujoco.mj_step(model, data),
        lambda: np.array(data.xpos[1:]),
        lambda: np.array(data.qvel).reshape(1, 6)[:, :3],
    )


# --- Bullet -----------------------------------------------------------------------------------------

# Rigid bodies instead of trees of joints without joints: far faster, but their rolling friction is too weak (a rolling sphere
# goes 155 % too far).  So piles, where speed is the question, have them, and the sphere has not.
RIGID = {"useMaximalCoordinates": True}


def _bullet_world(bullet: Any, gravity: float, time_step: float) -> None:
    if bullet.isConnected():
        bullet.disconnect()
    bullet.connect(bullet.DIRECT)
    bullet.setGravity(0, 0, -gravity)
    bullet.setPhysicsEngineParameter(fixedTimeStep=time_step, numSolverIterations=50, numSubSteps=0)


def _bullet_run(bullet: Any, bodies: list[int]) -> _Run:
    return _Run(
        bullet.stepSimulation,
        lambda: np.array([bullet.getBasePositionAndOrientation(b)[0] for b in bodies]),
        lambda: np.array([bullet.getBaseVelocity(b)[0] for b in bodies]),
    )


def _bullet_friction(bullet: Any, body: int, mu: float, mu_r: float, mu_s: float) -> None:
    # a contact of two bodies has mu = mu_a mu_b, and mu_r = mu_r,a mu_b + mu_r,b mu_a; mu_s alike
    bullet.changeDynamics(
        body, -1, lateralFriction=mu, rollingFriction=mu_r, spinningFriction=mu_s, linearDamping=0.0,
        angularDamping=0.0, restitution=0.0,
    )  # fmt: skip


def _bullet_pile(bullet: Any, scene: PileScene, time_step: float) -> _Run:
    _bullet_world(bullet, scene.gravity, time_step)
    root = float(np.sqrt(scene.mu))
    friction = root, 0.5 * scene.mu_r / root, 0.5 * scene.mu_s / root  # of both bodies of a contact
    ball = bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=scene.diameter / 2)
    for normal, offset in scene.walls():
        plane = bullet.createCollisionShape(bullet.GEOM_PLANE, planeNormal=normal)
        at = [n * offset for n in normal]
        _bullet_friction(bullet, bullet.createMultiBody(0, plane, basePosition=at, **RIGID), *friction)
    bodies = []
    for x in scene.positions():
        body = bullet.createMultiBody(scene.mass, ball, basePosition=[float(c) for c in x], **RIGID)
        _bullet_friction(bullet, body, *friction)
        bodies.append(body)
    return _bullet_run(bullet, bodies)


def _bullet_sphere(bullet: Any, scene: SphereScene, time_step: float) -> _Run:
    _bullet_world(bullet, scene.gravity, time_step)
    plane = bullet.createCollisionShape(bullet.GEOM_PLANE)
    _bullet_friction(bullet, bullet.createMultiBody(0, plane), 1.0, 0.0, 0.0)
    ball = bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=scene.radius)
    body = bullet.createMultiBody(scene.mass, ball, basePosition=[0, 0, scene.radius])
    _bullet_friction(bullet, body, scene.mu, scene.mu_r, 0.0)
    bullet.resetBaseVelocity(body, [scene.speed, 0, 0], [0, scene.spin, 0])
    return _bullet_run(bullet, [body])


# --- Rapier -----------------------------------------------------------------------------------------


def _rapier_world(rapier: Any, gravity: float, time_step: float) -> Any:
    world = rapier.PhysicsWorld(gravity=(0.0, 0.0, -gravity))
    world.integration_parameters.dt = time_step
    world.set_num_threads(1)
    return world


def _rapier_ball(rapier: Any, world: Any, radius: float, density: float, mu: float, **state: Any) -> Any:
    body = rapier.RigidBody.dynamic(can_sleep=False, **state)
    return world.add_body(body, [rapier.Collider.ball(radius).density(density).friction(mu)])


def _rapier_run(world: Any, handles: list[Any]) -> _Run:
    def read(name: str) -> np.ndarray:
        vectors = (getattr(world.rigid_bodies[handle], name) for handle in handles)
        return np.array([(v.x, v.y, v.z) for v in vectors])

    return _Run(world.step, lambda: read("translation"), lambda: read("linvel"))


def _rapier_pile(rapier: Any, scene: PileScene, time_step: float) -> _Run:
    world = _rapier_world(rapier, scene.gravity, time_step)
    for normal, offset in scene.walls():
        at = tuple(float(n * offset) for n in normal)
        plane = rapier.Collider.halfspace(tuple(float(n) for n in normal))
        world.add_collider(plane.translation(at).friction(scene.mu))
    balls = [
        _rapier_ball(rapier, world, scene.diameter / 2, scene.density, scene.mu, translation=tuple(map(float, x)))
        for x in scene.positions()
    ]
    return _rapier_run(world, balls)


def _rapier_sphere(rapier: Any, scene: SphereScene, time_step: float) -> _Run:
    world = _rapier_world(rapier, scene.gravity, time_step)
    world.add_collider(rapier.Collider.halfspace((0.0, 0.0, 1.0)).friction(scene.mu))
    ball = _rapier_ball(
        rapier, world, scene.radius, scene.density, scene.mu, translation=(0.0, 0.0, scene.radius),
        linvel=(scene.speed, 0.0, 0.0), angvel=(0.0, scene.spin, 0.0),
    )  # fmt: skip
    return _rapier_run(world, [ball])


# --- Siconos ----------------------------------------------------------------------------------------


def _siconos_run(scene: dict[str, Any]) -> _Run:
    world = siconos_scenes.World(scene)
    return _Run(world.step, lambda: world.position, lambda: world.velocity, lambda: world.cpu, world.allow, world.close)


def _siconos_pile(_: Any, scene: PileScene, time_step: float) -> _Run:
    return _siconos_run(siconos_scenes.pile(scene, time_step))


def _siconos_sphere(_: Any, scene: SphereScene, time_step: float) -> _Run:
    return _siconos_run(siconos_scenes.sphere(scene, time_step))


RIVALS = {
    rival.name: rival
    for rival in (
        Rival(
            "mujoco", "mujoco", "pip install mujoco",
            "soft contacts, coupled cone, CG solver to its own tolerance", _mujoco_pile, _mujoco_sphere,
        ),
        Rival(
            "pybullet", "pybullet", "pip install pybullet",
            "50 iterations per step, residual unknown, weak rolling friction in piles", _bullet_pile, _bullet_sphere,
        ),
        Rival(
            "rapier", "rapier3d", "pip install rapier3d",
            "single precision, no rolling or spinning friction, bodies not put to sleep", _rapier_pile, _rapier_sphere,
        ),
        Rival(
            "siconos", "siconos", "apt install python3-siconos, which works under Debian's python3",
            "its rolling Gauss-Seidel, in piles to 1e-4 in its own measure; dense matrix, no spinning friction",
            _siconos_pile, _siconos_sphere, siconos_scenes.MOST,
        ),
    )
}  # fmt: skip
