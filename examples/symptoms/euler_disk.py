"""A disk on its rim, with and without rolling friction: when does it stop?  python examples/symptoms/euler_disk.py"""

from __future__ import annotations

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
from engines import EXACT, Body, MuJoCo, PyBullet, Row, Trundle, World, follow, installed, save, tilt
from scipy.integrate import solve_ivp

R, THICKNESS, MASS, MU, G = 0.0381, 1e-3, 0.05, 0.5, 9.81
TILT, MU_R, FLAT = 0.3, 2e-4, 0.01  # start [rad], rolling friction [m], below which the disk counts as lying [rad]
DURATION, TIME_STEP = 12.0, 1e-3
ROWS = [
    Row("trundle", Trundle),
    Row("MuJoCo, condim 6", MuJoCo, {"condim": 6}),
    Row("MuJoCo, condim 6, elliptic", MuJoCo, {"condim": 6, "option": 'cone="elliptic"'}, "--"),
    Row("MuJoCo, condim 6, elliptic, impratio 10, solref 4 ms", MuJoCo,
        {"condim": 6, "option": 'cone="elliptic" impratio="10"', "geom": 'solref="0.004 1"'}, ":"),
    Row("PyBullet, defaults", PyBullet),
]  # fmt: skip


def closed_form(mu_r: float) -> tuple[np.ndarray, np.ndarray]:
    """Tilt over time of a thin disk that loses energy slowly: E = 3/2 m g R sin(tilt), dE/dt = -mu_r m g omega."""

    def rate(_: float, a: np.ndarray) -> list[float]:
        omega = np.sqrt(4.0 * G * max(np.sin(a[0]), 0.0) / R)  # about the diameter through the contact
        return [-mu_r * omega / (1.5 * R * np.cos(a[0]))]

    def lies(_: float, a: np.ndarray) -> float:
        return float(a[0] - FLAT)

    lies.terminal = True  # type: ignore[attr-defined]
    found = solve_ivp(rate, (0.0, DURATION), [TILT], events=lies, max_step=0.01, rtol=1e-10)
    return found.t, found.y[0]


def start() -> Body:
    """Stationary whirring: the centre at rest, the angular velocity along the diameter through the contact."""
    spin = np.sqrt(4.0 * G / (R * np.sin(TILT))) * np.sin(TILT)
    along = np.array([np.cos(TILT), 0.0, -np.sin(TILT)])
    q = (np.cos(0.5 * TILT), 0.0, np.sin(0.5 * TILT), 0.0)
    return Body("disk", (R, THICKNESS), MASS, (0.0, 0.0, R * np.sin(TILT)), (0, 0, 0), tuple(spin * along), q)


def main() -> None:
    """Measure and draw."""
    figure, both = plt.subplots(1, 2, figsize=(10.0, 4.2), sharey=True, layout="constrained")
    for axes, mu_r in zip(both, (MU_R, 0.0), strict=True):
        t, a = closed_form(mu_r)
        stops = f"stops after {t[-1]:.2f} s" if mu_r else "never stops"
        print(f"disk of radius {1e3 * R:g} mm, tilt {TILT:g}, mu_r = {1e3 * mu_r:g} mm: {stops} (closed form)")
        axes.plot(t, a, label="closed form", **EXACT)
        for row in installed(ROWS):
            world = World((start(),), TIME_STEP, mu=MU, mu_r=mu_r)
            if row.engine is not Trundle:  # whose disk touches with the circle in its middle plane
                x, y, z = start().position
                world = replace(world, bodies=(replace(start(), position=(x, y, z + 0.5 * THICKNESS * np.cos(TILT))),))
            run = follow(row, world, DURATION, every=10)
            angle = tilt(run["orientation"][:, 0])
            lies = np.flatnonzero(angle < FLAT)
            said = (
                f"lies flat after {run['time'][lies[0]]:.2f} s"
                if len(lies)
                else f"tilt {angle[-1]:.3f} at {DURATION:g} s"
            )
            print(f"  {row.name:52s} {said}")
            axes.plot(run["time"], angle, **row.look)
        axes.set(xlabel="time [s]", ylim=(0.0, 0.4))
        axes.set_title(f"mu_r = {1e3 * mu_r:g} mm: {stops}", fontsize=10)
    both[0].set_ylabel("tilt [rad]")
    both[0].legend(fontsize=7, loc="upper right")
    save(figure, "euler_disk.png")


if __name__ == "__main__":
    main()
