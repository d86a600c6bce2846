"""Bodies that start on the wrong side of meshes and height fields."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

import trundle
from trundle.detect.behind import bodies_behind
from trundle.scene import Box, Ellipsoid, HeightField, Mesh, Scene, Sphere
from trundle.scene.model import build_model
from trundle.scene.shapes import shape_from_table

FLAT = Mesh(vertices=[(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], faces=[(0, 1, 2), (0, 2, 3)])
FIELD = HeightField(
    heights=[[0, 0.1, 0.3], [0.2, 0, -0.1], [0.1, 0.4, 0.2]], spacing=(0.5, 0.4), origin=(-0.5, -0.4, 1.0)
)


def scene_with(ground, shape, position, **pose):
    scene = Scene()
    scene.add(shape, name="stone", mass=1.0, position=position)
    scene.add(ground, name="ground", fixed=True, **pose)
    scene.surface("default", "default", law=trundle.laws.Coulomb(mu=0.3))
    return scene


def solid(mesh):
    return Mesh(vertices=mesh.vertices.tolist(), faces=mesh.faces.tolist())


@pytest.mark.parametrize(
    "shape", [Sphere(radius=0.1), Box(size=(0.2, 0.2, 0.2)), Ellipsoid(semi_axes=(0.1, 0.09, 0.12))]
)
@pytest.mark.parametrize("ground", [FLAT, solid(trimesh.creation.icosphere(radius=2.0))], ids=["open", "closed"])
def test_body_that_cuts_through_a_surface_from_behind_is_an_error(shape, ground):
    top = 0.0 if ground is FLAT else 2.0
    with pytest.raises(
        trundle.SceneError, match=r"bodies '(stone|ground)' and '(stone|ground)' overlap .*at the start"
    ):
        trundle.simulate(scene_with(ground, shape, (0.03, 0.02, top - 0.088)), 0.1, 1e-3)


def test_body_deep_inside_a_closed_mesh_or_below_a_height_field_is_an_error():
    inside = scene_with(solid(trimesh.creation.box((4, 4, 4))), Sphere(radius=0.1), (0.3, 0.1, 0.2))
    below = scene_with(FIELD, Sphere(radius=0.1), (0.1, 0.1, 0.0))
    for scene, depth in ((inside, "1.7 m"), (below, "1.")):
        with pytest.raises(trundle.SceneError, match=f"centre of 'stone' is {depth}.* behind the surface. Move it"):
            trundle.simulate(scene, 0.1, 1e-3)


def test_body_far_behind_an_open_mesh_is_a_warning_and_beside_it_nothing(recwarn):
    with pytest.warns(
        trundle.TrundleWarning, match=r"'stone' is behind the mesh 'ground' at the start, 0.5 m from it.*flip"
    ):
        trundle.simulate(scene_with(FLAT, Sphere(radius=0.1), (0, 0, -0.5)), 0.01, 1e-3)
    recwarn.clear()
    trundle.simulate(scene_with(FLAT, Sphere(radius=0.1), (3, 0, -0.5)), 0.01, 1e-3)
    trundle.simulate(scene_with(FLAT, Sphere(radius=0.1), (0, 0, 0.5)), 0.01, 1e-3)
    assert not [one for one in recwarn if issubclass(one.category, trundle.TrundleWarning)]


@pytest.mark.parametrize("case", ["body", "emitter"])
def test_an_open_mesh_that_is_listed_clockwise_is_named_with_its_remedy(case):
    clockwise = Mesh(FLAT.vertices, FLAT.faces[:, ::-1])
    scene = scene_with(clockwise, Sphere(radius=0.1), (3 if case == "body" else -9, 0, 0.5))  # above, but not over it
    if case == "emitter":
        scene.emit(Sphere(radius=0.1), rate=1.0, count=2, region=trundle.BoxRegion((-1, -1, 1), (1, 1, 2)), density=1e3)
    with pytest.warns(trundle.TrundleWarning, match=r"mesh 'ground' look down.*Mesh\(..., flip=True\)"):
        trundle.simulate(scene, 0.01, 1e-3)
    with pytest.warns(trundle.TrundleWarning, match=r"'stone' is behind the mesh 'ground'.*Mesh\(..., flip=True\)"):
        trundle.simulate(scene_with(clockwise, Sphere(radius=0.1), (0, 0, 0.5)), 0.01, 1e-3)


@pytest.mark.parametrize("order", ["outward", "inward", "mixed"])
def test_a_closed_mesh_is_solid_inside_in_whatever_order_its_corners_are_listed(order):
    cube = trimesh.creation.box((2, 2, 2))
    faces = np.array(cube.faces)
    turned = {"outward": [], "inward": range(12), "mixed": [0, 3, 4, 9]}[order]
    faces[list(turned)] = faces[list(turned)][:, ::-1]
    for flip in (False, True):
        mesh = Mesh(cube.vertices, faces, flip=flip)
        again = shape_from_table(mesh.as_table())
        np.testing.assert_array_equal(again.faces, mesh.faces)
        for point, inside in (((0.2, 0.1, 0.3), True), ((0.2, 0.1, 1.3), False)):
            found = bodies_behind(*build_model(scene_with(again, Sphere(radius=0.1), point)))
            assert (len(found) == 1) == (inside != flip)


def test_a_cavity_in_a_solid_is_free_and_two_solids_are_both_solid():
    shell, core = trimesh.creation.icosphere(radius=2.0), trimesh.creation.icosphere(radius=1.0)
    for one, other in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        faces = np.vstack([shell.faces[:, ::one], core.faces[:, ::other] + len(shell.vertices)])
        hollow = Mesh(np.vstack([shell.vertices, core.vertices]), faces)
        apart = Mesh(np.vstack([shell.vertices, core.vertices + [5, 0, 0]]), faces)
        for mesh, solid_at in ((hollow, {1.5}), (apart, {0.0, 1.5, 5.0})):
            places = [
                x
                for x in (0.0, 1.5, 2.5, 5.0)
                for _ in bodies_behind(*build_model(scene_with(mesh, Sphere(0.1), (x, 0, 0))))
            ]
            assert set(places) == solid_at


def windings(mesh, points):
    """Solid angle of a mesh at points over 4 pi, van Oosterom & Strackee (1983): 1 inside, 0 outside."""
    a, b, c = (mesh.vertices[mesh.faces[:, k]][None] - points[:, None] for k in range(3))
    la, lb, lc = (np.linalg.norm(x, axis=2) for x in (a, b, c))
    dots = [np.einsum("pti,pti->pt", x, y) for x, y in ((a, b), (b, c), (c, a))]
    over = np.einsum("pti,pti->pt", a, np.cross(b, c))
    return np.arctan2(over, la * lb * lc + dots[0] * lc + dots[1] * la + dots[2] * lb).sum(axis=1) / (2.0 * np.pi)


def test_depths_in_a_mesh_with_sharp_and_hollow_edges_that_is_turned_and_moved():
    rng = np.random.default_rng(4)
    ring = trimesh.creation.annulus(r_min=0.5, r_max=1.0, height=0.6, sections=12)
    turn = trimesh.transformations.random_rotation_matrix(rng.random(3))
    q, shift = trimesh.transformations.quaternion_from_matrix(turn), np.array([3.0, -2.0, 1.0])
    points = rng.uniform(-1.2, 1.2, (300, 3))
    distance = trimesh.proximity.closest_point_naive(ring, points)[1]
    expected = np.where(windings(ring, points) > 0.5, distance, -distance)
    scene = Scene()
    scene.add(solid(ring), name="ring", fixed=True, position=shift, orientation=q / np.linalg.norm(q))
    for i, point in enumerate(points):
        scene.add(Sphere(radius=1e-3), name=f"p{i}", mass=1.0, position=turn[:3, :3] @ point + shift)
    scene.surface("default", "default", law=trundle.laws.Coulomb(mu=0.3))
    found = {one.body: one for one in bodies_behind(*build_model(scene))}
    assert len(found) == np.count_nonzero(expected > 0) > 20
    for i, depth in enumerate(expected):
        if depth > 0:
            assert found[i + 1].depth == pytest.approx(depth, abs=1e-9)
            assert found[i + 1].sure


def test_depth_below_a_height_field_is_that_of_its_triangles():
    rng = np.random.default_rng(5)
    vertices, faces = FIELD.surface_mesh()
    corners = vertices[faces]
    for _ in range(50):
        t, share = rng.integers(len(faces)), rng.dirichlet((1, 1, 1))
        point = share @ corners[t] - (0, 0, 0.25)
        one = bodies_behind(*build_model(scene_with(FIELD, Sphere(radius=0.1), point)))
        assert [found.depth for found in one] == pytest.approx([0.25], abs=1e-12)
