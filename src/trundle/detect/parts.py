"""Rows of contact detection: one for every body, and behind them one for every part of a compound body."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trundle.scene.geometry import Geometry, build_geometry
from trundle.scene.model import Ints, Model
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
