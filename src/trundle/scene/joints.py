"""Joints between bodies, with motors, dry friction, springs, servos and limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from trundle.errors import SceneError, known, unknown
from trundle.kernels.rotations import rotation_matrix
from trundle.scene.state_view import wants_state
from trundle.scene.values import Array, direction, is_list, number, vector

if TYPE_CHECKING:
    from trundle.scene.locks import Lock

# rows of a joint: translations along n, t1, t2, rotations about n, t1, t2; n is the axis
HELD = {
    "fixed": (0, 1, 2, 3, 4, 5),
    "ball": (0, 1, 2),
    "hinge": (0, 1, 2, 4, 5),
    "slider": (1, 2, 3, 4, 5),
    "distance": (0,),
    "planar": (0, 4, 5),
    "cylindrical": (1, 2, 4, 5),
    "spring": (),
}
TWO_POINTS = ("distance", "spring")  # kinds whose n is along the line of their two points
WORLD = "(world)"  # the name of what joints hold on to that have no other body
DRIVEN = {"hinge": 3, "slider": 0}  # the row that is left free, which a motor or friction can act on
SPRUNG = DRIVEN | {"spring": 0}  # the row that springs and limits can act on
HOLD, SPRING, SERVO, LIMIT = range(4)  # roles of the links that a joint consists of


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint of two bodies, or of a body and the world (other = None).

    position, other_position: points of the two bodies [m], world frame at the start (the same but for `distance`);
    axis: unit vector, world frame at the start.  motor: speed of `other` relative to `one`, or of `one` relative to the world,
    along or about the axis [m/s or rad/s], a number or a function of time, or of time and state, held with at most
    max_force [N or N m]; friction: dry friction +-S [N or N m].

    stiffness [N/m, N m/rad], damping [N s/m, N m s/rad], target [m, rad], a number or a function as for motors: a spring with
    a dashpot, or a servo if the target is a function or there is a max_force but no motor.  limits [m, rad], restitution [-].
    Angles and ways are those of `other` relative to `one`, or of `one` relative to the world, 0 at the start; springs have
    a length instead.
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
    stiffness: float = 0.0
    damping: float = 0.0
    target: Any = None
    limits: tuple[float, float] = (-np.inf, np.inf)
    restitution: float = 0.0

    @property
    def passive(self) -> bool:
        """Whether its spring is one that stores energy, not a servo."""
        return not callable(self.target) and (self.motor is not None or np.isinf(self.max_force))

    @property
    def rest(self) -> float:
        """Angle [rad], way or length [m] at which its spring is without force; 0 for functions."""
        if self.target is None:
            return float(np.linalg.norm(self.other_position - self.position)) if self.kind in TWO_POINTS else 0.0
        return 0.0 if callable(self.target) else float(self.target)

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
    axis: Any, motor: Any, max_force: Any, friction: Any, collide: bool, stiffness: Any, damping: Any, target: Any, limits: Any,
    restitution: Any,
) -> Joint:  # fmt: skip
    """Check what a user said about a joint.  positions: centres of mass of the two bodies."""
    place = f"joint '{name}'"
    if not known(kind, HELD):
        raise SceneError(f"{place}: " + unknown("kind of joint", kind, HELD))
    if one == other:
        raise SceneError(f"{place}: joins body '{one}' with itself; a joint needs two bodies, or one and the world.")
    if kind in TWO_POINTS:
        here = positions[one] if position is None else vector(place, "position", position, "m")
        if other_position is None and other is None:
            raise SceneError(f"{place}: give other_position [m], the point of the world that it holds on to.")
        there = (
            positions[str(other)] if other_position is None else vector(place, "other_position", other_position, "m")
        )
        span = there - here
        if kind == "distance" and float(np.linalg.norm(span)) < 1e-9:
            raise SceneError(f"{place}: its two points coincide; use a ball joint for a distance of 0.")
        if axis is not None:
            raise SceneError(f"{place}: a {kind} joint has no axis of its own: it acts along the line of its points.")
        along = span / np.linalg.norm(span) if np.any(span) else np.array([0.0, 0.0, 1.0])
    else:
        if other_position is not None:
            raise SceneError(f"{place}: only distance and spring have two points; give position alone.")
        if position is None:
            raise SceneError(f"{place}: give position [m], the point of the joint in the world at the start.")
        here = there = vector(place, "position", position, "m")
        if kind in (*DRIVEN, "planar", "cylindrical") and axis is None:
            raise SceneError(f"{place}: give axis, the direction of the {kind} in the world at the start.")
        along = direction(place, "axis", (0.0, 0.0, 1.0) if axis is None else axis)
    if kind not in DRIVEN and (motor is not None or friction or (max_force is not None and kind not in SPRUNG)):
        raise SceneError(
            f"{place}: motor, max_force and friction act on the free direction of a hinge or slider; "
            f"a {kind} joint has none."
        )
    unit = "N m" if kind == "hinge" else "N"
    spring = _make_spring(place, kind, stiffness, damping, target, limits, restitution)
    if motor is None and max_force is not None and not (spring["stiffness"] or spring["damping"]):
        raise SceneError(
            f"{place}: max_force = {max_force!r} {unit} limits a motor or a servo; give motor as well, or stiffness, or friction."
        )
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
    return Joint(kind, one, other, name, here, there, along, speed, limit, dry, bool(collide), **spring)


def _make_spring(
    place: str, kind: str, stiffness: Any, damping: Any, target: Any, limits: Any, restitution: Any
) -> dict[str, Any]:
    """Check what a user said about spring, dashpot, servo and limits of a joint."""
    turns, said = kind == "hinge", kind in SPRUNG
    k = number(place, "stiffness", stiffness, "N m/rad" if turns else "N/m", least=0.0)
    c = number(place, "damping", damping, "N m s/rad" if turns else "N s/m", least=0.0)
    e = number(place, "restitution", restitution, "-", least=0.0)
    unit = "rad" if turns else "m"
    if not said and (k or c or e or target is not None or limits is not None):
        raise SceneError(
            f"{place}: stiffness, damping, target, limits and restitution act along or about the free direction of a hinge, "
            f"slider or spring; a {kind} joint has none."
        )
    if callable(target):
        if not wants_state(f"{place}: target", target):
            number(f"{place} at t = 0 s", "target", target(0.0), unit)
    elif target is not None:
        target = number(place, "target", target, unit, least=0.0 if kind == "spring" else -np.inf)
    if target is not None and not k:
        raise SceneError(f"{place}: target = {target!r} needs a stiffness > 0, with which it is held.")
    low, high = -np.inf, np.inf
    if limits is not None:
        if not is_list(limits) or len(limits) != 2:
            raise SceneError(f"{place}: limits = {limits!r} must be (low, high) [{unit}].")
        low, high = (number(place, f"limits[{i}]", limits[i], unit, infinite=True) for i in range(2))
        if not low < high or (kind != "spring" and not low <= 0.0 <= high):
            raise SceneError(
                f"{place}: limits = {limits!r} must be (low, high) [{unit}] with the start, 0, between them."
            )
    if e and limits is None:
        raise SceneError(f"{place}: restitution = {e:g} is that of limits; give limits as well.")
    if e > 1.0:
        raise SceneError(f"{place}: restitution = {e:g} must be at most 1.")
    if kind == "spring" and not (k or c or limits is not None):
        raise SceneError(f"{place}: a spring needs stiffness [N/m], damping [N s/m] or limits of its length [m].")
    return {"stiffness": k, "damping": c, "target": target, "limits": (low, high), "restitution": e}


@dataclass(frozen=True, eq=False)
class JointArrays:
    """U joints as J links of six rows: first one link for each joint, then those of springs, servos,
    limits, and locks of bodies.

    body (J, 2) ; anchor (J, 2, 3) points of the two bodies in their frames [m] ; frame (J, 2, 3, 3) axes n, t1, t2 (rows)
    in the frames of the two bodies ; held (J, 6) rows without relative velocity ; driven (J,) row of motor or friction,
    -1 ; speed (J,) of the motor ; limit (J,) of motor or friction [N, N m] ; length (J,) of distance joints [m], < 0
    where n is turned round, 0 for others
    motor (J,) whether the driven row is a motor ; collide (J,) whether the bodies touch each other
    sign (J,): -1 where users look at the first body from the second, the world, else 1
    owner (J,) the joint, -1: the lock of a body ; role (J,) HOLD, SPRING, SERVO or LIMIT ; stiffness, damping (J,) ;
    rest (J,) where the spring is without force, or the lower limit ; restitution (J,) of limits ;
    turned (J,) whether the axes are turned round
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
    owner: Any
    role: Any
    stiffness: Array
    damping: Array
    rest: Array
    restitution: Array
    turned: Any

    def __len__(self) -> int:
        return len(self.body)

    @property
    def count(self) -> int:
        """Number of joints as users see them."""
        return int(np.count_nonzero((self.role == HOLD) & (self.owner >= 0)))

    def fold(self, rows: Array) -> Array:
        """Rows (U, 6) of the joints from those (J, 6) of their links."""
        total = np.zeros((self.count, 6))
        mine = self.owner >= 0
        np.add.at(total, self.owner[mine], (np.where(self.turned[:, None], -1.0, 1.0) * rows)[mine])
        return total


