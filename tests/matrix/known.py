"""Cells of the matrix that are known to be wrong, and why.  Delete an entry together with its defect."""

from __future__ import annotations

from collections.abc import Callable

from axes import Case

ACCELERATES = "test_a_body_above_its_angle_of_friction_accelerates_as_the_law_says"
STAYS = "test_a_body_below_its_angle_of_friction_stays"
STOPS = "test_a_sliding_body_stops_where_the_closed_form_says"


def _new_keys_on_triangles(case: Case, test: str) -> bool:
    flat_on_triangles = ("mesh" in case.ground or "field" in case.ground) and not case.it.rolls
    rims = case.body in ("a standing cylinder", "a lying disk") and "Contensou" in case.law
    forgets = case.how.formulation == "history" or (case.how.formulation == "compliant" and rims)
    crosses = test == ACCELERATES or (test == STOPS and case.body == "a lying disk" and "seam" in case.ground)
    return flat_on_triangles and forgets and crosses


def _new_keys_of_rims(case: Case, test: str) -> bool:
    soft = case.how.formulation in ("compliant", "history")
    on_box = case.body == "an upright disk" and case.ground in ("a fixed box", "a belt")
    return soft and on_box and test in (ACCELERATES, STAYS)


def _missed_tolerance(case: Case, test: str) -> bool:
    several = case.body == "a standing cylinder" and case.law == "Contensou times rolling friction"
    return several and case.how.formulation == "exact" and test == STOPS


DEFECTS: dict[str, Callable[[Case, str], bool]] = {
    "a contact that slides over the edge of a triangle gets another key: its friction spring starts again at 0": (
        _new_keys_on_triangles
    ),
    "the key of the point of a rim on a box changes by rounding: its springs start again at 0": _new_keys_of_rims,
    "the step in which eight contacts with Contensou and rolling friction stop misses its tolerance": _missed_tolerance,
}


def defect(case: Case, test: str) -> str | None:
    """Why the case may fail in a test, or None."""
    return next((reason for reason, has in DEFECTS.items() if has(case, test)), None)
