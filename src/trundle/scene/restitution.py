"""Restitution of a pair of surfaces: a number, or a function of the approach speed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SceneError
from trundle.scene.values import number

Array = NDArray[np.float64]
ROWS = 4  # e, speed, exponent, threshold of `impacts.restitution_at`; e < 0: see the table
# speeds [m/s] at which a function is asked: it is interpolated linearly between them and constant beyond
SAMPLES = np.concatenate([[0.0], np.geomspace(1e-5, 1e3, 193)])


@dataclass(frozen=True, kw_only=True)
class Restitution:
    """The ratio e of the speeds with which bodies part and meet, as a function of the approach speed s."""

    kind: ClassVar[str] = ""

    def row(self) -> tuple[float, ...]:
        """What kernels know of it."""
        raise NotImplementedError

    @property
    def largest(self) -> float:
        """The largest value that it takes."""
        raise NotImplementedError

    def table(self) -> Array:
        """Speeds and values (K, 2) of an interpolated law; no rows for others."""
        return np.zeros((0, 2))

    def as_table(self) -> dict[str, Any]:
        """As it stands in a scene file."""
        return {"kind": self.kind, **{field.name: getattr(self, field.name) for field in fields(self)}}


@dataclass(frozen=True, kw_only=True)
class ThresholdRestitution(Restitution):
    """e(s) = restitution where s >= speed [m/s], and 0 below: slow approaches do not bounce."""

    restitution: float
    speed: float
    kind: ClassVar[str] = "threshold"

    def __post_init__(self) -> None:
        number("ThresholdRestitution", "restitution", self.restitution, "-", least=0.0, most=1.0)
        number("ThresholdRestitution", "speed", self.speed, "m/s", least=0.0)

    def row(self) -> tuple[float, ...]:
        return float(self.restitution), 1.0, 0.0, float(self.speed)

    @property
    def largest(self) -> float:
        return self.restitution


@dataclass(frozen=True, kw_only=True)
class PowerRestitution(Restitution):
    """e(s) = restitution (s / speed)^(-exponent), at most 1: faster impacts lose more.

    exponent 1/4 is that of plastic spheres (Johnson 1985, "Contact mechanics", section 11.5).
    """

    restitution: float
    speed: float
    exponent: float = 0.25
    kind: ClassVar[str] = "power"

    def __post_init__(self) -> None:
        number("PowerRestitution", "restitution", self.restitution, "-", least=0.0, most=1.0)
        number("PowerRestitution", "speed", self.speed, "m/s", positive=True)
        number("PowerRestitution", "exponent", self.exponent, "-", least=0.0)

    def row(self) -> tuple[float, ...]:
        return float(self.restitution), float(self.speed), float(self.exponent), 0.0

    @property
    def largest(self) -> float:
        return 1.0 if self.restitution > 0.0 and self.exponent > 0.0 else self.restitution


@dataclass(frozen=True, kw_only=True)
class TableRestitution(Restitution):
    """e(s) between given speeds [m/s], increasing: linear, and constant beyond the first and the last."""

    speed: tuple[float, ...]
    restitution: tuple[float, ...]
    kind: ClassVar[str] = "table"

    def __post_init__(self) -> None:
        place = "TableRestitution"
        for name, unit, most in (("speed", "m/s", math.inf), ("restitution", "-", 1.0)):
            given = getattr(self, name)
            if (
                not isinstance(given, (Sequence, np.ndarray))
                or isinstance(given, str)
                or getattr(given, "ndim", 1) != 1
                or not len(given)
            ):
                raise SceneError(f"{place}: {name} = {given!r} must be a list of numbers [{unit}].")
            values = [number(place, f"{name}[{i}]", x, unit, least=0.0, most=most) for i, x in enumerate(given)]
            object.__setattr__(self, name, tuple(values))
        if len(self.speed) != len(self.restitution):
            raise SceneError(f"{place}: {len(self.speed)} speeds, but {len(self.restitution)} values of restitution.")
        if np.any(np.diff(self.speed) <= 0.0):
            raise SceneError(f"{place}: speed = {list(self.speed)} must increase.")

    def row(self) -> tuple[float, ...]:
        return -1.0, 1.0, 0.0, 0.0

    def table(self) -> Array:
        return np.stack([self.speed, self.restitution], axis=1)

    @property
    def largest(self) -> float:
        return max(self.restitution)


RESTITUTIONS: dict[str, type[Restitution]] = {
    made.kind: made for made in (ThresholdRestitution, PowerRestitution, TableRestitution)
}


def as_restitution(place: str, given: Any) -> float | Restitution:
    """A number, a law, or a function of the approach speed [m/s], which becomes a table."""
    if isinstance(given, Restitution):
        return given
    return _sampled(place, given) if callable(given) else number(place, "restitution", given, "-", least=0.0, most=1.0)


def _sampled(place: str, function: Callable[[float], Any]) -> TableRestitution:
    values = []
    for s in SAMPLES:
        value = function(float(s))
        if not isinstance(value, (int, float, np.number)) or isinstance(value, bool) or not 0.0 <= value <= 1.0:
            raise SceneError(
                f"{place}: restitution is a function that gives {value!r} at an approach speed of {s:.3g} m/s; it must give "
                "numbers between 0 and 1."
            )
        values.append(float(value))
    return TableRestitution(speed=tuple(SAMPLES), restitution=tuple(values))


def largest(given: float | Restitution) -> float:
    """The largest restitution at any speed."""
    return given.largest if isinstance(given, Restitution) else given


def lay_out(given: Sequence[float | Restitution]) -> tuple[Array, Array]:
    """Rows (L, 4) and tables (L, K, 2) of the pairs, for `step.kernels.impacts`; speeds behind the end of a table are inf."""
    laws = [x if isinstance(x, Restitution) else ThresholdRestitution(restitution=x, speed=0.0) for x in given]
    tables = [law.table() for law in laws]
    room = np.full((len(laws), max([1, *map(len, tables)]), 2), np.inf)
    for i, table in enumerate(tables):
        room[i, : len(table)] = table
    return np.array([law.row() for law in laws]).reshape(-1, ROWS), room


def as_value(given: float | Restitution) -> Any:
    """As it stands in a scene file."""
    return given.as_table() if isinstance(given, Restitution) else given


def in_words(value: Any) -> str:
    """What stands in a scene file, for a list of surfaces: "0.5", "threshold (restitution = 0.5, speed = 0.01)"."""
    if not isinstance(value, dict):
        return f"{value:g}"
    numbers = [f"{k} = {v:g}" for k, v in value.items() if isinstance(v, (int, float))]
    return f"{value['kind']} ({', '.join(numbers)})" if numbers else "as a table of the approach speed"
