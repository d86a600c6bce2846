"""Section 6.3: grains poured into a flat container; angle of repose over the rolling friction coefficient.

The paper's pile: 10,000 grains of 45 mm and 20028 kg/m^3 (printed per m^2), 800 per second from 1 m into 2 m x 2 m, mu = 0.6,
rho = sigma from 0 to 0.01 m, h = 5 ms, 15 s, of which 2.5 s are left to settle.  A pile of n grains is the same one smaller:
container, source and time of pouring shrink with n^(1/3); grains and fall are the same.

"A 2 m x 2 m flat container": taken as a floor, over whose rim grains may leave the pile.  Inside walls (walls=True) 1,000 grains
without rolling friction settle at 21 to 24 deg, for they have nowhere to roll, which is not the "almost flat stack" of the text.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import pyplot as plt

from trundle import BoxRegion, HalfSpace, Run, Scene, Sphere, laws, simulate
from trundle.errors import MeasureError
from trundle.measure import angle_of_repose, pile_height, settled
from trundle.measure.snapshot import Snapshot
from trundle.papers.report import Progress, Report
from trundle.sweep import Campaign, CampaignResult, run_campaign

DIAMETER, DENSITY, MU, GRAINS = 0.045, 20028.0, 0.6, 10_000
SIDE, DROP, RATE, DURATION, TIME_STEP = 2.0, 1.0, 800.0, 15.0, 5e-3
AXIS = 50.0  # deg, where the axis of figure 13 ends
FUNCTION = "trundle.papers.tasora_anitescu_2013.pile:repose"
RHO = [0.0, 0.0005, 0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.008, 0.01]  # [m]; f_rho = 2 rho / D from 0 to 0.44


def floor_width(grains: int) -> float:
    """Width [m] of the container of a pile."""
    return SIDE * (grains / GRAINS) ** (1.0 / 3.0)


def scene(rho: float, seed: int, grains: int, walls: bool = False) -> Scene:
    """Container, grains and the place they fall from: 0.5 m wide, from 1 m up to 1.4 m for the whole pile."""
    size = (grains / GRAINS) ** (1.0 / 3.0)
    source = 0.25 * size + 0.5 * DIAMETER
    made = Scene()
    for i, normal in enumerate(((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)) if walls else ()):
        offset = -0.5 * floor_width(grains)
        made.add(HalfSpace(normal=normal, offset=offset), name=f"wall{i}", fixed=True, surface="container")
    made.add(HalfSpace(normal=(0, 0, 1)), name="floor", fixed=True, surface="container")
    region = BoxRegion((-source, -source, DROP), (source, source, DROP + 0.4 * size + DIAMETER))
    made.emit(
        Sphere(radius=0.5 * DIAMETER), name="grain", density=DENSITY, rate=RATE * size**2, count=grains, region=region,
        surface="grain", seed=seed,
    )  # fmt: skip
    law = laws.SlideRollSpin(mu=MU, mu_r=rho, mu_s=rho)
    made.surface("grain", "grain", law=law)
    made.surface("grain", "container", law=law)
    return made


def pour(
    rho: float, seed: int = 0, grains: int = GRAINS, formulation: str = "exact", tolerance: float = 1e-3,
    walls: bool = False, record: Path | None = None,
) -> Run:  # fmt: skip
    """Pour a pile; theta = 1."""
    settling = DURATION - GRAINS / RATE
    duration = GRAINS / RATE * (grains / GRAINS) ** (1.0 / 3.0) + settling
    steps = int(np.ceil(duration / TIME_STEP))
    every = steps if record is None else max(1, steps // 60)
    return simulate(
        scene(rho, seed, grains, walls), steps * TIME_STEP, TIME_STEP, theta=1.0, formulation=formulation, tolerance=tolerance,
        every=every, record=record, max_iterations=2000,
    )  # fmt: skip


def repose(
    rho: float, seed: int = 0, grains: int = GRAINS, formulation: str = "exact", tolerance: float = 1e-3,
    walls: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Angle of repose [deg] of one pile, for campaigns; none (NaN) where there is no slope to measure, and `flat` says so."""
    run = pour(rho, seed, grains, formulation, tolerance, walls)
    s = Snapshot(run)
    here = np.all(np.abs(s.position[:, :2]) <= 0.5 * floor_width(grains), axis=1)
    x, r = s.position[here], s.radius[here]
    values: dict[str, Any] = {"f_rho": 2.0 * rho / DIAMETER, "missed_steps": int((~run.steps["converged"]).sum())}
    if len(x) == 0:  # a small pile without rolling friction may have left its floor
        gone = {"angle": np.nan, "interval": np.nan, "r_squared": np.nan, "flat": True, "height": 0.0, "settled": True}
        return {**values, **gone, "moving": 0.0, "on_floor": 0}
    try:
        found = angle_of_repose(x, r, centre=(0.0, 0.0), ground=0.0)
        values.update(angle=found.angle, interval=found.interval, r_squared=found.r_squared, flat=False)
    except MeasureError:
        values.update(angle=np.nan, interval=np.nan, r_squared=np.nan, flat=True)
    rest = settled(s.velocity[here], r)
    values.update(
        height=pile_height(x, r, ground=0.0) / DIAMETER, settled=rest.settled, moving=rest.moving, on_floor=len(x),
    )  # fmt: skip
    return values


