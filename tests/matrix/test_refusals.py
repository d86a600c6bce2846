"""What cannot be honoured is refused before the first step, with a reason."""

from __future__ import annotations

import math

import numpy as np
import pytest

import trundle
from trundle import laws
from trundle.errors import TrundleError

HOOKE = trundle.Hooke(stiffness=2e4)
COULOMB, ROLLING = laws.Coulomb(0.3), laws.Rolling(0.3, 5e-3)
ELLIPSE = laws.Superellipse(mu_x=0.3, mu_y=0.2)
CONTENSOU = laws.Contensou(0.3, 0.01) * laws.Roll(5e-3)
BALL, BOX = (trundle.Sphere(0.1), 0.1), (trundle.Box((0.2, 0.2, 0.1)), 0.05)
PRISM = (trundle.Polyhedron([(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.05, 0.05)]), 0.05)
UPRIGHT = {"axis": (0, 0, 1), "axis_of": "ground"}


def refusal(name, words, body=BALL, law=COULOMB, joint=False, surface=None, **options):
    return pytest.param(words, body, law, joint, surface or {}, options, id=name)


REFUSALS = [
    refusal("the midpoint scheme has no springs", "midpoint", scheme="moreau-midpoint", formulation="compliant"),
    refusal("the midpoint scheme has no history", "midpoint", scheme="moreau-midpoint", formulation="history"),
    refusal("the midpoint scheme is for theta 1/2", "midpoint", scheme="moreau-midpoint", theta=1.0),
    refusal("history solves no contact problem", "solver", solver="gauss-seidel", formulation="history"),
    refusal("history has no joints", "joints", joint=True, formulation="history"),
    refusal("history needs a material", "material", surface={"material": None}, formulation="history"),
    refusal("torques of each body need disks", "per-body", law=CONTENSOU, formulation="history",
            surface={"material": trundle.Hooke(stiffness=2e4, rolling="per-body")}),
    refusal("contour friction needs a law that rolls", "rolling", surface={"rolling": "contour"}),
    refusal("contour friction is a ratio already", "ratio", law=ROLLING, surface={"rolling": "contour", "ratio": True}),
    refusal("an orthotropic law needs an axis", "axis", law=ELLIPSE),
    refusal("laws of the plane are not for bodies in space", "plane", law=laws.Coulomb2D(0.3)),
    refusal("a polyhedron has no radius for a ratio, history", "flat", PRISM, ROLLING, surface={"ratio": True},
            formulation="history"),
    refusal("an unknown solver", "solver", solver="newtonn"),
    refusal("an axis along the normal of flat ground", "axis", law=ELLIPSE, surface=UPRIGHT),
    refusal("an axis along the normal of flat ground, history", "axis", law=ELLIPSE, surface=UPRIGHT, formulation="history"),
    refusal("only disks and cylinders have a rim", "rim", law=ROLLING, surface={"rolling": "contour"}),
    refusal("Hertz' theory is not for boxes", "Hertz", BOX, surface={"material": trundle.Hertz(young=1e7)},
            formulation="history"),
    refusal("a spring has its own restitution", "restitution", surface={"restitution": 0.5}, formulation="compliant"),
    refusal("history has no theta", "theta", theta=1.0, formulation="history"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "body", "law", "joint", "surface", "options"), REFUSALS)
def test_what_cannot_be_honoured_is_refused_before_the_first_step(words, body, law, joint, surface, options):
    def build():
        scene = trundle.Scene()
        scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="soil")
        scene.add(body[0], name="body", mass=1.0, position=(0, 0, body[1] + 0.01), surface="rock")
        more = {"stiffness": 1e6, "material": HOOKE} | surface
        scene.surface("rock", "soil", law=law, **more)
        if joint:
            scene.joint("ball", "body", position=(0, 0, 0.3))
        return trundle.Simulation(scene, 1e-3, **options)

    with pytest.raises(TrundleError, match=words):
        build()


def test_a_standing_cylinder_has_no_radius_of_curvature_for_a_ratio_of_springs():
    # it has one on its side, so that only the contact can tell; but it must tell that, not that numbers are not finite
    scene = trundle.Scene()
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="soil")
    scene.add(trundle.Cylinder(0.1, 0.1), name="body", mass=1.0, position=(0, 0, 0.05), surface="rock")
    scene.surface("rock", "soil", law=ROLLING, ratio=True, material=HOOKE)
    with pytest.raises(TrundleError, match="flat surfaces"):
        trundle.simulate(scene, 0.01, 1e-3, formulation="history")


def test_a_mesh_that_looks_down_says_so_before_the_body_falls_through():
    scene = trundle.Scene()
    corners = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], float)
    scene.add(trundle.Mesh(corners, [(0, 2, 1), (0, 3, 2)]), name="ground", fixed=True, surface="soil")
    scene.add(trundle.Sphere(0.1), name="body", mass=1.0, position=(0, 0, 0.11), surface="rock")
    scene.surface("rock", "soil", law=COULOMB)
    with pytest.warns(trundle.TrundleWarning, match="flip=True"):
        run = trundle.simulate(scene, 1e-3, 1e-3)
    assert any("flip=True" in said for said in run.warnings)
    assert math.isfinite(run.position("body")[-1, 2])
