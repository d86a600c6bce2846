"""Shapes of bodies with their exact mass properties, and how they are written in scene files."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from trundle.errors import SceneError, unknown
from trundle.scene.shapes_base import Array, Shape
from trundle.scene.shapes_clump import Clump
from trundle.scene.shapes_flat import Box, HalfSpace, Polyhedron
from trundle.scene.shapes_ground import HeightField, Mesh
from trundle.scene.shapes_hollow import ConeInside, CylinderInside, SphereInside, TorusInside
from trundle.scene.shapes_round import Capsule, Cylinder, Disk, Ellipsoid, Sphere
from trundle.scene.values import vector

SHAPES: dict[str, type[Shape]] = {
    shape.__name__: shape
    for shape in (
        Box, Capsule, Clump, ConeInside, Cylinder, CylinderInside, Disk, Ellipsoid, HalfSpace, HeightField, Mesh, Polyhedron,
        Sphere, SphereInside, TorusInside,
    )
}  # fmt: skip


def shape_from_table(table: Any, place: str = "shape") -> Shape:
    """A shape from plain data, as `Shape.as_table` gives it; place: where it stands, for messages."""
    if not isinstance(table, dict):
        raise SceneError(f"{place}: {table!r} is not a table of a shape, such as {{shape = 'Sphere', radius = 0.1}}.")
    if "shape" not in table:
        raise SceneError(f"{place}: the key 'shape' is missing. Known shapes: {', '.join(SHAPES)}.")
    name = table["shape"]
    if not isinstance(name, str) or name not in SHAPES:
        raise SceneError(f"{place}: " + unknown("shape", name, SHAPES))
    known = [f.name for f in fields(SHAPES[name]) if f.init]
    for key in table:
        if key != "shape" and key not in known:
            raise SceneError(f"{place}: {name}: " + unknown("key", key, known))
    try:
        return SHAPES[name](**{key: value for key, value in table.items() if key != "shape"})
    except SceneError as error:
        raise SceneError(f"{place}: {error}") from None
    except TypeError:
        needed = [f.name for f in fields(SHAPES[name]) if f.init and f.name not in table]
        raise SceneError(f"{place}: a {name} needs {', '.join(needed)}.") from None


__all__ = [
    "SHAPES", "Array", "Box", "Capsule", "Clump", "ConeInside", "Cylinder", "CylinderInside", "Disk", "Ellipsoid", "HalfSpace",
    "HeightField", "Mesh", "Polyhedron", "Shape", "Sphere", "SphereInside", "TorusInside", "shape_from_table", "vector",
]  # fmt: skip