def campaign(grains: int, formulation: str, rho: list[float], seeds: tuple[int, ...]) -> Campaign:
    """Angle of repose over rho = sigma."""
    return Campaign(
        name=f"angle of repose, {grains} grains, {formulation}", function=FUNCTION, vary={"rho": rho},
        fixed={"grains": grains, "formulation": formulation}, seeds=seeds,
    )  # fmt: skip


def figure_13(
    report: Report, progress: Progress, grains: int, rho: list[float], *, seeds: int = 1,
    formulations: tuple[str, ...] = ("exact",),
) -> None:  # fmt: skip
    """Angle of repose over f_rho; runs are kept, and only missing ones computed."""
    report.remark(
        f"Pile of {grains} grains: D = {DIAMETER} m, {DENSITY:g} kg/m^3, mu = {MU}, rho = sigma, h = {TIME_STEP} s, theta = 1, "
        f"tolerance 1e-3; floor {floor_width(grains):.2f} m wide, without walls; poured from {DROP:g} m at "
        f"{RATE * (grains / GRAINS) ** (2 / 3):.0f}/s. Source, floor and time of pouring of fewer than {GRAINS} grains shrink "
        "with n^(1/3)."
    )
    figure, ax = plt.subplots(figsize=(5.2, 3.8), layout="constrained")
    colours = {"exact": "#00798c", "relaxed": "#d1495b"}
    for k, formulation in enumerate(formulations):
        made = campaign(grains, formulation, rho, tuple(range(seeds)))
        result = run_campaign(
            made, report.folder / f"repose-{grains}-{formulation}", workers=0 if grains < 1000 else None,
            progress=lambda p, k=k, f=formulation: progress(  # type: ignore[misc]
                f"angle of repose, {f}: {p.in_words()}", (k + p.done / p.total) / len(formulations)
            ),
        )  # fmt: skip
        table = result.good
        means = table.groupby("f_rho")[["angle", "interval"]].agg(["mean", "std"])
        spread = np.hypot(means["interval"]["mean"], means["angle"]["std"].fillna(0.0))
        ax.errorbar(
            means.index, means["angle"]["mean"], yerr=spread, marker="o", markersize=4, capsize=3, linewidth=1.2,
            color=colours.get(formulation, "0.3"), label=formulation,
        )  # fmt: skip
        _claim_curve(report, result, formulation, grains)
    ax.set(
        xlabel="rolling friction $f_\\rho = 2 \\rho / D$", ylabel="angle of repose [deg]", ylim=(0.0, 60.0),
        xlim=(-0.01, 0.46), title=f"{grains} grains",
    )  # fmt: skip
    ax.grid(alpha=0.25)
    ax.legend(frameon=False)
    report.figure(
        figure, f"figure-13-{grains}" + ("" if "exact" in formulations else "-relaxed"),
        "Axes as in the paper, whose points are not in its text. Bars: 95 % interval over the azimuth"
        + (f" and spread of {seeds} seeds." if seeds > 1 else "."),
    )  # fmt: skip


