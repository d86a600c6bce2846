"""Contact problems, their residual, and the files that hold them."""

from trundle.contact.files import load_problem, save_problem
from trundle.contact.problem import ContactProblem

__all__ = ["ContactProblem", "load_problem", "save_problem"]
