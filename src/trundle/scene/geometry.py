"""The shapes of all bodies as flat arrays: what contact detection sees of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from trundle.errors import SceneError
from trundle.scene.shapes_base import Array, Ints, Shape
from trundle.scene.shapes_clump import Clump
from trundle.scene.shapes_compound import Compound
from trundle.scene.shapes_flat import Box, Polyhedron, Polytope
from trundle.scene.shapes_ground import HeightField, Mesh
from trundle.scene.shapes_round import Capsule, Cone, Cylinder, Ellipsoid, Sphere
from trundle.scene.surfaces import Ground, Surface, joined, normals

SIZES = 6
VERTEX, FACE, EDGE, BALL, TRIANGLE, NODE = range(6)
LEAF = 4  # triangles in a leaf of the tree
UNBENT = 1e-9  # largest difference of the normals of triangles that are of one plane


class Geometry(NamedTuple):
    """B bodies; lists that several bodies of the same shape share.

    kind (B,); size (B, 6): the shape's parameters; radius, inner (B,) [m]: balls around the origin that hold the shape, and
    that it holds; first, length (B, 6): where the lists of a body begin and how long they are, columns VERTEX to NODE.
    vertex (V, 3); plane (F, 4): outward normals and offsets of faces; loop_first (F + 1,), loop: corners of the faces,
    counterclockwise; edge (E, 2): corners; ball (S, 4): centres and radii of clumps.
    triangle (T, 4): corners of a mesh, and the first of the triangles of the same plane that hang together with it; across
    (T, 3): the triangles beyond its sides, -1 at a border; tilt (T, 3): outward
    normals; side (T, 3): 1 if bodies can touch the side and this triangle answers for it, + 2 and + 4 if it answers for
    its first and second corner; + 8 and + 16 if it answers to balls for the side, and for its first corner; fan_first, fan:
    triangles around every vertex; leaf: triangles in the order of the tree, node (N, 6): boxes of a complete binary tree
    over leaves of 4, low and high corner, root at 1.  Behind the triangles of a fixed ground stand those of other grounds
    around its seams: neighbours, which are in no leaf and not counted in `length`.
    All numbers in lists count from the body's own `first`.
    """

    kind: Ints
    size: Array
    radius: Array
    inner: Array
    first: Ints
    length: Ints
    vertex: Array
    plane: Array
    loop_first: Ints
    loop: Ints
    edge: Ints
    ball: Array
    triangle: Ints
    across: Ints
    tilt: Array
    side: Ints
    fan_first: Ints
    fan: Ints
    leaf: Ints
    node: Array


class Layout(NamedTuple):
    """Lists of a surface that take long to build: see `Geometry`; fan_end: where the triangles around a vertex end in fan."""

    triangle: Ints
    tilt: Array
    fan_end: Ints
    fan: Ints
    leaf: Ints
    node: Array


def lay_out(surface: Surface) -> Layout:
    """The lists of a surface."""
    vertices, faces, own = surface.vertices, surface.faces, surface.own
    corner = faces.ravel()
    fan = (np.argsort(corner, kind="stable") // 3).astype(np.int64)
    ends = np.cumsum(np.bincount(corner, minlength=len(vertices))).astype(np.int64)
    leaf, node = _tree(vertices, faces[:own])
    tilt, leaf = normals(vertices, faces), np.concatenate([leaf, np.arange(own, len(faces))])
    triangle = np.column_stack([faces, _planes(tilt, surface.across)])
    return Layout(triangle, tilt, ends, fan, leaf, node)


def _planes(tilt: Array, across: Ints) -> Ints:
    """The first triangle of the plane of each triangle (T,): of those that hang together with it without a bend."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    one, side = np.nonzero(across >= 0)
    other = across[one, side]
    flat = np.abs(tilt[one] - tilt[other]).max(axis=1, initial=0.0) <= UNBENT
    links = coo_array((np.ones(np.count_nonzero(flat)), (one[flat], other[flat])), shape=(len(tilt), len(tilt)))
    _, part = connected_components(links, directed=False)
    return np.unique(part, return_index=True)[1][part].astype(np.int64)


def _layout_of(shape: HeightField | Mesh) -> Layout:
    """The lists of a ground that touches no other, kept with it: scenes that differ in their blocks share them."""
    kept: Layout | None = shape.__dict__.get("_layout")
    if kept is None:
        kept = lay_out(shape.alone)
        object.__setattr__(shape, "_layout", kept)
    return kept


