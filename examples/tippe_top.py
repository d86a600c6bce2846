"""A tippe top: a loaded ball that turns itself upside down.  Writes tippe_top.png.

    python examples/tippe_top.py

A ball whose centre of mass is below its middle (`centre_of_mass`) is spun fast about its axis.  Friction at its contact point
turns it over, and its centre of mass rises, although no force pulls it up.  With plain Coulomb friction the point would soon
stick, and the top roll: a contact that spins has hardly any resistance against slow sliding, which is Contensou's effect
(Leine & Glocker 2003).  Compared with an ODE of the same top, whose friction is integrated over the contact patch.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

from trundle import HalfSpace, Scene, Sphere, laws, simulate

RADIUS, OFFSET, MASS, G = 0.02, 0.003, 0.015, 9.81  # [m], [m], [kg], [m/s^2]
MU, PATCH = 0.3, 1e-3  # [-], [m]
INERTIA = np.array([2.3e-6, 2.3e-6, 2.4e-6])  # [kg m^2]
TILT, SPIN = 0.1, 150.0  # [rad], [rad/s]
DURATION, TIME_STEP = 3.0, 1e-4  # [s]


def top() -> Scene:
    """The top on a plane, its axis tilted about y, spun about its axis."""
    axis = np.array([np.sin(TILT), 0.0, np.cos(TILT)])
    scene = Scene(gravity=(0, 0, -G))
    scene.add(HalfSpace(), name="table", fixed=True, surface="table")
    scene.add(
        Sphere(RADIUS), name="top", mass=MASS, inertia=INERTIA, centre_of_mass=(0, 0, -OFFSET), position=(0, 0, RADIUS),
        orientation=(np.cos(TILT / 2), 0, np.sin(TILT / 2), 0), angular_velocity=SPIN * axis, surface="top",
    )  # fmt: skip
    scene.surface("table", "top", law=laws.Contensou(mu=MU, patch_radius=PATCH))
    return scene


def axis_of(q: np.ndarray) -> np.ndarray:
    """Axes (T, 3) of the top from its quaternions (T, 4)."""
    w, x, y, z = q.T
    return np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)


def patch() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Friction of a patch with Hertz' pressure: force and torque over mu N and mu N a, at sliding / (spinning x a) = x.

    Each point slides with u + s x r; its friction is opposite, in proportion to the pressure 3 / (2 pi) sqrt(1 - r^2).
    """
    r, weight = np.polynomial.legendre.leggauss(200)
    r, weight = 0.5 * (r + 1.0), 0.5 * weight
    phi = (np.arange(720) + 0.5) * 2 * np.pi / 720
    x = np.concatenate([[0.0], np.geomspace(1e-4, 1e4, 400)])
    sine, share = r[:, None] * np.sin(phi), (1.5 / np.pi * np.sqrt(1 - r**2) * r * weight)[:, None] * 2 * np.pi / 720
    speed = [np.sqrt((k - sine) ** 2 + (r[:, None] * np.cos(phi)) ** 2) for k in x]
    force = np.array([np.sum(share * (k - sine) / v) for k, v in zip(x, speed, strict=True)])
    torque = np.array([np.sum(share * (r[:, None] ** 2 - k * sine) / v) for k, v in zip(x, speed, strict=True)])
    return x, force, torque


def reference(times: np.ndarray) -> np.ndarray:
    """Height of the axis over time, from an ODE: velocity of the centre of mass, angular velocity and axis in the world."""
    up, (x, force, torque) = np.array([0.0, 0.0, 1.0]), patch()
    one, three = INERTIA[0], INERTIA[2]

    def rate(_, y):
        v, w, e = y[:3], y[3:6], y[6:9]
        arm = OFFSET * e - RADIUS * up  # from the centre of mass to the contact point
        slip = v + np.cross(w, arm)
        slip[2] = 0.0
        speed = max(np.hypot(*slip[:2]), 1e-12)
        ratio = speed / max(abs(w[2]) * PATCH, 1e-12)
        push = -MU * np.interp(ratio, x, force) * slip / speed
        drill = -MU * PATCH * np.interp(ratio, x, torque) * np.sign(w[2]) * up
        de = np.cross(w, e)

        def turning(load):
            # L = one w + (three - one) (e . w) e changes by the moment; e . w by its share about e
            moment = np.cross(arm, load * (up + push)) + load * drill
            right = moment - (three - one) * (e @ w) * de
            return (right - (three - one) * (e @ moment) / three * e) / one

        def lift(load):
            # the ball stays on the table: height of the centre of mass R - OFFSET e_z
            dde = np.cross(turning(load), e) + np.cross(w, de)
            return load / MASS - G + OFFSET * dde[2]

        a, b = lift(0.0), lift(1.0)
        load = max(-a / (b - a), 0.0)
        return np.concatenate([load / MASS * (up + push) - G * up, turning(load), de])

    e = np.array([np.sin(TILT), 0.0, np.cos(TILT)])
    start = np.concatenate([np.cross(SPIN * e, -OFFSET * e), SPIN * e, e])
    return solve_ivp(rate, (0, times[-1]), start, t_eval=times, rtol=1e-7, atol=1e-9).y[8]


def main() -> None:
    """Simulate, compare and draw."""
    run = simulate(top(), DURATION, TIME_STEP, every=100)
    e, w = axis_of(run.orientation("top")), run.angular_velocity("top")
    exact = reference(run.time)
    print(f"the axis turns from {np.degrees(np.arccos(e[0, 2])):.0f} to {np.degrees(np.arccos(e[-1, 2])):.0f} degrees")
    level = [float(run.time[np.argmax(z < 0.0)]) for z in (e[:, 2], exact)]
    print(f"the axis is level after {level[0]:.2f} s, in the ODE after {level[1]:.2f} s")
    print(
        f"the centre of mass rises by {1e3 * OFFSET * (e[0, 2] - e[-1, 2]):.2f} mm; spin {w[0, 2]:.0f} to {w[-1, 2]:.0f} rad/s"
    )
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.0), layout="constrained")
    left.plot(run.time, np.degrees(np.arccos(np.clip(e[:, 2], -1, 1))), lw=2.0, color="#4c78a8", label="simulated")
    left.plot(run.time, np.degrees(np.arccos(np.clip(exact, -1, 1))), "--", lw=1.0, color="k", label="ODE")
    left.set(xlabel="t [s]", ylabel="tilt of the axis [degrees]")
    left.legend(frameon=False)
    right.plot(run.time, 1e3 * (RADIUS - OFFSET * e[:, 2]), color="#e45756", label="height of the centre of mass [mm]")
    right.plot(run.time, w[:, 2] / 10, color="#72b7b2", label="angular velocity about the vertical [10 rad/s]")
    right.set(xlabel="t [s]")
    right.legend(frameon=False, fontsize=8)
    for axis in (left, right):
        axis.grid(alpha=0.3)
    figure.savefig("tippe_top.png", dpi=130)
    print("written: tippe_top.png")


if __name__ == "__main__":
    main()
