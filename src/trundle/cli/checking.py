"""`trundle check`: what a scene file describes, and whether it can be simulated."""

from __future__ import annotations

import json
import math
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from rich.markup import escape

from trundle.cli import terminal
from trundle.cli.option_places import option_places
from trundle.detect.behind import bodies_behind
from trundle.detect.contacts import Detector
from trundle.errors import TrundleWarning
from trundle.laws.base import Law
from trundle.laws.builtin import Product
from trundle.run.loop import make_stepper
from trundle.run.options import AUTO, check_options, the_solver, warn_of_a_cut_step
from trundle.run.simulation import reseeded
from trundle.scene.checks import advised_time_step, check_start, step_count
from trundle.scene.files import load_scene
from trundle.scene.model import Model, build_model
from trundle.scene.restitution import as_value, in_words
from trundle.scene.scene import Pair, Scene
from trundle.scene.tables import with_units
from trundle.scene.writing import law_table

TIMES = ("duration", "time_step")  # options that a run cannot do without


def check(path: Path, as_json: bool) -> None:
    """Read a scene file, check it as `simulate` would, and tell what is in it."""
    scene, options = load_scene(path)
    with option_places(scene, options):
        chosen = check_options(scene, **_with_times(options))
    scene = reseeded(scene, chosen.seed)
    model, state = build_model(scene)
    advice = advised_time_step(model, state)
    time_step = (
        options.get("time_step", min(advice, 1e-3)) if chosen.accuracy is None else min(advice, chosen.time_step)
    )
    detector = Detector(model)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", TrundleWarning)
        warn_of_a_cut_step(chosen)
        check_start(scene, model, state, time_step, detector.detect, bodies_behind)
    with option_places(scene, options):
        make_stepper(
            model, chosen, the_solver(chosen.solver, chosen.formulation)
        )  # refuses what its formulation cannot do
    facts = _facts(path, scene, model, options) | {
        "contacts": int(np.count_nonzero(detector.detect(state, 0.0).gap <= detector.margin)),
        "advised_time_step": None if math.isinf(advice) else advice,
        "remarks": [str(one.message) for one in caught if issubclass(one.category, TrundleWarning)],
    }
    if not facts["missing"] and chosen.accuracy is None:
        facts["steps"] = step_count(options["duration"], options["time_step"])
    if as_json:
        print(json.dumps(facts, indent=2))
    else:
        _print(facts)


def _with_times(options: dict[str, Any]) -> dict[str, Any]:
    """The options; where duration or time_step is missing, as for a single step, so that the others can be checked."""
    given = (abs(options[name]) for name in TIMES if options.get(name) and options[name] != AUTO)
    one = next(given, 1e-3)
    return {"duration": one, "time_step": one} | options


def _facts(path: Path, scene: Scene, model: Model, options: dict[str, Any]) -> dict[str, Any]:
    free = np.isfinite(model.mass)
    there = np.array([shape.kind >= 0 for shape in model.shapes])
    mass, radius = model.mass[free], model.radius[free]
    return {
        "file": str(path),
        "bodies": len(scene.bodies),
        "shapes": dict(Counter(type(body.shape).__name__ for body in scene.bodies)),
        "movable": int(np.count_nonzero(free)),
        "fixed": sum(body.fixed for body in scene.bodies),
        "prescribed": int(np.count_nonzero(there & ~free)) - sum(body.fixed for body in scene.bodies),
        "mass": {"total": float(mass.sum()), "smallest": float(mass.min()), "largest": float(mass.max())} if len(mass) else None,
        "radius": {"smallest": float(radius.min()), "largest": float(radius.max())} if len(radius) else None,
        "gravity": scene.gravity.tolist(),
        "surfaces": [
            {"between": list(names), "law": law_in_words(pair), "restitution": as_value(pair.restitution)}
            for names, pair in sorted(scene.pairs.items())
        ],
        "emitters": [
            {
                "name": e.name,
                "count": e.count,
                "rate": None if math.isinf(e.rate) else e.rate,
                "start": e.start,
                "end": e.due(e.count - 1),
            }
            for e in scene.emitters
        ],
        "joints": dict(Counter(joint.kind for joint in scene.joints)),
        "loads": len(scene.loads),
        "options": options,
        "missing": [name for name in TIMES if name not in options],
    }  # fmt: skip


