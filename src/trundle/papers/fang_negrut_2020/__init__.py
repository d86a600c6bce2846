"""Fang & Negrut (2020): friction loads by tracking the contact point on both bodies."""

from __future__ import annotations

from trundle.papers.report import Progress, Report

TITLE = "Producing 3D friction loads by tracking the motion of the contact point on bodies in mutual contact"
PARTS = {
    "brick": "brick on an incline: damping, three angles (section 4.1)",
    "disk": "disk rolling to a stop: damping study, legacy model (section 4.2)",
    "incline": "sphere up an incline, four phases (section 4.3, figure 9)",
    "phases": "phase diagram of 9,021 simulations with its analytic borders, two dampings (section 4.3, figure 10)",
    "spin": "spinning spheres: heuristic, sensitivity, Hertzian materials (section 4.4)",
    "ellipsoid": "ellipsoid falling over and spinning (section 4.5, table 7)",
    "stack": "three spheres stacked: critical mass of the top one (section 4.6, figure 13)",
}

MODULES = {"ellipsoid": "bodies"}


def reproduce(report: Report, part: str, quick: bool, progress: Progress) -> None:
    """Add an experiment to the report; `quick` runs coarser grids and shorter series of the same experiments."""
    from importlib import import_module

    report.remark(
        "g = 9.8 m/s² and h = 1e-4 s as in the paper. Its prescribed normal forces are `GivenForce`; where it says "
        "Hooke or Hertz, that is simulated. Damping acts in stick mode only (the paper's conclusions). Beside the "
        "history results stand those of the nonsmooth `exact` formulation where both make sense; `exact` has one "
        "coefficient of friction, the kinetic one."
    )
    import_module(f"{__name__}.{MODULES.get(part, part)}").run(report, quick, progress)
