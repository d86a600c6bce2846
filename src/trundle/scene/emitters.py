"""Emitters: bodies poured at a rate from a region.

The k-th body of an emitter has its size, its turn and a list of spots to try that depend on the seed, the emitter's name
and k only: the same bodies come out whatever the time step is, and after a resume.  A body takes the first of its spots that
is free; if none is, it and those behind it wait.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SceneError
from trundle.scene.shapes import Shape
from trundle.scene.values import Array, direction, is_list, number, quaternion, vector

ATTEMPTS = 64  # spots that a body tries
CLEARANCE = 1e-3  # of a body's radius, that is left free around it
RANDOM = "random"
MOST = 2_000_000  # bodies of an emitter; more is a slip of the keyboard


def _set(owner: Any, **values: Any) -> None:
    for name, value in values.items():
        object.__setattr__(owner, name, value)


# --- regions -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Region:
    """Where bodies appear; they lie wholly inside, or with their centres in its plane where it has no thickness."""

    label: ClassVar[str] = ""

    def extents(self) -> dict[str, float]:
        """Widths [m] that bodies must fit into, by name."""
        raise NotImplementedError

    def bounds(self) -> tuple[Array, Array]:
        """Corners [m] of an upright box around the region."""
        raise NotImplementedError

    def spots(self, u: Array, radius: float) -> Array:
        """Centres (n, 3) [m] of balls of a radius, evenly distributed, from numbers u (n, 3) in [0, 1)."""
        raise NotImplementedError

    def contains(self, point: Array) -> NDArray[np.bool_]:
        """Which points (n, 3) [m] are in the region or on its boundary, shape (n,)."""
        raise NotImplementedError

    def check(self, place: str, radius: float) -> None:
        """Raise if a ball of the radius [m] does not fit."""
        for name, extent in self.extents().items():
            if 0.0 < extent < 2.0 * radius:
                raise SceneError(
                    f"{place}: the region's {name} is {extent:g} m, but its bodies are up to {2.0 * radius:g} m across. "
                    f"Make it at least {2.0 * radius:g} m, or 0 for centres in a plane."
                )


@dataclass(frozen=True)
class BoxRegion(Region):
    """Upright box between two corners `low` and `high` (3,) [m]."""

    low: Any
    high: Any
    label: ClassVar[str] = "box"

    def __post_init__(self) -> None:
        low, high = (vector("BoxRegion", name, getattr(self, name), "m") for name in ("low", "high"))
        if np.any(high < low):
            axis = "xyz"[int(np.argmax(high < low))]
            raise SceneError(
                f"BoxRegion: high = {self.high!r} m is below low = {self.low!r} m along {axis}; swap them."
            )
        _set(self, low=tuple(low.tolist()), high=tuple(high.tolist()))

    def contains(self, point: Array) -> NDArray[np.bool_]:
        low, high = self.bounds()
        return np.all((low <= point) & (point <= high), axis=1)

    def extents(self) -> dict[str, float]:
        return {f"width along {axis}": b - a for axis, a, b in zip("xyz", self.low, self.high, strict=True)}

    def bounds(self) -> tuple[Array, Array]:
        return np.array(self.low), np.array(self.high)

    def spots(self, u: Array, radius: float) -> Array:
        low, high = self.bounds()
        inset = np.where(high > low, radius, 0.0)
        return (low + inset) + u * ((high - inset) - (low + inset))


@dataclass(frozen=True)
class CylinderRegion(Region):
    """Cylinder from the centre of its `base` (3,) [m] along `axis`, of a `radius` [m] and a `height` [m]; 0: a disk."""

    base: Any
    radius: float
    height: float = 0.0
    axis: Any = (0.0, 0.0, 1.0)
    label: ClassVar[str] = "cylinder"

    def __post_init__(self) -> None:
        _set(
            self,
            base=tuple(vector("CylinderRegion", "base", self.base, "m").tolist()),
            radius=number("CylinderRegion", "radius", self.radius, "m", positive=True),
            height=number("CylinderRegion", "height", self.height, "m", least=0.0),
            axis=tuple(direction("CylinderRegion", "axis", self.axis).tolist()),
        )

    def contains(self, point: Array) -> NDArray[np.bool_]:
        away = point - np.array(self.base)
        along = away @ np.array(self.axis)
        across = np.linalg.norm(away - along[:, None] * np.array(self.axis), axis=1)
        return (along >= 0.0) & (along <= self.height) & (across <= self.radius)

    def extents(self) -> dict[str, float]:
        return {"diameter": 2.0 * self.radius, "height": self.height}

    def _across(self) -> tuple[Array, Array]:
        axis = np.array(self.axis)
        one = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
        one /= np.linalg.norm(one)
        return one, np.cross(axis, one)

    def bounds(self) -> tuple[Array, Array]:
        axis = np.array(self.axis)
        ends = np.array([self.base, self.base + self.height * axis])
        wide = self.radius * np.sqrt(np.maximum(1.0 - axis**2, 0.0))
        return ends.min(axis=0) - wide, ends.max(axis=0) + wide

    def spots(self, u: Array, radius: float) -> Array:
        one, other = self._across()
        rho, angle = (self.radius - radius) * np.sqrt(u[:, :1]), 2.0 * math.pi * u[:, 1:2]
        inset = radius if self.height > 0.0 else 0.0
        along = inset + u[:, 2:] * (self.height - 2.0 * inset)
        return np.array(self.base) + rho * (np.cos(angle) * one + np.sin(angle) * other) + along * np.array(self.axis)


# --- sizes -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sizes:
    """Distribution of a factor [-] on all lengths of the emitter's shape."""

    label: ClassVar[str] = ""

    def largest(self) -> float:
        """Upper end of the distribution."""
        raise NotImplementedError

    def at(self, u: float) -> float:
        """The factor below which a share u of the bodies lies."""
        raise NotImplementedError


