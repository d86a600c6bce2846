"""Every example runs, in a folder of its own, and says what it promises."""

from __future__ import annotations

import ast
import json
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def run(name: str, folder: Path, *arguments: object) -> str:
    environment = {**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(EXAMPLES / name), *map(str, arguments)]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_example_is_tested():
    tested = set(re.findall(r'run\("(\w+\.py)"', Path(__file__).read_text(encoding="utf-8")))
    assert {path.name for path in EXAMPLES.glob("*.py")} == tested


@pytest.mark.parametrize("name", ["ball.ipynb", "pile.ipynb", "solvers.ipynb"])
def test_notebooks_run_cell_by_cell(name, tmp_path, monkeypatch):
    """As a notebook does it: the last expression of a cell is shown, as HTML where it can."""
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.setattr("webbrowser.open", lambda url: True)
    names: dict[str, object] = {"__name__": "__main__"}
    shown = 0
    for number, cell in enumerate(json.loads((EXAMPLES / name).read_text(encoding="utf-8"))["cells"]):
        assert not cell.get("outputs"), "notebooks are kept without their output"
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"{name}, cell {number}", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"{name}, cell {number}", "eval"), names)
            shown += bool(getattr(value, "_repr_html_", str)())
    assert shown >= 1
    if "page" in names:
        names["page"].close()  # type: ignore[attr-defined]


def test_every_notebook_is_tested():
    assert {path.name for path in EXAMPLES.glob("*.ipynb")} == {"ball.ipynb", "pile.ipynb", "solvers.ipynb"}


def test_solve_a_file_writes_and_solves_one_of_its_own(tmp_path):
    output = run("solve_a_file.py", tmp_path)
    assert (tmp_path / "block.hdf5").exists()
    assert "4 sliding" in output
    # -y.p is the dissipation, Acary & Bourrier (2021), eq. (43)
    line = next(line for line in output.splitlines() if line.startswith("dissipated"))
    lost, work = (word for word in line.replace(";", "").split() if word[0].isdigit())
    assert lost == work


def test_solve_a_file_solves_a_file_of_another_program(tmp_path, problems):
    file = problems / "rolling" / "rockfall_14_25792.dat"
    if not file.exists():
        pytest.skip(f"no {file.name} in {problems}")
    assert "14 contacts, law Rolling" in run("solve_a_file.py", tmp_path, file)


def test_sphere_on_a_plane_shows_every_mode(tmp_path):
    output = run("sphere_on_a_plane.py", tmp_path)
    modes = {line[:22].strip(): line[23:41].strip() for line in output.splitlines()[1:] if line[:22].strip()}
    assert modes["at rest"] == modes["nudged"] == "sticking"
    assert modes["rolling"] == modes["pushed gently"] == "rolling"
    assert modes["thrown without spin"] == "sliding+rolling"
    assert modes["spinning top"] == "spinning"
    assert modes["thrown upwards"] == "take-off"


def test_own_law_is_a_law_and_turns_the_friction(tmp_path):
    output = run("own_law.py", tmp_path)
    row = next(line for line in output.splitlines() if line.strip().startswith("30°")).replace("°", "").split()
    # Coulomb's friction opposes sliding at 30°; the pyramid's is that of its nearest corner, at 0°
    assert [float(word) for word in row] == [30.0, 30.0, 0.0]


