"""Arrays that the search for contacts works in, kept from step to step, and room for what it finds."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trundle.detect.patch_kernels import MOST
from trundle.scene.shapes_base import Array, Ints

LINE = 64  # bytes of a line of cache


class Work(NamedTuple):
    """See `narrow_kernels`, `pair_kernels` and `mesh_kernels`."""

    d: Array
    directions: Array
    n: Array
    near: Array
    W: Array
    P: Array
    share: Array
    vectors: Array
    newton: Array
    corners_a: Array
    corners_b: Array
    ids_a: Ints
    ids_b: Ints
    facing: Array
    tangents: Array
    seen_a: Array
    seen_b: Array
    slope: Array
    places: Array
    ids: Ints
    gaps: Array
    spots: Array
    edge: Array
    edge_size: Array
    middle: Array
    triangle: Array
    points: Array
    point_ids: Ints
    curved: Array
    rim: Array
    stack: Ints


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


def make_work(points: int) -> Work:
    """Arrays of the sizes that the kernels need; points: the most that a body touches flat ground with."""
    many = 4 * MOST
    return Work(
        d=np.zeros(3), directions=np.zeros((512, 3)), n=np.zeros(3),
        near=np.zeros((2, 3)), W=np.zeros((4, 3)), P=np.zeros((4, 3)), share=np.zeros(4),
        vectors=np.zeros((6, 3)), newton=np.zeros((10, 3)), corners_a=np.zeros((MOST, 3)), corners_b=np.zeros((MOST, 3)),
        ids_a=np.zeros(MOST, np.int64), ids_b=np.zeros(MOST, np.int64), facing=np.zeros((2, 3)),
        tangents=np.zeros((2, 3)), seen_a=np.zeros((MOST, 3)), seen_b=np.zeros((MOST, 3)), slope=np.zeros((2, 2)),
        places=np.zeros((many, 2)), ids=np.zeros(many, np.int64), gaps=np.zeros(many), spots=np.zeros((many, 4)),
        edge=np.zeros((3, 3)), edge_size=np.zeros(6), middle=np.zeros(3), triangle=np.zeros((3, 3)),
        points=np.zeros((points, 3)), point_ids=np.zeros(points, np.int64), curved=np.zeros(points),
        rim=np.zeros(2), stack=np.zeros(128, np.int64),
    )  # fmt: skip