def lay_out_joints(
    joints: tuple[Joint, ...], locks: Sequence[Lock], number: dict[str, int], position: Array, orientation: Array
) -> JointArrays:
    """Joints, and then locks of bodies, as arrays, from the positions (B, 3) and orientations (B, 4) of the bodies."""
    links: list[tuple[int, int, float]] = [
        (j, HOLD, 0.0) for j in range(len(joints))
    ]  # joint, role, and the bound of limits
    for j, joint in enumerate(joints):
        if joint.stiffness or joint.damping:
            links.append((j, SPRING if joint.passive else SERVO, 0.0))
        low, high = joint.limits if _sign(joint) > 0.0 else (-joint.limits[1], -joint.limits[0])
        links += [(j, LIMIT, bound) for bound in (low, -high) if np.isfinite(bound)]
    links += [(-1, HOLD, 0.0) for _ in locks]
    n = len(links)
    arrays = JointArrays(
        np.zeros((n, 2), np.int64), np.zeros((n, 2, 3)), np.zeros((n, 2, 3, 3)), np.zeros((n, 6), bool),
        np.full(n, -1, np.int64), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n, bool), np.zeros(n, bool),
        np.ones(n), np.array([j for j, _, _ in links], np.int64), np.array([role for _, role, _ in links], np.int64),
        np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n, bool),
    )  # fmt: skip
    seen: set[int] = set()
    for i, (j, role, bound) in enumerate(links[: n - len(locks)]):
        joint, axes = joints[j], np.stack(_axes(joints[j].axis))
        if role == LIMIT:
            low = joint.limits[0] if _sign(joint) > 0.0 else -joint.limits[1]
            arrays.turned[i] = j in seen or not np.isfinite(low)
            seen.add(j)
        if arrays.turned[i]:
            axes = axes * np.array([[-1.0], [1.0], [-1.0]])
        for side, (name, point) in enumerate(((joint.one, joint.position), (joint.other, joint.other_position))):
            b = number[WORLD if name is None else name]
            R = _matrix(orientation[b])
            arrays.body[i, side] = b
            arrays.anchor[i, side] = R.T @ (point - position[b])
            arrays.frame[i, side] = axes @ R
        arrays.collide[i], arrays.sign[i] = joint.collide, _sign(joint)
        if joint.kind in TWO_POINTS:
            arrays.length[i] = float(np.linalg.norm(joint.other_position - joint.position)) or 1.0
            arrays.length[i] *= -1.0 if arrays.turned[i] else 1.0
        if role == HOLD:
            arrays.held[i, list(HELD[joint.kind])] = True
            arrays.driven[i] = joint.driven
            arrays.motor[i] = joint.motor is not None
            arrays.speed[i] = 0.0 if joint.motor is None or callable(joint.motor) else joint.motor
            arrays.limit[i] = joint.max_force if joint.motor is not None else joint.friction
        else:
            arrays.driven[i] = SPRUNG[joint.kind]
            arrays.stiffness[i], arrays.damping[i] = (joint.stiffness, joint.damping) if role != LIMIT else (0.0, 0.0)
            arrays.motor[i] = role == SERVO
            arrays.limit[i] = joint.max_force if role == SERVO else np.inf if role == SPRING else 0.0
            arrays.rest[i] = bound if role == LIMIT else joint.rest
            arrays.restitution[i] = joint.restitution if role == LIMIT else 0.0
    for i, lock in enumerate(locks, n - len(locks)):
        arrays.body[i] = number[WORLD], lock.body
        arrays.anchor[i, 0] = position[lock.body]
        arrays.frame[i] = lock.axes, lock.axes @ _matrix(orientation[lock.body])
        arrays.held[i] = lock.held
    return arrays


def _sign(joint: Joint) -> float:
    """-1 where users look at the first body from the second, the world; lengths have no direction."""
    return -1.0 if joint.other is None and joint.kind not in TWO_POINTS else 1.0


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
