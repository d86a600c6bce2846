"""History friction (Fang & Negrut 2020): loads, modes, rest, objectivity, energy, memory."""

import numpy as np
import pytest

from trundle import GivenForce, HalfSpace, Hertz, Hooke, Scene, SceneError, Sphere, laws
from trundle.scene.model import build_model
from trundle.step.history import History
from trundle.step.history_table import damping_ratio, restitution_of
from trundle.step.kernels import history_friction, history_paths
from trundle.step.report import LEDGER

G = 9.8
STIFF = 1e30  # moment of inertia of a body that cannot turn [kg m^2]


def on_incline(
    angle, material, law, *, mass=1.0, radius=0.2, velocity=(0.0, 0.0, 0.0), omega=(0.0, 0.0, 0.0), turns=True
):
    """A sphere on a plane; gravity is tilted by the angle [rad], downhill is +x."""
    scene = Scene(gravity=(G * np.sin(angle), 0.0, -G * np.cos(angle)))
    scene.add(HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True, surface="ground")
    scene.add(
        Sphere(radius=radius), name="body", mass=mass, position=(0, 0, radius), velocity=velocity,
        angular_velocity=omega, surface="body", inertia=None if turns else (STIFF,) * 3,
    )  # fmt: skip
    scene.surface("ground", "body", law=law, material=material)
    model, state = build_model(scene)
    return History(model), state


def brick(angle, damping):
    """The brick of section 4.1: N = m g cos(alpha) is given, table 2."""
    material = GivenForce(
        force=G * np.cos(angle), tangential_stiffness=1e5, tangential_damping=damping, static=1.25, cap_damping=False
    )
    return on_incline(angle, material, laws.Coulomb(mu=0.2), turns=False)


def test_damped_brick_sticks_with_the_friction_of_its_weight():
    stepper, state = brick(0.18, None)  # 2 sqrt(m K_E) = 632
    stepper.advance_all(state, 1e-4, 5000)
    friction = -stepper.step(state, 1e-4).impulse[0, 1:3] / 1e-4
    assert np.hypot(*friction) == pytest.approx(G * np.sin(0.18), rel=1e-12)  # 1.75 N
    assert abs(state.velocity[1, 0]) < 1e-15
    # E_f / K_E, the micro-deflection, below mu_s N / K_E = 2.41e-5 m
    assert state.position[1, 0] == pytest.approx(G * np.sin(0.18) / 1e5, rel=1e-3)


def test_undamped_brick_oscillates_about_the_friction_of_its_weight():
    stepper, state = brick(0.18, 0.0)
    stepper.advance_all(state, 1e-4, 5000)
    forces = [-stepper.step(state, 1e-4).impulse[0, 1] / 1e-4 for _ in range(1000)]
    assert np.mean(forces) == pytest.approx(G * np.sin(0.18), rel=0.02)
    assert np.max(forces) == pytest.approx(0.2 * G * np.cos(0.18), rel=1e-3)  # as far as slip left it


def test_brick_beyond_the_static_angle_slips_with_kinetic_friction():
    stepper, state = brick(0.25, None)
    stepper.advance_all(state, 1e-4, 2000)
    before = state.velocity[1, 0]
    stepper.advance_all(state, 1e-4, 5000)
    report = stepper.step(state, 1e-4)
    assert np.hypot(*report.impulse[0, 1:3]) / 1e-4 == pytest.approx(0.2 * G * np.cos(0.25), rel=1e-12)
    assert 0.2 * G * np.cos(0.25) == pytest.approx(1.899, abs=5e-4)
    acceleration = (state.velocity[1, 0] - before) / 0.5001
    assert acceleration == pytest.approx(G * np.sin(0.25) - 0.2 * G * np.cos(0.25), rel=1e-10)  # 0.525 m/s^2


@pytest.mark.parametrize("angle", [np.arctan(0.2), np.arctan(0.25) - 1e-3])
def test_brick_up_to_the_static_angle_sticks(angle):
    stepper, state = brick(angle, None)
    stepper.advance_all(state, 1e-4, 5000)
    assert abs(state.velocity[1, 0]) < 1e-13


