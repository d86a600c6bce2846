"""Rasters in files: heights and classes over a grid of map coordinates, as ESRI ASCII or what rasterio reads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from trundle.errors import SceneError
from trundle.scene.values import Array, is_list, number

ASCII = (".asc", ".agr", ".grd")
KEYS = ("ncols", "nrows", "cellsize", "dx", "dy", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "nodata_value")
ALIGNED = 1e-3  # of a cell: by how much tiles may be off a common grid


@dataclass(frozen=True)
class Raster:
    """Values (nx, ny) at x = corner[0] + i spacing[0], y = corner[1] + j spacing[1], map coordinates [m].

    NaN where there is no value.  The places are centres of cells.
    crs: the coordinate reference system as text, "" if the file does not say.
    """

    values: Array
    corner: tuple[float, float]
    spacing: tuple[float, float]
    crs: str = ""

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Least x and y, largest x and y of the places [m]."""
        (x, y), (dx, dy), (nx, ny) = self.corner, self.spacing, self.values.shape
        return x, y, x + (nx - 1) * dx, y + (ny - 1) * dy

    def at(self, x: Array, y: Array) -> Array:
        """Values of the cells that hold places [m]; NaN outside."""
        i = np.floor((np.asarray(x) - self.corner[0]) / self.spacing[0] + 0.5).astype(np.int64)
        j = np.floor((np.asarray(y) - self.corner[1]) / self.spacing[1] + 0.5).astype(np.int64)
        inside = (i >= 0) & (j >= 0) & (i < self.values.shape[0]) & (j < self.values.shape[1])
        found = np.full(np.shape(i), np.nan)
        found[inside] = self.values[i[inside], j[inside]]
        return found

    def cropped(self, place: str, crop: Any) -> Raster:
        """The part of it whose places are within (least x, least y, largest x, largest y) [m]."""
        if not is_list(crop) or len(crop) != 4:
            raise SceneError(f"{place}: crop = {crop!r} must be least x, least y, largest x, largest y [m].")
        low_x, low_y, high_x, high_y = (number(place, f"crop[{k}]", v, "m") for k, v in enumerate(crop))
        x, y = (self.corner[k] + self.spacing[k] * np.arange(self.values.shape[k]) for k in range(2))
        slack = 1e-9 * max(map(abs, self.bounds), default=1.0)
        i, j = (
            np.flatnonzero((a >= low - slack) & (a <= high + slack))
            for a, low, high in ((x, low_x, high_x), (y, low_y, high_y))
        )
        if len(i) < 2 or len(j) < 2:
            b = self.bounds
            raise SceneError(
                f"{place}: crop = {list(crop)} m leaves {len(i)} x {len(j)} places; at least 2 x 2 are needed. The file covers "
                f"x from {b[0]:.10g} to {b[2]:.10g} m, y from {b[1]:.10g} to {b[3]:.10g} m: is crop in the same system?"
            )
        return replace(
            self, values=self.values[i[0] : i[-1] + 1, j[0] : j[-1] + 1], corner=(float(x[i[0]]), float(y[j[0]]))
        )

    def resampled(self, place: str, spacing: Any) -> Raster:
        """The same ground at another spacing [m], bilinear; a place that has a neighbour without a value has none."""
        step = number(place, "resample", spacing, "m", positive=True, least=1e-6)
        size = [math.floor((n - 1) * d / step + 1e-9) + 1 for n, d in zip(self.values.shape, self.spacing, strict=True)]
        if min(size) < 2 or size[0] * size[1] > 10**8:
            raise SceneError(
                f"{place}: resample = {step:g} m makes {size[0]} x {size[1]} places of {self.values.shape[0]} x "
                f"{self.values.shape[1]}; at least 2 x 2 and at most 10^8 are needed."
            )
        u, v = (
            np.minimum(np.arange(n) * step / d, m - 1.0)
            for n, m, d in zip(size, self.values.shape, self.spacing, strict=True)
        )
        return replace(self, values=bilinear(self.values, u[:, None], v[None, :]), spacing=(step, step))


def bilinear(values: Array, u: Array, v: Array) -> Array:
    """Values between the places (nx, ny) of a grid, u and v in units of the spacing; NaN if a corner that counts is."""
    i = np.clip(np.floor(u).astype(np.int64), 0, values.shape[0] - 2)
    j = np.clip(np.floor(v).astype(np.int64), 0, values.shape[1] - 2)
    s, t = u - i, v - j
    total = np.zeros(np.broadcast_shapes(np.shape(u), np.shape(v)))
    for a, share_a in ((0, 1.0 - s), (1, s)):
        for b, share_b in ((0, 1.0 - t), (1, t)):
            share = share_a * share_b
            total = total + np.where(share > 1e-12, share * values[i + a, j + b], 0.0)
    return total


