"""Zones: one surface for every triangle of a ground, from arrays, polygons or rasters of classes."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from trundle.errors import SceneError, unknown
from trundle.scene.rasters import ASCII, read_raster
from trundle.scene.shapes_base import Ints
from trundle.scene.values import Array, is_list, number

NAME_KEYS = ("surface", "soil", "name", "class")  # properties of a polygon that may name its surface
JSON = (".geojson", ".json")
SHAPES = (".shp", ".gpkg", ".fgb")
OWN = -1  # zone of the surface of the body itself


def resolve(
    place: str, zones: Any, named: dict[int, str], vertices: Array, faces: Ints, offset: Sequence[float], crs: str = ""
) -> tuple[Ints, tuple[str, ...]]:
    """Number of the soil of every triangle (T,), OWN where the body's surface holds, and the names of the soils.

    zones : classes (T,) or per cell (cells,), two triangles each; or the name of a file of polygons or classes
    named : name of the soil of each class
    offset : map coordinates of the origin of the ground's frame [m] ; crs : their coordinate reference system, "" if not known
    """
    names = tuple(dict.fromkeys(named.values()))
    if isinstance(zones, (str, Path)):
        path = Path(zones)
        if not path.is_file():
            raise SceneError(f"{place}: zones = {str(path)!r}: there is no such file.")
        check_system(f"{place}: zones", path, crs)
        middle = vertices[faces].mean(axis=1)
        x, y = middle[:, 0] + offset[0], middle[:, 1] + offset[1]
        if path.suffix.lower() in (*JSON, *SHAPES):
            return _of_polygons(place, path, names, x, y)
        return _numbers(f"{place}: zones = {str(path)!r}", _classes(place, path, x, y), named), names
    try:
        array = np.asarray(zones) if is_list(zones) else np.array(None)
        if array.dtype.kind not in "iu" or not array.size:
            raise TypeError
        flat = array.astype(np.int64).ravel()
    except (TypeError, ValueError):
        raise SceneError(
            f"{place}: zones must be whole numbers, one per cell or triangle, or the name of a file."
        ) from None
    if 2 * len(flat) == len(faces):
        flat = np.repeat(flat, 2)
    if len(flat) != len(faces):
        raise SceneError(f"{place}: zones has {len(flat)} numbers; there are {len(faces)} triangles.")
    return _numbers(f"{place}: zones", flat, named), names


def named_classes(place: str, soils: Any) -> dict[int, str]:
    """Names of surfaces by the number of their class, from a table, or from a list that begins with class 0; checked."""
    wrong = f"{place}: soils = {soils!r} must be a list of names of surfaces, such as ['meadow', 'scree'], or "
    try:
        named = (
            {int(key): name for key, name in soils.items()} if isinstance(soils, Mapping) else dict(enumerate(soils))
        )
    except (TypeError, ValueError):
        named = {-1: ""}
    if not (isinstance(soils, Mapping) or is_list(soils)) or not all(isinstance(n, str) and n for n in named.values()):
        raise SceneError(f"{wrong}a table of names by class, such as {{1: 'meadow', 24: 'scree'}}.")
    if min(named, default=0) < 0 or len(named) < len(soils):
        raise SceneError(f"{wrong}a table of names by class; classes are different whole numbers >= 0.")
    if not isinstance(soils, Mapping) and len(set(named.values())) != len(named):
        raise SceneError(f"{place}: soils = {list(soils)} names a surface twice.")
    return named


def _numbers(place: str, classes: Any, named: dict[int, str]) -> Ints:
    """Numbers of the soils of classes, as they are named in order; OWN stays what it is."""
    names = list(dict.fromkeys(named.values()))
    result = np.full(len(classes), OWN, np.int64)
    for one in np.unique(classes[classes != OWN]):
        if one not in named:
            listed = ", ".join(f"{k}: {name}" for k, name in named.items()) or "none"
            raise SceneError(f"{place} has the class {one:g}, which soils does not name; it names {listed}.")
        result[classes == one] = names.index(named[one])
    return result


def _classes(place: str, path: Path, x: Array, y: Array) -> Array:
    """Classes of a raster at places; OWN where it has no value or does not reach."""
    raster = read_raster(f"{place}: zones", path)
    found = raster.at(x, y)
    known = ~np.isnan(found)
    if not known.any():
        b = raster.bounds
        raise SceneError(
            f"{place}: zones = {str(path)!r} covers {_extent(*b)}, none of the ground, which covers "
            f"{_extent(x.min(), y.min(), x.max(), y.max())}. Are they in the same coordinate system?"
        )
    return np.where(known, found, OWN)


def _of_polygons(place: str, path: Path, names: tuple[str, ...], x: Array, y: Array) -> tuple[Ints, tuple[str, ...]]:
    """Soils of the triangles whose middle is within a polygon; later polygons lie above earlier ones."""
    zone = np.full(len(x), OWN, np.int64)
    listed = list(names)
    inside_any = False
    extent = [math.inf, math.inf, -math.inf, -math.inf]
    for k, (properties, polygons) in enumerate(read_features(f"{place}: zones", path, "Polygon")):
        name = next((properties[key] for key in NAME_KEYS if isinstance(properties.get(key), str)), None)
        if name is None:
            raise SceneError(
                f"{place}: zones = {str(path)!r}: feature {k} does not name its surface: give it a property 'surface'. It has: "
                f"{', '.join(map(str, properties)) or 'none'}."
            )
        if names and name not in names:
            raise SceneError(f"{place}: zones = {str(path)!r}: feature {k}: " + unknown("surface", name, names))
        if name not in listed:
            listed.append(name)
        for rings in polygons:
            outer = rings[0]
            extent = [*np.minimum(extent[:2], outer.min(axis=0)), *np.maximum(extent[2:], outer.max(axis=0))]
            within = inside(rings, x, y)
            inside_any = inside_any or bool(within.any())
            zone[within] = listed.index(name)
    if not inside_any:
        raise SceneError(
            f"{place}: zones = {str(path)!r}: no triangle lies in one of its polygons, which cover {_extent(*extent)}; the "
            f"ground covers {_extent(x.min(), y.min(), x.max(), y.max())}. Are they in the same coordinate system?"
        )
    return zone, tuple(listed)


def _extent(low_x: float, low_y: float, high_x: float, high_y: float) -> str:
    return f"x from {low_x:.10g} to {high_x:.10g} m, y from {low_y:.10g} to {high_y:.10g} m"


def inside(rings: Sequence[Array], x: Array, y: Array) -> Any:
    """Which places lie within a polygon, a ring (n, 2) and its holes: a ray crosses their sides an odd number of times."""
    low, high = rings[0].min(axis=0), rings[0].max(axis=0)
    rows = np.flatnonzero((x >= low[0]) & (x <= high[0]) & (y >= low[1]) & (y <= high[1]))
    odd = np.zeros(len(rows), bool)
    px, py = x[rows], y[rows]
    for ring in rings:
        for (x0, y0), (x1, y1) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            if y0 != y1:
                crosses = (y0 > py) != (y1 > py)
                odd ^= crosses & (px < x0 + (py - y0) * (x1 - x0) / (y1 - y0))
    result = np.zeros(np.shape(x), bool)
    result[rows] = odd
    return result


def read_features(place: str, path: Path, kind: str) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    """Properties of the features of a file, and their parts: rings (n, 2) of polygons, or points (n, 2) of lines and points.

    kind : "Polygon", "LineString" or "Point"; features of another kind are an error
    """
    if path.suffix.lower() in JSON:
        features = _read_json(place, path)
    else:
        try:
            import pyogrio
        except ImportError:
            raise SceneError(
                f'{place}: {str(path)!r} needs pyogrio: pip install "trundle[terrain]". GeoJSON needs nothing.'
            ) from None
        try:
            features = json.loads(pyogrio.read_dataframe(path).to_json())["features"]
        except Exception as error:  # whatever GDAL or geopandas says of a foreign file
            raise SceneError(f"{place}: {str(path)!r} cannot be read: {error}.") from None
    for k, feature in enumerate(features):
        shape = feature.get("geometry") or {} if isinstance(feature, Mapping) else {}
        given, coordinates = shape.get("type"), shape.get("coordinates")
        if given not in (kind, f"Multi{kind}"):
            raise SceneError(f"{place}: {str(path)!r}: feature {k} is a {given}; {kind}s are expected.")
        parts: list[Any] = list(coordinates or []) if given != kind else [coordinates]
        read: list[Any]
        try:
            if kind == "Polygon":
                read = [[_points(ring) for ring in part] for part in parts]
            else:
                read = [_points(part if kind == "LineString" else [part]) for part in parts]
        except (TypeError, ValueError, IndexError):
            raise SceneError(f"{place}: {str(path)!r}: feature {k} has coordinates that are not numbers.") from None
        yield dict(feature.get("properties") or {}), read


def check_system(place: str, path: Path, crs: str) -> None:
    """An error where a file names another coordinate reference system than that of the ground; files that name none pass."""
    named = _system_of(path) if crs else ""
    if named.startswith("EPSG:") and crs.startswith("EPSG:") and named != crs:
        raise SceneError(
            f"{place}: {str(path)!r} is in the coordinate system {named}, the ground in {crs}. Project it first, such as "
            f"ogr2ogr -t_srs {crs} out.geojson {path.name} (gdalwarp for rasters)."
        )


def _system_of(path: Path) -> str:
    """The coordinate reference system that a file names, such as EPSG:2056; "" if it names none, or cannot be read."""
    if path.suffix.lower() in JSON:
        try:
            named = json.loads(path.read_text(encoding="utf-8-sig"))["crs"]["properties"]["name"]
        except (OSError, ValueError, KeyError, TypeError):
            return ""
        return f"EPSG:{named.rsplit(':', 1)[-1]}" if isinstance(named, str) and "EPSG" in named else ""
    if path.suffix.lower() not in SHAPES:
        return "" if path.suffix.lower() in ASCII else read_raster("zones", path).crs
    try:
        import pyogrio

        return str(pyogrio.read_info(path).get("crs") or "")
    except Exception:  # read_features says what is wrong with it
        return ""


def _points(given: Any) -> Array:
    array = np.array([[float(point[0]), float(point[1])] for point in given])
    if len(array) == 0 or not np.isfinite(array).all():
        raise ValueError
    return array


def _read_json(place: str, path: Path) -> list[Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise SceneError(f"{place}: {str(path)!r} is no GeoJSON: {error}.") from None
    if isinstance(data, dict) and data.get("type") == "FeatureCollection" and isinstance(data.get("features"), list):
        return list(data["features"])
    if isinstance(data, dict) and data.get("type") == "Feature":
        return [data]
    raise SceneError(f"{place}: {str(path)!r} is no GeoJSON: a FeatureCollection or a Feature is expected.")


def check_roughness(place: str, given: Any) -> Any:
    """Roughness {tilt [rad], size [m], seed}, or one such table per surface {name: {...}}; checked."""
    if not isinstance(given, Mapping):
        raise SceneError(
            f"{place}: roughness = {given!r} must be a table {{tilt = 0.1, size = 0.5}}, or one per surface."
        )
    if "tilt" in given or "size" in given:
        extra = set(given) - {"tilt", "size", "seed"}
        if extra:
            raise SceneError(f"{place}: roughness: " + unknown("key", sorted(extra)[0], ("tilt", "size", "seed")))
        for key in ("tilt", "size"):
            if key not in given:
                raise SceneError(f"{place}: roughness needs tilt [rad] and size [m]; {key} is missing.")
        seed = given.get("seed", 0)
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**63:
            raise SceneError(f"{place}: roughness: seed = {seed!r} must be a whole number >= 0.")
        tilt = number(place, "tilt", given["tilt"], "rad", least=0.0, most=0.5)
        size = number(place, "size", given["size"], "m", positive=True, least=1e-3)
        return {"tilt": tilt, "size": size, "seed": int(seed)}
    return {str(name): check_roughness(f"{place}, '{name}'", table) for name, table in given.items()}


__all__ = ["ASCII", "OWN", "check_roughness", "inside", "named_classes", "read_features", "resolve"]
