"""The Euler disk on its concave mirror, started beside the middle.  Writes euler_disk_mirror.png.

    python examples/euler_disk_mirror.py

The toy's mirror is slightly hollow, here more than in the shops: its radius is 0.3 m.  On a flat mirror
the disk rolls around in its place.  On the hollow one the slope turns its angular momentum like that of a top: the centre goes
round the axis of the mirror in small loops, and slowly inwards.  Contour friction takes the energy of both.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

from trundle import Disk, HalfSpace, Scene, SphereInside, laws, simulate

RADIUS, THICKNESS, MIRROR, EDGE = 37.5e-3, 12e-3, 0.3, 0.5  # [m]; EDGE [rad]: how far the mirror reaches
TILT, ASIDE = 0.4, 0.04  # [rad], [m] of the centre from the axis
MU, MU_CONTOUR = 0.6, 2e-3
DURATION, TIME_STEP = 4.0, 2e-4  # [s]
G = 9.81


def toy(hollow: bool) -> Scene:
    """A disk that rolls around: its angular velocity points to the contact, W^2 = 4 g / (r sin(tilt))."""
    down = np.array([math.cos(TILT), 0.0, -math.sin(TILT)])  # from the centre to the contact
    omega = -math.sqrt(4 * G / (RADIUS * math.sin(TILT))) * math.sin(TILT) * down
    contact = ASIDE + RADIUS * math.cos(TILT)
    height = MIRROR - math.sqrt(MIRROR**2 - contact**2) if hollow else 0.0
    scene = Scene(gravity=(0, 0, -G))
    if hollow:  # its centre of mass is halfway up: the lowest point is at 0
        scene.add(SphereInside(MIRROR, angle=EDGE), name="mirror", fixed=True, surface="glass",
                  position=(0, 0, MIRROR * (1 - math.cos(EDGE)) / 2))  # fmt: skip
    else:
        scene.add(HalfSpace(), name="mirror", fixed=True, surface="glass")
    scene.add(Disk(RADIUS, THICKNESS), name="disk", density=7850.0,
              position=np.array([contact, 0, height]) - RADIUS * down, angular_velocity=omega,
              orientation=(math.cos(TILT / 2), 0, math.sin(TILT / 2), 0), surface="steel")  # fmt: skip
    scene.surface("steel", "glass", law=laws.Coulomb(mu=MU) * laws.Roll(mu_r=MU_CONTOUR), rolling="contour")
    return scene


def main() -> None:
    """Simulate both, draw."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
    for hollow, colour in ((True, "#1f3a5f"), (False, "#c0392b")):
        name = "hollow" if hollow else "flat"
        run = simulate(toy(hollow), DURATION, TIME_STEP, every=20)
        x, y, _ = 1e3 * run.position("disk").T
        q = run.orientation("disk")
        tilt = np.degrees(np.arccos(np.clip(1 - 2 * (q[:, 1] ** 2 + q[:, 2] ** 2), -1, 1)))
        axes[0].plot(x, y, color=colour, lw=0.8, label=f"{name} mirror")
        axes[1].plot(run.time, tilt, color=colour, label=f"{name} mirror")
        round_axis = np.degrees(np.unwrap(np.arctan2(y, x)))[-1]
        end = np.hypot(x, y)[-1]
        print(f"{name} mirror: the centre goes {abs(round_axis):.0f}° round the axis, {end:.1f} mm from it in the end")
    axes[0].set(xlabel="x [mm]", ylabel="y [mm]", title="way of the centre", aspect="equal")
    axes[1].set(xlabel="t [s]", ylabel="tilt [°]", ylim=(0, None))
    for panel in axes:
        panel.grid(alpha=0.3)
        panel.legend(frameon=False)
    figure.savefig("euler_disk_mirror.png", dpi=130)
    print("written: euler_disk_mirror.png")


if __name__ == "__main__":
    main()
