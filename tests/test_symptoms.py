"""The page of symptoms says what its scripts measure, of trundle everywhere, of other engines where they are installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "symptoms.md").read_text(encoding="utf-8")
SCRIPTS = sorted(path.stem for path in (ROOT / "examples" / "symptoms").glob("*.py") if path.stem != "engines")


def output(name: str, folder: Path) -> str:
    environment = {**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(ROOT / "examples" / "symptoms" / f"{name}.py")]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (folder / f"{name}.png").stat().st_size > 10_000
    return done.stdout


def rows(text: str, engine: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(f"  {engine}")]


def numbers(text: str) -> list[float]:
    return [float(word) for word in re.findall(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?", text)]


def test_every_symptom_has_a_script_a_picture_and_a_section():
    assert SCRIPTS == ["box_friction", "creep", "determinism", "euler_disk", "restitution", "rolling"]
    for name in SCRIPTS:
        assert f"python examples/symptoms/{name}.py" in PAGE
        assert f"(pictures/symptom-{name}.png)" in PAGE


def test_trundle_does_not_creep(tmp_path):
    (row,) = rows(output("creep", tmp_path), "trundle")
    crept, speed = numbers(row)
    assert crept < 1e-9  # [mm] round-off of positions
    assert speed < 1e-12


def test_trundle_stops_a_rolling_ball_where_the_closed_form_does(tmp_path):
    (row,) = rows(output("rolling", tmp_path), "trundle")
    assert abs(numbers(row)[2]) < 0.01  # [%]
    assert row.endswith("at rest")


def test_trundle_slides_alike_in_all_directions(tmp_path):
    (row,) = rows(output("box_friction", tmp_path), "trundle")
    least, most, off = numbers(row)
    assert least == most == 1.0  # to the four digits printed; the step in which it stops adds mu g h^2
    assert off < 1e-6


def test_trundle_keeps_restitution(tmp_path):
    bounce, cradle = rows(output("restitution", tmp_path), "trundle")
    assert numbers(bounce) == pytest.approx([0.64, 0.4096, 0.2621, 0.1678, 0.1074], abs=1e-3)
    assert numbers(cradle)[:5] == [0.0, 0.0, 0.0, 0.0, 1.0]


def test_trundle_stops_the_disk_with_friction_and_not_without(tmp_path):
    text = output("euler_disk", tmp_path)
    exact = numbers(text.splitlines()[0])[3]
    with_friction, without = rows(text, "trundle")
    # the closed form is for slow losses: what it leaves out is of the order mu_r / R = 0.5 %
    assert numbers(with_friction)[0] == pytest.approx(exact, rel=0.01)
    assert numbers(without)[0] == pytest.approx(0.3, abs=2e-3)


def test_trundle_repeats_and_resumes_to_the_same_bits(tmp_path):
    (row,) = rows(output("determinism", tmp_path), "trundle")
    assert numbers(row)[:2] == [0.0, 0.0]


@pytest.mark.parametrize("engine", ["MuJoCo", "PyBullet"])
def test_rows_of_other_engines_are_those_of_the_page(engine, tmp_path):
    """Same settings; numbers of another release may differ."""
    pytest.importorskip(engine.lower(), reason=f"NO {engine.upper()}: pip install {engine.lower()}")
    for row in rows(output("creep", tmp_path), engine):
        assert re.split(r"\s{2,}| crept ", row.strip())[0] in PAGE
