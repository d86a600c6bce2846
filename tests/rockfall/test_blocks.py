"""Blocks and their release: functions of seed and number; random numbers of their own."""

from __future__ import annotations

import numpy as np
import pytest

from trundle.errors import SceneError
from trundle.rockfall.barriers import Barrier, crossings
from trundle.rockfall.blocks import RATIOS, Blocks
from trundle.rockfall.chance import Chance
from trundle.rockfall.release import Release, read_table
from trundle.scene import Ellipsoid, Polyhedron, Sphere


@pytest.mark.parametrize("kind", list(RATIOS))
def test_blocks_have_their_volume_and_axis_ratios(kind):
    (b0, b1), (c0, c1) = RATIOS[kind]
    for number in range(10):
        shape, mass = Blocks(kind=kind, volume=1.5, density=2600.0).make(3, number)
        assert shape.volume == pytest.approx(1.5, rel=1e-12)
        assert mass == pytest.approx(2600.0 * 1.5, rel=1e-12)
        a, b, c = np.ptp(shape.polytope.vertices, axis=0)
        assert b0 - 1e-9 <= b / a <= b1 + 1e-9
        assert min(c0, b / a) - 1e-9 <= c / a <= c1 + 1e-9
        assert np.allclose(shape.centroid, 0.0, atol=1e-9) or isinstance(shape, Polyhedron)


def test_a_block_is_a_function_of_seed_and_number_alone():
    blocks = Blocks(kind="random", volume=(0.1, 10.0))
    one, other = blocks.make(5, 17)[0], blocks.make(5, 17)[0]
    assert np.array_equal(one.polytope.vertices, other.polytope.vertices)
    assert not np.array_equal(one.polytope.vertices, blocks.make(5, 18)[0].polytope.vertices)
    assert not np.array_equal(one.polytope.vertices, blocks.make(6, 17)[0].polytope.vertices)
    volumes = np.array([blocks.make(1, k)[0].volume for k in range(200)])
    assert volumes.min() > 0.1
    assert volumes.max() < 10.0
    # logarithms drawn evenly between 0.1 and 10: their mean is 0, its standard error ln(100) / sqrt(12 * 200)
    assert abs(np.log(volumes).mean()) < 4 * np.log(100) / np.sqrt(12 * 200)


def test_blocks_of_given_size_have_it():
    shape, mass = Blocks(kind="rounded", size=(0.5, 0.3, 0.4), mass=79.0).make(0, 0)
    assert np.ptp(shape.polytope.vertices, axis=0) == pytest.approx([0.5, 0.3, 0.4])
    assert mass == 79.0
    # a rhombicuboctahedron: V = (12 + 10 sqrt 2) / 3 a^3, height (1 + sqrt 2) a
    filled = (12 + 10 * np.sqrt(2)) / 3 / (1 + np.sqrt(2)) ** 3
    assert shape.volume == pytest.approx(filled * 0.5 * 0.3 * 0.4, rel=1e-12)
    assert isinstance(Blocks(kind="sphere", volume=1.0).make(0, 0)[0], Sphere)
    assert isinstance(Blocks(kind="ellipsoid", size=(3, 2, 1)).make(0, 0)[0], Ellipsoid)
    cloud = np.random.default_rng(0).normal(size=(40, 3))
    assert Blocks(kind="points", points=cloud, volume=2.0).make(0, 0)[0].volume == pytest.approx(2.0)


def test_orientations_are_even_over_all_rotations():
    q = np.array([Chance(0, k, "start").orientation() for k in range(4000)])
    assert np.linalg.norm(q, axis=1) == pytest.approx(1.0)
    # of an even distribution over the 3-sphere, each square has the mean 1/4 and the variance 1/24
    assert (q**2).mean(axis=0) == pytest.approx(0.25, abs=4 / np.sqrt(24 * 4000))


def test_places_lie_on_the_line_and_within_the_polygon(tmp_path):
    line = Release(line=[(0, 0), (10, 0), (10, 5)], count=300).places(0, tmp_path)
    assert all((p.y == 0 and 0 <= p.x <= 10) or (p.x == 10 and 0 <= p.y <= 5) for p in line)
    assert np.mean([p.y > 0 for p in line]) == pytest.approx(1 / 3, abs=4 * np.sqrt(2 / 9 / 300))
    corner = Release(polygon=[(0, 0), (4, 0), (4, 2), (2, 2), (2, 4), (0, 4)], count=300).places(0, tmp_path)
    assert all(0 < p.x < 4 and 0 < p.y < 4 and not (p.x > 2 and p.y > 2) for p in corner)
    few = Release(polygon=[(0, 0), (4, 0), (4, 2), (2, 2), (2, 4), (0, 4)], count=5).places(0, tmp_path)
    assert few == corner[:5]
    points = Release(points=[(1, 2), (3, 4)], count=3).places(0, tmp_path)
    assert [(p.x, p.y) for p in points] == [(1, 2), (3, 4), (1, 2)]


def test_a_release_table_may_lack_all_but_the_places(tmp_path):
    (tmp_path / "runs.csv").write_text("run,block,release_x,release_y,release_vx\nv1,2,10,20,0.5\nv2,4,11,21,\n")
    one, other = read_table(tmp_path / "runs.csv", (1.0, 2.0, 3.0))
    assert (one.run, one.block, one.x, one.velocity) == ("v1", "2", 10.0, (0.5, 2.0, 3.0))
    assert other.velocity == (1.0, 2.0, 3.0)
    for text, words in (
        ("run,release_x\nv1,10\n", "no column release_y"), ("release_x,release_y\n", "no rows"),
        ("release_x,release_y\n1,north\n", "line 2: release_y = 'north'"),
        ("run,release_x,release_y\na,1,2\na,3,4\n", "more than once"),
    ):  # fmt: skip
        (tmp_path / "bad.csv").write_text(text)
        with pytest.raises(SceneError, match=words):
            read_table(tmp_path / "bad.csv", (0, 0, 0))


def test_a_path_crosses_a_bent_line_once():
    line = np.array([(0, 0), (1, 0), (2, 0.5)], float)
    assert crossings(line, np.array([(1.0, 1.0), (1.0, -1.0)])) == [(0.5, 1)]  # through the corner: of one segment only
    assert crossings(line, np.array([(0.5, 1.0), (0.5, 0.5), (0.5, -0.5)])) == [(1.5, 0)]
    assert crossings(line, np.array([(3.0, 1.0), (3.0, -1.0)])) == []
    with pytest.raises(SceneError, match="belong together"):
        Barrier("net", [(0, 0), (1, 0)], height=2.0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"velocity": (0, 1e9, 0)}, r"release: velocity\[1\] = 1e\+09 m/s: no rock is faster than 300 m/s. Check the unit."),
        ({"spread": 500.0}, r"release: spread = 500 m/s"),
        ({"angular_velocity": (-2e3, 0, 0)}, r"angular_velocity\[0\] = -2000 rad/s: no rock is faster than 1000 rad/s"),
    ],
)  # fmt: skip
def test_speeds_that_no_rock_has_are_refused(given, message):
    with pytest.raises(SceneError, match=message):
        Release(points=[(0.0, 0.0)], **given)


def test_a_speed_in_a_release_table_that_no_rock_has_is_refused_with_its_line(tmp_path):
    (tmp_path / "runs.csv").write_text("release_x,release_y,release_vx\n1,2,3\n1,2,3000\n")
    with pytest.raises(SceneError, match=r"line 3: release_vx = 3000 m/s"):
        read_table(tmp_path / "runs.csv", (0.0, 0.0, 0.0))
