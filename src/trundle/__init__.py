"""trundle: rigid bodies that slide, roll and spin against each other."""

from trundle import interrupts, memory_limit

if interrupts.is_command():
    interrupts.take_over(begun=False)  # importing the rest takes long enough for a Ctrl-C
    memory_limit.check()

from trundle import compilation, kernel_cache

kernel_cache.install()  # before any kernel is imported
compilation.hasten()
memory_limit.load_algebra()
memory_limit.watch_compilation()

from trundle import laws
from trundle.contact import ContactProblem, load_problem, save_problem
from trundle.errors import (
    DamageError,
    DiskError,
    LawError,
    ProblemError,
    RecordingError,
    SceneError,
    SimulationError,
    SolverError,
    TrundleError,
    TrundleWarning,
)
from trundle.record import Recording, open_recording
from trundle.run import stop
from trundle.run.result import Run
from trundle.run.simulate import resume, simulate
from trundle.run.simulation import Simulation
from trundle.scene import (
    Box,
    BoxRegion,
    Capsule,
    Choice,
    Clump,
    Compound,
    Cone,
    ConeInside,
    Cylinder,
    CylinderInside,
    CylinderRegion,
    Disk,
    Ellipsoid,
    Grading,
    HalfSpace,
    HeightField,
    Mesh,
    Normal,
    Oscillation,
    Polyhedron,
    Scene,
    Sphere,
    SphereInside,
    Steady,
    Table,
    TorusInside,
    Uniform,
    dump_scene,
    grid,
    load_scene,
)
from trundle.scene.fields import CentralSpring, Drag, LinearField
from trundle.scene.materials import GivenForce, Hertz, HertzMindlin, Hooke
from trundle.scene.restitution import PowerRestitution, TableRestitution, ThresholdRestitution
from trundle.solve import ContactSolution, solve

__version__ = "0.2.0"

__all__ = [
    "Box",
    "BoxRegion",
    "Capsule",
    "CentralSpring",
    "Choice",
    "Clump",
    "Compound",
    "ContactProblem",
    "ContactSolution",
    "Cone",
    "ConeInside",
    "Cylinder",
    "CylinderInside",
    "CylinderRegion",
    "DamageError",
    "DiskError",
    "Disk",
    "Drag",
    "Ellipsoid",
    "GivenForce",
    "Grading",
    "HalfSpace",
    "HeightField",
    "Hertz",
    "HertzMindlin",
    "Hooke",
    "LawError",
    "LinearField",
    "Mesh",
    "Normal",
    "Oscillation",
    "Polyhedron",
    "PowerRestitution",
    "ProblemError",
    "Recording",
    "RecordingError",
    "Run",
    "Scene",
    "SceneError",
    "Simulation",
    "SimulationError",
    "SolverError",
    "Sphere",
    "SphereInside",
    "Steady",
    "Table",
    "TableRestitution",
    "ThresholdRestitution",
    "TorusInside",
    "TrundleError",
    "TrundleWarning",
    "Uniform",
    "dump_scene",
    "grid",
    "laws",
    "load_problem",
    "load_scene",
    "open_recording",
    "resume",
    "save_problem",
    "simulate",
    "solve",
    "stop",
]
