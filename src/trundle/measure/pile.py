"""Piles: angle of repose, height, base radius, run-out, and whether they are at rest.

All functions take plain arrays with z up; positions (n, 3) [m] of the grains' centres, radius (n,) [m], of other shapes that
of the sphere with the same volume, whose true extent can be given.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trundle import checked
from trundle.errors import MeasureError, known, real, unknown

Array = NDArray[np.float64]

KINDS = ("cone", "half")
SECTORS, MOST_SECTORS = 16, 10_000
LAYERS = 1.2  # diameters: a surface below belongs to grains that lie alone on the ground, not to the pile
STRIP = 1.0  # diameters on both sides of the middle of a sector
TOE, APEX = 0.2, 0.2  # shares of the base that are left out at its rim and around its axis
FEWEST = 4  # surface grains that make a slope
CONFIDENCE = 0.95
RESTING = 0.01  # of the speed sqrt(g D) up to which a grain is at rest
MOVING = 0.01  # share of grains that may still move in a pile that is settled


@dataclass(frozen=True, eq=False)
class Repose:
    """Angle of repose of a pile [deg], with its error.

    angle ± interval [deg]: mean of the sectors' slopes and half width of its 95 % confidence interval
    r_squared: median over sectors, of the surface grains against their line
    slopes (S,) [deg] of the sectors, NaN where there was no slope to fit ; used: number of sectors that have one
    height, base_radius [m]: top of the highest grain, mean distance of the rim from the axis
    radii, heights, sector: of the surface grains that were fitted ; intercept (S,) [m]
    """

    angle: float
    interval: float
    r_squared: float
    slopes: Array
    used: int
    height: float
    base_radius: float
    radii: Array
    heights: Array
    sector: NDArray[np.int64]
    intercept: Array


def _array(name: str, value: ArrayLike) -> Array:
    """Numbers, or an error."""
    try:
        found = np.asarray(value)
        if found.dtype.kind not in "iuf":
            raise TypeError
        return found.astype(float)
    except (TypeError, ValueError):
        raise MeasureError(f"{name} = {value!r} are not numbers [m].") from None


def _checked(name: str, value: Any) -> float:
    """A finite number, or an error."""
    if not real(value):
        raise MeasureError(f"{name} = {value!r} must be a finite number.")
    return float(value)


def _point(name: str, value: ArrayLike) -> Array:
    """Two finite numbers, or an error."""
    found = _array(name, value)
    if found.shape != (2,) or not np.all(np.isfinite(found)):
        raise MeasureError(f"{name} = {value!r} must be two finite numbers, (x, y) [m].")
    return found


def grains(position: ArrayLike, radius: ArrayLike, minimum: int = 1) -> tuple[Array, Array]:
    """Positions (n, 3) and radii (n,), checked."""
    x, r = _array("positions", position), _array("radii", radius)
    if x.ndim != 2 or x.shape[1] != 3:
        raise MeasureError(f"positions have shape {x.shape}; give (n, 3) [m].")
    if r.shape not in ((), (1,), (len(x),)):
        raise MeasureError(f"radii have shape {r.shape}; give one, or one for each of the {len(x)} grains [m].")
    r = np.broadcast_to(r, (len(x),))
    if len(x) < minimum:
        raise MeasureError(f"{len(x)} grains are too few: at least {minimum} are needed.")
    if not np.all(np.isfinite(x)) or not np.all(np.isfinite(r)) or np.any(r <= 0.0):
        raise MeasureError("positions must be finite, and radii [m] finite and positive.")
    return x, r


def angle_of_repose(
    position: ArrayLike,
    radius: ArrayLike,
    *,
    kind: str = "cone",
    sectors: int = SECTORS,
    centre: ArrayLike | None = None,
    direction: ArrayLike = (1.0, 0.0),
    ground: float | None = None,
    toe: float = TOE,
    apex: float = APEX,
    extent: ArrayLike | None = None,
) -> Repose:
    """Angle of repose of a conical pile, or of one half that leans on a wall or is extruded.

    Along the middle of each sector the highest grain of every ring of one diameter is a surface grain; a robust (Theil-Sen) line
    through those between apex and toe gives the sector's slope.

    Parameters
    ----------
    kind : "cone": sectors of azimuth around `centre` ; "half": slices beside each other along `direction`, downhill
    sectors : number of sectors or slices, at least 4; 16 and more for a confidence interval worth its name
    centre : axis (x, y) [m]; the grains' centroid if None. For "half": a point on the wall or crest
    ground : height of the floor [m]; the lowest grain's bottom if None
    toe, apex : shares of the base radius that are left out at the rim and around the axis [-]
    extent : lowest and highest point of every grain, z [m], shape (n, 2); those of spheres if None
    """
    x, r = grains(position, radius, 10)
    low, high = _extent(x, r, extent)
    if not known(kind, KINDS):
        raise MeasureError("angle of repose: " + unknown("kind", kind, KINDS))
    if not real(sectors) or int(sectors) != sectors or not 4 <= sectors <= MOST_SECTORS:
        raise MeasureError(f"angle of repose: sectors = {sectors!r} must be a whole number, 4 to {MOST_SECTORS}.")
    sectors = int(sectors)
    toe, apex = _checked("toe", toe), _checked("apex", apex)
    if toe < 0.0 or apex < 0.0 or toe + apex >= 0.9:
        raise MeasureError(f"angle of repose: toe = {toe!r} and apex = {apex!r} leave nothing to fit.")
    floor = float(np.min(low)) if ground is None else _checked("ground", ground)
    top, diameter = high - floor, 2.0 * float(np.mean(r))
    if kind == "cone":
        distance, parts = _strips(x, sectors, centre, STRIP * diameter)
    else:
        distance, parts = _slices(x, sectors, centre, direction)
    bins = np.floor(distance / diameter).astype(np.int64)
    fits = [_slope(distance, top, bins, here, diameter, toe, apex) for here in parts]
    slopes = np.array([fit.angle for fit in fits])
    good = np.isfinite(slopes)
    if good.sum() < max(3, sectors // 2):
        raise MeasureError(
            f"angle of repose: only {int(good.sum())} of {sectors} sectors have a slope of {FEWEST} grains or more; the "
            "pile is flat or has too few grains. Use fewer sectors, or measure height and base radius."
        )
    count = int(good.sum())
    used = [(i, fit) for i, fit in enumerate(fits) if np.isfinite(fit.angle)]
    return Repose(
        angle=float(np.mean(slopes[good])), interval=_interval(slopes[good], [fit.grains for _, fit in used]),
        r_squared=float(np.median([fit.r_squared for _, fit in used])), slopes=slopes, used=count,
        height=float(np.max(top)), base_radius=float(np.mean([fit.base for _, fit in used])),
        radii=np.concatenate([fit.radii for _, fit in used]), heights=np.concatenate([fit.heights for _, fit in used]),
        sector=np.concatenate([np.full(len(fit.radii), i) for i, fit in used]),
        intercept=np.array([fit.intercept for fit in fits]),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Fit:
    angle: float = np.nan
    r_squared: float = np.nan
    base: float = np.nan
    intercept: float = np.nan
    grains: Any = None
    radii: Any = None
    heights: Any = None


def _interval(slopes: Array, surfaces: list[NDArray[np.int64]]) -> float:
    """Half width of the 95 % confidence interval of the mean of the sectors' slopes [deg].

    Strips overlap near the axis, and sectors that share surface grains are not independent: with the mean share c of grains
    that two of n sectors have in common, taken as their correlation, n sectors are worth n / (1 + (n - 1) c), and their
    spread is that of independent ones times sqrt(1 - c).
    """
    from scipy.stats import t

    n = len(slopes)
    common = [
        len(np.intersect1d(a, b, assume_unique=True)) / np.sqrt(len(a) * len(b))
        for a, b in itertools.combinations(surfaces, 2)
    ]
    share = float(np.mean(common))
    if share >= 1.0:  # all sectors are the same grains
        return float("inf")
    worth = n / (1.0 + (n - 1) * share)
    spread = float(np.std(slopes, ddof=1)) / np.sqrt(1.0 - share)
    factor = float(t.ppf(0.5 + 0.5 * CONFIDENCE, max(worth - 1.0, 1.0)))
    return factor * spread / np.sqrt(worth)


def _strips(
    x: Array, sectors: int, centre: ArrayLike | None, half_width: float
) -> tuple[Array, list[NDArray[np.bool_]]]:
    """Distance of every grain from the axis, and which grains are on the strip in the middle of each sector.

    Strips of one width, not whole sectors: the highest of a few grains lies lower than the highest of many, and a
    sector is narrow at the apex, which would make every pile look flatter than it is.
    """
    axis = np.mean(x[:, :2], axis=0) if centre is None else _point("centre", centre)
    flat = x[:, :2] - axis
    strips = []
    for azimuth in 2.0 * np.pi * (np.arange(sectors) + 0.5) / sectors:
        cosine, sine = np.cos(azimuth), np.sin(azimuth)
        along, across = flat @ (cosine, sine), flat @ (-sine, cosine)
        strips.append((along > 0.0) & (np.abs(across) <= half_width))
    return np.linalg.norm(flat, axis=1), strips


def _slices(
    x: Array, sectors: int, centre: ArrayLike | None, direction: ArrayLike
) -> tuple[Array, list[NDArray[np.bool_]]]:
    """Distance of every grain downhill, and which grains are in each slice; uphill ones are in none."""
    along = _point("direction", direction)
    length = float(np.linalg.norm(along))
    if length == 0.0:
        raise MeasureError(f"angle of repose: direction = {direction!r} must be (x, y), horizontally downhill.")
    along = along / length
    downhill, across = x[:, :2] @ along, x[:, :2] @ np.array([-along[1], along[0]])
    start = float(np.min(downhill)) if centre is None else float(_point("centre", centre) @ along)
    low, high = float(np.min(across)), float(np.max(across))
    share = (across - low) / max(high - low, np.finfo(float).tiny)
    number = np.minimum(np.floor(share * sectors), sectors - 1).astype(np.int64)
    return downhill - start, [(number == s) & (downhill >= start) for s in range(sectors)]


def _slope(
    distance: Array, top: Array, bins: NDArray[np.int64], here: NDArray[np.bool_], diameter: float, toe: float,
    apex: float,
) -> _Fit:  # fmt: skip
    """Robust line through the surface grains of a sector, from apex to toe."""
    index = np.flatnonzero(here)
    if len(index) < FEWEST:
        return _Fit()
    order = index[np.lexsort((index, -top[index], bins[index]))]  # by ring, the highest first
    rings, first = np.unique(bins[order], return_index=True)
    surface = order[first]
    # The pile ends where the surface is one layer, or where more than one ring is empty: behind are grains that ran away.
    low = top[surface] < LAYERS * diameter
    gap = np.diff(rings, prepend=rings[0]) > 2
    # a low ring next to the axis is a hole between grains, not the rim
    ends = np.flatnonzero((low & (rings > 1)) | gap)
    surface = surface[: ends[0]] if len(ends) else surface
    if len(surface) < FEWEST:
        return _Fit()
    base = float(distance[surface[-1]]) + 0.5 * diameter
    kept = surface[(distance[surface] >= apex * base) & (distance[surface] <= (1.0 - toe) * base)]
    if len(kept) < FEWEST:
        return _Fit()
    from scipy.stats import theilslopes

    radii, heights = distance[kept], top[kept]
    slope, intercept, *_ = theilslopes(heights, radii)
    residual, spread = heights - intercept - slope * radii, heights - np.mean(heights)
    total = float(spread @ spread)
    r_squared = 1.0 - float(residual @ residual) / total if total > 0.0 else 1.0
    return _Fit(float(np.degrees(np.arctan(-slope))), r_squared, base, float(intercept), kept, radii, heights)


def _extent(x: Array, r: Array, extent: ArrayLike | None) -> tuple[Array, Array]:
    """Lowest and highest point of every grain, z [m]."""
    if extent is None:
        return x[:, 2] - r, x[:, 2] + r
    low, high = checked.numbers(MeasureError, "extent", extent, (len(x), 2), "m").T
    return low, high


def pile_height(
    position: ArrayLike, radius: ArrayLike, *, ground: float | None = None, extent: ArrayLike | None = None
) -> float:
    """Height of the top of the highest grain above the ground [m]: one diameter where no grain lies on another.

    Acary & Bourrier (2021), section 6.2.
    """
    x, r = grains(position, radius)
    low, high = _extent(x, r, extent)
    floor = float(np.min(low)) if ground is None else _checked("ground", ground)
    return float(np.max(high)) - floor


def base_radius(
    position: ArrayLike, radius: ArrayLike, *, ground: float | None = None, tolerance: float = 0.01,
    extent: ArrayLike | None = None,
) -> float:  # fmt: skip
    """Mean distance of the grains on the ground from their centroid [m].

    Grains touch the ground where their gap to it is at most `tolerance` radii.
    Acary & Bourrier (2021), section 6.2.
    """
    x, r = grains(position, radius)
    gap, _ = _extent(x, r, extent)
    floor = float(np.min(gap)) if ground is None else _checked("ground", ground)
    bottom = x[gap - floor <= _checked("tolerance", tolerance) * r][:, :2]
    if len(bottom) == 0:
        raise MeasureError(f"base radius: no grain touches the ground at z = {floor:g} m.")
    return float(np.mean(np.linalg.norm(bottom - np.mean(bottom, axis=0), axis=1)))


def run_out(position: ArrayLike, radius: ArrayLike, *, origin: ArrayLike = (0.0, 0.0), share: float = 1.0) -> float:
    """Horizontal distance [m] from an origin within which a share of the grains lies, their far sides included."""
    x, r = grains(position, radius)
    if not 0.0 < _checked("share", share) <= 1.0:
        raise MeasureError(f"run-out: share = {share!r} must lie between 0 and 1.")
    reach = np.sort(np.linalg.norm(x[:, :2] - _point("origin", origin), axis=1) + r)
    return float(reach[max(0, int(np.ceil(share * len(reach))) - 1)])


@dataclass(frozen=True)
class Rest:
    """Whether a pile is at rest: the share of its grains that move faster than 1 % of sqrt(g D), and the fastest [m/s]."""

    settled: bool
    moving: float
    fastest: float


def settled(velocity: ArrayLike, radius: ArrayLike, *, gravity: float = 9.81) -> Rest:
    """A pile is settled when at most 1 % of its grains move: single ones may still roll away over the floor."""
    given = _array("velocity", velocity)
    if given.size % 3:
        raise MeasureError(f"velocities have shape {given.shape}; give (n, 3) [m/s].")
    speed, r = np.linalg.norm(given.reshape(-1, 3), axis=1), _array("radii", radius)
    if len(speed) == 0:
        raise MeasureError("settled: there are no grains.")
    if r.shape not in ((), (1,), speed.shape):
        raise MeasureError(f"radii have shape {r.shape}; give one, or one for each of the {len(speed)} grains [m].")
    if _checked("gravity", gravity) <= 0.0:
        raise MeasureError(f"settled: gravity = {gravity!r} m/s^2 must be positive.")
    limit = RESTING * np.sqrt(gravity * 2.0 * np.broadcast_to(r, speed.shape))
    moving = float(np.mean(speed > limit))
    return Rest(moving <= MOVING, moving, float(np.max(speed)))
