"""Joints between bodies, with motors and dry friction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from trundle.errors import SceneError, known, unknown
from trundle.kernels.rotations import rotation_matrix
from trundle.scene.state_view import wants_state
from trundle.scene.values import Array, direction, number, vector

# rows of a joint: translations along n, t1, t2, rotations about n, t1, t2; n is the axis
HELD = {
    "fixed": (0, 1, 2, 3, 4, 5),
    "ball": (0, 1, 2),
    "hinge": (0, 1, 2, 4, 5),
    "slider": (1, 2, 3, 4, 5),
    "distance": (0,),
}
WORLD = "(world)"  # the name of what joints hold on to that have no other body
DRIVEN = {"hinge": 3, "slider": 0}  # the row that is left free, which a motor or friction can act on


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint of two bodies, or of a body and the world (other = None).

    position, other_position: points of the two bodies [m], world frame at the start (the same but for `distance`);
    axis: unit vector, world frame at the start.  motor: speed of `other` relative to `one`, or of `one` relative to the world,
    along or about the axis [m/s or rad/s], a number or a function of time, or of time and state, held with at most
    max_force [N or N m]; friction: dry friction +-S [N or N m].
    """

    kind: str
    one: str
    other: str | None
    name: str
    position: Array
    other_position: Array
    axis: Array
    motor: Any
    max_force: float
    friction: float
    collide: bool

    @property
    def driven(self) -> int:
        """The row with a motor or friction, -1 if there is none."""
        return DRIVEN[self.kind] if self.motor is not None or self.friction > 0.0 else -1

    @property
    def speed_unit(self) -> str:
        """Unit of the motor's speed."""
        return "rad/s" if self.kind == "hinge" else "m/s"


def make_joint(
    kind: str, one: str, other: str | None, name: str, positions: dict[str, Array], position: Any, other_position: Any,
    axis: Any, motor: Any, max_force: Any, friction: Any, collide: bool,
) -> Joint:  # fmt: skip
    """Check what a user said about a joint.  positions: centres of mass of the two bodies."""
    place = f"joint '{name}'"
    if not known(kind, HELD):
        raise SceneError(f"{place}: " + unknown("kind of joint", kind, HELD))
    if one == other:
        raise SceneError(f"{place}: joins body '{one}' with itself; a joint needs two bodies, or one and the world.")
    if kind == "distance":
        here = positions[one] if position is None else vector(place, "position", position, "m")
        if other_position is None and other is None:
            raise SceneError(f"{place}: give other_position [m], the point of the world that it holds on to.")
        there = (
            positions[str(other)] if other_position is None else vector(place, "other_position", other_position, "m")
        )
        span = there - here
        if float(np.linalg.norm(span)) < 1e-9:
            raise SceneError(f"{place}: its two points coincide; use a ball joint for a distance of 0.")
        if axis is not None:
            raise SceneError(f"{place}: a distance joint has no axis of its own: it acts along the line of its points.")
        along = span / np.linalg.norm(span)
    else:
        if other_position is not None:
            raise SceneError(f"{place}: only a distance joint has two points; give position alone.")
        if position is None:
            raise SceneError(f"{place}: give position [m], the point of the joint in the world at the start.")
        here = there = vector(place, "position", position, "m")
        if kind in DRIVEN and axis is None:
            raise SceneError(f"{place}: give axis, the direction of the {kind} in the world at the start.")
        along = direction(place, "axis", (0.0, 0.0, 1.0) if axis is None else axis)
    if kind not in DRIVEN and (motor is not None or friction or max_force is not None):
        raise SceneError(
            f"{place}: motor, max_force and friction act on the free direction of a hinge or slider; "
            f"a {kind} joint has none."
        )
    unit = "N m" if kind == "hinge" else "N"
    if motor is None and max_force is not None:
        raise SceneError(f"{place}: max_force = {max_force!r} {unit} limits a motor; give motor as well, or friction.")
    dry = number(place, "friction", friction, unit, least=0.0)
    if not isinstance(collide, (bool, np.bool_)):
        raise SceneError(f"{place}: collide = {collide!r} must be True or False.")
    if motor is not None and dry:
        raise SceneError(f"{place}: give motor (with max_force) or friction, not both: they act on the same direction.")
    if callable(motor):
        if not wants_state(f"{place}: motor", motor):
            number(f"{place} at t = 0 s", "motor", motor(0.0), "rad/s" if kind == "hinge" else "m/s")
        speed = motor
    else:
        speed = None if motor is None else number(place, "motor", motor, "rad/s" if kind == "hinge" else "m/s")
    limit = np.inf if max_force is None else number(place, "max_force", max_force, unit, positive=True, infinite=True)
    return Joint(kind, one, other, name, here, there, along, speed, limit, dry, bool(collide))


