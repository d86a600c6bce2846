"""What benchmarks run to know the machine, compiled; never raises."""

from __future__ import annotations

from numba import njit

from trundle.laws.curves import JIT


@njit(nogil=True, **{**JIT, "fastmath": True})
def add_up(values):
    """Sum in any order, so that memory is what it waits for."""
    total = 0.0
    for i in range(values.shape[0]):
        total += values[i]
    return total
