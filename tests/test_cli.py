"""The command line: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.main import get_command
from typer.testing import CliRunner

import trundle
from trundle import ContactProblem, laws, load_problem, save_problem, solve
from trundle.cli import app
from trundle.cli.heap import GRAVITY, build_heap, heap_problem
from trundle.contact.fclib import read_guesses, read_solution
from trundle.solve import SOLVERS
from trundle.solve.profile import Run, performance_profile, time_solver

COMMANDS = ("solve", "compare", "check", "check-law", "demo", "laws", "solvers")
KEYS = {
    "file",
    "contacts",
    "solver",
    "residual",
    "iterations",
    "converged",
    "solve_time",
    "message",
    "modes",
    "warnings",
}


def run(*arguments: object) -> object:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def in_a_process(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "trundle", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, **options)  # type: ignore[call-overload]


@pytest.fixture(scope="module")
def heap_file(tmp_path_factory) -> Path:
    """Twelve rollers in global form, which begin to collapse."""
    path = tmp_path_factory.mktemp("files") / "heap.hdf5"
    save_problem(heap_problem(build_heap(12), mu=0.15, rolling_ratio=0.12, time_step=0.01), path)
    return path


@pytest.fixture(scope="module")
def block_file(tmp_path_factory) -> Path:
    """A point mass that slides over the plane, in reduced form: W = 1, q = (-g h, 1 m/s, 0)."""
    path = tmp_path_factory.mktemp("files") / "block.hdf5"
    law = laws.Coulomb(mu=np.array([0.3]))
    save_problem(ContactProblem(law, W=np.eye(3), q=np.array([-GRAVITY * 0.01, 1.0, 0.0])), path)
    return path


@pytest.fixture(scope="module")
def uneven_file(tmp_path_factory) -> Path:
    """W not symmetric by 1e-4, as in real files."""
    path = tmp_path_factory.mktemp("files") / "uneven.hdf5"
    W = np.eye(3)
    W[0, 1] = 1e-4
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        save_problem(ContactProblem(laws.Coulomb(mu=np.array([0.3])), W=W, q=np.array([-1.0, 1.0, 0.0])), path)
    return path


@pytest.fixture
def cut_file(heap_file, tmp_path) -> Path:
    path = tmp_path / "cut.hdf5"
    path.write_bytes(heap_file.read_bytes()[:3000])
    return path


class TestSolve:
    def test_table_shows_modes_residual_iterations_and_state(self, heap_file, block_file):
        result = run("solve", heap_file, block_file)
        assert result.exit_code == 0, result.output
        lines = result.stdout.splitlines()
        row = next(line for line in lines if line.strip().startswith("block.hdf5"))
        assert re.search(r"block\.hdf5 +1 +1 sliding +\d\.\de[-+]\d\d +\d+ +.*s +auto +converged", row)
        assert any("heap.hdf5" in line and "rolling" in line for line in lines)

    def test_json_is_a_list_with_the_promised_keys_and_nothing_else(self, heap_file, block_file):
        result = run("solve", heap_file, block_file, "--tolerance", "1e-10", "--json")
        assert result.exit_code == 0
        assert result.stderr == ""
        objects = json.loads(result.stdout)
        assert [set(item) for item in objects] == [KEYS, KEYS]
        assert [item["file"] for item in objects] == [str(heap_file), str(block_file)]
        heap = objects[0]
        assert heap["converged"] is True
        assert heap["residual"] <= 1e-10
        assert heap["solver"] == "auto"
        assert sum(heap["modes"].values()) == heap["contacts"] == load_problem(heap_file).contact_count

    def test_solve_that_does_not_converge_gives_exit_code_1_and_says_why(self, heap_file):
        result = run("solve", heap_file, "--solver", "gauss-seidel", "--max-iterations", 1, "--tolerance", "1e-14")
        assert result.exit_code == 1
        assert "not converged" in result.stdout
        assert "the best residual is" in result.stdout

    def test_good_files_are_solved_beside_bad_ones(self, block_file, cut_file, tmp_path):
        foreign = tmp_path / "letter.txt"
        foreign.write_text("Dear Sir or Madam,\n")
        result = run("solve", cut_file, block_file, foreign, tmp_path / "missing.dat")
        assert result.exit_code == 3  # one of them is damaged
        assert "converged" in result.stdout
        errors = [line for line in result.stderr.splitlines() if line.startswith("error:")]
        assert len(errors) == 3
        for name, line in zip(("cut.hdf5", "letter.txt", "missing.dat"), errors, strict=True):
            assert name in line
        assert "Traceback" not in result.output

    def test_json_of_a_bad_file_holds_the_error(self, block_file, cut_file):
        result = run("solve", cut_file, block_file, "--json")
        assert result.exit_code == 3
        bad, good = json.loads(result.stdout)
        assert "cut.hdf5" in bad["error"]
        assert good["converged"] is True

    def test_warnings_are_printed_once_under_the_table_and_not_as_python_warnings(self, uneven_file):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = run("solve", uneven_file)
        assert result.exit_code == 0, result.output
        assert result.stdout.count("not symmetric") == 1
        assert result.stderr == ""
        assert len(json.loads(run("solve", uneven_file, "--json").stdout)[0]["warnings"]) == 1

    def test_formulation_decides_what_is_solved(self, heap_file):
        for formulation in ("exact", "relaxed"):
            result = run("solve", heap_file, "--formulation", formulation, "--tolerance", "1e-10", "--json")
            assert result.exit_code == 0, result.output
            reported = json.loads(result.stdout)[0]
            problem = replace(load_problem(heap_file), formulation=formulation)
            solution = solve(problem, tolerance=1e-10)
            assert (reported["residual"], reported["iterations"]) == (solution.residual, solution.iterations)

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (("--solver", "gaus-seidel"), "Did you mean 'gauss-seidel'?"),
            (("--solver", "gauss-seidel", "--option", "relaxatio=1.2"), "Did you mean 'relaxation'?"),
            (("--solver", "gauss-seidel", "--option", "relaxation=much"), "must be a number"),
            (("--solver", "gauss-seidel", "--option", "relaxation=3"), "between 0 and 2"),
            (("--solver", "gauss-seidel", "--option", "local=exat"), "Did you mean 'exact'?"),
            (("--solver", "newton", "--option", "sweeps=1.5"), "must be a whole number"),
            (("--solver", "gauss-seidel", "--option", "relaxation"), "key=value"),
            (("--solver", "apgd", "--option", "relaxation=1"), "has no options"),
            (("--tolerance", "0"), "must be a positive number"),
            (("--max-iterations", "0"), "at least 1"),
            (("--formulation", "relaxed", "--save", "somewhere"), "no place for the relaxed formulation"),
        ],
    )
    def test_bad_option_is_one_message_and_exit_code_2(self, block_file, arguments, expected):
        result = run("solve", block_file, *arguments)
        assert result.exit_code == 2
        assert expected in " ".join(result.stderr.split())
        assert result.stdout == ""

    def test_option_reaches_the_solver(self, heap_file):
        sweeps = []
        for relaxation in (1.0, 0.3):
            arguments = ("--solver", "gauss-seidel", "--option", f"relaxation={relaxation}", "--json")
            sweeps.append(json.loads(run("solve", heap_file, *arguments).stdout)[0]["iterations"])
        assert sweeps[1] > sweeps[0]

    def test_real_files_of_other_programs_are_solved(self, problems):
        files = [problems / "rolling" / "rockfall_14_25792.dat", problems / "sliding" / "Capsules-i125-1213.hdf5"]
        if not all(file.exists() for file in files):
            pytest.skip(f"not in {problems}: {', '.join(file.name for file in files)}")
        result = run("solve", *files, "--json")
        assert result.exit_code == 0, result.output
        assert [item["contacts"] for item in json.loads(result.stdout)] == [14, 286]


class TestSave:
    def test_saved_solution_has_the_residual_that_was_reported(self, heap_file, block_file, tmp_path):
        result = run("solve", heap_file, block_file, "--tolerance", "1e-10", "--save", tmp_path)
        assert result.exit_code == 0, result.output
        for name in ("heap.hdf5", "block.hdf5"):
            problem, solution = load_problem(tmp_path / name), read_solution(tmp_path / name)
            assert problem.residual(solution["r"]) <= 1e-10

    def test_saved_velocities_obey_the_equation_of_motion(self, heap_file, tmp_path):
        run("solve", heap_file, "--save", tmp_path)
        problem, solution = load_problem(tmp_path / "heap.hdf5"), read_solution(tmp_path / "heap.hdf5")
        # M v = f + H^T r and u = H v + b, to round-off
        np.testing.assert_allclose(problem.M @ solution["v"], problem.f + problem.H.T @ solution["r"], atol=1e-12)
        np.testing.assert_allclose(solution["u"], problem.H @ solution["v"] + problem.b, atol=1e-12)

    def test_iterate_that_did_not_converge_is_saved_as_a_guess(self, heap_file, tmp_path):
        result = run("solve", heap_file, "--solver", "gauss-seidel", "--max-iterations", 1, "--save", tmp_path)
        assert result.exit_code == 1
        assert read_solution(tmp_path / "heap.hdf5") is None
        assert len(read_guesses(tmp_path / "heap.hdf5")) == 1

    def test_files_of_the_same_name_do_not_replace_each_other(self, heap_file, tmp_path):
        other = tmp_path / "other" / "heap.hdf5"
        other.parent.mkdir()
        other.write_bytes(heap_file.read_bytes())
        run("solve", heap_file, other, "--save", tmp_path / "out")
        assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["heap-2.hdf5", "heap.hdf5"]

    def test_the_problem_itself_is_never_replaced(self, heap_file):
        before = heap_file.read_bytes()
        result = run("solve", heap_file, "--save", heap_file.parent)
        assert result.exit_code == 2
        assert "would replace" in result.stderr
        assert heap_file.read_bytes() == before


class TestInterrupt:
    ENDLESS = ("--solver", "fixed-point", "--tolerance", "1e-300", "--max-iterations", "1000000000")

    def test_ctrl_c_gives_the_best_iterate_and_exit_code_130(self, heap_file, block_file):
        script = (
            "import os, signal, sys, threading\n"
            "from trundle.cli import main\n"
            "from trundle.solve.profile import warm_up\n"
            "warm_up(['fixed-point'])\n"
            "threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
            "main()\n"
        )
        command = [sys.executable, "-c", script, "solve", str(heap_file), str(block_file), *self.ENDLESS, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 130, done.stderr
        objects = json.loads(done.stdout)
        assert [item["file"] for item in objects] == [str(heap_file)]
        assert objects[0]["message"].startswith("interrupted")
        assert 0.0 < objects[0]["residual"] < 1e-3
        assert "1 of 2 files were not begun" in done.stderr

    @pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
    def test_terminal_shows_progress_of_a_long_solve_until_ctrl_c(self, heap_file):
        import pty

        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "trundle.cli", "solve", str(heap_file), *self.ENDLESS]
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "300"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=environment)
        os.close(theirs)
        try:
            shown, until = b"", time.monotonic() + 240.0
            while b"iterations, residual" not in shown and time.monotonic() < until:
                shown += os.read(ours, 4096)
            process.send_signal(signal.SIGINT)
            output = process.communicate(timeout=60)[0].decode()
        finally:
            process.kill()
            os.close(ours)
        assert b"iterations, residual" in shown
        assert process.returncode == 130
        assert "interrupted" in output
        assert "heap.hdf5" in output


class TestCompare:
    def test_picture_and_csv_hold_every_file_and_solver(self, heap_file, block_file, tmp_path):
        picture = tmp_path / "new folder" / "profile.png"
        result = run("compare", heap_file, block_file, "-o", picture, "--time-limit", 1)
        assert result.exit_code == 0, result.output
        assert picture.read_bytes().startswith(b"\x89PNG")
        with picture.with_suffix(".csv").open(newline="") as stream:
            rows = list(csv.DictReader(stream))
        assert [(row["file"], row["solver"]) for row in rows] == [
            (str(file), solver) for file in (heap_file, block_file) for solver in SOLVERS
        ]
        expected = "file contacts solver residual iterations converged solve_time message"
        assert list(rows[0])[:8] == expected.split()
        reached = [row for row in rows if row["time_to_1e-8"]]
        assert all(float(row["time_to_1e-4"]) <= float(row["time_to_1e-8"]) for row in reached)
        assert {row["solver"] for row in rows if row["converged"] == "True"} <= {row["solver"] for row in reached}
        assert all(row["converged"] == "True" for row in rows if row["file"] == str(block_file))

    def test_chosen_solvers_are_those_that_run(self, block_file, tmp_path):
        table = tmp_path / "numbers.csv"
        arguments = ("-o", tmp_path / "p.svg", "--solvers", "newton, nesterov", "--csv", table)
        result = run("compare", block_file, *arguments)
        assert result.exit_code == 0, result.output
        rows = list(csv.DictReader(table.read_text().splitlines()))
        assert [row["solver"] for row in rows] == ["newton", "nesterov"]

    def test_bad_file_leaves_the_others_and_gives_exit_code_2(self, block_file, cut_file, tmp_path):
        result = run("compare", block_file, cut_file, "-o", tmp_path / "p.png", "--solvers", "nesterov")
        assert result.exit_code == 2
        assert "cut.hdf5" in result.stderr
        assert (tmp_path / "p.png").exists()

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (("-o", "profile.jpeg2"), "must end in .png"),
            (("-o", "p.png", "--solvers", "newtn"), "Did you mean 'newton'?"),
            (("-o", "p.png", "--time-limit", "0"), "positive number of seconds"),
        ],
    )
    def test_bad_option_is_one_message_and_exit_code_2(self, block_file, arguments, expected, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        result = run("compare", block_file, *arguments)
        assert result.exit_code == 2
        assert expected in " ".join(result.stderr.split())


class TestProfile:
    @staticmethod
    def timed(file: str, solver: str, seconds: float, state: str = "converged") -> Run:
        return Run(file, 1, solver, 1e-9, 10, seconds, state, "")

    def test_share_is_that_of_dolan_and_more(self):
        # rho_s(tau) = share of the problems with t_s <= tau min over s of t_s, Dolan & More (2002)
        runs = [
            self.timed("one", "a", 1.0), self.timed("one", "b", 3.0),
            self.timed("two", "a", 4.0), self.timed("two", "b", 2.0),
            self.timed("three", "a", 9.0, "failed"), self.timed("three", "b", 5.0),
            self.timed("four", "a", 9.0, "failed"), self.timed("four", "b", 10.0, "time limit"),
        ]  # fmt: skip
        profile = performance_profile(runs)
        assert [profile.share("a", tau) for tau in (1.0, 1.9, 2.0, 1e9)] == [0.25, 0.25, 0.5, 0.5]
        assert [profile.share("b", tau) for tau in (1.0, 2.9, 3.0, 1e9)] == [0.5, 0.5, 0.75, 0.75]
        assert profile.largest == 3.0
        assert profile.ranking() == ["b", "a"]

    def test_solver_that_does_not_apply_counts_neither_as_solved_nor_as_failed(self):
        law = laws.Superellipse(mu_x=0.3, mu_y=0.2, q=3, q_potential=2)
        problem = ContactProblem(law, W=np.eye(3), q=np.array([-1.0, 1.0, 0.5]))
        runs = [time_solver(problem, solver, name="curved") for solver in ("nesterov", "interior-point")]
        assert [run.state for run in runs] == ["converged", "n/a"]
        assert runs[1].residual is runs[1].solve_time is None
        assert len(performance_profile(runs).ratios["interior-point"]) == 0

    def test_time_limit_ends_a_solve_and_says_so(self, heap_file):
        run = time_solver(load_problem(heap_file), "fixed-point", tolerance=1e-300, time_limit=0.2)
        assert run.state == "time limit"
        assert run.message.startswith("time limit of 0.2 s reached after")
        assert run.residual < 1.0


class TestCheckLaw:
    GOOD = """
