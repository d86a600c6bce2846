"""A loaded ball bearing: which ball carries how much, against Stribeck's closed form.  Writes ball_bearing.png.

    python examples/ball_bearing.py

Balls between the groove of an outer race (the inside of a torus) and a shaft that is pulled down.  Contacts are linear
springs (formulation="compliant"), so that a ball at the angle psi from the load carries Q_max cos(psi), with
Q_max = F / sum of cos^2 over the lower half.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

from trundle import Cylinder, Scene, Simulation, Sphere, TorusInside, laws

BALLS, RING, BALL, GROOVE = 13, 0.04, 0.008, 1.04  # number, [m], [m]; GROOVE: its radius over that of a ball
LOAD, STIFFNESS, TIME_STEP = 100.0, 1e6, 1e-3  # [N], [N/m], [s]
ON_SIDE = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)  # axes along y


def bearing() -> tuple[Scene, np.ndarray]:
    """The bearing and the angles of its balls from the direction of the load [rad]."""
    way = RING + (GROOVE - 1.0) * BALL  # of the balls' centres, when they touch the bottom of the groove
    psi = 2 * math.pi * np.arange(BALLS) / BALLS
    scene = Scene(gravity=(0, 0, 0))
    scene.add(TorusInside(RING, GROOVE * BALL, arc=(-1.1, 1.1)), name="outer race", fixed=True, orientation=ON_SIDE)
    scene.add(Cylinder(way - BALL, 0.03), name="shaft", mass=1.0, orientation=ON_SIDE)
    for k, angle in enumerate(psi):
        place = way * np.array([math.sin(angle), 0.0, -math.cos(angle)])
        scene.add(Sphere(BALL), name=f"ball{k}", density=7850.0, position=place)
    scene.surface("default", "default", law=laws.Coulomb(mu=0.2), stiffness=STIFFNESS)
    scene.load("shaft", force=(0, 0, -LOAD))
    return scene, psi


def main() -> None:
    """Load the bearing, compare, draw."""
    scene, psi = bearing()
    sim = Simulation(scene, TIME_STEP, tolerance=1e-10, formulation="compliant")
    sim.run(0.4)
    contacts, carried = sim.contacts(), np.zeros(BALLS)
    for (a, b), p in zip(contacts.body, contacts.impulse[:, 0], strict=True):
        if sim.names[a] == "outer race":
            carried[int(sim.names[b].removeprefix("ball"))] += p / TIME_STEP
    share = np.maximum(np.cos(psi), 0.0)
    expected = LOAD * share / np.sum(share**2)
    print(f"the lowest ball carries {carried[0]:.2f} N of {LOAD:g} N; Stribeck: {expected[0]:.2f} N")
    print(f"largest difference of any ball: {np.abs(carried - expected).max():.2f} N")
    figure = plt.figure(figsize=(5, 5), layout="constrained")
    axes = figure.add_subplot(projection="polar", theta_offset=-math.pi / 2)
    fine = np.linspace(-math.pi, math.pi, 400)
    axes.plot(fine, expected[0] * np.maximum(np.cos(fine), 0.0), color="#c0392b", label="Stribeck")
    axes.plot(psi, carried, "o", color="#1f3a5f", label="simulated")
    axes.set_title("force on the balls [N]")
    axes.legend(frameon=False, loc="lower left")
    figure.savefig("ball_bearing.png", dpi=130)
    print("written: ball_bearing.png")


if __name__ == "__main__":
    main()
