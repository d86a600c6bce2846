"""A disk on a table: three contact points, friction along the rim, viscous rolling, the midpoint scheme, compiled steps."""

import math

import numpy as np
import pytest

from trundle import Box, Disk, HalfSpace, Scene, Sphere, laws, simulate
from trundle.analytic.disk import RollingFriction, ThinDisk, rolling_state
from trundle.errors import SceneError, TrundleError
from trundle.scene.model import build_model
from trundle.step.compiled import Compiled
from trundle.step.moreau_jean import MoreauJean

R, MASS = 0.0375, 0.3048
DISK = ThinDisk(MASS, R)


def disk_scene(law, tilt=0.0, spin=10.0, fall=0.35, **surface):
    """A disk that rolls, tilted from the vertical, on a level table."""
    axis = np.array([0.0, -math.cos(tilt), math.sin(tilt)])
    omega = np.array([fall, 0.0, 0.0]) + spin * axis
    arm = -R * np.array([0.0, math.sin(tilt), math.cos(tilt)])
    turn = 0.5 * (0.5 * math.pi - tilt)
    scene = Scene(gravity=(0, 0, -9.81))
    scene.add(Disk(radius=R), name="disk", mass=MASS, position=(0, 0, R * math.cos(tilt)),
              orientation=(math.cos(turn), math.sin(turn), 0, 0), velocity=-np.cross(omega, arm), angular_velocity=omega,
              surface="steel")  # fmt: skip
    scene.add(HalfSpace(normal=(0, 0, 1)), name="table", fixed=True, surface="glass")
    scene.surface("steel", "glass", law=law, **surface)
    return scene


def box_scene():
    scene = Scene(gravity=(0, 0, -9.81))
    scene.add(Box(size=(0.2, 0.1, 0.05)), name="box", density=500.0, position=(0, 0, 0.08), velocity=(1.0, 0.2, 0),
              orientation=(math.cos(0.2), math.sin(0.2), 0, 0), angular_velocity=(0, 1, 3), surface="wood")  # fmt: skip
    scene.add(HalfSpace(normal=(0, 0.1, 1)), name="slope", fixed=True, surface="ground")
    scene.add(HalfSpace(normal=(-1, 0, 0), offset=-0.4), name="wall", fixed=True, surface="ground")
    scene.surface("wood", "ground", law=laws.Coulomb(mu=0.4), restitution=0.3)
    return scene


def sphere_scene():
    scene = Scene(gravity=(0, 0, -9.81))
    scene.add(Sphere(radius=0.5), name="ball", density=2500.0, position=(0, 0, 0.5), velocity=(2.5, 0, 0),
              angular_velocity=(0, 2, 1), surface="rock")  # fmt: skip
    scene.add(HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True, surface="soil")
    scene.surface("rock", "soil", law=laws.SlideRollSpin(mu=0.2, mu_r=0.04, mu_s=0.01))
    return scene


CONTENSOU = laws.Contensou(mu=0.3, patch_radius=2e-3) * laws.Roll(mu_r=3e-4)
SCENES = {
    "sticks": lambda: disk_scene(laws.Coulomb(mu=0.3)),
    "contour": lambda: disk_scene(CONTENSOU, tilt=1.0, rolling="contour"),
    "viscous": lambda: disk_scene(laws.Coulomb(mu=0.3), tilt=0.5, rolling="contour", rolling_viscosity=1e-4),
    "box": box_scene,
    "sphere": sphere_scene,
}


@pytest.mark.parametrize("scheme", ["moreau-jean", "moreau-midpoint"])
@pytest.mark.parametrize("name", SCENES)
def test_compiled_steps_are_those_of_the_general_stepper(name, scheme):
    h = 1e-4 if name in ("sticks", "contour", "viscous") else 1e-3
    results = []
    for compiled in (False, True):
        model, state = build_model(SCENES[name]())
        stepper = MoreauJean(model, theta=0.5, tolerance=1e-10, scheme=scheme)
        if compiled:
            assert Compiled.qualifies(stepper)
            stepper = Compiled(stepper)
        losses = np.zeros(5)
        for _ in range(150):
            ledger = stepper.step(state, h).ledger
            losses += (ledger.sliding, ledger.rolling, ledger.spinning, ledger.impact, ledger.scheme)
        results.append((state, losses, ledger.total))
    (one, lost, total), (other, also_lost, also_total) = results
    size = max(1.0, np.abs(one.velocity).max())
    assert other.position == pytest.approx(one.position, abs=1e-9)
    assert other.velocity == pytest.approx(one.velocity, abs=1e-7 * size)
    assert other.angular_velocity == pytest.approx(one.angular_velocity, abs=1e-5)
    assert also_lost == pytest.approx(lost, abs=1e-7 * abs(total))
    assert also_total == pytest.approx(total, rel=1e-8)


def test_many_steps_at_once_are_the_same_steps():
    runs = [
        simulate(SCENES["contour"](), 0.05, 1e-4, every=n, progress=p)
        for n, p in ((500, None), (1, None), (500, print_nothing))
    ]
    for run in runs[1:]:
        assert np.array_equal(run.final.position, runs[0].final.position)
        assert np.array_equal(run.final.orientation, runs[0].final.orientation)
        assert run.energy["rolling"] == pytest.approx(runs[0].energy["rolling"], rel=1e-12)
    assert np.array_equal(runs[0].steps["time"], runs[1].steps["time"])


