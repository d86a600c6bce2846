"""The page in a real browser: it loads a run, plays, scrubs, picks, changes colours, and follows a run being written."""

from __future__ import annotations

import io
import shutil
import time

import numpy as np
import pytest
import synthetic
from PIL import Image

from trundle.record import layout
from trundle.record.writer import Writer
from trundle.view.server import ViewServer

FIRST_PICTURE, ANY_FRAME = 3.0, 0.3  # seconds, on software rendering


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return synthetic.write(tmp_path_factory.mktemp("view") / "run.h5", side=4, frames=12, extra=True)


def open_page(page, server):
    page.goto(server.url)
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
