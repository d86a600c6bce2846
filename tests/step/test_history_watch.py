"""Nothing is silent: what users are told about runs with history friction, spheres or not, with and without a callback."""

import numpy as np
import pytest

from trundle import (
    Box,
    Capsule,
    HalfSpace,
    HeightField,
    Hertz,
    Hooke,
    Scene,
    SceneError,
    SimulationError,
    Sphere,
    laws,
    simulate,
)
from trundle.scene.model import build_model
from trundle.step.history import History

SHAPES = {"sphere": Sphere(0.1), "box": Box(size=(0.2, 0.2, 0.2))}
CALLBACKS = {"alone": None, "callback": lambda report, state: None}


def on_floor(shape, material, law=None, *, mass=1.0, floor=None, surface=None, **motion):
    scene = Scene(gravity=(0, 0, -9.81))
    scene.add(HalfSpace() if floor is None else floor, name="floor", fixed=True, surface="floor")
    motion.setdefault("position", (0, 0, 0.1))
    scene.add(shape, name="body", mass=mass, surface="body", **motion)
    scene.surface("body", "floor", law=law or laws.Coulomb(mu=0.3), material=material, **(surface or {}))
    return scene


def warned(scene, duration, h, callback, formulation="history"):
    with pytest.warns():
        return simulate(scene, duration, h, formulation=formulation, progress=CALLBACKS[callback]).warnings


@pytest.mark.parametrize("callback", CALLBACKS)
@pytest.mark.parametrize("kind", SHAPES)
def test_springs_that_are_far_too_soft_are_said_to_let_bodies_overlap(kind, callback):
    scene = on_floor(SHAPES[kind], Hooke(stiffness=1e3, restitution=0.0), mass=1000.0)
    (text,) = warned(scene, 0.3, 1e-3, callback)
    assert "'floor' and 'body'" in text
    assert "Use stiffer springs" in text


@pytest.mark.parametrize("callback", CALLBACKS)
@pytest.mark.parametrize("kind", SHAPES)
def test_too_long_a_time_step_is_among_the_warnings_of_the_run(kind, callback):
    scene = on_floor(SHAPES[kind], Hooke(stiffness=1e7, restitution=0.5))
    assert "longer than the stable one" in warned(scene, 0.01, 1e-3, callback)[0]


@pytest.mark.parametrize("callback", CALLBACKS)
@pytest.mark.parametrize("kind", SHAPES)
def test_a_body_that_jumps_through_the_floor_is_told(kind, callback):
    scene = on_floor(SHAPES[kind], Hooke(stiffness=1e3), position=(0, 0, 1.0), velocity=(0, 0, -400.0))
    assert any("passed through each other" in text for text in warned(scene, 0.02, 1e-3, callback))


@pytest.mark.parametrize("callback", CALLBACKS)
@pytest.mark.parametrize("formulation", ["exact", "history"])
@pytest.mark.parametrize("kind", SHAPES)
def test_a_body_that_leaves_the_terrain_is_told(kind, formulation, callback):
    floor = HeightField(heights=np.zeros((5, 5)), spacing=0.25)
    scene = on_floor(
        SHAPES[kind], Hooke(stiffness=1e4, restitution=0.0), laws.Coulomb(mu=0.0), floor=floor, position=(0.8, 0.5, 0.1),
        velocity=(3.0, 0, 0),
    )  # fmt: skip
    assert "'body' left the terrain" in warned(scene, 0.5, 1e-3, callback, formulation)[-1]


@pytest.mark.parametrize("formulation", ["exact", "history"])
@pytest.mark.parametrize("kind", SHAPES)
def test_an_axis_along_the_normal_is_refused_by_every_formulation(kind, formulation):
    surface = {"axis": (0, 0, 1), "axis_of": "floor"}
    scene = on_floor(SHAPES[kind], Hooke(stiffness=1e5), laws.Superellipse(0.2, 0.4), surface=surface)
    with pytest.raises(SceneError, match="no direction in the tangent plane"):
        simulate(scene, 0.01, 1e-4, formulation=formulation)


