"""A ball that bounces with e = 0.8, and a cradle with e = 1: what comes back?  python examples/symptoms/restitution.py"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from engines import EXACT, Body, MuJoCo, PyBullet, Row, Trundle, World, follow, installed, save

E, RADIUS, G = 0.8, 0.05, 9.81
GAP, BALLS = 1e-5, 5
DAMPING_RATIO = -np.log(E) / np.hypot(np.pi, np.log(E))  # of a spring with a dashpot that returns E times the speed
STIFF = 1e5  # MuJoCo's springs with given stiffness and damping, per unit of mass [1/s^2]


def rows(restitution: float) -> list[Row]:
    """MuJoCo has no coefficient of restitution; a spring with a damping ratio comes closest."""
    ratio = DAMPING_RATIO if restitution < 1.0 else 0.0
    spring = f'solref="{-STIFF:g} {-2.0 * ratio * np.sqrt(STIFF):g}"'
    return [
        Row("trundle", Trundle),
        Row("MuJoCo, defaults", MuJoCo),
        Row("MuJoCo, solref of a spring with that e", MuJoCo, {"geom": spring}, "--"),
        Row("PyBullet", PyBullet),
    ]


def bounce(axes: plt.Axes) -> None:
    """Heights of the bounces of a ball that falls from 1 m."""
    print(
        f"ball dropped from 1 m, e = {E}: bounces to {', '.join(f'{E ** (2 * k):.3f}' for k in range(1, 6))} m (closed form)"
    )
    fall = np.sqrt(2.0 / G)
    begin, exact_time, exact_height = (
        fall,
        [np.linspace(0.0, fall, 50)],
        [1.0 - 0.5 * G * np.linspace(0.0, fall, 50) ** 2],
    )
    for k in range(1, 12):
        up = E**k * np.sqrt(2.0 * G)
        t = np.linspace(0.0, 2.0 * up / G, 50)
        exact_time.append(begin + t)
        exact_height.append(up * t - 0.5 * G * t**2)
        begin += t[-1]
    axes.plot(np.concatenate(exact_time), np.concatenate(exact_height), label="closed form", **EXACT)
    world = World((Body("sphere", (RADIUS,), 1.0, (0.0, 0.0, 1.0 + RADIUS)),), 1e-3, restitution=E)
    for row in installed(rows(E)):
        run = follow(row, world, 3.5)
        height, speed = run["position"][:, 0, 2] - RADIUS, run["velocity"][:, 0, 2]
        tops = np.flatnonzero((speed[:-1] > 0.0) & (speed[1:] <= 0.0) & (height[:-1] > 0.01))
        said = ", ".join(f"{height[k]:.3f}" for k in tops[:5]) or "does not bounce"
        print(f"  {row.name:40s} {said}")
        axes.plot(run["time"], height, **{**row.look, "linewidth": 1.2})
    axes.set(xlabel="time [s]", ylabel="height [m]", ylim=(0.0, 1.0))
    axes.set_title(f"a ball, e = {E}", fontsize=10)
    axes.legend(fontsize=7)


def cradle(axes: plt.Axes) -> None:
    """Velocities after a ball has met four others in a row."""
    print(f"cradle of {BALLS}, e = 1, gaps of {1e6 * GAP:g} um: only the last ball leaves, at 1 m/s (closed form)")
    places = [-0.05, *(k * (2.0 * RADIUS + GAP) for k in range(1, BALLS))]
    balls = tuple(
        Body("sphere", (RADIUS,), 1.0, (x, 0.0, 0.0), (0.0 if k else 1.0, 0.0, 0.0)) for k, x in enumerate(places)
    )
    world = World(balls, 1e-3, (0.0, 0.0, 0.0), restitution=1.0, plane=False)
    shown = installed(rows(1.0))
    for k, row in enumerate(shown):
        v = follow(row, world, 0.5, every=500)["velocity"][-1, :, 0]
        print(f"  {row.name:40s} {', '.join(f'{speed:+.3f}' for speed in v)} m/s; energy {np.sum(v**2):.3f} of 1")
        places = np.arange(BALLS) + 0.8 * ((k + 0.5) / len(shown) - 0.5)
        bars = axes.bar(places, v, 0.8 / len(shown), color=row.look["color"], label=row.name)
        if row.style != "-":
            for bar in bars:
                bar.set(hatch="///", alpha=0.6)
    exact = [0.0] * (BALLS - 1) + [1.0]
    for k, speed in enumerate(exact):
        axes.plot([k - 0.45, k + 0.45], [speed, speed], label="" if k else "closed form", **{**EXACT, "alpha": 0.5})
    axes.set(xlabel="ball", ylabel="velocity afterwards [m/s]", xticks=range(BALLS), ylim=(-0.8, 1.9))
    axes.set_title("a cradle of five, e = 1", fontsize=10)
    axes.legend(fontsize=7, ncols=2, loc="upper left")


def main() -> None:
    """Measure and draw."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.0, 4.2), layout="constrained")
    bounce(left)
    cradle(right)
    save(figure, "restitution.png")


if __name__ == "__main__":
    main()
