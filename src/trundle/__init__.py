"""trundle: rigid bodies that slide, roll and spin against each other."""

from trundle import laws
from trundle.contact import ContactProblem, load_problem, save_problem
from trundle.errors import LawError, ProblemError, SolverError, TrundleError, TrundleWarning
from trundle.solve import ContactSolution, solve

__version__ = "0.1.0"

__all__ = [
    "ContactProblem",
    "ContactSolution",
    "LawError",
    "ProblemError",
    "SolverError",
    "TrundleError",
    "TrundleWarning",
    "laws",
    "load_problem",
    "save_problem",
    "solve",
]
