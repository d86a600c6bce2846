"""Joints as rows of a step's contact problem."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trundle.contact.rigid import WIDTH
from trundle.laws.kernels import DISK, FREE
from trundle.laws.table import COEFFICIENTS, LawTable
from trundle.rotations import rotation_matrix
from trundle.scene.joints import JointArrays
from trundle.scene.model import State

Array = NDArray[np.float64]


class JointRows:
    """The joints of a model: their rows at a state, and how far positions have drifted from them."""

    def __init__(self, joints: JointArrays) -> None:
        self.joints = joints
        self.uses = joints.held.copy()
        driven = joints.driven >= 0
        self.uses[driven, joints.driven[driven]] = True

    def __len__(self) -> int:
        return len(self.joints)

    def table(self, h: float) -> LawTable:
        """Each row that is held carries any impulse; a driven one at most limit h."""
        owner, row = np.nonzero(self.uses)
        bounded = (row == self.joints.driven[owner]) & np.isfinite(self.joints.limit[owner])
        n, blocks = len(self), len(owner)
        contact = np.zeros((n + 1, 4), np.int64)
        contact[:, 0] = WIDTH * np.arange(n + 1)
        contact[1:, 1] = np.cumsum(self.uses.sum(axis=1))
        block = np.zeros((blocks, 4), np.int64)
        block[:, 0] = np.where(bounded, DISK, FREE)
        block[:, 1] = WIDTH * owner + row
        block[:, 2] = 1
        coef, lengths = np.zeros((blocks, COEFFICIENTS)), np.zeros((blocks, COEFFICIENTS), bool)
        coef[bounded, 0] = h * self.joints.limit[owner[bounded]]
        lengths[:, 0] = row >= 3
        return LawTable(
            contact=contact, block=block, coef=coef, own=np.zeros(0, np.int64), weight=np.ones(WIDTH * n),
            moment=np.tile(np.arange(WIDTH) >= 3, n), lengths=lengths,
        )  # fmt: skip

    def bias(self, begin: State, middle: State, start: Array, theta: float) -> Array:
        """What the velocities of the rows have to be at the end of the step, with the other sign, (J, 6) [m/s, rad/s].

        Bodies on a joint move on curves.  A velocity that the joint allows at the beginning has a part across it in the
        middle, and what the joint allows at the end has the opposite one: with it the joint does no work at theta = 1/2
        and the motion is of second order.  Velocities that the joint does not allow at the beginning are stopped.
        """
        bias = np.zeros((len(self), WIDTH))
        if theta < 1.0:
            before = np.concatenate([begin.velocity, begin.angular_velocity], axis=1)
            turned = self._velocities(middle, start) - self._velocities(begin, before)
            bias[self.joints.held] = theta / (1.0 - theta) * turned[self.joints.held]
        driven = np.flatnonzero(self.joints.driven >= 0)
        bias[driven, self.joints.driven[driven]] = -self.joints.speed[driven]
        return bias

    def _velocities(self, state: State, v: Array) -> Array:
        """Relative velocities of the rows (J, 6) [m/s, rad/s] at body velocities v (B, 6)."""
        frame, arm = self.geometry(state)
        (a, b), out = self.joints.body.T, np.empty((len(self), WIDTH))
        point = v[b, :3] + np.cross(v[b, 3:], arm[:, 1]) - v[a, :3] - np.cross(v[a, 3:], arm[:, 0])
        out[:, :3] = np.einsum("jik,jk->ji", frame, point)
        out[:, 3:] = np.einsum("jik,jk->ji", frame, v[b, 3:] - v[a, 3:])
        return out

    def geometry(self, state: State) -> tuple[Array, Array]:
        """Frames (J, 3, 3), rows n, t1, t2, and arms (J, 2, 3) from both centres of mass to the second body's point."""
        frame, point = self.places(state)
        return frame, point[:, None, :] - state.position[self.joints.body]

    def places(self, state: State) -> tuple[Array, Array]:
        """Axes (J, 3, 3), rows n, t1, t2, and the second bodies' points (J, 3) [m], world frame."""
        frame, point = self._placed(state)
        return frame[:, 0], point[:, 1]

    def errors(self, state: State) -> Array:
        """How far the second body is off along and about the axes of the first, shape (J, 6) [m, rad]; 0 on free rows."""
        frame, point = self._placed(state)
        offset = point[:, 1] - point[:, 0]
        error = np.zeros((len(self), WIDTH))
        error[:, :3] = np.einsum("jik,jk->ji", frame[:, 0], offset)
        error[:, 0] -= self.joints.length
        n, other = frame[:, 0, 0], frame[:, 1, 0]
        turn = np.cross(n, other)  # about t1 and t2, whatever the angle about n
        error[:, 4:] = np.einsum("jik,jk->ji", frame[:, 0, 1:], turn)
        # the angle about n, from the second axes; exact where n and the other n agree
        error[:, 3] = np.einsum("jk,jk->j", np.cross(frame[:, 0, 1], frame[:, 1, 1]), n)
        return np.where(self.joints.held, error, 0.0)

    def _placed(self, state: State) -> tuple[Array, Array]:
        """Axes of both bodies (J, 2, 3, 3) and their points (J, 2, 3) [m], world frame."""
        joints = self.joints
        frame, point = np.empty_like(joints.frame), np.empty_like(joints.anchor)
        R = np.empty((3, 3))
        for j in range(len(self)):
            for side in range(2):
                b = joints.body[j, side]
                rotation_matrix(state.orientation, b, R)
                frame[j, side] = joints.frame[j, side] @ R.T
                point[j, side] = state.position[b] + R @ joints.anchor[j, side]
            if joints.length[j] > 0.0:
                n = point[j, 1] - point[j, 0]
                frame[j, 0, 0] = n / np.linalg.norm(n)
                helper = np.eye(3)[int(np.argmin(np.abs(frame[j, 0, 0])))]
                t1 = np.cross(frame[j, 0, 0], helper)
                frame[j, 0, 1] = t1 / np.linalg.norm(t1)
                frame[j, 0, 2] = np.cross(frame[j, 0, 0], frame[j, 0, 1])
        return frame, point
