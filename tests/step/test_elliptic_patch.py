"""The patch of Hertz between bodies of two curvatures, against integrals in many digits."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

import trundle
from trundle import laws
from trundle.step.kernels.patches import ball_of_patch, elliptic_integrals, half_axes_ratio

mpmath.mp.dps = 30


def half_axes(k1, k2, load=1.0, modulus=1.0):
    """a, b [m] from the displacements of an ellipsoidal pressure on a half-space, by their integrals.

    u = 3 N / (4 pi E) int_0^inf (1 - x^2 / (a^2 + s) - y^2 / (b^2 + s)) ds / sqrt((a^2 + s) (b^2 + s) s) inside the patch is
    d - k2 x^2 / 2 - k1 y^2 / 2.
    """

    def bend(p, q):  # what multiplies the square along the half-axis p
        value = mpmath.quad(
            lambda x: 2 / ((p**2 + x**2) * mpmath.sqrt((p**2 + x**2) * (q**2 + x**2))), [0, q, p, 10 * p, mpmath.inf]
        )
        return 3 * load / (4 * mpmath.pi * modulus) * value

    guess = (3 * load / (4 * modulus * mpmath.sqrt(k1 * k2))) ** (mpmath.mpf(1) / 3)
    stretch = (k1 / k2) ** (mpmath.mpf(1) / 3)
    found = mpmath.findroot(
        lambda a, b: (2 * bend(a, b) / k2 - 1, 2 * bend(b, a) / k1 - 1), (guess * stretch, guess / stretch), tol=1e-18
    )
    return found[0], found[1]


@pytest.mark.parametrize("m", [0.0, 1e-9, 0.3, 0.9, 0.999])
def test_elliptic_integrals_have_all_digits(m):
    K, E, less = elliptic_integrals(m)
    exact = mpmath.ellipk(m), mpmath.ellipe(m)
    assert pytest.approx(float(exact[0]), rel=4e-16) == K
    assert pytest.approx(float(exact[1]), rel=4e-15) == E
    assert less == pytest.approx(float(exact[0] - exact[1]), rel=1e-14, abs=1e-300)


@pytest.mark.parametrize(("k1", "k2"), [(10.0, 9.0), (10.0, 4.0), (80.0, 2.0), (3.0, 0.01)])
def test_patch_is_that_of_the_displacements_of_a_half_space(k1, k2):
    a, b = half_axes(mpmath.mpf(k1), mpmath.mpf(k2))
    assert half_axes_ratio(k1 / k2) == pytest.approx(float(b / a), rel=1e-12)
    mean = mpmath.quad(lambda x: mpmath.sqrt((a * mpmath.cos(x)) ** 2 + (b * mpmath.sin(x)) ** 2), [0, mpmath.pi / 2])
    ball = (2 / mpmath.pi * mean) ** 3 / mpmath.mpf("0.75")  # Hertz' radius of a ball is (3 N R / 4 E)^(1/3)
    assert ball_of_patch(k1, k2) == pytest.approx(float(ball), rel=1e-11)


def test_patch_of_nearly_equal_curvatures_is_round():
    assert ball_of_patch(10.0, 10.0) == 0.1
    assert ball_of_patch(10.0 * (1 + 2e-5), 10.0) == pytest.approx(2.0 / (20.0 + 2e-4), rel=1e-9)


@pytest.mark.parametrize("formulation", ["exact", "history"])
def test_ellipsoid_that_spins_on_its_side_slows_down_by_the_torque_of_its_elliptic_patch(formulation):
    # T = mu N 3 pi / 16 times the mean radius of the patch, integrated; the ground is flat
    axes, mass, mu, young, spin, g = (0.2, 0.1, 0.08), 2.0, 0.4, 2e7, 3.0, 9.81
    scene = trundle.Scene(gravity=(0, 0, -g))
    scene.add(
        trundle.Ellipsoid(axes), name="egg", mass=mass, position=(0, 0, axes[2]), angular_velocity=(0, 0, spin), surface="egg",
        locked="x y rx ry" if formulation == "exact" else (),
    )  # fmt: skip
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="ground")
    law = laws.Contensou(mu=mu, patch_radius=laws.HertzPatch(young=(young, math.inf), poisson=0.3))
    scene.surface("egg", "ground", law=law, material=trundle.Hooke(stiffness=1e5, restitution=0.0))
    time = 0.2
    run = trundle.simulate(scene, time, 1e-3 if formulation == "exact" else 2e-5, formulation=formulation)
    a, b = (float(x) for x in half_axes(axes[2] / axes[1] ** 2, axes[2] / axes[0] ** 2, mass * g, young / (1 - 0.09)))
    angles = (np.arange(2000) + 0.5) * math.pi / 4000
    lever = 3 * math.pi / 16 * np.mean(np.hypot(a * np.cos(angles), b * np.sin(angles)))
    inertia = mass * (axes[0] ** 2 + axes[1] ** 2) / 5
    lost = mu * mass * g * lever * time / inertia
    found = spin - run.final.angular_velocity[0, 2]
    assert found == pytest.approx(lost, rel=1e-6 if formulation == "exact" else 2e-2)