def roller(rolling, **more):
    material = GivenForce(
        force=5 * G, tangential_stiffness=1e5, static=1.25, rolling=rolling, rolling_resistance=0.4, **more
    )
    return on_incline(0.0, material, laws.Coulomb(mu=0.2), mass=5.0, velocity=(0.5, 0, 0))


def test_rolling_body_comes_to_rest_to_machine_precision():
    stepper, state = roller("per-body")
    stepper.advance_all(state, 1e-4, 10_000)
    assert np.abs(state.velocity).max() < 1e-15
    assert np.abs(state.angular_velocity).max() < 1e-14
    report = stepper.step(state, 1e-4)
    assert np.abs(report.impulse[0, 1:]).max() < 1e-15


def test_constant_torque_chatters_where_history_rests():
    stepper, state = roller("legacy")
    stepper.advance_all(state, 1e-4, 10_000)
    torques = [stepper.step(state, 1e-4).impulse[0, 5] / 1e-4 for _ in range(20)]
    full = 2 * 0.4 * 0.2 * 0.2 * 5 * G  # 2 eta_r R mu_k N
    assert np.max(np.abs(torques)) == pytest.approx(full, rel=1e-9)
    assert np.min(torques) < 0.0 < np.max(torques)
    assert np.abs(state.angular_velocity[1]).max() > 1e-5


@pytest.mark.parametrize("rolling", ["pair", "per-body", "spring", "C"])
def test_rolling_models_with_memory_stop_alike(rolling):
    """Slip-free rolling slows down by (T / R) / (m + I / R^2) with T = 2 eta_r R mu_k N."""
    stepper, state = roller(rolling)
    state.angular_velocity[1, 1] = 2.5
    speeds = []
    for _ in range(5):
        stepper.advance_all(state, 1e-4, 200)
        speeds.append(state.velocity[1, 0])
    torque = 2 * 0.4 * 0.2 * 0.2 * 5 * G
    assert np.diff(speeds)[1:] / 0.02 == pytest.approx(-torque / 0.2 / (5 * 1.4), rel=2e-2)


def test_viscous_rolling_decays_exponentially():
    stepper, state = roller("B", rolling_speed=0.5)
    state.angular_velocity[1, 1] = 2.5
    stepper.advance_all(state, 1e-4, 1000)
    first = state.velocity[1, 0]
    stepper.advance_all(state, 1e-4, 1000)
    rate = 2 * 0.4 * 0.2 * 0.2 * 5 * G / 0.2 / (5 * 1.4) / 0.5
    assert np.log(first / state.velocity[1, 0]) / 0.1 == pytest.approx(rate, rel=1e-2)


def test_spinning_sphere_slows_down_with_the_torque_of_the_paper():
    """Section 4.4: T = mu_k N eta_psi R = 0.0118 N m."""
    material = GivenForce(
        force=5 * G, tangential_stiffness=1e5, static=1.25, spinning_resistance=0.006, spinning_curvature=5.0
    )
    stepper, state = on_incline(0.0, material, laws.Coulomb(mu=0.2), mass=5.0, omega=(0, 0, 1.0))
    stepper.advance_all(state, 1e-4, 1000)
    before = state.angular_velocity[1, 2]
    stepper.advance_all(state, 1e-4, 10_000)
    slowed = (state.angular_velocity[1, 2] - before) / 1.0
    assert slowed == pytest.approx(-0.2 * 5 * G * 0.006 * 0.2 / (0.4 * 5 * 0.04), rel=1e-9)
    stepper.advance_all(state, 1e-4, 90_000)
    assert abs(state.angular_velocity[1, 2]) < 1e-13


def two_spheres(material, law, *, turn=None):
    """Two spheres that collide obliquely in flight, each with a spin; the whole scene turned by a rotation matrix."""
    turn = np.eye(3) if turn is None else turn
    scene = Scene(gravity=(0, 0, 0))
    for i, (x, v, w) in enumerate(
        [((0, 0, 0), (1.0, 0.2, 0.1), (3.0, -2.0, 8.0)), ((0.25, 0.05, 0.02), (-0.5, 0.1, -0.3), (-4.0, 5.0, 1.0))]
    ):
        scene.add(
            Sphere(radius=0.1 + 0.02 * i), mass=1.0 + i, position=turn @ x, velocity=turn @ v,
            angular_velocity=turn @ w, surface="s",
        )  # fmt: skip
    scene.surface("s", "s", law=law, material=material)
    model, state = build_model(scene)
    return History(model), state


