"""What a time step tells about itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SimulationError

if TYPE_CHECKING:
    from trundle.contact.problem import ContactProblem
    from trundle.detect.contacts import Contacts
    from trundle.solve.rigid import StepSolution

Array = NDArray[np.float64]


def _column(kind: str, words: str) -> Any:
    """A column of the ledger: "stored", "gained" or "lost", and what a summary calls it."""
    return field(default=0.0, metadata={"kind": kind, "words": words})


@dataclass
class Ledger:
    """Energy of one step [J]: what there is at its end, and where the change since its beginning came from and went.

    kinetic + potential + elastic at the end = the same at the end of the step before + external + poured
    - sliding - rolling - spinning - impact - joints - numerical.

    elastic: stored in compliant contacts; external: work of loads, motors and prescribed bodies; poured: brought by
    bodies that an emitter added, less what removed bodies took with them; joints: dry friction in joints, and motion that
    they stop because they do not allow it; numerical: what the time discretisation loses, or gains where it is negative.
    """

    kinetic: float = _column("stored", "kinetic")
    potential: float = _column("stored", "potential")
    elastic: float = _column("stored", "elastic")
    external: float = _column("gained", "work of loads, motors and prescribed bodies")
    poured: float = _column("gained", "brought by poured bodies")
    sliding: float = _column("lost", "lost by sliding")
    rolling: float = _column("lost", "lost by rolling")
    spinning: float = _column("lost", "lost by spinning")
    impact: float = _column("lost", "lost in impacts")
    joints: float = _column("lost", "lost in joints")
    numerical: float = _column("lost", "lost by the time discretisation")

    @property
    def total(self) -> float:
        """Kinetic, potential and elastic energy at the end [J]."""
        return self.kinetic + self.potential + self.elastic


LEDGER = tuple(column.name for column in fields(Ledger))
STORED, GAINS, LOSSES = (
    {column.name: str(column.metadata["words"]) for column in fields(Ledger) if column.metadata["kind"] == kind}
    for kind in ("stored", "gained", "lost")
)
_STEP = [("time", "f8"), ("contacts", "i8"), ("residual", "f8"), ("iterations", "i8"), ("converged", "?")]
STEP_TYPE = np.dtype(_STEP)  # a row of the table `steps`
LEDGER_TYPE = np.dtype([("time", "f8"), *((name, "f8") for name in LEDGER)])  # a row of the table `energy`
# both in one row, and what watching needs: the deepest overlap relative to the smaller body, the numbers of its two bodies
# (-1: no overlap), and the largest way of a body along a coordinate within the step, relative to the smallest body
ROW_TYPE = np.dtype(
    [*_STEP, *((name, "f8") for name in LEDGER), ("overlap", "f8"), ("one", "i8"), ("other", "i8"), ("way", "f8")],
    align=True,
)
StepRows = NDArray[np.void]
"""Rows of `ROW_TYPE`, one for each step done."""


def ledger_of(rows: StepRows) -> Array:
    """The ledger's columns of some rows (n, 11) [J], as a view."""
    assert ROW_TYPE.fields is not None
    first = ROW_TYPE.fields[LEDGER[0]][1]
    return np.ndarray((len(rows), len(LEDGER)), np.float64, rows.data, first, (ROW_TYPE.itemsize, 8))


@dataclass(eq=False)
class StepReport:
    """A step's contacts, solution and ledger.

    rows: gives impulses and velocities (J + C, 6) of joints and contacts; joints: how many joints come first;
    joint_frame (J, 3, 3), rows n, t1, t2, and joint_point (J, 3) [m]: their axes, and where they act on the second body;
    make_problem: gives the contact problem that was solved, in a form, and its solution p in the order of its rows;
    constraint_impulse (N, 6) [N s, N m s]: on every body of every constraint, about its centre of mass, world frame;
    springs: with formulation "history", gives what the springs alone contribute to the impulses (C, 6) and their deflections
    (C, 8), as `FrameContacts` explains them.
    """

    contacts: Contacts
    solution: StepSolution
    ledger: Ledger
    rows: Callable[[], tuple[Array, Array]]
    joints: int = 0
    joint_frame: Array = field(default_factory=lambda: np.zeros((0, 3, 3)))
    joint_point: Array = field(default_factory=lambda: np.zeros((0, 3)))
    make_problem: Callable[[str], tuple[ContactProblem, Array]] | None = None
    springs: Callable[[], tuple[Array, Array]] | None = None
    constraint_impulse: Array = field(default_factory=lambda: np.zeros((0, 6)))

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

    @cached_property
    def problem(self) -> tuple[ContactProblem, Array]:
        """The contact problem of the step, and the impulses p that were found, in the order of its rows."""
        return self.problem_in("reduced")

    def problem_in(self, form: str) -> tuple[ContactProblem, Array]:
        """The same as `problem`, in "reduced" (W, q) or "global" (M, H, f, b) form."""
        if self.make_problem is None:
            raise SimulationError(
                'formulation="history" solves no contact problem: its forces follow from the positions.'
            )
        return self.make_problem(form)