def print_nothing(report, state):
    assert report.impulse.shape == report.velocity.shape == (len(report.contacts), 6)


@pytest.mark.parametrize("scheme", ["moreau-jean", "moreau-midpoint"])
def test_rolling_with_contour_friction_converges_to_the_smooth_equations(scheme):
    # first order: half the step, half the error
    start = rolling_state((0.0, 0.0), (0.0, -1.0, 0.0), (0.35, -10.0, 0.0))
    reference = DISK.roll(start, 0.5, RollingFriction(contour=3e-3))
    errors = []
    for h in (4e-4, 2e-4):
        law = laws.Coulomb(mu=5.0) * laws.Roll(mu_r=3e-3)
        run = simulate(disk_scene(law, rolling="contour"), 0.5, h, scheme=scheme, tolerance=1e-11)
        errors.append(np.abs(run.position("disk")[-1] - reference.position(0.5)[0]).max())
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.15)
    assert errors[1] < 2e-3


def test_energy_lost_along_the_rim_is_the_law_times_the_way_of_the_contact_point():
    # dissipation mu_R N |gamma_R| with gamma_R = r gamma' for an upright disk that hardly tilts, N = m g
    law = laws.Coulomb(mu=0.5) * laws.Roll(mu_r=1e-3)
    run = simulate(disk_scene(law, fall=0.0, rolling="contour"), 0.1, 1e-4)
    way = np.linalg.norm(
        run.position("disk")[-1] - run.position("disk")[0]
    )  # it rolls straight: the same way on the table
    assert run.energy["rolling"].sum() == pytest.approx(1e-3 * MASS * 9.81 * way, rel=1e-3)
    assert abs(run.energy["sliding"].sum()) < 1e-9


def test_classical_and_contour_friction_agree_for_an_upright_disk_up_to_the_radius():
    # upright, gamma_R = r w about the axis: mu_r [m] = mu_R r
    contour = simulate(disk_scene(laws.Coulomb(mu=0.5) * laws.Roll(mu_r=1e-3), fall=0.0, rolling="contour"), 0.1, 1e-3)
    classical = simulate(disk_scene(laws.Coulomb(mu=0.5) * laws.Roll(mu_r=1e-3 * R), fall=0.0), 0.1, 1e-3)
    assert contour.final.position == pytest.approx(classical.final.position, abs=1e-9)


def test_viscous_rolling_slows_an_upright_disk_exponentially():
    # (I_c) w' = -c w about the contact, I_c = 3/2 m r^2: implicit Euler, (1 + h c / I_c)^-n
    c, h, n = 1e-4, 1e-3, 200
    run = simulate(disk_scene(laws.Coulomb(mu=0.5), fall=0.0, rolling_viscosity=c), n * h, h, tolerance=1e-12)
    expected = 10.0 * (1.0 + h * c / (1.5 * MASS * R**2)) ** -n
    assert np.linalg.norm(run.angular_velocity("disk")[-1]) == pytest.approx(expected, rel=1e-6)
    lost = run.energy["rolling"].sum()
    assert lost == pytest.approx(0.75 * MASS * R**2 * (100.0 - expected**2), rel=1e-3)


def test_disk_falls_flat_on_three_points_and_stays():
    scene = disk_scene(laws.Coulomb(mu=0.3), tilt=1.3, spin=0.0, fall=1.0)
    run = simulate(scene, 0.5, 1e-3)
    assert run.steps["contacts"][-1] == 3
    assert abs(run.final.position[0, 2]) < 1e-9
    assert np.abs(run.final.velocity[0]).max() < 1e-9


@pytest.mark.parametrize("scheme", ["moreau-jean", "moreau-midpoint"])
def test_rim_does_not_sink_in_and_the_ledger_closes(scheme):
    run = simulate(disk_scene(CONTENSOU, tilt=1.2, rolling="contour"), 0.3, 1e-4, scheme=scheme)
    w, x, y, z = run.orientation("disk").T
    level = np.hypot(2 * (x * z + w * y), 2 * (y * z - w * x))
    assert (run.position("disk")[:, 2] - R * level).min() > -1e-12
    e = run.energy
    total = e["kinetic"] + e["potential"]
    lost = sum(e[name] for name in ("sliding", "rolling", "spinning", "impact", "scheme"))
    assert np.diff(total) == pytest.approx(-lost[1:], abs=1e-15)


def test_what_does_not_fit_is_refused():
    with pytest.raises(SceneError, match="has no rolling friction"):
        disk_scene(laws.Coulomb(mu=0.3), rolling="contour")
    with pytest.raises(SceneError, match="Did you mean 'contour'"):
        disk_scene(CONTENSOU, rolling="countour")
    scene = sphere_scene()
    scene.surface("rock", "soil", law=laws.Rolling(mu=0.2, mu_r=0.04), rolling="contour")
    with pytest.raises(TrundleError, match="only they have a rim"):
        simulate(scene, 0.1, 1e-2)
    with pytest.raises(SceneError, match="moreau-midpoint"):
        simulate(sphere_scene(), 0.1, 1e-2, scheme="moreau-midpoint", theta=1.0)
    with pytest.raises(SceneError, match="unknown scheme"):
        simulate(sphere_scene(), 0.1, 1e-2, scheme="euler")
