"""The page in a real browser: it loads a run, plays, scrubs, picks, changes colours, and follows a run being written."""

from __future__ import annotations

import base64
import io
import shutil
import time
from pathlib import Path

import numpy as np
import pytest
import synthetic
from PIL import Image

import trundle
from trundle.record import layout
from trundle.record.writer import Writer
from trundle.view.page import export_page
from trundle.view.pictures import palette
from trundle.view.server import ViewServer

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FIRST_PICTURE, ANY_FRAME = 3.0, 0.3  # seconds, on software rendering


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return synthetic.write(tmp_path_factory.mktemp("view") / "run.h5", side=4, frames=12, extra=True)


def open_page(page, server):
    page.goto(server.url + "#frame=0")  # on this frame, not playing
    page.wait_for_function("window.trundle && window.trundle.ready", timeout=60_000)


def picture(page) -> np.ndarray:
    """The drawing as pixels (height, width, 3)."""
    data = page.locator("#canvas").screenshot()
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def is_drawn(pixels: np.ndarray) -> bool:
    """Bodies are there: many colours far from those of background, ground and text."""
    colourful = np.ptp(pixels, axis=2) > 40
    return bool(np.count_nonzero(colourful) > 2_000)


def test_a_run_is_shown_played_scrubbed_picked_and_coloured(page, run):
    with ViewServer(run) as server:
        open_page(page, server)
        assert page.evaluate("trundle.frames") == 12
        assert page.evaluate("trundle.frame") == 0
        assert page.evaluate("trundle.instances") == 67  # 64 spheres, two boxes, an ellipsoid; the last comes late
        start = picture(page)
        assert is_drawn(start)

        # scrubbing, as a user does it
        page.locator("#timeline").fill("11")
        page.wait_for_function("trundle.frame === 11")
        assert page.evaluate("trundle.instances") == 68
        assert "frame 12 of 12" in page.locator("#clock").inner_text()
        assert np.mean(picture(page) != start) > 0.005

        # playing: from the start again, to the end, where it stops
        page.locator("#speed").select_option("0.05")
        page.locator("#play").click()
        page.wait_for_function("trundle.frame > 0 && trundle.frame < 11", timeout=60_000)
        page.wait_for_function("trundle.frame === 11 && !trundle.playing", timeout=60_000)

        # keys
        page.locator("#canvas").focus()
        for key, frame in (("Home", 0), ("ArrowRight", 1), ("End", 11), ("ArrowLeft", 10)):
            page.keyboard.press(key)
            page.wait_for_function(f"trundle.frame === {frame}")

        # colours
        page.wait_for_function("trundle.plots")
        looks = {}
        for name in ("speed", "spin", "force", "mode", "plain"):
            page.locator("#colour").select_option(name)
            page.wait_for_function(f"trundle.colour === '{name}'")
            page.evaluate("trundle.stage.nextPicture()")
            looks[name] = picture(page)
        for name in ("spin", "force", "mode", "plain"):
            assert np.mean(np.any(looks[name] != looks["speed"], axis=2)) > 0.01, name
        assert page.complaints == []
        assert all(address.startswith(server.url) for address in page.asked)


