"""Impacts within time steps against closed forms: gaps, chains, simultaneous impacts, friction, laws of the speed."""

import math

import numpy as np
import pytest

import trundle
from trundle import Box, HalfSpace, Scene, SceneError, Sphere, laws, simulate
from trundle.scene.files import parse_scene
from trundle.scene.model import build_model
from trundle.scene.surfaces import rotation
from trundle.scene.writing import dump_scene
from trundle.step.kernels import impacts
from trundle.step.moreau_jean import MoreauJean

MODES = ("newton", "poisson", "sequential")
FREE, G = laws.Coulomb(mu=0.0), 9.81
ROUND_OFF = 1e-12  # of velocities and energies of some hundred steps, relative


def row_of_balls(count, gap, restitution=1.0, radius=0.02):
    """A ball at 1 m/s hits a row of others at rest."""
    scene = Scene(gravity=(0, 0, 0))
    for i in range(count):
        x = i * (2 * radius + gap) - (0.0051 if i == 0 else 0.0)
        scene.add(
            Sphere(radius=radius), name=f"b{i}", mass=0.1, position=(x, 0, 0), velocity=(float(i == 0), 0, 0), surface=f"s{i}"
        )  # fmt: skip
    for i in range(count):
        for j in range(i + 1, count):
            e = restitution[i] if isinstance(restitution, tuple) else restitution
            scene.surface(f"s{i}", f"s{j}", law=FREE, restitution=e)
    return scene


def last_speeds(run, count):
    return np.array([run.velocity(f"b{i}")[-1, 0] for i in range(count)])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("gap", [0.0, 1e-7, 1e-6, 1e-5, 1e-4])
def test_cradle_keeps_its_energy_whatever_its_gaps(gap, mode):
    """Newton and Poisson move a closed row together: -3/5, 2/5, 2/5, 2/5, 2/5; with gaps, or in sequence, the last one leaves."""
    v = last_speeds(simulate(row_of_balls(5, gap), 0.05, 1e-4, impact=mode), 5)
    together = gap == 0.0 and mode != "sequential"
    expected = [-0.6, 0.4, 0.4, 0.4, 0.4] if together else [0.0, 0.0, 0.0, 0.0, 1.0]
    assert v == pytest.approx(expected, abs=1e-10)
    assert np.sum(v**2) == pytest.approx(1.0, abs=1e-10)


@pytest.mark.parametrize("h", [1e-3, 5e-3])
def test_a_chain_of_impacts_runs_through_a_row_within_one_step(h):
    """Balls that are at rest, 0.5 mm apart, are found although nothing moved near them when the step began."""
    run = simulate(row_of_balls(5, 5e-4), 0.05, h)
    assert last_speeds(run, 5) == pytest.approx([0.0, 0.0, 0.0, 0.0, 1.0], abs=1e-10)
    assert not run.warnings


def test_poisson_gives_back_impulses_and_newton_velocities():
    """Three balls, e = 1/2 and 1.  Newton: u1' = 1/2, u2' = 0.  Poisson: compression to 1/3 with p = 2/3 and 1/3, expansion 1/3
    each."""
    scene = row_of_balls(3, 0.0, (0.5, 1.0))
    for mode, expected in (("newton", [0.0, 0.5, 0.5]), ("poisson", [0.0, 1 / 3, 2 / 3])):
        assert last_speeds(simulate(scene, 0.02, 1e-3, impact=mode), 3) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("gap", "h"), [(5e-3, 1e-3), (1e-3, 1e-3), (1e-3, 1e-4)])
