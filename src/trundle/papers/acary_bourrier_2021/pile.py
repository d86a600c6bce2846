"""Section 6.2: piles of 250 spheres, phi = 0.02 m, dropped one by one from 10 phi.

The text gives no rate: 15 spheres per second is the fastest at which one has left the place of the next.  Its plane is 60 phi
wide: spheres that left it are not part of the pile.  Its mu_r goes up to 1, of which a length in metres would be 100 radii;
here up to one radius, where the height no longer depends on it.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.collections import EllipseCollection
from numpy.typing import NDArray

from trundle import BoxRegion, HalfSpace, Run, Scene, Sphere, laws, simulate
from trundle.measure import base_radius, mode_fractions, pile_height, settled
from trundle.measure.snapshot import Snapshot
from trundle.papers.report import Progress, Report
from trundle.sweep import Campaign, run_campaign

Array = NDArray[np.float64]
DIAMETER, DENSITY, COUNT, RATE, WIDTH = 0.02, 1300.0, 250, 15.0, 60.0
FLAT = 0.05  # relative change that does not count
FEWEST = 3  # spheres that have a mean distance from their centroid
MU = (0.1, 0.3, 1.0)
MU_R = (1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2)  # [m]
COLOURS = {0.1: "#edae49", 0.3: "#00798c", 1.0: "#d1495b"}


def scene(mu: float, mu_r: float, seed: int, count: int = COUNT) -> Scene:
    """Spheres poured onto a plane; centres within [-phi/2, phi/2] at the height 10 phi."""
    made = Scene()
    made.add(HalfSpace(normal=(0, 0, 1)), name="plane", fixed=True, surface="plane")
    region = BoxRegion((-DIAMETER, -DIAMETER, 10 * DIAMETER), (DIAMETER, DIAMETER, 10 * DIAMETER))
    made.emit(
        Sphere(radius=0.5 * DIAMETER), name="sphere", density=DENSITY, rate=RATE, count=count, region=region,
        surface="sphere", seed=seed,
    )  # fmt: skip
    law = laws.Rolling(mu=mu, mu_r=mu_r)
    made.surface("sphere", "sphere", law=law)
    made.surface("sphere", "plane", law=law)
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
    """Final piles, and the modes of the contacts while the last spheres arrive."""
    count = 30 if quick else COUNT
    cases = [(mu, mu_r) for mu_r in (3e-3, 3e-4) for mu in MU]
    figure, axes = plt.subplots(2, 3, figsize=(11.5, 4.6), layout="constrained", sharex=True, sharey=True)
    folder = report.folder / "recordings"
    folder.mkdir(parents=True, exist_ok=True)
    for i, ((mu, mu_r), ax) in enumerate(zip(cases, axes.flat, strict=True)):
        progress(f"figure 4: mu = {mu:g}, mu_r = {mu_r:g} m", i / len(cases))
        path = folder / f"pile-{mu:g}-{mu_r:g}-{count}.h5"
        path.unlink(missing_ok=True)
        run = pour(mu, mu_r, 0, count, record=path)
        values = measure_pile(run)
        _draw_pile(ax, run, f"$\\mu$ = {mu:g}, $\\mu_r$ = {mu_r:g} m: height {values['height']:.1f} $\\varphi$")
        report.add_ours(
            f"final pile, mu = {mu:g}, mu_r = {mu_r:g} m: height and mean base radius", "figure 4",
            ours=[values["height"], values["base_radius"]], unit="diameters",
            note=f"{values['on_plane']} of {count} spheres on the plane, {'at rest' if values['settled'] else 'moving'}",
        )  # fmt: skip
    for ax in axes[-1]:
        ax.set_xlabel("x / $\\varphi$")
    for ax in axes[:, 0]:
        ax.set_ylabel("z / $\\varphi$")
    report.figure(
        figure, "figure-4",
        "Piles from the side while the last spheres arrive; dots are contacts, coloured by their mode. Titles: final height. "
        "Recordings are in recordings/: trundle view shows them.",
    )  # fmt: skip


def _draw_pile(ax: Any, run: Run, title: str) -> None:
    """Spheres as circles from the side, contacts as dots in the colour of their mode."""
    from trundle.measure.snapshot import contacts_of

    pouring = max(int(np.searchsorted(run.time, run.time[-1] - (20.0 - COUNT / RATE))) - 1, 1)
    s, contacts = Snapshot(run, pouring), contacts_of(run, pouring)
    order = np.argsort(s.position[:, 1])[::-1]
    flat = s.position[order][:, (0, 2)] / DIAMETER
    ax.add_collection(
        EllipseCollection(
            np.ones(len(flat)), np.ones(len(flat)), np.zeros(len(flat)), units="x", offsets=flat,
            offset_transform=ax.transData, facecolors="0.93", edgecolors="0.6", linewidths=0.5,
        )
    )  # fmt: skip
    colours = {"sticking": "0.35", "rolling": "#00798c", "sliding": "#d1495b", "sliding+rolling": "#edae49"}
    shares = mode_fractions(contacts.mode) if len(contacts.mode) else {}
    for name, colour in colours.items():
        here = np.asarray(contacts.mode) == name
        label = f"{name} ({100 * shares.get(name, 0.0):.0f} %)"
        ax.plot(
            *(np.asarray(contacts.point)[here][:, (0, 2)] / DIAMETER).T, ".", color=colour, markersize=4, label=label
        )
    ax.set(title=title, aspect="equal", xlim=(-12, 12), ylim=(0, 11))
    ax.title.set_fontsize(9)
    ax.legend(fontsize=6, loc="upper left", frameon=False)


def campaign(quick: bool) -> Campaign:
    """The runs of figure 5."""
    return Campaign(
        name="acary-bourrier-2021 figure 5", function="trundle.papers.acary_bourrier_2021.pile:measured",
        vary={"mu": [0.3] if quick else list(MU), "mu_r": [1e-5, 1e-3, 1e-2] if quick else list(MU_R)},
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
        f"second (the text gives no rate), plane {WIDTH:g} phi wide, h = 1e-3 s, theta = 1, tolerance 1e-4, 20 s; mu_r up to one "
        "radius, 0.01 m, where the text goes to 1 and does not say of what."
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
    report.figure(figure, "figure-5", f"Mean of {len(made.seeds)} seeds; bars from the lowest to the highest.")
    if quick:
        report.add_ours(
            "heights of piles of 30 spheres, mu = 0.3", "figure 5", ours=means[0.3]["height"].to_numpy(), unit="diameters",
            note="mu_r = 1e-5, 1e-3, 1e-2 m; too small a pile for the paper's regimes: run it without --quick",
        )  # fmt: skip
    else:
        _claim_regimes(report, table, means, result.failed)


def _plateau(table: Any, name: str) -> tuple[float, bool]:
    """Largest relative change of a mean over seeds from one mu_r to the next, and whether all are within the spread of seeds.

    Of the mu_r from mu R on: from there a sphere that is pushed slides rather than rolls.
    """
    largest, within = 0.0, True
    for mu, group in table.groupby("mu"):
        seeds = group[group["mu_r"] >= 0.999 * mu * 0.5 * DIAMETER].groupby("mu_r")[name].agg(["mean", "min", "max"])
        for one, other in pairwise(seeds.itertuples()):
            change = abs(other.mean - one.mean) / abs(other.mean)
            largest = max(largest, change)
            within &= change < FLAT or bool(max(one.min, other.min) <= min(one.max, other.max))
    return largest, within


def _claim_regimes(report: Report, table: Any, means: dict[float, Any], failed: int = 0) -> None:
    """Regime one: height one; two: growth; three: a plateau that grows with mu."""
    heights = {mu: values["height"].to_numpy() for mu, values in means.items()}
    radii = {mu: values["base_radius"].to_numpy() for mu, values in means.items()}
    first = max(float(height[0]) for height in heights.values())
    left = min(float(values["on_plane"].iloc[0]) for values in means.values())
    report.judge(
        "first regime: for low mu_r the height is one diameter", "section 6.2, figure 5(a)", paper=1.0, ours=first,
        agrees=abs(first - 1.0) < 0.05, unit="diameters",
        note=f"mu_r = {MU_R[0]:g} m; spheres roll off the plane, {left:.0f} are on it at the end",
    )  # fmt: skip
    growth = min(float(height[-1] / height[0]) for height in heights.values())
    report.judge(
        "second regime: the height grows quickly with mu_r", "section 6.2", paper="grows", ours=growth, agrees=growth > 2.0,
        note="least ratio of the last to the first height",
    )  # fmt: skip
    shrinking = min(float(np.nanmax(radius) / radius[-1]) for radius in radii.values())
    report.judge(
        "second regime: the mean radius of the bottom decreases quickly", "section 6.2, figure 5(b)", paper="decreases",
        ours=shrinking, agrees=shrinking > 2.0, note="least ratio of the largest to the last radius",
    )  # fmt: skip
    for what, name in (("height", "height"), ("mean radius of the bottom", "base_radius")):
        change, within = _plateau(table, name)
        report.judge(
            f"third regime: the {what} does not depend on mu_r", "section 6.2", paper="stable", ours=change, agrees=within,
            note="largest relative change of the mean beyond mu_r = mu R, where a sphere slides rather than rolls; agrees if "
            "it is below 5 % or the values of the seeds overlap",
        )  # fmt: skip
    most = max(set.intersection(*(set(values.index) for values in means.values())))  # that all mu have been run with
    highest = [float(means[mu]["height"][most]) for mu in sorted(means)]
    report.judge(
        "third regime: the height increases with mu", "section 6.2", paper="increases", ours=highest,
        agrees=bool(np.all(np.diff(highest) > 0.0)), unit="diameters",
        note=f"mu = {sorted(means)}, mu_r = {most:g} m",
    )  # fmt: skip
    report.add_ours(
        "runs, those that came to rest, and steps that missed the tolerance 1e-4", "figure 5",
        ours=[len(table), int(table["settled"].sum()), int(table["missed_steps"].sum())],
        note=f"{failed} runs failed; those with little rolling friction are still rolling off the plane",
    )  # fmt: skip
