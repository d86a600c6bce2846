"""A box launched in several directions: does friction depend on the axes?  python examples/symptoms/box_friction.py"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from engines import EXACT, Body, MuJoCo, PyBullet, Row, Trundle, World, follow, installed, save

SPEED, MU, G, ANGLES = 2.0, 0.3, 9.81, range(0, 91, 15)
ROWS = [
    Row("trundle", Trundle),
    Row("MuJoCo, defaults (pyramidal)", MuJoCo),
    Row("MuJoCo, elliptic", MuJoCo, {"option": 'cone="elliptic"'}, "--"),
    Row("PyBullet, defaults (cones)", PyBullet),
    Row("PyBullet, enableConeFriction = 0", PyBullet, {"cone": False}, "--"),
]


def main() -> None:
    """Measure and draw."""
    way = SPEED**2 / (2.0 * MU * G)
    figure, axes = plt.subplots(figsize=(5.6, 5.2), layout="constrained")
    arc = np.linspace(0.0, 0.5 * np.pi, 100)
    axes.plot(way * np.cos(arc), way * np.sin(arc), label="closed form", **EXACT)
    print(f"box launched at {SPEED:g} m/s, mu = {MU}: slides {way:.4f} m straight on in every direction (closed form)")
    for row in installed(ROWS):
        ends = []
        for degrees in ANGLES:
            a = np.radians(degrees)
            box = Body("box", (0.2, 0.2, 0.1), 1.0, (0, 0, 0.05), (SPEED * np.cos(a), SPEED * np.sin(a), 0.0))
            ends.append(follow(row, World((box,), 1e-3, mu=MU), 1.2, every=100)["position"][-1, 0, :2])
        x, y = np.array(ends).T
        off = np.degrees(np.arctan2(y, x)) - np.array(ANGLES)
        print(
            f"  {row.name:34s} slides {np.hypot(x, y).min() / way:.4f} to {np.hypot(x, y).max() / way:.4f} of that, "
            f"up to {np.abs(off).max():.2g} degrees off its direction"
        )
        axes.plot(x, y, marker="o", markersize=9 if row.engine is Trundle else 4, fillstyle="none", **row.look)
    axes.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    axes.set_title("Where a box comes to rest that is launched\nat 0, 15, ... 90 degrees to the axes", fontsize=10)
    axes.legend(fontsize=8, loc="lower left")
    save(figure, "box_friction.png")


if __name__ == "__main__":
    main()
