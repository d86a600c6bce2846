"""Every number in the text of sections 4 and 6 beside ours."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from trundle.papers.le_saux_2005 import cases, figures
from trundle.papers.le_saux_2005.cases import DISK, DURATION, NAMES, OURS, Series, run_case
from trundle.papers.report import Report
from trundle.scene.shapes import Disk

Tell = Callable[[str, float], None]
SLIDES = 1e-4  # slip speed [m/s] above which a contact slides
QUICK = {1: 4.0, 2: 27.0, 3: 1.5, 4: 15.0}  # s
STEP_NOTE = (
    "The paper's scheme, which is of first order here (part convergence): not converged at this step. See our default scheme "
    "below, and the part step-size."
)
# Power p of dE/dt ~ -E^p in (5.54).  The other mechanisms of section 5.5 have -1, -1/2, 1/2 and 1: a fit tells them apart if
# it is within half of the least distance between them; it has "the form" if it is within a fifth of that.
PIVOTING, NEAR = 1.5, 0.1


def report_data(report: Report) -> None:
    """Section 4: the data set is consistent."""
    inertia = cases.MASS * np.diag(Disk(radius=cases.RADIUS).unit_inertia)
    where = "section 4, data set"
    report.compare("moment of inertia A", where, paper=1.0716e-4, ours=inertia[0], tolerance=5e-9, unit="kg m^2")
    report.compare(
        "moment of inertia C",
        where,
        paper=2.1433e-4,
        ours=inertia[2],
        tolerance=1e-8,
        unit="kg m^2",
        note="m r^2 / 2 = 2.14313e-4; printed with one digit off in the last place",
    )


def report_case(report: Report, case: int, h: float, quick: bool, tell: Tell) -> None:
    """Simulate a case, draw its figure and state its claims."""
    duration = QUICK[case] if quick else (DURATION if case < 4 else 20.0)
    series = run_case(case, duration, h, tell=tell)
    ours = run_case(case, duration, h, OURS, tell=lambda text, share: tell(f"{OURS}: {text}", 0.5 + 0.5 * share))
    report.figure(
        figures.draw_case(series, ours, f"simulation with {NAMES[case]}", 3 + case),
        f"figure-{3 + case}",
        f"Figure {3 + case}: {NAMES[case]}, time step {h:g} s; the paper's scheme, and moreau-jean, our default",
    )
    report.add_ours(
        f"case {case}: CPU time of the simulation",
        f"section 4.{case}",
        ours=round(series.cpu_time, 1),
        unit="s",
        note=f"{len(series.step_time)} steps, with the compilation of kernels where they are new",
    )
    for one, name in ((series, "the paper's scheme"), (ours, "our default scheme")):
        for text in one.warnings:
            report.remark(f"Case {case}, {name}: {text}")
    (_case_1, _case_2, _case_3, _case_4)[case - 1](report, series, quick)
    _default_scheme(report, ours, case)


def _default_scheme(report: Report, ours: Series, case: int) -> None:
    """What the same case gives with our default scheme at the same time step."""
    where = f"section 4.{case}, figure {3 + case}"
    end = ours.time[-1]
    if case == 1:
        loss = 100.0 * (1.0 - ours.step_energy[-1] / ours.step_energy[0])
        report.add_ours(f"case 1, default scheme: energy lost in {end:g} s", where, ours=float(loss), unit="%")
    if case == 3:
        k = int(np.argmax(ours.slip))
        report.add_ours(
            "case 3, default scheme: time and size of the peak of the sliding speed", where,
            ours=[float(ours.time[k]), float(ours.slip[k])], unit="s, m/s",
        )  # fmt: skip
    if case in (2, 4) and not math.isnan(ours.stop):
        report.add_ours(
            f"case {case}, default scheme: falls flat and stops at", where, ours=ours.stop, unit="s",
            note=f"at ({ours.position[-1, 0]:.3f}, {ours.position[-1, 1]:.3f}) m",
        )  # fmt: skip
        _final_stage(report, ours, case, ", default scheme")
    if case == 3 and end >= 12.0:
        _pivoting(report, ours, ", default scheme")


def _case_1(report: Report, series: Series, quick: bool) -> None:
    where = "section 4.1, figure 4"
    report.judge(
        "case 1: contact 1 sticks during the whole time",
        where,
        paper="sticks",
        unit="m/s",
        ours=float(series.slid.max()),
        agrees=bool(series.slid.max() < SLIDES),
        note="ours: the largest slip speed",
    )
    report.compare(
        "case 1: contact 1 is the only active one", where, paper=1, ours=float(series.contacts.max()), tolerance=0
    )
    psi = series.gamma_rate
    report.compare(
        "case 1: psi' stays equal to |omega(0)|",
        where,
        paper=10.0,
        ours=float(psi.mean()),
        tolerance=0.15,
        unit="rad/s",
        note=f"between {psi.min():.3f} and {psi.max():.3f} rad/s",
    )
    loss = 100.0 * (1.0 - series.step_energy[-1] / series.step_energy[0])
    if not quick:
        report.compare(
            "case 1: energy that the scheme dissipates in 80 s",
            where,
            paper=0.2,
            ours=float(loss),
            tolerance=0.05,
            unit="%",
            note="|dE| < 0.2 % holds. The paper's 0.2 % could not be reproduced: where the quaternion is normalised "
            "changes the loss, but never to more than 0.01 %.",
        )
    report.judge(
        "case 1: energy changes by less than 0.2 %", where, paper="0.2 %", ours=f"{loss:.2g} %", agrees=abs(loss) < 0.2
    )
    frequency = DISK.nutation_frequency(series.beta, series.alpha_rate, -series.gamma_rate)
    report.compare(
        "case 1: frequency of nutation by (5.22), almost constant",
        "section 6",
        paper=5.7,
        ours=float(np.nanmean(frequency)),
        tolerance=0.2,
        unit="rad/s",
        note=f"printed as Hz; it is an angular frequency. Standard deviation {np.nanstd(frequency):.2f} rad/s",
    )
    if not quick:
        report.compare(
            "case 1: frequency of nutation seen in beta(t)",
            "section 6",
            paper=5.7,
            ours=_frequency(series),
            tolerance=0.2,
            unit="rad/s",
            note="peak of the spectrum of beta",
        )
    chi = float(np.max(series.indicator))
    report.judge(
        "case 1: chi remains smaller than 1",
        "section 6",
        paper="chi < 1",
        ours=chi,
        agrees=chi < 1.0,
        note="ours: the largest chi",
    )


def _frequency(series: Series) -> float:
    """Angular frequency [rad/s] with the most power in the tilt, without its slow drift."""
    tilt = np.diff(series.tilt)
    spectrum = np.abs(np.fft.rfft((tilt - tilt.mean()) * np.hanning(len(tilt))))
    rates = 2.0 * math.pi * np.fft.rfftfreq(len(tilt), series.time[1] - series.time[0])
    return float(rates[np.argmax(spectrum)])


def _case_2(report: Report, series: Series, quick: bool) -> None:
    where = "section 4.2, figure 5"
    slides = series.slid > SLIDES
    onset = float(series.step_time[np.argmax(slides)]) if slides.any() else math.nan
    beta = float(np.interp(onset, series.time, series.beta))
    report.compare(
        "case 2: rolls without sliding until",
        where,
        paper=25.0,
        ours=onset,
        tolerance=0.5,
        unit="s",
        note="the text says 'the first 25 s' and '25.5 s' for the end of sliding",
    )
    report.compare(
        "case 2: inclination at which it begins to slide", where, paper=0.45, ours=beta, tolerance=0.01, unit="rad"
    )
    first = (series.step_time > onset) & (series.step_time < onset + 1.0) & (series.slid > 1e-3)
    report.compare(
        "case 2: it slides laterally for",
        where,
        paper=0.5,
        ours=float(np.ptp(series.step_time[first])) if first.any() else math.nan,
        tolerance=0.2,
        unit="s",
        note="time between the first and the last slip above 1 mm/s",
    )
    peak = (series.time > onset) & (series.time < onset + 1.0)
    if peak.any():
        k = int(np.argmax(np.where(peak, series.slip, 0.0)))
        report.add_ours(
            "case 2: peak of the sliding speed",
            where,
            ours=float(series.slip[k]),
            unit="m/s",
            note=f"at t = {series.time[k]:.3f} s",
        )
    if quick:
        return
    sticks = (series.step_time > 26.0) & (series.step_time < 31.5)
    report.judge(
        "case 2: sticks between 25.5 and 32 s",
        where,
        paper="sticks",
        ours=float(series.slid[sticks].max()),
        unit="m/s",
        agrees=bool(series.slid[sticks].max() < 1e-3),
        note="ours: largest slip between 26 and 31.5 s",
    )
    low, high = (
        float(np.mean(series.beta[(series.time > t) & (series.time < t + 1.0)])) for t in (25.8, 31.0)
    )  # means over many nutations
    report.judge(
        "case 2: the disk becomes more upright while it sticks",
        where,
        paper="beta decreases",
        ours=[low, high],
        unit="rad",
        agrees=high < low,
        note="mean beta from 25.8 to 26.8 s and from 31 to 32 s",
    )
    late = (series.step_time > 33.0) & (series.step_time < 60.0)
    share = float(np.mean(series.slid[late] > 3e-4))
    report.judge(
        "case 2: switches between sticking and sliding from 32 s on",
        where,
        paper="alternates",
        ours=share,
        agrees=0.02 < share < 0.98,
        note="ours: share of the steps from 33 to 60 s that slide faster than 0.3 mm/s",
    )
    report.compare(
        "case 2: falls flat and stops at", where, paper=67.0, ours=series.stop, tolerance=1.5, unit="s", note=STEP_NOTE
    )
    report.compare(
        "case 2: where it stops",
        "section 6, figure 5",
        paper=(-2.63, -1.89),
        ours=series.position[-1, :2].tolist(),
        tolerance=0.05,
        unit="m",
    )
    report.judge(
        "case 2: contacts 2 and 3 become active at the end",
        where,
        paper=3,
        ours=int(series.contacts[-1]),
        agrees=int(series.contacts[-1]) == 3,
    )
    _indicator(report, series)
    _final_stage(report, series, 2)


def _indicator(report: Report, series: Series) -> None:
    report.figure(figures.draw_indicator(series), "figure-10", "Figure 10: indicator chi of case 2, and the slip speed")
    before = (series.time > 1.0) & (series.time < 25.0)
    report.judge(
        "case 2: chi < 1 while it sticks (until 25 s)",
        "section 6, figure 10",
        paper="chi < 1",
        ours=float(series.indicator[before].max()),
        agrees=bool(series.indicator[before].max() < 1.0),
        note="ours: the largest chi",
    )
    slide = (series.time > 25.35) & (series.time < 25.5)
    report.judge(
        "case 2: chi > 1 while it slides (25.35 to 25.5 s)",
        "section 6, figure 10",
        paper="chi > 1",
        ours=float(series.indicator[slide].min()),
        agrees=bool(series.indicator[slide].min() > 1.0),
        note="ours: the smallest chi",
    )
    late = (series.time > 33.0) & (series.time < 66.0)
    report.compare(
        "case 2: chi oscillates around 1 from 32 s on",
        "section 6, figure 10",
        paper=1.0,
        ours=float(np.mean(series.indicator[late])),
        tolerance=0.15,
        note="ours: the mean from 33 to 66 s",
    )


def _final_stage(report: Report, series: Series, case: int, scheme: str = "") -> None:
    """Fit E ~ (t_f - t)^(2/3), (5.38), to the last part of the motion."""
    stop = series.stop
    if math.isnan(stop):
        return
    left = stop - series.time
    last = (left > 0.01 * stop) & (left < 0.2 * stop)
    slope = float(np.polyfit(np.log(left[last]), np.log(series.energy[last]), 1)[0])
    report.compare(
        f"case {case}{scheme}: E(t) in the final stage has the form (5.38), E ~ (t_f - t)^(2/3)",
        "section 6",
        paper=2.0 / 3.0,
        ours=slope,
        tolerance=0.05,
        note="fitted exponent for 0.01 t_f < t_f - t < 0.2 t_f; beyond contour friction the disk still slides "
        + ("and pivots, which adds to the loss" if case == 4 else "a little, and the scheme loses energy"),
    )


def _case_3(report: Report, series: Series, quick: bool) -> None:
    where = "section 4.3, figure 6"
    early = float(np.interp(0.2, series.time, series.slip))
    report.judge(
        "case 3: begins to slide laterally and to pivot at once",
        where,
        paper="slides",
        ours=early,
        unit="m/s",
        agrees=early > 1e-5,
        note="ours: slip speed at 0.2 s. Slip and spin share one budget, so neither is ever zero; case 1 at the same time: "
        "less than 1e-6 m/s. It stays below 1 mm/s until 0.3 s",
    )
    reached = float(series.time[np.argmax(series.beta > 0.45)])
    report.compare(
        "case 3: beta reaches 0.45 rad at",
        where,
        paper=0.4,
        ours=reached,
        tolerance=0.05,
        unit="s",
        note="the onset of rapid sliding, not the peak",
    )
    k = int(np.argmax(series.slip))
    report.add_ours(
        "case 3: peak of the sliding speed",
        where,
        ours=float(series.slip[k]),
        unit="m/s",
        note=f"at t = {series.time[k]:.3f} s",
    )
    report.add_ours("case 3: time of that peak", where, ours=float(series.time[k]), unit="s")
    if quick:
        return
    report.judge(
        "case 3: energy decreases asymptotically, no stop in finite time",
        where,
        paper="no stop",
        unit="J",
        ours=float(series.step_energy[-1]),
        agrees=math.isnan(series.stop),
        note="ours: energy after 80 s",
    )
    _pivoting(report, series, "")


def _pivoting(report: Report, series: Series, scheme: str) -> None:
    """Fit dE/dt ~ -E^p, (5.54), to the time in which the disk pivots."""
    report.compare(
        f"case 3{scheme}: E(t) has the form (5.54), dE/dt ~ -E^(3/2)", "section 6", paper=PIVOTING,
        ours=_power(series, 2.0, 12.0), tolerance=NEAR,
        note="fitted power from 2 to 12 s. (5.54) leaves out that the disk slides while it pivots"
        + ("" if scheme else "; at 1e-4 s this scheme sticks without spin after about 31 s, and what decays then is numerical"),
    )  # fmt: skip


def _power(series: Series, begin: float, end: float) -> float:
    """Power p of dE/dt = -a E^p, from differences over 1 s."""
    times = np.arange(begin, end + 0.5, 1.0)
    energy = np.interp(times, series.time, series.energy)
    return float(
        np.polyfit(np.log(0.5 * (energy[1:] + energy[:-1])), np.log(np.maximum(-np.diff(energy), 1e-300)), 1)[0]
    )


def _case_4(report: Report, series: Series, quick: bool) -> None:
    where = "section 4.4, figure 7"
    early = series.time < 2.0
    k = int(np.argmax(np.where(early, series.slip, 0.0)))
    report.judge(
        "case 4: first part similar to case 3, with a peak of the sliding speed",
        where,
        paper="peak",
        ours=[float(series.time[k]), float(series.slip[k])],
        unit="s, m/s",
        agrees=abs(series.time[k] - 0.57) < 0.03 and abs(series.slip[k] - 0.379) < 0.02,
    )
    report.compare(
        "case 4: falls flat and stops at", where, paper=13.6, ours=series.stop, tolerance=0.3, unit="s", note=STEP_NOTE
    )
    report.add_ours("case 4: where it stops", where, ours=series.position[-1, :2].tolist(), unit="m")
    if not quick:
        _final_stage(report, series, 4)
