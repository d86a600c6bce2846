"""What the paper announces and does not show: blocks and spheres on orthotropic floors, each against a reference."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from numpy.typing import NDArray
from scipy.optimize import brentq

from trundle import Box, HalfSpace, Run, Scene, Sphere, laws, simulate
from trundle.errors import TrundleWarning
from trundle.papers.hjiaj_2004.model import Anisotropy
from trundle.papers.hjiaj_2004.sliding import Sliding
from trundle.papers.report import Report

Array = NDArray[np.float64]
MU_X, MU_Y, GRAVITY = 0.2, 0.4, 9.81
LAUNCH = np.array([1.0, 0.8])
CASES = [(q, k) for q in (2.0, 6.0) for k in (0.0, 1.0, 2.0)]
COLOURS = {0.0: "#edae49", 1.0: "#00798c", 2.0: "#d1495b"}


def block_scene(q: float, k: float, velocity: Any, gravity: Any = (0.0, 0.0, -GRAVITY)) -> Scene:
    """A flat block on an orthotropic floor whose x-axis has mu_x."""
    scene = Scene(gravity=gravity)
    scene.add(
        Box(size=(0.2, 0.2, 0.02)), name="block", density=1000.0, position=(0.0, 0.0, 0.01), velocity=(*velocity, 0.0),
        surface="block",
    )  # fmt: skip
    scene.add(HalfSpace(normal=(0, 0, 1)), name="floor", fixed=True, surface="floor")
    law = laws.Superellipse(mu_x=MU_X, mu_y=MU_Y, q=q, k=k)
    scene.surface("block", "floor", law=law, axis=(1, 0, 0), axis_of="floor")
    return scene


def slide(q: float, k: float, velocity: Array, time_step: float) -> Run:
    """A block launched with a velocity (2,) [m/s], until it rests."""
    stop = Sliding(MU_X, MU_Y, q, k, GRAVITY).stop(velocity)
    steps = 20 * (int(np.ceil(stop.time / time_step)) // 20 + 1)
    with warnings.catch_warnings():  # steps that miss this tolerance are counted in the report
        warnings.simplefilter("ignore", TrundleWarning)
        return simulate(block_scene(q, k, velocity), steps * time_step, time_step, tolerance=1e-13)


def sliding(report: Report, quick: bool) -> None:
    """Path, stop point and the single steps of a sliding block."""
    h = 2e-3 if quick else 4e-5
    report.remark(
        f"Block: launched with {LAUNCH.tolist()} m/s on a level floor with mu_x = {MU_X}, mu_y = {MU_Y}, g = {GRAVITY} m/s^2, "
        f"theta = 1/2, steps of {h:g} and {2 * h:g} s."
    )
    figure, axes = plt.subplots(1, 2, figsize=(9.0, 3.2), layout="constrained", sharex=True, sharey=True)
    for q, k in CASES:
        reference = Sliding(MU_X, MU_Y, q, k, GRAVITY)
        coarse, fine = (slide(q, k, LAUNCH, step) for step in (2 * h, h))
        _claim_stop(report, (q, k), reference, (coarse, fine), h)
        _claim_steps(report, reference, coarse, (q, k))
        stop = reference.stop(LAUNCH)
        ax = axes[int(q == 6.0)]
        path, line = fine.position("block")[:, :2], reference.path(LAUNCH)[1]
        ax.plot(*line.T, color=COLOURS[k], linewidth=1.3, label=f"k = {k:g}")
        ax.plot(*path[:: max(1, len(path) // 25)].T, "o", color=COLOURS[k], markersize=3.0)
        ax.plot(*stop.position, "x", color=COLOURS[k], markersize=8)
        ax.set(title=f"q = {q:g}", xlabel="x [m]", aspect="equal")
    axes[0].set_ylabel("y [m]")
    axes[0].legend(frameon=False, fontsize=8)
    figure.suptitle("A block on an orthotropic floor: reference (lines, stop ×) and engine (dots)", fontsize=10)
    report.figure(
        figure, "sliding",
        "Launched with (1, 0.8) m/s, mu_x = 0.2, mu_y = 0.4. For q = 6 one component stops first and the path ends straight.",
    )  # fmt: skip


def extrapolated(coarse: Run, fine: Run) -> tuple[Array, Array]:
    """Times (T,) [s] that both runs have, and the positions (T, 2) [m] that their first order leads to as h -> 0."""
    count = min(len(coarse.time), (len(fine.time) + 1) // 2)
    one, two = coarse.position("block")[:count, :2], fine.position("block")[::2][:count, :2]
    return np.asarray(coarse.time)[:count], 2.0 * two - one


def _claim_stop(report: Report, case: tuple[float, float], reference: Sliding, runs: tuple[Run, Run], h: float) -> None:
    """Path and stop point: those of the engine are first order in h where the direction of friction is that of a step's end."""
    q, k = case
    stop = reference.stop(LAUNCH)
    errors = [float(np.abs(run.position("block")[-1, :2] - stop.position).max()) for run in runs]
    times, way = extrapolated(*runs)
    some = np.unique(np.linspace(0, len(times) - 1, 400).astype(int))
    path = float(np.abs(way[some] - reference.path(LAUNCH, times[some])[1]).max())
    end = float(np.abs(way[-1] - stop.position).max())
    missed = sum(int((~run.steps["converged"]).sum()) for run in runs)
    report.add_ours(
        f"stop point of the block, q = {q:g}, k = {k:g}", "announced in section 1", ours=stop.position, unit="m",
        note=f"reference by quadrature (1e-12), after {stop.time:.6f} s; engine off by {errors[1]:.1e} m at h = {h:g} s, "
        f"{errors[0]:.1e} m at {2 * h:g} s",
    )  # fmt: skip
    bound = max(1e-8, 0.6 * GRAVITY * h**2)  # the second where a quick version takes long steps
    report.judge(
        f"the engine takes that path to that point as h -> 0, q = {q:g}, k = {k:g}", "our reference", paper=f"< {bound:.1e}",
        ours=[path, end], unit="m", agrees=path < bound and end < bound and errors[1] < 0.25 * GRAVITY * MU_Y * h * stop.time,
        note=f"largest error along the path, error of the stop point; extrapolated from two steps. {missed} of "
        f"{sum(len(run.steps) for run in runs)} steps missed the tolerance 1e-13",
    )  # fmt: skip