@dataclass(frozen=True)
class Uniform(Sizes):
    """Every factor [-] between `low` and `high` is as likely."""

    low: float
    high: float
    label: ClassVar[str] = "uniform"

    def __post_init__(self) -> None:
        _set(self, low=number("Uniform", "low", self.low, "-", positive=True))
        _set(self, high=number("Uniform", "high", self.high, "-", positive=True))
        if self.high < self.low:
            raise SceneError(f"Uniform: high = {self.high:g} is below low = {self.low:g}; swap them.")

    def largest(self) -> float:
        return self.high

    def at(self, u: float) -> float:
        return self.low + u * (self.high - self.low)


@dataclass(frozen=True)
class Normal(Sizes):
    """Normal distribution of the factor [-], cut off at `low` and `high`; by default two deviations from the mean."""

    mean: float
    deviation: float
    low: float | None = None
    high: float | None = None
    label: ClassVar[str] = "normal"

    def __post_init__(self) -> None:
        mean = number("Normal", "mean", self.mean, "-", positive=True)
        deviation = number("Normal", "deviation", self.deviation, "-", positive=True)
        low = mean - 2.0 * deviation if self.low is None else number("Normal", "low", self.low, "-")
        high = mean + 2.0 * deviation if self.high is None else number("Normal", "high", self.high, "-")
        if not 0.0 < low < high:
            raise SceneError(
                f"Normal: factors between low = {low:g} and high = {high:g} are not sizes. Give a smaller deviation, or "
                "0 < low < high."
            )
        _set(self, mean=mean, deviation=deviation, low=low, high=high)

    def largest(self) -> float:
        return float(self.high)  # type: ignore[arg-type]

    def at(self, u: float) -> float:
        from scipy.special import ndtr, ndtri  # slow to import, and seldom needed

        ends = (np.array([self.low, self.high]) - self.mean) / self.deviation
        side = (
            -1.0 if ends[0] > 0.0 else 1.0
        )  # in the upper tail the distribution rounds to 1: look at it from the other side
        shares = ndtr(side * ends)
        value = self.mean + side * self.deviation * float(ndtri(shares[0] + u * (shares[1] - shares[0])))
        return float(np.clip(value, self.low, self.high))  # also where the mean is far outside, and ndtri infinite


