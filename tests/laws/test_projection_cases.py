"""The cases of the papers, one by one, and a general-purpose solver on a handful of points."""

from __future__ import annotations

import cvxpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from trundle import laws


def rolling_as_printed(p, mu, mu_r):
    """Acary & Bourrier (2021), Proposition 5.2, the five cases in printed order, with <= for <."""
    r_n, r_t, m_r = p[0], np.linalg.norm(p[1:3]), np.linalg.norm(p[3:5])
    if r_t <= mu * r_n and m_r <= mu_r * r_n:
        return 1, p
    if mu * r_t + mu_r * m_r <= -r_n:
        return 2, np.zeros(5)
    both = (r_n + mu * r_t + mu_r * m_r) / (1 + mu**2 + mu_r**2)
    if mu * both <= r_t and mu_r * both <= m_r:
        return 3, np.array([both, *(mu * both * p[1:3] / r_t), *(mu_r * both * p[3:5] / m_r)])  # (68)
    slide = (r_n + mu * r_t) / (1 + mu**2)
    if mu * slide <= r_t and mu_r * slide >= m_r:
        return 4, np.array([slide, *(mu * slide * p[1:3] / r_t), *p[3:5]])  # (69)
    roll = (r_n + mu_r * m_r) / (1 + mu_r**2)
    return 5, np.array([roll, *p[1:3], *(mu_r * roll * p[3:5] / m_r)])  # (70)


def test_rolling_cone_has_the_five_cases_of_proposition_5_2():
    rng = np.random.default_rng(0)
    mu, mu_r = 0.7, 0.3
    p = rng.standard_normal((5000, 5))
    cases, expected = zip(*(rolling_as_printed(x, mu, mu_r) for x in p), strict=True)
    assert set(cases) == {1, 2, 3, 4, 5}
    assert_allclose(laws.Rolling(mu, mu_r).project(p), expected, atol=2e-15)


def test_boundary_between_the_cases_that_strict_inequalities_leave_out():
    # mu = 1, mu_r = 0.5, p = (1, 3, 0, 1, 0): mu_r r_n = |m_r| in (68) and in (69)
    law = laws.Rolling(1.0, 0.5)
    assert_allclose(law.project([1.0, 3.0, 0.0, 1.0, 0.0]), [2.0, 2.0, 0.0, 1.0, 0.0], rtol=1e-15)
    for nudge in (1e-15, -1e-15, 1e-300):
        near = law.project([1.0, 3.0, 0.0, 1.0 + nudge, 0.0])
        assert_allclose(near, [2.0, 2.0, 0.0, 1.0, 0.0], atol=3e-15)


def test_points_of_the_polar_cone_are_not_caught_by_the_later_cases():
    # (68) would give a negative r_n, and (69), (70) friction without load
    law = laws.Rolling(0.5, 0.5)
    for p in ([-3.0, 1.0, 1.0, 1.0, 1.0], [-1.0, 2.0, 0.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0, 2.0]):
        assert not law.project(p).any()


@pytest.mark.parametrize("zero", [[1, 2], [3, 4], [1, 2, 3, 4]])
def test_vanishing_force_or_moment_gives_no_nan(zero):
    p = np.random.default_rng(1).standard_normal((200, 5))
    p[:, zero] = 0.0
    out = laws.Rolling(0.3, 0.1).project(p)
    assert np.isfinite(out).all()
    assert not out[:, zero].any()


def test_a_circle_is_a_superellipse():
    p = np.random.default_rng(2).standard_normal((1000, 3))
    assert_allclose(laws.Superellipse(0.4, 0.4, 2).project(p), laws.Coulomb(0.4).project(p), atol=1e-15)


def test_exponents_that_tend_to_the_rhombus_and_the_rectangle():
    p = np.random.default_rng(3).standard_normal((1000, 3))
    for limit, near in ((1.0, 1.0 + 1e-9), (np.inf, 1e9)):
        expected = laws.Superellipse(0.4, 0.2, limit).project(p)
        assert_allclose(laws.Superellipse(0.4, 0.2, near).project(p), expected, atol=1e-7)


def test_coefficients_of_a_product_do_not_depend_on_the_order_of_its_factors():
    a, b, c = laws.Superellipse(0.3, 0.2, 6), laws.Roll(0.1), laws.Spin(0.05)
    p = np.random.default_rng(4).standard_normal((100, 6))
    assert_allclose((a * b * c).project(p), (c * (b * a)).project(p), rtol=0, atol=0)
    assert (a * b * c).rows == (c * b * a).rows == ("n", "t1", "t2", "s", "r1", "r2")


def test_product_of_disks_is_the_law_of_three_disks():
    p = np.random.default_rng(5).standard_normal((1000, 6))
    product = laws.Coulomb(0.3) * laws.Roll(0.2) * laws.Spin(0.1)
    assert_allclose(product.project(p), laws.SlideRollSpin(0.3, 0.2, 0.1).project(p), rtol=0, atol=0)


def test_infinite_friction_is_refused_but_large_friction_works():
    law = laws.Coulomb(1e12)
    assert_allclose(law.project([1.0, 3.0, 4.0]), [1.0, 3.0, 4.0])
    assert_allclose(law.project([-1.0, 3.0, 4.0]), [5e-12, 3.0, 4.0], rtol=1e-11)


@pytest.mark.parametrize("q", [1, 1.5, 2, 3, 10, np.inf])
def test_cvxpy_finds_the_same_point(q):
    law = laws.Superellipse(0.5, 0.2, q) * laws.Roll(0.3) * laws.Spin(0.1)
    p = cvxpy.Variable(6)
    x = cvxpy.Parameter(6)
    scaled = cvxpy.hstack([p[1] / 0.5, p[2] / 0.2])
    bounds = [cvxpy.pnorm(scaled, q) <= p[0], cvxpy.abs(p[3]) <= 0.1 * p[0], cvxpy.norm(p[4:]) <= 0.3 * p[0]]
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.norm(p - x)), bounds)
    for point in np.random.default_rng(6).standard_normal((6, 6)):
        x.value = point
        problem.solve(solver=cvxpy.CLARABEL, tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12)
        # a distance known to 1e-12 fixes the point to the square root of that
        assert_allclose(law.project(point), p.value, atol=5e-6)


def test_read_only_and_strided_arrays_are_projected_too():
    law = laws.Superellipse(0.3, 0.1, 6)
    p = np.random.default_rng(7).standard_normal((10, 3))
    frozen = p.copy()
    frozen.setflags(write=False)
    assert_allclose(law.project(frozen), law.project(p), rtol=0)
    assert_allclose(law.project(np.asfortranarray(p)), law.project(p), rtol=0)
    assert_allclose(law.project(p.tolist()), law.project(p), rtol=0)
    assert law.project(np.empty((0, 3))).shape == (0, 3)


def test_the_input_is_left_alone():
    for law in (laws.Rolling(0.3, 0.1), laws.Contensou(0.3, 0.1), laws.Superellipse(0.3, 0.1, 1)):
        p = np.random.default_rng(8).standard_normal((50, law.d))
        kept = p.copy()
        law.project(p)
        law.project_section(p[:, 1:], p[:, 0])
        law.support(p[:, 1:])
        assert (p == kept).all()


def test_threads_do_not_change_the_result():
    law = laws.Superellipse(0.3, 0.1, 6)
    p = np.random.default_rng(9).standard_normal((50_001, 3))
    one_by_one = np.vstack([law.project(part) for part in np.array_split(p, 7)])
    assert (law.project(p) == one_by_one).all()
