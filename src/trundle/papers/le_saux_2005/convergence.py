"""How the time stepping converges: against the smooth equations of rolling, and the stops of cases 2 and 4."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from trundle.analytic.disk import RollingFriction
from trundle.papers.le_saux_2005 import figures
from trundle.papers.le_saux_2005.cases import DISK, MU_CONTOUR, OURS, PAPERS, build_scene, run_case, start
from trundle.papers.report import Report
from trundle.run.simulate import simulate

Tell = Callable[[str, float], None]
SCHEMES = (PAPERS, OURS)
ORDERS = {PAPERS: "first order: 2", OURS: "second order: 4"}
UNTIL = 2.0  # s: case 2 rolls without sliding for much longer


def errors(scheme: str, steps: tuple[float, ...], until: float = UNTIL) -> list[float]:
    """Largest error of the centre [m] of case 2 until a time [s], for several time steps [s]."""
    reference = DISK.roll(start(), until, RollingFriction(contour=MU_CONTOUR))
    found = []
    for h in steps:
        run = simulate(build_scene(2), until, h, scheme=scheme, every=max(1, round(0.1 / h)), tolerance=1e-10)
        found.append(float(np.abs(run.position("disk") - reference.position(run.time)).max()))
    return found


def report_order(report: Report, quick: bool, tell: Tell) -> None:
    """Order at early times, of the paper's scheme and of ours."""
    steps = (4e-4, 2e-4, 1e-4) if quick else (4e-4, 2e-4, 1e-4, 5e-5, 2.5e-5)
    curves: dict[str, tuple[Any, Any]] = {}
    for k, scheme in enumerate(SCHEMES):
        tell(scheme, k / len(SCHEMES))
        found = errors(scheme, steps)
        curves[scheme] = (np.array(steps), np.array(found))
        ratio = found[-2] / found[-1]
        report.add_ours(
            f"convergence, {scheme}: factor on the error when the time step is halved",
            "section 3",
            ours=ratio,
            note=f"{ORDERS[scheme]}. Case 2 until {UNTIL:g} s, at {steps[-1]:g} s",
        )
        report.add_ours(
            f"convergence, {scheme}: error of the centre at h = 1e-4 s",
            "section 3",
            unit="m",
            ours=found[steps.index(1e-4)],
            note="against the smooth equations integrated to 1e-12",
        )
    report.figure(
        figures.draw_convergence(curves), "convergence", "Error against the smooth equations of rolling, both schemes"
    )


def report_step_sizes(report: Report, quick: bool, tell: Tell) -> None:
    """Stops of cases 2 and 4 for smaller and smaller time steps."""
    plan = (
        {4: (16.0, (4e-4, 2e-4))}
        if quick
        else {4: (16.0, (2e-4, 1e-4, 5e-5, 2.5e-5)), 2: (80.0, (2e-4, 1e-4, 5e-5, 2.5e-5))}
    )
    total = sum(len(steps) for _, steps in plan.values()) * len(SCHEMES)
    done = 0
    for case, (duration, steps) in plan.items():
        for scheme in SCHEMES:
            stops, places = [], []
            for h in steps:
                tell(f"case {case}, {scheme}, h = {h:g} s", done / total)
                series = run_case(case, duration, h, scheme)
                stops.append(series.stop)
                places.append(series.position[-1, :2].tolist())
                done += 1
            report.add_ours(
                f"step size, case {case}, {scheme}: stop",
                f"section 4.{case}",
                ours=stops,
                unit="s",
                note=f"for h = {', '.join(f'{h:g}' for h in steps)} s; {_settles(stops)}",
            )
            report.add_ours(
                f"step size, case {case}, {scheme}: where it stops",
                f"section 4.{case}",
                ours=places,
                unit="m",
                note=f"for the same time steps; {_settles(places)}",
            )


def _settles(values: list[Any]) -> str:
    """Whether halving the time step changes a value less and less, in words."""
    changes = np.linalg.norm(np.diff(np.array(values, float).reshape(len(values), -1), axis=0), axis=1)
    if not np.all(np.isfinite(changes)) or len(changes) < 2:
        return "too few stops to tell whether it converges"
    verdict = "converges" if np.all(changes[1:] < 0.8 * changes[:-1]) else "does not converge in this range"
    return f"{verdict}: halvings change it by {', '.join(f'{change:.2g}' for change in changes)}"