def test_a_step_that_fails_within_many_leaves_the_state_of_the_last_good_one():
    """The body lands on its corner after some steps: Hertz' theory has no patch there."""
    scene = on_floor(SHAPES["box"], Hertz(young=1e7), position=(0, 0, 0.5), orientation=(0.9, 0.3, 0.3, 0.1))
    ends = []
    for batch in (1, 1000):
        model, state = build_model(scene)
        stepper, done = History(model), 0
        while done < 258:  # the last before it touches
            done += len(stepper.advance(state, 1e-3, batch))
        ends.append((done, state.position.copy(), state.velocity.copy()))
        with pytest.raises(SimulationError, match="no radius"):
            stepper.advance(state, 1e-3, batch)
    assert ends[0][0] == ends[1][0]
    assert np.array_equal(ends[0][1], ends[1][1])
    assert np.array_equal(ends[0][2], ends[1][2])


def test_contour_friction_is_refused_before_the_first_step():
    law = laws.Coulomb(mu=0.3) * laws.Roll(mu_r=0.01)
    scene = on_floor(Capsule(0.1, 0.1), Hooke(stiffness=1e5), law, surface={"rolling": "contour"})
    with pytest.raises(SceneError, match="contour"):
        simulate(scene, 0.01, 1e-4, formulation="history")


def thrown(seed):
    """Some spheres thrown onto a plane: random sizes, materials, laws; the time step around the stable one."""
    r = np.random.default_rng(seed)
    scene, R = Scene(gravity=(0, 0, -9.81)), 10 ** r.uniform(-2, -0.5)
    scene.add(HalfSpace(), name="floor", fixed=True, surface="g")
    for i in range(int(r.integers(1, 9))):
        place = (2.2 * R * (i % 3), 2.2 * R * (i // 3), R * r.uniform(1.05, 3.0))
        scene.add(
            Sphere(R * r.uniform(0.5, 1.0)), density=10 ** r.uniform(2.5, 4), position=place, surface="s",
            velocity=r.normal(size=3) * 10 ** r.uniform(-1, 1), angular_velocity=r.normal(size=3) * 10 ** r.uniform(-1, 1.5),
        )  # fmt: skip
    law = (
        laws.Coulomb(mu=r.uniform(0, 1)), laws.Rolling(mu=r.uniform(0.1, 1), mu_r=R * r.uniform(0, 0.2)),
        laws.SlideRollSpin(mu=r.uniform(0.1, 1), mu_r=R * r.uniform(0, 0.2), mu_s=R * r.uniform(0, 0.2)),
    )[r.integers(3)]  # fmt: skip
    weight, e = 4 / 3 * np.pi * R**3 * 2500 * 9.81, float(r.choice([0.0, 0.3, 0.7, 1.0]))
    stiffness = weight / R * 10 ** r.uniform(1, 6)
    material = Hooke(
        stiffness=stiffness, restitution=e, rolling=str(r.choice(["pair", "per-body", "constant", "spring"]))
    )
    if r.random() < 0.3:
        material = Hertz(young=3 * stiffness / R, restitution=e)
    for pair in (("g", "s"), ("s", "s")):
        scene.surface(*pair, law=law, material=material)
    limit = History(build_model(scene)[0]).stable_time_step
    return scene, min(limit * 10 ** r.uniform(-1.0, 0.6), 2e-3)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", [2, 5, 126, 157, 177, 193, 292])
def test_scenes_that_sink_or_gain_energy_are_warned_about(seed):
    """Those of the first 300 seeds that end below the floor, or with 2 % more energy than they had."""
    scene, h = thrown(seed)
    steps = int(min(0.5 / h, 5000))
    run = simulate(scene, steps * h, h, formulation="history", every=steps)
    e = run.energy
    total = e["kinetic"] + e["potential"] + e["elastic"]
    lost = sum(e[name] for name in ("sliding", "rolling", "spinning", "impact", "numerical"))
    start = total[0] + lost[0]
    sank = min(run.position(name)[-1][2] for name in run.names if name != "floor") < 0.0
    assert sank or total[-1] > start + 0.02 * abs(start)
    assert run.warnings