def _claim_rise(report: Report, table: Any, means: Any, formulation: str, of: str) -> None:
    """Flat without rolling friction, steep with much of it, rising in between, and within the paper's axis."""
    flat, steep = float(means["angle"].iloc[0]), float(means["angle"].iloc[-1])
    height = float(means["height"].iloc[0])
    report.judge(
        f"an almost flat stack without rolling friction ({formulation})", "section 6.3, figure 10", paper="almost flat",
        ours=flat if np.isfinite(flat) else "no slope to measure", unit="deg",
        agrees=not flat >= steep / 3.0,
        note=f"{of}: {height:.1f} D high, {100 * float(means['moving'].iloc[0]):.0f} % of the grains "
        "still moving; agrees if less than a third of the steepest, or if only the steepest has a slope to measure. "
        "'Flat container' is read as a floor without walls: inside "
        "walls 1,000 grains settle at 21 to 24 deg, for they have nowhere to roll",
    )  # fmt: skip
    report.judge(
        f"a steep cone at rho = 0.01 m ({formulation})", "section 6.3, figure 11", paper="steep", ours=steep, unit="deg",
        agrees=steep > 20.0, note=f"{of}: {float(means['height'].iloc[-1]):.1f} D high",
    )  # fmt: skip
    restless = [f"{2 * float(rho) / DIAMETER:.3f}" for rho in sorted(table.loc[~table["settled"], "rho"].unique())]
    angles = means["angle"].to_numpy()
    values = angles[np.isfinite(angles)]  # where there is no slope, there is no angle to judge
    report.judge(
        f"trend: the angle of repose rises with rolling friction ({formulation})", "figure 13", paper="rises",
        ours=[float(v) for v in angles], unit="deg",
        agrees=bool(len(values) > 1 and values[-1] > values[0] and np.all(np.diff(values) > -4.0)),
        note=f"{of}; f_rho = {[round(2 * float(r) / DIAMETER, 3) for r in means.index]}, 95 % intervals ± "
        f"{[round(float(v), 1) for v in means['interval']]}; not settled at the end: {', '.join(restless) or 'none'}; "
        "only the trend is compared: the paper's points are not in its text",
    )  # fmt: skip
    outside = [f"{2 * float(rho) / DIAMETER:.3f}" for rho, angle in means["angle"].items() if angle > AXIS]
    report.judge(
        f"all angles are within the axis of figure 13 ({formulation})", "figure 13", paper=f"0 to {AXIS:g}",
        ours=float(np.max(values)), unit="deg", agrees=not outside,
        note=f"{of}: the largest angle; beyond the axis at f_rho = {', '.join(outside) or 'none'}",
    )  # fmt: skip


def _claim_curve(report: Report, result: CampaignResult, formulation: str, grains: int) -> None:
    table = result.good
    means = table.groupby("rho")[["angle", "interval", "height", "moving"]].mean()
    steep = float(means["angle"].iloc[-1])
    of = f"{grains} grains, {formulation}"
    if np.isfinite(steep):
        _claim_rise(report, table, means, formulation, of)
    else:
        height = float(means["height"].iloc[-1])
        report.leave_untested(
            f"the angle of repose rises with rolling friction, from almost flat to steep ({formulation})", "section 6.3",
            paper="rises", note=f"{of}: the pile with the largest rho, {height:.1f} D high, has no slope to measure",
        )  # fmt: skip
    warned = table.loc[table["warnings"] != "", "warnings"]
    report.add_ours(
        f"steps that missed the tolerance, of {len(table)} runs ({formulation})", "-", ours=int(table["missed_steps"].sum()),
        note=f"{result.failed} runs failed; {result.run_seconds:.0f} s of computing in all, {result.cpu_seconds:.0f} s of them "
        "processor time"
        + (f"; {len(warned)} runs with a warning, such as: {warned.iloc[0]}" if len(warned) else ""),
    )  # fmt: skip
