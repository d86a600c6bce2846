"""Bodies whose contact points move over them roll without gaining or losing energy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import trundle
from trundle import laws

g = 9.81
LOSSES = ("sliding", "rolling", "spinning", "impact")


def on_plane(shape, mu=2.0, restitution=0.0, **body):
    scene = trundle.Scene(gravity=(0, 0, -g))
    scene.add(shape, name="b", surface="b", **body)
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="g")
    scene.surface("b", "g", law=laws.Coulomb(mu=mu), restitution=restitution)
    return scene


def disk(beta, rho, r=0.05):
    """Circular rolling, le Saux et al. (2005), (5.12)."""
    s, c = math.sin(beta), math.cos(beta)
    gamma = -math.sqrt(4 * g / r * s / ((6 - 5 * rho * s) * rho * c))
    axis, up, t = np.array([0, c, s]), np.array([0, -s, c]), math.pi / 2 - beta
    omega = -rho * gamma * np.array([0, 0, 1.0]) + gamma * axis
    return on_plane(
        trundle.Disk(radius=r), mass=0.5, position=(0, 0, r * c), orientation=(math.cos(t / 2), -math.sin(t / 2), 0, 0),
        velocity=np.cross(omega, r * up), angular_velocity=omega,
    )  # fmt: skip


def rocking(shape, height, tilt=0.3, restitution=0.0):
    return on_plane(
        shape,
        restitution=restitution,
        mass=1.0,
        position=(0, 0, height),
        orientation=(math.cos(tilt / 2), 0, math.sin(tilt / 2), 0),
    )


def ellipsoid(restitution=0.0):
    a, c, tilt = 0.2, 0.1, 0.3
    return rocking(
        trundle.Ellipsoid(semi_axes=(a, c, c)), math.hypot(a * math.sin(tilt), c * math.cos(tilt)), tilt, restitution
    )


MOTIONS = {
    "disk that rolls steeply": (lambda: disk(0.35, 0.3), 0.0),
    "disk that rolls in a circle": (lambda: disk(0.8, 0.9), 0.0),
    "disk whose centre stands still": (lambda: disk(1.3, 1 / math.sin(1.3)), 0.0),
    "rocking ellipsoid": (ellipsoid, 1.0 * g * 0.1),
}


def change(scene, floor, h, duration=2.0):
    """Relative change of the energy above that of rest, and the run."""
    run = trundle.simulate(scene, duration, h, every=10**9)
    E = run.energy["kinetic"] + run.energy["potential"] - floor
    return float(E[-1] / E[0] - 1.0), run


@pytest.mark.parametrize("name", list(MOTIONS))
def test_rolling_keeps_its_energy_to_second_order_or_better(name):
    build, floor = MOTIONS[name]
    coarse, run = change(build(), floor, 1e-3)
    fine, _ = change(build(), floor, 5e-4)
    # a tenth of what is allowed in 20 s; an order of 2 makes 4
    assert abs(coarse) < (1e-4 if floor else 1e-5)
    assert abs(fine) < abs(coarse) / 3.5 + 1e-9
    assert not run.warnings
    for column in LOSSES:
        assert run.energy[column].min() >= -1e-14, column
    # a contact that stays closed has no impacts
    assert run.energy["impact"].sum() == 0.0


def coin(ratio, tilt, restitution=0.0, r=0.038):
    """A cylinder that whirrs on the rim of its lower face as a thin disk would, whose centre stands still."""
    beta = 0.5 * math.pi - tilt
    s, c, half = math.sin(beta), math.cos(beta), 0.5 * ratio * r
    gamma = -math.sqrt(4 * g / (r * c) * s)
    axis = np.array([0, c, s])
    omega = gamma * (axis - np.array([0, 0, 1.0]) / s)
    arm = r * np.array([0, -s, c]) + half * axis
    return on_plane(
        trundle.Cylinder(r, 2.0 * half), mass=0.5, position=(0, 0, arm[2]), restitution=restitution,
        orientation=(math.cos(tilt / 2), -math.sin(tilt / 2), 0, 0), velocity=np.cross(omega, arm), angular_velocity=omega,
    )  # fmt: skip


@pytest.mark.parametrize("ratio", [1 / 38, 0.05, 0.2])
@pytest.mark.parametrize("tilt", [0.3, 0.1, 0.05])
def test_coins_of_any_thickness_whirr_on_without_drift(ratio, tilt):
    """hw is up to 0.14; with errors that steps stop, energy drifts by 1e-4 per second."""
    for h in (1e-3, 5e-4):
        run = trundle.simulate(coin(ratio, tilt), 4.0, h, every=10**9)
        E = np.asarray(run.energy["kinetic"] + run.energy["potential"])
        # a tenth of what is allowed in 20 s, and the square of the step
        assert abs(np.polyfit(run.energy["time"], E / E[0], 1)[0]) * 20.0 < 1e-4 * (h / 1e-3) ** 2, h
        assert np.abs(E / E[0] - 1.0).max() < 1e-4 * (h / 1e-3) ** 2, h
        assert run.energy["impact"].sum() == 0.0


def test_a_coin_that_whirrs_in_a_bowl_does_not_hit_what_it_rolls_on():
    """The contact goes around the rim by up to 0.2 rad per step, so that where straight ways lead the rim is deep in the bowl."""
    scene = trundle.Scene(gravity=(0, 0, -g))
    scene.add(trundle.SphereInside(radius=0.5), name="bowl", fixed=True, surface="g", position=(0, 0, 0.5))
    omega = (0.0, -14.38319099, 3.77059987)
    scene.add(
        trundle.Cylinder(0.038, 0.0076), name="b", surface="b", mass=0.5, position=(0, 0, 0.02980693),
        orientation=(0.92664883, -0.37592812, 0, 0), velocity=(-0.32719862, 0, 0), angular_velocity=omega,
    )  # fmt: skip
    scene.surface("b", "g", law=laws.Coulomb(mu=2.0))
    run = trundle.simulate(scene, 1.8, 1e-3, every=10**9)
    E = run.energy["kinetic"] + run.energy["potential"]
    # at 1.354 s it comes upright and hits with its other rim: 1.1e-3 at any step; what whirring takes is an error of second order
    assert abs(E[-1] / E[0] - 1.0) < 1e-2


@pytest.mark.parametrize("restitution", [0.3, 1.0])
def test_restitution_changes_nothing_in_a_motion_without_impacts(restitution):
    for scene, floor in ((coin(0.2, 0.1, restitution), 0.0), (ellipsoid(restitution), g * 0.1)):
        change_of_energy, run = change(scene, floor, 1e-3)
        assert abs(change_of_energy) < 1e-4
        for column in LOSSES:
            assert abs(run.energy[column]).sum() < 1e-8 * run.energy["kinetic"].max(), column


def rattleback(semi_axes, skew, omega, duration):
    """Spin about the vertical, from the equations of rolling without slip in the body frame."""
    D, I = np.diag(np.square(semi_axes)), rattleback_inertia(semi_axes, skew)

    def rate(_, y):
        q, w = y[:4] / np.linalg.norm(y[:4]), y[4:]
        u = Rotation.from_quat(q, scalar_first=True).as_matrix().T @ [0, 0, 1]
        du, s = -np.cross(w, u), math.sqrt(u @ D @ u)
        r, dr = -D @ u / s, -D @ du / s + D @ u * (u @ D @ du) / s**3
        X = np.cross(np.eye(3), r)  # X a = r x a
        force = -np.cross(w, dr) + np.cross(w, -np.cross(w, r)) + g * u  # without the part of dw
        dw = np.linalg.solve(I - X @ X, X @ force - np.cross(w, I @ w))
        turn = np.array([-q[1:] @ w, *(q[0] * w + np.cross(q[1:], w))])
        return np.concatenate([0.5 * turn, dw])

    y = solve_ivp(rate, (0, duration), [1, 0, 0, 0, *omega], method="DOP853", rtol=1e-10, atol=1e-12).y[:, -1]
    return float((Rotation.from_quat(y[:4], scalar_first=True).as_matrix() @ y[4:])[2])


def rattleback_inertia(semi_axes, skew):
    a, b, c = np.square(semi_axes)
    R = Rotation.from_euler("z", skew).as_matrix()
    return R @ np.diag([b + c, a + c, a + b]) @ R.T / 5.0


def test_a_rattleback_turns_around_as_rolling_without_slip_says():
    semi_axes, skew, omega = (0.2, 0.03, 0.02), 0.02, np.array([0.01, 0.02, -5.0])
    scene = on_plane(
        trundle.Ellipsoid(semi_axes=semi_axes), mass=1.0, inertia=rattleback_inertia(semi_axes, skew), position=(0, 0, 0.02),
        velocity=-np.cross(omega, (0, 0, -0.02)), angular_velocity=omega,
    )  # fmt: skip
    right = rattleback(semi_axes, skew, omega, 5.0)
    assert right > 3.0
    spin = [float(trundle.simulate(scene, 5.0, h).angular_velocity("b")[-1, 2]) for h in (1e-3, 5e-4)]
    assert abs(spin[0] - right) < 0.01 * right
    assert abs(spin[1] - right) < abs(spin[0] - right) / 3.0
