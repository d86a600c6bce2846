"""Points of a campaign: grids, random samples and Latin hypercubes."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from trundle import checked
from trundle.errors import CampaignError, known, unknown

MOST = 1_000_000  # numbers on a grid
SCALES = ("linear", "log")


@dataclass(frozen=True)
class Range:
    """Numbers from `low` to `high`; `count` of them on a grid, any of them in a random sample."""

    place: str
    low: float
    high: float
    count: int = 0
    scale: str = "linear"
    integer: bool = False

    def __post_init__(self) -> None:
        checked.text(CampaignError, "range: place", self.place)
        for name in ("low", "high"):
            checked.finite(CampaignError, f"{self.place}: {name}", getattr(self, name))
        checked.whole(CampaignError, f"{self.place}: count", self.count, most=MOST)
        checked.flag(CampaignError, f"{self.place}: integer", self.integer)
        if not known(self.scale, SCALES):
            raise CampaignError(f"{self.place}: " + unknown("scale", self.scale, SCALES))
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise CampaignError(f"{self.place}: from = {self.low:g} must be smaller than to = {self.high:g}.")
        if self.scale == "log" and self.low <= 0.0:
            raise CampaignError(f"{self.place}: from = {self.low:g} on a logarithmic scale must be positive.")

    def at(self, share: float) -> float | int:
        """The number at a share of the way, 0 to 1."""
        if self.scale == "log":
            value = self.low * (self.high / self.low) ** share
        else:
            value = self.low + share * (self.high - self.low)
        # the ends are met exactly, whatever the rounding
        value = min(max(value, self.low), self.high) if 0.0 < share < 1.0 else (self.high if share else self.low)
        return round(value) if self.integer else value

    def grid(self) -> list[Any]:
        """`count` numbers, both ends among them."""
        if self.count < 2:
            raise CampaignError(f"{self.place}: a grid needs count >= 2, not {self.count}.")
        values = [self.at(i / (self.count - 1)) for i in range(self.count)]
        return list(dict.fromkeys(values))


def sample(
    vary: dict[str, list[Any] | Range], method: str, samples: int, seed: int, place: str
) -> list[dict[str, Any]]:
    """Points over the parameters, always the same ones for the same arguments."""
    if method == "grid":
        axes = [values.grid() if isinstance(values, Range) else values for values in vary.values()]
        return [dict(zip(vary, point, strict=True)) for point in itertools.product(*axes)]
    if not vary:
        raise CampaignError(f'{place}: method = "{method}" has nothing to draw: [vary] is empty.')
    rng = np.random.default_rng(seed)
    shares = rng.random((samples, len(vary)))
    if method == "latin-hypercube":  # each of `samples` equal slices of every axis is used once
        slices = np.stack([rng.permutation(samples) for _ in vary], axis=1)
        shares = (slices + shares) / samples
    return [
        {name: _pick(values, float(share)) for (name, values), share in zip(vary.items(), row, strict=True)}
        for row in shares
    ]


def _pick(values: list[Any] | Range, share: float) -> Any:
    if isinstance(values, Range):
        return values.at(share)
    return values[min(int(share * len(values)), len(values) - 1)]
