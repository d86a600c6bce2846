"""Single bodies: when and where they stop."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

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
    t, x, v = np.asarray(time, float), np.asarray(position, float), np.asarray(speed, float)
    v = np.linalg.norm(v, axis=1) if v.ndim == 2 else v
    if not (t.ndim == 1 and x.shape == (len(t), 3) and v.shape == t.shape and len(t) > 0):
        raise MeasureError(f"stopping: time {t.shape}, position {x.shape} and speed {v.shape} do not fit together.")
    moving = np.flatnonzero(v > threshold)
    last = int(moving[-1]) if len(moving) else -1
    stopped = last + 1 < len(t)
    end = min(last + 1, len(t) - 1)
    path = float(np.sum(np.linalg.norm(np.diff(x[: end + 1], axis=0), axis=1)))
    return Stop(float(t[end]), float(np.linalg.norm(x[end] - x[0])), path, stopped)
