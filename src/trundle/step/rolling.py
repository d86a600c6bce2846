"""Rolling friction along a rim, and viscous rolling, for the time stepper."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trundle.detect.contacts import Contacts, Detector
from trundle.detect.kernels import match
from trundle.errors import SimulationError
from trundle.scene.model import Model, State
from trundle.step import rolling_kernels

Array = NDArray[np.float64]
CLOSED = 1e-3  # of the detector's margin: gap up to which a contact counts as closed


class RollingMeasures:
    """What the pairs of a model say about rolling beyond their laws; see `Scene.surface`."""

    def __init__(self, model: Model, detector: Detector) -> None:
        self.model, self.detector = model, detector
        self.contour, self.viscous = bool(model.contour.any()), bool(np.any(model.viscosity > 0.0))
        self.closed = CLOSED * detector.margin
        self._frame, self._touching = np.zeros((0, 6, 3)), np.zeros(0, bool)

    def __bool__(self) -> bool:
        return self.contour or self.viscous

    def axes(self, contacts: Contacts, middle: State) -> Array:
        """Directions of forces and axes of moments, shape (C, 6, 3)."""
        frame = np.concatenate([contacts.frame, contacts.frame], axis=1)
        if self.contour and len(contacts):
            g = self.detector.geometry
            bad = rolling_kernels.rim_axes(
                g.kind, g.size, middle.orientation, contacts.law, self.model.contour, contacts.body, contacts.normal,
                contacts.gap, contacts.key % self.detector.features, self.closed, frame,
            )  # fmt: skip
            if bad >= 0:
                raise SimulationError(
                    f"bodies {self._names(contacts, bad)} touch with rolling = 'contour', but neither is a Disk or a "
                    "Cylinder: only they have a rim. Use rolling = 'classical' for their surfaces."
                )
        self._frame = frame
        return frame

    def damp(
        self, contacts: Contacts, key: NDArray[np.int64], impulse: Array, h: float, inverse_mass: Array, world: Array,
        free: Array,
    ) -> tuple[Array, Array]:  # fmt: skip
        """Inverse inertia (B, 3, 3) and free velocities (B, 6) with the viscosity of all contacts that touch.

        key, impulse: of the last step; a contact touches if it is closed or carried a load.
        """
        old = np.zeros((len(contacts), impulse.shape[1]))
        match(contacts.key, key, impulse, old)
        self._touching = (contacts.gap <= self.closed) | (old[:, 0] > 0.0)
        world, free = world.copy(), free.copy()
        bad = rolling_kernels.damp(
            self.model.viscosity, h, contacts.law, contacts.body, self._frame, self._touching, inverse_mass, world, free
        )
        if bad >= 0:
            raise SimulationError(
                f"bodies {self._names(contacts, bad)}: rolling_viscosity works between a body and fixed or prescribed "
                "ground only. Leave it out for the surfaces of these two."
            )
        return world, free

    def loss(self, contacts: Contacts, h: float, mean: Array, end: Array) -> float:
        """Energy [J] that viscosity took in the step of the last `damp`."""
        return float(
            rolling_kernels.damping_loss(
                self.model.viscosity, h, contacts.law, contacts.body, self._frame, self._touching, mean, end
            )
        )

    def _names(self, contacts: Contacts, c: int) -> str:
        a, b = contacts.body[c]
        return f"'{self.model.names[a]}' and '{self.model.names[b]}'"
