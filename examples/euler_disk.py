"""The Euler disk, the toy with its real dimensions: how fast it whirrs before it stops.  Writes euler_disk.png.

    python examples/euler_disk.py

A steel disk of 75 mm diameter and 12 mm thickness on a mirror, in the last seconds of its motion.  Only contour friction
takes energy, so that the angular velocity of the contact point grows as (t_f - t)^(-1/3), and its pitch with it:
le Saux, Leine & Glocker (2005), (5.38), (6.2).
"""

import math

import matplotlib.pyplot as plt
import numpy as np

from trundle import Cylinder, HalfSpace, Scene, laws, simulate
from trundle.analytic.disk import ThinDisk

RADIUS, THICKNESS, DENSITY = 37.5e-3, 12e-3, 7850.0  # [m], [m], [kg/m3]
TILT = 0.12  # [rad] between disk and mirror at the start
MU, MU_CONTOUR = 0.4, 3e-4
DURATION, TIME_STEP = 6.0, 2.5e-4  # [s]


def toy() -> Scene:
    """The disk rolling on its rim with its centre at rest, or nearly so: the steady motion of a thin disk (5.14)."""
    alpha, gamma = ThinDisk(1.0, RADIUS).stationary_rolling(0.5 * math.pi - TILT)
    axis = np.array([0.0, math.sin(TILT), math.cos(TILT)])
    height = RADIUS * math.sin(TILT) + 0.5 * THICKNESS * math.cos(TILT)
    scene = Scene(gravity=(0, 0, -9.81))
    scene.add(Cylinder(radius=RADIUS, height=THICKNESS), name="disk", density=DENSITY, position=(0, 0, height),
              orientation=(math.cos(0.5 * TILT), -math.sin(0.5 * TILT), 0, 0),
              angular_velocity=alpha * np.array([0, 0, 1]) + gamma * axis, surface="steel")  # fmt: skip
    scene.add(HalfSpace(normal=(0, 0, 1)), name="mirror", fixed=True, surface="glass")
    scene.surface("steel", "glass", law=laws.Coulomb(mu=MU) * laws.Roll(mu_r=MU_CONTOUR), rolling="contour")
    return scene


def main() -> None:
    """Simulate, fit, draw."""
    run = simulate(toy(), DURATION, TIME_STEP, every=4)
    w, x, y, z = run.orientation("disk").T
    axis = np.column_stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
    sine = np.hypot(axis[:, 0], axis[:, 1])
    # turns of the contact point per second: rate of the azimuth of the axis
    azimuth = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
    whirr = np.abs(np.gradient(azimuth, run.time)) / (2 * math.pi)
    flat = sine < 1e-4
    stop = float(run.time[np.argmax(flat)]) if flat.any() else math.nan
    left = stop - run.time
    fit = (left > 0.03 * stop) & (left < 0.8 * stop)
    slope = np.polyfit(np.log(left[fit]), np.log(whirr[fit]), 1)[0]
    print(
        f"lies flat at t = {stop:.2f} s; whirrs at {whirr[5]:.0f} Hz at the start, {whirr[fit][-1]:.0f} Hz near the end"
    )
    print(f"alpha' ~ (t_f - t)^(-1/n) with n = {-1 / slope:.2f}; a thin disk with contour friction has n = 3")
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
    moving = left > 0.01
    axes[0].plot(run.time[moving], np.degrees(np.arcsin(sine[moving])), color="#1f3a5f")
    axes[0].set(xlabel="t [s]", ylabel="angle to the mirror [°]", ylim=(0, None))
    axes[1].loglog(left[moving], whirr[moving], color="#1f3a5f", label="simulated")
    axes[1].loglog(
        left[fit], whirr[fit][-1] * (left[fit] / left[fit][-1]) ** (-1 / 3), "--", color="#c0392b", label="n = 3"
    )
    axes[1].set(xlabel="time left [s]", ylabel="turns of the contact point [Hz]")
    axes[1].invert_xaxis()
    axes[1].legend(frameon=False)
    for panel in axes:
        panel.grid(alpha=0.3, which="both")
    figure.savefig("euler_disk.png", dpi=130)
    print("written: euler_disk.png")


if __name__ == "__main__":
    main()
