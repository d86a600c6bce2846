"""A heap of rollers on the ground, built by geometry alone: the problem of `trundle demo problem`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from trundle.contact import ContactProblem
from trundle.laws import Rolling2D

Array = NDArray[np.float64]

GRAVITY = 9.81  # [m/s2]
DENSITY = 2500.0  # [kg/m3], of rollers 1 m long
GROUND = -1  # number of the body under the rollers


@dataclass(frozen=True, eq=False)
class Heap:
    """Parallel rollers, seen along their axes.

    radius : [m], shape (N,) ; centre : (x, z) [m], shape (N, 2)
    bodies : numbers a, b of the two bodies of each contact, a may be GROUND, shape (C, 2)
    normal : unit vector from a to b, shape (C, 2) ; point : where they touch [m], shape (C, 2)
    """

    radius: Array
    centre: Array
    bodies: NDArray[np.int64]
    normal: Array
    point: Array


def build_heap(count: int = 48, steepness: float = 0.55, seed: int = 7) -> Heap:
    """Put rollers one after the other where z + steepness |x| is smallest, at rest on two others or on the ground."""
    random = np.random.default_rng(seed)
    radius = np.round(random.uniform(0.07, 0.13, count), 3)
    centre = np.zeros((count, 2))
    centre[0] = 0.0, radius[0]
    for k in range(1, count):
        places = _free_places(centre[:k], radius[:k], radius[k])
        centre[k] = min(places, key=lambda place: place[1] + steepness * abs(place[0]))
    bodies, normal, point = _touching(centre, radius)
    return Heap(radius, centre, bodies, normal, point)


def _free_places(centre: Array, radius: Array, own: float) -> list[Array]:
    """Centres at which a roller touches two of the others, or one and the ground, and overlaps none."""
    places = []
    for c, r in zip(centre, radius, strict=True):
        if c[1] < r * (1.0 + 1e-9):  # stands on the ground itself
            reach = 2.0 * np.sqrt(r * own)
            places += [np.array([c[0] - reach, own]), np.array([c[0] + reach, own])]
    for i, j in combinations(range(len(radius)), 2):
        a, b, span = radius[i] + own, radius[j] + own, centre[j] - centre[i]
        distance = float(np.hypot(*span))
        if distance > a + b:
            continue
        along = (a * a - b * b + distance * distance) / (2.0 * distance)
        across = np.sqrt(max(a * a - along * along, 0.0))
        direction = span / distance
        up = np.array([-direction[1], direction[0]]) * np.sign(direction[0] or 1.0)
        place = centre[i] + along * direction + across * up
        if min(centre[i, 0], centre[j, 0]) < place[0] < max(centre[i, 0], centre[j, 0]):  # else it would fall
            places.append(place)
    slack = 1e-9
    return [
        place
        for place in places
        if place[1] >= own - slack and np.all(np.hypot(*(centre - place).T) >= radius + own - slack)
    ]


def _touching(centre: Array, radius: Array) -> tuple[NDArray[np.int64], Array, Array]:
    """Contacts with the ground, then those between rollers: bodies, normals and points."""
    bodies, normal, point = [], [], []
    for k in np.flatnonzero(centre[:, 1] <= radius + 1e-9):
        bodies.append((GROUND, int(k)))
        normal.append(np.array([0.0, 1.0]))
        point.append(np.array([centre[k, 0], 0.0]))
    for i, j in combinations(range(len(radius)), 2):
        span = centre[j] - centre[i]
        distance = np.hypot(*span)
        if distance <= radius[i] + radius[j] + 1e-9:
            bodies.append((i, j))
            normal.append(span / distance)
            point.append(centre[i] + radius[i] * span / distance)
    return np.array(bodies), np.array(normal), np.array(point)


def heap_problem(heap: Heap, mu: float, rolling_ratio: float, time_step: float) -> ContactProblem:
    """One time step of the heap from rest under gravity, in global form M v = f + H^T p, y = H v.

    Parameters
    ----------
    mu : sliding coefficient [-]
    rolling_ratio : mu_r of a contact in units of its rolling radius 1 / (1/R_a + 1/R_b) [-]
    time_step : h [s]
    """
    count, contacts = len(heap.radius), len(heap.bodies)
    mass = DENSITY * np.pi * heap.radius**2
    inertia = 0.5 * mass * heap.radius**2
    M = sp.csr_array(sp.diags_array(np.column_stack([mass, mass, inertia]).ravel()))
    f = np.column_stack([np.zeros(count), -mass * GRAVITY * time_step, np.zeros(count)]).ravel()
    H = np.zeros((contacts, 3, count, 3))  # rows u_n, u_t, w_r of velocities v_x, v_z, omega
    curvature = np.zeros(contacts)
    for c, ((a, b), n) in enumerate(zip(heap.bodies, heap.normal, strict=True)):
        t = np.array([n[1], -n[0]])
        for body, sign in ((a, -1.0), (b, 1.0)):
            if body == GROUND:
                continue
            H[c, 0, body, :2] = sign * n
            H[c, 1, body, :2] = sign * t
            H[c, 1, body, 2] = heap.radius[body]
            H[c, 2, body, 2] = sign
            curvature[c] += 1.0 / heap.radius[body]
    law = Rolling2D(mu=np.full(contacts, mu), mu_r=rolling_ratio / curvature)
    return ContactProblem(
        law,
        M=M,
        H=sp.csr_array(H.reshape(3 * contacts, 3 * count)),
        f=f,
        b=np.zeros(3 * contacts),
        title="heap of rollers",
        description=f"{count} rollers, one time step of {time_step:g} s from rest under gravity, made by trundle demo",
        math_info="Rolling2D",
    )
