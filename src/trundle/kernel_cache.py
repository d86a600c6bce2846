"""Where compiled kernels are kept: a folder per state of their sources.

numba looks at the file of a kernel alone, not at those it calls, so that after an update it might run old code with new data.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from pathlib import Path

KEPT = 4  # folders of other versions that are left alone, the newest ones


def source_digest() -> str:
    """A digest of all kernel sources of this package."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.rglob("kernels/*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def user_folder() -> Path:
    """The user's folder for caches of trundle."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "trundle"


def choose_folder() -> None:
    """Let numba keep kernels in a folder of their own, unless NUMBA_CACHE_DIR says where; before any kernel is imported."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    name = f"kernels-{source_digest()}"
    for base in (user_folder(), Path(tempfile.gettempdir()) / f"trundle-{os.getuid() if hasattr(os, 'getuid') else 0}"):
        folder = base / name
        try:
            new = not folder.is_dir()
            folder.mkdir(parents=True, exist_ok=True)
            if not os.access(folder, os.W_OK):
                continue
        except OSError:
            continue
        os.environ["NUMBA_CACHE_DIR"] = str(folder)  # so that processes that this one starts use it, too
        if "numba" in sys.modules:
            sys.modules["numba"].config.CACHE_DIR = str(folder)
        if new:
            _remove_old(base, name)
        return


def _remove_old(base: Path, name: str) -> None:
    others = [folder for folder in base.glob("kernels-*") if folder.name != name]
    for folder in sorted(others, key=lambda f: f.stat().st_mtime, reverse=True)[KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)