def test_ball_on_ball_leaves_with_almost_three_times_its_speed(gap, h, mode):
    """Dropped together by 1 m, v = sqrt(2 g): the upper ball meets the lower one gap / 2 v after it has bounced and leaves at
    v (3 M - m) / (M + m), less what it has fallen: 12.44 m/s.  Parabolas are exact at theta = 1/2."""
    M, m, v = 1.0, 0.05, math.sqrt(2 * G)
    scene = Scene(gravity=(0, 0, -G))
    scene.add(HalfSpace(), name="ground", fixed=True, surface="g")
    scene.add(Sphere(radius=0.12), name="M", mass=M, position=(0, 0, 1.12), surface="b")
    scene.add(Sphere(radius=0.03), name="m", mass=m, position=(0, 0, 1.27 + gap), surface="b")
    for pair in (("b", "b"), ("b", "g")):
        scene.surface(*pair, law=FREE, restitution=1.0)
    run = simulate(scene, 0.55, h, impact=mode)
    at_impact = v * (3 * M - m) / (M + m) - G * gap / (2 * v)
    assert at_impact == pytest.approx(12.44, abs=0.01)
    when = v / G + gap / (2 * v)
    assert run.velocity("m")[-1, 2] == pytest.approx(at_impact - G * (0.55 - when), rel=1e-9)
    energy = run.energy["kinetic"] + run.energy["potential"]
    assert energy == pytest.approx(energy[0], rel=ROUND_OFF)


def bouncing(restitution, law=FREE, height=1.0):
    scene = Scene(gravity=(0, 0, -G))
    scene.add(HalfSpace(), name="ground", fixed=True, surface="g")
    scene.add(Sphere(radius=0.05), name="ball", mass=1.0, position=(0, 0, 0.05 + height), surface="b")
    scene.surface("b", "g", law=law, restitution=restitution)
    return scene


@pytest.mark.parametrize(("h", "tolerance"), [(1e-2, 0.02), (1e-3, 0.01), (2e-4, 0.01)])
def test_bouncing_ball_stops_in_finite_time_and_stays(h, tolerance):
    """T = sqrt(2 H / g) (1 + e) / (1 - e) = 2.559 s; rebounds shorter than a step are none."""
    run = simulate(bouncing(0.7, laws.Coulomb(mu=0.5)), 3.0, h)
    moving = np.flatnonzero(np.abs(run.velocity("ball")[:, 2]) > 1e-9)
    assert run.time[moving[-1]] == pytest.approx(math.sqrt(2 / G) * 1.7 / 0.3, rel=tolerance)
    assert run.position("ball")[-1, 2] == pytest.approx(0.05, abs=1e-9)
    assert np.all(run.energy["impact"] >= -1e-14)


def test_impact_in_the_ledger_is_the_energy_that_the_impact_took():
    """m g H (1 - e^2) in the first impact, in the step in which it happens, and nothing numerically."""
    run = simulate(bouncing(0.6), 0.6, 1e-3)
    hit = run.energy["impact"] != 0.0
    assert np.count_nonzero(hit) == 1
    assert run.energy["impact"][hit][0] == pytest.approx(G * (1 - 0.36), rel=1e-9)
    assert np.abs(run.energy["numerical"]).max() < ROUND_OFF


def test_elastic_ball_comes_back_to_its_height_for_ever():
    run = simulate(bouncing(1.0), 20.0, 1e-2, every=1)
    energy = run.energy["kinetic"] + run.energy["potential"]
    assert energy == pytest.approx(energy[0], rel=ROUND_OFF)
    assert run.position("ball")[-100:, 2].max() == pytest.approx(1.05, abs=0.5 * G * 0.005**2)


def test_ball_bounces_for_ever_on_a_ball_that_rests_on_the_floor():
    """The floor's law has no restitution, but the lower ball never moves: its weight is carried all the time."""
    scene = bouncing(1.0)
    scene.add(Sphere(radius=0.1), name="below", mass=0.3, position=(0, 0, -0.1), surface="c")
    scene.bodies[scene.index("ground")].position[2] = -0.2
    scene.surface("c", "g", law=FREE)
    scene.surface("b", "c", law=FREE, restitution=1.0)
    run = simulate(scene, 3.0, 1e-3)
    energy = run.energy["kinetic"] + run.energy["potential"]
    assert energy == pytest.approx(energy[0], abs=1e-9 * G)
    assert np.abs(run.velocity("below")).max() < 1e-9


# --- random systems ---------------------------------------------------------------------------------------


