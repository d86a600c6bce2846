"""Hjiaj, Feng, de Saxcé & Mróz (2004): friction that differs from direction to direction.

The paper shows the law; its announced computations are not in it.  They are here: a block that slides, one on an incline,
and a sphere on an anisotropic floor, each against a reference of its own.
"""

from __future__ import annotations

from trundle.papers.report import Progress, Report

TITLE = "On the modelling of complex anisotropic frictional contact laws"
PARTS = {
    "law": "friction conditions, sliding potentials, directions (figures 3, 4, 7, 8), and the corrected formulas",
    "bipotential": "its inequality, and equality for pairs that obey the law (eqs. (62)-(64))",
    "sliding": "a block that slides on an orthotropic floor: path and stop point",
    "incline": "a box on an anisotropic incline: when it slips, and where to",
    "rolling": "a sphere thrown onto an anisotropic floor",
}


def reproduce(report: Report, part: str, quick: bool, progress: Progress) -> None:
    """Add a part of the paper to the report."""
    from trundle.papers.hjiaj_2004 import experiments, figures

    parts = {
        "law": figures.law, "bipotential": figures.bipotential, "sliding": experiments.sliding,
        "incline": experiments.incline, "rolling": experiments.rolling,
    }  # fmt: skip
    parts[part](report, quick)
