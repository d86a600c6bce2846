"""What can be asked of a run, whether it is in memory or in a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from trundle.errors import RecordingError, SceneError, known, unknown, whole
from trundle.record.showing import Shown
from trundle.scene.joint_motion import check_moves, followed

if TYPE_CHECKING:
    from trundle.record.frames import Frame, FrameContacts

Array = NDArray[np.float64]
QUANTITIES = ("position", "orientation", "velocity", "angular_velocity")


class Questions(Shown):
    """Answers about bodies by name, as arrays over the T frames of a run.

    time (T,) [s], from the start on; energy: the ledger, a table with one row per step [J]; steps: contacts, residual,
    iterations and converged of every step.  Tables are structured arrays: ``pandas.DataFrame(run.energy)``.
    """

    @property
    def names(self) -> Sequence[str]:
        """Names of the bodies; their places are the bodies' numbers."""
        raise NotImplementedError

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        raise NotImplementedError

    @property
    def time(self) -> Array:
        """Times of the frames [s], with the start, shape (T,)."""
        raise NotImplementedError

    @property
    def energy(self) -> NDArray[np.void]:
        """The ledger: one row per step [J]; see `Ledger`."""
        raise NotImplementedError

    @property
    def steps(self) -> NDArray[np.void]:
        """Contacts, residual, iterations and converged of every step."""
        raise NotImplementedError

    def frame(self, i: int) -> Frame:
        """The bodies present in the i-th frame; -1 is the last."""
        raise NotImplementedError

    def contacts(self, i: int) -> FrameContacts:
        """The contacts of the step that led to the i-th frame, with forces; -1 is the last, the first has none."""
        raise NotImplementedError

    def _number(self, i: int, place: str = "") -> int:
        """Number of a frame, counted from 0; negative ones from the end."""
        if not whole(i):
            raise RecordingError(f"{place}frame {i!r}: give its number, counted from 0; -1 is the last.")
        number = int(i) + (self.frame_count if i < 0 else 0)
        if not 0 <= number < self.frame_count:
            raise RecordingError(f"{place}there is no frame {i}; it holds {self.frame_count}, counted from 0.")
        return number

    def _series(self, quantity: str, body: int) -> Array:
        """A quantity of a body in all frames, NaN where it is not present."""
        raise NotImplementedError

    def _of(self, quantity: str, name: str) -> Array:
        if not known(name, self.names):
            raise SceneError(unknown("body", name, self.names))
        return self._series(quantity, self.names.index(name))

    # --- joints ---------------------------------------------------------------------------------------

    @property
    def joint_names(self) -> Sequence[str]:
        """Names of the joints."""
        raise NotImplementedError

    @property
    def _time_step(self) -> float:
        raise NotImplementedError

    @property
    def _joint_kinds(self) -> Sequence[str]:
        raise NotImplementedError

    def _joint_series(self, quantity: str, joint: int) -> Array:
        """A quantity of a joint in all frames, NaN in the first."""
        raise NotImplementedError

    def _has_joint_data(self, quantity: str) -> bool:
        """Whether there is a quantity of joints: files of earlier versions have fewer."""
        return True

    def _of_joint(self, quantity: str, name: str) -> Array:
        if not known(name, self.joint_names):
            raise SceneError(
                unknown("joint", name, self.joint_names) if self.joint_names else "This run has no joints."
            )
        return self._joint_series(quantity, self.joint_names.index(name))

    def joint_impulse(self, name: str) -> Array:
        """Impulse of a joint on its second body within a step [N s, N m s], shape (T, 6): along and about the joint's axes
        n (its axis), t1, t2.  The first body, `one`, receives the opposite.  NaN in the first frame, to which no step led.
        """
        return self._of_joint("impulse", name)

    def joint_axes(self, name: str) -> Array:
        """Axes n, t1, t2 (rows) of a joint in the world, shape (T, 3, 3), at the middle of the steps."""
        return self._of_joint("frame", name)

    def joint_point(self, name: str) -> Array:
        """The point of the second body at which a joint acts [m], shape (T, 3)."""
        return self._of_joint("point", name)

    def joint_force(self, name: str) -> Array:
        """Mean force of a joint on its second body during the steps [N], world frame, shape (T, 3)."""
        return np.einsum("tk,tkx->tx", self.joint_impulse(name)[:, :3], self.joint_axes(name)) / self._time_step

    def joint_torque(self, name: str) -> Array:
        """Mean torque of a joint on its second body about `joint_point` [N m], world frame, shape (T, 3)."""
        return np.einsum("tk,tkx->tx", self.joint_impulse(name)[:, 3:], self.joint_axes(name)) / self._time_step

    # --- constraints ----------------------------------------------------------------------------------

    @property
    def _constrained(self) -> Sequence[tuple[str, str]]:
        """Name and body of every body of every constraint."""
        raise NotImplementedError

    def _constraint_series(self, row: int) -> Array:
        """Impulses (T, 6) on such a body, NaN in the first frame."""
        raise NotImplementedError

    @property
    def constraint_names(self) -> Sequence[str]:
        """Names of the constraints."""
        return tuple(dict.fromkeys(name for name, _ in self._constrained))

    def constraint_impulse(self, name: str, body: str | None = None) -> Array:
        """Impulse of a constraint on one of its bodies within a step [N s, N m s], world frame, shape (T, 6): a force times time
        at the centre of mass, and a torque times time about it.  NaN in the first frame, to which no step led.

        body : may be left out where the constraint has only one
        """
        if not known(name, self.constraint_names):
            names = self.constraint_names
            raise SceneError(unknown("constraint", name, names) if names else "This run has no constraints.")
        bodies = [one for of, one in self._constrained if of == name]
        if body is None and len(bodies) > 1:
            raise SceneError(f"constraint '{name}': say on which of its bodies, {', '.join(bodies)}.")
        if body is not None and not known(body, bodies):
            raise SceneError(f"constraint '{name}': " + unknown("body", body, bodies))
        return self._constraint_series(list(self._constrained).index((name, bodies[0] if body is None else body)))

    def constraint_force(self, name: str, body: str | None = None) -> Array:
        """Mean force of a constraint on one of its bodies during the steps [N], world frame, shape (T, 3)."""
        return self.constraint_impulse(name, body)[:, :3] / self._time_step

    def constraint_torque(self, name: str, body: str | None = None) -> Array:
        """Mean torque of a constraint on one of its bodies about its centre of mass [N m], world frame, shape (T, 3)."""
        return self.constraint_impulse(name, body)[:, 3:] / self._time_step

    # --- motion of joints -----------------------------------------------------------------------------

    def joint_position(self, name: str) -> Array:
        """Angle of a hinge [rad], way of a slider [m] or length of a spring or distance [m] in the frames, shape (T,).

        Of `other` relative to `one`, or of `one` relative to the world; 0 at the start but for lengths.  Angles go on beyond pi
        as long as a hinge turns by less than half a turn from frame to frame.
        """
        j = self._moving_joint(name)
        return followed(self._joint_kinds[j], self._joint_series("motion", j)[:, 0])

    def joint_speed(self, name: str) -> Array:
        """Rate of `joint_position` [rad/s, m/s] in the frames, shape (T,)."""
        return self._joint_series("motion", self._moving_joint(name))[:, 1]

    def _moving_joint(self, name: str) -> int:
        j = check_moves(name, list(self.joint_names), list(self._joint_kinds))
        if not self._has_joint_data("motion"):
            raise RecordingError(
                "This recording is of a version before 0.2, which kept no angles of joints. Run it again."
            )
        return j

    # --- bodies ---------------------------------------------------------------------------------------

    def contact_force(self, name: str, other: str | None = None) -> Array:
        """Mean force that contacts put on a body during the steps [N], world frame, shape (T, 3); other: only those with this
        body.  NaN in the first frame, to which no step led."""
        for body in (name,) if other is None else (name, other):
            if not known(body, self.names):
                raise SceneError(unknown("body", body, self.names))
        mine, theirs = self.names.index(name), None if other is None else self.names.index(other)
        total = np.full((self.frame_count, 3), np.nan)
        for i in range(1, self.frame_count):
            found = self.contacts(i)
            force, pairs = found.force, found.body
            total[i] = 0.0
            for side, sign in ((0, -1.0), (1, 1.0)):
                chosen = pairs[:, side] == mine
                if theirs is not None:
                    chosen &= pairs[:, 1 - side] == theirs
                total[i] += sign * force[chosen].sum(axis=0)
        return total

    def position(self, name: str) -> Array:
        """Origin of a body's shape [m], its centre of mass unless `Scene.add` said otherwise, shape (T, 3); NaN while it
        is not yet poured."""
        return self._of("position", name)

    def orientation(self, name: str) -> Array:
        """Quaternion (w, x, y, z) of a body, shape (T, 4)."""
        return self._of("orientation", name)

    def velocity(self, name: str) -> Array:
        """Velocity of the origin of a body's shape [m/s], shape (T, 3)."""
        return self._of("velocity", name)

    def angular_velocity(self, name: str) -> Array:
        """Angular velocity of a body [rad/s], world frame, shape (T, 3)."""
        return self._of("angular_velocity", name)
