"""Billiards, a massé shot: the ball runs along a parabola, and straight on once it rolls.  Writes masse.png.

    python examples/masse.py

A cue that strikes from above gives the ball a spin across its path.  While it slides, friction has a constant direction, so that
the path is a parabola (Euler, 1758); when the contact point comes to rest the ball rolls straight on with 5/7 of its velocity
and 2/7 of R omega x n.
"""

import matplotlib.pyplot as plt
import numpy as np

from trundle import HalfSpace, Scene, Sphere, laws, simulate

RADIUS, MASS, MU, GRAVITY = 28.6e-3, 0.17, 0.2, 9.81  # [m], [kg], [-], [m/s^2]
VELOCITY = np.array([1.6, 0.0, 0.0])  # [m/s]
SPINS = (60.0, 120.0, 180.0)  # [rad/s] about the direction of travel
DURATION, TIME_STEP = 1.5, 1e-3  # [s]
UP = np.array([0.0, 0.0, 1.0])


def shot(spin: float) -> Scene:
    """A ball just after the stroke: it moves along x, spins about x, and backwards."""
    scene = Scene(gravity=(0, 0, -GRAVITY))
    scene.add(Sphere(radius=RADIUS), name="ball", mass=MASS, position=(0, 0, RADIUS), velocity=VELOCITY,
              angular_velocity=(-spin, -40.0, 0.0), surface="ball")  # fmt: skip
    scene.add(HalfSpace(normal=(0, 0, 1)), name="cloth", fixed=True, surface="cloth")
    scene.surface("ball", "cloth", law=laws.Coulomb(mu=MU))
    return scene


def closed_form(spin: float, time: np.ndarray) -> tuple[np.ndarray, float]:
    """Positions in the plane [m], and the time at which sliding ends [s]."""
    omega = np.array([-spin, -40.0, 0.0])
    slip = VELOCITY - RADIUS * np.cross(omega, UP)  # velocity of the contact point
    end = 2.0 * np.linalg.norm(slip) / (7.0 * MU * GRAVITY)
    push = -MU * GRAVITY * slip / np.linalg.norm(slip)
    sliding = np.minimum(time, end)[:, None]
    final = VELOCITY + push * end
    return VELOCITY * sliding + 0.5 * push * sliding**2 + final * np.maximum(time - end, 0.0)[:, None], end


def main() -> None:
    """Simulate three shots, compare, draw."""
    figure, axis = plt.subplots(figsize=(7.5, 4.4), layout="constrained")
    for spin, colour in zip(SPINS, ("#edae49", "#00798c", "#d1495b"), strict=True):
        run = simulate(shot(spin), DURATION, TIME_STEP)
        x = run.position("ball")
        exact, end = closed_form(spin, run.time)
        print(
            f"spin {spin:g} rad/s: slides for {end:.3f} s; largest error {1e6 * np.abs(x - exact)[:, :2].max():.2g} um"
        )
        axis.plot(x[:, 0], x[:, 1], color=colour, lw=2.2, label=f"{spin:g} rad/s")
        axis.plot(exact[::60, 0], exact[::60, 1], "o", color="k", ms=2.5)
        k = int(np.searchsorted(run.time, end))
        axis.plot(*x[k, :2], "s", color=colour, ms=7, mfc="white")
    axis.plot([], [], "ko", ms=2.5, label="closed form")
    axis.plot([], [], "s", color="0.4", mfc="white", label="rolls from here on")
    axis.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="Massé: a parabola, then a straight line")
    axis.grid(alpha=0.3)
    axis.legend(frameon=False)
    figure.savefig("masse.png", dpi=130)
    print("written: masse.png")


if __name__ == "__main__":
    main()
