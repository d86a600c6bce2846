# ruff: noqa: E501 - tables of calls
"""Misuse of the Python interface: every argument of every public call with values of a wrong type, shape, sign or size."""

from __future__ import annotations

import inspect
import math
import signal
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import trundle
from trundle import laws, measure, stop
from trundle.errors import TrundleError

SECONDS = 20  # until a call counts as hung
BAD: list[Any] = [
    None, True, "x", "", b"x", math.nan, math.inf, -math.inf, -1, 0, -0.5, 1e-320, 1e300, 10**400, 2**70, 3 + 4j, [], (), {}, {"a": 1},
    [1, 2], [1, 2, 3], [[1, 2], [3]], [[1, 2, 3]], [None], ["a", "b"], "abc", [math.nan] * 3, np.array(3.0), np.array("x"),
    np.zeros((2, 2)), np.zeros(0), np.array([1, "a"], object), np.array(None), object(), lambda: 0, print, int, Path("x"), range(3),
    trundle.Sphere(0.1), laws.Coulomb(mu=0.3), trundle.Scene(), np.float64(2.0), np.int8(-3), "1", "\x00", "\ud800", iter([1]), slice(1),
]  # fmt: skip


def scene(joint: bool = False) -> trundle.Scene:
    made = trundle.Scene()
    made.add(trundle.HalfSpace(), name="ground", fixed=True, surface="soil")
    made.add(trundle.Sphere(0.1), name="ball", mass=1.0, position=(0, 0, 0.1), surface="rock")
    made.add(trundle.Sphere(0.1), name="other", mass=1.0, position=(1, 0, 0.1), surface="rock")
    for pair in (("rock", "soil"), ("rock", "rock")):
        made.surface(*pair, law=laws.Coulomb(mu=0.3))
    if joint:
        made.joint(
            "hinge", "ball", "other", position=(0.5, 0, 0.1), axis=(0, 1, 0), motor=1.0, max_force=1.0, name="axle"
        )
    return made


def problem() -> trundle.ContactProblem:
    """A problem with one contact that sticks."""
    return trundle.ContactProblem(W=np.eye(3), q=np.array([-1.0, 0.1, 0.0]), laws=laws.Coulomb(mu=0.5))


Call = tuple[Callable[..., Any], dict[str, Any]]


def method(build: Callable[[], Any], name: str) -> Callable[..., Any]:
    """A method of something that is made anew for each call."""
    return lambda **given: getattr(build(), name)(**given)


def constructors() -> dict[str, Call]:
    """Shapes, laws, sizes, regions, motions, materials."""
    triangle = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    table: dict[str, Call] = {
        "Sphere": (trundle.Sphere, {"radius": 0.1}),
        "Box": (trundle.Box, {"size": (1, 1, 1)}),
        "Capsule": (trundle.Capsule, {"radius": 0.1, "height": 0.1}),
        "Cylinder": (trundle.Cylinder, {"radius": 0.1, "height": 0.1}),
        "Disk": (trundle.Disk, {"radius": 0.1, "thickness": 0.01}),
        "Ellipsoid": (trundle.Ellipsoid, {"semi_axes": (1, 1, 1)}),
        "Clump": (trundle.Clump, {"centres": [(0, 0, 0), (0.1, 0, 0)], "radii": [0.1, 0.1]}),
        "Polyhedron": (trundle.Polyhedron, {"vertices": [*triangle, (0, 0, 1)], "faces": None}),
        "HalfSpace": (trundle.HalfSpace, {"normal": (0, 0, 1), "offset": 0.0}),
        "HeightField": (trundle.HeightField, {"heights": [[0.0, 0.0], [0.0, 0.0]], "spacing": 1.0}),
        "Mesh": (trundle.Mesh, {"vertices": triangle, "faces": [(0, 1, 2)]}),
        "Scene": (trundle.Scene, {"gravity": (0, 0, -9.81)}),
        "BoxRegion": (trundle.BoxRegion, {"low": (0, 0, 0), "high": (1, 1, 1)}),
        "CylinderRegion": (trundle.CylinderRegion, {"base": (0, 0, 0), "radius": 1.0, "height": 1.0}),
        "Uniform": (trundle.Uniform, {"low": 0.5, "high": 1.0}),
        "Normal": (trundle.Normal, {"mean": 1.0, "deviation": 0.1}),
        "Choice": (trundle.Choice, {"sizes": [1.0, 2.0], "weights": [1.0, 1.0]}),
        "Grading": (trundle.Grading, {"sizes": [0.5, 1.0], "passing": [0.0, 1.0]}),
        "Steady": (trundle.Steady, {"velocity": (1, 0, 0), "angular_velocity": (0, 0, 1)}),
        "Oscillation": (trundle.Oscillation, {"amplitude": (0, 0, 1), "frequency": 1.0, "phase": 0.0}),
        "Table": (trundle.Table, {"time": [0.0, 1.0], "velocity": [(0, 0, 0), (1, 0, 0)]}),
        "Hooke": (trundle.Hooke, {"stiffness": 1e5, "damping": 1.0}),
        "Hertz": (trundle.Hertz, {"young": 1e9, "poisson": 0.3}),
        "GivenForce": (trundle.GivenForce, {"force": 1.0}),
        "stop.at_rest": (stop.at_rest, {"duration": 0.2, "speed": 1e-3, "body": "ball"}),
        "stop.left": (stop.left, {"region": trundle.BoxRegion((0, 0, 0), (1, 1, 1)), "body": "ball"}),
        "stop.crossed": (stop.crossed, {"plane": trundle.HalfSpace(), "body": "ball"}),
        "grid": (trundle.grid, {"count": (2, 2, 2), "spacing": 0.1}),
        "laws.own": (laws.own, {"rows": ("t1", "t2")}),
        "laws.load": (laws.load, {"where": "a:b"}),
        "laws.check": (laws.check, {"law": laws.Coulomb(mu=0.3)}),
    }
    for name in laws.__all__:
        made = getattr(laws, name)
        if isinstance(made, type) and issubclass(made, laws.Law) and made not in (laws.Law, laws.Product):
            table[f"laws.{name}"] = (made, _fields(made))
    table = {name: (function, {**_defaults(function), **given}) for name, (function, given) in table.items()}
    wrong = [name for name, call in table.items() if not works(call)]
    assert not wrong, f"these calls are not right with their own arguments: {wrong}"
    return table