def rotation():
    return np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0] * np.array([1.0, 1.0, 1.0])


@pytest.mark.parametrize("rolling", ["pair", "per-body"])
def test_loads_turn_with_the_whole_scene(rolling):
    material = Hertz(young=1e7, restitution=0.6, static=1.2, rolling=rolling)
    law = laws.SlideRollSpin(mu=0.3, mu_r=0.01, mu_s=0.01)
    turn = rotation()
    turn *= np.sign(np.linalg.det(turn))
    ends = []
    for R in (np.eye(3), turn):
        stepper, state = two_spheres(material, law, turn=R)
        stepper.advance_all(state, 2e-5, 10_000)
        ends.append((state.velocity @ R, state.angular_velocity @ R))
    assert ends[0][0] == pytest.approx(ends[1][0], abs=1e-11)
    assert ends[0][1] == pytest.approx(ends[1][1], abs=1e-9)


@pytest.mark.parametrize("material", [Hooke(stiffness=1e5, restitution=0.5), Hertz(young=1e7, restitution=0.8)])
def test_momentum_is_conserved_to_round_off(material):
    stepper, state = two_spheres(material, laws.SlideRollSpin(mu=0.3, mu_r=0.01, mu_s=0.01))
    m, inertia = stepper.model.mass, stepper.model.inertia[:, 0, 0]

    def momenta():
        orbital = np.cross(state.position, m[:, None] * state.velocity) + inertia[:, None] * state.angular_velocity
        return np.concatenate([m @ state.velocity, orbital.sum(axis=0)])

    before = momenta()
    stepper.advance_all(state, 1e-4, 5000)
    assert np.abs(state.velocity[0] - (1.0, 0.2, 0.1)).max() > 0.1
    assert momenta() == pytest.approx(before, abs=1e-13)


def heap(material, law, axis=None, lists=True):
    rng = np.random.default_rng(1)
    scene = Scene(gravity=(0, 0, -G))
    scene.add(HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True, surface="g")
    for i in range(4):
        scene.add(
            Sphere(radius=0.1), mass=1 + 0.1 * i, position=(0.03 * i, 0.02 * i, 0.1 + 0.21 * i),
            velocity=0.3 * rng.normal(size=3), angular_velocity=5 * rng.normal(size=3), surface="s",
        )  # fmt: skip
    axes = {} if axis is None else {"axis": axis, "axis_of": "ground"}
    for pair in (("g", "s"), ("s", "s")):
        scene.surface(*pair, law=law, material=material, **axes)
    model, state = build_model(scene)
    return History(model, lists=lists), state


MATERIALS = [
    Hooke(stiffness=1e5, restitution=0.5, static=1.2),
    Hertz(young=1e7, restitution=0.3, rolling="per-body", spinning_resistance="hertz"),
    Hooke(stiffness=1e5, restitution=0.0, rolling="C"),
    Hooke(stiffness=1e5, damping=20.0, rolling="A"),
]


@pytest.mark.parametrize("material", MATERIALS)
def test_lists_of_neighbours_and_the_detector_give_the_same_motion(material):
    ends = []
    for lists in (True, False):
        stepper, state = heap(material, laws.SlideRollSpin(mu=0.4, mu_r=0.01, mu_s=0.005), lists=lists)
        assert stepper.lists == lists
        for _ in range(800):
            stepper.step(state, 1e-4)
        ends.append(state)
    assert ends[0].position == pytest.approx(ends[1].position, abs=1e-12)
    assert ends[0].angular_velocity == pytest.approx(ends[1].angular_velocity, abs=1e-9)


def test_energy_ledger_closes_and_the_scheme_loses_less_with_the_time_step():
    shares = []
    for h in (1e-4, 1e-5):
        stepper, state = heap(Hooke(stiffness=1e5, restitution=0.5), laws.SlideRollSpin(mu=0.4, mu_r=0.01, mu_s=0.005))
        rows = stepper.advance_all(state, h, round(0.2 / h))
        losses = np.array([rows[name] for name in ("sliding", "rolling", "spinning", "impact")])
        lost, numerical = losses.sum(axis=0), rows["numerical"]
        total = rows["kinetic"] + rows["potential"] + rows["elastic"]
        assert np.diff(total) == pytest.approx(-(lost + numerical)[1:], abs=1e-12)
        assert losses.min() >= 0.0
        shares.append(abs(numerical.sum()) / lost.sum())
    assert shares[0] < 0.06
    assert shares[1] < 0.2 * shares[0]


