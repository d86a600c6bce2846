"""Rigid bodies made of convex parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from trundle.errors import SceneError
from trundle.kinds import BOX, CAPSULE, COMPOUND, CONE, CYLINDER, DISK, ELLIPSOID, POLYHEDRON, SPHERE
from trundle.scene.shapes_base import Array, Ints, Shape, Weighed
from trundle.scene.surfaces import rotation
from trundle.scene.values import is_list, number, quaternion, vector

CONVEX = (SPHERE, BOX, ELLIPSOID, DISK, CYLINDER, CAPSULE, POLYHEDRON, CONE)
STRAIGHT = (1.0, 0.0, 0.0, 0.0)


class Part(NamedTuple):
    """A convex part: its shape, the place of its centre of mass [m] and its orientation (w, x, y, z) in the description of the
    whole, and its density [kg/m^3], or None."""

    shape: Shape
    position: tuple[float, ...]
    orientation: tuple[float, ...]
    density: float | None


@dataclass(frozen=True)
class Compound(Weighed):
    """Rigid body made of convex parts: (shape, position, orientation, density), all but the shape may be left out.

    position: of the part's centre of mass [m]; orientation: unit quaternion (w, x, y, z); density [kg/m^3] of all parts or of
    none: then the body needs neither mass nor density.  In a scene file a part is a table of its shape with these keys.
    Volume, centre of mass and inertia are the sums over the parts: where they overlap, the material counts twice.  The
    body's frame is moved to the centre of mass; it collides with all of its parts.

    >>> Compound([Box((0.2, 0.05, 0.05)), (Cylinder(0.02, 0.3), (0, 0, 0.175))])
    """

    parts: Any
    kind: ClassVar[int] = COMPOUND

    def __post_init__(self) -> None:
        if not is_list(self.parts) or not len(self.parts):
            raise SceneError("Compound: parts must be a list of (shape, position, orientation, density), at least one.")
        parts = tuple(_part(f"Compound: parts[{i}]", given) for i, given in enumerate(self.parts))
        given = [part.density is not None for part in parts]
        if any(given) != all(given):
            missing = given.index(False)
            raise SceneError(
                f"Compound: parts[{missing}] has no density, but others have: give it for all parts or for none."
            )
        object.__setattr__(self, "parts", parts)
        volume = np.array([part.shape.volume for part in parts])
        for i in np.flatnonzero(~(volume > 0.0)):
            raise SceneError(
                f"Compound: parts[{i}], a {type(parts[i].shape).__name__}, has no volume. Give it a thickness."
            )
        weight = volume * np.array([1.0 if part.density is None else part.density for part in parts])
        place = np.array([part.position for part in parts])
        centre = weight @ place / weight.sum()
        second = np.zeros((3, 3))
        for part, each, at in zip(parts, weight, place - centre, strict=True):
            turn, unit = rotation(np.array(part.orientation)), np.asarray(part.shape.unit_inertia, float)
            unit = np.diag(unit) if unit.ndim == 1 else unit
            own = 0.5 * np.trace(unit) * np.eye(3) - unit  # second moments per mass
            second += each / weight.sum() * (turn @ own @ turn.T + np.outer(at, at))
        own_mass = float(weight.sum()) if all(given) else None
        for name, value in (
            ("_volume", float(volume.sum())), ("_centroid", centre), ("_second", second), ("_own_mass", own_mass),
        ):  # fmt: skip
            object.__setattr__(self, name, value)

    @property
    def own_mass(self) -> float | None:
        """Mass [kg] by the densities of the parts, None if they have none."""
        return self._own_mass  # type: ignore[attr-defined]

    def placed(self) -> list[tuple[Shape, Array, Array]]:
        """Shape, place of the centre (3,) [m] and rotation (3, 3) of every part in the body's frame."""
        centre = self.centroid
        return [(p.shape, np.array(p.position) - centre, rotation(np.array(p.orientation))) for p in self.parts]

    @property
    def bounding_radius(self) -> float:
        return max(float(np.linalg.norm(at)) + shape.bounding_radius for shape, at, _ in self.placed())

    def surface_mesh(self, resolution: int = 24) -> tuple[Array, Ints]:
        corners, faces, count = [], [], 0
        for shape, at, turn in self.placed():
            vertices, triangles = shape.surface_mesh(resolution)
            corners.append(at + vertices @ turn.T)
            faces.append(triangles + count)
            count += len(vertices)
        return np.concatenate(corners), np.concatenate(faces)

    def as_table(self) -> dict[str, Any]:
        tables = []
        for part in self.parts:
            table = {**part.shape.as_table(), "position": list(part.position), "orientation": list(part.orientation)}
            tables.append(table if part.density is None else {**table, "density": part.density})
        return {"shape": "Compound", "parts": tables}

    def scaled(self, factor: float) -> Compound:
        return Compound(
            [(p.shape.scaled(factor), factor * np.array(p.position), p.orientation, p.density) for p in self.parts]
        )


def _part(place: str, given: Any) -> Part:
    """A part from a shape, a tuple or a table."""
    if isinstance(given, Mapping):
        from trundle.scene.shapes import shape_from_table  # which knows this class

        table = dict(given)
        rest = [table.pop(name, None) for name in ("position", "orientation", "density")]
        given = (shape_from_table(table, place), *rest)
    elif isinstance(given, Shape):
        given = (given,)
    if not is_list(given) or not 1 <= len(given) <= 4:
        raise SceneError(f"{place} must be a shape, or (shape, position, orientation, density).")
    values: list[Any] = [*list(given), None, None, None][:4]
    shape, position, orientation, density = values
    if not isinstance(shape, Shape) or shape.kind not in CONVEX:
        what = type(shape).__name__ if isinstance(shape, Shape) else repr(shape)
        raise SceneError(
            f"{place}: {what} is no convex shape. Give a Box, Capsule, Cone, Cylinder, Disk, Ellipsoid, Polyhedron or Sphere."
        )
    return Part(
        shape,
        tuple(vector(place, "position", (0.0, 0.0, 0.0) if position is None else position, "m").tolist()),
        tuple(quaternion(place, STRAIGHT if orientation is None else orientation).tolist()),
        None if density is None else number(place, "density", density, "kg/m^3", positive=True),
    )
