"""Terrain in the page and in pictures: relief, colours of height, draped rasters and images, paths, a camera that follows."""

from __future__ import annotations

import io
import itertools

import numpy as np
import pytest
from PIL import Image

import trundle
from trundle.errors import TrundleError
from trundle.record import Recording
from trundle.scene.rasters import Raster, write_ascii
from trundle.view.drape import of_raster, read_drape
from trundle.view.page import export_page
from trundle.view.pictures import Renderer
from trundle.view.server import ViewServer
from trundle.view.source import RunSource
from trundle.view.terrain import all_paths

CORNER = (2_690_000.0, 1_165_000.0)


@pytest.fixture(scope="module")
def slope(tmp_path_factory):
    """Two balls on a slope in map coordinates, as a recording."""
    folder = tmp_path_factory.mktemp("terrain")
    x, y = np.meshgrid(np.arange(0.0, 41.0, 2.0), np.arange(0.0, 31.0, 2.0), indexing="ij")
    heights = 20.0 - 0.5 * x + 0.5 * np.sin(0.7 * y)
    write_ascii(folder / "dem.asc", Raster(heights, CORNER, (2.0, 2.0)))
    scene = trundle.Scene()
    scene.add(trundle.HeightField(file=str(folder / "dem.asc")), name="slope", fixed=True, surface="ground")
    for k, y0 in enumerate((10.0, 20.0)):
        scene.add(
            trundle.Sphere(0.8), name=f"ball {k}", density=2600.0, position=(4.0, y0, 20.5 + 0.5 * k), surface="rock"
        )
    scene.surface("rock", "ground", law=trundle.laws.Rolling(mu=0.6, mu_r=0.02))
    scene.surface("rock", "rock", law=trundle.laws.Coulomb(0.5))
    trundle.simulate(scene, 2.0, 5e-3, record=folder / "run.h5", every=20)
    return folder


def half(values=(0.0, 1.0)):
    """A raster of 40 m x 30 m: the first value in the west, the second in the east."""
    table = np.where(np.arange(20)[:, None] < 10, *values) * np.ones((20, 15))
    return Raster(table, (CORNER[0] + 1.0, CORNER[1] + 1.0), (2.0, 2.0))


def test_a_raster_has_colours_where_something_happened_and_none_elsewhere():
    drape = of_raster("reach", half((0.0, 0.5)))
    west, east = drape.colours_at(CORNER[0] + np.array([5.0, 35.0]), CORNER[1] + np.array([10.0, 10.0]))
    assert (west[3], east[3]) == (0.0, 1.0)
    assert (drape.low, drape.high) == (CORNER, (CORNER[0] + 40.0, CORNER[1] + 30.0))
    assert drape.colours_at(np.array([CORNER[0] - 1.0]), np.array([CORNER[1]]))[0, 3] == 0.0
    below = of_raster("change", half((-1.0, 0.0)))  # where values may be negative, zero is one of them
    assert np.all(below.pixels[..., 3] == 255)
    none = half((np.nan, 2.0))
    assert np.all(of_raster("depth", none).pixels[:, :10, 3] == 0)


def test_an_image_lies_where_its_world_file_says(tmp_path):
    pixels = np.zeros((3, 4, 3), np.uint8)
    pixels[0, 0] = (255, 0, 0)  # north-west
    Image.fromarray(pixels).save(tmp_path / "photo.png")
    (tmp_path / "photo.pgw").write_text("10\n0\n0\n-10\n105\n245\n")
    drape = read_drape(tmp_path / "photo.png")
    assert (drape.low, drape.high) == ((100.0, 220.0), (140.0, 250.0))
    assert drape.colours_at(np.array([101.0, 101.0]), np.array([249.0, 221.0]))[:, 0].tolist() == [1.0, 0.0]


def test_a_geotiff_of_three_bands_is_an_image(tmp_path):
    rasterio = pytest.importorskip("rasterio")
    bands = np.zeros((3, 6, 8), np.uint8)
    bands[1, 0, 0] = 200  # green in the north-west
    place = rasterio.transform.from_origin(CORNER[0], CORNER[1] + 30.0, 5.0, 5.0)
    with rasterio.open(
        tmp_path / "photo.tif", "w", driver="GTiff", width=8, height=6, count=3, dtype="uint8", transform=place
    ) as file:
        file.write(bands)
    drape = read_drape(tmp_path / "photo.tif")
    assert (drape.low, drape.high) == (CORNER, (CORNER[0] + 40.0, CORNER[1] + 30.0))
    assert drape.pixels[-1, 0].tolist() == [0, 200, 0, 255]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("none.asc", None, "no such file"),
        ("photo.png", b"", "world file"),
        ("photo.jpg", b"no image", "no image that can be read"),
        ("half.tif", b"II*\0", "cannot be read|not be read|rasterio"),
    ],
)
def test_a_drape_that_cannot_be_read_is_named(tmp_path, name, content, said):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    if name == "photo.jpg":
        (tmp_path / "photo.jgw").write_text("1 0 0 -1 0 0")
    with pytest.raises(TrundleError, match=said):
        read_drape(tmp_path / name)