from trundle import laws

@laws.own(rows=("t1", "t2"))
class Box:
    mu: laws.Ratio

    def project_section(f, r_n, c, out):
        for i in range(2):
            out[i] = min(max(f[i], -c[0] * r_n), c[0] * r_n)

    def support(w, c):
        return c[0] * (abs(w[0]) + abs(w[1]))
"""

    @pytest.fixture
    def folder(self, tmp_path, monkeypatch) -> Path:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "path", list(sys.path))
        (tmp_path / "box_law.py").write_text(self.GOOD)
        # a support function of another set: the disk
        wrong = self.GOOD.replace("(abs(w[0]) + abs(w[1]))", "(w[0] ** 2 + w[1] ** 2) ** 0.5")
        (tmp_path / "wrong_law.py").write_text(wrong)
        return tmp_path

    @pytest.mark.parametrize("target", ["box_law:Box", "box_law.py:Box"])
    def test_law_of_ones_own_passes(self, folder, target):
        result = run("check-law", target)
        assert result.exit_code == 0, result.output

    def test_support_of_another_set_is_found_out(self, folder):
        result = run("check-law", "wrong_law.py:Box")
        assert result.exit_code == 1
        assert "support" in result.stdout

    def test_error_in_the_users_file_is_shown_where_it_is(self, folder):
        (folder / "broken_law.py").write_text("from trundle import laws\n\nmu = 1 / 0\n")
        result = run("check-law", "broken_law.py:Box")
        assert result.exit_code == 2
        assert "broken_law.py" in result.stderr
        assert "ZeroDivisionError" in result.stderr

    @pytest.mark.parametrize("target", ["box_law.py:Bix", "no_such_module:Box", "box_law.py", "missing.py:Box"])
    def test_what_cannot_be_loaded_gives_exit_code_2(self, folder, target):
        result = run("check-law", target)
        assert result.exit_code == 2, result.output
        assert "Traceback" not in result.output


class TestOthers:
    def test_demo_writes_a_picture_and_a_problem_that_can_be_solved(self, tmp_path):
        result = run("demo", "problem", "-o", tmp_path / "out")
        assert result.exit_code == 0, result.output
        assert (tmp_path / "out" / "heap.png").read_bytes().startswith(b"\x89PNG")
        for mode in ("sticking", "sliding", "rolling", "sliding+rolling", "take-off"):
            assert mode in result.stdout
        assert run("solve", tmp_path / "out" / "heap.hdf5").exit_code == 0

    def test_demo_pours_two_piles_and_the_one_with_rolling_friction_is_steeper(self, tmp_path, monkeypatch):
        from trundle.cli import demo_pile

        monkeypatch.setattr(demo_pile.run, "__defaults__", (450,))
        result = run("demo", "-o", tmp_path / "out")
        assert result.exit_code == 0, result.output
        assert (tmp_path / "out" / "demo.png").read_bytes().startswith(b"\x89PNG")
        heights = [float(x) for x in re.findall(r"height ([0-9.]+) D", result.stdout)]
        assert "angle of repose" in result.stdout
        assert heights[1] > 1.2 * heights[0]

    def test_laws_are_listed_with_units(self):
        output = run("laws").stdout
        for name in ("Coulomb", "Rolling", "SlideRollSpin", "Superellipse", "Contensou", "Product"):
            assert re.search(rf"^ *{name} ", output, re.MULTILINE)
        assert "mu [-], mu_r [m]" in output

    def test_solvers_are_listed_with_options(self):
        output = run("solvers").stdout
        for name in SOLVERS:
            assert re.search(rf"^ *{name} ", output, re.MULTILINE)
        assert "relaxation=1" in output

    def test_help_keeps_its_units_in_brackets(self):
        for command in ("pile", "sphere"):
            output = run("bench", command, "--help").stdout
            assert "Simulated time [s]." in output
            assert "Time step [s]." in output

    def test_brackets_in_help_are_styles_or_escaped(self):
        def texts(command):
            yield command.help
            yield from (getattr(parameter, "help", None) for parameter in command.params)
            for inner in getattr(command, "commands", {}).values():
                yield from texts(inner)

        tags = {tag for text in texts(get_command(app)) for tag in re.findall(r"(?<!\\)\[([a-z/][^\]]*)\]", text or "")}
        assert tags <= {"bold", "dim", "/"}

    @pytest.mark.parametrize("command", COMMANDS)
    def test_help_of_every_command_has_an_example(self, command):
        output = run(command, "--help").stdout
        assert "Example" in output
        assert f"trundle {command}" in output

    def test_version_is_that_of_the_package(self):
        assert run("--version").stdout == f"trundle {trundle.__version__}\n"

    def test_unexpected_error_shows_its_traceback(self, block_file, monkeypatch):
        def broken(*_: object) -> None:
            raise ZeroDivisionError("a bug")

        monkeypatch.setattr("trundle.cli.solving.solve_files", broken)
        assert isinstance(run("solve", block_file).exception, ZeroDivisionError)

    def test_exit_codes_reach_the_shell(self, tmp_path):
        done = in_a_process(
            "solve", "missing.dat", cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        )
        assert done.returncode == 2
        assert done.stderr.startswith("error: missing.dat: there is no such file.")
        assert done.stdout == ""

    def test_import_of_the_package_leaves_out_what_only_the_command_line_needs(self):
        script = "import sys, trundle; print([m for m in ('matplotlib', 'typer', 'rich', 'h5py') if m in sys.modules])"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=300)
        assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("command", [[], ["run"], ["bench", "pile"], ["view"]])
def test_help_shows_flags_without_a_type(command):
    shown = CliRunner().invoke(app, [*command, "--help"]).output
    assert "--help" in shown
    assert "bool" not in shown


def test_every_command_is_listed_in_a_group_and_the_shell_can_complete_it():
    shown = CliRunner().invoke(app, ["--help"]).output
    assert "─ Commands ─" not in shown
    assert "--install-completion" in shown