def _defaults(function: Callable[..., Any]) -> dict[str, Any]:
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty and p.kind is not p.VAR_KEYWORD}


def _fields(law: type[Any]) -> dict[str, Any]:
    from dataclasses import fields

    return {item.name: 1.5 if item.name in ("q",) else 0.3 for item in fields(law) if item.init}


def calls(folder: Path) -> dict[str, Call]:
    """Methods of scenes, simulations and runs, and functions."""
    position = np.random.default_rng(1).random((40, 3))
    run = trundle.simulate(scene(True), 0.03, 0.01, record=folder / "run.h5")
    recording = trundle.open_recording(folder / "run.h5")
    base: dict[str, Any] = {
        "shape": trundle.Sphere(0.1),
        "name": "new",
        "mass": 1.0,
        "density": None,
        "position": (0, 0, 3),
    }
    base |= {
        "velocity": (0, 0, 0),
        "angular_velocity": (0, 0, 0),
        "orientation": (1, 0, 0, 0),
        "surface": "rock",
        "fixed": False,
    }
    region = trundle.BoxRegion((0, 0, 1), (1, 1, 2))
    options: dict[str, Any] = {
        "duration": 0.02, "time_step": 0.01, "theta": 0.5, "formulation": "exact", "tolerance": 1e-8, "max_iterations": 100,
        "solver": "auto", "record": None, "every": 1, "frames_per_second": None, "seed": 1, "scheme": "moreau-jean", "stop": None,
        "keep_problems": False, "save_problems": None, "threads": 1, "progress": None,
    }  # fmt: skip
    table: dict[str, Call] = {
        "Scene.add": (method(scene, "add"), {**base, "inertia": None, "motion": None}),
        "Scene.surface": (
            method(scene, "surface"),
            {"one": "rock", "other": "soil", "law": laws.Coulomb(mu=0.3), "restitution": 0.5, "ratio": False, "stiffness": None,
             "material": None, "axis": None, "rolling": None, "rolling_viscosity": 0.0},
        ),
        "Scene.joint": (
            method(scene, "joint"),
            {"kind": "hinge", "one": "ball", "other": "other", "position": (0.5, 0, 0), "axis": (0, 1, 0), "name": "j", "motor": 1.0,
             "max_force": 1.0, "friction": 0.0, "collide": False},
        ),
        "Scene.load": (
            method(scene, "load"),
            {"body": "ball", "force": (1, 0, 0), "torque": (0, 0, 0), "point": (0, 0, 0), "frame": "world", "start": 0.0, "end": 1.0},
        ),
        "Scene.emit": (
            method(scene, "emit"),
            {"shape": trundle.Sphere(0.1), "rate": 10.0, "count": 3, "region": region, "density": 2500.0, "name": "e", "seed": 1,
             "surface": "rock", "sizes": trundle.Uniform(0.5, 1.0), "velocity": (0, 0, 0), "start": 0.0},
        ),
        "Scene.index": (method(scene, "index"), {"name": "ball"}),
        "simulate": (lambda scene_=None, **given: trundle.simulate(**{"scene": scene(), **given}), options),
        "simulate scene": (lambda scene: trundle.simulate(scene, 0.02, 0.01), {"scene": scene()}),
        "Simulation.step": (method(lambda: trundle.Simulation(scene(True), 0.01), "step"), {"n": 1}),
        "Simulation.run": (method(lambda: trundle.Simulation(scene(True), 0.01), "run"), {"duration": 0.02, "progress": None}),
        "Simulation.load": (
            method(lambda: trundle.Simulation(scene(True), 0.01), "load"), {"body": "ball", "force": (1, 0, 0), "torque": (0, 0, 0)},
        ),
        "Simulation.motor": (method(lambda: trundle.Simulation(scene(True), 0.01), "motor"), {"joint": "axle", "speed": 1.0}),
        "Simulation.remove": (method(lambda: trundle.Simulation(scene(), 0.01), "remove"), {"body": "ball"}),
        "solve": (
            lambda problem_=None, **given: trundle.solve(**{"problem": problem(), **given}),
            {"solver": "gauss-seidel", "tolerance": 1e-8, "max_iterations": 100, "guess": None, "history": False, "progress": None},
        ),
        "solve problem": (lambda problem: trundle.solve(problem), {"problem": problem()}),
        "ContactProblem.reduced": (
            lambda W, q, laws, formulation: trundle.ContactProblem(W=W, q=q, laws=laws, formulation=formulation),
            {"W": np.eye(3), "q": np.array([-1.0, 0, 0]), "laws": laws.Coulomb(mu=0.5), "formulation": "exact"},
        ),
        "ContactProblem.residual": (method(problem, "residual"), {"p": np.zeros(3)}),
        "save_problem": (trundle.save_problem, {"problem": problem(), "path": folder / "p.hdf5"}),
        "load_problem": (trundle.load_problem, {"path": "none"}),
        "load_scene": (trundle.load_scene, {"path": "none"}),
        "dump_scene": (trundle.dump_scene, {"scene": scene()}),
        "open_recording": (trundle.open_recording, {"path": "none"}),
        "resume": (
            trundle.resume, {"recording": folder / "run.h5", "duration": 0.02, "scene": None, "solver": None, "stop": None, "threads": 1},
        ),
        "angle_of_repose": (
            measure.angle_of_repose,
            {"position": position, "radius": 0.01, "kind": "cone", "sectors": 8, "centre": None, "direction": (1, 0), "ground": 0.0,
             "toe": 0.2, "apex": 0.2},
        ),
        "pile_height": (measure.pile_height, {"position": position, "radius": 0.01, "ground": 0.0}),
        "base_radius": (measure.base_radius, {"position": position, "radius": 0.01, "ground": None, "tolerance": 0.1}),
        "run_out": (measure.run_out, {"position": position, "radius": 0.01, "origin": (0, 0), "share": 0.9}),
        "settled": (measure.settled, {"velocity": position, "radius": 0.01, "gravity": 9.81}),
    }  # fmt: skip
    for kind, of in (("Run", run), ("Recording", recording)):
        for name in ("position", "orientation", "velocity", "angular_velocity"):
            table[f"{kind}.{name}"] = (getattr(of, name), {"name": "ball"})
        for name in ("joint_force", "joint_torque", "joint_point", "joint_axes", "joint_impulse"):
            table[f"{kind}.{name}"] = (getattr(of, name), {"name": "axle"})
        table[f"{kind}.frame"] = (of.frame, {"i": 0})
        table[f"{kind}.contacts"] = (of.contacts, {"i": 0})
    table["Run.problem"] = (run.problem, {"step": -1})
    return table


