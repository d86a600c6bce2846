"""Draws the convex sets of the theory pages from the laws themselves: far points are projected onto the set.

python docs/pictures/laws.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import to_rgb
from mpl_toolkits.mplot3d import Axes3D

from trundle import laws

BLUE, ORANGE, GREEN, RED, PURPLE, GREY = "#3b6fb5", "#E69F00", "#2e9e6b", "#d1512f", "#8a5fd0", "#7F7F7F"
FAR = 1e7
MU, MU_R, MU_S = 0.5, 0.02, 0.01


def boundary(law: laws.Law, rows: tuple[str, str, str], size: tuple[float, float, float], n: int = 181) -> np.ndarray:
    """Points (n, 2 n, 3) of the boundary of the section in three friction rows; `size`: how far C reaches along each."""
    polar, around = np.linspace(0, np.pi, n), np.linspace(0, 2 * np.pi, 2 * n)
    p, a = np.meshgrid(polar, around, indexing="ij")
    direction = np.stack([np.sin(p) * np.cos(a), np.sin(p) * np.sin(a), np.cos(p)], axis=-1) / np.array(size)
    columns = [law.rows.index(row) - 1 for row in rows]
    points = np.zeros((p.size, law.d - 1))
    points[:, columns] = FAR * direction.reshape(-1, 3)
    return law.project_section(points, 1.0)[:, columns].reshape(n, 2 * n, 3)


def surface(axes: Axes3D, points: np.ndarray, colour: str, alpha: float = 1.0) -> None:
    """A surface, lit as it looks, whatever the units of its axes are."""
    middle, size = points.reshape(-1, 3).mean(axis=0), np.ptp(points.reshape(-1, 3), axis=0)
    seen = (points - middle) / size
    across = seen[1:, 1:] - seen[:-1, :-1]
    normal = np.cross(across, seen[1:, :-1] - seen[:-1, 1:])
    length = np.linalg.norm(normal, axis=-1, keepdims=True)
    normal = np.where(length > 1e-12, normal / np.maximum(length, 1e-12), 0.0)
    outwards = np.sign(np.sum(normal * (seen[1:, 1:] + seen[:-1, :-1]), axis=-1, keepdims=True))
    light = np.array([-0.35, -0.65, 0.67])
    strength = 0.62 + 0.38 * np.sum(outwards * normal * light, axis=-1, keepdims=True)
    colours = np.clip(strength * np.array(to_rgb(colour)), 0, 1)
    colours = np.concatenate([colours, np.full((*colours.shape[:2], 1), alpha)], axis=-1)
    axes.plot_surface(
        *np.moveaxis(points, -1, 0),
        facecolors=colours,
        shade=False,
        linewidth=0,
        antialiased=False,
        rstride=1,
        cstride=1,
    )


def dress(axes: Axes3D, title: str, labels: tuple[str, str, str], reach: tuple[float, float, float]) -> None:
    axes.set_title(title, fontsize=11, pad=2)
    axes.set(xlabel=labels[0], ylabel=labels[1], zlabel=labels[2])
    axes.set(xlim=(-reach[0], reach[0]), ylim=(-reach[1], reach[1]), zlim=(-reach[2], reach[2]))
    axes.set_box_aspect((1, 1, 1), zoom=0.86)
    axes.locator_params(nbins=4)
    axes.tick_params(labelsize=8)
    axes.view_init(elev=24, azim=-55)
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.set_pane_color((0.96, 0.965, 0.975, 1.0))
        axis.label.set_size(10)


def cone(axes: Axes3D, curve: np.ndarray, colour: str, title: str, labels: tuple[str, str]) -> None:
    """The cone K over a closed curve (n, 2) of the section, up to r_n = 1."""
    height = np.linspace(0, 1, 30)[:, None, None]
    points = np.concatenate([height * curve[None], np.broadcast_to(height, (30, len(curve), 1))], axis=2)
    surface(axes, points, colour)
    axes.plot(*curve.T, 1.0, color="k", lw=1)
    reach = 1.1 * np.abs(curve).max(axis=0)
    dress(axes, title, (*labels, "$r_n$"), (reach[0], reach[1], 1.0))
    axes.set_zlim(0, 1)


def flat_curve(law: laws.Law, first: str, second: str, size: tuple[float, float]) -> np.ndarray:
    angle = np.linspace(0, 2 * np.pi, 721)
    columns = [law.rows.index(row) - 1 for row in (first, second)]
    points = np.zeros((len(angle), law.d - 1))
    points[:, columns[0]], points[:, columns[1]] = FAR * np.cos(angle) / size[0], FAR * np.sin(angle) / size[1]
    return law.project_section(points, 1.0)[:, columns]


def figure(columns: int) -> tuple[plt.Figure, list[Axes3D]]:
    picture = plt.figure(figsize=(4.3 * columns, 4.0), layout="constrained")
    return picture, [picture.add_subplot(1, columns, i + 1, projection="3d") for i in range(columns)]


def draw_coulomb() -> plt.Figure:
    picture, (left, right) = figure(2)
    disk = flat_curve(laws.Coulomb(mu=MU), "t1", "t2", (1, 1))
    cone(left, disk, BLUE, "Coulomb's cone K", ("$f_{t1}$", "$f_{t2}$"))
    cone(right, disk, BLUE, "K inside its dual cone K*", ("$f_{t1}$, $w_1$", "$f_{t2}$, $w_2$"))
    height = np.linspace(0, 1, 30)[:, None, None]
    dual = disk / MU**2  # K* = {u_n >= mu |w|}
    points = np.concatenate([height * dual[None], np.broadcast_to(height, (30, len(dual), 1))], axis=2)
    surface(right, points, GREY, alpha=0.15)
    right.set(xlim=(-2.1, 2.1), ylim=(-2.1, 2.1), zlabel="$r_n$, $u_n$")
    return picture


def draw_rolling() -> plt.Figure:
    law = laws.Rolling(mu=MU, mu_r=MU_R)
    picture, axes = figure(3)
    cone(axes[0], flat_curve(laws.Rolling2D(mu=MU, mu_r=MU_R), "t1", "r1", (MU, MU_R)), GREEN, "cone K in the plane",
         ("$f_t$", "$m_r$ [m]"))  # fmt: skip
    surface(axes[1], boundary(law, ("r1", "r2", "t1"), (MU_R, MU_R, MU)), GREEN)
    dress(
        axes[1],
        "section C: rolling and one sliding row",
        ("$m_{r1}$ [m]", "$m_{r2}$ [m]", "$f_{t1}$"),
        (0.024, 0.024, 0.6),
    )
    surface(axes[2], boundary(law, ("t1", "t2", "r1"), (MU, MU, MU_R)), GREEN)
    dress(
        axes[2], "section C: sliding and one rolling row", ("$f_{t1}$", "$f_{t2}$", "$m_{r1}$ [m]"), (0.6, 0.6, 0.024)
    )
    return picture


def draw_slide_roll_spin() -> plt.Figure:
    law = laws.SlideRollSpin(mu=MU, mu_r=MU_R, mu_s=MU_S)
    picture, axes = figure(3)
    views = [
        (("t1", "t2", "s"), (MU, MU, MU_S), ("$f_{t1}$", "$f_{t2}$", "$m_s$ [m]"), "sliding and spinning"),
        (("r1", "r2", "s"), (MU_R, MU_R, MU_S), ("$m_{r1}$ [m]", "$m_{r2}$ [m]", "$m_s$ [m]"), "rolling and spinning"),
        (("t1", "r1", "s"), (MU, MU_R, MU_S), ("$f_{t1}$", "$m_{r1}$ [m]", "$m_s$ [m]"), "one row of each"),
    ]
    for ax, (rows, size, labels, title) in zip(axes, views, strict=True):
        surface(ax, boundary(law, rows, size), ORANGE)
        dress(ax, f"section C: {title}", labels, tuple(1.2 * s for s in size))
    return picture


def draw_superellipse() -> plt.Figure:
    picture, axes = figure(3)
    for ax, (q, colour) in zip(axes, ((1.0, RED), (2.0, BLUE), (6.0, GREEN)), strict=True):
        curve = flat_curve(laws.Superellipse(mu_x=0.3, mu_y=0.2, q=q), "t1", "t2", (0.3, 0.2))
        cone(ax, curve, colour, f"cone K, q = {q:g}", ("$f_{t1}$", "$f_{t2}$"))
        ax.set(xlim=(-0.35, 0.35), ylim=(-0.35, 0.35))
    return picture


def draw_contensou() -> plt.Figure:
    radius = 0.02
    law = laws.Contensou(mu=MU, patch_radius=radius)
    most = 3 * np.pi / 16 * MU * radius
    picture, (left, right) = figure(2)
    ball = boundary(law, ("t1", "t2", "s"), (MU, MU, most))
    surface(left, ball, PURPLE)
    dress(left, "friction ball: one budget", ("$f_{t1}$", "$f_{t2}$", "$m_s$ [m]"), (0.6, 0.6, 1.2 * most))
    surface(right, ball, PURPLE)
    box = boundary(laws.Coulomb(mu=MU) * laws.Spin(mu_s=most), ("t1", "t2", "s"), (MU, MU, most), 61)
    surface(right, box, GREY, alpha=0.22)
    dress(right, "inside the cylinder of two budgets", ("$f_{t1}$", "$f_{t2}$", "$m_s$ [m]"), (0.6, 0.6, 1.2 * most))
    return picture


def draw_product() -> plt.Figure:
    law = laws.Superellipse(mu_x=0.3, mu_y=0.2, q=4) * laws.Roll(mu_r=MU_R) * laws.Spin(mu_s=MU_S)
    picture, axes = figure(2)
    surface(axes[0], boundary(law, ("t1", "t2", "s"), (0.3, 0.2, MU_S)), RED)
    dress(axes[0], "superellipse × spin", ("$f_{t1}$", "$f_{t2}$", "$m_s$ [m]"), (0.35, 0.35, 0.012))
    surface(axes[1], boundary(law, ("r1", "r2", "t1"), (MU_R, MU_R, 0.3)), RED)
    dress(axes[1], "rolling disk × superellipse", ("$m_{r1}$ [m]", "$m_{r2}$ [m]", "$f_{t1}$"), (0.024, 0.024, 0.35))
    return picture


def draw_contour() -> plt.Figure:
    """The rim's force is a ratio of the normal force, like sliding friction, and has a budget of its own."""
    law = laws.Coulomb(mu=MU) * laws.Roll(mu_r=0.2)  # with rolling="contour" a ratio
    picture, (left, right) = figure(2)
    cone(left, flat_curve(laws.Rolling2D(mu=MU, mu_r=0.2), "t1", "r1", (MU, 0.2)), BLUE, "cone K, one sliding direction",
         ("$f_t$", "$f_R$"))  # fmt: skip
    surface(right, boundary(law, ("t1", "t2", "r1"), (MU, MU, 0.2)), BLUE)
    dress(right, "section C: sliding × along the rim", ("$f_{t1}$", "$f_{t2}$", "$f_R$"), (0.6, 0.6, 0.25))
    return picture


