"""What a recording keeps of a state and of a step."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.detect.contacts import Contacts
from trundle.laws.base import ROWS, Law, mode_names
from trundle.laws.kernels import DISK
from trundle.laws.table import MOMENT_ROWS
from trundle.record import kernels
from trundle.record.layout import BODY_TYPE
from trundle.scene.model import Model, State
from trundle.step.report import StepReport

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


def points_of(model: Model, state: State) -> dict[str, NDArray[Any]]:
    """Columns of a frame: the bodies that are present."""
    body = np.flatnonzero(state.present)
    radius = model.radius[body]
    return {
        "body": body, "position": state.position[body], "orientation": state.orientation[body],
        "velocity": state.velocity[body], "angular_velocity": state.angular_velocity[body],
        "radius": np.where(np.isfinite(radius), radius, 0.0),
    }  # fmt: skip


def contacts_of(model: Model, report: StepReport, time_step: float, tolerance: float) -> dict[str, NDArray[Any]]:
    """Columns of /contacts for a step [s] that was solved to a tolerance."""
    contacts = report.contacts
    return {
        "body": contacts.body, "point": contacts.point, "frame": contacts.frame, "gap": contacts.gap,
        "impulse": report.impulse, "velocity": report.velocity,
        "mode": mode_codes(model, report, time_step, tolerance),
    }  # fmt: skip


def mode_codes(model: Model, report: StepReport, time_step: float, tolerance: float) -> NDArray[np.uint8]:
    """Codes (C,) of the contacts' modes, as `Law.mode` names them.

    Velocities count as motion where they are larger than what the solver's tolerance leaves of those that gravity would
    give within the step.
    """
    contacts, p, y = report.contacts, report.impulse, report.velocity
    code = np.zeros(len(contacts), np.uint8)
    if not len(contacts):
        return code
    tolerance = float(np.clip(2.0 * tolerance, LEAST_TOLERANCE, MOST_TOLERANCE))
    fall = time_step * float(np.linalg.norm(model.gravity))
    bounded = model.radius[np.isfinite(model.radius)]
    size = float(np.median(bounded)) if len(bounded) else 1.0
    cap = np.array([_caps(law) if not ratio else NO_DISKS for law, ratio in zip(model.laws, model.ratio, strict=True)])
    kernels.disk_modes(contacts.law, p, y, cap, tolerance, np.array([fall, fall / size, fall / size]), code)
    for number in np.flatnonzero(np.all(cap < 0.0, axis=1)).tolist():
        rows = np.flatnonzero(contacts.law == number)
        if len(rows):
            code[rows] = _general_modes(model, number, contacts, rows, p, y, tolerance, fall, size)
    return code


def _caps(law: Law) -> tuple[float, float, float]:
    """Coefficients of sliding, spinning and rolling of a law that is a product of disks; -1 where it has none."""
    cap = [-1.0, -1.0, -1.0]
    for block in law.blocks():
        part = PARTS.get(block.rows)
        if block.kind != DISK or part is None:
            return NO_DISKS
        cap[part] = float(block.coef[0])
    return cap[0], cap[1], cap[2]


def _general_modes(
    model: Model, number: int, contacts: Contacts, rows: NDArray[np.int64], p: Array, y: Array, tolerance: float,
    fall: float, size: float,
) -> NDArray[np.uint8]:  # fmt: skip
    """Codes of the contacts `rows` of one law of any kind."""
    law = model.laws[number]
    columns = np.array([ROWS.index(row) for row in law.rows])
    own_p, own_y = p[np.ix_(rows, columns)], y[np.ix_(rows, columns)]
    moments = [i for i, row in enumerate(law.rows) if row in MOMENT_ROWS]
    reference = np.full((1, len(columns)), fall)
    if model.ratio[number]:  # lengths of the law are in effective radii: so are the moments, then
        length = contacts.effective_radius[rows, None]
        own_p[:, moments] /= length
        own_y[:, moments] *= length
    else:
        reference[:, moments] /= size
    return law.mode_codes(own_y, own_p, tolerance, reference)