def law_in_words(pair: Pair) -> str:
    """A law with its coefficients and their units: "Rolling: mu = 0.3, mu_r = 0.001 m"."""
    factors: tuple[Law, ...] = pair.law.factors if isinstance(pair.law, Product) else (pair.law,)
    return " x ".join(_factor_in_words(factor, pair) for factor in factors)


def _factor_in_words(law: Law, pair: Pair) -> str:
    words = []
    for name, value in law_table(law, pair.ratio).items():
        if name == "name":
            continue
        if isinstance(value, dict) and "ratio" in value:
            words.append(f"{name} = {value['ratio']:g} x radius")
        elif isinstance(value, dict):  # a function of speed or load
            words.append(f"{name} = ({', '.join(f'{key} {item}' for key, item in value.items())})")
        else:
            unit = " m" if "[m]" in with_units([name]) and pair.rolling != "contour" else ""
            words.append(f"{name} = {value:g}{unit}" if isinstance(value, float) else f"{name} = {value}")
    return f"{type(law).__name__}: {', '.join(words)}"


def _print(facts: dict[str, Any]) -> None:
    console = terminal.output()
    table = terminal.plain_table("", "")
    table.show_header = False
    shapes = ", ".join(f"{count:,} {name}" for name, count in facts["shapes"].items())
    poured = sum(emitter["count"] for emitter in facts["emitters"])
    table.add_row("bodies", f"{facts['bodies']:,}: {shapes}")
    table.add_row(
        "", f"{facts['movable']:,} can move, {facts['fixed']:,} fixed, {facts['prescribed']:,} move as prescribed"
    )
    if facts["mass"]:
        mass, radius = facts["mass"], facts["radius"]
        table.add_row("mass", f"{mass['total']:.4g} kg in all, {mass['smallest']:.4g} to {mass['largest']:.4g} kg")
        table.add_row("radius", f"{radius['smallest']:.4g} to {radius['largest']:.4g} m")
    table.add_row("gravity", f"{tuple(facts['gravity'])} m/s²")
    for i, pair in enumerate(facts["surfaces"]):
        bounce = f", restitution {in_words(pair['restitution'])}" if pair["restitution"] else ""
        table.add_row("" if i else "surfaces", escape(f"{' - '.join(pair['between'])}:  {pair['law']}{bounce}"))
    for i, emitter in enumerate(facts["emitters"]):
        when = f"at t = {emitter['start']:g} s" if emitter["start"] == emitter["end"] else (
            f"{emitter['rate']:g} per second from t = {emitter['start']:g} to {emitter['end']:.4g} s"
        )  # fmt: skip
        table.add_row("" if i else "emitters", escape(f"{emitter['name']}:  {emitter['count']:,} bodies, {when}"))
    if facts["joints"]:
        table.add_row("joints", ", ".join(f"{count} {kind}" for kind, count in facts["joints"].items()))
    if facts["loads"]:
        table.add_row("loads", str(facts["loads"]))
    table.add_row("contacts", f"{facts['contacts']:,} at the start" + (", before anything is poured" if poured else ""))
    if facts["options"]:
        table.add_row("simulation", escape(", ".join(f"{name} = {value}" for name, value in facts["options"].items())))
    if facts["advised_time_step"]:
        steps = f"; {facts['steps']:,} steps of {facts['options']['time_step']:g} s" if "steps" in facts else ""
        table.add_row("time step", f"up to {facts['advised_time_step']:.1g} s seems fine{steps}")
    console.print(table)
    for remark in facts["remarks"]:
        console.print(f"[yellow]warning:[/] {escape(remark)}")
    missing = facts["missing"]
    if missing:
        verb, them = ("is", "it") if len(missing) == 1 else ("are", "them")
        absent = f"{' and '.join(missing)} {verb} not in the file"
        console.print(escape(f"{absent}: give {them} to `trundle run`, as below, or add {them} to [simulation]."))
    given = "".join(f" --{name.replace('_', '-')} SECONDS" for name in missing)
    console.print(f"{escape(facts['file'])} can be simulated:  trundle run {escape(facts['file'])}{given}")
