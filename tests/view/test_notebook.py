"""Runs, scenes and solutions in notebooks: what they show, save and hand over."""

from __future__ import annotations

import gc
import json
import re
import subprocess
import sys
import urllib.request
from types import SimpleNamespace

import numpy as np
import pytest

import trundle
from trundle.errors import RecordingError, SceneError, TrundleError
from trundle.run import progress
from trundle.view import notebook
from trundle.view.pictures import palette
from trundle.view.server import ViewServer


def make_scene() -> trundle.Scene:
    scene = trundle.Scene()
    scene.add(trundle.HalfSpace(), name="floor", fixed=True)
    scene.add(trundle.Sphere(radius=0.1), name="<ball>", mass=1.0, position=(1, 0, 0.1), velocity=(1, 0, 0))
    scene.add(trundle.Box((0.1, 0.1, 0.4)), name="arm", mass=1.0, position=(0, 0, 1))
    scene.joint("hinge", "arm", name="shoulder", position=(0, 0, 1.2), axis=(0, 1, 0))
    scene.surface("default", "default", law=trundle.laws.Rolling(mu=0.3, mu_r=0.01))
    return scene


@pytest.fixture(scope="module")
def scene():
    return make_scene()


@pytest.fixture(scope="module")
def run(scene):
    return trundle.simulate(scene, 0.05, 1e-3, every=10)


def test_a_scene_of_a_thousand_grains_prints_in_a_few_lines():
    scene = trundle.Scene()
    for i in range(1000):
        scene.add(trundle.Sphere(radius=0.01), mass=1.0, position=(0.1 * i, 0, 0))
    scene.surface("default", "default", law=trundle.laws.Coulomb(mu=0.3))
    assert repr(scene).splitlines() == [
        "<Scene: 1,000 bodies (1,000 Sphere), gravity (0, 0, -9.81) m/s^2>",
        "  surfaces: default-default: Coulomb(mu=0.3)",
    ]


def test_a_notebook_shows_picture_summary_and_energy_balance(scene, run):
    for shown, words in ((scene, ["hinge", "Rolling(mu=0.3"]), (run, ["50 steps", "at the end"])):
        html = shown._repr_html_()
        assert "data:image/png;base64," in html
        assert "<ball>" not in html  # names of bodies are text, not markup
        for word in words:
            assert word in html
    balance = re.findall(r"([-+]?[0-9.e+-]+) J", run._repr_html_())
    start, *changes, end = map(float, balance)
    assert start + sum(changes) == pytest.approx(end, rel=1e-4)  # printed with six digits


def test_an_empty_scene_and_a_bad_one_still_show_a_table():
    scene = trundle.Scene()
    assert "0 bodies" in scene._repr_html_()
    scene.surface("rock", "sand", law=trundle.laws.Coulomb(mu=0.3))
    scene.add(trundle.Sphere(radius=0.1), mass=1.0)
    assert "<img" not in scene._repr_html_()  # no body has these surfaces: there is no model to draw


def test_a_solution_prints_its_contacts_by_mode():
    problem = trundle.ContactProblem(trundle.laws.Coulomb(mu=0.3), W=np.eye(6), q=[-1.0, 0.1, 0, 1.0, 0, 0])
    solution = trundle.solve(problem, history=True)
    assert "2: 1 sticking, 1 take-off" in repr(solution) or "2: 1 take-off, 1 sticking" in repr(solution)
    assert solution.message in solution._repr_html_()


def test_the_world_that_joints_hold_on_to_is_no_body(scene, run, tmp_path):
    assert run.names == ("floor", "<ball>", "arm")
    file = run.save(tmp_path / "run.h5")
    with trundle.open_recording(file) as recording:
        assert recording.names == run.names
        assert recording.joints["other"].tolist() == ["world"]
    from trundle.record.export import export_csv

    for table in export_csv(trundle.open_recording(file), tmp_path / "tables"):
        assert "(world)" not in table.read_text()
    with pytest.raises(SceneError, match=r"no joints"):
        trundle.simulate(_ball_alone(), 0.01, 1e-3).joint_force("elbow")


def _ball_alone() -> trundle.Scene:
    scene = trundle.Scene()
    scene.add(trundle.Sphere(radius=0.1), name="ball", mass=1.0, position=(0, 0, 1))
    return scene


