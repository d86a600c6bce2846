"""The picture of `trundle compare`: time and accuracy profiles, and the time of every solver on every file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from trundle import output
from trundle.cli.solving import time_in_words
from trundle.cli.terminal import short_names
from trundle.solve.profile import AccuracyProfile, Profile, Run, accuracy_profile, performance_profile

# Okabe & Ito's colours, safe for colour-blind readers; line styles tell apart what colours alone cannot.
COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")
STYLES = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)))
MARKS = {"failed": "×", "time limit": "> limit", "n/a": "n/a"}
MOST_LISTED = 60  # files whose times are shown one by one
UNSOLVED, NOT_APPLICABLE = "#D9D9D9", "#F5F5F5"


def draw_comparison(runs: Sequence[Run], path: Path, tolerance: float, time_limit: float) -> None:
    """Write the picture to a file; its suffix (.png, .pdf, .svg) is the format."""
    from matplotlib.figure import Figure

    profile = performance_profile(runs)
    ranking = profile.ranking()
    files = list(dict.fromkeys(run.file for run in runs))
    listed = len(files) <= MOST_LISTED
    height = max(5.2, 1.9 + 0.27 * len(files)) if listed else 5.2
    times = [2.0 + 0.62 * len(ranking)] if listed else []
    figure = Figure(figsize=(14.0 + sum(times), height), layout="constrained")
    axes = figure.subplots(1, 2 + listed, width_ratios=(6.2, 6.2, *times))
    _draw_profile(axes[0], profile, ranking, len(files))
    draw_accuracy(axes[1], accuracy_profile(runs), ranking, tolerance)
    if listed:
        _draw_times(axes[2], runs, ranking, files)
    title = f"CPU time to a residual of {tolerance:.0e}, and residuals reached, at most {time_limit:g} s for each solve"
    figure.suptitle(title, fontsize=12, fontweight="bold")
    output.save_figure(figure, path)


def _draw_profile(axes: Any, profile: Profile, ranking: Sequence[str], file_count: int) -> None:
    """Steps of rho_s(tau) over log tau."""
    end = max(profile.largest * 1.3, 2.0)
    for i, solver in enumerate(ranking):
        ratios = profile.ratios[solver]
        solved = ratios[np.isfinite(ratios)]
        tau = np.concatenate([[1.0], solved, [end]])
        share = np.concatenate([[0.0], np.arange(1, len(solved) + 1), [len(solved)]]) / max(len(ratios), 1)
        missing = file_count - len(ratios)
        label = f"{solver} ({len(solved)}" + (f", n/a on {missing})" if missing else ")")
        axes.plot(
            tau, share, drawstyle="steps-post", label=label, lw=2.2 if i < 3 else 1.6, zorder=len(ranking) - i + 2,
            color=COLOURS[i % len(COLOURS)], linestyle=STYLES[(i // len(COLOURS)) % len(STYLES)],
        )  # fmt: skip
    axes.set(xscale="log", xlim=(1.0, end), ylim=(0.0, 1.03))
    axes.set_xlabel("factor τ of the shortest time")
    axes.set_ylabel("share of the problems solved within τ")
    axes.set_title(f"Performance profile over {file_count} problem{'s' * (file_count != 1)}", fontsize=11)
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.grid(True, which="major", color="#E5E5E5", lw=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(title="solver (problems solved)", fontsize=8.5, title_fontsize=8.5, loc="best", framealpha=0.92)


def draw_accuracy(axes: Any, profile: AccuracyProfile, ranking: Sequence[str], tolerance: float) -> None:
    """Share of the problems over the residual reached, from coarse to fine."""
    digits = np.arange(0, int(np.floor(-np.log10(tolerance) + 1e-9)) + 1)
    for i, solver in enumerate(ranking):
        share = [profile.share(solver, 10.0**-k) for k in digits.tolist()]
        axes.plot(
            10.0 ** -digits.astype(float), share, marker="o", ms=3.5, label=f"{solver} ({100 * share[-1]:.0f} %)",
            lw=2.2 if i < 3 else 1.6, zorder=len(ranking) - i + 2, color=COLOURS[i % len(COLOURS)],
            linestyle=STYLES[(i // len(COLOURS)) % len(STYLES)],
        )  # fmt: skip
    axes.set(xscale="log", xlim=(1.0, 10.0 ** -float(digits[-1]) / 1.5), ylim=(0.0, 1.03))
    axes.set_xlabel("residual")
    axes.set_ylabel("share of the problems brought there in time")
    axes.set_title("Accuracy profile", fontsize=11)
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    axes.grid(True, which="major", color="#E5E5E5", lw=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(
        title=f"solver (share at {tolerance:.0e})", fontsize=8.5, title_fontsize=8.5, loc="best", framealpha=0.92
    )


def _draw_times(axes: Any, runs: Sequence[Run], ranking: Sequence[str], files: Sequence[str]) -> None:
    """Heat map of solve times; what was not solved is grey and says why."""
    from matplotlib.colors import ListedColormap, LogNorm

    by_place = {(run.file, run.solver): run for run in runs}
    contacts = {run.file: run.contacts for run in runs}
    rows = sorted(files, key=lambda file: (contacts[file], file))
    names = short_names(rows)
    times = np.full((len(rows), len(ranking)), np.nan)
    ground = np.ones_like(times)
    for place, run in by_place.items():
        i, j = rows.index(place[0]), ranking.index(place[1])
        times[i, j] = run.solve_time if run.converged and run.solve_time else np.nan
        ground[i, j] = 0.0 if run.state in ("failed", "time limit") else 1.0
    axes.imshow(ground, cmap=ListedColormap([UNSOLVED, NOT_APPLICABLE]), vmin=0, vmax=1, aspect="auto")
    solved = times[np.isfinite(times)]
    low, high = (solved.min(), solved.max()) if solved.size else (1e-3, 1.0)
    norm = LogNorm(low, max(high, 10.0 * low))
    image = axes.imshow(times, cmap="cividis_r", norm=norm, aspect="auto")
    for (file, solver), run in by_place.items():
        i, j = rows.index(file), ranking.index(solver)
        text = time_in_words(times[i, j]) if run.converged else MARKS[run.state]
        dark = run.converged and norm(times[i, j]) > 0.55
        axes.text(j, i, text, ha="center", va="center", fontsize=7, color="white" if dark else "black")
    axes.set_xticks(range(len(ranking)), ranking, rotation=40, ha="right", rotation_mode="anchor", fontsize=8.5)
    axes.set_yticks(range(len(rows)), [f"{_cut(names[file])}  ({contacts[file]})" for file in rows], fontsize=8)
    axes.set_xticks(np.arange(len(ranking) + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(len(rows) + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="white", lw=1.2)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_visible(False)
    axes.set_title("Time of each solve; file (contacts)", fontsize=11)
    bar = axes.figure.colorbar(image, ax=axes, shrink=0.6, pad=0.02)
    bar.set_label("time [s]", fontsize=8.5)
    bar.outline.set_visible(False)


def _cut(name: str, length: int = 34) -> str:
    """A long name without its middle."""
    half = (length - 1) // 2
    return name if len(name) <= length else f"{name[:half]}…{name[-half:]}"
