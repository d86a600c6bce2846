"""Binary search in sorted identities, compiled once where numpy's is compiled anew in every stage; never raises."""

from __future__ import annotations

from numba import njit

from trundle.kernels.rotations import INNER


@njit(**INNER)
def place_of(keys, count, key):
    """Where key stands among the first `count` of the sorted keys (n,), or would stand."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low
