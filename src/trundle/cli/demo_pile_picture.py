"""The picture of `trundle demo`: two piles seen from the side, a little from above, with their slopes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from trundle import output

if TYPE_CHECKING:
    from trundle.cli.demo_pile import Pile

Array = NDArray[np.float64]
INK = "#333333"
LINE = "#D55E00"
RAISED = np.radians(14.0)  # the eye is so much above the horizon


def draw_piles(piles: Sequence[Pile], diameter: float, plate: Array, path: Path) -> None:
    """Write the picture of some piles to a file."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(14.0, 4.6), layout="constrained")
    top = max(pile.height for pile in piles)
    for axes, pile in zip(figure.subplots(1, len(piles)), piles, strict=True):
        _draw_pile(axes, pile, diameter, plate, top)
    figure.suptitle("The same grains, poured in the same way", fontsize=16, color=INK)
    output.save_figure(figure, path)


def _draw_pile(axes: Any, pile: Pile, diameter: float, plate: Array, top: float) -> None:
    from matplotlib.collections import EllipseCollection

    base = np.column_stack([plate, np.full(len(plate), -0.5 * diameter)])
    near = np.hypot(pile.position[:, 0], pile.position[:, 1]) < 1.25 * np.hypot(*plate.T).max()
    grains = pile.position[near]
    centre = np.concatenate([base, grains])
    colour = np.concatenate([np.tile([0.62, 0.60, 0.57], (len(base), 1)), _tints(grains[:, 2], top)])
    order = np.lexsort((centre[:, 2], -centre[:, 1]))  # from the back to the front, and from below
    x, y = centre[:, 0], np.cos(RAISED) * centre[:, 2] + np.sin(RAISED) * centre[:, 1]
    depth = (centre[:, 1] - centre[:, 1].min()) / np.ptp(centre[:, 1])
    colour = colour * (1.0 - 0.35 * depth[:, None]) + 0.35 * depth[:, None]  # mist in the distance
    # one after the other, each with its light: a grain hides those behind it
    layers = ((0.5, 0.0, 0.78), (0.44, 0.05, 1.0), (0.2, 0.17, 1.22), (0.08, 0.21, 1.5))
    size, offsets, colours = [], [], []
    for i in order:
        for radius, shift, light in layers:
            size.append(2.0 * radius * diameter)
            offsets.append((x[i] - 0.7 * shift * diameter, y[i] + shift * diameter))
            colours.append(np.clip(light * colour[i], 0.0, 1.0))
    axes.add_collection(
        EllipseCollection(
            size, size, np.zeros(len(size)), units="xy", offsets=offsets, offset_transform=axes.transData,
            facecolors=colours, edgecolors="none", clip_on=False,
        )
    )  # fmt: skip
    edge = 1.08 * np.hypot(*plate.T).max()
    axes.set(xlim=(-edge, edge), ylim=(-0.3 * edge, top + 1.5 * diameter), aspect="equal")
    axes.axis("off")
    if pile.repose is None:
        axes.set_title(f"{pile.title}: too flat for an angle", fontsize=13, color=INK)
        return
    angle, interval = pile.repose.angle, pile.repose.interval
    axes.set_title(f"{pile.title}: angle of repose {angle:.1f}° ± {interval:.1f}°", fontsize=13, color=INK)
    slope, high = np.tan(np.radians(angle)), float(np.nanmean(pile.repose.intercept))
    foot = high / slope
    for side in (-1.0, 1.0):
        axes.plot([side * foot, 0.0], [0.0, np.cos(RAISED) * high], color=LINE, lw=2.4, ls=(0, (5, 2)), zorder=5)


def _tints(height: Array, top: float) -> Array:
    """Colours (n, 3) of grains by height: sand below, light above."""
    share = np.clip(height / top, 0.0, 1.0)[:, None]
    return (1.0 - share) * np.array([0.63, 0.42, 0.24]) + share * np.array([0.98, 0.86, 0.58])