def gas(seed, shape, gravity=0.0, law=FREE, restitution=1.0, walls=True):
    """Five bodies that fly through a box of 0.3 m at about 1 m/s and 10 rad/s."""
    random, side = np.random.default_rng(seed), 0.3
    scene, places = Scene(gravity=(0, 0, -gravity)), []
    for k in range(3 if walls else 0):
        for sign in (-1.0, 1.0):
            normal = -sign * np.eye(3)[k]
            scene.add(
                HalfSpace(normal=normal), name=f"{k}{sign}", fixed=True, surface="w", position=-0.5 * side * normal
            )
    while len(places) < 5:
        place = random.uniform(-0.1, 0.1, 3)
        if all(np.linalg.norm(place - other) > 0.085 for other in places):
            places.append(place)
    for i, place in enumerate(places):
        spin, v, q = 10 * random.normal(size=3), random.normal(size=3), random.normal(size=4)
        made = (
            Sphere(radius=random.uniform(0.015, 0.04))
            if shape == "sphere"
            else Box(size=random.uniform(0.02, 0.045, 3))
        )
        v = v if walls else 0.2 * v - 10.0 * place  # towards each other
        scene.add(
            made, name=f"b{i}", density=1000.0, position=place, orientation=q / np.linalg.norm(q), velocity=v,
            angular_velocity=spin, surface="b",
        )  # fmt: skip
    scene.surface("b", "b", law=law, restitution=restitution)
    if walls:
        scene.surface("b", "w", law=law, restitution=restitution)
    return scene


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("gravity", [0.0, G])
def test_frictionless_elastic_spheres_in_a_box_keep_their_energy_to_round_off(gravity, mode):
    for seed in range(3):
        run = simulate(gas(seed, "sphere", gravity), 0.5, 1e-3, impact=mode)
        energy = run.energy["kinetic"] + run.energy["potential"]
        assert np.abs(energy - energy[0]).max() < ROUND_OFF * run.energy["kinetic"].max()


@pytest.mark.parametrize("mode", MODES)
def test_impacts_of_frictionless_elastic_boxes_take_nothing(mode):
    """What changes is O(h^2), by the rotation of bodies that tumble: their angular momentum, not their energy, is exact."""
    for seed in range(3):
        changes = []
        for h in (1e-3, 5e-4):
            run = simulate(gas(seed, "box"), 0.5, h, impact=mode)
            kinetic = run.energy["kinetic"]
            changes.append(np.abs(kinetic / kinetic[0] - 1.0).max())
            assert np.abs(run.energy["impact"]).sum() < 1e-9 * kinetic[0]
        assert changes[0] < 4e-3
        assert changes[1] < 1e-3


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("shape", ["sphere", "box"])
def test_energy_never_grows_without_friction_whatever_the_restitution(shape, mode):
    for e in (0.9, 0.4):
        run = simulate(gas(4, shape, restitution=e), 0.5, 1e-3, impact=mode)
        assert np.all(run.energy["impact"] >= -1e-12 * run.energy["kinetic"][0])
        assert run.energy["impact"].sum() > 0.1 * run.energy["kinetic"][0]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("shape", ["sphere", "box"])
def test_linear_and_angular_momentum_are_kept_in_impacts_with_friction(shape, mode):
    model, state = build_model(gas(1, shape, law=laws.Coulomb(mu=0.4), restitution=0.7, walls=False))
    stepper = MoreauJean(model, theta=0.5, tolerance=1e-10, impact=mode)

    def momenta():
        angular = np.zeros(3)
        for i, m in enumerate(model.mass):
            R = rotation(state.orientation[i])
            angular += (
                m * np.cross(state.position[i], state.velocity[i])
                + R @ model.inertia[i] @ R.T @ state.angular_velocity[i]
            )
        return model.mass @ state.velocity, angular

    linear, angular = momenta()
    rows = stepper.advance_all(state, 1e-3, 300)
    after = momenta()
    assert np.count_nonzero(rows["impact"] > 0.0) >= 3
    assert after[0] == pytest.approx(linear, abs=ROUND_OFF * np.linalg.norm(linear))
    assert after[1] == pytest.approx(angular, abs=1e-11 * np.linalg.norm(angular))


