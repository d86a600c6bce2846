"""Compile the kernels of `trundle warm` for the levels of x86-64 that this machine has.

    python packaging/make_pack.py FOLDER [KIND ...]

Used by `make wheel`.  KIND: kinds of scenes as in `trundle warm`; all of them if none is named.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from trundle.kernel_pack import levels_of_this_machine


def make(folder: Path, kinds: list[str]) -> None:
    """Compile for every level into the folder."""
    levels = levels_of_this_machine()
    if not levels:
        sys.exit("this processor has no level of x86-64 that packs are made for (v3, v4): build a plain wheel instead")
    shutil.rmtree(folder, ignore_errors=True)
    for level in levels:
        target = {"NUMBA_CPU_NAME": level, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(folder)}
        subprocess.run([sys.executable, "-m", "trundle", "warm", *kinds], check=True, env={**os.environ, **target})
    (folder / "levels").write_text(" ".join(levels) + "\n", encoding="utf-8")
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    print(f"{folder}: kernels for {', '.join(levels)}, {size / 1e6:.0f} MB")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    make(Path(sys.argv[1]), sys.argv[2:])
