"""Shapes with flat faces: half-space, box, convex polyhedron."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from trundle.errors import SceneError
from trundle.kinds import BOX, HALF_SPACE, POLYHEDRON
from trundle.scene.shapes_base import LARGEST, Array, Ints, Shape, Weighed, lengths, points
from trundle.scene.values import direction, number

COPLANAR = 1e-9  # distance, relative to the size, below which neighbouring facets are one face


@dataclass(frozen=True)
class HalfSpace(Shape):
    """Everything below the plane  normal . x = offset [m], in the frame of the body; fixed ground."""

    normal: tuple[float, float, float] = (0.0, 0.0, 1.0)
    offset: float = 0.0
    kind: ClassVar[int] = HALF_SPACE
    bounded: ClassVar[bool] = False

    def __post_init__(self) -> None:
        normal = direction("HalfSpace", "normal", self.normal)
        object.__setattr__(self, "normal", tuple(normal.tolist()))
        offset = number("HalfSpace", "offset", self.offset, "m", least=-LARGEST, most=LARGEST)
        object.__setattr__(self, "offset", offset)

    @property
    def parameters(self) -> tuple[float, ...]:
        return (*self.normal, self.offset)


@dataclass(frozen=True)
class Polytope:
    """A convex body by its corners: vertices (V, 3) [m]; faces: loops of corners, counterclockwise from outside."""

    vertices: Array
    faces: tuple[tuple[int, ...], ...]

    @cached_property
    def planes(self) -> Array:
        """Outward normal and offset of every face, shape (F, 4)."""
        rows = []
        for face in self.faces:
            corners = self.vertices[list(face)]
            area = np.cross(corners - corners[0], np.roll(corners, -1, axis=0) - corners[0]).sum(axis=0)
            normal = area / np.linalg.norm(area)
            rows.append([*normal, float(np.max(corners @ normal))])
        return np.array(rows)

    @cached_property
    def edges(self) -> Ints:
        """Corners of every edge (E, 2), smaller number first."""
        pairs = {(min(a, b), max(a, b)) for face in self.faces for a, b in zip(face, (*face[1:], face[0]), strict=True)}
        return np.array(sorted(pairs), np.int64)

    @cached_property
    def triangles(self) -> Ints:
        """The faces as fans of triangles (T, 3)."""
        return np.array([(f[0], f[i], f[i + 1]) for f in self.faces for i in range(1, len(f) - 1)], np.int64)

    def moments(self) -> tuple[float, Array, Array]:
        """Volume [m^3], centroid [m], second moments about the centroid per volume (3, 3) [m^2], exact."""
        centre = self.vertices.mean(axis=0)
        a, b, c = (self.vertices[self.triangles[:, i]] - centre for i in range(3))
        six = np.einsum("ti,ti->t", a, np.cross(b, c))  # 6 times the volumes of tetrahedra from the centre
        volume = six.sum() / 6.0
        total = a + b + c
        first = six @ total / 24.0 / volume
        corners = sum(np.einsum("t,ti,tj->ij", six, x, x) for x in (a, b, c, total))
        second = corners / 120.0 / volume - np.outer(first, first)
        return float(volume), centre + first, 0.5 * (second + second.T)


def box_polytope(half: Any) -> Polytope:
    """Corners of a box by its half edges [m], numbered by the signs of x (1), y (2), z (4)."""
    signs = np.array([[1 if i & 1 else -1, 1 if i & 2 else -1, 1 if i & 4 else -1] for i in range(8)], float)
    faces = ((0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6))
    return Polytope(signs * np.asarray(half), faces)


@dataclass(frozen=True)
class Box(Shape):
    """Box with edges of lengths `size` [m] along its own axes."""

    size: tuple[float, float, float]
    kind: ClassVar[int] = BOX

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", lengths("Box", "size", self.size))

    @property
    def volume(self) -> float:
        return math.prod(self.size)

    @property
    def unit_inertia(self) -> Array:
        a, b, c = self.size
        return np.diag([b * b + c * c, a * a + c * c, a * a + b * b]) / 12.0

    @property
    def bounding_radius(self) -> float:
        return 0.5 * math.hypot(*self.size)

    @property
    def parameters(self) -> tuple[float, ...]:
        return tuple(0.5 * x for x in self.size)

    @property
    def polytope(self) -> Polytope:
        """Its corners and faces."""
        return box_polytope(self.parameters)

    def surface_mesh(self, resolution: int = 24) -> tuple[Array, Ints]:
        return self.polytope.vertices, self.polytope.triangles

    def scaled(self, factor: float) -> Box:
        a, b, c = self.size
        return Box((factor * a, factor * b, factor * c))


@dataclass(frozen=True)
class Polyhedron(Weighed):
    """Convex polyhedron by its corners [m], or the convex hull of a cloud of points.

    vertices (n, 3); faces: optional lists of corners, which are checked to be the faces of a convex body with these
    corners.  The body's frame is moved to the centroid: corner i is at `vertices[i] - centroid` in it.
    """

    vertices: Any
    faces: Any = None
    kind: ClassVar[int] = POLYHEDRON

    def __post_init__(self) -> None:
        given = points("Polyhedron", "vertices", self.vertices)
        object.__setattr__(self, "vertices", tuple(map(tuple, given.tolist())))
        whole = _hull(given)
        if self.faces is not None:
            object.__setattr__(self, "faces", _check_faces(self.faces, given, whole))
        volume, centroid, second = whole.moments()
        size = float(np.ptp(given, axis=0).max())
        if not volume > 1e-12 * size**3:
            raise SceneError(f"Polyhedron: its volume of {volume:.3g} m^3 is nothing against its size of {size:.3g} m.")
        moved = Polytope(whole.vertices - centroid, whole.faces)
        for name, value in (("_polytope", moved), ("_volume", volume), ("_centroid", centroid), ("_second", second)):
            object.__setattr__(self, name, value)

    @property
    def bounding_radius(self) -> float:
        return float(np.sqrt(np.max(np.sum(self.polytope.vertices**2, axis=1))))

    @property
    def polytope(self) -> Polytope:
        """Corners and faces of the hull in the body's frame."""
        return self._polytope  # type: ignore[attr-defined]

    def surface_mesh(self, resolution: int = 24) -> tuple[Array, Ints]:
        return self.polytope.vertices, self.polytope.triangles

    def as_table(self) -> dict[str, Any]:
        table = super().as_table()
        if self.faces is None:
            del table["faces"]
        return table

    def scaled(self, factor: float) -> Polyhedron:
        return Polyhedron(factor * np.array(self.vertices), self.faces)