def test_a_click_picks_the_body_under_it_and_shows_its_path_and_plots(page, run):
    with ViewServer(run) as server:
        open_page(page, server)
        # where body 63 (a corner of the cube, nothing in front) is on the screen
        x, y = page.evaluate(
            """() => {
                const s = trundle.stage, p = s.centre.clone().fromArray(s.frame.arrays.position, 3 * 63).project(s.camera);
                const r = document.getElementById("canvas").getBoundingClientRect();
                return [r.left + r.width * (p.x + 1) / 2, r.top + r.height * (1 - p.y) / 2];
            }"""
        )
        expected = page.evaluate(
            f"""() => {{
                const r = document.getElementById("canvas").getBoundingClientRect();
                return trundle.pickAt(2 * ({x} - r.left) / r.width - 1, 1 - 2 * ({y} - r.top) / r.height);
            }}"""
        )
        page.mouse.click(x, y)
        page.wait_for_function("trundle.picked.length === 1 && !document.getElementById('plot-velocity').hidden")
        assert page.evaluate("trundle.picked") == [expected]
        assert page.locator("#picked-name").inner_text() == f"body{expected}"
        speed = np.linalg.norm(synthetic.Motion(4, 12, extra=True).velocity[expected])
        assert f"{speed:.3g}" in page.locator("#picked-facts").inner_text()
        assert page.evaluate("trundle.stage.paths.count") == 11
        page.keyboard.press("Escape")
        page.wait_for_function("trundle.picked.length === 0")
        # a drag turns the picture and picks nothing
        before = page.evaluate("trundle.stage.camera.position.toArray()")
        page.mouse.move(300, 300)
        page.mouse.down()
        page.mouse.move(400, 350, steps=4)
        page.mouse.up()
        assert page.evaluate("trundle.stage.camera.position.toArray()") != before
        assert page.evaluate("trundle.picked") == []
        assert page.complaints == []


def test_every_shape_is_drawn_where_it_is_and_shows_how_it_turns(page, tmp_path):
    with ViewServer(synthetic.write_shapes(tmp_path / "shapes.h5")) as server:
        open_page(page, server)
        page.wait_for_function("trundle.plots")
        names = [shape["shape"] for shape in synthetic.EVERY_SHAPE]
        assert page.evaluate("trundle.instances") == len(names)
        assert "shown as a ball" not in page.locator("#notes").inner_text()
        page.locator("#colour").select_option("plain")
        places = page.evaluate(
            """() => {
                const { frame, camera, centre } = trundle.stage, { position } = frame.arrays;
                return Array.from(frame.arrays.body, (_, i) => {
                    const p = centre.clone().fromArray(position, 3 * i);
                    p.z += 0.005;  // above the ground of a tetrahedron, within all others
                    p.x += 0.003; p.y += 0.003;
                    p.project(camera);
                    return [p.x, p.y];
                });
            }"""
        )
        for i, (x, y) in enumerate(places):
            assert page.evaluate(f"trundle.pickAt({x}, {y})") == i, names[i]
        page.wait_for_timeout(400)  # the fine picture
        start = picture(page)
        page.evaluate("trundle.show(1)")
        page.wait_for_timeout(400)
        turned = picture(page)
        height, width = start.shape[:2]
        for name, (x, y) in zip(names, places, strict=True):
            column, row = round(width * (x + 1) / 2), round(height * (1 - y) / 2)
            around = np.s_[row - 25 : row + 25, column - 25 : column + 25]
            assert np.ptp(start[around].reshape(-1, 3), axis=0).max() > 20, name  # there is something
            assert np.mean(np.any(start[around] != turned[around], axis=2)) > 0.02, name  # its turning is seen
        assert page.complaints == []


def test_plots_tell_values_at_the_time_of_the_picture(page, run):
    with ViewServer(run) as server:
        open_page(page, server)
        page.wait_for_function("trundle.plots")
        for k in (0, 9):
            page.evaluate(f"trundle.show({k})")
            # the kinetic energy of the recording is exp(-t)
            said = page.locator("#plot-energy .u-series", has_text="kinetic").locator(".u-value").inner_text()
            assert abs(float(said) - np.exp(-1e-2 * max(k, 0.1))) < 6e-3, (k, said)


