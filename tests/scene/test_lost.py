"""Bodies that have left all ground."""

from __future__ import annotations

import numpy as np
import pytest

import trundle
from trundle import Box, HalfSpace, HeightField, Mesh, Scene, Sphere, laws
from trundle.scene.lost import lost_bodies
from trundle.scene.model import build_model

SLOPE = HeightField(np.outer(np.linspace(10, 0, 6), np.ones(6)), 2.0)  # 10 m square, from z = 10 down to 0 at x = 10


def lost(*bodies, ground=SLOPE, gravity=(0, 0, -9.81), also=None, **pose):
    """Which of some balls (position, velocity) over a ground are lost."""
    scene = Scene(gravity=gravity)
    if ground is not None:
        scene.add(ground, name="ground", fixed=True, **pose)
    for i, (position, velocity) in enumerate(bodies):
        scene.add(Sphere(0.1), name=f"b{i}", mass=1.0, position=position, velocity=velocity)
    if also is not None:
        also(scene)
    scene.surface("default", "default", law=laws.Coulomb(mu=0.3))
    model, state = build_model(scene)
    return [model.names[i] for i in lost_bodies(model, state)]


@pytest.mark.parametrize(
    ("position", "velocity", "expected"),
    [
        ((5, 5, 20), (0, 0, -1), False),  # falls on the ground
        ((5, 5, -1), (0, 0, -1), True),  # below it
        ((5, 5, -1), (0, 0, 1), False),  # below it, but not falling
        ((-1, 5, 9), (0, 0, -1), True),  # beside it, although higher than its lowest point
        ((-1, 5, 9), (3, 0, -1), False),  # beside it, flying towards it
        ((-1, 5, 9), (-3, 0, -1), True),  # beside it, flying away
        ((-0.05, 5, 20), (0, 0, -1), False),  # touches the border on its way
        ((-20, 5, 9), (3, 0, -1), True),  # flying towards it, but too slow: 9.1 m deep after 1.26 s
        ((-20, 5, 9), (30, 0, -1), False),  # fast enough
        ((12, 5, 500), (-0.5, 0, -1e-9), False),  # comes over it in the course of a long fall
    ],
)
def test_a_body_is_lost_if_its_flight_misses_all_ground(position, velocity, expected):
    assert lost((position, velocity)) == (["b0"] if expected else [])
    # the same scene, turned: gravity along -x
    turn = np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]], float)
    q = (np.sqrt(0.5), 0, np.sqrt(0.5), 0)
    assert lost((turn @ position, turn @ velocity), gravity=(-9.81, 0, 0), orientation=q) == (
        ["b0"] if expected else []
    )


def test_nobody_is_lost_without_gravity_or_with_a_floor_below():
    down = ((50, 0, 0), (0, 0, -1))
    assert lost(down) == ["b0"]
    assert lost(down, gravity=(0, 0, 0)) == []
    assert lost(down, also=lambda scene: scene.add(HalfSpace(offset=-1e4), name="floor", fixed=True)) == []
    wall = HalfSpace(normal=(1, 0, 0), offset=-5)
    assert lost(down, also=lambda scene: scene.add(wall, name="wall", fixed=True)) == ["b0"]
    assert lost(down, ground=None) == ["b0"]


def test_bodies_that_something_holds_or_catches_are_not_lost():
    down = ((50, 0, 0), (0, 0, -1))
    assert lost(down, also=lambda scene: scene.joint("ball", "b0", position=(50, 0, 3))) == []
    assert lost(down, also=lambda scene: scene.load("b0", force=(0, 0, 20))) == []
    table = {"name": "table", "fixed": True, "position": (50, 0.5, -30)}
    assert lost(down, also=lambda scene: scene.add(Box((1, 1, 1)), **table)) == []
    # on a body that is held by a joint; and on one that falls itself
    below = ((50, 0, -5), (0, 0, -1))
    assert lost(down, below, also=lambda scene: scene.joint("ball", "b1", position=(50, 0, -3))) == []
    assert lost(down, below) == ["b0", "b1"]


def test_a_block_that_slides_off_a_plate_is_lost_and_one_that_stays_is_not():
    scene = Scene()
    plate = Mesh([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1, 2), (0, 2, 3)])
    scene.add(plate, name="plate", fixed=True, surface="soil")
    for name, y, speed in (("gone", 0.3, 2.0), ("stays", 0.7, 0.0)):
        scene.add(Sphere(0.05), name=name, mass=1.0, position=(0.7, y, 0.05), velocity=(speed, 0, 0), surface="rock")
    for other in ("rock", "soil"):
        scene.surface("rock", other, law=laws.Coulomb(mu=0.1))
    model, state = build_model(scene)
    assert len(lost_bodies(model, state)) == 0
    run = trundle.simulate(scene, 0.5, 2e-3)
    for name, array in (("position", state.position), ("velocity", state.velocity)):
        for body in ("gone", "stays"):
            array[model.number_of[body]] = getattr(run, name)(body)[-1]
    assert [model.names[i] for i in lost_bodies(model, state)] == ["gone"]
