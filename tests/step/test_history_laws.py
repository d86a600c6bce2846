"""History friction with laws of users, and with curvatures that differ between directions."""

import numpy as np
import pytest

from trundle import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    GivenForce,
    HalfSpace,
    Hooke,
    Scene,
    SceneError,
    Sphere,
    laws,
    simulate,
)
from trundle.scene.model import build_model
from trundle.step.history import History

LEVEL = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)  # the body's z-axis lies along -y


@laws.own(rows=("s",))
class Lever:
    lever: laws.Length
    share: laws.Ratio

    def project_section(f, r_n, c, out):
        most = c[0] * c[1] * r_n
        out[0] = min(max(f[0], -most), most)

    def support(w, c):
        return c[0] * c[1] * abs(w[0])


@laws.own(rows=("s",))
class OneWay:
    """Resists spinning in one direction only."""

    size: laws.Length

    def project_section(f, r_n, c, out):
        out[0] = min(max(f[0], -c[0] * r_n), 0.0)

    def support(w, c):
        return c[0] * max(-w[0], 0.0)


@laws.own(rows=("t1", "t2"))
class OwnSlide:
    mu: laws.Ratio

    def project_section(f, r_n, c, out):
        size, most = np.sqrt(f[0] * f[0] + f[1] * f[1]), c[0] * r_n
        factor = most / size if size > most else 1.0
        out[0], out[1] = factor * f[0], factor * f[1]

    def support(w, c):
        return c[0] * np.sqrt(w[0] * w[0] + w[1] * w[1])


@laws.own(rows=("r1", "r2"))
class OwnRoll:
    mu_r: laws.Length

    def project_section(f, r_n, c, out):
        size, most = np.sqrt(f[0] * f[0] + f[1] * f[1]), c[0] * r_n
        factor = most / size if size > most else 1.0
        out[0], out[1] = factor * f[0], factor * f[1]

    def support(w, c):
        return c[0] * np.sqrt(w[0] * w[0] + w[1] * w[1])


def ball(law, material, **motion):
    scene = Scene()
    scene.add(Sphere(0.1), name="ball", mass=1.0, position=(0, 0, 0.1), surface="a", **motion)
    scene.add(HalfSpace(), name="floor", fixed=True, surface="b")
    scene.surface("a", "b", law=law, material=material)
    return scene


def test_own_law_of_spinning_with_two_coefficients_slows_down_as_it_says():
    """omega = 10 - lever share N t / I; the ball is dropped from a height of 0 into its spring."""
    material = Hooke(stiffness=1e5, restitution=0.0)
    scene = ball(laws.Coulomb(mu=0.3) * Lever(lever=0.01, share=0.5), material, angular_velocity=(0, 0, 10.0))
    spins = [
        simulate(scene, 0.4, h, formulation=formulation, every=50).angular_velocity("ball")[-1, 2]
        for formulation, h in (("exact", 1e-3), ("history", 1e-4))
    ]
    assert np.array(spins) == pytest.approx(10.0 - 0.005 * 9.81 * 0.4 / (0.4 * 0.01), rel=1e-4)


@pytest.mark.parametrize("spin", [10.0, -10.0])
def test_own_law_that_resists_one_direction_is_honoured(spin):
    law = laws.Coulomb(mu=0.3) * OneWay(size=0.005)
    run = simulate(
        ball(law, GivenForce(force=9.81), angular_velocity=(0, 0, spin)), 0.2, 1e-4, formulation="history", every=100
    )
    slowed = 0.005 * 9.81 * 0.2 / (0.4 * 0.01) if spin > 0.0 else 0.0
    assert run.angular_velocity("ball")[-1, 2] == pytest.approx(spin - slowed, rel=1e-3)


@pytest.mark.parametrize("shape", [Sphere(0.1), Ellipsoid((0.1, 0.12, 0.15)), Box(size=(0.2, 0.25, 0.2))])
def test_disks_that_a_user_wrote_move_bodies_as_the_built_in_ones(shape):
    ends = []
    for law in (
        OwnSlide(mu=0.4) * Lever(lever=0.02, share=0.5) * OwnRoll(mu_r=0.01),
        laws.SlideRollSpin(mu=0.4, mu_r=0.01, mu_s=0.01),
    ):
        scene = Scene(gravity=(2.0, 1.0, -9.0))
        scene.add(HalfSpace(), name="ground", fixed=True, surface="g")
        scene.add(
            shape, name="body", mass=1.0, position=(0, 0, 0.21), orientation=(0.9, 0.3, 0.3, 0.1), velocity=(1.0, -0.5, -0.5),
            angular_velocity=(1.0, 2.0, 6.0), surface="s",
        )  # fmt: skip
        scene.surface("g", "s", law=law, material=Hooke(stiffness=1e5, restitution=0.4, static=1.2))
        model, state = build_model(scene)
        rows = History(model).advance_all(state, 1e-4, 3000)
        ends.append((state.position[1], state.angular_velocity[1], rows["spinning"].sum()))
    for mine, theirs in zip(*ends, strict=True):
        assert mine == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize(
    ("law", "given", "message"),
    [
        (laws.Coulomb(mu=0.3) * Lever(lever=0.01, share=0.5), {"spinning_resistance": 0.1}, "says itself how large it is"),
        (laws.Coulomb(mu=0.3) * Lever(lever=0.01, share=0.5), {"rolling_resistance": 0.1}, "has no such row"),
        (laws.Contensou(mu=0.3, patch_radius=0.01), {"spinning_resistance": "hertz"}, "says itself how large it is"),
    ],
)  # fmt: skip
def test_resistances_of_a_material_that_a_law_cannot_take_are_refused(law, given, message):
    with pytest.raises(SceneError, match=message):
        simulate(ball(law, Hooke(stiffness=1e5, **given)), 0.1, 1e-4, formulation="history")


