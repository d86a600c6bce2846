"""The problem of a time step as a `ContactProblem`, which every solver and file format takes."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy
from numpy.typing import NDArray

from trundle.contact.problem import ContactProblem
from trundle.errors import ProblemError
from trundle.laws.base import Law, units_of
from trundle.laws.builtin import Bilateral, Driven, Product, lies_flat
from trundle.laws.coefficients import Coefficient
from trundle.laws.kernels.sections import FREE

if TYPE_CHECKING:
    from trundle.contact.rigid import RigidProblem

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
WIDTH = 6


def export(step: RigidProblem, form: str = "reduced") -> tuple[ContactProblem, Ints, Array]:
    """The problem with contacts first, in the order of the step, then joints; the rows (m,) of p' that it has, and S (m,).

    Impulses of the problem are p = S p'.  Those of contacts are in SI units.  Rows of joints keep the units of the step,
    in which moments are divided by a length: a joint's cone is the same in all units, and its residual is the step's.
    form : "reduced" (W, q), or "global" (M, H, f, b), smaller for large problems, which has no place for compliance.
    """
    laws, at, S = laws_and_rows(step)
    if form == "global":
        return _global_problem(step, laws, at, S), at, S
    W = step.delassus(at).tocoo()
    W.data = W.data / (S[W.coords[0]] * S[W.coords[1]])
    E = step.compliance.ravel()[at] / S**2
    formulation = "relaxed" if step.relaxed else "compliant" if np.any(E > 0.0) else "exact"
    problem = ContactProblem(
        laws, W=W.tocsr(), q=step.relative_velocity(step.v_free)[at] / S, formulation=formulation,
        compliance=E if formulation == "compliant" else None, check=False,
    )  # fmt: skip
    return problem, at, S


def laws_and_rows(step: RigidProblem) -> tuple[list[Law], Ints, Array]:
    """Laws of the contacts in the order of the step, then of the joints; the rows (m,) of p' that they have, and S (m,)."""
    if step.sheet is None or step.law is None:
        raise ProblemError("this problem of a step does not know its laws: build it with sheet and law.")
    joints, width = step.joints, WIDTH * np.arange(len(step.body))
    contact_rows = np.flatnonzero(step.uses[joints:].ravel()) + WIDTH * joints
    if any(lies_flat(law) for law in step.sheet.laws):
        raise ProblemError(
            "friction of whole faces (FlatPatch) depends on the sum of several loads, which a single problem cannot say."
        )
    laws = _contact_laws([_present(step, c, step.sheet.laws[i]) for c, i in enumerate(step.law.tolist())], step.factor)
    rows, scale = [contact_rows], [step.units.ravel()[contact_rows]]
    for j in range(joints):
        law, columns = _joint_law(step, j)
        laws.append(law)
        rows.append(width[j] + columns)
        scale.append(np.ones(len(columns)))
    return laws, np.concatenate(rows), np.concatenate(scale)


def _present(step: RigidProblem, c: int, law: Law) -> Law:
    """The law of contact c, where its coefficients vary with those that it has in this step."""
    if not law.varies:
        return law
    if isinstance(law, Product):
        values = _values(step, c, law)
        return Product(*(_with_values(factor, values) for factor in law.factors))
    return _with_values(law, _values(step, c, law))


def _values(step: RigidProblem, c: int, law: Law) -> dict[int, float]:
    """Present values of the coefficients that vary, by the identity of the coefficient; lengths without their factor."""
    table, link = step.table, step.joints + c
    first, factor = table.contact[link, 1], 1.0 if step.factor is None else step.factor[c]
    values = {}
    for j, block in enumerate(law.blocks()):
        for k, given in enumerate(block.coef):
            if isinstance(given, Coefficient):
                unit = step.length[link] / factor if table.lengths[first + j, k] else 1.0
                values[id(given)] = float(table.coef[first + j, k] * unit)
    return values