class _Lists:
    """Collects the lists of all shapes, each shape once."""

    def __init__(self) -> None:
        self.parts: dict[str, list[np.ndarray]] = {}
        self.length: dict[str, int] = {}
        self.known: dict[object, tuple[list[int], list[int]]] = {}

    def add(self, name: str, rows: np.ndarray) -> tuple[int, int]:
        start = self.length.get(name, 0)
        self.parts.setdefault(name, []).append(rows)
        self.length[name] = start + len(rows)
        return start, len(rows)

    def joined(self, name: str, like: np.ndarray) -> np.ndarray:
        parts = self.parts.get(name, [])
        return np.ascontiguousarray(np.concatenate([like, *parts]) if parts else like)

    def of(self, shape: Shape) -> tuple[list[int], list[int]]:
        key: object = shape  # by value where the shape can be compared, by identity otherwise
        if key not in self.known:
            first, count = [0] * 6, [0] * 6
            if isinstance(shape, (Box, Polyhedron)):
                self._polytope(shape.polytope, first, count)
            elif isinstance(shape, Clump):
                first[BALL], count[BALL] = self.add("ball", shape.spheres)
            elif isinstance(shape, (Mesh, HeightField)):
                first, count = self.mesh(shape.alone, _layout_of(shape))
            self.known[key] = first, count
        return self.known[key]

    def _polytope(self, polytope: Polytope, first: list[int], count: list[int]) -> None:
        first[VERTEX], count[VERTEX] = self.add("vertex", polytope.vertices)
        first[FACE], count[FACE] = self.add("plane", polytope.planes)
        first[EDGE], count[EDGE] = self.add("edge", polytope.edges)
        ends = np.cumsum([len(face) for face in polytope.faces]) + self.length.get("loop", 0)
        self.add("loop_first", ends.astype(np.int64))
        self.add("loop", np.concatenate([np.array(face, np.int64) for face in polytope.faces]))
        self._no_fans(len(polytope.vertices))

    def _no_fans(self, vertices: int) -> None:
        # fan_first has one entry per vertex of all shapes
        self.add("fan_first", np.full(vertices, self.length.get("fan", 0), np.int64))

    def mesh(self, surface: Surface, layout: Layout | None = None) -> tuple[list[int], list[int]]:
        """The lists of a ground; its own triangles are in the tree, those of other grounds at its seams are not."""
        first, count = [0] * 6, [0] * 6
        first[VERTEX], count[VERTEX] = self.add("vertex", surface.vertices)
        layout = layout or lay_out(surface)
        first[TRIANGLE], count[TRIANGLE] = self.add("triangle", layout.triangle)[0], surface.own
        self.add("across", surface.across)
        self.add("tilt", layout.tilt)
        self.add("side", surface.side)
        self.add("fan_first", layout.fan_end + self.length.get("fan", 0))
        self.add("fan", layout.fan)
        self.add("leaf", layout.leaf)
        first[NODE], count[NODE] = self.add("node", layout.node)
        return first, count


def build_geometry(shapes: Sequence[Shape], fixed: Sequence[tuple[int, Array, Array]] = ()) -> Geometry:
    """The geometry of bodies with these shapes; fixed: number, position and orientation of grounds that never move."""
    lists = _Lists()
    seams = {}
    if len(fixed) > 1:
        surfaces = joined([Ground(*shapes[i].surface_mesh(), p, q) for i, p, q in fixed])
        seams = {fixed[k][0]: surface for k, surface in surfaces.items()}
        for i, surface in seams.items():
            if getattr(shapes[i], "zones", None) is not None and surface.own != len(shapes[i].faces):  # type: ignore[attr-defined]
                raise SceneError(
                    f"a {type(shapes[i]).__name__} with zones touches another ground, whose corners divide its triangles. "
                    "Make them one ground, or let the corners of both coincide."
                )
    rows = [lists.mesh(seams[i]) if i in seams else lists.of(shape) for i, shape in enumerate(shapes)]
    size = np.zeros((len(shapes), SIZES))
    for i, shape in enumerate(shapes):
        size[i, : len(shape.parameters)] = shape.parameters
    none = np.zeros(0, np.int64)
    return Geometry(
        kind=np.array([shape.kind for shape in shapes], np.int64), size=size,
        radius=np.array([shape.bounding_radius for shape in shapes], float),
        inner=np.array([inner_radius(shape) for shape in shapes], float),
        first=np.array([row[0] for row in rows], np.int64).reshape(-1, 6),
        length=np.array([row[1] for row in rows], np.int64).reshape(-1, 6),
        vertex=lists.joined("vertex", np.zeros((0, 3))), plane=lists.joined("plane", np.zeros((0, 4))),
        loop_first=lists.joined("loop_first", np.zeros(1, np.int64)), loop=lists.joined("loop", none),
        edge=lists.joined("edge", np.zeros((0, 2), np.int64)), ball=lists.joined("ball", np.zeros((0, 4))),
        triangle=lists.joined("triangle", np.zeros((0, 4), np.int64)),
        across=lists.joined("across", np.zeros((0, 3), np.int64)), tilt=lists.joined("tilt", np.zeros((0, 3))),
        side=lists.joined("side", np.zeros((0, 3), np.int64)),
        fan_first=lists.joined("fan_first", np.zeros(1, np.int64)), fan=lists.joined("fan", none),
        leaf=lists.joined("leaf", none), node=lists.joined("node", np.zeros((0, 6))),
    )  # fmt: skip


