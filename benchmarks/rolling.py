"""Conservative rolling: what bodies of many shapes gain or lose on many grounds, at 1 ms and at half of that.

    python benchmarks/rolling.py [--duration 20] [--only coin] [--write docs/time-stepping.md]
    python benchmarks/rolling.py --rattlebacks 24

Nothing in these scenes takes energy: bodies roll without slip, or slide without friction, and nothing collides.  The change
of the energy is therefore an error.  Its largest size in the whole run counts, relative to the energy of the start; potential
energy is counted from that of the body at rest, where there is such a place.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from problem_files import markdown
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import trundle
from trundle import laws
from trundle.detect.contacts import Detector
from trundle.scene.model import build_model

G = 9.81
STEP = 1e-3  # [s]; the other one is half of it
BEGIN, END = "<!-- table of benchmarks/rolling.py -->", "<!-- end -->"
Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Motion:
    """A body, how it is turned (rotation vector) and turns [rad/s], what it stands on, and the height of its rest [m]."""

    shape: Any
    turned: Vector
    turning: Vector
    ground: str = "plane"
    rest: float | None = None
    mu: float = 2.0
    restitution: float = 0.0
    off_centre: Vector = (0.0, 0.0, 0.0)
    more: dict[str, Any] = field(default_factory=dict)


def add_ground(scene: trundle.Scene, kind: str) -> None:
    """What a body rolls on: through the origin, below it."""
    steps = np.linspace(-2.0, 2.0, 9)
    ground: dict[str, Callable[[], Any]] = {
        "plane": trundle.HalfSpace,
        "height field": lambda: trundle.HeightField(np.zeros((9, 9)), 0.5, origin=(-2.0, -2.0, 0.0)),
        "mesh": lambda: trundle.Mesh(*flat_mesh(steps)),
        "bowl": lambda: trundle.SphereInside(radius=0.5),
        "drum": lambda: trundle.CylinderInside(radius=0.5, height=4.0),
        "log": lambda: trundle.Cylinder(radius=0.1, height=1.0),
        "ball": lambda: trundle.Sphere(radius=0.2),
        "turntable": trundle.HalfSpace,
    }
    if kind == "sledge":
        scene.add(trundle.HalfSpace(), name="ice", fixed=True, surface="ice", position=(0, 0, -0.1))
        scene.add(trundle.Box(size=(2.0, 2.0, 0.1)), name="ground", mass=3.0, position=(0, 0, -0.05), surface="ground")
        for other in ("ground", "b"):
            scene.surface(other, "ice", law=laws.Coulomb(mu=0.0))
        return
    across = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)
    where = {
        "bowl": {"position": (0, 0, 0.5)},
        "drum": {"position": (0, 0, 0.5), "orientation": across},
        "log": {"position": (0, 0, -0.1), "orientation": across},
        "ball": {"position": (0, 0, -0.2)},
    }
    moves = {"motion": trundle.Steady(angular_velocity=(0, 0, TABLE))} if kind == "turntable" else {"fixed": True}
    scene.add(ground[kind](), name="ground", surface="ground", **where.get(kind, {}), **moves)


def flat_mesh(steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Squares in the plane z = 0, each of two triangles."""
    n = len(steps)
    x, y = np.meshgrid(steps, steps, indexing="ij")
    corner = np.arange(n * n).reshape(n, n)
    a, b, c, d = corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:]
    faces = np.concatenate([np.stack(t, -1).reshape(-1, 3) for t in ((a, b, c), (a, c, d))])
    return np.column_stack([x.ravel(), y.ravel(), np.zeros(n * n)]), faces


def place(m: Motion, position: np.ndarray, velocity: np.ndarray) -> trundle.Scene:
    """The scene, with the body's centre of mass at a position."""
    scene = trundle.Scene(gravity=(0, 0, -G))
    add_ground(scene, m.ground)
    quaternion = Rotation.from_rotvec(m.turned).as_quat(scalar_first=True)
    scene.add(
        m.shape, name="b", surface="b", mass=0.5, position=position, orientation=quaternion, velocity=velocity,
        angular_velocity=m.turning, centre_of_mass=m.off_centre, **m.more,
    )  # fmt: skip
    scene.surface("b", "ground", law=laws.Coulomb(mu=m.mu), restitution=m.restitution)
    return scene