def read_raster(place: str, file: Any) -> Raster:
    """A raster from one file, or from tiles of a common grid in a list of files, later ones in gaps of earlier ones."""
    files = [file] if isinstance(file, (str, Path)) else file
    if not isinstance(files, Sequence) or not files or not all(isinstance(name, (str, Path)) for name in files):
        raise SceneError(f"{place}: file = {file!r} must be the name of a file, or a list of names.")
    tiles = [_read(place, Path(name)) for name in files]
    return tiles[0] if len(tiles) == 1 else _mosaic(place, tiles, [str(name) for name in files])


def _read(place: str, path: Path) -> Raster:
    if not path.is_file():
        raise SceneError(f"{place}: file = {str(path)!r}: there is no such file.")
    return _read_ascii(place, path) if path.suffix.lower() in ASCII else _read_with_rasterio(place, path)


def _mosaic(place: str, tiles: list[Raster], names: list[str]) -> Raster:
    first = tiles[0]
    low = [min(tile.corner[k] for tile in tiles) for k in range(2)]
    offsets = []
    for tile, name in zip(tiles, names, strict=True):
        if not np.allclose(tile.spacing, first.spacing, rtol=1e-6) or tile.crs != first.crs:
            raise SceneError(
                f"{place}: tiles must share spacing and coordinate system; {names[0]!r} has {first.spacing} m, "
                f"{first.crs or 'no CRS'}, "
                f"{name!r} has {tile.spacing} m, {tile.crs or 'no CRS'}."
            )
        steps = [(tile.corner[k] - low[k]) / first.spacing[k] for k in range(2)]
        if any(abs(s - round(s)) > ALIGNED for s in steps):
            raise SceneError(
                f"{place}: tile {name!r} is off the grid of {names[0]!r} by a part of a cell. Resample it first."
            )
        offsets.append([round(s) for s in steps])
    size = [max(o[k] + tile.values.shape[k] for o, tile in zip(offsets, tiles, strict=True)) for k in range(2)]
    values = np.full(size, np.nan)
    for (i, j), tile in zip(offsets, tiles, strict=True):
        part = values[i : i + tile.values.shape[0], j : j + tile.values.shape[1]]
        part[np.isnan(part)] = tile.values[np.isnan(part)]
    return replace(first, values=values, corner=(low[0], low[1]))


# --- ESRI ASCII -----------------------------------------------------------------------------------------------------------


def _read_ascii(place: str, path: Path) -> Raster:
    where = f"{place}: file = {str(path)!r}"
    try:
        words = path.read_text().split()
    except (OSError, UnicodeDecodeError) as error:
        raise SceneError(f"{where} cannot be read as text: {error}.") from None
    header: dict[str, float] = {}
    k = 0
    while k + 1 < len(words) and words[k].lower() in KEYS:
        try:
            header[words[k].lower()] = float(words[k + 1])
        except ValueError:
            raise SceneError(f"{where}: {words[k]} = {words[k + 1]!r} is not a number.") from None
        k += 2
    columns, rows = (_whole(where, header, name) for name in ("ncols", "nrows"))
    dx, dy = (header.get(name, header.get("cellsize", math.nan)) for name in ("dx", "dy"))
    if not (0.0 < dx < math.inf and 0.0 < dy < math.inf):
        raise SceneError(
            f"{where}: the head says cellsize = {header.get('cellsize', 'nothing')}; it must be a length > 0 [m]."
        )
    corner = []
    for axis, step in (("x", dx), ("y", dy)):
        if f"{axis}llcenter" in header:
            corner.append(header[f"{axis}llcenter"])
        elif f"{axis}llcorner" in header:
            corner.append(header[f"{axis}llcorner"] + 0.5 * step)
        else:
            raise SceneError(f"{where}: the head has neither {axis}llcorner nor {axis}llcenter.")
    try:
        values = np.array(words[k:], dtype=float)
    except ValueError as error:
        raise SceneError(f"{where}: among the heights is something else: {error}.") from None
    if len(values) != rows * columns:
        what = "it is truncated" if len(values) < rows * columns else "it is longer than that"
        raise SceneError(
            f"{where}: the head promises {rows} x {columns} = {rows * columns} values, the file has {len(values)}: {what}."
        )
    values = _without(values, header.get("nodata_value", -9999.0))
    # rows run from north to south, columns from west to east
    return Raster(np.ascontiguousarray(values.reshape(rows, columns)[::-1].T), (corner[0], corner[1]), (dx, dy))


