"""Section 6.2: piles of 250 spheres, phi = 0.02 m, dropped one by one from 10 phi.

The text gives no rate: 15 spheres per second is the fastest at which one has left the place of the next.  Its plane is 60 phi
wide: spheres that left it are not part of the pile.  mu_r is a length [m] and goes up to 1, 100 radii: such spheres never roll.
Their runs cost ten times as much: a contact clamps with a hundredth of its load, so that loads must be that much more accurate.
Figure 5 has the three mu of its caption, {0.3, 0.5, 0.7}; the text names {0.1, 0.3, 1}, which are those of figure 4.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.collections import EllipseCollection
from numpy.typing import NDArray

from trundle import BoxRegion, HalfSpace, Run, Scene, Sphere, laws, simulate
from trundle.measure import base_radius, pile_height, settled
from trundle.measure.snapshot import Snapshot
from trundle.papers.report import Progress, Report
from trundle.sweep import Campaign, run_campaign

Array = NDArray[np.float64]
DIAMETER, DENSITY, COUNT, RATE, WIDTH = 0.02, 1300.0, 250, 15.0, 60.0
FEWEST = 3  # spheres that have a mean distance from their centroid
MU_4 = (0.1, 0.3, 1.0)  # of figure 4
MU_5 = (0.3, 0.5, 0.7)  # of figure 5
MU_R = (1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 2e-3, 3e-3, 5e-3, 1e-2, 3e-2, 1e-1, 1.0)  # [m]
ENOUGH = 3  # values of mu_r from mu R on that a plateau is judged by
COLOURS = {0.3: "#edae49", 0.5: "#00798c", 0.7: "#d1495b"}
# The regimes of section 6.2, for every mu, as they are judged:
ONE = 0.05  # one: at the smallest mu_r the height is one diameter, within this share
GROWS = 2.0  # two: the plateau is this many times as high as that, and the radius of the bottom this many times smaller
FLAT = 0.05  # three: from mu_r = mu R on a line through all runs, over log mu_r, changes by less than this share of its mean, or
SURE = 1.96  # its slope is less than this many standard errors from zero


def scene(mu: float, mu_r: float, seed: int, count: int = COUNT) -> Scene:
    """Spheres poured onto a plane; centres within [-phi/2, phi/2] at the height 10 phi."""
    made = Scene()
    made.add(HalfSpace(normal=(0, 0, 1)), name="plane", fixed=True, surface="plane")
    region = BoxRegion((-DIAMETER, -DIAMETER, 10 * DIAMETER), (DIAMETER, DIAMETER, 10 * DIAMETER))
    made.emit(
        Sphere(radius=0.5 * DIAMETER), name="sphere", density=DENSITY, rate=RATE, count=count, region=region,
        surface="sphere", seed=seed,
    )  # fmt: skip
    # lengths beyond a radius are taken for ratios by mistake, unless they are given as ratios: of R / 2 and R here
    for other, radius in (("sphere", 0.25 * DIAMETER), ("plane", 0.5 * DIAMETER)):
        long = mu_r > 0.5 * DIAMETER
        made.surface("sphere", other, law=laws.Rolling(mu=mu, mu_r=mu_r / radius if long else mu_r), ratio=long)
    return made


def pour(
    mu: float, mu_r: float, seed: int = 0, count: int = COUNT, time_step: float = 1e-3, tolerance: float = 1e-4,
    record: Path | None = None,
) -> Run:  # fmt: skip
    """Pour a pile and let it rest until 20 s, or for 3.3 s after the last sphere of a smaller one; theta = 1."""
    duration = count / RATE + 20.0 - COUNT / RATE
    steps = int(np.ceil(duration / time_step))
    every = steps if record is None else max(1, steps // 50)
    return simulate(
        scene(mu, mu_r, seed, count),
        steps * time_step,
        time_step,
        theta=1.0,
        tolerance=tolerance,
        every=every,
        record=record,
    )


def measure_pile(run: Run) -> dict[str, Any]:
    """Height and mean base radius in diameters, of the spheres on the plane of 60 phi."""
    s = Snapshot(run)
    on_plane = np.all(np.abs(s.position[:, :2]) <= 0.5 * WIDTH * DIAMETER, axis=1)
    x, r = s.position[on_plane], s.radius[on_plane]
    missed = int((~run.steps["converged"]).sum())
    if len(x) == 0:  # all rolled off: no pile, and no height
        gone = {"height": np.nan, "base_radius": np.nan, "on_plane": 0, "settled": True}
        return {**gone, "missed_steps": missed}
    rest = settled(s.velocity[on_plane], r)
    radius = base_radius(x, r, ground=0.0) / DIAMETER if len(x) >= FEWEST else np.nan  # one sphere has no distance
    return {
        "height": pile_height(x, r, ground=0.0) / DIAMETER, "base_radius": radius,
        "on_plane": int(on_plane.sum()), "settled": rest.settled, "missed_steps": missed,
    }  # fmt: skip


def measured(mu: float, mu_r: float, seed: int = 0, count: int = COUNT, time_step: float = 1e-3) -> dict[str, Any]:
    """One run of figure 5, for campaigns: function = "trundle.papers.acary_bourrier_2021.pile:measured"."""
    return measure_pile(pour(mu, mu_r, seed, count, time_step))


def figure_4(report: Report, quick: bool, progress: Progress) -> None:
    """Final piles at rest, from the side and from above."""
    count = 30 if quick else COUNT
    cases = [(mu, mu_r) for mu_r in (3e-3, 3e-4) for mu in MU_4]
    figure, axes = plt.subplots(4, 3, figsize=(11.5, 13.0), layout="constrained", height_ratios=(0.45, 1, 0.45, 1))
    folder = report.folder / "recordings"
    folder.mkdir(parents=True, exist_ok=True)
    for i, (mu, mu_r) in enumerate(cases):
        progress(f"mu = {mu:g}, mu_r = {mu_r:g} m", i / len(cases))
        path = folder / f"pile-{mu:g}-{mu_r:g}-{count}.h5"
        path.unlink(missing_ok=True)
        run = pour(mu, mu_r, 0, count, record=path)
        values = measure_pile(run)
        side, above = axes[2 * (i // 3) : 2 * (i // 3) + 2, i % 3]
        side.set_title(f"$\\mu$ = {mu:g}, $\\mu_r$ = {mu_r:g} m: height {values['height']:.1f} $\\varphi$", fontsize=9)
        _draw_pile(side, run, (0, 2), (0.0, 11.0))
        _draw_pile(above, run, (0, 1), (-12.0, 12.0))
        report.add_ours(
            f"final pile, mu = {mu:g}, mu_r = {mu_r:g} m: height and mean base radius", "figure 4",
            ours=[values["height"], values["base_radius"]], unit="diameters",
            note=f"{values['on_plane']} of {count} spheres on the plane, {'at rest' if values['settled'] else 'still moving'}",
        )  # fmt: skip
    report.figure(
        figure, "figure-4",
        "Piles at the end, from the side and from above; lighter spheres are higher. Recordings are in recordings/: trundle "
        "view shows them.",
    )  # fmt: skip


def _draw_pile(ax: Any, run: Run, along: tuple[int, int], upward: tuple[float, float]) -> None:
    """Spheres of the last frame as circles, far ones first, lighter where they are higher."""
    s = Snapshot(run, -1)
    depth = 3 - sum(along)
    order = np.argsort(s.position[:, depth] * (1.0 if depth == 2 else -1.0))
    flat = s.position[order][:, along] / DIAMETER
    height = s.position[order, 2] / DIAMETER
    ax.add_collection(
        EllipseCollection(
            np.ones(len(flat)), np.ones(len(flat)), np.zeros(len(flat)), units="x", offsets=flat,
            offset_transform=ax.transData, facecolors=plt.get_cmap("cividis")(0.2 + 0.1 * height), edgecolors="0.15",
            linewidths=0.4,
        )
    )  # fmt: skip
    ax.set(
        aspect="equal", xlim=(-12, 12), ylim=upward, xlabel="x / $\\varphi$", ylabel=f"{'xyz'[along[1]]} / $\\varphi$"
    )


def campaign(quick: bool) -> Campaign:
    """The runs of figure 5."""
    return Campaign(
        name="acary-bourrier-2021 figure 5", function="trundle.papers.acary_bourrier_2021.pile:measured",
        vary={"mu": [0.3] if quick else list(MU_5), "mu_r": [1e-5, 1e-3, 1e-2] if quick else list(MU_R)},
        fixed={"count": 30} if quick else {}, seeds=(0,) if quick else (0, 1, 2),
    )  # fmt: skip


def figure_5(report: Report, quick: bool, progress: Progress) -> None:
    """Height and mean radius over mu_r; the runs are kept in figure-5-runs and only missing ones are computed."""
    made = campaign(quick)
    result = run_campaign(
        made, report.folder / ("figure-5-quick" if quick else "figure-5-runs"), workers=0 if quick else None,
        progress=lambda p: progress(f"figure 5: {p.in_words()}", p.done / p.total),
    )  # fmt: skip
    table = result.good
    report.remark(
        f"Figure 5: {made.fixed.get('count', COUNT)} spheres, phi = {DIAMETER} m, {DENSITY:g} kg/m^3, from 10 phi, {RATE:g} per "
        f"second (the text gives no rate), plane {WIDTH:g} phi wide, h = 1e-3 s, theta = 1, tolerance 1e-4, 20 s; mu of the "
        "caption, mu_r in metres."
    )
    figure, axes = plt.subplots(1, 2, figsize=(9.0, 3.6), layout="constrained")
    means = {}
    for mu, group in table.groupby("mu"):
        for ax, name in zip(axes, ("height", "base_radius"), strict=True):
            values = group.groupby("mu_r")[name].agg(["mean", "min", "max"])
            spread = [values["mean"] - values["min"], values["max"] - values["mean"]]
            colour = COLOURS[float(mu)]
            ax.errorbar(values.index, values["mean"], yerr=spread, color=colour, marker="o", markersize=4, capsize=3,
                        label=f"$\\mu$ = {mu:g}", linewidth=1.2)  # fmt: skip
        means[float(mu)] = group.groupby("mu_r")[["height", "base_radius", "on_plane"]].mean()
    for ax, label in zip(axes, ("height / $\\varphi$", "mean base radius / $\\varphi$"), strict=True):
        ax.set(xscale="log", xlabel="$\\mu_r$ [m]", ylabel=label)
        ax.grid(alpha=0.25)
    axes[0].legend(frameon=False)
    report.figure(
        figure,
        "figure-5",
        f"Mean of {len(made.seeds)} seeds; bars from the lowest to the highest.",
    )
    if quick:
        report.add_ours(
            "heights of piles of 30 spheres, mu = 0.3", "figure 5", ours=means[0.3]["height"].to_numpy(), unit="diameters",
            note="mu_r = 1e-5, 1e-3, 1e-2 m; too small a pile for the paper's regimes: run it without --quick",
        )  # fmt: skip
    else:
        _claim_regimes(report, table, means, result.failed)


def plateau(mu_r: Array, values: Array) -> tuple[float, bool]:
    """Change of a line through the values over log mu_r, in shares of their mean, and whether it counts as none."""
    x = np.log(mu_r)
    (slope, _), covariance = np.polyfit(x, values, 1, cov=True)
    change = float(slope * np.ptp(x) / np.mean(values))
    return change, abs(change) < FLAT or bool(abs(slope) < SURE * np.sqrt(covariance[0, 0]))


def _claim_regimes(report: Report, table: Any, means: dict[float, Any], failed: int = 0) -> None:
    """The three regimes, for every mu; the rules are beside the constants above."""
    levels = []
    for mu, values in sorted(means.items()):
        height, radius = values["height"].to_numpy(), values["base_radius"].to_numpy()
        report.judge(
            f"first regime, mu = {mu:g}: for low mu_r the height is one diameter", "section 6.2, figure 5(a)", paper=1.0,
            ours=float(height[0]), agrees=abs(height[0] - 1.0) < ONE, unit="diameters",
            note=f"mu_r = {MU_R[0]:g} m; {float(values['on_plane'].iloc[0]):.0f} spheres are on the plane at the end",
        )  # fmt: skip
        beyond = table[(table["mu"] == mu) & (table["mu_r"] >= 0.999 * mu * 0.5 * DIAMETER)].dropna()
        if beyond.empty:  # the largest mu_r there is stands for the plateau
            beyond = table[(table["mu"] == mu) & (table["mu_r"] == table["mu_r"].max())].dropna()
        levels.append(float(beyond["height"].mean()))
        for what, growth in (
            ("height grows", levels[-1] / float(height[0])),
            ("mean radius of the bottom decreases", float(np.nanmax(radius)) / float(beyond["base_radius"].mean())),
        ):
            report.judge(
                f"second regime, mu = {mu:g}: the {what} quickly", "section 6.2, figure 5", paper="quickly", ours=growth,
                agrees=growth > GROWS, note=f"ratio over the second regime; agrees if it is more than {GROWS:g}",
            )  # fmt: skip
        for what, name in (("height", "height"), ("mean radius of the bottom", "base_radius")):
            claim = f"third regime, mu = {mu:g}: the {what} does not depend on mu_r"
            if beyond["mu_r"].nunique() < ENOUGH:
                report.leave_untested(
                    claim, "section 6.2", paper="stable",
                    note=f"only {beyond['mu_r'].nunique()} values of mu_r are beyond mu R",
                )  # fmt: skip
                continue
            change, stable = plateau(beyond["mu_r"].to_numpy(), beyond[name].to_numpy())
            report.judge(
                claim, "section 6.2", paper="stable", ours=change,
                agrees=stable, note=f"relative change of a line through {len(beyond)} runs from mu_r = mu R to 1 m; agrees if it "
                f"is below {FLAT:g} or its slope is within {SURE:g} standard errors of zero",
            )  # fmt: skip
    report.judge(
        "third regime: the height increases with mu", "section 6.2", paper="increases", ours=levels,
        agrees=bool(np.all(np.diff(levels) > 0.0)), unit="diameters", note=f"means of the plateaus, mu = {sorted(means)}",
    )  # fmt: skip
    report.add_ours(
        "runs, those that came to rest, and steps that missed the tolerance 1e-4", "figure 5",
        ours=[len(table), int(table["settled"].sum()), int(table["missed_steps"].sum())],
        note=f"{failed} runs failed; those with little rolling friction are still rolling off the plane",
    )  # fmt: skip
