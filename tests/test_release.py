"""What a release says of itself is the same everywhere."""

from __future__ import annotations

import re
import sys
import tomllib
from datetime import date
from pathlib import Path

import trundle

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_newest_entry_of_the_changelog_is_this_version_with_a_date():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heads = re.findall(r"^## \[(.+?)\] - (\S+)$", text, re.MULTILINE)
    assert heads[0][0] == trundle.__version__
    days = [date.fromisoformat(day) for _, day in heads]
    assert days == sorted(days, reverse=True)


def test_the_citation_names_this_version_and_its_date():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {trundle.__version__}\n" in text
    day = re.search(r"^date-released: (\S+)$", text, re.MULTILINE)
    assert day
    assert f"## [{trundle.__version__}] - {day[1]}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_version_is_written_once():
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "src/trundle/__init__.py"


def test_this_python_is_one_that_the_package_names():
    named = {entry.rsplit(" ", 1)[1] for entry in PROJECT["project"]["classifiers"] if ":: Python :: 3." in entry}
    assert f"{sys.version_info.major}.{sys.version_info.minor}" in named
