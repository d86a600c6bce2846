"""Compiled kernels are kept per state of their sources."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import trundle
from trundle import kernel_cache
from trundle.kernel_cache import source_digest

PACKAGE = Path(trundle.__file__).parent


def folder_used(**environment: str) -> Path:
    variables = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", "from trundle.step.kernels.motion import move; print(move.stats.cache_path)"],
        capture_output=True, text=True, check=True, env={**variables, **environment},
    )  # fmt: skip
    return Path(done.stdout.strip())


@pytest.fixture
def package(tmp_path):
    """A package in which a imports b, and b imports c."""
    folder = tmp_path / "some"
    folder.mkdir()
    (folder / "a.py").write_text("from some.b import f\n")
    (folder / "b.py").write_text("import math\nfrom some import c as C\n")
    (folder / "c.py").write_text("X = 1\n")
    (folder / "d.py").write_text("Y = 1\n")
    return folder


def test_an_edit_compiles_again_what_depends_on_it_and_nothing_else(package):
    before = {name: source_digest.__wrapped__(package / f"{name}.py", package) for name in "abcd"}
    (package / "c.py").write_text("X = 2\n")
    same = {name: source_digest.__wrapped__(package / f"{name}.py", package) for name in "abcd"}
    assert same == before  # this process has loaded what was there
    kernel_cache._text.cache_clear()
    after = {name: source_digest.__wrapped__(package / f"{name}.py", package) for name in "abcd"}
    assert [name for name in "abcd" if before[name] != after[name]] == ["a", "b", "c"]


def imports_of(text: bytes) -> set[Path]:
    """What Python's own parser finds."""
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
    paths = {PACKAGE.joinpath(*name.split(".")[1:]).with_suffix(".py") for name in names if name.startswith("trundle.")}
    return {path for path in paths if path.is_file()}


def test_imports_are_found_as_the_parser_of_python_finds_them():
    for file in PACKAGE.glob("**/kernels/*.py"):
        text = file.read_bytes()
        assert kernel_cache._imported(text, PACKAGE) == imports_of(text), file
    for text in (
        b"from trundle.kernels import (  # (all of them)\n    lanes,  # wide)\n    space,\n)\n",
        b"def f():\n    import trundle.kernels.space as s, trundle.errors\n",
        b"from trundle import kinds as k, errors\n",
    ):
        assert kernel_cache._imported(text, PACKAGE) >= imports_of(text) != set()


def test_kernels_are_kept_in_a_folder_named_after_file_and_sources(tmp_path):
    digest = source_digest(PACKAGE / "step" / "kernels" / "motion.py")
    for variable in ("XDG_CACHE_HOME", "NUMBA_CACHE_DIR"):
        base = tmp_path / variable
        folder = folder_used(**{variable: str(base), "LOCALAPPDATA": str(base)})
        assert folder.name == f"step.kernels.motion-{digest}"
        assert folder.is_dir()
        assert base in folder.parents


def test_only_the_newest_folders_of_other_states_are_kept(tmp_path):
    for k in range(8):
        (tmp_path / f"laws-{k}").mkdir()
        os.utime(tmp_path / f"laws-{k}", (k, k))
    for name in ("laws-mine", "other-1"):
        (tmp_path / name).mkdir()
    kernel_cache._remove_old(tmp_path / "laws-mine")
    left = sorted(folder.name for folder in tmp_path.iterdir())
    assert left == ["laws-4", "laws-5", "laws-6", "laws-7", "laws-mine", "other-1"]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="there are no owners of files here")
def test_a_shared_folder_of_somebody_else_is_not_used(tmp_path, monkeypatch):
    """Kernels are unpickled: whoever writes them runs code."""
    mine = tmp_path / "mine"
    assert kernel_cache._is_private(mine)
    assert mine.stat().st_mode & 0o777 == 0o700
    assert kernel_cache._is_private(mine)
    mine.chmod(0o777)
    assert not kernel_cache._is_private(mine)
    (tmp_path / "link").symlink_to(tmp_path)
    assert not kernel_cache._is_private(tmp_path / "link")
    uid = os.getuid()
    mine.chmod(0o700)
    monkeypatch.setattr(os, "getuid", lambda: uid + 1)
    assert not kernel_cache._is_private(mine)
