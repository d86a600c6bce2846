"""Constraints with restitution, in both schemes, with solvers of choice; the forces that they take; own equations of motion."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import trundle
from trundle import laws
from trundle.record.export import export_csv

G = 9.81


def last(run, quantity, name="ball"):
    return getattr(run.final, quantity)[list(run.names).index(name)]


def scene_with(wall=None, restitution=0.0, mu=0.0):
    scene = trundle.Scene(gravity=(0, 0, -G))
    if wall is not None:
        position, normal = wall
        scene.add(trundle.HalfSpace(normal=normal), name="wall", fixed=True, position=position)
    scene.surface("default", "default", law=laws.Coulomb(mu=mu), restitution=restitution)
    return scene


def ball(scene, **values):
    scene.add(trundle.Sphere(radius=0.05), name="ball", mass=1.3, **values)
    return scene


# --- impacts -------------------------------------------------------------------------------------------------------------


def swing(e, end, phi, k):
    """Angle of a pendulum that hits a wall at its lowest point: events of its own equation."""

    def hit(t, y):
        return y[0]

    hit.terminal, hit.direction = True, -1
    t, y = 0.0, [phi, 0.0]
    while True:
        found = solve_ivp(lambda _, z: (z[1], -k * math.sin(z[0])), (t, end), y, events=hit, rtol=1e-12, atol=1e-13)
        if found.status == 0:
            return float(found.y[0, -1])
        t, y = found.t_events[0][0], [0.0, -e * found.y_events[0][0][1]]


@pytest.mark.parametrize("e", [0.6, 1.0])
@pytest.mark.parametrize("impact", ["newton", "poisson"])
def test_constrained_pendulum_bounces_off_a_wall_as_its_equation_says(e, impact):
    L, phi, end, h = 0.5, 0.8, 1.5, 1e-3
    scene = ball(scene_with(((-0.05, 0, 0), (1, 0, 0)), e), position=(L * math.sin(phi), 0, -L * math.cos(phi)))
    scene.constraint("ball", lambda t, state: np.linalg.norm(state.position("ball")) - L)
    scene.constraint("ball", lambda t, state: state.position("ball")[1])
    run = trundle.simulate(scene, end, h, impact=impact)
    angle = swing(e, end, phi, G / L)
    error = np.abs(last(run, "position") - L * np.array([math.sin(angle), 0, -math.cos(angle)])).max()
    assert error < L * G / L * h**2  # second order
    assert run.steps["converged"].all()
    # the ledger: what the wall took is 1 - e^2 of the kinetic energy at the bottom, once for each hit
    hits, energy = 0, 1.3 * G * L * (1 - math.cos(phi))
    lost = 0.0
    while lost < run.energy["impact"].sum() - 0.02:
        lost += energy * e ** (2 * hits) * (1 - e * e)
        hits += 1
        if e == 1.0:
            break
    assert abs(run.energy["impact"].sum() - lost) < 1e-3 * energy


@pytest.mark.parametrize("scheme", ["moreau-jean", "moreau-midpoint"])
@pytest.mark.parametrize("e", [0.0, 0.7])
def test_bar_on_a_constraint_moves_and_bounces_as_on_a_ball_joint(scheme, e):
    # the same motion from two descriptions, which differ by O(h^2)
    h, found = 1e-3, []
    for joint in (False, True):
        scene = scene_with(((-0.3, 0, 0), (1, 0, 0)), e)
        spin = np.array([1.0, 2.0, 5.0])
        scene.add(
            trundle.Box(size=(0.1, 0.2, 0.6)), name="bar", mass=2.0, position=(0, 0, -0.3), angular_velocity=spin,
            velocity=np.cross(spin, (0, 0, -0.3)),
        )  # fmt: skip
        if joint:
            scene.joint("ball", "bar", position=(0, 0, 0))
        else:
            scene.constraint(
                "bar",
                lambda t, state: (
                    state.position("bar")
                    + Rotation.from_quat(state.orientation("bar")[[1, 2, 3, 0]]).apply((0, 0, 0.3))
                ),
            )
        found.append(trundle.simulate(scene, 0.6, h, scheme=scheme, tolerance=1e-10))
    one, other = (last(run, "position", "bar") for run in found)
    assert np.abs(one - other).max() < 0.6 * (5.5 * h) ** 2
    assert found[0].energy["impact"].sum() == pytest.approx(found[1].energy["impact"].sum(), rel=1e-3)


def test_bead_on_an_inclined_rod_leaves_the_floor_with_e_of_its_speed_and_both_carry_their_share():
    # along the rod s' = -e s; the floor's impulse along z and the rod's across it add up to -(1 + e) m v
    slope, e, drop, m, h = 0.7, 0.6, 0.4, 1.3, 1e-3
    d, across = np.array([math.cos(slope), 0, math.sin(slope)]), np.array([-math.sin(slope), 0, math.cos(slope)])
    scene = ball(scene_with(((0, 0, -0.05), (0, 0, 1)), e), position=drop * d)
    scene.constraint("ball", lambda t, state: (state.position("ball") @ across, state.position("ball")[1]), name="rod")
    a = G * math.sin(slope)
    fall, speed = math.sqrt(2 * drop / a), math.sqrt(2 * drop * a)
    run = trundle.simulate(scene, 1.2 * fall, h)
    later = run.time[-1] - fall
    assert np.allclose(last(run, "velocity"), d * (e * speed - a * later), rtol=0, atol=1e-9)
    assert np.allclose(last(run, "position"), d * (e * speed * later - 0.5 * a * later**2), rtol=0, atol=1e-9)
    hit = int(np.argmax(np.abs(run.constraint_impulse("rod")[1:, 2]))) + 1
    expected = (1 + e) * m * speed
    floor = expected / math.sin(slope)
    rod = run.constraint_impulse("rod")[hit, :3]
    carried = m * G * math.cos(slope) * h  # the weight across the rod, in this step, too
    assert abs(rod @ across - (carried - floor * math.cos(slope))) < 1e-9
    assert abs(rod @ d) < 1e-12
    assert abs(run.contacts(hit).impulse[:, 0].sum() - floor) < 1e-9


def test_balls_on_constraints_pass_the_blow_on_as_newtons_cradle_does():
    scene = scene_with(None, 1.0)
    for i in range(4):
        x = 0.1 * i
        start = {"velocity": (1.0, 0, 0)} if i == 0 else {}
        scene.add(trundle.Sphere(radius=0.05), name=f"b{i}", mass=0.5, position=(x - 0.002 * (i == 0), 0, 0), **start)
        scene.constraint(f"b{i}", lambda t, state, i=i: state.position(f"b{i}")[1:])
    run = trundle.simulate(scene, 0.01, 1e-3, impact="sequential")
    assert np.allclose(run.final.velocity[:4, 0], [0, 0, 0, 1], atol=1e-12)


def test_impact_passes_through_a_rod_between_two_balls():
    # a dumbbell by constraint: a blow along its line moves both, and one across it moves the struck ball only
    e, m = 0.5, 1.3
    scene = scene_with(((0.05 - 0.101, 0, 0), (1, 0, 0)), e)
    scene.gravity[:] = 0
    for i in range(2):
        scene.add(
            trundle.Sphere(radius=0.05), name=f"b{i}", mass=m, position=(0.3 * i, 0, 0), velocity=(-2.0, 0, 0),
            inertia=(1e-3,) * 3,
        )  # fmt: skip
    scene.constraint(
        ["b0", "b1"], lambda t, state: np.linalg.norm(state.position("b1") - state.position("b0")) - 0.3, name="rod"
    )
    run = trundle.simulate(scene, 0.01, 1e-3)
    assert np.allclose([last(run, "velocity", f"b{i}")[0] for i in range(2)], 2.0 * e, atol=1e-12)
    blow = np.nanmax(np.abs(run.constraint_impulse("rod", "b1")[:, 0]))
    assert blow == pytest.approx((1 + e) * 2.0 * m, rel=1e-10)


def test_implicit_field_gives_no_impulse_in_an_impact_but_its_force_around_it():
    # a ball on a stiff, damped spring to the floor's height: x'' = -k x - c x' with hits at x = 0
    k, c, m, e, end = 400.0, 2.0, 1.3, 0.8, 0.25

    def hit(t, y):
        return y[0]

    hit.terminal, hit.direction = True, -1
    t, y = 0.0, [0.02, 0.0]
    while True:
        found = solve_ivp(
            lambda _, z: (z[1], (-k * z[0] - c * z[1]) / m), (t, end), y, events=hit, rtol=1e-12, atol=1e-14
        )
        if found.status == 0:
            break
        t, y = found.t_events[0][0], [0.0, -e * found.y_events[0][0][1]]
    errors = []
    for h in (1e-3, 5e-4, 2.5e-4):
        scene = ball(scene_with(((0, 0, -0.05), (0, 0, 1)), e), position=(0, 0, 0.02))
        scene.gravity[:] = 0
        scene.field(trundle.LinearField(stiffness=k, damping=c), "ball", implicit=True)
        run = trundle.simulate(scene, end, h)
        errors.append(abs(last(run, "position")[2] - found.y[0, -1]))
    assert errors[0] < 0.02 * k / m * 1e-3**2  # h^2 w^2 of the amplitude
    assert errors[2] < errors[0] / 8  # second order, but for the times of the hits within their steps


# --- both schemes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["moreau-jean", "moreau-midpoint"])
def test_bead_on_a_parabola_that_changes_follows_its_lagrange_equation(scheme):
    # z = c x^2 / 2:  x'' (1 + c^2 x^2) = -c x (g + c x'^2 + 2 c' x x' + c'' x^2 / 2)
    w, end = 4.0, 1.0

    def bend(t):
        s, k = math.sin(w * t), math.cos(w * t)
        return 2.0 + 0.5 * s, 0.5 * w * k, -0.5 * w * w * s

    def rate(t, y):
        (c, c1, c2), (x, v) = bend(t), y
        return v, -c * x * (G + c * v * v + 2 * c1 * x * v + 0.5 * c2 * x * x) / (1 + (c * x) ** 2)

    x = solve_ivp(rate, (0, end), (0.4, 0.0), rtol=1e-12, atol=1e-13).y[0, -1]
    errors = []
    for h in (0.004, 0.002, 0.001):
        rise = 0.5 * bend(0)[1] * 0.16
        scene = ball(scene_with(), position=(0.4, 0, 0.16), velocity=(0, 0, rise))
        # the given velocity is that of the curve: x' = 0, z' = c' x^2 / 2
        scene.constraint(
            "ball",
            lambda t, state: (
                state.position("ball")[2] - 0.5 * bend(t)[0] * state.position("ball")[0] ** 2,
                state.position("ball")[1],
            ),
        )
        run = trundle.simulate(scene, end, h, scheme=scheme)
        errors.append(abs(last(run, "position")[0] - x))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(np.abs(orders - 2.0) < 0.2)


@pytest.mark.parametrize("scheme", ["moreau-jean", "moreau-midpoint"])
def test_bead_on_a_turning_helix_has_its_closed_form_and_its_force(scheme):
    # z = k p, angle p + W t:  (R^2 + k^2) p'' = -g k, whatever W;  F = m (acceleration + g)
    R, k, W, m, end, h = 0.2, 0.1, 3.0, 1.3, 0.5, 1e-3
    scene = ball(scene_with(), position=(R, 0, 0), velocity=(0, R * W, 0))

    def helix(t, state):
        x, y, z = state.position("ball")
        angle = z / k + W * t
        return x - R * math.cos(angle), y - R * math.sin(angle)

    scene.constraint("ball", helix, name="helix")
    run = trundle.simulate(scene, end, h, scheme=scheme)
    a = -G * k / (R * R + k * k)
    p = 0.5 * a * end**2
    assert abs(last(run, "position")[2] - k * p) < k * (20 * h) ** 2  # 20 rad/s at the end
    # the force in the middle of the last step
    t = end - 0.5 * h
    turn, angle = a * t + W, 0.5 * a * t * t + W * t
    radial = np.array([math.cos(angle), math.sin(angle), 0])
    along = np.array([-math.sin(angle), math.cos(angle), 0])
    force = m * (-R * turn**2 * radial + R * a * along + np.array([0, 0, k * a + G]))
    assert np.abs(run.constraint_force("helix")[-1] - force).max() < np.abs(force).max() * (20 * h) ** 2
    assert np.abs(run.constraint_torque("helix")[-1]).max() == 0.0
    assert np.isnan(run.constraint_force("helix")[0]).all()


# --- solvers of choice ----------------------------------------------------------------------------------------------------


def blocks():
    """Three blocks on the ground, two on a rod whose length changes, the third on an implicit spring."""
    scene = trundle.Scene(gravity=(1.0, 0, -G))
    for i in range(3):
        scene.add(trundle.Box(size=(0.1,) * 3), name=f"b{i}", mass=1.0 + i, position=(0.2 * i, 0, 0.05))
    scene.add(trundle.HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True)
    scene.surface("default", "default", law=laws.SlideRollSpin(mu=0.3, mu_r=1e-3, mu_s=1e-3))
    scene.constraint(
        ["b0", "b1"],
        lambda t, s: np.linalg.norm(s.position("b0") - s.position("b1")) - 0.2 - 0.05 * math.sin(3 * t),
        name="rod",
    )
    scene.field(trundle.CentralSpring(point=(0.5, 0, 0.05), stiffness=500.0, damping=3.0), ["b2"], implicit=True)
    return scene


@pytest.mark.parametrize("solver", ["gauss-seidel", "newton", "interior-point", "admm"])
def test_chosen_solvers_find_the_same_motion_with_constraints_and_implicit_fields(solver):
    one = trundle.simulate(blocks(), 0.04, 2e-3, tolerance=1e-10)
    other = trundle.simulate(blocks(), 0.04, 2e-3, tolerance=1e-10, solver=solver)
    assert other.steps["converged"].all()
    assert np.abs(one.final.position - other.final.position).max() < 1e-10
    assert np.allclose(one.constraint_force("rod", "b1")[1:], other.constraint_force("rod", "b1")[1:], atol=1e-5)


def test_kept_problem_has_rows_for_the_constraint_and_is_solved_by_the_steps_impulses():
    run = trundle.simulate(blocks(), 0.01, 2e-3, tolerance=1e-10, keep_problems=True)
    problem, p = run.problem(), run.impulses()
    assert type(problem.laws[-1]).__name__ == "Bilateral"
    assert problem.residual(p) < 1e-8


def test_heavy_body_on_light_ones_that_a_constraint_drives_is_solved_where_sweeps_stall():
    # sweeps alone end at a residual of 5e-3 after 60,000 in every step of this one
    scene = trundle.Scene(gravity=(0, 0, -G))
    for i in range(6):
        mass = 1e4 if i == 5 else 1.0
        scene.add(trundle.Box(size=(0.2, 0.2, 0.1)), name=f"b{i}", mass=mass, position=(0, 0, 0.05 + 0.1 * i))
    scene.add(trundle.HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True)
    scene.surface("default", "default", law=laws.Coulomb(mu=0.5))
    scene.constraint("b5", lambda t, state: state.position("b5")[0] - 1e-3 * math.sin(20 * t))
    # redundant contacts whose gaps differ by 1e-11 m contradict each other by 5e-9 m/s, and Newton's method stays at 2e-9
    run = trundle.simulate(scene, 0.02, 2e-3, tolerance=1e-8)
    assert run.steps["converged"].all()
    assert last(run, "position", "b5")[0] == pytest.approx(1e-3 * math.sin(0.4), abs=1e-12)
    # the ground's impulses are what gravity gave, and what the bodies have of vertical momentum
    ground, pushed = list(run.names).index("ground"), 0.0
    for k in range(1, run.frame_count):
        contacts = run.contacts(k)
        pushed += contacts.impulse[np.any(contacts.body == ground, axis=1), 0].sum()
    mass = np.array([1.0] * 5 + [1e4])
    momentum = mass @ [last(run, "velocity", f"b{i}")[2] for i in range(6)]
    assert pushed == pytest.approx(mass.sum() * G * 0.02 + momentum, rel=1e-8)


# --- recordings ----------------------------------------------------------------------------------------------------------


def test_recording_keeps_the_forces_of_constraints_and_resumes_to_the_same_bits(tmp_path):
    def make():
        scene = ball(scene_with(((-0.05, 0, 0), (1, 0, 0)), 0.7), position=(0.3, 0, -0.4))
        scene.constraint("ball", lambda t, state: np.linalg.norm(state.position("ball")) - 0.5, name="string")
        return scene

    whole = trundle.simulate(make(), 0.4, 1e-3)
    file = tmp_path / "run.h5"
    trundle.simulate(make(), 0.2, 1e-3, record=file)
    run = trundle.resume(file, duration=0.4, scene=make())
    assert np.array_equal(run.final.position, whole.final.position)
    recording = trundle.open_recording(file)
    assert recording.constraint_names == ("string",)
    assert np.array_equal(recording.constraint_force("string")[1:], whole.constraint_force("string")[1:])
    tables = export_csv(recording, tmp_path / "tables")
    assert (tmp_path / "tables" / "constraints.csv") in tables
    rows = (tmp_path / "tables" / "constraints.csv").read_text().splitlines()
    assert len(rows) == recording.frame_count  # a heading, and no row for the first frame
    assert float(rows[-1].split(",")[4]) == recording.constraint_force("string")[-1, 0]
    saved = tmp_path / "saved.h5"
    whole.save(saved)
    assert np.array_equal(
        trundle.open_recording(saved).constraint_force("string")[1:], whole.constraint_force("string")[1:]
    )


def test_forces_of_constraints_do_not_depend_on_how_a_frame_is_stepped():
    def make():
        scene = ball(scene_with(), position=(0.3, 0, -0.4))
        scene.constraint("ball", lambda t, state: np.linalg.norm(state.position("ball")) - 0.5, name="string")
        return scene

    one = trundle.simulate(make(), 0.2, time_step="auto", accuracy=1e-5)
    other = trundle.simulate(make(), 0.2, 1e-4)
    # means of a step of the one and of the other: the force changes by 50 N/s
    assert np.allclose(one.constraint_force("string")[-1], other.constraint_force("string")[-1], atol=0.05)


def test_questions_about_constraints_that_are_not_there_say_what_is():
    run = trundle.simulate(blocks(), 4e-3, 2e-3)
    with pytest.raises(trundle.SceneError, match="Did you mean 'rod'"):
        run.constraint_force("rot")
    with pytest.raises(trundle.SceneError, match="b0, b1"):
        run.constraint_force("rod")
    with pytest.raises(trundle.SceneError, match="body"):
        run.constraint_force("rod", "b2")
    with pytest.raises(trundle.SceneError, match="no constraints"):
        trundle.simulate(ball(scene_with()), 1e-3, 1e-3).constraint_force("rod")
