"""Curves of a run over time: energies, velocities of bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from trundle.errors import TrundleError
from trundle.record.questions import Questions
from trundle.step.report import STORED
from trundle.view.pictures import palette

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE = (7.2, 3.8)  # inches


def _figure(rows: int) -> tuple[Figure, Any]:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(rows, 1, figsize=SIZE, layout="constrained", sharex=True, squeeze=False)
    plt.close(figure)  # a notebook shows what a cell returns; one that is open as well would be shown twice
    return figure, axes[:, 0]


def draw_energy(run: Questions) -> Figure:
    """Energies over time, losses summed up; the same colours and names in every run."""
    energy = run.energy
    if not len(energy):
        raise TrundleError("the run has no steps yet: there is no energy to plot.")
    figure, (axes,) = _figure(1)
    for column, (words, colour) in palette()["energy"].items():
        values = energy[column] if column in STORED else np.cumsum(energy[column])
        if column == "potential":
            values = values - values[0]  # its zero means nothing
        if np.any(values):
            axes.plot(energy["time"], values, color=colour, label=words)
    axes.set(xlabel="time [s]", ylabel="energy [J]")
    axes.legend(fontsize="small", frameon=False)
    axes.grid(alpha=0.3)
    return figure


def draw_bodies(run: Questions, bodies: Sequence[str]) -> Figure:
    """Velocity and angular velocity of bodies over time."""
    figure, (above, below) = _figure(2)
    for name in bodies:
        above.plot(run.time, np.linalg.norm(run.velocity(name), axis=1), label=name)
        below.plot(run.time, np.linalg.norm(run.angular_velocity(name), axis=1), label=name)
    above.set(ylabel="velocity [m/s]")
    below.set(xlabel="time [s]", ylabel="angular velocity [rad/s]")
    above.legend(fontsize="small", frameon=False)
    for axes in (above, below):
        axes.grid(alpha=0.3)
    return figure