def test_a_saved_run_says_the_same_and_is_resumed_to_the_same_bits(scene, run, tmp_path):
    file = run.save(tmp_path / "run.h5")
    with trundle.open_recording(file) as saved:
        assert saved.finished
        assert np.array_equal(saved.steps, run.steps)
        assert np.array_equal(saved.energy, run.energy)
        for name in run.names:
            assert np.array_equal(saved.position(name), run.position(name))
        for k in range(run.frame_count):
            assert np.array_equal(saved.contacts(k).impulse, run.contacts(k).impulse)
        assert np.array_equal(saved.joint_force("shoulder"), run.joint_force("shoulder"), equal_nan=True)
    longer, whole = trundle.resume(file, duration=0.07), trundle.simulate(scene, 0.07, 1e-3, every=10)
    assert np.array_equal(longer.steps, whole.steps)
    assert np.array_equal(longer.orientation("<ball>"), whole.orientation("<ball>"))


def test_a_run_that_ends_between_two_frames_is_resumed_to_the_same_bits(scene, tmp_path):
    file = trundle.simulate(scene, 0.015, 1e-3, every=10).save(tmp_path / "run.h5")
    longer, whole = trundle.resume(file, duration=0.03), trundle.simulate(scene, 0.03, 1e-3, every=10)
    assert longer.time.tolist() == whole.time.tolist()
    assert np.array_equal(longer.position("<ball>"), whole.position("<ball>"))


def test_a_run_saved_while_its_simulation_goes_on_says_that_it_cannot_be_resumed(scene, tmp_path):
    sim = trundle.Simulation(scene, 1e-3)
    first = sim.run(0.01)
    sim.step(3)
    file = first.save(tmp_path / "run.h5")
    with trundle.open_recording(file) as saved:
        assert saved.frame_count == first.frame_count
    with pytest.raises(RecordingError, match="cannot be continued"):
        trundle.resume(file, duration=0.02)


def test_saving_does_not_replace_a_file_without_being_told(run, tmp_path):
    file = tmp_path / "run.h5"
    file.write_text("precious")
    with pytest.raises(RecordingError, match="force=True"):
        run.save(file)
    assert file.read_text() == "precious"
    run.save(file, force=True)
    with pytest.raises(RecordingError, match="no folder"):
        run.save(tmp_path / "nowhere" / "run.h5")


def test_tables_for_pandas_hold_the_numbers_of_the_run(run):
    pytest.importorskip("pandas")
    bodies = run.to_pandas()
    assert bodies.loc[(run.time[-1], "<ball>"), "x"] == run.position("<ball>")[-1, 0]
    contacts = run.to_pandas("contacts")
    assert set(contacts["one"]) | set(contacts["other"]) == {"floor", "<ball>"}
    assert contacts["fz"].iloc[-1] == run.contacts(-1).force[-1, 2]
    assert run.to_pandas("energy")["kinetic"].iloc[-1] == run.energy["kinetic"][-1]
    with pytest.raises(TrundleError, match="steps"):
        run.to_pandas("step")


def test_a_dataset_for_xarray_has_units_and_bodies_by_name(run):
    pytest.importorskip("xarray", reason='NO XARRAY: pip install "trundle[notebook]"')
    data = run.to_xarray()
    assert data.velocity.attrs["units"] == "m/s"
    assert np.array_equal(data.position.sel(body="<ball>"), run.position("<ball>"))


@pytest.mark.parametrize("package", ["pandas", "xarray"])
def test_a_missing_package_is_named_with_the_extra_that_has_it(run, monkeypatch, package):
    import importlib

    def missing(name, *_):
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(TrundleError, match=rf'needs {package}.*pip install "trundle\[notebook\]"'):
        getattr(run, f"to_{package}")()


def test_curves_have_the_same_colours_and_names_in_every_run(run):
    colours = {words: colour for words, colour in palette()["energy"].values()}
    for figure in (run.plot(), trundle.simulate(_ball_alone(), 0.01, 1e-3).plot()):
        for line in figure.axes[0].lines:
            assert line.get_color() == colours[line.get_label()]
    assert [line.get_label() for line in run.plot("arm").axes[0].lines] == ["arm"]


def test_pictures_have_the_size_that_was_asked_for_and_other_colours(run):
    looks = [
        np.asarray(run.picture(width=160, height=100, colour=c)) for c in ("speed", "body", "surface", "size", "height")
    ]
    assert looks[0].shape == (100, 160, 3)
    for look in looks[1:]:
        assert np.any(look != looks[0])