@dataclass(frozen=True)
class Choice(Sizes):
    """One of the factors `sizes` (n,) [-], each with a weight (n,), by number of bodies; equal weights if left out."""

    sizes: Any
    weights: Any = None
    label: ClassVar[str] = "choice"

    def __post_init__(self) -> None:
        sizes = _positive("Choice", "sizes", self.sizes)
        weights = (
            np.ones(len(sizes)) if self.weights is None else vector("Choice", "weights", self.weights, "-", len(sizes))
        )
        if np.any(weights < 0.0) or not np.any(weights > 0.0):
            raise SceneError(f"Choice: weights = {self.weights!r} must be at least 0, and one of them positive.")
        _set(self, sizes=tuple(sizes.tolist()), weights=tuple(weights.tolist()))

    def largest(self) -> float:
        return max(self.sizes)

    def at(self, u: float) -> float:
        share = np.cumsum(self.weights)
        return self.sizes[int(np.searchsorted(share, u * share[-1], side="right"))]


@dataclass(frozen=True)
class Grading(Sizes):
    """A grading curve: the share `passing` (n,) of the bodies, by number, is smaller than the factors `sizes` (n,) [-].

    Both increase, `passing` from 0 to 1; linear in between.
    """

    sizes: Any
    passing: Any
    label: ClassVar[str] = "grading"

    def __post_init__(self) -> None:
        sizes = _positive("Grading", "sizes", self.sizes)
        passing = vector("Grading", "passing", self.passing, "-", len(sizes))
        if len(sizes) < 2 or np.any(np.diff(sizes) < 0.0) or np.any(np.diff(passing) <= 0.0):
            raise SceneError("Grading: sizes and passing must both increase, and have at least two values.")
        if passing[0] != 0.0 or passing[-1] != 1.0:
            raise SceneError(f"Grading: passing = {self.passing!r} must begin with 0 and end with 1.")
        _set(self, sizes=tuple(sizes.tolist()), passing=tuple(passing.tolist()))

    def largest(self) -> float:
        return max(self.sizes)

    def at(self, u: float) -> float:
        return float(np.interp(u, self.passing, self.sizes))


def _positive(place: str, name: str, value: Any) -> Array:
    if not is_list(value):
        raise SceneError(f"{place}: {name} = {value!r} must be a list of factors [-].")
    array = vector(place, name, value, "-", len(value))
    if len(array) == 0 or np.any(array <= 0.0):
        raise SceneError(f"{place}: {name} = {value!r} must be positive factors [-].")
    return array


