"""Names are only names, recordings run no code, and a run can be had again."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from cases import heap
from disk_lab import SCENE
from typer.testing import CliRunner

import trundle
from trundle.cli import app
from trundle.output import beside, part_of, remove_stale_parts, writing
from trundle.sweep import Campaign, run_campaign

EVIL = "=1+1 \x1b]0;owned\x07 [bold]"


def run(*arguments: object) -> object:
    return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.fixture
def evil(tmp_path):
    """A recording with names that mean something to a terminal, to rich and to a spreadsheet, in a folder of that kind."""
    scene = trundle.Scene()
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="[/b]")
    scene.add(trundle.Sphere(0.1), name=EVIL, mass=1.0, position=(0, 0, 0.1), surface="[/b]")
    scene.add(trundle.Sphere(0.1), name="[/] post", fixed=True, position=(0, 0, 1.0), surface="[/b]")
    scene.joint("distance", EVIL, "[/] post", position=(0, 0, 0.1), other_position=(0, 0, 1.0), name="[/]\x1b[31m")
    scene.surface("[/b]", "[/b]", law=trundle.laws.Coulomb(mu=0.3))
    folder = tmp_path / "d["
    folder.mkdir()
    trundle.simulate(scene, 0.05, 0.01, record=folder / "b].h5")
    return folder / "b].h5"


@pytest.mark.parametrize(
    "arguments", [["info"], ["info", "--scene"], ["info", "--provenance"], ["verify"], ["measure"]]
)
def test_names_reach_the_terminal_as_text(evil, arguments):
    result = run(arguments[0], evil, *arguments[1:])
    assert result.exit_code == 0, result.output
    assert "\x1b" not in result.output
    assert "\x07" not in result.output


def test_names_are_no_formulas_in_tables(evil, tmp_path):
    assert run("export", evil, "--csv", tmp_path / "tables").exit_code == 0
    for file in (tmp_path / "tables").glob("*.csv"):
        with open(file, newline="", encoding="utf-8") as stream:
            cells = [cell for row in csv.reader(stream) for cell in row]
        assert not [cell for cell in cells if cell[:1] in "=@+" and cell[:1]]
        assert not [cell for cell in cells if "\x1b" in cell]


def test_a_recording_runs_no_code_of_its_folder(tmp_path):
    law = (Path(__file__).parents[2] / "examples" / "own_law.py").read_text()
    (tmp_path / "law.py").write_text(law)
    name = next(line.split()[1].rstrip(":") for line in law.splitlines() if line.startswith("class "))
    scene = SCENE.replace('{ name = "Rolling", mu = 0.3, mu_r = 0.001 }', f'{{ name = "law.py:{name}", mu = 0.3 }}')
    (tmp_path / "scene.toml").write_text(scene.replace("duration = 0.6", "duration = 0.02"))
    first = run("run", tmp_path / "scene.toml", "-o", tmp_path / "run.h5", "-q")
    assert first.exit_code == 0, first.output
    assert f"scene.toml names Python code, which runs now: {tmp_path.as_posix()}/law.py" in first.stderr
    (tmp_path / "law.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n" + law)
    for command in (["info"], ["verify"], ["measure"], ["export", "--csv", tmp_path / "tables"], ["rerun"]):
        run(command[0], tmp_path / "run.h5", *command[1:])
    refused = run("run", "--resume", tmp_path / "run.h5", "--duration", 0.03, "-q")
    assert refused.exit_code == 2
    assert "--trust" in refused.output
    assert not (tmp_path / "ran").exists()
    assert run("run", "--resume", tmp_path / "run.h5", "--duration", 0.03, "-q", "--trust").exit_code == 0
    assert (tmp_path / "ran").exists()


def test_a_campaign_says_that_it_runs_code_and_what_is_wrong_with_it(tmp_path):
    (tmp_path / "broken.py").write_text("1 / 0")
    (tmp_path / "campaign.toml").write_text('function = "broken.py:f"\n[vary]\nmu = [0.1]\n')
    result = run("sweep", tmp_path / "campaign.toml", "-o", tmp_path / "out", "--workers", 0)
    assert result.exit_code == 2
    assert "a campaign names Python code, which runs now: broken.py:f" in result.stderr
    assert "cannot be imported: ZeroDivisionError" in result.stderr


def test_a_run_once_more_gives_the_same_bits_or_says_what_differs(tmp_path):
    path = tmp_path / "run.h5"
    trundle.simulate(heap(), 0.04, 2e-3, record=path)
    trundle.resume(path, duration=0.06)
    result = run("rerun", path)
    assert result.exit_code == 0, result.output
    assert "the bits agree" in result.output
    with trundle.open_recording(path) as recording:
        stages = recording.stages
    assert [stage["step"] for stage in stages] == [0, 20]
    assert stages[0]["options"]["duration"] == 0.04
    assert stages[1]["options"]["duration"] == 0.06
    assert stages[0]["model"] == stages[1]["model"]
    assert len(stages[0]["package"]) == 64
    told = run("info", path, "--provenance")
    assert "stage 2 of 2" in told.output
    assert stages[0]["package"] in told.output
    assert json.loads(run("info", path, "--provenance", "--json").stdout)["stages"] == stages


def test_a_repetition_that_differs_is_said(tmp_path, monkeypatch):
    path = tmp_path / "run.h5"
    trundle.simulate(heap(), 0.04, 2e-3, record=path)
    from trundle.cli import recordings

    def other(source: Path, target: Path, trust: bool) -> None:
        trundle.simulate(heap(), 0.04, 2e-3, theta=1.0, record=target)

    monkeypatch.setattr(recordings, "_repeat", other)
    result = run("rerun", path)
    assert result.exit_code == 1
    assert "differs: /energy, from step" in result.output
    assert "the bits do not agree" in result.output


def test_a_scene_that_no_file_can_say_is_not_changed_in_mid_run(tmp_path):
    def scene(mu: float) -> trundle.Scene:
        made = heap(trundle.laws.Coulomb(mu=mu))
        made.load("b0", force=lambda t: (0.1 * np.sin(t), 0.0, 0.0))
        return made

    trundle.simulate(scene(0.3), 0.04, 2e-3, record=tmp_path / "run.h5")
    with pytest.raises(trundle.RecordingError, match="was made with another scene"):
        trundle.resume(tmp_path / "run.h5", scene=scene(0.2), duration=0.06)
    assert trundle.resume(tmp_path / "run.h5", scene=scene(0.3), duration=0.06).final.time == pytest.approx(0.06)


def test_a_changed_result_of_a_campaign_is_computed_again(tmp_path):
    campaign = Campaign(
        "c", function="kill_lab.py:measured", vary={"mu": [0.1, 0.3]}, seeds=(0,), folder=Path(__file__).parent
    )
    first = run_campaign(campaign, tmp_path, workers=0)
    assert first.damaged == ()
    files = sorted((tmp_path / "runs").iterdir())
    texts = [file.read_text() for file in files]
    content = json.loads(texts[0])
    content["values"]["height"] += 1.0
    for wrong in (json.dumps(content), "[1, 2]", texts[0][:100], texts[1], "", "null", '{"values": {"height": 1}}'):
        files[0].write_text(wrong)
        again = run_campaign(campaign, tmp_path, workers=0)
        assert again.damaged == (files[0].name,)
        assert again.computed == 1
        assert again.table.equals(first.table)
    assert run_campaign(campaign, tmp_path, workers=0).computed == 0


def test_files_are_complete_or_absent(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("before")

    def fail() -> None:
        with writing(path) as stream:
            stream.write("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(trundle.RecordingError, match="cannot be written"), beside(tmp_path / "no" / "b.txt") as aside:
        aside.write_text("x")


def test_what_a_dead_process_left_is_removed(tmp_path, monkeypatch):
    path = tmp_path / "run.h5"
    mine = part_of(path)
    dead = mine.with_name(mine.name.replace(f"-{mine.name.split('-')[-1].split('.')[0]}.", "-4194303."))
    for part in (mine, dead):
        part.write_text("x")
    remove_stale_parts(path)
    assert mine.exists()
    assert not dead.exists()
