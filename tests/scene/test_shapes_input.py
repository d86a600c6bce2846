"""What shapes accept, what they say about the rest, and how they are written in files."""

from __future__ import annotations

import re

import numpy as np
import pytest
import trimesh

from trundle.errors import SceneError
from trundle.scene import (
    Box,
    Capsule,
    Clump,
    Cylinder,
    Disk,
    Ellipsoid,
    HalfSpace,
    HeightField,
    Mesh,
    Polyhedron,
    Sphere,
)
from trundle.scene.shapes import shape_from_table

TETRA = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
PLANE = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]
GOOD = [
    Sphere(0.1), HalfSpace((0, 1, 1), 0.2), Box((1, 2, 3)), Ellipsoid((1, 2, 3)), Disk(0.1), Disk(0.1, 0.01),
    Cylinder(0.1, 0.2), Capsule(0.1, 0.2), Polyhedron(TETRA), Polyhedron(TETRA, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]),
    Clump([(0, 0, 0), (0.1, 0, 0)], [0.1, 0.2]),
]  # fmt: skip


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: Sphere(-0.1), ["Sphere", "radius = -0.1 m", "positive"]),
        (lambda: Sphere("big"), ["Sphere", "'big'", "not a number"]),
        (lambda: Sphere(float("nan")), ["radius = nan m", "finite"]),
        (lambda: Sphere(True), ["radius = True", "not a number"]),
        (lambda: Sphere(1e300), ["radius", "out of range"]),
        (lambda: Box((1, 2)), ["Box", "size", "3"]),
        (lambda: Box((1, 0, 2)), [r"size\[1\] = 0 m", "positive"]),
        (lambda: Ellipsoid((1, 2, np.inf)), ["semi_axes", "finite"]),
        (lambda: Disk(0.1, -0.1), ["thickness = -0.1 m", "between 0 and"]),
        (lambda: Cylinder(0.1, 0), ["height = 0 m", "positive"]),
        (lambda: Capsule(0.1, None), ["height = None", "not a number"]),
        (lambda: HalfSpace((0, 0, 0)), ["normal", "no direction"]),
        (lambda: HalfSpace(offset=float("nan")), ["offset = nan m", "finite"]),
        (lambda: Polyhedron(TETRA[:3]), ["3 vertices", "at least 4"]),
        (lambda: Polyhedron(PLANE), ["plane", "thin Box"]),
        (lambda: Polyhedron([*TETRA[:3], (0, 0, np.nan)]), [r"vertices\[3\]", "finite"]),
        (lambda: Polyhedron("cube"), ["vertices", "points"]),
        (lambda: Polyhedron(TETRA, [(0, 1, 9)]), [r"faces\[0\]", "0 to 3"]),
        (lambda: Polyhedron([*TETRA, (0.1, 0.1, 0.1)], [(0, 2, 1)]), ["not convex"]),
        (lambda: Clump([(0, 0, 0)], [0.1, 0.2]), ["1 centres and 2 radii"]),
        (lambda: Clump([(0, 0, 0)], [-0.1]), [r"radii\[0\] = -0.1 m", "positive"]),
        (lambda: Clump([], []), ["centres"]),
        (lambda: Mesh(TETRA, [(0, 1, 7)]), ["vertices from 0 to 7", "0 to 3"]),
        (lambda: Mesh([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 1, 2)]), ["degenerate", "no area"]),
        (lambda: Mesh(TETRA, [(0, 1)]), ["faces", r"\(m, 3\)"]),
        (lambda: Mesh(TETRA), ["vertices", "file"]),
        (lambda: Mesh(TETRA, [(0, 1, 2), (1, 2, 3)]), ["opposite sides", "triangles 0 and 1", "counterclockwise"]),
        (lambda: Mesh(file="nowhere.stl"), ["nowhere.stl", "no such file"]),
        (lambda: Mesh(file="ground.docx"), ["ground.docx", ".stl"]),
        (lambda: HeightField([[0, 1]], 0.1), ["HeightField", "at least 2"]),
        (lambda: HeightField([[0, 1], [np.inf, 0]], 0.1), [r"heights\[1\]\[0\]", "finite", "nodata"]),
        (lambda: HeightField([[np.nan, 1], [1, 0]], 0.1), ["no triangle is left", "nodata"]),
        (lambda: HeightField([[0, 1], [1, 0]], 0.1, nodata="none"), ["nodata = 'none'"]),
        (lambda: Mesh(TETRA, [(0, 1, 2)], flip="yes"), ["flip = 'yes'", "true or false"]),
        (lambda: HeightField(np.zeros((3, 3)), 0.0), ["spacing = 0 m", "positive"]),
        (lambda: HeightField("flat", 0.1), ["heights", "numbers"]),
    ],
)
def test_bad_values_are_named_with_their_units(make, words):
    with pytest.raises(SceneError) as error:
        make()
    for word in words:
        assert re.search(word, str(error.value)), str(error.value)


