"""Compound bodies: mass by parallel axes, contacts of all parts, and the same motion as bodies of one piece."""

from __future__ import annotations

import math

import numpy as np
import pytest

import trundle
from trundle import Box, Capsule, Compound, Cylinder, Disk, Ellipsoid, Polyhedron, Sphere, laws
from trundle.detect import Detector
from trundle.scene.model import build_model

g = 9.81
HALVES = Compound([(Box((0.1, 0.2, 0.3)), (0.05, 0, 0)), (Box((0.1, 0.2, 0.3)), (-0.05, 0, 0))])
HAMMER = Compound([(Box((0.2, 0.06, 0.06)), (0, 0, 0.2)), (Cylinder(0.02, 0.36),)])


def test_a_box_of_two_halves_weighs_as_a_box():
    whole = Box((0.2, 0.2, 0.3))
    assert HALVES.volume == pytest.approx(whole.volume, rel=1e-15)
    assert HALVES.unit_inertia == pytest.approx(np.asarray(whole.unit_inertia), abs=1e-16)


def test_parts_weigh_by_their_own_densities_and_turn_with_their_orientation():
    """A steel ball and a wooden rod on a line, turned about x by a right angle: parallel axes by hand."""
    rod, ball, turn = Cylinder(0.01, 0.4), Sphere(0.03), (math.sqrt(0.5), math.sqrt(0.5), 0, 0)
    shape = Compound([(rod, (0, 0, 0), turn, 600.0), (ball, (0, 0.2, 0), None, 7800.0)])
    m, M = 600 * rod.volume, 7800 * ball.volume
    assert shape.own_mass == pytest.approx(m + M, rel=1e-15)
    y = M * 0.2 / (m + M)
    assert shape.centroid == pytest.approx([0, y, 0], abs=1e-16)
    across = m * (0.01**2 / 4 + 0.4**2 / 12 + y**2) + M * (0.4 * 0.03**2 + (0.2 - y) ** 2)
    about = m * 0.01**2 / 2 + M * 0.4 * 0.03**2
    assert (m + M) * np.diag(shape.unit_inertia) == pytest.approx([across, about, across], rel=1e-13)
    scene = trundle.Scene()
    scene.add(shape, name="mace", surface="a")
    assert scene.bodies[0].mass == pytest.approx(m + M, rel=1e-15)


def on_ground(shape, law, ground=None, **given):
    scene = trundle.Scene(gravity=(0, 0, -g))
    scene.add(ground or trundle.HalfSpace(), name="ground", fixed=True, surface="g")
    scene.add(shape, name="b", surface="b", **given)
    scene.surface("b", "g", law=law)
    return scene


@pytest.mark.parametrize("formulation", ["exact", "compliant", "history"])
def test_a_box_of_two_halves_slides_like_a_box(formulation):
    ends = []
    for shape in (HALVES, Box((0.2, 0.2, 0.3))):
        scene = on_ground(shape, laws.Coulomb(mu=0.3), mass=2.0, position=(0, 0, 0.15), velocity=(1.0, 0.2, 0))
        scene.pairs.clear()
        scene.surface("b", "g", law=laws.Coulomb(mu=0.3), stiffness=1e7, material=trundle.Hooke(stiffness=1e6))
        run = trundle.simulate(
            scene, 0.2, 1e-4 if formulation == "history" else 1e-3, formulation=formulation, every=10**9
        )
        ends.append(run.velocity("b")[-1])
    # its inner corners carry, too, so that springs share the load otherwise
    assert ends[0] == pytest.approx(ends[1], abs={"exact": 1e-9, "compliant": 1e-6, "history": 1e-3}[formulation])


def test_a_compound_of_spheres_touches_as_a_clump_does():
    centres, radii = np.array([(0, 0, 0), (0.3, 0, 0), (0.1, 0.25, 0.1)]), np.array([0.25, 0.2, 0.22])
    clump = trundle.Clump(centres, radii)
    shape = Compound([(Sphere(r), c) for c, r in zip(centres, radii, strict=True)])
    rng, found = np.random.default_rng(2), []
    turns = rng.normal(size=(2, 4))
    turns /= np.linalg.norm(turns, axis=1)[:, None]
    for one in (clump, shape):
        scene = trundle.Scene()
        for k in range(2):
            R = np.empty((3, 3))
            from trundle.kernels.rotations import rotation_matrix

            rotation_matrix(turns, k, R)
            scene.add(one, name=f"b{k}", mass=1.0, position=np.array([0.5 * k, 0, 0]) + R @ one.centroid, orientation=turns[k],
                      surface="a")  # fmt: skip
        scene.add(trundle.HalfSpace(offset=-0.4), name="ground", fixed=True, surface="a")
        scene.surface("a", "a", law=laws.Coulomb(mu=0.3))
        model, state = build_model(scene)
        contacts = Detector(model).detect(state, 0.5)
        order = np.lexsort(contacts.point.T.round(9))
        found.append((contacts.gap[order], contacts.point[order], contacts.body[order]))
    assert len(found[0][0]) > 4
    for one, other in zip(*found, strict=True):
        assert one == pytest.approx(other, abs=1e-12)


