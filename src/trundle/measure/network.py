"""Contact networks: coordination, forces, force chains, fabric, modes.

Arrays: body (c, 2) numbers of the bodies; normal (c, 3) from the first to the second; force (c, 3) [N] on the second body,
world frame; normal_force (c,) [N].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trundle import checked
from trundle.errors import MeasureError

Array = NDArray[np.float64]
LOADED = 1e-6  # of the mean normal force from which on a contact carries load
ALIGNED = 45.0  # degrees between a chain and the stress of its grains, at most
SHORTEST = 3  # grains of a chain
MOST_BINS = 10_000


@dataclass(frozen=True, eq=False)
class Coordination:
    """Contacts per grain.

    mean: over all grains ; mechanical: without rattlers, grains with fewer than two loaded contacts
    rattlers: their share [-] ; count (n,): contacts of each grain
    """

    mean: float
    mechanical: float
    rattlers: float
    count: NDArray[np.int64]


def loaded(normal_force: ArrayLike) -> NDArray[np.bool_]:
    """Contacts that carry load: more than 1e-6 of the mean force."""
    force = np.asarray(normal_force, float)
    mean = float(np.mean(force)) if len(force) else 0.0
    return force > LOADED * mean


def _pairs(body: ArrayLike) -> NDArray[np.int64]:
    return checked.places(MeasureError, "body", body, (None, 2))


def coordination(body: ArrayLike, grain: ArrayLike, normal_force: ArrayLike | None = None) -> Coordination:
    """Coordination number of the bodies with numbers `grain` (n,); contacts with others (walls) count once."""
    pairs, numbers = _pairs(body), checked.places(MeasureError, "grain", grain, (None,))
    if len(numbers) == 0:
        raise MeasureError("coordination number: there are no grains.")
    if normal_force is not None:
        pairs = pairs[loaded(checked.numbers(MeasureError, "normal_force", normal_force, (len(pairs),), "N"))]
    size = max(int(numbers.max()), int(pairs.max(initial=0))) + 1
    count = np.bincount(pairs.ravel(), minlength=size)[numbers]
    bearing = count >= 2
    mechanical = float(np.mean(count[bearing])) if np.any(bearing) else 0.0
    return Coordination(float(np.mean(count)), mechanical, float(np.mean(~bearing)), count)


@dataclass(frozen=True, eq=False)
class ForceDistribution:
    """Distribution of normal forces relative to their mean.

    mean [N] ; largest: relative to the mean ; strong: share of contacts above the mean
    gini: 0 if all are equal, towards 1 if few carry all ; centre, density (k,): of f / mean
    """

    mean: float
    largest: float
    strong: float
    gini: float
    centre: Array
    density: Array


def force_distribution(normal_force: ArrayLike, *, bins: int | None = None) -> ForceDistribution:
    """Probability density of f / mean over the contacts that carry load; bins: 5 to 30, as the number of contacts allows."""
    given = checked.numbers(MeasureError, "normal_force", normal_force, (None,), "N")
    if bins is not None:
        checked.whole(MeasureError, "bins", bins, least=1, most=MOST_BINS)
    force = np.sort(given[loaded(given)])
    if len(force) < 2:
        raise MeasureError(f"force distribution: {len(force)} contacts carry load; at least 2 are needed.")
    relative = force / np.mean(force)
    bins = bins or int(np.clip(np.sqrt(len(force)), 5, 30))
    density, edges = np.histogram(relative, bins=bins, range=(0.0, float(relative[-1])), density=True)
    n = len(force)
    gini = float(2.0 * np.sum(np.arange(1, n + 1) * force) / (n * np.sum(force)) - (n + 1) / n)
    return ForceDistribution(
        float(np.mean(force)), float(relative[-1]), float(np.mean(relative > 1.0)), gini,
        0.5 * (edges[1:] + edges[:-1]), density,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Fabric:
    """Directions of the contacts.

    tensor (3, 3) = mean of n n^T ; values (3,) ascending ; directions (3, 3), columns ; anisotropy [-]: 0 if isotropic,
    1 if all normals are parallel: sqrt(3/2) |deviator|
    """

    tensor: Array
    values: Array
    directions: Array
    anisotropy: float


def fabric(normal: ArrayLike, weight: ArrayLike | None = None) -> Fabric:
    """Fabric tensor of the contact normals, each counted once or with a weight such as its force."""
    n = checked.numbers(MeasureError, "normal", normal, (None, 3))
    w = np.ones(len(n)) if weight is None else checked.numbers(MeasureError, "weight", weight, (len(n),), "N")
    if len(n) == 0 or float(np.sum(w)) <= 0.0:
        raise MeasureError("fabric: there are no contacts.")
    tensor = np.einsum("c,ci,cj->ij", w, n, n) / np.sum(w)
    values, directions = np.linalg.eigh(tensor)
    deviator = tensor - np.eye(3) / 3.0
    return Fabric(tensor, values, directions, float(np.sqrt(1.5) * np.linalg.norm(deviator)))


@dataclass(frozen=True, eq=False)
class ForceChains:
    """Quasi-linear groups of highly stressed grains.

    chain (n,): number of the grain's chain, -1 if it is in none ; count: chains ; share: of grains in chains
    length: mean number of grains of a chain ; stress (n,): major principal stress times volume of each grain [J]
    links (k, 2): places of the grains that a chain joins
    """

    chain: NDArray[np.int64]
    count: int
    share: float
    length: float
    stress: Array
    links: NDArray[np.int64]


def force_chains(
    grain: ArrayLike, position: ArrayLike, body: ArrayLike, point: ArrayLike, force: ArrayLike, *,
    angle: float = ALIGNED,
) -> ForceChains:  # fmt: skip
    """Force chains: grains whose major stress is above the mean, joined where that stress points at each other.

    Two neighbours are linked if both are highly stressed and the line between their centres is within `angle`
    [deg] of the directions of both stresses; chains have at least three grains.  After Peters, Muthuswamy, Wibowo &
    Tordesillas (2005), Phys. Rev. E 72, 041307.

    grain (n,) numbers, position (n, 3) [m] of the grains; point (c, 3) [m], force (c, 3) [N] on the second body.
    """
    numbers, pairs = checked.places(MeasureError, "grain", grain, (None,)), _pairs(body)
    x = checked.numbers(MeasureError, "position", position, (len(numbers), 3), "m")
    where = checked.numbers(MeasureError, "point", point, (len(pairs), 3), "m")
    f = checked.numbers(MeasureError, "force", force, (len(pairs), 3), "N")
    checked.finite(MeasureError, "angle", angle, "deg", 0.0, 90.0)
    place = np.full(max(int(numbers.max(initial=0)), int(pairs.max(initial=0))) + 1, -1, np.int64)
    place[numbers] = np.arange(len(numbers))
    moment = np.zeros((len(numbers), 3, 3))  # compression is positive: minus the sum of arm x force
    for side, sign in ((0, 1.0), (1, -1.0)):
        own = place[pairs[:, side]]
        inside = own >= 0
        arm = where[inside] - x[own[inside]]
        np.add.at(moment, own[inside], sign * np.einsum("ci,cj->cij", arm, f[inside]))
    values, vectors = np.linalg.eigh(0.5 * (moment + np.swapaxes(moment, 1, 2)))
    stress, direction = values[:, 2], vectors[:, :, 2]
    high = stress > np.mean(stress[stress > 0.0]) if np.any(stress > 0.0) else np.zeros(len(stress), bool)
    a, b = place[pairs[:, 0]], place[pairs[:, 1]]
    both = (a >= 0) & (b >= 0)
    a, b = a[both], b[both]
    line = x[b] - x[a]
    line /= np.linalg.norm(line, axis=1, keepdims=True)
    limit = np.cos(np.radians(angle))
    aligned = [np.abs(np.einsum("ci,ci->c", line, direction[end])) >= limit for end in (a, b)]
    link = high[a] & high[b] & aligned[0] & aligned[1]
    return _chains(np.stack([a[link], b[link]], axis=1), stress)


def _chains(links: NDArray[np.int64], stress: Array) -> ForceChains:
    """Connected groups of linked grains that are long enough."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = len(stress)
    graph = coo_array((np.ones(len(links)), (links[:, 0], links[:, 1])), shape=(n, n))
    _, label = connected_components(graph, directed=False)
    size = np.bincount(label, minlength=1)
    long = size[label] >= SHORTEST
    names, chain = np.unique(label[long], return_inverse=True)
    result = np.full(n, -1, np.int64)
    result[long] = chain
    length = float(np.mean(size[names])) if len(names) else 0.0
    kept = links[result[links[:, 0]] >= 0]
    return ForceChains(result, len(names), float(np.mean(long)), length, stress, kept)


def mode_fractions(mode: Sequence[str] | NDArray[np.str_]) -> dict[str, float]:
    """Share of the contacts in every mode that occurs, the most frequent first."""
    listed = list(mode) if isinstance(mode, (list, tuple, np.ndarray)) and getattr(mode, "ndim", 1) == 1 else [None]
    if not all(isinstance(name, str) for name in listed):
        raise MeasureError(f"mode = {checked.shown(mode)} must be a list of names.")
    names, counts = np.unique(np.asarray(listed, str), return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return {str(names[i]): float(counts[i] / counts.sum()) for i in order}
