"""Arrays that the search for contacts works in, kept from step to step, and room for what it finds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.detect.kernels.arrays import OnMesh, Patches, Polytopes, Search, Solids
from trundle.detect.kernels.patch import MOST
from trundle.kinds import BOX, POLYHEDRON
from trundle.scene.geometry import EDGE, FACE, VERTEX, Geometry

LINE = 64  # bytes of a line of cache


def room_for(count: int, *width: int, dtype: type = float) -> NDArray[Any]:
    """An array (count, *width) to be filled, in memory of one of few sizes, from the beginning of a line of cache.

    The number of contacts changes from step to step: what one step lets go of should fit the next.
    """
    quantum = max(64, 1 << max(count.bit_length() - 4, 0))
    each = math.prod(width)
    line = LINE // np.dtype(dtype).itemsize
    memory: NDArray[Any] = np.empty(-(-count // quantum) * quantum * each + line, dtype)
    address = memory.__array_interface__["data"][0]  # memory.ctypes takes ten times as long
    first = -(address // memory.itemsize) % line
    return memory[first : first + count * each].reshape(count, *width)


def solids(g: Geometry) -> Solids:
    """The shapes of all bodies without meshes."""
    return Solids(*(getattr(g, name) for name in Solids._fields))


def polytopes(g: Geometry) -> Polytopes:
    """Boxes and polyhedra: room for their corners and faces in world axes, and which faces meet at their edges."""
    index = np.flatnonzero(np.isin(g.kind, (BOX, POLYHEDRON))).astype(np.int64)
    first = np.full((len(g.kind), 2), -1, np.int64)
    length = g.length[index][:, [VERTEX, FACE]]
    first[index] = np.cumsum(length, axis=0) - length
    edge, bend = np.zeros((len(g.edge), 4), np.int64), np.zeros(len(g.edge))
    edge[:, :2] = g.edge
    _, one_of = np.unique(g.first[index][:, EDGE], return_index=True)
    for i in index[one_of]:
        base, planes = g.first[i, FACE], g.plane[g.first[i, FACE] : g.first[i, FACE] + g.length[i, FACE]]
        left = {}
        for f in range(g.length[i, FACE]):
            loop = g.loop[g.loop_first[base + f] : g.loop_first[base + f + 1]]
            left.update({(int(u), int(v)): f for u, v in zip(loop, np.roll(loop, -1), strict=True)})
        for e in range(g.first[i, EDGE], g.first[i, EDGE] + g.length[i, EDGE]):
            u, v = (int(k) for k in g.edge[e])
            edge[e, 2:] = left[u, v], left[v, u]
            bend[e] = planes[edge[e, 2], :3] @ planes[edge[e, 3], :3]
    corners, faces = (int(n) for n in length.sum(axis=0))
    most = np.array([g.length[index, FACE].max(initial=0), g.length[index, EDGE].max(initial=0)], np.int64)
    return Polytopes(index, first, np.zeros((corners, 3)), np.zeros((faces, 4)), edge, bend, most)


def patches() -> Patches:
    """Arrays of the sizes that `kernels.patch` needs."""
    many = 4 * MOST
    return Patches(
        corners=np.zeros((2, MOST, 3)), numbers=np.zeros((2, MOST), np.int64), facing=np.zeros((2, 3)),
        seen=np.zeros((2, MOST, 3)), slope=np.zeros((2, 2)), lines=np.zeros((2, MOST, 3)),
        tables=np.zeros((2, MOST, MOST)), tangents=np.zeros((2, 3)), places=np.zeros((many, 2)),
        ids=np.zeros(many, np.int64), gaps=np.zeros((many, 2)), spots=np.zeros((many, 4)),
    )  # fmt: skip


def search() -> Search:
    """Arrays of the sizes that `kernels.convex` needs."""
    return Search(
        d=np.zeros(3), n=np.zeros(3), near=np.zeros((2, 3)), W=np.zeros((4, 3)), P=np.zeros((4, 3)), share=np.zeros(4),
        vectors=np.zeros((6, 3)), newton=np.zeros((10, 3)), directions=np.zeros((512, 3)),
    )  # fmt: skip


def on_mesh(points: int, candidates: int) -> OnMesh:
    """Arrays of the sizes that `kernels.mesh` needs; points: the most that a body touches flat ground with."""
    return OnMesh(
        points=np.zeros((points, 3)), point_ids=np.zeros(points, np.int64), curved=np.zeros(points), rim=np.zeros(2),
        stack=np.zeros(128, np.int64), triangle=np.zeros((3, 3)), edge=np.zeros((3, 3)), edge_size=np.zeros(6),
        middle=np.zeros(3), candidates=np.zeros((candidates, 4), np.int64),
    )  # fmt: skip
