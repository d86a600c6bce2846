"""Pictures laid over terrain: a raster of results in colours, or an image such as an orthophoto."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.errors import TrundleError
from trundle.scene.rasters import ASCII, Raster, read_raster

IMAGES = (".png", ".jpg", ".jpeg")
WORLD = (".pgw", ".pngw", ".jgw", ".jpgw", ".jpegw", ".wld")  # files with the place of an image
MOST_PIXELS = 2048  # along each side: more are left out
MAP = "force"  # colours of values, see colours.json
STUDY = (
    "reach_probability",
    "count",
    "velocity_95",
    "translational_95",
    "rotational_95",
    "jump_height_95",
    "deposit_count",
)


@dataclass(frozen=True, eq=False)
class Drape:
    """A picture in map coordinates.

    pixels (h, w, 4): red, green, blue, opacity, the first row in the south; low, high (2,) [m]: its south-west and north-east
    corner; values: least and largest value of the colours, None for an image.
    """

    name: str
    pixels: NDArray[np.uint8]
    low: tuple[float, float]
    high: tuple[float, float]
    values: tuple[float, float] | None = None

    @property
    def about(self) -> dict[str, Any]:
        """What the page needs beside the pixels."""
        h, w = self.pixels.shape[:2]
        return {"name": self.name, "low": self.low, "high": self.high, "values": self.values, "size": (w, h)}

    def colours_at(self, x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.float64]:
        """Colours and opacity (n, 4), from 0 to 1, at places [m]; nothing outside of it."""
        h, w = self.pixels.shape[:2]
        i = np.floor((x - self.low[0]) / (self.high[0] - self.low[0]) * w).astype(np.int64)
        j = np.floor((y - self.low[1]) / (self.high[1] - self.low[1]) * h).astype(np.int64)
        inside = (i >= 0) & (j >= 0) & (i < w) & (j < h)
        found = self.pixels[np.clip(j, 0, h - 1), np.clip(i, 0, w - 1)] / 255.0
        found[~inside, 3] = 0.0
        return np.asarray(found)


def read_drape(file: str | Path, name: str | None = None) -> Drape:
    """A drape from a file: ESRI ASCII or GeoTIFF with one band of values, GeoTIFF with bands red, green and blue, or an image
    (.png, .jpg) with a world file beside it (.pgw, .jgw, .wld).

    Cells without a value are transparent; where no value is negative, zeros are, too: nothing happened there.
    """
    path = Path(file)
    if not path.is_file():
        raise TrundleError(f"drape {str(path)!r}: there is no such file.")
    name = name or path.stem.replace("_", " ")
    if path.suffix.lower() in IMAGES:
        return _with_world_file(path, name)
    if path.suffix.lower() not in ASCII:
        image = _image_of_bands(path, name)
        if image is not None:
            return image
    return of_raster(name, read_raster("drape", path))


def drapes_of_study(folder: Path) -> list[Drape]:
    """The maps that `trundle rockfall` wrote to a folder."""
    files = [folder / "maps" / f"{name}.asc" for name in STUDY]
    return [read_drape(path) for path in files if path.is_file()]


def of_raster(name: str, raster: Raster) -> Drape:
    """Values in colours."""
    from trundle.view.pictures import colour_map

    values = raster.values[:: _stride(raster.values.shape[0]), :: _stride(raster.values.shape[1])].T
    known = np.isfinite(values)
    seen = known & (values > 0.0) if not np.any(values[known] < 0.0) else known
    if not np.any(seen):
        seen = known
    low, high = (float(f(values[seen])) for f in (np.min, np.max)) if np.any(seen) else (0.0, 1.0)
    low = 0.0 if 0.0 < low < 0.3 * high else low
    share = np.where(seen, (values - low) / ((high - low) or 1.0), 0.0)
    pixels = np.zeros((*values.shape, 4), np.uint8)
    pixels[..., :3] = np.rint(255.0 * colour_map(MAP)[np.clip(np.rint(255 * share), 0, 255).astype(int)])
    pixels[..., 3] = np.where(seen, 255, 0)
    x0, y0, x1, y1 = raster.bounds
    dx, dy = raster.spacing
    return Drape(
        name,
        pixels,
        (x0 - 0.5 * dx, y0 - 0.5 * dy),
        (x1 + 0.5 * dx, y1 + 0.5 * dy),
        (low, high if high > low else low + 1.0),
    )


def _stride(pixels: int) -> int:
    return -(-pixels // MOST_PIXELS)


def _image(name: str, pixels: NDArray[Any], low: Sequence[float], high: Sequence[float]) -> Drape:
    """An image whose first row is in the north."""
    pixels = pixels[:: _stride(pixels.shape[0]), :: _stride(pixels.shape[1])]
    if pixels.shape[2] == 3:
        pixels = np.concatenate([pixels, np.full((*pixels.shape[:2], 1), 255, np.uint8)], axis=2)
    return Drape(name, np.ascontiguousarray(pixels[::-1]), (low[0], low[1]), (high[0], high[1]))


def _with_world_file(path: Path, name: str) -> Drape:
    from PIL import Image

    world = next((path.with_suffix(end) for end in WORLD if path.with_suffix(end).is_file()), None)
    if world is None:
        raise TrundleError(
            f"drape {str(path)!r}: where it lies is not known. A world file is expected beside it: "
            f"{path.with_suffix(WORLD[0]).name} or {path.with_suffix(WORLD[-1]).name}."
        )
    try:
        dx, skew_y, skew_x, dy, x, y = (float(text) for text in world.read_text().split())
    except ValueError:
        raise TrundleError(f"drape: {str(world)!r} must hold six numbers.") from None
    if skew_x or skew_y or not (dx > 0.0 > dy):
        raise TrundleError(f"drape: {str(world)!r}: the image is turned. Warp it to north up first.")
    try:
        with Image.open(path) as image:
            pixels = np.asarray(image.convert("RGBA"))
    except (OSError, ValueError) as error:
        raise TrundleError(f"drape {str(path)!r}: this is no image that can be read ({error}).") from None
    h, w = pixels.shape[:2]
    west, north = x - 0.5 * dx, y - 0.5 * dy
    return _image(name, pixels, (west, north + h * dy), (west + w * dx, north))


def _image_of_bands(path: Path, name: str) -> Drape | None:
    """The image of a GeoTIFF with three or four bands of bytes; None if it is something else."""
    try:
        import rasterio
    except ImportError:
        return None  # read_raster says what is missing
    try:
        with rasterio.open(path) as data:
            if data.count not in (3, 4) or any(kind != "uint8" for kind in data.dtypes):
                return None
            t = data.transform
            if t.b or t.d or t.a <= 0.0 or t.e >= 0.0:
                raise TrundleError(f"drape {str(path)!r}: the image is turned. Warp it to north up first.")
            step = max(_stride(data.width), _stride(data.height))
            pixels = data.read(out_shape=(data.count, -(-data.height // step), -(-data.width // step)))
            bounds = data.bounds
    except rasterio.errors.RasterioError as error:
        raise TrundleError(f"drape {str(path)!r}: cannot be read ({error}).") from None
    return _image(name, np.moveaxis(pixels, 0, 2), (bounds.left, bounds.bottom), (bounds.right, bounds.top))
