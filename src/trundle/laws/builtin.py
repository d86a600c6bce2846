"""The laws of the papers, each a convex set with named coefficients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from trundle import checked
from trundle.errors import LawError, real, whole
from trundle.laws.base import ROWS, Array, Law, Length, Ratio, _same
from trundle.laws.kernels import curves
from trundle.laws.kernels import sections as kernels
from trundle.laws.table import MOMENT_ROWS, Block

MOST_ROWS = 1_000_000  # of joints in one law


def _disk(rows: tuple[str, ...], radius: Any) -> Block:
    """Disk (two rows) or interval (one row) of a radius [-], or [m] on moment rows."""
    return Block(kernels.DISK, rows, (radius,), (rows[0] in MOMENT_ROWS,))


@dataclass(frozen=True, eq=False)
class Coulomb(Law):
    """Coulomb friction: |f_t| <= mu r_n.  Rows n, t1, t2."""

    mu: Ratio
    rows: ClassVar[tuple[str, ...]] = ("n", "t1", "t2")

    def blocks(self) -> tuple[Block, ...]:
        return (_disk(("t1", "t2"), self.mu),)


@dataclass(frozen=True, eq=False)
class Coulomb2D(Law):
    """Coulomb friction in the plane: |f_t| <= mu r_n.  Rows n, t1."""

    mu: Ratio
    rows: ClassVar[tuple[str, ...]] = ("n", "t1")

    def blocks(self) -> tuple[Block, ...]:
        return (_disk(("t1",), self.mu),)


@dataclass(frozen=True, eq=False)
class Rolling(Law):
    """Sliding and rolling friction: |f_t| <= mu r_n, |m_r| <= mu_r r_n.  Rows n, t1, t2, r1, r2.

    Acary & Bourrier (2021), eq. (20).
    """

    mu: Ratio
    mu_r: Length
    rows: ClassVar[tuple[str, ...]] = ("n", "t1", "t2", "r1", "r2")

    def blocks(self) -> tuple[Block, ...]:
        return _disk(("t1", "t2"), self.mu), _disk(("r1", "r2"), self.mu_r)


@dataclass(frozen=True, eq=False)
class Rolling2D(Law):
    """Sliding and rolling friction in the plane.  Rows n, t1, r1."""

    mu: Ratio
    mu_r: Length
    rows: ClassVar[tuple[str, ...]] = ("n", "t1", "r1")

    def blocks(self) -> tuple[Block, ...]:
        return _disk(("t1",), self.mu), _disk(("r1",), self.mu_r)


@dataclass(frozen=True, eq=False)
class SlideRollSpin(Law):
    """Sliding, rolling and spinning friction, each with its own bound.  Rows n, t1, t2, s, r1, r2.

    Tasora & Anitescu (2013), eq. (31).
    """

    mu: Ratio
    mu_r: Length
    mu_s: Length
    rows: ClassVar[tuple[str, ...]] = ROWS

    def blocks(self) -> tuple[Block, ...]:
        return _disk(("t1", "t2"), self.mu), _disk(("s",), self.mu_s), _disk(("r1", "r2"), self.mu_r)


@dataclass(frozen=True, eq=False)
class Spin(Law):
    """Spinning friction alone: |m_s| <= mu_s r_n.  Rows n, s; a factor for products."""

    mu_s: Length
    rows: ClassVar[tuple[str, ...]] = ("n", "s")

    def blocks(self) -> tuple[Block, ...]:
        return (_disk(("s",), self.mu_s),)


@dataclass(frozen=True, eq=False)
class Roll(Law):
    """Rolling friction alone: |m_r| <= mu_r r_n.  Rows n, r1, r2; a factor for products."""

    mu_r: Length
    rows: ClassVar[tuple[str, ...]] = ("n", "r1", "r2")

    def blocks(self) -> tuple[Block, ...]:
        return (_disk(("r1", "r2"), self.mu_r),)


@dataclass(frozen=True, eq=False)
class EllipticRoll(Law):
    """Rolling friction that differs along two axes: (m_r1 / mu_rx)**2 + (m_r2 / mu_ry)**2 <= r_n**2.  Rows n, r1, r2.

    mu_rx : bound of the moment about t1 [m], which resists rolling along t2; mu_ry : of that about t2, against rolling along t1.
    A factor for products, with an axis as every law that depends on directions.  Tasora & Anitescu (2013), section 2.2.
    """

    mu_rx: Length
    mu_ry: Length
    rows: ClassVar[tuple[str, ...]] = ("n", "r1", "r2")

    def blocks(self) -> tuple[Block, ...]:
        return (Block(curves.SUPERELLIPSE, ("r1", "r2"), (self.mu_rx, self.mu_ry, 2.0), (True, True, False)),)


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
            raise LawError("Superellipse: coefficients that depend on the speed need an associated law: leave q_potential out.")

    @property
    def _set(self) -> Superellipse:
        """The associated law with the same friction condition."""
        return replace(self, k=1.0, q_potential=None)

    def _no_bipotential(self, what: str) -> None:
        if self.q_potential is not None:
            raise LawError(
                f"Superellipse: with q_potential = {self.q_potential:g} and q = {self.q:g} there is no {what}: friction condition "
                "and sliding potential have no common normal. Leave q_potential out."
            )

    def project(self, p: ArrayLike) -> Array:
        return super().project(p) if self.q_potential is None else self._set.project(p)

    def project_section(self, f: ArrayLike, r_n: ArrayLike = 1.0) -> Array:
        return super().project_section(f, r_n) if self.q_potential is None else self._set.project_section(f, r_n)

    def correction(self, y: ArrayLike) -> Array:
        self._no_bipotential("corrected velocity")
        return super().correction(y)

    def bipotential(self, y: ArrayLike, p: ArrayLike, tolerance: float = 1e-9) -> Array:
        self._no_bipotential("bipotential")
        return super().bipotential(y, p, tolerance)

    def return_map(self, f: ArrayLike, r_n: ArrayLike = 1.0) -> Array:
        """Where a load f (n, 2) outside of r_n C returns to: the point from which f is along the gradient of the potential."""
        return super().project_section(f, r_n)

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
            return _disk(("t1",), self.mu_x), _disk(("t2",), self.mu_y)
        if self.q_potential is not None:
            coef = (self.mu_x, self.mu_y, self.q, *self._potential(), self.q_potential)
            return (Block(OBLIQUE, ("t1", "t2"), coef, (False,) * 6),)
        kind = kernels.DIAMOND if self.q == 1.0 else curves.SUPERELLIPSE
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


@dataclass(frozen=True, eq=False)
class Contensou(Law):
    """Coulomb-Contensou friction: sliding and spinning of a round patch share one budget.  Rows n, t1, t2, s.

    patch_radius : radius of the Hertzian contact patch [m].
    series : use the truncated ball (2.31) as printed, which is neither closed nor convex, for comparison.

    Le Saux, Leine & Glocker (2005), eqs. (2.29)-(2.32); the exact set for a Hertzian (not parabolic) pressure.
    """

    mu: Ratio
    patch_radius: Length
    series: bool = False
    rows: ClassVar[tuple[str, ...]] = ("n", "t1", "t2", "s")

    def blocks(self) -> tuple[Block, ...]:
        checked.flag(LawError, "Contensou: series", self.series)
        kind = kernels.CONTENSOU_SERIES if self.series else curves.CONTENSOU
        return (Block(kind, ("t1", "t2", "s"), (self.mu, self.patch_radius), (False, True)),)


@dataclass(frozen=True, eq=False)
class FlatPatch(Law):
    """Friction of flat faces: sliding and spinning share the budget of a uniformly pressed disk.  Rows n, t1, t2, s.

    radius : of the disk [m].  0, for simulations: where bodies lie on a flat face, in three points or more, its friction is
    that of the whole face, a disk with the face's radius, or one with its mean distance from the centre; elsewhere it is
    Coulomb's.

    The set of Contensou's law, le Saux et al. (2005), (2.29)-(2.30), for another pressure; Farkas et al. (2003).
    """

    mu: Ratio
    radius: Length = 0.0
    rows: ClassVar[tuple[str, ...]] = ("n", "t1", "t2", "s")

    def __post_init__(self) -> None:
        super().__post_init__()
        if lies_flat(self) and self.varies:
            raise LawError(
                "FlatPatch: mu is a number where the face gives the radius; give a radius [m] for one that varies."
            )

    def blocks(self) -> tuple[Block, ...]:
        return (Block(curves.UNIFORM, ("t1", "t2", "s"), (self.mu, self.radius), (False, True)),)


@dataclass(frozen=True, eq=False, init=False)
class Product(Law):
    """Product of laws on different rows, e.g. superelliptic sliding x rolling x spinning.

    Every factor is a contact law (it has the normal row); the set is the product of the factors' sets.
    """

    factors: tuple[Law, ...]

    def __init__(self, *factors: Law) -> None:
        flat: list[Law] = []
        for factor in factors:
            if not isinstance(factor, Law) or "n" not in factor.rows:
                raise LawError(
                    f"Product: {factor!r} is not a contact law; multiply laws such as Superellipse, Roll, Spin."
                )
            flat.extend(factor.factors if isinstance(factor, Product) else [factor])
        names = [row for factor in flat for row in factor.rows if row != "n"]
        twice = {row for row in names if names.count(row) > 1}
        if twice:
            raise LawError(
                f"Product: rows {', '.join(sorted(twice))} belong to two factors ({', '.join(f._name for f in flat)}); "
                "the factors of a product act on different rows."
            )
        object.__setattr__(self, "factors", tuple(flat))
        object.__setattr__(self, "rows", ("n", *sorted(names, key=ROWS.index)))
        counts = {factor.count for factor in flat} - {None}
        if len(counts) > 1:
            raise LawError(f"Product: factors with coefficients for {sorted(counts)} contacts.")  # type: ignore[type-var]

    @property
    def count(self) -> int | None:
        return next((c for factor in self.factors if (c := factor.count) is not None), None)

    def at(self, speed: float = 0.0, load: float = 0.0, radius: float = 0.0) -> Law:
        return Product(*(factor.at(speed, load, radius) for factor in self.factors))

    def __hash__(self) -> int:
        return hash((Product, self.factors))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Product) and self.factors == other.factors

    def blocks(self) -> tuple[Block, ...]:
        blocks = [block for factor in self.factors for block in factor.blocks()]
        return tuple(sorted(blocks, key=lambda block: ROWS.index(block.rows[0])))

    def dissipation(self, y: ArrayLike, p: ArrayLike) -> Array:
        """Sum of the factors' dissipations, shape (n,)."""
        y, p = self._rows(y, "y", self.d), self._rows(p, "p", self.d)
        total = np.zeros(y.shape[:-1])
        for factor in self.factors:
            columns = [self.rows.index(row) for row in factor.rows]
            total = total + factor.dissipation(y[..., columns], p[..., columns])
        return total


