"""The picture of `trundle demo problem`: a heap with its forces, the convex set of its loads, and what solves it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from trundle import output
from trundle.cli.heap import GROUND, Heap
from trundle.cli.solving import time_in_words
from trundle.solve import ContactSolution

# Okabe & Ito's colours, safe for colour-blind readers; in the middle panel the markers differ as well.
MODES = {
    "sticking": ("#0072B2", "o"),
    "sliding": ("#E69F00", "s"),
    "rolling": ("#009E73", "^"),
    "sliding+rolling": ("#D55E00", "D"),
    "take-off": ("#999999", "o"),
}
RACERS = ("#000000", "#0072B2", "#D55E00")
INK = "#333333"


def draw_heap(
    heap: Heap, exact: ContactSolution, relaxed: ContactSolution, races: Sequence[ContactSolution], path: Path
) -> None:
    """Write the picture of a solved heap to a file."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    layout = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1, wspace=0.04, hspace=0.03)
    figure = Figure(figsize=(13.5, 10.2), layout=layout)
    axes = figure.subplot_mosaic([["heap"] * 3, ["law", "lift", "race"]], height_ratios=(1.42, 1.0))
    modes = np.asarray(exact.modes)
    _draw_forces(axes["heap"], heap, exact, modes)
    _draw_loads(axes["law"], exact, modes)
    _draw_lift(axes["lift"], exact, relaxed)
    _draw_race(axes["race"], races)
    figure.suptitle("A friction law is a convex set: a heap of rollers begins to collapse", fontsize=16, color=INK)
    output.save_figure(figure, path)


def _draw_forces(axes: Any, heap: Heap, solution: ContactSolution, modes: np.ndarray) -> None:
    """Rollers, and a line through each contact as wide as its normal impulse, coloured by mode."""
    from matplotlib.collections import LineCollection, PatchCollection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle

    rollers = [Circle((x, z), r) for (x, z), r in zip(heap.centre, heap.radius, strict=True)]
    axes.add_collection(PatchCollection(rollers, facecolor="#F1EFEA", edgecolor="#B9B4A8", lw=0.8, zorder=1))
    r_n = solution.p.reshape(-1, 3)[:, 0]
    width = 13.0 * r_n / r_n.max()
    ends = [(heap.point[c] if a == GROUND else heap.centre[a], heap.centre[b]) for c, (a, b) in enumerate(heap.bodies)]
    colours = [MODES[mode][0] for mode in modes]
    loaded = modes != "take-off"
    lines = LineCollection(
        [ends[c] for c in np.flatnonzero(loaded)], linewidths=np.maximum(width[loaded], 0.5), zorder=2,
        colors=[colours[c] for c in np.flatnonzero(loaded)], capstyle="round",
    )  # fmt: skip
    axes.add_collection(lines)
    face = ["white" if mode == "take-off" else colour for mode, colour in zip(modes, colours, strict=True)]
    axes.scatter(*heap.point.T, s=34, c=face, edgecolors=colours, linewidths=1.3, zorder=4)
    axes.scatter(*heap.point[loaded].T, s=34, c="none", edgecolors="white", linewidths=0.9, zorder=5)
    _draw_motion(axes, heap, solution)
    low, high = heap.centre[:, 0].min() - 0.3, heap.centre[:, 0].max() + 0.3
    axes.fill_between([low, high], -0.05, 0.0, color="#D6D1C4", lw=0, zorder=0)
    axes.set(xlim=(low, high), ylim=(-0.05, 1.06 * (heap.centre[:, 1] + heap.radius).max()), aspect="equal")
    axes.axis("off")
    handles = [
        Line2D([], [], marker="o", lw=4 if mode != "take-off" else 0, color=colour, label=f"{mode} ({count})",
               markerfacecolor="white" if mode == "take-off" else colour)
        for mode, (colour, _) in MODES.items() if (count := int(np.sum(modes == mode)))
    ]  # fmt: skip
    handles.append(Line2D([], [], marker=r"$\rightarrow$", markersize=13, lw=0, color=INK, label="velocity"))
    title = "contacts; line width: normal impulse"
    axes.legend(
        handles=handles, loc="upper left", frameon=False, fontsize=11, title=title, alignment="left", title_fontsize=11
    )


