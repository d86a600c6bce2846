"""Coefficients that depend on speed: closed forms of stick and slip, and differential equations of our own."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import trundle
from trundle import laws
from trundle.errors import LawError, ProblemError, SceneError

G = 9.81
STATIC, KINETIC, BELT, SPRING = 0.5, 0.3, 0.1, 103.0


def stribeck(v):
    """An own copy of the curve: static 0.5, kinetic 0.3, speed 0.05, viscous 0.02."""
    return 0.3 + 0.2 * np.exp(-((v / 0.05) ** 2)) + 0.02 * v


STRIBECK = laws.Stribeck(static=0.5, kinetic=0.3, speed=0.05, viscous=0.02)


def curve_of_ours(v):
    return 0.3 + 0.2 * math.exp(-((v / 0.05) ** 2)) + 0.02 * v


def slide(law, duration, h, shape=None, slope=0.0, velocity=(1.0, 0, 0), spin=(0, 0, 0), height=0.05, **options):
    """A body on level or sloping ground, started along x."""
    scene = trundle.Scene(gravity=(G * math.sin(slope), 0, -G * math.cos(slope)))
    scene.add(
        shape or trundle.Box((0.2, 0.2, 0.1)), name="body", mass=1.0, position=(0, 0, height), velocity=velocity,
        angular_velocity=spin, surface="a",
    )  # fmt: skip
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="b")
    said = {"material": trundle.Hooke(stiffness=1e6, tangential_stiffness=1e6)} if "history" in options.values() else {}
    if options.get("formulation") == "compliant":
        said = {"stiffness": (1e8, 1e8, 1e6, 1e6)}
    scene.surface("a", "b", law=law, **said)
    return trundle.simulate(scene, duration, h, tolerance=1e-11, **options)


def sliding_truth(duration):
    """Position and speed of a block that starts at 1 m/s."""
    found = solve_ivp(lambda t, y: [y[1], -G * stribeck(y[1])], (0, duration), [0.0, 1.0], rtol=1e-12, atol=1e-14)
    return found.y[:, -1]


@pytest.mark.parametrize(
    "mu",
    [STRIBECK, laws.OfSpeed(curve_of_ours)],
    ids=["Stribeck", "a function"],
)
def test_a_block_slows_down_as_the_differential_equation_says(mu):
    x, v = sliding_truth(0.25)
    run = slide(laws.Coulomb(mu), 0.25, 1e-3)
    assert run.position("body")[-1, 0] == pytest.approx(x, abs=1e-7)
    assert run.velocity("body")[-1, 0] == pytest.approx(v, abs=1e-7)
    assert not run.warnings


def test_friction_that_depends_on_speed_is_of_second_order():
    x, _ = sliding_truth(0.25)
    errors = [abs(slide(laws.Coulomb(STRIBECK), 0.25, h).position("body")[-1, 0] - x) for h in (2e-3, 1e-3)]
    assert 3.5 < errors[0] / errors[1] < 4.5


@pytest.mark.parametrize(
    ("formulation", "h", "error"), [("relaxed", 1e-3, 2e-3), ("compliant", 1e-3, 1e-4), ("history", 1e-4, 1e-3)]
)
def test_every_formulation_knows_the_curve(formulation, h, error):
    """Errors: bodies of the relaxed formulation lift off, springs give way by N / k, and the explicit step is of first order."""
    x, v = sliding_truth(0.25)
    run = slide(laws.Coulomb(STRIBECK), 0.25, h, formulation=formulation)
    assert run.position("body")[-1, 0] == pytest.approx(x, abs=error)
    assert run.velocity("body")[-1, 0] == pytest.approx(v, abs=10 * error)


def test_a_ball_spins_down_and_rolls_down_by_its_own_curves():
    R, I = 0.1, 0.004
    curve = laws.Stribeck(static=2e-3, kinetic=1e-3, speed=5.0)

    def rate(w):
        return 1e-3 + 1e-3 * np.exp(-((w / 5.0) ** 2))

    law = laws.SlideRollSpin(mu=0.5, mu_r=curve, mu_s=curve)
    spun = slide(law, 1.0, 2e-3, trundle.Sphere(R), velocity=(0, 0, 0), spin=(0, 0, 12.0), height=R)
    truth = solve_ivp(lambda t, w: -rate(w) * G / I, (0, 1.0), [12.0], rtol=1e-12, atol=1e-12).y[0, -1]
    assert spun.angular_velocity("body")[-1, 2] == pytest.approx(truth, abs=1e-5)
    rolled = slide(law, 1.0, 2e-3, trundle.Sphere(R), velocity=(1.0, 0, 0), spin=(0, 10.0, 0), height=R)
    truth = solve_ivp(lambda t, w: -rate(w) * G / (I + R**2), (0, 1.0), [10.0], rtol=1e-12, atol=1e-12).y[0, -1]
    assert rolled.angular_velocity("body")[-1, 1] == pytest.approx(truth, abs=1e-5)


@pytest.mark.parametrize("speed", [0.0, 0.02])
@pytest.mark.parametrize("formulation", ["exact", "compliant"])
def test_a_block_at_rest_stays_on_a_slope_that_it_would_slide_down(speed, formulation):
    law = laws.Coulomb(laws.Stribeck(static=STATIC, kinetic=KINETIC, speed=speed))
    still = slide(law, 1.0, 5e-3, slope=math.atan(0.4), velocity=(0, 0, 0), formulation=formulation)
    moved = np.linalg.norm(still.position("body")[-1] - still.position("body")[20])
    assert moved < 1e-11
    if formulation == "exact":
        gone = slide(law, 0.5, 1e-3, slope=math.atan(0.4), velocity=(0.2, 0, 0))
        # it slides on at the kinetic coefficient, far above the speed of the transition
        assert gone.velocity("body")[-1, 0] - gone.velocity("body")[-101, 0] == pytest.approx(
            0.1 * G * (math.sin(math.atan(0.4)) - KINETIC * math.cos(math.atan(0.4))), rel=1e-9
        )


def oscillator(t):
    """A mass of 1 kg on a belt, held by a spring: sticks, slips from mu_s N / k on, sticks again at the speed of the belt."""
    omega, onset, centre = math.sqrt(SPRING), STATIC * G / SPRING, KINETIC * G / SPRING
    d = onset - centre
    slips, sticks = (2.0 * math.pi - 2.0 * math.atan(omega * d / BELT)) / omega, 2.0 * d / BELT
    phase = (t - onset / BELT) % (slips + sticks)
    slipping = centre + d * np.cos(omega * phase) + BELT / omega * np.sin(omega * phase)
    return np.where(t < onset / BELT, BELT * t, np.where(phase < slips, slipping, centre - d + BELT * (phase - slips)))


@pytest.mark.parametrize("shape", ["a box on four points", "a ball that does not turn"])
def test_an_oscillator_on_a_belt_sticks_and_slips_as_in_closed_form(shape):
    """Second order, in spite of the drop: onsets within a step are found."""
    errors = []
    for h in (2e-3, 1e-3):
        scene = trundle.Scene(gravity=(0, 0, -G))
        body = {"shape": trundle.Box((0.2, 0.2, 0.1))}
        if "ball" in shape:
            body = {"shape": trundle.Sphere(0.05), "inertia": (1e7, 1e7, 1e7)}
        scene.add(name="mass", mass=1.0, position=(0, 0, 0.05), velocity=(BELT, 0, 0), surface="a", **body)
        scene.add(
            trundle.Box((10, 1, 1)), name="belt", position=(0, 0, -0.5), motion=trundle.Steady(velocity=(BELT, 0, 0)),
            surface="b",
        )  # fmt: skip
        scene.surface("a", "b", law=laws.Coulomb(laws.Stribeck(static=STATIC, kinetic=KINETIC)))
        scene.load("mass", force=lambda t, state: (-SPRING * state.position("mass")[0], 0, 0))
        run = trundle.simulate(scene, 2.0, h, tolerance=1e-11)
        assert not run.warnings
        errors.append(np.abs(run.position("mass")[:, 0] - oscillator(run.time)).max())
    assert errors[1] < 2e-6  # of an amplitude of 20 mm
    assert errors[0] < 4e-6


def test_the_problem_of_a_step_has_the_coefficients_of_that_step():
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(trundle.Sphere(0.05), name="ball", mass=1.0, position=(0, 0, 0.05), velocity=(0.04, 0, 0), surface="a")
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="b")
    scene.surface("a", "b", law=laws.Coulomb(STRIBECK))
    run = trundle.simulate(scene, 1e-3, 1e-3, tolerance=1e-12)
    problem = run.problem()
    end = run.velocity("ball")[-1, 0] - 0.05 * run.angular_velocity("ball")[-1, 1]
    assert float(np.squeeze(problem.laws[0].mu)) == pytest.approx(stribeck(0.5 * (0.04 + end)), rel=1e-9)


def test_scene_files_hold_coefficients_that_vary(tmp_path):
    curve = laws.Stribeck(static=4e-3, kinetic=2e-3)
    law = laws.Rolling(mu=laws.SpeedTable(speed=(0.0, 0.1), value=(0.4, 0.3)), mu_r=curve)
    scene = trundle.Scene()
    scene.add(trundle.Sphere(0.1), name="ball", density=2500.0, position=(0, 0, 0.1), surface="a")
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="b")
    scene.surface("a", "b", law=law)
    (tmp_path / "scene.toml").write_text(trundle.dump_scene(scene))
    again, _ = trundle.load_scene(tmp_path / "scene.toml")
    assert again.pairs[("a", "b")].law == law
    (tmp_path / "curves.py").write_text("def falling(v):\n    return 0.3 + 0.1 / (1.0 + v)\n")
    text = (tmp_path / "scene.toml").read_text()
    begin, end = text.index("mu = {"), text.index("}", text.index("mu = {")) + 1
    (tmp_path / "own.toml").write_text(text[:begin] + 'mu = {function = "curves.py:falling"}' + text[end:])
    mu = trundle.load_scene(tmp_path / "own.toml")[0].pairs[("a", "b")].law.mu
    assert mu.at(speed=1.0) == pytest.approx(0.35)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: laws.Stribeck(static=-1.0, kinetic=0.3), "static = -1"),
        (lambda: laws.SpeedTable(speed=(0.1, 0.2), value=(1, 1)), "begin with 0"),
        (lambda: laws.OfSpeed(lambda v: -v), "no coefficient"),
        (lambda: laws.OfSpeed(lambda v: print(v, sep=1)), "cannot be compiled"),
        (lambda: laws.Coulomb(mu=laws.HertzPatch(young=1e9)), "is a length"),
        (lambda: laws.Superellipse(mu_x=STRIBECK, mu_y=0.2, k=0.0), "associated"),
    ],
)
def test_coefficients_that_cannot_be_are_refused(make, says):
    with pytest.raises(LawError, match=says):
        make()


def test_a_single_problem_does_not_take_a_law_that_varies():
    with pytest.raises(ProblemError, match="law.at"):
        trundle.ContactProblem(laws.Coulomb(STRIBECK), W=np.eye(3), q=[-1.0, 0.5, 0.0])
    scene = trundle.Scene()
    scene.add(trundle.Sphere(0.1), name="ball", density=2500.0, position=(0, 0, 0.1), surface="a")
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="b")
    material = trundle.Hooke(stiffness=1e5, rolling_resistance=0.1)
    scene.surface("a", "b", law=laws.Rolling(0.3, laws.Stribeck(static=2e-3, kinetic=1e-3)), material=material)
    with pytest.raises(SceneError, match="Leave out rolling_resistance"):
        trundle.simulate(scene, 0.01, 1e-4, formulation="history")


@pytest.mark.parametrize(
    "law", [laws.Rolling(STRIBECK, laws.Stribeck(static=2e-3, kinetic=1e-3)), laws.Coulomb(STRIBECK)]
)
def test_a_law_that_varies_is_a_law_at_every_speed(law):
    report = laws.check(law)
    assert report
    assert any("fast" in result.name for result in report.results)


def test_a_run_that_is_resumed_sticks_where_it_stuck(tmp_path):
    """Static friction remembers: the same bits with and without a break."""

    def scene():
        made = trundle.Scene(gravity=(G * math.sin(0.36), 0, -G * math.cos(0.36)))
        made.add(trundle.Box((0.2, 0.2, 0.1)), name="body", mass=1.0, position=(0, 0, 0.05), surface="a")
        made.add(trundle.HalfSpace(), name="ground", fixed=True, surface="b")
        made.surface("a", "b", law=laws.Coulomb(laws.Stribeck(static=STATIC, kinetic=KINETIC)))
        return made

    whole = trundle.simulate(scene(), 0.2, 1e-3)
    first = trundle.simulate(scene(), 0.1, 1e-3, record=tmp_path / "run.h5")
    assert first is not None
    again = trundle.resume(tmp_path / "run.h5", duration=0.2)
    assert np.array_equal(again.position("body")[-1], whole.position("body")[-1])


def friction_ball(s):
    """Force and torque of a Hertzian patch per mu N and mu N eps, le Saux et al. (2005), (2.29)-(2.30) integrated."""
    if s <= 1.0:
        k = 3.0 * math.pi / 16.0
        return k * s * (2.0 - 0.5 * s**2), k * (1.0 - s**2 + 0.375 * s**4)
    a, root = math.asin(1.0 / s), math.sqrt(s * s - 1.0)
    return (
        0.375 * s * (2.0 - 0.5 * s**2) * a + 0.1875 * root * (s + 2.0 / s),
        0.375 * (1.0 - s**2 + 0.375 * s**4) * a + (9.0 / 32.0 - 9.0 / 64.0 * s**2) * root,
    )


def test_a_sphere_that_slides_and_spins_drifts_as_its_hertzian_patch_says():
    """Second order against a differential equation of our own; the patch follows from the weight."""
    R, mu, young, poisson, duration = 0.05, 0.3, 1e7, 0.3, 0.3
    I = 0.4 * R * R
    patch = (0.75 * G * R * 2.0 * (1.0 - poisson**2) / young) ** (1.0 / 3.0)

    def rates(t, y):
        vx, vy, wx, wy, wz = y
        ux, uy = vx - R * wy, vy + R * wx
        u = math.hypot(ux, uy)
        force, torque = friction_ball(u / (patch * abs(wz)))
        fx, fy = -mu * G * force * ux / u, -mu * G * force * uy / u
        return [fx, fy, R * fy / I, -R * fx / I, -mu * G * patch * torque * np.sign(wz) / I]

    truth = solve_ivp(rates, (0, duration), [1.0, 0.2, 0, 0, 300.0], rtol=1e-11, atol=1e-13).y[:, -1]
    errors = []
    for h in (2e-3, 1e-3):
        scene = trundle.Scene(gravity=(0, 0, -G))
        scene.add(
            trundle.Sphere(R), name="ball", mass=1.0, position=(0, 0, R), velocity=(1.0, 0.2, 0),
            angular_velocity=(0, 0, 300.0), surface="a",
        )  # fmt: skip
        scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="b")
        law = laws.Contensou(mu=mu, patch_radius=laws.HertzPatch(young=young, poisson=poisson))
        scene.surface("a", "b", law=law)
        run = trundle.simulate(scene, duration, h, tolerance=1e-11)
        assert not run.warnings
        errors.append(np.abs(run.velocity("ball")[-1, :2] - truth[:2]).max())
    assert errors[0] < 2e-6
    assert 3.7 < errors[0] / errors[1] < 4.3
