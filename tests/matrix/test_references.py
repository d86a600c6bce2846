"""The closed forms of the matrix against quadrature, an integrator and brute force."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
import references
from axes import AXES, G
from covering import all_pairs
from scipy.integrate import solve_ivp


def test_contensou_torque_is_the_moment_of_hertz_pressure():
    mu, a = 0.3, 0.01
    pressure = lambda r: 3 / (2 * mpmath.pi * a**2) * mpmath.sqrt(1 - (r / a) ** 2)  # noqa: E731
    torque = mpmath.quad(lambda r: mu * pressure(r) * r * 2 * mpmath.pi * r, [0, a])
    assert references.contensou_lever(mu, a) == pytest.approx(float(torque), rel=1e-12)


@pytest.mark.parametrize("mu_r", [0.0, 5e-3])
def test_phases_of_a_thrown_body_follow_from_the_forces(mu_r):
    R, k, mu, v0, T = 0.1, 0.4, 0.3, 0.5, 0.25

    def forces(_, y):
        v, w = y
        slip = math.tanh((v - w * R) / 1e-7)  # Coulomb friction with a smooth edge of 1e-7 m/s
        return [-mu * G * slip, G * (mu * R * slip - mu_r * math.tanh(w / 1e-6)) / (k * R * R)]

    found = solve_ivp(forces, (0.0, T), [v0, 0.0], method="Radau", rtol=1e-9, atol=1e-11).y[:, -1]
    v, w = references.thrown(v0, G, R, k, mu, mu_r, np.array([T]))
    assert [v[0], w[0]] == pytest.approx(found, rel=1e-5)


def test_moment_of_a_capsule_is_its_integral():
    R, height = 0.1, 0.2
    radius = lambda z: math.sqrt(R * R - max(abs(z) - height / 2, 0.0) ** 2)  # noqa: E731
    z = np.linspace(-height / 2 - R, height / 2 + R, 200001)
    r = np.array([radius(x) for x in z])
    moment = np.trapezoid(0.5 * np.pi * r**4, z) / np.trapezoid(np.pi * r**2, z)
    assert references.capsule_axis(R, height) == pytest.approx(moment, rel=1e-8)


def test_associated_friction_dissipates_most():
    mu_x, mu_y, q = 0.3, 0.2, 4.0
    t = np.linspace(0.0, 2.0 * np.pi, 400001)
    c, s = np.cos(t), np.sin(t)
    edge = np.stack([mu_x * np.sign(c) * np.abs(c) ** (2 / q), mu_y * np.sign(s) * np.abs(s) ** (2 / q)])
    for angle in (0.1, 0.7, 1.4, 2.5):
        w = np.array([math.cos(angle), math.sin(angle)])
        f = references.superelliptic_friction(w, mu_x, mu_y, q, 1.0)
        assert -f @ w == pytest.approx(np.max(-w @ edge), rel=1e-8)


def test_friction_that_is_not_associated_opposes_sliding_for_an_ellipse_with_k_0():
    w = np.array([0.4, 0.3])
    f = references.superelliptic_friction(w, 0.3, 0.2, 2.0, 0.0)
    assert f[0] * w[1] == pytest.approx(f[1] * w[0], rel=1e-14)
    assert np.sum((f / [0.3, 0.2]) ** 2) == pytest.approx(1.0, rel=1e-14)


def test_the_chosen_rows_hold_every_pair_of_values():
    rows = all_pairs(AXES)
    for i in range(len(AXES)):
        for j in range(i):
            assert {(row[i], row[j]) for row in rows} == {(a, b) for a in AXES[i] for b in AXES[j]}
    assert rows == all_pairs(AXES)
