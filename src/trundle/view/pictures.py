"""Frames of a run as pixels, without a browser or a screen; the look is that of the page."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from trundle.errors import TrundleError, unknown
from trundle.record import Recording
from trundle.scene.joints import TWO_POINTS
from trundle.view.drape import Drape
from trundle.view.geometry import Appearance
from trundle.view.kernels import drawing as kernels
from trundle.view.server import static_text
from trundle.view.source import (
    ORIENTATION,
    contact_arrays,
    frame_arrays,
    group_bodies,
    held_bodies,
    joints_of,
    measure_box,
    measure_ranges,
    surfaces_of,
)
from trundle.view.terrain import LIGHT, check_look, check_target

Array = NDArray[np.float64]
Arrays = dict[str, NDArray[Any]]
COLOURS = ("speed", "spin", "force", "height", "size", "mode", "body", "surface", "plain")
OVERSAMPLING = 2  # pixels drawn per pixel and direction
SECTOR = 0.78  # colour of every other quarter of a round body, which shows how it turns
MARGIN = 1.15  # room around the bodies
GHOST = 0.22  # opacity of bodies under arrows and chains
ARROW, LONGEST = 5.0, 2.5  # radii of a grain: arrow of a large force; times that force: arrows are cut off
COILS = 12  # corners of a spring, as in the page
LENGTH_OF_JOINT = {"hinge": 1.0, "slider": 1.6}  # along its axis; others are blobs
FIELD_OF_VIEW = math.radians(35.0)
DIRECTION = np.array([0.62, -0.72, 0.36])  # from what is looked at to the eye, as in the page


@cache
def palette() -> dict[str, Any]:
    """Colours, the same as those of the page."""
    return dict(json.loads(static_text("colours.json")))


def rgb(text: str) -> Array:
    """Colour of a text such as #ff8000, from 0 to 1."""
    return np.array([int(text[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0


@cache
def colour_map(name: str) -> Array:
    """Colours from the lowest to the highest value, (256, 3)."""
    stops = np.array([rgb(text) for text in palette()["maps"][name]])
    place = np.linspace(0, len(stops) - 1, 256)
    return np.stack([np.interp(place, np.arange(len(stops)), stops[:, c]) for c in range(3)], axis=1)


@dataclass(frozen=True)
class Camera:
    """An eye [m], what it looks at [m], and the direction that is up."""

    eye: Array
    target: Array
    up: Array

    def axes(self) -> Array:
        """Rows: right, up, ahead."""
        ahead = self.target - self.eye
        ahead = ahead / np.linalg.norm(ahead)
        right = np.cross(ahead, self.up)
        if np.linalg.norm(right) < 1e-9:
            right = np.cross(ahead, [0.0, 1.0, 0.0])
        right /= np.linalg.norm(right)
        return np.array([right, np.cross(right, ahead), ahead])


class Renderer:
    """Draws frames of a recording.

    colour : "speed", "spin", "force", "height", "size", "mode", "body", "surface" or "plain"
    arrows, chains : draw contact forces, force chains
    direction : from the bodies to the eye; by default from the front right above
    zoom : > 1 is nearer
    follow : name of a body that the eye goes with ; target (3,) [m] : what it looks at instead of the middle of everything
    terrain : "plain", "hillshade", or "elevation": colours of meshes and height fields by height
    drape : a picture that is laid over them, see `view.drape.read_drape`
    paths : draw the ways of movable bodies up to the frame
    """

    def __init__(
        self,
        run: Recording,
        *,
        width: int = 1280,
        height: int = 720,
        colour: str = "speed",
        arrows: bool = False,
        chains: bool = False,
        direction: Any = None,
        zoom: float = 1.0,
        follow: str | None = None,
        target: Any = None,
        terrain: str | None = None,
        drape: Drape | None = None,
        paths: bool = False,
    ) -> None:
        if colour not in COLOURS:
            raise TrundleError(unknown("colour", colour, COLOURS))
        if not (16 <= width <= 8192 and 16 <= height <= 8192):
            raise TrundleError(f"a picture of {width} x {height} pixels: both must lie between 16 and 8192.")
        if run.frame_count == 0:
            raise TrundleError(f"{run.path}: has no frames yet; there is nothing to draw.")
        self.run, self.width, self.height = run, width, height
        self.colour, self.arrows, self.chains = colour, arrows, chains
        self.groups, self.group, self.scale = group_bodies(run.bodies)
        self.fixed = held_bodies(run)
        radius = run.bodies["radius"].astype(float)
        self.radius = np.where(np.isfinite(radius), radius, 0.0)
        self.ranges = measure_ranges(run)
        self.surfaces, self.surface = surfaces_of(run)
        self.joints = joints_of(run)
        self._measure()
        self.camera = self._camera(DIRECTION if direction is None else np.asarray(direction, float), zoom)
        check_look(run, () if drape is None else (drape,), {"ground": terrain, "follow": follow, "target": target})
        self._followed = None if follow is None else list(run.names).index(follow)
        self.terrain, self.drape, self.paths = terrain or ("hillshade" if drape else "plain"), drape, paths
        if target is not None:
            self._look_at(check_target(target))

    def _look_at(self, place: Array) -> None:
        """Move the camera, without turning it, so that it looks at a place."""
        self.camera = Camera(self.camera.eye + place - self.camera.target, place, self.camera.up)

    # --- what is looked at ----------------------------------------------------------------------------

    def _measure(self) -> None:
        """Middle and half diagonal of the box that bodies move in, and the size of a typical one."""
        planes = np.array([look.kind == "plane" for look in self.groups], bool)[self.group]
        low, high = measure_box(self.run, planes)
        self.centre, self.size = (low + high) / 2, max(float(np.linalg.norm(high - low)) / 2, 1e-9)
        self._box = np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, 8).T
        sizes = self.radius[~self.fixed & (self.radius > 0)]
        self.grain = float(np.median(sizes)) if len(sizes) else self.size / 20

    def _camera(self, direction: Array, zoom: float) -> Camera:
        if direction.shape != (3,) or not np.linalg.norm(direction) > 0 or not zoom > 0:
            raise TrundleError(f"direction = {direction} must be three numbers, not all 0, and zoom = {zoom} positive.")
        direction, up = direction / np.linalg.norm(direction), np.array([0.0, 0.0, 1.0])
        axes = Camera(self.centre + direction, self.centre, up).axes()
        corners = (self._box - self.centre) @ axes.T
        # as near as the corners of the box allow, with a margin
        steep = math.tan(FIELD_OF_VIEW / 2) / MARGIN
        flat = steep * self.width / self.height
        distance = np.max(np.maximum(np.abs(corners[:, 0]) / flat, np.abs(corners[:, 1]) / steep) - corners[:, 2])
        return Camera(self.centre + max(float(distance), self.size) / zoom * direction, self.centre, up)

    # --- a picture ------------------------------------------------------------------------------------

    def draw(self, k: int) -> NDArray[np.uint8]:
        """Pixels of frame k (negative: from the end), shape (height, width, 3)."""
        k = k + self.run.frame_count if k < 0 else k
        bodies, contacts = frame_arrays(self.run, k), contact_arrays(self.run, k)
        shape = (self.height * OVERSAMPLING, self.width * OVERSAMPLING)
        image = np.tile(rgb(palette()["light"]["background"]), (*shape, 1))
        depth = np.full(shape, np.inf)
        self._f = shape[0] / (2 * math.tan(FIELD_OF_VIEW / 2))
        where = np.flatnonzero(bodies["body"] == (-1 if self._followed is None else self._followed))
        if len(where):  # until it is poured, the eye stays
            self._look_at(bodies["position"][where[0]].astype(float))
        self._axes = self.camera.axes()
        self._up = self._axes @ self.camera.up
        tint = self._tints(bodies)
        turn = Rotation.from_quat(bodies["orientation"] / ORIENTATION, scalar_first=True).as_matrix()
        if self.arrows or self.chains:  # the nearest body of each pixel is blended over everything behind it
            self._draw_sticks(image, depth, bodies, contacts)
            self._draw_planes(image, depth, bodies, turn)
            ghosts, nearest = image.copy(), np.full(shape, np.inf)
            self._draw_bodies(ghosts, nearest, bodies, turn, tint)
            before = nearest < depth
            image[before] += GHOST * (ghosts[before] - image[before])
        else:
            self._draw_bodies(image, depth, bodies, turn, tint)
            self._draw_planes(image, depth, bodies, turn)
        if self.paths:
            self._draw_paths(image, depth, k)
        self._draw_joints(image, bodies)
        blocks = image.reshape(self.height, OVERSAMPLING, self.width, OVERSAMPLING, 3)
        return np.rint(255 * np.clip(blocks.mean(axis=(1, 3)), 0.0, 1.0)).astype(np.uint8)

    def _tints(self, bodies: Arrays) -> Array:
        colours = palette()
        if self.colour == "mode":
            table = np.array([rgb(colours["modes"].get(str(bits), colours["modes"]["0"])[1]) for bits in range(16)])
            tint = table[bodies["mode"] & 15]
        elif self.colour == "plain":
            tint = np.tile(rgb(colours["plain"]), (len(bodies["body"]), 1))
        elif self.colour in ("body", "surface"):
            kinds = np.array([rgb(text) for text in colours["kinds"]])
            number = bodies["body"] if self.colour == "body" else self.surface[bodies["body"]]
            tint = kinds[number % len(kinds)]
        else:
            low, high = self.ranges[self.colour]
            tint = self._mapped(self.colour, (self._field(bodies) - low) / ((high - low) or 1.0))
        tint = np.array(tint, float)
        tint[self.fixed[bodies["body"]]] = rgb(colours["fixed"])
        return tint

    def _field(self, bodies: Arrays) -> Array:
        """The number that gives each body its colour."""
        if self.colour == "height":
            return bodies["position"][:, 2].astype(float)
        return self.radius[bodies["body"]] if self.colour == "size" else bodies[self.colour].astype(float)

    @staticmethod
    def _mapped(name: str, value: Array) -> Array:
        return colour_map(name)[np.clip(np.rint(255 * value), 0, 255).astype(int)]

    def _seen(self, points: Array) -> Array:
        """World points in camera coordinates, in units of the scene's size: grains and planets look the same."""
        return (points - self.camera.eye) @ self._axes.T / self.size

    def _draw_bodies(self, image: Array, depth: Array, bodies: Arrays, turn: Array, tint: Array) -> None:
        group = self.group[bodies["body"]]
        position, scale = bodies["position"].astype(float), self.scale[bodies["body"]].astype(float)
        for g, look in enumerate(self.groups):
            rows = np.flatnonzero(group == g)
            if look.kind == "plane" or not len(rows):
                continue
            if look.kind == "sphere":
                own = np.swapaxes(turn[rows], 1, 2) @ self._axes.T
                seen = np.ascontiguousarray(self._seen(position[rows]))
                kernels.draw_spheres(
                    image,
                    depth,
                    self._f,
                    seen,
                    scale[rows, 0] / self.size,
                    np.ascontiguousarray(own),
                    tint[rows],
                    self._up,
                )
                continue
            corner, normal = _corners(look)
            middle = corner.mean(axis=1)
            sector = np.where(middle[:, 0] * middle[:, 1] > 0.0, 1.0, SECTOR) if look.round else np.ones(len(corner))
            for row in rows:
                points = position[row] + (corner * scale[row]) @ turn[row].T
                normals = ((normal / scale[row]) @ turn[row].T) @ self._axes.T
                colour = sector[:, None] * tint[row]
                if self.terrain != "plain" and look.ground and self.fixed[bodies["body"][row]]:
                    colour = ground_colours(self.terrain, self.drape, look.corner, points, corner.mean(axis=1))
                shown = slice(None)
                if look.hollow:  # what looks away from the eye is left out
                    away = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
                    shown = np.sum(away * (self.camera.eye - points[:, 0]), axis=1) > 0.0
                self._triangles(image, depth, points[shown], normals[shown], colour[shown])

    def _triangles(self, image: Array, depth: Array, points: Array, normals: Array, tint: Array) -> None:
        seen, normals, tint = _before_the_eye(self._seen(points), normals, tint)
        kernels.draw_triangles(image, depth, self._f, seen, normals, tint, self._up)

    def _draw_planes(self, image: Array, depth: Array, bodies: Arrays, turn: Array) -> None:
        """Planes last, since they are the only things that may be seen through."""
        ground_colours = [rgb(palette()["light"][name]) for name in ("ground", "line")]
        for row, body in enumerate(bodies["body"]):
            look = self.groups[self.group[body]]
            if look.kind != "plane":
                continue
            normal = turn[row] @ np.array(look.normal)
            ground = abs(normal @ self.camera.up) > 0.5
            place = bodies["position"][row].astype(float) + look.offset * normal
            place = self.centre + (normal @ (place - self.centre)) * normal
            first = np.cross(normal, [1.0, 0.0, 0.0] if abs(normal[0]) < 0.9 else [0.0, 1.0, 0.0])
            first /= np.linalg.norm(first)
            axes = [self._axes @ v for v in (normal, first, np.cross(normal, first))]
            reach, fill = (9.0, 1.0) if ground else (1.6, 0.12)
            cell = _nice(self.size / 8) / self.size
            kernels.draw_plane(image, depth, self._f, self._seen(place), *axes, cell, reach, fill, *ground_colours)

    @property
    def metres_per_newton(self) -> float:
        """Length of an arrow per newton [m/N], the same for all arrows of a run."""
        return min(ARROW * self.grain, 0.4 * self.size) / (self.ranges["normal"][1] or 1.0)

    @property
    def longest_arrow(self) -> float:
        """Force [N] of the longest arrow that is drawn."""
        return LONGEST * (self.ranges["normal"][1] or 1.0)

    def pixels_per_metre(self) -> float:
        """Pixels of a metre in the middle of what is looked at."""
        away = float(np.linalg.norm(self.camera.eye - self.camera.target))
        return self.height / (2 * math.tan(FIELD_OF_VIEW / 2) * away)

    def _draw_sticks(self, image: Array, depth: Array, bodies: Arrays, contacts: Arrays) -> None:
        strength = contacts["normal"] / (self.ranges["normal"][1] or 1.0)
        pick = strength > 1e-4
        if not (self.arrows or self.chains) or not np.any(pick):
            return
        strength, pairs, point = strength[pick], contacts["body"][pick], contacts["point"][pick].astype(float)
        if self.arrows:
            force = contacts["force"][pick].astype(float)
            size = np.linalg.norm(force, axis=1)
            length = self.metres_per_newton * np.minimum(size, self.longest_arrow)
            end = point + force * (length / np.maximum(size, 1e-300))[:, None]
            thin = (
                2.4 * np.linalg.norm(point - self.camera.eye, axis=1) / self._f
            )  # as wide as a line of a pixel at least
            width = np.maximum(0.055 * np.minimum(length, 6 * self.grain), 0.5 * thin)
            self._sticks(image, depth, point, end, width, np.tile(rgb(palette()["arrow"]), (len(end), 1)), head=True)
        if self.chains:
            where = np.full((len(self.fixed), 3), np.nan)
            where[bodies["body"]] = bodies["position"]
            where[self.fixed] = np.nan
            start, end = (np.where(np.isnan(where[pairs[:, s]]), point, where[pairs[:, s]]) for s in (0, 1))
            width = 0.3 * self.grain * np.sqrt(np.minimum(strength, 2.0))
            self._sticks(
                image, depth, start, end, width, self._mapped("force", np.sqrt(strength)), head=False
            )  # else most are dark

    def _draw_joints(self, image: Array, bodies: Arrays) -> None:
        """Joints as sticks along their axes, with thin ones to the centres of their bodies, springs as coils; always visible."""
        point, axis = bodies["joint_point"].astype(float), bodies["joint_axis"].astype(float)
        reach = 0.8 * min(self.grain, 0.2 * self.size)
        where = np.full((len(self.fixed), 3), np.nan)
        where[bodies["body"]] = bodies["position"]
        where[self.fixed] = np.nan
        lines = []
        for p, n, joint in zip(point, axis, self.joints, strict=True):
            if joint["kind"] in TWO_POINTS:
                line = _coil(p - n, p, 0.5 * reach) if joint["kind"] == "spring" else np.array([p - n, p])
                lines += [(a, b, 0.06 * reach) for a, b in pairwise(line)]
                continue
            along = LENGTH_OF_JOINT.get(joint["kind"], 0.25) * reach * n
            lines.append((p - along, p + along, 0.22 * reach))
            lines += [(p, where[body], 0.04 * reach) for body in joint["bodies"] if body >= 0]
        start, end, width = (
            (np.array(column, float) for column in zip(*lines, strict=True)) if lines else (np.zeros((0, 3)),) * 3
        )
        there = np.isfinite(start + end).all(axis=1)
        if np.any(there):
            tint = np.tile(rgb(palette()["joint"]), (int(np.count_nonzero(there)), 1))
            self._sticks(
                image, np.full(image.shape[:2], np.inf), start[there], end[there], width[there], tint, head=False
            )

    def _draw_paths(self, image: Array, depth: Array, k: int) -> None:
        """The ways of movable bodies through the frames until k, as lines of two pixels."""
        places = np.full((k + 1, len(self.fixed), 3), np.nan)
        for i in range(k + 1):
            frame = frame_arrays(self.run, i)
            places[i, frame["body"]] = frame["position"]
        start, end = (part[:, ~self.fixed].reshape(-1, 3) for part in (places[:-1], places[1:]))
        there = ~np.isnan(start + end).any(axis=1)
        start, end = start[there], end[there]
        if len(start):
            width = 1.5 * OVERSAMPLING * np.linalg.norm(start - self.camera.eye, axis=1) / self._f
            self._sticks(image, depth, start, end, width, np.tile(rgb(palette()["arrow"]), (len(end), 1)), head=False)

    def _sticks(
        self, image: Array, depth: Array, start: Array, end: Array, width: Array, tint: Array, head: bool
    ) -> None:
        corner, normal = _stick(head)
        along = end - start
        length = np.linalg.norm(along, axis=1)
        keep = length > 1e-12 * self.size
        start, along, length, width, tint = start[keep], along[keep], length[keep], width[keep], tint[keep]
        z = along / length[:, None]
        x = np.cross(np.where(np.abs(z[:, 2:]) < 0.9, [[0.0, 0.0, 1.0]], [[1.0, 0.0, 0.0]]), z)
        x /= np.linalg.norm(x, axis=1)[:, None]
        frame = np.stack([x, np.cross(z, x), z], axis=2)
        size = np.stack([width, width, length], axis=1)
        points = start[:, None, None] + np.einsum("nij,tcj->ntci", frame * size[:, None, :], corner)
        normals = np.einsum("nij,tcj->ntci", frame, normal) @ self._axes.T
        tints = np.repeat(tint, len(corner), axis=0)
        self._triangles(image, depth, points.reshape(-1, 3, 3), normals.reshape(-1, 3, 3), tints)


def ground_colours(terrain: str, drape: Drape | None, corner: Any, points: Array, places: Array) -> Array:
    """Colours (T, 3) of the triangles of a ground; points (T, 3, 3): their corners, places (T, 3): their middles in its frame."""
    if terrain == "elevation":
        z = points[:, :, 2].mean(axis=1)
        stops = np.array([rgb(text) for text in palette()["elevation"]])
        share = (z - z.min()) / (np.ptp(z) or 1.0) * (len(stops) - 1)
        colour = np.stack([np.interp(share, np.arange(len(stops)), stops[:, c]) for c in range(3)], axis=1)
    else:
        colour = np.tile(rgb(palette()["relief"]), (len(points), 1))
    if drape is not None:
        over = drape.colours_at(places[:, 0] + corner[0], places[:, 1] + corner[1])
        colour += over[:, 3:] * (over[:, :3] - colour)
    up = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    up *= np.where(up[:, 2:] < 0.0, -1.0, 1.0) / np.maximum(np.linalg.norm(up, axis=1), 1e-300)[:, None]
    return np.asarray(colour * (0.5 + 0.62 * np.maximum(up @ LIGHT, 0.0))[:, None])


def _before_the_eye(corner: Array, normal: Array, tint: Array) -> tuple[Array, Array, Array]:
    """Triangles without what is behind the eye: those across the near plane are cut, which makes one or two of each."""
    near = 1.01 * kernels.NEAR
    ahead = corner[:, :, 2] > near
    whole = ahead.all(axis=1)
    corners, normals, tints = [corner[whole]], [normal[whole]], [tint[whole]]
    for t in np.flatnonzero(ahead.any(axis=1) & ~whole):
        kept = []
        for a, b in ((0, 1), (1, 2), (2, 0)):
            if ahead[t, a]:
                kept.append((corner[t, a], normal[t, a]))
            if ahead[t, a] != ahead[t, b]:
                share = (near - corner[t, a, 2]) / (corner[t, b, 2] - corner[t, a, 2])
                kept.append(tuple(x[t, a] + share * (x[t, b] - x[t, a]) for x in (corner, normal)))
        for k in range(1, len(kept) - 1):
            corners.append(np.array([[kept[0][0], kept[k][0], kept[k + 1][0]]]))
            normals.append(np.array([[kept[0][1], kept[k][1], kept[k + 1][1]]]))
            tints.append(tint[t : t + 1])
    return np.concatenate(corners), np.concatenate(normals), np.concatenate(tints)


@cache
def _unit_box() -> tuple[Array, Array]:
    corners, normals = [], []
    for axis in range(3):
        u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
        for side in (-0.5, 0.5):
            n = np.eye(3)[axis] * side
            square = [n - u / 2 - v / 2, n + u / 2 - v / 2, n + u / 2 + v / 2, n - u / 2 + v / 2]
            corners += [[square[0], square[1], square[2]], [square[0], square[2], square[3]]]
            normals += [[2 * n] * 3] * 2
    return np.array(corners), np.array(normals)


def _corners(look: Appearance) -> tuple[Array, Array]:
    """Corners and normals of the triangles of a look, both (T, 3, 3); edges sharper than 35 degrees stay edges."""
    if look.kind == "box" or look.vertices is None or look.triangles is None:
        return _unit_box()
    corner = look.vertices[look.triangles]
    flat = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    unit = flat / np.maximum(np.linalg.norm(flat, axis=1), 1e-300)[:, None]
    # triangles around a point are smoothed together where their normals are close
    normal = np.repeat(unit[:, None, :], 3, axis=1)
    owner = look.triangles.ravel()
    order = np.argsort(owner, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(owner[order])) + 1):
        of = rows // 3
        close = unit[of] @ unit[of].T > math.cos(0.6)
        smooth = close @ flat[of]
        normal[of, rows % 3] = smooth / np.maximum(np.linalg.norm(smooth, axis=1), 1e-300)[:, None]
    return corner, normal


@cache
def _stick(head: bool, sides: int = 7) -> tuple[Array, Array]:
    """Triangles of a stick of radius 1 from z = 0 to 1, with the head of an arrow or without."""
    profile = [(1.0, 0.0), (1.0, 0.72), (2.6, 0.72), (0.0, 1.0)] if head else [(1.0, 0.0), (1.0, 1.0)]
    angle = 2 * np.pi * np.arange(sides + 1) / sides
    corners, normals = [], []
    for (r0, z0), (r1, z1) in pairwise(profile):
        slope = np.array([z1 - z0, r0 - r1]) / math.hypot(z1 - z0, r1 - r0)  # radial and axial part of the normal
        for a, b in pairwise(angle):
            ring = [(r0, z0, a), (r0, z0, b), (r1, z1, b), (r1, z1, a)]
            p = [[r * math.cos(t), r * math.sin(t), z] for r, z, t in ring]
            n = [[slope[0] * math.cos(t), slope[0] * math.sin(t), slope[1]] for _, _, t in ring]
            corners += [[p[0], p[1], p[2]], [p[0], p[2], p[3]]]
            normals += [[n[0], n[1], n[2]], [n[0], n[2], n[3]]]
    return np.array(corners), np.array(normals)


def _coil(a: Array, b: Array, width: float) -> Array:
    """Corners of a zigzag from a to b, with straight ends, as the page draws springs."""
    along = b - a
    across = np.cross([0.0, 0.0, 1.0], along)
    if np.linalg.norm(across) < 0.1 * np.linalg.norm(along):
        across = np.cross([1.0, 0.0, 0.0], along)
    across *= min(width, 0.3 * float(np.linalg.norm(along))) / max(float(np.linalg.norm(across)), 1e-300)
    k = np.arange(COILS + 1)
    side = np.where((k == 0) | (k == COILS), 0, np.where(k % 2 == 1, 1, -1))
    return np.vstack([a, a + np.outer(0.12 + 0.76 * k / COILS, along) + np.outer(side, across), b])


def _nice(x: float) -> float:
    """1, 2 or 5 times a power of ten near x."""
    power = 10.0 ** math.floor(math.log10(x))
    digit = x / power
    return power * (1 if digit < 1.5 else 2 if digit < 3.5 else 5 if digit < 7.5 else 10)
