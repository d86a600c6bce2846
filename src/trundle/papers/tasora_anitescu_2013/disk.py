"""Section 6.1: a rolling disk, and the gap that the relaxation opens.

R = 1 m, M = 10 kg, J = 4 kg m^2 (that of a solid sphere, which it is here), v = 1 m/s, omega = 1 rad/s, rho = 0.02 m, mu = 0.9,
g = 9.8 m/s^2.  The torque M g rho slows it by M g rho R / (J + M R^2) = 0.14 m/s^2: v = 1 - 0.14 t, stop at 50/7 s, 25/7 m.

In the relaxed scheme a closed contact keeps Phi / h + u_n = A_r, eq. (28): with the position moved by the new velocity
(theta = 1) the gap at the end of a step is h (mu |u_T| + rho |omega_T| + sigma |omega_n|), exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from numpy.typing import NDArray

from trundle import HalfSpace, Run, Scene, Sphere, laws, simulate
from trundle.papers.report import Report

Array = NDArray[np.float64]
RADIUS, MASS, GRAVITY, MU, RHO = 1.0, 10.0, 9.8, 0.9, 0.02
DECELERATION, STOP_TIME, STOP_DISTANCE = 0.14, 50.0 / 7.0, 25.0 / 7.0


def scene(gap: float = 0.0) -> Scene:
    """The disk at a gap [m] above the plane."""
    made = Scene(gravity=(0.0, 0.0, -GRAVITY))
    made.add(
        Sphere(radius=RADIUS), name="disk", mass=MASS, position=(0.0, 0.0, RADIUS + gap), velocity=(1.0, 0.0, 0.0),
        angular_velocity=(0.0, 1.0, 0.0), surface="disk",
    )  # fmt: skip
    made.add(HalfSpace(normal=(0, 0, 1)), name="plane", fixed=True, surface="plane")
    made.surface("disk", "plane", law=laws.SlideRollSpin(mu=MU, mu_r=RHO, mu_s=0.0))
    return made


@dataclass(frozen=True, eq=False)
class Roll:
    """A run, and of each of its steps the gap at the end [m] and h (mu |u_T| + rho |omega_T| + sigma |omega_n|) [m].

    u_T is the velocity at the contact, which lies in the middle of the gap: R + gap / 2 below the centre.
    """

    run: Run
    gap: Array
    predicted: Array


def roll(formulation: str, h: float, gap: float = 0.0, duration: float = 7.5) -> Roll:
    """Roll it until it has stopped; theta = 1 in the relaxed scheme, as in the paper."""
    theta = 1.0 if formulation == "relaxed" else 0.5
    steps = int(np.ceil(duration / h))
    predicted: list[float] = []

    def keep(step: Any, _: Any) -> None:
        y = step.velocity[0] if len(step.velocity) else np.zeros(6)
        predicted.append(h * float(MU * np.hypot(y[1], y[2]) + RHO * np.hypot(y[4], y[5])))

    run = simulate(
        scene(gap), steps * h, h, formulation=formulation, theta=theta, tolerance=1e-13, every=1, progress=keep
    )
    return Roll(run, run.position("disk")[1:, 2] - RADIUS, np.array(predicted))


def section_6_1(report: Report, quick: bool) -> None:
    """The analytic line, the exact and the relaxed scheme."""
    h = 0.02 if quick else 2e-3
    exact = roll("exact", h).run
    steady, hopping = roll("relaxed", h, gap=h * RHO), roll("relaxed", h)
    relaxed = steady.run
    line = np.maximum(1.0 - DECELERATION * exact.time, 0.0)
    off = float(np.abs(exact.velocity("disk")[:, 0] - line)[exact.time < STOP_TIME].max())
    report.judge(
        "the disk slows down along v = 1 - 0.14 t (exact)", "figure 3, section 6.1", paper=0.0, ours=off, unit="m/s",
        agrees=off < 1e-10, note="largest difference until the stop",
    )  # fmt: skip
    report.compare(
        "stop: distance (exact)", "figure 2", paper=STOP_DISTANCE, ours=float(exact.position("disk")[-1, 0]),
        tolerance=h**2, unit="m", note="25/7 m from the paper's numbers; it prints none",
    )  # fmt: skip
    speed = relaxed.velocity("disk")[:, 0]
    moving = relaxed.time < STOP_TIME - h
    off = float(np.abs(speed - np.maximum(1.0 - DECELERATION * relaxed.time, 0.0))[moving].max())
    report.judge(
        "the same for the relaxed scheme, started at its own gap", "figure 3", paper=0.0, ours=off, unit="m/s",
        agrees=off < 3.0 * DECELERATION * h, note=f"h = {h:g} s; O(h)",
    )  # fmt: skip
    rolling = relaxed.time[1:] < STOP_TIME - 2 * h
    error = float(np.abs(steady.gap - steady.predicted)[rolling].max()) / (h * RHO)
    report.judge(
        "relaxed gap = h (mu |u_T| + rho |omega_T| + sigma |omega_n|)", "eqs. (26), (28)", paper=0.0, ours=error,
        agrees=error < 1e-9, note=f"largest relative difference; the gap itself is {h * RHO:.1e} m at the start, h = {h:g} s",
    )  # fmt: skip
    lifted = np.abs(hopping.gap - hopping.predicted) > 1e-9 * h
    report.add_ours(
        "started with a closed contact, the relaxed disk is lifted to that gap", "eq. (26)", ours=int(lifted.sum()),
        unit="steps off the prediction", note=f"highest {float(hopping.gap.max()):.2e} m; exact: "
        f"{float(np.abs(exact.position('disk')[:, 2] - RADIUS).max()):.1e} m",
    )  # fmt: skip
    _draw(report, exact, steady, hopping, h)


def _draw(report: Report, exact: Run, steady: Roll, hopping: Roll, h: float) -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.0, 3.5), layout="constrained")
    times = np.linspace(0.0, 7.5, 16)
    left.plot(exact.time, exact.velocity("disk")[:, 0], color="#00798c", label="exact")
    relaxed = steady.run
    left.plot(relaxed.time, relaxed.velocity("disk")[:, 0], "--", color="#d1495b", label="relaxed")
    left.plot(times, np.maximum(1.0 - DECELERATION * times, 0.0), "ko", markersize=3.5, label="analytic")
    left.set(xlabel="time [s]", ylabel="v [m/s]", title="Figure 3: velocity of the rolling disk")
    left.legend(frameon=False)
    time, some = relaxed.time[1:], slice(None, None, max(1, len(relaxed.time) // 15))
    right.plot(time, 1e6 * hopping.gap, color="0.75", linewidth=2.5, label="relaxed, from zero gap")
    right.plot(time, 1e6 * steady.gap, color="#d1495b", linewidth=1.2, label="relaxed, from its own gap")
    right.plot(time[some], 1e6 * steady.predicted[some], "k.", markersize=5, label="h ρ |ω|")
    right.plot(exact.time, 1e6 * (exact.position("disk")[:, 2] - RADIUS), color="#00798c", label="exact")
    right.set(xlabel="time [s]", ylabel="gap [µm]", title=f"What the relaxation opens, h = {1e3 * h:g} ms")
    right.legend(frameon=False, fontsize=8)
    report.figure(figure, "disk", "Rolling disk: velocity, and the gap of the relaxed formulation with its prediction.")
