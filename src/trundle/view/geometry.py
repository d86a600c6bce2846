"""What the page draws for a shape: a sphere, a scaled box or ellipsoid, a plane, or a mesh."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.errors import TrundleError
from trundle.scene.shapes import shape_from_table
from trundle.scene.shapes_hollow import Hollow

Array = NDArray[np.float64]
Triangles = NDArray[np.uint32]
RESOLUTION = 24  # points around a curved mesh
ROUND = (
    "ellipsoid",
    "disk",
    "cylinder",
    "capsule",
    "cone",
    "sphereinside",
    "cylinderinside",
    "coneinside",
    "torusinside",
)
GROUND = ("mesh", "heightfield")
HOLLOW = ("sphereinside", "cylinderinside", "coneinside", "torusinside")
MARKER = 0.5  # radius [m] of what stands for a body whose size is not known


@dataclass(frozen=True)
class Appearance:
    """How bodies of one group look.

    kind : "sphere", "box", "ellipsoid" (unit shapes, scaled per body), "plane" or "mesh"
    vertices (V, 3) [m], triangles (T, 3) : of a mesh, in the body's frame
    normal, offset : of a plane, in the body's frame [-], [m]
    round : whether it looks the same when turned about its z-axis: sectors then show how it turns
    hollow : whether it is seen from inside only, so that one looks into it
    note : why something else is drawn than was asked for
    ground, corner : whether it is terrain where it is fixed, and map coordinates of its origin [m]
    """

    kind: str
    vertices: Array | None = None
    triangles: Triangles | None = None
    normal: tuple[float, float, float] = (0.0, 0.0, 1.0)
    offset: float = 0.0
    round: bool = False
    hollow: bool = False
    note: str = ""
    ground: bool = False
    corner: tuple[float, float] = (0.0, 0.0)


def appearance(text: str, radius: float) -> tuple[Appearance, tuple[float, float, float]]:
    """Appearance of the shape that a recording describes, and the scale [m] of the unit shape along its axes.

    A shape that cannot be drawn is shown as a ball of its bounding radius, with a note that says so.
    """
    size = radius if np.isfinite(radius) and radius > 0.0 else MARKER
    try:
        table = json.loads(text)
        return _known(table)
    except (ValueError, TypeError, KeyError, TrundleError) as error:
        note = f"a shape is shown as a ball: {type(error).__name__}: {error}"[:300]
        return Appearance("sphere", note=note), (size, size, size)


def _known(table: dict[str, Any]) -> tuple[Appearance, tuple[float, float, float]]:
    name = str(table.get("shape", "")).replace("-", "").replace("_", "").lower()
    if name == "sphere":
        r = float(table["radius"])
        return Appearance("sphere"), (r, r, r)
    if name == "box":
        a, b, c = (float(x) for x in table["size"])
        return Appearance("box"), (a, b, c)
    if name == "halfspace":
        nx, ny, nz = (float(x) for x in table.get("normal", (0.0, 0.0, 1.0)))
        return Appearance("plane", normal=(nx, ny, nz), offset=float(table.get("offset", 0.0))), (1.0, 1.0, 1.0)
    vertices, triangles = _mesh(table)
    look = Appearance("mesh", vertices=vertices, triangles=triangles, round=name in ROUND, hollow=name in HOLLOW)
    if name in GROUND:
        x, y = (float(v) for v in table.get("offset", (0.0, 0.0)))
        look = replace(look, ground=True, corner=(x, y))
    return look, (1.0, 1.0, 1.0)


def _mesh(table: dict[str, Any]) -> tuple[Array, Triangles]:
    """Surface of any other shape, from the shape itself."""
    shape = shape_from_table(table)
    vertices, triangles = shape.surface_mesh(3 * RESOLUTION if isinstance(shape, Hollow) else RESOLUTION)
    vertices, triangles = np.asarray(vertices, float), np.asarray(triangles, np.int64)
    if vertices.ndim != 2 or vertices.shape[1] != 3 or not np.all(np.isfinite(vertices)):
        raise ValueError(f"the mesh of {table['shape']} has no finite points of three coordinates")
    if triangles.size and (triangles.min() < 0 or triangles.max() >= len(vertices)):
        raise ValueError(f"the mesh of {table['shape']} has triangles with points that are not there")
    return vertices, triangles.astype(np.uint32)


def key(text: str) -> str:
    """Bodies with the same key look the same up to a scale."""
    try:
        table = json.loads(text)
    except ValueError:
        return text
    name = str(table.get("shape", "")).lower() if isinstance(table, dict) else ""
    return name if name in ("sphere", "box") else text
