"""An exported page is one file that plays from the disk, without a network, and shows what was recorded."""

from __future__ import annotations

import base64
import gzip
import os
import re

import numpy as np
import pytest
import synthetic
from test_browser import is_drawn, picture

from trundle.errors import TrundleError
from trundle.record import Recording
from trundle.view import page as pages
from trundle.view.packing import unpack
from trundle.view.page import encode_block, export_page

MOST_BYTES = 30e6


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return synthetic.write(tmp_path_factory.mktemp("view") / "run.h5", side=4, frames=40, extra=True)


@pytest.fixture(scope="module")
def exported(run, tmp_path_factory):
    return export_page(run, tmp_path_factory.mktemp("page") / "run.html")


def parts(file):
    text = file.read_text(encoding="utf-8")
    found = re.findall(r'<script type="text/plain" id="([^"]+)">([^<]*)</script>', text)
    return {name: unpack(gzip.decompress(base64.b64decode(data))) for name, data in found}


def test_the_file_asks_nobody_for_anything(exported):
    text = exported.read_text(encoding="utf-8")
    without_script = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r'(src|href)="(?!data:)', without_script)
    assert "default-src 'none'" in text


def test_the_same_run_gives_the_same_bytes(run, exported, tmp_path):
    assert export_page(run, tmp_path / "again.html").read_bytes() == exported.read_bytes()


