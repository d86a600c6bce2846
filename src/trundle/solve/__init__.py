"""Solvers of contact problems."""

from trundle.solve.api import SOLVERS, solve, solver_named
from trundle.solve.base import Solver
from trundle.solve.solution import ContactSolution

__all__ = ["SOLVERS", "ContactSolution", "Solver", "solve", "solver_named"]
