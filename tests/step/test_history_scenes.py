"""History friction in whole scenes: any shape, any law, many materials, moving ground, scene files."""

from pathlib import Path

import numpy as np
import pytest

from trundle import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    Hertz,
    Hooke,
    Scene,
    SceneError,
    Sphere,
    Steady,
    laws,
    load_scene,
    simulate,
)
from trundle.scene.model import build_model
from trundle.step import history
from trundle.step.history import History

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HOOKE = Hooke(stiffness=1e5, restitution=0.4, static=1.2)
DISKS = laws.SlideRollSpin(mu=0.4, mu_r=0.01, mu_s=0.01)
SHAPES = {
    "sphere": Sphere(0.1), "ellipsoid": Ellipsoid((0.1, 0.12, 0.15)), "box": Box(size=(0.2, 0.25, 0.2)),
    "capsule": Capsule(0.1, 0.1), "cylinder": Cylinder(0.1, 0.2),
}  # fmt: skip


def turned(axis, angle):
    """Unit quaternion and rotation matrix."""
    axis = np.array(axis, float) / np.linalg.norm(axis)
    w, (x, y, z) = np.cos(0.5 * angle), np.sin(0.5 * angle) * axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.array([w, x, y, z]), np.eye(3) + 2 * w * K + 2 * K @ K


def product(p, q):
    """Product of quaternions."""
    return np.concatenate([[p[0] * q[0] - p[1:] @ q[1:]], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])])


def thrown(shape, law, q, R, axis=None, material=HOOKE):
    """A body thrown onto a plane, the whole scene turned by R."""
    scene = Scene(gravity=R @ (2.0, 1.0, -9.0))
    scene.add(HalfSpace(normal=R @ (0.0, 0.0, 1.0)), name="ground", fixed=True, surface="g")
    scene.add(
        shape, name="body", mass=1.0, position=R @ (0.0, 0.0, 0.21), orientation=product(q, turned((1, 2, 3), 0.4)[0]),
        velocity=R @ (1.0, -0.5, -0.5), angular_velocity=R @ (1.0, 2.0, 6.0), surface="s",
    )  # fmt: skip
    along = {} if axis is None else {"axis": R @ axis, "axis_of": "ground"}
    scene.surface("g", "s", law=law, material=material, **along)
    model, state = build_model(scene)
    return History(model), state


@pytest.mark.parametrize("kind", list(SHAPES))
@pytest.mark.parametrize("law", ["disks", "superellipse"])
def test_any_shape_and_law_turn_with_the_whole_scene(kind, law):
    chosen, axis = (
        (DISKS, None) if law == "disks" else (laws.Superellipse(0.2, 0.5, q=1.7) * laws.Roll(0.01), (1.0, 0, 0))
    )
    ends, touched = [], 0
    for q, R in (turned((1, 0, 0), 0.0), turned((0.3, -1.0, 0.7), 1.1)):
        stepper, state = thrown(SHAPES[kind], chosen, q, R, axis)
        for _ in range(1000):
            touched += len(stepper.step(state, 2e-4).contacts)
        ends.append((state.position[1] @ R, state.angular_velocity[1] @ R))
    assert touched > 40
    assert ends[0][0] == pytest.approx(ends[1][0], abs=1e-10)
    assert ends[0][1] == pytest.approx(ends[1][1], abs=1e-7)


@pytest.mark.parametrize("kind", ["sphere", "ellipsoid", "box"])
def test_memory_in_the_middle_of_stick_continues_to_the_same_bits(kind):
    law = laws.Superellipse(0.5, 0.9, q=3.0) * laws.Roll(0.02)
    q, R = turned((1, 0, 0), 0.0)
    stepper, state = thrown(SHAPES[kind], law, q, R, (1.0, 0, 0))
    other, _ = thrown(SHAPES[kind], law, q, R, (1.0, 0, 0))
    for _ in range(700):
        stepper.step(state, 2e-4)
    memory, copy = {name: x.copy() for name, x in stepper.memory().items()}, state.copy()
    other.recall(memory)
    for _ in range(300):
        stepper.step(state, 2e-4)
        other.step(copy, 2e-4)
    for name in ("position", "orientation", "velocity", "angular_velocity"):
        assert np.array_equal(getattr(state, name), getattr(copy, name))


