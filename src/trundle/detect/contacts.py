"""Contacts: where bodies touch or may touch within a step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from trundle.detect.kernels import contacts as kernels
from trundle.detect.kernels import missed as missed_kernels
from trundle.detect.kernels import parts as part_stages
from trundle.detect.kernels import places, stages, threads
from trundle.detect.kernels import plane as plane_kernels
from trundle.detect.kernels.arrays import Lists, Room, Walls
from trundle.detect.kernels.mesh import REGIONS
from trundle.detect.near import Near
from trundle.detect.parts import find_parts
from trundle.detect.work import on_mesh, patches, polytopes, room_for, search, solids
from trundle.errors import SceneError, SimulationError
from trundle.kinds import (
    BOX,
    CAPSULE,
    CLUMP,
    COMPOUND,
    CONE,
    CYLINDER,
    DISK,
    ELLIPSOID,
    HALF_SPACE,
    HEIGHT_FIELD,
    HOLLOWS,
    MESH,
    POLYHEDRON,
    SPHERE,
)
from trundle.scene.geometry import BALL, TRIANGLE, VERTEX
from trundle.scene.model import Ints, Model, State
from trundle.scene.shapes import Array
from trundle.space import Space, addresses, run_stages

Stage = Callable[..., Any]
MORE = (places.MORE_ROOM, places.MORE_PAIRS, places.MORE_CANDIDATES)  # codes that ask for room
NOTHING = np.zeros(0)
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


def _numbers(chosen: NDArray[np.bool_]) -> Ints:
    return np.flatnonzero(chosen).astype(np.int64)


def _if(wanted: bool) -> bool | None:
    return True if wanted else None


class Detector:
    """Finds the contacts of a model; keeps its buffers from step to step."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.parts, self.geometry = find_parts(model)
        g, owner = self.geometry, self.parts.owner
        held, surface, whole = np.isinf(model.mass)[owner], model.surface[owner], g.kind != COMPOUND
        hollow = np.isin(g.kind, HOLLOWS)
        ground = hollow | np.isin(g.kind, (HALF_SPACE, MESH, HEIGHT_FIELD))
        self.bounded = _numbers((g.kind >= 0) & ~ground & whole)
        can_meet = (g.kind >= 0) & ~ground
        can_meet = model.meetings.meeting(can_meet[: len(model.mass)])[owner]
        self.meeting = _numbers(can_meet & whole)  # those that can touch one another
        self.planes = _numbers(g.kind == HALF_SPACE)
        self.meshes = _numbers(np.isin(g.kind, (MESH, HEIGHT_FIELD)))
        self.free_spheres = _numbers(~held & (g.kind == SPHERE))
        self.free_others = _numbers(~held & (g.kind != SPHERE) & (g.kind >= 0) & ~hollow & whole)
        self.turned = _numbers((g.kind >= 0) & (g.kind != SPHERE) & (g.kind != HALF_SPACE))
        self.margin = 1e-3 * float(np.min(g.radius[self.bounded])) if len(self.bounded) else 0.0
        self.features = self._features()
        self.rims = np.zeros((len(self.planes), len(self.free_others), 2))
        self.rims[:, :, 0] = 1.0
        self.hollow = Walls(_numbers(hollow), self.bounded, np.zeros((int(hollow.sum()), len(self.bounded), 4)))
        self.hollow.rims[:, :, ::2] = 1.0
        self.solids = solids(g)
        self.lists = Lists(
            self.meeting, self.planes, self.meshes, self.free_spheres, self.free_others, self.turned, held, surface,
            model.pair, *self._zones(),
        )  # fmt: skip
        count = len(g.kind)
        most = int(max(18, g.length[:, VERTEX][~ground].max(initial=0), g.length[:, BALL].max(initial=0)))
        self.work = Room(
            np.zeros(count), np.zeros(count), np.zeros((count if len(self.turned) else 0, 3, 3)),
            np.zeros((len(self.planes), 4)), room_for(count, kernels.PACKED), self.rims, np.zeros((most, 3)),
            np.zeros(most, np.int64), np.zeros(most), np.zeros(count + 1, np.int64),
        )  # fmt: skip
        self.needed = self._find_needed(most)
        axes = any(
            self.needed[name] is not None for name in ("ball_shapes", "capsules", "ellipsoids", "poly", "general")
        )
        self.near = Near(count, len(self.meeting), axes, model.meetings, owner)
        self.room = 4 * len(self.bounded) + 64  # contacts that are expected
        self._spaces: list[Space] = []
        self.space = self._make_space()

    def _make_space(self) -> Space:
        """What the stages need to look for contacts on their own."""
        model, space = self.model, Space(places.NAMES)
        bodies = len(model.mass) if np.any(model.centre_of_mass) else 0  # otherwise origins are centres of mass
        space.put(
            centre=model.centre_of_mass[:bodies], gravity=model.gravity.copy(), can_be_pushed=np.isfinite(model.mass),
            late_push=np.zeros(0),
        )  # fmt: skip
        space.make(origin=(bodies, 3), free=(bodies, 6), options=(places.OPTION_COUNT,))
        space.make(np.int64, numbers=(places.NUMBER_COUNT,))
        self.put_into(space)
        return space

    def put_into(self, space: Space) -> None:
        """Put the arrays of the search into a space, and again whenever they grow; see `kernels.arrays`."""
        if space not in self._spaces:
            self._spaces.append(space)
        needed, parts, meetings = self.needed, self.parts, self.model.meetings
        groups = {
            "solid": self.solids, "geo": self.geometry, "list": self.lists, "room": self.work, "near": self.near.buffers(),
            "poly": needed["poly"], "patch": needed["patches"], "seek": needed["search"], "mesh": needed["on"],
            "hollow": needed["hollow"],
        }  # fmt: skip
        for group, arrays in groups.items():
            if arrays is not None:
                for name, array in arrays._asdict().items():
                    place = f"{group}_{name}".lower()
                    if place in places.NAMES:
                        space[place] = array
        space.put(apart=meetings.numbers, group=meetings.group, meets=meetings.meets)
        if parts.some:  # contacts are those of bodies, and rotations of parts follow from those of bodies
            bodies = len(self.model.mass)
            space["list_surface"], space["list_turned"] = self.model.surface, self.turned[self.turned < bodies]
            if "part_owner" not in space:
                space.put(
                    part_owner=parts.owner, part_number=parts.number, part_at=parts.at, part_turn=parts.turn,
                    part_most=self.of_parts,
                )  # fmt: skip
                space.make(row_place=(len(parts.owner), 3))
                space.make(bool, row_present=parts.owner.shape)

    def searches(self, on_ground: Sequence[Stage] = (), found: Sequence[Stage] = ()) -> list[Stage]:
        """The stages that look for contacts of the model, in their order, with others before meshes and before sorting."""
        needed, compound, pairs = self.needed, self.parts.some, len(self.meeting) > 1
        chosen: list[tuple[Stage, Any]] = [
            (stages.reach_out, True),
            (stages.place_shapes, np.any(self.model.centre_of_mass)),
            (part_stages.place_parts, compound),
            (stages.touch_planes, True),
            (stages.stand_on_planes, needed["solid"] and len(self.planes)),
            *((stage, True) for stage in on_ground),
            (stages.touch_meshes, len(self.meshes)),
            (stages.touch_walls, needed["hollow"] is not None),
            (stages.find_pairs, pairs),
            (part_stages.drop_own_pairs, pairs and compound),
            (stages.touch_spheres, pairs and int(np.sum(self.geometry.kind[self.meeting] == SPHERE)) > 1),
            (stages.touch_clumps, needed["balls"]),
            (stages.touch_balls, needed["ball_shapes"]),
            (stages.touch_capsules, needed["capsules"]),
            (stages.touch_ellipsoids, needed["ellipsoids"]),
            (stages.touch_polytopes, needed["poly"] is not None),
            (stages.touch_others, needed["general"]),
            (stages.touch_edges, len(self.meshes) and needed["search"] is not None),
            (part_stages.name_bodies, compound),
            *((stage, True) for stage in found),
            (stages.sort_contacts, True),
            (stages.gather_contacts, True),
        ]
        return [stage for stage, wanted in chosen if wanted]

    def _find_needed(self, points: int) -> dict[str, Any]:
        """What the stages need for the shapes of the scene; None: there is no such pair."""
        g = self.geometry
        kinds = g.kind[self.meeting]
        many = {int(kind): int(n) for kind, n in zip(*np.unique(kinds, return_counts=True), strict=True)}
        flat = many.get(BOX, 0) + many.get(POLYHEDRON, 0)
        round_kinds = {k: many.get(k, 0) for k in (ELLIPSOID, DISK, CYLINDER, CAPSULE, CONE)}
        convex = flat + sum(round_kinds.values())
        groups = [n for n in (flat, *round_kinds.values()) if n]
        clumps, spheres = many.get(CLUMP, 0), many.get(SPHERE, 0)
        general = len(groups) > 1 or any(round_kinds[k] > 1 for k in (DISK, CYLINDER, CONE))
        edges = len(self.meshes) > 0 and bool(np.any(g.kind[self.free_others] != CLUMP))
        return {
            "solid": _if(len(self.free_others) > 0), "balls": _if(clumps > 1 or (clumps > 0 and spheres > 0)),
            "ball_shapes": _if(clumps + spheres > 0 and convex > 0), "capsules": _if(round_kinds[CAPSULE] > 1),
            "ellipsoids": _if(round_kinds[ELLIPSOID] > 1), "poly": polytopes(g) if flat > 1 else None,
            "general": _if(general), "patches": patches() if flat > 1 or general or edges else None,
            "search": search() if general or edges else None, "on": on_mesh(points, 64) if len(self.meshes) else None,
            "hollow": self.hollow if len(self.hollow.walls) else None,
        }  # fmt: skip

    def _features(self) -> int:
        """Numbers of features that a pair of bodies may need; an error if identities would not fit into 64 bits."""
        g = self.geometry
        bounded = ~np.isin(g.kind, (MESH, HEIGHT_FIELD))
        corners = int(max(16, g.length[bounded][:, [VERTEX, BALL]].max(initial=0)))
        self.codes = corners + 2
        features = 2 * self.codes**2
        features = max(features, int(g.length[:, TRIANGLE].max(initial=0)) * REGIONS * self.codes)
        self.of_parts = np.array([self.parts.most, features], np.int64)  # features of two parts
        features *= kernels.SEARCHES * self.parts.most**2
        if features * len(g.kind) ** 2 >= 2**63:
            raise SceneError(
                f"{len(g.kind)} bodies with up to {features} features each: too many for the identities of contacts."
            )
        return features

    def _zones(self) -> tuple[Ints, Ints]:
        """Surfaces of the triangles of grounds that have several; see `Lists`."""
        place = np.full(len(self.geometry.kind), -1, np.int64)
        lists = [np.zeros(0, np.int64)]
        for i, zone in self.model.zones.items():
            place[i] = sum(map(len, lists))
            lists.append(zone)
        return place, np.concatenate(lists)

    def memory(self) -> dict[str, Array]:
        """What is remembered from step to step: directions to the lowest points of rims that became horizontal."""
        return {"rims": self.rims.copy(), "hollow_rims": self.hollow.rims.copy()}

    def recall(self, memory: dict[str, Array]) -> None:
        """Continue with this memory."""
        self.rims[:] = memory["rims"]
        if len(self.hollow.walls):
            self.hollow.rims[:] = memory["hollow_rims"]

    @cached_property
    def _stages(self) -> tuple[Ints, int | None]:
        """Addresses of the stages, of which the last two sort and gather; which one is for spheres."""
        found = self.searches()
        return addresses(found), found.index(stages.touch_spheres) if stages.touch_spheres in found else None

    def _run(self, first: int, end: int | None = None) -> int:
        """Run some of the stages; returns what the last one asks for."""
        return int(run_stages(self.space.at, self._stages[0][first:end], 0, np.zeros(1, np.int64), 1)[1])

    @property
    def _threads(self) -> int:
        return int(numba.get_num_threads()) if self.near.count >= THREADED else 1

    def detect(self, state: State, time_step: float) -> Contacts:
        """Contacts that are closed or can close within the time step: gap < margin + h (|v_a| + |v_b| + spins).

        Each of two bodies may be held while the other falls freely within the step: h^2 g is added, half of it at each.
        """
        found, real = self.search(state, time_step)
        space, n = self.space, len(found)
        order, by_second = (room_for(n, dtype=np.int64) for _ in range(2))
        space.put(found=found, found_real=real, order=order, by_second=by_second)
        self._run(-2, -1)
        n = int(space["numbers"][places.CONTACTS])
        body, law, key = (room_for(n, *width, dtype=np.int64) for width in ((2,), (), ()))
        point, normal, gap, radius = (room_for(n, *width) for width in ((3,), (3,), (), (2,)))
        contacts = Contacts(body, point, normal, gap, law, key, radius)
        space.put(**{f.name: getattr(contacts, f.name) for f in fields(Contacts)})
        if self._threads > 1:
            missing = int(threads.gather_contacts(self._threads, space.at))
        else:
            missing = int(space["numbers"][places.CULPRIT]) if self._run(-1) else -1
        for name in ("found", "found_real", "order", "by_second", *(f.name for f in fields(Contacts))):
            space[name] = NOTHING
        if missing >= 0:
            self.no_law(*body[missing])
        return contacts

    def search(self, state: State, time_step: float, chosen: NDArray[np.bool_] | None = None) -> tuple[Ints, Array]:
        """Contacts of a state as they are found, those of pairs with at least one of the chosen bodies: see `kernels.contacts`.

        In no order, without laws, and with those of bodies that do not collide; nothing of it is kept: solvers need the memory.
        """
        space, spheres = self.space, self._stages[1]
        numbers, options = space["numbers"], space["options"]
        options[places.H], options[places.MARGIN] = time_step, self.margin
        numbers[places.FEATURES], numbers[places.CODES] = self.features, self.codes
        space.put(
            middle=state.position, turned=state.orientation, velocity=state.velocity, angular_velocity=state.angular_velocity,
            present=state.present,
        )  # fmt: skip
        if not len(space["centre"]):
            space["origin"] = state.position
        if not self.parts.some:
            space.put(row_place=space["origin"], row_present=state.present)
        while True:
            whole, real = room_for(self.room, kernels.WHOLES, dtype=np.int64), room_for(self.room, kernels.REALS)
            held = self.lists.held if chosen is None else ~chosen[self.parts.owner]
            space.put(found=whole, found_real=real, list_held=held)
            code = self._run(0, -2 if spheres is None else spheres)
            if not code and spheres is not None:
                shared = self._threads > 1
                if shared:
                    threads.touch_spheres(self._threads, space.at)
                code = self._run(spheres + shared, -2)
            if code == places.NOT_FINITE:
                self._not_finite(state)
            count = int(numbers[places.COUNT])
            if code:
                self.grow(code, numbers)
            elif count > self.room:
                self.room = count + count // 4
            else:
                break
        space.put(found=NOTHING, found_real=NOTHING)
        return whole[:count], real[:count]

    def grow(self, code: int, numbers: Ints) -> None:
        """More room for near pairs, or edges of meshes, in all spaces that share them."""
        if code == places.MORE_PAIRS:
            self.near.grow(2 * int(numbers[places.NEAR]))
        else:
            on = self.needed["on"]
            self.needed["on"] = on._replace(candidates=np.zeros((2 * int(numbers[places.CANDIDATES]), 4), np.int64))
        for space in self._spaces:
            self.put_into(space)

    def missed(self, before: State, after: State) -> Ints:
        """Pairs of bodies (M, 2) that passed through each other between two states, with no contact to stop them.

        A body passed through ground if its centre is below it, and through another body if its centre went in on one side
        and out on another.  Only bodies that moved by more than half of their size are looked at, apart from half-spaces.
        """
        before, after = self.model.shapes_at(before), self.model.shapes_at(after)
        g, x, y = self.model.geometry, before.position, after.position
        present = np.asarray(after.present) & np.asarray(before.present)
        solid = (g.kind >= 0) & ~np.isin(g.kind, (HALF_SPACE, MESH, HEIGHT_FIELD, *HOLLOWS))
        moving = _numbers(solid & np.isfinite(self.model.mass))
        moving = moving[present[moving]]
        found = np.zeros((len(moving) + 16, 2), np.int64)
        plane = self.work.plane
        plane_kernels.world_planes(self.planes, g.size, y, after.orientation, plane)
        count = missed_kernels.through_planes(self.planes, plane, moving, g.radius, x, y, found, 0)
        fast = np.zeros(len(moving), np.int64)
        fast = fast[: missed_kernels.fast_bodies(moving, g.radius, g.inner, x, y, fast)]
        if len(fast):
            R = np.zeros((len(g.kind), 3, 3))
            plane_kernels.rotations(np.flatnonzero(g.kind >= 0), after.orientation, R)
            for a in self.meshes:
                for b in fast:
                    if missed_kernels.through_mesh(g, a, y[a], R[a], x[b], y[b], self.needed["on"].stack):
                        count = missed_kernels.note(count, found, a, b)
            bounded = np.unique(self.parts.owner[self.meeting])
            bounded = bounded[present[bounded]]
            rows = self.parts.owner  # of the bodies alone count
            pairs = self.near.find(y[rows], bounded, (g.radius + np.linalg.norm(y - x, axis=1))[rows])
            quick = np.zeros(len(g.kind), bool)
            quick[fast] = True
            count = missed_kernels.through_pairs(
                g, self.near.pairs, pairs, self.model.mass, quick, R, x, y, found, count
            )
        return np.unique(found[: min(count, len(found))], axis=0)

    def _not_finite(self, state: State) -> None:
        wrong = ~(np.isfinite(state.position).all(axis=1) & np.isfinite(self.work.reach[: len(state.position)]))
        raise SimulationError(
            f"t = {state.time:g} s: the position or velocity of body '{self.model.names[int(np.argmax(wrong))]}' is not finite. "
            "Use a smaller time step."
        )

    def no_law(self, a: int, b: int) -> None:
        model = self.model
        one, other = model.surface_names[model.surface[a]], model.surface_names[model.surface[b]]
        raise SceneError(
            f"bodies '{model.names[a]}' and '{model.names[b]}' touch, but there is no law for their surfaces "
            f"'{one}' and '{other}'. Add scene.surface('{one}', '{other}', law=...)."
        )
