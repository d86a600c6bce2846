"""The laws of the papers, each a convex set with named coefficients."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from trundle import checked
from trundle.errors import LawError, whole
from trundle.laws.base import ROWS, Array, Law, Length, Ratio, _same
from trundle.laws.kernels import curves
from trundle.laws.kernels import sections as kernels
from trundle.laws.kernels.oblique import OBLIQUE
from trundle.laws.superellipse import Superellipse
from trundle.laws.table import Block, disk

MOST_ROWS = 1_000_000  # of joints in one law


@dataclass(frozen=True, eq=False)
class Coulomb(Law):
    """Coulomb friction: |f_t| <= mu r_n.  Rows n, t1, t2."""

    mu: Ratio
    rows: ClassVar[tuple[str, ...]] = ("n", "t1", "t2")

    def blocks(self) -> tuple[Block, ...]:
        return (disk(("t1", "t2"), self.mu),)


@dataclass(frozen=True, eq=False)
class Coulomb2D(Law):
    """Coulomb friction in the plane: |f_t| <= mu r_n.  Rows n, t1."""

    mu: Ratio
    rows: ClassVar[tuple[str, ...]] = ("n", "t1")

    def blocks(self) -> tuple[Block, ...]:
        return (disk(("t1",), self.mu),)


@dataclass(frozen=True, eq=False)
class Rolling(Law):
    """Sliding and rolling friction: |f_t| <= mu r_n, |m_r| <= mu_r r_n.  Rows n, t1, t2, r1, r2.

    Acary & Bourrier (2021), eq. (20).
    """

    mu: Ratio
    mu_r: Length
    rows: ClassVar[tuple[str, ...]] = ("n", "t1", "t2", "r1", "r2")

    def blocks(self) -> tuple[Block, ...]:
        return disk(("t1", "t2"), self.mu), disk(("r1", "r2"), self.mu_r)


@dataclass(frozen=True, eq=False)
class Rolling2D(Law):
    """Sliding and rolling friction in the plane.  Rows n, t1, r1."""

    mu: Ratio
    mu_r: Length
    rows: ClassVar[tuple[str, ...]] = ("n", "t1", "r1")

    def blocks(self) -> tuple[Block, ...]:
        return disk(("t1",), self.mu), disk(("r1",), self.mu_r)


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
        return disk(("t1", "t2"), self.mu), disk(("s",), self.mu_s), disk(("r1", "r2"), self.mu_r)


@dataclass(frozen=True, eq=False)
class Spin(Law):
    """Spinning friction alone: |m_s| <= mu_s r_n.  Rows n, s; a factor for products."""

    mu_s: Length
    rows: ClassVar[tuple[str, ...]] = ("n", "s")

    def blocks(self) -> tuple[Block, ...]:
        return (disk(("s",), self.mu_s),)


@dataclass(frozen=True, eq=False)
class Roll(Law):
    """Rolling friction alone: |m_r| <= mu_r r_n.  Rows n, r1, r2; a factor for products."""

    mu_r: Length
    rows: ClassVar[tuple[str, ...]] = ("n", "r1", "r2")

    def blocks(self) -> tuple[Block, ...]:
        return (disk(("r1", "r2"), self.mu_r),)


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

    @functools.cached_property
    def _nearest(self) -> Law:
        return Product(*(factor._nearest for factor in self.factors)) if is_oblique(self) else self

    def _check_potential(self, what: str) -> None:
        for factor in self.factors:
            factor._check_potential(what)

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
        return (disk(("t1",), self.limit),)


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
        return (*free, disk(self.rows[-1:], self.limit))


def is_smooth(law: Law) -> bool:
    """Whether friction of a law turns smoothly with the velocity while the contact moves: sliding and spinning in one budget."""
    return any(block.kind in (curves.CONTENSOU, curves.UNIFORM) for block in law.blocks())


def is_oblique(law: Law) -> bool:
    """Whether friction slides along a potential of another roundness, for which solvers have no cone."""
    return any(block.kind == OBLIQUE for block in law.blocks())


def lies_flat(law: Law) -> bool:
    """Whether friction of whole faces is asked for, whose size the bodies tell."""
    factors = law.factors if isinstance(law, Product) else (law,)
    return any(isinstance(factor, FlatPatch) and bool(np.any(np.asarray(factor.radius) == 0.0)) for factor in factors)


def is_orthotropic(law: Law) -> bool:
    """Whether a law depends on the directions t1 and t2 of the contact frame (a law of the user's is not asked)."""
    factors = law.factors if isinstance(law, Product) else (law,)
    return any(
        (isinstance(factor, Superellipse) and (factor.angular or not _same(factor.mu_x, factor.mu_y)))
        or (isinstance(factor, EllipticRoll) and not _same(factor.mu_rx, factor.mu_ry))
        for factor in factors
    )