def _claim_steps(report: Report, reference: Sliding, run: Run, case: tuple[float, float]) -> None:
    """Friction of every step beside the law, which holds at every instant, whatever velocity within a step a scheme takes it at.

    So the load of a step is on the boundary of the condition, between the loads of the velocities at its two ends; where the
    block comes to rest within the step, it is inside.
    """
    u = run.velocity("block")[:, :2]
    f = (u[:-1] - u[1:]) / (GRAVITY * np.diff(run.time)[:, None])
    worst = max(reference.misfit(f[i], u[i], u[i + 1]) for i in range(len(f)))
    report.judge(
        f"friction of every step is that of a velocity within the step, q = {case[0]:g}, k = {case[1]:g}",
        "eqs. (6), (24)-(26) corrected", paper=0.0, ours=worst, unit="-", agrees=worst < 1e-6,
        note=f"largest distance from the condition or, along it, from the loads of the velocities at both ends, {len(f)} steps",
    )  # fmt: skip


def critical_slope(model: Anisotropy, azimuth: float) -> float:
    """Slope [rad] at which a block starts to slip downhill along an azimuth [rad]."""
    along = np.array([np.cos(azimuth), np.sin(azimuth)])
    return float(np.arctan(1.0 / model.norm(along, model.mu)))


def slip_from_rest(model: Anisotropy, azimuth: float, slope: float) -> Array:
    """Constant acceleration (2,) [m/s^2] of a block that slips from rest: a = g sin e - g cos c(a), a straight line."""
    pull = GRAVITY * np.sin(slope) * np.array([np.cos(azimuth), np.sin(azimuth)])

    def rest(direction: float) -> Array:
        w = np.array([np.cos(direction), np.sin(direction)])
        return pull - GRAVITY * np.cos(slope) * model.load(w)

    def across(direction: float) -> float:
        a = rest(direction)
        return float(a[1] * np.cos(direction) - a[0] * np.sin(direction))

    found = brentq(across, 1e-9, 0.5 * np.pi - 1e-9, xtol=1e-15, rtol=1e-14)
    return rest(found)


