"""Derivatives of the section projections against central differences."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from samples import CURVED, DISKS

from trundle import laws
from trundle.laws.kernels.derivatives import section_jacobian


@laws.own(rows=("t1", "t2"))
class Disk:
    """Coulomb's law as a user would write it."""

    mu: laws.Ratio

    def project_section(f, r_n, c, out):
        norm = (f[0] ** 2 + f[1] ** 2) ** 0.5
        factor = 1.0 if norm <= c[0] * r_n else c[0] * r_n / norm
        out[0], out[1] = factor * f[0], factor * f[1]

    def support(w, c):
        return c[0] * (w[0] ** 2 + w[1] ** 2) ** 0.5


LAWS = [case.law for case in (*DISKS, *CURVED)] + [laws.Superellipse(0.3, 0.1, 1), Disk(mu=0.4)]


def jacobians(law, f, r):
    """Derivatives by f (d-1, d-1) and by r_n (d-1,), assembled from the blocks."""
    _, block, coef, own = law.table[:4]
    x = np.concatenate([[r], f])
    work = np.zeros((2, law.d))
    by_f, by_r = np.zeros((law.d - 1, law.d - 1)), np.zeros(law.d - 1)
    for b in range(len(block)):
        first, size = block[b, 1], block[b, 2]
        Jx, Jr = np.zeros((size, size)), np.zeros(size)
        section_jacobian(block, coef, own, b, x, r, Jx, Jr, work)
        rows = slice(first - 1, first - 1 + size)
        by_f[rows, rows], by_r[rows] = Jx, Jr
    return by_f, by_r


def differences(law, f, r, step):
    columns = [
        (law.project_section(f + step * e, r) - law.project_section(f - step * e, r)) / (2 * step)
        for e in np.eye(law.d - 1)
    ]
    by_r = (law.project_section(f, r + step) - law.project_section(f, r - step)) / (2 * step)
    return np.array(columns).T, by_r


def is_smooth(law, f, r, step):
    """Whether differences of two sizes agree: no kink in between, no curvature that they would not see."""
    coarse, fine = differences(law, f, r, step), differences(law, f, r, step / 8)
    return all(np.abs(a - b).max() < 1e-7 for a, b in zip(coarse, fine, strict=True))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: repr(law)[:60])
def test_jacobian_is_the_limit_of_differences(law):
    rng = np.random.default_rng(1)
    checked = 0
    for _ in range(60):
        f = rng.standard_normal(law.d - 1) * 10.0 ** rng.uniform(-1.5, 0.5)
        r = 10.0 ** rng.uniform(-0.5, 0.5)
        step = 3e-6
        if not is_smooth(law, f, r, step):
            continue
        checked += 1
        for computed, expected in zip(jacobians(law, f, r), differences(law, f, r, step), strict=True):
            assert_allclose(computed, expected, atol=3e-7)
    assert checked >= 20


@pytest.mark.parametrize("law", LAWS, ids=lambda law: repr(law)[:60])
def test_jacobian_of_a_projection_is_symmetric_with_eigenvalues_between_0_and_1(law):
    rng = np.random.default_rng(2)
    for _ in range(40):
        f = rng.standard_normal(law.d - 1)
        by_f, by_r = jacobians(law, f, 1.0)
        assert_allclose(by_f, by_f.T, atol=1e-6)
        values = np.linalg.eigvalsh(0.5 * (by_f + by_f.T))
        assert values.min() >= -1e-6
        assert values.max() <= 1.0 + 1e-6
        assert np.isfinite(by_r).all()


@pytest.mark.parametrize("law", LAWS, ids=lambda law: repr(law)[:60])
def test_jacobian_exists_at_the_apex_and_on_the_axes(law):
    for f in (np.zeros(law.d - 1), *np.eye(law.d - 1), *(-3.0 * np.eye(law.d - 1))):
        for r in (0.0, 1.0):
            by_f, by_r = jacobians(law, f, r)
            assert np.isfinite(by_f).all()
            assert np.isfinite(by_r).all()
