"""Computed run-outs beside observed ones, where the release table says where blocks stopped."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from trundle import output
from trundle.errors import CampaignError, SceneError
from trundle.scene.values import Array

if TYPE_CHECKING:
    from trundle.rockfall.case import Case
    from trundle.rockfall.study import Results

NEAR = 10.0  # [m] within which a predicted run-out counts as right
STOPS = ("stop_x", "stop_y")


def errors_of(stop: Array, runout: Array, seen_stop: Array, seen_runout: Array) -> dict[str, float]:
    """Errors [m] of predicted stops (n, 2) and run-outs (n,): mean, mean and median of their size, share within 10 m, distance of
    the centroids of predicted and observed stops."""
    error = runout - seen_runout
    return {
        "mean": float(error.mean()), "mean_absolute": float(np.abs(error).mean()), "median": float(np.median(error)),
        "median_absolute": float(np.median(np.abs(error))), "within_10_m": float(np.mean(np.abs(error) <= NEAR)),
        "centroid": float(np.linalg.norm((stop - seen_stop).mean(axis=0))), "runs": len(error),
    }  # fmt: skip


def has_stops(case: Case) -> bool:
    """Whether the release table of a case says where blocks stopped."""
    if not isinstance(case.release.table, str):
        return False
    with (case.data / case.release.table).open(newline="", encoding="utf-8-sig") as stream:
        names = next(csv.reader(stream), [])
    return all(name in names for name in STOPS)


def read_observed(case: Case, given: Any = None) -> tuple[Array, Array]:
    """Observed stops (n, 2) [m] and run-outs (n,) [m] of the runs of a case, from its release table or another one."""
    name = given or case.release.table
    if not isinstance(name, str):
        raise SceneError(f"{case.source}, observed: a table with the columns run, stop_x, stop_y is needed.")
    path = Path(name) if Path(name).is_absolute() else case.data / name
    try:
        with path.open(newline="", encoding="utf-8-sig") as stream:
            rows = {row["run"]: row for row in csv.DictReader(stream)}
        stop = np.array([[float(rows[p.run]["stop_x"]), float(rows[p.run]["stop_y"])] for p in case.places])
    except OSError as error:
        raise SceneError(f"{case.source}, observed: {path}: cannot be read ({error.strerror}).") from None
    except (KeyError, ValueError, TypeError) as error:
        raise SceneError(f"{case.source}, observed: {path}: no stop_x and stop_y for {error}.") from None
    place = np.array([[p.x, p.y] for p in case.places])
    runout = np.linalg.norm(stop - place, axis=1)
    if not np.isfinite(runout).all():
        raise CampaignError(f"{path}: observed stops must be numbers.")
    return stop, runout


def compare(results: Results) -> dict[str, dict[str, float]]:
    """Errors of a study (see `errors_of`): of the median over the seeds, of single paths with seed 0, of the best path of every
    run; and, for comparison, of whoever always says the median of the observed run-outs."""
    seeds = results.case.release.seeds
    seen_stop, seen = read_observed(results.case)
    runout = results.column("runout").reshape(-1, seeds)
    stop = np.stack([results.column("x"), results.column("y")], axis=1).reshape(-1, seeds, 2)
    rows = np.arange(len(seen))
    best = np.argmin(np.abs(runout - seen[:, None]), axis=1)
    always = np.full(len(seen), np.median(seen))
    found = {
        f"median over {seeds} seeds": errors_of(np.median(stop, axis=1), np.median(runout, axis=1), seen_stop, seen),
        "a single path, seed 0": errors_of(stop[:, 0], runout[:, 0], seen_stop, seen),
        f"the best of {seeds} paths": errors_of(stop[rows, best], runout[rows, best], seen_stop, seen),
        "always the median observed run-out": errors_of(seen_stop, always, seen_stop, seen),
    }
    del found["always the median observed run-out"]["centroid"]  # it says nothing of places
    return found


def table(found: dict[str, dict[str, float]]) -> list[list[str]]:
    """Rows of text: head and errors."""
    rows = [["error of the run-out", "mean", "mean size", "median size", "within 10 m", "centroid of the stops"]]
    for name, e in found.items():
        centroid = f"{e['centroid']:.1f} m off" if "centroid" in e else ""
        rows.append([
            name, f"{e['mean']:+.1f} m", f"{e['mean_absolute']:.1f} m", f"{e['median_absolute']:.1f} m",
            f"{100 * e['within_10_m']:.0f} %", centroid,
        ])  # fmt: skip
    return rows


def write_comparison(results: Results) -> list[list[str]]:
    """observed.png and observed.md: run-outs and stops, computed and observed; returns the rows of the table of errors."""
    rows = table(compare(results))
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, "|---" + "|---:" * (len(rows[0]) - 1) + "|")
    with output.writing(results.folder / "observed.md") as stream:
        stream.write("\n".join(lines) + "\n")
    output.save_figure(make_figure(results), results.folder / "observed.png")
    return rows


def make_figure(results: Results) -> Any:
    """Run-outs against each other with the spread over the seeds, and the stops on the relief."""
    from matplotlib.figure import Figure

    from trundle.rockfall.report import draw_relief

    case, seeds = results.case, results.case.release.seeds
    seen_stop, seen = read_observed(case)
    runout = results.column("runout").reshape(-1, seeds)
    low, middle, high = np.percentile(runout, (10, 50, 90), axis=1)
    figure = Figure(figsize=(12, 5.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    names = np.array([place.block for place in case.places])
    top = 1.05 * max(float(seen.max()), float(high.max()))
    left.fill_between([0, top], [-NEAR, top - NEAR], [NEAR, top + NEAR], color="#cfe3cf", label=f"within {NEAR:g} m")
    left.plot([0, top], [0, top], color="#666666", linewidth=0.8)
    for k, name in enumerate(dict.fromkeys(names.tolist())):
        rows, tint = names == name, f"C{k}"
        bars = np.stack([middle - low, high - middle])[:, rows]
        label = f"block {name}" if name else "median"
        left.errorbar(seen[rows], middle[rows], bars, fmt="o", ms=4, lw=0.7, color=tint, label=label)
    left.set(
        xlim=(0, top),
        ylim=(0, top),
        xlabel="observed run-out [m]",
        ylabel=f"computed [m]: median, 10 to 90 % of {seeds} seeds",
    )
    left.set_aspect("equal")
    left.legend(fontsize=8, loc="lower right")
    draw_relief(right, case.terrain.raster(case.terrain.heights))
    rest = results.column("stop_reason") == "rest"
    right.scatter(
        results.column("x")[rest], results.column("y")[rest], s=2, color="#2a78d6", alpha=0.35, label="computed"
    )
    right.scatter([p.x for p in case.places], [p.y for p in case.places], s=8, color="#1a7f37", label="release")
    right.scatter(*seen_stop.T, s=14, color="#d1242f", marker="x", linewidths=1.0, label="observed")
    right.legend(fontsize=8)
    return figure
