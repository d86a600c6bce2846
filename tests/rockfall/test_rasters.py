"""Terrain from files: rows, corners, holes, large coordinates, crop, tiles; and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

from trundle.errors import SceneError
from trundle.scene import HeightField
from trundle.scene.rasters import Raster, read_raster, write_ascii, write_geotiff

HEAD = "ncols 3\nnrows 2\n{x}\n{y}\ncellsize 10\nNODATA_value -9999\n"
ROWS = "1 2 3\n4 5 6\n"


def ascii_file(tmp_path, x="xllcorner 100", y="yllcorner 200", rows=ROWS, name="dem.asc"):
    path = tmp_path / name
    path.write_text(HEAD.format(x=x, y=y) + rows)
    return path


def test_the_first_row_of_a_file_is_the_northern_one(tmp_path):
    ground = HeightField(file=str(ascii_file(tmp_path)))
    assert ground.heights.tolist() == [[4, 1], [5, 2], [6, 3]]


@pytest.mark.parametrize(("key", "first"), [("corner", 105.0), ("center", 100.0)])
def test_heights_belong_to_the_centres_of_cells(tmp_path, key, first):
    ground = HeightField(file=str(ascii_file(tmp_path, f"xll{key} 100", f"yll{key} 200")))
    assert ground.vertices[0].tolist() == [first, first + 100.0, 4.0]


def test_large_coordinates_are_counted_from_an_offset_and_given_back(tmp_path):
    path = ascii_file(tmp_path, "xllcorner 2600123.5", "yllcorner 1200456.5")
    ground = HeightField(file=str(path))
    assert ground.offset == (2_600_000.0, 1_200_000.0)
    assert ground.vertices[0].tolist() == [128.5, 461.5, 4.0]
    assert ground.raster.corner == (2_600_128.5, 1_200_461.5)
    again = HeightField(file=str(path), offset=(0.0, 0.0))
    assert again.vertices[0].tolist() == [2_600_128.5, 1_200_461.5, 4.0]


def test_nodata_is_a_hole(tmp_path):
    ground = HeightField(file=str(ascii_file(tmp_path, rows="1 2 3\n4 5 -9999\n")))
    assert len(ground.faces) == 3  # of four: one has the missing corner
    assert np.isnan(ground.heights[2, 0])


def test_crop_and_resample_keep_a_plane_a_plane(tmp_path):
    x, y = np.arange(20) * 5.0, np.arange(30) * 5.0
    raster = Raster(2.0 + 0.5 * x[:, None] - 0.25 * y[None, :], (1000.0, 2000.0), (5.0, 5.0))
    write_ascii(tmp_path / "plane.asc", raster)
    ground = HeightField(file=str(tmp_path / "plane.asc"), crop=(1020, 2030, 1080, 2100), resample=2.0)
    vertices = ground.vertices
    assert vertices[:, 0].min() == 1020.0
    assert vertices[:, 1].max() == 2100.0
    expected = 2.0 + 0.5 * (vertices[:, 0] - 1000.0) - 0.25 * (vertices[:, 1] - 2000.0)
    assert vertices[:, 2] == pytest.approx(expected, abs=1e-9)


def test_tiles_of_a_common_grid_are_one_ground(tmp_path):
    one = ascii_file(tmp_path, name="a.asc")
    other = ascii_file(tmp_path, x="xllcorner 130", rows="7 8 9\n10 11 12\n", name="b.asc")
    ground = HeightField(file=[str(one), str(other)])
    assert ground.heights.T.tolist() == [[4, 5, 6, 10, 11, 12], [1, 2, 3, 7, 8, 9]]
    off = ascii_file(tmp_path, x="xllcorner 133", name="c.asc")
    with pytest.raises(SceneError, match="off the grid"):
        HeightField(file=[str(one), str(off)])


def test_a_geotiff_says_the_same_as_an_ascii_grid(tmp_path):
    pytest.importorskip("rasterio")
    raster = Raster(
        np.random.default_rng(0).normal(size=(7, 5)).astype(np.float32).astype(float),
        (2.6e6, 1.2e6),
        (2.0, 2.0),
        "EPSG:2056",
    )
    raster.values[2, 3] = np.nan
    write_geotiff(tmp_path / "dem.tif", raster)
    found = read_raster("test", tmp_path / "dem.tif")
    assert found.corner == raster.corner
    assert found.spacing == raster.spacing
    assert found.crs == "EPSG:2056"
    assert np.array_equal(found.values, raster.values, equal_nan=True)
    write_ascii(tmp_path / "dem.asc", raster)
    assert read_raster("test", tmp_path / "dem.asc").values == pytest.approx(raster.values, rel=1e-6, nan_ok=True)
    HeightField(file=str(tmp_path / "dem.tif"))


def test_a_truncated_or_turned_or_geographic_raster_is_refused(tmp_path):
    rasterio = pytest.importorskip("rasterio")
    raster = Raster(np.random.default_rng(0).normal(size=(300, 300)), (2.6e6, 1.2e6), (2.0, 2.0), "EPSG:2056")
    write_geotiff(tmp_path / "dem.tif", raster)
    whole = (tmp_path / "dem.tif").read_bytes()
    (tmp_path / "cut.tif").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SceneError, match="truncated"):
        HeightField(file=str(tmp_path / "cut.tif"))
    write_geotiff(tmp_path / "degrees.tif", Raster(np.zeros((3, 3)), (8.0, 46.0), (0.001, 0.001), "EPSG:4326"))
    with pytest.raises(SceneError, match="degrees"):
        HeightField(file=str(tmp_path / "degrees.tif"))
    turned = rasterio.transform.Affine(1.0, 0.5, 0.0, 0.5, -1.0, 0.0)
    with rasterio.open(
        tmp_path / "turned.tif", "w", driver="GTiff", width=3, height=3, count=1, dtype="float32", transform=turned
    ) as sink:
        sink.write(np.zeros((3, 3), np.float32), 1)
    with pytest.raises(SceneError, match="turned"):
        HeightField(file=str(tmp_path / "turned.tif"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD.format(x="xllcorner 0", y="yllcorner 0") + "1 2 3\n4 5\n", "truncated"),
        ("ncols 3\n1 2 3\n", "nrows"),
        (HEAD.format(x="xllcorner 0", y="") + ROWS, "yllcorner"),
        (HEAD.format(x="xllcorner 0", y="yllcorner 0") + "1 2 3\n4 five 6\n", "something else"),
        (HEAD.format(x="xllcorner east", y="yllcorner 0") + ROWS, "not a number"),
    ],
)
def test_a_bad_ascii_grid_is_refused_with_a_reason(tmp_path, text, words):
    (tmp_path / "bad.asc").write_text(text)
    with pytest.raises(SceneError, match=words):
        HeightField(file=str(tmp_path / "bad.asc"))


def test_a_crop_outside_asks_for_the_coordinate_system(tmp_path):
    with pytest.raises(SceneError, match="same system"):
        HeightField(file=str(ascii_file(tmp_path)), crop=(2.6e6, 1.2e6, 2.7e6, 1.3e6))


# --- zones ----------------------------------------------------------------------------------------------------------------


def polygons(path, *features):
    data = [
        {"type": "Feature", "properties": {"surface": name}, "geometry": {"type": "Polygon", "coordinates": rings}}
        for name, rings in features
    ]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": data}))
    return str(path)


def square(low, high):
    return [[low, low], [high, low], [high, high], [low, high], [low, low]]


def test_a_triangle_belongs_to_the_polygon_around_its_middle_and_holes_are_left_out(tmp_path):
    file = polygons(tmp_path / "soils.geojson", ("scree", [square(1.9, 8.1), square(4.1, 5.9)]))
    ground = HeightField(np.zeros((11, 11)), 1.0, zones=file)
    middle = ground.vertices[ground.faces].mean(axis=1)[:, :2]
    within = np.all((middle > 1.9) & (middle < 8.1), axis=1) & ~np.all((middle > 4.1) & (middle < 5.9), axis=1)
    assert ground.soils == ("scree",)
    assert np.array_equal(ground.zones == 0, within)


def test_a_raster_of_classes_gives_soils_by_their_number(tmp_path):
    write_ascii(tmp_path / "classes.asc", Raster(np.array([[0.0, 1.0], [1.0, np.nan]]), (0.5, 0.5), (1.0, 1.0)))
    ground = HeightField(np.zeros((3, 3)), 1.0, zones=str(tmp_path / "classes.asc"), soils=["rock", "scree"])
    assert ground.zones.reshape(-1, 2).tolist() == [[0, 0], [1, 1], [1, 1], [-1, -1]]
    with pytest.raises(SceneError, match=r"class 1, which soils does not name; it names 0: rock"):
        HeightField(np.zeros((3, 3)), 1.0, zones=str(tmp_path / "classes.asc"), soils=["rock"])


@pytest.mark.parametrize("where", ["file", "array"])
def test_classes_may_be_any_numbers_with_names_by_class_of_which_some_are_not_there(tmp_path, where):
    classes = np.array([[24, 31], [31, 7]])
    write_ascii(tmp_path / "classes.asc", Raster(classes.astype(float), (0.5, 0.5), (1.0, 1.0)))
    zones = str(tmp_path / "classes.asc") if where == "file" else classes
    named = {"31": "rock", 7: "rock", 24: "scree", 99: "asphalt"}  # keys of TOML tables are text
    ground = HeightField(np.zeros((3, 3)), 1.0, zones=zones, soils=named)
    assert [ground.soils[k] for k in ground.zones[::2]] == ["scree", "rock", "rock", "rock"]
    with pytest.raises(SceneError, match=r"class 24, which soils does not name; it names 31: rock, 7: rock"):
        HeightField(np.zeros((3, 3)), 1.0, zones=zones, soils={31: "rock", 7: "rock"})


@pytest.mark.parametrize("soils", [{"a": "rock"}, {-3: "rock"}, {1: ""}, {1: "rock", "1": "scree"}, "rock", 3])
def test_names_of_classes_that_cannot_be_understood_are_refused(soils):
    with pytest.raises(SceneError, match="must be a list of names of surfaces.*or a table of names by class"):
        HeightField(np.zeros((3, 3)), 1.0, zones=np.ones((2, 2), int), soils=soils)


def test_polygons_outside_and_without_names_are_refused(tmp_path):
    far = polygons(tmp_path / "far.geojson", ("scree", [square(2.6e6, 2.7e6)]))
    with pytest.raises(SceneError, match="same coordinate system"):
        HeightField(np.zeros((3, 3)), 1.0, zones=far)
    nameless = polygons(tmp_path / "nameless.geojson", (3, [square(0, 2)]))
    with pytest.raises(SceneError, match="does not name its surface"):
        HeightField(np.zeros((3, 3)), 1.0, zones=nameless)
    (tmp_path / "bad.geojson").write_text("{")
    with pytest.raises(SceneError, match="no GeoJSON"):
        HeightField(np.zeros((3, 3)), 1.0, zones=str(tmp_path / "bad.geojson"))
    with pytest.raises(SceneError, match="zones has 3 numbers; there are 8 triangles"):
        HeightField(np.zeros((3, 3)), 1.0, zones=[0, 0, 0], soils=["rock"])
    with pytest.raises(SceneError, match="no effect without zones"):
        HeightField(np.zeros((3, 3)), 1.0, soils=["rock"])


def test_a_shapefile_says_the_same_as_geojson(tmp_path):
    geopandas = pytest.importorskip("geopandas")
    pytest.importorskip("pyogrio")
    file = polygons(tmp_path / "soils.geojson", ("scree", [square(1.9, 8.1)]))
    geopandas.read_file(file).set_crs("EPSG:2056", allow_override=True).to_file(tmp_path / "soils.shp")
    one = HeightField(np.zeros((11, 11)), 1.0, zones=file)
    other = HeightField(np.zeros((11, 11)), 1.0, zones=str(tmp_path / "soils.shp"))
    assert one == other
