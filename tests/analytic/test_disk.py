"""The rolling disk: steady motions solve the smooth equations, and the smooth equations are derived anew here."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from trundle.analytic.disk import DISSIPATIONS, RollingFriction, RollingState, ThinDisk, rolling_state

DISK = ThinDisk(mass=0.3048, radius=0.0375)


def newton_euler(disk, position, axis, omega, duration):
    """Centre, axis and angular velocity after a pure rolling motion, from Newton and Euler with a contact force.

    m v' = f + m g, (I omega)' = r_SC x f, v = -omega x r_SC: f is eliminated numerically, in the world frame.
    """
    m, r = disk.mass, disk.radius
    A, C = 0.25 * m * r * r, 0.5 * m * r * r
    up = np.array([0.0, 0.0, 1.0])

    def rate(_, y):
        a, w = y[3:6] / np.linalg.norm(y[3:6]), y[6:9]
        e = up - (a @ up) * a
        e /= np.linalg.norm(e)
        arm = -r * e  # centre to contact
        v = -np.cross(w, arm)
        da = np.cross(w, a)
        # rate of e, projected and normalised
        de = -(da @ up) * a - (a @ up) * da
        size = np.linalg.norm(up - (a @ up) * a)
        de = (de - e * (e @ de)) / size
        darm = -r * de
        # unknown dw: I dw + dI w = arm x (m dv - m g), dv = -dw x arm - w x darm
        inertia = A * np.eye(3) + (C - A) * np.outer(a, a)
        dinertia = (C - A) * (np.outer(da, a) + np.outer(a, da))
        cross = np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])
        left = inertia - m * cross @ cross
        right = np.cross(arm, m * (-np.cross(w, darm) + disk.gravity * up)) - dinertia @ w
        return np.concatenate([v, da, np.linalg.solve(left, right)])

    start = np.concatenate([position, axis, omega])
    found = solve_ivp(rate, (0.0, duration), start, method="DOP853", rtol=1e-12, atol=1e-13)
    return found.y[:3, -1], found.y[3:6, -1], found.y[6:9, -1]


def le_saux_start():
    """Section 4: upright, rolling, falling a little; angular velocity in the world frame."""
    delta = 0.035
    return np.array([0.0, -1.0, 0.0]), 10.0 * np.array([math.sin(delta), -math.cos(delta), 0.0])


def test_smooth_equations_agree_with_newton_and_euler():
    upright, falling = le_saux_start()
    tilted = np.array([0.3, -0.8, 0.4])
    tilted /= np.linalg.norm(tilted)
    for axis, omega in ((upright, falling), (tilted, np.array([2.0, -5.0, 3.0]))):
        height = DISK.radius * math.sqrt(1.0 - axis[2] ** 2)
        motion = DISK.roll(rolling_state((0.1, 0.2), axis, omega), 1.5)
        x, a, w = newton_euler(DISK, np.array([0.1, 0.2, height]), axis, omega, 1.5)
        assert motion.position(1.5)[0] == pytest.approx(x, abs=1e-9)
        assert np.abs(np.cross(motion.axis(1.5)[0], a)).max() < 1e-9
        assert motion.angular_velocity(1.5)[0] == pytest.approx(w, abs=1e-8)


def test_energy_is_conserved_without_friction():
    motion = DISK.roll(rolling_state((0.0, 0.0), *le_saux_start()), 20.0)
    energy = motion.energy(np.linspace(0.0, 20.0, 50))
    assert np.ptp(energy) < 1e-12 * energy[0]


@pytest.mark.parametrize("beta, share", [(0.3, 0.4), (0.7, 1.1), (1.2, 0.9)])
def test_circular_rolling_is_a_solution(beta, share):
    # rho sin(beta) = share, any share below 6/5
    rho = share / math.sin(beta)
    da, dc = DISK.circular_rolling(beta, rho)
    assert da == pytest.approx(-rho * dc, rel=1e-15)
    assert DISK.accelerations(beta, (da, 0.0, dc)) == pytest.approx([0.0, 0.0, 0.0], abs=1e-10 * da * da)


def test_stationary_rolling_keeps_the_centre_and_its_angular_speed_is_5_15():
    beta = 1.3
    da, dc = DISK.stationary_rolling(beta)
    motion = DISK.roll(RollingState((0.0, 0.0), 0.0, beta, 0.0, (da, 0.0, dc)), 1.0)
    assert np.abs(motion.position([0.3, 1.0])[:, :2]).max() < 1e-12
    assert np.linalg.norm(motion.angular_velocity(0.7)) == pytest.approx(DISK.stationary_angular_speed(beta), rel=1e-12)
    assert float(motion.energy(0.0)[0]) == pytest.approx(DISK.stationary_energy(beta), rel=1e-13)


@pytest.mark.parametrize("beta, rho_share", [(0.4, 0.5), (1.2, 1.0)])
def test_small_oscillations_have_the_frequency_5_22(beta, rho_share):
    da, dc = DISK.circular_rolling(beta, rho_share / math.sin(beta))
    motion = DISK.roll(RollingState((0.0, 0.0), 0.0, beta + 1e-6, 0.0, (da, 0.0, dc)), 4.0)
    times = np.linspace(0.0, 4.0, 40001)
    wave = motion.angles(times)[:, 1]
    wave = wave - wave.mean()
    crossings = times[1:][(wave[:-1] < 0.0) & (wave[1:] >= 0.0)]
    period = (crossings[-1] - crossings[0]) / (len(crossings) - 1)
    assert 2.0 * math.pi / period == pytest.approx(DISK.nutation_frequency(beta, da, dc), rel=1e-3)


def test_nutation_of_stationary_rolling_follows_from_the_general_formula():
    beta = 1.1
    da, dc = DISK.stationary_rolling(beta)
    assert DISK.stationary_nutation_frequency(beta) == pytest.approx(DISK.nutation_frequency(beta, da, dc), rel=1e-12)
    assert np.isnan(DISK.nutation_frequency(0.0, 0.0, 1.0))  # too slow to stay upright


def test_feasibility_is_the_friction_that_circular_rolling_needs():
    beta, rho, mu = 0.5, 0.7, 0.3
    da, _ = DISK.circular_rolling(beta, rho)
    centrifugal = (DISK.radius / rho - DISK.radius * math.sin(beta)) * da**2  # (5.26)
    assert DISK.feasibility(beta, rho, mu) == pytest.approx(centrifugal / (mu * DISK.gravity), rel=1e-13)
    assert DISK.feasibility(beta, 1.0 / math.sin(beta), mu) == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("dissipation", DISSIPATIONS)
def test_decay_solves_its_own_differential_equation(dissipation):
    decay = DISK.decay(dissipation, 1e-3, energy=0.01, patch_radius=2e-3, mu=0.3)
    middle = 0.4 * min(decay.end, 20.0)
    step = 1e-4 * middle
    before, here, after = decay.energy([middle - step, middle, middle + step])
    assert (after - before) / (2.0 * step) == pytest.approx(decay.rate(here), rel=1e-5)
    assert decay.energy(0.0)[0] == pytest.approx(0.01, rel=1e-12)
    if np.isfinite(decay.end):
        assert decay.energy([decay.end * 1.01])[0] == 0.0
        assert decay.energy([decay.end * 0.99])[0] > 0.0


def test_exponents_are_those_of_section_6():
    found = {name: DISK.decay(name, 1e-3, 0.01, patch_radius=2e-3, mu=0.3).exponent for name in DISSIPATIONS}
    assert found["dry-contour"] == found["contensou+contour"] == 3.0
    assert found["viscous-contour"] == 4.0
    assert found["dry-rolling"] == 1.0
    assert np.isinf(DISK.decay("viscous-rolling", 1e-3, 0.01).end)
    assert np.isinf(DISK.decay("contensou", 0.3, 0.01, patch_radius=2e-3).end)


@pytest.mark.parametrize(
    "dissipation, coefficient, friction",
    [
        ("dry-contour", 3e-4, {"contour": 3e-4}),
        ("viscous-contour", 2e-4, {"contour_viscosity": 2e-4}),
        ("dry-rolling", 2e-4, {"rolling": 2e-4}),
        ("viscous-rolling", 2e-5, {"rolling_viscosity": 2e-5}),
        ("contensou", 0.3, {"pivot": 3 * math.pi / 16 * 0.3 * 2e-3}),
    ],
)
def test_rolling_disk_loses_energy_as_its_decay_law_says(dissipation, coefficient, friction):
    # From stationary rolling near the plane; the law neglects cos(beta)^2, so the rate agrees to about that
    beta = 0.5 * math.pi - 0.05
    da, dc = DISK.stationary_rolling(beta)
    motion = DISK.roll(RollingState((0.0, 0.0), 0.0, beta, 0.0, (da, 0.0, dc)), 0.5, RollingFriction(**friction))
    start = float(motion.energy(0.0)[0])
    decay = DISK.decay(dissipation, coefficient, start, patch_radius=2e-3)
    time = min(0.5, 0.5 * decay.end, motion.end if dissipation != "contensou" else 2e-3)  # pivoting soon stops
    lost = start - float(motion.energy(time)[0])
    assert lost == pytest.approx(start - float(decay.energy(time)[0]), rel=1e-2)


def test_flat_disk_and_impossible_motions_are_refused():
    with pytest.raises(ValueError, match="flat"):
        rolling_state((0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 1.0))
    with pytest.raises(ValueError, match="rho"):
        DISK.circular_rolling(1.0, 2.0)
    with pytest.raises(ValueError, match="Known"):
        DISK.decay("magic", 1.0, 1.0)
    with pytest.raises(ValueError, match="patch_radius"):
        DISK.decay("contensou", 1.0, 1.0)
