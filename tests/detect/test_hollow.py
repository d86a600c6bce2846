"""Bodies inside of hollow ones: the nearest point, found by the kernels, against one found by trying all points."""

from __future__ import annotations

import math

import numpy as np
import pytest
from bodies import SHAPES, bodies, nearest, random_quaternion, rotation
from scipy.optimize import minimize

from trundle import ConeInside, CylinderInside, SphereInside, TorusInside

WALLS = {
    "sphere": SphereInside(2.0),
    "bowl": SphereInside(2.0, angle=2.0),
    "cylinder": CylinderInside(1.6, 20.0),
    "cone": ConeInside(6.0, 8.0),
    "torus": TorusInside(6.0, 1.5),
    "outer race": TorusInside(6.0, 1.5, arc=(-2.0, 2.0)),
}
# places of the centre of the body in the coordinates of the wall: near it, so that its contact is on it
PLACES = {
    "sphere": (0.5, -0.9, -0.6), "bowl": (0.4, 0.3, -1.0), "cylinder": (0.6, 0.5, 1.0), "cone": (0.9, -0.4, 3.0),
    "torus": (5.9, 1.3, 0.5), "outer race": (6.3, 1.0, 0.4),
}  # fmt: skip


def depth(wall, x):
    """Distance of points (.., 3) from a wall, positive inside."""
    across, z = np.hypot(x[..., 0], x[..., 1]), x[..., 2]
    if isinstance(wall, SphereInside):
        return wall.radius - np.hypot(across, z)
    if isinstance(wall, CylinderInside):
        return wall.radius - across
    if isinstance(wall, ConeInside):
        length = math.hypot(wall.radius, wall.height)
        return (wall.radius * z - wall.height * across) / length
    return wall.tube_radius - np.hypot(across - wall.radius, z)


def circle(radius, height, phi):
    return np.stack([radius * np.cos(phi), radius * np.sin(phi), np.full_like(phi, height)], -1)


def least_depth(wall, name, shape, place, turn):
    """The smallest distance of a body's surface from the wall, by trying: ends, corners, rims and directions."""

    def of(points, r=0.0):
        return float(depth(wall, place + points @ turn.T).min()) - r

    if name == "sphere":
        return of(np.zeros((1, 3)), shape.radius)
    if name in ("box", "polyhedron"):
        return of(shape.polytope.vertices)
    if name == "clump":
        return min(of(ball[None, :3], ball[3]) for ball in shape.spheres)
    if name == "capsule":
        return of(np.array([[0, 0, 0.5 * shape.height], [0, 0, -0.5 * shape.height]]), shape.radius)
    if name == "ellipsoid":
        axes = np.array(shape.semi_axes)

        def at(angles):
            theta, phi = angles
            unit = np.array([math.sin(theta) * math.cos(phi), math.sin(theta) * math.sin(phi), math.cos(theta)])
            return of((axes * unit)[None])

        grid = [(t, p) for t in np.linspace(0.1, 3.0, 12) for p in np.linspace(0.0, 6.0, 20)]
        starts = sorted(grid, key=at)[:3]
        options = {"xatol": 1e-9, "fatol": 1e-14, "maxiter": 2000}
        return min(minimize(at, start, method="Nelder-Mead", options=options).fun for start in starts)
    half = 0.5 * getattr(shape, "height", 0.0)
    rims = [(shape.radius, half), (shape.radius, -half)]
    best = np.inf
    for radius, height in rims:
        low, high = 0.0, 2.0 * math.pi
        for _ in range(6):  # ever finer
            phi = np.linspace(low, high, 2001)
            d = depth(wall, place + circle(radius, height, phi) @ turn.T)
            k, step = int(np.argmin(d)), phi[1] - phi[0]
            low, high, best = phi[k] - 2 * step, phi[k] + 2 * step, min(best, float(d[k]))
    return best


@pytest.mark.parametrize("wall", list(WALLS))
@pytest.mark.parametrize("name", list(SHAPES))
def test_bodies_touch_a_wall_where_they_are_nearest_to_it(wall, name):
    hollow, shape = WALLS[wall], SHAPES[name]
    detector, state = bodies(hollow, shape, fixed=(0,))
    rng = np.random.default_rng(7)
    for _ in range(5):
        state.orientation[0], state.orientation[1] = random_quaternion(rng), random_quaternion(rng)
        frame, place = rotation(state, 0), np.array(PLACES[wall]) + 0.05 * rng.normal(size=3)
        state.position[0] = rng.normal(size=3)
        state.position[1] = state.position[0] + frame @ (place - hollow.centroid)
        expected = least_depth(hollow, name, shape, place, frame.T @ rotation(state, 1))
        gap, normal, point = nearest(detector, state)
        # both are exact to round-off but for an ellipsoid's reference, found without slopes
        assert gap == pytest.approx(expected, abs=2e-9 if name == "ellipsoid" else 1e-12)
        # the point is half of the gap away from the wall, and the normal leads away from it
        local = frame.T @ (point - state.position[0]) + hollow.centroid
        inside = frame.T @ normal
        assert depth(hollow, local) == pytest.approx(0.5 * gap, abs=1e-12)
        slope = [(depth(hollow, local + 1e-6 * e) - depth(hollow, local - 1e-6 * e)) / 2e-6 for e in np.eye(3)]
        assert inside == pytest.approx(slope, abs=1e-8)


