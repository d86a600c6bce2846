"""Every pair of shapes: gaps, normals and points belong together, and gaps are distances."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from bodies import SHAPES, at_gap, bodies, moved, nearest, random_quaternion, rotation
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from trundle.scene import Box, Capsule, Cylinder, Disk, Ellipsoid, HalfSpace, Sphere

PAIRS = list(itertools.combinations_with_replacement(SHAPES, 2))
DETECTORS = {pair: bodies(SHAPES[pair[0]], SHAPES[pair[1]]) for pair in PAIRS}
GAPS = [0.3, 0.05, 1e-6, -1e-6, -0.01]


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
@settings(max_examples=8, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32 - 1), wanted=st.sampled_from(GAPS))
def test_the_gap_changes_at_the_normal_velocity_of_the_contact_point(pair, seed, wanted):
    # envelope theorem: d gap / dt = n . (v_b + w_b x r_b - v_a - w_a x r_a), whatever the shapes
    rng = np.random.default_rng(seed)
    detector, state = DETECTORS[pair][0], DETECTORS[pair][1].copy()
    state.orientation[:] = random_quaternion(rng), random_quaternion(rng)
    direction = rng.normal(size=3)
    at_gap(detector, state, direction / np.linalg.norm(direction), wanted)
    gap, n, point = nearest(detector, state)
    v, w = rng.normal(size=(2, 2, 3))
    rate = n @ (v[1] + np.cross(w[1], point - state.position[1]) - v[0] - np.cross(w[0], point - state.position[0]))
    h = 1e-6
    after, before = (nearest(detector, moved(state, v, w, s * h))[0] for s in (1, -1))
    # at a kink of the gap (a corner's edge, say) one of the two sides has the rate; curvature costs O(h / R)
    slopes = np.array([(after - before) / (2 * h), (after - gap) / h, (gap - before) / h])
    assert np.abs(slopes - rate).min() < 1e-4


def points_of(shape):
    """A point of a convex shape (of a capsule's axis) as a function of a point of the unit cube, for brute force."""
    if isinstance(shape, Ellipsoid):
        return lambda u: np.array(shape.semi_axes) * ball(u)
    if isinstance(shape, Box):
        return lambda u: np.array(shape.size) * (u - 0.5)
    if isinstance(shape, (Cylinder, Disk)):
        half = 0.5 * getattr(shape, "height", 0.0)
        return lambda u: np.array([*(shape.radius * ball(u[:2])), half * (2 * u[2] - 1)])
    if isinstance(shape, Capsule):
        return lambda u: np.array([0, 0, shape.height * (u[2] - 0.5)])
    raise NotImplementedError


def ball(u):
    x = 2 * u - 1
    return x / max(1.0, np.linalg.norm(x))


CONVEX = ["box", "ellipsoid", "disk", "cylinder", "capsule"]


@pytest.mark.parametrize("pair", list(itertools.combinations_with_replacement(CONVEX, 2)), ids="-".join)
def test_gaps_are_distances_by_brute_force(pair):
    # smallest distance over points of both bodies, by a general minimiser, which may stop 2 mm short at kinks
    rng = np.random.default_rng(5)
    detector, state = DETECTORS[pair][0], DETECTORS[pair][1].copy()
    one, other = (points_of(SHAPES[name]) for name in pair)
    rounding = sum(SHAPES[name].radius for name in pair if name == "capsule")
    state.orientation[:] = random_quaternion(rng), random_quaternion(rng)
    state.position[1] = state.position[0] + 1.6 * (d := rng.normal(size=3)) / np.linalg.norm(d)
    A, B = rotation(state, 0), rotation(state, 1)

    def apart(u, A=A, B=B):
        u = np.clip(u, 0, 1)
        return np.linalg.norm(
            state.position[1] + B @ other(u[3:]) - state.position[0] - A @ one(u[:3])
        )  # fmt: skip

    starts = [np.full(6, 0.5), *rng.uniform(size=(2, 6))]
    best = min(
        minimize(apart, minimize(apart, s, method="Powell", bounds=[(0, 1)] * 6).x, method="Powell",
                 bounds=[(0, 1)] * 6, options={"xtol": 1e-10, "ftol": 1e-14}).fun
        for s in starts
    )  # fmt: skip
    gap = nearest(detector, state)[0]
    # a minimiser may stay above the true distance, never below
    assert gap <= best - rounding + 1e-9
    assert gap == pytest.approx(best - rounding, abs=2e-3)


@pytest.mark.parametrize("name", [n for n in SHAPES if n != "disk"])
def test_bodies_that_overlap_by_a_fifth_of_their_size_are_separated_outwards(name):
    # the normal stays within a right angle of the direction they came from, and the gap falls steadily
    rng = np.random.default_rng(2)
    detector, state = DETECTORS[(name, name)][0], DETECTORS[(name, name)][1].copy()
    for _ in range(5):
        state.orientation[:] = random_quaternion(rng), random_quaternion(rng)
        d = rng.normal(size=3)
        d /= np.linalg.norm(d)
        at_gap(detector, state, d, 0.0)
        distance = np.linalg.norm(state.position[1] - state.position[0])
        last = 0.0
        for s in np.linspace(0.0, 0.2, 21)[1:]:
            state.position[1] = state.position[0] + (1 - s) * distance * d
            gap, n, _ = nearest(detector, state)
            assert n @ d > 0.0
            assert gap < last
            assert last - gap <= 0.01 * distance * (1 + 1e-9)  # a gap cannot change faster than the bodies move
            last = gap


def test_ellipsoids_that_are_spheres_are_spheres():
    detector, state = bodies(Ellipsoid((0.3, 0.3, 0.3)), Ellipsoid((0.2, 0.2, 0.2)))
    rng = np.random.default_rng(0)
    for distance in (0.3, 0.5, 0.8):
        d = rng.normal(size=3)
        d /= np.linalg.norm(d)
        state.orientation[:] = random_quaternion(rng), random_quaternion(rng)
        state.position[1] = distance * d
        gap, n, point = nearest(detector, state)
        assert gap == pytest.approx(distance - 0.5, abs=1e-14)
        np.testing.assert_allclose(n, d, atol=1e-12)
        np.testing.assert_allclose(point, (0.3 + 0.5 * gap) * d, atol=1e-12)


def test_nearest_points_of_two_ellipsoids_satisfy_their_equations():
    rng = np.random.default_rng(4)
    one, other = Ellipsoid((0.1, 0.3, 0.6)), Ellipsoid((0.5, 0.2, 0.3))
    detector, state = bodies(one, other)
    for _ in range(20):
        state.orientation[:] = random_quaternion(rng), random_quaternion(rng)
        d = rng.normal(size=3)
        at_gap(detector, state, d / np.linalg.norm(d), rng.choice([0.1, 1e-8, -0.02]))
        gap, n, point = nearest(detector, state)
        for i, (shape, sign) in enumerate(((one, -1), (other, 1))):
            R = rotation(state, i)
            x = R.T @ (point + sign * 0.5 * gap * n - state.position[i])
            axes = np.array(shape.semi_axes)
            assert np.sum((x / axes) ** 2) == pytest.approx(1.0, abs=1e-12)
            normal = R @ (x / axes**2)
            np.testing.assert_allclose(normal / np.linalg.norm(normal), -sign * n, atol=1e-12)


def test_a_sphere_touches_a_box_on_faces_edges_and_corners():
    detector, state = bodies(Box((2, 2, 2)), Sphere(0.5), fixed=(0,))
    for place, distance, n in (
        ((0, 0, 1.7), 0.7, (0, 0, 1)),
        ((0, 1.3, 1.4), 0.5, (0, 0.6, 0.8)),
        ((2, 3, 3), 3.0, (1 / 3, 2 / 3, 2 / 3)),
        ((0.1, 0.2, 0.7), -0.3, (0, 0, 1)),
    ):
        state.position[1] = place
        gap, normal, _ = nearest(detector, state)
        assert gap == pytest.approx(distance - 0.5, abs=1e-15)
        np.testing.assert_allclose(normal, n, atol=1e-15)


def test_radii_of_curvature():
    for shape, turned, radius in (
        (Sphere(0.3), (1, 0, 0, 0), 0.3),
        (Capsule(0.2, 0.6), (1, 0, 0, 0), 0.2),
        (Capsule(0.2, 0.6), (np.sqrt(0.5), np.sqrt(0.5), 0, 0), 0.4),  # 2 / (1 / r + 0)
        (Ellipsoid((0.2, 0.3, 0.4)), (1, 0, 0, 0), 2 / (0.4 / 0.2**2 + 0.4 / 0.3**2)),  # curvatures c / a^2, c / b^2
        (Box((0.2, 0.2, 0.2)), (1, 0, 0, 0), np.inf),
    ):
        detector, state = bodies(HalfSpace(), shape)
        state.orientation[1] = turned
        state.position[1, 2] = 0.5
        state.velocity[1, 2] = -1.0
        radii = detector.detect(state, 1.0).radius
        assert np.all(np.isinf(radii[:, 0]))
        np.testing.assert_allclose(radii[:, 1], radius, rtol=1e-14)
