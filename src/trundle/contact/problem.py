"""The contact problem: what is to be solved, and the only judge of a solution."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from trundle import checked
from trundle.contact.blocks import block_inverse
from trundle.contact.checks import check_matrix, check_vector
from trundle.contact.scaled import ScaledProblem, scale_problem
from trundle.errors import ProblemError, known, unknown
from trundle.kinds import SOLVED_FORMULATIONS
from trundle.laws.base import Law
from trundle.laws.builtin import is_oblique
from trundle.laws.table import LawTable, build_table

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ContactProblem:
    """One frictional contact problem with sliding, spinning and rolling, in reduced or global form.

    Reduced: y = W p + q.  Global: M v = f + H^T p, y = H v + b.  With the law of each contact,
    exact: y-hat = y + sigma(-w) e_n, K* contains y-hat, orthogonal to p in K (Acary & Bourrier (2021), eq. (63));
    relaxed: y-hat = y (Tasora & Anitescu (2013), eq. (40)); compliant: exact, with W + E for W.

    Parameters
    ----------
    laws : Law or sequence of Law
        One law for all contacts, or a sequence in the order of the rows, each standing for as many contacts as it has
        coefficients (one if they are numbers).  Joints are `Bilateral` rows among them.
    W, q : matrix (m, m) dense or sparse, [1/kg ...]; vector (m,) [m/s, rad/s]
    M, H, f, b : (nv, nv) mass matrix; (m, nv); (nv,) impulses and momenta; (m,) velocities
    formulation : "exact", "relaxed" or "compliant"
    compliance : E for "compliant", diagonal (m,) or matrix (m, m), in the units of W
    check : look for NaN, asymmetry and negative eigenvalues of W or M (leave it on for data from outside)
    """

    laws: Any
    W: Any = field(default=None, kw_only=True)
    q: Any = field(default=None, kw_only=True)
    M: Any = field(default=None, kw_only=True)
    H: Any = field(default=None, kw_only=True)
    f: Any = field(default=None, kw_only=True)
    b: Any = field(default=None, kw_only=True)
    formulation: str = field(default="exact", kw_only=True)
    compliance: Any = field(default=None, kw_only=True)
    title: str = field(default="", kw_only=True)
    description: str = field(default="", kw_only=True)
    math_info: str = field(default="", kw_only=True)
    source: str = field(default="", kw_only=True)
    check: bool = field(default=True, kw_only=True)

    def __post_init__(self) -> None:
        for name in ("title", "description", "math_info", "source"):
            checked.text(ProblemError, name, getattr(self, name))
        checked.flag(ProblemError, "check", self.check)
        if isinstance(self.laws, str):
            raise ProblemError(
                f"{self.place}laws: give a law such as trundle.laws.Coulomb(mu=0.3), not its name {self.laws!r}."
            )
        try:
            laws = (self.laws,) if isinstance(self.laws, Law) else tuple(self.laws)
        except TypeError:
            raise ProblemError(f"{self.place}laws: {self.laws!r} is not a law; see trundle.laws.") from None
        for law in laws:
            if not isinstance(law, Law):
                raise ProblemError(f"{self.place}laws: {law!r} is not a law; see trundle.laws.")
            if law.varies:
                raise ProblemError(
                    f"{self.place}laws: {law!r} depends on the speed or the load, which a single problem does not know. Give the "
                    "law at a speed: law.at(speed=0.1), or simulate a scene."
                )
        self._set("laws", laws)
        if not known(self.formulation, SOLVED_FORMULATIONS):
            raise ProblemError(self.place + unknown("formulation", self.formulation, SOLVED_FORMULATIONS))
        if self.formulation == "relaxed" and any(is_oblique(law) for law in laws):
            raise ProblemError(
                f"{self.place}a Superellipse with q_potential is no cone complementarity problem: formulation = 'relaxed' "
                "has no meaning for it. Use 'exact' or 'compliant', or leave q_potential out."
            )
        given = {name for name in ("W", "q", "M", "H", "f", "b") if getattr(self, name) is not None}
        if given == {"W", "q"}:
            self._accept_reduced()
        elif given == {"M", "H", "f", "b"}:
            self._accept_global()
        else:
            raise ProblemError(
                f"{self.place}given: {', '.join(sorted(given)) or 'nothing'}. "
                "Give W and q (reduced form), or M, H, f and b (global form)."
            )
        self._accept_compliance()
        _ = self.counts  # the laws fit the rows, or say so now

    def __repr__(self) -> str:
        names = ", ".join(dict.fromkeys(type(law).__name__ for law in self.laws))
        size = f"{self.contact_count:,} contacts, {self.row_count:,} rows"
        return f"<ContactProblem: {size}, {names}, {self.formulation}, {self.form}>"

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _accept_reduced(self) -> None:
        self._set("q", check_vector(self.place, "q", self.q))
        self._set("W", check_matrix(self.place, "W", self.W, (len(self.q), len(self.q)), self.check))

    def _accept_global(self) -> None:
        self._set("f", check_vector(self.place, "f", self.f))
        self._set("b", check_vector(self.place, "b", self.b))
        self._set("M", check_matrix(self.place, "M", self.M, (len(self.f), len(self.f)), self.check))
        self._set("H", check_matrix(self.place, "H", self.H, (len(self.b), len(self.f)), False))

    def _accept_compliance(self) -> None:
        if (self.compliance is not None) != (self.formulation == "compliant"):
            raise ProblemError(
                f"{self.place}compliance belongs to the formulation 'compliant', and only to it; "
                f"the formulation is {self.formulation!r} and compliance is "
                f"{'missing' if self.compliance is None else 'given'}."
            )
        if self.compliance is None:
            return
        if np.ndim(self.compliance) == 1 and not scipy.sparse.issparse(self.compliance):
            diagonal = check_vector(self.place, "compliance", self.compliance)
            if len(diagonal) != self.row_count or np.any(diagonal < 0.0):
                raise ProblemError(f"{self.place}compliance: give {self.row_count} values >= 0, one per row.")
            self._set("compliance", scipy.sparse.csr_array(scipy.sparse.diags_array(diagonal)))
        else:
            shape = (self.row_count, self.row_count)
            self._set("compliance", check_matrix(self.place, "compliance", self.compliance, shape, self.check))

    @property
    def place(self) -> str:
        """Where the problem comes from, as the beginning of a message."""
        return f"{self.source}: " if self.source else ""

    @property
    def form(self) -> str:
        """ "reduced" or "global"."""
        return "global" if self.W is None else "reduced"

    @property
    def row_count(self) -> int:
        """Number of rows m of p and y."""
        return len(self.q) if self.form == "reduced" else len(self.b)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Number of contacts that each law stands for."""
        if len(self.laws) == 1 and self.laws[0].count is None:
            law = self.laws[0]
            if self.row_count % law.d:
                raise ProblemError(
                    f"{self.place}{self.row_count} rows cannot be shared among contacts of {law.d} rows "
                    f"({', '.join(law.rows)}), which {type(law).__name__} has."
                )
            return (self.row_count // law.d,)
        counts = tuple(law.count or 1 for law in self.laws)
        rows = sum(law.d * n for law, n in zip(self.laws, counts, strict=True))
        if rows != self.row_count:
            raise ProblemError(
                f"{self.place}the laws have {rows} rows ({sum(counts)} contacts), the problem has {self.row_count}."
            )
        return counts

    @cached_property
    def table(self) -> LawTable:
        """Laws in compiled form."""
        return build_table(self.laws, self.counts)

    @property
    def contact_count(self) -> int:
        """Number of contacts; joints are not counted."""
        return sum(n for law, n in zip(self.laws, self.counts, strict=True) if "n" in law.rows)

    @cached_property
    def _mass_factor(self) -> Any:
        from scipy.sparse.linalg import splu

        return splu(scipy.sparse.csc_array(self.M))

    @cached_property
    def reduced_matrix(self) -> Any:
        """W, of the given reduced form or H M^-1 H^T, with the compliance added; dense or sparse."""
        if self.form == "reduced":
            W = self.W
        else:
            W = self._reduce()
        if self.compliance is not None:
            W = W + self.compliance
        return W

    def _reduce(self) -> Any:
        """H M^-1 H^T."""
        H = scipy.sparse.csr_array(self.H)
        inverse = block_inverse(scipy.sparse.csr_array(self.M))
        if inverse is not None:
            return scipy.sparse.csr_array(H @ inverse @ H.T)
        transposed = scipy.sparse.csc_array(self.H.T)
        columns = [H @ self._mass_factor.solve(transposed[:, [j]].toarray()) for j in range(self.row_count)]
        return scipy.sparse.csr_array(np.hstack(columns)) if columns else scipy.sparse.csr_array((0, 0))

    @cached_property
    def free_velocity(self) -> Array:
        """q: the relative velocity without contact impulses [m/s, rad/s], shape (m,)."""
        if self.form == "reduced":
            return self.q
        return np.asarray(self.H @ self._mass_factor.solve(self.f) + self.b)

    def body_velocity(self, p: ArrayLike) -> Array:
        """v = M^-1 (f + H^T p) of the bodies [m/s, rad/s], shape (nv,); of the global form only."""
        if self.form != "global":
            raise ProblemError(f"{self.place}the reduced form (W, q) knows no bodies, and none of their velocities.")
        return np.asarray(self._mass_factor.solve(self.f + self.H.T @ self.impulse(p)))

    def to_reduced(self) -> ContactProblem:
        """The same problem as (W, q)."""
        if self.form == "reduced":
            return self
        return self._as(W=self._plain_matrix(), q=self.free_velocity)

    def _plain_matrix(self) -> Any:
        return self.reduced_matrix if self.compliance is None else self.reduced_matrix - self.compliance

    def to_global(self) -> ContactProblem:
        """The same problem as (M, H, f, b): the given one, or M = 1 and W = H H^T by its eigenvectors."""
        if self.form == "global":
            return self
        W: Array = scipy.sparse.csr_array(self.W).toarray()
        asymmetry = float(np.linalg.norm(W - W.T)) / (float(np.linalg.norm(W)) or 1.0)
        if asymmetry > 1e-10:
            raise ProblemError(
                f"{self.place}W is not symmetric (relative asymmetry {asymmetry:.1e}), so it is no H M^-1 H^T: "
                "there is no global form. Symmetrise it first if that is what you mean."
            )
        values, vectors = np.linalg.eigh(0.5 * (W + W.T))
        keep = values > np.max(values, initial=0.0) * len(values) * np.finfo(float).eps
        H = vectors[:, keep] * np.sqrt(values[keep])
        return self._as(
            M=scipy.sparse.csr_array(scipy.sparse.eye_array(H.shape[1])), H=H, f=np.zeros(H.shape[1]), b=self.q
        )

    def _as(self, **matrices: Any) -> ContactProblem:
        return ContactProblem(
            self.laws, **matrices, formulation=self.formulation, compliance=self.compliance, title=self.title,
            description=self.description, math_info=self.math_info, source=self.source, check=False,
        )  # fmt: skip

    @cached_property
    def scaled(self) -> ScaledProblem:
        """The problem in the units of each contact, which solvers and the residual work in."""
        return scale_problem(self.reduced_matrix, self.free_velocity, self.table, self.formulation)

    def impulse(self, p: ArrayLike) -> Array:
        """p as a flat array of floats, shape (m,), or an error if it does not fit."""
        try:
            array = np.ascontiguousarray(p, dtype=np.float64).reshape(-1)
        except (TypeError, ValueError, OverflowError):
            raise ProblemError(f"{self.place}p = {p!r} is not an array of {self.row_count} impulses.") from None
        if array.size != self.row_count:
            raise ProblemError(f"{self.place}p has {array.size} entries; the problem has {self.row_count} rows.")
        return array

    def velocity(self, p: ArrayLike) -> Array:
        """y = W p + q [m/s, rad/s], shape (m,)."""
        return self.scaled.judge(self.impulse(p))[0]

    def residual(self, p: ArrayLike) -> float:
        """Natural map of the problem in scaled coordinates, relative to the size of q; 0 at a solution.

        |e / rho| / |q| with e = p - (r, proj_{r C}(f - rho w)), r = max(0, r_n - rho u_n), for the exact law and
        e = p - proj_K(p - rho y) for the relaxed one; rho = 1 / max diag(W_cc) of each contact, moments in units of the
        contact's length (docs/notation.md).  Independent of units.  If q = 0 it is not relative.
        """
        return self.scaled.judge(self.impulse(p))[1]

    def roundoff(self, p: ArrayLike) -> float:
        """Size of the residual that rounding of W p + q and of p alone can cause: no solver can promise less."""
        return self.scaled.judge(self.impulse(p))[2]

    def siconos_error(self, p: ArrayLike) -> float:
        """Siconos' error |p - proj_K(p - y-hat)| / |q| in the given units, for comparison only."""
        p, plain = self.impulse(p), ScaledProblem.plain(self.table, self.formulation)
        change = p - plain.project(p - plain.corrected(self.velocity(p)))
        return float(np.linalg.norm(change)) / (float(np.linalg.norm(self.free_velocity)) or 1.0)

    def split(self, x: ArrayLike) -> list[Array]:
        """Rows of a vector by law: one array (n, d) for each of `laws`."""
        x = self.impulse(x)
        parts, at = [], 0
        for law, n in zip(self.laws, self.counts, strict=True):
            parts.append(x[at : at + n * law.d].reshape(n, law.d))
            at += n * law.d
        return parts

    def modes(self, p: ArrayLike, tolerance: float = 1e-8) -> NDArray[np.str_]:
        """Name of the state of each contact (see `Law.mode`), shape (contact_count,)."""
        p = self.impulse(p)
        names = [
            np.atleast_1d(law.mode(y, r, tolerance, q))
            for law, y, r, q in zip(
                self.laws, self.split(self.velocity(p)), self.split(p), self.split(self.free_velocity), strict=True
            )
            if "n" in law.rows
        ]
        return np.concatenate(names) if names else np.zeros(0, dtype="U1")

    def dilatancy(self, p: ArrayLike) -> Array:
        """Speed sigma(-w) [m/s] at which each contact opens by the relaxation (zero for the other formulations)."""
        p = self.impulse(p)
        parts = zip(self.laws, self.split(self.velocity(p)), self.split(p), strict=True)
        speeds = [law.correction(y) * (r[:, 0] > 0.0) for law, y, r in parts if "n" in law.rows]
        total = np.concatenate(speeds) if speeds else np.zeros(0)
        return total if self.formulation == "relaxed" else np.zeros_like(total)
