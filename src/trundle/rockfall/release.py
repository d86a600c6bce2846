"""Where blocks start: places over the ground from points, lines, polygons or a table, each a function of seed and number."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from trundle.errors import SceneError, known
from trundle.output import file_path
from trundle.rockfall.chance import Chance
from trundle.scene.values import Array, is_list, number
from trundle.scene.zones import check_system, inside, read_features

COLUMNS = ("release_x", "release_y")  # that a table must have
SPEEDS = ("release_vx", "release_vy", "release_vz")
FASTEST = {"m/s": 300.0, "rad/s": 1000.0}  # a fall of 4.5 km
DELIMITERS = (",", ";", "\t")  # between the columns of a table: the one that its head has most of
TRIES = 10_000  # at most, to find a place within a polygon


@dataclass(frozen=True)
class Place:
    """A place where a block starts: name of the run, kind of block, map coordinates [m], velocity [m/s]; z of its centre [m], if
    given; ground [m]: height of the ground that a table states, for comparison."""

    run: str
    block: str
    x: float
    y: float
    velocity: tuple[float, float, float]
    z: float | None = None
    ground: float | None = None


@dataclass(frozen=True)
class Release:
    """Where and how blocks start.

    table : a CSV file with the columns release_x, release_y [m] and, where they are known, run, block, release_vx, release_vy,
        release_vz [m/s], release_z [m], the height of the centre, or release_ground_z, that of the ground
    points, line, polygon : places (n, 2) [m]: blocks start at the points in turn, evenly along the line or over the polygon
    file : points, lines or polygons of a GeoJSON file or shapefile, instead
    count : blocks to release ; seeds : times that every row of a table is repeated, with seeds 0, 1, ...
    height [m] : between the ground and the lowest point of the block, along the normal of the ground
    velocity [m/s] (3,) ; spread [m/s] : standard deviation that is added to each of its components
    angular_velocity [rad/s] (3,) ; spin [rad/s] : standard deviation that is added to each of its components
    orientation : "random", or a unit quaternion (w, x, y, z)
    """

    table: Any = None
    points: Any = None
    line: Any = None
    polygon: Any = None
    file: Any = None
    count: int = 100
    seeds: int = 1
    height: float = 0.01
    velocity: Any = (0.0, 0.0, 0.0)
    spread: float = 0.0
    angular_velocity: Any = (0.0, 0.0, 0.0)
    spin: float = 0.0
    orientation: Any = "random"

    def __post_init__(self) -> None:
        place = "release"
        given = [name for name in ("table", "points", "line", "polygon", "file") if getattr(self, name) is not None]
        if len(given) != 1:
            named = " and ".join(given) or "none"
            raise SceneError(f"{place}: give one of table, points, line, polygon, file; {named} given.")
        for name in ("count", "seeds"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 10**8:
                raise SceneError(f"{place}: {name} = {value!r} must be a whole number > 0.")
        for name in ("table", "file"):
            if getattr(self, name) is not None:
                file_path(f"{place}: {name}", getattr(self, name))
        for name, least in (("points", 1), ("line", 2), ("polygon", 3)):
            if getattr(self, name) is not None:
                _pairs(name, getattr(self, name), least)
        number(place, "height", self.height, "m", least=0.0)
        _not_absurd(place, "spread", number(place, "spread", self.spread, "m/s", least=0.0), "m/s")
        _not_absurd(place, "spin", number(place, "spin", self.spin, "rad/s", least=0.0), "rad/s")
        for name, unit in (("velocity", "m/s"), ("angular_velocity", "rad/s")):
            value = getattr(self, name)
            if not is_list(value) or len(value) != 3:
                raise SceneError(f"{place}: {name} = {value!r} must be three numbers [{unit}].")
            object.__setattr__(self, name, tuple(number(place, f"{name}[{k}]", v, unit) for k, v in enumerate(value)))
            for k, v in enumerate(getattr(self, name)):
                _not_absurd(place, f"{name}[{k}]", v, unit)
        if not known(self.orientation, ("random",)):
            if not is_list(self.orientation) or len(self.orientation) != 4:
                raise SceneError(
                    f'{place}: orientation = {self.orientation!r} must be "random" or a quaternion (w, x, y, z).'
                )
            q = np.array([number(place, "orientation", v, "-") for v in self.orientation])
            if not np.linalg.norm(q) > 0.0:
                raise SceneError(f"{place}: orientation must not be zero.")
            object.__setattr__(self, "orientation", tuple(q / np.linalg.norm(q)))

    def places(self, seed: int, folder: Path, crs: str = "") -> list[Place]:
        """All places, in the order of the blocks; files are relative to a folder, crs: coordinate system of the ground."""
        if self.table is not None:
            return read_table(
                Path(self.table) if Path(self.table).is_absolute() else folder / self.table, self.velocity
            )
        if self.file is not None:
            check_system("release", folder / str(self.file), crs)
        draw = self._where(folder)
        found = []
        for k in range(self.count):
            x, y = draw(k, Chance(seed, k, "place"))
            found.append(Place(str(k), "", x, y, self.velocity))
        return found

    def _where(self, folder: Path) -> Any:
        """A function of number and chance that gives a place."""
        if self.points is not None:
            points = _pairs("points", self.points, 1)
            return lambda k, chance: tuple(points[k % len(points)])
        if self.line is not None:
            return _along([_pairs("line", self.line, 2)])
        if self.polygon is not None:
            return _over([[_pairs("polygon", self.polygon, 3)]])
        path = folder / str(self.file)
        if not path.is_file():
            raise SceneError(f"release: file = {str(path)!r}: there is no such file.")
        for kind, make in (("Point", None), ("LineString", _along), ("Polygon", _over)):
            try:
                parts = [part for _, parts in read_features("release", path, kind) for part in parts]
            except SceneError as error:
                if "are expected" not in str(error):
                    raise
                continue
            if make is None:
                points = np.concatenate(parts)
                return lambda k, chance: tuple(points[k % len(points)])
            return make(parts)
        raise SceneError(f"release: file = {str(path)!r} must hold points, lines or polygons, of one kind.")

    def draw_start(self, place: Place, seed: int, block: int) -> tuple[Array, Array, Array]:
        """Orientation, velocity and angular velocity of a block."""
        chance = Chance(seed, block, "start")
        q = chance.orientation() if self.orientation == "random" else np.array(self.orientation)
        v = np.array(place.velocity) + self.spread * np.array([chance.normal() for _ in range(3)])
        w = np.array(self.angular_velocity) + self.spin * np.array([chance.normal() for _ in range(3)])
        return q, v, w


def _pairs(name: str, given: Any, least: int) -> Array:
    try:
        array = np.array(given, float)
    except (TypeError, ValueError, OverflowError):
        array = np.zeros(0)
    if array.ndim != 2 or array.shape[1] != 2 or len(array) < least or not np.isfinite(array).all():
        raise SceneError(f"release: {name} = {given!r} must be at least {least} pairs of coordinates (x, y) [m].")
    return array


def _along(lines: Sequence[Array]) -> Any:
    starts = np.concatenate([line[:-1] for line in lines])
    steps = np.concatenate([np.diff(line, axis=0) for line in lines])
    ends = np.cumsum(np.linalg.norm(steps, axis=1))
    if not ends[-1] > 0.0:
        raise SceneError("release: the line has no length.")

    def draw(k: int, chance: Chance) -> tuple[float, float]:
        way = chance.uniform(0.0, float(ends[-1]))
        i = min(int(np.searchsorted(ends, way, side="right")), len(ends) - 1)
        share = 1.0 - (ends[i] - way) / (ends[i] - (ends[i - 1] if i else 0.0))
        x, y = starts[i] + share * steps[i]
        return float(x), float(y)

    return draw


def _over(polygons: Sequence[Sequence[Array]]) -> Any:
    low = np.min([rings[0].min(axis=0) for rings in polygons], axis=0)
    high = np.max([rings[0].max(axis=0) for rings in polygons], axis=0)

    def draw(k: int, chance: Chance) -> tuple[float, float]:
        for _ in range(TRIES):
            x, y = chance.uniform(low[0], high[0]), chance.uniform(low[1], high[1])
            if any(inside(rings, np.array([x]), np.array([y]))[0] for rings in polygons):
                return x, y
        raise SceneError("release: the polygon has hardly any area: no place within it was found.")

    return draw


def read_table(path: Path, velocity: tuple[float, float, float]) -> list[Place]:
    """Places from a CSV file; see `Release`."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as stream:
            head = stream.readline()
            stream.seek(0)
            reader = csv.DictReader(stream, delimiter=max(DELIMITERS, key=head.count), skipinitialspace=True)
            names = reader.fieldnames = [name.strip() for name in reader.fieldnames or []]
            rows = list(reader)
    except FileNotFoundError:
        raise SceneError(f"release: {str(path)!r}: there is no such file.") from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SceneError(f"release: {str(path)!r} cannot be read as CSV: {error}.") from None
    missing = [name for name in COLUMNS if name not in names]
    if missing or not rows:
        what = f"has no column {missing[0]}; it has: {', '.join(names) or 'none'}" if missing else "has no rows"
        needed = ", ".join(COLUMNS)
        raise SceneError(f"release: {str(path)!r} {what}. It needs the columns {needed} [m], a run in each row.")

    def value(line: int, row: dict[str, Any], name: str, default: float | None) -> float | None:
        text = (row.get(name) or "").strip()
        if not text:
            if default is None and name in COLUMNS:
                raise SceneError(f"release: {str(path)!r}, line {line}: {name} is empty.")
            return default
        try:
            result = float(text)
        except ValueError:
            result = math.nan
        if not math.isfinite(result):
            raise SceneError(f"release: {str(path)!r}, line {line}: {name} = {text!r} is not a number.")
        if name in SPEEDS:
            _not_absurd(f"release: {str(path)!r}, line {line}", name, result, "m/s")
        return result

    found = []
    for k, row in enumerate(rows):
        at = k + 2
        x, y = (value(at, row, name, None) for name in COLUMNS)
        v = tuple(value(at, row, name, default) for name, default in zip(SPEEDS, velocity, strict=True))
        found.append(
            Place(
                (row.get("run") or "").strip() or str(k), _block(row.get("block") or ""), x, y, v,  # type: ignore[arg-type]
                value(at, row, "release_z", None), value(at, row, "release_ground_z", None),
            )
        )  # fmt: skip
    names_of_runs = [place.run for place in found]
    if len(set(names_of_runs)) != len(names_of_runs):
        twice = next(name for name in names_of_runs if names_of_runs.count(name) > 1)
        raise SceneError(f"release: {str(path)!r}: run '{twice}' stands there more than once.")
    return found


def _not_absurd(place: str, name: str, value: float, unit: str) -> None:
    """Refuse a speed that no rock has."""
    if abs(value) > FASTEST[unit]:
        raise SceneError(
            f"{place}: {name} = {value:g} {unit}: no rock is faster than {FASTEST[unit]:g} {unit}. Check the unit."
        )


def _block(text: str) -> str:
    """The name of a block; 1.0 of a table with gaps is 1."""
    name = text.strip()
    whole = name.removesuffix(".0")
    return whole if whole.isdigit() else name