def scene_of(m: Motion) -> trundle.Scene:
    """The body touches the ground, and the points of both that touch have one velocity."""
    position = np.array([0.0, 0.0, 0.12 if m.ground in ("bowl", "drum") else 0.3])
    for _ in range(40):
        model, state = build_model(place(m, position, np.zeros(3)))
        found = Detector(model).detect(state, 1.0)  # what weight can close within a second is found
        b = model.names.index("b")
        mine = found.chosen((found.body == b).any(axis=1))
        low = int(np.argmin(mine.gap))
        point, up = mine.point[low], abs(float(mine.normal[low, 2]))
        position[2] -= float(mine.gap[low]) / up
        if abs(mine.gap[low]) < 1e-15:
            break
    table = np.cross((0, 0, TABLE), point) if m.ground == "turntable" else np.zeros(3)
    velocity = table - np.cross(m.turning, point - position)
    if m.mu == 0.0:
        velocity[:2] = 0.0
    return place(m, position, velocity)


def steady_disk(beta: float, rho: float, r: float = 0.05) -> tuple[Vector, Vector]:
    """Circular rolling of a thin disk, le Saux et al. (2005), (5.12): turned and turning."""
    s, c = math.sin(beta), math.cos(beta)
    gamma = -math.sqrt(4 * G / r * s / ((6 - 5 * rho * s) * rho * c))
    omega = -rho * gamma * np.array([0, 0, 1.0]) + gamma * np.array([0, c, s])
    return (-(0.5 * math.pi - beta), 0.0, 0.0), tuple(omega)


def whirring(tilt: float, r: float) -> tuple[Vector, Vector]:
    """A disk whose centre stands still."""
    beta = 0.5 * math.pi - tilt
    return steady_disk(beta, 1.0 / math.sin(beta), r=r)


DISK, COIN, THICK = trundle.Disk(radius=0.05), trundle.Cylinder(0.038, 1e-3), trundle.Cylinder(0.038, 0.2 * 0.038)
LONG, PEBBLE = trundle.Ellipsoid(semi_axes=(0.2, 0.1, 0.1)), trundle.Ellipsoid(semi_axes=(0.1, 0.08, 0.05))
BALL, PIN = trundle.Sphere(radius=0.05), trundle.Capsule(radius=0.05, height=0.06)
ROCKS: tuple[Vector, Vector] = ((0.0, 0.3, 0.0), (0.0, 0.0, 0.0))
TUMBLES: tuple[Vector, Vector] = ((0.2, 0.1, 0.0), (1.0, 2.0, 3.0))
STEEP, ROUND, STILL = steady_disk(0.35, 0.3), steady_disk(0.8, 0.9), steady_disk(1.3, 1 / math.sin(1.3))
WHEELS = trundle.Compound(
    [
        (trundle.Cylinder(0.05, 0.01), (0, 0, -0.05)),
        (trundle.Cylinder(0.04, 0.01), (0, 0, 0.05)),
        trundle.Cylinder(0.01, 0.1),
    ]
)
RIMMED = trundle.Compound([trundle.Sphere(radius=0.02), trundle.Cylinder(0.09, 0.005)])  # it rolls on the rim
TABLE = 2.0  # [rad/s]


