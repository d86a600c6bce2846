"""The pattern that all papers follow: claims, verdicts, files, and the command that runs them."""

import json
import sys
import types

import matplotlib
import numpy as np
import pytest
from typer.testing import CliRunner

from trundle import papers
from trundle.cli.app import app
from trundle.papers.report import Report

matplotlib.use("Agg")
FIELDS = ["claim", "source", "paper", "ours", "unit", "tolerance", "verdict", "note"]


@pytest.fixture
def small_paper(monkeypatch):
    """A paper with two parts and one option, registered as `small-2000`; `runs` lists the parts that were computed."""
    module = types.ModuleType("trundle.papers.small_2000")
    module.__spec__ = types.SimpleNamespace(name=module.__name__)
    module.TITLE, module.PARTS = "A small paper", {"drop": "a body falls", "rest": "it lies"}
    module.runs = []

    def reproduce(report, part, quick, progress, *, time_step=1e-3):
        progress("falling", 0.5)
        if part == "rest" and quick:
            raise KeyboardInterrupt
        module.runs.append(part)
        report.remark("said once")
        report.compare(f"{part}: time step", part, paper=1e-3, ours=time_step, tolerance=1e-9, unit="s", note="a | b")

    module.reproduce = reproduce
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(papers.PAPERS, "small-2000", "small_2000")
    return module


def test_verdict_follows_from_the_tolerance(tmp_path):
    report = Report("x", "X", tmp_path)
    assert report.compare("a", "s", paper=1.0, ours=1.1, tolerance=0.11).verdict == "agrees"
    assert report.compare("a", "s", paper=1.0, ours=1.1, tolerance=0.09).verdict == "differs"
    assert report.compare("a", "s", paper=1.0, ours=np.nan, tolerance=9.0).verdict == "differs"
    assert report.compare("a", "s", paper=(1.0, 2.0), ours=(1.0, 2.2), tolerance=0.1).verdict == "differs"
    assert report.add_ours("a", "s", ours=np.float64(3.0)).verdict == "not in the paper's text"
    assert report.count() == {"agrees": 1, "differs": 3, "not tested": 0, "not in the paper's text": 1}


def test_report_files_hold_every_claim_and_figure(tmp_path):
    import matplotlib.pyplot as plt

    report = Report("x", "X", tmp_path / "deep")
    report.compare("speed | of the rim", "4.1", paper=[1, 2], ours=np.array([1.0, 2.0]), tolerance=0.1, unit="m/s")
    report.add_ours("never", "4.2", ours=np.inf, unit="s")
    report.figure(plt.figure(), "figure-1", "Nothing")
    written = json.loads(report.write().read_text())
    assert [list(item) for item in written] == [FIELDS, FIELDS]
    assert written[0]["ours"] == [1.0, 2.0]
    assert written[1]["ours"] == "inf"
    text = (tmp_path / "deep" / "report.md").read_text()
    assert "speed \\| of the rim" in text
    assert "![Nothing](figure-1.png)" in text
    assert (tmp_path / "deep" / "figure-1.png").stat().st_size > 0


def test_command_writes_the_report_and_passes_options(tmp_path, small_paper):
    result = CliRunner().invoke(app, ["reproduce", "small-2000", "-o", str(tmp_path), "--time-step", "0.5"])
    assert result.exit_code == 0, result.output
    assert json.loads((tmp_path / "report.json").read_text())[0]["ours"] == 0.5
    assert "2 differs" in result.output


def test_command_lists_papers_and_parts(small_paper):
    result = CliRunner().invoke(app, ["reproduce", "--list"])
    assert result.exit_code == 0
    assert "small-2000" in result.output
    assert "a body falls" in result.output


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["small-200"], "Did you mean 'small-2000'?"),
        (["small-2000", "--only", "dorp"], "Did you mean 'drop'?"),
        (["small-2000", "--time-step", "-1"], "must be a positive"),
        ([], "--list"),
    ],
)
def test_wrong_requests_say_what_there_is(tmp_path, small_paper, arguments, words):
    result = CliRunner().invoke(app, ["reproduce", *arguments, "-o", str(tmp_path)])
    assert result.exit_code == 2
    assert words in result.output


def test_an_option_that_a_paper_does_not_take_is_an_error(tmp_path, small_paper):
    with pytest.raises(papers.PaperError, match="takes no option --colour. It takes: --time-step"):
        papers.reproduce("small-2000", tmp_path, colour="red")


def test_a_reproduction_that_was_interrupted_goes_on_with_the_next_part(tmp_path, small_paper):
    with pytest.raises(KeyboardInterrupt):
        papers.reproduce("small-2000", tmp_path, quick=True)
    assert [item["source"] for item in json.loads((tmp_path / "report.json").read_text())] == ["drop"]
    small_paper.runs.clear()
    report = papers.reproduce("small-2000", tmp_path)
    assert small_paper.runs == ["drop", "rest"]  # not quick: the kept part was made in another way
    assert [item.source for item in report.claims] == ["drop", "rest"]
    assert report.remarks == ["said once"]
    small_paper.runs.clear()
    assert papers.reproduce("small-2000", tmp_path).claims == report.claims
    assert small_paper.runs == []
    (tmp_path / "parts" / "rest.json").write_text('{"made_with"')  # damaged
    assert papers.reproduce("small-2000", tmp_path).claims == report.claims
    assert small_paper.runs == ["rest"]
    papers.reproduce("small-2000", tmp_path, again=True)
    assert small_paper.runs == ["rest", "drop", "rest"]


def test_a_claim_that_a_run_does_not_test_says_so(tmp_path):
    report = Report("x", "X", tmp_path)
    report.leave_untested("a plateau", "figure 13", paper="a plateau", note="four points do not show one")
    assert report.count()["not tested"] == 1
    assert report.count()["agrees"] == 0
