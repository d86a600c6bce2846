"""time_step="auto", accuracy=1e-6 against equations of motion of rolling and sliding bodies: kept to 1e-5."""

from __future__ import annotations

import numpy as np
from contensou_disk import Disk
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import trundle
from trundle import laws
from trundle.papers.le_saux_2005 import cases

PROMISED, G = 1e-5, 9.81


def test_the_disk_of_le_saux_case_3_sticks_slides_and_spins_as_its_equations_say():
    start = (
        np.array([0.0, -1.0, 0.0]),
        *(getattr(cases.build_scene(3).bodies[0], name) for name in ("position", "velocity", "angular_velocity")),
    )
    run = trundle.simulate(cases.build_scene(3), 0.8, "auto", accuracy=1e-6)
    disk = Disk(cases.MASS, cases.RADIUS, cases.GRAVITY, cases.MU, cases.PATCH)
    right = disk.move(np.concatenate(start), run.time)
    for ours, exact, size in (
        (run.position("disk"), right[:, 3:6], cases.RADIUS),
        (run.velocity("disk"), right[:, 6:9], np.abs(right[:, 6:9]).max()),
        (run.angular_velocity("disk"), right[:, 9:], np.abs(right[:, 9:]).max()),
    ):
        assert np.abs(ours - exact).max() < PROMISED * size
    stored = run.energy["kinetic"] + run.energy["potential"]
    ours = np.interp(run.time[1:], run.energy["time"], stored)
    assert np.abs(ours / disk.energy(right)[1:] - 1.0).max() < PROMISED
    assert not run.warnings


def rattleback_rate(semi_axes, inertia):
    """Of quaternion and angular velocity in the body frame, rolling without slip, for 1 kg."""
    D = np.diag(np.square(semi_axes))

    def rate(_, y):
        q, w = y[:4] / np.linalg.norm(y[:4]), y[4:]
        u = Rotation.from_quat(q, scalar_first=True).as_matrix().T @ [0, 0, 1]
        du, s = -np.cross(w, u), np.sqrt(u @ D @ u)
        r, dr = -D @ u / s, -D @ du / s + D @ u * (u @ D @ du) / s**3
        X = np.cross(np.eye(3), r)
        force = -np.cross(w, dr) + np.cross(w, -np.cross(w, r)) + G * u
        dw = np.linalg.solve(inertia - X @ X, X @ force - np.cross(w, inertia @ w))
        return np.concatenate([0.5 * np.array([-q[1:] @ w, *(q[0] * w + np.cross(q[1:], w))]), dw])

    return rate


def test_a_rattleback_turns_around_as_rolling_without_slip_says():
    semi_axes, omega = (0.2, 0.03, 0.02), np.array([0.01, 0.02, -5.0])
    a, b, c = np.square(semi_axes)
    R = Rotation.from_euler("z", 0.05).as_matrix()
    inertia = R @ np.diag([b + c, a + c, a + b]) @ R.T / 5.0
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(
        trundle.Ellipsoid(semi_axes=semi_axes), name="stone", mass=1.0, inertia=inertia, position=(0, 0, 0.02),
        velocity=-np.cross(omega, (0, 0, -0.02)), angular_velocity=omega, surface="a",
    )  # fmt: skip
    scene.add(trundle.HalfSpace(), name="table", fixed=True, surface="b")
    scene.surface("a", "b", law=laws.Coulomb(mu=2.0))
    run = trundle.simulate(scene, 2.0, "auto", accuracy=1e-6, frames_per_second=50)
    y = solve_ivp(
        rattleback_rate(semi_axes, inertia), (0, 2.0), [1, 0, 0, 0, *omega], method="DOP853", rtol=1e-11, atol=1e-13,
        t_eval=run.time,
    ).y  # fmt: skip
    spin = Rotation.from_quat(y[:4].T, scalar_first=True).apply(y[4:].T)[:, 2]
    assert spin[-1] > 0.0  # it has turned around
    assert np.abs(run.angular_velocity("stone")[:, 2] - spin).max() < PROMISED * 5.0
    assert not run.warnings
