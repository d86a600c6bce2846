"""Bodies that do not collide: groups, ignored pairs, bodies on joints."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import trundle
from trundle import laws
from trundle.detect.contacts import Detector
from trundle.errors import SceneError
from trundle.scene.files import parse_scene
from trundle.scene.model import build_model
from trundle.scene.writing import dump_scene

SHAPES = {
    "spheres": trundle.Sphere(radius=0.1),
    "boxes": trundle.Box(size=(0.2, 0.2, 0.2)),
    "capsules": trundle.Capsule(radius=0.05, height=0.1),
    "ellipsoids": trundle.Ellipsoid(semi_axes=(0.1, 0.08, 0.06)),
}


def on_ground(shape, count=2, history=False) -> trundle.Scene:
    """Bodies one above the other, on a plane; at rest they would be a tower."""
    scene = trundle.Scene()
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="all")
    for i in range(count):
        scene.add(shape, name=f"b{i}", mass=1.0, position=(0, 0, 0.3 + 0.4 * i), surface="all", group="blocks")
    law = {"material": trundle.Hooke(stiffness=1e5, damping=300.0)} if history else {}
    scene.surface("all", "all", law=laws.Coulomb(mu=0.5), **law)
    return scene


@pytest.mark.parametrize("name", SHAPES)
def test_bodies_of_an_ignored_group_fall_through_each_other_onto_the_ground(name) -> None:
    scene = on_ground(SHAPES[name])
    alone = trundle.simulate(on_ground(SHAPES[name], count=1), 1.0, 2e-3)
    scene.ignore("blocks", "blocks")
    run = trundle.simulate(scene, 1.0, 2e-3)
    # each lies on the ground as if it were alone; without `ignore` the second stands on the first
    for body in ("b0", "b1"):
        assert run.position(body)[-1, 2] == pytest.approx(alone.position("b0")[-1, 2], abs=2e-4)


def test_grains_of_an_ignored_group_lie_on_the_ground_side_by_side_in_one_place() -> None:
    scene = on_ground(trundle.Sphere(radius=0.1), count=70)
    scene.ignore("blocks", "blocks")
    run = trundle.simulate(scene, 3.5, 5e-3, tolerance=1e-4)
    assert max(run.position(f"b{i}")[-1, 2] for i in range(70)) == pytest.approx(0.1, abs=1e-3)


@pytest.mark.parametrize("shape", [trundle.Sphere(radius=0.1), trundle.Box(size=(0.2, 0.2, 0.2))])
def test_history_ignores_what_the_scene_ignores(shape) -> None:
    scene = on_ground(shape, history=True)
    scene.ignore("blocks", "blocks")
    run = trundle.simulate(scene, 1.5, 1e-4, formulation="history", every=1000)
    assert run.position("b1")[-1, 2] == pytest.approx(run.position("b0")[-1, 2], abs=1e-4)


@pytest.mark.parametrize("formulation", ["exact", "history"])
def test_a_body_falls_through_ground_that_it_ignores_and_another_does_not(formulation) -> None:
    scene = on_ground(trundle.Sphere(radius=0.1), history=formulation == "history")
    scene.ignore("b1", "ground")
    scene.ignore("b1", "b0")
    run = trundle.simulate(scene, 1.0, 1e-4 if formulation == "history" else 1e-3, formulation=formulation, every=100)
    # v^2 / 2 g: free fall from 0.7 m
    assert run.position("b1")[-1, 2] == pytest.approx(0.7 - 0.5 * 9.81, rel=1e-3)
    assert run.position("b0")[-1, 2] == pytest.approx(0.1, abs=1e-3)


def test_a_body_that_a_group_ignores_still_touches_the_others() -> None:
    scene = on_ground(trundle.Box(size=(0.2, 0.2, 0.2)))
    scene.add(trundle.Box(size=(0.2, 0.2, 0.2)), name="other", mass=1.0, position=(0, 0, 1.2), surface="all")
    scene.ignore("other", "b1")
    run = trundle.simulate(scene, 1.0, 2e-3)
    assert run.position("b1")[-1, 2] == pytest.approx(0.3, abs=1e-3)
    assert run.position("other")[-1, 2] == pytest.approx(0.3, abs=1e-3)  # inside b1, on b0


def test_bodies_that_never_meet_need_no_law() -> None:
    scene = trundle.Scene()
    for name in "ab":
        scene.add(trundle.Sphere(radius=0.1), name=name, mass=1.0, surface=name, position=(0, 0, 0.0), group=name)
    with pytest.raises(SceneError, match="no law"):
        trundle.simulate(scene, 0.01, 1e-3)
    scene.ignore("a", "b")
    with pytest.raises(SceneError, match="'a' is the name of a body and of a group"):
        trundle.simulate(scene, 0.01, 1e-3)


def test_an_ignored_pair_needs_no_law_while_a_third_body_does() -> None:
    scene = trundle.Scene()
    for i in range(3):
        scene.add(trundle.Sphere(radius=0.1), name=f"b{i}", mass=1.0, position=(i, 0, 0))
    scene.ignore("b0", "b1")
    with pytest.raises(SceneError, match="'b0' and 'b2' can meet"):
        trundle.simulate(scene, 0.01, 1e-3)
    scene.ignore("b0", "b2")
    scene.ignore("b2", "b1")
    trundle.simulate(scene, 0.01, 1e-3)


def test_an_unknown_name_is_told_before_the_first_step() -> None:
    scene = on_ground(trundle.Sphere(radius=0.1))
    scene.ignore("blocks", "grond")
    with pytest.raises(SceneError, match="unknown body or group 'grond'.*Did you mean 'ground'"):
        trundle.simulate(scene, 0.01, 1e-3)


def test_three_overlapping_bodies_on_fixed_joints_need_no_law() -> None:
    scene = trundle.Scene(gravity=(0, 0, 0))
    for i in range(3):
        scene.add(trundle.Box(size=(1, 1, 1)), name=f"b{i}", mass=1.0, position=(0.3 * i, 0, 0), velocity=(1, 0, 0))
    scene.joint("fixed", "b0", "b1", position=(0, 0, 0))
    scene.joint("fixed", "b1", "b2", position=(0, 0, 0))
    run = trundle.simulate(scene, 0.5, 1e-2)
    # one rigid body in free flight: b0 and b2, which share no joint, do not push each other away
    assert run.position("b2")[-1] == pytest.approx((1.1, 0, 0), abs=1e-12)
    assert not run.warnings


def test_groups_are_written_and_read_back() -> None:
    scene = on_ground(trundle.Sphere(radius=0.1))
    scene.emit(
        trundle.Sphere(radius=0.1), rate=10.0, count=3, mass=1.0, surface="all", group="poured",
        region=trundle.BoxRegion(low=(-1, -1, 2), high=(1, 1, 3)),
    )  # fmt: skip
    scene.ignore("blocks", "poured")
    text = dump_scene(scene)
    again, _ = parse_scene(text)
    assert dump_scene(again) == text
    assert again.ignored == [("blocks", "poured")]
    assert [body.group for body in again.bodies] == [None, "blocks", "blocks", "poured", "poured", "poured"]


def test_a_scene_file_tells_the_line_of_a_bad_name(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(dump_scene(on_ground(trundle.Sphere(radius=0.1))) + '\n[[ignore]]\none = "blocks"\nother = 3\n')
    with pytest.raises(SceneError, match=r"\[\[ignore\]\]: other = 3 must be text"):
        trundle.load_scene(file)


def test_blocks_that_meet_only_terrain_are_left_out_of_the_search_for_pairs() -> None:
    scene = trundle.Scene()
    scene.add(trundle.HeightField(heights=np.zeros((3, 3)), spacing=10.0), name="terrain", fixed=True)
    for _ in range(200):  # all in one place: 20,000 pairs
        scene.add(trundle.Box(size=(1, 1, 1)), mass=1.0, position=(10, 10, 5), group="blocks")
    scene.surface("default", "default", law=laws.Coulomb(mu=0.5))
    scene.ignore("blocks", "blocks")
    model, state = build_model(scene)
    detector = Detector(model)
    assert len(detector.meeting) == 0
    assert len(detector.detect(state, 1e-3)) == 0
    scene.add(trundle.Sphere(radius=0.1), name="tree", fixed=True, position=(10, 10, 5))
    model, state = build_model(scene)
    detector = Detector(model)
    found = detector.detect(state, 1e-3)
    assert np.array_equal(np.unique(found.body[:, 1]), [201])
    assert detector.near.count == 200  # not 20,100
