"""Free spots among balls, compiled, on flat arrays; never raises.

Small balls are in a grid of cells, as chains: head (cells,) is the last ball of a cell, behind (balls,) the one before it.
Cells are at least as wide as two small balls reach, so that neighbours suffice.  The first `large` balls are in no cell.
"""

from __future__ import annotations

from numba import njit

from trundle.kernels.rotations import JIT


@njit(**JIT)
def cell_of(x, y, z, origin, size, shape):
    """Number of the cell of a point; points outside belong to the nearest one."""
    i = min(max(int((x - origin[0]) / size), 0), shape[0] - 1)
    j = min(max(int((y - origin[1]) / size), 0), shape[1] - 1)
    k = min(max(int((z - origin[2]) / size), 0), shape[2] - 1)
    return (i * shape[1] + j) * shape[2] + k


@njit(**JIT)
def chain(centre, first, count, origin, size, shape, head, behind):
    """Put balls first .. count - 1 into their cells."""
    for b in range(first, count):
        c = cell_of(centre[b, 0], centre[b, 1], centre[b, 2], origin, size, shape)
        behind[b] = head[c]
        head[c] = b


@njit(**JIT)
def meets(centre, radius, b, x, y, z, r):
    """Whether ball b overlaps another."""
    dx = centre[b, 0] - x
    dy = centre[b, 1] - y
    dz = centre[b, 2] - z
    far = radius[b] + r
    return dx * dx + dy * dy + dz * dz < far * far


@njit(**JIT)
def is_free(x, y, z, r, planes, centre, radius, large, origin, size, shape, head, behind):
    """Whether a ball is above all planes (P, 4), normal and offset, and overlaps no other."""
    for p in range(planes.shape[0]):
        if planes[p, 0] * x + planes[p, 1] * y + planes[p, 2] * z - planes[p, 3] < r:
            return False
    for b in range(large):
        if meets(centre, radius, b, x, y, z, r):
            return False
    home = cell_of(x, y, z, origin, size, shape)
    k0 = home % shape[2]
    j0 = (home // shape[2]) % shape[1]
    i0 = home // (shape[2] * shape[1])
    for i in range(max(i0 - 1, 0), min(i0 + 2, shape[0])):
        for j in range(max(j0 - 1, 0), min(j0 + 2, shape[1])):
            for k in range(max(k0 - 1, 0), min(k0 + 2, shape[2])):
                b = head[(i * shape[1] + j) * shape[2] + k]
                while b >= 0:
                    if meets(centre, radius, b, x, y, z, r):
                        return False
                    b = behind[b]
    return True


@njit(**JIT)
def first_free(spots, first, r, planes, centre, radius, large, origin, size, shape, head, behind):
    """Number of the first of the spots (n, 3), from `first` on, where a ball of radius r fits; -1 if there is none."""
    for a in range(first, spots.shape[0]):
        x, y, z = spots[a, 0], spots[a, 1], spots[a, 2]
        if is_free(x, y, z, r, planes, centre, radius, large, origin, size, shape, head, behind):
            return a
    return -1
