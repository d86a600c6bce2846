"""Degrees of freedom that a body does not have: locked ones, and those across the plane of a planar scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SceneError, known, unknown
from trundle.laws.base import Law
from trundle.laws.builtin import Coulomb, Coulomb2D, Rolling, Rolling2D
from trundle.scene.values import Array, is_list

if TYPE_CHECKING:
    from trundle.scene.joints import JointArrays
    from trundle.scene.scene import Body, Scene

DEGREES = ("x", "y", "z", "rx", "ry", "rz")
PLANES = {"xy": "z", "xz": "y", "yz": "x"}  # and the axis across them
ACROSS = 1e-12  # share of a velocity across the locked directions that is rounding


@dataclass(frozen=True, eq=False)
class Lock:
    """Rows that hold a body in the world: held (6,) along and about the axes n, t1, t2, the rows of axes (3, 3)."""

    body: int
    held: Array
    axes: Array


def as_locked(place: str, given: Any) -> tuple[str, ...]:
    """Names of locked degrees of freedom, in their order."""
    names = given.replace(",", " ").split() if isinstance(given, str) else given
    if not is_list(names):
        raise SceneError(f"{place}: locked = {given!r} must be names out of {', '.join(DEGREES)}.")
    for name in names:
        if not known(name, DEGREES):
            raise SceneError(f"{place}: locked: " + unknown("degree of freedom", name, DEGREES))
    found = tuple(name for name in DEGREES if name in names)
    if sum(name.startswith("r") for name in found) == 1:
        raise SceneError(
            f"{place}: locked = {given!r} locks one rotation, which holds no orientation: lock two, and the body turns about the "
            "third axis, or all three."
        )
    return found


def as_plane(given: Any) -> str | None:
    """The plane of a scene, "xy", "xz" or "yz"."""
    if given is None:
        return None
    plane = "".join(sorted(given)) if isinstance(given, str) else given
    if not known(plane, PLANES):
        raise SceneError("Scene: " + unknown("planar", given, PLANES))
    return str(plane)


def locked_by_plane(plane: str) -> tuple[str, ...]:
    """What the bodies of a planar scene cannot do."""
    across = PLANES[plane]
    return tuple(name for name in DEGREES if (name == across) or (name.startswith("r") and name != f"r{across}"))


def find_locks(scene: Scene, bodies: Sequence[Body]) -> list[Lock]:
    """Locks of the movable bodies; an error for those that move or are poured against them."""
    planar = () if scene.planar is None else locked_by_plane(scene.planar)
    found = []
    for i, body in enumerate(bodies):
        names = set(body.locked) | set(planar)
        if not names or np.isinf(body.mass):
            continue
        place = f"body '{body.name}'"
        if body.emitter is not None:
            raise SceneError(
                f"emitter '{body.emitter}': a planar scene has no emitters: bodies would be poured beside the plane. Use "
                "scene.add, or [[grids]]."
            )
        speed = np.concatenate([body.velocity, body.angular_velocity])
        moving = [
            name for k, name in enumerate(DEGREES) if name in names and abs(speed[k]) > ACROSS * np.abs(speed).max()
        ]
        if moving:
            raise SceneError(f"{place}: it starts with a velocity along or about {', '.join(moving)}, which is locked.")
        turns = [k for k in range(3) if DEGREES[3 + k] not in names]
        first = turns[0] if len(turns) == 1 else 0  # n: the axis about which the body turns
        order = [first, (first + 1) % 3, (first + 2) % 3]
        held = np.array([DEGREES[k] in names for k in order] + [DEGREES[3 + k] in names for k in order])
        found.append(Lock(i, held, np.eye(3)[order]))
    return found


def locked_degrees(joints: JointArrays, bodies: int) -> NDArray[np.bool_]:
    """Which of the DEGREES each body lacks, (bodies, 6); (0, 6) where none is locked."""
    locks = np.flatnonzero(joints.owner < 0)
    found = np.zeros((bodies if len(locks) else 0, len(DEGREES)), bool)
    for j in locks:
        along, about = joints.held[j].reshape(2, 3)
        found[joints.body[j, 1]] = np.concatenate([along @ joints.frame[j, 0], about @ joints.frame[j, 0]]) > 0.5
    return found


def in_space(law: Law, planar: str | None, place: str) -> Law:
    """A law of the plane as the one of space that it is in a planar scene, where nothing moves across the plane."""
    if not isinstance(law, (Coulomb2D, Rolling2D)):
        return law
    if planar is None:
        raise SceneError(
            f'{place}: {type(law).__name__} is a law of the plane; use {type(law).__name__[:-2]}, or say Scene(planar="xz").'
        )
    return Coulomb(mu=law.mu) if isinstance(law, Coulomb2D) else Rolling(mu=law.mu, mu_r=law.mu_r)
