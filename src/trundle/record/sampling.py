"""What a recording keeps of a state and of a step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from trundle.laws.base import MOTIONS, ROWS, Law, mode_names
from trundle.laws.builtin import lies_flat
from trundle.laws.kernels.sections import DISK
from trundle.laws.table import MOMENT_ROWS
from trundle.record.kernels import modes as kernels
from trundle.record.layout import (
    BODY_TYPE,
    CONSTRAINT_IMPULSE,
    CONSTRAINT_TYPE,
    CONTACT_DATA,
    JOINT_DATA,
    JOINT_TYPE,
    SPRING_DATA,
)
from trundle.scene.constraints import Constraint
from trundle.scene.joint_motion import joint_motion
from trundle.scene.joints import WORLD, Joint
from trundle.scene.model import Model, State
from trundle.step.report import StepReport

if TYPE_CHECKING:
    from trundle.detect.contacts import Contacts

Array = NDArray[np.float64]
MODES = mode_names()
NO_DISKS = (-1.0, -1.0, -1.0)
PARTS = {("t1", "t2"): 0, ("s",): 1, ("r1", "r2"): 2}  # rows of a disk, and which motion they are
LEAST_TOLERANCE, MOST_TOLERANCE = 1e-8, 1e-3


def body_table(model: Model) -> NDArray[np.void]:
    """Rows of /bodies."""
    table = np.zeros(len(model.names), BODY_TYPE)
    table["name"] = model.names
    table["shape"] = [json.dumps(shape.as_table()) for shape in model.shapes]
    table["mass"], table["radius"] = model.mass, model.radius
    table["surface"] = [model.surface_names[i] for i in model.surface]
    moved = {number for number, _ in model.motions}
    table["fixed"] = [np.isinf(mass) and i not in moved for i, mass in enumerate(model.mass)]
    return table


def joint_table(joints: Sequence[Joint]) -> NDArray[np.void]:
    """Rows of /joints/list."""
    rows = [(joint.name, joint.kind, joint.one, WORLD if joint.other is None else joint.other) for joint in joints]
    return np.array(rows, JOINT_TYPE)


def constraint_table(constraints: Sequence[Constraint]) -> NDArray[np.void]:
    """Rows of /constraints/list."""
    return np.array([(one.name, body) for one in constraints for body in one.bodies], CONSTRAINT_TYPE)


def constraints_of(model: Model, report: StepReport | None) -> Array:
    """What constraints carry, a row (6,) for each of their bodies; NaN where no step led to a frame."""
    if report is None:
        return np.full((sum(len(one.bodies) for one in model.constraints), 6), np.nan)
    return report.constraint_impulse


def joints_of(model: Model, state: State, report: StepReport | None) -> dict[str, Array]:
    """Columns of /joints in a frame, without the first axis; what steps bring about is NaN where no step led to it."""
    count = model.joints.count
    if not count:
        return {}
    return {**reactions_of(count, report), "motion": joint_motion(model.joints, state)}


def reactions_of(count: int, report: StepReport | None) -> dict[str, Array]:
    """What joints carry, of the columns of /joints; NaN where no step led to a frame."""
    if report is None:
        return {name: np.full((count, *JOINT_DATA[name]), np.nan) for name in ("impulse", "point", "frame")}
    return {"impulse": report.joint_impulse, "point": report.joint_point, "frame": report.joint_frame}


def points_of(model: Model, state: State) -> dict[str, NDArray[Any]]:
    """Columns of a frame: the bodies that are present, the origins of their shapes, and their bounding radii (B,) [m]."""
    body, state = np.flatnonzero(state.present), model.shapes_at(state)
    size = model.radius[body]
    size[np.isinf(size)] = 0.0
    return {
        "body": body, "position": state.position[body], "orientation": state.orientation[body],
        "velocity": state.velocity[body], "angular_velocity": state.angular_velocity[body], "radius": size,
    }  # fmt: skip


class Sampler:
    """Takes frames of a run with steps of `time_step` [s] that are solved to a tolerance.

    Velocities count as motion, for the modes of contacts, where they are larger than what the tolerance leaves of those
    that gravity would give within a step.
    """

    def __init__(self, model: Model, time_step: float, tolerance: float) -> None:
        self._model = model
        self._tolerance = float(np.clip(2.0 * tolerance, LEAST_TOLERANCE, MOST_TOLERANCE))
        bounded = model.radius[np.isfinite(model.radius)]
        size = float(np.median(bounded)) if len(bounded) else 1.0
        self._fall = time_step * float(np.linalg.norm(model.gravity))
        self._turn = self._fall / size
        given = zip(model.laws, model.ratio, strict=True)
        self._cap = np.array([NO_DISKS if ratio else _caps(law) for law, ratio in given]).reshape(-1, 3)
        self._others = np.flatnonzero(np.all(self._cap < 0.0, axis=1)).tolist()

    def points(self, state: State) -> dict[str, NDArray[Any]]:
        """Columns of the bodies that are present."""
        return points_of(self._model, state)

    def contacts(self, report: StepReport) -> dict[str, NDArray[Any]]:
        """Columns of /contacts."""
        contacts = report.contacts
        return {
            "body": contacts.body, "point": contacts.point, "frame": contacts.frame, "gap": contacts.gap,
            "impulse": report.impulse, "velocity": report.velocity, "mode": self.modes(report),
            **({} if report.springs is None else dict(zip(SPRING_DATA, report.springs(), strict=True))),
        }  # fmt: skip

    @staticmethod
    def no_contacts() -> dict[str, NDArray[Any]]:
        """The same without contacts."""
        return {name: np.zeros((0, *shape), kind) for name, (shape, kind) in CONTACT_DATA.items()}

    def joints(self, state: State, report: StepReport | None) -> dict[str, Array]:
        """Columns of /joints, and of /constraints by their whole names."""
        found = joints_of(self._model, state, report)
        return {**found, CONSTRAINT_IMPULSE: constraints_of(self._model, report)} if self._model.constraints else found

    def modes(self, report: StepReport) -> NDArray[np.uint8]:
        """Codes (C,) of the contacts' modes, as `Law.mode` names them."""
        law, p, y = report.contacts.law, report.impulse, report.velocity
        code = np.zeros(len(law), np.uint8)
        if len(law):
            reference = np.array([self._fall, self._turn, self._turn])
            kernels.disk_modes(law, p, y, self._cap, self._tolerance, reference, code)
        for number in self._others:
            rows = np.flatnonzero(law == number)
            if len(rows):
                code[rows] = self._general(number, report.contacts, rows, p, y)
        return code

    def _general(
        self, number: int, contacts: Contacts, rows: NDArray[np.int64], p: Array, y: Array
    ) -> NDArray[np.uint8]:
        """Codes of the contacts `rows` of one law of any kind."""
        law = self._model.laws[number]
        columns = np.array([ROWS.index(row) for row in law.rows])
        own_p, own_y = p[np.ix_(rows, columns)], y[np.ix_(rows, columns)]
        moments = [i for i, row in enumerate(law.rows) if row in MOMENT_ROWS]
        reference = np.full((1, len(columns)), self._fall)
        if self._model.ratio[number]:  # lengths of the law are in effective radii: so are the moments, then
            length = self._model.effective_radius(contacts.body[rows])[:, None]
            own_p[:, moments] /= length
            own_y[:, moments] *= length
        else:
            reference[:, moments] = self._turn
        if law.varies or lies_flat(law):  # how large its section was, the speed tells: what moves is at its bound
            code = np.ones(len(rows), np.uint8)
            for j, (_, names) in enumerate(MOTIONS):
                mine = [i for i, row in enumerate(law.rows) if row in names]
                speed = np.linalg.norm(own_y[:, mine], axis=1)
                least = max(float(np.max(speed, initial=0.0)), float(reference[0, mine[0]]) if mine else 0.0)
                code += ((speed > self._tolerance * least) * (1 << j)).astype(np.uint8)
            code[own_p[:, 0] <= self._tolerance * np.max(own_p[:, 0], initial=0.0)] = 0
            return code
        return law.mode_codes(own_y, own_p, self._tolerance, reference)


def _caps(law: Law) -> tuple[float, float, float]:
    """Coefficients of sliding, spinning and rolling of a law that is a product of disks; -1 where it has none."""
    cap = [-1.0, -1.0, -1.0]
    for block in law.blocks():
        part = PARTS.get(block.rows)
        if block.kind != DISK or part is None or law.varies:
            return NO_DISKS
        cap[part] = float(block.coef[0])
    return cap[0], cap[1], cap[2]