def mixture(lists=True):
    """30 spheres of two surfaces and six kinds on a plane, each pair of surfaces with a law and a material of its own."""
    rng = np.random.default_rng(2)
    scene = Scene(gravity=(0, 0, -9.81))
    scene.add(HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True, surface="g")
    scene.add(Sphere(0.1), name="rock", fixed=True, position=(0.13, 0.13, -0.02), surface="g")
    for i in range(30):
        x, y = 0.13 * (i % 3) + 0.01 * rng.normal(), 0.13 * (i // 3 % 3) + 0.01 * rng.normal()
        scene.add(
            Sphere(0.04 + 0.01 * (i % 3)), mass=1.0 + i % 2, position=(x, y, 0.15 + 0.14 * (i // 9)), surface="sp"[i % 2],
            angular_velocity=(1.0, 2.0, 3.0),
        )  # fmt: skip
    soft = Hertz(young=1e7, restitution=0.4, spinning_resistance="hertz")
    for pair, law, material in (
        (("g", "s"), DISKS, HOOKE), (("g", "p"), DISKS, soft), (("s", "s"), laws.Coulomb(mu=0.2), soft),
        (("p", "p"), laws.Contensou(mu=0.3, patch_radius=0.01), HOOKE),
        (("s", "p"), laws.Rolling(mu=0.3, mu_r=0.01), Hertz(young=2e7, restitution=0.1, rolling="C")),
    ):  # fmt: skip
        scene.surface(*pair, law=law, material=material)
    model, state = build_model(scene)
    return History(model, lists=lists), state


def test_springs_of_pairs_of_kinds_are_those_of_every_pair(monkeypatch):
    few, state = mixture()
    few.advance_all(state, 1e-4, 2000)
    monkeypatch.setattr(history, "FEW_KINDS", 0)
    many, copy = mixture()
    many.advance_all(copy, 1e-4, 2000)
    assert len(few.space["example"]) == 8
    assert len(many.space["example"]) == 0
    assert np.array_equal(state.position, copy.position)


def test_mixture_of_materials_moves_the_same_way_with_the_detector():
    (lists, state), (detector, copy) = mixture(), mixture(lists=False)
    assert lists.lists
    assert not detector.lists
    for _ in range(300):
        lists.step(state, 1e-4)
        detector.step(copy, 1e-4)
    assert state.position == pytest.approx(copy.position, abs=1e-12)
    assert state.angular_velocity == pytest.approx(copy.angular_velocity, abs=1e-8)


def test_box_on_four_corners_holds_still_on_a_slope():
    scene = Scene(gravity=(1.0, 0.5, -9.81))
    scene.add(HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True, surface="g")
    scene.add(Box(size=(0.2, 0.3, 0.1)), name="body", mass=2.0, position=(0, 0, 0.05), surface="s")
    scene.surface("g", "s", law=laws.Coulomb(mu=0.3), material=Hooke(stiffness=1e5, restitution=0.0))
    run = simulate(scene, 0.7, 2e-4, formulation="history", every=500)
    assert run.position("body")[-1] == pytest.approx(run.position("body")[-2], abs=1e-12)
    assert np.abs(run.velocity("body")[-1]).max() < 1e-10


@pytest.mark.parametrize(("pull", "acceleration"), [((3.0, 0.0), 3.0 - 0.2 * 9.81), ((0.0, 3.0), 0.0)])
def test_superelliptic_friction_lets_a_box_slide_along_its_weak_axis_only(pull, acceleration):
    scene = Scene(gravity=(*pull, -9.81))
    scene.add(HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True, surface="g")
    scene.add(Box(size=(0.2, 0.2, 0.1)), name="body", mass=1.0, position=(0, 0, 0.05), surface="s")
    law = laws.Superellipse(mu_x=0.2, mu_y=0.5, q=1.5)
    scene.surface("g", "s", law=law, material=Hooke(stiffness=1e5, restitution=0.0), axis=(1, 0, 0), axis_of="ground")
    run = simulate(scene, 0.4, 2e-4, formulation="history", every=500)
    v = run.velocity("body")
    assert (v[-1] - v[-2]) / 0.1 == pytest.approx([acceleration, 0.0, 0.0], abs=1e-3)


def test_belt_sets_a_sphere_rolling_at_two_sevenths_of_its_speed():
    scene = Scene(gravity=(0, 0, -9.81))
    scene.add(HalfSpace(normal=(0, 0, 1)), name="belt", surface="g", motion=Steady(velocity=(0.5, 0, 0)))
    scene.add(Sphere(0.1), name="ball", mass=1.0, position=(0, 0, 0.1), surface="s")
    scene.surface("g", "s", law=laws.Coulomb(mu=0.3), material=HOOKE)
    run = simulate(scene, 0.4, 2e-4, formulation="history", every=500)
    # the arm is half a dent of 1e-4 m shorter than R
    assert run.velocity("ball")[-1, 0] == pytest.approx(0.5 * 2 / 7, rel=1.5e-3)
    e = run.energy
    total = e["kinetic"] + e["potential"] + e["elastic"]
    lost = e["sliding"] + e["rolling"] + e["spinning"] + e["impact"] + e["numerical"]
    assert np.diff(total) == pytest.approx((e["external"] - lost)[1:], abs=1e-13)
    # friction mu m g acts while the belt runs: work = v_belt x momentum gained
    assert e["external"].sum() == pytest.approx(0.5 * run.velocity("ball")[-1, 0], rel=1e-6)


@pytest.mark.parametrize("e", [0.9, 0.5, 0.15])
def test_restitution_of_the_pair_is_that_of_its_springs(e):
    """Two unequal spheres; the restitution is said of the pair, not of the material."""
    scene = Scene(gravity=(0, 0, 0))
    scene.add(Sphere(0.05), mass=0.7, position=(0, 0, 0), velocity=(0, 0, 0.5), surface="s")
    scene.add(Sphere(0.08), mass=1.7, position=(0, 0, 0.1301), velocity=(0, 0, -0.7), surface="s")
    scene.surface("s", "s", law=laws.Coulomb(mu=0.3), restitution=e, material=Hooke(stiffness=1e6))
    model, state = build_model(scene)
    History(model).advance_all(state, 2e-6, 5000)
    assert state.velocity[1, 2] - state.velocity[0, 2] == pytest.approx(1.2 * e, rel=4e-3)


def test_geodesic_path_rolls_more_truly_than_the_chord():
    """A long ellipsoid rolls about its axis; the chord is shorter than the arc by phi^2 / 24, a drag that falls with h^2."""
    speeds = {}
    for path in ("geodesic", "chord"):
        scene = Scene(gravity=(0, 0, -9.81))
        scene.add(HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True, surface="g")
        scene.add(
            Ellipsoid((0.1, 0.1, 0.3)), name="body", mass=1.0, position=(0, 0, 0.1 - 9.81e-4), velocity=(6, 0, 0), surface="s",
            angular_velocity=(0, 60, 0), orientation=(np.sqrt(0.5), np.sqrt(0.5), 0, 0),
        )  # fmt: skip
        material = Hooke(stiffness=1e4, restitution=0.5, path=path)
        scene.surface("g", "s", law=laws.Coulomb(mu=0.9), material=material)
        run = simulate(scene, 0.3, 5e-4, formulation="history", every=100)
        slip = run.velocity("body")[-1, 0] - (0.1 - 0.5 * 9.81 / 1e4) * run.angular_velocity("body")[-1, 1]
        speeds[path] = abs(slip)
    phi = 60 * 5e-4
    assert speeds["geodesic"] < 1e-6  # of 6 m/s
    assert speeds["chord"] == pytest.approx(6.0 * phi**2 / 24, rel=0.05)


def test_scene_file_with_history_stops_where_the_closed_form_says():
    scene, options = load_scene(EXAMPLES / "history.toml")
    assert options["formulation"] == "history"
    run = simulate(scene, options["duration"], options["time_step"], formulation="history", every=1000)
    assert run.position("ball")[-1, 0] == pytest.approx(5.57467, rel=5e-4)
    assert np.abs(run.velocity("ball")[-1]).max() < 1e-12


def test_joints_are_refused_in_words():
    scene = Scene()
    scene.add(Sphere(0.1), name="a", mass=1.0, position=(0, 0, 0), surface="s")
    scene.add(Sphere(0.1), name="b", mass=1.0, position=(0, 0, 1), surface="s")
    scene.joint("ball", "a", "b", position=(0, 0, 0.5))
    scene.surface("s", "s", law=laws.Coulomb(mu=0.3), material=HOOKE)
    with pytest.raises(SceneError, match='formulation="history" has no joints. Use formulation="exact"'):
        simulate(scene, 0.1, 1e-4, formulation="history")