@pytest.mark.parametrize("lists", [True, False])
def test_resumed_run_goes_on_to_the_same_bits(lists):
    material, law = MATERIALS[0], laws.SlideRollSpin(mu=0.4, mu_r=0.01, mu_s=0.005)
    stepper, state = heap(material, law, lists=lists)
    other, _ = heap(material, law, lists=lists)
    for _ in range(700):
        stepper.step(state, 1e-4)
    memory, copy = {k: v.copy() for k, v in stepper.memory().items()}, state.copy()
    other.recall(memory)
    for _ in range(300):
        a, b = stepper.step(state, 1e-4), other.step(copy, 1e-4)
    assert np.array_equal(state.position, copy.position)
    assert np.array_equal(state.angular_velocity, copy.angular_velocity)
    assert a.ledger == b.ledger


def test_many_steps_at_once_are_the_same_bits_as_one_by_one():
    material, law = MATERIALS[0], laws.SlideRollSpin(mu=0.4, mu_r=0.01, mu_s=0.005)
    (one, state), (many, copy) = heap(material, law), heap(material, law)
    for _ in range(1000):
        one.step(state, 1e-4)
    many.advance_all(copy, 1e-4, 1000)
    assert np.array_equal(state.position, copy.position)
    assert np.array_equal(state.orientation, copy.orientation)


@pytest.mark.parametrize("k", [1.0, 0.5])
def test_sliding_force_lies_on_the_superellipse_and_flows_along_its_law(k):
    """Orthotropic slip: the steady force is the point of the set that the law's velocity picks."""
    law = laws.Superellipse(mu_x=0.2, mu_y=0.4, q=2.0, k=k)
    scene = Scene(gravity=(0, 0, -G))
    scene.add(HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True, surface="g")
    scene.add(
        Sphere(radius=0.1), mass=1.0, inertia=(STIFF,) * 3, position=(0, 0, 0.1), velocity=(3.0, 4.0, 0), surface="s"
    )
    material = GivenForce(force=G, tangential_stiffness=1e6)
    scene.surface("g", "s", law=law, material=material, axis=(1, 0, 0), axis_of="ground")
    model, state = build_model(scene)
    stepper = History(model)
    for _ in range(40):
        report = stepper.step(state, 1e-4)
    f, w = report.impulse[0, 1:3] / 1e-4, report.velocity[0, 1:3]
    weight = np.asarray(law.weights()).ravel()[-2:]
    best = law.project_section(-1e6 * weight * w, G)
    assert np.sum((f / G / (0.2, 0.4)) ** 2) == pytest.approx(1.0, rel=1e-10)
    assert f == pytest.approx(best, rel=1e-3)


def test_contensou_shares_one_budget_between_sliding_and_spinning():
    law = laws.Contensou(mu=0.3, patch_radius=0.02)
    stepper, state = on_incline(
        0.0, GivenForce(force=G, tangential_stiffness=1e6), law, velocity=(0.5, 0, 0), omega=(0, 0, 25.0), turns=False
    )
    for _ in range(50):
        report = stepper.step(state, 1e-4)
    f, w = report.impulse[0, 1:4] / 1e-4, report.velocity[0, 1:4]
    assert -f @ w == pytest.approx(G * float(np.squeeze(law.support(-w))), rel=1e-3)
    assert np.hypot(f[0], f[1]) < 0.3 * G * 0.99


def test_a_spring_that_grows_stiffer_creates_no_energy():
    assert history_friction.kept(1.0, 4.0) == 0.25
    assert history_friction.kept(4.0, 1.0) == 1.0