# --- rolling resistance follows the curvature along the rolling direction -----------------------------------------------------

ETA, MU = 0.1, 0.2


def rolling_torque(shape, height, omega, *, orientation=(1.0, 0, 0, 0), rolling="pair"):
    """Rolling torque [m], world frame, per normal force on a body that rolls on a plane, summed over its contacts."""
    scene = Scene(gravity=(0, 0, -9.81))
    scene.add(HalfSpace(), name="ground", fixed=True, surface="g")
    velocity = np.cross(omega, (0, 0, height))
    scene.add(
        shape, name="body", mass=1.0, position=(0, 0, height - 1e-6), orientation=orientation, velocity=velocity,
        angular_velocity=omega, surface="s",
    )  # fmt: skip
    material = Hooke(stiffness=1e6, restitution=0.0, rolling_resistance=ETA, rolling=rolling)
    scene.surface("g", "s", law=laws.Coulomb(mu=MU), material=material)
    model, state = build_model(scene)
    stepper = History(model)
    for _ in range(50):
        report = stepper.step(state, 1e-5)
    loads = report.solution.p
    return loads[:, 4:7].sum(axis=0) / loads[:, 3].sum()


def turned_about_z(angle, q):
    a, (w, x, y, z) = np.array([np.cos(0.5 * angle), np.sin(0.5 * angle)]), q
    return a[0] * w - a[1] * z, a[0] * x - a[1] * y, a[0] * y + a[1] * x, a[0] * z + a[1] * w


@pytest.mark.parametrize("rolling", ["pair", "per-body", "constant", "spring"])
@pytest.mark.parametrize("angle", [0.0, 0.7])
@pytest.mark.parametrize(
    ("shape", "height", "radius"),
    [
        (Ellipsoid((0.2, 0.2, 0.5)), 0.2, 0.2),
        (Capsule(0.1, 0.2), 0.1, 0.1),
        (Cylinder(0.1, 0.2), 0.1, 0.1),
        (Sphere(0.1), 0.1, 0.1),
    ],
)  # fmt: skip
def test_rolling_about_the_long_axis_is_resisted_by_the_curvature_around_it(shape, height, radius, angle, rolling):
    """T / N = 2 eta mu / kappa, Fang & Negrut (2020), (2b), (2c): 0.0080 m for the ellipsoid."""
    axis = np.array([np.sin(angle), -np.cos(angle), 0.0])
    torque = rolling_torque(
        shape, height, 20.0 * axis, orientation=turned_about_z(angle, LEVEL), rolling=rolling
    )  # fmt: skip
    assert torque == pytest.approx(-2 * ETA * MU * radius * axis, rel=1e-6, abs=1e-8)


def test_ellipsoid_that_rolls_end_over_end_is_resisted_by_the_curvature_along_it():
    """At its waist an ellipsoid (a, a, c) has the radius c^2 / a along its length: 1.25 m."""
    torque = rolling_torque(Ellipsoid((0.2, 0.2, 0.5)), 0.2, (1.0, 0, 0), orientation=LEVEL)
    assert torque[0] == pytest.approx(-2 * ETA * MU * 1.25, rel=1e-3)  # it tilts by 5e-4 rad meanwhile


def test_rolling_obliquely_is_resisted_by_the_point_of_an_ellipse_that_dissipates_most():
    """The torques are an ellipse with the half-axes 2 eta mu R_i; the flow rule picks T_i = -(c R_i)^2 w_i / |c R w|."""
    omega = np.array([2.0, -15.0, 0.0])
    radii = np.array([1.25, 0.2])
    torque = rolling_torque(Ellipsoid((0.2, 0.2, 0.5)), 0.2, omega, orientation=LEVEL, rolling="constant")
    c = 2 * ETA * MU * radii
    assert torque[:2] == pytest.approx(-(c**2) * omega[:2] / np.linalg.norm(c * omega[:2]), rel=1e-2)


def test_viscous_rolling_slows_a_ball_down_exponentially():
    """(m R^2 + I) omega' = -c omega."""
    scene, c = Scene(), 0.02
    scene.add(
        Sphere(0.1),
        name="ball",
        mass=1.0,
        position=(0, 0, 0.1),
        velocity=(1, 0, 0),
        angular_velocity=(0, 10, 0),
        surface="a",
    )
    scene.add(HalfSpace(), name="floor", fixed=True, surface="b")
    material = Hooke(stiffness=1e6, restitution=0.0)
    scene.surface("a", "b", law=laws.Coulomb(mu=0.5), rolling_viscosity=c, material=material)
    run = simulate(scene, 0.5, 1e-4, formulation="history", every=100)
    assert run.angular_velocity("ball")[-1, 1] == pytest.approx(10 * np.exp(-c * 0.5 / 0.014), rel=1e-3)
    assert run.energy["rolling"].sum() == pytest.approx(0.7 * (1 - np.exp(-2 * c * 0.5 / 0.014)), rel=1e-3)
