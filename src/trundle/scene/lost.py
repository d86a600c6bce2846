"""Bodies that have left all ground and fall for ever."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.kinds import HALF_SPACE, HEIGHT_FIELD, MESH
from trundle.scene.model import Model, State
from trundle.scene.shapes import Array
from trundle.scene.shapes_base import Ints
from trundle.scene.surfaces import rotation


def lost_bodies(model: Model, state: State) -> Ints:
    """Numbers of bodies that fall and will not meet anything on their way.

    In free flight each follows a parabola.  A body is lost if the ball around it, on its way from now on, misses the boxes
    (along gravity and across it) of all meshes and height fields, and the balls around all other bodies that are not lost.
    Bodies with joints or loads are never lost, and with a half-space below nobody is.  Over a hole of a terrain a body is
    lost when it is below the lowest point of the terrain.
    """
    size = float(np.linalg.norm(model.gravity))
    falls = np.zeros(len(model.names), bool)
    if size > 0.0:
        frame = _frame(model.gravity / size)
        falls = state.present & np.isfinite(model.mass) & (state.velocity @ frame[2] > 0.0)
        falls[model.joints.body.ravel()] = False
        falls[[model.number_of[load.body] for load in model.loads]] = False
        planes = np.flatnonzero(model.kind == HALF_SPACE)
        falls &= not any(_is_below(model, state, int(i), frame[2]) for i in planes)
    if not falls.any():
        return np.zeros(0, np.int64)
    low, high = _boxes(model, state, frame)
    x, v = state.position @ frame.T, state.velocity @ frame.T
    solid = state.present & (model.kind >= 0) & (model.kind != HALF_SPACE)
    for i in np.flatnonzero(solid & np.isinf(model.mass)):
        rows = np.flatnonzero(falls)
        falls[rows[_meets(x[rows], v[rows], model.radius[rows], size, low[i], high[i])]] = False
    solid &= np.isfinite(model.mass)
    while falls.any():  # those that fall on a body that is not lost are not lost either
        rest = solid & ~falls
        caught = [
            i for i in np.flatnonzero(falls) if _meets(x[i], v[i], model.radius[i], size, low[rest], high[rest]).any()
        ]
        if not caught:
            break
        falls[caught] = False
    return np.flatnonzero(falls)


def _frame(down: Array) -> Array:
    """Rows: two directions across gravity, and down."""
    across = np.cross(down, np.eye(3)[int(np.argmin(np.abs(down)))])
    across /= np.linalg.norm(across)
    return np.array([across, np.cross(down, across), down])


def _is_below(model: Model, state: State, i: int, down: Array) -> bool:
    """Whether a fall ends on half-space i, sooner or later."""
    normal = rotation(state.orientation[i]) @ model.parameters[i, :3]
    return bool(normal @ down < -1e-9)


def _boxes(model: Model, state: State, frame: Array) -> tuple[Array, Array]:
    """Boxes of all bodies along the axes of a frame, low and high corners (B, 3); of grounds by their vertices."""
    middle = state.position @ frame.T
    low, high = middle - model.radius[:, None], middle + model.radius[:, None]
    for i in np.flatnonzero(np.isin(model.kind, (MESH, HEIGHT_FIELD))):
        vertices = model.shapes[i].surface_mesh()[0] @ (frame @ rotation(state.orientation[i])).T + middle[i]
        low[i], high[i] = vertices.min(axis=0), vertices.max(axis=0)
    return low, high


def _meets(x: Array, v: Array, radius: Any, size: float, low: Array, high: Array) -> NDArray[np.bool_]:
    """Whether balls that fall freely from x (.., 3) with v meet boxes (.., 3); the third axis is down, and v[2] > 0."""

    def time(depth: Array) -> Array:
        """When they have fallen so far: depth = v t + g t^2 / 2."""
        return 2.0 * depth / (v[..., 2] + np.sqrt(v[..., 2] ** 2 + 2.0 * size * depth))

    above, below = low[..., 2] - radius - x[..., 2], high[..., 2] + radius - x[..., 2]
    enter, leave = time(np.maximum(above, 0.0)), np.where(below > 0.0, time(np.maximum(below, 0.0)), -1.0)
    for k in range(2):
        near, far = low[..., k] - radius - x[..., k], high[..., k] + radius - x[..., k]
        with np.errstate(divide="ignore", invalid="ignore"):
            first, last = near / v[..., k], far / v[..., k]
        still, beside = v[..., k] == 0.0, (near > 0.0) | (far < 0.0)
        enter = np.maximum(enter, np.where(still, np.where(beside, np.inf, 0.0), np.minimum(first, last)))
        leave = np.minimum(leave, np.where(still, np.inf, np.maximum(first, last)))
    return np.asarray(enter <= leave)