# --- friction -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("e", [1.0, 0.6, 0.2])
@pytest.mark.parametrize("degrees", [5.0, 20.0, 40.0, 75.0])
def test_sphere_hits_a_wall_at_an_angle(degrees, e, mode):
    """Chung & Ooi (2011), cases 4 and 5, for rigid bodies.  Gross sliding where tan > 7/2 mu (1 + e):
    v_t' = v_t - mu (1 + e) v_n, w' = 5/2 mu (1 + e) v_n / R; else it sticks: v_t' = 5/7 v_t, w' = v_t' / R."""
    mu, R, angle = 0.1, 0.1, math.radians(degrees)
    vt, vn = math.sin(angle), math.cos(angle)
    scene = Scene(gravity=(0, 0, 0))
    scene.add(HalfSpace(), name="wall", fixed=True, surface="w")
    scene.add(Sphere(radius=R), name="ball", mass=1.3, position=(0, 0, R + 3.3e-3), velocity=(vt, 0, -vn), surface="b")
    scene.surface("b", "w", law=laws.Coulomb(mu=mu), restitution=e)
    run = simulate(scene, 0.05, 1e-3, impact=mode)
    slides = math.tan(angle) > 3.5 * mu * (1 + e)
    expected = vt - mu * (1 + e) * vn if slides else 5 / 7 * vt
    spin = 2.5 * mu * (1 + e) * vn / R if slides else expected / R
    assert run.velocity("ball")[-1] == pytest.approx([expected, 0.0, e * vn], abs=1e-9)
    assert run.angular_velocity("ball")[-1] == pytest.approx([0.0, spin, 0.0], abs=1e-7)


@pytest.mark.parametrize(("mu", "e"), [(0.0, 1.0), (0.05, 0.8), (5.0, 0.8)])
def test_two_spheres_collide_off_centre(mu, e):
    """Equal spheres, impact parameter R: n is at 30 degrees at the moment of contact, not in the middle of the step.
    p_n = (1 + e) m u_n / 2; sliding: p_t = mu p_n; sticking: W_tt = 7 / m, p_t = m u_t / 7."""
    R, m, v = 0.02, 0.1, 1.0
    scene = Scene(gravity=(0, 0, 0))
    scene.add(Sphere(radius=R), name="a", mass=m, position=(-0.05, 0, 0), velocity=(v, 0, 0), surface="s")
    scene.add(Sphere(radius=R), name="b", mass=m, position=(0, R, 0), surface="s")
    scene.surface("s", "s", law=laws.Coulomb(mu=mu), restitution=e)
    run = simulate(scene, 0.05, 1e-3)
    n, t = np.array([math.sqrt(3) / 2, 0.5, 0.0]), np.array([0.5, -math.sqrt(3) / 2, 0.0])
    normal = 0.5 * (1 + e) * m * v * n[0]
    tangential = min(mu * normal, m * v * t[0] / 7)
    assert run.velocity("b")[-1] == pytest.approx((normal * n + tangential * t) / m, abs=1e-9)
    turn = np.cross(-R * n, tangential * t) / (0.4 * m * R * R)
    assert run.angular_velocity("b")[-1] == pytest.approx(turn, abs=1e-7)
    assert run.angular_velocity("a")[-1] == pytest.approx(turn, abs=1e-7)


def test_recorded_impulse_contains_the_impact():
    model, state = build_model(bouncing(0.5, height=1e-3))
    stepper = MoreauJean(model, theta=0.5, tolerance=1e-10)
    s, total = math.sqrt(2e-3 * G), 0.0
    while total == 0.0:
        stepper.advance(state, 1e-3, 1)
        total = stepper.report().impulse[:, 0].sum()
    assert total == pytest.approx(1.5 * s, rel=1e-9)


# --- restitution as a function of the approach speed --------------------------------------------------------


def rebound(restitution, speed):
    scene = Scene(gravity=(0, 0, 0))
    scene.add(HalfSpace(), name="ground", fixed=True, surface="g")
    scene.add(Sphere(radius=0.05), name="ball", mass=1.0, position=(0, 0, 0.0503), velocity=(0, 0, -speed), surface="b")
    scene.surface("b", "g", law=FREE, restitution=restitution)
    return simulate(scene, 0.5e-3 / speed, 1e-4 / speed).velocity("ball")[-1, 2] / speed


