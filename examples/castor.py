"""A castor that shimmies, and one with a damper that does not, against an ODE.  Writes castor.png.

    python examples/castor.py

A wheel trails behind a pivot that a trolley tows at a constant speed; the pivot gives way sideways on a spring.  A wheel that
rolls without slipping feeds energy of the tow into the sideways motion: a castor whose centre of mass is behind the
wheel shimmies unless it is damped.  The reference is the ODE with rolling as a nonholonomic constraint.
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
DURATION, TIME_STEP = 2.0, 5e-4  # [s]


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
    scene.surface("tyre", "road", law=laws.Coulomb(mu=2.0))
    return scene


def reference(times: np.ndarray, damping: float) -> np.ndarray:
    """Sideways position of the pivot, from d'Alembert's principle with  l phi' = y' cos phi - V sin phi."""
    i_arm, i_wheel = M_ARM * (SIZE[0] ** 2 + SIZE[1] ** 2) / 12, 0.4 * M_WHEEL * RADIUS**2

    def balance(y, v, phi, a):
        """What is left of the forces on a virtual displacement of y, at the acceleration a of y."""
        n, t = np.array([-np.sin(phi), np.cos(phi)]), np.array([np.cos(phi), np.sin(phi)])
        turn = (v * np.cos(phi) - V * np.sin(phi)) / TRAIL
        bend = (a * np.cos(phi) - v * np.sin(phi) * turn - V * np.cos(phi) * turn) / TRAIL
        d_phi, total = np.cos(phi) / TRAIL, M_PIVOT * a + STIFFNESS * y + damping * v
        for mass, back in ((M_ARM, BACK), (M_WHEEL, TRAIL)):
            acceleration = np.array([0.0, a]) - back * bend * n + back * turn**2 * t
            total += mass * acceleration @ (np.array([0.0, 1.0]) - back * n * d_phi)
        rolling = (a * np.sin(phi) + v * np.cos(phi) * turn - V * np.sin(phi) * turn) / RADIUS
        return total + (i_arm + i_wheel) * bend * d_phi + i_wheel * rolling * np.sin(phi) / RADIUS

    def rate(_, state):
        y, v, phi = state
        none, one = balance(y, v, phi, 0.0), balance(y, v, phi, 1.0)
        return v, -none / (one - none), (v * np.cos(phi) - V * np.sin(phi)) / TRAIL

    return solve_ivp(rate, (0, times[-1]), (0.0, PUSH, 0.0), t_eval=times, rtol=1e-9, atol=1e-11).y[0]


def main() -> None:
    """With and without damper."""
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 4.0), layout="constrained")
    for axis, damping in zip(axes, (0.0, DAMPING), strict=True):
        run = simulate(castor(damping), DURATION, TIME_STEP, every=4)
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
