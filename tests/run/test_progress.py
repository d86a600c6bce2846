"""A line in the terminal that shows how far a run is."""

from __future__ import annotations

import io
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest

import trundle
from trundle import display
from trundle.run import progress
from trundle.run.progress import ProgressLine
from trundle.step.report import ROW_TYPE


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def falling():
    scene = trundle.Scene(gravity=(0, 0, -9.81))
    scene.add(trundle.Sphere(0.1), name="ball", mass=1.0, position=(0, 0, 100))
    return scene


@pytest.mark.parametrize(("terminal", "delay", "shown"), [(True, 0.0, True), (False, 0.0, False), (True, 60.0, False)])
def test_a_line_is_shown_in_a_terminal_for_runs_that_take_their_time(monkeypatch, terminal, delay, shown):
    screen = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress, "DELAY", delay)
    monkeypatch.setattr(progress, "REFRESH", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    scene = falling()
    scene.load("ball", force=lambda time_: (time.sleep(0.05), (0, 0, 0))[1])  # steps that one can wait for
    run = trundle.simulate(scene, 0.05, 5e-3, progress=True)
    monkeypatch.undo()
    assert ("of 0.05 s" in screen.getvalue()) == shown
    assert ("energy" in screen.getvalue()) == shown
    quiet = trundle.simulate(falling(), 0.05, 5e-3)
    assert np.array_equal(run.final.position, quiet.final.position)


def test_the_line_is_gone_when_a_step_fails(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress, "DELAY", 0.0)
    line = progress.ProgressLine(1.0)

    def fails():
        time.sleep(0.3)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), line:
        fails()
    assert line._bar is not None
    assert line._bar.finished is False
    assert not line._bar.live.is_started


@pytest.mark.parametrize(("residual", "shown"), [(2.5e-9, "residual 2.5e-09"), (0.0, "")])
def test_the_line_has_the_residual_where_it_is_more_than_rounding(residual, shown):
    texts = []
    line = ProgressLine(1.0)
    line._bar = SimpleNamespace(update=lambda task, **given: texts.append(given["text"]))
    rows = np.zeros(1, ROW_TYPE)
    rows["residual"] = residual
    line.update(rows, SimpleNamespace(time=0.5))
    assert len(texts) == 1
    assert shown in texts[0]
    assert ("residual" in texts[0]) == bool(shown)


def test_a_line_is_the_default_for_runs_simulations_and_solves(monkeypatch):
    """In a terminal, without asking; not where progress=False, nor where something else shows how far the work is."""
    for delay in (progress, display):
        monkeypatch.setattr(delay, "DELAY", 0.0)
        monkeypatch.setattr(delay, "REFRESH", 0.0)
    monkeypatch.setenv("TERM", "xterm")

    def shown(work):
        screen = Terminal()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stderr", screen)
            work()
        return screen.getvalue()

    def slow():
        scene = falling()
        scene.load("ball", force=lambda time_: (time.sleep(0.05), (0, 0, 0))[1])
        return scene

    problem = trundle.ContactProblem(trundle.laws.Coulomb(mu=0.5), W=np.eye(3), q=np.array([-1.0, 0.5, 0.0]))

    def hidden():
        with display.hidden():
            trundle.solve(problem, "fixed-point", step=0.5)

    assert "of 0.05 s" in shown(lambda: trundle.simulate(slow(), 0.05, 5e-3))
    assert "of 0.05 s" in shown(lambda: trundle.Simulation(slow(), 5e-3).run(0.05))
    assert "residual" in shown(lambda: trundle.solve(problem, "fixed-point", step=0.5))
    assert shown(lambda: trundle.simulate(slow(), 0.05, 5e-3, progress=False)) == ""
    assert shown(lambda: trundle.solve(problem, "fixed-point", step=0.5, progress=False)) == ""
    assert shown(hidden) == ""


def test_where_stderr_is_kept_a_line_a_minute_says_how_far_a_run_is(monkeypatch, capsys):
    monkeypatch.setattr(progress, "PER_LINE", 0.0)
    with ProgressLine(1.0) as line:
        line.update(np.zeros(1, ROW_TYPE), SimpleNamespace(time=0.5))
    said = capsys.readouterr().err
    assert said.startswith("t = 0.5 of 1 s")
    assert said.count("\n") == 1
    monkeypatch.setattr(progress, "PER_LINE", 60.0)
    with ProgressLine(1.0) as line:
        line.update(np.zeros(1, ROW_TYPE), SimpleNamespace(time=0.5))
    assert capsys.readouterr().err == ""
