"""A slider-crank with a spring and a stop, against its closed form and an ODE.  Writes slider_crank.png.

    python examples/slider_crank.py

The crank turns at a constant speed: the slider follows x = r cos a + sqrt(l^2 - r^2 sin^2 a).  Then it is released without
motor, a spring pulls the slider, and a limit of its guide stops it with a restitution.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

from trundle import Box, Scene, simulate

R, L, SPEED = 0.1, 0.3, 12.0  # crank, rod [m], [rad/s]
M_CRANK, M_ROD, M_SLIDER = 0.5, 0.4, 1.0  # [kg]
STIFFNESS, REST, STOP, RESTITUTION = 80.0, 0.2, 0.28, 0.6  # [N/m], [m], [m], [-]
START = 0.6  # angle of the crank from which it is released [rad]
TIME_STEP = 5e-4  # [s]


def about_y(angle: float) -> tuple[float, float, float, float]:
    """A turn about y as a quaternion."""
    return (np.cos(angle / 2), 0.0, np.sin(angle / 2), 0.0)


def mechanism(start: float, motor: float | None = None, stop: bool = False) -> Scene:
    """Crank from the origin at an angle about y [rad], rod, and slider along x; no gravity."""
    lean, x = np.arcsin(R * np.sin(start) / L), slider_at(start)
    pin = np.array([R * np.cos(start), 0.0, -R * np.sin(start)])
    scene = Scene(gravity=(0, 0, 0))
    scene.add(Box((R, 0.02, 0.02)), name="crank", mass=M_CRANK, position=pin / 2, orientation=about_y(start))
    scene.add(
        Box((L, 0.02, 0.02)),
        name="rod",
        mass=M_ROD,
        position=0.5 * (pin + np.array([x, 0, 0])),
        orientation=about_y(-lean),
    )
    scene.add(Box((0.06, 0.06, 0.06)), name="slider", mass=M_SLIDER, position=(x, 0, 0))
    scene.joint("hinge", "crank", name="shaft", position=(0, 0, 0), axis=(0, 1, 0), motor=motor)
    scene.joint("hinge", "crank", "rod", name="pin", position=pin, axis=(0, 1, 0))
    scene.joint("hinge", "rod", "slider", name="wrist", position=(x, 0, 0), axis=(0, 1, 0))
    more = {} if motor is not None else {"stiffness": STIFFNESS, "target": REST - x}
    more |= {"limits": (STOP - x, 1.0), "restitution": RESTITUTION} if stop else {}
    scene.joint("slider", "slider", name="guide", position=(x, 0, 0), axis=(1, 0, 0), **more)
    scene.ignore("crank", "slider")
    return scene


def crank_angle(run) -> np.ndarray:
    """Angle of the crank about y [rad], counted on."""
    q = run.orientation("crank")
    return np.unwrap(2 * np.arctan2(q[:, 2], q[:, 0]))


def slider_at(a):
    """Position of the slider [m] at the crank's angle."""
    return R * np.cos(a) + np.sqrt(L**2 - (R * np.sin(a)) ** 2)


def reference(times: np.ndarray, start: float) -> np.ndarray:
    """Angle of the crank from the Lagrangian of the one degree of freedom, released at an angle without stop."""

    def parts(a):
        b = np.arcsin(R * np.sin(a) / L)  # the rod leans back by b
        db = R * np.cos(a) / (L * np.cos(b))
        dx = -R * np.sin(a) - L * np.sin(b) * db
        # middle of the rod: (R cos a + L/2 cos b, L/2 sin b) from the pin downwards
        ux, uz = -R * np.sin(a) - 0.5 * L * np.sin(b) * db, 0.5 * L * np.cos(b) * db
        i_rod, i_crank = M_ROD * (L**2 + 0.02**2) / 12, M_CRANK * (R**2 + 0.02**2) / 12
        mass = i_crank + M_CRANK * R**2 / 4 + i_rod * db**2 + M_ROD * (ux**2 + uz**2) + M_SLIDER * dx**2
        return mass, dx

    def rate(_, y):
        a, w = y
        mass, dx = parts(a)
        slope = (parts(a + 1e-6)[0] - parts(a - 1e-6)[0]) / 2e-6
        pull = -STIFFNESS * (slider_at(a) - REST) * dx
        return w, (pull - 0.5 * slope * w**2) / mass

    return solve_ivp(rate, (0, times[-1]), (start, 0.0), t_eval=times, rtol=1e-10, atol=1e-12).y[0]


def main() -> None:
    """Drive it, let it go, let it hit its stop."""
    driven = simulate(mechanism(0.0, motor=SPEED), 1.0, TIME_STEP, every=4)
    a, x = crank_angle(driven), driven.position("slider")[:, 0]
    print(f"driven: slider {np.abs(x - slider_at(a)).max():.1e} m off its closed form")
    free = simulate(mechanism(START), 1.0, TIME_STEP, every=4)
    exact = reference(free.time, START)
    energy = free.energy["kinetic"] + free.energy["elastic"]
    print(f"released: crank {np.abs(crank_angle(free) - exact).max():.1e} rad off the ODE, energy kept to "
          f"{np.ptp(energy) / energy[0]:.1e}")  # fmt: skip
    stopped = simulate(mechanism(START, stop=True), 1.0, TIME_STEP)
    x, v = stopped.position("slider")[:, 0], stopped.velocity("slider")[:, 0]
    hit = int(np.argmax((v[1:] > 0) & (v[:-1] < 0)))
    print(
        f"stop at {STOP} m: slider not below {x.min():.4f} m; rebound {-v[hit + 1] / v[hit]:.3f}, restitution {RESTITUTION}"
    )
    draw(driven, free, exact, stopped)


def draw(driven, free, exact, stopped) -> None:
    """Slider over the angle, and over time."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.0), layout="constrained")
    a = crank_angle(driven)
    left.plot(np.degrees(a), driven.position("slider")[:, 0], lw=2.2, color="#4c78a8", label="simulated, driven")
    left.plot(np.degrees(a), slider_at(a), "--", lw=1.0, color="k", label="closed form")
    left.set(xlabel="crank [degrees]", ylabel="slider [m]")
    right.plot(free.time, free.position("slider")[:, 0], lw=1.4, color="#72b7b2", label="spring, no stop")
    right.plot(free.time, slider_at(exact), "--", lw=1.0, color="k", label="ODE")
    right.plot(stopped.time, stopped.position("slider")[:, 0], lw=1.4, color="#e45756", label="spring and stop")
    right.axhline(STOP, color="0.5", lw=0.8, ls=":")
    right.set(xlabel="t [s]", ylabel="slider [m]")
    for axis in (left, right):
        axis.grid(alpha=0.3)
        axis.legend(frameon=False, fontsize=8)
    figure.savefig("slider_crank.png", dpi=130)
    print("written: slider_crank.png")


if __name__ == "__main__":
    main()
