"""One moment of a run, as the measures want it: z up, grains apart from walls, forces instead of impulses."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from trundle import checked
from trundle.errors import MeasureError
from trundle.measure import extents
from trundle.measure.network import loaded
from trundle.record.reader import Recording
from trundle.scene.shapes import Shape, shape_from_table

LEVEL = 1.0 - 1e-9  # cosine from which on a face is level
Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Network:
    """Contacts of a moment: body (c, 2), point (c, 3) [m], normal (c, 3), force (c, 3) [N] on the second body,
    normal_force (c,) [N], mode (c,)."""

    body: Ints
    point: Array
    normal: Array
    force: Array
    normal_force: Array
    mode: NDArray[np.str_]


class Snapshot:
    """A frame of a `Run` or `Recording`; `number` counts as in lists, -1 is the last.

    time [s]; grain (n,) numbers of the movable bodies; position, velocity, angular_velocity (n, 3); radius (n,) [m],
    of the sphere with the volume of each; extent (n, 2) [m], height of its lowest and highest point; mass (n,) [kg]; gravity
    [m/s^2].  Axes are turned so that z is against gravity.
    """

    def __init__(self, run: Any, number: int = -1) -> None:
        if not all(hasattr(run, name) for name in ("frame", "steps", "frame_count")):
            raise MeasureError(
                f"run = {checked.shown(run)} is no run: give what `simulate` or `open_recording` returns."
            )
        self.run = run
        self.number = number
        gravity = _gravity(run)
        self.gravity = float(np.linalg.norm(gravity))
        self.turn = _upright(gravity)
        frame = run.frame(number)
        self.time = float(frame.time)
        body = np.asarray(frame.body, np.int64)
        mass, radius = _bodies(run)
        movable = np.isfinite(mass[body]) & np.isfinite(radius[body])
        self.grain = body[movable]
        self.position, self.velocity, self.angular_velocity = (
            np.asarray(values, float)[movable] @ self.turn.T
            for values in (frame.position, frame.velocity, frame.angular_velocity)
        )
        self.mass = mass[self.grain]
        shapes = [_made(run, int(number)) for number in self.grain]
        self.radius = np.array([extents.mean_radius(shape) for shape in shapes])
        turned = np.asarray(frame.orientation, float)[movable]
        self.extent = self.position[:, 2, None] + extents.vertical(shapes, turned, self.turn[2])
        if len(self.grain) == 0:
            raise MeasureError(f"at t = {self.time:g} s there is no movable body to measure.")
        self._fixed = [
            (number, np.asarray(frame.position, float)[i], np.asarray(frame.orientation, float)[i])
            for i, number in enumerate(body)
            if not movable[i]
        ]

    @cached_property
    def ground(self) -> float:
        """Height [m] of the floor under the grains: a level half-space or box; without one, of the lowest grain's bottom.

        Grains sink into a floor by a little, each by its own.
        """
        lowest = float(np.min(self.extent[:, 0]))
        limit = lowest + 0.5 * float(np.mean(self.radius))
        floors = [self._level(*item) for item in self._fixed]
        return max((height for height in floors if height is not None and height <= limit), default=lowest)

    def _level(self, number: int, position: Array, orientation: Array) -> float | None:
        """Height of the upper face of a fixed body, if it has one that is level."""
        kind, fields = _shape(self.run, number)
        rotation = self.turn @ Rotation.from_quat(orientation, scalar_first=True).as_matrix()
        height = float((self.turn @ position)[2])
        if kind == "HalfSpace":
            normal = rotation @ np.asarray(fields["normal"], float)
            return height + float(fields["offset"]) if normal[2] > LEVEL else None
        if kind == "Box":
            axis = int(np.argmax(np.abs(rotation[2])))
            return height + 0.5 * float(fields["size"][axis]) if abs(rotation[2, axis]) > LEVEL else None
        return None

    @cached_property
    def network(self) -> Network:
        """The contacts of the step that led here."""
        contacts = contacts_of(self.run, self.number)
        step = self._step(float(contacts.time))
        frame = np.asarray(contacts.frame, float)
        impulse = np.asarray(contacts.impulse, float)
        force = np.einsum("ci,cij->cj", impulse[:, :3], frame) / step
        return Network(
            np.asarray(contacts.body, np.int64), np.asarray(contacts.point, float) @ self.turn.T,
            frame[:, 0] @ self.turn.T, force @ self.turn.T, impulse[:, 0] / step, np.asarray(contacts.mode, str),
        )  # fmt: skip

    @cached_property
    def between_grains(self) -> NDArray[np.bool_]:
        """Which contacts are between two grains and carry load: those of the packing, without its floor and walls."""
        net = self.network
        return np.all(np.isin(net.body, self.grain), axis=1) & loaded(net.normal_force)

    def _step(self, time: float) -> float:
        """Length of the time step that ended at a time [s]."""
        times = np.asarray(self.run.steps["time"], float)
        if len(times) == 0:
            raise MeasureError("this run has no steps, so that its contacts carry no force.")
        i = int(np.argmin(np.abs(times - time)))
        return float(times[i] - (times[i - 1] if i else float(self.run.time[0])))


def contacts_of(run: Any, number: int) -> Any:
    """Contacts of a frame of a recording, or of a run that was recorded."""
    if hasattr(run, "contacts"):
        return run.contacts(number)
    if run.recording is None:
        raise MeasureError("contacts are kept in recordings only: simulate(..., record='run.h5').")
    with Recording(run.recording) as recording:
        return recording.contacts(number)


def _bodies(run: Any) -> tuple[Array, Array]:
    """Mass (inf if fixed) and radius (inf if unbounded) of all bodies."""
    if hasattr(run, "model"):
        return np.asarray(run.model.mass, float), np.asarray(run.model.radius, float)
    table = run.bodies
    mass = np.where(np.asarray(table["fixed"], bool), np.inf, np.asarray(table["mass"], float))
    return mass, np.asarray(table["radius"], float)


def _made(run: Any, number: int) -> Shape:
    """The shape of a body."""
    return run.model.shapes[number] if hasattr(run, "model") else _read_shape(run.bodies["shape"][number])


@lru_cache(maxsize=100_000)
def _read_shape(text: str) -> Shape:
    return shape_from_table(json.loads(text))


def _shape(run: Any, number: int) -> tuple[str, dict[str, Any]]:
    """Kind of a body's shape and what describes it."""
    if hasattr(run, "model"):
        shape = run.model.shapes[number]
        return type(shape).__name__, {name: getattr(shape, name, None) for name in ("normal", "offset", "size")}
    fields = json.loads(run.bodies["shape"][number])
    return str(fields.pop("shape", "")), fields


def _gravity(run: Any) -> Array:
    """The run's gravity [m/s^2]; where it is zero, down is -z."""
    if hasattr(run, "model"):
        return np.asarray(run.model.gravity, float)
    text = run.scene
    return np.asarray(tomllib.loads(text).get("gravity", (0.0, 0.0, -9.81)), float)


def _upright(gravity: Array) -> Array:
    """Rotation (3, 3) that turns the direction against gravity to z, the shortest way."""
    size = float(np.linalg.norm(gravity))
    if size == 0.0:
        return np.eye(3)
    up = -gravity / size
    axis = np.cross(up, (0.0, 0.0, 1.0))
    cosine = float(up[2])
    if cosine < -1.0 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])
    cross = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    return np.eye(3) + cross + cross @ cross / (1.0 + cosine)
