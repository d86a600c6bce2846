"""What a release says of itself is the same everywhere."""

from __future__ import annotations

import os
import re
import subprocess
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


WITHOUT_UNIX = """
import os, signal, sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name in ("resource", "fcntl", "termios", "pwd", "grp"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in ("resource", "fcntl", "termios", "pwd", "grp"):
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Refuse())
for name in ("getuid", "geteuid", "fork", "sched_getaffinity", "statvfs"):
    if hasattr(os, name):
        delattr(os, name)
del signal.SIGHUP

import importlib, pkgutil
import trundle
for module in pkgutil.walk_packages(trundle.__path__, "trundle."):
    if not module.name.endswith(("_worker", "__main__")):  # workers run in an interpreter with Siconos, which is for Linux
        importlib.import_module(module.name)
scene = trundle.Scene()
scene.add(trundle.Sphere(0.1), name="ball", mass=1.0, position=(0, 0, 1))
trundle.simulate(scene, 0.01, 1e-3, record=sys.argv[1])
with trundle.open_recording(sys.argv[1]) as run:
    print(run.frame_count)
"""


def test_the_package_runs_without_what_windows_lacks(tmp_path):
    """Modules and functions of Unix are taken away; every module is imported, and a run recorded and read."""
    command = [sys.executable, "-c", WITHOUT_UNIX, str(tmp_path / "run.h5")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "MPLBACKEND": "Agg"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["11"]
