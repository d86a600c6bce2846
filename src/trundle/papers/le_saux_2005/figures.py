"""Figures 4 to 7, 9 and 10 with the paper's panels."""

from __future__ import annotations

from typing import Any

import numpy as np

from trundle.papers.le_saux_2005.cases import DISK, Series

INK, GREY, RED = "#1f3a5f", "#9aa5b1", "#c0392b"


def draw_case(series: Series, ours: Series, title: str, figure_number: int) -> Any:
    """Trajectory, gap, slip, speed of the contact point along the rim, inclination and energy over time, with both schemes."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(3, 2, figsize=(9.0, 9.0), layout="constrained")
    figure.suptitle(f"Figure {figure_number}: {title}")
    x, y = series.position, ours.position
    axes[0, 0].plot(y[:, 0], y[:, 1], color=RED, lw=0.7, label="moreau-jean, our default")
    axes[0, 0].plot(x[:, 0], x[:, 1], color=INK, lw=0.7, label="the paper's scheme")
    axes[0, 0].plot(*x[0, :2], "o", color=INK, ms=4)
    axes[0, 0].plot(*x[-1, :2], "s", color=INK, ms=4)
    axes[0, 0].plot(*y[-1, :2], "s", color=RED, ms=4)
    axes[0, 0].set(xlabel="$x_S$ [m]", ylabel="$y_S$ [m]", aspect="equal")
    axes[0, 0].set_adjustable("datalim")
    axes[0, 0].legend(frameon=False, fontsize=8)
    panels = (
        (axes[0, 1], lambda one: one.slip, r"$\|\gamma_{T1}\|$ [m/s]", "linear"),
        (axes[1, 0], lambda one: 1.5 * DISK.radius * np.cos(one.beta), r"$g_{N2} = g_{N3}$ [m]", "linear"),
        # once it lies flat there is nothing to measure along the rim
        (axes[1, 1], lambda one: np.where(one.beta < np.pi / 2 - 1e-6, one.gamma_rate, np.nan), r"$\dot\psi$ [rad/s]",
         "log" if series.gamma_rate.max() > 60 else "linear"),
        (axes[2, 0], lambda one: one.beta, r"$\beta$ [rad]", "linear"),
        (axes[2, 1], lambda one: one.energy, "$T + V$ [J]", "linear"),
    )  # fmt: skip
    for axis, values, label, scale in panels:
        axis.plot(ours.time, values(ours), color=RED, lw=0.6)
        axis.plot(series.time, values(series), color=INK, lw=0.6)
        axis.set(xlabel="$t$ [s]", ylabel=label, yscale=scale)
        axis.set_xlim(0.0, series.time[-1])
        axis.grid(alpha=0.25)
    energy = series.energy
    if np.ptp(energy) < 0.01 * energy[0]:  # nothing is lost: show it on the scale of the whole
        axes[2, 1].set_ylim(0.0, 1.1 * energy[0])
        axes[1, 1].set_ylim(0.0, 1.2 * float(series.gamma_rate.max()))
        axes[0, 1].set_ylim(-0.05, 0.4)
    return figure


def draw_indicator(series: Series) -> Any:
    """chi over time with the slip below it."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 1, figsize=(8.0, 5.5), layout="constrained", sharex=True, height_ratios=(2, 1))
    moving = series.beta < np.pi / 2 - 1e-3
    axes[0].plot(series.time[moving], series.indicator[moving], color=INK, lw=0.6)
    axes[0].axhline(1.0, color=RED, ls="--", lw=1.0)
    axes[0].set(
        ylabel=r"$\chi$ [-]", ylim=(-1.0, 2.0), title="Figure 10: rolling needs more friction than there is where χ > 1"
    )
    axes[1].plot(series.time, series.slip, color=INK, lw=0.6)
    axes[1].set(xlabel="$t$ [s]", ylabel=r"$\|\gamma_{T1}\|$ [m/s]", yscale="log", ylim=(1e-7, 1.0))
    for axis in axes:
        axis.grid(alpha=0.25)
    return figure


def draw_decay(curves: dict[str, tuple[Any, Any, Any]]) -> Any:
    """Figure 9: energy over time of pure rolling, simulated (lines) and by the decay laws (dashed)."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(9.0, 4.0), layout="constrained", sharey=True)
    for name, (time, energy, law) in curves.items():
        axis = axes[0] if "contour" in name else axes[1]
        colour = INK if name.startswith("dry") else (GREY if name.startswith("viscous") else RED)
        axis.plot(time, energy / energy[0], color=colour, lw=2.0, label=f"{name.replace('-', ' ')}, simulated")
        axis.plot(time, law / law[0], color="k", ls="--", lw=1.0)
    axes[0].plot([], [], color="k", ls="--", lw=1.0, label="laws (5.38), (5.41)")
    axes[1].plot([], [], color="k", ls="--", lw=1.0, label="laws (5.47), (5.50), (5.54)")
    for axis, title in zip(axes, ("(a) contour friction", "(b) classical rolling, Contensou"), strict=True):
        axis.set(xlabel="$t / t_{f}$ or $a t$ [-]", title=title, ylim=(0.0, 1.05))
        axis.grid(alpha=0.25)
        axis.legend(frameon=False, fontsize=8)
    axes[0].set_ylabel("$E / E_0$ [-]")
    figure.suptitle("Figure 9: energy decay in the final stage, from stationary rolling")
    return figure


def draw_convergence(errors: dict[str, tuple[Any, Any]]) -> Any:
    """Error of the centre against the time step, one line per scheme."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.5, 4.2), layout="constrained")
    for (name, (h, error)), colour in zip(errors.items(), (INK, RED), strict=True):
        axis.loglog(h, error, "o-", color=colour, label=name)
    h, error = next(iter(errors.values()))
    axis.loglog(h, 0.5 * error[0] * np.asarray(h) / h[0], color=GREY, ls="--", label="first order")
    axis.set(
        xlabel="time step [s]",
        ylabel="error of the centre until t = 2 s [m]",
        title="Case 2 against the smooth equations of rolling",
    )
    axis.grid(alpha=0.25, which="both")
    axis.legend(frameon=False)
    return figure