# --- an emitter --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Emitter:
    """Pours `count` bodies of a shape from a region, `rate` [1/s] of them from the time `start` [s] on.

    sizes : distribution of a factor on the shape's lengths; density [kg/m^3], or mass [kg] at the factor 1, which
    goes with the cube of the factor
    orientation : "random", all turns as likely, or a unit quaternion (w, x, y, z)
    velocity [m/s] and angular_velocity [rad/s] that bodies start with, world frame
    """

    name: str
    shape: Shape
    rate: float
    count: int
    region: Region
    seed: int = 0
    sizes: Sizes | None = None
    density: float | None = None
    mass: float | None = None
    surface: str = "default"
    velocity: Any = (0.0, 0.0, 0.0)
    angular_velocity: Any = (0.0, 0.0, 0.0)
    orientation: Any = RANDOM
    start: float = 0.0
    group: str | None = None

    def __post_init__(self) -> None:
        place = f"emitter '{self.name}'"
        if not isinstance(self.shape, Shape):
            raise SceneError(f"{place}: {self.shape!r} is not a shape; give e.g. Sphere(radius=0.1).")
        if not isinstance(self.region, Region):
            raise SceneError(f"{place}: region = {self.region!r} is not a region; give BoxRegion or CylinderRegion.")
        if self.sizes is not None and not isinstance(self.sizes, Sizes):
            raise SceneError(f"{place}: sizes = {self.sizes!r} is not one of Uniform, Normal, Choice and Grading.")
        if (self.density is None) == (self.mass is None):
            raise SceneError(f"{place}: give density [kg/m^3] or mass [kg], one of them.")
        for name, value, unit in (("density", self.density, "kg/m^3"), ("mass", self.mass, "kg")):
            if value is not None:
                number(place, name, value, unit, positive=True)
        for name, value in (("count", self.count), ("seed", self.seed)):
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 0 <= value < 2**63:
                raise SceneError(f"{place}: {name} = {value!r} must be a whole number >= 0.")
        if not 1 <= self.count <= MOST:
            raise SceneError(f"{place}: count = {self.count} must be the number of bodies, from 1 to {MOST}.")
        radius = self.shape.bounding_radius * self.factor(1.0)
        if not math.isfinite(radius):
            raise SceneError(f"{place}: a {type(self.shape).__name__} is unbounded and cannot be poured.")
        _set(
            self,
            rate=number(place, "rate", self.rate, "1/s", positive=True, infinite=True),
            start=number(place, "start", self.start, "s", least=0.0),
            velocity=vector(place, "velocity", self.velocity, "m/s"),
            angular_velocity=vector(place, "angular_velocity", self.angular_velocity, "rad/s"),
        )
        if isinstance(self.orientation, str):
            if self.orientation != RANDOM:
                raise SceneError(
                    f"{place}: orientation = {self.orientation!r} must be {RANDOM!r} or a quaternion (w, x, y, z)."
                )
        else:
            _set(self, orientation=quaternion(place, self.orientation))
        self.region.check(place, radius)

    def factor(self, u: float) -> float:
        """Size below which a share u of the bodies lies, relative to the shape; at u = 1 the largest."""
        if self.sizes is None:
            return 1.0
        return self.sizes.largest() if u >= 1.0 else self.sizes.at(u)

    def due(self, k: int) -> float:
        """Time [s] at which the k-th body is to be poured."""
        return self.start + k / self.rate

    def draws(self, k: int) -> Array:
        """Numbers in [0, 1) of the k-th body: size, turn (3), and three for every spot."""
        key = np.array([self.seed, zlib.crc32(self.name.encode(errors="surrogatepass"))], np.uint64)
        # raw bits: numpy promises that they stay the same
        bits = np.random.Philox(key=key, counter=np.array([0, k, 0, 0], np.uint64)).random_raw(4 + 3 * ATTEMPTS)
        return np.float64(2.0**-53) * (bits >> np.uint64(11)).astype(np.float64)

    def body(self, k: int) -> dict[str, Any]:
        """The k-th body, as the arguments of `Scene.add`; its place is in the middle of the region until it is poured."""
        u = self.draws(k)
        factor = self.factor(u[0])
        low, high = self.region.bounds()
        mass = None if self.mass is None else float(self.mass) * factor**3
        return {
            "shape": self.shape if factor == 1.0 else self.shape.scaled(factor),
            "name": f"{self.name}.{k}", "density": self.density, "mass": mass,
            "position": 0.5 * (low + high), "velocity": self.velocity, "angular_velocity": self.angular_velocity,
            "orientation": _turn(u[1:4]) if isinstance(self.orientation, str) else self.orientation,
            "surface": self.surface, "group": self.group,
        }  # fmt: skip

    def spots(self, k: int, radius: float) -> Array:
        """Centres (ATTEMPTS, 3) [m] that the k-th body, with a bounding radius [m], tries in this order."""
        return self.region.spots(self.draws(k)[4:].reshape(ATTEMPTS, 3), radius)


def _turn(u: Array) -> Array:
    """A quaternion, all turns as likely, from three numbers in [0, 1) (Shoemake 1992)."""
    a, b = 2.0 * math.pi * u[1], 2.0 * math.pi * u[2]
    small, large = math.sqrt(1.0 - u[0]), math.sqrt(u[0])
    turn = np.array([large * math.cos(b), small * math.sin(a), small * math.cos(a), large * math.sin(b)])
    return turn / np.linalg.norm(turn)
