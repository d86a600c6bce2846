"""A scene as flat arrays: what the kernels see of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SceneError
from trundle.laws.base import Law
from trundle.scene.scene import Scene, _key
from trundle.scene.shapes import Array

Ints = NDArray[np.int64]
PARAMETERS = 6


@dataclass
class State:
    """Where everything is: time [s], position (B, 3) [m], orientation (B, 4), velocity (B, 3) [m/s],
    angular_velocity (B, 3) [rad/s], world frame."""

    time: float
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array

    def copy(self) -> State:
        """A state that shares nothing with this one."""
        return State(
            self.time, self.position.copy(), self.orientation.copy(), self.velocity.copy(), self.angular_velocity.copy()
        )


@dataclass(frozen=True)
class Model:
    """The unchanging part of a scene, B bodies and L pairs of surfaces.

    mass (B,) [kg], inf if fixed ; inertia (B, 3) [kg m^2], principal, body frame
    kind (B,), parameters (B, 6) shapes ; radius (B,) bounding radius [m]
    surface (B,) number of the surface ; pair (S, S) number of the law of two surfaces, -1 if none was given
    laws, restitution : of the pairs
    """

    names: tuple[str, ...]
    mass: Array
    inertia: Array
    kind: Ints
    parameters: Array
    radius: Array
    surface: Ints
    surface_names: tuple[str, ...]
    pair: Ints
    laws: tuple[Law, ...]
    restitution: Array
    gravity: Array


def build_model(scene: Scene) -> tuple[Model, State]:
    """Check a scene as a whole and turn it into arrays."""
    bodies = scene.bodies
    if not bodies:
        raise SceneError("the scene has no bodies: use scene.add(...).")
    surfaces = sorted({body.surface for body in bodies})
    number = {name: i for i, name in enumerate(surfaces)}
    for one, other in scene.pairs:
        for name in (one, other):
            if name not in number:
                raise SceneError(
                    f"surfaces '{one}' and '{other}': no body has the surface '{name}'. Surfaces of the bodies: "
                    f"{', '.join(surfaces)}."
                )
    pair = np.full((len(surfaces), len(surfaces)), -1, np.int64)
    laws: list[Law] = []
    restitution: list[float] = []
    for (one, other), given in sorted(scene.pairs.items(), key=lambda item: item[0]):
        pair[number[one], number[other]] = pair[number[other], number[one]] = len(laws)
        laws.append(given.law)
        restitution.append(given.restitution)
    parameters = np.zeros((len(bodies), PARAMETERS))
    for i, body in enumerate(bodies):
        parameters[i, : len(body.shape.parameters)] = body.shape.parameters
    mass = np.array([body.mass for body in bodies])
    inertia = np.array(
        [np.full(3, np.inf) if body.fixed else body.mass * body.shape.unit_inertia for body in bodies]
    ).reshape(-1, 3)
    model = Model(
        names=tuple(body.name for body in bodies), mass=mass, inertia=inertia,
        kind=np.array([body.shape.kind for body in bodies], np.int64), parameters=parameters,
        radius=np.array([body.shape.bounding_radius for body in bodies]),
        surface=np.array([number[body.surface] for body in bodies], np.int64), surface_names=tuple(surfaces),
        pair=pair, laws=tuple(laws), restitution=np.array(restitution), gravity=np.asarray(scene.gravity, float),
    )  # fmt: skip
    state = State(
        0.0, np.array([body.position for body in bodies]), np.array([body.orientation for body in bodies]),
        np.array([body.velocity for body in bodies]), np.array([body.angular_velocity for body in bodies]),
    )  # fmt: skip
    return model, state


__all__ = ["Model", "State", "build_model", "_key"]
