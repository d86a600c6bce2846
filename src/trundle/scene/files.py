"""Scene files: the same as a scene in Python, as TOML text.

The keys of a table are the arguments of the method of `Scene` that it stands for, and what these say about a bad value is
said here too, with the line of the file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from trundle.errors import LawError, RecordingError, SceneError, TrundleError, unknown
from trundle.laws import builtin, custom
from trundle.laws.base import Law, units_of
from trundle.laws.coefficients import HertzPatch, from_table
from trundle.output import file_path, say_code
from trundle.scene.emitters import BoxRegion, Choice, CylinderRegion, Grading, Normal, Uniform
from trundle.scene.fields import FIELDS
from trundle.scene.grids import grid
from trundle.scene.materials import MATERIALS, STIFFNESSES
from trundle.scene.model import surface_names
from trundle.scene.motions import Oscillation, Steady, Table
from trundle.scene.restitution import RESTITUTIONS
from trundle.scene.scene import Scene
from trundle.scene.shapes import SHAPES, HeightField, Mesh, Shape
from trundle.scene.tables import SceneText, arguments, check_keys, check_words, construct, lookup
from trundle.scene.values import number

MOTIONS = {"steady": Steady, "oscillation": Oscillation, "table": Table}
REGIONS = {"box": BoxRegion, "cylinder": CylinderRegion}
SIZES = {"uniform": Uniform, "normal": Normal, "choice": Choice, "grading": Grading}
# options of simulate: their kind and unit
OPTIONS = {
    "duration": ("number", "s"), "time_step": ("number", "s"), "theta": ("number", "-"), "formulation": ("text", ""),
    "tolerance": ("number", "-"), "max_iterations": ("whole", ""), "every": ("whole", ""), "scheme": ("text", ""),
    "frames_per_second": ("number", "1/s"), "seed": ("whole", ""), "threads": ("whole", ""), "solver": ("text", ""),
    "stop": ("text", ""), "impact": ("text", ""), "accuracy": ("number", "-"),
}  # fmt: skip
# the lists of tables, and how messages call what they describe
SECTIONS = {
    "bodies": "body", "grids": "body", "surfaces": "surfaces", "emitters": "emitter", "joints": "joint", "loads": "load on",
    "fields": "field on", "ignore": "ignore",
}  # fmt: skip
AT_THE_TOP = dict.fromkeys(("gravity", "planar"), "the top of the file, before the first [table]")
IN_PYTHON = {"constraints": "scenes in Python: constraints are functions, see Scene.constraint"}
IN_SIMULATION = {name: "[simulation]" for name in OPTIONS}


def load_scene(path: str | os.PathLike[str]) -> tuple[Scene, dict[str, Any]]:
    """Read a scene file; returns the scene and the options of `simulate` that the file gives.

    >>> scene, options = load_scene("pile.toml")
    >>> run = simulate(scene, **options)
    """
    try:
        file = file_path("scene", path)
    except RecordingError as error:
        raise SceneError(str(error)) from None
    try:
        text = file.read_bytes().decode("utf-8-sig")  # editors on Windows may begin a file with a byte order mark
    except FileNotFoundError:
        beside = sorted(p.name for p in file.parent.glob("*.toml")) if file.parent.is_dir() else []
        there = f" Scene files in that folder: {', '.join(beside)}." if beside else ""
        raise SceneError(f"{file}: there is no such file.{there}") from None
    except OSError as error:
        raise SceneError(f"{file}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        raise SceneError(f"{file}: byte {error.start} is not text; a scene file is TOML in UTF-8.") from None
    return parse_scene(text, name=str(path), folder=file.parent)


def parse_scene(
    text: str, *, name: str = "scene", folder: str | os.PathLike[str] = ".", trust: bool = True
) -> tuple[Scene, dict[str, Any]]:
    """The scene and the options that a TOML text describes; files that it names are relative to the folder.

    trust : whether Python code that it names, laws of the user's own, may run
    """
    source = SceneText(name, text, Path(folder), trust)
    tables = source.parse()
    with source.at("", None, tables):
        check_keys(tables, (*AT_THE_TOP, "simulation", *SECTIONS), elsewhere=IN_SIMULATION | IN_PYTHON)
    scene = Scene()
    with source.at("", None, tables):
        scene = Scene(**{key: tables[key] for key in AT_THE_TOP if key in tables})
    options = _options(source, tables.get("simulation", {}))
    readers = (_read_body, _read_grid, _read_surface, _read_emitter, _read_joint, _read_load, _read_field, _read_ignore)
    for section, read in zip(SECTIONS, readers, strict=True):
        given = tables.get(section, [])
        if not isinstance(given, list) or not all(isinstance(table, dict) for table in given):
            source.errors.append(
                f"{source.place(section)}: '{section}' must be a list of tables: head each of them with [[{section}]]."
            )
            continue
        if section in ("joints", "loads", "fields") and source.errors:
            continue  # the bodies that they name may be missing for other reasons
        for index, table in enumerate(given):
            with source.at(section, index, table):
                source.things[f"{SECTIONS[section]} {read(source, scene, table)}"] = (section, index, table)
    if not source.errors:
        _check_names(source, scene)
    source.finish()
    scene.source = source
    return scene, options


def _check_names(source: SceneText, scene: Scene) -> None:
    """Names that tables of surfaces use, once all bodies are there."""
    if not scene.bodies:
        source.errors.append(
            f"{source.name}: the scene has no bodies. Add some with [[bodies]], [[grids]] or [[emitters]]."
        )
        return
    surfaces = surface_names(scene.bodies)
    for place, (section, index, table) in source.things.items():
        if section == "surfaces":
            with source.at(section, index, table):
                for name in table["between"]:
                    if name not in surfaces:
                        raise SceneError(
                            f"{place}: no body uses surface {name!r}. {unknown('surface', name, surfaces)}"
                        )
                if "axis_of" in table:
                    scene.index(table["axis_of"])


def _options(source: SceneText, table: Any) -> dict[str, Any]:
    options = {}
    with source.at("simulation", None, table):
        check_keys(table, OPTIONS, elsewhere=AT_THE_TOP)
    for name, value in table.items() if isinstance(table, dict) else ():
        with source.at("simulation", None, table):
            kind, unit = OPTIONS.get(name, ("", ""))
            if name == "time_step" and value == "auto":
                options[name] = value
            elif kind == "number":
                options[name] = number("simulation", name, value, unit)
            elif kind == "whole" and (isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63):
                raise SceneError(f"simulation: {name} = {value!r} must be a whole number >= 0.")
            elif kind == "text" and not isinstance(value, str):
                raise SceneError(f"simulation: {name} = {value!r} must be a name in quotes.")
            elif kind:
                options[name] = value
    return options


# --- the tables; each reader returns the name of what it has read ---------------------------------------------------------


def _split_shape(
    source: SceneText, table: dict[str, Any], others: tuple[tuple[str, ...], tuple[str, ...]]
) -> tuple[Shape, dict[str, Any]]:
    """The shape of a table {shape = "Sphere", radius = 0.5, ...}, and the rest of it, whose keys are checked."""
    known, needed = others
    place = f"body '{table['name']}': " if isinstance(table.get("name"), str) else ""
    if "shape" not in table:
        raise SceneError(f'{place}shape is missing: write e.g. shape = "Sphere". Known: {", ".join(sorted(SHAPES))}.')
    made = lookup("shape", table["shape"], SHAPES)
    names, shape_needs = arguments(made)
    try:
        check_keys(table, ["shape", *names, *known], [*shape_needs, *needed], AT_THE_TOP | IN_SIMULATION)
    except SceneError as error:
        raise SceneError(place + str(error)) from None
    shape = made(**{key: table[key] for key in names if key in table} | _files(source, made, table))
    return shape, {key: value for key, value in table.items() if key in known}


def _files(source: SceneText, made: type[Shape], table: dict[str, Any]) -> dict[str, Any]:
    """The files of a ground, which are relative to the scene file."""
    files: dict[str, Any] = {}
    for key in ("file", "zones") if made in (Mesh, HeightField) else ():
        given = table.get(key)
        many = key == "file" and made is HeightField and isinstance(given, list)
        if key == "file" and given is not None and not isinstance(given, str) and not many:
            raise SceneError(f"file = {given!r} must be the name of a file in quotes.")
        if isinstance(given, str):
            files[key] = (source.folder / given).as_posix()
        elif many and all(isinstance(name, str) for name in given):  # type: ignore[union-attr]
            files[key] = [(source.folder / name).as_posix() for name in given]  # type: ignore[union-attr]
    return files


def _read_body(source: SceneText, scene: Scene, table: dict[str, Any]) -> str:
    shape, values = _split_shape(source, table, arguments(Scene.add, "shape"))
    return f"'{scene.add(shape, **_with_motion(values))}'"


def _with_motion(values: dict[str, Any]) -> dict[str, Any]:
    return values | {"motion": construct("motion", values["motion"], MOTIONS)} if "motion" in values else values


def _read_grid(source: SceneText, scene: Scene, table: dict[str, Any]) -> str:
    of_body, _ = arguments(Scene.add, "shape", "position")
    of_grid, needed = arguments(grid)
    shape, values = _split_shape(source, table, (of_body + of_grid, ("name", *needed)))
    positions = grid(**{key: value for key, value in values.items() if key in of_grid})
    body = _with_motion({key: value for key, value in values.items() if key in of_body})
    for i, position in enumerate(positions):
        scene.add(shape, **body | {"name": f"{body['name']}.{i}", "position": position})
    return f"'{body['name']}.0'"


def _read_surface(source: SceneText, scene: Scene, table: dict[str, Any]) -> str:
    known, _ = arguments(Scene.surface, "one", "other", "ratio")
    check_keys(table, ["between", *known], ["between", "law"])
    between = table["between"]
    if not isinstance(between, list) or len(between) != 2 or not all(isinstance(name, str) for name in between):
        raise SceneError(f'between = {between!r} must be the names of two surfaces, e.g. ["rock", "soil"].')
    place = f"surfaces '{between[0]}' and '{between[1]}'"
    if tuple(sorted(between)) in scene.pairs:
        raise SceneError(f"{place}: there is a table for them already; each pair has one law.")
    try:
        check_words(table, Scene.surface)
        law, ratio = _law(source, table["law"])
        values = {key: value for key, value in table.items() if key not in ("between", "law")}
        if "material" in values:
            values["material"] = construct("material", values["material"], MATERIALS)
        if isinstance(values.get("stiffness"), dict):
            values["stiffness"] = construct("stiffness", values["stiffness"], STIFFNESSES)
        if isinstance(values.get("restitution"), dict):
            values["restitution"] = construct("restitution", values["restitution"], RESTITUTIONS)
    except TrundleError as error:
        raise type(error)(f"{place}: {error}") from None
    scene.surface(*between, law=law, ratio=ratio, **values)
    return f"'{min(between)}' and '{max(between)}'"


def _read_emitter(source: SceneText, scene: Scene, table: dict[str, Any]) -> str:
    shape, values = _split_shape(source, table, arguments(Scene.emit, "shape"))
    values["region"] = construct("region", values["region"], REGIONS)
    if "sizes" in values:
        values["sizes"] = construct("sizes", values["sizes"], SIZES)
    return f"'{scene.emit(shape, **values)}'"


def _read_joint(source: SceneText, scene: Scene, table: dict[str, Any]) -> str:
    check_keys(table, *arguments(Scene.joint))
    check_words(table, Scene.joint)
    return f"'{scene.joint(**table)}'"


def _read_load(source: SceneText, scene: Scene, table: dict[str, Any]) -> str:
    check_keys(table, *arguments(Scene.load))
    check_words(table, Scene.load)
    scene.load(**table)
    return f"'{table['body']}'"


def _read_field(source: SceneText, scene: Scene, table: dict[str, Any]) -> str:
    check_keys(table, *arguments(Scene.field, "derivative"))
    check_words(table, Scene.field)
    values = {key: value for key, value in table.items() if key != "field"}
    scene.field(construct("field", table["field"], FIELDS), **values)
    return scene.fields[-1].place.removeprefix("field on ")


def _read_ignore(source: SceneText, scene: Scene, table: dict[str, Any]) -> str:
    check_keys(table, *arguments(Scene.ignore))
    check_words(table, Scene.ignore)
    scene.ignore(**table)
    return f"'{table['one']}' and '{table['other']}'"


# --- laws ----------------------------------------------------------------------------------------------------------------


def contact_laws() -> dict[str, type[Law]]:
    """The built-in laws of contacts, but for products."""
    made = custom.built_in()
    return {name: law for name, law in made.items() if "n" in law.rows and law is not builtin.Product}


def _law(source: SceneText, given: Any) -> tuple[Law, bool]:
    """A law {name = "Rolling", mu = 0.2, mu_r = 0.04}, or a product of several in a list; and whether its lengths are ratios."""
    factors = given if isinstance(given, list) else [given]
    ratios: dict[str, bool] = {}
    laws = [_factor(source, factor, ratios) for factor in factors]
    if not laws:
        raise LawError('law = [] is empty; write e.g. law = {name = "Coulomb", mu = 0.3}.')
    if len(set(ratios.values())) > 1:
        lengths = [name for name, ratio in ratios.items() if not ratio]
        others = [name for name, ratio in ratios.items() if ratio]
        raise LawError(
            f"{', '.join(others)} given as a ratio, but {', '.join(lengths)} as a length [m]. Give all of them as lengths, or "
            f"all as ratios: {lengths[0]} = {{ratio = ...}}."
        )
    law = laws[0] if len(laws) == 1 else builtin.Product(*laws)
    return law, any(ratios.values())


def law_of(given: Any, folder: Path, trust: bool = True) -> tuple[Law, bool]:
    """The law that a table {name = "Rolling", mu = 0.2, mu_r = {ratio = 0.1}} describes, and whether its lengths are ratios."""
    return _law(SceneText("law", "", folder, trust), given)


def _factor(source: SceneText, given: Any, ratios: dict[str, bool]) -> Law:
    if not isinstance(given, dict) or "name" not in given:
        raise LawError(f'law = {given!r} must be a table with a name, e.g. law = {{name = "Coulomb", mu = 0.3}}.')
    name = given["name"]
    if isinstance(name, str) and ":" in name:
        made = _own_law(source, name)
    else:
        made = lookup("law", name, contact_laws())
    if isinstance(made, Law):
        check_keys(given, ["name"])
        return made
    names, needed = arguments(made)
    check_keys({k: v for k, v in given.items() if k != "name"}, names, needed)
    check_words({key: value for key, value in given.items() if key != "name"}, made)
    values = {key: value for key, value in given.items() if key != "name"}
    return made(**{key: _coefficient(source, made, key, value, ratios) for key, value in values.items()})


def _coefficient(source: SceneText, made: type[Law], key: str, value: Any, ratios: dict[str, bool]) -> Any:
    """A coefficient of a law: a number, a table of one that varies, or {ratio = either} for a length; notes in `ratios` which."""
    unit = units_of(made).get(key, "-")
    is_ratio = isinstance(value, dict) and (not value or "ratio" in value)
    if is_ratio:
        if unit != "m":
            raise LawError(f"{key} = {value!r} must be a number; only lengths can be given as a ratio to the radius.")
        check_keys(value, ["ratio"], ["ratio"])
        value = value["ratio"]
    varying = None
    if isinstance(value, dict) and key in units_of(made):
        varying = from_table(f"{made.__name__}: {key}", value, lambda name: _function(source, name))
    if unit == "m" and not isinstance(varying, HertzPatch):
        ratios[key] = is_ratio
    if varying is not None:
        return varying
    if isinstance(value, bool):
        if key in units_of(made):
            raise LawError(f"{made.__name__}: {key} = {value!r} is not a number [{unit}].")
        return value
    return number(made.__name__, key, value, "-" if is_ratio else unit, infinite=True)


def _function(source: SceneText, where: Any) -> Any:
    """A function of the user's own, of the speed."""
    if not isinstance(where, str) or ":" not in where:
        raise LawError(f'function = {where!r} must be "file.py:name" or "module:name".')
    return _own(source, where, "function", custom.find_function)


def _own_law(source: SceneText, where: str) -> Law | type[Law]:
    """A law of the user's own, from a file beside the scene file or a module."""
    return _own(source, where, "name", custom.find)


def _own(source: SceneText, where: str, key: str, find: Callable[[str], Any]) -> Any:
    """Python code that a scene names, if it is trusted."""
    module, _, name = where.rpartition(":")
    if not source.trust:
        raise LawError(
            f"{key} = {where!r} is Python code, which was not run. If you trust it, say so: --trust, or trust=True."
        )
    if module.endswith(".py"):
        where = f"{(source.folder / module).as_posix()}:{name}"
    say_code(source.name, where)
    with _importable(source.folder):
        try:
            return find(where)
        except TrundleError as error:
            raise LawError(f"{key} = {where!r}: {error}") from None
        except Exception as error:
            raise LawError(f"{key} = {where!r} cannot be imported: {type(error).__name__}: {error}") from error


@contextmanager
def _importable(folder: Path) -> Iterator[None]:
    """Modules of a folder can be imported, as those beside a script can."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


__all__ = ["contact_laws", "law_of", "load_scene", "parse_scene"]