def test_a_disk_that_lies_across_a_cylinder_touches_it_with_two_points():
    from trundle import Disk

    detector, state = bodies(CylinderInside(1.0, 4.0), Disk(0.99), fixed=(0,))
    tilt = 0.3  # about x: across is x, where both ends are as near as each other
    state.orientation[1] = math.cos(tilt / 2), math.sin(tilt / 2), 0, 0
    state.velocity[1, 0] = 0.02
    contacts = detector.detect(state, 1.0)
    assert np.sort(contacts.gap)[:2] == pytest.approx([0.01, 0.01], abs=1e-14)
    assert abs(contacts.normal[np.argsort(contacts.gap)[:2], 0]) == pytest.approx([1.0, 1.0])


def test_a_ball_in_a_funnel_is_held_all_around():
    from trundle import Sphere

    r, wall = 0.3, ConeInside(3.0, 4.0)
    detector, state = bodies(wall, Sphere(r), fixed=(0,))
    state.position[1] = (0, 0, r / 0.6 - wall.centroid[2])  # radius / slant height = 0.6
    contacts = detector.detect(state, 0.0)
    assert contacts.gap == pytest.approx(np.zeros(3), abs=1e-15)
    assert np.abs(contacts.normal.sum(axis=0)[:2]).max() < 1e-15


@pytest.mark.parametrize(
    ("wall", "out", "edge"),
    [
        (SphereInside(1.0, angle=math.pi / 2), (0.85, 0, 0.1), (1.0, 0, 0)),
        (CylinderInside(1.0, 2.0), (0.8, 0, 1.05), (1.0, 0, 1.0)),
        (ConeInside(1.0, 1.0), (0.85, 0, 1.2), (1.0, 0, 1.0)),
        (TorusInside(3.0, 1.0, arc=(-math.pi / 2, math.pi / 2)), (2.9, 0, 0.85), (3.0, 0, 1.0)),
    ],
)
def test_the_edge_of_a_wall_holds_a_ball(wall, out, edge):
    from trundle import Sphere

    detector, state = bodies(wall, Sphere(0.2), fixed=(0,))
    state.position[1] = np.array(out) - wall.centroid
    gap, normal, _ = nearest(detector, state)
    away = np.array(out) - np.array(edge)
    assert gap == pytest.approx(np.linalg.norm(away) - 0.2, abs=1e-12)
    assert normal == pytest.approx(away / np.linalg.norm(away), abs=1e-12)


def test_walls_are_hollow_in_their_radius():
    """Fang & Negrut (2020), table 1 and figure 4: 1 / R_eff = 1 / R_1 - 1 / R_2 in a hollow sphere."""
    from trundle import Sphere

    detector, state = bodies(SphereInside(2.0), Sphere(0.5), fixed=(0,))
    state.position[1] = (1.5, 0, 0)
    contacts = detector.detect(state, 0.0)
    assert contacts.effective_radius == pytest.approx([1.0 / (1.0 / 0.5 - 1.0 / 2.0)], rel=1e-14)


def test_mass_properties_of_walls_are_those_of_thin_shells():
    R, h, t = 0.7, 1.1, 0.002
    ball, drum, cone, ring = (
        SphereInside(R, thickness=t), CylinderInside(R, h, t), ConeInside(R, h, t), TorusInside(R, 0.2, thickness=t),
    )  # fmt: skip
    assert ball.volume == pytest.approx(4 * math.pi * R**2 * t, rel=1e-13)
    assert np.diag(ball.unit_inertia) == pytest.approx(2 / 3 * R**2, rel=1e-13)
    across = R**2 / 2 + h**2 / 12
    assert np.diag(drum.unit_inertia) == pytest.approx([across, across, R**2], rel=1e-13)
    assert cone.centroid[2] == pytest.approx(2 / 3 * h, rel=1e-13)
    assert cone.volume == pytest.approx(math.pi * R * math.hypot(R, h) * t, rel=1e-13)
    across = R**2 / 4 + h**2 / 2 - (2 / 3 * h) ** 2
    assert np.diag(cone.unit_inertia) == pytest.approx([across, across, R**2 / 2], rel=1e-12)
    assert ring.volume == pytest.approx(4 * math.pi**2 * R * 0.2 * t, rel=1e-13)
    assert ring.unit_inertia[2, 2] == pytest.approx(R**2 + 1.5 * 0.2**2, rel=1e-13)
    bowl = SphereInside(R, angle=1.0)
    assert bowl.centroid[2] == pytest.approx(-R * (1 + math.cos(1.0)) / 2, rel=1e-13)
