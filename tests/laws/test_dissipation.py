"""Dissipation, De Saxce's correction and the bipotential, for associated and non-associated laws."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from samples import CURVED, DISKS

from trundle import laws

NON_ASSOCIATED = [laws.Superellipse(0.5, 0.2, q, k) for q in (1.5, 2, 6) for k in (0, 2, -1)]
LAWS = [case.law for case in (*DISKS[:5], *CURVED)] + NON_ASSOCIATED
LAWS += [laws.Superellipse(0.5, 0.2, 6, 0) * laws.Roll(0.03) * laws.Spin(0.02), laws.Superellipse(0.3, 0.2, 1)]
every_law = pytest.mark.parametrize("law", LAWS, ids=lambda law: repr(law)[:60])


def pairs_that_obey(law, count, seed):
    """y, p with u_n = 0 and -G w normal to r_n C at f; a quarter of them take off or stick."""
    rng = np.random.default_rng(seed)
    d = law.d
    y = rng.standard_normal((count, d))
    y[:, 0] = 0.0
    r_n = rng.uniform(0.1, 3.0, count)
    f = law.project_section(-1e9 * law._weighted(y[:, 1:]), r_n)
    p = np.column_stack([r_n, f])
    quarter = count // 8
    y[:quarter], p[:quarter, 1:] = 0.0, 0.5 * p[:quarter, 1:]  # sticking
    y[quarter : 2 * quarter, 0] = rng.uniform(0, 1, quarter)  # take-off
    p[quarter : 2 * quarter] = 0.0
    return y, p


def random_admissible(law, count, seed):
    rng = np.random.default_rng(seed)
    y = rng.standard_normal((count, law.d))
    y[:, 0] = np.abs(y[:, 0])
    return y, law.project(rng.standard_normal((count, law.d)))


# The point of C where -w is normal is found as the projection of -1e9 w, which misses it by 1e-9 or less.


@every_law
def test_minus_y_dot_p_is_the_dissipation(law):
    """Acary & Bourrier (2021), eq. (43); for k != 1 hjiaj's D = |f|_qp |w|*_qp."""
    y, p = pairs_that_obey(law, 400, 1)
    assert_allclose(law.dissipation(y, p), -np.sum(y * p, axis=1), rtol=3e-8, atol=1e-13)
    assert (law.dissipation(y, p) >= 0.0).all()


@every_law
def test_corrected_velocity_is_complementary_to_the_impulse(law):
    """K* contains y-hat = (u_n + sigma(-G w), G w), orthogonal to p: eqs. (32)-(33), hjiaj (44)-(45)."""
    y, p = pairs_that_obey(law, 400, 2)
    y_hat = np.column_stack([y[:, 0] + law.correction(y), law._weighted(y[:, 1:])])
    assert (y_hat[:, 0] - law.support(-y_hat[:, 1:]) >= -1e-13).all()
    assert_allclose(np.sum(y_hat * p, axis=1), 0.0, atol=1e-7)


@every_law
def test_bipotential_inequality_holds_for_all_pairs(law):
    """b(-y, p) >= -y . p: Acary & Bourrier (2021), eq. (56); hjiaj (62) in corrected form."""
    y, p = random_admissible(law, 4000, 3)
    assert (law.bipotential(y, p) >= -np.sum(y * p, axis=1) - 1e-13).all()


@every_law
def test_bipotential_is_attained_exactly_where_the_law_holds(law):
    y, p = pairs_that_obey(law, 400, 4)
    assert_allclose(law.bipotential(y, p), -np.sum(y * p, axis=1), rtol=1e-7, atol=1e-7)
    shifted = y.copy()
    shifted[-100:, 1:] *= -1.0  # friction would push: the law does not hold
    gap = law.bipotential(shifted, p) + np.sum(shifted * p, axis=1)
    assert (gap[-100:] > 0.0).mean() > 0.95


