"""Cells of the matrix that are known to be wrong, and why.  Delete an entry together with its defect."""

from __future__ import annotations

from axes import Case


def _soft(case: Case) -> bool:
    return case.how.formulation in ("compliant", "history")


def _triangles(case: Case) -> bool:
    return "mesh" in case.ground or "field" in case.ground


DEFECTS = {
    "a contact that slides over the edge of a triangle gets another key, and its friction spring starts again at 0": (
        lambda case: _soft(case) and _triangles(case) and not case.it.rolls
    ),
    "the key of the point of a rim on a box changes from step to step by rounding, and its springs start again at 0": (
        lambda case: _soft(case) and case.body == "an upright disk" and case.ground in ("a fixed box", "a belt")
    ),
}


def defect(case: Case) -> str | None:
    """Why the case may fail, or None."""
    return next((reason for reason, has in DEFECTS.items() if has(case)), None)
