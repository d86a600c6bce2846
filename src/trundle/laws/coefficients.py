"""Coefficients of laws that are no numbers: functions of the speed of their motion, or of the load of the contact.

The section of a law is a convex set at every speed: which one, the motion decides.  A coefficient of sliding sees the sliding
speed |u_t| [m/s] (where sliding and spinning share a budget, the mean over the patch), one of spinning |w_s|, one of rolling
|w_r| [rad/s].
"""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numba import cfunc
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from trundle.errors import LawError, real
from trundle.laws.kernels import varying as kernels


def _number(place: str, name: str, value: Any, unit: str, positive: bool = False) -> float:
    try:
        if isinstance(value, (bool, np.bool_, str)):
            raise TypeError
        result = float(value)
    except (TypeError, ValueError, OverflowError):
        raise LawError(f"{place}: {name} = {value!r} is not a number [{unit}].") from None
    if not math.isfinite(result) or result < 0.0 or (positive and result == 0.0):
        raise LawError(
            f"{place}: {name} = {result:g} [{unit}] must be a finite number {'> 0' if positive else '>= 0'}."
        )
    return result


@dataclass(frozen=True)
class Coefficient:
    """A coefficient that depends on speed or load; `float` of it is its value at high speed, `at` that at any."""

    unit: ClassVar[str] = ""  # that it must have; "" for any

    def row(self, points: list[tuple[float, float]]) -> tuple[float, ...]:
        """What kernels know of it; a table adds its points."""
        raise NotImplementedError

    @property
    def address(self) -> int:
        """Of a compiled function, 0 if there is none."""
        return 0

    @property
    def largest(self) -> float:
        """The largest value at any speed, as far as it is known; 0 where the load decides."""
        raise NotImplementedError

    def __float__(self) -> float:
        return self.largest

    def at(self, speed: float = 0.0, load: float = 0.0, radius: float = 0.0) -> float:
        """Value at a speed [m/s or rad/s], a normal load [N] and an effective radius [m] of the contact."""
        curve, call, points = flatten([self])
        return float(kernels.value_at(curve, call, points, 0, float(speed), float(load), float(radius)))

    def as_table(self) -> dict[str, Any]:
        """As it stands in a scene file."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}


@dataclass(frozen=True, kw_only=True)
class Stribeck(Coefficient):
    """kinetic + (static - kinetic) exp(-(v / speed)**exponent) + viscous v; with speed = 0 a drop as soon as motion begins.

    static, kinetic : coefficients at rest and in fast motion, in the unit of the coefficient
    speed : of the transition [m/s for sliding, rad/s for spinning and rolling]
    exponent [-] ; viscous : growth with the speed, the coefficient's unit per unit of speed

    >>> laws.Coulomb(mu=laws.Stribeck(static=0.4, kinetic=0.3, speed=0.02))
    """

    static: float
    kinetic: float
    speed: float = 0.0
    exponent: float = 2.0
    viscous: float = 0.0

    def __post_init__(self) -> None:
        for f in fields(self):
            value = _number("Stribeck", f.name, getattr(self, f.name), "-", f.name == "exponent")
            object.__setattr__(self, f.name, value)

    def row(self, points: list[tuple[float, float]]) -> tuple[float, ...]:
        return kernels.STRIBECK, self.static, self.kinetic, self.speed, self.exponent, self.viscous

    @property
    def largest(self) -> float:
        return max(self.static, self.kinetic)

    def __float__(self) -> float:
        return self.kinetic


@dataclass(frozen=True, kw_only=True)
class SpeedTable(Coefficient):
    """Values between given speeds [m/s or rad/s], increasing from 0: linear, and constant beyond the last."""

    speed: tuple[float, ...]
    value: tuple[float, ...]

    def __post_init__(self) -> None:
        for name, unit in (("speed", "m/s or rad/s"), ("value", "-")):
            given = getattr(self, name)
            if not isinstance(given, (list, tuple, np.ndarray)) or getattr(given, "ndim", 1) != 1 or len(given) < 2:
                raise LawError(f"SpeedTable: {name} = {given!r} must be at least two numbers.")
            values = tuple(_number("SpeedTable", f"{name}[{i}]", x, unit) for i, x in enumerate(given))
            object.__setattr__(self, name, values)
        if len(self.speed) != len(self.value):
            raise LawError(f"SpeedTable: {len(self.speed)} speeds, but {len(self.value)} values.")
        if self.speed[0] != 0.0 or not all(a < b for a, b in zip(self.speed, self.speed[1:], strict=False)):
            raise LawError(f"SpeedTable: speed = {list(self.speed)} must begin with 0 and increase.")

    def row(self, points: list[tuple[float, float]]) -> tuple[float, ...]:
        first = len(points)
        points.extend(zip(self.speed, self.value, strict=True))
        return kernels.TABLE, first, len(self.speed)

    @property
    def largest(self) -> float:
        return max(self.value)

    def __float__(self) -> float:
        return self.value[-1]


@functools.cache
def _compiled(function: Callable[..., Any]) -> Any:
    name = getattr(function, "__name__", "function")
    try:
        parameters = inspect.signature(function).parameters
        if len(parameters) != 1:
            raise LawError(f"OfSpeed: {name} takes {len(parameters)} arguments; it is a function of the speed alone.")
        return cfunc(kernels.OF_SPEED, error_model="numpy")(function)
    except NumbaError as error:
        reason = next((line for line in str(error).splitlines() if line.strip()), "numba gives no reason")
        raise LawError(
            f"OfSpeed: {name} cannot be compiled: {reason}. Use numbers and functions of math only."
        ) from error


SPEEDS = np.concatenate([[0.0], np.geomspace(1e-6, 1e3, 91)])  # at which a function is looked at


@dataclass(frozen=True)
class OfSpeed(Coefficient):
    """A function of your own of the speed [m/s or rad/s], compiled by numba: numbers and `math` only, values >= 0.

    >>> laws.Coulomb(mu=laws.OfSpeed(lambda v: 0.3 + 0.1 / (1.0 + 50.0 * v)))
    """

    function: Callable[[float], float]

    def __post_init__(self) -> None:
        if not inspect.isfunction(self.function):
            raise LawError(f"OfSpeed: {self.function!r} is not a function of the speed.")
        values = np.array([_compiled(self.function).ctypes(float(v)) for v in SPEEDS])
        bad = ~np.isfinite(values) | (values < 0.0)
        if bad.any():
            k = int(np.argmax(bad))
            raise LawError(
                f"OfSpeed: {self.function.__name__}({SPEEDS[k]:g}) = {values[k]:g} is no coefficient; it is a finite number "
                ">= 0 at every speed."
            )
        object.__setattr__(self, "_values", values)

    def row(self, points: list[tuple[float, float]]) -> tuple[float, ...]:
        return (kernels.FUNCTION,)

    @property
    def address(self) -> int:
        return int(_compiled(self.function).address)

    @property
    def largest(self) -> float:
        return float(np.max(self._values[SPEEDS <= 100.0]))  # type: ignore[attr-defined]

    def as_table(self) -> dict[str, Any]:
        made = self.function
        module = sys.modules.get(made.__module__)
        if made.__module__ == "__main__" or getattr(module, made.__name__, None) is not made:
            raise LawError(
                f"OfSpeed: the function {made.__name__} comes from a running script, and a scene file could not find it. Put it "
                "into a file of its own and import it."
            )
        return {"function": f"{_file_or_module(made.__module__)}:{made.__name__}"}


def _file_or_module(module: str) -> str:
    """How a scene file names a module: those that come from files by their path."""
    if module.startswith("law_file_"):
        return Path(str(getattr(sys.modules[module], "__file__", module))).as_posix()
    return module


@dataclass(frozen=True, kw_only=True)
class HertzPatch(Coefficient):
    """Radius [m] of the round patch of Hertz under the actual load F [N]: (3 F R / (4 E))**(1/3).

    young [Pa], poisson [-] : of both surfaces, one number each or two, one per surface; young may be inf for one of them
    R is the effective radius of the contact, E the effective modulus, 1 / E = sum (1 - poisson**2) / young.

    >>> laws.Contensou(mu=0.3, patch_radius=laws.HertzPatch(young=2e9, poisson=0.3))
    """

    young: float | tuple[float, float]
    poisson: float | tuple[float, float] = 0.3
    unit: ClassVar[str] = "m"

    def __post_init__(self) -> None:
        for name in ("young", "poisson"):
            given = getattr(self, name)
            values = tuple(given) if isinstance(given, (tuple, list)) else (given, given)
            if len(values) != 2:
                raise LawError(f"HertzPatch: {name} = {given!r} must be one number or two, one per surface.")
            for value in values:
                number = real(value) or (isinstance(value, float) and math.isinf(value))
                if not number or (value <= 0.0 if name == "young" else not -1.0 <= value <= 0.5):
                    allowed = "> 0 [Pa]" if name == "young" else "between -1 and 0.5 [-]"
                    raise LawError(f"HertzPatch: {name} = {value!r} must be a number {allowed}.")
            object.__setattr__(self, name, tuple(float(value) for value in values))
        if all(math.isinf(value) for value in self.young):  # type: ignore[union-attr]
            raise LawError("HertzPatch: young is infinite for both surfaces; one of them must give way.")

    @property
    def modulus(self) -> float:
        """Effective modulus [Pa]."""
        sides = zip(self.young, self.poisson, strict=True)  # type: ignore[arg-type]
        return 1.0 / sum((1.0 - nu * nu) / E for E, nu in sides)

    def row(self, points: list[tuple[float, float]]) -> tuple[float, ...]:
        return kernels.HERTZ_PATCH, self.modulus

    @property
    def largest(self) -> float:
        return 0.0

    def as_table(self) -> dict[str, Any]:
        return {"young": list(self.young), "poisson": list(self.poisson)}  # type: ignore[arg-type]


KINDS: tuple[type[Coefficient], ...] = (Stribeck, SpeedTable, OfSpeed, HertzPatch)


def flatten(
    given: list[Coefficient],
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Curves (K, 6), addresses of functions (K,) and points of tables (P, 2), for `kernels.value_at`."""
    points: list[tuple[float, float]] = []
    curves = np.zeros((len(given), kernels.PARAMETERS))
    for k, coefficient in enumerate(given):
        row = coefficient.row(points)
        curves[k, : len(row)] = row
    calls = np.array([coefficient.address for coefficient in given], np.int64)
    return curves, calls, np.array(points, float).reshape(-1, 2)


def from_table(place: str, table: dict[str, Any], find: Callable[[str], Any]) -> Coefficient:
    """A coefficient from a table of a scene file: which one it is, its keys tell; find: gives a function named module:name."""
    for kind in KINDS:
        names = {f.name for f in fields(kind)}
        needed = (
            {"static", "kinetic"} if kind is Stribeck else {"speed", "value"} if kind is SpeedTable else {"function"}
        )
        needed = {"young"} if kind is HertzPatch else needed
        if needed & set(table) and (kind is not Stribeck or not {"value"} & set(table)):
            for key in table:
                if key not in names:
                    raise LawError(f"{place}: unknown key '{key}'. Known: {', '.join(sorted(names))}.")
            for key in sorted(needed):
                if key not in table:
                    raise LawError(f"{place}: {key} is missing.")
            return kind(function=find(table["function"])) if kind is OfSpeed else kind(**table)
    raise LawError(
        f"{place} = {table!r} is no coefficient. Write a number, {{static = ..., kinetic = ..., speed = ...}}, "
        '{speed = [0, ...], value = [...]}, {function = "file.py:name"}, or for a patch {young = ..., poisson = ...}.'
    )
