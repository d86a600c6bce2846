"""Rows of contact detection: one for every body, and behind them one for every part of a compound body."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trundle.kernels.rotations import rotation_matrix
from trundle.scene.geometry import Geometry, build_geometry
from trundle.scene.model import Ints, Model, State
from trundle.scene.shapes_compound import Compound

Array = NDArray[np.float64]


class Parts(NamedTuple):
    """N rows of B bodies and their parts.

    owner (N,): the body of a row, itself for i < B; number (N,): of a part within its body; at (N - B, 3), turn (N - B, 3, 3):
    place and rotation of a part in the frame of its body; most: the largest number of parts of a body.
    """

    owner: Ints
    number: Ints
    at: Array
    turn: Array
    most: int

    @property
    def some(self) -> bool:
        """Whether there are compound bodies."""
        return len(self.at) > 0


def find_parts(model: Model) -> tuple[Parts, Geometry]:
    """The rows of a model, and the shapes of all of them."""
    bodies = len(model.shapes)
    owner, number, most = list(range(bodies)), [0] * bodies, 1
    shapes = list(model.shapes)
    at: list[Array] = []
    turn: list[Array] = []
    for i, shape in enumerate(model.shapes):
        if isinstance(shape, Compound):
            most = max(most, len(shape.parts))
            for k, (part, place, rotation) in enumerate(shape.placed()):
                owner.append(i)
                number.append(k)
                at.append(place)
                turn.append(rotation)
                shapes.append(part)
    parts = Parts(
        np.array(owner, np.int64), np.array(number, np.int64), np.array(at).reshape(-1, 3), np.array(turn).reshape(-1, 3, 3),
        most,
    )  # fmt: skip
    return parts, model.geometry if len(shapes) == bodies else build_geometry(shapes, model.grounds)


def expanded(parts: Parts, state: State) -> State:
    """A state with a row for every part: velocities are those of its fastest point, for reaches alone."""
    if not parts.some:
        return state
    bodies, owner = len(state.position), parts.owner
    rows = State(
        state.time, state.position[owner], state.orientation[owner], state.velocity[owner], state.angular_velocity[owner],
        state.present[owner],
    )  # fmt: skip
    R = np.empty((3, 3))
    for k in range(bodies, len(owner)):
        rotation_matrix(state.orientation, int(owner[k]), R)
        offset = R @ parts.at[k - bodies]
        rows.position[k] += offset
        rows.velocity[k] += np.cross(state.angular_velocity[owner[k]], offset)
        rows.orientation[k] = _quaternion(R @ parts.turn[k - bodies])
    return rows


def _quaternion(R: Array) -> Array:
    """Unit quaternion (w, x, y, z) of a rotation matrix."""
    K = np.array([
        [R[0, 0] + R[1, 1] + R[2, 2], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
        [0.0, R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
        [0.0, 0.0, R[1, 1] - R[0, 0] - R[2, 2], R[1, 2] + R[2, 1]],
        [0.0, 0.0, 0.0, R[2, 2] - R[0, 0] - R[1, 1]],
    ])  # fmt: skip
    return np.linalg.eigh(K, UPLO="U")[1][:, -1]
