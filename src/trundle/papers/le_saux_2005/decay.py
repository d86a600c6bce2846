"""Energy decay of pure rolling from stationary motion: section 5.5, figure 9 and the exponents of section 6."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from trundle import laws
from trundle.analytic.disk import PIVOT_TORQUE, Decay
from trundle.papers.le_saux_2005 import figures
from trundle.papers.le_saux_2005.cases import DISK, GRAVITY, MASS, MU, PATCH, RADIUS, series_of
from trundle.papers.report import Report
from trundle.scene.scene import Scene
from trundle.scene.shapes import Disk, HalfSpace

TILT = 0.08  # rad from flat at the start: A.4 holds to about its square
STICKS = 20.0  # friction coefficient at which the contact never slides
COEFFICIENTS = {  # so that the disk loses most of its energy within about 2 s
    "dry-contour": 3e-4,
    "viscous-contour": 2e-4,
    "dry-rolling": 4e-4,
    "viscous-rolling": 1.5e-4,
}
EQUATIONS = {
    "dry-contour": "(5.38)",
    "viscous-contour": "(5.41)",
    "dry-rolling": "(5.47)",
    "viscous-rolling": "(5.50)",
}


def stationary_scene(dissipation: str, coefficient: float) -> Scene:
    """A disk in stationary rolling (5.13)-(5.15), TILT from flat, that loses energy by one mechanism only."""
    beta = 0.5 * math.pi - TILT
    alpha, gamma = DISK.stationary_rolling(beta)
    scene = Scene(gravity=(0.0, 0.0, -GRAVITY))
    # frame K: e_x = x, e_y = axis; the body frame has its z-axis along e_y, turned about x
    turn = 0.5 * TILT
    axis = np.array([0.0, math.cos(beta), math.sin(beta)])
    omega = alpha * np.array([0.0, 0.0, 1.0]) + gamma * axis
    scene.add(
        Disk(radius=RADIUS),
        name="disk",
        mass=MASS,
        position=(0.0, 0.0, RADIUS * math.cos(beta)),
        orientation=(math.cos(turn), -math.sin(turn), 0.0, 0.0),
        angular_velocity=omega,
        surface="disk",
    )
    scene.add(HalfSpace(normal=(0.0, 0.0, 1.0)), name="table", fixed=True, surface="table")
    law: Any = laws.Coulomb(mu=STICKS)
    viscous = coefficient if dissipation.startswith("viscous") else 0.0
    if not viscous:
        law = law * laws.Roll(mu_r=coefficient)
    rolling = "contour" if dissipation.endswith("contour") else "classical"
    scene.surface("disk", "table", law=law, rolling=rolling, rolling_viscosity=viscous)
    return scene


def decay_run(dissipation: str, h: float) -> tuple[Any, Any, Decay]:
    """Time [s], energy [J] and the law of a simulation until a tenth of the energy is left."""
    coefficient = COEFFICIENTS[dissipation]
    decay = DISK.decay(dissipation, coefficient, float(DISK.stationary_energy(0.5 * math.pi - TILT)))
    times = np.linspace(0.0, 20.0, 20001)
    duration = float(times[np.argmax(decay.energy(times) < 0.1 * decay.start)])
    series = series_of(stationary_scene(dissipation, coefficient), duration, h, "moreau-midpoint", mu=STICKS)
    return series.time, series.energy, decay


def fitted_power(time: Any, energy: Any, pieces: int = 24) -> float:
    """Power p of dE/dt = -a E^p: slope of log(-dE/dt) over log(E), from differences over `pieces` equal parts of the time."""
    t = np.linspace(time[0], time[-1], pieces + 1)
    e = np.interp(t, time, energy)
    return float(np.polyfit(np.log(np.sqrt(e[1:] * e[:-1])), np.log(-np.diff(e)), 1)[0])


def report_decay(report: Report, quick: bool, tell: Callable[[str, float], None]) -> None:
    """Simulate, fit and compare all four laws of pure rolling; state the exponents of all mechanisms."""
    h = 1e-4 if quick else 2.5e-5
    curves: dict[str, tuple[Any, Any, Any]] = {}
    for k, name in enumerate(COEFFICIENTS):
        tell(name, k / len(COEFFICIENTS))
        time, energy, decay = decay_run(name, h)
        scale = decay.end if math.isfinite(decay.end) else 1.0 / decay.a
        curves[name] = (time / scale, energy, decay.energy(time))
        theory, found = 1.0 / (1.0 - decay.power) if decay.power != 1.0 else math.inf, fitted_power(time, energy)
        if math.isinf(theory):
            report.compare(
                f"decay, {name}: dE/dt ~ -E",
                f"section 5.5, {EQUATIONS[name]}",
                paper=1.0,
                ours=found,
                tolerance=0.03,
                note="power of E, simulated from stationary rolling without slip",
            )
        else:
            report.compare(
                f"decay, {name}: E ~ (t_f - t)^k",
                f"section 5.5, {EQUATIONS[name]}",
                paper=theory,
                ours=1.0 / (1.0 - found),
                tolerance=0.03 * theory,
                note="exponent k = 1 / (1 - p) from the fitted power p of dE/dt ~ -E^p, simulated from stationary rolling",
            )
        half = len(time) // 2
        lost = (energy[0] - energy[half]) / (decay.start - float(decay.energy(time[half])[0]))
        report.compare(
            f"decay, {name}: energy lost in {time[half]:.2f} s, simulated per law",
            "section 5.5",
            paper=1.0,
            ours=float(lost),
            tolerance=0.03,
            note="constant a in corrected form",
        )
    start = float(DISK.stationary_energy(0.5 * math.pi - TILT))
    pivot = DISK.decay("contensou", MU, start, patch_radius=PATCH)
    times = np.linspace(0.0, 2.3, 200)
    unit = 1.0 / (pivot.a * math.sqrt(start))
    curves["contensou"] = (times, None, pivot.energy(times * unit))
    report.figure(
        figures.draw_decay(curves), "figure-9", "Figure 9: energy decay for contour, classical and Contensou friction"
    )
    for name, n in (("dry-contour", 3), ("viscous-contour", 4), ("dry-rolling", 1)):
        ours = DISK.decay(name, 1e-3, start).exponent
        report.compare(
            f"n of alpha' ~ (t_f - t)^(-1/n), {name}", "section 6, (6.2)", paper=n, ours=ours, tolerance=1e-12
        )
    for name in ("viscous-rolling", "contensou"):
        end = DISK.decay(name, 1e-3, start, patch_radius=PATCH).end
        report.judge(
            f"{name}: the energy tends to zero without reaching it",
            "section 5.5",
            paper="asymptotic",
            ours=end,
            unit="s",
            agrees=math.isinf(end),
        )
    report.compare(
        "largest pivoting torque per mu N epsilon in (5.52)",
        "section 5.5.3",
        paper=3.0 * math.pi / 16.0,
        ours=PIVOT_TORQUE,
        tolerance=1e-12,
        note="that of a Hertzian pressure; a parabolic one has 8/15",
    )
