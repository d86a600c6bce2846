"""Surfaces of triangles: what lies beyond their sides, also where two grounds meet.

Grounds that touch are one surface.  Where vertices of fixed grounds coincide in the world, or lie on an edge of another
one, the grounds are joined: each keeps its own triangles, and knows those of the others around the seam.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trundle.kernels.rotations import rotation_matrix
from trundle.scene.shapes_base import Array, Ints

CONVEX = 1e-6  # [rad] by which an edge of a mesh must stick out to be an edge that bodies can touch
SEAM = 1e-4  # distance, relative to the shortest edge of both, below which vertices of two grounds are the same
TOUCHABLE, FIRST_CORNER, SECOND_CORNER, EDGE, CORNER = 1, 2, 4, 8, 16  # bits of `side`


class Surface(NamedTuple):
    """Triangles of a ground, and behind them those of other grounds around its seams.

    vertices (V, 3) [m], faces (T, 3), frame of the ground; own: the number of its own triangles that can be touched, which
    come first; across, side (T, 3): as in `trundle.scene.geometry.Geometry`.
    """

    vertices: Array
    faces: Ints
    own: int
    across: Ints
    side: Ints


class Ground(NamedTuple):
    """A surface and where it is: vertices (V, 3) [m] and faces (T, 3) in its own frame, position, orientation."""

    vertices: Array
    faces: Ints
    position: Array
    orientation: Array


def single(vertices: Array, faces: Ints) -> Surface:
    """The surface of a ground that touches no other."""
    across, side, _ = _connect(vertices, faces, np.zeros(len(faces), np.int64))
    return Surface(vertices, faces, len(faces), across, side)


def joined(grounds: Sequence[Ground]) -> dict[int, Surface]:
    """The surfaces of those fixed grounds that touch another one, by their place in the list."""
    R = np.array([rotation(ground.orientation) for ground in grounds]).reshape(-1, 3, 3)
    world = [ground.vertices @ R[i].T + ground.position for i, ground in enumerate(grounds)]
    start = np.cumsum([0, *(len(vertices) for vertices in world)])
    weld = _Weld(grounds, world, start)
    for i, j in _near(world):
        weld.vertices(i, j)
    for i, j in _near(world):
        weld.edges(i, j)
        weld.edges(j, i)
    together = [i for i in range(len(grounds)) if weld.touches[i]]
    if not together:
        return {}
    parts = [weld.divided(i) for i in together]
    faces, number = np.concatenate(parts), np.repeat(together, [len(part) for part in parts])
    across, side, hidden = _connect(weld.place, faces, number)
    low, high = np.full(len(weld.place), len(grounds)), np.full(len(weld.place), -1)  # of the grounds at a vertex
    np.minimum.at(low, faces, number[:, None])
    np.maximum.at(high, faces, number[:, None])
    at_seam = np.flatnonzero((low < high)[faces].any(axis=1))
    result = {}
    for i in together:
        own = np.flatnonzero((number == i) & ~hidden)
        near = np.isin(faces[at_seam], faces[own]).any(axis=1) & ((number[at_seam] != i) | hidden[at_seam])
        rows = np.concatenate([own, at_seam[near]])
        if len(own):  # not buried among other solids
            vertices, local = _in_frame(grounds[i], R[i], int(start[i]), weld.place, faces[rows])
            result[i] = Surface(vertices, local, len(own), _renumbered(across[rows], rows), side[rows])
    return result


def _in_frame(ground: Ground, R: Array, start: int, place: Array, faces: Ints) -> tuple[Array, Ints]:
    """Vertices of triangles in the frame of a ground, and the triangles numbered so; start: number of its first vertex.

    Vertices keep their coordinates to the last bit, unless they are those of another ground.
    """
    points, local = np.unique(faces, return_inverse=True)
    vertices = (place[points] - ground.position) @ R
    own = (points >= start) & (points < start + len(ground.vertices))
    vertices[own] = ground.vertices[points[own] - start]
    return np.ascontiguousarray(vertices), local.reshape(-1, 3)


def _renumbered(across: Ints, rows: Ints) -> Ints:
    """Numbers of triangles as places in rows, -1 for those that are not there."""
    order = np.argsort(rows)
    place = np.minimum(np.searchsorted(rows, across, sorter=order), len(rows) - 1)
    return np.where(rows[order[place]] == across, order[place], -1)


def rotation(orientation: Array) -> Array:
    """Rotation matrix (3, 3) of a unit quaternion, from body to world."""
    R = np.empty((3, 3))
    rotation_matrix(np.asarray(orientation, float)[None], 0, R)
    return R


def _near(world: list[Array]) -> Iterator[tuple[int, int]]:
    """Pairs of grounds whose boxes touch."""
    low, high = (np.array([f(vertices, axis=0) for vertices in world]) for f in (np.min, np.max))
    slack = SEAM * (high - low).max(axis=1)
    for i in range(len(world)):
        room = slack[i] + slack[i + 1 :, None]
        meet = np.all((low[i + 1 :] <= high[i] + room) & (high[i + 1 :] >= low[i] - room), axis=1)
        for j in np.flatnonzero(meet):
            yield i, i + 1 + int(j)


class _Weld:
    """Which vertices of grounds are the same, and which lie on edges of another ground.

    Vertices are numbered through all grounds; same (V,): the vertex of the first ground at this place.
    """

    def __init__(self, grounds: Sequence[Ground], world: list[Array], start: Ints) -> None:
        self.faces = [ground.faces + start[i] for i, ground in enumerate(grounds)]
        self.world, self.start, self.place = world, start, np.concatenate(world)
        self.same = np.arange(len(self.place))
        self.touches = [False] * len(grounds)
        self.between: dict[tuple[int, int], list[int]] = {}  # vertices on an edge, from its lower vertex on
        self.ridges: dict[int, tuple[Ints, Ints]] = {}
        self.slack = np.full(len(self.place), np.inf)
        for faces in self.faces:
            for k in range(3):
                u, v = faces[:, k], faces[:, (k + 1) % 3]
                length = SEAM * np.linalg.norm(self.place[u] - self.place[v], axis=1)
                np.minimum.at(self.slack, u, length)
                np.minimum.at(self.slack, v, length)
        self.slack[np.isinf(self.slack)] = 0.0  # of no triangle

    def _common(self, i: int, j: int) -> Ints:
        """Vertices of ground i near the box of ground j."""
        room = SEAM * max(np.ptp(self.world[k], axis=0).max() for k in (i, j))
        low, high = self.world[j].min(axis=0) - room, self.world[j].max(axis=0) + room
        return self.start[i] + np.flatnonzero(np.all((self.world[i] >= low) & (self.world[i] <= high), axis=1))

    def vertices(self, i: int, j: int) -> None:
        """Join the vertices of ground j to those of ground i."""
        from scipy.spatial import cKDTree

        mine, other = self._common(i, j), self._common(j, i)
        if not len(mine) or not len(other):
            return
        distance, nearest = cKDTree(self.place[mine]).query(self.place[other])
        found = mine[nearest]
        meet = (distance <= np.minimum(self.slack[other], self.slack[found])) & (self.same[other] == other)
        if np.any(meet):
            self.same[other[meet]] = self.same[found[meet]]
            self.touches[i] = self.touches[j] = True

    def edges(self, i: int, j: int) -> None:
        """Find the vertices of ground j on borders and ridges of ground i."""
        from scipy.spatial import cKDTree

        other = self._common(j, i)
        if not len(other):
            return
        low, high = self.place[other].min(axis=0), self.place[other].max(axis=0)
        u, v = self._ridges(i)
        a, b = self.place[u], self.place[v]
        room = SEAM * np.linalg.norm(b - a, axis=1)[:, None]
        inside = np.all((np.minimum(a, b) <= high + room) & (np.maximum(a, b) >= low - room), axis=1)
        u, v, a, b = u[inside], v[inside], a[inside], b[inside]
        if not len(u):
            return
        tree, half = cKDTree(self.place[other]), 0.5 * np.linalg.norm(b - a, axis=1)
        for e, near in enumerate(tree.query_ball_point(0.5 * (a + b), half)):
            along = b[e] - a[e]
            for vertex in other[sorted(near)]:
                share = (self.place[vertex] - a[e]) @ along / (along @ along)
                off = float(np.linalg.norm(self.place[vertex] - a[e] - share * along))
                if SEAM < share < 1.0 - SEAM and off <= self.slack[vertex]:
                    listed = self.between.setdefault((int(min(u[e], v[e])), int(max(u[e], v[e]))), [])
                    if (same := int(self.same[vertex])) not in (*listed, u[e], v[e]):
                        listed.append(same)
                    self.touches[i] = self.touches[j] = True

    def _ridges(self, i: int) -> tuple[Ints, Ints]:
        """Ends of the edges of ground i that bodies can touch when it is alone."""
        if i not in self.ridges:
            faces = self.faces[i] - self.start[i]
            t, k = np.nonzero(single(self.world[i], faces).side & TOUCHABLE)
            self.ridges[i] = self.same[self.faces[i][t, k]], self.same[self.faces[i][t, (k + 1) % 3]]
        return self.ridges[i]

    def divided(self, i: int) -> Ints:
        """The triangles of ground i with joined vertices, divided where vertices of others lie on their edges."""
        faces = self.same[self.faces[i]]
        if not self.between:
            return faces
        count = len(self.place)
        ends = np.sort(np.stack([faces, faces[:, [1, 2, 0]]], axis=-1), axis=-1)
        keys = np.array(list(self.between), np.int64)
        known = np.isin(ends[..., 0] * count + ends[..., 1], keys[:, 0] * count + keys[:, 1])
        result: list[list[int]] = []
        for face, several in zip(faces.tolist(), np.any(known, axis=1).tolist(), strict=True):
            result.extend(self._pieces(face) if several else [face])
        return np.array(result, np.int64)

    def _pieces(self, face: list[int]) -> list[list[int]]:
        for k in range(3):
            u, v, w = face[k], face[(k + 1) % 3], face[(k + 2) % 3]
            on = self.between.get((min(u, v), max(u, v)), [])
            if on:
                chain = [u, *sorted(on, key=lambda x: float(np.linalg.norm(self.place[x] - self.place[u]))), v]
                pieces = ([chain[m], chain[m + 1], w] for m in range(len(chain) - 1))
                return [part for piece in pieces for part in self._pieces(piece)]
        return [face]


def _connect(vertices: Array, faces: Ints, number: Ints) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """Triangles across the sides, bits of the sides, hidden triangles; number (T,): the ground of each triangle."""
    normal = normals(vertices, faces)
    start, end, order, begins, size = _sides(faces)
    owner = np.arange(len(start)) // 3
    partner = np.full(len(start), -1, np.int64)
    one, other = order[begins[size == 2]], order[begins[size == 2] + 1]
    back_to_back = np.einsum("ei,ei->e", normal[owner[one]], normal[owner[other]]) < -0.999
    meet = (start[one] == end[other]) & ~(back_to_back & (number[owner[one]] != number[owner[other]]))
    partner[one[meet]], partner[other[meet]] = other[meet], one[meet]
    crack = np.zeros(len(start), bool)
    for first, many in zip(begins[size > 2], size[size > 2], strict=True):
        _pair_around(order[first : first + many], vertices, start, end, normal, number, partner, crack)
    border = partner < 0
    beyond = np.where(border, -1, partner // 3)
    along = vertices[end] - vertices[start]
    outward = np.cross(along / np.linalg.norm(along, axis=1)[:, None], normal[owner])
    lean = np.einsum("si,si->s", normal[beyond], outward)  # an edge sticks out if the other normal leans away over it
    answers = border | ((partner[partner] == np.arange(len(start))) & (owner < beyond))
    hidden = _hidden(owner, partner, crack, np.einsum("si,si->s", normal[beyond], normal[owner]))
    side = np.where(answers, EDGE, 0) + np.where(border | (answers & (lean > CONVEX)), TOUCHABLE, 0)
    side[hidden[owner]] = 0
    _share_corners(faces, hidden, side := side.reshape(-1, 3))
    return beyond.reshape(-1, 3), side, hidden


def _sides(faces: Ints) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Sides 3 t + k of triangles: where they start and end; all of them in an order in which those at the same edge follow
    each other, and where in it every edge begins and how many sides it has."""
    start, end = faces.ravel(), faces[:, [1, 2, 0]].ravel()
    low, high = np.minimum(start, end), np.maximum(start, end)
    order = np.lexsort((high, low))
    begins = np.flatnonzero(np.r_[True, (np.diff(low[order]) != 0) | (np.diff(high[order]) != 0)])
    return start, end, order, begins, np.diff(np.r_[begins, len(order)])


