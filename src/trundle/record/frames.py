"""A moment of a run: its bodies and its contacts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trundle.errors import RecordingError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Frame:
    """The n bodies that are present at a time [s].

    body (n,) their numbers; position (n, 3) [m]; orientation (n, 4), (w, x, y, z); velocity (n, 3) [m/s];
    angular_velocity (n, 3) [rad/s], world frame; radius (n,) of the ball around each [m], 0 for unbounded ones.
    """

    time: float
    body: NDArray[np.int32]
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array
    radius: Array

    def __len__(self) -> int:
        return len(self.body)


@dataclass(frozen=True, eq=False, repr=False)
class FrameContacts:
    """The c contacts of the step that led to a frame.

    body (c, 2); point (c, 3) [m]; frame (c, 3, 3), rows n, t1, t2, n from the first body to the second; gap (c,) [m];
    impulse (c, 6) [N s, N m s] on the second body and velocity (c, 6) [m/s, rad/s] of it relative to the first, in the
    contact frame: n, t1, t2, s, r1, r2; code (c,) of the mode, mode (c,) its name.  names: of all bodies; time_step [s].

    Forces and torques are the means over the step, in the world frame, on the second body.

    Formulation "history" has springs that remember (Fang & Negrut): elastic (c, 6) is what they contribute to `impulse`;
    deflection (c, 8): overlap [m], S along t1, t2 [m], Psi about n [rad], Theta about t1, t2 [rad], of the second body
    relative to the first, and with rolling="per-body" the Theta of the first body about t1, t2.  None in other formulations.
    """

    time: float
    body: NDArray[np.int32]
    point: Array
    frame: Array
    gap: Array
    impulse: Array
    velocity: Array
    code: NDArray[np.uint8]
    mode: NDArray[np.str_]
    names: Sequence[str] = ()
    time_step: float = np.nan
    elastic: Array | None = None
    deflection: Array | None = None

    def __len__(self) -> int:
        return len(self.gap)

    def __repr__(self) -> str:
        modes, counts = np.unique(self.mode, return_counts=True)
        parts = [f"{len(self)} at t = {self.time:g} s", *(f"{n} {mode}" for mode, n in zip(modes, counts, strict=True))]
        if len(self):
            parts.append(f"largest force {np.linalg.norm(self.force, axis=1).max():.3g} N")
        return f"<Contacts: {', '.join(parts)}>"

    @property
    def bodies(self) -> NDArray[np.str_]:
        """Names of the two bodies, shape (c, 2)."""
        return np.array(self.names, dtype=str)[self.body] if len(self) else np.zeros((0, 2), str)

    @property
    def normal(self) -> Array:
        """Unit normals from the first body to the second, shape (c, 3)."""
        return self.frame[:, 0]

    def _part(self, rows: slice, axes: slice) -> Array:
        return self._world(self.impulse[:, rows], axes) / self.time_step

    def _world(self, rows: Array, axes: slice) -> Array:
        return np.einsum("ck,ckx->cx", rows, self.frame[:, axes])

    @property
    def normal_force(self) -> Array:
        """Force along the normal [N], shape (c, 3)."""
        return self._part(slice(0, 1), slice(0, 1))

    @property
    def sliding_force(self) -> Array:
        """Friction force [N], shape (c, 3)."""
        return self._part(slice(1, 3), slice(1, 3))

    @property
    def spinning_torque(self) -> Array:
        """Torque about the normal [N m], shape (c, 3)."""
        return self._part(slice(3, 4), slice(0, 1))

    @property
    def rolling_torque(self) -> Array:
        """Torque in the tangent plane [N m], shape (c, 3)."""
        return self._part(slice(4, 6), slice(1, 3))

    @property
    def force(self) -> Array:
        """Force at the contact point [N], shape (c, 3)."""
        return self.normal_force + self.sliding_force

    @property
    def torque(self) -> Array:
        """Torque besides that of the force, spinning and rolling [N m], shape (c, 3)."""
        return self.spinning_torque + self.rolling_torque

    # --- springs that remember ------------------------------------------------------------------------

    def _springs(self) -> tuple[Array, Array]:
        if self.elastic is not None and self.deflection is not None:
            return self.elastic, self.deflection
        if len(self):
            raise RecordingError(
                'these contacts have no springs that remember: only those of formulation="history" have. Recordings that '
                "were made before springs were recorded can be made again: trundle rerun."
            )
        return np.zeros((0, 6)), np.zeros((0, 8))

    @property
    def sliding_deflection(self) -> Array:
        """S: how far the second body has slid elastically over the first [m], world frame, shape (c, 3)."""
        return self._world(self._springs()[1][:, 1:3], slice(1, 3))

    @property
    def spinning_deflection(self) -> Array:
        """Psi: by how much the second body has spun elastically about the normal [rad], shape (c,)."""
        return self._springs()[1][:, 3]

    @property
    def rolling_deflection(self) -> Array:
        """Theta: rotation vector by which the second body has rolled elastically over the first [rad], world frame, (c, 3)."""
        return self._world(self._springs()[1][:, 4:6], slice(1, 3))

    @property
    def elastic_force(self) -> Array:
        """What springs contribute to `force` [N], shape (c, 3)."""
        return self._world(self._springs()[0][:, :3], slice(0, 3)) / self.time_step

    @property
    def elastic_torque(self) -> Array:
        """What springs contribute to `torque` [N m], shape (c, 3)."""
        return self._world(self._springs()[0][:, 3:], slice(0, 3)) / self.time_step

    @property
    def damping_force(self) -> Array:
        """The rest of `force` [N], shape (c, 3): that of dashpots."""
        return self.force - self.elastic_force

    @property
    def damping_torque(self) -> Array:
        """The rest of `torque` [N m], shape (c, 3): that of dashpots, and of rolling resistance that needs no spring."""
        return self.torque - self.elastic_torque
