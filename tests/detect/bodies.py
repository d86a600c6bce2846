"""Shapes and pairs of bodies that the tests of contact detection share."""

from __future__ import annotations

import numpy as np

from trundle import Scene, laws
from trundle.detect import Detector
from trundle.kernels.rotations import rotate_by, rotation_matrix
from trundle.scene import Box, Capsule, Clump, Cone, Cylinder, Disk, Ellipsoid, Polyhedron, Sphere
from trundle.scene.model import build_model

SHAPES = {
    "sphere": Sphere(0.3),
    "box": Box((0.6, 0.5, 0.4)),
    "ellipsoid": Ellipsoid((0.25, 0.35, 0.5)),
    "disk": Disk(0.4),
    "cylinder": Cylinder(0.3, 0.7),
    "capsule": Capsule(0.2, 0.6),
    "cone": Cone(0.3, 0.7),
    "polyhedron": Polyhedron(0.4 * np.random.default_rng(3).normal(size=(14, 3))),
    "clump": Clump([(0, 0, 0), (0.3, 0, 0), (0.1, 0.25, 0.1)], [0.25, 0.2, 0.22]),
}
ANYWHERE = 1e3  # a time step in which everything can touch


def bodies(*shapes, fixed=()):
    """Detector and state of bodies at the origin, all of one surface."""
    scene = Scene(gravity=(0, 0, 0))
    for i, shape in enumerate(shapes):
        held = i in fixed or not shape.bounded
        scene.add(shape, name=f"b{i}", mass=None if held else 1.0, fixed=held, surface="a")
    scene.surface("a", "a", law=laws.Coulomb(mu=0.3))
    model, state = build_model(scene)
    return Detector(model), state


def nearest(detector, state):
    """The contact with the smallest gap, wherever the bodies are: gap, normal, point."""
    state = state.copy()
    free = np.flatnonzero(np.isfinite(detector.model.mass))
    state.velocity[free[0], 0] = 1.0  # so that everything is within reach
    contacts = detector.detect(state, ANYWHERE)
    k = int(np.argmin(contacts.gap))
    return contacts.gap[k], contacts.normal[k], contacts.point[k]


def random_quaternion(rng):
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def moved(state, v, w, time):
    """The state after a short time at velocities v (B, 3) and angular velocities w (B, 3)."""
    state = state.copy()
    for i in range(len(state.position)):
        state.position[i] += time * v[i]
        rotate_by(state.orientation, i, *(time * w[i]))
    return state


def rotation(state, i):
    R = np.empty((3, 3))
    rotation_matrix(state.orientation, i, R)
    return R


def at_gap(detector, state, direction, wanted):
    """Move the second body along a direction until the smallest gap is as wanted."""
    low, high = 0.0, 3.0
    for _ in range(45):
        middle = 0.5 * (low + high)
        state.position[1] = state.position[0] + middle * direction
        if nearest(detector, state)[0] > wanted:
            high = middle
        else:
            low = middle
    state.position[1] = state.position[0] + high * direction
