"""What can be asked of a run, whether it is in memory or in a file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SceneError, unknown

Array = NDArray[np.float64]
QUANTITIES = ("position", "orientation", "velocity", "angular_velocity")


class Questions:
    """Answers about bodies by name, as arrays over the T frames of a run.

    time (T,) [s], from the start on; energy: the ledger, a table with one row per step [J]; steps: contacts, residual,
    iterations and converged of every step.  Tables are structured arrays: ``pandas.DataFrame(run.energy)``.
    """

    @property
    def names(self) -> Sequence[str]:
        """Names of the bodies; their places are the bodies' numbers."""
        raise NotImplementedError

    def _series(self, quantity: str, body: int) -> Array:
        """A quantity of a body in all frames, NaN where it is not present."""
        raise NotImplementedError

    def _of(self, quantity: str, name: str) -> Array:
        if name not in self.names:
            raise SceneError(unknown("body", name, self.names))
        return self._series(quantity, self.names.index(name))

    def position(self, name: str) -> Array:
        """Centre of mass of a body [m], shape (T, 3); NaN while it is not yet poured."""
        return self._of("position", name)

    def orientation(self, name: str) -> Array:
        """Quaternion (w, x, y, z) of a body, shape (T, 4)."""
        return self._of("orientation", name)

    def velocity(self, name: str) -> Array:
        """Velocity of a body's centre of mass [m/s], shape (T, 3)."""
        return self._of("velocity", name)

    def angular_velocity(self, name: str) -> Array:
        """Angular velocity of a body [rad/s], world frame, shape (T, 3)."""
        return self._of("angular_velocity", name)