def works(call: Call) -> bool:
    """Whether the call is right with its own arguments: those that are not are of no use here."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call[0](**call[1])
    except TypeError:
        return False
    except TrundleError:
        return True
    return True


def _tick(*_: object) -> None:
    raise TimeoutError("hung")


def misuse(folder: Path, count: int | None = None, seed: int = 0) -> dict[str, Any]:
    """Call everything with bad arguments, or with `count` of them at random; returns counts and what raised something raw."""
    table = {**constructors(), **calls(folder)}
    jobs = [(name, key, i) for name, (_, given) in table.items() for key in given for i in range(len(BAD))]
    if count is not None:
        jobs = [
            jobs[i]
            for i in np.sort(np.random.default_rng(seed).choice(len(jobs), min(count, len(jobs)), replace=False))
        ]
    counts, failures = {"calls": 0, "refused": 0, "accepted": 0}, []
    former = signal.signal(signal.SIGALRM, _tick)
    try:
        for name, key, i in jobs:
            function, given = table[name]
            if key in ("progress", "keep_problems", "motor", "speed", "force", "torque", "stop") and callable(BAD[i]):
                continue  # a user's function may raise what it likes
            if (name, key) == ("Simulation.step", "n") and isinstance(BAD[i], int) and BAD[i] > 10**9:
                continue  # so many steps take their time
            counts["calls"] += 1
            signal.alarm(SECONDS)
            try:
                with warnings.catch_warnings(), np.errstate(all="ignore"):
                    warnings.simplefilter("ignore")
                    function(**{**given, key: BAD[i]})
                counts["accepted"] += 1
            except TrundleError:
                counts["refused"] += 1
            except Exception as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                where = f"{Path(place.filename).name}:{place.lineno}"
                failures.append(f"{name}({key}={_short(BAD[i])}): {type(error).__name__}: {str(error)[:90]} [{where}]")
            finally:
                signal.alarm(0)
    finally:
        signal.signal(signal.SIGALRM, former)
    return {**counts, "failures": failures}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 40 else text[:37] + "..."
