"""Where joints are along or about their free direction, and how fast they move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trundle.errors import SceneError, known, unknown
from trundle.scene.joints import SPRUNG, TWO_POINTS, JointArrays
from trundle.scene.values import Array

if TYPE_CHECKING:
    from trundle.scene.model import State

MOVING = (*SPRUNG, "distance")  # kinds with one angle, way or length


def joint_motion(joints: JointArrays, state: State) -> Array:
    """Angle [rad], way or length [m] of every joint and its rate [rad/s, m/s], shape (U, 2), as `Joint` counts them.

    Angles are between -pi and pi.  Meaningful for hinges, sliders and joints with two points.
    """
    u = joints.count
    body, turns = joints.body[:u], joints.held[:u, 0]  # a hinge holds its axis, a slider does not
    R = _matrices(state.orientation[body])
    axes = np.einsum("usij,uskj->usik", joints.frame[:u], R)  # rows n, t1, t2 of both bodies in the world
    arm = np.einsum("usij,usj->usi", R, joints.anchor[:u])
    point = state.position[body] + arm
    omega = state.angular_velocity[body]
    moves = state.velocity[body] + np.cross(omega, arm)
    span, rate = point[:, 1] - point[:, 0], moves[:, 1] - moves[:, 0]
    n, t1, t2 = axes[:, 0, 0], axes[:, 0, 1], axes[:, 0, 2]
    angle = np.arctan2(_dot(axes[:, 1, 1], t2), _dot(axes[:, 1, 1], t1))
    spin = _dot(omega[:, 1] - omega[:, 0], n)
    way, speed = _dot(span, n), _dot(rate, n) + _dot(span, np.cross(omega[:, 0], n))
    length = np.sqrt(_dot(span, span))
    stretch = _dot(span, rate) / np.where(length > 0.0, length, 1.0)
    two = joints.length[:u] != 0.0
    position = np.where(two, length, joints.sign[:u] * np.where(turns, angle, way))
    return np.stack([position, np.where(two, stretch, joints.sign[:u] * np.where(turns, spin, speed))], axis=1)


def check_moves(name: str, names: list[str], kinds: list[str]) -> int:
    """Number of a joint that has an angle, a way or a length."""
    if not known(name, names):
        raise SceneError(unknown("joint", name, names) if names else "There are no joints.")
    j = names.index(name)
    if kinds[j] not in MOVING:
        raise SceneError(
            f"joint '{name}': a {kinds[j]} joint has no angle, way or length of its own; {', '.join(MOVING)} have."
        )
    return j


def followed(kind: str, series: Array) -> Array:
    """A series of positions without jumps by whole turns: angles go on beyond pi."""
    return series if kind in TWO_POINTS or kind == "slider" else np.unwrap(series)


def _dot(a: Array, b: Array) -> Array:
    return np.einsum("ui,ui->u", a, b)


def _matrices(q: Array) -> Array:
    """Rotation matrices (..., 3, 3) of unit quaternions (..., 4)."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