def inner_radius(shape: Shape) -> float:
    """Radius [m] of a ball around the origin of the body's frame that lies within the shape; 0 if there is none."""
    if isinstance(shape, Sphere):
        return shape.radius
    if isinstance(shape, Ellipsoid):
        return min(shape.semi_axes)
    if isinstance(shape, Cylinder):
        return min(shape.radius, 0.5 * shape.height)
    if isinstance(shape, Cone):  # its centre is a quarter of the height above the base
        return min(
            0.25 * shape.height, 0.75 * shape.height * shape.radius / float(np.hypot(shape.radius, shape.height))
        )
    if isinstance(shape, Capsule):
        return shape.radius
    if isinstance(shape, Box):
        return min(shape.parameters)
    if isinstance(shape, Polyhedron):
        return float(shape.polytope.planes[:, 3].min())
    if isinstance(shape, Clump):
        return max(0.0, float(np.max(shape.spheres[:, 3] - np.linalg.norm(shape.spheres[:, :3], axis=1))))
    if isinstance(shape, Compound):
        return max(0.0, *(inner_radius(part) - float(np.linalg.norm(at)) for part, at, _ in shape.placed()))
    return 0.0  # disks and ground


def overlap_size(shape: Shape) -> float:
    """Length [m] that overlaps of a body are compared with; infinite for disks and ground, which have no inside.

    The ball inside it, or the smallest ball of a clump whose centre is outside of all of them, as in a ring.
    """
    if isinstance(shape, Clump):
        return inner_radius(shape) or float(shape.spheres[:, 3].min())
    if isinstance(shape, Compound):
        return min(overlap_size(part) for part, _, _ in shape.placed())
    return inner_radius(shape) or np.inf


def _tree(vertices: Array, faces: Ints) -> tuple[Ints, Array]:
    """Triangles along a curve through space (Morton's), and a complete binary tree of boxes over groups of LEAF of them."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    middle = 0.5 * (low + high)
    extent = np.ptp(middle, axis=0)
    grid = ((middle - middle.min(axis=0)) / max(float(extent.max()), 1e-300) * 1023.0).astype(np.int64)
    code = np.zeros(len(faces), np.int64)
    for bit in range(10):
        for axis in range(3):
            code |= ((grid[:, axis] >> bit) & 1) << (3 * bit + axis)
    leaf = np.argsort(code, kind="stable").astype(np.int64)
    leaves = 1 << max(0, int(np.ceil(np.log2(max(1, -(-len(faces) // LEAF))))))
    node = np.empty((2 * leaves, 6))
    node[:, :3], node[:, 3:] = np.inf, -np.inf
    starts = np.arange(0, len(faces), LEAF)
    node[leaves : leaves + len(starts), :3] = np.minimum.reduceat(low[leaf], starts, axis=0)
    node[leaves : leaves + len(starts), 3:] = np.maximum.reduceat(high[leaf], starts, axis=0)
    width = leaves // 2
    while width:
        children = node[2 * width : 4 * width].reshape(width, 2, 6)
        one, other = children[:, 0], children[:, 1]
        node[width : 2 * width, :3] = np.minimum(one[:, :3], other[:, :3])
        node[width : 2 * width, 3:] = np.maximum(one[:, 3:], other[:, 3:])
        width //= 2
    return leaf, node
