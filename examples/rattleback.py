"""A rattleback: spun the wrong way it begins to rock, stops, and turns back.  Writes rattleback.png.

    python examples/rattleback.py

An ellipsoid whose axes of inertia are turned by one degree against those of its shape rolls without sliding on a table.
Nothing takes energy: the spin must go over into rocking and back again.  The dashed line is an ODE of rolling without slip in the
body frame, integrated to 1e-10, which knows nothing of contacts.
"""

import math

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from trundle import Ellipsoid, HalfSpace, Scene, laws, simulate

SEMI_AXES, SKEW = (0.2, 0.03, 0.02), 0.02  # [m], [rad]
OMEGA = np.array([0.01, 0.02, -5.0])  # [rad/s]: the wrong way, and a little rocking to begin with
GRAVITY, DURATION, TIME_STEP = 9.81, 8.0, 5e-4


def inertia() -> np.ndarray:
    """Inertia of 1 kg [kg m^2], of a uniform ellipsoid turned about the vertical."""
    a, b, c = np.square(SEMI_AXES)
    turn = Rotation.from_euler("z", SKEW).as_matrix()
    return turn @ np.diag([b + c, a + c, a + b]) @ turn.T / 5.0


def scene() -> Scene:
    """The stone on a table on which it does not slide."""
    made = Scene(gravity=(0, 0, -GRAVITY))
    lowest = np.array([0.0, 0.0, -SEMI_AXES[2]])
    made.add(Ellipsoid(semi_axes=SEMI_AXES), name="stone", mass=1.0, inertia=inertia(), position=-lowest,
             velocity=-np.cross(OMEGA, lowest), angular_velocity=OMEGA, surface="stone")  # fmt: skip
    made.add(HalfSpace(normal=(0, 0, 1)), name="table", fixed=True, surface="table")
    made.surface("stone", "table", law=laws.Coulomb(mu=2.0))
    return made


def rate(_: float, y: np.ndarray) -> np.ndarray:
    """Quaternion and angular velocity in the body frame of an ellipsoid that rolls without slip."""
    D, I = np.diag(np.square(SEMI_AXES)), inertia()
    q, w = y[:4] / np.linalg.norm(y[:4]), y[4:]
    u = Rotation.from_quat(q, scalar_first=True).as_matrix().T @ [0, 0, 1]  # the vertical
    du, s = -np.cross(w, u), math.sqrt(u @ D @ u)
    r, dr = -D @ u / s, -D @ du / s + D @ u * (u @ D @ du) / s**3  # the contact point
    X = np.cross(np.eye(3), r)
    force = -np.cross(w, dr) + np.cross(w, -np.cross(w, r)) + GRAVITY * u
    dw = np.linalg.solve(I - X @ X, X @ force - np.cross(w, I @ w))
    return np.concatenate([0.5 * np.array([-q[1:] @ w, *(q[0] * w + np.cross(q[1:], w))]), dw])


def main() -> None:
    """Simulate, compare, draw."""
    run = simulate(scene(), DURATION, TIME_STEP)
    smooth = solve_ivp(
        rate, (0, DURATION), [1, 0, 0, 0, *OMEGA], method="DOP853", rtol=1e-10, atol=1e-12, t_eval=run.time
    ).y
    turns = Rotation.from_quat(smooth[:4].T, scalar_first=True)
    right, spin = turns.apply(smooth[4:].T)[:, 2], run.angular_velocity("stone")[:, 2]
    energy = run.energy["kinetic"] + run.energy["potential"]
    print(f"spin after {DURATION:g} s: {spin[-1]:+.3f} rad/s; rolling without slip: {right[-1]:+.3f} rad/s")
    print(f"energy kept: {100 * energy[-1] / energy[0]:.2f} %, at a time step of {1e3 * TIME_STEP:g} ms")
    w = run.angular_velocity("stone")
    figure, axes = plt.subplots(2, 1, figsize=(7.5, 5.2), layout="constrained", sharex=True)
    axes[0].plot(run.time, spin, color="#1f3a5f", label=f"trundle, h = {1e3 * TIME_STEP:g} ms")
    axes[0].plot(run.time, right, "--", color="#d1495b", lw=1.2, label="ODE of rolling without slip")
    axes[0].axhline(0.0, color="0.7", lw=0.8)
    axes[0].set(ylabel="spin about the vertical [rad/s]", title="A rattleback turns back")
    axes[0].legend(frameon=False)
    axes[1].plot(run.time, np.hypot(w[:, 0], w[:, 1]), color="#edae49", lw=0.8)
    axes[1].set(xlabel="t [s]", ylabel="rocking [rad/s]")
    for panel in axes:
        panel.grid(alpha=0.3)
    figure.savefig("rattleback.png", dpi=130)
    print("written: rattleback.png")


if __name__ == "__main__":
    main()
