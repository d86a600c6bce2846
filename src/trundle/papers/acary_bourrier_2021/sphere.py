"""Section 6.1: a sphere on a plane.  R = 0.5 m, 2500 kg/m^3; g is not in the text, 9.81 m/s^2 gives its numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from numpy.typing import NDArray

from trundle import HalfSpace, Run, Scene, Sphere, laws, simulate
from trundle.analytic.sphere import Motion, SphereOnPlane
from trundle.measure import stopping
from trundle.papers.report import Progress, Report

Array = NDArray[np.float64]
RADIUS, DENSITY, GRAVITY, SPEED, SPIN = 0.5, 2500.0, 9.81, 2.5, 5.0
MASS = DENSITY * 4.0 / 3.0 * np.pi * RADIUS**3
LONGEST_STEP = 0.02  # [s], of figure 2: theta = 1/2 is exact within a phase whatever the step
CASES = {"a": (5.0, 0.2, 0.04), "b": (2.5, 0.2, 0.04), "c": (5.0, 0.05, 0.04)}  # Omega_Y(0) [rad/s], mu, mu_r [m]
BLUE, RED, GOLD = "#00798c", "#d1495b", "#edae49"


def scene(spin: float, mu: float, mu_r: float) -> Scene:
    """The sphere on its plane, launched along x."""
    made = Scene(gravity=(0.0, 0.0, -GRAVITY))
    made.add(
        Sphere(radius=RADIUS), name="ball", density=DENSITY, position=(0.0, 0.0, RADIUS), velocity=(SPEED, 0.0, 0.0),
        angular_velocity=(0.0, spin, 0.0), surface="rock",
    )  # fmt: skip
    made.add(HalfSpace(normal=(0, 0, 1)), name="plane", fixed=True, surface="soil")
    made.surface("rock", "soil", law=laws.Rolling(mu=mu, mu_r=mu_r))
    return made


def closed_form(spin: float, mu: float, mu_r: float) -> Motion:
    """The same motion in closed form."""
    return SphereOnPlane(RADIUS, mu=mu, mu_r=mu_r, gravity=GRAVITY).launch(velocity=SPEED, angular_velocity=spin)


def roll(mu: float, mu_r: float, steps: int = 300) -> dict[str, float]:
    """How far the sphere of figure 2 goes [m], with `steps` time steps until it stops, and in closed form."""
    exact = SPEED**2 / (2.0 * GRAVITY * min(mu, 5.0 * mu_r / (7.0 * RADIUS)))
    time = closed_form(SPIN, mu, mu_r).stop_time
    h = min(time / steps, LONGEST_STEP)
    run = simulate(scene(SPIN, mu, mu_r), (math.ceil(1.02 * time / h) + 2) * h, h, tolerance=1e-12)
    x = run.position("ball")
    stop = stopping(run.time, x, run.velocity("ball"))
    return {"distance": stop.distance, "closed_form": exact, "stopped": stop.stopped}


def figure_2(report: Report, quick: bool, progress: Progress) -> None:
    """X_max over mu and mu_r."""
    count = 3 if quick else 14
    report.remark(
        f"Figure 2: R = {RADIUS} m, {DENSITY:g} kg/m^3, U_X(0) = {SPEED} m/s, Omega_Y(0) = {SPIN:g} rad/s, g = {GRAVITY} m/s^2, "
        "theta = 1/2, tolerance 1e-12; mu from 0.01 to 0.5, mu_r from 1 to 50 mm."
    )
    mu, mu_r = np.geomspace(0.01, 0.5, count), np.geomspace(0.001, 0.05, count)
    found = np.zeros((count, count))
    exact = np.zeros((count, count))
    for i, a in enumerate(mu):
        progress("figure 2", i / count)
        for j, b in enumerate(mu_r):
            one = roll(float(a), float(b))
            found[i, j], exact[i, j] = one["distance"], one["closed_form"]
    error = np.abs(found / exact - 1.0)
    figure, axes = plt.subplots(1, 3, figsize=(12.0, 3.8), layout="constrained")
    levels = np.geomspace(exact.min(), exact.max(), 25)
    from matplotlib.colors import LogNorm
    from matplotlib.ticker import NullFormatter

    for ax, values, title in zip(axes[:2], (found, exact), ("engine", "closed form"), strict=True):
        image = ax.contourf(mu, mu_r, values.T, levels=levels, norm=LogNorm(), cmap="viridis_r")
        ax.set(xscale="log", yscale="log", xlabel="$\\mu$", ylabel="$\\mu_r$ [m]", title=title)
        ax.plot(mu, 1.4 * RADIUS * mu, color="white", linewidth=1.0, linestyle="--")
        ax.set_ylim(mu_r[0], mu_r[-1])
    bar = figure.colorbar(image, ax=axes[:2], label="$X_{max}$ [m]", ticks=[1, 3, 10, 30, 100, 300])
    bar.ax.set_yticklabels(["1", "3", "10", "30", "100", "300"])
    worst = axes[2].pcolormesh(mu, mu_r, error.T, norm=LogNorm(1e-10, 1e-3), cmap="magma_r", shading="nearest")
    axes[2].set(xscale="log", yscale="log", xlabel="$\\mu$", title="relative difference")
    figure.colorbar(worst, ax=axes[2])
    for ax in axes:  # there is no room for labels between the powers of ten
        ax.xaxis.set_minor_formatter(NullFormatter())
        ax.yaxis.set_minor_formatter(NullFormatter())
    report.figure(figure, "figure-2", "X_max; dashed: mu = 5 mu_r / (7 R), left of it the sphere slides.")
    report.judge(
        "X_max = U0^2 / (2 g min(mu, 5 mu_r / (7 R))) everywhere on the map", "figure 2", paper="closed form",
        ours=float(error.max()), agrees=float(error.max()) < 5e-3, note=f"largest relative difference of {count**2} runs",
    )  # fmt: skip
    _claim_limits(report)
    _claim_sensitivity(report, mu, mu_r, found, quick)
    ball = simulate(scene(SPIN, 0.2, 0.0), 10.0, LONGEST_STEP, tolerance=1e-12)
    kept = float(ball.velocity("ball")[-1, 0] / SPEED)
    report.judge(
        "without rolling friction (Coulomb's law alone) the sphere never stops", "section 6.1", paper="never stops", ours=kept,
        agrees=abs(kept - 1.0) < 1e-9, note="speed after 10 s over that of the launch, mu = 0.2: the classical law as a baseline",
    )  # fmt: skip


def _claim_limits(report: Report) -> None:
    """X_max goes to infinity like 1 / mu_r and 1 / mu: slopes of log X_max between coefficients a factor of four apart."""
    small = np.array([2.5e-4, 1e-3])
    for name, runs in (
        ("mu_r", [roll(0.3, float(value)) for value in small]),
        ("mu", [roll(4.0 * float(value), 0.05) for value in small]),
    ):
        slope = float(np.diff(np.log([one["distance"] for one in runs]))[0] / np.diff(np.log(small))[0])
        report.judge(
            f"X_max goes to infinity for {name} -> 0", "section 6.1", paper="infinity", ours=slope, agrees=slope < -0.5,
            note="exponent of X_max over the coefficient, from two runs with small ones; agrees if it is clearly negative",
        )  # fmt: skip


def _claim_sensitivity(report: Report, mu: Array, mu_r: Array, found: Array, quick: bool) -> None:
    """'Strongly influenced for mu in [0, 0.15] and mu_r in [0, 0.01]', 'much less sensitive' for larger values of both."""
    claim, where = (
        "X_max is much less sensitive to mu and mu_r beyond mu = 0.15 and mu_r = 0.01 m",
        "section 6.1, figure 2",
    )
    if quick:
        report.leave_untested(claim, where, paper="much less", note="needs the whole map: run it without --quick")
        return
    steep = np.hypot(*np.gradient(found, mu, mu_r))
    low = np.ix_(mu <= 0.15, mu_r <= 0.01)
    high = np.ix_(mu > 0.15, mu_r > 0.01)
    ratio = float(np.median(steep[low]) / np.median(steep[high]))
    report.judge(
        claim, where, paper="much less", ours=ratio, agrees=ratio > 10.0,
        note="median of the gradient of X_max within the domain over that beyond it; 'much' is read as ten times",
    )  # fmt: skip


def record(spin: float, mu: float, mu_r: float, h: float) -> tuple[Run, Array]:
    """A run of figure 3, and tangential force [N] and rolling moment [N m] of every step, as they act on the sphere."""
    motion = closed_form(spin, mu, mu_r)
    steps = int(np.ceil(motion.stop_time / h)) + 50
    loads: list[tuple[float, float]] = []

    def keep(step: Any, _: Any) -> None:
        on_ball = 1.0 if step.contacts.body[0, 1] == 0 else -1.0
        frame = step.contacts.frame[0]
        impulse = step.impulse[0]
        force = on_ball * (impulse[1] * frame[1] + impulse[2] * frame[2])
        moment = on_ball * (impulse[4] * frame[1] + impulse[5] * frame[2])
        loads.append((float(force[0]) / h, float(moment[1]) / h))

    run = simulate(scene(spin, mu, mu_r), steps * h, h, tolerance=1e-12, every=1, progress=keep)
    return run, np.array(loads)


def figure_3(report: Report, h: float) -> None:
    """X, U_X, Omega_Y, r_T and m_T of the three cases, and their phase transitions."""
    report.remark(
        f"Figure 3: R = {RADIUS} m, {DENSITY:g} kg/m^3, U_X(0) = {SPEED} m/s, theta = 1/2, tolerance 1e-12, h = {h:g} s; "
        f"g = {GRAVITY} m/s^2, which the text does not give. It prints no numbers of its curves: 'paper' is the closed form."
    )
    figure, axes = plt.subplots(3, 3, figsize=(11.0, 7.2), layout="constrained", sharex="col")
    for column, (name, (spin, mu, mu_r)) in enumerate(CASES.items()):
        run, loads = record(spin, mu, mu_r, h)
        motion = closed_form(spin, mu, mu_r)
        _draw_case(axes[:, column], run, loads, motion, f"{name}) $\\mu$ = {mu:g}, $\\mu_r$ = {mu_r:g} m")
        _claim_transitions(report, name, run, motion, h)
        _claim_loads(report, name, loads, motion, h, (mu, mu_r))
    for ax, label in zip(axes[:, 0], ("X [m], $U_X$ [m/s]", "$\\Omega_Y$ [rad/s]", "loads"), strict=True):
        ax.set_ylabel(label)
    for ax in axes[-1]:
        ax.set_xlabel("time [s]")
    report.figure(
        figure, "figure-3",
        f"Engine (lines, h = {h:g} s) and closed form (dots); vertical: transitions. "
        "Loads: r_T / (m g) and m_T / (m g R).",
    )  # fmt: skip


def _draw_case(axes: Any, run: Run, loads: Array, motion: Motion, title: str) -> None:
    some = np.linspace(0.0, run.time[-1], 18)
    x, u, w = run.position("ball")[:, 0], run.velocity("ball")[:, 0], run.angular_velocity("ball")[:, 1]
    for ax, values, exact, colour, label in (
        (axes[0], x, motion.position(some)[:, 0], BLUE, "X"),
        (axes[0], u, motion.velocity(some)[:, 0], RED, "$U_X$"),
        (axes[1], w, motion.angular_velocity(some)[:, 1], GOLD, "$\\Omega_Y$"),
    ):
        ax.plot(run.time, values, color=colour, linewidth=1.3, label=label)
        ax.plot(some, exact, "o", color=colour, markersize=3.0)
    axes[2].plot(run.time[1:], loads[:, 0] / (MASS * GRAVITY), color=BLUE, linewidth=2.4, label="$r_T$ / (m g)")
    axes[2].plot(
        run.time[1:], loads[:, 1] / (MASS * GRAVITY * RADIUS), color=RED, linewidth=1.2, label="$m_T$ / (m g R)"
    )
    for ax in axes:
        for time in motion.transitions:
            ax.axvline(time, color="0.75", linewidth=0.8, zorder=0)
        ax.legend(frameon=False, fontsize=7)
    axes[0].set_title(title, fontsize=10)


def _claim_transitions(report: Report, name: str, run: Run, motion: Motion, h: float) -> None:
    """Times and velocities at the ends of the phases, to O(h)."""
    u, w = run.velocity("ball")[:, 0], run.angular_velocity("ball")[:, 1]
    slip = u - RADIUS * w
    times = motion.transitions
    ours = []
    for phase, following in zip(motion.phases, motion.phases[1:], strict=False):
        # what ends here: sliding, rolling, or both
        watched = slip if phase.slides and not following.slides else RADIUS * w if phase.rolls else u
        moving = np.flatnonzero(np.abs(watched) > 1e-9)
        after = moving[(run.time[moving] <= following.start + 5 * h)]
        ours.append(float(run.time[min(after[-1] + 1, len(run.time) - 1)]))
    report.compare(
        f"figure 3{name}: times of the phase transitions ({' to '.join(p.name for p in motion.phases)})", "figure 3",
        paper=times, ours=ours, tolerance=1.5 * h, unit="s", note="paper: closed form; the next time of the grid",
    )  # fmt: skip
    near = np.searchsorted(run.time, times)
    values = np.stack([u[near], w[near]], axis=1).ravel()
    exact = np.stack([motion.velocity(times)[:, 0], motion.angular_velocity(times)[:, 1]], axis=1).ravel()
    report.compare(
        f"figure 3{name}: velocities U_X and Omega_Y at the transitions", "figure 3",
        paper=exact.tolist(), ours=values.tolist(), unit="m/s, rad/s",
        tolerance=2.5 * GRAVITY * CASES[name][1] / RADIUS * h, note="to O(h): at the next time of the grid",
    )  # fmt: skip
    report.compare(
        f"figure 3{name}: distance", "figure 3", paper=motion.stop_distance, ours=float(run.position("ball")[-1, 0]),
        tolerance=GRAVITY * h**2 + 1e-9, unit="m",
        note="theta = 1/2 is exact within a phase; the step in which a phase ends adds O(h^2)",
    )  # fmt: skip


def _claim_loads(report: Report, name: str, loads: Array, motion: Motion, h: float, law: tuple[float, float]) -> None:
    """Force and moment within the phases: the bounds they meet, and those they leave."""
    mu, mu_r = law
    said = {
        "a": "the slip-free condition holds until the stop: |r_T| < mu r_n throughout",
        "b": "r_T jumps from mu r_n to less, and does not vanish",
        "c": "Omega_Y vanishes first, and m_T jumps from mu_r r_n to less",
    }[name]
    weight = MASS * GRAVITY
    middle = [int(0.5 * (p.start + q.start) / h) for p, q in zip(motion.phases, motion.phases[1:], strict=False)]
    force, moment = np.abs(loads[middle, 0]) / weight, np.abs(loads[middle, 1]) / weight
    slow = 5.0 * mu_r / (7.0 * RADIUS)  # of rolling: r_T = m a, a / g
    expected = {"a": ([slow], [mu_r]), "b": ([mu, slow], [mu_r, mu_r]), "c": ([mu, mu], [mu_r, mu * RADIUS])}[name]
    error = float(max(np.abs(force - expected[0]).max(), np.abs(moment - expected[1]).max()))
    held = name != "a" or bool(np.all(np.abs(loads[:, 0]) < mu * weight))  # in every step, not only in the middle
    report.judge(
        f"figure 3{name}: {said}", "section 6.1", paper=[*expected[0], *expected[1]], ours=[*force, *moment],
        agrees=error < 1e-9 and held, unit="-, m", note="r_T / (m g), then m_T / (m g), in the middle of the phases",
    )  # fmt: skip
