"""Recordings of bodies that follow a formula, written with the real writer: quick, and as large as a test wants."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from trundle.record import layout
from trundle.record.writer import Writer

MODES = ("take-off", "sticking", "sliding", "rolling", "spinning", "sliding+rolling")
NAMES = ("time", "kinetic", "potential", "external", "sliding", "rolling", "spinning", "impact", "numerical")
LEDGER = np.dtype([(name, float) for name in NAMES])
RADIUS = 0.0225
STEPS = 10  # per frame
SLOWNESS = 0.1

OTHERS = [
    {"shape": "Box", "size": [0.1, 0.05, 0.02]},
    {"shape": "Box", "size": [0.04, 0.04, 0.04]},
    {"shape": "Ellipsoid", "semi_axes": [0.05, 0.03, 0.02]},
    {"shape": "Unheard", "of": 1},
]

EVERY_SHAPE = [
    *OTHERS[1:3],
    {"shape": "Sphere", "radius": 0.05},
    {"shape": "Disk", "radius": 0.05, "thickness": 0.01},
    {"shape": "Cylinder", "radius": 0.04, "height": 0.08},
    {"shape": "Capsule", "radius": 0.03, "height": 0.05},
    {"shape": "Polyhedron", "vertices": [[0, 0, 0], [0.09, 0, 0], [0, 0.09, 0], [0, 0, 0.09]]},
    {"shape": "Clump", "centres": [[-0.03, 0, 0], [0.03, 0, 0]], "radii": [0.04, 0.04]},
    {"shape": "Mesh", "vertices": [[-0.05, -0.05, 0], [0.05, -0.05, 0], [0, 0.05, 0.05]], "faces": [[0, 1, 2]]},
    {
        "shape": "HeightField",
        "heights": [[0, 0.02, 0], [0.02, 0.04, 0.02], [0, 0.02, 0]],
        "spacing": 0.05,
        "origin": [-0.05, -0.05, 0],
    },
]


class Motion:
    """side^3 spheres over a plane that drift and turn; with `extra` other shapes too, the last of which comes late."""

    def __init__(self, side: int, frames: int, extra: bool = False) -> None:
        rng = np.random.default_rng(1)
        grid = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), -1).reshape(-1, 3)
        start = (grid + 0.2 * rng.random(grid.shape)) * 2.1 * RADIUS + RADIUS
        self.spheres, self.frames, self.extra = len(start), frames, extra
        self.shapes = [{"shape": "Sphere", "radius": RADIUS}] * len(start)
        self.shapes += [{"shape": "HalfSpace", "normal": [0, 0, 1], "offset": 0}] + (OTHERS if extra else [])
        beside = 2.1 * RADIUS * side * np.array([1.2, 0.0, 0.3]) + np.outer(np.arange(len(OTHERS)), [0.0, 0.15, 0.0])
        self.start = np.vstack([start, [[0, 0, 0]], *([beside] if extra else [])])
        self.total = len(self.start)
        self.fixed = np.array([s["shape"] == "HalfSpace" for s in self.shapes])
        free = ~self.fixed[:, None]
        self.velocity = free * SLOWNESS * (rng.normal(0, 1.0, (self.total, 3)) + [0, 0, 1.0])
        self.omega = free * rng.normal(0, 3.0, (self.total, 3))
        self.rng = rng
        self._neighbours(side)

    def header(self) -> layout.Header:
        bodies = np.zeros(self.total, layout.BODY_TYPE)
        bodies["name"] = [f"body{i}" for i in range(self.total)]
        bodies["shape"] = [json.dumps(s) for s in self.shapes]
        bodies["mass"] = np.where(self.fixed, np.inf, 1.0)
        bodies["radius"] = [np.inf] if self.total == 1 else self._radii()
        bodies["surface"], bodies["fixed"] = "rock", self.fixed
        options = {"time_step": 1e-3, "duration": self.frames * 1e-2}
        return layout.Header(bodies, "gravity = [0, 0, -9.81]", options, LEDGER, MODES, seed=1)

    def _radii(self) -> list[float]:
        known = {"Sphere": RADIUS, "HalfSpace": np.inf, "Box": 0.06, "Ellipsoid": 0.05, "Unheard": 0.04}
        return [known[s["shape"]] for s in self.shapes]

    def points(self, k: int) -> dict[str, np.ndarray]:
        n = self.total - (self.extra and k < self.frames // 2)
        t = 1e-2 * k
        angle = np.linalg.norm(self.omega[:n], axis=1) * t
        axis = self.omega[:n] * t / np.maximum(angle, 1e-12)[:, None]
        turn = np.column_stack([np.cos(angle / 2), axis * np.sin(angle / 2)[:, None]])
        return {
            "body": np.arange(n), "position": self.start[:n] + t * self.velocity[:n], "velocity": self.velocity[:n],
            "angular_velocity": self.omega[:n], "orientation": turn, "radius": np.where(self.fixed, 0, RADIUS)[:n],
        }  # fmt: skip

    def contacts(self, k: int) -> dict[str, np.ndarray]:
        if k == 0:
            return {}
        c = len(self.pairs)
        impulse = np.zeros((c, 6))
        impulse[:, 0] = 1e-3 * self.rng.exponential(1.0, c)
        impulse[:, 1] = 0.3 * impulse[:, 0]
        return {
            "body": self.pairs, "point": self.middle, "frame": self.frame, "gap": np.zeros(c), "impulse": impulse,
            "velocity": np.zeros((c, 6)), "mode": self.rng.integers(0, len(MODES), c),
        }  # fmt: skip

    def tables(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        steps, energy = np.zeros(STEPS, layout.STEP_TYPE), np.zeros(STEPS, LEDGER)
        steps["time"] = energy["time"] = 1e-2 * k - 1e-3 * np.arange(STEPS)[::-1]
        steps["residual"], steps["converged"] = 1e-8 * self.rng.random(STEPS), True
        energy["kinetic"], energy["potential"], energy["sliding"] = np.exp(-energy["time"]), 3.0, 1e-3
        return steps, energy

    def _neighbours(self, side: int) -> None:
        """Contacts: neighbours of the grid, and the lowest layer on the plane."""
        number = np.arange(self.spheres).reshape(side, side, side)
        pairs = [np.stack([number[:, :, 0].ravel() * 0 + self.spheres, number[:, :, 0].ravel()], 1)]
        for axis in range(3):
            low, high = np.split(np.arange(side), [side - 1])[0], np.arange(1, side)
            pairs.append(np.stack([np.take(number, low, axis).ravel(), np.take(number, high, axis).ravel()], 1))
        self.pairs = np.concatenate(pairs)
        first, second = self.start[self.pairs[:, 0]].copy(), self.start[self.pairs[:, 1]]
        ground = self.pairs[:, 0] == self.spheres
        first[ground] = second[ground] * [1, 1, 0]
        normal = (second - first) / np.linalg.norm(second - first, axis=1)[:, None]
        across = np.cross(normal, np.where(np.abs(normal[:, :1]) < 0.9, [[1.0, 0, 0]], [[0, 1.0, 0]]))
        across /= np.linalg.norm(across, axis=1)[:, None]
        self.frame = np.stack([normal, across, np.cross(normal, across)], 1)
        self.middle = (first + second) / 2


def write_shapes(path: Path) -> Path:
    """A recording of two frames with one body of every shape, 0.2 m apart; the second is turned by 45 degrees about z."""
    n = len(EVERY_SHAPE)
    bodies = np.zeros(n, layout.BODY_TYPE)
    bodies["name"] = [shape["shape"] for shape in EVERY_SHAPE]
    bodies["shape"] = [json.dumps(shape) for shape in EVERY_SHAPE]
    bodies["mass"], bodies["radius"], bodies["surface"] = 1.0, 0.1, "rock"
    layout.create(path, layout.Header(bodies, "", {"time_step": 1e-3}, LEDGER, MODES, seed=1))
    writer = Writer(path)
    place = np.column_stack([0.2 * (np.arange(n) % 4), 0.2 * (np.arange(n) // 4), np.zeros(n)])
    still = {"body": np.arange(n), "position": place, "velocity": 0 * place, "angular_velocity": 0 * place}
    for k in range(2):
        turn = np.tile([np.cos(k * np.pi / 8), 0, 0, np.sin(k * np.pi / 8)], (n, 1))
        writer.frame(1e-2 * k, still | {"orientation": turn, "radius": bodies["radius"]}, {})
    writer.finish({}, True)
    writer.close()
    return path


def write(
    path: Path,
    *,
    side: int = 4,
    frames: int = 10,
    extra: bool = False,
    finished: bool = True,
    contacts_every: int = 1,
) -> Path:
    """A recording of `Motion`, with contacts in every n-th frame."""
    motion = Motion(side, frames, extra)
    layout.create(path, motion.header())
    writer = Writer(path)
    for k in range(frames):
        append(writer, motion, k, contacts=k % contacts_every == 0)
        if k % 20 == 19:
            writer.commit({})
    if finished:
        writer.finish({}, True)
    else:
        writer.commit({})
    writer.close()
    return path


def append(writer: Writer, motion: Motion, k: int, contacts: bool = True) -> None:
    """Add frame k."""
    writer.frame(1e-2 * k, motion.points(k), motion.contacts(k) if contacts else {})
    if k:
        writer.steps(*motion.tables(k))
