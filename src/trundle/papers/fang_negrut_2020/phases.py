"""Section 4.3, figure 10: in which state a sphere on an incline ends, over angle and rolling resistance."""

from __future__ import annotations

import time as clock
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_cdt

from trundle.papers.fang_negrut_2020.incline import sphere
from trundle.papers.fang_negrut_2020.scenes import MU_K, MU_S, H, start
from trundle.papers.report import Progress, Report
from trundle.step.kernels import history as columns

NAMES = ("static", "pure rolling", "rolling with slip", "pure slip")
DAMPINGS = {"stated": 0.5, "quasi-static": 4.0}  # shares of critical damping: sqrt(m K) is half of 2 sqrt(m K)


def analytic(angle: NDArray[np.float64], eta: NDArray[np.float64]) -> NDArray[np.int64]:
    """Appendix D: state by number of NAMES; angle [rad]."""
    slope = np.tan(angle)
    state = np.where(slope <= 3.5 * MU_S - 5 * eta * MU_K, 1, np.where(eta >= 0.5, 3, 2))
    return np.where(slope <= np.minimum(2 * eta, 1.0) * MU_S, 0, state)


def outcome(angle: float, eta: float, damping: float, duration: float = 1.0) -> int:
    """State at the end of one simulation, by the modes of table 4."""
    stepper, state = start(sphere(angle, eta, damping))
    stepper.advance_all(state, H, round(duration / H))
    mode = int(stepper.memory()["record"][0, columns.MODE])
    return {(0, 0): 0, (0, 4): 1, (1, 4): 2, (1, 0): 3}[mode & 1, mode & 4]


def diagram(
    angles: NDArray[np.float64], etas: NDArray[np.float64], damping: float, progress: Progress
) -> NDArray[np.int64]:
    """States (angles, etas); two threads, the compiled loop runs without Python."""
    out = np.zeros((len(angles), len(etas)), np.int64)
    with ThreadPoolExecutor(2) as pool:
        for i, row in enumerate(pool.map(lambda a: [outcome(a, e, damping) for e in etas], angles)):
            out[i] = row
            progress(f"{(i + 1) * len(etas)} of {out.size} simulations", (i + 1) / len(angles))
    return out


def border_distance(found: NDArray[np.int64], truth: NDArray[np.int64]) -> int:
    """Largest number of cells, in either direction, by which a wrong cell is away from a right one of its state."""
    worst = 0
    for state in range(len(NAMES)):
        wrong = (found == state) & (truth != state)
        if wrong.any():
            away = distance_transform_cdt(truth != state, metric="chessboard")
            worst = max(worst, int(away[wrong].max()) if np.any(truth == state) else max(found.shape))
    return worst


def four_times(
    angles: NDArray[np.float64], etas: NDArray[np.float64], truth: NDArray[np.int64]
) -> tuple[int, int]:  # fmt: skip
    """With four times the stated damping: how many cells near a border are wrong, and by how many cells at most."""
    near = np.zeros(truth.shape, bool)
    for state in np.unique(truth):
        near |= (truth != state) & (distance_transform_cdt(truth != state, metric="chessboard") <= 4)
    found = truth.copy()
    for i, k in np.argwhere(near):
        found[i, k] = outcome(angles[i], etas[k], 2.0)
    return int(np.count_nonzero(found != truth)), border_distance(found, truth)


