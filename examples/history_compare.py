"""One scene, two formulations: exact (rigid, implicit) and history (springs, explicit). What does either cost, and err?

A sphere slides, rolls and stops: closed forms are known.  Then a small heap of spheres falls to rest.
"""

import sys
import time

import numpy as np

import trundle
from trundle import laws


def rolling_sphere(stiffness: float, depth: float) -> trundle.Scene:
    """A sphere on the ground, or at rest in its spring."""
    scene = trundle.Scene(gravity=(0, 0, -9.81))
    scene.add(trundle.HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True, surface="ground")
    ball = trundle.Sphere(radius=0.1)
    scene.add(ball, name="ball", mass=1.0, position=(0, 0, 0.1 - depth), velocity=(1, 0, 0), surface="ball")
    # the material is for history alone; exact bodies are rigid
    material = trundle.Hooke(stiffness=stiffness, restitution=0.5)
    scene.surface("ground", "ball", law=laws.Rolling(mu=0.3, mu_r=0.01), material=material)
    return scene


def stop() -> tuple[float, float]:
    """Time and distance of the closed form: sliding, then rolling at (mu_r g / R) / 1.4."""
    mu, mu_r, g, R, v = 0.3, 0.01, 9.81, 0.1, 1.0
    slip = v / (mu * g + 2.5 * g * (mu - mu_r / R))
    speed = v - mu * g * slip
    slowing = mu_r * g / R / 1.4
    return slip + speed / slowing, v * slip - 0.5 * mu * g * slip**2 + 0.5 * speed**2 / slowing


def heap(side: int = 4) -> trundle.Scene:
    """Spheres in loose layers above the ground."""
    scene = trundle.Scene(gravity=(0, 0, -9.81))
    scene.add(trundle.HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True, surface="s")
    rng = np.random.default_rng(0)
    for k in range(side):
        for i in range(side):
            for j in range(side):
                shift = 0.05 * (k % 2) + 0.005 * rng.uniform(-1, 1, 2)
                where = (0.11 * i + shift[0], 0.11 * j + shift[1], 0.05 + 0.1 * k)
                scene.add(trundle.Sphere(radius=0.05), density=2500.0, position=where, surface="s")
    material = trundle.Hooke(stiffness=2e5, restitution=0.3)
    law = laws.SlideRollSpin(mu=0.5, mu_r=0.005, mu_s=0.002)
    scene.surface("s", "s", law=law, material=material, restitution=0.3)
    return scene


def timed(scene: trundle.Scene, duration: float, h: float, formulation: str) -> tuple[trundle.Run, float]:
    """A run and its CPU time [s]."""
    trundle.simulate(scene, 3 * h, h, formulation=formulation)  # compiles
    begin = time.process_time()
    run = trundle.simulate(scene, duration, h, formulation=formulation, tolerance=1e-6, every=max(1, round(0.02 / h)))
    return run, time.process_time() - begin


def main() -> None:
    """Both scenes with both formulations."""
    t_stop, way = stop()
    print(f"rolling sphere, closed form: stops after {t_stop:.4f} s and {way:.5f} m")
    for formulation, h, k in (
        ("exact", 1e-2, 1e5),
        ("exact", 1e-3, 1e5),
        ("history", 1e-4, 1e5),
        ("history", 2e-5, 1e6),
    ):
        depth = 9.81 / k if formulation == "history" else 0.0
        run, seconds = timed(rolling_sphere(k, depth), 1.5, h, formulation)
        x, v = run.position("ball")[-1, 0], np.linalg.norm(run.velocity("ball")[-1])
        stiffness = f"k = {k:.0e} N/m" if formulation == "history" else "rigid"
        print(f"  {formulation:8s} h = {h:.0e} s, {stiffness:14s} error of the way {abs(x / way - 1):.1e}, "
              f"speed at the end {v:.0e} m/s, {seconds:.2f} s CPU")  # fmt: skip
    side = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    print(f"heap of {side**3} spheres, 0.5 s")
    for formulation, h in (("exact", 2e-3), ("history", 5e-5)):
        run, seconds = timed(heap(side), 0.5, h, formulation)
        height = run.final.position[1:, 2].mean()
        lost = sum(float(run.energy[name].sum()) for name in ("sliding", "rolling", "spinning", "impact"))
        numerical = float(np.abs(run.energy["numerical"].sum()))
        print(f"  {formulation:8s} h = {h:.0e} s: mean height {height:.4f} m, {numerical / lost:.1e} of the lost energy is "
              f"numerical, {seconds:.1f} s CPU")  # fmt: skip


if __name__ == "__main__":
    main()
