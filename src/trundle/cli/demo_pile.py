"""`trundle demo`: the same grains poured twice, without and with rolling friction, measured and drawn."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import typer
from numpy.typing import NDArray

from trundle import laws
from trundle.cli import terminal
from trundle.errors import MeasureError, TrundleWarning
from trundle.measure.pile import Repose, angle_of_repose
from trundle.run.simulate import simulate
from trundle.scene.emitters import CylinderRegion
from trundle.scene.scene import Scene
from trundle.scene.shapes import HalfSpace, Sphere

Array = NDArray[np.float64]
D = 0.02  # diameter of the grains [m]
PLATE = 12.0  # radius of the rough plate [D]
RATE = 600.0  # grains per second
MU, ROLLING_RATIO = 0.5, 0.12
TIME_STEP, TOLERANCE = 2.5e-3, 1e-3
SETTLE = 0.7  # [s] after the last grain
GRAINS = 700


@dataclass(frozen=True, eq=False)
class Pile:
    """A pile at rest: positions (n, 3) [m] of all grains; repose: None if it is too flat for a slope."""

    title: str
    position: Array
    repose: Repose | None
    height: float
    cpu: float
    residual: float


def pour(grains: int, rolling: bool) -> Scene:
    """A stream of grains onto a round plate that is rough with fixed grains; what rolls off lies around it."""
    scene = Scene()
    law: Any = laws.Coulomb(mu=MU)
    if rolling:
        law = laws.SlideRollSpin(mu=MU, mu_r=ROLLING_RATIO * D / 2, mu_s=ROLLING_RATIO * D / 2)
    ball = Sphere(radius=D / 2)
    for x, y in plate():
        scene.add(ball, fixed=True, position=(x, y, -D / 2), surface="grain")
    scene.add(HalfSpace(offset=-D), fixed=True, surface="table")
    scene.emit(
        ball, rate=RATE, count=grains, region=CylinderRegion(base=(0, 0, 9 * D), radius=2.5 * D, height=4 * D), seed=3,
        density=2500.0, surface="grain", velocity=(0, 0, -0.6), name="grain",
    )  # fmt: skip
    scene.surface("grain", "grain", law=law)
    # grains that left the plate are not part of the experiment: they stop where they are
    scene.surface("grain", "table", law=laws.SlideRollSpin(mu=0.8, mu_r=0.5 * D, mu_s=0.5 * D))
    return scene


def plate() -> Array:
    """Centres (x, y) [m] of the fixed grains: a hexagonal layer."""
    n = int(PLATE) + 2
    i, j = np.meshgrid(np.arange(-n, n + 1), np.arange(-n, n + 1))
    x, y = D * (i + 0.5 * (j % 2)), D * np.sqrt(0.75) * j
    inside = np.hypot(x, y) <= PLATE * D
    return np.stack([x[inside], y[inside]], axis=1)


def make_pile(title: str, grains: int, rolling: bool, progress: Any) -> Pile:
    """Pour, wait for rest, measure."""
    duration = grains / RATE + SETTLE
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrundleWarning)
        run = simulate(
            pour(grains, rolling), duration, TIME_STEP, theta=1.0, tolerance=TOLERANCE,
            every=max(1, round(duration / TIME_STEP)), progress=progress,
        )  # fmt: skip
    cpu = time.process_time() - begun
    poured = run.final.present & np.isfinite(run.model.mass)
    position = run.final.position[poured]
    on_plate = position[position[:, 2] > 0.0]
    try:
        repose: Repose | None = angle_of_repose(on_plate, D / 2, centre=(0.0, 0.0), ground=0.0)
    except MeasureError:
        repose = None
    return Pile(title, position, repose, float(on_plate[:, 2].max() + D / 2), cpu, float(run.steps["residual"].max()))


def run(folder: Path, grains: int = GRAINS) -> None:
    """Pour both piles, print their angles of repose and write `demo.png` into a folder."""
    terminal.make_folder(folder, "-o")
    from trundle.cli.demo_pile_picture import draw_piles

    typer.echo(
        f"{grains} grains of {1e3 * D:g} mm poured onto a rough plate, mu = {MU:g}; exact law, time step {TIME_STEP:g} s.\n"
    )
    piles = []
    with terminal.Activity(1) as activity:
        for title, rolling in (("without rolling friction", False), ("with rolling friction", True)):
            activity.say(f"{title}: preparing (kernels are compiled on first use)")
            piles.append(
                make_pile(
                    title, grains, rolling,
                    lambda report, state, title=title: activity.say(
                        f"{title}: t = {state.time:.2f} s, {len(report.contacts)} contacts"
                    ),
                )
            )  # fmt: skip
        activity.say("drawing")
        picture = folder / "demo.png"
        draw_piles(piles, D, plate(), picture)
    for pile in piles:
        repose = "too flat" if pile.repose is None else f"{pile.repose.angle:.1f} ± {pile.repose.interval:.1f} degrees"
        typer.echo(
            f"  {pile.title:<26} angle of repose {repose:<22} height {pile.height / D:.1f} D   {pile.cpu:.1f} s CPU"
        )
    typer.echo(
        f"\n  mu_r = {ROLLING_RATIO:g} x radius in the second pile; ± is the 95 % confidence interval over sectors."
    )
    typer.echo(f"\nwritten: {picture}\nnext:    trundle demo problem   (one time step of a heap, solved and explained)")
