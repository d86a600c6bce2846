"""Contact problems of the steps of a run that are worth another look: kept, or written as files."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle import output
from trundle.contact.problem import ContactProblem
from trundle.errors import SceneError, unknown
from trundle.laws.base import Law
from trundle.step.report import STEP_TYPE, StepReport

Array = NDArray[np.float64]
COLUMNS = STEP_TYPE.names or ()
COMPARED = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}  # fmt: skip
COMBINED = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
LONGEST = 1000  # characters of an expression
DEEPEST = 50  # levels of it

Row = Any  # of the table `steps`, by names of columns


def row_condition(text: str) -> Callable[[Row], bool]:
    """A condition on a row of the table `steps`, such as "iterations > 1000 or not converged".

    Columns, numbers, comparisons, + - * /, and, or, not; nothing else is understood, so that nothing else can happen.
    """
    try:
        if len(text) > LONGEST:
            raise SyntaxError("too long")
        value = _compiled(ast.parse(text.strip(), mode="eval").body, text, 0)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else error
        raise SceneError(f"condition {text[:LONGEST]!r}: is no expression ({reason}). {_advice()}") from None

    def happened(row: Row) -> bool:
        try:
            return bool(value(row))
        except (ZeroDivisionError, OverflowError):
            return False

    return happened


def _advice() -> str:
    return f"Compare columns with numbers, e.g. 'iterations > 1000'. Columns: {', '.join(COLUMNS)}."


def _compiled(node: ast.expr, text: str, depth: int) -> Callable[[Row], Any]:
    if depth > DEEPEST:
        raise ValueError("too deep")

    def part(one: ast.expr) -> Callable[[Row], Any]:
        return _compiled(one, text, depth + 1)

    match node:
        case ast.Constant(value=bool() | int() | float() as value):
            number = float(value)
            return lambda row: number
        case ast.Name(id=name):
            if name not in COLUMNS:
                raise SceneError(f"condition {text!r}: " + unknown("column", name, COLUMNS))
            return lambda row: float(row[name])
        case ast.BoolOp(op=op, values=values):
            parts, join = [part(one) for one in values], any if isinstance(op, ast.Or) else all
            return lambda row: join(one(row) for one in parts)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = part(operand)
            return lambda row: not inner(row)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = part(operand)
            return lambda row: -inner(row)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in COMBINED:
            a, b, combine = part(left), part(right), COMBINED[type(op)]
            return lambda row: combine(a(row), b(row))
        case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in COMPARED for op in ops):
            terms, compare = [part(left), *(part(one) for one in others)], [COMPARED[type(op)] for op in ops]
            return lambda row: all(f(terms[i](row), terms[i + 1](row)) for i, f in enumerate(compare))
    raise SceneError(f"condition {text!r}: {ast.unparse(node)!r} is not understood. {_advice()}")


class Problems:
    """Keeps the contact problems of chosen steps, and the impulses that were found; writes them, if there is a folder.

    when: True for all steps, an expression (`row_condition`), or a function of a row of the table `steps`.
    """

    def __init__(self, when: Any, folder: Path | None = None) -> None:
        self.folder = folder
        self.kept: dict[int, tuple[ContactProblem, Array]] = {}
        if isinstance(when, str):
            self._wanted = row_condition(when)
        elif callable(when):
            self._wanted = when
        elif isinstance(when, (bool, np.bool_)):
            self._wanted = lambda row: bool(when)
        else:
            raise SceneError(
                f"simulate: keep_problems = {when!r}: give True, a condition such as 'iterations > 1000', or a function of a "
                "row of the table steps."
            )

    def check(self, laws: Sequence[Law], formulation: str) -> None:
        """Raise at the start of a run if its problems cannot be kept, or not be written."""
        if formulation == "history":
            raise SceneError("simulate: keep_problems: formulation = 'history' solves no contact problems.")
        if self.folder is None:
            return
        from trundle.contact.fclib_writing import check_laws

        if formulation != "exact":
            raise SceneError(
                f"simulate: save_problems: FCLIB has no place for formulation = {formulation!r}, only for 'exact'."
            )
        check_laws(laws, self.folder)
        output.make_folder(self.folder, f"save_problems = {str(self.folder)!r}")

    def look(self, number: int, row: Row, report: StepReport) -> None:
        """Keep the problem of a step, the number-th row of the table `steps`, if it is wanted."""
        if not len(report.contacts) or not self._wanted(row):
            return
        problem, p = report.problem
        if self.folder is None:
            self.kept[number] = problem, p
            return
        from trundle.contact.fclib_writing import write_fclib

        contacts = sum(law.d * n for law, n in zip(problem.laws, problem.counts, strict=True) if "n" in law.rows)
        y = problem.velocity(p)
        solution = {"u": y[:contacts], "r": p[:contacts]}
        if contacts < len(p):
            solution["l"] = p[contacts:]
        write_fclib(problem, self.folder / f"step-{number:06d}.hdf5", solution=solution)
