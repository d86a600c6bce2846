"""What contacts with springs tell: deflections S, Theta, Psi, and which part of a load is elastic, which damping."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import trundle
from trundle import Box, HalfSpace, Hertz, Hooke, RecordingError, Scene, Simulation, Sphere, laws, simulate

G, M, R = 9.81, 1.0, 0.1
LAW = laws.SlideRollSpin(mu=0.3, mu_r=0.002, mu_s=0.001)


def ball(material, law=LAW, gravity=(0, 0, -G), **motion):
    scene = Scene(gravity=gravity)
    scene.add(HalfSpace(), name="floor", fixed=True, surface="floor")
    motion.setdefault("position", (0, 0, R))
    scene.add(Sphere(R), name="ball", mass=M, surface="ball", **motion)
    scene.surface("ball", "floor", law=law, material=material)
    return scene


def test_a_sliding_ball_stretches_its_springs_to_the_yield_limit():
    """|S| = mu N / K_E against the motion, |Theta| = mu_r N / K_R, |Psi| = mu_s N / K_psi while all three yield."""
    k_t, k_r, k_s = 2e5, 300.0, 40.0
    material = Hooke(
        stiffness=1e6, restitution=0.0, tangential_stiffness=k_t, rolling_stiffness=k_r, spinning_stiffness=k_s
    )
    scene = ball(material, position=(0, 0, R - M * G / 1e6), velocity=(3, 0, 0), angular_velocity=(0, -20, 30))
    sim = Simulation(scene, time_step=2e-5, formulation="history")
    sim.run(0.02)
    found = sim.contacts()
    N = found.normal_force[0, 2]
    assert pytest.approx(M * G, rel=1e-9) == N
    turned = 2e-5 * 30  # spin in a step: paths of the contact point are followed to first order
    for found_vector, direction, size in (
        (found.sliding_deflection[0], (1, 0, 0), 0.3 * N / k_t),
        (found.rolling_deflection[0], (0, -1, 0), 0.002 * N / k_r),
    ):
        assert np.linalg.norm(found_vector) == pytest.approx(size, rel=1e-9)
        assert found_vector == pytest.approx(size * np.array(direction), abs=turned * size)
    assert found.spinning_deflection[0] == pytest.approx(0.001 * N / k_s, rel=1e-9)
    assert found.elastic_force[0] == pytest.approx(found.force[0], rel=1e-9)
    assert found.elastic_torque[0] == pytest.approx(found.torque[0], rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("shape", [Sphere(R), Box(size=(2 * R, 2 * R, 2 * R))], ids=["sphere", "box"])
def test_loads_of_sticking_contacts_are_minus_stiffness_times_deflection_plus_dashpots(shape):
    """F_t = -K_E S - K_D dS/dt with dS/dt from the deflections of two successive steps; N = k delta - c u_n."""
    k, c, k_t, c_t, h = 1e5, 30.0, 4e4, 12.0, 1e-5
    scene = Scene(gravity=(0.2, 0, -G))
    scene.add(HalfSpace(), name="floor", fixed=True, surface="floor")
    scene.add(shape, name="body", mass=M, surface="body", position=(0, 0, R), velocity=(0.002, 0.001, 0))
    material = Hooke(stiffness=k, damping=c, tangential_stiffness=k_t, tangential_damping=c_t)
    scene.surface("body", "floor", law=laws.Coulomb(mu=5.0), material=material)
    sim = Simulation(scene, time_step=h, formulation="history")
    sim.run(2e-3)
    before = sim.contacts()
    sim.step()
    after = sim.contacts()
    rate = (after.sliding_deflection - before.sliding_deflection) / h
    assert after.elastic_force[:, :2] == pytest.approx(-k_t * after.sliding_deflection[:, :2], rel=1e-12)
    assert after.damping_force[:, :2] == pytest.approx(-c_t * rate[:, :2], rel=1e-6, abs=1e-9)
    assert after.elastic_force[:, 2] == pytest.approx(k * -after.gap, rel=1e-12)
    assert after.damping_force[:, 2] == pytest.approx(-c * after.velocity[:, 0], rel=1e-9)
    assert np.abs(after.damping_force[:, 0]).max() > 1e-4  # there is something to compare


def test_a_hertzian_spring_carries_four_thirds_of_modulus_root_radius_depth():
    """N = 4/3 E* sqrt(R) delta^(3/2) at rest, all of it elastic; E* = E / (1 - nu^2) on a floor of the same material is half."""
    scene = ball(Hertz(young=1e8, poisson=0.3, restitution=0.2))
    run = simulate(scene, 0.2, 1e-5, formulation="history", every=20_000)
    found, modulus = run.contacts(-1), 0.5 * 1e8 / (1 - 0.3**2)
    depth = found.deflection[0, 0]
    assert depth == -found.gap[0]
    assert found.elastic_force[0, 2] == pytest.approx(4 / 3 * modulus * np.sqrt(R) * depth**1.5, rel=1e-12)
    assert found.damping_force[0, 2] == pytest.approx(0.0, abs=1e-6 * M * G)


@pytest.mark.parametrize("rolling", ["pair", "per-body"])
def test_each_body_rolls_by_its_own_angle_where_rolling_is_per_body(rolling):
    """A ball that rolls by phi over a fixed plane turns by phi; the plane does not turn, the ball does."""
    material = Hooke(stiffness=1e6, restitution=0.0, rolling=rolling, rolling_stiffness=1.0, rolling_damping=0.0)
    speed, duration = 0.01, 0.01
    scene = ball(
        material, laws.Rolling(mu=1.0, mu_r=0.05), position=(0, 0, R - M * G / 1e6), velocity=(speed, 0, 0),
        angular_velocity=(0, speed / R, 0),
    )  # fmt: skip
    run = simulate(scene, duration, 1e-5, formulation="history", every=1000)
    found = run.contacts(-1)
    assert found.rolling_deflection[0] == pytest.approx([0, speed * duration / R, 0], rel=1e-2, abs=1e-9)
    assert found.elastic_torque[0] == pytest.approx(-1.0 * found.rolling_deflection[0], rel=1e-9, abs=1e-15)
    assert found.deflection[0, 6:] == pytest.approx([0, 0], abs=1e-9)


def test_recordings_keep_springs_to_the_bit_and_tables_have_them(tmp_path):
    scene = ball(Hooke(stiffness=1e5, restitution=0.5), position=(0, 0, R), velocity=(1, 0.5, -0.1))
    options = {"time_step": 1e-4, "formulation": "history", "every": 50}
    run, recorded = simulate(scene, 0.1, **options), simulate(scene, 0.1, **options, record=tmp_path / "run.h5")
    run.save(tmp_path / "saved.h5")
    for other in (recorded, trundle.open_recording(tmp_path / "saved.h5")):
        for k in range(run.frame_count):
            a, b = run.contacts(k), other.contacts(k)
            assert len(a) == len(b)
            if len(a):
                assert np.array_equal(a.elastic, b.elastic)
                assert np.array_equal(a.deflection, b.deflection)
    table = run.to_pandas("contacts")
    assert {"sx", "sy", "sz", "theta_x", "psi", "fex", "mex"} <= set(table.columns)
    from trundle.record.damage import verify

    assert verify(tmp_path / "run.h5")


def test_rigid_contacts_say_that_they_have_no_springs():
    run = simulate(ball(Hooke(stiffness=1e5)), 0.01, 1e-3)
    assert run.contacts(-1).deflection is None
    with pytest.raises(RecordingError, match="history"):
        _ = run.contacts(-1).sliding_deflection
    assert run.contacts(0).elastic_force.shape == (0, 3)  # no contacts, no question


def creep_ode(mu, q, N, K, direction, way):
    """Load of a spring K dragged along `direction` by `way` inside |f_x / mu_x|^q + |f_y / mu_y|^q <= N^q, from rest.

    Inside df = -K dx; on the boundary the normal part of that is taken off (associated flow), one ODE for the place on it.
    """
    d = np.array(direction) / np.linalg.norm(direction)
    inside = N / np.sum(np.abs(d / mu) ** q) ** (1 / q) / K  # way until it yields
    if way <= inside:
        return -K * way * d

    def place(a):  # on the quarter of the curve that opposes the motion
        return -N * mu * np.sign(d) * np.array([np.cos(a), np.sin(a)]) ** (2 / q)

    def slope(a):
        inner = 2 / q * np.array([np.cos(a), np.sin(a)]) ** (2 / q - 1)
        return -N * mu * np.sign(d) * inner * np.array([-np.sin(a), np.cos(a)])

    first = np.arctan2(*((np.abs(inside * K * d) / (N * mu)) ** (q / 2))[::-1])
    found = solve_ivp(
        lambda s, a: [-K * (d @ slope(a[0])) / (slope(a[0]) @ slope(a[0]))], (inside, way), [first], rtol=1e-11, atol=1e-13
    )  # fmt: skip
    return place(found.y[0, -1])


@pytest.mark.parametrize("ways", [0.5, 1.5, 4.0])
@pytest.mark.parametrize("q", [2.0, 4.0])
def test_a_dragged_superellipse_creeps_to_the_friction_of_its_direction_as_plastic_flow_says(q, ways):
    """A ball on a moving plate: the spring's load against an ODE of elastoplastic flow, first order in the step."""
    mu, N, K, speed = np.array([0.3, 0.15]), 20.0, 1e4, 0.1
    direction, errors = np.array([0.6, 0.8]), []
    duration = ways * mu[0] * N / K / speed
    for steps in (200, 400):
        scene = Scene(gravity=(0, 0, 0))
        scene.add(HalfSpace(), name="floor", fixed=True, surface="floor")
        velocity = (*(speed * direction), 0.0)  # of a body so heavy that it keeps it
        scene.add(Sphere(R), name="ball", mass=1e9, position=(0, 0, R), velocity=velocity, surface="ball")
        material = trundle.GivenForce(force=N, tangential_stiffness=K, tangential_damping=0.0)
        law = laws.Superellipse(*mu, q=q)
        scene.surface("ball", "floor", law=law, material=material, axis=(1, 0, 0), axis_of="floor")
        run = simulate(scene, duration, duration / steps, formulation="history", every=steps)
        found = run.contacts(-1)
        assert found.elastic_force[0, :2] == pytest.approx(-K * found.sliding_deflection[0, :2], rel=1e-12)
        wanted = creep_ode(mu, q, N, K, direction, speed * duration)
        errors.append(np.linalg.norm(found.elastic_force[0, :2] - wanted) / (mu[0] * N))
    assert errors[0] < 2.0 * ways / 200  # one step of the way [mu N / K] is what a return to the set may be late by
    assert errors[1] < 0.6 * errors[0] or errors[1] < 1e-9
