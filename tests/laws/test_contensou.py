"""The friction ball of a Hertzian patch: its closed form against integrals over the patch."""

from __future__ import annotations

import numpy as np
import pytest
from mpmath import cos, diff, ellipe, mp, mpf, pi, quad, sqrt
from numpy.testing import assert_allclose

from trundle import laws
from trundle.laws.kernels.curves import contensou_ball

RATIOS = [1e-6, 0.1, 0.5, 0.9, 0.999999, 1.0, 1.000001, 1.1, 1.7, 2.5, 2.999999, 3.0, 3.000001, 5.0, 30.0, 1e4]


def dissipation(s):
    """Mean of |velocity| over the patch at sliding s and spin 1 about its centre, radius 1, with 25 digits.

    phi(s) = integral of 3/(2 pi) sqrt(1 - r**2) |s e_x + r e_theta| dA; the angle is a complete elliptic integral.
    """

    def ring(r):
        # mean over the angle of sqrt(s**2 + r**2 + 2 s r cos) = 2/pi (s + r) E(4 s r / (s + r)**2)
        return 3 * r * sqrt(1 - r**2) * 2 / pi * (s + r) * ellipe(min(4 * s * r / (s + r) ** 2, mpf(1)))

    return quad(ring, [0, s, (1 + s) / 2, 1] if s < 1 else [0, mpf(1) / 2, 1], maxdegree=9)


@pytest.mark.parametrize("s", RATIOS)
def test_closed_form_is_the_integral_over_the_patch(s):
    with mp.workdps(25):
        exact = dissipation(mpf(s))
        slope = diff(dissipation, mpf(s), h=mpf("1e-8")) if s not in (1.0,) else None
    phi, xi, eta, _ = contensou_ball(s)
    assert_allclose(phi, float(exact), rtol=2e-14 if abs(s - 1) < 1e-3 else 2e-15)  # the integrand is singular at r = s
    if slope is not None:
        # differences of the integral lose a third of the digits, more next to the singularity
        accuracy = 1e-6 if abs(s - 1) < 1e-3 else 1e-10
        assert_allclose(xi, float(slope), rtol=accuracy, atol=accuracy)
        assert_allclose(eta, float(exact - s * slope), rtol=0, atol=accuracy * max(1.0, s))


def test_closed_form_is_the_plain_double_integral():
    """The same without elliptic integrals: polar coordinates, both integrals numerical."""
    with mp.workdps(15):
        s = mpf("2.2")
        exact = quad(
            lambda r, angle: 3 / (2 * pi) * sqrt(1 - r**2) * sqrt(s**2 + r**2 + 2 * s * r * cos(angle)) * r,
            [0, 1],
            [0, pi],
            maxdegree=5,
        )
        assert_allclose(contensou_ball(float(s))[0], float(2 * exact), rtol=1e-10)


@pytest.mark.parametrize("s", RATIOS)
def test_force_and_torque_are_the_integrals_of_the_traction(s):
    """xi, eta: force and torque of a traction of size p(r) against the velocity, at the point that the law projects to."""
    law = laws.Contensou(mu=0.7, patch_radius=0.03)
    w = np.array([s * 0.03, 0.0, 1.0])
    f = law.project_section(1e12 * w, 2.0)
    phi, xi, eta, _ = contensou_ball(s)
    assert_allclose(f, [0.7 * 2.0 * xi, 0.0, 0.7 * 2.0 * 0.03 * eta], rtol=1e-9, atol=1e-13)
    assert_allclose(law.support(w), 0.7 * 0.03 * phi, rtol=1e-15)


def test_limits_of_pure_spinning_and_pure_sliding():
    law = laws.Contensou(mu=0.5, patch_radius=0.02)
    # largest torque 3 pi / 16 mu N eps (a parabolic pressure would give 8/15)
    assert_allclose(law.project_section([0.0, 0.0, 9.0], 1.0), [0.0, 0.0, 3 * np.pi / 16 * 0.5 * 0.02], rtol=1e-15)
    assert_allclose(law.project_section([9.0, 0.0, 0.0], 1.0), [0.5, 0.0, 0.0], rtol=1e-15)
    assert_allclose(law.support([[0.0, 0.0, 2.0], [3.0, 4.0, 0.0]]), [3 * np.pi / 16 * 0.02, 2.5], rtol=1e-15)
    phi, xi, eta, _ = contensou_ball(1e8)
    assert_allclose([phi / 1e8, xi, eta * 1e8], [1.0, 1.0, 0.2], rtol=1e-15)  # torque falls like 1 / (5 s)
    phi, xi, eta, _ = contensou_ball(0.0)
    assert_allclose([phi, xi, eta], [3 * np.pi / 16, 0.0, 3 * np.pi / 16], rtol=1e-15)


@pytest.mark.parametrize("s", [1.0, 3.0])
def test_no_step_where_the_formula_changes(s):
    below, above = contensou_ball(np.nextafter(s, 0.0)), contensou_ball(np.nextafter(s, 9.0))
    assert_allclose(below[:3], above[:3], rtol=0, atol=2e-15)
    assert_allclose(below[3], above[3], rtol=0, atol=2e-14)  # phi'' cancels more


def test_forces_are_the_slopes_of_the_dissipation():
    """xi = phi', eta = phi - s phi', and phi'' > 0: the set is strictly convex."""
    s = 10.0 ** np.linspace(-3, 3, 2000)
    phi, xi, eta, curvature = np.array([contensou_ball(x) for x in s]).T
    h = 1e-5 * (s + 0.1)
    ahead, behind = (np.array([contensou_ball(x) for x in s + step]) for step in (h, -h))
    assert_allclose((ahead[:, 0] - behind[:, 0]) / (2 * h), xi, rtol=1e-8, atol=1e-9)
    assert_allclose((ahead[:, 1] - behind[:, 1]) / (2 * h), curvature, rtol=1e-5, atol=1e-9)
    assert_allclose(phi - s * xi, eta, atol=1e-13 * 1e3)
    assert (curvature > 0.0).all()
    assert (np.diff(xi) > 0.0).all()
    assert (np.diff(eta) < 0.0).all()


def test_truncated_series_is_close_to_the_exact_set():
    """Largest error of (2.31) as printed: 3.4e-3 mu N; its two arcs do not meet."""
    angle = np.linspace(0.0, np.pi / 2, 400)
    w = np.column_stack([np.cos(angle), np.zeros(400), np.sin(angle)])
    exact, series = laws.Contensou(1.0, 1.0), laws.Contensou(1.0, 1.0, series=True)
    difference = np.abs(exact.support(w) - series.support(w)).max()
    assert 1e-3 < difference < 5e-3
    assert_allclose(series.project_section([0.0, 0.0, 9.0], 1.0), [0.0, 0.0, 3 * np.pi / 16], rtol=1e-6)
    assert_allclose(series.project_section([9.0, 0.0, 0.0], 1.0), [1.0, 0.0, 0.0], rtol=1e-6)


def test_a_spinning_patch_is_easy_to_push():
    """The polishing machine of Le Saux et al.: the friction force falls as the brushes turn."""
    law = laws.Contensou(mu=0.5, patch_radius=0.15)
    spin = np.array([0.0, 1.0, 10.0, 100.0])
    w = np.column_stack([np.full(4, 0.1), np.zeros(4), spin])
    force = law.project_section(-1e9 * w, 1.0)[:, 0]
    assert (np.diff(np.abs(force)) < 0.0).all()
    assert abs(force[0]) == pytest.approx(0.5)
    assert abs(force[-1]) < 0.01