PARTS = {
    "box": Box((0.1, 0.12, 0.14)),
    "capsule": Capsule(0.04, 0.1),
    "disk": Disk(0.08, 0.01),
    "ellipsoid": Ellipsoid((0.05, 0.06, 0.08)),
    "polyhedron": Polyhedron(0.08 * np.random.default_rng(5).normal(size=(10, 3))),
    "cone": trundle.Cone(0.06, 0.1),
    "sphere": Sphere(0.06),
    "cylinder": Cylinder(0.05, 0.12),
}


@pytest.mark.parametrize("name", list(PARTS))
def test_compounds_of_every_part_collide_and_keep_momentum(name):
    """Two bodies of two parts each meet in free space: momentum and angular momentum to round-off, no energy gained."""
    shape = Compound([(PARTS[name], (-0.08, 0, 0)), (Sphere(0.05), (0.08, 0.03, 0))])
    scene = trundle.Scene(gravity=(0, 0, 0))
    scene.add(
        shape,
        name="a",
        density=1000,
        position=(-0.3, 0.02, 0),
        velocity=(1.0, 0, 0),
        angular_velocity=(2, 1, 3),
        surface="s",
    )
    scene.add(shape, name="b", density=1000, position=(0.3, 0, 0.03), orientation=(0.6, 0, 0.8, 0), surface="s")
    scene.surface("s", "s", law=laws.Coulomb(mu=0.3), restitution=0.4)
    run = trundle.simulate(scene, 0.6, 1e-3, every=20)
    mass = scene.bodies[0].mass
    p = mass * (run.velocity("a") + run.velocity("b"))
    assert np.abs(p - p[0]).max() < 1e-12
    E = run.energy["kinetic"]
    assert E[-1] < 0.999 * E[0]  # they met
    assert not run.warnings


@pytest.mark.parametrize("ground", [
    trundle.HalfSpace(), trundle.HeightField(np.zeros((3, 3)), 2.0, (-2.0, -2.0, 0.0)), trundle.SphereInside(3.0),
])  # fmt: skip
def test_a_hammer_comes_to_rest_on_any_ground(ground):
    scene = on_ground(HAMMER, laws.Rolling(mu=0.5, mu_r=1e-3), ground, density=1000,
                      position=(0, 0, -2.7 if isinstance(ground, trundle.SphereInside) else 0.3),
                      orientation=(0.8, 0.6, 0, 0))  # fmt: skip
    run = trundle.simulate(scene, 3.0, 1e-3, every=100)
    assert np.abs(run.velocity("b")[-1]).max() < 1e-6
    assert run.energy["sliding"].sum() > 0.0


def test_a_resumed_run_of_compounds_has_the_same_bits(tmp_path):
    scene = on_ground(HAMMER, laws.Coulomb(mu=0.4), density=1000, position=(0, 0, 0.3), orientation=(0.8, 0.6, 0, 0))
    whole = trundle.simulate(scene, 0.3, 1e-3, record=tmp_path / "whole.h5")
    trundle.simulate(scene, 0.15, 1e-3, record=tmp_path / "part.h5")
    again = trundle.resume(tmp_path / "part.h5", duration=0.3)
    assert np.array_equal(whole.position("b")[-1], again.position("b")[-1])


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ([], "at least one"),
        ([trundle.HalfSpace()], "no convex shape"),
        ([Disk(0.1)], "no volume"),
        ([(Sphere(0.1), None, None, 1000.0), Sphere(0.2)], "for all parts or for none"),
        ([(Sphere(0.1), (0, 0))], "position"),
        ([{"shape": "Sphere"}], "radius"),
    ],
)
def test_parts_that_cannot_be_are_refused(parts, says):
    with pytest.raises(trundle.SceneError, match=says):
        Compound(parts)
