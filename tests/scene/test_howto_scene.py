"""The page about scene files and the example files say what works."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import trundle
from trundle.cli import app
from trundle.scene.files import MOTIONS, OPTIONS, REGIONS, SECTIONS, SIZES, parse_scene
from trundle.scene.joints import HELD
from trundle.scene.shapes import SHAPES
from trundle.scene.tables import arguments

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "howto-scene.md").read_text()
EXAMPLES = [file for file in sorted((ROOT / "examples").glob("*.toml")) if "[simulation]" in file.read_text()]


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def test_the_blocks_of_the_page_are_one_scene_that_runs():
    scene, options = parse_scene("\n".join(blocks("toml")), name="howto-scene.md")
    assert len(scene.bodies) == 9 + 48 + 60
    run = trundle.simulate(scene, **(options | {"duration": 0.15}))
    assert run.final.time == pytest.approx(0.15)
    # the ball starts to roll at once: v = omega R
    assert run.velocity("ball")[-1, 0] == pytest.approx(0.1 * run.angular_velocity("ball")[-1, 1], rel=1e-6)
    assert np.count_nonzero(run.final.present) == 9 + 48 + 3  # due at 0.1, 0.12 and 0.14 s


def test_the_python_of_the_page_runs(monkeypatch):
    monkeypatch.chdir(ROOT)
    for block in blocks("python"):
        exec(compile(block, "howto-scene.md", "exec"), {})


def test_the_page_names_every_table_shape_kind_and_option():
    for name in (*SHAPES, *MOTIONS, *REGIONS, *SIZES, *HELD, *OPTIONS, *(f"[[{section}]]" for section in SECTIONS)):
        assert re.search(rf"(?<!\w){re.escape(name)}(?!\w)", PAGE), name


def test_the_page_names_every_key():
    from trundle.scene.scene import Scene

    methods = (Scene.add, Scene.surface, Scene.emit, Scene.joint, Scene.load)
    keys = {key for method in methods for key in arguments(method)[0]} | {
        k for s in SHAPES.values() for k in arguments(s)[0]
    }
    left_out = {"ratio", "other_position", "collide"}  # said otherwise, or rare: the docstrings of the methods tell
    for key in keys - left_out:
        assert re.search(rf"\b{key}\b", PAGE), key


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_example_files_can_be_simulated(file):
    result = CliRunner().invoke(app, ["check", str(file), "--json"])
    assert result.exit_code == 0, result.output
    facts = json.loads(result.stdout)
    assert facts["remarks"] == []
    assert facts["options"]["time_step"] <= facts["advised_time_step"]
    scene, options = trundle.load_scene(file)
    run = trundle.simulate(scene, **(options | {"duration": 5 * options["time_step"]}))
    assert run.warnings == []


def test_check_tells_what_is_in_a_scene():
    result = CliRunner().invoke(app, ["check", str(ROOT / "examples" / "conveyor.toml")])
    assert result.exit_code == 0, result.output
    for part in ("13: 6 Box, 1 HalfSpace, 6 Ellipsoid", "11 can move, 1 fixed, 1 move as prescribed",
                 "Rolling: mu = 0.6, mu_r = 0.002 m",
                 "stone:  6 bodies, 4 per second from t = 0.5 to 1.75 s", "1 hinge", "trundle run"):  # fmt: skip
        assert part in " ".join(result.stdout.split()).replace(":  ", ": ") or part in result.stdout, part


def test_check_of_a_bad_scene_ends_with_2_and_the_remedy(tmp_path):
    text = (ROOT / "examples" / "ball.toml").read_text()
    file = tmp_path / "bad.toml"
    file.write_text(text.replace("mu_r = 0.04", "mu_r = 0.6"))
    result = CliRunner().invoke(app, ["check", str(file)])
    assert result.exit_code == 2
    assert "Did you mean 0.6 x radius = 0.3?" in result.output
    file.write_text(text.replace("density", "desnity"))
    result = CliRunner().invoke(app, ["check", str(file)])
    assert result.exit_code == 2
    assert "Did you mean 'density'?" in result.output
    assert "line 14" in result.output


def test_frames_of_the_command_line_win_over_those_of_the_file(tmp_path):
    file = tmp_path / "ball.toml"
    file.write_text((ROOT / "examples" / "ball.toml").read_text().replace("theta = 0.5", "frames_per_second = 50"))
    run = ["run", str(file), "-o", str(tmp_path / "ball.h5"), "--duration", "0.02", "--every", "5", "-q"]
    result = CliRunner().invoke(app, run)
    assert result.exit_code == 0, result.output
    from trundle.record.reader import Recording

    with Recording(tmp_path / "ball.h5") as recording:
        assert recording.time.tolist() == pytest.approx([0.0, 0.01, 0.02])
