"""Emitters at work: bodies become present where there is room for them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from trundle.scene.emitters import ATTEMPTS, CLEARANCE, Emitter
from trundle.scene.kernels import pouring as kernels
from trundle.scene.shapes import HalfSpace, Sphere
from trundle.scene.values import Array

if TYPE_CHECKING:
    from trundle.scene.model import Model, State
    from trundle.scene.scene import Scene

Detect = Callable[["State", float], Any]  # the contacts of a state that can close within a time [s]
MAX_CELLS = 200_000
PATIENCE = 3.0  # steps that a body may wait for room before anyone is told
LATE = 1e-9  # relative rounding of a time that still counts as due


@dataclass
class Progress:
    """What an emitter did: bodies poured, and the longest time [s] one of them had to wait for room."""

    poured: int = 0
    delay: float = 0.0


class Pouring:
    """Pours the bodies of a scene's emitters.

    Which bodies are still to come is told by `state.present` and `removed` alone, so that a resumed run goes on to the same
    bits.
    Bodies that can move are taken as their bounding balls, fixed and prescribed ones as they are: where these are neither
    spheres nor half-spaces, `detect` (that of a `Detector`) finds out whether a body overlaps them.
    """

    def __init__(self, scene: Scene, model: Model, detect: Detect | None = None) -> None:
        self.model = model
        self._detect = detect
        self._tried = -np.inf
        self._held = np.isinf(model.mass)
        self.progress = {emitter.name: Progress() for emitter in scene.emitters}
        self._emitters = [(emitter, model.number_of[f"{emitter.name}.0"]) for emitter in scene.emitters]
        plane = np.array([isinstance(shape, HalfSpace) for shape in model.shapes])
        ball = np.array([isinstance(shape, Sphere) for shape in model.shapes])
        self._planes = [(i, shape) for i, shape in enumerate(model.shapes) if isinstance(shape, HalfSpace)]
        exact = self._held & ~plane & ~ball & np.array([shape.kind >= 0 for shape in model.shapes])
        if detect is None:
            exact[:] = False
        self._ground = np.flatnonzero(exact)
        corners = {int(i): model.shapes[i].surface_mesh(24)[0] for i in self._ground}
        self._extent = {i: (at.min(axis=0).tolist(), at.max(axis=0).tolist()) for i, at in corners.items()}
        self._balls = np.isfinite(model.radius) & ~exact
        self.removed = np.zeros(len(model.mass), bool)  # bodies that were taken out of the scene: they do not come back
        self._radius = model.radius

    def pour(self, state: State, until_time: float) -> list[int]:
        """Let the bodies that are due until a time [s] appear; returns their numbers."""
        new: list[int] = []
        self._tried = until_time
        for emitter, first in self._emitters:
            new += self._pour_from(emitter, first, state, until_time)
        return new

    def waiting(self, state: State, until_time: float) -> dict[str, int]:
        """Number of bodies of each emitter that were due until a time, and found no room when it was last looked for."""
        waiting = {}
        for emitter, first in self._emitters:
            poured = self._poured(emitter, first, state)
            late = self._due(emitter, min(until_time, self._tried)) - poured
            if late > 0:
                waiting[emitter.name] = late
        return waiting

    def coming(self, state: State) -> bool:
        """Whether some bodies are still to be poured."""
        return any(self._poured(emitter, first, state) < emitter.count for emitter, first in self._emitters)

    def _poured(self, emitter: Emitter, first: int, state: State) -> int:
        """Number of bodies that an emitter has poured."""
        some = slice(first, first + emitter.count)
        return int(np.count_nonzero(state.present[some] | self.removed[some]))

    def late(self, time_step: float) -> list[str]:
        """Emitters that fell behind and caught up again, in words: bodies that waited longer than for the next step [s]."""
        return [
            f"emitter '{name}' fell behind: bodies waited up to {progress.delay:.2g} s for room. Pour more slowly, or from a "
            "larger region."
            for name, progress in self.progress.items()
            if progress.delay > PATIENCE * time_step
        ]

    @staticmethod
    def _due(emitter: Emitter, until_time: float) -> int:
        """Number of bodies that are to be there at a time."""
        time = until_time * (1.0 + LATE) + LATE / emitter.rate
        if not time >= emitter.start:
            return 0
        if np.isinf(emitter.rate):
            return emitter.count
        return min(emitter.count, int((time - emitter.start) * emitter.rate) + 1)

    def _pour_from(self, emitter: Emitter, first: int, state: State, until_time: float) -> list[int]:
        poured = self._poured(emitter, first, state)
        due = self._due(emitter, until_time)
        self.progress[emitter.name].poured = poured
        if due <= poured:
            return []
        room = _Room(self, emitter, first, state, due - poured)
        for k in range(poured, due):
            body = first + k
            if not room.place(body, emitter.spots(k, self._radius[body])):
                break
            progress = self.progress[emitter.name]
            progress.poured = k + 1
            progress.delay = max(progress.delay, until_time - emitter.due(k))
        return list(range(first + poured, first + self.progress[emitter.name].poured))

    def distance(self, state: State, ground: int, point: Array) -> float:
        """Distance [m] of a point from the box around a ground body, along the axes of that body: at most the true one."""
        low, high = self._extent[ground]
        w, x, y, z = state.orientation[ground].tolist()
        local = _turned(w, -x, -y, -z, *(point - state.position[ground]).tolist())
        return math.hypot(*(max(a - c, c - b, 0.0) for a, b, c in zip(low, high, local, strict=True)))

    def overlaps(self, state: State, body: int) -> bool:
        """Whether a body overlaps a fixed or prescribed one, by its exact shape."""
        if self._detect is None:
            return False
        trial = state.copy()
        trial.present &= self._held
        trial.present[body] = True
        return bool(np.any(self._detect(trial, 0.0).gap < 0.0))

    def planes(self, state: State) -> Array:
        """World normals and offsets of the half-spaces, shape (P, 4)."""
        rows = np.zeros((len(self._planes), 4))
        for row, (i, shape) in zip(rows, self._planes, strict=True):
            w, x, y, z = state.orientation[i].tolist()
            row[:3] = _turned(w, x, y, z, *shape.normal)
            row[3] = shape.offset + row[:3] @ state.position[i]
        return rows


def _turned(w: float, x: float, y: float, z: float, a: float, b: float, c: float) -> tuple[float, float, float]:
    """The vector (a, b, c) turned by the quaternion (w, x, y, z); for single vectors faster than arrays."""
    p, q, r = y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c
    return a + 2.0 * (y * r - z * q), b + 2.0 * (z * p - x * r), c + 2.0 * (x * q - y * p)


class _Room:
    """What is in and near a region: balls in cells, planes, and ground of other shapes."""

    def __init__(self, pouring: Pouring, emitter: Emitter, first: int, state: State, more: int) -> None:
        self.pouring, self.state = pouring, state
        own = pouring._radius[first : first + emitter.count].max() * (1.0 + CLEARANCE)
        low, high = emitter.region.bounds()
        reach = pouring._radius + own
        middle = pouring.model.shapes_at(state).position
        beyond = np.maximum(low - middle, middle - high).max(axis=1)
        near = np.flatnonzero(state.present & pouring._balls & (beyond < reach))
        large = pouring._radius[near] > own
        near = np.concatenate([near[large], near[~large]])
        self.large, self.count = int(np.count_nonzero(large)), len(near)
        self.centre, self.radius = np.zeros((self.count + more, 3)), np.zeros(self.count + more)
        self.centre[: self.count], self.radius[: self.count] = middle[near], pouring._radius[near]
        extent = high - low
        size = max(2.0 * own, float(np.prod(extent + 2.0 * own) / MAX_CELLS) ** (1.0 / 3.0))
        shape = np.maximum(1, np.ceil(extent / size + 2.0)).astype(np.int64)
        self.behind = np.full(self.count + more, -1, np.int64)
        self.grid = (low - size, size, shape, np.full(int(np.prod(shape)), -1, np.int64), self.behind)
        kernels.chain(self.centre, self.large, self.count, *self.grid)
        self.planes = pouring.planes(state)
        self.ground = pouring._ground[beyond[pouring._ground] < reach[pouring._ground]]

    def place(self, body: int, spots: Array) -> bool:
        """Put a body onto the first spot that is free; False if there is none."""
        state = self.state
        radius = self.pouring._radius[body] * (1.0 + CLEARANCE)
        attempt = -1
        while attempt + 1 < ATTEMPTS:
            attempt = kernels.first_free(
                spots, attempt + 1, radius, self.planes, self.centre, self.radius, self.large, *self.grid
            )
            if attempt < 0:
                return False
            state.position[body] = spots[attempt]
            if self._clear_of_ground(body, radius):
                state.present[body] = True
                self.centre[self.count], self.radius[self.count] = spots[attempt], radius
                kernels.chain(self.centre, self.count, self.count + 1, *self.grid)
                self.count += 1
                return True
        return False

    def _clear_of_ground(self, body: int, radius: float) -> bool:
        pouring, state = self.pouring, self.state
        if len(self.ground) == 0:
            return True
        near = any(pouring.distance(state, int(i), state.position[body]) < radius for i in self.ground)
        return not near or not pouring.overlaps(state, body)
