"""Random numbers that are a function of seed, number and purpose alone: whatever else is drawn, and by whom."""

from __future__ import annotations

import math
import zlib

import numpy as np

from trundle.scene.values import Array


class Chance:
    """A stream of random numbers of its own: Philox with seed and purpose as key and the number as counter."""

    def __init__(self, seed: int, number: int, purpose: str) -> None:
        key = np.array([seed, zlib.crc32(purpose.encode())], np.uint64)
        counter = np.array([0, 0, number, 0], np.uint64)
        self._stream = np.random.Generator(np.random.Philox(key=key, counter=counter))

    def uniform(self, low: float = 0.0, high: float = 1.0) -> float:
        """Evenly between two numbers."""
        return low + (high - low) * float(self._stream.random())

    def normal(self) -> float:
        """Standard normal."""
        return float(self._stream.standard_normal())

    def direction(self) -> Array:
        """Unit vector, evenly over the sphere."""
        z, phi = self.uniform(-1.0, 1.0), self.uniform(0.0, 2.0 * math.pi)
        r = math.sqrt(1.0 - z * z)
        return np.array([r * math.cos(phi), r * math.sin(phi), z])

    def orientation(self) -> Array:
        """Unit quaternion (w, x, y, z), evenly over all rotations (Shoemake 1992)."""
        u, a, b = self.uniform(), self.uniform(0.0, 2.0 * math.pi), self.uniform(0.0, 2.0 * math.pi)
        r, s = math.sqrt(1.0 - u), math.sqrt(u)
        return np.array([r * math.sin(a), r * math.cos(a), s * math.sin(b), s * math.cos(b)])
