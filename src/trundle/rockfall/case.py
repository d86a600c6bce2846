"""A case: terrain, soils, blocks, release, barriers and options, from a TOML file."""

from __future__ import annotations

import os
import tomllib
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from trundle import checked
from trundle.errors import SceneError, TrundleError, unknown
from trundle.output import file_path
from trundle.rockfall.barriers import Barrier
from trundle.rockfall.blocks import Blocks
from trundle.rockfall.release import Place, Release
from trundle.rockfall.slope import Options, Slope, Soil, Start
from trundle.rockfall.terrain import Terrain
from trundle.scene.files import law_of
from trundle.scene.restitution import RESTITUTIONS
from trundle.scene.shapes import HeightField, Mesh, Shape
from trundle.scene.shapes_ground import FORMATS
from trundle.scene.tables import arguments, check_keys, construct
from trundle.scene.values import number, vector

SECTIONS = (
    "name",
    "seed",
    "data",
    "data_variable",
    "terrain",
    "soils",
    "blocks",
    "release",
    "barriers",
    "simulation",
    "output",
    "calibration",
)
OFF = 5.0  # [m]: heights of a release table and of the terrain may differ by so much


@dataclass(frozen=True)
class Output:
    """What is written.

    cell [m] : of the maps, that of the terrain if None ; apex (x, y) [m] : from which shadow angles are measured, the place of
    release if None ; trajectories : number that are kept, evenly among all blocks, thinned to one place per `every` [s]
    """

    cell: float | None = None
    trajectories: int = 500
    every: float = 0.1
    apex: Any = None

    def __post_init__(self) -> None:
        if self.cell is not None:
            number("output", "cell", self.cell, "m", positive=True)
        if self.apex is not None:
            object.__setattr__(self, "apex", tuple(vector("output", "apex", self.apex, "m", 2).tolist()))
        number("output", "every", self.every, "s", positive=True)
        if isinstance(self.trajectories, bool) or not isinstance(self.trajectories, int) or self.trajectories < 0:
            raise SceneError(f"output: trajectories = {self.trajectories!r} must be a whole number >= 0.")


