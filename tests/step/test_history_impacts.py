"""Collisions of the DEM verification literature: normal and oblique impacts against closed forms.

Cases after Chung & Ooi (2011), "Benchmark tests for verifying discrete element modelling codes": (1) elastic normal impact of two
spheres, (2) of a sphere and a wall, (3) restitution, (4) oblique impact on a wall at a constant speed and many angles, (5) with
constant normal speed and tangential speed, (6) with initial spin, (7) two spheres, one of which spins.
"""

import numpy as np
import pytest

from trundle import HalfSpace, Hertz, Hooke, Scene, Sphere, laws, simulate
from trundle.scene.model import build_model
from trundle.step.history import History

LAW_FREE = laws.Coulomb(mu=0.0)


def wall(material, law, velocity, *, radius=0.1, mass=1.0, omega=(0.0, 0.0, 0.0), restitution=0.0):
    """A sphere about to hit the plane z = 0, without gravity."""
    scene = Scene(gravity=(0, 0, 0))
    scene.add(HalfSpace(normal=(0, 0, 1)), name="wall", fixed=True, surface="wall")
    scene.add(
        Sphere(radius=radius), name="ball", mass=mass, position=(0, 0, radius), velocity=velocity, angular_velocity=omega,
        surface="ball",
    )  # fmt: skip
    scene.surface("wall", "ball", law=law, material=material, restitution=restitution)
    return scene


def impact(scene, h):
    """Step until the bodies have separated; largest normal force [N], depth [m], time of contact [s], final state."""
    model, state = build_model(scene)
    stepper = History(model)
    force, depth, duration = 0.0, 0.0, 0.0
    for _ in range(5000):
        report = stepper.step(state, h)
        if len(report.contacts):
            force = max(force, report.impulse[0, 0] / h)
            depth = max(depth, -report.contacts.gap[0])
            duration += h
        elif duration > 0.0:
            break
    return force, depth, duration, state


def after(scene, h, duration):
    """State after a duration [s], many steps at once."""
    model, state = build_model(scene)
    History(model).advance_all(state, h, round(duration / h))
    return state


def test_elastic_hertz_impact_on_a_wall_has_the_force_depth_and_time_of_the_closed_form():
    """F = k d^(3/2), d = (5 m v^2 / (4 k))^(2/5), T = 2.9432 d / v; k = 4/3 E sqrt(R)."""
    young, m, v = 1e7, 1.0, 0.5
    k = 4 / 3 * young / (1 - 0.3**2) * np.sqrt(0.1)
    material = Hertz(young=(young, np.inf), poisson=0.3, restitution=1.0)
    force, depth, duration, state = impact(wall(material, LAW_FREE, (0, 0, -v)), 1e-5)
    expected = (5 * m * v**2 / (4 * k)) ** 0.4
    assert depth == pytest.approx(expected, rel=1e-4)
    assert force == pytest.approx(k * expected**1.5, rel=1e-4)
    assert duration == pytest.approx(2.9432 * expected / v, rel=2e-3)
    assert state.velocity[1, 2] == pytest.approx(v, rel=1e-4)


def test_elastic_impact_of_two_equal_spheres_swaps_their_velocities():
    scene = Scene(gravity=(0, 0, 0))
    scene.add(Sphere(radius=0.01), mass=0.01, position=(-0.01, 0, 0), velocity=(0.2, 0, 0), surface="s")
    scene.add(Sphere(radius=0.01), mass=0.01, position=(0.01, 0, 0), surface="s")
    scene.surface("s", "s", law=LAW_FREE, material=Hertz(young=1e7, restitution=1.0))
    _, depth, duration, state = impact(scene, 2e-6)
    k, m = 4 / 3 * (0.5 * 1e7 / (1 - 0.3**2)) * np.sqrt(0.005), 0.005
    expected = (5 * m * 0.2**2 / (4 * k)) ** 0.4
    assert depth == pytest.approx(expected, rel=1e-3)
    assert duration == pytest.approx(2.9432 * expected / 0.2, rel=3e-3)
    assert state.velocity[:, 0] == pytest.approx([0.0, 0.2], abs=2e-5)


@pytest.mark.parametrize("e", [1.0, 0.8, 0.5, 0.2, 0.05])
@pytest.mark.parametrize("kind", ["hooke", "hertz"])
@pytest.mark.parametrize("speed", [0.1, 1.0])
def test_restitution_is_the_one_asked_for_at_every_speed(e, kind, speed):
    material = Hooke(stiffness=1e5, restitution=e) if kind == "hooke" else Hertz(young=1e7, restitution=e)
    state = after(wall(material, LAW_FREE, (0, 0, -speed)), 2e-6, 0.1)
    assert state.velocity[1, 2] == pytest.approx(e * speed, rel=2e-3, abs=1e-3 * speed)


