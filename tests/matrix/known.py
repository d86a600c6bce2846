"""Cells of the matrix that are known to be wrong, and why.  Delete an entry together with its defect."""

from __future__ import annotations

from collections.abc import Callable

from axes import Case

STOPS = "test_a_sliding_body_stops_where_the_closed_form_says"


def _missed_tolerance(case: Case, test: str) -> bool:
    several = case.body == "a standing cylinder" and case.law == "Contensou times rolling friction"
    return several and case.how.formulation == "exact" and test == STOPS


DEFECTS: dict[str, Callable[[Case, str], bool]] = {
    "the step in which eight contacts with Contensou and rolling friction stop misses its tolerance": _missed_tolerance,
}


def defect(case: Case, test: str) -> str | None:
    """Why the case may fail in a test, or None."""
    return next((reason for reason, has in DEFECTS.items() if has(case, test)), None)