def same_way(faces: Ints) -> Ints:
    """Pairs of triangles (n, 2) that go along a common edge in the same direction: they look to opposite sides."""
    start, _, order, begins, size = _sides(faces)
    one, other = order[begins[size == 2]], order[begins[size == 2] + 1]
    wrong = start[one] == start[other]
    return np.stack([one[wrong], other[wrong]], axis=1) // 3


def _pair_around(
    around: Ints, vertices: Array, start: Ints, end: Ints, normal: Array, number: Ints, partner: Ints, crack: Any
) -> None:
    """Pair the sides of more than two triangles at an edge: each with the one that is met first, turning through the air.

    Two that coincide face to face are a crack between two grounds, but the two sides of a thin plate in one ground.
    """
    for one in around:
        t = one // 3
        axis = vertices[end[one]] - vertices[start[one]]
        inward = np.cross(normal[t], axis)
        best = math.inf
        for other in around:
            s = other // 3
            if start[other] != end[one]:
                continue
            way = np.cross(axis, normal[s])
            angle = math.atan2(way @ normal[t], way @ inward / math.sqrt(axis @ axis)) % (2.0 * math.pi)
            closed = min(angle, 2.0 * math.pi - angle) < CONVEX
            if closed:
                angle = 0.0 if number[s] != number[t] else 2.0 * math.pi
            angle -= CONVEX if number[s] == number[t] else 0.0  # its own neighbour, if both are as near
            if angle < best:
                best = angle
                partner[one] = other
                crack[one] = closed and number[s] != number[t]


