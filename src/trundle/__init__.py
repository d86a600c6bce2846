"""trundle: rigid bodies that slide, roll and spin against each other."""

from trundle import laws
from trundle.contact import ContactProblem, load_problem, save_problem
from trundle.errors import (
    LawError,
    ProblemError,
    SceneError,
    SimulationError,
    SolverError,
    TrundleError,
    TrundleWarning,
)
from trundle.scene import Box, HalfSpace, Scene, Sphere
from trundle.simulate import Run, simulate
from trundle.solve import ContactSolution, solve

__version__ = "0.1.0"

__all__ = [
    "Box",
    "ContactProblem",
    "ContactSolution",
    "HalfSpace",
    "LawError",
    "ProblemError",
    "Run",
    "Scene",
    "SceneError",
    "SimulationError",
    "SolverError",
    "Sphere",
    "TrundleError",
    "TrundleWarning",
    "laws",
    "load_problem",
    "save_problem",
    "simulate",
    "solve",
]