def _hull(given: Array) -> Polytope:
    """Convex hull with flat neighbouring facets joined; corners in the order they were given."""
    if len(given) < 4:
        raise SceneError(f"Polyhedron: {len(given)} vertices; a body needs at least 4.")
    from scipy.spatial import ConvexHull, QhullError  # slow to import, and seldom needed

    try:
        hull = ConvexHull(given)
    except (QhullError, ValueError):
        raise SceneError(
            "Polyhedron: the vertices lie in a plane, on a line or in a point; a body needs a volume. For a flat plate use "
            "a thin Box."
        ) from None
    size = float(np.ptp(given, axis=0).max())
    group = _joined(hull, given, COPLANAR * size)
    faces = []
    for g in range(group.max() + 1):
        corners = np.unique(hull.simplices[group == g])
        normal = hull.equations[group == g][:, :3].sum(axis=0)
        faces.append(_loop(given, corners, normal / np.linalg.norm(normal)))
    used = np.unique(np.concatenate([np.array(face) for face in faces]))
    number_of = np.full(len(given), -1)
    number_of[used] = np.arange(len(used))
    ordered = sorted(tuple(int(number_of[i]) for i in face) for face in faces)
    return Polytope(np.ascontiguousarray(given[used]), tuple(ordered))


def _joined(hull: Any, given: Array, tolerance: float) -> Ints:
    """Number of the flat face that each facet of the hull belongs to."""
    group = np.full(len(hull.simplices), -1)
    count = 0
    for start in range(len(group)):
        if group[start] >= 0:
            continue
        plane = hull.equations[start]
        waiting = [start]
        group[start] = count
        while waiting:
            for j in hull.neighbors[waiting.pop()]:
                corners = given[hull.simplices[j]]
                if group[j] < 0 and np.abs(corners @ plane[:3] + plane[3]).max() < tolerance:
                    group[j] = count
                    waiting.append(int(j))
        count += 1
    return group


def _loop(given: Array, corners: Ints, normal: Array) -> tuple[int, ...]:
    """Corners of a face counterclockwise about its outward normal, beginning with the smallest number."""
    middle = given[corners].mean(axis=0)
    x = given[corners[0]] - middle
    x -= (x @ normal) * normal
    y = np.cross(normal, x)
    offset = given[corners] - middle
    order = corners[np.argsort(np.arctan2(offset @ y, offset @ x))]
    return tuple(int(i) for i in np.roll(order, -int(np.argmin(order))))


def _check_faces(faces: Any, given: Array, hull: Polytope) -> tuple[tuple[int, ...], ...]:
    """The faces as tuples, if they belong to a convex body with these corners."""
    try:
        loops = tuple(tuple(int(i) for i in face) for face in faces)
    except (TypeError, ValueError):
        raise SceneError("Polyhedron: faces must be lists of vertex numbers.") from None
    size = float(np.ptp(given, axis=0).max())
    if len(hull.vertices) < len(np.unique(given, axis=0)):
        raise SceneError(
            "Polyhedron: faces were given, but not every vertex is a corner of the convex hull: not convex."
        )
    for k, loop in enumerate(loops):
        if len(loop) < 3 or min(loop) < 0 or max(loop) >= len(given) or len(set(loop)) < len(loop):
            raise SceneError(
                f"Polyhedron: faces[{k}] = {list(loop)} must name 3 or more different vertices (0 to {len(given) - 1})."
            )
        middle = given[list(loop)]
        inside = np.abs(middle @ hull.planes[:, :3].T - hull.planes[:, 3]).max(axis=0).min()
        if inside > 1e-6 * size:
            raise SceneError(
                f"Polyhedron: faces[{k}] is not a face of the convex hull of the vertices: not convex, or not flat."
            )
    return loops
