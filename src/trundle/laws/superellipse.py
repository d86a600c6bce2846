"""Orthotropic friction: superellipses, associated or with a sliding potential of their own."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from trundle.errors import LawError, real
from trundle.laws.base import Array, Law, Ratio
from trundle.laws.kernels.curves import SUPERELLIPSE
from trundle.laws.kernels.oblique import OBLIQUE
from trundle.laws.kernels.sections import DIAMOND
from trundle.laws.table import Block, disk


@dataclass(frozen=True, eq=False)
class Superellipse(Law):
    """Orthotropic friction: |f_t1 / mu_x|**q + |f_t2 / mu_y|**q <= r_n**q.  Rows n, t1, t2.

    q : roundness, 1 (rhombus) <= q <= inf (rectangle).
    k : direction of sliding; 1 is associated, otherwise the potential has half-axes of ratio (mu_y / mu_x)**k.
    q_potential : roundness of the sliding potential, 1 < q_potential < inf; None: that of the friction condition.

    Hjiaj, Feng, de Saxce & Mroz (2004), eqs. (6)-(14), (43)-(45).  Only the ratio p_y / p_x is fixed by (14); here
    the factors Q**q of the velocity have geometric mean 1.  A roundness of its own, which their section 3.1 names as the general
    case, leaves no bipotential: such a law is for the formulations exact, compliant and history.
    """

    mu_x: Ratio
    mu_y: Ratio
    q: float = 2.0
    k: float = 1.0
    q_potential: float | None = None
    rows: ClassVar[tuple[str, ...]] = ("n", "t1", "t2")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_roundness()
        for name in ("q", "k"):
            value = getattr(self, name)
            if not real(value) and not (isinstance(value, float) and np.isinf(value)):
                raise LawError(f"Superellipse: {name} = {value!r} is not one number; it holds for all contacts.")
            object.__setattr__(self, name, float(value))
        if self.q < 1.0:
            raise LawError(f"Superellipse: q = {self.q:g} gives a set that is not convex; 1 <= q <= inf.")
        if not np.isfinite(self.k):
            raise LawError(f"Superellipse: k = {self.k} is not finite; 1 is the associated law.")
        if np.isinf(self.q) and self.k != 1.0:
            raise LawError(
                "Superellipse: a rectangle (q = inf) has no non-associated limit: use k = 1, or a large q such as 50."
            )
        if self.k != 1.0 and self.varies:
            raise LawError("Superellipse: coefficients that depend on the speed need an associated law, k = 1.")
        weight = np.asarray(self._velocity_weights())
        if not np.all(np.isfinite(weight)) or np.any(weight == 0.0):
            raise LawError(
                f"Superellipse: (mu_y / mu_x)**(q (k - 1)) overflows for q = {self.q:g}, k = {self.k:g}: "
                "the sliding direction is along one axis; use a smaller q or k nearer to 1."
            )

    @property
    def angular(self) -> bool:
        """Whether condition or potential are no ellipses."""
        return self.q != 2.0 or self.q_potential is not None

    def _check_roundness(self) -> None:
        """Whether the sliding potential can have the roundness that it was given."""
        s = self.q_potential
        if s is None:
            return
        if not real(s) or not 1.0 < float(s) < np.inf:
            raise LawError(
                f"Superellipse: q_potential = {s!r} must be a number, 1 < q_potential < inf: a potential with flat sides "
                "leaves the direction of sliding open. Leave it out for the roundness of the friction condition."
            )
        object.__setattr__(self, "q_potential", None if float(s) == self.q else float(s))
        if self.q_potential is not None and not (real(self.q) and 1.0 < float(self.q) < np.inf):
            raise LawError(f"Superellipse: with q_potential, q = {self.q!r} must be a number, 1 < q < inf.")
        if self.q_potential is not None and self.varies:
            raise LawError(
                "Superellipse: coefficients that depend on the speed need an associated law: leave q_potential out."
            )

    @functools.cached_property
    def _nearest(self) -> Law:
        return self if self.q_potential is None else replace(self, k=1.0, q_potential=None)

    def _check_potential(self, what: str) -> None:
        if self.q_potential is not None:
            raise LawError(
                f"Superellipse: with q_potential = {self.q_potential:g} and q = {self.q:g} there is no {what}: friction "
                "condition and sliding potential have no common normal. Leave q_potential out."
            )

    def return_map(self, f: ArrayLike, r_n: ArrayLike = 1.0) -> Array:
        """Where a load f (n, 2) outside of r_n C returns to: the point from which f is along the gradient of the potential."""
        return self._return(f, r_n)

    def _potential(self) -> tuple[Any, Any]:
        """Half-axes p_x, p_y of the sliding potential, of geometric mean 1."""
        mu_x, mu_y = np.broadcast_arrays(np.asarray(self.mu_x, float), np.asarray(self.mu_y, float))
        both = (mu_x > 0.0) & (mu_y > 0.0)
        half = np.power(np.where(both, mu_y, 1.0) / np.where(both, mu_x, 1.0), 0.5 * self.k)
        return 1.0 / half, half

    def sliding_force(self, w: ArrayLike) -> Array:
        """Friction load per normal load, shape (n, 2), of a contact that slides with the velocity w (n, 2) [m/s].

        |f_i| ~ (p_i**s |w_i|)**(1 / (s - 1)), s the roundness of the potential, on the boundary of C.
        """
        s = self.q if self.q_potential is None else self.q_potential
        if not 1.0 < s < np.inf:
            raise LawError(f"Superellipse: with q = {self.q:g} the direction of sliding does not say the load.")
        w = self._rows(w, "w", 2)
        p = np.stack(np.broadcast_arrays(*self._potential()), axis=-1)
        mu = np.stack(np.broadcast_arrays(np.asarray(self.mu_x, float), np.asarray(self.mu_y, float)), axis=-1)
        largest = np.max(np.abs(w), axis=-1, keepdims=True)
        scaled = np.abs(w) / np.where(largest > 0.0, largest, 1.0)
        f = np.power(np.power(p, s) * scaled, 1.0 / (s - 1.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            size = np.power(np.sum(np.power(f / mu, self.q), axis=-1, keepdims=True), 1.0 / self.q)
            return -np.sign(w) * np.where(size > 0.0, f / size, 0.0)

    def _velocity_weights(self) -> tuple[Any, Any]:
        """Diagonal of Q**q, hjiaj (23), (43), scaled to geometric mean 1."""
        mu_x, mu_y = np.broadcast_arrays(np.asarray(self.mu_x, float), np.asarray(self.mu_y, float))
        if self.q_potential is not None:  # not a matter of factors
            return np.ones_like(mu_x), np.ones_like(mu_y)
        if self.k == 1.0 or not np.isfinite(self.q):
            return np.ones_like(mu_x), np.ones_like(mu_y)
        both = (mu_x > 0.0) & (mu_y > 0.0)
        ratio = np.where(both, mu_y, 1.0) / np.where(both, mu_x, 1.0)
        with np.errstate(over="ignore", under="ignore", divide="ignore"):
            half = np.power(ratio, 0.5 * self.q * (self.k - 1.0))
            return 1.0 / half, half

    def blocks(self) -> tuple[Block, ...]:
        if np.isinf(self.q):
            return disk(("t1",), self.mu_x), disk(("t2",), self.mu_y)
        if self.q_potential is not None:
            coef = (self.mu_x, self.mu_y, self.q, *self._potential(), self.q_potential)
            return (Block(OBLIQUE, ("t1", "t2"), coef, (False,) * 6),)
        kind = DIAMOND if self.q == 1.0 else SUPERELLIPSE
        return (Block(kind, ("t1", "t2"), (self.mu_x, self.mu_y, self.q), (False,) * 3, self._velocity_weights()),)

    def dissipation(self, y: ArrayLike, p: ArrayLike) -> Array:
        """Power lost by friction [W, or J for impulses], shape (n,): r_n sigma(-w) where k = 1.

        Otherwise D = |f|_qp |w|*_qp, hjiaj section 3.2 in corrected form, p_y / p_x = (mu_y / mu_x)**k.
        """
        if self.q_potential is not None:
            y, p = self._pair(y, p)
            return -p[..., 0] * np.sum(self.sliding_force(y[..., 1:]) * y[..., 1:], axis=-1)
        if self.k == 1.0:
            return super().dissipation(y, p)
        y, p = self._rows(y, "y", 3), self._rows(p, "p", 3)
        weight = np.stack(np.broadcast_arrays(*self._velocity_weights()), axis=-1)
        # With P = M Q the potential's norms are those of the set at f / Q and at Q w.
        # np.power, since ** is another function for one contact than for many, and differs in the last bit.
        root = np.power(np.abs(weight), 1.0 / self.q)
        slide = self.support(-(y[..., 1:] * root))
        half = np.stack(np.broadcast_arrays(self.mu_x, self.mu_y), axis=-1) * root
        with np.errstate(divide="ignore", invalid="ignore"):
            scaled = np.where(half > 0.0, np.abs(p[..., 1:]) / half, 0.0)
        return np.power(np.sum(np.power(scaled, self.q), axis=-1), 1.0 / self.q) * slide
