"""A limit of memory (`ulimit -v`, or a batch system's) that is too small to begin with.

OpenBLAS, which numpy loads, waits for ever where it gets no memory, and LLVM, which loads the kernels, ends the process without a
word: both have to be asked for beforehand, and so before anything is imported.
"""

from __future__ import annotations

import os

NEEDED = 1_000_000_000  # bytes of address space: 0.5 GB for a small scene, and some for compiling kernels
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
