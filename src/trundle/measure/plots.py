"""Figures of a run: pile profile, forces, force chains, fabric, modes over time, energy ledger."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from trundle import output
from trundle.errors import MeasureError
from trundle.measure import network, pile
from trundle.measure.snapshot import Snapshot, contacts_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ONE, WIDE = (4.8, 3.6), (7.2, 3.6)
LOSSES = ("sliding", "rolling", "spinning", "impact", "joints", "numerical")
COLOURS = {
    "sliding": "#d1495b", "rolling": "#00798c", "spinning": "#edae49", "impact": "#66547c", "numerical": "0.6",
    "joints": "#8d6a4f",
}  # fmt: skip
FRAMES = 200  # of a run that are enough for shares over time


def _figure(size: tuple[float, float], columns: int = 1) -> tuple[Figure, Any]:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, columns, figsize=size, layout="constrained")
    return figure, axes


def draw_repose(s: Snapshot, kind: str = "cone", **options: Any) -> Figure:
    """Surface grains of all sectors with the sectors' lines, and the slope of every sector."""
    found = pile.angle_of_repose(s.position, s.radius, kind=kind, **{"ground": s.ground, "extent": s.extent, **options})
    figure, (left, right) = _figure(WIDE, 2)
    left.plot(found.radii, found.heights, "o", markersize=2.5, color="0.35", markeredgewidth=0, label="surface grains")
    for number in np.unique(found.sector):
        r = np.array([np.min(found.radii[found.sector == number]), np.max(found.radii[found.sector == number])])
        slope = -np.tan(np.radians(found.slopes[number]))
        left.plot(r, found.intercept[number] + slope * r, color="#00798c", linewidth=0.7, alpha=0.6)
    left.set(
        xlabel="distance from the axis [m]" if kind == "cone" else "distance downhill [m]",
        ylabel="height of the surface [m]", xlim=(0.0, 1.08 * float(found.radii.max())),
        ylim=(0.0, 1.05 * max(line.get_ydata().max() for line in left.lines)),
    )  # fmt: skip
    left.set_aspect("equal")
    sectors = np.arange(len(found.slopes)) + 1
    right.set_xlim(0.0, len(sectors) + 1.0)
    right.xaxis.get_major_locator().set_params(integer=True)
    right.axhspan(found.angle - found.interval, found.angle + found.interval, color="#00798c", alpha=0.2, linewidth=0)
    right.axhline(found.angle, color="#00798c")
    right.plot(sectors, found.slopes, "o", markersize=4, color="0.25")
    right.set(
        xlabel=f"sector ({found.used} of {len(sectors)} have a slope)", ylabel="slope [deg]",
        title=f"{found.angle:.1f} ± {found.interval:.1f}° (95 %), median R² = {found.r_squared:.2f}",
    )  # fmt: skip
    right.title.set_fontsize(9)
    return figure


def draw_forces(s: Snapshot) -> Figure:
    """Probability density of the normal forces over their mean, beside an exponential one."""
    found = network.force_distribution(s.network.normal_force)
    figure, ax = _figure(ONE)
    some = found.density > 0.0
    ax.semilogy(found.centre[some], found.density[some], "o", markersize=4, color="0.2", label="this run")
    x = np.linspace(0.0, found.largest, 100)
    ax.semilogy(x, np.exp(-x), color="#00798c", linewidth=1.0, label="exp(−f / ⟨f⟩)")
    ax.set(xlabel="normal force f / ⟨f⟩", ylabel="probability density", title=f"⟨f⟩ = {found.mean:.3g} N")
    ax.set_ylim(bottom=0.5 * float(np.min(found.density[some])))
    ax.legend(frameon=False)
    return figure


def draw_chains(s: Snapshot, **options: Any) -> Figure:
    """Side view: every loaded contact as a line as thick as its force, chains in colour."""
    from matplotlib.collections import LineCollection

    net = s.network
    found = network.force_chains(s.grain, s.position, net.body, net.point, net.force, **options)
    place = np.full(int(max(net.body.max(), s.grain.max())) + 1, -1)
    place[s.grain] = np.arange(len(s.grain))
    a, b = place[net.body[:, 0]], place[net.body[:, 1]]
    both = (a >= 0) & (b >= 0) & network.loaded(net.normal_force)
    a, b, force = a[both], b[both], net.normal_force[both]
    in_chain = (found.chain[a] >= 0) & (found.chain[a] == found.chain[b])
    width = 3.0 * force / np.percentile(force, 99.0)
    figure, ax = _figure(WIDE)
    flat = s.position[:, (0, 2)]
    for which, colour, name in ((~in_chain, "0.75", "other contacts"), (in_chain, "#d1495b", f"{found.count} chains")):
        lines = np.stack([flat[a[which]], flat[b[which]]], axis=1)
        ax.add_collection(LineCollection(list(lines), linewidths=width[which], colors=colour, label=name))
    ax.autoscale()
    ax.set_aspect("equal")
    ax.set(xlabel="x [m]", ylabel="z [m]")
    ax.legend(frameon=False, fontsize=8)
    return figure


