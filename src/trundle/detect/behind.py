"""Bodies on the wrong side of fixed ground: meshes and height fields are one-sided, and nothing holds a body behind them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from trundle.detect.kernels import mesh as mesh_kernels
from trundle.kernels.rotations import rotation_matrix
from trundle.kinds import HEIGHT_FIELD, MESH
from trundle.scene.geometry import NODE, TRIANGLE, Geometry
from trundle.scene.model import Model, State
from trundle.scene.shapes import Array, HeightField
from trundle.scene.shapes_base import Ints


class Behind(NamedTuple):
    """A body whose centre is behind the surface of another one, by a depth [m].

    sure: it is inside, or below, or its shape cuts through the surface.  Otherwise the surface is open, and the body may be
    meant to be on its other side.
    """

    body: int
    ground: int
    depth: float
    sure: bool


def bodies_behind(model: Model, state: State, among: Ints | None = None) -> list[Behind]:
    """Movable bodies that are present and whose centres are behind a mesh or a height field; among: only these."""
    g, found, state = model.geometry, [], model.shapes_at(state)
    body = np.flatnonzero(state.present & np.isfinite(model.mass))
    body = body if among is None else np.intersect1d(body, among)
    R = np.empty((3, 3))
    for ground in np.flatnonzero(np.isin(g.kind, (MESH, HEIGHT_FIELD)) & state.present):
        if getattr(model.shapes[ground], "both_sides", False):
            continue  # a sheet has nothing behind it
        rotation_matrix(state.orientation, ground, R)
        points, depth = state.position[body], np.empty(len(body))
        shape = model.shapes[ground]
        if isinstance(shape, HeightField):
            depth = _depth_below(shape, (points - state.position[ground]) @ R)
            closed = True
        else:
            stack = np.zeros(2 * int(g.length[ground, NODE]).bit_length() + 4, np.int64)
            mesh_kernels.signed_distances(g, ground, state.position[ground], R, points, stack, depth)
            depth = -depth
            closed = _closed(g, int(ground))
        pairs = np.stack([body, np.full(len(body), ground)], axis=1)
        for k in np.flatnonzero((depth > 0.0) & ~model.meetings.never(pairs)):
            sure = closed or depth[k] < g.inner[body[k]]
            found.append(Behind(int(body[k]), int(ground), float(depth[k]), bool(sure)))
    return found


def _closed(g: Geometry, ground: int) -> bool:
    first = g.first[ground, TRIANGLE]
    return bool(np.all(g.across[first : first + g.length[ground, TRIANGLE]] >= 0))


def _depth_below(field: HeightField, points: Array) -> Array:
    """How far points (N, 3) in the frame of a height field are below it [m]; negative above, NaN beside it."""
    heights, origin = np.asarray(field.heights), np.array(field.origin)
    grid = (points[:, :2] - origin[:2]) / np.array(field.spacing)
    cells = np.array(heights.shape) - 1
    beside = ~np.all((grid >= 0.0) & (grid <= cells), axis=1)
    corner = np.clip(np.nan_to_num(np.floor(grid)), 0, cells - 1).astype(np.int64)
    u, v = (grid - corner).T
    i, j = corner.T
    low, high = heights[i, j], heights[i + 1, j + 1]
    # the two triangles of a cell are divided from (i, j) to (i + 1, j + 1)
    right, left = heights[i + 1, j], heights[i, j + 1]
    surface = np.where(u >= v, low + u * (right - low) + v * (high - right), low + v * (left - low) + u * (high - left))
    return np.where(beside, np.nan, origin[2] + surface - points[:, 2])
