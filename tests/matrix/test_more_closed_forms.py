"""What needs scenes of its own: oblique sliding, rebounds, ratios, and two free bodies."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement

import numpy as np
import pytest
import references
from axes import BODIES, LAWS, MASS, METHODS, MU, MU_Y, STIFFNESS, Body, G
from scipy.spatial.transform import Rotation

import trundle
from trundle import laws

SHAPES = {type(body.shape).__name__: body for body in BODIES.values()}
FORMULATIONS = {name: how for name, how in METHODS.items() if name in ("exact", "relaxed", "compliant", "history")}


def simulate(scene, duration, how, h=None, **options):
    return trundle.simulate(
        scene, duration, h or how.h, formulation=how.formulation, theta=how.theta, scheme=how.scheme, **options
    )


def springs(rows):
    """Stiffness and material, each read by its own formulation."""
    k_n, k_t, k_s, k_r = STIFFNESS["history"]
    material = trundle.Hooke(
        stiffness=k_n, tangential_stiffness=k_t, spinning_stiffness=k_s if "s" in rows else None,
        rolling_stiffness=k_r if "r1" in rows else None,
    )  # fmt: skip
    return {"stiffness": STIFFNESS["compliant"], "material": material}


def on_level_ground(body: Body, law, gap=0.0, velocity=(0, 0, 0), spin=(0, 0, 0), **surface):
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="soil")
    scene.add(
        body.shape, name="body", mass=MASS, position=(0, 0, body.height + gap), velocity=velocity, angular_velocity=spin,
        orientation=Rotation.from_rotvec(body.turned or (0, 0, 0)).as_quat(scalar_first=True), surface="rock",
    )  # fmt: skip
    scene.surface("rock", "soil", law=law, **{**springs(law.rows), **surface})
    return scene


# --- direction of friction ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize(("q", "k"), [(4.0, 1.0), (2.0, 1.0), (2.0, 0.0), (1.5, 2.0)], ids=lambda value: f"{value:g}")
def test_a_box_sliding_obliquely_is_turned_as_the_superellipse_says(q, k, formulation):
    how, h, v0 = FORMULATIONS[formulation], 2.5e-4, np.array([0.4, 0.3])
    law = laws.Superellipse(mu_x=MU, mu_y=MU_Y, q=q, k=k)
    weight = (MU_Y / MU) ** (0.5 * q * (1.0 - k))  # hjiaj (43), geometric mean 1
    slide = (np.abs(np.array([MU * weight, MU_Y / weight]) * v0) ** (q / (q - 1))).sum() ** (1 - 1 / q)
    gap = h * slide if formulation == "relaxed" else 0.0
    scene = on_level_ground(BODIES["a box"], law, gap, (*v0, 0), axis=(1, 0, 0), axis_of="ground")
    run = simulate(scene, 0.1, how, h, tolerance=1e-10)
    friction = lambda v: references.superelliptic_friction(v, MU, MU_Y, q, k)  # noqa: E731
    v = references.sliding_path(v0, G, friction, run.time)
    # first order: the direction at the end of a step; springs are loaded late by mu m g / k_t
    k_t = STIFFNESS.get(formulation, (0.0, math.inf))[1]
    late = MU * G * (MU * MASS * G / k_t) / np.linalg.norm(v0)
    assert run.velocity("body")[-1, :2] == pytest.approx(v[-1], abs=0.5 * MU * G * h + late)
    assert run.warnings == []


# --- rebounds -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", ["a sphere", "a box", "a lying disk", "a clump of four", "an ellipsoid"])
@pytest.mark.parametrize("formulation", ["exact", "relaxed", "history"])
def test_a_body_rebounds_with_its_restitution(formulation, body):
    how, e, h = FORMULATIONS[formulation], 0.6, 1e-4
    run = simulate(on_level_ground(BODIES[body], laws.Coulomb(MU), 0.05, restitution=e), 0.16, how, h)
    v = run.velocity("body")[:, 2]
    hits = math.sqrt(2.0 * G * 0.05)
    # a step of gravity at the impact, and during the contact of springs, some pi sqrt(m / k)
    contact = math.pi * math.sqrt(MASS / STIFFNESS["history"][0]) if formulation == "history" else 2.0 * h
    assert v.max() == pytest.approx(e * hits, abs=G * contact)
    assert run.warnings == []


def test_a_ball_comes_to_rest_on_a_spring_at_its_sag():
    scene = on_level_ground(BODIES["a sphere"], laws.Coulomb(MU), 0.01)
    run = simulate(scene, 0.3, FORMULATIONS["compliant"])
    sag = MASS * G / STIFFNESS["compliant"][0]
    assert run.position("body")[-1, 2] == pytest.approx(0.1 - sag, abs=0.1 * sag)


# --- impacts within a step, long steps, joints ---------------------------------------------------------------------


@pytest.mark.parametrize("formulation", ["exact", "relaxed"])
@pytest.mark.parametrize("shape", ["Sphere", "Box", "Ellipsoid", "Clump"])
def test_a_body_that_is_struck_does_not_enter_the_floor_below_it(shape, formulation):
    # it hangs 4 mm above the floor, and the blow at 4 m/s would take it 20 mm in a step
    body = SHAPES[shape]
    scene = on_level_ground(body, laws.Coulomb(MU), 4e-3, stiffness=None)  # rigid: relaxed contacts honour a stiffness
    top = 2.0 * body.height + 4e-3
    scene.add(
        trundle.Sphere(0.1),
        name="hammer",
        mass=1.0,
        position=(0, 0, top + 0.101),
        velocity=(0, 0, -4.0),
        surface="iron",
    )
    for other in ("rock", "soil"):
        scene.surface("iron", other, law=laws.Coulomb(MU))
    run = simulate(scene, 0.05, FORMULATIONS[formulation], 5e-3)
    assert run.position("body")[:, 2].min() >= body.height - 0.01 * body.shape.bounding_radius
    assert run.steps["converged"].all()


def test_history_says_that_a_step_is_longer_than_its_springs_allow():
    scene = on_level_ground(BODIES["a sphere"], laws.Coulomb(MU))
    run = simulate(scene, 0.1, FORMULATIONS["history"], 1e-2)
    assert any("stable" in said for said in run.warnings)


def test_bodies_that_a_fixed_joint_holds_may_overlap_without_a_law():
    scene = on_level_ground(BODIES["a box"], laws.Coulomb(MU))
    scene.add(trundle.Sphere(0.05), name="knob", mass=0.1, position=(0, 0, 0.11), surface="knob")
    scene.surface("knob", "soil", law=laws.Coulomb(MU))
    scene.joint("fixed", "body", "knob", position=(0, 0, 0.1))
    run = simulate(scene, 0.05, FORMULATIONS["exact"])
    assert run.position("knob")[-1] == pytest.approx([0.0, 0.0, 0.11], abs=1e-9)
    assert run.warnings == []


# --- lengths as ratios ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("body", ["a sphere", "a clump of two"])
def test_a_ratio_of_rolling_is_one_to_the_radius(body, formulation):
    it, ratio, v0 = BODIES[body], 0.05, 0.5
    # that of the ball of the same volume; springs know the curvature at the contact
    radius = it.radius if formulation == "history" else (0.75 * it.shape.volume / math.pi) ** (1 / 3)
    how = FORMULATIONS[formulation]
    law = laws.Rolling(MU, ratio)
    gap = how.h * ratio * v0 * radius / it.radius if formulation == "relaxed" else 0.0
    scene = on_level_ground(it, law, gap, (v0, 0, 0), (0, v0 / it.radius, 0), ratio=True)
    run = simulate(scene, 0.3, how)
    half = len(run.time) // 2
    v = run.velocity("body")[:, 0]
    a = (v[-1] - v[half]) / (run.time[-1] - run.time[half])
    sag = MASS * G / STIFFNESS.get(formulation, (math.inf,))[0]
    expected = references.rolling(G, 0.0, it.radius, it.k, ratio * radius)
    # another lever where the body sinks in or lifts off, and transients
    assert a == pytest.approx(expected, rel=(2.0 * sag + gap) / it.radius + 1e-4)


# --- two free bodies ------------------------------------------------------------------------------------------------

PAIRS = list(combinations_with_replacement(SHAPES, 2))
WAYS = [(PAIRS[i], list(LAWS)[i % len(LAWS)], list(METHODS)[i % len(METHODS)]) for i in range(len(PAIRS))]


def momenta(run, frame):
    """Linear and angular momentum of all bodies."""
    total = np.zeros((2, 3))
    for i, name in enumerate(run.names):
        x, v, w = (run_of(name)[frame] for run_of in (run.position, run.velocity, run.angular_velocity))
        R = Rotation.from_quat(run.orientation(name)[frame], scalar_first=True)
        p = run.model.mass[i] * v
        total += [p, np.cross(x, p) + R.apply(run.model.inertia[i] @ R.apply(w, inverse=True))]
    return total


@pytest.mark.parametrize(
    ("pair", "law", "method"), WAYS, ids=[f"{a} hits {b}, {law}, {method}" for (a, b), law, method in WAYS]
)
def test_two_free_bodies_keep_their_momenta(pair, law, method):
    rng = np.random.default_rng(PAIRS.index(pair))
    how, friction = METHODS[method], LAWS[law]
    h = min(how.h, 1e-3)
    scene, radius = trundle.Scene(gravity=(0, 0, 0)), 0.0
    for name, side in zip("ab", (-1.0, 1.0), strict=True):
        shape = SHAPES[pair[name == "b"]].shape
        radius += shape.bounding_radius
        scene.add(
            shape, name=name, mass=1.0 + (name == "b"), position=np.array([side * 0.3, 0.1, 0.2]),
            orientation=Rotation.random(rng=rng).as_quat(scalar_first=True), surface="rock",
            velocity=(-side, 0.05 * side, 0.0), angular_velocity=rng.normal(size=3),
        )  # fmt: skip
    scene.surface("rock", "rock", law=friction.law, axis=(1, 0, 0), axis_of="a", **springs(friction.law.rows))
    run = simulate(scene, 0.5, how, h)
    assert run.steps["contacts"].max() > 0
    (p0, l0), (p1, l1) = momenta(run, 0), momenta(run, -1)
    assert p1 == pytest.approx(p0, abs=1e-12)
    # the midpoint scheme and explicit Euler turn bodies freely at first order; the others keep momenta to round-off
    free = h * 0.5 * 0.02 * np.abs(run.angular_velocity("a")).max() ** 3
    keeps = how.scheme == "moreau-jean" and how.formulation != "history"
    assert l1 == pytest.approx(l0, abs=1e-11 if keeps else free + 1e-4)
    energy = run.energy
    lost = sum(energy[name] for name in ("sliding", "rolling", "spinning", "impact", "joints", "numerical"))
    stored = energy["kinetic"] + energy["elastic"]
    np.testing.assert_allclose(np.diff(stored), -lost[1:], rtol=0, atol=1e-13)
    assert run.warnings == []
