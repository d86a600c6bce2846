"""Groups of arrays that the kernels of contact detection take, and that are kept from step to step."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Solids(NamedTuple):
    """The shapes of B bodies, apart from meshes, as in `scene.geometry.Geometry`."""

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


class Lists(NamedTuple):
    """Numbers of bodies: the bounded ones that can touch each other, half-spaces, meshes, movable spheres, other movable
    bodies, all that turn.

    held (B,): bodies that nothing can push; surface (B,), pair (S, S): surfaces and the laws of their pairs.
    zone_of (B,): where the surfaces of a ground's triangles begin in zone, -1 if it has one surface.
    """

    bounded: Ints
    planes: Ints
    meshes: Ints
    spheres: Ints
    others: Ints
    turned: Ints
    held: Flags
    surface: Ints
    pair: Ints
    zone_of: Ints
    zone: Ints


class Placed(NamedTuple):
    """Where B bodies are: position (B, 3), R (B, 3, 3), and how far they reach within the step, reach (B,) [m].

    margin [m] is added to the reach of every pair.
    """

    position: Array
    R: Array
    reach: Array
    held: Flags
    margin: float


class Room(NamedTuple):
    """Work: reach, outer (B,); R (B, 3, 3); plane (P, 4): world half-spaces; packed (B, 8): see `pack_spheres`.

    rims (P, n, 2): memory of `rim_direction` for the n other movable bodies.  points (.., 3), point_ids, curved: points of a
    body that touch ground; start (B + 1,).
    """

    reach: Array
    outer: Array
    R: Array
    plane: Array
    packed: Array
    rims: Array
    points: Array
    point_ids: Ints
    curved: Array
    start: Ints


class Walls(NamedTuple):
    """Walls that are touched from inside: numbers of these bodies (W,) and of all bounded ones (M,).

    rims (W, M, 4): memory of `hollow.deepest_on_rim` for both rims of a body.
    """

    walls: Ints
    members: Ints
    rims: Array


class Polytopes(NamedTuple):
    """Boxes and polyhedra: members, numbers of these bodies; first (B, 2): where their corners and faces begin, -1: none.

    corner (.., 3), face (.., 4): in world axes about the centres, for every body its own; edge (E, 4): corners, faces to the
    left and right, counted within the body; bend (E,): cosine of the angle between the normals of these faces.
    most (2,): faces and edges of a body.
    """

    members: Ints
    first: Ints
    corner: Array
    face: Array
    edge: Ints
    bend: Array
    most: Ints


class Patches(NamedTuple):
    """Work of `kernels.patch`: for bodies a and b their patches, then what they have in common.

    gaps (.., 2): height of a and gap at every place.
    """

    corners: Array
    numbers: Ints
    facing: Array
    seen: Array
    slope: Array
    lines: Array
    tables: Array
    tangents: Array
    places: Array
    ids: Ints
    gaps: Array
    spots: Array


class Search(NamedTuple):
    """Work of `kernels.convex`: d and n (3,): between the centres, and the normal; near (2, 3): nearest points."""

    d: Array
    n: Array
    near: Array
    W: Array
    P: Array
    share: Array
    vectors: Array
    newton: Array
    directions: Array


class OnMesh(NamedTuple):
    """Work of `kernels.mesh`; an edge as a capsule: E (3, 3) its frame, edge_size (6,), middle (3,)."""

    points: Array
    point_ids: Ints
    curved: Array
    rim: Array
    stack: Ints
    triangle: Array
    edge: Array
    edge_size: Array
    middle: Array
    candidates: Ints
