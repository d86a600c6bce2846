"""A box on a slope that friction holds: how far has it crept after ten seconds?  python examples/symptoms/creep.py"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from engines import Body, MuJoCo, PyBullet, Row, Trundle, World, follow, installed, save

SLOPE, MU, DURATION = 0.4, 0.5, 10.0  # tan of the angle [-], friction [-], [s]
ROWS = [
    Row("trundle", Trundle),
    Row("MuJoCo, defaults", MuJoCo),
    Row("MuJoCo, elliptic cones, impratio 100", MuJoCo, {"option": 'cone="elliptic" impratio="100"'}, "--"),
    Row("MuJoCo, elliptic cones, impratio 10, noslip", MuJoCo,
        {"option": 'cone="elliptic" impratio="10" noslip_iterations="10"'}, ":"),
    Row("PyBullet, defaults", PyBullet),
]  # fmt: skip


def main() -> None:
    """Measure and draw."""
    angle = np.arctan(SLOPE)
    gravity = (9.81 * np.sin(angle), 0.0, -9.81 * np.cos(angle))
    world = World((Body("box", (0.2, 0.2, 0.1), 1.0, (0.0, 0.0, 0.05)),), 2e-3, gravity, mu=MU)
    figure, axes = plt.subplots(figsize=(8.0, 4.2), layout="constrained")
    print(f"box on a slope of {SLOPE}, mu = {MU}, h = {world.time_step:g} s: after {DURATION:g} s")
    for row in installed(ROWS):
        run = follow(row, world, DURATION, every=10)
        way = np.linalg.norm(run["position"][:, 0, :2] - run["position"][0, 0, :2], axis=1)
        speed = np.linalg.norm(run["velocity"][-1, 0])
        print(f"  {row.name:44s} crept {1e3 * way[-1]:9.2g} mm, speed {speed:8.1e} m/s")
        axes.plot(run["time"], np.maximum(1e3 * way, 1e-8), **row.look)
    axes.set(xlabel="time [s]", ylabel="distance from the start [mm]", yscale="log", ylim=(1e-9, 1e2))
    axes.set_title(f"A box at rest on a slope of {SLOPE}, mu = {MU}; below 1e-8 mm is drawn there", fontsize=10)
    axes.legend(fontsize=8, loc="lower right", bbox_to_anchor=(1.0, 0.12))
    save(figure, "creep.png")


if __name__ == "__main__":
    main()
