"""Angular momentum of bodies that hang together and on nothing else, when a correction of drift has moved them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from trundle.kernels.rotations import rotation_matrix
from trundle.scene.model import State

Array = NDArray[np.float64]


def keep_angular_momentum(
    mass: Array, inertia: Array, free: NDArray[np.bool_], pairs: NDArray[np.int64], before: State, state: State
) -> None:
    """Give bodies that were moved from `before` the angular momentum back that they had there, by changing velocities.

    Bodies that pairs (P, 2) join are separated without moving their common centre of mass, but x x m v changes with x and
    I w with the orientation.  Each such group turns a little faster or slower as if it were rigid, which leaves the relative
    velocities at its contacts and joints alone.  Groups that hold on to bodies that are not free keep no momentum anyway.
    """
    moved = np.any(state.position != before.position, axis=1) | np.any(state.orientation != before.orientation, axis=1)
    if not moved.any() or not len(pairs):
        return
    count = len(mass)
    links = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    groups, group = connected_components(links, directed=False)
    held = np.zeros(groups, bool)
    held[group[~free]] = True
    wanted = np.zeros(groups, bool)
    wanted[group[moved]] = True
    for g in np.flatnonzero(wanted & ~held):
        _turn_back(mass, inertia, np.flatnonzero(group == g), before, state)


def _turn_back(mass: Array, inertia: Array, bodies: NDArray[np.int64], before: State, state: State) -> None:
    """The same for the bodies of one group."""
    m, v, w = mass[bodies, None], state.velocity[bodies], state.angular_velocity[bodies]
    old, new = (_world_inertia(inertia, bodies, orientation) for orientation in (before.orientation, state.orientation))
    shift = state.position[bodies] - before.position[bodies]
    gained = np.sum(m * np.cross(shift, v), axis=0) + np.einsum("bij,bj->i", new - old, w)
    arm = state.position[bodies] - np.sum(m * state.position[bodies], axis=0) / m.sum()
    whole = np.sum(new, axis=0) + np.sum(m * arm**2) * np.eye(3) - (m * arm).T @ arm
    turn = -np.linalg.solve(whole, gained)
    state.velocity[bodies] += np.cross(turn, arm)
    state.angular_velocity[bodies] += turn


def _world_inertia(inertia: Array, bodies: NDArray[np.int64], orientation: Array) -> Array:
    """Tensors of inertia (n, 3, 3) [kg m^2], world frame."""
    out, R = np.empty((len(bodies), 3, 3)), np.empty((3, 3))
    for k, b in enumerate(bodies):
        rotation_matrix(orientation, b, R)
        out[k] = R @ inertia[b] @ R.T
    return out
