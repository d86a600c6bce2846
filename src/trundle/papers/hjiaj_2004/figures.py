"""Figures 3, 4, 7 and 8, and the formulas of sections 3 and 4."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from numpy.typing import NDArray

from trundle import laws
from trundle.papers.hjiaj_2004.model import Anisotropy
from trundle.papers.report import Report

Array = NDArray[np.float64]
MU_X, MU_Y = 0.2, 0.4
ROUNDNESS = (1.0, 2.0, 6.0)
BLUE, RED, GREY = "#00798c", "#d1495b", "0.45"


def law(report: Report, quick: bool) -> None:
    """Friction condition, sliding potential and sliding directions, and the law of trundle beside them."""
    _conditions(report)
    _potentials(report)
    _formulas(report)


def _conditions(report: Report) -> None:
    figure, ax = plt.subplots(figsize=(4.6, 4.2), layout="constrained")
    theta = np.linspace(-np.pi, np.pi, 2001)
    worst = 0.0
    for q, style in zip(ROUNDNESS, ("-", "--", "-."), strict=True):
        r = Anisotropy(MU_X, MU_Y, max(q, 1.0 + 1e-15)).boundary(theta)
        ax.plot(r[:, 0], r[:, 1], style, color="0.1", linewidth=1.3, label=f"q = {q:g}")
        # what trundle's set makes of points of the curve, of one outside and of one inside
        p = np.concatenate([np.ones((len(r), 1)), r], axis=1)
        section = laws.Superellipse(mu_x=MU_X, mu_y=MU_Y, q=q)
        worst = max(worst, float(np.abs(section.project(p) - p).max()))
    ax.set(xlabel="$r_{tx} / r_n$", ylabel="$r_{ty} / r_n$", title="Figure 3: friction conditions", aspect="equal")
    ax.axhline(0, color="0.8", linewidth=0.7, zorder=0)
    ax.axvline(0, color="0.8", linewidth=0.7, zorder=0)
    ax.legend(frameon=False, loc="center", fontsize=8)
    report.figure(
        figure, "figure-3", "Friction condition for q = 1, 2, 6; mu_x = 0.2, mu_y = 0.4 (the paper gives none)."
    )
    crossing = [Anisotropy(MU_X, MU_Y, q).boundary(np.array([0.0, np.pi / 2])).max() for q in (2.0, 6.0)]
    report.compare(
        "the condition crosses the axes at mu_x r_n and mu_y r_n", "section 3.1", paper=[MU_Y, MU_Y], ours=crossing,
        tolerance=1e-15, note="shown for the y-axis, q = 2 and 6",
    )  # fmt: skip
    report.judge(
        "points of the parametric form are fixed points of the projection onto trundle's cone", "section 3.1, figure 3",
        paper="on the boundary", ours=worst, agrees=worst < 1e-12, note="largest change, q = 1, 2 and 6",
    )  # fmt: skip


def _directions(ax: Any, model: Anisotropy, count: int = 20, length: float = 0.11) -> None:
    """Arrows of the sliding direction w at points of the friction condition; grey: its normal."""
    theta = np.linspace(-np.pi, np.pi, count, endpoint=False) + 0.08
    r = model.boundary(theta)
    w = model.velocity(r)
    normal = model.Qq * w
    for arrows, colour in ((normal, "0.7"), (w, RED)):
        unit = length * arrows / np.linalg.norm(arrows, axis=1, keepdims=True)
        ax.quiver(*r.T, *unit.T, color=colour, angles="xy", scale_units="xy", scale=1.0, width=0.006)


def _potentials(report: Report) -> None:
    theta = np.linspace(-np.pi, np.pi, 801)
    figure, axes = plt.subplots(1, 3, figsize=(10.5, 4.3), layout="constrained", sharey=True)
    for ax, k in zip(axes, (0.0, 1.0, 2.0), strict=True):
        model = Anisotropy(MU_X, MU_Y, 3.0, k)
        potential = model.boundary(theta) * model.p / model.mu
        ax.plot(*model.boundary(theta).T, color="0.1", linewidth=1.3, label="friction condition")
        ax.plot(*potential.T, "--", color=BLUE, linewidth=1.1, label="sliding potential")
        _directions(ax, model)
        ax.set(title=f"k = {k:g}" + (" (associated)" if k == 1.0 else ""), xlabel="$r_{tx} / r_n$", aspect="equal")
        ax.set(xlim=(-0.5, 0.5), ylim=(-0.62, 0.62))
    axes[0].set_ylabel("$r_{ty} / r_n$")
    axes[0].legend(frameon=False, fontsize=7, loc="upper left")
    figure.suptitle("Figures 4 and 7, q = 3: sliding direction −u (red) and the normal Q$^q$(−u) (grey)", fontsize=10)
    report.figure(
        figure, "figure-4-7", "Sliding potentials and directions; only for k = 1 is the velocity normal to the set."
    )
    _cone(report)


def _cone(report: Report) -> None:
    """Figure 8: the cone, a load on it, the velocity, and the transformed velocity (46), which is normal to the cone."""
    model = Anisotropy(MU_X, MU_Y, 3.0, 2.0)
    figure = plt.figure(figsize=(5.2, 4.4), layout="constrained")
    ax = figure.add_subplot(projection="3d")
    theta, height = np.meshgrid(np.linspace(-np.pi, np.pi, 121), np.linspace(0.0, 1.0, 12))
    edge = model.boundary(theta) * height[..., None]
    ax.plot_surface(edge[..., 0], edge[..., 1], height, color=BLUE, alpha=0.18, linewidth=0)
    rim = model.boundary(np.linspace(-np.pi, np.pi, 200))
    ax.plot(rim[:, 0], rim[:, 1], 1.0, color="0.2", linewidth=1.0)
    angle = 2.2
    r = model.boundary(np.array([angle]))[0]
    w = model.velocity(r)
    w = 0.3 * w / np.linalg.norm(w)
    v = np.append(model.Qq * w, -model.dual(model.Qq * w, model.mu))
    v = 0.45 * v / np.linalg.norm(v)
    ax.plot(*np.stack([np.zeros(3), [*r, 1.0]], axis=1), color="0.1", linewidth=1.0)
    ax.quiver(*r, 1.0, *w, 0.0, color=RED, arrow_length_ratio=0.15)
    ax.quiver(*r, 1.0, *v, color="0.1", arrow_length_ratio=0.12)
    ax.text(*(r + 1.05 * w), 1.06, "−u", color=RED)
    ax.text(r[0] + 1.1 * v[0], r[1] + 1.1 * v[1], 0.97 + v[2], "v = T(−u)", ha="right")
    ax.set(xlabel="$r_{tx}$", ylabel="$r_{ty}$", title="Figure 8: q = 3, k = 2")
    ax.set(xlim=(-0.6, 0.3), ylim=(-0.4, 0.7), zlim=(0.0, 1.1), xticks=(-0.6, -0.3, 0.0, 0.3), yticks=(0.0, 0.4))
    ax.text2D(0.88, 0.57, "$r_n$", transform=ax.transAxes)  # beside its axis, where the figure does not cut it off
    ax.view_init(elev=20, azim=-75)
    ax.set_box_aspect((0.9, 1.1, 1.1), zoom=0.88)
    ax.tick_params(labelsize=7)
    report.figure(figure, "figure-8", "The transformed velocity v of eq. (46) is normal to the cone; -u itself is not.")
    # v belongs to the normal cone at r: orthogonal to the generator and to the tangent of the section
    tangent = model.boundary(np.array([angle + 1e-6]))[0] - model.boundary(np.array([angle - 1e-6]))[0]
    tangent /= np.linalg.norm(tangent)
    error = max(abs(float(v @ np.append(r, 1.0))), abs(float(v[:2] @ tangent)))
    report.judge(
        "the transformed velocity is normal to the superelliptic cone", "eqs. (44)-(47), figure 8", paper=0.0, ours=error,
        agrees=error < 1e-8, note="tangent by a difference of 1e-6",
    )  # fmt: skip


def _formulas(report: Report) -> None:
    """Round trips of the sliding rule, and where the printed formulas are wrong."""
    theta = np.linspace(-3.1, 3.1, 240)  # not on an axis, where a tangent is 0 / 0
    trip = printed = tangent_right = tangent_printed = power = power_printed = engine = 0.0
    for q in (1.5, 2.0, 3.0, 6.0):
        for k in (0.0, 1.0, 2.0):
            model = Anisotropy(MU_X, MU_Y, q, k)
            r = model.boundary(theta)
            w = 0.7 * model.velocity(r)
            trip = max(trip, float(np.abs(model.load(w) - r).max()))
            printed = max(printed, float(np.abs(model.load_as_printed(w) - r).max()))
            tan_a, tan_b = np.abs(r[:, 1] / r[:, 0]), np.abs(w[:, 1] / w[:, 0])
            ratio = (model.p[1] / model.p[0]) ** model.s
            tangent_right = max(tangent_right, float(np.abs(ratio * tan_b ** (1 / (q - 1)) / tan_a - 1).max()))
            tangent_printed = max(tangent_printed, float(np.abs(tan_b ** (1 / (q - 1)) / ratio / tan_a - 1).max()))
            D = np.sum(r * w, axis=1)
            power = max(power, float(np.abs(model.norm(r, model.p) * model.dual(w, model.p) / D - 1).max()))
            wrong = model.norm(r, model.p) * model.dual((model.p / model.mu) ** (q - 1) * w, model.p)
            power_printed = max(power_printed, float(np.abs(wrong / D - 1).max()))
            engine = max(engine, _law_error(model, r, w))
    note = "q = 1.5, 2, 3, 6 and k = 0, 1, 2"
    report.judge(
        "the sliding rule and its inverse belong together", "eqs. (21), (22), (25), (26)", paper="inverse of each other",
        ours=printed, agrees=False,
        note=f"{note}; largest error per normal load, as printed. With the exponent 1/(q-1) on the norm too: {trip:.1e}",
    )  # fmt: skip
    report.judge(
        "tan(alpha) = (p_x / p_y)^(q/(q-1)) tan(beta)^(1/(q-1))", "section 3.2", paper=0.0, ours=tangent_printed,
        agrees=False, note=f"relative error as printed; it is (p_y / p_x): {tangent_right:.1e}",
    )  # fmt: skip
    report.judge(
        "D = |r_t|_qp |Q^(q-1) w|*_qp", "section 3.2", paper=0.0, ours=power_printed, agrees=False,
        note=f"relative error as printed; with |w|*_qp instead: {power:.1e}",
    )  # fmt: skip
    report.judge(
        "trundle's law obeys the corrected sliding rule", "eqs. (43)-(47)", paper=0.0, ours=engine, agrees=engine < 1e-9,
        note="natural map of pairs (r, u) on the boundary",
    )  # fmt: skip


def _law_error(model: Anisotropy, r: Array, w: Array) -> float:
    """How far pairs that obey the paper's law are from obeying trundle's: |p - proj_K(p - rho y^)|."""
    section = laws.Superellipse(mu_x=model.mu_x, mu_y=model.mu_y, q=model.q, k=model.k)
    y = np.concatenate([np.zeros((len(r), 1)), -w], axis=1)
    p = np.concatenate([np.ones((len(r), 1)), r], axis=1)
    corrected = np.concatenate([section.correction(y)[:, None], section.weights() * y[:, 1:]], axis=1)  # eq. (45)
    return float(np.abs(section.project(p - corrected) - p).max())


def bipotential(report: Report, quick: bool) -> None:
    """b_c >= -u . r for all pairs, with equality for those of the law."""
    rng = np.random.default_rng(0)
    count = 20_000 if quick else 400_000
    least, equality, free = np.inf, 0.0, 0.0
    for q in (1.5, 2.0, 6.0):
        for k in (0.0, 1.0, 2.0):
            model = Anisotropy(MU_X, MU_Y, q, k)
            w, u_n, r_n = rng.normal(size=(count, 2)), np.abs(rng.normal(size=count)), rng.exponential(size=count)
            inside = rng.random(count) ** 0.25
            r_t = (r_n * inside)[:, None] * model.boundary(rng.uniform(-np.pi, np.pi, count))
            slack = model.bipotential(u_n, w, r_n, r_t) - (-u_n * r_n + np.sum(w * r_t, axis=1))
            least = min(least, float(slack.min()))
            r = r_n[:, None] * model.load(w)
            zero = np.zeros(count)
            gap = model.bipotential(zero, w, r_n, r) - np.sum(w * r, axis=1)
            equality = max(equality, float(np.abs(gap / (1.0 + np.abs(np.sum(w * r, axis=1)))).max()))
            scaled = Anisotropy(MU_X, MU_Y, q, k, scale=1.7)
            free = max(free, float(np.abs(scaled.load(w) - model.load(w)).max()))
    report.judge(
        "b_c(-u, r) >= -u . r for all pairs", "eq. (63)", paper=0.0, ours=least, agrees=least > -1e-12,
        note=f"least slack of {9 * count} random pairs; (62) read as ((1 - Q^q)(-u_t)) . r_t",
    )  # fmt: skip
    report.judge(
        "equality for pairs that obey the law", "eq. (64)", paper=0.0, ours=equality, agrees=equality < 1e-12,
        note="largest relative gap, sliding pairs",
    )  # fmt: skip
    report.add_ours(
        "the law does not depend on the scale of p", "eq. (14)", ours=free,
        note="largest change of the load for p scaled by 1.7; (14) fixes the ratio only, and the bipotential does depend on it",
    )  # fmt: skip