def test_a_script_runs_after_its_law_was_checked_by_file_name(tmp_path):
    """`trundle check-law own_law.py:Pyramid` keeps the compiled law; the script knows its own file as __main__."""
    script = tmp_path / "own_law.py"
    shutil.copy(EXAMPLES / "own_law.py", script)
    program = f"from trundle import laws; laws.check(laws.load('{script}:Pyramid'))"
    environment = {**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": os.pathsep.join(sys.path)}
    for command in (["-c", program], [str(script)]):
        done = subprocess.run(
            [sys.executable, *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


def test_compare_laws_draws_a_picture(tmp_path):
    run("compare_laws.py", tmp_path, "sets.png")
    assert (tmp_path / "sets.png").read_bytes().startswith(b"\x89PNG")


def test_coin_falls_and_stops(tmp_path):
    output = run("coin_on_a_table.py", tmp_path)
    assert (tmp_path / "coin.png").stat().st_size > 10_000
    stop = float(output.split("lies flat at t = ")[1].split()[0])
    assert 3.0 < stop < 5.0


def test_euler_disk_whirrs_with_the_exponent_of_contour_friction(tmp_path):
    output = run("euler_disk.py", tmp_path)
    assert (tmp_path / "euler_disk.png").stat().st_size > 10_000
    n = float(output.split("with n = ")[1].split(";")[0])
    assert abs(n - 3.0) < 0.2


def test_rattleback_turns_back_as_rolling_without_slip_says(tmp_path):
    output = run("rattleback.py", tmp_path)
    assert (tmp_path / "rattleback.png").stat().st_size > 10_000
    spin, right = (float(word) for word in re.findall(r"([+-]\d+\.\d+) rad/s", output))
    assert right > 0.0
    # the scheme is of second order; rocking that spins up and down magnifies its error in the phase
    assert abs(spin - right) < 0.03 * right


def test_cradle_hands_the_impact_on_or_shares_it(tmp_path):
    output = run("cradle.py", tmp_path)
    assert (tmp_path / "cradle.png").stat().st_size > 10_000
    sequential, newton = (
        [float(word) for word in line.split("impact ")[1].split(" m/s")[0].split(", ")]
        for line in output.splitlines()[:2]
    )
    v = math.sqrt(2.0 * 9.81 * 0.25 * (1.0 - math.cos(0.5)))  # of the ball that was let go
    assert sequential == pytest.approx([0.0, 0.0, 0.0, v], abs=2e-3)
    # every contact reverses: the first ball bounces back with v_1, the others leave together; momentum and energy give 2/5 v
    assert newton == pytest.approx([0.4 * v] * 4, abs=2e-3)


def numbers(pattern: str, output: str) -> list[float]:
    """The groups of a pattern, as numbers."""
    found = re.search(pattern, output)
    assert found, output
    return [float(word) for word in found.groups()]


def test_stick_slip_oscillator_follows_its_closed_form(tmp_path):
    output = run("stick_slip.py", tmp_path)
    assert (tmp_path / "stick_slip.png").stat().st_size > 10_000
    for static in (0.3, 0.45):
        pattern = rf"mu_s = {static:g}: .* closed form (\S+) m of (\S+) m; sticks for (\S+) %"
        off, size, share = numbers(pattern, output)
        assert off < 1e-5  # stick and slip begin within a step of 0.5 ms; V h^2 omega
        # sliding on a circle about mu_k m g / k from V at mu_s m g / k
        centre, d = 0.3 * 9.81 / 100, (static - 0.3) * 9.81 / 100
        assert size == pytest.approx(centre + math.hypot(d, 0.2 / 10), abs=1e-3)
        if static > 0.3:
            slips = (2 * math.pi - 2 * math.atan(10 * d / 0.2)) / 10
            assert share / 100 == pytest.approx(2 * d / 0.2 / (slips + 2 * d / 0.2), abs=0.1)  # of whole periods


def test_slider_crank_follows_its_closed_form_its_ode_and_its_stop(tmp_path):
    output = run("slider_crank.py", tmp_path)
    assert (tmp_path / "slider_crank.png").stat().st_size > 10_000
    assert numbers(r"slider (\S+) m off its closed form", output)[0] < 1e-9
    crank, energy = numbers(r"crank (\S+) rad off the ODE, energy kept to (\S+)", output)
    assert crank < 1e-3
    assert energy < 1e-3
    least, rebound = numbers(r"below (\S+) m; rebound (\S+),", output)
    assert least >= 0.28
    assert rebound == pytest.approx(0.6, abs=2e-3)


def test_tippe_top_turns_over_as_its_ode_does(tmp_path):
    output = run("tippe_top.py", tmp_path)
    assert (tmp_path / "tippe_top.png").stat().st_size > 10_000
    assert numbers(r"to (\d+) degrees", output)[0] > 170
    here, there = numbers(r"level after (\S+) s, in the ODE after (\S+) s", output)
    assert here == pytest.approx(there, abs=0.02)  # two frames


def test_cart_pole_is_balanced_as_the_ode_says(tmp_path):
    output = run("cart_pole.py", tmp_path)
    assert (tmp_path / "cart_pole.png").stat().st_size > 10_000
    x, tilt = numbers(r"at most (\S+) m and (\S+) rad", output)
    assert max(x, tilt) < 1e-5  # (h omega)^2, omega = 4 rad/s


def test_castor_shimmies_as_its_ode_does_and_a_damper_stops_it(tmp_path):
    output = run("castor.py", tmp_path)
    assert (tmp_path / "castor.png").stat().st_size > 10_000
    first, last, off = numbers(r"damping 0 N s/m: .* from (\S+) to (\S+) mm; off the ODE by at most (\S+) of", output)
    assert last > 4 * first
    assert off < 5e-3
    first, last, off = numbers(r"damping 12 N s/m: .* from (\S+) to (\S+) mm; off the ODE by at most (\S+) of", output)
    assert last < 0.01 * first
    assert off < 1e-3


def test_masse_runs_along_a_parabola_and_straight_on(tmp_path):
    output = run("masse.py", tmp_path)
    assert (tmp_path / "masse.png").stat().st_size > 10_000
    errors = [float(word) for word in re.findall(r"error (\S+) um", output)]
    assert len(errors) == 3
    # theta = 1/2 is exact within a phase; the step in which sliding ends adds mu g h^2 = 2 um
    assert max(errors) < 2.0


def test_both_formulations_stop_where_the_closed_form_says(tmp_path):
    output = run("history_compare.py", tmp_path, 2)
    errors = [float(line.split("error of the way ")[1].split(",")[0]) for line in output.splitlines() if "way" in line[20:]
              and "error" in line]  # fmt: skip
    assert len(errors) == 4
    assert max(errors) < 0.05
    assert "heap of 8 spheres" in output


def test_ball_bearing_carries_its_load_as_stribeck_says(tmp_path):
    out = run("ball_bearing.py", tmp_path)
    # Q_max = F / sum of cos^2: 100 N on 13 balls
    assert "carries 30.8" in out
    assert "Stribeck: 30.8" in out
    assert (tmp_path / "ball_bearing.png").stat().st_size > 10_000


def test_euler_disk_goes_round_the_axis_of_a_hollow_mirror(tmp_path):
    out = run("euler_disk_mirror.py", tmp_path)
    hollow, flat = (line for line in out.splitlines() if "round the axis" in line)
    assert int(hollow.split("goes ")[1].split("°")[0]) > 90
    assert int(flat.split("goes ")[1].split("°")[0]) < 5
    assert (tmp_path / "euler_disk_mirror.png").exists()
