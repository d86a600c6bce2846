"""A cart that balances a pole, controlled step by step, against an ODE.  Writes cart_pole.png.

    python examples/cart_pole.py

`Simulation.step` advances by one time step; between steps the controller reads the state and sets the force on the cart, as a
digital controller does: the force is constant during a step.  The reference is the ODE of cart and pole with the same controller.
"""

import itertools

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

from trundle import Box, Scene, Simulation

CART, POLE, LENGTH, THICKNESS, G = 1.0, 0.2, 1.0, 0.03, 9.81  # [kg], [kg], [m], [m], [m/s^2]
GAINS = np.array([1.5, 3.0, 40.0, 10.0])  # on x, its rate, the tilt, its rate
TILT, DURATION, TIME_STEP = 0.3, 6.0, 1e-3  # [rad], [s], [s]


def cart_and_pole() -> Scene:
    """A cart on a rail along x, and a pole on a hinge about y, tilted; the rail ends after 2 m."""
    scene = Scene(gravity=(0, 0, -G))
    scene.add(Box((0.4, 0.2, 0.1)), name="cart", mass=CART)
    middle = 0.5 * LENGTH * np.array([np.sin(TILT), 0, np.cos(TILT)])
    turn = (np.cos(TILT / 2), 0, np.sin(TILT / 2), 0)
    scene.add(Box((THICKNESS, THICKNESS, LENGTH)), name="pole", mass=POLE, position=middle, orientation=turn)
    scene.joint("slider", "cart", name="rail", position=(0, 0, 0), axis=(1, 0, 0), limits=(-2.0, 2.0))
    scene.joint("hinge", "cart", "pole", name="hinge", position=(0, 0, 0), axis=(0, 1, 0))
    return scene


def control(x: float, v: float, tilt: float, rate: float) -> float:
    """Force on the cart [N]."""
    return float(GAINS @ (x, v, tilt, rate))


def reference(times: np.ndarray) -> np.ndarray:
    """x, v, tilt and its rate (4, T): the force changes at the times only."""
    half, moment = LENGTH / 2, POLE * (LENGTH**2 + THICKNESS**2) / 12 + POLE * (LENGTH / 2) ** 2

    def rate(_, y, force):
        s, c = np.sin(y[2]), np.cos(y[2])
        A = np.array([[CART + POLE, POLE * half * c], [POLE * half * c, moment]])
        a = np.linalg.solve(A, (force + POLE * half * s * y[3] ** 2, POLE * G * half * s))
        return y[1], a[0], y[3], a[1]

    found = [np.array([0.0, 0.0, TILT, 0.0])]
    for t0, t1 in itertools.pairwise(times):
        found.append(solve_ivp(rate, (t0, t1), found[-1], args=(control(*found[-1]),), rtol=1e-10, atol=1e-12).y[:, -1])
    return np.array(found).T


def main() -> None:
    """Balance it, compare and draw."""
    sim = Simulation(cart_and_pole(), time_step=TIME_STEP)
    steps, rows, forces = round(DURATION / TIME_STEP), [], []
    for _ in range(steps + 1):
        w, _x, y, _z = sim.state.orientation("pole")
        rows.append((sim.state.position("cart")[0], sim.state.velocity("cart")[0], 2 * np.arctan2(y, w),
                     sim.state.angular_velocity("pole")[1]))  # fmt: skip
        forces.append(control(*rows[-1]))
        sim.load("cart", force=(forces[-1], 0, 0))
        sim.step()
    found, time = np.array(rows).T, TIME_STEP * np.arange(steps + 1)
    exact = reference(time)
    print(
        f"tilt {TILT} rad at the start, {abs(found[2, -1]):.1e} at the end; cart at most {np.abs(found[0]).max():.2f} m away"
    )
    print(
        f"off the ODE by at most {np.abs(found[0] - exact[0]).max():.1e} m and {np.abs(found[2] - exact[2]).max():.1e} rad"
    )
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 4.0), layout="constrained")
    for axis, row, label in zip(axes, (0, 2), ("cart [m]", "tilt of the pole [rad]"), strict=True):
        axis.plot(time, found[row], lw=2.2, color="#4c78a8", label="simulated")
        axis.plot(time, exact[row], "--", lw=1.0, color="k", label="ODE")
        axis.set(xlabel="t [s]", ylabel=label)
        axis.grid(alpha=0.3)
        axis.legend(frameon=False)
    figure.savefig("cart_pole.png", dpi=130)
    print("written: cart_pole.png")


if __name__ == "__main__":
    main()
