"""Bodies whose centre of mass is not the origin of their shape, against closed forms and an ODE."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import trundle
from trundle import laws
from trundle.errors import SceneError
from trundle.scene.files import parse_scene
from trundle.scene.writing import dump_scene

G = 9.81


def turned(q, x):
    w, u = q[0], np.asarray(q[1:])
    across = np.cross(u, x)
    return np.asarray(x) + 2.0 * (w * across + np.cross(u, across))


def test_the_centre_of_mass_of_a_thrown_body_flies_on_a_parabola():
    centre, spin, v = np.array([0.1, 0.02, -0.05]), np.array([1.0, 4.0, -2.0]), np.array([3.0, 0.0, 2.0])
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(
        trundle.Box((0.6, 0.3, 0.2)), name="box", mass=2.0, velocity=v, angular_velocity=spin, centre_of_mass=centre,
        position=(0, 0, 1),
    )  # fmt: skip
    run = trundle.simulate(scene, 1.0, 1e-2)
    arm = np.array([turned(q, centre) for q in run.orientation("box")])
    t = run.time[:, None]
    start = np.array([0, 0, 1]) + centre
    # of the origin; x = x0 + v0 t + g t^2 / 2 is exact in the theta-method at theta = 1/2
    exact = start + (v + np.cross(spin, centre)) * t + 0.5 * np.array([0, 0, -G]) * t**2
    assert run.position("box") + arm == pytest.approx(exact, abs=1e-12)
    speed = run.velocity("box") + np.cross(run.angular_velocity("box"), arm)
    assert speed == pytest.approx(v + np.cross(spin, centre) + np.array([0, 0, -G]) * t, abs=1e-12)


def rocking(h, a=0.1, c=0.04, tilt=1.0, until=2.0):
    """A loaded ball that rocks on a rough plane: the run, its tilt over time, and that of the ODE."""
    m, inertia = 1.5, 1.5 * 0.3 * a**2
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(trundle.HalfSpace(), name="ground", fixed=True)
    q = (math.cos(tilt / 2), 0, math.sin(tilt / 2), 0)
    scene.add(
        trundle.Sphere(a), name="ball", mass=m, inertia=(inertia,) * 3, position=(0, 0, a), orientation=q,
        centre_of_mass=(0, 0, -c),
    )  # fmt: skip
    scene.surface("default", "default", law=laws.Coulomb(mu=2.0))
    run = trundle.simulate(scene, until, h, tolerance=1e-10)
    q = run.orientation("ball")
    angle = 2 * np.arctan2(q[:, 2], q[:, 0])

    # T = (I + m (a^2 + c^2 - 2 a c cos)) w^2 / 2,  V = -m g c cos
    def rate(t, y):
        M = inertia + m * (a * a + c * c - 2 * a * c * math.cos(y[0]))
        return y[1], -(m * a * c * math.sin(y[0]) * y[1] ** 2 + m * G * c * math.sin(y[0])) / M

    exact = solve_ivp(rate, (0, until), (tilt, 0.0), t_eval=run.time, rtol=1e-11, atol=1e-12).y[0]
    return run, angle, exact


def test_a_loaded_ball_rocks_as_its_equation_of_motion_says_to_second_order():
    error = {}
    for h in (4e-3, 2e-3):
        run, angle, exact = rocking(h)
        error[h] = np.abs(angle - exact).max()
        # the shape rolls on the plane; contacts may sink in by the margin, 1e-3 of the radius
        assert run.position("ball")[:, 2] == pytest.approx(0.1, abs=1e-4)
        assert run.position("ball")[:, 0] == pytest.approx(0.1 * (angle - 1.0), abs=2e-4)
    assert error[2e-3] < 2e-3
    assert error[4e-3] / error[2e-3] == pytest.approx(4.0, rel=0.3)


@pytest.mark.parametrize("beyond", [-0.01, 0.01])
def test_a_box_tips_over_the_edge_beyond_which_its_centre_of_mass_is(beyond):
    scene = trundle.Scene()
    scene.add(trundle.Box((1, 1, 1)), name="table", fixed=True, position=(0, 0, -0.5))
    scene.add(
        trundle.Box((0.4, 0.2, 0.2)), name="box", mass=1.0, position=(0.5, 0, 0.1), centre_of_mass=(beyond, 0, 0.0)
    )
    scene.surface("default", "default", law=laws.Coulomb(mu=1.0))
    run = trundle.simulate(scene, 0.5, 2e-3)
    tilt = 2 * np.arcsin(run.orientation("box")[-1, 2])
    assert tilt > 0.05 if beyond > 0 else abs(tilt) < 1e-6


@pytest.mark.parametrize("restitution", [0.0, 0.6])
def test_a_loaded_body_that_lands_keeps_its_ledger_closed_and_shows_where_its_shape_is(restitution, tmp_path):
    scene = trundle.Scene()
    scene.add(trundle.HalfSpace(), name="ground", fixed=True)
    for i, shape in enumerate(
        (trundle.Sphere(0.1), trundle.Capsule(radius=0.05, height=0.2), trundle.Box((0.2, 0.1, 0.1)))
    ):
        scene.add(
            shape,
            name=f"b{i}",
            mass=1.0,
            position=(0.4 * i, 0, 0.4),
            angular_velocity=(3, 2, 1),
            centre_of_mass=(0.02, 0.01, 0),
        )
    scene.surface("default", "default", law=laws.Rolling(mu=0.5, mu_r=1e-3), restitution=restitution)
    run = trundle.simulate(scene, 1.5, 2e-3, tolerance=1e-6, record=tmp_path / "run.h5")
    assert not run.warnings
    assert run.energy["numerical"].sum() < 0.02 * run.energy["potential"][0]
    assert run.energy["numerical"].sum() > -1e-3 * run.energy["potential"][0]
    # the ball's lowest point is on the ground, wherever its load is
    assert run.position("b0")[-1, 2] == pytest.approx(0.1, abs=1e-3)
    recorded = trundle.open_recording(tmp_path / "run.h5")
    assert np.array_equal(recorded.position("b1"), run.position("b1"))
    # and resumed to the same bits
    trundle.simulate(scene, 0.75, 2e-3, tolerance=1e-6, record=tmp_path / "half.h5")
    again = trundle.resume(tmp_path / "half.h5", duration=1.5)
    assert np.array_equal(again.position("b1")[-1], run.position("b1")[-1])


def test_state_views_loads_and_joints_refer_to_the_origin_of_the_shape():
    scene = trundle.Scene(gravity=(0, 0, 0))
    scene.add(
        trundle.Sphere(0.1), name="ball", mass=2.0, inertia=(0.01,) * 3, position=(1, 2, 3), centre_of_mass=(0, 0, 0.05)
    )
    sim = trundle.Simulation(scene, 1e-3)
    assert sim.state.position("ball") == pytest.approx((1, 2, 3))
    assert sim.state.centre_of_mass("ball") == pytest.approx((1, 2, 3.05))
    scene.load("ball", force=(1, 0, 0), point=(0, 0, 0.05))  # through the centre of mass
    run = trundle.simulate(scene, 0.1, 1e-3)
    assert run.angular_velocity("ball")[-1] == pytest.approx((0, 0, 0), abs=1e-15)
    assert run.velocity("ball")[-1, 0] == pytest.approx(0.05)
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(trundle.Sphere(0.1), name="bob", mass=2.0, inertia=(0.01,) * 3, centre_of_mass=(0.05, 0, 0))
    scene.joint("hinge", "bob", name="pivot", position=(0, 0, 0), axis=(0, 1, 0))
    run = trundle.simulate(scene, 1e-3, 1e-3)
    # m g c / (I + m c^2) about the hinge
    assert run.angular_velocity("bob")[-1, 1] == pytest.approx(1e-3 * 2.0 * G * 0.05 / (0.01 + 2.0 * 0.05**2), rel=1e-9)


def test_centre_of_mass_is_written_and_refused_where_it_has_no_effect():
    scene = trundle.Scene()
    scene.add(trundle.Sphere(0.1), name="ball", mass=1.0, centre_of_mass=(0, 0, -0.02))
    text = dump_scene(scene)
    assert dump_scene(parse_scene(text)[0]) == text
    assert "centre_of_mass = [0.0, 0.0, -0.02]" in text
    with pytest.raises(SceneError, match="centre_of_mass = .* would have no effect"):
        scene.add(trundle.Sphere(0.1), name="fixed", fixed=True, centre_of_mass=(0, 0, 0.01))
    scene.surface("default", "default", law=laws.Coulomb(mu=0.2), material=trundle.Hooke(stiffness=1e5))
    with pytest.raises(SceneError, match="'ball': centre_of_mass has no place in formulation=\"history\""):
        trundle.simulate(scene, 0.01, 1e-4, formulation="history")


def test_inertias_printed_with_five_digits_pass_and_worse_ones_do_not():
    scene = trundle.Scene()
    scene.add(trundle.Disk(0.1), name="coin", mass=1.0, inertia=(0.33333, 0.33333, 0.66667))
    scene.add(trundle.Disk(0.1), name="plate", mass=1.0, inertia=((0.3, 1e-6, 0), (0.0, 0.3, 0), (0, 0, 0.6)))
    with pytest.raises(SceneError, match="at most the sum"):
        scene.add(trundle.Disk(0.1), mass=1.0, inertia=(0.333, 0.333, 0.667))
