"""One page about a study: maps on a shaded relief, paths, deposits, distributions, barriers."""

from __future__ import annotations

import base64
import html
import io
from typing import TYPE_CHECKING, Any

import numpy as np

from trundle import output
from trundle.rockfall.observed import has_stops, write_comparison
from trundle.rockfall.study import Results, distribution
from trundle.scene.rasters import Raster
from trundle.scene.values import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN_PATHS = 200
HEAT = (
    ("reach_probability", "Reach probability [-]"), ("velocity_95", "Velocity, 95 % quantile [m/s]"),
    ("translational_95", "Translational energy, 95 % quantile [kJ]"), ("jump_height_95", "Jump height, 95 % quantile [m]"),
)  # fmt: skip


def hillshade(heights: Array, spacing: tuple[float, float], azimuth: float = 315.0, altitude: float = 45.0) -> Array:
    """Brightness (nx, ny) of heights lit from an azimuth, clockwise from north, at an altitude [degrees]."""
    slope_x, slope_y = np.gradient(heights, *spacing)
    a, h = np.radians(azimuth), np.radians(altitude)
    light = np.array([np.sin(a) * np.cos(h), np.cos(a) * np.cos(h), np.sin(h)])
    normal = np.stack([-slope_x, -slope_y, np.ones_like(heights)]) / np.sqrt(1.0 + slope_x**2 + slope_y**2)
    return np.clip(np.tensordot(light, normal, 1), 0.0, 1.0)


def draw_relief(axes: Axes, raster: Raster) -> None:
    """Shaded relief with contours, in map coordinates."""
    (x0, y0), (dx, dy), (nx, ny) = raster.corner, raster.spacing, raster.values.shape
    extent = (x0 - 0.5 * dx, x0 + (nx - 0.5) * dx, y0 - 0.5 * dy, y0 + (ny - 0.5) * dy)
    axes.imshow(
        hillshade(raster.values, raster.spacing).T,
        extent=extent,
        origin="lower",
        cmap="gray",
        vmin=0.0,
        vmax=1.0,
        alpha=0.75,
    )
    span = float(np.nanmax(raster.values) - np.nanmin(raster.values))
    if span > 0.0:
        step = next(s for s in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1e9) if span / s <= 20)
        levels = np.arange(np.ceil(np.nanmin(raster.values) / step), np.nanmax(raster.values) / step) * step
        x, y = x0 + dx * np.arange(nx), y0 + dy * np.arange(ny)
        if len(levels):
            lines = axes.contour(x, y, raster.values.T, levels=levels, colors="#6b5b45", linewidths=0.4)
            axes.clabel(lines, fontsize=5, fmt="%g")
    axes.set_aspect("equal")
    axes.ticklabel_format(useOffset=False, style="plain")
    axes.tick_params(labelsize=6)
    axes.locator_params(nbins=4)


