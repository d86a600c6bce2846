"""Pictures of a campaign: every value over the parameters that vary."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from trundle import output
from trundle.sweep.campaign import Campaign, split

if TYPE_CHECKING:
    import pandas

LINES = 8  # more than these in one picture cannot be told apart
SIZE = (5.6, 4.0)


def draw_campaign(campaign: Campaign, table: pandas.DataFrame, folder: Path) -> list[Path]:
    """One picture for every numeric value that the runs returned; returns the files."""
    import matplotlib

    matplotlib.use("Agg", force=False)
    axes = [split(group)[0] for group in campaign.vary]
    known = {*campaign.names, "seed", "warnings", "error"}
    values = [name for name in table.columns if name not in known and _numeric(table[name])]
    words = [axis for axis in axes if not _numeric(table[axis])]
    table = table.assign(**{axis: table[axis].map(str) for axis in words})
    axes = [axis for axis in axes if table[axis].nunique() > 1]
    words = [axis for axis in words if axis in axes]
    numeric = [axis for axis in axes if axis not in words]
    output.make_folder(folder)
    files = []
    for name in values if axes else []:
        good = table[table[name].notna()]
        if good.empty:
            continue
        path = folder / f"{_file_name(name)}.png"
        if campaign.method == "grid" or not numeric:
            _draw_lines(good, name, numeric, words, campaign, path)
        else:
            _draw_scatter(good, name, numeric, words, campaign, path)
        files.append(path)
    return files


def _numeric(column: Any) -> bool:
    from pandas.api import types

    return bool(types.is_numeric_dtype(column)) and not types.is_bool_dtype(column)


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in name)


def _label(name: str) -> str:
    return name.replace("_", " ") if "." not in name else name


def _logarithmic(values: Any) -> bool:
    """Spread over more than two decades, so that a linear axis would show one end only."""
    positive = np.asarray(values, float)
    return bool(positive.min() > 0.0 and positive.max() / positive.min() > 100.0)


def _value(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _draw_lines(
    table: pandas.DataFrame, name: str, numeric: list[str], words: list[str], campaign: Campaign, path: Path
) -> None:
    """Mean and standard deviation over replicates along the longest axis, a line for each value of the others.

    Parameters that are words are an axis only if there are no others.
    """
    import matplotlib.pyplot as plt

    longest = max(numeric or words, key=lambda axis: table[axis].nunique())
    others = [axis for axis in (*numeric, *words) if axis != longest]
    groups = list(table.groupby(others)) if others else [((), table)]
    figure, ax = plt.subplots(figsize=SIZE, layout="constrained")
    colours = plt.get_cmap("viridis")(np.linspace(0.0, 0.85, max(len(groups), 1)))
    for colour, (key, group) in zip(colours, groups, strict=True):
        statistics = group.groupby(longest)[name].agg(["mean", "std", "count"])
        label = ", ".join(f"{_label(axis)} = {_value(value)}" for axis, value in zip(others, key, strict=True))
        spread = statistics["std"].fillna(0.0) if (statistics["count"] > 1).any() else None
        ax.errorbar(
            statistics.index, statistics["mean"], yerr=spread, marker="o", markersize=3.5, capsize=2.5,
            linewidth=1.2 if numeric else 0.0, elinewidth=1.2, color=colour, label=label if len(groups) <= LINES else None,
        )  # fmt: skip
    if numeric and _logarithmic(table[longest]):
        ax.set_xscale("log")
    ax.set(xlabel=_label(longest), ylabel=_label(name))
    if others and len(groups) <= LINES:
        ax.legend(frameon=False, fontsize=8)
    elif others:
        low, high = table[others[0]].min(), table[others[0]].max()
        ax.set_title(
            f"dark to bright: {', '.join(map(_label, others))} from {_value(low)} to {_value(high)}", fontsize=8
        )
    if campaign.seeds:
        ax.annotate(
            f"mean ± standard deviation of {len(campaign.seeds)} seeds", (0.02, 0.02), xycoords="axes fraction",
            fontsize=7, color="0.4",
        )  # fmt: skip
    ax.grid(alpha=0.25)
    output.save_figure(figure, path)
    plt.close(figure)


def _draw_scatter(
    table: pandas.DataFrame, name: str, numeric: list[str], words: list[str], campaign: Campaign, path: Path
) -> None:
    """The value over each parameter of a random sample, in a colour for each word."""
    import matplotlib.pyplot as plt

    shown = numeric[:4]
    groups = list(table.groupby(words)) if words else [((), table)]
    figure, panels = plt.subplots(
        1, len(shown), figsize=(3.2 * len(shown) + 0.8, 3.4), sharey=True, squeeze=False, layout="constrained"
    )
    for panel, axis in zip(panels[0], shown, strict=True):
        for key, group in groups:
            panel.plot(
                group[axis], group[name], "o", markersize=3.0, alpha=0.6, markeredgewidth=0.0, label=", ".join(key)
            )
        if _logarithmic(table[axis]):
            panel.set_xscale("log")
        panel.set_xlabel(_label(axis))
        panel.grid(alpha=0.25)
    panels[0, 0].set_ylabel(_label(name))
    if 1 < len(groups) <= LINES:
        panels[0, -1].legend(frameon=False, fontsize=8)
    figure.suptitle(f"{len(table)} runs, {campaign.method}", fontsize=9)
    output.save_figure(figure, path)
    plt.close(figure)
