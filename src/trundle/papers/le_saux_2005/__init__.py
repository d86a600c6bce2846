"""Le Saux, Leine & Glocker (2005): a disk that rolls, slides, spins, falls flat and stops in finite time."""

from __future__ import annotations

from trundle.papers.report import Progress, Report

TITLE = "Le Saux, Leine & Glocker (2005): Dynamics of a rolling disk in the presence of dry friction"
PARTS = {
    "case-1": "Coulomb friction, figure 4",
    "case-2": "Coulomb and contour friction, figures 5 and 10",
    "case-3": "Coulomb-Contensou friction, figure 6",
    "case-4": "Coulomb-Contensou and contour friction, figure 7",
    "decay": "energy decay of pure rolling, figure 9 and the exponents of section 6",
    "convergence": "error against the smooth equations of rolling, both schemes",
    "step-size": "what converges as the time step goes to zero, down to 2.5e-5 s",
}


def reproduce(report: Report, part: str, quick: bool, progress: Progress, *, time_step: float | None = None) -> None:
    """Add a part of the paper to the report; time_step [s] is 1e-4 in the paper."""
    from trundle.papers.le_saux_2005.claims import report_case, report_data
    from trundle.papers.le_saux_2005.convergence import report_order, report_step_sizes
    from trundle.papers.le_saux_2005.decay import report_decay

    h = 1e-4 if time_step is None else time_step
    if part == "decay":
        report_decay(report, quick, progress)
    elif part == "convergence":
        report_order(report, quick, progress)
    elif part == "step-size":
        report_step_sizes(report, quick, progress)
    else:
        report_case(report, int(part[-1]), h, quick, progress)
        report_data(report)
        report.remark(
            'Section 4 with the scheme of section 3 (`scheme="moreau-midpoint"`) and with our default one, time step '
            f"{h:g} s" + (", durations cut short (`--quick`)." if quick else ".")
        )
    report.remark(
        "beta is measured from the vertical. The friction ball is the exact one of a Hertzian pressure; (2.31) is its "
        "truncated series. Closed forms of section 5 are the corrected ones of `trundle.analytic.disk`."
    )
