"""A coin spun on a table: it pivots, falls, rolls on its rim ever faster, and stops.  Writes coin.png.

    python examples/coin_on_a_table.py

A 2 euro coin (8.5 g, 25.75 mm across) is spun upright about the vertical, a little off balance.  Sliding and spinning
share one friction budget (Coulomb-Contensou), and the point where the rim touches does not move freely along it (contour
friction): le Saux, Leine & Glocker (2005).
"""

import math

import matplotlib.pyplot as plt
import numpy as np

from trundle import Disk, HalfSpace, Scene, laws, simulate

MASS, RADIUS = 8.5e-3, 12.875e-3  # [kg], [m]
SPIN, WOBBLE = 35.0, 0.2  # [rad/s]: about the vertical, and about a diameter
DURATION, TIME_STEP = 5.0, 1e-4  # [s]


def coin() -> Scene:
    """The coin on its edge at t = 0."""
    scene = Scene(gravity=(0, 0, -9.81))
    scene.add(Disk(radius=RADIUS), name="coin", mass=MASS, position=(0, 0, RADIUS),
              orientation=(math.sqrt(0.5), math.sqrt(0.5), 0, 0), velocity=(0, -RADIUS * WOBBLE, 0),
              angular_velocity=(WOBBLE, 0, SPIN), surface="coin")  # fmt: skip
    scene.add(HalfSpace(normal=(0, 0, 1)), name="table", fixed=True, surface="wood")
    friction = laws.Contensou(mu=0.3, patch_radius=5e-4) * laws.Roll(mu_r=2e-3)
    scene.surface("coin", "wood", law=friction, rolling="contour")
    return scene


def axis_of(orientation: np.ndarray) -> np.ndarray:
    """Unit vectors (T, 3) along the axis of the coin."""
    w, x, y, z = orientation.T
    return np.column_stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])


def main() -> None:
    """Simulate, say what happened, draw."""
    run = simulate(coin(), DURATION, TIME_STEP, every=20)
    axis = axis_of(run.orientation("coin"))
    tilt = np.degrees(np.arccos(np.minimum(np.abs(axis[:, 2]), 1.0)))  # 90: upright, 0: flat
    flat = tilt < 0.01
    stop = run.time[np.argmax(flat)] if flat.any() else math.nan
    losses = {name: run.energy[name].sum() for name in ("sliding", "spinning", "rolling", "impact", "numerical")}
    print(f"falls below 45 degrees at t = {run.time[np.argmax(tilt < 45)]:.2f} s, lies flat at t = {stop:.2f} s")
    print("energy went to " + ", ".join(f"{name} {1e6 * value:.0f} µJ" for name, value in losses.items()))
    draw(run, axis, tilt, stop)
    print("written: coin.png")


def draw(run, axis: np.ndarray, tilt: np.ndarray, stop: float) -> None:
    """The coin at five times from the side, and tilt and energy over time."""
    figure, (side, chart) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained", width_ratios=(3, 2))
    end = stop if math.isfinite(stop) else run.time[-1]
    angle = np.linspace(0, 2 * np.pi, 60)
    for place, share in enumerate((0.0, 0.2, 0.5, 0.8, 1.0)):
        k = min(int(np.searchsorted(run.time, share * end)), len(run.time) - 1)
        a, height = axis[k], run.position("coin")[k, 2]
        level = np.cross(a, [0, 0, 1.0]) if abs(a[2]) < 1 - 1e-9 else np.array([1.0, 0, 0])
        level /= np.linalg.norm(level)
        rim = 1e3 * RADIUS * (np.outer(np.cos(angle), level) + np.outer(np.sin(angle), np.cross(a, level)))
        side.fill(rim[:, 0] + 32 * place, rim[:, 2] + 1e3 * height, color="#d9b44a", ec="#8a6d1d", lw=1.5)
        side.text(32 * place, 29, f"{run.time[k]:.2f} s", ha="center")
    side.axhline(0, color="k", lw=1)
    side.set(xlim=(-18, 146), ylim=(-4, 36), aspect="equal", ylabel="[mm]", xticks=[], title="from the side")
    chart.plot(run.time, tilt, color="#1f3a5f", label="angle to the table [°]")
    energy = run.energy["kinetic"] + run.energy["potential"]
    chart.plot(run.energy["time"], 100 * energy / energy[0], color="#c0392b", label="energy [% of the start]")
    chart.set(xlabel="t [s]", ylim=(0, 105), xlim=(0, min(run.time[-1], 1.15 * end)))
    chart.grid(alpha=0.3)
    chart.legend(frameon=False)
    figure.savefig("coin.png", dpi=130)


if __name__ == "__main__":
    main()