class Case:
    """Everything that the ways of blocks depend on.

    Parameters
    ----------
    tables : the TOML file as plain data
    folder : what files are relative to, unless the file or `data` names another
    data : folder of the data, instead of the file's own
    release : a release table (CSV), instead of the file's release
    """

    def __init__(
        self, tables: dict[str, Any], folder: Path, *, data: Any = None, release: Any = None, name: str = "case"
    ) -> None:
        checked.text(SceneError, "name", name)
        for key in checked.instance(SceneError, f"{name}: tables", tables, dict, "the tables of a case file"):
            checked.text(SceneError, f"{name}: a key", key)
        folder = file_path(f"{name}: folder", folder)
        data, release = (
            None if given is None else file_path(f"{name}: {what}", given)
            for what, given in (("data", data), ("release", release))
        )
        self.tables, self.source = tables, name
        check_keys(tables, SECTIONS, ("terrain", "soils", "release"))
        variable = tables.get("data_variable")
        given = data or (os.environ.get(str(variable)) if variable else None)
        self.data = Path(given) if given else folder / str(tables.get("data", "."))
        if not self.data.is_dir():
            hint = f" Set {variable}, or give --data DIR." if variable else " Give --data DIR."
            raise SceneError(f"{name}: data: there is no folder {self.data}.{hint}")
        self.name = str(tables.get("name", Path(name).stem))
        self.seed = tables.get("seed", 0)
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or not 0 <= self.seed < 2**63:
            raise SceneError(f"{name}: seed = {self.seed!r} must be a whole number >= 0.")
        self.folder = folder
        self.options = self._make(Options, "simulation")
        self.output = self._make(Output, "output")
        self.soils = self._soils(folder)
        self.terrain = self._terrain()
        self.blocks = self._blocks()
        self.release = self._release(release)
        self.barriers = self._barriers()
        self.places = self.release.places(self.seed, self.data, getattr(self.terrain.ground, "crs", ""))
        self._check_places()
        self.slope = Slope(
            self.terrain, self.soils, self.options, [b.moved(self.terrain.ground.offset) for b in self.barriers]
        )
        if self.places:
            self.slope.stepper(*self.shape_of(0))  # what is wrong with its scene is said here

    def _make(self, made: Any, section: str, table: Any = None) -> Any:
        table = self.tables.get(section, {}) if table is None else table
        if not isinstance(table, dict):
            raise SceneError(f"{self.source}: [{section}] must be a table.")
        try:
            given = [f for f in fields(made) if f.init]
            check_keys(table, [f.name for f in given], [f.name for f in given if f.default is MISSING])
            return made(**table)
        except TrundleError as error:
            raise SceneError(f"{self.source}, [{section}]: {error}") from None

    def _soils(self, folder: Path) -> dict[str, Soil]:
        tables = self.tables["soils"]
        if not isinstance(tables, dict) or not tables or not all(isinstance(t, dict) for t in tables.values()):
            raise SceneError(f"{self.source}: soils must be tables [soils.NAME] with a law.")
        soils = {}
        for name, table in tables.items():
            try:
                check_keys(table, ("law", "restitution", "roughness"), ("law",))
                checked.instance(
                    SceneError, "roughness", table.get("roughness", {}), dict, "a table {tilt = 0.1, size = 0.5}"
                )
                law, ratio = law_of(table["law"], folder)
                bounce = table.get("restitution", 0.0)
                if isinstance(bounce, dict):
                    bounce = construct("restitution", bounce, RESTITUTIONS)
                else:
                    number(f"soil '{name}'", "restitution", bounce, "-", least=0.0, most=1.0)
                soils[name] = Soil(law, bounce, ratio)
            except TrundleError as error:
                raise SceneError(f"{self.source}, [soils.{name}]: {error}") from None
        return soils

    def _terrain(self) -> Terrain:
        table = dict(self.tables["terrain"]) if isinstance(self.tables["terrain"], dict) else {}
        place = f"{self.source}, [terrain]"
        surface = table.pop("surface", next(iter(self.soils)))
        if surface not in self.soils:
            raise SceneError(f"{place}: surface: " + unknown("soil", surface, self.soils))
        file = table.get("file")
        is_mesh = isinstance(file, str) and Path(file).suffix.lower() in FORMATS
        cell = table.pop("cell", None)
        made = Mesh if is_mesh else HeightField
        try:
            known, needed = arguments(made)
            check_keys(table, known, needed)
            for key in ("file", "zones"):
                given = table.get(key)
                if isinstance(given, str):
                    table[key] = str(self.data / given)
                elif key == "file" and isinstance(given, list):
                    table[key] = [str(self.data / str(one)) for one in given]
            rough = {name: t["roughness"] for name, t in self.tables["soils"].items() if "roughness" in t}
            ground = made(**table)
            if rough:
                if ground.roughness is not None:
                    raise SceneError("give roughness in [terrain] or in [soils], not in both.")
                listed = {surface, *ground.soils}
                rough = {name: {"seed": self.seed, **t} for name, t in rough.items() if name in listed}
                ground = made(**table, roughness=rough)
            terrain = Terrain(ground, surface, cell)
        except TrundleError as error:
            raise SceneError(f"{place}: {error}") from None
        for name in terrain.surfaces:
            if name not in self.soils:
                raise SceneError(f"{place}: zones: " + unknown("soil", name, self.soils))
        return terrain

    def _blocks(self) -> dict[str, Blocks]:
        given = self.tables.get("blocks", {"volume": 1.0})
        tables = given if isinstance(given, list) else [given]
        made = {}
        for k, table in enumerate(tables):
            table = dict(table)
            name = str(table.pop("name", "" if len(tables) == 1 else k))
            made[name] = self._make(Blocks, "blocks", table)
        if not made:
            raise SceneError(f"{self.source}: blocks: there are none.")
        return made

    def _release(self, given: Any) -> Release:
        table = dict(self.tables["release"]) if isinstance(self.tables["release"], dict) else {}
        if given is not None:
            for name in ("points", "line", "polygon", "file", "table"):
                table.pop(name, None)
            table["table"] = str(Path(given).absolute())
        release: Release = self._make(Release, "release", table)
        return release

    def _barriers(self) -> list[Barrier]:
        given = self.tables.get("barriers", [])
        if not isinstance(given, list):
            raise SceneError(f"{self.source}: barriers must be a list of tables: head each of them with [[barriers]].")
        found: list[Barrier] = [self._make(Barrier, "barriers", table) for table in given]
        if len({b.name for b in found}) != len(found):
            raise SceneError(f"{self.source}: barriers: names must differ.")
        b = np.array(self.terrain.raster(self.terrain.heights).bounds)
        for barrier in found:
            line = np.array(barrier.line)
            if np.any(line.max(axis=0) < b[:2]) or np.any(line.min(axis=0) > b[2:]):
                raise SceneError(
                    f"{self.source}: barrier '{barrier.name}': its line, from {line[0].tolist()} to {line[-1].tolist()} m, "
                    f"misses the terrain, which covers {_extent(b)}. Are both in the same coordinate system?"
                )
        return found

    def _check_places(self) -> None:
        """Every block starts over the ground, and above it."""
        offset = self.terrain.ground.offset
        for place in self.places:
            z = float(self.terrain.height(place.x - offset[0], place.y - offset[1]))
            where = f"{self.source}, release of run '{place.run}': x = {place.x:.10g} m, y = {place.y:.10g} m"
            if z != z:
                b = self.terrain.raster(self.terrain.heights).bounds
                out = self.terrain.outside(place.x - offset[0], place.y - offset[1])
                raise SceneError(
                    f"{where} is {'outside of the terrain' if out else 'where the terrain has no data'}, which covers "
                    f"{_extent(b)}. Are both in the same coordinate system?"
                )
            if place.z is not None and place.z < z:
                raise SceneError(f"{where}: release_z = {place.z:g} m is under the ground, which is at {z:g} m.")
            if place.ground is not None and abs(place.ground - z) > OFF:
                raise SceneError(
                    f"{where}: release_ground_z = {place.ground:g} m, but the terrain is at {z:g} m there: more than {OFF:g} m "
                    "apart. Are heights counted from the same zero?"
                )
            if place.block and place.block not in self.blocks and list(self.blocks) != [""]:
                raise SceneError(f"{where}: " + unknown("block", place.block, self.blocks))

    # --- blocks --------------------------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """Blocks in all."""
        return len(self.places) * self.release.seeds

    def keeps_path(self, block: int) -> bool:
        """Whether the path of a block is among those that are kept, which are spread evenly over all blocks."""
        kept = min(self.output.trajectories, self.count)
        return block * kept % self.count < kept

    def row(self, block: int) -> tuple[Place, int]:
        """Place and seed of a block."""
        checked.whole(SceneError, "block", block, most=self.count - 1)
        return self.places[block // self.release.seeds], block % self.release.seeds

    def start(self, block: int) -> Start:
        """How a block starts: a function of the case and its number alone."""
        place, repeat = self.row(block)
        number_of_place = block // self.release.seeds
        shape, mass = self.shape_of(block)
        # a table is repeated with other seeds, so that rows can be added or left out
        key = self.seed + 1_000_003 * repeat
        identity = number_of_place if self.release.table is None else _name_number(place.run)
        q, v, w = self.release.draw_start(place, key, identity)
        offset = self.terrain.ground.offset
        x, y = place.x - offset[0], place.y - offset[1]
        rough = (identity * 1_000_003 + key) % 2**62
        start = self.slope.place(block, shape, mass, x, y, self.release.height, q, v, w, rough)
        if place.z is not None:
            raised = max(place.z, float(start.position[2]))
            start.position[2] = raised
        return start

    def shape_of(self, block: int) -> tuple[Shape, float]:
        """Shape and mass [kg] of a block; the same object for the same shape, so that its stepper is used again."""
        number_of_place = block // self.release.seeds
        blocks = self.blocks.get(self.places[number_of_place].block) or next(iter(self.blocks.values()))
        if not hasattr(self, "_made"):
            self._made: dict[Any, Any] = {}
        key = (id(blocks), number_of_place if blocks.varies else 0)
        if key not in self._made:
            if len(self._made) > 64:
                self._made.clear()
            self._made[key] = blocks.make(self.seed, key[1])
        made: tuple[Shape, float] = self._made[key]
        return made


def _extent(bounds: Any) -> str:
    return "x from {0:.10g} to {2:.10g} m, y from {1:.10g} to {3:.10g} m".format(*bounds)


def _name_number(name: str) -> int:
    """A number for the name of a run, the same wherever its row stands."""
    import zlib

    return zlib.crc32(name.encode())


def read_case(file: str | os.PathLike[str], **options: Any) -> Case:
    """Read a case file; options as of `Case`."""
    path = file_path("case", file)
    return Case(parse(read_text(path), str(path)), path.parent, name=str(path), **options)


def read_text(path: Path) -> str:
    """The text of a case file."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SceneError(f"{path}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        raise SceneError(f"{path}: is not a text in UTF-8 ({error.reason} at byte {error.start}).") from None


def parse(text: str, name: str) -> dict[str, Any]:
    """The tables of a case file."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise SceneError(f"{name}: this is not TOML: {error}.") from None
