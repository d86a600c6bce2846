"""A mass on a belt, held by a spring: stick and slip, against the closed form.  Writes stick_slip.png.

    python examples/stick_slip.py

The belt moves at V and carries the mass along until the spring pulls with mu m g; then the mass slides back.  With one
coefficient of friction it slides on a circle about x = mu m g / k in the phase plane (x, v / omega) until it is as fast as the
belt again.  From rest at x = 0 it sticks once, and then slides on the circle that just touches the speed of the belt.
"""

import matplotlib.pyplot as plt
import numpy as np

from trundle import Box, Scene, Steady, laws, simulate

MASS, STIFFNESS, MU, BELT, G = 1.0, 100.0, 0.3, 0.2, 9.81  # [kg], [N/m], [-], [m/s], [m/s^2]
DURATION, TIME_STEP = 3.0, 5e-4  # [s]
OMEGA, CENTRE = np.sqrt(STIFFNESS / MASS), MU * MASS * G / STIFFNESS


def oscillator() -> Scene:
    """A block on a belt that moves along x, with a spring to a wall."""
    scene = Scene(gravity=(0, 0, -G))
    scene.add(
        Box((4.0, 1.0, 0.1)), name="belt", position=(0, 0, -0.05), motion=Steady(velocity=(BELT, 0, 0)), surface="belt"
    )
    scene.add(
        Box((0.2, 0.2, 0.1)), name="block", mass=MASS, position=(0, 0, 0.05), surface="block", locked="y rx ry rz"
    )
    # at the height of the centre of mass: the spring does not tilt the block
    scene.joint("spring", "block", other_position=(-1.0, 0, 0.05), name="spring", stiffness=STIFFNESS, target=1.0)
    scene.surface("belt", "block", law=laws.Coulomb(mu=MU))
    return scene


def closed_form(t: np.ndarray) -> np.ndarray:
    """Position of a mass that starts at rest at x = 0: it slides, sticks where it becomes as fast as the belt, and slides again.

    While it slides, x = CENTRE + A cos(omega t + phase) with friction mu m g forwards; it sticks when x' = V, if k x <= mu m g.
    """
    x = CENTRE * (1.0 - np.cos(OMEGA * t))
    if CENTRE * OMEGA <= BELT:
        return x  # never as fast as the belt
    stuck = np.arcsin(BELT / (CENTRE * OMEGA)) / OMEGA
    at = CENTRE * (1.0 - np.cos(OMEGA * stuck))
    slips = stuck + (CENTRE - at) / BELT  # k x = mu m g: from here on with the speed of the belt
    x = np.where(t > stuck, at + BELT * (t - stuck), x)
    return np.where(t > slips, CENTRE + BELT / OMEGA * np.sin(OMEGA * (t - slips)), x)


def main() -> None:
    """Simulate, compare and draw."""
    run = simulate(oscillator(), DURATION, TIME_STEP, every=4)
    x, v, exact = run.position("block")[:, 0], run.velocity("block")[:, 0], closed_form(run.time)
    spring = run.joint_force("spring")[:, 0]
    print(f"largest deviation from the closed form {np.abs(x - exact).max():.1e} m of {np.abs(x).max():.3f} m")
    print(f"spring at most {np.nanmax(np.abs(spring)):.3f} N; friction {MU * MASS * G:.3f} N")
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.0), layout="constrained")
    left.plot(run.time, 1e3 * x, lw=2.2, color="#4c78a8", label="simulated")
    left.plot(run.time, 1e3 * exact, "--", lw=1.0, color="k", label="closed form")
    left.set(xlabel="t [s]", ylabel="x [mm]")
    left.legend(frameon=False)
    right.plot(1e3 * x, v, lw=1.4, color="#e45756")
    right.axhline(BELT, color="0.6", lw=0.8, ls=":")
    right.annotate(
        "sticks: as fast as the belt", (1e3 * CENTRE * 0.4, BELT), xytext=(0, 4), textcoords="offset points", fontsize=8
    )
    right.set(xlabel="x [mm]", ylabel="v [m/s]")
    for axis in (left, right):
        axis.grid(alpha=0.3)
    figure.savefig("stick_slip.png", dpi=130)
    print("written: stick_slip.png")


if __name__ == "__main__":
    main()
