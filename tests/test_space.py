"""Who waits for compiled stages is told why, once, and only then."""

from __future__ import annotations

import pytest

from trundle import space


@pytest.fixture
def notice(monkeypatch):
    monkeypatch.setattr(space, "_watched", lambda: True)
    monkeypatch.setattr(space, "PATIENCE", 0.0)
    space._notice.cache_clear()
    yield
    space._notice.cache_clear()


def fresh_stage():
    """A stage that no cache on disk knows."""
    names: dict[str, object] = {}
    exec("def stage(at):\n    return 0", names)
    return names["stage"]


@pytest.mark.usefixtures("notice")
def test_a_compilation_in_a_terminal_is_told_once(capsys, monkeypatch):
    monkeypatch.setattr(space, "JIT", {})  # code from a string cannot be cached
    for _ in range(2):
        assert space.addresses([fresh_stage(), fresh_stage()]).all()
    assert capsys.readouterr().err.count("trundle: compiling kernels for this scene") == 1


@pytest.mark.usefixtures("notice")
def test_without_a_compilation_nothing_is_told(capsys):
    assert len(space.addresses([])) == 0
    assert capsys.readouterr().err == ""
