"""One small world in three engines: trundle, MuJoCo and PyBullet, with the settings that each row of a table names.

The scripts beside this file measure what users of the other two ask about. Each engine gets the same bodies on the same plane,
the same gravity and the same time step, no damping of its own, and the coefficients in its own units.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

import trundle

COLOURS = {"Trundle": "#0f766e", "MuJoCo": "#c2410c", "PyBullet": "#4338ca"}
EXACT = {"color": "#111827", "linewidth": 4.0, "alpha": 0.18}  # how closed forms are drawn


@dataclass(frozen=True)
class Body:
    """A body at its start: shape "sphere" (radius), "box" (three edges) or "disk" (radius, thickness), SI units, world frame."""

    shape: str
    size: tuple[float, ...]
    mass: float
    position: tuple[float, float, float]
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    angular_velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    orientation: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)  # (w, x, y, z)


@dataclass(frozen=True)
class World:
    """Bodies above the plane z = 0 (if there is one); mu_r [m] is the lever arm of the normal force that rolling takes."""

    bodies: tuple[Body, ...]
    time_step: float
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
    mu: float = 0.0
    mu_r: float = 0.0
    restitution: float = 0.0
    plane: bool = True
    options: dict[str, Any] = field(default_factory=dict)  # of trundle.Scene.surface


class Engine(Protocol):
    """What the scripts need of an engine."""

    def step(self) -> None:
        """Advance by one time step."""

    def position(self) -> np.ndarray:
        """Positions of the centres [m], shape (B, 3)."""

    def orientation(self) -> np.ndarray:
        """Unit quaternions (w, x, y, z), shape (B, 4)."""

    def velocity(self) -> np.ndarray:
        """Velocities of the centres [m/s], shape (B, 3)."""

    def angular_velocity(self) -> np.ndarray:
        """Angular velocities [rad/s], world frame, shape (B, 3)."""


class Trundle:
    """trundle with its default scheme and tolerance."""

    module = "trundle"

    def __init__(self, world: World, **options: Any) -> None:
        shapes = {"sphere": trundle.Sphere, "box": lambda *size: trundle.Box(size), "disk": trundle.Disk}
        scene = trundle.Scene(gravity=world.gravity)
        if world.plane:
            scene.add(trundle.HalfSpace(), name="plane", fixed=True, surface="plane")
        for k, body in enumerate(world.bodies):
            start = {
                name: getattr(body, name)
                for name in ("mass", "position", "velocity", "angular_velocity", "orientation")
            }
            scene.add(shapes[body.shape](*body.size), name=f"b{k}", surface="body", **start)
        law = trundle.laws.Rolling(world.mu, world.mu_r) if world.mu_r else trundle.laws.Coulomb(world.mu)
        if world.plane:
            scene.surface("body", "plane", law=law, restitution=world.restitution, **world.options)
        if len(world.bodies) > 1:
            scene.surface("body", "body", law=law, restitution=world.restitution)
        self.scene, self.count = scene, len(world.bodies)
        self.simulation = trundle.Simulation(scene, time_step=world.time_step, **options)

    def step(self) -> None:
        self.simulation.step()

    def position(self) -> np.ndarray:
        return np.array(self.simulation.state.arrays.position[-self.count :])

    def orientation(self) -> np.ndarray:
        return np.array(self.simulation.state.arrays.orientation[-self.count :])

    def velocity(self) -> np.ndarray:
        return np.array(self.simulation.state.arrays.velocity[-self.count :])

    def angular_velocity(self) -> np.ndarray:
        return np.array(self.simulation.state.arrays.angular_velocity[-self.count :])


class MuJoCo:
    """MuJoCo with contacts of `condim` rows; `option` and `geom` are attributes of these elements of its XML."""

    module = "mujoco"

    def __init__(self, world: World, option: str = "", geom: str = "", condim: int = 3) -> None:
        import mujoco

        friction = f"{world.mu} 0 {world.mu_r}"  # sliding [-], torsion [m], rolling [m]
        text = "".join(_mujoco_body(body) for body in world.bodies)
        plane = '<geom type="plane" size="0 0 1"/>' if world.plane else ""
        self.model = mujoco.MjModel.from_xml_string(
            f'<mujoco><option timestep="{world.time_step}" gravity="{_words(world.gravity)}" {option}/>'
            f'<default><geom condim="{condim}" friction="{friction}" {geom}/></default>'
            f"<worldbody>{plane}{text}</worldbody></mujoco>"
        )
        self.data, self.mujoco = mujoco.MjData(self.model), mujoco
        for k, body in enumerate(world.bodies):
            self.data.qvel[6 * k : 6 * k + 3] = body.velocity
            # angular velocities of free bodies are in the frame of the body
            self.data.qvel[6 * k + 3 : 6 * k + 6] = _matrix(body.orientation).T @ np.array(body.angular_velocity)

    def step(self) -> None:
        self.mujoco.mj_step(self.model, self.data)

    def position(self) -> np.ndarray:
        return np.array(self.data.qpos).reshape(-1, 7)[:, :3]

    def orientation(self) -> np.ndarray:
        return np.array(self.data.qpos).reshape(-1, 7)[:, 3:]

    def velocity(self) -> np.ndarray:
        return np.array(self.data.qvel).reshape(-1, 6)[:, :3]

    def angular_velocity(self) -> np.ndarray:
        own = np.array(self.data.qvel).reshape(-1, 6)[:, 3:]
        return np.array([_matrix(q) @ omega for q, omega in zip(self.orientation(), own, strict=True)])


class PyBullet:
    """PyBullet with its 50 iterations; cone: friction cones (its default) or boxes; rolling_of: "body" or "plane" has mu_r."""

    module = "pybullet"

    def __init__(self, world: World, cone: bool = True, rolling_of: str = "body") -> None:
        pybullet = _quiet_pybullet()
        self.pybullet, self.client = pybullet, pybullet.connect(pybullet.DIRECT)
        call = {"physicsClientId": self.client}
        pybullet.setGravity(*world.gravity, **call)
        pybullet.setPhysicsEngineParameter(
            fixedTimeStep=world.time_step, numSubSteps=0, enableConeFriction=int(cone),
            restitutionVelocityThreshold=0.0, deterministicOverlappingPairs=1, **call,
        )  # fmt: skip
        # Coefficients of a pair are products of those of its bodies; that of rolling is mu_r of each times mu of the other.
        own = {"lateralFriction": world.mu, "rollingFriction": world.mu_r, "restitution": world.restitution}
        one = {"lateralFriction": 1.0, "rollingFriction": 0.0, "restitution": 1.0}
        if rolling_of == "plane":
            own, one = {**own, "rollingFriction": 0.0}, {**own, "lateralFriction": 1.0}
        if world.plane:
            shape = pybullet.createCollisionShape(pybullet.GEOM_PLANE, **call)
            pybullet.changeDynamics(pybullet.createMultiBody(0, shape, **call), -1, **one, **call)
        self.bodies = []
        for body in world.bodies:
            shape = pybullet.createCollisionShape(**_pybullet_shape(pybullet, body), **call)
            w, *xyz = body.orientation
            b = pybullet.createMultiBody(body.mass, shape, -1, body.position, (*xyz, w), **call)
            pybullet.changeDynamics(b, -1, linearDamping=0.0, angularDamping=0.0, **own, **call)
            pybullet.resetBaseVelocity(b, body.velocity, body.angular_velocity, **call)
            self.bodies.append(b)

    def step(self) -> None:
        self.pybullet.stepSimulation(physicsClientId=self.client)

    def _places(self) -> list[Any]:
        return [self.pybullet.getBasePositionAndOrientation(b, physicsClientId=self.client) for b in self.bodies]

    def position(self) -> np.ndarray:
        return np.array([place for place, _ in self._places()])

    def orientation(self) -> np.ndarray:
        return np.array([(w, x, y, z) for _, (x, y, z, w) in self._places()])

    def velocity(self) -> np.ndarray:
        return np.array([self.pybullet.getBaseVelocity(b, physicsClientId=self.client)[0] for b in self.bodies])

    def angular_velocity(self) -> np.ndarray:
        return np.array([self.pybullet.getBaseVelocity(b, physicsClientId=self.client)[1] for b in self.bodies])


@dataclass(frozen=True)
class Row:
    """A row of a table and a curve of a picture: what it is called, the engine, its settings, and how it is drawn."""

    name: str
    engine: type
    settings: dict[str, Any] = field(default_factory=dict)
    style: str = "-"

    @property
    def look(self) -> dict[str, Any]:
        """Arguments of matplotlib's plot."""
        ours = {"zorder": 3, "linewidth": 2.0} if self.engine is Trundle else {"linewidth": 1.3}
        return {"label": self.name, "color": COLOURS[self.engine.__name__], "linestyle": self.style, **ours}


