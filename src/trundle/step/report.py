"""What a time step tells about itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from trundle.detect.contacts import Contacts
    from trundle.solve.rigid import StepSolution

Array = NDArray[np.float64]


@dataclass
class Ledger:
    """Energy of one step [J]: what there is at its end, and where the change since its beginning came from and went.

    kinetic + potential + elastic at the end = the same at the end of the step before + external + poured
    - sliding - rolling - spinning - impact - joints - scheme.

    elastic: stored in compliant contacts; external: work of loads, motors and prescribed bodies; poured: brought by
    bodies that an emitter added; joints: dry friction in joints, and motion that they stop because they do not
    allow it; scheme: what the time discretisation loses.
    """

    kinetic: float = 0.0
    potential: float = 0.0
    elastic: float = 0.0
    external: float = 0.0
    poured: float = 0.0
    sliding: float = 0.0
    rolling: float = 0.0
    spinning: float = 0.0
    impact: float = 0.0
    joints: float = 0.0
    scheme: float = 0.0

    @property
    def total(self) -> float:
        """Kinetic, potential and elastic energy at the end [J]."""
        return self.kinetic + self.potential + self.elastic


@dataclass(eq=False)
class StepReport:
    """A step's contacts, solution and ledger.

    rows: gives impulses and velocities (J + C, 6) of joints and contacts; joints: how many joints come first;
    joint_frame (J, 3, 3), rows n, t1, t2, and joint_point (J, 3) [m]: their axes, and where they act on the second body.
    """

    contacts: Contacts
    solution: StepSolution
    ledger: Ledger
    rows: Callable[[], tuple[Array, Array]]
    joints: int = 0
    joint_frame: Array = field(default_factory=lambda: np.zeros((0, 3, 3)))
    joint_point: Array = field(default_factory=lambda: np.zeros((0, 3)))

    @cached_property
    def _rows(self) -> tuple[Array, Array]:
        return self.rows()

    @property
    def impulse(self) -> Array:
        """Impulses [N s, N m s] of the contacts in their frames, rows n, t1, t2, s, r1, r2, shape (C, 6)."""
        return self._rows[0][self.joints :]

    @property
    def velocity(self) -> Array:
        """Relative velocities [m/s, rad/s] at the end of the step in the contact frames, shape (C, 6)."""
        return self._rows[1][self.joints :]

    @property
    def joint_impulse(self) -> Array:
        """Impulses [N s, N m s] on the joints' second bodies, along and about their axes n, t1, t2, shape (J, 6)."""
        return self._rows[0][: self.joints]