@dataclass(frozen=True, eq=False)
class Bilateral(Law):
    """Joint rows: any impulse, no relative velocity (the free cone).  Not a contact: it has no normal row."""

    size: int = 1
    rows: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        if not whole(self.size) or not 1 <= self.size <= MOST_ROWS:
            raise LawError(f"Bilateral: size = {self.size!r} is not a number of rows, 1 to {MOST_ROWS}.")
        object.__setattr__(self, "rows", tuple(f"j{i}" for i in range(self.size)))

    def blocks(self) -> tuple[Block, ...]:
        return (Block(kernels.FREE, self.rows),)


@dataclass(frozen=True, eq=False)
class Bounded(Law):
    """Dry friction of a joint: one row, |f| <= limit whatever the load.  limit [N s or N m s]."""

    limit: Annotated[Any, "N s or N m s"]
    rows: ClassVar[tuple[str, ...]] = ("t1",)

    def blocks(self) -> tuple[Block, ...]:
        return (_disk(("t1",), self.limit),)


@dataclass(frozen=True, eq=False)
class Driven(Law):
    """A joint with a motor or dry friction: `held` rows with any impulse, and a last one with |f| <= limit [N s]."""

    limit: Annotated[Any, "N s"]
    held: int = 0
    rows: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "rows", tuple(f"j{i}" for i in range(self.held + 1)))

    def blocks(self) -> tuple[Block, ...]:
        free = (Block(kernels.FREE, self.rows[:-1]),) if self.held else ()
        return (*free, _disk(self.rows[-1:], self.limit))


def is_smooth(law: Law) -> bool:
    """Whether friction of a law turns smoothly with the velocity while the contact moves: sliding and spinning in one budget."""
    return any(block.kind in (curves.CONTENSOU, curves.UNIFORM) for block in law.blocks())


def lies_flat(law: Law) -> bool:
    """Whether friction of whole faces is asked for, whose size the bodies tell."""
    factors = law.factors if isinstance(law, Product) else (law,)
    return any(isinstance(factor, FlatPatch) and bool(np.any(np.asarray(factor.radius) == 0.0)) for factor in factors)


def is_orthotropic(law: Law) -> bool:
    """Whether a law depends on the directions t1 and t2 of the contact frame (a law of the user's is not asked)."""
    factors = law.factors if isinstance(law, Product) else (law,)
    return any(
        (isinstance(factor, Superellipse) and (factor.q != 2.0 or not _same(factor.mu_x, factor.mu_y)))
        or (isinstance(factor, EllipticRoll) and not _same(factor.mu_rx, factor.mu_ry))
        for factor in factors
    )