def test_forces_are_drawn_as_arrows_and_chains(page, run):
    with ViewServer(run) as server:
        open_page(page, server)
        assert page.evaluate("trundle.show(5)") is None
        plain = picture(page)
        page.locator("#arrows").check()
        page.wait_for_function("trundle.arrowCount > 0")
        contacts = len(synthetic.Motion(4, 12, extra=True).pairs)
        assert 0.9 * contacts < page.evaluate("trundle.arrowCount") <= contacts
        assert np.mean(np.any(picture(page) != plain, axis=2)) > 0.01
        page.locator("#arrows").uncheck()
        page.locator("#chains").check()
        page.wait_for_function("trundle.chainCount > 0")
        assert page.evaluate("trundle.stage.arrows.count") == 0
        assert page.complaints == []


def test_arrows_have_a_scale_in_newtons_that_is_true_on_the_screen(page, run):
    """The arrow of the legend is as long as one of that force would be at the point the camera turns around."""
    with ViewServer(run) as server:
        open_page(page, server)
        page.wait_for_function("trundle.plots")
        page.evaluate("trundle.show(5)")
        assert page.locator("#scale-force").is_hidden()
        page.evaluate("trundle.setProjection('orthographic')")
        page.locator("#arrows").check()
        page.wait_for_function("trundle.arrowCount > 0")
        page.evaluate("trundle.stage.nextPicture()")
        newtons = float(page.locator("#scale-force span").inner_text().split(" N")[0])
        pixels = page.locator("#scale-force i").evaluate("e => e.getBoundingClientRect().width")
        seen = page.evaluate(
            """newtons => {
                const s = trundle.stage, r = document.getElementById("canvas").getBoundingClientRect();
                const across = s.centre.clone().set(1, 0, 0).applyQuaternion(s.camera.quaternion);
                const end = s.centre.clone().addScaledVector(across, newtons * s.metresPerNewton);
                return (end.project(s.camera).x - s.centre.clone().project(s.camera).x) * r.width / 2;
            }""",
            newtons,
        )
        assert pixels == pytest.approx(seen, rel=0.02)  # the camera of the orthographic view is not quite at infinity
        assert page.complaints == []


