"""Compiled kernels that a wheel brings along, so that nothing is compiled at the first run.

numba's key of a compiled function names the processor.  A wheel's kernels are compiled for two levels of x86-64 instead, v3 (2013
and later) and v4 (with AVX-512); where a pack is installed and the processor has one of these levels, numba compiles for that
level, too, and finds the kernels.  `make wheel` makes the pack; without one, as in a checkout, kernels are compiled when they are
first used.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

PACK = Path(__file__).parent / "kernel_pack"
# Levels of x86-64 as compilers define them: what they add to the one below, by LLVM's names.
V3 = ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
LEVELS = {"x86-64-v4": (*V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"), "x86-64-v3": V3}


def levels_of_this_machine() -> list[str]:
    """The levels of x86-64 that the processor has, best first; none on other processors."""
    from llvmlite.binding import get_host_cpu_features

    try:
        features = get_host_cpu_features()
    except RuntimeError:  # LLVM does not know this processor
        return []
    return [level for level, needed in LEVELS.items() if all(features.get(name, False) for name in needed)]


def choose_target(pack: Path = PACK) -> str | None:
    """Let numba compile for the best level that the pack has and this machine too; the level, or None.

    Has no effect where the user has chosen a target (NUMBA_CPU_NAME), or where another package has compiled something already.
    """
    from numba import config

    if not pack.is_dir() or config.CPU_NAME is not None:
        return None
    made = (pack / "levels").read_text(encoding="utf-8").split() if (pack / "levels").is_file() else []
    for level in levels_of_this_machine():
        if level in made:
            config.CPU_NAME, config.CPU_FEATURES = level, ""
            return level
    return None


def unpack(folder: Path, pack: Path = PACK) -> None:
    """Copy the pack's kernels of one file to its new folder, where those compiled later are kept beside them."""
    packed = pack / folder.name
    if not packed.is_dir():
        return
    aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        shutil.copytree(packed, aside, dirs_exist_ok=True)
        os.replace(aside, folder)  # fails if another process was faster and has put something into it
    except OSError:
        shutil.rmtree(aside, ignore_errors=True)
