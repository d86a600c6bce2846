"""Many bodies at once, in layers."""

from __future__ import annotations

from typing import Any

import numpy as np

from trundle.errors import SceneError
from trundle.scene.values import Array, number, vector

MOST = 2_000_000  # bodies of a grid; more is a slip of the keyboard


def grid(
    count: Any,
    spacing: Any,
    *,
    first: Any = (0.0, 0.0, 0.0),
    shift: Any = (0.0, 0.0, 0.0),
    jitter: float = 0.0,
    seed: int = 0,
) -> Array:
    """Positions (N, 3) [m] of bodies in layers, from the bottom up.

    count : bodies along x, y and z
    spacing : distances [m] along x, y and z, or one for all
    first : position [m] of the first body
    shift : of every second layer [m]; without one, columns of spheres with rolling friction stay standing
    jitter : largest random displacement [m] along each axis, either way; the same for the same seed
    """
    counts = np.asarray(count)
    if counts.shape != (3,) or counts.dtype.kind not in "iu" or np.any(counts < 1):
        raise SceneError(f"grid: count = {count!r} must be three whole numbers >= 1, bodies along x, y and z.")
    total = int(counts[0]) * int(counts[1]) * int(counts[2])
    if total > MOST:
        raise SceneError(f"grid: count = {count!r} makes {total} bodies, more than {MOST}.")
    step = np.full(3, number("grid", "spacing", spacing, "m")) if np.ndim(spacing) == 0 else None
    step = vector("grid", "spacing", spacing, "m") if step is None else step
    if np.any(step <= 0.0):
        raise SceneError(f"grid: spacing = {spacing!r} m must be positive.")
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**63:
        raise SceneError(f"grid: seed = {seed!r} must be a whole number >= 0.")
    z, y, x = np.meshgrid(*(np.arange(n) for n in counts[::-1]), indexing="ij")
    places = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    positions = vector("grid", "first", first, "m") + places * step
    positions += (places[:, 2:] % 2) * vector("grid", "shift", shift, "m")
    size = number("grid", "jitter", jitter, "m", least=0.0)
    if size > 0.0:
        bits = np.random.Philox(key=np.array([seed, 0], np.uint64)).random_raw(positions.size)
        positions += size * ((bits >> np.uint64(11)) * 2.0**-52 - 1.0).reshape(-1, 3)
    return positions
