"""Pictures and films show what is there, without a browser."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import synthetic
from PIL import Image

import trundle
from trundle.errors import TrundleError
from trundle.record import Recording, layout
from trundle.record.writer import Writer
from trundle.view import films, pictures
from trundle.view.films import film_frames, save_film, save_picture
from trundle.view.pictures import Renderer, colour_map, ground_colours, palette, rgb

SMALL = {"width": 320, "height": 200}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return synthetic.write(tmp_path_factory.mktemp("view") / "run.h5", side=3, frames=6, extra=True)


def one_sphere(path, positions, radius=0.1, shape=None, mass=1.0):
    """A recording of bodies at rest."""
    bodies = np.zeros(len(positions), layout.BODY_TYPE)
    bodies["name"] = [f"b{i}" for i in range(len(positions))]
    bodies["shape"] = json.dumps(shape or {"shape": "Sphere", "radius": radius})
    bodies["radius"], bodies["surface"], bodies["mass"] = radius, "rock", mass
    layout.create(path, layout.Header(bodies, "", {"time_step": 1e-3}, synthetic.LEDGER, synthetic.MODES))
    writer = Writer(path)
    n = len(positions)
    points = {"body": np.arange(n), "position": positions, "velocity": np.zeros((n, 3)), "radius": np.full(n, radius),
              "angular_velocity": np.zeros((n, 3)), "orientation": np.tile([1.0, 0, 0, 0], (n, 1))}  # fmt: skip
    writer.frame(0.0, points, {})
    writer.finish({}, True)
    writer.close()
    return path


def test_a_sphere_covers_the_pixels_that_geometry_says(tmp_path):
    path = one_sphere(tmp_path / "one.h5", np.zeros((1, 3)))
    with Recording(path) as run:
        renderer = Renderer(run, width=400, height=400, colour="plain", direction=(0, -1, 0))
        pixels = renderer.draw(0)
    inside = np.any(np.abs(pixels.astype(int) - pixels[0, 0]) > 8, axis=2)
    # a ball of radius r at the distance d fills a circle of tangent r / sqrt(d^2 - r^2)
    d = np.linalg.norm(renderer.camera.eye)
    f = 400 / (2 * math.tan(pictures.FIELD_OF_VIEW / 2))
    expected = math.pi * (f * 0.1 / math.sqrt(d * d - 0.01)) ** 2
    assert np.count_nonzero(inside) == pytest.approx(expected, rel=0.01)
    rows, columns = np.nonzero(inside)
    assert rows.mean() == pytest.approx(199.5, abs=0.6)
    assert columns.mean() == pytest.approx(199.5, abs=0.6)


def test_the_size_of_the_scene_does_not_matter(tmp_path):
    pictures_of = []
    for size in (1e-6, 1.0, 1e6):
        path = one_sphere(tmp_path / f"{size}.h5", size * np.array([[0.0, 0, 0], [0.3, 0.1, 0]]), 0.1 * size)
        with Recording(path) as run:
            pictures_of.append(Renderer(run, colour="plain", **SMALL).draw(0).astype(int))
    for other in pictures_of[1:]:
        # positions are rounded to 32 bits: some pixels at the edges may differ
        assert np.mean(np.any(np.abs(other - pictures_of[0]) > 3, axis=2)) < 2e-3


def test_what_reaches_behind_the_eye_is_cut_not_left_out(tmp_path):
    path = one_sphere(tmp_path / "beam.h5", np.zeros((1, 3)), 0.1, {"shape": "Box", "size": [0.1, 100.0, 0.1]})
    with Recording(path) as run:
        renderer = Renderer(run, width=200, height=200, colour="plain", direction=(0.3, -1, 0.5))
        pixels = renderer.draw(0).astype(int)
    assert np.linalg.norm(renderer.camera.eye) < 50.0
    inside = np.any(np.abs(pixels - pixels[0, 0]) > 8, axis=2)
    assert inside[100, 100]
    assert inside[-1].any() or inside[:, 0].any() or inside[:, -1].any()  # it runs out of the picture


def test_a_long_belt_that_moves_as_prescribed_does_not_push_the_camera_away(tmp_path):
    path = one_sphere(tmp_path / "belt.h5", np.array([[0.0, 0, 0], [500.0, 0, 0]]), mass=(1.0, np.inf))
    with Recording(path) as run:
        renderer = Renderer(run, colour="plain", **SMALL)
    assert np.linalg.norm(renderer.camera.eye) < 2.0


def test_the_nearer_body_hides_the_other(tmp_path):
    path = one_sphere(tmp_path / "two.h5", np.array([[0.0, -0.5, 0.0], [0.0, 0.5, 0.0]]))
    with Recording(path) as run:
        renderer = Renderer(run, width=200, height=200, colour="plain", direction=(0, -1, 0))
        renderer._tints = lambda bodies: np.array([[1.0, 0, 0], [0, 1.0, 0]])
        front = renderer.draw(0)[100, 100].astype(int)
        back = Renderer(run, width=200, height=200, colour="plain", direction=(0, 1, 0))
        back._tints = renderer._tints
        behind = back.draw(0)[100, 100].astype(int)
    assert front[0] > 2 * front[1]
    assert behind[1] > 2 * behind[0]


def test_a_box_covers_the_pixels_that_geometry_says(tmp_path):
    path = one_sphere(tmp_path / "box.h5", np.zeros((1, 3)), 0.1, {"shape": "Box", "size": [0.1, 0.1, 0.1]})
    with Recording(path) as run:
        renderer = Renderer(run, width=400, height=400, colour="plain", direction=(0, -1, 0))
        pixels = renderer.draw(0)
    inside = np.any(np.abs(pixels.astype(int) - pixels[0, 0]) > 8, axis=2)
    f = 400 / (2 * math.tan(pictures.FIELD_OF_VIEW / 2))
    side = f * 0.1 / (np.linalg.norm(renderer.camera.eye) - 0.05)  # the front face hides the rest
    assert np.count_nonzero(inside) == pytest.approx(side**2, rel=0.02)


@pytest.mark.parametrize("colour", pictures.COLOURS)
def test_every_colour_gives_a_picture(run, tmp_path, colour):
    file = save_picture(run, tmp_path / "a.png", colour=colour, **SMALL)
    image = np.asarray(Image.open(file))
    assert image.shape == (200, 320, 3)
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 200


def test_forces_change_the_picture(run, tmp_path):
    def draw(**look):
        return np.asarray(Image.open(save_picture(run, tmp_path / "a.png", frame=3, **look, **SMALL))).astype(int)

    plain, arrows, chains = draw(), draw(arrows=True), draw(chains=True)
    assert np.mean(plain != arrows) > 0.01
    assert np.mean(chains != arrows) > 0.01


def test_pictures_are_the_same_every_time(run, tmp_path):
    first = save_picture(run, tmp_path / "a.png", **SMALL).read_bytes()
    assert save_picture(run, tmp_path / "b.png", **SMALL).read_bytes() == first


def test_a_film_shows_the_run_at_the_speed_asked_for():
    time = np.arange(0, 2.001, 0.01)
    np.testing.assert_array_equal(film_frames(time, fps=10, speed=1.0), np.arange(0, 201, 10))
    assert len(film_frames(time, fps=10, speed=2.0)) == 11
    np.testing.assert_array_equal(film_frames(time, fps=100, speed=0.1)[:31:10], [0, 1, 2, 3])
    with pytest.raises(TrundleError, match="Raise the speed"):
        film_frames(time, 100, 1e-3)


def test_a_gif_keeps_the_colours_of_its_legend(run, tmp_path):
    file = save_film(run, tmp_path / "a.gif", fps=20, speed=1.0, width=480, height=300, colour="mode")
    pixels = np.asarray(Image.open(file).convert("RGB")).reshape(-1, 3).astype(float) / 255.0
    for name, text in pictures.palette()["modes"].values():
        assert np.abs(pixels - pictures.rgb(text)).max(axis=1).min() < 0.04, name


def test_a_gif_moves(run, tmp_path):
    file = save_film(run, tmp_path / "a.gif", fps=20, speed=0.2, width=160, height=100)
    with Image.open(file) as image:
        assert image.n_frames == 6
        assert image.info["duration"] == 50
        first = np.asarray(image.convert("RGB")).astype(int)
        image.seek(5)
        assert np.mean(np.asarray(image.convert("RGB")) != first) > 0.01


def test_an_mp4_is_written(run, tmp_path):
    pytest.importorskip("imageio_ffmpeg", reason="NO FFMPEG: pip install imageio-ffmpeg")
    file = save_film(run, tmp_path / "a.mp4", fps=20, speed=0.2, width=161, height=101)
    assert file.read_bytes()[4:8] == b"ftyp"


def test_without_ffmpeg_the_remedy_is_named(run, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    monkeypatch.setattr(films.shutil, "which", lambda name: None)
    with pytest.raises(TrundleError, match="pip install imageio-ffmpeg"):
        save_film(run, tmp_path / "a.mp4")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"colour": "sped"}, "Did you mean 'speed'"),
        ({"frame": 99}, "no frame 99"),
        ({"width": 3}, "between 16 and 8192"),
        ({"direction": (0, 0, 0)}, "not all 0"),
        ({"zoom": 0.0}, "positive"),
        ({"follow": "nobody"}, "unknown body 'nobody'"),
        ({"target": (1.0, 2.0)}, "three numbers"),
        ({"terrain": "green"}, "unknown terrain 'green'"),
    ],
)
def test_bad_wishes_are_explained(run, tmp_path, change, message):
    with pytest.raises(TrundleError, match=message):
        save_picture(run, tmp_path / "a.png", **change)


def block_on_a_slope(path):
    scene = trundle.Scene()
    slope = np.tile(-0.5 * np.arange(21.0)[:, None], (1, 11))
    scene.add(trundle.HeightField(slope, 1.0, (0, -5, 0)), name="slope", fixed=True, surface="soil")
    scene.add(trundle.Sphere(0.3), name="ball", density=2600.0, position=(2.0, 0.0, 0.2), surface="rock")
    scene.surface("soil", "rock", law=trundle.laws.Coulomb(0.8))
    trundle.simulate(scene, 1.5, 1e-2, record=path, every=10)
    return path


def test_the_eye_goes_with_a_body_or_looks_at_a_place(tmp_path):
    with Recording(block_on_a_slope(tmp_path / "slope.h5")) as run:
        followed, still = Renderer(run, follow="ball", **SMALL), Renderer(run, **SMALL)
        aimed = Renderer(run, target=(4.0, 1.0, -2.0), **SMALL)
        ball = run.position("ball")
        for k in (0, -1):
            followed.draw(k)
            assert followed.camera.target == pytest.approx(ball[k], abs=1e-6)
            assert followed.camera.eye - followed.camera.target == pytest.approx(still.camera.eye - still.camera.target)
        assert aimed.camera.target.tolist() == [4.0, 1.0, -2.0]


def test_terrain_has_colours_by_height_and_paths_are_lines(tmp_path):
    with Recording(block_on_a_slope(tmp_path / "slope.h5")) as run:
        plain, lines = Renderer(run, **SMALL).draw(-1), Renderer(run, paths=True, **SMALL).draw(-1)
        far, tinted = (Renderer(run, terrain=t, zoom=0.3, **SMALL).draw(-1) for t in ("plain", "elevation"))
    changed = np.any(far != tinted, axis=-1)
    assert changed.mean() > 0.1
    assert 0 < np.any(plain != lines, axis=-1).mean() < 0.1


def test_low_ground_is_green_and_high_ground_pale_and_slopes_to_the_north_west_are_lit():
    flat = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    points = flat + np.array([0.0, 5.0, 10.0])[:, None, None] * [0.0, 0.0, 1.0]
    low, _, high = ground_colours("elevation", None, (0.0, 0.0), points, points.mean(axis=1))
    first, last = (rgb(palette()["elevation"][k]) for k in (0, -1))
    assert low / low[1] == pytest.approx(first / first[1])
    assert high / high[1] == pytest.approx(last / last[1])
    assert low[1] > max(low[0], low[2])
    slopes = np.array([flat * [1, 1, 0] + (side * (flat[:, :1] - flat[:, 1:2])) * [0, 0, 1] for side in (1.0, -1.0)])
    lit, dark = ground_colours("hillshade", None, (0.0, 0.0), slopes, slopes.mean(axis=1))
    assert np.all(lit > 1.5 * dark)


def test_names_that_say_nothing_are_explained(run, tmp_path):
    with pytest.raises(TrundleError, match="\\.png"):
        save_picture(run, tmp_path / "a.xyz", **SMALL)
    with pytest.raises(TrundleError, match="mp4 or .gif"):
        save_film(run, tmp_path / "a.avi")


def test_lightness_falls_evenly_along_every_map_of_colours():
    """Perceptual: equal steps of the value are equal steps of OKLab's lightness; and no colour is near black."""
    for name in palette()["maps"]:
        linear = np.where(
            colour_map(name) <= 0.04045, colour_map(name) / 12.92, ((colour_map(name) + 0.055) / 1.055) ** 2.4
        )
        cones = np.cbrt(linear @ np.array([[0.4122214708, 0.2119034982, 0.0883024619],
                                           [0.5363325363, 0.6806995451, 0.2817188376],
                                           [0.0514459929, 0.1073969566, 0.6299787005]]))  # fmt: skip
        lightness = cones @ [0.2104542553, 0.7936177850, -0.0040720468]
        np.testing.assert_allclose(lightness, np.linspace(lightness[0], lightness[-1], 256), atol=0.012)
        assert lightness[0] - lightness[-1] > 0.4
        assert lightness[-1] > 0.35


def test_joints_are_drawn_where_they_are(tmp_path):
    scene = trundle.Scene()
    scene.add(trundle.Box((0.2, 0.2, 0.6)), name="arm", mass=1.0, position=(0, 0, 0))
    scene.joint("hinge", "arm", name="shoulder", position=(0, 0, 0.25), axis=(0, 1, 0))
    run = trundle.simulate(scene, 0.01, 1e-3)
    pixels = np.asarray(run.picture(width=320, height=240, colour="plain", direction=(0, -1, 0.2))).astype(int)
    amber = np.abs(pixels - 255 * pictures.rgb(palette()["joint"])).sum(axis=2) < 150
    rows, columns = np.nonzero(amber)
    assert len(rows) > 20
    assert abs(columns.mean() - 160) < 6  # in the middle, from the hinge down to the centre
    assert rows.min() < 120