def draw_paths(axes: Axes, results: Results) -> None:
    """Thinned paths, places of release and deposits, barriers."""
    from matplotlib.collections import LineCollection

    paths = list(results.paths.values())
    paths = paths[:: -(-len(paths) // SHOWN_PATHS) or 1]
    axes.add_collection(LineCollection([path[:, 1:3] for path in paths], colors="#2a78d6", linewidths=0.4, alpha=0.5))
    axes.scatter(results.column("release_x"), results.column("release_y"), s=5, c="#1a7f37", label="release", zorder=3)
    rest = results.column("stop_reason") == "rest"
    x, y = results.column("x"), results.column("y")
    axes.scatter(x[rest], y[rest], s=4, c="#d1242f", label="at rest", zorder=3)
    if (~rest).any():
        axes.scatter(
            x[~rest], y[~rest], s=8, marker="x", linewidths=0.6, c="black", label="out, barrier, time", zorder=3
        )
    for barrier in results.case.barriers:
        axes.plot(*np.array(barrier.line).T, color="#bf8700", linewidth=1.5)
    axes.legend(fontsize=6, loc="best", framealpha=0.8)


def draw_heat(axes: Axes, results: Results, name: str) -> Any:
    """A map over the relief, transparent where no block passed."""
    raster = results.maps[name]
    values = raster.values / 1e3 if name.startswith("translational") else raster.values
    values = np.where(results.maps["count"].values > 0, values, np.nan)
    (x0, y0), (dx, dy), (nx, ny) = raster.corner, raster.spacing, raster.values.shape
    extent = (x0 - 0.5 * dx, x0 + (nx - 0.5) * dx, y0 - 0.5 * dy, y0 + (ny - 0.5) * dy)
    return axes.imshow(values.T, extent=extent, origin="lower", cmap="inferno_r", alpha=0.8)


def make_figure(results: Results) -> Any:
    """The picture of the report: relief with paths, four heat maps, distributions."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(14, 9), layout="constrained")
    grid = figure.add_gridspec(2, 4)
    relief = results.case.terrain.raster(results.case.terrain.heights)
    axes = figure.add_subplot(grid[0, :2])
    draw_relief(axes, relief)
    draw_paths(axes, results)
    axes.set_title(f"{results.case.name}: {len(results.deposits):,} blocks", fontsize=9)
    for k, (name, title) in enumerate(HEAT):
        axes = figure.add_subplot(grid[1, k])
        draw_relief(axes, relief)
        bar = figure.colorbar(draw_heat(axes, results, name), ax=axes, shrink=0.7)
        bar.ax.tick_params(labelsize=6)
        axes.set_title(title, fontsize=8)
    rest = results.column("stop_reason") == "rest"
    for k, (name, title) in enumerate((("runout", "Run-out [m]"), ("shadow_angle", "Shadow angle [degrees]"))):
        axes = figure.add_subplot(grid[0, 2 + k])
        values = results.column(name)[rest]
        if len(values):
            axes.hist(values, bins=min(40, max(5, len(values) // 10)), color="#2a78d6")
            axes.axvline(float(np.median(values)), color="black", linewidth=0.8)
        axes.set_title(f"{title}, {rest.sum():,} blocks at rest", fontsize=8)
        axes.tick_params(labelsize=6)
    return figure


def write_report(results: Results) -> None:
    """report.png and report.html, one file each."""
    figure = make_figure(results)
    output.save_figure(figure, results.folder / "report.png")
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=130)
    picture = base64.b64encode(stream.getvalue()).decode()
    found = distribution(results)
    reasons = ", ".join(f"{count:,} {html.escape(reason)}" for reason, count in found["stop_reason"].items())
    rows = []
    for name, unit in (("runout", "m"), ("reach_angle", "degrees"), ("shadow_angle", "degrees")):
        q = found[name]["quantiles"]
        cells = "".join(f"<td>{q[k]:.1f}</td>" if q else "<td>-</td>" for k in ("5", "50", "95", "98"))
        rows.append(f"<tr><th>{name.replace('_', ' ')} [{unit}]</th>{cells}<td>{found[name]['blocks']:,}</td></tr>")
    barriers = ""
    if results.barriers:
        lines = "".join(
            f"<tr><th>{html.escape(row['barrier'])}</th><td>{row['quantity']}</td><td>{row['quantile']} %</td>"
            f"<td>{row['value']:.4g}</td><td>{row['low']:.4g} to {row['high']:.4g}</td>"
            f"<td>{row['blocks']:,} of {row['released']:,}</td>"
            f"<td>{row['stopped']:,}</td></tr>"
            for row in results.barriers
        )
        barriers = (
            "<h2>Barriers</h2><table><tr><th>barrier</th><th>quantity [J, m, m/s]</th><th>quantile</th><th>value</th>"
            f"<th>95 % confidence</th><th>blocks</th><th>stopped</th></tr>{lines}</table>"
        )
    compared = ""
    if has_stops(results.case):
        lines = "".join(
            f"<tr><th>{row[0]}</th>{''.join(f'<td>{cell}</td>' for cell in row[1:])}</tr>"
            for row in write_comparison(results)
        )
        seen = base64.b64encode((results.folder / "observed.png").read_bytes()).decode()
        compared = f"<h2>Observed</h2><table>{lines}</table><img alt='observed' src='data:image/png;base64,{seen}'>"
    missed = int(results.column("missed_steps").sum())
    page = f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(results.case.name)}</title>
<style>body{{font:14px sans-serif;max-width:1200px;margin:2em auto;padding:0 1em}}img{{max-width:100%}}
table{{border-collapse:collapse}}td,th{{border:1px solid #ccc;padding:2px 8px;text-align:right}}</style></head><body>
<h1>{html.escape(results.case.name)}</h1>
<p>{found["blocks"]:,} blocks, stopped by: {reasons}. Time step {results.case.options.time_step:g} s; {missed:,} steps missed the
tolerance {results.case.options.tolerance:g}.</p>
<img alt="maps" src="data:image/png;base64,{picture}">
<h2>Blocks at rest</h2>
<table><tr><th></th><th>5 %</th><th>50 %</th><th>95 %</th><th>98 %</th><th>blocks</th></tr>{"".join(rows)}</table>
{compared}
{barriers}
<p>Quantiles of the maps are over the blocks that passed a cell, each with its largest value there. Maps: maps/*.asc, *.tif.</p>
</body></html>
"""
    with output.writing(results.folder / "report.html") as stream_of_text:
        stream_of_text.write(page)