@dataclass(frozen=True, eq=False)
class JointArrays:
    """J joints as arrays.

    body (J, 2) ; anchor (J, 2, 3) points of the two bodies in their frames [m] ; frame (J, 2, 3, 3) axes n, t1, t2 (rows)
    in the frames of the two bodies ; held (J, 6) rows without relative velocity ; driven (J,) row of motor or friction,
    -1 ; speed (J,) of the motor ; limit (J,) of motor or friction [N, N m] ; length (J,) of distance joints, else 0 [m]
    motor (J,) whether the driven row is a motor ; collide (J,) whether the bodies touch each other
    sign (J,): -1 where users look at the first body from the second, the world, else 1
    """

    body: Any
    anchor: Array
    frame: Array
    held: Any
    driven: Any
    speed: Array
    limit: Array
    length: Array
    motor: Any
    collide: Any
    sign: Array

    def __len__(self) -> int:
        return len(self.body)


def lay_out_joints(
    joints: tuple[Joint, ...], number: dict[str, int], position: Array, orientation: Array
) -> JointArrays:
    """Joints as arrays, from the positions (B, 3) and orientations (B, 4) of the bodies at the start."""
    n = len(joints)
    arrays = JointArrays(
        np.zeros((n, 2), np.int64), np.zeros((n, 2, 3)), np.zeros((n, 2, 3, 3)), np.zeros((n, 6), bool),
        np.full(n, -1, np.int64), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n, bool), np.zeros(n, bool),
        np.array([-1.0 if joint.other is None else 1.0 for joint in joints]),
    )  # fmt: skip
    for j, joint in enumerate(joints):
        axes = np.stack(_axes(joint.axis))
        for side, (name, point) in enumerate(((joint.one, joint.position), (joint.other, joint.other_position))):
            b = number[WORLD if name is None else name]
            R = _matrix(orientation[b])
            arrays.body[j, side] = b
            arrays.anchor[j, side] = R.T @ (point - position[b])
            arrays.frame[j, side] = axes @ R
        arrays.held[j, list(HELD[joint.kind])] = True
        arrays.driven[j] = joint.driven
        arrays.motor[j] = joint.motor is not None
        arrays.speed[j] = 0.0 if joint.motor is None or callable(joint.motor) else joint.motor
        arrays.limit[j] = joint.max_force if joint.motor is not None else joint.friction
        arrays.collide[j] = joint.collide
        if joint.kind == "distance":
            arrays.length[j] = float(np.linalg.norm(joint.other_position - joint.position))
    return arrays


def _axes(n: Array) -> tuple[Array, Array, Array]:
    """n and two directions that complete it to a right-handed frame."""
    helper = np.eye(3)[int(np.argmin(np.abs(n)))]
    t1 = helper - (helper @ n) * n
    t1 /= np.linalg.norm(t1)
    return n, t1, np.cross(n, t1)


def _matrix(q: Array) -> Array:
    R = np.empty((3, 3))
    rotation_matrix(q.reshape(1, 4), 0, R)
    return R
