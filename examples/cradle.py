"""Newton's cradle: one ball in, one ball out, or all of them?  Writes cradle.png.

    python examples/cradle.py

Five equal steel balls on strings touch; the first one is let go.  Energy and momentum alone do not say what happens: that
depends on how several contacts bounce at once.  `impact="sequential"` hands the impact on from ball to ball, as gaps of a
micrometre do in a real cradle; `impact="newton"` reverses all contacts together.  No energy is lost either way.
"""

import matplotlib.pyplot as plt
import numpy as np

from trundle import HalfSpace, Scene, Sphere, laws, simulate

RADIUS, MASS, LENGTH, GAP = 0.02, 0.25, 0.25, 0.0  # [m], [kg], [m], [m]
ANGLE = 0.5  # [rad] by which the first ball is lifted
DURATION, TIME_STEP = 2.0, 2.5e-4  # [s]


def cradle(count: int = 5) -> Scene:
    """Balls that hang side by side from ball joints on a fixed beam."""
    scene = Scene(gravity=(0, 0, -9.81))
    scene.add(HalfSpace(normal=(0, 0, -1)), name="beam", fixed=True, surface="beam", position=(0, 0, LENGTH + 0.1))
    for k in range(count):
        x = k * (2 * RADIUS + GAP)
        lift = ANGLE if k == 0 else 0.0
        where = (x - LENGTH * np.sin(lift), 0.0, LENGTH * (1.0 - np.cos(lift)))
        scene.add(Sphere(radius=RADIUS), name=f"ball {k + 1}", mass=MASS, position=where, surface="steel")
        scene.joint("ball", "beam", f"ball {k + 1}", position=(x, 0.0, LENGTH), name=f"string {k + 1}")
    scene.surface("steel", "steel", law=laws.Coulomb(mu=0.0), restitution=1.0)
    return scene


def main() -> None:
    """Simulate with two laws of impact, and draw."""
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 4.0), layout="constrained", sharey=True)
    for axis, impact in zip(axes, ("sequential", "newton"), strict=True):
        run = simulate(cradle(), DURATION, TIME_STEP, impact=impact, every=8)
        energy = run.energy["kinetic"] + run.energy["potential"]
        drift = (energy[-1] - energy[0]) / np.ptp(run.energy["kinetic"])
        first = run.time <= 0.4  # after the first impact, before the balls come back
        speeds = [float(np.abs(run.velocity(f"ball {k}")[first, 0]).max()) for k in range(2, 6)]
        print(f"{impact}: fastest after the first impact {', '.join(f'{v:.3f}' for v in speeds)} m/s (balls 2 to 5); "
              f"energy {100 * drift:+.1e} % of the energy of motion")  # fmt: skip
        for k in range(1, 6):
            x = run.position(f"ball {k}")[:, 0] - (k - 1) * (2 * RADIUS + GAP)
            axis.plot(run.time, 1e3 * x, lw=1.2, color=plt.get_cmap("viridis")((k - 1) / 4.5), label=f"ball {k}")
        axis.set(xlabel="t [s]", title=f'impact="{impact}"')
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("deflection [mm]")
    axes[0].legend(frameon=False, fontsize=8)
    figure.savefig("cradle.png", dpi=130)
    print("written: cradle.png")


if __name__ == "__main__":
    main()