def test_restitution_zero_leaves_the_bodies_together():
    model, state = build_model(wall(Hooke(stiffness=1e5, restitution=0.0), LAW_FREE, (0, 0, -1.0)))
    stepper = History(model)
    stepper.advance_all(state, 1e-5, 10_000)
    assert abs(state.velocity[1, 2]) < 1e-9


@pytest.mark.parametrize("e", [1.0, 0.6])
@pytest.mark.parametrize("degrees", [40.0, 55.0, 75.0])
def test_oblique_impact_in_gross_sliding_rebounds_as_rigid_bodies_do(e, degrees):
    """tan(theta) > 7/2 mu (1 + e): v_t' = v_t - mu (1 + e) v_n, omega' = 5/2 mu (1 + e) v_n / R."""
    mu, angle, radius = 0.1, np.radians(degrees), 0.1
    assert np.tan(angle) > 3.5 * mu * (1 + e)
    vt, vn = np.sin(angle), np.cos(angle)
    material = Hertz(young=1e8, restitution=e)
    state = after(wall(material, laws.Coulomb(mu=mu), (vt, 0, -vn)), 1e-6, 0.02)
    assert state.velocity[1, 2] == pytest.approx(e * vn, rel=3e-3)
    # the arm is shorter than R by half the depth
    assert state.velocity[1, 0] == pytest.approx(vt - mu * (1 + e) * vn, rel=3e-3)
    assert state.angular_velocity[1, 1] == pytest.approx(2.5 * mu * (1 + e) * vn / radius, rel=6e-3)
    rebound = np.arctan2(state.velocity[1, 0] - radius * state.angular_velocity[1, 1], state.velocity[1, 2])
    assert rebound == pytest.approx(np.arctan2(vt - 3.5 * mu * (1 + e) * vn, e * vn), abs=0.01)


def test_spinning_sphere_that_falls_straight_is_kicked_aside():
    """Sliding throughout: v_t' = mu (1 + e) v_n towards the side to which the contact point is driven."""
    mu, e, vn, radius = 0.2, 0.7, 1.0, 0.1
    scene = wall(Hooke(stiffness=1e6, restitution=e), laws.Coulomb(mu=mu), (0, 0, -vn), omega=(0, 60.0, 0))
    state = after(scene, 1e-6, 0.02)
    assert state.velocity[1, 0] == pytest.approx(mu * (1 + e) * vn, rel=2e-3)
    assert state.angular_velocity[1, 1] == pytest.approx(60.0 - 2.5 * mu * (1 + e) * vn / radius, rel=2e-3)


def test_grinding_spheres_exchange_spin_and_momentum():
    """Two equal spheres, the first spins about y: sliding gives both the same change of spin, and opposite kicks."""
    mu, e, v, radius, m = 0.3, 1.0, 0.5, 0.05, 0.2
    scene = Scene(gravity=(0, 0, 0))
    scene.add(
        Sphere(radius=radius),
        mass=m,
        position=(-radius, 0, 0),
        velocity=(v, 0, 0),
        angular_velocity=(0, 80.0, 0),
        surface="s",
    )
    scene.add(Sphere(radius=radius), mass=m, position=(radius, 0, 0), velocity=(-v, 0, 0), surface="s")
    scene.surface("s", "s", law=laws.Coulomb(mu=mu), material=Hooke(stiffness=1e6, restitution=e))
    state = after(scene, 1e-6, 0.02)
    kick = mu * (1 + e) * v
    assert state.velocity[:, 2] == pytest.approx([kick, -kick], rel=3e-3)
    turn = 2.5 * kick / radius
    assert state.angular_velocity[:, 1] == pytest.approx([80.0 - turn, -turn], rel=5e-3)


def test_sticking_impact_returns_tangential_energy_of_its_spring():
    """K_E = 2/7 k: normal and sliding oscillators have the same period, so an elastic impact that sticks reverses the slip:
    u_t' = -u_t (Walton's limit of restitution beta = 1)."""
    v = np.array([0.05, 0.0, -1.0])
    material = Hooke(stiffness=1e6, restitution=1.0, tangential_damping=0.0)
    state = after(wall(material, laws.Coulomb(mu=5.0), tuple(v)), 5e-7, 0.02)
    slip = state.velocity[1, 0] - 0.1 * state.angular_velocity[1, 1]
    assert slip == pytest.approx(-0.05, rel=1e-2)


def test_impact_through_simulate_beside_the_exact_formulation():
    """The same scene, two formulations: rebound of rigid bodies in gross sliding."""
    material, law = Hooke(stiffness=1e6, restitution=0.5), laws.Coulomb(mu=0.1)
    ends = []
    for formulation, h in (("history", 1e-5), ("exact", 1e-3)):
        scene = wall(material, law, (2.0, 0, -1.0), restitution=0.5)
        run = simulate(scene, 0.01, h, formulation=formulation)
        ends.append((run.velocity("ball")[-1], run.angular_velocity("ball")[-1]))
    assert ends[0][0] == pytest.approx(ends[1][0], abs=5e-3)
    assert ends[0][1] == pytest.approx(ends[1][1], abs=5e-2)
