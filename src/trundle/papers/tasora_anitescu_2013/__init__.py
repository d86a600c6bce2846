"""Tasora & Anitescu (2013): a complementarity-based rolling friction model for rigid contacts."""

from __future__ import annotations

from trundle.papers.report import Progress, Report

TITLE = "A complementarity-based rolling friction model for rigid contacts"
PARTS = {
    "disk": "a rolling disk against the analytic line, and the gap that the relaxation opens (section 6.1)",
    "guideway": "a linear guideway with 36 balls against F_x = zeta F_y + S (section 6.2)",
    "repose": "angle of repose over the rolling friction coefficient, 1,000 grains, exact and relaxed (figure 13)",
    "repose-10000": "the same with the paper's 10,000 grains, exact: hours, resumable; only when asked for",
    "repose-10000-relaxed": "and in the paper's own, relaxed formulation; only when asked for",
}

SHORT = [0.0, 0.002, 0.01]  # rho [m]
ON_REQUEST = ("repose-10000", "repose-10000-relaxed")
CAMPAIGNS = ("repose", *ON_REQUEST)
BOTH = ("exact", "relaxed")


def reproduce(report: Report, part: str, quick: bool, progress: Progress) -> None:
    """Add a part of the paper to the report."""
    from trundle.papers.tasora_anitescu_2013 import disk, guideway, pile

    if part == "disk":
        disk.section_6_1(report, quick)
    elif part == "guideway":
        guideway.section_6_2(report, quick, progress)
    elif part == "repose":
        grains, rho, seeds = (400, SHORT, 1) if quick else (1000, pile.RHO, 2)
        pile.figure_13(report, progress, grains, rho, seeds=seeds, formulations=BOTH)
    else:
        formulation = BOTH[part.endswith("relaxed")]
        pile.figure_13(report, progress, 10_000, SHORT if quick else pile.RHO, formulations=(formulation,))