def incline(report: Report, quick: bool) -> None:
    """Holds below the slope that its direction allows, slips above it, and not downhill."""
    azimuths = np.radians([10.0, 35.0, 60.0, 80.0])
    h, steps = 2e-3, 50 if quick else 200
    right, worst, turned = True, 0.0, []
    for q, k in CASES:
        model = Anisotropy(MU_X, MU_Y, q, k)
        for azimuth in azimuths:
            limit = critical_slope(model, azimuth)
            for share in (0.98, 1.15):
                slope = np.arctan(share * np.tan(limit))
                pull = GRAVITY * np.sin(slope)
                gravity = (pull * np.cos(azimuth), pull * np.sin(azimuth), -GRAVITY * np.cos(slope))
                run = simulate(block_scene(q, k, (0.0, 0.0), gravity), steps * h, h, tolerance=1e-11)
                velocity = run.velocity("block")[-1, :2]
                if share < 1.0:
                    right &= float(np.abs(velocity).max()) < 1e-9
                    continue
                expected = slip_from_rest(model, azimuth, slope)
                worst = max(worst, float(np.abs(velocity / (steps * h) - expected).max()))
                turned.append(np.degrees(np.arctan2(expected[1], expected[0]) - azimuth))
    report.judge(
        "a box on an anisotropic incline holds up to tan(slope) = 1 / |e|_qmu", "eq. (6)", paper="holds",
        ours="holds" if right else "slips", agrees=right, note="at 98 % of it, 4 directions, q = 2, 6, k = 0, 1, 2",
    )  # fmt: skip
    report.judge(
        "above, it slips in a straight line beside the fall line", "our reference", paper=0.0, ours=worst, unit="m/s^2",
        agrees=worst < 1e-8,
        note=f"largest error of the acceleration at 115 %; it leaves the fall line by {min(turned):.1f} to {max(turned):.1f} deg",
    )  # fmt: skip


def throw_sphere(q: float, k: float, velocity: Array, duration: float, h: float, mu_r: float = 0.0) -> Run:
    """A sphere thrown onto the floor without spin, for a duration [s] and up to a step more."""
    scene = Scene()
    scene.add(
        Sphere(radius=0.05),
        name="ball",
        density=1000.0,
        position=(0, 0, 0.05),
        velocity=(*velocity, 0.0),
        surface="ball",
    )
    scene.add(HalfSpace(normal=(0, 0, 1)), name="floor", fixed=True, surface="floor")
    law = laws.Superellipse(mu_x=MU_X, mu_y=MU_Y, q=q, k=k) * laws.Roll(mu_r=mu_r)
    scene.surface("ball", "floor", law=law, axis=(1, 0, 0), axis_of="floor")
    return simulate(scene, np.ceil(duration / h) * h, h, tolerance=1e-11)


def rolling(report: Report, quick: bool) -> None:
    """A sphere slides on a curved path and then rolls on with 5/7 of its velocity, whatever the anisotropy.

    With f the friction per mass, u' = f and the slip s' = (7/2) f: u - (2/7) s does not change, and the slip is the velocity
    of a block under 7/2 of the gravity.
    """
    h = 1e-3 if quick else 1e-4
    figure, ax = plt.subplots(figsize=(5.0, 3.8), layout="constrained")
    late, off = 0.0, 0.0
    for q, k in CASES:
        slip = Sliding(MU_X, MU_Y, q, k, 3.5 * GRAVITY).stop(LAUNCH)
        run = throw_sphere(q, k, LAUNCH, 1.6 * slip.time, h)
        u, w = run.velocity("ball")[:, :2], run.angular_velocity("ball")
        slipping = np.linalg.norm(u - 0.05 * np.stack([w[:, 1], -w[:, 0]], axis=1), axis=1) > 1e-8
        late = max(late, abs(float(run.time[np.flatnonzero(slipping)[-1]]) - slip.time))
        off = max(off, float(np.abs(u[-1] - 5.0 / 7.0 * LAUNCH).max()))
        if q == 6.0:
            ax.plot(u[:, 0], u[:, 1], color=COLOURS[k], label=f"k = {k:g}", linewidth=1.3)
    ax.plot(*LAUNCH, "k^", markersize=5)
    ax.plot(*(5.0 / 7.0 * LAUNCH), "ko", markersize=5)
    ax.annotate("launch", (1.0, 0.8), xytext=(-42, 2), textcoords="offset points", fontsize=8)
    ax.annotate("rolls at 5/7", (5.0 / 7.0, 4.0 / 7.0), xytext=(-4, 8), textcoords="offset points", fontsize=8)
    ax.set(xlabel="$U_x$ [m/s]", ylabel="$U_y$ [m/s]", title="Sphere on an orthotropic floor, q = 6")
    ax.legend(frameon=False, fontsize=8, loc="center left")
    report.figure(
        figure,
        "rolling",
        "Velocity of a thrown sphere: the way to 5/7 of the launch depends on the floor, the end not.",
    )
    report.judge(
        "the sphere ends slipping when a block under 7/2 g would stop", "our reference", paper=0.0, ours=late, unit="s",
        agrees=late < 3.0 * h, note=f"largest difference, q = 2, 6, k = 0, 1, 2, h = {h:g} s",
    )  # fmt: skip
    report.judge(
        "and rolls at 5/7 of its launch velocity, direction included", "our reference", paper=0.0, ours=off, unit="m/s",
        agrees=off < 1e-8, note="on any floor, isotropic or not",
    )  # fmt: skip