def test_paths_of_all_bodies_go_through_their_positions(slope):
    with Recording(slope / "run.h5") as run:
        found = all_paths(run)
        assert found["body"].tolist() == [1, 2]
        first = found["first"]
        assert found["position"][: first[1]] == pytest.approx(run.position("ball 0"), abs=1e-5)
        assert found["time"][: first[1]] == pytest.approx(run.time, abs=1e-6)
        assert found["speed"][: first[1]] == pytest.approx(np.linalg.norm(run.velocity("ball 0"), axis=1), abs=1e-5)


def test_pictures_show_relief_elevation_and_drapes(slope):
    with Recording(slope / "run.h5") as run:
        small = {"width": 160, "height": 120, "colour": "plain", "zoom": 0.3}
        looks = [
            Renderer(run, **small, **look).draw(-1).astype(int)
            for look in (
                {},
                {"terrain": "hillshade"},
                {"terrain": "elevation"},
                {"drape": of_raster("r", half((1.0, 0.0)))},
            )
        ]
        for one, other in ((0, 1), (1, 2), (1, 3)):
            changed = np.any(looks[one] != looks[other], axis=2)
            assert np.mean(changed) > 0.05
        # the drape covers one half of what the relief shows
        over = np.any(looks[1] != looks[3], axis=2)
        assert np.mean(over) < 0.7 * np.mean(np.any(looks[1] != looks[2], axis=2))
        with pytest.raises(TrundleError, match="elevation"):
            Renderer(run, **small, terrain="elevations")


def test_what_the_page_shall_show_first_is_checked_before_it_is_served(slope):
    for look, said in (
        ({"follow": "bal 0"}, "ball 0"),
        ({"ground": "map"}, "hillshade"),
        ({"target": (0, 1)}, "three"),
    ):
        with pytest.raises(TrundleError, match=said):
            RunSource(slope / "run.h5", look=look)


def colours_of(page) -> np.ndarray:
    data = page.locator("#canvas").screenshot()
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


@pytest.mark.parametrize("exported", [False, True])
def test_the_page_shows_terrain_paths_and_follows_a_body(page, slope, exported, tmp_path):
    drapes = [of_raster("reach", half((1.0, 0.0)))]
    look = {"paths": True, "ground": "hillshade"}
    server = ViewServer(slope / "run.h5", drapes=drapes, look=look).start()
    url = server.url
    if exported:
        url = export_page(slope / "run.h5", tmp_path / "run.html", drapes=drapes, look=look).as_uri()
    try:
        page.goto(url + "#frame=0")
        page.wait_for_function("window.trundle && window.trundle.ready", timeout=60_000)
        assert page.evaluate("[trundle.ground, trundle.paths]") == ["hillshade", True]
        assert page.evaluate("trundle.pathCount") == 40  # two balls, 21 frames
        looks = {}
        for name in ("plain", "hillshade", "elevation", "reach"):
            page.locator("#ground").select_option(name)
            page.wait_for_function(f"trundle.ground === '{name}'")
            page.wait_for_timeout(500)
            looks[name] = colours_of(page)
        names = list(looks)
        for one, other in itertools.pairwise(names):
            assert np.mean(np.any(looks[one] != looks[other], axis=2)) > 0.02
        page.locator("#paths").uncheck()
        page.wait_for_function("trundle.pathCount === 0")
        # a camera that follows looks at the body in every frame
        page.evaluate("trundle.pick(1)")
        page.locator("#chase").check()
        for frame in (5, 20):
            page.evaluate(f"trundle.show({frame})")
            page.wait_for_function(f"trundle.frame === {frame}")
            target, place = page.evaluate(
                "[trundle.stage.controls.target.toArray(), Array.from(trundle.stage.place(1))]"
            )
            assert target == pytest.approx(place, abs=1e-4)
        assert page.complaints == []
    finally:
        server.stop()