@pytest.mark.parametrize("ratio", [0.01, 0.3, 0.7071, 0.99, 1.0, 1.5, 4.0])
def test_restitution_of_a_contact_that_cannot_pull(ratio):
    """Integrated numerically until the force vanishes: m x'' = -x - 2 ratio x'."""
    x, v, h = 0.0, 1.0, 1e-4 / max(1.0, ratio)

    def force(x, v):
        return -x - 2.0 * ratio * v

    while x == 0.0 or force(x, v) < 0.0:
        xm, vm = x + 0.5 * h * v, v + 0.5 * h * force(x, v)
        x, v = x + h * vm, v + h * force(xm, vm)
    assert restitution_of(ratio) == pytest.approx(-v, rel=1e-3)
    assert damping_ratio(restitution_of(ratio))[0] == pytest.approx(ratio, rel=1e-9)


def test_geodesic_of_an_ellipsoid_along_a_meridian_is_the_elliptic_arc():
    from scipy.integrate import quad

    axes = np.array([0.2, 0.2, 0.5])
    t0, t1 = 0.3, 0.5
    points = [np.array([0.2 * np.cos(t), 0.0, 0.5 * np.sin(t)]) for t in (t0, t1)]
    length = quad(lambda t: np.hypot(0.2 * np.sin(t), 0.5 * np.cos(t)), t0, t1, epsabs=1e-14)[0]
    assert history_paths.geodesic_length(axes, *points) == pytest.approx(length, rel=1e-7)
    assert np.linalg.norm(points[1] - points[0]) < length * (1 - 1e-4)


def test_geodesic_of_a_sphere_is_the_great_circle_and_symmetric():
    axes, rng = np.full(3, 0.3), np.random.default_rng(0)
    a = rng.normal(size=3)
    b = a + 0.1 * rng.normal(size=3)
    a, b = 0.3 * a / np.linalg.norm(a), 0.3 * b / np.linalg.norm(b)
    angle = 2 * np.arcsin(np.linalg.norm(a - b) / 0.6)
    assert history_paths.geodesic_length(axes, a, b) == pytest.approx(0.3 * angle, rel=1e-8)


def test_geodesic_is_no_longer_than_any_other_path():
    axes = np.array([0.2, 0.3, 0.5])
    rng = np.random.default_rng(5)
    for _ in range(5):
        a = rng.normal(size=3)
        b = a + 0.2 * rng.normal(size=3)
        a, b = (x / np.sqrt(np.sum((x / axes) ** 2)) for x in (a, b))
        way = a + np.linspace(0, 1, 400)[:, None] * (b - a)
        way /= np.sqrt(np.sum((way / axes) ** 2, axis=1))[:, None]
        length = np.linalg.norm(np.diff(way, axis=0), axis=1).sum()
        mine = history_paths.geodesic_length(axes, a, b)
        assert np.linalg.norm(b - a) < mine <= length * (1 + 1e-6)
        assert mine == pytest.approx(history_paths.geodesic_length(axes, b, a), rel=1e-5)


def test_too_long_a_time_step_is_warned_about():
    stepper, state = heap(Hooke(stiffness=1e7, restitution=0.5), laws.Coulomb(mu=0.4))
    stepper.step(state, 1e-2)
    assert "longer than the stable one" in stepper.warnings[0]
    stepper, state = heap(Hooke(stiffness=1e4, restitution=0.5), laws.Coulomb(mu=0.4))
    stepper.step(state, 1e-4)
    assert not stepper.warnings


