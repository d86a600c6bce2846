# ruff: noqa: E501 - tables of calls
"""Every public call with arguments that are right: what `api_lab` then makes wrong, one argument at a time."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

import trundle
from trundle import laws, measure, problems, rockfall, stop, sweep
from trundle.errors import TrundleError
from trundle.scene.rasters import Raster, write_ascii

# what a user gets and does not make, and what has no arguments of its own
ANSWERS = {
    "ContactSolution", "Run", "Recording", "CheckResult", "LawReport", "Coefficient", "Law", "Length", "Ratio", "Coordination", "Fabric", "ForceChains",
    "ForceDistribution", "Network", "Repose", "Rest", "Stop", "MEASURES", "Fit", "Path", "Results", "Start", "Library", "Facts", "CampaignResult",
    "Progress", "laws", "stop",
}  # fmt: skip
CASE = """
[terrain]
file = "plane.asc"
[soils.meadow]
law = {name = "Rolling", mu = 0.6, mu_r = {ratio = 0.3}}
restitution = 0.2
[blocks]
kind = "sphere"
volume = 0.5
[release]
points = [[10.0, 10.0]]
count = 1
[simulation]
duration = 0.1
"""

Call = tuple[Callable[..., Any], dict[str, Any]]


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


def method(build: Callable[[], Any], name: str) -> Callable[..., Any]:
    """A method of something that is made anew for each call."""
    return lambda **given: getattr(build(), name)(**given)


def constructors() -> dict[str, Call]:
    """Shapes, laws, sizes, regions, motions, materials."""
    triangle = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    heights = {"heights": [[0.0, 0.0], [0.0, 0.0]], "spacing": 1.0}
    table: dict[str, Call] = {
        "Sphere": (trundle.Sphere, {"radius": 0.1}),
        "Box": (trundle.Box, {"size": (1, 1, 1)}),
        "Capsule": (trundle.Capsule, {"radius": 0.1, "height": 0.1}),
        "Cylinder": (trundle.Cylinder, {"radius": 0.1, "height": 0.1}),
        "Cone": (trundle.Cone, {"radius": 0.1, "height": 0.1}),
        "Disk": (trundle.Disk, {"radius": 0.1, "thickness": 0.01}),
        "Ellipsoid": (trundle.Ellipsoid, {"semi_axes": (1, 1, 1)}),
        "Clump": (trundle.Clump, {"centres": [(0, 0, 0), (0.1, 0, 0)], "radii": [0.1, 0.1]}),
        "Compound": (trundle.Compound, {"parts": [trundle.Sphere(0.1), (trundle.Box((1, 1, 1)), (0.5, 0, 0))]}),
        "Compound part": (
            lambda shape, position, orientation: trundle.Compound([trundle.Sphere(0.1), (shape, position, orientation)]),
            {"shape": trundle.Sphere(0.2), "position": (0.1, 0, 0), "orientation": (1, 0, 0, 0)},
        ),
        "Polyhedron": (trundle.Polyhedron, {"vertices": [*triangle, (0, 0, 1)], "faces": None}),
        "HalfSpace": (trundle.HalfSpace, {"normal": (0, 0, 1), "offset": 0.0}),
        "SphereInside": (trundle.SphereInside, {"radius": 1.0, "angle": 1.0, "thickness": 0.1}),
        "CylinderInside": (trundle.CylinderInside, {"radius": 1.0, "height": 1.0}),
        "ConeInside": (trundle.ConeInside, {"radius": 1.0, "height": 1.0}),
        "TorusInside": (trundle.TorusInside, {"radius": 1.0, "tube_radius": 0.2, "arc": (-1.0, 1.0)}),
        "HeightField": (trundle.HeightField, heights),
        "HeightField zones": (trundle.HeightField, {**heights, "zones": [0], "soils": ["a"], "roughness": {"tilt": 0.1, "size": 0.5}}),
        "HeightField file": (trundle.HeightField, {"file": "plane.asc", "crop": (0, 0, 10, 10), "resample": 1.0}),
        "roughness": (
            lambda tilt, size, seed: trundle.HeightField(**heights, roughness={"tilt": tilt, "size": size, "seed": seed}),
            {"tilt": 0.1, "size": 0.5, "seed": 1},
        ),
        "Mesh": (trundle.Mesh, {"vertices": triangle, "faces": [(0, 1, 2)]}),
        "Mesh zones": (trundle.Mesh, {"vertices": triangle, "faces": [(0, 1, 2)], "zones": [0], "soils": ["a"], "offset": (1.0, 2.0)}),
        "Scene": (trundle.Scene, {"gravity": (0, 0, -9.81), "planar": "xz"}),
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
        "HertzMindlin": (trundle.HertzMindlin, {"young": 1e9, "poisson": 0.3, "load": 1.0}),
        "Drag": (trundle.Drag, {"linear": 0.1, "quadratic": 0.1, "angular": 0.1, "wind": (1, 0, 0)}),
        "CentralSpring": (trundle.CentralSpring, {"point": (0, 0, 0), "stiffness": 1.0, "length": 1.0, "damping": 0.1}),
        "LinearField": (trundle.LinearField, {"stiffness": 1.0, "damping": 0.1, "position": (0, 0, 0)}),
        "GivenForce": (trundle.GivenForce, {"force": 1.0}),
        "PowerRestitution": (trundle.PowerRestitution, {"restitution": 0.5, "speed": 1.0}),
        "ThresholdRestitution": (trundle.ThresholdRestitution, {"restitution": 0.5, "speed": 1.0}),
        "TableRestitution": (trundle.TableRestitution, {"speed": (0.0, 1.0), "restitution": (0.5, 0.2)}),
        "at_rest": (stop.at_rest, {"duration": 0.2, "speed": 1e-3, "body": "ball"}),
        "left": (stop.left, {"region": trundle.BoxRegion((0, 0, 0), (1, 1, 1)), "body": "ball"}),
        "crossed": (stop.crossed, {"plane": trundle.HalfSpace(), "body": "ball"}),
        "grid": (trundle.grid, {"count": (2, 2, 2), "spacing": 0.1}),
        "own": (laws.own, {"rows": ("t1", "t2")}),
        "load": (laws.load, {"where": "a:b"}),
        "check": (laws.check, {"law": laws.Coulomb(mu=0.3), "samples": 50}),
        "sample": (laws.sample, {"law_class": laws.Coulomb}),
        "Stribeck": (laws.Stribeck, {"static": 0.5, "kinetic": 0.3, "speed": 0.1}),
        "SpeedTable": (laws.SpeedTable, {"speed": (0.0, 1.0), "value": (0.5, 0.3)}),
        "OfSpeed": (laws.OfSpeed, {"function": lambda v: 0.3}),
        "HertzPatch": (laws.HertzPatch, {"young": 1e9}),
        "Product": (lambda one, other: laws.Product(one, other), {"one": laws.Coulomb(mu=0.3), "other": laws.Roll(mu_r=0.1)}),
        "Bilateral": (laws.Bilateral, {"size": 2}),
        "Bounded": (laws.Bounded, {"limit": 1.0}),
    }  # fmt: skip
    for name in laws.__all__:
        made = getattr(laws, name)
        if name not in table and isinstance(made, type) and issubclass(made, laws.Law) and name not in ANSWERS:
            table[name] = (made, {item.name: 1.5 if item.name == "q" else 0.3 for item in fields(made) if item.init})
    table["Contensou"] = (laws.Contensou, {"mu": 0.3, "patch_radius": 0.1, "series": False})
    return {**table, **_methods_of_laws()}


def _methods_of_laws() -> dict[str, Call]:
    law = laws.SlideRollSpin(mu=0.3, mu_r=0.01, mu_s=0.01)
    p, y = np.array([1.0, 0.1, 0, 0, 0, 0]), np.array([0.0, 0.1, 0, 0, 0, 0])
    both: dict[str, Any] = {"y": y, "p": p}
    given: dict[str, dict[str, Any]] = {
        "at": {"speed": 0.1, "load": 1.0, "radius": 0.1}, "bipotential": {**both, "tolerance": 1e-9}, "correction": {"y": y},
        "dissipation": both, "mode": {**both, "tolerance": 1e-8, "reference": None}, "project": {"p": p},
        "project_section": {"f": p[1:], "r_n": 1.0}, "support": {"w": y[1:]},
    }  # fmt: skip
    return {f"Law.{name}": (getattr(law, name), values) for name, values in given.items()}


def rockfalls(folder: Path) -> dict[str, Call]:
    """Slopes, blocks, releases, cases, studies; and campaigns and libraries of problems."""
    raster = Raster(np.maximum(np.arange(11)[None, :] * 2.0 - 5.0, 0.0) + np.zeros((11, 1)), (0.0, 0.0), (2.0, 2.0))
    write_ascii(folder / "plane.asc", raster)
    (folder / "case.toml").write_text(CASE)
    (folder / "campaign.toml").write_text('function = "a.py:f"\n[vary]\nmu = [1.0]\n')
    ground = trundle.HeightField(file=folder / "plane.asc")
    soil = rockfall.Soil(laws.Coulomb(mu=0.5))
    terrain = rockfall.Terrain(ground)
    slope = rockfall.Slope(terrain, {"ground": soil}, rockfall.Options(duration=0.05))
    zero = np.zeros(3)
    case = rockfall.read_case(folder / "case.toml")
    options = {
        "release": None,
        "data": None,
        "workers": 0,
        "scheduler": None,
        "seeds": None,
        "report": False,
        "progress": None,
    }
    return {
        "Barrier": (rockfall.Barrier, {"name": "b", "line": [(0, 0), (1, 0)], "height": 1.0, "capacity": 1e5}),
        "Blocks": (rockfall.Blocks, {"kind": "equant", "volume": 1.0, "axes": (1, 1, 1), "corners": 10}),
        "Blocks points": (rockfall.Blocks, {"kind": "points", "points": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]}),
        "Blocks.make": (rockfall.Blocks(volume=1.0).make, {"seed": 1, "block": 2}),
        "Release": (rockfall.Release, {"points": [(0, 0)], "count": 2}),
        "Release line": (rockfall.Release, {"line": [(0, 0), (1, 1)], "count": 2}),
        "Release polygon": (rockfall.Release, {"polygon": [(0, 0), (1, 1), (0, 1)], "count": 2}),
        "Release table": (rockfall.Release, {"table": "x.csv"}),
        "Release file": (rockfall.Release, {"file": "x.geojson"}),
        "Options": (rockfall.Options, {}),
        "Output": (rockfall.Output, {}),
        "Soil": (rockfall.Soil, {"law": laws.Coulomb(mu=0.5), "restitution": 0.1}),
        "Terrain": (rockfall.Terrain, {"ground": ground, "surface": "ground", "cell": 1.0}),
        "Terrain.height": (terrain.height, {"x": 1.0, "y": 1.0}),
        "Terrain.outside": (terrain.outside, {"x": 1.0, "y": 1.0}),
        "Slope": (rockfall.Slope, {"terrain": terrain, "soils": {"ground": soil}, "options": rockfall.Options(), "barriers": ()}),
        "Slope.place": (
            slope.place,
            {"block": 0, "shape": trundle.Sphere(0.5), "mass": 1.0, "x": 5.0, "y": 5.0, "height": 0.1, "orientation": np.array([1.0, 0, 0, 0]),
             "velocity": zero, "angular_velocity": zero, "key": 0},
        ),
        "Slope.fall": (slope.fall, {"start": slope.place(0, trundle.Sphere(0.5), 1.0, 5.0, 5.0, 0.1, np.array([1.0, 0, 0, 0]), zero, zero)}),
        "Case": (rockfall.Case, {"tables": case.tables, "folder": folder, "data": None, "release": None, "name": "case"}),
        "Case.start": (case.start, {"block": 0}),
        "Case.row": (case.row, {"block": 0}),
        "read_case": (rockfall.read_case, {"file": folder / "case.toml", "data": None, "release": None}),
        "run_study": (rockfall.run_study, {"file": folder / "case.toml", "folder": folder / "study", **options}),
        "calibrate_case": (rockfall.calibrate_case, {"file": folder / "case.toml", "folder": folder / "fit", "data": None, "workers": 0, "progress": None}),
        "make": (
            problems.make,
            {"folder": folder / "library", "count": 0, "seed": 0, "certificates": False, "again": False, "workers": 1, "progress": None},
        ),
        "problems.load": (problems.load, {"folder": folder / "none"}),
        "problems.check": (lambda folder: list(problems.check(folder)), {"folder": folder / "none"}),
        "Campaign": (sweep.Campaign, {"name": "c", "function": "a.py:f", "vary": {"mu": [1.0]}, "folder": folder}),
        "Campaign.points": (
            lambda **given: sweep.Campaign(**given).points(), {"name": "c", "function": "a.py:f", "vary": {"mu": [1.0]}, "seeds": (1,), "method": "grid"},
        ),
        "Range": (sweep.Range, {"place": "mu", "low": 0.1, "high": 0.5, "count": 3}),
        "load_campaign": (sweep.load_campaign, {"file": folder / "campaign.toml"}),
        "make_campaign": (sweep.make_campaign, {"table": {"function": "a.py:f", "vary": {"mu": [1.0]}}, "name": "c", "folder": folder}),
        "run_campaign": (
            sweep.run_campaign,
            {"campaign": sweep.Campaign("c", function="kill_lab.py:nothing", vary={"mu": [1.0]}, folder=Path(__file__).parent), "folder": folder / "sweep",
             "workers": 0, "scheduler": None, "retry": False, "progress": None},
        ),
    }  # fmt: skip


def calls(folder: Path) -> dict[str, Call]:
    """Methods of scenes, simulations and runs, and functions."""
    position = np.random.default_rng(1).random((40, 3))
    run = trundle.simulate(scene(True), 0.03, 0.01, record=folder / "run.h5", progress=False)
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
        "duration": 0.02, "time_step": 0.01, "accuracy": None, "theta": 0.5, "formulation": "exact", "tolerance": 1e-8, "max_iterations": 100,
        "solver": "auto", "record": None, "every": 1, "frames_per_second": None, "seed": 1, "scheme": "moreau-jean", "impact": "newton", "stop": None,
        "keep_problems": False, "save_problems": None, "threads": 1, "progress": None,
    }  # fmt: skip
    joint: dict[str, Any] = {"one": "ball", "other": "other", "position": (0.5, 0, 0), "name": "j", "collide": False}
    spring = {"stiffness": 10.0, "damping": 0.1, "target": 0.1, "limits": (-1.0, 1.0), "restitution": 0.5}
    grown = lambda: trundle.Simulation(scene(True), 0.01)  # noqa: E731
    table: dict[str, Call] = {
        "Scene.add": (method(scene, "add"), {**base, "inertia": None, "motion": None, "group": None, "centre_of_mass": (0, 0, 0), "locked": ()}),
        "Scene.add compound": (
            method(scene, "add"), {"shape": trundle.Compound([trundle.Sphere(0.1), (trundle.Box((1, 1, 1)), (0.5, 0, 0))]), "density": 1e3, "group": "g"},
        ),
        "Scene.ignore": (method(scene, "ignore"), {"one": "ball", "other": "other"}),
        "Scene.surface": (
            method(scene, "surface"),
            {"one": "rock", "other": "soil", "law": laws.Coulomb(mu=0.3), "restitution": 0.5, "ratio": False, "stiffness": None,
             "material": None, "axis": None, "axis_of": None, "rolling": "classical", "rolling_viscosity": 0.0},
        ),
        "Scene.joint": (
            method(scene, "joint"), {**joint, "kind": "hinge", "axis": (0, 1, 0), "motor": 1.0, "max_force": 1.0, "friction": 0.0},
        ),
        "Scene.joint hinge spring": (method(scene, "joint"), {**joint, "kind": "hinge", "axis": (0, 1, 0), **spring}),
        "Scene.joint slider": (method(scene, "joint"), {**joint, "kind": "slider", "axis": (1, 0, 0), **spring}),
        "Scene.joint spring": (
            method(scene, "joint"), {**joint, "kind": "spring", "other_position": (1, 0, 0), **spring, "limits": (0.1, 2.0), "target": 0.5},
        ),
        "Scene.load": (
            method(scene, "load"),
            {"body": "ball", "force": (1, 0, 0), "torque": (0, 0, 0), "point": (0, 0, 0), "frame": "world", "start": 0.0, "end": 1.0},
        ),
        "Scene.emit": (
            method(scene, "emit"),
            {"shape": trundle.Sphere(0.1), "rate": 10.0, "count": 3, "region": region, "density": 2500.0, "mass": None, "name": "e", "seed": 1,
             "surface": "rock", "sizes": trundle.Uniform(0.5, 1.0), "velocity": (0, 0, 0), "angular_velocity": (0, 0, 0), "orientation": "random",
             "start": 0.0, "group": None},
        ),
        "Scene.index": (method(scene, "index"), {"name": "ball"}),
        "simulate": (lambda scene_=None, **given: trundle.simulate(**{"scene": scene(), **given}), options),
        "simulate auto": (
            lambda **given: trundle.simulate(**{"scene": scene(), **given}),
            {**options, "time_step": "auto", "accuracy": 1e-3, "duration": 0.01, "record": "auto.h5"},
        ),
        "simulate history": (
            lambda **given: trundle.simulate(**{"scene": elastic(), **given}), {**options, "formulation": "history", "time_step": 1e-4, "duration": 2e-4},
        ),
        "simulate scene": (lambda scene: trundle.simulate(scene, 0.02, 0.01, progress=False), {"scene": scene()}),
        "Simulation": (trundle.Simulation, {"scene": scene(), "time_step": 0.01, "tolerance": None, "solver": "auto", "record": None, "stop": None,
                                            "keep_problems": False, "save_problems": None, "threads": None, "duration": None}),
        "Simulation.step": (method(grown, "step"), {"n": 1}),
        "Simulation.run": (method(grown, "run"), {"duration": 0.02, "progress": None}),
        "Simulation.load": (method(grown, "load"), {"body": "ball", "force": (1, 0, 0), "torque": (0, 0, 0)}),
        "Simulation.motor": (method(grown, "motor"), {"joint": "axle", "speed": 1.0}),
        "Simulation.remove": (method(lambda: trundle.Simulation(scene(), 0.01), "remove"), {"body": "ball"}),
        "solve": (
            lambda problem_=None, **given: trundle.solve(**{"problem": problem(), **given}),
            {"solver": "gauss-seidel", "tolerance": 1e-8, "max_iterations": 100, "guess": None, "history": False, "progress": None},
        ),
        "solve problem": (lambda problem: trundle.solve(problem, progress=False), {"problem": problem()}),
        "ContactProblem": (
            trundle.ContactProblem,
            {"W": np.eye(3), "q": np.array([-1.0, 0, 0]), "laws": laws.Coulomb(mu=0.5), "formulation": "exact", "compliance": None, "title": "",
             "description": "", "math_info": "", "check": True},
        ),
        "ContactProblem global": (
            trundle.ContactProblem, {"M": np.eye(6), "H": np.eye(6)[:3], "f": np.zeros(6), "b": np.zeros(3), "laws": laws.Coulomb(mu=0.5)},
        ),
        "save_problem": (trundle.save_problem, {"problem": problem(), "path": folder / "p.hdf5"}),
        "load_problem": (trundle.load_problem, {"path": "none"}),
        "load_scene": (trundle.load_scene, {"path": "none"}),
        "dump_scene": (trundle.dump_scene, {"scene": scene(), "options": None, "name_functions": False, "folder": None}),
        "open_recording": (trundle.open_recording, {"path": "none"}),
        "resume": (
            trundle.resume,
            {"recording": folder / "run.h5", "duration": 0.02, "scene": None, "solver": None, "stop": None, "threads": 1, "progress": False, "trust": False},
        ),
    }  # fmt: skip
    for name in ("residual", "body_velocity", "dilatancy", "impulse", "roundoff", "siconos_error", "split", "velocity"):
        table[f"ContactProblem.{name}"] = (method(problem, name), {"x" if name == "split" else "p": np.zeros(3)})
    table["ContactProblem.modes"] = (method(problem, "modes"), {"p": np.zeros(3), "tolerance": 1e-8})
    table |= _measures(position, run)
    for kind, of in (("Run", run), ("Recording", recording)):
        for name in ("position", "orientation", "velocity", "angular_velocity"):
            table[f"{kind}.{name}"] = (getattr(of, name), {"name": "ball"})
        for name in ("joint_force", "joint_torque", "joint_point", "joint_axes", "joint_impulse"):
            table[f"{kind}.{name}"] = (getattr(of, name), {"name": "axle"})
        table[f"{kind}.contact_force"] = (of.contact_force, {"name": "ball", "other": "ground"})
        table[f"{kind}.frame"] = (of.frame, {"i": 0})
        table[f"{kind}.contacts"] = (of.contacts, {"i": 0})
        table[f"{kind}.save"] = (of.save, {"path": folder / f"{kind}.h5", "force": True})
        table[f"{kind}.to_pandas"] = (of.to_pandas, {"table": "bodies"})
        table[f"{kind}.plot"] = (lambda body, of=of: of.plot(body), {"body": "ball"})
    table["Run.problem"] = (run.problem, {"step": -1})
    table["Run.impulses"] = (run.impulses, {"step": -1})
    return table


def elastic() -> trundle.Scene:
    """The scene with springs at its contacts."""
    made = scene()
    for pair in (("rock", "soil"), ("rock", "rock")):
        made.surface(*pair, law=laws.Coulomb(mu=0.3), material=trundle.Hooke(stiffness=1e5, damping=1.0))
    return made


def _measures(position: Any, run: Any) -> dict[str, Call]:
    body, force = np.array([[0, 1], [1, 2]]), np.ones((2, 3))
    grains = {"position": position, "radius": 0.01, "extent": None}
    return {
        "angle_of_repose": (
            measure.angle_of_repose,
            {**grains, "kind": "cone", "sectors": 8, "centre": None, "direction": (1, 0), "ground": 0.0, "toe": 0.2, "apex": 0.2},
        ),
        "pile_height": (measure.pile_height, {**grains, "ground": 0.0}),
        "base_radius": (measure.base_radius, {**grains, "ground": None, "tolerance": 0.1}),
        "run_out": (measure.run_out, {"position": position, "radius": 0.01, "origin": (0, 0), "share": 0.9}),
        "settled": (measure.settled, {"velocity": position, "radius": 0.01, "gravity": 9.81}),
        "coordination": (measure.coordination, {"body": body, "grain": np.array([0, 1, 2]), "normal_force": np.ones(2)}),
        "fabric": (measure.fabric, {"normal": force / 3**0.5, "weight": np.ones(2)}),
        "force_chains": (
            measure.force_chains,
            {"grain": np.array([0, 1, 2]), "position": position[:3], "body": body, "point": position[:2], "force": force, "angle": 45.0},
        ),
        "force_distribution": (measure.force_distribution, {"normal_force": np.ones(5), "bins": 3}),
        "measure_all": (measure.measure_all, {"run": run, "names": ["energy"], "number": -1, "options": None}),
        "mode_fractions": (measure.mode_fractions, {"mode": ["stick", "slide"]}),
        "stopping": (measure.stopping, {"time": np.arange(3.0), "position": position[:3], "speed": np.array([1.0, 0, 0]), "threshold": 1e-6}),
        "Snapshot": (measure.Snapshot, {"run": run, "number": -1}),
    }  # fmt: skip


def table_of_calls(folder: Path) -> dict[str, Call]:
    """All of them, with their defaults; an error where one is not right with its own arguments, or a public name is missing."""
    found = {**rockfalls(folder), **constructors(), **calls(folder)}
    table = {name: (function, {**_defaults(function), **given}) for name, (function, given) in found.items()}
    wrong = [name for name, call in table.items() if not works(call)]
    assert not wrong, f"these calls are not right with their own arguments: {wrong}"
    rooms = (trundle, laws, measure, stop, rockfall, problems, sweep)
    public = {name for room in rooms for name in room.__all__ if not _is_error(getattr(room, name))}
    missing = public - ANSWERS - {name.split(" ")[0].split(".")[0] for name in table} - {"Simulation"}
    assert not missing, f"no calls of {sorted(missing)}"
    return table


def _is_error(thing: Any) -> bool:
    return isinstance(thing, type) and issubclass(thing, BaseException)


def _defaults(function: Callable[..., Any]) -> dict[str, Any]:
    parameters = inspect.signature(function).parameters.values()
    return {
        p.name: p.default for p in parameters
        if p.default is not p.empty and p.kind is not p.VAR_KEYWORD and p.name not in ("scene_", "problem_", "of") and type(p.default).__name__ != "_HAS_DEFAULT_FACTORY_CLASS"
    }  # fmt: skip


def works(call: Call) -> bool:
    """Whether the call is right with its own arguments: those that are not are of no use here."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call[0](**call[1])
    except TrundleError:
        return True
    return True
