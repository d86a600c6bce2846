"""The convex sets behind the laws, drawn with nothing but their projections.

    python examples/compare_laws.py [PICTURE]

The boundary of a section C is where far points are projected to.  A contact that slides with velocity w carries the
load of C that is farthest along -w: where the law is associated, -w is normal to the boundary.
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from trundle import laws

BLUE, ORANGE, GREEN, RED, PURPLE, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#7F7F7F"
ANGLES = np.linspace(0.0, 2.0 * np.pi, 1441)


def boundary(law: laws.Law, first: int, second: int, stretch: tuple[float, float] = (1.0, 1.0)) -> np.ndarray:
    """Boundary of the section in the plane of two friction rows, shape (n, 2).

    Far away, a point is projected to the load of C that is the farthest in its direction.
    """
    directions = np.zeros((len(ANGLES), law.d - 1))
    directions[:, first] = np.cos(ANGLES) / stretch[0]
    directions[:, second] = np.sin(ANGLES) / stretch[1]
    return law.project_section(1e7 * directions, 1.0)[:, [first, second]]


def draw_superellipses(axes: plt.Axes) -> None:
    """Orthotropic sliding, Hjiaj et al. (2004)."""
    for q, colour in ((1.0, RED), (2.0, BLUE), (6.0, GREEN), (np.inf, GREY)):
        curve = boundary(laws.Superellipse(mu_x=0.3, mu_y=0.2, q=q), 0, 1, (0.3, 0.2))
        axes.plot(*np.vstack([curve, curve[:1]]).T, color=colour, lw=2, label="q = ∞" if np.isinf(q) else f"q = {q:g}")
    axes.set(title="Superellipse: sliding", xlabel="$f_{t1} / r_n$", ylabel="$f_{t2} / r_n$", aspect="equal")
    axes.legend(loc="center", frameon=False, fontsize=9)


def draw_sliding_directions(axes: plt.Axes) -> None:
    """Where a contact slides to: -w is normal to C (k = 1), or turned (k = 0)."""
    law = laws.Superellipse(mu_x=0.3, mu_y=0.15, q=2, k=1)
    curve = boundary(law, 0, 1, (0.3, 0.15))
    axes.fill(*curve.T, facecolor="#EEF3F8", edgecolor=BLUE, lw=2)
    for k, colour in ((1.0, BLUE), (0.0, ORANGE)):
        turned = laws.Superellipse(mu_x=0.3, mu_y=0.15, q=2, k=k)
        weight = turned.weights()[0]
        for t in np.radians([15, 45, 75, 105, 135, 165, 195, 225, 255, 285, 315, 345]):
            load = np.array([0.3 * np.cos(t), 0.15 * np.sin(t)])
            normal = load / np.array([0.3, 0.15]) ** 2  # of the ellipse
            slip = normal / weight  # -G w is normal to C
            slip *= 0.085 / np.hypot(*slip)
            axes.annotate("", load + slip, load, arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 1.6})
        axes.plot([], [], color=colour, lw=2, label=f"k = {k:g}: " + ("associated" if k == 1.0 else "along the load"))
    axes.set(title="Sliding direction −w at a load", xlabel="$f_{t1} / r_n$", ylabel="$f_{t2} / r_n$", aspect="equal")
    axes.set(xlim=(-0.42, 0.42), ylim=(-0.28, 0.28))
    axes.legend(loc="center", frameon=False, fontsize=9)


def draw_contensou(axes: plt.Axes) -> None:
    """Sliding and spinning: one budget (Contensou) or two (a product)."""
    mu, patch_radius = 0.3, 2e-3
    most_spin = 3.0 * np.pi / 16.0 * mu * patch_radius  # of the patch, if it spins without sliding
    ball = boundary(laws.Contensou(mu=mu, patch_radius=patch_radius), 0, 2, (mu, most_spin))
    box = boundary(laws.SlideRollSpin(mu=mu, mu_r=0.0, mu_s=most_spin), 0, 2, (mu, most_spin))
    axes.fill(ball[:, 0], 1e3 * ball[:, 1], facecolor="#F8F1E4", edgecolor=ORANGE, lw=2, label="Contensou: one budget")
    axes.plot(box[:, 0], 1e3 * box[:, 1], color=GREY, lw=2, label="product: two budgets")
    axes.set(title="Sliding and spinning", xlabel="$f_{t1} / r_n$", ylabel="$m_s / r_n$  [mm]")
    axes.legend(loc="center", frameon=False, fontsize=9)


def draw_rolling(axes: plt.Axes) -> None:
    """Sliding and rolling: a product of disks, seen from the side; coefficients of three surfaces."""
    surfaces = (("rubber", 0.8, 1.5e-3, PURPLE), ("wood", 0.4, 1e-3, GREEN), ("steel", 0.2, 0.2e-3, BLUE))
    for name, mu, mu_r, colour in surfaces:
        curve = boundary(laws.Rolling(mu=mu, mu_r=mu_r), 0, 2, (mu, mu_r))
        axes.fill(curve[:, 0], 1e3 * curve[:, 1], facecolor="none", edgecolor=colour, lw=2)
        axes.text(-mu + 0.03, 1e3 * mu_r - 0.04, name, color=colour, va="top")
    axes.set(title="Rolling: disk × disk, from the side", xlabel="$f_{t1} / r_n$", ylabel="$m_{r1} / r_n$  [mm]")


def main() -> None:
    """Draw four families of laws."""
    path = sys.argv[1] if len(sys.argv) > 1 else "laws.png"
    figure, axes = plt.subplots(2, 2, figsize=(10.5, 9.0), layout="constrained")
    draw_superellipses(axes[0, 0])
    draw_sliding_directions(axes[0, 1])
    draw_contensou(axes[1, 0])
    draw_rolling(axes[1, 1])
    for panel in axes.flat:
        panel.axhline(0.0, color="#DDDDDD", lw=0.8, zorder=0)
        panel.axvline(0.0, color="#DDDDDD", lw=0.8, zorder=0)
        panel.spines[["top", "right"]].set_visible(False)
    figure.suptitle("A friction law is a convex set: loads possible per unit of normal load", fontsize=14)
    figure.savefig(path, dpi=130)
    print(f"written: {path}")


if __name__ == "__main__":
    main()
