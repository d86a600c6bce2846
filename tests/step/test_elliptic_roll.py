"""Rolling friction that differs along two axes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import trundle
from trundle import laws
from trundle.errors import SceneError

G, R, ALONG, ACROSS = 9.81, 0.1, 0.004, 0.002


def test_the_ellipse_and_its_products_are_laws():
    roll = laws.EllipticRoll(mu_rx=0.01, mu_ry=0.03)
    assert laws.check(roll)
    assert laws.check(laws.Coulomb(0.3) * roll)
    assert laws.check(laws.Superellipse(mu_x=0.3, mu_y=0.2, q=4) * roll)  # two curves in one cone
    assert laws.check(laws.Contensou(mu=0.3, patch_radius=0.01) * roll)
    w = np.array([3.0, 4.0])
    assert roll.support(w) == pytest.approx(math.hypot(0.01 * 3, 0.03 * 4))


@pytest.mark.parametrize("formulation", ["exact", "relaxed", "compliant", "history"])
@pytest.mark.parametrize(("direction", "lever"), [((1, 0), ALONG), ((0, 1), ACROSS)])
def test_a_ball_rolls_farther_along_one_axis_than_along_the_other(direction, lever, formulation):
    """a = 5 g lever / (7 R), where the lever is that of the moment about the axis of rotation."""
    x, y = direction
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(
        trundle.Sphere(R), name="ball", mass=1.0, position=(0, 0, R), velocity=(x, y, 0),
        angular_velocity=(-y / R, x / R, 0), surface="a",
    )  # fmt: skip
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="b")
    said = {"stiffness": (1e8, 1e8, 1e6, 1e6)} if formulation == "compliant" else {}
    if formulation == "history":
        said = {"material": trundle.Hooke(stiffness=1e6, rolling_stiffness=1e3)}
    law = laws.Coulomb(0.5) * laws.EllipticRoll(mu_rx=ACROSS, mu_ry=ALONG)
    scene.surface("a", "b", law=law, axis=(1, 0, 0), axis_of="ground", **said)
    h = 1e-4 if formulation == "history" else 2e-3
    run = trundle.simulate(scene, 0.4, h, tolerance=1e-10, formulation=formulation)
    half = len(run.time) // 2
    speed = np.linalg.norm(run.velocity("ball")[:, :2], axis=1)
    slowed = (speed[half] - speed[-1]) / (run.time[-1] - run.time[half])
    assert slowed == pytest.approx(5 * G * lever / (7 * R), rel=2e-3 if formulation in ("history", "relaxed") else 1e-6)


def test_an_ellipse_needs_an_axis():
    scene = trundle.Scene()
    with pytest.raises(SceneError, match="axis"):
        scene.surface("a", "b", law=laws.Coulomb(0.5) * laws.EllipticRoll(mu_rx=0.01, mu_ry=0.02))
