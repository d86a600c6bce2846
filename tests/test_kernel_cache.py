"""Compiled kernels are kept per state of their sources."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from trundle import kernel_cache

WHERE = "import trundle, numba; print(numba.config.CACHE_DIR)"


def folder_used(**environment: str) -> str:
    variables = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", WHERE], capture_output=True, text=True, check=True, env={**variables, **environment}
    )
    return done.stdout.strip()


def test_kernels_are_kept_in_a_folder_named_after_their_sources(tmp_path):
    folder = folder_used(XDG_CACHE_HOME=str(tmp_path), LOCALAPPDATA=str(tmp_path))
    assert Path(folder).name == f"kernels-{kernel_cache.source_digest()}"
    assert Path(folder).is_dir()


def test_the_users_choice_of_a_cache_is_kept(tmp_path):
    assert folder_used(NUMBA_CACHE_DIR=str(tmp_path)) == str(tmp_path)


def test_only_the_newest_folders_of_other_versions_are_kept(tmp_path):
    for k in range(8):
        (tmp_path / f"kernels-{k}").mkdir()
        os.utime(tmp_path / f"kernels-{k}", (k, k))
    (tmp_path / "kernels-mine").mkdir()
    kernel_cache._remove_old(tmp_path, "kernels-mine")
    left = sorted(folder.name for folder in tmp_path.iterdir())
    assert left == ["kernels-4", "kernels-5", "kernels-6", "kernels-7", "kernels-mine"]
