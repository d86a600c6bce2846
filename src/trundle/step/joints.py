"""Joints as rows of the contact problem of a step, for the solvers that need a matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trundle.contact.rigid import WIDTH
from trundle.laws.kernels.sections import DISK, FREE, SIDE
from trundle.laws.table import COEFFICIENTS, LawTable
from trundle.scene.joints import LIMIT, JointArrays


class JointRows:
    """The rows of the joints of a model."""

    def __init__(self, joints: JointArrays) -> None:
        self.joints = joints
        self.uses = joints.held.copy()
        driven = joints.driven >= 0
        self.uses[driven, joints.driven[driven]] = True

    def __len__(self) -> int:
        return len(self.joints)

    def table(self, h: float, limit: NDArray[np.float64]) -> LawTable:
        """Each row that is held carries any impulse; a driven one at most limit h, a limit none that pulls.

        limit (J,) [N, N m]: infinite for limits that cannot be reached in this step.
        """
        owner, row = np.nonzero(self.uses)
        bounded = (row == self.joints.driven[owner]) & np.isfinite(self.joints.limit[owner])
        n, blocks = len(self), len(owner)
        contact = np.zeros((n + 1, 4), np.int64)
        contact[:, 0] = WIDTH * np.arange(n + 1)
        contact[1:, 1] = np.cumsum(self.uses.sum(axis=1))
        block = np.zeros((blocks, 4), np.int64)
        limits = self.joints.role[owner] == LIMIT
        block[:, 0] = np.where(limits, SIDE, np.where(bounded, DISK, FREE))
        block[:, 1] = WIDTH * owner + row
        block[:, 2] = 1
        coef, lengths = np.zeros((blocks, COEFFICIENTS)), np.zeros((blocks, COEFFICIENTS), bool)
        coef[bounded, 0] = h * self.joints.limit[owner[bounded]]
        coef[limits, 0] = np.isfinite(limit[owner[limits]])  # 0: too far away
        lengths[:, 0] = (row >= 3) & ~limits
        return LawTable(
            contact=contact, block=block, coef=coef, own=np.zeros(0, np.int64), weight=np.ones(WIDTH * n),
            moment=np.tile(np.arange(WIDTH) >= 3, n), lengths=lengths,
        )  # fmt: skip
