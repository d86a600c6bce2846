"""A slope: terrain with its soils, on which blocks fall one after the other."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from trundle import checked
from trundle.errors import SceneError, SimulationError
from trundle.laws.base import Law
from trundle.rockfall.barriers import Barrier, crossings
from trundle.rockfall.terrain import Terrain
from trundle.scene.checks import problems
from trundle.scene.model import Model, State, build_model
from trundle.scene.restitution import Restitution
from trundle.scene.scene import Scene
from trundle.scene.shapes import Array, Ellipsoid, Shape, Sphere
from trundle.scene.surfaces import rotation
from trundle.scene.values import number, quaternion, vector
from trundle.step.moreau_jean import MoreauJean

ROCK = "block"  # surface of the blocks
GROUND = "ground"
KEPT = 8  # steppers that are kept, one per shape of block
CLEARANCES = 30  # times that a block is moved out of the ground before it starts
MOST_STEPS = 10_000_000  # of a block
CHUNK = 1.0  # [s] between looks at a block
REST, TIME, OUT, NODATA, BARRIER, LOST = "rest", "time", "out", "nodata", "barrier", "lost"


@dataclass(frozen=True)
class Soil:
    """What happens where blocks touch a soil: friction law, restitution; ratio: lengths of the law in radii of the block."""

    law: Law
    restitution: float | Restitution = 0.0
    ratio: bool = False

    def __post_init__(self) -> None:
        checked.instance(SceneError, "soil: law", self.law, Law, "a law, such as trundle.laws.Coulomb(mu=0.5)")
        if not isinstance(self.restitution, Restitution):
            number("soil", "restitution", self.restitution, "-", least=0.0, most=1.0)
        checked.flag(SceneError, "soil: ratio", self.ratio)


@dataclass(frozen=True)
class Options:
    """time_step [s]; duration [s]: at most; theta, tolerance: of `simulate`; rest_speed [m/s], rest_time [s]: a block rests when
    |v| + R |omega| stays below the one for the other; gravity [m/s^2]."""

    time_step: float = 0.005
    duration: float = 120.0
    theta: float = 0.5
    tolerance: float = 1e-4
    rest_speed: float = 0.05
    rest_time: float = 0.5
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)

    def __post_init__(self) -> None:
        place = "simulation"
        for name, unit in (
            ("time_step", "s"),
            ("duration", "s"),
            ("rest_speed", "m/s"),
            ("rest_time", "s"),
            ("tolerance", "-"),
        ):
            object.__setattr__(self, name, number(place, name, getattr(self, name), unit, positive=True))
        number(place, "theta", self.theta, "-", least=0.5, most=1.0)
        if not 1.0 <= self.duration / self.time_step <= MOST_STEPS:
            raise SceneError(
                f"{place}: duration = {self.duration:g} s are {self.duration / self.time_step:.3g} steps of "
                f"{self.time_step:g} s; 1 to {MOST_STEPS:,} are possible."
            )
        object.__setattr__(self, "gravity", tuple(vector(place, "gravity", self.gravity, "m/s^2").tolist()))


@dataclass(frozen=True)
class Start:
    """Where a block begins: number, shape, mass [kg], position [m], orientation, velocity [m/s], angular velocity [rad/s]."""

    block: int
    shape: Shape
    mass: float
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array
    key: int = 0  # of the roughness of the ground


@dataclass
class Path:
    """The way of a block: time (n,) [s], position (n, 3), orientation (n, 4), velocity, angular_velocity (n, 3), of all steps.

    rotational (n,): rotational energy [J]; stop: why it ended; missed: steps that did not reach the tolerance.
    """

    start: Start
    time: Array
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array
    rotational: Array
    stop: str
    missed: int = 0
    passes: list[dict[str, Any]] = field(default_factory=list)


class Slope:
    """Terrain and soils; steppers of the shapes used last are kept, the lists of the terrain are built once."""

    def __init__(
        self, terrain: Terrain, soils: dict[str, Soil], options: Options, barriers: Sequence[Barrier] = ()
    ) -> None:
        checked.instance(SceneError, "terrain", terrain, Terrain, "a Terrain")
        checked.instance(SceneError, "options", options, Options, "Options(...)")
        for name, soil in checked.instance(SceneError, "soils", soils, dict, "a table of Soil(...) by name").items():
            checked.instance(SceneError, f"soil {name!r}", soil, Soil, "a Soil")
        for barrier in checked.instance(SceneError, "barriers", barriers, (list, tuple), "a list of Barrier(...)"):
            checked.instance(SceneError, "barriers", barrier, Barrier, "Barrier(...)")
        self.terrain, self.soils, self.options, self.barriers = terrain, soils, options, tuple(barriers)
        missing = [name for name in terrain.surfaces if name not in soils]
        if missing:
            raise SceneError(
                f"the terrain has cells of soil '{missing[0]}', which is not among the soils: {', '.join(soils) or 'none'}."
            )
        self._kept: OrderedDict[tuple[int, float], tuple[Shape, Model, State, MoreauJean, Any]] = OrderedDict()

    def stepper(self, shape: Shape, mass: float) -> tuple[Model, State, MoreauJean, Any]:
        """Model, first state, stepper and its memory of a block of this shape and mass [kg]; checked as a scene is."""
        key = (id(shape), mass)
        if key not in self._kept:
            scene = Scene(gravity=self.options.gravity)
            scene.add(self.terrain.ground, name=GROUND, fixed=True, surface=self.terrain.surface)
            scene.add(shape, name="block", mass=mass, surface=ROCK)
            for name in {*self.terrain.listed}:
                if name in self.soils:
                    soil = self.soils[name]
                    scene.surface(name, ROCK, law=soil.law, restitution=soil.restitution, ratio=soil.ratio)
            model, state = build_model(scene)
            for message in problems(scene, model, state, self.options.time_step):
                raise SceneError(message)
            stepper = MoreauJean(model, theta=self.options.theta, tolerance=self.options.tolerance, tracks=True)
            self._kept[key] = shape, model, state, stepper, stepper.memory()
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key][1:]

    def place(
        self, block: int, shape: Shape, mass: float, x: float, y: float, height: float, orientation: Array, velocity: Array,
        angular_velocity: Array, key: int = 0,
    ) -> Start:  # fmt: skip
        """A block at rest on its way: its lowest point `height` [m] above the ground at (x, y), along the normal there.

        Where the ground around is higher, so that the block would reach into it, it starts as much further out.
        """
        checked.instance(SceneError, "shape", shape, Shape, "a shape, such as trundle.Sphere(0.5)")
        x, y = number("block", "x", x, "m"), number("block", "y", y, "m")
        mass = number("block", "mass", mass, "kg", positive=True)
        height = number("block", "height", height, "m", least=0.0)
        orientation = quaternion("block", orientation)
        velocity = vector("block", "velocity", velocity, "m/s")
        angular_velocity = vector("block", "angular_velocity", angular_velocity, "rad/s")
        checked.whole(SceneError, "block", block)
        checked.whole(SceneError, "key", key)
        z, slope_x, slope_y = (float(v) for v in self.terrain.height_and_slope(x, y))
        if np.isnan(z):
            why = "outside of the terrain" if self.terrain.outside(x, y) else "where the terrain has no data"
            raise SceneError(f"x = {x:.10g} m, y = {y:.10g} m is {why}.")
        normal = np.array([-slope_x, -slope_y, 1.0]) / np.sqrt(1.0 + slope_x**2 + slope_y**2)
        position = np.array([x, y, z]) + (height + _depth(shape, orientation, normal)) * normal
        model, first, stepper, _ = self.stepper(shape, mass)
        state, b = first.copy(), model.number_of["block"]
        state.orientation[b] = orientation
        stepper.space["rough_key"][b] = key
        for _ in range(CLEARANCES):
            state.position[b] = position
            gap = stepper.contacts_at(state, 0.0).gap
            if not np.any(gap < 0.0):
                break
            position = position + (1e-4 * model.radius[b] - float(gap.min())) * normal
        return Start(block, shape, mass, position, orientation, velocity, angular_velocity, key)

    def fall(self, start: Start) -> Path:
        """The way of one block until it rests, leaves the terrain, or the time is over."""
        checked.instance(SceneError, "start", start, Start, "what `Slope.place` or `Case.start` returns")
        o = self.options
        model, first, stepper, memory = self.stepper(start.shape, start.mass)
        state = first.copy()
        b = model.number_of["block"]
        state.position[b], state.orientation[b] = start.position, start.orientation
        state.velocity[b], state.angular_velocity[b] = start.velocity, start.angular_velocity
        stepper.recall(memory)
        stepper.space["rough_key"][b] = start.key
        chunk = max(1, round(CHUNK / o.time_step))
        steps = round(o.duration / o.time_step)
        still = max(1, round(o.rest_time / o.time_step))
        radius = float(model.equivalent_radius[b])
        before = np.concatenate([state.position[b], state.orientation[b], state.velocity[b], state.angular_velocity[b]])
        tracks = [before[None]]
        quiet, done, missed, stop = 0, 0, 0, TIME
        passes: list[dict[str, Any]] = []
        while done < steps:
            rows = stepper.advance(state, o.time_step, min(chunk, steps - done))
            track = stepper.space["track"][: len(rows)].copy()
            missed += int(np.count_nonzero(~rows["converged"]))
            reason, end = self._left(track, model.radius[b])
            speed = np.linalg.norm(track[:, 7:10], axis=1) + radius * np.linalg.norm(track[:, 10:13], axis=1)
            for k, slow in enumerate((speed < o.rest_speed).tolist()):
                if k >= end:
                    break
                quiet = quiet + 1 if slow else 0
                if quiet >= still:
                    reason, end = REST, k + 1
                    break
            noted, cut = self._pass(tracks[-1][-1], track[:end], model.inertia[b], start.mass, done)
            passes += noted
            if cut is not None:
                reason, end = BARRIER, cut
            tracks.append(track[:end])
            done += end
            if reason:
                stop = reason
                break
        whole = np.concatenate(tracks)
        return Path(
            start, o.time_step * np.arange(len(whole), dtype=float), whole[:, :3], whole[:, 3:7], whole[:, 7:10], whole[:, 10:13],
            _rotational(model.inertia[b], whole), stop, missed, passes,
        )  # fmt: skip

    def _pass(
        self, last: Array, track: Array, inertia: Array, mass: float, done: int
    ) -> tuple[list[dict[str, Any]], int | None]:
        """Passes of barriers since the last row, and after how many rows of the track a barrier stops the block."""
        if not self.barriers:
            return [], None
        rows = np.concatenate([last[None], track])
        found: list[tuple[float, Barrier, dict[str, Any]]] = []
        for barrier in self.barriers:
            for at, _ in crossings(np.array(barrier.line), rows[:, :2]):
                i, share = int(at), at - int(at)
                row = rows[i] + share * (rows[i + 1] - rows[i])
                row[3:7] /= np.linalg.norm(row[3:7])
                translational = 0.5 * mass * float(row[7:10] @ row[7:10])
                rotational = float(_rotational(inertia, row[None])[0])
                height = float(row[2] - self.terrain.height(row[0], row[1]))
                found.append((at, barrier, {
                    "barrier": barrier.name, "time": (done + at) * self.options.time_step, "x": float(row[0]), "y": float(row[1]),
                    "z": float(row[2]), "height": height, "speed": float(np.linalg.norm(row[7:10])),
                    "translational": translational, "rotational": rotational, "stopped": 0,
                }))  # fmt: skip
        found.sort(key=lambda entry: entry[0])
        for k, (at, barrier, entry) in enumerate(found):
            energy = entry["translational"] + entry["rotational"]
            if (
                barrier.height is not None
                and barrier.capacity is not None
                and entry["height"] <= barrier.height
                and energy <= barrier.capacity
            ):
                entry["stopped"] = 1
                return [one for _, _, one in found[: k + 1]], int(at) + 1
        return [entry for _, _, entry in found], None

    def _left(self, track: Array, size: float) -> tuple[str, int]:
        """Why and after how many steps a block is no longer over the ground; "" and all of them if it is."""
        z = self.terrain.height(track[:, 0], track[:, 1])
        gone = np.isnan(z)
        deep = track[:, 2] < z - size
        wrong = gone | deep
        if not wrong.any():
            return "", len(track)
        k = int(np.argmax(wrong))
        if not np.isfinite(track[k]).all():
            raise SimulationError("the position of a block is not finite. Use a smaller time step.")
        if deep[k]:
            return LOST, k + 1
        return (OUT if self.terrain.outside(track[k, 0], track[k, 1]) else NODATA), k + 1


def _depth(shape: Shape, orientation: Array, normal: Array) -> float:
    """How far a shape reaches from its centre against a direction [m]."""
    along = rotation(orientation).T @ normal
    if isinstance(shape, Sphere):
        return shape.radius
    if isinstance(shape, Ellipsoid):
        return float(np.linalg.norm(np.array(shape.semi_axes) * along))
    return float(-np.min(shape.polytope.vertices @ along))  # type: ignore[attr-defined]


def _rotational(inertia: Array, track: Array) -> Array:
    """Rotational energy (n,) [J]."""
    w, x, y, z = track[:, 3], track[:, 4], track[:, 5], track[:, 6]
    q, omega = np.stack([x, y, z], 1), track[:, 10:13]
    # omega in the frame of the body: rotated by the conjugate quaternion
    t = 2.0 * np.cross(-q, omega)
    local = omega + w[:, None] * t + np.cross(-q, t)
    return 0.5 * np.einsum("ni,ij,nj->n", local, inertia, local)
