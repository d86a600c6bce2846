"""A mass on a belt, held by a spring: stick and slip, against the closed form.  Writes stick_slip.png.

    python examples/stick_slip.py

The belt carries the mass along until the spring pulls with mu_s m g; then the mass slides back on a circle about
x = mu_k m g / k in the phase plane (x, v / omega), until it is as fast as the belt again, and sticks.  What it sticks for grows
with mu_s - mu_k: with one coefficient it slides on the circle that just touches the speed of the belt, and never sticks again.
"""

import matplotlib.pyplot as plt
import numpy as np

from trundle import Box, Scene, Steady, laws, simulate

MASS, STIFFNESS, BELT, G = 1.0, 100.0, 0.2, 9.81  # [kg], [N/m], [m/s], [m/s^2]
KINETIC, STATIC = 0.3, 0.45  # [-]
DURATION, TIME_STEP = 3.0, 5e-4  # [s]
OMEGA, CENTRE = np.sqrt(STIFFNESS / MASS), KINETIC * MASS * G / STIFFNESS


def oscillator(static: float) -> Scene:
    """A block that a belt carries along x, with a spring to a wall."""
    scene = Scene(gravity=(0, 0, -G))
    scene.add(
        Box((4.0, 1.0, 0.1)), name="belt", position=(0, 0, -0.05), motion=Steady(velocity=(BELT, 0, 0)), surface="belt"
    )
    scene.add(
        Box((0.2, 0.2, 0.1)), name="block", mass=MASS, position=(0, 0, 0.05), velocity=(BELT, 0, 0), surface="block",
        locked="y rx ry rz",
    )  # fmt: skip
    # at the height of the centre of mass: the spring does not tilt the block
    scene.joint("spring", "block", other_position=(-1.0, 0, 0.05), name="spring", stiffness=STIFFNESS, target=1.0)
    scene.surface("belt", "block", law=laws.Coulomb(mu=laws.Stribeck(static=static, kinetic=KINETIC)))
    return scene


def closed_form(t: np.ndarray, static: float) -> np.ndarray:
    """Position of a mass that sticks at x = 0 first, slips from x = mu_s m g / k on and sticks again at the speed of the belt."""
    onset = static * MASS * G / STIFFNESS
    d = onset - CENTRE
    slips, sticks = (2.0 * np.pi - 2.0 * np.arctan(OMEGA * d / BELT)) / OMEGA, 2.0 * d / BELT
    phase = (t - onset / BELT) % (slips + sticks)
    slipping = CENTRE + d * np.cos(OMEGA * phase) + BELT / OMEGA * np.sin(OMEGA * phase)
    return np.where(t < onset / BELT, BELT * t, np.where(phase < slips, slipping, CENTRE - d + BELT * (phase - slips)))


def main() -> None:
    """Simulate, compare and draw."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.0), layout="constrained")
    for static, colour in ((KINETIC, "#e45756"), (STATIC, "#4c78a8")):
        run = simulate(oscillator(static), DURATION, TIME_STEP, every=4)
        x, v, exact = run.position("block")[:, 0], run.velocity("block")[:, 0], closed_form(run.time, static)
        spring, stuck = run.joint_force("spring")[:, 0], np.mean(np.abs(v - BELT) < 1e-6)
        print(f"mu_s = {static:g}: largest deviation from the closed form {np.abs(x - exact).max():.1e} m of "
              f"{np.abs(x).max():.4f} m; sticks for {100 * stuck:.0f} % of the time; spring at most "
              f"{np.nanmax(np.abs(spring)):.3f} N")  # fmt: skip
        label = f"$\\mu_s$ = {static:g}"
        left.plot(run.time, 1e3 * x, lw=2.2, color=colour, label=label)
        left.plot(run.time, 1e3 * exact, "--", lw=1.0, color="k")
        right.plot(1e3 * x, v, lw=1.4, color=colour, label=label)
    left.plot([], [], "--", lw=1.0, color="k", label="closed form")
    left.set(xlabel="t [s]", ylabel="x [mm]", ylim=(-3, 64))
    left.legend(frameon=False, fontsize=8, loc="upper center", ncols=3)
    right.annotate("sticks: as fast as the belt", (10.0, BELT), xytext=(0, 4), textcoords="offset points", fontsize=8)
    right.set(xlabel="x [mm]", ylabel="v [m/s]", ylim=(-0.32, 0.24))
    for axis in (left, right):
        axis.grid(alpha=0.3)
    figure.savefig("stick_slip.png", dpi=130)
    print("written: stick_slip.png")


if __name__ == "__main__":
    main()