def test_bodies_under_force_chains_are_smooth_not_a_pattern_of_pixels(page, tmp_path):
    """One large ball that one sees through: neighbouring pixels differ by shading alone."""
    with ViewServer(synthetic.write(tmp_path / "one.h5", side=1, frames=3)) as server:
        open_page(page, server)
        page.locator("#colour").select_option("plain")
        page.locator("#opacity").fill("0.3")
        page.wait_for_timeout(600)  # the fine picture
        pixels = picture(page)
        height, width = pixels.shape[:2]
        middle = pixels[height // 2 - 30 : height // 2 + 30, width // 2 - 30 : width // 2 + 30]
        steps = np.abs(np.diff(middle, axis=1)).max(axis=2)
        assert np.median(steps) <= 2
        assert np.mean(steps > 12) < 0.2  # lines of the grid, quarters of the ball


def test_the_camera_has_presets_and_an_orthographic_view(page, run):
    with ViewServer(run) as server:
        open_page(page, server)
        ahead = "trundle.stage.controls.target.clone().sub(trundle.stage.camera.position).normalize().toArray()"
        for name, expected in (("front", (0, 1, 0)), ("right", (-1, 0, 0)), ("top", (0, 0, -1))):
            page.locator(f"#view-{name}").click()
            np.testing.assert_allclose(page.evaluate(ahead), expected, atol=1e-3)
        page.locator("#orthographic").check()
        # bodies at the same height, near and far, are equally large: the same shift is the same number of pixels
        shifts = page.evaluate(
            """() => [-1, 1].map((side) => {
                const s = trundle.stage, ahead = s.camera.position.clone().sub(s.centre).normalize();
                const p = s.centre.clone().addScaledVector(ahead, side * s.size), q = p.clone();
                q.x += 0.1 * s.size;
                return q.project(s.camera).x - p.project(s.camera).x;
            })"""
        )
        assert shifts[0] == pytest.approx(shifts[1], rel=0.05)
        assert page.complaints == []


def test_bodies_beyond_the_clipping_plane_are_not_drawn(page, run):
    with ViewServer(run) as server:
        open_page(page, server)
        everything = page.evaluate("trundle.instances")
        page.locator("#clip").select_option("0 1")
        page.wait_for_function(f"trundle.instances < {everything}")
        assert "x <" in page.locator("#clip-text").inner_text()
        hidden = page.evaluate(
            "() => { const { place } = trundle.stage.clip, { position, body } = trundle.stage.frame.arrays; return Array.from("
            "body, (b, i) => position[3 * i] > place && !trundle.stage.head.arrays.fixed[b] ? 1 : 0).reduce((a, b) => a + b); }"
        )
        assert page.evaluate("trundle.instances") == everything - hidden
        page.locator("#clip").select_option("-1 1")
        page.wait_for_function(f"trundle.instances === {everything}")


def test_dark_and_light_are_those_of_the_system_until_one_is_chosen(browser, run):
    with ViewServer(run) as server:
        page = browser.new_page(color_scheme="dark")
        open_page(page, server)
        assert picture(page)[5, -5].mean() < 60
        page.locator("#theme").click()
        page.wait_for_function("trundle.theme === 'light'")
        page.wait_for_timeout(400)
        assert picture(page)[5, -5].mean() > 200
        page.close()


def test_a_phone_shows_the_page_without_scrolling_sideways(browser, run):
    with ViewServer(run) as server:
        page = browser.new_page(viewport={"width": 390, "height": 800})
        open_page(page, server)
        page.wait_for_function("trundle.plots")
        page.locator("#arrows").check()
        for width in (390, 360):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            ends = "Array.from(document.querySelectorAll('footer *, header *, #corner'), e => e.getBoundingClientRect().right)"
            assert max(page.evaluate(ends)) <= width
        page.close()


def test_a_finished_run_opens_playing_where_something_happens(page, run):
    with ViewServer(run) as server:
        page.goto(server.url)
        page.wait_for_function("window.trundle && window.trundle.ready", timeout=60_000)
        page.wait_for_function("trundle.playing === true || trundle.frame === 11")
        page.wait_for_function("trundle.frame === 11 && !trundle.playing", timeout=60_000)  # and stops at its end
        # of 0.11 s in slow motion: nobody sees anything in real time
        assert float(page.locator("#speed").input_value()) < 0.1


def test_a_saved_picture_has_time_legend_and_scale(page, run):
    with ViewServer(run) as server:
        open_page(page, server)
        page.wait_for_function("trundle.plots")
        data = page.evaluate("trundle.picture()")
        saved = np.asarray(Image.open(io.BytesIO(base64.b64decode(data.split(",")[1]))).convert("RGB")).astype(int)
        drawn = picture(page)
        assert saved.shape[1] >= drawn.shape[1]
        dark = saved.sum(axis=2) < 250
        height, width = dark.shape
        assert dark[: height // 8, : width // 4].sum() > 50  # the time
        assert dark[-height // 6 :, : width // 3].sum() > 50  # the scale
        assert np.ptp(saved[: height // 6, -width // 3 :], axis=2).max() > 80  # the colours of the legend


def test_curves_of_the_energy_have_fixed_colours_and_plain_names(page, run):
    with ViewServer(run) as server:
        open_page(page, server)
        page.wait_for_function("trundle.plots")
        lines = page.evaluate(
            "Array.from(document.querySelectorAll('#plot-energy .u-series'), e => [e.querySelector('.u-label').textContent, "
            "e.querySelector('.u-marker').style.borderColor])"
        )
        named = dict(lines)
        for column in ("kinetic", "sliding"):
            words, colour = palette()["energy"][column]
            red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
            assert str((red, green, blue)).strip("()") in named[words], column


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    """A few steps of the conveyor, which has a joint to the world."""
    scene, options = trundle.load_scene(EXAMPLES / "conveyor.toml")
    path = tmp_path_factory.mktemp("view") / "conveyor.h5"
    trundle.simulate(scene, **(options | {"duration": 0.1}), record=path)
    return path


@pytest.mark.parametrize("exported", [False, True])
def test_joints_are_drawn_and_the_world_is_no_body(page, machine, tmp_path, exported):
    with ViewServer(machine) as server:
        address = export_page(machine, tmp_path / "conveyor.html").as_uri() if exported else server.url
        page.goto(address + "#frame=2")
        page.wait_for_function("window.trundle && window.trundle.ready", timeout=60_000)
        assert "13 bodies" in page.locator("#facts").inner_text()
        assert "Nowhere" not in page.locator("#notes").inner_text()
        assert (
            page.evaluate("trundle.stage.joints.count") == 2
        )  # the axis of the hinge, and a line to the flap's centre
        with trundle.open_recording(machine) as recording:
            place = recording.joint_point("hinge")[2]
        drawn = np.array(page.evaluate("Array.from(trundle.stage.joints.numbers.slice(0, 7))"))
        np.testing.assert_allclose((drawn[:3] + drawn[4:7]) / 2, place, atol=1e-5)
        page.locator("#joints").uncheck()
        page.wait_for_function("trundle.jointCount === 0")


@pytest.fixture(scope="module")
def hanging(tmp_path_factory):
    """A ball on a spring above the ground."""
    scene = trundle.Scene()
    scene.add(trundle.HalfSpace(), name="ground", fixed=True)
    scene.add(trundle.Sphere(0.1), name="ball", mass=1.0, position=(0, 0, 0.3))
    scene.joint("spring", "ball", name="spring", other_position=(0, 0.1, 0.8), stiffness=40.0)
    scene.surface("default", "default", law=trundle.laws.Coulomb(mu=0.5))
    path = tmp_path_factory.mktemp("view") / "spring.h5"
    trundle.simulate(scene, 0.02, 5e-3, record=path)
    return path


def test_a_spring_is_drawn_from_one_of_its_points_to_the_other(page, hanging):
    with ViewServer(hanging) as server:
        page.goto(server.url + "#frame=2")
        page.wait_for_function("window.trundle && window.trundle.ready", timeout=60_000)
        count = page.evaluate("trundle.stage.joints.count")
        assert count > 10  # a coil
        drawn = np.array(page.evaluate(f"Array.from(trundle.stage.joints.numbers.slice(0, {12 * count}))")).reshape(
            count, 12
        )
        with trundle.open_recording(hanging) as recording:
            ball = recording.position("ball")[2]
        # at the middle of the step before: the ball moves by 0.1 m/s x 5 ms at most
        np.testing.assert_allclose(drawn[0, :3], ball, atol=1e-3)
        np.testing.assert_allclose(drawn[-1, 4:7], (0, 0.1, 0.8), atol=1e-3)
        # what is cut away takes its joints with it: nothing of the coil above the plane begins
        page.locator("#clip").select_option("2 1")
        page.evaluate("trundle.setClip(2, 0.5, 1)")
        page.wait_for_function(f"trundle.stage.joints.count < {count}")
        below = page.evaluate("trundle.stage.clip.place")
        assert page.evaluate("trundle.stage.joints.count") == np.count_nonzero(drawn[:, 2] <= below)


def test_shadows_are_off_without_a_graphics_card_and_darken_the_ground_when_chosen(page, hanging):
    with ViewServer(hanging) as server:
        page.goto(server.url + "#frame=2")
        page.wait_for_function("window.trundle && window.trundle.ready", timeout=60_000)
        assert not page.locator("#shadows").is_checked()  # tests run on software rendering
        page.wait_for_timeout(500)
        before = picture(page)
        page.locator("#shadows").check()
        page.wait_for_timeout(1500)
        grey = np.ptp(before, axis=2) < 12  # the ground
        darker = (before - picture(page)).min(axis=2) > 25
        assert np.count_nonzero(grey & darker) > 300
        page.locator("#shadows").uncheck()
        page.wait_for_timeout(1500)
        np.testing.assert_allclose(picture(page)[::7, ::7], before[::7, ::7], atol=40)


def test_bodies_are_coloured_by_any_field(page, run):
    with ViewServer(run) as server:
        open_page(page, server)
        page.wait_for_function("trundle.plots")
        before = picture(page)
        for colour in ("height", "size", "body", "surface"):
            page.locator("#colour").select_option(colour)
            page.wait_for_function(f"trundle.colour === '{colour}'")
            page.evaluate("trundle.stage.render(true)")
            after = picture(page)
            assert np.mean(np.any(after != before, axis=2)) > 0.01, colour
            before = after
        assert page.complaints == []


def test_the_page_follows_a_run_that_is_being_written(page, tmp_path):
    path, motion = tmp_path / "run.h5", synthetic.Motion(2, 10)
    layout.create(path, motion.header())
    writer = Writer(path)
    with ViewServer(path) as server:
        open_page(page, server)
        assert "waits" in page.locator("#message").inner_text()
        for k in range(3):
            synthetic.append(writer, motion, k)
            writer.commit({})
        page.wait_for_function("trundle.frame === 2", timeout=60_000)
        assert page.locator("#live").is_visible()
        synthetic.append(writer, motion, 3)
        writer.finish({}, True)
        writer.close()
        page.wait_for_function("trundle.frame === 3", timeout=60_000)
        page.wait_for_function("document.getElementById('live').hidden")
        assert page.complaints == []


def test_a_file_that_breaks_is_explained_on_the_page_and_the_page_recovers(page, run, tmp_path):
    path = tmp_path / "run.h5"
    shutil.copy(run, path)
    data = path.read_bytes()
    with ViewServer(path) as server:
        open_page(page, server)
        path.write_bytes(data[: len(data) // 3])
        page.locator("#timeline").fill("7")
        page.wait_for_function("!document.getElementById('message').hidden")
        assert "damaged" in page.locator("#message").inner_text()
        path.write_bytes(data)
        page.locator("#timeline").fill("8")
        page.wait_for_function("trundle.frame === 8")
        assert page.locator("#message").is_hidden()


@pytest.mark.slow
def test_ten_thousand_spheres_appear_in_three_seconds_and_any_frame_in_three_tenths(page, tmp_path):
    path = synthetic.write(tmp_path / "large.h5", side=22, frames=300, contacts_every=100)
    try:
        with ViewServer(path) as server:
            first = []
            for _ in range(3):
                start = time.perf_counter()
                open_page(page, server)
                first.append(time.perf_counter() - start)
            assert page.evaluate("trundle.instances") == 22**3
            page.wait_for_function("trundle.plots")
            waits = page.evaluate(
                """async () => {
                    const waits = [];
                    for (const k of [150, 299, 7, 220, 80, 260, 33]) {
                        const start = performance.now();
                        await trundle.show(k);
                        waits.push((performance.now() - start) / 1000);
                    }
                    return waits;
                }"""
            )
            assert page.evaluate("trundle.frame") == 33
            assert page.evaluate("trundle.cacheBytes < trundle.cacheLimit")
            assert is_drawn(picture(page))
            assert page.complaints == []
        # other tests run on the same cores: the best of several is the page's own time
        assert min(first) < FIRST_PICTURE, first
        assert sorted(waits)[2] < ANY_FRAME, waits
    finally:
        path.unlink()


def test_memory_of_the_page_stays_bounded(page, run):
    with ViewServer(run) as server:
        open_page(page, server)
        page.evaluate("trundle.stage && (trundle.run.cache.limit = 20000)")
        for k in range(12):
            page.evaluate(f"trundle.show({k})")
            assert page.evaluate("trundle.run.cache.bytes") <= 20000
        assert page.evaluate("trundle.run.cache.entries.size") < 12
