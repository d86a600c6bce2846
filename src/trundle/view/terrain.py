"""What the page and pictures need of terrain: how it is shown first, and the ways of all bodies over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.errors import TrundleError, unknown
from trundle.record import Recording
from trundle.view.drape import Drape

GROUNDS = ("plain", "hillshade", "elevation")  # looks of terrain beside the names of drapes
KEYS = ("ground", "follow", "target", "paths")
MOST_PATHS = 2_000  # more bodies than this: some of them
POINTS_OF_PATHS = 150_000
FRAMES_OF_PATHS = 400
LIGHT = np.array([-0.5, 0.5, np.sqrt(0.5)])  # from the north-west, 45 degrees high, as maps are shaded


def check_look(run: Recording, drapes: Sequence[Drape], look: Mapping[str, Any]) -> None:
    """Whether a page can begin as asked: ground ("plain", "hillshade", "elevation" or the name of a drape), follow (name of a
    body), target (3,) [m], paths (true or false)."""
    for key in look:
        if key not in KEYS:
            raise TrundleError(unknown("key of look", key, KEYS))
    names = [*GROUNDS, *(drape.name for drape in drapes)]
    if look.get("ground") is not None and look["ground"] not in names:
        raise TrundleError(unknown("terrain", str(look["ground"]), names))
    follow, target = look.get("follow"), look.get("target")
    if follow is not None and follow not in run.names:
        raise TrundleError(unknown("body", str(follow), list(run.names)))
    if follow is not None and target is not None:
        raise TrundleError("give follow or target, not both.")
    if target is not None:
        check_target(target)


def check_target(target: Any) -> NDArray[np.float64]:
    """Three numbers [m]."""
    place = np.asarray(target, float)
    if place.shape != (3,) or not np.isfinite(place).all():
        raise TrundleError(f"target = {target!r} must be three numbers [m].")
    return place


def all_paths(run: Recording) -> dict[str, NDArray[Any]]:
    """Ways of the bodies that move: body (P,), first (P + 1,): where each begins; time [s], position [m], speed [m/s]."""
    held = run.bodies["fixed"].astype(bool) | ~np.isfinite(run.bodies["mass"].astype(float))
    bodies = np.flatnonzero(~held)
    bodies = bodies[np.unique(np.linspace(0, max(len(bodies) - 1, 0), min(len(bodies), MOST_PATHS)).astype(int))]
    most = max(2, min(FRAMES_OF_PATHS, POINTS_OF_PATHS // max(1, len(bodies))))
    frames = np.unique(np.linspace(0, max(run.frame_count - 1, 0), min(run.frame_count, most)).astype(int))
    place = np.full((len(held), len(frames), 4), np.nan)
    for i, k in enumerate(frames):
        frame = run.frame(int(k))
        place[frame.body, i, :3] = frame.position
        place[frame.body, i, 3] = np.linalg.norm(frame.velocity, axis=1)
    first, parts, times = [0], [np.zeros((0, 4))], [np.zeros(0)]
    for body in bodies:
        rows = place[body]
        there = ~np.isnan(rows[:, 0])
        moves = np.r_[True, np.any(np.diff(rows[:, :3], axis=0) != 0.0, axis=1)]  # not where it rests
        parts.append(rows[there & moves])
        times.append(run.time[frames][there & moves])
        first.append(first[-1] + len(parts[-1]))
    points = np.concatenate(parts)
    return {
        "body": bodies.astype(np.uint32), "first": np.array(first, np.uint32), "time": np.concatenate(times).astype(np.float32),
        "position": points[:, :3].astype(np.float32), "speed": points[:, 3].astype(np.float32),
    }  # fmt: skip