def test_bipotential_is_infinite_outside():
    law = laws.Rolling(0.3, 0.1)
    inside = np.array([1.0, 0.1, 0.0, 0.05, 0.0])
    assert np.isinf(law.bipotential([-0.1, 0, 0, 0, 0], inside))  # sinks in
    assert np.isinf(law.bipotential([0.1, 0, 0, 0, 0], inside * [1, 5, 1, 1, 1]))  # too much friction
    assert law.bipotential([0.1, 0, 0, 0, 0], inside) == 0.0


@pytest.mark.parametrize("law", NON_ASSOCIATED, ids=repr)
def test_sliding_load_of_a_non_associated_superellipse(law):
    """Hjiaj et al. (2004), eqs. (25), (26) with the missing exponent 1/(q-1) on the norm.

    |f_i| = r_n mu_i (p_i**q |w_i| / mu_i**(q-1) / |Q**q w|*)**(1/(q-1)), f_i opposes w_i; the scale of p is free.
    """
    rng = np.random.default_rng(5)
    w = rng.standard_normal((200, 2))
    mu = np.array([law.mu_x, law.mu_y])
    p = np.array([1.0, (law.mu_y / law.mu_x) ** law.k])
    Q = (p / mu) ** law.q
    s = law.q / (law.q - 1)
    norm = np.sum((mu * Q * np.abs(w)) ** s, axis=1, keepdims=True) ** (1 / s)
    expected = -np.sign(w) * mu * (mu * Q * np.abs(w) / norm) ** (1 / (law.q - 1))
    assert_allclose(law.project_section(-1e10 * law._weighted(w), 1.0), expected, atol=3e-9)
    # the slip rule (16), (17): -w is along the gradient of the potential |f|_qp
    gradient = np.sign(expected) * np.abs(expected / p) ** (law.q - 1) / p
    across = gradient[:, 0] * w[:, 1] - gradient[:, 1] * w[:, 0]
    assert np.max(np.abs(across) / np.linalg.norm(gradient, axis=1)) < 1e-12
    assert (np.sum(gradient * w, axis=1) < 0.0).all()


def test_direction_of_the_load_against_the_direction_of_sliding():
    """tan(alpha) = (p_y / p_x)**(q/(q-1)) tan(beta)**(1/(q-1)): hjiaj section 3.2 with the ratio the right way up."""
    law = laws.Superellipse(0.5, 0.2, 3, k=2)
    beta = np.linspace(0.1, 1.4, 9)
    f = law.project_section(1e10 * law._weighted(np.column_stack([np.cos(beta), np.sin(beta)])), 1.0)
    ratio = (law.mu_y / law.mu_x) ** law.k
    assert_allclose(f[:, 1] / f[:, 0], ratio ** (3 / 2) * np.tan(beta) ** (1 / 2), rtol=1e-7)


def test_associated_law_has_no_weights():
    for law in (laws.Superellipse(0.5, 0.2, 6), laws.Superellipse(0.4, 0.4, 6, k=3), laws.Coulomb(0.3)):
        assert_allclose(law.weights(), 1.0)


def test_joints_dissipate_nothing_and_bounded_rows_their_limit():
    assert laws.Bilateral(3).dissipation(np.zeros(3), np.ones(3)) == 0.0
    assert_allclose(laws.Bounded(0.4).dissipation([-2.0], [0.4]), 0.8)
    assert_allclose(laws.Bounded(0.4).project([5.0]), [0.4])
    assert_allclose(laws.Bilateral(2).project([5.0, -3.0]), [5.0, -3.0])


def test_correction_is_the_dissipation_per_normal_load():
    law = laws.SlideRollSpin(0.3, 0.02, 0.01)
    y = np.array([0.5, 3.0, 4.0, -2.0, 0.6, 0.8])
    assert_allclose(law.correction(y), 0.3 * 5.0 + 0.02 * 1.0 + 0.01 * 2.0, rtol=1e-15)