def draw_law_and_velocity() -> plt.Figure:
    """The idea in one picture: the load is the point of C that is farthest against the velocity."""
    picture, axes = plt.subplots(figsize=(6.2, 4.0), layout="constrained")
    law = laws.Superellipse(mu_x=0.5, mu_y=0.3, q=3)
    curve = flat_curve(law, "t1", "t2", (0.5, 0.3))
    axes.fill(*curve.T, facecolor="#e8eef7", edgecolor=BLUE, lw=2)
    for angle, colour in ((35, RED), (100, GREEN), (200, PURPLE)):
        w = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
        load = law.project_section(-FAR * w[None], 1.0)[0]
        axes.annotate("", load, (0, 0), arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 2})
        axes.annotate(
            "", load - 0.16 * w, load, arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 1.2, "ls": "--"}
        )
        across = np.array([-w[1], w[0]])
        axes.plot(*np.array([load - 0.22 * across, load + 0.22 * across]).T, color=colour, lw=0.8)
        axes.text(*(load - 0.19 * w), "$-w$", color=colour, ha="center", va="center")
    axes.text(0.06, -0.07, "C", color=BLUE, fontsize=14)
    axes.plot(0, 0, "ko", ms=4)
    axes.set(aspect="equal", xlabel="$f_{t1} / r_n$", ylabel="$f_{t2} / r_n$", xlim=(-0.78, 0.78), ylim=(-0.55, 0.55))
    axes.set_title("sliding with velocity w: the load that dissipates most", fontsize=11)
    return picture


PICTURES = {
    "idea": draw_law_and_velocity, "coulomb": draw_coulomb, "rolling": draw_rolling,
    "slide-roll-spin": draw_slide_roll_spin, "superellipse": draw_superellipse, "contensou": draw_contensou,
    "contour": draw_contour, "product": draw_product,
}  # fmt: skip


def main(folder: Path) -> None:
    for name, draw in PICTURES.items():
        picture = draw()
        picture.savefig(folder / f"law-{name}.png", dpi=110)
        plt.close(picture)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
