"""Fixed ground: triangle meshes and height fields."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from trundle.checked import text
from trundle.errors import SceneError, TrundleWarning, real
from trundle.kinds import HEIGHT_FIELD, MESH
from trundle.scene.rasters import Raster, read_raster
from trundle.scene.shapes_base import LARGEST, Array, Ints, Shape, length, points
from trundle.scene.surfaces import Surface, oriented, same_way, single
from trundle.scene.values import is_list, number, vector
from trundle.scene.zones import check_roughness, named_classes, resolve

FORMATS = (".stl", ".obj", ".ply")
MISSING = (
    -9999.0,
    -99999.0,
    -32768.0,
    -32767.0,
    9999.0,
    99999.0,
)  # what files of heights have where nothing was measured


LARGE = 2e4  # [m]: map coordinates beyond are counted from an offset, so that positions keep their digits
OFFSET = 1000.0  # [m] that an offset is a multiple of


class Ground(Shape):
    """A surface of triangles: vertices (n, 3) [m], faces (m, 3).  Two grounds are equal if their triangles are.

    zones (m,): number of the surface of every triangle in `soils`, -1 for that of the body; None: all have the body's.
    soils: names of surfaces; given as a table {class: name}, the numbers of zones are classes.
    roughness: random tilts of facets smaller than the triangles, {tilt [rad], size [m], seed} or one such table per surface.
    offset (2,) [m]: map coordinates of the origin of the ground's frame.
    """

    vertices: Any
    faces: Any
    zones: Any
    soils: Any
    roughness: Any
    offset: Any
    bounded: ClassVar[bool] = False

    def _set_zones(self, place: str) -> None:
        """Check and resolve zones and roughness, once vertices and faces are there."""
        offset = (0.0, 0.0) if self.offset is None else self.offset
        if not is_list(offset) or len(offset) != 2:
            raise SceneError(f"{place}: offset = {self.offset!r} must be two map coordinates [m].")
        object.__setattr__(self, "offset", tuple(number(place, f"offset[{k}]", v, "m") for k, v in enumerate(offset)))
        named = named_classes(place, () if self.soils is None else self.soils)
        soils = tuple(named.values())
        if self.zones is not None:
            zones, soils = resolve(
                place, self.zones, named, self.vertices, self.faces, self.offset, getattr(self, "crs", "")
            )
            object.__setattr__(self, "zones", zones)
        elif soils:
            raise SceneError(f"{place}: soils = {list(soils)} has no effect without zones, which say where they are.")
        object.__setattr__(self, "soils", soils)
        if self.roughness is not None:
            object.__setattr__(self, "roughness", check_roughness(place, self.roughness))

    def _zone_table(self) -> dict[str, Any]:
        """Zones and roughness as they stand in a scene file, without files."""
        table: dict[str, Any] = {}
        if self.zones is not None:
            table |= {"zones": self.zones.tolist(), "soils": list(self.soils)}
        if self.roughness is not None:
            table["roughness"] = self.roughness
        if any(self.offset):
            table["offset"] = list(self.offset)
        return table

    @cached_property
    def alone(self) -> Surface:
        """What lies beyond the sides of its triangles where it touches no other ground."""
        return single(self.vertices, self.faces)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            type(self) is type(other)
            and np.array_equal(self.vertices, other.vertices)
            and np.array_equal(self.faces, other.faces)
            and self.soils == other.soils
            and np.array_equal(self.zones, other.zones)
            and self.roughness == other.roughness
        )

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((type(self), self.vertices.shape, self.faces.shape, float(self.vertices.sum())))

    @cached_property
    def bounding_radius(self) -> float:
        return float(np.sqrt(np.max(np.sum(self.vertices**2, axis=1))))

    def surface_mesh(self, resolution: int = 24) -> tuple[Array, Ints]:
        return self.vertices, self.faces


def _flat(zones: Any) -> Any:
    try:
        return np.ravel(zones)
    except ValueError:  # lists of different lengths
        raise SceneError("zones must be whole numbers, one per cell or triangle, or the name of a file.") from None


@dataclass(frozen=True, eq=False)
class Mesh(Ground):
    """Triangle mesh as fixed ground: vertices (n, 3) [m] and faces (m, 3), or a file (STL, OBJ, PLY).

    A closed mesh is solid inside, in whatever order its corners are listed.  An open mesh is one-sided: bodies touch it
    from the side from which its triangles are seen counterclockwise.  flip: the other way round; a closed mesh is then
    solid outside, a drum or a silo.  both_sides: bodies touch an open mesh from either side, as a thin sheet.
    scale: factor on the coordinates, 1e-3 for millimetres.  zones, soils, roughness: see `HeightField`.  offset (2,) [m]: map
    coordinates that are subtracted from those of the file.
    """

    vertices: Any = None
    faces: Any = None
    file: Any = None
    scale: float = 1.0
    flip: bool = False
    both_sides: bool = False
    zones: Any = None
    soils: Any = ()
    roughness: Any = None
    offset: Any = None
    kind: ClassVar[int] = MESH

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", length("Mesh", "scale", self.scale))
        for name in ("flip", "both_sides"):
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise SceneError(f"Mesh: {name} = {getattr(self, name)!r} must be true or false.")
        if self.file is not None:
            if self.vertices is not None or self.faces is not None:
                raise SceneError("Mesh: give vertices and faces, or a file, not both.")
            object.__setattr__(self, "file", str(self.file))
            vertices, faces = _read(Path(str(self.file)))
            place = f"Mesh: {self.file}"
        else:
            if self.vertices is None or self.faces is None:
                raise SceneError("Mesh: give vertices (n, 3) [m] and faces (m, 3), or file='ground.stl'.")
            vertices, faces = self.vertices, self.faces
            place = "Mesh"
        vertices = points(place, "vertices", vertices) * self.scale
        if self.file is None:
            object.__setattr__(self, "scale", 1.0)  # applied: the vertices are the ones to keep
        elif self.offset is not None:
            vertices = vertices - [*vector("Mesh", "offset", [*self.offset, 0.0], "m")]
        object.__setattr__(self, "vertices", vertices)
        checked = oriented(vertices, _check_triangles(place, vertices, faces))
        if self.both_sides:
            if self.flip:
                raise SceneError("Mesh: flip has no effect on a mesh that is touched from both_sides.")
            checked = np.concatenate([checked, _reversed(checked)])
            if self.zones is not None and not isinstance(self.zones, (str, Path)):
                object.__setattr__(self, "zones", np.concatenate([_flat(self.zones)] * 2))
        else:
            _check_winding(place, checked)
        object.__setattr__(self, "faces", _reversed(checked) if self.flip else checked)
        self._set_zones(place)

    def as_table(self) -> dict[str, Any]:
        # without the file, which may change or stay behind; scaled already: dividing by the scale would lose bits
        faces = _reversed(self.faces) if self.flip else self.faces
        more: dict[str, Any] = {"flip": True} if self.flip else {}
        more |= self._zone_table()
        if self.both_sides:
            faces, more["both_sides"] = faces[: len(faces) // 2], True
            if self.zones is not None:
                more["zones"] = more["zones"][: len(faces)]
        return {"shape": "Mesh", "vertices": self.vertices.tolist(), "faces": faces.tolist(), **more}


@dataclass(frozen=True, eq=False)
class HeightField(Ground):
    """Ground by its heights [m] above a rectangular grid of the body's x and y, as fixed ground.

    heights (nx, ny): at x = origin[0] + i spacing[0], y = origin[1] + j spacing[1], measured from z = origin[2];
    between them two triangles per cell, divided from the corner (i, j) to (i + 1, j + 1).  spacing: a number or two [m].
    Where a height is NaN there is a hole: no triangle that has this corner.  nodata: a number that stands for NaN, such as
    -9999.

    file: heights, spacing and origin from an ESRI ASCII grid (.asc), or a GeoTIFF or another raster (with rasterio, the extra
    `trundle[terrain]`), or from a list of tiles; heights belong to the centres of its cells.  crop: least x, least y, largest x,
    largest y [m] of what is used of it; resample: another spacing [m], bilinear.  Map coordinates x, y of the file become
    x - offset[0], y - offset[1]: offset (2,) [m] is (0, 0) for coordinates up to 20 km, else the lower left corner rounded down
    to kilometres, unless given.  crs: the coordinate reference system that the file names.

    zones: which surface every cell has, in place of the body's: classes (nx - 1, ny - 1), the places of their names in
    `soils` or its keys where it is a table {24: "scree"}, -1 for the body's own; or a file of polygons (GeoJSON; shapefiles with
    pyogrio) whose property `surface` is a name, or a raster of classes.  A triangle belongs to the polygon or cell in which its
    middle lies.
    roughness: facets below the grid, {tilt [rad], size [m], seed}, or such a table per surface: see docs/howto-rockfall.md.
    """

    heights: Any = None
    spacing: Any = None
    origin: Any = (0.0, 0.0, 0.0)
    nodata: Any = None
    file: Any = None
    crop: Any = None
    resample: Any = None
    zones: Any = None
    soils: Any = ()
    roughness: Any = None
    offset: Any = None
    crs: str = ""
    kind: ClassVar[int] = HEIGHT_FIELD

    def __post_init__(self) -> None:
        text(SceneError, "HeightField: crs", self.crs)
        if self.file is not None:
            self._read()
        elif self.crop is not None or self.resample is not None:
            raise SceneError("HeightField: crop and resample are for a file.")
        elif self.heights is None or self.spacing is None:
            raise SceneError("HeightField: give heights (nx, ny) and spacing [m], or file='terrain.asc'.")
        try:
            heights = np.asarray(self.heights)
            if heights.dtype.kind not in "iuf":
                raise TypeError
            heights = np.ascontiguousarray(heights, dtype=float)
        except (TypeError, ValueError):
            raise SceneError("HeightField: heights must be a table (nx, ny) of numbers [m].") from None
        if heights.ndim != 2 or min(heights.shape) < 2:
            raise SceneError(
                f"HeightField: heights has the shape {heights.shape}; it must be (nx, ny), both at least 2."
            )
        if self.nodata is not None:
            if not real(self.nodata) and not isinstance(self.nodata, (float, np.floating)):
                raise SceneError(f"HeightField: nodata = {self.nodata!r} must be a number, such as -9999.")
            # not to the last bit: -3.4028235e38 is rounded in float32
            heights = np.where(np.isclose(heights, self.nodata, rtol=1e-6, atol=0.0), np.nan, heights)
        wrong = ~(np.abs(heights) <= LARGEST) & ~np.isnan(heights)
        if np.any(wrong):
            i, j = np.argwhere(wrong)[0]
            raise SceneError(
                f"HeightField: heights[{i}][{j}] = {heights[i, j]} m must be finite, at most {LARGEST:g} m. If it stands for a "
                f"missing height, give nodata={heights[i, j]:.8g}."
            )
        _warn_of_missing_heights(heights)
        many = is_list(self.spacing)
        steps = tuple(self.spacing) if many else (self.spacing, self.spacing)
        if len(steps) != 2:
            raise SceneError(f"HeightField: spacing = {self.spacing!r} must be one or two lengths [m].")
        object.__setattr__(self, "heights", heights)
        object.__setattr__(self, "spacing", tuple(length("HeightField", "spacing", s) for s in steps))
        object.__setattr__(self, "origin", tuple(vector("HeightField", "origin", self.origin, "m").tolist()))
        nx, ny = heights.shape
        i, j = np.meshgrid(np.arange(nx), np.arange(ny), indexing="ij")
        grid = np.stack([i * self.spacing[0], j * self.spacing[1], heights], -1).reshape(-1, 3)
        a = (i[:-1, :-1] * ny + j[:-1, :-1]).ravel()
        lower, upper = np.stack([a, a + ny, a + ny + 1], 1), np.stack([a, a + ny + 1, a + 1], 1)
        faces = np.stack([lower, upper], 1).reshape(-1, 3).astype(np.int64)
        kept = ~np.isnan(heights.ravel()[faces]).any(axis=1)
        if (
            is_list(self.zones) and _flat(self.zones).size and np.shape(self.zones) == (nx - 1, ny - 1)
        ):  # cells with a hole have none
            object.__setattr__(self, "zones", np.repeat(_flat(self.zones), 2)[kept])
        faces = faces[kept]
        if len(faces) == 0:
            raise SceneError(
                "HeightField: no triangle is left: every cell has a corner without a height (NaN or nodata)."
            )
        there = ~np.isnan(heights.ravel())
        object.__setattr__(self, "nodata", None)  # applied: the heights are the ones to keep
        object.__setattr__(self, "vertices", np.ascontiguousarray(grid[there] + np.array(self.origin)))
        object.__setattr__(self, "faces", (np.cumsum(there) - 1)[faces])
        self._set_zones("HeightField")

    def _read(self) -> None:
        """Heights, spacing, origin and offset from the file, which is then no longer needed."""
        place = "HeightField"
        for name, default in (("heights", None), ("spacing", None), ("origin", (0.0, 0.0, 0.0))):
            given = getattr(self, name)
            if given is not None if default is None else not np.array_equal(given, default):
                raise SceneError(f"{place}: give file or {name}, not both.")
        raster = read_raster(place, self.file)
        if self.crop is not None:
            raster = raster.cropped(place, self.crop)
        if self.resample is not None:
            raster = raster.resampled(place, self.resample)
        x, y = raster.corner
        offset = self.offset
        if offset is None:
            far = max(map(abs, raster.bounds)) > LARGE
            offset = (np.floor(x / OFFSET) * OFFSET, np.floor(y / OFFSET) * OFFSET) if far else (0.0, 0.0)
        else:
            offset = tuple(vector(place, "offset", offset, "m", 2).tolist())
        for name, value in (
            ("heights", raster.values), ("spacing", raster.spacing), ("origin", (x - offset[0], y - offset[1], 0.0)),
            ("offset", offset), ("crs", raster.crs), ("file", None), ("crop", None), ("resample", None),
        ):  # fmt: skip
            object.__setattr__(self, name, value)

    @property
    def raster(self) -> Raster:
        """Heights in map coordinates."""
        corner = (self.origin[0] + self.offset[0], self.origin[1] + self.offset[1])
        return Raster(self.heights + self.origin[2], corner, self.spacing, self.crs)

    def as_table(self) -> dict[str, Any]:
        table = {
            "shape": "HeightField",
            "heights": self.heights.tolist(),
            "spacing": list(self.spacing),
            "origin": list(self.origin),
        }
        return {**table, **self._zone_table(), **({"crs": self.crs} if self.crs else {})}


def _warn_of_missing_heights(heights: Array) -> None:
    """Numbers that usually stand for missing heights, far from all others."""
    for value in MISSING:
        at = heights == value
        others = heights[~at & ~np.isnan(heights)]
        if at.any() and len(others) and np.abs(others).max() < 0.5 * abs(value) and np.ptp(others) < 0.1 * abs(value):
            warnings.warn(
                f"HeightField: {int(at.sum())} of {heights.size} heights are {value:g} m, the others {others.min():g} to "
                f"{others.max():g} m. If they stand for missing heights, give nodata={value:g}, and there is a hole instead.",
                TrundleWarning,
                stacklevel=4,
            )


def _read(path: Path) -> tuple[Array, Ints]:
    """Vertices and triangles of a file."""
    if path.suffix.lower() not in FORMATS:
        raise SceneError(f"Mesh: file = {str(path)!r}: unknown kind of file. Known: {', '.join(FORMATS)}.")
    if not path.is_file():
        raise SceneError(f"Mesh: file = {str(path)!r}: there is no such file.")
    import trimesh

    try:
        mesh: Any = trimesh.load(path, force="mesh", process=False)
        vertices, faces = np.array(mesh.vertices, float), np.array(mesh.faces, np.int64)
    except Exception as error:  # whatever a reader of foreign files may raise
        raise SceneError(f"Mesh: file = {str(path)!r} cannot be read: {error or type(error).__name__}.") from None
    if len(vertices) == 0 or len(faces) == 0:
        raise SceneError(f"Mesh: file = {str(path)!r} holds no triangles.")
    if not np.all(np.isfinite(vertices)):
        raise SceneError(f"Mesh: file = {str(path)!r} holds coordinates that are not finite.")
    # STL repeats the corners of every triangle: the same place is the same vertex
    unique, inverse = np.unique(vertices, axis=0, return_inverse=True)
    return unique, inverse.reshape(-1)[faces]


def _check_triangles(place: str, vertices: Array, faces: Any) -> Ints:
    """Triangles (m, 3), each with an area and with corners that exist."""
    try:
        array = np.asarray(faces)
        if array.dtype.kind not in "iu" and not (
            array.dtype.kind == "f" and np.all(np.abs(array) < 2**62) and np.all(array == np.floor(array))
        ):
            raise TypeError
        array = np.ascontiguousarray(array, dtype=np.int64)
    except (TypeError, ValueError):
        raise SceneError(f"{place}: faces must be a list of three vertex numbers each.") from None
    if array.ndim != 2 or array.shape[1] != 3 or len(array) == 0:
        raise SceneError(f"{place}: faces has the shape {array.shape}; it must be (m, 3), triangles.")
    if array.min() < 0 or array.max() >= len(vertices):
        raise SceneError(
            f"{place}: faces name vertices from {array.min()} to {array.max()}; there are 0 to {len(vertices) - 1}."
        )
    a, b, c = (vertices[array[:, k]] for k in range(3))
    double = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    longest = np.max(
        [np.linalg.norm(b - a, axis=1), np.linalg.norm(c - b, axis=1), np.linalg.norm(a - c, axis=1)], axis=0
    )
    flat = double <= 1e-10 * longest**2
    if flat.all():
        raise SceneError(f"{place}: all triangles are degenerate: they have no area.")
    if flat.any():
        k = int(np.argmax(flat))
        raise SceneError(
            f"{place}: {int(flat.sum())} of {len(array)} triangles are degenerate (no area), the first is number {k}. "
            "Repair the mesh."
        )
    return array


def _reversed(faces: Ints) -> Ints:
    return np.ascontiguousarray(faces[:, [0, 2, 1]])


def _check_winding(place: str, faces: Ints) -> None:
    """Two triangles that share an edge go along it in opposite directions, or one of them looks the wrong way."""
    wrong = same_way(faces)
    if len(wrong):
        one, other = wrong[0]
        raise SceneError(
            f"{place}: neighbouring triangles look to opposite sides ({len(wrong)} edges, the first between triangles "
            f"{one} and {other}). All must be seen counterclockwise from the side that bodies touch: reverse the corners of "
            "the others, or close the mesh."
        )