def _with_values(law: Law, values: dict[int, float]) -> Law:
    given = {name: getattr(law, name) for name in units_of(type(law))}
    return replace(law, **{name: values[id(value)] for name, value in given.items() if id(value) in values})


def _global_problem(step: RigidProblem, laws: list[Law], rows: Ints, S: Array) -> ContactProblem:
    """The problem with masses M and directions H of the bodies that can be pushed, six velocities each."""
    movable = np.unique(step.body)
    movable = movable[step.inverse_mass[movable] > 0.0]
    number = np.full(len(step.inverse_mass), len(movable))
    number[movable] = np.arange(len(movable))
    n, width = len(movable), 6 * len(movable)
    H = scipy.sparse.diags_array(1.0 / S) @ step.jacobian(number[step.body], n + 1)[rows][:, :width]
    H.eliminate_zeros()
    blocks = np.zeros((n, 6, 6))
    blocks[:, range(3), range(3)] = 1.0 / step.inverse_mass[movable, None]
    blocks[:, 3:, 3:] = np.linalg.inv(step.inverse_inertia[movable])
    M = scipy.sparse.csr_array(scipy.sparse.bsr_array((blocks, np.arange(n), np.arange(n + 1)), shape=(width, width)))
    M.eliminate_zeros()
    v = step.v_free[movable].ravel()
    b = step.relative_velocity(step.v_free)[rows] / S - H @ v
    return ContactProblem(laws, M=M, H=H, f=M @ v, b=b, formulation="relaxed" if step.relaxed else "exact", check=False)


def _joint_law(step: RigidProblem, j: int) -> tuple[Law, Ints]:
    """The law of a joint, and its rows in the order of the law: those that it holds, then the driven one."""
    table = step.table
    first, last = table.contact[j, 1], table.contact[j + 1, 1]
    block, column = table.block[first:last], table.block[first:last, 1] - WIDTH * j
    held = column[block[:, 0] == FREE]
    driven = np.flatnonzero(block[:, 0] != FREE)
    if not len(driven):
        return Bilateral(len(held)), held
    limit = float(table.coef[first + driven[0], 0])
    return Driven(limit, held=len(held)), np.concatenate([held, column[driven]])


def _contact_laws(laws: list[Law], factor: Array | None) -> list[Law]:
    """Laws for the contacts in their order, neighbours of one kind in one law; factor (C,): on lengths [m]."""
    made: list[Law] = []
    start = 0
    kinds = [_kind(law) for law in laws]
    for end in range(1, len(laws) + 1):
        if end == len(laws) or kinds[end] != kinds[start]:
            made += _joined(laws[start:end], None if factor is None else factor[start:end])
            start = end
    return made


def _kind(law: Law) -> Any:
    """What laws must have in common to be one with coefficients for many contacts."""
    if isinstance(law, Product):
        return tuple(_kind(factor) for factor in law.factors)
    units = units_of(type(law))
    return type(law), *(repr(getattr(law, f.name)) for f in fields(law) if f.name not in units)


def _joined(laws: list[Law], factor: Array | None) -> list[Law]:
    first = laws[0]
    if isinstance(first, Product):
        parts = [_joined([law.factors[i] for law in laws], factor) for i in range(len(first.factors))]  # type: ignore[attr-defined]
        if all(len(part) == 1 for part in parts):
            return [Product(*(part[0] for part in parts))]
        spread = [part if len(part) == len(laws) else _each(part[0], len(laws)) for part in parts]
        return [Product(*some) for some in zip(*spread, strict=True)]
    units = units_of(type(first))
    if not units:
        return list(laws)
    values = {}
    for name, unit in units.items():
        values[name] = np.array([getattr(law, name) for law in laws])
        if unit == "m" and factor is not None:
            values[name] = values[name] * factor
    return [replace(first, **values)]


def _each(law: Law, count: int) -> list[Law]:
    """One law for every contact."""
    names = units_of(type(law))
    return [replace(law, **{name: float(getattr(law, name)[i]) for name in names}) for i in range(count)]