def installed(rows: list[Row]) -> list[Row]:
    """The rows whose engine can be imported; says which cannot."""
    for module in sorted({row.engine.module for row in rows}):
        if importlib.util.find_spec(module) is None:
            print(f"({module} is not installed and is left out: pip install {module})")
    return [row for row in rows if importlib.util.find_spec(row.engine.module)]


def follow(row: Row, world: World, duration: float, every: int = 1) -> dict[str, np.ndarray]:
    """Run an engine: time (F,), position, orientation and velocity (F, B, ...) of every `every`-th step, and of the start."""
    engine = row.engine(world, **row.settings)
    frames = [(engine.position(), engine.orientation(), engine.velocity())]
    for k in range(round(duration / world.time_step)):
        engine.step()
        if (k + 1) % every == 0:
            frames.append((engine.position(), engine.orientation(), engine.velocity()))
    time = world.time_step * every * np.arange(len(frames))
    position, orientation, velocity = (np.array([frame[i] for frame in frames]) for i in range(3))
    return {"time": time, "position": position, "orientation": orientation, "velocity": velocity}


def now(engine: Engine, world: World) -> World:
    """The world with its bodies where they are now."""
    columns = engine.position(), engine.velocity(), engine.angular_velocity(), engine.orientation()
    names = ("position", "velocity", "angular_velocity", "orientation")
    rows = zip(world.bodies, *(map(tuple, column.tolist()) for column in columns), strict=True)
    return replace(world, bodies=tuple(replace(body, **dict(zip(names, row, strict=True))) for body, *row in rows))