def motions() -> dict[str, Motion]:
    """All of them, by name."""
    grounds = ("plane", "mesh", "height field", "bowl", "sledge", "turntable")
    disks = {"steep": STEEP, "circle": ROUND, "still": STILL}
    table = {f"disk, {name}, {ground}": Motion(DISK, *how, ground) for ground in grounds for name, how in disks.items()}
    del table["disk, steep, turntable"]  # which spirals outwards until it hops
    for tilt in (0.3, 0.1, 0.05):
        table |= {
            f"coin 38 x 1 mm, tilt {tilt}": Motion(COIN, *whirring(tilt, 0.038)),
            f"coin H = 0.05 R, tilt {tilt}": Motion(trundle.Cylinder(0.038, 0.05 * 0.038), *whirring(tilt, 0.038)),
            f"coin H = 0.2 R, tilt {tilt}": Motion(THICK, *whirring(tilt, 0.038)),
        }
    table |= {
        f"coin H = 0.2 R, rolls, {ground}": Motion(THICK, *steady_disk(0.5, 0.5, r=0.038), ground)
        for ground in ("plane", "mesh", "height field", "sledge")  # elsewhere it comes upright, on both rims
    }
    table |= {
        f"ellipsoid, rocks, {ground}": Motion(LONG, *ROCKS, ground, rest=0.1 if ground in ("plane", "mesh") else None)
        for ground in (*grounds, "drum")
    }
    table |= {f"pebble, tumbles, {ground}": Motion(PEBBLE, *TUMBLES, ground) for ground in (*grounds, "drum")}
    return table | {
        "cone on its rim": Motion(trundle.Cone(0.05, 0.02), *whirring(0.3, 0.05)),
        "cone on its rim, circle": Motion(trundle.Cone(0.05, 0.02), *steady_disk(0.5, 0.5)),
        "capsule, weighted, rocks": Motion(PIN, (0.4, 0.0, 0.0), (0.0, 0.0, 3.0), off_centre=(0, 0, -0.05)),
        "ball, weighted": Motion(BALL, (0.9, 0.0, 0.0), (0.0, 3.0, 1.0), off_centre=(0.0, 0.0, -0.02)),
        "ball, weighted, bowl": Motion(BALL, (0.9, 0.0, 0.0), (0.0, 3.0, 1.0), "bowl", off_centre=(0.0, 0.0, -0.02)),
        "wheelset on two rims": Motion(WHEELS, (0.5 * math.pi + math.atan(0.1), 0.0, 0.0), (0.0, 5.0, 0.0)),
        "ball with a rim": Motion(RIMMED, *whirring(0.3, 0.09)),
        "plank on a log": Motion(trundle.Box(size=(0.6, 0.1, 0.05)), (0.0, 0.0, 0.0), (0.0, 0.6, 0.0), "log"),
        "plate on a ball": Motion(trundle.Box(size=(0.6, 0.5, 0.05)), (0.0, 0.0, 0.0), (0.4, 0.6, 0.0), "ball"),
        "disk on a ball": Motion(trundle.Cylinder(0.2, 0.02), (0.0, 0.0, 0.0), (0.4, 0.6, 3.0), "ball"),
        "ellipsoid without friction": Motion(LONG, *ROCKS, rest=0.1, mu=0.0),
        "pebble without friction": Motion(PEBBLE, *TUMBLES, mu=0.0),
        "disk without friction": Motion(DISK, *whirring(0.3, 0.05), mu=0.0),
        **{f"disk, {name}, e = 0.5": Motion(DISK, *how, restitution=0.5) for name, how in disks.items()},
        "coin H = 0.2 R, e = 0.5": Motion(THICK, *whirring(0.1, 0.038), restitution=0.5),
        "ellipsoid, e = 0.5": Motion(LONG, *ROCKS, rest=0.1, restitution=0.5),
        "pebble, e = 0.5": Motion(PEBBLE, *TUMBLES, restitution=0.5),
        "pebble, drum, e = 0.5": Motion(PEBBLE, *TUMBLES, "drum", restitution=0.5),
        "plank on a log, e = 0.5": Motion(
            trundle.Box(size=(0.6, 0.1, 0.05)), (0.0, 0.0, 0.0), (0.0, 0.6, 0.0), "log", restitution=0.5
        ),
    }


