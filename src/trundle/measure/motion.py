"""Single bodies: when and where they stop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trundle import checked
from trundle.errors import MeasureError


@dataclass(frozen=True)
class Stop:
    """Where a body stopped.

    time [s] ; distance [m] straight from the start ; path [m] length of the way ; stopped: False if it still moves
    """

    time: float
    distance: float
    path: float
    stopped: bool


def stopping(time: ArrayLike, position: ArrayLike, speed: ArrayLike, *, threshold: float = 1e-6) -> Stop:
    """The first time after which the speed stays at or below a threshold [m/s], and the distances until then.

    time (T,) [s]; position (T, 3) [m]; speed (T,) [m/s], or velocities (T, 3); add R |angular velocity| to count
    a body that spins on the spot as moving.
    """
    t = checked.numbers(MeasureError, "time", time, unit="s")
    x = checked.numbers(MeasureError, "position", position, unit="m")
    v = checked.numbers(MeasureError, "speed", speed, unit="m/s")
    checked.finite(MeasureError, "threshold", threshold, "m/s", least=0.0)
    v = np.linalg.norm(v, axis=1) if v.ndim == 2 else v
    if not (t.ndim == 1 and x.shape == (len(t), 3) and v.shape == t.shape and len(t) > 0):
        raise MeasureError(f"stopping: time {t.shape}, position {x.shape} and speed {v.shape} do not fit together.")
    moving = np.flatnonzero(v > threshold)
    last = int(moving[-1]) if len(moving) else -1
    stopped = last + 1 < len(t)
    end = min(last + 1, len(t) - 1)
    path = float(np.sum(np.linalg.norm(np.diff(x[: end + 1], axis=0), axis=1)))
    return Stop(float(t[end]), float(np.linalg.norm(x[end] - x[0])), path, stopped)


def last_stop(
    run: Any, body: NDArray[np.int64], radius: NDArray[np.float64], number: int = -1, *, threshold: float = 1e-6
) -> Stop:
    """The stop of the body that stops last, of a run up to a frame; `stopped` is whether all do.

    The speed of a body is that of its centre plus its radius times its angular velocity.  Frame by frame, not body by
    body: a recording is read once.
    """
    count = len(body)
    place = np.full(int(np.max(body)) + 1, -1, np.int64)
    place[body] = np.arange(count)
    start, before = np.full((count, 3), np.nan), np.full((count, 3), np.nan)
    path, resting = np.zeros(count), np.zeros(count, bool)
    time, distance, length = np.zeros(count), np.zeros(count), np.zeros(count)
    frames = number if number >= 0 else run.frame_count + number
    for i in range(frames + 1):
        frame = run.frame(i)
        own = np.where(frame.body < len(place), place[np.minimum(frame.body, len(place) - 1)], -1)
        here = own >= 0
        k, x = own[here], np.asarray(frame.position, float)[here]
        spin = np.linalg.norm(np.asarray(frame.angular_velocity, float)[here], axis=1)
        speed = np.linalg.norm(np.asarray(frame.velocity, float)[here], axis=1) + radius[k] * spin
        new = np.isnan(before[k, 0])
        start[k[new]] = before[k[new]] = x[new]
        path[k] += np.linalg.norm(x - before[k], axis=1)
        before[k] = x
        # where it is until it moves again
        still = speed <= threshold
        arrived = k[~(still & resting[k])]
        time[arrived], length[arrived] = frame.time, path[arrived]
        distance[arrived] = np.linalg.norm(before[arrived] - start[arrived], axis=1)
        resting[k] = still
    last = int(np.lexsort((time, ~resting))[-1])
    return Stop(float(time[last]), float(distance[last]), float(length[last]), bool(np.all(resting)))