def draw_fabric(s: Snapshot) -> Figure:
    """Directions of the contact normals: inclination to the vertical, beside an isotropic packing."""
    normal = s.network.normal[s.between_grains]
    found = network.fabric(normal)
    tilt = np.degrees(np.arccos(np.clip(np.abs(normal[:, 2]), 0.0, 1.0)))
    figure, ax = _figure(ONE)
    ax.hist(tilt, bins=np.arange(0.0, 91.0, 5.0), density=True, color="#00798c", alpha=0.6, label="this run")
    x = np.linspace(0.0, 90.0, 91)
    ax.plot(x, np.radians(1.0) * np.sin(np.radians(x)), color="0.2", linewidth=1.0, label="isotropic")
    ax.set(
        xlabel="normal to vertical [deg]",
        ylabel="probability density [1/deg]",
        title=f"anisotropy {found.anisotropy:.3f}",
    )
    ax.legend(frameon=False)
    return figure


def draw_modes(s: Snapshot) -> Figure:
    """Share of the contacts in every mode over time."""
    run = s.run
    times = np.asarray(run.time)
    chosen = np.unique(np.linspace(0, len(times) - 1, min(FRAMES, len(times))).astype(int))
    shares = [
        network.mode_fractions(mode) if len(mode) else {} for mode in (contacts_of(run, int(i)).mode for i in chosen)
    ]
    names = sorted({name for share in shares for name in share})
    if not names:
        raise MeasureError("modes: there are no contacts in this run.")
    figure, ax = _figure(WIDE)
    values = [[share.get(name, 0.0) for share in shares] for name in names]
    ax.stackplot(times[chosen], values, labels=names, colors=[_mode_colour(name) for name in names])
    ax.set(xlabel="time [s]", ylabel="share of contacts", ylim=(0.0, 1.0), xlim=(times[chosen[0]], times[chosen[-1]]))
    handles, labels = ax.get_legend_handles_labels()
    figure.legend(
        handles[::-1], labels[::-1], loc="outside right center", fontsize=8, frameon=False
    )  # as they are stacked
    return figure


def _mode_colour(name: str) -> Any:
    """The mean of the colours of the motions in a mode's name; grey for sticking, pale for contacts that open."""
    from matplotlib.colors import to_rgb

    parts = [to_rgb(COLOURS[word]) for word in name.split("+") if word in COLOURS]
    return np.mean(parts, axis=0) if parts else "0.8" if name == "sticking" else "0.93"


def draw_energy(s: Snapshot) -> Figure:
    """What there is, and where the rest went: the ledger over time, and the error of its sum."""
    return draw_ledger(s.run.energy)


def draw_ledger(energy: Any) -> Figure:
    """Figure of a ledger, a table with one row per step [J]."""
    if len(energy) == 0:
        raise MeasureError("energy: the run has no steps.")
    time, names = energy["time"], energy.dtype.names
    figure, (left, right) = _figure(WIDE, 2)
    for name, colour in (("kinetic", "#d1495b"), ("potential", "0.15"), ("elastic", "#edae49")):
        if name in names and np.any(energy[name] != 0.0):
            left.plot(time, energy[name], color=colour, linewidth=1.2, label=name)
    for name, what in (("external", "work of loads"), ("poured", "poured in")):
        if name in names and np.any(energy[name] != 0.0):
            left.plot(time, np.cumsum(energy[name]), "-.", linewidth=1.0, label=what)
    left.set(xlabel="time [s]", ylabel="energy [J]")
    left.legend(frameon=False, fontsize=8)
    losses = [name for name in names if name in LOSSES and np.any(energy[name] != 0.0)]
    for name in losses:
        right.plot(time, np.cumsum(energy[name]), color=COLOURS[name], linewidth=1.4, label=name)
    right.set(xlabel="time [s]", ylabel="lost since the start [J]")
    if losses:
        right.legend(frameon=False, fontsize=8)
    for ax in (left, right):
        ax.grid(alpha=0.25)
    return figure


DRAWINGS: dict[str, Callable[..., Figure]] = {
    "angle-of-repose": draw_repose,
    "angle-of-half-pile": lambda s, **options: draw_repose(s, "half", **options),
    "forces": draw_forces,
    "force-chains": draw_chains,
    "fabric": draw_fabric,
    "modes": draw_modes,
    "energy": draw_energy,
}


def draw(run: Any, name: str, path: str | Path, number: int = -1, **options: Any) -> Path:
    """Write the figure of a measure at a frame of a run; options are those of the measure."""
    import matplotlib.pyplot as plt

    if name not in DRAWINGS:
        raise MeasureError(f"measure {name!r} has no figure. Those that have: {', '.join(DRAWINGS)}.")
    figure = DRAWINGS[name](Snapshot(run, number), **options)
    output.save_figure(figure, path)
    plt.close(figure)
    return Path(path)
