"""Emitters pour what they promise, where there is room, and the same whatever the time step is."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from scipy.spatial import cKDTree

import trundle
from trundle import (
    BoxRegion,
    Choice,
    CylinderRegion,
    Grading,
    HalfSpace,
    Normal,
    Scene,
    Sphere,
    Uniform,
    laws,
    simulate,
)
from trundle.detect.contacts import Detector
from trundle.errors import TrundleWarning
from trundle.kernels.rotations import rotation_matrix
from trundle.scene.emitters import ATTEMPTS
from trundle.scene.model import build_model
from trundle.scene.pouring import Pouring

ROOM = BoxRegion((-1, -1, 0.5), (1, 1, 1.5))


def scene_with(shape: object = None, **changes: object) -> Scene:
    scene = Scene()
    scene.add(HalfSpace(), name="ground", fixed=True)
    arguments = {"rate": 100.0, "count": 50, "region": ROOM, "density": 2500.0, "name": "pour"} | changes
    scene.emit(Sphere(0.05) if shape is None else shape, **arguments)
    scene.surface("default", "default", law=laws.Coulomb(mu=0.3))
    return scene


def pour_all(scene: Scene, times: object) -> tuple[object, object, Pouring]:
    model, state = build_model(scene)
    pouring = Pouring(scene, model, Detector(model).detect)
    for time in times:
        pouring.pour(state, time)
    return model, state, pouring


def smallest_gap(model: object, state: object) -> float:
    """Least distance between the surfaces of spheres that are there [m]."""
    there = state.present & np.array([isinstance(shape, Sphere) for shape in model.shapes])
    position, radius = state.position[there], model.radius[there]
    pairs = cKDTree(position).query_pairs(2.0 * radius.max(), output_type="ndarray")
    if len(pairs) == 0:
        return math.inf
    distance = np.linalg.norm(position[pairs[:, 0]] - position[pairs[:, 1]], axis=1)
    return float(np.min(distance - radius[pairs[:, 0]] - radius[pairs[:, 1]]))


def test_bodies_come_at_their_rate_and_not_before():
    scene = scene_with(rate=100.0, count=50, start=0.1)
    model, state = build_model(scene)
    pouring = Pouring(scene, model)
    assert np.array_equal(state.present, [True] + [False] * 50)
    assert pouring.pour(state, 0.0999) == []
    assert pouring.pour(state, 0.1) == [1]  # the k-th is due at start + k / rate
    assert pouring.pour(state, 0.1) == []
    assert pouring.pour(state, 0.1 + 3.5 / 100) == [2, 3, 4]
    assert len(pouring.pour(state, 10.0)) == 46
    assert state.present.all()
    assert pouring.pour(state, 20.0) == []


def test_rounding_of_the_time_does_not_delay_a_body():
    scene = scene_with(rate=1000.0, count=50)
    model, state = build_model(scene)
    pouring = Pouring(scene, model)
    for step in range(50):  # 1e-3 * step is often a little less than step / 1000
        assert len(pouring.pour(state, 1e-3 * step)) == 1


def test_bodies_do_not_depend_on_the_splitting_of_time():
    one = pour_all(scene_with(sizes=Uniform(0.5, 1.0)), [0.1, 0.2, 10.0])
    other = pour_all(scene_with(sizes=Uniform(0.5, 1.0)), np.linspace(0.0, 10.0, 997))
    for name in ("position", "orientation", "velocity"):
        assert np.array_equal(getattr(one[1], name), getattr(other[1], name))
    assert np.array_equal(one[0].radius, other[0].radius)


def test_pouring_goes_on_where_it_was_from_the_state_alone():
    scene = scene_with()
    model, state = build_model(scene)
    Pouring(scene, model).pour(state, 0.2)
    Pouring(scene, model).pour(state, 1.0)  # another process
    assert np.array_equal(state.position, pour_all(scene_with(), [0.2, 1.0])[1].position)


def test_seed_and_name_tell_emitters_apart_and_nothing_else_does():
    positions = {}
    for seed, name in ((0, "a"), (1, "a"), (0, "b")):
        positions[seed, name] = pour_all(scene_with(seed=seed, name=name), [1.0])[1].position[1:]
    assert not np.any(positions[0, "a"] == positions[1, "a"])
    assert not np.any(positions[0, "a"] == positions[0, "b"])
    # another emitter far away, and one body more at the start, change nothing
    scene = scene_with(name="a")
    scene.add(Sphere(0.1), mass=1.0, position=(50, 0, 0.1))
    scene.emit(Sphere(0.1), rate=1.0, count=3, mass=1.0, region=BoxRegion((60, 0, 1), (61, 1, 2)), name="c")
    model, state, _ = pour_all(scene, [1.0])
    first = model.number_of["a.0"]
    assert np.array_equal(state.position[first : first + 50], positions[0, "a"])


@pytest.mark.parametrize("count", [2000])
def test_many_bodies_at_once_do_not_overlap(count):
    scene = scene_with(Sphere(0.03), rate=math.inf, count=count, sizes=Uniform(0.5, 1.0))
    model, state, pouring = pour_all(scene, [0.0])
    assert np.count_nonzero(state.present) == count + 1
    assert 0.0 < smallest_gap(model, state) < 1e-3
    assert pouring.waiting(state, 0.0) == {}


def test_bodies_lie_wholly_in_their_region():
    model, state, _ = pour_all(scene_with(sizes=Uniform(0.5, 2.0)), [10.0])
    low, high = ROOM.bounds()
    radius = model.radius[1:, None]
    assert np.all(state.position[1:] - radius >= low)
    assert np.all(state.position[1:] + radius <= high)


def test_region_without_thickness_holds_centres():
    region = CylinderRegion((1, 2, 3), radius=2.0)
    _, state, _ = pour_all(scene_with(region=region), [10.0])
    assert np.all(state.position[1:, 2] == 3.0)
    assert np.all(np.linalg.norm(state.position[1:, :2] - (1, 2), axis=1) <= 2.0 - 0.05)


def test_tilted_cylinder_is_filled_evenly():
    region = CylinderRegion((1, 2, 3), radius=2.0, height=4.0, axis=(1, 1, 1))
    u = np.random.default_rng(0).random((20_000, 3))
    spots = region.spots(u, 0.1) - (1, 2, 3)
    axis = np.ones(3) / math.sqrt(3)
    along = spots @ axis
    across = np.linalg.norm(spots - along[:, None] * axis, axis=1)
    assert 0.1 <= along.min() < along.max() <= 3.9
    assert across.max() <= 1.9
    assert stats.kstest(along, stats.uniform(0.1, 3.8).cdf).pvalue > 0.01
    assert stats.kstest((across / 1.9) ** 2, "uniform").pvalue > 0.01  # area grows with the square
    low, high = region.bounds()
    assert np.all(region.spots(u, 0.0) >= low - 1e-12)
    assert np.all(region.spots(u, 0.0) <= high + 1e-12)


@pytest.mark.parametrize(
    "sizes, distribution",
    [
        (Uniform(0.5, 1.5), stats.uniform(0.5, 1.0)),
        (Normal(1.0, 0.2, 0.7, 1.5), stats.truncnorm(-1.5, 2.5, loc=1.0, scale=0.2)),
        (Grading((0.5, 1.0, 2.0), (0.0, 0.25, 1.0)), None),
    ],
    ids=["uniform", "normal", "grading"],
)
def test_sizes_follow_their_distribution(sizes, distribution):
    scene = scene_with(Sphere(0.01), count=2000, sizes=sizes)
    factors = np.array([body.shape.radius / 0.01 for body in scene.bodies[1:]])
    if distribution is None:

        def cdf(x):
            return np.interp(x, (0.5, 1.0, 2.0), (0.0, 0.25, 1.0))
    else:
        cdf = distribution.cdf
    assert stats.kstest(factors, cdf).pvalue > 0.01
    assert factors.max() <= sizes.largest()


def test_choice_of_sizes_follows_its_weights():
    scene = scene_with(Sphere(0.01), count=3000, sizes=Choice((1, 2, 3), (1, 0, 3)))
    counts = {f: sum(round(body.shape.radius / 0.01) == f for body in scene.bodies[1:]) for f in (1, 2, 3)}
    assert counts[2] == 0
    # binomial: standard deviation sqrt(n p q) = 24
    assert counts[1] == pytest.approx(750, abs=4 * 24)


def test_mass_goes_with_the_cube_of_the_size():
    for given in ({"density": 2500.0}, {"density": None, "mass": 2500.0 * 4 / 3 * math.pi * 0.05**3}):
        scene = scene_with(sizes=Uniform(0.5, 2.0), **given)
        for body in scene.bodies[1:]:
            assert body.mass == pytest.approx(2500.0 * 4 / 3 * math.pi * body.shape.radius**3, rel=1e-14)


def test_orientations_are_uniform():
    scene = scene_with(trundle.Box((0.01, 0.02, 0.03)), count=3000)
    q = np.array([body.orientation for body in scene.bodies[1:]])
    R = np.zeros((3, 3))
    axes = []
    for i in range(len(q)):
        rotation_matrix(q, i, R)
        axes.append(R.copy())
    axes = np.array(axes)
    for row in range(3):
        for column in range(3):  # every entry of a uniform rotation matrix is uniform in [-1, 1] (Archimedes)
            assert stats.kstest(axes[:, row, column], stats.uniform(-1, 2).cdf).pvalue > 1e-3
    fixed = scene_with(trundle.Box((0.01, 0.02, 0.03)), orientation=(0, 1, 0, 0))
    assert np.array_equal(fixed.bodies[3].orientation, (0, 1, 0, 0))


def test_body_in_the_way_makes_others_wait_and_they_come_when_it_is_gone():
    scene = Scene()
    scene.add(Sphere(0.5), name="stopper", mass=1.0, position=(0, 0, 2))
    scene.emit(
        Sphere(0.1), rate=1.0, count=3, mass=1.0, region=BoxRegion((-0.2, -0.2, 1.8), (0.2, 0.2, 2.2)), name="pour"
    )
    scene.surface("default", "default", law=laws.Coulomb(mu=0.3))
    model, state = build_model(scene)
    pouring = Pouring(scene, model)
    assert pouring.pour(state, 1.5) == []
    assert pouring.waiting(state, 1.5) == {"pour": 2}
    state.position[0, 2] = 10.0
    assert pouring.pour(state, 1.5) == [1, 2]
    assert pouring.progress["pour"].delay == 1.5  # the first was due at 0
    assert pouring.waiting(state, 1.5) == {}
    assert pouring.late(0.01) == [
        "emitter 'pour' fell behind: bodies waited up to 1.5 s for room. Pour more slowly, or from a larger region."
    ]
    assert pouring.late(1.0) == []


def test_ground_of_any_shape_is_avoided_by_its_shape_and_not_by_its_bounding_ball():
    scene = Scene()
    scene.add(trundle.Box((10, 10, 0.1)), name="floor", fixed=True, position=(0, 0, -0.05))
    scene.add(trundle.Box((0.1, 10, 10)), name="wall", fixed=True)
    region = BoxRegion((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))
    scene.emit(Sphere(0.05), rate=math.inf, count=100, density=1000.0, region=region, name="pour")
    scene.surface("default", "default", law=laws.Coulomb(mu=0.3))
    model, state, pouring = pour_all(scene, [0.0])
    assert pouring.progress["pour"].poured > 50
    position = state.position[state.present][2:]
    # outside the floor and the wall by at least the radius
    above = (position[:, 2] > 0.05) | (position[:, 2] < -0.15)
    assert np.all(above)
    assert np.all(np.abs(position[:, 0]) > 0.1)
    assert smallest_gap(model, state) > 0.0


def test_a_run_with_an_emitter_pours_and_keeps_bodies_apart():
    scene = scene_with(Sphere(0.02), rate=400.0, count=40, region=BoxRegion((-0.2, -0.2, 0.1), (0.2, 0.2, 0.2)))
    run = simulate(scene, duration=0.15, time_step=1e-3)
    assert run.final.present.all()
    # a body is not there before it is due, and falls freely from then on, up to one step
    late = run.position("pour.10")
    there = np.isfinite(late[:, 2])
    first = int(np.argmax(there))
    assert run.time[first] == pytest.approx(10 / 400, abs=1.01e-3)
    assert not np.any(there[:first])
    fall = late[first, 2] - late[first + 20, 2]
    t = run.time[first + 20] - run.time[first]
    assert fall == pytest.approx(0.5 * 9.81 * t**2, abs=9.81 * t * 1e-3)
    assert smallest_gap(run.model, run.final) > -1e-4


def test_a_run_tells_of_bodies_that_found_no_room():
    scene = scene_with(Sphere(0.02), rate=1e4, count=60, region=BoxRegion((-0.05, -0.05, 0.03), (0.05, 0.05, 0.13)))
    with pytest.warns(TrundleWarning, match=r"emitter 'pour': \d+ bodies .* found no room"):
        simulate(scene, duration=5e-3, time_step=1e-3)


def test_every_attempt_is_tried():
    scene = scene_with(Sphere(0.05), count=1)
    spots = scene.emitters[0].spots(0, 0.05)
    assert spots.shape == (ATTEMPTS, 3)
    assert len(np.unique(spots, axis=0)) == ATTEMPTS
    # all spots but the last are taken
    for i, spot in enumerate(spots[:-1]):
        if np.linalg.norm(spot - spots[-1]) > 0.12:
            scene.add(Sphere(0.02), name=f"taken{i}", mass=1.0, position=spot)
    model, state, _ = pour_all(scene, [0.0])
    body = model.number_of["pour.0"]
    assert state.present[body]
    near = [i for i in range(ATTEMPTS) if np.linalg.norm(spots[i] - spots[-1]) <= 0.12]
    assert any(np.array_equal(state.position[body], spots[i]) for i in near)


def test_turned_planes_and_boxes_keep_their_distance():
    half = math.sqrt(0.5)
    scene = Scene()
    # a quarter turn about y: the half-space below z = 0 becomes that with x < 0, the plate a wall at x = 2
    scene.add(HalfSpace(), name="ground", fixed=True, orientation=(half, 0, half, 0))
    scene.add(trundle.Box((10, 10, 0.1)), name="plate", fixed=True, orientation=(half, 0, half, 0), position=(2, 0, 0))
    region = BoxRegion((-1, -1, -1), (3, 1, 1))
    scene.emit(Sphere(0.1), rate=math.inf, count=60, density=1000.0, region=region, name="pour")
    scene.surface("default", "default", law=laws.Coulomb(mu=0.3))
    _, state, pouring = pour_all(scene, [0.0])
    x = state.position[state.present][2:, 0]
    assert len(x) > 30
    assert x.min() > 0.1
    assert np.abs(x - 2.0).min() > 0.15
    assert pouring.distance(state, 1, np.array([2.5, 0, 0])) == pytest.approx(0.45, abs=1e-12)
    assert pouring.distance(state, 1, np.array([2.0, 0, 5.3])) == pytest.approx(0.3, abs=1e-12)


def test_an_emitter_that_is_refused_leaves_nothing_behind():
    scene = Scene()
    scene.add(Sphere(0.1), name="pour.2", mass=1.0)
    with pytest.raises(trundle.SceneError, match="body 'pour.2': there is a body of this name already"):
        scene.emit(Sphere(0.1), rate=1.0, count=5, mass=1.0, region=ROOM, name="pour")
    assert [body.name for body in scene.bodies] == ["pour.2"]
    assert scene.emitters == []
    assert scene.emit(Sphere(0.1), rate=1.0, count=5, mass=1.0, region=ROOM, name="other") == "other"
    assert scene.index("other.4") == 5


@pytest.mark.parametrize("scheme", ["moreau-jean", "moreau-midpoint"])
def test_a_body_starts_as_it_was_described_however_late_it_comes(scheme):
    scene = Scene()
    scene.emit(
        trundle.Box((0.1, 0.2, 0.3)), rate=10.0, count=3, mass=1.0, region=ROOM, name="pour", velocity=(1, 0, 0),
        angular_velocity=(0, 0, 3),
    )  # fmt: skip
    scene.surface("default", "default", law=laws.Coulomb(mu=0.3))
    described = scene.bodies[2]
    run = simulate(scene, duration=0.21, time_step=1e-3, scheme=scheme)
    first = int(np.argmax(np.isfinite(run.position("pour.2")[:, 0])))
    assert run.time[first] == pytest.approx(0.201)  # poured at 0.2 s, seen after one step
    assert run.velocity("pour.2")[first] == pytest.approx((1, 0, -9.81e-3), abs=1e-9)
    assert run.angular_velocity("pour.2")[first] == pytest.approx((0, 0, 3), abs=0.02)  # gyroscopic: h w^2
    # turned by 3 rad/s for one step: the quaternions differ by half the angle
    assert np.linalg.norm(run.orientation("pour.2")[first] - described.orientation) == pytest.approx(
        0.5 * 3e-3, rel=0.02
    )


def test_a_normal_distribution_cut_off_in_its_upper_tail_stays_near_the_lower_bound():
    # P(x < 2 + s | 2 < x < 3) = 1 - exp(-100 s) or so, ten deviations above the mean
    sizes = trundle.Normal(1.0, 0.1, low=2.0, high=3.0)
    mirrored = trundle.Normal(3.0, 0.1, low=1.0, high=2.0)
    for u in (0.01, 0.3, 0.5, 0.9, 0.99):
        assert sizes.at(u) == pytest.approx(4.0 - mirrored.at(1.0 - u), abs=1e-12)
        assert stats.norm.logsf(sizes.at(u), 1.0, 0.1) == pytest.approx(
            stats.norm.logsf(2.0, 1.0, 0.1) + math.log1p(-u), abs=1e-6
        )