def errors(m: Motion, duration: float, h: float) -> tuple[float, float, float, float]:
    """Of the energy, relative to that of the start: the largest, that of the end; what is booked as lost; drift per second."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = trundle.simulate(scene_of(m), duration, h, every=10**9)
    table = run.energy
    E = np.asarray(table["kinetic"] + table["potential"] - np.cumsum(table["external"]))
    floor = 0.5 * G * m.rest if m.rest is not None else 0.0
    change = (E - E[0]) / (E[0] - floor)
    lost = sum(float(np.asarray(table[name]).sum()) for name in ("sliding", "rolling", "spinning", "impact"))
    slope = np.polyfit(np.asarray(table["time"]), change, 1)[0]
    return float(np.abs(change).max()), float(change[-1]), lost / float(E[0] - floor), float(slope)


def rattleback(rng: np.random.Generator) -> tuple[np.ndarray, float, np.ndarray]:
    """Semi-axes [m], how far the axes of inertia are turned [rad], and angular velocity [rad/s] of a rattleback."""
    semi_axes = np.array([0.2, 0.03, 0.02]) * rng.uniform(0.7, 1.4, 3)
    return semi_axes, rng.uniform(0.005, 0.04), np.append(rng.uniform(0.005, 0.05, 2), -rng.uniform(3.0, 7.0))


def skewed_inertia(semi_axes: np.ndarray, skew: float) -> np.ndarray:
    """Of 1 kg, (3, 3) [kg m2]."""
    a, b, c = np.square(semi_axes)
    R = Rotation.from_euler("z", skew).as_matrix()
    return np.asarray(R @ np.diag([b + c, a + c, a + b]) @ R.T / 5.0)


def exact_spin(semi_axes: np.ndarray, skew: float, turning: np.ndarray, duration: float) -> float:
    """Spin about the vertical [rad/s] at the end, by the equations of rolling without slip in the frame of the body."""
    D, I = np.diag(np.square(semi_axes)), skewed_inertia(semi_axes, skew)

    def rate(_: float, y: np.ndarray) -> np.ndarray:
        q, w = y[:4] / np.linalg.norm(y[:4]), y[4:]
        u = Rotation.from_quat(q, scalar_first=True).as_matrix()[2]
        du, s = -np.cross(w, u), math.sqrt(u @ D @ u)
        r, dr = -D @ u / s, -D @ du / s + D @ u * (u @ D @ du) / s**3
        X = np.cross(np.eye(3), r)
        force = -np.cross(w, dr) - np.cross(w, np.cross(w, r)) + G * u
        dw = np.linalg.solve(I - X @ X, X @ force - np.cross(w, I @ w))
        return np.concatenate([0.5 * np.array([-q[1:] @ w, *(q[0] * w + np.cross(q[1:], w))]), dw])

    start = [1.0, 0.0, 0.0, 0.0, *turning]
    y = solve_ivp(rate, (0.0, duration), start, method="DOP853", rtol=1e-10, atol=1e-12).y[:, -1]
    return float((Rotation.from_quat(y[:4], scalar_first=True).as_matrix() @ y[4:])[2])


def spin(semi_axes: np.ndarray, skew: float, turning: np.ndarray, duration: float, h: float) -> float:
    """The same by time steps."""
    scene, c = trundle.Scene(gravity=(0, 0, -G)), float(semi_axes[2])
    add_ground(scene, "plane")
    scene.add(
        trundle.Ellipsoid(semi_axes=tuple(semi_axes)), name="b", surface="b", mass=1.0, position=(0, 0, c),
        inertia=skewed_inertia(semi_axes, skew), velocity=-np.cross(turning, (0, 0, -c)), angular_velocity=tuple(turning),
    )  # fmt: skip
    scene.surface("b", "ground", law=laws.Coulomb(mu=2.0))
    run = trundle.simulate(scene, duration, h, every=round(duration / h))
    return float(run.angular_velocity("b")[-1, 2])


def rattle(count: int, seed: int = 11, duration: float = 12.0) -> None:
    """Errors of the spin of rattlebacks that are drawn by a seed, relative to it: quartiles, and how many are within 5 %."""
    rng, rows = np.random.default_rng(seed), []
    for _ in range(count):
        stone = rattleback(rng)
        right = exact_spin(*stone, duration)
        rows.append([abs(spin(*stone, duration, h) / right - 1.0) for h in (STEP, 0.2 * STEP)])
    for h, found in zip((STEP, 0.2 * STEP), np.transpose(rows), strict=True):
        quartiles = ", ".join(f"{x:.1e}" for x in np.quantile(found, (0.25, 0.5, 0.75)))
        near = [int(np.sum(found < share)) for share in (0.05, 0.005)]
        print(f"h = {h:g} s: quartiles {quartiles}; of {count} within 5 %: {near[0]}, 0.5 %: {near[1]}")


def main() -> None:
    """Run what is asked for and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--duration", type=float, default=20.0, help="[s] (default 20)")
    parser.add_argument("--only", default="", help="motions whose name contains this")
    parser.add_argument("--write", type=Path, help="file in which the table is replaced")
    parser.add_argument("--rattlebacks", type=int, help="instead: the spin of so many rattlebacks after 12 s")
    args = parser.parse_args()
    if args.rattlebacks:
        rattle(args.rattlebacks)
        return
    rows = []
    for name, motion in motions().items():
        if args.only not in name:
            continue
        coarse, fine = (errors(motion, args.duration, h) for h in (STEP, 0.5 * STEP))
        ratio = coarse[0] / fine[0] if fine[0] > 1e-11 else math.inf
        rows.append(
            [
                name,
                f"{coarse[0]:.1e}",
                f"{fine[0]:.1e}",
                f"{ratio:.1f}",
                f"{coarse[1]:+.1e}",
                f"{fine[1]:+.1e}",
                f"{coarse[2]:.0e}",
            ]
        )
        print(*rows[-1], sep=" | ", flush=True)
    head = ["motion", "largest error, 1 ms", "0.5 ms", "ratio", "at the end, 1 ms", "0.5 ms", "booked as lost"]
    text = markdown(head, rows)
    if args.write:
        whole = args.write.read_text()
        begin, end = whole.index(BEGIN) + len(BEGIN), whole.index(END)
        args.write.write_text(f"{whole[:begin]}\n{text}\n{whole[end:]}")


if __name__ == "__main__":
    main()
