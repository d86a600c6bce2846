"""A limit of memory (`ulimit -v`, or a batch system's): too small to begin with, or met while kernels are compiled.

OpenBLAS, which numpy and scipy load, waits for ever or ends the process where it gets no memory, and LLVM, which compiles and
loads the kernels, ends it without a word: what they take has to be asked for beforehand, at first before anything is imported.
"""

from __future__ import annotations

import mmap
import os
from typing import Any

NEEDED = 1_000_000_000  # bytes of address space: 0.5 GB for a small scene, and some for compiling kernels
ROOM = 128_000_000  # bytes that must be free before LLVM is called
EXIT_CODE = 4


def allowed() -> int | None:
    """Bytes of address space that this process may have, None without a limit."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if soft == resource.RLIM_INFINITY else soft


def check() -> None:
    """End the command, with a message, where kernels cannot be loaded."""
    most = allowed()
    if most is not None and most < NEEDED:
        text = (
            f"error: out of memory: a limit of {most / 1e6:.0f} MB (`ulimit -v`) is too small for trundle's compiled kernels. "
            f"Allow {NEEDED / 1e6:.0f} MB, and more for many bodies.\n"
        )
        os.write(2, text.encode())
        os._exit(EXIT_CODE)


def load_algebra() -> None:
    """Let numpy's OpenBLAS and scipy's take their memory where there is a limit: later there may be none for them."""
    if allowed() is not None:
        import numpy as np
        from scipy import linalg

        np.linalg.solve(np.eye(2), np.eye(2))
        linalg.lu_factor(np.eye(2))


def ask_for_room(_: Any = None) -> None:
    """Raise MemoryError where there is no room for what LLVM may take until it is asked for again."""
    try:
        mmap.mmap(-1, ROOM, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except OSError as error:
        raise MemoryError(f"compiled kernels need {ROOM / 1e6:.0f} MB that are free") from error


def watch_compilation() -> None:
    """Ask for room before every kernel that is loaded, and before every pass of one that is compiled."""
    from numba.core import event

    if os.name == "nt":
        return

    class Room(event.Listener):
        on_start = staticmethod(ask_for_room)

        def on_end(self, event: Any) -> None:
            pass

    for kind in ("numba:compiler_lock", "numba:run_pass"):
        event.register(kind, Room())