def test_it_plays_from_the_disk_with_the_network_off(browser, exported):
    context = browser.new_context(offline=True, viewport={"width": 1000, "height": 700})
    page = context.new_page()
    complaints, asked = [], []
    page.on(
        "console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(exported.as_uri() + "#frame=0")
    page.wait_for_function("window.trundle && window.trundle.ready", timeout=60_000)
    assert page.evaluate("trundle.exported")
    assert page.evaluate("trundle.frames") == 40
    assert page.evaluate("trundle.instances") == 67
    assert is_drawn(picture(page))
    motion = synthetic.Motion(4, 40, extra=True)
    for k in (39, 17, 16, 3):  # across blocks, forwards and backwards
        page.evaluate(f"trundle.show({k})")
        assert page.evaluate("trundle.frame") == k
        place = np.array(page.evaluate("Array.from(trundle.stage.frame.arrays.position)")).reshape(-1, 3)
        np.testing.assert_allclose(place, motion.points(k)["position"], atol=synthetic.RADIUS / pages.FINENESS)
        turn = np.array(page.evaluate("Array.from(trundle.stage.frame.arrays.orientation)")).reshape(-1, 4) / 32767
        np.testing.assert_allclose(turn, motion.points(k)["orientation"], atol=1.01 / 127)
        speed = np.array(page.evaluate("Array.from(trundle.stage.frame.arrays.speed)"))
        np.testing.assert_allclose(speed, np.linalg.norm(motion.points(k)["velocity"], axis=1), atol=1e-4)
    assert page.evaluate("trundle.instances") == 67
    page.evaluate("trundle.show(39)")
    assert page.evaluate("trundle.instances") == 68
    page.evaluate("trundle.show(0)")
    page.locator("#play").click()
    page.wait_for_function("trundle.frame > 3")
    page.locator("#play").click()
    page.evaluate(
        "trundle.show(5)"
    )  # wherever a slow machine stopped, perhaps at the start again, which has no contacts
    page.locator("#chains").check()
    page.wait_for_function("trundle.chainCount > 0")
    page.evaluate("trundle.pick(5)")
    page.wait_for_function("!document.getElementById('plot-velocity').hidden")
    assert page.evaluate("trundle.stage.paths.count") == 39
    assert complaints == []
    assert [address for address in asked if not address.startswith(("file:", "data:", "blob:"))] == []
    context.close()


def test_contacts_that_are_kept_are_the_strongest(run, tmp_path):
    file = export_page(run, tmp_path / "few.html", most_contacts=7)
    content = parts(file)
    assert "7 strongest" in content["run-head"][0]["contact_note"]
    everything = parts(export_page(run, tmp_path / "all.html", most_contacts=10_000))
    assert everything["run-head"][0]["contact_note"] == ""  # nothing is left out, and nothing is said
    meta, arrays = content["run-frames-0"]
    assert arrays["contacts"][0] == 0
    assert np.all(arrays["contacts"][1:] == 7)
    with Recording(run) as recording:
        normal = recording.contacts(1).impulse[:, 0] / 1e-3
    kept = arrays["contact_normal"][:7] / 65535 * meta["largest"]["contact"]
    np.testing.assert_allclose(np.sort(kept), np.sort(normal)[-7:], atol=meta["largest"]["contact"] / 65535)


def test_every_nth_frame(run, tmp_path):
    content = parts(export_page(run, tmp_path / "third.html", every=3))
    np.testing.assert_allclose(content["run-head"][1]["times"], 1e-2 * np.arange(0, 40, 3))
    assert "every 3th frame of 40" in content["run-head"][0]["contact_note"]


def test_far_flung_bodies_keep_their_places():
    # a box of 10 km with grains of 1 mm needs more than 16 bits
    rng = np.random.default_rng(5)
    position = np.concatenate([rng.random((50, 3)), [[1e4, 0, 0]]]).astype(np.float32)
    n = len(position)
    frame = {"body": np.arange(n, dtype=np.uint32), "position": position, "mode": np.zeros(n, np.uint8),
             "orientation": np.zeros((n, 4), np.int16),
             "joint_point": np.zeros((0, 3), np.float32), "joint_axis": np.zeros((0, 3), np.float32),
             **{name: np.ones(n, np.float32) for name in ("speed", "spin", "force")}}  # fmt: skip
    nothing = {"body": np.zeros((0, 2), np.uint32), "normal": np.zeros(0, np.float32), "mode": np.zeros(0, np.uint8),
               "point": np.zeros((0, 3), np.float32), "force": np.zeros((0, 3), np.float32)}  # fmt: skip
    meta, arrays = unpack(encode_block([(frame, nothing)], 1e-3, 10, True))
    assert meta["width"] == 4
    planes = arrays["position"].reshape(4, -1).astype(np.int64)
    back = meta["low"] + meta["step"] * (planes * 256 ** np.arange(4)[:, None]).sum(axis=0).reshape(-1, 3)
    np.testing.assert_allclose(back, position, atol=1e-3 / pages.FINENESS)


def test_a_run_without_frames_and_a_place_that_cannot_be_written_are_explained(run, tmp_path):
    with pytest.raises(TrundleError, match="cannot be written"):
        export_page(run, tmp_path / "no" / "such" / "folder.html")
    from trundle.record import layout

    layout.create(tmp_path / "empty.h5", synthetic.Motion(2, 2).header())
    with pytest.raises(TrundleError, match="no frames yet"):
        export_page(tmp_path / "empty.h5", tmp_path / "a.html")
    assert list(tmp_path.glob(".*part")) == []


@pytest.mark.slow
def test_ten_thousand_spheres_and_three_hundred_frames_are_less_than_thirty_megabytes(tmp_path):
    # random velocities and forces, which compress worse than those of a heap that settles
    run = synthetic.write(tmp_path / "large.h5", side=22, frames=300, contacts_every=15)
    try:
        assert os.path.getsize(export_page(run, tmp_path / "large.html")) < MOST_BYTES
    finally:
        run.unlink()


def test_the_page_says_that_contacts_were_left_out_only_where_they_were(run, tmp_path):
    def note(**options: int) -> str:
        return parts(export_page(run, tmp_path / "run.html", **options))["run-head"][0]["contact_note"]

    with Recording(run) as recording:
        most = int(recording.contact_counts.max())
    assert "strongest" not in note(most_contacts=most)
    assert f"contacts: the {most - 1:,} strongest of each frame" in note(most_contacts=most - 1)
