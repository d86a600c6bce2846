"""A ball that rolls on a plane with rolling friction: where does it stop?  python examples/symptoms/rolling.py"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from engines import EXACT, Body, MuJoCo, PyBullet, Row, Trundle, World, follow, installed, save

R, SPEED, MU, MU_R, G = 0.1, 1.0, 0.5, 2e-3, 9.81
DURATION = 10.0
ROWS = [
    Row("trundle", Trundle),
    Row("MuJoCo, defaults (condim 3)", MuJoCo),
    Row("MuJoCo, condim 6", MuJoCo, {"condim": 6}, "--"),
    Row("MuJoCo, condim 6, elliptic, impratio 100", MuJoCo, {"condim": 6, "option": 'cone="elliptic" impratio="100"'}, ":"),
    Row("PyBullet, mu_r of the ball", PyBullet),
    Row("PyBullet, mu_r of the plane", PyBullet, {"rolling_of": "plane"}, "--"),
]  # fmt: skip


def main() -> None:
    """Measure and draw."""
    # (I + m R^2) alpha = mu_r m g with I = 2/5 m R^2: the deceleration of the centre is 5/7 g mu_r / R
    deceleration = 5.0 / 7.0 * G * MU_R / R
    stop = SPEED**2 / (2.0 * deceleration)
    ball = Body("sphere", (R,), 1.0, (0.0, 0.0, R), (SPEED, 0.0, 0.0), (0.0, SPEED / R, 0.0))
    world = World((ball,), 2e-3, mu=MU, mu_r=MU_R)
    figure, axes = plt.subplots(figsize=(8.0, 4.2), layout="constrained")
    t = np.linspace(0.0, SPEED / deceleration, 200)
    axes.plot([*t, DURATION], [*(SPEED * t - 0.5 * deceleration * t**2), stop], label="closed form", **EXACT)
    print(f"ball of radius {R} m at {SPEED:g} m/s, mu_r = {1e3 * MU_R:g} mm: stops after {stop:.4f} m (closed form)")
    for row in installed(ROWS):
        run = follow(row, world, DURATION, every=10)
        way, speed = run["position"][-1, 0, 0], run["velocity"][-1, 0, 0]
        said = "at rest" if abs(speed) < 1e-6 else f"still at {speed:.2g} m/s"
        print(f"  {row.name:52s} {way:8.4f} m after {DURATION:g} s, {100 * (way / stop - 1):+8.2f} %, {said}")
        axes.plot(run["time"], run["position"][:, 0, 0], **row.look)
    axes.set(xlabel="time [s]", ylabel="distance [m]", ylim=(0.0, 8.0))
    axes.set_title(f"A ball with rolling friction, mu_r = {1e3 * MU_R:g} mm", fontsize=10)
    axes.legend(fontsize=8)
    save(figure, "rolling.png")


if __name__ == "__main__":
    main()
