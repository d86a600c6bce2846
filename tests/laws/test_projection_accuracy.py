"""Projections against references that share no code with them: 40-digit arithmetic, and rigorous error bounds."""

from __future__ import annotations

import high_precision
import numpy as np
import pytest
from certificate import error_bound, needs_extended_precision, rhombic_projection
from mpmath import mp, mpf
from samples import CURVED, DISKS, Case, edge_points, random_points

from trundle import laws

CLOSED_FORM = 2e-15  # some roundings, relative to the largest component
CURVE = 1e-14  # the root of an equation, found to some roundings of its terms


def relative(bound: np.ndarray, x: np.ndarray) -> np.ndarray:
    largest = np.abs(x).max(axis=1)
    return np.where(largest > 0.0, bound / np.where(largest > 0.0, largest, 1.0), bound)


def worst(case: Case, x: np.ndarray) -> tuple[float, np.ndarray]:
    error = relative(error_bound(x, case.law.project(x), case.disks, case.curve), x)
    at = int(np.argmax(error))
    return float(error[at]), x[at]


@needs_extended_precision
@pytest.mark.parametrize("case", DISKS, ids=str)
def test_closed_forms_are_exact_at_a_hundred_thousand_points(case):
    error, where = worst(case, random_points(case.law, 100_000))
    assert error <= CLOSED_FORM, where


@needs_extended_precision
@pytest.mark.parametrize("case", CURVED, ids=str)
def test_curved_laws_are_exact_at_a_hundred_thousand_points(case):
    error, where = worst(case, random_points(case.law, 100_000))
    assert error <= CURVE, where


@needs_extended_precision
@pytest.mark.parametrize("case", [*DISKS, *CURVED], ids=str)
def test_apex_faces_edges_and_polar_cone_are_exact(case):
    error, where = worst(case, edge_points(case.law))
    assert error <= CURVE, where


@needs_extended_precision
@pytest.mark.parametrize(("mu_x", "mu_y"), [(0.3, 0.1), (1.0, 1.0), (0.01, 2.0)])
def test_rhombus_is_exact_at_a_hundred_thousand_points(mu_x, mu_y):
    law = laws.Superellipse(mu_x, mu_y, 1)
    x = np.vstack([random_points(law, 100_000), edge_points(law)])
    error = relative(np.abs(law.project(x) - rhombic_projection(x, mu_x, mu_y)).max(axis=1), x)
    assert error.max() <= CLOSED_FORM, x[np.argmax(error)]


def forty_digit_curve(case: Case):
    if case.curve is None:
        return None
    kind, first, second, coefficients = case.curve
    with mp.workdps(high_precision.DIGITS):
        return getattr(high_precision, kind)(*(mpf(value) for value in coefficients)), first, second


@pytest.mark.parametrize("case", [*DISKS[:5], *CURVED], ids=str)
def test_forty_digit_arithmetic_gives_the_same(case):
    rng = np.random.default_rng(5)
    count = 60 if case.disks and case.curve else 200 if case.curve is None else 120
    x = rng.standard_normal((count, case.law.d)) * rng.choice([1.0, 1e-2, 1e2, 1e-12, 1e12], (count, 1))
    x[: count // 4, 1:] *= 10.0 ** rng.uniform(-4, 1, (count // 4, case.law.d - 1))
    out = case.law.project(x)
    curve = forty_digit_curve(case)
    for point, result in zip(x, out, strict=True):
        exact = high_precision.project(point, case.disks, curve)
        error = max(abs(mpf(float(value)) - reference) for value, reference in zip(result, exact, strict=True))
        assert error <= CURVE * np.abs(point).max(), point


@pytest.mark.parametrize("case", [*DISKS[:5], *CURVED], ids=str)
def test_section_is_the_slice_of_the_cone(case):
    """f = proj_{r C}(x) exactly if (r, f) is the projection onto K of (r - sigma(x - f), x)."""
    rng = np.random.default_rng(6)
    d = case.law.d
    x = rng.standard_normal((20_000, d - 1)) * 10.0 ** rng.uniform(-2, 2, (20_000, 1))
    r = 10.0 ** rng.uniform(-2, 2, 20_000)
    f = case.law.project_section(x, r)
    p = np.column_stack([r - case.law.support(x - f), x])
    expected = np.column_stack([r, f])
    scale = np.abs(np.column_stack([r, x])).max(axis=1)
    assert np.max(np.abs(case.law.project(p) - expected).max(axis=1) / scale) <= 1e-13


@pytest.mark.parametrize("case", [*DISKS[:5], *CURVED], ids=str)
def test_negative_normal_load_leaves_no_friction(case):
    f = np.random.default_rng(1).standard_normal((100, case.law.d - 1))
    assert not case.law.project_section(f, -np.ones(100)).any()
    assert not case.law.project_section(f, np.zeros(100)).any()


@pytest.mark.parametrize("case", CURVED, ids=str)
def test_section_is_exact_against_forty_digits(case):
    """Through the cone: the pair (r, f) of a section is the projection of (r - sigma, x), see above."""
    rng = np.random.default_rng(8)
    x = rng.standard_normal((40, case.law.d - 1))
    f = case.law.project_section(x, np.full(40, 0.4))
    curve = forty_digit_curve(case)
    for point, result in zip(x, f, strict=True):
        with mp.workdps(high_precision.DIGITS):
            rest = [mpf(float(a)) - mpf(float(b)) for a, b in zip(point, result, strict=True)]
            lift = sum(mpf(mu) * mp.sqrt(sum(rest[i - 1] ** 2 for i in columns)) for columns, mu in case.disks)
            at, first, second = curve
            lift += high_precision.support(at, *(mp.sqrt(sum(rest[i - 1] ** 2 for i in c)) for c in (first, second)))
            exact = high_precision.project([float(mpf("0.4") - lift), *point], case.disks, curve)
        assert max(abs(float(e) - v) for e, v in zip(exact[1:], result, strict=True)) <= 1e-13
