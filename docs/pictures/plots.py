"""Plots of the examples that only print: made of what their own functions return."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
BLUE, RED, GREEN, GREY = "#3b5b92", "#e4572e", "#2e9e6b", "#7a7f87"
SIZE = (7.4, 4.2)


def draw(name: str, target: Path) -> None:
    """Draw the plot of an example into a PNG file."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    sys.path.insert(0, str(EXAMPLES))
    figure, axes = plt.subplots(1, 2, figsize=SIZE, layout="constrained", squeeze=False)
    PLOTS[name](axes[0])
    figure.savefig(target, dpi=130)
    plt.close(figure)


def own_law(axes: np.ndarray) -> None:
    """Friction against velocities all around: its tips, and its direction."""
    import own_law as example

    from trundle import laws, solve

    angle = np.radians(np.arange(0.0, 360.0, 5.0) + 2.5)
    for law, colour in ((laws.Coulomb(mu=0.5), BLUE), (example.Pyramid(mu=0.5), RED)):
        p = np.array([solve(example.sliding_block(law, a), tolerance=1e-12).p for a in angle])
        f = p[:, 1:] / (law.mu * p[:, :1])
        axes[0].plot(
            *f.T, "o", color=colour, markersize=4 if colour == BLUE else 9, alpha=0.7, label=type(law).__name__
        )
        first = angle < np.pi / 2
        opposed = np.degrees(np.arctan2(-f[first, 1], -f[first, 0]))
        axes[1].plot(np.degrees(angle[first]), opposed, ".-", color=colour)
    corner = np.array([[1, 0, -1, 0, 1], [0, 1, 0, -1, 0]])
    axes[0].plot(*corner, color=RED, linewidth=1)
    axes[0].set(
        xlabel="$f_1 / (\\mu r_n)$", ylabel="$f_2 / (\\mu r_n)$", aspect="equal", title="friction on a sliding block"
    )
    axes[0].legend(frameon=False, loc="center")
    axes[1].set(xlabel="slides at [°]", ylabel="friction opposes [°]", title="the pyramid pulls off course")


def sphere_on_a_plane(axes: np.ndarray) -> None:
    """Loads of every launch, as shares of their bounds."""
    import sphere_on_a_plane as example

    from trundle import solve

    found = {name: solve(example.step_problem(v), tolerance=1e-12) for name, v in example.launches().items()}
    weight = example.MASS * example.GRAVITY * example.TIME_STEP
    place = np.arange(len(found))[::-1]
    labels = [f"{name}\n{solution.modes[0]}" for name, solution in found.items()]
    bounds = (("$|f_t|$", slice(1, 3), example.LAW.mu, BLUE), ("$|m_r|$", slice(4, 6), example.LAW.mu_r, RED))
    for ax, (name, rows, bound, colour) in zip(axes, bounds, strict=True):
        load = [np.linalg.norm(solution.p[rows]) / (bound * weight) for solution in found.values()]
        ax.barh(place, load, color=colour)
        ax.set(xlabel=f"{name} / bound", xlim=(0, 1.05))
        ax.set_yticks(place, labels if ax is axes[0] else [""] * len(place), fontsize=6.5)
    axes[0].set_title("sliding friction")
    axes[1].set_title("rolling friction")


def solve_a_file(axes: np.ndarray) -> None:
    """The block from above: impulses on its feet."""
    import solve_a_file as example

    from trundle import solve

    solution = solve(example.block_on_four_feet(), tolerance=1e-10)
    p = solution.p.reshape(4, 3)
    feet = np.array([(0.2, 0.1), (0.2, -0.1), (-0.2, 0.1), (-0.2, -0.1)])
    axes[0].add_patch(_rectangle())
    axes[0].scatter(*feet.T, s=40 + 4000 * p[:, 0], color=BLUE, alpha=0.6)
    axes[0].quiver(*feet.T, *p[:, 1:].T, color=RED, angles="xy", scale_units="xy", scale=1.2 * p[:, 0].max() / 0.2)
    axes[0].quiver([0], [0], [2.0], [0], color=GREY, angles="xy", scale_units="xy", scale=16)
    axes[0].set(
        xlabel="x [m]", ylabel="y [m]", aspect="equal", xlim=(-0.36, 0.3), ylim=(-0.2, 0.2), title="block from above"
    )
    place = np.arange(4)
    axes[1].bar(place - 0.2, p[:, 0], 0.4, color=BLUE, label="normal")
    axes[1].bar(place + 0.2, np.linalg.norm(p[:, 1:], axis=1), 0.4, color=RED, label="friction")
    axes[1].set_xticks(place, ["front left", "front right", "rear left", "rear right"], fontsize=7)
    axes[1].set(ylabel="impulse [N s]", title=f"residual {solution.residual:.0e}")
    axes[1].legend(frameon=False)


def history_compare(axes: np.ndarray) -> None:
    """Speed of the sphere in both formulations, and what is left when it should rest."""
    import history_compare as example

    import trundle

    t_stop, _ = example.stop()
    for formulation, h, k, colour in (("exact", 1e-2, 1e5, BLUE), ("history", 1e-4, 1e5, RED)):
        depth = 9.81 / k if formulation == "history" else 0.0
        run = trundle.simulate(
            example.rolling_sphere(k, depth), 1.5, h, formulation=formulation, every=max(1, round(0.01 / h))
        )
        speed = np.linalg.norm(run.velocity("ball"), axis=1)
        axes[0].plot(run.time, speed, color=colour, label=f"{formulation}, h = {h:g} s")
        axes[1].semilogy(run.time, np.maximum(speed, 1e-17), color=colour)
    for ax in axes:
        ax.axvline(t_stop, color=GREY, linestyle="--", linewidth=1)
        ax.set(xlabel="time [s]")
    axes[0].set(ylabel="speed [m/s]", title="slides, rolls, stops")
    axes[1].set(title="the same, dashed: closed form", ylim=(3e-18, 3))
    axes[0].legend(frameon=False)


def _rectangle() -> object:
    from matplotlib.patches import Rectangle

    return Rectangle((-0.2, -0.1), 0.4, 0.2, facecolor="#e8eaee", edgecolor=GREY)


PLOTS: dict[str, Callable[[np.ndarray], None]] = {
    "own_law": own_law,
    "sphere_on_a_plane": sphere_on_a_plane,
    "solve_a_file": solve_a_file,
    "history_compare": history_compare,
}
