"""A stage that keeps the way of one body, step after step.  Never raises."""

from __future__ import annotations

from trundle.kernels.space import GO_ON, real2, whole1
from trundle.step.kernels import places as P

WIDTH = 13  # position, orientation, velocity, angular velocity


def note_track(at):
    """Write the state of the movable body to its row of the track (steps, 13)."""
    row, i = real2(at, P.TRACK)[whole1(at, P.NUMBERS)[P.STEP_DONE]], whole1(at, P.MOVABLE)[0]
    position, orientation = real2(at, P.POSITION), real2(at, P.ORIENTATION)
    velocity, turning = real2(at, P.VELOCITY), real2(at, P.ANGULAR_VELOCITY)
    for k in range(3):
        row[k], row[7 + k], row[10 + k] = position[i, k], velocity[i, k], turning[i, k]
    for k in range(4):
        row[3 + k] = orientation[i, k]
    return GO_ON