def _draw_motion(axes: Any, heap: Heap, solution: ContactSolution) -> None:
    """Velocities of the rollers after the step."""
    problem = solution.problem
    v = (problem.f + problem.H.T @ solution.p) / problem.M.diagonal()
    v = v.reshape(-1, 3)[:, :2]
    speed = np.hypot(*v.T)
    moving = speed > 0.02 * speed.max()
    scale = 0.17 / speed.max()
    axes.quiver(
        *heap.centre[moving].T, *(scale * v[moving]).T, angles="xy", scale_units="xy", scale=1.0, width=0.0022,
        headwidth=4.5, headlength=5, color=INK, zorder=6,
    )  # fmt: skip


def _draw_loads(axes: Any, solution: ContactSolution, modes: np.ndarray) -> None:
    """The set C, scaled to a square, and the load of each contact in it."""
    from matplotlib.patches import Rectangle

    law = solution.problem.laws[0]
    r_n, f_t, m_r = solution.p.reshape(-1, 3).T
    axes.add_patch(Rectangle((-1, -1), 2, 2, facecolor="#F1EFEA", edgecolor="#8C877B", lw=1.4, zorder=1))
    for mode, (colour, marker) in MODES.items():
        here = (modes == mode) & (r_n > 0.0)
        if mode == "take-off" or not here.any():
            continue
        x = f_t[here] / (law.mu[here] * r_n[here])
        z = m_r[here] / (law.mu_r[here] * r_n[here])
        axes.scatter(
            x, z, s=40, color=colour, marker=marker, edgecolors="white", linewidths=0.6, zorder=3, clip_on=False
        )
    axes.set(xlim=(-1.18, 1.18), ylim=(-1.18, 1.18), aspect="equal", xticks=(-1, 0, 1), yticks=(-1, 0, 1))
    axes.set_xlabel(r"sliding load  $f_t\,/\,\mu r_n$", fontsize=11)
    axes.set_ylabel(r"rolling load  $m_r\,/\,\mu_r r_n$", fontsize=11)
    axes.set_title("The law: loads stay in a convex set,\nand bodies move only on its boundary", fontsize=11, color=INK)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def _draw_lift(axes: Any, exact: ContactSolution, relaxed: ContactSolution) -> None:
    """Opening speed over the speed sigma(-w) of sliding and rolling, of the contacts that carry load."""
    colours = {"exact": "#000000", "relaxed": "#CC79A7"}
    top = 0.0
    for solution in (relaxed, exact):
        name, law = solution.problem.formulation, solution.problem.laws[0]
        y, p = solution.y.reshape(-1, 3), solution.p.reshape(-1, 3)
        loaded = p[:, 0] > 1e-6 * p[:, 0].max()
        sliding = 1e3 * law.correction(y)[loaded]
        axes.scatter(sliding, 1e3 * y[loaded, 0], s=26, color=colours[name], label=name, zorder=3, clip_on=False)
        top = max(top, float(sliding.max()))
    axes.axline((0.0, 0.0), slope=1.0, color=colours["relaxed"], lw=1.2, alpha=0.5, zorder=1)
    axes.set(xlim=(-0.03 * top, 1.05 * top), ylim=(-0.03 * top, 1.05 * top), aspect="equal")
    axes.set_xlabel(r"speed of sliding and rolling  $\sigma(-w)$ [mm/s]", fontsize=11)
    axes.set_ylabel(r"opening speed  $u_n$ [mm/s]", fontsize=11)
    axes.set_title("Exact: contacts that move stay closed;\nrelaxed: they lift off", fontsize=11, color=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=11, loc="upper left")


def _draw_race(axes: Any, races: Sequence[ContactSolution]) -> None:
    """Residual over iterations."""
    for race, colour in zip(races, RACERS, strict=False):
        assert race.history is not None
        iterations, residual = race.history.T
        best = np.minimum.accumulate(residual)
        label = f"{race.solver}: {time_in_words(race.solve_time)}" + ("" if race.converged else ", stopped")
        axes.plot(np.maximum(iterations, 1), best, color=colour, lw=2, label=label)
        axes.plot(iterations[-1], best[-1], "o", color=colour, ms=7, clip_on=False)
    axes.set(xscale="log", yscale="log", xlim=(1.0, None), ylim=(None, 300.0))
    axes.set_xlabel("iterations (sweeps or factorisations)", fontsize=11)
    axes.set_ylabel("residual", fontsize=11)
    axes.set_title("Three solvers on this heap:\nthe problem judges them all alike", fontsize=11, color=INK)
    axes.grid(True, color="#E8E8E8", lw=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_box_aspect(1.0)
    axes.legend(frameon=True, framealpha=0.9, edgecolor="none", fontsize=10, loc="upper right")
