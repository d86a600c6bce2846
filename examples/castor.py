"""A castor that shimmies, and one with a damper that does not, against an ODE.  Writes castor.png.

    python examples/castor.py

A wheel trails behind a pivot that a trolley tows at a constant speed; the pivot gives way sideways on a spring.  A wheel that
rolls without slipping feeds energy of the tow into the sideways motion: a castor whose centre of mass is behind the
wheel shimmies unless it is damped.  The shimmy grows until the tyre slides, which bounds it.  The reference is an ODE of the
same castor with Coulomb friction; one with rolling as a constraint, which never slides, goes on growing.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

from trundle import Box, HalfSpace, Scene, Sphere, Steady, laws, simulate

V, TRAIL, RADIUS, G = 2.0, 0.2, 0.05, 9.81  # [m/s], [m], [m], [m/s^2]
M_PIVOT, M_ARM, M_WHEEL = 0.5, 0.5, 0.3  # [kg]
STIFFNESS, DAMPING, PUSH = 400.0, 12.0, 0.05  # [N/m], [N s/m], first sideways speed [m/s]
BACK = 0.23  # centre of the arm behind the pivot [m]: behind the wheel
SIZE = np.array([0.2, 0.02, 0.02])  # of the arm [m]
MU, EPS = 2.0, 1e-5  # friction of the tyre [-], slip below which the ODE's friction is linear [m/s]
DURATION, TIME_STEP = 5.0, 2.5e-4  # [s]


def castor(damping: float) -> Scene:
    """Trolley, pivot on a sprung slider across, arm that turns about the vertical, wheel on an axle."""
    scene = Scene(gravity=(0, 0, -G))
    scene.add(HalfSpace(), name="road", fixed=True, surface="road")
    scene.add(
        Box((0.2, 0.2, 0.05)), name="trolley", position=(0, 0, 0.3), motion=Steady(velocity=(V, 0, 0)), group="castor"
    )
    scene.add(
        Box((0.05, 0.05, 0.05)), name="pivot", mass=M_PIVOT, position=(0, 0, 0.2), velocity=(V, PUSH, 0), group="castor"
    )
    turning = PUSH / TRAIL  # the wheel does not slip sideways
    scene.add(
        Box(SIZE), name="arm", mass=M_ARM, position=(-BACK, 0, RADIUS), velocity=(V, PUSH - BACK * turning, 0),
        angular_velocity=(0, 0, turning), group="castor",
    )  # fmt: skip
    scene.add(
        Sphere(RADIUS), name="wheel", mass=M_WHEEL, position=(-TRAIL, 0, RADIUS), velocity=(V, 0, 0),
        angular_velocity=(0, V / RADIUS, turning), surface="tyre",
    )  # fmt: skip
    scene.ignore("castor", "castor")
    for name in ("wheel", "road"):
        scene.ignore("castor", name)
    scene.joint(
        "slider",
        "trolley",
        "pivot",
        name="spring",
        position=(0, 0, 0.2),
        axis=(0, 1, 0),
        stiffness=STIFFNESS,
        damping=damping,
    )
    # the arm may move up and down: the wheel carries its weight
    scene.joint("cylindrical", "pivot", "arm", name="kingpin", position=(0, 0, 0.2), axis=(0, 0, 1))
    scene.joint("hinge", "arm", "wheel", name="axle", position=(-TRAIL, 0, RADIUS), axis=(0, 1, 0))
    scene.surface("tyre", "road", law=laws.Coulomb(mu=MU))
    return scene


def reference(times: np.ndarray, damping: float) -> np.ndarray:
    """Sideways position of the pivot, from Lagrange's equations in y, phi and the angle of the wheel.

    Friction is mu N against the slip of the contact point, N the weight of arm and wheel; below `EPS` it is proportional to
    the slip, so that a wheel that rolls creeps by less than EPS.
    """
    i_arm, i_wheel = M_ARM * (SIZE[0] ** 2 + SIZE[1] ** 2) / 12, 0.4 * M_WHEEL * RADIUS**2
    limit = MU * (M_ARM + M_WHEEL) * G
    bodies = ((M_ARM, BACK), (M_WHEEL, TRAIL))

    def rate(_, state):
        y, v, phi, turn, spin = state
        n, t = np.array([-np.sin(phi), np.cos(phi)]), np.array([np.cos(phi), np.sin(phi)])
        slip = np.array([V, v]) - TRAIL * turn * n - RADIUS * spin * t
        force = -limit * slip / np.hypot(EPS, np.linalg.norm(slip))
        # bodies are at (V t, y) - back t: their accelerations are (0, y'') - back phi'' n + back phi'^2 t
        a = np.array([[M_PIVOT, 0.0], [0.0, i_arm + i_wheel]])
        b = np.array([force[1] - STIFFNESS * y - damping * v, -TRAIL * force @ n])
        for mass, back in bodies:
            moved = np.array([[0.0, 1.0], -back * n])  # by y, by phi
            a += mass * moved @ moved.T
            b -= mass * moved @ (back * turn**2 * t)
        v_dot, turn_dot = np.linalg.solve(a, b)
        return v, v_dot, turn, turn_dot, -RADIUS * force @ t / i_wheel

    start = (0.0, PUSH, 0.0, PUSH / TRAIL, V / RADIUS)
    return solve_ivp(rate, (0, times[-1]), start, t_eval=times, method="Radau", rtol=1e-8, atol=1e-10).y[0]


def main() -> None:
    """With and without damper."""
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 4.0), layout="constrained")
    for axis, damping in zip(axes, (0.0, DAMPING), strict=True):
        run = simulate(castor(damping), DURATION, TIME_STEP, every=8)
        y, exact = run.position("pivot")[:, 1], reference(run.time, damping)
        early, late = (np.abs(y[part]).max() for part in (run.time < 0.4, run.time > DURATION - 0.4))
        print(f"damping {damping:g} N s/m: deflection from {1e3 * early:.2f} to {1e3 * late:.2f} mm; off the ODE by "
              f"at most {np.abs(y - exact).max() / np.abs(exact).max():.1e} of the largest")  # fmt: skip
        axis.plot(run.time, 1e3 * y, lw=2.0, color="#e45756" if damping == 0 else "#4c78a8", label="simulated")
        axis.plot(run.time, 1e3 * exact, "--", lw=0.9, color="k", label="ODE")
        axis.set(
            xlabel="t [s]",
            ylabel="pivot sideways [mm]",
            title="shimmy" if damping == 0 else f"with a damper of {damping:g} N s/m",
        )
        axis.grid(alpha=0.3)
        axis.legend(frameon=False, fontsize=8)
    figure.savefig("castor.png", dpi=130)
    print("written: castor.png")


if __name__ == "__main__":
    main()