def _whole(where: str, header: dict[str, float], name: str) -> int:
    if name not in header:
        raise SceneError(f"{where}: the head has no {name}: this is no ESRI ASCII grid.")
    if not header[name].is_integer() or not 1 <= header[name] < 10**9:
        raise SceneError(f"{where}: {name} = {header[name]:g} must be a whole number > 0.")
    return int(header[name])


def _without(values: Array, nodata: float | None) -> Array:
    """NaN where the value stands for missing ones; not to the last bit: -3.4028235e38 is rounded in float32."""
    if nodata is None or math.isnan(nodata):
        return values
    return np.where(np.isclose(values, nodata, rtol=1e-6, atol=0.0), np.nan, values)


def write_ascii(path: Path, raster: Raster, *, nodata: float = -9999.0) -> None:
    """Write an ESRI ASCII grid; spacing must be the same along x and y."""
    nx, ny = raster.values.shape
    if not math.isclose(*raster.spacing, rel_tol=1e-9):
        raise SceneError(f"{path}: an ESRI ASCII grid has square cells, not {raster.spacing} m.")
    corner = [raster.corner[k] - 0.5 * raster.spacing[k] for k in range(2)]
    lines = [
        f"ncols {nx}", f"nrows {ny}", f"xllcorner {corner[0]:.6f}", f"yllcorner {corner[1]:.6f}",
        f"cellsize {raster.spacing[0]:.9g}", f"NODATA_value {nodata:g}",
    ]  # fmt: skip
    rows = np.where(np.isnan(raster.values), nodata, raster.values).T[::-1]
    lines += [" ".join(f"{value:.7g}" for value in row) for row in rows]
    path.write_text("\n".join(lines) + "\n")


# --- others, through rasterio ---------------------------------------------------------------------------------------------


def need_rasterio(place: str, what: str) -> Any:
    """The module rasterio, or an error that says how to get it."""
    try:
        import rasterio
    except ImportError:
        raise SceneError(
            f'{place}: {what} needs rasterio: pip install "trundle[terrain]". ESRI ASCII (.asc) needs nothing.'
        ) from None
    return rasterio


def _read_with_rasterio(place: str, path: Path) -> Raster:
    rasterio = need_rasterio(place, f"file = {str(path)!r}")
    where = f"{place}: file = {str(path)!r}"
    try:
        with rasterio.open(path) as source:
            band = source.read(1, masked=True)
            transform, crs, nodata = source.transform, source.crs, source.nodata
    except Exception as error:  # whatever GDAL says of a damaged file
        raise SceneError(f"{where} cannot be read: it is damaged, truncated or no raster ({error}).") from None
    if transform.b != 0.0 or transform.d != 0.0:
        raise SceneError(f"{where} is turned against north; warp it to a grid along x and y first (gdalwarp).")
    if crs is not None and crs.is_geographic:
        raise SceneError(
            f"{where} has geographic coordinates in degrees ({crs.to_string()}); project it to metres first, such as "
            "gdalwarp -t_srs EPSG:2056 in.tif out.tif."
        )
    values = np.where(np.ma.getmaskarray(band), np.nan, np.asarray(band.data, float))
    values = _without(values, nodata)
    if transform.e < 0.0:  # rows from north to south
        values, south = values[::-1], transform.f + transform.e * values.shape[0]
    else:
        south = transform.f
    if transform.a < 0.0:
        raise SceneError(f"{where} runs from east to west; warp it first (gdalwarp).")
    dx, dy = float(transform.a), abs(float(transform.e))
    name = "" if crs is None else crs.to_string()
    return Raster(
        np.ascontiguousarray(values.T), (float(transform.c) + 0.5 * dx, float(south) + 0.5 * dy), (dx, dy), name
    )


def write_geotiff(path: Path, raster: Raster) -> None:
    """Write a GeoTIFF of one band, float32, NaN where there is no value."""
    rasterio = need_rasterio(str(path), "a GeoTIFF")
    nx, ny = raster.values.shape
    (x, y), (dx, dy) = raster.corner, raster.spacing
    transform = rasterio.Affine(dx, 0.0, x - 0.5 * dx, 0.0, -dy, y + (ny - 0.5) * dy)
    with rasterio.open(
        path, "w", driver="GTiff", width=nx, height=ny, count=1, dtype="float32", nodata=math.nan, transform=transform,
        crs=raster.crs or None, compress="deflate",
    ) as sink:  # fmt: skip
        sink.write(raster.values.T[::-1].astype(np.float32), 1)
