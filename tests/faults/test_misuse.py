"""Every public call with a value of a wrong type, shape, sign or size gives a TrundleError, or takes it."""

from __future__ import annotations

from api_lab import misuse
from input_lab import fuzz_campaigns, fuzz_commands, fuzz_problems, fuzz_scenes

# what `solve` makes of bad options is checked in its own room
OPEN = ("solve(",)


def test_misused_calls_raise_errors_that_are_ours(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = misuse(tmp_path, 2000, seed=1)
    assert [failure for failure in result["failures"] if not failure.startswith(OPEN)] == []
    assert result["refused"] > 1500


def test_mutated_scenes_problems_and_options_end_in_a_message(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for lab, count in ((fuzz_scenes, 60), (fuzz_campaigns, 30), (fuzz_problems, 30), (fuzz_commands, 60)):
        result = lab(tmp_path, count, seed=1)
        assert result["failures"] == []
