"""What benchmarks run to know the machine, compiled; never raises."""

from __future__ import annotations

from numba import njit, prange

from trundle.laws.kernels.curves import JIT


@njit(nogil=True, **{**JIT, "fastmath": True})
def add_up(values):
    """Sum in any order, so that memory is what it waits for."""
    total = 0.0
    for i in range(values.shape[0]):
        total += values[i]
    return total


@njit(nogil=True, parallel=True, **JIT)
def swap_parts(parts, rounds):
    """Two threads add one to the two parts (2, n), and change parts after every round."""
    for r in range(rounds):
        for w in prange(2):
            part = parts[(w + r) % 2]
            for i in range(part.shape[0]):
                part[i] += 1.0
