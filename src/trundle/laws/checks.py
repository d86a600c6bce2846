"""Is it a law?  What every convex section must satisfy, tested by sampling, and said in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.errors import LawError, whole
from trundle.laws.base import Law, units_of
from trundle.laws.custom import sample

Array = NDArray[np.float64]
TOLERANCE = 1e-9  # relative to the size of the input: far above round-off, far below any real mistake


@dataclass(frozen=True)
class CheckResult:
    """Outcome of one test: `worst` is the largest violation, relative to the size of the input."""

    name: str
    passed: bool
    worst: float
    message: str


@dataclass(frozen=True)
class LawReport:
    """Outcome of all tests of a law; true if all passed; `str` tells in words."""

    law: Law
    results: tuple[CheckResult, ...]

    @property
    def passed(self) -> bool:
        """Whether every test passed."""
        return all(result.passed for result in self.results)

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        width = max(len(result.name) for result in self.results)
        lines = [f"{self.law!r}"]
        for result in self.results:
            lines.append(f"  {'ok  ' if result.passed else 'FAIL'}  {result.name:<{width}}  worst {result.worst:.1e}")
            if not result.passed:
                lines.append(f"        {result.message}")
        failed = sum(not result.passed for result in self.results)
        lines.append(
            "It is a law." if not failed else f"It is not a law: {failed} of {len(self.results)} tests failed."
        )
        return "\n".join(lines)


class _Samples:
    """Random loads and velocities, the same for the same seed: of many sizes, and of the size of the set itself."""

    def __init__(self, law: Law, count: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.law, self.count = law, count
        d = law.d - int("n" in law.rows)
        axes = np.eye(d)
        width = np.maximum(law.support(axes), law.support(-axes))
        self.width = np.where(np.isfinite(width) & (width > 0.0), width, 1.0)
        self.r_n = 10.0 ** rng.uniform(-3, 3, count)
        size = 10.0 ** rng.uniform(-3, 3, (count, 1)) * np.ones(d)
        half = count // 2  # rows of different units need samples in their own proportions to meet the boundary
        size[:half] = self.r_n[:half, None] * self.width * 10.0 ** rng.uniform(-0.5, 0.5, (half, 1))
        direction = rng.normal(size=(count, d))
        direction[::4] *= rng.integers(0, 2, (len(direction[::4]), d))  # on axes and planes
        self.f = size * direction
        self.other = size * rng.normal(size=(count, d))
        self.near = self.f + 0.03 * size * rng.normal(size=(count, d))
        self.w = rng.normal(size=(count, d))
        self.w[::4] *= rng.integers(0, 2, (len(self.w[::4]), d))
        self.w[:half] /= self.width
        self.factor = 10.0 ** rng.uniform(-6, 6, count)
        self.p = self.f
        if "n" in law.rows:
            self.p = np.column_stack([rng.normal(size=count) * 10.0 ** rng.uniform(-3, 3, count), self.f])


def check(law: Law | type[Law], samples: int = 2000, seed: int = 0) -> LawReport:
    """Test what every law must satisfy; the report says in words what is wrong.

    law : a law, or a law class, which then gets sample coefficients.
    """
    if isinstance(law, type) and issubclass(law, Law):
        law = sample(law)
    if not isinstance(law, Law):
        raise LawError(f"check: {law!r} is not a law. Make one with @laws.own(rows=...).")
    if law.count is not None:
        raise LawError("check: give the law with one value of each coefficient, not arrays.")
    for name, value, least in (("samples", samples, 1), ("seed", seed, 0)):
        if not whole(value) or not least <= value < 2**31:
            raise LawError(f"check: {name} = {value!r} must be a whole number >= {least}, below 2**31.")
    results: list[CheckResult] = []
    for words, instance in _instances(law):
        given = _Samples(instance, samples, seed)
        with np.errstate(all="ignore"):
            found = [test(given) for test in (_TESTS if "n" in law.rows else _TESTS[:1])]
        results += [replace(result, name=result.name + words) for result in found]
    return LawReport(law, tuple(results))


def _instances(law: Law) -> list[tuple[str, Law]]:
    """The laws to test, with words: where coefficients depend on the speed, that at rest and that of fast motion."""
    if not law.varies:
        return [("", law)]
    return [(", at rest", law.at(0.0, 100.0, 0.1)), (", in fast motion", law.at(10.0, 100.0, 0.1))]


def _norm(x: Array) -> Array:
    return np.linalg.norm(x, axis=-1)


def _judge(name: str, violation: Array, says: Callable[[int], str], tolerance: float = TOLERANCE) -> CheckResult:
    """A result from the violation of every sample, with words about the worst one; NaN is the worst of all."""
    bad = np.where(np.isfinite(violation), violation, np.inf)
    at = int(np.argmax(bad))
    worst = float(bad[at])
    passed = worst <= tolerance
    return CheckResult(name, passed, worst, "" if passed else says(at))


def _shown(x: Any) -> str:
    return np.array2string(np.asarray(x), precision=6, separator=", ")


def _idempotent(s: _Samples) -> CheckResult:
    once = s.law.project_section(s.f, s.r_n)
    twice = s.law.project_section(once, s.r_n)
    scale = _norm(s.f) + s.r_n
    return _judge(
        "projecting twice changes nothing",
        _norm(twice - once) / scale,
        lambda i: (
            f"project_section gives {_shown(once[i])} for f = {_shown(s.f[i])}, r_n = {s.r_n[i]:g}, but projecting "
            f"that again gives {_shown(twice[i])}: its result is not in the set. Look at where it stops clipping."
        ),
    )


def _contains_zero(s: _Samples) -> CheckResult:
    zero = s.law.project_section(np.zeros_like(s.f), s.r_n)
    return _judge(
        "the set contains 0",
        _norm(zero) / s.r_n,
        lambda i: (
            f"the projection of 0 is {_shown(zero[i])} for r_n = {s.r_n[i]:g}: a contact without load along the surface "
            "would be pushed. The set must contain 0."
        ),
    )


def _no_load(s: _Samples) -> CheckResult:
    zero = s.law.project_section(s.f, np.zeros(s.count))
    return _judge(
        "no normal load, no friction",
        _norm(zero) / (_norm(s.f) + 1e-300),
        lambda i: (
            f"with r_n = 0 the projection of {_shown(s.f[i])} is {_shown(zero[i])}, not 0: scale the set with r_n."
        ),
    )


def _non_expansive(s: _Samples) -> CheckResult:
    a = s.law.project_section(s.f, s.r_n)
    violation = np.zeros(s.count)
    for other in (s.other, s.near):
        b = s.law.project_section(other, s.r_n)
        # relative to the distance of the inputs, but not below what rounding does to nearly equal ones
        gap = _norm(s.f - other)
        violation = np.maximum(violation, (_norm(a - b) - gap) / (gap + 1e-6 * (_norm(s.f) + s.r_n)))
    return _judge(
        "distances never grow",
        violation,
        lambda i: (
            f"near f = {_shown(s.f[i])}, r_n = {s.r_n[i]:g}, two loads move apart when projected: the set is not convex, "
            "or project_section does not return its nearest point."
        ),
        tolerance=1e-8,
    )


def _convex(s: _Samples) -> CheckResult:
    a = s.law.project_section(s.f, s.r_n)
    violation, middle, ends = np.zeros(s.count), np.zeros_like(a), np.zeros_like(a)
    for other in (s.other, s.near):
        b = s.law.project_section(other, s.r_n)
        halfway = 0.5 * (a + b)
        # in units of the set's own width, row by row
        off = _norm((s.law.project_section(halfway, s.r_n) - halfway) / s.width) / s.r_n
        worse = off > violation
        violation = np.where(worse, off, violation)
        middle[worse], ends[worse] = halfway[worse], b[worse]
    return _judge(
        "halfway between two points of the set is in the set",
        violation,
        lambda i: (
            f"{_shown(a[i])} and {_shown(ends[i])} are in the set for r_n = {s.r_n[i]:g}, but {_shown(middle[i])} halfway "
            "between them is not: the set is not convex (it has a dent, a hole or a step)."
        ),
        tolerance=1e-7,
    )


def _homogeneous(s: _Samples) -> CheckResult:
    base = s.law.project_section(s.f, s.r_n)
    scaled = s.law.project_section(s.f * s.factor[:, None], s.r_n * s.factor)
    return _judge(
        "scales with the load",
        _norm(scaled / s.factor[:, None] - base) / (_norm(s.f) + s.r_n),
        lambda i: (
            f"f = {_shown(s.f[i])}, r_n = {s.r_n[i]:g} times {s.factor[i]:.3g} is not projected onto the result times "
            f"{s.factor[i]:.3g}: the set must be r_n C, with no sizes of its own."
        ),
    )


def _support_above(s: _Samples) -> CheckResult:
    inside = s.law.project_section(s.f, np.ones(s.count))
    sigma = s.law.support(s.w)
    reach = np.max(_norm(s.law.project_section(1e6 * s.w, np.ones(s.count))), initial=0.0) + 1e-300
    return _judge(
        "support is not below any point of the set",
        (np.sum(inside * s.w, axis=1) - sigma) / (_norm(s.w) * reach + 1e-300),
        lambda i: (
            f"support({_shown(s.w[i])}) = {sigma[i]:.6g}, but the point {_shown(inside[i])} of the set gives "
            f"{float(inside[i] @ s.w[i]):.6g}: support is too small, or project_section leaves the set."
        ),
    )


def _support_attained(s: _Samples) -> CheckResult:
    sigma = s.law.support(s.w)
    far = 1e7
    point = s.law.project_section(far * s.w, np.ones(s.count))
    reach = _norm(point) + 1e-300
    # the projection of far w misses the supremum by at most reach**2 / (2 far |w|)
    slack = reach**2 / (2.0 * far * np.maximum(_norm(s.w), 1e-300))
    moving = _norm(s.w) > 0.0
    missing = np.where(moving, np.abs(sigma - np.sum(point * s.w, axis=1)) - 4.0 * slack, np.abs(sigma))
    return _judge(
        "support is reached by the projection",
        missing / (_norm(s.w) * reach + 1e-300),
        lambda i: (
            f"support({_shown(s.w[i])}) = {sigma[i]:.6g}, but the farthest point that project_section finds in this "
            f"direction, {_shown(point[i])}, gives {float(point[i] @ s.w[i]):.6g}: the two functions describe different sets."
        ),
        tolerance=1e-7,
    )


def _sublinear(s: _Samples) -> CheckResult:
    other = np.roll(s.w, 1, axis=0)
    sigma, second, both = s.law.support(s.w), s.law.support(other), s.law.support(s.w + other)
    scaled = s.law.support(s.w * s.factor[:, None]) / s.factor
    size = np.sum((np.abs(s.w) + np.abs(other)) * s.width, axis=1) + 1e-300
    return _judge(
        "support is convex and scales with the velocity",
        np.maximum(both - sigma - second, np.abs(scaled - sigma)) / size,
        lambda i: (
            f"support({_shown(s.w[i])}) = {sigma[i]:.6g} and support({_shown(other[i])}) = {second[i]:.6g}, but of their "
            f"sum it is {both[i]:.6g}, and of {s.factor[i]:.3g} times the first {scaled[i] * s.factor[i]:.6g}: no convex "
            "set has such a support function."
        ),
    )


def _moreau(s: _Samples) -> CheckResult:
    on_cone = s.law.project(s.p)
    rest = s.p - on_cone
    scale = _norm(s.p) ** 2 + 1e-300
    orthogonal = np.abs(np.sum(on_cone * rest, axis=1)) / scale
    polar = (rest[:, 0] + s.law.support(rest[:, 1:])) / np.sqrt(scale)
    return _judge(
        "Moreau's decomposition on the cone",
        np.maximum(orthogonal, polar),
        lambda i: (
            f"p = {_shown(s.p[i])} is projected onto {_shown(on_cone[i])}; the rest is not orthogonal to it or not in the "
            "polar cone: support and project_section do not belong to the same set."
        ),
        tolerance=1e-8,
    )


def _dissipates(s: _Samples) -> CheckResult:
    f = s.law.project_section(-1e7 * s.w, np.ones(s.count))
    power = np.sum(f * s.w, axis=1)
    reach = _norm(f) + 1e-300
    return _judge(
        "friction never creates energy",
        power / (_norm(s.w) * reach + 1e-300),
        lambda i: (
            f"a contact that moves with w = {_shown(s.w[i])} is loaded with {_shown(f[i])} and gains the power "
            f"{power[i]:.3g}: the load must oppose the motion."
        ),
    )


def _zero_coefficients(s: _Samples) -> CheckResult:
    names = list(units_of(type(s.law)))
    violation, culprit = np.zeros(s.count), ""
    for name in [*names, ", ".join(names)]:
        flat = replace(s.law, **dict.fromkeys(name.split(", "), 0.0)) if names else s.law
        values = np.column_stack([flat.project(s.p), flat.support(s.w)])
        bad = ~np.all(np.isfinite(values), axis=1)
        if bad.any():
            violation, culprit = np.where(bad, np.inf, violation), name
    return _judge(
        "a coefficient of 0 works",
        violation,
        lambda i: (
            f"with {culprit} = 0 the result is not finite at p = {_shown(s.p[i])}: do not divide by coefficients."
        ),
    )


def _extreme_sizes(s: _Samples) -> CheckResult:
    violation = np.zeros(s.count)
    for size in (1e-12, 1e12):
        base, scaled = s.law.project(s.p), s.law.project(s.p * size)
        violation = np.maximum(violation, _norm(scaled / size - base) / (_norm(s.p) + 1e-300))
    return _judge(
        "values of 1e-12 and 1e12 work",
        violation,
        lambda i: f"p = {_shown(s.p[i])} times 1e-12 or 1e12 is projected differently: avoid fixed thresholds.",
    )


_TESTS = (
    _idempotent, _contains_zero, _no_load, _convex, _non_expansive, _homogeneous, _support_above, _support_attained,
    _sublinear, _moreau, _dissipates, _zero_coefficients, _extreme_sizes,
)  # fmt: skip
