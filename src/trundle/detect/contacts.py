"""Contacts: where bodies touch or may touch within a step."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numba
import numpy as np
from numpy.typing import NDArray

from trundle.detect import kernels, mesh_kernels, missed_kernels, narrow_kernels, pair_kernels, plane_kernels, threads
from trundle.detect.near import Near
from trundle.detect.work import make_work, room_for
from trundle.errors import SceneError, SimulationError
from trundle.scene.geometry import BALL, TRIANGLE, VERTEX
from trundle.scene.model import Ints, Model, State
from trundle.scene.shapes import HALF_SPACE, HEIGHT_FIELD, MESH, SPHERE, Array

THREADED = 8_000  # near pairs from which on several threads pay


@dataclass(frozen=True)
class Contacts:
    """C contacts, sorted by identity.

    body (C, 2); point (C, 3) [m]; normal (C, 3), from the first body to the second; frame (C, 3, 3), rows n, t1, t2;
    gap (C,) [m]; law (C,) number of the pair of surfaces; key (C,) identity from step to step; radius (C, 2) [m]: radius
    of curvature of the two surfaces at the contact (of mean curvature, 2 / (1/R1 + 1/R2)), inf where flat.
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

    def chosen(self, rows: NDArray[np.bool_] | Ints) -> Contacts:
        """Some of the contacts."""
        return Contacts(*(getattr(self, f.name)[rows] for f in fields(self)))

    def follow(self, rows: NDArray[np.bool_], direction: Array) -> None:
        """Turn the frames of some contacts so that t1 is the projection of a world direction (n, 3)."""
        along = np.zeros((len(self), 3))
        along[rows] = direction
        kernels.frames_along(self.normal, along, self.frame)


