"""The sphere on a plane: closed forms against formulas worked out by hand, and against integration."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from trundle.analytic.sphere import SphereOnPlane

G = 9.81


def names(motion):
    return [phase.name for phase in motion.phases]


def jump(motion):
    """Largest jump of position and velocity between consecutive phases."""
    return max(np.abs(one.at(one.end)[:2] - other.values[:2]).max() for one, other in pairwise(motion.phases))


def smoothed(sphere, velocity, angular_velocity, time, width=1e-6):
    """The same motion with friction directions w / sqrt(w^2 + width^2), integrated: an independent path to the result."""
    R, k = sphere.radius, sphere.inertia
    u, omega = np.asarray(velocity, float), np.asarray(angular_velocity, float)

    def rate(_, y):
        u, omega = y[2:4], y[4:7]
        slip = np.array([u[0] - R * omega[1], u[1] + R * omega[0]])
        f = -sphere.mu * sphere.load * slip / np.sqrt(slip @ slip + width**2)
        torque = np.cross([0.0, 0.0, -R], [*f, 0.0])
        turn = omega[:2]
        torque[:2] -= sphere.mu_r * sphere.load * turn / np.sqrt(turn @ turn + (width / R) ** 2)
        torque[2] -= sphere.mu_s * sphere.load * omega[2] / np.sqrt(omega[2] ** 2 + (width / R) ** 2)
        return np.concatenate([u, sphere.pull + f, torque / (k * R * R)])

    found = solve_ivp(rate, (0.0, time), [0.0, 0.0, *u, *omega], method="LSODA", rtol=1e-10, atol=1e-12)
    return found.y[:2, -1], found.y[2:4, -1], found.y[4:7, -1]


def test_rolling_sphere_stops_where_acary_and_bourrier_say():
    # X = U^2 / (2 g 5 mu_r / (7 R)), section 6.1
    motion = SphereOnPlane(0.5, mu=0.2, mu_r=0.04).launch(2.5, 5.0)
    assert names(motion) == ["rolling", "rest"]
    assert motion.stop_distance == pytest.approx(2.5**2 / (2 * G * 5 * 0.04 / (7 * 0.5)), rel=1e-14)
    assert motion.stop_distance == pytest.approx(5.57467, abs=5e-6)
    assert motion.stop_time == pytest.approx(2 * motion.stop_distance / 2.5, rel=1e-14)


def test_sliding_sphere_rolls_at_five_sevenths_of_its_launch_speed():
    motion = SphereOnPlane(0.3, mu=0.2).launch(2.5)
    assert names(motion) == ["sliding+rolling", "rolling"]
    assert motion.transitions == pytest.approx([2 * 2.5 / (7 * 0.2 * G)], rel=1e-14)
    assert motion.velocity(50.0)[0] == pytest.approx([2.5 * 5 / 7, 0.0], rel=1e-13)
    assert np.isinf(motion.stop_time)


def test_backspin_sphere_comes_back():
    R, mu, U, spin = 0.1, 0.3, 1.0, -60.0
    motion = SphereOnPlane(R, mu=mu).launch(U, spin)
    # slip U - R spin ends after s0 / (7/2 mu g); the rolling speed follows from the angular momentum about the contact
    assert motion.transitions[-1] == pytest.approx((U - R * spin) / (3.5 * mu * G), rel=1e-13)
    assert motion.velocity(motion.transitions[-1])[0, 0] == pytest.approx((U + 0.4 * R * spin) / 1.4, rel=1e-12)
    assert motion.velocity(9.0)[0, 0] < 0.0


def test_sphere_slides_without_rolling_where_the_ground_holds_its_rotation():
    # mu R < mu_r: friction cannot overcome the rolling torque
    motion = SphereOnPlane(0.5, mu=0.02, mu_r=0.04).launch(2.5)
    assert names(motion) == ["sliding", "rest"]
    assert motion.stop_distance == pytest.approx(2.5**2 / (2 * 0.02 * G), rel=1e-14)


def test_rolling_sphere_slides_where_its_torque_needs_more_friction_than_there_is():
    # 5 mu_r / (7 R) > mu: the rotation stops first, then it slides to rest (slip-free start)
    motion = SphereOnPlane(0.5, mu=0.02, mu_r=0.04).launch(2.5, 5.0)
    assert names(motion) == ["sliding+rolling", "sliding", "rest"]
    assert motion.transitions[0] == pytest.approx(5.0 * 0.4 * 0.25 / ((0.04 - 0.02 * 0.5) * G), rel=1e-13)
    assert motion.stop_distance == pytest.approx(2.5**2 / (2 * 0.02 * G), rel=1e-13)


def test_spinning_stops_on_its_own():
    motion = SphereOnPlane(0.5, mu=0.2, mu_r=0.04, mu_s=0.01).launch((2.5, 0.0), (0.0, 5.0, -3.0))
    assert motion.spin_stop_time == pytest.approx(3.0 * 0.4 * 0.25 / (0.01 * G), rel=1e-14)
    assert motion.angular_velocity(0.5 * motion.spin_stop_time)[0, 2] == pytest.approx(-1.5, rel=1e-14)
    assert motion.angular_velocity(10.0)[0] == pytest.approx([0.0, 0.0, 0.0], abs=1e-14)


@pytest.mark.parametrize(
    "mu, mu_r, first",
    [(0.3, 0.03, "rest"), (0.3, 0.01, "rolling"), (0.005, 0.2, "sliding"), (0.005, 0.001, "sliding+rolling")],
)
def test_sphere_released_on_a_slope(mu, mu_r, first):
    # 1-D conditions: rests if tan <= mu and tan <= mu_r / R; a = g (sin - mu_r cos / R) / 1.4 when it rolls
    R, slope = 0.5, 0.05
    sphere = SphereOnPlane(R, mu=mu, mu_r=mu_r, slope=slope)
    motion = sphere.launch(0.0)
    assert names(motion) == [first]
    expected = {
        "rest": 0.0,
        "rolling": G * (np.sin(slope) - mu_r * np.cos(slope) / R) / 1.4,
    }.get(first, G * (np.sin(slope) - mu * np.cos(slope)))
    assert motion.velocity(2.0)[0, 0] == pytest.approx(2.0 * expected, rel=1e-13)


def test_sphere_thrown_uphill_turns_round():
    motion = SphereOnPlane(0.5, mu=0.6, mu_r=0.01, slope=0.2).launch(-3.0, -6.0)
    up = G * (np.sin(0.2) + 0.01 * np.cos(0.2) / 0.5) / 1.4
    down = G * (np.sin(0.2) - 0.01 * np.cos(0.2) / 0.5) / 1.4
    assert names(motion) == ["rolling", "rolling"]
    assert motion.transitions == pytest.approx([3.0 / up], rel=1e-13)
    assert motion.velocity(3.0 / up + 1.0)[0, 0] == pytest.approx(down, rel=1e-12)


@pytest.mark.parametrize("slope", [0.0, 0.05])
@pytest.mark.parametrize("mu, mu_r, mu_s", [(0.2, 0.04, 0.01), (0.4, 0.225, 0.0), (0.3, 0.0, 0.02), (0.02, 0.04, 0.0)])
def test_oblique_launch_agrees_with_smoothed_friction(mu, mu_r, mu_s, slope):
    sphere = SphereOnPlane(0.5, mu, mu_r, mu_s, slope=slope)
    velocity, angular = (1.0, 2.0), (3.0, 1.0, 2.0)
    motion = sphere.launch(velocity, angular)
    assert jump(motion) < 1e-10
    for time in (0.2, 1.1):
        x, u, omega = smoothed(sphere, velocity, angular, time)
        assert motion.position(time)[0] == pytest.approx(x, abs=2e-5)
        assert motion.velocity(time)[0] == pytest.approx(u, abs=2e-5)
        assert motion.angular_velocity(time)[0] == pytest.approx(omega, abs=1e-4)


def test_slip_keeps_its_direction_on_level_ground_without_rolling_friction():
    # Billiard balls: the centre moves on a parabola until it rolls
    motion = SphereOnPlane(0.03, mu=0.2).launch((1.0, 0.3), (20.0, -10.0, 5.0))
    slip = np.array([1.0 + 0.03 * 10.0, 0.3 + 0.03 * 20.0])
    t = 0.5 * motion.transitions[0]
    expected = np.array([1.0, 0.3]) - 0.2 * G * t * slip / np.linalg.norm(slip)
    assert motion.phases[0].acceleration is not None
    assert motion.velocity(t)[0] == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("bad", [{"radius": 0.0}, {"mu": -0.1}, {"slope": 2.0}, {"inertia": 0.0}])
def test_impossible_spheres_are_refused(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        SphereOnPlane(**({"radius": 0.5, "mu": 0.2} | bad))