@pytest.mark.parametrize("damping", [0.0, 1.0])
def test_stable_time_step_is_where_a_resting_body_starts_to_shake(damping):
    material = Hooke(stiffness=1e5, damping=damping * 2 * np.sqrt(1e5), tangential_stiffness=1.0)
    stepper, state = on_incline(0.0, material, laws.Coulomb(mu=0.0))
    limit = stepper.stable_time_step
    for factor, grows in ((0.95, False), (1.05, True)):
        stepper, state = on_incline(0.0, material, laws.Coulomb(mu=0.0))
        state.position[1, 2] -= G / 1e5  # at rest in the spring, where a bit of noise grows or does not
        state.velocity[1, 2] = 1e-9
        stepper.advance_all(state, factor * limit, 40)
        assert (abs(state.velocity[1, 2]) > 1e-7) == grows


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Hooke(stiffness=-1.0), "stiffness"),
        (lambda: Hooke(stiffness=1.0, static=0.5), "static"),
        (lambda: Hooke(stiffness=1.0, rolling="rol"), "Known: constant, pair, per-body, spring, viscous"),
        (lambda: Hooke(stiffness=1.0, damping=1.0, restitution=0.5), "not both"),
        (lambda: Hertz(young=(np.inf, np.inf)), "give way"),
        (lambda: Hertz(young=1e6, poisson=0.7), "poisson"),
        (lambda: heap(None, laws.Coulomb(mu=0.3)), "Add material=trundle.Hooke"),
        (lambda: heap("steel", laws.Coulomb(mu=0.3)), "material = 'steel'"),
        (
            lambda: heap(Hooke(stiffness=1e5, rolling="A"), laws.Superellipse(0.1, 0.2) * laws.Roll(0.01), (1, 0, 0)),
            'Use rolling="pair"',
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_honoured_is_an_error_in_words(make, message):
    with pytest.raises(SceneError, match=message):
        make()


def test_leaps_keep_the_ledger_of_every_step():
    material, law = MATERIALS[0], laws.SlideRollSpin(mu=0.4, mu_r=0.01, mu_s=0.005)
    (one, state), (many, copy) = heap(material, law), heap(material, law)
    reports = [one.step(state, 1e-4) for _ in range(600)]
    rows = np.concatenate([many.advance_all(copy, 1e-4, n) for n in (400, 200)])
    assert np.array_equal(state.position, copy.position)
    assert rows["contacts"].tolist() == [len(report.contacts) for report in reports]
    for name in LEDGER:
        assert rows[name].tolist() == [getattr(report.ledger, name) for report in reports]


@pytest.mark.parametrize("every", [1, 50])
def test_simulate_with_history_closes_its_ledger(every):
    from trundle import simulate

    scene = Scene(gravity=(0, 0, -G))
    scene.add(HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True, surface="g")
    scene.add(Sphere(radius=0.1), name="ball", mass=1.0, position=(0, 0, 0.12), velocity=(1, 0, 0), surface="s")
    scene.surface("g", "s", law=laws.Rolling(mu=0.3, mu_r=0.01), material=Hooke(stiffness=1e5, restitution=0.4))
    run = simulate(scene, 0.3, 1e-4, formulation="history", every=every)
    e = run.energy
    total = e["kinetic"] + e["potential"] + e["elastic"]
    lost = e["sliding"] + e["rolling"] + e["spinning"] + e["impact"] + e["numerical"]
    assert np.diff(total) == pytest.approx(-lost[1:], abs=1e-12)
    assert abs(e["numerical"].sum()) < 0.02 * (total[0] - total[-1])


def box_on_incline(angle, material):
    from trundle import Box

    scene = Scene(gravity=(G * np.sin(angle), 0.0, -G * np.cos(angle)))
    scene.add(HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True, surface="ground")
    scene.add(Box(size=(0.2, 0.2, 0.05)), name="body", mass=1.0, position=(0, 0, 0.025), surface="body")
    scene.surface("ground", "body", law=laws.Coulomb(mu=0.2), material=material)
    model, state = build_model(scene)
    return History(model), state


@pytest.mark.parametrize(("angle", "slides"), [(0.15, False), (0.25, True)])
def test_box_on_its_four_corners_sticks_or_slides_as_a_brick(angle, slides):
    stepper, state = box_on_incline(angle, Hooke(stiffness=1e5, restitution=0.2, tangential_stiffness=2.5e4))
    assert not stepper.lists
    for _ in range(1500):
        report = stepper.step(state, 1e-4)
    before = state.velocity[1, 0]
    for _ in range(500):
        report = stepper.step(state, 1e-4)
    acceleration = (state.velocity[1, 0] - before) / 0.05
    expected = G * np.sin(angle) - 0.2 * G * np.cos(angle) if slides else 0.0
    assert len(report.contacts) == 4
    assert acceleration == pytest.approx(expected, abs=2e-4)
    assert (state.velocity[1, 0] > 1e-3) == slides


def test_hertz_between_flat_surfaces_is_an_error_in_words():
    from trundle import SimulationError

    stepper, state = box_on_incline(0.1, Hertz(young=1e7))
    with pytest.raises(SimulationError, match="no radius"):
        stepper.advance_all(state, 1e-4, 50)