def tilt(orientation: np.ndarray) -> np.ndarray:
    """Angle [rad] between a body's z-axis and the vertical, of quaternions (..., 4)."""
    x, y = orientation[..., 1], orientation[..., 2]
    return 2.0 * np.arcsin(np.minimum(1.0, np.hypot(x, y)))


def save(figure: Any, name: str) -> None:
    """Write the picture of a script, and say so."""
    figure.savefig(name, dpi=130)
    print(f"written: {Path(name).name}")


def _mujoco_body(body: Body) -> str:
    size = {
        "sphere": body.size, "box": [0.5 * s for s in body.size], "disk": [body.size[0], 0.5 * body.size[-1]],
    }[body.shape]  # fmt: skip
    return (
        f'<body pos="{_words(body.position)}" quat="{_words(body.orientation)}"><freejoint/>'
        f'<geom type="{"cylinder" if body.shape == "disk" else body.shape}" size="{_words(size)}" mass="{body.mass}"/></body>'
    )


def _pybullet_shape(pybullet: Any, body: Body) -> dict[str, Any]:
    if body.shape == "sphere":
        return {"shapeType": pybullet.GEOM_SPHERE, "radius": body.size[0]}
    if body.shape == "box":
        return {"shapeType": pybullet.GEOM_BOX, "halfExtents": [0.5 * s for s in body.size]}
    return {"shapeType": pybullet.GEOM_CYLINDER, "radius": body.size[0], "height": body.size[1]}


def _words(values: Any) -> str:
    return " ".join(repr(float(value)) for value in values)


def _matrix(q: Any) -> np.ndarray:
    w, x, y, z = q
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def _quiet_pybullet() -> Any:
    """The module, without the line that it prints when it is imported."""
    kept = [os.dup(stream) for stream in (1, 2)]
    with open(os.devnull, "w") as nowhere:
        for stream in (1, 2):
            os.dup2(nowhere.fileno(), stream)
        try:
            import pybullet
        finally:
            ctypes.CDLL(None).fflush(None)
            for stream, copy in zip((1, 2), kept, strict=True):
                os.dup2(copy, stream)
                os.close(copy)
    return pybullet