class Detector:
    """Finds the contacts of a model; keeps its buffers from step to step."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.geometry = g = model.geometry
        free = np.isfinite(model.mass)
        ground = np.isin(g.kind, (HALF_SPACE, MESH, HEIGHT_FIELD))
        self.bounded = np.flatnonzero((g.kind >= 0) & ~ground).astype(np.int64)
        self.planes = np.flatnonzero(g.kind == HALF_SPACE).astype(np.int64)
        self.meshes = np.flatnonzero(np.isin(g.kind, (MESH, HEIGHT_FIELD))).astype(np.int64)
        self.free_spheres = np.flatnonzero(free & (g.kind == SPHERE)).astype(np.int64)
        self.free_others = np.flatnonzero(free & (g.kind != SPHERE) & (g.kind >= 0)).astype(np.int64)
        self.turned = np.flatnonzero((g.kind >= 0) & (g.kind != SPHERE) & (g.kind != HALF_SPACE)).astype(np.int64)
        self.margin = 1e-3 * float(np.min(g.radius[self.bounded])) if len(self.bounded) else 0.0
        self.features = self._features()
        count = len(g.kind)
        self._near = Near(len(self.bounded))
        self._reach, self._plane = np.zeros(count), np.zeros((len(self.planes), 4))
        self._R = np.zeros((count if len(self.turned) else 0, 3, 3))
        most = int(max(18, g.length[:, VERTEX][~ground].max(initial=0), g.length[:, BALL].max(initial=0)))
        self._work = make_work(most)
        self.rims = np.zeros((len(self.planes), len(self.free_others), 2))
        self.rims[:, :, 0] = 1.0
        self._start = np.zeros(count + 1, np.int64)
        self._candidates = np.zeros((64, 4), np.int64)
        self._threads = 1
        self.room = 4 * len(self.bounded) + 64  # contacts that are expected

    def _features(self) -> int:
        """Numbers of features that a pair of bodies may need; an error if identities would not fit into 64 bits."""
        g = self.geometry
        bounded = ~np.isin(g.kind, (MESH, HEIGHT_FIELD))
        corners = int(max(16, g.length[bounded][:, [VERTEX, BALL]].max(initial=0)))
        self.codes = corners + 2
        features = 2 * self.codes**2
        features = max(features, int(g.length[:, TRIANGLE].max(initial=0)) * mesh_kernels.REGIONS * self.codes)
        if features * len(g.kind) ** 2 >= 2**63:
            raise SceneError(
                f"{len(g.kind)} bodies with up to {features} features each: too many for the identities of contacts."
            )
        return features

    def memory(self) -> dict[str, Array]:
        """What is remembered from step to step: directions to the lowest points of rims that became horizontal."""
        return {"rims": self.rims.copy()}

    def recall(self, memory: dict[str, Array]) -> None:
        """Continue with this memory."""
        self.rims[:] = memory["rims"]

    def detect(self, state: State, time_step: float) -> Contacts:
        """Contacts that are closed or can close within the time step: gap < margin + h (|v_a| + |v_b| + spins)."""
        g = self.geometry
        kernels.reaches(time_step, g.kind, g.radius, state.velocity, state.angular_velocity, self._reach)
        # one body may be held while the other falls freely within the step: h^2 g, half of it at each
        self._reach += 0.5 * time_step**2 * float(np.linalg.norm(self.model.gravity))
        if not (np.isfinite(state.position).all() and np.isfinite(self._reach).all()):
            self._not_finite(state)
        while True:
            # not kept: the solver needs the memory, and gives it back before the next search
            out = room_for(self.room, 3, dtype=np.int64), room_for(self.room, kernels.REALS)
            count = self._fill(state, out)
            if count <= self.room:
                return self._sorted(count, *out)
            self.room = count + count // 4

    def _fill(self, state: State, out: tuple[Ints, Array]) -> int:
        g, model = self.geometry, self.model
        everyone = bool(state.present.all())
        bounded, spheres, others = (
            index if everyone else index[state.present[index]]
            for index in (self.bounded, self.free_spheres, self.free_others)
        )
        count, wanted = 0, 0
        if len(self.turned):
            plane_kernels.rotations(self.turned, state.orientation, self._R)
        if len(self.planes):
            plane_kernels.world_planes(self.planes, g.size, state.position, state.orientation, self._plane)
            count = kernels.sphere_planes(
                self.planes, self._plane, spheres, g.size, state.position, self._reach, self.margin, count, *out
            )
            if len(others):
                rims = self.rims if everyone else self.rims[:, state.present[self.free_others]]
                count = plane_kernels.plane_contacts(
                    g, self.planes, self._plane, others, self._R, state.position, self._reach, self.margin, rims,
                    self._work.points, self._work.point_ids, self._work.curved, count, *out,
                )  # fmt: skip
                if not everyone:
                    self.rims[:, state.present[self.free_others]] = rims
        if len(self.meshes):
            count, wanted = mesh_kernels.mesh_contacts(
                g, self.meshes, spheres, others, state.position, self._R, self._reach, self.margin, self.codes, self._work,
                count, *out, wanted, self._candidates,
            )  # fmt: skip
        if len(bounded) > 1:
            outer = g.radius + self._reach + 0.5 * self.margin
            pairs = self._near.find(state.position, bounded, outer)
            packed = room_for(len(g.kind), kernels.PACKED)
            kernels.pack_spheres(g.kind, model.mass, g.size, state.position, self._reach, self.margin, packed)
            self._threads = numba.get_num_threads() if pairs >= THREADED else 1
            if self._threads == 1:
                count = kernels.sphere_pairs(self._near.pairs, 0, pairs, packed, count, *out)
            else:
                count = threads.sphere_pairs(self._threads, self._near.pairs, pairs, packed, count, *out)
            if len(self.turned):
                count, wanted = pair_kernels.ball_contacts(
                    g, self._near.pairs, pairs, model.mass, state.position, self._R, self._reach, self.margin, count,
                    *out, wanted, self._candidates,
                )  # fmt: skip
        if wanted > len(self._candidates):
            self._candidates = np.zeros((2 * wanted, 4), np.int64)
            return self._fill(state, out)
        if wanted:
            count = narrow_kernels.convex_contacts(
                g, self._candidates, wanted, state.position, self._R, self._reach, self.margin, self.codes, self._work,
                count, *out,
            )  # fmt: skip
        return int(count)

    def missed(self, before: State, after: State) -> Ints:
        """Pairs of bodies (M, 2) that passed through each other between two states, with no contact to stop them.

        A body passed through ground if its centre is below it, and through another body if its centre went in on one side
        and out on another.  Only bodies that moved by more than half of their size are looked at, apart from half-spaces.
        """
        g, x, y = self.geometry, before.position, after.position
        present = np.asarray(after.present) & np.asarray(before.present)
        moving = np.concatenate([self.free_spheres, self.free_others])
        moving = moving[present[moving]]
        found = np.zeros((len(moving) + 16, 2), np.int64)
        plane_kernels.world_planes(self.planes, g.size, y, after.orientation, self._plane)
        count = missed_kernels.through_planes(self.planes, self._plane, moving, g.radius, x, y, found, 0)
        fast = np.zeros(len(moving), np.int64)
        fast = fast[: missed_kernels.fast_bodies(moving, g.radius, g.inner, x, y, fast)]
        if len(fast):
            R = np.zeros((len(g.kind), 3, 3))
            plane_kernels.rotations(np.flatnonzero(g.kind >= 0), after.orientation, R)
            for a in self.meshes:
                for b in fast:
                    if missed_kernels.through_mesh(g, a, y[a], R[a], x[b], y[b], self._work.stack):
                        count = missed_kernels.note(count, found, a, b)
            bounded = self.bounded[present[self.bounded]]
            pairs = self._near.find(y, bounded, g.radius + np.linalg.norm(y - x, axis=1))
            quick = np.zeros(len(g.kind), bool)
            quick[fast] = True
            count = missed_kernels.through_pairs(
                g, self._near.pairs, pairs, self.model.mass, quick, R, x, y, found, count
            )
        return np.unique(found[: min(count, len(found))], axis=0)

    def _sorted(self, count: int, whole: Ints, real: Array) -> Contacts:
        model = self.model
        order, work, key, law = (room_for(count, dtype=np.int64) for _ in range(4))
        kernels.order_contacts(count, whole, self._start, work, order)
        body, point, normal = room_for(count, 2, dtype=np.int64), room_for(count, 3), room_for(count, 3)
        gap, radius = room_for(count), room_for(count, 2)
        known = (
            order, whole, real, self.features, model.surface, model.pair, body, point, normal, gap, radius, law, key,
        )  # fmt: skip
        missing = kernels.gather(*known) if self._threads == 1 else threads.gather(self._threads, *known)
        if missing >= 0:
            self._no_law(*body[missing])
        return Contacts(body, point, normal, gap, law, key, radius)

    def _not_finite(self, state: State) -> None:
        wrong = ~(np.isfinite(state.position).all(axis=1) & np.isfinite(self._reach))
        raise SimulationError(
            f"t = {state.time:g} s: the position or velocity of body '{self.model.names[int(np.argmax(wrong))]}' is not finite. "
            "Use a smaller time step."
        )

    def _no_law(self, a: int, b: int) -> None:
        model = self.model
        one, other = model.surface_names[model.surface[a]], model.surface_names[model.surface[b]]
        raise SceneError(
            f"bodies '{model.names[a]}' and '{model.names[b]}' touch, but there is no law for their surfaces "
            f"'{one}' and '{other}'. Add scene.surface('{one}', '{other}', law=...)."
        )
