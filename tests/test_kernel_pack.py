"""Kernels that come with a wheel are found instead of being compiled, and left alone where they do not fit."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from numba import config

import trundle
from trundle import kernel_pack

PACKAGE = Path(trundle.__file__).parent

SCRIPT = """
import numpy as np
import trundle
from trundle.kernels.rotations import rotation_matrix as kernel

kernel(np.array([[1.0, 0.0, 0.0, 0.0]]), 0, np.zeros((3, 3)))
print(sum(kernel.stats.cache_hits.values()), sum(kernel.stats.cache_misses.values()), kernel.stats.cache_path)
"""


@pytest.fixture
def target(monkeypatch):
    """numba's target, put back afterwards."""
    monkeypatch.setattr(config, "CPU_NAME", None)
    monkeypatch.setattr(config, "CPU_FEATURES", None)
    return config


def pack_for(folder: Path, *levels: str) -> Path:
    folder.mkdir()
    (folder / "levels").write_text(" ".join(levels))
    return folder


def test_the_best_level_that_pack_and_machine_share_is_the_target(tmp_path, target, monkeypatch):
    monkeypatch.setattr(kernel_pack, "levels_of_this_machine", lambda: ["x86-64-v4", "x86-64-v3"])
    assert kernel_pack.choose_target(pack_for(tmp_path / "one", "x86-64-v3")) == "x86-64-v3"
    assert (target.CPU_NAME, target.CPU_FEATURES) == ("x86-64-v3", "")
    target.CPU_NAME = None
    assert kernel_pack.choose_target(pack_for(tmp_path / "both", "x86-64-v3", "x86-64-v4")) == "x86-64-v4"


def test_a_machine_without_the_levels_of_the_pack_keeps_its_own_target(tmp_path, target, monkeypatch):
    monkeypatch.setattr(kernel_pack, "levels_of_this_machine", lambda: ["x86-64-v3"])
    assert kernel_pack.choose_target(pack_for(tmp_path / "pack", "x86-64-v4")) is None
    assert target.CPU_NAME is None


@pytest.mark.parametrize("contents", [None, ""])
def test_without_a_pack_nothing_changes(tmp_path, target, contents):
    folder = tmp_path / "pack"
    if contents is not None:
        folder.mkdir()
    assert kernel_pack.choose_target(folder) is None
    assert target.CPU_NAME is None


def test_a_target_that_the_user_chose_stays(tmp_path, target):
    target.CPU_NAME = "generic"
    assert kernel_pack.choose_target(pack_for(tmp_path / "pack", "x86-64-v3", "x86-64-v4")) is None
    assert target.CPU_NAME == "generic"


def test_kernels_of_a_pack_are_copied_once_and_those_compiled_later_stay_beside_them(tmp_path):
    pack = pack_for(tmp_path / "pack", "x86-64-v3")
    (pack / "laws-1").mkdir()
    (pack / "laws-1" / "kernel.nbi").write_text("packed")
    folder = tmp_path / "user" / "laws-1"
    folder.mkdir(parents=True)
    kernel_pack.unpack(folder, pack)
    assert (folder / "kernel.nbi").read_text() == "packed"
    (folder / "kernel.nbi").write_text("compiled later")
    kernel_pack.unpack(folder, pack)
    assert (folder / "kernel.nbi").read_text() == "compiled later"
    assert [entry.name for entry in folder.parent.iterdir()] == ["laws-1"]


@pytest.mark.skipif(not kernel_pack.levels_of_this_machine(), reason="no level of x86-64 that packs are made for")
def test_an_installed_pack_is_used_instead_of_compiling(tmp_path):
    """A copy of the package with a pack, and an empty cache: kernels are loaded; without the pack they are compiled."""
    copy = tmp_path / "site" / "trundle"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "kernel_pack"))
    level = kernel_pack.levels_of_this_machine()[0]

    def run(cache: Path, **more: str) -> list[str]:
        variables = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        variables |= {"PYTHONPATH": str(copy.parent), "NUMBA_CACHE_DIR": str(cache), **more}
        done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, env=variables)
        return done.stdout.split()

    pack = copy / "kernel_pack"
    assert run(pack, NUMBA_CPU_NAME=level, NUMBA_CPU_FEATURES="")[:2] == ["0", "1"]
    (pack / "levels").write_text(level)
    hits, misses, path = run(tmp_path / "user")
    assert (hits, misses) == ("1", "0")
    assert tmp_path / "user" in Path(path).parents
    shutil.rmtree(pack)
    assert run(tmp_path / "empty")[:2] == ["0", "1"]
