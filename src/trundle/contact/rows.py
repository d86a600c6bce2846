"""The problem of a time step with users' constraints and implicit fields, as every solver takes it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from trundle.contact.export import laws_and_rows
from trundle.contact.problem import ContactProblem
from trundle.contact.rigid import WIDTH, RigidProblem
from trundle.errors import ProblemError
from trundle.laws.builtin import Bilateral

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RowProblem:
    """A `RigidProblem` with k equations G v + g = 0 between its B bodies, and implicit fields p = -A (v - v_start).

    G (k, 6 B); g (k,); unit (k,): what one unit of an equation means as a velocity [m/s]; A (6 B, 6 B), sparse; v_start (B, 6).
    Equations become rows of `Bilateral` behind those of contacts and joints, in units of velocity; fields become part of the
    mass matrix, (M + A) v = M v_free + A v_start + H^T p + G^T l.
    """

    rigid: RigidProblem
    G: Any
    g: Array
    unit: Array
    A: Any
    v_start: Array

    @cached_property
    def _laws(self) -> tuple[list[Any], NDArray[np.int64], Array]:
        laws, at, S = laws_and_rows(self.rigid)
        return laws + [Bilateral(1)] * len(self.g), at, S

    @cached_property
    def _rows(self) -> tuple[Any, Array]:
        """H (m + k, 6 B) of all rows, and their velocities at v = 0."""
        rigid, (_, at, S) = self.rigid, self._laws
        H = scipy.sparse.diags_array(1.0 / S) @ rigid.jacobian(rigid.body, len(rigid.inverse_mass))[at]
        rows = scipy.sparse.vstack([H, scipy.sparse.diags_array(self.unit) @ self.G]).tocsr()
        given = rigid.relative_velocity(np.zeros_like(rigid.v_free))[at] / S
        return rows, np.concatenate([given, self.unit * self.g])

    @cached_property
    def _mass_factor(self) -> Any:
        """Factor of 1 + M^-1 A."""
        return scipy.sparse.linalg.splu((scipy.sparse.eye_array(self.v_start.size) + self._inverse @ self.A).tocsc())

    @cached_property
    def _inverse(self) -> Any:
        """M^-1 (6 B, 6 B)."""
        rigid, n = self.rigid, len(self.rigid.inverse_mass)
        blocks = np.zeros((n, 6, 6))
        blocks[:, range(3), range(3)] = rigid.inverse_mass[:, None]
        blocks[:, 3:, 3:] = rigid.inverse_inertia
        return scipy.sparse.csr_array(
            scipy.sparse.bsr_array((blocks, np.arange(n), np.arange(n + 1)), shape=(6 * n, 6 * n))
        )

    @cached_property
    def problem(self) -> ContactProblem:
        """Contacts first, then joints, then equations; reduced form."""
        (laws, at, S), (H, given), rigid = self._laws, self._rows, self.rigid
        W = H @ self._mass_factor.solve((self._inverse @ H.T).toarray())
        q = H @ self._free + given
        E = np.concatenate([rigid.compliance.ravel()[at] / S**2, np.zeros(len(self.g))])
        formulation = "relaxed" if rigid.relaxed else "compliant" if np.any(E > 0.0) else "exact"
        return ContactProblem(
            laws, W=scipy.sparse.csr_array(W), q=q, formulation=formulation, compliance=E if formulation == "compliant" else None,
            check=False,
        )  # fmt: skip

    @cached_property
    def _free(self) -> Array:
        """Velocities (6 B,) without contacts, joints and equations."""
        start = self.v_start.ravel()
        return np.asarray(self._mass_factor.solve(self.rigid.v_free.ravel() + self._inverse @ (self.A @ start)))

    def to_problem(self, form: str = "reduced") -> ContactProblem:
        """The problem; the global form has no place for masses that are locked or fixed, and none for fields."""
        if form == "global":
            raise ProblemError("constraints and implicit fields are kept in the reduced form (W, q) only.")
        return self.problem

    def to_problem_rows(self, links: Array, equations: Array) -> Array:
        """Impulses of `problem` from those of joints and contacts (C, 6) and of the equations (k,), SI units."""
        _, at, S = self._laws
        return np.concatenate([self.rigid.from_rows(links)[at] * S, equations / self.unit])

    def from_problem_rows(self, p: Array) -> tuple[Array, Array, Array]:
        """Impulses (C, 6) of joints and contacts and (k,) of equations, SI units, and velocities (B, 6), of p of `problem`."""
        _, at, S = self._laws
        links = np.zeros(self.rigid.uses.size)
        links[at] = p[: len(at)] / S
        v = self._free + self._mass_factor.solve(self._inverse @ (self._rows[0].T @ p))
        return self.rigid.keep(links), p[len(at) :] * self.unit, v.reshape(-1, WIDTH)
