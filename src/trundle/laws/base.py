"""What every law can do: the convex set behind it, on numpy arrays."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, ClassVar, get_type_hints

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trundle import checked
from trundle.errors import LawError, real
from trundle.laws.coefficients import Coefficient
from trundle.laws.kernels import sections as kernels
from trundle.laws.table import Block, LawTable, build_table

Array = NDArray[np.float64]

ROWS = ("n", "t1", "t2", "s", "r1", "r2")
POINTS_PER_THREAD = 20_000
MOTIONS = (("sliding", {"t1", "t2"}), ("spinning", {"s"}), ("rolling", {"r1", "r2"}))


def mode_names() -> tuple[str, ...]:
    """Names of the states of a contact by code: 0 is take-off, 1 + bits the motions (`MOTIONS`) whose bits are set."""
    names = []
    for bits in range(1 << len(MOTIONS)):
        names.append("+".join(name for j, (name, _) in enumerate(MOTIONS) if bits >> j & 1) or "sticking")
    return ("take-off", *names)


Ratio = Annotated[Any, "-"]
"""A coefficient without unit [-]; a float, or an array of shape (n,) with one value per contact."""
Length = Annotated[Any, "m"]
"""A coefficient that is a length [m]; a float, or an array of shape (n,) with one value per contact."""


def units_of(law_class: Any) -> dict[str, str]:
    """Unit of each coefficient of a law, from its annotations: "-" or "m"."""
    return _units_of(law_class)


@functools.cache
def _units_of(law_class: Any) -> dict[str, str]:
    hints = get_type_hints(law_class, include_extras=True)
    units = {}
    for field in fields(law_class):
        metadata = getattr(hints[field.name], "__metadata__", None)
        if metadata:
            units[field.name] = metadata[0]
    return units


def _in_threads(kernel: Callable[..., None], count: int, *arguments: Any) -> None:
    """Run a kernel over `count` points, in threads where that pays; the result does not depend on it."""
    threads = min(os.cpu_count() or 1, count // POINTS_PER_THREAD)
    if threads <= 1:
        kernel(*arguments, 0, count)
        return
    edges = np.linspace(0, count, threads + 1).astype(int)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda i: kernel(*arguments, edges[i], edges[i + 1]), range(threads)))


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, Coefficient) or isinstance(other, Coefficient):
        return bool(one == other)
    return np.array_equal(one, other)


def _check_tolerance(name: str, tolerance: object) -> None:
    if not real(tolerance) or not 0.0 <= float(tolerance) < 1.0:  # type: ignore[arg-type]
        raise LawError(f"{name}: tolerance = {tolerance!r} must be a number, 0 <= tolerance < 1.")


@dataclass(frozen=True, eq=False)
class Law:
    """A friction law: a closed convex set C that contains 0, on the friction rows of a contact.

    Rows of a contact, those that a law has, in this order: normal impulse r_n, sliding t1, t2 [N s], spinning
    s, rolling r1, r2 [N m s]; conjugate to them are the velocities u_n, u_t1, u_t2 [m/s], w_s, w_r1, w_r2
    [rad/s].
    The cone of admissible impulses is K = {(r_n, f): f in r_n C}.

    Coefficients may be floats or arrays of shape (n,), one value per contact; in simulations also functions of speed or load,
    `trundle.laws.coefficients`.  What a law says of itself without a contact is then that of fast motion: see `at`.
    """

    rows: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        for name, unit in units_of(type(self)).items():
            shown = f"[{unit}]"
            given = getattr(self, name)
            if isinstance(given, Coefficient):
                if given.unit not in ("", unit):
                    raise LawError(f"{self._name}: {name} {shown}: {given!r} is a length [{given.unit}].")
                continue
            try:
                value = np.array(getattr(self, name))
                if value.dtype.kind not in "iufO" or given is np.ma.masked:  # neither "1" nor True nor a date
                    raise TypeError
                value = value.astype(float)
            except (TypeError, ValueError, OverflowError):
                raise LawError(f"{self._name}: {name} = {getattr(self, name)!r} is not a number {shown}.") from None
            if value.ndim > 1:
                raise LawError(f"{self._name}: {name} {shown} has shape {value.shape}; give a number or shape (n,).")
            bad = ~np.isfinite(value) | (value < 0.0)
            if np.any(bad):
                where = f" (contact {int(np.argmax(bad))})" if value.ndim else ""
                shown_value = float(value[bad][0]) if value.ndim else float(value)
                raise LawError(
                    f"{self._name}: {name} = {shown_value:g}{where} is not a coefficient; "
                    f"it is a finite number >= 0 {shown}."
                )
            value.setflags(write=False)  # a law does not change: its table is kept
            object.__setattr__(self, name, value if value.ndim else float(value))
        if self.count == 0:
            raise LawError(f"{self._name}: a coefficient is an empty array; give at least one value.")

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(_same(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))

    def __hash__(self) -> int:
        values = (getattr(self, f.name) for f in fields(self) if f.compare)
        kept = (value if isinstance(value, Coefficient) else np.asarray(value).tobytes() for value in values)
        return hash((type(self), *kept))

    def __mul__(self, other: Law) -> Law:
        """Product of laws on different rows: ``Superellipse(...) * Roll(mu_r) * Spin(mu_s)``."""
        from trundle.laws.builtin import Product

        return Product(self, other)

    def blocks(self) -> tuple[Block, ...]:
        """The factors of C, as the kernels see them."""
        raise LawError(f"{self._name} does not say which set it is: define blocks().")

    @property
    def _name(self) -> str:
        return type(self).__name__

    @property
    def d(self) -> int:
        """Number of rows of a contact."""
        return len(self.rows)

    @property
    def varies(self) -> bool:
        """Whether a coefficient depends on the speed or the load of the contact."""
        return any(isinstance(value, Coefficient) for block in self.blocks() for value in block.coef)

    def at(self, speed: float = 0.0, load: float = 0.0, radius: float = 0.0) -> Law:
        """The law at a speed [m/s, rad/s], a normal load [N] and an effective radius [m] of the contact: all numbers."""
        for name, value in (("speed", speed), ("load", load), ("radius", radius)):
            checked.finite(LawError, f"{self._name}: {name}", value, least=0.0)
        given = {name: getattr(self, name) for name in units_of(type(self))}
        values = {k: v.at(speed, load, radius) for k, v in given.items() if isinstance(v, Coefficient)}
        return replace(self, **values) if values else self

    @property
    def count(self) -> int | None:
        """Number of contacts that the coefficients are for; None if they are the same for any number."""
        sizes = {np.size(v): f for f in units_of(type(self)) if np.ndim(v := getattr(self, f)) == 1}
        if len(sizes) > 1:
            raise LawError(f"{self._name}: coefficients of different lengths: {sorted(sizes)}; one value per contact.")
        return next(iter(sizes), None)

    @functools.cached_property
    def table(self) -> LawTable:
        """Compiled form: for one contact, or for as many as there are coefficients."""
        return build_table([self], [self.count or 1])

    def __getstate__(self) -> dict[str, Any]:
        return {
            name: value for name, value in vars(self).items() if name not in ("table", "_nearest")
        }  # its addresses stay here

    @property
    def _normal(self) -> int:
        return int("n" in self.rows)

    def _rows(self, values: ArrayLike, name: str, d: int) -> Array:
        """Check the shape of a user's array and make it one that the kernels are compiled for."""
        given = values if isinstance(values, np.ndarray) and values.dtype == np.float64 else self._numbers(name, values)
        array = np.require(given, np.float64, ["C_CONTIGUOUS", "ALIGNED", "WRITEABLE"])
        if array.ndim == 0 or array.shape[-1] != d:
            raise LawError(
                f"{self._name}: {name} has shape {array.shape}; its last axis holds {d} rows "
                f"({', '.join(self.rows[-d:] if d else ())})."
            )
        count = self.count
        if count is not None and array.size != count * d:
            raise LawError(f"{self._name}: {name} has {array.size // d} contacts, the coefficients are for {count}.")
        return array

    def _numbers(self, name: str, values: ArrayLike) -> Array:
        try:
            found = np.asarray(values)
            if found.dtype.kind not in "iuf" and found.size:
                raise TypeError
            return found.astype(float)
        except (TypeError, ValueError):
            raise LawError(f"{self._name}: {name} = {values!r} are not numbers.") from None

    def project(self, p: ArrayLike) -> Array:
        """Euclidean projection of p, shape (n, d) or (d,), onto the cone K; SI units, nothing is scaled."""
        x = self._rows(p, "p", self.d)
        out = np.empty_like(x)
        count = x.size // self.d
        _in_threads(kernels.project_many, count, *self._nearest.table[:4], x.reshape(-1), out.reshape(-1), self.d)
        return out

    def project_section(self, f: ArrayLike, r_n: ArrayLike = 1.0) -> Array:
        """Euclidean projection of f, shape (n, d-1), onto r_n C; r_n of shape (n,), negative counts as 0."""
        return self._nearest._return(f, r_n)

    @property
    def _nearest(self) -> Law:
        """The law with the same set whose loads return to it at the nearest point."""
        return self

    def _check_potential(self, what: str) -> None:
        """Raise LawError where a law has no such function."""

    def _return(self, f: ArrayLike, r_n: ArrayLike) -> Array:
        """Where a load outside of r_n C returns to, as solvers have it."""
        d = self.d - self._normal
        x = self._rows(f, "f", d)
        out = np.empty_like(x)
        given = self._numbers("r_n", r_n)
        if given.shape not in ((), (1,), x.shape[:-1]):
            raise LawError(f"{self._name}: r_n has the shape {given.shape}; give one number, or shape {x.shape[:-1]}.")
        size = np.ascontiguousarray(np.broadcast_to(given, x.shape[:-1] or ())).reshape(-1)
        _in_threads(kernels.section_many, size.size, *self.table[:4], x.reshape(-1), size, out.reshape(-1), d)
        return out

    def support(self, w: ArrayLike) -> Array:
        """sigma(w) = sup over c in C of c . w, for w of shape (n, d-1); returns (n,)."""
        d = self.d - self._normal
        x = self._rows(w, "w", d)
        out = np.empty(x.shape[:-1])
        kernels.support_many(*self.table[:4], x.reshape(-1), out.reshape(-1), d)
        return out if out.ndim else out[()]

    def weights(self) -> Array:
        """Factors on the friction velocities that make the law associated, shape (n or 1, d-1)."""
        table = self.table
        return table.weight.reshape(-1, self.d)[:, self._normal :]

    def correction(self, y: ArrayLike) -> Array:
        """De Saxce's term sigma(-w) [m/s] that turns y into y-hat = y + sigma(-w) e_n; from (n, d) to (n,).

        Acary & Bourrier (2021), eqs. (32)-(33); for a non-associated superellipse hjiaj (45).
        """
        self._check_potential("corrected velocity")
        y = self._rows(y, "y", self.d)
        return self.support(-self._weighted(y[..., self._normal :]))

    def _weighted(self, w: Array) -> Array:
        return (w.reshape(-1, w.shape[-1]) * self.weights()).reshape(w.shape)

    def _size(self, p: Array) -> Array:
        return p[..., 0] if self._normal else np.ones(p.shape[:-1])

    def _pair(self, y: ArrayLike, p: ArrayLike) -> tuple[Array, Array]:
        one, other = self._rows(y, "y", self.d), self._rows(p, "p", self.d)
        if one.shape != other.shape:
            raise LawError(f"{self._name}: y has the shape {one.shape}, p {other.shape}; they must be the same.")
        return one, other

    def dissipation(self, y: ArrayLike, p: ArrayLike) -> Array:
        """Power lost by friction, r_n sigma(-w) [W, or J for impulses], shape (n,).

        Acary & Bourrier (2021), eq. (43): equals -y . p where (y, p) obeys the law.
        """
        y, p = self._pair(y, p)
        return self._size(p) * self.support(-y[..., self._normal :])

    def bipotential(self, y: ArrayLike, p: ArrayLike, tolerance: float = 1e-9) -> Array:
        """b(-y, p) >= -y . p, equal exactly where (y, p) obeys the law; infinite outside u_n >= 0, p in K.

        Acary & Bourrier (2021), eq. (55); hjiaj (62) in corrected form for non-associated laws.  `tolerance`
        is the relative violation of u_n >= 0 and of p in K that still counts as inside.
        """
        _check_tolerance(self._name, tolerance)
        self._check_potential("bipotential")
        y, p = self._pair(y, p)
        w, f = y[..., self._normal :], p[..., self._normal :]
        weighted = self._weighted(w)
        value = self._size(p) * self.support(-weighted) + np.sum((weighted - w) * f, axis=-1)
        outside = np.linalg.norm(p - self.project(p), axis=-1) > tolerance * np.linalg.norm(p, axis=-1)
        if self._normal:
            outside |= y[..., 0] < -tolerance * np.linalg.norm(y, axis=-1)
        return np.where(outside, np.inf, value)

    def mode(self, y: ArrayLike, p: ArrayLike, tolerance: float = 1e-8, reference: ArrayLike | None = None) -> Any:
        """Name of the state of each contact: "take-off", "sticking", "sliding", "sliding+rolling", ...

        A group of rows moves if its load is on the boundary of r_n C and its velocity is not zero, both
        judged with the relative `tolerance`: velocities against the largest of y and of `reference` (n, d),
        for example the free velocities, without which the rounding of contacts that all rest would count
        as motion.
        y, p of shape (n, d) give an array of n names, shape (d,) one name.
        """
        names = mode_names()
        code = self.mode_codes(y, p, tolerance, reference)
        return names[int(code)] if code.ndim == 0 else np.array(names)[code]

    def mode_codes(
        self, y: ArrayLike, p: ArrayLike, tolerance: float = 1e-8, reference: ArrayLike | None = None
    ) -> NDArray[np.uint8]:
        """The same as `mode`, as numbers of `mode_names()`."""
        _check_tolerance(self._name, tolerance)
        y, p = self._pair(y, p)
        flat_y, flat_p = y.reshape(-1, self.d), p.reshape(-1, self.d)
        scale = flat_y
        if reference is not None:
            scale = np.vstack([flat_y, self._rows(reference, "reference", self.d).reshape(-1, self.d)])
        moving = self._moving(flat_y, flat_p, tolerance, scale)
        code = 1 + moving @ (1 << np.arange(len(MOTIONS)))
        if self._normal:
            code[flat_p[:, 0] <= tolerance * np.max(flat_p[:, 0], initial=0.0)] = 0
        return code.astype(np.uint8).reshape(y.shape[:-1])

    def _moving(self, y: Array, p: Array, tolerance: float, scale: Array) -> NDArray[np.bool_]:
        """Which of sliding, spinning, rolling happens, shape (n, 3)."""
        f, size = p[:, self._normal :], self._size(p)
        weighted = self._weighted(y[:, self._normal :])
        blocks = [block for block in self.blocks() if block.kind != kernels.FREE]
        stretched = f * (1.0 + tolerance)
        back = None if all(block.kind == kernels.DISK for block in blocks) else self.project_section(stretched, size)
        moving = np.zeros((len(y), len(MOTIONS)), bool)
        for block in blocks:
            columns = [self.rows.index(r) - self._normal for r in block.rows]
            # where the set is flat no load tells; there the dissipation does, which is all that it can be
            taken = -np.sum(f[:, columns] * weighted[:, columns], axis=1)
            if back is None:
                outside = np.linalg.norm(stretched[:, columns], axis=1) > block.coef[0] * size
                most = block.coef[0] * size * np.linalg.norm(weighted[:, columns], axis=1)
            else:
                outside = np.any(back[:, columns] != stretched[:, columns], axis=1)
                w = np.zeros_like(f)
                w[:, columns] = weighted[:, columns]
                most = size * self.support(-w)
            at_bound = outside | (taken >= (1.0 - tolerance) * most)
            for j, (_, names) in enumerate(MOTIONS):
                own = [self.rows.index(r) for r in block.rows if r in names]
                if own:
                    speed = np.linalg.norm(y[:, own], axis=1)
                    largest = np.max(np.linalg.norm(scale[:, own], axis=1), initial=0.0)
                    moving[:, j] |= at_bound & (speed > tolerance * largest)
        return moving