# --- the page inside a notebook -------------------------------------------------------------------------


def policy(url: str) -> str:
    with urllib.request.urlopen(url) as answer:
        return answer.headers["Content-Security-Policy"].split("frame-ancestors ")[1]


def test_the_page_may_be_framed_by_the_notebook_and_by_nobody_else(run, tmp_path, monkeypatch):
    monkeypatch.setattr(notebook.webbrowser, "open", lambda url: True)
    page = run.view(origin="http://localhost:8888", height=400)
    try:
        assert policy(page.url) == "http://localhost:8888"
        assert f'<iframe src="{page.url}" width="100%" height="400"' in page._repr_html_()
    finally:
        page.close()
    page = run.view()
    try:
        assert policy(page.url) == "'none'"
        assert "<iframe" not in page._repr_html_()
    finally:
        page.close()


def test_a_page_outlives_the_run_that_nobody_holds_on_to():
    page = trundle.simulate(_ball_alone(), 0.01, 1e-3).view()
    gc.collect()
    try:
        with urllib.request.urlopen(f"{page.url}api/frame/3") as answer:
            assert answer.status == 200
        with urllib.request.urlopen(f"{page.url}api/status") as answer:
            assert json.loads(answer.read())["frames"] == 11
    finally:
        page.close()


def test_a_program_that_leaves_its_page_open_ends_in_order():
    code = (
        "import trundle\nscene = trundle.Scene()\nscene.add(trundle.Sphere(0.1), name='ball', mass=1.0)\n"
        "page = trundle.simulate(scene, 0.01, 1e-3).view(origin='http://localhost:8888')\nprint(page.url)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("http://127.0.0.1:")


def test_an_origin_cannot_smuggle_in_a_policy(run):
    for origin in ("*", "http://a.b; script-src *", "http://a.b\r\nX: y", "localhost:8888", "http://a.b/path"):
        with pytest.raises(TrundleError, match="must be the address of a server"):
            ViewServer(run._recorded(), 0, [origin])


def test_the_origin_of_a_jupyter_server_on_this_machine_is_found(monkeypatch):
    servers = [{"pid": 1, "url": "http://localhost:8888/"}, {"pid": 77, "url": "https://127.0.0.1:9999/lab/"}]
    module = SimpleNamespace(list_running_servers=lambda: iter(servers))
    monkeypatch.setitem(sys.modules, "jupyter_server", SimpleNamespace(serverapp=module))
    monkeypatch.setitem(sys.modules, "jupyter_server.serverapp", module)
    monkeypatch.setenv("JPY_PARENT_PID", "77")
    assert notebook.notebook_origins() == ["https://localhost:9999", "https://127.0.0.1:9999"]
    servers[1]["url"] = "https://hub.example.org/user/me/"
    assert notebook.notebook_origins() == ["https://hub.example.org"]


def test_a_frame_from_the_allowed_origin_shows_the_run_and_another_is_refused(page, run, tmp_path):
    """In a real browser: a page that plays the notebook, on two ports of this machine, of which one is allowed."""
    import http.server
    import threading
    from functools import partial

    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) for _ in range(2)]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    origins = [f"http://127.0.0.1:{server.server_address[1]}" for server in servers]
    shown = run.view(origin=origins[0])
    try:
        (tmp_path / "notebook.html").write_text(f"<!doctype html>{shown._repr_html_()}")
        page.goto(f"{origins[0]}/notebook.html")
        frame = page.wait_for_selector("iframe").content_frame()
        frame.wait_for_function("window.trundle && window.trundle.ready", timeout=60_000)
        page.goto(f"{origins[1]}/notebook.html")
        page.wait_for_timeout(500)
        assert any("frame-ancestors" in text for text in page.complaints)
    finally:
        shown.close()
        for server in servers:
            server.shutdown()
            server.server_close()


def test_progress_is_shown_below_the_cell_of_a_notebook(monkeypatch):
    shown: list[str] = []
    handle = SimpleNamespace(update=lambda html: shown.append(html))
    display = SimpleNamespace(HTML=str, display=lambda html, display_id: shown.append(html) or handle)
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell, display=display))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(progress, "REFRESH", 0.0)
    scene = make_scene()
    trundle.simulate(scene, 0.2, 1e-4, progress=True, every=10)
    assert "compiled" in shown[0]
    assert any("t = " in text and "left" in text for text in shown)
    assert shown[-1] == ""
