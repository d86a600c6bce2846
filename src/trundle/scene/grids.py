"""Many bodies at once, in layers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from trundle.errors import SceneError
from trundle.scene.values import Array, is_list, number, vector

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
    if not is_list(count) or len(count) != 3 or not all(_whole(n, 1) for n in count):
        raise SceneError(f"grid: count = {count!r} must be three whole numbers >= 1, bodies along x, y and z.")
    counts = [int(n) for n in count]
    total = math.prod(counts)
    if total > MOST:
        raise SceneError(f"grid: count = {count!r} makes {total} bodies, more than {MOST}.")
    one_for_all = isinstance(spacing, (int, float))
    step = (
        np.full(3, number("grid", "spacing", spacing, "m")) if one_for_all else vector("grid", "spacing", spacing, "m")
    )
    if np.any(step <= 0.0):
        raise SceneError(f"grid: spacing = {spacing!r} m must be positive.")
    if not _whole(seed, 0):
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


def _whole(value: Any, least: int) -> bool:
    return not isinstance(value, bool) and isinstance(value, (int, np.integer)) and least <= int(value) < 2**63