@pytest.mark.parametrize("shape", GOOD, ids=lambda shape: type(shape).__name__)
def test_a_shape_comes_back_from_its_table(shape):
    assert shape_from_table(shape.as_table()) == shape


def test_ground_comes_back_from_its_table(tmp_path):
    mesh = Mesh(TETRA, [(0, 2, 1)])
    again = shape_from_table(mesh.as_table())
    assert np.array_equal(again.vertices, mesh.vertices)
    assert np.array_equal(again.faces, mesh.faces)
    field = HeightField([[0, 1], [2, 3]], (0.1, 0.2), (1, 2, 3))
    again = shape_from_table(field.as_table())
    assert np.array_equal(again.vertices, field.vertices)
    path = tmp_path / "ground.stl"
    trimesh.creation.box((1, 2, 3)).export(path)
    mesh = Mesh(file=path, scale=1e-3)
    assert set(mesh.as_table()) == {"shape", "vertices", "faces"}  # without the file, which may change
    assert np.array_equal(shape_from_table(mesh.as_table()).vertices, mesh.vertices)


@pytest.mark.parametrize("suffix", ["stl", "obj", "ply"])
def test_mesh_files_are_read_with_shared_corners(tmp_path, suffix):
    path = tmp_path / f"box.{suffix}"
    trimesh.creation.box((1, 2, 3)).export(path)
    mesh = Mesh(file=str(path))
    assert len(mesh.vertices) == 8
    assert len(mesh.faces) == 12
    np.testing.assert_allclose(np.abs(mesh.vertices), np.tile([0.5, 1, 1.5], (8, 1)))


@pytest.mark.parametrize(
    "content", [b"", b"solid nothing\nendsolid", b"\x00" * 90, b"not a mesh at all", b"v 1 2 nan\nf 1 1 1"]
)
@pytest.mark.parametrize("suffix", ["stl", "obj", "ply"])
def test_unreadable_mesh_files_are_scene_errors(tmp_path, content, suffix):
    path = tmp_path / f"bad.{suffix}"
    path.write_bytes(content)
    with pytest.raises(SceneError, match="bad"):
        Mesh(file=path)


@pytest.mark.parametrize(
    "table, words",
    [
        ({"shape": "Spere", "radius": 1}, "shape 'Spere'.*Did you mean 'Sphere'"),
        ({"shape": "Sphere", "raduis": 1}, "key 'raduis'.*Did you mean 'radius'"),
        ({"shape": "Sphere"}, "Sphere needs radius"),
        ({"radius": 1}, "'shape' is missing"),
        ({"shape": "Sphere", "radius": -1}, "here: Sphere: radius = -1 m"),
        ([1, 2], "not a table"),
        ({"shape": 3}, "unknown shape 3"),
    ],
)
def test_bad_tables_are_named_with_their_place(table, words):
    with pytest.raises(SceneError, match=f"here: .*{words}" if not words.startswith("here") else words):
        shape_from_table(table, "here")


def test_a_height_field_has_two_triangles_per_cell_that_look_up():
    field = HeightField(np.arange(12.0).reshape(3, 4), (0.5, 0.25), (1, 2, 3))
    vertices, faces = field.surface_mesh()
    assert len(faces) == 2 * 2 * 3
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    assert np.all(np.cross(b - a, c - a)[:, 2] > 0)
    np.testing.assert_allclose(vertices[1 * 4 + 2], (1.5, 2.5, 3 + 6))


@pytest.mark.parametrize("resolution", [2, 0, -1, 3.5, "fine", True])
def test_resolutions_are_checked(resolution):
    with pytest.raises(SceneError, match="resolution"):
        Sphere(0.1).surface_mesh(resolution)


def test_numbers_of_numpy_are_numbers_in_messages():
    with pytest.raises(SceneError, match=r"origin = \(-1\.0, 2\) must be 3 finite numbers"):
        HeightField(heights=np.zeros((3, 3)), spacing=1.0, origin=(np.float64(-1.0), np.int64(2)))
