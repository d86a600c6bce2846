"""Which bodies touch, where, and in which frame."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from trundle.detect import kernels
from trundle.errors import SceneError
from trundle.scene.model import Ints, Model, State
from trundle.scene.shapes import HALF_SPACE, SPHERE, Array

MAX_CELLS = 2_000_000
FEATURES = 64  # numbers of features per pair of bodies


@dataclass(frozen=True)
class Contacts:
    """C contacts, sorted by identity.

    body (C, 2); point (C, 3) [m]; normal (C, 3), from the first body to the second; frame (C, 3, 3), rows n, t1, t2;
    gap (C,) [m]; law (C,) number of the pair of surfaces; key (C,) identity from step to step; radius (C, 2) of curvature
    of both surfaces [m], inf where flat.
    """

    body: Ints
    point: Array
    normal: Array
    gap: Array
    law: Ints
    key: Ints
    radius: Array

    def __len__(self) -> int:
        return len(self.gap)

    @cached_property
    def frame(self) -> Array:
        """Contact frames, rows n, t1, t2, shape (C, 3, 3)."""
        frame = np.empty((len(self), 3, 3))
        kernels.frames(self.normal, frame)
        return frame

    @property
    def effective_radius(self) -> Array:
        """1 / (1 / R_a + 1 / R_b) of every contact [m], shape (C,); inf between flat surfaces."""
        curvature = np.sum(1.0 / self.radius, axis=1)
        flat = curvature == 0.0
        return np.where(flat, np.inf, 1.0 / np.where(flat, 1.0, curvature))

    def chosen(self, rows: NDArray[np.bool_]) -> Contacts:
        """Some of the contacts."""
        return Contacts(*(getattr(self, f.name)[rows] for f in fields(self)))

    def follow(self, rows: NDArray[np.bool_], direction: Array) -> None:
        """Turn the frames of some contacts so that t1 is the projection of a world direction (n, 3)."""
        n = self.normal[rows]
        t1 = direction - np.einsum("ci,ci->c", direction, n)[:, None] * n
        length = np.linalg.norm(t1, axis=1)
        good = length > 1e-9  # a direction along the normal says nothing about the tangent plane
        t1 = t1[good] / length[good, None]
        chosen = np.flatnonzero(rows)[good]
        self.frame[chosen, 1] = t1
        self.frame[chosen, 2] = np.cross(n[good], t1)


class Detector:
    """Finds the contacts of a model; keeps its buffers from step to step."""

    def __init__(self, model: Model) -> None:
        self.model = model
        finite = np.isfinite(model.radius)
        self.bounded = np.flatnonzero(finite).astype(np.int64)
        self.free = np.flatnonzero(finite & np.isfinite(model.mass)).astype(np.int64)
        self.planes = np.flatnonzero(model.kind == HALF_SPACE).astype(np.int64)
        self.margin = 1e-3 * float(np.min(model.radius[finite], initial=np.inf)) if finite.any() else 0.0
        self._curvature = np.where(model.kind == SPHERE, model.parameters[:, 0], np.inf)
        self._pairs = np.zeros((8 * len(self.bounded) + 64, 2), np.int64)
        self._reserve(16 * len(self.bounded) + 64)

    def _reserve(self, count: int) -> None:
        self._body = np.zeros((count, 2), np.int64)
        self._point, self._normal, self._gap = np.zeros((count, 3)), np.zeros((count, 3)), np.zeros(count)
        self._feature = np.zeros(count, np.int64)

    def detect(self, state: State, time_step: float) -> Contacts:
        """Contacts that are closed or can close within the time step: gap < margin + h (|v_a| + |v_b|)."""
        model = self.model
        speed = np.linalg.norm(state.velocity, axis=1)
        bounded = np.where(np.isfinite(model.radius), model.radius, 0.0)
        spin = np.linalg.norm(state.angular_velocity, axis=1) * np.where(model.kind == 0, 0.0, bounded)
        reach = time_step * (speed + spin)
        while True:
            count = self._fill(state, bounded, reach)
            if count <= len(self._gap):
                break
            self._reserve(2 * count)
        return self._sorted(count)

    def _fill(self, state: State, radius: Array, reach: Array) -> int:
        model = self.model
        out = (self._body, self._point, self._normal, self._gap, self._feature)
        count = 0
        R = np.zeros((3, 3))
        for a in self.planes:
            count = kernels.plane_contacts(
                a, self.free, state.position, state.orientation, model.kind, model.parameters, reach, self.margin, R,
                count, *out,
            )  # fmt: skip
        if len(self.bounded) > 1:
            pairs = self._near_pairs(state.position, radius, reach + 0.5 * self.margin)
            count, untreated = kernels.pair_contacts(
                self._pairs,
                pairs,
                model.mass,
                state.position,
                model.kind,
                model.parameters,
                reach,
                self.margin,
                count,
                *out,
            )
            if untreated:
                raise SceneError("contacts between these shapes cannot be detected yet: spheres with spheres only.")
        return int(count)

    def _near_pairs(self, position: Array, radius: Array, reach: Array) -> int:
        where = position[self.bounded]
        origin = where.min(axis=0)
        extent = where.max(axis=0) - origin
        size = 2.0 * float(np.max((radius + reach)[self.bounded]))
        # so few cells that they fit, however far the bodies are apart
        size = max(size, float(np.prod(extent + size) / MAX_CELLS) ** (1.0 / 3.0))
        shape = np.maximum(1, np.ceil(extent / size + 1e-9)).astype(np.int64)
        cell = np.empty(len(where), np.int64)
        order, first = np.empty(len(where), np.int64), np.empty(int(np.prod(shape)) + 1, np.int64)
        kernels.cell_lists(position, self.bounded, origin, size, shape, cell, order, first)
        while True:
            count = int(kernels.near_pairs(position, radius, reach, order, first, shape, self._pairs))
            if count <= len(self._pairs):
                return count
            self._pairs = np.zeros((2 * count, 2), np.int64)

    def _sorted(self, count: int) -> Contacts:
        model, body = self.model, self._body[:count]
        key = (body[:, 0] * len(model.mass) + body[:, 1]) * FEATURES + self._feature[:count]
        order = np.argsort(key, kind="stable")
        body = body[order]
        law = model.pair[model.surface[body[:, 0]], model.surface[body[:, 1]]]
        if np.any(law < 0):
            a, b = body[np.argmax(law < 0)]
            one, other = model.surface_names[model.surface[a]], model.surface_names[model.surface[b]]
            raise SceneError(
                f"bodies '{model.names[a]}' and '{model.names[b]}' touch, but there is no law for their surfaces "
                f"'{one}' and '{other}'. Add scene.surface('{one}', '{other}', law=...)."
            )
        radius = self._curvature[body]
        return Contacts(body, self._point[order], self._normal[order], self._gap[order], law, key[order], radius)