def _hidden(owner: Ints, partner: Ints, crack: Any, facing: Array) -> NDArray[np.bool_]:
    """Plane faces all of whose sides are cracks: those of two solids that touch face to face."""
    if not crack.any():
        return np.zeros(len(owner) // 3, bool)
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    flat = np.flatnonzero((partner >= 0) & (facing > 1.0 - 1e-9) & ~crack)
    links = coo_array((np.ones(len(flat)), (owner[flat], partner[flat] // 3)), shape=(len(owner) // 3,) * 2)
    _, face = connected_components(links, directed=False)
    open_sides = ~crack
    open_sides[flat] = False
    return ~np.isin(face, face[owner[open_sides]])


def _share_corners(faces: Ints, hidden: NDArray[np.bool_], side: Ints) -> None:
    """One triangle answers for every vertex to balls, and one side that sticks out to other bodies."""
    first = np.full(faces.max() + 1, len(faces))
    rows = np.flatnonzero(~hidden)
    np.minimum.at(first, faces[rows], rows[:, None])
    side[(first[faces] == np.arange(len(faces))[:, None]) & ~hidden[:, None]] |= CORNER
    taken = np.zeros(faces.max() + 1, bool)
    for k in range(3):
        for which, bit in ((k, FIRST_CORNER), ((k + 1) % 3, SECOND_CORNER)):
            rows = np.flatnonzero(side[:, k] & TOUCHABLE)
            corner = faces[rows, which]
            free = ~taken[corner]
            unique, at = np.unique(corner[free], return_index=True)
            taken[unique] = True
            side[rows[free][at], k] |= bit


def normals(vertices: Array, faces: Ints) -> Array:
    """Unit normals of triangles (T, 3)."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    cross = np.cross(b - a, c - a)
    return cross / np.linalg.norm(cross, axis=1)[:, None]


# --- which side is solid ---------------------------------------------------------------------------------------------------


def oriented(vertices: Array, faces: Ints) -> Ints:
    """Faces of which the closed parts look outward, or inward where they bound a cavity of another; open parts stay."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    count = len(faces)
    start, _, order, begins, size = _sides(faces)
    one, other = order[begins[size == 2]], order[begins[size == 2] + 1]
    a, b, turned = one // 3, other // 3, (start[one] == start[other]).astype(np.int64)
    # every triangle either way round, 2 t and 2 t + 1; neighbours that agree are linked
    rows, columns = np.r_[2 * a, 2 * a + 1], np.r_[2 * b + turned, 2 * b + 1 - turned]
    _, way = connected_components(
        coo_array((np.ones(len(rows)), (rows, columns)), shape=(2 * count,) * 2), directed=False
    )
    parts, part = connected_components(coo_array((np.ones(len(a)), (a, b)), shape=(count,) * 2), directed=False)
    closed = np.ones(parts, bool)
    closed[part[order[np.repeat(size != 2, size)] // 3]] = False
    closed[part[way[0::2] == way[1::2]]] = False  # one side only, as a Moebius strip
    members = np.split(np.argsort(part, kind="stable"), np.cumsum(np.bincount(part))[:-1])
    low, high = (np.array([f(vertices[faces[mine]], axis=(0, 1)) for mine in members]) for f in (np.min, np.max))
    result = faces.copy()
    for p in np.flatnonzero(closed):
        mine = members[p]
        flip = mine[way[2 * mine] != way[2 * mine[0]]]
        result[flip] = result[flip][:, [0, 2, 1]]
        point = vertices[faces[mine[0], 0]]
        around = np.flatnonzero(closed & np.all((low < point) & (high > point), axis=1))
        holes = sum(_winds_around(vertices[faces[members[q]]], point) for q in around if q != p)
        if (_volume(vertices, result[mine]) < 0.0) != (holes % 2 == 1):
            result[mine] = result[mine][:, [0, 2, 1]]
    return result


def _volume(vertices: Array, faces: Ints) -> float:
    a, b, c = (vertices[faces[:, k]] - vertices[faces[0, 0]] for k in range(3))
    return float(np.einsum("ti,ti->", a, np.cross(b, c))) / 6.0


def _winds_around(corners: Array, point: Array) -> bool:
    """Whether a closed surface of triangles (T, 3, 3) has a point inside: a ray crosses it an odd number of times."""
    ray = np.array([0.5257311121191336, 0.6180339887498949, 0.5844305])  # no special direction
    a, u, v = corners[:, 0] - point, corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(ray, v)
    size = np.einsum("ti,ti->t", u, across)
    with np.errstate(divide="ignore", invalid="ignore"):
        s = np.einsum("ti,ti->t", -a, across) / size
        crossed = np.cross(-a, u)
        t = crossed @ ray / size
        way = np.einsum("ti,ti->t", v, crossed) / size
    return bool(np.count_nonzero((s >= 0) & (t >= 0) & (s + t < 1) & (way > 0)) % 2)