@pytest.mark.parametrize(
    ("law", "expected", "tolerance"),
    [
        (trundle.ThresholdRestitution(restitution=0.8, speed=0.1), lambda s: 0.8 if s >= 0.1 else 0.0, 1e-9),
        (trundle.PowerRestitution(restitution=0.5, speed=1.0), lambda s: min(1.0, 0.5 * s**-0.25), 1e-9),
        (
            trundle.TableRestitution(speed=(0.1, 1.0), restitution=(0.9, 0.3)),
            lambda s: np.interp(s, (0.1, 1), (0.9, 0.3)),
            1e-9,
        ),
        # linear between 24 speeds per decade: (ln 10 / 24)^2 / 8 of the curvature
        (lambda s: 1.0 / (1.0 + s), lambda s: 1.0 / (1.0 + s), 2e-3),
    ],
)
def test_restitution_depends_on_the_approach_speed(law, expected, tolerance):
    for speed in (0.02, 0.099, 0.11, 0.5, 1.0, 3.0):
        assert rebound(law, speed) == pytest.approx(expected(speed), abs=tolerance)


def test_restitution_laws_are_read_from_and_written_to_scene_files():
    for given in (
        trundle.ThresholdRestitution(restitution=0.8, speed=0.1),
        trundle.PowerRestitution(restitution=0.5, speed=1 / 3, exponent=0.2),
        trundle.TableRestitution(speed=(0.1, 1.0), restitution=(0.9, 0.3)),
        0.25,
    ):
        text = dump_scene(bouncing(given), {"impact": "sequential", "duration": 1.0, "time_step": 1e-3})
        scene, options = parse_scene(text)
        assert scene.pairs[("b", "g")].restitution == given
        assert options["impact"] == "sequential"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: bouncing(lambda s: 1.5), "gives 1.5 at an approach speed of 0 m/s"),
        (lambda: trundle.PowerRestitution(restitution=0.5, speed=0.0), "speed = 0 m/s must be positive"),
        (lambda: trundle.TableRestitution(speed=(1.0, 0.5), restitution=(1, 1)), "must increase"),
        (lambda: trundle.TableRestitution(speed=(1.0,), restitution=(1.0, 0.5)), "1 speeds, but 2 values"),
        (lambda: simulate(bouncing(0.5), 0.1, 1e-3, impact="newtn"), "unknown impact 'newtn'.*Did you mean 'newton'"),
        (lambda: simulate(bouncing(0.5), 0.1, 1e-3, impact="poisson", formulation="history"), "is for rigid contacts"),
        (lambda: simulate(bouncing(lambda s: 0.5), 0.1, 1e-3, formulation="history"), "restitution is a number"),
    ],
)
def test_what_cannot_be_honoured_is_refused(make, words):
    with pytest.raises(SceneError, match=words):
        make()


# --- steps ----------------------------------------------------------------------------------------------


def test_impacts_are_the_same_bits_step_by_step_in_batches_and_resumed(tmp_path):
    """A function of the speed is in the recording as a table."""
    scene = gas(2, "box", G, laws.Coulomb(mu=0.3), lambda s: 1.0 / (1.0 + 0.2 * s))
    whole = simulate(scene, 0.3, 1e-3, impact="sequential", every=300)
    single = simulate(scene, 0.3, 1e-3, impact="sequential", every=1, progress=lambda report, state: None)
    simulate(scene, 0.13, 1e-3, impact="sequential", record=tmp_path / "half.h5")
    resumed = trundle.resume(tmp_path / "half.h5", duration=0.3)
    for run in (single, resumed):
        assert np.array_equal(run.final.position, whole.final.position)
        assert np.array_equal(run.final.velocity, whole.final.velocity)
        assert np.array_equal(run.final.angular_velocity, whole.final.angular_velocity)


def test_scenes_without_restitution_have_no_stage_for_impacts():
    for restitution, some in ((0.0, False), (0.1, True)):
        stages = MoreauJean(build_model(bouncing(restitution))[0], theta=0.5, tolerance=1e-8)._stages()
        assert (impacts.bounce in stages) == some
