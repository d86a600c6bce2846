"""Maps and tables of many blocks: reach probability, quantiles over the blocks that passed, barriers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from trundle.rockfall.case import Case
from trundle.rockfall.work import QUANTITIES, map_grid
from trundle.scene.rasters import Raster
from trundle.scene.values import Array

QUANTILES = (50, 90, 95, 98)


def make_maps(case: Case, cell: Array, values: Array, deposits: Array, blocks: int) -> dict[str, Raster]:
    """Rasters by name.

    cell (n,), values (n, 4): largest values of every block in every cell that it passed; deposits (d, 2) [m]: map coordinates
    Quantiles are over the blocks that passed a cell; NaN where none did.  count: blocks that passed; probability: their share.
    """
    (x0, y0), side, (nx, ny) = map_grid(case)
    dx, dy = case.terrain.ground.offset
    corner = (x0 + 0.5 * side + dx, y0 + 0.5 * side + dy)

    def raster(flat: Array) -> Raster:
        return Raster(flat.reshape(nx, ny), corner, (side, side), getattr(case.terrain.ground, "crs", ""))

    count = np.bincount(cell, minlength=nx * ny).astype(float)
    maps = {"count": raster(count), "reach_probability": raster(count / max(blocks, 1))}
    stopped = np.zeros(nx * ny)
    i = np.floor((deposits[:, 0] - dx - x0) / side).astype(np.int64)
    j = np.floor((deposits[:, 1] - dy - y0) / side).astype(np.int64)
    inside = (i >= 0) & (j >= 0) & (i < nx) & (j < ny)
    np.add.at(stopped, (i * ny + j)[inside], 1.0)
    maps["deposit_count"] = raster(stopped)
    order = np.argsort(cell, kind="stable")
    used, start = np.unique(cell[order], return_index=True)
    ends = np.r_[start[1:], len(order)]
    for k, name in enumerate(QUANTITIES):
        column = values[order, k]
        found = np.full((len(QUANTILES), nx * ny), np.nan)
        for c, a, b in zip(used, start, ends, strict=True):
            found[:, c] = np.percentile(column[a:b], QUANTILES)
        for q, flat in zip(QUANTILES, found, strict=True):
            maps[f"{name}_{q}"] = raster(flat)
    return maps


def barrier_table(names: Sequence[str], passes: list[dict[str, Any]], blocks: int) -> list[dict[str, Any]]:
    """Quantiles of energy [J] and height [m] at every barrier, with the number of blocks that they rest on.

    Bounds are those of the 95 % confidence interval of a quantile by order statistics (binomial); NaN where there are too few
    blocks for one.  A block counts once, with the largest values of its passes.
    """
    rows = []
    for name in names:
        largest: dict[tuple[str, int], list[float]] = {}
        for p in passes:
            if p["barrier"] == name:
                energy = p["translational"] + p["rotational"]
                old = largest.get((p["run"], p["seed"]), [0.0, 0.0, 0.0])
                largest[p["run"], p["seed"]] = [max(old[0], energy), max(old[1], p["height"]), max(old[2], p["speed"])]
        stopped = len({(p["run"], p["seed"]) for p in passes if p["barrier"] == name and p["stopped"]})
        table = np.array(list(largest.values())).reshape(-1, 3)
        for k, quantity in enumerate(("energy", "height", "speed")):
            for q in QUANTILES:
                low, value, high = quantile_interval(table[:, k], q / 100.0)
                rows.append({
                    "barrier": name, "quantity": quantity, "quantile": q, "value": value, "low": low, "high": high,
                    "blocks": len(table), "stopped": stopped, "released": blocks,
                })  # fmt: skip
    return rows


def quantile_interval(values: Array, share: float, confidence: float = 0.95) -> tuple[float, float, float]:
    """A quantile of a sample between the bounds of its confidence interval, distribution-free (order statistics)."""
    from scipy.stats import binom

    n = len(values)
    if n == 0:
        return np.nan, np.nan, np.nan
    ordered, tail = np.sort(values), 0.5 * (1.0 - confidence)
    # P(x_(l) <= quantile) = P(B >= l), B binomial: the largest l and the smallest u that leave at most a tail on each side
    low, high = int(binom.ppf(tail, n, share)), int(binom.ppf(1.0 - tail, n, share)) + 1
    return (
        float(ordered[low - 1]) if low >= 1 else np.nan,
        float(np.percentile(ordered, 100.0 * share)),
        float(ordered[high - 1]) if high <= n else np.nan,
    )
