"""Rigid clumps of spheres."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from trundle.errors import SceneError
from trundle.kinds import CLUMP
from trundle.scene.kernels.moments import union_moments
from trundle.scene.shapes_base import Array, Ints, Weighed, ball_mesh, length, points
from trundle.scene.values import is_list

NODES = 32


@dataclass(frozen=True)
class Clump(Weighed):
    """Rigid body made of spheres: centres (n, 3) [m] and radii (n,) [m].

    Volume, centroid and inertia are those of the union: where spheres overlap, the material counts once.  The union is
    cut at heights z, whose areas and moments follow exactly from the arcs of the circles; the integral over z is Gauss'
    rule between all heights where the arcs change, with a relative error below 1e-10.  Give `mass=` and `inertia=` to
    `scene.add` for any other distribution of mass.  The body's frame is moved to the centroid of the union.
    """

    centres: Any
    radii: Any
    kind: ClassVar[int] = CLUMP

    def __post_init__(self) -> None:
        centres = points("Clump", "centres", self.centres)
        many = is_list(self.radii)
        radii = list(self.radii) if many else [self.radii] * len(centres)
        if len(radii) != len(centres):
            raise SceneError(f"Clump: {len(centres)} centres and {len(radii)} radii; each sphere needs both.")
        checked = np.array([length("Clump", f"radii[{i}]", r) for i, r in enumerate(radii)])
        object.__setattr__(self, "centres", tuple(map(tuple, centres.tolist())))
        object.__setattr__(self, "radii", tuple(checked.tolist()))
        volume, centroid, second = ball_union(centres, checked)
        spheres = np.column_stack([centres - centroid, checked])
        for name, value in (("_volume", volume), ("_centroid", centroid), ("_second", second), ("_spheres", spheres)):
            object.__setattr__(self, name, value)

    @property
    def spheres(self) -> Array:
        """Centres in the body's frame and radii (n, 4) [m]."""
        return self._spheres  # type: ignore[attr-defined]

    @property
    def bounding_radius(self) -> float:
        return float(np.max(np.linalg.norm(self.spheres[:, :3], axis=1) + self.spheres[:, 3]))

    def surface_mesh(self, resolution: int = 24) -> tuple[Array, Ints]:
        vertices, triangles = ball_mesh(resolution)
        all_vertices = np.concatenate([row[:3] + row[3] * vertices for row in self.spheres])
        shifts = len(vertices) * np.arange(len(self.spheres))
        return all_vertices, (triangles[None] + shifts[:, None, None]).reshape(-1, 3)

    def scaled(self, factor: float) -> Clump:
        return Clump(factor * np.array(self.centres), factor * np.array(self.radii))


def ball_union(centres: Array, radii: Array) -> tuple[float, Array, Array]:
    """Volume [m^3], centroid [m] and second moments about it per volume (3, 3) [m^2] of a union of balls."""
    middle = 0.5 * ((centres - radii[:, None]).min(axis=0) + (centres + radii[:, None]).max(axis=0))
    x = np.ascontiguousarray(centres - middle)
    node, weight = np.polynomial.legendre.leggauss(NODES)
    total = union_moments(_kinks(x, radii), 0.5 * (node + 1.0), 0.5 * weight, x, radii)
    volume = float(total[0])
    first = total[1:4] / volume
    second = np.empty((3, 3))
    second[np.triu_indices(3)] = total[4:] / volume
    second.T[np.triu_indices(3)] = total[4:] / volume
    return volume, middle + first, second - np.outer(first, first)


def _kinks(x: Array, radii: Array) -> Array:
    """Heights between which the arcs of a union of balls change smoothly."""
    heights = [x[:, 2] - radii, x[:, 2] + radii]
    from scipy.spatial import cKDTree  # slow to import, and seldom needed

    tree = cKDTree(x)
    near = [(i, j) for i, j in sorted(tree.query_pairs(2.0 * radii.max())) if _meet(x, radii, i, j)]
    neighbours: dict[int, set[int]] = {}
    for i, j in near:
        neighbours.setdefault(i, set()).add(j)
        heights.append(_circle_heights(x, radii, i, j))
    for i, others in neighbours.items():
        for j, k in combinations(sorted(others), 2):
            if k in neighbours.get(j, ()):
                heights.append(_triple_heights(x, radii, i, j, k))
    low, high = (x[:, 2] - radii).min(), (x[:, 2] + radii).max()
    inside = np.unique(np.clip(np.concatenate(heights), low, high))
    keep = np.concatenate([[True], np.diff(inside) > 1e-13 * (high - low)])
    return inside[keep]


def _meet(x: Array, radii: Array, i: int, j: int) -> bool:
    distance = np.linalg.norm(x[j] - x[i])
    return bool(abs(radii[i] - radii[j]) < distance < radii[i] + radii[j])


def _circle_heights(x: Array, radii: Array, i: int, j: int) -> Array:
    """Lowest and highest point of the circle in which two spheres meet, and the height where it changes sides."""
    d = x[j] - x[i]
    distance = np.linalg.norm(d)
    along = 0.5 * (distance**2 + radii[i] ** 2 - radii[j] ** 2) / distance
    radius = np.sqrt(max(0.0, radii[i] ** 2 - along**2))
    z = x[i, 2] + along * d[2] / distance
    swing = radius * np.sqrt(max(0.0, 1.0 - (d[2] / distance) ** 2))
    return np.array([z - swing, z, z + swing])


def _triple_heights(x: Array, radii: Array, i: int, j: int, k: int) -> Array:
    """Heights of the points common to three spheres, none if there are not any."""
    p, q = x[j] - x[i], x[k] - x[i]
    normal = np.cross(p, q)
    square = normal @ normal
    if square < 1e-24 * (p @ p) * (q @ q):
        return np.empty(0)
    right = 0.5 * np.array([p @ p + radii[i] ** 2 - radii[j] ** 2, q @ q + radii[i] ** 2 - radii[k] ** 2, 0.0])
    foot = np.linalg.solve(np.array([p, q, normal]), right)
    rest = radii[i] ** 2 - foot @ foot
    if rest < 0.0:
        return np.empty(0)
    return x[i, 2] + foot[2] + np.array([-1.0, 1.0]) * np.sqrt(rest / square) * normal[2]
