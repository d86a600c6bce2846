"""A scene as the text of a scene file that reads back to the same bits."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from trundle import checked
from trundle.errors import SceneError
from trundle.laws.base import Law, units_of
from trundle.laws.builtin import Product
from trundle.laws.coefficients import Coefficient, HertzPatch
from trundle.laws.custom import built_in
from trundle.output import file_path
from trundle.scene.constraints import Constraint
from trundle.scene.emitters import Emitter
from trundle.scene.fields import FIELDS, Field
from trundle.scene.files import MOTIONS, OPTIONS, REGIONS, SIZES
from trundle.scene.joints import DRIVEN, TWO_POINTS, Joint
from trundle.scene.loads import Load
from trundle.scene.materials import HertzMindlin
from trundle.scene.motions import Motion
from trundle.scene.restitution import as_value
from trundle.scene.scene import Body, Pair, Scene
from trundle.scene.tables import toml_table

PYTHON = "python"  # kind of a motion or load that is a function, where these are only named


def dump_scene(
    scene: Scene, options: Mapping[str, Any] | None = None, *, name_functions: bool = False,
    folder: str | os.PathLike[str] | None = None,
) -> str:  # fmt: skip
    """A scene and the options of `simulate` as the text of a scene file.

    Meshes are written with their vertices and triangles, whether they were read from a file or not.  Files with laws are
    named as seen from `folder`, or by their whole path if it is not given.

    A motion or load that is a Python function cannot be written: an error, or with `name_functions` a mark in its place that
    tells so whoever reads the text, and that `load_scene` refuses.
    """
    if not isinstance(scene, Scene):
        raise SceneError(f"dump_scene: {scene!r} is not a scene; give trundle.Scene(...).")
    if options is not None:
        checked.instance(SceneError, "dump_scene: options", options, Mapping, "a table of arguments of simulate")
    checked.flag(SceneError, "dump_scene: name_functions", name_functions)
    if folder is not None:
        file_path("dump_scene: folder", folder)
    parts = [toml_table("", {"gravity": scene.gravity, "planar": scene.planar})]
    given = {name: value for name, value in (options or {}).items() if value is not None}
    for name in given:
        if name not in OPTIONS:
            raise SceneError(f"option {name!r} has no place in a scene file. Those that have: {', '.join(OPTIONS)}.")
    if given:
        parts.append(toml_table("[simulation]", given))
    parts += [toml_table("[[bodies]]", _body(body, name_functions)) for body in scene.bodies if body.emitter is None]
    parts += [toml_table("[[surfaces]]", _surface(names, pair, folder)) for names, pair in scene.pairs.items()]
    parts += [toml_table("[[emitters]]", _emitter(emitter)) for emitter in scene.emitters]
    parts += [toml_table("[[joints]]", _joint(joint, name_functions)) for joint in scene.joints]
    parts += [toml_table("[[ignore]]", {"one": one, "other": other}) for one, other in scene.ignored]
    parts += [toml_table("[[loads]]", _load(load, name_functions)) for load in scene.loads]
    parts += [toml_table("[[fields]]", _field(one, name_functions)) for one in scene.fields]
    parts += [toml_table("[[constraints]]", _constraint(one, name_functions)) for one in scene.constraints]
    return "\n".join(parts)


def _unless(value: Any, default: Any) -> Any:
    """A value, or None if it is the default and need not be written."""
    return None if np.array_equal(value, default) else value


def _body(body: Body, name_functions: bool) -> dict[str, Any]:
    place = f"body '{body.name}'"
    moved = body.motion is not None
    table: dict[str, Any] = {"name": body.name, **body.shape.as_table()}
    held = np.isinf(body.mass)
    if not held:
        table["mass"] = body.mass
        unit = np.asarray(body.shape.unit_inertia, dtype=float)
        table["inertia"] = _unless(body.inertia, body.mass * (np.diag(unit) if unit.ndim == 1 else unit))
    return table | {
        "position": body.position,
        "orientation": _unless(body.orientation, (1.0, 0.0, 0.0, 0.0)),
        "velocity": None if held else _unless(body.velocity, (0.0, 0.0, 0.0)),
        "angular_velocity": None if held else _unless(body.angular_velocity, (0.0, 0.0, 0.0)),
        "surface": _unless(body.surface, "default"),
        "fixed": body.fixed or None,
        "motion": _motion(place, body.motion, name_functions) if moved else None,
        "group": body.group,
        "centre_of_mass": _unless(body.centre_of_mass, (0.0, 0.0, 0.0)),
        "locked": list(body.locked) or None,
    }


def _kind(given: Any, known: Mapping[str, type]) -> dict[str, Any]:
    """A table {kind = "name", field = value, ...} of a dataclass."""
    kind = next(name for name, made in known.items() if type(given) is made)
    return {"kind": kind, **{field.name: getattr(given, field.name) for field in fields(given)}}


def _motion(place: str, motion: Any, name_functions: bool) -> dict[str, Any]:
    if isinstance(motion, Motion) and type(motion) in MOTIONS.values():
        return _kind(motion, MOTIONS)
    return _function(place, "motion", motion, name_functions, "Steady, Oscillation or Table")


def _function(place: str, name: str, given: Any, name_functions: bool, instead: str) -> dict[str, Any]:
    if name_functions:
        return {"kind": PYTHON, "function": getattr(given, "__qualname__", type(given).__name__)}
    raise SceneError(
        f"{place}: {name} is a Python function, which a scene file cannot hold. Use {instead}, or keep the scene in Python."
    )


def _surface(names: tuple[str, str], pair: Pair, folder: str | os.PathLike[str] | None) -> dict[str, Any]:
    factors = pair.law.factors if isinstance(pair.law, Product) else (pair.law,)
    place = f"surfaces '{names[0]}' and '{names[1]}'"
    laws = [law_table(factor, pair.ratio, place, folder) for factor in factors]
    return {
        "between": list(names),
        "law": laws if len(laws) > 1 else laws[0],
        "restitution": _unless(as_value(pair.restitution), 0.0),
        "axis": pair.axis,
        "axis_of": pair.axis_of,
        "stiffness": pair.stiffness.as_table()
        if isinstance(pair.stiffness, HertzMindlin)
        else _unless(pair.stiffness, (math.inf,) * 4),
        "material": None if pair.material is None else pair.material.as_table(),
        "rolling": _unless(pair.rolling, "classical"),
        "rolling_viscosity": _unless(pair.rolling_viscosity, 0.0),
    }


def law_table(
    law: Law, ratio: bool, place: str = "law", folder: str | os.PathLike[str] | None = None
) -> dict[str, Any]:
    """A law, not a product, as it stands in a scene file."""
    units = units_of(type(law))
    table: dict[str, Any] = {"name": _law_name(place, type(law), folder)}
    for field in fields(law):
        if field.name != "rows":
            value = getattr(law, field.name)
            if isinstance(value, Coefficient):
                value, written = value.as_table(), value
                if "function" in value:
                    value["function"] = _in_folder(value["function"], folder)
                if isinstance(written, HertzPatch):
                    table[field.name] = value
                    continue
            table[field.name] = {"ratio": value} if ratio and units.get(field.name) == "m" else value
    return table


def _law_name(place: str, made: type[Law], folder: str | os.PathLike[str] | None) -> str:
    name = made.__name__
    if built_in().get(name) is made:
        return name
    module = sys.modules.get(made.__module__)
    if made.__module__ == "__main__" or getattr(module, name, None) is not made:
        raise SceneError(
            f"{place}: the law {name} comes from a running script, and a scene file could not find it. Put it into a file "
            "of its own and import it."
        )
    if made.__module__.startswith("law_file_"):
        return _in_folder(f"{getattr(module, '__file__', made.__module__)}:{name}", folder)
    return f"{made.__module__}:{name}"


def _in_folder(where: str, folder: str | os.PathLike[str] | None) -> str:
    """The name "file.py:name" as seen from a folder."""
    file, _, name = where.rpartition(":")
    if folder is not None and file.endswith(".py"):
        with suppress(ValueError):  # on another drive there is no relative path
            file = Path(os.path.relpath(file, folder)).as_posix()
    return f"{file}:{name}"


def _emitter(emitter: Emitter) -> dict[str, Any]:
    random = isinstance(emitter.orientation, str)
    return {
        "name": emitter.name,
        **emitter.shape.as_table(),
        "rate": emitter.rate,
        "count": emitter.count,
        "region": _kind(emitter.region, REGIONS),
        "seed": emitter.seed,
        "sizes": None if emitter.sizes is None else _kind(emitter.sizes, SIZES),
        "density": emitter.density,
        "mass": emitter.mass,
        "surface": _unless(emitter.surface, "default"),
        "velocity": _unless(emitter.velocity, (0.0, 0.0, 0.0)),
        "angular_velocity": _unless(emitter.angular_velocity, (0.0, 0.0, 0.0)),
        "orientation": None if random else emitter.orientation,
        "start": _unless(emitter.start, 0.0),
        "group": emitter.group,
    }


def _joint(joint: Joint, name_functions: bool) -> dict[str, Any]:
    two_points = joint.kind in TWO_POINTS
    return {
        "kind": joint.kind,
        "one": joint.one,
        "other": joint.other,
        "name": joint.name,
        "position": joint.position,
        "other_position": joint.other_position if two_points else None,
        "axis": joint.axis if joint.kind in DRIVEN else None if two_points else _unless(joint.axis, (0.0, 0.0, 1.0)),
        "motor": _function(f"joint '{joint.name}'", "motor", joint.motor, name_functions, "a number")
        if callable(joint.motor)
        else joint.motor,
        "max_force": _unless(joint.max_force, math.inf),
        "friction": _unless(joint.friction, 0.0),
        "collide": joint.collide or None,
        "stiffness": _unless(joint.stiffness, 0.0),
        "damping": _unless(joint.damping, 0.0),
        "target": _function(f"joint '{joint.name}'", "target", joint.target, name_functions, "a number")
        if callable(joint.target)
        else joint.target,
        "limits": _unless(joint.limits, (-math.inf, math.inf)),
        "restitution": _unless(joint.restitution, 0.0),
    }


def _load(load: Load, name_functions: bool) -> dict[str, Any]:
    place = f"load on '{load.body}'"
    vectors = {
        name: _function(place, name, value, name_functions, "a vector")
        if callable(value)
        else _unless(value, (0.0,) * 3)
        for name, value in (("force", load.force), ("torque", load.torque))
    }
    return {
        "body": load.body,
        **vectors,
        "point": _unless(load.point, (0.0, 0.0, 0.0)),
        "frame": _unless(load.frame, "world"),
        "start": _unless(load.start, -math.inf),
        "end": _unless(load.end, math.inf),
    }


def _field(one: Field, name_functions: bool) -> dict[str, Any]:
    instead = "Drag, CentralSpring or LinearField"
    return {
        "field": _function(one.place, "field", one.field, name_functions, instead)
        if one.is_function
        else _kind(one.field, FIELDS),
        "bodies": None if one.whole else list(one.bodies),
        "implicit": one.implicit or None,
    }


def _constraint(one: Constraint, name_functions: bool) -> dict[str, Any]:
    function = _function(one.place, "function", one.function, name_functions, "a joint")
    return {"name": one.name, "bodies": list(one.bodies), "function": function, "level": _unless(one.level, "position")}


__all__ = ["dump_scene", "law_table"]
