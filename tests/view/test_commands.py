"""`trundle view`, `trundle export` and `trundle run --view` from the command line."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request

import pytest
import synthetic

SCENE = """
[simulation]
duration = 0.05
time_step = 0.01

[[bodies]]
name = "ball"
shape = "Sphere"
radius = 0.1
density = 1000
position = [0, 0, 0.1]
surface = "a"

[[bodies]]
name = "ground"
shape = "HalfSpace"
fixed = true
surface = "a"

[[surfaces]]
between = ["a", "a"]
law = {name = "Coulomb", mu = 0.3}
"""
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return synthetic.write(tmp_path_factory.mktemp("view") / "run.h5", side=2, frames=4)


def start(folder, *arguments):
    command = [sys.executable, "-m", "trundle.cli", *map(str, arguments)]
    return subprocess.Popen(
        command, cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def until(process, pattern):
    """Read what a command says until it says this."""
    said = ""
    for line in process.stdout:
        said += line
        if match := re.search(pattern, line):
            return match
    raise AssertionError(f"the command ended without {pattern!r}: {said}")


def end(process):
    process.send_signal(signal.SIGINT)
    try:
        return process.wait(30)
    finally:
        process.kill()
        process.stdout.close()


def fetch(url):
    with urllib.request.urlopen(url, timeout=10) as response:
        return response.read()


def test_view_says_where_the_page_is_and_ends_with_ctrl_c(run, tmp_path):
    process = start(tmp_path, "view", run)
    url = until(process, r"http://127\.0\.0\.1:\d+/\S+").group()
    assert b"<canvas" in fetch(url)
    assert end(process) == 0


def test_view_refuses_what_is_no_recording(tmp_path):
    (tmp_path / "note.h5").write_text("hello")
    process = start(tmp_path, "view", "note.h5")
    assert "not an HDF5 file" in process.communicate(timeout=60)[0]
    assert process.returncode == 2


def test_a_run_with_view_is_served_while_it_goes_and_until_ctrl_c(tmp_path):
    (tmp_path / "ball.toml").write_text(SCENE)
    process = start(tmp_path, "run", "ball.toml", "--view")
    found = {}  # the two come from two processes, in either order
    while len(found) < 2:
        match = until(process, r"(http://127\.0\.0\.1:\d+/\S+)|(the page stays open)")
        found[match.lastindex] = match.group()
    url = found[1]
    for _ in range(50):
        if b'"finished": true' in fetch(url + "api/status"):
            break
        time.sleep(0.1)
    assert b'"frames": 6' in fetch(url + "api/status")
    assert end(process) == 0
    with pytest.raises(OSError, match="refused"):
        fetch(url)


def test_export_draws_pages_pictures_and_films(run, tmp_path):
    process = start(
        tmp_path, "export", run, "--html", "a.html", "--png", "a.png", "--gif", "a.gif", "--size", "160x100", "--arrows"
    )
    said = process.communicate(timeout=120)[0]
    assert process.returncode == 0, said
    for name in ("a.html", "a.png", "a.gif"):
        assert f"written: {name}" in said
        assert (tmp_path / name).stat().st_size > 500


def test_export_explains_bad_sizes_and_names(run, tmp_path):
    for arguments, message in (
        (("--png", "a.png", "--size", "big"), "WIDTHxHEIGHT"),
        (("--mp4", "a.gif"), "must end in .mp4"),
        (("--png", "a.png", "--colour", "red"), "unknown colour"),
        ((), "export to what"),
    ):
        process = start(tmp_path, "export", run, *arguments)
        assert message in process.communicate(timeout=60)[0]
        assert process.returncode == 2
