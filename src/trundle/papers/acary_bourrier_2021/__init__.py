"""Acary & Bourrier (2021): Coulomb friction with rolling resistance as a cone complementarity problem."""

from __future__ import annotations

from trundle.papers.report import Progress, Report

TITLE = "Coulomb friction with rolling resistance as a cone complementarity problem"
PARTS = {
    "figure-2": "how far a sphere rolls, over mu and mu_r, beside the closed form",
    "figure-3": "position, velocities and forces of a sphere in three cases, with the phase transitions",
    "figure-4": "final piles of 250 spheres, from the side and from above",
    "figure-5": "height and mean radius of the piles over mu_r for three mu, several seeds: hours, resumable",
}
CAMPAIGNS = ("figure-5",)


def reproduce(report: Report, part: str, quick: bool, progress: Progress, time_step: float | None = None) -> None:
    """Add a part of the paper to the report; time_step [s] is that of figure 3."""
    from trundle.papers.acary_bourrier_2021 import pile, sphere

    if part == "figure-2":
        sphere.figure_2(report, quick, progress)
    elif part == "figure-3":
        sphere.figure_3(report, time_step or (1e-3 if quick else 1e-4))
    elif part == "figure-4":
        pile.figure_4(report, quick, progress)
    else:
        pile.figure_5(report, quick, progress)