def run(report: Report, quick: bool, progress: Progress) -> None:
    """Both dampings."""
    report.remark(
        "Phase diagram, parameters used: the sphere of section 4.3 for 1 s; damping stated as K_D = √(m K_E), D_r = √(I K_r); "
        "quasi-static: eight times that. States by the modes of table 4 at the end."
    )
    angles = np.radians(np.arange(1.0, 30.05, 2.9 if quick else 0.1))
    etas = np.arange(0.2, 0.505, 0.1 if quick else 0.01)
    truth = analytic(angles[:, None], etas[None, :])
    found = {}
    for k, (name, share) in enumerate(DAMPINGS.items()):
        begin = clock.perf_counter(), clock.process_time()

        def told(text: str, part: float, k: int = k) -> None:
            progress(text, 0.5 * (k + part))

        found[name] = diagram(angles, etas, share, told)
        wall, cpu = clock.perf_counter() - begin[0], clock.process_time() - begin[1]
        report.add_ours(
            f"{truth.size} simulations, {name} damping",
            "figure 10",
            ours=[cpu, wall],
            unit="s",
            note="CPU time and wall time, two threads",
        )
        # the same borders with mu_k in place of mu_s where the static coefficient is overrun
        overrun = np.where(np.tan(angles)[:, None] <= 2 * etas * MU_K, 0, np.where(truth == 0, 1, truth))
        below = etas < 0.499  # at 0.5 itself rolling and sliding limits coincide: the state depends on the way there
        wrong = float(np.mean(found[name][:, below] != truth[:, below]))
        cells = border_distance(found[name][:, below], truth[:, below])
        degrees = cells * float(np.degrees(angles[1] - angles[0]))
        ours = f"{100 * wrong:.2f} % of the cells differ, by up to {degrees:.1f}°"
        if name == "stated":
            report.judge("states agree with the analytic borders", "figure 10, appendix D", paper="good agreement",
                         ours=ours, agrees=degrees < 0.15,
                         note="with K_D = sqrt(m K_E), D_r = sqrt(I K_r) the sphere overshoots its rest by the static "
                              "margin, and the border of the static state lies at tan(alpha) = 2 eta_r mu_k: with that "
                              f"border {100 * float(np.mean((found[name] != overrun)[:, below])):.1f} % differ, by up to "
                              f"{border_distance(found[name][:, below], overrun[:, below])} cells")  # fmt: skip
        else:
            note = "the column eta_r = 0.5 is left out: there rolling and sliding limits coincide"
            if not quick:
                count, worst = four_times(angles, etas[below], truth[:, below])
                note += f"; four times the stated damping leaves {count} cells wrong, by up to {worst} cells"
            report.judge("with eight times the damping, all states within one cell of the borders", "appendix D",
                         paper="borders of quasi-static loading", agrees=cells <= 1, ours=ours, note=note)  # fmt: skip
    steep = [NAMES[outcome(np.radians(angle), 0.52, 0.5)] for angle in (22.0, 26.0, 30.0)]
    report.judge("beyond eta_r = 0.5 the sphere slides down steep slopes without rolling", "4.3, appendix D",
                 paper="pure slip", ours=steep, agrees=all(name == "pure slip" for name in steep),
                 note="eta_r = 0.52 at 22, 26 and 30 degrees. At 0.5 itself the torques of friction and rolling cancel while "
                      "both slip, so a rotation from the start never ends")  # fmt: skip
    _figure(report, angles, etas, found)


def _figure(report: Report, angles: NDArray, etas: NDArray, found: dict[str, NDArray[np.int64]]) -> None:
    import matplotlib.pyplot as plt
    from matplotlib.colors import ListedColormap

    colours = ListedColormap(["#4c72b0", "#55a868", "#dd8452", "#c44e52"])
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained", sharey=True)
    fine = np.linspace(etas[0], etas[-1], 200)
    for axis, (name, states) in zip(axes, found.items(), strict=True):
        mesh = axis.pcolormesh(etas, np.degrees(angles), states, cmap=colours, vmin=-0.5, vmax=3.5, shading="nearest")
        axis.plot(fine, np.degrees(np.arctan(2 * fine * MU_S)), "k", lw=1.5, label="appendix D")
        axis.plot(fine, np.degrees(np.arctan(3.5 * MU_S - 5 * fine * MU_K)), "k", lw=1.5)
        axis.plot(fine, np.degrees(np.arctan(2 * fine * MU_K)), "k--", lw=1, label="tan α = 2 η_r μ_k")
        axis.set_title(f"{name} damping")
        axis.set_ylim(np.degrees(angles[0]), np.degrees(angles[-1]))
        axis.set_xlabel("rolling resistance η_r [-]")
    axes[0].set_ylabel("angle of the incline [°]")
    axes[0].legend(loc="lower right")
    bar = figure.colorbar(mesh, ax=axes, ticks=range(4))
    bar.ax.set_yticklabels(NAMES)
    report.figure(figure, "phase-diagram", "Figure 10: state of the sphere after 1 s, stated and quasi-static damping")
