"""Fixed ground: triangle meshes and height fields."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from trundle.errors import SceneError
from trundle.scene.shapes_base import HEIGHT_FIELD, LARGEST, MESH, Array, Ints, Shape, length, points
from trundle.scene.values import vector

FORMATS = (".stl", ".obj", ".ply")


@dataclass(frozen=True, eq=False)
class Mesh(Shape):
    """Triangle mesh as fixed ground: vertices (n, 3) [m] and faces (m, 3), or a file (STL, OBJ, PLY).

    Triangles are seen counterclockwise from outside; bodies rest on the outside.  scale: factor on the coordinates, 1e-3
    for millimetres.
    """

    vertices: Any = None
    faces: Any = None
    file: Any = None
    scale: float = 1.0
    kind: ClassVar[int] = MESH
    bounded: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", length("Mesh", "scale", self.scale))
        if self.file is not None:
            if self.vertices is not None or self.faces is not None:
                raise SceneError("Mesh: give vertices and faces, or a file, not both.")
            object.__setattr__(self, "file", str(self.file))
            vertices, faces = _read(Path(str(self.file)))
            place = f"Mesh: {self.file}"
        else:
            if self.vertices is None or self.faces is None:
                raise SceneError("Mesh: give vertices (n, 3) [m] and faces (m, 3), or file='ground.stl'.")
            vertices, faces = self.vertices, self.faces
            place = "Mesh"
        vertices = points(place, "vertices", vertices) * self.scale
        if self.file is None:
            object.__setattr__(self, "scale", 1.0)  # applied: the vertices are the ones to keep
        object.__setattr__(self, "vertices", vertices)
        object.__setattr__(self, "faces", _check_triangles(place, vertices, faces))

    @property
    def bounding_radius(self) -> float:
        return float(np.sqrt(np.max(np.sum(self.vertices**2, axis=1))))

    def surface_mesh(self, resolution: int = 24) -> tuple[Array, Ints]:
        return self.vertices, self.faces

    def as_table(self) -> dict[str, Any]:
        # without the file, which may change or stay behind; scaled already: dividing by the scale would lose bits
        return {"shape": "Mesh", "vertices": self.vertices.tolist(), "faces": self.faces.tolist()}


@dataclass(frozen=True, eq=False)
class HeightField(Shape):
    """Ground by its heights [m] above a rectangular grid of the body's x and y, as fixed ground.

    heights (nx, ny): at x = origin[0] + i spacing[0], y = origin[1] + j spacing[1], measured from z = origin[2];
    between them two triangles per cell, divided from the corner (i, j) to (i + 1, j + 1).  spacing: a number or two [m].
    """

    heights: Any
    spacing: Any
    origin: Any = (0.0, 0.0, 0.0)
    kind: ClassVar[int] = HEIGHT_FIELD
    bounded: ClassVar[bool] = False

    def __post_init__(self) -> None:
        try:
            heights = np.asarray(self.heights)
            if heights.dtype.kind not in "iuf":
                raise TypeError
            heights = np.ascontiguousarray(heights, dtype=float)
        except (TypeError, ValueError):
            raise SceneError("HeightField: heights must be a table (nx, ny) of numbers [m].") from None
        if heights.ndim != 2 or min(heights.shape) < 2:
            raise SceneError(
                f"HeightField: heights has the shape {heights.shape}; it must be (nx, ny), both at least 2."
            )
        wrong = ~(np.abs(heights) <= LARGEST)
        if np.any(wrong):
            i, j = np.argwhere(wrong)[0]
            raise SceneError(
                f"HeightField: heights[{i}][{j}] = {heights[i, j]} m must be finite, at most {LARGEST:g} m."
            )
        many = isinstance(self.spacing, (list, tuple, np.ndarray))
        steps = tuple(self.spacing) if many else (self.spacing, self.spacing)
        if len(steps) != 2:
            raise SceneError(f"HeightField: spacing = {self.spacing!r} must be one or two lengths [m].")
        object.__setattr__(self, "heights", heights)
        object.__setattr__(self, "spacing", tuple(length("HeightField", "spacing", s) for s in steps))
        object.__setattr__(self, "origin", tuple(vector("HeightField", "origin", self.origin, "m").tolist()))
        nx, ny = heights.shape
        i, j = np.meshgrid(np.arange(nx), np.arange(ny), indexing="ij")
        grid = np.stack([i * self.spacing[0], j * self.spacing[1], heights], -1).reshape(-1, 3)
        object.__setattr__(self, "vertices", np.ascontiguousarray(grid + np.array(self.origin)))
        a = (i[:-1, :-1] * ny + j[:-1, :-1]).ravel()
        lower, upper = np.stack([a, a + ny, a + ny + 1], 1), np.stack([a, a + ny + 1, a + 1], 1)
        object.__setattr__(self, "faces", np.stack([lower, upper], 1).reshape(-1, 3).astype(np.int64))

    @property
    def bounding_radius(self) -> float:
        return float(np.sqrt(np.max(np.sum(self.vertices**2, axis=1))))  # type: ignore[attr-defined]

    def surface_mesh(self, resolution: int = 24) -> tuple[Array, Ints]:
        return self.vertices, self.faces  # type: ignore[attr-defined]


def _read(path: Path) -> tuple[Array, Ints]:
    """Vertices and triangles of a file."""
    if path.suffix.lower() not in FORMATS:
        raise SceneError(f"Mesh: file = {str(path)!r}: unknown kind of file. Known: {', '.join(FORMATS)}.")
    if not path.is_file():
        raise SceneError(f"Mesh: file = {str(path)!r}: there is no such file.")
    import trimesh

    try:
        mesh: Any = trimesh.load(path, force="mesh", process=False)
        vertices, faces = np.array(mesh.vertices, float), np.array(mesh.faces, np.int64)
    except Exception as error:  # whatever a reader of foreign files may raise
        raise SceneError(f"Mesh: file = {str(path)!r} cannot be read: {error or type(error).__name__}.") from None
    if len(vertices) == 0 or len(faces) == 0:
        raise SceneError(f"Mesh: file = {str(path)!r} holds no triangles.")
    if not np.all(np.isfinite(vertices)):
        raise SceneError(f"Mesh: file = {str(path)!r} holds coordinates that are not finite.")
    # STL repeats the corners of every triangle: the same place is the same vertex
    unique, inverse = np.unique(vertices, axis=0, return_inverse=True)
    return unique, inverse.reshape(-1)[faces]


def _check_triangles(place: str, vertices: Array, faces: Any) -> Ints:
    """Triangles (m, 3), each with an area and with corners that exist."""
    try:
        array = np.asarray(faces)
        if array.dtype.kind not in "iu" and not (
            array.dtype.kind == "f" and np.all(np.abs(array) < 2**62) and np.all(array == np.floor(array))
        ):
            raise TypeError
        array = np.ascontiguousarray(array, dtype=np.int64)
    except (TypeError, ValueError):
        raise SceneError(f"{place}: faces must be a list of three vertex numbers each.") from None
    if array.ndim != 2 or array.shape[1] != 3 or len(array) == 0:
        raise SceneError(f"{place}: faces has the shape {array.shape}; it must be (m, 3), triangles.")
    if array.min() < 0 or array.max() >= len(vertices):
        raise SceneError(
            f"{place}: faces name vertices from {array.min()} to {array.max()}; there are 0 to {len(vertices) - 1}."
        )
    a, b, c = (vertices[array[:, k]] for k in range(3))
    double = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    longest = np.max(
        [np.linalg.norm(b - a, axis=1), np.linalg.norm(c - b, axis=1), np.linalg.norm(a - c, axis=1)], axis=0
    )
    flat = double <= 1e-10 * longest**2
    if flat.all():
        raise SceneError(f"{place}: all triangles are degenerate: they have no area.")
    if flat.any():
        k = int(np.argmax(flat))
        raise SceneError(
            f"{place}: {int(flat.sum())} of {len(array)} triangles are degenerate (no area), the first is number {k}. "
            "Repair the mesh."
        )
    _check_winding(place, array)
    return array


def _check_winding(place: str, faces: Ints) -> None:
    """Two triangles that share an edge go along it in opposite directions, or one of them looks the wrong way."""
    start, end = faces.ravel(), faces[:, [1, 2, 0]].ravel()
    owner = np.repeat(np.arange(len(faces)), 3)
    low, high, forward = np.minimum(start, end), np.maximum(start, end), start < end
    order = np.lexsort((owner, high, low))
    low, high, forward, owner = low[order], high[order], forward[order], owner[order]
    same = (low[1:] == low[:-1]) & (high[1:] == high[:-1])
    pair = (
        same & ~np.append(same[1:], False) & ~np.insert(same[:-1], 0, False)
    )  # where more than two meet, each has a border
    wrong = np.flatnonzero(pair & (forward[1:] == forward[:-1]))
    if len(wrong):
        one, other = owner[wrong[0]], owner[wrong[0] + 1]
        raise SceneError(
            f"{place}: neighbouring triangles look to opposite sides ({len(wrong)} edges, the first between triangles "
            f"{one} and {other}). All must be seen counterclockwise from outside: reverse the corners of the others."
        )


def neighbours(faces: Ints) -> Ints:
    """Triangle on the other side of every edge (k, k + 1) of every triangle, -1 at a border; shape (m, 3)."""
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    owner = np.tile(np.arange(len(faces)), 3)
    side = np.repeat(np.arange(3), len(faces))
    order = np.lexsort((owner, edges[:, 1], edges[:, 0]))
    same = np.all(edges[order[1:]] == edges[order[:-1]], axis=1)
    # an edge of exactly two triangles joins them; where more meet, it counts as a border of each
    first = same & ~np.concatenate([[False], same[:-1]]) & ~np.concatenate([same[1:], [False]])
    one, other = order[:-1][first], order[1:][first]
    result = np.full((len(faces), 3), -1, np.int64)
    result[owner[one], side[one]] = owner[other]
    result[owner[other], side[other]] = owner[one]
    return result
