"""How large bodies are: the sphere of the same volume, and the lowest and highest point of a body as it lies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from trundle.scene.shapes import Box, Capsule, Clump, Compound, Cone, Cylinder, Disk, Ellipsoid, Shape, Sphere

Array = NDArray[np.float64]


def mean_radius(shape: Shape) -> float:
    """Radius [m] of the sphere with the volume of a shape; that of the ball around it for a disk without thickness."""
    if isinstance(shape, Sphere):
        return shape.radius
    return float(np.cbrt(0.75 * shape.volume / np.pi)) or shape.bounding_radius


def vertical(shapes: Sequence[Shape], orientation: Array, up: Array) -> Array:
    """Lowest and highest point of bodies over their centres of mass [m], shape (n, 2).

    orientation (n, 4), (w, x, y, z); up : unit vector, world frame
    """
    if not len(shapes):
        return np.zeros((0, 2))
    axes = Rotation.from_quat(orientation, scalar_first=True).inv().apply(up)  # up, as each body sees it
    return np.array([(-_support(shape, -d), _support(shape, d)) for shape, d in zip(shapes, axes, strict=True)])


def _support(shape: Shape, d: Array) -> float:
    """How far a shape reaches in the direction of a unit vector d of its own frame [m]."""
    match shape:
        case Sphere():
            return shape.radius
        case Ellipsoid():
            return float(np.linalg.norm(np.asarray(shape.semi_axes) * d))
        case Box():
            return 0.5 * float(np.abs(d) @ np.asarray(shape.size))
        case Capsule():
            return shape.radius + 0.5 * shape.height * abs(float(d[2]))
        case Cylinder():
            return shape.radius * float(np.hypot(d[0], d[1])) + 0.5 * shape.height * abs(float(d[2]))
        case Clump():
            return float(np.max(shape.spheres[:, :3] @ d + shape.spheres[:, 3]))
        case Cone():
            rim = shape.radius * float(np.hypot(d[0], d[1])) - 0.25 * shape.height * float(d[2])
            return max(0.75 * shape.height * float(d[2]), rim)
        case Compound():
            return max(float(at @ d) + _support(part, turn.T @ d) for part, at, turn in shape.placed())
        case Disk():
            return shape.radius * float(np.hypot(d[0], d[1]))
    vertices, _ = shape.surface_mesh()
    return float(np.max(vertices @ d))
